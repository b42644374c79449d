/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Lengths and areas are the mark's own: they are told once, whatever the results. */
#include "ui/marks/table.h"

#include "ui/number-text.h"
#include "ui/slice-view.h"

#include <math.h>

enum { DIGITS = 5 };

static GantryMarks *marks_of(const GantryMarkTable *table) {
  return gantry_display_get_marks(table->display);
}

/* NULL: there are none, for whatever reason. */
static const GantryMarkNumbers *numbers_of(const GantryMarkTable *table, const GantryMark *mark, int side) {
  const GantryMarkNumbers *numbers = gantry_marks_get_numbers(marks_of(table), mark->id, side);
  return numbers && !*numbers->problem ? numbers : NULL;
}

static const char *length_unit(const GantryMarkTable *table) {
  return gantry_display_get_units(table->display).length;
}

/* Numbers, in the unit shown; NAN: it has none */

typedef struct {
  const char *key;
  double (*get)(const GantryMarkTable *table, const GantryMark *mark, const GantryMarkNumbers *numbers);
} Figure;

#define FIGURE(name, condition, value)                                                                                 \
  static double name(const GantryMarkTable *table, const GantryMark *mark, const GantryMarkNumbers *numbers) {         \
    return (condition) ? (value) : NAN;                                                                                \
  }

static ct_statistics scaled(const GantryMarkTable *table, const GantryMarkNumbers *numbers) {
  const GantryValues *values = gantry_display_get_values(table->display);
  return ct_statistics_scaled(&numbers->region.values, values ? values->scale : (ct_value_scale){1, 0});
}

static double contrast_of(const GantryMarkTable *table, const GantryMark *mark, const GantryMarkNumbers *numbers) {
  GantryMarks *marks = marks_of(table);
  const GantryMark *other = gantry_marks_find(marks, table->background);
  const int side =
      numbers == gantry_marks_get_numbers(marks, mark->id, GANTRY_MARKS_OF_B) ? GANTRY_MARKS_OF_B : GANTRY_MARKS_OF_A;
  const GantryMarkNumbers *against = other && other != mark ? numbers_of(table, other, side) : NULL;
  return against && gantry_mark_is_region(mark) && gantry_mark_is_region(other)
             ? ct_contrast_to_noise(&numbers->region, &against->region)
             : NAN;
}

#define REGION gantry_mark_is_region(mark)
#define LINE (mark->kind == GANTRY_MARK_LINE)
#define SCALED(value) gantry_display_value(table->display, value)
FIGURE(mean, TRUE,
       REGION                            ? scaled(table, numbers).mean
       : mark->kind == GANTRY_MARK_POINT ? SCALED(numbers->value)
                                         : NAN)
FIGURE(deviation, REGION, scaled(table, numbers).deviation)
FIGURE(least, REGION, scaled(table, numbers).min)
FIGURE(most, REGION, scaled(table, numbers).max)
FIGURE(area, REGION, numbers->region.area)
FIGURE(voxels, REGION, (double)numbers->region.pixels)
FIGURE(not_finite, REGION, (double)(numbers->region.pixels - numbers->region.values.count))
FIGURE(cut_off, REGION, numbers->region.cut_off)
FIGURE(length, LINE, gantry_mark_length(mark))
FIGURE(thickness, LINE, mark->thickness)
FIGURE(before, LINE, SCALED(numbers->widths.before))
FIGURE(after, LINE, SCALED(numbers->widths.after))
FIGURE(peak, LINE, SCALED(numbers->widths.peak))
FIGURE(peak_at, LINE, numbers->widths.peak_at)
FIGURE(peak_width, LINE, numbers->widths.peak_width)
FIGURE(edge_at, LINE, numbers->widths.edge_at)
FIGURE(edge_width, LINE, numbers->widths.edge_width)
FIGURE(edge_rise, LINE, numbers->widths.edge_rise)
FIGURE(angle, TRUE, gantry_mark_angle(mark))

/* Keys are those of gantry-cli measure. */
static const Figure figures[] = {
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
    {"cnr", contrast_of},
};

/* Cells */

char *gantry_mark_column_title(const GantryMarkTable *table, GantryMarkColumn column) {
  static const char *const titles[GANTRY_MARK_COLUMNS] = {"Mean",         "SD",     "Least", "Largest",
                                                          "Area, length", "Voxels", "CNR",   "FWHM"};
  const char *unit = column == GANTRY_MARK_MEAN ? gantry_display_value_unit(table->display) : "";
  return *unit ? g_strdup_printf("%s, %s", titles[column], unit) : g_strdup(titles[column]);
}

