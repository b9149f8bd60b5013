/*
 * traits.h - what a game has had: where each kind of piece ever stood, what was done, its material and its pawns on the
 * way, and the code of its opening.
 *
 * Optional indexes hold it: `stood`, and the lists `material`, `pawns` and `eco`; docs/formats/database.md draws them.
 * The counter of the index's name is the last game that is in it; without the counter there is no such index.
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

typedef enum trait_list { TRAITS_MATERIAL, TRAITS_PAWNS, TRAITS_ECO, TRAITS_LISTS } trait_list;
typedef struct trait_table {
    const char *name; /* of the table, its counter, and for people */
    statement get, put;
} trait_table;
extern const trait_table traits_tables[TRAITS_LISTS];

/* The keys of `material`, without pawns: four bits each for knights, bishops, rooks and queens, from the lowest on,
   Black's after White's. 15 means 15 or more. */
#define SIGNATURE_START 0x12221222U
enum { SIGNATURE_MOST = 15 };

/* The keys of `pawns`: while no side has three on a file, bit i is set if White has a pawn on the i-th of the files c
   to f, bit 4 + i if Black has; else the one file where a side has three or more, or that there are several. What games
   start with is in no list. */
enum {
    PAWNS_FIRST_FILE = 2,
    PAWNS_FILES = 4,
    PAWNS_START = 0xff,
    PAWNS_THREE = 0x100, /* + 8 * colour + file */
    PAWNS_SEVERAL = 0x110
};

/* The keys of `eco`: A00 to E99 are 0 to 499. */
enum { ECO_CODES = 500, ECO_NONE = ECO_CODES, ECO_OTHER, ECO_KEYS };
/* The text of a code, three letters. */
void traits_eco_text(char out[4], unsigned key);

/* Material and pawns change by captures and promotions only, so there is room for all. */
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

/* What a game has had, made while it is played through: its first position, some plies after the other with the board
   after the last of them, and its last position. Without `eco.s` the game has no code. */
typedef struct game_traits {
    traits traits;
    tby_color side; /* to move */
    uint32_t signature;
} game_traits;
void traits_begin_game(game_traits *g, const tby_position *start);
void traits_add_plies(game_traits *g, const packed_plies *plies, size_t n, const tby_board *after_last);
void traits_end_game(game_traits *g, const tby_position *end, tby_text eco);

/* ---- Stood ---------------------------------------------------------------------------------------------- */

/* The blocks of `stood`. A game that is not there, or not yet, has only ones. */
typedef struct traits_blocks {
    block columns[TRAITS_COLUMNS];
} traits_blocks;
bool traits_begin(traits_blocks *b);
void traits_end(traits_blocks *b);
/* NULL erases. */
bool traits_put(traits_blocks *b, lite *db, tby_game_id id, const traits *h);
bool traits_flush(traits_blocks *b, lite *db);

/* The last game in the index of this name; -1 if there is no such index. */
bool traits_covered(lite *db, const char *name, int64_t *out);

/* ---- Building ------------------------------------------------------------------------------------------- */

/* The last games that are in the indexes; -1 = no such index. */
typedef struct traits_coverage {
    int64_t stood, lists[TRAITS_LISTS];
    bool has_any;
} traits_coverage;

/* Adds games to the indexes that exist. In each transaction: read, then games by rising numbers, then store. */
typedef struct traits_builder {
    lite *db;
    traits_coverage covered;
    traits_blocks blocks;
    lists lists[TRAITS_LISTS];
    tby_game_id last; /* the game that was taken last; 0 = none */
} traits_builder;
bool traits_builder_begin(traits_builder *b, lite *db);
void traits_builder_end(traits_builder *b);
/* What the indexes cover now. `*done` is the last game that is in all of them, or `last` where none is missing. */
bool traits_builder_read(traits_builder *b, tby_game_id last, tby_game_id *done);
bool traits_builder_take(traits_builder *b, tby_game_id id, const traits *h);
/* Stores what was taken; the indexes then cover the games up to `last`. */
bool traits_builder_store(traits_builder *b, tby_game_id last);

/* Adds the games that are missing to the indexes that exist. */
bool traits_build(lite *db, tby_db_progress progress, void *context);
/* Compares the indexes with the games. */
bool traits_verify(lite *db, void (*report)(void *context, tby_game_id id, const char *text), void *context);

#endif
