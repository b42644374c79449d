/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the page's choice comes to, before it is run: the rows, which of them refuse and why, what errors can be taken
 * against. */
#include "app/session/variant-grid-private.h"

#include "app/variants-refusals.h"
#include "recon/bp/choices.h"

#include <string.h>

#define TEXTBOOK "textbook"
#define REFERENCE "reference"
#define ROW "row:"

gsize gantry_variant_grid_columns(const gantry_column *columns[GANTRY_SHOWN_COLUMNS]) {
  size_t all;
  const gantry_column *table = gantry_columns(&all);
  gsize count = 0;
  for (size_t i = 0; i < all && count < GANTRY_SHOWN_COLUMNS; i++)
    if (!table[i].aside) columns[count++] = &table[i];
  return count;
}

GantryVariantItem *gantry_variant_grid_item(const gantry_variants *rows, size_t row) {
  const int precision = rows->rows[row].plan.precision;
  return gantry_variant_item_new((guint)row, rows->rows[row].name, precision,
                                 ct_choice_title(ct_precision_choices, precision));
}

gboolean gantry_variant_grid_list(GantryVariantGrid *self, const char *key, const char *value, gantry_variants *rows,
                                  ct_error **error) {
  g_auto(GStrv) axes = gantry_variants_page_dup_axes(gantry_variant_grid_page(self));
  g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func(g_free);
  gboolean found = FALSE;
  for (char **axis = axes; *axis; axis++) {
    const gboolean other = key && g_str_has_prefix(*axis, key) && (*axis)[strlen(key)] == '=';
    g_ptr_array_add(texts, other ? g_strdup_printf("%s=%s", key, value) : g_strdup(*axis));
    found |= other;
  }
  if (key && !found) g_ptr_array_add(texts, g_strdup_printf("%s=%s", key, value));
  return gantry_variants_init(rows, gantry_plan_editor_get(self->with.editor), (const char *const *)texts->pdata,
                              texts->len, error);
}

/* The index of the axial slice on screen in the grid that the plan makes; -1: the middle. */
static int shown_slice(GantryVariantGrid *self) {
  GantryScan *scan = gantry_scan_slot_get(self->with.slot);
  const ct_plan *plan = gantry_plan_editor_get(self->with.editor);
  double cross[3];
  ct_geometry geometry;
  ct_grid grid;
  if (!scan || !ct_plan_geometry(plan, gantry_scan_get(scan), &geometry, NULL)) return -1;
  const bool good = ct_plan_grid(plan, &geometry, &grid, NULL);
  ct_geometry_clear(&geometry);
  if (!good) return -1;
  gantry_display_get_cross(gantry_window_get_display(self->with.context->window), cross);
  return gantry_plane_index(&grid, CT_AXIAL, cross[2]);
}

gantry_variants_request gantry_variant_grid_request(GantryVariantGrid *self) {
  GantryVariantsPage *page = gantry_variant_grid_page(self);
  const GantryExtent extent = gantry_variants_page_get_extent(page);
  return (gantry_variants_request){.one_slice = extent != GANTRY_EXTENT_VOLUME,
                                   .plane = CT_AXIAL,
                                   .index = extent == GANTRY_EXTENT_SHOWN ? shown_slice(self) : -1,
                                   .repeat = gantry_variants_page_get_repeat(page)};
}

/* The reference */

gboolean gantry_variant_grid_find_reference(GantryVariantGrid *self, const gantry_variants *rows, ct_plan *plan,
                                            GantryResult **volume, ct_error **error) {
  const char *id = gantry_variants_page_get_reference(gantry_variant_grid_page(self));
  *volume = !g_strcmp0(id, REFERENCE) ? gantry_reference_get_result(self->with.reference) : NULL;
  if (*volume) return TRUE;
  if (id && g_str_has_prefix(id, ROW)) {
    for (size_t i = 0; i < rows->count; i++)
      if (g_str_equal(rows->rows[i].name, id + strlen(ROW))) {
        *plan = rows->rows[i].plan;
        return TRUE;
      }
  }
  return gantry_variants_reference(rows, TEXTBOOK, plan, error);
}

char *gantry_variant_grid_reference_words(GantryVariantGrid *self) {
  const char *id = gantry_variants_page_get_reference(gantry_variant_grid_page(self));
  g_autofree char *b = gantry_reference_dup_title(self->with.reference);
  if (!g_strcmp0(id, REFERENCE) && b) return g_strdup_printf("the reference B, %s", b);
  if (id && g_str_has_prefix(id, ROW)) return g_strdup_printf("the variant \"%s\"", id + strlen(ROW));
  return g_strdup("kernel textbook, float64, linear interpolation");
}

gboolean gantry_variant_grid_is_against_textbook(GantryVariantGrid *self) {
  const char *id = gantry_variants_page_get_reference(gantry_variant_grid_page(self));
  return !id || g_str_equal(id, TEXTBOOK);
}

