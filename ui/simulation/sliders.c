/* SPDX-License-Identifier: GPL-3.0-or-later */
/* In the order of the table. */
#include "ui/simulation/sliders.h"

#include "ui/number-text.h"
#include "ui/tips.h"

#include <math.h>
#include <stddef.h>

struct _GantrySliders {
  GtkBox parent_instance;
  GtkFlowBox *flow;
  GtkSwitch *counts;   /* NULL: not there yet */
  GantrySlider *views; /* NULL: none */
  ct_beam beam;
  gboolean phantom;
  GPtrArray *rows; /* of GantrySlider, one for each imperfection, as far as they are there */
};

G_DEFINE_FINAL_TYPE(GantrySliders, gantry_sliders, GTK_TYPE_BOX)

static guint changed_signal;

static void gantry_sliders_finalize(GObject *object) {
  g_ptr_array_unref(GANTRY_SLIDERS(object)->rows);
  G_OBJECT_CLASS(gantry_sliders_parent_class)->finalize(object);
}

static void gantry_sliders_class_init(GantrySlidersClass *klass) {
  G_OBJECT_CLASS(klass)->finalize = gantry_sliders_finalize;
  changed_signal = g_signal_new("changed", GANTRY_TYPE_SLIDERS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void gantry_sliders_init(GantrySliders *self) {
  self->rows = g_ptr_array_new();
  ct_simulation standard;
  ct_simulation_init(&standard);
  self->beam = standard.beam;
  self->phantom = TRUE;
}

static double value_of(const ct_imperfections *imperfections, const ct_imperfection *row) {
  return *(const double *)((const char *)imperfections + row->offset);
}

static gboolean may_be_moved(GantrySliders *self, const ct_imperfections *now, const ct_imperfection *row) {
  const gboolean bound =
      row->offset == offsetof(ct_imperfections, focal_spot) || row->offset == offsetof(ct_imperfections, motion);
  return ct_imperfection_matters(now, row, self->beam, self->phantom) || (bound && value_of(now, row) != 0);
}

/* What cannot change anything cannot be moved, except back to nothing where it was set before. */
static void judge(GantrySliders *self) {
  ct_simulation now;
  size_t count;
  const ct_imperfection *rows = ct_imperfection_rows(&count);
  ct_simulation_init(&now);
  gantry_sliders_read(self, &now);
  for (guint i = 0; i < self->rows->len; i++)
    gantry_slider_allow(self->rows->pdata[i], may_be_moved(self, &now.imperfections, &rows[i]));
}

static void changed(GantrySliders *self) {
  judge(self);
  g_signal_emit(self, changed_signal, 0);
}

static const ct_simulation_number *number_of_views(void) {
  size_t count;
  const ct_simulation_number *numbers = ct_simulation_numbers(&count);
  for (size_t i = 0; i < count; i++)
    if (numbers[i].offset == offsetof(ct_simulation, views)) return &numbers[i];
  g_return_val_if_reached(NULL);
}

static void show_counts(GantrySliders *self, const ct_simulation *simulation) {
  g_signal_handlers_block_by_func(self->counts, changed, self);
  gtk_switch_set_active(self->counts, simulation->imperfections.counts);
  g_signal_handlers_unblock_by_func(self->counts, changed, self);
}

void gantry_sliders_suit(GantrySliders *self, ct_beam beam, gboolean phantom) {
  self->beam = beam;
  self->phantom = phantom;
  judge(self);
}

void gantry_sliders_show(GantrySliders *self, const ct_simulation *simulation) {
  size_t count;
  const ct_imperfection *rows = ct_imperfection_rows(&count);
  for (guint i = 0; i < self->rows->len; i++)
    gantry_slider_set(self->rows->pdata[i], value_of(&simulation->imperfections, &rows[i]));
  if (self->views) gantry_slider_set(self->views, simulation->views);
  if (self->counts) show_counts(self, simulation);
  judge(self);
}

void gantry_sliders_read(GantrySliders *self, ct_simulation *simulation) {
  size_t count;
  const ct_imperfection *rows = ct_imperfection_rows(&count);
  ct_imperfections *imperfections = &simulation->imperfections;
  gboolean counts = self->counts && gtk_switch_get_active(self->counts);
  for (guint i = 0; i < self->rows->len; i++) {
    const double value = gantry_slider_get(self->rows->pdata[i]);
    *(double *)((char *)imperfections + rows[i].offset) = value;
    counts = counts || (rows[i].counts && value > 0);
  }
  imperfections->counts = counts;
  if (self->views) simulation->views = (int)gantry_slider_get(self->views);
}

/* Making */

static void add(GantrySliders *self, GtkWidget *child) {
  GtkWidget *place = gtk_flow_box_child_new();
  gtk_flow_box_child_set_child(GTK_FLOW_BOX_CHILD(place), child);
  gtk_widget_set_focusable(place, FALSE);
  gtk_flow_box_insert(self->flow, place, -1);
}

static GtkWidget *add_slider(GantrySliders *self, const GantrySliderRange *range) {
  GtkWidget *slider = gantry_slider_new(range);
  g_signal_connect_swapped(slider, "changed", G_CALLBACK(changed), self);
  add(self, slider);
  return slider;
}

static void add_views(GantrySliders *self, const ct_simulation *standard) {
  const ct_simulation_number *number = number_of_views();
  const GantrySliderRange range = {.title = number->title,
                                   .unit = number->unit,
                                   .explanation = number->explanation,
                                   .low = number->low,
                                   .high = number->high,
                                   .least = 4,
                                   .reach = 1000,
                                   .standard = standard->views,
                                   .whole = TRUE};
  self->views = GANTRY_SLIDER(add_slider(self, &range));
}

static void add_counts(GantrySliders *self) {
  static const char tip[] = "Counts with flats and darks in place of line integrals; a fault of the detector (gain, "
                            "drift, dead pixels and columns, zingers) makes them so by itself";
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6), *title = gtk_label_new("Raw counts"),
            *counts = gtk_switch_new();
  gtk_label_set_xalign(GTK_LABEL(title), 0);
  gtk_label_set_width_chars(GTK_LABEL(title), 15);
  gantry_tips_set(title, tip);
  gantry_tips_set(counts, tip);
  gtk_widget_set_valign(counts, GTK_ALIGN_CENTER);
  gtk_widget_set_halign(counts, GTK_ALIGN_START);
  gtk_accessible_update_property(GTK_ACCESSIBLE(counts), GTK_ACCESSIBLE_PROPERTY_LABEL, "Raw counts", -1);
  gtk_box_append(GTK_BOX(box), title);
  gtk_box_append(GTK_BOX(box), counts);
  self->counts = GTK_SWITCH(counts);
  g_signal_connect_swapped(counts, "notify::active", G_CALLBACK(changed), self);
  add(self, box);
}

GtkWidget *gantry_sliders_new(guint columns, gboolean views) {
  GantrySliders *self = g_object_new(GANTRY_TYPE_SLIDERS, NULL);
  self->flow = g_object_new(GTK_TYPE_FLOW_BOX, "max-children-per-line", columns, "selection-mode", GTK_SELECTION_NONE,
                            "homogeneous", TRUE, "column-spacing", 18, "row-spacing", 2, "hexpand", TRUE, NULL);
  gtk_box_append(GTK_BOX(self), GTK_WIDGET(self->flow));
  if (views) {
    ct_simulation standard;
    ct_simulation_init(&standard);
    add_views(self, &standard);
  }
  return GTK_WIDGET(self);
}

gboolean gantry_sliders_add(GantrySliders *self, guint most, const ct_simulation *simulation) {
  ct_simulation standard;
  size_t count;
  const ct_imperfection *rows = ct_imperfection_rows(&count);
  ct_simulation_init(&standard);
  for (; most && self->rows->len < count; most--) {
    const ct_imperfection *row = &rows[self->rows->len];
    const GantrySliderRange range = gantry_slider_range_of(row, value_of(&standard.imperfections, row));
    g_ptr_array_add(self->rows, add_slider(self, &range));
    gantry_slider_set(self->rows->pdata[self->rows->len - 1], value_of(&simulation->imperfections, row));
  }
  if (self->rows->len < count) return TRUE;
  add_counts(self);
  show_counts(self, simulation);
  judge(self);
  return FALSE;
}
