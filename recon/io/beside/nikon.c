/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The settings of a Nikon (X-Tek) scan, .xtekct, and the angles in NAME.ang or _ctdata.txt beside it. Known readers
 * disagree about signs and each other's software versions (CIL, TIGRE): here angles run counter-clockwise as they are
 * written, and a positive offset of the object (older files: CentreOfRotation at the detector's top and bottom) shows
 * the axis in a higher column; a positive roll leans the axis' upper end to lower columns, as in CIL, and a positive
 * tilt leans it towards the detector; offsets of the detector move it towards higher columns and up. */
#include "recon/io/beside/rows-private.h"

#include "recon/base/memory.h"
#include "recon/base/path.h"
#include "recon/io/shared/io-private.h"
#include "recon/io/shared/series-private.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct {
  double top, bottom, offset, roll, tilt; /* NAN: not told */
  double detector[2];                     /* where its middle is, towards higher columns and up */
} placing;

static bool tell_detector(const ct_keyed *k, ct_told *told, ct_error **error) {
  if (!ct_keyed_number(k, "SrcToObject", 0, &told->sod, error) ||
      !ct_keyed_number(k, "SrcToDetector", 0, &told->sdd, error) ||
      !ct_keyed_number(k, "DetectorPixelSizeX", 0, &told->pitch_u, error) ||
      !ct_keyed_number(k, "DetectorPixelSizeY", 0, &told->pitch_v, error) ||
      !ct_keyed_number(k, "WhiteLevel", -1, &told->white_level, error) ||
      !ct_keyed_count(k, "DetectorPixelsX", &told->columns, error) ||
      !ct_keyed_count(k, "DetectorPixelsY", &told->rows, error) ||
      !ct_keyed_count(k, "Projections", &told->views, error))
    return false;
  if (told->sod == 0 || told->sdd == 0)
    return ct_error_set(error, CT_ERROR_DATA, "%s: it does not tell %s.", k->path,
                        told->sod == 0 ? "SrcToObject" : "SrcToDetector");
  if (!(told->sdd > told->sod))
    return ct_error_set(error, CT_ERROR_DATA,
                        "%s: the detector (SrcToDetector %g mm) must be farther from the source than the object "
                        "(SrcToObject %g mm).",
                        k->path, told->sdd, told->sod);
  told->beam = CT_TOLD_DIVERGENT;
  return true;
}

static char *beside(const char *path, const char *ending) {
  const int stem = (int)(strlen(path) - strlen(ct_path_extension(path)) - 1);
  char *name = ct_strprintf("%.*s%s", stem, path, ending);
  if (name && ct_path_exists(name)) return name;
  ct_free(name);
  return NULL;
}

/* Angles that follow the steps to within one of them are where the table really stood; others are something else. */
static void take_angles(const char *file, ct_told *told) {
  size_t count;
  double *angles = ct_angle_table_read(file, &count), most = 0;
  const char *name = ct_path_name(file);
  if (!angles) {
    ct_remarks_add(&told->remarks, CT_REMARK_IGNORED, name, "no angles can be read from it");
    return;
  }
  if (told->has_step)
    for (size_t i = 0; i < count; i++) {
      const double off = angles[i] - angles[0] - (double)i * told->step;
      most = fmax(most, fabs(off - 360 * round(off / 360)));
    }
  if (told->views && count != (size_t)told->views) {
    ct_remarks_add(&told->remarks, CT_REMARK_IGNORED, name, "it holds %zu angles for %d projections", count,
                   told->views);
  } else if (told->has_step && most > fabs(told->step)) {
    ct_remarks_add(&told->remarks, CT_REMARK_DOUBT, name,
                   "its angles leave those of InitialAngle and AngularStep by up to %g degrees and are not used", most);
  } else {
    ct_free(told->angles);
    told->angles = angles;
    told->angle_count = count;
    return;
  }
  ct_free(angles);
}

static bool tell_angles(const ct_keyed *k, ct_told *told, ct_error **error) {
  static const char *const endings[] = {".ang", "_ctdata.txt"};
  told->step = NAN;
  if (!ct_keyed_number(k, "InitialAngle", -1e6, &told->first, error) ||
      !ct_keyed_number(k, "AngularStep", -1e6, &told->step, error))
    return false;
  told->has_step = isfinite(told->step) && told->step != 0;
  if (!told->has_step && told->views) {
    told->has_step = true;
    told->step = 360.0 / told->views;
    ct_remarks_add(&told->remarks, CT_REMARK_ASSUMED, ct_path_name(k->path),
                   "a whole turn in %d equal steps: AngularStep is not told", told->views);
  }
  char *folder = ct_path_folder(k->path, error), *plain = NULL;
  if (!folder) return false;
  for (int i = 0; i < 2 && !told->angles; i++) {
    char *file = beside(k->path, endings[i]);
    if (!file && i == 1 && (plain = ct_path_join(folder, "_ctdata.txt", NULL)) && ct_path_exists(plain))
      file = plain, plain = NULL;
    if (file) take_angles(file, told);
    if (told->angles)
      ct_remarks_add(&told->remarks, CT_REMARK_READ, ct_path_name(file), "the angles of %zu projections",
                     told->angle_count);
    ct_free(file);
    ct_free(plain);
    plain = NULL;
  }
  ct_free(folder);
  ct_remarks_add(&told->remarks, CT_REMARK_ASSUMED, ct_path_name(k->path),
                 "the gantry turns counter-clockwise as the angles are written; readers of other programs differ: "
                 "geometry.reverse turns it the other way");
  return true;
}

