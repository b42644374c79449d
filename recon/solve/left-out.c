/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Views that hold no number, or saw no beam, as if they were not in the scan: their angular steps go to their
 * neighbours. */
#include "recon/solve/pipeline-private.h"

#include "recon/base/memory.h"

#include <stdio.h>
#include <string.h>

void ct_integrals_drop_views(const ct_pipeline *p, ct_geometry *g) {
  int kept = 0;
  for (int view = 0; p->left_out && view < g->views; view++) {
    if (p->left_out[view]) continue;
    if (g->angles) g->angles[kept] = g->angles[view];
    if (g->matrices) memmove(g->matrices + 12 * (size_t)kept, g->matrices + 12 * (size_t)view, 12 * sizeof(double));
    kept++;
  }
  if (p->left_out) g->views = kept;
}

void ct_integrals_take_left_out(ct_pipeline *p, bool *left_out, int views) {
  int count = 0;
  for (int view = 0; view < views; view++) count += left_out[view];
  ct_free(p->left_out);
  p->left_out = count > 0 ? left_out : NULL;
  p->asked = views;
  if (count == 0) ct_free(left_out);
}

/* Their marks among the views that are there. */
static bool *mark_kept(const ct_pipeline *p, const bool *views, int *count, ct_error **error) {
  bool *marks = ct_alloc_zero((size_t)p->asked, sizeof *marks, "the list of views", error);
  int kept = 0;
  *count = 0;
  for (int view = 0; marks && view < p->asked; view++)
    if (!(p->left_out && p->left_out[view])) *count += marks[kept++] = views[view];
  if (marks && *count == kept)
    ct_error_set(error, CT_ERROR_DATA, "%s: no view is of use: each holds no number in some rows, or saw no beam.",
                 ct_scan_get_name(p->scan));
  if (marks && *count < kept) return marks;
  ct_free(marks);
  return NULL;
}

bool ct_integrals_leave_out(ct_pipeline *p, const bool *views, ct_error **error) {
  int count;
  bool *marks = mark_kept(p, views, &count, error);
  bool *all = marks ? ct_alloc_zero((size_t)p->asked, sizeof *all, "the list of views", error) : NULL;
  if (!all) {
    ct_free(marks);
    return false;
  }
  for (int view = 0; view < p->asked; view++) all[view] = views[view] || (p->left_out && p->left_out[view]);
  ct_free(p->left_out);
  p->left_out = marks;
  if (count > 0) {
    ct_stack_drop_views(p->integrals, marks);
    if (p->seen.views == p->geometry.views) ct_integrals_drop_views(p, &p->seen);
    ct_integrals_drop_views(p, &p->geometry);
    p->facts.views_all = p->geometry.views;
    p->integrals_version++;
  }
  p->left_out = all;
  ct_free(marks);
  return true;
}

int ct_integrals_place(const ct_pipeline *p, int view) {
  int place = 0;
  if (!p->left_out) return view;
  for (int kept = -1; place < p->asked; place++) {
    kept += !p->left_out[place];
    if (kept == view) break;
  }
  return place;
}

bool ct_pipeline_try_again(ct_pipeline *p, ct_error **fault, ct_error **error) {
  if (p->found_useless) {
    p->found_useless = false;
    ct_error_clear(fault);
    return true;
  }
  if (error && !*error)
    *error = *fault;
  else
    ct_error_clear(fault);
  return false;
}

void ct_pipeline_read_first(ct_pipeline *p) {
  if (!p->found_useless) {
    p->read_first = p->integrals_digest;
    p->integrals_digest = ~p->integrals_digest;
  }
  p->found_useless = false;
}

void ct_pipeline_warn_left_out(const ct_pipeline *p, ct_warnings *warnings) {
  char list[160] = "";
  size_t used = 0;
  int count = 0, told = 0;
  for (int view = 0; p->left_out && view < p->asked; view++) {
    if (!p->left_out[view]) continue;
    count++;
    if (used + 24 > sizeof list) continue;
    used += (size_t)snprintf(list + used, sizeof list - used, "%s%d", told ? ", " : "",
                             p->integrals_plan.view_first + view * p->integrals_plan.view_step);
    told++;
  }
  if (count == 0) return;
  if (told < count) snprintf(list + used, sizeof list - used, ", ...");
  ct_warnings_add(warnings, CT_WARNING_VIEWS,
                  "%d of %d views %s no number, or saw no beam, and %s left out: %s. The views beside them stand for "
                  "their part of the arc.",
                  count, p->asked, count == 1 ? "holds" : "hold", count == 1 ? "was" : "were", list);
}
