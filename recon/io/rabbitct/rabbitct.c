/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading RabbitCT data sets (see rabbitct.h for the layout). There is no magic number: a file is one when its size is
 * exactly what its first words promise. */
#include "recon/io/rabbitct/rabbitct.h"

#include "recon/base/memory.h"
#include "recon/base/text.h"
#include "recon/io/shared/io-private.h"
#include "recon/io/shared/source-private.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define CUBE_MM 256.0

enum { HEADER_BYTES = 24, OLD_HEADER_BYTES = 20, MATRIX_BYTES = 96, LARGEST_SIDE = 65536, MOST_VIEWS = 1000000 };

struct ct_rabbitct {
  ct_rabbitct_facts facts;
  char *path;
  ct_source source;
  int descriptor;
  double *scales; /* [views], 1 / w^2 of the file's w at the isocentre */
};

/* What the first words say; sizes in bytes. */
typedef struct layout {
  int version, nu, nv, views, references;
  uint64_t header, view;
  float scale[2];
} layout;

static uint32_t word_at(const unsigned char *bytes) {
  return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[3] << 24;
}

static float float_at(const unsigned char *bytes) {
  const uint32_t word = word_at(bytes);
  float value;
  memcpy(&value, &word, sizeof value);
  return value;
}

static double double_at(const unsigned char *bytes) {
  const uint64_t word = (uint64_t)word_at(bytes) | (uint64_t)word_at(bytes + 4) << 32;
  double value;
  memcpy(&value, &word, sizeof value);
  return value;
}

int ct_rabbitct_edge(int reference) {
  return 128 << reference;
}

ct_grid ct_rabbitct_grid(int edge) {
  return ct_grid_centred(edge, edge, edge, CUBE_MM / edge, NULL);
}

ct_named_scale ct_rabbitct_scale(const ct_rabbitct_facts *facts) {
  return (ct_named_scale){{facts->scale[0], facts->scale[1]}, "HU"};
}

static uint64_t reference_bytes(int reference) {
  const uint64_t edge = (uint64_t)ct_rabbitct_edge(reference);
  return edge * edge * edge * sizeof(uint16_t);
}

/* The counts as one version has them; false when they are none. */
static bool parse(const unsigned char *header, int version, layout *l) {
  const unsigned char *at = header + (version == 2 ? 4 : 0);
  if (version == 2 && word_at(header) != 2) return false;
  const uint32_t nu = word_at(at), nv = word_at(at + 4), views = word_at(at + 8);
  if (nu < 1 || nv < 1 || views < 1 || nu > LARGEST_SIDE || nv > LARGEST_SIDE || views > MOST_VIEWS) return false;
  *l = (layout){.version = version, .nu = (int)nu, .nv = (int)nv, .views = (int)views};
  l->header = version == 2 ? HEADER_BYTES : OLD_HEADER_BYTES;
  l->view = MATRIX_BYTES + (uint64_t)nu * nv * sizeof(float);
  l->scale[0] = float_at(at + 12);
  l->scale[1] = float_at(at + 16);
  return true;
}

/* Whether the file ends where the projections or one of the references do. */
static bool fits(layout *l, uint64_t bytes) {
  uint64_t end = l->header + l->view * (uint64_t)l->views;
  for (l->references = 0; l->references < CT_RABBITCT_REFERENCES && end < bytes; l->references++)
    end += reference_bytes(l->references);
  return end == bytes;
}

static bool recognise(const unsigned char *header, size_t header_size, uint64_t bytes, layout *l) {
  if (header_size < HEADER_BYTES) return false;
  for (int version = 2; version >= 1; version--)
    if (parse(header, version, l) && fits(l, bytes)) return true;
  return false;
}

bool ct_rabbitct_is(const unsigned char *header, size_t header_size, uint64_t bytes) {
  layout l;
  return recognise(header, header_size, bytes, &l);
}

