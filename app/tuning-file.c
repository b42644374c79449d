/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A device's settings as a file named after its name and driver. */
#include "app/tuning-file.h"

#include "app/cache.h"
#include "recon/base/memory.h"
#include "recon/base/output.h"
#include "recon/base/text.h"

#include <sys/stat.h>

enum { MOST_BYTES = 16384 };

static const char *const what = "a graphics device's settings";

char *gantry_tuning_path(const ctgl_device_facts *facts, ct_error **error) {
  return gantry_cache_path("tuning", (const char *const[]){facts->name, facts->driver}, 2, "txt", what, error);
}

static bool save(ct_bp_device *device, ct_error **error) {
  char *path = gantry_tuning_path(ctgl_device_get_facts(device), error);
  char *text = path ? ctgl_device_save_tuning(device, error) : NULL;
  const bool good = text && ct_output_write_text(path, text, error);
  ct_free(text);
  ct_free(path);
  return good;
}

bool gantry_tuning_search(ct_bp_device *device, int edge, const ctgl_tuning_watcher *watcher, ct_job *job,
                          ct_error **error) {
  return gantry_cache_make(what, error) && ctgl_device_tune(device, edge, watcher, job, error) && save(device, error);
}

/* The kept text (ct_free) and since when; *text NULL: there is none. */
static bool read_kept(const ctgl_device_facts *facts, char **text, time_t *when, ct_error **error) {
  struct stat status;
  char *path = gantry_tuning_path(facts, NULL);
  const bool there = path && stat(path, &status) == 0;
  *text = there ? ct_read_text(path, MOST_BYTES, NULL, error) : NULL;
  *when = there ? status.st_mtime : 0;
  ct_free(path);
  return !there || *text;
}

/* A message about the file begins with its name. */
static bool blame(const ctgl_device_facts *facts, ct_error **error) {
  char *path = gantry_tuning_path(facts, NULL);
  if (path) ct_error_prefix(error, "%s", path);
  ct_free(path);
  return false;
}

bool gantry_tuning_load(ct_bp_device *device, ct_error **error) {
  const ctgl_device_facts *facts = ctgl_device_get_facts(device);
  char *text;
  time_t when;
  if (!read_kept(facts, &text, &when, error)) return false;
  const bool good = !text || ctgl_device_load_tuning(device, text, error) || blame(facts, error);
  ct_free(text);
  return good;
}

bool gantry_tuning_look(const ctgl_device_facts *facts, gantry_tuning_kept *kept, ct_error **error) {
  char *text;
  *kept = (gantry_tuning_kept){0};
  if (!read_kept(facts, &text, &kept->when, error)) return false;
  kept->there = text && ctgl_read_tuning_rates(facts, text, &kept->rates, error);
  const bool good = !text || kept->there || blame(facts, error);
  ct_free(text);
  return good;
}
