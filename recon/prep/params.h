/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parameters of the corrections, as rows of the plan table (recon/solve/plan-table.c explains them). */
CT_PARAM(ct_flat_mode flat, prep.flat, "corrections.flat", "Flats and darks", "",
         "Divides by the beam without object after taking off the detector's dark signal.", CT_SECTION_CORRECTIONS,
         CT_PLAN_INTEGRALS, CHOICE(ct_flat_choices), .fallback = CT_FLAT_AUTO, .needs = CT_IF_FLATS)
CT_PARAM(ct_log_mode log, prep.log, "corrections.log", "Logarithm", "",
         "Turns transmission into line integrals. Off for data that are line integrals already.",
         CT_SECTION_CORRECTIONS, CT_PLAN_INTEGRALS, CHOICE(ct_log_choices), .fallback = CT_LOG_AUTO)
CT_PARAM(
    ct_i0_method i0, prep.i0, "corrections.i0", "Beam intensity", "",
    "Where the unattenuated intensity of each frame comes from. Beside flats a border or a rectangle that sees no "
    "object corrects for a beam that changes from frame to frame. Automatic without flats: the level that the scan "
    "states, else the border.",
    CT_SECTION_CORRECTIONS, CT_PLAN_INTEGRALS, CHOICE(ct_i0_choices), .fallback = CT_I0_AUTO, .needs = CT_IF_INTENSITY)
CT_PARAM(int i0_border, prep.i0_border, "corrections.i0_border", "Border columns", "px",
         "Columns at each side of a frame that see no object.", CT_SECTION_CORRECTIONS, CT_PLAN_INTEGRALS,
         INT(1, 10000), .fallback = 20, .advanced = true, .needs = CT_IF_INTENSITY | CT_IF_BORDER,
         ONLY(prep.i0, CT_BIT(CT_I0_AUTO) | CT_BIT(CT_I0_BORDER)), .unfolds = CT_IF_ALWAYS)
CT_PARAM(int i0_region[4], prep.i0_region[0], "corrections.i0_x", "Rectangle: column", "px",
         "First column of the free rectangle, counted from 0.", CT_SECTION_CORRECTIONS, CT_PLAN_INTEGRALS,
         INT(0, 100000), .fallback = 0, .advanced = true, .needs = CT_IF_INTENSITY, ONLY(prep.i0, CT_BIT(CT_I0_REGION)),
         .unfolds = CT_IF_ALWAYS)
CT_PARAM_MORE(prep.i0_region[1], "corrections.i0_y", "Rectangle: row", "px",
              "First row of the free rectangle, counted from 0 at the lowest row.", CT_SECTION_CORRECTIONS,
              CT_PLAN_INTEGRALS, INT(0, 100000), .fallback = 0, .advanced = true, .needs = CT_IF_INTENSITY,
              ONLY(prep.i0, CT_BIT(CT_I0_REGION)), .unfolds = CT_IF_ALWAYS)
CT_PARAM_MORE(prep.i0_region[2], "corrections.i0_width", "Rectangle: width", "px", "Columns of the free rectangle.",
              CT_SECTION_CORRECTIONS, CT_PLAN_INTEGRALS, INT(1, 100000), .fallback = 16, .advanced = true,
              .needs = CT_IF_INTENSITY, ONLY(prep.i0, CT_BIT(CT_I0_REGION)), .unfolds = CT_IF_ALWAYS)
CT_PARAM_MORE(prep.i0_region[3], "corrections.i0_height", "Rectangle: height", "px", "Rows of the free rectangle.",
              CT_SECTION_CORRECTIONS, CT_PLAN_INTEGRALS, INT(1, 100000), .fallback = 16, .advanced = true,
              .needs = CT_IF_INTENSITY, ONLY(prep.i0, CT_BIT(CT_I0_REGION)), .unfolds = CT_IF_ALWAYS)
CT_PARAM(double i0_value, prep.i0_value, "corrections.i0_value", "Intensity", "counts",
         "The unattenuated intensity as a number.", CT_SECTION_CORRECTIONS, CT_PLAN_INTEGRALS, REAL(1e-6, 1e12, 100, 2),
         .fallback = 65535, .advanced = true, .needs = CT_IF_INTENSITY | CT_IF_LEVEL,
         ONLY(prep.i0, CT_BIT(CT_I0_VALUE)), .unfolds = CT_IF_ALWAYS)
CT_PARAM(double floor, prep.floor, "corrections.floor", "Least transmission", "",
         "Dead, zero and negative pixels are lifted to this transmission before the logarithm.", CT_SECTION_CORRECTIONS,
         CT_PLAN_INTEGRALS, REAL(1e-9, 0.5, 0.0001, 6), .fallback = 1e-5, .advanced = true, .needs = CT_IF_LOG)
CT_PARAM(
    double outlier, prep.outlier, "corrections.outliers", "Outlier threshold", "σ",
    "Pixels this many local standard deviations off their neighbours (zingers) become the median of them; 0 is off.",
    CT_SECTION_CORRECTIONS, CT_PLAN_INTEGRALS, REAL(0, 1000, 0.5, 1), .fallback = 0)
CT_PARAM(ct_ring_method rings, prep.rings, "corrections.rings", "Ring removal", "",
         "Takes off stripes that stand still in the sinogram and become rings in the slice.", CT_SECTION_CORRECTIONS,
         CT_PLAN_INTEGRALS, CHOICE(ct_ring_choices), .fallback = CT_RINGS_NONE)
CT_PARAM(int ring_size, prep.ring_size, "corrections.ring_size", "Ring size", "",
         "Width of the smoothing window in pixels (sorting, smoothing) or number of levels (wavelet).",
         CT_SECTION_CORRECTIONS, CT_PLAN_INTEGRALS, INT(1, 501), .fallback = 21, .advanced = true,
         ONLY(prep.rings, ~CT_BIT(CT_RINGS_NONE)), .unfolds = CT_IF_ALWAYS)
CT_PARAM(double ring_sigma, prep.ring_sigma, "corrections.ring_sigma", "Ring damping", "",
         "Strength of the wavelet method: the width of the damping in frequency.", CT_SECTION_CORRECTIONS,
         CT_PLAN_INTEGRALS, REAL(0.1, 100, 0.1, 1), .fallback = 3, .advanced = true,
         ONLY(prep.rings, CT_BIT(CT_RINGS_WAVELET)), .unfolds = CT_IF_ALWAYS)
