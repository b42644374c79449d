/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The NRRD header (.nrrd, .nhdr): https://teem.sourceforge.net/nrrd/format.html. */
#ifndef CT_IO_NRRD_PRIVATE_H
#define CT_IO_NRRD_PRIVATE_H

#include "recon/data/scan.h"
#include "recon/io/shared/array-private.h"

#define CT_NRRD_PLAN_KEY "gantry plan"
/* "volume" in what Gantry writes, with a plan or without. */
#define CT_NRRD_CONTENT_KEY "gantry content"

typedef struct ct_nrrd {
  ct_array_layout layout;
  ct_grid grid;
  bool has_spacing; /* the header tells it, with a unit of length */
  char unit[80];    /* of the samples; "": the header does not tell */
  bool is_volume;   /* Gantry wrote it as one */
  char *plan;       /* or NULL */
} ct_nrrd;

bool ct_nrrd_read_header(const char *path, ct_nrrd *header, ct_error **error);
void ct_nrrd_clear(ct_nrrd *header);

#endif
