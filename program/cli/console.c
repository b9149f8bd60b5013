/*
 * console.c - checked output, errors and numbers of the command line program.
 *
 * Keeps every byte written to `out` is checked: a full disk is an error, a closed pipe is not.
 */
#include "console.h"
#include "os/file.h"
#include "os/process.h"
#include "os/terminal.h"
#include "progress.h"
#include "tabiya_db.h"
#include "whole_file.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static whole_file *out_whole; /* NULL: standard output */
static const char *out_path;
static int flush_error; /* of a flush before a message */
static int noted_code = EXIT_YES;

/* ---- Output ----------------------------------------------------------------------------------------------------- */

static FILE *out(void) { return out_whole ? out_whole->file : stdout; }

static _Noreturn void out_failed(void)
{
    const int error = flush_error ? flush_error : errno;
    whole_files_discard();
    if (os_is_pipe_closed(out(), error))
        _Exit(noted_code);
    error_print("cannot write to %s: %s", out_path ? out_path : "standard output", strerror(error));
    _Exit(EXIT_FAILED);
}

static void put(const char *s, size_t n)
{
    if (fwrite(s, 1, n, out()) != n)
        out_failed();
}

static const char *const color_codes[] = {"\033[0m", "\033[1m", "\033[32m", "\033[33m", "\033[31m"};

/* The length of the colour code at s, 0 if there is none. */
static size_t code_length(const char *s, size_t n)
{
    for (size_t i = 0; i < sizeof color_codes / sizeof *color_codes; i++)
        if (n >= strlen(color_codes[i]) && memcmp(s, color_codes[i], strlen(color_codes[i])) == 0)
            return strlen(color_codes[i]);
    return 0;
}

/* Games and names may contain anything, but a terminal gets no control characters other than our colours. */
static void put_harmless(const char *s, size_t n)
{
    buffer text = {0};
    buffer_add(&text, s, n);
    for (size_t at = 0, begin = 0; at < n; at++) {
        const size_t code = s[at] == '\033' ? code_length(s + at, n - at) : 0;
        const size_t end = code ? at : at + 1;
        if (code || end == n) {
            text_make_harmless(text.s + begin, end - begin, '?', "\n\t");
            begin = at + code;
        }
        at += code ? code - 1 : 0;
    }
    put(text.s, n);
    buffer_free(&text);
}

/* Looked up once for each output, because it is needed for every line. */
static bool is_screen(void)
{
    static const FILE *asked;
    static bool is_terminal;
    if (asked != out())
        is_terminal = out_is_terminal();
    asked = out();
    return is_terminal;
}

void out_bytes(const char *s, size_t n) { (n && is_screen() ? put_harmless : put)(s, n); }

void out_printf(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    if (is_screen()) {
        buffer text = {0};
        buffer_list(&text, format, list);
        out_buffer(&text);
    } else if (vfprintf(out(), format, list) < 0) {
        out_failed();
    }
    va_end(list);
}

void out_buffer(buffer *text)
{
    out_bytes(text->s, text->n);
    buffer_free(text);
}

void out_json(const char *format, ...)
{
    buffer text = {0};
    va_list list;
    va_start(list, format);
    json_add_args(&text, format, list);
    va_end(list);
    out_buffer(&text);
}

void out_string(const char *s) { out_bytes(s, strlen(s)); }

static bool begins_character(char c) { return ((unsigned char)c & 0xc0) != 0x80; }

size_t text_width(const char *s)
{
    size_t width = 0;
    for (; *s; s++)
        width += begins_character(*s);
    return width;
}

void buffer_cell(buffer *out, const char *s, size_t width)
{
    size_t n = 0, left = width;
    for (; s[n] && (left || !begins_character(s[n])); n++)
        left -= begins_character(s[n]);
    buffer_harmless(out, s, n, '?');
    buffer_printf(out, "%*s", (int)left, "");
}

bool out_sink(void *context, const char *s, size_t n)
{
    (void)context;
    out_bytes(s, n);
    return true;
}

void write_failed(const char *path) { error_exit("cannot write to %s: %s", path, strerror(errno)); }

