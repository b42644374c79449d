/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a session is made of, without a display: the mailbox, undo, plans that agree, planes of
 * volumes, words of errors and progress. Waiting is bounded; nothing depends on how fast the machine is. */
#include "tests/app/wait.h"
#include "tests/test.h"

#include "app/errors.h"
#include "app/example.h"
#include "app/history.h"
#include "app/mailbox.h"
#include "app/projection-picture.h"
#include "app/progress-text.h"
#include "app/result.h"
#include "app/scan.h"
#include "app/tasks-source.h"
#include "app/tasks.h"
#include "app/worker.h"
#include "recon/metric/metric.h"

/* The mailbox */

static GantryImage *image_of(GantryViewKind kind, int index, guint64 generation) {
  GantryImage *image = gantry_image_new(2, 2);
  image->kind = kind;
  image->index = index;
  image->generation = generation;
  return image;
}

static gpointer post_many(gpointer data) {
  for (int i = 0; i < 1000; i++) gantry_mailbox_post(data, GANTRY_A, image_of((GantryViewKind)(i % 3), i, 1), NULL);
  return NULL;
}

static void mailbox_keeps_the_newest(void) {
  guint arrivals = 0;
  GantryMailbox *mailbox = gantry_mailbox_new(count_end, &arrivals);
  GThread *thread = g_thread_new("posts", post_many, mailbox);
  g_thread_join(thread);
  CHECK(wait_for(&arrivals, 1));
  while (g_main_context_iteration(NULL, FALSE)) {
  }
  CHECK(arrivals == 1); /* a thousand posts, one idle */
  GantryImage *images[GANTRY_SIDES][GANTRY_VIEWS];
  ct_grid grid;
  guint64 generation;
  CHECK(!gantry_mailbox_take(mailbox, images, &grid, &generation));
  CHECK(images[GANTRY_A][0]->index == 999 && images[GANTRY_A][1]->index == 997 && images[GANTRY_A][2]->index == 998);
  CHECK(!images[GANTRY_A][GANTRY_VIEW_PROJECTION] && !images[GANTRY_B][0]);
  for (int i = 0; i < 3; i++) gantry_image_unref(images[GANTRY_A][i]);
  const ct_grid sent = ct_grid_centred(4, 5, 6, 0.5, NULL);
  gantry_mailbox_post(mailbox, GANTRY_A, image_of(GANTRY_VIEW_AXIAL, 1, 42), &sent);
  CHECK(gantry_mailbox_take(mailbox, images, &grid, &generation) && generation == 42 && grid.nz == 6);
  gantry_image_unref(images[GANTRY_A][0]);
  CHECK(!gantry_mailbox_take(mailbox, images, &grid, &generation) && !images[GANTRY_A][0]);
  /* After closing nothing is called and nothing is kept. */
  gantry_mailbox_close(mailbox);
  const guint before = arrivals;
  gantry_mailbox_post(mailbox, GANTRY_A, image_of(GANTRY_VIEW_AXIAL, 1, 42), &sent);
  while (g_main_context_iteration(NULL, FALSE)) {
  }
  CHECK(arrivals == before);
  gantry_mailbox_unref(mailbox);
}

/* Looking through a large projection is work for the worker that posts it. */
static void projections_come_with_their_grey_range(void) {
  guint arrivals = 0;
  double low, high;
  GantryMailbox *mailbox = gantry_mailbox_new(count_end, &arrivals);
  GantryImage *images[GANTRY_SIDES][GANTRY_VIEWS], *image = gantry_image_new(50, 40);
  ct_grid grid;
  guint64 generation;
  for (int i = 0; i < 50 * 40; i++) image->pixels[i] = (float)i;
  image->kind = GANTRY_VIEW_PROJECTION;
  ct_grey_range(image->pixels, 50 * 40, &low, &high);
  gantry_mailbox_post(mailbox, GANTRY_A, image, NULL);
  gantry_mailbox_take(mailbox, images, &grid, &generation);
  CHECK(images[GANTRY_A][GANTRY_VIEW_PROJECTION] == image && image->has_grey);
  CHECK(image->grey[0] == low && image->grey[1] == high && high > 1900);
  gantry_image_unref(image);
  gantry_mailbox_close(mailbox);
  gantry_mailbox_unref(mailbox);
}

