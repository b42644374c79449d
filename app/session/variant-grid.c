/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows are those of app/variants.h; the page's items are made of them. While a run is under way its rows are the
 * task's, and the main loop looks ten times a second which have ended. */
#include "app/session/variant-grid-private.h"

#include "app/errors.h"
#include "app/progress-text.h"
#include "recon/base/units.h"

#include <math.h>

#define LOOK_MS 100

G_DEFINE_FINAL_TYPE(GantryVariantGrid, gantry_variant_grid, G_TYPE_OBJECT)

static void forget_rows(GantryVariantGrid *self) {
  gantry_variants_clear(&self->made);
  g_clear_pointer(&self->results, g_ptr_array_unref);
  g_clear_pointer(&self->asked, g_free);
  g_clear_pointer(&self->against, g_free);
  self->saved = FALSE;
  self->frozen[0] = 0;
}

static void gantry_variant_grid_finalize(GObject *object) {
  GantryVariantGrid *self = GANTRY_VARIANT_GRID(object);
  g_clear_handle_id(&self->timer, g_source_remove);
  forget_rows(self);
  gantry_context_unref(self->with.context);
  G_OBJECT_CLASS(gantry_variant_grid_parent_class)->finalize(object);
}

static void gantry_variant_grid_class_init(GantryVariantGridClass *klass) {
  G_OBJECT_CLASS(klass)->finalize = gantry_variant_grid_finalize;
}

static void gantry_variant_grid_init(GantryVariantGrid *self) {}

GantryVariantGrid *gantry_variant_grid_new(const GantryVariantGridParts *parts) {
  GantryVariantGrid *self = g_object_new(GANTRY_TYPE_VARIANT_GRID, NULL);
  self->with = *parts;
  gantry_context_ref(parts->context);
  return self;
}

/* Rows that have ended */

static void show_entries(GantryVariantGrid *self, GantryVariantItem *item, const gantry_variant *row) {
  const gantry_column *columns[GANTRY_SHOWN_COLUMNS];
  const gsize count = gantry_variant_grid_columns(columns);
  char *entries[GANTRY_SHOWN_COLUMNS];
  double numbers[GANTRY_SHOWN_COLUMNS];
  for (gsize i = 0; i < count; i++) {
    numbers[i] = columns[i]->number ? columns[i]->number(row) : NAN;
    entries[i] = columns[i]->text    ? g_strdup(columns[i]->text(row))
                 : isnan(numbers[i]) ? g_strdup("")
                 : isinf(numbers[i]) ? g_strdup("∞")
                                     : gantry_quantity_text(numbers[i], columns[i]->digits, NULL);
  }
  gantry_variant_item_set_entries(item, (const char *const *)entries, numbers, count);
  for (gsize i = 0; i < count; i++) g_free(entries[i]);
}

static void show_row(GantryVariantGrid *self, GantryVariantItem *item, const gantry_variant *row) {
  const gboolean broken = row->state == GANTRY_VARIANT_FAILED;
  g_autoptr(GString) words = g_string_new(row->reason);
  for (int i = 0; i < row->warnings.count; i++)
    g_string_append_printf(words, "%s%s", words->len ? " " : "", row->warnings.items[i].text);
  gantry_variant_item_set_fate(item, broken ? GANTRY_VARIANT_BROKEN : GANTRY_VARIANT_ENDED,
                               words->len ? words->str : NULL);
  show_entries(self, item, row);
  if (!broken && row->compared) gantry_variant_item_set_place(item, row->seconds, row->metrics.relative_rmse);
}

static GantryVariantItem *item_at(GantryVariantGrid *self, gsize row) {
  GListStore *items = gantry_variants_page_get_items(gantry_variant_grid_page(self));
  GantryVariantItem *item = g_list_model_get_item(G_LIST_MODEL(items), (guint)row);
  if (item) g_object_unref(item);
  return item;
}

