/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A step is set up like a scan from a phantom is made, with a question where work would be lost; its plan is an undo
 * step. Where the scan is there already, the plan alone is set. */
#include "app/session/lessons.h"

#include "app/errors.h"
#include "app/tasks-lesson.h"
#include "ui/number-text.h"

#include <math.h>
#include <string.h>

struct _GantryLessons {
  GObject parent_instance;
  GantryLessonsParts with;
  GantryLessonBox *box; /* the lesson on the panel; NULL: the list */
  gsize step;
  GantryLessonBox *coming; /* whose step is being set up; NULL: none */
  gsize coming_step;
  gboolean arrival_wanted; /* with the first picture crosshair and grey window become the step's */
  GantryLessonTask *task;  /* borrowed; NULL: nothing is being measured */
};

G_DEFINE_FINAL_TYPE(GantryLessons, gantry_lessons, G_TYPE_OBJECT)

static void gantry_lessons_finalize(GObject *object) {
  GantryLessons *self = GANTRY_LESSONS(object);
  g_clear_pointer(&self->box, gantry_lesson_box_unref);
  g_clear_pointer(&self->coming, gantry_lesson_box_unref);
  gantry_context_unref(self->with.context);
  G_OBJECT_CLASS(gantry_lessons_parent_class)->finalize(object);
}

static void gantry_lessons_class_init(GantryLessonsClass *klass) {
  G_OBJECT_CLASS(klass)->finalize = gantry_lessons_finalize;
}

static void gantry_lessons_init(GantryLessons *self) {}

GantryLessons *gantry_lessons_new(const GantryLessonsParts *parts) {
  GantryLessons *self = g_object_new(GANTRY_TYPE_LESSONS, NULL);
  self->with = *parts;
  gantry_context_ref(parts->context);
  return self;
}

static GantryLessonsPart *part(GantryLessons *self) {
  return gantry_window_get_lessons(self->with.context->window);
}

static GantryLessonsPanel *panel(GantryLessons *self) {
  return gantry_lessons_part_get_panel(part(self));
}

static const gantry_lesson_step *present(GantryLessons *self) {
  return self->box ? &self->box->lesson->steps[self->step] : NULL;
}

static void update_actions(GantryLessons *self) {
  const struct {
    const char *name;
    gboolean enabled;
  } actions[] = {{"lesson-list", self->box != NULL},
                 {"lesson-set-up", self->box != NULL},
                 {"lesson-back", self->box && self->step > 0},
                 {"lesson-next", self->box && self->step + 1 < self->box->lesson->count}};
  for (gsize i = 0; i < G_N_ELEMENTS(actions); i++)
    g_simple_action_set_enabled(
        G_SIMPLE_ACTION(g_action_map_lookup_action(G_ACTION_MAP(self->with.context->window), actions[i].name)),
        actions[i].enabled);
}

/* Measuring */

static void add_term(GString *text, const gantry_term *term, double value) {
  g_autofree char *number = gantry_quantity_text(value, 4, term->quantity->unit);
  g_string_append_printf(text, "%s%s %s%s%s", text->len ? "; " : "", term->quantity->title, number,
                         term->changes ? " with " : "", term->changes ? term->changes : "");
}

/* As people write numbers. */
static void show_finding(GantryLessons *self, gsize i, const gantry_finding *finding) {
  const gantry_claim *claim = &present(self)->claims[i];
  g_autoptr(GString) text = g_string_new(NULL);
  add_term(text, &claim->left, finding->left);
  if (claim->right.quantity) add_term(text, &claim->right, finding->right);
  gantry_lessons_panel_set_finding(panel(self), (int)i, finding->holds ? GANTRY_CLAIM_HOLDS : GANTRY_CLAIM_FAILS,
                                   text->str);
}

static void measured(gpointer owner, GantryTask *task) {
  GantryLessons *self = owner;
  GantryLessonTask *lesson = (GantryLessonTask *)task;
  if (self->task != lesson) return;
  self->task = NULL;
  if (!self->with.context->window || task->dropped || lesson->work.error) return;
  for (gsize i = 0; i < present(self)->claim_count; i++)
    if (lesson->reasons[i])
      gantry_lessons_panel_set_finding(panel(self), (int)i, GANTRY_CLAIM_UNKNOWN, lesson->reasons[i]);
    else
      show_finding(self, i, &lesson->findings[i]);
}

