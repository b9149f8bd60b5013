/*
 * query_truth.h - a second evaluator of queries, as simple as possible: ply by ply, with tby_position, square by
 * square.
 *
 * It shares the reader's tree with the library and nothing else. `either`, `mirror` and `shift` do not transform the
 * fact here; they transform the board it is checked against: each square of the fact is mapped to its image on the real
 * board.
 */
#ifndef QUERY_TRUTH_H
#define QUERY_TRUTH_H

#include "codec_support.h"
#include "query/facts.h"
#include "tabiya_db.h"

#include <ctype.h>

enum { TRUTH_PLIES = 700, TRUTH_VIEWS = 128 };

/* A game in all the forms that queries are evaluated on. */
typedef struct truth_game {
    tby_game *tree;
    tby_batch *batch; /* a batch with this game alone */
    tby_row row;
    tby_game_id id;
    size_t n; /* positions */
    tby_position positions[TRUTH_PLIES];
    tby_move moves[TRUTH_PLIES];
    tby_node nodes[TRUTH_PLIES];
} truth_game;

/* How a fact is transformed: its prefixes, outermost first. */
typedef struct view {
    char ops[TRUTH_VIEWS]; /* 'e', 'm', 's' */
    int files[TRUTH_VIEWS];
    int n;
} view;

static inline view view_with(const view *v, char op, int files)
{
    view w = *v;
    assert_true(w.n < TRUTH_VIEWS);
    w.ops[w.n] = op;
    w.files[w.n++] = files;
    return w;
}

static inline bool view_has(const view *v, char op)
{
    int n = 0;
    for (int i = 0; i < v->n; i++)
        n += v->ops[i] == op && (op != 's' || v->files[i] != 0);
    return op == 's' ? n > 0 : n % 2;
}

/* Where a square of a fact is on the real board; -1: outside. */
static inline int view_square(const view *v, int square)
{
    int file = square & 7, rank = square >> 3;
    for (int i = v->n; i-- > 0;) {
        if (v->ops[i] == 'e')
            rank = 7 - rank;
        else if (v->ops[i] == 'm')
            file = 7 - file;
        else if ((file += v->files[i]) < 0 || file > 7)
            return -1;
    }
    return rank * 8 + file;
}

/* A real piece as the fact sees it. */
static inline unsigned view_piece(const view *v, tby_piece piece)
{
    return piece && view_has(v, 'e') ? piece ^ 8U : piece;
}

/* ---- Pieces ------------------------------------------------------------------------------------------------- */

static inline bool truth_piece_at(const view *v, const tby_position *pos, uint16_t pieces, int real)
{
    return pieces >> view_piece(v, tby_board_piece(&pos->board, (tby_square)real)) & 1;
}

/* Does the real square belong to the squares of a fact? */
static inline bool truth_on(const view *v, const query_who *who, int real)
{
    if (who->is_anywhere)
        return true;
    for (int square = 0; square < 64; square++)
        if (who->squares >> square & 1 && view_square(v, square) == real)
            return true;
    return false;
}

static inline int truth_count(const view *v, const tby_position *pos, const query_who *who)
{
    int n = 0;
    for (int square = 0; square < 64; square++) {
        const int real = who->is_anywhere ? square : view_square(v, square);
        if (real >= 0 && (who->is_anywhere || who->squares >> square & 1))
            n += truth_piece_at(v, pos, who->pieces, real);
    }
    return n;
}

static inline int truth_points(const view *v, const tby_position *pos)
{
    static const int values[8] = {[TBY_PAWN] = 1, [TBY_KNIGHT] = 3, [TBY_BISHOP] = 3, [TBY_ROOK] = 5, [TBY_QUEEN] = 9};
    int sum = 0;
    for (int square = 0; square < 64; square++) {
        const tby_piece piece = tby_board_piece(&pos->board, (tby_square)square);
        sum += piece > 8 ? -values[piece & 7] : values[piece & 7];
    }
    return view_has(v, 'e') ? -sum : sum;
}

static inline bool truth_compare(unsigned op, int64_t a, int64_t b)
{
    return op == OP_EQUAL        ? a == b
           : op == OP_UNEQUAL    ? a != b
           : op == OP_LESS       ? a < b
           : op == OP_LESS_EQUAL ? a <= b
           : op == OP_MORE       ? a > b
                                 : a >= b;
}

static inline bool truth_count_fact(const tby_query *q, const view *v, const query_node *node, const tby_position *pos)
{
    int64_t sides[2] = {0, 0};
    for (uint32_t i = 0; i < node->n_kids; i++) {
        const query_node *term = tree_node(&q->tree, tree_kid(&q->tree, node, i));
        int64_t *side = &sides[i >= node->number];
        *side += term->type == Q_TERM_NUMBER   ? term->number
                 : term->type == Q_TERM_POINTS ? truth_points(v, pos)
                 : term->type == Q_TERM_LEGAL  ? (int64_t)tby_moves_count(pos)
                                               : truth_count(v, pos, &term->u.m.who[0]);
    }
    return truth_compare(node->op, sides[0], sides[1]);
}

