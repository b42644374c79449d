/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The views: the crosshair that links them, the slices it wants, ranges of the sliders, which of them are shown. */
#include "ui/oblique-bar.h"
#include "ui/window/window-private.h"

#include <math.h>
#include <string.h>

static const ct_plane planes[] = {CT_AXIAL, CT_CORONAL, CT_SAGITTAL};

/* The world axis that a slice view is perpendicular to. */
static int normal_of(GantryViewKind kind) {
  return kind == GANTRY_VIEW_AXIAL ? 2 : kind == GANTRY_VIEW_CORONAL ? 1 : 0;
}

static int slices_of(const ct_grid *grid, GantryViewKind kind) {
  int width, height, count;
  ct_grid_plane_size(grid, planes[kind], &width, &height, &count);
  return count;
}

static void show_slice_range(GantryWindow *self, GantryViewKind kind) {
  const gboolean none = kind != GANTRY_VIEW_AXIAL && gantry_display_get_flat(self->display);
  const int count = none ? 1 : slices_of(&self->grid, kind);
  gantry_slice_view_set_range(self->view[kind], count, none ? 0 : self->wanted[kind],
                              ct_grid_plane_position(&self->grid, planes[kind], 0),
                              ct_grid_plane_position(&self->grid, planes[kind], count - 1), "mm");
}

static gboolean update_wanted(GantryWindow *self) {
  const double step[] = {self->grid.dx, self->grid.dy, self->grid.dz};
  double cross[3];
  gboolean changed = FALSE;
  gantry_display_get_cross(self->display, cross);
  for (int k = 0; k < 3; k++) {
    const int axis = normal_of((GantryViewKind)k), count = slices_of(&self->grid, (GantryViewKind)k);
    const double first = ct_grid_plane_position(&self->grid, planes[k], 0);
    const double index = CLAMP(round((cross[axis] - first) / step[axis]), 0, count - 1);
    changed |= self->wanted[k] != (int)index;
    self->wanted[k] = (int)index;
  }
  return changed;
}

static void cross_moved(GantryDisplay *display, GantryWindow *self) {
  gantry_window_queue_refresh(self);
  if (!self->has_grid) return;
  const gboolean slices = update_wanted(self), oblique = gantry_window_update_oblique(self);
  if (!slices && !oblique) return;
  for (int k = 0; k < 3; k++) show_slice_range(self, (GantryViewKind)k);
  gantry_window_emit_planes_wanted(self);
}

static void show_projection_range(GantryWindow *self) {
  GantrySliceView *view = self->view[GANTRY_VIEW_PROJECTION];
  double first, last;
  if (self->sinogram) {
    gantry_slice_view_set_range(view, self->rows, self->row, 0, MAX(self->rows - 1, 0), "");
  } else {
    gantry_plan_panel_get_angles(self->panel, &first, &last);
    gantry_slice_view_set_range(view, self->projections, self->projection, first, last, "°");
  }
  gantry_slice_view_set_title(view, self->sinogram ? "Sinogram, row" : "Projection");
  gantry_slice_view_set_axes(view, "u", self->sinogram ? "view" : "v");
}

static void slice_wanted(GantrySliceView *view, int index, GantryWindow *self) {
  const GantryViewKind kind = gantry_slice_view_get_kind(view);
  double cross[3];
  if (kind == GANTRY_VIEW_OBLIQUE) {
    gantry_window_oblique_wanted(self, index);
  } else if (kind == GANTRY_VIEW_PROJECTION) {
    const int count = self->sinogram ? self->rows : self->projections;
    if (count < 1) return;
    *(self->sinogram ? &self->row : &self->projection) = CLAMP(index, 0, count - 1);
    show_projection_range(self);
    gantry_window_emit_projection_wanted(self);
  } else if (self->has_grid) {
    index = CLAMP(index, 0, slices_of(&self->grid, kind) - 1);
    gantry_display_get_cross(self->display, cross);
    cross[normal_of(kind)] = ct_grid_plane_position(&self->grid, planes[kind], index);
    gantry_display_set_cross(self->display, cross);
  }
}

static gboolean is_upright(GantryViewKind kind) {
  return kind == GANTRY_VIEW_CORONAL || kind == GANTRY_VIEW_SAGITTAL;
}

/* Which views there are, and where: one alone, or two by two. Upright planes of a single slice are lines one voxel
 * thick: it has the axial one and the fourth view alone, side by side. */
