/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The phantoms: their shapes on the cube [-1, 1]^3, in the order of their sources' tables. */
#include "recon/phantom/phantom.h"

#include <math.h>
#include <string.h>

/* Tables read best as tables. clang-format off */

#define DEGREES(x) ((x)*0.017453292519943295)
#define COUNT(a) (sizeof(a) / sizeof *(a))

/* An ellipse of the plane is an endless elliptic cylinder; semi-axes along x and y before the turn. */
#define ELLIPSE(x, y, a, b, degrees, density)                                                                          \
  { CT_SHAPE_CYLINDER, {(x), (y), 0}, {(a), (b), INFINITY}, DEGREES(degrees), (density) }
#define ELLIPSOID(x, y, z, a, b, c, degrees, density)                                                                  \
  { CT_SHAPE_ELLIPSOID, {(x), (y), (z)}, {(a), (b), (c)}, DEGREES(degrees), (density) }
#define DISC(x, y, r, density) ELLIPSE(x, y, r, r, 0, density)
#define BAR(x, y, a, b, degrees, density)                                                                              \
  { CT_SHAPE_BOX, {(x), (y), 0}, {(a), (b), INFINITY}, DEGREES(degrees), (density) }

/* Shepp and Logan 1974, IEEE Trans. Nucl. Sci. 21(3), table 1: one geometry, two sets of densities. */
#define SHEPP_LOGAN_2D(skull, brain, ventricle, tumour)                                                                \
  {                                                                                                                    \
    ELLIPSE(0, 0, 0.69, 0.92, 0, skull), ELLIPSE(0, -0.0184, 0.6624, 0.874, 0, brain),                                 \
        ELLIPSE(0.22, 0, 0.11, 0.31, -18, ventricle), ELLIPSE(-0.22, 0, 0.16, 0.41, 18, ventricle),                    \
        ELLIPSE(0, 0.35, 0.21, 0.25, 0, tumour), ELLIPSE(0, 0.1, 0.046, 0.046, 0, tumour),                             \
        ELLIPSE(0, -0.1, 0.046, 0.046, 0, tumour), ELLIPSE(-0.08, -0.605, 0.046, 0.023, 0, tumour),                    \
        ELLIPSE(0, -0.605, 0.023, 0.023, 0, tumour), ELLIPSE(0.06, -0.605, 0.023, 0.046, 0, tumour),                   \
  }

static const ct_shape shepp_logan[] = SHEPP_LOGAN_2D(1, -0.8, -0.2, 0.1);
static const ct_shape shepp_logan_original[] = SHEPP_LOGAN_2D(2, -0.98, -0.02, 0.01);

/* Kak and Slaney 1988, Principles of Computerized Tomographic Imaging, table 3.1. `small` is the unit of the contrasts
 * inside the brain: 0.01 there. */
#define SHEPP_LOGAN_3D(skull, brain, small)                                                                            \
  {                                                                                                                    \
    ELLIPSOID(0, 0, 0, 0.69, 0.92, 0.90, 0, skull), ELLIPSOID(0, 0, 0, 0.6624, 0.874, 0.88, 0, brain),                 \
        ELLIPSOID(-0.22, 0, -0.25, 0.41, 0.16, 0.21, 108, -2 * (small)),                                               \
        ELLIPSOID(0.22, 0, -0.25, 0.31, 0.11, 0.22, 72, -2 * (small)),                                                 \
        ELLIPSOID(0, 0.35, -0.25, 0.21, 0.25, 0.50, 0, 2 * (small)),                                                   \
        ELLIPSOID(0, 0.1, -0.25, 0.046, 0.046, 0.046, 0, 2 * (small)),                                                 \
        ELLIPSOID(-0.08, -0.65, -0.25, 0.046, 0.023, 0.02, 0, (small)),                                                \
        ELLIPSOID(0.06, -0.65, -0.25, 0.046, 0.023, 0.02, 90, (small)),                                                \
        ELLIPSOID(0.06, -0.105, 0.625, 0.056, 0.04, 0.10, 90, 2 * (small)),                                            \
        ELLIPSOID(0, 0.1, 0.625, 0.056, 0.056, 0.10, 0, -2 * (small)),                                                 \
  }

