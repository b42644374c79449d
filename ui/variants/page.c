/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "ui/variants/page.h"

#include "ui/plan/drop-down.h"
#include "ui/tips.h"
#include "ui/variants/parts.h"

#include <string.h>

#define CHOICE_WIDTH 340

struct _GantryVariantsPage {
  GtkWidget parent_instance;
  const ct_backend *backend;
  ct_plan plan;
  GtkWidget *axes, *more, *extent, *repeat, *summary, *run, *progress_row, *bar, *progress, *note;
  GPtrArray *offered; /* const ct_param of the entries of `more` behind the first */
  GantryDropDown reference;
  GListStore *items;
  GantryVariantsTable *table;
  GantryVariantsScatter *scatter;
  GantryFiguresButton *figures;
  GantryAskValue ask;
  gpointer user;
  gboolean updating;
};

G_DEFINE_FINAL_TYPE(GantryVariantsPage, gantry_variants_page, GTK_TYPE_WIDGET)

enum { EDITED, CHOSEN, ACTIVATED, SIGNALS };
static guint signals[SIGNALS];

static void edited(GantryVariantsPage *self) {
  if (!self->updating) g_signal_emit(self, signals[EDITED], 0);
}

/* What varies */

static GantryVariantAxis *find_axis(GantryVariantsPage *self, const ct_param *param) {
  GtkWidget *child = gtk_widget_get_first_child(self->axes);
  while (child && gantry_variant_axis_get_param(GANTRY_VARIANT_AXIS(child)) != param)
    child = gtk_widget_get_next_sibling(child);
  return child ? GANTRY_VARIANT_AXIS(child) : NULL;
}

static void axis_removed(GantryVariantAxis *axis, GantryVariantsPage *self) {
  gtk_box_remove(GTK_BOX(self->axes), GTK_WIDGET(axis));
  edited(self);
}

static GantryVariantAxis *add_axis(GantryVariantsPage *self, const ct_param *param) {
  GantryVariantAxis *axis = find_axis(self, param);
  if (axis) return axis;
  axis = GANTRY_VARIANT_AXIS(gantry_variant_axis_new(param, &self->plan, self->backend));
  gantry_variant_axis_set_ask(axis, self->ask, self->user);
  g_signal_connect_swapped(axis, "changed", G_CALLBACK(edited), self);
  g_signal_connect(axis, "removed", G_CALLBACK(axis_removed), self);
  gtk_box_append(GTK_BOX(self->axes), GTK_WIDGET(axis));
  return axis;
}

static void add_first_axes(GantryVariantsPage *self) {
  static const char *const first[] = {"reconstruction.kernel", "reconstruction.interpolation",
                                      "reconstruction.precision"};
  for (gsize i = 0; i < G_N_ELEMENTS(first); i++) add_axis(self, ct_param_find(first[i]));
}

void gantry_variants_page_set_plan(GantryVariantsPage *self, const ct_plan *plan) {
  self->plan = *plan;
  if (gtk_widget_get_first_child(self->axes)) return;
  self->updating = TRUE;
  add_first_axes(self);
  self->updating = FALSE;
}

void gantry_variants_page_vary(GantryVariantsPage *self, const ct_param *param, const char *values) {
  gantry_variant_axis_set_values(add_axis(self, param), values);
}

char **gantry_variants_page_dup_axes(GantryVariantsPage *self) {
  GStrvBuilder *builder = g_strv_builder_new();
  for (GtkWidget *child = gtk_widget_get_first_child(self->axes); child; child = gtk_widget_get_next_sibling(child)) {
    GantryVariantAxis *axis = GANTRY_VARIANT_AXIS(child);
    g_autofree char *values = gantry_variant_axis_dup_values(axis);
    g_autofree char *text = g_strdup_printf("%s=%s", gantry_variant_axis_get_param(axis)->key, values);
    if (*values) g_strv_builder_add(builder, text);
  }
  char **axes = g_strv_builder_end(builder);
  g_strv_builder_unref(builder);
  return axes;
}

static void more_chosen(GtkDropDown *more, GParamSpec *property, GantryVariantsPage *self) {
  const guint chosen = gtk_drop_down_get_selected(more);
  if (chosen == 0 || chosen == GTK_INVALID_LIST_POSITION) return;
  add_axis(self, self->offered->pdata[chosen - 1]);
  gtk_drop_down_set_selected(more, 0);
  edited(self);
}

