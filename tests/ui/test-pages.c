/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pages Filter, Interpolation, Spectrum and View by View, given reports. */
#include "tests/test.h"
#include "tests/ui/widgets.h"
#include "ui/filter/page.h"
#include "ui/growth/page.h"
#include "ui/interpolation/block.h"
#include "ui/interpolation/page.h"
#include "ui/interpolation/sum.h"
#include "ui/picture.h"
#include "ui/plot/plot.h"
#include "ui/spectrum/page.h"
#include "ui/tab.h"
#include "ui/window/vacant.h"

/* A plane is read without error by linear and by cubic weights, and a pixel alone is its own sum. */
static void block_of_pixels_is_a_sum(void) {
  NEED_DISPLAY();
  enum { COLUMNS = 20, ROWS = 5, FIRST = 10 };
  GtkWidget *block = g_object_ref_sink(gantry_interpolation_block_new());
  GantryFilterReport *report = g_new0(GantryFilterReport, 1);
  gantry_filter_report_add(report, GANTRY_FILTER_AFTER, COLUMNS);
  for (int i = 0; i < COLUMNS; i++) report->x[GANTRY_FILTER_AFTER][i] = i;
  report->row = FIRST + ROWS / 2;
  report->view = 4;
  report->block_first = FIRST;
  report->block_rows = ROWS;
  report->block = g_new(float, COLUMNS *ROWS);
  for (int k = 0; k < COLUMNS * ROWS; k++) report->block[k] = (float)(2 * (k % COLUMNS) - 8 * (FIRST + k / COLUMNS));
  gantry_interpolation_block_take(GANTRY_INTERPOLATION_BLOCK(block), report, NULL);
  GtkSpinButton *row = GTK_SPIN_BUTTON(find_widget(block, GTK_TYPE_SPIN_BUTTON));
  CHECK_NEAR(gtk_spin_button_get_value(row), 12.35, 1e-9);
  gantry_interpolation_block_show(GANTRY_INTERPOLATION_BLOCK(block), CT_INTERP_LINEAR, 7.25);
  CHECK(find_label_with(block, "−84.3 from 4 pixels of view 4\n"
                               "             0.750  0.250\n"
                               "+ 0.650 × ( −82.00 −80.00) = −81.50\n"
                               "+ 0.350 × ( −90.00 −88.00) = −89.50\n"
                               "= −84.30"));
  gantry_interpolation_block_show(GANTRY_INTERPOLATION_BLOCK(block), CT_INTERP_CUBIC, 7.25);
  const char *words = find_label_with(block, "−84.3 from 16 pixels of view 4\n");
  CHECK(words && strstr(words, "\n= −84.3"));
  gtk_spin_button_set_value(row, FIRST);
  gantry_interpolation_block_show(GANTRY_INTERPOLATION_BLOCK(block), CT_INTERP_NEAREST, 7);
  CHECK(
      find_label_with(block, "−66 from 1 pixel of view 4\n             1.000\n+ 1.000 × ( −66.00) = −66.00\n= −66.00"));
  report->row = FIRST + 3; /* of a higher detector: the place is found anew */
  gantry_interpolation_block_take(GANTRY_INTERPOLATION_BLOCK(block), report, NULL);
  CHECK_NEAR(gtk_spin_button_get_value(row), 13.35, 1e-9);
  gtk_spin_button_set_value(row, FIRST);
  report->view = 5; /* of another view it stays */
  gantry_interpolation_block_take(GANTRY_INTERPOLATION_BLOCK(block), report, NULL);
  CHECK_NEAR(gtk_spin_button_get_value(row), FIRST, 1e-9);
  report->view = 4;
  report->block_rows = 1;
  gantry_interpolation_block_take(GANTRY_INTERPOLATION_BLOCK(block), report, NULL);
  CHECK(find_label_with(
      block, "−66 from 1 pixel of view 4\nWeight × value\n+ 1.000 × −66.00\n= −66.00\nThe detector has one row"));
  CHECK(!gtk_widget_get_sensitive(GTK_WIDGET(row)));
  gantry_interpolation_block_take(GANTRY_INTERPOLATION_BLOCK(block), NULL, "No scan");
  CHECK(find_label_with(block, "No scan") && !find_label_with(block, "pixel"));
  gantry_filter_report_free(report);
  g_object_unref(block);
}

