/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The plot widget: its data and what it tells of them. The pointer is in pointer.c, the drawing in draw.c, tables and
 * pictures in files.c. */
#include "ui/plot/plot-private.h"

#include "ui/tips.h"

#include <adwaita.h>
#include <math.h>

G_DEFINE_TYPE(GantryPlot, gantry_plot, GTK_TYPE_WIDGET)

enum { CLICKED, CURSOR_MOVED, SIGNALS };
static guint signals[SIGNALS];

static void clear_curve(GantryCurveData *curve) {
  g_clear_pointer(&curve->title, g_free);
  g_clear_pointer(&curve->x, g_free);
  g_clear_pointer(&curve->y, g_free);
  curve->count = 0;
}

void gantry_plot_find_frame(GantryPlot *self, GantryPlotFrame *frame) {
  gantry_plot_layout(&self->data, NULL, gtk_widget_get_pango_context(GTK_WIDGET(self)),
                     gtk_widget_get_width(GTK_WIDGET(self)), gtk_widget_get_height(GTK_WIDGET(self)), frame);
}

static void describe_curve(GantryPlot *self, const GantryPanelData *panel, int number, GString *text) {
  const GantryCurveData *curve = &panel->curves[number];
  if (!curve->count) return;
  if (text->len) g_string_append(text, "; ");
  if (isfinite(self->data.cursor))
    g_string_append_printf(text, "%s %.4g %s", curve->title, gantry_curve_value(curve, self->data.cursor),
                           panel->unit ? panel->unit : "");
  else
    g_string_append_printf(text, "%s, %" G_GSIZE_FORMAT " points", curve->title, curve->count);
}

