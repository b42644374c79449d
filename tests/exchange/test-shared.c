/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A volume shared out among ranks, which are played one after the other: every missing slice belongs to one slab, and
 * what the ranks of all columns and groups make adds up to the volume that one process makes. */
#include "tests/solve/bench.h"
#include "tests/solve/simulate.h"
#include "tests/test.h"

#include "recon/base/memory.h"
#include "recon/solve/shared.h"

#include <math.h>
#include <string.h>

static void cuts(void) {
  enum { NZ = 53 };
  unsigned char done[NZ];
  for (int pattern = 0; pattern < 5; pattern++)
    for (int columns = 1; columns < 60; columns += 1 + columns / 4)
      for (int height = 1; height < 60; height += 7) {
        const int together = 1 + height % 2;
        const ct_shares shares = {.groups = 1, .columns = columns, .height = height + 1, .together = together};
        int seen[NZ] = {0}, most = 0, least = NZ;
        for (int k = 0; k < NZ; k++) done[k] = pattern == 0 ? 0 : pattern == 4 ? 1 : k % (pattern + 3) == 1 || k < 9;
        for (int column = 0; column < columns; column++) {
          ct_slices *slabs;
          int count, slices = 0;
          CHECK(ct_shares_slabs(&shares, column, NZ, done, &slabs, &count, NULL));
          for (int i = 0; i < count; i++) {
            CHECK(slabs[i].count > 0 && slabs[i].count <= shares.height && slabs[i].first % together == 0 &&
                  slabs[i].first + slabs[i].count <= NZ);
            for (int k = 0; k < slabs[i].count; k++) seen[slabs[i].first + k]++;
            slices += slabs[i].count;
          }
          most = slices > most ? slices : most;
          least = slices < least ? slices : least;
          ct_free(slabs);
        }
        /* a slice is made again where the one that belongs to it is missing */
        for (int k = 0; k < NZ; k++) {
          const int pair = k ^ 1;
          CHECK(seen[k] == (!done[k] || (together > 1 && pair < NZ && !done[pair])));
        }
        CHECK(most - least <= together);
      }
}

static void thickness(void) {
  /* Sums need four slabs; without them slabs are thick, unless too much would be lost with a rank. */
  const double small = 1e6, large = 1e11;
  CHECK(ct_shared_slab_slices(256, 2, small) == 64 && ct_shared_slab_slices(256, 1, small) == 256);
  CHECK(ct_shared_slab_slices(1300, 1, small) == 325 && ct_shared_slab_slices(1000, 1, small) == 250);
  CHECK(ct_shared_slab_slices(256, 1, large) == 64 && ct_shared_slab_slices(256, 1, 1e10) == 86);
  CHECK(ct_shared_slab_slices(20, 2, small) == 20 && ct_shared_slab_slices(33, 2, small) == 17 &&
        ct_shared_slab_slices(9, 3, small) == 9 && ct_shared_slab_slices(1, 1, large) == 1);
  /* As they are cut, none is thinner than sixteen slices but of a column that is. */
  for (int nz = 1; nz < 300; nz++)
    for (int way = 0; way < 8; way++) {
      const int groups = 1 + way % 2;
      ct_shares shares = {.groups = groups, .columns = 1, .together = 1};
      shares.height = ct_shared_slab_slices(nz, groups, 1e10 * (1 + way * way));
      ct_slices *slabs;
      int count;
      CHECK(ct_shares_slabs(&shares, 0, nz, NULL, &slabs, &count, NULL));
      for (int i = 0; i < count; i++) CHECK(slabs[i].count <= shares.height && slabs[i].count >= (nz < 16 ? nz : 16));
      ct_free(slabs);
    }
}

/* Adds up what each rank hands over, in the place of a sum over the column. */
typedef struct sums {
  ct_exchange_way way;
  const ct_slices *slabs;
  int at, count;
  int64_t told; /* of its work, in thousandths, when it told last */
  bool fits;
  float *volume;
} sums;

