/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A frame is read in blocks of rows, between which the task can be cancelled; of one that would take much memory, as
 * that of a layout that is not right yet may, some of the rows. */
#include "app/tasks-source.h"

#include "app/errors.h"
#include "app/scan-facts.h"
#include "app/tasks-private.h"
#include "recon/base/memory.h"

#include <math.h>

enum {
  MOST = 1 << 24,   /* samples that are read */
  SIDE = 1024,      /* of the picture, at most */
  DENSE = 1 << 18,  /* read at a time, */
  SPARSE = 1 << 12, /* of a frame that is not read as a whole */
};

/* Facts */

/* Warnings come first: the list is longer than its place in the dialog. */
static void add_fact(void *user, const char *name, const char *text) {
  GPtrArray *facts = user;
  if (g_str_equal(name, GANTRY_FACT_QUESTION)) return;
  guint at = 0;
  while (at < facts->len && g_str_equal(facts->pdata[at], "warning")) at += 2;
  if (!g_str_equal(name, "warning")) at = facts->len;
  g_ptr_array_insert(facts, (int)at, g_strdup(name));
  g_ptr_array_insert(facts, (int)at + 1, g_strdup(text));
}

static char **facts_of(GantryScan *scan) {
  GPtrArray *facts = g_ptr_array_new();
  gantry_scan_list_facts(gantry_scan_get(scan), add_fact, facts);
  g_ptr_array_add(facts, NULL);
  return (char **)g_ptr_array_free(facts, FALSE);
}

/* The frame */

static gboolean read_rows(GantrySourceTask *self, int row, int rows, float *out, ct_error **error) {
  const GantrySourceSeen *seen = &self->seen;
  ct_scan *scan = gantry_scan_get(self->scan);
  return seen->sinogram ? ct_scan_read(scan, CT_FRAME_PROJECTION, row, seen->index, 1, out, error)
                        : ct_scan_read(scan, CT_FRAME_PROJECTION, seen->index, row, rows, out, error);
}

/* [rows][width], g_free. Of a frame that is too large one block of rows in `step`; blocks are much lower than a row of
 * the picture. */
static float *read_frame(GantrySourceTask *self, int *rows, ct_error **error) {
  GantrySourceSeen *seen = &self->seen;
  const gsize width = (gsize)seen->width;
  seen->step = (int)((width * (gsize)seen->height + MOST - 1) / MOST);
  const int block = seen->sinogram ? 1 : MAX(1, (seen->step > 1 ? SPARSE : DENSE) / seen->width);
  const gint64 next = (gint64)block * seen->step;
  float *values = width <= MOST ? g_try_new(float, width *(gsize)block *(gsize)((seen->height - 1) / next + 1)) : NULL;
  gboolean good = values != NULL || ct_error_set(error, CT_ERROR_MEMORY, "A frame of %d × %d samples is too large.",
                                                 seen->width, seen->height);
  *rows = 0;
  for (gint64 row = 0; good && row < seen->height; row += next) {
    const int count = (int)MIN(block, seen->height - row);
    good = ct_job_may_go_on(self->work.task.job, error) &&
           read_rows(self, (int)row, count, values + (gsize)*rows * width, error);
    *rows += count;
  }
  if (good) return values;
  g_free(values);
  return NULL;
}

/* As many of the samples as a screen can show. */
static GantryImage *thin(const GantrySourceSeen *seen, const float *values, int rows) {
  const int across = (seen->width - 1) / SIDE + 1, up = (rows - 1) / SIDE + 1, width = (seen->width - 1) / across + 1,
            height = (rows - 1) / up + 1;
  GantryImage *image = gantry_image_new(width, height);
  if (!image) return NULL;
  image->kind = GANTRY_VIEW_PROJECTION;
  image->values = GANTRY_VALUES_STORED;
  image->spacing_x = (double)seen->width / width;
  image->spacing_y = (double)seen->height / height;
  for (int j = 0; j < height; j++)
    for (int i = 0; i < width; i++)
      image->pixels[(gsize)j * (gsize)width + (gsize)i] =
          values[(gsize)(j * up) * (gsize)seen->width + (gsize)(i * across)];
  return image;
}

