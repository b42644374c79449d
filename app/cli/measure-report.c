/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gantry-cli measure: the numbers for people, as CSV and as JSON. */
#include "app/cli/info.h"
#include "app/cli/measure.h"
#include "app/json.h"
#include "recon/base/shown.h"
#include "recon/base/units.h"

#include <math.h>
#include <string.h>

static double scaled(const cli_measured *m, double value) {
  return m->scale.factor * value + m->scale.offset;
}

static const char *axis_of(ct_plane plane) {
  return plane == CT_AXIAL ? "z" : plane == CT_CORONAL ? "y" : "x";
}

/* A column: what CSV and JSON call it, and its value, in the units of the report; NaN: not of this kind of mark. */
typedef struct column {
  const char *key;
  double (*value)(const cli_measured *m, const cli_mark *mark);
} column;

static ct_statistics statistics_of(const cli_measured *m, const cli_mark *mark) {
  static const ct_statistics none = {NAN, NAN, NAN, NAN, 0, 0, 0};
  return cli_mark_is_region(mark) ? ct_statistics_scaled(&mark->region.values, m->scale) : none;
}

static double mean(const cli_measured *m, const cli_mark *mark) {
  return statistics_of(m, mark).mean;
}
static double deviation(const cli_measured *m, const cli_mark *mark) {
  return statistics_of(m, mark).deviation;
}
static double least(const cli_measured *m, const cli_mark *mark) {
  return statistics_of(m, mark).min;
}
static double most(const cli_measured *m, const cli_mark *mark) {
  return statistics_of(m, mark).max;
}
static double area(const cli_measured *m, const cli_mark *mark) {
  return cli_mark_is_region(mark) ? mark->region.area : NAN;
}
static double voxels(const cli_measured *m, const cli_mark *mark) {
  return cli_mark_is_region(mark) ? (double)mark->region.pixels : NAN;
}
static double not_finite(const cli_measured *m, const cli_mark *mark) {
  return cli_mark_is_region(mark) ? (double)(mark->region.pixels - mark->region.values.count) : NAN;
}
static double cut_off(const cli_measured *m, const cli_mark *mark) {
  return cli_mark_is_region(mark) ? mark->region.cut_off : NAN;
}
static double length(const cli_measured *m, const cli_mark *mark) {
  return mark->length;
}
static double thickness(const cli_measured *m, const cli_mark *mark) {
  return mark->kind == CLI_MARK_LINE ? mark->thickness : NAN;
}
static double of_line(const cli_mark *mark, double value) {
  return mark->kind == CLI_MARK_LINE ? value : NAN;
}
static double before(const cli_measured *m, const cli_mark *mark) {
  return of_line(mark, scaled(m, mark->widths.before));
}
static double after(const cli_measured *m, const cli_mark *mark) {
  return of_line(mark, scaled(m, mark->widths.after));
}
static double peak(const cli_measured *m, const cli_mark *mark) {
  return of_line(mark, scaled(m, mark->widths.peak));
}
static double peak_at(const cli_measured *m, const cli_mark *mark) {
  return of_line(mark, mark->widths.peak_at);
}
static double peak_width(const cli_measured *m, const cli_mark *mark) {
  return of_line(mark, mark->widths.peak_width);
}
static double edge_at(const cli_measured *m, const cli_mark *mark) {
  return of_line(mark, mark->widths.edge_at);
}
static double edge_width(const cli_measured *m, const cli_mark *mark) {
  return of_line(mark, mark->widths.edge_width);
}
static double edge_rise(const cli_measured *m, const cli_mark *mark) {
  return of_line(mark, mark->widths.edge_rise);
}
static double angle(const cli_measured *m, const cli_mark *mark) {
  return mark->angle;
}

static const column columns[] = {
    {"mean", mean},
    {"deviation", deviation},
    {"min", least},
    {"max", most},
    {"area", area},
    {"voxels", voxels},
    {"not_finite", not_finite},
    {"cut_off", cut_off},
    {"length", length},
    {"thickness", thickness},
    {"before", before},
    {"after", after},
    {"peak", peak},
    {"peak_at", peak_at},
    {"peak_fwhm", peak_width},
    {"edge_at", edge_at},
    {"edge_fwhm", edge_width},
    {"edge_10_90", edge_rise},
    {"angle_deg", angle},
};
enum { COLUMNS = sizeof columns / sizeof *columns };