static bool add_slab(ct_exchange *x, float *slab, size_t slice, int slices, ct_error **error) {
  sums *own = x->state;
  own->fits = own->fits && own->slabs[own->at].count == slices;
  own->fits = own->fits && own->told == 1000 * (own->at + 1) / own->count;
  float *to = own->volume + (size_t)own->slabs[own->at++].first * slice;
  for (size_t n = 0; n < slice * (size_t)slices; n++) to[n] += slab[n];
  return true;
}

/* As one does to which the others are as quick. */
static bool note_pulse(ct_exchange *x, const ct_pulse *now, ct_pulse *all) {
  sums *own = x->state;
  own->told = now->done;
  *all = *now;
  return true;
}

static bool ignore(void *user, const float *slices, int first, int count, ct_error **error) {
  *(int *)user += count;
  return true;
}

static void check_volume(const simulation *s, int groups, int columns) {
  bench b;
  ct_found found;
  ct_shares shares;
  ct_error *error = NULL;
  int handed = 0;
  CHECK_OK(bench_take(&b, sim_scan(s, &error), &error));
  b.plan.threads = 2;
  ct_volume *whole = ct_pipeline_volume(b.pipeline, &b.plan, NULL, NULL, &error);
  CHECK_OK(whole);
  const ct_grid *grid = ct_volume_grid(whole);
  const size_t voxels = ct_grid_voxels(grid);
  float *all = ct_alloc_zero(voxels, sizeof *all, "a volume", NULL);
  CHECK_OK(ct_pipeline_find(b.pipeline, &b.plan, 0, &found, NULL, &error));
  CHECK(ct_grid_matches(&found.grid, grid));
  const ct_backend processor = ct_backend_of_processor();
  const ct_share_request request = {.found = &found,
                                    .scan = b.scan,
                                    .backend = &processor,
                                    .ranks = groups * columns,
                                    .groups = groups,
                                    .columns = columns};
  CHECK_OK(ct_plan_shares(&request, &shares, &error));
  ct_exchange *alone = ct_exchange_alone(&error);
  for (int rank = 0; rank < groups * columns; rank++) {
    ct_pipeline *fresh = ct_pipeline_new(b.scan, NULL, &error);
    ct_slices *slabs;
    int count;
    CHECK(ct_shares_slabs(&shares, rank % columns, found.grid.nz, NULL, &slabs, &count, NULL));
    sums own = {.way = *alone->way, .slabs = slabs, .count = count, .fits = true, .volume = all};
    own.way.begin_sum = add_slab;
    own.way.pulse = note_pulse;
    ct_exchange x = {.way = &own.way,
                     .ranks = groups * columns,
                     .locals = 1,
                     .group = rank / columns,
                     .groups = groups,
                     .column = rank % columns,
                     .columns = columns,
                     .state = &own};
    const ct_shared_request work = {.found = &found, .shares = &shares, .user = &handed, .write = ignore};
    CHECK_OK(ct_pipeline_shared(fresh, &work, &x, NULL, &error));
    CHECK(own.fits && own.at == count);
    ct_free(slabs);
    ct_pipeline_free(fresh);
  }
  alone->way->leave(alone);
  CHECK(handed == found.grid.nz);
  double most = 0, apart = 0;
  const float *expected = ct_volume_get_data(whole);
  for (size_t n = 0; n < voxels; n++) {
    most = fmax(most, fabs((double)expected[n]));
    apart = fmax(apart, fabs((double)expected[n] - (double)all[n]));
  }
  CHECK(apart < 4e-6 * most);
  ct_free(all);
  ct_volume_free(whole);
  bench_close(&b);
}

static const simulation cone = {CT_BEAM_CONE, 40, 37, 31, 360, 1.3, "shepp-logan-3d"};
static const simulation parallel = {CT_BEAM_PARALLEL, 40, 21, 23, 180, -0.8, "shepp-logan-3d"};

static void groups_and_columns(void) {
  check_volume(&cone, 3, 2);
}

