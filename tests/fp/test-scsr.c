/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The symmetric matrix in its three formats: rows restored in all eight zones against the model's own rows, products
 * against the textbook, adjointness, single views, one thread against three, sizes, and the words where a request has
 * no symmetry. */
#include "recon/base/memory.h"
#include "recon/fp/matrix/dense-private.h"
#include "recon/fp/projector.h"
#include "recon/fp/symmetry.h"
#include "tests/test.h"

static const char *const formats[] = {"scsr", "scsr-global", "scsr-view"};
enum { FORMATS = sizeof formats / sizeof *formats };

static const double degree = M_PI / 180;

typedef struct {
  const char *what;
  int n, nu, nv, views;
  double first, step, sod, pitch;
  ct_ray_model model;
} scan;

static const scan scans[] = {
    {"fan, area", 32, 48, 1, 72, 0, 5, 60, 1.1, CT_MODEL_AREA},
    {"fan, joseph, half steps", 32, 40, 1, 72, 2.5, 5, 60, 1.3, CT_MODEL_JOSEPH},
    {"fan, siddon, all odd", 33, 41, 1, 80, 0, 4.5, 60, 1.2, CT_MODEL_SIDDON},
    {"fan, coarse pixels", 12, 200, 1, 24, 0, 15, 40, 0.15, CT_MODEL_AREA},
    {"fan, wide columns, rays that miss", 24, 17, 1, 20, 0, 18, 60, 6, CT_MODEL_AREA},
    {"parallel, 180 degrees, three slices", 32, 45, 3, 36, 0, 5, 0, 0.8, CT_MODEL_JOSEPH},
    {"parallel, 360 degrees", 17, 32, 1, 48, 0, 7.5, 0, 0.7, CT_MODEL_AREA},
    {"parallel, two views", 8, 8, 1, 2, 0, 90, 0, 1, CT_MODEL_SIDDON},
    {"one pixel", 1, 5, 1, 8, 0, 45, 20, 0.3, CT_MODEL_AREA},
};
enum { SCANS = sizeof scans / sizeof *scans };

typedef struct {
  ct_geometry geometry;
  ct_projector_request request;
  size_t image, rays;
} problem;

static bool problem_init(problem *p, const scan *k, int threads) {
  if (!ct_geometry_init(&p->geometry, k->sod > 0 ? CT_BEAM_FAN : CT_BEAM_PARALLEL, k->nu, k->nv, k->views, NULL))
    return false;
  p->geometry.sod = k->sod;
  p->geometry.sdd = 1.6 * k->sod;
  p->geometry.du = k->pitch;
  ct_geometry_set_arc(&p->geometry, k->first * degree, k->step * degree);
  p->request = (ct_projector_request){.geometry = &p->geometry,
                                      .grid = ct_grid_centred(k->n, k->n, k->nv, 1, NULL),
                                      .model = k->model,
                                      .threads = threads};
  p->image = ct_grid_voxels(&p->request.grid);
  p->rays = (size_t)k->views * (size_t)k->nv * (size_t)k->nu;
  return true;
}

static float *noise(size_t count, unsigned seed) {
  float *values = ct_alloc_zero(count, sizeof *values, "noise", NULL);
  uint64_t state = seed;
  for (size_t n = 0; values && n < count; n++) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    values[n] = (float)(state >> 40) * 0x1p-24f;
  }
  return values;
}

static double relative(const float *a, const float *b, size_t count) {
  double difference = 0, size = 0;
  for (size_t n = 0; n < count; n++) {
    difference += ((double)a[n] - (double)b[n]) * ((double)a[n] - (double)b[n]);
    size += (double)b[n] * (double)b[n];
  }
  return size > 0 ? sqrt(difference / size) : sqrt(difference);
}

static double dot(const float *a, const float *b, size_t count) {
  double sum = 0;
  for (size_t n = 0; n < count; n++) sum += (double)a[n] * (double)b[n];
  return sum;
}

/* A projector made ready, with an image and rays in its layout (they are the natural ones). */
typedef struct {
  const ct_projector *projector;
  ct_projector_state *state;
  ct_projector_shape shape;
  float *x, *y;
} run;

