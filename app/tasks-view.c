/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tasks that read what is there: planes of volumes, projections, sinograms, and the numbers of what is shown. */
#include "app/projection-picture.h"
#include "app/tasks-private.h"

#include <math.h>

/* Projection or sinogram */

/* Which views of the scan are counted. */
typedef struct {
  int first, step, count;
} Views;

static Views views_of(const GantryProjectionTask *self) {
  const int all = gantry_scan_get_facts(self->scan)->geometry.views;
  if (!self->bins.bin_v) return (Views){0, 1, all};
  const int first = CLAMP(self->plan.view_first, 0, all - 1), step = MAX(self->plan.view_step, 1),
            there = (all - 1 - first) / step + 1;
  return (Views){first, step, self->plan.view_count == CT_AUTO_INT ? there : CLAMP(self->plan.view_count, 1, there)};
}

static gboolean read_stored(GantryProjectionTask *self, int view, int row0, int rows, float *out, ct_error **error) {
  const ct_scan_facts *facts = gantry_scan_get_facts(self->scan);
  const ct_plan *plan = &self->plan;
  return ct_scan_read_flipped(
      gantry_scan_get(self->scan),
      &(ct_frame_rows){.kind = CT_FRAME_PROJECTION,
                       .index = view,
                       .row0 = row0,
                       .rows = rows,
                       .flip_rows = plan->flip_rows == CT_AUTO_INT ? facts->flip_rows : plan->flip_rows != 0,
                       .flip_columns =
                           plan->flip_columns == CT_AUTO_INT ? facts->flip_columns : plan->flip_columns != 0},
      out, error);
}

static gboolean stored_frames(GantryProjectionTask *self, const Views *views, GantryImage *image, ct_error **error) {
  const ct_geometry *geometry = &gantry_scan_get_facts(self->scan)->geometry;
  if (!self->wanted.sinogram)
    return read_stored(self, views->first + image->index * views->step, 0, geometry->nv, image->pixels, error);
  const GantryBins *bins = &self->bins;
  const int row = bins->bin_v ? CLAMP(image->index * bins->bin_v + bins->row0 + bins->bin_v / 2, 0, geometry->nv - 1)
                              : image->index;
  for (int n = 0; n < views->count; n++)
    if (!ct_job_may_go_on(self->work.task.job, error) ||
        !read_stored(self, views->first + n * views->step, row, 1, image->pixels + (gsize)n * geometry->nu, error))
      return FALSE;
  return TRUE;
}

/* Frames as they are stored, before anything was corrected. */
static GantryImage *stored_image(GantryProjectionTask *self, ct_error **error) {
  const ct_geometry *geometry = &gantry_scan_get_facts(self->scan)->geometry;
  const gboolean sinogram = self->wanted.sinogram;
  const Views views = views_of(self);
  GantryImage *image = gantry_image_new(geometry->nu, sinogram ? views.count : geometry->nv);
  if (!image) {
    ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory for a projection.");
    return NULL;
  }
  image->kind = GANTRY_VIEW_PROJECTION;
  image->values = GANTRY_VALUES_STORED;
  image->counts = gantry_scan_get_facts(self->scan)->values == CT_VALUES_COUNTS;
  image->spacing_x = image->spacing_y = 1;
  image->origin_x = image->origin_y = 0;
  image->index = CLAMP(self->wanted.projection_index, 0, (sinogram ? geometry->nv : views.count) - 1);
  image->position = !sinogram && geometry->angles
                        ? geometry->angles[views.first + image->index * views.step] * 180 / G_PI
                        : image->index;
  image->generation = self->wanted.generation;
  if (sinogram) gantry_image_set_sinogram(image, geometry, views.first, views.step);
  if (stored_frames(self, &views, image, error)) return image;
  gantry_image_unref(image);
  return NULL;
}

