/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A file's identity: its place on the disk, its size and the time of its last modification. */
#include "recon/io/shared/source-private.h"

#include "recon/io/shared/io-private.h"

#include <errno.h>
#include <sys/stat.h>
#include <sys/vfs.h>

/* Mounts over the network and by programs may give a file another inode each time that it is looked up (statfs(2) has
 * the numbers). */
static bool keeps_inodes(const char *path) {
  static const unsigned long loose[] = {0x65735546 /* FUSE */, 0xff534d42 /* CIFS */, 0xfe534d42 /* SMB2 */,
                                        0x517b /* SMB */, 0x01021997 /* 9P */};
  struct statfs status;
  if (statfs(path, &status) != 0) return false;
  for (size_t i = 0; i < sizeof loose / sizeof *loose; i++)
    if (((unsigned long)status.f_type & 0xffffffff) == loose[i]) return false;
  return true;
}

static ct_source source_of(const struct stat *status) {
  return (ct_source){.known = true,
                     .bytes = (uint64_t)status->st_size,
                     .device = (uint64_t)status->st_dev,
                     .inode = (uint64_t)status->st_ino,
                     .seconds = (int64_t)status->st_mtim.tv_sec,
                     .nanoseconds = (int64_t)status->st_mtim.tv_nsec};
}

bool ct_source_take(ct_source *source, const char *path, ct_error **error) {
  struct stat status;
  uint64_t bytes;
  if (source->known) return ct_source_check(source, path, error);
  if (!ct_file_size(path, &bytes, error)) return false;
  if (stat(path, &status) != 0) return ct_path_cannot_open(path, errno, error);
  *source = source_of(&status);
  source->placed = keeps_inodes(path);
  return true;
}

bool ct_source_check(const ct_source *source, const char *path, ct_error **error) {
  struct stat status;
  if (!source->known) return true;
  if (stat(path, &status) != 0)
    return ct_error_set(error, CT_ERROR_IO, "%s was removed while it was read. Put it back and open it again.", path);
  const ct_source now = source_of(&status);
  if (now.bytes != source->bytes)
    return ct_error_set(
        error, CT_ERROR_DATA,
        "%s was %s while it was read: it had %llu bytes and has %llu. Open it again when it is complete.", path,
        now.bytes < source->bytes ? "cut short" : "lengthened", (unsigned long long)source->bytes,
        (unsigned long long)now.bytes);
  if (source->placed && (now.device != source->device || now.inode != source->inode))
    return ct_error_set(error, CT_ERROR_DATA, "%s was replaced by another file while it was read. Open it again.",
                        path);
  return (now.seconds == source->seconds && now.nanoseconds == source->nanoseconds) ||
         ct_error_set(error, CT_ERROR_DATA, "%s was rewritten while it was read. Open it again when it is complete.",
                      path);
}
