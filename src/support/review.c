/*
 * review.c - how well a game was played.
 *
 * A mistake costs chances, not pawns: a lost queen matters little in a lost game. Chances are 2 / (1 + e^(-k cp)) - 1
 * with k = 0.00368208, which was fitted to millions of games between people; a mate counts as certain.
 *
 *     chances lost, of 2   0.1 inaccuracy ?!   0.2 mistake ?   0.3 blunder ??
 *
 * The accuracy of a move is 103.1668 e^(-0.04354 d) - 3.1669, where d is the loss of winning chances in percent; such
 * a formula is in wide use. The loss of a move is in pawns, of evaluations limited to ten. The opening is the first 10
 * moves; the ending begins when at most six pieces besides kings and pawns are left.
 */
#include "support/review.h"

enum { NAG_MISTAKE = 2, NAG_BLUNDER = 4, NAG_DUBIOUS = 6 };

/* e^x for |x| up to some hundreds, to 12 digits: a series for x / 1024, squared ten times. The library has no libm. */
static double power_of_e(double x)
{
    enum { HALVINGS = 10, TERMS = 8 };
    const double small = x / (1 << HALVINGS);
    double term = 1, sum = 1;
    for (int i = 1; i <= TERMS; i++) {
        term *= small / i;
        sum += term;
    }
    for (int i = 0; i < HALVINGS; i++)
        sum *= sum;
    return sum;
}

static double clamp(double x, double low, double high) { return x < low ? low : x > high ? high : x; }

double evaluation_chance(const evaluation *v)
{
    if (v->is_mate)
        return v->value > 0 ? 1 : -1;
    return 2 / (1 + power_of_e(-0.00368208 * clamp(v->value, -20000, 20000))) - 1;
}

double evaluation_pawns(const evaluation *v, tby_color side)
{
    const double pawns = v->is_mate ? (v->value > 0 ? 10 : -10) : clamp(v->value / 100.0, -10, 10);
    return side == TBY_WHITE ? pawns : -pawns;
}

uint16_t evaluation_mark(const evaluation *before, const evaluation *after, tby_color side)
{
    if (!before->is_known || !after->is_known)
        return 0;
    const double change = evaluation_chance(before) - evaluation_chance(after);
    const double lost = side == TBY_WHITE ? change : -change;
    return lost >= 0.3 ? NAG_BLUNDER : lost >= 0.2 ? NAG_MISTAKE : lost >= 0.1 ? NAG_DUBIOUS : 0;
}

static int phase_of(const tby_position *pos)
{
    enum { OPENING_MOVES = 10, ENDING_PIECES = 6 };
    tby_setup setup;
    unsigned n = 0;
    tby_position_setup(&setup, pos);
    for (tby_square square = 0; square < 64; square++) {
        const tby_kind kind = TBY_PIECE_KIND(tby_board_piece(&setup.board, square));
        n += kind != TBY_NO_KIND && kind != TBY_PAWN && kind != TBY_KING;
    }
    if (n <= ENDING_PIECES)
        return PHASE_ENDGAME;
    return tby_position_fullmove(pos) <= OPENING_MOVES ? PHASE_OPENING : PHASE_MIDDLEGAME;
}

static int mark_of(uint16_t nag)
{
    return nag == NAG_BLUNDER ? MARK_BLUNDER : nag == NAG_MISTAKE ? MARK_MISTAKE : MARK_DUBIOUS;
}

/* Accuracy and loss alone. */
static void add_loss(review_side *out, tby_color side, const evaluation *v, const evaluation *after)
{
    const double change = evaluation_chance(v) - evaluation_chance(after);
    const double lost = clamp(side == TBY_WHITE ? change : -change, 0, 2);
    out->moves++;
    out->accuracy += clamp(103.1668 * power_of_e(-0.04354 * lost * 50) - 3.1669, 0, 100);
    out->loss += clamp(evaluation_pawns(v, side) - evaluation_pawns(after, side), 0, 20);
}

void review_add(review_side *out, const tby_position *before, const evaluation *v, const evaluation *after,
                bool is_best)
{
    const tby_color side = tby_position_side(before);
    const uint16_t nag = is_best ? 0 : evaluation_mark(v, after, side);
    add_loss(out, side, v, is_best ? v : after);
    if (nag)
        out->marks[phase_of(before)][mark_of(nag)]++;
}

uint64_t review_count(const review_side *side, int mark)
{
    uint64_t n = 0;
    for (int phase = 0; phase < N_PHASES; phase++)
        n += side->marks[phase][mark];
    return n;
}

/* ---- A game ------------------------------------------------------------------------------------------------ */

/* The game's own mark of a bad move, or 0. */
static uint16_t own_mark(const tby_game *game, tby_node node)
{
    for (size_t i = 0; i < tby_game_n_nags(game, node); i++) {
        const uint16_t nag = tby_game_nag(game, node, i);
        if (nag == NAG_MISTAKE || nag == NAG_BLUNDER || nag == NAG_DUBIOUS)
            return nag;
    }
    return 0;
}

static evaluation evaluation_at(const tby_game *game, tby_node node)
{
    tby_note note;
    tby_note_read(&note, game, node);
    return (evaluation){note.has_eval, note.is_mate, (int)clamp((double)note.eval, -1000000, 1000000)};
}

size_t review_game(review_mistake *out, review_side sides[2], size_t *n_evaluated, const tby_game *game)
{
    tby_position pos = *tby_game_start(game);
    evaluation before = {.is_known = false};
    size_t n = 0;
    *n_evaluated = 0;
    for (tby_node node = TBY_ROOT; (node = tby_game_child(game, node)) != TBY_NO_NODE;) {
        const tby_color side = tby_position_side(&pos);
        const evaluation after = evaluation_at(game, node);
        const uint16_t own = own_mark(game, node);
        const uint16_t nag = own ? own : evaluation_mark(&before, &after, side);
        if (before.is_known && after.is_known)
            add_loss(&sides[side], side, &before, &after);
        if (nag) {
            out[n] = (review_mistake){node, nag, phase_of(&pos)};
            sides[side].marks[out[n++].phase][mark_of(nag)]++;
        }
        *n_evaluated += after.is_known;
        before = after;
        tby_line_play(&pos, tby_game_move(game, node));
    }
    return n;
}
