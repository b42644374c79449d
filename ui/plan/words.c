/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Summaries of the plan in words, and the values behind "auto". */
#include "ui/plan/iterative.h"

#include "recon/base/units.h"
#include "recon/bp/choices.h"
#include "recon/data/samples.h"
#include "recon/geom/questions.h"
#include "recon/io/io.h"
#include "ui/number-text.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

static double or_auto(double value, double automatic) {
  return isnan(value) ? automatic : value;
}

GantryParamPlace gantry_plan_place(const ct_plan *plan, const GantryPlanFacts *facts, const ct_param *param) {
  const ct_plan_facts *base = &facts->base;
  if (!ct_param_matters(plan, base, param)) return GANTRY_PARAM_IRRELEVANT;
  if (ct_param_is_idle(plan, param, NULL, 0)) return param->advanced ? GANTRY_PARAM_IRRELEVANT : GANTRY_PARAM_IDLE;
  const gboolean shown = !param->advanced || ct_param_unfolds(plan, base, param) || !ct_param_is_default(plan, param);
  return shown ? GANTRY_PARAM_SHOWN : GANTRY_PARAM_FOLDED;
}

/* What is worth mentioning of a choice. */
static void add_brief(GString *text, const ct_choice *choices, int value) {
  const ct_choice *choice = ct_choice_find(choices, value);
  if (choice && choice->brief) gantry_words_add(text, "%s", choice->brief);
}

static void summarise_scan(GString *text, const ct_plan *plan, const GantryPlanFacts *facts) {
  if (!facts->base.scan) {
    gantry_words_add(text, "No scan is open");
    return;
  }
  const double views = or_auto(plan->view_count == CT_AUTO_INT ? NAN : plan->view_count,
                               ct_param_automatic(plan, &facts->base, ct_param_find("scan.view_count")));
  if ((int)views == facts->base.views)
    gantry_words_add(text, "%d view%s of %d × %d px", facts->base.views, facts->base.views == 1 ? "" : "s", facts->nu,
                     facts->base.nv);
  else
    gantry_words_add(text, "%d of %d views of %d × %d px", (int)views, facts->base.views, facts->nu, facts->base.nv);
  if (plan->view_step == 2)
    gantry_words_add(text, "every second one");
  else if (plan->view_step == 3)
    gantry_words_add(text, "every third one");
  else if (plan->view_step > 3)
    gantry_words_add(text, "one in %d", plan->view_step);
  if (plan->bin > 1) gantry_words_add(text, "binned %d × %d", plan->bin, plan->bin);
}

static void summarise_geometry(GString *text, const ct_plan *plan, const GantryPlanFacts *facts) {
  char number[64];
  const ct_beam beam = ct_plan_facts_beam(plan, &facts->base);
  g_autofree char *title = g_strdup(ct_beam_title(beam));
  title[0] = g_ascii_toupper(title[0]);
  gantry_words_add(text, facts->base.scan && ct_plan_beam_is_assumed(plan, facts->base.known) ? "%s assumed" : "%s",
                   title);
  if (!facts->base.scan) return;
  const double step = plan->angle_step_deg;
  const double arc = isnan(step) ? facts->arc_deg : fabs(step) * facts->base.views;
  if (ct_beam_takes(beam, CT_TAKES_ANGLES))
    gantry_words_add(text, "%s°", ct_format_number(arc, 4, number, sizeof number));
  if (ct_beam_takes(beam, CT_TAKES_DISTANCES)) {
    const double sod = or_auto(plan->sod, facts->base.sod), sdd = or_auto(plan->sdd, facts->base.sdd);
    if (sod > 0 && sdd > 0)
      gantry_words_add(text, "magnified %s times", ct_format_number(sdd / sod, 3, number, sizeof number));
    else
      gantry_words_add(text, "distances missing");
  }
  const double feed = or_auto(plan->feed, facts->base.feed);
  const double table = or_auto(plan->table_step, facts->base.table_step);
  if (ct_beam_takes(beam, CT_TAKES_FEED) && table != 0 && isfinite(table))
    gantry_words_add(text, "a sequence of steps of %s", ct_format_length(table, 4, "mm", number, sizeof number));
  else if (ct_beam_takes(beam, CT_TAKES_FEED) && feed != 0 && isfinite(feed))
    gantry_words_add(text, "a spiral of %s a turn", ct_format_length(feed, 4, "mm", number, sizeof number));
  g_autofree char *pixels = gantry_quantity_text(or_auto(plan->pitch_u, facts->base.du), 3, "mm pixels");
  gantry_words_add(text, "%s", ct_plan_in_pixels(plan, facts->base.known, beam) ? "pixel size not known" : pixels);
  if (plan->reverse) gantry_words_add(text, "reversed");
  if (!(facts->base.known & CT_KNOWN_PITCH) && isnan(plan->pitch_u) &&
      !ct_plan_in_pixels(plan, facts->base.known, beam))
    gantry_words_add(text, "pitch assumed");
  if (!(facts->base.known & CT_KNOWN_ANGLES) && isnan(step) && ct_beam_takes(beam, CT_TAKES_ANGLES))
    gantry_words_add(text, "angles assumed");
}

