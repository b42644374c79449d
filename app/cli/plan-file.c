/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The plan that a run begins with: from its own file, or out of a volume that it made; and whether it is the scan's
 * own. */
#include "app/cli/cli.h"
#include "recon/base/memory.h"
#include "recon/base/path.h"
#include "recon/io/io.h"

static bool take_from_volume(const char *path, ct_plan *plan, ct_identity *input, ct_error **error) {
  char *carried;
  if (!ct_volume_read_plan(path, &carried, error)) {
    if (error && (*error)->code == CT_ERROR_FORMAT)
      ct_error_prefix(error, "Neither a plan in JSON nor a volume that carries one");
    return false;
  }
  bool good = carried || ct_error_set(error, CT_ERROR_FORMAT, "%s carries no plan.", path);
  if (good && !ct_plan_from_json(plan, input, carried, error)) {
    ct_error_prefix(error, "%s, the plan in it", path);
    good = false;
  }
  ct_free(carried);
  return good;
}

bool cli_tell_other_scan(const ct_identity *input, const char *plan, ct_scan *scan, cli_watch *watch,
                         ct_error **error) {
  char *note = NULL;
  if (!ct_identity_compare(input, plan, scan, &note, error)) return false;
  if (note) cli_watch_warn(watch, note);
  ct_free(note);
  return true;
}

bool cli_load_plan(const char *path, ct_plan *plan, ct_identity *input, ct_error **error) {
  ct_plan_init(plan);
  return ct_path_has_extension(path, "json") || ct_plan_is_file(path) ? ct_plan_load(plan, input, path, error)
                                                                      : take_from_volume(path, plan, input, error);
}
