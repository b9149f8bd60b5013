/*
 * columns.c - the columns of a stored game, and their values in rows.
 */
#include "row/columns.h"
#include "base/contract.h"
#include "pgn/game.h"
#include "row/dates.h"

#include <string.h>

const char *const name_tables[N_NAME_TABLES] = {
    [NAMES_PLAYER] = "player", [NAMES_EVENT] = "event", [NAMES_SITE] = "site", [NAMES_SHAPE] = "shape"};

/* ---- Functions for columns ------------------------------------------------------------------------------ */

static const char *result_text(int result) { return tby_result_text((tby_result)result); }

static tby_text tag_of(const tby_game *game, const char *name)
{
    const size_t index = game_find_tag(game, name, strlen(name));
    if (index >= game->n_tags)
        return (tby_text){NULL, 0};
    return (tby_text){game->text + game->tags[index].value, game->tags[index].n_value};
}

static date_parts date_of_tag(const tby_game *game, const char *name)
{
    const tby_text text = tag_of(game, name);
    return dates_read(text.s ? text.s : "", text.n);
}

/* UTCDate replaces a Date that is missing or completely unknown. */
static void derive_date(tby_row *row, const tby_game *game)
{
    date_parts date = date_of_tag(game, "Date");
    if (!date.last)
        date = date_of_tag(game, "UTCDate");
    row->date = date.date;
    row->first_day = date.first;
    row->last_day = date.last;
}

static const char *speed_text(int speed) { return tby_speed_text((tby_speed)speed); }

static void derive_speed(tby_row *row, const tby_game *game)
{
    int64_t seconds;
    const tby_text control = tag_of(game, "TimeControl");
    if (control.s)
        row->speed = tby_speed_read(control.s, control.n, &seconds);
}

static void derive_eco(tby_row *row, const tby_game *game)
{
    tby_opening opening;
    (void)game;
    if (!row->eco.s && tby_opening_of_chessgame(&opening, (const uint8_t *)row->moves.s, row->moves.n) >= 0)
        row->eco = (tby_text){opening.eco, strlen(opening.eco)};
}

/* ---- The table ------------------------------------------------------------------------------------------ */

#define AT(member) offsetof(tby_row, member)

const row_column row_columns[] = {
    {"white", "White", COLUMN_NAME, .offset = AT(white), .names = NAMES_PLAYER},
    {"white_elo", "WhiteElo", COLUMN_NUMBER, .offset = AT(elo[TBY_WHITE]), .most = ELO_MAX, .read = elo_read},
    {"black", "Black", COLUMN_NAME, .offset = AT(black), .names = NAMES_PLAYER},
    {"black_elo", "BlackElo", COLUMN_NUMBER, .offset = AT(elo[TBY_BLACK]), .most = ELO_MAX, .read = elo_read},
    {"result", "Result", COLUMN_CHOICE, .offset = AT(result), .most = TBY_DRAW, .text = result_text},
    {"date", "Date", COLUMN_DATE, .offset = AT(date), .most = DATE_MAX, .derive = derive_date},
    {"event", "Event", COLUMN_NAME, .offset = AT(event), .names = NAMES_EVENT},
    {"site", "Site", COLUMN_NAME, .offset = AT(site), .names = NAMES_SITE},
    {"round", "Round", COLUMN_TEXT, .offset = AT(round)},
    {"eco", "ECO", COLUMN_TEXT, .offset = AT(eco), .takes = eco_is_code, .is_guess = true, .derive = derive_eco},
    {"plies", NULL, COLUMN_COUNT, .offset = AT(plies), .most = TBY_PLIES_MAX},
    {"speed", NULL, COLUMN_CHOICE, .offset = AT(speed), .most = TBY_SPEED_CORRESPONDENCE, .text = speed_text,
     .derive = derive_speed},
    {"first_day", NULL, COLUMN_DAY, .offset = AT(first_day), .most = DAY_MAX},
    {"last_day", NULL, COLUMN_DAY, .offset = AT(last_day), .most = DAY_MAX},
    {"shape", NULL, COLUMN_SHAPE, .offset = AT(shape), .names = NAMES_SHAPE},
    {"tags", NULL, COLUMN_JSON, .offset = AT(tags)},
    {"hash", NULL, COLUMN_HASH, .offset = AT(hash)},
    {"moves", NULL, COLUMN_MOVES, .offset = AT(moves)},
    {"annotated", NULL, COLUMN_RECORD, .offset = AT(annotated)},
};
const size_t n_row_columns = sizeof row_columns / sizeof *row_columns;

