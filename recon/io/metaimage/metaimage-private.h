/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The MetaImage header (.mha, .mhd): "Key = value" lines, ElementDataFile last. */
#ifndef CT_IO_METAIMAGE_PRIVATE_H
#define CT_IO_METAIMAGE_PRIVATE_H

#include "recon/io/shared/array-private.h"

/* Readers of the MetaIO family take lines of fewer than 500 bytes and pass over keys they do not know; the plan is
 * therefore spread over numbered keys of this name, characters that such readers would eat written as %XX. */
#define CT_METAIMAGE_PLAN_KEY "GantryPlan"
/* "Volume" in what Gantry writes, with a plan or without. */
#define CT_METAIMAGE_CONTENT_KEY "GantryContent"

typedef struct ct_metaimage {
  ct_array_layout layout;
  double spacing[3], offset[3]; /* mm; offset is the centre of voxel 0 */
  bool has_spacing, has_offset;
  bool turned;    /* TransformMatrix is not the identity */
  bool is_volume; /* Gantry wrote it as one */
  char *plan;     /* or NULL */
} ct_metaimage;

bool ct_metaimage_read_header(const char *path, ct_metaimage *header, ct_error **error);
void ct_metaimage_clear(ct_metaimage *header);

extern const ct_slice_writer ct_metaimage_writer;

#endif
