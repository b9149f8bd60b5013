/*
 * cmd_pgn.c - tabiya pgn: picks games and reshapes them.
 *
 *     read --> filter --> duplicates? --> write, in PGN's export format and in the order of the input
 *
 * To leave out games that are the beginning of another one the input is read three times: once to collect all lines,
 * once to mark those that some game goes through, and once to write the others.
 */
#include "commands.h"
#include "keep.h"
#include "messages.h"
#include "notes.h"
#include "parallel.h"
#include "patterns.h"
#include "pgn_filter.h"
#include "pgn_players.h"
#include "pgn_unique.h"
#include "progress.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    OPT_ANY_VARIANT,
    OPT_BLACK,
    OPT_CHESS960,
    OPT_COUNT,
    OPT_DATE,
    OPT_ECO,
    OPT_ELO,
    OPT_EVENT,
    OPT_EXPLAIN,
    OPT_INVERT,
    OPT_OUTPUT,
    OPT_PATTERNS,
    OPT_PLAYER,
    OPT_PLIES,
    OPT_QUERY,
    OPT_RESULT,
    OPT_SPLIT,
    OPT_STRIP,
    OPT_TAG,
    OPT_THREADS,
    OPT_UNIQUE,
    OPT_WHITE
};

static const option options[] = {
    [OPT_ANY_VARIANT] = OPTION_ANY_VARIANT,
    [OPT_BLACK] = {"black", 0, "NAME", NULL, "games that NAME has played as black"},
    [OPT_CHESS960] = OPTION_GAMES_CHESS960,
    [OPT_COUNT] = {"count", 0, NULL, NULL, "print only how many games there are"},
    [OPT_DATE] = {"date", 0, "RANGE", NULL, "games of these days, months or years: 2019, 2019.06.., 2019..2021"},
    [OPT_ECO] = {"eco", 0, "CODE", NULL, "games with this opening code: B90, B9*, B90..B99"},
    [OPT_ELO] = {"elo", 0, "RANGE", NULL, "games whose players are both rated in this range: 2400.., 2000..2199"},
    [OPT_EVENT] = {"event", 0, "NAME", NULL, "games of this event"},
    [OPT_EXPLAIN] = OPTION_EXPLAIN,
    [OPT_INVERT] = {"invert", 0, NULL, NULL, "the games that the conditions do not pick"},
    [OPT_OUTPUT] = {"output", 'o', "FILE", NULL, "write to FILE instead of standard output; see --split"},
    [OPT_PATTERNS] = OPTION_PATTERNS,
    [OPT_PLAYER] = {"player", 0, "NAME", NULL, "games that NAME has played"},
    [OPT_PLIES] = {"plies", 0, "RANGE", NULL, "games of this many half-moves: 40.., ..20"},
    [OPT_QUERY] = {"query", 0, "QUERY", NULL, "games that QUERY holds for: \"greek-gift\", \"KRP+vKRP+ for 10\""},
    [OPT_RESULT] = {"result", 0, "RESULT", NULL, "games with this result: 1-0, 0-1, 1/2-1/2 or *"},
    [OPT_SPLIT] = {"split", 0, "N|player", NULL,
                   "N games a file; -o must hold %d, where the file's number goes. Or a file for each player, a game "
                   "going to both; -o must hold %s, where the name goes"},
    [OPT_STRIP] = {"strip", 0, "LIST", NULL,
                   "leave out what LIST names, separated by commas: comments, variations, nags, clocks ([%clk] and the "
                   "like), tags"},
    [OPT_TAG] = {"tag", 0, "TAG=VALUE", NULL, "games with this tag; may be given again"},
    [OPT_THREADS] = OPTION_THREADS,
    [OPT_UNIQUE] =
        {"unique", 0, "[=prefix]", "prefix",
         "leave out a game with the same start and moves as one before it; with =prefix also one that is the "
         "beginning of another, wherever that is"},
    [OPT_WHITE] = {"white", 0, "NAME", NULL, "games that NAME has played as white"},
    {0},
};

