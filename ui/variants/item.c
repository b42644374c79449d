/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ui/variants/item.h"

#include <math.h>

struct _GantryVariantItem {
  GObject parent_instance;
  guint index;
  char *name, *group_title, *words;
  int group;
  GantryVariantFate fate;
  char **entries;
  double *numbers;
  gsize count;
  double seconds, error;
};

G_DEFINE_FINAL_TYPE(GantryVariantItem, gantry_variant_item, G_TYPE_OBJECT)

static guint changed_signal;

static void gantry_variant_item_finalize(GObject *object) {
  GantryVariantItem *self = GANTRY_VARIANT_ITEM(object);
  g_free(self->name);
  g_free(self->group_title);
  g_free(self->words);
  g_strfreev(self->entries);
  g_free(self->numbers);
  G_OBJECT_CLASS(gantry_variant_item_parent_class)->finalize(object);
}

static void gantry_variant_item_class_init(GantryVariantItemClass *class) {
  G_OBJECT_CLASS(class)->finalize = gantry_variant_item_finalize;
  changed_signal =
      g_signal_new("changed", GANTRY_TYPE_VARIANT_ITEM, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void gantry_variant_item_init(GantryVariantItem *self) {
  self->fate = GANTRY_VARIANT_LISTED;
  self->seconds = self->error = NAN;
}

GantryVariantItem *gantry_variant_item_new(guint index, const char *name, int group, const char *group_title) {
  GantryVariantItem *self = g_object_new(GANTRY_TYPE_VARIANT_ITEM, NULL);
  self->index = index;
  self->name = g_strdup(name);
  self->group = group;
  self->group_title = g_strdup(group_title);
  return self;
}

guint gantry_variant_item_get_index(GantryVariantItem *self) {
  return self->index;
}

const char *gantry_variant_item_get_name(GantryVariantItem *self) {
  return self->name;
}

int gantry_variant_item_get_group(GantryVariantItem *self) {
  return self->group;
}

const char *gantry_variant_item_get_group_title(GantryVariantItem *self) {
  return self->group_title;
}

void gantry_variant_item_set_fate(GantryVariantItem *self, GantryVariantFate fate, const char *words) {
  if (self->fate == fate && !g_strcmp0(self->words, words)) return;
  self->fate = fate;
  g_free(self->words);
  self->words = g_strdup(words);
  g_signal_emit(self, changed_signal, 0);
}

GantryVariantFate gantry_variant_item_get_fate(GantryVariantItem *self) {
  return self->fate;
}

const char *gantry_variant_item_get_words(GantryVariantItem *self) {
  return self->words;
}

void gantry_variant_item_set_entries(GantryVariantItem *self, const char *const *entries, const double *numbers,
                                     gsize count) {
  g_strfreev(self->entries);
  g_free(self->numbers);
  self->entries = g_new0(char *, count + 1);
  for (gsize i = 0; i < count; i++) self->entries[i] = g_strdup(entries[i]);
  self->numbers = g_memdup2(numbers, count * sizeof *numbers);
  self->count = count;
  g_signal_emit(self, changed_signal, 0);
}

const char *gantry_variant_item_get_entry(GantryVariantItem *self, gsize column) {
  return column < self->count ? self->entries[column] : "";
}

double gantry_variant_item_get_number(GantryVariantItem *self, gsize column) {
  return column < self->count ? self->numbers[column] : NAN;
}

void gantry_variant_item_set_place(GantryVariantItem *self, double seconds, double error) {
  self->seconds = seconds;
  self->error = error;
  g_signal_emit(self, changed_signal, 0);
}

double gantry_variant_item_get_seconds(GantryVariantItem *self) {
  return self->seconds;
}

double gantry_variant_item_get_error(GantryVariantItem *self) {
  return self->error;
}
