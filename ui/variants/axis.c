/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The values lie in the popover of a button that names those that are ticked. */
#include "ui/variants/axis.h"

#include "recon/bp/groups.h"
#include "ui/plan/number.h"
#include "ui/check.h"
#include "ui/tips.h"

#include <string.h>

struct _GantryVariantAxis {
  GtkWidget parent_instance;
  const ct_param *param;
  GtkWidget *title, *button, *label, *list, *entry, *remove; /* button and entry: one of them is there */
  GPtrArray *ids;                                            /* of the values, char * */
  GPtrArray *checks, *notes;                                 /* of the values, borrowed */
  GantryAskValue ask;
  gpointer user;
  gboolean updating;
};

G_DEFINE_FINAL_TYPE(GantryVariantAxis, gantry_variant_axis, GTK_TYPE_WIDGET)

enum { CHANGED, REMOVED, SIGNALS };
static guint signals[SIGNALS];

gboolean gantry_variant_axis_can_vary(const ct_param *param) {
  return param->stage != CT_PLAN_FILE && param->offset != offsetof(ct_plan, device);
}

/* What is chosen */

static GtkCheckButton *check_at(GantryVariantAxis *self, guint i) {
  return self->checks->pdata[i];
}

char *gantry_variant_axis_dup_values(GantryVariantAxis *self) {
  if (self->entry) {
    g_auto(GStrv) parts = g_strsplit(gtk_editable_get_text(GTK_EDITABLE(self->entry)), ",", -1);
    for (char **part = parts; *part; part++) g_strstrip(*part);
    return g_strjoinv(",", parts);
  }
  GString *text = g_string_new(NULL);
  for (guint i = 0; i < self->ids->len; i++)
    if (gtk_check_button_get_active(check_at(self, i)))
      g_string_append_printf(text, "%s%s", text->len ? "," : "", (const char *)self->ids->pdata[i]);
  return g_string_free(text, FALSE);
}

/* The button names what is ticked. */
static void show_choice(GantryVariantAxis *self) {
  GString *text = g_string_new(NULL);
  guint count = 0;
  for (guint i = 0; i < self->ids->len; i++) {
    if (!gtk_check_button_get_active(check_at(self, i))) continue;
    count++;
    g_string_append_printf(text, "%s%s", text->len ? " · " : "",
                           gtk_label_get_text(g_object_get_data(self->checks->pdata[i], "title")));
  }
  gtk_label_set_text(GTK_LABEL(self->label), count ? text->str : "none");
  g_autofree char *tip =
      g_strdup_printf("%s\n\n%u of %u values: %s", self->param->tip, count, self->ids->len, count ? text->str : "none");
  gantry_tips_set(self->button, tip);
  g_autofree char *name = g_strdup_printf("Values of %s", self->param->title);
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->button), GTK_ACCESSIBLE_PROPERTY_LABEL, name,
                                 GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, tip, -1);
  g_string_free(text, TRUE);
}

static void changed(GantryVariantAxis *self) {
  if (self->updating) return;
  if (self->button) show_choice(self);
  g_signal_emit(self, signals[CHANGED], 0);
}

void gantry_variant_axis_set_values(GantryVariantAxis *self, const char *values) {
  g_auto(GStrv) parts = g_strsplit(values, ",", -1);
  self->updating = TRUE;
  for (guint i = 0; i < self->ids->len; i++)
    gtk_check_button_set_active(check_at(self, i), g_strv_contains((const char *const *)parts, self->ids->pdata[i]));
  if (self->entry) gtk_editable_set_text(GTK_EDITABLE(self->entry), values);
  self->updating = FALSE;
  changed(self);
}

const ct_param *gantry_variant_axis_get_param(GantryVariantAxis *self) {
  return self->param;
}

/* What is known of the values */

void gantry_variant_axis_set_ask(GantryVariantAxis *self, GantryAskValue ask, gpointer user) {
  self->ask = ask;
  self->user = user;
}

static GantryKernelNote note_of(GantryVariantAxis *self, guint i) {
  return self->ask ? self->ask(self->user, self->param->key, self->ids->pdata[i]) : (GantryKernelNote){0};
}

