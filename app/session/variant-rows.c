/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is asked of a row that has ended, and the files of the table. */
#include "app/session/variant-grid-private.h"

#include "app/errors.h"
#include "recon/base/text-stream.h"
#include "recon/base/memory.h"
#include "recon/base/output.h"
#include "recon/base/path.h"
#include "ui/shown.h"

#include <stdio.h>
#include <stdlib.h>

/* The chosen row; -1: none that has been run. */
static int chosen(GantryVariantGrid *self) {
  GantryVariantsPage *page = gantry_variant_grid_page(self);
  GantryVariantItem *item = page ? gantry_variants_table_get_chosen(gantry_variants_page_get_table(page)) : NULL;
  if (!item || !self->results) return -1;
  return (int)gantry_variant_item_get_index(item);
}

static GantryResult *chosen_result(GantryVariantGrid *self) {
  const int row = chosen(self);
  return row >= 0 && row < (int)self->results->len ? self->results->pdata[row] : NULL;
}

/* It may have been taken off the shelf since. */
gboolean gantry_variant_grid_has_volume(GantryVariantGrid *self) {
  const GantryResult *result = chosen_result(self);
  return result && (result->volume || gantry_shelf_find(self->with.shelf, result));
}

/* The shelf */

/* Where it lies on the shelf, on which it is put where it does not: then the shelf's is the only one, so that it can
 * leave the memory. NULL: it was removed from there. */
static GantryEntry *entry_of(GantryVariantGrid *self, GantryResult *result) {
  GantryEntry *entry = gantry_shelf_find(self->with.shelf, result);
  if (!entry && !result->volume) return NULL;
  if (!entry) entry = gantry_shelf_add(self->with.shelf, gantry_result_ref(result));
  const int row = chosen(self);
  if (result->volume) {
    self->results->pdata[row] = gantry_result_new_alike(result, NULL);
    gantry_result_unref(result);
  }
  gantry_variant_grid_update(self);
  return entry;
}

static void show_brought(gpointer user, GantryEntry *entry) {
  GantryVariantGrid *self = user;
  if (!self->with.context->window) return;
  gantry_slices_show_entry(self->with.slices, entry);
  gantry_window_show_views(self->with.context->window);
}

static void compare_brought(gpointer user, GantryEntry *entry) {
  GantryVariantGrid *self = user;
  if (!self->with.context->window) return;
  gantry_reference_set_entry(self->with.reference, entry);
  gantry_context_toast(self->with.context, GANTRY_ABOUT_REFERENCE, "_Views", "win.show-views", "Reference B: %s",
                       gantry_entry_get_name(entry));
}

static void bring(GantryVariantGrid *self, GantryBrought brought) {
  GantryResult *result = chosen_result(self);
  GantryEntry *entry = result ? entry_of(self, result) : NULL;
  if (entry) gantry_shelf_store_bring(self->with.store, entry, brought, self);
}

void gantry_variant_grid_show(GantryVariantGrid *self) {
  bring(self, show_brought);
}

void gantry_variant_grid_make_reference(GantryVariantGrid *self) {
  bring(self, compare_brought);
}

void gantry_variant_grid_put_on_shelf(GantryVariantGrid *self) {
  GantryResult *result = chosen_result(self);
  if (!result) return;
  const gboolean there = gantry_shelf_find(self->with.shelf, result) != NULL;
  GantryEntry *entry = entry_of(self, result);
  if (!entry) return;
  gantry_context_toast(self->with.context, GANTRY_ABOUT_RUN, "_Views", "win.show-views",
                       there ? "It lies on the shelf already: %s" : "On the shelf: %s", gantry_entry_get_name(entry));
}

gboolean gantry_variant_grid_has_values(GantryVariantGrid *self) {
  const int row = chosen(self);
  return row >= 0 && (gsize)row < self->asked_count;
}

void gantry_variant_grid_use_values(GantryVariantGrid *self) {
  if (!gantry_variant_grid_has_values(self)) return;
  const int row = chosen(self);
  gantry_plan_editor_take(self->with.editor, &self->asked[row], NULL);
  gantry_context_toast(self->with.context, GANTRY_ABOUT_PLAN, "_Undo", "win.undo", "The plan has the values of: %s",
                       gantry_variant_grid_rows(self)->rows[row].name);
}

/* Files */

gboolean gantry_variant_grid_can_save(GantryVariantGrid *self) {
  return self->made.count > 0 && !self->task;
}

/* The rows in the order on screen (g_free). */
static size_t *shown_order(GantryVariantGrid *self) {
  GListModel *shown = gantry_variants_table_get_shown(gantry_variants_page_get_table(gantry_variant_grid_page(self)));
  size_t *order = g_new0(size_t, self->made.count);
  for (guint i = 0; i < g_list_model_get_n_items(shown) && i < self->made.count; i++) {
    g_autoptr(GantryVariantItem) item = g_list_model_get_item(shown, i);
    order[i] = gantry_variant_item_get_index(item);
  }
  return order;
}

