/*
 * picture.c - a drawing of a board as pixels: paints the SVG that tby_svg_write writes, and no other.
 *
 * Knows    svg, defs, g, use, rect, path, circle and text, with the attributes that these have there. Of the letters
 * and digits beside the board it has strokes of its own.
 */
#include "picture.h"
#include "common.h"
#include "draw.h"
#include "png.h"

#include <stdlib.h>
#include <string.h>

/* ---- Tags ------------------------------------------------------------------------------------------------------- */

typedef struct piece_of_text {
    const char *s;
    size_t n;
} piece_of_text;

typedef struct tag {
    piece_of_text name, attributes;
    const char *end; /* what follows it */
    bool is_closed;  /* <.../> */
} tag;

/* The next tag at or after `at`; false if there is none. */
static bool next_tag(tag *out, const char *at, const char *end)
{
    while (at < end && *at != '<')
        at++;
    const char *close = at < end ? memchr(at, '>', (size_t)(end - at)) : NULL;
    if (!close)
        return false;
    const char *name = at + 1, *stop = name;
    while (stop < close && *stop != ' ' && (*stop != '/' || stop == name))
        stop++;
    *out = (tag){{name, (size_t)(stop - name)}, {stop, (size_t)(close - stop)}, close + 1, close[-1] == '/'};
    return true;
}

static bool is_called(const tag *t, const char *name)
{
    return t->name.n == strlen(name) && memcmp(t->name.s, name, t->name.n) == 0;
}

/* The value of an attribute; .s is NULL if there is none. */
static piece_of_text value_of(const tag *t, const char *name)
{
    const size_t n = strlen(name);
    for (size_t i = 0; i + n + 2 < t->attributes.n; i++) {
        const char *at = t->attributes.s + i;
        if (at[0] != ' ' || memcmp(at + 1, name, n) != 0 || at[n + 1] != '=')
            continue;
        const char *value = at + n + 3, *quote = memchr(value, '"', (size_t)(t->end - value));
        return quote ? (piece_of_text){value, (size_t)(quote - value)} : (piece_of_text){NULL, 0};
    }
    return (piece_of_text){NULL, 0};
}

static double number_of(const tag *t, const char *name)
{
    const piece_of_text value = value_of(t, name);
    return value.s ? strtod(value.s, NULL) : 0; /* a quote ends it */
}

/* ---- Styles ----------------------------------------------------------------------------------------------------- */

enum { NO_COLOR = -1, CURRENT_COLOR = -2 };

typedef struct style {
    int64_t fill, stroke, color; /* 0xrrggbb, or one of the above */
    double width, alpha;
} style;

/* #abc, #aabbcc, none, currentColor */
static int64_t color_of(piece_of_text value, int64_t otherwise)
{
    if (!value.s)
        return otherwise;
    if (value.n == 4 && *value.s == '#') {
        const long c = strtol(value.s + 1, NULL, 16);
        return (c >> 8) * 0x110000 + (c >> 4 & 15) * 0x1100 + (c & 15) * 0x11;
    }
    if (value.n == 7 && *value.s == '#')
        return strtol(value.s + 1, NULL, 16);
    return value.n == strlen("currentColor") ? CURRENT_COLOR : NO_COLOR;
}

static style style_of(const tag *t, style s)
{
    s.fill = color_of(value_of(t, "fill"), s.fill);
    s.stroke = color_of(value_of(t, "stroke"), s.stroke);
    s.color = color_of(value_of(t, "color"), s.color);
    if (value_of(t, "stroke-width").s)
        s.width = number_of(t, "stroke-width");
    if (value_of(t, "opacity").s)
        s.alpha *= number_of(t, "opacity");
    if (value_of(t, "fill-opacity").s)
        s.alpha *= number_of(t, "fill-opacity");
    return s;
}

static void paint(canvas *c, const shape *s, const style *how)
{
    const int64_t fill = how->fill == CURRENT_COLOR ? how->color : how->fill;
    const int64_t stroke = how->stroke == CURRENT_COLOR ? how->color : how->stroke;
    if (fill >= 0)
        draw_fill(c, s, (uint32_t)fill, how->alpha);
    if (stroke >= 0)
        draw_stroke(c, s, how->width, (uint32_t)stroke, how->alpha);
}

