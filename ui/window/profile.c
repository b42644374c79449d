/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Read from the pictures on screen, and from the same planes of every ticked result. */
#include "ui/window/profile.h"

#include "ui/window/plot-saving.h"
#include "ui/window/profile-numbers.h"

#include <math.h>

struct _GantryProfile {
  GantryProfileParts with;
  GantryPlot *plot;
  GantryProfileNumbers *numbers;
  GPtrArray *curves; /* as drawn; NULL: none */
  GantryProfileLine line;
  const char *reference, *unit, *value_unit; /* static strings */
};

/* The page */

/* With more than two curves their names stand beside the plot, and so do their values at the pointer. */
static gboolean is_named_beside(GantryProfile *self) {
  return self->curves && self->curves->len > 2;
}

static void show_numbers(GantryProfile *self, double cursor) {
  const GantryProfileFacts facts = {.curves = self->curves,
                                    .line = &self->line,
                                    .reference = self->reference,
                                    .unit = self->unit,
                                    .value_unit = self->value_unit,
                                    .cursor = is_named_beside(self) ? cursor : NAN};
  gantry_profile_numbers_show(self->numbers, &facts);
}

static void cursor_moved(GantryPlot *plot, double x, GantryProfile *self) {
  if (is_named_beside(self)) show_numbers(self, x);
}

static GtkWidget *make_page(GantryProfile *self) {
  GtkWidget *page = gtk_box_new(GTK_ORIENTATION_VERTICAL, 3), *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12);
  self->plot = g_object_ref_sink(GANTRY_PLOT(gantry_plot_new()));
  gtk_widget_set_hexpand(GTK_WIDGET(self->plot), TRUE);
  g_signal_connect(self->plot, "cursor-moved", G_CALLBACK(cursor_moved), self);
  self->numbers = gantry_profile_numbers_new(self->with.display);
  gtk_box_append(GTK_BOX(box), GTK_WIDGET(self->plot));
  gtk_box_append(GTK_BOX(box), gantry_profile_numbers_get_widget(self->numbers));
  gtk_widget_set_vexpand(box, TRUE);
  gtk_box_append(GTK_BOX(page), box);
  gtk_box_append(GTK_BOX(page), gantry_ray_part_get_numbers(self->with.ray));
  return page;
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
  if (gantry_ray_part_is_on(self->with.ray))
    gantry_messages_toast(self->with.messages, GANTRY_ABOUT_FILE,
                          "There are no values along the ray yet: reconstruct the volume first.", "Reconstruct",
                          "win.reconstruct");
  else
    gantry_messages_toast(self->with.messages, GANTRY_ABOUT_FILE,
                          "There is no profile yet: drag a line in a view first.", "Draw", "win.profile");
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

static void drop_curves(GantryProfile *self) {
  g_clear_pointer(&self->curves, g_ptr_array_unref);
  g_clear_pointer(&self->line.x, g_free);
  self->reference = NULL;
}

void gantry_profile_free(GantryProfile *self) {
  drop_curves(self);
  g_signal_handlers_disconnect_by_data(self->plot, self);
  g_object_unref(self->plot);
  gantry_profile_numbers_free(self->numbers);
  g_free(self);
}

/* The curves */

static void draw_differences(GantryProfile *self) {
  const gboolean two = !is_named_beside(self);
  g_autofree char *title = two ? g_strdup("difference") : g_strdup_printf("difference from %s", self->reference);
  gantry_plot_set_lower(self->plot, title, self->value_unit, GANTRY_SCALE_LINEAR, TRUE);
  for (guint i = 0; self->reference && i < self->curves->len; i++) {
    const GantryProfileCurve *curve = self->curves->pdata[i];
    if (!curve->difference || curve->number >= GANTRY_CURVES) continue;
    /* Of A and B alone it has its own colour; of several each has its curve's. */
    const gboolean plain = two && self->curves->len == 2 && !i;
    g_autofree char *name = plain ? g_strdup("A − B") : g_strdup_printf("%s − %s", curve->name, self->reference);
    gantry_plot_set_panel_curve(self->plot, GANTRY_PANEL_LOWER, plain ? GANTRY_CURVE_DIFFERENCE : curve->number, name,
                                self->line.x, curve->difference, self->line.count);
  }
}

