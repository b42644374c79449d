/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Summaries of the plan in words, and the values behind "auto". */
#include "ui/plan-iterative.h"

#include "recon/base/machine.h"
#include "recon/base/units.h"
#include "recon/bp/choices.h"
#include "recon/data/samples.h"
#include "recon/geom/questions.h"
#include "recon/io/io.h"
#include "ui/number-text.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

const char *gantry_plan_choice_title(const ct_plan *plan, const ct_param *param) {
  const double value = ct_param_get_number(plan, param);
  for (const ct_choice *choice = param->choices; choice && choice->id; choice++) {
    if (isnan(value) ? choice->value == CT_AUTO_INT : choice->value == (int)value) return choice->title;
  }
  return "";
}

static double or_auto(double value, double automatic) {
  return isnan(value) ? automatic : value;
}

ct_beam gantry_plan_beam(const ct_plan *plan, const GantryPlanFacts *facts) {
  return facts->scan ? ct_plan_beam(plan, facts->beam, facts->known, facts->nv)
                     : ct_plan_beam(plan, ct_beam_find("parallel")->beam, CT_KNOWN_BEAM, 1);
}

static double known_or_nan(const GantryPlanFacts *facts, unsigned bit, double value) {
  return facts->known & bit || value > 0 ? value : NAN;
}

static double automatic_of_scan(const ct_plan *plan, const GantryPlanFacts *facts, size_t offset) {
  if (!facts->scan) return NAN;
  switch (offset) {
  case offsetof(ct_plan, view_count):
    return MAX(0, (facts->views - plan->view_first + plan->view_step - 1) / MAX(plan->view_step, 1));
  case offsetof(ct_plan, flip_rows):
    return facts->flip_rows;
  case offsetof(ct_plan, flip_columns):
    return facts->flip_columns;
  case offsetof(ct_plan, beam):
    return facts->beam;
  case offsetof(ct_plan, sod):
    return known_or_nan(facts, CT_KNOWN_DISTANCES, facts->sod);
  case offsetof(ct_plan, sdd):
    return known_or_nan(facts, CT_KNOWN_DISTANCES, facts->sdd);
  case offsetof(ct_plan, pitch_u):
    return facts->du;
  case offsetof(ct_plan, pitch_v):
    return facts->dv;
  case offsetof(ct_plan, centre_v):
    return facts->centre_v;
  case offsetof(ct_plan, tilt_deg):
    return facts->tilt_deg;
  case offsetof(ct_plan, angle_first_deg):
    return facts->angle_first_deg;
  case offsetof(ct_plan, angle_step_deg):
    return facts->angle_step_deg;
  default:
    return NAN;
  }
}

static double automatic_of_outcome(const GantryPlanFacts *facts, size_t offset) {
  if (!facts->outcome) return NAN;
  switch (offset) {
  case offsetof(ct_plan, centre_u):
    return facts->centre;
  case offsetof(ct_plan, centre_from):
    return facts->centre - 10;
  case offsetof(ct_plan, centre_to):
    return facts->centre + 10;
  default:
    return NAN;
  }
}

static double automatic_of_grid(const GantryPlanFacts *facts, size_t offset) {
  const ct_grid *grid = gantry_plan_facts_grid(facts);
  if (!grid) return NAN;
  switch (offset) {
  case offsetof(ct_plan, nx):
    return grid->nx;
  case offsetof(ct_plan, ny):
    return grid->ny;
  case offsetof(ct_plan, nz):
    return grid->nz;
  case offsetof(ct_plan, voxel):
    return grid->dx;
  case offsetof(ct_plan, voxel_z):
    return grid->dz;
  case offsetof(ct_plan, centre_mm):
    return grid->x0 + (grid->nx - 1) / 2.0 * grid->dx;
  case offsetof(ct_plan, centre_mm) + sizeof(double):
    return grid->y0 + (grid->ny - 1) / 2.0 * grid->dy;
  case offsetof(ct_plan, centre_mm) + 2 * sizeof(double):
    return grid->z0 + (grid->nz - 1) / 2.0 * grid->dz;
  default:
    return NAN;
  }
}

double gantry_plan_automatic(const ct_plan *plan, const GantryPlanFacts *facts, const ct_param *param) {
  if (param->offset == offsetof(ct_plan, threads)) return ct_thread_count();
  if (param->section == CT_SECTION_ITERATIVE) return gantry_plan_method_automatic(plan, param);
  double value = automatic_of_scan(plan, facts, param->offset);
  if (isnan(value)) value = automatic_of_outcome(facts, param->offset);
  return isnan(value) ? automatic_of_grid(facts, param->offset) : value;
}

static gboolean takes_log(const ct_plan *plan, const GantryPlanFacts *facts) {
  const gboolean taken = facts->values == CT_VALUES_LINE_INTEGRALS || facts->values == CT_VALUES_FILTERED;
  return plan->prep.log == CT_LOG_ON || (plan->prep.log == CT_LOG_AUTO && !taken);
}