static bool run_init(run *r, const char *id, const problem *p, ct_error **error) {
  *r = (run){.projector = ct_projector_find(id)};
  if (!r->projector) return ct_error_set(error, CT_ERROR_ARGUMENT, "no projector %s", id);
  if (!ct_projector_accepts(r->projector, &p->request, error)) return false;
  r->state = ct_projector_prepare(r->projector, &p->request, NULL, error);
  if (!r->state) return false;
  r->projector->shape(r->state, &r->shape);
  r->x = noise(r->shape.image, 1);
  r->y = noise(r->shape.rays, 2);
  return r->x && r->y;
}

static void run_clear(run *r) {
  if (r->state) r->projector->free(r->state);
  ct_free(r->x);
  ct_free(r->y);
}

static void rows_restored(void) {
  ct_row buffer, model;
  ct_row_init(&buffer);
  ct_row_init(&model);
  for (int f = 0; f < FORMATS; f++)
    for (int k = 0; k < SCANS; k++) {
      problem p;
      run r;
      ct_error *error = NULL;
      CHECK(problem_init(&p, scans + k, 2));
      CHECK_OK(run_init(&r, formats[f], &p, &error));
      float *image = ct_alloc_zero(p.image, sizeof *image, "an image", &error);
      double entries = 0;
      for (size_t ray = 0; ray < p.rays; ray++) {
        const int view = (int)(ray / (size_t)(scans[k].nv * scans[k].nu)),
                  v = (int)(ray / (size_t)scans[k].nu) % scans[k].nv;
        const size_t slice = (size_t)v * (size_t)(scans[k].n * scans[k].n);
        ct_projector_row row;
        CHECK_OK(r.projector->row(r.state, ray, &buffer, &row, &error));
        CHECK_OK(ct_model_row(&p.geometry, &p.request.grid, p.request.model, view, (int)(ray % (size_t)scans[k].nu),
                              &model, &error));
        for (size_t e = 0; e < row.count; e++) {
          CHECK(row.columns[e] < p.image && image[row.columns[e]] == 0);
          image[row.columns[e]] = row.values[e];
        }
        for (size_t e = 0; e < model.count; e++) image[slice + model.columns[e]] -= model.values[e];
        for (size_t e = 0; e < model.count; e++) {
          CHECK_NEAR((double)image[slice + model.columns[e]], 0, 1e-6);
          image[slice + model.columns[e]] = 0;
        }
        for (size_t e = 0; e < row.count; e++) {
          CHECK_NEAR((double)image[row.columns[e]], 0, 1e-6);
          image[row.columns[e]] = 0;
        }
        entries += (double)row.count;
      }
      CHECK(entries == r.shape.entries && r.shape.stored <= entries && r.shape.bytes > 8 * r.shape.stored);
      ct_free(image);
      run_clear(&r);
      ct_geometry_clear(&p.geometry);
    }
  ct_row_clear(&buffer);
  ct_row_clear(&model);
}

static void against_textbook(void) {
  for (int k = 0; k < SCANS; k++) {
    problem p;
    run book;
    ct_error *error = NULL;
    CHECK(problem_init(&p, scans + k, 2));
    CHECK_OK(run_init(&book, "textbook", &p, &error));
    float *x = noise(p.image, 1), *y = noise(p.rays, 2), *squares = noise(book.shape.rays, 3);
    CHECK_OK(book.projector->forward(book.state, NULL, 0, x, book.y, &error));
    CHECK_OK(book.projector->back(book.state, NULL, 0, y, book.x, &error));
    CHECK_OK(book.projector->row_squares(book.state, squares, &error));
    for (int f = 0; f < FORMATS; f++) {
      run r;
      CHECK_OK(run_init(&r, formats[f], &p, &error));
      float *own_x = noise(r.shape.image, 4), *own_y = noise(r.shape.rays, 4);
      r.projector->image_in(r.state, x, own_x);
      r.projector->rays_in(r.state, y, own_y);
      CHECK_OK(r.projector->forward(r.state, NULL, 0, own_x, r.y, &error));
      CHECK_BELOW(relative(r.y, book.y, p.rays), r.projector->tolerance);
      CHECK_OK(r.projector->back(r.state, NULL, 0, own_y, r.x, &error));
      CHECK_BELOW(relative(r.x, book.x, p.image), r.projector->tolerance);
      CHECK_NEAR(dot(r.y, y, p.rays), dot(x, r.x, p.image), 1e-6 * fabs(dot(r.y, y, p.rays)));
      for (size_t n = p.image; n < r.shape.image; n++) CHECK(own_x[n] == 0 && r.x[n] == 0);
      CHECK_OK(r.projector->row_squares(r.state, r.y, &error));
      CHECK_BELOW(relative(r.y, squares, p.rays), r.projector->tolerance);
      ct_free(own_x);
      ct_free(own_y);
      run_clear(&r);
    }
    ct_free(x);
    ct_free(y);
    ct_free(squares);
    run_clear(&book);
    ct_geometry_clear(&p.geometry);
  }
}

