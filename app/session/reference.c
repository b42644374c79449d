/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A volume's planes are read by the planes' worker, slices of a plan are made by the engine's, which keeps a pipeline
 * of their own for them. */
#include "app/session/reference.h"

#include "app/errors.h"
#include "app/session/recent.h"
#include "app/tasks.h"
#include "recon/io/io.h"
#include "recon/solve/record.h"

struct _GantryReference {
  GObject parent_instance;
  GantryReferenceParts with;
  GantryResult *result;
  gboolean is_plan;
  ct_plan plan;
  char *record;     /* of the slices of the plan; NULL: not made yet */
  gboolean opens_b; /* the file that is asked for, or read, becomes B */
  guint mark;       /* of the window's messages, when the newest file was asked for */
  GQueue looks;     /* of Look *: volumes to be looked at, the first is being read */
  GHashTable *to_b; /* set of paths that were chosen to be B, which may be asked about first */
};

typedef struct {
  char *path;
  gboolean anywhere; /* files outside its folder may be read */
  gboolean waits;    /* it was asked for while a scan was being opened or closed */
  gboolean is_read;  /* by now */
  gboolean to_b;     /* it was chosen to be B */
} Look;

static void look_free(gpointer data) {
  Look *look = data;
  g_free(look->path);
  g_free(look);
}

/* The path of the volume follows. */
#define READ_VOLUME "win.read-volume::"

G_DEFINE_FINAL_TYPE(GantryReference, gantry_reference, G_TYPE_OBJECT)

static guint changed_signal, known_signal, opened_signal;

static void gantry_reference_finalize(GObject *object) {
  GantryReference *self = GANTRY_REFERENCE(object);
  gantry_result_unref(self->result);
  g_free(self->record);
  g_queue_clear_full(&self->looks, look_free);
  g_hash_table_unref(self->to_b);
  gantry_context_unref(self->with.context);
  G_OBJECT_CLASS(gantry_reference_parent_class)->finalize(object);
}

