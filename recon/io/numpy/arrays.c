/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which array of an .npz is the scan, its angles, and the list of them all. */
#include "recon/io/numpy/numpy-private.h"

#include "recon/base/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_ANGLES = 1 << 20 };

/* The scan by these names; else the only array of two or three axes. */
static const char *const scan_names[] = {"projections", "proj", "projs", "sinogram", "sinograms", "data", "tomo"};
static const char *const angle_names[] = {"theta", "thetas", "angles", "angles_deg", "angle"};
#define COUNT_OF(list) (sizeof(list) / sizeof *(list))

bool ct_numpy_is_archive(const char *path) {
  return ct_path_has_extension(path, "npz");
}

static int axes_of(const char *path, const ct_npz_member *member) {
  ct_numpy header;
  if (!ct_numpy_read_member(path, member, &header, NULL)) return 0;
  const int axes = header.axes;
  ct_numpy_clear(&header);
  return axes;
}

const ct_npz_member *ct_numpy_choose(const char *path, const ct_npz *npz, const char *dataset, ct_error **error) {
  const ct_npz_member *found = dataset ? ct_npz_find(npz, dataset) : NULL;
  char list[512] = "";
  int pictures = 0;
  for (size_t i = 0; !dataset && !found && i < COUNT_OF(scan_names); i++)
    if ((found = ct_npz_find(npz, scan_names[i])) && axes_of(path, found) < 2) found = NULL;
  if (found) return found;
  for (size_t i = 0; i < npz->count; i++) {
    const size_t length = strlen(list);
    snprintf(list + length, sizeof list - length, "%s%.60s", length ? ", " : "", npz->members[i].name);
    if (dataset || axes_of(path, &npz->members[i]) < 2) continue;
    if (pictures++ == 0) found = &npz->members[i];
  }
  if (pictures == 1) return found;
  if (dataset)
    ct_error_set(error, CT_ERROR_ARGUMENT, "%s holds no array %s; there are %s.", path, dataset, list);
  else
    ct_error_set(error, CT_ERROR_FORMAT,
                 "%s holds %s arrays of projections (%s). Say which: \"dataset\" in a scan description "
                 "tells it.",
                 path, pictures ? "several" : "no", *list ? list : "it is empty");
  return NULL;
}

bool ct_numpy_read_header(const char *path, const char *dataset, ct_numpy *header, ct_error **error) {
  ct_npz npz;
  *header = (ct_numpy){0};
  if (!ct_numpy_is_archive(path) && dataset)
    return ct_error_set(error, CT_ERROR_ARGUMENT,
                        "%s is a .npy file, which has no datasets inside; %s cannot be chosen in it.", path, dataset);
  if (!ct_numpy_is_archive(path)) return ct_numpy_read_member(path, NULL, header, error);
  if (!ct_npz_open(path, &npz, error)) return false;
  const ct_npz_member *member = ct_numpy_choose(path, &npz, dataset, error);
  bool good = member && ct_numpy_read_member(path, member, header, error);
  if (good && header->axes < 2) {
    ct_error_set(error, CT_ERROR_FORMAT, "%s: %s has one axis; projections have three: views, rows, columns", path,
                 member->name);
    ct_numpy_clear(header);
    good = false;
  }
  ct_npz_clear(&npz);
  return good;
}

/* All numbers of an array of one axis. */
static double *read_numbers(const char *path, const ct_npz_member *member, size_t *count, ct_error **error) {
  ct_numpy header;
  if (!ct_numpy_read_member(path, member, &header, error)) return NULL;
  double *values = NULL;
  const size_t n = (size_t)header.layout.nx;
  if (header.axes != 1 || n > MOST_ANGLES)
    ct_error_set(error, CT_ERROR_DATA, "%s: %s is no list of angles", path, member->name);
  else if ((values = ct_alloc(n, sizeof *values, "the angles", error)) &&
           !ct_numpy_read_doubles(path, member, &header, values, error)) {
    ct_free(values);
    values = NULL;
  }
  ct_numpy_clear(&header);
  *count = n;
  return values;
}

