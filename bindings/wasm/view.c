/*
 * view.c - the data a page shows of a game: the position at a node, and the list of moves.
 *
 * game_view   {"fen":...,"side":"white","ply":0,"check":SQUARE or null,"last":{"from","to","san"} or null,
 *              "moves":[MOVE...],"outcome":{"result":"*","reason":null},"claims":[TEXT...],"repetitions":1,
 *              "path":[NODE...],"line":[NODE...],"tree":{"fen":...,"mark":TEXT or null}}
 *     MOVE    {"uci","san","short","from","to","rook":SQUARE or null,"promotion":LETTER or null,"piece":LETTER,
 *              "captured":LETTER or null,"capture":bool,"mark":TEXT or null}: in the order of the tree; the king may
 *              also be dropped on `rook` to castle; pieces have their letters in FEN
 * game_list   {"tags":{...},"result":"*","chess960":false,"plain":true,"before":[...],"after":[...],"moves":[ITEM...]}
 *     ITEM    {"node","depth","opens":bool,"ply","san","nags":[TEXT...],"nagNumbers":[NUMBER...],"before":[...],
 *              "after":[...]}: in the order of PGN; `opens` where a variation begins, `depth` 0 is the main line. Commands in comments become members too:
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
    answer_add("'outcome':{'result':%s,'reason':%s},'claims':[", tby_result_text(outcome.result),
               outcome.reason == TBY_REASON_NONE ? NULL : tby_reason_text(outcome.reason));
    if (outcome.result == TBY_RESULT_NONE && tby_repetition_can_claim(pos, keys, n_keys))
        answer_add("%s", tby_reason_text(TBY_THREEFOLD));
    if (outcome.result == TBY_RESULT_NONE && tby_move_clock_can_claim_fifty(pos))
        answer_add("%s", tby_reason_text(TBY_FIFTY_MOVES));
    answer_add("],'repetitions':%u", tby_repetition_count(keys, n_keys));
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

static const char *san_of(char out[TBY_SAN_SIZE], const tby_position *pos, tby_move move)
{
    if (move == TBY_MOVE_NULL)
        return "--";
    tby_san_write(out, TBY_SAN_SIZE, pos, move);
    return out;
}

static void move_object(const tby_position *pos, tby_move move)
{
    char uci[TBY_UCI_SIZE], san[TBY_SAN_SIZE], text[TBY_SHORT_MOVE_SIZE];
    const char piece[] = {piece_letter(tby_board_piece(&pos->board, TBY_MOVE_FROM(move))), '\0'};
    const char captured[] = {piece_letter(tby_move_captured(pos, move)), '\0'};
    const bool is_capture = captured[0] != '.';
    tby_position after = *pos;
    tby_uci_write(uci, sizeof uci, pos, move, 0);
    tby_short_move_write(text, sizeof text, pos, move);
    tby_position_play(&after, move, NULL);
    answer_add("{'uci':%s,'san':%s,'short':%s,'from':%s,'to':%s,'rook':%s,'promotion':%s,'piece':%s", uci,
               san_of(san, pos, move), text, square_name(TBY_MOVE_FROM(move)), square_name(tby_move_destination(move)),
               square_name(TBY_MOVE_IS_CASTLING(move) ? TBY_MOVE_TO(move) : TBY_NO_SQUARE),
               TBY_MOVE_IS_PROMOTION(move) ? uci + 4 : NULL, piece);
    answer_add("'captured':%s,'capture':%i,'mark':%s}", is_capture ? captured : NULL, is_capture, mark_of(&after));
}

static void moves_array(const tby_position *pos)
{
    static tby_move moves[TBY_MOVES_MAX];
    const size_t n_moves = tby_moves_list(moves, pos);
    tby_moves_sort(moves, n_moves);
    answer_add("'moves':[");
    for (size_t i = 0; i < n_moves; i++)
        move_object(pos, moves[i]);
    answer_add("]");
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
        answer_add("'last':null");
        return;
    }
    const tby_move move = tby_game_move(game, node);
    const bool is_null = move == TBY_MOVE_NULL;
    char san[TBY_SAN_SIZE];
    tby_position before;
    tby_game_position(game, tby_game_parent(game, node), &before);
    answer_add("'last':{'from':%s,'to':%s,'san':%s}", is_null ? NULL : square_name(TBY_MOVE_FROM(move)),
               is_null ? NULL : square_name(tby_move_destination(move)), san_of(san, &before, move));
}

static void nodes_array(const tby_node *nodes, size_t n_nodes)
{
    for (size_t i = 0; i < n_nodes; i++)
        answer_add("%u", (unsigned)nodes[i]);
    answer_add("]");
}

/* The second line of a node in the tree of chess: FEN without the move number. */
static void tree_object(const tby_position *pos)
{
    char fen[TBY_FEN_SIZE];
    size_t n = tby_fen_write_position(fen, sizeof fen, pos, TBY_FEN_EP_LEGAL);
    while (n > 0 && fen[n - 1] != ' ')
        n--;
    answer_add("'tree':{'fen':%.*s,'mark':%s}", n ? (int)n - 1 : 0, fen, mark_of(pos));
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
    answer_begin("{'fen':%s,'side':%s,'ply':%u,'check':%s", fen,
                 tby_position_side(&pos) == TBY_WHITE ? "white" : "black", (unsigned)pos.ply,
                 square_name(checked_king(&pos)));
    last_move(game, node);
    moves_array(&pos);
    rules_members(&pos, keys, n_keys);
    answer_add("'path':[");
    nodes_array(l.nodes, l.n_path);
    answer_add("'line':[");
    nodes_array(l.nodes, l.n_nodes);
    tree_object(&pos);
    answer_add("}");
    line_free(&l);
    memory_free(keys);
}

