/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The histogram of what is shown: logarithmic counts, the colours that the limits give, two limits to drag, to move
 * with the keyboard (Up and Down choose one, Left and Right move it) or to type. */
#include "ui/histogram.h"

#include "ui/colour-limits.h"
#include "ui/number-spin.h"
#include "ui/number-text.h"
#include "ui/plot/axis.h"
#include "ui/plot/plot-private.h"
#include "ui/scale-text.h"
#include "ui/tips.h"

#include <adwaita.h>
#include <math.h>

#define MARGIN 12.0
#define RAMP 7.0
#define GRIP 9.0

struct _GantryHistogram {
  GtkWidget parent_instance;
  GantryDisplay *display;
  GtkWidget *canvas;
  GtkSpinButton *limit[2];
  GtkLabel *title[2];
  gsize *bins;
  gsize count, most;
  double low, high; /* of the bins */
  int active;       /* limit that the keyboard or the pointer moves: 0 low, 1 high */
  gboolean dragging, updating;
  GtkWidget *unit; /* of the limits */
};

G_DEFINE_TYPE(GantryHistogram, gantry_histogram, GTK_TYPE_WIDGET)

static void get_limits(GantryHistogram *self, double limit[2]) {
  const char *unit;
  gantry_limits_get(self->display, limit, &unit);
}

static double place(GantryHistogram *self, double value, double width) {
  return MARGIN + (width - 2 * MARGIN) * (value - self->low) / (self->high - self->low);
}

static double value_at(GantryHistogram *self, double x, double width) {
  return self->low + (self->high - self->low) * (x - MARGIN) / fmax(width - 2 * MARGIN, 1);
}

/* They keep a thousandth of the range apart. */
static void move_limit(GantryHistogram *self, int which, double value) {
  gantry_limits_move(self->display, which, value, fmax((self->high - self->low) * 1e-3, 1e-12));
}

static ctgl_mode get_mode(GantryHistogram *self) {
  return gantry_display_get_mode(self->display);
}

/* What the bars have the colour of: the curve of A, of B or of their difference. */
static guint get_curve(GantryHistogram *self) {
  const ctgl_mode mode = get_mode(self);
  return ctgl_mode_tells_difference(mode) ? GANTRY_CURVE_DIFFERENCE
         : mode == CTGL_SHOW_B            ? GANTRY_CURVE_B
                                          : GANTRY_CURVE_A;
}

static char *title_text(GantryHistogram *self) {
  const ctgl_mode mode = get_mode(self);
  const gboolean both =
      !ctgl_mode_tells_difference(mode) && ctgl_mode_get(mode)->reads == (CTGL_READS_A | CTGL_READS_B);
  const char *unit;
  double limit[2];
  gantry_limits_get(self->display, limit, &unit);
  return gantry_plot_with_unit(both ? "A and B" : ctgl_mode_get(mode)->label, unit);
}

static double bar_height(double count, double most, double base) {
  return (base - 4) * log1p(count) / log1p(most);
}

/* Lines at 1, 10, 100 and so on, as far as they are apart. */
static void draw_counts(GantryHistogram *self, cairo_t *cr, const GantryPlotTheme *theme, double width, double base) {
  PangoContext *context = gtk_widget_get_pango_context(self->canvas);
  double w, h, last = base;
  gantry_plot_text_size(context, "0", &w, &h);
  for (gsize count = 1; count <= self->most; count *= 10) {
    const double y = floor(base - bar_height((double)count, (double)self->most, base)) + 0.5;
    if (last - y < 1.3 * h || y < 2 * h) continue; /* below the word "pixels" */
    g_autofree char *text = gantry_count_text((gint64)count);
    gdk_cairo_set_source_rgba(cr, &theme->grid);
    cairo_set_line_width(cr, 1);
    cairo_move_to(cr, MARGIN, y);
    cairo_line_to(cr, width - MARGIN, y);
    cairo_stroke(cr);
    gantry_plot_draw_text(cr, context, text, &theme->dim, MARGIN, y - h, 0);
    last = y;
  }
  gantry_plot_draw_text(cr, context, "pixels", &theme->dim, MARGIN, 0, 0);
}

