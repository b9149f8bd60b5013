/*
 * shards.c - the columns of a table of games, for creating the tables of shards.
 */
#include "extension.h"

SQL_FUNCTION(tabiya_games_sql)
{
    const tby_text part = PG_GETARG_UTF8(0);
    StringInfoData out;
    answer_begin(&out);
    if (part.n == 6 && memcmp(part.s, "define", 6) == 0)
        tby_columns_define(answer_sink, &out, TBY_SQL_POSTGRES);
    else if (part.n == 4 && memcmp(part.s, "show", 4) == 0)
        tby_columns_show(answer_sink, &out, TBY_SQL_POSTGRES);
    else if (part.n == 7 && memcmp(part.s, "comment", 7) == 0)
        tby_columns_comment(answer_sink, &out);
    else
        ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE), errmsg("gamesSql has no such part"),
                        errhint("The parts are define, show and comment.")));
    return answer_text(&out);
}