/* ---- A board alone ---------------------------------------------------------------------------------------- */

/* {"check":SQUARE or null,"moves":[MOVE...],"outcome":{...},...}: like game_view, without the data that needs a game.
   */
bool EXPORT(board_view)(const tby_setup *board)
{
    tby_position pos;
    if (!board_position(&pos, board))
        return false;
    const uint64_t key = tby_position_key(&pos);
    answer_begin("{'check':%s", square_name(checked_king(&pos)));
    moves_array(&pos);
    rules_members(&pos, &key, 1);
    answer_add("}");
    return true;
}

/* Plays a move; the answer is the move. */
bool EXPORT(board_play)(tby_setup *board, const char *s, size_t n)
{
    tby_position pos;
    tby_move move;
    tby_error err;
    if (!board_position(&pos, board))
        return false;
    if (tby_san_read(&move, &pos, s, n, 0, NULL, &err) != TBY_OK)
        return answer_move_error(&err, &pos, s, n);
    buffer_clear(&answer);
    move_object(&pos, move);
    tby_position_play(&pos, move, NULL);
    tby_position_setup(board, &pos);
    return true;
}

/* The squares of the pieces of `side` that attack `square`. */
bool EXPORT(board_attackers)(const tby_setup *board, unsigned square, unsigned side)
{
    tby_position pos;
    if (square >= TBY_NO_SQUARE || !board_position(&pos, board))
        return false;
    const tby_bitboard pieces = tby_position_attackers(&pos, (tby_square)square, side ? TBY_BLACK : TBY_WHITE);
    answer_begin("[");
    for (unsigned i = 0; i < TBY_NO_SQUARE; i++)
        if (pieces >> i & 1)
            answer_add("%s", square_name((tby_square)i));
    answer_add("]");
    return true;
}

/* The key of a position; 0 for an unplayable board. */
uint64_t EXPORT(board_key)(const tby_setup *board)
{
    tby_position pos;
    return board_position(&pos, board) ? tby_position_key(&pos) : 0;
}

/* ---- The list of moves ---------------------------------------------------------------------------------- */