static void draw_bars(GantryHistogram *self, cairo_t *cr, const GantryPlotTheme *theme, double width, double base) {
  double limit[2];
  get_limits(self, limit);
  const double bar = (width - 2 * MARGIN) / (double)self->count;
  for (int inside = 0; inside < 2; inside++) {
    for (gsize i = 0; i < self->count; i++) {
      const double middle = self->low + ((double)i + 0.5) * (self->high - self->low) / (double)self->count;
      if (!self->bins[i] || (middle >= limit[0] && middle <= limit[1]) != inside) continue;
      const double height = bar_height((double)self->bins[i], (double)self->most, base);
      cairo_rectangle(cr, MARGIN + (double)i * bar, base - height, fmax(bar, 1) + 0.3, height);
    }
    gdk_cairo_set_source_rgba(cr, &theme->curves[get_curve(self)]);
    cairo_push_group(cr);
    cairo_fill(cr);
    cairo_pop_group_to_source(cr);
    cairo_paint_with_alpha(cr, inside ? 0.95 : 0.35);
  }
}

/* Place on the colour map, 0 to 1, of what lies so far between the limits. */
static double colour_place(GantryHistogram *self, double t) {
  const ctgl_mode mode = get_mode(self);
  const gboolean logarithmic = gantry_display_get_logarithmic(self->display);
  if (!ctgl_mode_tells_difference(mode)) return t;
  if (ctgl_mode_is_symmetric(mode)) return (ctgl_scale_position(2 * t - 1, logarithmic) + 1) / 2;
  if (mode == CTGL_SHOW_SIMILARITY) return 1 - ctgl_scale_position(1 - t, logarithmic);
  return ctgl_scale_position(t, logarithmic);
}

static const ctgl_colour_map *get_map(GantryHistogram *self) {
  if (!ctgl_mode_is_symmetric(get_mode(self)))
    return ctgl_colour_map_find(gantry_display_get_colour_map(self->display));
  const ctgl_colour_map *map = ctgl_colour_map_find(gantry_display_get_diverging_map(self->display));
  return map ? map : ctgl_colour_map_find("blue-white-red");
}

static void draw_ramp(GantryHistogram *self, cairo_t *cr, double left, double right, double y, double width) {
  const ctgl_colour_map *map = get_map(self);
  cairo_pattern_t *ramp = cairo_pattern_create_linear(left, 0, right, 0);
  for (int i = 0; i < 256; i += 15) {
    double rgb[3];
    ctgl_colour_map_at(map, colour_place(self, i / 255.0), rgb);
    cairo_pattern_add_color_stop_rgb(ramp, i / 255.0, rgb[0], rgb[1], rgb[2]);
  }
  cairo_rectangle(cr, MARGIN, y, width - 2 * MARGIN, RAMP);
  cairo_set_source(cr, ramp);
  cairo_fill_preserve(cr);
  cairo_pattern_destroy(ramp);
  cairo_set_source_rgba(cr, 0.5, 0.5, 0.5, 0.5);
  cairo_set_line_width(cr, 1);
  cairo_stroke(cr);
}

static void draw_grip(cairo_t *cr, const GantryPlotTheme *theme, double x, double base, gboolean active) {
  gdk_cairo_set_source_rgba(cr, active ? &theme->mark : &theme->foreground);
  cairo_set_line_width(cr, active ? 2 : 1.4);
  cairo_move_to(cr, x, 2);
  cairo_line_to(cr, x, base + RAMP);
  cairo_stroke(cr);
  cairo_move_to(cr, x - GRIP / 2, 0);
  cairo_line_to(cr, x + GRIP / 2, 0);
  cairo_line_to(cr, x, GRIP);
  cairo_close_path(cr);
  cairo_fill(cr);
}

/* The title stands at the right end, in place of the numbers there. */
static void draw_ticks(GantryHistogram *self, cairo_t *cr, const GantryPlotTheme *theme, double width, double y) {
  PangoContext *context = gtk_widget_get_pango_context(self->canvas);
  GantryAxis axis;
  char text[64];
  double w, h, title_width;
  g_autofree char *title = title_text(self);
  gantry_plot_text_size(context, title, &title_width, &h);
  const double end = width - MARGIN - title_width;
  gantry_plot_draw_text(cr, context, title, &theme->foreground, width - MARGIN, y, 1);
  gantry_axis_fit(&axis, self->low, self->high, CLAMP((int)(width / 80), 2, 12), FALSE);
  for (int i = 0; i < axis.count; i++) {
    const double value = gantry_axis_tick(&axis, i);
    gantry_axis_format(&axis, value, text, sizeof text);
    gantry_plot_text_size(context, text, &w, &h);
    const double left = floor(fmax(place(self, value, width) - w / 2, 0));
    if (left + w + GANTRY_PLOT_GAP < end) gantry_plot_draw_text(cr, context, text, &theme->dim, left, y, 0);
  }
}