static const ct_shape shepp_logan_3d[] = SHEPP_LOGAN_3D(1, -0.8, 0.1);
static const ct_shape shepp_logan_3d_original[] = SHEPP_LOGAN_3D(2, -0.98, 0.01);

/* Four bars of width w and gaps of the same width, side by side along x (upright) or y (flat), 6 w long. */
#define UPRIGHT_BARS(x, y, w)                                                                                          \
  BAR((x)-3 * (w), y, 0.5 * (w), 3 * (w), 0, 0.8), BAR((x) - (w), y, 0.5 * (w), 3 * (w), 0, 0.8),                      \
      BAR((x) + (w), y, 0.5 * (w), 3 * (w), 0, 0.8), BAR((x) + 3 * (w), y, 0.5 * (w), 3 * (w), 0, 0.8)
#define FLAT_BARS(x, y, w)                                                                                             \
  BAR(x, (y)-3 * (w), 3 * (w), 0.5 * (w), 0, 0.8), BAR(x, (y) - (w), 3 * (w), 0.5 * (w), 0, 0.8),                      \
      BAR(x, (y) + (w), 3 * (w), 0.5 * (w), 0, 0.8), BAR(x, (y) + 3 * (w), 3 * (w), 0.5 * (w), 0, 0.8)

static const ct_shape bars[] = {
    DISC(0, 0, 0.9, 0.2),          UPRIGHT_BARS(-0.26, 0.50, 0.06),
    FLAT_BARS(0.26, 0.50, 0.06),   UPRIGHT_BARS(-0.54, 0.08, 0.04),
    FLAT_BARS(0.54, 0.08, 0.04),   UPRIGHT_BARS(-0.17, 0.08, 0.03),
    FLAT_BARS(0.17, 0.08, 0.03),   UPRIGHT_BARS(-0.40, -0.26, 0.02),
    FLAT_BARS(0.40, -0.26, 0.02),  UPRIGHT_BARS(-0.14, -0.26, 0.015),
    FLAT_BARS(0.14, -0.26, 0.015), UPRIGHT_BARS(-0.14, -0.50, 0.01),
    FLAT_BARS(0.14, -0.50, 0.01),
};

/* Large discs on the circle of radius 0.6, their contrast growing counter-clockwise; small ones of 10 % within. */
#define AROUND 0.42426406871192851 /* 0.6 / sqrt 2 */
static const ct_shape discs[] = {
    DISC(0, 0, 0.9, 1),
    DISC(0.6, 0, 0.14, 0.01),
    DISC(AROUND, AROUND, 0.14, 0.02),
    DISC(0, 0.6, 0.14, 0.05),
    DISC(-AROUND, AROUND, 0.14, 0.1),
    DISC(-0.6, 0, 0.14, -0.1),
    DISC(-AROUND, -AROUND, 0.14, -0.05),
    DISC(0, -0.6, 0.14, -0.02),
    DISC(AROUND, -AROUND, 0.14, -0.01),
    DISC(0.2, 0, 0.1, 0.1),
    DISC(0, 0.2, 0.06, 0.1),
    DISC(-0.2, 0, 0.03, 0.1),
    DISC(0, -0.2, 0.015, 0.1),
};

static const ct_shape tilted_edge[] = {
    DISC(0, 0, 0.9, 0.2),
    BAR(0, 0, 0.45, 0.45, 5, 0.8),
};

/* Thin discs across the axis: a circle of the source about it cannot tell them apart away from its plane. */
#define PLATE(z)                                                                                                       \
  { CT_SHAPE_CYLINDER, {0, 0, (z)}, {0.6, 0.6, 0.05}, 0, 1 }