/* The mailbox in front of a person, emptied as soon as something comes. */
typedef struct {
  GantryMailbox *mailbox;
  guint whole, torn, answers; /* deliveries with all planes of a state, and with some; volumes */
} Onlooker;

static void look(gpointer data) {
  Onlooker *onlooker = data;
  GantryImage *images[GANTRY_SIDES][GANTRY_VIEWS];
  ct_grid grid;
  guint64 generation;
  gantry_mailbox_take(onlooker->mailbox, images, &grid, &generation);
  int planes = 0;
  for (int side = 0; side < GANTRY_SIDES; side++)
    for (int kind = 0; kind < GANTRY_VIEWS; kind++) {
      if (images[side][kind]) planes += kind < GANTRY_PLANES;
      g_clear_pointer(&images[side][kind], gantry_image_unref);
    }
  if (planes == GANTRY_PLANES)
    onlooker->whole++;
  else if (planes)
    onlooker->torn++;
}

static void volume_made(gpointer owner, GantryTask *task) {
  Onlooker *onlooker = g_object_get_data(G_OBJECT(owner), "onlooker");
  CHECK(!task->dropped && ((GantryVolumeTask *)task)->result);
  onlooker->answers++;
}

static void planes_of_a_state_come_together(void) {
  enum { RUNS = 8 };
  ct_simulation simulation;
  ct_simulation_init(&simulation);
  simulation.nu = simulation.nv = 128, simulation.views = 8, simulation.pixel *= 2;
  ct_error *error = NULL;
  ct_scan *simulated = ct_simulate(&simulation, "head", NULL, &error);
  CHECK_OK(simulated);
  GantryScan *scan = gantry_scan_new(simulated, "head");
  GantryEngine *engine = gantry_engine_new();
  CHECK_OK(gantry_engine_set_scan(engine, scan, &error));
  GantryWorker *worker = gantry_worker_new("test", NULL);
  Onlooker onlooker = {0};
  onlooker.mailbox = gantry_mailbox_new(look, &onlooker);
  GObject *owner = g_object_new(G_TYPE_OBJECT, NULL);
  g_object_set_data(owner, "onlooker", &onlooker);
  ct_plan plan;
  ct_plan_init(&plan);
  g_strlcpy(plan.device, "none", sizeof plan.device);
  for (int run = 0; run < RUNS; run++)
    gantry_worker_push(
        worker, (GantryTask *)gantry_volume_task_new(owner, volume_made, engine, scan, onlooker.mailbox, &plan, NULL));
  const gint64 end = g_get_monotonic_time() + 60 * G_TIME_SPAN_SECOND;
  while (onlooker.answers < RUNS && g_get_monotonic_time() < end) g_main_context_iteration(NULL, FALSE);
  CHECK(onlooker.answers == RUNS && onlooker.whole > 0 && !onlooker.torn);
  guint ended = 0;
  gantry_worker_shut(worker, count_end, &ended);
  CHECK(wait_for(&ended, 1));
  gantry_engine_free(engine);
  gantry_mailbox_close(onlooker.mailbox);
  gantry_mailbox_unref(onlooker.mailbox);
  gantry_scan_unref(scan);
  g_object_unref(owner);
}

