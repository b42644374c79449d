/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The words of the side panel's graphics devices. */
#include "ui/plan/panel-private.h"

#include "recon/base/units.h"

#include <string.h>

/* What a plan holds for the device: where its name is too long, a part of it. */
static const char *id_of(const ctgl_device_facts *device) {
  return *device->brief ? device->brief : device->name;
}

char **gantry_plan_panel_dup_devices(GantryPlanPanel *self) {
  char **names = g_new0(char *, self->device_count + 1);
  for (gsize i = 0; i < self->device_count; i++) names[i] = g_strdup(id_of(&self->devices[i]));
  return names;
}

static gboolean is_first(const char *names, const char *device) {
  if (!g_str_has_prefix(names, device)) return FALSE;
  const char *rest = names + strlen(device);
  return !*rest || g_str_has_prefix(rest, CTGL_JOINED);
}

/* Of those that work together the first. */
const ctgl_device_facts *gantry_plan_panel_get_device(GantryPlanPanel *self) {
  const gboolean any = !strcmp(self->plan.device, "auto") || !strcmp(self->plan.device, CTGL_ALL_CARDS);
  for (gsize i = 0; i < self->device_count; i++)
    if (any ? !self->devices[i].software : is_first(self->plan.device, id_of(&self->devices[i])))
      return &self->devices[i];
  return NULL;
}

/* Behind the name, which the choice itself shows. */
static char *describe(const ctgl_device_facts *device) {
  char memory[32] = "not told by the driver", buffer[32], shared[32];
  if (device->memory > 0) ct_format_bytes(device->memory, memory, sizeof memory);
  ct_format_bytes((double)device->storage_block, buffer, sizeof buffer);
  ct_format_bytes(device->shared_memory, shared, sizeof shared);
  return g_strdup_printf("Driver: OpenGL %s\nMemory: %s\nLargest buffer: %s\nLargest texture: %d × %d, %d layers\n"
                         "Shared memory: %s, for up to %d threads%s",
                         device->driver, memory, buffer, device->texture_side, device->texture_side,
                         device->texture_layers, shared, device->group_threads,
                         device->software ? "\nDrawn in software by the processor: to look at kernels, not for speed."
                                          : "");
}

static guint count_cards(GantryPlanPanel *self) {
  guint count = 0;
  for (gsize i = 0; i < self->device_count; i++) count += !self->devices[i].software;
  return count;
}

void gantry_plan_panel_show_devices(GantryPlanPanel *self) {
  g_autoptr(GPtrArray) ids = g_ptr_array_new(), titles = g_ptr_array_new(),
                       tips = g_ptr_array_new_with_free_func(g_free);
  const ctgl_device_facts *first = self->device_count && !self->devices[0].software ? self->devices : NULL;
  g_autofree char *automatic = g_strdup_printf("Automatic: %s", first ? first->name : "none");
  g_ptr_array_add(ids, (gpointer) "auto");
  g_ptr_array_add(titles, automatic);
  g_ptr_array_add(tips,
                  first ? describe(first)
                        : g_strdup("No graphics card with OpenGL 4.3 was found: the processor's kernels are used."));
  g_ptr_array_add(ids, (gpointer) "none");
  g_ptr_array_add(titles, (gpointer) "None");
  g_ptr_array_add(tips, g_strdup("Only the processor's kernels are used."));
  g_autofree char *all = g_strdup_printf("All %u cards together", count_cards(self));
  if (count_cards(self) > 1) {
    g_ptr_array_add(ids, (gpointer)CTGL_ALL_CARDS);
    g_ptr_array_add(titles, all);
    g_ptr_array_add(tips, g_strdup("Each card makes a part of the slices. Iterative methods use the first one."));
  }
  for (gsize i = 0; i < self->device_count; i++) {
    g_ptr_array_add(ids, (gpointer)id_of(&self->devices[i]));
    g_ptr_array_add(titles, self->devices[i].name);
    g_ptr_array_add(tips, describe(&self->devices[i]));
  }
  gantry_plan_row_set_words(gantry_plan_panel_find_row(self, offsetof(ct_plan, device)),
                            (const char *const *)ids->pdata, (const char *const *)titles->pdata,
                            (const char *const *)tips->pdata, ids->len);
}
