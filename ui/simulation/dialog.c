/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the present values make stands at the foot, or why they make no scan. The parts of its body are made one a
 * frame, and show from the beginning what is wanted. */
#include "ui/simulation/dialog.h"

#include "recon/base/units.h"
#include "recon/geom/questions.h"
#include "ui/in-turn.h"
#include "ui/number-text.h"
#include "ui/shown.h"
#include "ui/simulation/numbers.h"
#include "ui/simulation/sliders.h"
#include "ui/tab.h"
#include "ui/tips.h"

enum { ROWS_A_FRAME = 5 };

struct _GantrySimulationDialog {
  AdwWindow parent_instance;
  AdwComboRow *phantom, *beam;
  GPtrArray *beams; /* const ct_beam_kind, of the rows of `beam` */
  AdwActionRow *object_row;
  AdwPreferencesGroup *object_group;
  GtkWidget *forget, *make, *words;
  GantrySimulationNumbers *shape, *geometry;
  GantrySliders *sliders;
  GtkBox *body;
  GtkFileChooserNative *chooser; /* NULL: none is open */
  ct_simulation wanted;          /* shown last */
  char *object;
  gboolean making, showing;
};

G_DEFINE_FINAL_TYPE(GantrySimulationDialog, gantry_simulation_dialog, ADW_TYPE_WINDOW)

static guint chosen_signal;

static void gantry_simulation_dialog_finalize(GObject *object) {
  GantrySimulationDialog *self = GANTRY_SIMULATION_DIALOG(object);
  g_clear_object(&self->chooser);
  g_ptr_array_unref(self->beams);
  g_free(self->object);
  G_OBJECT_CLASS(gantry_simulation_dialog_parent_class)->finalize(object);
}

/* The toolkit's own walk does not leave the sliders' box. */
static gboolean gantry_simulation_dialog_focus(GtkWidget *widget, GtkDirectionType direction) {
  const gboolean tab = direction == GTK_DIR_TAB_FORWARD || direction == GTK_DIR_TAB_BACKWARD;
  return (tab && gantry_tab_move(GTK_WINDOW(widget), direction == GTK_DIR_TAB_BACKWARD)) ||
         GTK_WIDGET_CLASS(gantry_simulation_dialog_parent_class)->focus(widget, direction);
}

static void gantry_simulation_dialog_class_init(GantrySimulationDialogClass *klass) {
  G_OBJECT_CLASS(klass)->finalize = gantry_simulation_dialog_finalize;
  GTK_WIDGET_CLASS(klass)->focus = gantry_simulation_dialog_focus;
  chosen_signal = g_signal_new("chosen", GANTRY_TYPE_SIMULATION_DIALOG, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                               G_TYPE_NONE, 2, G_TYPE_POINTER, G_TYPE_STRING);
  gtk_widget_class_add_binding_action(GTK_WIDGET_CLASS(klass), GDK_KEY_Escape, 0, "window.close", NULL);
}

static void gantry_simulation_dialog_init(GantrySimulationDialog *self) {
  self->beams = g_ptr_array_new();
}

/* Values */

/* NULL: all of it is read; else the first field that holds none of its numbers. */
static const ct_simulation_number *read_all(GantrySimulationDialog *self, ct_simulation *simulation) {
  size_t count;
  ct_simulation_init(simulation);
  simulation->phantom = &ct_phantoms(&count)[adw_combo_row_get_selected(self->phantom)];
  simulation->beam = ((const ct_beam_kind *)self->beams->pdata[adw_combo_row_get_selected(self->beam)])->beam;
  gantry_sliders_read(self->sliders, simulation);
  const ct_simulation_number *shape = gantry_simulation_numbers_read(self->shape, simulation),
                             *geometry = gantry_simulation_numbers_read(self->geometry, simulation);
  return shape ? shape : geometry;
}

static char *words_of(ct_simulation *simulation, const ct_geometry *geometry) {
  char bytes[32];
  g_autofree char *views = gantry_count_text(geometry->views);
  return g_strdup_printf("%s views of %d × %d pixels, %s", views, geometry->nu, geometry->nv,
                         ct_format_bytes(ct_simulation_bytes(simulation, geometry), bytes, sizeof bytes));
}