static void wanted_planes_are_clamped(void) {
  const ct_grid grid = ct_grid_centred(8, 9, 10, 0.5, NULL);
  for (int index = 0; index < 10; index++)
    CHECK(gantry_plane_index(&grid, CT_AXIAL, ct_grid_plane_position(&grid, CT_AXIAL, index)) == index);
  CHECK(gantry_plane_index(&grid, CT_CORONAL, 1e9) == 8 && gantry_plane_index(&grid, CT_SAGITTAL, -1e9) == 0);
  CHECK(gantry_plane_index(&grid, CT_AXIAL, NAN) == 0);
  const GantryWanted middle = {.centred = TRUE}, at = {.cross = {-1.75, 2, 2.25}};
  CHECK(gantry_wanted_index(&middle, &grid, CT_CORONAL) == 4);
  CHECK(gantry_wanted_index(&at, &grid, CT_SAGITTAL) == 0 && gantry_wanted_index(&at, &grid, CT_CORONAL) == 8 &&
        gantry_wanted_index(&at, &grid, CT_AXIAL) == 9);
}

static void stacks_give_projections_and_sinograms(void) {
  ct_error *error = NULL;
  ct_stack *stack = ct_stack_new(4, 3, 5, &error);
  CHECK_OK(stack);
  for (int i = 0; i < 4 * 3 * 5; i++) ct_stack_data(stack)[i] = (float)i;
  GantryWanted wanted = {.projection_index = 3, .generation = 9};
  GantryImage *image = gantry_image_new_from_stack(stack, NULL, &wanted);
  CHECK(image->width == 4 && image->height == 3 && image->generation == 9 && image->kind == GANTRY_VIEW_PROJECTION);
  CHECK(image->pixels[0] == 36 && image->pixels[11] == 47);
  gantry_image_unref(image);
  wanted.sinogram = TRUE;
  wanted.projection_index = 99; /* clamped to the last row */
  image = gantry_image_new_from_stack(stack, NULL, &wanted);
  CHECK(image->width == 4 && image->height == 5 && image->index == 2);
  CHECK(image->pixels[0] == 8 && image->pixels[4] == 20 && image->pixels[19] == 59);
  gantry_image_unref(image);
  /* Bins of 4 x 2 pixels from detector row 6 on: centres of their first pixels' neighbourhoods. */
  const ct_pipeline_facts facts = {.bin_u = 4, .bin_v = 2, .row0 = 6};
  image = gantry_image_new_from_stack(stack, &facts, &wanted);
  CHECK(image->spacing_x == 4 && image->origin_x == 1.5 && image->spacing_y == 1 && image->origin_y == 0);
  gantry_image_unref(image);
  wanted.sinogram = FALSE;
  image = gantry_image_new_from_stack(stack, &facts, &wanted);
  CHECK(image->spacing_x == 4 && image->origin_x == 1.5 && image->spacing_y == 2 && image->origin_y == 6.5);
  gantry_image_unref(image);
  ct_stack_free(stack);
}

/* Undo */

static void undo_steps_and_merges(void) {
  ct_plan plan;
  ct_plan_init(&plan);
  g_autoptr(GantryHistory) history = gantry_history_new(&plan);
  const char *key;
  CHECK(!gantry_history_can_undo(history) && !gantry_history_push(history, &plan, "filter.cutoff", 0));
  for (int i = 1; i <= 5; i++) { /* one spin button, held down */
    plan.filter.cutoff = 1 - 0.1 * i;
    CHECK(gantry_history_push(history, &plan, "filter.cutoff", i * 100000));
  }
  plan.bin = 2;
  CHECK(gantry_history_push(history, &plan, "bin", 550000));
  plan.bin = 4; /* long after: a step of its own */
  CHECK(gantry_history_push(history, &plan, "bin", 5000000));
  CHECK(gantry_history_undo(history, &key) && g_str_equal(key, "bin") && gantry_history_get(history)->bin == 2);
  CHECK(gantry_history_undo(history, &key) && gantry_history_get(history)->bin != 2);
  CHECK_NEAR(gantry_history_get(history)->filter.cutoff, 0.5, 1e-12);
  CHECK(gantry_history_undo(history, &key) && g_str_equal(key, "filter.cutoff"));
  ct_plan initial;
  ct_plan_init(&initial);
  CHECK(ct_plan_equal(gantry_history_get(history), &initial) && !gantry_history_undo(history, &key));
  CHECK(gantry_history_redo(history, &key) && gantry_history_redo(history, &key) &&
        gantry_history_get(history)->bin == 2);
  /* An edit after undo forgets what was undone, and does not melt into the step before. */
  plan = *gantry_history_get(history);
  plan.bin = 3;
  CHECK(gantry_history_push(history, &plan, "bin", 5000100) && !gantry_history_can_redo(history));
  CHECK(gantry_history_undo(history, &key) && gantry_history_get(history)->bin == 2);
}

