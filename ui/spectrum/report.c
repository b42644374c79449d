/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a report owns. */
#include "ui/spectrum/report.h"

void gantry_spectrum_report_free(GantrySpectrumReport *report) {
  if (!report) return;
  if (report->spectrum) gantry_image_unref(report->spectrum);
  g_free(report->angles);
  g_free(report->refused);
  g_free(report->note);
  g_free(report->samples);
  g_free(report->damping);
  g_free(report);
}
