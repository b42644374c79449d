/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A kernel's group follows from what it says of itself, and from the table of ranks. */
#include "recon/bp/groups.h"

#include "recon/bp/ranks-private.h"
#include "recon/geom/questions.h"

const ct_choice ct_bp_group_choices[] = {
    {CT_BP_GROUP_FAST, "fast", "Fast, on the processor", NULL},
    {CT_BP_GROUP_PLAIN, "plain", "Plain, to compare with", NULL},
    {CT_BP_GROUP_LADDER, "ladder", "Ladders of the papers", NULL},
    {CT_BP_GROUP_CARD, "card", "On a graphics device", NULL},
    CT_CHOICE_END,
};

static bool serves_all(const ct_bp_kernel *kernel) {
  const unsigned interps = CT_BIT(CT_INTERP_OVERSAMPLED + 1) - 1;
  return kernel->geometry == CT_GEOMETRY_ANY && (kernel->interps & interps) == interps;
}

ct_bp_group ct_bp_group_of(const ct_bp_kernel *kernel) {
  if (kernel->gpu) return CT_BP_GROUP_CARD;
  if (ct_bp_is_ranked_by_class(kernel)) return CT_BP_GROUP_FAST;
  return serves_all(kernel) ? CT_BP_GROUP_PLAIN : CT_BP_GROUP_LADDER;
}

/* Below 0: a comes first. Ladders keep their order, which is that of their steps. */
static int compare(const ct_bp_kernel *a, const ct_bp_kernel *b) {
  const int groups = (int)ct_bp_group_of(a) - (int)ct_bp_group_of(b);
  if (groups) return groups;
  switch (ct_bp_group_of(a)) {
  case CT_BP_GROUP_FAST:
    return ct_bp_highest_rank(b) - ct_bp_highest_rank(a);
  case CT_BP_GROUP_CARD:
    return (b->rank_for != NULL) - (a->rank_for != NULL);
  default:
    return 0;
  }
}

void ct_bp_sort_by_group(const ct_bp_table *table, const ct_bp_kernel **sorted) {
  for (size_t i = 0; i < table->count; i++) {
    size_t at = i;
    for (; at > 0 && compare(sorted[at - 1], table->kernels[i]) > 0; at--) sorted[at] = sorted[at - 1];
    sorted[at] = table->kernels[i];
  }
}
