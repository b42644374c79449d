/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rays of less than a full turn that are measured from both sides, at regular angles. A parallel scan that ends a
 * little short of half a turn has none: its first and last views are continued, each along a straight line, to the
 * middle of what is missing. */
#include "recon/prep/centre-private.h"

#include "recon/base/memory.h"
#include "recon/geom/questions.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Views that are compared at most, rows of few of them, and views that tell the noise. */
enum {
  MOST_PAIRS = 256,
  MOST_VIEWS = 720,
  MOST_ROWS = 24,
  LEAST_ROWS = 4,
  MIDDLE_ROWS = 3,
  MOST_SAMPLES = 96,
  CONTINUED_SAMPLES = 16,
  ORDER = 5,
  TAPS = 4
};
/* Gaps up to this angle, or so many steps, are interpolated; what may be missing of half a turn. */
static const double widest_gap = 3.01 * M_PI / 180, gap_steps = 3, most_missing = 5.01 * M_PI / 180;
/* A mean view that leaves its running median by so many standard deviations has a stripe there. */
static const double stripe_deviations = 6;

int ct_centre_rows(const ct_geometry *g, int row0, int rows, int most, int *list) {
  int count = 0;
  if (ct_geometry_promises(g, CT_TRAIT_PARALLEL) || rows <= MIDDLE_ROWS) {
    count = rows < most ? rows : most;
    for (int i = 0; i < count; i++) list[i] = row0 + (int)((i + 0.5) * rows / count);
    return count;
  }
  const int middle = (int)lround(fmin(fmax(g->centre_v, row0), row0 + rows - 1));
  for (int j = middle - MIDDLE_ROWS / 2; j <= middle + MIDDLE_ROWS / 2; j++)
    if (j >= row0 && j < row0 + rows && count < most) list[count++] = j;
  return count;
}

/* Regular views of an arc. */
typedef struct {
  ct_regular_view *views;
  int count, half_turn; /* steps of half a turn, of parallel beams */
  double step;
} regular;

static int by_size(const void *a, const void *b) {
  const double p = *(const double *)a, q = *(const double *)b;
  return (p > q) - (p < q);
}

/* Angles of the views from the end of the widest gap on, ascending. */
static bool unwrap(const ct_geometry *g, ct_sorted_view *sorted) {
  const int n = g->views;
  for (int i = 0; i < n; i++) {
    double angle = fmod(g->angles[i], 2 * M_PI);
    if (angle < 0) angle += 2 * M_PI;
    sorted[i] = (ct_sorted_view){angle, i};
  }
  ct_sort_views(sorted, (size_t)n);
  double widest = sorted[0].angle + 2 * M_PI - sorted[n - 1].angle, start = sorted[0].angle;
  for (int i = 1; i < n; i++)
    if (sorted[i].angle - sorted[i - 1].angle > widest + 1e-9)
      widest = sorted[i].angle - sorted[i - 1].angle, start = sorted[i].angle;
  for (int i = 0; i < n; i++) {
    sorted[i].angle -= start;
    if (sorted[i].angle < -1e-12) sorted[i].angle += 2 * M_PI;
  }
  ct_sort_views(sorted, (size_t)n);
  return sorted[n - 1].angle > 1e-5;
}

static double usual_step(const ct_sorted_view *sorted, int n, double *steps) {
  int count = 0;
  for (int i = 1; i < n; i++)
    if (sorted[i].angle - sorted[i - 1].angle > 1e-5) steps[count++] = sorted[i].angle - sorted[i - 1].angle;
  qsort(steps, (size_t)count, sizeof *steps, by_size);
  return steps[count / 2];
}

/* The views about each regular angle, and whether they are near. */
static void bracket(const ct_sorted_view *sorted, int n, regular *r) {
  const double widest = fmax(widest_gap, gap_steps * r->step);
  int next = 0;
  for (int j = 0; j < r->count; j++) {
    const double angle = j * r->step;
    while (next < n - 1 && sorted[next].angle <= angle + 1e-9) next++;
    const int before = next > 0 ? next - 1 : 0;
    /* At the last view, itself. */
    const int at = next == n - 1 && sorted[next].angle <= angle + 1e-9 ? next : before;
    const double width = sorted[next].angle - sorted[at].angle;
    double share = width > 1e-9 ? (angle - sorted[at].angle) / width : 0;
    if (share < 1e-4) share = 0;
    r->views[j] = (ct_regular_view){sorted[at].view, sorted[next].view, (float)share, share == 0 || width <= widest};
  }
}

