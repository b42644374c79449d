/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Drawn with cairo, so that the saved file is the same picture. A name stands where it covers no other; where there is
 * no room for it, its point is told by the pointer. */
#include "ui/variants/scatter.h"

#include "recon/base/output.h"
#include "ui/plot/plot-private.h"

#include <adwaita.h>
#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <math.h>

#define LEFT 66
#define RIGHT 22
#define TOP 12
#define BOTTOM 46
#define RADIUS 4.5
#define REACH 14.0 /* px from a point within which it is meant */
#define FILE_WIDTH 900
#define FILE_HEIGHT 560

typedef struct {
  GantryVariantItem *item; /* borrowed from the model */
  double x, y, seconds, error;
} Point;

struct _GantryVariantsScatter {
  GtkWidget parent_instance;
  GListModel *items;
  GantryVariantItem *chosen;
};

G_DEFINE_FINAL_TYPE(GantryVariantsScatter, gantry_variants_scatter, GTK_TYPE_WIDGET)

static guint picked_signal;

/* Points */

/* without: how many have a time and no error. */
static GArray *list_points(GantryVariantsScatter *self, guint *without) {
  GArray *points = g_array_new(FALSE, FALSE, sizeof(Point));
  *without = 0;
  for (guint i = 0; i < g_list_model_get_n_items(self->items); i++) {
    g_autoptr(GantryVariantItem) item = g_list_model_get_item(self->items, i);
    const Point point = {
        .item = item, .seconds = gantry_variant_item_get_seconds(item), .error = gantry_variant_item_get_error(item)};
    *without += point.error == 0;
    if (point.seconds > 0 && point.error > 0 && isfinite(point.error)) g_array_append_val(points, point);
  }
  return points;
}

typedef struct {
  GantryAxis x, y;
  double left, top, width, height;
} Frame;

/* Half a step of free room about them, so that names have a place. */
static void fit(GantryAxis *axis, const GArray *points, gboolean errors, double pixels) {
  double low = INFINITY, high = 0;
  for (guint i = 0; i < points->len; i++) {
    const Point *p = &g_array_index(points, Point, i);
    low = fmin(low, errors ? p->error : p->seconds);
    high = fmax(high, errors ? p->error : p->seconds);
  }
  gantry_axis_fit_scale(axis, GANTRY_SCALE_LOG, low / 1.6, high * 1.6, MAX(2, (int)(pixels / (errors ? 34 : 90))));
}

static void place(GArray *points, double width, double height, Frame *frame) {
  *frame = (Frame){.left = LEFT, .top = TOP, .width = width - LEFT - RIGHT, .height = height - TOP - BOTTOM};
  fit(&frame->x, points, FALSE, frame->width);
  fit(&frame->y, points, TRUE, frame->height);
  for (guint i = 0; i < points->len; i++) {
    Point *p = &g_array_index(points, Point, i);
    p->x = frame->left + gantry_axis_place(&frame->x, p->seconds) * frame->width;
    p->y = frame->top + (1 - gantry_axis_place(&frame->y, p->error)) * frame->height;
  }
}

/* Drawing */

static void draw_line(cairo_t *cr, double x0, double y0, double x1, double y1) {
  cairo_move_to(cr, floor(x0) + 0.5, floor(y0) + 0.5);
  cairo_line_to(cr, floor(x1) + 0.5, floor(y1) + 0.5);
  cairo_stroke(cr);
}

