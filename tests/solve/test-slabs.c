/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Volumes in slabs: the same values as the volume at once, whatever the budget, within the budget, with few rows read
 * where the projections do not fit; planes that fill up; cancel, finish early and a failing sink. */
#include "tests/solve/bench.h"
#include "tests/solve/collector.h"
#include "tests/solve/simulate.h"
#include "tests/test.h"

#include "recon/base/memory.h"
#include "recon/solve/pipeline-private.h"
#include "recon/solve/overview.h"
#include "recon/solve/slabs.h"

static const simulation cone = {CT_BEAM_CONE, 48, 44, 60, 360, 1.3, "shepp-logan-3d"};
static const simulation parallel = {CT_BEAM_PARALLEL, 48, 44, 90, 180, 1.3, "shepp-logan-3d"};

static bool bench_open(bench *b, const simulation *s, ct_error **error) {
  const bool good = bench_take(b, sim_scan(s, error), error);
  b->plan.threads = 2;
  /* The cone's phantom reaches beyond one side by a fraction of a pixel. */
  b->plan.filter.redundancy = CT_REDUNDANCY_FULL;
  return good;
}

/* The volume in slabs for budgets from all at once down to what is refused: every way to hold the projections comes up.
 */
static void compare_budgets(const simulation *s, bool corrected, ct_redundancy redundancy, double bound) {
  bench b;
  ct_error *error = NULL;
  CHECK_OK(bench_open(&b, s, &error));
  b.plan.filter.redundancy = redundancy;
  b.plan.filter.on_card = true;
  if (corrected) {
    b.plan.prep.outlier = 4;
    b.plan.prep.rings = CT_RINGS_SORTING;
    b.plan.nz = 30; /* rows of the detector stay unread */
  }
  ct_volume *whole = ct_pipeline_volume(b.pipeline, &b.plan, NULL, NULL, &error);
  CHECK_OK(whole);
  /* All turn about the same axis: the search itself looks at other rows where the projections do not fit. */
  b.plan.centre_method = CT_CENTRE_FOUND;
  b.plan.centre_u = ct_pipeline_get_facts(b.pipeline)->centre_u;
  ct_slab_plan all, slabs;
  CHECK_OK(ct_plan_slabs(&b.plan, b.scan, NULL, 1e12, &all, &error));
  CHECK(all.count == 1 && all.height == all.grid.nz && all.copies == 2 && all.overview_step == 1);
  bool seen[3] = {false};
  int runs = 0;
  for (double budget = 0.999 * all.total; ct_plan_slabs(&b.plan, b.scan, NULL, budget, &slabs, &error);
       budget *= 0.8, runs++) {
    CHECK(slabs.count > 1 || slabs.copies < 2 || slabs.overview_step > 1);
    CHECK(slabs.total <= budget && slabs.count * slabs.height >= slabs.grid.nz);
    CHECK((slabs.count - 1) * slabs.height < slabs.grid.nz);
    /* Under sanitizers a run takes seconds: each way once. */
    if (seen[slabs.copies] && (runs % 3 || !getenv("CT_TEST_WHOLE"))) continue;
    seen[slabs.copies] = true;
    ct_pipeline *fresh = ct_pipeline_new(b.scan, NULL, &error);
    collector c = {.pipeline = fresh};
    const ct_slab_sink sink = {&c, collect};
    const bool made = ct_pipeline_slabs(fresh, &b.plan, &slabs, &sink, NULL, NULL, NULL, &error);
    if (!made && redundancy == CT_REDUNDANCY_AUTO && error->code == CT_ERROR_MEMORY && slabs.copies == 0) {
      ct_pipeline_free(fresh); /* nothing fits the wider grid */
      break;
    }
    CHECK_OK(made);
    CHECK(c.slabs == slabs.count && c.slices == slabs.grid.nz && !c.out_of_order);
    CHECK_BELOW(c.held, slabs.projections + 1);
    /* The processor filters; where the projections are held for all slabs that is why. */
    const ct_warning *filter = ct_warnings_find(ct_pipeline_get_facts(fresh)->warnings, CT_WARNING_SETTING);
    CHECK(filter && strstr(filter->text, "filter.on_card") && !strstr(filter->text, "in slabs") == !slabs.copies);
    CHECK_BELOW(difference(c.data, ct_volume_get_data(whole), ct_grid_voxels(&slabs.grid)), bound);
    ct_plan told, expected;
    ct_plan_init(&told);
    ct_plan_init(&expected);
    CHECK_OK(c.plan && ct_plan_from_json(&told, NULL, c.plan, &error) &&
             ct_plan_from_json(&expected, NULL, ct_volume_get_plan(whole), &error));

    CHECK(ct_plan_equal(&told, &expected));
    CHECK(ct_pipeline_get_facts(fresh)->grid.nz == slabs.grid.nz);
    collector_clear(&c);
    ct_pipeline_free(fresh);
  }
  CHECK(error && error->code == CT_ERROR_MEMORY && strstr(error->message, "one slice"));
  ct_error_clear(&error);
  CHECK(seen[0] && seen[1] && runs > 4);
  ct_volume_free(whole);
  bench_close(&b);
}

