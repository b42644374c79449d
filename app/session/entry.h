/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One result on the shelf: the volume, in memory or in a file of the cache folder; what was found when it was made and
 * what it needed; whether it has been saved; its numbers against the reference. As an item of ui/shelf it carries the
 * card that is shown of it. Its last owner removes the file. */
#pragma once

#include "app/engine.h"
#include "app/result.h"
#include "app/session/numbers.h"
#include "ui/shelf/item.h"

G_BEGIN_DECLS

#define GANTRY_TYPE_ENTRY (gantry_entry_get_type())
G_DECLARE_FINAL_TYPE(GantryEntry, gantry_entry, GANTRY, ENTRY, GantryShelfItem)

/* Pixels along the longer side of its picture. */
#define GANTRY_THUMBNAIL_SIDE 128

/* Takes the result, copies the rest; outcome and estimate may be NULL. */
GantryEntry *gantry_entry_new(GantryResult *result, const GantryOutcome *outcome, const ct_estimate *estimate);

/* NULL: it is not in memory; borrowed. */
GantryResult *gantry_entry_get_result(GantryEntry *self);
/* Its plan, views, seconds and so on, in memory or not; the volume of it may be NULL. */
const GantryResult *gantry_entry_get_facts(GantryEntry *self);
const ct_grid *gantry_entry_get_grid(GantryEntry *self);
/* NULL: of a volume that was opened, or memory was short. */
const GantryOutcome *gantry_entry_get_outcome(GantryEntry *self);
const ct_estimate *gantry_entry_get_estimate(GantryEntry *self);
/* The header, JSON; NULL: it has none. */
const char *gantry_entry_get_record(GantryEntry *self);
/* A volume that was opened, or a phantom's truth: no result of a run. */
gboolean gantry_entry_is_opened(GantryEntry *self);
/* It was made of a scan that has been simulated anew since: of no present values. */
gboolean gantry_entry_is_bygone(GantryEntry *self);
void gantry_entry_set_bygone(GantryEntry *self);
/* Bytes of the volume, in memory or not. */
double gantry_entry_get_bytes(GantryEntry *self);
/* Whether this is it, also after it left the memory and came back. */
gboolean gantry_entry_is_of(GantryEntry *self, const GantryResult *result);

/* The name that the user gave; NULL: one is made of what differs from the others. */
const char *gantry_entry_get_given_name(GantryEntry *self);
void gantry_entry_set_given_name(GantryEntry *self, const char *name);
const char *gantry_entry_get_name(GantryEntry *self);
void gantry_entry_set_name(GantryEntry *self, const char *name);

/* As gantry_result_dup_title, in memory or not. */
char *gantry_entry_dup_title(GantryEntry *self);

gboolean gantry_entry_is_unsaved(GantryEntry *self);
void gantry_entry_set_saved(GantryEntry *self);
gboolean gantry_entry_is_pinned(GantryEntry *self);
void gantry_entry_set_pinned(GantryEntry *self, gboolean pinned);
/* -1: not ticked. */
int gantry_entry_get_colour(GantryEntry *self);
void gantry_entry_set_colour(GantryEntry *self, int colour);
void gantry_entry_set_sides(GantryEntry *self, gboolean is_a, gboolean is_b);
void gantry_entry_set_busy(GantryEntry *self, gboolean busy);
gboolean gantry_entry_is_busy(GantryEntry *self);

/* The user's file that it was read from or saved to (absolute); NULL: none. */
const char *gantry_entry_get_source(GantryEntry *self);
void gantry_entry_set_source(GantryEntry *self, const char *path);

/* The disk. Its file; NULL: none was written. */
const char *gantry_entry_get_file(GantryEntry *self);
/* It lies in this file as well from now on, which is the entry's. */
void gantry_entry_take_file(GantryEntry *self, const char *path);
/* Lets go of the volume, which lies in the file. */
void gantry_entry_leave(GantryEntry *self);
/* The volume was read back; takes the result. */
void gantry_entry_return(GantryEntry *self, GantryResult *result);

/* Its numbers against B: the strings are copied where they are set, and the entry's where they are asked for. */
const GantryNumbers *gantry_entry_get_numbers(GantryEntry *self);
void gantry_entry_set_numbers(GantryEntry *self, const GantryNumbers *numbers);

G_END_DECLS
