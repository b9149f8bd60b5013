/*
 * shards_print.c - the statements that set up shards as a script for psql, with which server each part is for. Secrets
 * are not shown: whoever runs the script has them elsewhere.
 */
#include "store/postgres/pg.h"

#include <string.h>

/* ---- Options of a connection: name='value' ... ------------------------------------------------------------------ */

/* Where the one that begins here ends. */
static const char *option_end(const char *option)
{
    const char *s = strstr(option, "='");
    if (!s)
        return option + strlen(option);
    for (s += 2; *s && *s != '\''; s++)
        s += *s == '\\' && s[1];
    return s + (*s == '\'');
}

static bool is_secret(const char *option)
{
    return strncmp(option, "password=", 9) == 0 || strncmp(option, "sslpassword=", 12) == 0;
}

void pg_put_shown_options(buffer *out, const char *options)
{
    for (const char *end; *options; options = end + (*end == ' ')) {
        end = option_end(options);
        if (is_secret(options))
            buffer_printf(out, "%.*s='***'", (int)strcspn(options, "="), options);
        else
            buffer_add(out, options, (size_t)(end - options));
        buffer_string(out, *end ? " " : "");
    }
}

/* \connect "host='...' ...", in which quotes are doubled. */
static void put_connect(buffer *out, const char *options)
{
    buffer_string(out, "\\connect \"");
    for (const char *end; *options; options = end + (*end == ' ')) {
        end = option_end(options);
        for (const char *s = options; !is_secret(options) && s < end; s++)
            buffer_add(out, *s == '"' ? "\"\"" : s, *s == '"' ? 2 : 1);
        buffer_string(out, *end && !is_secret(options) ? " " : "");
    }
    buffer_string(out, "\"\n");
}

/* ---- The script ------------------------------------------------------------------------------------------------- */

void pg_put_script_head(buffer *out) { buffer_string(out, "\\set ON_ERROR_STOP on\n"); }

void pg_put_script_part(buffer *out, const char *name, const char *options, const buffer *sql)
{
    buffer_printf(out, "-- On %s:\n", name);
    put_connect(out, options);
    buffer_add(out, sql->s ? sql->s : "", sql->n);
    buffer_string(out, "\n");
}
