/*
 * tabiya.h - chess rules and notations: the public API of libtabiya. Packed games, CMBR and JSON are in tabiya_value.h.
 *
 * The sections follow the layers of the library, lowest first. Rules and notations allocate nothing and use only the
 * caller's memory. Games and file readers use the heap, through a tby_allocator if one is given. Nothing prints or
 * keeps state outside its objects: functions may be called from any number of threads, each with its own objects.
 * There is no init call.
 *
 * Conventions
 *   read / write    text            decode / encode   bytes
 *   is_ / has_      a fact          can_              a claim or a possibility
 *   Text is passed as pointer and length and need not end in NUL.
 *   A writer takes a buffer and its size, ends the text in NUL and returns its length. If the buffer is too
 *   small (the returned length is not below `cap`), it holds the empty text, never a truncated one.
 *   TBY_..._SIZE is a buffer size that is always enough, including the NUL.
 *   `*out` is written only on success. `err` may be NULL.
 */
#ifndef TABIYA_H
#define TABIYA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TBY_VERSION_MAJOR 2
#define TBY_VERSION_MINOR 0
#define TBY_VERSION_PATCH 0

#if defined(TBY_STATIC) || !(defined(__GNUC__) || defined(__clang__))
#define TBY_API
#else
#define TBY_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Errors -------------------------------------------------------------------------------------------- */

/* Three families, whose values never change: 10-39 the bytes do not follow the notation, 40-69 they do, but the rules
   of chess forbid it, 70-99 limits. */
typedef enum tby_status {
    TBY_OK = 0,

    TBY_INVALID_PLACEMENT = 10,
    TBY_INVALID_SIDE = 11,
    TBY_INVALID_CASTLING = 12,
    TBY_INVALID_EN_PASSANT = 13,
    TBY_INVALID_CLOCK = 14,
    TBY_INVALID_FULLMOVE = 15,
    TBY_INVALID_TRAILING = 16,
    TBY_INVALID_SAN = 17,
    TBY_INVALID_UCI = 18,
    TBY_INVALID_RESULT = 19,
    TBY_INVALID_BOARDINFO = 20,
    TBY_INVALID_BASE64 = 21,
    TBY_INVALID_SHORT_MOVE = 22,
    TBY_INVALID_CMBR = 23,
    TBY_INVALID_PGN = 24,
    TBY_INVALID_JSON = 25,
    TBY_INVALID_PACKED = 26,
    TBY_INVALID_QUERY = 27,
    TBY_INVALID_PIECE_SQUARE = 30,
    TBY_INVALID_DATABASE = 31,
    TBY_INVALID_TREE = 32,

    TBY_ILLEGAL_MOVE = 40,
    TBY_AMBIGUOUS_MOVE = 41,
    TBY_PROMOTION_MISSING = 42,
    TBY_ILLEGAL_POSITION = 43,
    TBY_ILLEGAL_NULL_MOVE = 44,
    TBY_CANNOT_HOLD = 45, /* the notation has no way to write this */
    TBY_UNKNOWN_VARIANT = 46,

    TBY_TOO_SMALL = 70,
    TBY_TOO_LONG = 71,
    TBY_TOO_DEEP = 72,
    TBY_NO_MEMORY = 73,
    TBY_IO_ERROR = 74,
    TBY_NOT_FOUND = 75,
    TBY_BUSY = 76,        /* in use by others */
    TBY_INTERRUPTED = 77, /* at the caller's request */
    TBY_TOO_MANY = 78     /* all numbers are used up */
} tby_status;

typedef struct tby_error {
    tby_status status;
    int args[2];        /* numbers for the two %d that `detail` may have */
    size_t offset;      /* byte of the input where reading stopped */
    const char *detail; /* static text: the expectation that failed */
} tby_error;

enum { TBY_ERROR_SIZE = 256 };

TBY_API const char *tby_version(void);
/* Does the text look like UTF-16, which no reader supports: a byte order mark, or zeros next to its letters? */
TBY_API bool tby_text_is_utf16(const char *s, size_t n);
/* "illegal move", "invalid castling field" ... */
TBY_API const char *tby_status_text(tby_status status);
/* The whole sentence: "illegal move: no knight can go there". */
TBY_API size_t tby_error_write(char *buf, size_t cap, const tby_error *err);

/* ---- Squares, pieces, moves ---------------------------------------------------------------------------- */

typedef enum tby_color { TBY_WHITE = 0, TBY_BLACK = 1 } tby_color;

/* The numbers, 0 to 6, are those of the board's bit planes; see src/position/board.h. */
typedef enum tby_kind { TBY_NO_KIND, TBY_PAWN, TBY_BISHOP, TBY_KNIGHT, TBY_ROOK, TBY_KING, TBY_QUEEN } tby_kind;

/* A piece is its kind, plus 8 for black. 0 is the empty square. */
typedef uint8_t tby_piece;
#define TBY_NO_PIECE ((tby_piece)0)
#define TBY_PIECE(color, kind) ((tby_piece)((kind) | ((color) << 3)))
#define TBY_PIECE_KIND(piece) ((tby_kind)((piece)&7))
#define TBY_PIECE_COLOR(piece) ((tby_color)((piece) >> 3))

/* a1 = 0, b1 = 1 ... h8 = 63. */
typedef uint8_t tby_square;
#define TBY_NO_SQUARE ((tby_square)64)
#define TBY_SQUARE(file, rank) ((tby_square)(((rank) << 3) | (file)))
#define TBY_FILE(square) ((int)((square)&7))
#define TBY_RANK(square) ((int)((square) >> 3))

/* A set of squares, bit n = square n. */
typedef uint64_t tby_bitboard;

/*
 * A move in 16 bits:
 *
 *      15   12 11        6 5         0
 *     +-------+-----------+-----------+
 *     | kind  |    to     |   from    |
 *     +-------+-----------+-----------+
 *
 * kind 0 is a plain move; TBY_PAWN an en passant capture; TBY_KING castling, whose `to` is the square of the
 * castling rook (king takes rook); TBY_BISHOP, TBY_KNIGHT, TBY_ROOK and TBY_QUEEN a promotion to that piece.
 */
typedef uint16_t tby_move;
#define TBY_MOVE(from, to, kind) ((tby_move)((unsigned)(from) | ((unsigned)(to) << 6) | ((unsigned)(kind) << 12)))
#define TBY_MOVE_FROM(m) ((tby_square)((m)&63))
#define TBY_MOVE_TO(m) ((tby_square)(((m) >> 6) & 63))
#define TBY_MOVE_KIND(m) ((m) >> 12)
#define TBY_MOVE_IS_CASTLING(m) (TBY_MOVE_KIND(m) == TBY_KING)
#define TBY_MOVE_IS_EN_PASSANT(m) (TBY_MOVE_KIND(m) == TBY_PAWN)
#define TBY_MOVE_IS_PROMOTION(m) ((0x5c >> TBY_MOVE_KIND(m)) & 1)
#define TBY_MOVE_NONE ((tby_move)0)
#define TBY_MOVE_NULL ((tby_move)0x7000) /* the side to move passes: an annotation, never a legal move */

