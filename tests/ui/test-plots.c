/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The plots on their own: axes, curves, what they write, the histogram's limits. */
#include "tests/test.h"

#include "tests/ui/widgets.h"
#include "ui/histogram.h"
#include "ui/plot/axis.h"
#include "ui/plot/plot-private.h"

#include <glib/gstdio.h>

static void axis_ticks_are_round_and_inside(void) {
  guint32 seed = 1;
  for (int i = 0; i < 20000; i++) {
    GantryAxis axis;
    seed = seed * 1664525u + 1013904223u;
    const double low = ((double)(seed >> 8) / (1 << 24) - 0.5) * pow(10, (int)(seed % 11) - 5);
    seed = seed * 1664525u + 1013904223u;
    const double high = low + ((double)(seed >> 8) + 1) / (1 << 24) * pow(10, (int)(seed % 9) - 4);
    gantry_axis_fit(&axis, low, high, 2 + (int)(seed % 9), i % 2);
    const double mantissa = axis.step / pow(10, floor(log10(axis.step) + 1e-9));
    CHECK(fabs(mantissa - 1) < 1e-6 || fabs(mantissa - 2) < 1e-6 || fabs(mantissa - 5) < 1e-6);
    CHECK(axis.count >= 2 && axis.count <= 5 + (int)(seed % 9));
    CHECK(gantry_axis_tick(&axis, 0) >= axis.low - 1e-5 * axis.step);
    CHECK(gantry_axis_tick(&axis, axis.count - 1) <= axis.high + 1e-5 * axis.step);
    CHECK(axis.low <= low + 1e-6 * axis.step && axis.high >= high - 1e-6 * axis.step);
    if (axis.count < 2 || axis.decimals < 0) continue;
    char first[64], second[64];
    gantry_axis_format(&axis, gantry_axis_tick(&axis, 0), first, sizeof first);
    gantry_axis_format(&axis, gantry_axis_tick(&axis, 1), second, sizeof second);
    CHECK(strcmp(first, second) != 0);
  }
}

static void axis_survives_odd_ranges(void) {
  const double ranges[][2] = {{0, 0}, {5, 5}, {NAN, 1}, {0, INFINITY}, {3, -3}, {1e-320, 1e-320}, {-1e9, -1e9}};
  for (gsize i = 0; i < G_N_ELEMENTS(ranges); i++) {
    GantryAxis axis;
    gantry_axis_fit(&axis, ranges[i][0], ranges[i][1], 5, TRUE);
    CHECK(isfinite(axis.low) && isfinite(axis.high) && axis.high > axis.low && axis.step > 0 && axis.count >= 2);
    CHECK_NEAR(gantry_axis_value(&axis, gantry_axis_place(&axis, axis.high)), axis.high,
               1e-9 * fabs(axis.high) + 1e-12);
  }
}

static void axis_has_a_true_minus(void) {
  GantryAxis axis;
  char text[64];
  gantry_axis_fit(&axis, -1, 1, 5, FALSE);
  CHECK(!strcmp(gantry_axis_format(&axis, -0.5, text, sizeof text), "−0.5"));
  CHECK(!strcmp(gantry_axis_format(&axis, gantry_axis_tick(&axis, 2), text, sizeof text), "0.0"));
}

static void log_axis_ticks_are_inside(void) {
  guint32 seed = 3;
  for (int i = 0; i < 20000; i++) {
    GantryAxis axis;
    seed = seed * 1664525u + 1013904223u;
    const double low = pow(10, (double)(seed >> 8) / (1 << 24) * 24 - 12);
    seed = seed * 1664525u + 1013904223u;
    const double high = low * pow(10, pow((double)(seed >> 8) / (1 << 24), 4) * 12);
    const int most = 2 + (int)(seed % 9);
    gantry_axis_fit_scale(&axis, GANTRY_SCALE_LOG, low, high, most);
    CHECK(axis.count >= 2 && axis.count <= MAX(most, 3) + 3);
    CHECK(axis.low <= low && axis.high >= high);
    for (int t = 0; t < axis.count; t++) {
      const double tick = gantry_axis_tick(&axis, t), place = gantry_axis_place(&axis, tick);
      CHECK(place > -1e-6 && place < 1 + 1e-6 && (!t || tick > gantry_axis_tick(&axis, t - 1)));
      CHECK_NEAR(gantry_axis_value(&axis, place), tick, 1e-9 * tick);
      char text[64], other[64];
      gantry_axis_format(&axis, tick, text, sizeof text);
      if (axis.decimals >= 0 && t)
        CHECK(strcmp(text, gantry_axis_format(&axis, gantry_axis_tick(&axis, t - 1), other, sizeof other)) != 0);
    }
    CHECK(isnan(gantry_axis_place(&axis, 0)) && isnan(gantry_axis_place(&axis, -1)));
  }
}