static void offer_references(GantryVariantGrid *self, const gantry_variants *rows) {
  g_autoptr(GPtrArray) ids = g_ptr_array_new_with_free_func(g_free), titles = g_ptr_array_new_with_free_func(g_free);
  g_autofree char *b = gantry_reference_dup_title(self->with.reference);
  g_ptr_array_add(ids, g_strdup(TEXTBOOK));
  g_ptr_array_add(titles, g_strdup("Textbook in double precision"));
  if (b && gantry_reference_get_result(self->with.reference)) {
    g_ptr_array_add(ids, g_strdup(REFERENCE));
    g_ptr_array_add(titles, g_strdup_printf("B: %s", b));
  }
  for (size_t i = 0; i < rows->count && rows->count > 1; i++) {
    g_ptr_array_add(ids, g_strdup_printf(ROW "%s", rows->rows[i].name));
    g_ptr_array_add(titles, g_strdup(rows->rows[i].name));
  }
  gantry_variants_page_set_references(gantry_variant_grid_page(self), (const char *const *)ids->pdata,
                                      (const char *const *)titles->pdata, ids->len);
}

/* What refuses */

/* NULL: nothing stands against it. */
static char *refusal_of(GantryVariantGrid *self, const ct_plan *plan, const gantry_variants_request *request) {
  ct_error *error = NULL;
  GantryContext *context = self->with.context;
  const gboolean device = gantry_plan_panel_get_device(gantry_context_get_panel(context)) != NULL;
  if (gantry_variant_serves(plan, request, gantry_scan_get(gantry_scan_slot_get(self->with.slot)),
                            gantry_backend_get(context->backend), device, &error))
    return NULL;
  char *words = g_strdup(error ? error->message : "It cannot be carried out.");
  ct_error_clear(&error);
  return words;
}

static char *speed_of(GantryVariantGrid *self, const ct_plan *plan, gboolean one_slice) {
  ct_plan filled = *plan;
  gantry_context_fill_plan(self->with.context, &filled);
  const gboolean direct = plan->iterative.method == CT_METHOD_DIRECT && !g_str_equal(plan->kernel, "auto");
  return direct ? gantry_kernel_speeds_dup_words(self->with.speeds, &filled, one_slice) : NULL;
}

/* Of a value: what all of the variants with it say; of a kernel how fast the first of them was. */
static GantryKernelNote ask_value(gpointer user, const char *key, const char *value) {
  GantryVariantGrid *self = user;
  gantry_variants rows;
  GantryKernelNote note = {0};
  if (!gantry_variant_grid_page(self) || !gantry_scan_slot_get(self->with.slot) ||
      !gantry_variant_grid_list(self, key, value, &rows, NULL))
    return note;
  const gantry_variants_request request = gantry_variant_grid_request(self);
  for (size_t i = 0; i < rows.count; i++) {
    g_autofree char *words = refusal_of(self, &rows.rows[i].plan, &request);
    if (!words) g_clear_pointer(&note.refusal, g_free);
    if (!words) break;
    if (!note.refusal) note.refusal = g_steal_pointer(&words);
  }
  if (ct_param_find(key)->offset == offsetof(ct_plan, kernel))
    note.measured = speed_of(self, &rows.rows[0].plan, request.one_slice);
  gantry_variants_clear(&rows);
  return note;
}

GantryKernelNote gantry_variant_grid_ask_kernel(gpointer grid, const char *kernel) {
  GantryVariantGrid *self = grid;
  const gantry_variants_request volume = {.repeat = 1};
  GantryKernelNote note = {0};
  ct_plan plan = *gantry_plan_editor_get(self->with.editor);
  if (!self->with.context->window || !gantry_scan_slot_get(self->with.slot)) return note;
  g_strlcpy(plan.kernel, kernel, sizeof plan.kernel);
  note.refusal = refusal_of(self, &plan, &volume);
  note.measured = speed_of(self, &plan, FALSE);
  return note;
}

void gantry_variant_grid_measure_kernels(GantryVariantGrid *self) {
  GantryVariantsPage *page = gantry_variant_grid_page(self);
  if (!page || !gantry_scan_slot_get(self->with.slot)) return;
  gtk_widget_activate_action(GTK_WIDGET(page), "win.compare-variants", NULL);
  gantry_variants_page_set_plan(page, gantry_plan_editor_get(self->with.editor));
  gantry_variants_page_vary_kernels(page);
}

/* The list */

static gboolean says_the_same(GantryVariantItem *a, GantryVariantItem *b) {
  return gantry_variant_item_get_fate(a) == gantry_variant_item_get_fate(b) &&
         gantry_variant_item_get_group(a) == gantry_variant_item_get_group(b) &&
         !g_strcmp0(gantry_variant_item_get_name(a), gantry_variant_item_get_name(b)) &&
         !g_strcmp0(gantry_variant_item_get_words(a), gantry_variant_item_get_words(b));
}

