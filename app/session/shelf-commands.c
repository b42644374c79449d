/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The commands of the shelf, which are about the result chosen there. One that has left the memory is read back first.
 */
#include "app/session/session-private.h"

#include "app/tasks.h"

#define COMMAND(name) static void name(GSimpleAction *action, GVariant *parameter, gpointer data)

/* NULL: none is chosen. */
static GantryEntry *chosen(GantrySession *self) {
  GantryShelfItem *item = self->context->window ? gantry_window_get_chosen_result(self->context->window) : NULL;
  return item ? GANTRY_ENTRY(item) : NULL;
}

static void bring(GantrySession *self, GantryBrought brought) {
  GantryEntry *entry = chosen(self);
  if (entry) gantry_shelf_store_bring(self->store, entry, brought, self);
}

/* A and B */

static void show_brought(gpointer user, GantryEntry *entry) {
  GantrySession *self = user;
  if (self->context->window) gantry_slices_show_entry(self->slices, entry);
}

COMMAND(shelf_show) {
  bring(data, show_brought);
}

static void compare_brought(gpointer user, GantryEntry *entry) {
  GantrySession *self = user;
  if (!self->context->window) return;
  gantry_reference_set_entry(self->reference, entry);
}

COMMAND(shelf_reference) {
  bring(data, compare_brought);
}

/* Marks */

static void tick_brought(gpointer user, GantryEntry *entry) {
  GantrySession *self = user;
  gantry_shelf_tick(self->shelf, entry, TRUE);
  gantry_context_changed(self->context);
}

static void change_tick(GSimpleAction *action, GVariant *value, gpointer data) {
  GantrySession *self = data;
  GantryEntry *entry = chosen(self);
  if (!entry) return;
  if (g_variant_get_boolean(value))
    gantry_shelf_store_bring(self->store, entry, tick_brought, self);
  else
    gantry_shelf_tick(self->shelf, entry, FALSE);
  gantry_context_changed(self->context);
}

static void change_pin(GSimpleAction *action, GVariant *value, gpointer data) {
  GantrySession *self = data;
  GantryEntry *entry = chosen(self);
  if (!entry) return;
  gantry_shelf_pin(self->shelf, entry, g_variant_get_boolean(value));
  gantry_context_changed(self->context);
}

static void renamed(GantryWindow *window, GantryShelfItem *item, const char *name, GantrySession *self) {
  gantry_shelf_rename(self->shelf, GANTRY_ENTRY(item), name);
}

/* Its plan and its file */

COMMAND(shelf_values) {
  GantrySession *self = data;
  GantryEntry *entry = chosen(self);
  if (!entry || gantry_entry_is_opened(entry)) return;
  gantry_jobs_set_searching(self->jobs, FALSE);
  gantry_plan_editor_take(self->editor, &gantry_entry_get_facts(entry)->plan, NULL);
  gantry_context_toast(self->context, GANTRY_ABOUT_PLAN, "_Undo", "win.undo", "The plan has the values of: %s",
                       gantry_entry_get_name(entry));
}

static void save_brought(gpointer user, GantryEntry *entry) {
  GantrySession *self = user;
  if (self->context->window)
    gantry_saver_save_result(self->saver, gantry_entry_get_result(entry), gantry_entry_get_name(entry));
}

COMMAND(shelf_save) {
  bring(data, save_brought);
}

void gantry_session_save_entry(GantrySession *self, GantryEntry *entry) {
  gantry_shelf_store_bring(self->store, entry, save_brought, self);
}

/* Coming and going */