/* The same values that the readout shows, for screen readers. */
static void describe(GantryPlot *self) {
  g_autoptr(GString) text = g_string_new(NULL);
  for (int p = 0; p < GANTRY_PANELS; p++)
    for (int c = 0; c < GANTRY_CURVES; c++) describe_curve(self, &self->data.panels[p], c, text);
  const char *unit = self->data.x_unit ? self->data.x_unit : "";
  if (isfinite(self->data.cursor)) g_string_append_printf(text, " at %.5g %s", self->data.cursor, unit);
  if (self->data.shown[0] < self->data.shown[1])
    g_string_append_printf(text, "; shown from %.5g to %.5g %s", self->data.shown[0], self->data.shown[1], unit);
  if (!text->len && self->data.empty_text) g_string_append(text, self->data.empty_text);
  gtk_accessible_update_property(GTK_ACCESSIBLE(self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text->str, -1);
}

void gantry_plot_set_cursor(GantryPlot *self, double x) {
  if (self->data.x_scale == GANTRY_SCALE_WHOLE) x = round(x);
  if (x == self->data.cursor || (isnan(x) && isnan(self->data.cursor))) return;
  self->data.cursor = x;
  describe(self);
  g_signal_emit(self, signals[CURSOR_MOVED], 0, x);
  gtk_widget_queue_draw(GTK_WIDGET(self));
}

void gantry_plot_emit_clicked(GantryPlot *self, double x) {
  g_signal_emit(self, signals[CLICKED], 0, x);
}

void gantry_plot_shown_changed(GantryPlot *self) {
  const gboolean zoomed = gantry_plot_is_zoomed(&self->data);
  gtk_widget_set_visible(self->show_all, zoomed);
  gtk_widget_action_set_enabled(GTK_WIDGET(self), "plot.show-all", zoomed);
  describe(self);
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
  gtk_widget_snapshot_child(widget, self->show_all, snapshot);
}

/* The button stands in the upper right corner of the frame. */
static void gantry_plot_size_allocate(GtkWidget *widget, int width, int height, int baseline) {
  GantryPlot *self = GANTRY_PLOT(widget);
  GantryPlotFrame frame;
  int button[2];
  gtk_widget_measure(self->show_all, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &button[0], NULL, NULL);
  gtk_widget_measure(self->show_all, GTK_ORIENTATION_VERTICAL, -1, NULL, &button[1], NULL, NULL);
  gantry_plot_layout(&self->data, NULL, gtk_widget_get_pango_context(widget), width, height, &frame);
  const GtkAllocation place = {MAX((int)(frame.left + frame.width) - button[0] - 2, 0), (int)frame.panel[0].top + 2,
                               button[0], button[1]};
  gtk_widget_size_allocate(self->show_all, &place, -1);
  if (self->menu) gtk_popover_present(GTK_POPOVER(self->menu));
}

static void gantry_plot_measure(GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum, int *natural,
                                int *minimum_baseline, int *natural_baseline) {
  *minimum = orientation == GTK_ORIENTATION_HORIZONTAL ? 160 : 96;
  *natural = orientation == GTK_ORIENTATION_HORIZONTAL ? 320 : 150;
}

static void gantry_plot_dispose(GObject *object) {
  GantryPlot *self = GANTRY_PLOT(object);
  g_clear_pointer(&self->show_all, gtk_widget_unparent);
  g_clear_pointer(&self->menu, gtk_widget_unparent);
  g_clear_object(&self->commands);
  G_OBJECT_CLASS(gantry_plot_parent_class)->dispose(object);
}

static void gantry_plot_finalize(GObject *object) {
  GantryPlot *self = GANTRY_PLOT(object);
  for (int p = 0; p < GANTRY_PANELS; p++) {
    for (int c = 0; c < GANTRY_CURVES; c++) clear_curve(&self->data.panels[p].curves[c]);
    g_free(self->data.panels[p].title);
    g_free(self->data.panels[p].unit);
  }
  g_free(self->data.x_title);
  g_free(self->data.x_unit);
  g_free(self->data.mark_label);
  g_free(self->data.empty_text);
  G_OBJECT_CLASS(gantry_plot_parent_class)->finalize(object);
}

static void gantry_plot_class_init(GantryPlotClass *class) {
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);
  G_OBJECT_CLASS(class)->dispose = gantry_plot_dispose;
  G_OBJECT_CLASS(class)->finalize = gantry_plot_finalize;
  widget_class->size_allocate = gantry_plot_size_allocate;
  widget_class->snapshot = gantry_plot_snapshot;
  widget_class->measure = gantry_plot_measure;
  signals[CLICKED] =
      g_signal_new("clicked", GANTRY_TYPE_PLOT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_DOUBLE);
  signals[CURSOR_MOVED] = g_signal_new("cursor-moved", GANTRY_TYPE_PLOT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                       G_TYPE_NONE, 1, G_TYPE_DOUBLE);
  g_signal_new("mark-dragged", GANTRY_TYPE_PLOT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_DOUBLE);
  gantry_plot_install_actions(widget_class);
  gtk_widget_class_set_css_name(widget_class, "plot");
  gtk_widget_class_set_accessible_role(widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static GtkWidget *make_show_all(void) {
  GtkWidget *button = gtk_button_new_from_icon_name("zoom-fit-best-symbolic");
  gtk_actionable_set_action_name(GTK_ACTIONABLE(button), "plot.show-all");
  gtk_widget_add_css_class(button, "flat");
  gtk_widget_add_css_class(button, "tiny");
  gantry_tips_set(button, "Show the whole plot again (Home, or a double click)");
  gtk_accessible_update_property(GTK_ACCESSIBLE(button), GTK_ACCESSIBLE_PROPERTY_LABEL, "Show the whole plot", -1);
  gtk_widget_set_visible(button, FALSE);
  return button;
}

static void gantry_plot_init(GantryPlot *self) {
  GtkWidget *widget = GTK_WIDGET(self);
  self->data.mark = self->data.cursor = self->data.extent[0] = self->data.extent[1] = NAN;
  self->data.legend = TRUE;
  gantry_plot_show_all(&self->data);
  self->show_all = make_show_all();
  gtk_widget_set_parent(self->show_all, widget);
  gtk_widget_action_set_enabled(widget, "plot.show-all", FALSE);
  gtk_widget_set_focusable(widget, TRUE);
  gtk_widget_set_overflow(widget, GTK_OVERFLOW_HIDDEN);
  gantry_plot_add_controllers(self);
  g_signal_connect_object(adw_style_manager_get_default(), "notify::dark", G_CALLBACK(gtk_widget_queue_draw), self,
                          G_CONNECT_SWAPPED);
  gtk_accessible_update_property(GTK_ACCESSIBLE(self), GTK_ACCESSIBLE_PROPERTY_LABEL, "Plot", -1);
}

GtkWidget *gantry_plot_new(void) {
  return g_object_new(GANTRY_TYPE_PLOT, NULL);
}

/* TRUE: it was another one. */
static gboolean set_text(char **field, const char *text) {
  if (g_strcmp0(*field, text) == 0) return FALSE;
  char *copy = g_strdup(text);
  g_free(*field);
  *field = copy;
  return TRUE;
}

/* What was zoomed to is a part of other curves. */
static void forget_zoom(GantryPlot *self) {
  gantry_plot_show_all(&self->data);
  gantry_plot_shown_changed(self);
}

void gantry_plot_set_axes(GantryPlot *self, const char *x_title, const char *x_unit, const char *y_title,
                          const char *y_unit) {
  GantryPanelData *upper = &self->data.panels[GANTRY_PANEL_UPPER];
  const gboolean x = set_text(&self->data.x_title, x_title) | set_text(&self->data.x_unit, x_unit);
  const gboolean y = set_text(&upper->title, y_title) | set_text(&upper->unit, y_unit);
  if (!x && !y) return;
  g_autofree char *label =
      g_strdup_printf("Plot of %s against %s", y_title ? y_title : "values", x_title ? x_title : "position");
  gtk_accessible_update_property(GTK_ACCESSIBLE(self), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  forget_zoom(self);
}

void gantry_plot_set_scales(GantryPlot *self, GantryScale x, GantryScale y) {
  if (self->data.x_scale == x && self->data.panels[GANTRY_PANEL_UPPER].scale == y) return;
  self->data.x_scale = x, self->data.panels[GANTRY_PANEL_UPPER].scale = y;
  forget_zoom(self);
}

void gantry_plot_set_lower(GantryPlot *self, const char *title, const char *unit, GantryScale scale,
                           gboolean symmetric) {
  GantryPanelData *lower = &self->data.panels[GANTRY_PANEL_LOWER];
  const gboolean named = set_text(&lower->title, title) | set_text(&lower->unit, unit);
  if (!named && lower->scale == scale && lower->symmetric == symmetric) return;
  lower->scale = scale;
  lower->symmetric = symmetric;
  lower->shown[0] = lower->shown[1] = NAN;
  gantry_plot_shown_changed(self);
}

void gantry_plot_set_extent(GantryPlot *self, double low, double high) {
  self->data.extent[0] = low, self->data.extent[1] = high;
  gtk_widget_queue_draw(GTK_WIDGET(self));
}

void gantry_plot_set_legend(GantryPlot *self, gboolean legend) {
  self->data.legend = legend;
  gtk_widget_queue_draw(GTK_WIDGET(self));
}

void gantry_plot_set_commands(GantryPlot *self, GMenuModel *commands) {
  g_set_object(&self->commands, commands);
}

void gantry_plot_clear(GantryPlot *self) {
  for (int p = 0; p < GANTRY_PANELS; p++)
    for (int c = 0; c < GANTRY_CURVES; c++) clear_curve(&self->data.panels[p].curves[c]);
  describe(self);
  gtk_widget_queue_draw(GTK_WIDGET(self));
}

gboolean gantry_plot_has_curves(GantryPlot *self) {
  for (int p = 0; p < GANTRY_PANELS; p++)
    for (int c = 0; c < GANTRY_CURVES; c++)
      if (self->data.panels[p].curves[c].count) return TRUE;
  return FALSE;
}

void gantry_plot_set_panel_curve(GantryPlot *self, GantryPanel panel, guint number, const char *title, const double *x,
                                 const double *y, gsize count) {
  g_return_if_fail(number < GANTRY_CURVES && panel < GANTRY_PANELS);
  GantryCurveData *curve = &self->data.panels[panel].curves[number];
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

void gantry_plot_set_curve(GantryPlot *self, guint curve, const char *title, const double *x, const double *y,
                           gsize count) {
  gantry_plot_set_panel_curve(self, GANTRY_PANEL_UPPER, curve, title, x, y, count);
}

void gantry_plot_set_style(GantryPlot *self, guint curve, GantryCurveStyle style) {
  g_return_if_fail(curve < GANTRY_CURVES);
  for (int p = 0; p < GANTRY_PANELS; p++) self->data.panels[p].curves[curve].style = style;
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
