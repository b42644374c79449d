/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The shelf without a window: what is on it, A and B, names, what leaves the memory for the disk and how it comes back.
 */
#include "tests/test.h"

#include "app/session/shelf-store.h"
#include "app/tasks.h"
#include "recon/data/pitch.h"

#include <glib/gstdio.h>
#include <unistd.h>

#define SIDE 8
#define BYTES (SIDE * SIDE * SIDE * 4.0)

static GantryContext *make_context(void) {
  GantryContext *context = g_rc_box_new0(GantryContext);
  context->files_worker = gantry_worker_new("files", NULL);
  return context;
}

static void count(gpointer user) {
  ++*(guint *)user;
}

static void spin_until(gboolean (*reached)(gpointer), gpointer user) {
  const gint64 end = g_get_monotonic_time() + 20 * G_TIME_SPAN_SECOND;
  while (!reached(user) && g_get_monotonic_time() < end)
    if (!g_main_context_iteration(NULL, FALSE)) g_usleep(500);
}

static gboolean has_ended(gpointer user) {
  return *(guint *)user > 0;
}

static void drop_context(GantryContext *context) {
  guint ended = 0;
  gantry_context_shut(context, count, &ended);
  spin_until(has_ended, &ended);
  gantry_context_unref(context);
}

/* All voxels have this value. */
static GantryResult *make_result(float value, ct_precision precision) {
  const ct_grid grid = ct_grid_centred(SIDE, SIDE, SIDE, 0.3, NULL);
  ct_plan plan;
  ct_plan_init(&plan);
  plan.precision = (int)precision;
  ct_volume *volume = ct_volume_new(&grid, NULL);
  for (size_t i = 0; i < ct_grid_voxels(&grid); i++) ct_volume_data(volume)[i] = value;
  ct_volume_set_plan(volume, "{\"header\": 1}", NULL);
  GantryResult *result = gantry_result_new(volume, &plan);
  result->views = result->views_all = 90;
  result->seconds = 1.5;
  return result;
}

static GantryEntry *put(GantryShelf *shelf, float value) {
  const ct_estimate estimate = {.total = 7};
  return gantry_shelf_put(shelf, make_result(value, CT_PRECISION_FLOAT32), NULL, &estimate);
}

/* What is on it */

static void every_run_is_kept(void) {
  g_autoptr(GantryShelf) shelf = gantry_shelf_new();
  CHECK(!gantry_shelf_get_result(shelf) && !gantry_shelf_is_unsaved(shelf) && gantry_shelf_count(shelf) == 0);
  GantryEntry *first = put(shelf, 1), *second = put(shelf, 2);
  CHECK(gantry_shelf_count(shelf) == 2 && gantry_shelf_get_a(shelf) == second);
  CHECK(gantry_shelf_get_estimate(shelf)->total == 7 && !gantry_shelf_get_outcome(shelf));
  CHECK(gantry_shelf_count_unsaved(shelf) == 2);
  gantry_shelf_mark_saved(shelf, gantry_entry_get_result(first));
  CHECK(gantry_shelf_count_unsaved(shelf) == 1 && gantry_entry_is_unsaved(second));
  gantry_shelf_set_a(shelf, first);
  CHECK(gantry_shelf_get_result(shelf) == gantry_entry_get_result(first));
  CHECK(gantry_shelf_find(shelf, gantry_entry_get_result(second)) == second);
  /* An opened volume outlives the scan, and is not unsaved. */
  GantryResult *opened = make_result(3, CT_PRECISION_FLOAT32);
  opened->file = g_strdup("truth.mha");
  gantry_shelf_set_b(shelf, gantry_shelf_add(shelf, opened));
  CHECK(gantry_shelf_count_unsaved(shelf) == 1 && gantry_shelf_get_a(shelf) == first);
  gantry_shelf_clear(shelf);
  CHECK(gantry_shelf_count(shelf) == 1 && !gantry_shelf_get_a(shelf) && !gantry_shelf_get_b(shelf));
  CHECK(!strcmp(gantry_entry_get_name(gantry_shelf_get(shelf, 0)), "truth.mha"));
}

