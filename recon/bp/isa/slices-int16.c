/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Interleaved slices (interleaved.h) in 16-bit integers. A word holds the samples of one slice in a bin and in the
 * next, so that a voxel loads half as much, and one instruction (vpdpwssd; vpmaddwd and a sum) multiplies both by the
 * weights (1 - t, t) and adds them to a 32-bit sum. Eight views are added so before the sums go to single precision.
 *
 * No sum can overflow, whatever the projections are: a sample is an integer of magnitude up to 32767, the sweep's
 * largest magnitude (int16.h); weights are 2^13 - T and T with 0 <= T <= 2^13; eight views then add up to at most
 * 8 2^13 32767 = 2^31 - 2^16. A ninth would overflow silently. */
#include "recon/bp/isa/int16.h"
#include "recon/bp/isa/interleaved.h"
#include "recon/bp/isa/isa-kernels.h"

enum { weight_one = 1 << 13 };

/* A plane of one or two rows leaves most of a tile empty: windows along z come first there. Up to 8 slices fill one
 * vector of AVX2, whose kernel is then the faster by 2 to 15 %. */
static int rank_for(const ct_bp_request *request) {
  if (request->grid.ny <= 2) return CT_ISA_RANK(58);
  return W > 8 && request->grid.nz <= 8 ? CT_ISA_RANK(64) : CT_ISA_RANK(70);
}

/* The largest magnitudes of the sweeps. */
static bool begin(ct_bp_state *state, const ct_bp_batch *batch, int first, int views, const ct_job *job,
                  ct_error **error) {
  const ct_bp_request *request = &state->request;
  const size_t pixels = (size_t)request->geometry->nu * (size_t)request->geometry->nv;
#pragma omp parallel for num_threads(request->threads) schedule(dynamic)
  for (int n = 0; n < views; n++)
    if (!ct_bp_stopped(job)) state->magnitudes[n] = ct_int16_magnitude(batch->projections[first + n], pixels);
  if (ct_bp_stopped(job)) return true;
  const int odd = ct_int16_join(state->magnitudes, views, sweep);
  return odd < 0 || ct_int16_refuse(batch->views[first + odd], error);
}

CT_INLINE vi quantise(const ct_bp_state *state, int slot, const float *projection, double v, int u) {
  return vround(ct_interleaved_line(state, projection, v, u) * vset(ct_int16_units(state->magnitudes[slot])));
}

CT_INLINE vf words(const ct_bp_state *state, int slot, const float *projection, double v, int u) {
  return (vf)vpair(quantise(state, slot, projection, v, u), quantise(state, slot, projection, v, u + 1));
}

static void turn(ct_bp_state *state, int slot, int piece, int k, int levels, const float *projection) {
  ct_interleaved_turn(words, state, slot, piece, k, levels, projection);
}

CT_INLINE vi weight(vf fraction, vf scale) {
  const lanes behind = (lanes)vround(fraction * scale);
  return (vi)(weight_one - behind + behind * 0x10000);
}

/* Adds `views` views, rounded up to whole pairs, to voxels beside each other, n vectors of slices each. */
CT_INLINE void add_voxels(int views, int n, const uint32_t *view, const ct_interleaved_places *p, int voxel, vf unit,
                          float *at) {
  vi sum[beside * slab / W];
  for (int g = 0; g < beside * n; g++) sum[g] = viset(0);
#pragma GCC unroll 4
  for (int s = 0; s < views; s += 2)
#pragma GCC unroll 2
    for (int o = 0; o < beside; o++) {
      const uint64_t pair = ct_interleaved_pair(p, voxel + o, s);
#pragma GCC unroll 2
      for (int t = s; t < s + 2; t++) {
        const uint32_t *from = view + ct_interleaved_from(pair, t);
        const vi weights = (vi)ct_interleaved_spread(p, voxel, o, t);
        for (int g = 0; g < n; g++) sum[o * n + g] = vdot(sum[o * n + g], viload(from + g * W), weights);
      }
    }
  for (int g = 0; g < beside * n; g++) vstore(at + g * W, vfma(vfloat(sum[g]), unit, vload(at + g * W)));
}

/* Adds `views` views to a part. A column more than it has may be added to: a tile has room for it. */
CT_INLINE void add_places(int views, int n, const uint32_t *view, const ct_interleaved_places *p, const ct_tile *part,
                          float unit, float *sums) {
  for (int j = 0; j < part->rows; j++)
    for (int i = 0; i < part->columns; i += beside)
      add_voxels(views, n, view, p, j * part_x + i, vset(unit), sums + (size_t)(j * tile_pitch + i) * (size_t)(n * W));
}

CT_INLINE void add_vectors(int n, const ct_bp_state *state, int slot, int views, const ct_tile *part, float *sums) {
  const uint32_t *view = state->bins + (size_t)slot * state->view;
  const float magnitude = state->magnitudes[slot];
  if (!(magnitude > 0)) return;
  const float unit = 1 / ct_int16_units(magnitude) / weight_one;
  ct_interleaved_places p;
  ct_interleaved_find(weight, state->request.interp == CT_INTERP_NEAREST ? 0 : weight_one, state, slot, views, part,
                      n * W, &p);
  if (views == sweep)
    add_places(sweep, n, view, &p, part, unit, sums);
  else
    add_places(views, n, view, &p, part, unit, sums);
}

static void add(const ct_bp_state *state, int slot, int views, const ct_tile *part, int levels, float *sums) {
  CT_INTERLEAVED_FOR_VECTORS(add_vectors, levels, state, slot, views, part, sums)
}

/* The words of a bin need the one behind it: those of the zero before the detector are not all zero. */
static const ct_interleaved_technique technique = {.before = 1, .begin = begin, .turn = turn, .add = add};

static ct_bp_state *prepare(const ct_bp_request *request, ct_error **error) {
  return ct_interleaved_prepare(request, &technique, error);
}

const ct_bp_kernel CT_ISA_SYMBOL(ct_bp_slices_int16) = {
    .id = "slices-int16" CT_INT16_ID,
    .title = "Interleaved slices, 16-bit integers" CT_INT16_TITLE,
    .explanation = "Parallel beam: interleaved slices with projections rounded to 16-bit integers. A bin and the next "
                   "share a word, so that a voxel loads half as much, and one product of pairs interpolates. After "
                   "Chilingaryan et al. (2019); the integers are this program's own.",
    CT_INTERLEAVED_FUNCTIONS,
    .precisions = CT_BIT(CT_PRECISION_INT16),
    .cpu = CT_INT16_CPU,
    .rank = CT_ISA_RANK(70),
    .rank_for = rank_for,
    .tolerance = 2e-4, /* of a filtered scan from 30 views on, whose sums cancel; 5e-5 of noise */
    .prepare = prepare,
};
