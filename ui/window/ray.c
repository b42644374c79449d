/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A ray that was pointed at stays on the page when the pointer leaves: it is there to be read. */
#include "ui/window/ray.h"

#include "ui/number-text.h"
#include "ui/tips.h"
#include "ui/window/parts.h"

#include <math.h>
#include <string.h>

struct _GantryRayPart {
  GtkWidget *window, *numbers, *label, *all, *toggle;
  GantryDisplay *display;
  GantryPlots *plots;
  GantryLinks *links;
  GantryRefresh *refresh;
  void (*wanted)(gpointer user);
  gpointer user;
  gboolean on, has_ray, pointed;
  GantryRay ray, of_cross; /* the one shown; the crosshair's when it was last looked for */
  gboolean known, measured_known;
  double measured;
  ct_twin twin; /* of the ray shown */
  GantryRay twin_ray;
  double twin_angle, twin_measured; /* degrees; NAN: not known */
  GantryRayValues values;           /* of the ray shown, once they are known */
};

/* The ray */

static void forget(GantryRayPart *self) {
  for (int side = 0; side < GANTRY_RAY_SIDES; side++) g_clear_pointer(&self->values.sides[side].values, g_free);
  self->values = (GantryRayValues){0};
  self->known = self->measured_known = FALSE;
  self->twin_measured = NAN;
}

/* The page's ray in the slices; its twin, or that of the ray pointed at, in the sinogram. */
static void mark(GantryRayPart *self) {
  const GantryRay *pointed = gantry_display_get_ray(self->display), *read = gantry_ray_part_get_wanted(self);
  gantry_display_set_read_ray(self->display, read);
  gantry_links_show_twin(self->links, pointed ? pointed : read);
}

/* NULL: there is none. The numbers of the one before go: they are another ray's. */
static void show(GantryRayPart *self, const GantryRay *ray) {
  if (!ray && !self->has_ray) return;
  if (ray && self->has_ray && memcmp(&self->ray, ray, sizeof *ray) == 0) return;
  self->has_ray = ray != NULL;
  if (ray) self->ray = *ray;
  forget(self);
  if (!self->on) return;
  mark(self);
  if (ray) self->twin = gantry_links_find_twin(self->links, ray, &self->twin_ray, &self->twin_angle);
  self->wanted(self->user);
  gantry_refresh_queue(self->refresh);
}

static void ray_changed(GantryDisplay *display, GantryRayPart *self) {
  const GantryRay *ray = gantry_display_get_ray(display);
  mark(self);
  if (!ray) return;
  self->pointed = TRUE;
  show(self, ray);
}

void gantry_ray_part_refresh(GantryRayPart *self) {
  GantryRay ray = {0};
  if (!self->on) return;
  const gboolean found = gantry_links_find_cross_ray(self->links, &ray);
  const gboolean moved = memcmp(&ray, &self->of_cross, sizeof ray) != 0;
  self->of_cross = ray;
  if (moved && !gantry_display_get_ray(self->display)) self->pointed = FALSE;
  if (!self->pointed) show(self, found ? &ray : NULL);
}

static void change(GSimpleAction *action, GVariant *value, gpointer user) {
  GantryRayPart *self = user;
  self->on = g_variant_get_boolean(value);
  g_simple_action_set_state(action, value);
  gtk_widget_set_visible(self->numbers, self->on);
  if (self->on) gantry_plots_show(self->plots, "profile");
  gantry_ray_part_refresh(self);
  if (self->on && self->has_ray)
    self->twin = gantry_links_find_twin(self->links, &self->ray, &self->twin_ray, &self->twin_angle);
  mark(self);
  self->wanted(self->user);
  gantry_refresh_queue(self->refresh);
}

gboolean gantry_ray_part_is_on(GantryRayPart *self) {
  return self->on;
}

const GantryRay *gantry_ray_part_get_wanted(GantryRayPart *self) {
  return self->on && self->has_ray ? &self->ray : NULL;
}

const GantryRay *gantry_ray_part_get_twin(GantryRayPart *self) {
  return self->on && self->has_ray && self->twin.state == CT_TWIN_MEASURED ? &self->twin_ray : NULL;
}

static gboolean is_shown(GantryRayPart *self, const GantryRay *ray) {
  return self->has_ray && gantry_ray_equal(ray, &self->ray);
}

