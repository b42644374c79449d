/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The registry: ids, completeness of the descriptors, the choice, and messages of refusals. */
#include "recon/base/machine.h"
#include "recon/bp/choices.h"
#include "recon/bp/groups.h"
#include "recon/geom/questions.h"
#include "recon/simd/level.h"
#include "recon/bp/kernel.h"
#include "tests/test.h"

static bool make_request(ct_geometry *geometry, ct_bp_request *request, ct_beam beam, int nv, int nz,
                         ct_error **error) {
  if (!ct_geometry_init(geometry, beam, 64, nv, 8, error)) return false;
  geometry->sod = 200, geometry->sdd = 300;
  if (geometry->angles) ct_geometry_set_arc(geometry, 0, 0.7);
  if (beam == CT_BEAM_FREE)
    for (int view = 0; view < geometry->views; view++) {
      const double turned[12] = {0.9, 0.3, 0.2, 32, 0.1, -0.3, 1.1, 32, 0.001, 0.002, 0.0005, 1};
      memcpy(geometry->matrices + 12 * view, turned, sizeof turned);
    }
  *request = (ct_bp_request){.geometry = geometry,
                             .grid = ct_grid_centred(48, 48, nz, 1, NULL),
                             .interp = CT_INTERP_LINEAR,
                             .precision = CT_PRECISION_FLOAT32,
                             .threads = 2,
                             .batch = 8};
  return true;
}

static void test_table(void) {
  const ct_bp_table table = ct_bp_cpu_kernels();
  CHECK(table.count >= 2);
  CHECK(!strcmp(table.kernels[0]->id, "textbook"));
  for (size_t n = 0; n < table.count; n++) {
    const ct_bp_kernel *kernel = table.kernels[n];
    CHECK(kernel->id && *kernel->id && kernel->title && kernel->explanation && strlen(kernel->explanation) > 20);
    CHECK(kernel->prepare && kernel->run && kernel->free);
    CHECK(kernel->geometry & CT_TRAIT_PROJECTIVE); /* all read views by their matrices */
    CHECK(kernel->interps && kernel->precisions && kernel->tolerance > 0);
    /* Every interpolation and precision has its names. */
    for (int bit = 0; bit < 32; bit++) {
      CHECK(!(kernel->interps & CT_BIT(bit)) || ct_choice_find(ct_interp_choices, bit));
      CHECK(!(kernel->precisions & CT_BIT(bit)) || ct_choice_find(ct_precision_choices, bit));
    }
    CHECK(strspn(kernel->id, "abcdefghijklmnopqrstuvwxyz0123456789-") == strlen(kernel->id));
    CHECK(ct_bp_find(&table, kernel->id) == kernel); /* ids are unique */
    for (size_t m = 0; m < n; m++) CHECK(strcmp(kernel->title, table.kernels[m]->title));
  }
  CHECK(!ct_bp_find(&table, "no-such-kernel"));
}

static void test_groups(void) {
  enum { MOST = 200 };
  const ct_bp_table table = ct_bp_cpu_kernels();
  const ct_bp_kernel *sorted[MOST];
  int members[CT_BP_GROUPS] = {0};
  CHECK(table.count <= MOST);
  if (table.count > MOST) return;
  ct_bp_sort_by_group(&table, sorted);
  for (size_t i = 0; i < table.count; i++) {
    const ct_bp_group group = ct_bp_group_of(sorted[i]);
    members[group]++;
    CHECK(ct_bp_find(&table, sorted[i]->id) == sorted[i]);
    if (i == 0) continue;
    const ct_bp_group before = ct_bp_group_of(sorted[i - 1]);
    CHECK(before < group || (before == group && (group != CT_BP_GROUP_FAST ||
                                                 ct_bp_highest_rank(sorted[i - 1]) >= ct_bp_highest_rank(sorted[i]))));
  }
  CHECK(members[CT_BP_GROUP_FAST] > 0 && members[CT_BP_GROUP_LADDER] > 10 && members[CT_BP_GROUP_CARD] == 0);
  /* "textbook" and the plain loop that speed-ups are relative to. */
  CHECK(members[CT_BP_GROUP_PLAIN] == 2);
  CHECK(ct_bp_group_of(ct_bp_find(&table, "textbook")) == CT_BP_GROUP_PLAIN);
  CHECK(ct_bp_group_of(ct_bp_find(&table, "chen-share")) == CT_BP_GROUP_LADDER);
}

