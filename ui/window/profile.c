/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Read from the pictures on screen, A, B and their difference at the same points. */
#include "ui/window/profile.h"

#include "ui/number-text.h"
#include "ui/window/plot-saving.h"

#include <math.h>

#define MOST_POINTS 4096

enum { LENGTH, PEAK, WIDTH, MEAN, NUMBERS };

struct _GantryProfile {
  GantryProfileParts with;
  GantryPlot *plot;
  GtkLabel *numbers[NUMBERS];
};

/* The page */

static GtkLabel *add_number(GtkGrid *grid, int row, const char *title, const char *tip) {
  GtkWidget *name = gtk_label_new(title), *value = gtk_label_new("—");
  gtk_label_set_xalign(GTK_LABEL(name), 0);
  gtk_label_set_xalign(GTK_LABEL(value), 1);
  gtk_label_set_selectable(GTK_LABEL(value), TRUE);
  gtk_widget_set_focusable(value, FALSE);
  gtk_label_set_width_chars(GTK_LABEL(value), 12);
  gtk_widget_add_css_class(name, "dim-label");
  gtk_widget_add_css_class(value, "numeric");
  gtk_widget_set_tooltip_text(name, tip);
  gtk_widget_set_tooltip_text(value, tip);
  gtk_grid_attach(grid, name, 0, row, 1, 1);
  gtk_grid_attach(grid, value, 1, row, 1, 1);
  return GTK_LABEL(value);
}

static GtkWidget *make_page(GantryProfile *self) {
  static const char *const titles[] = {"Length", "Peak", "FWHM", "Mean"};
  static const char *const tips[] = {"Length of the measuring line", "Largest value of A along the line",
                                     "Full width at half maximum of the peak of A, above the least value",
                                     "Mean value of A along the line"};
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12), *grid = gtk_grid_new();
  self->plot = GANTRY_PLOT(gantry_plot_new());
  gtk_widget_set_hexpand(GTK_WIDGET(self->plot), TRUE);
  gantry_plot_set_empty_text(self->plot,
                             "Press Ctrl+L, or P in a view, and drag a line: the values along it are plotted here.");
  gtk_box_append(GTK_BOX(box), GTK_WIDGET(self->plot));
  gtk_grid_set_column_spacing(GTK_GRID(grid), 12);
  gtk_grid_set_row_spacing(GTK_GRID(grid), 4);
  gtk_widget_set_valign(grid, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class(grid, "readout");
  for (int i = 0; i < NUMBERS; i++) self->numbers[i] = add_number(GTK_GRID(grid), i, titles[i], tips[i]);
  gtk_box_append(GTK_BOX(box), grid);
  return box;
}

GantryPlot *gantry_profile_get_plot(GantryProfile *self) {
  return self->plot;
}

/* Commands */

static char *table(gpointer plot) {
  return gantry_plot_to_csv(plot);
}

static GantryPlotSource source_of(GantryProfile *self) {
  return (GantryPlotSource){.name = "profile", .plot = self->plot, .to_csv = table, .source = self->plot};
}

static void start(GSimpleAction *action, GVariant *value, gpointer user) {
  GantryProfile *self = user;
  GantrySliceView *view = gantry_quad_get_view(self->with.quad, gantry_quad_get_focused(self->with.quad));
  gantry_plots_show(self->with.plots, "profile");
  for (int k = 0; k < GANTRY_VIEWS; k++)
    gantry_slice_view_start_profile(gantry_quad_get_view(self->with.quad, (GantryViewKind)k));
  gtk_widget_grab_focus(GTK_WIDGET(view));
}

static void drop(GSimpleAction *action, GVariant *value, gpointer user) {
  gantry_display_set_profile(((GantryProfile *)user)->with.display, GANTRY_VIEWS, (ctgl_point){0, 0},
                             (ctgl_point){0, 0});
}

static gboolean has_curve(GantryProfile *self) {
  g_autofree char *csv = gantry_plot_to_csv(self->plot);
  if (*csv) return TRUE;
  gantry_messages_toast(self->with.messages, GANTRY_ABOUT_FILE, "There is no profile yet: drag a line in a view first.",
                        "Draw", "win.profile");
  return FALSE;
}

static void copy(GSimpleAction *action, GVariant *value, gpointer user) {
  GantryProfile *self = user;
  const GantryPlotSource source = source_of(self);
  if (has_curve(self)) gantry_plot_source_copy(&source, self->with.messages);
}

static void save(GSimpleAction *action, GVariant *value, gpointer user) {
  GantryProfile *self = user;
  const GantryPlotSource source = source_of(self);
  if (has_curve(self)) gantry_plot_source_save(&source, GTK_WINDOW(self->with.window), self->with.messages);
}

GantryProfile *gantry_profile_new(const GantryProfileParts *parts) {
  static const GActionEntry entries[] = {
      {.name = "profile", .activate = start},
      {.name = "remove-profile", .activate = drop},
      {.name = "copy-profile", .activate = copy},
      {.name = "save-profile", .activate = save},
  };
  GantryProfile *self = g_new0(GantryProfile, 1);
  self->with = *parts;
  gantry_plots_add(parts->plots, make_page(self), "profile", "Profile");
  g_action_map_add_action_entries(G_ACTION_MAP(parts->window), entries, G_N_ELEMENTS(entries), self);
  return self;
}

void gantry_profile_free(GantryProfile *self) {
  g_free(self);
}

/* Numbers */