static void draw(GantryProfile *self, const GantryImage *a) {
  const gboolean slice = a->kind != GANTRY_VIEW_PROJECTION;
  gantry_plot_set_axes(self->plot, "distance", self->unit,
                       slice                                 ? "attenuation"
                       : a->integrals                        ? "line integral"
                       : a->values == GANTRY_VALUES_FILTERED ? "filtered projection"
                       : a->values == GANTRY_VALUES_WEIGHTS  ? "redundancy weight"
                       : a->values == GANTRY_VALUES_WEIGHTED ? "weighted line integral"
                                                             : "value as stored",
                       self->value_unit);
  gantry_plot_clear(self->plot);
  gantry_plot_set_legend(self->plot, !is_named_beside(self));
  for (guint i = 0; i < self->curves->len; i++) {
    const GantryProfileCurve *curve = self->curves->pdata[i];
    if (curve->number < GANTRY_CURVES)
      gantry_plot_set_curve(self->plot, curve->number, curve->name, self->line.x, curve->y, self->line.count);
  }
  draw_differences(self);
}

/* In the unit that values are told in. */
static void tell_values(GantryProfile *self) {
  GantryDisplay *display = self->with.display;
  if (!gantry_display_get_values(display)) return;
  for (guint n = 0; n < self->curves->len; n++) {
    GantryProfileCurve *curve = self->curves->pdata[n];
    for (gsize i = 0; i < self->line.count; i++) {
      curve->y[i] = gantry_display_value(display, curve->y[i]);
      if (curve->difference) curve->difference[i] = gantry_display_difference(display, curve->difference[i]);
    }
    curve->rmse = fabs(gantry_display_difference(display, curve->rmse));
    curve->largest = fabs(gantry_display_difference(display, curve->largest));
  }
}

static void take_curves(GantryProfile *self, const GantryImage *a, ctgl_point from, ctgl_point to) {
  const gboolean slice = a->kind != GANTRY_VIEW_PROJECTION;
  const ct_units units = gantry_display_get_units(self->with.display);
  GantryProfilePictures pictures = {.a = a, .b = gantry_quad_get_image(self->with.quad, a->kind, CTGL_SLOT_B)};
  pictures.variants = gantry_variants_get(self->with.variants, &pictures.variant_count);
  self->unit = slice ? units.length : "px";
  self->value_unit = slice ? gantry_display_value_unit(self->with.display) : "";
  self->line = gantry_profile_line(a, from, to, gantry_display_get_profile_lines(self->with.display));
  self->curves = gantry_profile_curves_new(&pictures, &self->line);
  if (slice) tell_values(self);
  self->reference = gantry_profile_reference_name(&pictures, self->curves);
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
  allow(self, a != NULL || gantry_ray_part_is_on(self->with.ray));
  if (!gantry_plots_is_shown(self->with.plots, "profile")) return;
  drop_curves(self);
  gtk_widget_set_visible(gantry_profile_numbers_get_widget(self->numbers), !gantry_ray_part_is_on(self->with.ray));
  if (gantry_ray_part_draw(self->with.ray, self->plot)) return;
  gantry_plot_set_empty_text(self->plot,
                             "Press Ctrl+L, or P in a view, and drag a line: the values along it are plotted here.");
  if (a && hypot(to.x - from.x, to.y - from.y) > 0) {
    take_curves(self, a, from, to);
    draw(self, a);
  } else {
    gantry_plot_clear(self->plot);
  }
  show_numbers(self, NAN);
}
