/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a session asks of its workers. Each task is filled by the main loop, run once by a worker, and read by its done
 * function. A task begins with GantryTask; `owner` is the session, which the task keeps alive. Errors are NULL after
 * success. */
#pragma once

#include "app/engine.h"
#include "app/figures.h"
#include "app/tuning-file.h"
#include "app/variants-run.h"
#include "app/worker.h"
#include "recon/io/io.h"
#include "recon/metric/metric.h"
#include "recon/solve/slabs.h"
#include "render/compute/device.h"
#include "ui/marks/marks.h"
#include "ui/ray-values.h"
#include "ui/window/worst.h"
#include "ui/errors/report.h"
#include "ui/solid.h"

#include <glib-object.h>

G_BEGIN_DECLS

/* Coalescing slots. */
enum {
  GANTRY_SLOT_NONE,
  GANTRY_SLOT_PREVIEW,
  GANTRY_SLOT_REFERENCE,
  GANTRY_SLOT_PROJECTION,
  GANTRY_SLOT_PLANES,
  GANTRY_SLOT_STATISTICS,
  GANTRY_SLOT_SIMILARITY,
  GANTRY_SLOT_ERRORS,
  GANTRY_SLOT_VARIANTS,
  GANTRY_SLOT_SOLID,
  GANTRY_SLOT_AUTOSAVE,
  GANTRY_SLOT_MARKS,
  GANTRY_SLOT_RAY,
  GANTRY_SLOT_FILTER,
  GANTRY_SLOT_MAGNIFIED,
  GANTRY_SLOT_GROWTH,
  GANTRY_SLOT_LESSON,
  GANTRY_SLOT_SPECTRUM,
  GANTRY_SLOT_SOURCE,
};

typedef void (*GantryDone)(gpointer owner, GantryTask *task);

/* The common part of the tasks below; `task` comes first. */
typedef struct {
  GantryTask task;
  GObject *owner;
  GantryDone done;
  GError *error;
} GantryWork;

/* Engine worker: opens a scan. Without an engine, on any worker: only looks whether it can be opened. */
typedef struct {
  GantryWork work;
  GantryEngine *engine;
  GantryScan *opened;        /* before, by a look; may be NULL */
  char *path;                /* NULL: the built-in example; with `close`: no scan */
  char *plan;                /* file whose values it is opened for; may be NULL */
  char *description;         /* as ct_scan_open takes it; may be NULL */
  ct_simulation *simulation; /* g_free; NULL: what the path says */
  char *object;              /* file of the simulation's object; NULL: its phantom */
  gboolean close;
  gboolean lists;   /* opens nothing: "unclear" with what there is to choose from */
  GantryScan *scan; /* out */
  /* out: the file could be opened, were it told what of it is the scan, or what its one picture is; the error says so.
   * The arrays to choose from, empty for a picture. */
  gboolean unclear;
  ct_dataset_list datasets;
  gboolean raw;  /* out, of what could not be opened: it may hold raw samples of which somebody tells how they lie */
  char *allowed; /* out, likewise: the description that reads files outside its folder too; NULL: they do not matter */
  double seconds;
} GantryLoadTask;
GantryLoadTask *gantry_load_task_new(GObject *owner, GantryDone done, GantryEngine *engine, const char *path);

/* Engine worker: simulates the object of a scan anew, and puts that scan in its place. */
typedef struct {
  GantryWork work;
  GantryEngine *engine;
  GantryScan *scan; /* the one meant: when the engine has another by now nothing is done */
  ct_simulation simulation;
  GantryScan *made; /* out */
  double seconds;
} GantrySimulateTask;
GantrySimulateTask *gantry_simulate_task_new(GObject *owner, GantryDone done, GantryEngine *engine, GantryScan *scan,
                                             const ct_simulation *simulation);

