/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the side panel offers and what it says of it: centres, devices and their tuning, the free beam, kernels. */
#include "tests/test.h"
#include "tests/ui/panel-help.h"

#include "recon/geom/questions.h"
#include "ui/plot/plot-private.h"

static void panel_knows_the_centre(void) {
  NEED_DISPLAY();
  g_autoptr(GantryPlanPanel) panel = make_panel();
  const ct_pipeline_facts outcome = {.grid = ct_grid_centred(140, 140, 148, 0.25, NULL),
                                     .centre_u = 69.53,
                                     .centre_confidence = 0.4,
                                     .centre_how = "mirror correlation"};
  const ct_centre_trial trials[] = {
      {68, 3, CT_SHARPNESS_ENTROPY}, {69, 1, CT_SHARPNESS_ENTROPY}, {70, 2, CT_SHARPNESS_ENTROPY}};
  gantry_plan_panel_set_outcome(panel, &outcome, gantry_plan_panel_get_plan(panel), NULL);
  CHECK(!strcmp(placeholder(find_widget(row_of(panel, "centre.column"), GTK_TYPE_SPIN_BUTTON)), "69.53 px, auto"));
  CHECK(find_label_with(GTK_WIDGET(panel), "confidence 40\u00a0%"));
  gantry_plan_panel_set_sweep(panel, trials, 3, 69.3);
  CHECK(gtk_widget_get_visible(panel->sweep_row));
  /* The measure is told by its name also where the arc chose it. */
  CHECK(gantry_plan_panel_get_plan(panel)->centre_sharpness == CT_AUTO_INT);
  CHECK(!strcmp(gantry_plot_get_data(panel->sweep)->panels[0].curves[GANTRY_CURVE_OTHER].title, "best: least entropy"));
  g_signal_emit_by_name(panel->sweep, "clicked", 69.25);
  CHECK(edits == 1 && gantry_plan_panel_get_plan(panel)->centre_u == 69.25);
  CHECK(gantry_plan_panel_get_plan(panel)->centre_method == CT_CENTRE_MANUAL);
  /* "By hand" begins with the centre in use. */
  g_signal_emit_by_name(row_of(panel, "centre.column"), "reset");
  CHECK(gantry_plan_panel_get_plan(panel)->centre_method == CT_CENTRE_AUTO);
  gtk_drop_down_set_selected(GTK_DROP_DOWN(find_widget(row_of(panel, "centre.method"), GTK_TYPE_DROP_DOWN)), 4);
  CHECK(gantry_plan_panel_get_plan(panel)->centre_u == 69.53);
}

/* Other centres where the one in use is doubtful, and a tilt, each by one click. */
static void panel_offers_centres(void) {
  NEED_DISPLAY();
  g_autoptr(GantryPlanPanel) panel = make_panel();
  ct_pipeline_facts outcome = {.grid = ct_grid_centred(140, 140, 148, 0.25, NULL),
                               .centre_u = 69.53,
                               .centre_confidence = 0.2,
                               .centre_how = "found",
                               .found = {.centre = 69.53, .spread = 0.41, .candidates = {69.53, 52.3, 90}, .count = 3},
                               .tilt = {0.42 * G_PI / 180, 0.03 * G_PI / 180, 69.5}};
  gantry_plan_panel_set_outcome(panel, &outcome, gantry_plan_panel_get_plan(panel), NULL);
  CHECK(find_label_with(GTK_WIDGET(panel), "\u00b1\u00a00.41\u00a0px"));
  GtkWidget *other = find_button(GTK_WIDGET(panel), "52.3\u00a0px"),
            *tilt = find_button(GTK_WIDGET(panel), "Set Tilt 0.42\u00b0");
  CHECK(other && tilt && find_button(GTK_WIDGET(panel), "90.0\u00a0px"));
  CHECK(gtk_widget_get_tooltip_text(other) && gtk_widget_get_tooltip_text(tilt));
  g_signal_emit_by_name(tilt, "clicked");
  CHECK(edits == 1 && fabs(gantry_plan_panel_get_plan(panel)->tilt_deg - 0.42) < 1e-9);
  /* The offers are made anew with every change. */
  other = find_button(GTK_WIDGET(panel), "52.3\u00a0px");
  CHECK(other);
  g_signal_emit_by_name(other, "clicked");
  CHECK(edits == 2 && fabs(gantry_plan_panel_get_plan(panel)->centre_u - 52.3) < 1e-9);
  CHECK(gantry_plan_panel_get_plan(panel)->centre_method == CT_CENTRE_MANUAL);
  outcome.centre_confidence = 0.9;
  outcome.tilt = (ct_tilt_found){NAN, NAN, NAN};
  gantry_plan_panel_set_outcome(panel, &outcome, gantry_plan_panel_get_plan(panel), NULL);
  CHECK(!find_button(GTK_WIDGET(panel), "90.0\u00a0px") && !gtk_widget_get_visible(panel->centre_offers));
}

