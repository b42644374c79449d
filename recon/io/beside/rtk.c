/* SPDX-License-Identifier: GPL-3.0-or-later */
/* RTK's geometry (RTKThreeDCircularGeometry, versions 2 and 3): nine parameters a view, each of which keeps its last
 * value where it is not given, and a matrix that follows from them. RTK turns about y and has the source at +z of
 * gantry angle 0: its (x, y, z) is our (x, -z, y), angles and detector axes agree. With R = Rz(-in plane) Rx(-out of
 * plane) Ry(-gantry), whose rows are u, v, n: source = sx u + sy v + SID n, detector place (a, b) = (px + a) u + (py +
 * b) v + (SID - SDD) n, where a and b are the image's coordinates in mm. */
#include "recon/io/beside/rows-private.h"

#include "recon/base/memory.h"
#include "recon/base/path.h"
#include "recon/base/text.h"
#include "recon/io/shared/xml-private.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

enum { TEXT_LIMIT = 1 << 28, WORD = 1024, MOST_VIEWS = 1 << 22 };

enum { SID, SDD, GANTRY, OFFSET_X, OFFSET_Y, SOURCE_X, SOURCE_Y, OUT_OF_PLANE, IN_PLANE, RADIUS, PARAMETERS };
static const char *const tags[PARAMETERS] = {"SourceToIsocenterDistance",
                                             "SourceToDetectorDistance",
                                             "GantryAngle",
                                             "ProjectionOffsetX",
                                             "ProjectionOffsetY",
                                             "SourceOffsetX",
                                             "SourceOffsetY",
                                             "OutOfPlaneAngle",
                                             "InPlaneAngle",
                                             "RadiusCylindricalDetector"};

typedef struct {
  double parameters[PARAMETERS];
  double matrix[12];
  bool has_matrix;
} projection;

typedef struct {
  XML_Parser parser;
  const char *path;
  ct_error **error;
  int depth;
  bool in_root, in_projection, failed, told[PARAMETERS], collimated;
  char word[WORD];
  size_t length;
  bool too_long;
  projection now;
  projection *views;
  size_t count, capacity;
} reading;

static void fail(reading *r, ct_error_code code, const char *what, const char *more) {
  if (!r->failed)
    ct_error_set(r->error, code, "%s, line %lu: %s%s.", r->path, (unsigned long)XML_GetCurrentLineNumber(r->parser),
                 what, more);
  r->failed = true;
  XML_StopParser(r->parser, XML_FALSE);
}

static void XMLCALL begin_tag(void *data, const char *name, const char **attributes) {
  reading *r = data;
  if (r->failed) return;
  const int depth = r->depth++;
  r->length = 0;
  r->too_long = false;
  if (depth == 0) {
    r->in_root = strcasecmp(name, "RTKThreeDCircularGeometry") == 0;
    if (!r->in_root) {
      fail(r, CT_ERROR_FORMAT, "this is no RTK geometry, whose outermost tag is RTKThreeDCircularGeometry, but ", name);
      return;
    }
    for (int i = 0; attributes[i]; i += 2)
      if (strcasecmp(attributes[i], "version") == 0 && strcmp(attributes[i + 1], "2") != 0 &&
          strcmp(attributes[i + 1], "3") != 0)
        fail(r, CT_ERROR_UNSUPPORTED, "versions 2 and 3 of RTK's geometry can be read, not ", attributes[i + 1]);
  } else if (depth == 1 && strcasecmp(name, "Projection") == 0) {
    r->in_projection = true;
    r->now.has_matrix = false;
  }
}

static void XMLCALL take_text(void *data, const char *text, int length) {
  reading *r = data;
  if (r->too_long || r->failed) return;
  if (r->length + (size_t)length >= WORD) {
    r->too_long = true;
    return;
  }
  memcpy(r->word + r->length, text, (size_t)length);
  r->length += (size_t)length;
}

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* So many finite numbers, and nothing else. */
static bool numbers(const char *text, double *values, int count) {
  for (int i = 0; i < count; i++) {
    char *end;
    while (is_blank(*text)) text++;
    values[i] = ct_text_to_double(text, &end);
    if (end == text || !isfinite(values[i])) return false;
    text = end;
  }
  while (is_blank(*text)) text++;
  return !*text;
}

static void take_view(reading *r) {
  r->in_projection = false;
  if (r->count == r->capacity) {
    const size_t larger = r->capacity ? 2 * r->capacity : 256;
    projection *views = larger > MOST_VIEWS ? NULL : ct_alloc(larger, sizeof *views, "RTK's geometry", r->error);
    if (!views) {
      fail(r, CT_ERROR_MEMORY, "there are too many projections", "");
      return;
    }
    if (r->count) memcpy(views, r->views, r->count * sizeof *views);
    ct_free(r->views);
    r->views = views;
    r->capacity = larger;
  }
  r->views[r->count++] = r->now;
}