static const ct_shape defrise[] = {
    PLATE(-0.75), PLATE(-0.5), PLATE(-0.25), PLATE(0), PLATE(0.25), PLATE(0.5), PLATE(0.75),
};

#define BALL(x, y, z, r, density) ELLIPSOID(x, y, z, r, r, r, 0, density)
static const ct_shape points[] = {
    BALL(0, 0, 0, 0.03, 1),     BALL(0.2, 0, 0, 0.03, 1),     BALL(0.4, 0, 0, 0.03, 1),
    BALL(0.6, 0, 0, 0.03, 1),   BALL(0.8, 0, 0, 0.03, 1),     BALL(0, 0.5, 0.3, 0.03, 1),
    BALL(0, 0.5, 0.6, 0.03, 1), BALL(-0.5, 0, -0.3, 0.03, 1), BALL(-0.5, 0, -0.6, 0.03, 1),
};

static const ct_shape spheres[] = {
    BALL(0, 0, 0, 0.2, 1),      BALL(0.5, 0, 0.2, 0.2, 1),      BALL(-0.5, 0.1, -0.2, 0.2, 1),
    BALL(0, 0.55, 0.4, 0.2, 1), BALL(0.1, -0.55, -0.4, 0.2, 1),
};

static const ct_shape wire[] = {
    DISC(0.3037, 0.2013, 0.02, 1),
};

/* 18 spokes of 10 degrees, 2 * 0.8 tan(5 degrees) wide at their ends; no side lies along an axis or a diagonal. */
#define SPOKE(x, y, degrees)                                                                                           \
  { CT_SHAPE_WEDGE, {(x), (y), 0}, {0.4, 0.0699909308, INFINITY}, DEGREES(degrees), 0.8 }
static const ct_shape star[] = {
    DISC(0, 0, 0.9, 0.2),
    SPOKE(0.399451813902, 0.0209343824972, 3),
    SPOKE(0.368201941381, 0.156292451396, 23),
    SPOKE(0.292541480648, 0.272799344025, 43),
    SPOKE(0.181596199896, 0.356402609675, 63),
    SPOKE(0.0487477373621, 0.397018460657, 83),
    SPOKE(-0.0899804217375, 0.389748025914, 103),
    SPOKE(-0.217855614006, 0.335468227178, 123),
    SPOKE(-0.319454204019, 0.240726009261, 143),
    SPOKE(-0.382521902385, 0.116948681889, 163),
    SPOKE(-0.399451813902, -0.0209343824972, 183),
    SPOKE(-0.368201941381, -0.156292451396, 203),
    SPOKE(-0.292541480648, -0.272799344025, 223),
    SPOKE(-0.181596199896, -0.356402609675, 243),
    SPOKE(-0.0487477373621, -0.397018460657, 263),
    SPOKE(0.0899804217375, -0.389748025914, 283),
    SPOKE(0.217855614006, -0.335468227178, 303),
    SPOKE(0.319454204019, -0.240726009261, 323),
    SPOKE(0.382521902385, -0.116948681889, 343),
};

/* Balls of other materials in water: what lies in their place is taken away. */
#define INLAY(x, y, r, density) BALL(x, y, 0, r, -1), BALL(x, y, 0, r, density)
static const ct_shape insert[] = {
    {CT_SHAPE_CYLINDER, {0, 0, 0}, {0.8, 0.8, 0.55}, 0, 1},
    INLAY(0.5, 0, 0.15, 1.1),
    INLAY(0.25, 0.4330127, 0.12, 2.9),
    INLAY(-0.25, 0.4330127, 0.09, 3.6),
    INLAY(-0.5, 0, 0.06, 15),
    INLAY(-0.25, -0.4330127, 0.045, 35),
    BALL(0.25, -0.4330127, 0, 0.12, -1),
};
static const ct_material insert_materials[COUNT(insert)] = {
    [2] = CT_MATERIAL_PLASTIC,  [4] = CT_MATERIAL_BONE,  [6] = CT_MATERIAL_ALUMINIUM,
    [8] = CT_MATERIAL_TITANIUM, [10] = CT_MATERIAL_IRON,
};

