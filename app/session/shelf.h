/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The shelf: all results of the scan's runs, volumes that were opened, and a phantom's truth, oldest first. Owns the
 * entries, which of them is A (the present result) and which B, what is ticked, the entry that was removed last, and
 * the names, which are made of what differs from the others. Knows no worker: which entry is to leave the memory is
 * told here, and done by app/session/shelf-store.h. Signals: "changed": which entries there are, their names or marks;
 * "ticks": which are ticked, or what is in memory of them. */
#pragma once

#include <gio/gio.h>

#include "app/session/entry.h"

G_BEGIN_DECLS

#define GANTRY_TYPE_SHELF (gantry_shelf_get_type())
G_DECLARE_FINAL_TYPE(GantryShelf, gantry_shelf, GANTRY, SHELF, GObject)

GantryShelf *gantry_shelf_new(void);
/* Of GantryEntry; borrowed. */
GListModel *gantry_shelf_get_model(GantryShelf *self);
guint gantry_shelf_count(GantryShelf *self);
/* Borrowed; index below the count. */
GantryEntry *gantry_shelf_get(GantryShelf *self, guint index);

/* Another scan: results of runs go, opened volumes stay, neither A nor B. */
void gantry_shelf_clear(GantryShelf *self);
/* The scan has been simulated anew: results stay, to be compared with, and are of no present values. */
void gantry_shelf_outlive_scan(GantryShelf *self);
/* Nothing stays, opened volumes neither. */
void gantry_shelf_empty(GantryShelf *self);
/* A run's result, unsaved, which is A from now on. Takes the result and copies the rest; outcome may be NULL. */
GantryEntry *gantry_shelf_put(GantryShelf *self, GantryResult *result, const GantryOutcome *outcome,
                              const ct_estimate *estimate);
/* A volume from a file, or a truth. Takes the result. */
GantryEntry *gantry_shelf_add(GantryShelf *self, GantryResult *result);
/* It can be brought back until something else is removed or added. */
void gantry_shelf_remove(GantryShelf *self, GantryEntry *entry);
gboolean gantry_shelf_can_restore(GantryShelf *self);
/* NULL: there is nothing to bring back. */
GantryEntry *gantry_shelf_restore(GantryShelf *self);

/* A: in memory; NULL: there is none, also where the entry was removed. */
GantryEntry *gantry_shelf_get_a(GantryShelf *self);
void gantry_shelf_set_a(GantryShelf *self, GantryEntry *entry);
GantryResult *gantry_shelf_get_result(GantryShelf *self);
const GantryOutcome *gantry_shelf_get_outcome(GantryShelf *self);
const ct_estimate *gantry_shelf_get_estimate(GantryShelf *self);
/* Whether A is what the slices show: else no card is marked as A. */
void gantry_shelf_set_shown(GantryShelf *self, gboolean shown);
GantryEntry *gantry_shelf_get_b(GantryShelf *self);
void gantry_shelf_set_b(GantryShelf *self, GantryEntry *entry);

/* NULL: none. */
GantryEntry *gantry_shelf_find(GantryShelf *self, const GantryResult *result);
/* The newest truth of the same object on the same grid; NULL: none. */
GantryEntry *gantry_shelf_find_truth(GantryShelf *self, const GantryResult *truth);
/* The newest in memory that was made here with values that give the same picture. */
GantryEntry *gantry_shelf_find_plan(GantryShelf *self, const ct_plan *plan);
/* The newest result with that convergence curve; NULL: none. */
GantryEntry *gantry_shelf_find_run(GantryShelf *self, guint run);
/* What to call a result: its size and views, before them its name where another one is called so, too (g_free). */
char *gantry_shelf_dup_title(GantryShelf *self, const GantryResult *result);

void gantry_shelf_tick(GantryShelf *self, GantryEntry *entry, gboolean ticked);
void gantry_shelf_rename(GantryShelf *self, GantryEntry *entry, const char *name);
void gantry_shelf_pin(GantryShelf *self, GantryEntry *entry, gboolean pinned);
guint gantry_shelf_count_unsaved(GantryShelf *self);
gboolean gantry_shelf_is_unsaved(GantryShelf *self);
/* A where it is one, else the oldest; NULL: none. */
GantryEntry *gantry_shelf_find_unsaved(GantryShelf *self);
/* A result was written to a file; nothing changes if it is no longer here. */
void gantry_shelf_mark_saved(GantryShelf *self, const GantryResult *result);
/* The same, with the file. */
void gantry_shelf_note_file(GantryShelf *self, const GantryResult *result, const char *path);

/* Memory. Bytes of what is in it, the entry that was removed last included. */
double gantry_shelf_get_held(GantryShelf *self);
/* The oldest entry in memory that is neither A nor B, pinned, ticked nor busy; NULL: none. */
GantryEntry *gantry_shelf_find_leaver(GantryShelf *self);
/* Writing it to the disk has failed: it is no leaver until something is added. */
void gantry_shelf_let_stay(GantryShelf *self, GantryEntry *entry);
/* Something became of an entry's volume: it left, or came back. */
void gantry_shelf_moved(GantryShelf *self, GantryEntry *entry);

G_END_DECLS
