/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frames are written into a folder of a temporary name, which gets its own when all of them are there. */
#include "app/tasks-frames.h"

#include "app/film.h"
#include "app/tasks-private.h"
#include "recon/base/output.h"
#include "render/scene/film.h"

#include <cairo.h>
#include <math.h>

/* Pixels: a slice of fewer is made larger, each of its pixels by as much. */
enum { LEAST = 400 };

typedef struct {
  GantryFramesTask *task;
  ctgl_film *film; /* NULL: slices */
  int width, height, frames;
} Frames;

static gboolean fail(ct_error **error, cairo_status_t status) {
  return ct_error_set(error, CT_ERROR_IO, "A frame could not be written: %s.", cairo_status_to_string(status));
}

/* Slices */

static guint32 colour_of(const GantryFramesTask *task, float value) {
  double rgb[3];
  if (!isfinite(value)) return 0;
  ctgl_colour_map_at(task->map, ((double)value - task->low) / (task->high - task->low), rgb);
  return (guint32)lround(rgb[0] * 255) << 16 | (guint32)lround(rgb[1] * 255) << 8 | (guint32)lround(rgb[2] * 255);
}

/* The lower row of a slice is the last of a picture. */
static cairo_surface_t *colour(const GantryFramesTask *task, const GantryImage *image) {
  cairo_surface_t *surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, image->width, image->height);
  guint32 *data = (guint32 *)(void *)cairo_image_surface_get_data(surface);
  const gsize stride = (gsize)cairo_image_surface_get_stride(surface) / sizeof *data;
  for (int j = 0; data && j < image->height; j++)
    for (int i = 0; i < image->width; i++)
      data[(gsize)(image->height - 1 - j) * stride + (gsize)i] =
          colour_of(task, image->pixels[(gsize)j * (gsize)image->width + (gsize)i]);
  if (data) cairo_surface_mark_dirty(surface);
  return surface;
}

static gboolean draw_slice(const Frames *f, int index, cairo_surface_t *target, ct_error **error) {
  GantryImage *image = gantry_result_read_plane(f->task->result, f->task->plane, index);
  if (!image) return ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory for a slice.");
  cairo_surface_t *pixels = colour(f->task, image);
  cairo_t *cr = cairo_create(target);
  cairo_scale(cr, (double)f->width / image->width, (double)f->height / image->height);
  cairo_set_source_surface(cr, pixels, 0, 0);
  cairo_pattern_set_extend(cairo_get_source(cr), CAIRO_EXTEND_PAD);
  cairo_pattern_set_filter(cairo_get_source(cr), f->task->smooth ? CAIRO_FILTER_BILINEAR : CAIRO_FILTER_NEAREST);
  cairo_paint(cr);
  cairo_destroy(cr);
  cairo_surface_destroy(pixels);
  gantry_image_unref(image);
  return TRUE;
}

static void size_of_slices(Frames *f) {
  const ct_grid *grid = ct_volume_grid(f->task->result->volume);
  const ct_slice_image slice = ct_slice_image_of(grid, f->task->plane);
  int width, height;
  ct_grid_plane_size(grid, f->task->plane, &width, &height, &f->frames);
  const double fine = fmin(slice.across, slice.up), wide = width * slice.across / fine, high = height * slice.up / fine,
               times = fmax(1, ceil(LEAST / fmax(wide, high)));
  f->width = (int)ceil(times * wide);
  f->height = (int)ceil(times * high);
}

/* The scene */

static gboolean draw_scene(const Frames *f, int index, cairo_surface_t *target, ct_error **error) {
  const GantrySceneShot *shot = f->task->shot;
  ctgl_scene_look look = shot->look;
  ctgl_orbit_turn(&look.camera, 2 * G_PI * index / f->frames, 0);
  cairo_surface_flush(target);
  const gboolean good = ctgl_film_draw(f->film, &shot->scene, &look, cairo_image_surface_get_data(target), error);
  cairo_surface_mark_dirty(target);
  return good;
}

