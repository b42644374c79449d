/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shows the window with a phantom in it and nothing behind it, to look at its states: start, work, running, error,
 * compare, iterate (an iterative plan, three runs), tight (a plan that does not fit into memory). Not a test.
 * window-demo [--state=NAME] [--style=light|dark]
 * [--open=SECTION[,SECTION]] [--page=NAME] [--size=WxH] */
#include "recon/bp/kernel.h"
#include "recon/fp/projector.h"
#include "recon/phantom/phantom.h"
#include "ui/window/window.h"

#include <math.h>
#include <string.h>

#define VOXELS 160

static char *state = (char *)"work", *style = (char *)"light", *opened = (char *)"", *page = (char *)"profile",
            *size = (char *)"1280x800";

static const GOptionEntry options[] = {{"state", 0, 0, G_OPTION_ARG_STRING, &state, "State to show", "NAME"},
                                       {"style", 0, 0, G_OPTION_ARG_STRING, &style, "light or dark", "NAME"},
                                       {"open", 0, 0, G_OPTION_ARG_STRING, &opened, "Sections to unfold", "NAMES"},
                                       {"page", 0, 0, G_OPTION_ARG_STRING, &page, "Page of the plots", "NAME"},
                                       {"size", 0, 0, G_OPTION_ARG_STRING, &size, "Size of the window", "WxH"},
                                       {0}};

static void nothing(GSimpleAction *action, GVariant *value, gpointer user) {}

static void add_actions(GantryWindow *window) {
  static const char *const names[] = {
      "open",          "open-folder",   "open-example",   "choose-source",   "close-scan",
      "save-volume",   "save-slice",    "save-plan",      "load-plan",       "reconstruct",
      "finish",        "cancel",        "find-centre",    "sweep-centre",    "undo",
      "redo",          "set-reference", "open-reference", "clear-reference", "continue",
      "compare-direct"};
  const GActionEntry stateful[] = {{.name = "pause", .state = "false"},
                                   {.name = "auto-preview", .state = "true"},
                                   {.name = "open-recent", .parameter_type = "s", .activate = nothing}};
  for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
    const GActionEntry entry = {.name = names[i], .activate = nothing};
    g_action_map_add_action_entries(G_ACTION_MAP(window), &entry, 1, NULL);
  }
  g_action_map_add_action_entries(G_ACTION_MAP(window), stateful, G_N_ELEMENTS(stateful), NULL);
}

static void show_slices(GantryWindow *window, const ct_volume *volume, ctgl_slot slot, float tilt) {
  int wanted[3];
  gantry_window_get_wanted(window, wanted);
  for (int k = 0; k < 3; k++) {
    const ct_plane plane = (ct_plane)k;
    GantryImage *image = gantry_image_new_for_plane(ct_volume_grid(volume), plane, wanted[k]);
    ct_volume_copy_plane(volume, plane, wanted[k], image->pixels);
    for (int i = 0; i < image->width * image->height; i++)
      image->pixels[i] += tilt * (float)((i % image->width) - image->width / 2);
    gantry_window_set_image(window, slot, image);
    gantry_image_unref(image);
  }
}

static void show_projection(GantryWindow *window, const ct_phantom *phantom, const ct_geometry *geometry, int view) {
  ct_geometry one;
  ct_error *error = NULL;
  if (!ct_geometry_copy(&one, geometry, &error) || !ct_geometry_take_views(&one, view, 1, 1, &error))
    g_error("%s", error->message);
  ct_stack *stack = ct_phantom_project(phantom, 60, 0.02, &one, 1, NULL, &error);
  GantryImage *image = gantry_image_new(one.nu, one.nv);
  memcpy(image->pixels, ct_stack_get_view(stack, 0), ct_stack_bytes(stack));
  image->spacing_x = image->spacing_y = 1;
  image->kind = GANTRY_VIEW_PROJECTION;
  image->index = view;
  image->position = one.angles[0] * 180 / G_PI;
  gantry_window_set_image(window, CTGL_SLOT_A, image);
  gantry_image_unref(image);
  ct_stack_free(stack);
  ct_geometry_clear(&one);
}

