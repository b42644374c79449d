/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The side panel made from the table of parameters, its numbers, and what it says. */
#include "tests/test.h"
#include "tests/ui/panel-help.h"

#include "ui/plan/number.h"

static void numbers_are_read_and_written(void) {
  static const struct {
    const char *key, *typed;
    double value;
    const char *shown;
  } cases[] = {{"geometry.sod", "500", 500, "500 mm"},
               {"geometry.sod", " 500.25 mm ", 500.25, "500.25 mm"},
               {"geometry.tilt", "−0,5°", -0.5, "−0.5°"},
               {"geometry.tilt", "-0.0001", -0.0001, "−0.0001°"},
               {"geometry.sod", "1e3", 1000, "1000 mm"},
               {"filter.cutoff", "0.125", 0.125, "0.125 × Nyquist"},
               {"scan.bin", "4 px", 4, "4 px"},
               {"corrections.floor", "0.00001", 1e-5, "0.00001"},
               {"geometry.pixel_u", "1e-7", 1e-7, "0.0000001 mm"}};
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    const ct_param *param = ct_param_find(cases[i].key);
    double value;
    CHECK(gantry_number_parse(param, cases[i].typed, &value) && value == cases[i].value);
    g_autofree char *text = gantry_number_text(param, value, 30);
    if (strcmp(text, cases[i].shown) != 0) CT_TEST_END(1, "“%s” is shown as “%s”", cases[i].typed, text);
    CHECK(gantry_number_parse(param, text, &value) && value == cases[i].value);
  }
  static const char *const wrong[] = {"", "mm", "5 kg", "1,2.3", "inf", "nan", "0x", "5 mm mm", "--5"};
  double value;
  for (gsize i = 0; i < G_N_ELEMENTS(wrong); i++)
    CHECK(!gantry_number_parse(ct_param_find("geometry.sod"), wrong[i], &value));
  const ct_param *centre = ct_param_find("centre.column");
  g_autofree char *rounded = gantry_number_text(centre, 295.924585, 0);
  g_autofree char *fitted = gantry_number_text(centre, 295.924585, 11);
  CHECK(!strcmp(rounded, "295.925 px") && !strcmp(fitted, "295.9246 px"));
}

typedef struct {
  const char *key, *words; /* NULL: nothing is said */
} said;

static void check_words(const said *cases, gsize count, char *(*words_of)(const ct_param *)) {
  for (gsize i = 0; i < count; i++) {
    const ct_param *param = ct_param_find(cases[i].key);
    if (!param) CT_TEST_END(1, "no parameter %s", cases[i].key);
    g_autofree char *words = words_of(param);
    if (g_strcmp0(words, cases[i].words) != 0) CT_TEST_END(1, "%s is said to be %s", cases[i].key, words);
  }
}

static void ranges_are_words_without_exponents(void) {
  static const said cases[] = {{"geometry.sod", "0.001 to 10\u202f000\u202f000 mm"},
                               {"geometry.pixel_u", "above 0, at most 10\u202f000 mm"},
                               {"geometry.tilt", "−90 to 90°"},
                               {"geometry.angle_first", "−36\u202f000 to 36\u202f000°"},
                               {"corrections.outliers", "0 to 1000 σ"},
                               {"filter.cutoff", "0.01 to 1 × Nyquist"}};
  check_words(cases, G_N_ELEMENTS(cases), gantry_number_range);
  if (ct_test_state) return;
  size_t count;
  const ct_param *params = ct_params(&count);
  for (size_t i = 0; i < count; i++) {
    if (params[i].type != CT_PARAM_REAL && params[i].type != CT_PARAM_INT) continue;
    g_autofree char *range = gantry_number_range(&params[i]);
    CHECK(!strstr(range, "e+") && !strstr(range, "e-"));
  }
}

/* A tooltip names the limits that somebody may meet. */
static void bounds_leave_out_extremes(void) {
  static const said cases[] = {{"geometry.sod", "At least 0.001 mm."},
                               {"geometry.pixel_u", "Above 0."},
                               {"geometry.angle_first", NULL},
                               {"geometry.tilt", "Range: −90 to 90°."},
                               {"corrections.i0_x", "Not negative."},
                               {"reconstruction.nx", "At least 1."},
                               {"filter.cutoff", "Range: 0.01 to 1 × Nyquist."}};
  check_words(cases, G_N_ELEMENTS(cases), gantry_number_bounds);
}