static void arrange_views(GantryWindow *self) {
  GantryPose pose;
  const GantryViewKind hidden =
      gantry_display_get_oblique(self->display, &pose) ? GANTRY_VIEW_PROJECTION : GANTRY_VIEW_OBLIQUE;
  const GantryViewKind kind = self->maximised;
  const gboolean flat = gantry_display_get_flat(self->display);
  for (int k = 0; k < GANTRY_VIEWS; k++) {
    const gboolean among = k != (int)hidden && !(flat && is_upright((GantryViewKind)k));
    const gboolean shown = kind == GANTRY_VIEWS ? among : k == (int)kind;
    gtk_widget_set_visible(gtk_widget_get_parent(GTK_WIDGET(self->view[k])), shown);
    if (k == GANTRY_VIEW_OBLIQUE) gtk_widget_set_visible(self->oblique_pane, shown);
  }
  gtk_widget_set_visible(self->upper_row,
                         kind == GANTRY_VIEWS || kind == GANTRY_VIEW_AXIAL || kind == GANTRY_VIEW_CORONAL);
  gtk_widget_set_visible(self->lower_row, kind == GANTRY_VIEWS || kind >= GANTRY_VIEW_SAGITTAL);
  gtk_orientable_set_orientation(GTK_ORIENTABLE(self->quad),
                                 flat ? GTK_ORIENTATION_HORIZONTAL : GTK_ORIENTATION_VERTICAL);
}

void gantry_window_maximise(GantryWindow *self, GantryViewKind kind) {
  self->maximised = kind;
  arrange_views(self);
  if (kind != GANTRY_VIEWS) gtk_widget_grab_focus(GTK_WIDGET(self->view[kind]));
}

static void set_flat(GantryWindow *self, gboolean flat) {
  if (gantry_display_get_flat(self->display) == flat) return;
  const GantryViewKind focused = gantry_window_focused_view(self);
  gantry_display_set_flat(self->display, flat);
  if (flat && is_upright(self->maximised)) self->maximised = GANTRY_VIEWS;
  arrange_views(self);
  /* The keyboard does not stay in a view that is gone. */
  if (flat && is_upright(focused)) gtk_widget_grab_focus(GTK_WIDGET(self->view[GANTRY_VIEW_AXIAL]));
}

static void maximise_toggled(GantrySliceView *view, GantryWindow *self) {
  const GantryViewKind kind = gantry_slice_view_get_kind(view);
  gantry_window_maximise(self, self->maximised == kind ? GANTRY_VIEWS : kind);
}

GantryViewKind gantry_window_focused_view(GantryWindow *self) {
  GtkWidget *focus = gtk_window_get_focus(GTK_WINDOW(self));
  if (self->maximised != GANTRY_VIEWS) return self->maximised;
  for (int k = 0; k < GANTRY_VIEWS; k++) {
    GtkWidget *view = GTK_WIDGET(self->view[k]);
    if (focus && (focus == view || gtk_widget_is_ancestor(focus, view))) return (GantryViewKind)k;
  }
  return GANTRY_VIEW_AXIAL;
}

static GtkWidget *make_fourth_switch(void) {
  static const struct {
    const char *label, *target, *tip;
  } choices[] = {{"Projection", "projection", "Show one projection: what the detector saw (Alt+P)"},
                 {"Sinogram", "sinogram", "Show one detector row over all views (Alt+I)"},
                 {"Oblique", "oblique", "Show a plane of any tilt through the crosshair (Alt+O)"}};
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_widget_add_css_class(box, "linked");
  gtk_widget_add_css_class(box, "fourth-switch");
  gtk_widget_set_halign(box, GTK_ALIGN_END);
  gtk_widget_set_valign(box, GTK_ALIGN_START);
  for (gsize i = 0; i < G_N_ELEMENTS(choices); i++) {
    GtkWidget *button = gtk_toggle_button_new_with_label(choices[i].label);
    gtk_actionable_set_action_name(GTK_ACTIONABLE(button), "win.fourth");
    gtk_actionable_set_action_target(GTK_ACTIONABLE(button), "s", choices[i].target);
    gtk_widget_set_tooltip_text(button, choices[i].tip);
    gtk_widget_add_css_class(button, "osd");
    gtk_box_append(GTK_BOX(box), button);
  }
  return box;
}

static void swiped(GtkAdjustment *adjustment, GantryWindow *self) {
  gantry_display_set_swipe(self->display, gtk_adjustment_get_value(adjustment));
}

