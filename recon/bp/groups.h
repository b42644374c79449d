/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The order in which people look for a kernel: what to take, what to measure it against, what was published. */
#ifndef CT_BP_GROUPS_H
#define CT_BP_GROUPS_H

#include "recon/base/choice.h"
#include "recon/bp/kernel.h"

typedef enum {
  CT_BP_GROUP_FAST,   /* what `auto` takes where it serves */
  CT_BP_GROUP_PLAIN,  /* loops that serve every request, and are the measure of the others */
  CT_BP_GROUP_LADDER, /* steps of published work, each a little more than the one before */
  CT_BP_GROUP_CARD,   /* on a graphics device */
  CT_BP_GROUPS
} ct_bp_group;

extern const ct_choice ct_bp_group_choices[]; /* CT_BP_GROUPS of them */

ct_bp_group ct_bp_group_of(const ct_bp_kernel *kernel);
/* The kernels of a table by groups into sorted[count]; in a group those that `auto` may take by rank, highest first,
 * others behind them, as they are in the table. */
void ct_bp_sort_by_group(const ct_bp_table *table, const ct_bp_kernel **sorted);

#endif
