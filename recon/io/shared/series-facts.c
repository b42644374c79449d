/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a series of images and the folders about it tell of a scan: angles, and remarks on what was taken from where. */
#include "recon/io/shared/series-private.h"

#include "recon/base/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The name of the folder that a file lies in. */
static void folder_name(const char *path, char *text, size_t size) {
  const char *name = ct_path_name(path), *from = name > path ? name - 1 : name;
  while (from > path && from[-1] != '/') from--;
  snprintf(text, size, "%.*s", name > path ? (int)(name - 1 - from) : 0, from);
}

/* Flats and darks of other folders, and what lies there and is not read. */
static void tell_fields(const ct_series *series, ct_scan_facts *facts) {
  static const char *const kinds[] = {"", "flat", "dark"};
  char first[128], last[128];
  for (ct_frame_kind kind = CT_FRAME_FLAT; kind <= CT_FRAME_DARK; kind++) {
    const ct_file_list *files = &series->files[kind];
    if (series->beside[kind] && files->count) {
      folder_name(files->paths[0], first, sizeof first);
      folder_name(files->paths[files->count - 1], last, sizeof last);
      const bool same = strcmp(first, last) == 0;
      ct_remarks_add(facts->remarks, CT_REMARK_READ, first, "%zu %s%s%s%s", files->count, kinds[kind],
                     files->count == 1 ? "" : "s", same ? "" : ", also from ", same ? "" : last);
    }
    if (series->dropped[kind - 1][0])
      ct_remarks_add(facts->remarks, CT_REMARK_DOUBT, NULL, "the %ss beside are not used: %s", kinds[kind],
                     series->dropped[kind - 1]);
  }
  if (series->inner) {
    folder_name(series->files[CT_FRAME_PROJECTION].paths[0], first, sizeof first);
    ct_remarks_add(facts->remarks, CT_REMARK_READ, first, "the projections");
  }
  if (series->passed_over[0])
    ct_remarks_add(facts->remarks, CT_REMARK_IGNORED, series->passed_over,
                   "the folder beside: its name has other words than those of flats and darks");
  if (series->opposite[0])
    ct_remarks_add(facts->remarks, CT_REMARK_IGNORED, series->opposite, "the folder of images at 180 degrees");
}

/* Images missing from the run, and files that are no part of it. */
void ct_series_tell(const ct_series *series, ct_scan_facts *facts, size_t missing, size_t before) {
  char **paths = series->files[CT_FRAME_PROJECTION].paths, list[400] = "";
  if (missing)
    ct_remarks_add(facts->remarks, CT_REMARK_DOUBT, NULL,
                   "%zu image%s missing by the numbers: %s is followed by %s. Angles belong to the numbers", missing,
                   missing == 1 ? " is" : "s are", ct_path_name(paths[before - 1]), ct_path_name(paths[before]));
  for (size_t i = 0; i < series->left_out.count && i < 3; i++)
    snprintf(list + strlen(list), sizeof list - strlen(list), "%s%.100s", i ? ", " : "",
             ct_path_name(series->left_out.paths[i]));
  tell_fields(series, facts);
  if (series->alone)
    ct_remarks_add(facts->remarks, CT_REMARK_ASSUMED, ct_path_name(paths[0]),
                   "it is opened alone: the images beside it have other sizes");
  if (list[0])
    ct_remarks_add(facts->remarks, CT_REMARK_IGNORED, NULL, "%zu file%s of other names: %s%s", series->left_out.count,
                   series->left_out.count == 1 ? "" : "s", list, series->left_out.count > 3 ? ", ..." : "");
}

static void take(const double *degrees, ct_scan_facts *facts) {
  for (int i = 0; i < facts->geometry.views; i++) facts->geometry.angles[i] = degrees[i] * (M_PI / 180);
  facts->known |= CT_KNOWN_ANGLES;
  facts->note = NULL;
}

bool ct_series_take_angles(const ct_series *series, const double *headers, bool ignore, ct_scan_facts *facts,
                           ct_error **error) {
  const ct_file_list *files = &series->files[CT_FRAME_PROJECTION];
  ct_series_assume_angles(facts);
  if (ignore) return true;
  const char *inner = series->inner;
  char *outer = inner ? ct_series_angles_file(facts->path, true) : NULL;
  const bool read = ct_series_angles(inner && !outer ? inner : facts->path, true, facts, error);
  ct_free(outer);
  if (!read || facts->known & CT_KNOWN_ANGLES) return read;
  if (headers) {
    take(headers, facts);
    ct_remarks_add(facts->remarks, CT_REMARK_READ, ct_path_name(files->paths[0]), "the angles, in the images' headers");
    return true;
  }
  double *degrees = files->count == (size_t)facts->geometry.views ? ct_series_name_angles(files) : NULL;
  if (!degrees) return true;
  take(degrees, facts);
  ct_remarks_add(facts->remarks, CT_REMARK_ASSUMED, ct_path_name(files->paths[0]),
                 "the angles are the numbers in the images' names, here %g degrees", degrees[0]);
  ct_free(degrees);
  return true;
}
