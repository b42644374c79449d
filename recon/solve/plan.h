/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The plan: every parameter of a reconstruction as one plain value. One table describes each parameter (key, title,
 * unit, range, default, choices, tooltip); the JSON form, the command line's --set, the side panel and undo all read
 * it. */
#ifndef CT_SOLVE_PLAN_H
#define CT_SOLVE_PLAN_H

#include "recon/base/choice.h"
#include "recon/base/error.h"
#include "recon/base/units.h"
#include "recon/bp/kernel.h"
#include "recon/data/scan.h"
#include "recon/filter/filter.h"
#include "recon/geom/grid.h"
#include "recon/prep/prep.h"
#include "recon/solve/identity.h"
#include "recon/solve/fourier/options.h"
#include "recon/solve/iterative/options.h"

#include <stdbool.h>
#include <stddef.h>

/* "automatic": for reals NaN, for integers this. In JSON: null. On screen and on the command line: "auto". */
#define CT_AUTO_INT (-2147483647 - 1)
#define CT_PLAN_TEXT 64

#define CT_CENTRE_METHODS(ROW)                                                                                         \
  ROW(CT_CENTRE_AUTO, "auto", "Automatic", NULL)                                                                       \
  ROW(CT_CENTRE_SCAN, "scan", "As the scan says", NULL)                                                                \
  ROW(CT_CENTRE_CORRELATION, "correlation", "Mirror correlation", NULL)                                                \
  ROW(CT_CENTRE_SWEEP, "sweep", "Best of a sweep", NULL)                                                               \
  ROW(CT_CENTRE_MANUAL, "manual", "By hand", NULL)                                                                     \
  ROW(CT_CENTRE_FOUND, "found", "As found before", NULL)
#define CT_SHARPNESS_MEASURES(ROW)                                                                                     \
  ROW(CT_SHARPNESS_NEGATIVITY, "negativity", "Least negative", NULL)                                                   \
  ROW(CT_SHARPNESS_GRADIENT, "gradient", "Sharpest", NULL)                                                             \
  ROW(CT_SHARPNESS_ENTROPY, "entropy", "Least entropy", NULL)
typedef enum { CT_CENTRE_METHODS(CT_CHOICE_VALUE) } ct_centre_method;
typedef enum { CT_SHARPNESS_MEASURES(CT_CHOICE_VALUE) } ct_sharpness;

/* The members are declared by the rows of the parameters: automatic is NaN or CT_AUTO_INT, a choice is its value, bool
 * 0 or 1. */
#define CT_PARAM(declaration, ...) declaration;
#define CT_PARAM_MORE(...)
typedef struct ct_plan {
#include "recon/solve/params/scan.h"
#include "recon/solve/params/geometry.h"
  ct_prep_options prep;
#include "recon/solve/params/corrections.h"
#include "recon/solve/params/centre.h"
#include "recon/solve/params/filter.h"
  ct_filter_options filter;
#include "recon/solve/params/reconstruction.h"
  ct_iterative_options iterative;
  ct_fourier_options fourier;
#include "recon/solve/params/output.h"
} ct_plan;
#undef CT_PARAM
#undef CT_PARAM_MORE

typedef enum {
  CT_SECTION_SCAN,
  CT_SECTION_GEOMETRY,
  CT_SECTION_CORRECTIONS,
  CT_SECTION_CENTRE,
  CT_SECTION_FILTER,
  CT_SECTION_RECONSTRUCTION,
  CT_SECTION_ITERATIVE,
  CT_SECTION_OUTPUT,
  CT_SECTIONS
} ct_section;

/* What is made from a scan, in order. A parameter counts from one stage on: when it changes, the product of that stage
 * and of all later ones has to be made again, and none before (digest.h). */
