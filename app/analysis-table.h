/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An analysis of errors as a table of comma-separated values, for spreadsheets and scripts. Knows no GLib: the command
 * line uses it, too. */
#ifndef GANTRY_ANALYSIS_TABLE_H
#define GANTRY_ANALYSIS_TABLE_H

#include "recon/metric/analysis.h"

/* The text (ct_free), NULL with CT_ERROR_MEMORY. One table with the columns "table,low,high,count,mean,deviation,rmse,
 * ssim"; what a row does not have is empty. The rows by their first column:
 *   error     bins of a - b from low to high: count
 *   absolute  bins of |a - b|; the first from 0
 *   value     bins of b: count, mean and deviation of the errors there
 *   slice     slice low of the volume, high the next: rmse, ssim
 * Reals with 9 digits. */
char *gantry_analysis_table(const ct_analysis *analysis, ct_error **error);

#endif
