/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a slice's ImageDescription tells: Gantry's own JSON, alone or behind ImageJ's lines, OME-XML, or the lines
 * that ImageJ writes. */
#include "recon/base/json-text.h"
#include "recon/base/memory.h"
#include "recon/base/text-stream.h"
#include "recon/base/text.h"
#include "recon/base/units.h"
#include "recon/io/shared/array-private.h"
#include "recon/io/shared/json-private.h"
#include "recon/io/tiff/tiff-private.h"

#include <jansson.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool read_triple(const json_t *root, const char *key, double values[3]) {
  const json_t *list = json_object_get(root, key);
  if (json_array_size(list) != 3) return false;
  for (size_t i = 0; i < 3; i++) {
    const json_t *item = json_array_get(list, i);
    if (!json_is_number(item)) return false;
    values[i] = json_number_value(item);
  }
  return true;
}

/* Numbers that need all digits are kept as JSON reals, which jansson writes with 17 digits. */
static json_t *triple(double a, double b, double c) {
  json_t *list = json_array();
  const double values[3] = {a, b, c};
  for (int i = 0; i < 3; i++)
    if (json_array_append_new(list, json_real(values[i])) != 0) {
      json_decref(list);
      return NULL;
    }
  return list;
}

static bool parse_ours(const json_t *root, const char *path, ct_tiff_meta *meta, ct_error **error) {
  if (!read_triple(root, "spacing_mm", meta->spacing) || !read_triple(root, "origin_mm", meta->origin))
    return ct_error_set(error, CT_ERROR_FORMAT, "%s: its description lacks spacing_mm or origin_mm", path);
  for (int i = 0; i < 3; i++) meta->has_spacing[i] = true;
  meta->in_pixels = ct_json_is_in_pixels(root);
  const json_t *low = json_object_get(root, "value_of_0"), *high = json_object_get(root, "value_of_65535");
  if (json_is_number(low) && json_is_number(high)) {
    meta->low = json_number_value(low);
    meta->high = json_number_value(high);
  }
  const json_int_t slices = json_integer_value(json_object_get(root, "slices"));
  meta->slices = slices > 0 && slices <= INT_MAX ? (int)slices : 0;
  const char *plan = json_string_value(json_object_get(root, "plan"));
  if (plan && !(meta->plan = ct_strdup(plan, error))) return false;
  meta->ours = true;
  return true;
}

/* ImageJ names the unit and the slice spacing in its lines; the pixels' pitch was read with the page. */
static void parse_imagej(const char *text, ct_tiff_meta *meta) {
  const char *unit = strstr(text, "\nunit="), *spacing = strstr(text, "\nspacing=");
  const double mm = unit ? ct_unit_to_mm(unit + 6, strcspn(unit + 6, "\r\n")) : 0;
  const double step = spacing ? ct_text_to_double(spacing + 9, NULL) * mm : 0;
  if (step > 0 && isfinite(step)) {
    meta->spacing[2] = step;
    meta->has_spacing[2] = true;
  }
}

/* Others write JSON too: only an object that names Gantry counts. */
static bool parse_json(const char *text, const char *path, ct_tiff_meta *meta, ct_error **error) {
  json_t *root;
  if (!ct_json_try(text, JSON_REJECT_DUPLICATES, &root, error)) return false;
  const char *software = json_string_value(json_object_get(root, "software"));
  const bool good = !software || strncmp(software, "Gantry", 6) != 0 || parse_ours(root, path, meta, error);
  json_decref(root);
  return good;
}

/* Planes of one channel at one time are slices. */
static bool parse_ome(const char *text, const char *path, ct_tiff_meta *meta, ct_error **error) {
  ct_ome ome;
  bool good = true;
  if (!ct_tiff_parse_ome(text, &ome)) return true;
  for (int i = 0; i < 3; i++)
    if (ome.size[i] > 0) {
      meta->spacing[i] = ome.size[i];
      meta->has_spacing[i] = true;
    }
  if (ome.channels > 1 || ome.times > 1)
    good = ct_error_set(error, CT_ERROR_UNSUPPORTED,
                        "%s is an OME-TIFF of %d channels and %d times; save one of them as a volume.", path,
                        ome.channels, ome.times);
  else if (ome.comment)
    good = parse_json(ome.comment, path, meta, error);
  ct_free(ome.comment);
  return good;
}

