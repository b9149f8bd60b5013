/*
 * index.h - an optional index of a file: what it stores of each game, and what it knows about queries.
 *
 * The table `db_indexes` has one `db_index` for each. From it follow `import --index`, its tables, how they are filled,
 * verified and emptied, the steps of a plan, and how these are run. docs/formats/database.md describes the contents. The
 * counter with an index's name is the last game in it; without the counter there is no such index.
 */
#ifndef TBY_STORE_SQLITE_INDEX_INDEX_H
#define TBY_STORE_SQLITE_INDEX_INDEX_H

#include "codec/packed.h"
#include "query/facts.h"
#include "store/sqlite/blocks.h"
#include "store/sqlite/index/bound.h"
#include "store/sqlite/index/lists.h"

/* ---- One game ------------------------------------------------------------------------------------------- */

/* The columns of `stood`: 12 kinds of pieces, 8 bytes per game, a bit for each square; and the marks, 2 bytes. */
enum { STOOD_PIECE_COLUMNS = 12, STOOD_MARKS = 12, STOOD_COLUMNS = 13, MARKS_SIZE = 2 };
static inline size_t stood_size(unsigned column) { return column == STOOD_MARKS ? MARKS_SIZE : sizeof(uint64_t); }

/* Material and pawns change only with captures and promotions, so there is room for all. */
enum { KEYS_MAX = 128 };
typedef struct game_keys {
    size_t n;
    uint32_t keys[KEYS_MAX];
} game_keys;

/* What the indexes store of a game, collected while it is replayed: the keys of its lists, and what stood where. */
typedef struct game_traits {
    tby_color side; /* to move */
    tby_text eco;
    uint32_t now[N_INDEXES]; /* what an index remembers from move to move */
    game_keys lists[N_INDEXES];
    uint64_t stood[STOOD_PIECE_COLUMNS];
    unsigned marks; /* MARK_... of query/facts.h */
} game_traits;

/* Some positions, the moves played there, one fewer at the end of the game, and the board after the last. */
typedef struct played_plies {
    const packed_plies *plies;
    size_t n, n_moves;
    const tby_board *after_last;
} played_plies;

static inline tby_board board_at(const played_plies *p, size_t i)
{
    const packed_plies *of = p->plies;
    return i < p->n ? (tby_board){{of->plane[0][i], of->plane[1][i], of->plane[2][i], of->plane[3][i]}}
                    : *p->after_last;
}

/* Adds a key that the game does not have yet. */
void traits_add(game_traits *g, index_place index, uint32_t key);

void traits_begin_game(game_traits *g, const tby_position *start, tby_text eco);
void traits_play(game_traits *g, const packed_plies *plies, size_t n, const tby_board *after_last);
void traits_end_game(game_traits *g, const tby_position *end);

/* ---- Indexes -------------------------------------------------------------------------------------------- */

/* Lists of games by key; blocks of records, which only `stood` has; or indexes of SQLite, which are made at once. */
typedef enum index_storage { STORED_AS_LISTS, STORED_AS_BLOCKS, STORED_BY_SQLITE } index_storage;

typedef struct db_index {
    const char *name;      /* of its table and its counter, and for --index */
    const char *about;     /* for people: "piece combinations, 13 bytes per game" */
    index_storage storage; /* if STORED_BY_SQLITE, `sql` makes it */
    const char *sql;

    /* The keys of a game; all may be NULL. */
    void (*begin)(game_traits *g, const tby_position *start);
    void (*play)(game_traits *g, const played_plies *p);
    void (*end)(game_traits *g, const tby_position *end);

    /* It rules games out; `helps` says so for --explain, NULL: it does not. By `narrow`, or for lists by what each key
       allows; all games are assumed to have had the key `start`. */
    const char *helps;
    index_narrow *narrow;
    uint32_t start;
    query_bounds (*bounds)(uint32_t key);

    /* It decides a fact about a text of the game. Keys below n_texts are texts, the next is that of games without one, and
       the one after that leaves a game open. NULL: it decides none. */
    bool (*decides)(const query_node *node);
    uint32_t (*n_texts)(void);
    tby_text (*text_of)(char room[8], uint32_t key);

    /* If texts may change from version to version: their checksum, in the counter "NAME_texts". NULL: they do not. */
    const int64_t *checksum;
} db_index;
extern const db_index *const db_indexes[N_INDEXES];

static inline lite_table index_table(index_place index) { return (lite_table)(TABLE_INDEX + index); }
/* The last game in an index; -1: there is no such index, or its texts are those of another version. */
bool index_covered(lite *db, index_place index, int64_t *out);
/* The same whatever its texts; `*are_current` says whether they are those of this version. */
bool index_stored(lite *db, index_place index, int64_t *out, bool *are_current);
/* Empties indexes whose texts are those of another version. */
bool indexes_renew(lite *db);
/* Adds those that have become the default since, to a file of an earlier version. */
bool indexes_upgrade(lite *db);
/* Creates those whose counter exists and that SQLite makes. */
bool indexes_make_sql(lite *db);
/* All statements that create them. */
void indexes_schema(buffer *out);

/* Removes games that cannot match from `among`, as far as the index knows. With NULL for `among`, only finds out whether
   it knows anything: `*helps`. */
bool index_rules_out(lite *db, index_place index, const tby_query *query, tby_game_id last_id, game_set *among,
                     bool *helps);
/* The same for lists. (lists_bound.c) */
bool lists_narrow(lite *db, index_place index, const tby_query *query, tby_game_id last_id, game_set *among,
                  bool *helps);
/* Bounds that allow everything. (lists_bound.c) */
query_bounds open_bounds(void);

/* ---- Stood (stood.c) ------------------------------------------------------------------------------------ */

/* A game that does not exist, or is not indexed yet, has all ones. */
typedef struct stood_blocks {
    block columns[STOOD_COLUMNS];
} stood_blocks;
void stood_begin(stood_blocks *b);
void stood_end(stood_blocks *b);
/* The record of a game in a column; `g` is NULL for a game that does not exist. */
uint64_t stood_word(const game_traits *g, unsigned column);
/* `g` is NULL to erase. */
bool stood_put(stood_blocks *b, lite *db, tby_game_id id, const game_traits *g);
bool stood_flush(stood_blocks *b, lite *db);

/* ---- Building (indexes_build.c) ------------------------------------------------------------------------- */

/* Adds games to the existing indexes. In each transaction: read, then games in ascending order, then store. */
typedef struct index_builder {
    lite *db;
    int64_t covered[N_INDEXES]; /* the last game in each index; -1 = no such index */
    stood_blocks blocks;
    lists lists[N_INDEXES];
    tby_game_id last; /* the last game added; 0 = none */
} index_builder;
void index_builder_begin(index_builder *b, lite *db);
void index_builder_end(index_builder *b);
/* Reads what the indexes cover now. `*done` is the last game in all of them, or `last` if none is missing. */
bool index_builder_read(index_builder *b, tby_game_id last, tby_game_id *done);
bool index_builder_take(index_builder *b, tby_game_id id, const game_traits *g);
/* Stores the games added; the indexes then cover the games up to `last`. */
bool index_builder_store(index_builder *b, tby_game_id last);

/* Adds missing games to the existing indexes. */
bool indexes_build(lite *db, tby_db_progress progress, void *context);
/* Compares the indexes with the games. */
struct verifier;
bool indexes_verify(lite *db, struct verifier *verifier);

#endif
