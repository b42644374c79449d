/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the files that search the centre of rotation: rays that are measured from both sides (harmonics of a full
 * turn, views of a shorter arc), how well they mirror at trial centres, and the search over these. */
#ifndef CT_PREP_CENTRE_PRIVATE_H
#define CT_PREP_CENTRE_PRIVATE_H

#include "recon/prep/prep-private.h"

/* Harmonics k = 0 .. harmonics - 1 of detector rows over the turn, and behind them `extra` of the highest ones, which
 * hold little but noise. Columns may be averages of `bin`. */
typedef struct ct_turn {
  int rows, nu, harmonics, extra;
  int bin;
  double first; /* unbinned column of column 0 */
  bool parallel;
  double du, sdd; /* of an unbinned column */
  float *spectra; /* [rows][harmonics + extra][nu][2] */
} ct_turn;

/* Whether the views go round without a gap that interpolation may not close. */
bool ct_turn_is_full(const ct_geometry *geometry);
/* rows[count]: detector rows, each on its own; add: rows added up. */
bool ct_turn_new(ct_turn *turn, const ct_stack *stack, const ct_geometry *geometry, const int *rows, int count,
                 bool add, ct_job *job, ct_error **error);
/* The same of pairs of columns. */
bool ct_turn_halve(ct_turn *half, const ct_turn *turn, ct_error **error);
void ct_turn_clear(ct_turn *turn);

/* Octaves of harmonics (0, 1, 2..3, 4..7, ...), and scales in columns (1, 2, 4, ...). */
enum { CT_TURN_OCTAVES = 12, CT_TURN_SCALES = 7, CT_TURN_BANDS = CT_TURN_OCTAVES * CT_TURN_SCALES };

/* What a trial centre shows in one band, in units of the noise: energy of half the sums and half the differences of
 * mirrored samples, and how many independent ones there are. */
typedef struct ct_mirror {
  double even, odd, count;
} ct_mirror;

/* Trials at centres (first + i) / 2 in columns of the rays; mirrors [count][CT_TURN_BANDS]. */
typedef struct ct_mirror_trials {
  int first, count;
  ct_mirror *mirrors;
} ct_mirror_trials;
/* Advances the job by one for each row and scale. */
bool ct_mirror_compare(const ct_turn *turn, ct_mirror_trials *trials, ct_job *job, ct_error **error);

/* How mirrored rays are thought to differ. misfit: besides noise, in this share of their energy. still: what stands
 * still over the turn (k = 0) counts too. */
typedef struct ct_mirror_model {
  double misfit;
  bool still;
} ct_mirror_model;
/* The logarithm of how much likelier the samples are if the trial is the centre than if it is not. */
double ct_mirror_evidence(const ct_mirror *bands, const ct_mirror_model *model);
/* The centre near trial `at`, in columns of the turn, by least squares; *spread: its standard deviation, INFINITY where
 * there is no minimum; *agreement: share 0..1 of the energy that mirrors. */
double ct_mirror_refine(const ct_mirror_trials *trials, int at, const ct_mirror_model *model, double *spread,
                        double *agreement);

/* Rays with columns that may be averages of `bin`, and how they are compared. */
typedef struct ct_mirror_level {
  int nu, bin;
  double first; /* unbinned column of column 0 */
  const void *rays;
  bool (*compare)(const void *rays, ct_mirror_trials *trials, ct_job *job, ct_error **error);
} ct_mirror_level;

/* levels[count], each with half the columns of the one before; the last has up to CT_MIRROR_COLUMNS. about: near this
 * column alone, NaN: everywhere. CT_ERROR_DATA where no trial has evidence. */
enum { CT_MIRROR_COLUMNS = 320 };
bool ct_mirror_search(const ct_mirror_level *levels, int count, double about, ct_centre_found *found, ct_job *job,
                      ct_error **error);

/* Detector rows that are looked at, of [row0, row0 + rows): spread over a parallel beam, the middle ones of others.
 * list[most]; returns how many. */
int ct_centre_rows(const ct_geometry *geometry, int row0, int rows, int most, int *list);

/* Views at regular angles round about an arc without its widest gap: of each the two measured views about it and the
 * share of the second, and whether they are near enough. */
typedef struct ct_regular_view {
  int a, b;
  float share;
  bool valid;
} ct_regular_view;

/* Rays of less than a turn, at regular angles. Parallel: rays[1] are measured half a turn from rays[0], not mirrored
 * yet. Fan and cone: both are all views, the same memory, and the conjugate of (view, column) lies between views.
 * Parallel scans of just half a turn: each "view" is one and the same moment, in the middle of what is missing, that
 * the first and last 1, 2, 4, ... views are continued to; the more views, the less noise, and the less may move. */
enum { CT_ARC_MEANS = 7 };
typedef struct ct_arc {
  int rows, nu, views;
  int bin;
  double first; /* unbinned column of column 0 */
  bool parallel;
  bool continued;
  double du, sdd;               /* of an unbinned column */
  double step;                  /* radians, of fan and cone */
  double motions[CT_ARC_MEANS]; /* radians that the two sides of continued views are apart in effect */
  double gain;                  /* variance of a value in units of that of `noise` */
  float *rays[2];               /* [rows][nu][views] */
  int *missing;                 /* [views + 1] how many views before each are not there */
  int kinds;                    /* of views with a noise of their own: 1, or all continued ones */
  int samples;                  /* of each kind */
  float *sampled; /* [rows][nu][kinds][samples][2] what both sides of a view would be where no noise and no motion made
                     them differ */
  float *noise, *signal; /* [rows][kinds][CT_TURN_SCALES][nu] variance, and mean square, of the wavelet from each column
                            on */
} ct_arc;

/* CT_ERROR_DATA where too few rays are measured from both sides. */
bool ct_arc_new(ct_arc *arc, const ct_stack *stack, const ct_geometry *geometry, int row0, int rows, ct_job *job,
                ct_error **error);
bool ct_arc_halve(ct_arc *half, const ct_arc *arc, ct_error **error);
void ct_arc_clear(ct_arc *arc);
/* Advances the job by one for each row. */
bool ct_arc_compare(const void *arc, ct_mirror_trials *trials, ct_job *job, ct_error **error);

/* The two searches, of full turns and of shorter arcs: see ct_centre_of_rows. */
bool ct_centre_full_turn(const ct_stack *stack, const ct_geometry *geometry, int row0, int rows, double about,
                         ct_centre_found *found, ct_job *job, ct_error **error);
bool ct_centre_arc(const ct_stack *stack, const ct_geometry *geometry, int row0, int rows, double about,
                   ct_centre_found *found, ct_job *job, ct_error **error);

#endif