static bool regular_new(regular *r, const ct_geometry *g, bool parallel, ct_error **error) {
  const size_t n = (size_t)g->views;
  ct_sorted_view *sorted = ct_alloc(n, sizeof *sorted, "the sorted views", error);
  double *steps = sorted ? ct_alloc(n, sizeof *steps, "the sorted views", error) : NULL;
  *r = (regular){.count = 1};
  bool good = steps != NULL;
  if (good && unwrap(g, sorted)) {
    const double arc = sorted[n - 1].angle;
    r->step = fmax(usual_step(sorted, g->views, steps), arc / (4.0 * g->views));
    r->half_turn = (int)fmax(lround(M_PI / r->step), 1);
    if (parallel) r->step = M_PI / r->half_turn;
    r->count = (int)(arc / r->step + 0.02) + 1;
  }
  r->views = good ? ct_alloc((size_t)r->count, sizeof *r->views, "the sorted views", error) : NULL;
  if (r->views) bracket(sorted, g->views, r);
  ct_free(steps);
  ct_free(sorted);
  return r->views != NULL;
}

/* The line of one regular view in detector row v, added to out[nu]. */
static void add_line(const ct_stack *stack, const ct_regular_view *at, int v, int nu, float scale, float *out) {
  const size_t place = (size_t)v * (size_t)nu;
  const float *a = ct_stack_get_view(stack, at->a) + place, *b = ct_stack_get_view(stack, at->b) + place;
  for (int k = 0; k < nu; k++) out[k] += scale * (at->share > 0 ? (1 - at->share) * a[k] + at->share * b[k] : a[k]);
}

/* A view that is compared: so many regular views from `first` on, averaged, and those before or behind subtracted to
 * continue their line. */
typedef struct {
  int first, before, count;
  double beyond; /* in units of the distance of both; 0: not continued */
} mean_view;

static void take_view(const ct_stack *stack, const regular *r, const mean_view *view, int v, int nu, float *line) {
  memset(line, 0, (size_t)nu * sizeof *line);
  for (int i = 0; i < view->count; i++) {
    add_line(stack, r->views + view->first + i, v, nu, (float)((1 + view->beyond) / view->count), line);
    if (view->beyond != 0)
      add_line(stack, r->views + view->before + i, v, nu, (float)(-view->beyond / view->count), line);
  }
}

/* Which views are compared. */
typedef struct {
  int views, stride; /* regular views of each */
  bool continued;
  int missing; /* steps that are missing of half a turn */
} choice;

static choice choose(const regular *r, bool parallel) {
  choice c = {.stride = 1};
  if (!parallel) {
    c.stride = (r->count + MOST_VIEWS - 1) / MOST_VIEWS;
    c.views = r->count / c.stride;
    return c;
  }
  const int both = r->count - r->half_turn;
  if (both > 1) {
    c.stride = (both + MOST_PAIRS - 1) / MOST_PAIRS;
    c.views = both / c.stride;
  } else if ((1 - both) * r->step <= most_missing && r->count >= 4) {
    c.continued = true;
    c.missing = 1 - both;
    while (c.views < CT_ARC_MEANS && 4 << c.views <= r->count) c.views++;
  }
  return c;
}

/* View i of a side. False where a regular view of it is missing. */
static bool view_of(const regular *r, const choice *c, int side, int i, mean_view *view) {
  *view = (mean_view){.first = i * c->stride + (side ? r->half_turn : 0), .count = c->stride};
  if (c->continued) {
    const int n = 1 << i;
    *view = (mean_view){.first = side ? r->count - n : 0,
                        .before = side ? r->count - 2 * n : n,
                        .count = n,
                        .beyond = 0.5 * (n - 1 + c->missing) / n};
  }
  bool there = true;
  for (int n = 0; n < view->count; n++)
    there = there && r->views[view->first + n].valid && (view->beyond == 0 || r->views[view->before + n].valid);
  return there;
}

/* A line whose noise is that of a view: differences of high order of the views from `first` on. */
static void high_order(const ct_stack *stack, const regular *r, int first, int v, int nu, float *line) {
  double weights[ORDER + 1] = {1}, norm = 0;
  for (int n = 1; n <= ORDER; n++)
    for (int i = n; i > 0; i--) weights[i] -= weights[i - 1];
  for (int i = 0; i <= ORDER; i++) norm += weights[i] * weights[i];
  memset(line, 0, (size_t)nu * sizeof *line);
  for (int i = 0; i <= ORDER; i++)
    if (first + i < r->count) add_line(stack, r->views + first + i, v, nu, (float)(weights[i] / sqrt(norm)), line);
}

