/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a user says of a scan on the command line or in a dialog, as a description based on the one that counts
 * otherwise. */
#include "recon/base/json-text.h"
#include "recon/io/io.h"

#include "recon/base/memory.h"
#include "recon/io/description/description-private.h"
#include "recon/io/open-private.h"
#include "recon/io/shared/io-private.h"

#include <stdlib.h>
#include <string.h>

/* An absolute path of a name in the working directory; "::DATASET" is one in the scan's own file. New text. */
static char *absolute(const char *name, const char *file, ct_error **error) {
  if (strncmp(name, "::", 2) == 0) {
    char *own = absolute(file, "", error), *both = own ? ct_strprintf("%s%s", own, name) : NULL;
    if (own && !both) ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory for a path.");
    ct_free(own);
    return both;
  }
  char *here = realpath(".", NULL), *path = NULL;
  if (here)
    path = ct_path_join(here, name, error);
  else
    ct_error_set(error, CT_ERROR_IO, "The working directory is not there any more.");
  free(here);
  return path;
}

static bool set(json_t *object, const char *key, json_t *value, ct_error **error) {
  return json_object_set_new(object, key, value) == 0 ||
         ct_error_set(error, CT_ERROR_FORMAT, "\"%s\" cannot be told: it is no UTF-8, or memory is short.", key);
}

/* inside: the key of an object around the path, NULL for none. */
static bool set_path(json_t *object, const char *key, const char *inside, const char *name, const char *file,
                     ct_error **error) {
  if (!name) return true;
  char *path = absolute(name, file, error), *text = path ? ct_path_to_utf8(path, error) : NULL;
  const bool good = text && set(object, key, inside ? json_pack("{s:s}", inside, text) : json_string(text), error);
  ct_free(text);
  ct_free(path);
  return good;
}

/* An object that begins with what counts otherwise. */
static json_t *begin(const char *file, const char *description, ct_error **error) {
  if (description && description[strspn(description, " \t\r\n")] == '{')
    return ct_json_parse(description, "The scan description", error);
  const bool folder = ct_path_is_folder(file);
  char *found = NULL;
  if (!description && ct_path_has_extension(file, CT_DESCRIPTION_EXTENSION) && !folder)
    description = file;
  else if (!description)
    description = found = ct_description_find(file, folder, ct_path_is_image(file));
  json_t *root = json_object();
  const bool good = !description || set_path(root, "based_on", NULL, description, file, error);
  ct_free(found);
  if (good) return root;
  json_decref(root);
  return NULL;
}

bool ct_scan_is_unclear(const char *path, ct_dataset_list *list) {
  *list = (ct_dataset_list){0};
  const ct_format *format = ct_path_is_folder(path) ? NULL : ct_probe_any(path);
  if (!format || !format->list_datasets) return false;
  if (format->content && format->content(path, NULL) != CT_CONTENT_EITHER) return false;
  if (!format->list_datasets(path, list, NULL)) return false;
  bool any = false;
  for (size_t i = 0; i < list->count; i++) any |= list->items[i].rank > 1;
  if (!any) ct_dataset_list_clear(list);
  return any;
}

char *ct_scan_tell(const char *path, const char *description, const ct_scan_told *told, ct_error **error) {
  char *container, *dataset, *text = NULL;
  const char *file = ct_path_split_dataset(path, &container, &dataset) ? container : path;
  json_t *root = begin(file, description, error);
  bool good = root && (!told->layout || set(root, "layout", json_string(told->layout), error)) &&
              (!told->dataset || set(root, "dataset", json_string(told->dataset), error)) &&
              set_path(root, "flats", NULL, told->flats, file, error) &&
              set_path(root, "darks", NULL, told->darks, file, error) &&
              set_path(root, "angles_deg", "file", told->angles, file, error);
  if (good && !(text = ct_json_text(root, JSON_COMPACT)))
    ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory for a scan description.");
  char *copy = text ? ct_strdup(text, error) : NULL;
  json_decref(root);
  free(text);
  ct_free(container);
  ct_free(dataset);
  return copy;
}
