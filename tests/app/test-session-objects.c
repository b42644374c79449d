/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Objects of a session alone, without a window: jobs and the tasks beside them, what would be lost, the result and
 * whether it is saved, the plan's steps, remedies, and generations of pictures. */
#include "tests/app/wait.h"
#include "tests/test.h"

#include "app/session/pictures.h"
#include "app/session/plan-editor.h"
#include "app/session/questions.h"
#include "app/session/remedy.h"

/* A context as after the window was closed: nothing is shown. */
static GantryContext *make_context(void) {
  GantryContext *context = g_rc_box_new0(GantryContext);
  context->files_worker = gantry_worker_new("files", NULL);
  return context;
}

static void count(gpointer user) {
  ++*(guint *)user;
}

static void drop_context(GantryContext *context) {
  guint ended = 0;
  gantry_context_shut(context, count, &ended);
  CHECK(wait_for(&ended, 1));
  gantry_context_unref(context);
}

/* Tasks that last until they are cancelled */

typedef struct {
  GantryTask task;
  GantryJobs *jobs;
  GantryWatch watch;
  gboolean *taken;
  guint *answers;
} Endless;

static void endless_run(GantryTask *task) {
  while (ct_job_requested(task->job) != CT_JOB_CANCEL) g_usleep(200);
}

static void endless_done(GantryTask *task) {
  Endless *endless = (Endless *)task;
  gantry_jobs_end(endless->jobs, task);
  if (endless->taken) *endless->taken = gantry_jobs_take(endless->jobs, endless->watch, task);
  ++*endless->answers;
}

static void endless_free(GantryTask *task) {
  g_free(task);
}

static GantryTask *endless_new(GantryJobs *jobs, guint *answers, gboolean *taken) {
  Endless *endless = g_new0(Endless, 1);
  endless->task = (GantryTask){.run = endless_run, .done = endless_done, .free = endless_free};
  endless->jobs = jobs;
  endless->watch = GANTRY_WATCH_LOOK;
  endless->taken = taken;
  endless->answers = answers;
  return &endless->task;
}

static void one_job_is_shown(void) {
  GantryContext *context = make_context();
  GantryJobs *jobs = gantry_jobs_new(context);
  guint answers = 0;
  CHECK(gantry_jobs_is_idle(jobs) && gantry_jobs_get_kind(jobs) == GANTRY_JOB_NONE);
  const GantryJob first = {.kind = GANTRY_JOB_SAVE, .task = endless_new(jobs, &answers, NULL)};
  const GantryJob second = {.kind = GANTRY_JOB_SWEEP, .task = endless_new(jobs, &answers, NULL)};
  gantry_jobs_begin(jobs, &first, context->files_worker);
  gantry_jobs_set_paused(jobs, TRUE);
  CHECK(!gantry_jobs_is_idle(jobs) && gantry_jobs_is_paused(jobs) && !gantry_jobs_can_finish(jobs));
  /* Another one takes its place; the end of the first is no end of the second. */
  gantry_jobs_cancel(jobs);
  gantry_jobs_begin(jobs, &second, context->files_worker);
  CHECK(gantry_jobs_get_kind(jobs) == GANTRY_JOB_SWEEP && !gantry_jobs_is_paused(jobs));
  CHECK(wait_for(&answers, 1) && gantry_jobs_get_kind(jobs) == GANTRY_JOB_SWEEP);
  gantry_jobs_cancel(jobs);
  CHECK(wait_for(&answers, 2) && gantry_jobs_is_idle(jobs));
  drop_context(gantry_context_ref(context));
  gantry_jobs_free(jobs);
  gantry_context_unref(context);
}

static void newest_watched_task_counts(void) {
  GantryContext *context = make_context();
  GantryJobs *jobs = gantry_jobs_new(context);
  guint answers = 0;
  gboolean old = TRUE, present = FALSE;
  gantry_jobs_watch(jobs, GANTRY_WATCH_LOOK, endless_new(jobs, &answers, &old), NULL, context->files_worker);
  gantry_jobs_drop(jobs, GANTRY_WATCH_LOOK);
  CHECK(!gantry_jobs_is_watched(jobs, GANTRY_WATCH_LOOK));
  GantryTask *newest = endless_new(jobs, &answers, &present);
  gantry_jobs_watch(jobs, GANTRY_WATCH_LOOK, newest, NULL, context->files_worker);
  /* The one that was dropped ends, and nobody waits for it. */
  CHECK(wait_for(&answers, 1) && !old && gantry_jobs_is_watched(jobs, GANTRY_WATCH_LOOK));
  ct_job_cancel(newest->job);
  CHECK(wait_for(&answers, 2) && present && !gantry_jobs_is_watched(jobs, GANTRY_WATCH_LOOK));
  drop_context(gantry_context_ref(context));
  gantry_jobs_free(jobs);
  gantry_context_unref(context);
}

