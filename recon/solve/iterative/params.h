/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parameters of iterative methods, as rows of the plan table (recon/solve/plan-table.c explains them). */
CT_PARAM(int method, iterative.method, "iterative.method", "Method", "",
         "Direct is quick and streaks where views are few; Fourier is direct, too, and quicker on parallel beam. SIRT "
         "is smooth and slow, SART and ART sharpen in few sweeps, "
         "CGLS in fewest, MLEM keeps values positive, total variation flattens noise and streaks and keeps edges.",
         CT_SECTION_ITERATIVE, CT_PLAN_RUN, CHOICE(ct_method_choices), .fallback = CT_METHOD_DIRECT)
CT_PARAM(int iterations, iterative.iterations, "iterative.iterations", "Iterations", "",
         "Passes over all views: more bring sharper detail, then noise. A run with more goes on from where it stood.",
         CT_SECTION_ITERATIVE, CT_PLAN_VOLUME, INT(1, 100000), .fallback = 20, .needs = CT_IF_ITERATIVE)
CT_PARAM(double relaxation, iterative.relaxation, "iterative.relaxation", "Relaxation", "",
         "Factor of each correction: below 1 is slower and less noisy, near 2 overshoots; with momentum 1 at most. "
         "Automatic is the method's own.",
         CT_SECTION_ITERATIVE, CT_PLAN_RUN, REAL(0.001, 1.999, 0.05, 3), AUTO_REAL, .needs = CT_IF_ITERATIVE,
         .uses = CT_USES_RELAXATION)
CT_PARAM(int momentum, iterative.momentum, "iterative.momentum", "Momentum", "",
         "Carries each correction on into the next: some 30 iterations go as far as 90 without, and noise comes as "
         "much sooner. Automatic is the method's own.",
         CT_SECTION_ITERATIVE, CT_PLAN_RUN, CHOICE(ct_momentum_choices), .fallback = CT_MOMENTUM_AUTO,
         .needs = CT_IF_ITERATIVE, .uses = CT_USES_MOMENTUM)
CT_PARAM(int divisor, iterative.divisor, "iterative.divisor", "Divided by", "",
         "What parallel ART divides its corrections by: a bound of the spectral radius, for the longest steps that "
         "surely converge, or the number of rays (M of Yu et al. 2018), for steps some hundred times shorter.",
         CT_SECTION_ITERATIVE, CT_PLAN_RUN, CHOICE(ct_divisor_choices), .fallback = CT_DIVISOR_RADIUS, .advanced = true,
         .needs = CT_IF_ITERATIVE, .uses = CT_USES_DIVISOR)
CT_PARAM(
    int subsets, iterative.subsets, "iterative.subsets", "Subsets", "",
    "Groups of views of SART in subsets and OSEM: so many corrections in one iteration. More is quicker and noisier.",
    CT_SECTION_ITERATIVE, CT_PLAN_RUN, INT(1, 10000), .fallback = 10, .needs = CT_IF_ITERATIVE, .uses = CT_USES_SUBSETS)
CT_PARAM(
    int block, iterative.block, "iterative.block", "Views at a time", "",
    "Views after which SART, ART view by view and ASD-POCS correct the picture: 1 converges in fewest iterations. From "
    "8 on matrices may serve that tie the views of a symmetry together.",
    CT_SECTION_ITERATIVE, CT_PLAN_RUN, INT(1, 10000), .fallback = 1, .advanced = true, .needs = CT_IF_ITERATIVE,
    .uses = CT_USES_BLOCK)
CT_PARAM(int nonnegative, iterative.nonnegative, "iterative.nonnegative", "Not negative", "",
         "Values below 0 become 0 after each correction: fewer streaks around the object.", CT_SECTION_ITERATIVE,
         CT_PLAN_RUN, BOOL, .fallback = 0, .needs = CT_IF_ITERATIVE, .uses = CT_USES_BOUNDS)
CT_PARAM(int start, iterative.start, "iterative.start", "Start", "",
         "From an empty volume, from the direct reconstruction (sharp sooner, its streaks fade slowly), or from the "
         "volume that there is.",
         CT_SECTION_ITERATIVE, CT_PLAN_RUN, CHOICE(ct_start_choices), .fallback = CT_START_ZERO,
         .needs = CT_IF_ITERATIVE)
