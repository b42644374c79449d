/* SPDX-License-Identifier: GPL-3.0-or-later */
/* "0.0921 1/mm at", and below "x 1.0, y −3.5, z 12.5 mm"; with a reference both values and their difference, and the
 * place in the tooltip: the views tell it too. Always two lines, of the height of the buttons beside them: the pictures
 * above stay where they are. */
#include "ui/window/reading.h"

#include "ui/number-text.h"
#include "ui/scale-text.h"
#include "ui/tips.h"
#include "ui/window/parts.h"

#include <math.h>

#define COMPARISON_CHARS 19

struct _GantryReading {
  GantryDisplay *display;
  GantryQuad *quad;
  GantryPlanes *planes;
  GtkLabel *label;
};

GantryReading *gantry_reading_new(GtkWidget *window, GantryDisplay *display, GantryQuad *quad, GantryPlanes *planes) {
  GantryReading *self = g_new0(GantryReading, 1);
  self->display = g_object_ref(display);
  self->quad = quad;
  self->planes = planes;
  self->label = gantry_window_part(window, "cross_label");
  return self;
}

void gantry_reading_free(GantryReading *self) {
  g_object_unref(self->display);
  g_free(self);
}

/* The slice's own place along z, which its title tells, and which the crosshair may be between. */
static char *place_text(GantryReading *self, const ct_grid *grid, const double cross[3], double z) {
  const double steps[] = {grid->dx, grid->dy, grid->dz};
  const char *unit;
  const double by = gantry_coordinate_factor(grid->dx, gantry_display_get_units(self->display).length, &unit);
  GString *text = g_string_new(NULL);
  for (int i = 0; i < 3; i++) {
    g_autofree char *place = gantry_coordinate_text(by * (i < 2 ? cross[i] : z), by * steps[i]);
    g_string_append_printf(text, "%s%c\u00a0%s", i ? ", " : "", 'x' + i, place);
  }
  g_string_append_printf(text, "\u00a0%s", unit);
  return g_string_free(text, FALSE);
}

/* "A 0.0921  B 0.0918", and below "A − B 0.0003 1/mm": markup. */
static char *comparison_text(double a, double b, double range, const char *unit) {
  g_autofree char *first = gantry_value_text(a, range, ""), *second = gantry_value_text(b, range, "");
  g_autofree char *rest = gantry_quantity_text(a - b, 3, unit);
  return g_strdup_printf("<b>A</b>\u00a0%s  <b>B</b>\u00a0%s\n<b>A\u00a0−\u00a0B</b>\u00a0%s", first, second, rest);
}

static char *value_text(double value, double range, const char *unit, const char *place) {
  g_autofree char *text = gantry_value_text(value, range, unit);
  return g_strdup_printf("%s at\n<small>%s</small>", text, place);
}

static double value_of(GantryReading *self, const GantryImage *image, const double cross[3]) {
  return gantry_display_value(
      self->display, gantry_image_shown_value(image, cross[0], cross[1], gantry_display_get_smooth(self->display)));
}

void gantry_reading_show(GantryReading *self, gboolean reference) {
  const ct_grid *grid = gantry_planes_get_grid(self->planes);
  const GantryImage *a = grid ? gantry_quad_get_image(self->quad, GANTRY_VIEW_AXIAL, CTGL_SLOT_A) : NULL;
  const GantryImage *b = a ? gantry_quad_get_image(self->quad, GANTRY_VIEW_AXIAL, CTGL_SLOT_B) : NULL;
  const char *unit = gantry_display_value_unit(self->display);
  double cross[3], low, high;
  gantry_display_get_cross(self->display, cross);
  gantry_display_get_window(self->display, &low, &high);
  const double range = fabs(gantry_display_difference(self->display, high - low));
  g_autofree char *place = a ? place_text(self, grid, cross, a->position) : NULL;
  g_autofree char *markup = b   ? comparison_text(value_of(self, a, cross), value_of(self, b, cross), range, unit)
                            : a ? value_text(value_of(self, a, cross), range, unit, place)
                                : g_strdup("");
  gtk_label_set_markup(self->label, markup);
  gtk_label_set_width_chars(self->label, reference ? COMPARISON_CHARS : -1);
  /* A narrow bar may cut it short. */
  g_autofree char *tip =
      g_strdup_printf("%s%s%s%sValue and position under the crosshair", gtk_label_get_text(self->label),
                      b ? " at " : "", b ? place : "", a ? "\n" : "");
  gantry_tips_set(GTK_WIDGET(self->label), tip);
  if (reference)
    gtk_widget_add_css_class(GTK_WIDGET(self->label), "caption");
  else
    gtk_widget_remove_css_class(GTK_WIDGET(self->label), "caption");
}
