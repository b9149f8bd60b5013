/*
 * table.c - tables in memory: adding, removing and copying rows.
 *
 * Limit    the texts of one column take less than 2^31 bytes, as Arrow's offsets require; more counts as out of memory.
 */
#include "table/table.h"
#include "base/contract.h"

/* Parquet's numbers: INT32 is 1, INT64 2, DOUBLE 5, BYTE_ARRAY 6. */
const table_type table_types[] = {
    [TBY_COLUMN_INT32] = {4, "i", 1},  [TBY_COLUMN_INT64] = {8, "l", 2}, [TBY_COLUMN_UINT64] = {8, "L", 2},
    [TBY_COLUMN_DOUBLE] = {8, "g", 5}, [TBY_COLUMN_TEXT] = {0, "u", 6},  [TBY_COLUMN_BYTES] = {0, "z", 6},
};

/* ---- Life ------------------------------------------------------------------------------------------------ */

static size_t table_bytes(size_t n_columns) { return sizeof(tby_table) + n_columns * sizeof(table_column); }

tby_table *tby_table_new(const tby_column *columns, size_t n_columns, const tby_allocator *allocator)
{
    const tby_allocator memory = allocator_or_default(allocator);
    tby_table *t = alloc_new(memory, table_bytes(n_columns));
    if (!t)
        return NULL;
    t->allocator = memory;
    t->n_columns = n_columns;
    for (size_t i = 0; i < n_columns; i++) {
        t->columns[i] = (table_column){
            .about = columns[i],
            .width = table_types[columns[i].type].width,
            .values = buffer_begin(&memory),
            .offsets = buffer_begin(&memory),
            .present = buffer_begin(&memory),
        };
    }
    tby_table_cut(t, 0);
    return t;
}

void tby_table_free(tby_table *t)
{
    if (!t)
        return;
    for (size_t i = 0; i < t->n_columns; i++) {
        buffer_free(&t->columns[i].values);
        buffer_free(&t->columns[i].offsets);
        buffer_free(&t->columns[i].present);
    }
    alloc_free(t->allocator, t, table_bytes(t->n_columns));
}

size_t tby_table_n_rows(const tby_table *t) { return t->n_rows; }

size_t tby_table_size(const tby_table *t)
{
    size_t size = 0;
    for (size_t i = 0; i < t->n_columns; i++)
        size += t->columns[i].values.n + t->columns[i].offsets.n + t->columns[i].present.n;
    return size;
}

bool tby_table_has_failed(const tby_table *t)
{
    for (size_t i = 0; i < t->n_columns; i++)
        if (column_has_failed(&t->columns[i]))
            return true;
    return false;
}

void *tby_table_values(tby_table *t, size_t column) { return t->columns[column].values.data; }

/* ---- Values ---------------------------------------------------------------------------------------------- */

static inline void put_present(table_column *c, bool is_present)
{
    if (c->about.may_be_empty) {
        if (c->n_put % 8 == 0)
            buffer_put(&c->present, 0);
        if (!c->present.has_failed)
            c->present.data[c->n_put / 8] |= (uint8_t)(is_present << c->n_put % 8);
    }
    c->n_empty += !is_present;
    c->n_put++;
}

/* buffer_add with a size that the compiler knows. */
static inline void put_fixed(buffer *b, const void *bytes, size_t n)
{
    if (buffer_reserve(b, n)) {
        memcpy(b->data + b->n, bytes, n);
        b->n += n;
    }
}

/* After the bytes of a text. */
static inline void put_offset(table_column *c)
{
    const int32_t offset = (int32_t)c->values.n;
    if (c->values.n > INT32_MAX)
        c->values.has_failed = true;
    put_fixed(&c->offsets, &offset, sizeof offset);
}

void tby_table_put_int(tby_table *t, size_t column, int64_t value)
{
    table_column *c = &t->columns[column];
    TBY_CONTRACT(c->width > 0 && c->about.type != TBY_COLUMN_DOUBLE && c->n_put <= t->n_rows);
    const int32_t narrow = (int32_t)value;
    if (c->width == sizeof narrow)
        put_fixed(&c->values, &narrow, sizeof narrow);
    else
        put_fixed(&c->values, &value, sizeof value);
    put_present(c, true);
}

void tby_table_put_double(tby_table *t, size_t column, double value)
{
    table_column *c = &t->columns[column];
    TBY_CONTRACT(c->about.type == TBY_COLUMN_DOUBLE && c->n_put <= t->n_rows);
    buffer_add(&c->values, &value, sizeof value);
    put_present(c, true);
}

void tby_table_put_text(tby_table *t, size_t column, const char *s, size_t n)
{
    table_column *c = &t->columns[column];
    TBY_CONTRACT(c->width == 0 && c->n_put <= t->n_rows);
    buffer_add(&c->values, s, n);
    put_offset(c);
    put_present(c, true);
}

void tby_table_put_empty(tby_table *t, size_t column)
{
    static const uint64_t zero = 0;
    table_column *c = &t->columns[column];
    TBY_CONTRACT(c->about.may_be_empty && c->n_put <= t->n_rows);
    if (c->width > 0)
        buffer_add(&c->values, &zero, c->width);
    else
        put_offset(c);
    put_present(c, false);
}

