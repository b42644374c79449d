/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A volume made by several processes: opened by each, shared out by rank 0, written by all into one file. */
#include "app/cli/reconstruct-shared.h"

#include "app/cli/part-file.h"
#include "app/cli/part-iterations.h"
#include "app/cli/shared-traffic.h"
#include "app/example.h"
#include "recon/base/machine.h"
#include "recon/base/memory.h"
#include "recon/base/units.h"
#include "recon/solve/pipeline.h"
#include "recon/solve/record.h"
#include "recon/solve/shared.h"

#include <fcntl.h>
#include <omp.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct task {
  const cli_reconstruction *r;
  ct_exchange *x;
  cli_watch *watch;
  ct_scan *scan;
  ct_pipeline *pipeline;
  ct_identity identity;
  ct_found found;
  ct_shares shares;
  cli_part part;
  cli_iterations kept; /* of an iterative method */
  double seconds;
  double slab_sum; /* s of the sum of one slab by itself, where it was tried */
} task;

ct_exchange *cli_join_silently(int *silenced, ct_error **error) {
  *silenced = -1;
  if (ct_exchange_launched() > 1) {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &signals, NULL);
  }
  ct_exchange *x = ct_exchange_join(error);
  if (x && x->rank > 0) {
    const int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
    fflush(stderr);
    *silenced = nothing >= 0 ? dup(STDERR_FILENO) : -1;
    if (*silenced >= 0) dup2(nothing, STDERR_FILENO);
    if (nothing >= 0) close(nothing);
  }
  return x;
}

void cli_speak(int silenced) {
  if (silenced < 0) return;
  fflush(stderr);
  dup2(silenced, STDERR_FILENO);
  close(silenced);
}

int cli_agree_on_options(ct_exchange *x, int status) {
  ct_error *error = NULL;
  if (status != CLI_DONE)
    ct_error_set(&error, CT_ERROR_ARGUMENT, "Process %d could not take the options, or read a file that they name.",
                 x->rank);
  if (x->way->agree(x, status == CLI_DONE, &error)) return CLI_DONE;
  if (x->rank == 0 && status == CLI_DONE) cli_failure(NULL, &error);
  ct_error_clear(&error);
  return status == CLI_DONE ? CLI_FAILED : status;
}

bool cli_read_grid(const cli_command *command, const char *text, int *groups, int *columns) {
  char rest;
  if (sscanf(text, "%dx%d%c", groups, columns, &rest) == 2 && *groups > 0 && *columns > 0 && *groups < 1 << 20 &&
      *columns < 1 << 20)
    return true;
  cli_misuse(command, "--grid takes VIEWSxSLABS, for example 2x4: view groups and slab columns, not \"%s\"", text);
  return false;
}

/* Several on one machine that were given all of its cores divide them. */
static void share_cores(const task *t) {
  if (t->r->plan.threads != CT_AUTO_INT || getenv("OMP_NUM_THREADS") || t->x->locals < 2) return;
  const int cores = omp_get_num_procs();
  if (cores < sysconf(_SC_NPROCESSORS_ONLN)) return; /* bound to some already */
  omp_set_num_threads(cores > t->x->locals ? cores / t->x->locals : 1);
}

static bool check(const cli_reconstruction *r, ct_error **error) {
  const char *alone = r->one_plane   ? "--slice"
                      : r->start     ? "--start"
                      : r->reference ? "--reference"
                      : r->curve     ? "--curve"
                                     : NULL;
  return !alone || ct_error_set(error, CT_ERROR_UNSUPPORTED, "%s is for one process: start it without mpirun.", alone);
}

static bool open_all(task *t, ct_error **error) {
  const cli_reconstruction *r = t->r;
  bool good = check(r, error);
  if (t->x->rank == 0) good = good && cli_reconstruct_check_outputs(r, error);
  if (!t->x->way->agree(t->x, good, error)) return false;
  t->scan = gantry_open_scan(r->scan, r->description, cli_watch_job(t->watch), error);
  good = t->scan && cli_reconstruct_check_scan(r, t->scan, error) &&
         (t->pipeline = ct_pipeline_new(t->scan, r->backend, error)) &&
         (t->x->rank > 0 || (cli_tell_other_scan(&r->plan_input, r->plan_file, t->scan, t->watch, error) &&
                             ct_identity_of(t->scan, &t->identity, error)));
  return t->x->way->agree(t->x, good, error);
}

