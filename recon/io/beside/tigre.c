/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A geometry of TIGRE written as JSON or in a MAT file: the members of its Geometry object, mm and radians, and the
 * list of angles. DSD, DSO, nDetector, dDetector ([rows, columns], as in Python), offDetector ([v, u], the detector's
 * middle beside the ray through the isocentre), rotDetector ([roll, pitch, yaw]), COR (source and detector moved along
 * u), angles, mode ("cone", "parallel") The source starts on the x axis and turns counter-clockwise: a quarter ahead of
 * the frame of geometry.h. Source: TIGRE's documentation and demos (Biguri et al. 2016). */
#include "recon/io/beside/rows-private.h"

#include "recon/base/memory.h"
#include "recon/base/path.h"
#include "recon/base/text.h"
#include "recon/io/shared/json-private.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TEXT_LIMIT = 1 << 26, MOST_VIEWS = 1 << 20 };

/* One number, or `count` of them, also where they are a list of one; the values stay what they were where the key is
 * missing. A list for each view is told by its first. */
static bool take(const json_t *root, const char *path, const char *key, size_t count, double *values,
                 ct_error **error) {
  const json_t *value = json_object_get(root, key);
  if (!value || json_is_null(value)) return true;
  if (json_is_array(value) && json_is_array(json_array_get(value, 0))) value = json_array_get(value, 0);
  if (count == 1 && json_array_size(value) == 1) value = json_array_get(value, 0);
  if (count == 1) return ct_json_number(value, path, key, values, error);
  if (json_is_number(value)) {
    for (size_t i = 0; i < count; i++)
      if (!ct_json_number(value, path, key, &values[i], error)) return false;
    return true;
  }
  return ct_json_numbers(value, path, key, count, values, error);
}

static bool take_angles(const json_t *root, const char *path, ct_told *told, ct_error **error) {
  const json_t *list = json_object_get(root, "angles");
  const size_t count = json_array_size(list);
  if (!count) return true;
  if (count > MOST_VIEWS) return ct_error_set(error, CT_ERROR_DATA, "%s holds too many angles.", path);
  /* Rows of three are Euler angles, of which the first turns about the axis. */
  const bool euler = json_is_array(json_array_get(list, 0));
  told->angles = ct_alloc(count, sizeof *told->angles, "the angles", error);
  bool good = told->angles != NULL;
  for (size_t i = 0; good && i < count; i++) {
    double angle[3] = {0, 0, 0};
    const json_t *one = json_array_get(list, i);
    good = euler ? ct_json_numbers(one, path, "angles", 3, angle, error)
                 : ct_json_number(one, path, "angles", angle, error);
    if (good && (angle[1] != 0 || angle[2] != 0))
      good = ct_error_set(error, CT_ERROR_UNSUPPORTED,
                          "%s: the source leaves its circle (angles of three numbers); a description with matrices "
                          "serves for that.",
                          path);
    told->angles[i] = angle[0] * (180 / M_PI) + 90;
  }
  if (!good) return false;
  told->angle_count = count;
  told->views = (int)count;
  return true;
}

static bool take_distances(const json_t *root, const char *path, ct_told *told, ct_error **error) {
  const char *mode = json_string_value(json_object_get(root, "mode"));
  if (!take(root, path, "DSD", 1, &told->sdd, error) || !take(root, path, "DSO", 1, &told->sod, error)) return false;
  if (mode && strcmp(mode, "parallel") == 0) {
    told->beam = CT_TOLD_PARALLEL;
    told->sod = told->sdd = 0;
    return true;
  }
  told->beam = CT_TOLD_DIVERGENT;
  return (told->sod > 0 && told->sdd > told->sod) ||
         ct_error_set(error, CT_ERROR_DATA,
                      "%s: DSD (%g mm) must be larger than DSO (%g mm), the distances from the source.", path,
                      told->sdd, told->sod);
}

