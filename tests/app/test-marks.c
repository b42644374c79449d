/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list of marks without a window: names, undo, numbers that grow stale, and its JSON. */
#include "tests/test.h"

#include "app/marks-json.h"
#include "app/tasks.h"

#include <math.h>

static guint add(GantryMarks *marks, GantryMarkKind kind, guint count, double (*points)[2]) {
  const GantryMark mark = {
      .kind = kind, .plane = CT_CORONAL, .position = 1.0 / 3, .thickness = 0.1, .count = count, .points = points};
  return gantry_marks_add(marks, &mark);
}

static void names_and_refusals(void) {
  g_autoptr(GantryMarks) marks = gantry_marks_new();
  double points[3][2] = {{0, 0}, {2, 1}, {1, 3}}, bad[2][2] = {{0, NAN}, {1, 1}};
  const guint first = add(marks, GANTRY_MARK_ELLIPSE, 2, points), second = add(marks, GANTRY_MARK_ELLIPSE, 2, points);
  CHECK(g_str_equal(gantry_marks_find(marks, second)->name, "Ellipse 2"));
  gantry_marks_remove(marks, first);
  const guint third = add(marks, GANTRY_MARK_ELLIPSE, 2, points);
  CHECK(g_str_equal(gantry_marks_find(marks, third)->name, "Ellipse 1"));
  CHECK(third != first);
  CHECK(!add(marks, GANTRY_MARK_RECTANGLE, 2, bad));
  CHECK(!add(marks, GANTRY_MARK_ANGLE, 2, points));
  CHECK(!add(marks, GANTRY_MARK_POLYGON, 2, points));
  CHECK(add(marks, GANTRY_MARK_POLYGON, 3, points));
  CHECK(gantry_marks_count(marks) == 3);
}

/* A drag is one step, however many places it went through. */
static void undo(void) {
  g_autoptr(GantryMarks) marks = gantry_marks_new();
  double points[2][2] = {{0, 0}, {2, 1}};
  const guint id = add(marks, GANTRY_MARK_LINE, 2, points);
  gantry_marks_begin(marks);
  for (int i = 0; i < 5; i++) {
    points[1][0] += 1;
    gantry_marks_set_points(marks, id, (const double(*)[2])points);
  }
  gantry_marks_end(marks);
  CHECK(gantry_marks_find(marks, id)->points[1][0] == 7);
  gantry_marks_undo(marks);
  CHECK(gantry_marks_find(marks, id)->points[1][0] == 2);
  gantry_marks_choose(marks, id);
  gantry_marks_undo(marks);
  CHECK(gantry_marks_count(marks) == 0 && gantry_marks_get_chosen(marks) == 0 && !gantry_marks_can_undo(marks));
}

static void numbers(void) {
  g_autoptr(GantryMarks) marks = gantry_marks_new();
  double points[2][2] = {{-0.6, -0.6}, {1.6, 0.6}};
  const float values[6] = {1, 3, 100, 5, 7, 100};
  const ct_slice_image image = {values, 3, 2, 0, 0, 1, 1};
  const guint id = add(marks, GANTRY_MARK_RECTANGLE, 2, points);
  GantryMarkNumbers known = {0};
  gantry_mark_measure(gantry_marks_find(marks, id), &image, &known);
  CHECK(!*known.problem && known.region.pixels == 2 && known.region.values.mean == 2 && known.region.cut_off);
  gantry_marks_set_numbers(marks, id, GANTRY_MARKS_OF_B, &known);
  CHECK(gantry_marks_get_numbers(marks, id, GANTRY_MARKS_OF_B));
  CHECK(!gantry_marks_get_numbers(marks, id, GANTRY_MARKS_OF_A));
  points[1][1] = 1.6;
  gantry_marks_set_points(marks, id, (const double(*)[2])points);
  CHECK(!gantry_marks_get_numbers(marks, id, GANTRY_MARKS_OF_B));
  /* An answer about the place before is none. */
  gantry_marks_set_numbers(marks, id, GANTRY_MARKS_OF_B, &known);
  CHECK(!gantry_marks_get_numbers(marks, id, GANTRY_MARKS_OF_B));
  gantry_mark_measure(gantry_marks_find(marks, id), &image, &known);
  gantry_marks_set_numbers(marks, id, GANTRY_MARKS_OF_B, &known);
  CHECK(gantry_marks_get_numbers(marks, id, GANTRY_MARKS_OF_B)->region.values.mean == 4);
}