static void XMLCALL end_tag(void *data, const char *name) {
  reading *r = data;
  if (r->failed) return;
  const int depth = --r->depth;
  r->word[r->length] = 0;
  if (depth == 1 && r->in_projection && strcasecmp(name, "Projection") == 0) {
    take_view(r);
  } else if (depth == 1 || (depth == 2 && r->in_projection)) {
    if (strcasecmp(name, "Matrix") == 0) {
      r->now.has_matrix = !r->too_long && numbers(r->word, r->now.matrix, 12);
      if (!r->now.has_matrix) fail(r, CT_ERROR_FORMAT, "a Matrix must hold 12 numbers", "");
    } else if (strncasecmp(name, "Collimation", 11) == 0) {
      r->collimated = true;
    } else {
      for (int i = 0; i < PARAMETERS; i++) {
        if (strcasecmp(name, tags[i]) != 0 && !(i == GANTRY && strcasecmp(name, "Angle") == 0)) continue;
        if (r->too_long || !numbers(r->word, &r->now.parameters[i], 1))
          fail(r, CT_ERROR_FORMAT, "there must be a number in ", name);
        r->told[i] = true;
      }
    }
  }
  r->length = 0;
  r->too_long = false;
}

/* No RTK geometry declares entities: expanding them is how a small file fills the memory. */
static void XMLCALL refuse_subset(void *data, const XML_Char *name, const XML_Char *system, const XML_Char *public,
                                  int has_subset) {
  (void)system, (void)public;
  if (has_subset)
    fail(data, CT_ERROR_FORMAT, "its document type holds declarations, which no RTK geometry has: ", name);
}

static bool parse(reading *r, const char *text, size_t length) {
  r->parser = ct_xml_parser_new();
  if (!r->parser) return ct_error_set(r->error, CT_ERROR_MEMORY, "Not enough memory to read %s.", r->path);
  XML_SetUserData(r->parser, r);
  XML_SetElementHandler(r->parser, begin_tag, end_tag);
  XML_SetCharacterDataHandler(r->parser, take_text);
  XML_SetStartDoctypeDeclHandler(r->parser, refuse_subset);
  if (XML_Parse(r->parser, text, (int)length, 1) == XML_STATUS_ERROR && !r->failed)
    r->failed =
        !ct_error_set(r->error, CT_ERROR_FORMAT, "%s, line %lu: the XML is damaged or cut off (%s).", r->path,
                      (unsigned long)XML_GetCurrentLineNumber(r->parser), XML_ErrorString(XML_GetErrorCode(r->parser)));
  XML_ParserFree(r->parser);
  if (!r->failed && !r->count)
    r->failed = !ct_error_set(r->error, CT_ERROR_FORMAT, "%s: RTK's geometry holds no projections.", r->path);
  return !r->failed;
}

/* Rows u, v, n of R, in RTK's frame. */
static void turn_of(const double p[PARAMETERS], double r[3][3]) {
  const double degree = M_PI / 180, cg = cos(p[GANTRY] * degree), sg = sin(p[GANTRY] * degree),
               co = cos(p[OUT_OF_PLANE] * degree), so = sin(p[OUT_OF_PLANE] * degree), ci = cos(p[IN_PLANE] * degree),
               si = sin(p[IN_PLANE] * degree);
  const double y[3][3] = {{cg, 0, -sg}, {0, 1, 0}, {sg, 0, cg}};
  for (int k = 0; k < 3; k++) {
    const double a = y[0][k], b = co * y[1][k] + so * y[2][k];
    r[0][k] = ci * a + si * b;
    r[1][k] = -si * a + ci * b;
    r[2][k] = -so * y[1][k] + co * y[2][k];
  }
}

/* RTK's matrix of the parameters, which takes a place in RTK's frame to the image's mm. */
static void matrix_of(const double p[PARAMETERS], double m[12]) {
  double r[3][3];
  turn_of(p, r);
  for (int axis = 0; axis < 2; axis++) {
    const double source = p[SOURCE_X + axis], moved = source - p[OFFSET_X + axis];
    for (int k = 0; k < 3; k++) m[4 * axis + k] = p[SDD] == 0 ? r[axis][k] : -(p[SDD] * r[axis][k] - moved * r[2][k]);
    m[4 * axis + 3] = p[SDD] == 0 ? -p[OFFSET_X + axis] : -(moved * p[SID] - source * p[SDD]);
  }
  for (int k = 0; k < 3; k++) m[8 + k] = p[SDD] == 0 ? 0 : r[2][k];
  m[11] = p[SDD] == 0 ? 1 : -p[SID];
}

/* RTK itself refuses a matrix that leaves its parameters by more than a thousandth. */
static bool check_matrices(const reading *r) {
  for (size_t view = 0; view < r->count; view++) {
    const projection *v = &r->views[view];
    double m[12];
    if (!v->has_matrix) continue;
    matrix_of(v->parameters, m);
    for (int i = 0; i < 12; i++)
      if (!(fabs(m[i] - v->matrix[i]) <= 1e-3 + 1e-6 * fabs(m[i])))
        return ct_error_set(r->error, CT_ERROR_DATA,
                            "%s: the matrix of projection %zu does not follow from its parameters (number %d is %g, "
                            "from the parameters it is %g). Where the matrices are right, give them in a scan "
                            "description (\"matrices\").",
                            r->path, view + 1, i + 1, v->matrix[i], m[i]);
  }
  return true;
}

