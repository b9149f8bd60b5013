/*
 * tabiya_value.h - games and boards as values: packed bytes, the functions of SQL, and searching in games; games as
 * CMBR records and as JSON.
 *
 * Conventions are those of tabiya.h.
 */
#ifndef TABIYA_VALUE_H
#define TABIYA_VALUE_H

#include "tabiya.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Why work with files, databases and servers failed. Those functions return a tby_status and say more here: in their
   last parameter, which must not be NULL, or in the object that they work on (tby_db_failure). After a success the
   status is TBY_OK, in an object that of the last failure. */
enum { TBY_FAILURE_SIZE = 512 };
typedef struct tby_failure {
    tby_status status;
    char text[TBY_FAILURE_SIZE]; /* a sentence without a full stop */
} tby_failure;

/* ---- Packed boards and games --------------------------------------------------------------------------- */

/* How databases store boards and games: see docs/formats/packed.md. The bytes have a version, and equal values are
   equal bytes. Decoders accept any bytes: they return false or an error, and never read past the end. */

/* All six fields of a board, legal or not: at most 32 bytes for boards of up to 32 pieces. */
enum { TBY_PACKED_BOARD_SIZE = 48 };
TBY_API size_t tby_packed_board_encode(uint8_t out[TBY_PACKED_BOARD_SIZE], const tby_setup *setup);
/* Returns the number of bytes used, or 0 if they are not a board. */
TBY_API size_t tby_packed_board_decode(tby_setup *out, const uint8_t *bytes, size_t n);

/* A packed game is start, main line and result. Its bytes begin with those of its opening, and a game that is the
   beginning of another sorts before it by memcmp. TBY_PLIES_MAX is the longest game that the rules allow: after
   seventy-five moves without a capture or a pawn move it is a draw (FIDE 9.6.2). Null moves count. */
enum { TBY_PLIES_MAX = 17697, TBY_PACKED_TRAILER_SIZE = 15 };
/* The moves must be legal. Returns the length of the packed game, and writes nothing if that is over `cap`; 0 for more
   than TBY_PLIES_MAX moves. */
TBY_API size_t tby_packed_encode(uint8_t *out, size_t cap, const tby_position *start, const tby_move *moves,
                                 size_t n_plies, tby_result result);

/* Steps through a packed game. It is a value: copy it to return to this place. */
typedef struct tby_packed {
    tby_position pos; /* the position reached */
    const uint8_t *at, *end;
} tby_packed;
/* False if the bytes are not a packed game. Does not check the moves. */
TBY_API bool tby_packed_begin(tby_packed *cursor, const uint8_t *bytes, size_t n);
/* Plays the next move and returns it; TBY_MOVE_NONE at the end, or if the bytes are not a move. Trusts everything
   else: check a game from elsewhere first. */
TBY_API tby_move tby_packed_next(tby_packed *cursor);
/* Is every byte correct: known version, legal moves, correct summary, nothing after the end? */
TBY_API tby_status tby_packed_check(const uint8_t *bytes, size_t n, tby_error *err);

/* The contents of the trailer, which can be read without replaying the game. */
typedef struct tby_packed_summary {
    tby_result result;
    bool has_promotion[2];
    uint16_t home_pawns;    /* still at home at the end: bits 0-7 white's a2 to h2, 8-15 black's a7 to h7 */
    uint8_t material[2][5]; /* at the end: pawns, knights, bishops, rooks, queens, at most 15 each */
} tby_packed_summary;
TBY_API bool tby_packed_summary_of(tby_packed_summary *out, const uint8_t *bytes, size_t n);
TBY_API tby_result tby_packed_result(const uint8_t *bytes, size_t n);
/* The number of bytes for start and moves: the prefix shared with every continuation. */
TBY_API size_t tby_packed_prefix(const uint8_t *bytes, size_t n);
TBY_API size_t tby_packed_n_plies(const uint8_t *bytes, size_t n);
/* The keys of all positions, including the start. Writes at most `cap` and returns their total number. */
TBY_API size_t tby_packed_position_keys(uint64_t *out, size_t cap, const uint8_t *bytes, size_t n);

