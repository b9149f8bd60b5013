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
#include "line.h"
#include "polyglot.h"
#include "tree.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- Printing --------------------------------------------------------------------------------------------------- */

static void print_board(const tby_board *board)
{
    char text[TBY_DIAGRAM_SIZE];
    tby_diagram_write(text, sizeof text, board,
                      TBY_DIAGRAM_COORDINATES | (stdout_has_unicode() ? TBY_DIAGRAM_UNICODE : 0));
    out_printf("%s\n", text);
}

/* The results of the games that reached a node after one of the moves. */
typedef void (*results_read)(void *context, tby_tree_id id, uint64_t results[4]);

static void print_results(const uint64_t results[4])
{
    out_printf("  %7" PRIu64 "  +%" PRIu64 " =%" PRIu64 " -%" PRIu64, results[0] + results[1] + results[2] + results[3],
               results[TBY_WHITE_WINS], results[TBY_DRAW], results[TBY_BLACK_WINS]);
}

static void print_moves(const tby_tree_node *node, results_read read, void *context)
{
    char san[TBY_SAN_SIZE], text[TBY_SHORT_MOVE_SIZE];
    for (size_t i = 0; i < node->n_moves; i++) {
        uint64_t results[4];
        tby_san_write(san, sizeof san, &node->pos, node->moves[i].move);
        tby_short_move_write(text, sizeof text, &node->pos, node->moves[i].move);
        out_printf(node->has_games ? "%-8s %-5s #%-6u" : "%-8s %-5s #%u", san, text, node->moves[i].node);
        if (node->has_games) {
            read(context, node->moves[i].node, results);
            print_results(results);
        }
        out_string("\n");
    }
}

/* The text begins with the number, the FEN and an empty line; marks and comments end it. */
static void print_node(const tby_tree_node *node, results_read read, void *context)
{
    tby_tree_node rest = *node;
    buffer text = {0};
    rest.n_from = rest.n_moves = 0;
    tby_tree_node_write(&rest, buffer_sink, &text);
    buffer_add(&text, "", 1);
    const char *fen = strchr(text.s, '\n') + 1, *end = strstr(fen, "\n\n");
    print_board(&node->pos.board);
    out_printf("#%u  %.*s\n", node->id, (int)(end - fen), fen);
    for (size_t i = 0; i < node->n_from; i++)
        out_printf("from #%u\n", node->from[i]);
    print_moves(node, read, context);
    out_bytes(end + 2, text.n - 1 - (size_t)(end + 2 - text.s));
    buffer_free(&text);
}

/* ---- Finding ---------------------------------------------------------------------------------------------------- */

/* The moves in the words after "show DIR"; an illegal move ends the program. */
static buffer moves_of(const args *a, const tby_position *root)
{
    buffer moves = {0};
    tby_position pos = *root;
    char *line = words_join(a, 2);
    problem p = {0};
    line_read(&pos, &moves, "tree show: MOVES", line, &p);
    problem_exit(&p);
    free(line);
    return moves;
}

static tby_tree_id node_behind(const tby_tree_node *node, tby_move m)
{
    for (size_t i = 0; i < node->n_moves; i++)
        if (node->moves[i].move == m)
            return node->moves[i].node;
    return TBY_TREE_NONE;
}

static int tell_end(const tby_tree_node *node, tby_move m)
{
    char san[TBY_SAN_SIZE];
    tby_san_write(san, sizeof san, &node->pos, m);
    error_print("tree show: node #%u has no move %s", node->id, san);
    return EXIT_NO;
}

/* A path through a folder, to look beyond its end. */
typedef struct way {
    const char *folder;
    const tby_tree_id *ids;
    size_t n;
} way;

static void read_results(void *context, tby_tree_id id, uint64_t results[4])
{
    const way *w = context;
    tby_failure failure;
    tby_tree_reader *reader;
    const tby_tree_node *node;
    if (tby_tree_reader_open(&reader, w->folder, &failure) != TBY_OK ||
        tby_tree_reader_root(&node, reader, &failure) != TBY_OK)
        tree_failed(failure.text);
    for (size_t i = 0; i < w->n; i++)
        if (tby_tree_reader_follow(&node, reader, w->ids[i], &failure) != TBY_OK)
            tree_failed(failure.text);
    if (tby_tree_reader_follow(&node, reader, id, &failure) != TBY_OK)
        tree_failed(failure.text);
    memcpy(results, node->results, sizeof node->results);
    tby_tree_reader_close(reader);
}