/* After the manner of the FORBILD head (Lauritsch and Bruder, www.imp.uni-erlangen.de/phantoms): its parts and their
 * densities, with ellipsoids alone and without its cuts. Bone is taken away where brain, eyes and air lie in it. */
static const ct_shape head[] = {
    ELLIPSOID(0, 0, 0, 0.72, 0.92, 0.90, 0, 1.8),
    ELLIPSOID(0, 0, 0, 0.66, 0.86, 0.84, 0, -1.8),
    ELLIPSOID(0, 0, 0, 0.66, 0.86, 0.84, 0, 1.05),
    /* ventricle, two haematomas, a subarachnoid one that is long and thin */
    ELLIPSOID(0, -0.18, 0.10, 0.14, 0.26, 0.14, 0, -0.005),
    ELLIPSOID(0.38, 0.16, 0.20, 0.10, 0.08, 0.10, 20, 0.005),
    ELLIPSOID(-0.32, 0.30, 0.28, 0.05, 0.09, 0.08, -30, 0.005),
    ELLIPSOID(-0.56, -0.12, 0.18, 0.025, 0.20, 0.12, 8, 0.005),
    /* eyes */
    BALL(0.28, 0.62, -0.20, 0.12, 0.01),
    BALL(-0.28, 0.62, -0.20, 0.12, 0.01),
    /* frontal sinus: air */
    ELLIPSOID(0, 0.70, 0.12, 0.10, 0.06, 0.09, 0, -1.05),
    /* petrous bones, with air cells in the right one */
    ELLIPSOID(0.44, -0.10, -0.30, 0.15, 0.08, 0.08, 25, -1.05),
    ELLIPSOID(0.44, -0.10, -0.30, 0.15, 0.08, 0.08, 25, 1.8),
    ELLIPSOID(-0.44, -0.10, -0.30, 0.15, 0.08, 0.08, -25, -1.05),
    ELLIPSOID(-0.44, -0.10, -0.30, 0.15, 0.08, 0.08, -25, 1.8),
    BALL(0.38, -0.12, -0.30, 0.02, -1.8),
    BALL(0.44, -0.10, -0.30, 0.02, -1.8),
    BALL(0.50, -0.08, -0.30, 0.02, -1.8),
    /* occipital protuberance within the skull */
    ELLIPSOID(0, -0.78, -0.10, 0.06, 0.05, 0.10, 0, -1.05),
    ELLIPSOID(0, -0.78, -0.10, 0.06, 0.05, 0.10, 0, 1.8),
};
static const ct_material head_materials[COUNT(head)] = {
    [0] = CT_MATERIAL_BONE,  [1] = CT_MATERIAL_BONE,  [11] = CT_MATERIAL_BONE, [13] = CT_MATERIAL_BONE,
    [14] = CT_MATERIAL_BONE, [15] = CT_MATERIAL_BONE, [16] = CT_MATERIAL_BONE, [18] = CT_MATERIAL_BONE,
};

