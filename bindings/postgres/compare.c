/*
 * compare.c - compares, sorts and hashes games and boards by their bytes, as the server does with those of bytea.
 *
 * Games are sorted by their moves: see docs/formats/packed.md.
 */
#include "extension.h"

#include <utils/fmgrprotos.h>

SQL_FUNCTION(tabiya_lt) { return bytealt(fcinfo); }

SQL_FUNCTION(tabiya_le) { return byteale(fcinfo); }

SQL_FUNCTION(tabiya_eq) { return byteaeq(fcinfo); }

SQL_FUNCTION(tabiya_ne) { return byteane(fcinfo); }

SQL_FUNCTION(tabiya_ge) { return byteage(fcinfo); }

SQL_FUNCTION(tabiya_gt) { return byteagt(fcinfo); }

SQL_FUNCTION(tabiya_cmp) { return byteacmp(fcinfo); }

SQL_FUNCTION(tabiya_sortsupport) { return bytea_sortsupport(fcinfo); }

SQL_FUNCTION(tabiya_hash) { return hashvarlena(fcinfo); }

SQL_FUNCTION(tabiya_hash_extended) { return hashvarlenaextended(fcinfo); }

/* For the aggregates min and max. */
static Datum chosen(FunctionCallInfo fcinfo, bool is_first)
{
    return is_first ? PG_GETARG_DATUM(0) : PG_GETARG_DATUM(1);
}

SQL_FUNCTION(tabiya_smaller) { return chosen(fcinfo, DatumGetInt32(byteacmp(fcinfo)) <= 0); }

SQL_FUNCTION(tabiya_larger) { return chosen(fcinfo, DatumGetInt32(byteacmp(fcinfo)) >= 0); }
