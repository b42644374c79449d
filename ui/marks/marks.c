/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Undo keeps whole lists: marks are small. */
#include "ui/marks/marks.h"

#include <math.h>
#include <string.h>

enum { MOST_STEPS = 100 };

typedef struct {
  GantryMarkNumbers numbers[GANTRY_MARKS_SIDES];
} Known;

struct _GantryMarks {
  GObject parent_instance;
  GPtrArray *marks;  /* of GantryMark */
  GHashTable *known; /* id: Known */
  GQueue steps;      /* of GPtrArray: the lists before, the newest first */
  gboolean begun, stepped;
  guint chosen, next_id, next_serial;
};

G_DEFINE_FINAL_TYPE(GantryMarks, gantry_marks, G_TYPE_OBJECT)

enum { CHANGED, CHOSEN, MEASURED, SIGNALS };
static guint signals[SIGNALS];

static GPtrArray *new_list(void) {
  return g_ptr_array_new_with_free_func((GDestroyNotify)gantry_mark_free);
}

static void gantry_marks_finalize(GObject *object) {
  GantryMarks *self = GANTRY_MARKS(object);
  g_ptr_array_unref(self->marks);
  g_hash_table_unref(self->known);
  g_queue_clear_full(&self->steps, (GDestroyNotify)g_ptr_array_unref);
  G_OBJECT_CLASS(gantry_marks_parent_class)->finalize(object);
}

