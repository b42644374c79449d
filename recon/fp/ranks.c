/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What `auto` prefers on the processor, in one table: of the projectors that serve a request the one of highest rank.
 * The order was measured (docs/iterative.md). Ranks of families are those of their AVX2 form, 40 .. 95; see
 * rank_of_form. */
#include "recon/fp/projectors-private.h"

#include "recon/geom/questions.h"

#include <string.h>

/* Classes of problems; the rows of one name are tried from the first. */
typedef bool problem_class(const ct_projector_request *request);

/* A stack of slices that share one matrix is served better slice by slice. */
static bool shared_slices(const ct_projector_request *request) {
  return ct_projector_slices(request) > 0;
}
/* In a fan the matrix of symmetry orbits is faster, where there is room for it. */
static bool fan(const ct_projector_request *request) {
  return !ct_geometry_promises(request->geometry, CT_TRAIT_PARALLEL);
}

static const struct {
  const char *name;    /* family or id */
  problem_class *when; /* NULL: any other */
  int rank;
} ranks[] = {
    {"textbook", NULL, -1000},        {"csr", NULL, 10},
    {"csr-merge", NULL, 5},           {"scsr", NULL, 30},
    {"scsr-view", NULL, 20},          {"scsr-global", NULL, 10},
    {"orbit-matrix", NULL, 60},       {"orbit-matrix-float", NULL, 55},
    {"orbit-matrix-avx2", NULL, 50},  {"orbit-matrix-c8", NULL, 20},
    {"joseph-2d", fan, 40},           {"joseph-2d", NULL, 80},
    {"joseph-3d", shared_slices, 45}, {"joseph-3d", NULL, 60},
    {"joseph-3d-general", NULL, 10},  {"fast-pair", shared_slices, 40},
    {"fast-pair", NULL, 70},
};

/* The same family in AVX-512 stands 5 above its AVX2 form. Where intrinsics may be used, portable vectors come behind
 * all of those, in the same order, and before plain C. */
static int rank_of_form(const ct_projector *projector, int rank) {
  if (!projector->family) return rank;
  /* The one form there is without AVX2: so auto takes the same family on every processor. */
  if (projector->portable && projector->width == 8 && ct_simd_usable() < CT_SIMD_V3) return rank;
  if (projector->portable) return 20 + rank / 5;
  return projector->width == 16 ? rank + 5 : rank;
}

int ct_projector_rank(const ct_projector *projector, const ct_projector_request *request) {
  const char *name = projector->family ? projector->family : projector->id;
  int highest = CT_PROJECTOR_UNRANKED;
  for (size_t n = 0; n < sizeof ranks / sizeof *ranks; n++) {
    if (strcmp(ranks[n].name, name) != 0) continue;
    const int rank = rank_of_form(projector, ranks[n].rank);
    if (request && (!ranks[n].when || ranks[n].when(request))) return rank;
    if (rank > highest) highest = rank;
  }
  return highest;
}