static void panel_offers_what_fits(void) {
  NEED_DISPLAY();
  g_autoptr(GantryPlanPanel) panel = make_panel();
  ct_estimate estimate = {.total = 41e9,
                          .available = 12e9,
                          .fits = false,
                          .advice = "bin 2 × 2",
                          .suggested_bin = 2,
                          .suggested_grid = ct_grid_centred(512, 512, 300, 0.2, NULL)};
  gantry_plan_panel_set_outcome(panel, NULL, NULL, &estimate);
  CHECK(find_label_with(GTK_WIDGET(panel), "only 12") && gtk_widget_has_css_class(panel->memory, "error"));
  g_signal_emit_by_name(panel->use_grid, "clicked");
  CHECK(gantry_plan_panel_get_plan(panel)->nz == 300 && edits == 1);
  g_signal_emit_by_name(panel->use_bin, "clicked");
  CHECK(gantry_plan_panel_get_plan(panel)->bin == 2 && !strcmp(edited_key, "scan.bin"));
  estimate.fits = true;
  gantry_plan_panel_set_outcome(panel, NULL, NULL, &estimate);
  CHECK(!gtk_widget_has_css_class(panel->memory, "error") && !gtk_widget_get_visible(panel->memory_buttons));
  /* What the run takes where it is free is told, and no need. */
  CHECK(!find_label_with(GTK_WIDGET(panel), "for speed"));
  estimate.ahead = 3e9;
  gantry_plan_panel_set_outcome(panel, NULL, NULL, &estimate);
  CHECK(find_label_with(GTK_WIDGET(panel), "Needs 41.0 GB of memory and takes 3.00 GB more for speed"));
}

static const char *device_tip(GantryPlanPanel *panel) {
  GtkWidget *row = row_of(panel, "reconstruction.device");
  return gtk_widget_get_tooltip_text(find_widget(row, GTK_TYPE_DROP_DOWN));
}

static void panel_tells_what_a_device_can_hold(void) {
  NEED_DISPLAY();
  g_autoptr(GantryPlanPanel) panel = make_panel();
  static const ctgl_device_facts devices[] = {{.name = "Card A",
                                               .driver = "4.6",
                                               .storage_block = 2147000000,
                                               .texture_side = 32768,
                                               .texture_layers = 2048,
                                               .shared_memory = 49152,
                                               .group_threads = 1024},
                                              {.name = "pipe", .driver = "4.5", .memory = 8e9, .software = true}};
  gantry_plan_panel_set_devices(panel, devices, 2);
  ct_plan plan = *gantry_plan_panel_get_plan(panel);
  g_strlcpy(plan.device, "Card A", sizeof plan.device);
  gantry_plan_panel_set_plan(panel, &plan);
  const char *tip = device_tip(panel);
  CHECK(strstr(tip, "Card A\nDriver: OpenGL 4.6\nMemory: not told by the driver\nLargest buffer: 2.15 GB\n"));
  CHECK(strstr(tip, "Largest texture: 32768 × 32768, 2048 layers\nShared memory: 49.2 kB, for up to 1024 threads\n"));
  CHECK(!strstr(tip, "Drawn in software"));
  g_strlcpy(plan.device, "pipe", sizeof plan.device);
  gantry_plan_panel_set_plan(panel, &plan);
  tip = device_tip(panel);
  CHECK(strstr(tip, "pipe\nDriver: OpenGL 4.5\nMemory: 8.00 GB\n") && strstr(tip, "Drawn in software"));
}

static const char *tuning_tip(GantryPlanPanel *panel) {
  return gtk_widget_get_tooltip_text(panel->tune);
}

