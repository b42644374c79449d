/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which geometry file belongs to some images, and which images to a geometry file: they lie in one folder, their counts
 * agree, and of several the one with the most alike name is it. */
#include "recon/base/memory.h"
#include "recon/io/beside/beside-private.h"
#include "recon/io/open-private.h"
#include "recon/io/shared/io-private.h"

#include <stdio.h>
#include <string.h>

/* The folder in which the geometry of a path may lie; NULL: there is none. */
static char *folder_of(const char *path) {
  char *file, *dataset;
  if (ct_path_is_folder(path)) return ct_strdup(path, NULL);
  const bool split = ct_path_split_dataset(path, &file, &dataset);
  char *folder = ct_path_folder(split ? file : path, NULL);
  ct_free(file);
  ct_free(dataset);
  return folder;
}

/* The first image's name, where that is known, else that of what was opened. */
static const char *name_of(const char *path, const ct_scan_facts *facts) {
  return facts->first_image ? ct_path_name(facts->first_image) : ct_path_name(path);
}

typedef struct {
  int best, likeness; /* index in the list, -1: none */
  bool several;       /* as alike */
  bool shared;        /* another scan of the folder is as alike */
} choice;

/* Indices of a list, the most alike names first, else in its order. */
static void sort_by_likeness(const ct_file_list *list, const char *name, size_t order[CT_BESIDE_MOST_FILES]) {
  for (size_t i = 0; i < list->count; i++) {
    size_t at = i;
    const int alike = ct_beside_likeness(ct_path_name(list->paths[i]), name);
    for (; at > 0 && ct_beside_likeness(ct_path_name(list->paths[order[at - 1]]), name) < alike; at--)
      order[at] = order[at - 1];
    order[at] = i;
  }
}

/* One of the list, which `told` tells and which fits. */
static void consider(choice *found, size_t i, const ct_file_list *list, const char *path, const ct_scan_facts *facts,
                     const ct_told *told, ct_remarks *remarks) {
  const char *name = ct_path_name(list->paths[i]), *title = ct_beside_recognise(list->paths[i])->title;
  const int alike = ct_beside_likeness(name, name_of(path, facts));
  if (found->best >= 0) {
    found->several = found->several || alike == found->likeness;
    ct_remarks_add(remarks, CT_REMARK_IGNORED, name, "the %s: %s is taken", title,
                   ct_path_name(list->paths[found->best]));
    return;
  }
  char *rival;
  const int nearest = ct_beside_rival(told, name, path, facts, &rival);
  if (nearest > alike)
    ct_remarks_add(remarks, CT_REMARK_IGNORED, name,
                   "a geometry, left to %s, whose name is more alike: \"geometry\" in a scan description names it",
                   rival ? rival : "another scan");
  else
    *found = (choice){.best = (int)i, .likeness = alike, .shared = nearest == alike};
  ct_free(rival);
}

/* Tries all of a list; `told` gets what the best one tells. An error only where one leads to files that may not be
 * read unasked. */
static choice choose(const ct_file_list *list, const char *path, const ct_scan_facts *facts, ct_told *told,
                     ct_remarks *remarks, ct_error **refused) {
  choice found = {.best = -1};
  const bool anywhere = told->anywhere;
  size_t order[CT_BESIDE_MOST_FILES];
  sort_by_likeness(list, name_of(path, facts), order);
  for (size_t n = 0; n < list->count; n++) {
    const char *file = list->paths[order[n]], *name = ct_path_name(file);
    const ct_geometry_reader *reader = ct_beside_recognise(file);
    const int before = found.best;
    ct_told one;
    ct_error *error = NULL;
    char why[160];
    if (!reader) continue;
    ct_told_init(&one);
    one.anywhere = anywhere;
    if (!reader->read(file, &one, &error)) {
      if (error && error->code == CT_ERROR_ELSEWHERE) ct_error_set(refused, error->code, "%s", error->message);
      ct_remarks_add(remarks, CT_REMARK_DOUBT, name, "the %s cannot be used: %s", reader->title,
                     error ? error->message : "unknown fault");
      ct_error_clear(&error);
    } else if (!ct_told_fits(&one, facts, why, sizeof why)) {
      ct_remarks_add(remarks, CT_REMARK_IGNORED, name, "the %s cannot be of these images: %s", reader->title, why);
    } else {
      consider(&found, order[n], list, path, facts, &one, remarks);
    }
    if (found.best != before) {
      ct_told_clear(told);
      *told = one;
      ct_told_init(&one);
    }
    ct_told_clear(&one);
  }
  return found;
}

