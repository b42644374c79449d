/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Angles of projections from a text file beside them, from their names, or assumed. */
#include "recon/io/shared/angle-text.h"
#include "recon/io/shared/series-private.h"

#include "recon/base/memory.h"
#include "recon/geom/assumed.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

enum { TEXT_LIMIT = 1 << 26 };

static bool separates(char c) {
  return c == ':' || c == ',' || c == ';' || c == ' ' || c == '\t' || c == '\r';
}

/* The first numbers of a line, at most so many; how many there are before anything else stands there. */
static int line_numbers(const char *line, double *values, int most) {
  int count = 0;
  while (count < most) {
    char *end;
    while (separates(*line)) line++;
    if (!*line || *line == '\n') break;
    values[count] = ct_text_to_double(line, &end);
    if (end == line) break;
    count++;
    line = end;
  }
  return count;
}

double *ct_angle_table_read(const char *path, size_t *count) {
  char *text = ct_read_text(path, TEXT_LIMIT, NULL, NULL);
  size_t lines = 1;
  for (const char *c = text; c && *c; c++) lines += *c == '\n';
  double *angles = text ? ct_alloc(lines, sizeof *angles, "the angles", NULL) : NULL;
  double first = NAN;
  *count = 0;
  for (const char *line = text; angles && line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
    double values[2];
    /* Before the table there may be lines with numbers of other things: the table counts from 0 or 1. */
    if (line_numbers(line, values, 2) != 2 || !isfinite(values[1])) continue;
    if (*count == 0 && (values[0] == 0 || values[0] == 1)) first = values[0];
    if (values[0] == first + (double)*count) angles[(*count)++] = values[1];
  }
  ct_free(text);
  if (*count > 1) return angles;
  ct_free(angles);
  return NULL;
}

static char *existing(char *path) {
  if (path && access(path, F_OK) == 0) return path;
  ct_free(path);
  return NULL;
}

/* The only file of a folder of images that is called after angles. */
static char *find_named(const char *folder) {
  static const char *const words[] = {"angle", "theta", "winkel"};
  ct_file_list list;
  char *found = NULL;
  size_t count = 0;
  if (!ct_file_list_folder(&list, folder, "txt csv dat", NULL)) return NULL;
  for (size_t i = 0; i < list.count; i++) {
    bool named = false;
    for (size_t w = 0; w < sizeof words / sizeof *words; w++)
      named |= strcasestr(ct_path_name(list.paths[i]), words[w]) != NULL;
    if (named && count++ == 0) found = ct_strdup(list.paths[i], NULL);
  }
  ct_file_list_clear(&list);
  if (count == 1) return found;
  ct_free(found);
  return NULL;
}

char *ct_series_angles_file(const char *path, bool is_stack) {
  const bool is_folder = ct_path_is_folder(path);
  if (!is_folder) {
    const char *extension = ct_path_extension(path);
    const int stem = (int)(strlen(path) - strlen(extension)) - (*extension ? 1 : 0);
    static const char *const endings[] = {"ang", "tlt", "rawtlt"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
      char *own = existing(ct_strprintf("%.*s.%s", stem, path, endings[i]));
      if (own) return own;
    }
  }
  char *folder = is_folder ? ct_strdup(path, NULL) : ct_path_folder(path, NULL);
  if (!folder) return NULL;
  char *found = existing(ct_path_join(folder, "angles.txt", NULL));
  ct_file_list list;
  if (!found && is_stack && ct_file_list_folder(&list, folder, "ang", NULL)) {
    if (list.count == 1) found = ct_strdup(list.paths[0], NULL);
    ct_file_list_clear(&list);
  }
  if (!found && is_folder && is_stack) found = find_named(folder);
  ct_free(folder);
  return found;
}

bool ct_series_angles_are_in(const char *path, bool is_stack, const char *file) {
  char *angles = ct_series_angles_file(path, is_stack);
  const bool found = angles && ct_path_is_same(angles, file);
  ct_free(angles);
  return found;
}