CT_PARAM(double tv_weight, iterative.tv_weight, "iterative.tv_weight", "Total variation", "",
         "How strongly differences of neighbours are held down: more is smoother, too much gives patches without "
         "detail. Automatic is the method's own.",
         CT_SECTION_ITERATIVE, CT_PLAN_RUN, REAL(0, 1, 0.001, 5), AUTO_REAL, .needs = CT_IF_ITERATIVE,
         .uses = CT_USES_TV)
CT_PARAM(int tv_steps, iterative.tv_steps, "iterative.tv_steps", "Smoothing steps", "",
         "Inner steps of the total variation in each iteration: more are slower and follow the weight better.",
         CT_SECTION_ITERATIVE, CT_PLAN_RUN, INT(1, 1000), .fallback = 20, .advanced = true, .needs = CT_IF_ITERATIVE,
         .uses = CT_USES_TV)
CT_PARAM(double haar_weight, iterative.haar_weight, "iterative.haar_weight", "Haar threshold", "",
         "What each coefficient of Haar's transform is brought down by: more is smoother, too much gives patches. "
         "Automatic is the method's own.",
         CT_SECTION_ITERATIVE, CT_PLAN_RUN, REAL(0, 1, 0.001, 5), AUTO_REAL, .needs = CT_IF_ITERATIVE,
         .uses = CT_USES_HAAR)
CT_PARAM(int haar_levels, iterative.haar_levels, "iterative.haar_levels", "Haar levels", "",
         "Blocks of 2, 4, 8 and so on voxels a side, over so many levels: more hold down larger patches.",
         CT_SECTION_ITERATIVE, CT_PLAN_RUN, INT(1, CT_HAAR_LEVELS), .fallback = 5, .advanced = true,
         .needs = CT_IF_ITERATIVE, .uses = CT_USES_HAAR)
CT_PARAM(double shearlet_weight, iterative.shearlet_weight, "iterative.shearlet_weight", "Shearlet threshold", "",
         "What coefficients of shearlets are brought down by, in each band by the share of noise that it has: more is "
         "smoother, too much blurs what is small or curved. Automatic is the method's own.",
         CT_SECTION_ITERATIVE, CT_PLAN_RUN, REAL(0, 1, 0.001, 5), AUTO_REAL, .needs = CT_IF_ITERATIVE,
         .uses = CT_USES_SHEARLET)
CT_PARAM(int shearlet_scales, iterative.shearlet_scales, "iterative.shearlet_scales", "Shearlet scales", "",
         "Each scale is four times as fine as the one before and has twice its directions, 4, 8, 16 and so on; small "
         "pictures have fewer. More are slower.",
         CT_SECTION_ITERATIVE, CT_PLAN_RUN, INT(1, CT_SHEARLET_SCALES), .fallback = 3, .advanced = true,
         .needs = CT_IF_ITERATIVE, .uses = CT_USES_SHEARLET)
CT_PARAM(double stop_residual, iterative.stop_residual, "iterative.stop_residual", "Stop at residual", "",
         "Ends when the line integrals of the picture are this near to the measured ones, as a share of them; 0 never "
         "does. Beyond the noise of the scan only noise is fitted.",
         CT_SECTION_ITERATIVE, CT_PLAN_RUN, REAL(0, 1, 0.001, 5), .fallback = 0, .advanced = true,
         .needs = CT_IF_ITERATIVE)
CT_PARAM(double stop_change, iterative.stop_change, "iterative.stop_change", "Stop at change", "",
         "Ends when an iteration changes the picture by less than this share of it; 0 never does.",
         CT_SECTION_ITERATIVE, CT_PLAN_RUN, REAL(0, 1, 0.001, 6), .fallback = 0, .advanced = true,
         .needs = CT_IF_ITERATIVE)