/* Sample n of a kind of views: two lines that differ by what measured views do. Continued ones are sampled where
 * nothing is missing. lines: [2][nu]. */
static void take_sample(const ct_stack *stack, const regular *r, const choice *c, int kind, int n, int v, int nu,
                        float *lines) {
  float *other = lines + nu;
  mean_view view;
  view_of(r, c, 0, kind, &view);
  if (c->continued && (view.count > 1 || c->missing > 0)) {
    const int from = 2 * view.count, to = r->count - 2 * view.count, all = CONTINUED_SAMPLES;
    const int at = from + (int)((int64_t)(to - from) * n / (all - 1));
    view.beyond = 0.5 * (view.count - 1 + 1) / view.count;
    view.first = at - view.count, view.before = at - 2 * view.count;
    take_view(stack, r, &view, v, nu, other);
    view.first = at, view.before = at + view.count;
    take_view(stack, r, &view, v, nu, lines);
    return;
  }
  const int last = r->count > ORDER ? r->count - 1 - ORDER : 0, all = c->continued ? CONTINUED_SAMPLES : MOST_SAMPLES;
  const int at = (int)((int64_t)last * n / (all - 1));
  high_order(stack, r, at, v, nu, other);
  memset(lines, 0, (size_t)nu * sizeof *lines);
  add_line(stack, r->views + at, v, nu, 1, lines);
  for (int k = 0; k < nu; k++) other[k] = lines[k] - (float)M_SQRT2 * other[k];
}

/* Noise and signal of the wavelets of one scale of one row's samples [nu][values][2]. */
static void measure_scale(const float *in, const ct_arc *arc, size_t L, int kind, float *noise, float *signal,
                          float *series) {
  const size_t nu = (size_t)arc->nu, n = 2 * (size_t)arc->samples, all = n * (size_t)arc->kinds;
  const float norm = (float)(1 / sqrt(2.0 * (double)L));
  double energy = 0;
  in += (size_t)kind * n;
  for (size_t a = 0; a + 2 * L <= nu; a++) {
    memset(series, 0, n * sizeof *series);
    for (size_t k = a; k < a + 2 * L; k++)
      for (size_t i = 0; i < n; i++) series[i] += (k < a + L ? -norm : norm) * in[k * all + i];
    double difference = 0, square = 0;
    for (size_t i = 0; i < n; i += 2) {
      const double f = (double)series[i], g = (double)series[i + 1];
      difference += (f - g) * (f - g);
      square += f * f;
    }
    noise[a] = (float)(difference / (double)n);
    signal[a] = (float)(2 * square / (double)n);
    energy += 2 * square / (double)n;
  }
  /* Data without noise still have the precision of their numbers. */
  const float least = (float)(1e-4 * energy / (double)(nu - 2 * L + 1)) + 1e-30F;
  for (size_t a = 0; a + 2 * L <= nu; a++) noise[a] = fmaxf(noise[a], least);
}

static bool measure_noise(ct_arc *arc, ct_error **error) {
  const size_t nu = (size_t)arc->nu, values = 2 * (size_t)arc->samples * (size_t)arc->kinds;
  float *series = ct_alloc((size_t)arc->samples, 2 * sizeof *series, "the noise", error);
  for (int r = 0; series && r < arc->rows; r++)
    for (int kind = 0; kind < arc->kinds; kind++)
      for (int s = 0; s < CT_TURN_SCALES && 4 << s <= arc->nu; s++) {
        const size_t at = (((size_t)r * (size_t)arc->kinds + (size_t)kind) * CT_TURN_SCALES + (size_t)s) * nu;
        measure_scale(arc->sampled + (size_t)r * nu * values, arc, (size_t)1 << s, kind, arc->noise + at,
                      arc->signal + at, series);
      }
  ct_free(series);
  return series != NULL;
}

/* What stands still in a row over all views and is narrow and beyond its noise; a mean view and two more as scratch. */
static void find_stripes(const ct_stack *stack, const regular *r, int v, int nu, double variance, float *scratch,
                         float *stripes) {
  enum { WIDTH = 9, VIEWS = 400 };
  float window[WIDTH], *mean = scratch, *smooth = scratch + nu;
  const int every = (r->count + VIEWS - 1) / VIEWS;
  int count = 0;
  memset(mean, 0, (size_t)nu * sizeof *mean);
  for (int i = 0; i < r->count; i += every)
    if (r->views[i].valid) add_line(stack, r->views + i, v, nu, 1, mean), count++;
  for (int k = 0; k < nu; k++) mean[k] /= (float)(count > 0 ? count : 1);
  ct_median_row(mean, nu, WIDTH, window, smooth);
  const double limit = stripe_deviations * sqrt(variance / (count > 0 ? count : 1));
  for (int k = 0; k < nu; k++) {
    const float off = mean[k] - smooth[k];
    /* At the ends the median knows one side only, and would bend what is steep there. */
    stripes[k] = k >= WIDTH / 2 && k < nu - WIDTH / 2 && fabs((double)off) > limit ? off : 0;
  }
}

