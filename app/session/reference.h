/* SPDX-License-Identifier: GPL-3.0-or-later */
/* B, the result that A is compared with. Owns it: a volume, made here or read from a file, or a plan whose slices are
 * made on demand; and asks for B's planes, which lie where A's do in the world. Reads volumes from
 * files, too. Signals: "changed": B is another one; "opened" (GantryEntry *): a volume was read that is neither B nor
 * asked to be. */
#pragma once

#include "app/session/dialogs.h"
#include "app/session/slices.h"

G_BEGIN_DECLS

#define GANTRY_TYPE_REFERENCE (gantry_reference_get_type())
G_DECLARE_FINAL_TYPE(GantryReference, gantry_reference, GANTRY, REFERENCE, GObject)

typedef struct {
  GantryContext *context;
  GantryJobs *jobs;
  GantryPlanEditor *editor;
  GantryScanSlot *slot;
  GantryShelf *shelf;
  GantryBanner *banner;
  GantryDialogs *dialogs;
  GantryPictures *pictures;
  GantryPreview *preview;
  GantrySlices *slices;
} GantryReferenceParts;

GantryReference *gantry_reference_new(const GantryReferenceParts *parts);
/* Of another scan: there is none; nothing is emitted. */
void gantry_reference_reset(GantryReference *self);

/* NULL: there is none, or it is slices; borrowed. */
GantryResult *gantry_reference_get_result(GantryReference *self);
/* The header of B, JSON; NULL: there is none, or it is not known yet. "known" tells when the slices of a plan have one.
 */
const char *gantry_reference_get_record(GantryReference *self);
gboolean gantry_reference_is_plan(GantryReference *self);
/* The plan whose slices are B; NULL: B is a result, or there is none. */
const ct_plan *gantry_reference_get_plan(GantryReference *self);
gboolean gantry_reference_exists(GantryReference *self);
/* NULL: there is none. */
char *gantry_reference_dup_title(GantryReference *self);

/* What A is now. */
void gantry_reference_set(GantryReference *self);
/* What filtered back-projection makes of the present values of an iterative method. */
gboolean gantry_reference_can_set_direct(GantryReference *self);
void gantry_reference_set_direct(GantryReference *self);
/* Slices of a plan. */
void gantry_reference_set_plan(GantryReference *self, const ct_plan *plan);
/* This one of the shelf, which is in memory. */
void gantry_reference_set_entry(GantryReference *self, GantryEntry *entry);
/* Each asks for a file, which lands on the shelf: the first becomes B as well. */
void gantry_reference_open(GantryReference *self);
/* Whether the scan's file stores reference volumes (RabbitCT); the one of A's size, or nearest to it, becomes B. */
gboolean gantry_reference_is_stored(GantryReference *self);
void gantry_reference_open_stored(GantryReference *self);
void gantry_reference_open_volume(GantryReference *self);
/* A volume that is opened to be looked at: B where there is an A and no B, else on the shelf. Several wait for each
 * other. */
void gantry_reference_look_at(GantryReference *self, const char *path);
/* Reads a volume that takes its values from files outside its folder, and does with it what was asked for when it was
 * refused. */
void gantry_reference_read_allowed(GantryReference *self, const char *path);
void gantry_reference_clear(GantryReference *self);

/* Asks for the planes of B that do not lie beside A's yet. */
void gantry_reference_request(GantryReference *self);

/* What an object is made with that follows A and B and asks for numbers of them. */
typedef struct {
  GantryContext *context;
  GantryShelf *shelf;
  GantryPictures *pictures;
  GantrySlices *slices;
  GantryReference *reference;
} GantryFollowerParts;

G_END_DECLS
