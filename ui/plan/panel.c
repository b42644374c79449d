/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The side panel: one expander per section of the plan, rows from the table of parameters. */
#include "ui/plan/panel-private.h"

#include "recon/fp/projector.h"
#include "recon/geom/questions.h"
#include "recon/io/io.h"
#include "ui/tips.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

G_DEFINE_TYPE(GantryPlanPanel, gantry_plan_panel, GTK_TYPE_WIDGET)

static gboolean is_centre_column(const ct_param *param) {
  return param->offset == offsetof(ct_plan, centre_u);
}

/* The column is typed only when the centre is set by hand; every other method finds it. */
static gboolean left_to_program(const ct_plan *plan, const ct_param *param) {
  if (is_centre_column(param)) return ct_plan_centre_method(plan) != CT_CENTRE_MANUAL;
  if (!param->automatic) return FALSE;
  const double value = ct_param_get_number(plan, param);
  return isnan(value);
}

/* The distances of a beam that diverges, which no scan can be reconstructed without. */
static gboolean is_needed(const GantryPlanPanel *self, const ct_param *param) {
  const ct_plan_facts *facts = &self->facts.base;
  const gboolean distance = param->offset == offsetof(ct_plan, sod) || param->offset == offsetof(ct_plan, sdd);
  return facts->scan && distance && ct_beam_takes(ct_plan_facts_beam(&self->plan, facts), CT_TAKES_DISTANCES) &&
         !(ct_param_automatic(&self->plan, facts, param) > 0);
}

