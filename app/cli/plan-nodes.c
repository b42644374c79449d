/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gantry-cli plan: what a volume would take on many machines, from the rates of this one. */
#include "app/cli/cli.h"
#include "app/cli/reconstruct-shared.h"
#include "app/cli/scale-model.h"
#include "app/example.h"
#include "app/json.h"
#include "recon/base/machine.h"
#include "recon/base/units.h"
#include "recon/solve/shared.h"

#include <getopt.h>
#include <math.h>
#include <string.h>

enum {
  NODES = 256,
  CORES,
  MEMORY,
  NETWORK,
  GPUS,
  GPU_RATE,
  RATE,
  FILTER_RATE,
  DISK,
  VOLUME,
  VIEWS,
  DETECTOR,
  SAMPLE,
  METHOD,
  ITERATIONS,
  ITERATE_RATE,
  APERTURE,
  GRID,
  TABLE,
  JSON
};

static const cli_option options[] = {
    {NODES, "nodes", "N", "Machines; default: 1."},
    {CORES, "cores", "N",
     "Processor cores of each, a part of one where processes share it; default: those of this one."},
    {MEMORY, "memory", "SIZE", "Memory of each that may be taken; default: 64G."},
    {NETWORK, "network", "SIZE", "Bytes a second into and out of each; default: 12.5G (100 Gbit/s)."},
    {GPUS, "gpus", "N", "Graphics cards of each, a process for each card; default: 0, a process for each machine."},
    {GPU_RATE, "gpu-rate", "GUPS",
     "1e9 voxel updates a second of a card: as measured by gantry-cli bench. Needed by "
     "--gpus."},
    {RATE, "rate", "GUPS", "The same of one core; default: measured now, on this machine."},
    {FILTER_RATE, "filter-rate", "MPIX", "1e6 pixels that one core filters a second; default: measured now."},
    {DISK, "disk", "SIZE", "Bytes a second of the file system, all machines together; default: 10G."},
    {VOLUME, "volume", "N", "Voxels along each edge; default: 4096."},
    {VIEWS, "views", "N", "Views; default: 4096."},
    {DETECTOR, "detector", "N", "Columns and rows of the detector; default: 2048."},
    {SAMPLE, "sample", "BYTES", "Of a pixel in the file; default: 2."},
    {METHOD, "method", "NAME",
     "sirt, cgls, sart or os-sart: iterated, with the volume in slabs; default: fbp, the direct one."},
    {ITERATIONS, "iterations", "N", "Of these; default: 20."},
    {ITERATE_RATE, "iterate-rate", "GUPS",
     "1e9 voxel updates a second of one core, projecting and carrying back; default: measured now, on this machine."},
    {APERTURE, "aperture", "RATIO",
     "Of iterations: half the diagonal of a slice by the distance of the source from the axis, 0 for parallel rays; "
     "default: 0.1."},
    {GRID, "grid", "VxS", "This grid of view groups x slab columns, not the best."},
    {TABLE, "table", NULL,
     "Strong and weak scaling instead: 1 to --nodes machines in powers of two, for the volume, and "
     "for a share of its slices and rows that grows with the machines."},
    {JSON, "json", NULL, "As JSON."},
    {0},
};

typedef struct request {
  double nodes, cores, memory, network, gpus, gpu_rate, rate, filter_rate, disk, volume, views, detector, sample;
  double iterations, iterate_rate, aperture;
  int groups, columns; /* 0: the best */
  const ct_choice *method;
  bool table, json, measured;
} request;

static bool iterates(const request *r) {
  return ct_method_iterates(r->method->value);
}

static bool read_method(const cli_command *command, const char *text, request *r) {
  const ct_choice *method = ct_choice_find_id(ct_method_choices, text);
  if (method && (method->value == CT_METHOD_DIRECT || ct_method_is_shared(method->value))) {
    r->method = method;
    return true;
  }
  cli_misuse(command, "--method is fbp, sirt, cgls, sart or os-sart, not \"%s\"", text);
  return false;
}