bool ct_tiff_parse_meta(const ct_tiff *file, ct_tiff_meta *meta, ct_error **error) {
  *meta = (ct_tiff_meta){.low = NAN, .high = NAN};
  const ct_image_facts *facts = &file->page.facts;
  if (facts->pitch_x > 0 && facts->pitch_y > 0) {
    meta->spacing[0] = facts->pitch_x;
    meta->spacing[1] = facts->pitch_y;
    meta->has_spacing[0] = meta->has_spacing[1] = true;
  }
  const char *text = ct_tiff_get_description(file);
  if (!text) return true;
  const bool imagej = ct_tiff_is_imagej(text);
  if (imagej) parse_imagej(text, meta);
  if (ct_tiff_is_ome(text)) return parse_ome(text, file->path, meta, error);
  const char *json = text[0] == '{' ? text : imagej ? strstr(text, "\n{") : NULL; /* ours ends with it */
  return !json || parse_json(json, file->path, meta, error);
}

char *ct_tiff_format_meta(const ct_volume_header *header, int slice, ct_error **error) {
  const ct_grid *grid = &header->grid;
  json_t *root = json_object();
  bool good = root && json_object_set_new(root, "software", json_string("Gantry " GANTRY_VERSION)) == 0 &&
              json_object_set_new(root, "unit", json_string(header->units.value)) == 0 &&
              json_object_set_new(root, "rows", json_string("row 0 is the lowest y")) == 0 &&
              json_object_set_new(root, "spacing_mm", triple(grid->dx, grid->dy, grid->dz)) == 0 &&
              json_object_set_new(root, "origin_mm", triple(grid->x0, grid->y0, grid->z0)) == 0 &&
              json_object_set_new(root, "slices", json_integer(grid->nz)) == 0;
  if (good && slice >= 0)
    good = json_object_set_new(root, "slice", json_integer(slice)) == 0 &&
           json_object_set_new(root, "z_mm", json_real(grid->z0 + slice * grid->dz)) == 0;
  if (good && header->integers)
    good = json_object_set_new(root, "value_of_0", json_real(header->low)) == 0 &&
           json_object_set_new(root, "value_of_65535", json_real(header->high)) == 0;
  if (good && header->plan) {
    json_t *text = json_string(header->plan); /* NULL when it is not UTF-8 */
    good = text && json_object_set_new(root, "plan", text) == 0;
  }
  char *text = good ? ct_json_text(root, JSON_PRESERVE_ORDER | JSON_COMPACT | JSON_ENSURE_ASCII) : NULL;
  json_decref(root);
  if (!text) {
    ct_error_set(error, CT_ERROR_MEMORY, "Not enough memory to describe the slices (or their plan is not UTF-8 text)");
    return NULL;
  }
  char *copy = ct_strdup(text, error);
  free(text);
  return copy;
}

/* "images=" is left out: by it ImageJ and others take the samples of all pages to follow each other without a gap. The
 * unit is that of the resolution tags, which ImageJ does not convert. */
char *ct_tiff_format_imagej(const ct_volume_header *header, int slice, const char *json, ct_error **error) {
  const bool scaled = !ct_units_are_pixels(header->units);
  char *text = NULL, number[3][32];
  size_t length;
  FILE *to = ct_text_stream(&text, &length);
  bool good = to != NULL;
  if (to) {
    fputs("ImageJ=1.11a\n", to);
    if (slice < 0) fprintf(to, "slices=%d\n", header->grid.nz);
    fprintf(to, "unit=%s\nspacing=%s\n", scaled ? "cm" : "pixel",
            ct_double_to_text(header->grid.dz / (scaled ? 10 : 1), number[0]));
    if (header->integers) /* function 0 is a straight line */
      fprintf(to, "cf=0\nc0=%s\nc1=%s\nvunit=%s\n", ct_double_to_text(header->low, number[1]),
              ct_double_to_text((header->high - header->low) / 65535, number[2]), header->units.value);
    fputs(json, to);
    good = fclose(to) == 0;
  }
  char *copy = good ? ct_strdup(text, error) : NULL;
  free(text);
  if (!copy) ct_error_set(error, CT_ERROR_MEMORY, "Not enough memory to describe the slices");
  return copy;
}