static void measure(GantryLessons *self) {
  gantry_worker_cancel_slot(self->with.context->files_worker, GANTRY_SLOT_LESSON);
  for (gsize i = 0; i < present(self)->claim_count; i++)
    gantry_lessons_panel_set_finding(panel(self), (int)i, GANTRY_CLAIM_MEASURING, "");
  self->task = gantry_lesson_task_new(G_OBJECT(self), measured, self->box, self->step);
  gantry_worker_push(self->with.context->files_worker, (GantryTask *)self->task);
}

/* Showing */

static char *words_of(const gantry_look *look) {
  return look->name ? g_strdup(look->name) : g_strdup_printf("(%g, %g) mm", look->place[0], look->place[1]);
}

static void show_step(GantryLessons *self) {
  const gantry_lesson *lesson = self->box->lesson;
  const gantry_lesson_step *step = present(self);
  g_auto(GStrv) looks = g_new0(char *, step->look_count + 1);
  g_autofree const char **claims = g_new0(const char *, step->claim_count + 1);
  for (gsize i = 0; i < step->look_count; i++) looks[i] = words_of(&step->looks[i]);
  for (gsize i = 0; i < step->claim_count; i++) claims[i] = step->claims[i].says;
  const GantryLessonStep words = {.lesson = lesson->title,
                                  .title = step->title,
                                  .text = step->text,
                                  .formula = step->formula,
                                  .question = step->question,
                                  .answer = step->answer,
                                  .looks = (const char *const *)looks,
                                  .claims = claims,
                                  .index = (int)self->step,
                                  .count = (int)lesson->count};
  gantry_lessons_part_look_away(part(self));
  gantry_lessons_panel_show_step(panel(self), &words);
  gantry_lessons_part_show(part(self));
  update_actions(self);
  measure(self);
}

/* Takes the lesson. */
static void take(GantryLessons *self, gantry_lesson *lesson) {
  g_clear_pointer(&self->box, gantry_lesson_box_unref);
  self->box = gantry_lesson_box_new(lesson);
  self->step = 0;
  show_step(self);
}

static void choose(GSimpleAction *action, GVariant *number, gpointer user) {
  GantryLessons *self = user;
  ct_error *error = NULL;
  gantry_lesson *lesson = gantry_lesson_open(g_variant_get_int32(number), &error);
  if (lesson) take(self, lesson);
  if (!error) return;
  g_autoptr(GError) fault = NULL;
  gantry_take_ct_error(&fault, &error);
  gantry_context_show_error(self->with.context, fault);
}

static void show_list(GSimpleAction *action, GVariant *nothing, gpointer user) {
  GantryLessons *self = user;
  gantry_worker_cancel_slot(self->with.context->files_worker, GANTRY_SLOT_LESSON);
  self->task = NULL;
  g_clear_pointer(&self->box, gantry_lesson_box_unref);
  gantry_lessons_part_look_away(part(self));
  gantry_lessons_panel_show_list(panel(self));
  update_actions(self);
}

static void go_back(GSimpleAction *action, GVariant *nothing, gpointer user) {
  GantryLessons *self = user;
  self->step--;
  show_step(self);
}

static void go_on(GSimpleAction *action, GVariant *nothing, gpointer user) {
  GantryLessons *self = user;
  self->step++;
  show_step(self);
}

/* Looking */

static void move_cross(GantryLessons *self, const gantry_lesson_state *state, const double place[2]) {
  const double position = isnan(state->position) ? 0 : state->position;
  const double points[][3] = {[CT_AXIAL] = {place[0], place[1], position},
                              [CT_CORONAL] = {place[0], position, place[1]},
                              [CT_SAGITTAL] = {position, place[0], place[1]}};
  gantry_display_set_cross(gantry_window_get_display(self->with.context->window), points[state->plane]);
}

static void look(GSimpleAction *action, GVariant *number, gpointer user) {
  GantryLessons *self = user;
  const gantry_lesson_step *step = present(self);
  const gsize i = (gsize)g_variant_get_int32(number);
  if (!step || i >= step->look_count) return;
  gantry_lessons_part_look_away(part(self));
  if (!step->looks[i].name)
    move_cross(self, &step->state, step->looks[i].place);
  else if (!gantry_lessons_part_look(part(self), step->looks[i].name, TRUE))
    gantry_context_toast(self->with.context, GANTRY_ABOUT_ASIDE, NULL, NULL,
                         "\"%s\" is not on screen: set the step up first.", step->looks[i].name);
}