/* ---- Setup: any board, legal or not -------------------------------------------------------------------- */

/* The placement of the pieces, as four bit planes: see src/position/board.h. Use the functions. */
typedef struct tby_board {
    uint64_t plane[4];
} tby_board;

typedef struct tby_setup {
    tby_board board;
    tby_bitboard castling; /* the squares of the rooks that may still castle */
    uint32_t fullmove;     /* from 1 */
    uint16_t clock;        /* half-moves since the last capture or pawn move */
    uint8_t side;          /* tby_color to move */
    tby_square en_passant; /* the square that a pawn has just passed over, or TBY_NO_SQUARE */
} tby_setup;

enum { TBY_CLOCK_MAX = 65535, TBY_FULLMOVE_MAX = 65535 };

TBY_API void tby_setup_clear(tby_setup *setup);
TBY_API void tby_setup_start(tby_setup *setup);
/* One of the 960 start positions of Chess960, by its number (518 is the usual one); the same for both sides. */
TBY_API bool tby_setup_chess960(tby_setup *setup, unsigned number);
TBY_API void tby_setup_put(tby_setup *setup, tby_square square, tby_piece piece);
TBY_API tby_piece tby_board_piece(const tby_board *board, tby_square square);
/* The squares of one piece, or of a whole colour. */
TBY_API tby_bitboard tby_board_pieces(const tby_board *board, tby_piece piece);
TBY_API tby_bitboard tby_board_color(const tby_board *board, tby_color color);
TBY_API bool tby_setup_equal(const tby_setup *a, const tby_setup *b);

/* Why a setup is not a legal position: a set of bits, whose values never change. */
typedef uint32_t tby_faults;
enum {
    TBY_FAULT_NO_WHITE_KING = 1 << 0,
    TBY_FAULT_NO_BLACK_KING = 1 << 1,
    TBY_FAULT_MANY_WHITE_KINGS = 1 << 2,
    TBY_FAULT_MANY_BLACK_KINGS = 1 << 3,
    TBY_FAULT_KINGS_ADJACENT = 1 << 4,
    TBY_FAULT_PAWN_BACKRANK = 1 << 5,
    TBY_FAULT_OPPONENT_CHECK = 1 << 6, /* the side not to move is in check */
    TBY_FAULT_CASTLING = 1 << 7,       /* a right without its king or rook */
    TBY_FAULT_EN_PASSANT = 1 << 8,     /* a square that no pawn can just have passed */
    TBY_FAULT_MALFORMED = 1 << 9,      /* meaningless board bits, side or move number */

    /* From here on: the position can be played, but cannot arise in a game. */
    TBY_FAULT_MANY_WHITE_PIECES = 1 << 16,
    TBY_FAULT_MANY_BLACK_PIECES = 1 << 17,
    TBY_FAULT_MANY_WHITE_PAWNS = 1 << 18,
    TBY_FAULT_MANY_BLACK_PAWNS = 1 << 19,
    TBY_FAULT_WHITE_PROMOTIONS = 1 << 20, /* more promoted pieces than missing pawns */
    TBY_FAULT_BLACK_PROMOTIONS = 1 << 21,
    TBY_FAULT_MANY_CHECKERS = 1 << 22,    /* more than two pieces give check */
    TBY_FAULT_ALIGNED_CHECKERS = 1 << 23, /* two checkers on one line through the king */
    TBY_FAULT_STEPPER_CHECKERS = 1 << 24, /* two checkers, neither a slider: no discovered check is possible */
    TBY_FAULT_EN_PASSANT_CHECK = 1 << 25, /* a check that the last double step cannot have given */
    TBY_FAULTS_UNREACHABLE = 0x03ff0000
};

TBY_API tby_faults tby_setup_faults(const tby_setup *setup);
/* The sentence and the short name ("MANY_CHECKERS") of one fault; NULL for any other bit. */
TBY_API const char *tby_fault_text(tby_faults fault);
TBY_API const char *tby_fault_name(tby_faults fault);

/* ---- Position: proven playable ------------------------------------------------------------------------- */

/* A value: copy it by assignment. Every byte is determined by the position, so memcmp compares. */
typedef struct tby_position {
    tby_board board;
    uint64_t placement_key; /* kept up to date by play and undo */
    tby_bitboard castling;
    uint32_t ply; /* half-moves since the start of the game = 2 * (fullmove - 1) + black to move */
    uint16_t clock;
    tby_square en_passant; /* after every double step, capture or not; else TBY_NO_SQUARE */
    uint8_t reserved;      /* 0 */
} tby_position;

/* What a move overwrites and undo restores. */
typedef struct tby_undo {
    uint64_t placement_key;
    tby_bitboard castling;
    tby_move move;
    uint16_t clock;
    tby_square en_passant;
    tby_piece captured;
} tby_undo;

TBY_API void tby_position_start(tby_position *pos);
/* Refuses a setup with faults (TBY_ILLEGAL_POSITION; tby_setup_faults names them all), except those in `allowed`, which
   may have bits of TBY_FAULTS_UNREACHABLE: such a board cannot arise in a game, but can be played. */
TBY_API tby_status tby_position_init(tby_position *pos, const tby_setup *setup, tby_faults allowed, tby_error *err);
/* Move numbers that a setup cannot hold become TBY_FULLMOVE_MAX. */
TBY_API void tby_position_setup(tby_setup *setup, const tby_position *pos);
TBY_API tby_color tby_position_side(const tby_position *pos);
TBY_API uint32_t tby_position_fullmove(const tby_position *pos);
/* Recomputes all redundant state and compares; for tests. */
TBY_API bool tby_position_is_consistent(const tby_position *pos);

/* `m` must be legal. `undo` may be NULL. */
TBY_API void tby_position_play(tby_position *pos, tby_move m, tby_undo *undo);
TBY_API void tby_position_undo(tby_position *pos, const tby_undo *undo);
/* Passes the turn; refused in check (TBY_ILLEGAL_NULL_MOVE). Undone by tby_position_undo. */
TBY_API tby_status tby_position_play_null(tby_position *pos, tby_undo *undo);

/* The pieces of `by` that attack `square`, those that give check now, and those of `color` pinned to their king. */
TBY_API tby_bitboard tby_position_attackers(const tby_position *pos, tby_square square, tby_color by);
TBY_API tby_bitboard tby_position_checkers(const tby_position *pos);
TBY_API tby_bitboard tby_position_pinned(const tby_position *pos, tby_color color);
/* The en passant square if some en passant capture is legal, else TBY_NO_SQUARE. */
TBY_API tby_square tby_position_en_passant_legal(const tby_position *pos);

/* ---- Keys ---------------------------------------------------------------------------------------------- */

/* Three identities: placement = the 64 squares; position = placement, side, castling rights, and en passant only
   if a capture is legal; board = all six fields (tby_setup_equal). The constants are frozen. */
TBY_API uint64_t tby_placement_key(const tby_board *board);
TBY_API uint64_t tby_position_key(const tby_position *pos);
TBY_API bool tby_position_same(const tby_position *a, const tby_position *b);
/* The key of Polyglot opening books, for interchange only: it includes en passant if a pawn is in place to capture,
   legal or not, and only the four usual castling rights. */
