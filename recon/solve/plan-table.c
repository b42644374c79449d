/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The one table of parameters: keys, words, units, ranges and defaults of everything in a ct_plan. */
#include "recon/bp/choices.h"
#include "recon/data/samples.h"
#include "recon/fp/choices.h"
#include "recon/geom/questions.h"
#include "recon/solve/iterative/solver.h"
#include "recon/solve/plan.h"

#include <math.h>
#include <stddef.h>

static const ct_choice as_file_choices[] = {
    {CT_AUTO_INT, "auto", "As the file says", NULL}, {0, "no", "No", NULL}, {1, "yes", "Yes", NULL}, CT_CHOICE_END};
#define BEAM_CHOICE(beam, id, title, choice, traits, takes) {beam, id, choice, NULL},
static const ct_choice beam_choices[] = {{CT_AUTO_INT, "auto", "As the scan says", NULL},
                                         CT_GEOMETRY_KINDS(BEAM_CHOICE) CT_CHOICE_END};
static const ct_choice centre_choices[] = {CT_CENTRE_METHODS(CT_CHOICE_ROW) CT_CHOICE_END};
static const ct_choice sharpness_choices[] = {{CT_AUTO_INT, "auto", "By the arc", NULL},
                                              CT_SHARPNESS_MEASURES(CT_CHOICE_ROW) CT_CHOICE_END};

#define AT(field) .offset = offsetof(ct_plan, field)
#define REAL(lo, hi, by, decimals) .type = CT_PARAM_REAL, .low = (lo), .high = (hi), .step = (by), .digits = (decimals)
#define INT(lo, hi) .type = CT_PARAM_INT, .low = (lo), .high = (hi), .step = 1
#define CHOICE(list) .type = CT_PARAM_CHOICE, .choices = (list)
#define BOOL .type = CT_PARAM_BOOL, .low = 0, .high = 1, .step = 1
#define TEXT(word) .type = CT_PARAM_TEXT, .fallback_text = (word)
#define ONLY(field, bits) .only = {offsetof(ct_plan, field), bits}
#define AUTO_REAL .automatic = true, .fallback = NAN
#define AUTO_INT .automatic = true, .fallback = CT_AUTO_INT

