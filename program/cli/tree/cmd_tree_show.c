/*
 * cmd_tree_show.c - tabiya tree show: the node after some moves.
 *
 *     tree/0/1/21/info.txt
 *     (the board)
 *
 *     #21  r1bqkbnr/pppppppp/n7/8/P7/8/1PPPPPPP/RNBQKBNR w KQkq - 1
 *     from #1
 *     a5       5     #421                                           SAN, short move, node
 *     e4       e4    #1          85  +40 =10 -35                    in a tree of games: how many reached it,
 *                                                                   and results
 *     ...
 *     comment games ...                                             marks and comments, as in the text
 */
#include "console.h"
#include "os/file.h"
#include "polyglot.h"
#include "position.h"
#include "tree.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- Printing --------------------------------------------------------------------------------------------------- */

static void print_board(const tby_board *board)
{
    char text[TBY_DIAGRAM_SIZE];
    tby_diagram_write(text, sizeof text, board,
                      TBY_DIAGRAM_COORDINATES | (stdout_has_unicode() ? TBY_DIAGRAM_UNICODE : 0));
    out_printf("%s\n", text);
}

/* ---- Finding ---------------------------------------------------------------------------------------------------- */

/* The moves in the words after "show DIR", which are played on `pos`; an illegal move ends the program. */
static buffer moves_of(const args *a, tby_position *pos)
{
    buffer moves = {0};
    char *line = words_join(a, 2);
    problem p = {0};
    line_read(pos, &moves, "tree show: MOVES", line, &p);
    problem_exit(&p);
    free(line);
    return moves;
}

/* A tree in a folder, or of games. */
typedef struct shown {
    const char *folder;
    tby_tree_reader *reader; /* NULL: the tree is in memory */
    tby_tree *tree;
    tby_tree_node node; /* the last one reached */
    tby_tree_id *ids;   /* the path to it from the root, to look beyond its end */
    size_t n;
} shown;

static void open_folder(shown *s)
{
    tby_failure failure;
    const tby_tree_node *root;
    if (tby_tree_reader_open(&s->reader, s->folder, &failure) != TBY_OK ||
        tby_tree_reader_root(&root, s->reader, &failure) != TBY_OK)
        tree_failed(failure.text);
    s->node = *root;
}

static void follow(shown *s, tby_tree_id id)
{
    tby_failure failure;
    const tby_tree_node *node = &s->node;
    if (!s->reader)
        tby_tree_node_at(&s->node, s->tree, id);
    else if (tby_tree_reader_follow(&node, s->reader, id, &failure) != TBY_OK)
        tree_failed(failure.text);
    else
        s->node = *node;
}

/* The results of the games that reached the node after one of the moves. */
static void read_results(const shown *s, tby_tree_id id, uint64_t results[4])
{
    shown beyond = {.folder = s->folder, .tree = s->tree};
    if (s->folder)
        open_folder(&beyond);
    for (size_t i = 0; s->folder && i < s->n; i++)
        follow(&beyond, s->ids[i]);
    follow(&beyond, id);
    memcpy(results, beyond.node.results, sizeof beyond.node.results);
    tby_tree_reader_close(beyond.reader);
}

static void print_moves(const shown *s)
{
    const tby_tree_node *node = &s->node;
    char san[TBY_SAN_SIZE], text[TBY_SHORT_MOVE_SIZE];
    for (size_t i = 0; i < node->n_moves; i++) {
        uint64_t n[4];
        tby_san_write(san, sizeof san, &node->pos, node->moves[i].move);
        tby_short_move_write(text, sizeof text, &node->pos, node->moves[i].move);
        out_printf(node->has_games ? "%-8s %-5s #%-6u" : "%-8s %-5s #%u", san, text, node->moves[i].node);
        if (node->has_games) {
            read_results(s, node->moves[i].node, n);
            out_printf("  %7" PRIu64 "  +%" PRIu64 " =%" PRIu64 " -%" PRIu64, n[0] + n[1] + n[2] + n[3],
                       n[TBY_WHITE_WINS], n[TBY_DRAW], n[TBY_BLACK_WINS]);
        }
        out_string("\n");
    }
}

