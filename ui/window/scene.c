/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page about the volume is there while the scene shows one. While the gantry plays, the next view is asked for when
 * the projection before has come, or has kept it waiting. */
#include "ui/window/scene.h"

#include "ui/solid-page.h"

struct _GantryScenePart {
  GtkWidget *window;
  GantryQuad *quad;
  GantryFourth *fourth;
  GantryPlots *plots;
  GtkWidget *page;
  guint timer;
  ctgl_solid solid;
  void (*solid_wanted)(gpointer user);
  gpointer user;
  int waited; /* ticks since the last step */
};

/* Milliseconds; ticks without a new projection; seconds for all views where they are many. */
enum { TICK = 40, PATIENCE = 12, ROUND = 12 };

/* Playing */

static void show_playing(GantryScenePart *self, gboolean playing) {
  GAction *action = g_action_map_lookup_action(G_ACTION_MAP(self->window), "play-gantry");
  g_simple_action_set_state(G_SIMPLE_ACTION(action), g_variant_new_boolean(playing));
}

static void stop_playing(GantryScenePart *self) {
  if (!self->timer) return;
  g_clear_handle_id(&self->timer, g_source_remove);
  show_playing(self, FALSE);
}

static gboolean tick(gpointer user) {
  GantryScenePart *self = user;
  const int count = gantry_fourth_get_projections(self->fourth), now = gantry_fourth_get_projection(self->fourth);
  if (gantry_quad_get_fourth(self->quad) != GANTRY_FOURTH_SCENE || count < 2) {
    stop_playing(self);
    return G_SOURCE_REMOVE;
  }
  const gboolean there = gantry_scene_view_get_shown(gantry_quad_get_scene(self->quad)) == now;
  if (!there && ++self->waited < PATIENCE) return G_SOURCE_CONTINUE;
  self->waited = 0;
  const int step = MAX(1, count * TICK / (1000 * ROUND));
  gantry_fourth_show_projection(self->fourth, (now + step) % count);
  return G_SOURCE_CONTINUE;
}

static void change_play(GSimpleAction *action, GVariant *value, gpointer user) {
  GantryScenePart *self = user;
  const gboolean play = g_variant_get_boolean(value);
  if (!play) {
    stop_playing(self);
    return;
  }
  /* From wherever the command comes: it is about the scene. */
  if (gantry_quad_get_fourth(self->quad) != GANTRY_FOURTH_SCENE)
    g_action_group_change_action_state(G_ACTION_GROUP(self->window), "fourth", g_variant_new_string("scene"));
  if (!self->timer) self->timer = g_timeout_add(TICK, tick, self);
  show_playing(self, TRUE);
}

/* Looking */

static void look(GSimpleAction *action, GVariant *target, gpointer user) {
  GantryScenePart *self = user;
  static const char *const names[CTGL_LOOKS] = {"front", "side", "top", "corner"};
  for (int i = 0; i < CTGL_LOOKS; i++)
    if (g_str_equal(g_variant_get_string(target, NULL), names[i]))
      gantry_scene_view_look(gantry_quad_get_scene(self->quad), (ctgl_look)i);
}

static void fit(GSimpleAction *action, GVariant *target, gpointer user) {
  GantryScenePart *self = user;
  const gboolean volume = g_str_equal(g_variant_get_string(target, NULL), "volume");
  gantry_scene_view_fit(gantry_quad_get_scene(self->quad), volume);
}

static void change_oblique(GSimpleAction *action, GVariant *value, gpointer user) {
  GantryScenePart *self = user;
  g_simple_action_set_state(action, value);
  gantry_fourth_set_scene_oblique(self->fourth, g_variant_get_boolean(value));
}

static GtkStackPage *page_of(GantryScenePart *self) {
  return gtk_stack_get_page(GTK_STACK(gtk_widget_get_parent(self->page)), self->page);
}

static void show_tab(GantryScenePart *self) {
  if (self->page) gtk_stack_page_set_visible(page_of(self), self->solid != CTGL_SOLID_NONE);
}