static void uneven(void) {
  check_volume(&parallel, 25, 1);
  check_volume(&parallel, 1, 5);
}

/* Another rank that fails where this one asks for the `at`-th time whether all went well; what is called after
 * that would wait for it for ever. */
typedef struct other {
  ct_exchange_way way;
  int asked, at, after;
} other;

static bool agree_with_other(ct_exchange *x, bool good, ct_error **error) {
  other *own = x->state;
  if (x->refused) own->after++;
  if (good && ++own->asked != own->at) return true;
  x->refused++;
  return good ? ct_error_set(error, CT_ERROR_IO, "The other rank failed.") : false;
}
static void sum_with_other(ct_exchange *x, double *values, int count) {
  other *own = x->state;
  if (x->refused) own->after++;
}
static void add_with_other(ct_exchange *x, float *values, size_t count) {
  sum_with_other(x, NULL, 0);
}

/* *asked: the number of times that a run asks; with at > 0 it must end there, with the other's error, and call nothing
 * more. */
static void iterate_beside(bench *b, ct_method method, int at, double memory, int *asked) {
  ct_found found;
  ct_error *error = NULL;
  ct_exchange *alone = ct_exchange_alone(&error);
  ct_job *job = ct_job_new(&error);
  other own = {*alone->way, 0, at, 0};
  own.way.agree = agree_with_other;
  own.way.sum_numbers = sum_with_other;
  own.way.sum_values = add_with_other;
  ct_exchange x = {.way = &own.way, .ranks = 1, .locals = 1, .groups = 1, .columns = 1, .state = &own};
  b->plan.iterative.method = (int)method;
  b->plan.iterative.iterations = 2;
  CHECK_OK(ct_pipeline_find(b->pipeline, &b->plan, 0, &found, NULL, &error));
  const ct_shared_iteration request = {.found = &found, .memory = memory};
  int iterations;
  ct_volume *volume = ct_pipeline_shared_iterated(b->pipeline, &request, &x, &iterations, job, &error);
  CHECK((volume != NULL) == (at == 0 && memory == 0) && own.after == 0 && x.refused == !volume);
  if (at > 0) CHECK(error && strcmp(error->message, "The other rank failed.") == 0);
  if (memory > 0) CHECK(error && error->code == CT_ERROR_MEMORY && strstr(error->message, "31 x 29 x 9"));
  ct_error_clear(&error);
  ct_volume_free(volume);
  ct_job_free(job);
  alone->way->leave(alone);
  *asked = own.asked;
}

static void iterations_end_together(void) {
  static const simulation small = {CT_BEAM_CONE, 12, 31, 13, 360, 0, "shepp-logan-3d"};
  static const ct_method methods[] = {CT_METHOD_SIRT, CT_METHOD_CGLS};
  bench b;
  ct_error *error = NULL;
  CHECK_OK(bench_take(&b, sim_scan(&small, &error), &error));
  b.plan.threads = 1;
  b.plan.nx = 31;
  b.plan.ny = 29;
  b.plan.nz = 9;
  for (int m = 0; m < 2; m++) {
    int asked = 0, ignored;
    iterate_beside(&b, methods[m], 0, 0, &asked);
    CHECK(asked > 8);
    for (int at = 1; at <= asked; at++) iterate_beside(&b, methods[m], at, 0, &ignored);
    iterate_beside(&b, methods[m], 0, 1e4, &ignored);
  }
  bench_close(&b);
}

static const ct_test tests[] = {
    {"every missing slice belongs to one slab of one column, the columns even", cuts},
    {"slabs are thick where nothing is added up, and little is lost with a rank", thickness},
    {"cone: 3 view groups x 2 columns add up to the volume", groups_and_columns},
    {"parallel: more groups than views, uneven columns", uneven},
    {"SIRT and CGLS end with the error of another rank wherever it fails, and say what memory they need",
     iterations_end_together},
};
CT_TEST_MAIN(tests)