static GantryFilterReport *report_of(double cutoff, gboolean outdated) {
  GantryFilterReport *report = g_new0(GantryFilterReport, 1);
  report->cutoff = cutoff;
  report->has_ramp = TRUE;
  report->ramp = CT_RAMP_BAND_LIMITED;
  report->outdated = outdated;
  return report;
}

/* A report that comes in the middle of the switch's animation, as behind a change of the cut-off, does not end it; one
 * of values before sets nothing back. */
static void reports_undo_no_edits(void) {
  NEED_DISPLAY();
  g_object_set(gtk_settings_get_default(), "gtk-enable-animations", TRUE, NULL);
  GtkWidget *window = gtk_window_new(), *filter = gantry_filter_page_new();
  gtk_window_set_child(GTK_WINDOW(window), filter);
  gantry_filter_page_take(GANTRY_FILTER_PAGE(filter), report_of(0.7, FALSE), NULL);
  GtkWidget *cutoff = find_widget(filter, GTK_TYPE_SCALE), *limited = find_widget(filter, GTK_TYPE_SWITCH);
  gtk_window_present(GTK_WINDOW(window));
  settle();
  gtk_widget_activate(limited);
  CHECK(gtk_switch_get_active(GTK_SWITCH(limited)));
  gantry_filter_page_take(GANTRY_FILTER_PAGE(filter), report_of(0.6, FALSE), NULL);
  const gint64 end = g_get_monotonic_time() + 10 * G_TIME_SPAN_SECOND;
  while (gtk_switch_get_active(GTK_SWITCH(limited)) && g_get_monotonic_time() < end)
    if (!g_main_context_iteration(NULL, FALSE)) g_usleep(1000);
  CHECK(!gtk_switch_get_active(GTK_SWITCH(limited)));
  gantry_filter_page_take(GANTRY_FILTER_PAGE(filter), report_of(0.2, TRUE), NULL);
  CHECK(!gtk_switch_get_active(GTK_SWITCH(limited)));
  CHECK_NEAR(gtk_range_get_value(GTK_RANGE(cutoff)), 0.6, 1e-9);
  gtk_window_destroy(GTK_WINDOW(window));
  settle();
}

static void collect_plots(GtkWidget *widget, GPtrArray *plots) {
  if (GANTRY_IS_PLOT(widget)) g_ptr_array_add(plots, widget);
  for (GtkWidget *child = gtk_widget_get_first_child(widget); child; child = gtk_widget_get_next_sibling(child))
    collect_plots(child, plots);
}

static int count_shown_plots(GtkWidget *page) {
  g_autoptr(GPtrArray) plots = g_ptr_array_new();
  int shown = 0;
  collect_plots(page, plots);
  for (guint i = 0; i < plots->len; i++) shown += gtk_widget_get_visible(plots->pdata[i]);
  return shown;
}

