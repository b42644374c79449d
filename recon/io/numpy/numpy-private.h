/* SPDX-License-Identifier: GPL-3.0-or-later */
/* NumPy's .npy: a header, one array, and behind it, where Gantry wrote the file, what a volume has besides; and .npz,
 * an archive of such files. Source: numpy.lib.format. */
#ifndef CT_IO_NUMPY_PRIVATE_H
#define CT_IO_NUMPY_PRIVATE_H

#include "recon/io/shared/array-private.h"

#define CT_NUMPY_MAGIC "\x93NUMPY"
#define CT_NUMPY_TRAILER "\nGANTRY VOLUME "

typedef struct ct_numpy {
  ct_array_layout layout; /* the array's axes, the slowest first: z, y, x */
  int axes;               /* of the array, 1 to 3; those of one entry beyond three do not count */
  bool is_volume;         /* Gantry wrote it */
  bool in_pixels;         /* nobody knows the voxel size */
  ct_grid grid;           /* of a volume; else of voxels of 1 about the origin */
  char *plan;             /* or NULL */
} ct_numpy;

/* An array of an archive. */
typedef struct ct_npz_member {
  char name[256];         /* without .npy */
  uint64_t offset;        /* where it begins in the archive's file */
  uint64_t packed, bytes; /* in the archive; of the .npy */
  bool deflated;
  uint32_t crc; /* of the .npy */
} ct_npz_member;
typedef struct ct_npz {
  ct_npz_member *members;
  size_t count;
} ct_npz;
bool ct_npz_open(const char *path, ct_npz *npz, ct_error **error);
void ct_npz_clear(ct_npz *npz);
const ct_npz_member *ct_npz_find(const ct_npz *npz, const char *name);

bool ct_numpy_is_archive(const char *path);
/* The array that is named, else the scan's; NULL with an error. */
const ct_npz_member *ct_numpy_choose(const char *path, const ct_npz *npz, const char *dataset, ct_error **error);
/* The array of angles by its name, or NULL; the scan's angles are taken from it where their number fits. */
const ct_npz_member *ct_numpy_angles(const ct_npz *npz);
bool ct_numpy_take_angles(const char *path, const ct_npz_member *member, ct_scan *scan, ct_error **error);
bool ct_numpy_read_angles(const char *path, const char *dataset, bool anywhere, double **degrees, size_t *count,
                          ct_error **error);
bool ct_numpy_list_datasets(const char *path, bool anywhere, ct_dataset_list *list, ct_error **error);

/* Of a .npy (at least two axes), or of the array of an .npz that is named or is its scan. */
bool ct_numpy_read_header(const char *path, const char *dataset, ct_numpy *header, ct_error **error);
/* Of an array of an .npz, of one axis too; NULL: the whole file. */
bool ct_numpy_read_member(const char *path, const ct_npz_member *member, ct_numpy *header, ct_error **error);
/* All numbers of such an array in the order of the file. */
bool ct_numpy_read_doubles(const char *path, const ct_npz_member *member, const ct_numpy *header, double *out,
                           ct_error **error);
void ct_numpy_clear(ct_numpy *header);

#endif
