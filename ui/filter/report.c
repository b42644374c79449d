/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arrays of a report. */
#include "ui/filter/report.h"

void gantry_filter_report_add(GantryFilterReport *report, GantryFilterCurve curve, gsize count) {
  report->x[curve] = g_new0(double, count);
  report->y[curve] = g_new0(double, count);
  report->count[curve] = count;
}

void gantry_filter_report_free(GantryFilterReport *report) {
  if (!report) return;
  for (int i = 0; i < GANTRY_FILTER_CURVES; i++) {
    g_free(report->x[i]);
    g_free(report->y[i]);
  }
  g_free(report->block);
  g_free(report);
}