static void repeat_text(table_column *c, size_t n)
{
    const int32_t begin = column_offset(c, c->n_put - 1);
    const size_t length = c->values.n - (size_t)begin;
    if (length > 0 && n > (INT32_MAX - c->values.n) / length)
        c->values.has_failed = true;
    if (!buffer_reserve(&c->values, n * length) || !buffer_reserve(&c->offsets, n * sizeof(int32_t)))
        return;
    for (size_t i = 0; i < n; i++) {
        if (length > 0)
            memcpy(c->values.data + c->values.n, c->values.data + begin, length);
        c->values.n += length;
        put_offset(c);
    }
}

static void repeat_number(table_column *c, size_t n)
{
    uint8_t last[8];
    if (!buffer_reserve(&c->values, n * c->width))
        return;
    memcpy(last, c->values.data + c->values.n - c->width, c->width);
    for (size_t i = 0; i < n; i++, c->values.n += c->width) {
        if (c->width == 8)
            memcpy(c->values.data + c->values.n, last, 8);
        else
            memcpy(c->values.data + c->values.n, last, 4);
    }
}

void table_repeat(tby_table *t, size_t column, size_t n)
{
    table_column *c = &t->columns[column];
    TBY_CONTRACT(c->n_put > 0 && c->n_put + n <= t->n_rows);
    if (n == 0 || column_has_failed(c))
        return;
    const bool is_present = column_has(c, c->n_put - 1);
    if (c->width > 0)
        repeat_number(c, n);
    else
        repeat_text(c, n);
    for (size_t i = 0; i < n; i++)
        put_present(c, is_present);
}

/* ---- Rows ------------------------------------------------------------------------------------------------ */

void tby_table_end_row(tby_table *t)
{
    t->n_rows++;
#ifndef NDEBUG
    for (size_t i = 0; i < t->n_columns; i++)
        TBY_CONTRACT(t->columns[i].n_put <= t->n_rows);
#endif
}

static void cut_present(table_column *c, size_t n_rows)
{
    for (size_t row = n_rows; row < c->n_put; row++)
        c->n_empty -= !column_has(c, row);
    c->present.n = (n_rows + 7) / 8;
    if (n_rows % 8)
        c->present.data[n_rows / 8] &= (uint8_t)((1u << n_rows % 8) - 1);
}

/* Also drops the values of an unfinished row. */
static void cut_column(table_column *c, size_t n_rows)
{
    const int32_t zero = 0;
    if (column_has_failed(c)) { /* nothing to cut, but rows may follow */
        c->n_put = c->n_put < n_rows ? c->n_put : n_rows;
        return;
    }
    if (c->about.may_be_empty && c->n_put > n_rows)
        cut_present(c, n_rows);
    if (c->width > 0) {
        c->values.n = n_rows * c->width;
    } else if (n_rows == 0) {
        c->values.n = c->offsets.n = 0;
        buffer_add(&c->offsets, &zero, sizeof zero);
    } else {
        c->values.n = (size_t)column_offset(c, n_rows);
        c->offsets.n = (n_rows + 1) * sizeof zero;
    }
    c->n_put = n_rows;
}

void tby_table_cut(tby_table *t, size_t n_rows)
{
    TBY_CONTRACT(n_rows <= t->n_rows || t->n_rows == 0);
    for (size_t i = 0; i < t->n_columns; i++)
        cut_column(&t->columns[i], n_rows);
    t->n_rows = n_rows;
}

static void append_texts(table_column *c, const table_column *from, size_t first, size_t n_rows)
{
    const size_t begin = (size_t)column_offset(from, first), end = (size_t)column_offset(from, first + n_rows);
    const size_t base = c->values.n;
    if (end > begin)
        buffer_add(&c->values, from->values.data + begin, end - begin);
    if (c->values.n > INT32_MAX)
        c->values.has_failed = true;
    if (c->values.has_failed || !buffer_reserve(&c->offsets, n_rows * sizeof(int32_t)))
        return;
    for (size_t i = 1; i <= n_rows; i++) {
        const int32_t offset = (int32_t)(base + (size_t)column_offset(from, first + i) - begin);
        buffer_add(&c->offsets, &offset, sizeof offset);
    }
}

void tby_table_append(tby_table *t, const tby_table *from, size_t first, size_t n_rows)
{
    TBY_CONTRACT(t->n_columns == from->n_columns && first + n_rows <= from->n_rows);
    for (size_t i = 0; i < t->n_columns; i++) {
        table_column *c = &t->columns[i];
        const table_column *other = &from->columns[i];
        TBY_CONTRACT(c->about.type == other->about.type && c->about.may_be_empty == other->about.may_be_empty);
        if (n_rows == 0)
            continue;
        if (c->width > 0)
            buffer_add(&c->values, other->values.data + first * c->width, n_rows * c->width);
        else
            append_texts(c, other, first, n_rows);
        for (size_t row = first; row < first + n_rows; row++)
            put_present(c, column_has(other, row));
    }
    t->n_rows += n_rows;
}