static void gantry_reference_class_init(GantryReferenceClass *klass) {
  G_OBJECT_CLASS(klass)->finalize = gantry_reference_finalize;
  changed_signal =
      g_signal_new("changed", GANTRY_TYPE_REFERENCE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  known_signal = g_signal_new("known", GANTRY_TYPE_REFERENCE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  opened_signal = g_signal_new("opened", GANTRY_TYPE_REFERENCE, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                               GANTRY_TYPE_ENTRY);
}

static void look_at_next(GantryReference *self);

static void gantry_reference_init(GantryReference *self) {
  g_queue_init(&self->looks);
  self->to_b = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
}

GantryReference *gantry_reference_new(const GantryReferenceParts *parts) {
  GantryReference *self = g_object_new(GANTRY_TYPE_REFERENCE, NULL);
  self->with = *parts;
  gantry_context_ref(parts->context);
  g_signal_connect_object(parts->slot, "loaded", G_CALLBACK(look_at_next), self, G_CONNECT_SWAPPED | G_CONNECT_AFTER);
  return self;
}

GantryResult *gantry_reference_get_result(GantryReference *self) {
  return self->result;
}

const char *gantry_reference_get_record(GantryReference *self) {
  return self->result ? ct_volume_get_plan(self->result->volume) : self->is_plan ? self->record : NULL;
}

gboolean gantry_reference_is_plan(GantryReference *self) {
  return self->is_plan;
}

const ct_plan *gantry_reference_get_plan(GantryReference *self) {
  return self->is_plan ? &self->plan : NULL;
}

gboolean gantry_reference_exists(GantryReference *self) {
  return self->result || self->is_plan;
}

char *gantry_reference_dup_title(GantryReference *self) {
  if (self->result) return gantry_shelf_dup_title(self->with.shelf, self->result);
  if (!self->is_plan) return NULL;
  const ct_plan *present = gantry_plan_editor_get(self->with.editor);
  return g_strdup(self->plan.iterative.method == CT_METHOD_DIRECT && ct_method_iterates(present->iterative.method)
                      ? "filtered back-projection slices"
                      : "slices of the plan kept as B");
}

/* Another one */

static void put(GantryReference *self, GantryResult *result, const ct_plan *plan) {
  GantryResult *old = self->result;
  self->result = result ? gantry_result_ref(result) : NULL;
  gantry_result_unref(old);
  self->is_plan = plan != NULL;
  g_clear_pointer(&self->record, g_free);
  if (plan) self->plan = *plan;
  gantry_shelf_set_b(self->with.shelf, result ? gantry_shelf_find(self->with.shelf, result) : NULL);
  gantry_jobs_set_shares_engine(self->with.jobs, self->is_plan);
}

static void changed(GantryReference *self) {
  gantry_pictures_replace_reference(self->with.pictures);
  g_signal_emit(self, changed_signal, 0);
  gantry_reference_request(self);
}

/* The engine need not keep the projections of a plan that is no longer compared with. */
static void drop_pipeline(GantryReference *self) {
  GantryContext *context = self->with.context;
  gantry_worker_cancel_slot(context->engine_worker, GANTRY_SLOT_REFERENCE);
  gantry_worker_push(context->engine_worker, (GantryTask *)gantry_drop_task_new(G_OBJECT(self), NULL, context->engine));
}

static void take_plan(GantryReference *self, const ct_plan *plan) {
  put(self, NULL, plan);
  changed(self);
}

/* NULL: none. */
static void take_volume(GantryReference *self, GantryResult *result) {
  if (self->is_plan) drop_pipeline(self);
  put(self, result, NULL);
  changed(self);
}

/* Volumes that were asked for since are of the scan that comes. */
void gantry_reference_reset(GantryReference *self) {
  gantry_jobs_drop(self->with.jobs, GANTRY_WATCH_READING);
  for (guint n = g_queue_get_length(&self->looks); n > 0; n--) {
    Look *look = g_queue_pop_head(&self->looks);
    if (look->waits)
      g_queue_push_tail(&self->looks, look);
    else
      look_free(look);
  }
  put(self, NULL, NULL);
}

void gantry_reference_clear(GantryReference *self) {
  if (gantry_reference_exists(self)) take_volume(self, NULL);
}

void gantry_reference_set(GantryReference *self) {
  const GantrySource source = gantry_slices_get_source(self->with.slices);
  GantryResult *result = gantry_shelf_get_result(self->with.shelf);
  const ct_plan *previewed = gantry_preview_get_plan(self->with.preview);
  if (source == GANTRY_SOURCE_VOLUME && result) {
    take_volume(self, result);
  } else if (source == GANTRY_SOURCE_PREVIEW && previewed) {
    take_plan(self, previewed);
  } else {
    return;
  }
  gantry_context_toast(self->with.context, GANTRY_ABOUT_REFERENCE, NULL, NULL, "Now the reference B: %s",
                       self->result ? "the whole volume" : "the slices of the present values");
}

void gantry_reference_set_plan(GantryReference *self, const ct_plan *plan) {
  if (gantry_scan_slot_get(self->with.slot)) take_plan(self, plan);
}

void gantry_reference_set_entry(GantryReference *self, GantryEntry *entry) {
  GantryResult *result = gantry_entry_get_result(entry);
  if (result) take_volume(self, result);
}

gboolean gantry_reference_can_set_direct(GantryReference *self) {
  return gantry_scan_slot_get(self->with.slot) &&
         gantry_plan_editor_get(self->with.editor)->iterative.method != CT_METHOD_DIRECT;
}

void gantry_reference_set_direct(GantryReference *self) {
  if (!gantry_reference_can_set_direct(self)) return;
  ct_plan plan = gantry_plan_editor_get_filled(self->with.editor);
  plan.iterative.method = CT_METHOD_DIRECT;
  take_plan(self, &plan);
  gantry_context_toast(self->with.context, GANTRY_ABOUT_REFERENCE, "_Swipe", "win.mode::swipe",
                       gantry_jobs_get_kind(self->with.jobs) == GANTRY_JOB_VOLUME
                           ? "B is filtered back-projection of the same projections, once the run has ended"
                           : "B is filtered back-projection of the same projections");
}

/* From a file */

/* What was told when the volume was made. */
static void tell_warnings(GantryReference *self, const GantryResult *result) {
  const char *plan = ct_volume_get_plan(result->volume);
  ct_warnings warnings;
  if (!plan || !ct_record_read_warnings(plan, &warnings, NULL) || !warnings.count) return;
  if (!gantry_banner_is_free(self->with.banner)) return;
  g_autofree char *more = warnings.count > 1 ? g_strdup_printf(" (and %d more)", warnings.count - 1) : g_strdup("");
  g_autofree char *text = g_strdup_printf("B, %s: %s%s", result->file, warnings.items[0].text, more);
  gantry_window_show_outcome(self->with.context->window, self->mark, &(GantryWarning){.text = text});
}

static void take_as_b(GantryReference *self, GantryResult *result) {
  take_volume(self, result);
  tell_warnings(self, result);
  const ct_grid *grid = gantry_pictures_get_grid(self->with.pictures);
  const gboolean apart = grid && !gantry_grids_agree(grid, ct_volume_grid(result->volume));
  gantry_context_toast(self->with.context, GANTRY_ABOUT_REFERENCE, NULL, NULL, "Now the reference B: %s%s",
                       result->file, apart ? " (other voxels than A's: compared by slices alone)" : "");
}

static gboolean shows_a(GantryReference *self) {
  return gantry_scan_slot_get(self->with.slot) || gantry_shelf_get_result(self->with.shelf);
}

/* A question for each volume that leads out of its folder, which waits while others are read. */
static void tell_unread(GantryReference *self, const GantryReadTask *read) {
  if (!g_error_matches(read->work.error, GANTRY_ERROR, CT_ERROR_ELSEWHERE)) {
    gantry_context_show_error(self->with.context, read->work.error);
    return;
  }
  g_autofree char *action = g_strconcat(READ_VOLUME, read->path, NULL);
  gantry_context_ask_elsewhere(self->with.context, read->work.error, action);
}

static void take_read(GantryReference *self, const GantryReadTask *read) {
  if (!gantry_scan_slot_get(self->with.slot)) gantry_recent_add(self->with.context, read->path);
  GantryEntry *entry = gantry_shelf_add(self->with.shelf, gantry_result_ref(read->result));
  gantry_entry_set_source(entry, read->path);
  if (self->opens_b)
    take_as_b(self, read->result);
  else
    g_signal_emit(self, opened_signal, 0, entry);
}

static void answer(GantryReference *self, const GantryTask *task) {
  const GantryReadTask *read = (const GantryReadTask *)task;
  if (!self->with.context->window || task->dropped) return;
  if (read->result)
    take_read(self, read);
  else
    tell_unread(self, read);
}

static void volume_read(gpointer owner, GantryTask *task) {
  GantryReference *self = owner;
  if (gantry_jobs_take(self->with.jobs, GANTRY_WATCH_READING, task)) answer(self, task);
}

static void begin_reading(GantryReference *self, const char *path, gboolean anywhere, GantryDone done) {
  self->mark = gantry_window_get_message_mark(self->with.context->window);
  gantry_jobs_drop(self->with.jobs, GANTRY_WATCH_READING);
  GantryReadTask *task = gantry_read_task_new(G_OBJECT(self), done, path);
  task->anywhere = anywhere;
  gantry_jobs_watch(self->with.jobs, GANTRY_WATCH_READING, (GantryTask *)task, task->path,
                    self->with.context->files_worker);
}

static void look_read(gpointer owner, GantryTask *task);

static gboolean is_loading(GantryReference *self) {
  return gantry_jobs_get_kind(self->with.jobs) == GANTRY_JOB_LOAD;
}

/* What a scan that is being opened or closed takes away is no volume that was opened after it. */
static void look_at_next(GantryReference *self) {
  Look *look = self->with.context->window ? g_queue_peek_head(&self->looks) : NULL;
  if (!look || is_loading(self) || look->is_read) return;
  look->waits = FALSE;
  look->is_read = TRUE;
  begin_reading(self, look->path, look->anywhere, look_read);
}

static void look_read(gpointer owner, GantryTask *task) {
  GantryReference *self = owner;
  if (!gantry_jobs_take(self->with.jobs, GANTRY_WATCH_READING, task)) return;
  Look *look = g_queue_pop_head(&self->looks);
  const gboolean asked = look && !look->to_b && g_hash_table_remove(self->to_b, look->path) && look->anywhere,
                 chosen = asked || (look && look->to_b);
  self->opens_b = chosen || (shows_a(self) && !gantry_reference_exists(self));
  if (look) look_free(look);
  answer(self, task);
  look_at_next(self);
}

/* What was told of one of several stays while the next is read. */
static void look_at(GantryReference *self, const char *path, gboolean anywhere) {
  Look *look = g_new(Look, 1);
  *look = (Look){.path = g_strdup(path), .anywhere = anywhere, .waits = is_loading(self)};
  g_queue_push_tail(&self->looks, look);
  if (g_queue_get_length(&self->looks) > 1) return;
  gantry_banner_make_room(self->with.banner);
  look_at_next(self);
}

/* Instead of what is being read. */
static void read_now(GantryReference *self, const char *path) {
  g_queue_clear_full(&self->looks, look_free);
  gantry_banner_make_room(self->with.banner);
  if (self->opens_b) g_hash_table_add(self->to_b, g_strdup(path));
  if (!is_loading(self)) {
    begin_reading(self, path, FALSE, volume_read);
    return;
  }
  look_at(self, path, FALSE);
  ((Look *)g_queue_peek_head(&self->looks))->to_b = self->opens_b;
}

void gantry_reference_look_at(GantryReference *self, const char *path) {
  look_at(self, path, FALSE);
}

void gantry_reference_read_allowed(GantryReference *self, const char *path) {
  g_autofree char *own = g_strdup(path), *action = g_strconcat(READ_VOLUME, path, NULL);
  gantry_window_end_question(self->with.context->window, action);
  look_at(self, own, TRUE);
}

static void file_chosen(GtkNativeDialog *dialog, int response, gpointer data) {
  GantryReference *self = data;
  g_autofree char *path = gantry_dialogs_end_with_path(self->with.dialogs, dialog, response);
  if (path) read_now(self, path);
}

gboolean gantry_reference_is_stored(GantryReference *self) {
  GantryScan *scan = gantry_scan_slot_get(self->with.slot);
  return scan && gantry_scan_has_reference(scan);
}

void gantry_reference_open_stored(GantryReference *self) {
  if (!gantry_reference_is_stored(self)) return;
  const ct_grid *grid = gantry_pictures_get_grid(self->with.pictures);
  g_autofree char *path = gantry_scan_dup_reference(gantry_scan_slot_get(self->with.slot), grid ? grid->nx : 256);
  self->opens_b = TRUE;
  read_now(self, path);
}

static void ask_for_file(GantryReference *self, const char *title) {
  gantry_dialogs_begin(self->with.dialogs, title, GTK_FILE_CHOOSER_ACTION_OPEN, "_Open", G_CALLBACK(file_chosen), self);
  char extensions[256];
  gantry_dialogs_add_filter(self->with.dialogs, "Volumes",
                            ct_formats_extensions(CT_FORMAT_READ_VOLUME, extensions, sizeof extensions));
  gantry_dialogs_add_filter(self->with.dialogs, "All files", NULL);
  gantry_dialogs_show(self->with.dialogs);
}

void gantry_reference_open(GantryReference *self) {
  if (!shows_a(self) || gantry_dialogs_is_open(self->with.dialogs)) return;
  self->opens_b = TRUE;
  ask_for_file(self, "Open a Volume as the Reference B");
}

void gantry_reference_open_volume(GantryReference *self) {
  if (gantry_dialogs_is_open(self->with.dialogs)) return;
  self->opens_b = FALSE;
  ask_for_file(self, shows_a(self) ? "Open a Volume onto the Shelf" : "Open a Volume");
}

/* Its planes */

static void previewed(gpointer owner, GantryTask *task) {
  GantryReference *self = owner;
  const GantryPreviewTask *preview = (const GantryPreviewTask *)task;
  const GError *error = preview->work.error;
  if (task->dropped || !self->with.context->window) return;
  if (!error && self->is_plan && preview->outcome && g_strcmp0(self->record, preview->outcome->record) != 0) {
    g_free(self->record);
    self->record = g_strdup(preview->outcome->record);
    g_signal_emit(self, known_signal, 0);
  }
  if (!error) return;
  if (task->generation != gantry_pictures_get_generation(self->with.pictures, GANTRY_B)) return;
  if (g_error_matches(error, GANTRY_ERROR, CT_ERROR_CANCELLED)) return;
  /* A reference that cannot be made is taken back rather than asked for again at every step. */
  gantry_context_show_error(self->with.context, error);
  gantry_reference_clear(self);
}

/* Where B's planes lie: A's indices, and their places in mm. */
static void find_places(const GantryWanted *wanted, const ct_grid *grid, int indices[GANTRY_PLANES],
                        double positions[GANTRY_PLANES]) {
  for (int plane = 0; plane < GANTRY_PLANES; plane++) {
    indices[plane] = gantry_wanted_index(wanted, grid, (ct_plane)plane);
    positions[plane] = ct_grid_plane_position(grid, (ct_plane)plane, indices[plane]);
  }
}

static void request_from_volume(GantryReference *self, guint missing, const ct_grid *grid) {
  GantryPlanesTask *task = gantry_planes_task_new(G_OBJECT(self), NULL, self->with.context->mailbox);
  task->work.task.slot = GANTRY_SLOT_REFERENCE;
  task->result[GANTRY_B] = gantry_result_ref(self->result);
  task->planes[GANTRY_B] = missing;
  task->generation[GANTRY_B] = gantry_pictures_get_generation(self->with.pictures, GANTRY_B);
  task->grid = *grid;
  gantry_pictures_get_wanted(self->with.pictures, &task->wanted);
  find_places(&task->wanted, grid, task->indices, task->positions);
  gantry_worker_push(self->with.context->planes_worker, (GantryTask *)task);
}

static void request_from_plan(GantryReference *self, guint missing, const ct_grid *grid) {
  GantryContext *context = self->with.context;
  GantryPreviewTask *task =
      gantry_preview_task_new(G_OBJECT(self), previewed, context->engine, gantry_scan_slot_get(self->with.slot),
                              context->mailbox, GANTRY_B, &self->plan);
  task->work.task.generation = gantry_pictures_get_generation(self->with.pictures, GANTRY_B);
  task->planes = missing;
  task->grid = *grid;
  gantry_pictures_get_wanted(self->with.pictures, &task->wanted);
  find_places(&task->wanted, grid, task->indices, task->positions);
  gantry_worker_push(context->engine_worker, (GantryTask *)task);
}

/* A is the master: until its grid is known B has no place. */
void gantry_reference_request(GantryReference *self) {
  const ct_grid *grid = gantry_pictures_get_grid(self->with.pictures);
  if (!self->with.context->window || !grid || !gantry_reference_exists(self)) return;
  /* A running volume keeps the engine for itself; B's slices follow it. */
  if (self->is_plan && gantry_slices_get_source(self->with.slices) == GANTRY_SOURCE_RUNNING) return;
  const guint missing = gantry_pictures_get_missing(self->with.pictures, GANTRY_B);
  if (!missing) return;
  if (self->result)
    request_from_volume(self, missing, grid);
  else
    request_from_plan(self, missing, grid);
}
