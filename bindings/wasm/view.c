/*
 * view.c - the data a page shows of a game: the position at a node, and the list of moves.
 *
 * game_view   {"fen":...,"side":"white","ply":0,"check":SQUARE or null,"last":{"from","to","san"} or null,
 *              "moves":[MOVE...],"outcome":{"result":"*","reason":null},"claims":[TEXT...],"repetitions":1,
 *              "path":[NODE...],"line":[NODE...],"tree":{"fen":...,"mark":TEXT or null}}
 *     MOVE    {"uci","san","short","from","to","rook":SQUARE or null,"promotion":LETTER or null,"capture":bool,
 *              "mark":TEXT or null}: in the order of the tree; the king may also be dropped on `rook` to castle
 * game_list   {"tags":{...},"result":"*","chess960":false,"plain":true,"before":[...],"after":[...],"moves":[ITEM...]}
 *     ITEM    {"node","depth","opens":bool,"ply","san","nags":[...],"before":[...],"after":[...]}: in the order of PGN;
 *             `opens` where a variation begins, `depth` 0 is the main line. Commands in comments become members too:
 *             "clock" and "elapsed" in milliseconds, "eval" in centipawns or "mate" in moves, both as White sees them,
 *             and "shapes":[{"color":"G","from":SQUARE,"to":SQUARE or null}...]
 */
#include "answer.h"

/* ---- The rules ------------------------------------------------------------------------------------------ */

/* Decided immediately, by material and forced moves alone; board_is_dead searches. */
static tby_verdict clearly_dead(const tby_position *pos) { return tby_dead_position(pos, NULL, 0); }

/* The keys of the positions of a path since its last null move, the current one last. */
static uint64_t *path_keys(size_t *n_keys, const tby_game *game, const line *l)
{
    uint64_t *keys = memory_new((l->n_path + 1) * sizeof *keys);
    tby_position pos = *tby_game_start(game);
    *n_keys = 0;
    keys[(*n_keys)++] = tby_position_key(&pos);
    for (size_t i = 0; i < l->n_path; i++) {
        const tby_move move = tby_game_move(game, l->nodes[i]);
        tby_line_play(&pos, move);
        *n_keys = move == TBY_MOVE_NULL ? 0 : *n_keys;
        keys[(*n_keys)++] = tby_position_key(&pos);
    }
    return keys;
}

static void rules_members(const tby_position *pos, const uint64_t *keys, size_t n_keys)
{
    const tby_outcome outcome = tby_outcome_of(pos, tby_repetition_count(keys, n_keys), clearly_dead(pos), false);
    json_open("outcome", '{');
    json_string("result", tby_result_text(outcome.result));
    json_string("reason", outcome.reason == TBY_REASON_NONE ? NULL : tby_reason_text(outcome.reason));
    json_close('}');
    json_open("claims", '[');
    if (outcome.result == TBY_RESULT_NONE && tby_repetition_can_claim(pos, keys, n_keys))
        json_string(NULL, tby_reason_text(TBY_THREEFOLD));
    if (outcome.result == TBY_RESULT_NONE && tby_move_clock_can_claim_fifty(pos))
        json_string(NULL, tby_reason_text(TBY_FIFTY_MOVES));
    json_close(']');
    json_number("repetitions", tby_repetition_count(keys, n_keys));
}

/* The mark of a node in the tree of chess, as far as the position alone shows it. */
static const char *mark_of(const tby_position *pos)
{
    if (tby_position_is_checkmate(pos))
        return "checkmate!";
    if (tby_position_is_stalemate(pos))
        return "draw by stalemate";
    return clearly_dead(pos) == TBY_YES ? "draw by dead position" : NULL;
}

/* ---- Moves ---------------------------------------------------------------------------------------------- */

static void json_san(const char *name, const tby_position *pos, tby_move move)
{
    char san[TBY_SAN_SIZE] = "--";
    if (move != TBY_MOVE_NULL)
        tby_san_write(san, sizeof san, pos, move);
    json_string(name, san);
}