static void names_tell_what_differs(void) {
  g_autoptr(GantryShelf) shelf = gantry_shelf_new();
  GantryEntry *single = put(shelf, 1);
  g_autofree char *alone = gantry_shelf_dup_title(shelf, gantry_entry_get_result(single));
  CHECK(!strcmp(alone, "volume 8³, 90 views"));
  GantryEntry *half = gantry_shelf_put(shelf, make_result(1, CT_PRECISION_FLOAT16), NULL, NULL);
  CHECK(strstr(gantry_entry_get_name(half), "half"));
  CHECK(strcmp(gantry_entry_get_name(half), gantry_entry_get_name(single)) != 0);
  GantryEntry *again = gantry_shelf_put(shelf, make_result(1, CT_PRECISION_FLOAT16), NULL, NULL);
  CHECK(g_str_has_suffix(gantry_entry_get_name(again), " (2)"));
  gantry_shelf_rename(shelf, again, "mine");
  g_autofree char *title = gantry_shelf_dup_title(shelf, gantry_entry_get_result(again));
  CHECK(!strcmp(title, "mine: volume 8³, 90 views"));
  gantry_shelf_rename(shelf, again, "");
  CHECK(strstr(gantry_entry_get_name(again), "half"));
  /* Values that made one of them find it again. */
  CHECK(gantry_shelf_find_plan(shelf, &gantry_entry_get_facts(single)->plan) == single);
  CHECK(gantry_shelf_find_plan(shelf, &gantry_entry_get_facts(half)->plan) == again);
}

static void removed_results_come_back(void) {
  g_autoptr(GantryShelf) shelf = gantry_shelf_new();
  GantryEntry *first = put(shelf, 1), *second = put(shelf, 2);
  gantry_shelf_set_b(shelf, first);
  gantry_shelf_set_a(shelf, first);
  gantry_shelf_remove(shelf, first);
  CHECK(gantry_shelf_count(shelf) == 1 && !gantry_shelf_get_a(shelf) && !gantry_shelf_get_b(shelf));
  /* It is held until something else comes. */
  CHECK_NEAR(gantry_shelf_get_held(shelf), 2 * BYTES, 0);
  CHECK(gantry_shelf_restore(shelf) == first && gantry_shelf_get(shelf, 0) == first);
  CHECK(!gantry_shelf_restore(shelf));
  gantry_shelf_remove(shelf, second);
  put(shelf, 3);
  CHECK(!gantry_shelf_restore(shelf) && gantry_shelf_count(shelf) == 2);
}

static void ticked_results_have_colours(void) {
  g_autoptr(GantryShelf) shelf = gantry_shelf_new();
  GantryEntry *entries[3];
  for (int i = 0; i < 3; i++) gantry_shelf_tick(shelf, entries[i] = put(shelf, 1), TRUE);
  for (int i = 0; i < 3; i++) CHECK(gantry_entry_get_colour(entries[i]) == i);
  gantry_shelf_tick(shelf, entries[1], FALSE);
  CHECK(gantry_entry_get_colour(entries[1]) == -1 && gantry_entry_get_colour(entries[2]) == 2);
  gantry_shelf_tick(shelf, put(shelf, 1), TRUE);
  CHECK(gantry_entry_get_colour(gantry_shelf_get(shelf, 3)) == 1);
}

/* Memory */

static gboolean has_left(gpointer user) {
  return !gantry_entry_get_result(user) && !gantry_entry_is_busy(user);
}

static gboolean is_here(gpointer user) {
  return gantry_entry_get_result(user) != NULL;
}

static void brought(gpointer user, GantryEntry *entry) {
  *(GantryEntry **)user = entry;
}