void gantry_variants_page_set_ask(GantryVariantsPage *self, GantryAskValue ask, gpointer user) {
  self->ask = ask;
  self->user = user;
  for (GtkWidget *child = gtk_widget_get_first_child(self->axes); child; child = gtk_widget_get_next_sibling(child))
    gantry_variant_axis_set_ask(GANTRY_VARIANT_AXIS(child), ask, user);
}

void gantry_variants_page_vary_kernels(GantryVariantsPage *self) {
  GtkWidget *child;
  self->updating = TRUE;
  while ((child = gtk_widget_get_first_child(self->axes))) gtk_box_remove(GTK_BOX(self->axes), child);
  add_first_axes(self);
  gantry_variant_axis_tick_served(find_axis(self, ct_param_find("reconstruction.kernel")));
  self->updating = FALSE;
  edited(self);
}

void gantry_variants_page_set_backend(GantryVariantsPage *self, const ct_backend *backend) {
  self->backend = backend;
}

GantryExtent gantry_variants_page_get_extent(GantryVariantsPage *self) {
  return (GantryExtent)gtk_drop_down_get_selected(GTK_DROP_DOWN(self->extent));
}

void gantry_variants_page_set_extent(GantryVariantsPage *self, GantryExtent extent) {
  gtk_drop_down_set_selected(GTK_DROP_DOWN(self->extent), extent);
}

int gantry_variants_page_get_repeat(GantryVariantsPage *self) {
  return gtk_spin_button_get_value_as_int(GTK_SPIN_BUTTON(self->repeat));
}

/* A list that is being chosen from must not be made anew. */
static gboolean are_offered(GantryVariantsPage *self, const char *const *ids, const char *const *titles, gsize count) {
  GListModel *model = gtk_drop_down_get_model(GTK_DROP_DOWN(self->reference.widget));
  gboolean same = self->reference.ids->len == count;
  for (gsize i = 0; same && i < count; i++)
    same = g_str_equal(self->reference.ids->pdata[i], ids[i]) &&
           g_str_equal(gtk_string_list_get_string(GTK_STRING_LIST(model), (guint)i), titles[i]);
  return same;
}

void gantry_variants_page_set_references(GantryVariantsPage *self, const char *const *ids, const char *const *titles,
                                         gsize count) {
  const char *title, *tip;
  if (are_offered(self, ids, titles, count)) return;
  g_autofree char *before = g_strdup(gantry_drop_down_get_id(&self->reference));
  gboolean there = FALSE;
  for (gsize i = 0; i < count; i++) there |= g_strcmp0(before, ids[i]) == 0;
  self->updating = TRUE;
  gantry_drop_down_set_items(&self->reference, ids, titles, NULL, count);
  gantry_drop_down_select(&self->reference, there ? before : ids[0], &title, &tip);
  self->updating = FALSE;
}

const char *gantry_variants_page_get_reference(GantryVariantsPage *self) {
  return gantry_drop_down_get_id(&self->reference);
}

/* What came of it */

GantryVariantsTable *gantry_variants_page_get_table(GantryVariantsPage *self) {
  return self->table;
}

GantryVariantsScatter *gantry_variants_page_get_scatter(GantryVariantsPage *self) {
  return self->scatter;
}

GantryFiguresButton *gantry_variants_page_get_figures(GantryVariantsPage *self) {
  return self->figures;
}

GListStore *gantry_variants_page_get_items(GantryVariantsPage *self) {
  return self->items;
}

void gantry_variants_page_refresh(GantryVariantsPage *self) {
  gantry_variants_table_resort(self->table);
  gantry_variants_scatter_refresh(self->scatter);
}

void gantry_variants_page_set_summary(GantryVariantsPage *self, const char *text) {
  gtk_label_set_text(GTK_LABEL(self->summary), text);
}

void gantry_variants_page_set_progress(GantryVariantsPage *self, double fraction, const char *text) {
  gtk_widget_set_visible(self->progress_row, text != NULL);
  gtk_widget_set_visible(self->run, text == NULL);
  if (!text) return;
  gtk_label_set_text(GTK_LABEL(self->progress), text);
  if (fraction >= 0)
    gtk_progress_bar_set_fraction(GTK_PROGRESS_BAR(self->bar), fraction);
  else
    gtk_progress_bar_pulse(GTK_PROGRESS_BAR(self->bar));
}

