/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A volume whose views are read while others are back-projected: the same bit for bit, shown before all is read, and
 * cancelled, paused, finished early and broken off by bad frames as any other. */
#include "tests/solve/counted.h"
#include "tests/test.h"

#include <pthread.h>
#include <time.h>

static void volumes_read_beside_the_kernel_are_the_same(void) {
  const simulation *const scans[] = {&cone, &parallel};
  for (int s = 0; s < 4; s++) {
    bench b;
    ct_error *error = NULL;
    ct_stack *filtered = NULL;
    CHECK_OK(bench_open_file(&b, scans[s % 2], 1, 1, &error));
    if (s >= 2) b.plan.noise_photons = 1e4;
    if (s >= 2) b.plan.bin = 2;
    ct_volume *expected = expected_volume(&b, &filtered, &error);
    CHECK_OK(expected);
    CHECK_OK(makes_always(&b, expected, filtered, &error));
    ct_volume_free(expected);
    ct_stack_free(filtered);
    bench_close(&b);
  }
}

typedef struct {
  const frames *frames;
  int at_first;
} witness;

static void look(void *user, const ct_partial *partial) {
  witness *w = user;
  (void)partial;
  if (w->at_first < 0) w->at_first = w->frames->reads;
}

/* Not where the file packs views together, which would be unpacked again and again. */
static void planes_come_before_all_is_read(void) {
  for (int together = 0; together <= 8; together += 4) {
    bench b;
    ct_error *error = NULL;
    CHECK_OK(bench_open_file(&b, &cone, 1, together, &error));
    b.plan.threads = 2;
    witness w = {&b.frames, -1};
    const ct_publisher publisher = {&w, look};
    ct_volume *volume = ct_pipeline_volume(b.pipeline, &b.plan, &publisher, NULL, &error);
    CHECK_OK(volume);
    /* 8 views, and of the next batch of 16 what was read beside them. */
    if (together)
      CHECK(w.at_first == cone.views);
    else
      CHECK(w.at_first >= 8 && w.at_first <= 24);
    ct_volume_free(volume);
    /* A search for the centre, and rings, need all views first; before rings are removed some are looked at. */
    for (int all = 0; all < 2; all++) {
      ct_plan plan = b.plan;
      if (all)
        plan.prep.rings = CT_RINGS_SMOOTHING;
      else
        plan.centre_method = CT_CENTRE_CORRELATION;
      CHECK_OK(bench_renew(&b, &error));
      w.at_first = -1;
      volume = ct_pipeline_volume(b.pipeline, &plan, &publisher, NULL, &error);
      CHECK_OK(volume);
      CHECK(w.at_first == cone.views + (all ? 24 : 0));
      ct_volume_free(volume);
    }
    bench_close(&b);
  }
}

static void a_frame_that_cannot_be_read_ends_the_run(void) {
  bench b;
  ct_error *error = NULL;
  CHECK_OK(bench_open_file(&b, &cone, 1, 1, &error));
  ct_volume *expected = expected_volume(&b, NULL, &error);
  for (int short_of_it = 0; short_of_it < 2; short_of_it++)
    for (int at = 5; at <= 55; at += 25) {
      CHECK_OK(bench_renew(&b, &error));
      if (short_of_it) CHECK_OK(be_short(&b, &error));
      b.frames.fail_at = at;
      CHECK_FAILS(ct_pipeline_volume(b.pipeline, &b.plan, NULL, NULL, &error) != NULL, CT_ERROR_IO, "cannot be read");
      b.frames.fail_at = 0;
      CHECK_OK(makes(&b, expected, &error));
    }
  ct_volume_free(expected);
  bench_close(&b);
}

static void finished_early_or_cancelled_it_goes_on(void) {
  bench b;
  ct_error *error = NULL;
  CHECK_OK(bench_open_file(&b, &cone, 1, 1, &error));
  ct_volume *expected = expected_volume(&b, NULL, &error);
  for (int cancel = 0; cancel < 2; cancel++)
    for (int frame = 6; frame <= 42; frame += 18) {
      CHECK_OK(bench_renew(&b, &error));
      watcher w = {.stop_at = frame == 6 ? 1 : 0, .cancel = cancel, .job = ct_job_new(&error)};
      const ct_publisher publisher = {&w, watch};
      b.frames.job = w.job;
      b.frames.cancel_at = frame > 6 && cancel ? frame : 0;
      if (frame > 6 && !cancel) w.stop_at = frame == 24 ? 2 : 3;
      ct_volume *volume = ct_pipeline_volume(b.pipeline, &b.plan, &publisher, w.job, &error);
      CHECK((volume == NULL) == cancel);
      ct_error_clear(&error);
      ct_volume_free(volume);
      ct_job_free(w.job);
      b.frames.cancel_at = 0;
      CHECK_OK(makes(&b, expected, &error));
    }
  ct_volume_free(expected);
  bench_close(&b);
}