TBY_API uint64_t tby_polyglot_key(const tby_position *pos);

/* ---- Legal moves --------------------------------------------------------------------------------------- */

/* No position in a game has more than 218 moves, and no board at all more than this: see src/rules/movegen.c. */
enum { TBY_MOVES_MAX = 720 };

TBY_API size_t tby_moves_list(tby_move out[TBY_MOVES_MAX], const tby_position *pos);
TBY_API size_t tby_moves_from(tby_move out[TBY_MOVES_MAX], const tby_position *pos, tby_square from);
TBY_API size_t tby_moves_count(const tby_position *pos);
TBY_API bool tby_moves_any(const tby_position *pos);
TBY_API bool tby_move_is_legal(const tby_position *pos, tby_move m);
/* Where the moving piece ends up: the king's destination for castling, else `to`. */
TBY_API tby_square tby_move_destination(tby_move m);
/* The piece captured by a legal move; TBY_NO_PIECE if none. */
TBY_API tby_piece tby_move_captured(const tby_position *pos, tby_move m);
/* The order of the tree of chess: from-square, then destination (rank 8 first, a to h), then promotion B N Q R. */
TBY_API void tby_moves_sort(tby_move *moves, size_t n_moves);

/* The number of move sequences of `depth` half-moves. */
TBY_API uint64_t tby_perft(const tby_position *pos, unsigned depth);

/* ---- Rules --------------------------------------------------------------------------------------------- */

TBY_API bool tby_position_is_check(const tby_position *pos);
TBY_API bool tby_position_is_checkmate(const tby_position *pos);
TBY_API bool tby_position_is_stalemate(const tby_position *pos);

/* Can this side never give mate, because of its material? If neither side can, the game is drawn at once. */
TBY_API bool tby_material_is_insufficient(const tby_board *board, tby_color color);
TBY_API bool tby_material_is_draw(const tby_board *board);

/* Can no sequence of legal moves end in mate (FIDE 5.2.2)? Never wrong, sometimes unknown. The search stores at
   most `work_size / TBY_DEAD_NODE_SIZE` positions in the caller's memory (aligned as by malloc); without memory it
   uses only material and forced moves. */
typedef enum tby_verdict { TBY_NO = 0, TBY_YES = 1, TBY_UNKNOWN = 2 } tby_verdict;
enum { TBY_DEAD_NODES = 20000, TBY_DEAD_NODE_SIZE = 80 };
TBY_API tby_verdict tby_dead_position(const tby_position *pos, void *work, size_t work_size);

enum { TBY_THREEFOLD_TIMES = 3 /* FIDE 9.2 */, TBY_FIVEFOLD_TIMES = 5 /* FIDE 9.6.1 */ };
/* A game's history is the keys of all its positions, the current one last, without those before a null move. */
TBY_API unsigned tby_repetition_count(const uint64_t *keys, size_t n_keys);
TBY_API bool tby_repetition_is_threefold(const uint64_t *keys, size_t n_keys);
TBY_API bool tby_repetition_is_fivefold(const uint64_t *keys, size_t n_keys);
/* Threefold now, or after some legal move. */
TBY_API bool tby_repetition_can_claim(const tby_position *pos, const uint64_t *keys, size_t n_keys);

enum { TBY_FIFTY_MOVE_PLIES = 100 /* FIDE 9.3 */, TBY_SEVENTY_FIVE_MOVE_PLIES = 150 /* FIDE 9.6.2 */ };
TBY_API bool tby_move_clock_is_fifty(const tby_position *pos);
/* Fifty now, or after announcing a legal move; never when checkmated. */
TBY_API bool tby_move_clock_can_claim_fifty(const tby_position *pos);
TBY_API bool tby_move_clock_is_seventy_five(const tby_position *pos);

typedef enum tby_result { TBY_RESULT_NONE = 0, TBY_WHITE_WINS = 1, TBY_BLACK_WINS = 2, TBY_DRAW = 3 } tby_result;
/* By precedence. The last two need a player's claim. */
typedef enum tby_reason {
    TBY_REASON_NONE = 0,
    TBY_CHECKMATE = 1,
    TBY_STALEMATE = 2,
    TBY_DEAD_POSITION = 3,
    TBY_SEVENTY_FIVE_MOVES = 4,
    TBY_FIVEFOLD = 5,
    TBY_FIFTY_MOVES = 6,
    TBY_THREEFOLD = 7
} tby_reason;
typedef struct tby_outcome {
    tby_result result; /* TBY_RESULT_NONE if the game is not over */
    tby_reason reason;
} tby_outcome;
/* `n_times` is how often the position has occurred in the game (tby_repetition_count; 1 if unknown), `dead` the result
   of tby_dead_position (TBY_UNKNOWN without a search; material is always considered). Reasons that need a claim count
   only if `with_claims`. */
TBY_API tby_outcome tby_outcome_of(const tby_position *pos, unsigned n_times, tby_verdict dead, bool with_claims);
TBY_API const char *tby_reason_text(tby_reason reason);
/* "1-0", "0-1", "1/2-1/2", "*" */
TBY_API const char *tby_result_text(tby_result result);
/* Also reads en dashes, colons, fractions: see docs/notations.md. */
TBY_API tby_status tby_result_read(tby_result *out, const char *s, size_t n, tby_error *err);

/* ---- Piece-square values ------------------------------------------------------------------------------- */

/* Centipawns that a piece gains for its owner by being on a square; the tables are in docs/piece-square.md. */
typedef enum tby_phase { TBY_MIDDLEGAME = 0, TBY_ENDGAME = 1 } tby_phase;
TBY_API int tby_piece_square_value(tby_piece piece, tby_square square, tby_phase phase);
/* Middlegame and endgame weighted by the material left: for one square, and for all such pieces. */
TBY_API int tby_piece_square_at(const tby_board *board, tby_square square);
TBY_API int tby_piece_square_sum(const tby_board *board, tby_piece piece);

/* ---- FEN ----------------------------------------------------------------------------------------------- */

enum { TBY_FEN_SIZE = 128 };
enum {                            /* reading */
       TBY_FEN_STRICT = 1 << 0,   /* exactly as in the standard: six fields, one space, right order */
       TBY_FEN_CHESS960 = 1 << 1, /* KQkq mean the outermost rook (X-FEN), wherever king and rook are */
       TBY_FEN_RAW = 1 << 2,      /* keep castling rights and en passant squares that the board contradicts */
       /* writing */
       TBY_FEN_EP_XFEN = 1 << 4,  /* en passant square only if a pawn is in place to capture */
       TBY_FEN_EP_LEGAL = 1 << 5, /* ... only if a capture is legal */
       TBY_FEN_XFEN = 1 << 6,     /* KQkq for the outermost rook even if king or rook is not on its usual square */
       TBY_FEN_SHREDDER = 1 << 7, /* always the rook's file letter */
       TBY_FEN_EPD = 1 << 8       /* the first four fields only */
};
/* What a lenient reader repaired. */
enum {
    TBY_FEN_WARN_CASTLING = 1 << 0,   /* a right without king or rook was dropped */
    TBY_FEN_WARN_EN_PASSANT = 1 << 1, /* a square that no pawn can just have passed was dropped */
    TBY_FEN_WARN_FIELDS = 1 << 2,     /* fields were missing */
    TBY_FEN_WARN_BLANKS = 1 << 3,     /* repeated spaces, or spaces at the ends */
    TBY_FEN_WARN_FULLMOVE = 1 << 4,   /* move number 0 read as 1 */
    TBY_FEN_WARN_ORDER = 1 << 5,      /* castling letters repeated or out of order */
    TBY_FEN_WARN_SIDE = 1 << 6,       /* the side to move was missing, read as white */
    TBY_FEN_WARN_RIGHTS = 1 << 7,     /* castling rights were missing where the board allows some, read as none */

