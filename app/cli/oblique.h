/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The options that tell how an oblique plane lies, for the subcommands that write planes. */
#ifndef GANTRY_CLI_OBLIQUE_H
#define GANTRY_CLI_OBLIQUE_H

#include "app/cli/cli.h"
#include "recon/geom/oblique.h"
#include "recon/io/png/plane.h"

typedef struct cli_pose {
  bool oblique;                 /* asked for */
  double rotation, tilt;        /* degrees; NaN: not given */
  double normal[3], through[3]; /* NaN: not given */
} cli_pose;

enum { CLI_ROTATION = 600, CLI_TILT, CLI_NORMAL, CLI_THROUGH };

/* Rows of an option table. */
#define CLI_POSE_OPTIONS                                                                                               \
  {CLI_TILT, "tilt", "DEG",                                                                                            \
   "Of an oblique plane: its angle to the axial plane, about the picture's horizontal; 90 stands upright. Default: "   \
   "0."},                                                                                                              \
      {CLI_ROTATION, "rotation", "DEG",                                                                                \
       "Of an oblique plane: turned about the axis of rotation after the tilt, counter-clockwise seen from +z. Tilt "  \
       "90 is a "                                                                                                      \
       "coronal plane with rotation 0, a sagittal one with rotation 90. Default: 0."},                                 \
      {CLI_NORMAL, "normal", "X,Y,Z",                                                                                  \
       "Of an oblique plane, instead of tilt and rotation: a vector across it, of any length."},                       \
  {                                                                                                                    \
    CLI_THROUGH, "through", "X,Y,Z", "Of an oblique plane: a point on it, mm; default: the middle of the volume."      \
  }

cli_pose cli_no_pose(void);
/* Takes an option's value if it is one of the above; *good is false after a message when it cannot be read. */
bool cli_take_pose(const cli_command *command, int letter, const char *value, cli_pose *pose, bool *good);
/* Whether the options go together; prints what does not. */
bool cli_check_pose(const cli_command *command, const cli_pose *pose);
/* The plane, through the whole grid. The pose has been checked. */
ct_oblique cli_pose_plane(const cli_pose *pose, const ct_grid *grid);

float *cli_new_oblique(const ct_oblique *oblique, ct_error **error);
/* As cli_write_plane. */
bool cli_write_oblique(const char *path, const ct_oblique *oblique, ct_png_plane picture, ct_error **error);

#endif
