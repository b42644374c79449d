/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Volumes are compared by the files' worker, slices and regions by the planes' worker; a newer question replaces an
 * older one. */
#include "app/session/analyser.h"

#include "app/errors.h"
#include "app/tasks.h"

#include <math.h>

/* What the errors are of; both members of one pair or none. */
typedef struct {
  GantryResult *a, *b;
  GantryImage *slice_a, *slice_b;
  const GantryMark *region; /* the list's; NULL: all of it */
  guint serial;             /* the region's */
} Pair;

struct _GantryAnalyser {
  GObject parent_instance;
  GantryFollowerParts with;
  Pair asked;
  guint region; /* the one that was chosen last; 0: none */
  guint64 generation;
};

G_DEFINE_FINAL_TYPE(GantryAnalyser, gantry_analyser, G_TYPE_OBJECT)

static void set_asked(GantryAnalyser *self, const Pair *pair) {
  const Pair old = self->asked;
  if (pair->a) gantry_result_ref(pair->a), gantry_result_ref(pair->b);
  if (pair->slice_a) gantry_image_ref(pair->slice_a), gantry_image_ref(pair->slice_b);
  self->asked = *pair;
  self->asked.region = NULL;
  gantry_result_unref(old.a);
  gantry_result_unref(old.b);
  if (old.slice_a) gantry_image_unref(old.slice_a), gantry_image_unref(old.slice_b);
}

static void gantry_analyser_finalize(GObject *object) {
  GantryAnalyser *self = GANTRY_ANALYSER(object);
  set_asked(self, &(Pair){0});
  gantry_context_unref(self->with.context);
  G_OBJECT_CLASS(gantry_analyser_parent_class)->finalize(object);
}

static void gantry_analyser_class_init(GantryAnalyserClass *klass) {
  G_OBJECT_CLASS(klass)->finalize = gantry_analyser_finalize;
}

static void gantry_analyser_init(GantryAnalyser *self) {}

GantryAnalyser *gantry_analyser_new(const GantryFollowerParts *parts) {
  GantryAnalyser *self = g_object_new(GANTRY_TYPE_ANALYSER, NULL);
  self->with = *parts;
  gantry_context_ref(parts->context);
  return self;
}

static void show_instead(GantryAnalyser *self, const char *text) {
  gantry_window_take_errors(self->with.context->window, NULL, text);
}

static const char *text_without_reference(void) {
  return "Keep a result as reference B, and the errors of later results are shown here.";
}

/* Answers that are on their way count no more. */
static void drop(GantryAnalyser *self) {
  self->generation++;
  set_asked(self, &(Pair){0});
  gantry_worker_cancel_slot(self->with.context->files_worker, GANTRY_SLOT_ERRORS);
  gantry_worker_cancel_slot(self->with.context->planes_worker, GANTRY_SLOT_ERRORS);
}

void gantry_analyser_forget(GantryAnalyser *self) {
  drop(self);
  if (self->with.context->window) show_instead(self, text_without_reference());
}

static void analysed(gpointer owner, GantryTask *task) {
  GantryAnalyser *self = owner;
  GantryErrorsTask *errors = (GantryErrorsTask *)task;
  if (task->dropped || task->generation != self->generation || !self->with.context->window) return;
  if (errors->report)
    gantry_window_take_errors(self->with.context->window, g_steal_pointer(&errors->report), NULL);
  else if (!g_error_matches(errors->work.error, GANTRY_ERROR, CT_ERROR_CANCELLED))
    show_instead(self, errors->work.error->message);
}

/* NULL: the pair is there. Empty: it is on its way. */
static const char *find_volumes(GantryAnalyser *self, Pair *pair) {
  GantryResult *a = gantry_shelf_get_result(self->with.shelf), *b = gantry_reference_get_result(self->with.reference);
  if (!b)
    return "B is slices of a plan, not a volume. Choose Slice, or reconstruct with the values of B and keep that "
           "volume "
           "as B.";
  if (gantry_slices_get_source(self->with.slices) != GANTRY_SOURCE_VOLUME || !a)
    return "A is no volume yet. Press Reconstruct, or choose Slice.";
  pair->a = a, pair->b = b;
  return NULL;
}

static const char *find_slices(GantryAnalyser *self, Pair *pair) {
  GantryPictures *pictures = self->with.pictures;
  GantryImage *a = gantry_pictures_get(pictures, GANTRY_A, GANTRY_VIEW_AXIAL),
              *b = gantry_pictures_get(pictures, GANTRY_B, GANTRY_VIEW_AXIAL);
  if (!a || !b || b->index != a->index || b->generation != gantry_pictures_get_generation(pictures, GANTRY_B))
    return "";
  pair->slice_a = a, pair->slice_b = b;
  return NULL;
}

static GantryMarks *marks_of(GantryAnalyser *self) {
  return gantry_display_get_marks(gantry_window_get_display(self->with.context->window));
}