void gantry_variants_page_set_note(GantryVariantsPage *self, const char *text, gboolean fault) {
  gtk_label_set_text(GTK_LABEL(self->note), text ? text : "");
  gantry_tips_set(self->note, text);
  gtk_widget_set_visible(self->note, text != NULL);
  gtk_widget_remove_css_class(self->note, fault ? "dim-label" : "error");
  gtk_widget_add_css_class(self->note, fault ? "error" : "dim-label");
}

/* The chosen row */

static void table_chosen(GantryVariantsPage *self) {
  gantry_variants_scatter_choose(self->scatter, gantry_variants_table_get_chosen(self->table));
  g_signal_emit(self, signals[CHOSEN], 0);
}

static void table_activated(GantryVariantsPage *self) {
  g_signal_emit(self, signals[ACTIVATED], 0);
}

static void point_picked(GantryVariantsScatter *scatter, GantryVariantItem *item, GantryVariantsPage *self) {
  gantry_variants_table_choose(self->table, item);
}

/* Building */

static void offer_parameters(GantryVariantsPage *self) {
  size_t count;
  const ct_param *params = ct_params(&count);
  GtkStringList *titles = gtk_string_list_new((const char *const[]){"Vary another parameter…", NULL});
  for (size_t i = 0; i < count; i++) {
    if (!gantry_variant_axis_can_vary(&params[i])) continue;
    g_autofree char *title = g_strdup_printf("%s: %s", ct_section_title(params[i].section), params[i].title);
    gtk_string_list_append(titles, title);
    g_ptr_array_add(self->offered, (gpointer)&params[i]);
  }
  self->more =
      gtk_drop_down_new(G_LIST_MODEL(titles), gtk_property_expression_new(GTK_TYPE_STRING_OBJECT, NULL, "string"));
  gtk_drop_down_set_enable_search(GTK_DROP_DOWN(self->more), TRUE);
  gantry_tips_set(self->more, "Any parameter of the plan but the file's and the device");
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->more), GTK_ACCESSIBLE_PROPERTY_LABEL, "Vary another parameter",
                                 -1);
  g_signal_connect(self->more, "notify::selected", G_CALLBACK(more_chosen), self);
}

static GtkWidget *make_progress(GantryVariantsPage *self) {
  self->progress_row = gtk_box_new(GTK_ORIENTATION_VERTICAL, 6);
  self->bar = gtk_progress_bar_new();
  self->progress = gtk_label_new(NULL);
  gtk_label_set_xalign(GTK_LABEL(self->progress), 0);
  gtk_label_set_wrap(GTK_LABEL(self->progress), TRUE);
  gtk_label_set_max_width_chars(GTK_LABEL(self->progress), 36);
  gtk_widget_add_css_class(self->progress, "caption");
  gtk_widget_add_css_class(self->progress, "numeric");
  gtk_box_append(GTK_BOX(self->progress_row), self->bar);
  gtk_box_append(GTK_BOX(self->progress_row), self->progress);
  gtk_box_append(
      GTK_BOX(self->progress_row),
      gantry_variants_make_button("Cancel", "win.cancel", "Stop here (Ctrl+.): the rows that have ended stay"));
  gtk_widget_set_visible(self->progress_row, FALSE);
  return self->progress_row;
}

static void add_settings(GantryVariantsPage *self, GtkBox *box) {
  static const char *const extents[] = {"The axial slice shown", "The middle axial slice", "The whole volume", NULL};
  self->extent = gtk_drop_down_new_from_strings(extents);
  g_signal_connect_swapped(self->extent, "notify::selected", G_CALLBACK(edited), self);
  gantry_drop_down_init(&self->reference, NULL, -1);
  g_signal_connect_swapped(self->reference.widget, "notify::selected", G_CALLBACK(edited), self);
  gtk_widget_set_halign(self->reference.widget, GTK_ALIGN_FILL);
  self->repeat = gtk_spin_button_new_with_range(1, 100, 1);
  gtk_editable_set_width_chars(GTK_EDITABLE(self->repeat), 4);
  gtk_box_append(box, gantry_variants_make_row(
                          "Errors against", self->reference.widget,
                          "What each variant is compared with: the textbook kernel in double precision with linear "
                          "interpolation, the reference B, or one of the variants"));
  gtk_box_append(box, gantry_variants_make_row(
                          "Of", self->extent,
                          "One slice is quick. Kernels that share work among slices are slower per voxel in one "
                          "slice than in a volume."));
  gtk_box_append(box,
                 gantry_variants_make_row("Runs of each", self->repeat, "The quickest of so many counts. 1 to 100."));
}