static inline bool truth_material(const view *v, const query_node *node, const tby_position *pos)
{
    for (int side = 0; side < 2; side++)
        for (int kind = 1; kind <= 6; kind++) {
            const query_who who = {.pieces = (uint16_t)(1U << (kind + 8 * side)), .is_anywhere = 1};
            const int n = truth_count(v, pos, &who), least = node->u.material.least[side][kind];
            if (n < least || (n > least && !node->u.material.is_open[side][kind]))
                return false;
        }
    return true;
}

/* Asks the library, for each square, for the attackers of both colours. */
static inline bool truth_attacks(const view *v, const query_node *node, const tby_position *pos)
{
    for (int to = 0; to < 64; to++) {
        if (!truth_on(v, &node->u.m.who[1], to) || !truth_piece_at(v, pos, node->u.m.who[1].pieces, to))
            continue;
        const tby_bitboard from = tby_position_attackers(pos, (tby_square)to, TBY_WHITE) |
                                  tby_position_attackers(pos, (tby_square)to, TBY_BLACK);
        for (int real = 0; real < 64; real++)
            if (from >> real & 1 && truth_on(v, &node->u.m.who[0], real) &&
                truth_piece_at(v, pos, node->u.m.who[0].pieces, real))
                return true;
    }
    return false;
}

static inline bool truth_opposite_bishops(const tby_position *pos)
{
    int n[2] = {0, 0}, color[2] = {0, 0};
    for (int square = 0; square < 64; square++) {
        const tby_piece piece = tby_board_piece(&pos->board, (tby_square)square);
        if ((piece & 7) == TBY_BISHOP) {
            n[piece >> 3]++;
            color[piece >> 3] = (square + square / 8) & 1;
        }
    }
    return n[0] == 1 && n[1] == 1 && color[0] != color[1];
}

static inline bool truth_board(const view *v, const query_node *node, const tby_position *pos)
{
    if (view_has(v, 's'))
        return false;
    for (int square = 0; square < 64; square++)
        if (view_piece(v, tby_board_piece(&pos->board, (tby_square)view_square(v, square))) !=
            tby_board_piece(&node->u.board.board, (tby_square)square))
            return false;
    if (node->type == Q_BOARD)
        return true;
    tby_bitboard castling = 0;
    for (int square = 0; square < 64; square++)
        if (node->u.board.castling >> square & 1 && !view_has(v, 'm'))
            castling |= 1ULL << view_square(v, square);
    const tby_square wanted = node->u.board.en_passant;
    return pos->castling == castling && tby_position_side(pos) == (node->u.board.side ^ view_has(v, 'e')) &&
           tby_position_en_passant_legal(pos) ==
               (wanted == TBY_NO_SQUARE ? TBY_NO_SQUARE : (tby_square)view_square(v, wanted));
}

/* The castling rights as letters of Shredder-FEN, which name the rooks. */
static inline int truth_rights(const tby_position *pos)
{
    char fen[TBY_FEN_SIZE];
    int rights = 0;
    tby_fen_write_position(fen, sizeof fen, pos, TBY_FEN_SHREDDER);
    const char *field = strchr(strchr(fen, ' ') + 1, ' ') + 1;
    for (; *field != ' ' && *field != '-'; field++) {
        const bool is_black = *field >= 'a';
        const int file = is_black ? *field - 'a' : *field - 'A';
        const tby_bitboard king = tby_board_pieces(&pos->board, TBY_PIECE(is_black, TBY_KING));
        rights |= (file > TBY_FILE((tby_square)__builtin_ctzll(king)) ? 1 : 2) << (2 * is_black);
    }
    return rights;
}

static inline int truth_flip_rights(const view *v, int rights)
{
    return view_has(v, 'e') ? (rights >> 2) | (rights & 3) << 2 : rights;
}

/* ---- Moves ----------------------------------------------------------------------------------------------- */

