/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Data Exchange (De Carlo et al. 2014, J. Synchrotron Rad. 21, 1224): /exchange/data, data_white, data_dark, theta; and
 * the whole geometry in /gantry/geometry where Gantry wrote the file. */
#include "recon/base/memory.h"
#include "recon/io/hdf5/sources-private.h"
#include "recon/io/shared/angle-text.h"
#include "recon/io/shared/io-private.h"

#include <math.h>
#include <string.h>

/* Flats or darks: the same pixels as the projections; one frame may come without its frame axis. */
static bool open_reference(ct_hdf5_scan *scan, const ct_hdf5_place *place, ct_frame_kind kind, const char *const *names,
                           ct_error **error) {
  char name[4 * CT_HDF5_TEXT];
  ct_hdf5_frames *frames = &scan->arrays[kind];
  const ct_geometry *g = &scan->facts.geometry;
  for (; *names; names++) {
    if (!ct_hdf5_join(name, place->group, *names)) continue;
    if (!ct_hdf5_check_link(scan->file, scan->path, name, error)) return false;
    if (ct_hdf5_is_dataset(scan->file, name)) break;
  }
  if (!*names) return true;
  if (!ct_hdf5_array_open(&frames->array, scan->file, scan->path, name, error)) return false;
  const size_t hint =
      frames->array.rank == 2 && g->nv == 1 && frames->array.dims[0] != 1 ? (size_t)frames->array.dims[0] : 0;
  const bool sinograms =
      scan->facts.layout == CT_LAYOUT_SINOGRAMS && frames->array.rank == 3 && frames->array.dims[0] == (hsize_t)g->nv;
  const ct_hdf5_order order = {
      .views_hint = hint,
      .layout = sinograms && frames->array.dims[1] != frames->array.dims[0] ? CT_LAYOUT_SINOGRAMS : CT_LAYOUT_UNKNOWN};
  if (!ct_hdf5_frames_init(frames, scan->file, name, &order, NULL, error)) return false;
  if (frames->nu != g->nu || frames->nv != g->nv)
    return ct_error_set(error, CT_ERROR_DATA, "%s: the frames of %s have %d x %d pixels, the projections %d x %d.",
                        scan->path, name, frames->nu, frames->nv, g->nu, g->nv);
  *(kind == CT_FRAME_FLAT ? &scan->facts.flats : &scan->facts.darks) = frames->count;
  return true;
}

/* /process/acquisition/rotation/{rotation_start, rotation_step, num_angles}; both values in degrees. */
static bool angles_of_process(ct_hdf5_scan *scan, const ct_hdf5_place *place, double *angles) {
  static const char *const names[2] = {"rotation_start", "rotation_step"};
  double numbers[2] = {0, 0};
  char group[4 * CT_HDF5_TEXT], name[4 * CT_HDF5_TEXT], units[CT_HDF5_TEXT];
  if (!ct_hdf5_join(group, place->entry, "process/acquisition/rotation") || !ct_hdf5_exists(scan->file, group))
    return false;
  for (int i = 0; i < 2; i++) {
    double *values;
    size_t count;
    if (!ct_hdf5_join(name, group, names[i]) || !ct_hdf5_is_dataset(scan->file, name) ||
        !ct_hdf5_read_numbers(scan->file, name, &values, &count, units, NULL)) {
      if (i == 1) return false;
      continue;
    }
    double degrees = 1;
    ct_angle_unit(units, &degrees);
    numbers[i] = values[0] * degrees;
    ct_free(values);
  }
  for (int i = 0; i < scan->facts.geometry.views; i++) angles[i] = numbers[0] + i * numbers[1];
  return numbers[1] != 0;
}

static bool take_angles(ct_hdf5_scan *scan, const ct_hdf5_place *place, const double *theta, size_t count,
                        const char *units, const char *name, ct_error **error) {
  const int views = scan->facts.geometry.views;
  if (theta && !ct_hdf5_fit_angles(scan, theta, count, views, name, error)) return false;
  bool zero = true;
  for (int i = 0; theta && i < views; i++) zero = zero && theta[i] == 0;
  if (theta && (!zero || views == 1)) return ct_hdf5_take_angles(scan, theta, units, name, error);
  double *steps = ct_alloc((size_t)views, sizeof *steps, "the angles", error);
  if (!steps) return false;
  const bool found = angles_of_process(scan, place, steps);
  const bool good = ct_hdf5_take_angles(scan, found ? steps : theta, found ? "deg" : units, name, error);
  ct_free(steps);
  return good;
}