    /* Those that changed the meaning of the text, or had to guess it. */
    TBY_FEN_WARN_MEANING = TBY_FEN_WARN_CASTLING | TBY_FEN_WARN_EN_PASSANT | TBY_FEN_WARN_FULLMOVE | TBY_FEN_WARN_SIDE |
                           TBY_FEN_WARN_RIGHTS
};
/* The sentence and the short name ("CASTLING") of one warning; NULL for any other bit. */
TBY_API const char *tby_fen_warning_text(unsigned warning);
TBY_API const char *tby_fen_warning_name(unsigned warning);
/* `warnings` may be NULL. */
TBY_API tby_status tby_fen_read(tby_setup *out, const char *s, size_t n, unsigned flags, unsigned *warnings,
                                tby_error *err);
/* FEN to playable position in one step; refuses faults as tby_position_init does. */
TBY_API tby_status tby_fen_read_position(tby_position *out, const char *s, size_t n, unsigned flags, unsigned *warnings,
                                         tby_error *err);
/* KQkq for the usual squares, file letters for others, so that the default reader restores every right. */
TBY_API size_t tby_fen_write(char *buf, size_t cap, const tby_setup *setup, unsigned flags);
TBY_API size_t tby_fen_write_position(char *buf, size_t cap, const tby_position *pos, unsigned flags);
/* Writes the operations of an EPD that are not part of the position (bm e5; id "x";), all but hmvc and fmvn, each ending
   in a semicolon. Returns their length; 0 if there are none or `s` is not an EPD. */
TBY_API size_t tby_epd_operations(char *buf, size_t cap, const char *s, size_t n);
/* "fen: field 1 (placement), column 14: rank 7 has 9 squares" */
TBY_API size_t tby_fen_error_write(char *buf, size_t cap, const tby_error *err);

/* ---- SAN and long algebraic ---------------------------------------------------------------------------- */

enum { TBY_SAN_SIZE = 12 };
enum { TBY_SAN_STRICT = 1 << 0, TBY_SAN_AUTO_QUEEN = 1 << 1 /* a missing promotion letter means a queen */ };
/* How the text differs from the export format, when read leniently. */
enum {
    TBY_SAN_WARN_SUFFIX = 1 << 0,     /* a check or mate mark is wrong or missing */
    TBY_SAN_WARN_MARKS = 1 << 1,      /* ! and ? marks */
    TBY_SAN_WARN_CASTLING = 1 << 2,   /* zeros, small o, other dashes or none */
    TBY_SAN_WARN_FIGURINE = 1 << 3,   /* a chess figurine, or P for a pawn */
    TBY_SAN_WARN_CAPTURE = 1 << 4,    /* x missing, unnecessary, or another character */
    TBY_SAN_WARN_ORIGIN = 1 << 5,     /* more of the origin than needed */
    TBY_SAN_WARN_PROMOTION = 1 << 6,  /* not =Q, or a queen assumed */
    TBY_SAN_WARN_EN_PASSANT = 1 << 7, /* e.p. written */
    TBY_SAN_WARN_COORDINATE = 1 << 8  /* e2e4, e1g1 */
};
TBY_API tby_status tby_san_read(tby_move *out, const tby_position *pos, const char *s, size_t n, unsigned flags,
                                unsigned *warnings, tby_error *err);
TBY_API size_t tby_san_write(char *buf, size_t cap, const tby_position *pos, tby_move m);
/* Ng1-f3, e7xd8=Q+, O-O */
TBY_API size_t tby_lan_write(char *buf, size_t cap, const tby_position *pos, tby_move m);

/* ---- UCI ----------------------------------------------------------------------------------------------- */

enum { TBY_UCI_SIZE = 6 };
enum { TBY_UCI_CHESS960 = 1 << 0 /* castling always as king takes rook; by default e1g1 on the usual squares */ };
/* Reads e2e4 and e7e8q, castling as e1g1, e1h1 or O-O; refuses 0000. */
TBY_API tby_status tby_uci_read(tby_move *out, const tby_position *pos, const char *s, size_t n, tby_error *err);
TBY_API size_t tby_uci_write(char *buf, size_t cap, const tby_position *pos, tby_move m, unsigned flags);

/* ---- Other notations of a position --------------------------------------------------------------------- */

/* docs/notations.md describes them all. A writer that may have to refuse returns 0, and `err` says why. */
enum { TBY_BOARDINFO_SIZE = 96, TBY_BASE64_POSITION_SIZE = 64 };
/* TBY_LOSSY: write the nearest value that the notation can hold, instead of refusing (TBY_CANNOT_HOLD). */
enum { TBY_LOSSY = 1 << 0, TBY_BASE64_URL = 1 << 1 /* - and _ for + and / */ };

TBY_API tby_status tby_boardinfo_read(tby_setup *out, const char *s, size_t n, tby_error *err);
TBY_API size_t tby_boardinfo_write(char *buf, size_t cap, const tby_setup *setup, unsigned flags, tby_error *err);
TBY_API tby_status tby_base64_position_read(tby_setup *out, const char *s, size_t n, tby_error *err);
TBY_API size_t tby_base64_position_write(char *buf, size_t cap, const tby_setup *setup, unsigned flags, tby_error *err);

/* ---- Other notations of a move ------------------------------------------------------------------------- */

enum { TBY_SHORT_MOVE_SIZE = 8, TBY_BASE64_MOVE_SIZE = 4, TBY_CMBR_MOVE_SIZE = 8 };

/* Two characters, from and to; a promotion can only be to a queen. */
TBY_API tby_status tby_base64_move_read(tby_move *out, const tby_position *pos, const char *s, size_t n,
                                        tby_error *err);
TBY_API size_t tby_base64_move_write(char *buf, size_t cap, const tby_position *pos, tby_move m, unsigned flags,
                                     tby_error *err);

/* The notation of the tree: the shortest text that matches only this legal move; may be empty. */
TBY_API tby_status tby_short_move_read(tby_move *out, const tby_position *pos, const char *s, size_t n, tby_error *err);
TBY_API size_t tby_short_move_write(char *buf, size_t cap, const tby_position *pos, tby_move m);