static inline bool truth_move(const view *v, const query_node *node, const truth_game *g, size_t ply)
{
    const tby_move m = g->moves[ply];
    const tby_position *pos = &g->positions[ply], *next = &g->positions[ply + 1];
    const int from = TBY_MOVE_FROM(m), to = tby_move_destination(m);
    const tby_piece captured = tby_move_captured(pos, m);
    if (!truth_on(v, &node->u.m.who[0], from) || !truth_piece_at(v, pos, node->u.m.who[0].pieces, from) ||
        !truth_on(v, &node->u.m.who[1], to))
        return false;
    if (node->u.m.is_capture && (!captured || !(node->u.m.who[1].pieces >> view_piece(v, captured) & 1)))
        return false;
    if (node->u.m.promotion && (!TBY_MOVE_IS_PROMOTION(m) || !truth_piece_at(v, next, node->u.m.promotion, to)))
        return false;
    return node->u.m.mark == '#'   ? tby_position_is_checkmate(next)
           : node->u.m.mark == '+' ? tby_position_is_check(next)
                                   : true;
}

/* Follows a piece: where it is after every move. */
static inline bool truth_path(const view *v, const query_node *node, const truth_game *g, size_t ply)
{
    int at = view_square(v, node->u.path.squares[0]), done = 0;
    if (at < 0 || TBY_MOVE_FROM(g->moves[ply]) != at || !truth_piece_at(v, &g->positions[ply], node->u.path.pieces, at))
        return false;
    const tby_color owner = tby_position_side(&g->positions[ply]);
    for (; ply + 1 < g->n; ply++) {
        const tby_move m = g->moves[ply];
        const tby_position *next = &g->positions[ply + 1];
        const tby_color mover = tby_position_side(&g->positions[ply]);
        if (mover == owner && TBY_MOVE_FROM(m) == at) {
            at = tby_move_destination(m);
            if (at != view_square(v, node->u.path.squares[++done]))
                return false;
            if (done + 1 == node->u.path.n)
                return true;
            if (TBY_MOVE_IS_PROMOTION(m))
                return false;
        } else {
            const tby_piece before = tby_board_piece(&g->positions[ply].board, (tby_square)at);
            if (tby_board_piece(&next->board, (tby_square)at) != before)
                return false; /* captured, or moved by castling */
        }
    }
    return false;
}

static inline bool truth_castles(const view *v, const query_node *node, const truth_game *g, size_t ply)
{
    char san[TBY_SAN_SIZE];
    tby_san_write(san, sizeof san, &g->positions[ply], g->moves[ply]);
    if (san[0] != 'O' || view_has(v, 'm') || view_has(v, 's'))
        return false;
    const int bit = (strncmp(san, "O-O-O", 5) == 0 ? 2 : 1) << (2 * tby_position_side(&g->positions[ply]));
    return truth_flip_rights(v, bit) == node->number;
}

/* ---- Notes: from the tree, not from the record ------------------------------------------------------------ */

/* All comments after the move to a ply, joined by line ends. */
static inline void truth_comments(const truth_game *g, size_t ply, char out[4096])
{
    out[0] = '\0';
    for (int before = 0; before < 2; before++) {
        const size_t at = ply + (size_t)before;
        if (at >= g->n || (before && at == 0))
            continue;
        const tby_comment_place place = before ? TBY_COMMENT_BEFORE : TBY_COMMENT_AFTER;
        for (size_t i = 0; i < tby_game_n_comments(g->tree, g->nodes[at], place); i++) {
            size_t n;
            const char *text = tby_game_comment(g->tree, g->nodes[at], place, i, &n);
            assert_true(strlen(out) + n + 2 < 4096);
            strncat(out, text, n);
            strcat(out, "\n");
        }
    }
}

static inline bool truth_number_behind(const char *comments, const char *command, double *out)
{
    const char *at = strstr(comments, command);
    if (!at)
        return false;
    at += strlen(command);
    if (*at == '#') {
        *out = at[1] == '-' ? -1000 : 1000;
        return true;
    }
    int hours, minutes;
    double seconds;
    if (sscanf(at, "%d:%d:%lf", &hours, &minutes, &seconds) == 3) {
        *out = hours * 3600 + minutes * 60 + seconds;
        return true;
    }
    return sscanf(at, "%lf", out) == 1;
}

static inline bool truth_value(const view *v, const query_node *node, const truth_game *g, size_t ply)
{
    char comments[4096];
    double value;
    truth_comments(g, ply, comments);
    if (ply == 0 || !truth_number_behind(
                        comments, strcmp(query_facts[node->type].word, "eval") == 0 ? "[%eval " : "[%clk ", &value))
        return false;
    if (strcmp(query_facts[node->type].word, "eval") == 0 && view_has(v, 'e'))
        value = -value;
    const int64_t millionths = (int64_t)(value * 1e6 + (value < 0 ? -0.5 : 0.5));
    return truth_compare(node->op, millionths, node->number);
}

static inline bool truth_nag(const query_node *node, const truth_game *g, size_t ply)
{
    for (size_t i = 0; ply > 0 && i < tby_game_n_nags(g->tree, g->nodes[ply]); i++)
        if (tby_game_nag(g->tree, g->nodes[ply], i) == node->number)
            return true;
    return false;
}