void gantry_ray_part_set_values(GantryRayPart *self, const GantryRayValues *values) {
  if (!is_shown(self, &values->ray)) return;
  for (int side = 0; side < GANTRY_RAY_SIDES; side++) {
    const ct_ray_profile *from = &values->sides[side];
    ct_ray_profile *to = &self->values.sides[side];
    g_free(to->values);
    *to = *from;
    to->values = g_memdup2(from->values, from->count * sizeof *from->values);
  }
  self->known = TRUE;
  gantry_refresh_queue(self->refresh);
}

void gantry_ray_part_set_measured(GantryRayPart *self, const GantryRay *ray, double measured) {
  const GantryRay *twin = gantry_ray_part_get_twin(self);
  if (twin && gantry_ray_equal(ray, twin)) self->twin_measured = measured;
  if (is_shown(self, ray)) {
    self->measured = measured;
    self->measured_known = TRUE;
  }
  gantry_refresh_queue(self->refresh);
}

/* Words: two lines, or `all` of them. */

static void tell_ray(GantryRayPart *self, GString *text) {
  double pixel[2], angle;
  gantry_links_tell_ray(self->links, &self->ray, pixel, &angle);
  g_autofree char *u = gantry_fixed_text(pixel[0], 1), *v = gantry_fixed_text(pixel[1], 1);
  g_string_append_printf(text, "Ray %s: view %d", self->pointed ? "pointed at" : "through the crosshair",
                         self->ray.view);
  if (isfinite(angle)) {
    g_autofree char *degrees = gantry_fixed_text(angle, 1);
    g_string_append_printf(text, " (%s°)", degrees);
  }
  g_string_append_printf(text, ", pixel %s, %s", u, v);
}

static gboolean is_measured(GantryRayPart *self) {
  return self->measured_known && isfinite(self->measured);
}

static void tell_measured(GantryRayPart *self, gboolean all, GString *text) {
  if (is_measured(self)) {
    g_autofree char *measured = gantry_fixed_text(self->measured, 4);
    g_string_append_printf(text, "\nMeasured %s%s", all ? "line integral " : "", measured);
  } else if (self->measured_known) {
    g_string_append(text, all ? "\nThere is no line integral at that pixel." : "\nNothing measured");
  } else {
    g_string_append(text, "\nMeasured …");
  }
}

/* " · A 1.2345 (−0.10 %)", or "Integral of A 1.2345" and "difference −0.0012 (−0.10 %)". */
static void tell_side(GantryRayPart *self, int side, gboolean all, GString *text) {
  const ct_ray_profile *profile = &self->values.sides[side];
  if (!profile->count) return;
  const double difference = profile->integral - self->measured;
  g_autofree char *integral = gantry_fixed_text(profile->integral, 4), *apart = gantry_fixed_text(difference, 4);
  g_string_append_printf(text, all ? "\nIntegral of %c %s" : " · %c %s", side == GANTRY_RAY_OF_A ? 'A' : 'B', integral);
  if (!is_measured(self)) return;
  if (all) g_string_append_printf(text, "\ndifference %s", apart);
  if (!(self->measured > 1e-3)) return;
  g_autofree char *share = gantry_fixed_text(100 * difference / self->measured, 2);
  g_string_append_printf(text, " (%s %%)", share);
}

/* Why there is nothing of A along the ray; NULL: there is, or it is not known yet. */
static const char *get_missing(GantryRayPart *self, gboolean all) {
  if (!self->ray.in_field) return all ? "It passes beside the field of view." : "beside the field of view";
  if (!self->known || self->values.sides[GANTRY_RAY_OF_A].count) return NULL;
  return all ? "Reconstruct the volume (Ctrl+R) to see what the ray meets in it."
             : "A: reconstruct the volume (Ctrl+R)";
}

static void tell_once(GantryRayPart *self, GString *text) {
  g_autofree char *degrees = gantry_fixed_text(self->twin_angle, 1);
  if (self->twin.state == CT_TWIN_NONE)
    g_string_append(text, "\nMeasured once: no other view has its source on this line.");
  else if (self->twin.state == CT_TWIN_BESIDE)
    g_string_append_printf(text, "\nMeasured once: at %s° the detector ends before this line.", degrees);
  else if (self->twin.state == CT_TWIN_NO_VIEW)
    g_string_append_printf(text, "\nMeasured once: its other side is at %s°, where no view stands.", degrees);
}