static void show_plan(GantryWindow *window, const ct_geometry *geometry, const ct_grid *grid) {
  GantryPlanPanel *panel = gantry_window_get_panel(window);
  const ct_backend processor = ct_backend_of_processor();
  ct_plan plan;
  ct_scan_facts facts = {.geometry = *geometry,
                         .known = CT_KNOWN_ANGLES | CT_KNOWN_DISTANCES | CT_KNOWN_BEAM,
                         .values = CT_VALUES_COUNTS,
                         .path = "/data/bell-pepper",
                         .format = "TIFF stack",
                         .bytes = 14950000,
                         .integers = true};
  ct_pipeline_facts outcome = {.geometry = geometry,
                               .grid = *grid,
                               .centre_u = 95.62,
                               .centre_confidence = 0.93,
                               .centre_how = "mirror correlation",
                               .kernel = processor.kernels.kernels[processor.kernels.count - 1],
                               .kernel_why =
                                   "Windows along z (AVX-512): the fastest on this machine for cone beam, 192 × 192 × "
                                   "192 voxels, linear interpolation, float32; next would be Windows along z (AVX2)."};
  const gboolean tight = g_str_equal(state, "tight");
  ct_estimate estimate = {.total = tight ? 41e9 : 312e6,
                          .available = 12.4e9,
                          .fits = !tight,
                          .suggested_bin = 2,
                          .suggested_grid = ct_grid_centred(512, 512, 300, 0.2, NULL)};
  g_strlcpy(estimate.advice, "bin 2 × 2 (needs 5.1 GB), or 512 × 512 × 300 voxels (9.8 GB)", sizeof estimate.advice);
  ct_plan_init(&plan);
  gantry_plan_panel_set_backend(panel, &processor);
  gantry_plan_panel_set_scan(panel, "bell-pepper", &facts);
  plan.filter.window = CT_WINDOW_HANN;
  plan.filter.cutoff = 0.8;
  if (g_str_equal(state, "iterate")) {
    plan.iterative.method = CT_METHOD_OS_SART;
    outcome.projector = ct_projector_find("textbook");
    g_strlcpy(outcome.projector_why, "It is the fastest of those that suit a cone beam.", sizeof outcome.projector_why);
  }
  gantry_plan_panel_set_plan(panel, &plan);
  gantry_plan_panel_set_outcome(panel, &outcome, &plan, &estimate);
  if (strstr(opened, "Centre")) {
    ct_centre_trial trials[41];
    for (int i = 0; i < 41; i++) {
      trials[i].centre = 85.62 + 0.5 * i;
      trials[i].measure = CT_SHARPNESS_GRADIENT;
      trials[i].metric = 0.8 - 0.6 * exp(-pow((trials[i].centre - 95.62) / 2.5, 2)) + 0.01 * sin(i * 1.7);
    }
    gantry_plan_panel_set_sweep(panel, trials, 41, 95.58);
  }
}

static void show_compare(GantryWindow *window, const ct_volume *volume) {
  const ct_statistics statistics = {
      .min = -0.0031, .max = 0.0412, .mean = 0.00421, .deviation = 0.00637, .count = 4096000};
  const ct_metrics metrics = {.rmse = 0.000412,
                              .relative_rmse = 0.0541,
                              .max_abs = 0.0093,
                              .max_at = {81, 20, 77},
                              .psnr = 39.8,
                              .ssim = 0.9713,
                              .pearson_r = 0.999312,
                              .slope = 1.0021,
                              .count = 4096000};
  const gboolean compare = g_str_equal(state, "compare");
  if (compare) {
    show_slices(window, volume, CTGL_SLOT_B, 2e-5f);
    gantry_window_set_result_titles(window, "volume 160³, 361 views", "volume 160³, Ram-Lak");
    gtk_widget_activate_action(GTK_WIDGET(window), "win.mode", "s", "swipe");
  } else {
    gantry_window_set_result_titles(window, "volume 160³, 361 views", NULL);
  }
  gantry_window_set_statistics(window, &statistics, compare ? &metrics : NULL);
}

/* Residuals as runs have them: some begin fast, some end low. */
static void show_runs(GantryWindow *window) {
  static const struct {
    const char *name;
    double fall, floor;
    int count;
  } runs[] = {{"SIRT", 0.7, 0.03, 50}, {"CGLS", 1.4, 0.012, 22}, {"OS-SART 10 subsets", 1.9, 0.02, 14}};
  for (gsize r = 0; r < G_N_ELEMENTS(runs); r++) {
    ct_iteration points[50];
    for (int i = 0; i < runs[r].count; i++) {
      const double residual = runs[r].floor + 0.8 * pow(i + 1.3, -runs[r].fall);
      points[i] = (ct_iteration){.index = i + 1,
                                 .seconds = 0.21 + 0.01 * sin(i),
                                 .residual = residual,
                                 .change = residual / 4,
                                 .rmse = 0.002 * residual,
                                 .relative_rmse = residual,
                                 .ssim = i % 5 ? NAN : 1 - residual};
    }
    const guint run = gantry_window_add_run(window, runs[r].name, "Method: as its name says");
    gantry_window_set_run(window, run, points, (gsize)runs[r].count, r == 2 ? 20 : 0);
  }
  gantry_window_set_continue(window, 20);
}

