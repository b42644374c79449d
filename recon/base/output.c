/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Atomic output: a hidden temporary file or folder beside the target, written, synced and renamed. Replacing a folder
 * swaps the two in one step where the file system can (renameat2), so that no moment has neither of them. */
#include "recon/base/output.h"

#include "recon/base/leftovers-private.h"
#include "recon/base/memory.h"
#include "recon/base/path.h"
#include "recon/base/text.h"
#include "recon/base/units.h"
#include "recon/base/untold.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

/* Lies in every folder that was written, one file name per line: only what it names is ever removed again. */
#define MANIFEST ".gantry-files"
#define MANIFEST_HEAD "Files written by Gantry in this folder"

struct ct_output {
  char *target; /* symbolic links resolved */
  char *temporary;
  bool folder;
};

static void free_output(ct_output *output) {
  ct_free(output->target);
  ct_free(output->temporary);
  ct_free(output);
}

/* Is `name` one of the manifest's lines? */
static bool manifest_names(const char *manifest, const char *name) {
  const size_t length = strlen(name);
  for (const char *line = manifest; line && *line;) {
    const char *end = strchr(line, '\n');
    const size_t size = end ? (size_t)(end - line) : strlen(line);
    if (size == length && memcmp(line, name, length) == 0) return true;
    line = end ? end + 1 : NULL;
  }
  return false;
}

/* May the folder that stands in the way be replaced? An empty one may, and one that holds only what its manifest names.
 */
static bool check_replaceable(const char *path, ct_error **error) {
  char *manifest = NULL, *file = ct_path_join(path, MANIFEST, error);
  if (!file) return false;
  if (access(file, F_OK) == 0) {
    manifest = ct_read_text(file, (size_t)1 << 28, NULL, NULL);
    if (manifest && strncmp(manifest, MANIFEST_HEAD "\n", sizeof MANIFEST_HEAD) != 0) {
      ct_free(manifest);
      manifest = NULL;
    }
  }
  ct_free(file);
  DIR *dir = opendir(path);
  if (!dir) {
    ct_free(manifest);
    return ct_error_set_errno(error, errno, "Cannot look into the folder %s", path);
  }
  bool good = true;
  const struct dirent *entry;
  while (good && (entry = readdir(dir))) {
    const char *name = entry->d_name;
    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || (manifest && strcmp(name, MANIFEST) == 0)) continue;
    if (!manifest || !manifest_names(manifest + sizeof MANIFEST_HEAD, name))
      good = ct_error_set(error, CT_ERROR_IO,
                          "The folder %s holds %s, which Gantry did not write; choose a new or an empty folder", path,
                          name);
  }
  closedir(dir);
  ct_free(manifest);
  return good;
}

/* Why nothing can be made in the folder, and what helps. */
static bool refuse_folder(int fault, const char *target, const char *folder, ct_error **error) {
  switch (fault) {
  case ENOENT:
    if (access(folder, F_OK) == 0) /* /proc, say */
      return ct_error_set(error, CT_ERROR_IO,
                          "Cannot write %s: no file can be made in the folder %s; choose another place", target,
                          folder);
    return ct_error_set(error, CT_ERROR_IO,
                        "Cannot write %s: there is no folder %s; make it first, or choose another place", target,
                        folder);
  case EACCES:
  case EPERM:
    return ct_error_set(error, CT_ERROR_IO,
                        "Cannot write %s: you have no permission to write into the folder %s; choose another place",
                        target, folder);
  case EROFS:
    return ct_error_set(error, CT_ERROR_IO,
                        "Cannot write %s: the folder %s lies on a disk that can only be read; choose another place",
                        target, folder);
  default:
    return ct_error_set_errno(error, fault, "Cannot write %s: the folder %s cannot be used", target, folder);
  }
}

/* Where a link leads is not there, or nothing of any name is. */
static bool refuse_link(const char *target, ct_error **error) {
  char goal[PATH_MAX];
  struct stat status;
  const bool led = stat(target, &status) == 0; /* it has changed since */
  const int fault = led ? EAGAIN : errno;
  const ssize_t length = fault == ENOENT ? readlink(target, goal, sizeof goal - 1) : -1;
  if (fault == ELOOP)
    return ct_error_set(error, CT_ERROR_IO, "Cannot write %s: it is a link that leads back to itself", target);
  if (length < 0) return ct_error_set_errno(error, fault, "Cannot write %s", target);
  goal[length] = 0;
  return ct_error_set(error, CT_ERROR_IO, "Cannot write %s: it is a link to %s, which is not there", target, goal);
}

