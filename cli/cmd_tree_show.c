/*
 * cmd_tree_show.c - tabiya tree show: the node after some moves.
 *
 *     tree/0/1/21/info.txt
 *     (the board)
 *
 *     #21  r1bqkbnr/pppppppp/n7/8/P7/8/1PPPPPPP/RNBQKBNR w KQkq - 1
 *     from #1
 *     a5       5     #421                                           SAN, short move, node
 *     ...
 *     comment games ...                                             marks and comments, as in the text
 */
#include "common.h"
#include "line.h"
#include "messages.h"
#include "progress.h"
#include "tree_games.h"

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

static void print_moves(const tby_tree_node *node)
{
    char san[TBY_SAN_SIZE], text[TBY_SHORT_MOVE_SIZE];
    for (size_t i = 0; i < node->n_moves; i++) {
        tby_san_write(san, sizeof san, &node->pos, node->moves[i].move);
        tby_short_move_write(text, sizeof text, &node->pos, node->moves[i].move);
        out_printf("%-8s %-5s #%u\n", san, text, node->moves[i].node);
    }
}

/* The text begins with the number, the FEN and an empty line; marks and comments end it. */
static void print_node(const tby_tree_node *node)
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
    print_moves(node);
    out_bytes(end + 2, text.n - 1 - (size_t)(end + 2 - text.s));
    buffer_free(&text);
}

/* ---- Finding ---------------------------------------------------------------------------------------------------- */

/* The moves of the words after "show DIR"; one that cannot be played ends the program. */
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

/* Only the nodes on the way are read. */
static int show_folder(const args *a)
{
    char error[TBY_TREE_ERROR_SIZE];
    tby_tree_reader *reader;
    const tby_tree_node *node;
    int code = EXIT_YES;
    if (tby_tree_reader_open(&reader, a->words[1], error) != TBY_OK ||
        tby_tree_reader_root(reader, &node, error) != TBY_OK)
        tree_failed(error);
    buffer moves = moves_of(a, &node->pos);
    const tby_move *m = (const tby_move *)(const void *)moves.s;
    for (size_t i = 0; i < moves.n / sizeof *m && code == EXIT_YES; i++) {
        const tby_tree_id id = node_behind(node, m[i]);
        if (id == TBY_TREE_NONE)
            code = tell_end(node, m[i]);
        else if (tby_tree_reader_follow(reader, id, &node, error) != TBY_OK)
            tree_failed(error);
    }
    if (code == EXIT_YES) {
        out_printf("%s\n", tby_tree_reader_path(reader));
        print_node(node);
    }
    buffer_free(&moves);
    tby_tree_reader_close(reader);
    return code;
}

/* The tree is grown for it, as grow --games does. */
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
        print_node(&node);
    buffer_free(&moves);
    tby_tree_free(tree);
    return code;
}

static bool is_folder(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

int tree_show(const args *a)
{
    if (a->n_words < 2)
        error_exit("tree show: a DIR or a DB is needed; try --help");
    if (!is_folder(a->words[1]))
        return show_games(a);
    for (size_t i = 0; i < a->n_given; i++)
        if (a->given[i].index != TREE_THREADS)
            error_exit("tree show: a DIR is as it is: no option --%s", a->command->options[a->given[i].index].name);
    return show_folder(a);
}
