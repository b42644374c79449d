/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The rows of the side panel that no table describes: what the scan is, the kernel's
 * reason and the memory that the plan needs. */
#include "ui/plan/panel-private.h"

#include "recon/base/units.h"
#include "recon/geom/questions.h"
#include "recon/solve/iterative/solver.h"
#include "ui/number-text.h"
#include "ui/tips.h"

#include <math.h>

GtkWidget *gantry_plan_panel_wrap_row(GtkWidget *child) {
  GtkWidget *row = gtk_list_box_row_new();
  gtk_list_box_row_set_child(GTK_LIST_BOX_ROW(row), child);
  gtk_list_box_row_set_activatable(GTK_LIST_BOX_ROW(row), FALSE);
  gtk_list_box_row_set_selectable(GTK_LIST_BOX_ROW(row), FALSE);
  gtk_widget_set_focusable(row, FALSE);
  gtk_widget_add_css_class(row, "facts-row");
  return row;
}

GtkWidget *gantry_plan_panel_make_words(const char *css_class) {
  GtkWidget *label = gtk_label_new(NULL);
  gtk_label_set_xalign(GTK_LABEL(label), 0);
  gtk_label_set_wrap(GTK_LABEL(label), TRUE);
  gtk_label_set_wrap_mode(GTK_LABEL(label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_width_chars(GTK_LABEL(label), 12);
  gtk_label_set_max_width_chars(GTK_LABEL(label), 34);
  gtk_widget_add_css_class(label, css_class);
  return label;
}

GtkWidget *gantry_plan_panel_make_scan_row(GantryPlanPanel *self) {
  GtkWidget *column = gtk_box_new(GTK_ORIENTATION_VERTICAL, 8);
  self->scan_grid = GTK_GRID(gtk_grid_new());
  gtk_grid_set_column_spacing(self->scan_grid, 12);
  gtk_grid_set_row_spacing(self->scan_grid, 3);
  gtk_widget_add_css_class(GTK_WIDGET(self->scan_grid), "facts");
  gtk_box_append(GTK_BOX(column), GTK_WIDGET(self->scan_grid));
  self->scan_note = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *icon = gtk_image_new_from_icon_name("dialog-warning-symbolic");
  gtk_widget_set_valign(icon, GTK_ALIGN_START);
  gtk_accessible_update_property(GTK_ACCESSIBLE(icon), GTK_ACCESSIBLE_PROPERTY_LABEL, "Note", -1);
  gtk_widget_add_css_class(icon, "warning");
  gtk_box_append(GTK_BOX(self->scan_note), icon);
  self->scan_note_label = gantry_plan_panel_make_words("caption");
  gtk_widget_set_hexpand(self->scan_note_label, TRUE);
  gtk_box_append(GTK_BOX(self->scan_note), self->scan_note_label);
  gtk_box_append(GTK_BOX(column), self->scan_note);
  return gantry_plan_panel_wrap_row(column);
}

static void add_fact(GantryPlanPanel *self, int *line, const char *title, const char *value, const char *tip) {
  GtkWidget *name = gtk_label_new(title), *text = gantry_plan_panel_make_words("caption");
  gtk_label_set_xalign(GTK_LABEL(name), 0);
  gtk_label_set_yalign(GTK_LABEL(name), 0);
  gtk_widget_add_css_class(name, "caption");
  gtk_widget_add_css_class(name, "dim-label");
  gtk_label_set_text(GTK_LABEL(text), value);
  gtk_label_set_selectable(GTK_LABEL(text), TRUE);
  gtk_widget_set_focusable(text, FALSE);
  gtk_widget_set_hexpand(text, TRUE);
  gantry_tips_set(text, tip);
  gtk_grid_attach(self->scan_grid, name, 0, *line, 1, 1);
  gtk_grid_attach(self->scan_grid, text, 1, *line, 1, 1);
  ++*line;
}

/* As the scan says or shows, whatever the plan takes them for. */
static const char *values_words(const GantryPlanFacts *facts) {
  return ct_choice_title(ct_values_choices, (int)facts->base.values);
}

/* What the file did not tell, in one sentence, behind the reader's own note. */
static char *assumptions(const GantryPlanFacts *facts) {
  g_autoptr(GPtrArray) parts = g_ptr_array_new_with_free_func(g_free);
  char number[64];
  const gboolean distances = ct_beam_takes(facts->base.beam, CT_TAKES_DISTANCES);
  if (!(facts->base.known & CT_KNOWN_ANGLES) && ct_beam_takes(facts->base.beam, CT_TAKES_ANGLES)) {
    g_ptr_array_add(parts,
                    g_strdup_printf("angles over %s°", ct_format_number(facts->arc_deg, 4, number, sizeof number)));
  }
  if (!(facts->base.known & CT_KNOWN_PITCH))
    g_ptr_array_add(parts, distances ? g_strdup_printf("pixels of %s",
                                                       ct_format_length(facts->base.du, 4, "mm", number, sizeof number))
                                     : g_strdup("no pixel size, so that lengths are in px and values in 1/px"));
  if (!(facts->base.known & CT_KNOWN_BEAM)) g_ptr_array_add(parts, g_strdup(ct_beam_title(facts->base.beam)));
  if (distances && !(facts->base.known & CT_KNOWN_DISTANCES)) g_ptr_array_add(parts, g_strdup("the source distances"));
  if (!parts->len) return facts->note ? g_strdup(facts->note) : NULL;
  g_ptr_array_add(parts, NULL);
  g_autofree char *list = g_strjoinv(", ", (char **)parts->pdata);
  return g_strdup_printf("Not in the file, assumed: %s. Set what is known under Geometry.%s%s", list,
                         facts->note ? "\n" : "", facts->note ? facts->note : "");
}

static void add_scan_facts(GantryPlanPanel *self) {
  const GantryPlanFacts *facts = &self->facts;
  char number[64], pitch[64];
  int line = 0;
  add_fact(self, &line, "Name", facts->name ? facts->name : "unnamed", facts->path);
  g_autofree char *format =
      facts->dataset ? g_strdup_printf("%s, %s", facts->format, facts->dataset) : g_strdup(facts->format);
  if (format) add_fact(self, &line, "Format", format, NULL);
  g_autofree char *size =
      facts->bytes
          ? g_strdup_printf("%s, %s", ct_format_bytes((double)facts->bytes, number, sizeof number), values_words(facts))
          : g_strdup(values_words(facts));
  g_autofree char *why =
      facts->values_why ? g_strdup_printf("The file does not say what its values are: %s", facts->values_why) : NULL;
  add_fact(self, &line, facts->bytes ? "Size" : "Values", size, why);
  g_autofree char *views = g_strdup_printf("%d", facts->base.views);
  add_fact(self, &line, "Views", views, NULL);
  g_autofree char *detector = facts->base.known & CT_KNOWN_PITCH
                                  ? g_strdup_printf("%d × %d px of %s", facts->nu, facts->base.nv,
                                                    ct_format_length(facts->base.du, 4, "mm", pitch, sizeof pitch))
                                  : g_strdup_printf("%d × %d px", facts->nu, facts->base.nv);
  add_fact(self, &line, "Detector", detector, NULL);
  if (ct_beam_takes(facts->base.beam, CT_TAKES_ANGLES)) {
    g_autofree char *first = gantry_quantity_text(facts->base.angle_first_deg, 5, "°");
    g_autofree char *arc = gantry_quantity_text(facts->arc_deg, 5, "°");
    g_autofree char *step = gantry_quantity_text(facts->base.angle_step_deg, 4, "°");
    const char *again = facts->arc_repeated ? ", the first view repeated at the end" : "";
    g_autofree char *angles = isnan(facts->base.angle_step_deg)
                                  ? g_strdup_printf("%s in uneven steps, from %s%s", arc, first, again)
                                  : g_strdup_printf("%s in steps of %s, from %s%s", arc, step, first, again);
    add_fact(self, &line, "Angles", angles, NULL);
  }
  if (facts->base.flats || facts->darks || facts->base.values == CT_VALUES_COUNTS) {
    g_autofree char *fields =
        facts->base.flats || facts->darks
            ? g_strdup_printf("%d flat%s, %d dark%s", facts->base.flats, facts->base.flats == 1 ? "" : "s",
                              facts->darks, facts->darks == 1 ? "" : "s")
            : g_strdup("none");
    add_fact(self, &line, "Flats", fields, "Frames of the beam without object (flats) and without beam (darks)");
  }
}

void gantry_plan_panel_show_scan_row(GantryPlanPanel *self) {
  GtkWidget *child;
  while ((child = gtk_widget_get_first_child(GTK_WIDGET(self->scan_grid)))) gtk_grid_remove(self->scan_grid, child);
  g_autofree char *note = self->facts.base.scan ? assumptions(&self->facts) : NULL;
  gtk_widget_set_visible(self->scan_note, note != NULL);
  gtk_label_set_text(GTK_LABEL(self->scan_note_label), note ? note : "");
  if (self->facts.base.scan) add_scan_facts(self);
}

GtkWidget *gantry_plan_panel_make_button(const char *label, const char *action, const char *tip) {
  GtkWidget *button = gtk_button_new_with_label(label);
  if (action) gtk_actionable_set_action_name(GTK_ACTIONABLE(button), action);
  gantry_tips_set(button, tip);
  gtk_widget_set_hexpand(button, TRUE);
  return button;
}

static void take_bin(GtkButton *button, GantryPlanPanel *self) {
  ct_plan plan = self->plan;
  plan.bin = self->facts.estimate.suggested_bin;
  gantry_plan_panel_take(self, &plan, "scan.bin");
}

static void take_grid(GtkButton *button, GantryPlanPanel *self) {
  const ct_grid *grid = &self->facts.estimate.suggested_grid;
  ct_plan plan = self->plan;
  plan.nx = grid->nx, plan.ny = grid->ny, plan.nz = grid->nz;
  plan.voxel = grid->dx;
  if (grid->dz != grid->dx) plan.voxel_z = grid->dz;
  plan.centre_mm[0] = grid->x0 + (grid->nx - 1) / 2.0 * grid->dx;
  plan.centre_mm[1] = grid->y0 + (grid->ny - 1) / 2.0 * grid->dy;
  plan.centre_mm[2] = grid->z0 + (grid->nz - 1) / 2.0 * grid->dz;
  gantry_plan_panel_take(self, &plan, "reconstruction.nx");
}

GtkWidget *gantry_plan_panel_make_kernel_row(GantryPlanPanel *self) {
  GtkWidget *column = gtk_box_new(GTK_ORIENTATION_VERTICAL, 6);
  self->kernel_words = gantry_plan_panel_make_words("caption");
  gtk_box_append(GTK_BOX(column), self->kernel_words);
  gtk_box_append(GTK_BOX(column),
                 gantry_plan_panel_make_button("Measure Kernels…", "win.measure-kernels",
                                               "Compare Variants, with every kernel ticked that serves this scan and "
                                               "these values: speeds and errors that are measured there stand in the "
                                               "list of kernels from then on"));
  return self->kernel_row = gantry_plan_panel_wrap_row(column);
}

/* Of the values on screen: not while they are refused, nor where an iterative method has no use for it. */
static char *words_of_kernel(GantryPlanPanel *self) {
  const GantryPlanFacts *facts = &self->facts;
  g_autofree char *refusal = gantry_plan_panel_dup_kernel_refusal(self);
  if (refusal) return g_strdup_printf("Cannot be used now: %s", refusal);
  if (!facts->base.outcome || !facts->kernel_title || facts->refused) return NULL;
  return g_strdup_printf("In use: %s", *facts->kernel_why ? facts->kernel_why : facts->kernel_title);
}

void gantry_plan_panel_show_kernel_row(GantryPlanPanel *self) {
  const gboolean idle = ct_param_is_idle(&self->plan, ct_param_find("reconstruction.kernel"), NULL, 0);
  g_autofree char *words = idle ? NULL : words_of_kernel(self);
  gtk_widget_set_visible(self->kernel_row, !idle && self->facts.base.scan);
  gtk_widget_set_visible(self->kernel_words, words != NULL);
  gtk_label_set_text(GTK_LABEL(self->kernel_words), words ? words : "");
}

GtkWidget *gantry_plan_panel_make_memory_row(GantryPlanPanel *self) {
  GtkWidget *column = gtk_box_new(GTK_ORIENTATION_VERTICAL, 6);
  self->memory = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 8);
  self->memory_icon = gtk_image_new_from_icon_name("dialog-warning-symbolic");
  gtk_widget_set_valign(self->memory_icon, GTK_ALIGN_START);
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->memory_icon), GTK_ACCESSIBLE_PROPERTY_LABEL, "Warning", -1);
  gtk_box_append(GTK_BOX(self->memory), self->memory_icon);
  self->memory_words = gantry_plan_panel_make_words("caption");
  gtk_widget_set_hexpand(self->memory_words, TRUE);
  gtk_box_append(GTK_BOX(self->memory), self->memory_words);
  gtk_box_append(GTK_BOX(column), self->memory);
  self->memory_advice = gantry_plan_panel_make_words("caption");
  gtk_box_append(GTK_BOX(column), self->memory_advice);
  self->memory_buttons = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 8);
  self->use_bin =
      gantry_plan_panel_make_button("Bin", NULL, "Average detector pixels so that the plan fits into memory");
  self->use_grid = gantry_plan_panel_make_button("Smaller region", NULL,
                                                 "Reconstruct a smaller region so that the plan fits into memory");
  self->use_file = gantry_plan_panel_make_button(
      "Reconstruct to File…", NULL, "Reconstruct slab by slab straight to a file, which the memory need not hold");
  gtk_actionable_set_action_name(GTK_ACTIONABLE(self->use_file), "win.reconstruct-to-file");
  g_signal_connect(self->use_bin, "clicked", G_CALLBACK(take_bin), self);
  g_signal_connect(self->use_grid, "clicked", G_CALLBACK(take_grid), self);
  gtk_box_append(GTK_BOX(self->memory_buttons), self->use_bin);
  gtk_box_append(GTK_BOX(self->memory_buttons), self->use_grid);
  gtk_box_append(GTK_BOX(column), self->memory_buttons);
  gtk_box_append(GTK_BOX(column), self->use_file);
  return gantry_plan_panel_wrap_row(column);
}

