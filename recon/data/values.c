/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Counts, transmissions or line integrals: which of them a scan holds shows where no object is in the beam, and there
 * by the level. Percentiles of a few frames stand for the least and the largest value, so that single bad pixels decide
 * nothing; the detector's sides are the median of their columns over the frames. */
#include "recon/data/values.h"

#include "recon/base/memory.h"
#include "recon/base/units.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Frames looked at, of these rows, and values kept of them in all. Frames that are packed together cost as much as all.
 * However wide the frames are said to be, no more than PIXELS are read of one (a row at least, of WIDEST columns at
 * most), and no more than SORTED of them sorted. */
enum {
  FRAMES = 8,
  FRAMES_TOGETHER = 2,
  ROWS = 32,
  KEPT = 1 << 17,
  PIXELS = 1 << 20,
  WIDEST = 1 << 24,
  SORTED = 1 << 18,
};

/* Line integrals beyond this are no attenuation: exp(-30) of the beam is nothing. */
#define MOST_INTEGRAL 30
/* Relative to the range of the values: a side that is as bright, or as low, as anything. */
#define BRIGHT 0.8
#define LOW 0.2
/* Counts this far below 0, relative to their range, are no noise of a dark field. */
#define NEGATIVE 0.05
/* Bits of reals, as integers. */
#define REALS_FROM 0.85e9
#define REALS_TO 1.25e9

typedef struct {
  double low, middle, high; /* 1 %, 50 % and 99 % */
  double left, right;       /* sides */
  double unsteady;          /* most that a side differs between frames: free beam does not */
  double centre;            /* the middle third of the columns */
  int frames;
} levels;

static int compare(const void *a, const void *b) {
  const float x = *(const float *)a, y = *(const float *)b;
  return (x > y) - (x < y);
}

static double quantile(const float *sorted, size_t count, double share) {
  return sorted[(size_t)(share * (double)(count - 1) + 0.5)];
}

/* Median of columns [first, first + wide) of a frame; NaN where none is finite. work: as many. */
static double columns_median(const float *frame, int nu, int rows, int first, int wide, float *work) {
  const int step = 1 + (int)((size_t)wide * (size_t)rows / SORTED);
  size_t count = 0;
  for (int j = 0; j < rows; j++)
    for (int i = first; i < first + wide; i += step) {
      const float value = frame[(size_t)j * (size_t)nu + (size_t)i];
      if (isfinite(value)) work[count++] = value;
    }
  if (count == 0) return NAN;
  qsort(work, count, sizeof *work, compare);
  return quantile(work, count, 0.5);
}

static double median_of(float *values, int count) {
  qsort(values, (size_t)count, sizeof *values, compare);
  return quantile(values, (size_t)count, 0.5);
}

static int rows_of(const ct_geometry *g) {
  const int most = g->nu > PIXELS / ROWS ? PIXELS / g->nu : ROWS, rows = most < 1 ? 1 : most;
  return g->nv < rows ? g->nv : rows;
}

typedef struct {
  ct_scan *scan;
  ct_job *job;
  float *buffer, *kept; /* two frames of rows_of, and KEPT */
} sight;