/* 24-bit words: see docs/formats/cmbr.md. */
enum { TBY_CMBR_CHECK = 1, TBY_CMBR_MATE = 2, TBY_CMBR_CAPTURE = 4, TBY_CMBR_NAG = 8, TBY_CMBR_VARIATION = 128 };
TBY_API uint32_t tby_cmbr_move_encode(const tby_position *pos, tby_move m);
TBY_API tby_status tby_cmbr_move_decode(tby_move *out, const tby_position *pos, uint32_t word, tby_error *err);

/* ---- The registry of notations -------------------------------------------------------------------------- */

/* Every notation of positions and moves by name. Command line, SQL and web page use these tables. */
typedef struct tby_position_notation {
    const char *name;        /* "fen" */
    const char *summary;     /* one line */
    const char *cannot_hold; /* what is refused or lost; NULL = nothing */
    size_t size;             /* a buffer size that is always enough; 0 = measure with cap 0 */
    bool one_line;
    /* NULL: write only. `warnings` may be NULL; it receives what was repaired, as from tby_fen_read. */
    tby_status (*read)(tby_setup *out, const char *s, size_t n, unsigned flags, unsigned *warnings, tby_error *err);
    size_t (*write)(char *buf, size_t cap, const tby_setup *setup, unsigned flags, tby_error *err);
    /* An error of `read` as a sentence that names the field; NULL: tby_error_write, and the offset says where. */
    size_t (*write_error)(char *buf, size_t cap, const tby_error *err);
} tby_position_notation;

typedef struct tby_move_notation {
    const char *name;      /* "san" */
    const char *line_name; /* for a line of such moves: the same, unless a file format has that name */
    const char *summary;
    const char *cannot_hold;
    size_t size;
    const char *separator; /* between the moves of a line: " " or "" */
    bool is_algebraic;     /* "e.p." after a space is part of the move */
    bool has_bare_numbers; /* a word of digits is a move number, with or without a dot; else it may be a move */
    const char *null_move; /* in a line of moves: "--" or "0000"; NULL = lines cannot hold one */
    bool is_move_text;     /* a line is written with move numbers and result, as in PGN */
    unsigned guess_order;  /* when detecting the notation of a line: lowest first, 0 = never tried */
    tby_status (*read)(tby_move *out, const tby_position *pos, const char *s, size_t n, unsigned flags, tby_error *err);
    size_t (*write)(char *buf, size_t cap, const tby_position *pos, tby_move m, unsigned flags, tby_error *err);
} tby_move_notation;

enum { TBY_NOTATION_CHESS960 = 1 << 8, TBY_NOTATION_STRICT = 1 << 9 }; /* flags in addition to TBY_LOSSY */

/* NULL past the end, and for an unknown name. */
TBY_API const tby_position_notation *tby_position_notation_at(size_t index);
TBY_API const tby_position_notation *tby_position_notation_find(const char *name, size_t n);
TBY_API const tby_move_notation *tby_move_notation_at(size_t index);
TBY_API const tby_move_notation *tby_move_notation_find(const char *name, size_t n);

/* The next move's text in a line of moves at s[*at..n): skips spaces, move numbers and a final result. Returns its
   length, or 0 at the end. `*start` becomes its beginning, `*at` its end. */
TBY_API size_t tby_line_next(const tby_move_notation *notation, const char *s, size_t n, size_t *at, size_t *start);
/* Lines may also contain null moves, which the `read` of a notation refuses. If the notation has a null move, any PGN
   spelling is accepted, except in check; if it has none, the status is TBY_CANNOT_HOLD. */
TBY_API tby_status tby_line_read_move(tby_move *out, const tby_position *pos, const tby_move_notation *notation,
                                      const char *s, size_t n, unsigned flags, tby_error *err);
TBY_API size_t tby_line_write_move(char *buf, size_t cap, const tby_position *pos, const tby_move_notation *notation,
                                   tby_move m, unsigned flags, tby_error *err);
/* Plays a legal move or TBY_MOVE_NULL. */
TBY_API void tby_line_play(tby_position *pos, tby_move m);
/* Is it the null move, in any spelling: -- Z0 null NULL pass @@@@ 0000? */
TBY_API bool tby_line_is_null_move(const char *s, size_t n);

/* ---- Diagrams ------------------------------------------------------------------------------------------ */

enum { TBY_DIAGRAM_SIZE = 1024 };
enum { TBY_DIAGRAM_UNICODE = 1 << 0, TBY_DIAGRAM_BLACK_UP = 1 << 1, TBY_DIAGRAM_COORDINATES = 1 << 2 };
TBY_API size_t tby_diagram_write(char *buf, size_t cap, const tby_board *board, unsigned flags);

typedef struct tby_arrow {
    tby_square from, to; /* equal: a circle on that square */
    uint32_t rgb;        /* 0x15781b is green */
} tby_arrow;
typedef struct tby_svg_options {
    unsigned flags;     /* TBY_DIAGRAM_BLACK_UP, TBY_DIAGRAM_COORDINATES */
    unsigned pixels;    /* width and height; 0 = 360 */
    tby_move last_move; /* its two squares are highlighted; TBY_MOVE_NONE = none */
    tby_square check;   /* the square of a king in check, highlighted; TBY_NO_SQUARE = none */
    const tby_arrow *arrows;
    size_t n_arrows;
    uint32_t light, dark; /* the colours of the squares, 0xf0e2cb; equal = the usual ones */
} tby_svg_options;
/* Writes a complete SVG document. With cap 0 it only measures. `options` may be NULL. */
TBY_API size_t tby_svg_write(char *buf, size_t cap, const tby_board *board, const tby_svg_options *options);

/* ---- Memory -------------------------------------------------------------------------------------------- */

/* From here on some objects live on the heap: they take an allocator, NULL for malloc. */
typedef struct tby_allocator {
    /* Like realloc; new_size 0 frees and returns NULL. NULL for a positive size means out of memory. */
    void *(*resize)(void *context, void *memory, size_t old_size, size_t new_size);
    void *context;
} tby_allocator;

/* ---- PGN reading --------------------------------------------------------------------------------------- */

/*
 * Reads any number of games of any size in constant memory. Every call of tby_pgn_next returns the next event.
 *
 *     GAME  ( TAG | COMMENT )*  ( MOVE | NAG | COMMENT | VARIATION ... VARIATION_END | RAW )*  RESULT?  COMMENT*
 *     GAME_END
 *     ... and END after the last game. ERROR and WARNING may occur anywhere, an input error also after the last game.
 *
 * Every move is checked against the rules, including those in variations. A fault is an ERROR event and reading
 * continues: the rest of that line of play is returned as RAW tokens, and the next game is read normally.
 */
typedef enum tby_pgn_type {
    TBY_PGN_END = 0,
    TBY_PGN_GAME = 1,
    TBY_PGN_TAG = 2,       /* name, text */
    TBY_PGN_MOVE = 3,      /* move; text as written */
    TBY_PGN_NULL_MOVE = 4, /* the side to move passes; not legal chess */
    TBY_PGN_NAG = 5,       /* nag */
    TBY_PGN_COMMENT = 6,   /* text; `more`: the next event continues it */
    TBY_PGN_VARIATION = 7, /* alternatives to the last move begin */
    TBY_PGN_VARIATION_END = 8,
    TBY_PGN_RESULT = 9,    /* result */
    TBY_PGN_GAME_END = 10, /* result: from the move text or, if that has none or `*`, from the tag */
    TBY_PGN_RAW = 11,      /* text: a word after a fault, not played */
    TBY_PGN_ERROR = 12,    /* error; text is the word at fault */
    TBY_PGN_WARNING = 13   /* warning; only on request */
} tby_pgn_type;

