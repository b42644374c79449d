/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What kernels and projectors of a graphics device need, and what of it is here. */
#include "app/cli/cli.h"
#include "app/cli/device-needs.h"
#include "recon/base/memory.h"
#include "render/compute/device.h"

#include <stdio.h>
#include <string.h>

static const char device_need[] = "graphics device with OpenGL 4.3";

void cli_append_device_needs(json_t *list, const char *id) {
  json_array_append_new(list, json_string(device_need));
  for (int n = 0; n < CTGL_EXTENSIONS; n++)
    if (ctgl_needs_extension(id, n)) json_array_append_new(list, json_string(ctgl_extension(n)));
}

/* The first extension that a device lacks for it. */
static const char *find_lacking(const char *id, const ctgl_device_facts *facts) {
  for (int n = 0; n < CTGL_EXTENSIONS; n++)
    if (ctgl_needs_extension(id, n) && !ctgl_has_extension(facts, n)) return ctgl_extension(n);
  return NULL;
}

/* The first device that lacks nothing for it, else the first. Looked for once: the commands that list are asked and
 * end. */
static const ctgl_device_facts *find_device(const char *id) {
  static ctgl_device_facts *list;
  static int count;
  static bool looked;
  if (!looked && !ctgl_devices_list(&list, &count, NULL)) count = 0;
  looked = true;
  for (int n = 0; n < count; n++)
    if (!find_lacking(id, &list[n])) return &list[n];
  return count > 0 ? list : NULL;
}

void cli_print_device_needs(const char *id) {
  char text[512];
  const ctgl_device_facts *device = find_device(id);
  size_t used = (size_t)snprintf(text, sizeof text, "needs a %s", device_need);
  for (int n = 0; n < CTGL_EXTENSIONS; n++)
    if (ctgl_needs_extension(id, n))
      used += (size_t)snprintf(text + used, sizeof text - used, " and %s", ctgl_extension(n));
  const char *lacking = device ? find_lacking(id, device) : NULL;
  used += (size_t)snprintf(text + used, sizeof text - used, ", named by reconstruction.device");
  if (lacking)
    snprintf(text + used, sizeof text - used, "; %s, which is here, lacks %s", device->name, lacking);
  else if (device)
    snprintf(text + used, sizeof text - used, "; %s serves by its name", device->name);
  else
    snprintf(text + used, sizeof text - used, "; none is here");
  cli_print_wrapped(stdout, 6, text);
}
