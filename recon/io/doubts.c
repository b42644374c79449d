/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a scan tells and hardly means. Angles: half a turn or a whole one in the numbers of another unit, steps of more
 * than a turn, one angle for all. Axes: a few views of many rows, as sinograms are where rows are views. Values: names
 * that decadic logarithms have. */
#include "recon/base/memory.h"
#include "recon/base/path.h"
#include "recon/geom/questions.h"
#include "recon/io/open-private.h"
#include "recon/io/shared/meanings.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Views of which an arc is doubted, and up to which axes are, where rows are so many times as many. */
enum { FEWEST = 9, MANY = 8 };

static int compare(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The median step from view to view, in degrees and without its sign; 0 where memory is short. */
static double median_step(const ct_geometry *g) {
  const size_t count = (size_t)g->views - 1;
  double *steps = ct_alloc(count, sizeof *steps, "steps", NULL), median = 0;
  for (size_t i = 0; steps && i < count; i++) steps[i] = fabs(g->angles[i + 1] - g->angles[i]) * (180 / M_PI);
  if (steps) {
    qsort(steps, count, sizeof *steps, compare);
    median = steps[count / 2];
  }
  ct_free(steps);
  return median;
}

static bool is_about(double value, double other, double share) {
  return fabs(value - other) <= share * other;
}

/* "" where there is nothing to doubt. */
static void find_doubt(const ct_geometry *g, char *text, size_t size) {
  double low = INFINITY, high = -INFINITY;
  for (int i = 0; i < g->views; i++) low = fmin(low, g->angles[i]), high = fmax(high, g->angles[i]);
  const double span = (high - low) * (180 / M_PI), arc = span * g->views / (g->views - 1.0);
  const double step = median_step(g);
  text[0] = 0;
  if (step > 361)
    snprintf(text, size,
             "the angles advance by %.5g degrees from view to view, more than a turn: they may be in another unit",
             step);
  if (text[0] || g->views < FEWEST) return;
  if (high == low)
    snprintf(text, size, "all views have one angle, %.6g degrees: the real angles are not told", low * (180 / M_PI));
  else if (is_about(span, M_PI, 2e-3) || is_about(arc, M_PI, 2e-3) || is_about(span, 2 * M_PI, 2e-3) ||
           is_about(arc, 2 * M_PI, 2e-3))
    snprintf(text, size,
             "the angles cover %.4g degrees, which as radians would be %s turn: if they are radians that are taken for "
             "degrees, every number in the volume is wrong",
             span, arc < 4 ? "half a" : "a whole");
  else if (is_about(span, 400, 1e-4) || is_about(arc, 400, 1e-4))
    snprintf(text, size,
             "the angles cover 400 degrees, which as gons would be a whole turn: if they are gons that are taken for "
             "degrees, the volume is wrong");
}

void ct_scan_doubt_base(ct_scan *scan) {
  const ct_scan_facts *facts = ct_scan_get_facts(scan);
  if (facts->values != CT_VALUES_LINE_INTEGRALS || !facts->values_why || facts->values_doubt) return;
  const char *const names[] = {facts->dataset, facts->path ? ct_path_name(facts->path) : NULL,
                               facts->first_image ? ct_path_name(facts->first_image) : NULL};
  char doubt[512];
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    if (!names[i] || !ct_name_hints_at_density(names[i])) continue;
    snprintf(doubt, sizeof doubt,
             "The file does not say what its values are, and they look like line integrals (%s). \"%.80s\" hints at "
             "-log10(I / I0), which is 2.303 times too small: if so, set scan.values=optical-density, and if not, "
             "scan.values=line-integrals.",
             facts->values_why, names[i]);
    ct_scan_take_values(scan, facts->values, facts->values_why, doubt);
    return;
  }
}

bool ct_scan_find_doubts(ct_scan *scan, ct_error **error) {
  const ct_scan_facts *facts = ct_scan_get_facts(scan);
  const ct_geometry *g = &facts->geometry;
  char angles[256] = "", axes[256] = "";
  const bool told = (facts->known & CT_KNOWN_ANGLES) && ct_geometry_takes(g, CT_TAKES_ANGLES) && g->angles;
  if (told && !ct_geometry_check_angles(g, error)) {
    if (facts->path) ct_error_prefix(error, "%s", facts->path);
    return false;
  }
  if (told && g->views > 1) find_doubt(g, angles, sizeof angles);
  if (facts->layout == CT_LAYOUT_UNKNOWN && g->views > 1 && g->views <= FEWEST && g->nv >= MANY * g->views)
    snprintf(axes, sizeof axes,
             "it has %d views of %d rows: where each of these is a detector row and its rows are the views, say so "
             "(\"layout\" in a scan description: \"sinograms\")",
             g->views, g->nv);
  if (!angles[0] && !axes[0]) return true;
  ct_scan_facts more = *facts;
  ct_remarks remarks = {0};
  ct_remarks_append(&remarks, facts->remarks);
  if (angles[0]) ct_remarks_add(&remarks, CT_REMARK_DOUBT, NULL, "%s", angles);
  if (axes[0]) ct_remarks_add(&remarks, CT_REMARK_DOUBT, NULL, "%s", axes);
  more.remarks = &remarks;
  const bool good = ct_scan_replace_facts(scan, &more, error);
  ct_remarks_clear(&remarks);
  return good;
}