static void handles(void) {
  double points[2][2] = {{0, 10}, {4, 2}}, moved[2][2];
  const GantryMark mark = {.kind = GANTRY_MARK_RECTANGLE, .count = 2, .points = points};
  CHECK(gantry_mark_handles(&mark) == 4);
  for (guint handle = 0; handle < 4; handle++) {
    double at[2], after[2], opposite[2], still[2];
    gantry_mark_handle(&mark, handle, at);
    gantry_mark_handle(&mark, (handle + 2) % 4, opposite);
    gantry_mark_shift_handle(&mark, handle, 1, -3, moved);
    const GantryMark other = {.kind = GANTRY_MARK_RECTANGLE, .count = 2, .points = moved};
    gantry_mark_handle(&other, handle, after);
    gantry_mark_handle(&other, (handle + 2) % 4, still);
    CHECK(after[0] == at[0] + 1 && after[1] == at[1] - 3);
    CHECK(still[0] == opposite[0] && still[1] == opposite[1]);
  }
}

static void json(void) {
  g_autoptr(GantryDisplay) display = gantry_display_new(), other = gantry_display_new();
  GantryMarks *marks = gantry_display_get_marks(display), *copies = gantry_display_get_marks(other);
  double points[3][2] = {{0.1, -1e-7}, {2.0 / 3, 1}, {1, 3e5}};
  const GantryValues hu = {{51234.5678, -1000.25}, "HU"};
  for (int kind = 0; kind < GANTRY_MARK_KINDS; kind++)
    CHECK(add(marks, (GantryMarkKind)kind,
              kind == GANTRY_MARK_POLYGON ? 3 : gantry_mark_kind_points((GantryMarkKind)kind), points));
  gantry_marks_set_name(marks, gantry_marks_get(marks, 0)->id, "Wasser \"1\", ganz");
  gantry_display_set_values(display, &hu);
  json_t *kept = gantry_marks_to_json(display);
  char *text = json_dumps(kept, JSON_REAL_PRECISION(17));
  json_t *read = json_loads(text, 0, NULL);
  ct_error *error = NULL;
  CHECK(gantry_marks_from_json(other, read, &error) && !error);
  CHECK(gantry_marks_count(copies) == GANTRY_MARK_KINDS);
  for (guint i = 0; i < gantry_marks_count(copies); i++) {
    const GantryMark *a = gantry_marks_get(marks, i), *b = gantry_marks_get(copies, i);
    CHECK(a->kind == b->kind && a->plane == b->plane && a->position == b->position && a->thickness == b->thickness);
    CHECK(g_str_equal(a->name, b->name) && a->count == b->count);
    CHECK(memcmp(a->points, b->points, sizeof *a->points * a->count) == 0);
  }
  CHECK(gantry_display_value(other, 0.02) == gantry_display_value(display, 0.02));
  CHECK(g_str_equal(gantry_display_value_unit(other), "HU"));

  /* A scale that the file tells counts from then on, and can be gone back to. */
  const GantryValues told = {{1000, 0}, "HU"};
  gantry_display_set_told(other, &told);
  CHECK(gantry_display_value(other, 0.5) == 500 && gantry_display_get_told(other));
  gantry_display_set_values(other, NULL);
  CHECK(gantry_display_value(other, 0.5) == 0.5);
  gantry_display_set_values(other, gantry_display_get_told(other));
  CHECK(gantry_display_value(other, 0.5) == 500);
  gantry_display_set_told(other, NULL);
  CHECK(gantry_display_value(other, 0.5) == 0.5 && !gantry_display_get_told(other));

  /* Damage changes nothing. */
  json_t *second = json_array_get(read, 1);
  json_object_set_new(second, "points", json_pack("[[f,f]]", 1.0, 2.0));
  CHECK(!gantry_marks_from_json(other, read, &error) && error && strstr(error->message, "Mark 2"));
  ct_error_clear(&error);
  CHECK(gantry_marks_count(copies) == GANTRY_MARK_KINDS);
  json_t *empty = json_array();
  CHECK(gantry_marks_from_json(other, empty, &error) && gantry_marks_count(copies) == 0);
  CHECK(!gantry_display_get_values(other));
  gantry_marks_undo(copies);
  CHECK(gantry_marks_count(copies) == GANTRY_MARK_KINDS);
  CHECK(!gantry_marks_from_json(other, NULL, &error) && error);
  ct_error_clear(&error);
  json_decref(empty);
  json_decref(read);
  json_decref(kept);
  free(text);
}

/* On an oblique plane: kept with its pose, and measured in a volume whose values are a plane wave of no curvature, so
 * that the mean of a box is the value at its middle; where it reaches beyond the volume it has the area of a part. */

enum { N = 24 };

static double ramp(const double point[3]) {
  return 1 + 0.02 * point[0] - 0.05 * point[1] + 0.03 * point[2];
}