static void oldest_go_to_the_disk_and_back(void) {
  GantryContext *context = make_context();
  g_autoptr(GantryShelf) shelf = gantry_shelf_new();
  g_autofree char *folder = g_dir_make_tmp("gantry-shelf-XXXXXX", NULL);
  g_autoptr(GantryShelfStore) store = gantry_shelf_store_new(context, shelf, folder);
  gantry_shelf_store_set_budget(store, 3.5 * BYTES);
  GantryEntry *entries[5];
  for (int i = 0; i < 5; i++) entries[i] = put(shelf, (float)i);
  gantry_shelf_set_b(shelf, entries[0]);
  gantry_shelf_pin(shelf, entries[1], TRUE);
  /* B and the pinned one stay: the two oldest of the others leave, one after another; A is the newest. */
  gantry_shelf_store_keep(store);
  spin_until(has_left, entries[2]);
  spin_until(has_left, entries[3]);
  CHECK(has_left(entries[2]) && has_left(entries[3]));
  for (int i = 0; i < 5; i++)
    if (i != 2 && i != 3) CHECK(is_here(entries[i]) && !gantry_entry_get_file(entries[i]));
  CHECK_NEAR(gantry_shelf_get_held(shelf), 3 * BYTES, 0);
  const char *file = gantry_entry_get_file(entries[2]);
  CHECK(file && g_str_has_prefix(file, folder) && g_file_test(file, G_FILE_TEST_EXISTS));
  CHECK(gantry_shelf_item_get_card(GANTRY_SHELF_ITEM(entries[2]))->on_disk);
  CHECK(gantry_shelf_count_unsaved(shelf) == 5);
  /* It comes back as it was, and keeps its file. */
  GantryEntry *back = NULL;
  gantry_shelf_pin(shelf, entries[2], TRUE);
  gantry_shelf_store_bring(store, entries[2], brought, &back);
  spin_until(is_here, entries[2]);
  CHECK(back == entries[2]);
  const GantryResult *result = gantry_entry_get_result(back);
  CHECK(result && ct_volume_get_data(result->volume)[SIDE] == 2 && result->seconds == 1.5 && result->views == 90);
  CHECK(result && gantry_grids_agree(ct_volume_grid(result->volume), gantry_entry_get_grid(back)));
  CHECK(result && !strcmp(ct_volume_get_plan(result->volume), "{\"header\": 1}"));
  CHECK(gantry_shelf_find(shelf, result) == back);
  /* A later one may lie where the volume of one that left lay: it is not taken for that. */
  for (int i = 0; i < 6; i++) {
    GantryEntry *later = put(shelf, 9);
    CHECK(gantry_shelf_find(shelf, gantry_entry_get_result(later)) == later);
  }
  /* Files go with their entries. */
  g_autofree char *path = g_strdup(gantry_entry_get_file(back));
  gantry_shelf_clear(shelf);
  CHECK(!g_file_test(path, G_FILE_TEST_EXISTS) && g_rmdir(folder) == 0);
  drop_context(context);
}

static gboolean is_refused(gpointer user) {
  return gantry_shelf_find_leaver(user) == NULL;
}

static void nothing_is_lost_where_the_disk_fails(void) {
  GantryContext *context = make_context();
  g_autoptr(GantryShelf) shelf = gantry_shelf_new();
  g_autofree char *folder = g_dir_make_tmp("gantry-shelf-XXXXXX", NULL);
  g_autofree char *file = g_build_filename(folder, "in-the-way", NULL);
  CHECK(g_file_set_contents(file, "x", 1, NULL));
  g_autoptr(GantryShelfStore) store = gantry_shelf_store_new(context, shelf, file);
  gantry_shelf_store_set_budget(store, BYTES);
  for (int i = 0; i < 3; i++) put(shelf, (float)i);
  CHECK(gantry_shelf_find_leaver(shelf) == gantry_shelf_get(shelf, 0));
  gantry_shelf_store_keep(store);
  spin_until(is_refused, shelf);
  CHECK(is_refused(shelf));
  CHECK_NEAR(gantry_shelf_get_held(shelf), 3 * BYTES, 0);
  for (guint i = 0; i < 3; i++) CHECK(gantry_entry_get_result(gantry_shelf_get(shelf, i)) != NULL);
  /* With another result it is tried anew. */
  put(shelf, 4);
  CHECK(gantry_shelf_find_leaver(shelf) == gantry_shelf_get(shelf, 0));
  g_unlink(file);
  g_rmdir(folder);
  drop_context(context);
}

