/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The header of NIfTI-1 in one file (.nii): https://nifti.nimh.nih.gov/nifti-1. */
#ifndef CT_IO_NIFTI_PRIVATE_H
#define CT_IO_NIFTI_PRIVATE_H

#include "recon/io/shared/array-private.h"

typedef struct ct_nifti {
  ct_array_layout layout;
  ct_grid grid;
  bool has_spacing; /* the header tells the unit of length */
  char *plan;       /* or NULL */
} ct_nifti;

/* Whether a file begins like one. */
bool ct_nifti_has_signature(const unsigned char *header, size_t size);
bool ct_nifti_read_header(const char *path, ct_nifti *header, ct_error **error);
void ct_nifti_clear(ct_nifti *header);
/* For ct_array_form. */
bool ct_nifti_put_header(FILE *file, const char *path, const ct_volume_header *header, const char *data_file,
                         long *size_place, ct_error **error);

#endif