static void gantry_marks_class_init(GantryMarksClass *class) {
  static const char *const names[SIGNALS] = {"changed", "chosen", "measured"};
  G_OBJECT_CLASS(class)->finalize = gantry_marks_finalize;
  for (int i = 0; i < SIGNALS; i++)
    signals[i] = g_signal_new(names[i], GANTRY_TYPE_MARKS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void gantry_marks_init(GantryMarks *self) {
  self->marks = new_list();
  self->known = g_hash_table_new_full(NULL, NULL, NULL, g_free);
  g_queue_init(&self->steps);
}

GantryMarks *gantry_marks_new(void) {
  return g_object_new(GANTRY_TYPE_MARKS, NULL);
}

/* The list */

guint gantry_marks_count(GantryMarks *self) {
  return self->marks->len;
}

const GantryMark *gantry_marks_get(GantryMarks *self, guint index) {
  return index < self->marks->len ? self->marks->pdata[index] : NULL;
}

static GantryMark *find(GantryMarks *self, guint id) {
  for (guint i = 0; id && i < self->marks->len; i++)
    if (((GantryMark *)self->marks->pdata[i])->id == id) return self->marks->pdata[i];
  return NULL;
}

const GantryMark *gantry_marks_find(GantryMarks *self, guint id) {
  return find(self, id);
}

static void changed(GantryMarks *self) {
  g_signal_emit(self, signals[CHANGED], 0);
}

/* Undo */

static GPtrArray *copy_list(GPtrArray *list) {
  GPtrArray *copy = new_list();
  for (guint i = 0; i < list->len; i++) g_ptr_array_add(copy, gantry_mark_copy(list->pdata[i]));
  return copy;
}

/* Before a change. */
static void step(GantryMarks *self) {
  if (self->begun && self->stepped) return;
  self->stepped = TRUE;
  g_queue_push_head(&self->steps, copy_list(self->marks));
  if (self->steps.length > MOST_STEPS) g_ptr_array_unref(g_queue_pop_tail(&self->steps));
}

void gantry_marks_begin(GantryMarks *self) {
  self->begun = TRUE;
  self->stepped = FALSE;
}

void gantry_marks_end(GantryMarks *self) {
  self->begun = FALSE;
}

gboolean gantry_marks_can_undo(GantryMarks *self) {
  return !g_queue_is_empty(&self->steps);
}

void gantry_marks_undo(GantryMarks *self) {
  GPtrArray *before = g_queue_pop_head(&self->steps);
  if (!before) return;
  g_ptr_array_unref(self->marks);
  self->marks = before;
  /* What was measured since may be of another place. */
  for (guint i = 0; i < before->len; i++) ((GantryMark *)before->pdata[i])->serial = ++self->next_serial;
  if (!find(self, self->chosen)) gantry_marks_choose(self, 0);
  changed(self);
}

/* Changes */

static gboolean are_points(GantryMarkKind kind, guint count, const double (*points)[2]) {
  const guint wanted = gantry_mark_kind_points(kind);
  if (wanted ? count != wanted : count < 3 || count > GANTRY_MOST_POINTS) return FALSE;
  for (guint i = 0; i < count; i++)
    if (!isfinite(points[i][0]) || !isfinite(points[i][1])) return FALSE;
  return TRUE;
}

/* The first number that no mark of its kind has in its name. */
static char *new_name(GantryMarks *self, GantryMarkKind kind) {
  for (guint number = 1;; number++) {
    char *name = g_strdup_printf("%s %u", gantry_mark_kind_title(kind), number);
    gboolean taken = FALSE;
    for (guint i = 0; i < self->marks->len && !taken; i++)
      taken = g_str_equal(((GantryMark *)self->marks->pdata[i])->name, name);
    if (!taken) return name;
    g_free(name);
  }
}

guint gantry_marks_add(GantryMarks *self, const GantryMark *mark) {
  if (self->marks->len >= GANTRY_MOST_MARKS || mark->kind >= GANTRY_MARK_KINDS || !isfinite(mark->position) ||
      !(mark->thickness >= 0) || !isfinite(mark->thickness) ||
      !are_points(mark->kind, mark->count, (const double(*)[2])mark->points))
    return 0;
  step(self);
  GantryMark *added = gantry_mark_copy(mark);
  if (!added->name || !*added->name) {
    g_free(added->name);
    added->name = new_name(self, mark->kind);
  }
  added->id = ++self->next_id;
  added->serial = ++self->next_serial;
  g_ptr_array_add(self->marks, added);
  changed(self);
  return added->id;
}

void gantry_marks_set_points(GantryMarks *self, guint id, const double (*points)[2]) {
  GantryMark *mark = find(self, id);
  if (!mark || !are_points(mark->kind, mark->count, points)) return;
  if (memcmp(mark->points, points, sizeof *points * mark->count) == 0) return;
  step(self);
  memcpy(mark->points, points, sizeof *points * mark->count);
  mark->serial = ++self->next_serial;
  changed(self);
}

void gantry_marks_set_name(GantryMarks *self, guint id, const char *name) {
  GantryMark *mark = find(self, id);
  if (!mark || !*name || g_str_equal(mark->name, name)) return;
  step(self);
  g_free(mark->name);
  mark->name = g_strdup(name);
  changed(self);
}

void gantry_marks_set_thickness(GantryMarks *self, guint id, double thickness) {
  GantryMark *mark = find(self, id);
  if (!mark || !(thickness >= 0) || !isfinite(thickness) || mark->thickness == thickness) return;
  step(self);
  mark->thickness = thickness;
  mark->serial = ++self->next_serial;
  changed(self);
}

void gantry_marks_remove(GantryMarks *self, guint id) {
  GantryMark *mark = find(self, id);
  if (!mark) return;
  step(self);
  g_ptr_array_remove(self->marks, mark);
  if (self->chosen == id) gantry_marks_choose(self, 0);
  changed(self);
}

void gantry_marks_clear(GantryMarks *self) {
  if (!self->marks->len) return;
  step(self);
  g_ptr_array_set_size(self->marks, 0);
  gantry_marks_choose(self, 0);
  changed(self);
}

void gantry_marks_choose(GantryMarks *self, guint id) {
  if (id && !find(self, id)) id = 0;
  if (self->chosen == id) return;
  self->chosen = id;
  g_signal_emit(self, signals[CHOSEN], 0);
}

guint gantry_marks_get_chosen(GantryMarks *self) {
  return self->chosen;
}

/* Numbers */

void gantry_marks_set_numbers(GantryMarks *self, guint id, int side, const GantryMarkNumbers *numbers) {
  const GantryMark *mark = find(self, id);
  if (!mark || mark->serial != numbers->serial) return;
  Known *known = g_hash_table_lookup(self->known, GUINT_TO_POINTER(id));
  if (!known) {
    known = g_new0(Known, 1);
    g_hash_table_insert(self->known, GUINT_TO_POINTER(id), known);
  }
  known->numbers[side] = *numbers;
}

void gantry_marks_measured(GantryMarks *self) {
  g_signal_emit(self, signals[MEASURED], 0);
}

void gantry_marks_forget_numbers(GantryMarks *self, int side) {
  GHashTableIter iter;
  gpointer value;
  g_hash_table_iter_init(&iter, self->known);
  while (g_hash_table_iter_next(&iter, NULL, &value)) ((Known *)value)->numbers[side].serial = 0;
}

const GantryMarkNumbers *gantry_marks_get_numbers(GantryMarks *self, guint id, int side) {
  const GantryMark *mark = find(self, id);
  const Known *known = mark ? g_hash_table_lookup(self->known, GUINT_TO_POINTER(id)) : NULL;
  return known && known->numbers[side].serial == mark->serial ? &known->numbers[side] : NULL;
}