static GtkWidget *make_choice(GantryVariantsPage *self) {
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 8), *scrolled = gtk_scrolled_window_new();
  GtkWidget *rest = gtk_label_new("All else is as in the plan.");
  gtk_widget_add_css_class(box, "variants-choice");
  gtk_label_set_xalign(GTK_LABEL(rest), 0);
  gtk_widget_add_css_class(rest, "dim-label");
  gtk_widget_add_css_class(rest, "caption");
  self->axes = gtk_box_new(GTK_ORIENTATION_VERTICAL, 6);
  offer_parameters(self);
  gtk_box_append(GTK_BOX(box), gantry_variants_make_heading("What Varies"));
  gtk_box_append(GTK_BOX(box), self->axes);
  gtk_box_append(GTK_BOX(box), self->more);
  gtk_box_append(GTK_BOX(box), rest);
  gtk_box_append(GTK_BOX(box), gantry_variants_make_heading("Compared"));
  add_settings(self, GTK_BOX(box));
  self->summary = gtk_label_new(NULL);
  gtk_label_set_xalign(GTK_LABEL(self->summary), 0);
  gtk_label_set_wrap(GTK_LABEL(self->summary), TRUE);
  gtk_label_set_max_width_chars(GTK_LABEL(self->summary), 36);
  self->run = gantry_variants_make_button("Run", "win.run-variants",
                                          "Reconstruct by every combination of the ticked values (Ctrl+Alt+D)");
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->run), GTK_ACCESSIBLE_PROPERTY_LABEL, "Run the variants", -1);
  gtk_widget_add_css_class(self->run, "suggested-action");
  gtk_box_append(GTK_BOX(box), self->summary);
  gtk_box_append(GTK_BOX(box), self->run);
  gtk_box_append(GTK_BOX(box), make_progress(self));
  gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scrolled), box);
  gtk_widget_set_size_request(scrolled, CHOICE_WIDTH, -1);
  gtk_widget_set_hexpand(scrolled, FALSE); /* what is in it fills it, and no more */
  return scrolled;
}

static GtkWidget *make_results(GantryVariantsPage *self) {
  GtkWidget *upper = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0), *paned = gtk_paned_new(GTK_ORIENTATION_VERTICAL);
  self->table = GANTRY_VARIANTS_TABLE(gantry_variants_table_new(G_LIST_MODEL(self->items)));
  self->scatter = GANTRY_VARIANTS_SCATTER(gantry_variants_scatter_new(G_LIST_MODEL(self->items)));
  g_signal_connect_swapped(self->table, "chosen", G_CALLBACK(table_chosen), self);
  g_signal_connect_swapped(self->table, "activated", G_CALLBACK(table_activated), self);
  g_signal_connect(self->scatter, "picked", G_CALLBACK(point_picked), self);
  self->note = gtk_label_new(NULL);
  gtk_label_set_xalign(GTK_LABEL(self->note), 0);
  gtk_label_set_wrap(GTK_LABEL(self->note), TRUE);
  gtk_label_set_lines(GTK_LABEL(self->note), 3);
  gtk_label_set_ellipsize(GTK_LABEL(self->note), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class(self->note, "variants-note");
  gantry_variants_page_set_note(self, NULL, FALSE);
  gtk_widget_set_vexpand(GTK_WIDGET(self->table), TRUE);
  gtk_box_append(GTK_BOX(upper), GTK_WIDGET(self->table));
  gtk_box_append(GTK_BOX(upper), self->note);
  gtk_box_append(GTK_BOX(upper), gantry_variants_make_commands());
  gtk_widget_set_size_request(upper, -1, 200);
  gtk_widget_set_size_request(GTK_WIDGET(self->scatter), -1, 160);
  gtk_paned_set_start_child(GTK_PANED(paned), upper);
  gtk_paned_set_end_child(GTK_PANED(paned), GTK_WIDGET(self->scatter));
  gtk_paned_set_shrink_start_child(GTK_PANED(paned), FALSE);
  gtk_paned_set_shrink_end_child(GTK_PANED(paned), FALSE);
  gtk_paned_set_position(GTK_PANED(paned), 400);
  gtk_widget_set_hexpand(paned, TRUE);
  return paned;
}