/* The text begins with the number, the FEN and an empty line; marks and comments end it. */
static void print_node(const shown *s)
{
    const tby_tree_node *node = &s->node;
    tby_tree_node rest = *node;
    buffer text = {0};
    rest.n_from = rest.n_moves = 0;
    tby_tree_node_write(&rest, buffer_sink, &text);
    const char *fen = strchr(text.s, '\n') + 1, *end = strstr(fen, "\n\n");
    print_board(&node->pos.board);
    out_printf("#%u  %.*s\n", node->id, (int)(end - fen), fen);
    for (size_t i = 0; i < node->n_from; i++)
        out_printf("from #%u\n", node->from[i]);
    print_moves(s);
    out_bytes(end + 2, text.n - (size_t)(end + 2 - text.s));
    buffer_free(&text);
}

/* Follows the moves from the root, and prints the node after them. */
static int show_node(shown *s, const buffer *moves)
{
    const tby_move *m = (const tby_move *)(const void *)moves->s;
    const size_t n = moves->n / sizeof *m;
    s->ids = memory_new(n + 1, sizeof *s->ids);
    for (; s->n < n; s->n++) {
        const tby_tree_node *node = &s->node;
        size_t i = 0;
        while (i < node->n_moves && node->moves[i].move != m[s->n])
            i++;
        if (i == node->n_moves) {
            char san[TBY_SAN_SIZE];
            tby_san_write(san, sizeof san, &node->pos, m[s->n]);
            error_print("tree show: node #%u has no move %s", node->id, san);
            break;
        }
        s->ids[s->n] = node->moves[i].node;
        follow(s, s->ids[s->n]);
    }
    const bool is_there = s->n == n;
    if (is_there && s->reader)
        out_printf("%s\n", tby_tree_reader_path(s->reader));
    if (is_there)
        print_node(s);
    free(s->ids);
    return is_there ? EXIT_YES : EXIT_NO;
}

/* Only the nodes on the way are read. */
static int show_folder(const args *a)
{
    shown s = {.folder = a->words[1]};
    open_folder(&s);
    tby_position pos = s.node.pos;
    buffer moves = moves_of(a, &pos);
    const int code = show_node(&s, &moves);
    buffer_free(&moves);
    tby_tree_reader_close(s.reader);
    return code;
}

/* Grows the tree first, as grow --games does. */
static int show_games(const args *a)
{
    tree_games_counts counts;
    tby_position pos = tree_root(a);
    buffer moves = moves_of(a, &pos);
    shown s = {.tree = tree_of_games(a, a->words[1], &counts)};
    follow(&s, 0);
    const int code = show_node(&s, &moves);
    buffer_free(&moves);
    tby_tree_free(s.tree);
    return counts.n_rejected ? EXIT_NO : code;
}

/* Prints a Polyglot book's entries after some moves. */
static int show_book(const args *a)
{
    tby_position pos;
    tby_book_move *list = memory_new(TBY_MOVES_MAX, sizeof *list);
    buffer book = polyglot_open(a->words[1]);
    tby_position_start(&pos);
    buffer moves = moves_of(a, &pos);
    const size_t n = tby_book_moves(list, book.data, book.n, &pos);
    print_board(&pos.board);
    for (size_t i = 0; i < n; i++) {
        char san[TBY_SAN_SIZE];
        tby_san_write(san, sizeof san, &pos, list[i].move);
        out_printf("%-8s %5u\n", san, (unsigned)list[i].weight);
    }
    if (n == 0)
        error_print("tree show: the book has no move here");
    buffer_free(&moves);
    buffer_free(&book);
    free(list);
    return n ? EXIT_YES : EXIT_NO;
}

bool tree_is_folder(const char *path) { return os_is_folder(path); }

int tree_show(const args *a)
{
    if (a->n_words < 2)
        error_exit("tree show: a DIR or a DB is needed; try --help");
    if (!tree_is_folder(a->words[1]) && !polyglot_is_book(a->words[1]))
        return show_games(a);
    args_refuse(a, TAKES(TREE_THREADS), "show", " to a DIR or a book");
    return tree_is_folder(a->words[1]) ? show_folder(a) : show_book(a);
}
