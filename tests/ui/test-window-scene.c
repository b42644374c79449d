/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The scene among the window's views, and the places that slices, projection, sinogram and scene have in common. */
#include "tests/test.h"
#include "tests/ui/window-help.h"
#include "ui/scene/view-private.h"

#include "ui/slice-view/view-private.h"

static void count_up(int *count) {
  ++*count;
}

static GantryImage *projection_of(int view) {
  GantryImage *image = gantry_image_new(40, 30);
  memset(image->pixels, 0, 40 * 30 * sizeof *image->pixels);
  image->kind = GANTRY_VIEW_PROJECTION;
  image->index = view;
  return image;
}

/* The gantry stands where the projection that is shown was taken, and its slider asks for another. */
static void scene_follows_the_projection(void) {
  NEED_DISPLAY();
  ct_geometry geometry;
  GantryWindow *window = make_window();
  GantrySceneView *scene = gantry_quad_get_scene(window->quad);
  CHECK(ct_geometry_init(&geometry, CT_BEAM_CONE, 40, 30, 12, NULL));
  geometry.sod = 100;
  geometry.sdd = 200;
  ct_geometry_set_arc(&geometry, 0, G_PI / 6);
  gantry_window_set_geometry(window, &geometry, (GantryBins){1, 1, 0});
  gantry_window_set_projection_range(window, 12, 30);
  gtk_window_present(GTK_WINDOW(window));
  gtk_widget_activate_action(GTK_WIDGET(window), "win.fourth", "s", "scene");
  CHECK(wait_mapped(GTK_WIDGET(scene), TRUE) &&
        !gtk_widget_get_mapped(GTK_WIDGET(view_of(window, GANTRY_VIEW_PROJECTION))));
  CHECK(gantry_scene_view_get_shown(scene) == -1);
  g_autoptr(GantryImage) projection = projection_of(3);
  gantry_window_set_image(window, CTGL_SLOT_A, projection);
  CHECK(gantry_scene_view_get_shown(scene) == 3);
  CHECK(!strcmp(gtk_label_get_text(GTK_LABEL(scene->position)), "θ = 90.0°"));
  /* The source of 90 degrees lies along +x. */
  CHECK(fabs(gantry_scene_view_get_scene(scene)->detector.source[0] - 100) < 1e-9);
  const int wanted = projections_wanted;
  gantry_scene_view_step(scene, 5);
  CHECK(projections_wanted == wanted + 1 && !last_sinogram);
  gtk_widget_activate_action(GTK_WIDGET(window), "win.scene-look", "s", "top");
  CHECK(fabs(scene->camera.elevation - G_PI / 2) < 1e-12 && !scene->camera.perspective);
  /* Maximised, and back; the oblique plane is a part of it when told. */
  gantry_scene_view_emit_maximise(scene);
  CHECK(gantry_quad_get_maximised(window->quad) == GANTRY_VIEW_PROJECTION);
  CHECK(wait_mapped(GTK_WIDGET(view_of(window, GANTRY_VIEW_AXIAL)), FALSE) && gtk_widget_get_mapped(GTK_WIDGET(scene)));
  gantry_scene_view_emit_maximise(scene);
  CHECK(gantry_quad_get_maximised(window->quad) == GANTRY_VIEWS);
  GantryPose pose;
  CHECK(!gantry_display_get_oblique(window->display, &pose));
  gtk_widget_activate_action(GTK_WIDGET(window), "win.scene-oblique", NULL);
  CHECK(gantry_display_get_oblique(window->display, &pose));
  gtk_widget_activate_action(GTK_WIDGET(window), "win.fourth", "s", "sinogram");
  CHECK(!gantry_display_get_oblique(window->display, &pose) && gantry_scene_view_get_shown(scene) == -1);
  ct_geometry_clear(&geometry);
  drop_window(window);
}

/* The crosshair's pixel by the matrix, its row in the sinogram, and the ray of a pixel that is pointed at: all of a
 * geometry of bins of 2 x 2 from row 4 on. */