static gboolean notices_beam(GantryPlanPanel *panel) {
  return gtk_widget_get_visible(panel->beam_notice);
}

static void an_assumed_beam_is_noticed(void) {
  NEED_DISPLAY();
  g_autoptr(GantryPlanPanel) told = make_panel();
  CHECK(!notices_beam(told));
  g_autoptr(GantryPlanPanel) panel = make_panel_of(CT_BEAM_PARALLEL, 0);
  CHECK(notices_beam(panel));
  CHECK(strstr(gtk_label_get_text(GTK_LABEL(panel->beam_words)),
               "neither its beam nor its angles: parallel beam over 360°"));
  g_autofree char *summary =
      gantry_plan_summarise(gantry_plan_panel_get_plan(panel), &panel->facts, CT_SECTION_GEOMETRY);
  CHECK(g_str_has_prefix(summary, "Parallel beam assumed, "));
  /* Distances alone make it a point source, which is no assumption. */
  ct_plan plan = *gantry_plan_panel_get_plan(panel);
  plan.sod = 100;
  gantry_plan_panel_set_plan(panel, &plan);
  CHECK(notices_beam(panel));
  plan.sdd = 200;
  gantry_plan_panel_set_plan(panel, &plan);
  CHECK(!notices_beam(panel));
  g_autofree char *cone = gantry_plan_summarise(&plan, &panel->facts, CT_SECTION_GEOMETRY);
  CHECK(g_str_has_prefix(cone, "Cone beam, "));
  plan.sod = plan.sdd = NAN;
  gantry_plan_panel_set_plan(panel, &plan);
  GtkWidget *buttons = gtk_widget_get_last_child(panel->beam_notice);
  CHECK(!adw_expander_row_get_expanded(panel->section[CT_SECTION_GEOMETRY].expander));
  g_signal_emit_by_name(gtk_widget_get_first_child(buttons), "clicked");
  CHECK(adw_expander_row_get_expanded(panel->section[CT_SECTION_GEOMETRY].expander) && notices_beam(panel));
  g_signal_emit_by_name(gtk_widget_get_last_child(buttons), "clicked");
  CHECK(edits == 1 && gantry_plan_panel_get_plan(panel)->beam == CT_BEAM_PARALLEL && !notices_beam(panel));
  gantry_plan_panel_set_scan(panel, NULL, NULL);
  CHECK(!notices_beam(panel));
}

static void panel_has_a_row_for_every_parameter(void) {
  NEED_DISPLAY();
  g_autoptr(GantryPlanPanel) panel = make_panel();
  size_t count;
  const ct_param *params = ct_params(&count);
  CHECK(panel->rows->len == count);
  for (size_t i = 0; i < count; i++) {
    GtkWidget *row = row_of(panel, params[i].key);
    CHECK(row != NULL);
    CHECK(gtk_widget_get_tooltip_text(row) && strstr(gtk_widget_get_tooltip_text(row), params[i].tip));
  }
  CHECK(edits == 0);
}

static void panel_takes_typed_numbers(void) {
  NEED_DISPLAY();
  g_autoptr(GantryPlanPanel) panel = make_panel();
  type(panel, "filter.cutoff", "0,625 × Nyquist");
  CHECK(edits == 1 && !strcmp(edited_key, "filter.cutoff"));
  CHECK(gantry_plan_panel_get_plan(panel)->filter.cutoff == 0.625);
  CHECK(!strcmp(shown(panel, "filter.cutoff"), "0.625 × Nyquist"));
  CHECK(gtk_widget_has_css_class(row_of(panel, "filter.cutoff"), "changed"));
  /* Leaving the field does not round what was typed. */
  type(panel, "filter.cutoff", "0.123456789");
  gtk_spin_button_update(GTK_SPIN_BUTTON(find_widget(row_of(panel, "filter.cutoff"), GTK_TYPE_SPIN_BUTTON)));
  CHECK(edits == 2 && gantry_plan_panel_get_plan(panel)->filter.cutoff == 0.123456789);
}