static void out_begin(const char *path, whole_file *(*open)(const char *path))
{
    if (!path || out_whole)
        return;
    out_whole = open(path);
    if (!out_whole)
        write_failed(path);
    out_path = path;
}

void out_open(const char *path) { out_begin(path, whole_file_open); }
void out_append(const char *path) { out_begin(path, whole_file_append); }

void out_next(const char *path)
{
    if (out_whole) {
        if (!whole_file_set_aside(out_whole))
            out_failed();
        out_whole = NULL;
    }
    out_open(path);
}

/* Asked for every text that is written. */
bool out_is_terminal(void) { return os_is_terminal(out()); }

unsigned out_columns(void) { return os_terminal_columns(out()); }

void out_flush(void)
{
    if (fflush(out()))
        out_failed();
}

void out_close(void)
{
    if (fflush(out()) || ferror(out()))
        out_failed();
    if (out_whole && !whole_file_close(out_whole))
        out_failed();
    out_whole = NULL;
    out_path = NULL;
}

/* ---- Errors ----------------------------------------------------------------------------------------------------- */

static color_mode color_asked;

void color_set(color_mode mode) { color_asked = mode; }

bool stream_has_color(FILE *stream)
{
    if (color_asked != COLOR_AUTO)
        return color_asked == COLOR_ALWAYS;
    const char *no = getenv("NO_COLOR");
    if (no && *no)
        return false;
    return os_terminal_has_color(stream);
}

const char *color_code(color_name c) { return stream_has_color(stdout) ? color_codes[c] : ""; }

void page_output(void)
{
    const char *program = getenv("PAGER");
    if (!os_is_terminal(stdout) || (program && !*program))
        return;
    color_set(stream_has_color(stdout) ? COLOR_ALWAYS : COLOR_NEVER);
    os_page_output("less -FRX"); /* nothing has been written before */
}

bool stdout_has_unicode(void) { return os_has_unicode() && os_is_terminal(stdout); }

/* The rest of the line, up to another address. */
static size_t rest_of_line(const char *s)
{
    size_t n = 1;
    while (s[n] && s[n] != '\n' && strncasecmp(s + n, "postgres", 8) != 0)
        n++;
    return n;
}

/* The length of the address at s. A password with a space or quote in it extends to the next @ of the line. */
static size_t address_length(const char *s)
{
    static const char ends[] = " \t\n\"'";
    const char *begin = strchr(s, ':') + 1, *host = begin + strspn(begin, "/"),
               *colon = host + strcspn(host, ":/?@ \t\n\"'");
    const size_t word = strcspn(s, ends), n = word - (s[word - 1] == ':'), line = rest_of_line(s), at = strcspn(s, "@");
    const bool may_be_cut = *colon == ':' && colon[1] && !strchr("0123456789 \n", colon[1]) && at >= n;
    return may_be_cut && at < line ? at + strcspn(s + at, ends) : n;
}

/* Does an address begin at s? It may contain mistakes. */
static bool has_scheme(const char *s)
{
    const size_t n = strncasecmp(s, "postgresql", 10) == 0 ? 10 : 8;
    return s[n] == ':' && tby_db_is_server(s);
}

/* The length of the name of a secret at s, as in "password = value" and "?token=value"; 0 if there is none. */
static size_t secret_name(const char *s)
{
    static const char *const names[] = {"password", "scram_client_key", "scram_server_key", "oauth_client_secret",
                                        "token"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strncasecmp(s, names[i], strlen(names[i])) == 0)
            return strlen(names[i]);
    return 0;
}

/* The length of "password = value" at s, whose name has `n` bytes; 0 if there is no value. */
static size_t pair_length(const char *s, size_t n)
{
    const char *value = s + n;
    value += strspn(value, " \t");
    if (n == 0 || *value++ != '=')
        return 0;
    value += strspn(value, " \t");
    value += *value == '\'' ? 1 + strcspn(value + 1, "'") : strcspn(value, " \t\n\"&");
    return (size_t)(value - s) + (*value == '\'');
}

