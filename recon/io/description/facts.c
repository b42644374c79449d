/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a scan description tells about the geometry and the values, which replaces what a file tells. */
#include "recon/base/memory.h"
#include "recon/geom/questions.h"
#include "recon/io/description/description-private.h"
#include "recon/io/shared/angle-text.h"
#include "recon/io/shared/io-private.h"

#include <math.h>
#include <string.h>

static bool get_number(const ct_description *d, const char *key, double *number, bool *told, ct_error **error) {
  const json_t *value = json_object_get(d->root, key);
  *told = value != NULL;
  return !value || ct_json_number(value, d->path, key, number, error);
}

/* One of the given texts; its index in *choice. */
/* "line-integrals" as on the command line is "line integrals". */
static bool same_words(const char *a, const char *b) {
  for (; *a && (*a == *b || (*a == '-' && *b == ' ')); a++, b++) {
  }
  return *a == *b;
}

static bool get_choice(const ct_description *d, const char *key, const char *const *texts, int count, int *choice,
                       bool *told, ct_error **error) {
  const json_t *value = json_object_get(d->root, key);
  *told = value != NULL;
  if (!value) return true;
  char list[160] = "";
  for (int i = 0; i < count; i++) {
    if (json_is_string(value) && same_words(json_string_value(value), texts[i])) {
      *choice = i;
      return true;
    }
    snprintf(list + strlen(list), sizeof list - strlen(list), "%s\"%s\"",
             i == 0           ? ""
             : i == count - 1 ? " or "
                              : ", ",
             texts[i]);
  }
  return ct_error_set(error, CT_ERROR_FORMAT, "%s: \"%s\" must be %s.", d->path, key, list);
}

static bool get_flag(const ct_description *d, const char *key, bool *flag, ct_error **error) {
  const json_t *value = json_object_get(d->root, key);
  if (!value) return true;
  if (!json_is_boolean(value))
    return ct_error_set(error, CT_ERROR_FORMAT, "%s: \"%s\" must be true or false.", d->path, key);
  *flag = json_is_true(value);
  return true;
}

static bool apply_pixel(const ct_description *d, ct_scan_facts *facts, ct_error **error) {
  const json_t *value = json_object_get(d->root, "pixel_mm");
  if (!value) return true;
  double pitch[2];
  if (json_is_number(value)) {
    if (!ct_json_number(value, d->path, "pixel_mm", &pitch[0], error)) return false;
    pitch[1] = pitch[0];
  } else if (!ct_json_numbers(value, d->path, "pixel_mm", 2, pitch, error)) {
    return false;
  }
  if (!(pitch[0] > 0 && pitch[1] > 0))
    return ct_error_set(error, CT_ERROR_FORMAT, "%s: \"pixel_mm\" must be greater than 0.", d->path);
  facts->geometry.du = pitch[0];
  facts->geometry.dv = pitch[1];
  facts->known |= CT_KNOWN_PITCH;
  return true;
}

bool ct_description_leads_anywhere(const ct_description *description) {
  const char *links = json_string_value(json_object_get(description->root, "links"));
  return links && strcmp(links, "anywhere") == 0;
}

bool ct_description_fetch_angles(ct_description *d, ct_angles_reader read, ct_error **error) {
  const json_t *value = json_object_get(d->root, "angles_deg");
  const char *name = json_string_value(json_object_get(value, "file"));
  char *path = name ? ct_path_join_utf8(d->folder, name, error) : NULL, *file = NULL, *dataset = NULL;
  double *degrees = NULL;
  size_t count = 0;
  if (name && !path) return false;
  bool good = true;
  if (path && ct_path_split_dataset(path, &file, &dataset) &&
      (good = read(path, ct_description_leads_anywhere(d), &degrees, &count, error))) {
    json_t *list = json_array();
    for (size_t i = 0; i < count && good; i++) good = json_array_append_new(list, json_real(degrees[i])) == 0;
    good = (good && json_object_set(d->root, "angles_deg", list) == 0) ||
           ct_error_set(error, CT_ERROR_DATA, "%s: its angles are not all finite numbers.", path);
    json_decref(list);
  }
  ct_free(degrees);
  ct_free(file);
  ct_free(dataset);
  ct_free(path);
  return good;
}