static bool put(ct_scan *scan, const ct_told *told, const char *file, ct_remarks *remarks, ct_error **error) {
  ct_scan_facts facts = *ct_scan_get_facts(scan);
  facts.geometry = (ct_geometry){0};
  const bool good = ct_geometry_copy(&facts.geometry, &ct_scan_get_facts(scan)->geometry, error) &&
                    ct_told_apply(told, ct_path_name(file), &facts, remarks, error);
  facts.remarks = remarks;
  const bool replaced = good && ct_scan_replace_facts(scan, &facts, error);
  ct_geometry_clear(&facts.geometry);
  if (!replaced) ct_error_prefix(error, "%s", file);
  return replaced;
}

/* Only remarks are added. */
static void remark(ct_scan *scan, ct_remarks *remarks) {
  ct_scan_facts facts = *ct_scan_get_facts(scan);
  facts.remarks = remarks;
  facts.geometry = (ct_geometry){0};
  if (ct_geometry_copy(&facts.geometry, &ct_scan_get_facts(scan)->geometry, NULL))
    ct_scan_replace_facts(scan, &facts, NULL);
  ct_geometry_clear(&facts.geometry);
}

static bool apply_named(ct_scan *scan, const char *file, bool anywhere, ct_remarks *remarks, ct_error **error) {
  const ct_geometry_reader *reader = ct_beside_recognise(file);
  char why[160];
  ct_told told;
  if (!reader) {
    uint64_t bytes;
    char *plain, *dataset;
    const bool split = ct_path_split_dataset(file, &plain, &dataset),
               there = ct_file_size(split ? plain : file, &bytes, error);
    ct_free(plain);
    ct_free(dataset);
    if (!there) return false;
    return ct_error_set(error, CT_ERROR_FORMAT, "%s is no geometry file that can be read%s.", file,
                        split ? ": a dataset of vectors has \"vec\" in its name" : "");
  }
  ct_told_init(&told);
  told.anywhere = anywhere;
  bool good = reader->read(file, &told, error);
  if (good && !ct_told_fits(&told, ct_scan_get_facts(scan), why, sizeof why))
    good = ct_error_set(error, CT_ERROR_DATA, "%s cannot be the %s of these images: %s.", file, reader->title, why);
  good = good && put(scan, &told, file, remarks, error);
  ct_told_clear(&told);
  return good;
}

/* The geometry that lies in the scan's own file; whether it is used. `refused` as of `choose`. */
static bool apply_inside(ct_scan *scan, const char *path, bool anywhere, ct_remarks *remarks, ct_error **refused) {
  const ct_geometry_reader *reader;
  char *inside = ct_path_is_folder(path) ? NULL : ct_beside_inside(path, &reader), why[160];
  if (!inside) return false;
  const char *name = ct_path_name(inside);
  ct_told told;
  ct_error *error = NULL;
  ct_remarks with = {0};
  ct_told_init(&told);
  told.anywhere = anywhere;
  ct_remarks_append(&with, remarks);
  bool used = reader->read(inside, &told, &error);
  if (used && !ct_told_fits(&told, ct_scan_get_facts(scan), why, sizeof why))
    used = ct_error_set(&error, CT_ERROR_DATA, "%s", why);
  used = used && put(scan, &told, inside, &with, &error);
  if (!used && error && error->code == CT_ERROR_ELSEWHERE) ct_error_set(refused, error->code, "%s", error->message);
  if (!used)
    ct_remarks_add(remarks, CT_REMARK_DOUBT, name, "the %s in the scan's file cannot be used: %s", reader->title,
                   error ? error->message : "unknown fault");
  ct_remarks_clear(&with);
  ct_error_clear(&error);
  ct_told_clear(&told);
  ct_free(inside);
  return used;
}

