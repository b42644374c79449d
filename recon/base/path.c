/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of paths. */
#include "recon/base/path.h"

#include "recon/base/memory.h"
#include "recon/base/shown.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

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

bool ct_path_cannot_open(const char *path, int errnum, ct_error **error) {
  char goal[PATH_MAX];
  const ssize_t length = errnum == ENOENT ? readlink(path, goal, sizeof goal - 1) : -1;
  if (length < 0) return ct_error_set_errno(error, errnum, "Cannot open %s", path);
  goal[length] = 0;
  return ct_error_set(error, CT_ERROR_IO, "Cannot open %s: it is a link to %s, which is not there", path, goal);
}

/* A byte from 0x80 on as a character of three bytes, U+EF00 more. */
static char *put_byte(char *to, unsigned char byte) {
  *to++ = '\xee';
  *to++ = (char)(0xbc | byte >> 6);
  *to++ = (char)(0x80 | (byte & 0x3f));
  return to;
}

/* Whether text begins with such a character; the byte. */
static bool is_byte(const char *text, unsigned char *byte) {
  const unsigned char *c = (const unsigned char *)text;
  if (c[0] != 0xee || (c[1] != 0xbe && c[1] != 0xbf) || (c[2] & 0xc0) != 0x80) return false;
  *byte = (unsigned char)((c[1] & 3) << 6 | (c[2] & 0x3f));
  return true;
}

char *ct_path_to_utf8(const char *path, ct_error **error) {
  size_t room;
  unsigned char byte;
  char *text = ct_size_multiply(strlen(path), 3, &room) ? ct_alloc(room + 1, 1, "a path", error) : NULL, *to = text;
  while (text && *path) {
    size_t length = ct_utf8_length(path);
    if (length && !is_byte(path, &byte)) {
      while (length--) *to++ = *path++;
    } else {
      to = put_byte(to, (unsigned char)*path++);
      /* the rest of one that is no stray byte */
      while (length && --length) to = put_byte(to, (unsigned char)*path++);
    }
  }
  if (text) *to = 0;
  return text;
}

char *ct_path_from_utf8(const char *text, ct_error **error) {
  char *path = ct_strdup(text, error), *to = path;
  unsigned char byte;
  for (const char *from = path; path && *from;)
    if (is_byte(from, &byte))
      *to++ = (char)byte, from += 3;
    else
      *to++ = *from++;
  if (path) *to = 0;
  return path;
}

char *ct_path_join_utf8(const char *folder, const char *name, ct_error **error) {
  char *bytes = ct_path_from_utf8(name, error), *path = bytes ? ct_path_join(folder, bytes, error) : NULL;
  ct_free(bytes);
  return path;
}