static void print_region(const cli_measured *m, const cli_mark *mark) {
  char a[64], b[64];
  const ct_statistics s = statistics_of(m, mark);
  cli_print_fact("mean", "%s, standard deviation %s", ct_format_quantity(s.mean, 6, m->unit, a, sizeof a),
                 ct_format_quantity(s.deviation, 5, m->unit, b, sizeof b));
  cli_print_fact("range", "%s to %s", ct_format_number(s.min, 6, a, sizeof a),
                 ct_format_quantity(s.max, 6, m->unit, b, sizeof b));
  ct_format_number(mark->region.area, 6, a, sizeof a);
  cli_print_fact("area", "%s %s\302\262, %zu voxels", a, m->units.length, mark->region.pixels);
  if (mark->region.values.count < mark->region.pixels)
    cli_print_fact("not finite", "%zu voxels", mark->region.pixels - mark->region.values.count);
  if (mark->region.cut_off) cli_print_fact("cut off", "it reaches beyond the slice: only its part within is measured");
}

static void print_line(const cli_measured *m, const cli_mark *mark) {
  char a[64], b[64], c[64];
  const ct_line_widths *w = &mark->widths;
  const char *unit = m->units.length;
  cli_print_fact("length", "%s, thickness %s", ct_format_length(mark->length, 6, unit, a, sizeof a),
                 ct_format_length(mark->thickness, 6, unit, b, sizeof b));
  cli_print_fact("ends", "%s and %s", ct_format_number(scaled(m, w->before), 6, a, sizeof a),
                 ct_format_quantity(scaled(m, w->after), 6, m->unit, b, sizeof b));
  if (isfinite(w->peak))
    cli_print_fact(scaled(m, w->peak) > scaled(m, w->before) ? "peak" : "dip", "%s at %s, FWHM %s",
                   ct_format_quantity(scaled(m, w->peak), 6, m->unit, a, sizeof a),
                   ct_format_length(w->peak_at, 6, unit, b, sizeof b),
                   ct_format_length(w->peak_width, 5, unit, c, sizeof c));
  if (isfinite(w->edge_at))
    cli_print_fact(
        "edge", "at %s, FWHM of its slope %s, 10 to 90 %% in %s", ct_format_length(w->edge_at, 6, unit, a, sizeof a),
        ct_format_length(w->edge_width, 5, unit, b, sizeof b), ct_format_length(w->edge_rise, 5, unit, c, sizeof c));
}

void cli_print_measured(const cli_measured *m) {
  char text[64], shown[CT_SHOWN];
  printf("%s: values in %s\n", ct_shown(m->path, shown, sizeof shown), *m->unit ? m->unit : "a scale without unit");
  for (size_t i = 0; i < m->mark_count; i++) {
    const cli_mark *mark = &m->marks[i];
    printf("%s: %s, %s slice %d, %s = %s\n", mark->name, cli_mark_id(mark->kind), ct_plane_id(mark->plane), mark->index,
           axis_of(mark->plane), ct_format_length(mark->position, 6, m->units.length, text, sizeof text));
    if (cli_mark_is_region(mark)) print_region(m, mark);
    if (mark->kind == CLI_MARK_LINE) print_line(m, mark);
    if (mark->kind == CLI_MARK_ANGLE)
      cli_print_fact("angle", "%s", ct_format_quantity(mark->angle, 6, "\302\260", text, sizeof text));
  }
  for (size_t i = 0; i < m->contrast_count; i++)
    printf("%s, %s: contrast to noise %s\n", m->contrasts[i].a->name, m->contrasts[i].b->name,
           ct_format_number(m->contrasts[i].value, 5, text, sizeof text));
}