static void draw_axes(const Frame *f, guint without, const GantryPlotTheme *theme, PangoContext *context, cairo_t *cr) {
  const double right = f->left + f->width, bottom = f->top + f->height;
  char text[64];
  cairo_set_line_width(cr, 1);
  for (int i = 0; i < f->x.count; i++) {
    const double value = gantry_axis_tick(&f->x, i), x = f->left + gantry_axis_place(&f->x, value) * f->width;
    gdk_cairo_set_source_rgba(cr, &theme->grid);
    draw_line(cr, x, f->top, x, bottom);
    gantry_plot_draw_text(cr, context, gantry_axis_format(&f->x, value, text, sizeof text), &theme->dim, x, bottom + 4,
                          0.5);
  }
  for (int i = 0; i < f->y.count; i++) {
    const double value = gantry_axis_tick(&f->y, i), y = f->top + (1 - gantry_axis_place(&f->y, value)) * f->height;
    gdk_cairo_set_source_rgba(cr, &theme->grid);
    draw_line(cr, f->left, y, right, y);
    gantry_plot_draw_text(cr, context, gantry_axis_format(&f->y, value, text, sizeof text), &theme->dim, f->left - 6,
                          y - 8, 1);
  }
  g_autofree char *title =
      without ? g_strdup_printf("seconds (%u variant%s without any error not shown)", without, without == 1 ? "" : "s")
              : g_strdup("seconds");
  gantry_plot_draw_text(cr, context, title, &theme->foreground, f->left + f->width / 2, bottom + 22, 0.5);
  gantry_plot_draw_upright(cr, context, "relative RMSE against the reference", &theme->foreground, 11,
                           f->top + f->height / 2);
}

static gboolean overlaps(const graphene_rect_t *box, const GArray *boxes) {
  for (guint i = 0; i < boxes->len; i++)
    if (graphene_rect_intersection(box, &g_array_index(boxes, graphene_rect_t, i), NULL)) return TRUE;
  return FALSE;
}

/* Right of its point, left, above or below: the first place that is free and within the frame. */
static void draw_name(const Point *p, const Frame *f, GArray *taken, const GantryPlotTheme *theme,
                      PangoContext *context, cairo_t *cr) {
  double width, height;
  const char *name = gantry_variant_item_get_name(p->item);
  gantry_plot_text_size(context, name, &width, &height);
  const double gap = RADIUS + 4;
  const graphene_point_t corners[] = {{(float)(p->x + gap), (float)(p->y - height / 2)},
                                      {(float)(p->x - gap - width), (float)(p->y - height / 2)},
                                      {(float)(p->x - width / 2), (float)(p->y - gap - height)},
                                      {(float)(p->x - width / 2), (float)(p->y + gap)}};
  for (gsize i = 0; i < G_N_ELEMENTS(corners); i++) {
    const graphene_rect_t box = GRAPHENE_RECT_INIT(corners[i].x, corners[i].y, (float)width, (float)height);
    if (box.origin.x < f->left || box.origin.x + width > f->left + f->width + RIGHT || box.origin.y < 0 ||
        box.origin.y + height > f->top + f->height || overlaps(&box, taken))
      continue;
    gantry_plot_draw_text(cr, context, name, &theme->foreground, box.origin.x, box.origin.y, 0);
    g_array_append_val(taken, box);
    return;
  }
}

static void draw_points(const GArray *points, GantryVariantItem *chosen, const GantryPlotTheme *theme, cairo_t *cr) {
  for (guint i = 0; i < points->len; i++) {
    const Point *p = &g_array_index(points, Point, i);
    const guint colour = (guint)MAX(gantry_variant_item_get_group(p->item), 0) % GANTRY_CURVE_COLOURS;
    gdk_cairo_set_source_rgba(cr, &theme->curves[colour]);
    cairo_arc(cr, p->x, p->y, RADIUS, 0, 2 * G_PI);
    cairo_fill(cr);
    if (p->item != chosen) continue;
    cairo_set_line_width(cr, 2);
    gdk_cairo_set_source_rgba(cr, &theme->foreground);
    cairo_arc(cr, p->x, p->y, RADIUS + 4, 0, 2 * G_PI);
    cairo_stroke(cr);
  }
}