/* What cannot be shown leaves the plan's values on the controls; a note comes and goes. */
static void pages_of_a_refused_filter_show_the_plan(void) {
  NEED_DISPLAY();
  GantryDisplay *display = gantry_display_new();
  GtkWidget *filter = g_object_ref_sink(gantry_filter_page_new()),
            *kernels = g_object_ref_sink(gantry_interpolation_page_new(display));
  GantryFilterReport *report = g_new0(GantryFilterReport, 1);
  report->cutoff = 0.7;
  report->has_ramp = TRUE;
  report->ramp = CT_RAMP_BAND_LIMITED;
  report->interp = CT_INTERP_CUBIC;
  report->block_rows = 5;
  report->rates[CT_INTERP_CUBIC] = (GantryInterpRate){2.5, "tiles"};
  report->refused = g_strdup("Not of rows");
  gantry_interpolation_page_take(GANTRY_INTERPOLATION_PAGE(kernels), report, NULL);
  CHECK(
      find_label_with(kernels, "A voxel takes 16 values and 87 operations of a view; fastest here: 2.5 GUPS (tiles)"));
  report->block_rows = 1;
  gantry_interpolation_page_take(GANTRY_INTERPOLATION_PAGE(kernels), report, NULL);
  CHECK(find_label_with(kernels, "A voxel takes 4 values and "));
  CHECK(gtk_drop_down_get_selected(GTK_DROP_DOWN(find_widget(kernels, GTK_TYPE_DROP_DOWN))) == CT_INTERP_CUBIC);
  gantry_filter_page_take(GANTRY_FILTER_PAGE(filter), report, NULL); /* the page's own now */
  CHECK(count_shown_plots(filter) == 1);                             /* the sentence has the room of both */
  GtkWidget *cutoff = find_widget(filter, GTK_TYPE_SCALE), *limited = find_widget(filter, GTK_TYPE_SWITCH);
  CHECK_NEAR(gtk_range_get_value(GTK_RANGE(cutoff)), 0.7, 1e-9);
  CHECK(gtk_switch_get_active(GTK_SWITCH(limited)) && !gtk_widget_get_sensitive(cutoff));
  report = g_new0(GantryFilterReport, 1);
  report->cutoff = 0.4;
  report->has_ramp = TRUE;
  report->note = g_strdup("SIRT uses neither");
  gantry_interpolation_page_take(GANTRY_INTERPOLATION_PAGE(kernels), report, NULL);
  gantry_filter_page_take(GANTRY_FILTER_PAGE(filter), report, NULL);
  CHECK(find_label_with(filter, "SIRT uses neither") && find_label_with(kernels, "SIRT uses neither"));
  CHECK(gtk_widget_get_sensitive(cutoff) &&
        find_label_with(kernels, "1 value and 2 operations of a view; its speed is not"));
  gantry_filter_page_take(GANTRY_FILTER_PAGE(filter), NULL, "No scan");
  CHECK(!find_label_with(filter, "SIRT uses neither"));
  g_object_unref(filter);
  g_object_unref(kernels);
  g_object_unref(display);
}

static GtkWidget *page_of_rows(GtkWidget *page, int columns, int edge) {
  GantryFilterReport *report = g_new0(GantryFilterReport, 1);
  for (int curve = GANTRY_FILTER_BEFORE; curve <= GANTRY_FILTER_AFTER; curve++) {
    gantry_filter_report_add(report, (GantryFilterCurve)curve, (gsize)columns);
    for (int i = 0; i < columns; i++) report->x[curve][i] = i;
    for (int i = edge; i < columns; i++) report->y[curve][i] = 1;
  }
  report->block_rows = 1;
  report->block = g_new0(float, columns);
  gantry_interpolation_page_take(GANTRY_INTERPOLATION_PAGE(page), report, NULL);
  gantry_filter_report_free(report);
  return find_widget(page, GTK_TYPE_SPIN_BUTTON);
}

/* It is found where the row is steepest, stays while rows of the detector change, and is found anew on another one. */
static void place_is_of_the_detector(void) {
  NEED_DISPLAY();
  GantryDisplay *display = gantry_display_new();
  GtkWidget *page = g_object_ref_sink(gantry_interpolation_page_new(display));
  page_of_rows(page, 12, 12);
  GtkSpinButton *place = GTK_SPIN_BUTTON(page_of_rows(page, 12, 8));
  CHECK_NEAR(gtk_spin_button_get_value(place), 7.35, 1e-6); /* not at the end of the row of zeros */
  page_of_rows(page, 12, 4);
  CHECK_NEAR(gtk_spin_button_get_value(place), 7.35, 1e-6);
  page_of_rows(page, 40, 31);
  CHECK_NEAR(gtk_spin_button_get_value(place), 30.35, 1e-6);
  page_of_rows(page, 12, 12);
  gtk_spin_button_set_value(place, 3.5);
  page_of_rows(page, 12, 8);
  CHECK_NEAR(gtk_spin_button_get_value(place), 3.5, 1e-6); /* chosen on a row of zeros */
  g_object_unref(page);
  g_object_unref(display);
}

/* Where no control can have the keyboard it stays where it is; a report that shows no row is the one that was waited
 * for, and none behind it takes the keyboard. */
