/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A window without an engine, for its tests: what it wants is counted, pictures are made up. */
#pragma once

#include "tests/ui/widgets.h"
#include "ui/window/parts.h"
#include "ui/window/window-private.h"

static inline gpointer part(GantryWindow *window, const char *id) {
  return gantry_window_part(window, id);
}

static inline GantrySliceView *view_of(GantryWindow *window, GantryViewKind kind) {
  return gantry_quad_get_view(window->quad, kind);
}

/* The view, with the bar of its angles. */
static inline GtkWidget *oblique_pane(GantryWindow *window) {
  return GTK_WIDGET(view_of(window, GANTRY_VIEW_OBLIQUE));
}

static int windows_alive, planes_wanted, projections_wanted, last_projection;
static gboolean last_sinogram;

static inline void count_planes(GantryWindow *window, gpointer user) {
  planes_wanted++;
}

static inline void count_projections(GantryWindow *window, int index, gboolean sinogram, gpointer user) {
  projections_wanted++, last_projection = index, last_sinogram = sinogram;
}

static const ct_grid grid = {64, 48, 32, 0.5, 0.5, 0.5, -16, -12, -8};

static inline void window_gone(gpointer user, GObject *object) {
  windows_alive--;
}

/* The application's style, which makes windows as dense as they are; added once. */
static inline void add_style(void) {
  static gboolean added;
  if (added) return;
  added = TRUE;
  g_autoptr(GtkCssProvider) style = gtk_css_provider_new();
  gtk_css_provider_load_from_resource(style, "/org/gantry/Gantry/style.css");
  gtk_style_context_add_provider_for_display(gdk_display_get_default(), GTK_STYLE_PROVIDER(style),
                                             GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
}

static inline GantryWindow *make_window(void) {
  add_style();
  GantryWindow *window = g_object_ref(gantry_window_new(NULL, NULL));
  windows_alive++;
  g_object_weak_ref(G_OBJECT(window), window_gone, NULL);
  planes_wanted = projections_wanted = 0;
  gantry_window_show_scan(window, "pepper", "cone beam");
  g_signal_connect(window, "planes-wanted", G_CALLBACK(count_planes), NULL);
  g_signal_connect(window, "projection-wanted", G_CALLBACK(count_projections), NULL);
  gantry_window_set_grid(window, &grid);
  return window;
}

static inline void drop_window(GantryWindow *window) {
  gtk_window_destroy(GTK_WINDOW(window));
  g_object_unref(window);
  settle();
}

/* value(x, y) = gain * x along the picture, with a box of height 1 between 2 and 5 mm added if wanted. */
static inline void set_ramp(GantryWindow *window, ct_plane plane, ctgl_slot slot, double gain, gboolean box) {
  GantryImage *image = gantry_image_new_for_plane(&grid, plane, 0);
  for (int j = 0; j < image->height; j++) {
    for (int i = 0; i < image->width; i++) {
      const double x = image->origin_x + i * image->spacing_x;
      image->pixels[j * image->width + i] = (float)(gain * x + (box && x >= 2 && x <= 5));
    }
  }
  gantry_window_set_image(window, slot, image);
  gantry_image_unref(image);
}

/* The state of the action "fourth". */
static inline void check_fourth(GantryWindow *window, const char *expected) {
  g_autoptr(GVariant) state = g_action_group_get_action_state(G_ACTION_GROUP(window), "fourth");
  CHECK(!strcmp(g_variant_get_string(state, NULL), expected));
}

/* Until the widget is on screen, or is no longer. */
static inline gboolean wait_mapped(GtkWidget *widget, gboolean mapped) {
  const gint64 until = g_get_monotonic_time() + 20 * G_TIME_SPAN_SECOND;
  while (gtk_widget_get_mapped(widget) != mapped && g_get_monotonic_time() < until)
    if (!g_main_context_iteration(NULL, FALSE)) g_usleep(1000);
  return gtk_widget_get_mapped(widget) == mapped;
}

/* Where each view is, in the window, once nothing moves any more. */
static inline void measure_views(GantryWindow *window, graphene_rect_t bounds[GANTRY_VIEWS]) {
  /* With a line that pulses there is always something to do. The first layout may take longer on a busy machine. */
  const gint64 until = g_get_monotonic_time() + 300000;
  while (g_get_monotonic_time() < until ||
         (gtk_widget_get_height(GTK_WIDGET(view_of(window, GANTRY_VIEW_AXIAL))) == 0 &&
          g_get_monotonic_time() < until + 5 * G_TIME_SPAN_SECOND))
    if (!g_main_context_iteration(NULL, FALSE)) g_usleep(1000);
  for (int k = 0; k < GANTRY_VIEWS; k++)
    if (!gtk_widget_compute_bounds(GTK_WIDGET(view_of(window, k)), GTK_WIDGET(window), &bounds[k]))
      bounds[k] = GRAPHENE_RECT_INIT(0, 0, 0, 0);
}
