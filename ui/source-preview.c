/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A picture over a plot over a list. */
#include "ui/source-preview.h"

#include "ui/number-text.h"
#include "ui/picture.h"
#include "ui/plot/plot.h"
#include "ui/shown.h"
#include "ui/tips.h"

#include <math.h>

/* ms until what is shown fades, or it is said that a frame is read, while one is. */
enum { PATIENCE = 250 };

struct _GantrySourcePreview {
  GtkBox parent_instance;
  GantryPicture *picture;
  GtkWidget *chooser, *known; /* slider; numbers, histogram and facts */
  GtkLabel *which, *numbers;
  GtkAdjustment *frame;
  GantryPlot *plot;
  GtkGrid *facts;
  guint fading;
  gboolean updating;
};

G_DEFINE_FINAL_TYPE(GantrySourcePreview, gantry_source_preview, GTK_TYPE_BOX)

static guint frame_signal;

void gantry_source_seen_clear(GantrySourceSeen *seen) {
  g_clear_pointer(&seen->error, g_free);
  g_clear_pointer(&seen->image, gantry_image_unref);
  g_clear_pointer(&seen->facts, g_strfreev);
}

static void gantry_source_preview_dispose(GObject *object) {
  GantrySourcePreview *self = GANTRY_SOURCE_PREVIEW(object);
  g_clear_handle_id(&self->fading, g_source_remove);
  if (self->frame) g_signal_handlers_disconnect_by_data(self->frame, self);
  g_clear_object(&self->frame);
  G_OBJECT_CLASS(gantry_source_preview_parent_class)->dispose(object);
}

static void gantry_source_preview_class_init(GantrySourcePreviewClass *klass) {
  G_OBJECT_CLASS(klass)->dispose = gantry_source_preview_dispose;
  frame_signal =
      g_signal_new("frame-changed", GANTRY_TYPE_SOURCE_PREVIEW, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

/* The parts */

static void frame_changed(GantrySourcePreview *self) {
  if (!self->updating) g_signal_emit(self, frame_signal, 0);
}

static void name(GtkWidget *widget, const char *label, const char *tooltip) {
  gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  gantry_tips_set(widget, tooltip);
}

static GtkWidget *new_chooser(GantrySourcePreview *self) {
  GtkWidget *row = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6), *which = gtk_label_new("Frame"), *slider, *spin;
  self->frame = g_object_ref_sink(gtk_adjustment_new(0, 0, 0, 1, 10, 0));
  slider = gtk_scale_new(GTK_ORIENTATION_HORIZONTAL, self->frame);
  spin = gtk_spin_button_new(self->frame, 1, 0);
  gtk_scale_set_draw_value(GTK_SCALE(slider), FALSE);
  gtk_scale_set_digits(GTK_SCALE(slider), 0);
  gtk_widget_set_hexpand(slider, TRUE);
  gtk_spin_button_set_numeric(GTK_SPIN_BUTTON(spin), TRUE);
  gtk_editable_set_width_chars(GTK_EDITABLE(spin), 5);
  name(slider, "Frame Shown, slider", "Which frame is shown, counted from 0");
  name(spin, "Frame Shown", "Which frame is shown, counted from 0");
  g_signal_connect_swapped(self->frame, "value-changed", G_CALLBACK(frame_changed), self);
  self->which = GTK_LABEL(which);
  gtk_box_append(GTK_BOX(row), which);
  gtk_box_append(GTK_BOX(row), slider);
  gtk_box_append(GTK_BOX(row), spin);
  return row;
}

static GtkWidget *new_plot(GantrySourcePreview *self) {
  GtkWidget *plot = gantry_plot_new();
  self->plot = GANTRY_PLOT(plot);
  gtk_accessible_update_property(GTK_ACCESSIBLE(plot), GTK_ACCESSIBLE_PROPERTY_LABEL, "Histogram of the Frame", -1);
  gtk_widget_set_size_request(plot, -1, 150);
  gantry_plot_set_axes(self->plot, "value", NULL, "samples", NULL);
  gantry_plot_set_scales(self->plot, GANTRY_SCALE_LINEAR, GANTRY_SCALE_LOG);
  gantry_plot_set_legend(self->plot, FALSE);
  gantry_plot_set_empty_text(self->plot, "No sample is a finite number");
  return plot;
}

static GtkWidget *new_facts(GantrySourcePreview *self) {
  GtkWidget *scrolled = gtk_scrolled_window_new(), *grid = gtk_grid_new();
  self->facts = GTK_GRID(grid);
  gtk_grid_set_column_spacing(self->facts, 12);
  gtk_grid_set_row_spacing(self->facts, 3);
  gtk_widget_set_valign(grid, GTK_ALIGN_START);
  gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scrolled), grid);
  gtk_widget_set_size_request(scrolled, -1, 150);
  return scrolled;
}

