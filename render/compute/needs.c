/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What single kernels and projectors need of a driver beyond OpenGL 4.3, and how many views they take at a time. */
#include "render/compute/cone-private.h"
#include "render/compute/device.h"
#include "render/compute/kernels-private.h"
#include "render/compute/projectors-private.h"
#include "render/compute/tuning.h"
#include "render/compute/views-private.h"

#include <stdio.h>
#include <string.h>

static const ctgl_cone_setting *find_cone(const char *id) {
  for (int n = 0; n < CTGL_CONE_KERNELS; n++)
    if (!strcmp(ctgl_bp_cone[n].id, id)) return ctgl_bp_cone[n].setting;
  return NULL;
}

const char *ctgl_extension(int number) {
  static const char *const names[] = {"GL_ARB_buffer_storage", "GL_NV_shader_atomic_float"};
  return number < CTGL_EXTENSIONS ? names[number] : NULL;
}

bool ctgl_needs_extension(const char *id, int number) {
  const ctgl_cone_setting *cone = find_cone(id);
  if (number == 1) return cone && cone->atomic;
  return cone ? cone->streamed : !strcmp(id, ctgl_projector_joseph.id);
}

bool ctgl_has_extension(const ctgl_device_facts *facts, int number) {
  return number == 1 ? facts->atomic_float : facts->persistent_map;
}

int ctgl_pass_views(const char *id, const ct_bp_request *request) {
  const ctgl_cone_setting *cone = find_cone(id);
  char setting[512];
  int views = cone ? cone->views : CTGL_MATRICES;
  if (!cone && ctgl_device_tell_setting(request->device, id, request, setting, sizeof setting) &&
      sscanf(setting, "views %d", &views) != 1)
    views = CTGL_MATRICES;
  return views < request->batch ? views : request->batch;
}