static void show_work(GantryWindow *window) {
  ct_error *error = NULL;
  ct_geometry geometry;
  const ct_phantom *phantom = ct_phantom_find("shepp-logan-3d");
  const ct_grid grid = ct_grid_centred(VOXELS, VOXELS, VOXELS, 0.8, NULL);
  ct_volume *volume = ct_volume_new(&grid, &error);
  if (!volume || !ct_phantom_voxelise(phantom, 60, 0.02, 2, volume, NULL, &error) ||
      !ct_geometry_init(&geometry, CT_BEAM_CONE, 192, 180, 361, &error)) {
    g_error("%s", error->message);
  }
  geometry.du = geometry.dv = 1;
  geometry.sod = 500, geometry.sdd = 800;
  ct_geometry_set_arc(&geometry, 0, 2 * G_PI / 361);
  gantry_window_show_scan(window, "bell-pepper", "Cone beam · 361 views of 192 × 180");
  gantry_window_set_grid(window, &grid);
  gantry_window_set_projection_range(window, geometry.views, geometry.nv);
  show_plan(window, &geometry, &grid);
  if (g_str_equal(state, "iterate")) show_runs(window);
  if (!g_str_equal(state, "empty")) {
    show_slices(window, volume, CTGL_SLOT_A, 0);
    show_projection(window, phantom, &geometry, 30);
    show_compare(window, volume);
    gantry_display_set_profile(gantry_window_get_display(window), GANTRY_VIEW_AXIAL, (ctgl_point){-40, -22},
                               (ctgl_point){46, 18});
  }
  ct_geometry_clear(&geometry);
  ct_volume_free(volume);
}

static void find_stack(GtkWidget *widget, GantryWindow *window) {
  if (GTK_IS_STACK(widget) && gtk_stack_get_child_by_name(GTK_STACK(widget), "histogram"))
    gtk_stack_set_visible_child_name(GTK_STACK(widget), page);
  if (ADW_IS_EXPANDER_ROW(widget) && strstr(opened, adw_preferences_row_get_title(ADW_PREFERENCES_ROW(widget)))) {
    adw_expander_row_set_expanded(ADW_EXPANDER_ROW(widget), TRUE);
  }
  for (GtkWidget *child = gtk_widget_get_first_child(widget); child; child = gtk_widget_get_next_sibling(child))
    find_stack(child, window);
}

static void activate(GtkApplication *application, gpointer user) {
  static const char *const uris[] = {"file:///data/scans/tooth.h5", "file:///data/scans/bell-pepper",
                                     "file:///data/walnut.h5", NULL};
  static const char *const names[] = {"tooth.h5", "bell-pepper", "walnut.h5", NULL};
  GantryWindow *window = gantry_window_new(application, NULL);
  int width = 1280, height = 800;
  sscanf(size, "%dx%d", &width, &height);
  add_actions(window);
  gantry_window_set_recent(window, uris, names);
  gtk_widget_activate_action(GTK_WIDGET(window), "win.style", "s", style);
  gtk_window_set_default_size(GTK_WINDOW(window), width, height);
  if (!g_str_equal(state, "start")) show_work(window);
  find_stack(GTK_WIDGET(window), window);
  if (g_str_equal(state, "running")) {
    const ct_progress progress = {.stage = CT_STAGE_BACKPROJECTING, .done = 184, .total = 361};
    gantry_window_set_progress(window, &progress, "Back-projecting 184 / 361 · 21.4 GUPS · 3 s left · 210 MB");
  }
  if (g_str_equal(state, "error")) {
    gantry_window_show_error(window, "bell-pepper/0172.tif: the picture ends after row 97 of 140. "
                                     "Copy the file again, or leave this view out with “Every n-th view”.");
    gantry_window_set_busy(window, TRUE, "Reconstructing slices…");
    gantry_window_toast(window, GANTRY_ABOUT_RUN, "Volume done in 3.2 s", "Save…", "win.save-volume");
  }
  gtk_window_present(GTK_WINDOW(window));
}

int main(int argc, char **argv) {
  g_autoptr(AdwApplication) application = adw_application_new("org.gantry.Demo", G_APPLICATION_NON_UNIQUE);
  g_application_set_resource_base_path(G_APPLICATION(application), "/org/gantry/Gantry");
  g_application_add_main_option_entries(G_APPLICATION(application), options);
  g_signal_connect(application, "activate", G_CALLBACK(activate), NULL);
  return g_application_run(G_APPLICATION(application), argc, argv);
}
