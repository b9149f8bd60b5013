/*
 * draw.c - paints shapes on a canvas of pixels, with smooth edges.
 *
 * A shape is cut into SLICES lines for each row of pixels. Where such a line is inside the shape, by the winding
 * number, the pixels that it goes through are covered by their part.
 */
#include "draw.h"
#include "common.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SLICES = 8, CURVE_STEPS = 12, CIRCLE_STEPS = 32 };
static const double FULL_TURN = 6.28318530717958647692;

/* ---- Shapes ----------------------------------------------------------------------------------------------------- */

void shape_free(shape *s)
{
    free(s->points);
    free(s->ends);
    *s = (shape){0};
}

void shape_point(shape *s, double x, double y)
{
    if (!array_reserve(&s->points, &s->cap, s->n + 1, sizeof *s->points))
        error_exit("out of memory");
    s->points[s->n++] = (point){x, y};
}

void shape_end(shape *s)
{
    if (s->n == (s->n_ends ? s->ends[s->n_ends - 1] : 0))
        return;
    if (!array_reserve(&s->ends, &s->cap_ends, s->n_ends + 1, sizeof *s->ends))
        error_exit("out of memory");
    s->ends[s->n_ends++] = s->n;
}

void shape_circle(shape *s, double x, double y, double r)
{
    for (int i = 0; i < CIRCLE_STEPS; i++)
        shape_point(s, x + r * cos(FULL_TURN * i / CIRCLE_STEPS), y + r * sin(FULL_TURN * i / CIRCLE_STEPS));
    shape_end(s);
}

/* ---- Paths ------------------------------------------------------------------------------------------------------ */

typedef struct path {
    const char *at, *end;
    point now, first;
} path;

static bool next_number(path *p, double *out)
{
    char text[32];
    size_t n = 0;
    while (p->at < p->end && (*p->at == ' ' || *p->at == ','))
        p->at++;
    while (p->at < p->end && n + 1 < sizeof text && strchr("+-.0123456789", *p->at) && *p->at &&
           !(n && strchr("+-", *p->at)))
        text[n++] = *p->at++;
    text[n] = '\0';
    *out = strtod(text, NULL);
    return n > 0;
}

static bool next_numbers(path *p, double *out, int n)
{
    for (int i = 0; i < n; i++)
        if (!next_number(p, &out[i]))
            return false;
    return true;
}

static void add_curve(shape *s, point a, const double c[6], point moved)
{
    for (int i = 1; i <= CURVE_STEPS; i++) {
        const double t = (double)i / CURVE_STEPS, u = 1 - t;
        const double w0 = u * u * u, w1 = 3 * u * u * t, w2 = 3 * u * t * t, w3 = t * t * t;
        shape_point(s, w0 * a.x + w1 * c[0] + w2 * c[2] + w3 * c[4] + moved.x,
                    w0 * a.y + w1 * c[1] + w2 * c[3] + w3 * c[5] + moved.y);
    }
}

/* An arc of a circle from `a`: radius twice, an angle that does not matter, large or small, the sense, and its end. */
static void add_arc(shape *s, point a, const double v[7], point moved)
{
    const double dx = (v[5] - a.x) / 2, dy = (v[6] - a.y) / 2, half = sqrt(dx * dx + dy * dy);
    const double r = v[0] > half ? v[0] : half, away = half > 0 ? sqrt(r * r - half * half) / half : 0;
    const double sign = (v[3] != 0) == (v[4] != 0) ? 1 : -1; /* on which side the centre is */
    const double x = a.x + dx + sign * away * dy, y = a.y + dy - sign * away * dx;
    double begin = atan2(a.y - y, a.x - x), turn = atan2(v[6] - y, v[5] - x) - begin;
    if (v[4] != 0 && turn < 0)
        turn += FULL_TURN;
    else if (v[4] == 0 && turn > 0)
        turn -= FULL_TURN;
    for (int i = 1; i <= CURVE_STEPS; i++) {
        const double angle = begin + turn * i / CURVE_STEPS;
        shape_point(s, x + r * cos(angle) + moved.x, y + r * sin(angle) + moved.y);
    }
}

/* One command and its numbers; false at the end. */
static bool add_command(shape *s, path *p, point moved)
{
    double v[7];
    const char letter = *p->at++;
    switch (letter) {
    case 'M':
        shape_end(s);
        if (!next_numbers(p, v, 2))
            return false;
        p->now = p->first = (point){v[0], v[1]};
        break;
    case 'L':
        if (!next_numbers(p, v, 2))
            return false;
        p->now = (point){v[0], v[1]};
        break;
    case 'H':
    case 'h':
        if (!next_number(p, v))
            return false;
        p->now.x = v[0] + (letter == 'h' ? p->now.x : 0);
        break;
    case 'V':
    case 'v':
        if (!next_number(p, v))
            return false;
        p->now.y = v[0] + (letter == 'v' ? p->now.y : 0);
        break;
    case 'C':
        if (!next_numbers(p, v, 6))
            return false;
        add_curve(s, p->now, v, moved);
        p->now = (point){v[4], v[5]};
        return true;
    case 'A':
        if (!next_numbers(p, v, 7))
            return false;
        add_arc(s, p->now, v, moved);
        p->now = (point){v[5], v[6]};
        return true;
    case 'z': p->now = p->first; break;
    default: return false;
    }
    shape_point(s, p->now.x + moved.x, p->now.y + moved.y);
    return true;
}

void shape_path(shape *s, const char *data, size_t n, double dx, double dy)
{
    path p = {.at = data, .end = data + n};
    while (p.at < p.end && add_command(s, &p, (point){dx, dy}))
        while (p.at < p.end && *p.at == ' ')
            p.at++;
    shape_end(s);
}

