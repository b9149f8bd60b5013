/*
 * describe.c - writes the description of the API in the form of OpenAPI 3.0.
 *
 *     {"openapi": ..., "info": ..., "servers": ..., "paths": made from the table of answers,
 *      "components": the file schemas.json}
 *
 * Keeps    schemas.json is part of the program. Its names are the path without /api/ and braces, with dots for slashes:
 *          the response of `repertoire.gaps`; with ".post", ".put" or ".delete" for a method that changes the database.
 *          A parameter is `find.limit` if it means something else there, `explorer.q` for the paths of the explorer, or
 *          else `limit`. The test of the description fails if a name is missing.
 */
#include "describe.h"
#include "site_files.h"

#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { NAME_SIZE = 128 };

static const asset *schemas(void)
{
    const web_file found = file_find(NULL, "/api/schemas.json", strlen("/api/schemas.json"));
    assert(found.asset);
    return found.asset;
}

/* Is there a component of this name, whose first member is called `first`? */
static bool is_described(const char *name, const char *first)
{
    const asset *a = schemas();
    char quoted[2 * NAME_SIZE + 8];
    const size_t n = (size_t)snprintf(quoted, sizeof quoted, "\"%s\": {", name), n_first = strlen(first);
    for (size_t i = 0; i + n < a->n_bytes; i++)
        if (memcmp(a->bytes + i, quoted, n) == 0) {
            i += n;
            while (i < a->n_bytes && strchr("\n \"", a->bytes[i]))
                i++;
            return a->n_bytes - i > n_first && memcmp(a->bytes + i, first, n_first) == 0;
        }
    return false;
}

/* "/api/games/{id}" is games.id. */
static void name_of_path(char out[NAME_SIZE], const char *path)
{
    const char *s = strncmp(path, "/api/", 5) == 0 ? path + 5 : path + 1;
    size_t n = 0;
    for (; *s && n + 1 < NAME_SIZE; s++)
        if (*s != '{' && *s != '}')
            out[n++] = *s == '/' ? '.' : *s;
    out[n] = '\0';
}

static void add_reference(buffer *out, const char *kind, const char *name)
{
    char place[3 * NAME_SIZE];
    snprintf(place, sizeof place, "#/components/%s/%s", kind, name);
    json_add(out, "{'$ref':%s}", place);
}

/* The most specific name that is described: of the path, of a path above it, of the explorer, or of all paths. */
static void add_parameter(buffer *out, const answer *a, const char *name, size_t n)
{
    char path[NAME_SIZE], full[2 * NAME_SIZE];
    name_of_path(path, a->path);
    for (size_t end = strlen(path); end > 0; end--) {
        snprintf(full, sizeof full, "%.*s.%.*s", (int)end, path, (int)n, name);
        if ((path[end] == '\0' || path[end] == '.') && is_described(full, "name")) {
            add_reference(out, "parameters", full);
            return;
        }
    }
    snprintf(full, sizeof full, "explorer.%.*s", (int)n, name);
    if (!a->ignores_others || !is_described(full, "name"))
        snprintf(full, sizeof full, "%.*s", (int)n, name);
    add_reference(out, "parameters", full);
}

/* Without the first one, if the body has its value. */
static void add_parameters(buffer *out, const answer *a, bool is_in_body)
{
    json_add(out, "'parameters':[");
    for (const char *s = a->parameters; *s; s += strcspn(s, " ") + 1)
        if (s > a->parameters || !is_in_body)
            add_parameter(out, a, s, strcspn(s, " "));
    for (int i = 0; i < N_QUERY_VALUES; i++)
        if (a->takes && a->takes(condition_name(i)) && !list_has(a->parameters, ' ', condition_name(i)))
            add_parameter(out, a, condition_name(i), strlen(condition_name(i)));
    if (a->changes)
        add_parameter(out, a, "X-Tabiya-Token", strlen("X-Tabiya-Token"));
    json_add(out, "]");
}

static void add_response(buffer *out, const char *status, const char *name)
{
    json_add(out, "%s:", status);
    add_reference(out, "responses", name);
}

/* What may come back, besides the answer itself. */
static void add_responses(buffer *out, const answer *a, const char *name, bool has_body)
{
    const bool is_saved = a->changes && has_body;
    json_add(out, "'responses':{");
    add_response(out, strcmp(name, "games.post") == 0 ? "201" : "200", name);
    if (a->of_games && !a->changes && !a->takes_body)
        add_response(out, "304", "Same");
    add_response(out, "400", "Asked");
    if (a->changes)
        add_response(out, "403", "Forbidden");
    if (a->of_games || a->of_engines)
        add_response(out, "404", "Absent");
    if (is_saved)
        add_response(out, "409", "Conflict");
    if (has_body)
        add_response(out, "413", "TooLarge");
    add_response(out, "500", "Broken");
    add_response(out, "503", "NotNow");
    json_add(out, "}");
}

/* With several methods, the part of the summary after "POST: ", up to the next bar. */
static span summary_of(const answer *a, const char *method)
{
    char label[16];
    snprintf(label, sizeof label, "%s: ", method);
    const char *at = strstr(a->summary, label), *begin = at ? at + strlen(label) : a->summary;
    return (span){begin, strcspn(begin, "|")};
}

/* `method` is in capital letters; OpenAPI uses small ones. */
static void add_method(buffer *out, const answer *a, const char *method)
{
    char name[2 * NAME_SIZE], body[2 * NAME_SIZE + 8], called[8];
    size_t n = 0;
    for (; method[n] && n + 1 < sizeof called; n++)
        called[n] = (char)tolower((unsigned char)method[n]);
    called[n] = '\0';
    name_of_path(name, a->path);
    n = strlen(name);
    if (a->changes)
        snprintf(name + n, sizeof name - n, ".%s", called);
    snprintf(body, sizeof body, "%s.body", name);
    const bool has_body = *method == 'P' && is_described(body, "");
    const span summary = summary_of(a, method);
    json_add(out, "%s:{'summary':%.*s", called, (int)summary.n, summary.s);
    add_parameters(out, a, a->takes_body && has_body);
    if (has_body) {
        json_add(out, "'requestBody':");
        add_reference(out, "requestBodies", body);
    }
    add_responses(out, a, name, has_body);
    json_add(out, "}");
}

static void add_path(buffer *out, const answer *a)
{
    static const char *const names[] = {"GET", "POST", "PUT", "DELETE"};
    json_add(out, "%s:{", a->path);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (a->changes ? strstr(a->changes, names[i]) != NULL : i == 0 || (i == 1 && a->takes_body))
            add_method(out, a, names[i]);
    json_add(out, "}");
}

void describe_answers(buffer *out, const answer *answers, size_t n)
{
    json_add(out,
             "{'openapi':'3.0.3','info':{'title':'tabiya','description':%s,'version':'1','license':{'name':'MIT'}},"
             "'servers':[{'url':'..'}],'paths':{",
             "Chess games and positions as data: the JSON API of `tabiya serve`. See docs/api.md for details.");
    for (size_t i = 0; i < n; i++)
        add_path(out, &answers[i]);
    json_add(out, "},'components':");
    buffer_add(out, schemas()->bytes, schemas()->n_bytes);
    buffer_string(out, "}\n");
}