/* ---- Texts: plain letters only ----------------------------------------------------------------------------- */

static inline bool truth_is_letter(char c) { return (c >= '0' && c <= '9') || ((c | 32) >= 'a' && (c | 32) <= 'z'); }
static inline char truth_small(char c) { return (char)(c >= 'A' && c <= 'Z' ? c + 32 : c); }

static inline bool truth_has_word(const char *s, const char *word, size_t n)
{
    for (size_t i = 0; s[i]; i++) {
        size_t length = 0;
        if (!truth_is_letter(s[i]) || (i > 0 && truth_is_letter(s[i - 1])))
            continue;
        while (truth_is_letter(s[i + length]))
            length++;
        bool is_same = length == n;
        for (size_t j = 0; j < n && is_same; j++)
            is_same = truth_small(s[i + j]) == truth_small(word[j]);
        if (is_same)
            return true;
    }
    return false;
}

static inline bool truth_pattern(const char *pattern, const char *s)
{
    if (*pattern == '*')
        return truth_pattern(pattern + 1, s) || (*s && truth_pattern(pattern, s + 1));
    return *pattern ? *s && truth_small(*pattern) == truth_small(*s) && truth_pattern(pattern + 1, s + 1) : !*s;
}

static inline bool truth_text(const tby_query *q, const query_node *node, const char *value)
{
    const char *text = query_bytes(q, node->u.t.text);
    bool has_letters = false;
    if (!value)
        return !*text;
    if (node->way == TEXT_EXACT)
        return strcmp(value, text) == 0;
    if (strchr(text, '*'))
        return truth_pattern(text, value);
    for (size_t i = 0; text[i]; i++) {
        size_t n = 0;
        while (truth_is_letter(text[i + n]))
            n++;
        if (n == 0)
            continue;
        has_letters = true;
        if (!truth_has_word(value, text + i, n))
            return false;
        i += n - 1;
    }
    return has_letters || strcmp(value, text) == 0;
}

static inline bool truth_comment(const tby_query *q, const query_node *node, const truth_game *g, size_t ply)
{
    char comments[4096], plain[4096];
    size_t n = 0;
    truth_comments(g, ply, comments);
    for (const char *s = comments; *s; s++) {
        if (s[0] == '[' && s[1] == '%' && strchr(s, ']')) {
            s = strchr(s, ']');
            continue;
        }
        if (*s == ' ' || *s == '\n') {
            if (n > 0 && plain[n - 1] != ' ')
                plain[n++] = ' ';
        } else {
            plain[n++] = *s;
        }
    }
    while (n > 0 && plain[n - 1] == ' ')
        n--;
    plain[n] = '\0';
    return n > 0 && truth_text(q, node, plain);
}

/* ---- Games ------------------------------------------------------------------------------------------------- */

static inline const char *truth_tag(const truth_game *g, const char *name) { return tby_game_tag(g->tree, name); }

static inline bool truth_elo(const query_node *node, const char *elo)
{
    const int number = elo ? atoi(elo) : 0;
    return number > 0 && number >= node->u.range.low && number <= node->u.range.high;
}

static inline bool truth_in(const query_node *node, int64_t number)
{
    return number >= node->u.range.low && number <= node->u.range.high;
}

static inline bool truth_date(const query_node *node, const truth_game *g)
{
    const char *date = truth_tag(g, "Date");
    if (!date || strcmp(date, "????.\?\?.??") == 0)
        date = truth_tag(g, "UTCDate");
    if (!date || strcmp(date, "????.\?\?.??") == 0)
        return false;
    const int64_t low = node->u.range.low, high = node->u.range.high;
    for (int year = low > 0 ? (int)(low / 10000) : 1; year <= 9999 && (int64_t)year * 10000 <= high; year++)
        for (int day = 0; day < 12 * 31; day++) {
            char text[48];
            const int64_t number = year * 10000 + (day / 31 + 1) * 100 + day % 31 + 1;
            bool fits = number >= low && number <= high;
            snprintf(text, sizeof text, "%04d.%02d.%02d", year, day / 31 + 1, day % 31 + 1);
            for (size_t i = 0; i < 10 && fits; i++)
                fits = date[i] == '?' || date[i] == text[i];
            if (fits)
                return true;
        }
    return false;
}

static inline bool truth_opening(const tby_query *q, const query_node *node, const truth_game *g)
{
    tby_packed cursor;
    const query_span text = node->u.t.text;
    assert_true(tby_packed_begin(&cursor, (const uint8_t *)query_bytes(q, text), text.n));
    if (!tby_position_same(&cursor.pos, &g->positions[0]))
        return false;
    for (size_t i = 0;; i++) {
        const tby_move m = tby_packed_next(&cursor);
        if (m == TBY_MOVE_NONE)
            return true;
        if (i + 1 >= g->n || g->moves[i] != m)
            return false;
    }
}

