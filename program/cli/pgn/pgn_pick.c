/*
 * pgn_pick.c - the work of tabiya pgn: reads, selects, edits and writes games.
 */
#include "pgn_pick.h"
#include "database.h"
#include "job.h"
#include "progress.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT_MAX = 4 << 20 }; /* games that may be read with other letters are shorter */
/* EPD takes seventeen times the space of the games: with larger parts, workers would wait to hand over their
   results. */
enum { PART_SIZE = 1 << 15 };

/* A game that was read, followed by its text, the names of its groups, and its sort key. */
typedef struct pick {
    size_t n_text, n_names, n_key;
    same_hashes same;
    uint64_t number; /* in its part, from 1 */
    bool is_picked;  /* otherwise it goes to --others */
} pick;

typedef struct result {
    buffer picks;
    uint64_t n_bad;
    doubts doubts[N_LETTERS]; /* the first counted in the part */
} result;

/* ---- Reading ---------------------------------------------------------------------------------------------------- */

typedef struct reading {
    picking *p;
    part *part;
    result *result;
    filter *filter;
    changer *changer;
    letters_state letters;
    uint64_t game;
    size_t n_notes, n_marks; /* before the game that is read */
    buffer line;             /* a game before its letters are changed, or the text it is compared by */
    pick found;              /* while its lines are unfolded */
    int ply;                 /* where the query first holds; below 0 if there is none */
    tby_batch *batch;        /* the game being sorted; NULL: none */
    uint32_t length;         /* of its match, before it is changed */
} reading;

/* Once for each input. */
static bool reports(const picking *p) { return p->pass == PASS_WRITE || p->pass == PASS_KNOWN; }

static void watch(void *context, tby_pgn *pgn, const tby_pgn_event *event)
{
    reading *r = context;
    report *notes = &r->part->notes;
    if (event->type == TBY_PGN_GAME) {
        r->game++;
        r->n_notes = notes->text.n;
        r->n_marks = notes->n_marks;
    } else if (reports(r->p) && (event->type == TBY_PGN_ERROR || event->type == TBY_PGN_WARNING)) {
        note_error(notes, r->p->name, pgn, event, r->game);
    } else if (event->type == TBY_PGN_END) {
        r->part->n_lines = tby_pgn_event_place(pgn, event).line - 1;
    }
}

/* A tby_source: the bytes of the part, in English. */
static size_t read_translated(void *context, char *buf, size_t cap)
{
    reading *r = context;
    const size_t n = part_read(r->part, buf, cap);
    if (n != TBY_SOURCE_FAILED)
        letters_translate(&r->letters, buf, n);
    return n;
}

/* The text of a game whose letters may be those of another language; NULL: it is not known, or the letters are given. */
static span text_of(const reading *r, const tby_pgn *pgn)
{
    const uint64_t begin = tby_pgn_game_begin(pgn);
    if (r->p->in.of || !part_has_text(r->part, begin))
        return (span){NULL, 0};
    return (span){part_text(r->part, begin), (size_t)(tby_pgn_game_end(pgn) - begin)};
}

/* Can a game with faults be read with another language's letters? Then its faults are not reported. */
static bool guess_letters(reading *r, tby_pgn *pgn, tby_game *game)
{
    const span text = text_of(r, pgn);
    const letters *found = text.s ? letters_guess(game, text.s, text.n, r->p->flags) : NULL;
    if (!found)
        return false;
    r->part->notes.text.n = r->n_notes;
    r->part->notes.n_marks = r->n_marks;
    r->result->doubts[found - letters_at(0)].n_guessed++;
    return true;
}

static void look_for_doubt(reading *r, const tby_pgn *pgn, const tby_game *game)
{
    const span text = text_of(r, pgn);
    bool has_pawn;
    const letters *other = text.s ? letters_doubt(game, text.s, text.n, r->p->flags, &has_pawn) : NULL;
    if (other) {
        doubts *d = &r->result->doubts[other - letters_at(0)];
        d->first = d->n++ ? d->first : r->game;
        d->has_pawn |= has_pawn;
    }
}

/* ---- Picking ---------------------------------------------------------------------------------------------------- */