static void keyboard_is_not_lost(void) {
  NEED_DISPLAY();
  GantryDisplay *display = gantry_display_new();
  GtkWidget *window = gtk_window_new(), *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0),
            *page = gantry_interpolation_page_new(display), *label = gtk_label_new("No control"),
            *button = gtk_button_new_with_label("Here");
  gtk_box_append(GTK_BOX(box), button);
  gtk_box_append(GTK_BOX(box), label);
  gtk_box_append(GTK_BOX(box), page);
  gtk_window_set_child(GTK_WINDOW(window), box);
  gtk_window_present(GTK_WINDOW(window));
  settle();
  gtk_widget_grab_focus(button);
  gantry_tab_begin(label);
  CHECK(gtk_window_get_focus(GTK_WINDOW(window)) == button);
  gantry_interpolation_page_take(GANTRY_INTERPOLATION_PAGE(page), NULL, "Wait");
  gantry_interpolation_page_focus(GANTRY_INTERPOLATION_PAGE(page));
  GtkWidget *first = gtk_window_get_focus(GTK_WINDOW(window));
  CHECK(first && gtk_widget_is_ancestor(first, page));
  page_of_rows(page, 0, 0);
  page_of_rows(page, 12, 8);
  CHECK(gtk_window_get_focus(GTK_WINDOW(window)) == first);
  gtk_window_destroy(GTK_WINDOW(window));
  settle();
  g_object_unref(display);
}

static GantryGrowthReport *sum_of(int views) {
  GantryGrowthReport *report = g_new0(GantryGrowthReport, 1);
  report->count = report->views = views;
  report->view = views - 1;
  report->angle = 3 * report->view;
  report->adds_nothing = TRUE;
  report->scale = 1;
  report->sum = gantry_image_new(4, 4);
  report->last = gantry_image_new(4, 4);
  memset(report->sum->pixels, 0, 16 * sizeof *report->sum->pixels);
  memset(report->last->pixels, 0, 16 * sizeof *report->last->pixels);
  return report;
}

/* Of another scan, too, whose views are more. */
static void all_views_stay_all(void) {
  NEED_DISPLAY();
  GantryDisplay *display = gantry_display_new();
  GtkWidget *page = g_object_ref_sink(gantry_growth_page_new(display));
  GtkRange *count = GTK_RANGE(find_widget(page, GTK_TYPE_SCALE));
  GantryGrowthWish wish;
  gantry_growth_page_take(GANTRY_GROWTH_PAGE(page), sum_of(1), NULL);
  gantry_growth_page_get_wish(GANTRY_GROWTH_PAGE(page), &wish);
  CHECK(wish.count == 0);
  gantry_growth_page_take(GANTRY_GROWTH_PAGE(page), sum_of(60), NULL);
  CHECK(gtk_range_get_value(count) == 60 && find_label_with(page, "View 59 at 177.0°\nadds nothing"));
  GantryGrowthReport *idle = sum_of(60); /* the end of a short scan */
  idle->adds_nothing = FALSE;
  idle->rest_add_nothing = TRUE;
  idle->view = 57;
  idle->angle = 171;
  gantry_growth_page_take(GANTRY_GROWTH_PAGE(page), idle, NULL);
  CHECK(gtk_range_get_value(count) == 60 && find_label_with(page, "Last with weight:\nview 57 at 171.0°"));
  gtk_range_set_value(count, 40);
  gantry_growth_page_get_wish(GANTRY_GROWTH_PAGE(page), &wish);
  CHECK(wish.count == 40);
  gantry_growth_page_take(GANTRY_GROWTH_PAGE(page), sum_of(60), NULL); /* asked for before the slider moved */
  CHECK(gtk_range_get_value(count) == 40);
  gantry_growth_page_take(GANTRY_GROWTH_PAGE(page), NULL, "Gaps"); /* has the page's whole width */
  CHECK(!gtk_widget_get_visible(gtk_widget_get_parent(find_widget(page, GANTRY_TYPE_PICTURE))));
  g_object_unref(page);
  g_object_unref(display);
}

/* Both parts of both transforms stand beside each other, under names that do not drop out, and the frequency weighs
 * them when asked for. */