static void show_note(GantryVariantAxis *self, guint i) {
  const GantryKernelNote note = note_of(self, i);
  g_autofree char *why = note.refusal, *measured = note.measured;
  g_autofree char *text = why && measured ? g_strdup_printf("%s\n%s", why, measured) : g_strdup(why ? why : measured);
  GtkWidget *label = self->notes->pdata[i], *title = g_object_get_data(self->checks->pdata[i], "title");
  gtk_label_set_text(GTK_LABEL(label), text ? text : "");
  gtk_widget_set_visible(label, text != NULL);
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->checks->pdata[i]), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                 text ? text : "", -1);
  if (why)
    gtk_widget_add_css_class(title, "dim-label");
  else
    gtk_widget_remove_css_class(title, "dim-label");
}

void gantry_variant_axis_show_notes(GantryVariantAxis *self) {
  for (guint i = 0; i < self->ids->len; i++) show_note(self, i);
}

void gantry_variant_axis_tick_served(GantryVariantAxis *self) {
  self->updating = TRUE;
  for (guint i = 0; i < self->ids->len; i++) {
    const GantryKernelNote note = note_of(self, i);
    const gboolean another =
        self->param->offset == offsetof(ct_plan, kernel) && g_str_equal(self->ids->pdata[i], "auto");
    gtk_check_button_set_active(check_at(self, i), !note.refusal && !another);
    g_free(note.refusal);
    g_free(note.measured);
  }
  self->updating = FALSE;
  changed(self);
}

static void tick_none(GantryVariantAxis *self) {
  gantry_variant_axis_set_values(self, "");
}

/* Building */

static void add_value(GantryVariantAxis *self, const char *id, const char *title, const char *tip) {
  GtkWidget *check = gantry_check_new(), *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *name = gtk_label_new(title), *note = gtk_label_new(NULL);
  gtk_label_set_xalign(GTK_LABEL(name), 0);
  gtk_label_set_xalign(GTK_LABEL(note), 0);
  gtk_label_set_wrap(GTK_LABEL(note), TRUE);
  gtk_label_set_max_width_chars(GTK_LABEL(note), 56);
  gtk_widget_add_css_class(note, "caption");
  gtk_widget_add_css_class(note, "dim-label");
  gtk_widget_set_visible(note, FALSE);
  gtk_box_append(GTK_BOX(box), name);
  gtk_box_append(GTK_BOX(box), note);
  gtk_check_button_set_child(GTK_CHECK_BUTTON(check), box);
  gantry_tips_set(check, tip && *tip ? tip : NULL);
  g_object_set_data(G_OBJECT(check), "title", name);
  g_autofree char *said = g_strdup_printf("%s: %s", self->param->title, title);
  gtk_accessible_update_property(GTK_ACCESSIBLE(check), GTK_ACCESSIBLE_PROPERTY_LABEL, said, -1);
  g_signal_connect_swapped(check, "toggled", G_CALLBACK(changed), self);
  gtk_box_append(GTK_BOX(self->list), check);
  g_ptr_array_add(self->ids, g_strdup(id));
  g_ptr_array_add(self->checks, check);
  g_ptr_array_add(self->notes, note);
}

static void add_heading(GantryVariantAxis *self, const char *text) {
  GtkWidget *label = gtk_label_new(text);
  gtk_label_set_xalign(GTK_LABEL(label), 0);
  gtk_widget_add_css_class(label, "caption-heading");
  gtk_widget_set_margin_top(label, 8);
  gtk_box_append(GTK_BOX(self->list), label);
}

static void add_kernels(GantryVariantAxis *self, const ct_backend *backend) {
  g_autofree const ct_bp_kernel **sorted = g_new(const ct_bp_kernel *, backend->kernels.count + 1);
  ct_bp_sort_by_group(&backend->kernels, sorted);
  add_value(self, "auto", "Automatic", "The fastest technique that suits the geometry and this machine.");
  for (gsize i = 0; i < backend->kernels.count; i++) {
    const ct_bp_group group = ct_bp_group_of(sorted[i]);
    if (i == 0 || ct_bp_group_of(sorted[i - 1]) != group)
      add_heading(self, ct_choice_title(ct_bp_group_choices, (int)group));
    add_value(self, sorted[i]->id, sorted[i]->title, sorted[i]->explanation);
  }
}

