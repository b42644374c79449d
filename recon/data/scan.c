/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A scan: facts copied from its reader, frames read through the reader's source behind one lock. */
#include "recon/data/scan.h"

#include "recon/base/memory.h"
#include "recon/geom/questions.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* The facts with copies of all that they point to. */
typedef struct {
  ct_scan_facts facts;
  char *path, *first_image, *format, *dataset, *note, *values_why, *values_doubt, *samples_doubt;
  double *flat_positions, *dark_positions;
  int *numbers;
  ct_remarks remarks;
} own_facts;

struct ct_scan {
  own_facts own;
  ct_scan_source source;
  pthread_mutex_t lock;
  bool has_checksum;
  uint64_t checksum;
};

static bool copy_text(char **to, const char *from, ct_error **error) {
  return !from || (*to = ct_strdup(from, error));
}

static bool copy_positions(double **to, const double *from, int count, ct_error **error) {
  if (!from || count < 1) return true;
  *to = ct_alloc((size_t)count, sizeof(double), "the flat field positions", error);
  if (*to) memcpy(*to, from, (size_t)count * sizeof(double));
  return *to;
}

static bool check_facts(const ct_scan_facts *facts, ct_error **error) {
  const ct_geometry *g = &facts->geometry;
  if (g->nu < 1 || g->nv < 1 || g->views < 1)
    return ct_error_set(error, CT_ERROR_DATA, "%s: holds no projections (%d columns, %d rows, %d views).",
                        facts->path ? facts->path : "The scan", g->nu, g->nv, g->views);
  if (facts->flats < 0 || facts->darks < 0)
    return ct_error_set(error, CT_ERROR_ARGUMENT, "The numbers of flats and darks cannot be negative.");
  if (ct_geometry_takes(g, CT_TAKES_ANGLES) && g->angles)
    for (int i = 0; i < g->views; i++)
      if (!isfinite(g->angles[i]))
        return ct_error_set(error, CT_ERROR_DATA, "%s: the angle of view %d is not a finite number.",
                            facts->path ? facts->path : "The scan", i);
  return true;
}

static void clear_facts(own_facts *own) {
  ct_geometry_clear(&own->facts.geometry);
  ct_free(own->path);
  ct_free(own->first_image);
  ct_free(own->format);
  ct_free(own->dataset);
  ct_free(own->note);
  ct_free(own->values_why);
  ct_free(own->values_doubt);
  ct_free(own->samples_doubt);
  ct_free(own->flat_positions);
  ct_free(own->dark_positions);
  ct_free(own->numbers);
  ct_remarks_clear(&own->remarks);
}

static bool copy_numbers(int **to, const int *from, int count, ct_error **error) {
  if (!from) return true;
  *to = ct_alloc((size_t)count, sizeof(int), "the numbers of the views", error);
  if (*to) memcpy(*to, from, (size_t)count * sizeof(int));
  return *to;
}

static bool copy_facts(own_facts *own, const ct_scan_facts *facts, ct_error **error) {
  *own = (own_facts){.facts = *facts};
  own->facts.geometry = (ct_geometry){0};
  if (!ct_geometry_copy(&own->facts.geometry, &facts->geometry, error) || !copy_text(&own->path, facts->path, error) ||
      !copy_text(&own->first_image, facts->first_image, error) || !copy_text(&own->format, facts->format, error) ||
      !copy_text(&own->dataset, facts->dataset, error) || !copy_text(&own->note, facts->note, error) ||
      !copy_text(&own->values_why, facts->values_why, error) ||
      !copy_text(&own->values_doubt, facts->values_doubt, error) ||
      !copy_text(&own->samples_doubt, facts->samples_doubt, error) ||
      !copy_positions(&own->flat_positions, facts->flat_positions, facts->flats, error) ||
      !copy_positions(&own->dark_positions, facts->dark_positions, facts->darks, error) ||
      !copy_numbers(&own->numbers, facts->numbers, facts->geometry.views, error)) {
    clear_facts(own);
    return false;
  }
  ct_remarks_append(&own->remarks, facts->remarks);
  return true;
}