static void log_axis_reads_well(void) {
  static const struct {
    double low, high;
    int most;
    const char *ticks;
  } cases[] = {{0.02, 0.9, 6, "0.02 0.05 0.1 0.2 0.5"},
               {0.02, 0.9, 3, "0.03 0.1 0.3"},
               {1e-6, 1, 4, "10⁻⁶ 0.0001 0.01 1"},
               {2e-6, 4e-5, 6, "2·10⁻⁶ 5·10⁻⁶ 10⁻⁵ 2·10⁻⁵"},
               {0.31, 0.36, 5, "0.32 0.34 0.36"},
               {0, 0, 5, "0.1 0.2 0.5 1"},
               {3, 2000, 4, "10 100 1000"}};
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    GantryAxis axis;
    char text[64];
    g_autoptr(GString) ticks = g_string_new(NULL);
    gantry_axis_fit_scale(&axis, GANTRY_SCALE_LOG, cases[i].low, cases[i].high, cases[i].most);
    for (int t = 0; t < axis.count; t++)
      g_string_append_printf(ticks, "%s%s", t ? " " : "",
                             gantry_axis_format(&axis, gantry_axis_tick(&axis, t), text, sizeof text));
    if (strcmp(ticks->str, cases[i].ticks) != 0) CT_TEST_END(1, "case %d reads %s", (int)i, ticks->str);
  }
  GantryAxis axis;
  char text[64];
  gantry_axis_fit_scale(&axis, GANTRY_SCALE_LOG, 1e-7, 10, 5);
  CHECK(!strcmp(gantry_axis_format_fine(&axis, 0.012345, text, sizeof text), "0.0123"));
  CHECK(!strcmp(gantry_axis_format_fine(&axis, 3.21e-6, text, sizeof text), "3.21·10⁻⁶"));
}

static void counts_are_whole(void) {
  const double ranges[][2] = {{1, 1}, {1, 2}, {1, 50}, {0.4, 0.6}, {7, 7}, {1, 100000}, {NAN, 2}};
  for (gsize i = 0; i < G_N_ELEMENTS(ranges); i++) {
    for (int most = 2; most < 12; most++) {
      GantryAxis axis;
      gantry_axis_fit_scale(&axis, GANTRY_SCALE_WHOLE, ranges[i][0], ranges[i][1], most);
      CHECK(axis.count >= 2 && axis.decimals <= 0);
      for (int t = 0; t < axis.count; t++) CHECK(gantry_axis_tick(&axis, t) == round(gantry_axis_tick(&axis, t)));
    }
  }
}

static GantryPlot *make_plot(void) {
  const double x[] = {0, 0.5, 1, 1.5}, y[] = {1, NAN, 3, 4.25}, other[] = {0, 2};
  GantryPlot *plot = g_object_ref_sink(GANTRY_PLOT(gantry_plot_new()));
  gantry_plot_set_axes(plot, "along, \"s\"", "mm", "value", "1/mm");
  gantry_plot_set_curve(plot, GANTRY_CURVE_A, "A", x, y, 4);
  gantry_plot_set_curve(plot, GANTRY_CURVE_B, "B", x, x, 4);
  gantry_plot_set_curve(plot, GANTRY_CURVE_OTHER, "C", other, other, 2);
  return plot;
}

static void plot_writes_csv(void) {
  NEED_DISPLAY();
  g_autoptr(GantryPlot) plot = make_plot();
  g_autofree char *csv = gantry_plot_to_csv(plot);
  const char *expected = "\"along, \"\"s\"\" (mm)\",A (1/mm),B (1/mm),\"along, \"\"s\"\" (mm)\",C (1/mm)\n"
                         "0,1,0,0,0\n0.5,,0.5,2,2\n1,3,1,,\n1.5,4.25,1.5,,\n";
  if (strcmp(csv, expected) != 0) CT_TEST_END(1, "the table is\n%.300s", csv);
  gantry_plot_clear(plot);
  g_autofree char *empty = gantry_plot_to_csv(plot);
  CHECK(!*empty);
}

