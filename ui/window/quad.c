/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Upright planes of a single slice are lines one voxel thick: it has the axial view and the fourth alone, side by
 * side. */
#include "ui/window/quad.h"

#include "ui/colour-legend.h"
#include "ui/fourth-button.h"
#include "ui/oblique-bar.h"
#include "ui/window/parts.h"

struct _GantryQuad {
  GtkWindow *window;
  GantryDisplay *display;
  GantryTiles *tiles;
  GtkWidget *scene, *scene_pane;
  GantryLayout layout;
  GantryViewKind large; /* of GANTRY_LAYOUT_LARGE */
  GantryFourthKind fourth;
  GantrySliceView *view[GANTRY_VIEWS];
  GtkWidget *row[GANTRY_VIEWS]; /* a view and what stands beside it */
  GtkWidget *companions[GANTRY_COMPANIONS];
  GtkWidget *projection_button; /* of the fourth view's kinds */
  GantryViewKind maximised;     /* GANTRY_VIEWS: none */
  GantryViewKind beside;        /* with its companions; GANTRY_VIEWS: none */
  GantryViewKind before;        /* maximised before that */
};

static void drop_companions(GantryQuad *self);

static gboolean is_upright(GantryViewKind kind) {
  return kind == GANTRY_VIEW_CORONAL || kind == GANTRY_VIEW_SAGITTAL;
}

static GantryViewKind fourth_kind(const GantryQuad *self) {
  return self->fourth == GANTRY_FOURTH_OBLIQUE ? GANTRY_VIEW_OBLIQUE : GANTRY_VIEW_PROJECTION;
}

/* Where the projection would be the scene may be. */
static GtkWidget *tile_of(GantryQuad *self, GantryViewKind kind) {
  return kind == GANTRY_VIEW_PROJECTION && self->fourth == GANTRY_FOURTH_SCENE ? self->scene_pane : self->row[kind];
}

static void arrange(GantryQuad *self) {
  const GantryViewKind hidden = fourth_kind(self) == GANTRY_VIEW_OBLIQUE ? GANTRY_VIEW_PROJECTION : GANTRY_VIEW_OBLIQUE;
  const gboolean flat = gantry_display_get_flat(self->display), pair = flat || self->layout == GANTRY_LAYOUT_PAIR;
  const GantryViewKind kind = self->maximised;
  gtk_widget_set_visible(self->scene_pane, FALSE);
  for (int k = 0; k < GANTRY_VIEWS; k++) {
    const gboolean among = k != (int)hidden && !(pair && is_upright((GantryViewKind)k));
    const gboolean shown = kind == GANTRY_VIEWS ? among : k == (int)kind;
    GtkWidget *tile = tile_of(self, (GantryViewKind)k);
    if (tile != self->row[k]) gtk_widget_set_visible(self->row[k], FALSE);
    gtk_widget_set_visible(tile, shown);
    gtk_widget_set_visible(gtk_widget_get_parent(GTK_WIDGET(self->view[k])), shown && tile == self->row[k]);
  }
  const GantryViewKind large = self->large > GANTRY_VIEW_SAGITTAL ? fourth_kind(self) : self->large;
  gantry_tiles_set_layout(self->tiles, self->layout, tile_of(self, large));
}

void gantry_quad_set_layout(GantryQuad *self, GantryLayout layout) {
  const GantryViewKind focused = gantry_quad_get_focused(self);
  self->layout = layout;
  self->large = focused;
  self->maximised = GANTRY_VIEWS;
  drop_companions(self);
  arrange(self);
  /* The keyboard does not stay in a view that is gone. */
  if (layout == GANTRY_LAYOUT_PAIR && is_upright(focused))
    gtk_widget_grab_focus(GTK_WIDGET(self->view[GANTRY_VIEW_AXIAL]));
}

static void maximise_toggled(GantrySliceView *view, GantryQuad *self) {
  const GantryViewKind kind = gantry_slice_view_get_kind(view);
  gantry_quad_maximise(self, self->maximised == kind ? GANTRY_VIEWS : kind);
}

static void scene_toggled(GantryQuad *self) {
  gantry_quad_maximise(self, self->maximised == GANTRY_VIEW_PROJECTION ? GANTRY_VIEWS : GANTRY_VIEW_PROJECTION);
}

/* Making */

/* As large as its picture may get, however little its contents need. */
static GtkWidget *make_overlay(GtkWidget *view) {
  GtkWidget *overlay = gtk_overlay_new();
  gtk_overlay_set_child(GTK_OVERLAY(overlay), view);
  gtk_widget_set_hexpand(overlay, TRUE);
  gtk_widget_set_vexpand(overlay, TRUE);
  gtk_widget_set_overflow(overlay, GTK_OVERFLOW_HIDDEN);
  gtk_widget_set_size_request(overlay, 120, 90);
  return overlay;
}

