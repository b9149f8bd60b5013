/*
 * signatures.c - the types of the functions. SQLite's values know their types, DuckDB's functions must declare them.
 */
#include "engine.h"

#include "tabiya_value.h"

#include <string.h>

static const struct {
    const char *name;
    signature types;
} known[] = {
    {"chessgame", {"v", 'b'}},
    {"chessboard", {"v", 'b'}},
    {"chessgameError", {"v", 't'}},
    {"legalPrefix", {"t", 'b'}},
    {"tabiyaVersion", {"", 't'}},
    {"getBoard", {"v", '='}},
    {"getBoard", {"vi", '='}},
    {"getFirstMoves", {"vi", '='}},
    {"undoLastMove", {"v", '='}},
    {"addMove", {"vt", '='}},
    {"isValidMove", {"vt", 'y'}},
    {"plyCount", {"v", 'i'}},
    {"hasOpening", {"vv", 'y'}},
    {"opening", {"v", 'b'}},
    {"openingEnd", {"v", 'b'}},
    {"getOpeningMoves", {"v", '='}},
    {"getOpeningName", {"v", 't'}},
    {"getEco", {"v", 't'}},
    {"hasBoard", {"vv", 'y'}},
    {"hasBoard", {"vvi", 'y'}},
    {"hasPosition", {"vv", 'y'}},
    {"hasPosition", {"vvi", 'y'}},
    {"boardPly", {"vv", 'i'}},
    {"positionPly", {"vv", 'i'}},
    {"isDrawByFiftyMoveRule", {"v", 'y'}},
    {"isDrawBySeventyFiveMoveRule", {"v", 'y'}},
    {"isDrawByThreefoldRepetition", {"v", 'y'}},
    {"isDrawByFivefoldRepetition", {"v", 'y'}},
    {"getGameResult", {"v", 't'}},
    {"getTermination", {"v", 't'}},
    {"isCheck", {"v", 'y'}},
    {"isCheckmate", {"v", 'y'}},
    {"isStalemate", {"v", 'y'}},
    {"isInsufficientMaterial", {"v", 'y'}},
    {"isDeadPosition", {"v", 'y'}},
    {"getLegalMoves", {"v", 't'}},
    {"getLegalMovesUci", {"v", 't'}},
    {"countLegalMoves", {"v", 'i'}},
    {"isLegalPosition", {"v", 'y'}},
    {"positionErrors", {"v", 't'}},
    {"getPieceSquareValue", {"vt", 'i'}},
    {"placementKey", {"v", 'i'}},
    {"positionKey", {"v", 'i'}},
    {"polyglotKey", {"v", 'i'}},
    {"samePlacement", {"vv", 'y'}},
    {"samePosition", {"vv", 'y'}},
    {"matches", {"vt", 'y'}},
    {"matchPly", {"vt", 'i'}},
    {"matchPlies", {"vt", 't'}},
    {"positionRow", {"iiv", 'i'}},
    {"toPgn", {"vt", 't'}},
    {"toPgn", {"vtb", 't'}},
};

/* ---- Notations ---------------------------------------------------------------------------------------------- */

static bool is_position_notation(const void *notation)
{
    const tby_position_notation *at;
    for (size_t i = 0; (at = tby_position_notation_at(i)); i++)
        if (at == notation)
            return true;
    return false;
}

static const tby_game_notation *game_notation(const void *notation)
{
    const tby_game_notation *at;
    for (size_t i = 0; (at = tby_game_notation_at(i)); i++)
        if (at == notation)
            return at;
    return NULL;
}

/* to<Name> of any value; from<Name> of a text, and of Chess960 or a start: see bindings/sqlite/notations.c. */
static bool notation_signature(const made_function *function, signature *out)
{
    const tby_game_notation *games = game_notation(function->user_data);
    const bool is_binary = games && games->is_binary;
    if (strncmp(function->name, "to", 2) == 0)
        *out = (signature){"v", is_binary ? 'b' : 't'};
    else if (strncmp(function->name, "from", 4) != 0)
        return false;
    else if (function->n_args == 1)
        *out = (signature){"t", 'b'};
    else
        *out = (signature){"tv", 'b'};
    if (out->arguments[0] == 't' && games)
        out->arguments[0] = is_binary ? 'b' : 'v';
    if (out->arguments[1] && is_position_notation(function->user_data))
        out->arguments[1] = 'i';
    return (int)strlen(out->arguments) == function->n_args;
}

bool signature_of(const made_function *function, signature *out)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i].name, function->name) == 0 && (int)strlen(known[i].types.arguments) == function->n_args) {
            *out = known[i].types;
            return true;
        }
    return notation_signature(function, out);
}
