/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Joining the tables of recon/bp and render/compute, and opening the device. */
#include "app/kernel-table.h"

#include "app/tuning-file.h"
#include "recon/base/memory.h"
#include "render/compute/device.h"

#include <string.h>

struct gantry_kernel_table {
  ct_bp_table table;
  const ct_bp_kernel **kernels;
  ct_error *note;
};

/* "auto" is a card, never a device in software: that would be slower than the processor's own kernels. */
static bool open_device(const char *name, ct_bp_device **device, ct_error **error) {
  *device = NULL;
  if (name && !strcmp(name, "none")) return true;
  const bool any = !name || !strcmp(name, "auto");
  if (!any) return (*device = ctgl_device_new(name, false, error));
  ctgl_device_facts *list = NULL;
  int count = 0;
  if (!ctgl_devices_list(&list, &count, error)) return false;
  /* A card that cannot be opened now is no reason to go without a reconstruction. */
  if (count && !list[0].software) *device = ctgl_device_new(list[0].name, false, NULL);
  ct_free(list);
  return true;
}

gantry_kernel_table *gantry_kernel_table_new(const char *device, ct_error **error) {
  const ct_bp_table cpu = ct_bp_cpu_kernels(), gpu = ctgl_bp_kernels(NULL);
  gantry_kernel_table *table = ct_alloc_zero(1, sizeof *table, "the table of kernels", error);
  if (!table) return NULL;
  table->kernels = ct_alloc(cpu.count + gpu.count, sizeof *table->kernels, "the table of kernels", error);
  if (!table->kernels || !open_device(device, &table->table.device, error)) {
    gantry_kernel_table_free(table);
    return NULL;
  }
  memcpy(table->kernels, cpu.kernels, cpu.count * sizeof *cpu.kernels);
  memcpy(table->kernels + cpu.count, gpu.kernels, gpu.count * sizeof *gpu.kernels);
  table->table.kernels = table->kernels;
  table->table.count = cpu.count + gpu.count;
  table->table.projectors = gpu.projectors;
  table->table.projector_count = gpu.projector_count;
  if (table->table.device) gantry_tuning_load(table->table.device, &table->note);
  return table;
}

void gantry_kernel_table_free(gantry_kernel_table *table) {
  if (!table) return;
  ctgl_device_free(table->table.device);
  ct_error_clear(&table->note);
  ct_free(table->kernels);
  ct_free(table);
}

const ct_bp_table *gantry_kernel_table_get(const gantry_kernel_table *table) {
  return &table->table;
}

const char *gantry_kernel_table_get_note(const gantry_kernel_table *table) {
  return table->note ? table->note->message : NULL;
}