/* As ct_free'd text. */
static char *markdown(const gantry_variants *rows, const size_t *order, ct_error **error) {
  char *text = NULL, *copy = NULL;
  size_t size = 0;
  FILE *to = ct_text_stream(&text, &size);
  if (to) gantry_variants_print(rows, order, true, to);
  if (to && fclose(to) == 0) copy = ct_strdup(text, error);
  free(text);
  if (!copy && !*error) ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory for the table.");
  return copy;
}

static char *table_text(GantryVariantGrid *self, const char *path, ct_error **error) {
  const gantry_variants *rows = &self->made;
  const gantry_table_head head = {gantry_scan_get_name(gantry_scan_slot_get(self->with.slot)), self->against,
                                  self->frozen};
  g_autofree size_t *order = shown_order(self);
  if (ct_path_has_extension(path, "json")) return gantry_variants_json(rows, &head, order, error);
  if (ct_path_has_extension(path, "md")) return markdown(rows, order, error);
  if (ct_path_has_extension(path, "csv")) return gantry_variants_csv(rows, &head, order, error);
  ct_error_set(error, CT_ERROR_ARGUMENT, "%s: a table is saved as .csv, .json or .md; choose one of them.", path);
  return NULL;
}

static bool write_table(GantryVariantGrid *self, const char *path, ct_error **error) {
  char *text = table_text(self, path, error);
  const bool good = text && ct_output_write_text(path, text, error);
  ct_free(text);
  return good;
}

static bool write_picture(GantryVariantGrid *self, const char *path, ct_error **error) {
  return gantry_variants_scatter_save(gantry_variants_page_get_scatter(gantry_variant_grid_page(self)), path, error);
}

static gboolean write_file(GantryVariantGrid *self, GtkNativeDialog *dialog, int response,
                           bool (*write)(GantryVariantGrid *self, const char *path, ct_error **error)) {
  g_autofree char *path = gantry_dialogs_end_with_path(self->with.dialogs, dialog, response);
  ct_error *fault = NULL;
  gboolean refused = FALSE;
  if (!path || !gantry_variant_grid_can_save(self)) return FALSE;
  g_signal_emit_by_name(self->with.context->window, "refuses-output", path, &refused);
  if (refused) return FALSE;
  if (!write(self, path, &fault)) {
    g_autoptr(GError) error = NULL;
    gantry_take_ct_error(&error, &fault);
    g_autofree char *sentence = gantry_error_sentence(error);
    gantry_variants_page_set_note(gantry_variant_grid_page(self), sentence, TRUE);
    return FALSE;
  }
  g_autofree char *name = gantry_shown_name(path);
  gantry_context_toast(self->with.context, GANTRY_ABOUT_FILE, NULL, NULL, "Saved %s", name);
  return TRUE;
}

static void table_answered(GtkNativeDialog *dialog, int response, gpointer user) {
  GantryVariantGrid *self = user;
  self->saved |= write_file(self, dialog, response, write_table);
}

static void picture_answered(GtkNativeDialog *dialog, int response, gpointer self) {
  write_file(self, dialog, response, write_picture);
}

static void ask(GantryVariantGrid *self, const char *title, const char *const filters[][2], const char *extension,
                GCallback answered) {
  GantryDialogs *dialogs = self->with.dialogs;
  if (!gantry_variant_grid_can_save(self) || gantry_dialogs_is_open(dialogs)) return;
  GtkFileChooser *chooser = gantry_dialogs_begin(dialogs, title, GTK_FILE_CHOOSER_ACTION_SAVE, "_Save", answered, self);
  for (int i = 0; filters[i][0]; i++) gantry_dialogs_add_filter(dialogs, filters[i][0], filters[i][1]);
  g_autofree char *file = g_strdup_printf("variants.%s", extension);
  gtk_file_chooser_set_current_name(chooser, file);
  gantry_dialogs_show(dialogs);
}

void gantry_variant_grid_save_table(GantryVariantGrid *self) {
  static const char *const filters[][2] = {{"Table (.csv)", "csv"},
                                           {"JSON, with plans and warnings (.json)", "json"},
                                           {"Markdown (.md)", "md"},
                                           {NULL, NULL}};
  ask(self, "Save the Table", filters, "csv", G_CALLBACK(table_answered));
}

void gantry_variant_grid_save_picture(GantryVariantGrid *self) {
  static const char *const filters[][2] = {
      {"SVG drawing (.svg)", "svg"}, {"PNG picture (.png)", "png"}, {"PDF drawing (.pdf)", "pdf"}, {NULL, NULL}};
  ask(self, "Save the Picture", filters, "svg", G_CALLBACK(picture_answered));
}
