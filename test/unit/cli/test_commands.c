/*
 * test_commands.c - how much there is to learn: the commands with the number of their options, as docs/cli.md lists them.
 */
#include "support.h"

#include "commands.h"
#include "options.h"
#include "support/buffer.h"

#include <stdlib.h>

/* Options that commands have, each counted once for every command that has it. A new one has to replace another. */
enum { COMBINATIONS_MAX = 420 };

static const char *const headings[N_GROUPS] = {
    [GROUP_LOOK] = "look at games",      [GROUP_COLLECTION] = "keep a collection",
    [GROUP_PGN] = "work with PGN files", [GROUP_POSITIONS] = "positions and notations",
    [GROUP_SERVERS] = "servers",
};

static size_t n_options(const command *cmd)
{
    size_t n = 0;
    for (const option *o = cmd->options; o->name; o++)
        n += !option_is_absent(o);
    return n;
}

/* Where the page links a command to: "(#annotate)". */
static void write_link(buffer *out, const char *page, const char *name)
{
    char begin[64];
    snprintf(begin, sizeof begin, "| [`%s`](", name);
    const char *at = strstr(page, begin);
    if (at)
        buffer_add(out, at + strlen(begin) - 1, strcspn(at + strlen(begin) - 1, " \n"));
    else
        buffer_printf(out, "(#%s)", name);
}

static void write_table(buffer *out, const char *page)
{
    for (command_group group = 0; group < N_GROUPS; group++) {
        buffer_printf(out, "%s| %s | | options |\n|---|---|--:|\n", group ? "\n" : "", headings[group]);
        for (const command *const *c = commands; *c; c++) {
            if ((*c)->group != group)
                continue;
            buffer_printf(out, "| [`%s`]", (*c)->name);
            write_link(out, page, (*c)->name);
            buffer_printf(out, " | %s | %zu |\n", (*c)->summary, n_options(*c));
        }
    }
}

TEST(test_commands__together_they_have_few_options)
{
    size_t n = 0;
    for (const command *const *c = commands; *c; c++)
        n += n_options(*c);
    if (n > COMBINATIONS_MAX)
        print_error("the commands have %zu options together, more than %d\n", n, COMBINATIONS_MAX);
    assert_true(n <= COMBINATIONS_MAX);
}

TEST(test_commands__the_page_lists_them)
{
    static char page[1 << 18];
    FILE *f = fopen(TBY_TEST_DIR "/../docs/cli.md", "r");
    buffer table = {0};
    assert_non_null(f);
    const size_t n = fread(page, 1, sizeof page - 1, f);
    assert_true(n < sizeof page - 1);
    fclose(f);
    write_table(&table, page);
    if (!strstr(page, table.s))
        fprintf(stderr, "docs/cli.md should have this table:\n%s", table.s);
    assert_non_null(strstr(page, table.s));
    buffer_free(&table);
}

int main(void) { return tests_run(NULL, NULL); }
