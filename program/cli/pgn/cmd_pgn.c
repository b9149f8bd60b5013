/*
 * cmd_pgn.c - tabiya pgn: selects and edits games. The work is done in pgn_pick.c.
 */
#include "commands.h"
#include "near.h"
#include "pgn_pick.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum {
    OPT_ANY_VARIANT = N_QUERY_OPTIONS,
    OPT_CRITERIA,
    OPT_DUPLICATES,
    OPT_GAMES,
    OPT_INVERT,
    OPT_KNOWN,
    OPT_LETTERS,
    OPT_LOSSY,
    OPT_OTHERS,
    OPT_QUERIES,
    OPT_UNIQUE,
    OPT_ADD,
    OPT_CUT,
    OPT_DROP,
    OPT_DROP_TAGS,
    OPT_KEEP_TAGS,
    OPT_MARK,
    OPT_NAMES,
    OPT_NOTE,
    OPT_RENAME_TAG,
    OPT_SET,
    OPT_STRIP,
    OPT_UNFOLD,
    OPT_COUNT,
    OPT_DIAGRAMS,
    OPT_LETTERS_OUT,
    OPT_OUTPUT,
    OPT_SPLIT,
    OPT_TO,
    OPT_WIDTH
};

static const option options[] = {
    QUERY_OPTIONS,
    [OPT_ANY_VARIANT] = {OPTION_ANY_VARIANT},
    [OPT_CRITERIA] =
        {"criteria", 0, "FILE", NULL,
         "games that match a file of tag criteria, in the format of pgn-extract -t: White \"Tal\", Date >= \"1962\""},
    [OPT_DUPLICATES] = {"duplicates", 0, "FILE", NULL, "with --unique: write the duplicates to FILE"},
    [OPT_GAMES] = {"games", 0, "LIST", NULL, "use only these games of each input, by number: 17, 10..20,35"},
    [OPT_INVERT] = {"invert", 0, NULL, NULL, "select the games that do not match"},
    [OPT_KNOWN] = {"known", 0, "FILE|DB", NULL,
                   "with --unique: also leave out games that are in FILE or DB; repeatable"},
    [OPT_LETTERS] = {"letters", 0, "LETTERS", NULL,
                     "read these letters for knight, bishop, rook, queen and king (SLTDK), or a language (german); "
                     "default: detected per game, if only one reading is legal"},
    [OPT_LOSSY] = {"lossy", 0, NULL, NULL, "write a game with a fault up to the fault, instead of leaving it out"},
    [OPT_OTHERS] = {"others", 0, "FILE", NULL, "write the games that are not selected to FILE"},
    [OPT_QUERIES] = {"queries", 0, "FILE", NULL,
                     "games that match a line of FILE: a query, a position (FEN) that they reach, or moves with which "
                     "they begin"},
    [OPT_UNIQUE] = {"unique", 0, "[=prefix|near|end|N]", NULL,
                    "leave out games with the same start and moves as an earlier one; =prefix also those that are the "
                    "beginning of another game with the same players and date; =near also those in which the players' "
                    "last names and the position after 40 half-moves (or at the end of a shorter game) are the same; "
                    "=end or =N only those with the same position at the end, or after N half-moves"},
    [OPT_ADD] = {"add", 0, "LIST", NULL,
                 "add tags, separated by commas: eco, opening, plies (PlyCount), result (from the board and the move "
                 "text), hash (HashCode, equal for equal moves)"},
    [OPT_CUT] = {"cut", 0, "N|QUERY", NULL, "end each game after N half-moves, or where QUERY first holds"},
    [OPT_DROP] = {"drop", 0, "N|QUERY", NULL,
                  "start each game after N half-moves, with its last N (-N), or where QUERY first holds"},
    [OPT_DROP_TAGS] = {"drop-tags", 0, "LIST", NULL, "remove these tags, separated by commas"},
    [OPT_KEEP_TAGS] = {"keep-tags", 0, "LIST", NULL,
                       "remove all tags except these, separated by commas; roster means the seven standard tags"},
    [OPT_MARK] =
        {"mark", 0, "TEXT", NULL,
         "add this comment where the query first holds: after the move that it is about, or the one that led to "
         "the position"},
    [OPT_NAMES] = {"names", 0, "FILE", NULL,
                   "rename players: each line of FILE has OLD, a tab and NEW, as `tabiya names` prints them"},
    [OPT_NOTE] = {"note", 0, "LIST", NULL,
                  "add comments, separated by commas: fen or hash (the Polyglot key) after every move of the main "
                  "line, final-fen at its end"},
    [OPT_RENAME_TAG] = {"rename-tag", 0, "OLD=NEW", NULL, "rename a tag; repeatable"},
    [OPT_SET] = {"set", 0, "TAG=VALUE", NULL, "set this tag in each game; repeatable"},
    [OPT_STRIP] = {"strip", 0, "LIST", NULL,
                   "remove these, separated by commas: comments, variations, nags, clocks ([%clk] and the like), tags"},
    [OPT_UNFOLD] = {"unfold", 0, NULL, NULL,
                    "turn every variation into a separate game, with the moves that lead to it"},
    [OPT_COUNT] = {"count", 0, NULL, NULL, "print only the number of games"},
    [OPT_DIAGRAMS] = {OPTION_DIAGRAMS},
    [OPT_LETTERS_OUT] = {"letters-out", 0, "LETTERS", NULL,
                         "write these piece letters, given in the same way, or figurine for chess symbols"},
    [OPT_OUTPUT] = {"output", 'o', "FILE", NULL, "write to FILE instead of standard output; see --split"},
    [OPT_SPLIT] = {"split", 0, "N|NAME", NULL,
                   "write N games per file; -o must contain %d, which becomes the file's number. Or write one file per "
                   "player (a game goes to both), event, site, eco (eco:1 and eco:2 shorten the code), year, month, or "
                   "value of the tag with that name; -o must contain %s, which becomes the name"},
    [OPT_TO] =
        {"to", 0, "FORM", FORM_NAMES,
         "output format: pgn (default), epd (every position), fen (the position where the query first holds, else "
         "the last one), html (a page with a board), json, latex, or one line of moves per game: san, lan, uci"},
    [OPT_WIDTH] = {"width", 0, "N", NULL, "break lines at N columns (default: 79); 0 writes the move text on one line"},
    {0},
};

