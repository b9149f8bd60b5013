/*
 * traits.h - the traits of a game: the squares each kind of piece ever occupied, marks for events, the material and
 * pawn structures that occurred, and the opening code.
 *
 * Optional indexes store them: `stood`, and the lists `material`, `pawns` and `eco`; docs/formats/database.md describes
 * them. The counter with the index's name is the last game in it; without the counter there is no such index.
 */
#ifndef TBY_STORE_SQLITE_INDEX_TRAITS_H
#define TBY_STORE_SQLITE_INDEX_TRAITS_H

#include "codec/packed.h"
#include "query/facts.h"
#include "store/sqlite/blocks.h"
#include "store/sqlite/index/lists.h"

/* The columns of `stood`: 12 kinds of pieces, 8 bytes per game, a bit for each square; and the marks, 2 bytes. */
enum { TRAITS_PIECES = 12, TRAITS_MARKS = 12, TRAITS_COLUMNS = 13, MARKS_SIZE = 2 };
static inline unsigned traits_column(unsigned piece) { return (piece >> 3) * 6 + (piece & 7) - 1; }
static inline size_t traits_size(unsigned column) { return column == TRAITS_MARKS ? MARKS_SIZE : sizeof(uint64_t); }

/* The marks are MARK_... of query/facts.h. */
/* The order of knight, bishop, rook and queen in the marks and in signatures. */
static const uint8_t kind_places[8] = {[TBY_KNIGHT] = 0, [TBY_BISHOP] = 1, [TBY_ROOK] = 2, [TBY_QUEEN] = 3};
static inline unsigned mark_of_promotion(unsigned piece)
{
    return (unsigned)MARK_PROMOTION << (4 * (piece >> 3) + kind_places[piece & 7]);
}

/* ---- Lists ---------------------------------------------------------------------------------------------- */

/* The indexes; all but the last one are lists. */
typedef enum trait_index {
    TRAITS_MATERIAL,
    TRAITS_PAWNS,
    TRAITS_ECO,
    TRAITS_LISTS,
    TRAITS_STOOD = TRAITS_LISTS,
    TRAITS_INDEXES
} trait_index;
typedef struct trait_table {
    const char *name; /* of the table, its counter, and in messages */
    lite_table table;
    unsigned flag; /* in tabiya_db.h */
} trait_table;
extern const trait_table traits_tables[TRAITS_INDEXES];

/* The keys of `material`, without pawns: four bits each for knights, bishops, rooks and queens, from the lowest on,
   Black's after White's. 15 means 15 or more. */
#define SIGNATURE_START 0x12221222U
enum { SIGNATURE_MOST = 15 };

/* The keys of `pawns`: while no side has three on a file, bit i is set if White has a pawn on the i-th of the files c
   to f, bit 4 + i if Black has; otherwise the key is the one file where a side has three or more, or says that there
   are several. The start position is in no list. */
enum {
    PAWNS_FIRST_FILE = 2,
    PAWNS_FILES = 4,
    PAWNS_START = 0xff,
    PAWNS_THREE = 0x100, /* + 8 * colour + file */
    PAWNS_SEVERAL = 0x110
};

/* The keys of `eco`: A00 to E99 are 0 to 499. */
enum { ECO_CODES = 500, ECO_NONE = ECO_CODES, ECO_OTHER, ECO_KEYS };
/* The key of a code; without one, `eco.s` is NULL. */
uint32_t traits_eco_key(tby_text eco);
/* The text of a code, three characters. */
void traits_eco_text(char out[4], unsigned key);

/* Material and pawns change only with captures and promotions, so there is room for all. */
enum { TRAITS_KEYS_MAX = 128 };
typedef struct trait_keys {
    uint32_t keys[TRAITS_KEYS_MAX];
    size_t n;
} trait_keys;

typedef struct traits {
    uint64_t stood[TRAITS_PIECES];
    unsigned marks;
    trait_keys lists[TRAITS_LISTS];
} traits;

/* The traits of a game, collected while it is replayed: the first position, then groups of plies with the board after
   each group, and the last position with the key of the code. */
typedef struct game_traits {
    traits traits;
    tby_color side; /* to move */
    uint32_t signature;
} game_traits;
void traits_begin_game(game_traits *g, const tby_position *start);
void traits_add_plies(game_traits *g, const packed_plies *plies, size_t n, const tby_board *after_last);
void traits_end_game(game_traits *g, const tby_position *end, uint32_t eco);

/* ---- Stood ---------------------------------------------------------------------------------------------- */

/* The blocks of `stood`. A game that does not exist, or is not indexed yet, has all ones. */
typedef struct traits_blocks {
    block columns[TRAITS_COLUMNS];
} traits_blocks;
void traits_begin(traits_blocks *b);
void traits_end(traits_blocks *b);
/* The record of a game in a column; `h` is NULL for a game that does not exist. */
uint64_t traits_word(const traits *h, unsigned column);
/* `h` is NULL to erase. */
bool traits_put(traits_blocks *b, lite *db, tby_game_id id, const traits *h);
bool traits_flush(traits_blocks *b, lite *db);

/* ---- Building ------------------------------------------------------------------------------------------- */

/* Adds games to the existing indexes. In each transaction: read, then games in ascending order, then store. */
typedef struct traits_builder {
    lite *db;
    int64_t covered[TRAITS_INDEXES]; /* the last game in each index; -1 = no such index */
    traits_blocks blocks;
    lists lists[TRAITS_LISTS];
    tby_game_id last; /* the last game added; 0 = none */
} traits_builder;
void traits_builder_begin(traits_builder *b, lite *db);
void traits_builder_end(traits_builder *b);
/* Reads what the indexes cover now. `*done` is the last game in all of them, or `last` if none is missing. */
bool traits_builder_read(traits_builder *b, tby_game_id last, tby_game_id *done);
bool traits_builder_take(traits_builder *b, tby_game_id id, const traits *h);
/* Stores the games added; the indexes then cover the games up to `last`. */
bool traits_builder_store(traits_builder *b, tby_game_id last);

/* Adds missing games to the existing indexes. */
bool traits_build(lite *db, tby_db_progress progress, void *context);
/* Compares the indexes with the games. */
bool traits_verify(lite *db, void (*report)(void *context, tby_game_id id, const char *text), void *context);

#endif
