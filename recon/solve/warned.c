/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The warnings of a pipeline, by the stage that they arose in. */
#include "recon/solve/pipeline-private.h"

#include "recon/base/untold.h"
#include "recon/data/values.h"
#include "recon/geom/questions.h"
#include "recon/geom/told-arc.h"
#include "recon/solve/plan-rules.h"

#include <math.h>
#include <stdio.h>

ct_warnings *ct_pipeline_warn(ct_pipeline *pipeline, ct_warned stage) {
  pipeline->warned[stage] = (ct_warnings){0};
  return &pipeline->warned[stage];
}

/* Fewer pixels without beam than this share are not worth a warning. */
#define LEAST_FLOORED 1e-3

/* Rings are weaker than this share of the line integrals; more is the object's. */
#define LEAST_RINGS 0.1

/* Fewer spikes than this may be chance. */
#define LEAST_SPIKES 2

/* A beam that is off by less than this share is as good as others. */
#define LEAST_DRIFT 0.015

/* What the corrections say of the values, for the line integrals that are held. */
static void warn_of_values(const ct_pipeline *p, ct_warnings *warnings) {
  const ct_scan_facts *facts = ct_scan_get_facts(p->scan);
  const ct_plan *plan = &p->integrals_plan;
  const ct_values values = ct_plan_values(plan, facts->values);
  const char *samples_doubt = ct_scan_facts_samples_doubt(facts, values);
  if (samples_doubt) ct_warnings_add(warnings, CT_WARNING_VALUES, "%s", samples_doubt);
  if (plan->values == CT_AUTO_INT && facts->values_doubt)
    ct_warnings_add(warnings, CT_WARNING_VALUES, "%s", facts->values_doubt);
  if (plan->prep.log == CT_LOG_OFF && (values == CT_VALUES_COUNTS || values == CT_VALUES_TRANSMISSION))
    ct_warnings_add(warnings, CT_WARNING_VALUES,
                    "The logarithm is off although the scan holds %s: the volume is no attenuation in 1/mm. Set "
                    "corrections.log=auto, or scan.values=line-integrals if they are such already.",
                    ct_choice_title(ct_values_choices, (int)values));
}

/* Values that were cut off above. */
static void warn_of_top(const ct_pipeline *p, ct_warnings *warnings) {
  const ct_prep_report *r = &p->report;
  if (r->top_share > 0 && r->top_bits > 0)
    ct_warnings_add(
        warnings, CT_WARNING_VALUES,
        "%.2g %% of the pixels hold exactly %.0f, the most that %d bits can: the detector seems to have been "
        "full there, so that the beam was brighter than it says, and values are too low.",
        100 * r->top_share, (double)r->top, r->top_bits);
  else if (r->top_share > 0)
    ct_warnings_add(
        warnings, CT_WARNING_VALUES,
        "%.2g %% of the line integrals are exactly the largest, %.4g: they seem to be cut off there, as where "
        "no beam came through, and behind them values are too low.",
        100 * r->top_share, (double)r->top);
}

/* Flats tell the beam of another moment. Sides that the object reaches tell nothing. */
static void warn_of_beam(const ct_pipeline *p, ct_warnings *warnings) {
  const ct_prep_report *r = &p->report;
  const double reached[2] = {p->truncation.low, p->truncation.high};
  double least = NAN, most = NAN;
  for (int side = 0; side < 2; side++) {
    if (p->truncation_key == 0 || reached[side] > 0 || isnan(r->side_least[side])) continue;
    least = fmin(least, r->side_least[side]);
    most = fmax(most, r->side_most[side]);
  }
  if (!(fmax(fabs(least - 1), fabs(most - 1)) > LEAST_DRIFT)) return;
  ct_warnings_add(warnings, CT_WARNING_VALUES,
                  "Beside the object the transmission is %.3f to %.3f where it should be 1: the beam has changed since "
                  "the flats were taken, and line integrals are off by up to %.3f. Normalise each view by its own free "
                  "beam (corrections.i0=border, or region).",
                  least, most, fmax(fabs(log(fmax(least, 1e-3))), fabs(log(most))));
}