static inline bool truth_named(const tby_query *q, const query_node *node, const truth_game *g)
{
    tby_opening opening, found;
    const char *name = NULL;
    for (size_t i = 0; i < g->n; i++)
        if (tby_opening_of(&opening, &g->positions[i])) {
            found = opening;
            name = found.name;
        }
    return truth_text(q, node, name);
}

static inline int truth_speed(const truth_game *g)
{
    const char *control = truth_tag(g, "TimeControl");
    int moves, base, increment = 0;
    if (!control)
        return TBY_SPEED_NONE;
    if (strcmp(control, "-") == 0 || strncmp(control, "1/", 2) == 0)
        return TBY_SPEED_CORRESPONDENCE;
    if (sscanf(control, "%d/%d+%d", &moves, &base, &increment) < 2 && sscanf(control, "%d+%d", &base, &increment) < 1)
        return TBY_SPEED_NONE;
    base += 40 * increment;
    return base < 180    ? TBY_SPEED_BULLET
           : base < 480  ? TBY_SPEED_BLITZ
           : base < 1500 ? TBY_SPEED_RAPID
                         : TBY_SPEED_CLASSICAL;
}

static inline bool truth_is_annotated(const truth_game *g)
{
    for (tby_node node = 0; node < tby_game_n_nodes(g->tree); node++)
        if (tby_game_n_comments(g->tree, node, TBY_COMMENT_AFTER) ||
            tby_game_n_comments(g->tree, node, TBY_COMMENT_BEFORE) || tby_game_n_nags(g->tree, node) ||
            tby_game_sibling(g->tree, node) != TBY_NO_NODE)
            return true;
    return false;
}

static inline bool truth_eco(const tby_query *q, const query_node *node, const truth_game *g)
{
    tby_opening opening;
    const char *eco = truth_tag(g, "ECO");
    for (size_t i = 0; !truth_tag(g, "ECO") && i < g->n; i++)
        if (tby_opening_of(&opening, &g->positions[i]))
            eco = opening.eco;
    if (node->way != TEXT_CODES)
        return truth_text(q, node, eco);
    const query_span low = node->u.t.text, high = node->u.t.name;
    return eco && strncmp(eco, query_bytes(q, low), low.n) >= 0 && strncmp(eco, query_bytes(q, high), high.n) <= 0;
}

/* A text with ten digits for each number, in lower case: then bytes compare as the texts should. */
static inline void truth_sort_key(char *out, const char *s)
{
    while (*s) {
        const size_t digits = strspn(s, "0123456789");
        if (digits)
            out += sprintf(out, "%010lu", strtoul(s, NULL, 10));
        else
            *out++ = (char)tolower((unsigned char)*s);
        s += digits ? digits : 1;
    }
    *out = '\0';
}

static inline bool truth_relation(const tby_query *q, const query_node *node, const char *name, const char *value)
{
    char asked[100], keys[2][600], *end;
    snprintf(asked, sizeof asked, "%.*s", (int)node->u.t.text.n, query_bytes(q, node->u.t.text));
    const double number = strtod(asked, &end);
    if (!value || !*value || *value == '?')
        return false;
    if (end == asked || *end) {
        truth_sort_key(keys[0], value);
        truth_sort_key(keys[1], asked);
        return truth_compare(node->op, strcmp(keys[0], keys[1]), 0);
    }
    int moves, seconds;
    if (strcmp(name, "TimeControl") == 0 &&
        (sscanf(value, "%d/%d", &moves, &seconds) == 2 || sscanf(value, "%d", &seconds) == 1))
        return truth_compare(node->op, seconds * 1000, (int64_t)(number * 1000));
    const double own = strtod(value, &end);
    return end != value && !*end && truth_compare(node->op, (int64_t)(own * 1000), (int64_t)(number * 1000));
}

static inline bool truth_elo_diff(const query_node *node, const char *white, const char *black)
{
    const int a = white ? atoi(white) : 0, b = black ? atoi(black) : 0;
    return a > 0 && b > 0 && a <= 9999 && b <= 9999 && truth_in(node, a - b);
}

