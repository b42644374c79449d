/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the parts of gantry-cli bench share: options, problems, a case (a problem in memory) on which kernels are timed
 * and checked, and the report of rows. */
#ifndef GANTRY_CLI_BENCH_H
#define GANTRY_CLI_BENCH_H

#include "app/cli/cli.h"
#include "recon/bp/kernel.h"
#include "recon/data/stack.h"

#include <jansson.h>

typedef struct bench_options {
  int threads, repeat, size, views, references;
  int batch;    /* 0: the kernel's own */
  double limit; /* seconds for the timed runs of one row */
  const char *kernels, *problems, *device, *knobs, *json, *csv, *profile, *file, *write, *part;
  bool quiet, cpu_time;
} bench_options;

typedef struct bench {
  bench_options options;
  const char *suite;
  ct_bp_table table;
  ct_job *job;
  json_t *rows, *skipped, *rates, *tables; /* tables: of the suite gpu, NULL elsewhere */
  double bound_gups;                       /* 0: none; else rows state their share of it */
  const char *bound_by;
  bool header_printed;
  const char *part_printed; /* suite iterative: the part whose table stands last on stdout */
  bool gpu_only;            /* bench_measure_all passes over the processor's kernels, but for the voxel loop */
  bool measures_card;       /* the device's clock measures dispatches; the table has a column for it */
} bench;

/* One measurement; NaN where a number does not apply (null in JSON). */
typedef struct bench_row {
  const char *kernel, *problem, *precision, *interp;
  int threads, batch, views;
  double seconds, spread;         /* median of the runs; (longest - shortest) / median */
  double gups, speedup;           /* over the voxel loop of the same case, threads and interpolation */
  double card_seconds, card_gups; /* the dispatches alone, by the graphics device's clock (median); 0: not measured */
  double rel_rmse;                /* against textbook */
  double updated_share;           /* of the updates, those whose ray meets the detector; 0: not asked for */
  double bytes;                   /* volume, projections and the kernel's own */
  char note[400];
} bench_row;

/* Prints the row and keeps it; `more` (taken, may be NULL) has further members for JSON. */
void bench_add_row(bench *b, const bench_row *row, json_t *more);
/* Tells on stderr and in JSON why something was not measured; a NULL kernel means the whole problem. Clears the error.
 */