static void add_projectors(GantryVariantAxis *self, const ct_backend *backend) {
  size_t count;
  const ct_projector *const *projectors = ct_projectors(&count);
  add_value(self, "auto", "Automatic", "The fastest one that suits the method, the geometry and this machine.");
  for (size_t i = 0; i < count; i++)
    add_value(self, projectors[i]->id, projectors[i]->title, projectors[i]->explanation);
  for (size_t i = 0; i < backend->projectors.count; i++)
    add_value(self, backend->projectors.projectors[i]->id, backend->projectors.projectors[i]->title,
              backend->projectors.projectors[i]->explanation);
}

static void add_values(GantryVariantAxis *self, const ct_backend *backend) {
  if (self->param->offset == offsetof(ct_plan, kernel))
    add_kernels(self, backend);
  else if (self->param->offset == offsetof(ct_plan, iterative.projector))
    add_projectors(self, backend);
  else if (self->param->type == CT_PARAM_BOOL)
    add_value(self, "yes", "Yes", NULL), add_value(self, "no", "No", NULL);
  for (const ct_choice *choice = self->param->choices; choice && choice->id; choice++)
    add_value(self, choice->id, choice->title, NULL);
}

static void add_tick_button(GtkWidget *row, const char *label, const char *name, GCallback clicked,
                            GantryVariantAxis *self) {
  GtkWidget *button = gtk_button_new_with_label(label);
  gtk_widget_add_css_class(button, "small");
  gantry_tips_set(button, name);
  gtk_accessible_update_property(GTK_ACCESSIBLE(button), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  g_signal_connect_swapped(button, "clicked", clicked, self);
  gtk_box_append(GTK_BOX(row), button);
}

static GtkWidget *make_tick_buttons(GantryVariantAxis *self) {
  GtkWidget *row = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6);
  g_autofree char *all = g_strdup_printf("Tick all values of %s that can be carried out", self->param->title);
  g_autofree char *none = g_strdup_printf("Tick no value of %s", self->param->title);
  gtk_widget_add_css_class(row, "variant-ticks");
  add_tick_button(row, "All That Serve", all, G_CALLBACK(gantry_variant_axis_tick_served), self);
  add_tick_button(row, "None", none, G_CALLBACK(tick_none), self);
  return row;
}

static void make_button(GantryVariantAxis *self, const ct_backend *backend) {
  self->list = gtk_box_new(GTK_ORIENTATION_VERTICAL, 4);
  gtk_widget_add_css_class(self->list, "variant-values");
  add_values(self, backend);
  GtkWidget *scrolled = gtk_scrolled_window_new(), *popover = gtk_popover_new(),
            *column = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
  gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_height(GTK_SCROLLED_WINDOW(scrolled), TRUE);
  gtk_scrolled_window_set_max_content_height(GTK_SCROLLED_WINDOW(scrolled), 420);
  gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scrolled), self->list);
  gtk_box_append(GTK_BOX(column), make_tick_buttons(self));
  gtk_box_append(GTK_BOX(column), scrolled);
  gtk_popover_set_child(GTK_POPOVER(popover), column);
  g_signal_connect_swapped(popover, "show", G_CALLBACK(gantry_variant_axis_show_notes), self);
  self->button = gtk_menu_button_new();
  self->label = gtk_label_new(NULL);
  gtk_label_set_ellipsize(GTK_LABEL(self->label), PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign(GTK_LABEL(self->label), 0);
  gtk_label_set_max_width_chars(GTK_LABEL(self->label), 16);
  gtk_widget_set_hexpand(self->label, TRUE);
  GtkWidget *content = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 4);
  gtk_box_append(GTK_BOX(content), self->label);
  gtk_box_append(GTK_BOX(content), gtk_image_new_from_icon_name("pan-down-symbolic"));
  gtk_menu_button_set_child(GTK_MENU_BUTTON(self->button), content);
  /* The toolkit centres what is in it. */
  gtk_widget_set_halign(gtk_widget_get_parent(content), GTK_ALIGN_FILL);
  gtk_menu_button_set_popover(GTK_MENU_BUTTON(self->button), popover);
  gtk_widget_add_css_class(self->button, "variant-choice");
}

