/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parameters of the section Centre, as rows of the plan table (recon/solve/plan-table.c explains them). */
CT_PARAM(int centre_method, centre_method, "centre.method", "Method", "",
         "How the column of the rotation axis is found. A wrong centre opens points into arcs (180°) or doubles edges "
         "(360°).",
         CT_SECTION_CENTRE, CT_PLAN_CENTRE, CHOICE(centre_choices), .fallback = CT_CENTRE_AUTO)
CT_PARAM(double centre_u, centre_u, "centre.column", "Centre", "px",
         "Column where the rotation axis projects to, counted from 0 at the centre of the first pixel of the unbinned "
         "detector. A number here overrules the automatic method.",
         CT_SECTION_CENTRE, CT_PLAN_CENTRE, REAL(-100000, 100000, 0.25, 3), AUTO_REAL)
CT_PARAM(double centre_from, centre_from, "centre.from", "Sweep from", "px",
         "First trial centre; automatic is 10 px before the centre that opposite views tell.", CT_SECTION_CENTRE,
         CT_PLAN_SWEEP, REAL(-100000, 100000, 0.5, 2), AUTO_REAL, .advanced = true)
CT_PARAM(double centre_to, centre_to, "centre.to", "Sweep to", "px",
         "Last trial centre; automatic is 10 px behind the centre that opposite views tell.", CT_SECTION_CENTRE,
         CT_PLAN_SWEEP, REAL(-100000, 100000, 0.5, 2), AUTO_REAL, .advanced = true)
CT_PARAM(double centre_step, centre_step, "centre.step", "Sweep step", "px", "From trial to trial.", CT_SECTION_CENTRE,
         CT_PLAN_SWEEP, REAL(0.01, 1000, 0.25, 2), .fallback = 0.5, .advanced = true)
CT_PARAM(int centre_sharpness, centre_sharpness, "centre.measure", "Sweep measure", "",
         "What makes a slice good. By the arc: sharpest for full circles, least entropy for half ones, where rings "
         "fool the sharpest.",
         CT_SECTION_CENTRE, CT_PLAN_SWEEP, CHOICE(sharpness_choices), .fallback = CT_AUTO_INT, .advanced = true)