void bench_skip(bench *b, const char *problem, const char *kernel, ct_error **error);
/* One line on stderr. */
void bench_say(const bench *b, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The files of --json and --csv. */
bool bench_write_files(const bench *b, ct_error **error);

/* Whether a name is in a list separated by commas; NULL holds everything. */
bool bench_listed(const char *list, const char *name);
/* Whether --problems holds the name, or where it is not given `ordinary` does; "all" holds everything. */
bool bench_chosen(const bench *b, const char *name, const char *ordinary);
/* Puts ", name" behind what is there; a name that is there already is left out. */
void bench_add_name(char *names, size_t size, const char *name);
/* False: the list (may be NULL) holds something else than names, separated by commas, of `known`, which are separated
 * by ", ". `what` they are: part, problem. */
bool bench_check_list(const bench *b, const char *what, const char *list, const char *known, ct_error **error);
/* Seconds since a start, of the wall clock or (--cpu-time) of the processor: all threads' share, but no less than the
 * calling thread's own, which alone is busy in serial parts. */
typedef struct bench_clock {
  double wall, process, thread;
} bench_clock;
bench_clock bench_start(void);
double bench_elapsed(const bench *b, bench_clock start, int threads);
/* Median of count values, which are sorted; spread may be NULL. */
double bench_median(double *values, int count, double *spread);

typedef struct bench_problem {
  const char *name;
  ct_beam beam;
  int nu, nv, views;
  double du, sod, sdd;
  double offset_u, offset_v; /* pixels */
  double tilt, arc, wobble;  /* radians; irregularity of free matrices */
  int nx, ny, nz;
  double voxel, cy, cz; /* mm; x of the grid's centre is 0 */
} bench_problem;

extern const bench_problem bench_problems[], bench_chen_problems[];
extern const int bench_problem_count, bench_chen_problem_count;
/* False: --problems names something else than these, or one `more` (NULL: none), or all. */
bool bench_check_problems(const bench *b, const bench_problem *problems, int count, const char *more, ct_error **error);

/* The problem with no side longer than `size` pixels or voxels: the same field of view in fewer, larger ones, with as
 * many fewer views. 0 leaves it as it is. */
bench_problem bench_shrink(const bench_problem *problem, int size);
bool bench_problem_geometry(const bench_problem *problem, ct_geometry *geometry, ct_error **error);

/* A problem in memory. */
typedef struct bench_case {
  char name[96];
  ct_geometry geometry;
  int views_stated; /* of the problem; the geometry may have fewer, evenly spread */
  ct_grid grid;
  ct_stack *stack; /* filtered projections */
  ct_volume *volume;
  ct_volume *expected; /* textbook on a lattice of voxels spread over the grid, of the first expected_views views */
  int expected_views;
  ct_interp expected_interp;
  double yardstick[CT_INTERP_OVERSAMPLED + 1]; /* GUPS of the voxel loop, 0 when not measured yet */
  int yardstick_threads;
} bench_case;

/* The problem in --size, and in --views for cards. False with the reason when memory does not suffice; noise as
 * projections, of as many views as memory allows. */
bool bench_case_open(const bench *b, const bench_problem *problem, bench_case *c, ct_error **error);
/* Takes geometry and stack, also on failure. */
bool bench_case_take(const char *name, ct_geometry *geometry, ct_stack *stack, const ct_grid *grid, bench_case *c,
                     ct_error **error);
void bench_case_clear(bench_case *c);

/* What to measure of a case. */
typedef struct bench_run {
  const ct_bp_kernel *kernel;
  ct_interp interp;
  ct_precision precision;
  int threads, batch;
  bool all_views; /* else a slow kernel is timed on as many views as the limit allows */
  /* Called with the volume of the first `views` views; may fill row->rel_rmse, row->note and return members for JSON.
   * NULL: relative RMSE against textbook on the lattice. */
  json_t *(*check)(bench *b, bench_case *c, const struct bench_run *run, int views, bench_row *row, ct_error **error);
  void *user;
} bench_run;

/* What a kernel is asked for. */
ct_bp_request bench_request(const bench *b, const bench_case *c, const bench_run *run);
/* Measures and adds a row; skips (true) what does not apply or fit. False only when cancelled. */
bool bench_measure(bench *b, bench_case *c, const bench_run *run, ct_error **error);
/* The voxel loop first, then every listed kernel of the table in every precision that it has. */
bool bench_measure_all(bench *b, bench_case *c, const bench_run *model, ct_error **error);
/* The voxel loop alone, if it has not been measured for this interpolation and number of threads. */
bool bench_measure_yardstick(bench *b, bench_case *c, const bench_run *model, ct_error **error);
/* In every interpolation and precision, what auto takes beside the kernels ranked behind it. */
bool bench_judge_auto(bench *b, bench_case *c, ct_error **error);
/* The lattice of at most `most` voxels a side over a grid; steps[3] are the strides in voxels. */
ct_grid bench_lattice(const ct_grid *grid, int most, int steps[3]);
/* Textbook over the first `views` views on the case's lattice, into c->expected. */
bool bench_expect(bench *b, bench_case *c, ct_interp interp, int views, ct_error **error);
/* The voxels of a volume on the lattice of c->expected, in its order; `count` of them into out. */
void bench_gather(const bench_case *c, const ct_volume *volume, float *out);
double bench_rel_rmse(const float *values, const float *expected, size_t count);
/* Views first .. first + count - 1 of a case through a prepared kernel, finish included, into a volume that holds those
 * before them: none where first is 0. */
bool bench_add_views(bench *b, const bench_case *c, const bench_run *run, ct_bp_state *state, int first, int count,
                     ct_volume *volume, ct_error **error);

/* The suites; false with an error. */
bool bench_ladder(bench *b, ct_error **error);
bool bench_auto(bench *b, ct_error **error);
bool bench_chen(bench *b, ct_error **error);
bool bench_parallel(bench *b, ct_error **error);
bool bench_rabbitct(bench *b, ct_error **error);
bool bench_pipeline(bench *b, ct_error **error);
bool bench_limits(bench *b, ct_error **error);
bool bench_gpu(bench *b, ct_error **error);
/* From the rows of the suite gpu, the tables of its papers: on stdout, and into b->tables. */
void bench_make_tables(bench *b);
bool bench_iterative(bench *b, ct_error **error);
/* Its parts, and what problems each has. */
void bench_print_iterative(FILE *to);
extern const char bench_pipeline_problems[];
/* Part of the suite gpu: what half precision, nearest neighbour and oversampling do to a slice of the Shepp-Logan
 * phantom and of options.file; the profiles into options.profile. */
bool bench_quality(bench *b, ct_error **error);

/* Synthetic RabbitCT data: a C-arm's irregular orbit of 200 degrees about the 3-D Shepp-Logan phantom, projections
 * weighted and filtered. `detector` columns (1248 are the real one's), 10/13 as many rows. */
bool bench_make_rabbitct(int detector, int views, int threads, ct_job *job, ct_geometry *geometry, ct_stack **stack,
                         ct_error **error);
extern const float bench_rabbitct_scale[2];

#endif