/* A name may hold what CSV must not. */
static void print_quoted(const char *text) {
  putchar('"');
  for (; *text; text++) {
    if (*text == '"') putchar('"');
    putchar(*text);
  }
  putchar('"');
}

static void print_csv_row(const cli_measured *m, const cli_mark *mark) {
  print_quoted(mark->name);
  printf(",%s,%s,%.9g,%d", cli_mark_id(mark->kind), ct_plane_id(mark->plane), mark->position, mark->index);
  for (int c = 0; c < COLUMNS; c++) {
    const double value = columns[c].value(m, mark);
    if (isfinite(value))
      printf(",%.17g", value);
    else
      putchar(',');
  }
  puts(",");
}

void cli_print_measured_csv(const cli_measured *m) {
  char shown[CT_SHOWN];
  printf("# %s, values in %s, lengths in %s\n", ct_shown(m->path, shown, sizeof shown),
         *m->unit ? m->unit : "a scale without unit", m->units.length);
  fputs("name,kind,plane,position,slice", stdout);
  for (int c = 0; c < COLUMNS; c++) printf(",%s", columns[c].key);
  puts(",cnr");
  for (size_t i = 0; i < m->mark_count; i++) print_csv_row(m, &m->marks[i]);
  for (size_t i = 0; i < m->contrast_count; i++) {
    char name[2 * CLI_MARK_NAME + 2];
    snprintf(name, sizeof name, "%s,%s", m->contrasts[i].a->name, m->contrasts[i].b->name);
    print_quoted(name);
    fputs(",cnr,,,", stdout);
    for (int c = 0; c < COLUMNS; c++) putchar(',');
    if (isfinite(m->contrasts[i].value))
      printf(",%.17g\n", m->contrasts[i].value);
    else
      puts(",");
  }
}

static json_t *mark_object(const cli_measured *m, const cli_mark *mark) {
  json_t *object = json_object();
  json_object_set_new(object, "name", gantry_json_text(mark->name));
  json_object_set_new(object, "kind", json_string(cli_mark_id(mark->kind)));
  json_object_set_new(object, "plane", json_string(ct_plane_id(mark->plane)));
  json_object_set_new(object, "position", gantry_json_real(mark->position));
  json_object_set_new(object, "slice", json_integer(mark->index));
  json_t *points = json_array();
  for (size_t i = 0; i < mark->count; i++)
    json_array_append_new(points, json_pack("[f, f]", mark->points[i][0], mark->points[i][1]));
  json_object_set_new(object, "points", points);
  for (int c = 0; c < COLUMNS; c++) {
    const double value = columns[c].value(m, mark);
    if (isfinite(value)) json_object_set_new(object, columns[c].key, gantry_json_real(value));
  }
  if (mark->kind != CLI_MARK_LINE) return object;
  json_t *values = json_array();
  for (size_t i = 0; i < mark->profile.count; i++)
    json_array_append_new(values, gantry_json_real(scaled(m, mark->profile.values[i])));
  json_object_set_new(object, "step", gantry_json_real(mark->profile.step));
  json_object_set_new(object, "values", values);
  return object;
}

bool cli_print_measured_json(const cli_measured *m, ct_error **error) {
  json_t *root = json_object(), *marks = json_array(), *contrasts = json_array();
  for (size_t i = 0; i < m->mark_count; i++) json_array_append_new(marks, mark_object(m, &m->marks[i]));
  for (size_t i = 0; i < m->contrast_count; i++) {
    const cli_contrast *c = &m->contrasts[i];
    json_t *object = json_object();
    json_object_set_new(object, "a", gantry_json_text(c->a->name));
    json_object_set_new(object, "b", gantry_json_text(c->b->name));
    json_object_set_new(object, "cnr", gantry_json_real(c->value));
    json_array_append_new(contrasts, object);
  }
  json_object_set_new(root, "path", gantry_json_text(m->path));
  json_object_set_new(root, "length_unit", json_string(m->units.length));
  json_object_set_new(root, "value_unit", gantry_json_text(m->unit));
  json_object_set_new(root, "marks", marks);
  json_object_set_new(root, "contrasts", contrasts);
  return gantry_json_print(root, error);
}
