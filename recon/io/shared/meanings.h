/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What words about an array tell of its values. */
#ifndef CT_IO_MEANINGS_H
#define CT_IO_MEANINGS_H

#include "recon/data/scan.h"

/* Of the text of a unit ("line integral", "counts", "optical density", "OD"); CT_VALUES_UNKNOWN where it says nothing.
 */
ct_values ct_values_of_unit(const char *unit);
/* The same of `text`, which `what` of `file` holds ("BUNIT"); where it only hints at decadic logarithms ("absorbance"),
 * the values are taken for them and a doubt says so. */
ct_values ct_values_told(const char *text, const char *what, const char *file, ct_remarks *remarks);
/* Whether a name or a unit is one of those that decadic logarithms have, among others: "proj_log10", "absorbance". */
bool ct_name_hints_at_density(const char *name);

#endif
