/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Contrast is the same in all pictures that have come so far, about the middle of each: the mean of some lies apart. */
#include "ui/interpolation/strip.h"

#include <math.h>

#include "recon/bp/choices.h"
#include "recon/metric/metric.h"
#include "ui/interpolation/sum.h"
#include "ui/number-text.h"
#include "ui/picture.h"
#include "ui/tips.h"

enum { MOST = 8 }; /* pictures: the truth, then the kernels */

struct _GantryInterpolationStrip {
  GtkBox parent_instance;
  GantryDisplay *display;
  GantryPicture *pictures[MOST];
  GantryMagnified shown[MOST];
  int rows; /* of the scan */
  int count;
};

G_DEFINE_FINAL_TYPE(GantryInterpolationStrip, gantry_interpolation_strip, GTK_TYPE_BOX)

void gantry_magnified_clear(GantryMagnified *picture) {
  g_clear_pointer(&picture->image, gantry_image_unref);
  g_clear_pointer(&picture->instead, g_free);
}

static void gantry_interpolation_strip_dispose(GObject *object) {
  GantryInterpolationStrip *self = GANTRY_INTERPOLATION_STRIP(object);
  for (int i = 0; i < MOST; i++) gantry_magnified_clear(&self->shown[i]);
  if (self->display) g_signal_handlers_disconnect_by_data(self->display, self);
  g_clear_object(&self->display);
  G_OBJECT_CLASS(gantry_interpolation_strip_parent_class)->dispose(object);
}

static void gantry_interpolation_strip_class_init(GantryInterpolationStripClass *klass) {
  G_OBJECT_CLASS(klass)->dispose = gantry_interpolation_strip_dispose;
}

static void gantry_interpolation_strip_init(GantryInterpolationStrip *self) {}

static const char *title_of(int i) {
  return i == 0 ? "Truth" : ct_interp_choices[i - 1].title;
}

static void show_caption(GantryInterpolationStrip *self, int i) {
  const GantryMagnified *one = &self->shown[i];
  GtkWidget *picture = GTK_WIDGET(self->pictures[i]);
  g_autofree char *rmse =
      isfinite(one->rmse) ? gantry_quantity_text(gantry_display_difference(self->display, one->rmse), 2, NULL) : NULL;
  g_autofree char *title = i > 0 ? gantry_interpolation_short_title((ct_interp)ct_interp_choices[i - 1].value)
                                 : g_strdup(title_of(i)),
                  *caption = rmse ? g_strdup_printf("%s\n%s", title, rmse) : g_strdup(title),
                  *cost = i > 0 ? gantry_interpolation_cost_words((ct_interp)ct_interp_choices[i - 1].value, self->rows)
                                : NULL,
                  *from = rmse ? g_strdup_printf(": RMSE %s %s from the truth", rmse,
                                                 gantry_display_value_unit(self->display))
                               : g_strdup(""),
                  *tip = g_strdup_printf("%s%s%s%s", title_of(i), from, cost ? "; for a voxel and a view " : "",
                                         cost ? cost : "");
  gantry_picture_set_caption(self->pictures[i], one->image ? caption : "");
  gantry_tips_set(picture, tip);
  gtk_accessible_update_property(GTK_ACCESSIBLE(picture), GTK_ACCESSIBLE_PROPERTY_LABEL, tip, -1);
}

