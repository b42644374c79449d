/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Without its volume the result is a copy of its facts alone. */
#include "app/session/entry.h"

#include "app/session/entry-text.h"

#include "recon/base/units.h"
#include "recon/data/pitch.h"

#include <glib/gstdio.h>

struct _GantryEntry {
  GantryShelfItem parent_instance;
  GantryResult *result; /* without a volume: it is on the disk */
  ct_grid grid;
  double bytes;
  GantryOutcome *outcome;
  ct_estimate estimate;
  char *record, *given_name, *name, *title, *file, *source;
  ct_units units; /* of lengths and values */
  gboolean opened, bygone, unsaved, pinned, is_a, is_b, busy;
  int colour;
  GantryImage *thumbnail;
  GantryNumbers numbers;
  char *why, *differences; /* of the numbers */
};

G_DEFINE_FINAL_TYPE(GantryEntry, gantry_entry, GANTRY_TYPE_SHELF_ITEM)

static void gantry_entry_finalize(GObject *object) {
  GantryEntry *self = GANTRY_ENTRY(object);
  if (self->file) g_unlink(self->file);
  gantry_result_unref(self->result);
  gantry_outcome_free(self->outcome);
  g_clear_pointer(&self->thumbnail, gantry_image_unref);
  g_free(self->record);
  g_free(self->given_name);
  g_free(self->name);
  g_free(self->title);
  g_free(self->file);
  g_free(self->source);
  g_free(self->why);
  g_free(self->differences);
  G_OBJECT_CLASS(gantry_entry_parent_class)->finalize(object);
}

static void gantry_entry_class_init(GantryEntryClass *klass) {
  G_OBJECT_CLASS(klass)->finalize = gantry_entry_finalize;
}

static void gantry_entry_init(GantryEntry *self) {
  self->colour = -1;
}

/* The card follows from everything else. */
static void show(GantryEntry *self) {
  const char *unit = self->units.value;
  g_autofree char *facts = gantry_entry_facts_text(self->result, self->outcome, &self->grid);
  g_autofree char *against = gantry_entry_numbers_text(&self->numbers);
  g_autofree char *tip = gantry_entry_tip_text(self->result, self->outcome, &self->grid, &self->numbers, unit);
  const GantryCard card = {.name = gantry_entry_get_name(self),
                           .facts = facts,
                           .numbers = against,
                           .tip = tip,
                           .thumbnail = self->thumbnail,
                           .is_a = self->is_a,
                           .is_b = self->is_b,
                           .pinned = self->pinned,
                           .on_disk = !self->result->volume,
                           .busy = self->busy,
                           .unsaved = self->unsaved,
                           .colour = self->colour};
  gantry_shelf_item_set_card(GANTRY_SHELF_ITEM(self), &card);
}

GantryEntry *gantry_entry_new(GantryResult *result, const GantryOutcome *outcome, const ct_estimate *estimate) {
  GantryEntry *self = g_object_new(GANTRY_TYPE_ENTRY, NULL);
  self->result = result;
  self->grid = *ct_volume_grid(result->volume);
  self->bytes = (double)ct_volume_bytes(result->volume);
  if (result->kept) self->bytes += gantry_kept_iterations_bytes(result->kept);
  self->outcome = gantry_outcome_copy(outcome);
  if (estimate) self->estimate = *estimate;
  self->record = g_strdup(ct_volume_get_plan(result->volume));
  self->units = ct_volume_get_units(result->volume);
  self->opened = result->file != NULL;
  self->unsaved = !self->opened;
  self->title = gantry_result_dup_title(result);
  self->name = g_strdup(self->title);
  self->thumbnail = gantry_result_read_thumbnail(result, GANTRY_THUMBNAIL_SIDE);
  show(self);
  return self;
}

GantryResult *gantry_entry_get_result(GantryEntry *self) {
  return self->result->volume ? self->result : NULL;
}

const GantryResult *gantry_entry_get_facts(GantryEntry *self) {
  return self->result;
}

const ct_grid *gantry_entry_get_grid(GantryEntry *self) {
  return &self->grid;
}

