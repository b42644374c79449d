/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The settings of a diondo scan in XML: distances, pixels, and a turn in as many steps as it says, else as there are
 * projections. Source: the readers of TIGRE. */
#include "recon/io/beside/rows-private.h"

#include "recon/base/path.h"

#include <string.h>
#include <strings.h>

static bool is_true(const ct_keyed *k, const char *key) {
  const char *text = ct_keyed_text(k, NULL, key);
  return text && strcasecmp(text, "true") == 0;
}

static bool tell(const ct_keyed *k, ct_told *told, ct_error **error) {
  double offset = 0;
  int turn;
  const char *name = ct_path_name(k->path);
  if (is_true(k, "HelixMode") || is_true(k, "Laminography"))
    return ct_error_set(error, CT_ERROR_UNSUPPORTED, "%s: a helix or a laminography cannot be read.", k->path);
  if (!ct_keyed_number(k, "SourceObjectDist", 0, &told->sod, error) ||
      !ct_keyed_number(k, "SourceDetectorDist", 0, &told->sdd, error) ||
      !ct_keyed_number(k, "ProjectionPixelSizeX", 0, &told->pitch_u, error) ||
      !ct_keyed_number(k, "ProjectionPixelSizeY", 0, &told->pitch_v, error) ||
      !ct_keyed_number(k, "ProjectionCenterOffsetX", -1e6, &offset, error) ||
      !ct_keyed_count(k, "ProjectionDimX", &told->columns, error) ||
      !ct_keyed_count(k, "ProjectionDimY", &told->rows, error) ||
      !ct_keyed_count(k, "ProjectionCount", &told->views, error) ||
      !ct_keyed_count(k, "ProjectionCountPer360deg", &turn, error))
    return false;
  if (!(told->sod > 0) || !(told->sdd > told->sod))
    return ct_error_set(error, CT_ERROR_DATA,
                        "%s: it must tell SourceObjectDist and SourceDetectorDist, the larger one.", k->path);
  told->beam = CT_TOLD_DIVERGENT;
  if (told->views) {
    told->has_step = true;
    if (turn == 0) turn = told->views;
    told->step = 360.0 / turn;
    ct_remarks_add(&told->remarks, CT_REMARK_ASSUMED, name,
                   "the gantry turns counter-clockwise, a whole turn in %d steps; geometry.reverse turns it the other "
                   "way",
                   turn);
  }
  if (offset != 0)
    ct_remarks_add(
        &told->remarks, CT_REMARK_IGNORED, name,
        "ProjectionCenterOffsetX %g: public readers disagree about its sign and unit; the centre is searched for",
        offset);
  return true;
}

static bool read_diondo(const char *path, ct_told *told, ct_error **error) {
  ct_keyed k;
  if (!ct_keyed_read_xml(&k, path, false, error)) return false;
  const bool good = tell(&k, told, error);
  ct_keyed_clear(&k);
  return good;
}

static int probe(const char *path, const char *head) {
  (void)path;
  return strstr(head, "<Geometrie") || strstr(head, "SourceObjectDist") || strstr(head, "<ProjectionDimX") ? 85 : 0;
}

const ct_geometry_reader ct_geometry_reader_diondo = {
    .id = "diondo",
    .title = "diondo settings",
    .extensions = "xml",
    .common = true,
    .probe = probe,
    .read = read_diondo,
};
