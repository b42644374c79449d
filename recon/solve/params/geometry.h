/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parameters of the section Geometry; automatic: as the scan says, as rows of the plan table (recon/solve/plan-table.c
 * explains them). */
CT_PARAM(int beam, beam, "geometry.beam", "Beam", "",
         "How the rays run: parallel, a fan onto one row, a cone, or a matrix for every view.", CT_SECTION_GEOMETRY,
         CT_PLAN_GEOMETRY, CHOICE(beam_choices), AUTO_INT)
CT_PARAM(double sod, sod, "geometry.sod", "Source to axis", "mm",
         "Distance from the source to the rotation axis. Fan and cone beam only.", CT_SECTION_GEOMETRY,
         CT_PLAN_GEOMETRY, REAL(1e-3, 1e7, 1, 3), AUTO_REAL, .needs = CT_IF_DISTANCES)
CT_PARAM(double sdd, sdd, "geometry.sdd", "Source to detector", "mm",
         "Distance from the source to the detector, at least that to the axis: their ratio is the magnification.",
         CT_SECTION_GEOMETRY, CT_PLAN_GEOMETRY, REAL(1e-3, 1e7, 1, 3), AUTO_REAL, .needs = CT_IF_DISTANCES)
CT_PARAM(double pitch_u, pitch_u, "geometry.pixel_u", "Pixel width", "mm",
         "Pitch of the detector's columns. It sets the scale of the volume in mm and 1/mm.", CT_SECTION_GEOMETRY,
         CT_PLAN_GEOMETRY, REAL(1e-7, 1e4, 0.01, 5), AUTO_REAL)
CT_PARAM(double pitch_v, pitch_v, "geometry.pixel_v", "Pixel height", "mm",
         "Pitch of the detector's rows; automatic is the pixel width.", CT_SECTION_GEOMETRY, CT_PLAN_GEOMETRY,
         REAL(1e-7, 1e4, 0.01, 5), AUTO_REAL, .advanced = true)
CT_PARAM(double centre_v, centre_v, "geometry.centre_v", "Central row", "px",
         "Row where the central ray meets the detector, counted from 0 at the centre of the lowest pixel.",
         CT_SECTION_GEOMETRY, CT_PLAN_GEOMETRY, REAL(-100000, 100000, 0.5, 2), AUTO_REAL, .advanced = true)
CT_PARAM(double tilt_deg, tilt_deg, "geometry.tilt", "In-plane tilt", "°",
         "Turn of the detector about the central ray. An unnoticed tilt doubles edges away from the central plane.",
         CT_SECTION_GEOMETRY, CT_PLAN_GEOMETRY, REAL(-90, 90, 0.05, 3), AUTO_REAL)
CT_PARAM(double angle_first_deg, angle_first_deg, "geometry.angle_first", "First angle", "°",
         "Angle of the first view; it turns the picture.", CT_SECTION_GEOMETRY, CT_PLAN_GEOMETRY,
         REAL(-36000, 36000, 1, 4), AUTO_REAL, .advanced = true)
CT_PARAM(double angle_step_deg, angle_step_deg, "geometry.angle_step", "Angle step", "°",
         "Angle from view to view, for scans whose file holds no angles.", CT_SECTION_GEOMETRY, CT_PLAN_GEOMETRY,
         REAL(-360, 360, 0.1, 5), AUTO_REAL)
CT_PARAM(int reverse, reverse, "geometry.reverse", "Reverse rotation", "",
         "Takes the angles with the opposite sign. The wrong direction mirrors the slice (parallel) or smears it (fan, "
         "cone).",
         CT_SECTION_GEOMETRY, CT_PLAN_GEOMETRY, BOOL, .fallback = 0)
CT_PARAM(
    double feed, feed, "geometry.feed", "Table feed", "mm",
    "How far along z the source climbs while the gantry turns by +360°: a spiral. The sign gives the direction, 0 is "
    "a circle. Cone beam only.",
    CT_SECTION_GEOMETRY, CT_PLAN_GEOMETRY, REAL(-1e5, 1e5, 1, 3), AUTO_REAL, .needs = CT_IF_FEED, .advanced = true)
CT_PARAM(double table_step, table_step, "geometry.table_step", "Table step", "mm",
         "How far along z the source stands higher in each turn of +360° than in the one before: a sequence (step and "
         "shoot), whose table stands still while the gantry turns. 0 is a circle. Cone beam only.",
         CT_SECTION_GEOMETRY, CT_PLAN_GEOMETRY, REAL(-1e5, 1e5, 1, 3), AUTO_REAL, .needs = CT_IF_FEED, .advanced = true)
CT_PARAM(double start_z, start_z, "geometry.start_z", "Start along z", "mm",
         "z of the source in the scan's first view, of a sequence, too. Automatic: as the scan says, else so that the "
         "middle "
         "of the way is the isocentre.",
         CT_SECTION_GEOMETRY, CT_PLAN_GEOMETRY, REAL(-1e6, 1e6, 1, 3), AUTO_REAL, .needs = CT_IF_FEED, .advanced = true)