/* Engine worker: prepares a plan and makes slices, posted to the mailbox one by one. */
typedef struct {
  GantryWork work;
  GantryEngine *engine;
  GantryScan *scan; /* the one meant: when the engine has another by now nothing is done */
  GantryMailbox *mailbox;
  GantrySide side;
  ct_plan plan;
  guint planes;   /* bits of ct_plane, GANTRY_OBLIQUE; none: only prepares */
  ct_plane first; /* made first */
  GantryWanted wanted;
  double positions[GANTRY_PLANES]; /* B: mm along the normals */
  int indices[GANTRY_PLANES];      /* B: A's indices, written into the images */
  ct_grid grid;                    /* B: A's grid, in which the oblique plane lies */
  GantryOutcome *outcome;          /* out */
  ct_estimate estimate;
  gboolean estimated, too_big;
  gboolean blames_device; /* the error: the processor could do it */
  gboolean slices_alone;  /* out: an iterative method can make axial slices alone */
} GantryPreviewTask;
GantryPreviewTask *gantry_preview_task_new(GObject *owner, GantryDone done, GantryEngine *engine, GantryScan *scan,
                                           GantryMailbox *mailbox, GantrySide side, const ct_plan *plan);

/* Engine worker (line integrals or filtered projections where there are some) or planes worker (engine NULL: frames as
 * stored): the fourth view. */
typedef struct {
  GantryWork work;
  GantryEngine *engine;
  GantryScan *scan;
  GantryMailbox *mailbox;
  ct_plan plan;
  GantryWanted wanted;
  GantryBins bins; /* of frames as stored: what the views and rows that are counted are of those of the scan, with the
                    * plan's choice of views; bin_v 0, as at first: all are counted */
} GantryProjectionTask;
GantryProjectionTask *gantry_projection_task_new(GObject *owner, GantryDone done, GantryEngine *engine,
                                                 GantryScan *scan, GantryMailbox *mailbox, const ct_plan *plan,
                                                 const GantryWanted *wanted);

/* Engine worker: the volume; with a path slab by slab to that file, and no result. */
typedef struct {
  GantryWork work;
  GantryEngine *engine;
  GantryScan *scan;
  GantryMailbox *mailbox;
  ct_plan plan;
  char *path;
  guint run;                         /* iterative: number of the curve that its points are posted for */
  int goes_on_from;                  /* iterations of the run made before, with which it goes on; 0: it begins anew */
  GantryResult *start, *reference;   /* may be NULL: what it starts from, and what its curve is compared with */
  GantryKeptIterations *kept_before; /* of the run that it goes on with; may be NULL */
  ct_slab_plan slabs;                /* out, with a path */
  int views, views_all;              /* out, with a path */
  double seconds;                    /* out, with a path */
  GantryResult *result;              /* out */
  ct_iteration *curve;               /* out, iterative and cancelled: the points until then */
  gsize points;
  GantryOutcome *outcome; /* out */
  ct_estimate estimate;
  gboolean estimated, too_big;
  gboolean blames_device; /* the error: the processor could do it */
} GantryVolumeTask;
/* path: NULL for a volume in memory. */
GantryVolumeTask *gantry_volume_task_new(GObject *owner, GantryDone done, GantryEngine *engine, GantryScan *scan,
                                         GantryMailbox *mailbox, const ct_plan *plan, const char *path);

/* Engine worker: variants of a plan, one after the other (app/variants-run.h). */
typedef struct {
  GantryWork work;
  GantryEngine *engine;
  GantryScan *scan;
  gantry_variants variants;        /* a row is the main loop's once it has ended, and after the task all are */
  gantry_variants_request request; /* with what the members below hold */
  ct_plan reference;               /* what errors are taken against, */
  GantryResult *volume;            /* or this one where there is one */
  double budget;                   /* bytes of volumes that are kept */
  GMutex lock;                     /* of the block below */
  GPtrArray *results;              /* of GantryResult, one a row; NULL where a row has none, or it was not kept */
  gboolean *ended;                 /* one a row */
  gsize count_ended, running;      /* a row's number; that of the rows: the reference, or nothing yet */
  gboolean begun;                  /* the first one has */
  double since;                    /* s, when it did; as ct_now */
  char frozen[GANTRY_FROZEN_TEXT]; /* out */
} GantryPlansTask;
/* Takes the variants. reference: NULL where `volume`, which is copied by reference and may be NULL, is there. */
GantryPlansTask *gantry_plans_task_new(GObject *owner, GantryDone done, GantryEngine *engine, GantryScan *scan,
                                       gantry_variants *variants, const ct_plan *reference, GantryResult *volume);

