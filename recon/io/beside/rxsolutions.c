/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Geometry of RX Solutions' scanners, whose images lie in the folder "Proj" beside it. As far as public readers show:
 *   unireconstruction.xml: conebeam/profile@images, conebeam/acquisitioninfo/geometry@sod and @sdd (mm)
 *   geom.csv (geometry.csv): behind two lines of titles a line for each view, parted by ';': a name, then the places of
 *   the source, of the detector's middle, and of the middles of two of its edges (mm); the axis runs along y
 * Sources: CIL's RXSolutionsDataReader and DTHEDataReader (F. P. Vidal, STFC, 2023 to 2025), which turn the images'
 * first row to the top, and scripts of SIMaP (Grenoble) and of INSA Lyon. */
#include "recon/io/beside/rows-private.h"

#include "recon/base/memory.h"
#include "recon/base/path.h"
#include "recon/base/text.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { MOST_VIEWS = 1 << 20, TITLES = 2, NUMBERS = 12 };

static const char folder[] = "Proj";

static bool tell(const ct_keyed *k, ct_told *told, ct_error **error) {
  const char *name = ct_path_name(k->path), *images = ct_keyed_text(k, "profile", "images"),
             *offset = ct_keyed_text(k, "correction", "offsetX");
  if (!ct_keyed_number(k, "sod", 0, &told->sod, error) || !ct_keyed_number(k, "sdd", 0, &told->sdd, error))
    return false;
  if (!(told->sod > 0) || !(told->sdd > told->sod))
    return ct_error_set(error, CT_ERROR_DATA,
                        "%s: it must tell sod and sdd, the larger one, in conebeam/acquisitioninfo/geometry.", k->path);
  told->beam = CT_TOLD_DIVERGENT;
  const double count = images ? ct_text_to_double(images, NULL) : 0;
  if (images && !(count >= 1 && count <= MOST_VIEWS && count == floor(count)))
    return ct_error_set(error, CT_ERROR_DATA, "%s: images=\"%.40s\" is no number of projections.", k->path, images);
  if (images) {
    told->views = (int)count;
    told->has_step = true;
    told->step = 360.0 / told->views;
    ct_remarks_add(&told->remarks, CT_REMARK_ASSUMED, name,
                   "the gantry turns counter-clockwise, a whole turn in %d steps; geometry.reverse turns it the other "
                   "way, as some of these scanners do",
                   told->views);
  }
  if (offset && ct_text_to_double(offset, NULL) != 0)
    ct_remarks_add(&told->remarks, CT_REMARK_IGNORED, name,
                   "correction offsetX %.40s: no public source tells its sign for certain; the centre is searched for",
                   offset);
  snprintf(told->folder, sizeof told->folder, "%s", folder);
  return true;
}

static bool read_settings(const char *path, ct_told *told, ct_error **error) {
  ct_keyed k;
  if (!ct_keyed_read_xml(&k, path, true, error)) return false;
  const bool good = tell(&k, told, error);
  ct_keyed_clear(&k);
  return good;
}

static int probe_settings(const char *path, const char *head) {
  return strcasecmp(ct_path_name(path), "unireconstruction.xml") == 0 || strstr(head, "<unireconstruction") ? 85 : 0;
}

/* Twelve numbers behind the first ';'. */
static bool read_line(const char *line, double numbers[NUMBERS]) {
  const char *c = strchr(line, ';');
  for (int i = 0; i < NUMBERS; i++) {
    char *end;
    if (!c || *c != ';') return false;
    numbers[i] = ct_text_to_double(c + 1, &end);
    if (end == c + 1 || !isfinite(numbers[i]) || fabs(numbers[i]) > 1e9) return false;
    c = end + strspn(end, " \t");
  }
  return true;
}

/* From the file's axes, of which y is that of the rotation, to ours. */
static void turn(const double *from, double *to) {
  to[0] = from[2];
  to[1] = from[0];
  to[2] = from[1];
}

static void take_view(const double numbers[NUMBERS], double pose[12]) {
  double half[2][3];
  turn(numbers, pose);
  turn(numbers + 3, pose + 3);
  for (int i = 0; i < 2; i++) {
    turn(numbers + 6 + 3 * i, half[i]);
    for (int k = 0; k < 3; k++) half[i][k] -= pose[3 + k];
  }
  /* Rows follow each other along the axis. */
  const int up = fabs(half[1][2]) > fabs(half[0][2]);
  memcpy(pose + 6, half[1 - up], sizeof half[0]);
  memcpy(pose + 9, half[up], sizeof half[0]);
}

static bool take_lines(const char *path, char *text, ct_told *told, ct_error **error) {
  size_t lines = 0;
  double middle = 0;
  for (const char *c = text; *c; c++) lines += *c == '\n';
  if (lines > MOST_VIEWS) return ct_error_set(error, CT_ERROR_DATA, "%s holds too many lines.", path);
  if (!(told->poses = ct_alloc(lines + 1, 12 * sizeof *told->poses, "the geometry", error))) return false;
  int number = 0;
  for (char *line = text, *next; line; line = next) {
    double numbers[NUMBERS];
    next = strchr(line, '\n');
    if (next) *next++ = 0;
    if (number++ < TITLES || line[strspn(line, " \t\r;")] == 0) continue;
    if (!read_line(line, numbers))
      return ct_error_set(error, CT_ERROR_DATA, "%s, line %d: there must be twelve numbers behind the first ';'.", path,
                          number);
    take_view(numbers, told->poses + 12 * (size_t)told->views++);
    middle += numbers[4];
  }
  if (told->views == 0) return ct_error_set(error, CT_ERROR_DATA, "%s holds no views.", path);
  middle /= told->views;
  for (int i = 0; i < told->views; i++) {
    told->poses[12 * i + 2] -= middle;
    told->poses[12 * i + 5] -= middle;
  }
  told->beam = CT_TOLD_DIVERGENT;
  told->halves = true;
  snprintf(told->folder, sizeof told->folder, "%s", folder);
  ct_remarks_add(&told->remarks, CT_REMARK_READ, ct_path_name(path),
                 "where source, detector and the middles of two of its edges are in each of %d views", told->views);
  ct_remarks_add(
      &told->remarks, CT_REMARK_ASSUMED, ct_path_name(path),
      "the axis runs along its y, the height of the detector's middles is z = 0, and the edges are the upper "
      "one and that of the last column");
  return true;
}

static bool read_table(const char *path, ct_told *told, ct_error **error) {
  char *text = ct_read_text(path, (size_t)1 << 28, NULL, error);
  const bool good = text && take_lines(path, text, told, error);
  ct_free(text);
  return good;
}

static int probe_table(const char *path, const char *head) {
  double numbers[NUMBERS];
  if (strncasecmp(ct_path_name(path), "geom", 4) != 0) return 0;
  for (int i = 0; i < TITLES && head; i++) {
    head = strchr(head, '\n');
    if (head) head++;
  }
  return head && read_line(head, numbers) ? 80 : 0;
}

const ct_geometry_reader ct_geometry_reader_rxsolutions = {
    .id = "rxsolutions",
    .title = "RX Solutions settings",
    .extensions = "xml",
    .common = true,
    .probe = probe_settings,
    .read = read_settings,
};

const ct_geometry_reader ct_geometry_reader_rxtable = {
    .id = "rxtable",
    .title = "RX Solutions geometry table",
    .extensions = "csv",
    .common = true,
    .probe = probe_table,
    .read = read_table,
};