static void show_more_row(GantryPlanSection *section, int folded) {
  g_autofree char *text = section->unfolded ? g_strdup("Fewer settings")
                          : folded == 1     ? g_strdup("1 more setting")
                                            : g_strdup_printf("%d more settings", folded);
  gtk_widget_set_visible(section->more, folded > 0);
  gtk_label_set_text(GTK_LABEL(section->more_label), text);
  gtk_image_set_from_icon_name(GTK_IMAGE(section->more_arrow),
                               section->unfolded ? "pan-up-symbolic" : "pan-down-symbolic");
  gtk_accessible_update_property(GTK_ACCESSIBLE(section->more), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
}

static void show(GantryPlanPanel *self) {
  const ct_plan_facts *facts = &self->facts.base;
  const ct_units units =
      ct_units_of(facts->scan && ct_plan_in_pixels(&self->plan, facts->known, ct_plan_facts_beam(&self->plan, facts)));
  int folded[CT_SECTIONS] = {0}, changed[CT_SECTIONS] = {0};
  for (guint i = 0; i < self->rows->len; i++) {
    GantryPlanRow *row = self->rows->pdata[i];
    const ct_param *param = gantry_plan_row_get_param(row);
    const GantryParamPlace place = gantry_plan_place(&self->plan, &self->facts, param);
    folded[param->section] += place == GANTRY_PARAM_FOLDED;
    changed[param->section] += !ct_param_is_default(&self->plan, param);
    gtk_widget_set_visible(GTK_WIDGET(row), place >= GANTRY_PARAM_IDLE || (place == GANTRY_PARAM_FOLDED &&
                                                                           self->section[param->section].unfolded));
    gantry_plan_row_set_units(row, units);
    gantry_plan_row_set_needed(row, is_needed(self, param));
    char idle[256];
    ct_param_is_idle(&self->plan, param, idle, sizeof idle);
    gantry_plan_row_set_idle(row, place == GANTRY_PARAM_IDLE ? idle : NULL);
    gantry_plan_row_show(row, &self->plan, left_to_program(&self->plan, param),
                         ct_param_automatic(&self->plan, &self->facts.base, param));
  }
  for (int s = 0; s < CT_SECTIONS; s++) {
    g_autofree char *words = gantry_plan_summarise(&self->plan, &self->facts, (ct_section)s);
    adw_expander_row_set_subtitle(self->section[s].expander, words);
    g_autofree char *tip = g_strdup_printf(
        changed[s] == 1 ? "%d value differs from the default" : "%d values differ from the defaults", changed[s]);
    gtk_widget_set_visible(self->section[s].changed, changed[s] > 0);
    gantry_tips_set(self->section[s].changed, tip);
    show_more_row(&self->section[s], folded[s]);
  }
  gantry_plan_panel_show_scan_row(self);
  gantry_plan_panel_show_centre_row(self);
  gantry_plan_panel_show_kernel_row(self);
  gantry_plan_panel_show_memory_row(self);
  gantry_plan_panel_show_projector_row(self);
  gantry_plan_panel_show_rectangle(self);
  gantry_plan_panel_show_tuning_row(self);
  gantry_plan_panel_show_beam_notice(self);
}

static void refresh(GantryPlanPanel *self) {
  self->stale = self->holds > 0;
  if (!self->stale) show(self);
}

void gantry_plan_panel_hold(GantryPlanPanel *self) {
  self->holds++;
}

void gantry_plan_panel_release(GantryPlanPanel *self) {
  g_return_if_fail(self->holds > 0);
  if (--self->holds == 0 && self->stale) refresh(self);
}

static void row_edited(GantryPlanRow *row, const char *text, GantryPlanPanel *self) {
  const ct_param *param = gantry_plan_row_get_param(row);
  ct_plan plan = self->plan;
  ct_error *error = NULL;
  if (!ct_plan_set_text(&plan, param->key, text, &error)) {
    refresh(self);
    gantry_plan_row_refuse(row, error ? error->message : "This value was not taken.");
    ct_error_clear(&error);
    return;
  }
  if (is_centre_column(param)) {
    plan.centre_method = isnan(plan.centre_u) ? CT_CENTRE_AUTO : CT_CENTRE_MANUAL;
  } else if ((plan.centre_method == CT_CENTRE_MANUAL || plan.centre_method == CT_CENTRE_FOUND) &&
             isnan(plan.centre_u)) {
    plan.centre_u = self->facts.base.outcome ? self->facts.base.centre
                    : self->facts.base.scan  ? self->facts.centre_u
                                             : 0;
  }
  gantry_plan_panel_take(self, &plan, param->key);
}

static void row_reset(GantryPlanRow *row, GantryPlanPanel *self) {
  const ct_param *param = gantry_plan_row_get_param(row);
  ct_plan plan = self->plan;
  ct_param_reset(&plan, param);
  if (is_centre_column(param)) plan.centre_method = CT_CENTRE_AUTO;
  if (param->offset == offsetof(ct_plan, centre_method)) plan.centre_u = NAN;
  gantry_plan_panel_take(self, &plan, param->key);
}

static void more_activated(GantryPlanPanel *self, GtkWidget *row) {
  for (int s = 0; s < CT_SECTIONS; s++) {
    if (self->section[s].more == row) self->section[s].unfolded = !self->section[s].unfolded;
  }
  refresh(self);
}

GtkWidget *gantry_plan_panel_find(GantryPlanPanel *self, const char *title) {
  for (int s = 0; s < CT_SECTIONS; s++)
    if (!strcmp(ct_section_title((ct_section)s), title)) return GTK_WIDGET(self->section[s].expander);
  for (guint i = 0; i < self->rows->len; i++) {
    GtkWidget *row = self->rows->pdata[i];
    const ct_param *param = gantry_plan_row_get_param(GANTRY_PLAN_ROW(row));
    if (strcmp(param->title, title) != 0) continue;
    if (!gtk_widget_get_visible(row)) {
      self->section[param->section].unfolded = TRUE;
      refresh(self);
    }
    return gtk_widget_get_visible(row) ? row : NULL;
  }
  return NULL;
}

static GtkWidget *make_more_row(GantryPlanPanel *self, GantryPlanSection *section) {
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6), *button = gtk_button_new();
  section->more_label = gtk_label_new(NULL);
  section->more_arrow = gtk_image_new_from_icon_name("pan-down-symbolic");
  gtk_box_append(GTK_BOX(box), section->more_label);
  gtk_box_append(GTK_BOX(box), section->more_arrow);
  gtk_widget_set_halign(box, GTK_ALIGN_CENTER);
  gtk_button_set_child(GTK_BUTTON(button), box);
  gtk_widget_add_css_class(button, "flat");
  gtk_widget_add_css_class(button, "more");
  gantry_tips_set(button, "Shows or folds away the settings that are rarely touched");
  g_signal_connect_swapped(button, "clicked", G_CALLBACK(more_activated), self);
  section->more = button;
  GtkWidget *row = gtk_list_box_row_new();
  gtk_list_box_row_set_child(GTK_LIST_BOX_ROW(row), button);
  gtk_list_box_row_set_activatable(GTK_LIST_BOX_ROW(row), FALSE);
  gtk_widget_set_focusable(row, FALSE);
  gtk_widget_add_css_class(row, "more-row");
  g_object_bind_property(button, "visible", row, "visible", G_BINDING_SYNC_CREATE);
  return row;
}

