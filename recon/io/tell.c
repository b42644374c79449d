/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a user says of a scan on the command line or in a dialog, as a description based on the one that counts
 * otherwise. */
#include "recon/base/json-text.h"
#include "recon/io/io.h"

#include "recon/base/memory.h"
#include "recon/io/description/description-private.h"
#include "recon/io/open-private.h"
#include "recon/io/shared/io-private.h"

#include <math.h>
#include <stdio.h>
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

/* What a description allows that a user named is allowed on, which it would not be as a mere base. */
static bool keep_links(json_t *root, const char *named, ct_error **error) {
  ct_description *d = ct_description_new(named, NULL, error);
  json_t *links = d ? json_object_get(d->root, "links") : NULL;
  const bool good = d && (!links || set(root, "links", json_incref(links), error));
  ct_description_free(d);
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
  const bool good = !description || (set_path(root, "based_on", NULL, description, file, error) &&
                                     (found || keep_links(root, description, error)));
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
  if (!format->list_datasets(path, false, list, NULL)) return false;
  bool any = false;
  for (size_t i = 0; i < list->count; i++) any |= list->items[i].rank > 1 || list->items[i].elsewhere;
  if (!any) ct_dataset_list_clear(list);
  return any;
}

/* Sets MEMBER.MEMBER...; numbers are places of lists, which are told one after the other. Takes the value. */
static bool set_nested(json_t *at, const char *key, json_t *value) {
  char part[64];
  for (;;) {
    const size_t length = strcspn(key, ".");
    const bool list = json_is_array(at), last = !key[length],
               list_next = !last && key[length + 1] >= '0' && key[length + 1] <= '9';
    if (!value || length >= sizeof part) break;
    memcpy(part, key, length);
    part[length] = 0;
    json_t *child = list ? json_array_get(at, strtoul(part, NULL, 10)) : json_object_get(at, part);
    if (last || !child || !(json_is_object(child) || json_is_array(child))) {
      child = last ? value : list_next ? json_array() : json_object();
      if ((list ? json_array_append_new(at, child) : json_object_set_new(at, part, child)) != 0) return false;
      if (last) return true;
    }
    at = child;
    key += length + 1;
  }
  json_decref(value);
  return false;
}

static bool set_keys(json_t *root, const char *file, const ct_scan_told *told, ct_error **error) {
  if (told->raw && !set_path(root, "files", "raw", file, "", error)) return false;
  for (size_t i = 0; i < told->key_count; i++) {
    const struct ct_told_key *k = &told->keys[i];
    char *end;
    const double number = k->number ? ct_text_to_double(k->value, &end) : 0;
    if (k->number && (end == k->value || end[strspn(end, " \t")] || !isfinite(number)))
      return ct_error_set(error, CT_ERROR_ARGUMENT, "\"%s\": \"%.60s\" is no number.", k->key, k->value);
    json_t *value = !k->number                                       ? json_string(k->value)
                    : number == floor(number) && fabs(number) < 1e15 ? json_integer((json_int_t)number)
                                                                     : json_real(number);
    if (!set_nested(root, k->key, value))
      return ct_error_set(error, CT_ERROR_FORMAT, "\"%s\" cannot be told: it is no UTF-8, or memory is short.", k->key);
  }
  return true;
}

/* described: also of those kinds that can be described as raw samples. */
static bool holds_raw(const char *path, bool described) {
  char text[512];
  uint64_t bytes;
  if (ct_path_is_folder(path) || !ct_file_size(path, &bytes, NULL) || bytes == 0) return false;
  const ct_format *format = ct_probe_any(path);
  if (format && strcmp(format->id, "raw") != 0) return false;
  if (ct_known_file_at(path, text, sizeof text) && !(described && strstr(text, "{\"files\""))) return false;
  char *found = ct_description_find(path, false, false), *beside = ct_strprintf("%s.json", path);
  const bool told = found || (beside && ct_path_exists(beside));
  ct_free(found);
  ct_free(beside);
  return !told;
}

bool ct_scan_is_raw(const char *path) {
  return ct_path_has_extension(path, "raw bin dat vol img seq") && holds_raw(path, false);
}

bool ct_scan_could_be_raw(const char *path) {
  return holds_raw(path, true);
}

char *ct_scan_tell(const char *path, const char *description, const ct_scan_told *told, ct_error **error) {
  char *container, *dataset, *text = NULL;
  const char *file = ct_path_split_dataset(path, &container, &dataset) ? container : path;
  json_t *root = begin(file, description, error);
  bool good = root && (!told->layout || set(root, "layout", json_string(told->layout), error)) &&
              (!told->links || set(root, "links", json_string(told->links), error)) &&
              (!told->dataset || set(root, "dataset", json_string(told->dataset), error)) &&
              set_path(root, "flats", NULL, told->flats, file, error) &&
              set_path(root, "darks", NULL, told->darks, file, error) &&
              set_path(root, "angles_deg", "file", told->angles, file, error);
  good = good && set_keys(root, file, told, error);
  if (good && !(text = ct_json_text(root, JSON_COMPACT)))
    ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory for a scan description.");
  char *copy = text ? ct_strdup(text, error) : NULL;
  json_decref(root);
  free(text);
  ct_free(container);
  ct_free(dataset);
  return copy;
}

char *ct_scan_allow_links(const char *path, const char *description) {
  const ct_scan_told told = {.links = "anywhere"};
  return ct_scan_tell(path, description, &told, NULL);
}
