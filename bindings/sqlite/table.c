/*
 * table.c - what table-valued functions have in common.
 */
#include "table.h"

#include <string.h>

typedef struct table {
    sqlite3_vtab base;
    const sql_table *kind;
} table;

int table_connect(sqlite3 *db, void *aux, int argc, const char *const *argv, sqlite3_vtab **out, char **message)
{
    const sql_table *kind = aux;
    (void)argc, (void)argv, (void)message;
    const int status = sqlite3_declare_vtab(db, kind->schema);
    if (status != SQLITE_OK)
        return status;
    sqlite3_vtab_config(db, kind->config);
    table *made = sqlite3_malloc64(sizeof *made);
    if (!made)
        return SQLITE_NOMEM;
    *made = (table){.kind = kind};
    *out = &made->base;
    return SQLITE_OK;
}

int table_disconnect(sqlite3_vtab *vtab)
{
    sqlite3_free(vtab);
    return SQLITE_OK;
}

/* Without its arguments a table has no rows to show. */
int table_best_index(sqlite3_vtab *vtab, sqlite3_index_info *info)
{
    const sql_table *kind = ((const table *)(const void *)vtab)->kind;
    unsigned given = 0; /* a bit for each */
    for (int i = 0; i < info->nConstraint; i++) {
        const struct sqlite3_index_constraint *constraint = &info->aConstraint[i];
        const int number = constraint->iColumn - kind->argument;
        if (number < 0 || number >= kind->n_arguments || constraint->op != SQLITE_INDEX_CONSTRAINT_EQ)
            continue;
        if (!constraint->usable)
            return SQLITE_CONSTRAINT;
        info->aConstraintUsage[i].argvIndex = number + 1;
        info->aConstraintUsage[i].omit = 1;
        given |= 1u << number;
    }
    /* None follows one that is left out: what is given is then numbered without a gap. */
    if (given + 1 < 1u << kind->n_needed || (given & (given + 1)))
        return table_error(
            vtab, sqlite3_mprintf("%s() needs %s", kind->name, kind->n_needed == 1 ? "its argument" : "its arguments"));
    info->estimatedCost = 100;
    info->estimatedRows = 100;
    return SQLITE_OK;
}

int table_open(sqlite3_vtab *vtab, sqlite3_vtab_cursor **out)
{
    const size_t size = ((const table *)(const void *)vtab)->kind->cursor_size;
    *out = sqlite3_malloc64(size);
    if (!*out)
        return SQLITE_NOMEM;
    memset(*out, 0, size);
    return SQLITE_OK;
}

int table_error(sqlite3_vtab *vtab, char *message)
{
    if (!message)
        return SQLITE_NOMEM;
    sqlite3_free(vtab->zErrMsg);
    vtab->zErrMsg = message;
    return SQLITE_ERROR;
}
