/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the window is told of the results on the shelf. */
#include "ui/window/twin.h"
#include "ui/window/window-private.h"

void gantry_window_set_shelf(GantryWindow *self, GListModel *items) {
  gantry_shelf_part_set_model(self->shelf, items);
}

void gantry_window_set_shelf_memory(GantryWindow *self, const char *text, const char *tip) {
  gantry_shelf_part_set_memory(self->shelf, text, tip);
}

GantryShelfItem *gantry_window_get_chosen_result(GantryWindow *self) {
  return gantry_shelf_part_get_chosen(self->shelf);
}

/* What is A or B is in the loupe already. */
static void show_in_loupes(GantryWindow *self, const GantryVariant *variants, gsize count) {
  g_autofree GantryOtherPicture *others = g_new(GantryOtherPicture, count + 1);
  for (int kind = 0; kind < GANTRY_VIEWS; kind++) {
    gsize number = 0;
    for (gsize i = 0; i < count; i++)
      if (variants[i].images[kind] && !variants[i].is_a && !variants[i].is_b)
        others[number++] = (GantryOtherPicture){variants[i].name, variants[i].images[kind]};
    gantry_slice_view_set_others(gantry_quad_get_view(self->quad, (GantryViewKind)kind), others, number);
  }
}

void gantry_window_set_variants(GantryWindow *self, const GantryVariant *variants, gsize count) {
  gantry_variants_set(self->variants, variants, count);
  show_in_loupes(self, variants, count);
  gantry_refresh_queue(self->refresh);
}

const GantryVariant *gantry_window_get_variants(GantryWindow *self, gsize *count) {
  return gantry_variants_get(self->variants, count);
}

GantryVariantsPage *gantry_window_get_variants_page(GantryWindow *self) {
  return gantry_variants_part_get_page(self->variants_part);
}

void gantry_window_show_views(GantryWindow *self) {
  gantry_variants_part_leave(self->variants_part);
}

void gantry_window_set_statistics_scope(GantryWindow *self, const char *scope) {
  gantry_statistics_page_set_scope(gantry_numbers_get_statistics(self->numbers), scope);
}

void gantry_window_set_differences(GantryWindow *self, const char *lines) {
  gantry_statistics_page_set_differences(gantry_numbers_get_statistics(self->numbers), lines);
}

void gantry_window_set_statistics(GantryWindow *self, const ct_statistics *a, const ct_metrics *a_against_b) {
  gantry_statistics_page_show(gantry_numbers_get_statistics(self->numbers), a, a_against_b);
}

GantryErrorsScope gantry_window_get_errors_scope(GantryWindow *self) {
  return gantry_errors_get_scope(self->errors);
}

void gantry_window_take_errors(GantryWindow *self, GantryErrorReport *report, const char *instead) {
  gantry_errors_take(self->errors, report, instead);
}

const GantryRay *gantry_window_get_wanted_ray(GantryWindow *self) {
  return gantry_ray_part_get_wanted(self->ray);
}

const GantryRay *gantry_window_get_wanted_twin(GantryWindow *self) {
  return gantry_ray_part_get_twin(self->ray);
}

void gantry_window_set_ray_values(GantryWindow *self, const GantryRayValues *values) {
  gantry_ray_part_set_values(self->ray, values);
}

void gantry_window_set_ray_measured(GantryWindow *self, const GantryRay *ray, double measured) {
  gantry_ray_part_set_measured(self->ray, ray, measured);
}