/* Those of a text file, or the second column of a table of numbered angles in other text (Nikon's _ctdata.txt). */
static double *read_angles(const char *file, const ct_scan_facts *facts, size_t *count, ct_error **error) {
  double *degrees;
  ct_error *own = NULL;
  if (ct_read_angle_text(file, (size_t)facts->geometry.views, &degrees, count, facts->remarks, &own)) return degrees;
  degrees = ct_angle_table_read(file, count);
  if (!degrees) ct_error_set(error, own->code, "%s", own->message);
  ct_error_clear(&own);
  return degrees;
}

/* Half a turn, for files that tell no angles. */
static void assume(ct_scan_facts *facts, const char *note) {
  ct_geometry *g = &facts->geometry;
  ct_geometry_set_arc(g, 0, M_PI / g->views);
  for (int i = 0; facts->numbers && i < g->views; i++)
    g->angles[i] = facts->numbers[i] * (M_PI / (facts->numbers[g->views - 1] + 1));
  facts->note = note;
}

/* Angles of an image each; of its number where images are missing. */
static bool take_angles(const char *file, const double *degrees, size_t count, ct_scan_facts *facts) {
  ct_geometry *g = &facts->geometry;
  const bool all = count == (size_t)g->views;
  if (!all && !(facts->numbers && (size_t)facts->numbers[g->views - 1] < count)) return false;
  for (int i = 0; i < g->views; i++) g->angles[i] = degrees[all ? i : facts->numbers[i]] * (M_PI / 180);
  facts->known |= CT_KNOWN_ANGLES;
  facts->note = NULL;
  if (!facts->remarks) return true;
  ct_remarks_add(facts->remarks, CT_REMARK_READ, ct_path_name(file), "the angles of %d projections", g->views);
  if (!all)
    ct_remarks_add(facts->remarks, CT_REMARK_ASSUMED, ct_path_name(file),
                   "it holds %zu angles for %d images: each image takes the one of its number", count, g->views);
  return true;
}

/* As programs write them that did not know the angles. */
static bool are_all_one(const double *degrees, size_t count) {
  size_t same = 1;
  while (same < count && degrees[same] == degrees[0]) same++;
  return count > 2 && same == count;
}

void ct_series_assume_angles(ct_scan_facts *facts) {
  assume(facts, "The file tells no angles: 0 to 180 degrees are assumed");
}

bool ct_series_angles(const char *path, bool is_stack, ct_scan_facts *facts, ct_error **error) {
  char *file = ct_series_angles_file(path, is_stack);
  if (!file) {
    ct_series_assume_angles(facts);
    return true;
  }
  size_t count;
  double *degrees = read_angles(file, facts, &count, error);
  if (degrees && are_all_one(degrees, count)) {
    assume(facts, "The angles file beside it holds one angle for all images: 0 to 180 degrees are assumed");
    if (facts->remarks)
      ct_remarks_add(facts->remarks, CT_REMARK_DOUBT, ct_path_name(file),
                     "all of its %zu angles are %.6g: it is not used", count, degrees[0]);
  } else if (degrees && !take_angles(file, degrees, count, facts)) {
    assume(facts, "The angles file beside it does not fit and is not used: 0 to 180 degrees are assumed");
    if (facts->remarks)
      ct_remarks_add(facts->remarks, CT_REMARK_DOUBT, ct_path_name(file),
                     "it holds %zu angles for %d projections and is not used%s", count, facts->geometry.views,
                     count == (size_t)facts->geometry.views + 1 ? ": one too many, where the last view may be missing"
                                                                : "");
  }
  const bool good = degrees;
  ct_free(degrees);
  ct_free(file);
  return good;
}

const char *ct_assume_angles(ct_geometry *geometry) {
  const bool half = geometry->beam == CT_BEAM_PARALLEL;
  ct_geometry_set_arc(geometry, 0, ct_assumed_step(half ? M_PI : 2 * M_PI, geometry->views));
  return half ? "The file tells no angles: half a turn (0 to 180 degrees) in equal steps is assumed."
              : "The file tells no angles: a whole turn (0 to 360 degrees) in equal steps is assumed.";
}