typedef enum {
  CT_PLAN_INTEGRALS, /* line integrals, read and corrected */
  CT_PLAN_GEOMETRY,  /* the geometry of the views */
  CT_PLAN_CENTRE,    /* the centre of rotation */
  CT_PLAN_SWEEP,     /* the centre where a sweep finds it, with trial slices */
  CT_PLAN_FILTERED,  /* filtered projections */
  CT_PLAN_RUN,       /* an iterative run, which more iterations go on with */
  CT_PLAN_VOLUME,    /* volume and slices */
  CT_PLAN_FILE,      /* the file of a volume */
  CT_PLAN_SPEED,     /* nothing: how quickly and in which steps it is made */
  CT_PLAN_STAGES
} ct_plan_stage;

typedef enum { CT_PARAM_REAL, CT_PARAM_INT, CT_PARAM_CHOICE, CT_PARAM_BOOL, CT_PARAM_TEXT } ct_param_type;

/* What has to hold of plan and scan for a parameter to matter (plan-rules.h). */
enum {
  CT_IF_DISTANCES = 1 << 0,  /* the beam takes distances */
  CT_IF_FLATS = 1 << 1,      /* the scan has flats, or the plan passes over them */
  CT_IF_LOG = 1 << 2,        /* the logarithm is taken */
  CT_IF_INTENSITY = 1 << 3,  /* it is taken of intensities */
  CT_IF_UNFILTERED = 1 << 4, /* the projections are not taken as filtered already */
  CT_IF_FILTERED = 1 << 5,   /* the scan says that they are filtered already */
  CT_IF_ITERATIVE = 1 << 6,  /* the method is an iterative one */
  CT_IF_UNMATCHED = 1 << 7,  /* the method may do with an unmatched pair */
  CT_IF_ALWAYS = 1 << 8,
  CT_IF_BORDER = 1 << 9,         /* the intensity comes from the border */
  CT_IF_LEVEL = 1 << 10,         /* neither flats nor transmissions tell the level of the beam */
  CT_IF_KAISER_BESSEL = 1 << 11, /* the gridding of direct Fourier reconstruction */
  CT_IF_FEED = 1 << 12,          /* the beam takes a table feed */
  CT_IF_SPIRAL = 1 << 13,        /* the table moves, or there are matrices that may say so */
  CT_IF_RAMP = 1 << 14,          /* what is filtered is filtered by a ramp: not by Katsevich's filter */
  CT_IF_WHOLE_VIEWS = 1 << 15    /* and view by view as they were measured: of no spiral */
};

/* Another parameter must have one of these values: CT_BIT of a choice or of 0 and 1 (for numbers: automatic, set); 0:
 * no condition. */
typedef struct ct_param_condition {
  size_t offset;
  unsigned values;
} ct_param_condition;

/* Why a method makes no use of a parameter of filtered back-projection: iterative ones of what is about its kernel or
 * its filter, direct Fourier reconstruction of its kernel and how that interpolates. */
typedef enum { CT_IDLE_NEVER, CT_IDLE_PROJECTOR, CT_IDLE_FILTER, CT_IDLE_KERNEL } ct_param_idle;

typedef struct ct_param {
  size_t offset;     /* in ct_plan */
  const char *key;   /* "filter.cutoff" */
  const char *title; /* "Cut-off" */
  const char *unit;  /* "mm", "px", "°", "" */
  const char *tip;   /* what it does to the picture, and its range in words */
  ct_section section;
  ct_plan_stage stage; /* from which it counts */
  ct_param_type type;
  bool automatic;            /* may be auto */
  double low, high;          /* numbers: valid range, ends included */
  double fallback;           /* default: number, choice value, 0/1; NaN or CT_AUTO_INT for auto */
  double step;               /* of a spin button */
  int digits;                /* decimals shown in a spin button */
  const char *fallback_text; /* CT_PARAM_TEXT */
  const ct_choice *choices;  /* ends with id NULL; CT_PARAM_CHOICE (auto is a choice of value CT_AUTO_INT) */
  bool advanced;             /* rarely touched: folded away in the window */
  unsigned needs;            /* CT_IF_*, all of which must hold for it to matter */
  unsigned uses;             /* CT_USES_* that the iterative method must have */
  ct_param_condition only;
  unsigned unfolds; /* CT_IF_*: shown where it matters and one of them holds, although advanced */
  ct_param_idle idle;
} ct_param;

