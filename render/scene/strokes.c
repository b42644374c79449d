/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lines are widened on the screen, after the part behind the camera is cut off: so they have one width at every depth,
 * and OpenGL's own lines, which may be one pixel wide at most, are not needed. */
#include "render/scene/strokes-private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The least w that is drawn: what is nearer lies before the near plane anyway. */
static const double least_w = 1e-3;
enum { DOT_CORNERS = 20 };

typedef struct corner {
  double clip[4];
} corner;

void ctgl_strokes_clear(ctgl_strokes *strokes) {
  free(strokes->vertices);
  *strokes = (ctgl_strokes){0};
}

static void add_vertex(ctgl_strokes *strokes, const corner *at, ctgl_colour colour) {
  if (strokes->count == strokes->room) {
    const size_t room = strokes->room ? 2 * strokes->room : 4096;
    ctgl_scene_vertex *more = realloc(strokes->vertices, room * sizeof *more);
    if (!more) {
      strokes->cut_short = true;
      return;
    }
    strokes->vertices = more;
    strokes->room = room;
  }
  ctgl_scene_vertex *vertex = &strokes->vertices[strokes->count++];
  for (int i = 0; i < 4; i++) vertex->place[i] = (float)at->clip[i];
  memcpy(vertex->extra, &(float[]){colour.r, colour.g, colour.b, colour.a}[0], sizeof vertex->extra);
}

static void add_triangle(ctgl_strokes *strokes, const corner *a, const corner *b, const corner *c, ctgl_colour colour) {
  /* All or nothing: what follows stays in step. */
  const size_t before = strokes->count;
  add_vertex(strokes, a, colour);
  add_vertex(strokes, b, colour);
  add_vertex(strokes, c, colour);
  if (strokes->cut_short) strokes->count = before;
}

/* The corner moved on the screen by device pixels, right and up. */
static corner moved(const ctgl_strokes *strokes, const corner *from, double right, double up) {
  corner to = *from;
  to.clip[0] += 2 * right / strokes->camera->width * from->clip[3];
  to.clip[1] += 2 * up / strokes->camera->height * from->clip[3];
  return to;
}

static corner corner_of(const ctgl_strokes *strokes, const double point[3]) {
  corner at;
  ctgl_orbit_clip(strokes->camera, strokes->reach, point, at.clip);
  /* Lines that lie in a slice are drawn before it. */
  at.clip[2] -= 1e-4 * at.clip[3];
  return at;
}

static void on_screen(const ctgl_strokes *strokes, const corner *at, double screen[2]) {
  screen[0] = strokes->camera->width * at->clip[0] / at->clip[3] / 2;
  screen[1] = strokes->camera->height * at->clip[1] / at->clip[3] / 2;
}

/* The unit direction from a to b on the screen; false where they are one point. */
static bool direction_of(const ctgl_strokes *strokes, const corner *a, const corner *b, double direction[2]) {
  double from[2], to[2];
  on_screen(strokes, a, from);
  on_screen(strokes, b, to);
  const double length = hypot(to[0] - from[0], to[1] - from[1]);
  for (int i = 0; i < 2; i++) direction[i] = length > 0 ? (to[i] - from[i]) / length : 0;
  return length > 1e-6;
}

static void stroke(ctgl_strokes *strokes, const corner *a, const corner *b, double width, ctgl_colour colour) {
  double d[2];
  const double half = width * strokes->ratio / 2;
  if (!direction_of(strokes, a, b, d)) return;
  const double x = -d[1] * half, y = d[0] * half;
  const corner c[4] = {moved(strokes, a, x, y), moved(strokes, a, -x, -y), moved(strokes, b, x, y),
                       moved(strokes, b, -x, -y)};
  add_triangle(strokes, &c[0], &c[1], &c[2], colour);
  add_triangle(strokes, &c[2], &c[1], &c[3], colour);
}

/* Moves a corner behind the camera along the line to where it can be drawn. */
static bool cut(corner *at, const corner *other) {
  if (at->clip[3] >= least_w) return true;
  if (other->clip[3] <= least_w) return false;
  const double share = (least_w - at->clip[3]) / (other->clip[3] - at->clip[3]);
  for (int i = 0; i < 4; i++) at->clip[i] += share * (other->clip[i] - at->clip[i]);
  return true;
}

void ctgl_strokes_line(ctgl_strokes *strokes, const double from[3], const double to[3], double width,
                       ctgl_colour colour) {
  corner a = corner_of(strokes, from), b = corner_of(strokes, to);
  if (cut(&a, &b) && cut(&b, &a)) stroke(strokes, &a, &b, width, colour);
}