static void panel_refuses_nonsense_and_says_why(void) {
  NEED_DISPLAY();
  static const struct {
    const char *key, *text, *words;
  } cases[] = {{"filter.cutoff", "soft", "not a number"},
               {"filter.cutoff", "1.5", "0.01 to 1"},
               {"filter.cutoff", "0.5 mm", "not a number"},
               {"scan.bin", "1.5", "not a whole number"},
               {"scan.bin", "17", "1 to 16"},
               {"corrections.outliers", "-3", "0 to 1000"},
               {"corrections.outliers", "nan", "not a number"}};
  g_autoptr(GantryPlanPanel) panel = make_panel();
  ct_plan before = *gantry_plan_panel_get_plan(panel);
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    g_autofree char *kept = g_strdup(shown(panel, cases[i].key));
    type(panel, cases[i].key, cases[i].text);
    const char *why = find_label_with(row_of(panel, cases[i].key), cases[i].words);
    if (!why) CT_TEST_END(1, "nothing was said about “%s” for %s", cases[i].text, cases[i].key);
    CHECK(edits == 0 && ct_plan_equal(&before, gantry_plan_panel_get_plan(panel)));
    CHECK(!strcmp(kept, shown(panel, cases[i].key)));
  }
}

static GtkWidget *reset_of(GantryPlanPanel *panel, const char *key) {
  /* The last of the row's first line. */
  return gtk_widget_get_last_child(gtk_widget_get_first_child(gtk_widget_get_first_child(row_of(panel, key))));
}

/* The field is empty while the program decides; what it takes is the placeholder. The arrow gives the value back. */
static void panel_shows_and_takes_over_automatic_values(void) {
  NEED_DISPLAY();
  g_autoptr(GantryPlanPanel) panel = make_panel();
  GtkWidget *spin = find_widget(row_of(panel, "geometry.sod"), GTK_TYPE_SPIN_BUTTON);
  CHECK(!strcmp(shown(panel, "geometry.sod"), "") && !strcmp(placeholder(spin), "500 mm, auto"));
  CHECK(!find_widget(row_of(panel, "geometry.sod"), GTK_TYPE_TOGGLE_BUTTON));
  /* Stepping begins at the automatic value. */
  gtk_spin_button_spin(GTK_SPIN_BUTTON(spin), GTK_SPIN_STEP_FORWARD, 1);
  CHECK(edits == 1 && gantry_plan_panel_get_plan(panel)->sod == 501 && !strcmp(shown(panel, "geometry.sod"), "501 mm"));
  g_signal_emit_by_name(reset_of(panel, "geometry.sod"), "clicked");
  CHECK(edits == 2 && isnan(gantry_plan_panel_get_plan(panel)->sod) && !strcmp(shown(panel, "geometry.sod"), ""));
  type(panel, "geometry.sod", "500");
  CHECK(edits == 3 && gantry_plan_panel_get_plan(panel)->sod == 500 && !strcmp(shown(panel, "geometry.sod"), "500 mm"));
  type(panel, "geometry.sod", "");
  CHECK(edits == 4 && isnan(gantry_plan_panel_get_plan(panel)->sod));
  /* The number of voxels is not known before the pipeline ran. */
  spin = find_widget(row_of(panel, "reconstruction.nx"), GTK_TYPE_SPIN_BUTTON);
  CHECK(!strcmp(shown(panel, "reconstruction.nx"), "") && !strcmp(placeholder(spin), "auto"));
  type(panel, "reconstruction.nx", "256");
  CHECK(edits == 5 && gantry_plan_panel_get_plan(panel)->nx == 256);
  type(panel, "reconstruction.nx", "auto");
  CHECK(edits == 6 && gantry_plan_panel_get_plan(panel)->nx == CT_AUTO_INT);
}

/* A window with all sections unfolded. */
static GtkWidget *show_unfolded(GantryPlanPanel *panel) {
  GtkWidget *window = gtk_window_new();
  gtk_window_set_child(GTK_WINDOW(window), GTK_WIDGET(panel));
  for (int s = 0; s < CT_SECTIONS; s++) adw_expander_row_set_expanded(panel->section[s].expander, TRUE);
  gtk_window_present(GTK_WINDOW(window));
  settle();
  return window;
}