static gboolean uses_flats(const ct_plan *plan, const GantryPlanFacts *facts) {
  return plan->prep.flat == CT_FLAT_AUTO && facts->flats > 0;
}

/* A parameter that a choice of the user calls for is shown even if the table folds it away. */
GantryParamPlace gantry_plan_place(const ct_plan *plan, const GantryPlanFacts *facts, const ct_param *param) {
  const size_t offset = param->offset, region = offsetof(ct_plan, prep.i0_region);
  const ct_beam beam = gantry_plan_beam(plan, facts);
  const gboolean needs_i0 =
      takes_log(plan, facts) && !uses_flats(plan, facts) && facts->values != CT_VALUES_TRANSMISSION;
  gboolean matters = TRUE, called_for = FALSE;
  if (offset == offsetof(ct_plan, sod) || offset == offsetof(ct_plan, sdd))
    matters = ct_beam_takes(beam, CT_TAKES_DISTANCES);
  else if (offset == offsetof(ct_plan, prep.flat))
    matters = facts->flats > 0 || plan->prep.flat != CT_FLAT_AUTO;
  else if (offset == offsetof(ct_plan, prep.i0))
    matters = needs_i0;
  else if (offset == offsetof(ct_plan, prep.i0_border))
    matters = called_for = needs_i0 && plan->prep.i0 == CT_I0_BORDER;
  else if (offset == offsetof(ct_plan, prep.i0_value))
    matters = called_for = needs_i0 && plan->prep.i0 == CT_I0_VALUE;
  else if (offset >= region && offset < region + sizeof plan->prep.i0_region)
    matters = called_for = needs_i0 && plan->prep.i0 == CT_I0_REGION;
  else if (offset == offsetof(ct_plan, prep.floor))
    matters = takes_log(plan, facts);
  else if (offset == offsetof(ct_plan, prep.ring_size))
    matters = called_for = plan->prep.rings != CT_RINGS_NONE;
  else if (offset == offsetof(ct_plan, prep.ring_sigma))
    matters = called_for = plan->prep.rings == CT_RINGS_WAVELET;
  else if (offset == offsetof(ct_plan, filtered))
    called_for = facts->values == CT_VALUES_FILTERED;
  else if (offset >= offsetof(ct_plan, filter) && offset < offsetof(ct_plan, filter) + sizeof plan->filter)
    matters = !ct_plan_takes_filtered(plan, facts->values) &&
              (offset != offsetof(ct_plan, filter.cutoff) || plan->filter.window != CT_WINDOW_NONE);
  else if (offset == offsetof(ct_plan, low) || offset == offsetof(ct_plan, high))
    matters = called_for = plan->samples != 0;
  else if (offset == offsetof(ct_plan, noise_seed))
    matters = called_for = !isnan(plan->noise_photons);
  else if (param->section == CT_SECTION_ITERATIVE)
    matters = gantry_plan_method_takes(plan, param);
  g_autofree char *idle = gantry_plan_why_idle(plan, param);
  if (idle && matters && !param->advanced) return GANTRY_PARAM_IDLE;
  if (idle) matters = FALSE;
  if (!matters) return GANTRY_PARAM_IRRELEVANT;
  return !param->advanced || called_for || !ct_param_is_default(plan, param) ? GANTRY_PARAM_SHOWN : GANTRY_PARAM_FOLDED;
}

void gantry_words_add(GString *text, const char *format, ...) {
  va_list arguments;
  if (text->len) g_string_append(text, ", ");
  va_start(arguments, format);
  g_string_append_vprintf(text, format, arguments);
  va_end(arguments);
}

/* What is worth mentioning of a choice. */
static void add_brief(GString *text, const ct_choice *choices, int value) {
  const ct_choice *choice = ct_choice_find(choices, value);
  if (choice && choice->brief) gantry_words_add(text, "%s", choice->brief);
}

static void summarise_scan(GString *text, const ct_plan *plan, const GantryPlanFacts *facts) {
  if (!facts->scan) {
    gantry_words_add(text, "No scan is open");
    return;
  }
  const double views = or_auto(plan->view_count == CT_AUTO_INT ? NAN : plan->view_count,
                               gantry_plan_automatic(plan, facts, ct_param_find("scan.view_count")));
  if ((int)views == facts->views)
    gantry_words_add(text, "%d view%s of %d × %d px", facts->views, facts->views == 1 ? "" : "s", facts->nu, facts->nv);
  else
    gantry_words_add(text, "%d of %d views of %d × %d px", (int)views, facts->views, facts->nu, facts->nv);
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
  const ct_beam beam = gantry_plan_beam(plan, facts);
  g_autofree char *title = g_strdup(ct_beam_title(beam));
  title[0] = g_ascii_toupper(title[0]);
  gantry_words_add(text, facts->scan && ct_plan_beam_is_assumed(plan, facts->known) ? "%s assumed" : "%s", title);
  if (!facts->scan) return;
  const double step = plan->angle_step_deg;
  const double arc = isnan(step) ? facts->arc_deg : fabs(step) * facts->views;
  if (ct_beam_takes(beam, CT_TAKES_ANGLES))
    gantry_words_add(text, "%s°", ct_format_number(arc, 4, number, sizeof number));
  if (ct_beam_takes(beam, CT_TAKES_DISTANCES)) {
    const double sod = or_auto(plan->sod, facts->sod), sdd = or_auto(plan->sdd, facts->sdd);
    if (sod > 0 && sdd > 0)
      gantry_words_add(text, "magnified %s times", ct_format_number(sdd / sod, 3, number, sizeof number));
    else
      gantry_words_add(text, "distances missing");
  }
  gantry_words_add(text, "%s",
                   ct_format_quantity(or_auto(plan->pitch_u, facts->du), 3, "mm pixels", number, sizeof number));
  if (plan->reverse) gantry_words_add(text, "reversed");
  if (!(facts->known & CT_KNOWN_PITCH) && isnan(plan->pitch_u)) gantry_words_add(text, "pitch assumed");
  if (!(facts->known & CT_KNOWN_ANGLES) && isnan(step) && ct_beam_takes(beam, CT_TAKES_ANGLES))
    gantry_words_add(text, "angles assumed");
}