static void cone_slabs_are_the_volume(void) {
  compare_budgets(&cone, false, CT_REDUNDANCY_FULL, 1e-6);
}
static void parallel_slabs_are_the_volume(void) {
  compare_budgets(&parallel, false, CT_REDUNDANCY_AUTO, 1e-6);
}
static void corrected_slabs_are_the_volume(void) {
  compare_budgets(&cone, true, CT_REDUNDANCY_FULL, 1e-6);
}
/* Slices are transformed in pairs: slabs have whole ones, but where only a single slice fits. */
static void fourier_slabs_are_the_volume(void) {
  bench b;
  ct_error *error = NULL;
  CHECK_OK(bench_open(&b, &parallel, &error));
  b.plan.iterative.method = CT_METHOD_FOURIER;
  b.plan.nz = 37;
  ct_volume *whole = ct_pipeline_volume(b.pipeline, &b.plan, NULL, NULL, &error);
  ct_slab_plan slabs;
  int counts = 0;
  CHECK_OK(whole && ct_plan_slabs(&b.plan, b.scan, NULL, 1e12, &slabs, &error));
  for (double budget = 0.999 * slabs.total; ct_plan_slabs(&b.plan, b.scan, NULL, budget, &slabs, &error);
       budget *= 0.9) {
    if (slabs.height < 2 || slabs.count <= counts) continue;
    CHECK(slabs.count == 1 || slabs.height % 2 == 0);
    CHECK(slabs.total <= budget);
    counts = slabs.count;
    ct_pipeline *fresh = ct_pipeline_new(b.scan, NULL, &error);
    collector c = {.pipeline = fresh};
    const ct_slab_sink sink = {&c, collect};
    CHECK_OK(ct_pipeline_slabs(fresh, &b.plan, &slabs, &sink, NULL, NULL, NULL, &error));
    CHECK(memcmp(c.data, ct_volume_get_data(whole), ct_grid_voxels(&slabs.grid) * sizeof(float)) == 0);
    collector_clear(&c);
    ct_pipeline_free(fresh);
  }
  ct_error_clear(&error);
  CHECK(counts > 3);
  ct_volume_free(whole);
  bench_close(&b);
}
/* The phantom reaches beyond the narrow side, which only the data tell: the grid is wider than was planned for. Rays
 * count whole there, and so does their rounding. */
static void displaced_slabs_are_the_volume(void) {
  compare_budgets(&cone, false, CT_REDUNDANCY_AUTO, 2e-6);
}

/* Slabs of about `height` slices whose projections are read anew for each. */
static bool plan_tightly(const bench *b, int height, ct_slab_plan *slabs) {
  for (double budget = 1e8; ct_pipeline_plan_slabs(b->pipeline, &b->plan, budget, slabs, NULL); budget *= 0.97)
    if (slabs->copies == 0 && slabs->height <= height) return true;
  return false;
}