/* Why a file is none; of its likelier version, which its first word tells. */
static bool refuse(const char *path, const unsigned char *header, uint64_t bytes, ct_error **error) {
  layout l;
  const uint32_t first = word_at(header);
  const int version = first == 2 ? 2 : 1;
  /* No detector has so few columns: a version word. */
  if (first > 2 && first < 8)
    return ct_error_set(error, CT_ERROR_FORMAT,
                        "%s is a RabbitCT data set of version %u; versions 1 and 2 can be read.", path, first);
  if (!parse(header, version, &l))
    return ct_error_set(error, CT_ERROR_FORMAT, "%s: its header is that of no RabbitCT data set.", path);
  const uint64_t projections = l.header + l.view * (uint64_t)l.views;
  if (bytes < projections)
    return ct_error_set(error, CT_ERROR_FORMAT,
                        "%s ends early: %d views of %d x %d pixels need %llu bytes, the file has %llu.", path, l.views,
                        l.nu, l.nv, (unsigned long long)projections, (unsigned long long)bytes);
  return ct_error_set(error, CT_ERROR_FORMAT,
                      "%s: the %llu bytes behind its %d views of %d x %d pixels are no whole reference volumes.", path,
                      (unsigned long long)(bytes - projections), l.views, l.nu, l.nv);
}

static bool read_layout(ct_rabbitct *set, layout *l, ct_error **error) {
  unsigned char header[HEADER_BYTES];
  if (!ct_source_take(&set->source, set->path, error)) return false;
  set->facts.bytes = set->source.bytes;
  set->descriptor = ct_open_to_read(set->path, error);
  if (set->descriptor < 0) return false;
  if (set->facts.bytes < HEADER_BYTES)
    return ct_error_set(error, CT_ERROR_FORMAT, "%s ends early: not even the header of a RabbitCT data set is there.",
                        set->path);
  if (!ct_read_exactly(set->descriptor, set->path, header, sizeof header, 0, error)) return false;
  if (!recognise(header, sizeof header, set->facts.bytes, l)) return refuse(set->path, header, set->facts.bytes, error);
  if (!isfinite(l->scale[0]) || !isfinite(l->scale[1]) || !(l->scale[0] > 0))
    return ct_error_set(error, CT_ERROR_FORMAT, "%s: its scale of Hounsfield units, %g f + %g, makes no sense.",
                        set->path, (double)l->scale[0], (double)l->scale[1]);
  set->facts.version = l->version;
  set->facts.references = l->references;
  memcpy(set->facts.scale, l->scale, sizeof l->scale);
  return true;
}

/* Bytes of the file, which must still be what it was when it was opened. */
static bool read_bytes(const ct_rabbitct *set, void *data, size_t bytes, off_t offset, ct_error **error) {
  return ct_source_check(&set->source, set->path, error) &&
         ct_read_exactly(set->descriptor, set->path, data, bytes, offset, error) &&
         ct_source_check(&set->source, set->path, error);
}

static off_t view_offset(const ct_rabbitct *set, int view) {
  const ct_geometry *g = &set->facts.geometry;
  const uint64_t header = set->facts.version == 2 ? HEADER_BYTES : OLD_HEADER_BYTES;
  return (off_t)(header + (uint64_t)view * (MATRIX_BYTES + (uint64_t)g->nu * (uint64_t)g->nv * sizeof(float)));
}

static bool read_matrix(ct_rabbitct *set, int view, ct_error **error) {
  unsigned char bytes[MATRIX_BYTES];
  if (!read_bytes(set, bytes, sizeof bytes, view_offset(set, view), error)) return false;
  double *matrix = set->facts.geometry.matrices + 12 * (size_t)view;
  for (int column = 0; column < 4; column++)
    for (int row = 0; row < 3; row++) matrix[4 * row + column] = double_at(bytes + 8 * (3 * column + row));
  const double w = matrix[11];
  bool good = isfinite(w) && fabs(w) > 1e-100 && fabs(w) < 1e100;
  for (int i = 0; good && i < 12; i++) good = isfinite(matrix[i] /= w);
  if (!good)
    return ct_error_set(error, CT_ERROR_FORMAT,
                        "%s: the matrix of view %d is not finite or does not see the isocentre (w = %g there).",
                        set->path, view, w);
  matrix[11] = 1;
  set->scales[view] = 1 / (w * w);
  return true;
}

