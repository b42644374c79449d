/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The action's state is what is shown, also where the program chose it. */
#include "ui/window/layouts.h"

#include <math.h>
#include <string.h>

struct _GantryLayouts {
  GtkWidget *window;
  GantryQuad *quad;
  gboolean chosen; /* by the user */
};

static const char *const ids[GANTRY_LAYOUTS] = {"grid", "large", "row", "pair"};

GantryLayout gantry_layout_for(const ct_grid *grid) {
  /* Height against width of the volume. */
  static const double few = 1.0 / 16, flat = 1.0 / 3, tall = 2.2;
  const double across = fmax(grid->nx * grid->dx, grid->ny * grid->dy), ratio = grid->nz * grid->dz / across;
  return ratio < few    ? GANTRY_LAYOUT_PAIR
         : ratio < flat ? GANTRY_LAYOUT_LARGE
         : ratio > tall ? GANTRY_LAYOUT_ROW
                        : GANTRY_LAYOUT_GRID;
}

static void set_layout(GantryLayouts *self, GantryLayout layout) {
  GAction *action = g_action_map_lookup_action(G_ACTION_MAP(self->window), "layout");
  g_simple_action_set_state(G_SIMPLE_ACTION(action), g_variant_new_string(ids[layout]));
  gantry_quad_set_layout(self->quad, layout);
}

/* Also where it is that one already: a maximised view goes back, another one becomes the large one. */
static void choose(GSimpleAction *action, GVariant *target, gpointer user) {
  GantryLayouts *self = user;
  for (int i = 0; i < GANTRY_LAYOUTS; i++) {
    if (!g_str_equal(g_variant_get_string(target, NULL), ids[i])) continue;
    self->chosen = TRUE;
    set_layout(self, (GantryLayout)i);
  }
}

GantryLayouts *gantry_layouts_new(GtkWidget *window, GantryQuad *quad) {
  static const GActionEntry entries[] = {
      {.name = "layout", .parameter_type = "s", .state = "'grid'", .activate = choose, .change_state = choose}};
  GantryLayouts *self = g_new0(GantryLayouts, 1);
  self->window = window;
  self->quad = quad;
  g_action_map_add_action_entries(G_ACTION_MAP(window), entries, G_N_ELEMENTS(entries), self);
  return self;
}

void gantry_layouts_free(GantryLayouts *self) {
  g_free(self);
}

void gantry_layouts_reset(GantryLayouts *self) {
  self->chosen = FALSE;
  set_layout(self, GANTRY_LAYOUT_GRID);
}

void gantry_layouts_suit(GantryLayouts *self, const ct_grid *grid) {
  const GantryLayout layout = gantry_layout_for(grid);
  g_autoptr(GVariant) state = g_action_group_get_action_state(G_ACTION_GROUP(self->window), "layout");
  if (!self->chosen && strcmp(g_variant_get_string(state, NULL), ids[layout]) != 0) set_layout(self, layout);
}
