/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a report owns. */
#include "ui/growth/report.h"

void gantry_growth_report_free(GantryGrowthReport *report) {
  if (!report) return;
  if (report->sum) gantry_image_unref(report->sum);
  if (report->last) gantry_image_unref(report->last);
  g_free(report->points);
  g_free(report);
}
