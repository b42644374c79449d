/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The settings of a Comet Yxlon scan: ScanParameter.xml with distances in units of its PixelPitch, or an older text
 * table of "value <tab> label". Source: the readers of TIGRE, which leave the meaning of offsets and tilts open. */
#include "recon/io/beside/rows-private.h"

#include "recon/base/memory.h"
#include "recon/base/path.h"
#include "recon/base/text.h"

#include <math.h>
#include <string.h>
#include <strings.h>

enum { TEXT_LIMIT = 1 << 20 };

static bool tell_beam(const char *path, double fod, double fdd, ct_told *told, ct_error **error) {
  if (!(fod > 0) || !(fdd > fod) || !isfinite(fdd))
    return ct_error_set(error, CT_ERROR_DATA,
                        "%s: it must tell FOD and FDD, and the detector (%g mm) be farther from the source than the "
                        "object (%g mm).",
                        path, fdd, fod);
  told->beam = CT_TOLD_DIVERGENT;
  told->sod = fod;
  told->sdd = fdd;
  return true;
}

static void tell_arc(const char *path, double first, double arc, ct_told *told) {
  if (!told->views) return;
  told->has_step = true;
  told->first = first;
  told->step = arc / told->views;
  ct_remarks_add(&told->remarks, CT_REMARK_ASSUMED, ct_path_name(path),
                 "the gantry turns counter-clockwise, %g degrees in %d steps; geometry.reverse turns it the other way",
                 arc, told->views);
}

static void ignore(const char *path, const char *what, double value, ct_told *told) {
  if (value != 0)
    ct_remarks_add(&told->remarks, CT_REMARK_IGNORED, ct_path_name(path),
                   "%s %g: no public source tells its meaning; the centre is searched for", what, value);
}

/* The path's kind is an attribute, xsi:type, under whatever prefix. */
static bool check_circle(const ct_keyed *k, ct_error **error) {
  for (int i = 0; i < k->count; i++) {
    const struct ct_keyed_line *line = k->lines + i;
    const char *colon = strrchr(line->key, ':');
    if (strcmp(line->section, "ScanTrajectory") == 0 && strcmp(colon ? colon + 1 : line->key, "type") == 0 &&
        strcmp(line->value, "CircleTrajectory") != 0)
      return ct_error_set(error, CT_ERROR_UNSUPPORTED, "%s: a scan along a %.60s cannot be read; only circles are.",
                          k->path, line->value);
  }
  return true;
}

/* Turned or mirrored images: no public source tells how. */
static void doubt_images(const ct_keyed *k, ct_told *told) {
  static const char *const keys[][2] = {{"DetectorOrientation", "original"}, {"DetectorFlipDirections", "none"}};
  for (int i = 0; i < 2; i++) {
    const char *text = ct_keyed_text(k, NULL, keys[i][0]);
    if (text && strcasecmp(text, keys[i][1]) != 0)
      ct_remarks_add(&told->remarks, CT_REMARK_DOUBT, ct_path_name(k->path),
                     "%s \"%.60s\": the images may be turned or mirrored, and are taken as they are stored; "
                     "geometry.reverse, scan.flip_rows and scan.flip_columns turn them over",
                     keys[i][0], text);
  }
}

static bool tell_xml(const ct_keyed *k, ct_told *told, ct_error **error) {
  static const char *const others[] = {
      "YoCenter",     "HorizontalDetectorOffset", "VerticalDetectorOffset", "DetectorTiltA", "DetectorTiltB",
      "DetectorTiltC"};
  if (!check_circle(k, error)) return false;
  double scale = 1, fod = 0, fdd = 0, first = 0, arc = 360, value;
  if (!ct_keyed_number(k, "PixelPitch", 0, &scale, error) || !ct_keyed_number(k, "Fod", 0, &fod, error) ||
      !ct_keyed_number(k, "Fdd", 0, &fdd, error) || !ct_keyed_number(k, "StartAngle", -1e6, &first, error) ||
      !ct_keyed_number(k, "Rotation", -1e6, &arc, error) ||
      !ct_keyed_count(k, "NumberOfProjections", &told->views, error))
    return false;
  /* Height and Width stand in several sections. */
  for (int i = 0; i < k->count; i++) {
    const bool pixel = strcmp(k->lines[i].section, "PixelSize") == 0,
               size = strcmp(k->lines[i].section, "ProjectionSize") == 0;
    const bool wide = strcmp(k->lines[i].key, "Width") == 0, high = strcmp(k->lines[i].key, "Height") == 0;
    const double number = ct_text_to_double(k->lines[i].value, NULL);
    if (!(number > 0 && number < 1e6)) continue;
    if (pixel && wide) told->pitch_u = number;
    if (pixel && high) told->pitch_v = number;
    if (size && wide) told->columns = (int)number;
    if (size && high) told->rows = (int)number;
  }
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (value = 0, ct_keyed_number(k, others[i], -1e12, &value, NULL)) ignore(k->path, others[i], value, told);
  doubt_images(k, told);
  tell_arc(k->path, first, arc, told);
  return tell_beam(k->path, scale * fod, scale * fdd, told, error);
}

/* The number before a tab and this label; NAN where there is none. */
static double labelled(const char *text, const char *label) {
  for (const char *at = text; (at = strstr(at, label)); at++) {
    const char *from = at, *end = at + strlen(label);
    end += strspn(end, " \r");
    if (at == text || at[-1] != '\t' || (*end && *end != '\n')) continue;
    while (from > text && from[-1] != '\n') from--;
    char *after;
    const double value = ct_text_to_double(from, &after);
    if (after != from && after < at && fabs(value) < 1e9) return value;
  }
  return NAN;
}

static bool tell_table(const char *path, const char *text, ct_told *told, ct_error **error) {
  const double views = labelled(text, "CT: Number of Projections"),
               wide = labelled(text, "Number of Detector Elements"), pixel = labelled(text, "2D-Pixel Size [mm]"),
               binning = labelled(text, "Pixelbinning"), offset = labelled(text, "Center Offset [mm]");
  if (views >= 1 && views <= 1e6) told->views = (int)views;
  if (wide >= 1 && wide <= 1e6) told->columns = (int)wide;
  if (pixel > 0) told->pitch_u = pixel * (binning > 0 ? binning : 1);
  if (isfinite(offset)) ignore(path, "Center Offset", offset, told);
  tell_arc(path, 0, 360, told);
  return tell_beam(path, labelled(text, "FOD [mm]"), labelled(text, "FDD [mm]"), told, error);
}

static bool read_yxlon(const char *path, ct_told *told, ct_error **error) {
  ct_keyed k;
  if (!ct_path_has_extension(path, "xml")) {
    char *text = ct_read_text(path, TEXT_LIMIT, NULL, error);
    const bool good = text && tell_table(path, text, told, error);
    ct_free(text);
    return good;
  }
  if (!ct_keyed_read_xml(&k, path, true, error)) return false;
  const bool good = tell_xml(&k, told, error);
  ct_keyed_clear(&k);
  return good;
}

static int probe(const char *path, const char *head) {
  if (ct_path_has_extension(path, "xml")) return strstr(head, "ConeBeamScanParameter") ? 90 : 0;
  return strstr(head, "FOD [mm]") && strstr(head, "FDD [mm]") ? 80 : 0;
}

const ct_geometry_reader ct_geometry_reader_yxlon = {
    .id = "yxlon",
    .title = "Yxlon settings",
    .extensions = "xml txt",
    .common = true,
    .probe = probe,
    .read = read_yxlon,
};
