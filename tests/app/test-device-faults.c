/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A graphics driver that fails under a session's engine: the task says so and blames the device, scan, volume
 * and values stay, the processor does the same plan, and the device is opened anew for the next run on it. */
#include "tests/render/compute/faults.h"
#include "tests/app/wait.h"
#include "tests/test.h"

#include "app/errors.h"
#include "app/example.h"
#include "app/tasks.h"
#include "app/worker.h"
#include "recon/base/memory.h"
#include "render/compute/device.h"

typedef struct {
  GObject *owner;
  GantryEngine *engine;
  GantryWorker *worker;
  GantryMailbox *mailbox;
  GantryScan *scan;
  ct_plan plan;
  /* Of the last task: */
  guint answers, ended;
  char *words;
  gboolean blames_device;
  GantryResult *volume; /* the last one that was made */
} Bench;

static void arrived(gpointer data) {}

static void volume_answered(gpointer owner, GantryTask *task) {
  Bench *bench = g_object_get_data(G_OBJECT(owner), "bench");
  GantryVolumeTask *run = (GantryVolumeTask *)task;
  g_free(bench->words);
  bench->words = run->work.error ? gantry_error_sentence(run->work.error) : NULL;
  bench->blames_device = run->blames_device;
  if (run->result) {
    g_clear_pointer(&bench->volume, gantry_result_unref);
    bench->volume = g_steal_pointer(&run->result);
  }
  bench->answers++;
}

/* A plane of the volume in the making, for a preview that fails. */
static void preview_answered(gpointer owner, GantryTask *task) {
  Bench *bench = g_object_get_data(G_OBJECT(owner), "bench");
  GantryPreviewTask *preview = (GantryPreviewTask *)task;
  g_free(bench->words);
  bench->words = preview->work.error ? gantry_error_sentence(preview->work.error) : NULL;
  bench->blames_device = preview->blames_device;
  bench->answers++;
}

static void bench_clear(Bench *bench) {
  if (bench->worker) {
    gantry_worker_shut(bench->worker, count_end, &bench->ended);
    wait_for(&bench->ended, 1);
  }
  g_clear_pointer(&bench->volume, gantry_result_unref);
  if (bench->engine) gantry_engine_free(bench->engine);
  if (bench->mailbox) {
    gantry_mailbox_close(bench->mailbox);
    gantry_mailbox_unref(bench->mailbox);
  }
  if (bench->scan) gantry_scan_unref(bench->scan);
  g_free(bench->words);
  g_clear_object(&bench->owner);
}

/* The name of a device that is here; NULL: none. */
static char *any_device(void) {
  ctgl_device_facts *list = NULL;
  int count = 0;
  faults_reset();
  if (!ctgl_devices_list(&list, &count, NULL)) return NULL;
  char *name = count ? g_strdup(list[0].name) : NULL;
  ct_free(list);
  return name;
}

static gboolean bench_make(Bench *bench, const char *device, ct_error **error) {
  ct_simulation simulation;
  ct_simulation_init(&simulation);
  simulation.nu = simulation.nv = 32, simulation.views = 24, simulation.pixel *= 8;
  *bench = (Bench){.owner = g_object_new(G_TYPE_OBJECT, NULL)};
  g_object_set_data(bench->owner, "bench", bench);
  ct_scan *scan = ct_simulate(&simulation, "head", NULL, error);
  if (!scan) return FALSE;
  bench->scan = gantry_scan_new(scan, "head");
  bench->engine = gantry_engine_new();
  bench->mailbox = gantry_mailbox_new(arrived, NULL);
  bench->worker = gantry_worker_new("test", NULL);
  ct_plan_init(&bench->plan);
  g_strlcpy(bench->plan.kernel, "gl-four-views", sizeof bench->plan.kernel);
  g_strlcpy(bench->plan.device, device, sizeof bench->plan.device);
  return bench->worker && gantry_engine_set_scan(bench->engine, bench->scan, error);
}

static gboolean run(Bench *bench) {
  const guint before = bench->answers;
  gantry_worker_push(bench->worker,
                     (GantryTask *)gantry_volume_task_new(bench->owner, volume_answered, bench->engine, bench->scan,
                                                          bench->mailbox, &bench->plan, NULL));
  return wait_for(&bench->answers, before + 1);
}

/* The event that each fault strikes at, and what is said of it. */
static const struct {
  const char *name;
  fault_kind kind;
  int from;
  const char *words;
} faults_known[] = {
    {"no memory", FAULT_ALLOCATION, 1, "too small for"},
    {"no mapping", FAULT_MAPPING_MUTE, 1, "no memory for"},
    {"a refused shader", FAULT_LINK, 1, "refuses the shader"},
    {"a fence that is never reached", FAULT_TIMEOUT, 1, "does not answer"},
    {"a reset", FAULT_RESET, 3, "was reset"},
    {"a lost context", FAULT_LOST, 3, "was reset"},
    {"a device that vanishes", FAULT_CLOSED, 2, "has closed it"},
};

