/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Methods that go view by view: the picture does not depend on the projector, whatever symmetry that knows, unless so
 * many views at a time are asked for. */
#include "tests/solve/iterative-problem.h"
#include "tests/test.h"

#include "recon/fp/projector.h"

static const ct_beam beams[] = {CT_BEAM_PARALLEL, CT_BEAM_FAN};

/* Two iterations; NULL with the error. The projector taken in *taken. */
static float *make_image(small_problem *p, const ct_solver *solver, const char *projector, int block,
                         const ct_projector **taken, ct_error **error) {
  ct_iterative_options *o = &p->request.options;
  ct_iterative_options_init(o);
  o->method = solver->names->value;
  o->block = block;
  o->model = CT_MODEL_AREA;
  snprintf(o->projector, sizeof o->projector, "%s", projector);
  ct_iterative *run = ct_iterative_new(&p->request, NULL, error);
  float *image = run ? ct_alloc(ct_grid_voxels(&p->grid), sizeof *image, "x", error) : NULL;
  if (image && ct_iterative_run(run, 2, NULL, NULL, error)) {
    *taken = ct_iterative_get_projector(run);
    ct_iterative_read(run, image);
    ct_iterative_free(run);
    return image;
  }
  ct_free(image);
  ct_iterative_free(run);
  return NULL;
}

static double difference(const float *a, const float *b, size_t count) {
  double off = 0, size = 0;
  for (size_t n = 0; n < count; n++) off += pow((double)a[n] - b[n], 2), size += (double)b[n] * b[n];
  return sqrt(off / size);
}

static void the_picture_does_not_depend_on_the_projector(void) {
  for (int beam = 0; beam < 2; beam++) {
    small_problem p;
    ct_error *error = NULL;
    CHECK_OK(problem_init(&p, beams[beam], 32, 48, true, &error));
    const size_t count = ct_grid_voxels(&p.grid);
    FOR_SOLVERS(solver) {
      if (!(solver->uses & CT_USES_BLOCK)) continue;
      const ct_projector *taken;
      float *by_rows = make_image(&p, solver, "csr", 1, &taken, &error);
      CHECK_OK_IN(solver, by_rows);
      float *automatic = make_image(&p, solver, "auto", 1, &taken, &error);
      CHECK_OK_IN(solver, automatic);
      CHECK_IN(solver, !taken->ties_views && difference(automatic, by_rows, count) < 2e-3);
      ct_free(automatic);
      /* Eight at a time are another method, and come less far. */
      float *tied = make_image(&p, solver, "orbit-matrix", CT_BLOCK_VIEWS, &taken, &error);
      CHECK_OK_IN(solver, tied);
      CHECK_IN(solver, taken->ties_views && difference(tied, by_rows, count) > 0.02);
      ct_free(tied);
      ct_free(by_rows);
    }
    problem_clear(&p);
  }
}

static void a_projector_that_ties_views_is_refused(void) {
  small_problem p;
  ct_error *error = NULL;
  const ct_projector *taken;
  CHECK_OK(problem_init(&p, CT_BEAM_PARALLEL, 32, 48, true, &error));
  FOR_SOLVERS(solver) {
    if (!(solver->uses & CT_USES_BLOCK)) continue;
    CHECK_IN(solver, !make_image(&p, solver, "orbit-matrix", 1, &taken, &error));
    CHECK_IN(solver, error->code == CT_ERROR_UNSUPPORTED && strstr(error->message, "iterative.block=8"));
    ct_error_clear(&error);
    CHECK_IN(solver, !make_image(&p, solver, "auto", 0, &taken, &error));
    ct_error_clear(&error);
  }
  problem_clear(&p);
}

static const ct_test tests[] = {
    {"the picture does not depend on the projector", the_picture_does_not_depend_on_the_projector},
    {"a projector that ties views together is refused", a_projector_that_ties_views_is_refused},
};
CT_TEST_MAIN(tests)
