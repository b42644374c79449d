/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The session's state, shared by the session-*.c files: session (life, scan, plan), -open, -planes and -oblique (which
 * pictures are wanted and where they come from), -show (pictures and numbers that arrive), -age (pictures of before a
 * change), -run (reconstruct, progress), -centre, -iterate (iterative volumes), -tune (graphics devices and their
 * settings), -reference, -save, -plan (plans and their
 * scans), -actions, -close. */
#pragma once

#include "app/history.h"
#include "app/kernel-table.h"
#include "app/probe.h"
#include "app/session/session.h"
#include "app/tasks.h"

G_BEGIN_DECLS

/* Where A's planes come from. */
typedef enum {
  GANTRY_SOURCE_NONE,
  GANTRY_SOURCE_PREVIEW, /* slices on demand */
  GANTRY_SOURCE_VOLUME,
  GANTRY_SOURCE_RUNNING, /* the volume in the making posts them */
} GantrySource;

typedef enum {
  GANTRY_JOB_NONE,
  GANTRY_JOB_LOAD,
  GANTRY_JOB_VOLUME,
  GANTRY_JOB_SWEEP,
  GANTRY_JOB_SAVE,
  GANTRY_JOB_TUNE
} GantryJobKind;

struct _GantrySession {
  GObject parent_instance;
  GtkApplication *application;
  GantryWindow *window; /* NULL once closed */
  GSettings *settings;
  GantryProbe *probe;

  GantryWorker *engine_worker, *planes_worker, *files_worker;
  guint workers_left;   /* still ending */
  GantryEngine *engine; /* for tasks of engine_worker only */
  GantryMailbox *mailbox;
  gboolean closing, asking;

  GantryScan *scan;
  GantryHistory *history;
  gantry_kernel_table *kernels; /* to choose from; without a device, which is the engine's */

  /* A's pictures. An image belongs on screen when its generation is the present one. */
  GantrySource source;
  guint64 generation, scan_generation;
  gboolean has_grid, centred, showing;
  ct_grid grid;
  GantryImage *shown[GANTRY_SIDES][GANTRY_VIEWS];
  ct_plan preview_plan; /* last one previewed: what slices are made with while previews are off */
  gboolean has_preview_plan, earlier_values;
  guint debounce;
  guint ageing;                    /* timer: pictures of before a change are marked when new ones do not come at once */
  guint64 aged;                    /* generation whose pictures did not come at once */
  gboolean outdated[GANTRY_VIEWS]; /* A's picture is marked as one of before */
  GantryOutcome *outcome;
  ct_estimate estimate;
  gboolean has_estimate, too_big;
  GantryTask *preview;     /* not answered yet */
  gboolean centre_asked;   /* the preview is to tell the centre: a search that can be cancelled */
  gboolean centre_edited;  /* the search was an edit of the plan */
  gboolean preview_failed; /* the banner tells why the present plan has no preview */
  gboolean run_refused;    /* the banner tells why the present plan cannot be reconstructed */

  GantryResult *volume;
  GantryOutcome *volume_outcome; /* what was found when it was made, and what it needed */
  ct_estimate volume_estimate;
  gboolean unsaved;

  /* Iterative volumes. */
  guint run; /* number of the curve of the run under way or made last; 0: none */
  gboolean run_is_new, has_point;
  ct_iteration last_point; /* of the run under way */
  gboolean run_kept;       /* the engine can go on with it */
  ct_plan run_plan;
  int run_done, run_step; /* iterations it has, and that Continue adds */
  int continued_from;     /* iterations of the plan before Continue began the run under way; 0: something else did */
  gboolean slices_alone;  /* an iterative method makes axial slices alone; else filtered back-projection stands in */

  /* B: a volume, or slices of a plan. */
  GantryResult *reference;
  gboolean reference_is_plan;
  ct_plan reference_plan;
  guint64 reference_generation;
  GantryTask *reading;        /* the volume that becomes B, from a file; answers of older ones are dropped */
  gboolean difference_fitted; /* its scale was chosen, after A first differed from B */

  /* The fourth view. */
  int projection_index;
  gboolean sinogram;

  /* The job shown in the header. */
  GantryTask *job;
  GantryJobKind job_kind;
  gboolean paused, first_plane_seen;
  gboolean finish_is_late; /* the first slab is written: the others must take as many views */
  guint progress_timer;
  GantryTask *whole_volume; /* comparison under way; answers of older ones are dropped */
  gboolean whole_known;