/* Frames of a kind spread over the run; false where not one of them holds a number, and where the job is cancelled. */
static bool look_at(const sight *s, ct_frame_kind kind, int frames, levels *found) {
  ct_scan *scan = s->scan;
  float *buffer = s->buffer, *kept = s->kept;
  const ct_scan_facts *facts = ct_scan_get_facts(scan);
  const int nu = facts->geometry.nu, nv = facts->geometry.nv, rows = rows_of(&facts->geometry);
  const int all = kind == CT_FRAME_FLAT ? facts->flats : facts->geometry.views;
  const int most = facts->together > 1 && frames > FRAMES_TOGETHER ? FRAMES_TOGETHER : frames;
  const int wanted = all < most ? all : most, wide = nu < 32 ? 1 : nu / 32, third = nu < 3 ? nu : nu / 3;
  const size_t pixels = (size_t)nu * (size_t)rows, step = 1 + pixels * (size_t)wanted / KEPT;
  float sides[3][FRAMES];
  size_t count = 0;
  *found = (levels){0};
  for (int k = 0; k < wanted; k++) {
    const int index = (int)(((double)k + 0.5) * all / wanted);
    if (ct_job_requested(s->job) == CT_JOB_CANCEL) return false;
    if (!ct_scan_read(scan, kind, index, (nv - rows) / 2, rows, buffer, NULL)) continue;
    const double left = columns_median(buffer, nu, rows, 0, wide, buffer + pixels),
                 right = columns_median(buffer, nu, rows, nu - wide, wide, buffer + pixels),
                 centre = columns_median(buffer, nu, rows, (nu - third) / 2, third, buffer + pixels);
    for (size_t p = (size_t)k % step; p < pixels && count < KEPT; p += step)
      if (isfinite(buffer[p])) kept[count++] = buffer[p];
    if (isnan(left) || isnan(right) || isnan(centre)) continue;
    sides[0][found->frames] = (float)left;
    sides[1][found->frames] = (float)right;
    sides[2][found->frames++] = (float)centre;
  }
  if (found->frames == 0 || count == 0) return false;
  qsort(kept, count, sizeof *kept, compare);
  found->low = quantile(kept, count, 0.01);
  found->middle = quantile(kept, count, 0.5);
  found->high = quantile(kept, count, 0.99);
  found->left = median_of(sides[0], found->frames);
  found->right = median_of(sides[1], found->frames);
  found->centre = median_of(sides[2], found->frames);
  /* In ascending order now. */
  for (int side = 0; side < 2; side++)
    found->unsteady = fmax(found->unsteady, sides[side][found->frames - 1] - sides[side][0]);
  return true;
}

typedef struct {
  ct_values values;
  char why[96], doubt[420];
  bool seen; /* a frame was looked at */
} verdict;

#define WHY(v, ...) snprintf((v)->why, sizeof(v)->why, __VA_ARGS__)
#define DOUBT(v, ...) snprintf((v)->doubt, sizeof(v)->doubt, __VA_ARGS__)

static const char *number(double value, char text[24]) {
  return ct_format_number(value, 4, text, 24);
}

static const char *title_of(ct_values values) {
  return ct_choice_title(ct_values_choices, (int)values);
}

/* The usual words of doubt. */
static void doubt_it(verdict *v, ct_values instead) {
  static const char *const ids[] = {[CT_VALUES_COUNTS] = "counts",
                                    [CT_VALUES_LINE_INTEGRALS] = "line-integrals",
                                    [CT_VALUES_TRANSMISSION] = "transmission"};
  DOUBT(v,
        "The file does not say what its values are, and they do not show it clearly (%s): they were taken for %s. If "
        "they are %s, every number in the volume is wrong: set scan.values=%s.",
        v->why, title_of(v->values), title_of(instead), ids[instead]);
}

/* Far above 1: counts, or line integrals in a unit of their own. */
static void judge_large(const levels *l, bool integers, bool bright, bool low, verdict *v) {
  char a[24], b[24];
  const double top = fmax(l->left, l->right), bottom = fmin(l->left, l->right);
  v->values = CT_VALUES_COUNTS;
  if (bright) {
    WHY(v, "the beam beside the object reads %s", number(top, a));
    return;
  }
  const bool rises = low || (l->centre > l->left && l->centre > l->right);
  if (!rises) {
    WHY(v, "up to %s", number(l->high, a));
    return;
  }
  WHY(v, "lowest beside the object, %s, and up to %s behind it", number(bottom, a), number(l->high, b));
  if (integers) {
    doubt_it(v, CT_VALUES_LINE_INTEGRALS);
    return;
  }
  v->values = CT_VALUES_LINE_INTEGRALS;
  DOUBT(
      v,
      "The file does not say what its values are. They look like line integrals (%s), but in a unit of their own: the "
      "volume is in that unit, not in 1/mm. If they are counts, set scan.values=counts.",
      v->why);
}