typedef enum tby_pgn_warning {
    TBY_PGN_WARN_SAN = 1,        /* `san` says how it differs from the export format */
    TBY_PGN_WARN_NUMBER = 2,     /* a wrong move number */
    TBY_PGN_WARN_RESULT = 3,     /* tag and move text differ */
    TBY_PGN_WARN_NO_RESULT = 4,  /* the game ends without one */
    TBY_PGN_WARN_FEN = 5,        /* the FEN tag needed repair */
    TBY_PGN_WARN_VARIANT = 6,    /* another variant, read as chess: see TBY_PGN_ANY_VARIANT */
    TBY_PGN_WARN_ENCODING = 7,   /* not UTF-8: read as Windows-1252 */
    TBY_PGN_WARN_IGNORED = 9,    /* a word without meaning there: a result inside a variation */
    TBY_PGN_WARN_TAG = 10,       /* a repeated tag: its last value counts */
    TBY_PGN_WARN_BACKSLASH = 11, /* a backslash before the quote that closes a tag's value */
    TBY_PGN_WARN_NULL_MOVE = 12, /* a null move in the main line; serious */
    TBY_PGN_WARN_CHESS960 = 13,  /* castling rights of the FEN tag that only Chess960 has were dropped; serious */
    /* Read only because nothing else could be meant; serious. */
    TBY_PGN_WARN_QUOTE = 14,     /* quotes without backslashes inside a tag's value */
    TBY_PGN_WARN_BARE_GAME = 15, /* `1.` after an empty line begins a game without tags */
    TBY_PGN_WARN_FORFEIT = 16,   /* `+--` and the like for a result */
    TBY_PGN_WARN_GLUED = 17,     /* a result without a blank after the move */
    TBY_PGN_WARN_STRAY = 18      /* ignored: a comma, a closing brace, a check mark by itself, (e.p.), [pgn] */
} tby_pgn_warning;

typedef struct tby_pgn_event {
    tby_pgn_type type;
    tby_move move;
    uint16_t nag;
    tby_result result;
    bool more;
    tby_pgn_warning warning;
    unsigned san;     /* TBY_SAN_WARN_... */
    const char *name; /* not NUL-terminated; valid until the next call, as is text */
    size_t n_name;
    const char *text; /* UTF-8 for tags and comments */
    size_t n_text;
    tby_error error; /* offset counts from the start of the input */
} tby_pgn_event;

/* Where an event is in the input. */
typedef struct tby_pgn_place {
    uint64_t game;   /* from 1 */
    uint64_t line;   /* from 1 */
    uint64_t column; /* in bytes, from 1 */
    uint64_t offset; /* in bytes, from 0 */
} tby_pgn_place;

/* Fills `buf` and returns the number of bytes; 0 at the end, TBY_SOURCE_FAILED on an input error. */
typedef size_t (*tby_source)(void *context, char *buf, size_t cap);
#define TBY_SOURCE_FAILED ((size_t)-1)

enum {
    TBY_PGN_WARNINGS = 1 << 0,
    TBY_PGN_NESTED_COMMENTS = 1 << 1,
    TBY_PGN_ANY_VARIANT = 1 << 2,  /* read games of other variants as chess, instead of reporting a fault */
    TBY_PGN_CHESS960 = 1 << 3,     /* treat a game as Chess960 if only that has the castling rights of its FEN tag */
    TBY_PGN_SERIOUS = 1 << 4,      /* only serious warnings, which, unlike the others, cost no time */
    TBY_PGN_SKIP_COMMENTS = 1 << 5 /* read comments without reporting them */
};
enum { TBY_PGN_DEPTH_MAX = 64, TBY_PGN_TOKEN_MAX = 255, TBY_PGN_TAG_MAX = 8192 };

typedef struct tby_pgn_options {
    unsigned flags;
    size_t max_game_bytes; /* 0 = 1 MiB. A longer game is bad, and ends at 16 times this. */
    tby_pgn_place start;   /* where the input begins within a larger one, added to every place; all 0 = at its start */
} tby_pgn_options;

typedef struct tby_pgn tby_pgn;

/* `options` may be NULL. Returns NULL if out of memory. */
TBY_API tby_pgn *tby_pgn_new(tby_source source, void *context, const tby_pgn_options *options,
                             const tby_allocator *allocator);
/* Reads from memory, which must not change meanwhile. */
TBY_API tby_pgn *tby_pgn_new_memory(const char *s, size_t n, const tby_pgn_options *options,
                                    const tby_allocator *allocator);
TBY_API void tby_pgn_free(tby_pgn *pgn);
TBY_API tby_pgn_type tby_pgn_next(tby_pgn *pgn, tby_pgn_event *event);
/* A faster way to read moves: reads as long as there are only moves, move numbers and comments to skip. Writes at most
   `cap` moves and returns how many, possibly none; tby_pgn_next returns everything else, and occasionally a move. */
TBY_API size_t tby_pgn_moves(tby_pgn *pgn, tby_move *out, size_t cap);
/* The position after the last move of the line being read, and before it. Before the first move both are the start. */
TBY_API const tby_position *tby_pgn_position(const tby_pgn *pgn);
TBY_API const tby_position *tby_pgn_position_before(const tby_pgn *pgn);
TBY_API unsigned tby_pgn_depth(const tby_pgn *pgn);
TBY_API tby_pgn_place tby_pgn_event_place(tby_pgn *pgn, const tby_pgn_event *event);
/* Byte offsets of the current game: where it begins, and how far it has been read. */
TBY_API uint64_t tby_pgn_game_begin(const tby_pgn *pgn);
TBY_API uint64_t tby_pgn_game_end(const tby_pgn *pgn);
/* "illegal move: "Nf6": no knight can go there (game 3, 12...Nf6, FEN ...)" */
enum { TBY_PGN_ERROR_SIZE = 1024 };
TBY_API size_t tby_pgn_error_write(char *buf, size_t cap, const tby_pgn *pgn, const tby_pgn_event *event,
                                   uint64_t game);
TBY_API const char *tby_pgn_warning_text(tby_pgn_warning warning);

/* A fault in words, whatever notation the game is in. */
enum { TBY_GAME_FAULT_SIZE = 512 };
typedef struct tby_game_fault {
    tby_error error;                 /* offset counts from the start of the input; TBY_OK: only a warning */
    uint64_t line, column;           /* from 1; 0 = the notation has no lines */
    char text[TBY_GAME_FAULT_SIZE];  /* "illegal move: "Nf6": no knight can go there" */
    char where[TBY_GAME_FAULT_SIZE]; /* "12...Nf6, FEN ...": where in the game; may be empty */
} tby_game_fault;
/* The fault of an ERROR event or of a serious WARNING. */
TBY_API void tby_pgn_event_fault(tby_game_fault *out, tby_pgn *pgn, const tby_pgn_event *event);
/* The last place in s where a game certainly begins ([Event " after an empty line), or 0; files can be split there. */
TBY_API size_t tby_pgn_last_boundary(const char *s, size_t n);