static void add_rows(GantryPlanPanel *self, ct_section section) {
  size_t count;
  const ct_param *params = ct_params(&count);
  for (size_t i = 0; i < count; i++) {
    if (params[i].section != section) continue;
    GtkWidget *row = gantry_plan_row_new(&params[i]);
    g_signal_connect(row, "edited", G_CALLBACK(row_edited), self);
    g_signal_connect(row, "reset", G_CALLBACK(row_reset), self);
    g_ptr_array_add(self->rows, row);
    adw_expander_row_add_row(self->section[section].expander, row);
    if (params[i].offset == offsetof(ct_plan, prep.i0))
      adw_expander_row_add_row(self->section[section].expander, gantry_plan_panel_make_rectangle_row(self));
    if (params[i].offset == offsetof(ct_plan, kernel))
      adw_expander_row_add_row(self->section[section].expander, gantry_plan_panel_make_kernel_row(self));
    if (params[i].offset == offsetof(ct_plan, device))
      adw_expander_row_add_row(self->section[section].expander, gantry_plan_panel_make_tuning_row(self));
  }
}

static GtkWidget *make_section(GantryPlanPanel *self, ct_section section) {
  GantryPlanSection *part = &self->section[section];
  GtkWidget *expander = adw_expander_row_new();
  part->expander = ADW_EXPANDER_ROW(expander);
  adw_preferences_row_set_use_markup(ADW_PREFERENCES_ROW(expander), FALSE);
  adw_preferences_row_set_title(ADW_PREFERENCES_ROW(expander), ct_section_title(section));
  gtk_widget_add_css_class(expander, "plan-section");
  part->changed = gtk_image_new_from_icon_name("gantry-dot-symbolic");
  gtk_widget_add_css_class(part->changed, "accent");
  gtk_widget_set_valign(part->changed, GTK_ALIGN_CENTER);
  gtk_accessible_update_property(GTK_ACCESSIBLE(part->changed), GTK_ACCESSIBLE_PROPERTY_LABEL, "Changed", -1);
  adw_expander_row_add_action(part->expander, part->changed);
  if (section == CT_SECTION_SCAN) adw_expander_row_add_row(part->expander, gantry_plan_panel_make_scan_row(self));
  add_rows(self, section);
  adw_expander_row_add_row(part->expander, make_more_row(self, part));
  if (section == CT_SECTION_CENTRE) adw_expander_row_add_row(part->expander, gantry_plan_panel_make_centre_row(self));
  if (section == CT_SECTION_ITERATIVE)
    adw_expander_row_add_row(part->expander, gantry_plan_panel_make_projector_row(self));
  if (section == CT_SECTION_RECONSTRUCTION)
    adw_expander_row_add_row(part->expander, gantry_plan_panel_make_memory_row(self));
  return expander;
}

static void set_format_words(GantryPlanPanel *self) {
  size_t count;
  const ct_format *const *formats = ct_formats(&count);
  g_autoptr(GPtrArray) ids = g_ptr_array_new(), titles = g_ptr_array_new();
  for (size_t i = 0; i < count; i++) {
    if (!ct_format_can(formats[i], CT_FORMAT_WRITE_VOLUME)) continue;
    g_ptr_array_add(ids, (gpointer)formats[i]->id);
    g_ptr_array_add(titles, (gpointer)formats[i]->title);
  }
  gantry_plan_row_set_words(gantry_plan_panel_find_row(self, offsetof(ct_plan, format)),
                            (const char *const *)ids->pdata, (const char *const *)titles->pdata, NULL, ids->len);
}

static void add_projectors(GPtrArray *ids, GPtrArray *titles, GPtrArray *tips, const ct_projector *const *projectors,
                           gsize count) {
  for (gsize i = 0; i < count; i++) {
    g_ptr_array_add(ids, (gpointer)projectors[i]->id);
    g_ptr_array_add(titles, (gpointer)projectors[i]->title);
    g_ptr_array_add(tips, (gpointer)projectors[i]->explanation);
  }
}