static void apply_found(ct_scan *scan, const char *path, const ct_file_list *list, bool anywhere, ct_remarks *remarks,
                        ct_error **refused) {
  ct_told told;
  ct_error *error = NULL;
  ct_remarks own = {0};
  ct_told_init(&told);
  told.anywhere = anywhere;
  const choice found = choose(list, path, ct_scan_get_facts(scan), &told, &own, refused);
  const char *name = found.best >= 0 ? ct_path_name(list->paths[found.best]) : "";
  ct_remarks_append(remarks, &own);
  if (found.several)
    ct_remarks_add(remarks, CT_REMARK_DOUBT, name,
                   "other geometry files fit these images as well: \"geometry\" in a scan description names one");
  if (found.shared)
    ct_remarks_add(remarks, CT_REMARK_DOUBT, name,
                   "it fits other projections in the folder as well, and may be of them: \"geometry\" in a scan "
                   "description names one, or is false");
  if (found.best < 0) {
    remark(scan, remarks);
  } else {
    ct_remarks with = {0};
    ct_remarks_append(&with, remarks);
    if (!put(scan, &told, list->paths[found.best], &with, &error)) {
      ct_remarks_add(remarks, CT_REMARK_DOUBT, name, "the geometry cannot be used: %s",
                     error ? error->message : "unknown fault");
      remark(scan, remarks);
      ct_error_clear(&error);
    }
    ct_remarks_clear(&with);
  }
  ct_remarks_clear(&own);
  ct_told_clear(&told);
}

bool ct_beside_apply(ct_scan *scan, const char *path, const char *file, bool anywhere, ct_error **error) {
  ct_remarks remarks = {0};
  ct_error *refused = NULL;
  ct_remarks_append(&remarks, ct_scan_get_facts(scan)->remarks);
  bool good = true;
  if (file) {
    good = apply_named(scan, file, anywhere, &remarks, error);
  } else if (!apply_inside(scan, path, anywhere, &remarks, &refused) && !refused) {
    ct_file_list list;
    char *folder = folder_of(path);
    if (folder && ct_beside_list(folder, &list)) {
      apply_found(scan, path, &list, anywhere, &remarks, &refused);
      ct_file_list_clear(&list);
    } else if (remarks.count) {
      remark(scan, &remarks);
    }
    ct_free(folder);
  }
  ct_remarks_clear(&remarks);
  if (refused) good = ct_error_set(error, refused->code, "%s", refused->message);
  ct_error_clear(&refused);
  return good;
}

bool ct_beside_belongs(const char *path) {
  ct_file_list list;
  char *folder = folder_of(path);
  bool found = false;
  if (folder && ct_beside_list(folder, &list)) {
    ct_scan *scan = ct_open_plain(path, NULL, NULL);
    ct_remarks remarks = {0};
    ct_told told;
    ct_told_init(&told);
    found = scan && choose(&list, path, ct_scan_get_facts(scan), &told, &remarks, NULL).best >= 0;
    ct_told_clear(&told);
    ct_remarks_clear(&remarks);
    ct_scan_free(scan);
    ct_file_list_clear(&list);
  }
  ct_free(folder);
  return found;
}

bool ct_beside_could_read(const char *path, const char *file) {
  char *folder = folder_of(path), *own = ct_path_folder(file, NULL);
  const bool found = folder && own && ct_path_is_same(folder, own) && ct_beside_recognise(file);
  ct_free(folder);
  ct_free(own);
  return found;
}