/* The result */

static GantryResult *make_result(void) {
  const ct_grid grid = ct_grid_centred(2, 2, 2, 1, NULL);
  ct_plan plan;
  ct_plan_init(&plan);
  return gantry_result_new(ct_volume_new(&grid, NULL), &plan);
}

static void shelf_knows_what_is_saved(void) {
  GantryShelf *shelf = gantry_shelf_new();
  const ct_estimate estimate = {.total = 7};
  GantryResult *first = make_result(), *second = make_result();
  CHECK(!gantry_shelf_get_result(shelf) && !gantry_shelf_is_unsaved(shelf));
  gantry_shelf_put(shelf, gantry_result_ref(first), NULL, &estimate);
  CHECK(gantry_shelf_get_result(shelf) == first && gantry_shelf_is_unsaved(shelf));
  CHECK(gantry_shelf_get_estimate(shelf)->total == 7 && !gantry_shelf_get_outcome(shelf));
  /* A file of the result before says nothing of this one. */
  gantry_shelf_put(shelf, gantry_result_ref(second), NULL, &estimate);
  gantry_shelf_mark_saved(shelf, first);
  CHECK(gantry_shelf_is_unsaved(shelf));
  gantry_shelf_mark_saved(shelf, second);
  CHECK(!gantry_shelf_is_unsaved(shelf) && gantry_shelf_get_result(shelf) == second);
  gantry_shelf_clear(shelf);
  CHECK(!gantry_shelf_get_result(shelf));
  g_object_unref(shelf);
  gantry_result_unref(first);
  gantry_result_unref(second);
}

static void go_on(gpointer owner, gpointer data) {
  ++*(guint *)owner;
}

static void questions_are_for_losses(void) {
  GantryContext *context = make_context();
  GantryJobs *jobs = gantry_jobs_new(context);
  GantryShelf *shelf = gantry_shelf_new();
  g_autoptr(GantryQuestions) questions = gantry_questions_new(context, jobs, shelf);
  const ct_estimate estimate = {0};
  guint answers = 0, done = 0, destroyed = 0;
  const GantryQuestion question = {
      .heading = "Go on?", .discard = "_Go On", .go_on = go_on, .owner = &done, .data = &destroyed, .destroy = count};
  gantry_questions_ask(questions, &question);
  CHECK(done == 1 && destroyed == 1 && !gantry_questions_is_asking(questions));
  gantry_shelf_put(shelf, make_result(), NULL, &estimate);
  CHECK(gantry_questions_would_lose(questions));
  gantry_shelf_mark_saved(shelf, gantry_shelf_get_result(shelf));
  CHECK(!gantry_questions_would_lose(questions));
  /* Opening is no work that is lost; tuning is. */
  static const GantryJobKind kinds[] = {GANTRY_JOB_LOAD, GANTRY_JOB_SWEEP, GANTRY_JOB_SAVE, GANTRY_JOB_TUNE};
  for (guint i = 0; i < G_N_ELEMENTS(kinds); i++) {
    const GantryJob job = {.kind = kinds[i], .task = endless_new(jobs, &answers, NULL)};
    gantry_jobs_begin(jobs, &job, context->files_worker);
    CHECK(gantry_questions_would_lose(questions) == (kinds[i] != GANTRY_JOB_LOAD));
    gantry_jobs_cancel(jobs);
    CHECK(wait_for(&answers, i + 1) && !gantry_questions_would_lose(questions));
  }
  drop_context(gantry_context_ref(context));
  g_object_unref(shelf);
  gantry_jobs_free(jobs);
  gantry_context_unref(context);
}

/* The plan */

static void count_changes(GantryPlanEditor *editor, gpointer user) {
  count(user);
}

