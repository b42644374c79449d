/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A scan of a curved detector (recon/geom/curved.h) as one of the flat detector that sees the same rays: every frame is
 * interpolated by Lagrange polynomials through eight pixels, along rows and then along columns. */
#include "recon/base/memory.h"
#include "recon/geom/curved.h"
#include "recon/io/open-private.h"

#include <math.h>

enum { TAPS = 8 };

typedef struct stencil {
  int first;
  float weights[TAPS];
} stencil;

typedef struct flattened {
  ct_scan *base;
  ct_geometry curved; /* borrowed from the base */
  int first[2], nu, nv;
  stencil *columns; /* [nu] */
  double *cosines;  /* [nu] of the angle of a column's rays */
} flattened;

static void free_flattened(void *state) {
  flattened *f = state;
  if (!f) return;
  ct_scan_free(f->base);
  ct_free(f->columns);
  ct_free(f->cosines);
  ct_free(f);
}

/* At a place among n pixels; fewer than eight are all taken, and near an end the outermost. The weight of pixel i is
 * the product of place - k over the other pixels, by that of i - k, which is i! (taps - 1 - i)! but for the sign. */
static stencil stencil_at(double place, int n) {
  static const double factorial[TAPS] = {1, 1, 2, 6, 24, 120, 720, 5040};
  stencil s = {0};
  const int taps = n < TAPS ? n : TAPS;
  const int start = (int)floor(place) - (taps - 1) / 2;
  s.first = start < 0 ? 0 : start > n - taps ? n - taps : start;
  double before[TAPS + 1] = {1}, behind = 1;
  for (int i = 0; i < taps; i++) before[i + 1] = before[i] * (place - s.first - i);
  for (int i = taps - 1; i >= 0; i--) {
    const double sign = (taps - 1 - i) % 2 ? -1 : 1;
    s.weights[i] = (float)(sign * before[i] * behind / (factorial[i] * factorial[taps - 1 - i]));
    behind *= place - s.first - i;
  }
  return s;
}

/* Place of a row of the flat detector in a column of the curved one. */
static double row_place(const flattened *f, int row, int column) {
  const double centre = f->curved.centre_v, place = centre + (row + f->first[1] - centre) * f->cosines[column];
  return fmin(fmax(place, 0), f->curved.nv - 1);
}

/* The curved detector's rows that rows row0 .. row0 + rows - 1 of the flat one are made of. */
static void find_band(const flattened *f, int row0, int rows, int *low, int *count) {
  const int taps = f->curved.nv < TAPS ? f->curved.nv : TAPS;
  int high = 0;
  *low = f->curved.nv;
  for (int end = 0; end < 2; end++)
    for (int column = 0; column < f->nu; column++) {
      const stencil s = stencil_at(row_place(f, end ? row0 + rows - 1 : row0, column), f->curved.nv);
      *low = s.first < *low ? s.first : *low;
      high = s.first + taps > high ? s.first + taps : high;
    }
  *count = high - *low;
}

static void along_rows(const flattened *f, const float *from, int rows, float *out) {
  const int taps = f->curved.nu < TAPS ? f->curved.nu : TAPS;
  for (int row = 0; row < rows; row++)
    for (int column = 0; column < f->nu; column++) {
      const stencil *s = &f->columns[column];
      const float *at = from + (size_t)row * (size_t)f->curved.nu + s->first;
      float sum = 0;
      for (int i = 0; i < taps; i++) sum += s->weights[i] * at[i];
      out[(size_t)row * (size_t)f->nu + (size_t)column] = sum;
    }
}

