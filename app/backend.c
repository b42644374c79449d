/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Joining the tables of recon/bp and render/compute, and opening the device. */
#include "app/backend.h"

#include "app/tuning-file.h"
#include "recon/base/memory.h"
#include "render/compute/device.h"

#include <string.h>

struct gantry_backend {
  ct_backend joined;
  const ct_bp_kernel **kernels;
  ct_error *note;
};

/* "auto" is a card, never a device in software: that would be slower than the processor's own kernels. */
static bool open_device(const char *name, ctgl_turn turn, ct_bp_device **device, ct_error **error) {
  *device = NULL;
  if (name && !strcmp(name, "none")) return true;
  if (turn.of > 1) return ctgl_device_new_in_turn(name, turn, device, error);
  const bool any = !name || !strcmp(name, "auto");
  if (!any) return (*device = ctgl_device_new(name, false, error));
  /* A card that cannot be opened now is no reason to go without a reconstruction. */
  *device = ctgl_device_new_card();
  return true;
}

gantry_backend *gantry_backend_new_in_turn(const char *device, int number, int of, ct_error **error) {
  const ct_bp_table cpu = ct_bp_cpu_kernels();
  gantry_backend *self = ct_alloc_zero(1, sizeof *self, "the table of kernels", error);
  if (!self) return NULL;
  const bool opened = open_device(device, (ctgl_turn){number, of}, &self->joined.device, error);
  const ct_backend gpu = ctgl_backend(self->joined.device);
  const size_t count = cpu.count + gpu.kernels.count;
  self->kernels = opened ? ct_alloc(count, sizeof *self->kernels, "the table of kernels", error) : NULL;
  if (!self->kernels) {
    gantry_backend_free(self);
    return NULL;
  }
  memcpy(self->kernels, cpu.kernels, cpu.count * sizeof *cpu.kernels);
  memcpy(self->kernels + cpu.count, gpu.kernels.kernels, gpu.kernels.count * sizeof *gpu.kernels.kernels);
  self->joined.kernels = (ct_bp_table){self->kernels, count};
  self->joined.projectors = gpu.projectors;
  for (ct_bp_device *each = self->joined.device; each; each = ctgl_device_next(each))
    gantry_tuning_load(each, self->note ? NULL : &self->note);
  return self;
}

gantry_backend *gantry_backend_new(const char *device, ct_error **error) {
  return gantry_backend_new_in_turn(device, 0, 1, error);
}

void gantry_backend_free(gantry_backend *self) {
  if (!self) return;
  ctgl_device_free(self->joined.device);
  ct_error_clear(&self->note);
  ct_free(self->kernels);
  ct_free(self);
}

const ct_backend *gantry_backend_get(const gantry_backend *self) {
  return &self->joined;
}

const char *gantry_backend_get_note(const gantry_backend *self) {
  return self->note ? self->note->message : NULL;
}
