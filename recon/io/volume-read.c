/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading volumes, and the plans that they carry. */
#include "recon/base/memory.h"
#include "recon/io/open-private.h"

ct_volume *ct_volume_read(const char *path, ct_job *job, ct_error **error) {
  char *file, *dataset;
  const ct_format *format = ct_probe_dataset(path, CT_FORMAT_READ_VOLUME, &file, &dataset, error);
  ct_volume *volume = format ? format->read_volume(file, dataset, job, error) : NULL;
  ct_free(file);
  ct_free(dataset);
  return volume;
}

bool ct_volume_read_plan(const char *path, char **plan, ct_error **error) {
  char *file, *dataset;
  const ct_format *format = ct_probe_dataset(path, CT_FORMAT_READ_VOLUME, &file, &dataset, error);
  *plan = NULL;
  const bool good = format && format->read_plan(file, dataset, plan, error);
  ct_free(file);
  ct_free(dataset);
  return good;
}