typedef struct {
  ct_job *job;
  frames *frames;
  bool ends; /* the run, with what there is; else it goes on */
  int reads; /* when the worker slept */
} waker;

/* Wakes the worker when it sleeps: then its time stands still. */
static void *wake(void *data) {
  waker *w = data;
  ct_progress before, now;
  const struct timespec moment = {0, 2000000};
  ct_job_get_progress(w->job, &now);
  do {
    before = now;
    nanosleep(&moment, NULL);
    ct_job_get_progress(w->job, &now);
  } while (!now.paused || now.elapsed - before.elapsed > 1e-4);
  w->reads = w->frames->reads;
  if (w->ends)
    ct_job_finish_early(w->job);
  else
    ct_job_set_paused(w->job, false);
  return NULL;
}

static void a_pause_holds_the_reading(void) {
  bench b;
  ct_error *error = NULL;
  CHECK_OK(bench_open_file(&b, &cone, 1, 1, &error));
  ct_volume *expected = expected_volume(&b, NULL, &error);
  CHECK_OK(bench_renew(&b, &error));
  b.plan.threads = 2;
  b.frames.job = ct_job_new(&error);
  b.frames.pause_at = 30;
  waker w = {b.frames.job, &b.frames, false, 0};
  pthread_t thread;
  CHECK(pthread_create(&thread, NULL, wake, &w) == 0);
  ct_volume *volume = ct_pipeline_volume(b.pipeline, &b.plan, NULL, b.frames.job, &error);
  pthread_join(thread, NULL);
  CHECK_OK(volume);
  CHECK(w.reads >= 30 && w.reads < cone.views && same_volume(volume, expected));
  ct_job_free(b.frames.job);
  ct_volume_free(volume);
  ct_volume_free(expected);
  bench_close(&b);
}

typedef struct {
  float *plane; /* the axial plane shown last */
  int views;
} viewer;

static void keep_plane(void *user, const ct_partial *partial) {
  viewer *v = user;
  ct_partial_read_plane(partial, CT_AXIAL, 20, v->plane, NULL);
  v->views = ct_partial_views_done(partial);
}

/* Paused as the first batches are read, alone and beside the kernel. */
static void ended_in_a_pause_it_is_what_was_shown(void) {
  bench b;
  ct_error *error = NULL;
  CHECK_OK(bench_open_file(&b, &cone, 1, 1, &error));
  b.plan.threads = 2;
  for (int frame = 12; frame <= 40; frame += 14) {
    CHECK_OK(bench_renew(&b, &error));
    b.frames.job = ct_job_new(&error);
    b.frames.pause_at = frame;
    viewer v = {ct_alloc_zero(64 * 64, sizeof(float), "a plane", &error), 0};
    float *plane = ct_alloc_zero(64 * 64, sizeof *plane, "a plane", &error);
    CHECK_OK(v.plane && plane);
    const ct_publisher publisher = {&v, keep_plane};
    waker w = {b.frames.job, &b.frames, true, 0};
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, wake, &w) == 0);
    ct_volume *volume = ct_pipeline_volume(b.pipeline, &b.plan, &publisher, b.frames.job, &error);
    pthread_join(thread, NULL);
    CHECK_OK(volume);
    const ct_grid *grid = ct_volume_grid(volume);
    CHECK(grid->nx * grid->ny <= 64 * 64 && grid->nz > 20);
    ct_volume_copy_plane(volume, CT_AXIAL, 20, plane);
    CHECK(v.views > 0 && v.views < cone.views && v.views <= w.reads);
    CHECK(memcmp(plane, v.plane, (size_t)(grid->nx * grid->ny) * sizeof *plane) == 0);
    ct_volume_free(volume);
    ct_job_free(b.frames.job);
    ct_free(v.plane);
    ct_free(plane);
  }
  bench_close(&b);
}

static const ct_test tests[] = {
    {"volumes read beside the kernel are the same bit for bit", volumes_read_beside_the_kernel_are_the_same},
    {"planes come before all is read", planes_come_before_all_is_read},
    {"a frame that cannot be read ends the run", a_frame_that_cannot_be_read_ends_the_run},
    {"finished early or cancelled, it goes on", finished_early_or_cancelled_it_goes_on},
    {"a pause holds the reading", a_pause_holds_the_reading},
    {"ended in a pause, it is what was shown", ended_in_a_pause_it_is_what_was_shown},
};
CT_TEST_MAIN(tests)