/* How far it is: a copy of what the lock guards. Main loop only. */
typedef struct {
  gsize ended, running;
  gboolean begun;
  double remaining; /* s of all rows; negative: not known */
} GantryPlansState;
void gantry_plans_task_get_state(GantryPlansTask *self, GantryPlansState *state);
/* Whether a row has ended, with its volume (borrowed; NULL: none was made or kept). */
gboolean gantry_plans_task_take(GantryPlansTask *self, gsize row, GantryResult **result);

/* Engine worker: figures of a paper (app/figures.h), written into a folder. */
typedef struct {
  GantryWork work;
  GantryEngine *engine;
  GantryScan *scan;
  ct_plan plan; /* of what does not vary; also the device */
  char *folder;
  int *numbers; /* ended by 0 */
  int size;     /* voxels along the phantom */
  gint making;  /* the one under way; atomic, 0: none yet */
  int written;  /* out */
} GantryFiguresTask;
/* Takes the numbers. */
GantryFiguresTask *gantry_figures_task_new(GObject *owner, GantryDone done, GantryEngine *engine, GantryScan *scan,
                                           const char *folder, int *numbers);

/* Engine worker: trial centres on one axial plane. */
typedef struct {
  GantryWork work;
  GantryEngine *engine;
  GantryScan *scan;
  ct_plan plan;
  int index;               /* of the axial plane */
  ct_centre_trial *trials; /* out */
  size_t count;
  double best;
} GantrySweepTask;
GantrySweepTask *gantry_sweep_task_new(GObject *owner, GantryDone done, GantryEngine *engine, GantryScan *scan,
                                       const ct_plan *plan, int index);

/* Engine worker: searches the best settings of a graphics device and keeps them. */
typedef struct {
  GantryWork work;
  GantryEngine *engine;
  char *device;
  GMutex lock; /* of the trial */
  char trial[64];
  double best;
  gantry_tuning_kept kept; /* out */
  double seconds;          /* out */
} GantryTuneTask;
GantryTuneTask *gantry_tune_task_new(GObject *owner, GantryDone done, GantryEngine *engine, const char *device);
/* The fastest setting so far, GUPS, and what it is tried on ("cone beam"; g_free); NULL before the first trial. From
 * any thread. */
char *gantry_tune_task_dup_trial(GantryTuneTask *self, double *best);

/* Engine worker: forgets the reference's pipeline. */
typedef struct {
  GantryWork work;
  GantryEngine *engine;
} GantryDropTask;
GantryDropTask *gantry_drop_task_new(GObject *owner, GantryDone done, GantryEngine *engine);

/* Planes worker: planes of volumes. */
typedef struct {
  GantryWork work;
  GantryMailbox *mailbox;
  GantryResult *result[GANTRY_SIDES]; /* either may be NULL */
  guint planes[GANTRY_SIDES];
  guint64 generation[GANTRY_SIDES];
  int indices[GANTRY_PLANES];      /* A's */
  double positions[GANTRY_PLANES]; /* mm along the normals, for B */
  GantryWanted wanted;             /* the oblique plane, in this grid, A's */
  ct_grid grid;
} GantryPlanesTask;
GantryPlanesTask *gantry_planes_task_new(GObject *owner, GantryDone done, GantryMailbox *mailbox);

/* Planes worker: numbers of the shown slices. */
typedef struct {
  GantryWork work;
  GantryImage *a, *b;       /* b may be NULL */
  ct_statistics statistics; /* out, of a */
  ct_metrics metrics;       /* out, of a against b */
  gboolean compared;
} GantryStatisticsTask;
GantryStatisticsTask *gantry_statistics_task_new(GObject *owner, GantryDone done, GantryImage *a, GantryImage *b);

/* Planes worker: how alike the pictures of A and B are about each pixel. */
typedef struct {
  GantryWork work;
  GantryImage *a[GANTRY_VIEWS], *b[GANTRY_VIEWS]; /* NULL: not this one */
  GantryImage *maps[GANTRY_VIEWS];                /* out; NULL where it cannot be told */
} GantrySimilarityTask;
GantrySimilarityTask *gantry_similarity_task_new(GObject *owner, GantryDone done);

