/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gantry-cli info --datasets: the arrays inside a file, with their shapes and types. */
#include "app/cli/cli.h"
#include "app/cli/info.h"
#include "app/json.h"
#include "recon/base/shown.h"

#include <string.h>

static json_t *dataset_object(const ct_dataset *d) {
  json_t *object = json_object(), *dims = json_array();
  for (int i = 0; i < d->rank; i++) json_array_append_new(dims, json_integer((json_int_t)d->dims[i]));
  json_object_set_new(object, "path", gantry_json_text(d->path));
  json_object_set_new(object, "dims", dims);
  json_object_set_new(object, "type", gantry_json_text(d->type));
  json_object_set_new(object, "trouble", gantry_json_text(d->trouble));
  json_object_set_new(object, "elsewhere", json_boolean(d->elsewhere));
  return object;
}

static void print_dataset(const ct_dataset *d, int width) {
  char shape[160] = "", path[CT_SHOWN];
  for (int i = 0; i < d->rank; i++)
    snprintf(shape + strlen(shape), sizeof shape - strlen(shape), "%s%llu", i ? " x " : "",
             (unsigned long long)d->dims[i]);
  printf("  %-*s %-8s %s\n", width, ct_shown(d->path, path, sizeof path), d->type, shape);
  if (d->trouble) cli_print_wrapped(stdout, 6, d->trouble);
  if (d->elsewhere)
    cli_print_wrapped(stdout, 6, "in a file outside the folder: read, and looked at, with --links anywhere alone");
}

bool cli_info_of_datasets(const char *path, bool anywhere, bool json, ct_error **error) {
  ct_dataset_list list;
  if (!ct_file_list_datasets(path, anywhere, &list, error)) return false;
  json_t *array = json ? json_array() : NULL;
  int width = 0;
  for (size_t i = 0; i < list.count; i++)
    if ((int)strlen(list.items[i].path) > width) width = (int)strlen(list.items[i].path);
  for (size_t i = 0; i < list.count; i++) {
    if (json)
      json_array_append_new(array, dataset_object(&list.items[i]));
    else
      print_dataset(&list.items[i], width < 60 ? width : 60);
  }
  if (!json && list.count == 0) puts("The file holds no arrays of numbers.");
  if (!json && list.more) puts("  ... and more.");
  ct_dataset_list_clear(&list);
  return !json || gantry_json_print(array, error);
}
