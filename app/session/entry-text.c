/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Short on the card, whole in its tooltip. */
#include "app/session/entry-text.h"

#include "recon/base/units.h"
#include "recon/bp/choices.h"
#include "recon/fp/projector.h"
#include "ui/number-text.h"
#include "ui/plan/iterative.h"
#include "ui/plan/phrases.h"

#include <math.h>

static char *voxels_text(const ct_grid *grid) {
  if (grid->nz == 1) return g_strdup_printf("%d × %d pixels", grid->nx, grid->ny);
  return g_strdup_printf("%d × %d × %d voxels", grid->nx, grid->ny, grid->nz);
}

static void add_time(GString *text, const GantryResult *result) {
  char time[32];
  if (result->seconds > 0) gantry_words_add(text, "%s", ct_format_duration(result->seconds, time, sizeof time));
}

char *gantry_entry_facts_text(const GantryResult *result, const GantryOutcome *outcome, const ct_grid *grid) {
  if (result->file) return voxels_text(grid);
  GString *text = g_string_new(NULL);
  const ct_pipeline_facts *facts = outcome ? &outcome->facts : NULL;
  if (result->iterations) {
    gantry_words_add(text, "%d iteration%s", result->iterations, result->iterations == 1 ? "" : "s");
    if (facts && facts->projector) gantry_words_add(text, "%s", facts->projector->id);
  } else {
    const ct_choice *precision = ct_choice_find(ct_precision_choices, result->plan.precision);
    if (facts && facts->kernel) gantry_words_add(text, "%s", facts->kernel->id);
    if (precision && precision->brief) gantry_words_add(text, "%s", precision->id);
  }
  add_time(text, result);
  char rate[32];
  if (result->gups > 0) gantry_words_add(text, "%s GUPS", ct_format_number(result->gups, 3, rate, sizeof rate));
  return g_string_free(text, FALSE);
}

/* Numbers */

char *gantry_entry_numbers_text(const GantryNumbers *numbers) {
  if (numbers->state == GANTRY_NUMBERS_ITSELF) return g_strdup("the reference B");
  if (numbers->state == GANTRY_NUMBERS_WANTED) return g_strdup("comparing with B…");
  if (numbers->state == GANTRY_NUMBERS_REFUSED) return g_strdup("not comparable with B");
  if (numbers->state != GANTRY_NUMBERS_KNOWN) return NULL;
  if (numbers->metrics.max_abs == 0 && !numbers->resampled) return g_strdup("equal to B");
  g_autofree char *rmse = gantry_quantity_text(numbers->metrics.rmse, 3, NULL);
  g_autofree char *ssim = gantry_quantity_text(numbers->metrics.ssim, 5, NULL);
  return g_strdup_printf("RMSE %s, SSIM %s%s", rmse, ssim, numbers->resampled ? ", resampled" : "");
}

static void add_metrics(GString *text, const ct_metrics *metrics, const char *unit) {
  g_autofree char *rmse = gantry_quantity_text(metrics->rmse, 4, unit);
  g_autofree char *relative = gantry_quantity_text(metrics->relative_rmse * 100, 3, "%");
  g_autofree char *largest = gantry_quantity_text(metrics->max_abs, 4, unit);
  g_autofree char *ssim = gantry_quantity_text(metrics->ssim, 6, NULL);
  g_autofree char *psnr = isinf(metrics->psnr) ? g_strdup("∞") : gantry_quantity_text(metrics->psnr, 4, "dB");
  g_string_append_printf(text, "\nAgainst B: RMSE %s (%s), largest error %s, PSNR %s, SSIM %s", rmse, relative, largest,
                         psnr, ssim);
  if (metrics->not_finite)
    g_string_append_printf(text, "; %zu voxels without a number are left out", metrics->not_finite);
}

static void add_numbers(GString *text, const GantryNumbers *numbers, const char *unit) {
  if (numbers->state == GANTRY_NUMBERS_KNOWN) add_metrics(text, &numbers->metrics, unit);
  if (numbers->state == GANTRY_NUMBERS_KNOWN && numbers->resampled)
    g_string_append(text, "\nIts voxels are others than those of B, which was resampled onto them: that smooths B");
  if (numbers->state == GANTRY_NUMBERS_ITSELF) g_string_append(text, "\nThe reference B");
  if (numbers->state == GANTRY_NUMBERS_WANTED) g_string_append(text, "\nIts numbers against B are on their way");
  if (numbers->state == GANTRY_NUMBERS_REFUSED)
    g_string_append_printf(text, "\nNo numbers against B: %s", numbers->why ? numbers->why : "unknown");
  if (numbers->differences && *numbers->differences)
    g_string_append_printf(text, "\nDiffers from B in what nobody set (this, B):\n%s", numbers->differences);
}

/* How it was made. */
static void add_making(GString *text, const GantryResult *result, const GantryOutcome *outcome) {
  const ct_pipeline_facts *facts = outcome ? &outcome->facts : NULL;
  if (result->iterations) {
    g_autofree char *recipe = gantry_plan_run_recipe(&result->plan);
    g_string_append_printf(text, "\n%s", recipe);
    if (facts && facts->projector) g_string_append_printf(text, "\nProjector: %s", facts->projector->title);
    return;
  }
  if (facts && facts->kernel) g_string_append_printf(text, "\nKernel: %s", facts->kernel->title);
  g_string_append_printf(text, "\nInterpolation: %s; precision: %s",
                         ct_choice_title(ct_interp_choices, result->plan.interp),
                         ct_choice_title(ct_precision_choices, result->plan.precision));
}

char *gantry_entry_tip_text(const GantryResult *result, const GantryOutcome *outcome, const ct_grid *grid,
                            const GantryNumbers *numbers, const char *unit) {
  g_autofree char *size = voxels_text(grid);
  GString *text = g_string_new(NULL);
  if (result->file) {
    g_string_append_printf(text, "%s\n%s", result->file, size);
  } else {
    g_string_append(text, size);
    if (!result->iterations && result->views)
      g_string_append_printf(text, result->views < result->views_all ? ", %d of %d views" : ", %d views", result->views,
                             result->views_all);
    add_making(text, result, outcome);
    GString *speed = g_string_new(NULL);
    char rate[32];
    add_time(speed, result);
    if (result->gups > 0) gantry_words_add(speed, "%s GUPS", ct_format_number(result->gups, 3, rate, sizeof rate));
    if (result->gups > 0)
      gantry_words_add(
          speed, "%s a projection",
          ct_format_quantity(1e-6 * (double)ct_grid_voxels(grid) / result->gups, 3, "ms", rate, sizeof rate));
    if (speed->len) g_string_append_printf(text, "\n%s", speed->str);
    g_string_free(speed, TRUE);
  }
  add_numbers(text, numbers, unit);
  return g_string_free(text, FALSE);
}