static void draw(GantryVariantsScatter *self, const GantryPlotTheme *theme, PangoContext *context, cairo_t *cr,
                 double width, double height) {
  guint without;
  Frame frame;
  g_autoptr(GArray) points = list_points(self, &without);
  if (!points->len) {
    gantry_plot_draw_text(cr, context,
                          without ? "No variant differs from the reference: there is nothing to draw."
                                  : "Time against error is drawn here when variants have run.",
                          &theme->dim, width / 2, height / 2 - 8, 0.5);
    return;
  }
  place(points, width, height, &frame);
  draw_axes(&frame, without, theme, context, cr);
  g_autoptr(GArray) taken = g_array_new(FALSE, FALSE, sizeof(graphene_rect_t));
  for (guint i = 0; i < points->len; i++) {
    const Point *p = &g_array_index(points, Point, i);
    const graphene_rect_t box =
        GRAPHENE_RECT_INIT((float)(p->x - RADIUS), (float)(p->y - RADIUS), (float)(2 * RADIUS), (float)(2 * RADIUS));
    g_array_append_val(taken, box);
  }
  for (guint i = 0; i < points->len; i++)
    draw_name(&g_array_index(points, Point, i), &frame, taken, theme, context, cr);
  draw_points(points, self->chosen, theme, cr);
}

static void snapshot(GtkWidget *widget, GtkSnapshot *shot) {
  const int width = gtk_widget_get_width(widget), height = gtk_widget_get_height(widget);
  GantryPlotTheme theme;
  gantry_plot_theme(&theme, adw_style_manager_get_dark(adw_style_manager_get_default()));
  cairo_t *cr = gtk_snapshot_append_cairo(shot, &GRAPHENE_RECT_INIT(0, 0, (float)width, (float)height));
  draw(GANTRY_VARIANTS_SCATTER(widget), &theme, gtk_widget_get_pango_context(widget), cr, width, height);
  cairo_destroy(cr);
}

/* The pointer */

static GantryVariantItem *item_at(GantryVariantsScatter *self, double x, double y) {
  guint without;
  Frame frame;
  g_autoptr(GArray) points = list_points(self, &without);
  GantryVariantItem *nearest = NULL;
  double least = REACH;
  if (!points->len) return NULL;
  place(points, gtk_widget_get_width(GTK_WIDGET(self)), gtk_widget_get_height(GTK_WIDGET(self)), &frame);
  for (guint i = 0; i < points->len; i++) {
    const Point *p = &g_array_index(points, Point, i);
    const double distance = hypot(p->x - x, p->y - y);
    if (distance < least) least = distance, nearest = p->item;
  }
  return nearest;
}

static void pressed(GtkGestureClick *click, int presses, double x, double y, GantryVariantsScatter *self) {
  GantryVariantItem *item = item_at(self, x, y);
  if (item) g_signal_emit(self, picked_signal, 0, item);
}

static gboolean query_tooltip(GtkWidget *widget, int x, int y, gboolean keyboard, GtkTooltip *tooltip) {
  GantryVariantItem *item = keyboard ? NULL : item_at(GANTRY_VARIANTS_SCATTER(widget), x, y);
  if (!item) return FALSE;
  g_autofree char *text = g_strdup_printf("%s (%s)\n%.3g s, relative RMSE %.3g", gantry_variant_item_get_name(item),
                                          gantry_variant_item_get_group_title(item),
                                          gantry_variant_item_get_seconds(item), gantry_variant_item_get_error(item));
  gtk_tooltip_set_text(tooltip, text);
  return TRUE;
}

void gantry_variants_scatter_refresh(GantryVariantsScatter *self) {
  gtk_widget_queue_draw(GTK_WIDGET(self));
}

void gantry_variants_scatter_choose(GantryVariantsScatter *self, GantryVariantItem *item) {
  if (g_set_object(&self->chosen, item)) gtk_widget_queue_draw(GTK_WIDGET(self));
}

guint gantry_variants_scatter_count(GantryVariantsScatter *self) {
  guint without;
  g_autoptr(GArray) points = list_points(self, &without);
  return points->len;
}

/* Files */

static cairo_status_t write_bytes(void *closure, const unsigned char *bytes, unsigned int length) {
  g_byte_array_append(closure, bytes, length);
  return CAIRO_STATUS_SUCCESS;
}

/* PNG at twice the size. NULL: no such suffix. */
static cairo_surface_t *make_surface(const char *path, GByteArray *bytes) {
  if (g_str_has_suffix(path, ".svg"))
    return cairo_svg_surface_create_for_stream(write_bytes, bytes, FILE_WIDTH, FILE_HEIGHT);
  if (g_str_has_suffix(path, ".pdf"))
    return cairo_pdf_surface_create_for_stream(write_bytes, bytes, FILE_WIDTH, FILE_HEIGHT);
  if (!g_str_has_suffix(path, ".png")) return NULL;
  cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, 2 * FILE_WIDTH, 2 * FILE_HEIGHT);
  cairo_surface_set_device_scale(surface, 2, 2);
  return surface;
}