/* Faults that would otherwise show only after hours of work: no folder, no permission, something else of that name. */
static bool check_target(const char *target, bool folder, ct_error **error) {
  struct stat status;
  if (lstat(target, &status) != 0) {
    /* Nothing of that name, or a folder that cannot be used: which of these, its temporary file will tell. */
    if (errno == ENOENT || errno == ENOTDIR || errno == EACCES) return true;
    return ct_error_set_errno(error, errno, "Cannot write %s", target);
  }
  if (folder) {
    if (S_ISDIR(status.st_mode)) return check_replaceable(target, error);
    return ct_error_set(error, CT_ERROR_IO, "Cannot write the folder %s: a file of that name exists", target);
  }
  if (S_ISDIR(status.st_mode)) return ct_error_set(error, CT_ERROR_IO, "Cannot write %s: it is a folder", target);
  if (S_ISLNK(status.st_mode)) return refuse_link(target, error);
  if (!S_ISREG(status.st_mode))
    return ct_error_set(error, CT_ERROR_IO, "Cannot write %s: it is not a regular file", target);
  if (access(target, W_OK) != 0) return ct_error_set_errno(error, errno, "Cannot replace %s", target);
  return true;
}

/* The path with links resolved and trailing slashes cut; the last part need not exist. */
static char *resolve_target(const char *path, bool folder, ct_error **error) {
  char *target = NULL, *trimmed = ct_strdup(path, error);
  if (!trimmed) return NULL;
  size_t length = strlen(trimmed);
  const bool slash = length > 1 && trimmed[length - 1] == '/';
  while (length > 1 && trimmed[length - 1] == '/') trimmed[--length] = 0;
  char *real = realpath(trimmed, NULL);
  if (length == 0 || (slash && !folder && !real)) {
    ct_error_set(error, CT_ERROR_ARGUMENT, "Cannot write \"%s\": it names no file", path);
  } else if (real) {
    target = ct_strdup(real, error);
  } else {
    target = ct_strdup(trimmed, error);
  }
  free(real);
  ct_free(trimmed);
  return target;
}