static void spectrum_shows_both_parts(void) {
  NEED_DISPLAY();
  enum { COUNT = 3 };
  GtkWidget *page = g_object_ref_sink(gantry_spectrum_page_new());
  g_autoptr(GPtrArray) plots = g_ptr_array_new();
  GantrySpectrumReport *report = g_new0(GantrySpectrumReport, 1);
  report->spectrum = gantry_image_new(4, 4);
  memset(report->spectrum->pixels, 0, 16 * sizeof *report->spectrum->pixels);
  report->views = 1;
  report->angles = g_new0(double, 1);
  report->nyquist = 1;
  report->units = ct_units_of(TRUE);
  report->count = COUNT;
  report->samples = g_new0(ct_slice_theorem_sample, COUNT);
  for (int n = 0; n < COUNT; n++)
    report->samples[n] = (ct_slice_theorem_sample){0.25 * n, {8 + n, 16 + n}, {32 + n, 64 + n}, 1 - 0.25 * n};
  report->note = g_strdup("not that of SIRT");
  report->damping = g_strdup("linear interpolation");
  report->difference = 9e-4;
  report->rest = 3e-4;
  gantry_spectrum_page_take(GANTRY_SPECTRUM_PAGE(page), report, NULL);
  collect_plots(page, plots);
  CHECK(plots->len == 3);
  g_autofree char *real = gantry_plot_to_csv(plots->pdata[0]), *imaginary = gantry_plot_to_csv(plots->pdata[1]),
                  *difference = gantry_plot_to_csv(plots->pdata[2]);
  CHECK(strstr(real, "10") && strstr(imaginary, "18") && strstr(real, "34") && strstr(imaginary, "66"));
  CHECK(strstr(difference, "difference") && strstr(difference, "beyond the damping"));
  CHECK(find_label_with(page, "beyond the damping") && find_label_with(page, "off: difference"));
  CHECK(find_label_with(page, "View 0 at 0.0°: 0.0009 off; beyond linear interpolation 0.0003"));
  CHECK(find_label_with(page, "slice, on the line") && find_label_with(page, "view") &&
        find_label_with(page, "not that of SIRT"));
  GtkWidget *bar = gtk_widget_get_parent(find_widget(page, GTK_TYPE_CHECK_BUTTON));
  gtk_check_button_set_active(GTK_CHECK_BUTTON(gtk_widget_get_last_child(bar)), TRUE);
  g_autofree char *weighted = gantry_plot_to_csv(plots->pdata[0]), *other = gantry_plot_to_csv(plots->pdata[1]);
  CHECK(strstr(weighted, "17") && strstr(other, "33") && !strstr(other, "66"));
  GtkWidget *keys = gtk_widget_get_last_child(gtk_widget_get_last_child(gtk_widget_get_last_child(page)));
  CHECK(count_shown_plots(page) == 3 && gtk_widget_get_visible(keys) && find_label_with(keys, "slice, on the line"));
  report = g_new0(GantrySpectrumReport, 1);
  report->spectrum = gantry_image_new(4, 4);
  memset(report->spectrum->pixels, 0, 16 * sizeof *report->spectrum->pixels);
  report->refused = g_strdup("Not of a spiral");
  gantry_spectrum_page_take(GANTRY_SPECTRUM_PAGE(page), report, NULL);
  CHECK(count_shown_plots(page) == 1 && !gtk_widget_get_visible(keys)); /* no key without a curve */
  gantry_spectrum_page_take(GANTRY_SPECTRUM_PAGE(page), NULL, "Not yet");
  CHECK(count_shown_plots(page) == 1 && !gtk_widget_get_visible(find_widget(page, GANTRY_TYPE_PICTURE)));
  g_object_unref(page);
}

static GantrySpectrumReport *line_at(int view) {
  static GantryImage *spectrum;
  GantrySpectrumReport *report = g_new0(GantrySpectrumReport, 1);
  if (!spectrum) {
    spectrum = gantry_image_new(4, 4);
    memset(spectrum->pixels, 0, 16 * sizeof *spectrum->pixels);
  }
  report->spectrum = gantry_image_ref(spectrum);
  report->views = 2;
  report->view = view;
  report->angles = g_new0(double, 2);
  report->units = ct_units_of(TRUE);
  report->nyquist = 1;
  report->count = 2;
  report->samples = g_new0(ct_slice_theorem_sample, 2);
  report->damping = g_strdup("the filter's window and linear interpolation");
  return report;
}

