/*
 * params.c - query strings: name=value joined by &, + for a blank, % and two hex digits for a byte.
 *
 * Refuses  bytes in hex that are none, NUL, a name that comes twice, more than PARAMS_MAX names. An empty pair is none.
 */
#include "server.h"

#include <string.h>

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    c = (char)(c | 32);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Adds s[0..n) decoded, and a NUL. */
static bool add_decoded(buffer *out, const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        char c = s[i] == '+' ? ' ' : s[i];
        if (c == '%') {
            const bool has_digits = n - i > 2;
            const int high = has_digits ? hex_digit(s[i + 1]) : -1, low = has_digits ? hex_digit(s[i + 2]) : -1;
            c = (char)(high * 16 + low);
            if (high < 0 || low < 0 || c == '\0') {
                error_print("the query string has a %% without two hex digits, or %%00");
                return false;
            }
            i += 2;
        }
        buffer_add(out, &c, 1);
    }
    buffer_add(out, "", 1);
    return true;
}

/* Their places in the text, which moves while it grows. */
typedef struct places {
    size_t name[PARAMS_MAX], value[PARAMS_MAX];
} places;

static bool add_pair(params *out, places *at, const char *s, size_t n)
{
    const char *equals = memchr(s, '=', n);
    const size_t n_name = equals ? (size_t)(equals - s) : n, behind = equals ? n_name + 1 : n;
    if (n == 0)
        return true;
    if (out->n == PARAMS_MAX) {
        error_print("the query string has more than %d parameters", PARAMS_MAX);
        return false;
    }
    at->name[out->n] = out->text.n;
    if (!add_decoded(&out->text, s, n_name))
        return false;
    at->value[out->n] = out->text.n;
    if (!add_decoded(&out->text, s + behind, n - behind))
        return false;
    out->n++;
    return true;
}

static bool read_pairs(params *out, places *at, const char *s)
{
    while (*s) {
        const size_t n = strcspn(s, "&");
        if (!add_pair(out, at, s, n))
            return false;
        s += n + (s[n] == '&');
    }
    return true;
}

static bool refuse_repetition(const params *p)
{
    for (size_t i = 0; i < p->n; i++)
        for (size_t k = 0; k < i; k++)
            if (strcmp(p->list[i].name, p->list[k].name) == 0) {
                error_print("the parameter %s is given twice", p->list[i].name);
                return false;
            }
    return true;
}

bool params_read(params *out, const char *s)
{
    places at;
    *out = (params){.n = 0};
    const bool is_good = read_pairs(out, &at, s);
    for (size_t i = 0; is_good && i < out->n; i++) {
        out->list[i].name = out->text.s + at.name[i];
        out->list[i].value = out->text.s + at.value[i];
    }
    if (is_good && refuse_repetition(out))
        return true;
    params_free(out);
    return false;
}

void params_free(params *p)
{
    buffer_free(&p->text);
    p->n = 0;
}

const char *params_value(const params *p, const char *name)
{
    for (size_t i = 0; i < p->n; i++)
        if (strcmp(p->list[i].name, name) == 0)
            return p->list[i].value;
    return NULL;
}

bool params_switch(bool *out, const params *p, const char *name)
{
    const char *value = params_value(p, name);
    *out = value && strcmp(value, "1") == 0;
    if (!value || *out || strcmp(value, "0") == 0)
        return true;
    error_print("%s must be 0 or 1, not \"%s\"", name, value);
    return false;
}