static void undo_is_bounded(void) {
  ct_plan plan;
  ct_plan_init(&plan);
  g_autoptr(GantryHistory) history = gantry_history_new(&plan);
  for (int i = 0; i < 1000; i++) {
    plan.view_first = i + 1;
    CHECK(gantry_history_push(history, &plan, NULL, 0));
  }
  const char *key;
  guint steps = 0;
  while (gantry_history_undo(history, &key)) steps++;
  CHECK(steps > 100 && steps < 1000);
  CHECK(gantry_history_get(history)->view_first == 1000 - (int)steps);
}

static void plans_agree_on_the_picture(void) {
  ct_plan a, b;
  ct_plan_init(&a);
  b = a;
  CHECK(gantry_plans_agree(&a, &b));
  b.compress = !b.compress;
  b.threads = 3;
  b.batch = 17;
  b.filter.on_card = !b.filter.on_card;
  CHECK(gantry_plans_agree(&a, &b));
  b.iterative.iterations = 77;
  CHECK(gantry_plans_agree(&a, &b));
  b.iterative.method = CT_METHOD_SIRT;
  CHECK(!gantry_plans_agree(&a, &b) && gantry_plans_agree_directly(&a, &b) && !gantry_plans_iterate_alike(&a, &b));
  a.iterative.method = CT_METHOD_SIRT;
  CHECK(!gantry_plans_agree(&a, &b) && gantry_plans_iterate_alike(&a, &b));
  ct_plan_init(&a);
  size_t count;
  const ct_param *params = ct_params(&count);
  for (size_t i = 0; i < count; i++) {
    const ct_param *param = &params[i];
    if (param->section == CT_SECTION_OUTPUT || g_str_has_suffix(param->key, "batch") ||
        g_str_has_suffix(param->key, "threads") || g_str_has_suffix(param->key, "on_card"))
      continue;
    /* What an iterative method takes counts when there is one. */
    if (param->section == CT_SECTION_ITERATIVE) a.iterative.method = CT_METHOD_SIRT;
    b = a;
    if (param->type == CT_PARAM_TEXT)
      g_strlcpy((char *)&b + param->offset, "other", CT_PLAN_TEXT);
    else if (!ct_param_set_number(&b, param, ct_param_get_number(&a, param) == param->high ? param->low : param->high,
                                  NULL))
      continue;
    if (ct_param_equal(&a, &b, param)) continue;
    if (gantry_plans_agree(&a, &b)) CT_TEST_END(1, "%s does not count", param->key);
  }
}

/* Volumes */

static GantryResult *ramp(int nx, int ny, int nz, double voxel) {
  const ct_grid grid = ct_grid_centred(nx, ny, nz, voxel, NULL);
  ct_volume *volume = ct_volume_new(&grid, NULL);
  for (int k = 0; k < nz; k++)
    for (int i = 0; i < nx * ny; i++)
      ct_volume_data(volume)[(size_t)k * (size_t)(nx * ny) + (size_t)i] =
          (float)ct_grid_plane_position(&grid, CT_AXIAL, k);
  ct_plan plan;
  ct_plan_init(&plan);
  return gantry_result_new(volume, &plan);
}

