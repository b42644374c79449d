/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A picture is opened as a scan of one frame; a PNG of colours, which no scan is made of, by its grey. */
#include "app/object.h"

#include "recon/base/memory.h"
#include "recon/io/io.h"
#include "recon/io/png/grey.h"

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

/* A slice that fills the field of view. */
static ct_volume *slice_of(int nx, int ny, const ct_simulation *simulation, ct_error **error) {
  const ct_grid grid = ct_grid_centred(nx, ny, 1, 2 * simulation->radius / hypot(nx, ny), NULL);
  return ct_volume_new(&grid, error);
}

/* The brightest pixel becomes mu. */
static void brighten(ct_volume *volume, double mu) {
  float *data = ct_volume_data(volume), most = 0;
  const size_t count = ct_grid_voxels(ct_volume_grid(volume));
  for (size_t i = 0; i < count; i++) most = fmaxf(most, data[i]);
  for (size_t i = 0; i < count && most > 0; i++) data[i] *= (float)mu / most;
}

/* The first row of a scan's frame is the lowest of the picture, as y goes up in a slice. */
static ct_volume *frame_of(ct_scan *scan, const ct_simulation *simulation, ct_error **error) {
  const ct_scan_facts *facts = ct_scan_get_facts(scan);
  const int nx = facts->geometry.nu, ny = facts->geometry.nv;
  if (facts->geometry.views != 1) {
    ct_error_set(error, CT_ERROR_ARGUMENT,
                 "%s is one of %d numbered pictures: put the one that is to be the object into a folder of its own.",
                 facts->path, facts->geometry.views);
    return NULL;
  }
  ct_volume *volume = slice_of(nx, ny, simulation, error);
  if (!volume || ct_scan_read(scan, CT_FRAME_PROJECTION, 0, 0, ny, ct_volume_data(volume), error)) return volume;
  ct_volume_free(volume);
  return NULL;
}

static ct_volume *colours_of(const char *path, const ct_simulation *simulation, ct_error **error) {
  int nx, ny;
  float *grey = ct_png_read_grey(path, &nx, &ny, error);
  ct_volume *volume = grey ? slice_of(nx, ny, simulation, error) : NULL;
  if (volume) memcpy(ct_volume_data(volume), grey, (size_t)nx * (size_t)ny * sizeof *grey);
  ct_free(grey);
  return volume;
}

static ct_volume *picture_of(const char *path, const ct_simulation *simulation, ct_job *job, ct_error **error) {
  ct_scan *scan = ct_scan_open_job(path, NULL, job, error);
  if (!scan) return NULL;
  ct_volume *volume = frame_of(scan, simulation, error);
  ct_scan_free(scan);
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
  ct_volume *volume =
      ct_png_is_coloured(path) ? colours_of(path, &resolved, error) : picture_of(path, &resolved, job, error);
  if (volume) brighten(volume, resolved.mu);
  return volume;
}