static void places_are_linked(void) {
  NEED_DISPLAY();
  ct_geometry geometry;
  double matrix[12], u, v, w;
  GantryWindow *window = make_window();
  GantrySliceView *view = view_of(window, GANTRY_VIEW_PROJECTION);
  const double cross[3] = {3, -2, 4};
  CHECK(ct_geometry_init(&geometry, CT_BEAM_CONE, 40, 30, 12, NULL));
  geometry.du = geometry.dv = 2;
  geometry.sod = 100;
  geometry.sdd = 200;
  ct_geometry_set_arc(&geometry, 0, G_PI / 6);
  gantry_window_set_geometry(window, &geometry, (GantryBins){2, 2, 4});
  gantry_window_set_projection_range(window, 12, 30);
  g_autoptr(GantryImage) projection = projection_of(5);
  projection->spacing_x = projection->spacing_y = 2;
  projection->origin_x = 0.5;
  projection->origin_y = 4.5;
  gantry_window_set_image(window, CTGL_SLOT_A, projection);
  gantry_display_set_cross(window->display, cross);
  settle();
  ct_geometry_matrix(&geometry, 5, matrix);
  ct_project(matrix, cross, &u, &v, &w);
  CHECK(view->has_mark && !view->curve);
  CHECK_NEAR(view->mark.x, 2 * u + 0.5, 1e-9);
  CHECK_NEAR(view->mark.y, 2 * v + 4.5, 1e-9);
  /* Pointing there gives the ray of the pixel whose value is told, or through the crosshair itself where values are
   * told between pixels, in the picture and on the scene's detector. */
  g_signal_emit_by_name(view, "pointed", TRUE, view->mark.x, view->mark.y);
  CHECK_NEAR(gantry_display_get_ray(window->display)->uv[0], round(u), 1e-9);
  CHECK_NEAR(gantry_display_get_ray(window->display)->uv[1], round(v), 1e-9);
  CHECK(fabs(u - round(u)) > 0.01 && fabs(v - round(v)) > 0.01);
  gantry_display_set_smooth(window->display, TRUE);
  g_signal_emit_by_name(view, "pointed", TRUE, view->mark.x, view->mark.y);
  const GantryRay *ray = gantry_display_get_ray(window->display);
  CHECK(ray && ray->view == 5);
  CHECK_NEAR(ray->uv[0], u, 1e-9);
  CHECK_NEAR(ray->uv[1], v, 1e-9);
  double along = 0, square = 0, off = 0;
  for (int i = 0; i < 3; i++) {
    along += (cross[i] - ray->within.from[i]) * (ray->within.to[i] - ray->within.from[i]);
    square += pow(ray->within.to[i] - ray->within.from[i], 2);
  }
  for (int i = 0; i < 3; i++)
    off += fabs(ray->within.from[i] + along / square * (ray->within.to[i] - ray->within.from[i]) - cross[i]);
  CHECK_NEAR(off, 0, 1e-6);
  g_signal_emit_by_name(view, "pointed", FALSE, 0.0, 0.0);
  CHECK(!gantry_display_get_ray(window->display));
  g_signal_emit_by_name(gantry_quad_get_scene(window->quad), "pointed", TRUE, u, v);
  CHECK(gantry_display_get_ray(window->display));
  g_signal_emit_by_name(gantry_quad_get_scene(window->quad), "pointed", FALSE, 0.0, 0.0);
  /* Slices draw the crosshair's ray while the page of profiles reads it. */
  g_signal_emit_by_name(view, "slice-wanted", 5);
  CHECK(!gantry_display_get_drawn_ray(window->display));
  gtk_widget_activate_action(GTK_WIDGET(window), "win.profile-ray", NULL);
  settle();
  ray = gantry_display_get_drawn_ray(window->display);
  CHECK(ray && ray->view == 5);
  CHECK_NEAR(ray->uv[0], u, 1e-9);
  gtk_widget_activate_action(GTK_WIDGET(window), "win.profile-ray", NULL);
  CHECK(!gantry_display_get_drawn_ray(window->display));
  /* A click elsewhere brings the crosshair there, by the shortest way. */
  g_signal_emit_by_name(view, "pixel-chosen", view->mark.x + 8, view->mark.y);
  double moved[3], chosen_u, chosen_v;
  gantry_display_get_cross(window->display, moved);
  ct_project(matrix, moved, &chosen_u, &chosen_v, &w);
  CHECK_NEAR(chosen_u, u + 4, 1e-6);
  CHECK_NEAR(chosen_v, v, 1e-6);
  /* The sinogram is that of the crosshair's height at the axis: magnified twice, 4 mm are 4 rows. */
  gantry_display_set_cross(window->display, cross);
  gtk_widget_activate_action(GTK_WIDGET(window), "win.fourth", "s", "sinogram");
  settle();
  CHECK(last_sinogram && last_projection == 19); /* 14.5 + 4, rounded */
  CHECK(!view->has_mark && view->curve_points == 12);
  for (int k = 0; k < 12; k++) {
    ct_geometry_matrix(&geometry, k, matrix);
    ct_project(matrix, cross, &u, &v, &w);
    CHECK_NEAR(view->curve[k].x, 2 * u + 0.5, 1e-9);
    CHECK_NEAR(view->curve[k].y, k, 0);
  }
  /* The user's row stays until the crosshair comes to another. */
  g_signal_emit_by_name(view, "slice-wanted", 3);
  settle();
  CHECK(last_projection == 3);
  gantry_display_set_cross(window->display, (const double[3]){3, -2, -3.25});
  settle();
  CHECK(last_projection == 11);
  ct_geometry_clear(&geometry);
  drop_window(window);
}