void gantry_plan_panel_show_memory_row(GantryPlanPanel *self) {
  const GantryPlanFacts *facts = &self->facts;
  const ct_estimate *estimate = &facts->estimate;
  char total[64], available[64], ahead[64];
  /* What does not fit is estimated though it is refused; else the estimate is of the values before. */
  gtk_widget_set_visible(self->memory, facts->estimated && !(facts->refused && estimate->fits));
  const gboolean tight = facts->estimated && !estimate->fits;
  gtk_widget_set_visible(self->memory_advice, tight && estimate->advice[0]);
  gtk_widget_set_visible(self->use_bin, tight && estimate->suggested_bin > self->plan.bin);
  gtk_widget_set_visible(self->use_grid, tight && estimate->suggested_grid.nx > 0);
  gtk_widget_set_visible(self->use_file, tight && estimate->slab_height > 0);
  gtk_widget_set_visible(self->memory_buttons,
                         gtk_widget_get_visible(self->use_bin) || gtk_widget_get_visible(self->use_grid));
  gtk_widget_set_visible(self->memory_icon, tight);
  if (tight)
    gtk_widget_add_css_class(self->memory, "error");
  else
    gtk_widget_remove_css_class(self->memory, "error");
  if (!facts->estimated) return;
  ct_format_bytes(estimate->total, total, sizeof total);
  ct_format_bytes(estimate->available, available, sizeof available);
  g_autofree char *words = estimate->available <= 0 ? g_strdup_printf("Needs %s of memory.", total)
                           : tight ? g_strdup_printf("Needs %s of memory, only %s are free.", total, available)
                           : estimate->ahead > 0
                               ? g_strdup_printf("Needs %s of memory and takes %s more for speed, %s are free.", total,
                                                 ct_format_bytes(estimate->ahead, ahead, sizeof ahead), available)
                               : g_strdup_printf("Needs %s of memory, %s are free.", total, available);
  gtk_label_set_text(GTK_LABEL(self->memory_words), words);
  /* The advice is a sentence that begins with the numbers that stand above it. */
  const char *colon = strstr(estimate->advice, ": ");
  g_autofree char *advice = g_strdup_printf("What to do: %s", colon ? colon + 2 : estimate->advice);
  gtk_label_set_text(GTK_LABEL(self->memory_advice), advice);
  g_autofree char *bin = g_strdup_printf("Bin %d × %d", estimate->suggested_bin, estimate->suggested_bin);
  gtk_button_set_label(GTK_BUTTON(self->use_bin), bin);
  g_autofree char *grid = g_strdup_printf("%d × %d × %d", estimate->suggested_grid.nx, estimate->suggested_grid.ny,
                                          estimate->suggested_grid.nz);
  gtk_button_set_label(GTK_BUTTON(self->use_grid), grid);
}