static bool check_parameters(const reading *r) {
  for (size_t view = 0; view < r->count; view++) {
    const double *p = r->views[view].parameters;
    if (p[RADIUS] != 0)
      return ct_error_set(r->error, CT_ERROR_UNSUPPORTED,
                          "%s: the detector is curved (RadiusCylindricalDetector %g); only flat ones can be used.",
                          r->path, p[RADIUS]);
    if (p[SDD] != 0 && !(p[SID] > 0 && p[SDD] > p[SID]))
      return ct_error_set(r->error, CT_ERROR_DATA,
                          "%s: projection %zu has the source %g mm from the isocentre and %g mm from the detector, "
                          "which must be farther.",
                          r->path, view + 1, p[SID], p[SDD]);
    if ((p[SDD] == 0) != (r->views[0].parameters[SDD] == 0))
      return ct_error_set(r->error, CT_ERROR_UNSUPPORTED,
                          "%s: some projections are parallel and some are not (SourceToDetectorDistance).", r->path);
  }
  return true;
}

/* The same in all views but for the angle, and nothing that the named beams lack. */
static bool is_plain(const reading *r) {
  const double *first = r->views[0].parameters;
  for (size_t view = 0; view < r->count; view++) {
    const double *p = r->views[view].parameters;
    for (int i = 0; i < PARAMETERS; i++)
      if (i != GANTRY && p[i] != first[i]) return false;
    if (p[OUT_OF_PLANE] != 0 || (p[SDD] != 0 && (p[SOURCE_X] != 0 || p[SOURCE_Y] != 0))) return false;
  }
  return true;
}

/* RTK's frame in ours. */
static void put(const double from[3], double *to) {
  to[0] = from[0];
  to[1] = -from[2];
  to[2] = from[1];
}

static bool tell_poses(const reading *r, ct_told *told) {
  told->poses = ct_alloc(r->count, 12 * sizeof *told->poses, "RTK's geometry", r->error);
  for (size_t view = 0; told->poses && view < r->count; view++) {
    const double *p = r->views[view].parameters;
    double m[3][3], source[3], place[3];
    turn_of(p, m);
    for (int k = 0; k < 3; k++) {
      source[k] = p[SDD] == 0 ? -m[2][k] : p[SOURCE_X] * m[0][k] + p[SOURCE_Y] * m[1][k] + p[SID] * m[2][k];
      place[k] = p[OFFSET_X] * m[0][k] + p[OFFSET_Y] * m[1][k] + (p[SID] - p[SDD]) * m[2][k];
    }
    double *pose = told->poses + 12 * view;
    put(source, pose);
    put(place, pose + 3);
    put(m[0], pose + 6);
    put(m[1], pose + 9);
  }
  return told->poses;
}

static bool tell(const reading *r, ct_told *told) {
  const double *p = r->views[0].parameters;
  const bool parallel = p[SDD] == 0;
  told->views = (int)r->count;
  told->from_origin = true;
  told->rows_as_stored = true;
  told->beam = parallel ? CT_TOLD_PARALLEL : CT_TOLD_DIVERGENT;
  if (r->collimated)
    ct_remarks_add(&told->remarks, CT_REMARK_IGNORED, ct_path_name(r->path), "the collimation of the beam");
  if (!is_plain(r)) {
    ct_remarks_add(&told->remarks, CT_REMARK_READ, ct_path_name(r->path),
                   "a matrix for each of %zu projections, from its parameters", r->count);
    return tell_poses(r, told);
  }
  told->angles = ct_alloc(r->count, sizeof *told->angles, "the angles", r->error);
  if (!told->angles) return false;
  told->angle_count = r->count;
  for (size_t view = 0; view < r->count; view++) told->angles[view] = r->views[view].parameters[GANTRY];
  if (!parallel) {
    told->sod = p[SID];
    told->sdd = p[SDD];
  }
  told->centre_u_mm = -p[OFFSET_X];
  told->centre_v_mm = -p[OFFSET_Y];
  told->tilt = p[IN_PLANE];
  return true;
}

static bool read_rtk(const char *path, ct_told *told, ct_error **error) {
  size_t length;
  char *text = ct_read_text(path, TEXT_LIMIT, &length, error);
  reading r = {.path = path, .error = error};
  const bool good = text && parse(&r, text, length) && check_parameters(&r) && check_matrices(&r) && tell(&r, told);
  ct_free(r.views);
  ct_free(text);
  return good;
}

static int probe(const char *path, const char *head) {
  (void)path;
  return strstr(head, "RTKThreeDCircularGeometry") || strstr(head, "RTKGEOMETRY") ? 95 : 0;
}

const ct_geometry_reader ct_geometry_reader_rtk = {
    .id = "rtk",
    .title = "RTK geometry",
    .extensions = "xml",
    .common = true,
    .probe = probe,
    .read = read_rtk,
};