/* ---- Elements --------------------------------------------------------------------------------------------------- */

enum { DEPTH_MAX = 8 };

typedef struct painter {
    canvas canvas;
    const char *begin, *end; /* the whole drawing */
    style styles[DEPTH_MAX]; /* of the groups that are open */
    unsigned depth;
} painter;

static void paint_path(painter *p, const tag *t, const style *how, double x, double y)
{
    shape s = {0};
    const piece_of_text data = value_of(t, "d");
    if (data.s)
        shape_path(&s, data.s, data.n, x, y);
    paint(&p->canvas, &s, how);
    shape_free(&s);
}

static void paint_circle(painter *p, const tag *t, const style *how, double x, double y)
{
    shape s = {0};
    const double cx = x + number_of(t, "cx"), cy = y + number_of(t, "cy"), r = number_of(t, "r");
    shape_circle(&s, cx, cy, r);
    shape_point(&s, cx + r, cy); /* so that a stroke is closed */
    s.ends[0] = s.n;
    paint(&p->canvas, &s, how);
    shape_free(&s);
}

static void paint_rect(painter *p, const tag *t, const style *how)
{
    const double x = number_of(t, "x"), y = number_of(t, "y"), width = number_of(t, "width");
    const double height = number_of(t, "height");
    const piece_of_text fill = value_of(t, "fill");
    shape s = {0};
    if (fill.s && *fill.s == 'u') {
        draw_glow(&p->canvas, x + width / 2, y + height / 2, width, 0xe3170a);
        return;
    }
    shape_point(&s, x, y);
    shape_point(&s, x + width, y);
    shape_point(&s, x + width, y + height);
    shape_point(&s, x, y + height);
    shape_end(&s);
    paint(&p->canvas, &s, how);
    shape_free(&s);
}

/* In a box 6 wide and 8 high, the base line at the bottom. */
static const char *const glyphs[128] = {
    ['1'] = "M1 1.8L3 0V8M1 8H5",
    ['2'] = "M0.5 2A2.4 2.4 0 0 1 5.3 2C5.3 4 0.5 6 0.5 8H5.5",
    ['3'] = "M0.7 1.2C2 -0.6 5.2 0 5.2 2C5.2 3.4 4 3.9 2.4 3.9M2.4 3.9C4.2 3.9 5.4 4.6 5.4 6C5.4 8.4 1.8 8.6 0.5 6.9",
    ['4'] = "M4.4 8V0L0.4 5.6H5.6",
    ['5'] = "M5 0H1.2L0.9 3.8C3 2.6 5.5 3.4 5.5 5.4C5.5 8.2 2 8.7 0.5 7.2",
    ['6'] = "M4.9 0.8C2.6 -0.8 0.5 1.4 0.5 5C0.5 9 5.5 8.8 5.5 5.5C5.5 2.6 1.4 2.4 0.6 5",
    ['7'] = "M0.5 0H5.5L2.4 8",
    ['8'] = "M3 3.8C0.4 3.8 0.4 0 3 0C5.6 0 5.6 3.8 3 3.8C-0.4 3.8 -0.4 8 3 8C6.4 8 6.4 3.8 3 3.8",
    ['a'] = "M1 3C2.4 2 5 2 5 4V8M5 5.2C2 4.8 0.6 5.6 0.6 6.6C0.6 8.6 4.4 8.4 5 6.4",
    ['b'] = "M1 0V8M1 4.6C2 1.6 5.5 2 5.5 5.2C5.5 8.6 2 8.8 1 6.2",
    ['c'] = "M5.2 3.6C4 1.8 0.6 2.2 0.6 5.2C0.6 8.4 4 8.6 5.3 6.9",
    ['d'] = "M5 0V8M5 4.6C4 1.6 0.5 2 0.5 5.2C0.5 8.6 4 8.8 5 6.2",
    ['e'] = "M0.7 5.2H5.4C5.4 1.6 0.6 1.6 0.6 5.2C0.6 8.6 4 8.6 5.2 7",
    ['f'] = "M5.4 0.2C3.6 -0.4 2.4 0.4 2.4 2.2V8M0.6 2.8H4.8",
    ['g'] = "M5 2.6V8.4C5 10.8 2 10.8 0.9 9.9M5 4.6C4 1.6 0.5 2 0.5 5.2C0.5 8.6 4 8.6 5 6.2",
    ['h'] = "M1 0V8M1 4.6C2 1.8 5.2 2 5.2 4.6V8",
};