static void projection_run(GantryTask *task) {
  GantryProjectionTask *self = (GantryProjectionTask *)task;
  ct_error *error = NULL;
  GantryImage *image = NULL;
  if (self->engine) {
    if (gantry_engine_get_scan(self->engine) != self->scan) return;
    ct_pipeline *pipeline = gantry_engine_get_pipeline(self->engine, GANTRY_A, NULL);
    GantryKeptRedundancy *kept = gantry_engine_get_redundancy(self->engine);
    if (pipeline) image = gantry_projection_picture(pipeline, &self->plan, &self->wanted, kept);
    if (!image) image = stored_image(self, &error);
    if (pipeline && image) gantry_projection_add_redundancy(image, pipeline, &self->plan, &self->wanted, kept);
  }
  if (!image && !error) image = stored_image(self, &error);
  if (image)
    gantry_mailbox_post(self->mailbox, GANTRY_A, image, NULL);
  else
    gantry_work_fail(task, &error);
}

static void projection_free(GantryTask *task) {
  GantryProjectionTask *self = (GantryProjectionTask *)task;
  gantry_scan_unref(self->scan);
  gantry_mailbox_unref(self->mailbox);
  gantry_work_free(task);
}

GantryProjectionTask *gantry_projection_task_new(GObject *owner, GantryDone done, GantryEngine *engine,
                                                 GantryScan *scan, GantryMailbox *mailbox, const ct_plan *plan,
                                                 const GantryWanted *wanted) {
  GantryProjectionTask *self =
      gantry_work_init(g_new0(GantryProjectionTask, 1), owner, done, projection_run, projection_free);
  self->work.task.slot = GANTRY_SLOT_PROJECTION;
  self->engine = engine;
  self->scan = gantry_scan_ref(scan);
  self->mailbox = gantry_mailbox_ref(mailbox);
  self->plan = *plan;
  self->wanted = *wanted;
  return self;
}

/* Planes of volumes */

/* B does not reach this plane: a pixel far from everything on screen. */
static GantryImage *nothing_here(ct_plane plane) {
  GantryImage *image = gantry_image_new(1, 1);
  if (!image) return NULL;
  image->kind = (GantryViewKind)plane;
  image->spacing_x = image->spacing_y = 1e-3;
  image->origin_x = image->origin_y = 1e9;
  image->pixels[0] = 0;
  return image;
}

/* The same pixels of A and of B. */
static void cut_oblique(GantryPlanesTask *self) {
  ct_oblique oblique;
  if (!gantry_wanted_oblique(&self->wanted, &self->grid, &oblique)) return;
  for (int side = 0; side < GANTRY_SIDES; side++) {
    if (!self->result[side] || !(self->planes[side] & GANTRY_OBLIQUE)) continue;
    const ct_volume *volume = self->result[side]->volume;
    GantryImage *image = gantry_oblique_new(&self->wanted, &oblique, ct_volume_grid(volume), self->generation[side]);
    if (!image) continue;
    ct_volume_copy_oblique(volume, &oblique, image->pixels);
    gantry_mailbox_post(self->mailbox, (GantrySide)side, image, side == GANTRY_A ? &self->grid : NULL);
  }
}

static void planes_run(GantryTask *task) {
  GantryPlanesTask *self = (GantryPlanesTask *)task;
  for (int i = 0; i < GANTRY_PLANES; i++) {
    const ct_plane plane = (ct_plane)i;
    if (self->result[GANTRY_A] && (self->planes[GANTRY_A] & (1u << i))) {
      GantryImage *image = gantry_result_read_plane(self->result[GANTRY_A], plane, self->indices[i]);
      if (image) {
        image->generation = self->generation[GANTRY_A];
        gantry_mailbox_post(self->mailbox, GANTRY_A, image, ct_volume_grid(self->result[GANTRY_A]->volume));
      }
    }
    if (self->result[GANTRY_B] && (self->planes[GANTRY_B] & (1u << i))) {
      GantryImage *image = gantry_result_read_position(self->result[GANTRY_B], plane, self->positions[i]);
      if (!image) image = nothing_here(plane);
      if (!image) continue;
      image->index = self->indices[i];
      image->position = self->positions[i];
      image->generation = self->generation[GANTRY_B];
      gantry_mailbox_post(self->mailbox, GANTRY_B, image, NULL);
    }
  }
  cut_oblique(self);
}

