/* SPDX-License-Identifier: GPL-3.0-or-later */
/* MAT files of version 5 (MATLAB 5 to 7.2), by libmatio. Those of 7.3 are HDF5. Arrays stand in memory as [columns of
 * the listing][rows]: MATLAB counts its first index fastest. */
#ifndef CT_IO_MATLAB_PRIVATE_H
#define CT_IO_MATLAB_PRIVATE_H

#include "recon/base/error.h"
#include "recon/data/scan.h"
#include "recon/io/shared/format.h"

#include <matio.h>

/* libmatio keeps its messages in global state: what follows is called with this lock held. */
void ct_matlab_lock(void);
void ct_matlab_unlock(void);

/* Opens a file of version 5; NULL with an error. */
mat_t *ct_matlab_open(const char *path, ct_error **error);
/* A variable, "name" or "struct.field" ('/' for '.', and one at the beginning passed over), with its data; *owner is to
 * be freed with Mat_VarFree. NULL with an error. */
matvar_t *ct_matlab_find(mat_t *mat, const char *path, const char *name, uint64_t file_bytes, matvar_t **owner,
                         ct_error **error);
/* Whether it is an array of real numbers of 2 or 3 axes that count (more than one entry); its entries along the first,
 * second and third. */
bool ct_matlab_is_array(matvar_t *variable);
void ct_matlab_sides(matvar_t *variable, size_t sides[3]);
/* All numbers as doubles, in the file's order (ct_free). */
double *ct_matlab_numbers(matvar_t *variable, size_t *count, ct_error **error);

/* Where the scan is in a file: "CtDataFull.sinogram"; false with an error that lists what there is. */
typedef struct ct_matlab_place {
  char data[256];
  char parameters[256];   /* the structure with angles and distances, "" none */
  bool columns_are_views; /* where no angles tell which */
} ct_matlab_place;
bool ct_matlab_find_scan(mat_t *mat, const char *path, uint64_t file_bytes, ct_matlab_place *place, ct_error **error);
bool ct_matlab_list(mat_t *mat, ct_dataset_list *list, ct_error **error);

#endif
