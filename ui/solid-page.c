/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Histogram on the left, the six sides of the clip box on the right. The threshold is dragged in the histogram, or set
 * by its slider. */
#include "ui/solid-page.h"

#include "ui/number-text.h"
#include "ui/plot/axis.h"
#include "ui/plot/plot-private.h"
#include "ui/tips.h"

#include <adwaita.h>
#include <math.h>

#define MARGIN 12.0
#define PAGE "gantry-solid-page"

typedef struct {
  GantrySceneView *scene; /* borrowed: both go with the window */
  GtkWidget *canvas, *value;
} Page;

static double place_of(const GantrySolid *solid, double value, double width) {
  return MARGIN +
         (width - 2 * MARGIN) * (value - (double)solid->low_grey) / (double)(solid->high_grey - solid->low_grey);
}

static void draw_bars(const GantrySolid *solid, cairo_t *cr, const GantryPlotTheme *theme, double width, double base,
                      double threshold) {
  guint most = 1;
  for (int i = 0; i < GANTRY_SOLID_BINS; i++) most = MAX(most, solid->bins[i]);
  const double bar = (width - 2 * MARGIN) / GANTRY_SOLID_BINS;
  const double step = (double)(solid->high_grey - solid->low_grey) / GANTRY_SOLID_BINS;
  for (int i = 0; i < GANTRY_SOLID_BINS; i++) {
    if (!solid->bins[i]) continue;
    const double height = (base - 4) * log1p(solid->bins[i]) / log1p(most);
    GdkRGBA colour = theme->curves[GANTRY_CURVE_A];
    if ((double)solid->low_grey + (i + 0.5) * step < threshold) colour.alpha *= 0.35f;
    gdk_cairo_set_source_rgba(cr, &colour);
    cairo_rectangle(cr, MARGIN + i * bar, base - height, fmax(bar, 1) + 0.3, height);
    cairo_fill(cr);
  }
}

static void draw_ticks(Page *page, const GantrySolid *solid, cairo_t *cr, const GantryPlotTheme *theme, double width,
                       double y) {
  PangoContext *context = gtk_widget_get_pango_context(page->canvas);
  GantryAxis axis;
  double w, h;
  char text[64];
  gantry_axis_fit(&axis, (double)solid->low_grey, (double)solid->high_grey, CLAMP((int)(width / 90), 2, 10), FALSE);
  for (int i = 0; i < axis.count; i++) {
    const double value = gantry_axis_tick(&axis, i);
    gantry_axis_format(&axis, value, text, sizeof text);
    gantry_plot_text_size(context, text, &w, &h);
    gantry_plot_draw_text(cr, context, text, &theme->dim, CLAMP(place_of(solid, value, width) - w / 2, 0, width - w), y,
                          0);
  }
}

static void draw(GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer user) {
  Page *page = user;
  const GantrySolid *solid = gantry_scene_view_get_solid(page->scene);
  GantryPlotTheme theme;
  double w, h;
  gantry_plot_theme(&theme, adw_style_manager_get_dark(adw_style_manager_get_default()));
  PangoContext *context = gtk_widget_get_pango_context(page->canvas);
  gantry_plot_text_size(context, "0", &w, &h);
  if (!solid) {
    gantry_plot_draw_text(cr, context, "The histogram of the volume appears here when there is one.", &theme.dim,
                          MARGIN, (height - h) / 2, 0);
    return;
  }
  const double threshold = gtk_adjustment_get_value(gantry_scene_view_get_threshold(page->scene)),
               base = height - h - 4;
  draw_bars(solid, cr, &theme, width, base, threshold);
  draw_ticks(page, solid, cr, &theme, width, base + 2);
  const double x = floor(CLAMP(place_of(solid, threshold, width), MARGIN, width - MARGIN)) + 0.5;
  gdk_cairo_set_source_rgba(cr, gtk_widget_has_focus(page->canvas) ? &theme.mark : &theme.foreground);
  cairo_set_line_width(cr, 2);
  cairo_move_to(cr, x, 0);
  cairo_line_to(cr, x, base);
  cairo_stroke(cr);
}

static void changed(GtkWidget *box) {
  Page *page = g_object_get_data(G_OBJECT(box), PAGE);
  GtkAdjustment *threshold = gantry_scene_view_get_threshold(page->scene);
  g_autofree char *text =
      gantry_quantity_text(gtk_adjustment_get_value(threshold), 4, gantry_scene_view_get_unit(page->scene));
  gtk_label_set_text(GTK_LABEL(page->value), text);
  gtk_widget_queue_draw(page->canvas);
}

/* Moving it */

static void move_to(Page *page, double x) {
  const GantrySolid *solid = gantry_scene_view_get_solid(page->scene);
  const double width = gtk_widget_get_width(page->canvas);
  if (!solid || width <= 2 * MARGIN) return;
  const double share = (x - MARGIN) / (width - 2 * MARGIN);
  gtk_adjustment_set_value(gantry_scene_view_get_threshold(page->scene),
                           (double)solid->low_grey + share * (double)(solid->high_grey - solid->low_grey));
}

static void drag_begin(GtkGestureDrag *drag, double x, double y, gpointer user) {
  gtk_widget_grab_focus(((Page *)user)->canvas);
  move_to(user, x);
}

static void drag_update(GtkGestureDrag *drag, double dx, double dy, gpointer user) {
  double x, y;
  if (gtk_gesture_drag_get_start_point(drag, &x, &y)) move_to(user, x + dx);
}