static const example examples[] = {
    {"tabiya pgn --player carlsen --date 2019..2021 games.pgn.zst", "A player's games of three years."},
    {"tabiya pgn games.pgn 'either (iqp result 1-0)'", "Games that the owner of an isolated queen's pawn has won."},
    {"tabiya pgn --strip comments,variations,nags -o plain.pgn games.pgn", "The bare games."},
    {"tabiya pgn --unique --split 10000 -o part-%d.pgn *.pgn", "Many files into even parts, without duplicates."},
    {"tabiya pgn --split player -o %s.pgn games.pgn", "A file for each player."},
    {"tabiya pgn --elo 2400.. --count games.pgn", "How many games of strong players are there?"},
    {0},
};

/* Is the option a short form of the query language? */
static bool is_condition(int option_index)
{
    switch (option_index) {
    case OPT_BLACK:
    case OPT_DATE:
    case OPT_ECO:
    case OPT_ELO:
    case OPT_EVENT:
    case OPT_PLAYER:
    case OPT_PLIES:
    case OPT_RESULT:
    case OPT_TAG:
    case OPT_WHITE: return true;
    default: return false;
    }
}

typedef enum pass { PASS_COLLECT, PASS_MARK, PASS_WRITE } pass;

typedef struct picking {
    filter *filter;
    bool is_inverted, only_counts;
    unsigned strip;  /* TBY_PGN_NO_... */
    unsigned flags;  /* TBY_PGN_... */
    line_set *lines; /* NULL: duplicates stay */
    bool drops_beginnings;
    pass pass;
    const char *name; /* of the input */
    uint64_t n_picked, n_bad;

    uint64_t split;   /* games a file, 0 = all */
    players *players; /* NULL: no files for them */
    const char *output;
    buffer path; /* of the file being written */
    uint64_t n_files, n_in_file;
    const args *args;
    const char *query; /* the word that is no file; NULL: all are */
} picking;

/* A game that was picked: where its text ends, and its line. */
typedef struct pick {
    size_t end;
    line_hash hash;
} pick;

typedef struct result {
    buffer text;
    buffer picks; /* of `pick` */
    buffer names; /* of the players of each, if there are files for them */
    report notes;
    uint64_t n_bad;
} result;

/* ---- Reading ---------------------------------------------------------------------------------------------------- */

typedef struct reading {
    picking *p;
    part *part;
    result *result;
    filter_worker *worker;
    uint64_t game;
} reading;

static void watch(void *context, tby_pgn *pgn, const tby_pgn_event *event)
{
    reading *r = context;
    if (event->type == TBY_PGN_GAME)
        r->game++;
    else if (r->p->pass == PASS_WRITE && (event->type == TBY_PGN_ERROR || event->type == TBY_PGN_WARNING))
        note_error(&r->result->notes, r->p->name, pgn, event, r->game);
    else if (event->type == TBY_PGN_END)
        r->part->n_lines = tby_pgn_event_place(pgn, event).line - 1;
}

/* The hash of the main line; on the way every line that it goes through is marked, if asked for. */
static line_hash hash_line(const reading *r, const tby_game *game)
{
    line_hash hash = line_begin(tby_game_start(game));
    for (tby_node node = tby_game_child(game, TBY_ROOT); node != TBY_NO_NODE; node = tby_game_child(game, node)) {
        if (r->p->pass == PASS_MARK)
            line_set_mark(r->p->lines, hash);
        hash = line_play(hash, tby_game_move(game, node));
    }
    return hash;
}

static void add_player(buffer *names, const tby_game *game, const char *tag)
{
    const char *name = tby_game_tag(game, tag);
    buffer_string(names, name ? name : "?");
    buffer_add(names, "", 1);
}

