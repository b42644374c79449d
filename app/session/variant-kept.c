/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Volumes of rows that were kept beside the shelf, and what is lost with them. */
#include "app/session/variant-grid-private.h"

#include "recon/base/units.h"

static guint count_unkept(GantryVariantGrid *self, double *bytes) {
  guint count = 0;
  *bytes = 0;
  for (guint i = 0; self->results && i < self->results->len; i++) {
    const GantryResult *result = self->results->pdata[i];
    if (!result || !result->volume || gantry_shelf_find(self->with.shelf, result)) continue;
    *bytes += (double)ct_volume_bytes(result->volume);
    count++;
  }
  return count;
}

double gantry_variant_grid_get_held(GantryVariantGrid *self) {
  double bytes;
  count_unkept(self, &bytes);
  return bytes;
}

char *gantry_variant_grid_dup_unkept(GantryVariantGrid *self) {
  double bytes;
  char size[32];
  const guint count = count_unkept(self, &bytes);
  if (!count) return NULL;
  return g_strdup_printf("%u volume%s (%s) of its rows %s not on the shelf", count, count == 1 ? "" : "s",
                         ct_format_bytes(bytes, size, sizeof size), count == 1 ? "is" : "are");
}

char *gantry_variant_grid_dup_losses(GantryVariantGrid *self) {
  g_autofree char *unkept = gantry_variant_grid_dup_unkept(self);
  if (!self->made.count || (self->saved && !unkept)) return NULL;
  if (self->saved) return g_strdup_printf("Of the table of variants %s.", unkept);
  return g_strdup_printf("The table of %zu variants has not been saved%s%s.", self->made.count, unkept ? ", and " : "",
                         unkept ? unkept : "");
}
