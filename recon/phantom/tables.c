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

static const ct_phantom phantoms[] = {
    {"shepp-logan", "Shepp-Logan, modified contrast",
     "Ten ellipses that stand for a head, with contrasts that the eye can see. Shows streaks of too few views, "
     "ringing at the skull and how each filter smooths. Shapes of Shepp and Logan 1974, contrasts of Toft 1996.",
     shepp_logan, COUNT(shepp_logan)},
    {"shepp-logan-original", "Shepp-Logan, original contrast",
     "The same ten ellipses with the contrasts of a real head: 1 to 2 % inside a skull of density 2. Shows why the "
     "window must be narrow, and how small an error of scale hides a tumour. Shepp and Logan 1974.",
     shepp_logan_original, COUNT(shepp_logan_original)},
    {"shepp-logan-3d", "Shepp-Logan, 3-D, modified contrast",
     "Ten ellipsoids that stand for a head, with contrasts that the eye can see. Shows what a circular cone-beam scan "
     "loses away from its middle plane. Shapes of Kak and Slaney 1988, table 3.1, contrasts in the manner of Toft "
     "1996.",
     shepp_logan_3d, COUNT(shepp_logan_3d)},
    {"shepp-logan-3d-original", "Shepp-Logan, 3-D, original contrast",
     "The ten ellipsoids with contrasts of 1 to 2 %, the usual test of cone-beam programs; cone-beam artefacts under "
     "the skull are stronger than what is to be seen. Kak and Slaney 1988, table 3.1.",
     shepp_logan_3d_original, COUNT(shepp_logan_3d_original)},
    {"bars", "Resolution bars",
     "Groups of four bars, upright and flat, 6, 4, 3, 2, 1.5 and 1 % of the radius wide with gaps as wide. The finest "
     "group whose bars stand apart is the resolution; compare filters, pixel sizes and interpolation, and the two "
     "directions.",
     bars, COUNT(bars)},
    {"discs", "Discs of different contrast",
     "Large discs of 1, 2, 5 and 10 % more and less than their surroundings, and discs of 10 % that get smaller. With "
     "photon noise the faint and the small ones drown first; the mean inside each must stay right whatever the filter.",
     discs, COUNT(discs)},
    {"tilted-edge", "Tilted edge",
     "A square turned by 5 degrees. Its edges cross the voxel rows slowly, so that lining up many rows gives the edge "
     "profile far finer than the voxels, and with it the modulation transfer function (Judy 1976).",
     tilted_edge, COUNT(tilted_edge)},
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
