/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The oblique plane in a window without an engine: its angles, what it shows beside the volume, and volumes of a single
 * slice, which have none. */
#include "tests/test.h"
#include "tests/ui/window-help.h"

#include "ui/slice-view/view-private.h"

static GtkWidget *spin_named(GtkWidget *widget, const char *tip) {
  const char *told = gtk_widget_get_tooltip_text(widget);
  if (GTK_IS_SPIN_BUTTON(widget) && told && strstr(told, tip)) return widget;
  for (GtkWidget *child = gtk_widget_get_first_child(widget); child; child = gtk_widget_get_next_sibling(child)) {
    GtkWidget *found = spin_named(child, tip);
    if (found) return found;
  }
  return NULL;
}

static void angles_take_either_minus(void) {
  NEED_DISPLAY();
  GantryWindow *window = make_window();
  GtkWidget *rotation = spin_named(oblique_pane(window), "About the axis of rotation");
  GantryPose pose;
  CHECK(rotation != NULL);
  static const char *const typed[] = {"-30", "−12.5"}, *const shown[] = {"−30.0", "−12.5"};
  static const double degrees[] = {-30, -12.5};
  for (int i = 0; i < 2; i++) {
    gtk_editable_set_text(GTK_EDITABLE(rotation), typed[i]);
    gtk_spin_button_update(GTK_SPIN_BUTTON(rotation));
    gantry_display_get_oblique(window->display, &pose);
    CHECK_NEAR(pose.rotation, degrees[i] * G_PI / 180, 1e-9);
    CHECK(!strcmp(gtk_editable_get_text(GTK_EDITABLE(rotation)), shown[i]));
  }
  gtk_editable_set_text(GTK_EDITABLE(rotation), "left");
  gtk_spin_button_update(GTK_SPIN_BUTTON(rotation));
  CHECK(!strcmp(gtk_editable_get_text(GTK_EDITABLE(rotation)), shown[1]));
  drop_window(window);
}

/* A single slice has no plane to tilt: no line over it, no angles to set, and words why. */
static void single_slices_have_no_oblique_plane(void) {
  NEED_DISPLAY();
  GantryWindow *window = make_window();
  const ct_grid slice = {64, 48, 1, 0.5, 0.5, 0.5, -16, -12, 0};
  ctgl_point at, along;
  double reach;
  GtkWidget *rotation = spin_named(oblique_pane(window), "About the axis of rotation");
  gtk_widget_activate_action(GTK_WIDGET(window), "win.fourth", "s", "oblique");
  CHECK(gantry_slice_view_trace(view_of(window, GANTRY_VIEW_SAGITTAL), &at, &along, &reach) &&
        gtk_widget_is_sensitive(rotation));
  gantry_window_set_grid(window, &slice);
  for (int k = 0; k <= GANTRY_VIEW_SAGITTAL; k++)
    CHECK(!gantry_slice_view_trace(view_of(window, k), &at, &along, &reach));
  CHECK(!gtk_widget_is_sensitive(rotation));
  CHECK(find_label_with(oblique_pane(window), "This volume is a single slice: there is nothing to tilt."));
  gantry_window_set_grid(window, &grid);
  CHECK(gantry_slice_view_trace(view_of(window, GANTRY_VIEW_SAGITTAL), &at, &along, &reach) &&
        gtk_widget_is_sensitive(rotation));
  CHECK(!find_label_with(oblique_pane(window), "nothing to tilt"));
  drop_window(window);
}

/* Nor has it upright planes: the axial one and the fourth view have their room, side by side. */
static void single_slices_have_no_upright_planes(void) {
  NEED_DISPLAY();
  GantryWindow *window = make_window();
  const ct_grid slice = {64, 48, 1, 0.5, 0.5, 0.5, -16, -12, 0};
  const GantryViewKind upright[] = {GANTRY_VIEW_CORONAL, GANTRY_VIEW_SAGITTAL};
  graphene_rect_t four[GANTRY_VIEWS], two[GANTRY_VIEWS];
  gtk_window_present(GTK_WINDOW(window));
  CHECK(wait_mapped(GTK_WIDGET(view_of(window, GANTRY_VIEW_PROJECTION)), TRUE));
  measure_views(window, four);
  /* One of the others that stands alone, or has the keyboard, gives both up. */
  for (int k = 0; k < 2; k++) {
    if (k)
      gtk_widget_grab_focus(GTK_WIDGET(view_of(window, upright[k])));
    else
      gantry_quad_maximise(window->quad, upright[k]);
    CHECK(gantry_quad_get_focused(window->quad) == upright[k]);
    gantry_window_set_grid(window, &slice);
    CHECK(gantry_quad_get_maximised(window->quad) == GANTRY_VIEWS &&
          gantry_quad_get_focused(window->quad) == GANTRY_VIEW_AXIAL);
    CHECK(gtk_widget_is_ancestor(gtk_window_get_focus(GTK_WINDOW(window)),
                                 GTK_WIDGET(view_of(window, GANTRY_VIEW_AXIAL))));
    CHECK(wait_mapped(GTK_WIDGET(view_of(window, upright[k])), FALSE));
    measure_views(window, two);
    const graphene_rect_t *axial = &two[GANTRY_VIEW_AXIAL], *fourth = &two[GANTRY_VIEW_PROJECTION];
    CHECK(axial->size.height > 2 * four[GANTRY_VIEW_AXIAL].size.height && axial->size.height == fourth->size.height);
    CHECK(axial->origin.y == fourth->origin.y && axial->origin.x + axial->size.width < fourth->origin.x);
    gantry_quad_maximise(window->quad, GANTRY_VIEW_AXIAL);
    gantry_quad_maximise(window->quad, GANTRY_VIEWS);
    for (int i = 0; i < 2; i++) CHECK(!gtk_widget_get_mapped(GTK_WIDGET(view_of(window, upright[i]))));
    gantry_window_set_grid(window, &grid);
    CHECK(wait_mapped(GTK_WIDGET(view_of(window, upright[k])), TRUE));
    measure_views(window, two);
    for (int v = 0; v < GANTRY_VIEW_OBLIQUE; v++) CHECK(graphene_rect_equal(&two[v], &four[v]));
  }
  /* Another scan may have many. */
  gantry_window_set_grid(window, &slice);
  gantry_window_show_scan(window, "walnut", "cone beam");
  CHECK(wait_mapped(GTK_WIDGET(view_of(window, GANTRY_VIEW_CORONAL)), TRUE));
  drop_window(window);
}