static void warn_of_pixels(const ct_pipeline *p, ct_warnings *warnings) {
  const ct_prep_report *r = &p->report;
  if (r->unreadable > 0)
    ct_warnings_add(warnings, CT_WARNING_PIXELS,
                    "%zu pixel%s of %d view%s held no number (NaN or infinite) and %s replaced by the median of %s "
                    "neighbours.",
                    r->unreadable, r->unreadable == 1 ? "" : "s", r->unreadable_views,
                    r->unreadable_views == 1 ? "" : "s", r->unreadable == 1 ? "was" : "were",
                    r->unreadable == 1 ? "its" : "their");
  char remedy[112] = "corrections.rings=sorting"; /* a row alone shows its outliers less */
  if (p->rows > 1)
    snprintf(remedy, sizeof remedy, "corrections.outliers=%d or, where that leaves rings, corrections.rings=sorting",
             CT_OUTLIER_OFFER);
  if (r->stuck > 0)
    ct_warnings_add(warnings, CT_WARNING_PIXELS,
                    "%zu detector pixel%s out from %s neighbours in nearly every view (hot or dead; %s column %d, row "
                    "%d): each makes a ring in the slices. Remove them with %s.",
                    r->stuck, r->stuck == 1 ? " stands" : "s stand", r->stuck == 1 ? "its" : "their",
                    r->stuck == 1 ? "it is" : "the first is", r->stuck_at[0], r->stuck_at[1], remedy);
  if (r->spikes >= LEAST_SPIKES)
    ct_warnings_add(
        warnings, CT_WARNING_PIXELS,
        "%d bright pixels stand out in %d views that were looked at, and not in those before and after "
        "(particles, called zingers; the first at column %d, row %d of view %d), about %.0f in the scan: "
        "each draws a streak through a slice and lowers its values. Remove them with corrections.outliers=%d.",
        r->spikes, r->spike_views, r->spike_at[0], r->spike_at[1], r->spike_at[2],
        (double)r->spikes / r->spike_views * p->geometry.views, CT_OUTLIER_OFFER);
  if (r->blank_views > 0)
    ct_warnings_add(
        warnings, CT_WARNING_VIEWS,
        "%d view%s (the first is %d) hold%s one and the same number in all pixels, where the views beside "
        "show the object: lost frames? They are taken as they are, as if nothing had been in the beam. In "
        "a scan without them (or with NaN in their place) their neighbours stand for their part of the arc.",
        r->blank_views, r->blank_views == 1 ? "" : "s", r->blank_first, r->blank_views == 1 ? "s" : "");
  if (r->rings_share > LEAST_RINGS)
    ct_warnings_add(
        warnings, CT_WARNING_VALUES,
        "Ring removal changed what all views have in common by %.0f %%: a body on the axis looks like a ring "
        "to it, and its values become wrong. Compare with corrections.rings=none, or take a smaller "
        "corrections.ring_size.",
        100 * r->rings_share);
  if (r->used_log && r->floored > LEAST_FLOORED * r->pixels)
    ct_warnings_add(warnings, CT_WARNING_PIXELS,
                    "%.2g %% of the pixels saw next to no beam and were lifted to the least transmission "
                    "(corrections.floor): behind them the values are too low.",
                    100 * (double)r->floored / r->pixels);
}

/* What is kept for the next run may rest on it, too: it is told until the program ends. */
static void warn_of_untold(ct_warnings *warnings) {
  char what[CT_UNTOLD];
  if (ct_untold(what))
    ct_warnings_add(warnings, CT_WARNING_METHOD,
                    "%s. What was worked out since may rest on a fall-back: save what is to be kept, and start Gantry "
                    "again.",
                    what);
}

