/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What goes wrong between a phantom and a scan of it: spectrum, focal spot, scatter, motion, the detector's blur, lag,
 * noise, gain, dead pixels and columns, zingers, and a geometry that is not told as it is. */
#ifndef CT_PHANTOM_IMPERFECTIONS_H
#define CT_PHANTOM_IMPERFECTIONS_H

#include "recon/base/error.h"
#include "recon/base/job.h"
#include "recon/data/scan.h"
#include "recon/phantom/phantom.h"

#include <stdbool.h>
#include <stdint.h>

/* What goes wrong, a row each: member, option, unit, least and largest value, what a slider reaches from and to, title,
 * explanation. Everything is 0 in a perfect scan; a slider goes on from 0 to the first of its two numbers, and to as
 * much below 0 where the least value is negative. Those that begin with DETECTOR are faults of a detector, which raw
 * counts alone show. */
#define CT_IMPERFECTIONS(ROW, DETECTOR)                                                                                \
  ROW(kilovolts, "voltage", "kV", 0, 200, 20, 160, "Tube voltage",                                                     \
      "The photons have the spectrum of a tube (20 to 200 kV) and not one energy: beam hardening.")                    \
  ROW(aluminium, "aluminium", "mm", 0, 100, 0, 20, "Aluminium filter", "Before the object, with a tube's voltage.")    \
  ROW(copper, "copper", "mm", 0, 100, 0, 5, "Copper filter", "Before the object, with a tube's voltage.")              \
  ROW(focal_spot, "focal-spot", "mm", 0, 100, 0, 5, "Focal spot", "Side of the source's square; fan and cone.")        \
  ROW(motion, "motion", "mm", -10000, 10000, 0, 20, "Motion",                                                          \
      "What the object moves along x from the first view to the last.")                                                \
  ROW(scatter, "scatter", "ratio", 0, 10, 0, 1, "Scatter",                                                             \
      "Scattered over primary radiation, mean of a view; smooth.")                                                     \
  ROW(blur, "blur", "px", 0, 45, 0, 5, "Detector blur", "Standard deviation of the detector's blur.")                  \
  ROW(lag, "lag", "share", 0, 0.9, 0, 0.9, "Lag", "Share of a view's signal that comes with the next.")                \
  ROW(photons, "noise", "photons", 0, 1e15, 10, 1e7, "Photons",                                                        \
      "Photons per pixel without object, drawn from Poisson's distribution; 0: no noise.")                             \
  ROW(electronic, "electronic", "photons", 0, 1e12, 1, 1e4, "Electronic noise", "Its standard deviation.")             \
  ROW(centre_error, "centre-error", "px", -1e5, 1e5, 0, 10, "Centre error",                                            \
      "What the told axis lies beside the true one.")                                                                  \
  ROW(tilt_error, "tilt-error", "degrees", -90, 90, 0, 5, "Tilt error",                                                \
      "Told tilt of the detector less the true one.")                                                                  \
  ROW(truncation, "truncation", "share", 0, 0.9, 0, 0.6, "Truncation",                                                 \
      "Share of the detector's columns cut off, half at each side; the object keeps its size.")                        \
  DETECTOR(gain, "gain", "share", 0, 1, 0, 0.5, "Gain",                                                                \
           "Standard deviation of the pixels' gain, relative; flats show it.")                                         \
  DETECTOR(                                                                                                            \
      drift, "drift", "share", 0, 1, 0, 0.1, "Drift of the gain",                                                      \
      "Standard deviation of what the columns' gain grows by until the last view, relative; flats do not show it: "    \
      "rings.")                                                                                                        \
  DETECTOR(dead, "dead", "share", 0, 0.5, 0, 0.05, "Dead pixels", "Share of the pixels that read nothing.")            \
  DETECTOR(dead_columns, "dead-columns", "share", 0, 0.5, 0, 0.05, "Dead columns",                                     \
           "Share of the columns that read nothing in any row: rings.")                                                \
  DETECTOR(zingers, "zingers", "number", 0, 1e5, 0, 100, "Zingers", "Bright pixels in a view, on average.")

#define CT_IMPERFECTION_MEMBER(member, ...) double member;
typedef struct ct_imperfections {
  CT_IMPERFECTIONS(CT_IMPERFECTION_MEMBER, CT_IMPERFECTION_MEMBER)
  bool counts; /* raw counts with flats and darks instead of line integrals */
  uint64_t seed;
} ct_imperfections;
#undef CT_IMPERFECTION_MEMBER

typedef struct ct_imperfection {
  const char *id, *unit, *title, *explanation;
  double low, high;
  double least, reach; /* of a slider, above 0 */
  size_t offset;       /* of its double in ct_imperfections */
  bool counts;         /* needs raw counts */
} ct_imperfection;
const ct_imperfection *ct_imperfection_rows(size_t *count);
/* Whether it can change anything beside the others, with that beam and a phantom or a volume as the object: filters
 * need a tube's voltage, a focal spot a source, and only phantoms move. */
bool ct_imperfection_matters(const ct_imperfections *imperfections, const ct_imperfection *row, ct_beam beam,
                             bool phantom);

/* Flats and darks of a scan of counts; what a pixel reads without beam; the counts without object where `photons` is 0.
 */
enum { CT_SIMULATED_FLATS = 10, CT_SIMULATED_DARKS = 10, CT_SIMULATED_OFFSET = 100, CT_SIMULATED_BEAM = 60000 };

/* The columns that truncation cuts off at each side of nu; one is left at least. */
int ct_imperfections_cut(const ct_imperfections *imperfections, int nu);
/* Anything but photons, which line integrals alone can have, and what the geometry alone shows? */
bool ct_imperfections_any(const ct_imperfections *imperfections);
/* CT_ERROR_ARGUMENT: which number is out of its range, or what cannot be combined. */
bool ct_imperfections_check(const ct_imperfections *imperfections, const ct_geometry *geometry, ct_error **error);
/* Stacks of the scan's size that ct_phantom_scan holds at most. */
int ct_imperfections_stacks(const ct_imperfections *imperfections, const ct_phantom *phantom);

typedef struct ct_phantom_scan_request {
  const ct_phantom *phantom;
  const ct_volume *object;     /* in place of the phantom, in 1/mm, of water for a spectrum, and at rest; NULL */
  double radius, mu;           /* mm; of density 1, 1/mm, with a spectrum that of a thin layer */
  const ct_geometry *geometry; /* the true one, circular, truncated already */
  bool curved;                 /* its detector; of phantoms only */
  int sub;                     /* sub x sub rays per pixel */
  const ct_imperfections *imperfections;
  const char *title;
} ct_phantom_scan_request;

/* The scan in memory. The order is that of nature: paths through each material, spectrum, focal spot, scatter, blur,
 * lag, photons, electronics, gain. The same numbers for the same seed whatever the number of threads. */
ct_scan *ct_phantom_scan(const ct_phantom_scan_request *request, ct_job *job, ct_error **error);

#endif