static inline bool truth_game_fact(const tby_query *q, const view *v, const query_node *node, const truth_game *g)
{
    const bool flips = view_has(v, 'e');
    const char *white = truth_tag(g, flips ? "Black" : "White"), *black = truth_tag(g, flips ? "White" : "Black");
    const char *white_elo = truth_tag(g, flips ? "BlackElo" : "WhiteElo"),
               *black_elo = truth_tag(g, flips ? "WhiteElo" : "BlackElo");
    static const tby_result turned[] = {TBY_RESULT_NONE, TBY_BLACK_WINS, TBY_WHITE_WINS, TBY_DRAW};
    const tby_result result = tby_game_result(g->tree);
    const char *word = query_facts[node->type].word;
#define IS(name) (strcmp(word, name) == 0)
    if (!word)
        fail_msg("no fact: %d", node->type);
    if (IS("white"))
        return truth_text(q, node, white);
    if (IS("black"))
        return truth_text(q, node, black);
    if (IS("player"))
        return truth_text(q, node, white) || truth_text(q, node, black);
    if (IS("event"))
        return truth_text(q, node, truth_tag(g, "Event"));
    if (IS("site"))
        return truth_text(q, node, truth_tag(g, "Site"));
    if (IS("place"))
        return truth_text(q, node, truth_tag(g, "Event")) || truth_text(q, node, truth_tag(g, "Site"));
    if (IS("round"))
        return truth_text(q, node, truth_tag(g, "Round"));
    if (IS("timecontrol"))
        return truth_text(q, node, truth_tag(g, "TimeControl"));
    if (IS("termination"))
        return truth_text(q, node, truth_tag(g, "Termination"));
    if (IS("title"))
        return truth_text(q, node, truth_tag(g, "WhiteTitle")) || truth_text(q, node, truth_tag(g, "BlackTitle"));
    if (IS("white-title"))
        return truth_text(q, node, truth_tag(g, "WhiteTitle"));
    if (IS("black-title"))
        return truth_text(q, node, truth_tag(g, "BlackTitle"));
    if (IS("tag"))
        return node->op ? truth_relation(q, node, query_bytes(q, node->u.t.name),
                                         truth_tag(g, query_bytes(q, node->u.t.name)))
                        : truth_text(q, node, truth_tag(g, query_bytes(q, node->u.t.name)));
    if (IS("named"))
        return truth_named(q, node, g);
    if (IS("eco"))
        return truth_eco(q, node, g);
    if (IS("elo"))
        return truth_elo(node, white_elo) && truth_elo(node, black_elo);
    if (IS("white-elo"))
        return truth_elo(node, white_elo);
    if (IS("black-elo"))
        return truth_elo(node, black_elo);
    if (IS("any-elo"))
        return truth_elo(node, white_elo) || truth_elo(node, black_elo);
    if (IS("elo-diff"))
        return truth_elo_diff(node, white_elo, black_elo);
    if (IS("date"))
        return truth_date(node, g);
    if (IS("plies"))
        return truth_in(node, (int64_t)g->n - 1);
    if (IS("id"))
        return truth_in(node, g->id);
    if (IS("result"))
        return (flips ? turned[result] : result) == (tby_result)node->number;
    if (IS("speed"))
        return truth_speed(g) == node->number;
    if (IS("opening"))
        return truth_opening(q, node, g);
    if (IS("rated"))
        return truth_tag(g, "Event") && truth_has_word(truth_tag(g, "Event"), "rated", 5);
    if (IS("annotated"))
        return truth_is_annotated(g);
#undef IS
    fail_msg("no fact: %s", word);
    return false;
}

/* ---- Facts ------------------------------------------------------------------------------------------------- */

static inline int truth_repeats(const truth_game *g, size_t ply)
{
    int n = 0;
    for (size_t i = 0; i <= ply; i++)
        n += tby_position_same(&g->positions[i], &g->positions[ply]);
    return n;
}

/* How many pieces give check, each examined alone. */
static inline int truth_checkers(const tby_position *pos)
{
    const tby_color us = tby_position_side(pos);
    int n = 0;
    for (int square = 0; square < 64; square++) {
        const tby_piece piece = tby_board_piece(&pos->board, (tby_square)square);
        if (piece == TBY_NO_PIECE || (piece >> 3) == (int)us)
            continue;
        /* The other pieces of that side still block, but as pawns of the side in check. */
        tby_position alone = *pos;
        for (int other = 0; other < 64; other++) {
            const tby_piece enemy = tby_board_piece(&pos->board, (tby_square)other);
            if (other == square || enemy == TBY_NO_PIECE || (enemy >> 3) == (int)us)
                continue;
            const uint64_t bit = 1ULL << other, pawn = TBY_PIECE(us, TBY_PAWN);
            for (int plane = 0; plane < 4; plane++)
                alone.board.plane[plane] = (alone.board.plane[plane] & ~bit) | (pawn >> plane & 1 ? bit : 0);
        }
        n += tby_position_is_check(&alone);
    }
    return n;
}

