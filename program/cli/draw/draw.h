/*
 * draw.h - paints shapes on a canvas of pixels, with smooth edges.
 */
#ifndef TABIYA_CLI_DRAW_H
#define TABIYA_CLI_DRAW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct canvas {
    unsigned width, height; /* in pixels */
    double scale;           /* pixels a unit */
    double left, top;       /* the units of its corner */
    uint8_t *rgb;
} canvas;

typedef struct point {
    double x, y;
} point;

/* Lines of points, in units. Zero it before use; NULL memory ends the program. */
typedef struct shape {
    point *points;
    size_t n, cap;
    size_t *ends; /* of each line, in points */
    size_t n_ends, cap_ends;
} shape;

void shape_free(shape *s);
void shape_point(shape *s, double x, double y);
/* Ends the line; nothing if it has no points. */
void shape_end(shape *s);
void shape_circle(shape *s, double x, double y, double r);
/* The data of an SVG path, moved by dx and dy: M L H V C A z, and h v. What follows an unknown letter is left out. */
void shape_path(shape *s, const char *data, size_t n, double dx, double dy);

/* `alpha` from 0 to 1. Lines are closed; where several cover a place the winding number decides. */
void draw_fill(canvas *c, const shape *s, uint32_t rgb, double alpha);
/* A line of that width, with round ends and corners. */
void draw_stroke(canvas *c, const shape *s, double width, uint32_t rgb, double alpha);
/* A light in the middle of a square, fading outwards. */
void draw_glow(canvas *c, double x, double y, double size, uint32_t rgb);

#endif