static void note_too_long(reading *r)
{
    buffer_printf(&r->result->notes.text, "%s: a game of more than %d half-moves, which no query can be asked of\n",
                  r->p->name, TBY_PLIES_MAX);
}

/* Is it one of those that are looked for? */
static bool is_picked(reading *r, const tby_game *game)
{
    const filter_answer answer = filter_ask(r->worker, game);
    if (answer == FILTER_TOO_LONG) {
        r->result->n_bad++;
        if (r->p->pass == PASS_WRITE)
            note_too_long(r);
        return false;
    }
    return (answer == FILTER_YES) != r->p->is_inverted;
}

static void pick_game(reading *r, const tby_game *game)
{
    result *res = r->result;
    pick found = {0};
    if (!is_picked(r, game))
        return;
    if (r->p->lines)
        found.hash = hash_line(r, game);
    if (r->p->pass == PASS_MARK)
        return;
    if (r->p->pass == PASS_WRITE && !r->p->only_counts)
        tby_pgn_write(game, r->p->strip, buffer_sink, &res->text);
    found.end = res->text.n;
    if (r->p->players) {
        add_player(&res->names, game, "White");
        add_player(&res->names, game, "Black");
    }
    buffer_add(&res->picks, (const char *)&found, sizeof found);
    if (res->text.n + res->notes.text.n + res->picks.n + res->names.n > PART_RESULT_SIZE)
        part_flush(r->part);
}

static void read_part(void *context, part *p)
{
    reading r = {.p = context, .part = p, .result = p->result};
    const tby_pgn_options how = {.flags = r.p->flags | TBY_PGN_SERIOUS};
    tby_pgn *pgn = tby_pgn_new(part_read, p, &how, NULL);
    tby_game *game = tby_game_new(NULL);
    tby_game_read read = TBY_GAME_NO_MEMORY;
    r.worker = filter_worker_new(r.p->filter);
    while (pgn && game && (read = tby_game_read_pgn(game, pgn, watch, &r)) != TBY_GAME_END) {
        if (read == TBY_GAME_GOOD)
            pick_game(&r, game);
        else if (read == TBY_GAME_BAD)
            r.result->n_bad++;
        else
            break;
    }
    if (read != TBY_GAME_END)
        error_exit("out of memory");
    p->n_games = r.game;
    filter_worker_free(r.worker);
    tby_game_free(game);
    tby_pgn_free(pgn);
}

/* ---- Writing ---------------------------------------------------------------------------------------------------- */

/* part-%d.pgn to part-3.pgn */
static void next_file(picking *p)
{
    const char *place = strstr(p->output, "%d");
    out_close();
    p->path.n = 0;
    p->n_in_file = 0;
    buffer_add(&p->path, p->output, (size_t)(place - p->output));
    buffer_number(&p->path, ++p->n_files);
    buffer_add(&p->path, place + 2, strlen(place + 2) + 1);
    refuse_overwriting(p->path.s, p->args);
    out_open(p->path.s);
}

/* `white`: the names of the players, one after the other. */
static void write_to_players(picking *p, const char *white, const char *game, size_t n)
{
    const char *black = white + strlen(white) + 1;
    players_add(p->players, white, game, n);
    if (strcmp(white, black) != 0)
        players_add(p->players, black, game, n);
}

static void write_game(picking *p, const result *res, size_t begin, size_t end, const char *names)
{
    p->n_picked++;
    if (p->only_counts)
        return;
    if (p->players) {
        write_to_players(p, names, res->text.s + begin, end - begin);
        return;
    }
    if (p->split && (p->n_files == 0 || p->n_in_file == p->split))
        next_file(p);
    p->n_in_file++;
    out_bytes(res->text.s + begin, end - begin);
}

/* When it comes to writing, a mark means: this line is written already, or a longer one will be. */
static bool is_duplicate(picking *p, const pick *found)
{
    if (!p->lines)
        return false;
    if (p->drops_beginnings)
        return line_set_test_and_mark(p->lines, found->hash);
    return line_set_add(p->lines, found->hash) == LINE_KNOWN;
}