/* What follows the opening bracket. */
static void comments_array(const tby_game *game, tby_node node, tby_comment_place place)
{
    for (size_t i = 0; i < tby_game_n_comments(game, node, place); i++) {
        size_t n;
        const char *s = tby_game_comment(game, node, place, i, &n);
        answer_add("%.*s", (int)n, s);
    }
    answer_add("]");
}

static void shape_objects(const tby_command *command)
{
    for (size_t i = 0; i < command->n_marks; i++)
        answer_add("{'color':%.*s,'from':%s,'to':%s}", 1, &command->marks[i].color, square_name(command->marks[i].from),
                   square_name(command->type == TBY_COMMAND_ARROWS ? command->marks[i].to : TBY_NO_SQUARE));
}

/* If there are several values of a kind, the first one counts; `seen` has a bit for each kind. */
static void number_command(const tby_command *command, unsigned *seen)
{
    const char *name = command->type == TBY_COMMAND_CLOCK     ? "clock"
                       : command->type == TBY_COMMAND_ELAPSED ? "elapsed"
                       : command->type != TBY_COMMAND_EVAL    ? NULL
                       : command->is_mate                     ? "mate"
                                                              : "eval";
    if (name && !(*seen & 1U << command->type))
        answer_add("%s:%lld", name, (long long)command->value);
    *seen |= 1U << command->type;
}

/* Visits the commands in the comments after a move: the drawing commands, or the others. */
static void commands(const tby_game *game, tby_node node, bool is_drawn)
{
    static tby_command command;
    unsigned seen = 0;
    for (size_t i = 0; i < tby_game_n_comments(game, node, TBY_COMMENT_AFTER); i++) {
        size_t n, at = 0;
        const char *s = tby_game_comment(game, node, TBY_COMMENT_AFTER, i, &n);
        while (tby_command_next(&command, s, n, &at))
            if (!is_drawn)
                number_command(&command, &seen);
            else if (command.type == TBY_COMMAND_SQUARES || command.type == TBY_COMMAND_ARROWS)
                shape_objects(&command);
    }
}

static void commands_members(const tby_game *game, tby_node node)
{
    if (tby_game_n_comments(game, node, TBY_COMMENT_AFTER) == 0)
        return;
    commands(game, node, false);
    answer_add("'shapes':[");
    commands(game, node, true);
    answer_add("]");
}

static void notes_members(const tby_game *game, tby_node node)
{
    answer_add("'nags':[");
    for (size_t i = 0; i < tby_game_n_nags(game, node); i++) {
        char text[TBY_NAG_SIZE];
        tby_nag_write(text, sizeof text, tby_game_nag(game, node, i));
        answer_add("%s", text);
    }
    answer_add("],'nagNumbers':[");
    for (size_t i = 0; i < tby_game_n_nags(game, node); i++)
        answer_add("%u", (unsigned)tby_game_nag(game, node, i));
    answer_add("],'before':[");
    comments_array(game, node, TBY_COMMENT_BEFORE);
    answer_add("'after':[");
    comments_array(game, node, TBY_COMMENT_AFTER);
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
    char san[TBY_SAN_SIZE];
    tby_position before;
    tby_game_position(game, tby_game_parent(game, node), &before);
    answer_add("{'node':%u,'depth':%d,'opens':%i,'ply':%u,'san':%s", (unsigned)node, depth, !is_first_child(game, node),
               (unsigned)before.ply + 1, san_of(san, &before, tby_game_move(game, node)));
    notes_members(game, node);
    answer_add("}");
}

void EXPORT(game_list)(const tby_game *game)
{
    int depth = 0;
    answer_begin("{'tags':");
    tby_json_write_tags(game, buffer_sink, &answer);
    answer_add("'result':%s,'chess960':%i,'plain':%i", tby_result_text(tby_game_result(game)),
               tby_game_is_chess960(game), tby_game_is_plain(game));
    notes_members(game, TBY_ROOT);
    answer_add("'moves':[");
    for (tby_node n = TBY_ROOT; (n = next_written(game, n, &depth)) != TBY_NO_NODE;)
        list_item(game, n, depth);
    answer_add("]}");
}
