/* SPDX-License-Identifier: GPL-3.0-or-later */
/* NumPy's .npy: a header, one array, and behind it, where Gantry wrote the file, what a volume has besides. Source:
 * numpy.lib.format. */
#ifndef CT_IO_NUMPY_PRIVATE_H
#define CT_IO_NUMPY_PRIVATE_H

#include "recon/io/shared/array-private.h"

#define CT_NUMPY_MAGIC "\x93NUMPY"
#define CT_NUMPY_TRAILER "\nGANTRY VOLUME "

typedef struct ct_numpy {
  ct_array_layout layout; /* the array's axes, the slowest first: z, y, x */
  int axes;               /* of the array, 2 or 3; those of one entry beyond three do not count */
  bool is_volume;         /* Gantry wrote it */
  bool in_pixels;         /* nobody knows the voxel size */
  ct_grid grid;           /* of a volume; else of voxels of 1 about the origin */
  char *plan;             /* or NULL */
} ct_numpy;

bool ct_numpy_read_header(const char *path, ct_numpy *header, ct_error **error);
void ct_numpy_clear(ct_numpy *header);

#endif