/* A picture of the oblique plane through the crosshair, as the engine would make it. */
static void set_oblique(GantryWindow *window) {
  GantryPose pose;
  double cross[3];
  gantry_display_get_oblique(window->display, &pose);
  gantry_display_get_cross(window->display, cross);
  const ct_oblique plane = ct_oblique_through(&grid, cross, pose.rotation, pose.tilt);
  GantryImage *image = gantry_image_new_for_oblique(&plane, &pose, &grid);
  memset(image->pixels, 0, ct_oblique_pixels(&plane) * sizeof *image->pixels);
  gantry_window_set_image(window, CTGL_SLOT_A, image);
  gantry_image_unref(image);
}

/* Its picture is as large as the volume can ever look: beside the volume there are pixels, but no values. */
static void corners_of_the_oblique_picture_are_outside(void) {
  NEED_DISPLAY();
  GantryWindow *window = make_window();
  GtkWidget *view = GTK_WIDGET(view_of(window, GANTRY_VIEW_OBLIQUE));
  gtk_widget_activate_action(GTK_WIDGET(window), "win.fourth", "s", "oblique");
  set_oblique(window);
  CHECK(find_label_with(view, "✛ 0 1/mm"));
  gantry_display_set_cross(window->display, (const double[]){0, 11, 11});
  set_oblique(window);
  CHECK(find_label_with(view, "✛ outside"));
  gantry_display_set_smooth(window->display, TRUE);
  CHECK(find_label_with(view, "✛ outside"));
  gantry_display_set_cross(window->display, (const double[]){0, 7.5, 7.5});
  CHECK(find_label_with(view, "✛ 0 1/mm"));
  gantry_display_set_mode(window->display, CTGL_SHOW_B);
  CHECK(find_label_with(view, "✛ B is not made yet"));
  drop_window(window);
}

/* The crosshair may lie in a corner of the oblique picture that is no volume; turned there, the plane shows nothing. */
static void planes_beside_the_volume_say_so(void) {
  NEED_DISPLAY();
  GantryWindow *window = make_window();
  GantrySliceView *view = view_of(window, GANTRY_VIEW_OBLIQUE);
  ctgl_image_frame frame;
  double cross[3];
  GantryPose pose;
  gtk_widget_activate_action(GTK_WIDGET(window), "win.fourth", "s", "oblique");
  set_oblique(window);
  CHECK(gantry_slice_view_frame(view, &frame) && !find_label_with(oblique_pane(window), "beside the volume"));
  gantry_display_set_cross(window->display, (const double[]){0, 11, 11});
  gantry_display_set_oblique(window->display, TRUE, &(GantryPose){0.5, 0});
  set_oblique(window);
  CHECK(!gantry_slice_view_frame(view, &frame) && find_label_with(oblique_pane(window), "beside the volume"));
  /* Its angles alone bring it back here: the crosshair stays. */
  gtk_widget_activate_action(GTK_WIDGET(window), "win.reset-oblique", NULL);
  gantry_display_get_oblique(window->display, &pose);
  gantry_display_get_cross(window->display, cross);
  CHECK(pose.rotation == 0 && pose.tilt == G_PI / 4 && cross[1] == 11 && cross[2] == 11);
  set_oblique(window);
  CHECK(gantry_slice_view_frame(view, &frame) && !find_label_with(oblique_pane(window), "beside the volume"));
  /* From here they do not: it goes through the middle. */
  gantry_display_set_cross(window->display, (const double[]){0, -11, 17});
  set_oblique(window);
  CHECK(!gantry_slice_view_frame(view, &frame));
  gtk_widget_activate_action(GTK_WIDGET(window), "win.reset-oblique", NULL);
  set_oblique(window);
  CHECK(gantry_slice_view_frame(view, &frame));
  /* The slider brings it back, too; and without a picture there is none to speak of. */
  gantry_display_set_cross(window->display, (const double[]){0, -11, 17});
  set_oblique(window);
  CHECK(!gantry_slice_view_frame(view, &frame));
  gantry_slice_view_step_slice(view, -2);
  set_oblique(window);
  CHECK(gantry_slice_view_frame(view, &frame));
  gantry_display_set_cross(window->display, (const double[]){0, -11, 17});
  set_oblique(window);
  gantry_window_clear_images(window, CTGL_SLOT_A);
  CHECK(!find_label_with(oblique_pane(window), "beside the volume"));
  drop_window(window);
}

static const ct_test tests[] = {
    {"angles take either minus", angles_take_either_minus},
    {"single slices have no oblique plane", single_slices_have_no_oblique_plane},
    {"single slices have no upright planes", single_slices_have_no_upright_planes},
    {"corners of the oblique picture are outside", corners_of_the_oblique_picture_are_outside},
    {"oblique planes beside the volume say so, and come back", planes_beside_the_volume_say_so},
};

WIDGET_TEST_MAIN(tests)