static void plot_writes_growing_curves_to_one_column(void) {
  NEED_DISPLAY();
  g_autoptr(GantryPlot) plot = g_object_ref_sink(GANTRY_PLOT(gantry_plot_new()));
  const double x[] = {1, 2, 3}, own[] = {0.5}, y[] = {8, 4, 2};
  gantry_plot_set_axes(plot, "iteration", NULL, "residual", NULL);
  gantry_plot_set_curve(plot, 2, "own", own, y, 1);
  gantry_plot_set_curve(plot, 3, "short", x, y, 2);
  gantry_plot_set_curve(plot, 15, "long", x, y, 3);
  g_autofree char *csv = gantry_plot_to_csv(plot);
  if (strcmp(csv, "iteration,short,long,iteration,own\n1,8,8,0.5,8\n2,4,4,,\n3,,2,,\n") != 0)
    CT_TEST_END(1, "the table is\n%.300s", csv);
}

static void plot_saves_png_and_svg(void) {
  NEED_DISPLAY();
  g_autoptr(GantryPlot) plot = make_plot();
  g_autofree char *folder = g_dir_make_tmp("gantry-plot-XXXXXX", NULL);
  g_autofree char *png = g_build_filename(folder, "p.png", NULL), *svg = g_build_filename(folder, "p.svg", NULL);
  g_autofree char *nowhere = g_build_filename(folder, "none", "p.png", NULL),
                  *bad = g_build_filename(folder, "p.gif", NULL);
  g_autofree char *bytes = NULL, *text = NULL;
  ct_error *error = NULL;
  gsize length;
  CHECK(gantry_plot_save(plot, png, NULL, &error));
  CHECK(g_file_get_contents(png, &bytes, &length, NULL) && length > 1000 && !memcmp(bytes, "\x89PNG", 4));
  CHECK(gantry_plot_save(plot, svg, NULL, &error));
  CHECK(g_file_get_contents(svg, &text, &length, NULL) && strstr(text, "<svg") && strstr(text, "</svg>"));
  CHECK_FAILS(gantry_plot_save(plot, bad, NULL, &error), CT_ERROR_ARGUMENT, ".svg");
  CHECK_FAILS(gantry_plot_save(plot, nowhere, NULL, &error), CT_ERROR_IO, "none; make it first");
  g_remove(png), g_remove(svg), g_rmdir(folder);
}

static void curve_is_read_between_its_points(void) {
  double x[] = {0, 1, 3}, y[] = {0, 2, 6};
  const GantryCurveData curve = {.x = x, .y = y, .count = 3};
  CHECK_NEAR(gantry_curve_value(&curve, 2), 4, 1e-12);
  CHECK_NEAR(gantry_curve_value(&curve, 0), 0, 1e-12);
  CHECK(isnan(gantry_curve_value(&curve, 3.1)));
}

/* A curve of the upper panel over x from 0 to 100, one of a hundredth of it in the lower panel. */
static GantryPlotData *plain_data(double *x, double *y, double *d) {
  GantryPlotData *data = g_new0(GantryPlotData, 1);
  for (int i = 0; i <= 100; i++) x[i] = i, y[i] = sin(0.3 * i) + (i > 50 ? 5 : 0), d[i] = 0.01 * y[i];
  data->panels[0].curves[0] = (GantryCurveData){.title = (char *)"A", .x = x, .y = y, .count = 101};
  data->panels[1].curves[0] = (GantryCurveData){.title = (char *)"A − B", .x = x, .y = d, .count = 101};
  data->panels[1].symmetric = TRUE;
  data->x_title = (char *)"distance", data->x_unit = (char *)"mm";
  data->cursor = data->mark = data->extent[0] = data->extent[1] = NAN;
  gantry_plot_show_all(data);
  return data;
}

static void lay_out(const GantryPlotData *data, double height, GantryPlotFrame *frame) {
  g_autoptr(GtkWidget) label = g_object_ref_sink(gtk_label_new(NULL));
  gantry_plot_layout(data, NULL, gtk_widget_get_pango_context(label), 700, height, frame);
}