static bool take_detector(const json_t *root, const char *path, bool matlab, ct_told *told, ct_error **error) {
  double counts[2] = {0, 0}, sizes[2] = {0, 0}, offset[2] = {0, 0}, turns[3] = {0, 0, 0}, cor = 0;
  const char *name = ct_path_name(path);
  if (!take(root, path, "nDetector", 2, counts, error) || !take(root, path, "dDetector", 2, sizes, error) ||
      !take(root, path, "offDetector", 2, offset, error) || !take(root, path, "rotDetector", 3, turns, error) ||
      !take(root, path, "COR", 1, &cor, error))
    return false;
  for (int i = 0; i < 2; i++)
    if (counts[i] < 0 || counts[i] > 65536 || sizes[i] < 0)
      return ct_error_set(error, CT_ERROR_DATA, "%s: nDetector and dDetector cannot be %g and %g.", path, counts[i],
                          sizes[i]);
  told->rows = (int)counts[0];
  told->columns = (int)counts[1];
  told->pitch_v = sizes[0];
  told->pitch_u = sizes[1];
  const double magnification = told->sod > 0 ? told->sdd / told->sod : 1;
  told->centre_u_mm = -offset[1] - cor * magnification;
  told->centre_v_mm = -offset[0];
  told->tilt = turns[0] * (180 / M_PI);
  ct_remarks_add(&told->remarks, CT_REMARK_ASSUMED, name,
                 "pairs are %s; the gantry turns counter-clockwise from the x axis; "
                 "offDetector %g, %g mm moves the detector, COR %g mm the source as well, towards higher columns and "
                 "up; rotDetector's first turns columns upwards (geometry.reverse, centre.column, geometry.centre_v, "
                 "geometry.tilt tell otherwise)",
                 matlab ? "[u; v], as TIGRE has them in MATLAB" : "[v, u], as TIGRE has them in Python", offset[matlab],
                 offset[!matlab], cor);
  if (turns[1] != 0 || turns[2] != 0)
    ct_remarks_add(&told->remarks, CT_REMARK_DOUBT, name,
                   "rotDetector's pitch and yaw, %g and %g rad, are not used: a description with matrices serves for "
                   "that",
                   turns[1], turns[2]);
  const json_t *offsets = json_object_get(root, "offDetector");
  if (json_array_size(offsets) > 1 && json_is_array(json_array_get(offsets, 0)) &&
      !json_equal(json_array_get(offsets, 0), json_array_get(offsets, 1)))
    return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "%s: an offDetector for each view cannot be read; a description with matrices serves for that.",
                        path);
  return true;
}

static bool is_mat(const char *head) {
  return strncmp(head, "MATLAB ", 7) == 0 || strncmp(head, "\x89HDF", 4) == 0;
}

static json_t *read_json(const char *path, ct_error **error) {
  char *text = ct_read_text(path, TEXT_LIMIT, NULL, error);
  json_t *root = text ? ct_json_parse(text, path, error) : NULL;
  ct_free(text);
  return root;
}

static bool read_tigre(const char *path, ct_told *told, ct_error **error) {
  char head[8] = "";
  bool holds_scan;
  FILE *file = ct_stream_to_read(path, NULL);
  const bool matlab = file && fread(head, 1, sizeof head - 1, file) > 0 && is_mat(head);
  if (file) fclose(file);
  json_t *root = matlab ? ct_beside_read_mat(path, told, &holds_scan, error) : read_json(path, error);
  const bool good = root && take_distances(root, path, told, error) && take_angles(root, path, told, error) &&
                    take_detector(root, path, matlab, told, error);
  json_decref(root);
  return good;
}

/* A MAT file that holds projections, too, is their scan's. */
static json_t *read_mat(const char *path, bool *holds_scan) {
  return ct_path_has_extension(path, "mat") ? ct_beside_read_mat(path, NULL, holds_scan, NULL) : NULL;
}

static char *inside(const char *path) {
  bool holds_scan;
  json_t *root = read_mat(path, &holds_scan);
  char *found = root && holds_scan ? ct_strdup(path, NULL) : NULL;
  json_decref(root);
  return found;
}

static int probe(const char *path, const char *head) {
  if (is_mat(head)) {
    bool holds_scan;
    json_t *root = read_mat(path, &holds_scan);
    json_decref(root);
    return root && !holds_scan ? 80 : 0;
  }
  return strstr(head, "\"DSD\"") && strstr(head, "\"DSO\"") ? 80 : 0;
}

const ct_geometry_reader ct_geometry_reader_tigre = {
    .id = "tigre",
    .title = "TIGRE geometry",
    .extensions = "json mat",
    .common = true,
    .probe = probe,
    .read = read_tigre,
    .inside = inside,
};
