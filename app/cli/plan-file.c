/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The plan that a run begins with: from its own file, or out of a volume that it made. */
#include "app/cli/cli.h"
#include "recon/base/path.h"
#include "recon/io/io.h"

static bool take_from_volume(const char *path, ct_plan *plan, ct_identity *input, ct_error **error) {
  ct_volume *volume = ct_volume_read(path, NULL, error);
  if (!volume) {
    if (error && (*error)->code == CT_ERROR_FORMAT)
      ct_error_prefix(error, "Neither a plan in JSON nor a volume that carries one");
    return false;
  }
  const char *carried = ct_volume_get_plan(volume);
  bool good = carried || ct_error_set(error, CT_ERROR_FORMAT, "%s carries no plan.", path);
  if (good && !ct_plan_from_json(plan, input, carried, error)) {
    ct_error_prefix(error, "%s, the plan in it", path);
    good = false;
  }
  ct_volume_free(volume);
  return good;
}

bool cli_load_plan(const char *path, ct_plan *plan, ct_identity *input, ct_error **error) {
  ct_plan_init(plan);
  return ct_path_has_extension(path, "json") || ct_plan_is_file(path) ? ct_plan_load(plan, input, path, error)
                                                                      : take_from_volume(path, plan, input, error);
}