static gboolean is_listed(GListModel *items, GPtrArray *rows) {
  if (g_list_model_get_n_items(items) != rows->len) return FALSE;
  for (guint i = 0; i < rows->len; i++) {
    g_autoptr(GantryVariantItem) item = g_list_model_get_item(items, i);
    if (!says_the_same(item, rows->pdata[i])) return FALSE;
  }
  return TRUE;
}

/* Rows that stay as they are are not made anew: a table of them takes tens of milliseconds, at each change of a value.
 */
static guint list_items(GantryVariantGrid *self, const gantry_variants *rows, gboolean shown) {
  GListStore *items = gantry_variants_page_get_items(gantry_variant_grid_page(self));
  const gantry_variants_request request = gantry_variant_grid_request(self);
  g_autoptr(GPtrArray) listed = g_ptr_array_new_with_free_func(g_object_unref);
  guint refusals = 0;
  for (size_t i = 0; i < rows->count; i++) {
    g_autofree char *words = refusal_of(self, &rows->rows[i].plan, &request);
    refusals += words != NULL;
    GantryVariantItem *item = gantry_variant_grid_item(rows, i);
    gantry_variant_item_set_fate(item, words ? GANTRY_VARIANT_REFUSED : GANTRY_VARIANT_LISTED, words);
    g_ptr_array_add(listed, item);
  }
  if (shown && !is_listed(G_LIST_MODEL(items), listed))
    g_list_store_splice(items, 0, g_list_model_get_n_items(G_LIST_MODEL(items)), listed->pdata, listed->len);
  return refusals;
}

static void summarise(GantryVariantGrid *self, const gantry_variants *rows, guint refusals) {
  g_autoptr(GString) text = g_string_new(NULL);
  g_string_printf(text, "%zu variant%s", rows->count, rows->count == 1 ? "" : "s");
  if (refusals) g_string_append_printf(text, ", of which %u refuse%s", refusals, refusals == 1 ? "s" : "");
  if (rows->repeated) g_string_append_printf(text, "; %zu that make the same left out", rows->repeated);
  g_autofree char *unkept = self->made.count ? gantry_variant_grid_dup_unkept(self) : NULL;
  if (self->made.count) g_string_append(text, ". The table is of the last run.");
  if (unkept) g_string_append_printf(text, " Another run replaces it: %s.", unkept);
  gantry_variants_page_set_summary(gantry_variant_grid_page(self), text->str);
}

void gantry_variant_grid_update(GantryVariantGrid *self) {
  GantryVariantsPage *page = gantry_variant_grid_page(self);
  gantry_variants rows;
  ct_error *error = NULL;
  if (!page || !gtk_widget_get_mapped(GTK_WIDGET(page)) || !gantry_scan_slot_get(self->with.slot)) return;
  gantry_variants_page_set_plan(page, gantry_plan_editor_get(self->with.editor));
  self->listed = 0;
  if (gantry_variant_grid_list(self, NULL, NULL, &rows, &error)) {
    const guint refusals = list_items(self, &rows, !self->made.count && !self->task);
    self->listed = rows.count;
    offer_references(self, &rows);
    summarise(self, &rows, refusals);
    gantry_variants_clear(&rows);
  } else {
    gantry_variants_page_set_summary(page, error->message);
    ct_error_clear(&error);
  }
  gantry_variants_page_refresh(page);
  gantry_context_changed(self->with.context);
}

/* The page */

static void page_chosen(GantryVariantsPage *page, GantryVariantGrid *self) {
  gantry_context_changed(self->with.context);
}

static void page_activated(GantryVariantsPage *page, GantryVariantGrid *self) {
  gtk_widget_activate_action(GTK_WIDGET(page), "win.variant-show", NULL);
}

void gantry_variant_grid_connect(GantryVariantGrid *self) {
  GantryVariantsPage *page = gantry_variant_grid_page(self);
  const gantry_column *columns[GANTRY_SHOWN_COLUMNS];
  GantryVariantColumn shown[GANTRY_SHOWN_COLUMNS];
  const gsize count = gantry_variant_grid_columns(columns);
  for (gsize i = 0; i < count; i++)
    shown[i] = (GantryVariantColumn){columns[i]->key, columns[i]->title, columns[i]->unit, columns[i]->text != NULL};
  gantry_variants_table_set_columns(gantry_variants_page_get_table(page), shown, count);
  gantry_variants_page_set_backend(page, gantry_backend_get(self->with.context->backend));
  gantry_variants_page_set_ask(page, ask_value, self);
  gantry_plan_panel_set_ask_kernel(gantry_context_get_panel(self->with.context), gantry_variant_grid_ask_kernel, self);
  g_signal_connect_object(page, "edited", G_CALLBACK(gantry_variant_grid_update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(page, "map", G_CALLBACK(gantry_variant_grid_update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(page, "activated", G_CALLBACK(page_activated), self, 0);
  g_signal_connect_object(page, "chosen", G_CALLBACK(page_chosen), self, 0);
}