/* Every tick has its number; curves are not squeezed by a step that no value needs. */
static void plot_fills_its_frame(void) {
  NEED_DISPLAY();
  double x[] = {0, 40, 94.9}, y[] = {-0.0004, 0.02, 0.0398};
  const GantryPlotData data = {.panels[0].curves = {{.title = (char *)"A", .x = x, .y = y, .count = 3}},
                               .x_title = (char *)"distance",
                               .x_unit = (char *)"mm"};
  GantryPlotFrame frame;
  lay_out(&data, 120, &frame);
  const GantryAxis *ordinate = &frame.panel[0].y;
  CHECK(frame.panels == 1);
  CHECK(ordinate->low <= -0.0004 && ordinate->low > -0.003 && ordinate->high >= 0.0398 && ordinate->high < 0.043);
  CHECK(frame.x.low == 0 && frame.x.high == 94.9 && frame.x.count >= 2);
  CHECK(frame.width * frame.x.step / (frame.x.high - frame.x.low) > 100);
}

/* The differences have a scale of their own, as far below 0 as above, and about a third of the height. */
static void lower_panel_has_its_own_scale(void) {
  NEED_DISPLAY();
  double x[101], y[101], d[101];
  g_autofree GantryPlotData *data = plain_data(x, y, d);
  GantryPlotFrame frame;
  for (int height = 150; height <= 600; height += 150) {
    lay_out(data, height, &frame);
    const double share = frame.panel[1].height / (frame.panel[0].height + frame.panel[1].height);
    CHECK(frame.panels == 2 && share > 0.3 && share < 0.4);
    CHECK(frame.panel[0].top + frame.panel[0].height < frame.panel[1].top);
    CHECK(frame.panel[1].top + frame.panel[1].height < height);
    CHECK(frame.panel[1].y.high > 0.0599 && frame.panel[1].y.high < 0.07);
    CHECK_NEAR(frame.panel[1].y.low, -frame.panel[1].y.high, 1e-12);
  }
  data->panels[1].symmetric = FALSE;
  lay_out(data, 300, &frame);
  CHECK(frame.panel[1].y.low > -0.02);
}

static void zoom_keeps_the_place_and_the_whole(void) {
  NEED_DISPLAY();
  double x[101], y[101], d[101];
  g_autofree GantryPlotData *data = plain_data(x, y, d);
  GantryPlotFrame frame;
  lay_out(data, 300, &frame);
  gantry_plot_zoom_x(data, &frame, 0.25, 4);
  CHECK_NEAR(data->shown[0], 25 - 25 / 4.0, 1e-9);
  CHECK_NEAR(data->shown[1], 25 + 75 / 4.0, 1e-9);
  /* The ordinate follows what is shown of the curves: the half without the step. */
  lay_out(data, 300, &frame);
  CHECK(frame.panel[0].y.high < 1.2 && frame.panel[1].y.high < 0.012);
  CHECK(frame.whole[0] == 0 && frame.whole[1] == 100);
  /* Panning stops at the ends. */
  gantry_plot_pan(data, &frame, GANTRY_PANEL_UPPER, 10, 0);
  CHECK_NEAR(data->shown[0], 0, 1e-9);
  CHECK_NEAR(data->shown[1], 25, 1e-9);
  lay_out(data, 300, &frame);
  gantry_plot_zoom_x(data, &frame, 0.5, 0.01);
  CHECK(!gantry_plot_is_zoomed(data));
  /* A box moves the ordinate of its own panel alone. */
  lay_out(data, 300, &frame);
  gantry_plot_zoom_to(data, &frame, GANTRY_PANEL_LOWER, &(GantryPlotBox){{0.5, 0.75}, {0.5, 1}});
  lay_out(data, 300, &frame);
  CHECK_NEAR(frame.x.low, 50, 1e-9);
  CHECK_NEAR(frame.x.high, 75, 1e-9);
  CHECK_NEAR(frame.panel[1].y.low, 0, 1e-12);
  CHECK(frame.panel[0].y.high > 5 && gantry_plot_is_zoomed(data));
  gantry_plot_show_all(data);
  CHECK(!gantry_plot_is_zoomed(data));
}