/* Fills row `row` of the arc, adding detector row v. line: [4][nu]. */
static void fill_row(ct_arc *arc, const ct_stack *stack, const regular *r, const choice *c, int v, int row,
                     float *line) {
  const size_t nu = (size_t)arc->nu, views = (size_t)arc->views, samples = (size_t)arc->samples,
               values = 2 * samples * (size_t)arc->kinds;
  float *sampled = arc->sampled + (size_t)row * nu * values, *stripes = line + 2 * nu;
  double variance = 0;
  for (int kind = 0; kind < arc->kinds; kind++)
    for (size_t i = 0; i < samples; i++) {
      take_sample(stack, r, c, kind, (int)i, v, arc->nu, line);
      float *out = sampled + ((size_t)kind * samples + i) * 2;
      for (size_t k = 0; k < nu; k++) {
        out[k * values] += line[k];
        out[k * values + 1] += line[nu + k];
        const double difference = (double)line[k] - (double)line[nu + k];
        if (kind == 0) variance += 0.5 * difference * difference / (double)(nu * samples);
      }
    }
  find_stripes(stack, r, v, arc->nu, variance, line, stripes);
  for (int side = 0; side < (arc->rays[1] == arc->rays[0] ? 1 : 2); side++)
    for (size_t i = 0; i < views; i++) {
      mean_view view;
      view_of(r, c, side, (int)i, &view);
      take_view(stack, r, &view, v, arc->nu, line);
      float *out = arc->rays[side] + (size_t)row * nu * views + i;
      for (size_t k = 0; k < nu; k++) out[k * views] += line[k] - stripes[k];
    }
}

static bool count_missing(ct_arc *arc, const regular *r, const choice *c, ct_error **error) {
  arc->missing = ct_alloc_zero((size_t)arc->views + 1, sizeof *arc->missing, "the sorted views", error);
  for (int i = 0; arc->missing && i < arc->views; i++) {
    mean_view view;
    bool there = view_of(r, c, 0, i, &view);
    if (arc->parallel) there = view_of(r, c, 1, i, &view) && there;
    arc->missing[i + 1] = arc->missing[i] + !there;
  }
  return arc->missing != NULL;
}

static bool too_few(const ct_geometry *g, bool parallel, ct_error **error) {
  if (parallel)
    return ct_error_set(error, CT_ERROR_DATA,
                        "No two of the %d views lie about 180 degrees apart, so the centre of rotation cannot be found "
                        "by comparing opposite views: set it by hand or search by sharpness.",
                        g->views);
  return ct_error_set(error, CT_ERROR_DATA,
                      "Too few rays of this scan are measured from both sides (the arc is %.0f degrees), so the "
                      "centre of rotation cannot be found by comparing them: set it by hand or search by sharpness.",
                      ct_geometry_arc(g) * 180 / M_PI);
}

/* Motion of continued views: two lines that are continued differ by their terms of third order. */
static void measure_motion(ct_arc *arc, const regular *r, const choice *c) {
  for (int i = 0; c->continued && i < c->views; i++) {
    const int n = 1 << i;
    const double near = 0.5 * (n - 1 + c->missing) * r->step, far = near + n * r->step;
    arc->motions[i] = cbrt(4 * near * far * (near + far) / 6);
  }
}

static bool allocate(ct_arc *arc, ct_error **error) {
  const size_t columns = (size_t)arc->rows * (size_t)arc->nu, values = columns * (size_t)arc->views;
  arc->rays[0] = ct_alloc_zero(values, sizeof(float), "the opposite views", error);
  if (!arc->rays[0]) return false;
  arc->rays[1] = arc->parallel ? ct_alloc_zero(values, sizeof(float), "the opposite views", error) : arc->rays[0];
  if (!arc->rays[1]) return false;
  const size_t kinds = (size_t)arc->kinds;
  arc->sampled = ct_alloc_zero(columns * kinds, 2 * (size_t)arc->samples * sizeof(float), "the noise", error);
  if (!arc->sampled) return false;
  arc->noise = ct_alloc_zero(columns * kinds, CT_TURN_SCALES * sizeof(float), "the noise", error);
  if (!arc->noise) return false;
  arc->signal = ct_alloc_zero(columns * kinds, CT_TURN_SCALES * sizeof(float), "the noise", error);
  return arc->signal != NULL;
}