/* A board or position to search for in many games. */
typedef struct tby_target {
    uint64_t key;
    bool is_placement; /* compares the 64 squares, otherwise the position */
    uint8_t n_pieces, n_gone;
    uint16_t gone;               /* pawns that are not at home, as in the summary */
    tby_bitboard home;           /* those that are, on the board */
    uint64_t upper[4], lower[4]; /* piece counts, for each set of sides that promote: see src/value/target.h */
} tby_target;
TBY_API void tby_target_placement(tby_target *out, const tby_board *board);
TBY_API void tby_target_position(tby_target *out, const tby_position *pos);
/* False if the summary alone shows that the game never reaches it. */
TBY_API bool tby_target_may_be_in(const tby_target *target, const uint8_t *bytes, size_t n);
/* The first ply, at most `max_ply`, at which the game reaches it; -1 if there is none. */
TBY_API int tby_target_find(const tby_target *target, const uint8_t *bytes, size_t n, int max_ply);
/* The first ply at which it reaches any of these positions, at most TBY_NEXT_MOVES_MAX. */
TBY_API int tby_target_find_any(const tby_target *targets, size_t n_targets, const uint8_t *bytes, size_t n,
                                int max_ply);
/* The same as tby_target_find from a cursor, whose position counts as ply 0, without using the summary. The cursor stops at the place that
   was found. -1 if there is none, -2 if the bytes end before the game does. */
TBY_API int tby_target_step(const tby_target *target, tby_packed *cursor, int max_ply);

/* ---- Openings ------------------------------------------------------------------------------------------ */

/* The ECO code and English name of a position, whatever moves led to it: see docs/openings.md. Static text. */
typedef struct tby_opening {
    const char *eco;  /* "B90" */
    const char *name; /* "Sicilian Defense: Najdorf Variation" */
} tby_opening;
/* False if exactly this position has no name. */
TBY_API bool tby_opening_of(tby_opening *out, const tby_position *pos);
/* All named positions, by index; several may have the same name. False past the end. */
TBY_API bool tby_opening_at(tby_opening *out, size_t index);
/* The last position of a packed game that has a name: returns its ply, -1 if there is none. */
TBY_API int tby_opening_of_chessgame(tby_opening *out, const uint8_t *bytes, size_t n);

/* ---- Opening books of Polyglot ------------------------------------------------------------------------- */

/* The bytes of a book are entries sorted by tby_polyglot_key. All functions accept any bytes; what is not an entry of a
   legal move is skipped. */
enum { TBY_BOOK_ENTRY_SIZE = 16 };
typedef struct tby_book_move {
    tby_move move;
    uint16_t weight;
} tby_book_move;
/* 0 if the bytes are whole entries in order, else the number of the first entry, from 1, that is not. */
TBY_API size_t tby_book_check(const uint8_t *book, size_t n);
/* The legal moves that the book has in a position, those with the most weight first; returns their number. */
TBY_API size_t tby_book_moves(tby_book_move out[TBY_MOVES_MAX], const uint8_t *book, size_t n, const tby_position *pos);
/* The book from a position on as a game: the move with the most weight is the main line, every move has its weight as a
   comment, and a repeated position ends its line. To be freed; NULL if out of memory. */
TBY_API tby_game *tby_book_game(const uint8_t *book, size_t n, const tby_position *root);
TBY_API void tby_book_entry_encode(uint8_t out[TBY_BOOK_ENTRY_SIZE], uint64_t key, tby_move move, uint16_t weight);

/* ---- Games and boards as values ------------------------------------------------------------------------ */

/*
 * What a database stores in a column: a chessgame is a packed game (start, main line, result), a chessboard is a packed
 * board of all six fields, legal or not, after a header byte. Equal values are equal bytes, and memcmp orders games by
 * their moves. These functions implement those of SQL; a database extension only translates arguments.
 *
 * For bytes that are not a value, functions return false, 0, -1 or no result. Beyond that, bytes are trusted, as by
 * tby_packed_next: check bytes from elsewhere once, with tby_packed_check or tby_chessboard_decode.
 */