/* Facts that were copied point to the copies. */
static void settle(ct_scan *scan) {
  own_facts *own = &scan->own;
  ct_scan_facts *facts = &own->facts;
  facts->path = own->path;
  facts->first_image = own->first_image;
  facts->format = own->format;
  facts->dataset = own->dataset;
  facts->note = own->note;
  facts->values_why = own->values_why;
  facts->values_doubt = own->values_doubt;
  facts->samples_doubt = own->samples_doubt;
  facts->flat_positions = own->flat_positions;
  facts->dark_positions = own->dark_positions;
  facts->numbers = own->numbers;
  facts->remarks = own->remarks.count ? &own->remarks : NULL;
}

ct_scan *ct_scan_new(const ct_scan_facts *facts, ct_scan_source source, ct_error **error) {
  ct_scan *scan = NULL;
  if (check_facts(facts, error) && !(scan = calloc(1, sizeof *scan)))
    ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory for the scan.");
  if (!scan) {
    if (source.free) source.free(source.state);
    return NULL;
  }
  pthread_mutex_init(&scan->lock, NULL);
  scan->source = source;
  if (!copy_facts(&scan->own, facts, error)) {
    scan->own = (own_facts){0};
    ct_scan_free(scan);
    return NULL;
  }
  settle(scan);
  return scan;
}

bool ct_scan_replace_facts(ct_scan *scan, const ct_scan_facts *facts, ct_error **error) {
  own_facts copy;
  if (!check_facts(facts, error) || !copy_facts(&copy, facts, error)) return false;
  clear_facts(&scan->own);
  scan->own = copy;
  settle(scan);
  scan->has_checksum = false;
  return true;
}

void ct_scan_free(ct_scan *scan) {
  if (!scan) return;
  if (scan->source.free) scan->source.free(scan->source.state);
  clear_facts(&scan->own);
  pthread_mutex_destroy(&scan->lock);
  free(scan);
}

/* Stacks by kind of frame. */
typedef struct memory {
  ct_stack *of[3];
} memory;

static bool read_memory(void *state, ct_frame_kind kind, int index, int row0, int rows, float *out, ct_error **error) {
  (void)error;
  const ct_stack *stack = ((const memory *)state)->of[kind];
  const size_t nu = (size_t)ct_stack_nu(stack);
  memcpy(out, ct_stack_get_view(stack, index) + (size_t)row0 * nu, (size_t)rows * nu * sizeof(float));
  return true;
}

static void free_memory(void *state) {
  memory *all = state;
  if (!all) return;
  for (int kind = 0; kind < 3; kind++) ct_stack_free(all->of[kind]);
  ct_free(all);
}

static bool fits(const ct_geometry *g, const ct_stack *stack, int views, ct_error **error) {
  if (!stack || (ct_stack_nu(stack) == g->nu && ct_stack_nv(stack) == g->nv && ct_stack_views(stack) == views))
    return true;
  return ct_error_set(error, CT_ERROR_ARGUMENT,
                      "The projections (%d x %d, %d views) do not fit the geometry (%d x %d, %d views).",
                      ct_stack_nu(stack), ct_stack_nv(stack), ct_stack_views(stack), g->nu, g->nv, views);
}

ct_scan *ct_scan_new_frames(const ct_geometry *geometry, ct_stack *projections, ct_stack *flats, ct_stack *darks,
                            ct_values values, const char *title, ct_error **error) {
  memory *all = ct_alloc(1, sizeof *all, "the scan", error);
  const int flat_count = flats ? ct_stack_views(flats) : 0, dark_count = darks ? ct_stack_views(darks) : 0;
  if (!all || !fits(geometry, projections, geometry->views, error) || !fits(geometry, flats, flat_count, error) ||
      !fits(geometry, darks, dark_count, error)) {
    ct_stack_free(projections);
    ct_stack_free(flats);
    ct_stack_free(darks);
    ct_free(all);
    return NULL;
  }
  *all = (memory){{[CT_FRAME_PROJECTION] = projections, [CT_FRAME_FLAT] = flats, [CT_FRAME_DARK] = darks}};
  const ct_scan_facts facts = {
      .geometry = *geometry,
      .known = CT_KNOWN_ANGLES | CT_KNOWN_PITCH | CT_KNOWN_DISTANCES | CT_KNOWN_BEAM | CT_KNOWN_CENTRE,
      .values = values,
      .layout = CT_LAYOUT_PROJECTIONS,
      .flats = flat_count,
      .darks = dark_count,
      .path = title,
      .format = "in memory",
  };
  return ct_scan_new(&facts, (ct_scan_source){all, read_memory, free_memory, NULL}, error);
}

