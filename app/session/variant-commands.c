/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The commands of the page "Compare Variants", those about a row among them. */
#include "app/session/session-private.h"

#define COMMAND(name) static void name(GSimpleAction *action, GVariant *parameter, gpointer data)

static GantryVariantGrid *of(gpointer data) {
  return ((GantrySession *)data)->variants;
}

/* "KEY=A,B,C", as of gantry-cli variants --vary. */
COMMAND(vary) {
  g_auto(GStrv) parts = g_strsplit(g_variant_get_string(parameter, NULL), "=", 2);
  const ct_param *param = parts[0] && parts[1] ? ct_param_find(parts[0]) : NULL;
  GantryWindow *window = ((GantrySession *)data)->context->window;
  if (param && gantry_variant_axis_can_vary(param))
    gantry_variants_page_vary(gantry_window_get_variants_page(window), param, parts[1]);
}

COMMAND(run_variants) {
  gantry_variant_grid_run(of(data));
}

COMMAND(measure_kernels) {
  gantry_variant_grid_measure_kernels(of(data));
}

COMMAND(variant_show) {
  gantry_variant_grid_show(of(data));
}

COMMAND(variant_reference) {
  gantry_variant_grid_make_reference(of(data));
}

COMMAND(variant_shelf) {
  gantry_variant_grid_put_on_shelf(of(data));
}

COMMAND(variant_values) {
  gantry_variant_grid_use_values(of(data));
}

COMMAND(save_variants) {
  gantry_variant_grid_save_table(of(data));
}

COMMAND(save_variants_picture) {
  gantry_variant_grid_save_picture(of(data));
}

COMMAND(make_figures) {
  gantry_paper_figures_make(((GantrySession *)data)->figures);
}

COMMAND(open_figures) {
  gantry_paper_figures_open_folder(((GantrySession *)data)->figures);
}

void gantry_session_add_variant_actions(GantrySession *self) {
  static const GActionEntry entries[] = {
      {.name = "vary", .activate = vary, .parameter_type = "s"},
      {.name = "run-variants", .activate = run_variants},
      {.name = "measure-kernels", .activate = measure_kernels},
      {.name = "variant-show", .activate = variant_show},
      {.name = "variant-reference", .activate = variant_reference},
      {.name = "variant-shelf", .activate = variant_shelf},
      {.name = "variant-values", .activate = variant_values},
      {.name = "save-variants", .activate = save_variants},
      {.name = "save-variants-picture", .activate = save_variants_picture},
      {.name = "make-figures", .activate = make_figures},
      {.name = "open-figures", .activate = open_figures},
  };
  g_action_map_add_action_entries(G_ACTION_MAP(self->context->window), entries, G_N_ELEMENTS(entries), self);
}

static void enable(GantrySession *self, const char *name, gboolean enabled) {
  GAction *action = g_action_map_lookup_action(G_ACTION_MAP(self->context->window), name);
  g_simple_action_set_enabled(G_SIMPLE_ACTION(action), enabled);
}

void gantry_session_count_rows(GantrySession *self) {
  gantry_shelf_store_set_beside(self->store, gantry_variant_grid_get_held(self->variants));
}

void gantry_session_update_variant_actions(GantrySession *self) {
  gantry_session_count_rows(self);
  const gboolean volume = gantry_variant_grid_has_volume(self->variants);
  const gboolean running = gantry_slices_get_source(self->slices) == GANTRY_SOURCE_RUNNING;
  enable(self, "compare-variants", gantry_scan_slot_get(self->slot) != NULL);
  enable(self, "measure-kernels", gantry_scan_slot_get(self->slot) != NULL);
  enable(self, "run-variants", gantry_variant_grid_can_run(self->variants));
  enable(self, "variant-show", volume && !running);
  enable(self, "variant-reference", volume);
  enable(self, "variant-shelf", volume);
  enable(self, "variant-values", gantry_variant_grid_has_values(self->variants));
  enable(self, "make-figures", gantry_paper_figures_can_make(self->figures));
  enable(self, "save-variants", gantry_variant_grid_can_save(self->variants));
  enable(self, "save-variants-picture", gantry_variant_grid_can_save(self->variants));
}