/* The ramp stands beside the product, and H(0) of both ramps in words; spectra have a floor in dB. */
static void filter_is_seen_beside_the_ramp(void) {
  NEED_DISPLAY();
  GtkWidget *page = g_object_ref_sink(gantry_filter_page_new());
  g_autoptr(GPtrArray) plots = g_ptr_array_new();
  GantryFilterReport *report = report_of(0.5, FALSE);
  for (int curve = 0; curve < GANTRY_FILTER_CURVES; curve++) {
    gantry_filter_report_add(report, (GantryFilterCurve)curve, 3);
    for (int i = 0; i < 3; i++) report->x[curve][i] = i, report->y[curve][i] = i == 1 ? 1000 : 0;
  }
  report->dc[CT_RAMP_BAND_LIMITED] = 4e-4;
  gantry_filter_page_take(GANTRY_FILTER_PAGE(page), report, NULL);
  collect_plots(page, plots);
  g_autofree char *gain = gantry_plot_to_csv(plots->pdata[0]);
  CHECK(strstr(gain, "ramp alone") && strstr(gain, "0.5"));
  CHECK(find_label_with(page, "H(0) = 0.0004 1/px of the band-limited ramp; of the sampled one 0 1/px"));
  for (GtkWidget *child = gtk_widget_get_first_child(gtk_widget_get_first_child(page)); child;
       child = gtk_widget_get_next_sibling(child))
    if (GTK_IS_TOGGLE_BUTTON(child)) gtk_toggle_button_set_active(GTK_TOGGLE_BUTTON(child), TRUE);
  g_autofree char *taps = gantry_plot_to_csv(plots->pdata[0]), *spectra = gantry_plot_to_csv(plots->pdata[1]);
  CHECK(strstr(taps, "ramp alone") && strstr(taps, "0.25"));
  CHECK(strstr(spectra, "-80") && !strstr(spectra, "1000"));
  g_object_unref(page);
}

static void empty_pages_say_what_they_wait_for(void) {
  g_autofree char *none = gantry_vacant_words(NULL, "its filter is shown here"),
                  *reading = gantry_vacant_words("walnut.h5: reading 40 / 721", "its filter is shown here");
  CHECK(g_str_equal(none, "Open a scan, and its filter is shown here."));
  CHECK(g_str_equal(reading, "Not yet: walnut.h5: reading 40 / 721. Then its filter is shown here."));
}

static void count_drawing(GdkPaintable *paintable, int *count) {
  ++*count;
}

/* The line of another view is drawn over the same spectrum; what is said of it is whole on a narrow page. */
static void spectrum_follows_the_view(void) {
  NEED_DISPLAY();
  GtkWidget *window = gtk_window_new(), *page = gantry_spectrum_page_new();
  int drawn = 0;
  gtk_window_set_child(GTK_WINDOW(window), page);
  gtk_window_set_default_size(GTK_WINDOW(window), 600, 210);
  gantry_spectrum_page_take(GANTRY_SPECTRUM_PAGE(page), line_at(0), NULL);
  gtk_window_present(GTK_WINDOW(window));
  settle();
  g_autoptr(GdkPaintable) seen = gtk_widget_paintable_new(find_widget(page, GANTRY_TYPE_PICTURE));
  g_signal_connect(seen, "invalidate-contents", G_CALLBACK(count_drawing), &drawn);
  gantry_spectrum_page_take(GANTRY_SPECTRUM_PAGE(page), line_at(1), NULL);
  const gint64 end = g_get_monotonic_time() + 10 * G_TIME_SPAN_SECOND;
  while (!drawn && g_get_monotonic_time() < end)
    if (!g_main_context_iteration(NULL, FALSE)) g_usleep(1000);
  CHECK(drawn > 0);
  GtkLabel *reading = GTK_LABEL(gtk_widget_get_first_child(gtk_widget_get_last_child(gtk_widget_get_last_child(page))));
  CHECK(g_str_has_prefix(gtk_label_get_text(reading), "View 1 at 0.0°"));
  CHECK(!pango_layout_is_ellipsized(gtk_label_get_layout(reading)));
  CHECK(pango_layout_get_line_count(gtk_label_get_layout(reading)) > 1);
  gtk_window_destroy(GTK_WINDOW(window));
  settle();
}

