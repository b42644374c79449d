/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A picture with lines over it, as high as the page, and beside it three plots of one panel each. */
#include "ui/spectrum/page.h"

#include "ui/check.h"
#include "ui/note.h"
#include "ui/number-text.h"
#include "ui/picture.h"
#include "ui/plot/plot.h"
#include "ui/tab.h"
#include "ui/tips.h"

#include <math.h>

struct _GantrySpectrumPage {
  GtkBox parent_instance;
  GantryPicture *picture;
  GantryPlot *real, *imaginary, *difference;
  GtkRange *view;
  GtkSpinButton *number; /* of the same view */
  GtkCheckButton *grid, *weighted;
  GtkLabel *reading, *note;
  GtkWidget *bar, *keys, *damped_key;
  GantrySpectrumReport *report;  /* NULL: none */
  gboolean showing, wants_focus; /* of its first control, once that is sensitive */
  cairo_surface_t *points;       /* of all views, drawn; NULL: not yet; of this spectrum, at mm of a pixel and scale: */
  GantryImage *points_of;
  double points_pixel;
  int points_scale;
};

G_DEFINE_FINAL_TYPE(GantrySpectrumPage, gantry_spectrum_page, GTK_TYPE_BOX)

static guint view_chosen_signal;

typedef enum { REAL, IMAGINARY, MAGNITUDE } Part;

/* The view's curve is dashed, so that the slice's shows below it where they agree. */
enum { SLICE = GANTRY_CURVE_A, VIEW = GANTRY_CURVE_COLOURS + GANTRY_CURVE_B };
enum { OFF = GANTRY_CURVE_DIFFERENCE, BEYOND = GANTRY_CURVE_COLOURS + GANTRY_CURVE_OTHER };

/* The polar grid is drawn by so many views and frequencies at most. */
enum { MOST_LINES = 360, MOST_POINTS = 24 };

static void drop_points(GantrySpectrumPage *self) {
  g_clear_pointer(&self->points, cairo_surface_destroy);
  g_clear_pointer(&self->points_of, gantry_image_unref);
}

static void gantry_spectrum_page_finalize(GObject *object) {
  gantry_spectrum_report_free(GANTRY_SPECTRUM_PAGE(object)->report);
  drop_points(GANTRY_SPECTRUM_PAGE(object));
  G_OBJECT_CLASS(gantry_spectrum_page_parent_class)->finalize(object);
}

static void gantry_spectrum_page_class_init(GantrySpectrumPageClass *klass) {
  G_OBJECT_CLASS(klass)->finalize = gantry_spectrum_page_finalize;
  view_chosen_signal = g_signal_new("view-chosen", GANTRY_TYPE_SPECTRUM_PAGE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                    G_TYPE_NONE, 1, G_TYPE_INT);
}

static void gantry_spectrum_page_init(GantrySpectrumPage *self) {}

/* The picture */

/* The points as a picture of their own: there are thousands, and the line moves over them. */
static cairo_surface_t *make_grid(const GantrySpectrumReport *r, double pixel, int scale) {
  const guint32 blue = 0x99457399; /* 60 % of (0.45, 0.75, 1), premultiplied */
  const int lines = MAX((r->views + MOST_LINES - 1) / MOST_LINES, 1),
            half = (int)ceil(r->nyquist / pixel * scale) + scale;
  cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, 2 * half, 2 * half);
  guint8 *pixels = cairo_image_surface_get_data(surface);
  const int stride = cairo_image_surface_get_stride(surface);
  if (!pixels) return surface;
  cairo_surface_flush(surface);
  for (int view = 0; view < r->views; view += lines)
    for (int n = -MOST_POINTS; n <= MOST_POINTS; n++) {
      const double f = r->nyquist * n / MOST_POINTS / pixel * scale;
      const int left = half + (int)lround(f * cos(r->angles[view]) - scale / 2.0),
                top = half - (int)lround(f * sin(r->angles[view]) + scale / 2.0);
      for (int j = MAX(top, 0); j < MIN(top + scale, 2 * half); j++)
        for (int i = MAX(left, 0); i < MIN(left + scale, 2 * half); i++)
          memcpy(pixels + (gsize)j * (gsize)stride + (gsize)i * sizeof blue, &blue, sizeof blue);
    }
  cairo_surface_mark_dirty(surface);
  return surface;
}

static void draw_grid(GantrySpectrumPage *self, cairo_t *cr, double pixel) {
  const GantrySpectrumReport *r = self->report;
  const int scale = gtk_widget_get_scale_factor(GTK_WIDGET(self));
  if (!self->points || self->points_of != r->spectrum || self->points_pixel != pixel || self->points_scale != scale) {
    drop_points(self);
    self->points = make_grid(r, pixel, scale);
    self->points_of = gantry_image_ref(r->spectrum);
    self->points_pixel = pixel;
    self->points_scale = scale;
  }
  const double half = cairo_image_surface_get_width(self->points) / 2.0;
  cairo_save(cr);
  cairo_scale(cr, pixel / scale, -pixel / scale);
  cairo_set_source_surface(cr, self->points, -half, -half);
  cairo_pattern_set_filter(cairo_get_source(cr), CAIRO_FILTER_NEAREST);
  cairo_paint(cr);
  cairo_restore(cr);
}