/* Does it match the conditions? */
static bool is_picked(reading *r, const tby_game *game, int *ply)
{
    *ply = 0;
    if (r->p->is_known)
        return true;
    const filter_answer answer = filter_first(r->filter, game, 0, ply);
    if (answer == FILTER_TOO_LONG) {
        r->result->n_bad++;
        if (reports(r->p))
            buffer_printf(&r->part->notes.text,
                          "%s: a game of more than %d half-moves, which is too long for queries\n", r->p->name,
                          TBY_PLIES_MAX);
        return false;
    }
    return (answer == FILTER_YES) != r->p->is_inverted;
}

static void write_text(reading *r, const tby_game *game)
{
    picking *p = r->p;
    r->line.n = 0;
    p->form->write(p->out.name ? &r->line : &r->result->picks, game, p->write, r->ply, p->form->name);
    if (p->out.name)
        letters_write(&r->result->picks, &p->out, r->line.s, r->line.n);
}

/* By the row that a database would store for the game; for a game that is too long, everything is unknown. */
static void add_key(reading *r, const tby_game *game)
{
    tby_batch_clear(r->batch);
    const tby_status status = tby_batch_add(r->batch, game);
    memory_need(status != TBY_NO_MEMORY);
    const tby_row row = status == TBY_OK ? tby_batch_row(r->batch, 0) : (tby_row){.date = 0};
    order_key(&r->result->picks, &r->p->order, &row, r->length);
}

static void add_pick(void *context, const tby_game *game)
{
    reading *r = context;
    picking *p = r->p;
    buffer *picks = &r->result->picks;
    pick *found = &r->found;
    const size_t begin = picks->n, text = begin + sizeof *found;
    if (p->pass == PASS_MARK) {
        same_mark(&p->same, game, &r->line);
        return;
    }
    if (p->same.lines)
        found->same = same_hashes_of(&p->same, game, &r->line);
    buffer_add(picks, found, sizeof *found);
    if (p->pass == PASS_WRITE && (!p->only_counts || p->others || p->duplicates))
        write_text(r, game);
    found->n_text = picks->n - text;
    if (p->groups && found->is_picked)
        grouping_names(picks, &p->grouping, game);
    found->n_names = picks->n - text - found->n_text;
    if (p->is_sorted)
        add_key(r, game);
    found->n_key = picks->n - text - found->n_text - found->n_names;
    memcpy(picks->s + begin, found, sizeof *found);
}

static void pick_game(reading *r, tby_game *game)
{
    const picking *p = r->p;
    r->found = (pick){.number = r->game, .is_picked = is_picked(r, game, &r->ply)};
    r->ply = p->query && r->found.is_picked ? r->ply : -1;
    if (p->is_sorted && tby_order_needs(&p->order) & TBY_ORDER_NEEDS_LENGTH)
        r->length = filter_length(r->filter);
    if (!r->found.is_picked && (!p->others || p->pass != PASS_WRITE))
        return;
    if (!p->is_known && r->found.is_picked && changes_any(&p->changes))
        game = changer_apply(r->changer, game, &r->ply);
    if (!game)
        return;
    if (p->unfolds && !p->is_known && r->found.is_picked)
        changer_unfold(r->changer, game, add_pick, r);
    else
        add_pick(r, game);
    if (r->part->notes.text.n + r->result->picks.n > PART_RESULT_SIZE)
        part_flush(r->part);
}

static void read_game(reading *r, tby_pgn *pgn, tby_game *game, tby_game_read read)
{
    const bool is_good = read == TBY_GAME_GOOD || guess_letters(r, pgn, game);
    if (!is_good)
        r->result->n_bad++;
    if (read == TBY_GAME_GOOD)
        look_for_doubt(r, pgn, game);
    if (is_good || (r->p->keeps_bad && tby_game_n_nodes(game) + tby_game_n_tags(game) > 1))
        pick_game(r, game);
    part_forget(r->part, tby_pgn_game_end(pgn));
    if (part_has_news(r->part))
        part_flush(r->part);
}