static void panel_tells_of_tuning(void) {
  NEED_DISPLAY();
  g_autoptr(GantryPlanPanel) panel = make_panel();
  static const ctgl_device_facts devices[] = {{.name = "Card A", .driver = "4.6"}, {.name = "pipe", .software = true}};
  CHECK(!gtk_widget_get_visible(panel->tuning_row) && !gantry_plan_panel_get_device(panel));
  gantry_plan_panel_set_devices(panel, devices, 2);
  CHECK(gtk_widget_get_visible(panel->tuning_row) && !strcmp(gantry_plan_panel_get_device(panel)->name, "Card A"));
  CHECK(find_label_with(panel->tuning_row, "Not tuned yet") && strstr(tuning_tip(panel), "on Card A"));
  gantry_plan_panel_set_tuning(panel, "Card A", "Tuned on 3 May 2026: fast.");
  gantry_plan_panel_set_tuning(panel, "Card B", "Tuned never.");
  CHECK(find_label_with(panel->tuning_row, "3 May 2026"));
  ct_plan plan = *gantry_plan_panel_get_plan(panel);
  g_strlcpy(plan.device, "pipe", sizeof plan.device);
  gantry_plan_panel_set_plan(panel, &plan);
  CHECK(find_label_with(panel->tuning_row, "Not tuned yet") && strstr(tuning_tip(panel), "on pipe"));
  gantry_plan_panel_set_tuning_idle(panel, "Something runs.");
  CHECK(!strcmp(tuning_tip(panel), "Something runs.") && find_label_with(panel->tuning_row, "Something runs."));
  gantry_plan_panel_set_tuning_idle(panel, NULL);
  g_strlcpy(plan.device, "none", sizeof plan.device);
  gantry_plan_panel_set_plan(panel, &plan);
  CHECK(find_label_with(panel->tuning_row, "there is no device to tune"));
  g_strlcpy(plan.device, "Card C", sizeof plan.device);
  gantry_plan_panel_set_plan(panel, &plan);
  CHECK(find_label_with(panel->tuning_row, "not on this machine"));
  /* Automatic takes no device that is drawn in software. */
  g_strlcpy(plan.device, "auto", sizeof plan.device);
  gantry_plan_panel_set_plan(panel, &plan);
  gantry_plan_panel_set_devices(panel, devices + 1, 1);
  CHECK(find_label_with(panel->tuning_row, "No graphics card was found") && !gantry_plan_panel_get_device(panel));
  gantry_plan_panel_set_devices(panel, NULL, 0);
  CHECK(!gtk_widget_get_visible(panel->tuning_row) && edits == 0);
}

static void free_beam_is_drawn_and_doubted(void) {
  NEED_DISPLAY();
  g_autoptr(GantryPlanPanel) panel = make_panel();
  /* The way to it is in sight before it is gone. */
  CHECK(find_label_with(panel->rectangle_row, "Draw Free Beam") && panel->plan.prep.i0 == CT_I0_AUTO);
  gantry_plan_panel_set_free_beam(panel, 0.3, 1);
  CHECK(!find_label_with(panel->rectangle_row, "seems to hold"));
  gantry_plan_panel_set_rectangle(panel, (const int[]){3, 4, 20, 30});
  CHECK(find_label_with(panel->rectangle_row, "Draw Free Beam") &&
        !find_label_with(panel->rectangle_row, "seems to hold"));
  gantry_plan_panel_set_free_beam(panel, 0.3, 1);
  CHECK(find_label_with(panel->rectangle_row, "only 30\u00a0% of the brightest light"));
  /* Another rectangle is innocent until it is looked at. */
  gantry_plan_panel_set_rectangle(panel, (const int[]){0, 4, 20, 30});
  CHECK(!find_label_with(panel->rectangle_row, "seems to hold"));
  const ct_pipeline_facts outcome = {.prep = {.i0_mean = 1000, .i0_spread = 0.8}};
  gantry_plan_panel_set_outcome(panel, &outcome, gantry_plan_panel_get_plan(panel), NULL);
  CHECK(find_label_with(panel->rectangle_row, "by 80\u00a0% from view to view"));
  gantry_plan_panel_set_free_beam(panel, 1, 1);
  gantry_plan_panel_set_outcome(panel, NULL, NULL, NULL);
  CHECK(!find_label_with(panel->rectangle_row, "seems to hold"));
}

static GtkDropDown *kernel_list(GantryPlanPanel *panel) {
  return GTK_DROP_DOWN(find_widget(row_of(panel, "reconstruction.kernel"), GTK_TYPE_DROP_DOWN));
}

static const char *kernel_title(GantryPlanPanel *panel, guint n) {
  return gtk_string_list_get_string(GTK_STRING_LIST(gtk_drop_down_get_model(kernel_list(panel))), n);
}

/* What stands against the kernel that is chosen; "" for nothing. */
static const char *objection(GantryPlanPanel *panel) {
  g_autofree char *why = gantry_plan_panel_dup_kernel_refusal(panel);
  return why ? g_intern_string(why) : "";
}