/* In a window and with the keyboard, as a person does. */
static void panel_takes_what_it_does_not_know(void) {
  NEED_DISPLAY();
  g_autoptr(GantryPlanPanel) panel = make_panel();
  GtkWidget *window = show_unfolded(panel);
  GtkWidget *spin = find_widget(row_of(panel, "reconstruction.nx"), GTK_TYPE_SPIN_BUTTON);
  CHECK(!*gtk_editable_get_text(GTK_EDITABLE(spin)));
  /* Passing through decides nothing. */
  gtk_widget_grab_focus(spin);
  gtk_spin_button_update(GTK_SPIN_BUTTON(spin));
  CHECK(edits == 0 && gantry_plan_panel_get_plan(panel)->nx == CT_AUTO_INT);
  /* The number that the adjustment holds, unseen, counts as much as any other. */
  const int hidden = (int)gtk_spin_button_get_value(GTK_SPIN_BUTTON(spin));
  g_autofree char *typed = g_strdup_printf("%d", hidden);
  gtk_editable_set_text(GTK_EDITABLE(spin), typed);
  gtk_spin_button_update(GTK_SPIN_BUTTON(spin));
  CHECK(edits == 1 && gantry_plan_panel_get_plan(panel)->nx == hidden);
  CHECK(g_str_has_prefix(gtk_editable_get_text(GTK_EDITABLE(spin)), typed));
  g_signal_emit_by_name(reset_of(panel, "reconstruction.nx"), "clicked");
  gtk_widget_grab_focus(spin);
  gtk_editable_set_text(GTK_EDITABLE(spin), "200");
  gtk_spin_button_update(GTK_SPIN_BUTTON(spin));
  CHECK(edits == 3 && gantry_plan_panel_get_plan(panel)->nx == 200);
  CHECK(g_str_has_prefix(gtk_editable_get_text(GTK_EDITABLE(spin)), "200"));
  gtk_window_destroy(GTK_WINDOW(window));
}

static void panel_lets_people_finish_typing(void) {
  NEED_DISPLAY();
  g_autoptr(GantryPlanPanel) panel = make_panel();
  GtkWidget *window = show_unfolded(panel);
  GtkWidget *spin = find_widget(row_of(panel, "filter.cutoff"), GTK_TYPE_SPIN_BUTTON);
  gtk_widget_grab_focus(spin);
  gtk_editable_set_text(GTK_EDITABLE(spin), "0.7");
  gantry_plan_panel_set_outcome(panel, NULL, NULL, NULL);
  CHECK(!strcmp(gtk_editable_get_text(GTK_EDITABLE(spin)), "0.7"));
  gtk_spin_button_update(GTK_SPIN_BUTTON(spin));
  CHECK(edits == 1 && gantry_plan_panel_get_plan(panel)->filter.cutoff == 0.7);
  CHECK(!strcmp(gtk_editable_get_text(GTK_EDITABLE(spin)), "0.7 × Nyquist"));
  /* And going back to the former value counts as an edit again. */
  type(panel, "filter.cutoff", "1");
  CHECK(edits == 2 && gantry_plan_panel_get_plan(panel)->filter.cutoff == 1);
  gtk_window_destroy(GTK_WINDOW(window));
}

static void panel_resets_values(void) {
  NEED_DISPLAY();
  g_autoptr(GantryPlanPanel) panel = make_panel();
  ct_plan plan, fresh;
  ct_plan_init(&plan), ct_plan_init(&fresh);
  plan.filter.window = CT_WINDOW_HANN;
  gantry_plan_panel_set_plan(panel, &plan);
  CHECK(edits == 0);
  GtkWidget *row = row_of(panel, "filter.window");
  CHECK(gtk_drop_down_get_selected(GTK_DROP_DOWN(find_widget(row, GTK_TYPE_DROP_DOWN))) == 5);
  g_signal_emit_by_name(row, "reset");
  CHECK(edits == 1 && ct_plan_equal(&fresh, gantry_plan_panel_get_plan(panel)));
  gtk_drop_down_set_selected(GTK_DROP_DOWN(find_widget(row, GTK_TYPE_DROP_DOWN)), 0);
  CHECK(edits == 2 && gantry_plan_panel_get_plan(panel)->filter.window == CT_WINDOW_NONE);
  CHECK(!gtk_widget_get_visible(row_of(panel, "filter.cutoff")));
}