static void editor_tells_of_changes(void) {
  GantryContext *context = make_context();
  g_autoptr(GantryPlanEditor) editor = gantry_plan_editor_new(context);
  guint changes = 0;
  g_signal_connect(editor, "changed", G_CALLBACK(count_changes), &changes);
  ct_plan plan = *gantry_plan_editor_get(editor);
  gantry_plan_editor_take(editor, &plan, NULL);
  CHECK(changes == 0 && !gantry_plan_editor_can_undo(editor));
  plan.bin = 2;
  gantry_plan_editor_take(editor, &plan, NULL);
  CHECK(changes == 1 && gantry_plan_editor_can_undo(editor) && gantry_plan_editor_get(editor)->bin == 2);
  gantry_plan_editor_repeat(editor);
  CHECK(changes == 2);
  gantry_plan_editor_reset(editor);
  CHECK(changes == 2 && !gantry_plan_editor_can_undo(editor) && gantry_plan_editor_get(editor)->bin != 2);
  drop_context(context);
}

static void remedies_change_what_is_in_the_way(void) {
  ct_plan before, plan;
  gantry_backend *joined = gantry_backend_new("none", NULL);
  const ct_backend *backend = gantry_backend_get(joined);
  ct_plan_init(&before);
  g_strlcpy(before.kernel, "textbook", sizeof before.kernel);
  g_strlcpy(before.iterative.projector, "textbook", sizeof before.iterative.projector);
  g_strlcpy(before.device, "auto", sizeof before.device);
  plan = before;
  gantry_remedy_kernel(&plan, backend);
  CHECK(!strcmp(plan.kernel, "auto") && !strcmp(plan.iterative.projector, "textbook"));
  plan = before;
  gantry_remedy_projector(&plan, backend);
  CHECK(!strcmp(plan.kernel, "textbook") && !strcmp(plan.iterative.projector, "auto"));
  /* The processor has these: only the device is another one. */
  plan = before;
  gantry_remedy_processor(&plan, backend);
  CHECK(!strcmp(plan.kernel, "textbook") && !strcmp(plan.device, "none"));
  g_strlcpy(plan.kernel, "gl-four-views", sizeof plan.kernel);
  gantry_remedy_processor(&plan, backend);
  CHECK(!strcmp(plan.kernel, "auto"));
  /* Coarser pixels come before a smaller grid. */
  ct_estimate estimate = {.suggested_bin = 2, .suggested_grid = {4, 6, 8, 0.5, 0.5, 1, -1, -2, -3}};
  plan = before;
  gantry_remedy_advice(&plan, &estimate);
  CHECK(plan.bin == 2 && plan.nx == before.nx);
  gantry_remedy_advice(&plan, &estimate);
  CHECK(plan.nx == 4 && plan.nz == 8 && plan.voxel == 0.5 && plan.voxel_z == 1);
  CHECK_NEAR(plan.centre_mm[0], -1 + 1.5 * 0.5, 1e-12);
  CHECK_NEAR(plan.centre_mm[2], -3 + 3.5, 1e-12);
  gantry_backend_free(joined);
}

/* Pictures */

static void generations_are_counted_apart(void) {
  GantryContext *context = make_context();
  g_autoptr(GantryPictures) pictures = gantry_pictures_new(context);
  const guint64 a = gantry_pictures_get_generation(pictures, GANTRY_A),
                b = gantry_pictures_get_generation(pictures, GANTRY_B);
  gantry_pictures_renew(pictures, GANTRY_A);
  CHECK(gantry_pictures_get_generation(pictures, GANTRY_A) > a);
  CHECK(gantry_pictures_get_generation(pictures, GANTRY_B) == b);
  CHECK(!gantry_pictures_get_grid(pictures) && !gantry_pictures_get(pictures, GANTRY_A, GANTRY_VIEW_AXIAL));
  drop_context(context);
}

static const ct_test tests[] = {
    {"the header has one job", one_job_is_shown},
    {"of the tasks beside it the newest counts", newest_watched_task_counts},
    {"the shelf knows what is saved", shelf_knows_what_is_saved},
    {"questions are asked where work would be lost", questions_are_for_losses},
    {"the plan editor tells of changes alone", editor_tells_of_changes},
    {"remedies change what is in the way", remedies_change_what_is_in_the_way},
    {"the generations of A and B are counted apart", generations_are_counted_apart},
};
CT_TEST_MAIN(tests)