static void test_choose(void) {
  ct_error *error = NULL;
  const ct_bp_table table = ct_bp_cpu_kernels();
  const struct {
    ct_beam beam;
    int nv, nz;
  } scans[] = {{CT_BEAM_PARALLEL, 40, 40},
               {CT_BEAM_FAN, 1, 1},
               {CT_BEAM_CONE, 40, 40},
               {CT_BEAM_CONE, 40, 1},
               {CT_BEAM_FREE, 40, 40}};
  for (size_t n = 0; n < sizeof scans / sizeof *scans; n++) {
    ct_geometry geometry = {0};
    ct_bp_request request;
    char why[CT_BP_WHY];
    CHECK_OK(make_request(&geometry, &request, scans[n].beam, scans[n].nv, scans[n].nz, &error));
    const ct_bp_kernel *best = ct_bp_choose(&table, "auto", &request, why, sizeof why, &error);
    CHECK_OK(best);
    CHECK(strcmp(best->id, "textbook"));
    CHECK(strstr(why, best->title) == why && why[strlen(why) - 1] == '.');
    CHECK(strstr(why, "; next would be "));
    CHECK(best == ct_bp_choose(&table, NULL, &request, NULL, 0, &error));
    bool passed_over = false;
    for (size_t m = 0; m < table.count; m++) {
      const ct_bp_kernel *kernel = table.kernels[m];
      const bool higher = ct_bp_rank(kernel, &request) > ct_bp_rank(best, &request);
      CHECK(!higher || !ct_bp_accepts(kernel, &request, NULL));
      passed_over = passed_over ||
                    (higher && ct_beam_promises(scans[n].beam, kernel->geometry) &&
                     (kernel->interps & CT_BIT(request.interp)) && (kernel->precisions & CT_BIT(request.precision)));
    }
    CHECK(passed_over == !!strstr(why, "Passed over: "));
    CHECK(ct_bp_choose(&table, "textbook", &request, why, sizeof why, &error) == table.kernels[0]);
    CHECK(!strcmp(why, "Textbook, as chosen."));
    /* Only textbook calculates in double precision, and so is chosen after all. */
    request.precision = CT_PRECISION_FLOAT64;
    CHECK(ct_bp_choose(&table, "auto", &request, why, sizeof why, &error) == table.kernels[0]);
    ct_geometry_clear(&geometry);
  }
}

/* What would have gone first and refuses is named, with its reason; what would not have is not. */
static bool refuse_all(const ct_bp_kernel *kernel, const ct_bp_request *request, ct_error **error) {
  return ct_error_set(error, CT_ERROR_UNSUPPORTED, "Not today.");
}

static void test_passed_over(void) {
  ct_error *error = NULL;
  const ct_bp_table table = ct_bp_cpu_kernels();
  ct_geometry geometry = {0};
  ct_bp_request request;
  char why[CT_BP_WHY];
  CHECK_OK(make_request(&geometry, &request, CT_BEAM_CONE, 40, 40, &error));
  geometry.tilt = 0.1;
  CHECK_OK(ct_bp_choose(&table, "auto", &request, why, sizeof why, &error));
  CHECK(strstr(why, " Passed over: Kernel “Windows along z"));
  ct_bp_kernel wanting = *ct_bp_find(&table, "voxel-loop");
  const ct_bp_kernel *const two[] = {ct_bp_find(&table, "voxel-loop"), &wanting};
  const int rank = ct_bp_rank(two[0], &request);
  wanting.title = "Voxel loop of tomorrow", wanting.rank_for = NULL, wanting.rank = rank + 1;
  wanting.geometry = two[0]->geometry, wanting.accepts = refuse_all;
  CHECK_OK(ct_bp_choose(&(ct_bp_table){.kernels = two, .count = 2}, "auto", &request, why, sizeof why, &error) ==
           two[0]);
  CHECK(strstr(why, " Passed over: Not today."));
  wanting.rank = rank - 1;
  CHECK_OK(ct_bp_choose(&(ct_bp_table){.kernels = two, .count = 2}, "auto", &request, why, sizeof why, &error) ==
           two[0]);
  CHECK(!strstr(why, "tomorrow"));
  ct_geometry_clear(&geometry);
}

