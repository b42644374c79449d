/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The side panel made from the table of parameters, its numbers, and what it says. */
#include "tests/test.h"

#include "recon/geom/questions.h"
#include "tests/ui/widgets.h"
#include "ui/plan/number.h"
#include "ui/plan/panel-private.h"
#include "ui/plot/plot-private.h"

static char edited_key[64];
static int edits;

static void remember_edit(GantryPlanPanel *panel, const char *key, gpointer user) {
  g_strlcpy(edited_key, key ? key : "", sizeof edited_key);
  edits++;
}

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

static GantryPlanPanel *make_panel_of(ct_beam beam, unsigned known) {
  ct_geometry geometry;
  GantryPlanPanel *panel = g_object_ref_sink(GANTRY_PLAN_PANEL(gantry_plan_panel_new()));
  if (!ct_geometry_init(&geometry, beam, 140, 148, 361, NULL)) g_error("no memory");
  geometry.sod = 500, geometry.sdd = 800, geometry.du = geometry.dv = 0.4;
  ct_geometry_set_arc(&geometry, 0, 2 * G_PI / 361);
  const ct_scan_facts facts = {.geometry = geometry,
                               .known = known,
                               .values = CT_VALUES_COUNTS,
                               .path = "/x/pepper",
                               .format = "TIFF stack",
                               .bytes = 15000000};
  gantry_plan_panel_set_scan(panel, "pepper", &facts);
  ct_geometry_clear(&geometry);
  edits = 0, edited_key[0] = 0;
  g_signal_connect(panel, "plan-edited", G_CALLBACK(remember_edit), NULL);
  return panel;
}

static GantryPlanPanel *make_panel(void) {
  return make_panel_of(CT_BEAM_CONE, CT_KNOWN_DISTANCES | CT_KNOWN_BEAM | CT_KNOWN_ANGLES);
}

static GtkWidget *row_of(GantryPlanPanel *panel, const char *key) {
  for (guint i = 0; i < panel->rows->len; i++) {
    if (!strcmp(gantry_plan_row_get_param(panel->rows->pdata[i])->key, key)) return panel->rows->pdata[i];
  }
  return NULL;
}

static void type(GantryPlanPanel *panel, const char *key, const char *text) {
  GtkWidget *spin = find_widget(row_of(panel, key), GTK_TYPE_SPIN_BUTTON);
  gtk_editable_set_text(GTK_EDITABLE(spin), text);
  gtk_spin_button_update(GTK_SPIN_BUTTON(spin));
}

static const char *shown(GantryPlanPanel *panel, const char *key) {
  return gtk_editable_get_text(GTK_EDITABLE(find_widget(row_of(panel, key), GTK_TYPE_SPIN_BUTTON)));
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

static const char *placeholder(GtkWidget *spin) {
  return gtk_text_get_placeholder_text(GTK_TEXT(gtk_editable_get_delegate(GTK_EDITABLE(spin))));
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

/* The button with this label, shown. */
static GtkWidget *find_button(GtkWidget *root, const char *label) {
  if (GTK_IS_BUTTON(root) && gtk_button_get_label(GTK_BUTTON(root)) &&
      !strcmp(gtk_button_get_label(GTK_BUTTON(root)), label))
    return root;
  for (GtkWidget *child = gtk_widget_get_first_child(root); child; child = gtk_widget_get_next_sibling(child)) {
    GtkWidget *found = find_button(child, label);
    if (found) return found;
  }
  return NULL;
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
    {"panel knows the centre", panel_knows_the_centre},
    {"other centres and a tilt are offered", panel_offers_centres},
    {"panel offers what fits", panel_offers_what_fits},
    {"panel tells what a device can hold", panel_tells_what_a_device_can_hold},
    {"panel tells how a device is tuned", panel_tells_of_tuning},
    {"free beam is drawn, and doubted where it holds object", free_beam_is_drawn_and_doubted},
    {"panel reads as the recipe", panel_reads_as_the_recipe},
    {"summaries follow what is asked for", summaries_follow_what_is_asked_for},
    {"kernels say what they are not for", kernels_say_what_they_are_not_for},
    {"panel folds away what is rarely touched", panel_folds_away_what_is_rarely_touched},
};

WIDGET_TEST_MAIN(tests)