static GantryResult *make_result(void) {
  const ct_grid grid = {N, N, N, 1, 1, 1, -11.5, -11.5, -11.5};
  ct_volume *volume = ct_volume_new(&grid, NULL);
  float *values = ct_volume_data(volume);
  for (int k = 0; k < N; k++)
    for (int j = 0; j < N; j++)
      for (int i = 0; i < N; i++) values[(k * N + j) * N + i] = (float)ramp((double[]){i - 11.5, j - 11.5, k - 11.5});
  ct_plan plan;
  ct_plan_init(&plan);
  return gantry_result_new(volume, &plan);
}

static GantryMarkNumbers measure(GantryResult *result, const GantryMark *mark) {
  g_autoptr(GObject) owner = g_object_new(G_TYPE_OBJECT, NULL);
  GantryMarksTask *task = gantry_marks_task_new(owner, NULL);
  GantryMark *copy = gantry_mark_copy(mark);
  copy->serial = 1;
  g_ptr_array_add(task->marks, copy);
  task->results[GANTRY_A] = gantry_result_ref(result);
  task->work.task.run(&task->work.task);
  const GantryMarkNumbers numbers = g_array_index(task->numbers[GANTRY_A], GantryMarkNumbers, 0);
  task->work.task.free(&task->work.task);
  return numbers;
}

static void oblique(void) {
  g_autoptr(GantryResult) result = make_result();
  char name[] = "box";
  const GantryPose pose = {20 * G_PI / 180, 35 * G_PI / 180};
  double points[2][2] = {{-2.1, -3.2}, {4.3, 2.6}}, middle[2], world[3], large[2][2] = {{-40, -3}, {40, 3}};
  GantryMark mark = {.kind = GANTRY_MARK_RECTANGLE,
                     .oblique = TRUE,
                     .pose = pose,
                     .position = 1.25,
                     .count = 2,
                     .name = name,
                     .points = points};
  GantryMarkNumbers numbers = measure(result, &mark);
  gantry_mark_middle(&mark, middle);
  gantry_mark_to_world(&mark, middle, world);
  CHECK(!*numbers.problem && numbers.index == -1 && !numbers.region.cut_off);
  /* Half a pixel of the box's edge may be counted on one side alone. */
  CHECK_NEAR(numbers.region.values.mean, ramp(world), 0.02);
  CHECK_NEAR(numbers.region.area, 6.4 * 5.8, 7);
  mark.kind = GANTRY_MARK_POINT, mark.count = 1;
  numbers = measure(result, &mark);
  gantry_mark_to_world(&mark, points[0], world);
  CHECK_NEAR(numbers.value, ramp(world), 0.04);
  mark.kind = GANTRY_MARK_RECTANGLE, mark.count = 2, mark.points = large;
  numbers = measure(result, &mark);
  /* Of 80 mm along the picture's horizontal, which runs in z = const at 20 degrees, some 24 / cos 20 lie within. */
  CHECK(!*numbers.problem && numbers.region.cut_off && numbers.region.values.count == numbers.region.pixels);
  CHECK_NEAR(numbers.region.area, 6 * 24 / cos(pose.rotation), 12);
  mark.kind = GANTRY_MARK_LINE;
  numbers = measure(result, &mark);
  CHECK(strstr(numbers.problem, "leaves the volume"));
  mark.position = 100;
  numbers = measure(result, &mark);
  CHECK(strstr(numbers.problem, "does not meet"));

  g_autoptr(GantryDisplay) display = gantry_display_new(), other = gantry_display_new();
  CHECK(gantry_marks_add(gantry_display_get_marks(display), &mark));
  json_t *kept = gantry_marks_to_json(display);
  ct_error *error = NULL;
  CHECK(gantry_marks_from_json(other, kept, &error) && !error);
  const GantryMark *copy = gantry_marks_get(gantry_display_get_marks(other), 0);
  CHECK(copy->oblique && copy->position == mark.position);
  CHECK_NEAR(copy->pose.rotation, pose.rotation, 1e-12);
  CHECK_NEAR(copy->pose.tilt, pose.tilt, 1e-12);
  json_object_del(json_array_get(kept, 0), "tilt");
  CHECK(!gantry_marks_from_json(other, kept, &error) && error && strstr(error->message, "plane"));
  ct_error_clear(&error);
  json_decref(kept);
}

static const ct_test tests[] = {
    {"names, and what is refused", names_and_refusals}, {"a drag is undone as one", undo},
    {"numbers of an earlier place are none", numbers},  {"handles of a box", handles},
    {"kept as JSON and read back exactly", json},       {"on an oblique plane", oblique},
};
CT_TEST_MAIN(tests)