/* By ratios on a logarithmic axis; without end neither in nor out. */
static void zoom_survives_both_ends(void) {
  NEED_DISPLAY();
  double x[101], y[101], d[101];
  g_autofree GantryPlotData *data = plain_data(x, y, d);
  GantryPlotFrame frame;
  data->panels[0].scale = GANTRY_SCALE_LOG;
  for (int i = 0; i <= 100; i++) y[i] = pow(10, i / 25.0);
  lay_out(data, 300, &frame);
  gantry_plot_zoom_y(data, &frame, GANTRY_PANEL_UPPER, 0.5, 2);
  lay_out(data, 300, &frame);
  CHECK(frame.panel[0].y.low > 8 && frame.panel[0].y.low < 12 && frame.panel[0].y.high > 800);
  for (int i = 0; i < 400; i++) {
    const double factor = i < 200 ? 1.5 : 1 / 1.5;
    lay_out(data, 300, &frame);
    gantry_plot_zoom_x(data, &frame, 0.3, factor);
    for (int p = 0; p < GANTRY_PANELS; p++) gantry_plot_zoom_y(data, &frame, (GantryPanel)p, 0.3, factor);
    lay_out(data, 300, &frame);
    CHECK(frame.x.count >= 2 && frame.x.high > frame.x.low);
    for (int p = 0; p < GANTRY_PANELS; p++) CHECK(frame.panel[p].y.high > frame.panel[p].y.low);
  }
}

/* A zoom that other curves have left behind. */
static void zoom_beside_the_curves_is_dropped(void) {
  NEED_DISPLAY();
  double x[101], y[101], d[101];
  g_autofree GantryPlotData *data = plain_data(x, y, d);
  GantryPlotFrame frame;
  data->shown[0] = 200, data->shown[1] = 300;
  lay_out(data, 300, &frame);
  CHECK(frame.x.low == 0 && frame.x.high == 100);
}

static void plot_writes_both_panels_to_one_table(void) {
  NEED_DISPLAY();
  g_autoptr(GantryPlot) plot = g_object_ref_sink(GANTRY_PLOT(gantry_plot_new()));
  const double x[] = {0, 1}, a[] = {3, 4}, d[] = {0.5, -0.25};
  gantry_plot_set_axes(plot, "distance", "mm", "attenuation", "1/mm");
  gantry_plot_set_lower(plot, "difference", "%", GANTRY_SCALE_LINEAR, TRUE);
  gantry_plot_set_curve(plot, GANTRY_CURVE_A, "A", x, a, 2);
  gantry_plot_set_panel_curve(plot, GANTRY_PANEL_LOWER, GANTRY_CURVE_A, "A − B", x, d, 2);
  g_autofree char *csv = gantry_plot_to_csv(plot);
  if (strcmp(csv, "distance (mm),A (1/mm),A − B (%)\n0,3,0.5\n1,4,-0.25\n") != 0)
    CT_TEST_END(1, "the table is\n%.300s", csv);
}

/* A figure has the size that was asked for, in points and at 300 dots to the inch, black letters and white ground, and
 * lines that differ in print without colours. */
static void figure_suits_a_paper(void) {
  NEED_DISPLAY();
  g_autoptr(GantryPlot) plot = make_plot();
  g_autofree char *folder = g_dir_make_tmp("gantry-plot-XXXXXX", NULL);
  g_autofree char *png = g_build_filename(folder, "p.png", NULL), *svg = g_build_filename(folder, "p.svg", NULL),
                  *pdf = g_build_filename(folder, "p.pdf", NULL);
  const GantryPaper paper = {127, 76.2};
  g_autofree char *text = NULL, *bytes = NULL;
  ct_error *error = NULL;
  gsize length;
  CHECK_OK(gantry_plot_save(plot, png, &paper, &error));
  g_autoptr(GdkPixbuf) picture = gdk_pixbuf_new_from_file(png, NULL);
  CHECK(gdk_pixbuf_get_width(picture) == 1500 && gdk_pixbuf_get_height(picture) == 900);
  CHECK(!memcmp(gdk_pixbuf_read_pixels(picture), "\xff\xff\xff", 3));
  CHECK_OK(gantry_plot_save(plot, svg, &paper, &error));
  CHECK(g_file_get_contents(svg, &text, &length, NULL) && strstr(text, "viewBox=\"0 0 360 216\""));
  CHECK(strstr(text, "stroke-dasharray"));
  CHECK_OK(gantry_plot_save(plot, pdf, &paper, &error));
  CHECK(g_file_get_contents(pdf, &bytes, &length, NULL) && !memcmp(bytes, "%PDF", 4));
  g_remove(png), g_remove(svg), g_remove(pdf), g_rmdir(folder);
  GantryPlotTheme theme;
  gantry_plot_theme_of_paper(&theme);
  cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, 4, 4);
  cairo_t *cr = cairo_create(surface);
  double dashes[GANTRY_CURVE_COLOURS][8] = {{0}};
  for (guint a = 0; a < GANTRY_CURVE_COLOURS; a++) {
    gantry_plot_set_pen(&theme, a, cr);
    cairo_get_dash(cr, dashes[a], NULL);
    for (guint b = 0; b < a; b++) CHECK(memcmp(dashes[a], dashes[b], sizeof dashes[a]) != 0);
  }
  cairo_destroy(cr);
  cairo_surface_destroy(surface);
}