/* Brings the table up to date with the task. */
static void take_rows(GantryVariantGrid *self, gboolean over) {
  const gantry_variants *rows = &self->task->variants;
  GantryPlansState state;
  gboolean fresh = FALSE;
  gantry_plans_task_get_state(self->task, &state);
  for (gsize i = 0; i < rows->count; i++) {
    GantryVariantItem *item = item_at(self, i);
    GantryResult *result;
    const GantryVariantFate fate = gantry_variant_item_get_fate(item);
    if (gantry_plans_task_take(self->task, i, &result)) {
      if (fate == GANTRY_VARIANT_ENDED || fate == GANTRY_VARIANT_BROKEN) continue;
      self->results->pdata[i] = result ? gantry_result_ref(result) : NULL;
      show_row(self, item, &rows->rows[i]);
      fresh = TRUE;
    } else {
      const gboolean runs = state.begun && state.running == i;
      gantry_variant_item_set_fate(item,
                                   over   ? GANTRY_VARIANT_LEFT
                                   : runs ? GANTRY_VARIANT_RUNNING
                                          : GANTRY_VARIANT_LISTED,
                                   NULL);
    }
  }
  if (fresh || over) {
    gantry_variants_page_refresh(gantry_variant_grid_page(self));
    gantry_context_changed(self->with.context);
  }
}

/* The run */

/* "variant 3 of 24: half", "the reference", "reading" */
static char *where(GantryPlansTask *task, const GantryPlansState *state) {
  const gantry_variants *rows = &task->variants;
  if (!state->begun) return g_strdup_printf("%zu variants", rows->count);
  if (state->running >= rows->count) return g_strdup_printf("the reference of %zu variants", rows->count);
  return g_strdup_printf("variant %zu of %zu: %s", state->ended + 1, rows->count, rows->rows[state->running].name);
}

static char *time_left(const GantryPlansState *state) {
  char time[48];
  if (state->remaining < 0) return g_strdup("");
  return g_strdup_printf(" · about %s left in all", ct_format_duration(state->remaining, time, sizeof time));
}

static char *progress_text(GantryTask *task, const ct_progress *progress, gpointer user) {
  GantryPlansState state;
  gantry_plans_task_get_state((GantryPlansTask *)task, &state);
  ct_progress shown = *progress;
  shown.remaining = -1; /* of all there is left the row's end says little */
  g_autofree char *place = where((GantryPlansTask *)task, &state), *left = time_left(&state),
                  *stage = gantry_progress_text(&shown, 0, NULL);
  return g_strdup_printf("%s · %s%s", place, stage, left);
}

static gboolean look(gpointer data) {
  GantryVariantGrid *self = data;
  if (!self->task || !gantry_variant_grid_page(self)) {
    self->timer = 0;
    return G_SOURCE_REMOVE;
  }
  GantryPlansState state;
  gantry_plans_task_get_state(self->task, &state);
  g_autofree char *place = where(self->task, &state), *left = time_left(&state);
  g_autofree char *text = g_strdup_printf("%c%s%s", g_ascii_toupper(*place), place + 1, left);
  const double all = (double)self->task->variants.count;
  gantry_variants_page_set_progress(gantry_variant_grid_page(self), state.begun ? (double)state.ended / all : -1, text);
  take_rows(self, FALSE);
  return G_SOURCE_CONTINUE;
}

static void tell_end(GantryVariantGrid *self, const GantryPlansTask *task) {
  GantryVariantsPage *page = gantry_variant_grid_page(self);
  const GError *error = task->work.error;
  GantryPlansState state;
  gantry_plans_task_get_state((GantryPlansTask *)task, &state);
  g_autofree char *same = *self->frozen ? g_strdup_printf("The same for all: %s.", self->frozen) : NULL;
  if (error && !gantry_error_is_cancelled(error)) {
    g_autofree char *sentence = gantry_error_sentence(error);
    gantry_variants_page_set_note(page, sentence, TRUE);
  } else if (error || task->work.task.dropped) {
    g_autofree char *text = g_strdup_printf("Cancelled: %zu of %zu variants have run, and stay. %s", state.ended,
                                            task->variants.count, same ? same : "");
    gantry_variants_page_set_note(page, text, FALSE);
  } else {
    g_autofree char *against = g_strdup_printf("Errors against %s. %s", self->against, same ? same : "");
    gantry_variants_page_set_note(page, against, FALSE);
  }
}