static const option_heading headings[] = {
    {OPT_ANY_VARIANT, "Which games"}, {OPT_ADD, "Changes"}, {OPT_COUNT, "Output"}, {0}};

static const example examples[] = {
    {"tabiya pgn --player carlsen --date 2019..2021 games.pgn.zst", "Selects a player's games from three years."},
    {"tabiya pgn games.pgn 'either (iqp result 1-0)'", "Selects games won by the side with an isolated queen's pawn."},
    {"tabiya pgn --strip comments,variations,nags -o plain.pgn games.pgn", "Writes the bare games."},
    {"tabiya pgn --unique --split 10000 -o part-%d.pgn *.pgn",
     "Splits many files into equal parts, without duplicates."},
    {"tabiya pgn --split player -o %s.pgn games.pgn", "Writes one file per player."},
    {"tabiya pgn --add eco,opening,plies --sort date games.pgn", "Adds missing tags and sorts the games."},
    {"tabiya pgn --to html -o games.html games.pgn", "Writes a web page with a board."},
    {"tabiya pgn --elo 2400.. --count games.pgn", "Counts the games between strong players."},
    {0},
};

/* ---- What to pick ----------------------------------------------------------------------------------------------- */

/* The conditions in the files of --criteria and similar options. */
static buffer criteria_of(const args *a)
{
    buffer facts = {0};
    for (size_t i = 0; i < a->n_given; i++) {
        const char *path = a->given[i].value;
        switch (a->given[i].index) {
        case OPT_CRITERIA: criteria_tags(&facts, path); break;
        case OPT_QUERIES: criteria_queries(&facts, path, patterns_of_option(a, QUERY_PATTERNS)); break;
        default: break;
        }
    }
    return facts;
}

