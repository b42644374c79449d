/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A paused volume can be looked at: the publisher is called as the job falls asleep and at every look, with the volume
 * so far, whatever planes are asked for; and the volume that comes out is the one of a run without a pause. */
#include "tests/solve/simulate.h"
#include "tests/test.h"

#include "recon/base/memory.h"
#include "recon/solve/pipeline.h"

#include <pthread.h>
#include <unistd.h>

static const simulation small_cone = {CT_BEAM_CONE, 32, 24, 48, 360, 0, "shepp-logan-3d"};

enum { PIXELS = 64 * 64, LOOKS = 3 };

typedef struct {
  ct_job *job;
  int calls, pause_at, asked, views;
  size_t iterations;
  float *before, *now; /* an axial plane when the pause was asked for, and when it is looked at */
  bool same, other, steady;
} looker;

static int pixels(const ct_grid *g) {
  return g->nx * g->ny;
}

static void publish(void *user, const ct_partial *partial) {
  looker *l = user;
  const ct_grid *g = ct_partial_grid(partial);
  size_t iterations;
  ct_partial_curve(partial, &iterations);
  l->calls++;
  if (!ct_partial_is_asked_for(partial)) {
    if (l->calls != l->pause_at) return;
    ct_partial_read_plane(partial, CT_AXIAL, g->nz / 2, l->before, NULL);
    l->views = ct_partial_views_done(partial);
    l->iterations = iterations;
    ct_job_set_paused(l->job, true);
    return;
  }
  const size_t bytes = (size_t)pixels(g) * sizeof(float);
  l->asked++;
  l->steady = (l->asked == 1 || l->steady) && l->views == ct_partial_views_done(partial) && l->iterations == iterations;
  /* The same plane is the same; another one, which nobody has seen yet, can be had as well. */
  l->same = ct_partial_read_plane(partial, CT_AXIAL, g->nz / 2, l->now, NULL) && !memcmp(l->before, l->now, bytes);
  l->other =
      ct_partial_read_plane(partial, CT_AXIAL, g->nz / 2 + l->asked, l->now, NULL) && memcmp(l->before, l->now, bytes);
  if (l->asked == LOOKS) ct_job_set_paused(l->job, false);
  /* Asked twice before it is answered: one answer. */
  ct_job_look(l->job);
  ct_job_look(l->job);
}

static void check_method(ct_method method) {
  ct_error *error = NULL;
  ct_plan plan;
  ct_plan_init(&plan);
  plan.batch = 8;
  plan.iterative.method = method;
  plan.iterative.iterations = 4;
  looker l = {.job = ct_job_new(&error),
              .pause_at = 2,
              .before = ct_alloc(PIXELS, sizeof(float), "a plane", &error),
              .now = ct_alloc(PIXELS, sizeof(float), "a plane", &error)};
  const ct_publisher publisher = {&l, publish};
  ct_scan *scan = sim_scan(&small_cone, &error);
  ct_pipeline *paused = ct_pipeline_new(scan, NULL, &error), *plain = ct_pipeline_new(scan, NULL, &error);
  CHECK_OK(l.job && l.before && l.now && scan && paused && plain);
  ct_volume *a = ct_pipeline_volume(paused, &plan, &publisher, l.job, &error),
            *b = ct_pipeline_volume(plain, &plan, NULL, NULL, &error);
  CHECK_OK(a && b);
  CHECK(pixels(ct_volume_grid(a)) <= PIXELS);
  CHECK(l.asked == LOOKS && l.same && l.other && l.steady);
  CHECK(l.calls == (method == CT_METHOD_DIRECT ? 6 : 4) + LOOKS);
  CHECK(!memcmp(ct_volume_get_data(a), ct_volume_get_data(b), ct_volume_bytes(a)));
  ct_volume_free(a);
  ct_volume_free(b);
  ct_pipeline_free(paused);
  ct_pipeline_free(plain);
  ct_scan_free(scan);
  ct_job_free(l.job);
  ct_free(l.before);
  ct_free(l.now);
}

static void direct(void) {
  check_method(CT_METHOD_DIRECT);
}

static void iterated(void) {
  check_method(CT_METHOD_SIRT);
}

static void *look_and_resume(void *job) {
  usleep(20000);
  ct_job_look(job);
  usleep(20000);
  ct_job_set_paused(job, false);
  return NULL;
}

/* Before anything is back-projected there is nothing to be seen: the pictures on screen stay. */
static void nothing_yet(void) {
  ct_error *error = NULL;
  ct_plan plan;
  ct_plan_init(&plan);
  pthread_t thread;
  looker l = {.job = ct_job_new(&error)};
  const ct_publisher publisher = {&l, publish};
  ct_scan *scan = sim_scan(&small_cone, &error);
  ct_pipeline *pipeline = ct_pipeline_new(scan, NULL, &error);
  CHECK_OK(l.job && scan && pipeline);
  ct_job_set_paused(l.job, true);
  CHECK(pthread_create(&thread, NULL, look_and_resume, l.job) == 0);
  ct_volume *volume = ct_pipeline_volume(pipeline, &plan, &publisher, l.job, &error);
  pthread_join(thread, NULL);
  CHECK_OK(volume);
  CHECK(l.calls > 0 && l.asked == 0);
  ct_volume_free(volume);
  ct_pipeline_free(pipeline);
  ct_scan_free(scan);
  ct_job_free(l.job);
}

static const ct_test tests[] = {
    {"a paused direct volume shows any plane of the views so far", direct},
    {"a paused iterative volume shows any plane of the iterations so far", iterated},
    {"what has not begun shows nothing", nothing_yet},
};

int main(void) {
  return ct_test_run(tests, sizeof tests / sizeof *tests);
}