static void draw_over(gpointer user, cairo_t *cr, double pixel) {
  GantrySpectrumPage *self = user;
  const GantrySpectrumReport *r = self->report;
  if (!r || !r->angles) return;
  if (gtk_check_button_get_active(self->grid)) draw_grid(self, cr, pixel);
  const double x = r->nyquist * cos(r->angles[r->view]), y = r->nyquist * sin(r->angles[r->view]);
  cairo_move_to(cr, -x, -y);
  cairo_line_to(cr, x, y);
  cairo_set_source_rgb(cr, 0, 0, 0);
  cairo_set_line_width(cr, 3 * pixel);
  cairo_stroke_preserve(cr);
  cairo_set_source_rgb(cr, 1, 0.8, 0.25);
  cairo_set_line_width(cr, 1.5 * pixel);
  cairo_stroke(cr);
}

static void redraw(GantrySpectrumPage *self) {
  gtk_widget_queue_draw(GTK_WIDGET(self->picture));
}

/* The plot */

static double part_of(const double value[2], Part part) {
  return part == MAGNITUDE ? hypot(value[0], value[1]) : value[part];
}

static void show_part(GantrySpectrumPage *self, GantryPlot *plot, Part part) {
  const GantrySpectrumReport *r = self->report;
  const gboolean weighted = gtk_check_button_get_active(self->weighted);
  const gsize count = (gsize)r->count;
  g_autofree double *x = g_new(double, count), *slice = g_new(double, count), *row = g_new(double, count);
  for (gsize n = 0; n < count; n++) {
    const double factor = weighted ? fabs(r->samples[n].frequency) : 1;
    x[n] = r->samples[n].frequency;
    slice[n] = factor * part_of(r->samples[n].slice, part);
    row[n] = factor * part_of(r->samples[n].projection, part);
  }
  gantry_plot_set_curve(plot, SLICE, "slice, on the line", x, slice, count);
  gantry_plot_set_curve(plot, VIEW, "view", x, row, count);
}

/* Of the row, or of the row as it is damped. */
static void add_difference(GantrySpectrumPage *self, guint curve, const char *title, gboolean damped, double largest) {
  const GantrySpectrumReport *r = self->report;
  const gsize count = (gsize)r->count;
  g_autofree double *x = g_new(double, count), *difference = g_new(double, count);
  for (gsize n = 0; n < count; n++) {
    const ct_slice_theorem_sample *s = &r->samples[n];
    const double passed = damped ? s->passed : 1;
    const double apart[2] = {s->slice[0] - passed * s->projection[0], s->slice[1] - passed * s->projection[1]};
    x[n] = s->frequency;
    difference[n] = largest > 0 ? part_of(apart, MAGNITUDE) / largest : NAN;
  }
  gantry_plot_set_curve(self->difference, curve, title, x, difference, count);
}

static void show_difference(GantrySpectrumPage *self) {
  const GantrySpectrumReport *r = self->report;
  double largest = 0;
  for (int n = 0; n < r->count; n++) largest = MAX(largest, part_of(r->samples[n].projection, MAGNITUDE));
  add_difference(self, OFF, "difference", FALSE, largest);
  if (r->damping) add_difference(self, BEYOND, "beyond the damping", TRUE, largest);
  gtk_widget_set_visible(self->damped_key, r->damping != NULL);
}

static void show_curves(GantrySpectrumPage *self) {
  const GantrySpectrumReport *r = self->report;
  GantryPlot *const plots[] = {self->real, self->imaginary, self->difference};
  for (guint i = 0; i < G_N_ELEMENTS(plots); i++) gantry_plot_clear(plots[i]);
  if (!r || !r->samples) return;
  const gboolean weighted = gtk_check_button_get_active(self->weighted), pixels = ct_units_are_pixels(r->units);
  const char *per = pixels ? "1/px" : "1/mm", *unit = weighted ? "" : pixels ? "px" : "mm";
  gantry_plot_set_axes(self->real, "f", per, weighted ? "|f| × real" : "Real", unit);
  gantry_plot_set_axes(self->imaginary, "f", per, weighted ? "|f| × imaginary" : "Imaginary", unit);
  gantry_plot_set_axes(self->difference, "f", per, "Off/largest", "");
  gantry_plot_set_scales(self->difference, GANTRY_SCALE_LINEAR, GANTRY_SCALE_LOG);
  show_part(self, self->real, REAL);
  show_part(self, self->imaginary, IMAGINARY);
  show_difference(self);
}

