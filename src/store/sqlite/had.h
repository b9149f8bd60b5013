/*
 * had.h - what a game has had: where each kind of man ever stood, what was done, and its material on the way.
 *
 * Two optional indexes hold it, `stood` and `material`; docs/formats/database.md draws them. The counter of the index's
 * name is the last game that is in it; without the counter there is no such index.
 */
#ifndef TBY_STORE_SQLITE_HAD_H
#define TBY_STORE_SQLITE_HAD_H

#include "store/sqlite/blocks.h"

/* The columns of `stood`: 12 kinds of men, 8 bytes a game, a bit for each square; and the marks, 2 bytes. */
enum { HAD_MEN = 12, HAD_MARKS = 12, HAD_COLUMNS = 13, MARKS_SIZE = 2 };
static inline unsigned had_column(unsigned piece) { return (piece >> 3) * 6 + (piece & 7) - 1; }
static inline size_t had_size(unsigned column) { return column == HAD_MARKS ? MARKS_SIZE : sizeof(uint64_t); }

/* The marks: castling as RIGHT_... of query/ast.h, then: */
enum {
    MARK_PROMOTION = 0x0010, /* to knight, bishop, rook, queen; Black's four bits higher */
    MARK_EN_PASSANT = 0x1000,
    MARK_MATE = 0x2000,
    MARK_STALEMATE = 0x4000
};
static inline unsigned mark_of_promotion(unsigned piece)
{
    static const uint8_t places[8] = {[TBY_KNIGHT] = 0, [TBY_BISHOP] = 1, [TBY_ROOK] = 2, [TBY_QUEEN] = 3};
    return (unsigned)MARK_PROMOTION << (4 * (piece >> 3) + places[piece & 7]);
}

/* Material without pawns: four bits each for knights, bishops, rooks and queens, from the lowest on, Black's behind
   White's. 15 is 15 or more. */
#define SIGNATURE_START 0x12221222U
enum { SIGNATURES_MAX = 128, SIGNATURE_MOST = 15 };

typedef struct had {
    uint64_t stood[HAD_MEN];
    unsigned marks;
    size_t n_signatures;
    uint32_t signatures[SIGNATURES_MAX];
} had;

/* False for bytes that are no game. */
bool tby_had_make(had *out, const uint8_t *moves, size_t n);

/* The blocks of `stood`. A game that is not there, or not yet, has only ones. */
typedef struct had_blocks {
    block columns[HAD_COLUMNS];
} had_blocks;
bool tby_had_begin(had_blocks *b);
void tby_had_end(had_blocks *b);
/* NULL erases. */
bool tby_had_put(had_blocks *b, lite *db, tby_game_id id, const had *h);
bool tby_had_flush(had_blocks *b, lite *db);

/* The last game in the index "stood" or "material"; -1 if there is no such index. */
bool tby_had_covered(lite *db, const char *name, int64_t *out);
/* Takes in the games that are not yet in those that there are. */
bool tby_had_build(lite *db, tby_db_progress progress, void *context);
/* Compares them with the games. */
bool tby_had_verify(lite *db, void (*tell)(void *context, tby_game_id id, const char *text), void *context);

#endif