const GantryOutcome *gantry_entry_get_outcome(GantryEntry *self) {
  return self->outcome;
}

const ct_estimate *gantry_entry_get_estimate(GantryEntry *self) {
  return &self->estimate;
}

const char *gantry_entry_get_record(GantryEntry *self) {
  return self->record;
}

gboolean gantry_entry_is_opened(GantryEntry *self) {
  return self->opened;
}

gboolean gantry_entry_is_bygone(GantryEntry *self) {
  return self->bygone;
}

void gantry_entry_set_bygone(GantryEntry *self) {
  self->bygone = TRUE;
}

double gantry_entry_get_bytes(GantryEntry *self) {
  return self->bytes;
}

gboolean gantry_entry_is_of(GantryEntry *self, const GantryResult *result) {
  return result && result->identity == self->result->identity;
}

/* Names and marks */

const char *gantry_entry_get_given_name(GantryEntry *self) {
  return self->given_name;
}

void gantry_entry_set_given_name(GantryEntry *self, const char *name) {
  g_free(self->given_name);
  self->given_name = name && *name ? g_strdup(name) : NULL;
  show(self);
}

const char *gantry_entry_get_name(GantryEntry *self) {
  return self->given_name ? self->given_name : self->name;
}

void gantry_entry_set_name(GantryEntry *self, const char *name) {
  if (g_strcmp0(name, self->name) == 0) return;
  g_free(self->name);
  self->name = g_strdup(name);
  show(self);
}

char *gantry_entry_dup_title(GantryEntry *self) {
  return g_strdup(self->title);
}

gboolean gantry_entry_is_unsaved(GantryEntry *self) {
  return self->unsaved;
}

void gantry_entry_set_saved(GantryEntry *self) {
  self->unsaved = FALSE;
  show(self);
}

gboolean gantry_entry_is_pinned(GantryEntry *self) {
  return self->pinned;
}

void gantry_entry_set_pinned(GantryEntry *self, gboolean pinned) {
  self->pinned = pinned;
  show(self);
}

int gantry_entry_get_colour(GantryEntry *self) {
  return self->colour;
}

void gantry_entry_set_colour(GantryEntry *self, int colour) {
  self->colour = colour;
  show(self);
}

void gantry_entry_set_sides(GantryEntry *self, gboolean is_a, gboolean is_b) {
  self->is_a = is_a;
  self->is_b = is_b;
  show(self);
}

void gantry_entry_set_busy(GantryEntry *self, gboolean busy) {
  self->busy = busy;
  show(self);
}

gboolean gantry_entry_is_busy(GantryEntry *self) {
  return self->busy;
}

/* The disk */

const char *gantry_entry_get_source(GantryEntry *self) {
  return self->source;
}

void gantry_entry_set_source(GantryEntry *self, const char *path) {
  g_free(self->source);
  self->source = g_canonicalize_filename(path, NULL);
}

const char *gantry_entry_get_file(GantryEntry *self) {
  return self->file;
}

void gantry_entry_take_file(GantryEntry *self, const char *path) {
  if (self->file && g_strcmp0(self->file, path) != 0) g_unlink(self->file);
  g_free(self->file);
  self->file = g_strdup(path);
}

void gantry_entry_leave(GantryEntry *self) {
  if (!self->file || !self->result->volume) return;
  GantryResult *facts = gantry_result_new_alike(self->result, NULL);
  gantry_result_unref(self->result);
  self->result = facts;
  show(self);
}

void gantry_entry_return(GantryEntry *self, GantryResult *result) {
  gantry_result_unref(self->result);
  self->result = result;
  show(self);
}

/* Numbers */

const GantryNumbers *gantry_entry_get_numbers(GantryEntry *self) {
  return &self->numbers;
}

void gantry_entry_set_numbers(GantryEntry *self, const GantryNumbers *numbers) {
  g_autofree char *why = self->why, *differences = self->differences;
  self->why = g_strdup(numbers->why);
  self->differences = g_strdup(numbers->differences);
  self->numbers = *numbers;
  self->numbers.why = self->why;
  self->numbers.differences = self->differences;
  show(self);
}