/* "View 17 at 17.0°: 0.0026 off; beyond linear interpolation 8.3·10⁻⁴" */
static void show_reading(GantrySpectrumPage *self) {
  const GantrySpectrumReport *r = self->report;
  if (!r || r->refused) {
    gtk_label_set_text(self->reading, "");
    return;
  }
  g_autofree char *angle = gantry_fixed_text(r->angles[r->view] * 180 / G_PI, 1),
                  *difference = gantry_quantity_text(r->difference, 2, NULL),
                  *rest = gantry_quantity_text(r->rest, 2, NULL),
                  *beyond = r->damping ? g_strdup_printf("; beyond %s %s", r->damping, rest) : g_strdup(""),
                  *text = g_strdup_printf("View %d at %s°: %s off%s%s", r->view, angle, difference,
                                          r->rebinned ? ", rebinned" : "", beyond),
                  *why = r->damping ? g_strdup_printf(". High frequencies are damped in the slice by %s: against the "
                                                      "row damped so, the difference is %s (dashed)",
                                                      r->damping, rest)
                                    : g_strdup(""),
                  *whole =
                      g_strdup_printf("%s: the largest difference within 0.8 Nyquist is %s of the largest magnitude%s",
                                      text, difference, why);
  gtk_label_set_text(self->reading, text);
  gantry_tips_set(GTK_WIDGET(self->reading), whole);
}

void gantry_spectrum_page_take(GantrySpectrumPage *self, GantrySpectrumReport *report, const char *instead) {
  gantry_spectrum_report_free(self->report);
  self->report = report;
  gtk_widget_set_sensitive(self->bar, report != NULL);
  if (report && self->wants_focus) {
    self->wants_focus = FALSE;
    gantry_tab_enter(GTK_WIDGET(self), self->bar);
  }
  gantry_picture_set(self->picture, report ? report->spectrum : NULL, log10(1e-6), 0, NULL);
  redraw(self); /* of another view the line alone */
  gantry_picture_set_caption(self->picture, report ? "Axial, 6 decades" : "");
  const char *words = report ? report->refused : instead;
  gantry_plot_set_empty_text(self->real, words ? words : "");
  /* What is said in place of the pictures, or of the curves, has their whole room. */
  const gboolean curves = report && !report->refused;
  gtk_widget_set_visible(GTK_WIDGET(self->picture), report != NULL);
  gtk_widget_set_visible(GTK_WIDGET(self->imaginary), curves);
  gtk_widget_set_visible(GTK_WIDGET(self->difference), curves);
  gtk_widget_set_visible(self->keys, curves);
  if (report) {
    self->showing = TRUE;
    gtk_range_set_range(self->view, 0, MAX(report->views - 1, 1));
    gtk_range_set_value(self->view, report->view);
    gtk_spin_button_set_range(self->number, 0, MAX(report->views - 1, 0));
    gtk_spin_button_set_value(self->number, report->view);
    self->showing = FALSE;
  }
  gantry_note_set(self->note, report ? report->note : NULL);
  show_curves(self);
  show_reading(self);
}

void gantry_spectrum_page_focus(GantrySpectrumPage *self) {
  self->wants_focus = !self->report;
  gantry_tab_begin(self->report ? self->bar : GTK_WIDGET(self));
}

/* Making */

static void view_moved(GantrySpectrumPage *self) {
  if (!self->showing) g_signal_emit(self, view_chosen_signal, 0, (int)gtk_range_get_value(self->view));
}

static void number_chosen(GantrySpectrumPage *self) {
  if (!self->showing) gtk_range_set_value(self->view, gtk_spin_button_get_value(self->number));
}

static GtkCheckButton *add_check(GantrySpectrumPage *self, const char *label, const char *name, const char *tip,
                                 GCallback toggled) {
  GtkWidget *check = gantry_check_new();
  gtk_check_button_set_label(GTK_CHECK_BUTTON(check), label);
  gantry_tips_name(check, name, tip);
  gtk_box_append(GTK_BOX(self->bar), check);
  g_signal_connect_swapped(check, "toggled", toggled, self);
  return GTK_CHECK_BUTTON(check);
}