/* The next place in a text where a password may be. */
static char *next_secret(char *s)
{
    while (*s && strncasecmp(s, "postgres", 8) != 0 && !secret_name(s))
        s++;
    return *s ? s : NULL;
}

/* Hides what is between the first colon of a word, after its //, and its last @. A colon before a slash is that of a
   scheme or a drive. */
static void hide_user(char *word, size_t n)
{
    char *end = word + n, *begin = word, *at = NULL;
    for (char *s = word; s + 1 < end && begin == word; s++)
        begin = s[0] == '/' && s[1] == '/' ? s + 2 : begin;
    char *secret = begin + strcspn(begin, ":/@ \t\n\"'");
    for (char *s = secret; s < end; s++)
        at = *s == '@' ? s : at;
    if (!at || *secret != ':' || secret[1] == '/' || secret[1] == '\\')
        return;
    memset(secret + 1, '*', (size_t)(at - secret - 1));
    if (at > secret + 4)
        memmove(secret + 4, at, strlen(at) + 1);
}

/* Hides the password of each word like user:password@host, scheme://user:password@host and
   postgresql//user:password@host. Those of servers that have the right form are left. */
static void hide_users(char *text)
{
    static const char ends[] = " \t\n\"'";
    for (char *word = text + strspn(text, ends); *word; word += strspn(word, ends)) {
        if (strncasecmp(word, "postgres", 8) != 0 || !has_scheme(word))
            hide_user(word, strcspn(word, ends));
        word += strcspn(word, ends);
    }
}

/* Whatever the message is about, and whoever wrote it. */
static void print_without_passwords(char *text)
{
    char shown[1024];
    for (char *secret; (secret = next_secret(text)) != NULL;) {
        const size_t n_name = secret_name(secret), n_pair = pair_length(secret, n_name);
        const bool is_address = strncasecmp(secret, "postgres", 8) == 0 && has_scheme(secret);
        const size_t n = is_address ? address_length(secret) : n_pair ? n_pair : 1;
        const char next = secret[n];
        secret[n] = '\0';
        if (is_address)
            tby_db_name_write(shown, sizeof shown, secret);
        fwrite(text, 1, (size_t)(secret - text), stderr);
        if (n_pair)
            fprintf(stderr, "%.*s=***", (int)n_name, secret);
        else
            fputs(is_address ? shown : secret, stderr);
        secret[n] = next;
        text = secret + n;
    }
    fputs(text, stderr);
}

/* Names, engines and files may contain anything, and stderr is usually a terminal. If memory runs out, a long text is
   cut. */
static void print_harmless(const char *format, va_list list)
{
    char some[2048], *all = NULL;
    va_list again;
    va_copy(again, list);
    const int n = vsnprintf(some, sizeof some, format, list);
    if (n >= (int)sizeof some && (all = malloc((size_t)n + 1)) != NULL)
        vsnprintf(all, (size_t)n + 1, format, again);
    va_end(again);
    char *text = all ? all : some;
    text_make_harmless(text, strlen(text), '?', "\n\t");
    hide_users(text);
    print_without_passwords(text);
    free(all);
}

static void error_list(const char *format, va_list list)
{
    if (fflush(stdout) && !flush_error) /* reported by out_close */
        flush_error = errno;
    fputs(stream_has_color(stderr) ? "\033[1;31mtabiya:\033[0m " : "tabiya: ", stderr);
    print_harmless(format, list);
    fputc('\n', stderr);
}

void error_print(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    error_list(format, list);
    va_end(list);
}

void error_exit(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    error_list(format, list);
    va_end(list);
    exit(EXIT_FAILED);
}

void notes_print(const report *r, uint64_t lines, uint64_t games)
{
    buffer text = {0};
    if (r->text.n == 0)
        return;
    progress_hide();
    out_flush();
    report_resolve(&text, r, lines, games);
    for (size_t at = 0; at < text.n;) {
        const char *line = text.s + at, *end = memchr(line, '\n', text.n - at);
        const size_t n = end ? (size_t)(end - line) : text.n - at;
        error_print("%.*s", (int)n, line);
        at += n + 1;
    }
    buffer_free(&text);
}

