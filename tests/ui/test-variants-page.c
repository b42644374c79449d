/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page "Compare Variants" without an engine: what varies, what refuses, the order of the table, the picture. */
#include "tests/test.h"

#include "tests/ui/widgets.h"
#include "ui/variants/page.h"

#include <glib/gstdio.h>
#include <math.h>

static int edits;

static void count_edit(GantryVariantsPage *page) {
  edits++;
}

static GantryVariantsPage *make_page(void) {
  static ct_backend backend;
  static const GantryVariantColumn columns[] = {
      {"name", "variant", "", TRUE}, {"kernel", "kernel", "", TRUE}, {"seconds", "whole", "s", FALSE}};
  ct_plan plan;
  ct_plan_init(&plan);
  backend = ct_backend_of_processor();
  GantryVariantsPage *page = g_object_ref_sink(GANTRY_VARIANTS_PAGE(gantry_variants_page_new()));
  gantry_variants_page_set_backend(page, &backend);
  gantry_variants_page_set_plan(page, &plan);
  gantry_variants_table_set_columns(gantry_variants_page_get_table(page), columns, G_N_ELEMENTS(columns));
  edits = 0;
  g_signal_connect(page, "edited", G_CALLBACK(count_edit), NULL);
  return page;
}

static GantryVariantAxis *axis_of(GtkWidget *widget, const char *key) {
  if (GANTRY_IS_VARIANT_AXIS(widget) &&
      g_str_equal(gantry_variant_axis_get_param(GANTRY_VARIANT_AXIS(widget))->key, key))
    return GANTRY_VARIANT_AXIS(widget);
  for (GtkWidget *child = gtk_widget_get_first_child(widget); child; child = gtk_widget_get_next_sibling(child)) {
    GantryVariantAxis *found = axis_of(child, key);
    if (found) return found;
  }
  return NULL;
}

static gboolean has_axis(GantryVariantsPage *page, const char *text) {
  g_auto(GStrv) axes = gantry_variants_page_dup_axes(page);
  return g_strv_contains((const char *const *)axes, text);
}

static void values_are_ticked(void) {
  NEED_DISPLAY();
  g_autoptr(GantryVariantsPage) page = make_page();
  CHECK(has_axis(page, "reconstruction.kernel=auto") && has_axis(page, "reconstruction.interpolation=linear") &&
        has_axis(page, "reconstruction.precision=float32"));
  gantry_variants_page_vary(page, ct_param_find("reconstruction.precision"), "float16,float32,nonsense");
  CHECK(edits == 1 && has_axis(page, "reconstruction.precision=float32,float16"));
  gantry_variants_page_vary(page, ct_param_find("filter.cutoff"), "0.5, 0.9 ,1");
  CHECK(has_axis(page, "filter.cutoff=0.5,0.9,1"));
  gantry_variants_page_vary(page, ct_param_find("reconstruction.mask"), "yes,no");
  CHECK(has_axis(page, "reconstruction.mask=yes,no"));
  /* Without a value a parameter does not vary; taken away it is no longer there. */
  gantry_variants_page_vary(page, ct_param_find("reconstruction.precision"), "");
  CHECK(!has_axis(page, "reconstruction.precision="));
  g_signal_emit_by_name(axis_of(GTK_WIDGET(page), "filter.cutoff"), "removed");
  CHECK(!axis_of(GTK_WIDGET(page), "filter.cutoff") && !has_axis(page, "filter.cutoff=0.5,0.9,1"));
}

static void every_parameter_is_offered_but_file_and_device(void) {
  size_t count, offered = 0;
  const ct_param *params = ct_params(&count);
  for (size_t i = 0; i < count; i++) offered += gantry_variant_axis_can_vary(&params[i]);
  CHECK(offered > 40 && offered < count);
  CHECK(!gantry_variant_axis_can_vary(ct_param_find("reconstruction.device")));
  CHECK(!gantry_variant_axis_can_vary(ct_param_find("output.format")));
}

static GantryKernelNote refuse_cubic(gpointer user, const char *key, const char *value) {
  const gboolean cubic = g_str_equal(key, "reconstruction.interpolation") && g_str_equal(value, "cubic");
  const gboolean slow = g_str_equal(key, "reconstruction.kernel") && g_str_equal(value, "serial-loop");
  return (GantryKernelNote){.refusal = cubic ? g_strdup("Cubic is not for this kernel.") : NULL,
                            .measured = slow ? g_strdup("0.093 GUPS") : NULL};
}