static void summarise_corrections(GString *text, const ct_plan *plan, const GantryPlanFacts *facts) {
  const gboolean logarithm = ct_plan_takes_log(plan, facts->base.values);
  if (ct_plan_uses_flats(plan, facts->base.values, facts->base.flats))
    gantry_words_add(text, facts->darks ? "Flats and darks" : "Flats");
  if (logarithm) {
    const gboolean normalised = ct_plan_uses_flats(plan, facts->base.values, facts->base.flats) ||
                                ct_plan_values(plan, facts->base.values) == CT_VALUES_TRANSMISSION;
    add_brief(text, ct_i0_choices, (int)ct_i0_method_of(plan->prep.i0, normalised, facts->base.level));
  }
  if (logarithm) gantry_words_add(text, "logarithm");
  if (plan->prep.outlier > 0) gantry_words_add(text, "outliers above %g σ", plan->prep.outlier);
  add_brief(text, ct_ring_choices, (int)plan->prep.rings);
  const ct_prep_report *report = facts->base.outcome ? &facts->prep : NULL;
  const size_t mended = report ? report->not_finite + report->outliers : 0;
  if (mended) gantry_words_add(text, "%zu pixel%s mended", mended, mended == 1 ? "" : "s");
  if (report && report->stuck) gantry_words_add(text, "%zu bad pixel%s", report->stuck, report->stuck == 1 ? "" : "s");
  g_autofree char *photons = gantry_quantity_text(plan->noise_photons, 3, "photons");
  if (!isnan(plan->noise_photons)) gantry_words_add(text, "noise of %s added", photons);
  if (!text->len && facts->base.values == CT_VALUES_FILTERED)
    gantry_words_add(text, "None, the projections are filtered already");
  if (ct_plan_values(plan, facts->base.values) == CT_VALUES_OPTICAL_DENSITY && !logarithm)
    gantry_words_add(text, text->len ? "optical densities times ln 10" : "Optical densities times ln 10");
  if (!text->len) gantry_words_add(text, "None, the scan holds line integrals");
}

static void summarise_centre(GString *text, const ct_plan *plan, const GantryPlanFacts *facts) {
  char number[64];
  const gboolean found = facts->base.outcome && facts->centre_method == plan->centre_method;
  if (ct_plan_centre_method(plan) == CT_CENTRE_MANUAL) {
    g_autofree char *column = gantry_fixed_text(plan->centre_u, 2);
    gantry_words_add(text, plan->centre_method == CT_CENTRE_FOUND ? "%s px, as found" : "%s px, by hand", column);
  } else if (found) {
    g_autofree char *column = gantry_fixed_text(facts->base.centre, 2);
    gantry_words_add(text, "%s px", column);
    if (facts->centre_how && *facts->centre_how) gantry_words_add(text, "%s", facts->centre_how);
  } else {
    gantry_words_add(text, "%s", gantry_plan_choice_title(plan, ct_param_find("centre.method")));
  }
  if (found && facts->confidence < 0.5)
    gantry_words_add(text, "uncertain (%s)", ct_format_number(facts->confidence, 2, number, sizeof number));
}