static bool make_temporary(ct_output *output, ct_error **error) {
  char *folder = ct_path_folder(output->target, error);
  if (!folder) return false;
  struct stat status;
  bool done = false;
  if (stat(folder, &status) != 0) {
    refuse_folder(errno, output->target, folder, error);
  } else if (!S_ISDIR(status.st_mode)) {
    ct_error_set(error, CT_ERROR_IO, "Cannot write %s: %s is a file, not a folder; choose another place",
                 output->target, folder);
  } else {
    ct_leftovers_remove(folder);
    for (int attempt = 0; attempt < 100 && !done; attempt++) {
      char name[CT_LEFTOVER_NAME];
      ct_leftovers_name(name);
      ct_free(output->temporary);
      if (!(output->temporary = ct_path_join(folder, name, error))) break;
      if (output->folder) {
        done = mkdir(output->temporary, 0777) == 0;
      } else {
        const int descriptor = open(output->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        done = descriptor >= 0;
        if (done) close(descriptor);
      }
      if (!done && errno != EEXIST) {
        refuse_folder(errno, output->target, folder, error);
        break;
      }
    }
  }
  ct_free(folder);
  return done || ct_error_set(error, CT_ERROR_IO, "Cannot write %s: no temporary name is free", output->target);
}

ct_output *ct_output_begin(const char *path, bool folder, ct_error **error) {
  ct_output *output = ct_alloc_zero(1, sizeof *output, "the output", error);
  if (!output) return NULL;
  output->folder = folder;
  output->target = resolve_target(path, folder, error);
  if (!output->target || !check_target(output->target, folder, error) || !make_temporary(output, error)) {
    free_output(output);
    return NULL;
  }
  return output;
}

const char *ct_output_get_path(const ct_output *output) {
  return output->temporary;
}

bool ct_output_check_space(const ct_output *output, uint64_t bytes, ct_error **error) {
  struct statvfs status;
  if (statvfs(output->temporary, &status) != 0) return true; /* the write itself will tell */
  const double room = (double)status.f_bavail * (double)status.f_frsize;
  char a[32], b[32];
  return (double)bytes <= room ||
         ct_error_set(error, CT_ERROR_IO, "Cannot write %s: it needs %s, and the disk has %s left.", output->target,
                      ct_format_bytes((double)bytes, a, sizeof a), ct_format_bytes(room, b, sizeof b));
}

void ct_output_abandon(ct_output *output) {
  if (!output) return;
  if (output->folder)
    ct_leftovers_remove_folder(AT_FDCWD, output->temporary);
  else
    unlink(output->temporary);
  free_output(output);
}

static bool sync_file(const char *path, const char *target, ct_error **error) {
  const int descriptor = open(path, O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return ct_error_set_errno(error, errno, "Cannot finish %s", target);
  /* EINVAL: a file system that cannot sync is no fault of the data. */
  const bool good = fsync(descriptor) == 0 || errno == EINVAL || errno == EROFS;
  const int fault = errno;
  close(descriptor);
  return good || ct_error_set_errno(error, fault, "Cannot write %s", target);
}

/* A rename is durable only when its folder is synced; nothing can be done if that fails. */
static void sync_parent(const char *target) {
  char folder[PATH_MAX] = ".";
  const char *slash = strrchr(target, '/');
  if (slash) snprintf(folder, sizeof folder, "%.*s", (int)(slash - target) + 1, target);
  const int descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor >= 0) {
    if (fsync(descriptor) != 0) errno = 0;
    close(descriptor);
  }
}

static bool write_manifest(const ct_output *output, ct_error **error) {
  char *path = ct_path_join(output->temporary, MANIFEST, error);
  if (!path) return false;
  DIR *dir = opendir(output->temporary);
  FILE *file = dir ? fopen(path, "w") : NULL;
  bool good = file || ct_error_set_errno(error, errno, "Cannot finish %s", output->target);
  if (good) good = ct_output_write(file, output->target, MANIFEST_HEAD "\n", sizeof MANIFEST_HEAD, error);
  const struct dirent *entry;
  while (good && (entry = readdir(dir))) {
    const char *name = entry->d_name;
    if (strcmp(name, ".") == 0 || strcmp(name, "..") == 0 || strcmp(name, MANIFEST) == 0) continue;
    good = ct_output_write(file, output->target, name, strlen(name), error) &&
           ct_output_write(file, output->target, "\n", 1, error);
  }
  if (file && fclose(file) != 0 && good) good = ct_error_set_errno(error, errno, "Cannot write %s", output->target);
  /* One call for thousands of slices: a sync of each would take longer than writing them. */
  if (good && dir && syncfs(dirfd(dir)) != 0 && errno != ENOSYS && errno != EINVAL)
    good = ct_error_set_errno(error, errno, "Cannot write %s", output->target);
  if (dir) closedir(dir);
  ct_free(path);
  return good;
}

/* Swaps old and new, and leaves the old one under the temporary name. */
static bool replace_folder(const ct_output *output, ct_error **error) {
  if (renameat2(AT_FDCWD, output->temporary, AT_FDCWD, output->target, RENAME_EXCHANGE) == 0) return true;
  if (errno != EINVAL && errno != ENOSYS && errno != EOPNOTSUPP)
    return ct_error_set_errno(error, errno, "Cannot replace the folder %s", output->target);
  char *aside = ct_strprintf("%s.old", output->temporary);
  if (!aside) return ct_error_set(error, CT_ERROR_MEMORY, "Not enough memory to replace the folder %s", output->target);
  bool good = rename(output->target, aside) == 0;
  if (good && rename(output->temporary, output->target) != 0) {
    const int fault = errno;
    good = false;
    if (rename(aside, output->target) != 0)
      ct_error_set_errno(error, errno, "Cannot put the folder %s back; its files are in %s", output->target, aside);
    errno = fault;
  }
  if (!good)
    ct_error_set_errno(error, errno, "Cannot replace the folder %s", output->target);
  else if (rename(aside, output->temporary) != 0)
    ct_leftovers_remove_folder(AT_FDCWD, aside);
  ct_free(aside);
  return good;
}

static atomic_bool keeps;

void ct_output_keep_existing(bool keep) {
  atomic_store(&keeps, keep);
}

/* 0, or the errno of what went wrong: EEXIST where something is there that is to be kept. */
static int name_it(const ct_output *output) {
  const bool keep = atomic_load(&keeps);
  if (keep && renameat2(AT_FDCWD, output->temporary, AT_FDCWD, output->target, RENAME_NOREPLACE) == 0) return 0;
  if (keep && errno != EINVAL && errno != ENOSYS && errno != EOPNOTSUPP) return errno;
  if (keep && access(output->target, F_OK) == 0) return EEXIST;
  return rename(output->temporary, output->target) == 0 ? 0 : errno;
}

static bool refuse_existing(const ct_output *output, ct_error **error) {
  return ct_error_set(error, CT_ERROR_IO, "%s is there already, since the work on it began, and is kept.",
                      output->target);
}

static bool commit_folder(const ct_output *output, ct_error **error) {
  if (!write_manifest(output, error)) return false;
  const int fault = name_it(output); /* goes over an empty folder, too */
  if (!fault) return true;
  if (fault != ENOTEMPTY && fault != EEXIST)
    return ct_error_set_errno(error, fault, "Cannot write the folder %s", output->target);
  if (atomic_load(&keeps)) return refuse_existing(output, error);
  if (!check_replaceable(output->target, error) || !replace_folder(output, error)) return false;
  ct_leftovers_remove_folder(AT_FDCWD, output->temporary);
  return true;
}

static bool commit_file(const ct_output *output, ct_error **error) {
  struct stat old;
  if (!sync_file(output->temporary, output->target, error)) return false;
  if (stat(output->target, &old) == 0 && chmod(output->temporary, old.st_mode & 07777) != 0)
    return ct_error_set_errno(error, errno, "Cannot replace %s", output->target);
  const int fault = name_it(output);
  if (fault == EEXIST && atomic_load(&keeps)) return refuse_existing(output, error);
  return !fault || ct_error_set_errno(error, fault, "Cannot write %s", output->target);
}

static void go_on(int number) {
  (void)number;
}

/* By a handler that does nothing, which other programs do not inherit as they would a signal that is ignored. */
void ct_output_outlive_size_limit(void) {
  struct sigaction action = {.sa_handler = go_on, .sa_flags = SA_RESTART}, before;
  if (sigaction(SIGXFSZ, NULL, &before) == 0 && before.sa_handler == SIG_DFL) sigaction(SIGXFSZ, &action, NULL);
}

static atomic_bool refuses;

void ct_output_refuse_doubtful(bool refuse) {
  atomic_store(&refuses, refuse);
}

static bool check_untold(const ct_output *output, ct_error **error) {
  char what[CT_UNTOLD];
  if (!atomic_load(&refuses) || ct_untold(what) == 0) return true;
  return ct_error_set(error, CT_ERROR_IO, "%s is not written. Before that: %s.", output->target, what);
}

bool ct_output_commit(ct_output *output, ct_error **error) {
  if (!check_untold(output, error) || !(output->folder ? commit_folder(output, error) : commit_file(output, error))) {
    ct_output_abandon(output);
    return false;
  }
  sync_parent(output->target);
  free_output(output);
  return true;
}

bool ct_output_write(FILE *file, const char *path, const void *data, size_t bytes, ct_error **error) {
  if (bytes == 0) return true;
  errno = 0;
  if (fwrite(data, 1, bytes, file) == bytes) return true;
  return ct_error_set_errno(error, errno ? errno : EIO, "Cannot write %s", path);
}

bool ct_output_write_whole(const char *path, const void *data, size_t bytes, ct_error **error) {
  ct_output *output = ct_output_begin(path, false, error);
  if (!output) return false;
  FILE *file = fopen(ct_output_get_path(output), "wbe");
  bool good = file ? ct_output_write(file, path, data, bytes, error)
                   : ct_error_set_errno(error, errno, "Cannot write %s", path);
  if (file && fclose(file) != 0 && good) good = ct_error_set_errno(error, errno, "Cannot write %s", path);
  if (good) return ct_output_commit(output, error);
  ct_output_abandon(output);
  return false;
}

bool ct_output_write_text(const char *path, const char *text, ct_error **error) {
  return ct_output_write_whole(path, text, strlen(text), error);
}