static const ct_param params[] = {
    /* Scan */
    {"scan.first_view", "First view", "", "The first projection that is used, counted from 0.", CT_SECTION_SCAN,
     CT_PLAN_INTEGRALS, INT(0, 1000000), AT(view_first), .fallback = 0, .advanced = true},
    {"scan.view_step", "Every n-th view", "",
     "Takes every n-th projection: fewer views are quicker and show streaks where the sampling is too coarse.",
     CT_SECTION_SCAN, CT_PLAN_INTEGRALS, INT(1, 100000), AT(view_step), .fallback = 1},
    {"scan.view_count", "Views", "", "How many projections are used; automatic takes all that there are.",
     CT_SECTION_SCAN, CT_PLAN_INTEGRALS, INT(1, 1000000), AT(view_count), AUTO_INT, .advanced = true},
    {"scan.bin", "Binning", "px",
     "Averages b × b detector pixels into one: less noise, memory and time, less resolution.", CT_SECTION_SCAN,
     CT_PLAN_INTEGRALS, INT(1, 16), AT(bin), .fallback = 1},
    {"scan.flip_rows", "Flip rows", "",
     "Whether the first row of a frame is the top one. A wrong choice mirrors the volume in z.", CT_SECTION_SCAN,
     CT_PLAN_INTEGRALS, CHOICE(as_file_choices), AT(flip_rows), AUTO_INT, .advanced = true},
    {"scan.flip_columns", "Flip columns", "",
     "Whether the detector is read from right to left. A wrong choice mirrors the volume and moves the centre.",
     CT_SECTION_SCAN, CT_PLAN_INTEGRALS, CHOICE(as_file_choices), AT(flip_columns), AUTO_INT, .advanced = true},
    /* Geometry */
    {"geometry.beam", "Beam", "", "How the rays run: parallel, a fan onto one row, a cone, or a matrix for every view.",
     CT_SECTION_GEOMETRY, CT_PLAN_GEOMETRY, CHOICE(beam_choices), AT(beam), AUTO_INT},
    {"geometry.sod", "Source to axis", "mm", "Distance from the source to the rotation axis. Fan and cone beam only.",
     CT_SECTION_GEOMETRY, CT_PLAN_GEOMETRY, REAL(1e-3, 1e7, 1, 3), AT(sod), AUTO_REAL, .needs = CT_IF_DISTANCES},
    {"geometry.sdd", "Source to detector", "mm",
     "Distance from the source to the detector, at least that to the axis: their ratio is the magnification.",
     CT_SECTION_GEOMETRY, CT_PLAN_GEOMETRY, REAL(1e-3, 1e7, 1, 3), AT(sdd), AUTO_REAL, .needs = CT_IF_DISTANCES},
    {"geometry.pixel_u", "Pixel width", "mm",
     "Pitch of the detector's columns. It sets the scale of the volume in mm and 1/mm.", CT_SECTION_GEOMETRY,
     CT_PLAN_GEOMETRY, REAL(1e-7, 1e4, 0.01, 5), AT(pitch_u), AUTO_REAL},
    {"geometry.pixel_v", "Pixel height", "mm", "Pitch of the detector's rows; automatic is the pixel width.",
     CT_SECTION_GEOMETRY, CT_PLAN_GEOMETRY, REAL(1e-7, 1e4, 0.01, 5), AT(pitch_v), AUTO_REAL, .advanced = true},
    {"geometry.centre_v", "Central row", "px",
     "Row where the central ray meets the detector, counted from 0 at the centre of the lowest pixel.",
     CT_SECTION_GEOMETRY, CT_PLAN_GEOMETRY, REAL(-100000, 100000, 0.5, 2), AT(centre_v), AUTO_REAL, .advanced = true},
    {"geometry.tilt", "In-plane tilt", "°",
     "Turn of the detector about the central ray. An unnoticed tilt doubles edges away from the central plane.",
     CT_SECTION_GEOMETRY, CT_PLAN_GEOMETRY, REAL(-90, 90, 0.05, 3), AT(tilt_deg), AUTO_REAL},
    {"geometry.angle_first", "First angle", "°", "Angle of the first view; it turns the picture.", CT_SECTION_GEOMETRY,
     CT_PLAN_GEOMETRY, REAL(-36000, 36000, 1, 4), AT(angle_first_deg), AUTO_REAL, .advanced = true},
    {"geometry.angle_step", "Angle step", "°", "Angle from view to view, for scans whose file holds no angles.",
     CT_SECTION_GEOMETRY, CT_PLAN_GEOMETRY, REAL(-360, 360, 0.1, 5), AT(angle_step_deg), AUTO_REAL},
    {"geometry.reverse", "Reverse rotation", "",
     "Takes the angles with the opposite sign. The wrong direction mirrors the slice (parallel) or smears it (fan, "
     "cone).",
     CT_SECTION_GEOMETRY, CT_PLAN_GEOMETRY, BOOL, AT(reverse), .fallback = 0},
    /* Corrections */
    {"corrections.flat", "Flats and darks", "",
     "Divides by the beam without object after taking off the detector's dark signal.", CT_SECTION_CORRECTIONS,
     CT_PLAN_INTEGRALS, CHOICE(ct_flat_choices), AT(prep.flat), .fallback = CT_FLAT_AUTO, .needs = CT_IF_FLATS},
    {"corrections.log", "Logarithm", "",
     "Turns transmission into line integrals. Off for data that are line integrals already.", CT_SECTION_CORRECTIONS,
     CT_PLAN_INTEGRALS, CHOICE(ct_log_choices), AT(prep.log), .fallback = CT_LOG_AUTO},
    {"corrections.i0", "Beam intensity", "",
     "Where the unattenuated intensity of each frame comes from when there are no flats.", CT_SECTION_CORRECTIONS,
     CT_PLAN_INTEGRALS, CHOICE(ct_i0_choices), AT(prep.i0), .fallback = CT_I0_BORDER, .needs = CT_IF_INTENSITY},
    {"corrections.i0_border", "Border columns", "px", "Columns at each side of a frame that see no object.",
     CT_SECTION_CORRECTIONS, CT_PLAN_INTEGRALS, INT(1, 10000), AT(prep.i0_border), .fallback = 20, .advanced = true,
     .needs = CT_IF_INTENSITY, ONLY(prep.i0, CT_BIT(CT_I0_BORDER)), .unfolds = CT_IF_ALWAYS},
    {"corrections.i0_x", "Rectangle: column", "px", "First column of the free rectangle, counted from 0.",
     CT_SECTION_CORRECTIONS, CT_PLAN_INTEGRALS, INT(0, 100000), AT(prep.i0_region[0]), .fallback = 0, .advanced = true,
     .needs = CT_IF_INTENSITY, ONLY(prep.i0, CT_BIT(CT_I0_REGION)), .unfolds = CT_IF_ALWAYS},
    {"corrections.i0_y", "Rectangle: row", "px", "First row of the free rectangle, counted from 0 at the lowest row.",
     CT_SECTION_CORRECTIONS, CT_PLAN_INTEGRALS, INT(0, 100000), AT(prep.i0_region[1]), .fallback = 0, .advanced = true,
     .needs = CT_IF_INTENSITY, ONLY(prep.i0, CT_BIT(CT_I0_REGION)), .unfolds = CT_IF_ALWAYS},
    {"corrections.i0_width", "Rectangle: width", "px", "Columns of the free rectangle.", CT_SECTION_CORRECTIONS,
     CT_PLAN_INTEGRALS, INT(1, 100000), AT(prep.i0_region[2]), .fallback = 16, .advanced = true,
     .needs = CT_IF_INTENSITY, ONLY(prep.i0, CT_BIT(CT_I0_REGION)), .unfolds = CT_IF_ALWAYS},
    {"corrections.i0_height", "Rectangle: height", "px", "Rows of the free rectangle.", CT_SECTION_CORRECTIONS,
     CT_PLAN_INTEGRALS, INT(1, 100000), AT(prep.i0_region[3]), .fallback = 16, .advanced = true,
     .needs = CT_IF_INTENSITY, ONLY(prep.i0, CT_BIT(CT_I0_REGION)), .unfolds = CT_IF_ALWAYS},
    {"corrections.i0_value", "Intensity", "counts", "The unattenuated intensity as a number.", CT_SECTION_CORRECTIONS,
     CT_PLAN_INTEGRALS, REAL(1e-6, 1e12, 100, 2), AT(prep.i0_value), .fallback = 65535, .advanced = true,
     .needs = CT_IF_INTENSITY, ONLY(prep.i0, CT_BIT(CT_I0_VALUE)), .unfolds = CT_IF_ALWAYS},
    {"corrections.floor", "Least transmission", "",
     "Dead, zero and negative pixels are lifted to this transmission before the logarithm.", CT_SECTION_CORRECTIONS,
     CT_PLAN_INTEGRALS, REAL(1e-9, 0.5, 0.0001, 6), AT(prep.floor), .fallback = 1e-5, .advanced = true,
     .needs = CT_IF_LOG},
    {"corrections.outliers", "Outlier threshold", "σ",
     "Pixels this many local standard deviations off their neighbours (zingers) become the median of them; 0 is off.",
     CT_SECTION_CORRECTIONS, CT_PLAN_INTEGRALS, REAL(0, 1000, 0.5, 1), AT(prep.outlier), .fallback = 0},
    {"corrections.rings", "Ring removal", "",
     "Takes off stripes that stand still in the sinogram and become rings in the slice.", CT_SECTION_CORRECTIONS,
     CT_PLAN_INTEGRALS, CHOICE(ct_ring_choices), AT(prep.rings), .fallback = CT_RINGS_NONE},
    {"corrections.ring_size", "Ring size", "",
     "Width of the smoothing window in pixels (sorting, smoothing) or number of levels (wavelet).",
     CT_SECTION_CORRECTIONS, CT_PLAN_INTEGRALS, INT(1, 501), AT(prep.ring_size), .fallback = 21, .advanced = true,
     ONLY(prep.rings, ~CT_BIT(CT_RINGS_NONE)), .unfolds = CT_IF_ALWAYS},
    {"corrections.ring_sigma", "Ring damping", "",
     "Strength of the wavelet method: the width of the damping in frequency.", CT_SECTION_CORRECTIONS,
     CT_PLAN_INTEGRALS, REAL(0.1, 100, 0.1, 1), AT(prep.ring_sigma), .fallback = 3, .advanced = true,
     ONLY(prep.rings, CT_BIT(CT_RINGS_WAVELET)), .unfolds = CT_IF_ALWAYS},
    {"corrections.noise_photons", "Photon noise", "photons",
     "Simulates a scan of less dose: adds the noise of so many photons per pixel in front of the object (after "
     "binning). Fewer are noisier: "
     "1e5 is a clean scan, 1e3 a poor one. Automatic adds none.",
     CT_SECTION_CORRECTIONS, CT_PLAN_INTEGRALS, REAL(1, 1e12, 1000, 0), AT(noise_photons), AUTO_REAL, .advanced = true},
    {"corrections.noise_seed", "Noise seed", "",
     "Another number gives other noise of the same strength; the same gives the same noise again.",
     CT_SECTION_CORRECTIONS, CT_PLAN_INTEGRALS, INT(0, 2147483647), AT(noise_seed), .fallback = 1, .advanced = true,
     ONLY(noise_photons, CT_BIT(1)), .unfolds = CT_IF_ALWAYS},
    /* Centre */
    {"centre.method", "Method", "",
     "How the column of the rotation axis is found. A wrong centre opens points into arcs (180°) or doubles edges "
     "(360°).",
     CT_SECTION_CENTRE, CT_PLAN_CENTRE, CHOICE(centre_choices), AT(centre_method), .fallback = CT_CENTRE_AUTO},
    {"centre.column", "Centre", "px",
     "Column where the rotation axis projects to, counted from 0 at the centre of the first pixel of the unbinned "
     "detector. A number "
     "here overrules the automatic method.",
     CT_SECTION_CENTRE, CT_PLAN_CENTRE, REAL(-100000, 100000, 0.25, 3), AT(centre_u), AUTO_REAL},
    {"centre.from", "Sweep from", "px",
     "First trial centre; automatic is 10 px before the centre that mirror correlation finds.", CT_SECTION_CENTRE,
     CT_PLAN_SWEEP, REAL(-100000, 100000, 0.5, 2), AT(centre_from), AUTO_REAL, .advanced = true},
    {"centre.to", "Sweep to", "px",
     "Last trial centre; automatic is 10 px behind the centre that mirror correlation finds.", CT_SECTION_CENTRE,
     CT_PLAN_SWEEP, REAL(-100000, 100000, 0.5, 2), AT(centre_to), AUTO_REAL, .advanced = true},
    {"centre.step", "Sweep step", "px", "From trial to trial.", CT_SECTION_CENTRE, CT_PLAN_SWEEP,
     REAL(0.01, 1000, 0.25, 2), AT(centre_step), .fallback = 0.5, .advanced = true},
    {"centre.measure", "Sweep measure", "",
     "What makes a slice good. By the arc: sharpest for full circles, least entropy for half ones, where rings fool "
     "the sharpest.",
     CT_SECTION_CENTRE, CT_PLAN_SWEEP, CHOICE(sharpness_choices), AT(centre_sharpness), .fallback = CT_AUTO_INT,
     .advanced = true},
    /* Filter */
    {"filter.filtered", "Already filtered", "",
     "Projections that are weighted and filtered already, as RabbitCT's are, go straight into back-projection.",
     CT_SECTION_FILTER, CT_PLAN_FILTERED, CHOICE(as_file_choices), AT(filtered), AUTO_INT, .advanced = true,
     .unfolds = CT_IF_FILTERED},
    {"filter.window", "Window", "",
     "Ram-Lak is sharpest and noisiest, Hann smoothest; no filter shows plain back-projection.", CT_SECTION_FILTER,
     CT_PLAN_FILTERED, CHOICE(ct_window_choices), AT(filter.window), .fallback = CT_WINDOW_RAM_LAK,
     .needs = CT_IF_UNFILTERED, .idle = CT_IDLE_FILTER},
    {"filter.cutoff", "Cut-off", "× Nyquist", "Share of the frequencies kept: lower is smoother.", CT_SECTION_FILTER,
     CT_PLAN_FILTERED, REAL(0.01, 1, 0.05, 2), AT(filter.cutoff), .fallback = 1, .needs = CT_IF_UNFILTERED,
     .idle = CT_IDLE_FILTER, ONLY(filter.window, ~CT_BIT(CT_WINDOW_NONE))},
    {"filter.extension", "Beyond the edge", "",
     "What stands beside truncated projections: zeros brighten the rim of the field, extending the edge value avoids "
     "it.",
     CT_SECTION_FILTER, CT_PLAN_FILTERED, CHOICE(ct_extension_choices), AT(filter.extension),
     .fallback = CT_EXTEND_ZERO, .needs = CT_IF_UNFILTERED, .idle = CT_IDLE_FILTER},
    {"filter.redundancy", "Redundancy", "",
     "Weights rays measured twice. Automatic: Parker's for fan and cone beam over less than 360°, those of a displaced "
     "detector where the axis lies far "
     "off its middle and the views go all round, else those of a full scan.",
     CT_SECTION_FILTER, CT_PLAN_FILTERED, CHOICE(ct_redundancy_choices), AT(filter.redundancy),
     .fallback = CT_REDUNDANCY_AUTO, .advanced = true, .needs = CT_IF_UNFILTERED, .idle = CT_IDLE_FILTER},
    /* Reconstruction */
    {"reconstruction.kernel", "Kernel", "",
     "The back-projection technique. All give the same picture within their stated error.", CT_SECTION_RECONSTRUCTION,
     CT_PLAN_VOLUME, TEXT("auto"), AT(kernel), .idle = CT_IDLE_PROJECTOR},
    {"reconstruction.device", "Graphics device", "",
     "The card that the GPU kernels run on. Automatic: the first one found, or none; a device drawn in software must "
     "be named.",
     CT_SECTION_RECONSTRUCTION, CT_PLAN_VOLUME, TEXT("auto"), AT(device), .idle = CT_IDLE_PROJECTOR},
    {"reconstruction.interpolation", "Interpolation", "",
     "How values between detector pixels are read: nearest is blocky, linear the usual choice, cubic sharper.",
     CT_SECTION_RECONSTRUCTION, CT_PLAN_VOLUME, CHOICE(ct_interp_choices), AT(interp), .fallback = CT_INTERP_LINEAR,
     .idle = CT_IDLE_PROJECTOR},
    {"reconstruction.precision", "Precision", "", "Number format of the filtered projections in the kernel.",
     CT_SECTION_RECONSTRUCTION, CT_PLAN_VOLUME, CHOICE(ct_precision_choices), AT(precision),
     .fallback = CT_PRECISION_FLOAT32, .advanced = true, .idle = CT_IDLE_PROJECTOR},
    {"reconstruction.nx", "Voxels in x", "", "Automatic: as many as the detector has columns.",
     CT_SECTION_RECONSTRUCTION, CT_PLAN_VOLUME, INT(1, 65536), AT(nx), AUTO_INT},
    {"reconstruction.ny", "Voxels in y", "", "Automatic: as in x.", CT_SECTION_RECONSTRUCTION, CT_PLAN_VOLUME,
     INT(1, 65536), AT(ny), AUTO_INT},
    {"reconstruction.nz", "Voxels in z", "", "Automatic: as many as the rows cover.", CT_SECTION_RECONSTRUCTION,
     CT_PLAN_VOLUME, INT(1, 65536), AT(nz), AUTO_INT},
    {"reconstruction.voxel", "Voxel size", "mm",
     "Automatic: the pixel seen at the axis, or what makes the given number of voxels cover the field of view.",
     CT_SECTION_RECONSTRUCTION, CT_PLAN_VOLUME, REAL(1e-7, 1e5, 0.01, 5), AT(voxel), AUTO_REAL},
    {"reconstruction.voxel_z", "Voxel height", "mm", "Automatic: cubic voxels.", CT_SECTION_RECONSTRUCTION,
     CT_PLAN_VOLUME, REAL(1e-7, 1e5, 0.01, 5), AT(voxel_z), AUTO_REAL, .advanced = true},
    {"reconstruction.x", "Centre x", "mm", "Centre of the volume; automatic is the rotation axis.",
     CT_SECTION_RECONSTRUCTION, CT_PLAN_VOLUME, REAL(-1e6, 1e6, 1, 3), AT(centre_mm[0]), AUTO_REAL, .advanced = true},
    {"reconstruction.y", "Centre y", "mm", "Centre of the volume; automatic is the rotation axis.",
     CT_SECTION_RECONSTRUCTION, CT_PLAN_VOLUME, REAL(-1e6, 1e6, 1, 3), AT(centre_mm[1]), AUTO_REAL, .advanced = true},
    {"reconstruction.z", "Centre z", "mm", "Centre of the volume; automatic is the middle of what the detector sees.",
     CT_SECTION_RECONSTRUCTION, CT_PLAN_VOLUME, REAL(-1e6, 1e6, 1, 3), AT(centre_mm[2]), AUTO_REAL, .advanced = true},
    {"reconstruction.mask", "Mask", "", "Sets voxels outside the circle that every view sees to 0.",
     CT_SECTION_RECONSTRUCTION, CT_PLAN_VOLUME, BOOL, AT(mask), .fallback = 0},
    {"reconstruction.batch", "Views per batch", "",
     "The picture is refreshed after each batch: larger is a little faster, smaller livelier. Automatic: 8 at first, "
     "then up to 64, or 128 or 256 where that is brief.",
     CT_SECTION_RECONSTRUCTION, CT_PLAN_SPEED, INT(1, 4096), AT(batch), AUTO_INT, .advanced = true,
     .idle = CT_IDLE_PROJECTOR},
    {"reconstruction.threads", "Threads", "", "Processor cores used; automatic is all.", CT_SECTION_RECONSTRUCTION,
     CT_PLAN_SPEED, INT(1, 1024), AT(threads), AUTO_INT, .advanced = true},
    /* Iterative */
    {"iterative.method", "Method", "",
     "Direct is quick and streaks where views are few. SIRT is smooth and slow, SART and ART sharpen in few sweeps, "
     "CGLS in fewest, MLEM keeps "
     "values positive, total variation flattens noise and streaks and keeps edges.",
     CT_SECTION_ITERATIVE, CT_PLAN_RUN, CHOICE(ct_method_choices), AT(iterative.method), .fallback = CT_METHOD_DIRECT},
    {"iterative.iterations", "Iterations", "",
     "Passes over all views: more bring sharper detail, then noise. A run with more goes on from where it stood.",
     CT_SECTION_ITERATIVE, CT_PLAN_VOLUME, INT(1, 100000), AT(iterative.iterations), .fallback = 20,
     .needs = CT_IF_ITERATIVE},
    {"iterative.relaxation", "Relaxation", "",
     "Factor of each correction: below 1 is slower and less noisy, near 2 overshoots; with momentum 1 at most. "
     "Automatic is the method's own.",
     CT_SECTION_ITERATIVE, CT_PLAN_RUN, REAL(0.001, 1.999, 0.05, 3), AT(iterative.relaxation), AUTO_REAL,
     .needs = CT_IF_ITERATIVE, .uses = CT_USES_RELAXATION},
    {"iterative.momentum", "Momentum", "",
     "Carries each correction on into the next: some 30 iterations go as far as 90 without, and noise comes as much "
     "sooner. Automatic is the "
     "method's own.",
     CT_SECTION_ITERATIVE, CT_PLAN_RUN, CHOICE(ct_momentum_choices), AT(iterative.momentum),
     .fallback = CT_MOMENTUM_AUTO, .needs = CT_IF_ITERATIVE, .uses = CT_USES_MOMENTUM},
    {"iterative.subsets", "Subsets", "",
     "Groups of views of SART in subsets and OSEM: so many corrections in one iteration. More is quicker and noisier.",
     CT_SECTION_ITERATIVE, CT_PLAN_RUN, INT(1, 10000), AT(iterative.subsets), .fallback = 10, .needs = CT_IF_ITERATIVE,
     .uses = CT_USES_SUBSETS},
    {"iterative.nonnegative", "Not negative", "",
     "Values below 0 become 0 after each correction: fewer streaks around the object.", CT_SECTION_ITERATIVE,
     CT_PLAN_RUN, BOOL, AT(iterative.nonnegative), .fallback = 0, .needs = CT_IF_ITERATIVE, .uses = CT_USES_BOUNDS},
    {"iterative.start", "Start", "",
     "From an empty volume, from the direct reconstruction (sharp sooner, its streaks fade slowly), or from the volume "
     "that there is.",
     CT_SECTION_ITERATIVE, CT_PLAN_RUN, CHOICE(ct_start_choices), AT(iterative.start), .fallback = CT_START_ZERO,
     .needs = CT_IF_ITERATIVE},
    {"iterative.tv_weight", "Total variation", "",
     "How strongly differences of neighbours are held down: more is smoother, too much gives patches without detail. "
     "Automatic is the method's own.",
     CT_SECTION_ITERATIVE, CT_PLAN_RUN, REAL(0, 1, 0.001, 5), AT(iterative.tv_weight), AUTO_REAL,
     .needs = CT_IF_ITERATIVE, .uses = CT_USES_TV},
    {"iterative.tv_steps", "Smoothing steps", "",
     "Inner steps of the total variation in each iteration: more are slower and follow the weight better.",
     CT_SECTION_ITERATIVE, CT_PLAN_RUN, INT(1, 1000), AT(iterative.tv_steps), .fallback = 20, .advanced = true,
     .needs = CT_IF_ITERATIVE, .uses = CT_USES_TV},
    {"iterative.stop_residual", "Stop at residual", "",
     "Ends when the line integrals of the picture are this near to the measured ones, as a share of them; 0 never "
     "does. Beyond the noise of the "
     "scan only noise is fitted.",
     CT_SECTION_ITERATIVE, CT_PLAN_RUN, REAL(0, 1, 0.001, 5), AT(iterative.stop_residual), .fallback = 0,
     .advanced = true, .needs = CT_IF_ITERATIVE},
    {"iterative.stop_change", "Stop at change", "",
     "Ends when an iteration changes the picture by less than this share of it; 0 never does.", CT_SECTION_ITERATIVE,
     CT_PLAN_RUN, REAL(0, 1, 0.001, 6), AT(iterative.stop_change), .fallback = 0, .advanced = true,
     .needs = CT_IF_ITERATIVE},
    {"iterative.upper", "Largest value", "1/mm",
     "Values above become this after each correction; automatic sets no limit.", CT_SECTION_ITERATIVE, CT_PLAN_RUN,
     REAL(1e-9, 1e6, 0.01, 5), AT(iterative.upper), AUTO_REAL, .advanced = true, .needs = CT_IF_ITERATIVE,
     .uses = CT_USES_BOUNDS},
    {"iterative.region", "Only a region", "",
     "Voxels outside a circle stay as they start, and are taken to be right: start from the direct reconstruction "
     "unless nothing lies there.",
     CT_SECTION_ITERATIVE, CT_PLAN_RUN, BOOL, AT(iterative.region), .fallback = 0, .advanced = true,
     .needs = CT_IF_ITERATIVE},
    {"iterative.region_radius", "Region's radius", "mm", "Automatic is the circle that every view sees.",
     CT_SECTION_ITERATIVE, CT_PLAN_RUN, REAL(1e-6, 1e6, 1, 3), AT(iterative.region_radius), AUTO_REAL, .advanced = true,
     .needs = CT_IF_ITERATIVE, ONLY(iterative.region, CT_BIT(1))},
    {"iterative.region_x", "Region's middle x", "mm", "From the rotation axis to the middle of the region.",
     CT_SECTION_ITERATIVE, CT_PLAN_RUN, REAL(-1e6, 1e6, 1, 3), AT(iterative.region_x), .fallback = 0, .advanced = true,
     .needs = CT_IF_ITERATIVE, ONLY(iterative.region, CT_BIT(1))},
    {"iterative.region_y", "Region's middle y", "mm", "From the rotation axis to the middle of the region.",
     CT_SECTION_ITERATIVE, CT_PLAN_RUN, REAL(-1e6, 1e6, 1, 3), AT(iterative.region_y), .fallback = 0, .advanced = true,
     .needs = CT_IF_ITERATIVE, ONLY(iterative.region, CT_BIT(1))},
    {"iterative.order", "Order of views", "",
     "Views that follow each other should see the object from far apart: golden and multilevel settle in fewer sweeps "
     "than one after the other.",
     CT_SECTION_ITERATIVE, CT_PLAN_RUN, CHOICE(ct_order_choices), AT(iterative.order), .fallback = CT_ORDER_MULTILEVEL,
     .advanced = true, .needs = CT_IF_ITERATIVE, .uses = CT_USES_ORDER},
    {"iterative.seed", "Seed", "", "Of the random order: the same number gives the same picture.", CT_SECTION_ITERATIVE,
     CT_PLAN_RUN, INT(0, 2147483647), AT(iterative.seed), .fallback = 1, .advanced = true, .needs = CT_IF_ITERATIVE,
     .uses = CT_USES_ORDER, ONLY(iterative.order, CT_BIT(CT_ORDER_RANDOM))},
    {"iterative.model", "Ray model", "",
     "What a voxel adds to a ray: linear between voxels (quickest), the length within it, or the overlap with the "
     "ray's strip (least aliasing).",
     CT_SECTION_ITERATIVE, CT_PLAN_RUN, CHOICE(ct_model_choices), AT(iterative.model), .fallback = CT_MODEL_JOSEPH,
     .advanced = true, .needs = CT_IF_ITERATIVE},
    {"iterative.projector", "Projector", "",
     "How rays are added up and carried back: a stored matrix, or made on the way. All give the same picture within "
     "their stated error.",
     CT_SECTION_ITERATIVE, CT_PLAN_RUN, TEXT("auto"), AT(iterative.projector), .advanced = true,
     .needs = CT_IF_ITERATIVE},
    {"iterative.matched", "Matched pair", "",
     "Carries back by the exact transpose. Without it the quickest back-projector may serve, which most methods "
     "forgive in few iterations.",
     CT_SECTION_ITERATIVE, CT_PLAN_RUN, BOOL, AT(iterative.matched), .fallback = 1, .advanced = true,
     .needs = CT_IF_ITERATIVE | CT_IF_UNMATCHED},
    /* Output */
    {"output.format", "Format", "", "File format of saved volumes.", CT_SECTION_OUTPUT, CT_PLAN_FILE, TEXT("metaimage"),
     AT(format)},
    {"output.samples", "Samples", "", "16-bit integers take half the space; the scale is stated in the file.",
     CT_SECTION_OUTPUT, CT_PLAN_FILE, CHOICE(ct_samples_choices), AT(samples), .fallback = 0},
    {"output.low", "Black", "1/mm", "Value that becomes 0 in 16-bit files; automatic is the least of the volume.",
     CT_SECTION_OUTPUT, CT_PLAN_FILE, REAL(-1e9, 1e9, 0.01, 5), AT(low), AUTO_REAL, .advanced = true,
     ONLY(samples, ~CT_BIT(CT_SAMPLES_FLOAT32)), .unfolds = CT_IF_ALWAYS},
    {"output.high", "White", "1/mm",
     "Value that becomes 65535 in 16-bit files; automatic is the largest of the volume.", CT_SECTION_OUTPUT,
     CT_PLAN_FILE, REAL(-1e9, 1e9, 0.01, 5), AT(high), AUTO_REAL, .advanced = true,
     ONLY(samples, ~CT_BIT(CT_SAMPLES_FLOAT32)), .unfolds = CT_IF_ALWAYS},
    {"output.compress", "Compress", "", "Smaller files that take longer to write.", CT_SECTION_OUTPUT, CT_PLAN_FILE,
     BOOL, AT(compress), .fallback = 0},
};

const ct_param *ct_params(size_t *count) {
  *count = sizeof params / sizeof *params;
  return params;
}

const char *ct_section_title(ct_section section) {
  static const char *const titles[] = {"Scan",   "Geometry",       "Corrections", "Centre",
                                       "Filter", "Reconstruction", "Iterative",   "Output"};
  return titles[section];
}