/* Width of the highest peak at half its height above the least value; false when it does not end within the line. */
static gboolean find_width(const double *x, const double *y, gsize count, gsize peak, double least, double *width) {
  const double half = (y[peak] + least) / 2;
  double ends[2] = {NAN, NAN};
  for (gsize i = peak; i > 0 && isnan(ends[0]); i--) {
    if (y[i - 1] < half) ends[0] = x[i - 1] + (x[i] - x[i - 1]) * (half - y[i - 1]) / (y[i] - y[i - 1]);
  }
  for (gsize i = peak; i + 1 < count && isnan(ends[1]); i++) {
    if (y[i + 1] < half) ends[1] = x[i] + (x[i + 1] - x[i]) * (y[i] - half) / (y[i] - y[i + 1]);
  }
  *width = ends[1] - ends[0];
  return isfinite(*width);
}

static void set_quantity(GtkLabel *label, double value, int digits, const char *unit) {
  g_autofree char *text = gantry_quantity_text(value, digits, unit);
  gtk_label_set_text(label, text);
}

static void show_numbers(GantryProfile *self, const double *x, const double *a, gsize count, const char *unit,
                         const char *value_unit) {
  double sum = 0, least = INFINITY, width;
  gsize peak = 0, finite = 0;
  for (gsize i = 0; i < count; i++) {
    if (!isfinite(a[i])) continue;
    if (!finite || a[i] > a[peak]) peak = i;
    least = fmin(least, a[i]), sum += a[i];
    finite++;
  }
  for (int i = 0; i < NUMBERS; i++) gtk_label_set_text(self->numbers[i], "—");
  if (count) set_quantity(self->numbers[LENGTH], x[count - 1], 4, unit);
  if (!finite) return;
  g_autofree char *highest = gantry_quantity_text(a[peak], 3, value_unit),
                  *place = gantry_quantity_text(x[peak], 3, unit);
  g_autofree char *top = g_strdup_printf("%s at %s", highest, place);
  gtk_label_set_text(self->numbers[PEAK], top);
  if (find_width(x, a, count, peak, least, &width)) set_quantity(self->numbers[WIDTH], width, 3, unit);
  set_quantity(self->numbers[MEAN], sum / (double)finite, 3, value_unit);
}

/* The curve */

static void clear(GantryProfile *self) {
  gantry_plot_clear(self->plot);
  show_numbers(self, NULL, NULL, 0, "", "");
}

/* b may be NULL. */
static void plot(GantryProfile *self, GantryImage *a, GantryImage *b, ctgl_point from, ctgl_point to) {
  const double length = hypot(to.x - from.x, to.y - from.y);
  const gboolean slice = a->kind != GANTRY_VIEW_PROJECTION;
  const ct_units units = gantry_display_get_units(self->with.display);
  const char *unit = slice ? units.length : "px", *value_unit = slice ? units.value : "";
  const double pitch = fmin(a->spacing_x, a->spacing_y);
  const gsize count = (gsize)CLAMP(ceil(length / pitch), 1, MOST_POINTS - 1) + 1;
  g_autofree double *x = g_new(double, count), *ya = g_new(double, count), *yb = g_new(double, count),
                    *yd = g_new(double, count);
  for (gsize i = 0; i < count; i++) {
    const double t = (double)i / (double)(count - 1), px = from.x + t * (to.x - from.x),
                 py = from.y + t * (to.y - from.y);
    x[i] = t * length;
    ya[i] = gantry_image_sample(a, px, py);
    yb[i] = b ? gantry_image_sample(b, px, py) : NAN;
    yd[i] = ya[i] - yb[i];
  }
  gantry_plot_set_axes(self->plot, "distance", unit,
                       slice          ? "attenuation"
                       : a->integrals ? "line integral"
                                      : "value as stored",
                       value_unit);
  gantry_plot_set_curve(self->plot, GANTRY_CURVE_A, "A", x, ya, count);
  gantry_plot_set_curve(self->plot, GANTRY_CURVE_B, "B", x, yb, b ? count : 0);
  gantry_plot_set_lower(self->plot, "difference", value_unit, GANTRY_SCALE_LINEAR, TRUE);
  gantry_plot_set_panel_curve(self->plot, GANTRY_PANEL_LOWER, GANTRY_CURVE_DIFFERENCE, "A − B", x, yd, b ? count : 0);
  show_numbers(self, x, ya, count, unit, value_unit);
}

/* Nothing to copy or to save without a line over a picture. */
static void allow(GantryProfile *self, gboolean there) {
  static const char *const names[] = {"copy-profile", "save-profile"};
  for (gsize i = 0; i < G_N_ELEMENTS(names); i++) {
    GAction *action = g_action_map_lookup_action(G_ACTION_MAP(self->with.window), names[i]);
    g_simple_action_set_enabled(G_SIMPLE_ACTION(action), there);
  }
}

void gantry_profile_refresh(GantryProfile *self) {
  ctgl_point from, to;
  const GantryViewKind kind = gantry_display_get_profile(self->with.display, &from, &to);
  GantryImage *a = kind == GANTRY_VIEWS ? NULL : gantry_quad_get_image(self->with.quad, kind, CTGL_SLOT_A);
  allow(self, a != NULL);
  if (!gantry_plots_is_shown(self->with.plots, "profile")) return;
  if (a && hypot(to.x - from.x, to.y - from.y) > 0)
    plot(self, a, gantry_quad_get_image(self->with.quad, kind, CTGL_SLOT_B), from, to);
  else
    clear(self);
}