COMMAND(shelf_remove) {
  GantrySession *self = data;
  GantryEntry *entry = chosen(self);
  if (!entry || gantry_entry_is_busy(entry)) return;
  g_autofree char *name = g_strdup(gantry_entry_get_name(entry));
  const gboolean shown =
      entry == gantry_shelf_get_a(self->shelf) && gantry_slices_get_source(self->slices) == GANTRY_SOURCE_VOLUME;
  const gboolean alone = gantry_session_is_alone(self);
  if (entry == gantry_shelf_get_b(self->shelf)) gantry_reference_clear(self->reference);
  gantry_shelf_remove(self->shelf, entry);
  /* Without a scan there is no preview to come back to. */
  if (alone && !gantry_shelf_count(self->shelf)) {
    gantry_scan_slot_close(self->slot);
    return;
  }
  if (shown && alone)
    gantry_shelf_store_bring(self->store, gantry_shelf_get(self->shelf, 0), show_brought, self);
  else if (shown)
    gantry_slices_choose(self->slices);
  gantry_context_toast(self->context, GANTRY_ABOUT_RUN, "_Undo", "win.shelf-restore", "Removed from the shelf: %s",
                       name);
  gantry_context_changed(self->context);
}

COMMAND(shelf_restore) {
  GantrySession *self = data;
  if (gantry_shelf_restore(self->shelf)) gantry_context_changed(self->context);
}

COMMAND(open_volume) {
  gantry_reference_open_volume(((GantrySession *)data)->reference);
}

/* On the grid of what is shown. */
COMMAND(add_truth) {
  gantry_truth_add(((GantrySession *)data)->truth);
}

/* When each makes sense */

static GSimpleAction *find(GantrySession *self, const char *name) {
  return G_SIMPLE_ACTION(g_action_map_lookup_action(G_ACTION_MAP(self->context->window), name));
}

void gantry_session_update_shelf_actions(GantrySession *self) {
  static const char *const of_chosen[] = {"shelf-reference", "shelf-tick", "shelf-pin", "shelf-rename", "shelf-save"};
  GantryEntry *entry = chosen(self);
  for (gsize i = 0; i < G_N_ELEMENTS(of_chosen); i++)
    g_simple_action_set_enabled(find(self, of_chosen[i]), entry != NULL);
  const gboolean running = gantry_slices_get_source(self->slices) == GANTRY_SOURCE_RUNNING;
  g_simple_action_set_enabled(find(self, "shelf-show"), entry && !running);
  g_simple_action_set_enabled(find(self, "shelf-values"), entry && !gantry_entry_is_opened(entry));
  g_simple_action_set_enabled(find(self, "shelf-remove"), entry && !gantry_entry_is_busy(entry));
  g_simple_action_set_enabled(find(self, "shelf-restore"), gantry_shelf_can_restore(self->shelf));
  g_simple_action_set_enabled(find(self, "add-truth"), gantry_truth_can_add(self->truth));
  g_simple_action_set_state(find(self, "shelf-tick"),
                            g_variant_new_boolean(entry && gantry_entry_get_colour(entry) >= 0));
  g_simple_action_set_state(find(self, "shelf-pin"), g_variant_new_boolean(entry && gantry_entry_is_pinned(entry)));
}

static void result_chosen(GantryWindow *window, GantrySession *self) {
  gantry_context_changed(self->context);
}

void gantry_session_add_shelf_actions(GantrySession *self) {
  static const GActionEntry entries[] = {
      {.name = "shelf-show", .activate = shelf_show},
      {.name = "shelf-reference", .activate = shelf_reference},
      {.name = "shelf-tick", .state = "false", .change_state = change_tick},
      {.name = "shelf-pin", .state = "false", .change_state = change_pin},
      {.name = "shelf-values", .activate = shelf_values},
      {.name = "shelf-save", .activate = shelf_save},
      {.name = "shelf-remove", .activate = shelf_remove},
      {.name = "shelf-restore", .activate = shelf_restore},
      {.name = "open-volume", .activate = open_volume},
      {.name = "add-truth", .activate = add_truth},
  };
  GantryWindow *window = self->context->window;
  g_action_map_add_action_entries(G_ACTION_MAP(window), entries, G_N_ELEMENTS(entries), self);
  g_signal_connect_object(window, "shelf-chosen", G_CALLBACK(result_chosen), self, 0);
  g_signal_connect_object(window, "shelf-renamed", G_CALLBACK(renamed), self, 0);
  gantry_window_set_shelf(window, gantry_shelf_get_model(self->shelf));
}