/* Blocks partition the rays; products of some of them are those of the whole, restricted. */
static void single_views(void) {
  for (int f = 0; f < FORMATS; f++)
    for (int k = 0; k < SCANS; k++) {
      problem p;
      run r;
      ct_error *error = NULL;
      CHECK(problem_init(&p, scans + k, 2));
      CHECK_OK(run_init(&r, formats[f], &p, &error));
      float *all = noise(r.shape.rays, 7), *sum = ct_alloc_zero(p.image, sizeof *sum, "an image", &error),
            *x = noise(r.shape.image, 1);
      CHECK_OK(r.projector->forward(r.state, NULL, 0, x, all, &error));
      size_t covered = 0;
      for (int b = 0; b < r.shape.blocks; b++) {
        const int blocks[2] = {b, (b + 5) % r.shape.blocks};
        const int count = b % 3 == 0 && r.shape.blocks > 5 ? 2 : 1;
        ct_projector_block block;
        r.projector->block(r.state, b, &block);
        CHECK(block.first == covered && block.view_count == 1 && block.views[0] == b);
        covered += block.count;
        for (size_t n = 0; n < r.shape.rays; n++) r.y[n] = -1;
        CHECK_OK(r.projector->forward(r.state, blocks, count, x, r.y, &error));
        for (size_t n = 0; n < p.rays; n++) {
          const bool asked = n / block.count == (size_t)b || (count == 2 && n / block.count == (size_t)blocks[1]);
          if (asked)
            CHECK_NEAR((double)r.y[n], (double)all[n], 1e-5 * scans[k].n);
          else
            CHECK(r.y[n] == -1);
        }
        CHECK_OK(r.projector->back(r.state, blocks, 1, all, r.x, &error));
        for (size_t n = 0; n < p.image; n++) sum[n] += r.x[n];
      }
      CHECK(covered == p.rays);
      CHECK_OK(r.projector->back(r.state, NULL, 0, all, r.x, &error));
      CHECK_BELOW(relative(sum, r.x, p.image), r.projector->tolerance);
      ct_free(all);
      ct_free(sum);
      ct_free(x);
      run_clear(&r);
      ct_geometry_clear(&p.geometry);
    }
}

/* Bit for bit the same, whole and view by view. */
static void threads(void) {
  for (int f = 0; f < FORMATS; f++)
    for (int k = 0; k < SCANS; k++) {
      problem p;
      run one, three;
      ct_error *error = NULL;
      const int view[1] = {1};
      CHECK(problem_init(&p, scans + k, 1));
      CHECK_OK(run_init(&one, formats[f], &p, &error));
      p.request.threads = 3;
      CHECK_OK(run_init(&three, formats[f], &p, &error));
      float *x = noise(one.shape.image, 1), *y = noise(one.shape.rays, 2);
      for (int count = 0; count < 2; count++) {
        const int *blocks = count ? view : NULL;
        CHECK_OK(one.projector->forward(one.state, blocks, count, x, one.y, &error));
        CHECK_OK(three.projector->forward(three.state, blocks, count, x, three.y, &error));
        CHECK(!memcmp(one.y, three.y, p.rays * sizeof *one.y));
        CHECK_OK(one.projector->back(one.state, blocks, count, y, one.x, &error));
        CHECK_OK(three.projector->back(three.state, blocks, count, y, three.x, &error));
        CHECK(!memcmp(one.x, three.x, p.image * sizeof *one.x));
      }
      ct_free(x);
      ct_free(y);
      run_clear(&one);
      run_clear(&three);
      ct_geometry_clear(&p.geometry);
    }
}

