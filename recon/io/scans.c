/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The scans that lie in a folder. */
#include "recon/io/io.h"

#include "recon/base/memory.h"
#include "recon/io/description/description-private.h"
#include "recon/io/open-private.h"
#include "recon/io/shared/io-private.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* A folder whose scan.json names files, or that holds images. */
static bool is_scan_folder(const char *path) {
  char *own = ct_path_join(path, "scan.json", NULL);
  const bool described = own && ct_path_exists(own) && ct_file_opens_alone(own, CT_DESCRIPTION_EXTENSION, NULL);
  ct_free(own);
  return described || (ct_probe(path, CT_FORMAT_OPEN_SCAN, NULL) && ct_path_content(path, NULL) != CT_CONTENT_VOLUME);
}

/* A folder that means one stack in it. */
static bool has_stack(const char *path) {
  char *stack = ct_scan_stack(path, NULL);
  ct_free(stack);
  return stack;
}

/* A file that could be a volume as well is none: nobody looks at each of a folder. */
static bool is_scan(const char *path, const char *extensions) {
  if (ct_path_is_folder(path)) return is_scan_folder(path) || has_stack(path);
  return ct_file_opens_alone(path, extensions, NULL) && ct_path_content(path, NULL) == CT_CONTENT_SCAN &&
         (ct_path_has_extension(path, CT_DESCRIPTION_EXTENSION) || ct_probe(path, CT_FORMAT_OPEN_SCAN, NULL));
}

static int compare(const void *a, const void *b) {
  return ct_natural_compare(*(char *const *)a, *(char *const *)b);
}

static bool add(ct_file_list *list, size_t *room, char *path, ct_error **error) {
  if (list->count == *room) {
    const size_t more = *room ? 2 * *room : 16;
    char **paths = ct_alloc(more, sizeof *paths, "the list of scans", error);
    if (!paths) return false;
    if (list->count) memcpy(paths, list->paths, list->count * sizeof *paths);
    ct_free(list->paths);
    list->paths = paths;
    *room = more;
  }
  list->paths[list->count++] = path;
  return true;
}

static bool read_folder(ct_file_list *list, const char *folder, ct_error **error) {
  DIR *dir = opendir(folder);
  if (!dir) return ct_error_set_errno(error, errno, "Cannot open the folder %s", folder);
  char extensions[256];
  ct_formats_extensions(CT_FORMAT_OPEN_SCAN, extensions, sizeof extensions);
  size_t room = 0;
  bool good = true;
  const struct dirent *entry;
  while (good && (entry = readdir(dir))) {
    if (entry->d_name[0] == '.') continue;
    char *path = ct_path_join(folder, entry->d_name, error);
    good = path && (!is_scan(path, extensions) || add(list, &room, path, error));
    if (!good || !list->count || list->paths[list->count - 1] != path) ct_free(path);
  }
  closedir(dir);
  return good;
}

/* A file of samples beside the description that names it is no scan of its own. */
static void leave_out_parts(ct_file_list *list) {
  size_t kept = 0;
  for (size_t i = 0; i < list->count; i++) {
    bool part = false;
    for (size_t n = 0; n < list->count && !part; n++)
      part = n != i && list->paths[n] && ct_path_has_extension(list->paths[n], CT_DESCRIPTION_EXTENSION) &&
             !ct_path_has_extension(list->paths[i], CT_DESCRIPTION_EXTENSION) &&
             ct_scan_is_destroyed(list->paths[n], NULL, list->paths[i]);
    if (!part) continue;
    ct_free(list->paths[i]);
    list->paths[i] = NULL;
  }
  for (size_t i = 0; i < list->count; i++)
    if (list->paths[i]) list->paths[kept++] = list->paths[i];
  list->count = kept;
}

bool ct_folder_list_scans(const char *folder, char ***paths, size_t *count, ct_error **error) {
  ct_file_list list = {0};
  char *trimmed = ct_path_trimmed(folder, error);
  bool good = trimmed;
  if (good && is_scan_folder(trimmed)) {
    size_t room = 0;
    if ((good = add(&list, &room, trimmed, error))) trimmed = NULL;
  } else if (good && (good = read_folder(&list, trimmed, error))) {
    leave_out_parts(&list);
    size_t room = 0;
    if (!list.count && has_stack(trimmed)) {
      ct_file_list_clear(&list);
      list = (ct_file_list){0};
      if ((good = add(&list, &room, trimmed, error))) trimmed = NULL;
    }
    if (good && !list.count)
      good = ct_error_set(error, CT_ERROR_FORMAT, "The folder %s holds no scan, nor is it one.", folder);
  }
  ct_free(trimmed);
  if (good && list.count > 1) qsort(list.paths, list.count, sizeof *list.paths, compare);
  if (!good) ct_file_list_clear(&list);
  *paths = list.paths;
  *count = list.count;
  return good;
}
