/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of paths. */
#include "recon/base/path.h"

#include "recon/base/memory.h"

#include <string.h>
#include <strings.h>
#include <sys/stat.h>

const char *ct_path_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

const char *ct_path_extension(const char *path) {
  const char *name = ct_path_name(path), *dot = strrchr(name, '.');
  return dot && dot > name ? dot + 1 : "";
}

bool ct_path_has_extension(const char *path, const char *extensions) {
  const char *extension = ct_path_extension(path);
  const size_t length = strlen(extension);
  if (length == 0) return false;
  for (const char *word = extensions; *word;) {
    const size_t size = strcspn(word, " ");
    if (size == length && strncasecmp(word, extension, length) == 0) return true;
    word += size;
    word += strspn(word, " ");
  }
  return false;
}

char *ct_path_join(const char *folder, const char *name, ct_error **error) {
  if (name[0] == '/') return ct_strdup(name, error);
  const size_t length = strlen(folder);
  char *path = ct_strprintf("%s%s%s", folder, length > 0 && folder[length - 1] == '/' ? "" : "/", name);
  if (!path) ct_error_set(error, CT_ERROR_MEMORY, "Not enough memory for the path of %s", name);
  return path;
}

char *ct_path_folder(const char *path, ct_error **error) {
  const char *slash = strrchr(path, '/');
  if (!slash) return ct_strdup(".", error);
  char *folder = ct_strdup(path, error);
  if (folder) folder[slash == path ? 1 : slash - path] = 0;
  return folder;
}

bool ct_path_exists(const char *path) {
  struct stat status;
  return stat(path, &status) == 0;
}

bool ct_path_is_folder(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

/* Whether both are there, and one and the same. */
static bool is_one(const char *a, const char *b) {
  struct stat of_a, of_b;
  return stat(a, &of_a) == 0 && stat(b, &of_b) == 0 && of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
}

bool ct_path_is_same(const char *a, const char *b) {
  if (is_one(a, b)) return true;
  if (strcmp(ct_path_name(a), ct_path_name(b)) != 0) return false;
  char *folder_a = ct_path_folder(a, NULL), *folder_b = ct_path_folder(b, NULL);
  const bool same = folder_a && folder_b && (strcmp(folder_a, folder_b) == 0 || is_one(folder_a, folder_b));
  ct_free(folder_a);
  ct_free(folder_b);
  return same;
}
