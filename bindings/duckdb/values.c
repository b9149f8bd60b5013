/*
 * values.c - converts DuckDB's values to arguments, and results to DuckDB's values.
 */
#include "engine.h"

#include <stdlib.h>

duckdb_type type_of_letter(char letter)
{
    switch (letter) {
    case 't': return DUCKDB_TYPE_VARCHAR;
    case 'i': return DUCKDB_TYPE_BIGINT;
    case 'r': return DUCKDB_TYPE_DOUBLE;
    case 'y': return DUCKDB_TYPE_BOOLEAN;
    default: return DUCKDB_TYPE_BLOB;
    }
}

duckdb_type type_of_vector(duckdb_vector vector)
{
    duckdb_logical_type type = duckdb.vector_get_column_type(vector);
    const duckdb_type id = duckdb.get_type_id(type);
    duckdb.destroy_logical_type(&type);
    return id;
}

/* ---- Arguments ---------------------------------------------------------------------------------------------- */

argument_column argument_column_of(duckdb_vector vector)
{
    return (argument_column){type_of_vector(vector), duckdb.vector_get_data(vector),
                             duckdb.vector_get_validity(vector)};
}

sql_value argument_at(const argument_column *column, uint64_t row)
{
    const bool is_null = column->validity && !(column->validity[row / 64] >> row % 64 & 1);
    if (is_null || column->type == DUCKDB_TYPE_SQLNULL)
        return (sql_value){.type = SQL_NULL};
    if (column->type == DUCKDB_TYPE_BIGINT)
        return (sql_value){.type = SQL_INTEGER, .number = ((const int64_t *)column->data)[row]};
    const duckdb_string *s = (const duckdb_string *)column->data + row;
    const char *inside = (const char *)s + offsetof(duckdb_string, inside);
    return (sql_value){.type = column->type == DUCKDB_TYPE_BLOB ? SQL_BLOB : SQL_TEXT,
                       .bytes = s->n > DUCKDB_INSIDE_MAX ? s->elsewhere : inside,
                       .n = s->n};
}

/* ---- Results ------------------------------------------------------------------------------------------------ */

/* DuckDB's text is UTF-8. */
static void put_text(duckdb_vector vector, uint64_t row, const sql_value *answer)
{
    char *mended = text_utf8_prefix(answer->bytes, answer->n) < answer->n ? malloc(answer->n) : NULL;
    if (mended) {
        memcpy(mended, answer->bytes, answer->n);
        text_mend_utf8(mended, answer->n);
    }
    duckdb.vector_assign_string_element_len(vector, row, mended ? mended : answer->bytes, answer->n);
    free(mended);
}

void answer_put(duckdb_vector vector, duckdb_type type, uint64_t row, const sql_value *answer)
{
    void *data = duckdb.vector_get_data(vector);
    switch (answer->type) {
    case SQL_NULL:
        duckdb.vector_ensure_validity_writable(vector);
        duckdb.validity_set_row_invalid(duckdb.vector_get_validity(vector), row);
        break;
    case SQL_INTEGER:
        if (type == DUCKDB_TYPE_BOOLEAN)
            ((bool *)data)[row] = answer->number != 0;
        else
            ((int64_t *)data)[row] = answer->number;
        break;
    case SQL_REAL: ((double *)data)[row] = answer->real; break;
    case SQL_TEXT: put_text(vector, row, answer); break;
    case SQL_BLOB: duckdb.vector_assign_string_element_len(vector, row, answer->bytes, answer->n); break;
    }
}

bool answer_column(sql_scan *scan, int column, duckdb_vector vector, uint64_t row)
{
    const bool is_good = sql_scan_column(scan, column);
    answer_put(vector, type_of_letter(scan->table->columns[column].type), row, &scan->call.answer);
    return is_good;
}

const char *error_of(sql_call *call)
{
    text_mend_utf8(call->error, strlen(call->error));
    return call->error;
}