static void make_scene(GantryQuad *self) {
  self->scene = gantry_scene_view_new(self->display);
  self->scene_pane = make_overlay(self->scene);
  gantry_scene_view_put_before(GANTRY_SCENE_VIEW(self->scene), gantry_fourth_button_new("scene"));
  gantry_tiles_add(self->tiles, self->scene_pane);
  g_signal_connect_swapped(self->scene, "maximise-toggled", G_CALLBACK(scene_toggled), self);
}

static void make_view(GantryQuad *self, GantryViewKind kind) {
  GtkWidget *view = gantry_slice_view_new(kind, self->display), *overlay = make_overlay(view);
  self->view[kind] = GANTRY_SLICE_VIEW(view);
  gantry_slice_view_set_empty_text(self->view[kind], kind == GANTRY_VIEW_PROJECTION
                                                         ? "The projection appears here."
                                                         : "The slice appears here when it is reconstructed.");
  GtkWidget *row = self->row[kind] = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 4);
  gtk_box_set_homogeneous(GTK_BOX(row), TRUE);
  gtk_box_append(GTK_BOX(row), overlay);
  gantry_tiles_add(self->tiles, row);
  g_signal_connect(view, "maximise-toggled", G_CALLBACK(maximise_toggled), self);
  if (kind == GANTRY_VIEW_OBLIQUE)
    gantry_slice_view_put_beside(self->view[kind], gantry_oblique_bar_new(self->display), GTK_PACK_END);
  if (kind <= GANTRY_VIEW_SAGITTAL) return;
  GtkWidget *button = gantry_fourth_button_new(kind == GANTRY_VIEW_OBLIQUE ? "oblique" : "projection");
  gantry_slice_view_put_beside(self->view[kind], button, GTK_PACK_START);
  if (kind == GANTRY_VIEW_PROJECTION) self->projection_button = button;
}

static void change_side_by_side(GSimpleAction *action, GVariant *value, gpointer user) {
  gantry_quad_set_side_by_side(user, g_variant_get_boolean(value));
}

GantryQuad *gantry_quad_new(GtkWidget *window, GantryDisplay *display) {
  static const GActionEntry entries[] = {
      {.name = "side-by-side", .state = "false", .change_state = change_side_by_side}};
  GantryQuad *self = g_new0(GantryQuad, 1);
  self->window = GTK_WINDOW(window);
  self->display = g_object_ref(display);
  self->tiles = gantry_window_part(window, "quad");
  self->maximised = self->beside = self->before = GANTRY_VIEWS;
  g_action_map_add_action_entries(G_ACTION_MAP(window), entries, G_N_ELEMENTS(entries), self);
  gantry_quad_set_reference(self, FALSE);
  for (int k = 0; k < GANTRY_VIEWS; k++) make_view(self, (GantryViewKind)k);
  make_scene(self);
  GtkBox *legend = gantry_window_part(window, "legend_box"), *small = gantry_window_part(window, "small_legend_box");
  gtk_box_append(legend, gantry_colour_legend_new(display, GTK_ORIENTATION_HORIZONTAL));
  gtk_box_append(small, gantry_colour_legend_new(display, GTK_ORIENTATION_VERTICAL));
  return self;
}

void gantry_quad_free(GantryQuad *self) {
  g_object_unref(self->display);
  g_free(self);
}

GantrySliceView *gantry_quad_get_view(GantryQuad *self, GantryViewKind kind) {
  return self->view[kind];
}

GantryImage *gantry_quad_get_image(GantryQuad *self, GantryViewKind kind, ctgl_slot slot) {
  return gantry_slice_view_get_image(self->view[kind], slot);
}

/* Which of them */

static GSimpleAction *find_action(GantryQuad *self) {
  return G_SIMPLE_ACTION(g_action_map_lookup_action(G_ACTION_MAP(self->window), "side-by-side"));
}

static void drop_companions(GantryQuad *self) {
  if (self->beside == GANTRY_VIEWS) return;
  gantry_slice_view_set_fixed_mode(self->view[self->beside], CTGL_MODES);
  /* The keyboard does not stay in a view that goes. */
  gtk_widget_grab_focus(GTK_WIDGET(self->view[self->beside]));
  for (int i = 0; i < GANTRY_COMPANIONS; i++) {
    gantry_slice_view_follow(GANTRY_SLICE_VIEW(self->companions[i]), NULL);
    gtk_box_remove(GTK_BOX(self->row[self->beside]), self->companions[i]);
  }
  self->beside = GANTRY_VIEWS;
  g_simple_action_set_state(find_action(self), g_variant_new_boolean(FALSE));
}

