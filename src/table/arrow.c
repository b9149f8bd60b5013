/*
 * arrow.c - tables through the Arrow C data and stream interfaces.
 *
 * A struct has one child per column. An exported structure is one block of memory. A consumer may move children away
 * and release them after their parent, from any thread: so the block counts its users. An array takes over its table
 * and exposes the table's memory without a copy.
 */
#include "support/failure.h"
#include "table/table.h"

#include <errno.h>
#include <stdatomic.h>

/* ---- Schemas --------------------------------------------------------------------------------------------- */

typedef struct schema_block {
    tby_allocator allocator;
    size_t size;
    atomic_size_t n_users; /* the parent and the children */
    struct ArrowSchema **pointers;
    struct ArrowSchema children[];
} schema_block;

static void release_schema(struct ArrowSchema *schema)
{
    schema_block *block = schema->private_data;
    for (int64_t i = 0; i < schema->n_children; i++)
        if (schema->children[i]->release)
            schema->children[i]->release(schema->children[i]);
    schema->release = NULL;
    if (atomic_fetch_sub(&block->n_users, 1) == 1)
        alloc_free(block->allocator, block, block->size);
}

bool tby_arrow_schema(struct ArrowSchema *out, const tby_column *columns, size_t n_columns,
                      const tby_allocator *allocator)
{
    const tby_allocator memory = allocator_or_default(allocator);
    const size_t head = sizeof(schema_block) + n_columns * sizeof(struct ArrowSchema);
    const size_t pointers = head + n_columns * sizeof(struct ArrowSchema *);
    size_t size = pointers;
    for (size_t i = 0; i < n_columns; i++)
        size += strlen(columns[i].name) + 1;
    schema_block *block = alloc_new(memory, size);
    if (!block)
        return false;
    block->allocator = memory;
    block->size = size;
    atomic_init(&block->n_users, n_columns + 1);
    block->pointers = (struct ArrowSchema **)(void *)((char *)block + head);
    char *names = (char *)block + pointers;
    for (size_t i = 0; i < n_columns; i++) {
        const size_t n = strlen(columns[i].name) + 1;
        memcpy(names, columns[i].name, n);
        block->children[i] = (struct ArrowSchema){.format = table_types[columns[i].type].arrow,
                                                  .name = names,
                                                  .flags = columns[i].may_be_empty ? ARROW_FLAG_NULLABLE : 0,
                                                  .release = release_schema,
                                                  .private_data = block};
        block->pointers[i] = &block->children[i];
        names += n;
    }
    *out = (struct ArrowSchema){.format = "+s",
                                .name = "",
                                .n_children = (int64_t)n_columns,
                                .children = block->pointers,
                                .release = release_schema,
                                .private_data = block};
    return true;
}

/* ---- Arrays ---------------------------------------------------------------------------------------------- */

typedef struct array_child {
    struct ArrowArray array;
    const void *buffers[3];
} array_child;

typedef struct array_block {
    tby_table *table;
    size_t size;
    atomic_size_t n_users;
    const void *no_buffer;
    struct ArrowArray **pointers;
    array_child children[];
} array_block;

static void release_array(struct ArrowArray *array)
{
    array_block *block = array->private_data;
    const tby_allocator memory = block->table->allocator;
    for (int64_t i = 0; i < array->n_children; i++)
        if (array->children[i]->release)
            array->children[i]->release(array->children[i]);
    array->release = NULL;
    if (atomic_fetch_sub(&block->n_users, 1) > 1)
        return;
    tby_table_free(block->table);
    alloc_free(memory, block, block->size);
}

/* Buffers must not be NULL, even if empty. */
static const void *buffer_of(const buffer *b) { return b->data ? (const void *)b->data : ""; }

static void fill_child(array_child *child, const table_column *c, array_block *block)
{
    child->buffers[0] = c->about.may_be_empty && c->n_empty > 0 ? (const void *)c->present.data : NULL;
    child->buffers[1] = buffer_of(column_is_text(c) ? &c->offsets : &c->values);
    child->buffers[2] = column_is_text(c) ? buffer_of(&c->values) : NULL;
    child->array = (struct ArrowArray){.length = (int64_t)block->table->n_rows,
                                       .null_count = (int64_t)c->n_empty,
                                       .n_buffers = column_is_text(c) ? 3 : 2,
                                       .buffers = child->buffers,
                                       .release = release_array,
                                       .private_data = block};
}