static const char *behind_names(const char *white)
{
    const char *black = white + strlen(white) + 1;
    return black + strlen(black) + 1;
}

static void merge_result(void *context, part *prt)
{
    picking *p = context;
    result *res = prt->result;
    size_t begin = 0;
    const char *names = res->names.s;
    if (res->text.n)
        progress_make_room();
    for (size_t at = 0; at < res->picks.n; at += sizeof(pick)) {
        pick found;
        memcpy(&found, res->picks.s + at, sizeof found);
        if (p->pass == PASS_COLLECT)
            line_set_add(p->lines, found.hash);
        else if (!is_duplicate(p, &found))
            write_game(p, res, begin, found.end, names);
        begin = found.end;
        names = p->players ? behind_names(names) : NULL;
    }
    notes_print(&res->notes, prt->lines_before, prt->games_before);
    p->n_bad += res->n_bad;
    res->text.n = res->picks.n = res->names.n = 0;
    res->n_bad = 0;
    report_clear(&res->notes);
}

static void *result_new(void *context)
{
    (void)context;
    return memory_new(1, sizeof(result));
}

static void result_free(void *memory)
{
    result *res = memory;
    buffer_free(&res->text);
    buffer_free(&res->picks);
    buffer_free(&res->names);
    report_free(&res->notes);
    free(res);
}

/* ---- The command ------------------------------------------------------------------------------------------------ */

static bool read_files(picking *p, const args *a, pass which)
{
    const job j = {
        .context = p,
        .cut = tby_pgn_last_boundary,
        .result_new = result_new,
        .result_free = result_free,
        .work = read_part,
        .merge = merge_result,
    };
    const unsigned n_threads = threads_read("pgn", args_value(a, OPT_THREADS));
    bool all_read = true;
    p->pass = which;
    for (size_t i = 0; i < a->n_words; i++) {
        if (a->words[i] == p->query)
            continue;
        input *in = input_open(a->words[i]);
        if (!in) {
            all_read = false;
            continue;
        }
        p->name = input_name(in);
        all_read &= parallel_run(in, n_threads, &j);
        input_close(in);
    }
    return all_read;
}

