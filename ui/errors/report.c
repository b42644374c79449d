/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ui/errors/report.h"

GantryErrorReport *gantry_error_report_new(ct_analysis *analysis, const ct_grid *grid, const char *scope,
                                           const char *note) {
  GantryErrorReport *report = g_new0(GantryErrorReport, 1);
  *report = (GantryErrorReport){.analysis = analysis, .grid = *grid, .scope = g_strdup(scope), .note = g_strdup(note)};
  return report;
}

void gantry_error_report_free(GantryErrorReport *report) {
  if (!report) return;
  ct_analysis_free(report->analysis);
  g_free(report->scope);
  g_free(report->note);
  g_free(report);
}
