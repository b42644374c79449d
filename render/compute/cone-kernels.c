/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ladder of GPU kernels for 3x4 matrices, each a setting of cone.comp: RapidRabbit (Papenhausen, Zheng and
 * Mueller 2011) from the formula to four views a pass, then the eight tests of Thumper (Zinsser and Keck 2013), whose
 * table gives I (views a pass), K (voxels of a thread), the block and whether its threads keep step, then RapidRabbit's
 * answer (Papenhausen and Mueller 2013), from its baseline on, one of its four improvements on top of the other. */
#include "recon/geom/questions.h"
#include "render/compute/cone-private.h"
#include "render/compute/kernels-private.h"
#include "render/compute/setting-macros-private.h"

CTGL_FAMILY(cone)

#define SETTING(n, ...) CTGL_SETTING(cone, n, __VA_ARGS__)

SETTING(naive, .views = 1, .voxels = 1, .block_x = 16, .block_y = 16)
SETTING(subline, .subline = 128, .views = 32, .voxels = 512, .block_x = 1, .block_y = 1)
SETTING(texture, .texture = true, .views = 1, .voxels = 1, .block_x = 16, .block_y = 16)
SETTING(four, .texture = true, .views = 4, .voxels = 1, .block_x = 16, .block_y = 16)
SETTING(thumper1, .texture = true, .views = 1, .voxels = 512, .block_x = 32, .block_y = 8)
SETTING(thumper2, .texture = true, .views = 4, .voxels = 512, .block_x = 32, .block_y = 8)
SETTING(thumper3, .texture = true, .sync = true, .views = 4, .voxels = 512, .block_x = 32, .block_y = 8)
SETTING(thumper4, .texture = true, .views = 4, .voxels = 8, .block_x = 32, .block_y = 8)
SETTING(thumper5, .texture = true, .views_outside = true, .views = 4, .voxels = 8, .block_x = 32, .block_y = 8)
SETTING(thumper6, .texture = true, .views_outside = true, .views = 8, .voxels = 4, .block_x = 16, .block_y = 16)
SETTING(thumper7, .texture = true, .views_outside = true, .views = 16, .voxels = 4, .block_x = 16, .block_y = 32)
SETTING(thumper8, .texture = true, .views_outside = true, .views = 32, .voxels = 4, .block_x = 16, .block_y = 32)
SETTING(unrolled, .texture = true, .views_outside = true, .views = 32, .voxels = 4, .block_x = 16, .block_y = 32,
        .unroll = 4)
#define RABBIT .texture = true, .views_outside = true, .views = 32, .voxels = 4, .block_x = 16, .block_y = 32
SETTING(rabbit0, RABBIT, .quotients = true)
SETTING(rabbit1, RABBIT, .fast_divide = true)
SETTING(rabbit2, RABBIT, .fast_divide = true, .transpose = true)
SETTING(turned, RABBIT, .fast_divide = true, .transpose = true, .turned = true)
SETTING(rabbit3, RABBIT, .fast_divide = true, .transpose = true, .streamed = true)
SETTING(rabbit4, RABBIT, .fast_divide = true, .transpose = true, .streamed = true, .atomic = true)

#define RAPID .voxels = 512, .block_x = 16, .block_y = 16, .block_z = 4
SETTING(rapid0, RAPID, .views = 1)
SETTING(rapid1, RAPID, .views = 1, .texture = true)
SETTING(rapid4, RAPID, .views = 4, .texture = true)

#define COMMON(n)                                                                                                      \
  CTGL_FUNCTIONS(n), .geometry = CT_GEOMETRY_ANY, .interps = CT_BIT(CT_INTERP_NEAREST) | CT_BIT(CT_INTERP_LINEAR)

#define TEXTURED(n)                                                                                                    \
  COMMON(n), .precisions = CT_BIT(CT_PRECISION_FLOAT32) | CT_BIT(CT_PRECISION_FLOAT16),                                \
             .tolerance = CTGL_TEXTURE_TOLERANCE