ct_scan *ct_scan_new_memory(const ct_geometry *geometry, ct_stack *stack, ct_values values, const char *title,
                            ct_error **error) {
  return ct_scan_new_frames(geometry, stack, NULL, NULL, values, title, error);
}

void ct_scan_take_layout(ct_scan *scan, ct_layout layout) {
  scan->own.facts.layout = layout;
}

void ct_scan_take_shape(ct_scan *scan, ct_detector_shape shape) {
  scan->own.facts.shape = shape;
}

bool ct_scan_layout_is_open(const ct_scan *scan) {
  return scan->own.facts.layout == CT_LAYOUT_UNKNOWN && scan->own.facts.geometry.views == 1;
}

bool ct_scan_check_layout(const ct_scan *scan, ct_error **error) {
  const ct_geometry *g = &scan->own.facts.geometry;
  return !ct_scan_layout_is_open(scan) ||
         ct_error_set(
             error, CT_ERROR_DATA,
             "%s is one picture of %d columns and %d rows. Are its rows angles (a sinogram of %d views), or is "
             "it a single projection? Say which: \"layout\" in a scan description, \"sinograms\" or "
             "\"projections\", tells it.",
             scan->own.path ? scan->own.path : "The scan", g->nu, g->nv, g->nv);
}

void ct_scan_take_values(ct_scan *scan, ct_values values, const char *why, const char *doubt) {
  char *texts[2] = {NULL, NULL};
  if (!copy_text(&texts[0], why, NULL) || !copy_text(&texts[1], doubt, NULL)) {
    ct_free(texts[0]);
    return;
  }
  ct_free(scan->own.values_why);
  ct_free(scan->own.values_doubt);
  scan->own.facts.values = values;
  scan->own.facts.values_why = scan->own.values_why = texts[0];
  scan->own.facts.values_doubt = scan->own.values_doubt = texts[1];
}

void ct_scan_take_samples_doubt(ct_scan *scan, const char *doubt, bool of_counts) {
  char *text = NULL;
  if (!copy_text(&text, doubt, NULL)) return;
  ct_free(scan->own.samples_doubt);
  scan->own.facts.samples_doubt = scan->own.samples_doubt = text;
  scan->own.facts.counts_doubtful = text && of_counts;
  scan->own.facts.looked_at = true;
}

const ct_scan_facts *ct_scan_get_facts(const ct_scan *scan) {
  return &scan->own.facts;
}

const char *ct_scan_get_name(const ct_scan *scan) {
  if (!scan->own.path) return "scan";
  const char *slash = strrchr(scan->own.path, '/');
  return slash && slash[1] ? slash + 1 : scan->own.path;
}

static void reverse_row(float *row, int n) {
  for (int i = 0, j = n - 1; i < j; i++, j--) {
    const float t = row[i];
    row[i] = row[j];
    row[j] = t;
  }
}

static void reverse_rows(float *frame, int rows, int n) {
  for (int i = 0, j = rows - 1; i < j; i++, j--)
    for (int k = 0; k < n; k++) {
      const float t = frame[(size_t)i * (size_t)n + (size_t)k];
      frame[(size_t)i * (size_t)n + (size_t)k] = frame[(size_t)j * (size_t)n + (size_t)k];
      frame[(size_t)j * (size_t)n + (size_t)k] = t;
    }
}