/* What is to be looked at has frames; the first place has the crosshair. */
static void mark(GantryLessons *self, const gantry_lesson_step *step) {
  gantry_lessons_part_look_away(part(self));
  for (gsize i = 0; i < step->look_count; i++)
    if (step->looks[i].name) gantry_lessons_part_look(part(self), step->looks[i].name, FALSE);
}

/* What waits for a picture. */
static void arrive(GantryLessons *self) {
  const gantry_lesson_step *step = present(self);
  GantryWindow *window = self->with.context->window;
  double place[2] = {0, 0};
  if (!step) return;
  for (gsize i = step->look_count; i-- > 0;)
    if (!step->looks[i].name) memcpy(place, step->looks[i].place, sizeof place);
  move_cross(self, &step->state, place);
  if (isnan(step->grey[0]))
    gantry_window_auto_window(window);
  else
    gantry_window_set_grey(window, step->grey[0], step->grey[1]);
}

static void pictures_arrived(GantryPictures *pictures, gboolean of_a, GantryLessons *self) {
  if (!of_a || !self->arrival_wanted || !self->with.context->window) return;
  self->arrival_wanted = FALSE;
  arrive(self);
}

static void draw_line(GantryLessons *self, const gantry_lesson_step *step) {
  static const GantryViewKind kinds[] = {
      [CT_AXIAL] = GANTRY_VIEW_AXIAL, [CT_CORONAL] = GANTRY_VIEW_CORONAL, [CT_SAGITTAL] = GANTRY_VIEW_SAGITTAL};
  const double *line = step->line;
  GantryDisplay *display = gantry_window_get_display(self->with.context->window);
  const ct_plane plane = step->state.plane;
  if (!isnan(line[0]))
    gantry_display_set_profile(display, kinds[plane], (ctgl_point){line[0], line[1]}, (ctgl_point){line[2], line[3]});
}

/* Setting up */

static void show_pages(GantryLessons *self, const gantry_lesson_step *step) {
  GantryWindow *window = self->with.context->window;
  GActionGroup *actions = G_ACTION_GROUP(window);
  gboolean view = FALSE, page = FALSE, arc = FALSE;
  gantry_window_show_views(window);
  for (gsize i = 0; i < step->page_count; i++) {
    *(step->pages[i]->is_view ? &view : &page) = TRUE;
    arc = arc || g_str_equal(step->pages[i]->id, GANTRY_LESSON_ARC);
  }
  /* Not that of the step before. */
  if (!page) gantry_window_show_page(window, "statistics");
  /* Of one row the projection is a streak. */
  if (!view && step->state.simulation.nv == 1)
    g_action_group_activate_action(actions, "fourth", g_variant_new_string("sinogram"));
  for (gsize i = 0; i < step->page_count; i++)
    if (!step->pages[i]->is_view)
      gantry_window_show_page(window, step->pages[i]->id);
    else if (!g_str_equal(step->pages[i]->id, GANTRY_LESSON_ARC))
      g_action_group_activate_action(actions, "fourth", g_variant_new_string(step->pages[i]->id));
  g_action_group_change_action_state(actions, "show-arc", g_variant_new_boolean(arc));
}

/* The scan is there. The device is the machine's, not the lesson's. */
static void finish(GantryLessons *self, const gantry_lesson_step *step) {
  ct_plan plan = step->state.plan;
  g_strlcpy(plan.device, gantry_plan_editor_get(self->with.editor)->device, sizeof plan.device);
  self->arrival_wanted = TRUE;
  gantry_plan_editor_take(self->with.editor, &plan, NULL);
  draw_line(self, step);
  show_pages(self, step);
  mark(self, step);
}

static void scan_loaded(GantryScanSlot *slot, gboolean replaced, const char *plan, const GError *error,
                        GantryLessons *self) {
  if (!self->coming || !self->with.context->window) return;
  /* Another scan has come or gone that was asked for before. */
  if (gantry_jobs_get_kind(self->with.jobs) == GANTRY_JOB_LOAD) return;
  g_autoptr(GantryScan) scan = gantry_scan_slot_get(slot) ? gantry_scan_ref(gantry_scan_slot_get(slot)) : NULL;
  GantryLessonBox *box = g_steal_pointer(&self->coming);
  const gantry_lesson_step *step = &box->lesson->steps[self->coming_step];
  const ct_simulation *made = scan ? gantry_scan_get_simulation(scan) : NULL;
  if (replaced && made && gantry_same_simulation(made, &step->state.simulation)) finish(self, step);
  gantry_lesson_box_unref(box);
}