ct_rabbitct *ct_rabbitct_open(const char *path, ct_error **error) {
  layout l;
  ct_rabbitct *set = ct_alloc_zero(1, sizeof *set, "the data set", error);
  if (!set) return NULL;
  set->descriptor = -1;
  ct_geometry *g = &set->facts.geometry;
  bool good = (set->path = ct_strdup(path, error)) && read_layout(set, &l, error) &&
              ct_geometry_init(g, CT_BEAM_FREE, l.nu, l.nv, l.views, error) &&
              (set->scales = ct_alloc((size_t)l.views, sizeof *set->scales, "the views' scales", error));
  g->cube = CUBE_MM;
  for (int view = 0; good && view < l.views; view++) good = read_matrix(set, view, error);
  if (good && !ct_geometry_check(g, error)) {
    ct_error_prefix(error, "%s", path);
    good = false;
  }
  if (good) return set;
  ct_rabbitct_free(set);
  return NULL;
}

void ct_rabbitct_free(ct_rabbitct *set) {
  if (!set) return;
  if (set->descriptor >= 0) close(set->descriptor);
  ct_geometry_clear(&set->facts.geometry);
  ct_free(set->scales);
  ct_free(set->path);
  ct_free(set);
}

const ct_rabbitct_facts *ct_rabbitct_get_facts(const ct_rabbitct *set) {
  return &set->facts;
}

bool ct_rabbitct_read(ct_rabbitct *set, int view, int row0, int rows, float *out, ct_error **error) {
  const ct_geometry *g = &set->facts.geometry;
  if (view < 0 || view >= g->views || row0 < 0 || rows < 1 || row0 > g->nv - rows)
    return ct_error_set(error, CT_ERROR_ARGUMENT, "%s has no rows %d to %d of view %d.", set->path, row0,
                        row0 + rows - 1, view);
  const size_t row = (size_t)g->nu * sizeof(float), count = (size_t)rows * (size_t)g->nu;
  const off_t offset = view_offset(set, view) + MATRIX_BYTES + (off_t)((size_t)row0 * row);
  if (!read_bytes(set, out, (size_t)rows * row, offset, error)) return false;
  ct_samples_to_float(out, CT_SAMPLE_FLOAT32, false, count, out);
  const float scale = (float)set->scales[view];
  for (size_t i = 0; scale != 1 && i < count; i++) out[i] *= scale;
  return true;
}

bool ct_rabbitct_read_reference(ct_rabbitct *set, int edge, int plane0, int planes, uint16_t *out, ct_error **error) {
  int reference = 0;
  off_t offset = view_offset(set, set->facts.geometry.views);
  while (reference < set->facts.references && ct_rabbitct_edge(reference) != edge)
    offset += (off_t)reference_bytes(reference++);
  if (reference == set->facts.references)
    return ct_error_set(error, CT_ERROR_UNSUPPORTED, "%s holds no reference volume of %d x %d x %d voxels.", set->path,
                        edge, edge, edge);
  if (plane0 < 0 || planes < 1 || plane0 > edge - planes)
    return ct_error_set(error, CT_ERROR_ARGUMENT, "%s: there are no planes %d to %d in a volume of %d.", set->path,
                        plane0, plane0 + planes - 1, edge);
  const size_t plane = (size_t)edge * (size_t)edge, count = (size_t)planes * plane;
  if (!read_bytes(set, out, count * sizeof *out, offset + (off_t)((size_t)plane0 * plane * sizeof *out), error))
    return false;
  for (size_t i = 0; ct_machine_is_big_endian() && i < count; i++) out[i] = (uint16_t)(out[i] << 8 | out[i] >> 8);
  return true;
}

bool ct_rabbitct_check(const ct_rabbitct *set, ct_error **error) {
  return ct_source_check(&set->source, set->path, error);
}