static void done(gpointer owner, GantryTask *answered) {
  GantryVariantGrid *self = owner;
  GantryPlansTask *task = (GantryPlansTask *)answered;
  gantry_jobs_end(self->with.jobs, answered);
  if (self->task != task) return; /* of another scan */
  if (self->with.context->window) {
    g_strlcpy(self->frozen, task->frozen, sizeof self->frozen);
    take_rows(self, TRUE);
    tell_end(self, task);
    gantry_variants_page_set_progress(gantry_variant_grid_page(self), 0, NULL);
  }
  gantry_kernel_speeds_take_rows(self->with.speeds, &task->variants, self->textbook);
  self->made = task->variants;
  task->variants = (gantry_variants){0};
  self->task = NULL;
  gantry_context_changed(self->with.context);
  gantry_variant_grid_update(self);
}

static void fill_items(GantryVariantGrid *self, const gantry_variants *rows) {
  GListStore *items = gantry_variants_page_get_items(gantry_variant_grid_page(self));
  g_list_store_remove_all(items);
  for (size_t i = 0; i < rows->count; i++) {
    g_autoptr(GantryVariantItem) item = gantry_variant_grid_item(rows, i);
    g_list_store_append(items, item);
  }
}

static void begin(GantryVariantGrid *self, gantry_variants *rows, const ct_plan *reference, GantryResult *volume) {
  GantryContext *context = self->with.context;
  GantryScan *scan = gantry_scan_slot_get(self->with.slot);
  forget_rows(self);
  self->against = gantry_variant_grid_reference_words(self);
  self->textbook = gantry_variant_grid_is_against_textbook(self);
  self->results = g_ptr_array_new_with_free_func((GDestroyNotify)gantry_result_unref);
  g_ptr_array_set_size(self->results, (int)rows->count);
  self->asked = g_new(ct_plan, rows->count);
  self->asked_count = rows->count;
  for (size_t i = 0; i < rows->count; i++) {
    self->asked[i] = rows->rows[i].plan;
    gantry_context_fill_plan(context, &rows->rows[i].plan);
  }
  gantry_context_fill_plan(context, &rows->base);
  fill_items(self, rows);
  gantry_variants_page_set_note(gantry_variant_grid_page(self), NULL, FALSE);
  GantryPlansTask *task = gantry_plans_task_new(G_OBJECT(self), done, context->engine, scan, rows, reference, volume);
  task->request = gantry_variant_grid_request(self);
  task->budget = gantry_shelf_store_get_budget(self->with.store) - gantry_shelf_get_held(self->with.shelf);
  self->task = task;
  const GantryJob job = {.kind = GANTRY_JOB_VARIANTS, .task = (GantryTask *)task, .text = progress_text};
  gantry_jobs_begin(self->with.jobs, &job, context->engine_worker);
  if (!self->timer) self->timer = g_timeout_add(LOOK_MS, look, self);
  look(self);
}

void gantry_variant_grid_run(GantryVariantGrid *self) {
  gantry_variants rows;
  ct_plan reference = {0};
  GantryResult *volume = NULL;
  ct_error *error = NULL;
  if (!gantry_variant_grid_can_run(self) || !gantry_variant_grid_list(self, NULL, NULL, &rows, &error) ||
      !gantry_variant_grid_find_reference(self, &rows, &reference, &volume, &error)) {
    if (error) gantry_variants_page_set_note(gantry_variant_grid_page(self), error->message, TRUE);
    ct_error_clear(&error);
    return;
  }
  if (!volume) gantry_context_fill_plan(self->with.context, &reference);
  begin(self, &rows, &reference, volume);
}

gboolean gantry_variant_grid_can_run(GantryVariantGrid *self) {
  return gantry_scan_slot_get(self->with.slot) && gantry_jobs_is_idle(self->with.jobs) && self->listed > 0;
}

/* Another scan */

void gantry_variant_grid_reset(GantryVariantGrid *self) {
  self->task = NULL; /* its answer finds nobody */
  forget_rows(self);
  self->listed = 0;
  if (!gantry_variant_grid_page(self)) return;
  g_list_store_remove_all(gantry_variants_page_get_items(gantry_variant_grid_page(self)));
  gantry_variants_page_set_progress(gantry_variant_grid_page(self), 0, NULL);
  gantry_variants_page_set_note(gantry_variant_grid_page(self), NULL, FALSE);
  gantry_variants_page_refresh(gantry_variant_grid_page(self));
}