/* As the person does who presses the button that is offered. */
static void take_processor(ct_plan *plan) {
  g_strlcpy(plan->device, "none", sizeof plan->device);
  g_strlcpy(plan->kernel, "auto", sizeof plan->kernel);
}

static gboolean volumes_agree(const GantryResult *a, const GantryResult *b) {
  const float *one = ct_volume_get_data(a->volume), *other = ct_volume_get_data(b->volume);
  const size_t count = ct_grid_voxels(ct_volume_grid(a->volume));
  double difference = 0, power = 0;
  for (size_t n = 0; n < count; n++) {
    difference += ((double)one[n] - other[n]) * ((double)one[n] - other[n]);
    power += (double)other[n] * other[n];
  }
  return power > 0 && difference < 1e-5 * power;
}

static void every_fault_offers_the_processor(void) {
  g_autofree char *device = any_device();
  if (!device) SKIP("no graphics device with OpenGL 4.3");
  for (guint n = 0; n < G_N_ELEMENTS(faults_known); n++) {
    Bench bench;
    ct_error *error = NULL;
    CHECK_OK(bench_make(&bench, device, &error));
    /* A volume before, on the device. */
    CHECK(run(&bench) && !bench.words && bench.volume);
    GantryResult *before = bench.volume;
    const ct_plan plan = bench.plan;
    /* A shader that was made once is kept with the device: that one is opened anew. */
    if (faults_known[n].kind == FAULT_LINK) CHECK(gantry_engine_leave_device(bench.engine, GANTRY_A, &plan));
    faults_plan(faults_known[n].kind, faults_known[n].from, FAULT_FOR_EVER);
    CHECK(run(&bench));
    if (!bench.words || !strstr(bench.words, faults_known[n].words) || !strstr(bench.words, "device “none”") ||
        !bench.blames_device)
      CT_TEST_END(1, "%s: %s, device blamed: %d", faults_known[n].name, bench.words ? bench.words : "no words",
                  bench.blames_device);
    CHECK(bench.volume == before && gantry_engine_get_scan(bench.engine) == bench.scan);
    /* The device still fails; the processor does not need it. */
    take_processor(&bench.plan);
    CHECK(run(&bench) && !bench.words && bench.volume != before);
    g_autoptr(GantryResult) processor = gantry_result_ref(bench.volume);
    /* Later, on the device again. */
    faults_reset();
    bench.plan = plan;
    CHECK(run(&bench));
    if (bench.words) CT_TEST_END(1, "%s: later %s", faults_known[n].name, bench.words);
    CHECK(bench.volume != processor && volumes_agree(bench.volume, processor));
    bench_clear(&bench);
  }
}

/* The same device again, without the processor in between: the person just presses Reconstruct once more. */
static void pressing_again_helps(void) {
  g_autofree char *device = any_device();
  if (!device) SKIP("no graphics device with OpenGL 4.3");
  Bench bench;
  ct_error *error = NULL;
  CHECK_OK(bench_make(&bench, device, &error));
  for (int n = 0; n < 3; n++) {
    faults_plan(n == 1 ? FAULT_TIMEOUT : FAULT_RESET, 2, FAULT_FOR_EVER);
    CHECK(run(&bench) && bench.words && bench.blames_device);
    faults_reset();
    CHECK(run(&bench));
    if (bench.words) CT_TEST_END(1, "again: %s", bench.words);
  }
  bench_clear(&bench);
}

/* Previews that take a kernel of the device by name. */
static void previews_blame_it_too(void) {
  g_autofree char *device = any_device();
  if (!device) SKIP("no graphics device with OpenGL 4.3");
  Bench bench;
  ct_error *error = NULL;
  CHECK_OK(bench_make(&bench, device, &error));
  faults_plan(FAULT_RESET, 1, FAULT_FOR_EVER);
  GantryPreviewTask *preview = gantry_preview_task_new(bench.owner, preview_answered, bench.engine, bench.scan,
                                                       bench.mailbox, GANTRY_A, &bench.plan);
  preview->planes = 7;
  preview->wanted.centred = TRUE;
  gantry_worker_push(bench.worker, (GantryTask *)preview);
  CHECK(wait_for(&bench.answers, 1));
  /* A kernel for whole volumes may leave planes to the processor: then there was no fault to be told. */
  if (faults_get()->failed) CHECK(bench.words && strstr(bench.words, "was reset") && bench.blames_device);
  bench_clear(&bench);
}

static const ct_test tests[] = {
    {"every fault is told, keeps what there is, and leaves the processor and a later run",
     every_fault_offers_the_processor},
    {"a run once more opens the device anew", pressing_again_helps},
    {"previews blame the device, too", previews_blame_it_too},
};
CT_TEST_MAIN(tests)