/* ---- NAGs ---------------------------------------------------------------------------------------------- */

/* The NAG for a glyph or mark ("!?", "±", "+-"), or 0. */
TBY_API uint16_t tby_nag_read(const char *s, size_t n);
/* The mark for a NAG ("!?"), or "$13" if it has none. */
enum { TBY_NAG_SIZE = 8 };
TBY_API size_t tby_nag_write(char *buf, size_t cap, uint16_t nag);

/* ---- Games --------------------------------------------------------------------------------------------- */

/*
 * A game as a tree: tags in order, a start position, moves with variations, comments and NAGs, a result. Nodes are
 * numbers; TBY_ROOT is the start, every other node a move. The first child of a node is the main line, its
 * other children are variations. If they run out of memory, functions return false or TBY_NO_NODE and change
 * nothing. A node's number is valid until the node is removed; returned text is valid until the game is changed.
 */
typedef struct tby_game tby_game;
typedef uint32_t tby_node;
#define TBY_ROOT ((tby_node)0)
#define TBY_NO_NODE ((tby_node)0xffffffff)

TBY_API tby_game *tby_game_new(const tby_allocator *allocator);
TBY_API void tby_game_free(tby_game *game);
/* Removes everything from the game, but keeps its memory. */
TBY_API void tby_game_clear(tby_game *game);
/* Same tags (in the order of PGN, the roster first), start, result, and the same tree with its comments and NAGs. */
TBY_API bool tby_game_equal(const tby_game *a, const tby_game *b);

/* Setting an existing tag changes its value and keeps its place. Also returns false for a name that is not valid in
   PGN: a letter or digit, then only letters, digits and _ + # = : -. Returned names and values end in NUL. Tags are
   only text: a FEN or Result tag changes neither start nor result. */
TBY_API bool tby_game_set_tag(tby_game *game, const char *name, size_t n_name, const char *value, size_t n_value);
TBY_API bool tby_game_remove_tag(tby_game *game, const char *name);
TBY_API size_t tby_game_n_tags(const tby_game *game);
TBY_API const char *tby_game_tag_name(const tby_game *game, size_t index);
TBY_API const char *tby_game_tag_value(const tby_game *game, size_t index);
/* NULL if there is none. */
TBY_API const char *tby_game_tag(const tby_game *game, const char *name);

TBY_API const tby_position *tby_game_start(const tby_game *game);
/* Only while the game has no moves. */
TBY_API bool tby_game_set_start(tby_game *game, const tby_position *start, bool is_chess960);
TBY_API bool tby_game_is_chess960(const tby_game *game);
TBY_API tby_result tby_game_result(const tby_game *game);
TBY_API void tby_game_set_result(tby_game *game, tby_result result);

/* Adds a legal move (or TBY_MOVE_NULL) as the last child of `parent`. Does not check that it is legal and new. */
TBY_API tby_node tby_game_add(tby_game *game, tby_node parent, tby_move m);
/* Removes a node and everything after it; for the root, only everything after it. */
TBY_API void tby_game_remove(tby_game *game, tby_node node);
/* Moves a node up or down by one place among its siblings; false if there is no such place. */
TBY_API bool tby_game_promote(tby_game *game, tby_node node);
TBY_API bool tby_game_demote(tby_game *game, tby_node node);
TBY_API tby_move tby_game_move(const tby_game *game, tby_node node);
TBY_API tby_node tby_game_parent(const tby_game *game, tby_node node);
TBY_API tby_node tby_game_child(const tby_game *game, tby_node node);   /* the first */
TBY_API tby_node tby_game_sibling(const tby_game *game, tby_node node); /* the next */
TBY_API size_t tby_game_n_nodes(const tby_game *game);                  /* including the root */
/* The position after the node's move. */
TBY_API void tby_game_position(const tby_game *game, tby_node node, tby_position *out);
/* Has the game only tags, start, main line and result, without comments, NAGs, variations and null moves? */
TBY_API bool tby_game_is_plain(const tby_game *game);
/* The main line: returns its length and writes at most `cap` moves. */
TBY_API size_t tby_game_main_line(const tby_game *game, tby_move *out, size_t cap);
/* The first half-move of the main line that is a null move, from 1; 0 if there is none. */
TBY_API size_t tby_game_null_ply(const tby_game *game);

/* Comments come before a node's move (where a line of play begins) or after it; several keep their order. */
typedef enum tby_comment_place { TBY_COMMENT_BEFORE = 0, TBY_COMMENT_AFTER = 1 } tby_comment_place;
TBY_API bool tby_game_add_comment(tby_game *game, tby_node node, tby_comment_place place, const char *s, size_t n);
TBY_API size_t tby_game_n_comments(const tby_game *game, tby_node node, tby_comment_place place);
TBY_API const char *tby_game_comment(const tby_game *game, tby_node node, tby_comment_place place, size_t index,
                                     size_t *length);
TBY_API void tby_game_remove_comments(tby_game *game, tby_node node);
TBY_API bool tby_game_add_nag(tby_game *game, tby_node node, uint16_t nag);
TBY_API size_t tby_game_n_nags(const tby_game *game, tby_node node);
TBY_API uint16_t tby_game_nag(const tby_game *game, tby_node node, size_t index);
TBY_API void tby_game_remove_nags(tby_game *game, tby_node node);

/* Reads the next game into `game`, replacing its contents. `on_event` (may be NULL) is called for every event except
   moves. After a fault the game holds what was read before it. An input error is returned as a bad game without moves
   after the last one. src/pgn/pgn_build.c describes where comments go. */
typedef enum tby_game_read {
    TBY_GAME_END = 0, /* there are no more games */
    TBY_GAME_GOOD = 1,
    TBY_GAME_BAD = 2, /* at least one ERROR event */
    TBY_GAME_NO_MEMORY = 3
} tby_game_read;
typedef void (*tby_pgn_watcher)(void *context, tby_pgn *pgn, const tby_pgn_event *event);
TBY_API tby_game_read tby_game_read_pgn(tby_game *game, tby_pgn *pgn, tby_pgn_watcher on_event, void *context);

/* Commands in comments: [%clk ...], [%emt], [%eval], [%csl] and [%cal]. */
typedef enum tby_command_type {
    TBY_COMMAND_OTHER = 0,   /* any other [%name ...], or one whose value the fields below cannot hold exactly */
    TBY_COMMAND_CLOCK = 1,   /* clk: milliseconds left */
    TBY_COMMAND_ELAPSED = 2, /* emt: milliseconds used */
    TBY_COMMAND_EVAL = 3,    /* eval: centipawns, or moves to mate */
    TBY_COMMAND_SQUARES = 4, /* csl: coloured squares */
    TBY_COMMAND_ARROWS = 5   /* cal: coloured arrows */
} tby_command_type;
enum { TBY_COMMAND_MARKS = 64 };
typedef struct tby_command {
    tby_command_type type;
    size_t start, length; /* of the whole [%...] in the comment */
    int64_t value;        /* milliseconds, centipawns, or moves to mate (negative: black mates) */
    bool is_mate;
    unsigned depth; /* eval's search depth, 0 if not given */
    size_t n_marks;
    struct {
        char color; /* R G Y B ... */
        tby_square from, to;
    } marks[TBY_COMMAND_MARKS];
} tby_command;
/* The next command at or after *at; false at the end. Moves *at past it. */
TBY_API bool tby_command_next(tby_command *out, const char *s, size_t n, size_t *at);