static void tell(GantrySimulationDialog *self, const char *text, gboolean good) {
  gtk_label_set_text(GTK_LABEL(self->words), text);
  if (good)
    gtk_widget_remove_css_class(self->words, "error");
  else
    gtk_widget_add_css_class(self->words, "error");
  gtk_widget_set_sensitive(self->make, good);
}

static void check(GantrySimulationDialog *self) {
  ct_simulation simulation;
  ct_geometry geometry;
  ct_error *error = NULL;
  if (self->making || self->showing) return;
  const ct_simulation_number *wrong = read_all(self, &simulation);
  adw_preferences_group_set_description(self->object_group, self->object ? "The file takes the phantom's place."
                                                                         : simulation.phantom->explanation);
  gtk_widget_set_sensitive(GTK_WIDGET(self->phantom), !self->object);
  gantry_sliders_suit(self->sliders, simulation.beam, !self->object);
  if (wrong) {
    g_autofree char *words = gantry_simulation_number_refusal(wrong);
    tell(self, words, FALSE);
    return;
  }
  if (!ct_simulation_geometry(&simulation, &geometry, &error)) {
    tell(self, error->message, FALSE);
    ct_error_clear(&error);
    return;
  }
  if (ct_imperfections_check(&simulation.imperfections, &geometry, &error)) {
    g_autofree char *words = words_of(&simulation, &geometry);
    tell(self, words, TRUE);
  } else {
    tell(self, error->message, FALSE);
    ct_error_clear(&error);
  }
  ct_geometry_clear(&geometry);
}

static void show_object(GantrySimulationDialog *self) {
  g_autofree char *name = self->object ? gantry_shown_name(self->object) : NULL;
  adw_action_row_set_subtitle(self->object_row,
                              name ? name
                                   : "None: the phantom. Volumes keep their size and values; a "
                                     "picture fills the field, its brightness times the attenuation below.");
  gtk_widget_set_visible(self->forget, self->object != NULL);
}

static void take_object(GantrySimulationDialog *self, const char *path) {
  char *object = g_strdup(path);
  g_free(self->object);
  self->object = object;
  if (self->object_row) show_object(self);
}

static void show_phantom(GantrySimulationDialog *self) {
  size_t count;
  const ct_phantom *phantoms = ct_phantoms(&count);
  for (size_t i = 0; i < count; i++)
    if (&phantoms[i] == self->wanted.phantom) adw_combo_row_set_selected(self->phantom, (guint)i);
}

static void show_beam(GantrySimulationDialog *self) {
  for (guint i = 0; i < self->beams->len; i++)
    if (((const ct_beam_kind *)self->beams->pdata[i])->beam == self->wanted.beam)
      adw_combo_row_set_selected(self->beam, i);
}

/* Of the parts that are there. */
void gantry_simulation_dialog_show(GantrySimulationDialog *self, const ct_simulation *simulation, const char *object) {
  self->wanted = *simulation;
  take_object(self, object);
  self->showing = TRUE;
  if (self->phantom) show_phantom(self);
  if (self->shape) gantry_simulation_numbers_show(self->shape, simulation);
  if (self->beam) show_beam(self);
  if (self->geometry) gantry_simulation_numbers_show(self->geometry, simulation);
  if (self->sliders) gantry_sliders_show(self->sliders, simulation);
  self->showing = FALSE;
  check(self);
}

/* Answers */

static void make_scan(GantrySimulationDialog *self) {
  ct_simulation simulation;
  if (read_all(self, &simulation)) return;
  gtk_widget_set_visible(GTK_WIDGET(self), FALSE);
  g_signal_emit(self, chosen_signal, 0, &simulation, self->object);
}

static void set_standard(GantrySimulationDialog *self) {
  ct_simulation standard;
  ct_simulation_init(&standard);
  gantry_simulation_dialog_show(self, &standard, NULL);
}

static void forget_object(GantrySimulationDialog *self) {
  take_object(self, NULL);
  check(self);
}

static void object_chosen(GtkNativeDialog *native, int response, GantrySimulationDialog *self) {
  g_autoptr(GFile) file = response == GTK_RESPONSE_ACCEPT ? gtk_file_chooser_get_file(GTK_FILE_CHOOSER(native)) : NULL;
  g_autofree char *path = file ? g_file_get_path(file) : NULL;
  if (path) {
    take_object(self, path);
    check(self);
  }
  g_clear_object(&self->chooser);
}