GtkWidget *gantry_plan_panel_make_projector_row(GantryPlanPanel *self) {
  self->projector_words = gantry_plan_panel_make_words("caption");
  return self->projector_row = gantry_plan_panel_wrap_row(self->projector_words);
}

/* What the method is, and the projector of the run made last. */
void gantry_plan_panel_show_projector_row(GantryPlanPanel *self) {
  const GantryPlanFacts *facts = &self->facts;
  const ct_projector_shape *shape = &facts->projector_shape;
  const ct_solver *solver = ct_solver_find((ct_method)self->plan.iterative.method);
  gtk_widget_set_visible(self->projector_row, solver != NULL);
  if (!solver) return;
  char bytes[32], time[32];
  g_autoptr(GString) text = g_string_new(NULL);
  g_string_append(text, solver->explanation);
  if (facts->projector_title)
    g_string_append_printf(text, "\n\nProjector in use: %s.%s%s", facts->projector_title,
                           *facts->projector_why ? " " : "", facts->projector_why);
  if (facts->projector_stored)
    g_string_append_printf(text, " Its matrix takes %s and was built in %s.",
                           ct_format_bytes(shape->bytes, bytes, sizeof bytes),
                           ct_format_duration(shape->seconds, time, sizeof time));
  gtk_label_set_text(GTK_LABEL(self->projector_words), text->str);
}