static void set_projector_words(GantryPlanPanel *self, const ct_backend *backend) {
  size_t count;
  const ct_projector *const *projectors = ct_projectors(&count);
  g_autoptr(GPtrArray) ids = g_ptr_array_new(), titles = g_ptr_array_new(), tips = g_ptr_array_new();
  g_ptr_array_add(ids, (gpointer) "auto");
  g_ptr_array_add(titles, (gpointer) "Automatic");
  g_ptr_array_add(tips, (gpointer) "The fastest one that suits the geometry, the method and the free memory.");
  add_projectors(ids, titles, tips, projectors, count);
  if (backend) add_projectors(ids, titles, tips, backend->projectors.projectors, backend->projectors.count);
  gantry_plan_row_set_words(gantry_plan_panel_find_row(self, offsetof(ct_plan, iterative.projector)),
                            (const char *const *)ids->pdata, (const char *const *)titles->pdata,
                            (const char *const *)tips->pdata, ids->len);
}

static void gantry_plan_panel_dispose(GObject *object) {
  GantryPlanPanel *self = GANTRY_PLAN_PANEL(object);
  GtkWidget *child;
  while ((child = gtk_widget_get_first_child(GTK_WIDGET(self)))) gtk_widget_unparent(child);
  G_OBJECT_CLASS(gantry_plan_panel_parent_class)->dispose(object);
}

static void gantry_plan_panel_finalize(GObject *object) {
  GantryPlanPanel *self = GANTRY_PLAN_PANEL(object);
  g_ptr_array_unref(self->rows);
  g_ptr_array_unref(self->kernels);
  g_free(self->devices);
  for (gsize i = 0; i < self->device_count; i++) g_free(self->tuning[i]);
  g_free(self->tuning);
  g_free(self->tuning_idle);
  gantry_plan_facts_clear(&self->facts);
  G_OBJECT_CLASS(gantry_plan_panel_parent_class)->finalize(object);
}

static void gantry_plan_panel_class_init(GantryPlanPanelClass *class) {
  G_OBJECT_CLASS(class)->dispose = gantry_plan_panel_dispose;
  G_OBJECT_CLASS(class)->finalize = gantry_plan_panel_finalize;
  g_signal_new("plan-edited", GANTRY_TYPE_PLAN_PANEL, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
               G_TYPE_STRING);
  g_signal_new("rectangle-changed", GANTRY_TYPE_PLAN_PANEL, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_layout_manager_type(GTK_WIDGET_CLASS(class), GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name(GTK_WIDGET_CLASS(class), "planpanel");
}

static void gantry_plan_panel_init(GantryPlanPanel *self) {
  self->refresh = refresh;
  self->rows = g_ptr_array_new();
  self->kernels = g_ptr_array_new();
  ct_plan_init(&self->plan);
  GtkWidget *column = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0), *scrolled = gtk_scrolled_window_new();
  gtk_box_append(GTK_BOX(column), gantry_plan_panel_make_beam_notice(self));
  GtkWidget *list = gtk_list_box_new();
  gtk_list_box_set_selection_mode(GTK_LIST_BOX(list), GTK_SELECTION_NONE);
  gtk_widget_add_css_class(list, "boxed-list");
  gtk_widget_set_valign(list, GTK_ALIGN_START);
  for (int s = 0; s < CT_SECTIONS; s++) gtk_list_box_append(GTK_LIST_BOX(list), make_section(self, (ct_section)s));
  set_format_words(self);
  gantry_plan_panel_show_devices(self);
  gantry_plan_panel_set_backend(self, NULL);
  gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  GtkWidget *either = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
  self->no_scan = gantry_plan_panel_make_no_scan();
  gtk_box_append(GTK_BOX(either), self->no_scan);
  gtk_box_append(GTK_BOX(either), list);
  gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scrolled), either);
  gtk_widget_set_size_request(scrolled, 392, -1);
  gtk_widget_set_vexpand(scrolled, TRUE);
  gtk_box_append(GTK_BOX(column), scrolled);
  gtk_widget_set_parent(column, GTK_WIDGET(self));
  self->content = list;
  gtk_accessible_update_property(GTK_ACCESSIBLE(list), GTK_ACCESSIBLE_PROPERTY_LABEL, "Reconstruction plan", -1);
  gtk_widget_set_sensitive(list, FALSE);
  refresh(self);
}

GtkWidget *gantry_plan_panel_new(void) {
  return g_object_new(GANTRY_TYPE_PLAN_PANEL, NULL);
}