static void read_part(void *context, part *prt)
{
    reading r = {.p = context, .part = prt, .result = prt->result};
    const tby_pgn_options how = {.flags = r.p->flags | TBY_PGN_SERIOUS};
    if (atomic_load(&r.p->is_full))
        return;
    if (r.p->in.of)
        letters_begin_reading(&r.letters, &r.p->in);
    tby_pgn *pgn = r.p->in.of ? tby_pgn_new(read_translated, &r, &how, NULL) : tby_pgn_new(part_read, prt, &how, NULL);
    tby_game *game = tby_game_new(NULL);
    tby_game_read read = TBY_GAME_END;
    r.filter = filter_new(r.p->query);
    r.batch = r.p->is_sorted ? memory_got(tby_batch_new()) : NULL;
    r.changer = changer_new(&r.p->changes);
    while (pgn && game && !atomic_load(&r.p->is_full) &&
           (read = tby_game_read_pgn(game, pgn, watch, &r)) != TBY_GAME_END && read != TBY_GAME_NO_MEMORY)
        read_game(&r, pgn, game, read);
    memory_need(pgn && game && read != TBY_GAME_NO_MEMORY);
    prt->n_games = r.game;
    filter_free(r.filter);
    tby_batch_free(r.batch);
    changer_free(r.changer);
    buffer_free(&r.line);
    tby_game_free(game);
    tby_pgn_free(pgn);
}

/* ---- Writing ---------------------------------------------------------------------------------------------------- */

/* part-%d.pgn to part-3.pgn */
static void next_file(picking *p)
{
    const char *place = strstr(p->output, "%d");
    p->path.n = 0;
    p->n_in_file = 0;
    buffer_add(&p->path, p->output, (size_t)(place - p->output));
    buffer_number(&p->path, ++p->n_files);
    buffer_add(&p->path, place + 2, strlen(place + 2) + 1);
    refuse_overwriting(p->path.s, p->args);
    out_next(p->path.s);
}

static bool has_enough(const picking *p) { return p->limit && p->n_picked >= p->limit && !p->sorting; }

/* The game matches: it is written or counted. */
static void emit(picking *p, const pick *found, const char *text)
{
    const char *names = text + found->n_text;
    if (p->n_found++ < p->offset || (p->limit && p->n_picked >= p->limit))
        return;
    p->n_picked++;
    if (has_enough(p))
        atomic_store(&p->is_full, true);
    if (p->only_counts)
        return;
    for (size_t at = 0; p->groups && at < found->n_names; at += strlen(names + at) + 1)
        groups_add(p->groups, names + at, text, found->n_text);
    if (p->groups)
        return;
    if (p->split && (p->n_files == 0 || p->n_in_file == p->split))
        next_file(p);
    p->n_in_file++;
    out_bytes(text, found->n_text);
}

static bool has_number(const numbers *list, uint64_t number)
{
    for (size_t i = 0; i < list->n; i++)
        if (number >= list->ranges[i].low && number <= list->ranges[i].high)
            return true;
    return list->n == 0;
}

static uint64_t last_number(const numbers *list)
{
    uint64_t last = 0;
    for (size_t i = 0; i < list->n; i++)
        last = list->ranges[i].high > last ? list->ranges[i].high : last;
    return last;
}

static bool emit_held(void *context, const char *bytes, size_t n)
{
    pick found;
    (void)n;
    memcpy(&found, bytes, sizeof found);
    emit(context, &found, bytes + sizeof found);
    return true;
}

/* Returns the number of the game's bytes. */
static size_t merge_pick(picking *p, const part *prt, const char *bytes)
{
    pick found;
    const char *text = bytes + sizeof found;
    memcpy(&found, bytes, sizeof found);
    const tby_text key = {text + found.n_text + found.n_names, found.n_key};
    if (p->pass == PASS_COLLECT)
        line_set_add(p->same.lines, found.same.tagged);
    else if (p->pass == PASS_KNOWN)
        same_is_duplicate(&p->same, &found.same);
    else if (!found.is_picked || !has_number(&p->games, prt->games_before + found.number))
        copy_bytes(p->others, text, found.n_text);
    else if (same_is_duplicate(&p->same, &found.same))
        copy_bytes(p->duplicates, text, found.n_text);
    else if (p->sorting)
        memory_need(tby_sorting_add(p->sorting, key, p->n_held++, bytes, (size_t)(key.s - bytes)) == TBY_OK);
    else
        emit(p, &found, text);
    if (p->games.n && p->pass == PASS_WRITE && !p->others && prt->games_before + found.number >= last_number(&p->games))
        atomic_store(&p->is_full, true);
    return (size_t)(key.s + key.n - bytes);
}

static void merge_doubts(doubts *to, const doubts *from, uint64_t games_before)
{
    if (!to->n && from->n)
        to->first = games_before + from->first;
    to->n += from->n;
    to->n_guessed += from->n_guessed;
    to->has_pawn |= from->has_pawn;
}