void problem_exit(const problem *p)
{
    if (p->status)
        error_exit("%s", p->text);
}

void exit_note(int code)
{
    if (code > noted_code)
        noted_code = code;
}

int exit_code(void) { return noted_code; }

void input_incomplete(void)
{
    exit_note(EXIT_FAILED);
    whole_files_spoil();
}

/* ---- Arguments -------------------------------------------------------------------------------------------------- */

unsigned long number_read(const char *what, const char *s, unsigned long low, unsigned long high)
{
    uint64_t value;
    problem p = {0};
    if (!problem_number(&value, what, s, low, high, &p))
        error_exit("%s", p.text);
    return (unsigned long)value;
}

unsigned long option_number(const args *a, int index, unsigned long none, unsigned long low, unsigned long high)
{
    char what[64];
    const char *value = args_value(a, index);
    if (!value)
        return none;
    snprintf(what, sizeof what, "%s: --%s", a->command->name, a->command->options[index].name);
    return number_read(what, value, low, high);
}

range range_read(const char *what, const char *s)
{
    const char *dots = strstr(s, ".."), *high = dots ? dots + 2 : s;
    const size_t n_low = dots ? (size_t)(dots - s) : strlen(s), n_high = strlen(high);
    range r = {1, UINT64_MAX};
    if (n_low + n_high == 0 || (n_low && !digits_read_some(&r.low, s, n_low, UINT32_MAX)) ||
        (n_high && !digits_read(&r.high, high, UINT32_MAX)) || r.low == 0 || r.low > r.high)
        error_exit("%s must be a number or a range such as 10..20, not \"%.200s\"", what, s);
    return r;
}

uint64_t size_read(const char *what, const char *s)
{
    static const char letters[] = "KMGT";
    const size_t n = strspn(s, "0123456789");
    const char *letter = s[n] ? strchr(letters, s[n]) : NULL;
    char number[16];
    if (n == 0 || n >= sizeof number || (s[n] && (!letter || s[n + 1])))
        error_exit("%s must be a size such as 500M or 4G, not \"%.100s\"", what, s);
    snprintf(number, sizeof number, "%.*s", (int)n, s);
    const uint64_t unit = letter ? (uint64_t)1 << 10 * (letter - letters + 1) : 1;
    return unit * number_read(what, number, 1, 1UL << (letter ? 24 : 31));
}

line_reader lines_open(const char *who, const char *path)
{
    const line_reader l = {.who = who, .path = path, .file = path ? os_open_stream(path, "r") : stdin};
    if (!l.file)
        error_exit("%s: %s: %s", who, path, strerror(errno));
    return l;
}

char *lines_next(line_reader *l)
{
    errno = 0;
    const ptrdiff_t n = os_read_line(&l->line, &l->cap, l->file);
    if (n >= 0) {
        l->n = (size_t)n;
        l->n -= l->n && l->line[l->n - 1] == '\n';
        l->n -= l->n && l->line[l->n - 1] == '\r';
        l->line[l->n] = '\0';
        l->number++;
        return l->line;
    }
    if (!feof(l->file) && l->path)
        error_exit("%s: %s: %s", l->who, l->path, strerror(errno));
    if (!feof(l->file))
        error_exit("cannot read standard input: %s", strerror(errno));
    if (l->path)
        fclose(l->file);
    free(l->line);
    return NULL;
}

bool file_read(buffer *out, FILE *file, size_t most)
{
    enum { AT_ONCE = 1 << 16 };
    for (size_t n = 1; file && n && out->n <= most; out->n += n)
        n = fread(buffer_room(out, AT_ONCE), 1, AT_ONCE, file);
    const bool is_read = file && !ferror(file);
    if (file)
        fclose(file);
    return is_read;
}

void memory_failed(void) { error_exit("out of memory"); }

static bool may_fail;

void memory_may_fail(void) { may_fail = true; }

/* Output is complete, or the program ends. */
void buffer_no_memory(void)
{
    if (!may_fail)
        memory_failed();
}

void *memory_new(size_t n, size_t size) { return memory_got(calloc(n ? n : 1, size)); }