/* Eight times less than every row in full, padding and pointers counted (the paper: 7.6 to 7.9). */
static void sizes(void) {
  const scan fan = {"fan", 128, 256, 1, 720, 0, 0.5, 256, 0.9, CT_MODEL_AREA};
  for (int f = 0; f < FORMATS; f++) {
    problem p;
    run r;
    ct_error *error = NULL;
    CHECK(problem_init(&p, &fan, 2));
    CHECK_OK(run_init(&r, formats[f], &p, &error));
    const double csr = 8 * r.shape.entries + 8 * (double)(p.rays + 1);
    CHECK(r.shape.entries == 8 * r.shape.stored);
    CHECK_BELOW(6.5, csr / r.shape.bytes); /* short rows: 256 columns of a slice of 128 pixels; at 512 it is 7.8 */
    const double told = ct_projector_memory(r.projector, &p.request);
    CHECK_NEAR(told / r.shape.bytes, 1, 0.1);
    run_clear(&r);
    ct_geometry_clear(&p.geometry);
  }
}

/* Sixteen sums can be scattered at once: no step of a chunk has a column twice, unless the chunk is marked. Little is
 * filled with zeros, and nothing but what the shape counts. */
static void blocks_are_permuted(void) {
  const scan fan = {"fan", 96, 128, 1, 144, 0, 2.5, 200, 1.3, CT_MODEL_AREA};
  for (int f = 1; f < FORMATS; f++) {
    problem p;
    run r;
    ct_error *error = NULL;
    CHECK(problem_init(&p, &fan, 2));
    CHECK_OK(run_init(&r, formats[f], &p, &error));
    const ct_dense *d = r.state->storage;
    size_t marked = 0;
    /* Three sub-matrices; those behind serve evened pairs alone. */
    for (int b = 0; b < CT_DENSE_BLOCKS; b++)
      CHECK(b < 3 ? d->block[b] < d->block[b + 1] : d->block[b] == d->block[b + 1]);
    for (size_t chunk = 0; chunk < d->chunks; chunk++) {
      marked += d->colliding[chunk];
      for (size_t step = d->start[chunk]; step < d->start[chunk + 1] && !d->colliding[chunk]; step++)
        for (size_t l = 1; l < CT_DENSE_LANES; l++)
          for (size_t k = 0; k < l; k++)
            CHECK(d->columns[step * CT_DENSE_LANES + k] != d->columns[step * CT_DENSE_LANES + l]);
    }
    CHECK(20 * marked < d->chunks);
    CHECK_BELOW((double)d->start[d->chunks] * CT_DENSE_LANES, 1.1 * r.shape.stored);
    run_clear(&r);
    ct_geometry_clear(&p.geometry);
  }
}

/* Pixels that two chunks of a phase of this stored view both touch; `owner` is a slice of -1. */
static size_t shared_pixels(const ct_projector_state *state, int slot, int64_t *owner) {
  const ct_dense *d = state->storage;
  size_t shared = 0;
  for (size_t phase = d->slot_phase[slot]; phase < d->slot_phase[slot + 1]; phase++)
    for (size_t n = d->phase_chunk[phase]; n < d->phase_chunk[phase + 1]; n++) {
      const size_t chunk = d->chunk_of[n];
      const int64_t mark = (int64_t)(phase << 32 | chunk);
      for (uint32_t k = d->lane_first[chunk * CT_DENSE_LANES]; k < d->lane_first[(chunk + 1) * CT_DENSE_LANES]; k++) {
        if (state->slot_of[d->piece[k].row] != slot) continue;
        for (size_t e = ct_dense_place(d, d->piece + k), c = 0; c < ct_dense_count(d, d->piece + k); c++, e += 16) {
          int64_t *at = owner + ct_scsr_j(d->columns[e]) * state->n + ct_scsr_i(d->columns[e]);
          shared += *at >= 0 && *at >> 32 == (int64_t)phase && *at != mark;
          *at = mark;
        }
      }
    }
  return shared;
}