static void move_object(const tby_position *pos, tby_move move)
{
    char uci[TBY_UCI_SIZE], text[TBY_SHORT_MOVE_SIZE];
    tby_position after = *pos;
    tby_uci_write(uci, sizeof uci, pos, move, 0);
    tby_short_move_write(text, sizeof text, pos, move);
    tby_position_play(&after, move, NULL);
    json_open(NULL, '{');
    json_string("uci", uci);
    json_san("san", pos, move);
    json_string("short", text);
    json_square("from", TBY_MOVE_FROM(move));
    json_square("to", tby_move_destination(move));
    json_square("rook", TBY_MOVE_IS_CASTLING(move) ? TBY_MOVE_TO(move) : TBY_NO_SQUARE);
    json_string("promotion", TBY_MOVE_IS_PROMOTION(move) ? uci + 4 : NULL);
    json_bool("capture", tby_move_captured(pos, move) != TBY_NO_PIECE);
    json_string("mark", mark_of(&after));
    json_close('}');
}

static void moves_array(const tby_position *pos)
{
    static tby_move moves[TBY_MOVES_MAX];
    const size_t n_moves = tby_moves_list(moves, pos);
    tby_moves_sort(moves, n_moves);
    json_open("moves", '[');
    for (size_t i = 0; i < n_moves; i++)
        move_object(pos, moves[i]);
    json_close(']');
}

/* ---- A node --------------------------------------------------------------------------------------------- */

static tby_square checked_king(const tby_position *pos)
{
    const tby_bitboard king = tby_board_pieces(&pos->board, TBY_PIECE(tby_position_side(pos), TBY_KING));
    return tby_position_is_check(pos) && king ? (tby_square)__builtin_ctzll(king) : TBY_NO_SQUARE;
}

static void last_move(const tby_game *game, tby_node node)
{
    if (node == TBY_ROOT) {
        json_string("last", NULL);
        return;
    }
    const tby_move move = tby_game_move(game, node);
    const bool is_null = move == TBY_MOVE_NULL;
    tby_position before;
    tby_game_position(game, tby_game_parent(game, node), &before);
    json_open("last", '{');
    json_square("from", is_null ? TBY_NO_SQUARE : TBY_MOVE_FROM(move));
    json_square("to", is_null ? TBY_NO_SQUARE : tby_move_destination(move));
    json_san("san", &before, move);
    json_close('}');
}

static void nodes_array(const char *name, const tby_node *nodes, size_t n_nodes)
{
    json_open(name, '[');
    for (size_t i = 0; i < n_nodes; i++)
        json_number(NULL, nodes[i]);
    json_close(']');
}

/* The second line of a node in the tree of chess: FEN without the move number. */
static void tree_object(const tby_position *pos)
{
    char fen[TBY_FEN_SIZE];
    size_t n = tby_fen_write_position(fen, sizeof fen, pos, TBY_FEN_EP_LEGAL);
    while (n > 0 && fen[n - 1] != ' ')
        n--;
    json_open("tree", '{');
    json_text("fen", fen, n ? n - 1 : 0);
    json_string("mark", mark_of(pos));
    json_close('}');
}

void EXPORT(game_view)(const tby_game *game, tby_node node)
{
    char fen[TBY_FEN_SIZE];
    tby_position pos;
    size_t n_keys;
    node = game_node(game, node);
    line l = line_through(game, node);
    uint64_t *keys = path_keys(&n_keys, game, &l);
    tby_game_position(game, node, &pos);
    tby_fen_write_position(fen, sizeof fen, &pos, 0);
    answer_begin();
    json_open(NULL, '{');
    json_string("fen", fen);
    json_string("side", tby_position_side(&pos) == TBY_WHITE ? "white" : "black");
    json_number("ply", pos.ply);
    json_square("check", checked_king(&pos));
    last_move(game, node);
    moves_array(&pos);
    rules_members(&pos, keys, n_keys);
    nodes_array("path", l.nodes, l.n_path);
    nodes_array("line", l.nodes, l.n_nodes);
    tree_object(&pos);
    json_close('}');
    line_free(&l);
    memory_free(keys);
}

