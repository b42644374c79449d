/* SPDX-License-Identifier: GPL-3.0-or-later */
/* RabbitCT data sets (Rohkohl, Keck, Hofmann, Hornegger, Medical Physics 36, 2009): filtered and weighted projections
 * of a C-arm with a 3x4 matrix each, and behind them reference volumes in Hounsfield units. Little-endian throughout:
 *   version 2: u32 2, u32 columns, u32 rows, u32 views, f32 scale[2]   (24 bytes)
 *   version 1: the same without the first word                         (20 bytes)
 *   each view: f64[12], the 3x4 matrix column by column, from world mm to pixels; f32[rows][columns]
 *   volumes of 128^3, 256^3, 512^3 and 1024^3 u16, [z][y][x]: the first 0 to 4 of them
 * The volume of L^3 voxels of 256/L mm is centred on the origin; f = sum over the views of p(u, v) / w^2. */
#ifndef CT_IO_RABBITCT_H
#define CT_IO_RABBITCT_H

#include "recon/base/error.h"
#include "recon/base/job.h"
#include "recon/data/scan.h"
#include "recon/geom/geometry.h"
#include "recon/geom/grid.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { CT_RABBITCT_REFERENCES = 4 };

typedef struct ct_rabbitct_facts {
  int version;          /* 1 or 2 */
  float scale[2];       /* HU = scale[0] f + scale[1] */
  int references;       /* volumes in the file, smallest first */
  ct_geometry geometry; /* CT_BEAM_FREE, each matrix divided by its w at the isocentre; unit pixel pitch */
  uint64_t bytes;
} ct_rabbitct_facts;

typedef struct ct_rabbitct ct_rabbitct;

/* The file's size must be what its header promises, byte for byte. Errors name the file and what contradicts. */
ct_rabbitct *ct_rabbitct_open(const char *path, ct_error **error);
void ct_rabbitct_free(ct_rabbitct *set);
const ct_rabbitct_facts *ct_rabbitct_get_facts(const ct_rabbitct *set);

/* Rows of a view, [rows][nu], divided by the square of the file's own w at the isocentre: with the facts' matrices,
 * which are divided by w itself, the sum over the views of p / w^2 stays what the file means. */
bool ct_rabbitct_read(ct_rabbitct *set, int view, int row0, int rows, float *out, ct_error **error);
/* Planes of the reference volume of that edge; CT_ERROR_UNSUPPORTED when the file holds none of it. */
bool ct_rabbitct_read_reference(ct_rabbitct *set, int edge, int plane0, int planes, uint16_t *out, ct_error **error);

/* Edge of reference volume i: 128, 256, 512, 1024. */
int ct_rabbitct_edge(int reference);
/* What the facts' scale makes of the volume's values. */
ct_named_scale ct_rabbitct_scale(const ct_rabbitct_facts *facts);
/* L^3 voxels of 256/L mm about the origin. */
ct_grid ct_rabbitct_grid(int edge);

/* Whether a file of so many bytes that begins so is one. */
bool ct_rabbitct_is(const unsigned char *header, size_t header_size, uint64_t bytes);
/* Whether the file is still what it was when it was opened. */
bool ct_rabbitct_check(const ct_rabbitct *set, ct_error **error);

typedef struct ct_rabbitct_content {
  int version;
  float scale[2];
  const ct_geometry *geometry;                        /* CT_BEAM_FREE */
  const ct_stack *projections;                        /* filtered and weighted */
  const uint16_t *references[CT_RABBITCT_REFERENCES]; /* smallest first; the first NULL ends them */
} ct_rabbitct_content;

/* Written under a temporary name and renamed; cancelled or failed, an old file stays. */
bool ct_rabbitct_write(const char *path, const ct_rabbitct_content *content, ct_job *job, ct_error **error);

#endif