/* Chunks from which threads scatter at once share no pixel, and of every view all rows are in the phases. */
static void phases_share_nothing(void) {
  const scan fans[] = {{"fan", 96, 128, 1, 144, 0, 2.5, 200, 1.3, CT_MODEL_AREA},
                       {"fan, coarse pixels", 40, 320, 1, 72, 0, 5, 60, 0.3, CT_MODEL_AREA},
                       {"parallel", 64, 96, 1, 90, 0, 2, 0, 0.7, CT_MODEL_JOSEPH}};
  for (int k = 0; k < 3; k++) {
    problem p;
    run r;
    ct_error *error = NULL;
    CHECK(problem_init(&p, fans + k, 2));
    CHECK_OK(run_init(&r, "scsr-view", &p, &error));
    const ct_dense *d = r.state->storage;
    const ct_symmetry *s = r.state->symmetry;
    int64_t *owner = ct_alloc(p.image, sizeof *owner, "owners", &error);
    CHECK(owner && d->slot_phase);
    for (size_t n = 0; n < p.image; n++) owner[n] = -1;
    size_t listed = 0;
    const size_t phases = d->slot_phase[s->slots];
    for (int slot = 0; slot < s->slots; slot++) {
      CHECK(shared_pixels(r.state, slot, owner) == 0);
      for (size_t n = d->phase_chunk[d->slot_phase[slot]]; n < d->phase_chunk[d->slot_phase[slot + 1]]; n++)
        for (size_t q = d->lane_first[d->chunk_of[n] * 16]; q < d->lane_first[(d->chunk_of[n] + 1) * 16]; q++)
          listed += r.state->slot_of[d->piece[q].row] == slot;
    }
    CHECK(listed == d->pieces && phases < d->phase_chunk[phases]);
    ct_free(owner);
    run_clear(&r);
    ct_geometry_clear(&p.geometry);
  }
}

static void refusals(void) {
  for (int f = 0; f < FORMATS; f++) {
    problem p;
    ct_error *error = NULL;
    const ct_projector *projector = ct_projector_find(formats[f]);
    CHECK(projector);
    scan k = scans[0];
    k.views = 70;
    k.step = 360. / 70;
    CHECK(problem_init(&p, &k, 2));
    CHECK_FAILS(ct_projector_accepts(projector, &p.request, &error), CT_ERROR_UNSUPPORTED, "(csr) needs no symmetry");
    CHECK_FAILS(ct_projector_prepare(projector, &p.request, NULL, &error), CT_ERROR_UNSUPPORTED, "no counterpart");
    ct_geometry_clear(&p.geometry);

    CHECK(problem_init(&p, scans, 2));
    p.geometry.centre_u += 1;
    CHECK_FAILS(ct_projector_accepts(projector, &p.request, &error), CT_ERROR_UNSUPPORTED, "1 columns off");
    p.geometry.centre_u -= 1;
    p.request.memory = 1000;
    CHECK_FAILS(ct_projector_accepts(projector, &p.request, &error), CT_ERROR_MEMORY, "matrix-free");
    p.request.memory = 0;
    p.request.grid.nz = 2;
    CHECK_FAILS(ct_projector_accepts(projector, &p.request, &error), CT_ERROR_UNSUPPORTED, "one of slices");
    p.request.grid.nz = 1;
    ct_job *job = ct_job_new(&error);
    ct_job_cancel(job);
    CHECK_FAILS(ct_projector_prepare(projector, &p.request, job, &error), CT_ERROR_CANCELLED, "");
    ct_job_free(job);
    ct_geometry_clear(&p.geometry);
  }
}

int main(void) {
  const ct_test tests[] = {{"rows restored in all zones", rows_restored},
                           {"products as the textbook's, adjoint", against_textbook},
                           {"views one by one", single_views},
                           {"one thread as three", threads},
                           {"sizes", sizes},
                           {"no column twice in a step of the blocks", blocks_are_permuted},
                           {"chunks of a phase share no pixel", phases_share_nothing},
                           {"refusals have messages", refusals}};
  return ct_test_run(tests, sizeof tests / sizeof *tests);
}