/* Only the nodes on the way are read. */
static int show_folder(const args *a)
{
    tby_failure failure;
    tby_tree_reader *reader;
    const tby_tree_node *node;
    int code = EXIT_YES;
    if (tby_tree_reader_open(&reader, a->words[1], &failure) != TBY_OK ||
        tby_tree_reader_root(&node, reader, &failure) != TBY_OK)
        tree_failed(failure.text);
    buffer moves = moves_of(a, &node->pos);
    const tby_move *m = (const tby_move *)(const void *)moves.s;
    const size_t n = moves.n / sizeof *m;
    tby_tree_id *ids = memory_new(n + 1, sizeof *ids);
    way w = {.folder = a->words[1], .ids = ids, .n = n};
    for (size_t i = 0; i < n && code == EXIT_YES; i++) {
        ids[i] = node_behind(node, m[i]);
        if (ids[i] == TBY_TREE_NONE)
            code = tell_end(node, m[i]);
        else if (tby_tree_reader_follow(&node, reader, ids[i], &failure) != TBY_OK)
            tree_failed(failure.text);
    }
    if (code == EXIT_YES) {
        out_printf("%s\n", tby_tree_reader_path(reader));
        print_node(node, read_results, &w);
    }
    free(ids);
    buffer_free(&moves);
    tby_tree_reader_close(reader);
    return code;
}

static void look_up_results(void *context, tby_tree_id id, uint64_t results[4])
{
    tby_tree_node node;
    tby_tree_node_at(&node, context, id);
    memcpy(results, node.results, sizeof node.results);
}

/* Grows the tree first, as grow --games does. */
static int show_games(const args *a)
{
    tree_games_counts counts;
    tby_tree_node node;
    int code = EXIT_YES;
    const tby_position root = tree_root(a);
    buffer moves = moves_of(a, &root);
    tby_tree *tree = tree_of_games(a, a->words[1], &counts);
    const tby_move *m = (const tby_move *)(const void *)moves.s;
    tby_tree_node_at(&node, tree, 0);
    for (size_t i = 0; i < moves.n / sizeof *m && code == EXIT_YES; i++) {
        const tby_tree_id id = node_behind(&node, m[i]);
        if (id == TBY_TREE_NONE)
            code = tell_end(&node, m[i]);
        else
            tby_tree_node_at(&node, tree, id);
    }
    if (code == EXIT_YES)
        print_node(&node, look_up_results, tree);
    buffer_free(&moves);
    tby_tree_free(tree);
    return counts.n_rejected ? EXIT_NO : code;
}

/* Prints a Polyglot book's entries after some moves. */
static int show_book(const args *a)
{
    tby_position pos;
    polyglot_move *list = memory_new(TBY_MOVES_MAX, sizeof *list);
    polyglot_book *book = polyglot_open(a->words[1]);
    tby_position_start(&pos);
    buffer moves = moves_of(a, &pos);
    for (size_t i = 0; i < moves.n; i += sizeof(tby_move)) {
        tby_move m;
        memcpy(&m, moves.s + i, sizeof m);
        tby_position_play(&pos, m, NULL);
    }
    const size_t n = polyglot_moves(book, &pos, list);
    print_board(&pos.board);
    for (size_t i = 0; i < n; i++) {
        char san[TBY_SAN_SIZE];
        tby_san_write(san, sizeof san, &pos, list[i].move);
        out_printf("%-8s %5u\n", san, list[i].weight);
    }
    if (n == 0)
        error_print("tree show: the book has no move here");
    buffer_free(&moves);
    polyglot_close(book);
    free(list);
    return n ? EXIT_YES : EXIT_NO;
}

bool tree_is_folder(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

int tree_show(const args *a)
{
    if (a->n_words < 2)
        error_exit("tree show: a DIR or a DB is needed; try --help");
    if (!tree_is_folder(a->words[1]) && !polyglot_is_book(a->words[1]))
        return show_games(a);
    for (size_t i = 0; i < a->n_given; i++)
        if (a->given[i].index != TREE_THREADS)
            error_exit("tree show: --%s does not apply to a DIR or a book",
                       a->command->options[a->given[i].index].name);
    return tree_is_folder(a->words[1]) ? show_folder(a) : show_book(a);
}