static const ct_phantom phantoms[] = {
    {"shepp-logan", "Shepp-Logan, modified contrast",
     "Ten ellipses that stand for a head, with contrasts that the eye can see. Shows streaks of too few views, "
     "ringing at the skull and how each filter smooths. Shapes of Shepp and Logan 1974, contrasts of Toft 1996.",
     shepp_logan, COUNT(shepp_logan), NULL},
    {"shepp-logan-original", "Shepp-Logan, original contrast",
     "The same ten ellipses with the contrasts of a real head: 1 to 2 % inside a skull of density 2. Shows why the "
     "window must be narrow, and how small an error of scale hides a tumour. Shepp and Logan 1974.",
     shepp_logan_original, COUNT(shepp_logan_original), NULL},
    {"shepp-logan-3d", "Shepp-Logan, 3-D, modified contrast",
     "Ten ellipsoids that stand for a head, with contrasts that the eye can see. Shows what a circular cone-beam scan "
     "loses away from its middle plane. Shapes of Kak and Slaney 1988, table 3.1, contrasts in the manner of Toft "
     "1996.",
     shepp_logan_3d, COUNT(shepp_logan_3d), NULL},
    {"shepp-logan-3d-original", "Shepp-Logan, 3-D, original contrast",
     "The ten ellipsoids with contrasts of 1 to 2 %, the usual test of cone-beam programs; cone-beam artefacts under "
     "the skull are stronger than what is to be seen. Kak and Slaney 1988, table 3.1.",
     shepp_logan_3d_original, COUNT(shepp_logan_3d_original), NULL},
    {"bars", "Resolution bars",
     "Groups of four bars, upright and flat, 6, 4, 3, 2, 1.5 and 1 % of the radius wide with gaps as wide. The finest "
     "group whose bars stand apart is the resolution; compare filters, pixel sizes and interpolation, and the two "
     "directions.",
     bars, COUNT(bars), NULL},
    {"discs", "Discs of different contrast",
     "Large discs of 1, 2, 5 and 10 % more and less than their surroundings, and discs of 10 % that get smaller. With "
     "photon noise the faint and the small ones drown first; the mean inside each must stay right whatever the filter.",
     discs, COUNT(discs), NULL},
    {"tilted-edge", "Tilted edge",
     "A square turned by 5 degrees. Its edges cross the voxel rows slowly, so that lining up many rows gives the edge "
     "profile far finer than the voxels, and with it the modulation transfer function (Judy 1976).",
     tilted_edge, COUNT(tilted_edge), NULL},
    {"defrise", "Defrise discs",
     "Seven thin discs across the rotation axis. A source on a circle never sees between those away from its plane: "
     "they "
     "run into each other, the more the larger the cone's angle. Kudo and Defrise's test of cone-beam methods.",
     defrise, COUNT(defrise), NULL},
    {"points", "Points",
     "Small balls on a radius and away from the middle plane: how the picture of a point grows with the distance from "
     "the axis, with the filter, the interpolation and the views.",
     points, COUNT(points), NULL},
    {"spheres", "Five balls along the axis",
     "Balls of one density at five heights, on the axis and beside it. The mean within each must be right at every "
     "height: what spirals and their pitch make of it.",
     spheres, COUNT(spheres), NULL},
    {"wire", "Thin wire",
     "A wire along the axis, a fiftieth of the radius thick. Its slice is the point spread function, whose transform "
     "is "
     "the modulation transfer function.",
     wire, COUNT(wire), NULL},
    {"star", "Siemens star",
     "Eighteen spokes that get finer towards the middle: where they run together is the resolution, in all directions "
     "at once. Interpolation kernels tell themselves apart there.",
     star, COUNT(star), NULL},
    {"insert", "Materials in water",
     "Balls of acrylic glass, bone, aluminium, titanium and iron and one of air in a cylinder of water. With the "
     "spectrum of a tube the water sinks towards the middle (cupping) and streaks join the metals: beam hardening.",
     insert, COUNT(insert), insert_materials},
    {"head", "Head, realistic densities",
     "Skull, brain, ventricle, eyes, air and petrous bones with air cells, in water and bone: contrasts of 0.5 % "
     "beside "
     "steps of 100 %. In the manner of the FORBILD head, of ellipsoids alone.",
     head, COUNT(head), head_materials},
};

const ct_phantom *ct_phantoms(size_t *count) {
  if (count) *count = COUNT(phantoms);
  return phantoms;
}

const ct_phantom *ct_phantom_find(const char *id) {
  for (size_t i = 0; i < COUNT(phantoms); i++)
    if (!strcmp(phantoms[i].id, id)) return &phantoms[i];
  return NULL;
}