static void planes_lie_where_they_are_asked_for(void) {
  g_autoptr(GantryResult) result = ramp(3, 4, 10, 0.5);
  for (double z = -2.2; z <= 2.2; z += 0.05) {
    GantryImage *image = gantry_result_read_position(result, CT_AXIAL, z);
    CHECK(image && image->width == 3 && image->height == 4);
    CHECK_NEAR(image->pixels[5], z, 1e-4);
    gantry_image_unref(image);
  }
  CHECK(!gantry_result_read_position(result, CT_AXIAL, 2.6) && !gantry_result_read_position(result, CT_AXIAL, -2.6));
  GantryImage *plane = gantry_result_read_plane(result, CT_CORONAL, 2);
  CHECK(plane->width == 3 && plane->height == 10 && plane->kind == GANTRY_VIEW_CORONAL && plane->index == 2);
  CHECK_NEAR(plane->pixels[0], -2.25, 1e-6);
  gantry_image_unref(plane);
  result->views = 120;
  result->views_all = 361;
  g_autofree char *title = gantry_result_dup_title(result);
  CHECK(strstr(title, "3 × 4 × 10") && strstr(title, "120 of 361 views"));
}

static void results_are_named_by_their_shape(void) {
  static const struct {
    int nx, ny, nz;
    const char *name;
  } shapes[] = {
      {4, 4, 4, "volume 4³, "}, {4, 4, 2, "volume 4 × 4 × 2, "}, {4, 4, 1, "slice 4², "}, {4, 3, 1, "slice 4 × 3, "}};
  for (gsize i = 0; i < G_N_ELEMENTS(shapes); i++) {
    g_autoptr(GantryResult) result = ramp(shapes[i].nx, shapes[i].ny, shapes[i].nz, 1);
    g_autofree char *title = gantry_result_dup_title(result);
    CHECK(g_str_has_prefix(title, shapes[i].name));
  }
}

/* Whole tasks, from pushing to the answer. */

static void answered(gpointer owner, GantryTask *task) {
  guint *count = g_object_get_data(G_OBJECT(owner), "count");
  const GantryCompareTask *compare = (const GantryCompareTask *)task;
  if (!task->dropped) {
    double *numbers = g_object_get_data(G_OBJECT(owner), "numbers");
    numbers[0] = compare->statistics.max;
    numbers[1] = compare->compared ? compare->metrics.rmse : NAN;
  }
  ++*count;
}

static void volumes_are_compared_on_equal_grids_only(void) {
  guint count = 0, ended = 0;
  double numbers[2];
  GObject *owner = g_object_new(G_TYPE_OBJECT, NULL);
  g_object_set_data(owner, "count", &count);
  g_object_set_data(owner, "numbers", numbers);
  GantryWorker *worker = gantry_worker_new("test", NULL);
  g_autoptr(GantryResult) a = ramp(3, 4, 10, 0.5);
  g_autoptr(GantryResult) same = ramp(3, 4, 10, 0.5);
  g_autoptr(GantryResult) other = ramp(3, 4, 11, 0.5);
  gantry_worker_push(worker, (GantryTask *)gantry_compare_task_new(owner, answered, a, same));
  CHECK(wait_for(&count, 1));
  CHECK_NEAR(numbers[0], 2.25, 1e-6);
  CHECK(numbers[1] == 0);
  gantry_worker_push(worker, (GantryTask *)gantry_compare_task_new(owner, answered, a, other));
  CHECK(wait_for(&count, 2));
  CHECK(isnan(numbers[1]));
  gantry_worker_shut(worker, count_end, &ended);
  CHECK(wait_for(&ended, 1));
  CHECK(owner->ref_count == 1 && a->references == 1);
  g_object_unref(owner);
}

static void loaded(gpointer owner, GantryTask *task) {
  guint *count = g_object_get_data(G_OBJECT(owner), "count");
  GantryLoadTask *load = (GantryLoadTask *)task;
  char **words = g_object_get_data(G_OBJECT(owner), "words");
  g_free(*words);
  *words = load->work.error ? gantry_error_sentence(load->work.error) : NULL;
  ++*count;
}