gboolean gantry_variants_scatter_save(GantryVariantsScatter *self, const char *path, ct_error **error) {
  g_autoptr(GByteArray) bytes = g_byte_array_new();
  GantryPlotTheme theme;
  cairo_surface_t *surface = make_surface(path, bytes);
  if (!surface)
    return ct_error_set(error, CT_ERROR_ARGUMENT, "%s: the picture is saved as .png, .svg or .pdf; choose one of them.",
                        path);
  cairo_t *cr = cairo_create(surface);
  gantry_plot_theme(&theme, FALSE);
  gdk_cairo_set_source_rgba(cr, &theme.background);
  cairo_paint(cr);
  draw(self, &theme, gtk_widget_get_pango_context(GTK_WIDGET(self)), cr, FILE_WIDTH, FILE_HEIGHT);
  cairo_destroy(cr);
  cairo_status_t status = CAIRO_STATUS_SUCCESS;
  if (g_str_has_suffix(path, ".png")) status = cairo_surface_write_to_png_stream(surface, write_bytes, bytes);
  cairo_surface_finish(surface);
  if (status == CAIRO_STATUS_SUCCESS) status = cairo_surface_status(surface);
  cairo_surface_destroy(surface);
  if (status != CAIRO_STATUS_SUCCESS)
    return ct_error_set(error, CT_ERROR_IO, "%s: the picture could not be drawn: %s.", path,
                        cairo_status_to_string(status));
  return ct_output_write_whole(path, bytes->data, bytes->len, error);
}

/* Life */

static void gantry_variants_scatter_finalize(GObject *object) {
  GantryVariantsScatter *self = GANTRY_VARIANTS_SCATTER(object);
  g_clear_object(&self->chosen);
  g_clear_object(&self->items);
  G_OBJECT_CLASS(gantry_variants_scatter_parent_class)->finalize(object);
}

static void gantry_variants_scatter_class_init(GantryVariantsScatterClass *class) {
  G_OBJECT_CLASS(class)->finalize = gantry_variants_scatter_finalize;
  GTK_WIDGET_CLASS(class)->snapshot = snapshot;
  GTK_WIDGET_CLASS(class)->query_tooltip = query_tooltip;
  picked_signal = g_signal_new("picked", GANTRY_TYPE_VARIANTS_SCATTER, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                               G_TYPE_NONE, 1, GANTRY_TYPE_VARIANT_ITEM);
  gtk_widget_class_set_accessible_role(GTK_WIDGET_CLASS(class), GTK_ACCESSIBLE_ROLE_IMG);
  gtk_widget_class_set_css_name(GTK_WIDGET_CLASS(class), "variantsscatter");
}

static void gantry_variants_scatter_init(GantryVariantsScatter *self) {
  gtk_accessible_update_property(GTK_ACCESSIBLE(self), GTK_ACCESSIBLE_PROPERTY_LABEL, "Speed against error",
                                 GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                 "A point for each variant: seconds to the right, relative RMSE upwards. The table has "
                                 "the same numbers.",
                                 -1);
  gtk_widget_set_has_tooltip(GTK_WIDGET(self), TRUE);
  gtk_widget_set_overflow(GTK_WIDGET(self), GTK_OVERFLOW_HIDDEN);
  GtkGesture *click = gtk_gesture_click_new();
  g_signal_connect(click, "pressed", G_CALLBACK(pressed), self);
  gtk_widget_add_controller(GTK_WIDGET(self), GTK_EVENT_CONTROLLER(click));
}

GtkWidget *gantry_variants_scatter_new(GListModel *items) {
  GantryVariantsScatter *self = g_object_new(GANTRY_TYPE_VARIANTS_SCATTER, NULL);
  self->items = g_object_ref(items);
  return GTK_WIDGET(self);
}