/* The evaluation and times in the comments after the move to a node, including those before the next move of its line
   (for the start, that is where comments before the first move are). If there are several values, the first one counts;
   the start has none. */
typedef struct tby_note {
    bool has_eval, has_clock, has_spent;
    bool is_mate;  /* then `eval` is the number of moves to mate, below 0 if Black mates */
    int64_t eval;  /* centipawns from White's point of view */
    int64_t clock; /* milliseconds left for the player who moved */
    int64_t spent; /* milliseconds used for the move: [%emt] */
} tby_note;
TBY_API void tby_note_read(tby_note *out, const tby_game *game, tby_node node);
/* The arrows and circles of [%cal] and [%csl] in the same comments, to be drawn: green, red, yellow, blue and others.
   Writes at most `cap` and returns how many there are. */
TBY_API size_t tby_note_arrows(tby_arrow *out, size_t cap, const tby_game *game, tby_node node);

/* ---- PGN writing --------------------------------------------------------------------------------------- */

/* Receives bytes; returning false stops writing. */
typedef bool (*tby_sink)(void *context, const char *s, size_t n);

enum {
    TBY_PGN_NO_COMMENTS = 1 << 0,
    TBY_PGN_NO_NAGS = 1 << 1,
    TBY_PGN_NO_VARIATIONS = 1 << 2,
    TBY_PGN_NO_COMMANDS = 1 << 3, /* comments without [%clk ...] and the like */
    TBY_PGN_NO_TAGS = 1 << 4,     /* not even the FEN of a different start */
    TBY_PGN_ONE_LINE = 1 << 5     /* move text on one line; line ends in comments become spaces, and } becomes ) */
};
/* Another flag: break lines at this many columns, up to 65535, instead of 79. */
#define TBY_PGN_WIDTH(columns) ((unsigned)(columns) << 16)
/* Writes the export format: the seven tag roster first (missing tags are not added), lines of less than 80 columns
   except in comments, and an empty line at the end. Reading it gives the same tree. Returns false if the sink did, or
   if out of memory. */
TBY_API bool tby_pgn_write(const tby_game *game, unsigned flags, tby_sink sink, void *context);
/* Writes the text of the comments after the move to a node, without commands and separated by a space; every run of
   spaces and line ends becomes one space. Returns false if the sink did. */
TBY_API bool tby_note_write_comment(const tby_game *game, tby_node node, tby_sink sink, void *context);

/* ---- Streams of games ---------------------------------------------------------------------------------- */

/* The games of an input, one by one, in any notation of the registry below. Needs memory for the largest game. */
typedef struct tby_games tby_games;

/* The current place in a stream. */
typedef struct tby_games_place {
    uint64_t n_games;    /* so far: the number of the last one, from 1 */
    uint64_t n_lines;    /* line ends passed, exact at the end of the input; 0 = the notation has no lines */
    uint64_t line;       /* where the last game begins, from 1; 0 = unknown */
    uint64_t begin, end; /* the offsets of the last game and of its end */
} tby_games_place;

typedef void (*tby_fault_watcher)(void *context, const tby_game_fault *fault);

TBY_API void tby_games_free(tby_games *games);
/* Reads the next game into `game`, replacing its contents. TBY_GAME_BAD: `on_fault` (may be NULL) was called for each
   fault, and reading continues after it; a fault in the file rather than in a game does not change n_games. `on_fault`
   is also called for serious warnings, in good and bad games: null moves in the main line, dropped castling rights. */
TBY_API tby_game_read tby_games_next(tby_games *games, tby_game *game, tby_fault_watcher on_fault, void *context);
/* TBY_PGN_ANY_VARIANT, TBY_PGN_CHESS960 and TBY_PGN_SKIP_COMMENTS, for the games that follow. */
TBY_API void tby_games_set_flags(tby_games *games, unsigned flags);
/* Skips the next game with as little work as its notation allows; false at the end. */
TBY_API bool tby_games_skip(tby_games *games);
TBY_API tby_games_place tby_games_where(const tby_games *games);

/* ---- The registry of game notations -------------------------------------------------------------------- */

/* Do bytes look like the beginning of a notation? */
typedef enum tby_likeness {
    TBY_UNLIKE = 0,
    TBY_POSSIBLE = 1, /* if nothing else fits */
    TBY_LIKELY = 2,
    TBY_CERTAIN = 3 /* whatever the file is called */
} tby_likeness;

/* Notations of whole games, in addition to the tables of positions and moves. Lines of moves use the table of moves. */
typedef struct tby_game_notation {
    const char *name; /* "pgn" */
    const char *summary;
    const char *cannot_hold; /* NULL = nothing */
    const char *endings;     /* of file names, separated by spaces: ".json .jsonl" */
    bool is_binary;
    bool has_roster;      /* a good file has the seven tags of PGN's roster, known or not */
    bool keeps_beginning; /* a bad game is read up to its fault */
    tby_likeness (*guess)(const char *s, size_t n);

    /* One game: a text, a line, a record. */
    tby_status (*read)(tby_game *game, const char *s, size_t n, tby_error *err);
    /* TBY_CANNOT_HOLD, or TBY_IO_ERROR if the sink returned false. */
    tby_status (*write)(const tby_game *game, tby_sink sink, void *context, tby_error *err);

    /* A file of games. Writes what comes before the first game; NULL = nothing. */
    bool (*write_header)(tby_sink sink, void *context);
    /* Returns NULL if out of memory. */
    tby_games *(*open)(tby_source source, void *context, const tby_allocator *allocator);
    /* The last place in s, after its beginning, where a game certainly begins; 0 if there is none. A file can be split
       there into parts that are read separately. NULL = a file must be read from its beginning. */
    size_t (*last_boundary)(const char *s, size_t n);
    /* Reads the same games as events, for programs that do not need trees; NULL = available only as trees. */
    tby_pgn *(*open_events)(tby_source source, void *context, const tby_pgn_options *options,
                            const tby_allocator *allocator);
} tby_game_notation;

TBY_API const tby_game_notation *tby_game_notation_at(size_t index);
TBY_API const tby_game_notation *tby_game_notation_find(const char *name, size_t n);
/* The notation suggested by a file's name (n_name = 0: none) and first bytes, and how certain it is: a name is
   TBY_LIKELY and takes precedence over likely bytes. NULL if no notation matches. */
TBY_API const tby_game_notation *tby_game_notation_guess(const char *name, size_t n_name, const char *s, size_t n,
                                                         tby_likeness *likeness);

#ifdef __cplusplus
}
#endif
#endif
