/* SPDX-License-Identifier: GPL-3.0-or-later */
/* While the page is not on screen nothing is wanted of it: the comparison of two volumes takes a while. */
#include "ui/window/errors.h"

#include "ui/window/plot-saving.h"

#define PAGE "errors"

struct _GantryErrors {
  GantryErrorsParts with;
  GantryErrorsPage *page;
  GantryErrorsScope scope;
  gboolean shown;
};

static const char *const scope_ids[] = {
    [GANTRY_ERRORS_VOLUME] = "volume",
    [GANTRY_ERRORS_SLICE] = "slice",
    [GANTRY_ERRORS_REGION] = "region",
};

GantryErrorsScope gantry_errors_get_scope(GantryErrors *self) {
  return gantry_plots_is_shown(self->with.plots, PAGE) ? self->scope : GANTRY_ERRORS_NONE;
}

GantryErrorsPage *gantry_errors_get_page(GantryErrors *self) {
  return self->page;
}

void gantry_errors_refresh(GantryErrors *self) {
  const gboolean shown = gantry_plots_is_shown(self->with.plots, PAGE);
  if (shown == self->shown) return;
  self->shown = shown;
  self->with.wanted(self->with.user);
}

static void enable(GantryErrors *self, const char *name, gboolean enabled) {
  GAction *action = g_action_map_lookup_action(G_ACTION_MAP(self->with.window), name);
  g_simple_action_set_enabled(G_SIMPLE_ACTION(action), enabled);
}

void gantry_errors_take(GantryErrors *self, GantryErrorReport *report, const char *instead) {
  const gboolean there = report != NULL;
  gantry_errors_page_take(self->page, report, instead);
  enable(self, "copy-errors", there);
  enable(self, "save-errors", there);
  enable(self, "copy-error-numbers", there);
}

/* Places */

static void slice_clicked(GantryErrorsPage *page, int index, GantryErrors *self) {
  const GantryErrorReport *report = gantry_errors_page_get_report(page);
  double cross[3];
  if (!report) return;
  gantry_display_get_cross(self->with.display, cross);
  cross[2] = ct_grid_plane_position(&report->grid, CT_AXIAL, CLAMP(index, 0, report->grid.nz - 1));
  gantry_display_set_cross(self->with.display, cross);
}

/* Commands */

static void show_page(GSimpleAction *action, GVariant *value, gpointer user) {
  GantryErrors *self = user;
  gantry_plots_show(self->with.plots, PAGE);
  gtk_widget_grab_focus(GTK_WIDGET(gantry_errors_page_get_plot(self->page)));
}

static void change_scope(GSimpleAction *action, GVariant *value, gpointer user) {
  GantryErrors *self = user;
  for (guint i = GANTRY_ERRORS_VOLUME; i < G_N_ELEMENTS(scope_ids); i++) {
    if (!g_str_equal(g_variant_get_string(value, NULL), scope_ids[i])) continue;
    self->scope = (GantryErrorsScope)i;
    g_simple_action_set_state(action, value);
    self->with.wanted(self->with.user);
  }
}

static void choose_curve(GSimpleAction *action, GVariant *value, gpointer user) {
  gantry_errors_page_choose(((GantryErrors *)user)->page, g_variant_get_string(value, NULL));
}

static char *table(gpointer plot) {
  return gantry_plot_to_csv(plot);
}

static GantryPlotSource source_of(GantryErrors *self) {
  GantryPlot *plot = gantry_errors_page_get_plot(self->page);
  return (GantryPlotSource){.name = "errors", .plot = plot, .to_csv = table, .source = plot};
}

static void copy(GSimpleAction *action, GVariant *value, gpointer user) {
  GantryErrors *self = user;
  const GantryPlotSource source = source_of(self);
  gantry_plot_source_copy(&source, self->with.messages);
}

static void save(GSimpleAction *action, GVariant *value, gpointer user) {
  GantryErrors *self = user;
  const GantryPlotSource source = source_of(self);
  gantry_plot_source_save(&source, GTK_WINDOW(self->with.window), self->with.messages);
}

static void copy_numbers(GSimpleAction *action, GVariant *value, gpointer user) {
  GantryErrors *self = user;
  g_autofree char *csv = gantry_errors_page_numbers_to_csv(self->page);
  gdk_clipboard_set_text(gtk_widget_get_clipboard(self->with.window), csv);
  gantry_messages_toast(self->with.messages, GANTRY_ABOUT_FILE, "The numbers were copied as a table.", NULL, NULL);
}

/* Life */

GantryErrors *gantry_errors_new(const GantryErrorsParts *parts) {
  static const GActionEntry entries[] = {
      {.name = "show-errors", .activate = show_page},
      {.name = "errors-scope", .parameter_type = "s", .state = "'volume'", .change_state = change_scope},
      {.name = "errors-curve", .parameter_type = "s", .activate = choose_curve},
      {.name = "copy-errors", .activate = copy},
      {.name = "save-errors", .activate = save},
      {.name = "copy-error-numbers", .activate = copy_numbers},
  };
  GantryErrors *self = g_new0(GantryErrors, 1);
  self->with = *parts;
  self->scope = GANTRY_ERRORS_VOLUME;
  self->page = GANTRY_ERRORS_PAGE(gantry_errors_page_new());
  gantry_plots_add(parts->plots, GTK_WIDGET(self->page), PAGE, "Errors");
  g_action_map_add_action_entries(G_ACTION_MAP(parts->window), entries, G_N_ELEMENTS(entries), self);
  g_signal_connect(self->page, "slice-clicked", G_CALLBACK(slice_clicked), self);
  gantry_errors_take(self, NULL, "Keep a result as reference B, and the errors of later results are shown here.");
  return self;
}

void gantry_errors_free(GantryErrors *self) {
  g_free(self);
}