/* ---- A board alone ---------------------------------------------------------------------------------------- */

/* The position of a board; false, and the reason as the answer, if it is not playable. */
static bool read_position(tby_position *pos, const tby_setup *board)
{
    tby_error err;
    return tby_position_init(pos, board, TBY_FAULTS_UNREACHABLE, &err) == TBY_OK || answer_error(&err);
}

bool EXPORT(board_is_playable)(const tby_setup *board)
{
    tby_position pos;
    return tby_position_init(&pos, board, TBY_FAULTS_UNREACHABLE, NULL) == TBY_OK;
}

/* {"check":SQUARE or null,"moves":[MOVE...],"outcome":{...},...}: like game_view, without the data that needs a game.
   */
bool EXPORT(board_view)(const tby_setup *board)
{
    tby_position pos;
    if (!read_position(&pos, board))
        return false;
    const uint64_t key = tby_position_key(&pos);
    answer_begin();
    json_open(NULL, '{');
    json_square("check", checked_king(&pos));
    moves_array(&pos);
    rules_members(&pos, &key, 1);
    json_close('}');
    return true;
}

/* Plays a move; the answer is the move. */
bool EXPORT(board_play)(tby_setup *board, const char *s, size_t n)
{
    tby_position pos;
    tby_move move;
    tby_error err;
    if (!read_position(&pos, board))
        return false;
    if (tby_san_read(&move, &pos, s, n, 0, NULL, &err) != TBY_OK)
        return answer_error(&err);
    answer_begin();
    move_object(&pos, move);
    tby_position_play(&pos, move, NULL);
    tby_position_setup(board, &pos);
    return true;
}

/* The squares of the pieces of `side` that attack `square`. */
bool EXPORT(board_attackers)(const tby_setup *board, unsigned square, unsigned side)
{
    tby_position pos;
    if (square >= TBY_NO_SQUARE || !read_position(&pos, board))
        return false;
    const tby_bitboard pieces = tby_position_attackers(&pos, (tby_square)square, side ? TBY_BLACK : TBY_WHITE);
    answer_begin();
    json_open(NULL, '[');
    for (unsigned i = 0; i < TBY_NO_SQUARE; i++)
        if (pieces >> i & 1)
            json_square(NULL, (tby_square)i);
    json_close(']');
    return true;
}

/* The key of a position; 0 for an unplayable board. */
uint64_t EXPORT(board_key)(const tby_setup *board)
{
    tby_position pos;
    return tby_position_init(&pos, board, TBY_FAULTS_UNREACHABLE, NULL) == TBY_OK ? tby_position_key(&pos) : 0;
}

/* ---- The list of moves ---------------------------------------------------------------------------------- */

static void comments_array(const char *name, const tby_game *game, tby_node node, tby_comment_place place)
{
    json_open(name, '[');
    for (size_t i = 0; i < tby_game_n_comments(game, node, place); i++) {
        size_t n;
        const char *s = tby_game_comment(game, node, place, i, &n);
        json_text(NULL, s, n);
    }
    json_close(']');
}

static void shape_objects(const tby_command *command)
{
    for (size_t i = 0; i < command->n_marks; i++) {
        json_open(NULL, '{');
        json_text("color", &command->marks[i].color, 1);
        json_square("from", command->marks[i].from);
        json_square("to", command->type == TBY_COMMAND_ARROWS ? command->marks[i].to : TBY_NO_SQUARE);
        json_close('}');
    }
}