static void merge_result(void *context, part *prt)
{
    picking *p = context;
    result *res = prt->result;
    if (res->n_bad)
        exit_note(EXIT_FAILED);
    if (res->picks.n && !p->only_counts)
        progress_make_room();
    for (size_t at = 0; at < res->picks.n;)
        at += merge_pick(p, prt, res->picks.s + at);
    part_print(prt);
    p->n_bad += res->n_bad;
    for (size_t i = 0; i < N_LETTERS; i++)
        merge_doubts(&p->doubts[i], &res->doubts[i], prt->games_before);
    memset(res->doubts, 0, sizeof res->doubts);
    res->picks.n = res->n_bad = 0;
}

static void result_free(void *memory)
{
    result *res = memory;
    buffer_free(&res->picks);
    free(res);
}

/* ---- Inputs ----------------------------------------------------------------------------------------------------- */

/* At the end of an input. A possible other reading is reported if other games in the input use these letters, or if
   English does not write such moves. */
static void end_guesses(picking *p)
{
    const letters *of;
    for (size_t i = 0; (of = letters_at(i)) != NULL; i++) {
        const doubts *d = &p->doubts[i];
        if (p->pass == PASS_WRITE)
            p->n_guessed[i] += d->n_guessed;
        if (reports(p) && d->n && (d->n_guessed || d->has_pawn))
            error_print("%s: %" PRIu64
                        " %s read with English piece letters, but %s other legal moves with %s (the first: "
                        "game %" PRIu64 "); use --letters %s, or --letters english",
                        p->name, d->n, plural(d->n, "game was", "games were"), plural(d->n, "has", "have"), of->of,
                        d->first, of->name);
    }
    memset(p->doubts, 0, sizeof p->doubts);
}

bool picking_by_search(const picking *p, const char *path)
{
    return (p->query || p->where) && !p->is_known && !p->is_inverted && !p->others && p->games.n == 0 &&
           is_database(path);
}

static bool read_found(picking *p, const char *path, const char *shown, const job *j)
{
    const tby_db_search search = {
        .query = p->query, .where = p->where, .n_threads = threads_read(p->args, QUERY_THREADS)};
    tby_failure failure;
    tby_db *db;
    char name[1024];
    tby_db_name_write(name, sizeof name, shown);
    p->name = name;
    if (tby_db_open(&db, path, TBY_DB_READ, &failure) != TBY_OK) {
        error_print("%s: %s", name, failure.text);
        return false;
    }
    const bool is_good = job_run_found(db, name, &search, j);
    end_guesses(p);
    tby_db_close(db);
    return is_good;
}

bool picking_read(picking *p, const char *path, const char *shown)
{
    const unsigned n_threads = threads_read(p->args, QUERY_THREADS);
    const job j = {
        .context = p,
        .cut = tby_pgn_last_boundary,
        .keeps_text = true,
        .text_max = TEXT_MAX,
        .part_size = PART_SIZE,
        .result_size = sizeof(result),
        .result_free = result_free,
        .is_full = &p->is_full,
        .work = read_part,
        .merge = merge_result,
    };
    char name[1024];
    if (has_enough(p))
        return true;
    atomic_store(&p->is_full, false); /* --games counts the games of each input */
    if (picking_by_search(p, path))
        return read_found(p, path, shown, &j);
    input *in = input_open_pgn(path);
    if (!in)
        return false;
    snprintf(name, sizeof name, "%s", input_name(in));
    p->name = name;
    const bool is_whole = job_run(in, n_threads, &j);
    end_guesses(p);
    return is_whole;
}

static void report_guesses(const picking *p)
{
    for (size_t i = 0; letters_at(i); i++)
        if (p->n_guessed[i])
            error_print("pgn: %" PRIu64 " %s read with the piece letters %s (%s)", p->n_guessed[i],
                        plural(p->n_guessed[i], "game was", "games were"), letters_at(i)->of, letters_at(i)->name);
}

void picking_end(picking *p)
{
    if (p->sorting)
        tby_sorting_each(p->sorting, emit_held, p);
    copy_close(p->others);
    copy_close(p->duplicates);
    if (p->groups)
        groups_close(p->groups, p->n_picked, &p->grouping);
    report_guesses(p);
}
