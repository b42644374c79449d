/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A picture is opened as a scan of one frame. */
#include "app/object.h"

#include "recon/base/memory.h"
#include "recon/io/io.h"

#include <math.h>
#include <string.h>
#include <strings.h>

static bool has_extension(const char *path, const char *extensions) {
  const char *dot = strrchr(path, '.');
  const size_t length = dot ? strlen(dot + 1) : 0;
  for (const char *at = extensions; length && at && *at; at += strspn(at, " ")) {
    const size_t word = strcspn(at, " ");
    if (word == length && strncasecmp(at, dot + 1, length) == 0) return true;
    at += word;
  }
  return false;
}

/* Of a format that opens scans and reads no volumes. */
bool gantry_object_is_picture(const char *path) {
  size_t count;
  const ct_format *const *formats = ct_formats(&count);
  for (size_t i = 0; i < count; i++)
    if (ct_format_can(formats[i], CT_FORMAT_OPEN_SCAN) && !ct_format_can(formats[i], CT_FORMAT_READ_VOLUME) &&
        has_extension(path, formats[i]->extensions))
      return true;
  return false;
}

/* The first row of a scan's frame is the lowest of the picture, as y goes up in a slice. */
static ct_volume *picture_of(ct_scan *scan, const ct_simulation *simulation, ct_error **error) {
  const ct_scan_facts *facts = ct_scan_get_facts(scan);
  const int nx = facts->geometry.nu, ny = facts->geometry.nv;
  const double side = 2 * simulation->radius / hypot(nx, ny);
  if (facts->geometry.views != 1) {
    ct_error_set(error, CT_ERROR_ARGUMENT,
                 "%s is one of %d numbered pictures: put the one that is to be the object into a folder of its own.",
                 facts->path, facts->geometry.views);
    return NULL;
  }
  const ct_grid grid = ct_grid_centred(nx, ny, 1, side, NULL);
  ct_volume *volume = ct_volume_new(&grid, error);
  if (!volume) return NULL;
  float *data = ct_volume_data(volume), most = 0;
  if (!ct_scan_read(scan, CT_FRAME_PROJECTION, 0, 0, ny, data, error)) {
    ct_volume_free(volume);
    return NULL;
  }
  const size_t count = (size_t)nx * (size_t)ny;
  for (size_t i = 0; i < count; i++) most = fmaxf(most, data[i]);
  for (size_t i = 0; i < count && most > 0; i++) data[i] *= (float)simulation->mu / most;
  return volume;
}

ct_volume *gantry_object_read(const char *path, bool anywhere, const ct_simulation *simulation, ct_job *job,
                              ct_error **error) {
  if (!gantry_object_is_picture(path)) return ct_volume_read_allowed(path, anywhere, job, error);
  ct_simulation resolved = *simulation;
  ct_geometry geometry;
  resolved.object = NULL;
  if (!ct_simulation_geometry(&resolved, &geometry, error)) return NULL;
  ct_geometry_clear(&geometry);
  ct_scan *scan = ct_scan_open_job(path, NULL, job, error);
  if (!scan) return NULL;
  ct_volume *volume = picture_of(scan, &resolved, error);
  ct_scan_free(scan);
  return volume;
}