/* A database checks SQL conditions, also on games in files: these are stored in a temporary one. Options that are about
   their text or their place in the file do not apply then. */
static void open_for_sql(picking *p, const args *a)
{
    static const int others[] = {OPT_ANY_VARIANT, OPT_GAMES, OPT_INVERT, OPT_LETTERS, OPT_LOSSY, OPT_OTHERS};
    p->where = args_value(a, QUERY_WHERE);
    for (size_t i = 0; p->where && i < sizeof others / sizeof *others; i++)
        if (args_has(a, others[i]))
            error_exit("pgn: --where and --%s cannot both be given", options[others[i]].name);
    if (p->where)
        sources_open(&p->sources, SOURCE_AGAIN, SOURCE_AGAIN);
}

static tby_query *query_of_args(const args *a, const sources *all)
{
    buffer facts = criteria_of(a);
    query q;
    query_of_options(&q, a, all->text, (tby_text){facts.s, facts.n}, NULL, all->of ? source_db(all->of[0]) : NULL);
    query_refuse_ids("pgn", q.query);
    buffer_free(&facts);
    return q.query;
}

/* 17, 10..20,35.. */
static numbers numbers_read(const char *list)
{
    numbers out = {0};
    while (list && *list) {
        const size_t n = strcspn(list, ",");
        char text[64];
        snprintf(text, sizeof text, "%.*s", (int)n, list);
        if (n >= sizeof text)
            error_exit("pgn: --games takes numbers and ranges such as 10..20, not \"%s\"", list);
        const range found = range_read("pgn: --games", text);
        out.ranges = realloc(out.ranges, (out.n + 1) * sizeof *out.ranges);
        memory_need(out.ranges);
        out.ranges[out.n++] = found;
        list += n + (list[n] == ',');
    }
    return out;
}

/* Two games of the same players that are the same for this long count as one. */
enum { NEAR_PLIES = 40 };

static void unique_read(picking *p, const args *a)
{
    const char *value = args_value(a, OPT_UNIQUE);
    if (!args_has(a, OPT_UNIQUE)) {
        if (args_has(a, OPT_KNOWN) || args_has(a, OPT_DUPLICATES))
            error_exit("pgn: --%s needs --unique", args_has(a, OPT_KNOWN) ? "known" : "duplicates");
        return;
    }
    p->same.lines = line_set_new();
    p->same.kind = !value                         ? UNIQUE_MOVES
                   : strcmp(value, "prefix") == 0 ? UNIQUE_PREFIX
                   : strcmp(value, "near") == 0   ? UNIQUE_NEAR
                                                  : UNIQUE_POSITION;
    p->same.ply = p->same.kind == UNIQUE_NEAR ? NEAR_PLIES : ULONG_MAX;
    if (value && *value >= '0' && *value <= '9')
        p->same.ply = number_read("pgn: --unique", value, 0, TBY_PLIES_MAX);
    else if (p->same.kind == UNIQUE_POSITION && strcmp(value, "end") != 0)
        error_exit("pgn: --unique takes prefix, near, end or a number of half-moves, not \"%s\"", value);
}

/* ---- What to change --------------------------------------------------------------------------------------------- */

static void changes_read(changes *c, const args *a)
{
    static const char roster[] = "Event,Site,Date,Round,White,Black,Result";
    const patterns *own = patterns_of_option(a, QUERY_PATTERNS);
    const char *tags = args_value(a, OPT_KEEP_TAGS);
    if (args_has(a, OPT_DROP))
        c->begin = cut_read("--drop", args_value(a, OPT_DROP), own);
    if (args_has(a, OPT_CUT))
        c->end = cut_read("--cut", args_value(a, OPT_CUT), own);
    c->add = add_read(args_value(a, OPT_ADD));
    c->note = note_read(args_value(a, OPT_NOTE));
    c->mark = args_value(a, OPT_MARK);
    if (args_has(a, OPT_NAMES))
        c->names = names_read(args_value(a, OPT_NAMES));
    c->dropped = args_value(a, OPT_DROP_TAGS);
    c->kept = tags && strcmp(tags, "roster") == 0 ? roster : tags;
    for (size_t i = 0; i < a->n_given; i++) {
        if (a->given[i].index == OPT_SET)
            pairs_add(&c->set, "--set", a->given[i].value);
        else if (a->given[i].index == OPT_RENAME_TAG)
            pairs_add(&c->renamed, "--rename-tag", a->given[i].value);
    }
}

