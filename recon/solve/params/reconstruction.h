/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parameters of the section Reconstruction, as rows of the plan table (recon/solve/plan-table.c explains them). */
CT_PARAM(char kernel[CT_PLAN_TEXT], kernel, "reconstruction.kernel", "Kernel", "",
         "The back-projection technique. All give the same picture within their stated error.",
         CT_SECTION_RECONSTRUCTION, CT_PLAN_VOLUME, TEXT("auto"), .idle = CT_IDLE_KERNEL)
CT_PARAM(char device[CT_PLAN_TEXT], device, "reconstruction.device", "Graphics device", "",
         "The card that the GPU kernels run on. Automatic: the first one found, or none; all: all cards, each of which "
         "makes a part of the slices; a device drawn in software must be named.",
         CT_SECTION_RECONSTRUCTION, CT_PLAN_VOLUME, TEXT("auto"), .idle = CT_IDLE_KERNEL)
CT_PARAM(int interp, interp, "reconstruction.interpolation", "Interpolation", "",
         "How values between detector pixels are read: nearest is blocky, linear the usual choice, cubic sharper.",
         CT_SECTION_RECONSTRUCTION, CT_PLAN_VOLUME, CHOICE(ct_interp_choices), .fallback = CT_INTERP_LINEAR,
         .idle = CT_IDLE_KERNEL)
CT_PARAM(int precision, precision, "reconstruction.precision", "Precision", "",
         "Number format of the filtered projections in the kernel.", CT_SECTION_RECONSTRUCTION, CT_PLAN_VOLUME,
         CHOICE(ct_precision_choices), .fallback = CT_PRECISION_FLOAT32, .advanced = true, .idle = CT_IDLE_KERNEL)
CT_PARAM(int nx, nx, "reconstruction.nx", "Voxels in x", "", "Automatic: as many as the detector has columns.",
         CT_SECTION_RECONSTRUCTION, CT_PLAN_VOLUME, INT(1, 65536), AUTO_INT)
CT_PARAM(int ny, ny, "reconstruction.ny", "Voxels in y", "", "Automatic: as in x.", CT_SECTION_RECONSTRUCTION,
         CT_PLAN_VOLUME, INT(1, 65536), AUTO_INT)
CT_PARAM(int nz, nz, "reconstruction.nz", "Voxels in z", "", "Automatic: as many as the rows cover.",
         CT_SECTION_RECONSTRUCTION, CT_PLAN_VOLUME, INT(1, 65536), AUTO_INT)
CT_PARAM(double voxel, voxel, "reconstruction.voxel", "Voxel size", "mm",
         "Automatic: the pixel seen at the axis, or what makes the given number of voxels cover the field of view.",
         CT_SECTION_RECONSTRUCTION, CT_PLAN_VOLUME, REAL(1e-7, 1e5, 0.01, 5), AUTO_REAL)
CT_PARAM(double voxel_z, voxel_z, "reconstruction.voxel_z", "Voxel height", "mm", "Automatic: cubic voxels.",
         CT_SECTION_RECONSTRUCTION, CT_PLAN_VOLUME, REAL(1e-7, 1e5, 0.01, 5), AUTO_REAL, .advanced = true)
CT_PARAM(double centre_mm[3], centre_mm[0], "reconstruction.x", "Centre x", "mm",
         "Centre of the volume; automatic is the rotation axis.", CT_SECTION_RECONSTRUCTION, CT_PLAN_VOLUME,
         REAL(-1e6, 1e6, 1, 3), AUTO_REAL, .advanced = true)
CT_PARAM_MORE(centre_mm[1], "reconstruction.y", "Centre y", "mm",
              "Centre of the volume; automatic is the rotation axis.", CT_SECTION_RECONSTRUCTION, CT_PLAN_VOLUME,
              REAL(-1e6, 1e6, 1, 3), AUTO_REAL, .advanced = true)
CT_PARAM_MORE(centre_mm[2], "reconstruction.z", "Centre z", "mm",
              "Centre of the volume; automatic is the middle of what the detector sees.", CT_SECTION_RECONSTRUCTION,
              CT_PLAN_VOLUME, REAL(-1e6, 1e6, 1, 3), AUTO_REAL, .advanced = true)
CT_PARAM(int mask, mask, "reconstruction.mask", "Mask", "", "Sets voxels outside the circle that every view sees to 0.",
         CT_SECTION_RECONSTRUCTION, CT_PLAN_VOLUME, BOOL, .fallback = 0)
CT_PARAM(int finish_after, finish_after, "reconstruction.finish_after", "Finish after", "views",
         "Ends where Finish Early would after so many views, spread evenly over the arc, and scales the volume as if "
         "they were all. A volume that was finished early has its number here. Automatic takes all views.",
         CT_SECTION_RECONSTRUCTION, CT_PLAN_VOLUME, INT(1, 1000000), AUTO_INT, .advanced = true,
         .idle = CT_IDLE_PROJECTOR)
CT_PARAM(int batch, batch, "reconstruction.batch", "Views per batch", "",
         "The picture is refreshed after each batch: larger is a little faster, smaller livelier. Automatic: 8 at "
         "first, then up to 64, or 128 or 256 where that is brief.",
         CT_SECTION_RECONSTRUCTION, CT_PLAN_SPEED, INT(1, 4096), AUTO_INT, .advanced = true, .idle = CT_IDLE_PROJECTOR)
CT_PARAM(int threads, threads, "reconstruction.threads", "Threads", "", "Processor cores used; automatic is all.",
         CT_SECTION_RECONSTRUCTION, CT_PLAN_SPEED, INT(1, 1024), AUTO_INT, .advanced = true)