CT_PARAM(double upper, iterative.upper, "iterative.upper", "Largest value", "1/mm",
         "Values above become this after each correction; automatic sets no limit.", CT_SECTION_ITERATIVE, CT_PLAN_RUN,
         REAL(1e-9, 1e6, 0.01, 5), AUTO_REAL, .advanced = true, .needs = CT_IF_ITERATIVE, .uses = CT_USES_BOUNDS)
CT_PARAM(int region, iterative.region, "iterative.region", "Only a region", "",
         "Voxels outside a circle stay as they start, and are taken to be right: start from the direct reconstruction "
         "unless nothing lies there.",
         CT_SECTION_ITERATIVE, CT_PLAN_RUN, BOOL, .fallback = 0, .advanced = true, .needs = CT_IF_ITERATIVE)
CT_PARAM(double region_radius, iterative.region_radius, "iterative.region_radius", "Region's radius", "mm",
         "Automatic is the circle that every view sees.", CT_SECTION_ITERATIVE, CT_PLAN_RUN, REAL(1e-6, 1e6, 1, 3),
         AUTO_REAL, .advanced = true, .needs = CT_IF_ITERATIVE, ONLY(iterative.region, CT_BIT(1)))
CT_PARAM(double region_x, iterative.region_x, "iterative.region_x", "Region's middle x", "mm",
         "From the rotation axis to the middle of the region.", CT_SECTION_ITERATIVE, CT_PLAN_RUN,
         REAL(-1e6, 1e6, 1, 3), .fallback = 0, .advanced = true, .needs = CT_IF_ITERATIVE,
         ONLY(iterative.region, CT_BIT(1)))
CT_PARAM(double region_y, iterative.region_y, "iterative.region_y", "Region's middle y", "mm",
         "From the rotation axis to the middle of the region.", CT_SECTION_ITERATIVE, CT_PLAN_RUN,
         REAL(-1e6, 1e6, 1, 3), .fallback = 0, .advanced = true, .needs = CT_IF_ITERATIVE,
         ONLY(iterative.region, CT_BIT(1)))
CT_PARAM(int order, iterative.order, "iterative.order", "Order of views", "",
         "Views that follow each other should see the object from far apart: golden and multilevel settle in fewer "
         "sweeps than one after the other.",
         CT_SECTION_ITERATIVE, CT_PLAN_RUN, CHOICE(ct_order_choices), .fallback = CT_ORDER_MULTILEVEL, .advanced = true,
         .needs = CT_IF_ITERATIVE, .uses = CT_USES_ORDER)
CT_PARAM(int seed, iterative.seed, "iterative.seed", "Seed", "",
         "Of the random order: the same number gives the same picture.", CT_SECTION_ITERATIVE, CT_PLAN_RUN,
         INT(0, 2147483647), .fallback = 1, .advanced = true, .needs = CT_IF_ITERATIVE, .uses = CT_USES_ORDER,
         ONLY(iterative.order, CT_BIT(CT_ORDER_RANDOM)))
CT_PARAM(int model, iterative.model, "iterative.model", "Ray model", "",
         "What a voxel adds to a ray: linear between voxels (quickest), the length within it, or the overlap with the "
         "ray's strip (least aliasing).",
         CT_SECTION_ITERATIVE, CT_PLAN_RUN, CHOICE(ct_model_choices), .fallback = CT_MODEL_JOSEPH, .advanced = true,
         .needs = CT_IF_ITERATIVE)
CT_PARAM(char projector[CT_PROJECTOR_TEXT], iterative.projector, "iterative.projector", "Projector", "",
         "How rays are added up and carried back: a stored matrix, or computed on the fly. All give the same picture "
         "within their stated error.",
         CT_SECTION_ITERATIVE, CT_PLAN_RUN, TEXT("auto"), .advanced = true, .needs = CT_IF_ITERATIVE)
CT_PARAM(int matched, iterative.matched, "iterative.matched", "Matched pair", "",
         "Carries back by the exact transpose. Without it the quickest back-projector may serve, which most methods "
         "forgive in few iterations.",
         CT_SECTION_ITERATIVE, CT_PLAN_RUN, BOOL, .fallback = 1, .advanced = true,
         .needs = CT_IF_ITERATIVE | CT_IF_UNMATCHED)