/* As line integrals and transmissions are, and counts in a small unit. */
static void judge_small(const levels *l, bool bright, bool low, verdict *v) {
  char a[24], b[24];
  const double top = fmax(l->left, l->right), bottom = fmin(l->left, l->right);
  /* No transmission is above that of the free beam: what is larger behind the object than beside it is none. */
  const bool rises = l->centre > 1.05 * top;
  const double range = l->high - l->low;
  const bool steady = l->unsteady < LOW * range;
  const bool near_one = top > 0.85 && top < 1.15 && l->high < 1.5 && !rises;
  v->values = CT_VALUES_LINE_INTEGRALS;
  if (near_one && l->low > 0.5) { /* next to nothing in the beam */
    v->values = CT_VALUES_TRANSMISSION;
    WHY(v, "the beam beside the object reads %s", number(top, a));
    const bool free = bottom > l->low + BRIGHT * range && steady;
    if (fabs(top - 1) > 0.05 || (!free && range > 0.1)) doubt_it(v, CT_VALUES_LINE_INTEGRALS);
  } else if (bright && (near_one || !low)) {
    v->values = near_one ? CT_VALUES_TRANSMISSION : CT_VALUES_COUNTS;
    WHY(v, "the beam beside the object reads %s", number(top, a));
    if (!near_one || low || !steady) doubt_it(v, CT_VALUES_LINE_INTEGRALS);
  } else if (low) {
    WHY(v, "%s beside the object, up to %s behind it", number(bottom, a), number(l->high, b));
    /* Line integrals are near 0 beside the object; where it is on every side, transmissions may look so, too. */
    const bool air = bottom < 0.1 * l->high;
    if ((bright && l->high < 1.15) || (!air && l->high < 1.5)) doubt_it(v, CT_VALUES_TRANSMISSION);
  } else if (l->high > 1.5 || l->low < 0) {
    WHY(v, "%s to %s", number(l->low, a), number(l->high, b));
  } else if (l->centre > l->left && l->centre > l->right) {
    WHY(v, "%s to %s, largest in the middle", number(l->low, a), number(l->high, b));
    doubt_it(v, CT_VALUES_TRANSMISSION);
  } else {
    v->values = CT_VALUES_TRANSMISSION;
    WHY(v, "%s to %s, least in the middle", number(l->low, a), number(l->high, b));
    doubt_it(v, CT_VALUES_LINE_INTEGRALS);
  }
}

static void judge(const levels *l, bool integers, verdict *v) {
  char a[24];
  const double range = l->high - l->low, top = fmax(l->left, l->right), bottom = fmin(l->left, l->right);
  if (!(range > 0)) { /* all of one value: nothing can be seen, and nothing is in the beam */
    v->values = integers || fabs(l->high) > MOST_INTEGRAL ? CT_VALUES_COUNTS : CT_VALUES_LINE_INTEGRALS;
    WHY(v, "all %s", number(l->high, a));
    return;
  }
  const bool bright = top > l->low + BRIGHT * range, low = bottom < l->low + LOW * range;
  if (l->high > MOST_INTEGRAL || integers)
    judge_large(l, integers, bright, low, v);
  else
    judge_small(l, bright, low, v);
}

/* Beside flats, which tell the level of the beam. False: they are no flats of these values. */
static bool judge_by_flats(const levels *l, const levels *flat, verdict *v) {
  char a[24], b[24];
  const double level = flat->middle;
  v->values = CT_VALUES_COUNTS;
  WHY(v, "there are flats, which read %s", number(level, a));
  if (l->high < 0.005 * level && l->high < MOST_INTEGRAL) return false;
  if (l->high > 5 * level)
    DOUBT(v,
          "The flats (%s) are much darker than the projections (up to %s): where they were taken with another "
          "exposure, every number in the volume is wrong. Normalise each view by its free beam as well "
          "(corrections.i0=border).",
          number(level, a), number(l->high, b));
  return true;
}

/* Integers that were stored without a sign and are read with one, whose offset was left out, or that are the bits of
 * reals: 1e-6 to 1e6 are the integers from 0.9e9 to 1.23e9. */