static void draw(GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer user) {
  GantryHistogram *self = user;
  GantryPlotTheme theme;
  double limit[2], text_height;
  gantry_plot_theme(&theme, adw_style_manager_get_dark(adw_style_manager_get_default()));
  if (!self->count) {
    PangoLayout *layout =
        gtk_widget_create_pango_layout(self->canvas, "The histogram of the shown slices appears here.");
    PangoRectangle box;
    pango_layout_get_pixel_extents(layout, NULL, &box);
    gdk_cairo_set_source_rgba(cr, &theme.dim);
    cairo_move_to(cr, floor((width - box.width) / 2.0), floor((height - box.height) / 2.0));
    pango_cairo_show_layout(cr, layout);
    g_object_unref(layout);
    return;
  }
  PangoLayout *probe = gtk_widget_create_pango_layout(self->canvas, "0");
  PangoRectangle box;
  pango_layout_get_pixel_extents(probe, NULL, &box);
  g_object_unref(probe);
  text_height = box.height;
  const double base = height - RAMP - text_height - 6;
  get_limits(self, limit);
  draw_counts(self, cr, &theme, width, base);
  draw_bars(self, cr, &theme, width, base);
  draw_ramp(self, cr, place(self, limit[0], width), place(self, limit[1], width), base, width);
  draw_ticks(self, cr, &theme, width, base + RAMP + 4);
  const gboolean focused = gtk_widget_has_focus(self->canvas) || self->dragging;
  for (int i = 0; i < 2; i++) {
    if (!gantry_limits_can_move(self->display, i)) continue;
    draw_grip(cr, &theme, CLAMP(place(self, limit[i], width), MARGIN / 2, width - MARGIN / 2), base,
              focused && self->active == i);
  }
}

static int nearest_limit(GantryHistogram *self, double x) {
  double limit[2];
  const double width = gtk_widget_get_width(self->canvas);
  get_limits(self, limit);
  for (int i = 0; i < 2; i++)
    if (!gantry_limits_can_move(self->display, i)) return !i;
  const double low = place(self, limit[0], width), high = place(self, limit[1], width);
  if (fabs(low - high) < 2) return x > high;
  return fabs(x - high) < fabs(x - low);
}

static void drag_begin(GtkGestureDrag *gesture, double x, double y, gpointer user) {
  GantryHistogram *self = user;
  if (!self->count) return;
  self->dragging = TRUE;
  self->active = nearest_limit(self, x);
  gtk_widget_grab_focus(self->canvas);
  move_limit(self, self->active, value_at(self, x, gtk_widget_get_width(self->canvas)));
}

static void drag_update(GtkGestureDrag *gesture, double dx, double dy, gpointer user) {
  GantryHistogram *self = user;
  double x, y;
  if (!self->dragging || !gtk_gesture_drag_get_start_point(gesture, &x, &y)) return;
  move_limit(self, self->active, value_at(self, x + dx, gtk_widget_get_width(self->canvas)));
}

static void drag_end(GtkGestureDrag *gesture, double dx, double dy, gpointer user) {
  GantryHistogram *self = user;
  self->dragging = FALSE;
  gtk_widget_queue_draw(self->canvas);
}

static gboolean key_pressed(GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state,
                            gpointer user) {
  GantryHistogram *self = user;
  double limit[2];
  if (!self->count) return FALSE;
  get_limits(self, limit);
  const double step = (self->high - self->low) / (state & GDK_SHIFT_MASK ? 20 : 200);
  switch (key) {
  case GDK_KEY_Up:
  case GDK_KEY_Down:
    self->active = !self->active;
    break;
  case GDK_KEY_Left:
    move_limit(self, self->active, limit[self->active] - step);
    break;
  case GDK_KEY_Right:
    move_limit(self, self->active, limit[self->active] + step);
    break;
  default:
    return FALSE;
  }
  gtk_widget_queue_draw(self->canvas);
  return TRUE;
}