void gantry_plan_panel_set_backend(GantryPlanPanel *self, const ct_backend *backend) {
  g_ptr_array_set_size(self->kernels, 0);
  for (gsize i = 0; backend && i < backend->kernels.count; i++)
    g_ptr_array_add(self->kernels, (gpointer)backend->kernels.kernels[i]);
  set_projector_words(self, backend);
  gantry_plan_panel_show_kernels(self);
  refresh(self);
}

void gantry_plan_panel_set_devices(GantryPlanPanel *self, const ctgl_device_facts *devices, gsize count) {
  g_free(self->devices);
  for (gsize i = 0; i < self->device_count; i++) g_free(self->tuning[i]);
  g_free(self->tuning);
  self->tuning = g_new0(char *, count);
  self->devices = g_memdup2(devices, count * sizeof *devices);
  self->device_count = count;
  gantry_plan_panel_show_devices(self);
  refresh(self);
}

void gantry_plan_panel_set_plan(GantryPlanPanel *self, const ct_plan *plan) {
  self->plan = *plan;
  refresh(self);
}

const ct_plan *gantry_plan_panel_get_plan(GantryPlanPanel *self) {
  return &self->plan;
}

void gantry_plan_panel_set_scan(GantryPlanPanel *self, const char *name, const ct_scan_facts *facts) {
  gantry_plan_facts_set_scan(&self->facts, name, facts);
  gantry_plan_panel_set_sweep(self, NULL, 0, NAN);
  gtk_widget_set_sensitive(self->content, facts != NULL);
  gtk_widget_set_visible(self->content, facts != NULL);
  gtk_widget_set_visible(self->no_scan, facts == NULL);
  refresh(self);
}

void gantry_plan_panel_set_outcome(GantryPlanPanel *self, const ct_pipeline_facts *facts, const ct_plan *plan,
                                   const ct_estimate *estimate) {
  gantry_plan_facts_set_outcome(&self->facts, facts, estimate);
  if (plan) self->facts.centre_method = plan->centre_method;
  refresh(self);
}

void gantry_plan_panel_set_estimate(GantryPlanPanel *self, const ct_estimate *estimate) {
  gantry_plan_facts_set_estimate(&self->facts, estimate);
  refresh(self);
}

void gantry_plan_panel_set_refused(GantryPlanPanel *self, gboolean refused) {
  self->facts.refused = refused;
  refresh(self);
}

void gantry_plan_panel_set_grid(GantryPlanPanel *self, const ct_grid *grid, const char *objection) {
  gantry_plan_facts_set_grid(&self->facts, grid, objection);
  refresh(self);
}

void gantry_plan_panel_set_sweep(GantryPlanPanel *self, const ct_centre_trial *trials, size_t count, double best) {
  g_autofree double *x = g_new0(double, count + 1), *y = g_new0(double, count + 1);
  ct_plan swept = self->plan;
  char label[64];
  if (count) swept.centre_sharpness = (int)trials[0].measure;
  g_autofree char *measure = g_utf8_strdown(gantry_plan_choice_title(&swept, ct_param_find("centre.measure")), -1);
  g_autofree char *title = g_strdup_printf("best: %s", measure);
  for (size_t i = 0; i < count; i++) x[i] = trials[i].centre, y[i] = trials[i].metric;
  g_snprintf(label, sizeof label, "best %.2f", best);
  gantry_plot_set_curve(self->sweep, GANTRY_CURVE_OTHER, title, x, y, count);
  gantry_plot_set_mark(self->sweep, best, isnan(best) ? NULL : label);
  gtk_widget_set_visible(self->sweep_row, count > 0);
  if (count) adw_expander_row_set_expanded(self->section[CT_SECTION_CENTRE].expander, TRUE);
}

void gantry_plan_panel_get_angles(GantryPlanPanel *self, double *first, double *last) {
  const GantryPlanFacts *facts = &self->facts;
  const gboolean known =
      facts->base.scan && ct_beam_takes(facts->base.beam, CT_TAKES_ANGLES) && !isnan(facts->base.angle_first_deg);
  *first = known ? facts->base.angle_first_deg : 0;
  *last = !known                              ? 0
          : isnan(facts->base.angle_step_deg) ? *first + facts->arc_deg
                                              : *first + facts->base.angle_step_deg * (facts->base.views - 1);
}