const char *gantry_mark_column_tip(GantryMarkColumn column) {
  static const char *const tips[GANTRY_MARK_COLUMNS] = {
      "Mean of the region's voxels, or the value of the voxel that holds a point",
      "Standard deviation of the region's voxels",
      "Least value of the region's voxels",
      "Largest value of the region's voxels",
      "Area of the region's voxels, length of a distance, or an angle",
      "Number of voxels whose centre lies in the region",
      "Contrast to noise: how far the mean is from that of the region chosen above the list, in units of both "
      "regions' noise",
      "Full width at half maximum along a distance: of the peak or dip, else of the slope of the edge",
  };
  return tips[column];
}

static char *width_text(const GantryMarkTable *table, const GantryMarkNumbers *numbers) {
  gboolean edge;
  const double width = gantry_mark_width(numbers, &edge);
  if (!isfinite(width)) return g_strdup("no edge");
  g_autofree char *text = gantry_length_text(width, DIGITS, length_unit(table));
  return g_strdup_printf("%s %s", edge ? "edge" : "peak", text);
}

static char *size_text(const GantryMarkTable *table, const GantryMark *mark, const GantryMarkNumbers *numbers) {
  const char *unit = length_unit(table);
  if (mark->kind == GANTRY_MARK_LINE) return gantry_length_text(gantry_mark_length(mark), DIGITS, unit);
  if (mark->kind == GANTRY_MARK_ANGLE) return gantry_quantity_text(gantry_mark_angle(mark), DIGITS, "°");
  g_autofree char *square = g_strconcat(unit, "²", NULL);
  return numbers && REGION ? gantry_quantity_text(numbers->region.area, DIGITS, square) : g_strdup("");
}

static char *number_text(double value) {
  return isfinite(value) ? gantry_quantity_text(value, DIGITS, "") : g_strdup("");
}

static char *side_text(const GantryMarkTable *table, const GantryMark *mark, GantryMarkColumn column, int side) {
  const GantryMarkNumbers *numbers = numbers_of(table, mark, side);
  if (column == GANTRY_MARK_SIZE) return size_text(table, mark, numbers);
  if (!numbers) return g_strdup("");
  switch (column) {
  case GANTRY_MARK_WIDTH:
    return LINE ? width_text(table, numbers) : g_strdup("");
  case GANTRY_MARK_VOXELS:
    return REGION ? gantry_count_text((gint64)numbers->region.pixels) : g_strdup("");
  case GANTRY_MARK_MEAN:
    return number_text(mean(table, mark, numbers));
  case GANTRY_MARK_CONTRAST:
    return number_text(contrast_of(table, mark, numbers));
  default:
    return number_text(figures[column].get(table, mark, numbers));
  }
}

char *gantry_mark_cell(const GantryMarkTable *table, const GantryMark *mark, GantryMarkColumn column) {
  char *a = side_text(table, mark, column, GANTRY_MARKS_OF_A);
  if (!table->has_b) return a;
  g_autofree char *first = a, *second = side_text(table, mark, column, GANTRY_MARKS_OF_B);
  /* What both say is said once. */
  if (g_str_equal(first, second) && (column == GANTRY_MARK_SIZE || !*first)) return g_steal_pointer(&first);
  return g_strdup_printf("A %s\nB %s", *first ? first : "—", *second ? second : "—");
}

/* Where it is, and what is to be said */

char *gantry_mark_place(const GantryMarkTable *table, const GantryMark *mark) {
  static const char axes[] = {'z', 'y', 'x'};
  const GantryMarkNumbers *numbers = gantry_marks_get_numbers(marks_of(table), mark->id, GANTRY_MARKS_OF_A);
  g_autofree char *kind = g_ascii_strdown(gantry_mark_kind_title(mark->kind), -1);
  const char *unit;
  const double pitch = numbers ? numbers->pitch : 0.1, by = gantry_coordinate_factor(pitch, length_unit(table), &unit);
  g_autofree char *position = gantry_coordinate_text(by * mark->position, by * pitch);
  if (mark->oblique)
    return g_strdup_printf("%s, d = %s %s, tilt %.1f°, rotation %.1f°", kind, position, unit,
                           mark->pose.tilt * 180 / G_PI, mark->pose.rotation * 180 / G_PI);
  return g_strdup_printf("%s, %c = %s %s", kind, axes[mark->plane], position, unit);
}