static void panel_reads_as_the_recipe(void) {
  NEED_DISPLAY();
  g_autoptr(GantryPlanPanel) panel = make_panel();
  static const char *const words[CT_SECTIONS] = {"361 views of 140 × 148 px",
                                                 "Cone beam, 360°, magnified 1.6 times, 0.4 mm pixels, pitch assumed",
                                                 "Intensity from the border, logarithm",
                                                 "Automatic",
                                                 "Ram-Lak",
                                                 "Voxels to fit the detector",
                                                 "Direct: filtered back-projection",
                                                 "32-bit float"};
  for (int s = 0; s < CT_SECTIONS; s++) {
    const char *subtitle = adw_expander_row_get_subtitle(panel->section[s].expander);
    if (!strstr(subtitle, words[s])) CT_TEST_END(1, "%s reads “%s”", ct_section_title((ct_section)s), subtitle);
  }
  type(panel, "scan.view_step", "2");
  type(panel, "filter.cutoff", "0.5");
  CHECK(strstr(adw_expander_row_get_subtitle(panel->section[CT_SECTION_SCAN].expander), "every second one"));
  CHECK(strstr(adw_expander_row_get_subtitle(panel->section[CT_SECTION_FILTER].expander), "up to 0.5 × Nyquist"));
  CHECK(gtk_widget_get_visible(panel->section[CT_SECTION_FILTER].changed));
  gantry_plan_panel_set_scan(panel, NULL, NULL);
  CHECK(!strcmp(adw_expander_row_get_subtitle(panel->section[CT_SECTION_SCAN].expander), "No scan is open"));
  CHECK(!gtk_widget_get_sensitive(panel->content));
}

/* The closed panel says what is asked for before anything is made of it, and when nothing can be. */
static void summaries_follow_what_is_asked_for(void) {
  NEED_DISPLAY();
  g_autoptr(GantryPlanPanel) panel = make_panel();
  AdwExpanderRow *reconstruction = panel->section[CT_SECTION_RECONSTRUCTION].expander;
  ct_pipeline_facts outcome = {.grid = ct_grid_centred(256, 256, 256, 0.5, NULL),
                               .centre_u = 69.5,
                               .centre_how = "as the scan says",
                               .centre_confidence = NAN};
  gantry_plan_panel_set_outcome(panel, &outcome, gantry_plan_panel_get_plan(panel), NULL);
  CHECK(!strcmp(adw_expander_row_get_subtitle(reconstruction), "256 × 256 × 256 voxels of 0.5 mm"));
  const ct_grid finer = ct_grid_centred(4000, 4000, 300, 0.032, NULL);
  gantry_plan_panel_set_grid(panel, &finer, "too large for a preview");
  CHECK(!strcmp(adw_expander_row_get_subtitle(reconstruction),
                "4000 × 4000 × 300 voxels of 0.032 mm, too large for a preview"));
  CHECK(!strcmp(placeholder(find_widget(row_of(panel, "reconstruction.nz"), GTK_TYPE_SPIN_BUTTON)), "300, auto"));
  const ct_estimate estimate = {.total = 41e9, .available = 12e9};
  gantry_plan_panel_set_estimate(panel, &estimate);
  gantry_plan_panel_set_grid(panel, &finer, NULL);
  CHECK(!strcmp(adw_expander_row_get_subtitle(reconstruction),
                "4000 × 4000 × 300 voxels of 0.032 mm, does not fit into memory"));
  /* Another way to find the centre has found none yet. */
  AdwExpanderRow *centre = panel->section[CT_SECTION_CENTRE].expander;
  CHECK(!strcmp(adw_expander_row_get_subtitle(centre), "69.50 px, as the scan says"));
  ct_plan plan = *gantry_plan_panel_get_plan(panel);
  plan.centre_method = CT_CENTRE_SWEEP;
  gantry_plan_panel_set_plan(panel, &plan);
  CHECK(
      !strcmp(adw_expander_row_get_subtitle(centre), gantry_plan_choice_title(&plan, ct_param_find("centre.method"))));
  /* Nor has a run that ends after the edit. */
  plan.centre_method = CT_CENTRE_AUTO;
  outcome.centre_confidence = 0.2;
  gantry_plan_panel_set_outcome(panel, &outcome, &plan, NULL);
  CHECK(!strcmp(adw_expander_row_get_subtitle(centre),
                gantry_plan_choice_title(gantry_plan_panel_get_plan(panel), ct_param_find("centre.method"))));
  gantry_plan_panel_set_plan(panel, &plan);
  CHECK(!strcmp(adw_expander_row_get_subtitle(centre), "69.50 px, as the scan says, uncertain (0.2)"));
}