  GantryTask *look; /* at a file that was chosen while something would be lost; answers of older ones are dropped */
  char *lone_plan, *lone_scan; /* a plan that was opened without a scan, and where that is; NULL: none, unknown */
  GtkFileChooserNative *chooser;
};

/* session.c */
const ct_plan *gantry_session_get_plan(GantrySession *self);
/* Makes the plan the present one: an undo step, the panel, the pictures. key as in gantry_history_push. */
void gantry_session_set_plan(GantrySession *self, const ct_plan *plan, const char *key);
/* After undo, redo or a panel edit: history holds the plan already. */
void gantry_session_plan_changed(GantrySession *self);
void gantry_session_show_error(GantrySession *self, const GError *error);
void gantry_session_toast(GantrySession *self, GantryTopic topic, const char *button, const char *action,
                          const char *format, ...) G_GNUC_PRINTF(5, 6);
/* The plan as the engine gets it: the number of threads of the preferences filled in. */
void gantry_session_engine_plan(GantrySession *self, ct_plan *plan);

/* session-open.c */
void gantry_session_update_recent(GantrySession *self);
void gantry_session_close_scan(GantrySession *self);
void gantry_session_ask_open(GantrySession *self, gboolean folder);
void gantry_session_open_recent(GantrySession *self, const char *uri);
/* A scan, to be reconstructed by a plan; there is none yet. */
void gantry_session_load_for_plan(GantrySession *self, const char *path, const char *plan);

#define GANTRY_TYPE_DISTANCES "Type the distances from the source to the axis and to the detector under Geometry."

/* session-planes.c */
/* Fan or cone beam was chosen and its distances are still to be typed. */
gboolean gantry_session_lacks_distances(GantrySession *self);
void gantry_session_choose_source(GantrySession *self);
/* A is the finished volume, whatever the panel says. */
void gantry_session_show_volume(GantrySession *self);
void gantry_session_request_planes(GantrySession *self);
void gantry_session_request_projection(GantrySession *self);
/* Debounced: a new preview of the present plan. */
void gantry_session_schedule_preview(GantrySession *self);
void gantry_session_request_preview(GantrySession *self, guint planes);
void gantry_session_update_wanted(GantrySession *self, GantryWanted *wanted);
guint gantry_session_missing_planes(GantrySession *self, GantrySide side);

/* session-age.c */
/* Another generation of A's pictures is wanted, after an edit. */
void gantry_session_begin_ageing(GantrySession *self);
/* Whether the volume in the making is one of values that have been edited since. */
gboolean gantry_session_run_is_edited(GantrySession *self);
/* Marks A's pictures that were made with other values than the present ones. */
void gantry_session_update_age(GantrySession *self);

/* session-show.c */
void gantry_session_pictures_arrived(gpointer self);
void gantry_session_forget_pictures(GantrySession *self);
void gantry_session_update_titles(GantrySession *self);
/* Takes the outcome, which is one of that plan. */
void gantry_session_show_outcome(GantrySession *self, GantryOutcome *outcome, const ct_plan *plan);
void gantry_session_request_statistics(GantrySession *self);
void gantry_session_compare_volumes(GantrySession *self);

/* session-run.c */
void gantry_session_begin_job(GantrySession *self, GantryJobKind kind, GantryTask *task, GantryWorker *worker);
void gantry_session_end_job(GantrySession *self, GantryTask *task);
void gantry_session_watch(GantrySession *self);
/* path: slab by slab to that file; NULL: in memory. */
void gantry_session_reconstruct(GantrySession *self, const char *path);
/* Instead of the graphics device that failed: the run again where it was a run. */
void gantry_session_use_processor(GantrySession *self);
void gantry_session_offer_processor(GantrySession *self);
void gantry_session_apply_advice(GantrySession *self);
void gantry_session_offer_advice(GantrySession *self, const ct_estimate *estimate);

/* session-centre.c */
void gantry_session_find_centre(GantrySession *self);
void gantry_session_sweep_centre(GantrySession *self);
/* A preview was made (error NULL) or failed: answers a search of the centre. */
void gantry_session_preview_ended(GantrySession *self, const GError *error);
/* Gives up a search of the centre, and goes back to the values before. */
void gantry_session_cancel_search(GantrySession *self);