/* ---- Filling ---------------------------------------------------------------------------------------------------- */

typedef struct crossing {
    double x;
    int winding;
} crossing;

typedef struct crossings {
    crossing *list;
    size_t n, cap;
} crossings;

static int compare_crossings(const void *a, const void *b)
{
    const double x = ((const crossing *)a)->x, y = ((const crossing *)b)->x;
    return x < y ? -1 : x > y;
}

static point to_pixels(const canvas *c, point p)
{
    return (point){(p.x - c->left) * c->scale, (p.y - c->top) * c->scale};
}

static void cross(crossings *list, point a, point b, double y)
{
    if ((a.y <= y) == (b.y <= y))
        return;
    if (!array_reserve(&list->list, &list->cap, list->n + 1, sizeof *list->list))
        error_exit("out of memory");
    list->list[list->n++] = (crossing){a.x + (y - a.y) / (b.y - a.y) * (b.x - a.x), a.y < b.y ? 1 : -1};
}

static void find_crossings(crossings *list, const canvas *c, const shape *s, double y)
{
    size_t begin = 0;
    list->n = 0;
    for (size_t i = 0; i < s->n_ends; begin = s->ends[i++])
        for (size_t k = begin; k < s->ends[i]; k++) {
            const size_t next = k + 1 < s->ends[i] ? k + 1 : begin;
            cross(list, to_pixels(c, s->points[k]), to_pixels(c, s->points[next]), y);
        }
    if (list->n)
        qsort(list->list, list->n, sizeof *list->list, compare_crossings);
}

/* Adds what is covered between two places of a row. */
static void cover(double *row, unsigned width, double from, double to)
{
    from = from < 0 ? 0 : from;
    to = to > width ? width : to;
    for (unsigned x = (unsigned)from; x < to; x++) {
        const double left = x > from ? x : from, right = x + 1 < to ? x + 1 : to;
        row[x] += (right - left) / SLICES;
    }
}

static void blend(uint8_t *pixel, uint32_t rgb, double alpha)
{
    const uint8_t color[3] = {(uint8_t)(rgb >> 16), (uint8_t)(rgb >> 8), (uint8_t)rgb};
    alpha = alpha > 1 ? 1 : alpha;
    for (int i = 0; i < 3; i++)
        pixel[i] = (uint8_t)(pixel[i] + (color[i] - pixel[i]) * alpha + 0.5);
}

static void bounds(const canvas *c, const shape *s, unsigned *first, unsigned *last)
{
    double low = c->height, high = 0;
    for (size_t i = 0; i < s->n; i++) {
        const double y = to_pixels(c, s->points[i]).y;
        low = y < low ? y : low;
        high = y > high ? y : high;
    }
    *first = low > 0 ? (unsigned)low : 0;
    *last = high < 0 ? 0 : high + 1 < c->height ? (unsigned)(high + 1) : c->height;
}

void draw_fill(canvas *c, const shape *s, uint32_t rgb, double alpha)
{
    crossings found = {0};
    double *row = memory_new(c->width + 1, sizeof *row);
    unsigned first, last;
    bounds(c, s, &first, &last);
    for (unsigned y = first; y < last; y++) {
        memset(row, 0, c->width * sizeof *row);
        for (int slice = 0; slice < SLICES; slice++) {
            int winding = 0;
            find_crossings(&found, c, s, y + (slice + 0.5) / SLICES);
            for (size_t i = 0; i + 1 < found.n; i++)
                if ((winding += found.list[i].winding) != 0)
                    cover(row, c->width, found.list[i].x, found.list[i + 1].x);
        }
        for (unsigned x = 0; x < c->width; x++)
            if (row[x] > 0)
                blend(c->rgb + 3 * ((size_t)y * c->width + x), rgb, row[x] * alpha);
    }
    free(row);
    free(found.list);
}

/* ---- Lines and light -------------------------------------------------------------------------------------------- */

/* A piece of a line, as wide as it is. All turn the same way, so that together they cover what each covers. */
static void add_piece(shape *out, point a, point b, double half)
{
    const double dx = b.x - a.x, dy = b.y - a.y, length = sqrt(dx * dx + dy * dy);
    if (length <= 0)
        return;
    const double x = -dy / length * half, y = dx / length * half;
    shape_point(out, a.x - x, a.y - y);
    shape_point(out, b.x - x, b.y - y);
    shape_point(out, b.x + x, b.y + y);
    shape_point(out, a.x + x, a.y + y);
    shape_end(out);
}

void draw_stroke(canvas *c, const shape *s, double width, uint32_t rgb, double alpha)
{
    shape out = {0};
    size_t begin = 0;
    for (size_t i = 0; i < s->n_ends; begin = s->ends[i++])
        for (size_t k = begin; k < s->ends[i]; k++) {
            shape_circle(&out, s->points[k].x, s->points[k].y, width / 2);
            if (k + 1 < s->ends[i])
                add_piece(&out, s->points[k], s->points[k + 1], width / 2);
        }
    draw_fill(c, &out, rgb, alpha);
    shape_free(&out);
}

void draw_glow(canvas *c, double x, double y, double size, uint32_t rgb)
{
    const double r = 0.6 * size;
    for (unsigned py = 0; py < c->height; py++)
        for (unsigned px = 0; px < c->width; px++) {
            const double ux = (px + 0.5) / c->scale + c->left - x, uy = (py + 0.5) / c->scale + c->top - y;
            const double far = sqrt(ux * ux + uy * uy) / r;
            if (fabs(ux) <= size / 2 && fabs(uy) <= size / 2 && far < 1)
                blend(c->rgb + 3 * ((size_t)py * c->width + px), rgb, far < 0.4 ? 1 : (1 - far) / 0.6);
        }
}