/* Values of all sizes are told in one power of ten, line by line, and nothing of the sum is cut. */
static void sums_are_aligned(void) {
  const double weights[] = {-0.074, 0.758, 0.356, -0.04}, small[] = {2.48e-5, -2.05e-5, 2.76e-6, 1.55e-5};
  g_autofree char *text = gantry_interpolation_sum_words(weights, small, 4);
  CHECK(g_str_equal(text, "Weight × value\n(values in 10⁻⁵)\n− 0.074 ×  2.480\n+ 0.758 × −2.050\n+ 0.356 ×  0.276\n"
                          "− 0.040 ×  1.550\n= −1.701·10⁻⁵"));
  const double one[] = {1}, none[] = {0}, great[] = {123456};
  g_autofree char *zero = gantry_interpolation_sum_words(one, none, 1),
                  *large = gantry_interpolation_sum_words(one, great, 1);
  CHECK(g_str_equal(zero, "Weight × value\n+ 1.000 ×  0.000\n= 0.000"));
  CHECK(g_str_equal(large, "Weight × value\n(values in 10⁵)\n+ 1.000 ×  1.235\n= 1.235·10⁵"));
  NEED_DISPLAY();
  GantryDisplay *display = gantry_display_new();
  GtkWidget *page = g_object_ref_sink(gantry_interpolation_page_new(display));
  page_of_rows(page, 12, 8);
  const char *sum = find_label_with(page, "Weight × value");
  CHECK(sum && strstr(sum, "\n= "));
  GtkWidget *label = find_label_widget(page, "Weight × value");
  CHECK(gtk_label_get_ellipsize(GTK_LABEL(label)) == PANGO_ELLIPSIZE_NONE);
  g_object_unref(page);
  g_object_unref(display);
}

static GantryMagnified picture_of(int kernel, float level, float swing) {
  GantryMagnified one = {.kernel = kernel, .rmse = 7.39e-4, .finer = 20, .image = gantry_image_new(16, 16)};
  for (int i = 0; i < 256; i++) one.image->pixels[i] = level + (i % 2 ? swing : -swing);
  return one;
}

/* RMSE has a line of its own, and the wild picture leaves the contrast of the others. */
static void kernels_can_be_compared(void) {
  NEED_DISPLAY();
  GantryDisplay *display = gantry_display_new();
  GtkWidget *strip = g_object_ref_sink(gantry_interpolation_strip_new(display));
  const float swings[] = {100, 1, 0.8F, 0.5F, 1.2F};
  for (int kernel = 0; kernel < 5; kernel++) {
    GantryMagnified one = picture_of(kernel, kernel == 3 ? 5 : 20, swings[kernel]);
    gantry_interpolation_strip_take(GANTRY_INTERPOLATION_STRIP(strip), &one);
  }
  CHECK(find_label_with(strip, "Cubic\n"));
  double low, high;
  for (int kernel = 0; kernel < 5; kernel++) {
    gantry_interpolation_strip_get_window(GANTRY_INTERPOLATION_STRIP(strip), kernel, &low, &high);
    CHECK(high - low < 4); /* not that of the wild one */
    CHECK_NEAR((low + high) / 2, kernel == 3 ? 5 : 20, 0.5);
  }
  g_object_unref(strip);
  g_object_unref(display);
}

static const ct_test tests[] = {
    {"the filter is seen beside the ramp", filter_is_seen_beside_the_ramp},
    {"empty pages say what they wait for", empty_pages_say_what_they_wait_for},
    {"sums are aligned", sums_are_aligned},
    {"kernels can be compared", kernels_can_be_compared},
    {"a block of pixels is a sum of weights", block_of_pixels_is_a_sum},
    {"reports undo no edits", reports_undo_no_edits},
    {"pages of a refused filter show the plan", pages_of_a_refused_filter_show_the_plan},
    {"a place is of the detector", place_is_of_the_detector},
    {"the keyboard is not lost", keyboard_is_not_lost},
    {"all views stay all", all_views_stay_all},
    {"the spectrum shows both parts", spectrum_shows_both_parts},
    {"the spectrum follows the view", spectrum_follows_the_view},
};

WIDGET_TEST_MAIN(tests)