/* The numbers of a list or of {"file"}. */
static bool get_list(const ct_description *d, const char *key, double **numbers, size_t *count, ct_error **error) {
  static const char *const file_keys[] = {"file", NULL};
  const json_t *value = json_object_get(d->root, key), *name = json_object_get(value, "file");
  *numbers = NULL;
  if (json_is_array(value)) {
    *count = json_array_size(value);
    *numbers = ct_alloc(*count + 1, sizeof **numbers, "the numbers of a description", error);
    return *numbers && ct_json_numbers(value, d->path, key, *count, *numbers, error);
  }
  char *file = ct_path_join_utf8(d->folder, json_string_value(name), error);
  const bool good =
      file && ct_json_check_keys(value, d->path, file_keys, error) && ct_read_numbers(file, numbers, count, error);
  ct_free(file);
  return good;
}

static bool is_list(const json_t *value) {
  return json_is_array(value) || json_is_string(json_object_get(value, "file"));
}

/* A list, or {"first", "step"}, or {"file"}. */
static bool apply_angles(const ct_description *d, ct_scan_facts *facts, ct_error **error) {
  static const char *const arc_keys[] = {"first", "step", NULL}, *const file_keys[] = {"file", NULL};
  const json_t *value = json_object_get(d->root, "angles_deg");
  if (!value) return true;
  ct_geometry *g = &facts->geometry;
  if (!g->angles)
    return ct_error_set(error, CT_ERROR_FORMAT, "%s: the scan has matrices and takes no \"angles_deg\".", d->path);
  double *degrees = NULL;
  size_t count = (size_t)g->views;
  bool good = true;
  if (json_is_array(value)) {
    good = get_list(d, "angles_deg", &degrees, &count, error);
  } else if (json_is_string(json_object_get(value, "file"))) {
    char *file = ct_path_join_utf8(d->folder, json_string_value(json_object_get(value, "file")), error);
    good = file && ct_json_check_keys(value, d->path, file_keys, error) &&
           ct_read_angle_text(file, count, &degrees, &count, facts->remarks, error);
    ct_free(file);
  } else if (json_is_object(value)) {
    double first = 0, step = 0;
    const json_t *f = json_object_get(value, "first");
    good = ct_json_check_keys(value, d->path, arc_keys, error) &&
           (!f || ct_json_number(f, d->path, "angles_deg first", &first, error)) &&
           ct_json_number(json_object_get(value, "step"), d->path, "angles_deg step", &step, error);
    /* An angle belongs to the number of an image, not to its rank among those that are there. */
    for (int i = 0; good && i < g->views; i++)
      g->angles[i] = (first + (facts->numbers ? facts->numbers[i] : i) * step) * (M_PI / 180);
  } else {
    good = ct_error_set(error, CT_ERROR_FORMAT,
                        "%s: \"angles_deg\" must be a list, {\"first\": .., \"step\": ..} or {\"file\": ..}.", d->path);
  }
  if (good && count != (size_t)g->views)
    good = ct_error_set(error, CT_ERROR_DATA, "%s: \"angles_deg\" gives %zu angles for %d projections.", d->path, count,
                        g->views);
  for (int i = 0; good && degrees && i < g->views; i++) g->angles[i] = degrees[i] * (M_PI / 180);
  ct_free(degrees);
  if (good) facts->known |= CT_KNOWN_ANGLES;
  return good;
}

/* [[12 numbers] per view] or {"file"} with 12 numbers a view, row-major, of any scale; divided so that w = 1 at the
 * isocentre. */