/* Only kings, with at most one knight or with bishops all on squares of one colour (FIDE 5.2.2). */
static inline bool truth_insufficient(const tby_position *pos)
{
    int n_knights = 0, n_bishops[2] = {0, 0};
    for (int square = 0; square < 64; square++) {
        const tby_piece piece = tby_board_piece(&pos->board, (tby_square)square);
        if (piece == TBY_NO_PIECE || TBY_PIECE_KIND(piece) == TBY_KING)
            continue;
        if (TBY_PIECE_KIND(piece) == TBY_KNIGHT)
            n_knights++;
        else if (TBY_PIECE_KIND(piece) == TBY_BISHOP)
            n_bishops[(square + square / 8) % 2]++;
        else
            return false;
    }
    const int n = n_bishops[0] + n_bishops[1];
    return n_knights ? n_knights == 1 && n == 0 : !n_bishops[0] || !n_bishops[1];
}

/* A fact that has its own word. */
static inline bool truth_word(const tby_query *q, const view *v, const query_node *node, const truth_game *g,
                              size_t ply)
{
    const tby_position *pos = &g->positions[ply];
    const bool is_last = ply + 1 == g->n, castles = !view_has(v, 'm') && !view_has(v, 's');
    const char *word = query_facts[node->type].word;
#define IS(name) (strcmp(word, name) == 0)
    if (IS("check"))
        return tby_position_is_check(pos);
    if (IS("double-check"))
        return truth_checkers(pos) > 1;
    if (IS("mate"))
        return tby_position_is_checkmate(pos);
    if (IS("stalemate"))
        return tby_position_is_stalemate(pos);
    if (IS("insufficient-material"))
        return truth_insufficient(pos);
    if (IS("initial"))
        return ply == 0;
    if (IS("terminal"))
        return is_last;
    if (IS("ply"))
        return truth_in(node, (int64_t)ply);
    if (IS("moveno"))
        return truth_in(node, tby_position_fullmove(pos));
    if (IS("castling"))
        return castles && (truth_flip_rights(v, truth_rights(pos)) & node->number) == node->number;
    if (IS("repeats"))
        return truth_repeats(g, ply) >= node->number;
    if (IS("opposite-bishops"))
        return truth_opposite_bishops(pos);
    if (IS("e.p."))
        return !is_last && TBY_MOVE_IS_EN_PASSANT(g->moves[ply]);
    if (IS("nag"))
        return truth_nag(node, g, ply);
    if (IS("comment"))
        return truth_comment(q, node, g, ply);
    if (IS("wtm") || IS("btm"))
        return ((int)tby_position_side(pos) ^ view_has(v, 'e')) == node->number;
    if (IS("O-O") || IS("O-O-O") || IS("o-o") || IS("o-o-o"))
        return !is_last && truth_castles(v, node, g, ply);
    if (IS("eval") || IS("clock"))
        return truth_value(v, node, g, ply);
#undef IS
    return truth_game_fact(q, v, node, g);
}

static inline bool truth_fact(const tby_query *q, const view *v, const query_node *node, const truth_game *g,
                              size_t ply)
{
    const tby_position *pos = &g->positions[ply];
    const bool is_last = ply + 1 == g->n;
    switch ((query_type)node->type) {
    case Q_PIECES: return truth_count(v, pos, &node->u.m.who[0]) > 0;
    case Q_COUNT: return truth_count_fact(q, v, node, pos);
    case Q_MATERIAL: return truth_material(v, node, pos);
    case Q_ATTACKS: return truth_attacks(v, node, pos);
    case Q_FEN:
    case Q_BOARD: return truth_board(v, node, pos);
    case Q_MOVE: return !is_last && truth_move(v, node, g, ply);
    case Q_PATH: return !is_last && truth_path(v, node, g, ply);
    default: return truth_word(q, v, node, g, ply);
    }
}

/* ---- Queries ------------------------------------------------------------------------------------------------ */

static inline int64_t truth_length(const tby_query *q, uint32_t id)
{
    const query_node *node = tree_node(&q->tree, id);
    int64_t sum = 0;
    if (node->type == Q_FOR)
        return node->number;
    if (node->type != Q_CHAIN)
        return 1;
    for (uint32_t i = 0; i < node->n_kids; i++)
        sum += truth_length(q, tree_kid(&q->tree, node, i));
    return sum;
}

static inline bool truth(const tby_query *q, const view *v, uint32_t id, const truth_game *g, size_t ply);

static inline bool truth_shift(const tby_query *q, const view *v, uint32_t kid, const truth_game *g, size_t ply)
{
    for (int files = -7; files <= 7; files++) {
        const view w = view_with(v, 's', files);
        if (truth(q, &w, kid, g, ply))
            return true;
    }
    return false;
}