static void gantry_source_preview_init(GantrySourcePreview *self) {
  GtkWidget *picture = gantry_picture_new("Frame of the Scan"), *numbers = gtk_label_new("");
  self->picture = GANTRY_PICTURE(picture);
  self->numbers = GTK_LABEL(numbers);
  self->known = gtk_box_new(GTK_ORIENTATION_VERTICAL, 9);
  gtk_orientable_set_orientation(GTK_ORIENTABLE(self), GTK_ORIENTATION_VERTICAL);
  gtk_box_set_spacing(GTK_BOX(self), 9);
  gtk_widget_set_vexpand(picture, TRUE);
  gtk_widget_set_hexpand(picture, TRUE);
  gtk_label_set_wrap(self->numbers, TRUE);
  gtk_label_set_xalign(self->numbers, 0);
  gtk_widget_add_css_class(numbers, "numeric");
  gantry_tips_set(numbers, "Size of the frame, and its smallest and largest value");
  self->chooser = new_chooser(self);
  gtk_box_append(GTK_BOX(self->known), numbers);
  gtk_box_append(GTK_BOX(self->known), new_plot(self));
  gtk_box_append(GTK_BOX(self->known), new_facts(self));
  gtk_box_append(GTK_BOX(self), picture);
  gtk_box_append(GTK_BOX(self), self->chooser);
  gtk_box_append(GTK_BOX(self), self->known);
  gantry_source_preview_show_nothing(self, "");
}

GtkWidget *gantry_source_preview_new(void) {
  return g_object_new(GANTRY_TYPE_SOURCE_PREVIEW, NULL);
}

int gantry_source_preview_get_frame(GantrySourcePreview *self) {
  return (int)lround(gtk_adjustment_get_value(self->frame));
}

/* What is seen */

static void set_opacity(GantrySourcePreview *self, double opacity) {
  gtk_widget_set_opacity(GTK_WIDGET(self->picture), opacity);
  gtk_widget_set_opacity(self->known, opacity);
}

static gboolean fade(gpointer data) {
  GantrySourcePreview *self = data;
  self->fading = 0;
  if (gtk_widget_get_visible(self->known))
    set_opacity(self, 0.4);
  else
    gantry_picture_set(self->picture, NULL, 0, 1, "Reading…");
  return G_SOURCE_REMOVE;
}

void gantry_source_preview_wait(GantrySourcePreview *self) {
  if (!self->fading) self->fading = g_timeout_add(PATIENCE, fade, self);
}

static void come_back(GantrySourcePreview *self) {
  g_clear_handle_id(&self->fading, g_source_remove);
  set_opacity(self, 1);
}

