/* SPDX-License-Identifier: GPL-3.0-or-later */
/* NXtomo (NeXus application definition): one array holds projections, flats and darks in the order in which they were
 * taken, told apart by image_key: 0 projection, 1 flat, 2 dark, 3 invalid; sample/rotation_angle has one angle per
 * frame. */
#include "recon/base/memory.h"
#include "recon/geom/questions.h"
#include "recon/geom/spiral.h"
#include "recon/io/hdf5/sources-private.h"
#include "recon/io/shared/io-private.h"

#include <math.h>
#include <string.h>

/* Sorts the frames by their keys. */
static bool sort_frames(ct_hdf5_scan *scan, const double *keys, int frames, int counts[3], ct_error **error) {
  int invalid = 0;
  for (int i = 0; i < frames; i++) {
    if (keys && !(keys[i] == 0 || keys[i] == 1 || keys[i] == 2))
      invalid++;
    else
      counts[keys ? (int)keys[i] : 0]++;
  }
  if (counts[CT_FRAME_PROJECTION] == 0)
    return ct_error_set(error, CT_ERROR_DATA, "%s holds no projections: no image_key of its %d frames is 0.",
                        scan->path, frames);
  for (int kind = 0; kind < 3; kind++) {
    scan->indices[kind] = ct_alloc((size_t)counts[kind] + 1, sizeof(int), "the frames of a scan", error);
    if (!scan->indices[kind]) return false;
    if (kind && !(scan->positions[kind - 1] =
                      ct_alloc((size_t)counts[kind] + 1, sizeof(double), "the frames of a scan", error)))
      return false;
  }
  int filled[3] = {0, 0, 0};
  for (int i = 0; i < frames; i++) {
    const double key = keys ? keys[i] : 0;
    if (!(key == 0 || key == 1 || key == 2)) continue;
    const int kind = (int)key;
    if (kind) scan->positions[kind - 1][filled[kind]] = filled[CT_FRAME_PROJECTION];
    scan->indices[kind][filled[kind]++] = i;
  }
  if (invalid) ct_hdf5_add_note(scan, "%d frames that the file marks as invalid were left out.", invalid);
  return true;
}

static bool read_keys(ct_hdf5_scan *scan, const ct_hdf5_place *place, int frames, double **keys, ct_error **error) {
  static const char *const names[] = {"image_key", "image_key_control"};
  char name[4 * CT_HDF5_TEXT];
  size_t count;
  *keys = NULL;
  for (int i = 0; i < 2; i++) {
    if (!ct_hdf5_join(name, place->group, names[i])) continue;
    if (!ct_hdf5_check_link(scan->file, scan->path, name, error)) return false;
    if (!ct_hdf5_is_dataset(scan->file, name)) continue;
    if (!ct_hdf5_read_numbers(scan->file, name, keys, &count, NULL, error)) return false;
    if (count == (size_t)frames) return true;
    ct_free(*keys);
    *keys = NULL;
    return ct_error_set(error, CT_ERROR_DATA, "%s: %s holds %zu keys for %d frames.", scan->path, name, count, frames);
  }
  ct_hdf5_add_note(scan, "The file has no image_key: all its frames are taken as projections.");
  return true;
}

static bool take_angles(ct_hdf5_scan *scan, const ct_hdf5_place *place, int frames, ct_error **error) {
  static const char *const names[] = {"sample/rotation_angle", "data/rotation_angle", NULL};
  char name[4 * CT_HDF5_TEXT], units[CT_HDF5_TEXT];
  double *angles;
  size_t count;
  const int views = scan->facts.geometry.views;
  for (int i = 0; i < 3; i++) {
    if (!names[i] && !ct_hdf5_find_angles(scan->file, place->entry, (size_t)frames, (size_t)views, name)) continue;
    if (names[i] && !ct_hdf5_join(name, place->entry, names[i])) continue;
    if (!ct_hdf5_check_link(scan->file, scan->path, name, error)) return false;
    if (!ct_hdf5_is_dataset(scan->file, name)) continue;
    if (!ct_hdf5_read_numbers(scan->file, name, &angles, &count, units, error)) return false;
    bool good = count == (size_t)frames || count == (size_t)views ||
                ct_hdf5_fit_angles(scan, angles, count, count == (size_t)views + 1 ? views : frames, name, error);
    /* The indices ascend, so that the projections' angles can move up in place. */
    if (good && count >= (size_t)frames)
      for (int view = 0; view < views; view++) angles[view] = angles[scan->indices[CT_FRAME_PROJECTION][view]];
    good = good && ct_hdf5_take_angles(scan, angles, units, name, error);
    ct_free(angles);
    return good;
  }
  return ct_hdf5_take_angles(scan, NULL, "", "", error);
}