/* Blocks of 2 x 2 x 2, with a part of one at the end of each side and a value that is none. */
static void solids_are_means_of_blocks(void) {
  enum { N = 5 };
  float values[N * N * N];
  for (int k = 0; k < N * N * N; k++) values[k] = (float)(k % N + 10 * (k / N % N) + 100 * (k / N / N));
  values[0] = NAN;
  const ct_grid small = {N, N, N, 2, 3, 4, 10, 20, 30};
  GantrySolid *solid = gantry_solid_new(values, &small, 3);
  CHECK(solid && solid->size[0] == 3 && solid->size[1] == 3 && solid->size[2] == 3);
  CHECK_NEAR(solid->values[0], (0.5 + 5 + 50) * 8 / 7, 1e-4);
  CHECK_NEAR(solid->values[3 * 3 + 3 + 1], 2.5 + 25 + 250, 1e-4);
  CHECK(solid->values[26] == 444 && solid->most == 444);
  CHECK(solid->low[2] == 28 && solid->high[2] == 28 + 3 * 2 * 4);
  gantry_solid_unref(solid);
}

/* Two kinds of values: the threshold parts them; of a volume in the making one slice of each block is read. */
static gboolean read_flat(gpointer user, int z, float *slice) {
  int *reads = user;
  ++*reads;
  for (int i = 0; i < 6 * 6; i++) slice[i] = i % 6 < 3 ? 1 + 0.1F * (float)(z % 2) : 9;
  return z < 40;
}

static void solids_know_their_surface(void) {
  const ct_grid tall = {6, 6, 12, 1, 1, 1, 0, 0, 0};
  int reads = 0;
  GantrySolid *solid = gantry_solid_new_from_slices(&tall, 6, read_flat, &reads);
  CHECK(solid && reads == 6 && solid->size[0] == 3 && solid->size[2] == 6);
  CHECK(solid->threshold > 1.2F && solid->threshold < 9);
  guint all = 0;
  for (int i = 0; i < GANTRY_SOLID_BINS; i++) all += solid->bins[i];
  CHECK(all == 3 * 3 * 6);
  gantry_solid_unref(solid);
  const ct_grid too_tall = {6, 6, 60, 1, 1, 1, 0, 0, 0};
  CHECK(!gantry_solid_new_from_slices(&too_tall, 60, read_flat, &reads));
}

