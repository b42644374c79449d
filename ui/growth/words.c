/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Views and iterations count from 1 but for the number of a view, which is that of the projection slider. */
#include "ui/growth/words.h"

#include "ui/number-text.h"

#include <math.h>

static int last_iteration(const GantryGrowthReport *report) {
  return report->points[report->point_count - 1].count;
}

/* What is added one by one. */
static const char *get_units(const GantryGrowthReport *report, int count) {
  if (report->directions) return count == 1 ? "direction" : "directions";
  return count == 1 ? "view" : "views";
}

char *gantry_growth_dup_sum(const GantryGrowthReport *report) {
  if (report->iterates) return g_strdup_printf("Iteration %d of %d", report->view, last_iteration(report));
  return g_strdup_printf("Sum of %d %s\nof %d", report->count, get_units(report, report->count), report->views);
}

char *gantry_growth_dup_last(const GantryGrowthReport *report) {
  if (report->iterates && !report->has_change) return g_strdup("");
  if (report->iterates && report->changed_since < report->view - 1)
    return g_strdup_printf("Changed since\niteration %d", report->changed_since);
  if (report->iterates) return g_strdup_printf("Changed by\niteration %d", report->view);
  const double turned = report->directions ? report->angle - 180 * floor(report->angle / 180) : report->angle;
  g_autofree char *angle = isfinite(turned) ? gantry_fixed_text(turned, 1) : NULL;
  if (report->directions && angle) return g_strdup_printf("Added last:\ndirection %s°", angle);
  if (report->adds_nothing)
    return angle ? g_strdup_printf("View %d at %s°\nadds nothing", report->view, angle)
                 : g_strdup_printf("View %d\nadds nothing", report->view);
  const char *which = report->rest_add_nothing ? "Last with weight" : "Added last";
  if (angle) return g_strdup_printf("%s:\nview %d at %s°", which, report->view, angle);
  return g_strdup_printf("%s:\nview %d", which, report->view);
}

static const char *get_other(const GantryGrowthReport *report) {
  return report->against_reference ? "from the reference B, of the whole volume" : "from the truth";
}

static char *dup_rmse(GantryDisplay *display, double rmse) {
  return gantry_quantity_text(gantry_display_difference(display, rmse), 3, NULL);
}

char *gantry_growth_dup_reading(const GantryGrowthReport *report, ct_sum_kind kind, GantryDisplay *display) {
  g_autofree char *what = report->iterates ? gantry_growth_dup_sum(report)
                                           : g_strdup_printf("%d of %d %s", report->count, report->views,
                                                             get_units(report, report->views)),
                  *final = dup_rmse(display, report->point.from_final[kind]),
                  *other = dup_rmse(display, report->point.from_truth[kind]);
  const char *all = report->iterates ? "the last" : "all";
  if (!report->has_truth) return g_strdup_printf("%s: RMSE %s from %s", what, final, all);
  return g_strdup_printf("%s: RMSE %s from %s, %s %s", what, final, all, other, get_other(report));
}