/* Rank 0 finds out; `memory`: of each process. */
static bool find(task *t, double memory, ct_error **error) {
  bool good = true;
  if (t->x->rank == 0)
    good = ct_pipeline_find(t->pipeline, &t->r->plan, memory * t->x->locals, &t->found, cli_watch_job(t->watch), error);
  if (!t->x->way->agree(t->x, good, error)) return false;
  t->x->way->tell(t->x, &t->found, sizeof t->found);
  return true;
}

static void say(const task *t, const char *note) {
  if (*note && t->x->rank == 0) cli_watch_say(t->watch, note);
}

static cli_part_request part_request(const task *t, const char *record) {
  return (cli_part_request){.format = t->r->format,
                            .path = t->r->output,
                            .plan = &t->found.plan,
                            .grid = &t->found.grid,
                            .record = record,
                            .checksum = t->identity.checksum};
}

static bool begin_part(task *t, ct_error **error) {
  char note[512];
  const ct_record told = {.plan = &t->found.plan,
                          .identity = &t->identity,
                          .resolved = &t->found.plan,
                          .centre_how = t->found.how,
                          .warnings = &t->found.warned};
  char *record = t->x->rank == 0 ? ct_record_to_json(&told, error) : NULL;
  if (!t->x->way->agree(t->x, t->x->rank > 0 || record, error)) return false;
  const cli_part_request request = part_request(t, record);
  const bool good = cli_part_begin(&t->part, &request, t->x, note, sizeof note, error);
  ct_free(record);
  /* Slices of an iterative method are of a job whose writing did not end: all are written again. */
  if (good && !(t->part.kept && ct_method_iterates(t->r->plan.iterative.method))) say(t, note);
  return good;
}

static bool share_out(task *t, double memory, ct_error **error) {
  const cli_reconstruction *r = t->r;
  const ct_share_request request = {.found = &t->found,
                                    .scan = t->scan,
                                    .backend = r->backend,
                                    .ranks = t->x->ranks,
                                    .groups = r->groups,
                                    .columns = r->columns,
                                    .memory = memory,
                                    .done = t->part.done};
  bool good = true;
  if (t->x->rank == 0) good = ct_plan_shares(&request, &t->shares, error);
  if (!t->x->way->agree(t->x, good, error)) return false;
  t->x->way->tell(t->x, &t->shares, sizeof t->shares);
  t->x->way->arrange(t->x, t->shares.groups, t->shares.columns);
  return true;
}

static void announce(const task *t) {
  char memory[32], text[384];
  snprintf(text, sizeof text,
           "%s: %d processes, %d group%s of views x %d column%s of slabs of up to %d slices, in %s of memory each%s",
           t->r->output, t->x->ranks, t->shares.groups, t->shares.groups == 1 ? "" : "s", t->shares.columns,
           t->shares.columns == 1 ? "" : "s", t->shares.height,
           ct_format_bytes(t->shares.memory, memory, sizeof memory),
           t->shares.held ? "" : ", reading for each slab only the detector rows that it needs");
  cli_watch_say(t->watch, text);
}

static bool write_slices(void *user, const float *slices, int first, int count, ct_error **error) {
  task *t = user;
  return cli_part_write(&t->part, t->x, slices, first, count, error);
}

static void stand(void *user, double fraction, double silence) {
  const task *t = user;
  char note[128], time[32];
  snprintf(note, sizeof note, "%.0f %% of all %d processes%s%s", 100 * fraction, t->x->ranks,
           silence > 0 ? ", nothing of one of the others for " : "",
           silence > 0 ? ct_format_duration(silence, time, sizeof time) : "");
  cli_watch_note(t->watch, note);
}

/* Tried only where it is asked what went between the processes. */
static bool try_sum(task *t, ct_error **error) {
  const ct_grid *grid = &t->found.grid;
  if (t->r->json) t->slab_sum = ct_exchange_try_sum(t->x, (size_t)grid->nx * (size_t)grid->ny, t->shares.height, error);
  return t->slab_sum >= 0;
}

static bool make(task *t, ct_error **error) {
  const ct_shared_request request = {
      .found = &t->found, .shares = &t->shares, .done = t->part.done, .user = t, .write = write_slices, .stand = stand};
  ct_error *fault = NULL, *closing = NULL;
  bool good = ct_pipeline_shared(t->pipeline, &request, t->x, cli_watch_job(t->watch), &fault);
  const bool closed = t->x->way->close(t->x, &closing);
  good = good && closed;
  if (!fault) {
    fault = closing;
    closing = NULL;
  }
  ct_error_clear(&closing);
  good = t->x->way->agree(t->x, good, &fault);
  if (!good && error) *error = fault;
  return good;
}

