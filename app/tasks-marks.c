/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Marks measured on the voxels of a volume, or where there is none on the slices on screen. */
#include "app/tasks-private.h"
#include "ui/marks/draw.h"

#include <math.h>

/* The slice last read of a volume: marks of one slice come together as a rule. */
typedef struct {
  GantryImage *image;
  ct_plane plane;
  int index;
} Held;

static void fail(const GantryMark *mark, GantryMarkNumbers *numbers, const char *text) {
  numbers->serial = mark->serial;
  g_strlcpy(numbers->problem, text, sizeof numbers->problem);
}

static ct_slice_image slice_of(const GantryImage *image) {
  return (ct_slice_image){image->pixels,   image->width,     image->height,   image->origin_x,
                          image->origin_y, image->spacing_x, image->spacing_y};
}

/* Oblique planes: pixels beyond the volume have no value, and no place in a region's area. */

static gsize beyond(const GantryImage *image, const ct_slice_image *slice, const GantryMark *mark) {
  const ct_region region = gantry_mark_get_region(mark);
  ct_region_pixels pixels;
  gsize count = 0, at = 0;
  if (!ct_region_pixels_of(slice, &region, &pixels, NULL)) return 0;
  for (int j = pixels.begin[1]; j < pixels.end[1]; j++) {
    int first, end;
    gantry_image_row_held(image, j, &first, &end);
    for (int i = pixels.begin[0]; i < pixels.end[0]; i++) count += pixels.in[at++] && (i < first || i >= end);
  }
  ct_region_pixels_clear(&pixels);
  return count;
}

/* All of a line, its thickness included, or the point: the volume is convex, so that corners say it. */
static gboolean is_within(const GantryImage *image, const GantryMark *mark) {
  const double length = gantry_mark_length(mark), half = length > 0 ? mark->thickness / 2 / length : 0;
  const double(*p)[2] = (const double(*)[2])mark->points;
  const double across[2] = {length > 0 ? -half * (p[1][1] - p[0][1]) : 0, length > 0 ? half * (p[1][0] - p[0][0]) : 0};
  for (guint i = 0; i < mark->count; i++)
    for (int side = -1; side <= 1; side += 2)
      if (!gantry_image_holds(image, p[i][0] + side * across[0], p[i][1] + side * across[1])) return FALSE;
  return TRUE;
}

static void measure_oblique(const GantryMark *mark, const GantryImage *image, GantryMarkNumbers *numbers) {
  const ct_slice_image whole = slice_of(image);
  numbers->index = -1;
  if (!gantry_mark_is_region(mark)) {
    if (mark->kind == GANTRY_MARK_ANGLE || is_within(image, mark))
      gantry_mark_measure(mark, &whole, numbers);
    else
      fail(mark, numbers, mark->kind == GANTRY_MARK_LINE ? "It leaves the volume." : "It lies beyond the volume.");
    return;
  }
  const gsize pixels = (gsize)image->width * (gsize)image->height, missing = beyond(image, &whole, mark);
  g_autofree float *values = missing ? g_try_new(float, pixels) : NULL;
  if (missing && !values) {
    fail(mark, numbers, "There is not enough memory for its plane.");
    return;
  }
  ct_slice_image slice = whole;
  if (values) slice.values = values;
  for (int j = 0; values && j < image->height; j++) {
    int first, end;
    gantry_image_row_held(image, j, &first, &end);
    for (int i = 0; i < image->width; i++)
      values[(gsize)j * (gsize)image->width + (gsize)i] =
          i >= first && i < end ? image->pixels[(gsize)j * (gsize)image->width + (gsize)i] : NAN;
  }
  gantry_mark_measure(mark, &slice, numbers);
  if (!missing || *numbers->problem) return;
  if (numbers->region.pixels == missing) {
    fail(mark, numbers, "It lies beyond the volume.");
    return;
  }
  numbers->region.pixels -= missing;
  numbers->region.area -= (double)missing * slice.across * slice.up;
  numbers->region.cut_off = true;
}