bool ct_arc_new(ct_arc *arc, const ct_stack *stack, const ct_geometry *g, int row0, int rows, ct_job *job,
                ct_error **error) {
  const bool parallel = ct_geometry_promises(g, CT_TRAIT_PARALLEL);
  *arc = (ct_arc){.nu = g->nu, .bin = 1, .parallel = parallel, .du = g->du, .sdd = g->sdd};
  regular r;
  if (!regular_new(&r, g, parallel, error)) return false;
  const choice c = choose(&r, parallel);
  int list[MOST_ROWS];
  const int most = c.views > 0 && MOST_PAIRS / c.views > LEAST_ROWS ? MOST_PAIRS / c.views : LEAST_ROWS;
  const int count = ct_centre_rows(g, row0, rows, most < MOST_ROWS ? most : MOST_ROWS, list);
  arc->views = c.views;
  arc->rows = parallel ? count : 1;
  arc->kinds = c.continued ? c.views : 1;
  arc->samples = c.continued ? CONTINUED_SAMPLES : MOST_SAMPLES;
  arc->step = r.step * c.stride;
  arc->continued = c.continued;
  arc->gain = 1.0 / c.stride;
  measure_motion(arc, &r, &c);
  /* The most that a column and its mirror image can be apart, in fan angle. */
  const double widest = parallel ? 0 : 2 * atan(0.5 * (g->nu - 1) * g->du / g->sdd);
  bool good = c.views > (parallel ? 0 : TAPS) && (r.count - 1) * r.step > (parallel ? 0 : M_PI - widest);
  if (!good) too_few(g, parallel, error);
  good = good && count_missing(arc, &r, &c, error) && allocate(arc, error);
  float *line = good ? ct_alloc((size_t)g->nu, 4 * sizeof *line, "the mean projection", error) : NULL;
  for (int i = 0; line && i < count; i++) {
    fill_row(arc, stack, &r, &c, list[i], parallel ? i : 0, line);
    if (!(good = ct_job_may_go_on(job, error))) break;
  }
  good = good && line && measure_noise(arc, error);
  ct_free(line);
  ct_free(r.views);
  if (!good) ct_arc_clear(arc);
  return good;
}

/* [lines][nu][values] to half as many columns. */
static void halve_columns(const float *in, float *out, int lines, int nu, int values) {
  const size_t n = (size_t)values;
  /* Weights 1, 3, 3, 1: what is sharper would not mirror about a centre between two trials. */
  for (int line = 0; line < lines; line++, in += (size_t)nu * n, out += (size_t)(nu / 2) * n)
    for (int u = 0; u < nu / 2; u++) {
      const float *left = in + 2 * (size_t)u * n, *right = left + n;
      const float *before = u > 0 ? left - n : left, *after = 2 * u + 2 < nu ? right + n : right;
      for (size_t i = 0; i < n; i++)
        out[(size_t)u * n + i] = 0.375F * (left[i] + right[i]) + 0.125F * (before[i] + after[i]);
    }
}

bool ct_arc_halve(ct_arc *half, const ct_arc *arc, ct_error **error) {
  *half = *arc;
  half->nu = arc->nu / 2;
  half->bin = 2 * arc->bin;
  half->first = arc->first + 0.5 * arc->bin;
  half->rays[0] = half->rays[1] = half->sampled = half->noise = half->signal = NULL;
  half->missing = ct_alloc((size_t)arc->views + 1, sizeof *half->missing, "the sorted views", error);
  bool good = half->missing && allocate(half, error);
  if (good) {
    memcpy(half->missing, arc->missing, ((size_t)arc->views + 1) * sizeof *half->missing);
    for (int side = 0; side < (arc->parallel ? 2 : 1); side++)
      halve_columns(arc->rays[side], half->rays[side], arc->rows, arc->nu, arc->views);
    halve_columns(arc->sampled, half->sampled, arc->rows, arc->nu, 2 * arc->samples * arc->kinds);
    good = measure_noise(half, error);
  }
  if (!good) ct_arc_clear(half);
  return good;
}

void ct_arc_clear(ct_arc *arc) {
  if (arc->rays[1] != arc->rays[0]) ct_free(arc->rays[1]);
  ct_free(arc->rays[0]);
  ct_free(arc->missing);
  ct_free(arc->sampled);
  ct_free(arc->noise);
  ct_free(arc->signal);
  *arc = (ct_arc){0};
}