static int read_options(const cli_command *command, int argc, char **argv, request *r) {
  const char *value;
  int letter;
  while ((letter = cli_next_option(command, argc, argv, &value)) >= 0) {
    bool good = true;
    switch (letter) {
    case NODES:
      good = cli_read_real(command, "--nodes", value, 1, 1 << 20, &r->nodes);
      break;
    case CORES:
      good = cli_read_real(command, "--cores", value, 1e-3, 1 << 16, &r->cores);
      break;
    case MEMORY:
      good = cli_read_bytes(command, "--memory", value, &r->memory);
      break;
    case NETWORK:
      good = cli_read_bytes(command, "--network", value, &r->network);
      break;
    case GPUS:
      good = cli_read_real(command, "--gpus", value, 0, 64, &r->gpus);
      break;
    case GPU_RATE:
      good = cli_read_real(command, "--gpu-rate", value, 1e-3, 1e6, &r->gpu_rate);
      break;
    case RATE:
      good = cli_read_real(command, "--rate", value, 1e-6, 1e6, &r->rate);
      break;
    case FILTER_RATE:
      good = cli_read_real(command, "--filter-rate", value, 1e-6, 1e6, &r->filter_rate);
      break;
    case DISK:
      good = cli_read_bytes(command, "--disk", value, &r->disk);
      break;
    case VOLUME:
      good = cli_read_real(command, "--volume", value, 1, 1 << 16, &r->volume);
      break;
    case VIEWS:
      good = cli_read_real(command, "--views", value, 1, 1 << 20, &r->views);
      break;
    case DETECTOR:
      good = cli_read_real(command, "--detector", value, 1, 1 << 16, &r->detector);
      break;
    case SAMPLE:
      good = cli_read_real(command, "--sample", value, 1, 8, &r->sample);
      break;
    case METHOD:
      good = read_method(command, value, r);
      break;
    case ITERATIONS:
      good = cli_read_real(command, "--iterations", value, 1, 1 << 20, &r->iterations);
      break;
    case ITERATE_RATE:
      good = cli_read_real(command, "--iterate-rate", value, 1e-6, 1e6, &r->iterate_rate);
      break;
    case APERTURE:
      good = cli_read_real(command, "--aperture", value, 0, 0.99, &r->aperture);
      break;
    case GRID:
      good = cli_read_grid(command, value, &r->groups, &r->columns);
      break;
    case TABLE:
      r->table = true;
      break;
    case JSON:
      r->json = true;
      break;
    }
    if (!good) return CLI_MISUSED;
  }
  if (letter != CLI_END) return letter == CLI_HELPED ? CLI_DONE : CLI_MISUSED;
  if (argc > optind) return cli_misuse(command, "it takes no operand \"%s\"", argv[optind]);
  const double counts[] = {r->nodes, r->gpus, r->volume, r->views, r->detector, r->iterations};
  for (size_t n = 0; n < sizeof counts / sizeof *counts; n++)
    if (counts[n] != floor(counts[n])) return cli_misuse(command, "counts are whole numbers, not %g", counts[n]);
  if (r->gpus > 0 && iterates(r))
    return cli_misuse(command, "iterations of several processes by graphics cards are not modelled: leave out --gpus");
  if (r->gpus > 0 && !(r->gpu_rate > 0)) return cli_misuse(command, "--gpus needs the rate of a card: --gpu-rate GUPS");
  return CLI_END;
}

static bool measure_direct(request *r, ct_pipeline *pipeline, ct_job *job, ct_error **error) {
  ct_plan plan;
  ct_plan_init(&plan);
  const double begun = ct_now();
  if (!ct_pipeline_prepare(pipeline, &plan, NULL, error)) return false;
  const double filtered = ct_now();
  ct_volume *volume = ct_pipeline_volume(pipeline, &plan, NULL, job, error);
  if (!volume) return false;
  const ct_geometry *g = ct_pipeline_get_facts(pipeline)->geometry;
  const int threads = ct_thread_count();
  ct_progress progress;
  ct_job_get_progress(job, &progress);
  if (!(r->rate > 0)) r->rate = progress.gups / threads;
  if (!(r->filter_rate > 0)) r->filter_rate = 1e-6 * g->nu * g->nv * g->views / (filtered - begun) / threads;
  ct_volume_free(volume);
  return true;
}

static bool measure_iterations(request *r, ct_pipeline *pipeline, ct_job *job, ct_error **error) {
  enum { SOME = 3 };
  ct_plan plan;
  ct_plan_init(&plan);
  plan.iterative.method = r->method->value;
  plan.iterative.iterations = SOME;
  ct_volume *volume = ct_pipeline_volume(pipeline, &plan, NULL, job, error);
  if (!volume) return false;
  size_t count;
  double seconds = INFINITY;
  const ct_iteration *curve = ct_pipeline_get_curve(pipeline, &count);
  for (size_t n = 0; n < count; n++) seconds = fmin(seconds, curve[n].seconds);
  r->iterate_rate = 1e-9 * (double)ct_grid_voxels(ct_volume_grid(volume)) *
                    ct_pipeline_get_facts(pipeline)->geometry->views / seconds / ct_thread_count();
  ct_volume_free(volume);
  return true;
}