_Static_assert(sizeof row_columns / sizeof *row_columns <= N_COLUMNS_MAX, "room for all columns");
_Static_assert(sizeof(int) == sizeof(uint32_t) && sizeof(int) == sizeof(tby_result), "numbers are read as int");

const row_column *column_of_tag(const char *name, size_t n)
{
    for (const row_column *c = row_columns; c->tag; c++)
        if (c->tag[0] == name[0] && strncmp(c->tag, name, n) == 0 && !c->tag[n])
            return c;
    return NULL;
}

const row_column *column_named(const char *name)
{
    for (const row_column *c = row_columns; c < row_columns + n_row_columns; c++)
        if (strcmp(c->name, name) == 0)
            return c;
    return NULL;
}

/* ---- Values --------------------------------------------------------------------------------------------- */

int column_get_number(const row_column *c, const tby_row *row)
{
    TBY_CONTRACT(c && row);
    int number;
    memcpy(&number, (const char *)row + c->offset, sizeof number);
    return number;
}

void column_set_number(const row_column *c, tby_row *row, int number)
{
    TBY_CONTRACT(c && row);
    memcpy((char *)row + c->offset, &number, sizeof number);
}

static tby_text text_of(const char *s) { return (tby_text){s, s ? strlen(s) : 0}; }

static tby_text number_text(int number, char room[TBY_ROW_TEXT_SIZE])
{
    number_write(room, number);
    return text_of(room);
}

tby_text column_tag(const row_column *c, const tby_row *row, char room[TBY_ROW_TEXT_SIZE])
{
    if (column_is(c, KINDS_WITH_TEXT))
        return *column_text_of(c, row);
    const int number = column_get_number(c, row);
    switch (c->kind) {
    case COLUMN_CHOICE: return text_of(c->text(number));
    case COLUMN_DATE: date_write(room, number); return text_of(room);
    default: return number ? number_text(number, room) : text_of(NULL);
    }
}

/* ---- Rows of a database --------------------------------------------------------------------------------- */

static int choice_of(const row_column *c, tby_text text)
{
    for (int i = 0; i <= c->most; i++) {
        const char *s = c->text(i);
        if (s && text.s && strlen(s) == text.n && memcmp(s, text.s, text.n) == 0)
            return i;
    }
    return 0;
}

static void take_cell(tby_row *out, const row_column *c, const cells *from, int at)
{
    if (column_is(c, KINDS_WITH_TEXT)) {
        *column_text(c, out) = from->text(from->from, at);
    } else if (c->kind == COLUMN_HASH) {
        out->hash = (uint64_t)from->number(from->from, at);
    } else if (c->kind == COLUMN_CHOICE) {
        column_set_number(c, out, choice_of(c, from->text(from->from, at)));
    } else {
        const int64_t number = from->number(from->from, at);
        column_set_number(c, out, number < 0 || number > c->most ? 0 : (int)number);
    }
}

void row_of_cells(tby_row *out, const cells *from, unsigned kinds)
{
    TBY_CONTRACT(from->text && from->number);
    memset(out, 0, sizeof *out);
    for (size_t i = 0; i < n_row_columns; i++)
        if (column_is(&row_columns[i], kinds))
            take_cell(out, &row_columns[i], from, from->first + (int)i);
}

static bool same_text(tby_text a, tby_text b)
{
    return a.n == b.n && !a.s == !b.s && (!a.s || memcmp(a.s, b.s, a.n) == 0);
}

bool row_fits_cells(const tby_row *row, const cells *from)
{
    for (size_t i = 0; i < n_row_columns; i++) {
        const row_column *c = &row_columns[i];
        const int at = from->first + (int)i;
        if (c->kind == COLUMN_CHOICE
                ? !same_text(from->text(from->from, at), text_of(c->text(column_get_number(c, row))))
                : !column_is(c, KINDS_WITH_TEXT | KIND(COLUMN_HASH)) &&
                      from->number(from->from, at) != column_get_number(c, row))
            return false;
    }
    return true;
}

