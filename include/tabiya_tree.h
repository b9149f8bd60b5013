/*
 * tabiya_tree.h - the tree of chess: positions without duplicates, each a folder with a text. The public API of
 * libtabiya_tree.
 *
 * docs/tree.md describes the folders. Conventions are those of tabiya.h. If a function does not return TBY_OK,
 * `failure` has a sentence about it and *out is NULL. File names in it begin with the given folder.
 *
 * TBY_NO_MEMORY and TBY_IO_ERROR are failures of the machine; TBY_INTERRUPTED means that the caller ended the work, and
 * TBY_INVALID_TREE that a folder is not a correct tree.
 */
#ifndef TABIYA_TREE_H
#define TABIYA_TREE_H

#include "tabiya_value.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Called regularly, in the caller's thread, with the fraction done, from 0 to 1; returning false ends the work with
   TBY_INTERRUPTED. */
typedef bool (*tby_tree_progress)(void *context, double fraction);

/* How to do the work. NULL means all zeros. */
typedef struct tby_tree_work {
    unsigned n_threads; /* 0 = one per processor */
    tby_tree_progress progress;
    void *context;
} tby_tree_work;

/* ---- Nodes --------------------------------------------------------------------------------------------- */

/* The number of a node; the root is 0. If all numbers are used up, the status is TBY_TOO_MANY. */
typedef uint32_t tby_tree_id;
#define TBY_TREE_NONE ((tby_tree_id)0xffffffff)

enum {
    TBY_TREE_CHECKMATE = 1 << 0,
    TBY_TREE_DEAD = 1 << 1,
    TBY_TREE_STALEMATE = 1 << 2,
    TBY_TREE_THREEFOLD = 1 << 3, /* this and the next only if a game ended that way */
    TBY_TREE_FIFTY = 1 << 4
};
/* The line of a mark, "checkmate!" ...; NULL for any other bit. */
TBY_API const char *tby_tree_mark_text(unsigned mark);
/* The marks of a position that do not depend on how it was reached. */
TBY_API unsigned tby_tree_marks_of(const tby_position *pos);

typedef struct tby_tree_move {
    tby_move move;
    tby_tree_id node; /* where it leads */
} tby_tree_move;

/* The contents of a node's info.txt. */
typedef struct tby_tree_node {
    tby_tree_id id;
    unsigned marks;
    tby_position pos;        /* move number 1: the text has none */
    const tby_tree_id *from; /* the nodes that lead here, in order */
    size_t n_from;
    const tby_tree_move *moves; /* in the order of the tree */
    size_t n_moves;
    bool has_games; /* `results` are those of the games that reached it, by tby_result */
    uint64_t results[4];
    const char *comments; /* lines, each with its end */
    size_t n_comments;    /* in bytes */
} tby_tree_node;

/* Returns false if the sink did. */
TBY_API bool tby_tree_node_write(const tby_tree_node *node, tby_sink sink, void *context);

/* Parses the text of nodes. Its memory is reused for the next one. */
typedef struct tby_tree_text tby_tree_text;
TBY_API tby_tree_text *tby_tree_text_new(void); /* NULL: no memory */
TBY_API void tby_tree_text_free(tby_tree_text *text);
/* TBY_INVALID_TREE if it is not the text of a node exactly as tby_tree_node_write writes it, except that marks are not
   checked; `*line`, from 1, says where. The node is valid until the next call. */
TBY_API tby_status tby_tree_text_read(const tby_tree_node **out, size_t *line, tby_tree_text *text, const char *s,
                                      size_t n, tby_failure *failure);

/* ---- Trees in memory ----------------------------------------------------------------------------------- */

typedef struct tby_tree tby_tree;
TBY_API void tby_tree_free(tby_tree *tree);
TBY_API tby_tree_id tby_tree_n_nodes(const tby_tree *tree);
/* Valid as long as the tree. */
TBY_API void tby_tree_node_at(tby_tree_node *out, const tby_tree *tree, tby_tree_id id);
/* The node from which it was first reached; TBY_TREE_NONE for the root. */
TBY_API tby_tree_id tby_tree_parent(const tby_tree *tree, tby_tree_id id);
/* The number of moves on the shortest path from the root. */
TBY_API unsigned tby_tree_depth(const tby_tree *tree, tby_tree_id id);
/* The results of the games that played move `i` of a node, counted each time it was played, by tby_result. The node
   that it leads to also counts games that reached it by other moves. Returns false for trees that were not made by
   tby_tree_games_finish. */
TBY_API bool tby_tree_move_results(uint64_t out[4], const tby_tree *tree, tby_tree_id id, size_t i);
/* The distinct keys of a node in Polyglot books; returns their number. There may be several because these keys include
   en passant captures that look possible but are illegal, and nodes do not. */
enum { TBY_TREE_POLYGLOT_KEYS_MAX = 9 };
TBY_API size_t tby_tree_polyglot_keys(uint64_t out[TBY_TREE_POLYGLOT_KEYS_MAX], const tby_tree *tree, tby_tree_id id);
/* The node that moves from the root lead to; TBY_TREE_NONE if they are not in the tree. */
TBY_API tby_tree_id tby_tree_follow(const tby_tree *tree, const tby_move *moves, size_t n_moves);