static void number_command(const tby_command *command)
{
    if (command->type == TBY_COMMAND_CLOCK)
        json_number("clock", command->value);
    else if (command->type == TBY_COMMAND_ELAPSED)
        json_number("elapsed", command->value);
    else if (command->type == TBY_COMMAND_EVAL)
        json_number(command->is_mate ? "mate" : "eval", command->value);
}

/* Visits the commands in the comments after a move: the drawing commands, or the others. */
static void commands(const tby_game *game, tby_node node, bool is_drawn)
{
    static tby_command command;
    for (size_t i = 0; i < tby_game_n_comments(game, node, TBY_COMMENT_AFTER); i++) {
        size_t n, at = 0;
        const char *s = tby_game_comment(game, node, TBY_COMMENT_AFTER, i, &n);
        while (tby_command_next(&command, s, n, &at))
            if (!is_drawn)
                number_command(&command);
            else if (command.type == TBY_COMMAND_SQUARES || command.type == TBY_COMMAND_ARROWS)
                shape_objects(&command);
    }
}

static void commands_members(const tby_game *game, tby_node node)
{
    if (tby_game_n_comments(game, node, TBY_COMMENT_AFTER) == 0)
        return;
    commands(game, node, false);
    json_open("shapes", '[');
    commands(game, node, true);
    json_close(']');
}

static void notes_members(const tby_game *game, tby_node node)
{
    json_open("nags", '[');
    for (size_t i = 0; i < tby_game_n_nags(game, node); i++) {
        char text[TBY_NAG_SIZE];
        tby_nag_write(text, sizeof text, tby_game_nag(game, node, i));
        json_string(NULL, text);
    }
    json_close(']');
    comments_array("before", game, node, TBY_COMMENT_BEFORE);
    comments_array("after", game, node, TBY_COMMENT_AFTER);
    commands_members(game, node);
}

static bool is_first_child(const tby_game *game, tby_node node)
{
    return tby_game_child(game, tby_game_parent(game, node)) == node;
}

/* The node that PGN writes after `node`: the variations of a move follow it, before the line continues. */
static tby_node next_written(const tby_game *game, tby_node node, int *depth)
{
    if (node != TBY_ROOT && is_first_child(game, node) && tby_game_sibling(game, node) != TBY_NO_NODE) {
        ++*depth;
        return tby_game_sibling(game, node);
    }
    while (tby_game_child(game, node) == TBY_NO_NODE) {
        while (node != TBY_ROOT && is_first_child(game, node))
            node = tby_game_parent(game, node);
        if (node == TBY_ROOT)
            return TBY_NO_NODE;
        if (tby_game_sibling(game, node) != TBY_NO_NODE)
            return tby_game_sibling(game, node);
        --*depth;
        node = tby_game_child(game, tby_game_parent(game, node));
    }
    return tby_game_child(game, node);
}

static void list_item(const tby_game *game, tby_node node, int depth)
{
    tby_position before;
    tby_game_position(game, tby_game_parent(game, node), &before);
    json_open(NULL, '{');
    json_number("node", node);
    json_number("depth", depth);
    json_bool("opens", !is_first_child(game, node));
    json_number("ply", (int64_t)before.ply + 1);
    json_san("san", &before, tby_game_move(game, node));
    notes_members(game, node);
    json_close('}');
}

void EXPORT(game_list)(const tby_game *game)
{
    int depth = 0;
    answer_begin();
    json_open(NULL, '{');
    json_open("tags", '{');
    for (size_t i = 0; i < tby_game_n_tags(game); i++)
        json_string(tby_game_tag_name(game, i), tby_game_tag_value(game, i));
    json_close('}');
    json_string("result", tby_result_text(tby_game_result(game)));
    json_bool("chess960", tby_game_is_chess960(game));
    json_bool("plain", tby_game_is_plain(game));
    notes_members(game, TBY_ROOT);
    json_open("moves", '[');
    for (tby_node n = TBY_ROOT; (n = next_written(game, n, &depth)) != TBY_NO_NODE;)
        list_item(game, n, depth);
    json_close(']');
    json_close('}');
}