typedef enum tby_value_kind { TBY_NO_VALUE = 0, TBY_CHESSGAME = 1, TBY_CHESSBOARD = 2 } tby_value_kind;
/* By the header byte alone. */
TBY_API tby_value_kind tby_value_kind_of(const uint8_t *bytes, size_t n);

enum { TBY_CHESSBOARD_SIZE = TBY_PACKED_BOARD_SIZE + 1 };
TBY_API size_t tby_chessboard_encode(uint8_t out[TBY_CHESSBOARD_SIZE], const tby_setup *setup);
/* The bytes must be a chessboard and nothing more. */
TBY_API bool tby_chessboard_decode(tby_setup *out, const uint8_t *bytes, size_t n);

/* Why a text is not a chessgame. */
enum { TBY_CHESSGAME_TOKEN_SIZE = 64, TBY_CHESSGAME_ERROR_SIZE = 512 };
typedef struct tby_chessgame_error {
    tby_error error;
    unsigned ply;     /* the half-move that is wrong, from 1; 0 if the fault is not in a move, as in a FEN */
    tby_position pos; /* where it should have been played */
    char token[TBY_CHESSGAME_TOKEN_SIZE];
    /* For a text that is a game: */
    unsigned null_ply;    /* the first null move, from 1; 0 if there is none */
    bool has_lost_rights; /* castling rights that only Chess960 has were dropped */
    uint8_t odd; /* the first tby_pgn_warning about text that was read only because nothing else could be meant,
                             0 if there is none; `error.offset` is its place, unless there is an error */
} tby_chessgame_error;
/* illegal move: "Qh6": no such piece can go there (ply 3, FEN ...) */
TBY_API size_t tby_chessgame_error_write(char *buf, size_t cap, const tby_chessgame_error *err);

/* The warning about a text that is a game: "null move in the main line (ply 2)". Returns 0 if there is none. */
TBY_API size_t tby_chessgame_warning_write(char *buf, size_t cap, const tby_chessgame_error *err);

/* A buffer size that is enough for every chessgame. */
enum { TBY_CHESSGAME_SIZE = 3 * TBY_PLIES_MAX + TBY_CHESSBOARD_SIZE + 1 + TBY_PACKED_TRAILER_SIZE };
/* The legal beginning of a faulty game is a game too: TBY_OK, and `err` holds the fault. */
enum { TBY_CHESSGAME_PREFIX = 1 << 0 };
/* Reads move text with or without numbers, SAN or coordinates, or any PGN of one game. Comments, NAGs and variations
   are read but not stored; only the tags FEN, Variant and Result count. A bare FEN is a game without moves from that
   position, an empty text a game without moves. The allocator is used only during the call. */
TBY_API tby_status tby_chessgame_read(uint8_t out[TBY_CHESSGAME_SIZE], size_t *n_out, const char *s, size_t n,
                                      unsigned flags, const tby_allocator *allocator, tby_chessgame_error *err);
/* Reads moves in one notation from `start`, and a result if there is one. */
TBY_API tby_status tby_chessgame_read_line(uint8_t out[TBY_CHESSGAME_SIZE], size_t *n_out, const tby_position *start,
                                           const tby_move_notation *notation, const char *s, size_t n,
                                           tby_chessgame_error *err);
/* `[FEN "..."] 1... Nf6 2. c4 e6 *`: the tag only if the start is not the usual one, the result always. */
TBY_API bool tby_chessgame_write(const uint8_t *bytes, size_t n, tby_sink sink, void *context);
/* Only the moves. Also returns false for a move that the notation cannot hold: then `err` has its ply and text. */
TBY_API bool tby_chessgame_write_line(const uint8_t *bytes, size_t n, const tby_move_notation *notation, tby_sink sink,
                                      void *context, tby_chessgame_error *err);
/* From the main line of a tree; and back, as a tree without tags. */
TBY_API tby_status tby_chessgame_of_game(uint8_t out[TBY_CHESSGAME_SIZE], size_t *n_out, const tby_game *game,
                                         tby_chessgame_error *err);
TBY_API bool tby_chessgame_to_game(tby_game *game, const uint8_t *bytes, size_t n);

