/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parameters of the section Scan, as rows of the plan table (recon/solve/plan-table.c explains them). */
CT_PARAM(int values, values, "scan.values", "Values", "",
         "What the pixels hold: counts of a detector, transmissions (1 is the free beam), line integrals, of which the "
         "natural logarithm is taken already, or optical densities, of which the one to base 10 is. Automatic: as the "
         "file says, else by what the beam beside the object reads.",
         CT_SECTION_SCAN, CT_PLAN_INTEGRALS, CHOICE(values_choices), AUTO_INT)
CT_PARAM(int view_first, view_first, "scan.first_view", "First view", "",
         "The first projection that is used, counted from 0.", CT_SECTION_SCAN, CT_PLAN_INTEGRALS, INT(0, 1000000),
         .fallback = 0, .advanced = true)
CT_PARAM(int view_step, view_step, "scan.view_step", "Every n-th view", "",
         "Takes every n-th projection: fewer views are quicker and show streaks where the sampling is too coarse.",
         CT_SECTION_SCAN, CT_PLAN_INTEGRALS, INT(1, 100000), .fallback = 1)
CT_PARAM(int view_count, view_count, "scan.view_count", "Views", "",
         "How many projections are used; automatic takes all that there are.", CT_SECTION_SCAN, CT_PLAN_INTEGRALS,
         INT(1, 1000000), AUTO_INT, .advanced = true)
CT_PARAM(int bin, bin, "scan.bin", "Binning", "px",
         "Averages b × b detector pixels into one: less noise, memory and time, less resolution.", CT_SECTION_SCAN,
         CT_PLAN_INTEGRALS, INT(1, 16), .fallback = 1)
CT_PARAM(int flip_rows, flip_rows, "scan.flip_rows", "Flip rows", "",
         "Whether the first row of a frame is the top one. A wrong choice mirrors the volume in z.", CT_SECTION_SCAN,
         CT_PLAN_INTEGRALS, CHOICE(as_file_choices), AUTO_INT, .advanced = true)
CT_PARAM(int flip_columns, flip_columns, "scan.flip_columns", "Flip columns", "",
         "Whether the detector is read from right to left. A wrong choice mirrors the volume and moves the centre.",
         CT_SECTION_SCAN, CT_PLAN_INTEGRALS, CHOICE(as_file_choices), AUTO_INT, .advanced = true)
