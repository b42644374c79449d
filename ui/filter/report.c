/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Arrays of a report. */
#include "ui/filter/report.h"

void gantry_filter_report_add(GantryFilterReport *report, GantryFilterCurve curve, gsize count) {
  report->x[curve] = g_new0(double, count);
  report->y[curve] = g_new0(double, count);
  report->count[curve] = count;
}

void gantry_filter_report_drop_curves(GantryFilterReport *report) {
  for (int i = 0; i < GANTRY_FILTER_CURVES; i++) {
    g_clear_pointer(&report->x[i], g_free);
    g_clear_pointer(&report->y[i], g_free);
    report->count[i] = 0;
  }
  g_clear_pointer(&report->block, g_free);
  report->block_rows = 0;
  g_clear_pointer(&report->note, g_free);
}

void gantry_filter_report_free(GantryFilterReport *report) {
  if (!report) return;
  gantry_filter_report_drop_curves(report);
  g_free(report->refused);
  g_free(report);
}
