/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gantry-cli info --devices: the graphics devices that can back-project, and their limits. */
#include "app/cli/cli.h"
#include "app/cli/info.h"
#include "app/json.h"
#include "recon/base/memory.h"
#include "recon/base/units.h"
#include "render/compute/device.h"

static json_t *device_object(const ctgl_device_facts *d) {
  json_t *object = json_object();
  json_object_set_new(object, "name", gantry_json_text(d->name));
  json_object_set_new(object, "driver", gantry_json_text(d->driver));
  json_object_set_new(object, "software", json_boolean(d->software));
  json_object_set_new(object, "memory", d->memory > 0 ? gantry_json_real(d->memory) : json_null());
  json_object_set_new(object, "storage_block", json_integer((json_int_t)d->storage_block));
  json_object_set_new(object, "texture_side", json_integer(d->texture_side));
  json_object_set_new(object, "texture_layers", json_integer(d->texture_layers));
  json_object_set_new(object, "texture_3d", json_integer(d->texture_3d));
  json_object_set_new(object, "shared_memory", json_integer(d->shared_memory));
  json_object_set_new(object, "group_threads", json_integer(d->group_threads));
  json_object_set_new(object, "atomic_float", json_boolean(d->atomic_float));
  json_object_set_new(object, "persistent_map", json_boolean(d->persistent_map));
  json_object_set_new(object, "shuffles", json_boolean(d->shuffles));
  json_object_set_new(object, "multiprocessor", json_boolean(d->multiprocessor != NULL));
  return object;
}

static void print_device(const ctgl_device_facts *d) {
  char text[32];
  printf("%s%s\n", d->name, d->software ? " (drawn in software by the processor)" : "");
  cli_print_fact("driver", "%s", d->driver);
  cli_print_fact("memory", "%s",
                 d->memory > 0 ? ct_format_bytes(d->memory, text, sizeof text) : "not told by the driver");
  cli_print_fact("buffers", "up to %s", ct_format_bytes((double)d->storage_block, text, sizeof text));
  cli_print_fact("textures", "up to %d x %d, %d layers; volumes %d^3", d->texture_side, d->texture_side,
                 d->texture_layers, d->texture_3d);
  cli_print_fact("groups", "up to %d threads, %s shared", d->group_threads,
                 ct_format_bytes(d->shared_memory, text, sizeof text));
  cli_print_fact("extras",
                 "atomic addition of reals: %s; buffers that stay mapped: %s; shuffles: %s; multiprocessor told: %s",
                 d->atomic_float ? "yes" : "no", d->persistent_map ? "yes" : "no", d->shuffles ? "yes" : "no",
                 d->multiprocessor ? "yes" : "no");
}

bool cli_info_of_devices(bool json, ct_error **error) {
  ctgl_device_facts *list;
  int count;
  if (!ctgl_devices_list(&list, &count, error)) return false;
  json_t *array = json ? json_array() : NULL;
  for (int n = 0; n < count; n++) {
    if (json)
      json_array_append_new(array, device_object(&list[n]));
    else
      print_device(&list[n]);
  }
  if (!json && !count) puts("No graphics device with OpenGL 4.3 was found; back-projection runs on the processor.");
  ct_free(list);
  return !json || gantry_json_print(array, error);
}