static void files_of_the_dead_are_removed(void) {
  GantryContext *context = make_context();
  g_autoptr(GantryShelf) shelf = gantry_shelf_new();
  g_autofree char *folder = g_dir_make_tmp("gantry-shelf-XXXXXX", NULL);
  /* Process numbers end far below this one. */
  g_autofree char *dead = g_build_filename(folder, "result-999999999-abcdef.mha", NULL);
  g_autofree char *own_name = g_strdup_printf("result-%d-abcdef.mha", (int)getpid());
  g_autofree char *own = g_build_filename(folder, own_name, NULL);
  g_autofree char *other = g_build_filename(folder, "recent.json", NULL);
  CHECK(g_file_set_contents(dead, "x", 1, NULL) && g_file_set_contents(own, "x", 1, NULL));
  CHECK(g_file_set_contents(other, "x", 1, NULL));
  g_autoptr(GantryShelfStore) store = gantry_shelf_store_new(context, shelf, folder);
  CHECK(!g_file_test(dead, G_FILE_TEST_EXISTS));
  CHECK(g_unlink(own) == 0 && g_unlink(other) == 0 && g_rmdir(folder) == 0);
  CHECK(gantry_shelf_store_get_budget(store) > 0);
  drop_context(context);
}

/* Cards */

static void cards_tell_numbers(void) {
  g_autoptr(GantryShelf) shelf = gantry_shelf_new();
  GantryEntry *entry = put(shelf, 1);
  const GantryCard *card = gantry_shelf_item_get_card(GANTRY_SHELF_ITEM(entry));
  CHECK(!card->numbers && strstr(card->facts, "1.5 s") && card->thumbnail && card->thumbnail->pixels[0] == 1);
  GantryNumbers numbers = {.state = GANTRY_NUMBERS_KNOWN,
                           .metrics = {.rmse = 1.25e-7, .ssim = 0.99975, .max_abs = 1, .psnr = 40}};
  gantry_entry_set_numbers(entry, &numbers);
  CHECK(strstr(card->numbers, "RMSE 1.25·10⁻⁷") && strstr(card->numbers, "SSIM 0.99975"));
  numbers.resampled = TRUE;
  gantry_entry_set_numbers(entry, &numbers);
  CHECK(strstr(card->numbers, "SSIM 0.99975, resampled") && strstr(card->tip, "resampled onto them"));
  numbers = (GantryNumbers){.state = GANTRY_NUMBERS_REFUSED, .why = "its voxels are others than those of B"};
  gantry_entry_set_numbers(entry, &numbers);
  CHECK(!strcmp(card->numbers, "not comparable with B") && strstr(card->tip, "others than those of B"));
  gantry_shelf_set_shown(shelf, TRUE);
  CHECK(card->is_a && !card->is_b && card->unsaved && card->colour == -1);
}

/* 2 x + y + 0.5 z, which interpolation keeps. */
static GantryResult *make_slope(int side, double voxel, double add) {
  const ct_grid grid = ct_grid_centred(side, side, side, voxel, NULL);
  ct_plan plan;
  ct_plan_init(&plan);
  ct_volume *volume = ct_volume_new(&grid, NULL);
  float *data = ct_volume_data(volume);
  for (int k = 0; k < side; k++)
    for (int j = 0; j < side; j++)
      for (int i = 0; i < side; i++)
        *data++ = (float)(2 * (grid.x0 + i * voxel) + grid.y0 + j * voxel + 0.5 * (grid.z0 + k * voxel) + add);
  return gantry_result_new(volume, &plan);
}

static GantryAppraiseTask *appraise(GObject *owner, GantryResult *a, GantryResult *b) {
  GantryAppraiseTask *task = gantry_appraise_task_new(owner, NULL, a, NULL, b);
  task->work.task.run((GantryTask *)task);
  return task;
}

