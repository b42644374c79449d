/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which files a scan reads because its description names them. */
#include "recon/base/memory.h"
#include "recon/io/description/description-private.h"
#include "recon/io/shared/io-private.h"

typedef struct {
  const ct_description *description;
  const char *file;
  bool (*reads)(const char *path, bool anywhere, const char *file);
} wanted;

/* A path in a description. */
static bool path_reads(const wanted *w, const json_t *value) {
  const char *name = json_string_value(value);
  char *path = name && *name ? ct_path_join_utf8(w->description->folder, name, NULL) : NULL;
  const bool found = path && w->reads(path, ct_description_leads_anywhere(w->description), w->file);
  ct_free(path);
  return found;
}

/* "files", "flats" or "darks": a path, a raw layout, a set {"files": either}, or a list of these. */
static bool files_read(const wanted *w, const json_t *value) {
  bool found = false;
  for (size_t i = 0; i < json_array_size(value) && !found; i++) found = files_read(w, json_array_get(value, i));
  const char *raw = json_string_value(json_object_get(value, "raw"));
  char *path = raw ? ct_path_join_utf8(w->description->folder, raw, NULL) : NULL;
  ct_file_list list;
  if (path && !ct_path_exists(path) && ct_path_is_pattern(path) && ct_file_list_pattern(&list, path, NULL)) {
    found = found || ct_file_list_holds(&list, w->file);
    ct_file_list_clear(&list);
  } else if (path) {
    found = found || ct_path_is_same(path, w->file);
  }
  ct_free(path);
  return found || path_reads(w, value) || (json_is_object(value) && files_read(w, json_object_get(value, "files")));
}

bool ct_description_reads(const ct_description *description, bool projections, const char *file,
                          bool (*reads)(const char *path, bool anywhere, const char *file)) {
  static const char *const sets[] = {"flats", "darks"}, *const tables[] = {"angles_deg", "matrices", "centre_u"};
  const wanted w = {description, file, reads};
  const json_t *root = description->root;
  bool found =
      ct_path_is_same(description->path, file) || (projections && files_read(&w, json_object_get(root, "files")));
  found = found || path_reads(&w, json_object_get(root, "geometry"));
  for (int i = 0; i < 2 && !found; i++) found = files_read(&w, json_object_get(root, sets[i]));
  for (int i = 0; i < 3 && !found; i++)
    found = path_reads(&w, json_object_get(json_object_get(root, tables[i]), "file"));
  return found;
}