/* Making */

static void name(GtkWidget *widget, const char *words, const char *tip) {
  gtk_accessible_update_property(GTK_ACCESSIBLE(widget), GTK_ACCESSIBLE_PROPERTY_LABEL, words, -1);
  if (tip) gantry_tips_set(widget, tip);
}

static GtkWidget *make_histogram(Page *page) {
  GtkWidget *column = gtk_box_new(GTK_ORIENTATION_VERTICAL, 2), *row = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6);
  page->canvas = g_object_new(GTK_TYPE_DRAWING_AREA, "accessible-role", GTK_ACCESSIBLE_ROLE_IMG, "hexpand", TRUE,
                              "vexpand", TRUE, "width-request", 160, "height-request", 60, NULL);
  gtk_drawing_area_set_draw_func(GTK_DRAWING_AREA(page->canvas), draw, page, NULL);
  gtk_widget_add_css_class(page->canvas, "caption");
  gtk_widget_set_cursor_from_name(page->canvas, "ew-resize");
  name(page->canvas, "Histogram of the volume", NULL);
  GtkGesture *drag = gtk_gesture_drag_new();
  g_signal_connect(drag, "drag-begin", G_CALLBACK(drag_begin), page);
  g_signal_connect(drag, "drag-update", G_CALLBACK(drag_update), page);
  gtk_widget_add_controller(page->canvas, GTK_EVENT_CONTROLLER(drag));
  GtkWidget *slider = gtk_scale_new(GTK_ORIENTATION_HORIZONTAL, gantry_scene_view_get_threshold(page->scene));
  gtk_scale_set_draw_value(GTK_SCALE(slider), FALSE);
  gtk_widget_set_hexpand(slider, TRUE);
  name(slider, "Threshold of the surface",
       "Value at which the surface of the volume lies; the line in the histogram can be dragged, too");
  page->value = gtk_label_new(NULL);
  gtk_label_set_width_chars(GTK_LABEL(page->value), 13);
  gtk_widget_add_css_class(page->value, "numeric");
  GtkWidget *parts[] = {gtk_label_new("Surface at"), slider, page->value};
  for (gsize i = 0; i < G_N_ELEMENTS(parts); i++) gtk_box_append(GTK_BOX(row), parts[i]);
  gtk_box_append(GTK_BOX(column), page->canvas);
  gtk_box_append(GTK_BOX(column), row);
  return column;
}

static GtkWidget *make_side(Page *page, int axis, int end) {
  static const char letters[] = "xyz";
  g_autofree char *words = g_strdup_printf("Clip %s end of %c", end ? "upper" : "lower", letters[axis]);
  g_autofree char *tip = g_strdup_printf("How much of the volume is left out at the %s end of %c: 0 to 100 %%",
                                         end ? "upper" : "lower", letters[axis]);
  GtkWidget *scale = gtk_scale_new(GTK_ORIENTATION_HORIZONTAL, gantry_scene_view_get_clip(page->scene, axis, end));
  gtk_scale_set_draw_value(GTK_SCALE(scale), FALSE);
  /* From the right inwards. */
  gtk_range_set_inverted(GTK_RANGE(scale), end == 1);
  gtk_widget_set_hexpand(scale, TRUE);
  gtk_widget_set_size_request(scale, 80, -1);
  name(scale, words, tip);
  return scale;
}

static GtkWidget *make_clip(Page *page) {
  static const char *const letters[] = {"x", "y", "z"};
  GtkWidget *grid = gtk_grid_new();
  GtkWidget *title = gtk_label_new("Left out at the lower and the upper end");
  gtk_label_set_xalign(GTK_LABEL(title), 0);
  gtk_widget_add_css_class(title, "caption");
  gtk_widget_add_css_class(title, "dim-label");
  gtk_grid_attach(GTK_GRID(grid), title, 0, 0, 3, 1);
  for (int axis = 0; axis < 3; axis++) {
    gtk_grid_attach(GTK_GRID(grid), gtk_label_new(letters[axis]), 0, axis + 1, 1, 1);
    for (int end = 0; end < 2; end++)
      gtk_grid_attach(GTK_GRID(grid), make_side(page, axis, end), end + 1, axis + 1, 1, 1);
  }
  GtkWidget *corner = gtk_check_button_new_with_label("Cut a corner off at the slices");
  gtk_actionable_set_action_name(GTK_ACTIONABLE(corner), "win.scene-corner");
  gantry_tips_set(corner, "Leaves out the eighth of the volume from the crosshair towards you");
  gtk_grid_attach(GTK_GRID(grid), corner, 0, 4, 3, 1);
  gtk_widget_set_valign(grid, GTK_ALIGN_CENTER);
  return grid;
}

GtkWidget *gantry_solid_page_new(GantrySceneView *scene) {
  Page *page = g_new0(Page, 1);
  page->scene = scene;
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 18);
  gtk_widget_add_css_class(box, "solid-page");
  gtk_box_append(GTK_BOX(box), make_histogram(page));
  gtk_box_append(GTK_BOX(box), make_clip(page));
  g_object_set_data_full(G_OBJECT(box), PAGE, page, g_free);
  g_signal_connect_object(gantry_scene_view_get_threshold(scene), "value-changed", G_CALLBACK(changed), box,
                          G_CONNECT_SWAPPED);
  g_signal_connect_object(scene, "solid-changed", G_CALLBACK(changed), box, G_CONNECT_SWAPPED);
  changed(box);
  return box;
}