/* session-iterate.c */
void gantry_session_begin_run(GantrySession *self, GantryVolumeTask *task);
void gantry_session_end_run(GantrySession *self, const GantryVolumeTask *task);
/* Continue was cancelled: the plan asks for as many iterations as before again. */
void gantry_session_take_back_continue(GantrySession *self);
void gantry_session_show_curve(GantrySession *self, guint run, const ct_iteration *points, gsize count);
gboolean gantry_session_run_is_complete(GantrySession *self, const ct_plan *plan);
/* goes_on_from: iterations that were there before. */
void gantry_session_announce_run(GantrySession *self, const GantryResult *result, int goes_on_from);
/* Where another projector than the one chosen served: says so. */
void gantry_session_announce_projector(GantrySession *self, const GantryVolumeTask *task);
gboolean gantry_session_can_continue(GantrySession *self);
/* more: iterations; 0: as many as before. */
void gantry_session_continue(GantrySession *self, int more);
/* The automatic kernel in place of one that refuses. */
void gantry_session_offer_kernel(GantrySession *self, const ct_plan *plan, const GError *error);
void gantry_session_use_kernel(GantrySession *self);
void gantry_session_offer_projector(GantrySession *self, const ct_plan *plan);
void gantry_session_use_projector(GantrySession *self);
gboolean gantry_session_can_compare_direct(GantrySession *self);
void gantry_session_compare_direct(GantrySession *self);

/* session-tune.c */
/* Asks which graphics devices there are, and tells the panel. */
void gantry_session_find_devices(GantrySession *self);
void gantry_session_tune(GantrySession *self);
/* Whether the command makes sense now; the panel gets the reason where it does not. */
gboolean gantry_session_can_tune(GantrySession *self);
/* For the header, while the job is a tuning; g_free. */
char *gantry_session_tuning_text(GantrySession *self, const ct_progress *progress);

/* session-reference.c */
void gantry_session_set_reference(GantrySession *self);
void gantry_session_set_reference_plan(GantrySession *self, const ct_plan *plan);
void gantry_session_clear_reference(GantrySession *self);
/* Asks for a file. */
void gantry_session_open_reference(GantrySession *self);
/* Nobody waits any more for the one that is being read. */
void gantry_session_end_reading(GantrySession *self);
void gantry_session_request_reference(GantrySession *self);
char *gantry_session_dup_reference_title(GantrySession *self);

/* session-save.c */
void gantry_session_save_volume(GantrySession *self);
/* Asks for a file, then reconstructs into it. */
void gantry_session_reconstruct_to_file(GantrySession *self);
void gantry_session_save_slice(GantrySession *self);
void gantry_session_save_plan(GantrySession *self);

/* session-dialog.c */
/* accept: the label of its button. The dialog is self->chooser until it is answered; nothing is shown yet. */
void gantry_session_begin_dialog(GantrySession *self, const char *title, GtkFileChooserAction action,
                                 const char *accept, GCallback response);
/* To self->chooser; the first is chosen. extensions: "tif tiff", in small or capital letters; NULL: any file. */
void gantry_session_add_filter(GantrySession *self, const char *name, const char *extensions);
/* What was chosen (g_object_unref); NULL where nothing was, or the window is gone. */
GFile *gantry_session_end_dialog(GantrySession *self, GtkNativeDialog *dialog, int response);
/* The local path of it (g_free); NULL also where it is none, which is said. */
char *gantry_session_end_dialog_with_path(GantrySession *self, GtkNativeDialog *dialog, int response);

/* session-plan.c */
/* Takes the values of a plan; without a scan it asks for that. */
void gantry_session_load_plan_file(GantrySession *self, GFile *file);
void gantry_session_load_plan(GantrySession *self);
/* After gantry_session_load_for_plan: the scan is there, or it is not and why. */
void gantry_session_lone_scan_loaded(GantrySession *self, const char *plan, const GError *error);
void gantry_session_forget_lone_plan(GantrySession *self);
gboolean gantry_session_can_open_lone_scan(GantrySession *self);
/* Asks for it where it is unknown. */
void gantry_session_open_lone_scan(GantrySession *self);

/* session-actions.c */
void gantry_session_add_actions(GantrySession *self);
void gantry_session_update_actions(GantrySession *self);

/* session-close.c */
/* What would be lost: calls go_on(self, data) at once when nothing is, else asks. other: a third answer (its label)
 * that calls instead(self, data); NULL without. data is freed with destroy. */
typedef struct {
  const char *heading, *discard, *other;
  void (*go_on)(GantrySession *self, gpointer data);
  void (*instead)(GantrySession *self, gpointer data);
  gpointer data;
  GDestroyNotify destroy;
} GantryQuestion;
void gantry_session_ask(GantrySession *self, const GantryQuestion *question);
/* Whether it would ask. */
gboolean gantry_session_would_lose(GantrySession *self);
gboolean gantry_session_close_request(GantrySession *self);
void gantry_session_shut(GantrySession *self);

G_END_DECLS