static void planes_free(GantryTask *task) {
  GantryPlanesTask *self = (GantryPlanesTask *)task;
  for (int side = 0; side < GANTRY_SIDES; side++) gantry_result_unref(self->result[side]);
  gantry_mailbox_unref(self->mailbox);
  gantry_work_free(task);
}

GantryPlanesTask *gantry_planes_task_new(GObject *owner, GantryDone done, GantryMailbox *mailbox) {
  GantryPlanesTask *self = gantry_work_init(g_new0(GantryPlanesTask, 1), owner, done, planes_run, planes_free);
  self->work.task.slot = GANTRY_SLOT_PLANES;
  self->mailbox = gantry_mailbox_ref(mailbox);
  return self;
}

/* Numbers of a slice */

static gboolean same_frame(const GantryImage *a, const GantryImage *b) {
  return a->width == b->width && a->height == b->height && fabs(a->spacing_x - b->spacing_x) <= 1e-9 * a->spacing_x &&
         fabs(a->spacing_y - b->spacing_y) <= 1e-9 * a->spacing_y &&
         fabs(a->origin_x - b->origin_x) <= 1e-6 * a->spacing_x &&
         fabs(a->origin_y - b->origin_y) <= 1e-6 * a->spacing_y;
}

/* b at a's pixels; NaN, which comparisons leave out, where b does not reach. */
static float *resample(const GantryImage *a, const GantryImage *b) {
  float *pixels = g_try_new(float, (gsize)a->width *(gsize)a->height);
  if (!pixels) return NULL;
  for (int j = 0; j < a->height; j++)
    for (int i = 0; i < a->width; i++)
      pixels[(gsize)j * a->width + i] =
          (float)gantry_image_sample(b, a->origin_x + i * a->spacing_x, a->origin_y + j * a->spacing_y);
  return pixels;
}

gboolean gantry_is_zero(const float *values, gsize count) {
  for (gsize i = 0; i < count; i++)
    if (values[i] != 0) return FALSE;
  return TRUE;
}

const float *gantry_pixels_at(const GantryImage *a, const GantryImage *b, float **own) {
  *own = same_frame(a, b) ? NULL : resample(a, b);
  return same_frame(a, b) ? b->pixels : *own;
}

static void statistics_run(GantryTask *task) {
  GantryStatisticsTask *self = (GantryStatisticsTask *)task;
  const gsize count = (gsize)self->a->width * (gsize)self->a->height;
  ct_statistics_of(self->a->pixels, count, &self->statistics);
  if (!self->b) return;
  g_autofree float *own = NULL;
  const float *b = gantry_pixels_at(self->a, self->b, &own);
  if (!b) return;
  const ct_comparison pair = {
      .a = self->a->pixels, .b = b, .nx = self->a->width, .ny = self->a->height, .nz = 1, .peak = NAN};
  self->compared = ct_compare(&pair, &self->metrics, NULL, NULL);
}

static void statistics_free(GantryTask *task) {
  GantryStatisticsTask *self = (GantryStatisticsTask *)task;
  gantry_image_unref(self->a);
  if (self->b) gantry_image_unref(self->b);
  gantry_work_free(task);
}

GantryStatisticsTask *gantry_statistics_task_new(GObject *owner, GantryDone done, GantryImage *a, GantryImage *b) {
  GantryStatisticsTask *self =
      gantry_work_init(g_new0(GantryStatisticsTask, 1), owner, done, statistics_run, statistics_free);
  self->work.task.slot = GANTRY_SLOT_STATISTICS;
  self->a = gantry_image_ref(a);
  self->b = b ? gantry_image_ref(b) : NULL;
  return self;
}