/* ---- Comparing ------------------------------------------------------------------------------------------ */

static bool is_same(const row_column *c, const tby_row *a, const tby_row *b)
{
    if (column_is(c, KINDS_WITH_TEXT))
        return same_text(*column_text_of(c, a), *column_text_of(c, b));
    return c->kind == COLUMN_HASH ? a->hash == b->hash : column_get_number(c, a) == column_get_number(c, b);
}

bool row_is_equal(const tby_row *a, const tby_row *b, bool but_guesses)
{
    for (const row_column *c = row_columns; c < row_columns + n_row_columns; c++)
        if (!is_same(c, a, b) && !(but_guesses && c->is_guess && !row_has_tag(a, c->tag)))
            return false;
    return true;
}

/* ---- Tags ----------------------------------------------------------------------------------------------- */

bool row_other_tag(const tby_row *row, const char *name, json_text *out)
{
    const char *at = NULL;
    if (!row->tags.s)
        return false;
    json_reader j = json_begin(row->tags.s, row->tags.n);
    if (!json_members(&j, &name, &at, 1) || !at)
        return false;
    j.at = at;
    return json_take_string(&j, out);
}

bool row_has_tag(const tby_row *row, const char *name)
{
    const size_t n = strlen(name);
    const char *end = row->shape.s ? row->shape.s + row->shape.n : NULL;
    for (const char *at = row->shape.s; at < end;) {
        const char *blank = memchr(at, ' ', (size_t)(end - at));
        const size_t length = (size_t)((blank ? blank : end) - at);
        if (length == n && memcmp(at, name, n) == 0)
            return true;
        at += length + 1;
    }
    return false;
}

/* ---- Speeds --------------------------------------------------------------------------------------------- */

tby_speed tby_row_speed(const tby_row *row)
{
    enum { ULTRABULLET_SECONDS = 30 };
    json_text control;
    int64_t seconds;
    if (row->speed != TBY_SPEED_BULLET || !row_other_tag(row, "TimeControl", &control))
        return row->speed;
    return tby_speed_read(control.s, control.n, &seconds) == TBY_SPEED_BULLET && seconds < ULTRABULLET_SECONDS
               ? TBY_SPEED_ULTRABULLET
               : row->speed;
}

/* ---- Lists of games ------------------------------------------------------------------------------------- */

tby_text *row_next_text(tby_row *row, size_t *at)
{
    while (*at < n_row_columns) {
        const row_column *c = &row_columns[(*at)++];
        if (column_is(c, KINDS_WITH_TEXT) && column_text(c, row)->s)
            return column_text(c, row);
    }
    return NULL;
}

size_t tby_row_texts_size(const tby_row *row)
{
    tby_row copy = *row;
    const tby_text *text;
    size_t n = 0;
    for (size_t at = 0; (text = row_next_text(&copy, &at));)
        n += text->n;
    return n;
}

void tby_row_texts_copy(const tby_row *row, char *out)
{
    tby_row copy = *row;
    const tby_text *text;
    for (size_t at = 0; (text = row_next_text(&copy, &at)); out += text->n)
        memcpy(out, text->s, text->n);
}

size_t tby_row_texts_point(tby_row *row, const char *texts)
{
    tby_text *text;
    size_t n = 0;
    for (size_t at = 0; (text = row_next_text(row, &at)); n += text->n)
        text->s = texts + n;
    return n;
}

const char *tby_row_column_name(size_t index)
{
    return index < n_row_columns && column_is(&row_columns[index], KINDS_LISTED) ? row_columns[index].name : NULL;
}

bool tby_row_column_is_number(size_t index)
{
    TBY_CONTRACT(index < n_row_columns);
    return column_is(&row_columns[index], KIND(COLUMN_NUMBER) | KIND(COLUMN_COUNT));
}

tby_text tby_row_column_text(const tby_row *row, size_t index, char room[TBY_ROW_TEXT_SIZE])
{
    TBY_CONTRACT(index < n_row_columns);
    const row_column *c = &row_columns[index];
    if (c->kind == COLUMN_COUNT)
        return number_text(column_get_number(c, row), room);
    return c->kind == COLUMN_DATE ? text_of(tby_row_date_text(room, row->date)) : column_tag(c, row, room);
}
