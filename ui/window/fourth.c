/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The action's state is what the user sees; what is asked for follows it. */
#include "ui/window/fourth.h"

/* Of a detector with so few rows a projection is a streak. */
enum { FEW = 4 };

struct _GantryFourth {
  GantryFourthParts with;
  gboolean sinogram;
  GantryProjectionValues values, shown; /* that are wanted; of the picture on screen */
  gboolean arc;                         /* arc and weights are shown beside a sinogram */
  gboolean scene_oblique;               /* the scene has the oblique plane in it */
  gboolean suits;                       /* the sinogram is shown because the detector has few rows */
  gboolean due;                         /* the row was chosen here, not by the user */
  int projection, row, projections, rows;
};

/* As the action's states, and before "projection" and "sinogram" in the title. */
static const struct {
  const char *id, *title;
} values_kinds[] = {[GANTRY_VALUES_INTEGRALS] = {"integrals", ""},
                    [GANTRY_VALUES_STORED] = {"stored", "Stored "},
                    [GANTRY_VALUES_FILTERED] = {"filtered", "Filtered "},
                    [GANTRY_VALUES_WEIGHTS] = {"weights", "Weights: "},
                    [GANTRY_VALUES_WEIGHTED] = {"weighted", "Weighted "}};

static void want(GantryFourth *self) {
  self->with.wanted(self->with.user, self->sinogram ? self->row : self->projection, self->sinogram);
}

static void show_range(GantryFourth *self) {
  GantrySliceView *view = gantry_quad_get_view(self->with.quad, GANTRY_VIEW_PROJECTION);
  double first, last;
  if (self->sinogram) {
    gantry_slice_view_set_range(view, self->rows, self->row, 0, MAX(self->rows - 1, 0), "");
  } else {
    gantry_plan_panel_get_angles(self->with.panel, &first, &last);
    gantry_slice_view_set_range(view, self->projections, self->projection, first, last, "°");
  }
  gantry_scene_view_set_range(gantry_quad_get_scene(self->with.quad), self->projections, self->projection);
  /* Nothing is filtered for iterative methods, or yet. */
  const gboolean instead = self->values >= GANTRY_VALUES_FILTERED && self->shown != self->values;
  const char *not_there = self->values == GANTRY_VALUES_FILTERED ? "Not Filtered: " : "Without Weights: ";
  g_autofree char *title = g_strconcat(instead ? not_there : values_kinds[self->values].title,
                                       self->sinogram ? "Sinogram, row" : "Projection", NULL);
  gantry_slice_view_set_title(view, title);
  gantry_slice_view_set_axes(view, "u", self->sinogram ? "view" : "v");
}

static void slider_moved(GantrySliceView *view, int index, GantryFourth *self) {
  const int count = self->sinogram ? self->rows : self->projections;
  if (count < 1) return;
  *(self->sinogram ? &self->row : &self->projection) = CLAMP(index, 0, count - 1);
  show_range(self);
  want(self);
}

void gantry_fourth_show_projection(GantryFourth *self, int index) {
  if (self->projections < 1) return;
  self->projection = CLAMP(index, 0, self->projections - 1);
  show_range(self);
  if (!self->sinogram) want(self);
}

static void view_wanted(GantrySceneView *scene, int index, GantryFourth *self) {
  gantry_fourth_show_projection(self, index);
}

static void set_sinogram(GantryFourth *self, gboolean sinogram) {
  if (self->sinogram == sinogram) return;
  self->sinogram = sinogram;
  /* That which was shown is a sinogram. */
  gantry_scene_view_set_image(gantry_quad_get_scene(self->with.quad), GANTRY_VIEW_PROJECTION, NULL);
  gantry_quad_set_sinogram(self->with.quad, sinogram);
  gantry_rectangle_set_sinogram(self->with.rectangle, sinogram);
  gantry_scales_renew_projection(self->with.scales);
  show_range(self);
  if (self->projections) want(self);
}

/* The oblique plane is drawn and asked for where it is seen. */
static void show_oblique(GantryFourth *self) {
  GantryPose pose;
  const GantryFourthKind kind = gantry_quad_get_fourth(self->with.quad);
  gantry_display_get_oblique(self->with.display, &pose);
  gantry_display_set_oblique(
      self->with.display, kind == GANTRY_FOURTH_OBLIQUE || (kind == GANTRY_FOURTH_SCENE && self->scene_oblique), &pose);
}

void gantry_fourth_set_scene_oblique(GantryFourth *self, gboolean oblique) {
  self->scene_oblique = oblique;
  show_oblique(self);
}

static void change(GSimpleAction *action, GVariant *value, gpointer user) {
  GantryFourth *self = user;
  g_simple_action_set_state(action, value);
  const char *fourth = g_variant_get_string(value, NULL);
  const gboolean oblique = g_str_equal(fourth, "oblique"), scene = g_str_equal(fourth, "scene");
  gantry_quad_set_fourth(self->with.quad, oblique ? GANTRY_FOURTH_OBLIQUE
                                          : scene ? GANTRY_FOURTH_SCENE
                                                  : GANTRY_FOURTH_PROJECTION);
  show_oblique(self);
  if (!oblique) set_sinogram(self, g_str_equal(fourth, "sinogram"));
  self->suits = FALSE;
}