/* The rows of a scan that are read; reads from `short_from` on, `shorts` of them, find no memory. */
typedef struct {
  ct_scan *scan;
  double rows;
  int reads, short_from, shorts;
} meter;

static bool read_metered(void *state, ct_frame_kind kind, int index, int row0, int rows, float *out, ct_error **error) {
  meter *m = state;
  m->rows += rows;
  if (m->reads++ >= m->short_from && m->shorts > 0) {
    m->shorts--;
    return ct_error_set(error, CT_ERROR_MEMORY, "no room for a row");
  }
  return ct_scan_read(m->scan, kind, index, row0, rows, out, error);
}

static void free_metered(void *state) {
  (void)state;
}

static ct_scan *meter_scan(meter *m, ct_error **error) {
  const ct_scan_source source = {.state = m, .read = read_metered, .free = free_metered};
  return ct_scan_new(ct_scan_get_facts(m->scan), source, error);
}

static void few_rows_are_read(void) {
  bench b;
  ct_error *error = NULL;
  CHECK_OK(bench_open(&b, &parallel, &error));
  b.plan.centre_method = CT_CENTRE_SCAN;
  meter m = {b.scan, 0, 0, 0, 0};
  ct_scan *metered = meter_scan(&m, &error);
  CHECK_OK(metered);
  uint64_t checksum;
  CHECK_OK(ct_scan_checksum(metered, &checksum, &error)); /* looks at some frames, once */
  m.rows = 0;
  ct_pipeline *pipeline = ct_pipeline_new(metered, NULL, &error);
  collector c = {.pipeline = pipeline};
  const ct_slab_sink sink = {&c, collect};
  ct_slab_plan slabs;
  CHECK(plan_tightly(&b, 11, &slabs));
  CHECK_OK(ct_pipeline_slabs(pipeline, &b.plan, &slabs, &sink, NULL, NULL, NULL, &error));
  CHECK(c.slabs >= 4);
  /* Each row once, those of the middle slab twice (for the axis), and the margins of the slabs. */
  CHECK_BELOW(m.rows, parallel.views * (44 + (c.slabs + 1) * 14.0 + 44.0 / c.slabs));
  collector_clear(&c);
  ct_pipeline_free(pipeline);
  ct_scan_free(metered);
  bench_close(&b);
}

/* Memory that was free when the slabs were cut is gone: they become thinner while none is handed on, and the volume
 * stays the same; later, or time after time, the run ends. */
static void slabs_become_thinner(void) {
  static const struct {
    int first, shorts; /* in hundredths of all reads */
    bool made;
  } cases[] = {{0, 1, true}, {5, 2, true}, {0, 9, false}, {60, 1, false}};
  bench b;
  ct_error *error = NULL;
  CHECK_OK(bench_open(&b, &cone, &error));
  b.plan.centre_method = CT_CENTRE_SCAN;
  ct_volume *whole = ct_pipeline_volume(b.pipeline, &b.plan, NULL, NULL, &error);
  CHECK_OK(whole);
  int reads = 0;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    meter m = {b.scan, 0, 0, 0, 0};
    ct_scan *metered = meter_scan(&m, &error);
    ct_pipeline *pipeline = ct_pipeline_new(metered, NULL, &error);
    CHECK_OK(pipeline);
    uint64_t checksum;
    CHECK_OK(ct_scan_checksum(metered, &checksum, &error));
    collector c = {.pipeline = pipeline};
    const ct_slab_sink sink = {&c, collect};
    ct_slab_plan slabs;
    CHECK(plan_tightly(&b, 16, &slabs));
    const int height = slabs.height;
    m.short_from = m.reads + reads * cases[i].first / 100;
    m.shorts = cases[i].shorts;
    const int before = m.reads;
    const bool made = ct_pipeline_slabs(pipeline, &b.plan, &slabs, &sink, NULL, NULL, NULL, &error);
    if (!reads) reads = m.reads - before;
    CHECK(made == cases[i].made);
    if (made) {
      CHECK(slabs.height < height && c.slabs == slabs.count && m.shorts == 0);
      CHECK_BELOW(difference(c.data, ct_volume_get_data(whole), ct_grid_voxels(&slabs.grid)), 1e-6);
    } else {
      CHECK(error->code == CT_ERROR_MEMORY && (c.slabs > 0) == (cases[i].first > 50));
      ct_error_clear(&error);
    }
    collector_clear(&c);
    ct_pipeline_free(pipeline);
    ct_scan_free(metered);
  }
  ct_volume_free(whole);
  bench_close(&b);
}