static bool apply_matrices(const ct_description *d, ct_scan_facts *facts, ct_error **error) {
  const json_t *value = json_object_get(d->root, "matrices");
  if (!value) return true;
  const ct_geometry old = facts->geometry;
  double *numbers = NULL;
  size_t count = 0;
  bool good = true;
  if (json_is_array(value)) {
    count = json_array_size(value);
    numbers = ct_alloc(count + 1, 12 * sizeof *numbers, "the matrices", error);
    good = numbers;
    for (size_t i = 0; good && i < count; i++)
      good = ct_json_numbers(json_array_get(value, i), d->path, "matrices", 12, numbers + 12 * i, error);
  } else if (json_is_string(json_object_get(value, "file"))) {
    char *file = ct_path_join_utf8(d->folder, json_string_value(json_object_get(value, "file")), error);
    good = file && ct_read_numbers(file, &numbers, &count, error);
    ct_free(file);
    if (good && count % 12 != 0)
      good =
          ct_error_set(error, CT_ERROR_DATA,
                       "%s: the file of the \"matrices\" must hold 12 numbers per view, it holds %zu.", d->path, count);
    count /= 12;
  } else {
    good = ct_error_set(error, CT_ERROR_FORMAT,
                        "%s: \"matrices\" must be a list of lists of 12 numbers, or {\"file\": ..}.", d->path);
  }
  if (good && count != (size_t)old.views)
    good = ct_error_set(error, CT_ERROR_DATA, "%s: \"matrices\" gives %zu matrices for %d projections.", d->path, count,
                        old.views);
  ct_geometry g = {0};
  if (good) good = ct_geometry_init_matrices(&g, old.nu, old.nv, old.views, error);
  for (int view = 0; good && view < g.views; view++) {
    const double *from = numbers + 12 * (size_t)view, scale = from[11];
    if (scale == 0 || !isfinite(1 / scale))
      good = ct_error_set(error, CT_ERROR_DATA, "%s: matrix %d has no isocentre: its last number is 0.", d->path, view);
    for (int i = 0; good && i < 12; i++) g.matrices[12 * (size_t)view + (size_t)i] = from[i] / scale;
  }
  ct_free(numbers);
  if (!good) {
    ct_geometry_clear(&g);
    return false;
  }
  g.du = old.du;
  g.dv = old.dv;
  g.sod = old.sod;
  g.sdd = old.sdd;
  ct_geometry_clear(&facts->geometry);
  facts->geometry = g;
  facts->known |= CT_KNOWN_ANGLES | CT_KNOWN_BEAM | CT_KNOWN_DISTANCES | CT_KNOWN_CENTRE;
  return true;
}

static bool apply_beam(const ct_description *d, ct_scan_facts *facts, ct_error **error) {
  const char *ids[16];
  int count = 0, kinds;
  const ct_beam_kind *kind = ct_beam_kinds(&kinds);
  for (; count < kinds && count < 16; count++) ids[count] = kind[count].id;
  ct_geometry *g = &facts->geometry;
  const bool matrices = json_object_get(d->root, "matrices");
  int choice = 0;
  bool told, has_sod, has_sdd;
  if (!get_number(d, "sod_mm", &g->sod, &has_sod, error) || !get_number(d, "sdd_mm", &g->sdd, &has_sdd, error) ||
      !get_choice(d, "beam", ids, count, &choice, &told, error))
    return false;
  if (has_sod && has_sdd) facts->known |= CT_KNOWN_DISTANCES;
  const bool takes = told && ct_beam_takes(kind[choice].beam, CT_TAKES_MATRICES),
             has = ct_geometry_takes(g, CT_TAKES_MATRICES);
  if (matrices && told && !takes)
    return ct_error_set(error, CT_ERROR_FORMAT, "%s: \"matrices\" go with the beam \"free\" only.", d->path);
  if (matrices) return true;
  if (takes && !has) return ct_error_set(error, CT_ERROR_FORMAT, "%s: the beam \"free\" needs \"matrices\".", d->path);
  if (told && has && !takes)
    return ct_error_set(error, CT_ERROR_FORMAT, "%s: the scan has matrices, so that its beam cannot be \"%s\".",
                        d->path, ids[choice]);
  if (told) g->beam = kind[choice].beam;
  /* Distances without a beam imply a divergent one. */
  else if (has_sod && has_sdd && g->beam == CT_BEAM_PARALLEL && !(facts->known & CT_KNOWN_BEAM))
    g->beam = ct_beam_divergent(g->nv);
  else
    return true;
  facts->known |= CT_KNOWN_BEAM;
  if (ct_geometry_takes(g, CT_TAKES_DISTANCES) && !(facts->known & CT_KNOWN_DISTANCES))
    return ct_error_set(error, CT_ERROR_FORMAT, "%s: a %s needs \"sod_mm\" and \"sdd_mm\".", d->path,
                        ct_beam_title(g->beam));
  return true;
}