static unsigned strip_flag(const char *name, size_t n)
{
    static const struct {
        const char *name;
        unsigned flag;
    } parts[] = {{"comments", TBY_PGN_NO_COMMENTS},
                 {"variations", TBY_PGN_NO_VARIATIONS},
                 {"nags", TBY_PGN_NO_NAGS},
                 {"clocks", TBY_PGN_NO_COMMANDS},
                 {"tags", TBY_PGN_NO_TAGS}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        if (strlen(parts[i].name) == n && memcmp(parts[i].name, name, n) == 0)
            return parts[i].flag;
    error_exit("pgn: --strip takes comments, variations, nags, clocks and tags, not \"%.*s\"", (int)n, name);
}

static unsigned strip_read(const char *list)
{
    unsigned flags = 0;
    while (list && *list) {
        const size_t n = strcspn(list, ",");
        flags |= strip_flag(list, n);
        list += n + (list[n] == ',');
    }
    return flags;
}

static filter *filter_read(const args *a, const char *query)
{
    filter *f = filter_new("pgn", patterns_of_option(a, OPT_PATTERNS));
    for (size_t i = 0; i < a->n_given; i++)
        if (is_condition(a->given[i].index))
            filter_add(f, options[a->given[i].index].name, a->given[i].value);
    if (query && args_has(a, OPT_QUERY))
        error_exit("pgn: \"%s\" is no file, and a query is given by --query already", query);
    filter_end(f, query ? query : args_value(a, OPT_QUERY));
    filter_refuse_ids(f);
    return f;
}

static void output_read(picking *p, const args *a)
{
    const char *split = args_value(a, OPT_SPLIT);
    p->output = args_value(a, OPT_OUTPUT);
    if (split && strcmp(split, "player") == 0) {
        if (!p->output || !strstr(p->output, "%s"))
            error_exit("pgn: --split player needs -o with %%s in the name, such as -o %%s.pgn");
        p->players = p->only_counts ? NULL : players_new(p->output, a);
        return;
    }
    if (split) {
        if (*split < '0' || *split > '9')
            error_exit("pgn: --split takes a number of games, or player, not \"%s\"", split);
        p->split = number_read("pgn: --split", split, 1, 1000000000);
        if (!p->output || !strstr(p->output, "%d"))
            error_exit("pgn: --split needs -o with %%d in the name, such as -o part-%%d.pgn");
        return;
    }
    refuse_overwriting(p->output, a);
    out_open(p->output);
}

static bool pick_unique(picking *p, const args *a)
{
    p->lines = line_set_new();
    if (!p->drops_beginnings)
        return read_files(p, a, PASS_WRITE);
    for (size_t i = 0; i < a->n_words; i++)
        if (strcmp(a->words[i], "-") == 0)
            error_exit("pgn: --unique=prefix reads its input three times, which standard input cannot be");
    return read_files(p, a, PASS_COLLECT) && read_files(p, a, PASS_MARK) && read_files(p, a, PASS_WRITE);
}

static int run(const args *a)
{
    picking p = {
        .args = a,
        .is_inverted = args_has(a, OPT_INVERT),
        .only_counts = args_has(a, OPT_COUNT),
        .drops_beginnings = args_value(a, OPT_UNIQUE) != NULL,
        .strip = strip_read(args_value(a, OPT_STRIP)),
        .flags = (args_has(a, OPT_ANY_VARIANT) ? TBY_PGN_ANY_VARIANT : 0) |
                 (args_has(a, OPT_CHESS960) ? TBY_PGN_CHESS960 : 0),
    };
    if (a->n_words == 0)
        error_exit("pgn: no FILE given; - reads standard input; try --help");
    p.query = filter_query_word(a);
    p.filter = filter_read(a, p.query);
    if (args_has(a, OPT_EXPLAIN)) {
        filter_explain(p.filter);
        filter_free(p.filter);
        return EXIT_YES;
    }
    output_read(&p, a);
    const bool all_read = args_has(a, OPT_UNIQUE) ? pick_unique(&p, a) : read_files(&p, a, PASS_WRITE);
    if (p.players)
        players_close(p.players, p.n_picked);
    if (p.only_counts)
        out_printf("%" PRIu64 "\n", p.n_picked);
    out_close();
    if (!p.n_picked && !p.is_inverted)
        hint_at_names(a);
    filter_free(p.filter);
    line_set_free(p.lines);
    buffer_free(&p.path);
    return !all_read || p.n_bad ? EXIT_FAILED : p.n_picked ? EXIT_YES : EXIT_NO;
}

const command cmd_pgn = {
    .name = "pgn",
    .words = "FILE... [QUERY]",
    .summary = "pick games from PGN files and reshape them",
    .description =
        "Writes the games that the query and all conditions hold for, in PGN's export format and in the order of the "
        "input. `tabiya help query` explains queries; the conditions are short forms of them: a NAME or VALUE matches "
        "by its words, ignoring case and accents; with an asterisk, which stands for any text, the whole value must "
        "match. A RANGE is LOW..HIGH, LOW.., ..HIGH or one value. A date with unknown parts is in a range if it could "
        "be.\n\n"
        "The last or first word is the query if no file has that name.\n\n"
        "A game with a fault is reported on standard error and left out; `tabiya check` can separate such "
        "games first.\n\n"
        "FILE may be compressed with gzip or zstd; - is standard input. Memory does not depend on its size, but "
        "--unique needs up to 50 bytes for every game.",
    .exits = "0  games were found\n1  no game was found\n2  a file or game could not be read, or writing failed",
    .options = options,
    .examples = examples,
    .run = run,
};
