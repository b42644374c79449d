/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The facts are kept beside the window's banner because it may be up for another reason as well: a file that cannot be
 * opened, say, whose message is over as soon as another one is tried. */
#include "app/session/banner.h"

#include "app/errors.h"

struct _GantryBanner {
  GantryContext *context;
  gboolean no_preview, refused, advice;
};

GantryBanner *gantry_banner_new(GantryContext *context) {
  GantryBanner *self = g_new0(GantryBanner, 1);
  self->context = gantry_context_ref(context);
  return self;
}

void gantry_banner_free(GantryBanner *self) {
  gantry_context_unref(self->context);
  g_free(self);
}

void gantry_banner_reset(GantryBanner *self) {
  self->no_preview = self->refused = self->advice = FALSE;
}

void gantry_banner_set_no_preview(GantryBanner *self) {
  self->no_preview = TRUE;
}

gboolean gantry_banner_has_no_preview(GantryBanner *self) {
  return self->no_preview;
}

void gantry_banner_forgive_preview(GantryBanner *self) {
  self->no_preview = FALSE;
}

void gantry_banner_end_no_preview(GantryBanner *self) {
  if (self->no_preview) gantry_window_clear_error(self->context->window);
  self->no_preview = FALSE;
}

void gantry_banner_set_refused(GantryBanner *self) {
  self->refused = TRUE;
}

gboolean gantry_banner_is_refused(GantryBanner *self) {
  return self->refused;
}

void gantry_banner_end_refused(GantryBanner *self) {
  if (self->refused) gantry_window_clear_error(self->context->window);
  self->refused = FALSE;
}

void gantry_banner_clear(GantryBanner *self) {
  gantry_window_clear_error(self->context->window);
  self->no_preview = self->refused = FALSE;
}

gboolean gantry_banner_is_free(GantryBanner *self) {
  return !self->no_preview && !self->refused;
}

void gantry_banner_make_room(GantryBanner *self) {
  if (gantry_banner_is_free(self)) gantry_window_clear_error(self->context->window);
}

/* Warnings */

/* Those that make all numbers wrong first. */
static const ct_warning *worst_of(const ct_warnings *warnings) {
  static const ct_warning_kind first[] = {CT_WARNING_VALUES, CT_WARNING_VIEWS, CT_WARNING_CENTRE};
  for (gsize i = 0; i < G_N_ELEMENTS(first); i++) {
    const ct_warning *found = ct_warnings_find(warnings, first[i]);
    if (found) return found;
  }
  for (int i = 0; i < warnings->count; i++)
    if (warnings->items[i].kind != CT_WARNING_SETTING) return &warnings->items[i];
  return warnings->items;
}

/* One command that helps, where there is one. */
static GantryWarning remedy_of(const ct_warning *warning) {
  if (warning->kind == CT_WARNING_CENTRE)
    return (GantryWarning){.label = "S_weep the Centre",
                           .tip = "Reconstruct this slice for a row of trial centres and take the best",
                           .action_name = "win.sweep-centre"};
  static const struct {
    const char *words, *label, *action_name;
  } values[] = {{"scan.values=counts", "Take for _Counts", "win.take-values::counts"},
                {"scan.values=line-integrals", "Take for _Line Integrals", "win.take-values::line-integrals"},
                {"scan.values=optical-density", "Take for _Optical Densities", "win.take-values::optical-density"},
                {"scan.values=transmission", "Take for _Transmissions", "win.take-values::transmission"}};
  /* Of several that the text names, the first is meant. */
  const char *first = NULL;
  GantryWarning remedy = {0};
  for (gsize i = 0; i < G_N_ELEMENTS(values) && warning->kind == CT_WARNING_VALUES; i++) {
    const char *at = strstr(warning->text, values[i].words);
    if (!at || (first && at > first)) continue;
    first = at;
    remedy = (GantryWarning){.label = values[i].label,
                             .tip = "What the pixels hold: the choice Values of the section Scan",
                             .action_name = values[i].action_name};
  }
  if (first) return remedy;
  if (warning->kind == CT_WARNING_PIXELS && strstr(warning->text, "corrections.outliers"))
    return (GantryWarning){.label = "Remove _Outliers",
                           .tip = "Replace pixels that stand out from their neighbours by the median of them",
                           .action_name = "win.remove-outliers"};
  return (GantryWarning){0};
}

void gantry_banner_show_warnings(GantryBanner *self, const ct_warnings *warnings) {
  GantryWarning shown = {0};
  g_autofree char *text = NULL;
  if (warnings && warnings->count) {
    const ct_warning *worst = worst_of(warnings);
    shown = remedy_of(worst);
    text = warnings->count == 1
               ? g_strdup(worst->text)
               : g_strdup_printf("%s %d more on the Statistics page.", worst->text, warnings->count - 1);
    shown.text = text;
  }
  gantry_window_set_warnings(self->context->window, warnings, &shown);
}

/* Remedies */

static void offer_processor(GantryBanner *self) {
  gantry_window_offer_remedy(self->context->window, "Continue on the _Processor",
                             "Take the fastest kernel of the processor instead of the graphics device",
                             "win.use-processor");
}

/* In place of a kernel that refuses. */
static void offer_kernel(GantryBanner *self, const GantryFailure *failure) {
  const ct_plan *plan = failure->plan;
  if (plan->iterative.method != CT_METHOD_DIRECT || g_str_equal(plan->kernel, "auto") ||
      !g_error_matches(failure->error, GANTRY_ERROR, CT_ERROR_UNSUPPORTED))
    return;
  gantry_window_offer_remedy(self->context->window, "_Automatic Kernel",
                             "Take the fastest kernel that serves these values", "win.use-kernel");
}

/* A matrix that does not fit, a projector that cannot do this geometry: the automatic choice does. */
static void offer_projector(GantryBanner *self, const ct_plan *plan) {
  if (!ct_method_iterates(plan->iterative.method) || g_str_equal(plan->iterative.projector, "auto")) return;
  gantry_window_offer_remedy(self->context->window, "_Automatic Projector",
                             "Take the fastest projector that suits the scan and the free memory", "win.use-projector");
}

void gantry_banner_offer_advice(GantryBanner *self, const ct_estimate *estimate, const ct_plan *present) {
  self->advice = TRUE;
  gantry_context_changed(self->context);
  if (estimate->slab_height > 0)
    gantry_window_offer_remedy(self->context->window, "Reconstruct _to File…",
                               "Reconstruct slab by slab straight to a file, which the memory need not hold",
                               "win.reconstruct-to-file");
  if (estimate->suggested_bin > present->bin) {
    g_autofree char *label = g_strdup_printf("_Bin %d × %d", estimate->suggested_bin, estimate->suggested_bin);
    gantry_context_toast(self->context, GANTRY_ABOUT_RUN, label, "win.apply-advice",
                         "Not enough memory for these values");
  } else if (estimate->suggested_grid.nx > 0) {
    gantry_context_toast(self->context, GANTRY_ABOUT_RUN, "_Smaller Region", "win.apply-advice",
                         "Not enough memory for these values");
  }
}

void gantry_banner_offer(GantryBanner *self, const GantryFailure *failure, const ct_plan *present) {
  if (failure->too_big) gantry_banner_offer_advice(self, failure->estimate, present);
  if (failure->blames_device) offer_processor(self);
  if (failure->too_big || failure->blames_device) return;
  offer_kernel(self, failure);
  offer_projector(self, failure->plan);
}

gboolean gantry_banner_has_advice(GantryBanner *self) {
  return self->advice;
}

void gantry_banner_end_advice(GantryBanner *self) {
  self->advice = FALSE;
}