bool ct_scan_read_flipped(ct_scan *scan, const ct_frame_rows *part, float *out, ct_error **error) {
  const ct_geometry *g = &scan->own.facts.geometry;
  const ct_frame_kind kind = part->kind;
  const int index = part->index, row0 = part->row0, rows = part->rows;
  const int frames = kind == CT_FRAME_PROJECTION ? g->views
                     : kind == CT_FRAME_FLAT     ? scan->own.facts.flats
                                                 : scan->own.facts.darks;
  if (index < 0 || index >= frames || row0 < 0 || rows < 1 || row0 > g->nv - rows)
    return ct_error_set(error, CT_ERROR_ARGUMENT,
                        "Rows %d to %d of frame %d are not in the scan (%d frames of %d rows).", row0, row0 + rows - 1,
                        index, frames, g->nv);
  pthread_mutex_lock(&scan->lock);
  const bool read = scan->source.read(scan->source.state, kind, index, part->flip_rows ? g->nv - row0 - rows : row0,
                                      rows, out, error);
  pthread_mutex_unlock(&scan->lock);
  if (!read) return false;
  if (part->flip_rows) reverse_rows(out, rows, g->nu);
  if (part->flip_columns)
    for (int i = 0; i < rows; i++) reverse_row(out + (size_t)i * (size_t)g->nu, g->nu);
  return true;
}

bool ct_scan_read(ct_scan *scan, ct_frame_kind kind, int index, int row0, int rows, float *out, ct_error **error) {
  return ct_scan_read_flipped(scan,
                              &(ct_frame_rows){.kind = kind,
                                               .index = index,
                                               .row0 = row0,
                                               .rows = rows,
                                               .flip_rows = scan->own.facts.flip_rows,
                                               .flip_columns = scan->own.facts.flip_columns},
                              out, error);
}

bool ct_scan_check(ct_scan *scan, ct_error **error) {
  if (!scan->source.check) return true;
  pthread_mutex_lock(&scan->lock);
  const bool good = scan->source.check(scan->source.state, error);
  pthread_mutex_unlock(&scan->lock);
  return good;
}

static uint64_t fnv(uint64_t hash, const void *data, size_t bytes) {
  const unsigned char *p = data;
  for (size_t i = 0; i < bytes; i++) hash = (hash ^ p[i]) * 0x100000001b3u;
  return hash;
}

bool ct_scan_checksum(ct_scan *scan, uint64_t *checksum, ct_error **error) {
  const ct_geometry *g = &scan->own.facts.geometry;
  pthread_mutex_lock(&scan->lock);
  const bool known = scan->has_checksum;
  *checksum = scan->checksum;
  pthread_mutex_unlock(&scan->lock);
  if (known) return true;
  const size_t pixels = (size_t)g->nu * (size_t)g->nv;
  float *frame = ct_alloc(pixels, sizeof(float), "one frame", error);
  if (!frame) return false;
  const int counts[] = {g->nu, g->nv, g->views, scan->own.facts.flats, scan->own.facts.darks};
  uint64_t hash = fnv(0xcbf29ce484222325u, counts, sizeof counts);
  if (g->angles) hash = fnv(hash, g->angles, (size_t)g->views * sizeof(double));
  if (g->matrices) hash = fnv(hash, g->matrices, 12 * (size_t)g->views * sizeof(double));
  const int samples = g->views < 16 ? g->views : 16;
  bool read = true;
  for (int i = 0; i < samples && read; i++) {
    const int view = (int)((int64_t)i * (g->views - 1) / (samples > 1 ? samples - 1 : 1));
    read = ct_scan_read_flipped(
        scan, &(ct_frame_rows){.kind = CT_FRAME_PROJECTION, .index = view, .row0 = 0, .rows = g->nv}, frame, error);
    if (read) hash = fnv(hash, frame, pixels * sizeof(float));
  }
  ct_free(frame);
  if (!read) return false;
  pthread_mutex_lock(&scan->lock);
  scan->checksum = hash;
  scan->has_checksum = true;
  pthread_mutex_unlock(&scan->lock);
  *checksum = hash;
  return true;
}