static void add_companions(GantryQuad *self, GantryViewKind kind) {
  static const ctgl_mode modes[GANTRY_COMPANIONS] = {CTGL_SHOW_B, CTGL_SHOW_DIFFERENCE};
  self->beside = kind;
  gantry_slice_view_set_fixed_mode(self->view[kind], CTGL_SHOW_A);
  for (int i = 0; i < GANTRY_COMPANIONS; i++) {
    self->companions[i] = gantry_slice_view_new(kind, self->display);
    gantry_slice_view_follow(GANTRY_SLICE_VIEW(self->companions[i]), self->view[kind]);
    gantry_slice_view_set_fixed_mode(GANTRY_SLICE_VIEW(self->companions[i]), modes[i]);
    gtk_box_append(GTK_BOX(self->row[kind]), self->companions[i]);
  }
  g_simple_action_set_state(find_action(self), g_variant_new_boolean(TRUE));
}

void gantry_quad_set_side_by_side(GantryQuad *self, gboolean beside) {
  if (beside == (self->beside != GANTRY_VIEWS)) return;
  if (!beside) {
    drop_companions(self);
    gantry_quad_maximise(self, self->before);
    return;
  }
  const GantryViewKind focused = gantry_quad_get_focused(self);
  self->before = self->maximised;
  /* There is no B of a projection. */
  const GantryViewKind kind = focused == GANTRY_VIEW_PROJECTION ? GANTRY_VIEW_AXIAL : focused;
  add_companions(self, kind);
  gantry_quad_maximise(self, kind);
}

void gantry_quad_set_reference(GantryQuad *self, gboolean reference) {
  if (!reference) gantry_quad_set_side_by_side(self, FALSE);
  g_simple_action_set_enabled(find_action(self), reference);
}

void gantry_quad_maximise(GantryQuad *self, GantryViewKind kind) {
  if (kind != self->beside) drop_companions(self);
  self->maximised = kind;
  arrange(self);
  if (kind == GANTRY_VIEWS) return;
  const gboolean scene = kind == GANTRY_VIEW_PROJECTION && self->fourth == GANTRY_FOURTH_SCENE;
  gtk_widget_grab_focus(scene ? self->scene : GTK_WIDGET(self->view[kind]));
}

GantryViewKind gantry_quad_get_maximised(GantryQuad *self) {
  return self->maximised;
}

GantryViewKind gantry_quad_get_focused(GantryQuad *self) {
  GtkWidget *focus = gtk_window_get_focus(self->window);
  if (self->maximised != GANTRY_VIEWS) return self->maximised;
  for (int k = 0; k < GANTRY_VIEWS; k++) {
    GtkWidget *view = GTK_WIDGET(self->view[k]);
    if (focus && (focus == view || gtk_widget_is_ancestor(focus, view))) return (GantryViewKind)k;
  }
  if (focus && gtk_widget_is_ancestor(focus, self->scene)) return GANTRY_VIEW_PROJECTION;
  return GANTRY_VIEW_AXIAL;
}

void gantry_quad_set_flat(GantryQuad *self, gboolean flat) {
  if (gantry_display_get_flat(self->display) == flat) return;
  const GantryViewKind focused = gantry_quad_get_focused(self);
  gantry_display_set_flat(self->display, flat);
  if (flat && is_upright(self->maximised)) {
    drop_companions(self);
    self->maximised = GANTRY_VIEWS;
  }
  arrange(self);
  /* The keyboard does not stay in a view that is gone. */
  if (flat && is_upright(focused)) gtk_widget_grab_focus(GTK_WIDGET(self->view[GANTRY_VIEW_AXIAL]));
}

void gantry_quad_set_fourth(GantryQuad *self, GantryFourthKind kind) {
  if (self->fourth == kind) return;
  const GantryFourthKind before = self->fourth;
  self->fourth = kind;
  const GantryViewKind from = before == GANTRY_FOURTH_OBLIQUE ? GANTRY_VIEW_OBLIQUE : GANTRY_VIEW_PROJECTION,
                       to = kind == GANTRY_FOURTH_OBLIQUE ? GANTRY_VIEW_OBLIQUE : GANTRY_VIEW_PROJECTION;
  gantry_quad_maximise(self, self->maximised == from ? to : self->maximised);
}

void gantry_quad_set_sinogram(GantryQuad *self, gboolean sinogram) {
  gantry_fourth_button_set_kind(self->projection_button, sinogram ? "sinogram" : "projection");
}

GantryFourthKind gantry_quad_get_fourth(GantryQuad *self) {
  return self->fourth;
}

GantrySceneView *gantry_quad_get_scene(GantryQuad *self) {
  return GANTRY_SCENE_VIEW(self->scene);
}