/* clang-format off */
const ct_bp_kernel ctgl_bp_cone[CTGL_CONE_KERNELS] = {
    {COMMON(naive), .id = "gl-naive", .title = "GPU, straight", .precisions = CT_BIT(CT_PRECISION_FLOAT32),
     .tolerance = 1e-5,
     .explanation = "One thread a voxel, one view a pass; projections lie in a buffer and the four pixels are read and "
                    "weighted by the formula. The “naive” kernel of RapidRabbit (Papenhausen et al. 2011)."},
    {CTGL_FUNCTIONS(subline), .id = "gl-subline", .title = "GPU, sub-lines in shared memory",
     .geometry = CT_GEOMETRY_ANY, .interps = CT_BIT(CT_INTERP_LINEAR), .precisions = CT_BIT(CT_PRECISION_FLOAT32),
     .tolerance = 1e-5,
     .explanation = "The threads of a group blend two columns of the transposed projection into shared memory, wait for "
                    "each other, and give a whole column of voxels its values from that line, 32 views a pass; needs "
                    "detector columns along the axis. Listing 3 of Chen et al. (2021), without its symmetry."},
    {TEXTURED(texture), .id = "gl-texture", .title = "GPU, texture unit",
     .explanation = "The projection is a texture and the card's texture unit interpolates: one fetch instead of four "
                    "reads, through a cache made for pictures, at 8 bits of position between pixels. The “ASIC” kernel "
                    "of RapidRabbit (2011)."},
    {TEXTURED(four), .id = "gl-four-views", .title = "GPU, four views a pass",
     .explanation = "Four views are summed in a register before the voxel is read and written: a quarter of the memory "
                    "traffic. The “fully optimized” kernel of RapidRabbit (2011)."},
    {TEXTURED(thumper1), .id = "gl-thumper-1", .title = "GPU, Thumper 1: columns, one view",
     .explanation = "A thread climbs a whole column of voxels for one view. Blocks 32 wide write whole memory lines, but "
                    "the volume is read and written for every view. Thumper's kernel A, test 1 (Zinsser and Keck 2013)."},
    {TEXTURED(thumper2), .id = "gl-thumper-2", .title = "GPU, Thumper 2: columns, four views",
     .explanation = "Four views a pass cut the memory traffic, yet threads of a block drift apart along z and throw each "
                    "other's pixels out of the texture cache. Thumper's kernel A, test 2."},
    {TEXTURED(thumper3), .id = "gl-thumper-3", .title = "GPU, Thumper 3: in step",
     .explanation = "A barrier after every voxel keeps the threads of a block at one slice, so that they share the pixels "
                    "in the texture cache. Thumper's kernel A, test 3."},
    {TEXTURED(thumper4), .id = "gl-thumper-4", .title = "GPU, Thumper 4: short columns",
     .explanation = "Eight voxels a thread instead of the whole column: the march along z is left to the order of blocks, "
                    "and the texture cache serves better still. Thumper's kernel A, test 4."},
    {TEXTURED(thumper5), .id = "gl-thumper-5", .title = "GPU, Thumper 5: views outside",
     .explanation = "The loops change places: for each view a thread passes its eight voxels, whose sums wait in "
                    "registers, so that one picture at a time fills the texture cache. Thumper's kernel B, test 5."},
    {TEXTURED(thumper6), .id = "gl-thumper-6", .title = "GPU, Thumper 6: eight views",
     .explanation = "Eight views a pass, four voxels a thread, square blocks: less memory traffic and pixels shared in "
                    "both directions. Thumper's kernel B, test 6."},
    {TEXTURED(thumper7), .id = "gl-thumper-7", .title = "GPU, Thumper 7: sixteen views",
     .explanation = "Sixteen views a pass in blocks of 16 x 32 threads. Thumper's kernel B, test 7."},
    {TEXTURED(thumper8), .id = "gl-thumper-8", .title = "GPU, Thumper 8: 32 views",
     .explanation = "32 views a pass: the volume is read and written so seldom that only texture fetches and arithmetic "
                    "are left. Thumper's kernel B, test 8, the fastest of its table."},
    {TEXTURED(unrolled), .id = "gl-unrolled", .title = "GPU, Thumper 8, loop written out",
     .explanation = "Thumper's test 8 with four views of its loop written out one after another, so that their fetches are on "
                    "their way together even where a driver's compiler leaves the loop as it is."},
    {TEXTURED(rabbit0), .id = "gl-rabbit-base", .title = "GPU, RapidRabbit 2013: divisions",
     .explanation = "Views, voxels and blocks of Thumper's test 8, with u, v and the weight divided by w as the formula "
                    "has it, each quotient corrected by what it leaves over: what RapidRabbit's answer to Thumper began with "
                    "(Papenhausen and Mueller 2013)."},
    {TEXTURED(rabbit1), .id = "gl-rabbit-root", .title = "GPU, RapidRabbit: inverse root",
     .explanation = "1 / w is made as the inverse square root of w squared, an instruction of the card where a division "
                    "takes many. RapidRabbit's first answer to Thumper (Papenhausen and Mueller 2013)."},
    {TEXTURED(rabbit2), .id = "gl-rabbit-transpose", .title = "GPU, RapidRabbit: x and y change places",
     .explanation = "For views that look along x more than along y the threads' x and y change places, so that "
                    "neighbouring threads always fetch neighbouring pixels (RapidRabbit 2013)."},
    {TEXTURED(turned), .id = "gl-rabbit-volume", .title = "GPU, RapidRabbit: the volume changes places, too",
     .explanation = "Views that look along x more than along y are summed in a volume of their own whose x and y have "
                    "changed places, so that neighbouring threads write neighbouring voxels, too; it is turned back and "
                    "added once for each group of views (RapidRabbit 2013: “transpose the volume at 45°”)."},
    {TEXTURED(rabbit3), .id = "gl-rabbit-stream", .title = "GPU, RapidRabbit: uploads on their own",
     .explanation = "Another thread copies the next views into a buffer that the card reads by itself while it works on "
                    "the present ones (RapidRabbit 2013)."},
    {TEXTURED(rabbit4), .id = "gl-rabbit-atomic", .title = "GPU, RapidRabbit: atomic sums",
     .explanation = "Sums are handed to the atomic units at the memory, and threads go on without waiting for the old "
                    "value (RapidRabbit 2013, its fastest)."},
    {COMMON(rapid0), .id = "gl-rapid-naive", .title = "GPU, RapidRabbit 2011: straight",
     .precisions = CT_BIT(CT_PRECISION_FLOAT32), .tolerance = 1e-5,
     .explanation = "Blocks of 16 x 16 x 4 threads, each of which goes up a column of voxels, every fourth of them, with a "
                    "view; four reads and the formula. The naive kernel of RapidRabbit as published (Papenhausen et al. "
                    "2011); gl-naive has a thread for each voxel."},
    {TEXTURED(rapid1), .id = "gl-rapid-asic", .title = "GPU, RapidRabbit 2011: texture unit",
     .explanation = "The same blocks and columns, and the texture unit interpolates: the ASIC kernel of RapidRabbit as "
                    "published (2011)."},
    {TEXTURED(rapid4), .id = "gl-rapid-four", .title = "GPU, RapidRabbit 2011: four views",
     .explanation = "The same blocks and columns with four views a pass: the fully optimized kernel of RapidRabbit as "
                    "published (2011)."},
};
/* clang-format on */