/* Planes of a cone beam are read along their lines where they are axial or run along y, along z where they run along x.
 */
static void test_planes(void) {
  ct_error *error = NULL;
  const ct_bp_table table = ct_bp_cpu_kernels();
  const ct_bp_kernel *along_z = ct_bp_find(&table, "z-window-c8"), *along_lines = ct_bp_find(&table, "lines-c8");
  ct_geometry geometry = {0};
  ct_bp_request request;
  CHECK_OK(make_request(&geometry, &request, CT_BEAM_CONE, 40, 40, &error));
  for (int plane = 0; plane < 3; plane++) {
    request.grid = ct_grid_centred(plane == 0 ? 1 : 48, plane == 1 ? 1 : 48, plane == 2 ? 1 : 48, 1, NULL);
    CHECK_OK(ct_bp_accepts(along_z, &request, &error) && ct_bp_accepts(along_lines, &request, &error));
    CHECK((ct_bp_rank(along_z, &request) > ct_bp_rank(along_lines, &request)) == (plane == 1));
  }
  ct_geometry_clear(&geometry);
}

/* Columns that step over more rows than windows have are no longer first; nor are layouts of views that have almost as
 * many pixels as the grid has voxels. */
static void test_coarse(void) {
  static const struct {
    int nv, edge;
    double voxel;
    ct_beam beam;
    const char *first, *last;
  } grids[] = {
      {64, 48, 1, CT_BEAM_CONE, "z-window-c8", "free-c8"},   {64, 48, 1, CT_BEAM_FREE, "free-c8", "lines-c8"},
      {640, 48, 6, CT_BEAM_CONE, "lines-c8", "z-window-c8"}, {640, 48, 6, CT_BEAM_FREE, "lines-c8", "free-c8"},
      {640, 100, 6, CT_BEAM_CONE, "free-c8", "z-window-c8"}, {640, 100, 6, CT_BEAM_FREE, "free-c8", "lines-c8"},
      {640, 48, 1, CT_BEAM_CONE, "z-window-c8", "lines-c8"}};
  const ct_bp_table table = ct_bp_cpu_kernels();
  for (size_t n = 0; n < sizeof grids / sizeof *grids; n++) {
    ct_error *error = NULL;
    ct_geometry geometry = {0};
    ct_bp_request request;
    CHECK_OK(make_request(&geometry, &request, grids[n].beam, grids[n].nv, 40, &error));
    geometry.sod = 2000, geometry.sdd = 3000;
    request.grid = ct_grid_centred(grids[n].edge, grids[n].edge, grids[n].edge, grids[n].voxel, NULL);
    const ct_bp_kernel *first = ct_bp_find(&table, grids[n].first), *last = ct_bp_find(&table, grids[n].last);
    CHECK_OK(ct_bp_accepts(first, &request, &error) && ct_bp_accepts(last, &request, &error));
    CHECK(ct_bp_rank(first, &request) > ct_bp_rank(last, &request));
    ct_geometry_clear(&geometry);
  }
}

