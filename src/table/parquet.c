/*
 * parquet.c - tables as Parquet files: one row group per piece, and a footer that locates everything.
 *
 *     "PAR1"  row group ...  footer (Thrift)  its length, four bytes  "PAR1"
 *
 * Writes   flat columns without nesting. The footer grows by about 80 bytes for each column of each row group; the rows
 *          themselves are not kept in memory.
 */
#include "table/parquet.h"

#include <stdio.h>

#ifdef TABIYA_ZSTD
#include <zstd.h>
#endif

/* ---- Row groups ------------------------------------------------------------------------------------------ */

static bool work_new(tby_table_piece *piece)
{
    const tby_allocator *memory = &piece->allocator;
    parquet_work *work = alloc_new(*memory, sizeof *work);
    if (!work)
        return false;
    work->page = buffer_begin(memory);
    work->indexes = buffer_begin(memory);
#ifdef TABIYA_ZSTD
    work->zstd = ZSTD_createCCtx();
    if (!work->zstd) {
        alloc_free(*memory, work, sizeof *work);
        return false;
    }
#endif
    piece->work = work;
    return true;
}

static void work_free(tby_table_piece *piece)
{
    parquet_work *work = piece->work;
    if (!work)
        return;
#ifdef TABIYA_ZSTD
    ZSTD_freeCCtx(work->zstd);
#endif
    buffer_free(&work->page);
    buffer_free(&work->indexes);
    alloc_free(piece->allocator, work, sizeof *work);
}

static void encode(tby_table_piece *piece, const tby_table *table, size_t n_columns)
{
    if (!piece->work && !work_new(piece)) {
        piece->bytes.has_failed = true;
        return;
    }
    for (size_t i = 0; i < n_columns; i++) {
        parquet_chunk chunk;
        parquet_column(piece, &table->columns[i], table->n_rows, &chunk);
        buffer_add(&piece->chunks, &chunk, sizeof chunk);
    }
    /* Without this memory a column would be encoded differently, but the same rows must give the same bytes. */
    piece->bytes.has_failed |= ((parquet_work *)piece->work)->indexes.has_failed;
}

/* ---- The footer ------------------------------------------------------------------------------------------ */

static void put_chunk(thrift *t, const tby_column *column, const parquet_chunk *chunk, uint64_t base, size_t n_rows)
{
    thrift_open(t);
    thrift_i64(t, 2, (int64_t)(base + chunk->offset));
    thrift_struct(t, 3);
    thrift_i32(t, 1, table_types[column->type].parquet);
    thrift_list(t, 2, THRIFT_I32, 2);
    thrift_integer(t->out, PARQUET_RLE);
    thrift_integer(t->out, chunk->has_dictionary ? PARQUET_BY_DICTIONARY : PARQUET_PLAIN);
    thrift_list(t, 3, THRIFT_TEXT, 1);
    thrift_bytes(t->out, column->name, strlen(column->name));
    thrift_i32(t, 4, parquet_codec());
    thrift_i64(t, 5, (int64_t)n_rows);
    thrift_i64(t, 6, (int64_t)chunk->n_unpacked);
    thrift_i64(t, 7, (int64_t)chunk->n_bytes);
    thrift_i64(t, 9, (int64_t)(base + chunk->data));
    if (chunk->has_dictionary)
        thrift_i64(t, 11, (int64_t)(base + chunk->offset));
    thrift_struct(t, 12); /* statistics */
    thrift_i64(t, 3, (int64_t)chunk->n_empty);
    thrift_close(t);
    thrift_close(t);
    thrift_close(t);
}

/* The entry is encoded now, and written with the footer. */
static bool add(tby_table_writer *w, const tby_table_piece *piece)
{
    const parquet_chunk *chunks = (const parquet_chunk *)(const void *)piece->chunks.data;
    thrift t = thrift_begin(&w->groups);
    uint64_t n_unpacked = 0;
    for (size_t i = 0; i < w->n_columns; i++)
        n_unpacked += chunks[i].n_unpacked;
    thrift_list(&t, 1, THRIFT_STRUCT, w->n_columns);
    for (size_t i = 0; i < w->n_columns; i++)
        put_chunk(&t, &w->columns[i], &chunks[i], w->n_bytes, piece->n_rows);
    thrift_i64(&t, 2, (int64_t)n_unpacked);
    thrift_i64(&t, 3, (int64_t)piece->n_rows);
    thrift_i64(&t, 5, (int64_t)w->n_bytes);
    thrift_i64(&t, 6, (int64_t)piece->bytes.n);
    thrift_close(&t);
    w->n_groups++;
    return !w->groups.has_failed;
}

static void put_logical_type(thrift *t, tby_column_type type)
{
    enum { STRING = 1, INTEGER = 10, UTF8 = 0, UINT_64 = 14 };
    if (type != TBY_COLUMN_TEXT && type != TBY_COLUMN_UINT64)
        return;
    thrift_i32(t, 6, type == TBY_COLUMN_TEXT ? UTF8 : UINT_64);
    thrift_struct(t, 10);
    thrift_struct(t, type == TBY_COLUMN_TEXT ? STRING : INTEGER);
    if (type == TBY_COLUMN_UINT64) {
        thrift_field(t, 1, THRIFT_BYTE);
        buffer_put(t->out, 64);
        thrift_field(t, 2, THRIFT_FALSE);
    }
    thrift_close(t);
    thrift_close(t);
}

static void put_schema(thrift *t, const tby_table_writer *w)
{
    thrift_list(t, 2, THRIFT_STRUCT, w->n_columns + 1);
    thrift_open(t);
    thrift_text(t, 4, "rows");
    thrift_i32(t, 5, (int32_t)w->n_columns);
    thrift_close(t);
    for (size_t i = 0; i < w->n_columns; i++) {
        thrift_open(t);
        thrift_i32(t, 1, table_types[w->columns[i].type].parquet);
        thrift_i32(t, 3, w->columns[i].may_be_empty);
        thrift_text(t, 4, w->columns[i].name);
        put_logical_type(t, w->columns[i].type);
        thrift_close(t);
    }
}

static void put_note(thrift *t, const char *note)
{
    thrift_list(t, 5, THRIFT_STRUCT, 1);
    thrift_open(t);
    thrift_text(t, 1, "tabiya");
    thrift_text(t, 2, note);
    thrift_close(t);
}

static void put_footer(buffer *out, const tby_table_writer *w, const char *note)
{
    thrift t = thrift_begin(out);
    char maker[64];
    snprintf(maker, sizeof maker, "tabiya %s", tby_version());
    thrift_i32(&t, 1, 2);
    put_schema(&t, w);
    thrift_i64(&t, 3, (int64_t)w->n_rows);
    thrift_list(&t, 4, THRIFT_STRUCT, w->n_groups);
    buffer_add(out, w->groups.data, w->groups.n);
    if (note)
        put_note(&t, note);
    thrift_text(&t, 6, maker);
    thrift_close(&t);
}

/* ---- The file -------------------------------------------------------------------------------------------- */

static void begin(buffer *out, const tby_table_writer *w)
{
    (void)w;
    buffer_add(out, "PAR1", 4);
}

static void end(buffer *out, const tby_table_writer *w, const char *note)
{
    put_footer(out, w, note);
    parquet_put_32(out, (uint32_t)out->n);
    buffer_add(out, "PAR1", 4);
}

const table_format table_parquet = {
    .about = {"parquet", "Apache Parquet, compressed with zstd", ".parquet .pq", true},
    .encode = encode,
    .free_work = work_free,
    .begin = begin,
    .add = add,
    .end = end,
};