void gantry_window_make_views(GantryWindow *self) {
  for (int k = 0; k < GANTRY_VIEWS; k++) {
    GtkWidget *overlay = gtk_overlay_new(), *view = gantry_slice_view_new((GantryViewKind)k, self->display);
    self->view[k] = GANTRY_SLICE_VIEW(view);
    gantry_slice_view_set_empty_text(self->view[k], k == GANTRY_VIEW_PROJECTION
                                                        ? "The projection appears here."
                                                        : "The slice appears here when it is reconstructed.");
    gtk_overlay_set_child(GTK_OVERLAY(overlay), view);
    gtk_widget_set_hexpand(overlay, TRUE);
    gtk_widget_set_vexpand(overlay, TRUE);
    gtk_widget_set_overflow(overlay, GTK_OVERFLOW_HIDDEN);
    gtk_widget_set_size_request(overlay, 120, 90);
    if (k == GANTRY_VIEW_OBLIQUE) {
      self->oblique_pane = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
      gtk_box_append(GTK_BOX(self->oblique_pane), overlay);
      gtk_box_append(GTK_BOX(self->oblique_pane), gantry_oblique_bar_new(self->display));
    }
    gtk_box_append(GTK_BOX(k < 2 ? self->upper_row : self->lower_row),
                   k == GANTRY_VIEW_OBLIQUE ? self->oblique_pane : overlay);
    g_signal_connect(view, "slice-wanted", G_CALLBACK(slice_wanted), self);
    g_signal_connect(view, "maximise-toggled", G_CALLBACK(maximise_toggled), self);
    g_signal_connect_swapped(view, "auto-window-wanted", G_CALLBACK(gantry_window_auto_window), self);
    if (k > GANTRY_VIEW_SAGITTAL) gtk_overlay_add_overlay(GTK_OVERLAY(overlay), make_fourth_switch());
  }
  gtk_box_append(GTK_BOX(self->legend_box), gantry_colour_legend_new(self->display, GTK_ORIENTATION_HORIZONTAL));
  gtk_box_append(GTK_BOX(self->small_legend_box), gantry_colour_legend_new(self->display, GTK_ORIENTATION_VERTICAL));
  g_signal_connect(self->display, "cross-moved", G_CALLBACK(cross_moved), self);
  self->oblique_wanted[0] = NAN;
  g_signal_connect(self->display, "oblique-changed", G_CALLBACK(gantry_window_oblique_changed), self);
  g_signal_connect_swapped(self->display, "profile-changed", G_CALLBACK(gantry_window_queue_refresh), self);
  g_signal_connect(self->swipe_adjustment, "value-changed", G_CALLBACK(swiped), self);
}

/* A new scan: nothing of the old one stays on screen. */
void gantry_window_reset_views(GantryWindow *self) {
  gantry_window_clear_images(self, CTGL_SLOT_A);
  gantry_window_clear_images(self, CTGL_SLOT_B);
  gantry_window_set_result_titles(self, NULL, NULL);
  gantry_window_set_statistics(self, NULL, NULL);
  gantry_display_set_profile(self->display, GANTRY_VIEWS, (ctgl_point){0, 0}, (ctgl_point){0, 0});
  gantry_window_maximise(self, GANTRY_VIEWS);
  self->has_grid = self->cross_placed = FALSE;
  set_flat(self, FALSE);
  for (int k = 0; k < GANTRY_VIEWS; k++) gantry_slice_view_set_range(self->view[k], 0, 0, 0, 0, NULL);
  self->oblique_wanted[0] = NAN;
  self->rescaled = self->projection_due = FALSE;
  self->projection = self->row = self->projections = self->rows = 0;
  self->window_pending = self->projection_window_pending = self->difference_pending = TRUE;
  show_projection_range(self);
}

/* A preview and its volume have one extent, to within a voxel of either; other distances or pixels give another. */
static gboolean same_extent(const ct_grid *a, const ct_grid *b) {
  return fabs(a->nx * a->dx - b->nx * b->dx) <= fmax(a->dx, b->dx) &&
         fabs(a->ny * a->dy - b->ny * b->dy) <= fmax(a->dy, b->dy) &&
         fabs(a->nz * a->dz - b->nz * b->dz) <= fmax(a->dz, b->dz);
}

void gantry_window_set_grid(GantryWindow *self, const ct_grid *grid) {
  double cross[3];
  const double low[] = {grid->x0, grid->y0, grid->z0}, step[] = {grid->dx, grid->dy, grid->dz};
  const int count[] = {grid->nx, grid->ny, grid->nz};
  const double high[] = {grid->x0 + (grid->nx - 1) * grid->dx, grid->y0 + (grid->ny - 1) * grid->dy,
                         grid->z0 + (grid->nz - 1) * grid->dz};
  gantry_display_get_cross(self->display, cross);
  for (int i = 0; i < 3; i++)
    cross[i] = self->cross_placed ? CLAMP(cross[i], low[i], high[i]) : low[i] + count[i] / 2 * step[i];
  if (self->has_grid && !same_extent(&self->grid, grid)) self->rescaled = TRUE;
  self->grid = *grid;
  self->has_grid = self->cross_placed = TRUE;
  set_flat(self, grid->nz < 2);
  gantry_display_set_cross(self->display, cross);
  update_wanted(self);
  for (int k = 0; k < 3; k++) show_slice_range(self, (GantryViewKind)k);
  self->oblique_wanted[0] = NAN;
  gantry_window_update_oblique(self);
}