static void measure_oblique_in_volume(const GantryMark *mark, const GantryResult *result, GantryMarkNumbers *numbers) {
  const ct_grid *grid = ct_volume_grid(result->volume);
  double middle[2], point[3];
  gantry_mark_middle(mark, middle);
  gantry_mark_to_world(mark, middle, point);
  const ct_oblique oblique = ct_oblique_through(grid, point, mark->pose.rotation, mark->pose.tilt);
  g_autoptr(GantryImage) image =
      ct_oblique_meets(&oblique, grid) ? gantry_image_new_for_oblique(&oblique, &mark->pose, grid) : NULL;
  if (!image) {
    fail(mark, numbers, "Its plane does not meet the volume.");
    return;
  }
  ct_volume_copy_oblique(result->volume, &oblique, image->pixels);
  measure_oblique(mark, image, numbers);
}

static void measure_in_volume(const GantryMark *mark, const GantryResult *result, Held *held,
                              GantryMarkNumbers *numbers) {
  const ct_grid *grid = ct_volume_grid(result->volume);
  ct_error *error = NULL;
  int index;
  if (mark->oblique) {
    measure_oblique_in_volume(mark, result, numbers);
    return;
  }
  if (!ct_slice_at(grid, mark->plane, mark->position, &index, &error)) {
    fail(mark, numbers, error->message);
    ct_error_clear(&error);
    return;
  }
  if (!held->image || held->plane != mark->plane || held->index != index) {
    if (held->image) gantry_image_unref(held->image);
    *held = (Held){gantry_result_read_plane(result, mark->plane, index), mark->plane, index};
  }
  if (!held->image) {
    fail(mark, numbers, "There is not enough memory for its slice.");
    return;
  }
  const ct_slice_image slice = slice_of(held->image);
  gantry_mark_measure(mark, &slice, numbers);
  numbers->index = index;
}

/* A picture is of the slice that the mark lies in where it is not farther away than half a pixel of its kind: slices on
 * screen are made where the crosshair is, and marks are drawn on them. */
static void measure_in_picture(const GantryMark *mark, const GantryImage *picture, GantryMarkNumbers *numbers) {
  const double step = picture ? fmin(picture->spacing_x, picture->spacing_y) * (1 + 1e-9) : 0;
  if (!picture || !gantry_mark_is_on(mark, picture, step)) {
    fail(mark, numbers, "Not on screen: go to its slice, or reconstruct the volume.");
    return;
  }
  const ct_slice_image slice = slice_of(picture);
  if (mark->oblique)
    measure_oblique(mark, picture, numbers);
  else
    gantry_mark_measure(mark, &slice, numbers);
  numbers->index = mark->oblique ? -1 : picture->index;
  numbers->preview = TRUE;
}

static void marks_run(GantryTask *task) {
  GantryMarksTask *self = (GantryMarksTask *)task;
  for (int side = 0; side < GANTRY_SIDES; side++) {
    Held held = {0};
    self->numbers[side] = g_array_sized_new(FALSE, TRUE, sizeof(GantryMarkNumbers), self->marks->len);
    for (guint i = 0; i < self->marks->len; i++) {
      const GantryMark *mark = self->marks->pdata[i];
      GantryMarkNumbers numbers = {0};
      if (self->results[side])
        measure_in_volume(mark, self->results[side], &held, &numbers);
      else if (side == GANTRY_A || self->pictures[side][gantry_mark_view(mark)])
        measure_in_picture(mark, self->pictures[side][gantry_mark_view(mark)], &numbers);
      g_array_append_val(self->numbers[side], numbers);
    }
    if (held.image) gantry_image_unref(held.image);
  }
}

static void marks_free(GantryTask *task) {
  GantryMarksTask *self = (GantryMarksTask *)task;
  for (int side = 0; side < GANTRY_SIDES; side++) {
    gantry_result_unref(self->results[side]);
    for (int i = 0; i < GANTRY_VIEWS; i++)
      if (self->pictures[side][i]) gantry_image_unref(self->pictures[side][i]);
    if (self->numbers[side]) g_array_unref(self->numbers[side]);
  }
  g_ptr_array_unref(self->marks);
  gantry_work_free(task);
}

GantryMarksTask *gantry_marks_task_new(GObject *owner, GantryDone done) {
  GantryMarksTask *self = gantry_work_init(g_new0(GantryMarksTask, 1), owner, done, marks_run, marks_free);
  self->work.task.slot = GANTRY_SLOT_MARKS;
  self->marks = g_ptr_array_new_with_free_func((GDestroyNotify)gantry_mark_free);
  return self;
}
