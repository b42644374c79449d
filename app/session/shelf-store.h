/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keeps the shelf within its memory (preference shelf-memory): writes the oldest results that are not in use to files
 * of the cache folder and reads them back when they are chosen. The files are removed with their entries; those of a
 * program that died are removed by the next. Owns which entry is being written. */
#pragma once

#include "app/session/jobs.h"
#include "app/session/shelf.h"

G_BEGIN_DECLS

#define GANTRY_TYPE_SHELF_STORE (gantry_shelf_store_get_type())
G_DECLARE_FINAL_TYPE(GantryShelfStore, gantry_shelf_store, GANTRY, SHELF_STORE, GObject)

/* Called when the volume is in memory; not where it cannot be brought there, which is said. */
typedef void (*GantryBrought)(gpointer user, GantryEntry *entry);

/* Both are borrowed. folder: for the files; NULL: the preference cache-folder, else gantry in the user's cache folder.
 */
GantryShelfStore *gantry_shelf_store_new(GantryContext *context, GantryShelf *shelf, const char *folder);
/* Bytes of results that lie in a folder, of all programs. */
double gantry_shelf_store_get_cached(const char *folder);
/* Bytes that the shelf may hold. */
double gantry_shelf_store_get_budget(GantryShelfStore *self);
/* Another one in place of the preference's. */
void gantry_shelf_store_set_budget(GantryShelfStore *self, double bytes);
/* Bytes of volumes that somebody else holds beside the shelf: they count, so that results on it leave the memory. */
void gantry_shelf_store_set_beside(GantryShelfStore *self, double bytes);
/* Something was added, chosen or released: has entries written while the shelf holds too much. */
void gantry_shelf_store_keep(GantryShelfStore *self);
/* user is borrowed and outlives the session's workers. */
void gantry_shelf_store_bring(GantryShelfStore *self, GantryEntry *entry, GantryBrought brought, gpointer user);

G_END_DECLS
