/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The problems that every kernel has to solve as textbook does: odd sizes, offsets, truncation, corners outside the
 * detector, voxels behind the source, steps of many rows a voxel, thin grids. */
#ifndef CT_TESTS_BP_CASES_H
#define CT_TESTS_BP_CASES_H

#include "tests/bp/problem.h"

#define TURN 6.283185307179586

/* name, beam, nu nv views, du dv sod sdd, offsets, tilt, first arc, wobble, nx ny nz, dx dy dz, centre */
/* clang-format off */
static const problem cases[] = {
  {"cone, centred", CT_BEAM_CONE, 48, 40, 13, 1, 1, 100, 150, 0, 0, 0, 0.1, TURN,
   0, 33, 18, 40, 0.6, 0.6, 0.55, 0, 0, 0},
  {"cone, one voxel a row", CT_BEAM_CONE, 64, 64, 9, 1, 1, 100, 150, 0, 0, 0, 0, TURN,
   0, 32, 32, 64, .67, .67, .67, 0, 0, 0},
  {"cone, odd, mirrored about a pixel", CT_BEAM_CONE, 51, 41, 7, 1, 1, 90, 160, 2, 3, 0, 1, TURN,
   0, 19, 35, 37, 0.7, 0.5, 0.6, 3, -2, 0},
  {"cone, offsets", CT_BEAM_CONE, 47, 39, 11, 0.9, 1.1, 100, 150, 3.3, -4.7, 0, -2, 3,
   0, 21, 17, 35, 0.6, 0.7, 0.5, 1, 2, 3.3},
  {"cone, tilted detector", CT_BEAM_CONE, 47, 39, 11, 0.9, 1.1, 100, 150, 3.3, -4.7, 0.03, -2, 3,
   0, 37, 17, 35, 0.6, 0.7, 0.5, 1, 2, 3},
  {"cone, strongly tilted", CT_BEAM_CONE, 47, 39, 7, 0.9, 1.1, 100, 150, 3.3, -4.7, 0.9, -2, 3,
   0, 37, 17, 35, 0.6, 0.7, 0.5, 1, 2, 3},
  {"cone, truncated", CT_BEAM_CONE, 20, 12, 8, 1, 1, 60, 90, 0, 0, 0, 0.2, TURN, 0, 41, 33, 29, 1, 1, 1, 0, 0, 0},
  {"cone, source inside the grid", CT_BEAM_CONE, 40, 36, 9, 1, 1, 14, 30, 0.5, 0.25, 0, 0.2, TURN, 0, 40,
   41, 19, 1, 1, 1, 0, 0, 0},
  {"cone, coarse voxels", CT_BEAM_CONE, 90, 150, 6, 0.4, 0.3, 90, 150, 1, 0.5, 0, 0.2, TURN,
   0, 17, 16, 33, 1.1, 1, 0.8, 0, 0, 0},
  {"cone, very coarse voxels", CT_BEAM_CONE, 90, 300, 6, 0.4, 0.12, 90, 150, 1, 0, 0, 0.2, TURN,
   0, 9, 7, 34, 1.1, 1, 0.8, 0, 0, 0},
  {"cone, fine voxels", CT_BEAM_CONE, 30, 24, 9, 2, 2, 90, 150, 0.3, 0.2, 0, 0.2, TURN,
   0, 40, 23, 70, 0.2, 0.3, 0.2, 2, 1, 1},
  {"cone, far off centre", CT_BEAM_CONE, 60, 44, 9, 1, 1, 90, 150, 0, 0, 0, 0.2, TURN,
   0, 20, 23, 30, 0.4, 0.4, 0.4, 9, 8, 11},
  {"cone, axial plane", CT_BEAM_CONE, 71, 44, 17, 1, 1, 90, 150, 0.3, 0, 0, 0.2, TURN,
   0, 70, 61, 1, 0.7, 0.7, 0.7, 0, 0, 7},
  {"cone, axial middle", CT_BEAM_CONE, 71, 45, 17, 1, 1, 90, 150, 0.3, 0, 0, 0, TURN,
   0, 70, 61, 1, 0.7, 0.7, 0.7, 0, 0, 0},
  {"cone, axial plane at the border", CT_BEAM_CONE, 71, 44, 17, 1, 1, 90, 150, 0.3, 0, 0, 0.2, TURN,
   0, 70, 61, 1, 0.7, 0.7, 0.7, 0, 0, 13},
  {"cone, coronal plane", CT_BEAM_CONE, 71, 64, 17, 1, 1, 90, 150, 0.3, 0, 0, 0.2, TURN,
   0, 75, 1, 61, 0.7, 0.7, 0.7, 0, 6, 0},
  {"cone, sagittal plane", CT_BEAM_CONE, 71, 64, 17, 1, 1, 90, 150, 0.3, 1, 0, 0.2, TURN,
   0, 1, 75, 61, 0.7, 0.7, 0.7, -8, 0, 0},
  {"cone, steep axial plane", CT_BEAM_CONE, 40, 90, 12, 1, 1, 30, 60, 0.3, 1, 0, 0, TURN, 0, 45,
   41, 2, 1, 1, 1, 0, 0, 15},
  {"cone, coarse axial plane", CT_BEAM_CONE, 200, 20, 12, 0.2, 1, 60, 90, 0.3, 1, 0, 0, TURN, 0, 35,
   31, 1, 1, 1, 1, 0, 0, 1},
  {"cone, one voxel", CT_BEAM_CONE, 30, 24, 9, 1, 1, 90, 150, 0, 0, 0, 0.2, TURN, 0, 1, 1, 1, 1, 1, 1, 3, 2, 1},
  {"cone, one column of voxels", CT_BEAM_CONE, 30, 24, 9, 1, 1, 90, 150, 0, 0, 0, 0.2, TURN, 0, 1,
   1, 33, 1, 1, 0.6, 3, 2, 1},
  {"cone, one-pixel detector", CT_BEAM_CONE, 1, 1, 9, 9, 9, 90, 150, 0, 0, 0, 0.2, TURN, 0, 20,
   20, 20, 1, 1, 1, 0, 0, 0},
  {"parallel, slices on rows", CT_BEAM_PARALLEL, 64, 70, 19, 1, 1, 0, 0, 0.4, 0, 0, 0.1, TURN / 2, 0, 45,
   35, 70, 1, 1, 1, 0, 0, 0},
  {"parallel, slices between rows", CT_BEAM_PARALLEL, 63, 31, 12, 1, 1.3, 0, 0, -3.7, 2, 0, 0.1, TURN, 0,
   35, 45, 37, 1, 0.8, 0.9, 2, 1, 3},
  {"parallel, truncated", CT_BEAM_PARALLEL, 21, 9, 12, 1, 1, 0, 0, 0, 0, 0, 0.1, TURN / 2, 0, 45,
   38, 15, 1, 1, 1, 4, 4, 0},
  {"parallel, one slice", CT_BEAM_PARALLEL, 130, 1, 50, 1, 1, 0, 0, 0.7, 0, 0, 0.02, TURN / 2, 0, 125,
   67, 1, 1, 1, 1, 0, 0, 0},
  {"parallel, one slice of a stack", CT_BEAM_PARALLEL, 130, 7, 30, 1, 1, 0, 0, 0.7, 0, 0, 0.02, TURN / 2, 0, 125,
   67, 1, 1, 1, 1, 0, 0, 1.3},
  {"parallel, coarse slice", CT_BEAM_PARALLEL, 260, 1, 30, 0.3, 1, 0, 0, 0.7, 0, 0, 0.02, TURN / 2, 0, 60,
   67, 1, 1, 1, 1, 0, 0, 0},
  {"parallel, very coarse slice", CT_BEAM_PARALLEL, 500, 1, 30, 0.1, 1, 0, 0, 0.7, 0, 0, 0.02, TURN / 2, 0, 50,
   47, 1, 1, 1, 1, 0, 0, 0},
  {"parallel, tilted", CT_BEAM_PARALLEL, 63, 31, 12, 1, 1, 0, 0, 0.3, 2, 0.04, 0.1, TURN / 2, 0, 35,
   45, 27, 1, 1, 1, 2, 1, 3},
  {"fan", CT_BEAM_FAN, 127, 1, 40, 1, 1, 150, 230, 1.3, 0, 0, 0.02, TURN, 0, 83, 77, 1, 0.9, 0.9, 0.9, 0, 0, 0},
  {"fan, off the mid-plane", CT_BEAM_FAN, 127, 1, 20, 1, 1, 150, 230, 1.3, 0, 0, 0.02, TURN,
   0, 83, 77, 1, 0.9, 0.9, 0.9, 0, 0, 0.3},
  {"fan, several slices", CT_BEAM_FAN, 63, 1, 10, 1, 1, 150, 230, 1.3, 0, 0, 0.02, TURN,
   0, 43, 37, 5, 0.9, 0.9, 0.9, 0, 0, 0},
  {"free, exact circle", CT_BEAM_FREE, 48, 40, 13, 1, 1, 100, 150, 0.4, 1.7, 0, 0.1, TURN,
   0, 33, 18, 41, 0.6, 0.6, 0.55, 0, 0, 0},
  {"free, C-arm", CT_BEAM_FREE, 62, 48, 15, 1, 1, 100, 150, 0, 0, 0, 0.1, 3.4,
   0.02, 35, 38, 41, 0.7, 0.7, 0.7, 0, 0, 0},
  {"free, C-arm, coarse", CT_BEAM_FREE, 124, 148, 9, 0.5, 0.5, 100, 150, 0, 0, 0, 0.1, 3.4,
   0.02, 25, 28, 31, 0.9, 1, 0.9, 0, 0, 0},
  {"free, steep", CT_BEAM_FREE, 62, 48, 9, 1, 1, 70, 150, 0, 0, 0, 0.1, TURN,
   0.35, 35, 38, 41, 0.7, 0.7, 0.7, 0, 0, 4},
  {"free, coronal plane", CT_BEAM_FREE, 62, 48, 9, 1, 1, 100, 150, 0, 0, 0, 0.1, TURN,
   0.02, 65, 1, 41, 0.7, 0.7, 0.7, 0, 3, 1},
};
/* clang-format on */
enum { case_count = sizeof cases / sizeof *cases };

#endif