/* "30 × 3 samples, 48 963 to 60 000; 2 NaN" */
static char *numbers_of(const GantrySourceSeen *seen) {
  const ct_statistics *v = &seen->values;
  GString *text = g_string_new(NULL);
  g_string_append_printf(text, "%d × %d samples, ", seen->width, seen->height);
  if (v->count) {
    g_autofree char *least = gantry_quantity_text(v->min, 7, NULL), *most = gantry_quantity_text(v->max, 7, NULL);
    g_string_append_printf(text, "%s to %s", least, most);
  } else {
    g_string_append(text, "none of them a finite number");
  }
  if (v->nans) {
    g_autofree char *count = gantry_count_text((gint64)v->nans);
    g_string_append_printf(text, ", %s NaN", count);
  }
  if (v->infinities) {
    g_autofree char *count = gantry_count_text((gint64)v->infinities);
    g_string_append_printf(text, ", %s infinite", count);
  }
  if (seen->step > 1) g_string_append_printf(text, " (numbers of one row in %d)", seen->step);
  return g_string_free(text, FALSE);
}

static void show_histogram(GantrySourcePreview *self, const GantrySourceSeen *seen) {
  double x[GANTRY_SOURCE_BINS], y[GANTRY_SOURCE_BINS];
  gantry_plot_clear(self->plot);
  for (int i = 0; i < seen->bins; i++) {
    x[i] = seen->bin_low + (i + 0.5) * seen->bin_width;
    y[i] = seen->counts[i] ? (double)seen->counts[i] : NAN;
  }
  if (!seen->bins) return;
  gantry_plot_set_curve(self->plot, GANTRY_CURVE_A, "samples", x, y, (gsize)seen->bins);
  gantry_plot_set_style(self->plot, GANTRY_CURVE_A, GANTRY_CURVE_BARS);
}

static void show_facts(GantrySourcePreview *self, char *const *facts) {
  GtkWidget *child;
  while ((child = gtk_widget_get_first_child(GTK_WIDGET(self->facts)))) gtk_grid_remove(self->facts, child);
  for (int i = 0; facts && facts[2 * i]; i++) {
    g_autofree char *text = gantry_shown(facts[2 * i + 1]), *title = g_strdup(facts[2 * i]);
    title[0] = g_ascii_toupper(title[0]);
    GtkWidget *labels[2] = {gtk_label_new(title), gtk_label_new(text)};
    gtk_widget_add_css_class(labels[0], "dim-label");
    for (int k = 0; k < 2; k++) {
      gtk_label_set_xalign(GTK_LABEL(labels[k]), 0);
      gtk_label_set_yalign(GTK_LABEL(labels[k]), 0);
      gtk_grid_attach(self->facts, labels[k], k, i, 1, 1);
    }
    gtk_label_set_wrap(GTK_LABEL(labels[1]), TRUE);
    gtk_label_set_wrap_mode(GTK_LABEL(labels[1]), PANGO_WRAP_WORD_CHAR);
    gtk_widget_set_hexpand(labels[1], TRUE);
  }
}

static void describe(GantrySourcePreview *self, const char *text) {
  gtk_label_set_text(self->numbers, text);
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->picture), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text, -1);
}

void gantry_source_preview_show(GantrySourcePreview *self, const GantrySourceSeen *seen) {
  if (seen->error) {
    gantry_source_preview_show_nothing(self, seen->error);
    return;
  }
  g_autofree char *numbers = numbers_of(seen);
  come_back(self);
  self->updating = TRUE;
  gtk_adjustment_set_upper(self->frame, MAX(seen->count - 1, 0));
  gtk_adjustment_set_value(self->frame, seen->index);
  self->updating = FALSE;
  gtk_label_set_text(self->which, seen->sinogram ? "Sinogram of Row" : "Frame");
  gtk_widget_set_sensitive(self->chooser, seen->count > 1);
  gtk_widget_set_visible(self->chooser, TRUE);
  gtk_widget_set_visible(self->known, TRUE);
  describe(self, numbers);
  gantry_picture_set(self->picture, seen->image, seen->low, seen->high, NULL);
  show_histogram(self, seen);
  show_facts(self, seen->facts);
}

void gantry_source_preview_show_nothing(GantrySourcePreview *self, const char *why) {
  come_back(self);
  gtk_widget_set_visible(self->chooser, FALSE);
  gtk_widget_set_visible(self->known, FALSE);
  describe(self, "");
  gantry_picture_set(self->picture, NULL, 0, 1, why);
}
