/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What readers of scans share: angles from a text file beside the images or assumed, and volumes that are no scans. */
#include "recon/geom/assumed.h"
#include "recon/io/shared/series-private.h"

#include "recon/base/memory.h"

#include <math.h>
#include <string.h>
#include <unistd.h>

static char *existing(char *path) {
  if (path && access(path, F_OK) == 0) return path;
  ct_free(path);
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
  ct_free(folder);
  return found;
}

bool ct_series_angles_are_in(const char *path, bool is_stack, const char *file) {
  char *angles = ct_series_angles_file(path, is_stack);
  const bool found = angles && ct_path_is_same(angles, file);
  ct_free(angles);
  return found;
}

bool ct_series_angles(const char *path, bool is_stack, ct_scan_facts *facts, ct_error **error) {
  const int views = facts->geometry.views;
  char *file = ct_series_angles_file(path, is_stack);
  if (!file) {
    ct_geometry_set_arc(&facts->geometry, 0, M_PI / views);
    facts->note = "The file tells no angles: 0 to 180 degrees are assumed";
    return true;
  }
  double *degrees;
  size_t count;
  bool good = ct_read_numbers(file, &degrees, &count, error);
  if (good && count != (size_t)views)
    good = ct_error_set(error, CT_ERROR_DATA, "%s holds %zu angles, but %s holds %d projections", file, count, path,
                        views);
  for (int i = 0; good && i < views; i++) facts->geometry.angles[i] = degrees[i] * (M_PI / 180);
  if (good) facts->known |= CT_KNOWN_ANGLES;
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

bool ct_refuse_volume(const char *path, ct_error **error) {
  return ct_error_set(
      error, CT_ERROR_FORMAT,
      "%s is a volume that Gantry made, and its slices are no projections: open the scan that it was made from.", path);
}