void ct_pipeline_join_warnings(ct_pipeline *pipeline) {
  ct_warnings *prep = ct_pipeline_warn(pipeline, CT_WARNED_PREP);
  warn_of_values(pipeline, prep);
  warn_of_top(pipeline, prep);
  warn_of_beam(pipeline, prep);
  warn_of_pixels(pipeline, prep);
  ct_pipeline_warn_left_out(pipeline, prep);
  pipeline->warnings = (ct_warnings){0};
  for (int i = 0; i < CT_WARNED_STAGES; i++) ct_warnings_join(&pipeline->warnings, &pipeline->warned[i]);
  warn_of_untold(&pipeline->warnings);
  pipeline->facts.warnings = &pipeline->warnings;
}

/* Beside distances in mm a pitch of 1 mm is a guess that scales the whole volume. */
static void warn_of_pitch(ct_pipeline *pipeline, const ct_plan *plan, const ct_plan_facts *facts) {
  if (facts->known & CT_KNOWN_PITCH || !isnan(plan->pitch_u) ||
      !ct_beam_takes(ct_plan_facts_beam(plan, facts), CT_TAKES_DISTANCES))
    return;
  ct_warnings_add(
      &pipeline->warned[CT_WARNED_PLAN], CT_WARNING_ASSUMED,
      "The pixel size is not known: pixels of %g mm are assumed beside the distances of source and detector. "
      "Another size changes the opening of the beam, all lengths and all values: set geometry.pixel_u.",
      facts->du);
}

/* Angles that nobody tells: a wrong arc blurs the volume or leaves it half, the other sense of rotation mirrors it. */
static void warn_of_angles(ct_pipeline *pipeline, const ct_plan *plan, const ct_plan_facts *facts) {
  const ct_geometry *g = &pipeline->geometry;
  bool repeated;
  if (facts->known & CT_KNOWN_ANGLES || !isnan(plan->angle_step_deg) || !pipeline->has_geometry || g->views < 2 ||
      !ct_beam_takes(g->beam, CT_TAKES_ANGLES))
    return;
  const double degrees = 180 / M_PI, arc = ct_geometry_told_arc(g, &repeated) * degrees;
  ct_warnings_add(
      &pipeline->warned[CT_WARNED_PLAN], CT_WARNING_ASSUMED,
      "The scan tells no angles: its %d views are taken to cover %.4g° in equal steps of %.4g°%s. A wrong arc "
      "blurs and distorts the volume, the other sense of rotation mirrors it: set geometry.angle_step, "
      "or geometry.reverse.",
      g->views, arc, fabs(g->angles[1] - g->angles[0]) * degrees,
      repeated ? ", the last view repeating the first" : "");
}

/* What the reader of the scan found doubtful. */
static void warn_of_files(ct_pipeline *pipeline) {
  const ct_remarks *remarks = ct_scan_get_facts(pipeline->scan)->remarks;
  for (int i = 0; remarks && i < remarks->count; i++)
    if (remarks->items[i].kind == CT_REMARK_DOUBT)
      ct_warnings_add(&pipeline->warned[CT_WARNED_PLAN], CT_WARNING_ASSUMED, "%s%s%s.",
                      remarks->items[i].from ? remarks->items[i].from : "", remarks->items[i].from ? ": " : "",
                      remarks->items[i].text);
}

void ct_pipeline_warn_idle(ct_pipeline *pipeline, const ct_plan *plan) {
  ct_plan_facts facts = {0};
  ct_plan_facts_of_scan(ct_scan_get_facts(pipeline->scan), &facts);
  ct_plan_warn_idle(plan, &facts, ct_pipeline_warn(pipeline, CT_WARNED_PLAN));
  warn_of_pitch(pipeline, plan, &facts);
  warn_of_angles(pipeline, plan, &facts);
  warn_of_files(pipeline);
}