static void simulate(gpointer owner, gpointer data) {
  GantryLessons *self = owner;
  const gantry_lesson_step *step = present(self);
  if (!step) return;
  g_clear_pointer(&self->coming, gantry_lesson_box_unref);
  self->coming = g_atomic_rc_box_acquire(self->box);
  self->coming_step = self->step;
  gantry_jobs_cancel(self->with.jobs);
  gantry_scan_slot_simulate(self->with.slot, &step->state.simulation, NULL);
}

static void set_up(GSimpleAction *action, GVariant *nothing, gpointer user) {
  GantryLessons *self = user;
  const gantry_lesson_step *step = present(self);
  GantryScan *scan = gantry_scan_slot_get(self->with.slot);
  const ct_simulation *made = scan ? gantry_scan_get_simulation(scan) : NULL;
  if (!step) return;
  if (made && gantry_same_simulation(made, &step->state.simulation)) {
    finish(self, step);
    arrive(self);
    return;
  }
  const GantryQuestion question = {
      .heading = "Make the lesson's scan?", .discard = "_Set Up", .go_on = simulate, .owner = self};
  gantry_questions_ask(self->with.questions, &question);
}

/* A lesson of one's own */

void gantry_lessons_open(GantryLessons *self, GFile *file) {
  g_autofree char *path = g_file_get_path(file);
  ct_error *error = NULL;
  gantry_lesson *lesson = NULL;
  if (path)
    lesson = gantry_lesson_read(path, &error);
  else
    ct_error_set(&error, CT_ERROR_IO, "A lesson is read from this machine's files alone: copy it here first.");
  if (lesson) {
    gantry_window_clear_error(self->with.context->window);
    take(self, lesson);
    return;
  }
  g_autoptr(GError) fault = NULL;
  gantry_take_ct_error(&fault, &error);
  gantry_context_show_error(self->with.context, fault);
}

static void file_chosen(GtkNativeDialog *dialog, int response, GantryLessons *self) {
  g_autoptr(GFile) file = gantry_dialogs_end(self->with.dialogs, dialog, response);
  if (file) gantry_lessons_open(self, file);
}

static void open_file(GSimpleAction *action, GVariant *nothing, gpointer user) {
  GantryLessons *self = user;
  if (gantry_dialogs_is_open(self->with.dialogs)) return;
  gantry_dialogs_begin(self->with.dialogs, "Open a Lesson", GTK_FILE_CHOOSER_ACTION_OPEN, "_Open",
                       G_CALLBACK(file_chosen), self);
  gantry_dialogs_add_filter(self->with.dialogs, "Lessons", "json");
  gantry_dialogs_add_filter(self->with.dialogs, "All files", NULL);
  gantry_dialogs_show(self->with.dialogs);
}

void gantry_lessons_connect(GantryLessons *self) {
  static const GActionEntry entries[] = {
      {.name = "choose-lesson", .activate = choose, .parameter_type = "i"},
      {.name = "lesson-look", .activate = look, .parameter_type = "i"},
      {.name = "lesson-list", .activate = show_list},
      {.name = "lesson-back", .activate = go_back},
      {.name = "lesson-next", .activate = go_on},
      {.name = "lesson-set-up", .activate = set_up},
      {.name = "open-lesson", .activate = open_file},
  };
  g_action_map_add_action_entries(G_ACTION_MAP(self->with.context->window), entries, G_N_ELEMENTS(entries), self);
  for (int i = 0; i < gantry_lesson_count(); i++) {
    gantry_lesson *lesson = gantry_lesson_open(i, NULL);
    gantry_lessons_panel_add(panel(self), lesson ? lesson->title : gantry_lesson_files[i].name,
                             lesson ? lesson->summary : NULL);
    gantry_lesson_free(lesson);
  }
  g_signal_connect_object(self->with.slot, "loaded", G_CALLBACK(scan_loaded), self, 0);
  g_signal_connect_object(self->with.pictures, "arrived", G_CALLBACK(pictures_arrived), self, 0);
  update_actions(self);
}