static void fill_bar(GantrySpectrumPage *self) {
  GtkWidget *view = gtk_scale_new_with_range(GTK_ORIENTATION_HORIZONTAL, 0, 1, 1),
            *number = gtk_spin_button_new_with_range(0, 1, 1);
  self->view = GTK_RANGE(view);
  self->number = GTK_SPIN_BUTTON(number);
  gtk_box_append(GTK_BOX(self->bar), gtk_label_new("View"));
  gtk_widget_set_hexpand(view, TRUE);
  gantry_tips_name(view, "View of the line", "The view whose line is drawn, as in the fourth view. Range: all views");
  gtk_box_append(GTK_BOX(self->bar), view);
  gtk_widget_add_css_class(number, "compact");
  gtk_widget_set_valign(number, GTK_ALIGN_CENTER);
  gtk_editable_set_width_chars(GTK_EDITABLE(number), 4);
  gantry_tips_name(number, "Number of the view", "The view whose line is drawn, counted from 0");
  gtk_box_append(GTK_BOX(self->bar), number);
  g_signal_connect_swapped(number, "value-changed", G_CALLBACK(number_chosen), self);
  g_signal_connect_swapped(view, "value-changed", G_CALLBACK(view_moved), self);
  self->grid =
      add_check(self, "Points", "Points of all views",
                "What all views together measure of the spectrum, thinned out: the farther out, the wider the gaps",
                G_CALLBACK(redraw));
  self->weighted = add_check(self, "× |f|", "Times |f|",
                             "The curves times the frequency, as the ramp weighs them: without it the value at 0, the "
                             "sum of the row, is far above all others",
                             G_CALLBACK(show_curves));
}

static GtkWidget *add_key(GtkWidget *grid, guint curve, const char *words, int place) {
  GtkWidget *label = gtk_label_new(words), *key = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6);
  gtk_widget_add_css_class(label, "caption");
  gtk_box_append(GTK_BOX(key), gantry_plot_swatch_new(curve));
  gtk_box_append(GTK_BOX(key), label);
  gtk_grid_attach(GTK_GRID(grid), key, place % 2, place / 2, 1, 1);
  return key;
}

/* What is said of the view, and what the curves are: above the plots there is no room for their names. */
static GtkWidget *make_words(GantrySpectrumPage *self) {
  GtkWidget *row = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6), *reading = gtk_label_new("");
  self->reading = GTK_LABEL(reading);
  gtk_label_set_wrap(self->reading, TRUE); /* beside the results it takes two lines */
  gtk_label_set_xalign(self->reading, 0);
  gtk_widget_set_hexpand(reading, TRUE);
  gtk_widget_add_css_class(reading, "caption");
  gtk_widget_add_css_class(reading, "numeric");
  gtk_box_append(GTK_BOX(row), reading);
  self->keys = gtk_grid_new();
  gtk_grid_set_column_spacing(GTK_GRID(self->keys), 12);
  add_key(self->keys, SLICE, "slice, on the line", 0);
  add_key(self->keys, VIEW, "view", 1);
  add_key(self->keys, OFF, "off: difference", 2);
  self->damped_key = add_key(self->keys, BEYOND, "beyond the damping", 3);
  gtk_box_append(GTK_BOX(row), self->keys);
  gtk_widget_set_margin_end(row, 9);
  return row;
}

static GtkWidget *make_plot(GantryPlot **plot) {
  GtkWidget *widget = gantry_plot_new();
  *plot = GANTRY_PLOT(widget);
  gantry_plot_set_legend(*plot, FALSE);
  gtk_widget_set_hexpand(widget, TRUE);
  gtk_widget_set_vexpand(widget, TRUE);
  return widget;
}

GtkWidget *gantry_spectrum_page_new(void) {
  GantrySpectrumPage *self =
      g_object_new(GANTRY_TYPE_SPECTRUM_PAGE, "orientation", GTK_ORIENTATION_HORIZONTAL, "spacing", 6, NULL);
  GtkWidget *picture = gantry_picture_new("Spectrum of the slice"), *right = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0),
            *plots = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);

  self->picture = GANTRY_PICTURE(picture);
  self->bar = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 9);
  gtk_widget_add_css_class(self->bar, "filter-bar");
  fill_bar(self);
  self->note = gantry_note_new();
  gantry_picture_set_overlay(self->picture, draw_over, self);
  gtk_widget_set_size_request(picture, 200, -1); /* as high as the page is at 1280 × 800 */
  gtk_widget_set_vexpand(picture, TRUE);
  gtk_widget_set_margin_bottom(GTK_WIDGET(self), 4);
  gtk_box_set_homogeneous(GTK_BOX(plots), TRUE);
  gtk_box_append(GTK_BOX(plots), make_plot(&self->real));
  gtk_box_append(GTK_BOX(plots), make_plot(&self->imaginary));
  gtk_box_append(GTK_BOX(plots), make_plot(&self->difference));
  gtk_box_append(GTK_BOX(right), self->bar);
  gtk_box_append(GTK_BOX(right), GTK_WIDGET(self->note));
  gtk_box_append(GTK_BOX(right), plots);
  gtk_box_append(GTK_BOX(right), make_words(self));
  gtk_box_append(GTK_BOX(self), picture);
  gtk_box_append(GTK_BOX(self), right);
  return GTK_WIDGET(self);
}