/* The built-in example, filtered and back-projected by all cores of this machine, or iterated. */
static bool measure(request *r, ct_error **error) {
  ct_job *job = ct_job_new(error);
  ct_scan *scan = job ? gantry_example_scan(NULL, error) : NULL;
  ct_pipeline *pipeline = scan ? ct_pipeline_new(scan, NULL, error) : NULL;
  r->measured = pipeline && (iterates(r) ? measure_iterations : measure_direct)(r, pipeline, job, error);
  ct_pipeline_free(pipeline);
  ct_scan_free(scan);
  ct_job_free(job);
  return r->measured;
}

static scale_machine machine_of(const request *r, double nodes) {
  const double each = r->gpus > 0 ? r->gpus : 1;
  return (scale_machine){.processes = (int)(nodes * each),
                         .iterated = 1e9 * r->iterate_rate * r->cores,
                         .updates = 1e9 * (r->gpus > 0 ? r->gpu_rate : r->rate * r->cores),
                         .pixels = 1e6 * r->filter_rate * r->cores / each,
                         .memory = r->memory / each,
                         .network = r->network / each,
                         .disk = r->disk};
}

static scale_problem problem_of(const request *r, double share) {
  return (scale_problem){.nx = r->volume,
                         .ny = r->volume,
                         .nz = ceil(r->volume * share),
                         .views = r->views,
                         .columns = r->detector,
                         .rows = ceil(r->detector * share),
                         .sample = r->sample,
                         .iterations = iterates(r) ? r->iterations : 0,
                         .aperture = r->aperture,
                         .together = !ct_method_takes_all_views(r->method->value)};
}

static json_t *time_object(const scale_time *t) {
  json_t *object = json_pack("{s:i, s:i, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f}", "view_groups",
                             t->groups, "slab_columns", t->columns, "slabs_of_a_column", t->slabs, "seconds",
                             t->seconds, "read_seconds", t->read, "filter_seconds", t->filter, "backproject_seconds",
                             t->backproject, "sum_seconds", t->sum, "sum_waited_seconds", t->waited, "write_seconds",
                             t->write, "memory_bytes", t->memory, "sent_bytes", t->sent, "read_bytes", t->read_bytes);
  if (object && t->iterate > 0)
    json_object_update_new(object, json_pack("{s:f, s:f, s:f}", "iteration_seconds", t->iterate, "exchange_seconds",
                                             t->exchange, "traded_bytes", t->traded));
  return object;
}

static void print_iterations(const request *r, const scale_machine *m, const scale_time *t) {
  char a[32], b[32], c[32], d[32];
  printf("%d processes, the %s %d x %d (view groups x slab columns), %.0f iterations of %s: %s\n", m->processes,
         r->groups ? "grid" : "best grid", t->groups, t->columns, r->iterations, r->method->title,
         ct_format_duration(t->seconds, a, sizeof a));
  printf("  by themselves: reading %.3g s, an iteration %.3g s, of which %.3g s exchange, writing %.3g s\n", t->read,
         t->iterate, t->exchange, t->write);
  printf("  of each process: memory %s, read %s; in an iteration line integrals of %s and images of %s\n",
         ct_format_bytes(t->memory, a, sizeof a), ct_format_bytes(t->read_bytes, b, sizeof b),
         ct_format_bytes(t->traded, c, sizeof c), ct_format_bytes(t->sent, d, sizeof d));
  printf("  at %.4g GUPS a core%s\n", r->iterate_rate, r->measured ? ", measured on this machine" : "");
}

static void print_words(const request *r, const scale_machine *m, const scale_time *t) {
  char a[32], b[32], c[32];
  printf("%d processes, the %s %d x %d (view groups x slab columns), %.0f slabs a column: %s\n", m->processes,
         r->groups ? "grid" : "best grid", t->groups, t->columns, t->slabs,
         ct_format_duration(t->seconds, a, sizeof a));
  printf("  by themselves: reading %.3g s, filtering %.3g s, back-projection %.3g s, sums %.3g s (%.3g s of "
         "them nothing else goes on), writing %.3g s\n",
         t->read, t->filter, t->backproject, t->sum, t->waited, t->write);
  printf("  of each process: memory %s, read %s, sent %s\n", ct_format_bytes(t->memory, a, sizeof a),
         ct_format_bytes(t->read_bytes, b, sizeof b), ct_format_bytes(t->sent, c, sizeof c));
  if (r->gpus > 0)
    printf("  at %.4g GUPS a card, as told, and %.4g million pixels filtered a second by a core%s\n", r->gpu_rate,
           r->filter_rate, r->measured ? ", measured" : "");
  else
    printf("  at %.4g GUPS and %.4g million pixels filtered a second by a core%s\n", r->rate, r->filter_rate,
           r->measured ? ", measured on this machine" : "");
}