static void test_refusals(void) {
  ct_error *error = NULL;
  const ct_bp_table table = ct_bp_cpu_kernels();
  ct_geometry geometry = {0};
  ct_bp_request request;
  CHECK_OK(make_request(&geometry, &request, CT_BEAM_CONE, 40, 40, &error));
  CHECK_FAILS(ct_bp_choose(&table, "cone-windoww", &request, NULL, 0, &error), CT_ERROR_UNSUPPORTED, "cone-windoww");
  const ct_bp_kernel *loop = ct_bp_find(&table, "voxel-loop");
  CHECK(loop);
  request.precision = CT_PRECISION_FLOAT64;
  CHECK_FAILS(ct_bp_accepts(loop, &request, &error), CT_ERROR_UNSUPPORTED, "float64");
  request.precision = CT_PRECISION_FLOAT32;
  ct_bp_kernel other = *loop;
  other.geometry = CT_GEOMETRY_PARALLEL;
  CHECK_FAILS(ct_bp_accepts(&other, &request, &error), CT_ERROR_UNSUPPORTED, "cone");
  other = *loop, other.interps = CT_BIT(CT_INTERP_NEAREST);
  CHECK_FAILS(ct_bp_accepts(&other, &request, &error), CT_ERROR_UNSUPPORTED, "Linear");
  /* Kernels of every level say all of themselves on any machine; those above its level name what is missing. */
  for (size_t n = 0; n < table.count; n++) {
    const ct_bp_kernel *kernel = table.kernels[n];
    if (kernel->memory) kernel->memory(kernel, &request);
    CHECK(ct_bp_rank(kernel, &request) >= 0);
    CHECK(ct_bp_runs_here(kernel) == (ct_bp_needs(kernel) <= ct_simd_usable()));
    if (ct_bp_runs_here(kernel)) continue;
    CHECK_FAILS(ct_bp_accepts(kernel, &request, &error), CT_ERROR_UNSUPPORTED, ct_simd_title(ct_bp_needs(kernel)));
  }
  request.threads = 0;
  CHECK_FAILS(ct_bp_choose(&table, "auto", &request, NULL, 0, &error), CT_ERROR_ARGUMENT, "thread");
  request.threads = 1, request.grid.nx = 0;
  CHECK_FAILS(ct_bp_accepts(loop, &request, &error), CT_ERROR_ARGUMENT, "");
  request.grid.nx = 8, request.precision = CT_PRECISION_INT16;
  const ct_bp_kernel *only_slabs[] = {ct_bp_find(&table, "slabs")};
  CHECK_FAILS(ct_bp_choose(&(ct_bp_table){.kernels = only_slabs, .count = 1}, "auto", &request, NULL, 0, &error),
              CT_ERROR_UNSUPPORTED, "int16. Choose single precision.");
  ct_geometry_clear(&geometry);
}

/* 16-bit integers: integer arithmetic goes first, for parallel beam from AVX2 on, for all with VNNI; where a kernel
 * does not serve, what is missing is named unless no processor would do. */
