/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A list store, with two of its entries marked. */
#include "app/session/shelf.h"

#include "app/session/shelf-names.h"

struct _GantryShelf {
  GObject parent_instance;
  GListStore *entries;
  GantryEntry *a, *b; /* borrowed from the list */
  gboolean shown;
  GantryEntry *removed;
  guint removed_from;
  GHashTable *staying; /* entries that the disk refused */
};

G_DEFINE_FINAL_TYPE(GantryShelf, gantry_shelf, G_TYPE_OBJECT)

enum { CHANGED, TICKS, SIGNALS };
static guint signals[SIGNALS];

static void gantry_shelf_finalize(GObject *object) {
  GantryShelf *self = GANTRY_SHELF(object);
  g_clear_object(&self->removed);
  g_object_unref(self->entries);
  g_hash_table_unref(self->staying);
  G_OBJECT_CLASS(gantry_shelf_parent_class)->finalize(object);
}

static void gantry_shelf_class_init(GantryShelfClass *klass) {
  G_OBJECT_CLASS(klass)->finalize = gantry_shelf_finalize;
  static const char *const names[SIGNALS] = {"changed", "ticks"};
  for (int i = 0; i < SIGNALS; i++)
    signals[i] = g_signal_new(names[i], GANTRY_TYPE_SHELF, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void gantry_shelf_init(GantryShelf *self) {
  self->entries = g_list_store_new(GANTRY_TYPE_ENTRY);
  self->staying = g_hash_table_new(NULL, NULL);
}

GantryShelf *gantry_shelf_new(void) {
  return g_object_new(GANTRY_TYPE_SHELF, NULL);
}

GListModel *gantry_shelf_get_model(GantryShelf *self) {
  return G_LIST_MODEL(self->entries);
}

guint gantry_shelf_count(GantryShelf *self) {
  return g_list_model_get_n_items(G_LIST_MODEL(self->entries));
}

GantryEntry *gantry_shelf_get(GantryShelf *self, guint index) {
  GantryEntry *entry = g_list_model_get_item(G_LIST_MODEL(self->entries), index);
  if (entry) g_object_unref(entry);
  return entry;
}

/* Marks and names follow. */
static void changed(GantryShelf *self) {
  for (guint i = 0; i < gantry_shelf_count(self); i++) {
    GantryEntry *entry = gantry_shelf_get(self, i);
    gantry_entry_set_sides(entry, self->shown && entry == self->a, entry == self->b);
  }
  gantry_shelf_name_entries(G_LIST_MODEL(self->entries));
  g_signal_emit(self, signals[CHANGED], 0);
}

static void ticks(GantryShelf *self) {
  g_signal_emit(self, signals[TICKS], 0);
}

/* Coming and going */

static void append(GantryShelf *self, GantryEntry *entry) {
  g_clear_object(&self->removed);
  g_hash_table_remove_all(self->staying);
  g_list_store_append(self->entries, entry);
  g_object_unref(entry);
}

GantryEntry *gantry_shelf_put(GantryShelf *self, GantryResult *result, const GantryOutcome *outcome,
                              const ct_estimate *estimate) {
  GantryEntry *entry = gantry_entry_new(result, outcome, estimate);
  append(self, entry);
  self->a = entry;
  changed(self);
  return entry;
}

GantryEntry *gantry_shelf_add(GantryShelf *self, GantryResult *result) {
  GantryEntry *entry = gantry_entry_new(result, NULL, NULL);
  append(self, entry);
  changed(self);
  return entry;
}

static void drop(GantryShelf *self, guint index) {
  GantryEntry *entry = gantry_shelf_get(self, index);
  if (entry == self->a) self->a = NULL;
  if (entry == self->b) self->b = NULL;
  g_hash_table_remove(self->staying, entry);
  g_list_store_remove(self->entries, index);
}

void gantry_shelf_clear(GantryShelf *self) {
  g_clear_object(&self->removed);
  for (guint i = gantry_shelf_count(self); i-- > 0;)
    if (!gantry_entry_is_opened(gantry_shelf_get(self, i))) drop(self, i);
  self->a = self->b = NULL;
  changed(self);
  ticks(self);
}

void gantry_shelf_empty(GantryShelf *self) {
  while (gantry_shelf_count(self)) drop(self, 0);
  gantry_shelf_clear(self);
}

void gantry_shelf_remove(GantryShelf *self, GantryEntry *entry) {
  guint index;
  if (!g_list_store_find(self->entries, entry, &index)) return;
  g_set_object(&self->removed, entry);
  self->removed_from = index;
  drop(self, index);
  gantry_entry_set_sides(entry, FALSE, FALSE);
  changed(self);
  ticks(self);
}

gboolean gantry_shelf_can_restore(GantryShelf *self) {
  return self->removed != NULL;
}

GantryEntry *gantry_shelf_restore(GantryShelf *self) {
  g_autoptr(GantryEntry) entry = g_steal_pointer(&self->removed);
  if (!entry) return NULL;
  g_list_store_insert(self->entries, MIN(self->removed_from, gantry_shelf_count(self)), entry);
  changed(self);
  ticks(self);
  return entry;
}

/* A and B */

GantryEntry *gantry_shelf_get_a(GantryShelf *self) {
  return self->a;
}

void gantry_shelf_set_a(GantryShelf *self, GantryEntry *entry) {
  self->a = entry;
  changed(self);
}

GantryResult *gantry_shelf_get_result(GantryShelf *self) {
  return self->a ? gantry_entry_get_result(self->a) : NULL;
}

const GantryOutcome *gantry_shelf_get_outcome(GantryShelf *self) {
  return self->a ? gantry_entry_get_outcome(self->a) : NULL;
}

const ct_estimate *gantry_shelf_get_estimate(GantryShelf *self) {
  return self->a ? gantry_entry_get_estimate(self->a) : NULL;
}

void gantry_shelf_set_shown(GantryShelf *self, gboolean shown) {
  if (self->shown == shown) return;
  self->shown = shown;
  changed(self);
}

GantryEntry *gantry_shelf_get_b(GantryShelf *self) {
  return self->b;
}

void gantry_shelf_set_b(GantryShelf *self, GantryEntry *entry) {
  if (self->b == entry) return;
  self->b = entry;
  changed(self);
}

/* Looking for one */

GantryEntry *gantry_shelf_find(GantryShelf *self, const GantryResult *result) {
  for (guint i = 0; i < gantry_shelf_count(self); i++)
    if (gantry_entry_is_of(gantry_shelf_get(self, i), result)) return gantry_shelf_get(self, i);
  return NULL;
}

GantryEntry *gantry_shelf_find_truth(GantryShelf *self, const GantryResult *truth) {
  for (guint i = gantry_shelf_count(self); i-- > 0;) {
    GantryEntry *entry = gantry_shelf_get(self, i);
    if (gantry_entry_get_facts(entry)->truth == truth->truth &&
        gantry_grids_agree(gantry_entry_get_grid(entry), ct_volume_grid(truth->volume)))
      return entry;
  }
  return NULL;
}

GantryEntry *gantry_shelf_find_plan(GantryShelf *self, const ct_plan *plan) {
  for (guint i = gantry_shelf_count(self); i-- > 0;) {
    GantryEntry *entry = gantry_shelf_get(self, i);
    const GantryResult *result = gantry_entry_get_result(entry);
    if (result && !gantry_entry_is_opened(entry) && !gantry_entry_is_bygone(entry) &&
        gantry_plans_agree(&result->plan, plan))
      return entry;
  }
  return NULL;
}

void gantry_shelf_outlive_scan(GantryShelf *self) {
  for (guint i = 0; i < gantry_shelf_count(self); i++) gantry_entry_set_bygone(gantry_shelf_get(self, i));
}

GantryEntry *gantry_shelf_find_run(GantryShelf *self, guint run) {
  for (guint i = gantry_shelf_count(self); i-- > 0;)
    if (run && gantry_entry_get_facts(gantry_shelf_get(self, i))->run == run) return gantry_shelf_get(self, i);
  return NULL;
}

/* Whether another one would have the same title. */
static gboolean is_ambiguous(GantryShelf *self, GantryEntry *entry, const char *title) {
  for (guint i = 0; i < gantry_shelf_count(self); i++) {
    GantryEntry *other = gantry_shelf_get(self, i);
    if (other == entry) continue;
    g_autofree char *its = gantry_entry_dup_title(other);
    if (g_str_equal(its, title)) return TRUE;
  }
  return FALSE;
}

char *gantry_shelf_dup_title(GantryShelf *self, const GantryResult *result) {
  GantryEntry *entry = gantry_shelf_find(self, result);
  g_autofree char *title = gantry_result_dup_title(result);
  const gboolean named = entry && (gantry_entry_get_given_name(entry) || is_ambiguous(self, entry, title));
  return named ? g_strdup_printf("%s: %s", gantry_entry_get_name(entry), title) : g_steal_pointer(&title);
}

/* Marks */

static int free_colour(GantryShelf *self) {
  for (int colour = 0;; colour++) {
    gboolean taken = FALSE;
    for (guint i = 0; i < gantry_shelf_count(self); i++)
      taken |= gantry_entry_get_colour(gantry_shelf_get(self, i)) == colour;
    if (!taken) return colour;
  }
}

void gantry_shelf_tick(GantryShelf *self, GantryEntry *entry, gboolean ticked) {
  if ((gantry_entry_get_colour(entry) >= 0) == ticked) return;
  gantry_entry_set_colour(entry, ticked ? free_colour(self) : -1);
  ticks(self);
}

void gantry_shelf_rename(GantryShelf *self, GantryEntry *entry, const char *name) {
  gantry_entry_set_given_name(entry, name);
  changed(self);
  if (gantry_entry_get_colour(entry) >= 0) ticks(self);
}

void gantry_shelf_pin(GantryShelf *self, GantryEntry *entry, gboolean pinned) {
  gantry_entry_set_pinned(entry, pinned);
  changed(self);
}

guint gantry_shelf_count_unsaved(GantryShelf *self) {
  guint count = 0;
  for (guint i = 0; i < gantry_shelf_count(self); i++) count += gantry_entry_is_unsaved(gantry_shelf_get(self, i)) != 0;
  return count;
}

gboolean gantry_shelf_is_unsaved(GantryShelf *self) {
  return gantry_shelf_count_unsaved(self) > 0;
}

GantryEntry *gantry_shelf_find_unsaved(GantryShelf *self) {
  GantryEntry *a = gantry_shelf_get_a(self);
  if (a && gantry_entry_is_unsaved(a)) return a;
  for (guint i = 0; i < gantry_shelf_count(self); i++)
    if (gantry_entry_is_unsaved(gantry_shelf_get(self, i))) return gantry_shelf_get(self, i);
  return NULL;
}

static void mark_saved(GantryEntry *entry, const char *path) {
  gantry_entry_set_saved(entry);
  if (path) gantry_entry_set_source(entry, path);
}

void gantry_shelf_note_file(GantryShelf *self, const GantryResult *result, const char *path) {
  GantryEntry *entry = gantry_shelf_find(self, result);
  if (entry) mark_saved(entry, path);
  if (self->removed && gantry_entry_is_of(self->removed, result)) mark_saved(self->removed, path);
}

void gantry_shelf_mark_saved(GantryShelf *self, const GantryResult *result) {
  gantry_shelf_note_file(self, result, NULL);
}

/* Memory */

static double held_by(GantryEntry *entry) {
  return gantry_entry_get_result(entry) ? gantry_entry_get_bytes(entry) : 0;
}

double gantry_shelf_get_held(GantryShelf *self) {
  double bytes = self->removed ? held_by(self->removed) : 0;
  for (guint i = 0; i < gantry_shelf_count(self); i++) bytes += held_by(gantry_shelf_get(self, i));
  return bytes;
}

GantryEntry *gantry_shelf_find_leaver(GantryShelf *self) {
  for (guint i = 0; i < gantry_shelf_count(self); i++) {
    GantryEntry *entry = gantry_shelf_get(self, i);
    if (entry != self->a && entry != self->b && gantry_entry_get_result(entry) && !gantry_entry_is_pinned(entry) &&
        gantry_entry_get_colour(entry) < 0 && !gantry_entry_is_busy(entry) &&
        !g_hash_table_contains(self->staying, entry))
      return entry;
  }
  return NULL;
}

void gantry_shelf_let_stay(GantryShelf *self, GantryEntry *entry) {
  g_hash_table_add(self->staying, entry);
}

void gantry_shelf_moved(GantryShelf *self, GantryEntry *entry) {
  changed(self);
  if (gantry_entry_get_colour(entry) >= 0) ticks(self);
}