static int compare(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The width of the middle kernel: that of the widest would leave the others nearly flat. */
static double common_width(GantryInterpolationStrip *self) {
  double widths[MOST] = {0};
  int count = 0;
  for (int i = 1; i < self->count; i++) {
    double grey[2];
    if (!self->shown[i].image) continue;
    gantry_image_get_grey(self->shown[i].image, grey);
    widths[count++] = grey[1] - grey[0];
  }
  qsort(widths, (size_t)count, sizeof *widths, compare);
  return widths[count / 2];
}

static void get_window(GantryInterpolationStrip *self, int i, double width, double *low, double *high) {
  double grey[2] = {0, 1};
  if (self->shown[i].image) gantry_image_get_grey(self->shown[i].image, grey);
  if (!(width > 0)) width = grey[1] - grey[0];
  *low = (grey[0] + grey[1] - width) / 2;
  *high = *low + width;
}

void gantry_interpolation_strip_get_window(GantryInterpolationStrip *self, int kernel, double *low, double *high) {
  get_window(self, kernel + 1, common_width(self), low, high);
}

static void show_all(GantryInterpolationStrip *self) {
  const double width = common_width(self);
  for (int i = 0; i < self->count; i++) {
    double low, high;
    get_window(self, i, width, &low, &high);
    gantry_picture_set(self->pictures[i], self->shown[i].image, low, high, self->shown[i].instead);
    show_caption(self, i);
  }
  gtk_widget_set_visible(GTK_WIDGET(self->pictures[0]), self->shown[0].image != NULL);
}

void gantry_interpolation_strip_take(GantryInterpolationStrip *self, GantryMagnified *picture) {
  const int i = picture->kernel + 1;
  if (i >= 0 && i < self->count) {
    gantry_magnified_clear(&self->shown[i]);
    self->shown[i] = *picture;
    *picture = (GantryMagnified){0};
  } else
    gantry_magnified_clear(picture);
  show_all(self);
}

void gantry_interpolation_strip_set_rows(GantryInterpolationStrip *self, int rows) {
  self->rows = rows;
}

void gantry_interpolation_strip_clear(GantryInterpolationStrip *self, const char *instead) {
  for (int i = 0; i < self->count; i++) {
    gantry_magnified_clear(&self->shown[i]);
    self->shown[i].rmse = NAN;
  }
  self->shown[1].instead = g_strdup(instead);
  show_all(self);
}

char *gantry_interpolation_strip_dup_words(GantryInterpolationStrip *self) {
  const GantryMagnified *one = NULL;
  for (int i = 0; i < self->count && !one; i++)
    if (self->shown[i].image) one = &self->shown[i];
  if (!one) return NULL;
  const ct_units units = gantry_display_get_units(self->display);
  g_autofree char *width = gantry_fixed_text(one->image->width * one->image->spacing_x, 2),
                  *height = gantry_fixed_text(one->image->height * one->image->spacing_y, 2);
  gboolean measured = FALSE;
  for (int i = 0; i < self->count; i++) measured |= self->shown[i].image && isfinite(self->shown[i].rmse);
  g_autofree char *rmse = measured
                              ? g_strdup_printf("; RMSE from the truth in %s", gantry_display_value_unit(self->display))
                              : g_strdup("");
  return g_strdup_printf("%s × %s %s, %d × %d pixels in place of a voxel, one contrast%s", width, height, units.length,
                         one->finer, one->finer, rmse);
}

GtkWidget *gantry_interpolation_strip_new(GantryDisplay *display) {
  GantryInterpolationStrip *self =
      g_object_new(GANTRY_TYPE_INTERPOLATION_STRIP, "spacing", 4, "homogeneous", TRUE, NULL);
  self->display = g_object_ref(display);
  self->count = 1;
  while (ct_interp_choices[self->count - 1].id && self->count < MOST) self->count++;
  for (int i = 0; i < self->count; i++) {
    GtkWidget *widget = gantry_picture_new(title_of(i));
    self->pictures[i] = GANTRY_PICTURE(widget);
    self->shown[i].rmse = NAN;
    gantry_picture_set_widths(self->pictures[i], 70, 0);
    gtk_widget_set_hexpand(widget, TRUE);
    gtk_widget_set_vexpand(widget, TRUE);
    gtk_box_append(GTK_BOX(self), widget);
  }
  g_signal_connect_swapped(display, "values-changed", G_CALLBACK(show_all), self);
  return GTK_WIDGET(self);
}