/* Also in a popover that is closed. */
static gboolean is_told(GtkWidget *widget, const char *words) {
  if (GTK_IS_LABEL(widget) && gtk_widget_get_visible(widget) &&
      strstr(gtk_label_get_text(GTK_LABEL(widget)), words) != NULL)
    return TRUE;
  for (GtkWidget *child = gtk_widget_get_first_child(widget); child; child = gtk_widget_get_next_sibling(child))
    if (is_told(child, words)) return TRUE;
  return FALSE;
}

static void what_refuses_says_why(void) {
  NEED_DISPLAY();
  g_autoptr(GantryVariantsPage) page = make_page();
  gantry_variants_page_set_ask(page, refuse_cubic, NULL);
  GantryVariantAxis *axis = axis_of(GTK_WIDGET(page), "reconstruction.interpolation");
  CHECK(!is_told(GTK_WIDGET(axis), "Cubic is not"));
  gantry_variant_axis_show_notes(axis);
  CHECK(is_told(GTK_WIDGET(axis), "Cubic is not for this kernel."));
  GantryVariantAxis *kernels = axis_of(GTK_WIDGET(page), "reconstruction.kernel");
  gantry_variant_axis_show_notes(kernels);
  CHECK(is_told(GTK_WIDGET(kernels), "0.093 GUPS") && is_told(GTK_WIDGET(kernels), "Ladders of the papers"));
  /* All that serve are ticked, but for the automatic choice among them. */
  gantry_variant_axis_tick_served(axis);
  CHECK(has_axis(page, "reconstruction.interpolation=nearest,linear,gaussian,oversampled"));
  gantry_variants_page_vary_kernels(page);
  CHECK(has_axis(page, "reconstruction.interpolation=linear"));
  g_autofree char *all = gantry_variant_axis_dup_values(axis_of(GTK_WIDGET(page), "reconstruction.kernel"));
  CHECK(strstr(all, "textbook,voxel-loop,") && !g_str_has_prefix(all, "auto"));
  axis = axis_of(GTK_WIDGET(page), "reconstruction.interpolation");
  gantry_variants_page_set_ask(page, NULL, NULL);
  gantry_variant_axis_show_notes(axis);
  CHECK(!is_told(GTK_WIDGET(axis), "Cubic is not"));
}

/* seconds NAN: it has failed. */
static void add_row(GantryVariantsPage *page, const char *name, double seconds, double error) {
  GListStore *items = gantry_variants_page_get_items(page);
  g_autoptr(GantryVariantItem) item =
      gantry_variant_item_new(g_list_model_get_n_items(G_LIST_MODEL(items)), name, 0, "Single, 32 bit");
  g_autofree char *text = isnan(seconds) ? g_strdup("") : g_strdup_printf("%g", seconds);
  g_list_store_append(items, item);
  gantry_variant_item_set_entries(item, (const char *const[]){name, "rows", text}, (double[]){NAN, NAN, seconds}, 3);
  if (isnan(seconds))
    gantry_variant_item_set_fate(item, GANTRY_VARIANT_BROKEN, "Cubic is not for this kernel.");
  else
    gantry_variant_item_set_fate(item, GANTRY_VARIANT_ENDED, NULL);
  gantry_variant_item_set_place(item, seconds, error);
}

static char *shown_order(GantryVariantsPage *page) {
  GListModel *shown = gantry_variants_table_get_shown(gantry_variants_page_get_table(page));
  GString *text = g_string_new(NULL);
  for (guint i = 0; i < g_list_model_get_n_items(shown); i++) {
    g_autoptr(GantryVariantItem) item = g_list_model_get_item(shown, i);
    g_string_append(text, gantry_variant_item_get_name(item));
  }
  return g_string_free(text, FALSE);
}

static void check_order(GantryVariantsPage *page, gsize column, gboolean descending, const char *expected) {
  gantry_variants_table_sort(gantry_variants_page_get_table(page), column, descending);
  g_autofree char *order = shown_order(page);
  CHECK(g_str_equal(order, expected));
}

static GantryVariantsPage *make_filled_page(void) {
  GantryVariantsPage *page = make_page();
  add_row(page, "b", 3, 0.1);
  add_row(page, "f", NAN, NAN);
  add_row(page, "c", 1, 1e-4);
  add_row(page, "a", 2, 0);
  gantry_variants_page_refresh(page);
  return page;
}