/* The position after `ply` half-moves; false if there are fewer. */
TBY_API bool tby_chessgame_position(tby_position *out, const uint8_t *bytes, size_t n, int64_t ply);
TBY_API bool tby_chessgame_final(tby_position *out, const uint8_t *bytes, size_t n);
/* The first half-moves without a result; no moves for n_plies < 0, the game itself if it has no more. The result is
   never longer than the game. */
TBY_API size_t tby_chessgame_first(uint8_t *out, const uint8_t *bytes, size_t n, int64_t n_plies);
/* The game without its last half-move and result; a game without moves is not changed. */
TBY_API size_t tby_chessgame_undo(uint8_t *out, const uint8_t *bytes, size_t n);
/* The game with another half-move, in SAN or coordinates, and no result. */
TBY_API tby_status tby_chessgame_add(uint8_t out[TBY_CHESSGAME_SIZE], size_t *n_out, const uint8_t *bytes, size_t n,
                                     const char *move, size_t n_move, tby_chessgame_error *err);
TBY_API bool tby_chessgame_is_valid_move(const uint8_t *bytes, size_t n, const char *move, size_t n_move);

/* Same start, and the opening's moves are the game's first ones; results do not count. */
TBY_API bool tby_chessgame_has_opening(const uint8_t *bytes, size_t n, const uint8_t *opening, size_t n_opening);
/* In memcmp order, the games with an opening form a range: from `begin`, which is a game, up to but not including
   `end`, which is not. Neither is longer than the opening. */
TBY_API size_t tby_chessgame_range_begin(uint8_t *out, const uint8_t *opening, size_t n);
TBY_API size_t tby_chessgame_range_end(uint8_t *out, const uint8_t *opening, size_t n);
/* The opening whose range has this end, without a result; TBY_PACKED_TRAILER_SIZE bytes longer than `end`. 0 if `end`
   is not the end of a range. */
TBY_API size_t tby_chessgame_of_range_end(uint8_t *out, const uint8_t *end, size_t n);
/* The half-moves up to the last position that has a name, without a result; 0 if none has one. */
TBY_API size_t tby_chessgame_named_opening(uint8_t *out, const uint8_t *bytes, size_t n);

/* How often the final position has occurred in the game: at least 1. */
TBY_API unsigned tby_chessgame_repetitions(const uint8_t *bytes, size_t n);
/* What the rules say about the final position; `work` is used to search for dead positions, as in tby_dead_position. */
TBY_API tby_outcome tby_chessgame_outcome(const uint8_t *bytes, size_t n, bool with_claims, void *work,
                                          size_t work_size);
/* The reason in a word or two: checkmate, stalemate, dead position, 75, fivefold, fifty, threefold; NULL for none. */
TBY_API const char *tby_termination_text(tby_reason reason);
/* The recorded result; if there is none, what the rules say without a claim. */
TBY_API tby_result tby_chessgame_result(const uint8_t *bytes, size_t n, void *work, size_t work_size);

/* Lists, separated by spaces: the legal moves in the order of the tree, the names of faults. */
TBY_API bool tby_moves_write(const tby_position *pos, const tby_move_notation *notation, tby_sink sink, void *context);
enum { TBY_FAULTS_SIZE = 512 };
TBY_API size_t tby_faults_write(char *buf, size_t cap, tby_faults faults);
/* "N" or "n": tby_piece_square_sum; "e4": tby_piece_square_at, false if the square is empty. Any other text sets
   `err`. */
TBY_API bool tby_piece_square_read(int *out, const tby_board *board, const char *s, size_t n, tby_error *err);

/* ---- What was played ----------------------------------------------------------------------------------- */

/* A legal move in a position, or the null move, and the games that played it. */
typedef struct tby_next_move {
    tby_move move;
    uint64_t placement, key; /* of the position that it leads to */
    uint64_t games;          /* that played it at their first visit: the edge */
    uint64_t reached;        /* that reach the resulting position by any move: the node; for a null move, `games` */
    uint64_t results[4];     /* of `games`, by tby_result */
} tby_next_move;
enum { TBY_NEXT_MOVES_MAX = TBY_MOVES_MAX + 1 };
/* The legal moves in the order of the tree, then the null move, with all counts 0. */
TBY_API size_t tby_next_moves_list(tby_next_move out[TBY_NEXT_MOVES_MAX], const tby_position *pos);
/* Counts a packed game in such a list. */
TBY_API void tby_next_moves_count(tby_next_move *moves, size_t n_moves, const tby_position *pos, const uint8_t *bytes,
                                  size_t n);