static void summarise_corrections(GString *text, const ct_plan *plan, const GantryPlanFacts *facts) {
  const gboolean logarithm = takes_log(plan, facts);
  if (uses_flats(plan, facts))
    gantry_words_add(text, facts->darks ? "Flats and darks" : "Flats");
  else if (logarithm && facts->values != CT_VALUES_TRANSMISSION)
    add_brief(text, ct_i0_choices, (int)plan->prep.i0);
  if (logarithm) gantry_words_add(text, "logarithm");
  if (plan->prep.outlier > 0) gantry_words_add(text, "outliers above %g σ", plan->prep.outlier);
  add_brief(text, ct_ring_choices, (int)plan->prep.rings);
  g_autofree char *photons = gantry_quantity_text(plan->noise_photons, 3, "photons");
  if (!isnan(plan->noise_photons)) gantry_words_add(text, "noise of %s added", photons);
  if (!text->len && facts->values == CT_VALUES_FILTERED)
    gantry_words_add(text, "None, the projections are filtered already");
  if (!text->len) gantry_words_add(text, "None, the scan holds line integrals");
}

static void summarise_centre(GString *text, const ct_plan *plan, const GantryPlanFacts *facts) {
  char number[64];
  const gboolean found = facts->outcome && facts->centre_method == plan->centre_method;
  if (plan->centre_method == CT_CENTRE_MANUAL && !isnan(plan->centre_u)) {
    g_autofree char *column = gantry_fixed_text(plan->centre_u, 2);
    gantry_words_add(text, "%s px, by hand", column);
  } else if (found) {
    g_autofree char *column = gantry_fixed_text(facts->centre, 2);
    gantry_words_add(text, "%s px", column);
    if (facts->centre_how && *facts->centre_how) gantry_words_add(text, "%s", facts->centre_how);
  } else {
    gantry_words_add(text, "%s", gantry_plan_choice_title(plan, ct_param_find("centre.method")));
  }
  if (found && facts->confidence < 0.5)
    gantry_words_add(text, "uncertain (%s)", ct_format_number(facts->confidence, 2, number, sizeof number));
}

static void summarise_filter(GString *text, const ct_plan *plan, const GantryPlanFacts *facts) {
  if (ct_plan_takes_filtered(plan, facts->values)) {
    gantry_words_add(text, "None, the projections are filtered already");
    return;
  }
  g_autofree char *idle = gantry_plan_why_idle(plan, ct_param_find("filter.window"));
  if (idle) {
    gantry_words_add(text, "Not used by %s", gantry_plan_method_name(plan->iterative.method));
    return;
  }
  gantry_words_add(text, "%s", gantry_plan_choice_title(plan, ct_param_find("filter.window")));
  if (plan->filter.window != CT_WINDOW_NONE && plan->filter.cutoff < 1)
    gantry_words_add(text, "up to %g × Nyquist", plan->filter.cutoff);
  add_brief(text, ct_extension_choices, (int)plan->filter.extension);
  add_brief(text, ct_redundancy_choices, (int)plan->filter.redundancy);
}

static void summarise_reconstruction(GString *text, const ct_plan *plan, const GantryPlanFacts *facts) {
  const ct_grid *grid = gantry_plan_facts_grid(facts);
  if (grid) {
    g_autofree char *nx = gantry_count_text(grid->nx), *ny = gantry_count_text(grid->ny),
                    *nz = gantry_count_text(grid->nz);
    g_autofree char *voxel = gantry_quantity_text(grid->dx, 3, "mm");
    gantry_words_add(text, "%s × %s × %s voxels of %s", nx, ny, nz, voxel);
  } else if (plan->nx != CT_AUTO_INT) {
    gantry_words_add(text, "%d voxels across", plan->nx);
  } else {
    gantry_words_add(text, "Voxels to fit the detector");
  }
  g_autofree char *idle = gantry_plan_why_idle(plan, ct_param_find("reconstruction.kernel"));
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