static void rows_without_numbers_stay_last(void) {
  NEED_DISPLAY();
  g_autoptr(GantryVariantsPage) page = make_filled_page();
  GListModel *items = G_LIST_MODEL(gantry_variants_page_get_items(page));
  g_autoptr(GantryVariantItem) first = g_list_model_get_item(items, 0);
  /* "b" has run, without a time. */
  gantry_variant_item_set_entries(first, (const char *const[]){"b", "rows", ""}, (double[]){NAN, NAN, NAN}, 3);
  check_order(page, 2, FALSE, "cabf");
  check_order(page, 2, TRUE, "acbf");
  check_order(page, 0, TRUE, "cbaf");
  check_order(page, 2, TRUE, "acbf");
}

static void failures_stay_last(void) {
  NEED_DISPLAY();
  g_autoptr(GantryVariantsPage) page = make_filled_page();
  g_autofree char *as_made = shown_order(page);
  CHECK(g_str_equal(as_made, "bcaf"));
  check_order(page, 2, FALSE, "cabf");
  check_order(page, 2, TRUE, "bacf");
  check_order(page, 0, FALSE, "abcf");
}

static void picture_is_of_what_has_an_error(void) {
  NEED_DISPLAY();
  g_autoptr(GantryVariantsPage) page = make_filled_page();
  GantryVariantsScatter *scatter = gantry_variants_page_get_scatter(page);
  CHECK(gantry_variants_scatter_count(scatter) == 2);
  g_autofree char *folder = g_dir_make_tmp("gantry-variants-XXXXXX", NULL);
  ct_error *error = NULL;
  for (int i = 0; i < 2; i++) {
    g_autofree char *path = g_build_filename(folder, i ? "picture.png" : "picture.svg", NULL), *bytes = NULL;
    gsize length = 0;
    CHECK(gantry_variants_scatter_save(scatter, path, &error));
    CHECK(g_file_get_contents(path, &bytes, &length, NULL) && length > 1000);
    CHECK(i ? !memcmp(bytes, "\x89PNG", 4) : g_str_has_prefix(bytes, "<?xml"));
    g_unlink(path);
  }
  CHECK(!gantry_variants_scatter_save(scatter, "picture.txt", &error) && error->code == CT_ERROR_ARGUMENT);
  ct_error_clear(&error);
  g_rmdir(folder);
}

/* The drop-down whose first entry is that. */
static GtkDropDown *drop_down_of(GtkWidget *widget, const char *first) {
  GListModel *model = GTK_IS_DROP_DOWN(widget) ? gtk_drop_down_get_model(GTK_DROP_DOWN(widget)) : NULL;
  if (model && g_list_model_get_n_items(model) > 0 &&
      g_str_equal(gtk_string_list_get_string(GTK_STRING_LIST(model), 0), first))
    return GTK_DROP_DOWN(widget);
  for (GtkWidget *child = gtk_widget_get_first_child(widget); child; child = gtk_widget_get_next_sibling(child)) {
    GtkDropDown *found = drop_down_of(child, first);
    if (found) return found;
  }
  return NULL;
}

static void reference_stays_where_it_is_offered(void) {
  NEED_DISPLAY();
  g_autoptr(GantryVariantsPage) page = make_page();
  gantry_variants_page_set_references(page, (const char *const[]){"textbook", "row:half"},
                                      (const char *const[]){"Textbook", "half"}, 2);
  CHECK(g_str_equal(gantry_variants_page_get_reference(page), "textbook") && edits == 0);
  gtk_drop_down_set_selected(drop_down_of(GTK_WIDGET(page), "Textbook"), 1);
  CHECK(g_str_equal(gantry_variants_page_get_reference(page), "row:half") && edits == 1);
  gantry_variants_page_set_references(page, (const char *const[]){"textbook", "reference", "row:half"},
                                      (const char *const[]){"Textbook", "B", "half"}, 3);
  CHECK(g_str_equal(gantry_variants_page_get_reference(page), "row:half"));
  gantry_variants_page_set_references(page, (const char *const[]){"textbook"}, (const char *const[]){"Textbook"}, 1);
  CHECK(g_str_equal(gantry_variants_page_get_reference(page), "textbook") && edits == 1);
}

static const ct_test tests[] = {
    {"values are ticked or typed", values_are_ticked},
    {"every parameter is offered but the file's and the device", every_parameter_is_offered_but_file_and_device},
    {"what refuses says why", what_refuses_says_why},
    {"failures stay last in any order", failures_stay_last},
    {"rows without numbers stay last either way", rows_without_numbers_stay_last},
    {"the picture is of what has an error", picture_is_of_what_has_an_error},
    {"the reference stays where it is offered", reference_stays_where_it_is_offered},
};

WIDGET_TEST_MAIN(tests)