static void test_int16(void) {
  ct_error *error = NULL;
  const ct_bp_table table = ct_bp_cpu_kernels();
  const bool avx2 = ct_simd_usable() >= CT_SIMD_V3, vnni = ct_simd_usable() >= CT_SIMD_V4_VNNI;
  if (!ct_bp_find(&table, "slices-int16")) SKIP("kernels of 16-bit integers are made for x86-64");
  ct_geometry geometry = {0};
  ct_bp_request request;
  CHECK_OK(make_request(&geometry, &request, CT_BEAM_PARALLEL, 40, 40, &error));
  request.precision = CT_PRECISION_INT16;
  const ct_bp_kernel *best = ct_bp_choose(&table, "auto", &request, NULL, 0, &error);
  CHECK(vnni ? best == ct_bp_find(&table, "slices-int16") : !avx2 || best == ct_bp_find(&table, "slices-int16-avx2"));
  ct_error_clear(&error);
  const ct_bp_kernel *wide = ct_bp_find(&table, "slices-int16"), *narrow = ct_bp_find(&table, "slices-int16-avx2");
  request.grid.nz = 9;
  CHECK(ct_bp_rank(wide, &request) > ct_bp_rank(narrow, &request));
  request.grid.nz = 8;
  CHECK(ct_bp_rank(wide, &request) < ct_bp_rank(narrow, &request));
  request.grid.ny = 1;
  CHECK(ct_bp_rank(wide, &request) > ct_bp_rank(narrow, &request));
  request.grid.ny = request.grid.nx;
  geometry.tilt = 0.1;
  CHECK_FAILS(ct_bp_choose(&table, "slices-int16-avx2", &request, NULL, 0, &error), CT_ERROR_UNSUPPORTED,
              avx2 ? "need a detector without tilt" : "needs a processor with AVX2");
  CHECK_OK(ct_bp_choose(&table, "auto", &request, NULL, 0, &error));
  ct_geometry_clear(&geometry);
  CHECK_OK(make_request(&geometry, &request, CT_BEAM_CONE, 40, 40, &error));
  request.precision = CT_PRECISION_INT16;
  const ct_bp_kernel *integers = ct_bp_find(&table, "z-window-int16");
  best = ct_bp_choose(&table, "auto", &request, NULL, 0, &error);
  CHECK_OK(best && (!vnni || best == integers));
  if (!vnni)
    CHECK_FAILS(ct_bp_choose(&(ct_bp_table){.kernels = &integers, .count = 1}, "auto", &request, NULL, 0, &error),
                CT_ERROR_UNSUPPORTED, "needs a processor with AVX-512 VNNI.");
  ct_geometry_clear(&geometry);
}

static void test_ids(void) {
  for (int a = 0; a < 5; a++)
    for (int b = 0; b < a; b++) CHECK(strcmp(ct_interp_id((ct_interp)a), ct_interp_id((ct_interp)b)));
  for (int a = 0; a < 4; a++)
    for (int b = 0; b < a; b++) CHECK(strcmp(ct_precision_id((ct_precision)a), ct_precision_id((ct_precision)b)));
  CHECK(!strcmp(ct_interp_id(CT_INTERP_LINEAR), "linear"));
  CHECK(!strcmp(ct_precision_id(CT_PRECISION_INT16), "int16"));
}

/* 64 views for kernels that ask for nothing, and never fewer; more while a run stays brief, up to what is asked for. */
static void test_batch(void) {
  const ct_bp_table table = ct_bp_cpu_kernels();
  const int edges[] = {16, 256, 512, 700, 2000};
  int asking = 0;
  for (size_t n = 0; n < table.count; n++)
    for (size_t e = 0, before = 100000; e < sizeof edges / sizeof *edges; e++) {
      const ct_bp_kernel *kernel = table.kernels[n];
      const ct_grid grid = ct_grid_centred(edges[e], edges[e], edges[e], 1, NULL);
      const int batch = ct_bp_batch_views(kernel, &grid);
      CHECK(batch >= 64 && batch <= (kernel->batch > 64 ? kernel->batch : 64) && (size_t)batch <= before);
      CHECK(e > 0 || kernel->batch <= 64 || batch == kernel->batch);
      before = (size_t)batch, asking += e == 0 && batch > 64;
    }
  const ct_grid largest = ct_grid_centred(2000, 2000, 2000, 1, NULL), small = ct_grid_centred(16, 16, 16, 1, NULL);
  CHECK(asking > 0 && ct_bp_batch_views(ct_bp_find(&table, "slices-c8"), &largest) == 64);
  CHECK(ct_bp_batch_views(NULL, &small) == 64);
}

static const ct_test tests[] = {
    {"every descriptor is complete", test_table},
    {"every kernel has its group", test_groups},
    {"auto takes the highest rank that applies", test_choose},
    {"what was passed over is told", test_passed_over},
    {"planes are read along the better direction", test_planes},
    {"coarse grids have an order of their own", test_coarse},
    {"refusals say why", test_refusals},
    {"16-bit integers are chosen, or refused with what is missing", test_int16},
    {"ids are distinct", test_ids},
    {"a run carries more views where it stays brief", test_batch},
};
CT_TEST_MAIN(tests)
