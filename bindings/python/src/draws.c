/*
 * draws.c - repetitions, claims and outcomes at a node: a position with its history.
 */
#include "python.h"

/* The last position, and the keys of all since the last null move. */
typedef struct history {
    tby_position pos;
    buffer keys;
} history;

static const uint64_t *keys_of(const history *h) { return (const uint64_t *)(const void *)h->keys.s; }
static size_t n_keys(const history *h) { return h->keys.n / sizeof(uint64_t); }

static void key_add(history *h)
{
    const uint64_t key = tby_position_key(&h->pos);
    buffer_add(&h->keys, &key, sizeof key);
}

static void history_play(history *h, tby_move move)
{
    if (move == TBY_MOVE_NULL)
        h->keys.n = 0;
    tby_line_play(&h->pos, move);
    key_add(h);
}

/* False, with an exception set, if there is not enough memory; to be freed in any case. */
static bool history_read(history *h, const tby_game *game, tby_node node)
{
    buffer path = {0};
    *h = (history){.pos = *tby_game_start(game)};
    key_add(h);
    for (; node != TBY_ROOT; node = tby_game_parent(game, node)) {
        const tby_move move = tby_game_move(game, node);
        buffer_add(&path, &move, sizeof move);
    }
    const tby_move *moves = (const tby_move *)(const void *)path.s;
    for (size_t i = path.n / sizeof *moves; i-- > 0 && !path.has_failed;)
        history_play(h, moves[i]);
    const bool is_whole = !path.has_failed && !h->keys.has_failed;
    buffer_free(&path);
    return is_whole || PyErr_NoMemory();
}

PyObject *draw_repetitions(const tby_game *game, tby_node node)
{
    history h;
    PyObject *n = history_read(&h, game, node) ? PyLong_FromUnsignedLong(tby_repetition_count(keys_of(&h), n_keys(&h)))
                                               : NULL;
    buffer_free(&h.keys);
    return n;
}

PyObject *draw_can_claim(const tby_game *game, tby_node node)
{
    history h;
    PyObject *answer = NULL;
    if (history_read(&h, game, node))
        answer = PyBool_FromLong(tby_repetition_can_claim(&h.pos, keys_of(&h), n_keys(&h)) ||
                                 tby_move_clock_can_claim_fifty(&h.pos));
    buffer_free(&h.keys);
    return answer;
}

PyObject *outcome_new(tby_outcome outcome)
{
    if (outcome.result == TBY_RESULT_NONE)
        Py_RETURN_NONE;
    return tuple_new(Outcome_type, 2, PyUnicode_FromString(tby_result_text(outcome.result)),
                     PyUnicode_FromString(tby_reason_text(outcome.reason)));
}

PyObject *draw_outcome(const tby_game *game, tby_node node)
{
    history h;
    PyObject *answer = NULL;
    if (history_read(&h, game, node))
        answer = outcome_new(tby_outcome_of(&h.pos, tby_repetition_count(keys_of(&h), n_keys(&h)), TBY_UNKNOWN, false));
    buffer_free(&h.keys);
    return answer;
}
