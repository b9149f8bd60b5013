/*
 * output_options.c - the output format that the options select, and tables in that format.
 */
#include "output_options.h"
#include "copies.h"

#include <string.h>

const char *form_of_options(const args *a, const char *usual)
{
    const option *options = a->command->options, *to = &options[OUTPUT_TO];
    const char *name = NULL, *last = args_value(a, OUTPUT_TO);
    for (int i = N_QUERY_OPTIONS; options[i].name; i++) {
        if (options[i].value || !option_has_choice(to, options[i].name) || !args_has(a, i))
            continue;
        if (name)
            error_exit("%s: --%s and --%s cannot both be given", a->command->name, name, options[i].name);
        name = options[i].name;
    }
    if (name && last && strcmp(name, last) != 0)
        error_exit("%s: --%s and --to %s cannot both be given", a->command->name, name, last);
    return name ? name : last ? last : usual;
}

output output_begin(const args *a)
{
    const char *form = form_of_options(a, "lines");
    refuse_overwriting(args_value(a, OUTPUT_FILE), a);
    out_open(args_value(a, OUTPUT_FILE));
    const bool is_json = strcmp(form, "json") == 0;
    return (output){is_json, is_json ? NULL : tby_table_format_find(form, strlen(form))};
}

/* Replaces control characters in names, so that they do not reach a terminal. */
void output_table(const output *o, table *t, unsigned parts)
{
    buffer text = {0};
    table_write_as(&text, t, o->format, parts);
    if (text.n)
        text_make_harmless(text.s, text.n, ' ', "\n\t");
    out_buffer(&text);
}

void output_whole(const output *o, table t)
{
    output_table(o, &t, TABLE_WHOLE);
    table_free(&t);
}
