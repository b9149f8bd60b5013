/*
 * hostile.c - random and mutated bytes into the receive functions, and texts into the input functions:
 *
 *     hostile N        N of each, into the server that libpq finds
 *
 * The server refuses them as bad data, or accepts them, and then every function works on them; it never crashes.
 */
#include "tabiya_value.h"

#include <libpq-fe.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE_MAX_INPUT = 4096 };

static uint64_t state = 0x9e3779b97f4a7c15ULL;

static uint32_t below(uint32_t n)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint32_t)(state >> 32) % n;
}

static void die(const char *what, PGconn *db)
{
    fprintf(stderr, "hostile: %s: %s\n", what, PQerrorMessage(db));
    exit(1);
}

/* ---- Values ------------------------------------------------------------------------------------------------ */

typedef struct kind {
    const char *name;
    const char *use; /* a query with $1 that covers most of the code */
    size_t (*bytes)(uint8_t *out);
    size_t (*text)(char *out);
} kind;

static size_t random_line(tby_position *pos, tby_move *moves, size_t n_plies)
{
    size_t n = 0;
    for (; n < n_plies; n++) {
        tby_move legal[TBY_MOVES_MAX];
        const size_t n_legal = tby_moves_list(legal, pos);
        if (n_legal == 0)
            break;
        moves[n] = legal[below((uint32_t)n_legal)];
        tby_position_play(pos, moves[n], NULL);
    }
    return n;
}

static size_t game_bytes(uint8_t *out)
{
    tby_move moves[100];
    tby_position start, pos;
    tby_setup setup;
    tby_setup_chess960(&setup, below(3) ? 518 : below(960));
    tby_position_init(&start, &setup, 0, NULL);
    pos = start;
    const size_t n = random_line(&pos, moves, below(100));
    return tby_packed_encode(out, SIZE_MAX_INPUT, &start, moves, n, (tby_result)below(4));
}

static void random_setup(tby_setup *out)
{
    tby_move moves[100];
    tby_position pos;
    tby_position_start(&pos);
    random_line(&pos, moves, below(100));
    tby_position_setup(out, &pos);
}

static size_t board_bytes(uint8_t *out)
{
    tby_setup setup;
    random_setup(&setup);
    return tby_chessboard_encode(out, &setup);
}

static size_t query_bytes(uint8_t *out)
{
    out[0] = (uint8_t)(1 + below(2));
    out[1] = 0;
    out[2] = (uint8_t)below(256);
    return 3 + board_bytes(out + 3);
}

/* Half of them are upper bounds of the range of an opening. */
static size_t opening_bytes(uint8_t *out)
{
    uint8_t game[SIZE_MAX_INPUT];
    const size_t n = game_bytes(game);
    return below(2) ? tby_chessgame_range_begin(out, game, n) : tby_chessgame_range_end(out, game, n);
}

typedef struct writing {
    char *out;
    size_t n;
} writing;

static bool append(void *context, const char *s, size_t n)
{
    writing *w = context;
    if (w->n + n >= SIZE_MAX_INPUT)
        return false;
    memcpy(w->out + w->n, s, n);
    w->n += n;
    return true;
}

static size_t game_text(char *out)
{
    uint8_t bytes[SIZE_MAX_INPUT];
    writing w = {out, 0};
    const size_t n = game_bytes(bytes);
    tby_chessgame_write(bytes, n, append, &w);
    return w.n;
}

static size_t board_text(char *out)
{
    tby_setup setup;
    random_setup(&setup);
    return tby_fen_write(out, SIZE_MAX_INPUT, &setup, 0);
}

static size_t query_text(char *out)
{
    char fen[TBY_FEN_SIZE];
    board_text(fen);
    return (size_t)snprintf(out, SIZE_MAX_INPUT, "%s %s within %u", below(2) ? "board" : "position", fen, below(100));
}

static size_t opening_text(char *out)
{
    static const char end[] = "openingEnd ";
    const size_t n = below(2) ? sizeof end - 1 : 0;
    memcpy(out, end, n);
    return n + game_text(out + n);
}

static const kind KINDS[] = {
    {"chessgame",
     "SELECT $1::chessgame::text::chessgame = $1 AND $1::chessgame::bytea::chessgame = $1"
     " AND hasBoard($1, getBoard($1)) AND hasPosition($1, getBoard($1, 0)) AND hasOpening($1, getFirstMoves($1, 5))"
     " AND length(getGameResult($1)) > 0 AND countLegalMoves($1) >= 0 AND length(toPgn($1)) > 0"
     " AND (SELECT count(*) FROM moves($1)) = plyCount($1)",
     game_bytes, game_text},
    {"chessboard",
     "SELECT $1::chessboard::text::chessboard = $1 AND $1::chessboard::bytea::chessboard = $1"
     " AND isLegalPosition($1) = (positionErrors($1) = '') AND toFen($1) <> '' AND toAscii($1) <> ''"
     " AND placementKey($1) IS NOT NULL AND within($1)::text <> ''",
     board_bytes, board_text},
    {"boardquery",
     "SELECT $1::boardquery::text::boardquery::text = $1::text AND ('1. e4'::chessgame @~ $1) IS NOT NULL", query_bytes,
     query_text},
    {"chessopening",
     "SELECT $1::chessopening::text::chessopening = $1 AND ('1. e4'::chessgame < $1) IS NOT NULL"
     " AND ('1. e4'::chessgame >= $1) IS NOT NULL",
     opening_bytes, opening_text},
};
enum { N_KINDS = sizeof KINDS / sizeof *KINDS };