/* A volume is wanted while one is shown, and drawn with a threshold between its values. */
static void scene_shows_the_volume(void) {
  NEED_DISPLAY();
  float values[8] = {0, 1, 2, 3, 4, 5, 6, 7};
  const ct_grid small = {2, 2, 2, 1, 1, 1, 0, 0, 0};
  GantryWindow *window = make_window();
  GantrySceneView *scene = gantry_quad_get_scene(window->quad);
  int wanted = 0;
  g_signal_connect_swapped(window, "solid-wanted", G_CALLBACK(count_up), &wanted);
  CHECK(!gantry_window_wants_solid(window));
  gtk_widget_activate_action(GTK_WIDGET(window), "win.scene-volume", "s", "surface");
  CHECK(wanted == 1 && gantry_window_wants_solid(window) && !gantry_scene_view_shows_solid(scene));
  GantrySolid *solid = gantry_solid_new(values, &small, 4);
  gantry_window_set_solid(window, solid);
  gantry_solid_unref(solid);
  CHECK(gantry_scene_view_shows_solid(scene));
  CHECK(gtk_adjustment_get_lower(scene->threshold) == 0 && gtk_adjustment_get_upper(scene->threshold) == 7);
  CHECK(gtk_adjustment_get_value(scene->threshold) > 0 && gtk_adjustment_get_value(scene->threshold) < 7);
  gtk_widget_activate_action(GTK_WIDGET(window), "win.scene-volume", "s", "maximum");
  CHECK(gantry_window_wants_solid(window));
  /* What is clipped away leaves something. */
  gtk_adjustment_set_value(gantry_scene_view_get_clip(scene, 2, 0), 60);
  gtk_adjustment_set_value(gantry_scene_view_get_clip(scene, 2, 1), 70);
  const ctgl_solid_part shown = gantry_scene_view_get_part(scene);
  CHECK(shown.off_high[2] == 0.7 && shown.off_low[2] + shown.off_high[2] < 1 && shown.off_low[0] == 0 && !shown.corner);
  gtk_widget_activate_action(GTK_WIDGET(window), "win.scene-corner", NULL);
  gantry_display_set_cross(window->display, (const double[]){1, 2, 3});
  const ctgl_solid_part cut = gantry_scene_view_get_part(scene);
  CHECK(cut.corner && cut.at[0] == 1 && cut.at[1] == 2 && cut.at[2] == 3);
  /* Its page is there while a volume is shown. */
  GtkWidget *page = gtk_stack_get_child_by_name(part(window, "plot_pages"), "solid");
  CHECK(page && gtk_stack_page_get_visible(gtk_stack_get_page(part(window, "plot_pages"), page)));
  gtk_widget_activate_action(GTK_WIDGET(window), "win.scene-volume", "s", "none");
  CHECK(!gtk_stack_page_get_visible(gtk_stack_get_page(part(window, "plot_pages"), page)));
  CHECK(!gantry_window_wants_solid(window) && wanted == 3);
  drop_window(window);
}

/* Played, it goes on to the next view when the projection has come. */
static void gantry_plays(void) {
  NEED_DISPLAY();
  GantryWindow *window = make_window();
  gantry_window_set_projection_range(window, 12, 30);
  ct_geometry geometry;
  CHECK(ct_geometry_init(&geometry, CT_BEAM_PARALLEL, 40, 30, 12, NULL));
  gantry_window_set_geometry(window, &geometry, (GantryBins){1, 1, 0});
  gtk_widget_activate_action(GTK_WIDGET(window), "win.play-gantry", NULL);
  check_fourth(window, "scene");
  for (int view = 11; view < 14; view++) {
    g_autoptr(GantryImage) projection = projection_of(view % 12);
    gantry_fourth_show_projection(window->fourth, view % 12);
    gantry_window_set_image(window, CTGL_SLOT_A, projection);
    const int wanted = projections_wanted;
    while (projections_wanted == wanted) g_main_context_iteration(NULL, TRUE);
    CHECK(last_projection == (view + 1) % 12);
  }
  gtk_widget_activate_action(GTK_WIDGET(window), "win.play-gantry", NULL);
  const int wanted = projections_wanted;
  g_usleep(60000);
  settle();
  CHECK(projections_wanted == wanted);
  ct_geometry_clear(&geometry);
  drop_window(window);
}

static const ct_test tests[] = {
    {"scene follows the projection", scene_follows_the_projection},
    {"places are linked", places_are_linked},
    {"solids are means of blocks", solids_are_means_of_blocks},
    {"solids know their surface", solids_know_their_surface},
    {"scene shows the volume", scene_shows_the_volume},
    {"gantry plays", gantry_plays},
};

WIDGET_TEST_MAIN(tests)