/* The reference is read at the entry's voxels; what lies beside it is left out. */
static void other_voxels_are_compared(void) {
  g_autoptr(GObject) owner = g_object_new(G_TYPE_OBJECT, NULL);
  g_autoptr(GantryResult) fine = make_slope(12, 0.3, 0.25), coarse = make_slope(10, 0.4, 0),
                          wide = make_slope(16, 0.3, 0), nowhere = make_slope(6, 1, 0), same = make_slope(12, 0.3, 0);
  GantryAppraiseTask *task = appraise(owner, fine, coarse);
  CHECK(!task->work.error && task->resampled && task->metrics.not_finite == 0);
  CHECK_NEAR(task->metrics.rmse, 0.25, 1e-5);
  task->work.task.free((GantryTask *)task);
  /* Centres at 1.95 mm lie within the outermost half voxel of 1.8 mm, those at 2.25 mm do not. */
  task = appraise(owner, wide, coarse);
  CHECK(task->resampled && task->metrics.count == 14 * 14 * 14 && task->metrics.not_finite == 4096 - 14 * 14 * 14);
  task->work.task.free((GantryTask *)task);
  task = appraise(owner, fine, same);
  CHECK(!task->work.error && !task->resampled);
  CHECK_NEAR(task->metrics.rmse, 0.25, 1e-5);
  task->work.task.free((GantryTask *)task);
  /* As a file is read that tells nothing of its voxels' size. */
  ct_volume_set_pitch_unknown(nowhere->volume);
  task = appraise(owner, fine, nowhere);
  CHECK(task->work.error && strstr(task->work.error->message, "not known where"));
  task->work.task.free((GantryTask *)task);
}

static GantryEntry *add_truth(GantryShelf *shelf, guint64 digest) {
  GantryResult *truth = make_result(1, CT_PRECISION_FLOAT32);
  truth->file = g_strdup("truth of discs");
  truth->truth = digest;
  return gantry_shelf_add(shelf, truth);
}

/* Of the same values on the same grid, wherever its volume is; never a result of a run. */
static void truths_are_found_again(void) {
  g_autoptr(GantryShelf) shelf = gantry_shelf_new();
  GantryResult *asked = make_result(1, CT_PRECISION_FLOAT32), *other = make_result(1, CT_PRECISION_FLOAT32);
  const ct_grid grid = ct_grid_centred(SIDE, SIDE, SIDE, 0.4, NULL);
  asked->truth = other->truth = 77;
  ct_volume_free(other->volume);
  other->volume = ct_volume_new(&grid, NULL);
  put(shelf, 1);
  CHECK(!gantry_shelf_find_truth(shelf, asked));
  GantryEntry *first = add_truth(shelf, 77);
  add_truth(shelf, 79);
  CHECK(gantry_shelf_find_truth(shelf, asked) == first && !gantry_shelf_find_truth(shelf, other));
  gantry_entry_take_file(first, "nowhere");
  gantry_entry_leave(first);
  CHECK(!gantry_entry_get_result(first) && gantry_shelf_find_truth(shelf, asked) == first);
  gantry_result_unref(asked);
  gantry_result_unref(other);
}

static const ct_test tests[] = {
    {"a reference of other voxels is resampled", other_voxels_are_compared},
    {"every run is kept, opened volumes outlive the scan", every_run_is_kept},
    {"truths are found again", truths_are_found_again},
    {"names tell what differs", names_tell_what_differs},
    {"what was removed comes back", removed_results_come_back},
    {"ticked results have colours of their own", ticked_results_have_colours},
    {"the oldest go to the disk and come back", oldest_go_to_the_disk_and_back},
    {"nothing is lost where the disk fails", nothing_is_lost_where_the_disk_fails},
    {"files of dead programs are removed", files_of_the_dead_are_removed},
    {"cards tell numbers", cards_tell_numbers},
};
CT_TEST_MAIN(tests)