/* Planes worker: a volume for the scene. */
typedef struct {
  GantryWork work;
  GantryResult *result;
  GantrySolid *solid; /* out */
} GantrySolidTask;
GantrySolidTask *gantry_solid_task_new(GObject *owner, GantryDone done, GantryResult *result);

/* Planes worker: a ray in A and in B. Engine worker, with an engine: what its pixel measured, between pixels
 * interpolated. */
typedef struct {
  GantryWork work;
  GantryEngine *engine;
  GantryScan *scan;                    /* the engine's, else nothing is known; NULL without an engine */
  GantryResult *results[GANTRY_SIDES]; /* NULL: there is no volume */
  GantryRayValues values;              /* out, but for the ray */
} GantryRayTask;
GantryRayTask *gantry_ray_task_new(GObject *owner, GantryDone done, const GantryRay *ray);

/* Planes worker: numbers of marks in A and in B. */
typedef struct {
  GantryWork work;
  GPtrArray *marks;                    /* of GantryMark */
  GantryResult *results[GANTRY_SIDES]; /* NULL: the slices on screen, below, or nothing */
  GantryImage *pictures[GANTRY_SIDES][GANTRY_VIEWS];
  guint epochs[GANTRY_SIDES];    /* the caller's */
  GArray *numbers[GANTRY_SIDES]; /* out: GantryMarkNumbers, one for each; serial 0: none */
} GantryMarksTask;
GantryMarksTask *gantry_marks_task_new(GObject *owner, GantryDone done);

/* Where A and B differ most: files worker for whole volumes of one grid, planes worker for pictures. */
typedef struct {
  GantryWork work;
  GantryResult *volume_a, *volume_b;              /* NULL: pictures are looked at */
  GantryImage *a[GANTRY_VIEWS], *b[GANTRY_VIEWS]; /* NULL: not this one */
  int pairs;                                      /* of pictures */
  GantryPlace places[GANTRY_MOST_PLACES];         /* out, the largest first */
  gsize count;
} GantryWorstTask;
GantryWorstTask *gantry_worst_task_new(GObject *owner, GantryDone done);

/* A device's tuning as its file has it. */
typedef struct {
  gantry_tuning_kept kept;
  GError *damaged; /* NULL: it could be read, or there is none */
} GantryTuning;

/* Files worker: the graphics devices that can back-project. */
typedef struct {
  GantryWork work;
  ctgl_device_facts *devices; /* out */
  GantryTuning *tunings;      /* out, one for each */
  int count;                  /* out */
} GantryDevicesTask;
GantryDevicesTask *gantry_devices_task_new(GObject *owner, GantryDone done);

/* Files worker: numbers of whole volumes. */
typedef struct {
  GantryWork work;
  GantryResult *a, *b; /* b may be NULL or on another grid: then only a's statistics */
  ct_statistics statistics;
  ct_metrics metrics;
  gboolean compared;
} GantryCompareTask;
GantryCompareTask *gantry_compare_task_new(GObject *owner, GantryDone done, GantryResult *a, GantryResult *b);

/* The errors of A against B: whole volumes (files worker), or an axial slice of each, or a region of a slice (planes
 * worker). */
typedef struct {
  GantryWork work;
  GantryResult *a, *b; /* on one grid; NULL: slices */
  GantryImage *slice_a, *slice_b;
  GantryMark *region; /* NULL: all of it */
  ct_grid grid;       /* A's */
  char *scope;
  GantryErrorReport *report; /* out; may be stolen */
} GantryErrorsTask;
GantryErrorsTask *gantry_errors_task_new_for_volumes(GObject *owner, GantryDone done, GantryResult *a, GantryResult *b);
/* B's slice may have other pixels: it is read at A's. */
GantryErrorsTask *gantry_errors_task_new_for_slices(GObject *owner, GantryDone done, const ct_grid *grid,
                                                    GantryImage *a, GantryImage *b);