/* On an orthogonal slice: A and B are compared voxel by voxel. */
static gboolean is_region(const GantryMark *mark) {
  return gantry_mark_is_region(mark) && !mark->oblique;
}

/* The region that is chosen, or was last, or was drawn last; NULL: there is none. */
static const GantryMark *find_region(GantryAnalyser *self) {
  GantryMarks *marks = marks_of(self);
  const guint candidates[] = {gantry_marks_get_chosen(marks), self->region};
  const GantryMark *found = NULL;
  for (gsize i = 0; i < G_N_ELEMENTS(candidates) && !found; i++) {
    const GantryMark *mark = gantry_marks_find(marks, candidates[i]);
    if (mark && is_region(mark)) found = mark;
  }
  for (guint i = gantry_marks_count(marks); i-- > 0 && !found;)
    if (is_region(gantry_marks_get(marks, i))) found = gantry_marks_get(marks, i);
  self->region = found ? found->id : 0;
  return found;
}

/* On volumes where both sides have one, else on the slices on screen. */
static const char *find_region_of(GantryAnalyser *self, Pair *pair) {
  GantryPictures *pictures = self->with.pictures;
  const GantryMark *region = find_region(self);
  if (!region)
    return "There is no region. Draw a rectangle, an ellipse or a free region on a slice: Regions in the main menu, or "
           "Alt+Shift+R, E or G.";
  pair->region = region;
  pair->serial = region->serial;
  if (!find_volumes(self, pair)) return NULL;
  GantryImage *a = gantry_pictures_get(pictures, GANTRY_A, (GantryViewKind)region->plane),
              *b = gantry_pictures_get(pictures, GANTRY_B, (GantryViewKind)region->plane);
  const double reach = a ? fmin(a->spacing_x, a->spacing_y) / 2 : 0;
  if (a && fabs(region->position - a->position) > reach * (1 + 1e-9))
    return "The region's slice is not on screen, and there are no volumes. Go to it (Regions page), or reconstruct.";
  if (!a || !b || b->index != a->index || b->generation != gantry_pictures_get_generation(pictures, GANTRY_B))
    return "";
  pair->slice_a = a, pair->slice_b = b;
  return NULL;
}

static GantryErrorsTask *make_task(GantryAnalyser *self, const Pair *pair) {
  const ct_grid *grid = gantry_pictures_get_grid(self->with.pictures);
  GObject *owner = G_OBJECT(self);
  if (pair->region)
    return pair->a ? gantry_errors_task_new_for_region(owner, analysed, pair->region, pair->a, pair->b)
                   : gantry_errors_task_new_for_region_on_screen(owner, analysed, pair->region, grid, pair->slice_a,
                                                                 pair->slice_b);
  return pair->a ? gantry_errors_task_new_for_volumes(owner, analysed, pair->a, pair->b)
                 : gantry_errors_task_new_for_slices(owner, analysed, grid, pair->slice_a, pair->slice_b);
}

static void ask(GantryAnalyser *self, const Pair *pair) {
  const gboolean volumes = pair->a && !pair->region;
  drop(self);
  set_asked(self, pair);
  if (volumes) show_instead(self, "Comparing the volumes…");
  GantryErrorsTask *task = make_task(self, pair);
  task->work.task.generation = self->generation;
  gantry_worker_push(volumes ? self->with.context->files_worker : self->with.context->planes_worker,
                     (GantryTask *)task);
}

void gantry_analyser_update(GantryAnalyser *self) {
  if (!self->with.context->window) return;
  static const char *(*const find[])(GantryAnalyser *, Pair *) = {[GANTRY_ERRORS_VOLUME] = find_volumes,
                                                                  [GANTRY_ERRORS_SLICE] = find_slices,
                                                                  [GANTRY_ERRORS_REGION] = find_region_of};
  const GantryErrorsScope scope = gantry_window_get_errors_scope(self->with.context->window);
  Pair pair = {0};
  if (scope == GANTRY_ERRORS_NONE) return;
  if (!gantry_reference_exists(self->with.reference)) {
    gantry_analyser_forget(self);
    return;
  }
  const char *text = find[scope](self, &pair);
  if (text) {
    if (!*text) return;
    drop(self);
    show_instead(self, text);
    return;
  }
  const Pair *asked = &self->asked;
  if (pair.a == asked->a && pair.b == asked->b && pair.slice_a == asked->slice_a && pair.slice_b == asked->slice_b &&
      pair.serial == asked->serial)
    return;
  ask(self, &pair);
}

static void marks_changed(GantryAnalyser *self) {
  if (self->with.context->window && gantry_window_get_errors_scope(self->with.context->window) == GANTRY_ERRORS_REGION)
    gantry_analyser_update(self);
}

void gantry_analyser_connect(GantryAnalyser *self) {
  g_signal_connect_object(marks_of(self), "changed", G_CALLBACK(marks_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(marks_of(self), "chosen", G_CALLBACK(marks_changed), self, G_CONNECT_SWAPPED);
}