static void summarise_filter(GString *text, const ct_plan *plan, const GantryPlanFacts *facts) {
  if (ct_plan_takes_filtered(plan, facts->base.values)) {
    gantry_words_add(text, "None, the projections are filtered already");
    return;
  }
  if (ct_param_is_idle(plan, ct_param_find("filter.window"), NULL, 0)) {
    gantry_words_add(text, "Not used by %s", gantry_plan_method_name(plan->iterative.method));
    return;
  }
  gantry_words_add(text, "%s", gantry_plan_choice_title(plan, ct_param_find("filter.window")));
  if (plan->filter.window != CT_WINDOW_NONE && plan->filter.cutoff < 1)
    gantry_words_add(text, "up to %g × Nyquist", plan->filter.cutoff);
  add_brief(text, ct_ramp_choices, (int)plan->filter.ramp);
  add_brief(text, ct_extension_choices, (int)plan->filter.extension);
  add_brief(text, ct_redundancy_choices, (int)plan->filter.redundancy);
}

static void summarise_reconstruction(GString *text, const ct_plan *plan, const GantryPlanFacts *facts) {
  const ct_grid *grid = facts->base.grid;
  if (grid) {
    g_autofree char *nx = gantry_count_text(grid->nx), *ny = gantry_count_text(grid->ny),
                    *nz = gantry_count_text(grid->nz);
    const ct_beam beam = ct_plan_facts_beam(plan, &facts->base);
    const ct_units units = ct_units_of(facts->base.scan && ct_plan_in_pixels(plan, facts->base.known, beam));
    g_autofree char *voxel = gantry_length_text(grid->dx, 3, units.length);
    gantry_words_add(text, "%s × %s × %s voxels of %s", nx, ny, nz, voxel);
  } else if (plan->nx != CT_AUTO_INT) {
    gantry_words_add(text, "%d voxels across", plan->nx);
  } else {
    gantry_words_add(text, "Voxels to fit the detector");
  }
  const gboolean idle = ct_param_is_idle(plan, ct_param_find("reconstruction.kernel"), NULL, 0);
  if (!idle && strcmp(plan->kernel, "auto") != 0) {
    const ct_bp_table processor = ct_bp_cpu_kernels();
    const ct_bp_kernel *kernel = ct_bp_find(&processor, plan->kernel);
    gantry_words_add(text, "%s", kernel ? kernel->title : plan->kernel);
  }
  if (!idle) add_brief(text, ct_interp_choices, plan->interp);
  if (!idle) add_brief(text, ct_precision_choices, plan->precision);
  if (plan->mask) gantry_words_add(text, "masked");
  if (facts->objection) gantry_words_add(text, "%s", facts->objection);
  if (facts->estimated && !facts->estimate.fits) gantry_words_add(text, "does not fit into memory");
}

char *gantry_plan_summarise(const ct_plan *plan, const GantryPlanFacts *facts, ct_section section) {
  GString *text = g_string_new(NULL);
  switch (section) {
  case CT_SECTION_SCAN:
    summarise_scan(text, plan, facts);
    break;
  case CT_SECTION_GEOMETRY:
    summarise_geometry(text, plan, facts);
    break;
  case CT_SECTION_CORRECTIONS:
    summarise_corrections(text, plan, facts);
    break;
  case CT_SECTION_CENTRE:
    summarise_centre(text, plan, facts);
    break;
  case CT_SECTION_FILTER:
    summarise_filter(text, plan, facts);
    break;
  case CT_SECTION_RECONSTRUCTION:
    summarise_reconstruction(text, plan, facts);
    break;
  case CT_SECTION_ITERATIVE:
    g_string_free(text, TRUE);
    return gantry_plan_summarise_iterative(plan, facts);
  case CT_SECTION_OUTPUT:
    gantry_words_add(text, "%s", ct_format_find(plan->format) ? ct_format_find(plan->format)->title : plan->format);
    add_brief(text, ct_samples_choices, plan->samples);
    if (plan->compress) gantry_words_add(text, "compressed");
    break;
  default:
    break;
  }
  char *words = g_string_free(text, FALSE);
  if (words[0]) words[0] = g_ascii_toupper(words[0]);
  return words;
}
