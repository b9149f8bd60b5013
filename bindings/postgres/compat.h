/*
 * compat.h - the differences between the versions of PostgreSQL, 14 to 18.
 *
 *     since 16    VARDATA_ANY and related macros are in a separate header
 *                 DefineIndex has another argument: the number of partitions
 *     since 17    the statistics target is a member of VacAttrStats itself
 *     since 18    vacuum_delay_point has an argument: is the caller ANALYZE?
 *                 pg_attribute_noreturn no longer exists
 */
#ifndef TABIYA_POSTGRES_COMPAT_H
#define TABIYA_POSTGRES_COMPAT_H

#include <postgres.h>

#include <commands/defrem.h>
#include <commands/vacuum.h>
#include <funcapi.h>
#include <miscadmin.h>
#if PG_VERSION_NUM >= 160000
#include <varatt.h>
#endif

#if PG_VERSION_NUM < 140000
#error "the extension needs PostgreSQL 14 or later"
#endif

#define NEVER_RETURNS __attribute__((noreturn))

#if PG_VERSION_NUM >= 170000
#define STATISTICS_TARGET(stats) ((stats)->attstattarget)
#else
#define STATISTICS_TARGET(stats) ((stats)->attr->attstattarget)
#endif

/* Defines an index without any content: even the pages that every index has are missing. */
static inline Oid define_index_unbuilt(Oid table, IndexStmt *statement)
{
#if PG_VERSION_NUM >= 160000
    return DefineIndex(table, statement, InvalidOid, InvalidOid, InvalidOid, -1, false, true, true, true, false)
        .objectId;
#else
    return DefineIndex(table, statement, InvalidOid, InvalidOid, InvalidOid, false, true, true, true, false).objectId;
#endif
}

/* Where ANALYZE may pause or be cancelled. */
static inline void analyze_delay_point(void)
{
#if PG_VERSION_NUM >= 180000
    vacuum_delay_point(true);
#else
    vacuum_delay_point();
#endif
}

#endif