/* Rank 0 gives the volume its name. */
static bool finish(task *t, ct_error **error) {
  bool good = true;
  if (t->x->rank == 0) {
    char *record = ct_pipeline_record(t->pipeline, &t->found.plan, &t->identity, error);
    good = record && cli_part_finish(&t->part, &t->found.plan, record, cli_watch_job(t->watch), error) &&
           (!t->r->save_plan || cli_save_plan(t->r, &t->identity, error));
    ct_free(record);
  }
  return t->x->way->agree(t->x, good, error);
}

/* A part without a slice, or of an iterative method, is of no use; others stay, and it is said; so do iterations. */
static void tell_kept(const task *t) {
  if (t->x->rank > 0) return;
  if (t->kept.done)
    fprintf(stderr, "gantry-cli: %d iterations are kept in %s: the same command goes on from them\n", t->kept.done,
            t->kept.path);
  if (!t->part.part || access(t->part.journal, F_OK) != 0) return;
  const int count = cli_part_count(&t->part);
  if (count == 0 || ct_method_iterates(t->r->plan.iterative.method)) {
    unlink(t->part.part);
    unlink(t->part.journal);
  } else {
    fprintf(stderr, "gantry-cli: %d of %d slices are kept in %s: the same command goes on from them\n", count,
            t->found.grid.nz, t->part.part);
  }
}

static bool begun(void *user, const ct_shared_run *stand, ct_iterative *run, ct_error **error) {
  task *t = user;
  t->shares = (ct_shares){.groups = t->x->groups,
                          .columns = t->x->columns,
                          .height = (t->found.grid.nz - 1) / t->x->columns + 1,
                          .held = true,
                          .memory = -t->x->way->least(t->x, -stand->memory)};
  if (t->x->rank == 0) announce(t);
  return cli_iterations_take_up(&t->kept, t->x, stand, run, error);
}

static void iterated(void *user, const ct_shared_run *stand) {
  task *t = user;
  char note[64], told[512];
  snprintf(note, sizeof note, "%d of %d in all %d processes", stand->done, stand->wanted, t->x->ranks);
  cli_watch_note(t->watch, note);
  cli_iterations_keep(&t->kept, t->x, stand, told, sizeof told);
  if (*told && t->x->rank == 0) cli_watch_warn(t->watch, told);
}

/* The slices of this rank's column, which its groups write together. */
static bool write_slab(task *t, const ct_volume *slab, ct_error **error) {
  int first;
  const ct_grid *grid = ct_volume_grid(slab);
  const int count = ct_exchange_slices(t->x, t->x->group, grid->nz, &first);
  const int from = ct_iteration_slices(t->found.grid.nz, t->x->columns, t->x->column).first;
  bool good = t->x->way->agree(t->x, t->x->way->open(t->x, t->part.part, error), error);
  if (!good) return false;
  good = count == 0 ||
         cli_part_write(&t->part, t->x, ct_volume_get_data(slab) + (size_t)first * (size_t)grid->nx * (size_t)grid->ny,
                        from + first, count, error);
  const bool closed = t->x->way->close(t->x, good ? error : NULL);
  return t->x->way->agree(t->x, good && closed, error);
}

/* The file first, so that a full disk shows before the work. */
static bool begin_iterated(task *t, ct_error **error) {
  char note[512];
  if (!begin_part(t, error)) return false;
  memset(t->part.done, 0, (size_t)t->found.grid.nz);
  if (!t->x->way->agree(t->x, t->x->way->close(t->x, error), error)) return false;
  const cli_part_request request = part_request(t, NULL);
  if (!cli_iterations_begin(&t->kept, &request, t->x, note, sizeof note, error)) return false;
  say(t, note);
  return true;
}

/* The volume in slabs and the views in groups. */
static bool iterate(task *t, double memory, ct_error **error) {
  int iterations;
  const ct_shared_iteration request = {.found = &t->found,
                                       .groups = t->r->groups,
                                       .columns = t->r->columns,
                                       .memory = memory,
                                       .user = t,
                                       .begun = begun,
                                       .iterated = iterated};
  if (!begin_iterated(t, error)) return false;
  ct_volume *slab =
      ct_pipeline_shared_iterated(t->pipeline, &request, t->x, &iterations, cli_watch_job(t->watch), error);
  if (!slab) return false;
  t->found.plan.iterative.iterations = iterations;
  const bool good = write_slab(t, slab, error);
  ct_volume_free(slab);
  if (!good || !finish(t, error)) return false;
  if (t->x->rank == 0) cli_iterations_remove(&t->kept);
  return true;
}