static void letters_of_options(picking *p, const args *a)
{
    if (args_has(a, OPT_LETTERS))
        p->in = letters_read("--letters", args_value(a, OPT_LETTERS));
    if (!args_has(a, OPT_LETTERS_OUT))
        return;
    p->out = letters_read("--letters-out", args_value(a, OPT_LETTERS_OUT));
    if (strcmp(p->form->name, "pgn") != 0 && strcmp(p->form->name, "san") != 0)
        error_exit("pgn: --letters-out needs --to pgn or --to san");
}

/* ---- Where to write --------------------------------------------------------------------------------------------- */

static void split_read(picking *p, const args *a, const char *split)
{
    if (p->form->is_page)
        error_exit("pgn: --to %s writes one page, which --split cannot divide", p->form->name);
    if (*split >= '0' && *split <= '9') {
        p->split = number_read("pgn: --split", split, 1, 1000000000);
        if (!p->output || !strstr(p->output, "%d"))
            error_exit("pgn: --split needs -o with %%d in the name, such as -o part-%%d.pgn");
        return;
    }
    if (!grouping_read(&p->grouping, split))
        error_exit("pgn: --split takes a number of games, player, event, site, eco, year, month, or the name of a tag, "
                   "not \"%s\"",
                   split);
    if (!p->output || !strstr(p->output, "%s"))
        error_exit("pgn: --split %s needs -o with %%s in the name, such as -o %%s.pgn", split);
    p->groups = p->only_counts ? NULL : groups_new(p->output, a);
}

static void output_read(picking *p, const args *a)
{
    const char *split = args_value(a, OPT_SPLIT);
    p->output = args_value(a, OPT_OUTPUT);
    p->others = copy_open(args_value(a, OPT_OTHERS), a);
    p->duplicates = copy_open(args_value(a, OPT_DUPLICATES), a);
    if (split) {
        split_read(p, a, split);
        return;
    }
    refuse_overwriting(p->output, a);
    out_open(p->output);
}

static void order_read(picking *p, const args *a)
{
    tby_db_search o = {.limit = 0};
    order_of_options(&o, &p->order, a);
    p->is_sorted = o.order != NULL;
    if (p->is_sorted || o.sample)
        p->sorting = memory_got(tby_sorting_new(o.order, 0, o.sample, o.seed));
    p->limit = option_number(a, QUERY_LIMIT, 0, 1, ULONG_MAX);
    p->offset = option_number(a, QUERY_OFFSET, 0, 0, ULONG_MAX);
}

/* ---- The command ------------------------------------------------------------------------------------------------ */

/* The sources, or the files of --known. */
static bool read_files(picking *p, pass which, bool is_known)
{
    const args *a = p->args;
    bool all_read = true;
    p->pass = which;
    p->is_known = is_known;
    for (size_t i = 0; !is_known && i < p->sources.n; i++)
        all_read &=
            picking_read(p, p->where ? source_database(p->sources.of[i]) : p->sources.names[i], p->sources.names[i]);
    for (size_t i = 0; is_known && i < a->n_given; i++)
        if (a->given[i].index == OPT_KNOWN)
            all_read &= picking_read(p, a->given[i].value, a->given[i].value);
    return all_read;
}

static void refuse_standard_input(const args *a)
{
    bool has_it = false;
    for (size_t i = 0; i < a->n_words; i++)
        has_it |= strcmp(a->words[i], "-") == 0;
    for (size_t i = 0; i < a->n_given; i++)
        has_it |= a->given[i].index == OPT_KNOWN && strcmp(a->given[i].value, "-") == 0;
    if (has_it)
        error_exit("pgn: --unique=%s reads its input several times, so it cannot read standard input",
                   args_value(a, OPT_UNIQUE));
}

