/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Dialogs of many rows: no frame makes a large share of them, and nothing is accepted before all are there. */
#include "tests/test.h"
#include "tests/ui/widgets.h"

#include "ui/simulation/dialog.h"
#include "ui/source-dialog.h"
#include "ui/source-presets.h"

static int count_widgets(GtkWidget *widget) {
  int count = 1;
  for (GtkWidget *child = gtk_widget_get_first_child(widget); child; child = gtk_widget_get_next_sibling(child))
    count += count_widgets(child);
  return count;
}

static GtkWidget *find_accept(GtkWidget *widget) {
  if (gtk_widget_has_css_class(widget, "suggested-action")) return widget;
  for (GtkWidget *child = gtk_widget_get_first_child(widget); child; child = gtk_widget_get_next_sibling(child)) {
    GtkWidget *found = find_accept(child);
    if (found) return found;
  }
  return NULL;
}

/* The largest share of its widgets that one turn of the main loop makes; 1 where it could be accepted
 * before, or never. */
static double largest_step(GtkWindow *dialog) {
  GtkWidget *widget = GTK_WIDGET(dialog), *accept = find_accept(widget);
  const gint64 end = g_get_monotonic_time() + 20 * G_USEC_PER_SEC;
  int count = count_widgets(widget), most = 0;
  if (gtk_widget_get_sensitive(accept)) return 1;
  gtk_window_present(dialog);
  while (!gtk_widget_get_sensitive(accept) && g_get_monotonic_time() < end) {
    g_main_context_iteration(NULL, TRUE);
    const int now = count_widgets(widget);
    most = MAX(most, now - count);
    count = now;
  }
  return gtk_widget_get_sensitive(accept) && count > 300 ? most / (double)count : 1;
}

static void phantoms_are_made_in_turn(void) {
  NEED_DISPLAY();
  GtkWidget *parent = adw_window_new(), *dialog = gantry_simulation_dialog_new(GTK_WINDOW(parent));
  ct_simulation simulation;
  ct_simulation_init(&simulation);
  simulation.views = 77;
  gantry_simulation_dialog_show(GANTRY_SIMULATION_DIALOG(dialog), &simulation, NULL);
  CHECK(largest_step(GTK_WINDOW(dialog)) < 0.25);
  CHECK(find_label_with(dialog, "77 views of "));
  gtk_window_destroy(GTK_WINDOW(parent));
  settle();
}

static void sources_are_made_in_turn(void) {
  NEED_DISPLAY();
  GtkWidget *parent = adw_window_new();
  const char *const presets[] = {NULL};
  const ct_dataset_list none = {0};
  const GantrySourceRequest request = {.name = "a.bin",
                                       .why = "Say how it is stored.",
                                       .datasets = &none,
                                       .layout = CT_LAYOUT_PROJECTIONS,
                                       .raw = TRUE,
                                       .bytes = 640,
                                       .presets = presets,
                                       .told = "files.dims.0=16\nfiles.dims.1=4"};
  GantrySourceDialog *dialog = gantry_source_dialog_new(GTK_WINDOW(parent), &request);
  CHECK(largest_step(GTK_WINDOW(dialog)) < 0.25);
  CHECK(find_label_with(GTK_WIDGET(dialog), "It holds 5 frames"));
  gtk_window_destroy(GTK_WINDOW(parent));
  settle();
}

static void keep_text(GantrySourcePresets *presets, const char *text, char **kept) {
  g_free(*kept);
  *kept = g_strdup(text);
}

static GtkWidget *find_trash(GtkWidget *widget) {
  const char *icon = GTK_IS_BUTTON(widget) ? gtk_button_get_icon_name(GTK_BUTTON(widget)) : NULL;
  if (!g_strcmp0(icon, "user-trash-symbolic")) return widget;
  for (GtkWidget *child = gtk_widget_get_first_child(widget); child; child = gtk_widget_get_next_sibling(child)) {
    GtkWidget *found = find_trash(child);
    if (found) return found;
  }
  return NULL;
}

static void presets_are_chosen_kept_and_forgotten(void) {
  NEED_DISPLAY();
  const char *const two[] = {"Alpha", "a", "Beta", "b", NULL};
  g_autofree char *chosen = NULL, *removed = NULL;
  GtkWidget *window = adw_window_new(), *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
  GantrySourcePresets *presets = gantry_source_presets_new(two);
  GtkWidget *group = gantry_source_presets_make_choice(presets);
  gtk_box_append(GTK_BOX(box), group);
  gtk_box_append(GTK_BOX(box), gantry_source_presets_make_saving(presets));
  adw_window_set_content(ADW_WINDOW(window), box);
  g_signal_connect(presets, "chosen", G_CALLBACK(keep_text), &chosen);
  g_signal_connect(presets, "removed", G_CALLBACK(keep_text), &removed);
  AdwComboRow *row = ADW_COMBO_ROW(find_widget(group, ADW_TYPE_COMBO_ROW));
  CHECK(row && gtk_widget_get_visible(group));
  adw_combo_row_set_selected(row, 2);
  CHECK(!g_strcmp0(chosen, "b"));
  /* One of the same name, and a new one: neither is chosen by that. */
  gantry_source_presets_put(presets, "Alpha", "A");
  gantry_source_presets_put(presets, "Gamma", "c");
  CHECK(adw_combo_row_get_selected(row) == 2 && find_label_with(box, "Saved as Gamma") && !g_strcmp0(chosen, "b"));
  adw_combo_row_set_selected(row, 3);
  CHECK(!g_strcmp0(chosen, "c"));
  adw_combo_row_set_selected(row, 1);
  CHECK(!g_strcmp0(chosen, "A"));
  /* What is forgotten leaves none chosen, and fills nothing. */
  gantry_source_presets_forget(presets, "Alpha");
  CHECK(adw_combo_row_get_selected(row) == 0 && !g_strcmp0(chosen, "A"));
  adw_combo_row_set_selected(row, 1);
  CHECK(!g_strcmp0(chosen, "b"));
  GtkWidget *trash = find_trash(group);
  CHECK(trash != NULL);
  if (trash) g_signal_emit_by_name(trash, "clicked");
  CHECK(!g_strcmp0(removed, "Beta"));
  gantry_source_presets_forget(presets, "Beta");
  gantry_source_presets_forget(presets, "Gamma");
  gantry_source_presets_forget(presets, "none of that name");
  CHECK(!gtk_widget_get_visible(group));
  g_object_unref(presets);
  gtk_window_destroy(GTK_WINDOW(window));
  settle();
}

static const ct_test tests[] = {
    {"the dialog of a new scan is made in turn", phantoms_are_made_in_turn},
    {"the dialog of a source is made in turn", sources_are_made_in_turn},
    {"presets of a source are chosen, kept and forgotten", presets_are_chosen_kept_and_forgotten},
};

WIDGET_TEST_MAIN(tests)
