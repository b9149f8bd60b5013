/*
 * had.h - what a game has had: where each kind of man ever stood, what was done, its material and its pawns on the way,
 * and the code of its opening.
 *
 * Optional indexes hold it: `stood`, and the lists `material`, `pawns` and `eco`; docs/formats/database.md draws them.
 * The counter of the index's name is the last game that is in it; without the counter there is no such index.
 */
#ifndef TBY_STORE_SQLITE_HAD_H
#define TBY_STORE_SQLITE_HAD_H

#include "format/packed.h"
#include "query/facts.h"
#include "store/sqlite/blocks.h"
#include "store/sqlite/lists.h"

/* The columns of `stood`: 12 kinds of men, 8 bytes a game, a bit for each square; and the marks, 2 bytes. */
enum { HAD_MEN = 12, HAD_MARKS = 12, HAD_COLUMNS = 13, MARKS_SIZE = 2 };
static inline unsigned had_column(unsigned piece) { return (piece >> 3) * 6 + (piece & 7) - 1; }
static inline size_t had_size(unsigned column) { return column == HAD_MARKS ? MARKS_SIZE : sizeof(uint64_t); }

/* The marks are MARK_... of query/facts.h. */
/* The order of knight, bishop, rook and queen in the marks and in signatures. */
static const uint8_t kind_places[8] = {[TBY_KNIGHT] = 0, [TBY_BISHOP] = 1, [TBY_ROOK] = 2, [TBY_QUEEN] = 3};
static inline unsigned mark_of_promotion(unsigned piece)
{
    return (unsigned)MARK_PROMOTION << (4 * (piece >> 3) + kind_places[piece & 7]);
}

/* ---- Lists ---------------------------------------------------------------------------------------------- */

typedef enum had_list { HAD_MATERIAL, HAD_PAWNS, HAD_ECO, HAD_LISTS } had_list;
typedef struct had_table {
    const char *name; /* of the table, its counter, and for people */
    statement get, put;
} had_table;
extern const had_table had_tables[HAD_LISTS];

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
void had_eco_text(char out[4], unsigned key);

/* Material and pawns change by captures and promotions only, so there is room for all. */
enum { HAD_KEYS_MAX = 128 };
typedef struct had_keys {
    uint32_t keys[HAD_KEYS_MAX];
    size_t n;
} had_keys;

typedef struct had {
    uint64_t stood[HAD_MEN];
    unsigned marks;
    had_keys lists[HAD_LISTS];
} had;

/* What a game has had, made while it is played through: its first position, some plies after the other with the board
   after the last of them, and its last position. Without `eco.s` the game has no code. */
typedef struct had_game {
    had had;
    tby_color side; /* to move */
    uint32_t signature;
} had_game;
void had_begin_game(had_game *g, const tby_position *start);
void had_add_plies(had_game *g, const packed_plies *plies, size_t n, const tby_board *after_last);
void had_end_game(had_game *g, const tby_position *end, tby_text eco);

/* ---- Stood ---------------------------------------------------------------------------------------------- */

/* The blocks of `stood`. A game that is not there, or not yet, has only ones. */
typedef struct had_blocks {
    block columns[HAD_COLUMNS];
} had_blocks;
bool had_begin(had_blocks *b);
void had_end(had_blocks *b);
/* NULL erases. */
bool had_put(had_blocks *b, lite *db, tby_game_id id, const had *h);
bool had_flush(had_blocks *b, lite *db);

/* The last game in the index of this name; -1 if there is no such index. */
bool had_covered(lite *db, const char *name, int64_t *out);

/* ---- Building ------------------------------------------------------------------------------------------- */

/* The last games that are in the indexes; -1 = no such index. */
typedef struct had_coverage {
    int64_t stood, lists[HAD_LISTS];
    bool has_any;
} had_coverage;

/* Adds games to the indexes that exist. In each transaction: read, then games by rising numbers, then store. */
typedef struct had_builder {
    lite *db;
    had_coverage covered;
    had_blocks blocks;
    lists lists[HAD_LISTS];
    tby_game_id last; /* the game that was taken last; 0 = none */
} had_builder;
bool had_builder_begin(had_builder *b, lite *db);
void had_builder_end(had_builder *b);
/* What the indexes cover now. `*done` is the last game that is in all of them, or `last` where none is missing. */
bool had_builder_read(had_builder *b, tby_game_id last, tby_game_id *done);
bool had_builder_take(had_builder *b, tby_game_id id, const had *h);
/* Stores what was taken; the indexes then cover the games up to `last`. */
bool had_builder_store(had_builder *b, tby_game_id last);

/* Adds the games that are missing to the indexes that exist. */
bool had_build(lite *db, tby_db_progress progress, void *context);
/* Compares the indexes with the games. */
bool had_verify(lite *db, void (*tell)(void *context, tby_game_id id, const char *text), void *context);

#endif