/* Source and detector distances from the sample; a tube gives a divergent beam, a synchrotron a parallel one. */
static void take_distances(ct_hdf5_scan *scan, const ct_hdf5_place *place) {
  char name[4 * CT_HDF5_TEXT], type[CT_HDF5_TEXT] = "";
  double source = 0, detector = 0;
  ct_geometry *g = &scan->facts.geometry;
  const bool has_detector =
      ct_hdf5_join(name, place->group, "distance") && ct_hdf5_read_length(scan->file, name, &detector);
  const bool has_source =
      ct_hdf5_join(name, place->entry, "instrument/source/distance") && ct_hdf5_read_length(scan->file, name, &source);
  if (has_source && has_detector && source != 0 && detector != 0) {
    g->sod = fabs(source); /* NeXus counts upstream distances negative */
    g->sdd = g->sod + fabs(detector);
    scan->facts.known |= CT_KNOWN_DISTANCES;
  }
  if (ct_hdf5_join(name, place->entry, "instrument/source/type") && ct_hdf5_is_dataset(scan->file, name)) {
    char *text = ct_hdf5_read_text(scan->file, name, NULL);
    if (text) snprintf(type, sizeof type, "%s", text);
    ct_free(text);
  }
  if (strcasestr(type, "synchrotron")) {
    scan->facts.known |= CT_KNOWN_BEAM;
  } else if ((strcasestr(type, "tube") || strcasestr(type, "anode")) && (scan->facts.known & CT_KNOWN_DISTANCES)) {
    g->beam = ct_beam_divergent(g->nv);
    scan->facts.known |= CT_KNOWN_BEAM;
  }
}

/* The sample's place along the axis, one number a frame: the source stands so far below. A table that moves evenly with
 * the gantry makes a spiral, one that moves by steps between whole turns a sequence, any other a matrix for every view;
 * its middle is the isocentre. */
static bool take_heights(ct_hdf5_scan *scan, const ct_hdf5_place *place, int frames, ct_error **error) {
  char name[4 * CT_HDF5_TEXT], units[CT_HDF5_TEXT];
  double *heights, unit, low = INFINITY, high = -INFINITY;
  size_t count;
  ct_geometry *g = &scan->facts.geometry;
  if (!ct_hdf5_join(name, place->entry, "sample/z_translation")) return true;
  if (!ct_hdf5_check_link(scan->file, scan->path, name, error)) return false;
  if (!ct_hdf5_is_dataset(scan->file, name)) return true;
  if (!ct_hdf5_read_numbers(scan->file, name, &heights, &count, units, error)) return false;
  const bool fits = ct_hdf5_length_unit(units, &unit) && (count == (size_t)frames || count == (size_t)g->views);
  for (int view = 0; fits && view < g->views; view++) {
    const int at = count == (size_t)frames ? scan->indices[CT_FRAME_PROJECTION][view] : view;
    heights[view] = -heights[at] * unit;
    low = fmin(low, heights[view]);
    high = fmax(high, heights[view]);
  }
  bool good = true;
  if (fits && isfinite(low) && isfinite(high) && high - low > 1e-3 * g->dv) {
    for (int view = 0; view < g->views; view++) heights[view] -= 0.5 * (low + high);
    if (scan->facts.known & CT_KNOWN_BEAM && ct_geometry_promises(g, CT_TRAIT_SPATIAL))
      good = ct_geometry_lift(g, heights, error);
    else
      ct_hdf5_add_note(scan,
                       "The sample moves along the axis by %.4g mm (%s), which is left out of account before the "
                       "beam and its distances are known.",
                       high - low, name);
  }
  ct_free(heights);
  return good;
}

bool ct_hdf5_fill_nxtomo(ct_hdf5_scan *scan, const ct_hdf5_place *place, const ct_open_options *options,
                         ct_error **error) {
  ct_hdf5_frames *frames = &scan->arrays[CT_FRAME_PROJECTION];
  double *keys = NULL;
  int counts[3] = {0, 0, 0};
  scan->facts.format = "NXtomo HDF5";
  ct_hdf5_order order = {.layout = options->layout};
  bool good = ct_hdf5_array_open(&frames->array, scan->file, scan->path, place->data, error);
  if (frames->array.rank == 2) order.views_hint = (size_t)frames->array.dims[0];
  good = good && ct_hdf5_frames_init(frames, scan->file, place->data, &order, &scan->facts.layout, error) &&
         read_keys(scan, place, frames->count, &keys, error) && sort_frames(scan, keys, frames->count, counts, error) &&
         ct_geometry_init(&scan->facts.geometry, CT_BEAM_PARALLEL, frames->nu, frames->nv, counts[0], error);
  ct_free(keys);
  if (!good) return false;
  scan->facts.flats = counts[CT_FRAME_FLAT];
  scan->facts.darks = counts[CT_FRAME_DARK];
  ct_hdf5_take_pitch(scan, place->group);
  take_distances(scan, place);
  if (!options->ignore_angles)
    return take_angles(scan, place, frames->count, error) && take_heights(scan, place, frames->count, error);
  ct_assume_angles(&scan->facts.geometry);
  return true;
}