static GantryKernelNote ask(gpointer user, const char *kernel) {
  return (GantryKernelNote){.refusal = g_str_equal(kernel, "any") ? g_strdup("Not today.") : NULL,
                            .measured = g_strdup("21.4 GUPS")};
}

static void kernels_say_what_they_are_not_for(void) {
  NEED_DISPLAY();
  static const ct_bp_kernel flat = {.id = "flat",
                                    .title = "Flat",
                                    .explanation = "x",
                                    .geometry = CT_GEOMETRY_PARALLEL,
                                    .interps = CT_BIT(CT_INTERP_LINEAR),
                                    .precisions = CT_BIT(CT_PRECISION_FLOAT32)},
                            any = {.id = "any",
                                   .title = "Any",
                                   .explanation = "x",
                                   .geometry = CT_GEOMETRY_ANY,
                                   .interps = ~0u,
                                   .precisions = ~0u},
                            card = {.id = "card",
                                    .title = "Card",
                                    .explanation = "x",
                                    .geometry = CT_GEOMETRY_ANY,
                                    .interps = ~0u,
                                    .precisions = ~0u,
                                    .gpu = true};
  static const ct_bp_kernel *const kernels[] = {&flat, &any, &card};
  const ct_backend backend = {.kernels = {kernels, 3}};
  g_autoptr(GantryPlanPanel) panel = make_panel_of(CT_BEAM_PARALLEL, CT_KNOWN_BEAM | CT_KNOWN_ANGLES);
  gantry_plan_panel_set_backend(panel, &backend);
  ct_plan plan = *gantry_plan_panel_get_plan(panel);
  g_strlcpy(plan.kernel, "flat", sizeof plan.kernel);
  gantry_plan_panel_set_plan(panel, &plan);
  /* Automatic, what serves everything, steps of published work, cards. */
  CHECK(!strcmp(kernel_title(panel, 0), "Automatic") && !strcmp(kernel_title(panel, 1), "Any"));
  CHECK(!strcmp(kernel_title(panel, 2), "Flat") && !strcmp(kernel_title(panel, 3), "Card"));
  CHECK(!*objection(panel));
  plan.interp = CT_INTERP_CUBIC;
  gantry_plan_panel_set_plan(panel, &plan);
  CHECK(!strcmp(objection(panel), "Not with cubic interpolation."));
  CHECK(find_label_with(GTK_WIDGET(panel), "Cannot be used now: Not with cubic interpolation.") != NULL);
  plan.interp = CT_INTERP_LINEAR;
  plan.precision = CT_PRECISION_INT16;
  gantry_plan_panel_set_plan(panel, &plan);
  CHECK(!strcmp(objection(panel), "Not in int16."));
  plan.precision = CT_PRECISION_FLOAT32;
  plan.sod = 100, plan.sdd = 200;
  plan.beam = CT_BEAM_CONE;
  gantry_plan_panel_set_plan(panel, &plan);
  CHECK(!strcmp(objection(panel), "Not for cone beam."));
  /* What is chosen stays chosen, and nothing of this is an edit. */
  CHECK(gtk_drop_down_get_selected(kernel_list(panel)) == 2 && edits == 0);
  g_strlcpy(plan.kernel, "card", sizeof plan.kernel);
  gantry_plan_panel_set_plan(panel, &plan);
  CHECK(g_str_has_prefix(objection(panel), "Needs a graphics device"));
  g_strlcpy(plan.kernel, "any", sizeof plan.kernel);
  gantry_plan_panel_set_plan(panel, &plan);
  CHECK(!*objection(panel));
  gantry_plan_panel_set_ask_kernel(panel, ask, NULL);
  CHECK(!strcmp(objection(panel), "Not today."));
  gantry_plan_panel_set_scan(panel, NULL, NULL);
  CHECK(!*objection(panel));
}

static const ct_test tests[] = {
    {"panel knows the centre", panel_knows_the_centre},
    {"other centres and a tilt are offered", panel_offers_centres},
    {"panel offers what fits", panel_offers_what_fits},
    {"panel tells what a device can hold", panel_tells_what_a_device_can_hold},
    {"panel tells how a device is tuned", panel_tells_of_tuning},
    {"free beam is drawn, and doubted where it holds object", free_beam_is_drawn_and_doubted},
    {"kernels say what they are not for", kernels_say_what_they_are_not_for},
};

WIDGET_TEST_MAIN(tests)
