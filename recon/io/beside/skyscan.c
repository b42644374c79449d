/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The log of a Bruker (SkyScan) scanner. Its image pixel is that at the object: at the detector it is larger by camera
 * to source over object to source. The optical axis is the row that the beam meets at right angles, taken to be counted
 * from the lowest as NRecon counts its sections. Logs of reconstructed slices (_rec.log) look alike and are told apart.
 */
#include "recon/io/beside/rows-private.h"

#include "recon/base/path.h"
#include "recon/base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

/* An object so far from the source is seen by parallel rays: scanners without a point source write 1e5 mm and more. */
#define FAR_MM 1e4

static bool is_yes(const char *text) {
  return text && (strncasecmp(text, "yes", 3) == 0 || strncasecmp(text, "on", 2) == 0);
}

static bool refuse(const ct_keyed *k, const char *what, ct_error **error) {
  return ct_error_set(error, CT_ERROR_UNSUPPORTED, "%s: %s.", k->path, what);
}

/* Scans that the log tells to be something else than one turn of one detector. */
static bool check_kind(const ct_keyed *k, ct_error **error) {
  const char *trajectory = ct_keyed_text(k, NULL, "Scanning Trajectory");
  int positions = 0;
  const char *name = ct_path_name(k->path);
  const size_t length = strlen(name);
  if (length >= 8 && strcasecmp(name + length - 8, "_rec.log") == 0)
    return refuse(k, "it is the log of reconstructed slices, which are a volume and no scan", error);
  if (trajectory && *trajectory && strcasecmp(trajectory, "ROUND") != 0)
    return refuse(k, "the source does not go round in a circle (Scanning Trajectory)", error);
  if (!ct_keyed_count(k, "Number Of Horizontal Offset Positions", &positions, error)) return false;
  if (positions > 1) return refuse(k, "it was scanned in several positions of the camera side by side", error);
  return true;
}

static bool tell_distances(const ct_keyed *k, const char *name, ct_told *told, ct_error **error) {
  double pixel_um = 0, sod = 0, sdd = 0, camera_um = 0;
  if (!ct_keyed_number(k, "Image Pixel Size (um)", 0, &pixel_um, error) ||
      !ct_keyed_number(k, "Camera Pixel Size (um)", 0, &camera_um, error) ||
      !ct_keyed_number(k, "Object to Source (mm)", 0, &sod, error) ||
      !ct_keyed_number(k, "Camera to Source (mm)", 0, &sdd, error))
    return false;
  if (sod == 0) return refuse(k, "it does not tell \"Object to Source (mm)\"", error);
  if (sod >= FAR_MM) {
    told->beam = CT_TOLD_PARALLEL;
    told->pitch_u = pixel_um * 1e-3;
    ct_remarks_add(&told->remarks, CT_REMARK_ASSUMED, name, "an object %g mm from the source is seen by parallel rays",
                   sod);
    return true;
  }
  told->beam = CT_TOLD_DIVERGENT;
  told->sod = sod;
  told->sdd = sdd;
  if (sdd == 0) {
    /* Where the detector stands does not matter: its pixels are told where the object is. */
    told->sdd = 2 * sod;
    ct_remarks_add(&told->remarks, CT_REMARK_ASSUMED, name,
                   "it tells the pixels at the object and not where the camera is: it is put at twice the distance");
  }
  if (!(told->sdd > sod)) return refuse(k, "the camera must be farther from the source than the object", error);
  if (pixel_um > 0)
    told->pitch_u = pixel_um * 1e-3 * told->sdd / sod;
  else if (camera_um > 0 && sdd > 0)
    told->pitch_u = camera_um * 1e-3;
  return true;
}

static bool tell_angles(const ct_keyed *k, const char *name, ct_told *told, ct_error **error) {
  const char *direction = ct_keyed_text(k, NULL, "Rotation Direction");
  told->step = 0;
  if (!ct_keyed_number(k, "Rotation Step (deg)", 0, &told->step, error) ||
      !ct_keyed_number(k, "Scanning Start Angle", -1e6, &told->first, error))
    return false;
  if (told->step == 0) {
    if (told->views == 0) return refuse(k, "it tells neither \"Rotation Step (deg)\" nor \"Number of Files\"", error);
    told->step = (is_yes(ct_keyed_text(k, NULL, "Use 360 Rotation")) ? 360.0 : 180.0) / told->views;
    ct_remarks_add(&told->remarks, CT_REMARK_ASSUMED, name, "equal steps of %g degrees", told->step);
  }
  told->has_step = true;
  const bool clockwise = direction && strcasecmp(direction, "CW") == 0;
  if (clockwise) told->first = -told->first, told->step = -told->step;
  ct_remarks_add(&told->remarks, CT_REMARK_ASSUMED, name,
                 "the gantry turns %s (Rotation Direction %s); geometry.reverse turns it the other way",
                 clockwise ? "clockwise" : "counter-clockwise", direction && *direction ? direction : "is not told");
  return true;
}

static bool tell_rest(const ct_keyed *k, const char *name, ct_told *told, ct_error **error) {
  double axis = NAN, shift = NAN, turned = 0;
  if (!ct_keyed_number(k, "Optical Axis (line)", -1e6, &axis, error) ||
      !ct_keyed_number(k, "Postalignment", -1e6, &shift, error) ||
      !ct_keyed_number(k, "Image Rotation", -90, &turned, error) ||
      !ct_keyed_number(k, "Reference Intensity", 0, &told->white_level, error))
    return false;
  if (isfinite(axis)) {
    told->centre_v_px = axis;
    ct_remarks_add(&told->remarks, CT_REMARK_ASSUMED, name,
                   "the optical axis, line %g, is counted from the lowest row, from 0", axis);
  }
  if (turned != 0)
    ct_remarks_add(&told->remarks, CT_REMARK_IGNORED, name,
                   "Image Rotation %g degrees: no public source tells its sign; geometry.tilt sets it", turned);
  if (isfinite(shift) && shift != 0)
    ct_remarks_add(&told->remarks, CT_REMARK_IGNORED, name,
                   "Postalignment %g px, with which it was reconstructed before: the centre is searched for", shift);
  return true;
}

static bool read_log(const char *path, ct_told *told, ct_error **error) {
  ct_keyed k;
  if (!ct_keyed_read(&k, path, error)) return false;
  const char *name = ct_path_name(path);
  bool good = check_kind(&k, error) && ct_keyed_count(&k, "Number of Files", &told->views, error) &&
              ct_keyed_count(&k, "Number of Rows", &told->rows, error) &&
              ct_keyed_count(&k, "Number of Columns", &told->columns, error) && tell_distances(&k, name, told, error) &&
              tell_angles(&k, name, told, error) && tell_rest(&k, name, told, error);
  const char *prefix = ct_keyed_text(&k, NULL, "Filename Prefix");
  if (good && prefix) snprintf(told->images, sizeof told->images, "%s", prefix);
  ct_keyed_clear(&k);
  return good;
}

static int probe(const char *path, const char *head) {
  (void)path;
  if (!strstr(head, "[System]") && !strstr(head, "[Acquisition]")) return 0;
  return strstr(head, "Object to Source (mm)") || strcasestr(head, "SkyScan") ? 90 : 0;
}

const ct_geometry_reader ct_geometry_reader_skyscan = {
    .id = "skyscan",
    .title = "Bruker (SkyScan) log",
    .extensions = "log",
    .common = true,
    .probe = probe,
    .read = read_log,
};