void gantry_window_get_wanted(GantryWindow *self, int index[3]) {
  memcpy(index, self->wanted, sizeof self->wanted);
}

static void fit_projection_window(GantryWindow *self, GantryImage *image) {
  double range[2];
  ct_percentiles(image->pixels, (size_t)image->width * (size_t)image->height, 0.001, 0.999, &range[0], &range[1]);
  if (!self->projection_window_pending && !gantry_window_outgrown(self->projection_fitted, range)) return;
  memcpy(self->projection_fitted, range, sizeof range);
  gantry_display_set_projection_window(self->display, range[0], range[1]);
  self->projection_window_pending = FALSE;
}

void gantry_window_set_image(GantryWindow *self, ctgl_slot slot, GantryImage *image) {
  g_return_if_fail(image && (int)image->kind >= 0 && image->kind < GANTRY_VIEWS);
  gantry_slice_view_set_image(self->view[image->kind], slot, image);
  if (image->kind == GANTRY_VIEW_PROJECTION && slot == CTGL_SLOT_A) {
    fit_projection_window(self, image);
    show_projection_range(self);
    gantry_window_judge_rectangle(self);
  }
  if (image->kind == GANTRY_VIEW_OBLIQUE) gantry_window_judge_oblique(self);
  gantry_window_queue_refresh(self);
}

void gantry_window_set_outdated(GantryWindow *self, GantryViewKind kind, gboolean outdated) {
  gantry_slice_view_set_outdated(self->view[kind], outdated);
}

void gantry_window_clear_images(GantryWindow *self, ctgl_slot slot) {
  for (int k = 0; k < GANTRY_VIEWS; k++) gantry_slice_view_set_image(self->view[k], slot, NULL);
  gantry_window_judge_oblique(self);
  gantry_window_queue_refresh(self);
}

void gantry_window_set_projection_range(GantryWindow *self, int views, int rows) {
  if (self->projections != views || self->rows != rows) {
    self->row = rows / 2;
    self->projection_due = self->sinogram;
    gantry_window_queue_refresh(self);
  }
  self->projections = views, self->rows = rows;
  self->projection = CLAMP(self->projection, 0, MAX(views - 1, 0));
  show_projection_range(self);
}

void gantry_window_suit_fourth(GantryWindow *self, int rows) {
  g_autoptr(GVariant) state = g_action_group_get_action_state(G_ACTION_GROUP(self), "fourth");
  const char *fourth = g_variant_get_string(state, NULL);
  if (rows == 1 && g_str_equal(fourth, "projection")) {
    g_action_group_change_action_state(G_ACTION_GROUP(self), "fourth", g_variant_new_string("sinogram"));
    self->sinogram_suits = TRUE;
  } else if (rows > 1 && self->sinogram_suits) {
    g_action_group_change_action_state(G_ACTION_GROUP(self), "fourth", g_variant_new_string("projection"));
  }
}

void gantry_window_set_sinogram(GantryWindow *self, gboolean sinogram) {
  if (self->sinogram == sinogram) return;
  self->sinogram = sinogram;
  gantry_window_show_rectangle(self);
  self->projection_window_pending = TRUE;
  show_projection_range(self);
  if (self->projections) gantry_window_emit_projection_wanted(self);
}

void gantry_window_set_result_titles(GantryWindow *self, const char *a, const char *b) {
  GAction *mode = g_action_map_lookup_action(G_ACTION_MAP(self), "mode");
  if (b && !self->has_reference) self->difference_pending = TRUE;
  self->has_reference = b != NULL;
  gtk_label_set_text(self->title_a, a ? a : "nothing yet");
  gtk_label_set_text(self->title_b, b ? b : "no reference");
  gtk_widget_set_tooltip_text(GTK_WIDGET(self->title_a), a);
  gtk_widget_set_tooltip_text(GTK_WIDGET(self->title_b), b);
  if (b)
    gtk_widget_remove_css_class(GTK_WIDGET(self->title_b), "dim-label");
  else
    gtk_widget_add_css_class(GTK_WIDGET(self->title_b), "dim-label");
  gtk_widget_set_visible(self->clear_reference, b != NULL);
  gtk_widget_set_visible(self->modes, b != NULL);
  if (!b && mode) g_action_change_state(mode, g_variant_new_string("a"));
  if (mode) g_simple_action_set_enabled(G_SIMPLE_ACTION(mode), b != NULL);
  gantry_window_queue_refresh(self);
}