static void histogram_limits_follow_the_display(void) {
  NEED_DISPLAY();
  g_autoptr(GantryDisplay) display = gantry_display_new();
  g_autoptr(GtkWidget) histogram = g_object_ref_sink(gantry_histogram_new(display));
  const gsize bins[] = {1, 10, 100, 3};
  double low, high;
  gantry_histogram_set_bins(GANTRY_HISTOGRAM(histogram), 0, 0.04, bins, 4);
  gantry_display_set_window(display, 0.01, 0.03);
  GtkWidget *black = find_widget(histogram, GTK_TYPE_SPIN_BUTTON);
  CHECK_NEAR(gtk_spin_button_get_value(GTK_SPIN_BUTTON(black)), 0.01, 1e-9);
  gtk_spin_button_set_value(GTK_SPIN_BUTTON(black), 0.02);
  gantry_display_get_window(display, &low, &high);
  CHECK_NEAR(low, 0.02, 1e-9);
  /* The limits never cross. */
  gtk_spin_button_set_value(GTK_SPIN_BUTTON(black), 0.5);
  gantry_display_get_window(display, &low, &high);
  CHECK(low < high && high == 0.03);
  /* Of a difference they are the ends of its scale, which the user's choice locks. */
  gantry_display_set_range(display, CTGL_SCALE_DIFFERENCE, 0.005);
  gantry_display_set_mode(display, CTGL_SHOW_DIFFERENCE);
  CHECK_NEAR(gtk_spin_button_get_value(GTK_SPIN_BUTTON(black)), -0.005, 1e-9);
  CHECK(find_label_with(histogram, "From") && !find_label_with(histogram, "Black"));
  gtk_spin_button_set_value(GTK_SPIN_BUTTON(black), -0.002);
  CHECK_NEAR(gantry_display_get_range(display, CTGL_SCALE_DIFFERENCE), 0.002, 1e-9);
  CHECK(gantry_display_get_locked(display));
  gantry_display_get_window(display, &low, &high);
  CHECK(high == 0.03);
  gantry_display_set_range(display, CTGL_SCALE_RELATIVE, 0.1);
  gantry_display_set_mode(display, CTGL_SHOW_RELATIVE);
  CHECK_NEAR(gtk_spin_button_get_value(GTK_SPIN_BUTTON(black)), -10, 1e-9);
  CHECK(find_label_with(histogram, "%"));
  gantry_display_set_mode(display, CTGL_SHOW_ABSOLUTE);
  CHECK(!gtk_widget_get_sensitive(black) && gtk_spin_button_get_value(GTK_SPIN_BUTTON(black)) == 0);
}

static const ct_test tests[] = {
    {"axis ticks are round and inside", axis_ticks_are_round_and_inside},
    {"axis survives odd ranges", axis_survives_odd_ranges},
    {"axis has a true minus", axis_has_a_true_minus},
    {"ticks of a logarithmic axis lie inside", log_axis_ticks_are_inside},
    {"a logarithmic axis reads well", log_axis_reads_well},
    {"counts have whole ticks", counts_are_whole},
    {"plot writes CSV", plot_writes_csv},
    {"curves that grow share a column", plot_writes_growing_curves_to_one_column},
    {"plot saves PNG and SVG", plot_saves_png_and_svg},
    {"curve is read between its points", curve_is_read_between_its_points},
    {"plot fills its frame", plot_fills_its_frame},
    {"lower panel has its own scale", lower_panel_has_its_own_scale},
    {"zoom keeps the place and the whole", zoom_keeps_the_place_and_the_whole},
    {"zoom survives both ends", zoom_survives_both_ends},
    {"zoom beside the curves is dropped", zoom_beside_the_curves_is_dropped},
    {"both panels are one table", plot_writes_both_panels_to_one_table},
    {"a figure suits a paper", figure_suits_a_paper},
    {"histogram limits follow the display", histogram_limits_follow_the_display},
};

WIDGET_TEST_MAIN(tests)
