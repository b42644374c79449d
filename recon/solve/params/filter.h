/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parameters of the section Filter besides those of recon/filter, as rows of the plan table (recon/solve/plan-table.c
 * explains them). */
CT_PARAM(int filtered, filtered, "filter.filtered", "Already filtered", "",
         "Projections that are weighted and filtered already, as RabbitCT's are, go straight into back-projection.",
         CT_SECTION_FILTER, CT_PLAN_FILTERED, CHOICE(as_file_choices), AUTO_INT, .advanced = true,
         .unfolds = CT_IF_FILTERED)