/* A mark's region on its slice of two volumes, or of the pictures on screen, which show that slice. */
GantryErrorsTask *gantry_errors_task_new_for_region(GObject *owner, GantryDone done, const GantryMark *region,
                                                    GantryResult *a, GantryResult *b);
GantryErrorsTask *gantry_errors_task_new_for_region_on_screen(GObject *owner, GantryDone done, const GantryMark *region,
                                                              const ct_grid *grid, GantryImage *a, GantryImage *b);

/* Files worker: numbers of a volume against B, which is resampled where its grid is another one. */
typedef struct {
  GantryWork work;
  GantryResult *a;     /* NULL: in the file */
  char *path, *record; /* of that file, and its header, which may be NULL */
  gboolean anywhere;   /* as of GantryReadTask */
  GantryResult *b;
  gboolean resampled; /* out: B was */
  ct_metrics metrics; /* out */
} GantryAppraiseTask;
GantryAppraiseTask *gantry_appraise_task_new(GObject *owner, GantryDone done, GantryResult *a, const char *path,
                                             GantryResult *b);

/* Files worker: a volume of the shelf back from its file. */
typedef struct {
  GantryWork work;
  char *path;
  GantryResult *facts;    /* without a volume */
  char *record;           /* the header that it had; may be NULL */
  gpointer data;          /* the caller's */
  GDestroyNotify destroy; /* of data; may be NULL */
  GantryResult *result;   /* out: facts with the volume */
} GantryReturnTask;
GantryReturnTask *gantry_return_task_new(GObject *owner, GantryDone done, const char *path, const GantryResult *facts,
                                         const char *record);

/* Files worker: what a simulated scan is a scan of, on a grid. */
typedef struct {
  GantryWork work;
  GantryScan *scan;
  ct_grid grid;
  GantryResult *result; /* out */
} GantryTruthTask;
GantryTruthTask *gantry_truth_task_new(GObject *owner, GantryDone done, GantryScan *scan, const ct_grid *grid);

/* Planes worker: the planes of several volumes at the same places in the world. */
typedef struct {
  GantryWork work;
  GPtrArray *results; /* of GantryResult */
  guint planes;
  int indices[GANTRY_PLANES]; /* A's */
  double positions[GANTRY_PLANES];
  GantryWanted wanted; /* the oblique plane, in this grid, A's */
  ct_grid grid;
  GPtrArray *images; /* out: GANTRY_VIEWS for each, NULL where there is none */
} GantryVariantsTask;
GantryVariantsTask *gantry_variants_task_new(GObject *owner, GantryDone done);

/* Files worker: whether a plan was made with another scan than this one (ct_identity_compare). */
typedef struct {
  GantryWork work;
  GantryScan *scan;
  ct_identity told;
  char *plan; /* its name */
  char *note; /* out, ct_free; NULL: nothing is to be said */
} GantryIdentifyTask;
/* Takes what *told owns. */
GantryIdentifyTask *gantry_identify_task_new(GObject *owner, GantryDone done, GantryScan *scan, ct_identity *told,
                                             const char *plan);

/* Files worker: a volume from a file. */
typedef struct {
  GantryWork work;
  char *path;
  gboolean anywhere;    /* it may take its values from files outside its folder */
  GantryResult *result; /* out */
} GantryReadTask;
GantryReadTask *gantry_read_task_new(GObject *owner, GantryDone done, const char *path);

/* Files worker: a volume, a slice, a plan or a scan to a file. */
typedef enum { GANTRY_SAVE_VOLUME, GANTRY_SAVE_SLICE, GANTRY_SAVE_PLAN, GANTRY_SAVE_SCAN } GantrySaveKind;
typedef struct {
  GantryWork work;
  GantrySaveKind kind;
  char *path;
  GantryResult *result;
  ct_write_options options;
  GantryImage *image;
  double low, high;
  GantryScan *scan;
  ct_plan plan;
  char *record;        /* of a slice: the header of what it is a slice of; NULL: the plan alone */
  gboolean beside_run; /* the volume was there before the run that went on meanwhile */
} GantrySaveTask;
GantrySaveTask *gantry_save_task_new(GObject *owner, GantryDone done, GantrySaveKind kind, const char *path);

G_END_DECLS
