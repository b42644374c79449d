/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The side panel's parts: the sections made from the table, and the rows that only one section has. */
#pragma once

#include <adwaita.h>

#include "ui/plan/panel.h"
#include "ui/plan/row.h"
#include "ui/plan/iterative.h"
#include "ui/plot/plot.h"

typedef struct {
  AdwExpanderRow *expander;
  GtkWidget *changed; /* a dot in the header: something here differs from the default */
  GtkWidget *more;    /* the row that unfolds the rarely touched parameters */
  GtkWidget *more_label, *more_arrow;
  gboolean unfolded;
} GantryPlanSection;

typedef struct {
  gboolean taken, used; /* the scan needs the beam's intensity; it is taken from here */
  int pixels[4];
} GantryPlanRectangle;

struct _GantryPlanPanel {
  GtkWidget parent_instance;
  void (*refresh)(GantryPlanPanel *self); /* shows plan and facts anew, where nothing holds that up: */
  int holds;
  gboolean stale; /* to be done with the last release */
  ct_plan plan;
  GantryPlanFacts facts;
  GantryPlanSection section[CT_SECTIONS];
  GPtrArray *rows;    /* GantryPlanRow */
  GPtrArray *kernels; /* const ct_bp_kernel */
  ctgl_device_facts *devices;
  gsize device_count;
  char **tuning;     /* what is known of each device's settings, in words; entries may be NULL */
  char *tuning_idle; /* why none can be tuned now */
  GantryAskKernel ask_kernel;
  gpointer ask_user;
  GtkWidget *content, *no_scan; /* one of them is shown */
  GtkWidget *beam_notice, *beam_words;
  GtkGrid *scan_grid;
  GtkWidget *scan_note, *scan_note_label;
  GtkWidget *centre_words, *centre_offers, *sweep_row;
  GantryPlot *sweep;
  GtkWidget *projector_row, *projector_words;
  GtkWidget *rectangle_row;
  GtkWidget *rectangle_doubt, *rectangle_words;
  GantryPlanRectangle rectangle;    /* as told last */
  double beam_share, beam_evenness; /* of the light in it, free-beam.h; NAN: not known */
  GtkWidget *tuning_row, *tuning_words, *tune;
  GtkWidget *kernel_row, *kernel_words, *memory, *memory_icon, *memory_words, *memory_advice, *memory_buttons, *use_bin,
      *use_grid, *use_file;
};

/* Parts of such rows: a row that is not activated, words that wrap, a button with the name of its action (may be NULL).
 */
GtkWidget *gantry_plan_panel_wrap_row(GtkWidget *child);
GtkWidget *gantry_plan_panel_make_words(const char *css_class);
GtkWidget *gantry_plan_panel_make_button(const char *label, const char *action, const char *tip);

/* What stands in the place of the plan without a scan; hidden. */
GtkWidget *gantry_plan_panel_make_no_scan(void);

/* Rows of one section alone, to be put before or behind those of the table. */
GtkWidget *gantry_plan_panel_make_scan_row(GantryPlanPanel *self);
GtkWidget *gantry_plan_panel_make_centre_row(GantryPlanPanel *self);
GtkWidget *gantry_plan_panel_make_kernel_row(GantryPlanPanel *self);
GtkWidget *gantry_plan_panel_make_memory_row(GantryPlanPanel *self);
GtkWidget *gantry_plan_panel_make_projector_row(GantryPlanPanel *self);
GtkWidget *gantry_plan_panel_make_rectangle_row(GantryPlanPanel *self);
GtkWidget *gantry_plan_panel_make_tuning_row(GantryPlanPanel *self);
/* Brings them up to date with the plan and the facts. */
void gantry_plan_panel_show_scan_row(GantryPlanPanel *self);
void gantry_plan_panel_show_centre_row(GantryPlanPanel *self);
void gantry_plan_panel_show_kernel_row(GantryPlanPanel *self);
void gantry_plan_panel_show_memory_row(GantryPlanPanel *self);
void gantry_plan_panel_show_projector_row(GantryPlanPanel *self);
void gantry_plan_panel_show_rectangle(GantryPlanPanel *self);
void gantry_plan_panel_emit_rectangle(GantryPlanPanel *self);
void gantry_plan_panel_show_tuning_row(GantryPlanPanel *self);

/* Above the sections, while the beam is assumed (plan-beam.c). */
GtkWidget *gantry_plan_panel_make_beam_notice(GantryPlanPanel *self);
void gantry_plan_panel_show_beam_notice(GantryPlanPanel *self);

/* Takes a plan that the user made and tells the listeners; `key` names what was touched. */
void gantry_plan_panel_take(GantryPlanPanel *self, const ct_plan *plan, const char *key);
GantryPlanRow *gantry_plan_panel_find_row(GantryPlanPanel *self, size_t offset);
/* After they changed: which kernels and devices can be chosen (kernels.c, devices.c). */
void gantry_plan_panel_show_kernels(GantryPlanPanel *self);
void gantry_plan_panel_show_devices(GantryPlanPanel *self);
/* Why the kernel that the plan names cannot serve (g_free); NULL: it may, or it is "auto". */
char *gantry_plan_panel_dup_kernel_refusal(GantryPlanPanel *self);
void gantry_plan_panel_set_manual_centre(GantryPlanPanel *self, double centre);