static void choose_object(GantrySimulationDialog *self) {
  if (self->chooser) return;
  self->chooser =
      gtk_file_chooser_native_new("Choose the Object", GTK_WINDOW(self), GTK_FILE_CHOOSER_ACTION_OPEN, "_Choose", NULL);
  gtk_native_dialog_set_modal(GTK_NATIVE_DIALOG(self->chooser), TRUE);
  g_signal_connect(self->chooser, "response", G_CALLBACK(object_chosen), self);
  gtk_native_dialog_show(GTK_NATIVE_DIALOG(self->chooser));
}

/* Making */

static GtkWidget *button(GantrySimulationDialog *self, const char *label, const char *tip, GCallback clicked) {
  GtkWidget *made = gantry_tips_new_button(label, tip);
  gtk_widget_set_valign(made, GTK_ALIGN_CENTER);
  g_signal_connect_swapped(made, "clicked", clicked, self);
  return made;
}

static void setup_chosen(GtkSignalListItemFactory *factory, GtkListItem *item) {
  GtkWidget *label = gtk_label_new(NULL);
  gtk_label_set_xalign(GTK_LABEL(label), 1);
  gtk_label_set_ellipsize(GTK_LABEL(label), PANGO_ELLIPSIZE_END);
  gtk_list_item_set_child(item, label);
}

/* A mark stands behind the one that is chosen. */
static void setup_listed(GtkSignalListItemFactory *factory, GtkListItem *item) {
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12), *label = gtk_label_new(NULL),
            *mark = gtk_image_new_from_icon_name("object-select-symbolic");
  gtk_label_set_xalign(GTK_LABEL(label), 0);
  gtk_widget_set_hexpand(label, TRUE);
  gtk_box_append(GTK_BOX(box), label);
  gtk_box_append(GTK_BOX(box), mark);
  gtk_list_item_set_child(item, box);
}

static void mark_chosen(AdwComboRow *row, GParamSpec *property, GtkListItem *item) {
  GtkWidget *mark = gtk_widget_get_last_child(gtk_list_item_get_child(item));
  gtk_widget_set_opacity(mark, adw_combo_row_get_selected(row) == gtk_list_item_get_position(item));
}

static void bind_listed(GtkSignalListItemFactory *factory, GtkListItem *item, AdwComboRow *row) {
  GtkWidget *label = gtk_widget_get_first_child(gtk_list_item_get_child(item));
  gtk_label_set_text(GTK_LABEL(label), gtk_string_object_get_string(gtk_list_item_get_item(item)));
  g_signal_connect_object(row, "notify::selected", G_CALLBACK(mark_chosen), item, 0);
  mark_chosen(row, NULL, item);
}

static void unbind_listed(GtkSignalListItemFactory *factory, GtkListItem *item, AdwComboRow *row) {
  g_signal_handlers_disconnect_by_func(row, mark_chosen, item);
}

/* As long as the title is, for which the row has room: the toolkit's own ends after 20 letters. */
static void bind_chosen(GtkSignalListItemFactory *factory, GtkListItem *item) {
  const char *title = gtk_string_object_get_string(GTK_STRING_OBJECT(gtk_list_item_get_item(item)));
  GtkLabel *label = GTK_LABEL(gtk_list_item_get_child(item));
  gtk_label_set_text(label, title);
  gtk_label_set_width_chars(label, (int)g_utf8_strlen(title, -1));
}

static void show_whole_titles(AdwComboRow *row) {
  g_autoptr(GtkListItemFactory) chosen = gtk_signal_list_item_factory_new(),
                                listed = gtk_signal_list_item_factory_new();
  g_signal_connect(chosen, "setup", G_CALLBACK(setup_chosen), NULL);
  g_signal_connect(chosen, "bind", G_CALLBACK(bind_chosen), NULL);
  g_signal_connect(listed, "setup", G_CALLBACK(setup_listed), NULL);
  g_signal_connect_object(listed, "bind", G_CALLBACK(bind_listed), row, 0);
  g_signal_connect_object(listed, "unbind", G_CALLBACK(unbind_listed), row, 0);
  adw_combo_row_set_list_factory(row, listed);
  adw_combo_row_set_factory(row, chosen);
}