static void missing_scan_keeps_the_engine(void) {
  guint count = 0, ended = 0;
  char *words = NULL;
  GObject *owner = g_object_new(G_TYPE_OBJECT, NULL);
  g_object_set_data(owner, "count", &count);
  g_object_set_data(owner, "words", &words);
  GantryEngine *engine = gantry_engine_new();
  GantryWorker *worker = gantry_worker_new("test", NULL);
  gantry_worker_push(worker, (GantryTask *)gantry_load_task_new(owner, loaded, engine, "/nonexistent/scan.h5"));
  CHECK(wait_for(&count, 1));
  CHECK(words && strstr(words, "scan.h5") && g_str_has_suffix(words, "."));
  gantry_worker_shut(worker, count_end, &ended);
  CHECK(wait_for(&ended, 1));
  CHECK(!gantry_engine_get_scan(engine));
  gantry_engine_free(engine);
  g_free(words);
  g_object_unref(owner);
}

/* Words */

static void errors_are_sentences(void) {
  static const struct {
    const char *message, *sentence;
  } cases[] = {
      {"the file is too short", "The file is too short."},
      {"Enough was said.", "Enough was said."},
      {"tooth.h5: not an HDF5 file", "tooth.h5: not an HDF5 file."},
      {"ärger", "Ärger."},
  };
  for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
    ct_error *from = NULL;
    ct_error_set(&from, CT_ERROR_FORMAT, "%s", cases[i].message);
    g_autoptr(GError) error = NULL;
    CHECK(!gantry_take_ct_error(&error, &from) && !from);
    CHECK(g_error_matches(error, GANTRY_ERROR, CT_ERROR_FORMAT) && !gantry_error_is_cancelled(error));
    g_autofree char *sentence = gantry_error_sentence(error);
    if (!g_str_equal(sentence, cases[i].sentence)) CT_TEST_END(1, "\"%s\"", sentence);
  }
  ct_error *from = NULL;
  ct_error_set(&from, CT_ERROR_CANCELLED, "stopped");
  g_autoptr(GError) error = NULL;
  gantry_take_ct_error(&error, &from);
  CHECK(gantry_error_is_cancelled(error));
}

static void progress_is_readable(void) {
  const ct_progress running = {
      .stage = CT_STAGE_BACKPROJECTING, .done = 184, .total = 361, .remaining = 3.2, .gups = 21.41};
  g_autofree char *text = gantry_progress_text(&running, 210000000, NULL);
  CHECK(strstr(text, "184 / 361 · 21.4 GUPS · 3.2 s left · 210 MB"));
  ct_progress paused = running;
  paused.paused = true;
  g_autofree char *waiting = gantry_progress_text(&paused, 0, NULL);
  CHECK(strstr(waiting, "paused") && !strstr(waiting, "left"));
  const ct_progress early = {.stage = CT_STAGE_READING, .remaining = -1};
  g_autofree char *begin = gantry_progress_text(&early, 0, NULL);
  CHECK(!strchr(begin, '/') && g_ascii_islower(*begin));
}

static const ct_test tests[] = {
    {"the mailbox keeps the newest pictures and arms one idle", mailbox_keeps_the_newest},
    {"projections come with their grey range", projections_come_with_their_grey_range},
    {"planes of one state of a volume in the making come together", planes_of_a_state_come_together},
    {"wanted planes are clamped to the grid", wanted_planes_are_clamped},
    {"stacks give projections and sinograms", stacks_give_projections_and_sinograms},
    {"undo steps back and merges rapid edits", undo_steps_and_merges},
    {"undo is bounded", undo_is_bounded},
    {"plans agree when the picture is the same", plans_agree_on_the_picture},
    {"planes of a volume lie where they are asked for", planes_lie_where_they_are_asked_for},
    {"results are named by their shape", results_are_named_by_their_shape},
    {"volumes are compared on equal grids only", volumes_are_compared_on_equal_grids_only},
    {"a scan that cannot be opened leaves the engine as it was", missing_scan_keeps_the_engine},
    {"errors become sentences", errors_are_sentences},
    {"progress is readable", progress_is_readable},
};
CT_TEST_MAIN(tests)
