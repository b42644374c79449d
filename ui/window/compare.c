/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The flicker flips between the modes A and B; any other mode ends it. */
#include "ui/window/compare.h"

#include <math.h>

static const double mix_step = 0.1, tile_factor = 1.5;

struct _GantryCompare {
  GActionMap *map;
  GantryDisplay *display;
  GantryScales *scales;
  GantryRefresh *refresh;
  guint clock; /* 0: no flicker */
  int rate;    /* flips per second */
};

static gboolean shows_one(GantryCompare *self) {
  const ctgl_mode mode = gantry_display_get_mode(self->display);
  return mode == CTGL_SHOW_A || mode == CTGL_SHOW_B;
}

/* To B from any mode but B itself: a difference is looked at beside A most of the time, so B is the news. */
static void flip(GantryCompare *self) {
  const gboolean b = gantry_display_get_mode(self->display) == CTGL_SHOW_B;
  gantry_display_set_mode(self->display, b ? CTGL_SHOW_A : CTGL_SHOW_B);
  gantry_refresh_queue(self->refresh);
}

static void do_flip(GSimpleAction *action, GVariant *value, gpointer user) {
  flip(user);
}

/* Flicker */

static void set_state(GantryCompare *self, const char *name, GVariant *state) {
  GAction *action = g_action_map_lookup_action(self->map, name);
  g_autoptr(GVariant) before = g_action_get_state(action), after = g_variant_ref_sink(state);
  if (!g_variant_equal(before, after)) g_simple_action_set_state(G_SIMPLE_ACTION(action), after);
}

static gboolean tick(gpointer user) {
  flip(user);
  return G_SOURCE_CONTINUE;
}

static void set_flicker(GantryCompare *self, gboolean flickers) {
  g_clear_handle_id(&self->clock, g_source_remove);
  if (flickers) {
    if (!shows_one(self)) flip(self);
    self->clock = g_timeout_add((guint)(1000 / self->rate), tick, self);
  }
  set_state(self, "flicker", g_variant_new_boolean(flickers));
}

static void change_flicker(GSimpleAction *action, GVariant *value, gpointer user) {
  set_flicker(user, g_variant_get_boolean(value));
}

static void change_rate(GSimpleAction *action, GVariant *value, gpointer user) {
  GantryCompare *self = user;
  self->rate = CLAMP(g_variant_get_int32(value), 1, 10);
  set_state(self, "flicker-rate", g_variant_new_int32(self->rate));
  if (self->clock) set_flicker(self, TRUE);
}

/* Mix */

static void mix(GantryCompare *self, int direction) {
  GantryDisplay *display = self->display;
  switch ((int)gantry_display_get_mode(display)) {
  case CTGL_SHOW_SWIPE:
    gantry_display_set_swipe(display, gantry_display_get_swipe(display) - direction * mix_step);
    break;
  case CTGL_SHOW_CHECKERBOARD: {
    const double side = gantry_display_get_tile(display) * pow(tile_factor, direction);
    gantry_display_set_tile(display, (int)round(side));
    break;
  }
  case CTGL_SHOW_FADE:
    gantry_display_set_fade(display, gantry_display_get_fade(display) + direction * mix_step);
    break;
  default:
    /* From A and B alone towards the other one. */
    gantry_display_set_fade(display, direction > 0 ? mix_step : 1 - mix_step);
    gantry_display_set_mode(display, CTGL_SHOW_FADE);
    break;
  }
  gantry_refresh_queue(self->refresh);
}

static void mix_back(GSimpleAction *action, GVariant *value, gpointer user) {
  mix(user, -1);
}

static void mix_forth(GSimpleAction *action, GVariant *value, gpointer user) {
  mix(user, 1);
}

/* The scale of differences */

static void change_logarithmic(GSimpleAction *action, GVariant *value, gpointer user) {
  gantry_display_set_logarithmic(((GantryCompare *)user)->display, g_variant_get_boolean(value));
}

static void change_locked(GSimpleAction *action, GVariant *value, gpointer user) {
  GantryCompare *self = user;
  gantry_display_set_locked(self->display, g_variant_get_boolean(value));
  gantry_refresh_queue(self->refresh);
}

static void fit_scale(GSimpleAction *action, GVariant *value, gpointer user) {
  gantry_scales_fit_difference(((GantryCompare *)user)->scales);
}

/* The actions follow the display, which the views change too. */
static void display_changed(GantryDisplay *display, GantryCompare *self) {
  set_state(self, "scale-logarithmic", g_variant_new_boolean(gantry_display_get_logarithmic(display)));
  set_state(self, "scale-locked", g_variant_new_boolean(gantry_display_get_locked(display)));
  if (self->clock && !shows_one(self)) set_flicker(self, FALSE);
}

/* Life */

static const GActionEntry entries[] = {
    {.name = "flip", .activate = do_flip},
    {.name = "flicker", .state = "false", .change_state = change_flicker},
    {.name = "flicker-rate", .parameter_type = "i", .state = "2", .change_state = change_rate},
    {.name = "mix-back", .activate = mix_back},
    {.name = "mix-forth", .activate = mix_forth},
    {.name = "scale-logarithmic", .state = "false", .change_state = change_logarithmic},
    {.name = "scale-locked", .state = "false", .change_state = change_locked},
    {.name = "fit-scale", .activate = fit_scale},
};

GantryCompare *gantry_compare_new(GActionMap *map, GantryDisplay *display, GantryScales *scales,
                                  GantryRefresh *refresh) {
  GantryCompare *self = g_new0(GantryCompare, 1);
  self->map = map;
  self->display = g_object_ref(display);
  self->scales = scales;
  self->refresh = refresh;
  self->rate = 2;
  g_action_map_add_action_entries(map, entries, G_N_ELEMENTS(entries), self);
  g_signal_connect(display, "changed", G_CALLBACK(display_changed), self);
  gantry_compare_set_reference(self, FALSE);
  return self;
}

void gantry_compare_stop(GantryCompare *self) {
  g_clear_handle_id(&self->clock, g_source_remove);
  g_signal_handlers_disconnect_by_data(self->display, self);
}

void gantry_compare_free(GantryCompare *self) {
  gantry_compare_stop(self);
  g_object_unref(self->display);
  g_free(self);
}

void gantry_compare_set_reference(GantryCompare *self, gboolean reference) {
  if (!reference && self->clock) set_flicker(self, FALSE);
  for (gsize i = 0; i < G_N_ELEMENTS(entries); i++)
    g_simple_action_set_enabled(G_SIMPLE_ACTION(g_action_map_lookup_action(self->map, entries[i].name)), reference);
}