static void name_limits(GantryHistogram *self, const char *unit) {
  static const char *const names[2][2] = {{"Black", "White"}, {"From", "To"}};
  static const char *const tips[2][2] = {
      {"Value shown black", "Value shown white"},
      {"Difference at the lower end of the colours", "Difference at their upper end"}};
  const int difference = ctgl_mode_tells_difference(get_mode(self));
  for (int i = 0; i < 2; i++) {
    g_autofree char *name = g_strdup_printf("%s limit", names[difference][i]);
    gtk_label_set_text(self->title[i], names[difference][i]);
    gantry_tips_set(GTK_WIDGET(self->limit[i]), tips[difference][i]);
    gtk_widget_set_sensitive(GTK_WIDGET(self->limit[i]), gantry_limits_can_move(self->display, i));
    gtk_accessible_update_property(GTK_ACCESSIBLE(self->limit[i]), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  }
  gtk_label_set_text(GTK_LABEL(self->unit), unit);
}

static void describe(GantryHistogram *self, const double limit[2], const char *unit) {
  const double range = limit[1] - limit[0];
  const gboolean difference = ctgl_mode_tells_difference(get_mode(self));
  g_autofree char *low = gantry_scale_end_text(limit[0], range, unit);
  g_autofree char *high = gantry_scale_end_text(limit[1], range, unit), *title = title_text(self);
  g_autofree char *text = difference ? g_strdup_printf("%s: colours from %s to %s", title, low, high)
                                     : g_strdup_printf("%s: black at %s, white at %s; the keyboard moves %s", title,
                                                       low, high, self->active ? "white" : "black");
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->canvas), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text, -1);
}

static void display_changed(GantryHistogram *self) {
  const char *unit;
  double limit[2];
  gantry_limits_get(self->display, limit, &unit);
  self->updating = TRUE;
  for (int i = 0; i < 2; i++) {
    if (fabs(gtk_spin_button_get_value(self->limit[i]) - limit[i]) > 1e-12)
      gtk_spin_button_set_value(self->limit[i], limit[i]);
  }
  self->updating = FALSE;
  name_limits(self, unit);
  describe(self, limit, unit);
  gtk_widget_queue_draw(self->canvas);
}

static void limit_typed(GtkSpinButton *button, GantryHistogram *self) {
  if (self->updating) return;
  const int which = button == self->limit[1];
  move_limit(self, which, gtk_spin_button_get_value(button));
  display_changed(self);
}

static void gantry_histogram_dispose(GObject *object) {
  GantryHistogram *self = GANTRY_HISTOGRAM(object);
  GtkWidget *child;
  while ((child = gtk_widget_get_first_child(GTK_WIDGET(self)))) gtk_widget_unparent(child);
  g_clear_object(&self->display);
  G_OBJECT_CLASS(gantry_histogram_parent_class)->dispose(object);
}

static void gantry_histogram_finalize(GObject *object) {
  g_free(GANTRY_HISTOGRAM(object)->bins);
  G_OBJECT_CLASS(gantry_histogram_parent_class)->finalize(object);
}

static void gantry_histogram_class_init(GantryHistogramClass *class) {
  G_OBJECT_CLASS(class)->dispose = gantry_histogram_dispose;
  G_OBJECT_CLASS(class)->finalize = gantry_histogram_finalize;
  gtk_widget_class_set_layout_manager_type(GTK_WIDGET_CLASS(class), GTK_TYPE_BOX_LAYOUT);
  gtk_widget_class_set_css_name(GTK_WIDGET_CLASS(class), "histogram");
}

static GtkWidget *make_canvas(GantryHistogram *self) {
  GtkWidget *canvas = g_object_new(GTK_TYPE_DRAWING_AREA, "accessible-role", GTK_ACCESSIBLE_ROLE_IMG, NULL);
  gtk_drawing_area_set_draw_func(GTK_DRAWING_AREA(canvas), draw, self, NULL);
  gtk_widget_set_focusable(canvas, TRUE);
  gtk_widget_set_hexpand(canvas, TRUE);
  gtk_widget_set_vexpand(canvas, TRUE);
  gtk_widget_set_size_request(canvas, 160, 70);
  gtk_widget_add_css_class(canvas, "caption");
  gtk_widget_add_css_class(canvas, "numeric");
  gtk_widget_set_cursor_from_name(canvas, "ew-resize");
  gtk_accessible_update_property(GTK_ACCESSIBLE(canvas), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                 "Histogram of the shown slices, with the limits of the grey window", -1);
  GtkGesture *drag = gtk_gesture_drag_new();
  g_signal_connect(drag, "drag-begin", G_CALLBACK(drag_begin), self);
  g_signal_connect(drag, "drag-update", G_CALLBACK(drag_update), self);
  g_signal_connect(drag, "drag-end", G_CALLBACK(drag_end), self);
  gtk_widget_add_controller(canvas, GTK_EVENT_CONTROLLER(drag));
  GtkEventController *keys = gtk_event_controller_key_new();
  g_signal_connect(keys, "key-pressed", G_CALLBACK(key_pressed), self);
  gtk_widget_add_controller(canvas, keys);
  g_signal_connect_swapped(canvas, "notify::has-focus", G_CALLBACK(gtk_widget_queue_draw), canvas);
  return canvas;
}