/* A leaning axis: source and detector as the object sees them. Seen from the source, u is to the right and z up. */
static bool tell_poses(const ct_keyed *k, const placing *p, ct_told *told, ct_error **error) {
  const size_t views = told->angles ? told->angle_count : (size_t)told->views;
  if (!views || !told->pitch_u)
    return ct_error_set(error, CT_ERROR_DATA, "%s: ObjectTilt is told, and neither Projections nor the pixel size.",
                        k->path);
  const double degree = M_PI / 180, c = cos(p->tilt * degree), s = sin(p->tilt * degree), ce = cos(told->tilt * degree),
               se = sin(told->tilt * degree);
  told->poses = ct_alloc(views, 12 * sizeof *told->poses, "the geometry", error);
  for (size_t view = 0; told->poses && view < views; view++) {
    const double t = (told->angles ? told->angles[view] : told->first + (double)view * told->step) * degree;
    const double ct = cos(t), st = sin(t);
    /* (u, forward, z) before the axis is made upright. */
    const double lab[4][3] = {{-p->offset, -told->sod, 0},
                              {-p->offset + p->detector[0] * ce - p->detector[1] * se, told->sdd - told->sod,
                               p->detector[0] * se + p->detector[1] * ce},
                              {ce, 0, se},
                              {-se, 0, ce}};
    for (int i = 0; i < 4; i++) {
      const double f = lab[i][1] * c - lab[i][2] * s, z = lab[i][1] * s + lab[i][2] * c;
      double *to = told->poses + 12 * view + 3 * i;
      to[0] = lab[i][0] * ct - f * st;
      to[1] = lab[i][0] * st + f * ct;
      to[2] = z;
    }
  }
  told->views = (int)views;
  ct_remarks_add(&told->remarks, CT_REMARK_READ, ct_path_name(k->path), "ObjectTilt %g degrees: a matrix for each view",
                 p->tilt);
  return told->poses;
}

static bool tell_axis(const ct_keyed *k, ct_told *told, ct_error **error) {
  placing p = {NAN, NAN, NAN, NAN, 0, {0, 0}};
  if (!ct_keyed_number(k, "ObjectOffsetX", -1e6, &p.offset, error) ||
      !ct_keyed_number(k, "CentreOfRotationTop", -1e6, &p.top, error) ||
      !ct_keyed_number(k, "CentreOfRotationBottom", -1e6, &p.bottom, error) ||
      !ct_keyed_number(k, "ObjectRoll", -90, &p.roll, error) ||
      !ct_keyed_number(k, "ObjectTilt", -90, &p.tilt, error) ||
      !ct_keyed_number(k, "DetectorOffsetX", -1e6, &p.detector[0], error) ||
      !ct_keyed_number(k, "DetectorOffsetY", -1e6, &p.detector[1], error))
    return false;
  const double magnification = told->sdd / told->sod;
  const char *name = ct_path_name(k->path);
  if (isfinite(p.top) && !isfinite(p.bottom)) p.bottom = p.top;
  if (!isfinite(p.offset) && isfinite(p.top)) p.offset = 0.5 * (p.top + p.bottom) / magnification;
  if (!isfinite(p.roll) && isfinite(p.top) && told->rows > 0 && told->pitch_v > 0)
    p.roll = -atan2(p.top - p.bottom, told->rows * told->pitch_v) * (180 / M_PI);
  if (isfinite(p.roll)) told->tilt = -p.roll;
  if (!isfinite(p.offset)) {
    ct_remarks_add(&told->remarks, CT_REMARK_ASSUMED, name, "it does not tell where the axis is seen");
    if (p.detector[0] != 0 || p.detector[1] != 0)
      ct_remarks_add(&told->remarks, CT_REMARK_IGNORED, name,
                     "DetectorOffsetX %g mm and DetectorOffsetY %g mm: without the axis they place nothing",
                     p.detector[0], p.detector[1]);
    p.offset = p.detector[0] = p.detector[1] = 0;
  } else {
    told->centre_u_mm = p.offset * magnification - p.detector[0];
    told->centre_v_mm = -p.detector[1];
    if (p.detector[0] != 0 || p.detector[1] != 0)
      ct_remarks_add(&told->remarks, CT_REMARK_ASSUMED, name,
                     "DetectorOffsetX %g mm moves the detector towards higher columns, DetectorOffsetY %g mm up: "
                     "centre.column and geometry.centre_v tell otherwise",
                     p.detector[0], p.detector[1]);
    if (p.offset != 0)
      ct_remarks_add(&told->remarks, CT_REMARK_ASSUMED, name,
                     "an object offset of %g mm, %g mm at the detector, shows the axis in a higher column; of "
                     "the sign public readers are not certain: centre.column sets it",
                     p.offset, p.offset * magnification);
  }
  return p.tilt == 0 || tell_poses(k, &p, told, error);
}

static bool read_xtekct(const char *path, ct_told *told, ct_error **error) {
  ct_keyed k;
  if (!ct_keyed_read(&k, path, error)) return false;
  const bool good = tell_detector(&k, told, error) && tell_angles(&k, told, error) && tell_axis(&k, told, error);
  const char *name = ct_keyed_text(&k, NULL, "Name"), *folder = ct_keyed_text(&k, NULL, "InputFolderName");
  if (good && name) snprintf(told->images, sizeof told->images, "%s", name);
  if (good && folder && !strchr(folder, '\\')) snprintf(told->folder, sizeof told->folder, "%s", folder);
  ct_keyed_clear(&k);
  return good;
}

static int probe(const char *path, const char *head) {
  (void)path;
  return strstr(head, "[XTekCT]") ? 95 : strstr(head, "SrcToObject") ? 70 : 0;
}

const ct_geometry_reader ct_geometry_reader_nikon = {
    .id = "nikon",
    .title = "Nikon (X-Tek) settings",
    .extensions = "xtekct",
    .probe = probe,
    .read = read_xtekct,
};