static gboolean begin(Frames *f, ct_error **error) {
  const GantrySceneShot *shot = f->task->shot;
  if (!shot) {
    size_of_slices(f);
    return TRUE;
  }
  f->width = shot->look.camera.width;
  f->height = shot->look.camera.height;
  f->frames = f->task->count;
  f->film = ctgl_film_new(f->width, f->height, error);
  return f->film && gantry_scene_shot_upload(shot, ctgl_film_get_renderer(f->film), error);
}

/* All */

static gboolean write_frame(const Frames *f, int index, cairo_surface_t *target, const char *folder, ct_error **error) {
  g_autofree char *name = g_strdup_printf(GANTRY_FRAME_NAME, index), *path = g_build_filename(folder, name, NULL);
  if (!(f->film ? draw_scene : draw_slice)(f, index, target, error)) return FALSE;
  const cairo_status_t status = cairo_surface_write_to_png(target, path);
  return status == CAIRO_STATUS_SUCCESS || fail(error, status);
}

static gboolean write_all(const Frames *f, const char *folder, ct_error **error) {
  ct_job *job = f->task->work.task.job;
  cairo_surface_t *target = cairo_image_surface_create(CAIRO_FORMAT_RGB24, f->width, f->height);
  gboolean good = cairo_surface_status(target) == CAIRO_STATUS_SUCCESS || fail(error, cairo_surface_status(target));
  ct_job_begin_stage(job, CT_STAGE_WRITING, (uint64_t)f->frames);
  for (int i = 0; good && i < f->frames; i++) {
    good = ct_job_may_go_on(job, error) && write_frame(f, i, target, folder, error);
    ct_job_advance(job, 1);
  }
  cairo_surface_destroy(target);
  return good;
}

static char *free_path(const GantryFramesTask *self) {
  char *path = g_build_filename(self->parent, self->name, NULL);
  for (int n = 2; g_file_test(path, G_FILE_TEST_EXISTS); n++) {
    g_free(path);
    g_autofree char *name = g_strdup_printf("%s %d", self->name, n);
    path = g_build_filename(self->parent, name, NULL);
  }
  return path;
}

static gboolean make(GantryFramesTask *self, Frames *f, ct_error **error) {
  g_autofree char *path = free_path(self);
  if (!begin(f, error)) return FALSE;
  ct_output *output = ct_output_begin(path, true, error);
  if (!output) return FALSE;
  gboolean good = write_all(f, ct_output_get_path(output), error);
  /* Frames without a film are better than nothing; a cancel ends both. */
  if (good && self->film) self->no_film = gantry_film_make(ct_output_get_path(output), self->work.task.job);
  good = good && ct_job_may_go_on(self->work.task.job, error);
  if (!good) {
    ct_output_abandon(output);
    return FALSE;
  }
  if (!ct_output_commit(output, error)) return FALSE;
  self->made = g_steal_pointer(&path);
  self->count = f->frames;
  return TRUE;
}

static void frames_run(GantryTask *task) {
  GantryFramesTask *self = (GantryFramesTask *)task;
  Frames frames = {.task = self};
  ct_error *error = NULL;
  if (!make(self, &frames, &error)) gantry_work_fail(task, &error);
  ctgl_film_free(frames.film);
}

static void frames_free(GantryTask *task) {
  GantryFramesTask *self = (GantryFramesTask *)task;
  g_free(self->parent);
  g_free(self->name);
  g_free(self->made);
  g_free(self->no_film);
  gantry_result_unref(self->result);
  g_clear_pointer(&self->shot, gantry_scene_shot_free);
  gantry_work_free(task);
}

GantryFramesTask *gantry_frames_task_new(GObject *owner, GantryDone done, const char *name) {
  GantryFramesTask *self = gantry_work_init(g_new0(GantryFramesTask, 1), owner, done, frames_run, frames_free);
  self->name = g_strdup(name);
  return self;
}