/* Machines in powers of two: the same problem, and one that grows with them. */
static void print_table(const request *r) {
  printf("machines  processes  grid        seconds  efficiency  grid (weak)  seconds  efficiency\n");
  double first = 0, first_weak = 0;
  for (double nodes = 1; nodes <= r->nodes; nodes *= 2) {
    const scale_machine m = machine_of(r, nodes);
    scale_time t;
    char grid[32];
    const scale_problem strong = problem_of(r, 1), weak = problem_of(r, nodes / r->nodes);
    printf("%8.0f  %9d  ", nodes, m.processes);
    if (scale_best(&strong, &m, &t)) {
      if (!(first > 0)) first = t.seconds * nodes;
      snprintf(grid, sizeof grid, "%dx%d", t.groups, t.columns);
      printf("%-10s %8.4g  %9.0f %%  ", grid, t.seconds, 100 * first / nodes / t.seconds);
    } else {
      printf("%-10s %8s  %11s  ", "no room", "-", "-");
    }
    if (scale_best(&weak, &m, &t)) {
      if (!(first_weak > 0)) first_weak = t.seconds;
      snprintf(grid, sizeof grid, "%dx%d", t.groups, t.columns);
      printf("%-10s %9.4g  %8.0f %%\n", grid, t.seconds, 100 * first_weak / t.seconds);
    } else {
      printf("%-10s %9s  %10s\n", "no room", "-", "-");
    }
  }
}

/* The best grid, or the one that is asked for. */
static bool predict(const cli_command *command, const request *r, const scale_problem *p, const scale_machine *m,
                    scale_time *t, ct_error **error) {
  char memory[32];
  if (r->groups && (int64_t)r->groups * r->columns != m->processes) {
    cli_misuse(command, "a grid of %d x %d takes %d processes, and there are %d", r->groups, r->columns,
               r->groups * r->columns, m->processes);
    return false;
  }
  const bool fits = !r->groups    ? scale_best(p, m, t)
                    : iterates(r) ? scale_predict_iterated(p, m, r->groups, t)
                                  : scale_predict(p, m, r->groups, t);
  return fits ||
         ct_error_set(error, CT_ERROR_MEMORY,
                      "No %s of %d processes with %s each has room for %s, or fewer slices or views than "
                      "processes are left: take more machines.",
                      r->groups ? "such grid" : "grid", m->processes, ct_format_bytes(m->memory, memory, sizeof memory),
                      iterates(r) ? "slab, line integrals and what the method keeps" : "the projections and two slabs");
}

static int run(const cli_command *command, int argc, char **argv) {
  request r = {.nodes = 1,
               .cores = ct_thread_count(),
               .memory = 64e9,
               .network = 12.5e9,
               .disk = 10e9,
               .volume = 4096,
               .views = 4096,
               .detector = 2048,
               .sample = 2,
               .method = ct_choice_find(ct_method_choices, CT_METHOD_DIRECT),
               .iterations = 20,
               .aperture = 0.1};
  ct_error *error = NULL;
  const int status = read_options(command, argc, argv, &r);
  if (status != CLI_END) return status;
  if (iterates(&r) ? !(r.iterate_rate > 0) : (!(r.rate > 0) && !(r.gpus > 0)) || !(r.filter_rate > 0))
    if (!measure(&r, &error)) return cli_failure(NULL, &error);
  const scale_machine m = machine_of(&r, r.nodes);
  const scale_problem p = problem_of(&r, 1);
  scale_time best;
  if (r.table) {
    print_table(&r);
    return CLI_DONE;
  }
  if (!predict(command, &r, &p, &m, &best, &error)) return error ? cli_failure(NULL, &error) : CLI_MISUSED;
  if (!r.json) {
    (iterates(&r) ? print_iterations : print_words)(&r, &m, &best);
    return CLI_DONE;
  }
  json_t *root = json_pack("{s:i, s:f, s:f, s:b, s:o}", "processes", m.processes, "updates_per_second", m.updates,
                           "pixels_per_second", m.pixels, "measured", r.measured, "best", time_object(&best));
  return gantry_json_print(root, &error) ? CLI_DONE : cli_failure(NULL, &error);
}

const cli_command cli_plan_command = {
    "plan",
    "[--nodes N] [--cores C] [--memory M] [--network B] [--gpus G --gpu-rate R] [options]",
    "Predicts how long a volume takes on many machines, in how much memory, what goes between them, and which grid of "
    "view groups and slab columns is best, from the rates measured on this machine or told. See docs/scale.md.",
    options,
    NULL,
    run,
};
