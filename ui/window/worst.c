/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which place the crosshair is at stands with the picture, until the crosshair goes elsewhere. */
#include "ui/window/worst.h"

#include "ui/number-text.h"

#include <string.h>

struct _GantryWorst {
  GActionMap *map;
  GantryDisplay *display;
  GantryQuad *quad;
  void (*wanted)(gpointer user);
  gpointer user;
  GantryPlace places[GANTRY_MOST_PLACES];
  gsize count;
  char *scope;
  gsize at;
  gboolean asked;     /* the list is on its way */
  gboolean moving;    /* the crosshair, by ourselves */
  guint64 made_of[2]; /* generations of A and B that the list is of */
};

static void set_note(GantryWorst *self, const char *note) {
  const GantryViewKind focused = gantry_quad_get_focused(self->quad);
  for (int k = 0; k < GANTRY_VIEWS; k++)
    gantry_slice_view_set_note(gantry_quad_get_view(self->quad, (GantryViewKind)k), k == (int)focused ? note : NULL);
}

static void find_generations(GantryWorst *self, guint64 generations[2]) {
  for (int slot = 0; slot < 2; slot++) {
    const GantryImage *image = gantry_quad_get_image(self->quad, GANTRY_VIEW_AXIAL, (ctgl_slot)slot);
    generations[slot] = image ? image->generation : 0;
  }
}

static void show(GantryWorst *self) {
  if (!self->count) {
    set_note(self, "A and B are equal wherever both have a value");
    return;
  }
  const GantryPlace *place = &self->places[self->at];
  const ct_units units = gantry_display_get_units(self->display);
  g_autofree char *difference = gantry_quantity_text(gantry_display_difference(self->display, place->a - place->b), 3,
                                                     gantry_display_value_unit(self->display));
  const char *unit;
  const double largest = MAX(MAX(fabs(place->at[0]), fabs(place->at[1])), fabs(place->at[2])),
               by = ct_length_factor(largest, units.length, &unit);
  g_autofree char *x = gantry_quantity_text(by * place->at[0], 4, ""),
                  *y = gantry_quantity_text(by * place->at[1], 4, ""),
                  *z = gantry_quantity_text(by * place->at[2], 4, unit);
  g_autofree char *note = g_strdup_printf("%u of %u: A − B = %s\nat %s, %s, %s\n%s", (guint)self->at + 1,
                                          (guint)self->count, difference, x, y, z, self->scope);
  self->moving = TRUE;
  gantry_display_set_cross(self->display, place->at);
  self->moving = FALSE;
  set_note(self, note);
}

static void cross_moved(GantryDisplay *display, GantryWorst *self) {
  if (!self->moving) set_note(self, NULL);
}

/* step 0: the first. */
static void go(GantryWorst *self, int step) {
  guint64 now[2];
  find_generations(self, now);
  if (step == 0 || !self->count || memcmp(now, self->made_of, sizeof now) != 0) {
    self->asked = TRUE;
    set_note(self, "Looking for the largest difference…");
    self->wanted(self->user);
    return;
  }
  self->at = (self->at + (step > 0 ? 1 : self->count - 1)) % self->count;
  show(self);
}

static void do_first(GSimpleAction *action, GVariant *value, gpointer user) {
  go(user, 0);
}

static void do_next(GSimpleAction *action, GVariant *value, gpointer user) {
  go(user, 1);
}

static void do_previous(GSimpleAction *action, GVariant *value, gpointer user) {
  go(user, -1);
}

static const GActionEntry entries[] = {
    {.name = "worst-first", .activate = do_first},
    {.name = "worst-next", .activate = do_next},
    {.name = "worst-previous", .activate = do_previous},
};

GantryWorst *gantry_worst_new(GActionMap *map, GantryDisplay *display, GantryQuad *quad, void (*wanted)(gpointer user),
                              gpointer user) {
  GantryWorst *self = g_new0(GantryWorst, 1);
  self->map = map;
  self->display = g_object_ref(display);
  self->quad = quad;
  self->wanted = wanted;
  self->user = user;
  g_action_map_add_action_entries(map, entries, G_N_ELEMENTS(entries), self);
  g_signal_connect(display, "cross-moved", G_CALLBACK(cross_moved), self);
  gantry_worst_set_reference(self, FALSE);
  return self;
}

void gantry_worst_stop(GantryWorst *self) {
  g_signal_handlers_disconnect_by_data(self->display, self);
}

void gantry_worst_free(GantryWorst *self) {
  gantry_worst_stop(self);
  g_object_unref(self->display);
  g_free(self->scope);
  g_free(self);
}

void gantry_worst_set_reference(GantryWorst *self, gboolean reference) {
  for (gsize i = 0; i < G_N_ELEMENTS(entries); i++)
    g_simple_action_set_enabled(G_SIMPLE_ACTION(g_action_map_lookup_action(self->map, entries[i].name)), reference);
  if (!reference) gantry_worst_forget(self);
}

void gantry_worst_forget(GantryWorst *self) {
  self->count = 0;
  self->asked = FALSE;
  set_note(self, NULL);
}

void gantry_worst_set(GantryWorst *self, const GantryPlace *places, gsize count, const char *scope) {
  if (!self->asked) return;
  self->asked = FALSE;
  if (!scope) {
    gantry_worst_forget(self);
    set_note(self, "A and B have no pictures of one place yet");
    return;
  }
  self->count = MIN(count, GANTRY_MOST_PLACES);
  memcpy(self->places, places, self->count * sizeof *places);
  g_free(self->scope);
  self->scope = g_strdup(scope);
  self->at = 0;
  find_generations(self, self->made_of);
  show(self);
}