static void change_volume(GSimpleAction *action, GVariant *value, gpointer user) {
  GantryScenePart *self = user;
  static const char *const names[CTGL_SOLIDS] = {"none", "maximum", "average", "surface", "translucent"};
  for (int i = 0; i < CTGL_SOLIDS; i++) {
    if (!g_str_equal(g_variant_get_string(value, NULL), names[i])) continue;
    g_simple_action_set_state(action, value);
    self->solid = (ctgl_solid)i;
    gantry_scene_view_show_solid(gantry_quad_get_scene(self->quad), self->solid);
    self->solid_wanted(self->user);
    show_tab(self);
  }
}

static void change_corner(GSimpleAction *action, GVariant *value, gpointer user) {
  GantryScenePart *self = user;
  g_simple_action_set_state(action, value);
  gantry_scene_view_set_corner(gantry_quad_get_scene(self->quad), g_variant_get_boolean(value));
}

static void show_page(GSimpleAction *action, GVariant *target, gpointer user) {
  GantryScenePart *self = user;
  gtk_stack_page_set_visible(page_of(self), TRUE);
  gantry_plots_show(self->plots, "solid");
}

gboolean gantry_scene_part_wants_solid(GantryScenePart *self) {
  return self->solid != CTGL_SOLID_NONE;
}

/* Life */

GantryScenePart *gantry_scene_part_new(GtkWidget *window, GantryQuad *quad, GantryFourth *fourth,
                                       void (*solid_wanted)(gpointer user), gpointer user) {
  static const GActionEntry entries[] = {
      {.name = "scene-look", .parameter_type = "s", .activate = look},
      {.name = "scene-fit", .parameter_type = "s", .activate = fit},
      {.name = "scene-volume", .parameter_type = "s", .state = "'none'", .change_state = change_volume},
      {.name = "scene-corner", .state = "false", .change_state = change_corner},
      {.name = "show-solid", .activate = show_page},
      {.name = "scene-oblique", .state = "false", .change_state = change_oblique},
      {.name = "play-gantry", .state = "false", .change_state = change_play},
  };
  GantryScenePart *self = g_new0(GantryScenePart, 1);
  self->window = window;
  self->solid_wanted = solid_wanted;
  self->user = user;
  self->quad = quad;
  self->fourth = fourth;
  g_action_map_add_action_entries(G_ACTION_MAP(window), entries, G_N_ELEMENTS(entries), self);
  gantry_scene_view_set_empty_text(gantry_quad_get_scene(quad),
                                   "The scene appears here when the geometry of the scan and a volume are known.");
  return self;
}

void gantry_scene_part_add_page(GantryScenePart *self, GantryPlots *plots) {
  self->plots = plots;
  self->page = gantry_solid_page_new(gantry_quad_get_scene(self->quad));
  gantry_plots_add(plots, self->page, "solid", "Volume");
  show_tab(self);
}

void gantry_scene_part_stop(GantryScenePart *self) {
  g_clear_handle_id(&self->timer, g_source_remove);
}

void gantry_scene_part_free(GantryScenePart *self) {
  gantry_scene_part_stop(self);
  g_free(self);
}

void gantry_scene_part_reset(GantryScenePart *self) {
  GantrySceneView *scene = gantry_quad_get_scene(self->quad);
  stop_playing(self);
  for (int kind = 0; kind < GANTRY_VIEWS; kind++) gantry_scene_view_set_image(scene, (GantryViewKind)kind, NULL);
  gantry_scene_view_set_geometry(scene, NULL, (GantryBins){1, 1, 0});
  gantry_scene_view_set_grid(scene, NULL);
  gantry_scene_view_look(scene, CTGL_LOOK_CORNER);
  gantry_scene_view_fit(scene, FALSE);
}

void gantry_scene_part_set_image(GantryScenePart *self, GantryViewKind kind, GantryImage *image) {
  if (kind != GANTRY_VIEW_PROJECTION || !image)
    gantry_scene_view_set_image(gantry_quad_get_scene(self->quad), kind, image);
}
