/*
 * print.c - a small vsnprintf for the module, instead of the C library's large one, which knows floating point.
 *
 *     %[0][WIDTH][.PRECISION | .*][l|ll|z]TYPE    TYPE: c, d, i, s, u, %
 */
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Counts every byte, even those that do not fit. */
typedef struct text_writer {
    char *buf;
    size_t cap, length;
} text_writer;

typedef struct directive {
    bool has_zeros;
    unsigned width;
    int precision; /* -1: none */
    char size, type;
} directive;

static void text_char(text_writer *out, char c)
{
    if (out->length < out->cap)
        out->buf[out->length] = c;
    out->length++;
}

static unsigned read_number(const char **s)
{
    unsigned n = 0;
    for (; **s >= '0' && **s <= '9'; ++*s)
        n = 10 * n + (unsigned)(**s - '0');
    return n;
}

static directive read_directive(const char **s, va_list *list)
{
    directive d = {.precision = -1};
    d.has_zeros = **s == '0';
    d.width = read_number(s);
    if (**s == '.') {
        ++*s;
        const bool is_given = **s == '*';
        *s += is_given;
        d.precision = is_given ? va_arg(*list, int) : (int)read_number(s);
    }
    for (; **s == 'l' || **s == 'z'; ++*s)
        d.size = d.size == 'l' ? 'L' : **s;
    d.type = *(*s)++;
    return d;
}

static void put(text_writer *out, const directive *d, const char *s, size_t n)
{
    for (size_t i = n; i < d->width; i++)
        text_char(out, d->has_zeros ? '0' : ' ');
    for (size_t i = 0; i < n; i++)
        text_char(out, s[i]);
}

static void put_integer(text_writer *out, const directive *d, uint64_t number, bool is_negative)
{
    char digits[24];
    size_t at = sizeof digits;
    do
        digits[--at] = (char)('0' + number % 10);
    while (number /= 10);
    if (is_negative)
        digits[--at] = '-';
    put(out, d, digits + at, sizeof digits - at);
}

static void put_text(text_writer *out, const directive *d, const char *s)
{
    size_t n = 0;
    while ((d->precision < 0 || n < (size_t)d->precision) && s[n])
        n++;
    put(out, d, s, n);
}

int vsnprintf(char *restrict buf, size_t cap, const char *restrict text, va_list args)
{
    text_writer out = {buf, cap, 0};
    const char *format = text;
    va_list list;
    va_copy(list, args);
    while (*format) {
        if (*format != '%') {
            text_char(&out, *format++);
            continue;
        }
        format++;
        const directive d = read_directive(&format, &list);
        if (d.type == 's') {
            put_text(&out, &d, va_arg(list, const char *));
        } else if (d.type == 'c') {
            text_char(&out, (char)va_arg(list, int));
        } else if (d.type == '%') {
            text_char(&out, '%');
        } else {
            const int64_t number = d.size == 'L'   ? va_arg(list, long long)
                                   : d.size == 'l' ? va_arg(list, long)
                                   : d.size == 'z' ? (int64_t)va_arg(list, size_t)
                                   : d.type == 'u' ? (int64_t)va_arg(list, unsigned)
                                                   : va_arg(list, int);
            const bool is_negative = d.type != 'u' && number < 0;
            put_integer(&out, &d, is_negative ? 0 - (uint64_t)number : (uint64_t)number, is_negative);
        }
    }
    va_end(list);
    if (cap) /* what does not fit is cut */
        buf[out.length < cap ? out.length : cap - 1] = '\0';
    return (int)out.length;
}

int snprintf(char *restrict buf, size_t cap, const char *restrict format, ...)
{
    va_list list;
    va_start(list, format);
    const int n = vsnprintf(buf, cap, format, list);
    va_end(list);
    return n;
}