static bool take_own_geometry(ct_hdf5_scan *scan, ct_error **error) {
  char *text = ct_hdf5_read_text(scan->file, "/gantry/geometry", error);
  const bool good = text && ct_geometry_from_json(text, scan->path, &scan->facts, scan->positions, error);
  ct_free(text);
  return good;
}

/* The angles of the scan's own geometry are those of theta, where the file has both: somebody may have changed one. */
static bool check_theta(const ct_hdf5_scan *scan, const char *name, ct_error **error) {
  const ct_geometry *g = &scan->facts.geometry;
  double *theta = NULL;
  size_t count = 0;
  char units[CT_HDF5_TEXT] = "";
  if (!g->angles || !ct_hdf5_is_dataset(scan->file, name)) return true;
  if (!ct_hdf5_read_numbers(scan->file, name, &theta, &count, units, error)) return false;
  double degree = 1;
  ct_angle_unit(units, &degree);
  bool good = true;
  for (int i = 0; good && count == (size_t)g->views && i < g->views; i++) {
    const double told = theta[i] * degree, own = g->angles[i] * 180 / M_PI;
    if (!(fabs(remainder(told - own, 360)) < 1e-3))
      good =
          ct_error_set(error, CT_ERROR_DATA,
                       "%s: view %d stands at %g degrees by %s and at %g degrees by /gantry/geometry. Remove the one "
                       "that is wrong from the file, or give the angles in a scan description.",
                       scan->path, i, told, name, own);
  }
  ct_free(theta);
  return good;
}

bool ct_hdf5_fill_exchange(ct_hdf5_scan *scan, const ct_hdf5_place *place, const ct_open_options *options,
                           ct_error **error) {
  static const char *const flats[] = {"data_white", "data_flat", NULL}, *const darks[] = {"data_dark", NULL};
  ct_hdf5_frames *frames = &scan->arrays[CT_FRAME_PROJECTION];
  char name[4 * CT_HDF5_TEXT] = "", units[CT_HDF5_TEXT] = "", group[4 * CT_HDF5_TEXT];
  double *theta = NULL;
  size_t count = 0;
  const bool own = place->entry[0] == 0 && ct_hdf5_is_dataset(scan->file, "/gantry/geometry");
  const bool wanted = !own && !options->ignore_angles && ct_hdf5_join(name, place->group, "theta");
  if (wanted && !ct_hdf5_check_link(scan->file, scan->path, name, error)) return false;
  const bool angles = wanted && ct_hdf5_is_dataset(scan->file, name);
  bool good = ct_hdf5_array_open(&frames->array, scan->file, scan->path, place->data, error) &&
              (!angles || ct_hdf5_read_numbers(scan->file, name, &theta, &count, units, error));
  ct_hdf5_order order = {.views_hint = count, .layout = options->layout};
  /* Two dimensions are a sinogram here. */
  if (good && frames->array.rank == 2 && !theta) order.views_hint = (size_t)frames->array.dims[0];
  if (good)
    good = ct_hdf5_frames_init(frames, scan->file, place->data, &order, &scan->facts.layout, error) &&
           ct_geometry_init(&scan->facts.geometry, CT_BEAM_PARALLEL, frames->nu, frames->nv, frames->count, error);
  scan->facts.format = "Data Exchange HDF5";
  good = good && open_reference(scan, place, CT_FRAME_FLAT, flats, error) &&
         open_reference(scan, place, CT_FRAME_DARK, darks, error);
  if (good && own)
    good = take_own_geometry(scan, error) &&
           (options->ignore_angles || !ct_hdf5_join(name, place->group, "theta") || check_theta(scan, name, error));
  else if (good && !options->ignore_angles)
    good = take_angles(scan, place, theta, count, units, name, error);
  else if (good)
    ct_assume_angles(&scan->facts.geometry);
  if (good && !own && ct_hdf5_join(group, place->entry, "measurement/instrument/detector"))
    ct_hdf5_take_pitch(scan, group);
  ct_free(theta);
  return good;
}
