/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parameters of the filter, as rows of the plan table (recon/solve/plan-table.c explains them). */
CT_PARAM(ct_window window, filter.window, "filter.window", "Window", "",
         "Ram-Lak is sharpest and noisiest, Hann smoothest; no filter shows plain back-projection.", CT_SECTION_FILTER,
         CT_PLAN_FILTERED, CHOICE(ct_window_choices), .fallback = CT_WINDOW_RAM_LAK, .needs = CT_IF_UNFILTERED,
         .idle = CT_IDLE_FILTER)
CT_PARAM(double cutoff, filter.cutoff, "filter.cutoff", "Cut-off", "× Nyquist",
         "Share of the frequencies kept: lower is smoother.", CT_SECTION_FILTER, CT_PLAN_FILTERED,
         REAL(0.01, 1, 0.05, 2), .fallback = 1, .needs = CT_IF_UNFILTERED, .idle = CT_IDLE_FILTER,
         ONLY(filter.window, ~CT_BIT(CT_WINDOW_NONE)))
CT_PARAM(
    ct_ramp ramp, filter.ramp, "filter.ramp", "Ramp", "",
    "Band-limited: the ramp of what the samples stand for, which keeps the mean of the picture. Sampled: the values "
    "of |f|, as textbooks draw it; the picture loses its mean and is cupped. For teaching.",
    CT_SECTION_FILTER, CT_PLAN_FILTERED, CHOICE(ct_ramp_choices), .fallback = CT_RAMP_BAND_LIMITED, .advanced = true,
    .needs = CT_IF_UNFILTERED | CT_IF_RAMP, .idle = CT_IDLE_FILTER, ONLY(filter.window, ~CT_BIT(CT_WINDOW_NONE)))
CT_PARAM(
    ct_extension extension, filter.extension, "filter.extension", "Beyond the edge", "",
    "What stands beside truncated projections. Automatic: an ellipse fitted to the projections where the object "
    "reaches the detector's edge, else zeros. Zeros brighten the rim of the field, and all of it where much is cut "
    "off.",
    CT_SECTION_FILTER, CT_PLAN_FILTERED, CHOICE(ct_extension_choices), .fallback = CT_EXTEND_AUTO,
    .needs = CT_IF_UNFILTERED | CT_IF_RAMP, .idle = CT_IDLE_FILTER)
CT_PARAM(double object_size, filter.object_size, "filter.object_size", "Object size", "mm",
         "Diameter of the object where projections are truncated: a circle of this size is fitted in place of an "
         "ellipse, and the automatic grid of iterative methods holds it.",
         CT_SECTION_FILTER, CT_PLAN_FILTERED, REAL(1e-6, 1e7, 1, 3), AUTO_REAL, .advanced = true,
         .needs = CT_IF_UNFILTERED | CT_IF_RAMP | CT_IF_WHOLE_VIEWS,
         ONLY(filter.extension, CT_BIT(CT_EXTEND_AUTO) | CT_BIT(CT_EXTEND_OUTLINE)))
CT_PARAM(
    ct_redundancy redundancy, filter.redundancy, "filter.redundancy", "Redundancy", "",
    "Weights rays measured twice. Automatic: Parker's for fan and cone beam over less than 360°, those of a displaced "
    "detector where the object reaches beyond the side that is nearer to the axis and the views go all round, else "
    "those "
    "of a full scan.",
    CT_SECTION_FILTER, CT_PLAN_FILTERED, CHOICE(ct_redundancy_choices), .fallback = CT_REDUNDANCY_AUTO,
    .advanced = true, .needs = CT_IF_UNFILTERED, .idle = CT_IDLE_FILTER)
CT_PARAM(
    ct_spiral_method spiral, filter.spiral, "filter.spiral", "Spiral", "",
    "How a spiral is filtered and back-projected. Weighted: all rows of the detector, with the least noise; an "
    "approximation whose artefacts grow with the cone angle. Katsevich's filter is exact at any cone angle; it takes "
    "the rays between two turns of the source alone, so that a slow table wastes dose.",
    CT_SECTION_FILTER, CT_PLAN_FILTERED, CHOICE(ct_spiral_choices), .fallback = CT_SPIRAL_WEIGHTED,
    .needs = CT_IF_UNFILTERED | CT_IF_SPIRAL, .idle = CT_IDLE_FILTER)
CT_PARAM(
    double thickness, filter.thickness, "filter.slice_thickness", "Slice thickness", "mm",
    "Averages the detector's rows over so many mm of height at the rotation axis: thicker slices, with less noise and "
    "less detail along z. 0, or less than a row is high: slices as thick as the rows make them.",
    CT_SECTION_FILTER, CT_PLAN_FILTERED, REAL(0, 1e5, 1, 3), .fallback = 0, .advanced = true,
    .needs = CT_IF_UNFILTERED | CT_IF_RAMP, .idle = CT_IDLE_FILTER)
CT_PARAM(int on_card, filter.on_card, "filter.on_card", "Filter on the card", "",
         "The graphics card filters the projections where it back-projects them; the processor weights them. Where the "
         "kernel or the card cannot, the processor filters and says so.",
         CT_SECTION_FILTER, CT_PLAN_SPEED, BOOL, .fallback = 0, .advanced = true,
         .needs = CT_IF_UNFILTERED | CT_IF_RAMP, .idle = CT_IDLE_FILTER, ONLY(filter.window, ~CT_BIT(CT_WINDOW_NONE)))