/* The line from the other side, what was measured of it there, and how far that is from the ray's own. */
static void tell_other_side(GantryRayPart *self, GString *text) {
  double pixel[2], angle;
  const ct_twin *twin = &self->twin;
  gantry_links_tell_ray(self->links, &self->twin_ray, pixel, &angle);
  g_autofree char *degrees = gantry_fixed_text(self->twin_angle, 1), *u = gantry_fixed_text(pixel[0], 1),
                  *v = gantry_fixed_text(pixel[1], 1);
  g_string_append_printf(text, "\nThe same line from the other side\nview %d (%s°), pixel %s, %s", twin->view, degrees,
                         u, v);
  if (fabs(twin->off) > 5e-4) {
    g_autofree char *off = gantry_fixed_text(twin->off * 180 / G_PI, 2);
    g_string_append_printf(text, "\nthe nearest view, %s° from it", off);
  }
  if (!isfinite(self->twin_measured) || !is_measured(self)) return;
  const double difference = self->twin_measured - self->measured;
  g_autofree char *measured = gantry_fixed_text(self->twin_measured, 4), *apart = gantry_fixed_text(difference, 4);
  g_string_append_printf(text, "\nread %s there, difference %s", measured, apart);
}

static void tell_twin(GantryRayPart *self, gboolean all, GString *text) {
  const gboolean twice = self->twin.state == CT_TWIN_MEASURED;
  if (all) {
    (twice ? tell_other_side : tell_once)(self, text);
  } else if (!twice) {
    g_string_append(text, " · measured once");
  } else if (isfinite(self->twin_measured)) {
    g_autofree char *twin = gantry_fixed_text(self->twin_measured, 4);
    g_string_append_printf(text, " · other side %s", twin);
  }
}

static char *dup_words(GantryRayPart *self, gboolean all) {
  static const char none[] = "Point at the projection or the sinogram: the ray of that pixel is read here.";
  if (!self->has_ray) return g_strconcat(none, all ? NULL : "\n", NULL);
  GString *text = g_string_new(NULL);
  tell_ray(self, text);
  tell_measured(self, all, text);
  for (int side = 0; side < GANTRY_RAY_SIDES; side++) tell_side(self, side, all, text);
  const char *missing = get_missing(self, all);
  if (missing) g_string_append_printf(text, "%s%s", all ? "\n" : " · ", missing);
  tell_twin(self, all, text);
  return g_string_free(text, FALSE);
}

/* Drawing */

static const char *empty_text(GantryRayPart *self) {
  if (!self->has_ray) return "Point at the projection or the sinogram: values along that pixel's ray are plotted here.";
  if (!self->ray.in_field) return "This ray passes beside the field of view.";
  return self->known ? "Reconstruct the volume (Ctrl+R): its values along the ray are plotted here." : "";
}

gboolean gantry_ray_part_draw(GantryRayPart *self, GantryPlot *plot) {
  if (!self->on) return FALSE;
  gantry_plot_set_empty_text(plot, empty_text(self));
  const ct_units units = gantry_display_get_units(self->display);
  g_autofree char *text = dup_words(self, FALSE), *all = dup_words(self, TRUE);
  gtk_label_set_text(GTK_LABEL(self->label), text);
  gtk_label_set_text(GTK_LABEL(self->all), all);
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->label), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, all, -1);
  gantry_plot_clear(plot);
  gantry_plot_set_legend(plot, TRUE);
  gantry_plot_set_axes(plot, "way through the volume", units.length, "attenuation",
                       gantry_display_value_unit(self->display));
  for (int side = 0; side < GANTRY_RAY_SIDES; side++) {
    const ct_ray_profile *profile = &self->values.sides[side];
    if (!profile->count) continue;
    g_autofree double *x = g_new(double, profile->count), *y = g_new(double, profile->count);
    for (gsize i = 0; i < profile->count; i++) {
      x[i] = (double)i * profile->step;
      y[i] = gantry_display_value(self->display, profile->values[i]);
    }
    gantry_plot_set_curve(plot, side == GANTRY_RAY_OF_A ? GANTRY_CURVE_A : GANTRY_CURVE_B,
                          side == GANTRY_RAY_OF_A ? "A along the ray" : "B along the ray", x, y, profile->count);
  }
  return TRUE;
}