static void planes_fill_up(void) {
  bench b;
  ct_error *error = NULL;
  CHECK_OK(bench_open(&b, &parallel, &error));
  b.plan.mask = 0;
  viewer v = {.later_is_empty = true};
  const ct_publisher publisher = {&v, look};
  collector c = {.pipeline = b.pipeline};
  const ct_slab_sink sink = {&c, collect};
  ct_slab_plan slabs;
  CHECK(plan_tightly(&b, 15, &slabs));
  CHECK_OK(ct_pipeline_slabs(b.pipeline, &b.plan, &slabs, &sink, &publisher, NULL, NULL, &error));
  CHECK(c.slabs >= 3 && v.calls >= 2 * c.slabs && v.grids_agree && v.later_is_empty);
  CHECK(v.grid.nz == 44 && v.levels_seen > 40 && v.deepest >= 44 - 15);
  collector_clear(&c);
  bench_close(&b);
}

static void finish_early_takes_the_same_views(void) {
  bench b;
  ct_error *error = NULL;
  CHECK_OK(bench_open(&b, &parallel, &error));
  b.plan.batch = 8;
  for (int late = 0; late < 2; late++) {
    ct_job *job = ct_job_new(&error);
    CHECK_OK(job);
    /* Within the first slab of 90 views in batches of 8; and in the second one. */
    viewer v = {.job = job, .finish_at = late ? 14 : 4};
    const ct_publisher publisher = {&v, look};
    collector c = {.pipeline = b.pipeline};
    const ct_slab_sink sink = {&c, collect};
    int views = 0;
    ct_slab_plan slabs;
    CHECK(plan_tightly(&b, 15, &slabs));
    CHECK_OK(ct_pipeline_slabs(b.pipeline, &b.plan, &slabs, &sink, &publisher, &views, job, &error));
    CHECK(views == (late ? 90 : 32) && c.slices == 44);
    ct_plan some = b.plan;
    ct_job *early = ct_job_new(&error);
    /* A run that is asked to finish before it begins ends after its first batch. */
    if (!late) ct_job_finish_early(early);
    some.batch = 32;
    ct_volume *whole = ct_pipeline_volume(b.pipeline, &some, NULL, early, &error);
    CHECK_OK(whole);
    CHECK_BELOW(difference(c.data, ct_volume_get_data(whole), ct_grid_voxels(ct_volume_grid(whole))), 1e-6);
    ct_volume_free(whole);
    ct_job_free(early);
    ct_job_free(job);
    collector_clear(&c);
  }
  bench_close(&b);
}