/* Opening has acted on them already. */
static bool check_opening(const ct_description *d, ct_error **error) {
  static const char *const links[] = {"folder", "anywhere"};
  const char *const layouts[] = {ct_choice_id(ct_layout_choices, CT_LAYOUT_PROJECTIONS),
                                 ct_choice_id(ct_layout_choices, CT_LAYOUT_SINOGRAMS)};
  int choice;
  bool told;
  return get_choice(d, "layout", layouts, 2, &choice, &told, error) &&
         get_choice(d, "links", links, 2, &choice, &told, error);
}

static bool apply_values(const ct_description *d, ct_scan_facts *facts, ct_error **error) {
  /* All but unknown, which comes first. */
  const char *words[8];
  int choice = 0, count = 0;
  bool told;
  for (const ct_choice *c = ct_values_choices + 1; c->id && count < 8; c++) words[count++] = c->id;
  if (!get_choice(d, "values", words, count, &choice, &told, error)) return false;
  if (told) facts->values = (ct_values)ct_values_choices[choice + 1].value;
  return get_flag(d, "flip_rows", &facts->flip_rows, error) && get_flag(d, "flip_columns", &facts->flip_columns, error);
}

static bool apply_centre(const ct_description *d, ct_scan_facts *facts, ct_error **error) {
  ct_geometry *g = &facts->geometry;
  double tilt = 0;
  bool has_v, has_tilt, has_u = is_list(json_object_get(d->root, "centre_u"));
  if ((!has_u && !get_number(d, "centre_u", &g->centre_u, &has_u, error)) ||
      !get_number(d, "centre_v", &g->centre_v, &has_v, error) || !get_number(d, "tilt_deg", &tilt, &has_tilt, error))
    return false;
  if ((has_u || has_v || has_tilt) && !ct_geometry_takes(g, CT_TAKES_CENTRE))
    return ct_error_set(error, CT_ERROR_FORMAT,
                        "%s: matrices tell the centre and the tilt, which cannot be given besides.", d->path);
  if (has_u) facts->known |= CT_KNOWN_CENTRE;
  if (has_tilt) g->tilt = tilt * (M_PI / 180);
  return true;
}

/* By the angles, which come before. */
static bool apply_feed(const ct_description *d, ct_scan_facts *facts, ct_error **error) {
  ct_geometry *g = &facts->geometry;
  double feed = g->feed, start = NAN;
  bool has_feed, has_step, has_start;
  if (!get_number(d, "feed_mm", &feed, &has_feed, error) || !get_number(d, "table_step_mm", &feed, &has_step, error) ||
      !get_number(d, "start_z_mm", &start, &has_start, error))
    return false;
  if (!has_feed && !has_step && !has_start) return true;
  if (!ct_geometry_takes(g, CT_TAKES_FEED))
    return ct_error_set(error, CT_ERROR_FORMAT,
                        "%s: \"feed_mm\", \"table_step_mm\" and \"start_z_mm\" are of spirals and sequences, a cone "
                        "beam; this is %s.",
                        d->path, ct_beam_title(g->beam));
  if (has_feed && has_step)
    return ct_error_set(error, CT_ERROR_FORMAT,
                        "%s: \"feed_mm\" is of spirals and \"table_step_mm\" of sequences: tell one of them.", d->path);
  if (!has_feed && !has_step && feed == 0)
    return ct_error_set(error, CT_ERROR_FORMAT,
                        "%s: \"start_z_mm\" needs \"feed_mm\", the feed per turn, or \"table_step_mm\".", d->path);
  if (!has_start && g->feed != 0) start = ct_geometry_height(g, 0);
  if (has_feed || has_step) g->stops = has_step;
  if (isnan(start)) start = ct_geometry_centred_start(g, feed);
  ct_geometry_set_feed(g, feed, start);
  return true;
}