static inline bool truth_chain(const tby_query *q, const view *v, const query_node *node, const truth_game *g,
                               size_t ply)
{
    int64_t at = (int64_t)ply;
    for (uint32_t i = 0; i < node->n_kids; i++) {
        const uint32_t step = tree_kid(&q->tree, node, i);
        if (at >= (int64_t)g->n || !truth(q, v, step, g, (size_t)at))
            return false;
        at += truth_length(q, step);
    }
    return true;
}

static inline bool truth_sequence(const tby_query *q, const view *v, const query_node *node, const truth_game *g,
                                  size_t ply)
{
    const uint32_t left = tree_kid(&q->tree, node, 0), right = tree_kid(&q->tree, node, 1);
    if (!truth(q, v, left, g, ply))
        return false;
    const int64_t first = (int64_t)ply + truth_length(q, left),
                  last = node->number ? first - 1 + node->number : (int64_t)g->n;
    for (int64_t at = first; at <= last && at < (int64_t)g->n; at++)
        if (truth(q, v, right, g, (size_t)at))
            return true;
    return false;
}

static inline size_t truth_plies(const tby_query *q, const view *v, uint32_t id, const truth_game *g)
{
    size_t n = 0;
    for (size_t ply = 0; ply < g->n; ply++)
        n += truth(q, v, id, g, ply);
    return n;
}

/* This evaluator is simple and can be very slow: nested queries are abandoned after a number of steps. */
static long truth_steps_left;

/* Does the node hold at this ply of the game? */
static inline bool truth(const tby_query *q, const view *v, uint32_t id, const truth_game *g, size_t ply)
{
    if (--truth_steps_left < 0)
        return false;
    const query_node *node = tree_node(&q->tree, id);
    const uint32_t kid = node->n_kids ? tree_kid(&q->tree, node, 0) : QUERY_NO_NODE;
    const view flipped = node->type == Q_EITHER ? view_with(v, 'e', 0) : *v;
    const view mirrored = node->type == Q_MIRROR ? view_with(v, 'm', 0) : *v;
    switch ((query_type)node->type) {
    case Q_SEQUENCE: return truth_sequence(q, v, node, g, ply);
    case Q_CHAIN: return truth_chain(q, v, node, g, ply);
    case Q_FOR:
        for (int64_t i = 0; i < node->number; i++)
            if ((int64_t)ply + i >= (int64_t)g->n || !truth(q, v, kid, g, ply + (size_t)i))
                return false;
        return true;
    case Q_GROUP:
    case Q_PATTERN: return truth(q, v, kid, g, ply);
    case Q_OR:
    case Q_AND:
        for (uint32_t i = 0; i < node->n_kids; i++)
            if (truth(q, v, tree_kid(&q->tree, node, i), g, ply) == (node->type == Q_OR))
                return node->type == Q_OR;
        return node->type == Q_AND;
    case Q_NOT: return !truth(q, v, kid, g, ply);
    case Q_EITHER: return truth(q, v, kid, g, ply) || truth(q, &flipped, kid, g, ply);
    case Q_MIRROR: return truth(q, v, kid, g, ply) || truth(q, &mirrored, kid, g, ply);
    case Q_SHIFT: return truth_shift(q, v, kid, g, ply);
    case Q_EVER: return truth_plies(q, v, kid, g) > 0;
    case Q_NEVER: return truth_plies(q, v, kid, g) == 0;
    case Q_ALWAYS: return truth_plies(q, v, kid, g) == g->n;
    default: return truth_fact(q, v, node, g, ply);
    }
}

/* ---- Games to ask -------------------------------------------------------------------------------------------- */

/* Takes ownership of the tree. The main line ends at a null move, as in the packed game. */
static inline truth_game *truth_game_of(tby_game *tree, tby_game_id id)
{
    truth_game *g = calloc(1, sizeof *g);
    assert_non_null(g);
    g->tree = tree;
    g->id = id;
    g->batch = tby_batch_new();
    assert_int_equal(tby_batch_add(g->batch, tree), TBY_OK);
    g->row = tby_batch_row(g->batch, 0);
    tby_node node = TBY_ROOT;
    g->positions[0] = *tby_game_start(tree);
    for (;;) {
        g->nodes[g->n] = node;
        node = tby_game_child(tree, node);
        const tby_move m = node == TBY_NO_NODE ? TBY_MOVE_NONE : tby_game_move(tree, node);
        g->n++;
        assert_true(g->n < TRUTH_PLIES);
        if (m == TBY_MOVE_NONE || m == TBY_MOVE_NULL)
            return g;
        g->moves[g->n - 1] = m;
        g->positions[g->n] = g->positions[g->n - 1];
        tby_position_play(&g->positions[g->n], m, NULL);
    }
}

static inline void truth_game_free(truth_game *g)
{
    tby_game_free(g->tree);
    tby_batch_free(g->batch);
    free(g);
}

#endif
