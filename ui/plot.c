/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The plot widget: data, pointer and keyboard cursor. The drawing is in plot-draw.c, CSV and pictures in plot-files.c.
 */
#include "ui/plot-private.h"

#include <adwaita.h>
#include <math.h>

struct _GantryPlot {
  GtkWidget parent_instance;
  GantryPlotData data;
};

G_DEFINE_TYPE(GantryPlot, gantry_plot, GTK_TYPE_WIDGET)

enum { CLICKED, CURSOR_MOVED, SIGNALS };
static guint signals[SIGNALS];

static void clear_curve(GantryCurveData *curve) {
  g_clear_pointer(&curve->title, g_free);
  g_clear_pointer(&curve->x, g_free);
  g_clear_pointer(&curve->y, g_free);
  curve->count = 0;
}

static void layout(GantryPlot *self, GantryPlotFrame *frame) {
  gantry_plot_layout(&self->data, gtk_widget_get_pango_context(GTK_WIDGET(self)),
                     gtk_widget_get_width(GTK_WIDGET(self)), gtk_widget_get_height(GTK_WIDGET(self)), frame);
}

/* The same values that the readout shows, for screen readers. */
static void describe(GantryPlot *self) {
  g_autoptr(GString) text = g_string_new(NULL);
  for (int c = 0; c < GANTRY_CURVES; c++) {
    const GantryCurveData *curve = &self->data.curves[c];
    if (!curve->count) continue;
    if (text->len) g_string_append(text, "; ");
    if (isfinite(self->data.cursor)) {
      g_string_append_printf(text, "%s %.4g %s", curve->title, gantry_curve_value(curve, self->data.cursor),
                             self->data.y_unit ? self->data.y_unit : "");
    } else {
      g_string_append_printf(text, "%s, %" G_GSIZE_FORMAT " points", curve->title, curve->count);
    }
  }
  if (isfinite(self->data.cursor)) {
    g_string_append_printf(text, " at %.5g %s", self->data.cursor, self->data.x_unit ? self->data.x_unit : "");
  }
  if (!text->len && self->data.empty_text) g_string_append(text, self->data.empty_text);
  gtk_accessible_update_property(GTK_ACCESSIBLE(self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text->str, -1);
}

static void set_cursor(GantryPlot *self, double x) {
  if (self->data.x_scale == GANTRY_SCALE_WHOLE) x = round(x);
  if (x == self->data.cursor || (isnan(x) && isnan(self->data.cursor))) return;
  self->data.cursor = x;
  describe(self);
  g_signal_emit(self, signals[CURSOR_MOVED], 0, x);
  gtk_widget_queue_draw(GTK_WIDGET(self));
}

static void gantry_plot_snapshot(GtkWidget *widget, GtkSnapshot *snapshot) {
  GantryPlot *self = GANTRY_PLOT(widget);
  const int width = gtk_widget_get_width(widget), height = gtk_widget_get_height(widget);
  GantryPlotTheme theme;
  gantry_plot_theme(&theme, adw_style_manager_get_dark(adw_style_manager_get_default()));
  cairo_t *cr = gtk_snapshot_append_cairo(snapshot, &GRAPHENE_RECT_INIT(0, 0, (float)width, (float)height));
  gantry_plot_draw(&self->data, &theme, gtk_widget_get_pango_context(widget), cr, width, height);
  cairo_destroy(cr);
}

static void gantry_plot_measure(GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                                int *minimum_baseline, int *natural_baseline) {
  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? 160 : 96;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 320 : 150;
}

static void motion(GtkEventControllerMotion *controller, double x, double y, gpointer user) {
  GantryPlot *self = user;
  GantryPlotFrame frame;
  layout(self, &frame);
  const double place = (x - frame.left) / frame.width;
  set_cursor(self,
             frame.empty || place < -0.02 || place > 1.02 ? NAN : gantry_axis_value(&frame.x, CLAMP(place, 0, 1)));
}

static void leave(GtkEventControllerMotion *controller, gpointer user) {
  set_cursor(user, NAN);
}

static void released(GtkGestureClick *gesture, int presses, double x, double y, gpointer user) {
  GantryPlot *self = user;
  GantryPlotFrame frame;
  layout(self, &frame);
  const double place = (x - frame.left) / frame.width;
  gtk_widget_grab_focus(GTK_WIDGET(self));
  if (!frame.empty && place >= 0 && place <= 1)
    g_signal_emit(self, signals[CLICKED], 0, gantry_axis_value(&frame.x, place));
}

static gboolean key_pressed(GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state,
                            gpointer user) {
  GantryPlot *self = user;
  GantryPlotFrame frame;
  layout(self, &frame);
  if (frame.empty) return FALSE;
  const double cursor = isfinite(self->data.cursor) ? self->data.cursor : (frame.x.low + frame.x.high) / 2;
  double step = (frame.x.high - frame.x.low) / (state & GDK_SHIFT_MASK ? 20 : 200);
  if (self->data.x_scale == GANTRY_SCALE_WHOLE) step = fmax(round(step), 1);
  switch (key) {
  case GDK_KEY_Left:
    set_cursor(self, fmax(cursor - step, frame.x.low));
    return TRUE;
  case GDK_KEY_Right:
    set_cursor(self, fmin(cursor + step, frame.x.high));
    return TRUE;
  case GDK_KEY_Home:
    set_cursor(self, frame.x.low);
    return TRUE;
  case GDK_KEY_End:
    set_cursor(self, frame.x.high);
    return TRUE;
  case GDK_KEY_Return:
  case GDK_KEY_KP_Enter:
  case GDK_KEY_space:
    g_signal_emit(self, signals[CLICKED], 0, cursor);
    return TRUE;
  default:
    return FALSE;
  }
}

static void gantry_plot_finalize(GObject *object) {
  GantryPlot *self = GANTRY_PLOT(object);
  for (int c = 0; c < GANTRY_CURVES; c++) clear_curve(&self->data.curves[c]);
  g_free(self->data.x_title);
  g_free(self->data.x_unit);
  g_free(self->data.y_title);
  g_free(self->data.y_unit);
  g_free(self->data.mark_label);
  g_free(self->data.empty_text);
  G_OBJECT_CLASS(gantry_plot_parent_class)->finalize(object);
}

static void gantry_plot_class_init(GantryPlotClass *class) {
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);
  G_OBJECT_CLASS(class)->finalize = gantry_plot_finalize;
  widget_class->snapshot = gantry_plot_snapshot;
  widget_class->measure = gantry_plot_measure;
  signals[CLICKED] =
      g_signal_new("clicked", GANTRY_TYPE_PLOT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_DOUBLE);
  signals[CURSOR_MOVED] = g_signal_new("cursor-moved", GANTRY_TYPE_PLOT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                       G_TYPE_NONE, 1, G_TYPE_DOUBLE);
  gtk_widget_class_set_css_name(widget_class, "plot");
  gtk_widget_class_set_accessible_role(widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void gantry_plot_init(GantryPlot *self) {
  GtkWidget *widget = GTK_WIDGET(self);
  self->data.mark = self->data.cursor = self->data.extent[0] = self->data.extent[1] = NAN;
  self->data.legend = TRUE;
  gtk_widget_set_focusable(widget, TRUE);
  gtk_widget_set_overflow(widget, GTK_OVERFLOW_HIDDEN);
  GtkEventController *pointer = gtk_event_controller_motion_new();
  g_signal_connect(pointer, "motion", G_CALLBACK(motion), self);
  g_signal_connect(pointer, "leave", G_CALLBACK(leave), self);
  gtk_widget_add_controller(widget, pointer);
  GtkGesture *click = gtk_gesture_click_new();
  g_signal_connect(click, "released", G_CALLBACK(released), self);
  gtk_widget_add_controller(widget, GTK_EVENT_CONTROLLER(click));
  GtkEventController *keys = gtk_event_controller_key_new();
  g_signal_connect(keys, "key-pressed", G_CALLBACK(key_pressed), self);
  gtk_widget_add_controller(widget, keys);
  g_signal_connect_object(adw_style_manager_get_default(), "notify::dark", G_CALLBACK(gtk_widget_queue_draw), self,
                          G_CONNECT_SWAPPED);
  gtk_accessible_update_property(GTK_ACCESSIBLE(self), GTK_ACCESSIBLE_PROPERTY_LABEL, "Plot", -1);
}

GtkWidget *gantry_plot_new(void) {
  return g_object_new(GANTRY_TYPE_PLOT, NULL);
}

static void set_text(char **field, const char *text) {
  char *copy = g_strdup(text);
  g_free(*field);
  *field = copy;
}

void gantry_plot_set_axes(GantryPlot *self, const char *x_title, const char *x_unit, const char *y_title,
                          const char *y_unit) {
  set_text(&self->data.x_title, x_title);
  set_text(&self->data.x_unit, x_unit);
  set_text(&self->data.y_title, y_title);
  set_text(&self->data.y_unit, y_unit);
  g_autofree char *label =
      g_strdup_printf("Plot of %s against %s", y_title ? y_title : "values", x_title ? x_title : "position");
  gtk_accessible_update_property(GTK_ACCESSIBLE(self), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  gtk_widget_queue_draw(GTK_WIDGET(self));
}

void gantry_plot_set_scales(GantryPlot *self, GantryScale x, GantryScale y) {
  self->data.x_scale = x, self->data.y_scale = y;
  gtk_widget_queue_draw(GTK_WIDGET(self));
}

void gantry_plot_set_extent(GantryPlot *self, double low, double high) {
  self->data.extent[0] = low, self->data.extent[1] = high;
  gtk_widget_queue_draw(GTK_WIDGET(self));
}

void gantry_plot_set_legend(GantryPlot *self, gboolean legend) {
  self->data.legend = legend;
  gtk_widget_queue_draw(GTK_WIDGET(self));
}

void gantry_plot_clear(GantryPlot *self) {
  for (int c = 0; c < GANTRY_CURVES; c++) clear_curve(&self->data.curves[c]);
  describe(self);
  gtk_widget_queue_draw(GTK_WIDGET(self));
}

void gantry_plot_set_curve(GantryPlot *self, guint number, const char *title, const double *x, const double *y,
                           gsize count) {
  g_return_if_fail(number < GANTRY_CURVES);
  GantryCurveData *curve = &self->data.curves[number];
  clear_curve(curve);
  if (count) {
    curve->title = g_strdup(title ? title : "");
    curve->x = g_memdup2(x, count * sizeof *x);
    curve->y = g_memdup2(y, count * sizeof *y);
    curve->count = count;
  }
  describe(self);
  gtk_widget_queue_draw(GTK_WIDGET(self));
}

void gantry_plot_set_mark(GantryPlot *self, double x, const char *label) {
  self->data.mark = x;
  set_text(&self->data.mark_label, label);
  gtk_widget_queue_draw(GTK_WIDGET(self));
}

void gantry_plot_set_empty_text(GantryPlot *self, const char *text) {
  set_text(&self->data.empty_text, text);
  describe(self);
  gtk_widget_queue_draw(GTK_WIDGET(self));
}

const GantryPlotData *gantry_plot_get_data(GantryPlot *self) {
  return &self->data;
}

static void draw_swatch(GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer curve) {
  GantryPlotTheme theme;
  gantry_plot_theme(&theme, adw_style_manager_get_dark(adw_style_manager_get_default()));
  gantry_plot_set_pen(&theme, GPOINTER_TO_UINT(curve), cr);
  cairo_set_line_width(cr, 2.4);
  cairo_move_to(cr, 0, floor(height / 2.0) + 0.5);
  cairo_line_to(cr, width, floor(height / 2.0) + 0.5);
  cairo_stroke(cr);
}

GtkWidget *gantry_plot_swatch_new(guint curve) {
  GtkWidget *area = gtk_drawing_area_new();
  gtk_drawing_area_set_content_width(GTK_DRAWING_AREA(area), 16);
  gtk_drawing_area_set_content_height(GTK_DRAWING_AREA(area), 9);
  gtk_drawing_area_set_draw_func(GTK_DRAWING_AREA(area), draw_swatch, GUINT_TO_POINTER(curve), NULL);
  gtk_widget_set_valign(area, GTK_ALIGN_CENTER);
  gtk_accessible_update_property(GTK_ACCESSIBLE(area), GTK_ACCESSIBLE_PROPERTY_LABEL, "Colour of the curve", -1);
  g_signal_connect_object(adw_style_manager_get_default(), "notify::dark", G_CALLBACK(gtk_widget_queue_draw), area,
                          G_CONNECT_SWAPPED);
  return area;
}