void ctgl_strokes_dashes(ctgl_strokes *strokes, const ctgl_segment *line, int dashes, double width,
                         ctgl_colour colour) {
  for (int k = 0; k < dashes; k++) {
    const double first = k / (dashes - 0.4), last = (k + 0.6) / (dashes - 0.4);
    double from[3], to[3];
    for (int i = 0; i < 3; i++) {
      from[i] = line->from[i] + first * (line->to[i] - line->from[i]);
      to[i] = line->from[i] + last * (line->to[i] - line->from[i]);
    }
    ctgl_strokes_line(strokes, from, to, width, colour);
  }
}

void ctgl_strokes_dot(ctgl_strokes *strokes, const double at[3], double radius, ctgl_colour colour) {
  /* Before a plane that it lies on, seen from most sides. */
  const double before = 2 * radius * strokes->ratio / strokes->camera->zoom;
  double right[3], up[3], back[3], place[3];
  ctgl_orbit_axes(strokes->camera, right, up, back);
  for (int i = 0; i < 3; i++) place[i] = at[i] + before * back[i];
  corner centre = corner_of(strokes, at);
  const corner nearer = corner_of(strokes, place);
  if (centre.clip[3] < least_w || nearer.clip[3] < least_w) return;
  centre.clip[2] = nearer.clip[2] / nearer.clip[3] * centre.clip[3];
  corner last = moved(strokes, &centre, radius * strokes->ratio, 0);
  for (int k = 1; k <= DOT_CORNERS; k++) {
    const double angle = 2 * M_PI * k / DOT_CORNERS, size = radius * strokes->ratio;
    const corner next = moved(strokes, &centre, size * cos(angle), size * sin(angle));
    add_triangle(strokes, &centre, &last, &next, colour);
    last = next;
  }
}

void ctgl_strokes_arrow(ctgl_strokes *strokes, const double from[3], const double to[3], double width,
                        ctgl_colour colour) {
  corner a = corner_of(strokes, from), b = corner_of(strokes, to);
  double d[2];
  if (a.clip[3] < least_w || b.clip[3] < least_w || !direction_of(strokes, &a, &b, d)) return;
  stroke(strokes, &a, &b, width, colour);
  const double length = (5 + 2 * width) * strokes->ratio, half = length * 0.42;
  const corner tip = moved(strokes, &b, d[0] * length, d[1] * length),
               left = moved(strokes, &b, -d[1] * half, d[0] * half),
               right = moved(strokes, &b, d[1] * half, -d[0] * half);
  add_triangle(strokes, &tip, &left, &right, colour);
}

void ctgl_strokes_letter(ctgl_strokes *strokes, char letter, const double at[3], const double away_from[3], double size,
                         ctgl_colour colour) {
  /* From corner to corner of a square from -1 to 1. */
  static const struct {
    char letter;
    signed char lines[3][4];
  } letters[] = {{'x', {{-1, -1, 1, 1}, {-1, 1, 1, -1}, {0}}},
                 {'y', {{-1, 1, 0, 0}, {1, 1, 0, 0}, {0, 0, 0, -1}}},
                 {'z', {{-1, 1, 1, 1}, {1, 1, -1, -1}, {-1, -1, 1, -1}}}};
  const corner from = corner_of(strokes, away_from);
  corner centre = corner_of(strokes, at);
  double d[2] = {0};
  if (centre.clip[3] < least_w) return;
  if (from.clip[3] >= least_w) direction_of(strokes, &from, &centre, d);
  const double unit = size * strokes->ratio / 2, wide = 0.8 * unit;
  centre = moved(strokes, &centre, 3.6 * unit * d[0], 3.6 * unit * d[1]);
  for (size_t n = 0; n < sizeof letters / sizeof *letters; n++) {
    for (int k = 0; letters[n].letter == letter && k < 3; k++) {
      const signed char *line = letters[n].lines[k];
      const corner a = moved(strokes, &centre, wide * line[0], unit * line[1]),
                   b = moved(strokes, &centre, wide * line[2], unit * line[3]);
      stroke(strokes, &a, &b, 1.5, colour);
    }
  }
}

void ctgl_strokes_box(ctgl_strokes *strokes, double left, double top, double right, double bottom, ctgl_colour colour) {
  const double width = strokes->camera->width, height = strokes->camera->height;
  const double x[2] = {2 * left / width - 1, 2 * right / width - 1};
  const double y[2] = {1 - 2 * top / height, 1 - 2 * bottom / height};
  corner c[4];
  for (int k = 0; k < 4; k++) c[k] = (corner){{x[k % 2], y[k / 2], 0, 1}};
  add_triangle(strokes, &c[0], &c[1], &c[2], colour);
  add_triangle(strokes, &c[2], &c[1], &c[3], colour);
}
