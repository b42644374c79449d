/* SPDX-License-Identifier: GPL-3.0-or-later */
/* "Reconstruct This Region": the chosen rectangle becomes the plan's grid, an undo step, and is reconstructed. */
#include "app/session/region-commands.h"

#include "app/session/session-private.h"
#include "recon/solve/plan-region.h"
#include "ui/number-text.h"
#include "ui/region-dialog.h"

#include <math.h>

/* What the dialog is about. */
typedef struct {
  GantrySession *session;
  GantryMark *mark;
  ct_grid grid; /* of A, as the dialog opened */
} Asked;

static void asked_free(gpointer data) {
  Asked *asked = data;
  g_object_unref(asked->session);
  gantry_mark_free(asked->mark);
  g_free(asked);
}

static void tell(GantrySession *self, const char *text) {
  gantry_context_toast(self->context, GANTRY_ABOUT_PLAN, NULL, NULL, "%s", text);
}

/* NULL: there is none, which is said. */
static const GantryMark *find_rectangle(GantrySession *self) {
  GantryMarks *marks = gantry_display_get_marks(gantry_window_get_display(self->context->window));
  const GantryMark *mark = gantry_marks_find(marks, gantry_marks_get_chosen(marks));
  if (mark && mark->kind == GANTRY_MARK_RECTANGLE && !mark->oblique) return mark;
  tell(self,
       "Draw a rectangle on an axial, coronal or sagittal slice (Shift+R), or choose one: it becomes the region.");
  return NULL;
}

static gboolean plan_region(const Asked *asked, const GantryRegionChoice *choice, ct_plan *plan, ct_grid *made,
                            ct_error **error) {
  const GantryMark *mark = asked->mark;
  ct_scan *scan = gantry_scan_get(gantry_scan_slot_get(asked->session->slot));
  ct_plan_region region = {
      .plane = mark->plane, .position = mark->position, .finer = choice->finer, .depth = choice->depth};
  for (int i = 0; i < 2; i++)
    for (int axis = 0; axis < 2; axis++) region.points[i][axis] = mark->points[i][axis];
  ct_geometry geometry;
  *plan = *gantry_plan_editor_get(asked->session->editor);
  if (!ct_plan_set_region(plan, &asked->grid, &region, error) || !ct_plan_geometry(plan, scan, &geometry, error))
    return FALSE;
  const gboolean possible = ct_plan_grid(plan, &geometry, made, error);
  ct_geometry_clear(&geometry);
  return possible;
}

static char *describe(gpointer user, const GantryRegionChoice *choice, gboolean *possible) {
  const Asked *asked = user;
  ct_plan plan;
  ct_grid made;
  ct_error *error = NULL;
  *possible = gantry_scan_slot_get(asked->session->slot) && plan_region(asked, choice, &plan, &made, &error);
  if (!*possible) {
    char *why = g_strdup(error ? error->message : "The scan has been closed.");
    ct_error_clear(&error);
    return why;
  }
  char bytes[32];
  const GantryDisplay *display = gantry_window_get_display(asked->session->context->window);
  g_autofree char *size = gantry_length_text(made.dx, 3, gantry_display_get_units((GantryDisplay *)display).length);
  return g_strdup_printf("%d × %d × %d voxels of %s, %s.", made.nx, made.ny, made.nz, size,
                         ct_format_bytes(4.0 * made.nx * made.ny * made.nz, bytes, sizeof bytes));
}

static void accept(gpointer user, const GantryRegionChoice *choice) {
  const Asked *asked = user;
  GantrySession *self = asked->session;
  ct_plan plan;
  ct_grid made;
  ct_error *error = NULL;
  if (!self->context->window || !gantry_scan_slot_get(self->slot)) return;
  if (!plan_region(asked, choice, &plan, &made, &error)) {
    gantry_window_show_error(self->context->window, error->message);
    ct_error_clear(&error);
    return;
  }
  gantry_plan_editor_take(self->editor, &plan, NULL);
  g_autofree char *name = choice->finer > 1 ? g_strdup_printf("%s, %d times finer", asked->mark->name, choice->finer)
                                            : g_strdup(asked->mark->name);
  gantry_run_begin_named(self->run, name);
}

/* Twice the volume's extent, so that a region at its end can reach the other one. */
static double depth_of(const ct_grid *grid, ct_plane plane, double *step) {
  int width, height, count;
  ct_grid_plane_size(grid, plane, &width, &height, &count);
  *step = plane == CT_AXIAL ? grid->dz : plane == CT_CORONAL ? grid->dy : grid->dx;
  return count > 1 ? 2 * count * *step : 0;
}

static void reconstruct_region(GSimpleAction *action, GVariant *parameter, gpointer data) {
  GantrySession *self = data;
  const ct_grid *grid = gantry_pictures_get_grid(self->pictures);
  const GantryMark *mark = find_rectangle(self);
  if (!mark) return;
  if (!grid || !gantry_scan_slot_get(self->slot)) {
    tell(self, "There is no scan to reconstruct a region from: open one.");
    return;
  }
  Asked *asked = g_new0(Asked, 1);
  *asked = (Asked){g_object_ref(self), gantry_mark_copy(mark), *grid};
  double step;
  const double most = depth_of(grid, mark->plane, &step), side = fmin(fabs(mark->points[1][0] - mark->points[0][0]),
                                                                      fabs(mark->points[1][1] - mark->points[0][1]));
  const GantryRegionRequest request = {
      .name = mark->name,
      .unit = gantry_display_get_units(gantry_window_get_display(self->context->window)).length,
      .most_finer = CT_MOST_FINER,
      .depth = fmin(fmax(side, step), fmax(most, step)),
      .most_depth = most,
      .step = step,
      .describe = describe,
      .accept = accept,
      .user = asked,
      .destroy = asked_free};
  gantry_region_dialog_show(GTK_WINDOW(self->context->window), &request);
}

void gantry_session_add_region_actions(GantrySession *self) {
  static const GActionEntry entries[] = {{.name = "reconstruct-region", .activate = reconstruct_region}};
  g_action_map_add_action_entries(G_ACTION_MAP(self->context->window), entries, G_N_ELEMENTS(entries), self);
}

void gantry_session_update_region_actions(GantrySession *self) {
  GAction *action = g_action_map_lookup_action(G_ACTION_MAP(self->context->window), "reconstruct-region");
  const gboolean scan = gantry_scan_slot_get(self->slot) != NULL;
  const gboolean idle = gantry_jobs_is_idle(self->jobs);
  g_simple_action_set_enabled(G_SIMPLE_ACTION(action), scan && idle);
}