static void panel_folds_away_what_is_rarely_touched(void) {
  NEED_DISPLAY();
  g_autoptr(GantryPlanPanel) panel = make_panel();
  CHECK(!gtk_widget_get_visible(row_of(panel, "scan.first_view")));
  g_signal_emit_by_name(panel->section[CT_SECTION_SCAN].more, "clicked");
  CHECK(gtk_widget_get_visible(row_of(panel, "scan.first_view")));
  /* What a choice calls for is there at once. */
  CHECK(!gtk_widget_get_visible(row_of(panel, "corrections.ring_size")));
  gtk_drop_down_set_selected(GTK_DROP_DOWN(find_widget(row_of(panel, "corrections.rings"), GTK_TYPE_DROP_DOWN)), 1);
  CHECK(gtk_widget_get_visible(row_of(panel, "corrections.ring_size")));
  CHECK(!gtk_widget_get_visible(row_of(panel, "corrections.ring_sigma")));
}

static void count_tooltips(GtkWidget *widget, GParamSpec *property, int *count) {
  ++*count;
}

static void watch_tooltips(GtkWidget *widget, int *count) {
  g_signal_connect(widget, "notify::tooltip-text", G_CALLBACK(count_tooltips), count);
  for (GtkWidget *child = gtk_widget_get_first_child(widget); child; child = gtk_widget_get_next_sibling(child))
    watch_tooltips(child, count);
}

/* For each tooltip that is set GTK waits for the display server, and there are hundreds. */
static void panel_sets_changed_tooltips_only(void) {
  NEED_DISPLAY();
  g_autoptr(GantryPlanPanel) panel = make_panel();
  ct_plan plan = *gantry_plan_panel_get_plan(panel);
  int count = 0;
  watch_tooltips(GTK_WIDGET(panel), &count);
  gantry_plan_panel_set_plan(panel, &plan);
  CHECK(count == 0);
  plan.filter.window = CT_WINDOW_HANN;
  gantry_plan_panel_set_plan(panel, &plan);
  CHECK(count > 0 && count < 10);
}

/* Much that changes at once is shown once. */
static void panel_waits_while_it_is_held(void) {
  NEED_DISPLAY();
  g_autoptr(GantryPlanPanel) panel = make_panel();
  ct_plan plan = *gantry_plan_panel_get_plan(panel);
  gantry_plan_panel_hold(panel);
  gantry_plan_panel_hold(panel);
  plan.bin = 4;
  gantry_plan_panel_set_plan(panel, &plan);
  CHECK(!strcmp(shown(panel, "scan.bin"), "1 px") && gantry_plan_panel_get_plan(panel)->bin == 4);
  gantry_plan_panel_release(panel);
  CHECK(!strcmp(shown(panel, "scan.bin"), "1 px"));
  gantry_plan_panel_release(panel);
  CHECK(!strcmp(shown(panel, "scan.bin"), "4 px"));
  plan.bin = 2;
  gantry_plan_panel_set_plan(panel, &plan);
  CHECK(!strcmp(shown(panel, "scan.bin"), "2 px"));
}

static const ct_test tests[] = {
    {"numbers are read and written", numbers_are_read_and_written},
    {"ranges are words without exponents", ranges_are_words_without_exponents},
    {"bounds leave out extremes", bounds_leave_out_extremes},
    {"an assumed beam is noticed", an_assumed_beam_is_noticed},
    {"panel has a row for every parameter", panel_has_a_row_for_every_parameter},
    {"panel takes typed numbers", panel_takes_typed_numbers},
    {"panel refuses nonsense and says why", panel_refuses_nonsense_and_says_why},
    {"panel shows and takes over automatic values", panel_shows_and_takes_over_automatic_values},
    {"panel takes what it does not know", panel_takes_what_it_does_not_know},
    {"panel lets people finish typing", panel_lets_people_finish_typing},
    {"panel resets values", panel_resets_values},
    {"panel reads as the recipe", panel_reads_as_the_recipe},
    {"summaries follow what is asked for", summaries_follow_what_is_asked_for},
    {"panel folds away what is rarely touched", panel_folds_away_what_is_rarely_touched},
    {"panel sets changed tooltips only", panel_sets_changed_tooltips_only},
    {"panel waits while it is held", panel_waits_while_it_is_held},
};

WIDGET_TEST_MAIN(tests)