static bool reconstruct(task *t, ct_error **error) {
  const double begun = ct_now();
  if (!open_all(t, error)) return false;
  const double memory = t->r->memory > 0 ? t->r->memory : ct_shared_memory(t->x->locals);
  const double least = t->x->way->least(t->x, memory > 0 ? memory : 1e300);
  ct_pipeline_limit_memory(t->pipeline, (size_t)t->r->memory);
  if (!find(t, least < 1e300 ? least : 0, error)) return false;
  if (ct_method_iterates(t->r->plan.iterative.method)) {
    const bool iterates = iterate(t, least < 1e300 ? least : 0, error);
    t->seconds = ct_now() - begun;
    return iterates;
  }
  if (!begin_part(t, error) || !share_out(t, least < 1e300 ? least : 0, error)) return false;
  if (t->x->rank == 0) announce(t);
  const double tried = ct_now();
  if (!try_sum(t, error)) return false;
  const double trial = ct_now() - tried;
  const bool good = make(t, error) && finish(t, error);
  t->seconds = ct_now() - begun - trial;
  return good;
}

static void collect_warnings(task *t, ct_warnings *all) {
  const ct_warnings *own = ct_pipeline_get_facts(t->pipeline)->warnings;
  ct_warnings *every = ct_alloc_zero((size_t)t->x->ranks, sizeof *every, "the warnings", NULL), none = {0};
  if (t->x->way->agree(t->x, every, NULL)) t->x->way->gather(t->x, own ? own : &none, sizeof none, every);
  for (int rank = 0; every && t->x->rank == 0 && rank < t->x->ranks; rank++) ct_warnings_join(all, &every[rank]);
  ct_free(every);
}

static int run(task *t) {
  ct_error *error = NULL;
  ct_warnings warnings = {0};
  bool told = true;
  const bool good = reconstruct(t, &error);
  if (good) {
    collect_warnings(t, &warnings);
    cli_watch_hide(t->watch);
    if (t->x->rank == 0 && !t->r->quiet) {
      cli_print_summary(t->r, t->scan, t->pipeline, &t->found.grid, t->seconds, 0);
    }
    const cli_traffic traffic = {.exchange = t->x,
                                 .shares = &t->shares,
                                 .grid = &t->found.grid,
                                 .done = t->part.done,
                                 .seconds = t->seconds,
                                 .slab_sum = t->slab_sum,
                                 .device = t->r->backend->device,
                                 .iterates = ct_method_iterates(t->r->plan.iterative.method),
                                 .json = t->r->json,
                                 .say = !t->r->quiet};
    told = cli_traffic_print(&traffic, &error);
  } else {
    cli_watch_hide(t->watch);
  }
  int status = good ? CLI_DONE : CLI_FAILED;
  if (good && t->x->rank == 0) status = cli_tell_warnings(&warnings, t->r->strict);
  if (!told) {
    ct_error_prefix(&error, "%s is written, but its traffic cannot be told", t->r->output);
    status = t->x->rank == 0 ? cli_failure(NULL, &error) : CLI_FAILED;
  }
  if (!good && t->x->rank == 0) {
    const bool cancelled = error && error->code == CT_ERROR_CANCELLED;
    if (cancelled)
      fputs("gantry-cli: interrupted\n", stderr);
    else
      cli_failure(cli_reconstruct_at_fault(t->r, error), &error);
    tell_kept(t);
  }
  ct_error_clear(&error);
  return status;
}

int cli_reconstruct_shared(const cli_reconstruction *asked, ct_exchange *x) {
  ct_error *error = NULL;
  cli_reconstruction r = *asked;
  task t = {.r = &r, .x = x, .part = {.descriptor = -1}};
  share_cores(&t);
  gantry_backend *backend = gantry_backend_new_in_turn(asked->plan.device, x->local, x->locals, &error);
  r.backend = backend ? gantry_backend_get(backend) : NULL;
  if (backend) t.watch = cli_watch_begin(r.quiet || x->rank > 0, &error);
  if (t.watch && r.progress > 0) cli_watch_every(t.watch, r.progress);
  int status = CLI_FAILED;
  if (x->way->agree(x, t.watch != NULL, &error))
    status = run(&t);
  else if (x->rank == 0)
    cli_failure(NULL, &error);
  ct_error_clear(&error);
  cli_part_clear(&t.part);
  cli_iterations_clear(&t.kept);
  ct_pipeline_free(t.pipeline);
  ct_scan_free(t.scan);
  ct_identity_clear(&t.identity);
  cli_watch_end(t.watch);
  gantry_backend_free(backend);
  return status;
}
