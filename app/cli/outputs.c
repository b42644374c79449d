/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Outputs that cannot be made, or would destroy what they are made from, are refused before the work. */
#include "app/cli/cli.h"
#include "recon/base/output.h"
#include "recon/base/path.h"
#include "recon/io/io.h"

bool cli_check_output(const char *path, ct_error **error) {
  ct_output *output = ct_output_begin(path, false, error);
  ct_output_abandon(output);
  return output;
}

bool cli_check_volume(const ct_format *format, const char *path, ct_error **error) {
  const ct_grid least = ct_grid_centred(1, 1, 1, 1, NULL);
  return ct_volume_writer_check(format, path, &least, NULL, error);
}

bool cli_check_apart(const cli_command *command, const char *input, const char *description,
                     const char *const outputs[], int count) {
  for (int n = 0; n < count; n++) {
    if (!outputs[n]) continue;
    if (input && ct_scan_is_destroyed(input, description, outputs[n])) {
      cli_misuse(command, "writing %s would overwrite what is read: give the output another name", outputs[n]);
      return false;
    }
    for (int other = 0; other < n; other++)
      if (outputs[other] && ct_outputs_meet(outputs[n], outputs[other])) {
        cli_misuse(command, "%s cannot be two outputs at once: give each a name of its own", outputs[n]);
        return false;
      }
  }
  return true;
}