static void paint_text(painter *p, const tag *t, const style *how)
{
    const unsigned char letter = (unsigned char)*t->end;
    const char *data = letter < 128 ? glyphs[letter] : NULL;
    const style lines = {.fill = NO_COLOR, .stroke = how->fill, .color = how->fill, .width = 1.1, .alpha = how->alpha};
    shape s = {0};
    if (!data)
        return;
    shape_path(&s, data, strlen(data), number_of(t, "x") - 3, number_of(t, "y") - 8);
    paint(&p->canvas, &s, &lines);
    shape_free(&s);
}

static void paint_simple(painter *p, const tag *t, const style *outer, double x, double y)
{
    const style how = style_of(t, *outer);
    if (is_called(t, "path"))
        paint_path(p, t, &how, x, y);
    else if (is_called(t, "circle"))
        paint_circle(p, t, &how, x, y);
    else if (is_called(t, "rect"))
        paint_rect(p, t, &how);
    else if (is_called(t, "text"))
        paint_text(p, t, &how);
}

/* The shapes of the definition that is used. */
static void paint_use(painter *p, const tag *t, const style *how)
{
    const piece_of_text name = value_of(t, "xlink:href");
    tag found;
    const char *at = p->begin;
    if (!name.s || name.n < 2)
        return;
    for (; next_tag(&found, at, p->end); at = found.end) {
        const piece_of_text id = value_of(&found, "id");
        if (id.s && id.n == name.n - 1 && memcmp(id.s, name.s + 1, id.n) == 0)
            break;
    }
    while (next_tag(&found, found.end, p->end) && !is_called(&found, "/g"))
        paint_simple(p, &found, how, number_of(t, "x"), number_of(t, "y"));
}

static void paint_all(painter *p)
{
    tag t;
    bool is_definition = false;
    for (const char *at = p->begin; next_tag(&t, at, p->end); at = t.end) {
        const style *how = &p->styles[p->depth];
        if (is_called(&t, "defs") || is_called(&t, "/defs"))
            is_definition = is_called(&t, "defs");
        else if (is_definition)
            continue;
        else if (is_called(&t, "g") && p->depth + 1 < DEPTH_MAX) {
            p->styles[p->depth + 1] = style_of(&t, *how);
            p->depth++;
        } else if (is_called(&t, "/g") && p->depth > 0)
            p->depth--;
        else if (is_called(&t, "use"))
            paint_use(p, &t, how);
        else
            paint_simple(p, &t, how, 0, 0);
    }
}

void picture_write_png(buffer *out, const char *svg, size_t n, unsigned pixels)
{
    painter p = {.begin = svg, .end = svg + n};
    tag root;
    p.styles[0] = (style){.fill = 0, .stroke = NO_COLOR, .color = 0, .width = 1, .alpha = 1};
    if (!next_tag(&root, p.begin, p.end))
        return;
    double box[4] = {0, 0, 320, 320};
    const piece_of_text view = value_of(&root, "viewBox");
    const char *at = view.s;
    for (int i = 0; at && i < 4; i++) {
        char *end;
        box[i] = strtod(at, &end);
        at = end;
    }
    p.canvas = (canvas){.width = pixels, .height = pixels, .scale = pixels / box[2], .left = box[0], .top = box[1]};
    p.canvas.rgb = memory_new((size_t)pixels * pixels, 3);
    memset(p.canvas.rgb, 0xff, (size_t)pixels * pixels * 3);
    paint_all(&p);
    png_write(out, p.canvas.rgb, pixels, pixels);
    free(p.canvas.rgb);
}