const ct_param *ct_params(size_t *count);
const ct_param *ct_param_find(const char *key);
/* The method that counts: a column that is set overrules the automatic method, and without one nothing is set by hand.
 * A column that an earlier search found counts as one set by hand. */
ct_centre_method ct_plan_centre_method(const ct_plan *plan);
/* What the values are taken for that the scan, by what it says or shows, holds as `told`. */
ct_values ct_plan_values(const ct_plan *plan, ct_values told);
/* Whether the projections of such values are taken as weighted and filtered already. */
bool ct_plan_takes_filtered(const ct_plan *plan, ct_values values);
const char *ct_section_title(ct_section section); /* "Corrections" */

void ct_plan_init(ct_plan *plan); /* all defaults */
bool ct_plan_equal(const ct_plan *a, const ct_plan *b);
/* Value as text ("auto", "hann", "0.5") and from text; unknown keys, values out of range and trailing characters are
 * errors that name the key, the value and what is allowed. A failed set changes nothing. The last part of a key
 * ("cutoff") stands for it where one parameter alone is named so, or alone takes such a value ("method=sirt"); an error
 * names the candidates otherwise. */
bool ct_plan_get_text(const ct_plan *plan, const ct_param *param, char *text, size_t size);
bool ct_plan_set_text(ct_plan *plan, const char *key, const char *text, ct_error **error);
bool ct_param_is_default(const ct_plan *plan, const ct_param *param);
bool ct_param_equal(const ct_plan *a, const ct_plan *b, const ct_param *param);
void ct_param_reset(ct_plan *plan, const ct_param *param);
/* Numbers of any type (choice value, 0/1, integer or real); NaN for auto. Set checks the range. */
double ct_param_get_number(const ct_plan *plan, const ct_param *param);
bool ct_param_set_number(ct_plan *plan, const ct_param *param, double value, ct_error **error);

/* JSON text (ct_free) with every parameter, reals at 17 digits; identity may be NULL. Parsing takes every key that it
 * finds (absent ones keep the value in *plan: initialise it first), refuses unknown keys and bad values naming them and
 * their lines. */
char *ct_plan_to_json(const ct_plan *plan, const ct_identity *identity, ct_error **error);
bool ct_plan_from_json(ct_plan *plan, ct_identity *identity, const char *json, ct_error **error);
/* Files; written through a temporary name. */
bool ct_plan_save(const ct_plan *plan, const ct_identity *identity, const char *path, ct_error **error);
bool ct_plan_load(ct_plan *plan, ct_identity *identity, const char *path, ct_error **error);
/* Whether a file has the form of a plan, also of a faulty one: what to expect of it, before it is loaded. */
bool ct_plan_is_file(const char *path);

/* The beam that counts for a scan of `told` beam, CT_KNOWN_* and detector rows: a choice in the plan overrules what is
 * told, and who types both distances of a scan that tells no beam means a point source. */
ct_beam ct_plan_beam(const ct_plan *plan, ct_beam told, unsigned known, int rows);
/* Neither the scan, of which so much is known, nor the plan tells the beam. */
bool ct_plan_beam_is_assumed(const ct_plan *plan, unsigned known);
/* Whether lengths are pixels, and values per pixel: a beam without distances, whose pitch neither the scan, of which so
 * much is known, nor the plan tells. */
bool ct_plan_in_pixels(const ct_plan *plan, unsigned known, ct_beam beam);
ct_units ct_plan_units(const ct_plan *plan, const ct_scan *scan);
/* What the plan makes of a scan: the geometry of the views, rows and bins it takes (without a found centre: the scan's
 * or manual one), and the grid. Errors say which value is missing or contradicts ("cone beam needs source distances").
 */
bool ct_plan_geometry(const ct_plan *plan, const ct_scan *scan, ct_geometry *geometry, ct_error **error);
bool ct_plan_grid(const ct_plan *plan, const ct_geometry *geometry, ct_grid *grid, ct_error **error);

#endif
