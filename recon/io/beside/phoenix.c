/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The settings of a GE (phoenix datos|x) scan, .pca: FOD and FDD in mm, the voxel size, from which the pixels follow by
 * the magnification, and the sector over which equal steps go. */
#include "recon/io/beside/rows-private.h"

#include "recon/base/path.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static bool tell_geometry(const ct_keyed *k, ct_told *told, ct_error **error) {
  double voxel_x = 0, voxel_y = 0, fod = 0, fdd = 0;
  if (!ct_keyed_number(k, "FOD", 0, &fod, error) || !ct_keyed_number(k, "FDD", 0, &fdd, error) ||
      !ct_keyed_number(k, "VoxelSizeX", 0, &voxel_x, error) || !ct_keyed_number(k, "VoxelSizeY", 0, &voxel_y, error))
    return false;
  if (fod == 0 || fdd == 0)
    return ct_error_set(error, CT_ERROR_DATA, "%s: it does not tell FOD and FDD, the distances from the source.",
                        k->path);
  if (!(fdd > fod))
    return ct_error_set(error, CT_ERROR_DATA,
                        "%s: the detector (FDD %g mm) must be farther from the source than the object (FOD %g mm).",
                        k->path, fdd, fod);
  told->beam = CT_TOLD_DIVERGENT;
  told->sod = fod;
  told->sdd = fdd;
  told->pitch_u = voxel_x * (fdd / fod);
  told->pitch_v = (voxel_y > 0 ? voxel_y : voxel_x) * (fdd / fod);
  return true;
}

static bool tell_angles(const ct_keyed *k, const char *name, ct_told *told, ct_error **error) {
  double sector = 360;
  if (!ct_keyed_number(k, "RotationSector", 0, &sector, error)) return false;
  if (told->views == 0) return true;
  told->has_step = true;
  told->step = sector / told->views;
  ct_remarks_add(&told->remarks, CT_REMARK_ASSUMED, name,
                 "the gantry turns counter-clockwise, %g degrees in %d steps; geometry.reverse turns it the other way",
                 sector, told->views);
  return true;
}

static bool tell_rest(const ct_keyed *k, const char *name, ct_told *told, ct_error **error) {
  double shift = 0, turned = 0, tilt = 0, cx = NAN, cy = NAN;
  if (!ct_keyed_number(k, "CalibValue", -1e6, &shift, error) || !ct_keyed_number(k, "cx", -1e6, &cx, error) ||
      !ct_keyed_number(k, "cy", -1e6, &cy, error) || !ct_keyed_number(k, "DetectorRot", -1e6, &turned, error) ||
      !ct_keyed_number(k, "Tilt", -1e6, &tilt, error))
    return false;
  /* In files of whole detectors cx and cy are the middle of the image, and the axis is CalibValue pixels beside it. */
  if (shift != 0)
    ct_remarks_add(&told->remarks, CT_REMARK_IGNORED, name,
                   "CalibValue %g, the axis' place beside column %g: no public source tells its sign, and the centre "
                   "is searched for",
                   shift, cx);
  else if (isfinite(cx))
    told->centre_u_px = cx;
  if (turned != 0 || tilt != 0)
    ct_remarks_add(&told->remarks, CT_REMARK_IGNORED, name,
                   "DetectorRot %g, Tilt %g: no public source tells their signs; geometry.tilt sets one", turned, tilt);
  return true;
}

static bool read_pca(const char *path, ct_told *told, ct_error **error) {
  ct_keyed k;
  if (!ct_keyed_read(&k, path, error)) return false;
  const char *name = ct_path_name(path);
  const bool good = ct_keyed_count(&k, "NumberImages", &told->views, error) &&
                    ct_keyed_count(&k, "DimX", &told->columns, error) &&
                    ct_keyed_count(&k, "DimY", &told->rows, error) && tell_geometry(&k, told, error) &&
                    tell_angles(&k, name, told, error) && tell_rest(&k, name, told, error);
  ct_keyed_clear(&k);
  return good;
}

static int probe(const char *path, const char *head) {
  (void)path;
  return strstr(head, "[Geometry]") && (strstr(head, "FDD") || strstr(head, "FOD")) ? 90 : 0;
}

const ct_geometry_reader ct_geometry_reader_phoenix = {
    .id = "phoenix",
    .title = "GE (phoenix) settings",
    .extensions = "pca",
    .probe = probe,
    .read = read_pca,
};
