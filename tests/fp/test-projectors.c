/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of projectors: what descriptors say of their loops, which levels they need, refusals where the processor
 * lacks these, and the automatic choice, which takes the same family at every level. */
#include "recon/fp/projector.h"
#include "tests/test.h"

#include <math.h>

enum { N = 24 };

#define FOR_PROJECTORS(p)                                                                                              \
  size_t count_;                                                                                                       \
  const ct_projector *const *all_ = ct_projectors(&count_), *p;                                                        \
  for (size_t i_ = 0; i_ < count_ && (p = all_[i_]); i_++)

static void table(void) {
  FOR_PROJECTORS(p) {
    CHECK(ct_projector_find(p->id) == p);
    CHECK(p->title && *p->title && strlen(p->explanation) > 40);
    CHECK(p->prepare && p->shape && p->block && p->forward && p->back && p->free);
    if (p->portable) CHECK(p->width > 0);
    if (p->family) CHECK(!strncmp(p->id, p->family, strlen(p->family)));
    CHECK(ct_projector_rank(p, NULL) != CT_PROJECTOR_UNRANKED);
  }
}

/* Portable vectors of 8 floats run on any processor; nothing else that states a width does. */
static void levels(void) {
  FOR_PROJECTORS(p) {
    const ct_simd_level need = ct_simd_loops_need(&p->loops);
    if (p->width) CHECK((need == CT_SIMD_BASELINE) == (p->portable && p->width == 8));
    if (p->width == 16) CHECK(need == CT_SIMD_V4);
    CHECK(ct_projector_usable(p) == (need <= ct_simd_usable()));
  }
}

static bool make_fan(ct_geometry *g, ct_projector_request *request, ct_error **error) {
  if (!ct_geometry_init(g, CT_BEAM_FAN, N, 1, 8, error)) return false;
  g->sod = 100, g->sdd = 150;
  ct_geometry_set_arc(g, 0, M_PI / 4);
  *request = (ct_projector_request){.geometry = g, .grid = ct_grid_centred(N, N, 1, 1, NULL), .threads = 1};
  return true;
}

/* Loops for a level above the usable one are never run. */
static void refusals(void) {
  ct_geometry g;
  ct_projector_request request;
  ct_error *error = NULL;
  CHECK_OK(make_fan(&g, &request, &error));
  FOR_PROJECTORS(p) {
    if (ct_projector_usable(p)) continue;
    const char *lacks = ct_simd_title(ct_simd_loops_need(&p->loops));
    CHECK_FAILS(ct_projector_accepts(p, &request, &error), CT_ERROR_UNSUPPORTED, lacks);
    CHECK_FAILS(ct_projector_prepare(p, &request, NULL, &error), CT_ERROR_UNSUPPORTED, lacks);
  }
  ct_geometry_clear(&g);
}

static bool takes(const ct_projector_request *request, const char *family) {
  const ct_projector *chosen = ct_projector_choose("auto", true, request, NULL, 0, NULL);
  return chosen && ct_projector_usable(chosen) && !strncmp(chosen->id, family, strlen(family));
}

static void automatic(void) {
  ct_geometry g;
  ct_projector_request request;
  ct_error *error = NULL;
  CHECK_OK(make_fan(&g, &request, &error));
  CHECK(takes(&request, "orbit-matrix"));
  ct_geometry_clear(&g);
  CHECK_OK(ct_geometry_init(&g, CT_BEAM_PARALLEL, N, 1, 8, &error));
  ct_geometry_set_arc(&g, 0, M_PI / 8);
  CHECK(takes(&request, "joseph-2d"));
  ct_geometry_clear(&g);
  CHECK_OK(ct_geometry_init(&g, CT_BEAM_CONE, N, N, 8, &error));
  g.sod = 100, g.sdd = 150;
  ct_geometry_set_arc(&g, 0, M_PI / 4);
  request.grid = ct_grid_centred(N, N, N, 1, NULL);
  CHECK(takes(&request, "joseph-3d"));
  ct_geometry_clear(&g);
}

static const ct_test tests[] = {
    {"every projector is complete and found by its id", table},
    {"descriptors state the levels that their loops need", levels},
    {"loops for other processors are refused", refusals},
    {"auto takes the same family at every level", automatic},
};
CT_TEST_MAIN(tests)
