/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Oblique planes on the command line: their options, and their pictures. */
#include "app/cli/oblique.h"

#include "recon/base/memory.h"
#include "recon/io/io.h"

#include <math.h>
#include <stdlib.h>

cli_pose cli_no_pose(void) {
  return (cli_pose){false, NAN, NAN, {NAN, NAN, NAN}, {NAN, NAN, NAN}};
}

/* "1,-2,3.5" */
static bool read_vector(const cli_command *command, const char *option, const char *text, double vector[3]) {
  const char *at = text;
  for (int i = 0; i < 3; i++) {
    char *end;
    vector[i] = strtod(at, &end);
    if (end == at || !isfinite(vector[i]) || *end != (i < 2 ? ',' : 0)) {
      cli_misuse(command, "%s must be three numbers x,y,z, not \"%s\"", option, text);
      return false;
    }
    at = end + 1;
  }
  return true;
}

bool cli_take_pose(const cli_command *command, int letter, const char *value, cli_pose *pose, bool *good) {
  switch (letter) {
  case CLI_ROTATION:
    *good = cli_read_real(command, "--rotation", value, -360, 360, &pose->rotation);
    return true;
  case CLI_TILT:
    *good = cli_read_real(command, "--tilt", value, -180, 180, &pose->tilt);
    return true;
  case CLI_NORMAL:
    *good = read_vector(command, "--normal", value, pose->normal);
    return true;
  case CLI_THROUGH:
    *good = read_vector(command, "--through", value, pose->through);
    return true;
  }
  return false;
}

bool cli_check_pose(const cli_command *command, const cli_pose *pose) {
  const bool turned = !isnan(pose->rotation) || !isnan(pose->tilt), across = !isnan(pose->normal[0]);
  if (!pose->oblique && (turned || across || !isnan(pose->through[0]))) {
    cli_misuse(command, "--tilt, --rotation, --normal and --through are for an oblique plane");
    return false;
  }
  if (turned && across) {
    cli_misuse(command, "--normal says the same as --tilt and --rotation: give one or the other");
    return false;
  }
  if (pose->oblique && !turned && !across) {
    cli_misuse(command, "an oblique plane needs --tilt and --rotation, or --normal");
    return false;
  }
  double rotation, tilt;
  ct_error *error = NULL;
  if (!across || ct_oblique_angles(pose->normal, &rotation, &tilt, &error)) return true;
  cli_misuse(command, "--normal: %s", error->message);
  ct_error_clear(&error);
  return false;
}

ct_oblique cli_pose_plane(const cli_pose *pose, const ct_grid *g) {
  double rotation = isnan(pose->rotation) ? 0 : pose->rotation * M_PI / 180,
         tilt = isnan(pose->tilt) ? 0 : pose->tilt * M_PI / 180;
  if (!isnan(pose->normal[0])) ct_oblique_angles(pose->normal, &rotation, &tilt, NULL);
  const double middle[3] = {g->x0 + 0.5 * (g->nx - 1) * g->dx, g->y0 + 0.5 * (g->ny - 1) * g->dy,
                            g->z0 + 0.5 * (g->nz - 1) * g->dz};
  return ct_oblique_through(g, isnan(pose->through[0]) ? middle : pose->through, rotation, tilt);
}

float *cli_new_oblique(const ct_oblique *oblique, ct_error **error) {
  return ct_oblique_check(oblique, error) ? ct_alloc(ct_oblique_pixels(oblique), sizeof(float), "the slice", error)
                                          : NULL;
}

bool cli_write_oblique(const char *path, const ct_oblique *oblique, ct_png_plane picture, ct_error **error) {
  picture.width = oblique->width;
  picture.height = oblique->height;
  picture.pixel_x = picture.pixel_y = oblique->spacing;
  return ct_png_write_plane(path, &picture, error);
}
