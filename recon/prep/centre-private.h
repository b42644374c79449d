/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the files that search the centre of rotation of a full turn: harmonics of the turn, and how well they
 * mirror at trial centres. */
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

/* Trials at centres (first + i) / 2 in columns of the turn; mirrors [count][CT_TURN_BANDS]. Advances the job by one for
 * each row and scale. */
typedef struct ct_mirror_trials {
  int first, count;
  ct_mirror *mirrors;
} ct_mirror_trials;
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

#endif