static bool read_flattened(void *state, ct_frame_kind kind, int index, int row0, int rows, float *out,
                           ct_error **error) {
  const flattened *f = state;
  const int taps = f->curved.nv < TAPS ? f->curved.nv : TAPS;
  const size_t nu = (size_t)f->nu;
  int low, count;
  find_band(f, row0, rows, &low, &count);
  float *curved = ct_alloc((size_t)count * (size_t)f->curved.nu, sizeof *curved, "a frame", error);
  float *wide = curved ? ct_alloc((size_t)count * nu, sizeof *wide, "a frame", error) : NULL;
  const bool good = wide && ct_scan_read(f->base, kind, index, low, count, curved, error);
  if (good) {
    along_rows(f, curved, count, wide);
    for (int row = 0; row < rows; row++)
      for (int column = 0; column < f->nu; column++) {
        const stencil s = stencil_at(row_place(f, row0 + row, column), f->curved.nv);
        float sum = 0;
        for (int i = 0; i < taps; i++) sum += s.weights[i] * wide[(size_t)(s.first - low + i) * nu + (size_t)column];
        out[(size_t)row * nu + (size_t)column] = sum;
      }
  }
  ct_free(curved);
  ct_free(wide);
  return good;
}

static bool check_flattened(void *state, ct_error **error) {
  return ct_scan_check(((flattened *)state)->base, error);
}

static bool lay_out(flattened *f, const ct_geometry *flat, ct_error **error) {
  f->nu = flat->nu;
  f->nv = flat->nv;
  f->columns = ct_alloc((size_t)f->nu, sizeof *f->columns, "the columns of a flat detector", error);
  f->cosines = ct_alloc((size_t)f->nu, sizeof *f->cosines, "the columns of a flat detector", error);
  if (!f->columns || !f->cosines) return false;
  for (int column = 0; column < f->nu; column++) {
    double u = column + f->first[0], v = 0;
    ct_curved_from_flat(&f->curved, &u, &v);
    f->columns[column] = stencil_at(fmin(fmax(u, 0), f->curved.nu - 1), f->curved.nu);
    f->cosines[column] = cos((u - f->curved.centre_u) * f->curved.du / f->curved.sdd);
  }
  return true;
}

ct_scan *ct_scan_flatten(ct_scan *scan, ct_error **error) {
  ct_scan_facts facts = *ct_scan_get_facts(scan);
  const ct_geometry curved = facts.geometry;
  ct_remarks remarks = {0};
  ct_scan *result = NULL;
  facts.geometry = (ct_geometry){0};
  flattened *f = ct_alloc_zero(1, sizeof *f, "the scan", error);
  bool good = f && ct_geometry_copy(&facts.geometry, &curved, error);
  if (f) f->curved = curved;
  if (good && facts.values == CT_VALUES_FILTERED)
    good = ct_error_set(error, CT_ERROR_FORMAT, "Filtered values of a curved detector cannot be taken.");
  good = good && ct_curved_flatten(&facts.geometry, f->first, error);
  if (!good && error && *error) ct_error_prefix(error, "%s", facts.path);
  if (good && lay_out(f, &facts.geometry, error)) {
    const ct_geometry *g = &facts.geometry;
    ct_remarks_append(&remarks, facts.remarks);
    ct_remarks_add(&remarks, CT_REMARK_READ, NULL,
                   "the detector is curved: its %d x %d pixels, %.5g degrees of the fan apart, are interpolated to "
                   "%d x %d of a flat one about column %.6g of the curved one; a centre that differs from it by more "
                   "than a pixel has to be told in the scan description",
                   curved.nu, curved.nv, curved.du / curved.sdd * (180 / M_PI), g->nu, g->nv, curved.centre_u);
    facts.remarks = &remarks;
    facts.shape = CT_SHAPE_FLAT;
    facts.flip_rows = facts.flip_columns = facts.has_origin = false;
    f->base = scan;
    scan = NULL; /* the source frees it */
    result = ct_scan_new(&facts, (ct_scan_source){f, read_flattened, free_flattened, check_flattened}, error);
    f = NULL;
  }
  ct_remarks_clear(&remarks);
  ct_geometry_clear(&facts.geometry);
  free_flattened(f);
  ct_scan_free(scan);
  return result;
}