bool tby_arrow_array(struct ArrowArray *out, tby_table *table)
{
    const size_t head = sizeof(array_block) + table->n_columns * sizeof(array_child);
    const size_t size = head + table->n_columns * sizeof(struct ArrowArray *);
    array_block *block = tby_table_has_failed(table) ? NULL : alloc_new(table->allocator, size);
    if (!block)
        return false;
    block->table = table;
    block->size = size;
    atomic_init(&block->n_users, table->n_columns + 1);
    block->pointers = (struct ArrowArray **)(void *)((char *)block + head);
    for (size_t i = 0; i < table->n_columns; i++) {
        fill_child(&block->children[i], &table->columns[i], block);
        block->pointers[i] = &block->children[i].array;
    }
    *out = (struct ArrowArray){.length = (int64_t)table->n_rows,
                               .n_buffers = 1,
                               .n_children = (int64_t)table->n_columns,
                               .buffers = &block->no_buffer,
                               .children = block->pointers,
                               .release = release_array,
                               .private_data = block};
    return true;
}

/* ---- Streams --------------------------------------------------------------------------------------------- */

typedef struct stream_block {
    tby_allocator allocator;
    size_t size;
    tby_table_source source;
    bool is_over;
    tby_failure failure;
    size_t n_columns;
    tby_column columns[];
} stream_block;

/* The error number that the specification requires. */
static int stream_answer(const stream_block *s)
{
    return s->failure.status == TBY_OK ? 0 : s->failure.status == TBY_NO_MEMORY ? ENOMEM : EIO;
}

static int get_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out)
{
    stream_block *s = stream->private_data;
    failure_clear(&s->failure);
    if (!tby_arrow_schema(out, s->columns, s->n_columns, &s->allocator))
        failure_no_memory(&s->failure);
    return stream_answer(s);
}

static int get_next(struct ArrowArrayStream *stream, struct ArrowArray *out)
{
    stream_block *s = stream->private_data;
    *out = (struct ArrowArray){.release = NULL}; /* the end */
    if (s->is_over)
        return 0;
    failure_clear(&s->failure);
    tby_table *table = tby_table_new(s->columns, s->n_columns, &s->allocator);
    bool has_memory = table;
    if (table && s->source.next(s->source.context, table, &s->failure) == TBY_OK) {
        s->is_over = tby_table_n_rows(table) == 0 && !tby_table_has_failed(table);
        if (!s->is_over && tby_arrow_array(out, table))
            return 0;
        has_memory = s->is_over;
    }
    if (!has_memory)
        failure_no_memory(&s->failure);
    s->is_over |= table != NULL;
    tby_table_free(table);
    return stream_answer(s);
}

static const char *get_last_error(struct ArrowArrayStream *stream)
{
    const stream_block *s = stream->private_data;
    return s->failure.status == TBY_OK ? NULL : s->failure.text;
}

static void release_stream(struct ArrowArrayStream *stream)
{
    stream_block *s = stream->private_data;
    if (s->source.release)
        s->source.release(s->source.context);
    alloc_free(s->allocator, s, s->size);
    stream->release = NULL;
}

bool tby_arrow_stream(struct ArrowArrayStream *out, const tby_column *columns, size_t n_columns,
                      const tby_table_source *source, const tby_allocator *allocator)
{
    const tby_allocator memory = allocator_or_default(allocator);
    const size_t size = sizeof(stream_block) + n_columns * sizeof *columns;
    stream_block *s = alloc_new(memory, size);
    if (!s)
        return false;
    *s = (stream_block){.allocator = memory, .size = size, .source = *source, .n_columns = n_columns};
    memcpy(s->columns, columns, n_columns * sizeof *columns);
    *out = (struct ArrowArrayStream){get_schema, get_next, get_last_error, release_stream, s};
    return true;
}