bool ct_numpy_read_angles(const char *path, const char *dataset, bool anywhere, double **degrees, size_t *count,
                          ct_error **error) {
  ct_npz npz;
  if (!ct_numpy_is_archive(path)) return ct_error_set(error, CT_ERROR_UNSUPPORTED, "%s holds one array alone.", path);
  if (!ct_npz_open(path, &npz, error)) return false;
  const ct_npz_member *member = ct_numpy_choose(path, &npz, dataset, error);
  *degrees = member ? read_numbers(path, member, count, error) : NULL;
  ct_npz_clear(&npz);
  return *degrees;
}

const ct_npz_member *ct_numpy_angles(const ct_npz *npz) {
  for (size_t i = 0; i < COUNT_OF(angle_names); i++) {
    const ct_npz_member *found = ct_npz_find(npz, angle_names[i]);
    if (found) return found;
  }
  return NULL;
}

bool ct_numpy_take_angles(const char *path, const ct_npz_member *member, ct_scan *scan, ct_error **error) {
  ct_scan_facts facts = *ct_scan_get_facts(scan);
  ct_remarks remarks = {0};
  size_t count;
  double *angles = read_numbers(path, member, &count, error), largest = 0;
  facts.geometry = (ct_geometry){0};
  if (!angles) return false;
  ct_remarks_append(&remarks, facts.remarks);
  bool good = ct_geometry_copy(&facts.geometry, &ct_scan_get_facts(scan)->geometry, error);
  for (size_t i = 0; i < count; i++) largest = fmax(largest, fabs(angles[i]));
  const bool degrees = strstr(member->name, "deg") || largest > 2 * M_PI + 1e-6;
  if (good && count != (size_t)facts.geometry.views) {
    ct_remarks_add(&remarks, CT_REMARK_DOUBT, ct_path_name(path), "%s holds %zu angles for %d views: they are not used",
                   member->name, count, facts.geometry.views);
  } else if (good) {
    for (size_t i = 0; i < count; i++) facts.geometry.angles[i] = angles[i] * (degrees ? M_PI / 180 : 1);
    facts.known |= CT_KNOWN_ANGLES;
    facts.note = NULL;
    ct_remarks_add(&remarks, CT_REMARK_READ, ct_path_name(path), "angles from %s", member->name);
    ct_remarks_add(&remarks, CT_REMARK_ASSUMED, ct_path_name(path), "they are %s: %s", degrees ? "degrees" : "radians",
                   degrees ? "the largest is beyond 2 pi, or their name says so" : "none is beyond 2 pi");
  }
  facts.remarks = &remarks;
  good = good && ct_scan_replace_facts(scan, &facts, error);
  ct_geometry_clear(&facts.geometry);
  ct_remarks_clear(&remarks);
  ct_free(angles);
  return good;
}

static bool add(ct_dataset_list *list, const char *path, const ct_npz_member *member, ct_error **error) {
  ct_numpy header;
  ct_error *trouble = NULL;
  ct_dataset item = {.path = ct_strdup(member->name, error)};
  if (ct_numpy_read_member(path, member, &header, &trouble)) {
    const uint64_t dims[3] = {(uint64_t)header.layout.nz, (uint64_t)header.layout.ny, (uint64_t)header.layout.nx};
    item.rank = header.axes;
    for (int i = 0; i < item.rank; i++) item.dims[i] = dims[3 - item.rank + i];
    snprintf(item.type, sizeof item.type, "%s", ct_sample_id(header.layout.type));
    ct_numpy_clear(&header);
  } else if (trouble) {
    item.trouble = ct_strdup(trouble->message, NULL);
    ct_error_clear(&trouble);
  }
  if (item.path && ct_dataset_list_add(list, &item, error)) return true;
  ct_free(item.path);
  ct_free(item.trouble);
  return false;
}

bool ct_numpy_list_datasets(const char *path, bool anywhere, ct_dataset_list *list, ct_error **error) {
  ct_npz npz;
  if (!ct_numpy_is_archive(path))
    return ct_error_set(error, CT_ERROR_UNSUPPORTED, "%s is no file with several arrays inside.", path);
  if (!ct_npz_open(path, &npz, error)) return false;
  bool good = true;
  for (size_t i = 0; good && i < npz.count; i++) good = add(list, path, &npz.members[i], error);
  ct_npz_clear(&npz);
  if (!good) ct_dataset_list_clear(list);
  return good;
}