/* Life */

static void make_toggle(GantryRayPart *self) {
  self->toggle = gtk_toggle_button_new_with_label("Ray");
  gtk_actionable_set_action_name(GTK_ACTIONABLE(self->toggle), "win.profile-ray");
  gantry_tips_set(self->toggle,
                  "In place of the line on a slice: values along the ray through the crosshair, or the one "
                  "pointed at in projection or sinogram, with its integral and what was measured (Alt+Y)");
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->toggle), GTK_ACCESSIBLE_PROPERTY_LABEL, "Profile along the ray",
                                 -1);
  gtk_widget_add_css_class(self->toggle, "small");
  gtk_box_prepend(gantry_window_part(self->window, "profile_buttons"), self->toggle);
}

/* Always two lines, so that pointing moves nothing under the pointer, and behind them a button for the rest. */
static void make_numbers(GantryRayPart *self) {
  GtkWidget *popover = gtk_popover_new(), *button = gtk_menu_button_new();
  self->numbers = g_object_ref_sink(gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6));
  self->label = gtk_label_new("\n");
  self->all = gtk_label_new(NULL);
  GtkWidget *const labels[] = {self->label, self->all};
  for (gsize i = 0; i < G_N_ELEMENTS(labels); i++) {
    gtk_label_set_xalign(GTK_LABEL(labels[i]), 0);
    gtk_label_set_selectable(GTK_LABEL(labels[i]), TRUE);
    gtk_widget_set_focusable(labels[i], FALSE);
    gtk_widget_add_css_class(labels[i], "numeric");
  }
  gtk_label_set_ellipsize(GTK_LABEL(self->label), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand(self->label, TRUE);
  gtk_popover_set_child(GTK_POPOVER(popover), self->all);
  gtk_menu_button_set_popover(GTK_MENU_BUTTON(button), popover);
  gtk_menu_button_set_direction(GTK_MENU_BUTTON(button), GTK_ARROW_UP);
  gtk_widget_add_css_class(button, "flat");
  gtk_widget_set_valign(button, GTK_ALIGN_CENTER);
  gantry_tips_name(button, "All numbers of the ray", "All numbers of the ray, and of the one from the other side");
  gtk_box_append(GTK_BOX(self->numbers), self->label);
  gtk_box_append(GTK_BOX(self->numbers), button);
  gtk_widget_set_margin_start(self->numbers, 9);
  gtk_widget_set_margin_end(self->numbers, 9);
  gtk_widget_set_margin_bottom(self->numbers, 3);
  gtk_widget_set_visible(self->numbers, FALSE);
}

GantryRayPart *gantry_ray_part_new(GtkWidget *window, GantryDisplay *display, GantryPlots *plots, GantryLinks *links,
                                   GantryRefresh *refresh, void (*wanted)(gpointer user), gpointer user) {
  static const GActionEntry entries[] = {{.name = "profile-ray", .state = "false", .change_state = change}};
  GantryRayPart *self = g_new0(GantryRayPart, 1);
  self->window = window;
  self->display = g_object_ref(display);
  self->plots = plots;
  self->links = links;
  self->refresh = refresh;
  self->wanted = wanted;
  self->user = user;
  g_action_map_add_action_entries(G_ACTION_MAP(window), entries, G_N_ELEMENTS(entries), self);
  make_toggle(self);
  make_numbers(self);
  g_signal_connect(display, "ray-changed", G_CALLBACK(ray_changed), self);
  return self;
}

GtkWidget *gantry_ray_part_get_numbers(GantryRayPart *self) {
  return self->numbers;
}

void gantry_ray_part_reset(GantryRayPart *self) {
  self->has_ray = self->pointed = FALSE;
  forget(self);
  mark(self);
  gantry_refresh_queue(self->refresh);
}

void gantry_ray_part_stop(GantryRayPart *self) {
  g_signal_handlers_disconnect_by_data(self->display, self);
}

void gantry_ray_part_free(GantryRayPart *self) {
  gantry_ray_part_stop(self);
  forget(self);
  g_object_unref(self->numbers);
  g_object_unref(self->display);
  g_free(self);
}