/* All positions that can be reached with at most `depth` legal moves. */
TBY_API tby_status tby_tree_grow(tby_tree **out, const tby_position *root, unsigned depth, const tby_tree_work *work,
                                 tby_failure *failure);

/* ---- Trees from games ---------------------------------------------------------------------------------- */

/* The moves played from a position, at most `plies` half-moves of each game. */
typedef struct tby_tree_games tby_tree_games;
TBY_API tby_tree_games *tby_tree_games_new(const tby_position *root, unsigned plies); /* NULL: no memory */
TBY_API void tby_tree_games_free(tby_tree_games *games);
/* The moves must be legal. TBY_NOT_FOUND if the game never reaches the root; more games may follow. */
TBY_API tby_status tby_tree_games_add(tby_tree_games *games, const tby_position *start, const tby_move *moves,
                                      size_t n_moves, tby_result result, tby_failure *failure);
/* The tree of all positions that at least `min_games` games (1 = all) have reached. */
TBY_API tby_status tby_tree_games_finish(tby_tree **out, tby_tree_games *games, uint64_t min_games,
                                         tby_failure *failure);

/* ---- Folders ------------------------------------------------------------------------------------------- */

/* Writes a tree into a folder that is new or empty. During writing, the folder contains a file
   `unfinished`; with `resumes`, existing files of the same tree are kept and missing ones added. TBY_CANNOT_HOLD if
   there is anything else in the folder, TBY_NOT_FOUND if there is nothing to resume, TBY_TOO_DEEP if a path would
   be too long. */
TBY_API tby_status tby_tree_write(const tby_tree *tree, const char *folder, bool resumes, const tby_tree_work *work,
                                  tby_failure *failure);

/* A fault: its file or folder, the line or 0, and a sentence. */
typedef struct tby_tree_fault {
    const char *path;
    size_t line;
    const char *text;
} tby_tree_fault;
typedef void (*tby_tree_watcher)(void *context, const tby_tree_fault *fault);

/* Reads a folder and checks everything: numbers, links, order, positions, shortest moves, duplicates, marks. Every
   fault is reported, and `*n_faults` becomes their number. TBY_INVALID_TREE if there are any. */
TBY_API tby_status tby_tree_read(tby_tree **out, const char *folder, uint64_t *n_faults, tby_tree_watcher on_fault,
                                 void *fault_context, const tby_tree_work *work, tby_failure *failure);

/* Looks up single nodes of a folder, without reading the rest of it. */
typedef struct tby_tree_reader tby_tree_reader;
TBY_API tby_status tby_tree_reader_open(tby_tree_reader **out, const char *folder, tby_failure *failure);
TBY_API void tby_tree_reader_close(tby_tree_reader *reader);
/* The node is valid until the next call. */
TBY_API tby_status tby_tree_reader_root(const tby_tree_node **out, tby_tree_reader *reader, tby_failure *failure);
/* Goes from the node that was read last to the one with this number, to which one of its moves leads. TBY_NOT_FOUND if
   no folder has that number. */
TBY_API tby_status tby_tree_reader_follow(const tby_tree_node **out, tby_tree_reader *reader, tby_tree_id id,
                                          tby_failure *failure);
/* The file of the node that was read last. */
TBY_API const char *tby_tree_reader_path(const tby_tree_reader *reader);

/* ---- Other formats ------------------------------------------------------------------------------------- */

/* All files of the folders in one text, in the order of their numbers, each after a line "== 0/1/21/info.txt".
   TBY_IO_ERROR if the sink returned false, TBY_TOO_DEEP if a path would be too long. */
TBY_API tby_status tby_tree_write_text(const tby_tree *tree, tby_sink sink, void *context, tby_failure *failure);
/* As a game: the main line follows the first move of each node, in a tree of games the most played one; the others are
   variations. A move to a node that appears elsewhere ends its line with the comment "= #21", and that node has the
   comment "#21". */
TBY_API tby_status tby_tree_game(tby_game **out, const tby_tree *tree, tby_failure *failure);

/* ---- Counting ------------------------------------------------------------------------------------------ */

typedef struct tby_tree_ply {
    unsigned ply;
    uint64_t n_positions; /* that can be reached with exactly that many half-moves */
    uint64_t n_new;       /* those of them that cannot be reached with fewer */
    uint64_t n_moves;     /* the legal moves that lead to them, counted from distinct positions */
    uint64_t n_on_disk;   /* positions written to sorted runs, because memory was not enough */
    double seconds;
} tby_tree_ply;

typedef struct tby_tree_count {
    unsigned depth;
    uint64_t memory;    /* approximate limit in bytes; 0 = half of the machine's memory */
    const char *folder; /* for temporary files, which have no names; NULL = $TMPDIR, or /tmp */
    /* Called for each ply, beginning with 0; returning false ends the work with TBY_INTERRUPTED. */
    bool (*on_ply)(void *context, const tby_tree_ply *ply);
} tby_tree_count;
/* Positions are compared exactly, those of the last ply by 96 bits. Progress is reported for each ply. TBY_TOO_DEEP
   for more than 100 half-moves. */
TBY_API tby_status tby_tree_count_positions(const tby_position *root, const tby_tree_count *count,
                                            const tby_tree_work *work, tby_failure *failure);

#ifdef __cplusplus
}
#endif

#endif