static bool read_all(picking *p)
{
    if (!same_has_prefixes(&p->same))
        return read_files(p, PASS_KNOWN, true) && read_files(p, PASS_WRITE, false);
    refuse_standard_input(p->args);
    return read_files(p, PASS_KNOWN, true) && read_files(p, PASS_COLLECT, false) && read_files(p, PASS_MARK, false) &&
           read_files(p, PASS_MARK, true) && read_files(p, PASS_WRITE, false);
}

static void write_end(const picking *p, void (*write)(buffer *out))
{
    buffer text = {0};
    if (!write || p->only_counts)
        return;
    write(&text);
    out_buffer(&text);
}

static void picking_free(picking *p)
{
    tby_query_free(p->query);
    changes_free(&p->changes);
    line_set_free(p->same.lines);
    tby_sorting_free(p->sorting);
    free(p->games.ranges);
    buffer_free(&p->path);
}

static int pgn_run(const args *a)
{
    const unsigned long width = option_number(a, OPT_WIDTH, 79, 0, 65535);
    picking p = {
        .args = a,
        .is_inverted = args_has(a, OPT_INVERT),
        .only_counts = args_has(a, OPT_COUNT),
        .keeps_bad = args_has(a, OPT_LOSSY),
        .unfolds = args_has(a, OPT_UNFOLD),
        .form = form_of(a, args_has(a, OPT_TO) ? args_value(a, OPT_TO) : "pgn", OPT_DIAGRAMS),
        .write = strip_read(args_value(a, OPT_STRIP)) | (width ? TBY_PGN_WIDTH(width) : (unsigned)TBY_PGN_ONE_LINE),
        .flags = variant_flags(a, OPT_ANY_VARIANT, QUERY_CHESS960),
    };
    p.sources = sources_of_words(a, 0);
    p.sources.text = words_query(p.sources.text);
    open_for_sql(&p, a);
    p.query = query_of_args(a, &p.sources);
    p.games = numbers_read(args_value(a, OPT_GAMES));
    if (args_has(a, OPT_MARK) && !p.query)
        error_exit("pgn: --mark needs a query or a condition");
    changes_read(&p.changes, a);
    p.changes.marks_played = args_has(a, OPT_MARK) && tby_query_is_about_move(p.query);
    letters_of_options(&p, a);
    unique_read(&p, a);
    order_read(&p, a);
    output_read(&p, a);
    write_end(&p, p.form->begin);
    const bool all_read = read_all(&p);
    picking_end(&p);
    write_end(&p, p.form->end);
    if (p.only_counts)
        out_printf("%" PRIu64 "\n", p.n_picked);
    out_close();
    if (!p.n_picked && !p.is_inverted)
        none_found(&p.sources, p.sources.text);
    const int code = !all_read || p.n_bad ? EXIT_FAILED : p.n_picked ? EXIT_YES : EXIT_NO;
    picking_free(&p);
    if (p.where)
        return sources_close(&p.sources, code);
    free(p.sources.text);
    return code;
}

const command cmd_pgn = {
    .name = "pgn",
    .group = GROUP_PGN,
    .words = "SOURCE... [QUERY]",
    .summary = "filter, edit, sort and split PGN files",
    .description = "Selects, edits, sorts and splits games, and writes them in PGN export format.\n\nGames keep the "
                   "order of the input. They are first selected, then shortened (--drop, --cut) and given tags and "
                   "comments (--add, --set, --note ...), then duplicates are removed (--unique), then they are sorted "
                   "or sampled (--sort, --sample), and last their number is limited (--offset, --limit). A game with a "
                   "fault is reported on standard error and left out; `tabiya check` can separate such games "
                   "first.\n\nMemory use does not depend on the size of the input, but --unique needs up to 50 bytes "
                   "per game (150 with =prefix and =near), and --sort holds all games that it writes.\n\n" QUERY_HELP,
    .exits = "0  games were found\n1  no game was found\n2  a file or game could not be read, or writing failed",
    .options = options,
    .headings = headings,
    .n_shared = N_QUERY_OPTIONS,
    .examples = examples,
    .run = pgn_run,
};