static void change_values(GSimpleAction *action, GVariant *value, gpointer user) {
  GantryFourth *self = user;
  const char *id = g_variant_get_string(value, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS(values_kinds); i++) {
    if (!g_str_equal(id, values_kinds[i].id)) continue;
    g_simple_action_set_state(action, value);
    self->values = self->shown = (GantryProjectionValues)i;
    gantry_scales_renew_projection(self->with.scales);
    show_range(self);
    if (self->projections) want(self);
  }
}

/* They belong to the sinogram, which is shown with them. */
static void change_arc(GSimpleAction *action, GVariant *value, gpointer user) {
  GantryFourth *self = user;
  const gboolean arc = g_variant_get_boolean(value);
  if (self->arc == arc) return;
  g_simple_action_set_state(action, value);
  self->arc = arc;
  GActionGroup *actions = G_ACTION_GROUP(self->with.window);
  g_autoptr(GVariant) fourth = g_action_group_get_action_state(actions, "fourth");
  if (arc && !g_str_equal(g_variant_get_string(fourth, NULL), "sinogram"))
    g_action_group_change_action_state(actions, "fourth", g_variant_new_string("sinogram"));
  if (self->projections && self->sinogram) want(self);
}

GantryFourth *gantry_fourth_new(const GantryFourthParts *parts) {
  static const GActionEntry entries[] = {
      {.name = "fourth", .parameter_type = "s", .state = "'projection'", .change_state = change},
      {.name = "show-arc", .state = "false", .change_state = change_arc},
      {.name = "projection-values", .parameter_type = "s", .state = "'integrals'", .change_state = change_values}};
  GantryFourth *self = g_new0(GantryFourth, 1);
  self->with = *parts;
  g_action_map_add_action_entries(G_ACTION_MAP(parts->window), entries, G_N_ELEMENTS(entries), self);
  g_signal_connect(gantry_quad_get_view(parts->quad, GANTRY_VIEW_PROJECTION), "slice-wanted", G_CALLBACK(slider_moved),
                   self);
  g_signal_connect(gantry_quad_get_scene(parts->quad), "view-wanted", G_CALLBACK(view_wanted), self);
  return self;
}

void gantry_fourth_free(GantryFourth *self) {
  g_free(self);
}

void gantry_fourth_reset(GantryFourth *self) {
  self->due = FALSE;
  self->projection = self->row = self->projections = self->rows = 0;
  show_range(self);
}

void gantry_fourth_set_range(GantryFourth *self, int views, int rows) {
  if (self->projections != views || self->rows != rows) {
    self->row = rows / 2;
    self->due = self->sinogram;
    gantry_refresh_queue(self->with.refresh);
  }
  self->projections = views, self->rows = rows;
  self->projection = CLAMP(self->projection, 0, MAX(views - 1, 0));
  show_range(self);
}

void gantry_fourth_suit(GantryFourth *self, int rows) {
  GActionGroup *actions = G_ACTION_GROUP(self->with.window);
  g_autoptr(GVariant) state = g_action_group_get_action_state(actions, "fourth");
  const char *fourth = g_variant_get_string(state, NULL);
  if (rows <= FEW && g_str_equal(fourth, "projection")) {
    g_action_group_change_action_state(actions, "fourth", g_variant_new_string("sinogram"));
    self->suits = TRUE;
  } else if (rows > FEW && self->suits) {
    g_action_group_change_action_state(actions, "fourth", g_variant_new_string("projection"));
  }
}

void gantry_fourth_arrived(GantryFourth *self, GantryImage *image) {
  self->shown = image->values;
  gantry_scales_fit_projection(self->with.scales, image);
  if (!self->sinogram)
    gantry_scene_view_set_image(gantry_quad_get_scene(self->with.quad), GANTRY_VIEW_PROJECTION, image);
  show_range(self);
  gantry_rectangle_judge(self->with.rectangle);
}

void gantry_fourth_ask(GantryFourth *self) {
  if (self->due) want(self);
  self->due = FALSE;
}

int gantry_fourth_get_projections(GantryFourth *self) {
  return self->projections;
}

int gantry_fourth_get_projection(GantryFourth *self) {
  return self->projection;
}

int gantry_fourth_get_row(GantryFourth *self) {
  return self->row;
}

gboolean gantry_fourth_is_sinogram(GantryFourth *self) {
  return self->sinogram;
}

GantryProjectionValues gantry_fourth_get_values(GantryFourth *self) {
  return self->values;
}

gboolean gantry_fourth_wants_arc(GantryFourth *self) {
  return self->arc;
}

void gantry_fourth_show_row(GantryFourth *self, int row) {
  const int wanted = CLAMP(row, 0, MAX(self->rows - 1, 0));
  if (!self->sinogram || self->rows < 1 || wanted == self->row) return;
  self->row = wanted;
  show_range(self);
  want(self);
}