/* Of whole numbers each bin has as many. */
static void count_bins(GantrySourceSeen *seen, const float *values, gsize count, gboolean whole) {
  const ct_statistics *v = &seen->values;
  const double range = v->max - v->min;
  if (!v->count) return;
  seen->bins = GANTRY_SOURCE_BINS;
  seen->bin_width = whole ? ceil((range + 1) / GANTRY_SOURCE_BINS) : range / GANTRY_SOURCE_BINS;
  seen->bin_low = whole ? v->min - 0.5 : v->min;
  if (whole) seen->bins = (int)ceil((range + 1) / seen->bin_width);
  if (!(range > 0)) {
    seen->bins = 3;
    seen->bin_width = whole ? 1 : fmax(1e-3 * fabs(v->min), 1e-6);
    seen->bin_low = v->min - 1.5 * seen->bin_width;
  }
  ct_histogram(values, count, seen->bin_low, seen->bin_low + seen->bins * seen->bin_width, seen->counts,
               (size_t)seen->bins);
}

static gboolean look(GantrySourceTask *self, ct_error **error) {
  GantrySourceSeen *seen = &self->seen;
  if (!self->scan && !(self->scan = gantry_scan_open(self->path, self->description, self->work.task.job, error)))
    return FALSE;
  const ct_scan_facts *facts = gantry_scan_get_facts(self->scan);
  const ct_geometry *g = &facts->geometry;
  int rows;
  seen->sinogram = facts->layout == CT_LAYOUT_SINOGRAMS;
  seen->width = g->nu;
  seen->height = seen->sinogram ? g->views : g->nv;
  seen->count = seen->sinogram ? g->nv : g->views;
  seen->index = CLAMP(self->index, 0, seen->count - 1);
  g_autofree float *values = read_frame(self, &rows, error);
  if (!values) return FALSE;
  const gsize count = (gsize)seen->width * (gsize)rows;
  ct_statistics_of(values, count, &seen->values);
  ct_grey_range(values, count, &seen->low, &seen->high);
  count_bins(seen, values, count, facts->integers);
  seen->facts = facts_of(self->scan);
  seen->image = thin(seen, values, rows);
  return seen->image || ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory for a picture of the frame.");
}

static void source_run(GantryTask *task) {
  GantrySourceTask *self = (GantrySourceTask *)task;
  ct_error *error = NULL;
  if (look(self, &error)) return;
  gantry_work_fail(task, &error);
  self->seen.error = gantry_error_sentence(self->work.error);
}

static void source_free(GantryTask *task) {
  GantrySourceTask *self = (GantrySourceTask *)task;
  g_free(self->path);
  g_free(self->description);
  g_clear_pointer(&self->scan, gantry_scan_unref);
  gantry_source_seen_clear(&self->seen);
  gantry_work_free(task);
}

GantrySourceTask *gantry_source_task_new(GObject *owner, GantryDone done, const char *path, const char *description,
                                         GantryScan *scan) {
  GantrySourceTask *self = gantry_work_init(g_new0(GantrySourceTask, 1), owner, done, source_run, source_free);
  self->work.task.slot = GANTRY_SLOT_SOURCE;
  self->path = g_strdup(path);
  self->description = g_strdup(description);
  self->scan = scan ? gantry_scan_ref(scan) : NULL;
  return self;
}

/* What it is */

static void content_run(GantryTask *task) {
  GantryContentTask *self = (GantryContentTask *)task;
  self->content = ct_path_content(self->path, NULL);
}

static void content_free(GantryTask *task) {
  g_free(((GantryContentTask *)task)->path);
  gantry_work_free(task);
}

GantryContentTask *gantry_content_task_new(GObject *owner, GantryDone done, const char *path) {
  GantryContentTask *self = gantry_work_init(g_new0(GantryContentTask, 1), owner, done, content_run, content_free);
  self->path = g_strdup(path);
  return self;
}
