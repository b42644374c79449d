/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Angles and pixel sizes of a scan in an HDF5 file, whatever its layout, and notes on what was assumed. */
#include "recon/io/hdf5/hdf5-private.h"
#include "recon/io/shared/angle-text.h"
#include "recon/io/shared/io-private.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

void ct_hdf5_add_note(ct_hdf5_scan *scan, const char *format, ...) {
  const size_t length = strlen(scan->note);
  if (length + 2 >= sizeof scan->note) return;
  if (length) memcpy(scan->note + length, " ", 2);
  va_list args;
  va_start(args, format);
  vsnprintf(scan->note + strlen(scan->note), sizeof scan->note - strlen(scan->note), format, args);
  va_end(args);
}

bool ct_hdf5_take_angles(ct_hdf5_scan *scan, const double *angles, const char *units, const char *name,
                         ct_error **error) {
  ct_geometry *g = &scan->facts.geometry;
  double largest = 0, smallest = INFINITY, greatest = -INFINITY;
  for (int i = 0; angles && i < g->views; i++) {
    if (!isfinite(angles[i]))
      return ct_error_set(error, CT_ERROR_DATA, "%s: the angle of projection %d in %s is not a finite number.",
                          scan->path, i, name);
    largest = fmax(largest, fabs(angles[i]));
    smallest = fmin(smallest, angles[i]);
    greatest = fmax(greatest, angles[i]);
  }
  if (!angles || (largest == 0 && g->views > 1)) {
    const char *assumed = ct_assume_angles(g);
    if (angles) ct_hdf5_add_note(scan, "All angles in the file are zero.");
    ct_hdf5_add_note(scan, "%s", assumed);
    return true;
  }
  double degrees = 1;
  if (!ct_angle_unit(units, &degrees)) {
    const bool radians = largest <= 2 * M_PI && g->views > 1;
    degrees = radians ? 180 / M_PI : 1;
    if (!units[0])
      ct_hdf5_add_note(scan, "The angles carry no unit; they are taken as %s because the largest is %.4g.",
                       radians ? "radians" : "degrees", largest);
    else
      ct_remarks_add(&scan->remarks, CT_REMARK_DOUBT, name,
                     "its angles have the unit \"%.40s\", which is not known: they are taken for %s", units,
                     radians ? "radians" : "degrees");
  }
  const double turn = 360 / degrees, factor = degrees * (M_PI / 180);
  /* A stage that has been turned many times counts on; whole turns are taken off, the same from all, so that a scan
   * that passes 360 degrees stays in order. */
  const double shift = smallest >= turn    ? turn * floor(smallest / turn)
                       : greatest <= -turn ? turn * ceil(greatest / turn)
                                           : 0;
  for (int i = 0; i < g->views; i++) g->angles[i] = (angles[i] - shift) * factor;
  scan->facts.known |= CT_KNOWN_ANGLES;
  return true;
}

bool ct_hdf5_fit_angles(ct_hdf5_scan *scan, const double *angles, size_t count, int frames, const char *name,
                        ct_error **error) {
  if (count == (size_t)frames) return true;
  bool even = count == (size_t)frames + 1 && frames > 2;
  const double step = even ? angles[1] - angles[0] : 0;
  for (size_t i = 2; even && i < count; i++) even = fabs(angles[i] - angles[i - 1] - step) <= 0.01 * fabs(step);
  if (even && step != 0) {
    ct_hdf5_add_note(
        scan,
        "%s holds %zu angles for %d projections, one too many: the last, %.6g, is taken for the end of the "
        "arc, at which no picture was made.",
        name, count, frames, angles[frames]);
    return true;
  }
  const int views = scan->facts.geometry.views;
  char wanted[64];
  if (frames == views)
    snprintf(wanted, sizeof wanted, "%d projections", views);
  else
    snprintf(wanted, sizeof wanted, "%d frames (%d projections)", frames, views);
  return ct_error_set(error, CT_ERROR_DATA,
                      "%s: %s holds %zu angles for %s. Where the run was stopped early, or flats and darks have angles "
                      "too, give those of the projections: \"angles_deg\" in a scan description.",
                      scan->path, name, count, wanted);
}

void ct_hdf5_take_pitch(ct_hdf5_scan *scan, const char *group) {
  static const char *const names[2][3] = {{"x_pixel_size", "pixel_size_x", "pixel_size"},
                                          {"y_pixel_size", "pixel_size_y", "pixel_size"}};
  double pitch[2] = {0, 0};
  char name[4 * CT_HDF5_TEXT];
  bool present = false;
  for (int axis = 0; axis < 2; axis++)
    for (int i = 0; i < 3 && pitch[axis] == 0; i++) {
      if (!ct_hdf5_join(name, group, names[axis][i]) || !ct_hdf5_exists(scan->file, name)) continue;
      present = true;
      /* From 1 nm to 100 mm: outside it is a wrong unit or a placeholder. */
      if (!ct_hdf5_read_length(scan->file, name, &pitch[axis]) || !(pitch[axis] >= 1e-6 && pitch[axis] <= 100))
        pitch[axis] = 0;
    }
  if (pitch[0] > 0 || pitch[1] > 0) {
    scan->facts.geometry.du = pitch[0] > 0 ? pitch[0] : pitch[1];
    scan->facts.geometry.dv = pitch[1] > 0 ? pitch[1] : pitch[0];
    scan->facts.known |= CT_KNOWN_PITCH;
  } else if (present) {
    ct_hdf5_add_note(scan, "The pixel size in %s is no usable length and was passed over.", group);
  }
}