/* ---- Harm -------------------------------------------------------------------------------------------------- */

static size_t mutate(uint8_t *bytes, size_t n, bool is_text)
{
    static const uint8_t letters[] = "KQRBNPkqrbnp/12345678abcdefgh-+#=x[]{}()\"*;% .O0wW";
    for (uint32_t i = 1 + below(4); i > 0; i--) {
        const uint8_t byte = is_text && below(8) ? letters[below(sizeof letters - 1)] : (uint8_t)(1 + below(255));
        const size_t at = n ? below((uint32_t)n) : 0;
        switch (below(4)) {
        case 0:
            if (n)
                bytes[at] = byte;
            break;
        case 1:
            if (n) {
                memmove(bytes + at, bytes + at + 1, n - at - 1);
                n--;
            }
            break;
        case 2:
            memmove(bytes + at + 1, bytes + at, n - at);
            bytes[at] = byte;
            n++;
            break;
        default: n = at; break;
        }
    }
    return n;
}

static size_t make_input(uint8_t *out, const kind *k, bool is_text)
{
    size_t n = 0;
    if (below(4) > 0) {
        n = is_text ? k->text((char *)out) : k->bytes(out);
        n = below(10) ? mutate(out, n, is_text) : n;
    } else {
        n = below(200);
        for (size_t i = 0; i < n; i++)
            out[i] = (uint8_t)(1 + below(is_text ? 127 : 255));
        if (!is_text && n > 0)
            out[0] = (uint8_t)(0x10 + below(3));
    }
    return n;
}

/* ---- The server -------------------------------------------------------------------------------------------- */

/* Sent together and answered together, each as a separate transaction. */
enum { BATCH = 100 };

typedef struct question {
    const kind *kind;
    bool is_text;
    int n;
    uint8_t bytes[2 * SIZE_MAX_INPUT];
} question;

static void prepare(PGconn *db)
{
    for (size_t i = 0; i < N_KINDS; i++) {
        char type[64];
        snprintf(type, sizeof type, "SELECT '%s'::regtype::oid", KINDS[i].name);
        PGresult *answer = PQexec(db, type);
        const Oid oid = (Oid)strtoul(PQgetvalue(answer, 0, 0), NULL, 10);
        PQclear(answer);
        answer = PQprepare(db, KINDS[i].name, KINDS[i].use, 1, &oid);
        if (PQresultStatus(answer) != PGRES_COMMAND_OK)
            die(KINDS[i].use, db);
        PQclear(answer);
    }
}

static void ask(PGconn *db, question *q, bool is_text)
{
    q->kind = &KINDS[below(2) ? 0 : below(N_KINDS)];
    q->is_text = is_text;
    q->n = (int)make_input(q->bytes, q->kind, is_text);
    q->bytes[q->n] = '\0';
    const char *value = (const char *)q->bytes;
    const int format = !is_text;
    if (!PQsendQueryPrepared(db, q->kind->name, 1, &value, &q->n, &format, 0) || !PQpipelineSync(db))
        die(q->kind->name, db);
}

/* Was the value accepted? */
static bool hear(PGconn *db, const question *q)
{
    PGresult *answer = PQgetResult(db);
    const char *code = PQresultErrorField(answer, PG_DIAG_SQLSTATE);
    const bool is_taken = PQresultStatus(answer) == PGRES_TUPLES_OK;
    if (is_taken && strcmp(PQgetvalue(answer, 0, 0), "t") != 0) {
        fprintf(stderr, "hostile: %s, taken, but not sound: ", q->kind->name);
        for (int i = 0; i < q->n; i++)
            fprintf(stderr, q->is_text ? "%c" : "%02x", q->bytes[i]);
        fprintf(stderr, "\n");
        exit(1);
    }
    if (!is_taken && (!code || strncmp(code, "22", 2) != 0))
        die(q->kind->name, db);
    PQclear(answer);
    if (PQgetResult(db)) /* the end of this answer */
        die("an answer too many", db);
    answer = PQgetResult(db);
    if (PQresultStatus(answer) != PGRES_PIPELINE_SYNC)
        die("no end of a transaction", db);
    PQclear(answer);
    return is_taken;
}

int main(int argc, char **argv)
{
    static question questions[BATCH];
    const long n_inputs = argc == 2 ? 2 * strtol(argv[1], NULL, 10) : 0;
    PGconn *db = PQconnectdb("");
    long n_taken = 0;
    if (PQstatus(db) != CONNECTION_OK)
        die("no connection", db);
    prepare(db);
    if (!PQenterPipelineMode(db))
        die("no pipeline", db);
    for (long done = 0; done < n_inputs; done += BATCH) {
        for (int i = 0; i < BATCH; i++)
            ask(db, &questions[i], i % 2);
        for (int i = 0; i < BATCH; i++)
            n_taken += hear(db, &questions[i]);
    }
    PQfinish(db);
    printf("%ld taken, %ld refused\n", n_taken, n_inputs - n_taken);
    return n_taken > 0 && n_taken < n_inputs ? 0 : 1;
}
