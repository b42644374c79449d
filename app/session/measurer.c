/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One task of the planes' worker; a newer one takes the place of one that waits, and asks for all that is not known. */
#include "app/session/measurer.h"

#include "app/tasks.h"

struct _GantryMeasurer {
  GObject parent_instance;
  GantryFollowerParts with;
  GantryResult *measured[GANTRY_SIDES]; /* numbers are of these; NULL: of slices on screen */
  guint epochs[GANTRY_SIDES];           /* answers of older ones are dropped */
};

G_DEFINE_FINAL_TYPE(GantryMeasurer, gantry_measurer, G_TYPE_OBJECT)

static void gantry_measurer_finalize(GObject *object) {
  GantryMeasurer *self = GANTRY_MEASURER(object);
  for (int side = 0; side < GANTRY_SIDES; side++) gantry_result_unref(self->measured[side]);
  gantry_context_unref(self->with.context);
  G_OBJECT_CLASS(gantry_measurer_parent_class)->finalize(object);
}

static void gantry_measurer_class_init(GantryMeasurerClass *klass) {
  G_OBJECT_CLASS(klass)->finalize = gantry_measurer_finalize;
}

static void gantry_measurer_init(GantryMeasurer *self) {}

GantryMeasurer *gantry_measurer_new(const GantryFollowerParts *parts) {
  GantryMeasurer *self = g_object_new(GANTRY_TYPE_MEASURER, NULL);
  self->with = *parts;
  gantry_context_ref(parts->context);
  return self;
}

static GantryMarks *marks_of(GantryMeasurer *self) {
  return gantry_display_get_marks(gantry_window_get_display(self->with.context->window));
}

static void measured(gpointer owner, GantryTask *task) {
  GantryMeasurer *self = owner;
  const GantryMarksTask *known = (const GantryMarksTask *)task;
  if (task->dropped || !self->with.context->window || !known->numbers[GANTRY_B]) return;
  GantryMarks *marks = marks_of(self);
  for (int side = 0; side < GANTRY_SIDES; side++) {
    if (known->epochs[side] != self->epochs[side]) continue;
    for (guint i = 0; i < known->marks->len; i++) {
      const GantryMark *mark = known->marks->pdata[i];
      const GantryMarkNumbers *numbers = &g_array_index(known->numbers[side], GantryMarkNumbers, i);
      if (numbers->serial) gantry_marks_set_numbers(marks, mark->id, side, numbers);
    }
  }
  gantry_marks_measured(marks);
}

static GantryResult *find_result(GantryMeasurer *self, int side) {
  GantryResult *result = side == GANTRY_B ? gantry_reference_get_result(self->with.reference)
                         : gantry_slices_get_source(self->with.slices) == GANTRY_SOURCE_VOLUME
                             ? gantry_shelf_get_result(self->with.shelf)
                             : NULL;
  return result && result->volume ? result : NULL;
}

static void forget(GantryMeasurer *self, int side) {
  self->epochs[side]++;
  gantry_marks_forget_numbers(marks_of(self), side);
}

static void choose_result(GantryMeasurer *self, int side) {
  GantryResult *result = find_result(self, side);
  if (result == self->measured[side]) return;
  gantry_result_unref(self->measured[side]);
  self->measured[side] = result ? gantry_result_ref(result) : NULL;
  forget(self, side);
}

static void add_unknown(GantryMeasurer *self, GantryMarksTask *task) {
  GantryMarks *marks = marks_of(self);
  const gboolean b = gantry_reference_exists(self->with.reference);
  for (guint i = 0; i < gantry_marks_count(marks); i++) {
    const GantryMark *mark = gantry_marks_get(marks, i);
    if (!gantry_marks_get_numbers(marks, mark->id, GANTRY_A) ||
        (b && !gantry_marks_get_numbers(marks, mark->id, GANTRY_B)))
      g_ptr_array_add(task->marks, gantry_mark_copy(mark));
  }
}

void gantry_measurer_request(GantryMeasurer *self) {
  GantryContext *context = self->with.context;
  if (!context->window || !context->planes_worker) return;
  for (int side = 0; side < GANTRY_SIDES; side++) choose_result(self, side);
  if (!gantry_marks_count(marks_of(self))) return;
  GantryMarksTask *task = gantry_marks_task_new(G_OBJECT(self), measured);
  add_unknown(self, task);
  for (int side = 0; side < GANTRY_SIDES; side++) {
    task->epochs[side] = self->epochs[side];
    if (self->measured[side]) task->results[side] = gantry_result_ref(self->measured[side]);
    for (int i = 0; i < GANTRY_VIEWS && !self->measured[side]; i++) {
      GantryImage *picture = gantry_pictures_get(self->with.pictures, (GantrySide)side, (GantryViewKind)i);
      if (picture) task->pictures[side][i] = gantry_image_ref(picture);
    }
  }
  gantry_worker_push(context->planes_worker, (GantryTask *)task);
}

void gantry_measurer_renew_pictures(GantryMeasurer *self) {
  if (!self->with.context->window || !gantry_marks_count(marks_of(self))) return;
  for (int side = 0; side < GANTRY_SIDES; side++)
    if (!find_result(self, side)) forget(self, side);
  gantry_measurer_request(self);
}

void gantry_measurer_connect(GantryMeasurer *self) {
  g_signal_connect_object(marks_of(self), "changed", G_CALLBACK(gantry_measurer_request), self, G_CONNECT_SWAPPED);
}