static GtkWidget *make_head(GantryVariantsPage *self) {
  GtkWidget *head = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 8),
            *title = gantry_variants_make_heading("Compare Variants");
  gtk_widget_add_css_class(head, "variants-head");
  gtk_box_append(GTK_BOX(head),
                 gantry_variants_make_button("Back to the Views", "win.show-views", "Back to the views (Esc)"));
  gtk_widget_set_hexpand(title, TRUE);
  gtk_widget_set_halign(title, GTK_ALIGN_CENTER);
  gtk_box_append(GTK_BOX(head), title);
  self->figures = GANTRY_FIGURES_BUTTON(gantry_figures_button_new());
  gtk_box_append(GTK_BOX(head), GTK_WIDGET(self->figures));
  return head;
}

static void add_keys(GantryVariantsPage *self) {
  GtkEventController *controller = gtk_shortcut_controller_new();
  gtk_shortcut_controller_add_shortcut(
      GTK_SHORTCUT_CONTROLLER(controller),
      gtk_shortcut_new(gtk_keyval_trigger_new(GDK_KEY_Escape, 0), gtk_named_action_new("win.show-views")));
  gtk_widget_add_controller(GTK_WIDGET(self), controller);
}

/* Life */

static void gantry_variants_page_dispose(GObject *object) {
  GtkWidget *child;
  GANTRY_VARIANTS_PAGE(object)->updating = TRUE;
  while ((child = gtk_widget_get_first_child(GTK_WIDGET(object)))) gtk_widget_unparent(child);
  G_OBJECT_CLASS(gantry_variants_page_parent_class)->dispose(object);
}

static void gantry_variants_page_finalize(GObject *object) {
  GantryVariantsPage *self = GANTRY_VARIANTS_PAGE(object);
  gantry_drop_down_clear(&self->reference);
  g_ptr_array_unref(self->offered);
  g_object_unref(self->items);
  G_OBJECT_CLASS(gantry_variants_page_parent_class)->finalize(object);
}

static void gantry_variants_page_class_init(GantryVariantsPageClass *class) {
  static const char *const names[SIGNALS] = {"edited", "chosen", "activated"};
  G_OBJECT_CLASS(class)->dispose = gantry_variants_page_dispose;
  G_OBJECT_CLASS(class)->finalize = gantry_variants_page_finalize;
  for (int i = 0; i < SIGNALS; i++)
    signals[i] =
        g_signal_new(names[i], GANTRY_TYPE_VARIANTS_PAGE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_layout_manager_type(GTK_WIDGET_CLASS(class), GTK_TYPE_BOX_LAYOUT);
  gtk_widget_class_set_css_name(GTK_WIDGET_CLASS(class), "variantspage");
}

static void gantry_variants_page_init(GantryVariantsPage *self) {
  gtk_orientable_set_orientation(GTK_ORIENTABLE(gtk_widget_get_layout_manager(GTK_WIDGET(self))),
                                 GTK_ORIENTATION_VERTICAL);
  self->offered = g_ptr_array_new();
  self->items = g_list_store_new(GANTRY_TYPE_VARIANT_ITEM);
  ct_plan_init(&self->plan);
  GtkWidget *body = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_box_append(GTK_BOX(body), make_choice(self));
  gtk_box_append(GTK_BOX(body), gtk_separator_new(GTK_ORIENTATION_VERTICAL));
  gtk_box_append(GTK_BOX(body), make_results(self));
  gtk_widget_set_vexpand(body, TRUE);
  gtk_widget_set_parent(make_head(self), GTK_WIDGET(self));
  gtk_widget_set_parent(gtk_separator_new(GTK_ORIENTATION_HORIZONTAL), GTK_WIDGET(self));
  gtk_widget_set_parent(body, GTK_WIDGET(self));
  add_keys(self);
}

GtkWidget *gantry_variants_page_new(void) {
  return g_object_new(GANTRY_TYPE_VARIANTS_PAGE, NULL);
}
