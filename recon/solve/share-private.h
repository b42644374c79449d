/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The part of the views that a pipeline back-projects, others doing the rest. */
#ifndef CT_SOLVE_SHARE_PRIVATE_H
#define CT_SOLVE_SHARE_PRIVATE_H

#include "recon/base/error.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct ct_share ct_share;
struct ct_share {
  int group, groups; /* the views of ct_share_views */
  void *user;
  /* Called between batches; false ends the work with CT_ERROR_CANCELLED, as others have failed. */
  bool (*between)(void *user, double fraction);
};

/* Views (or anything else) [*first, *first + count) of part `group` of `groups` as even as they can be; the count. */
static inline int ct_share_views(int views, int groups, int group, int *first) {
  *first = (int)((int64_t)views * group / groups);
  return (int)((int64_t)views * (group + 1) / groups) - *first;
}

#endif
