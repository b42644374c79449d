/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gantry-cli batch: where the volumes go, and that nothing is lost by it. */
#include "app/cli/batch.h"
#include "recon/base/text-stream.h"
#include "recon/base/memory.h"
#include "recon/base/path.h"

#include <stdlib.h>
#include <string.h>

/* What a file is called without its extension: "bell" of "scans/bell.scan.json", "frames" of "frames/". Characters that
 * make no file's name (of patterns and datasets) are left out or become '-'. */
static void stem_of(const char *path, char *name, size_t size) {
  size_t length = strlen(path), kept = 0;
  while (length > 1 && path[length - 1] == '/') length--;
  const char *dataset = strstr(path, "::");
  size_t begin = dataset ? (size_t)(dataset - path) : length;
  while (begin > 0 && path[begin - 1] != '/') begin--;
  size_t end = length;
  if (!dataset && !ct_path_is_folder(path))
    for (int cut = 0; cut < 2; cut++) {
      size_t dot = end;
      while (dot > begin && path[dot] != '.') dot--;
      const char *extension = path + dot + 1;
      const bool known = cut == 0 || (end - dot == 5 && !strncmp(extension, "scan", 4));
      if (dot > begin && known) end = dot;
    }
  for (size_t i = begin; i < end && kept + 1 < size; i++)
    if (!strchr("*?#%", path[i])) name[kept++] = strchr("/:", path[i]) ? '-' : path[i];
  name[kept] = 0;
}

/* The name of the scan's folder; "" where the path names none. */
static void folder_of(const char *path, char *name, size_t size) {
  char *folder = ct_path_folder(path, NULL);
  snprintf(name, size, "%s", folder && strcmp(folder, ".") ? ct_path_name(folder) : "");
  ct_free(folder);
}

/* What a placeholder stands for; false for an unknown one. */
static bool find_value(const cli_batch_row *row, size_t number, const char *key, size_t length, char *text,
                       size_t size) {
  const char *of_plan = row->plan_file ? row->plan_file : row->asked.plan_file;
  text[0] = 0;
  if (length == 4 && !strncmp(key, "name", 4))
    /* A plan alone is called by its own name: there may be several of one scan. */
    stem_of(row->plan_file && !row->origin ? row->plan_file : row->scan ? row->scan : "", text, size);
  else if (length == 4 && !strncmp(key, "plan", 4))
    stem_of(of_plan ? of_plan : "default", text, size);
  else if (length == 6 && !strncmp(key, "folder", 6))
    folder_of(row->scan ? row->scan : "", text, size);
  else if (length == 6 && !strncmp(key, "number", 6))
    snprintf(text, size, "%02zu", number);
  else
    return false;
  return true;
}

static char *name_output(const cli_batch_row *row, size_t number, const char *pattern, ct_error **error) {
  char *text = NULL;
  size_t size = 0;
  bool good = true;
  FILE *to = ct_text_stream(&text, &size);
  if (!to) {
    ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory for the names of the outputs.");
    return NULL;
  }
  for (const char *at = pattern; *at && good;) {
    char value[256];
    const char *end = *at == '{' ? strchr(at, '}') : NULL;
    if (!end) {
      fputc(*at++, to);
      continue;
    }
    good = find_value(row, number, at + 1, (size_t)(end - at - 1), value, sizeof value);
    if (!good)
      ct_error_set(error, CT_ERROR_ARGUMENT,
                   "%s: {%.*s} stands for nothing; there are {name}, {plan}, {folder} and "
                   "{number}",
                   pattern, (int)(end - at - 1), at + 1);
    fputs(value, to);
    at = end + 1;
  }
  good = fclose(to) == 0 && good;
  char *made = good ? ct_strdup(text, error) : NULL;
  free(text);
  if (!made) ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory for the names of the outputs.");
  return made;
}

/* A folder stands for {name} in it. */
static char *complete(const cli_batch_row *row, const char *pattern, ct_error **error) {
  const size_t length = strlen(pattern);
  const bool slash = length && pattern[length - 1] == '/';
  const bool plain = !strchr(pattern, '{') && !strchr(ct_path_name(pattern), '.');
  if (!slash && !plain && !ct_path_is_folder(pattern)) return ct_strdup(pattern, error);
  const ct_format *format = ct_format_find(row->asked.plan.format);
  const char *extension = format ? format->extensions : "";
  char *made = ct_strprintf("%s%s{name}%s%.*s", pattern, slash ? "" : "/", *extension ? "." : "",
                            (int)strcspn(extension, " "), extension);
  if (!made) ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory for the names of the outputs.");
  return made;
}

/* Files that lie beside each other are called the same as far as the first dot. */
static bool may_meet(const char *a, const char *b) {
  const char *one = ct_path_name(a), *other = ct_path_name(b);
  const size_t length = strcspn(one, ".");
  return length == strcspn(other, ".") && !strncmp(one, other, length);
}

static bool check_different(const cli_batch *batch, ct_error **error) {
  for (size_t i = 0; i < batch->count; i++)
    for (size_t n = 0; n < i; n++) {
      const char *a = batch->rows[i].output, *b = batch->rows[n].output;
      if (may_meet(a, b) && ct_outputs_meet(a, b))
        return ct_error_set(error, CT_ERROR_ARGUMENT,
                            "%zu and %zu would both be written to %s: give the pattern {name}, {plan}, {folder} or "
                            "{number}",
                            n + 1, i + 1, a);
    }
  return true;
}

bool cli_batch_name_outputs(cli_batch *batch, const char *pattern, ct_error **error) {
  for (size_t i = 0; i < batch->count; i++) {
    cli_batch_row *row = &batch->rows[i];
    if (!row->output && !pattern)
      return ct_error_set(error, CT_ERROR_ARGUMENT, "-o PATTERN is needed, for example -o 'volumes/{name}.mha'");
    char *whole = row->output ? NULL : complete(row, pattern, error);
    if (!row->output && (!whole || !(row->output = name_output(row, i + 1, whole, error)))) {
      ct_free(whole);
      return false;
    }
    ct_free(whole);
    row->asked.output = row->output;
  }
  return check_different(batch, error);
}

/* What is not there cannot be destroyed; a row's own scan is asked for in any case, as reconstruct does. */
bool cli_batch_check_inputs(const cli_batch *batch, ct_error **error) {
  for (size_t i = 0; i < batch->count; i++) {
    const char *output = batch->rows[i].output;
    const bool there = ct_output_is_there(output);
    for (size_t n = 0; n < batch->count; n++) {
      const cli_batch_row *other = &batch->rows[n];
      if (!there && n != i) continue;
      const bool scan = other->scan && strcmp(other->scan, "example") != 0 &&
                        ct_scan_is_destroyed(other->scan, other->description, output);
      if (scan || (other->plan_file && ct_outputs_meet(other->plan_file, output)))
        return ct_error_set(error, CT_ERROR_ARGUMENT,
                            "writing %s would overwrite what is read: give the outputs another name", output);
    }
  }
  return true;
}