/* A column for each projection, when all else is known: the axis wanders. */
static bool apply_wandering(const ct_description *d, ct_scan_facts *facts, ct_error **error) {
  ct_geometry *g = &facts->geometry;
  if (!is_list(json_object_get(d->root, "centre_u"))) return true;
  if (!(facts->known & CT_KNOWN_BEAM))
    return ct_error_set(
        error, CT_ERROR_FORMAT,
        "%s: \"centre_u\" for each projection makes a matrix of each, for which \"beam\" has to be told.", d->path);
  double *columns;
  size_t count = 0;
  bool good = get_list(d, "centre_u", &columns, &count, error);
  if (good && count != (size_t)g->views)
    good = ct_error_set(error, CT_ERROR_DATA, "%s: \"centre_u\" gives %zu columns for %d projections.", d->path, count,
                        g->views);
  for (size_t i = 0; good && i < count; i++)
    if (!isfinite(columns[i]))
      good =
          ct_error_set(error, CT_ERROR_DATA, "%s: the \"centre_u\" of projection %zu is no finite number.", d->path, i);
  good = good && ct_geometry_place_axis(g, columns, error);
  ct_free(columns);
  return good;
}

/* A file that tells it knows how its frames were made. */
static bool apply_shape(const ct_description *d, ct_scan_facts *facts, ct_error **error) {
  static const char *const shapes[] = {"flat", "curved"};
  int choice = 0;
  bool told;
  if (!get_choice(d, "detector_shape", shapes, 2, &choice, &told, error)) return false;
  if (!told) return true;
  const ct_detector_shape shape = choice == 1 ? CT_SHAPE_CURVED : CT_SHAPE_FLAT;
  if (facts->shape != CT_SHAPE_UNKNOWN && facts->shape != shape)
    return ct_error_set(error, CT_ERROR_FORMAT, "%s: \"detector_shape\" is %s, but the scan's file says that it is %s.",
                        d->path, shapes[choice], shapes[1 - choice]);
  facts->shape = shape;
  return true;
}

bool ct_description_apply_facts(const ct_description *d, ct_scan_facts *facts, ct_error **error) {
  const bool known_before = facts->known & CT_KNOWN_ANGLES;
  const json_t *dataset = json_object_get(d->root, "dataset");
  if (dataset && !json_is_string(dataset))
    return ct_error_set(error, CT_ERROR_FORMAT, "%s: \"dataset\" must be the name of a group or dataset.", d->path);
  if (!check_opening(d, error) || !apply_pixel(d, facts, error) || !apply_beam(d, facts, error) ||
      !apply_matrices(d, facts, error) || !apply_angles(d, facts, error) || !apply_centre(d, facts, error) ||
      !apply_shape(d, facts, error) || !apply_values(d, facts, error))
    return false;
  const bool assumed = !known_before && facts->note && strstr(facts->note, "angle");
  if (facts->known & CT_KNOWN_ANGLES) {
    if (assumed) facts->note = NULL;
  } else if (ct_geometry_takes(&facts->geometry, CT_TAKES_DISTANCES)) {
    facts->note = ct_assume_angles(&facts->geometry);
  }
  if (!apply_feed(d, facts, error) || !apply_wandering(d, facts, error)) return false;
  if (ct_geometry_check(&facts->geometry, error)) return true;
  ct_error_prefix(error, "%s", d->path);
  return false;
}