/* Adds the counts of another list for the same position. */
TBY_API void tby_next_moves_combine(tby_next_move *moves, const tby_next_move *others, size_t n_moves);

/* ---- Rows of a position index -------------------------------------------------------------------------- */

/* A database's position index: which games of a run reach a position. The games of a run have rows of bytes, one for
   each value of the upper `row_bits` bits of a position's key; docs/formats/database.md describes them. A row
   distinguishes positions by only part of the key: replay one of the games to see whether it reaches the position. */
enum { TBY_POSTINGS_ROWS = 1 << 22, TBY_POSTINGS_ROW_BITS = 22 };
typedef struct tby_posting {
    int64_t game;
    int ply;       /* -1 if the row does not have it, which is possible for the first game of a position */
    tby_move next; /* TBY_MOVE_NONE if the game ends; the row never has that of the first game */
} tby_posting;
typedef struct tby_postings {
    const uint8_t *bytes;
    uint64_t at, end, part; /* in bits; the part of the key of this position */
    int64_t first, game;
    uint32_t n_left, n_groups; /* games of this position, positions after it */
    uint8_t row_bits, part_bits, game_bits, part_step, game_step;
    int ply;
    tby_move next;
    bool is_first, has_ply; /* the first game of its position is next; its ply is stored */
    bool is_damaged;        /* the bytes are not a row; nothing follows */
} tby_postings;

/* The number of the row that has a key. */
TBY_API int64_t tby_postings_row(int64_t run, unsigned row_bits, uint64_t key);
/* `first` is the first game of the run. */
TBY_API tby_postings tby_postings_begin(const uint8_t *bytes, size_t n, int64_t first);
/* Goes to the games of the next position: `part` is what the row has of its key; false at the end. */
TBY_API bool tby_postings_group(tby_postings *postings);
/* Goes to those of the next position that could have `key`; false if there are none. Usually there is at most one. */
TBY_API bool tby_postings_find(tby_postings *postings, uint64_t key);
/* The next game of this position; false after the last. */
TBY_API bool tby_postings_next(tby_postings *postings, tby_posting *out);

/* ---- CMBR files ---------------------------------------------------------------------------------------- */

/* Writes one game as a record with a checksum: see docs/formats/cmbr.md. */
TBY_API tby_status tby_cmbr_encode(const tby_game *game, tby_sink sink, void *context, const tby_allocator *allocator,
                                   tby_error *err);
/* Reads one record and checks every move. `game` is cleared first. */
TBY_API tby_status tby_cmbr_decode(tby_game *game, const uint8_t *bytes, size_t n, tby_error *err);

/* A file is a header, which `write_header` of the notation "cmbr" writes, and any number of records: append records to
   append games. Read it with `open` of that notation. */
enum { TBY_CMBR_HEADER_SIZE = 8 };

/* ---- JSON lines ---------------------------------------------------------------------------------------- */

/* One game as one line of JSON, without loss: see docs/formats/json.md. */
TBY_API bool tby_json_write(const tby_game *game, tby_sink sink, void *context);
TBY_API tby_status tby_json_read(tby_game *game, const char *s, size_t n, tby_error *err);
/* Writes text as a JSON string with quotes; text that is not UTF-8 is treated as Windows-1252. Returns false if the
   sink did. */
TBY_API bool tby_json_write_text(const char *s, size_t n, tby_sink sink, void *context);
/* Only the tags, as one object: {"Event":"?","White":"Ada"} */
TBY_API bool tby_json_write_tags(const tby_game *game, tby_sink sink, void *context);
/* Replaces the game's tags by those of such an object. Numbers, true and false are read as the text that is written,
   and null as no tag. If this fails, the game has no tags. */
TBY_API tby_status tby_json_read_tags(tby_game *game, const char *s, size_t n, tby_error *err);

#ifdef __cplusplus
}
#endif

#endif