static void say(GString *note, const char *of, const char *text) {
  g_string_append_printf(note, "%s%s%s", note->len ? " " : "", of, text);
}

static void say_of(const GantryMarkTable *table, const GantryMark *mark, int side, GString *note) {
  const GantryMarkNumbers *numbers = gantry_marks_get_numbers(marks_of(table), mark->id, side);
  const char *of = !table->has_b ? "" : side == GANTRY_MARKS_OF_A ? "A: " : "B: ";
  if (!numbers) return;
  if (*numbers->problem) {
    say(note, of, numbers->problem);
    return;
  }
  const gsize invalid = REGION ? numbers->region.pixels - numbers->region.values.count : 0;
  if (REGION && numbers->region.cut_off) say(note, of, "Reaches beyond the slice: only its part within is measured.");
  if (invalid) {
    g_autofree char *text = g_strdup_printf("%zu voxels are not finite and left out.", invalid);
    say(note, of, text);
  }
  if (numbers->preview) say(note, of, "Of the preview on screen.");
}

char *gantry_mark_note(const GantryMarkTable *table, const GantryMark *mark) {
  GString *note = g_string_new(NULL);
  for (int side = 0; side < (table->has_b ? GANTRY_MARKS_SIDES : 1); side++) say_of(table, mark, side, note);
  return g_string_free(note, FALSE);
}

/* CSV */

static void append_quoted(GString *csv, const char *text) {
  g_string_append_c(csv, '"');
  for (; *text; text++) {
    if (*text == '"') g_string_append_c(csv, '"');
    g_string_append_c(csv, *text);
  }
  g_string_append_c(csv, '"');
}

static void append_number(GString *csv, double value) {
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  g_string_append_c(csv, ',');
  if (isfinite(value)) g_string_append(csv, g_ascii_dtostr(text, sizeof text, value));
}

static void append_row(const GantryMarkTable *table, const GantryMark *mark, int side, GString *csv) {
  const GantryMarkNumbers *known = gantry_marks_get_numbers(marks_of(table), mark->id, side),
                          *numbers = numbers_of(table, mark, side);
  append_quoted(csv, mark->name);
  g_string_append_printf(csv, ",%s,%s", gantry_mark_kind_id(mark->kind), gantry_mark_plane_id(mark));
  append_number(csv, mark->position);
  if (numbers && numbers->index >= 0)
    g_string_append_printf(csv, ",%d", numbers->index);
  else
    g_string_append_c(csv, ',');
  g_string_append_printf(csv, ",%c", side == GANTRY_MARKS_OF_A ? 'A' : 'B');
  for (gsize f = 0; f < G_N_ELEMENTS(figures); f++)
    append_number(csv, numbers ? figures[f].get(table, mark, numbers) : NAN);
  g_string_append_c(csv, ',');
  for (guint i = 0; i < mark->count; i++) {
    char x[G_ASCII_DTOSTR_BUF_SIZE], y[G_ASCII_DTOSTR_BUF_SIZE];
    g_string_append_printf(csv, "%s%s %s", i ? ";" : "", g_ascii_dtostr(x, sizeof x, mark->points[i][0]),
                           g_ascii_dtostr(y, sizeof y, mark->points[i][1]));
  }
  g_string_append_c(csv, ',');
  append_quoted(csv, !known ? "not measured yet" : *known->problem ? known->problem : known->preview ? "preview" : "");
  g_string_append_c(csv, '\n');
}

char *gantry_mark_csv(const GantryMarkTable *table) {
  GantryMarks *marks = marks_of(table);
  const GantryMark *background = gantry_marks_find(marks, table->background);
  const char *unit = gantry_display_value_unit(table->display);
  GString *csv = g_string_new(NULL);
  g_string_printf(csv, "# values in %s, lengths in %s%s%s\nname,kind,plane,position,slice,result",
                  *unit ? unit : "a scale without unit", length_unit(table), background ? ", cnr against " : "",
                  background ? background->name : "");
  for (gsize f = 0; f < G_N_ELEMENTS(figures); f++) g_string_append_printf(csv, ",%s", figures[f].key);
  g_string_append(csv, ",points,note\n");
  for (guint i = 0; i < gantry_marks_count(marks); i++)
    for (int side = 0; side < (table->has_b ? GANTRY_MARKS_SIDES : 1); side++)
      append_row(table, gantry_marks_get(marks, i), side, csv);
  return g_string_free(csv, FALSE);
}
