/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Four slice views of an analytic object, to look at and to try by hand; not a test. DEMO_MODE=0..3 shows A, B, their
 * difference or the swipe; DEMO_SIZE=800x600 makes the window so large. */
#include "ui/slice-view.h"

#include <adwaita.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { SIZE = 160 };
static const double voxel = 0.5;

typedef struct Demo {
  GtkWidget *views[GANTRY_VIEWS];
  GantryDisplay *display;
  ct_grid grid;
} Demo;

/* A shell, a bright ball and fine bars; b: a slightly larger ball. */
static float density(double x, double y, double z, gboolean b) {
  const double r = sqrt(x * x / 1.2 + y * y + z * z / 0.8), ball = sqrt((x - 8) * (x - 8) + y * y + (z - 6) * (z - 6));
  double value = r < 30 ? 0.02 : r < 33 ? 0.09 : 0;
  if (ball < (b ? 8.5 : 8)) value = 0.06;
  if (x < -5 && fabs(y) < 10 && fabs(z) < 10 && fmod(x + 100, 2) < 1) value = 0.07;
  return (float)(value + 0.002 * sin(12.9898 * x + 78.233 * y + 37.719 * z));
}

static void show_plane(Demo *demo, int kind) {
  static const ct_plane planes[3] = {CT_AXIAL, CT_CORONAL, CT_SAGITTAL};
  static const int normals[3] = {2, 1, 0};
  double cross[3];
  gantry_display_get_cross(demo->display, cross);
  const int index = CLAMP((int)round(cross[normals[kind]] / voxel + (SIZE - 1) / 2.0), 0, SIZE - 1);
  for (int slot = 0; slot < 2; slot++) {
    g_autoptr(GantryImage) image = gantry_image_new_for_plane(&demo->grid, planes[kind], index);
    for (int j = 0; j < image->height; j++)
      for (int i = 0; i < image->width; i++) {
        const double h = image->origin_x + i * image->spacing_x, v = image->origin_y + j * image->spacing_y,
                     n = image->position;
        float *pixel = image->pixels + (gsize)j * SIZE + (gsize)i;
        *pixel = kind == 0 ? density(h, v, n, slot) : kind == 1 ? density(h, n, v, slot) : density(n, h, v, slot);
        if (i == 20 && j == 20) *pixel = NAN;
      }
    gantry_slice_view_set_image(GANTRY_SLICE_VIEW(demo->views[kind]), (ctgl_slot)slot, image);
  }
  const double end = voxel * (SIZE - 1) / 2.0;
  gantry_slice_view_set_range(GANTRY_SLICE_VIEW(demo->views[kind]), SIZE, index, -end, end, "mm");
}

static void show_planes(Demo *demo) {
  for (int kind = 0; kind < 3; kind++) show_plane(demo, kind);
}

static void slice_wanted(GantrySliceView *view, int index, Demo *demo) {
  static const int normals[3] = {2, 1, 0};
  const GantryViewKind kind = gantry_slice_view_get_kind(view);
  if (kind == GANTRY_VIEW_PROJECTION) return;
  double cross[3];
  gantry_display_get_cross(demo->display, cross);
  cross[normals[kind]] = voxel * (index - (SIZE - 1) / 2.0);
  gantry_display_set_cross(demo->display, cross);
}

static void maximise(GantrySliceView *view, Demo *demo) {
  gboolean others = FALSE;
  for (int i = 0; i < GANTRY_VIEWS; i++)
    others |= demo->views[i] != GTK_WIDGET(view) && gtk_widget_get_visible(demo->views[i]);
  for (int i = 0; i < GANTRY_VIEWS; i++)
    gtk_widget_set_visible(demo->views[i], demo->views[i] == GTK_WIDGET(view) || !others);
}

static void auto_window(GantrySliceView *view, Demo *demo) {
  gantry_display_set_window(demo->display, 0, 0.1);
}

static void activate(GtkApplication *application, Demo *demo) {
  GtkWidget *window = adw_application_window_new(application), *grid = gtk_grid_new();
  gtk_grid_set_row_homogeneous(GTK_GRID(grid), TRUE);
  gtk_grid_set_column_homogeneous(GTK_GRID(grid), TRUE);
  gtk_grid_set_row_spacing(GTK_GRID(grid), 2);
  gtk_grid_set_column_spacing(GTK_GRID(grid), 2);
  demo->grid = ct_grid_centred(SIZE, SIZE, SIZE, voxel, NULL);
  demo->display = gantry_display_new();
  gantry_display_set_window(demo->display, 0, 0.1);
  gantry_display_set_range(demo->display, CTGL_SCALE_DIFFERENCE, 0.03);
  const char *mode = g_getenv("DEMO_MODE");
  if (mode) gantry_display_set_mode(demo->display, (ctgl_mode)atoi(mode));
  for (int i = 0; i < GANTRY_VIEWS; i++) {
    demo->views[i] = gantry_slice_view_new((GantryViewKind)i, demo->display);
    g_signal_connect(demo->views[i], "slice-wanted", G_CALLBACK(slice_wanted), demo);
    g_signal_connect(demo->views[i], "maximise-toggled", G_CALLBACK(maximise), demo);
    g_signal_connect(demo->views[i], "auto-window-wanted", G_CALLBACK(auto_window), demo);
    gtk_grid_attach(GTK_GRID(grid), demo->views[i], i % 2, i / 2, 1, 1);
  }
  g_signal_connect_swapped(demo->display, "cross-moved", G_CALLBACK(show_planes), demo);
  gantry_display_set_cross(demo->display, (double[3]){8.25, 0.25, 6.25});
  gantry_display_set_profile(demo->display, GANTRY_VIEW_AXIAL, (ctgl_point){-30, -12}, (ctgl_point){20, 20});
  adw_application_window_set_content(ADW_APPLICATION_WINDOW(window), grid);
  int width = 1180, height = 860;
  const char *size = g_getenv("DEMO_SIZE");
  if (size) sscanf(size, "%dx%d", &width, &height);
  gtk_window_set_default_size(GTK_WINDOW(window), width, height);
  gtk_window_present(GTK_WINDOW(window));
}

int main(int argc, char **argv) {
  Demo demo = {0};
  g_autoptr(AdwApplication) application = adw_application_new(NULL, G_APPLICATION_NON_UNIQUE);
  g_signal_connect(application, "activate", G_CALLBACK(activate), &demo);
  const int status = g_application_run(G_APPLICATION(application), argc, argv);
  g_clear_object(&demo.display);
  return status;
}
