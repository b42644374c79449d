/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An array of copies. */
#include "ui/window/variants.h"

struct _GantryVariants {
  GArray *array;
};

static void clear_variant(gpointer data) {
  GantryVariant *variant = data;
  g_free((char *)variant->name);
  for (int kind = 0; kind < GANTRY_VIEWS; kind++) g_clear_pointer(&variant->images[kind], gantry_image_unref);
}

GantryVariants *gantry_variants_new(void) {
  GantryVariants *self = g_new0(GantryVariants, 1);
  self->array = g_array_new(FALSE, FALSE, sizeof(GantryVariant));
  g_array_set_clear_func(self->array, clear_variant);
  return self;
}

void gantry_variants_free(GantryVariants *self) {
  g_array_unref(self->array);
  g_free(self);
}

void gantry_variants_set(GantryVariants *self, const GantryVariant *variants, gsize count) {
  GArray *old = self->array;
  self->array = g_array_new(FALSE, FALSE, sizeof(GantryVariant));
  g_array_set_clear_func(self->array, clear_variant);
  for (gsize i = 0; i < count; i++) {
    GantryVariant copy = variants[i];
    copy.name = g_strdup(copy.name);
    for (int kind = 0; kind < GANTRY_VIEWS; kind++)
      if (copy.images[kind]) gantry_image_ref(copy.images[kind]);
    g_array_append_val(self->array, copy);
  }
  g_array_unref(old);
}

const GantryVariant *gantry_variants_get(GantryVariants *self, gsize *count) {
  *count = self->array->len;
  return (const GantryVariant *)self->array->data;
}
