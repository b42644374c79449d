/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which entries lack numbers is told by themselves: they are of no reference, or of one before. */
#include "app/session/appraisal.h"

#include "app/errors.h"
#include "app/tasks.h"
#include "recon/base/memory.h"
#include "recon/solve/record.h"

struct _GantryAppraisal {
  GObject parent_instance;
  GantryContext *context;
  GantryShelf *shelf;
  GantryReference *reference;
  GantryTask *task;   /* answers of others are dropped */
  GantryEntry *entry; /* that it is about */
};

G_DEFINE_FINAL_TYPE(GantryAppraisal, gantry_appraisal, G_TYPE_OBJECT)

static void gantry_appraisal_finalize(GObject *object) {
  GantryAppraisal *self = GANTRY_APPRAISAL(object);
  g_clear_object(&self->entry);
  gantry_context_unref(self->context);
  G_OBJECT_CLASS(gantry_appraisal_parent_class)->finalize(object);
}

static void gantry_appraisal_class_init(GantryAppraisalClass *klass) {
  G_OBJECT_CLASS(klass)->finalize = gantry_appraisal_finalize;
}

static void gantry_appraisal_init(GantryAppraisal *self) {}

GantryAppraisal *gantry_appraisal_new(GantryContext *context, GantryShelf *shelf, GantryReference *reference) {
  GantryAppraisal *self = g_object_new(GANTRY_TYPE_APPRAISAL, NULL);
  self->context = gantry_context_ref(context);
  self->shelf = shelf;
  self->reference = reference;
  return self;
}

/* The lines that a record and B's differ in (ct_free); NULL: not known. */
static char *find_differences(GantryAppraisal *self, GantryEntry *entry) {
  const char *a = gantry_entry_get_record(entry), *b = gantry_reference_get_record(self->reference);
  return a && b ? ct_record_differences(a, b, false, NULL) : NULL;
}

static void set(GantryAppraisal *self, GantryEntry *entry, const GantryNumbers *numbers) {
  GantryNumbers told = *numbers;
  char *differences = told.state == GANTRY_NUMBERS_NONE ? NULL : find_differences(self, entry);
  told.differences = differences;
  gantry_entry_set_numbers(entry, &told);
  ct_free(differences);
}

static void appraised(gpointer owner, GantryTask *task) {
  GantryAppraisal *self = owner;
  const GantryAppraiseTask *appraise = (const GantryAppraiseTask *)task;
  if (task != self->task) return;
  g_autoptr(GantryEntry) entry = g_steal_pointer(&self->entry);
  const GError *error = appraise->work.error;
  self->task = NULL;
  if (task->dropped || !self->context->window) return;
  GantryNumbers numbers = {.state = error ? GANTRY_NUMBERS_REFUSED : GANTRY_NUMBERS_KNOWN,
                           .metrics = appraise->metrics,
                           .resampled = appraise->resampled,
                           .why = error ? error->message : NULL};
  set(self, entry, &numbers);
  gantry_appraisal_go_on(self);
}

/* Whether the entry waits for a task; where it does not, what is to be said is set. */
static gboolean wants_task(GantryAppraisal *self, GantryEntry *entry) {
  const GantryNumbersState state = gantry_entry_get_numbers(entry)->state;
  if (state == GANTRY_NUMBERS_WANTED) return TRUE;
  if (state != GANTRY_NUMBERS_NONE) return FALSE;
  const GantryResult *b = gantry_reference_get_result(self->reference);
  GantryNumbers numbers = {.state = GANTRY_NUMBERS_WANTED};
  if (gantry_reference_is_plan(self->reference))
    numbers = (GantryNumbers){.state = GANTRY_NUMBERS_REFUSED,
                              .why = "B is made slice by slice: reconstruct it, and make that result B"};
  else if (gantry_entry_is_of(entry, b))
    numbers.state = GANTRY_NUMBERS_ITSELF;
  set(self, entry, &numbers);
  return numbers.state == GANTRY_NUMBERS_WANTED;
}

void gantry_appraisal_go_on(GantryAppraisal *self) {
  if (!gantry_reference_exists(self->reference) || !self->context->files_worker) return;
  for (guint i = 0; i < gantry_shelf_count(self->shelf); i++) {
    GantryEntry *entry = gantry_shelf_get(self->shelf, i);
    if (!wants_task(self, entry) || self->task) continue;
    GantryAppraiseTask *task =
        gantry_appraise_task_new(G_OBJECT(self), appraised, gantry_entry_get_result(entry),
                                 gantry_entry_get_file(entry), gantry_reference_get_result(self->reference));
    task->record = g_strdup(gantry_entry_get_record(entry));
    task->anywhere = gantry_entry_get_facts(entry)->anywhere;
    self->task = (GantryTask *)task;
    self->entry = g_object_ref(entry);
    gantry_worker_push(self->context->files_worker, self->task);
  }
}

void gantry_appraisal_renew(GantryAppraisal *self) {
  if (self->task) ct_job_cancel(self->task->job);
  self->task = NULL;
  g_clear_object(&self->entry);
  for (guint i = 0; i < gantry_shelf_count(self->shelf); i++)
    gantry_entry_set_numbers(gantry_shelf_get(self->shelf, i), &(GantryNumbers){.state = GANTRY_NUMBERS_NONE});
  gantry_appraisal_go_on(self);
}