static AdwComboRow *combo(GantrySimulationDialog *self, const char *title, const char *tip, GPtrArray *titles) {
  g_ptr_array_add(titles, NULL);
  g_autoptr(GtkStringList) list = gtk_string_list_new((const char *const *)titles->pdata);
  AdwComboRow *row = ADW_COMBO_ROW(adw_combo_row_new());
  adw_preferences_row_set_title(ADW_PREFERENCES_ROW(row), title);
  gantry_tips_name(GTK_WIDGET(row), title, tip);
  adw_action_row_set_subtitle_lines(ADW_ACTION_ROW(row), 0);
  show_whole_titles(row);
  adw_combo_row_set_model(row, G_LIST_MODEL(list));
  g_signal_connect_swapped(row, "notify::selected", G_CALLBACK(check), self);
  return row;
}

static AdwPreferencesGroup *add_group(GantrySimulationDialog *self, const char *title) {
  GtkWidget *group = adw_preferences_group_new();
  adw_preferences_group_set_title(ADW_PREFERENCES_GROUP(group), title);
  gtk_box_append(self->body, group);
  return ADW_PREFERENCES_GROUP(group);
}

static gboolean add_phantom(gpointer widget) {
  GantrySimulationDialog *self = widget;
  g_autoptr(GPtrArray) titles = g_ptr_array_new();
  size_t count;
  const ct_phantom *phantoms = ct_phantoms(&count);
  for (size_t i = 0; i < count; i++) g_ptr_array_add(titles, (gpointer)phantoms[i].title);
  self->object_group = add_group(self, "Object");
  self->phantom = combo(self, "Phantom", "What is in the scanner", titles);
  adw_preferences_group_add(self->object_group, GTK_WIDGET(self->phantom));
  show_phantom(self);
  return FALSE;
}

static gboolean add_object(gpointer widget) {
  GantrySimulationDialog *self = widget;
  GtkWidget *row = adw_action_row_new();
  self->object_row = ADW_ACTION_ROW(row);
  self->forget = button(self, "_Remove", "Take the phantom again; no file is touched", G_CALLBACK(forget_object));
  gtk_widget_set_focusable(row, FALSE); /* its buttons take the keyboard */
  adw_preferences_row_set_title(ADW_PREFERENCES_ROW(row), "File in its place");
  adw_preferences_row_set_use_markup(ADW_PREFERENCES_ROW(row), FALSE);
  adw_action_row_set_subtitle_lines(self->object_row, 0);
  adw_action_row_add_suffix(self->object_row, self->forget);
  adw_action_row_add_suffix(self->object_row, button(self, "_Choose…", "Take a volume or a picture as the object",
                                                     G_CALLBACK(choose_object)));
  adw_preferences_group_add(self->object_group, row);
  show_object(self);
  return FALSE;
}

static gboolean add_beam(gpointer widget) {
  GantrySimulationDialog *self = widget;
  g_autoptr(GPtrArray) titles = g_ptr_array_new();
  int count;
  const ct_beam_kind *kinds = ct_beam_kinds(&count);
  for (int i = 0; i < count; i++)
    if (ct_beam_promises(kinds[i].beam, CT_TRAIT_CIRCULAR)) {
      g_ptr_array_add(self->beams, (gpointer)&kinds[i]);
      g_ptr_array_add(titles, (gpointer)kinds[i].choice);
    }
  self->beam = combo(self, "Beam", "How the rays go from the source to the detector", titles);
  adw_preferences_group_add(add_group(self, "Geometry"), GTK_WIDGET(self->beam));
  show_beam(self);
  return FALSE;
}

static gboolean add_numbers(GantrySimulationDialog *self, GantrySimulationNumbers **numbers, gboolean shape) {
  if (!*numbers) {
    GtkWidget *made = gantry_simulation_numbers_new(shape);
    *numbers = GANTRY_SIMULATION_NUMBERS(made);
    g_signal_connect_swapped(made, "changed", G_CALLBACK(check), self);
    gtk_box_append(self->body, made);
  }
  return gantry_simulation_numbers_add(*numbers, ROWS_A_FRAME, &self->wanted);
}

static gboolean add_shape(gpointer widget) {
  GantrySimulationDialog *self = widget;
  return add_numbers(self, &self->shape, TRUE);
}

static gboolean add_geometry(gpointer widget) {
  GantrySimulationDialog *self = widget;
  return add_numbers(self, &self->geometry, FALSE);
}

