/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Marks measured on the voxels of a volume, or where there is none on the slices on screen. */
#include "app/tasks-private.h"

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

static void measure_in_volume(const GantryMark *mark, const GantryResult *result, Held *held,
                              GantryMarkNumbers *numbers) {
  const ct_grid *grid = ct_volume_grid(result->volume);
  ct_error *error = NULL;
  int index;
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
  const double reach = picture ? fmin(picture->spacing_x, picture->spacing_y) / 2 : 0;
  if (!picture || fabs(mark->position - picture->position) > reach * (1 + 1e-9)) {
    fail(mark, numbers, "Not on screen: go to its slice, or reconstruct the volume.");
    return;
  }
  const ct_slice_image slice = slice_of(picture);
  gantry_mark_measure(mark, &slice, numbers);
  numbers->index = picture->index;
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
      else if (side == GANTRY_A || self->pictures[side][mark->plane])
        measure_in_picture(mark, self->pictures[side][mark->plane], &numbers);
      g_array_append_val(self->numbers[side], numbers);
    }
    if (held.image) gantry_image_unref(held.image);
  }
}

static void marks_free(GantryTask *task) {
  GantryMarksTask *self = (GantryMarksTask *)task;
  for (int side = 0; side < GANTRY_SIDES; side++) {
    gantry_result_unref(self->results[side]);
    for (int i = 0; i < GANTRY_PLANES; i++)
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
