/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Toasts, with the command that comes next as their button. */
#include "app/session/run-messages.h"

#include "recon/base/units.h"
#include "recon/fp/projector.h"
#include "ui/shown.h"

static void announce_direct(GantryContext *context, const GantryResult *result) {
  char time[32];
  ct_format_duration(result->seconds, time, sizeof time);
  g_autofree char *title = gantry_result_dup_title(result);
  gantry_context_toast(context, GANTRY_ABOUT_RUN, "_Save", "win.save-volume", "%s in %s: %s",
                       result->views < result->views_all ? "Finished early" : "Reconstructed", time, title);
}

/* goes_on_from: iterations that were there before. */
static void announce_iterative(GantryContext *context, const GantryResult *result, int goes_on_from) {
  const double residual = result->curve[result->iterations - 1].residual;
  const int asked = result->plan.iterative.iterations;
  const char *how = result->stopped == CT_STOPPED_RESIDUAL ? "Reached the residual asked for"
                    : result->stopped == CT_STOPPED_CHANGE ? "Changes no more"
                    : result->iterations < asked           ? "Finished early"
                                                           : "Reconstructed";
  char time[32], number[32];
  ct_format_duration(result->seconds, time, sizeof time);
  const int more = result->iterations - goes_on_from;
  g_autofree char *title = gantry_result_dup_title(result);
  g_autofree char *done = !goes_on_from ? g_strdup_printf("%s in %s", how, time)
                          : more <= 0
                              ? g_strdup("Taken from the run before")
                              : g_strdup_printf("%s, %d more iteration%s in %s", how, more, more == 1 ? "" : "s", time);
  gantry_context_toast(context, GANTRY_ABOUT_RUN, "_Continue", "win.continue", "%s: %s, residual %s", done, title,
                       ct_format_number(residual, 3, number, sizeof number));
}

/* Where another projector than the one chosen served. */
static void announce_projector(GantryContext *context, const GantryVolumeTask *run) {
  const char *chosen = run->plan.iterative.projector;
  const ct_pipeline_facts *facts = run->outcome ? &run->outcome->facts : NULL;
  if (!ct_method_iterates(run->plan.iterative.method) || !facts || !facts->projector || g_str_equal(chosen, "auto") ||
      g_str_equal(chosen, facts->projector->id))
    return;
  gantry_context_toast(context, GANTRY_ABOUT_ASIDE, NULL, NULL, "%s was used. %s", facts->projector->title,
                       facts->projector_why);
}

void gantry_run_announce_volume(GantryContext *context, const GantryResult *result, const GantryVolumeTask *run) {
  if (result->iterations)
    announce_iterative(context, result, run->goes_on_from);
  else
    announce_direct(context, result);
  announce_projector(context, run);
}

void gantry_run_announce_file(GantryContext *context, const GantryVolumeTask *run) {
  char time[32];
  ct_format_duration(run->seconds, time, sizeof time);
  g_autofree char *name = gantry_shown_name(run->path);
  const ct_grid *grid = &run->slabs.grid;
  g_autofree char *views =
      run->views < run->views_all ? g_strdup_printf(", %d of %d views", run->views, run->views_all) : g_strdup("");
  gantry_context_toast(context, GANTRY_ABOUT_RUN, NULL, NULL, "Written to %s in %s: %d × %d × %d voxels%s", name, time,
                       grid->nx, grid->ny, grid->nz, views);
}

void gantry_run_announce_cancelled(GantryContext *context, const GantryVolumeTask *run, gboolean volume,
                                   gboolean elsewhere) {
  const gboolean curve = run->points && !run->goes_on_from;
  gantry_context_toast(context, GANTRY_ABOUT_RUN, NULL, NULL, "%s%s",
                       run->path         ? "Cancelled. Nothing was written."
                       : volume && curve ? "Cancelled. The volume before and the curve so far are kept."
                       : volume          ? "Cancelled. The volume before is kept."
                       : curve           ? "Cancelled. The curve so far is kept."
                                         : "Cancelled.",
                       !run->path && elsewhere ? " The slices are a preview of the present values." : "");
}

void gantry_run_announce_complete(GantryContext *context, const GantryResult *result) {
  g_autofree char *title = gantry_result_dup_title(result);
  gantry_context_toast(context, GANTRY_ABOUT_RUN, "_Continue", "win.continue",
                       "Nothing to be done, this is it already: %s", title);
}