static gboolean add_sliders(gpointer widget) {
  GantrySimulationDialog *self = widget;
  if (!self->sliders) {
    GtkWidget *sliders = gantry_sliders_new(1, FALSE);
    AdwPreferencesGroup *group = add_group(self, "What goes wrong");
    adw_preferences_group_set_description(group,
                                          "At 0 nothing does. All of it can be moved later, while the slices follow.");
    gtk_widget_add_css_class(sliders, "card");
    gtk_widget_add_css_class(sliders, "sliders");
    adw_preferences_group_add(group, sliders);
    self->sliders = GANTRY_SLIDERS(sliders);
    g_signal_connect_swapped(sliders, "changed", G_CALLBACK(check), self);
  }
  return gantry_sliders_add(self->sliders, ROWS_A_FRAME, &self->wanted);
}

static void be_made(gpointer widget) {
  GantrySimulationDialog *self = widget;
  self->making = FALSE;
  check(self);
}

static GtkWidget *make_body(GantrySimulationDialog *self) {
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 12), *clamp = adw_clamp_new(),
            *scrolled = gtk_scrolled_window_new();
  self->body = GTK_BOX(box);
  gtk_widget_set_margin_top(clamp, 12);
  gtk_widget_set_margin_bottom(clamp, 12);
  gtk_widget_set_margin_start(clamp, 12);
  gtk_widget_set_margin_end(clamp, 12);
  adw_clamp_set_child(ADW_CLAMP(clamp), box);
  gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(scrolled), GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scrolled), clamp);
  gtk_widget_set_vexpand(scrolled, TRUE);
  return scrolled;
}

static GtkWidget *make_header(GantrySimulationDialog *self) {
  GtkWidget *header = adw_header_bar_new(),
            *cancel = gantry_tips_new_button("_Cancel", "Close; the values stay for the next time (Escape)");
  self->make = button(self, "_Make Scan", "Simulate the scan and open it, with the object as the reference B",
                      G_CALLBACK(make_scan));
  gtk_widget_add_css_class(self->make, "suggested-action");
  gtk_widget_set_sensitive(self->make, FALSE);
  gtk_actionable_set_action_name(GTK_ACTIONABLE(cancel), "window.close");
  adw_header_bar_set_show_end_title_buttons(ADW_HEADER_BAR(header), FALSE);
  adw_header_bar_pack_start(ADW_HEADER_BAR(header), cancel);
  adw_header_bar_pack_end(ADW_HEADER_BAR(header), self->make);
  adw_header_bar_pack_end(ADW_HEADER_BAR(header),
                          button(self, "_Standard Values", "All values as at first", G_CALLBACK(set_standard)));
  return header;
}

static GtkWidget *make_foot(GantrySimulationDialog *self) {
  self->words = gtk_label_new(NULL);
  gtk_label_set_wrap(GTK_LABEL(self->words), TRUE);
  gtk_label_set_lines(GTK_LABEL(self->words), 2);
  gtk_widget_set_margin_top(self->words, 9);
  gtk_widget_set_margin_bottom(self->words, 9);
  return self->words;
}

GtkWidget *gantry_simulation_dialog_new(GtkWindow *parent) {
  static const GantryMakePart parts[] = {add_phantom, add_object, add_shape, add_beam, add_geometry, add_sliders};
  /* Its foot is on a small screen, too. */
  const int within = gtk_widget_get_height(GTK_WIDGET(parent)) - 40, height = CLAMP(within, 400, 720);
  GantrySimulationDialog *self = g_object_new(GANTRY_TYPE_SIMULATION_DIALOG, "title", "New Scan from a Phantom",
                                              "transient-for", parent, "destroy-with-parent", TRUE, "hide-on-close",
                                              TRUE, "default-width", 640, "default-height", height, NULL);
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
  self->making = TRUE;
  ct_simulation_init(&self->wanted);
  gtk_box_append(GTK_BOX(box), make_header(self));
  gtk_box_append(GTK_BOX(box), make_body(self));
  gtk_box_append(GTK_BOX(box), gtk_separator_new(GTK_ORIENTATION_HORIZONTAL));
  gtk_box_append(GTK_BOX(box), make_foot(self));
  adw_window_set_content(ADW_WINDOW(self), box);
  gantry_make_in_turn(GTK_WIDGET(self), parts, G_N_ELEMENTS(parts), be_made);
  return GTK_WIDGET(self);
}