static void doubt_integers(const levels *l, ct_scan *scan) {
  char text[320] = "", a[24], b[24];
  const bool low = l->low < -NEGATIVE * (l->high - l->low);
  if (low)
    snprintf(text, sizeof text,
             "Counts are as low as %s (up to %s): samples that are stored without a sign look as if they were read "
             "with one, or an offset is missing. Every number in the volume may be wrong.",
             number(l->low, a), number(l->high, b));
  else if (l->high > REALS_FROM && l->high < REALS_TO && (l->low == 0 || l->low > REALS_FROM))
    snprintf(text, sizeof text,
             "The samples look like 32-bit reals that are read as integers (%s to %s): the file says so, or says "
             "nothing. Describe it as raw samples of float32 (\"files\").",
             number(l->low, a), number(l->high, b));
  ct_scan_take_samples_doubt(scan, text[0] ? text : NULL, low);
}

const char *ct_scan_facts_samples_doubt(const ct_scan_facts *facts, ct_values values) {
  return facts->counts_doubtful && values != CT_VALUES_COUNTS ? NULL : facts->samples_doubt;
}

static void settle(const sight *s, verdict *v) {
  const ct_scan_facts *facts = ct_scan_get_facts(s->scan);
  char a[24], b[24];
  levels found = {0}, flat;
  v->seen = s->buffer && s->kept && look_at(s, CT_FRAME_PROJECTION, FRAMES, &found);
  if (v->seen && facts->integers) doubt_integers(&found, s->scan);
  if (facts->values != CT_VALUES_UNKNOWN) return;
  if (!v->seen) {
    v->values = facts->flats > 0 || facts->integers ? CT_VALUES_COUNTS : CT_VALUES_LINE_INTEGRALS;
    WHY(v, "no frame could be looked at");
  } else if (!(facts->flats > 0 && look_at(s, CT_FRAME_FLAT, 1, &flat))) {
    judge(&found, facts->integers, v);
  } else if (!judge_by_flats(&found, &flat, v)) {
    judge(&found, facts->integers, v);
    DOUBT(v,
          "The flats read %s and the projections %s at most: these were taken for %s that flats have normalised "
          "already, and the flats are left out. If they are counts, set scan.values=counts.",
          number(flat.middle, a), number(found.high, b), title_of(v->values));
  }
}

bool ct_scan_settle_values(ct_scan *scan, ct_job *job, ct_error **error) {
  const ct_scan_facts *facts = ct_scan_get_facts(scan);
  const bool stated = facts->values != CT_VALUES_UNKNOWN;
  if (stated && (facts->looked_at || !facts->integers)) return true;
  const ct_geometry *g = &facts->geometry;
  sight s = {.scan = scan, .job = job};
  verdict v = {0};
  if (g->nu <= WIDEST) {
    s.buffer = ct_alloc((size_t)g->nu * (size_t)rows_of(g), 2 * sizeof *s.buffer, "a frame", NULL);
    s.kept = ct_alloc(KEPT, sizeof *s.kept, "values of frames", NULL);
  }
  settle(&s, &v);
  ct_free(s.buffer);
  ct_free(s.kept);
  if (!ct_job_may_go_on(job, error)) return false;
  if (!facts->looked_at) ct_scan_take_samples_doubt(scan, NULL, false);
  if (!stated) ct_scan_take_values(scan, v.values, v.why, v.doubt[0] ? v.doubt : NULL);
  return true;
}

const char *ct_scan_facts_doubts(const ct_scan_facts *facts, char *text, size_t size) {
  size_t length = 0;
  text[0] = 0;
  for (int i = 0; facts->remarks && i < facts->remarks->count && length < size; i++) {
    const ct_remark *r = &facts->remarks->items[i];
    if (r->kind != CT_REMARK_DOUBT) continue;
    length +=
        (size_t)snprintf(text + length, size - length, "%s%s%s%s.",
                         length ? " " : " A cause may be: ", r->from ? r->from : "", r->from ? ": " : "", r->text);
  }
  const char *const doubts[] = {ct_scan_facts_samples_doubt(facts, CT_VALUES_COUNTS), facts->values_doubt};
  for (int i = 0; i < 2; i++)
    if (doubts[i] && length < size)
      length += (size_t)snprintf(text + length, size - length, "%s%s", length ? " " : " A cause may be: ", doubts[i]);
  return text;
}