static void make_entry(GantryVariantAxis *self) {
  g_autofree char *bounds = gantry_number_bounds(self->param);
  g_autofree char *tip = g_strdup_printf("%s\n%s\nSeveral values with commas between them: %s", self->param->tip,
                                         bounds ? bounds : "", self->param->automatic ? "auto, 1, 2" : "1, 2");
  g_autofree char *name = g_strdup_printf("Values of %s", self->param->title);
  self->entry = gtk_entry_new();
  gtk_editable_set_width_chars(GTK_EDITABLE(self->entry), 8);
  gtk_entry_set_placeholder_text(GTK_ENTRY(self->entry), "values, with commas");
  gantry_tips_set(self->entry, tip);
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->entry), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  g_signal_connect_swapped(self->entry, "changed", G_CALLBACK(changed), self);
}

static void remove_clicked(GantryVariantAxis *self) {
  g_signal_emit(self, signals[REMOVED], 0);
}

static void build(GantryVariantAxis *self, const ct_backend *backend) {
  const gboolean number = self->param->type == CT_PARAM_INT || self->param->type == CT_PARAM_REAL;
  g_autofree char *tip = g_strdup_printf("Let %s no longer vary", self->param->title);
  self->title = gtk_label_new(self->param->title);
  gtk_label_set_xalign(GTK_LABEL(self->title), 0);
  gtk_label_set_width_chars(GTK_LABEL(self->title), 12);
  gtk_label_set_max_width_chars(GTK_LABEL(self->title), 12);
  gtk_label_set_ellipsize(GTK_LABEL(self->title), PANGO_ELLIPSIZE_END);
  gantry_tips_set(self->title, self->param->tip);
  if (number)
    make_entry(self);
  else
    make_button(self, backend);
  GtkWidget *values = number ? self->entry : self->button;
  gtk_widget_set_hexpand(values, TRUE);
  self->remove = gtk_button_new_from_icon_name("list-remove-symbolic");
  gtk_widget_add_css_class(self->remove, "flat");
  gantry_tips_set(self->remove, tip);
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->remove), GTK_ACCESSIBLE_PROPERTY_LABEL, tip, -1);
  g_signal_connect_swapped(self->remove, "clicked", G_CALLBACK(remove_clicked), self);
  gtk_widget_set_parent(self->title, GTK_WIDGET(self));
  gtk_widget_set_parent(values, GTK_WIDGET(self));
  gtk_widget_set_parent(self->remove, GTK_WIDGET(self));
}

/* Life */

static void gantry_variant_axis_dispose(GObject *object) {
  GtkWidget *child;
  GANTRY_VARIANT_AXIS(object)->updating = TRUE;
  while ((child = gtk_widget_get_first_child(GTK_WIDGET(object)))) gtk_widget_unparent(child);
  G_OBJECT_CLASS(gantry_variant_axis_parent_class)->dispose(object);
}

static void gantry_variant_axis_finalize(GObject *object) {
  GantryVariantAxis *self = GANTRY_VARIANT_AXIS(object);
  g_ptr_array_unref(self->ids);
  g_ptr_array_unref(self->checks);
  g_ptr_array_unref(self->notes);
  G_OBJECT_CLASS(gantry_variant_axis_parent_class)->finalize(object);
}

static void gantry_variant_axis_class_init(GantryVariantAxisClass *class) {
  static const char *const names[SIGNALS] = {"changed", "removed"};
  G_OBJECT_CLASS(class)->dispose = gantry_variant_axis_dispose;
  G_OBJECT_CLASS(class)->finalize = gantry_variant_axis_finalize;
  for (int i = 0; i < SIGNALS; i++)
    signals[i] =
        g_signal_new(names[i], GANTRY_TYPE_VARIANT_AXIS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_layout_manager_type(GTK_WIDGET_CLASS(class), GTK_TYPE_BOX_LAYOUT);
}

static void gantry_variant_axis_init(GantryVariantAxis *self) {
  self->ids = g_ptr_array_new_with_free_func(g_free);
  self->checks = g_ptr_array_new();
  self->notes = g_ptr_array_new();
  gtk_box_layout_set_spacing(GTK_BOX_LAYOUT(gtk_widget_get_layout_manager(GTK_WIDGET(self))), 6);
}

GtkWidget *gantry_variant_axis_new(const ct_param *param, const ct_plan *plan, const ct_backend *backend) {
  GantryVariantAxis *self = g_object_new(GANTRY_TYPE_VARIANT_AXIS, NULL);
  char text[2 * CT_PLAN_TEXT] = "";
  self->param = param;
  build(self, backend);
  if (ct_plan_get_text(plan, param, text, sizeof text)) gantry_variant_axis_set_values(self, text);
  return GTK_WIDGET(self);
}