static void cancel_and_faults_end_the_run(void) {
  bench b;
  ct_error *error = NULL;
  CHECK_OK(bench_open(&b, &cone, &error));
  ct_job *job = ct_job_new(&error);
  collector c = {.pipeline = b.pipeline, .job = job, .cancel_at = 2};
  const ct_slab_sink sink = {&c, collect};
  ct_slab_plan slabs;
  CHECK(plan_tightly(&b, 11, &slabs));
  CHECK_FAILS(ct_pipeline_slabs(b.pipeline, &b.plan, &slabs, &sink, NULL, NULL, job, &error), CT_ERROR_CANCELLED, "");
  CHECK(c.slabs == 2);
  ct_job_free(job);
  collector_clear(&c);
  c = (collector){.pipeline = b.pipeline, .fail_at = 3};
  CHECK_FAILS(ct_pipeline_slabs(b.pipeline, &b.plan, &slabs, &sink, NULL, NULL, NULL, &error), CT_ERROR_IO, "full");
  CHECK(c.slabs == 3);
  collector_clear(&c);
  /* The pipeline is as good as before. */
  float *plane = ct_alloc(48 * 48, sizeof *plane, "a plane", NULL);
  CHECK_OK(ct_pipeline_slice(b.pipeline, &b.plan, CT_AXIAL, 22, plane, NULL, &error));
  CHECK(ct_pipeline_get_line_integrals(b.pipeline) && ct_pipeline_get_filtered(b.pipeline));
  ct_free(plane);
  bench_close(&b);
}

static void the_overview_holds_means(void) {
  ct_error *error = NULL;
  const ct_grid grid = ct_grid_centred(7, 5, 9, 1, NULL);
  CHECK(ct_overview_step(&grid, 7 * 5 * 9 * 4) == 1 && ct_overview_step(&grid, 7 * 5 * 9 * 4 - 1) == 2);
  CHECK_NEAR(ct_overview_bytes(&grid, 2), 4 * 3 * 5 * 4, 0);
  ct_overview overview;
  CHECK_OK(ct_overview_init(&overview, &grid, 2, &error));
  /* value = x + 10 y + 100 z; slabs of 3 and 4 slices: a block of two slices lies in both. */
  for (int first = 0, count = 3; first < 7; first += count, count = 4) {
    ct_grid part = grid;
    part.nz = count;
    ct_volume *slab = ct_volume_new(&part, &error);
    for (int k = 0; k < count; k++)
      for (int j = 0; j < 5; j++)
        for (int i = 0; i < 7; i++) ct_volume_data(slab)[(k * 5 + j) * 7 + i] = (float)(i + 10 * j + 100 * (first + k));
    ct_overview_add(&overview, slab);
    ct_volume_free(slab);
  }
  CHECK(overview.done == 7);
  float out[9 * 7];
  ct_overview_read_plane(&overview, CT_AXIAL, 3, out); /* slices 2 and 3 */
  CHECK_NEAR(out[0], 0.5 + 5 + 250, 1e-4);
  CHECK_NEAR(out[4 * 7 + 6], 6 + 40 + 250, 1e-4);
  ct_overview_read_plane(&overview, CT_AXIAL, 7, out);
  CHECK(out[0] == 0 && out[34] == 0);
  ct_overview_read_plane(&overview, CT_CORONAL, 4, out);
  CHECK_NEAR(out[2 * 7 + 3], 2.5 + 40 + 250, 1e-4);
  CHECK_NEAR(out[6 * 7 + 3], 2.5 + 40 + 600, 1e-4);
  CHECK(out[7 * 7 + 3] == 0);
  ct_overview_read_plane(&overview, CT_SAGITTAL, 6, out);
  CHECK_NEAR(out[2 * 5 + 1], 6 + 5 + 250, 1e-4);
  ct_overview_clear(&overview);
}

static const ct_test tests[] = {
    {"cone beam: slabs are the volume", cone_slabs_are_the_volume},
    {"parallel beam: slabs are the volume", parallel_slabs_are_the_volume},
    {"direct Fourier reconstruction: slabs are the volume", fourier_slabs_are_the_volume},
    {"corrections do not see the slabs' borders", corrected_slabs_are_the_volume},
    {"slabs of a detector found to be displaced are the volume", displaced_slabs_are_the_volume},
    {"only the rows of the slab are read", few_rows_are_read},
    {"slabs become thinner where memory is gone", slabs_become_thinner},
    {"planes fill up", planes_fill_up},
    {"finish early takes the same views for all slabs", finish_early_takes_the_same_views},
    {"cancel and faults end the run", cancel_and_faults_end_the_run},
    {"the small copy holds means", the_overview_holds_means},
};

CT_TEST_MAIN(tests)