static void add_limit(GantryHistogram *self, GtkWidget *row, int which) {
  GtkWidget *label = gtk_label_new(NULL);
  gantry_tips_set(label, "Drag the limits in the histogram: values at the left one are shown black, at the "
                         "right one white; of a difference they are the ends of its colours. With the "
                         "keyboard, Up and Down choose a limit, Left and Right move it.");
  GtkWidget *button = gtk_spin_button_new_with_range(-1e6, 1e6, 0.001);
  gtk_spin_button_set_digits(GTK_SPIN_BUTTON(button), 4);
  gantry_spin_take_minus(GTK_SPIN_BUTTON(button));
  gtk_editable_set_width_chars(GTK_EDITABLE(button), 10);
  gtk_widget_add_css_class(button, "compact");
  g_signal_connect(button, "value-changed", G_CALLBACK(limit_typed), self);
  gtk_box_append(GTK_BOX(row), label);
  gtk_box_append(GTK_BOX(row), button);
  self->limit[which] = GTK_SPIN_BUTTON(button);
  self->title[which] = GTK_LABEL(label);
}

static void gantry_histogram_init(GantryHistogram *self) {
  GtkBoxLayout *layout = GTK_BOX_LAYOUT(gtk_widget_get_layout_manager(GTK_WIDGET(self)));
  gtk_orientable_set_orientation(GTK_ORIENTABLE(layout), GTK_ORIENTATION_VERTICAL);
  gtk_box_layout_set_spacing(layout, 6);
  self->high = 1;
  self->canvas = make_canvas(self);
  gtk_widget_set_parent(self->canvas, GTK_WIDGET(self));
  GtkWidget *row = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 8);
  gtk_widget_set_margin_start(row, (int)MARGIN);
  add_limit(self, row, 0);
  add_limit(self, row, 1);
  self->unit = gtk_label_new("1/mm");
  gtk_widget_add_css_class(self->unit, "dim-label");
  gtk_box_append(GTK_BOX(row), self->unit);
  GtkWidget *automatic = gtk_button_new_with_label("Fit Grey Window");
  gtk_actionable_set_action_name(GTK_ACTIONABLE(automatic), "win.auto-window");
  gantry_tips_set(automatic, "Set the limits so that 0.1 % of the shown values lie below and 0.1 % above them, streaks "
                             "left out; of a difference, fit its scale (Alt+W)");
  gtk_box_append(GTK_BOX(row), automatic);
  gtk_widget_set_parent(row, GTK_WIDGET(self));
  g_signal_connect_object(adw_style_manager_get_default(), "notify::dark", G_CALLBACK(gtk_widget_queue_draw),
                          self->canvas, G_CONNECT_SWAPPED);
}

GtkWidget *gantry_histogram_new(GantryDisplay *display) {
  GantryHistogram *self = g_object_new(GANTRY_TYPE_HISTOGRAM, NULL);
  self->display = g_object_ref(display);
  g_signal_connect_object(display, "changed", G_CALLBACK(display_changed), self, G_CONNECT_SWAPPED);
  display_changed(self);
  return GTK_WIDGET(self);
}

void gantry_histogram_set_bins(GantryHistogram *self, double low, double high, const gsize *bins, gsize count) {
  g_free(self->bins);
  self->bins = count ? g_memdup2(bins, count * sizeof *bins) : NULL;
  self->count = count;
  self->most = 1;
  for (gsize i = 0; i < count; i++) self->most = MAX(self->most, bins[i]);
  if (high > low) self->low = low, self->high = high;
  const double range = self->high - self->low;
  const int digits = CLAMP((int)ceil(3 - log10(range)), 0, 8);
  self->updating = TRUE;
  for (int i = 0; i < 2; i++) {
    gtk_spin_button_set_digits(self->limit[i], (guint)digits);
    gtk_spin_button_set_increments(self->limit[i], pow(10, -digits + 1), pow(10, -digits + 2));
  }
  self->updating = FALSE;
  display_changed(self);
}

const gsize *gantry_histogram_get_bins(GantryHistogram *self, double *low, double *high, gsize *count) {
  *low = self->low;
  *high = self->high;
  *count = self->count;
  return self->bins;
}
