/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writing through a file driver of our own that keeps the first write error of the disk and reports success to the
 * library. The library itself cannot close a file whose last blocks do not fit on the disk: it keeps it half open and
 * crashes at exit (seen with 1.10.8). So the file closes normally, and the writer checks for the error. */
#include "recon/io/hdf5/hdf5-private.h"

#include "recon/base/spare.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#if H5_VERSION_GE(1, 14, 0)
#include <H5FDdevelop.h>
#endif

/* Begins with the library's own part. */
typedef struct {
  H5FD_t base;
  int descriptor;
  int *fault;
  haddr_t eoa, eof;
} driver_file;

static H5FD_t *open_driver(const char *name, unsigned flags, hid_t access, haddr_t maxaddr) {
  int *const *fault = H5Pget_driver_info(access);
  driver_file *file = fault ? calloc(1, sizeof *file) : NULL;
  if (!file) return NULL;
  file->fault = *fault;
  file->descriptor = open(name, O_RDWR | O_TRUNC | O_CLOEXEC);
  if (file->descriptor >= 0) return &file->base;
  *file->fault = errno;
  free(file);
  return NULL;
}

static herr_t close_driver(H5FD_t *base) {
  driver_file *file = (driver_file *)base;
  if (close(file->descriptor) != 0 && !*file->fault) *file->fault = errno;
  free(file);
  return 0;
}

static int compare_files(const H5FD_t *a, const H5FD_t *b) {
  return (a > b) - (a < b);
}

static herr_t query(const H5FD_t *file, unsigned long *flags) {
  *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
           H5FD_FEAT_AGGREGATE_SMALLDATA;
  return 0;
}

static haddr_t get_eoa(const H5FD_t *file, H5FD_mem_t type) {
  return ((const driver_file *)file)->eoa;
}

static herr_t set_eoa(H5FD_t *file, H5FD_mem_t type, haddr_t address) {
  ((driver_file *)file)->eoa = address;
  return 0;
}

static haddr_t get_eof(const H5FD_t *file, H5FD_mem_t type) {
  return ((const driver_file *)file)->eof;
}

/* What lies behind the end, or was never written because of an error, reads as zeros. */
static herr_t read_driver(H5FD_t *base, H5FD_mem_t type, hid_t transfer, haddr_t address, size_t size, void *buffer) {
  const driver_file *file = (const driver_file *)base;
  char *to = buffer;
  while (size > 0) {
    const ssize_t got = pread(file->descriptor, to, size, (off_t)address);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) {
      memset(to, 0, size);
      return 0;
    }
    to += got;
    size -= (size_t)got;
    address += (haddr_t)got;
  }
  return 0;
}

static herr_t write_driver(H5FD_t *base, H5FD_mem_t type, hid_t transfer, haddr_t address, size_t size,
                           const void *buffer) {
  driver_file *file = (driver_file *)base;
  const char *from = buffer;
  if (file->eof < address + size) file->eof = address + size;
  while (size > 0 && !*file->fault) {
    const ssize_t put = pwrite(file->descriptor, from, size, (off_t)address);
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0) {
      *file->fault = put < 0 ? errno : EIO;
      break;
    }
    from += put;
    size -= (size_t)put;
    address += (haddr_t)put;
  }
  return 0;
}

/* The library checks the length of a file when it opens it: it must be what was allocated, written or not. */
static herr_t truncate_driver(H5FD_t *base, hid_t transfer, hbool_t closing) {
  driver_file *file = (driver_file *)base;
  if (!*file->fault && ftruncate(file->descriptor, (off_t)file->eoa) != 0) *file->fault = errno;
  file->eof = file->eoa;
  return 0;
}

static const H5FD_class_t driver = {
#if H5_VERSION_GE(1, 14, 0)
    .version = H5FD_CLASS_VERSION,
    .value = (H5FD_class_value_t)(H5FD_VFD_RESERVED + 71),
#endif
    .name = "gantry",
    .maxaddr = INT64_MAX,
    .fc_degree = H5F_CLOSE_STRONG,
    .fapl_size = sizeof(int *),
    .open = open_driver,
    .close = close_driver,
    .cmp = compare_files,
    .query = query,
    .get_eoa = get_eoa,
    .set_eoa = set_eoa,
    .get_eof = get_eof,
    .read = read_driver,
    .write = write_driver,
    .truncate = truncate_driver,
    .fl_map = H5FD_FLMAP_DICHOTOMY,
};

/* The driver stays registered until its file is closed: H5FD_close of 1.10 reads the driver's class after it has given
 * up the file's own reference to it. */
static void unregister(ct_hdf5_writer *writer) {
  if (writer->driver >= 0) H5FDunregister(writer->driver);
  writer->driver = -1;
}

bool ct_hdf5_writer_open(ct_hdf5_writer *writer, const char *temporary, const char *path, ct_error **error) {
  *writer = (ct_hdf5_writer){.file = -1, .driver = -1, .path = path};
  if (!ct_memory_is_spare("for the HDF5 library", error)) return false;
  writer->driver = H5FDregister(&driver);
  int *fault = &writer->fault;
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  if (writer->driver >= 0 && access >= 0 && H5Pset_driver(access, writer->driver, &fault) >= 0)
    writer->file = H5Fcreate(temporary, H5F_ACC_TRUNC, H5P_DEFAULT, access);
  if (access >= 0) H5Pclose(access);
  if (writer->file < 0) unregister(writer);
  return ct_hdf5_writer_check(writer, writer->file >= 0, error);
}

bool ct_hdf5_writer_check(const ct_hdf5_writer *writer, bool good, ct_error **error) {
  if (writer->fault) return ct_error_set_errno(error, writer->fault, "Cannot write %s", writer->path);
  return good ||
         ct_error_set(error, CT_ERROR_IO, "Cannot write %s: the HDF5 library could not store the data.", writer->path);
}

bool ct_hdf5_writer_close(ct_hdf5_writer *writer, bool good, ct_error **error) {
  if (writer->file < 0) return good;
  const bool closed = H5Fclose(writer->file) >= 0;
  writer->file = -1;
  unregister(writer);
  return good && ct_hdf5_writer_check(writer, closed, error);
}
