/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The inside of a pipeline, shared by the files that make its parts. */
#ifndef CT_SOLVE_PIPELINE_PRIVATE_H
#define CT_SOLVE_PIPELINE_PRIVATE_H

#include "recon/filter/outline.h"
#include "recon/filter/ramp.h"
#include "recon/prep/truncation.h"
#include "recon/solve/pipeline.h"

#include <stdatomic.h>
#include <stdint.h>

typedef struct ct_exchange ct_exchange;   /* exchange/exchange.h */
typedef struct ct_filtering ct_filtering; /* solve/spiral/stage.h */
typedef struct ct_overview ct_overview;   /* solve/overview.h */
typedef struct ct_iterated ct_iterated;   /* solve/iterated.c */
typedef struct ct_share ct_share;         /* solve/share-private.h */

/* Stages whose results are kept, each with what there was to warn of when it was made. */
typedef enum {
  CT_WARNED_PREP, /* made anew whenever they are joined */
  CT_WARNED_PLAN,
  CT_WARNED_INTEGRALS,
  CT_WARNED_CENTRE,
  CT_WARNED_GEOMETRY,
  CT_WARNED_EDGES,
  CT_WARNED_FILTER,
  CT_WARNED_METHOD,
  CT_WARNED_STAGES
} ct_warned;

/* Views that are looked at for truncation: the first that a volume is made of, so that it delays no picture. */
enum { CT_SAMPLE_VIEWS = 24 };

typedef struct ct_searched_centre {
  double centre, confidence;
  ct_centre_found found;
  ct_tilt_found tilt;
  char how[160];
  ct_warnings warned;
} ct_searched_centre;

struct ct_pipeline {
  ct_scan *scan;
  ct_backend backend;

  ct_warnings warned[CT_WARNED_STAGES]; /* by stage: cleared where the stage is made again */
  ct_warnings warnings;                 /* all of them, for the facts */

  /* Line integrals of detector rows [row0, row0 + rows) (binned rows), and the plan that made them. NULL where they
   * were filtered in place; what is said about them holds all the same. */
  ct_stack *integrals;
  ct_plan integrals_plan;
  uint64_t integrals_digest;
  int row0, rows;
  uint64_t integrals_version; /* counts up whenever the line integrals change; 0: never made */
  ct_prep_report report;

  /* Line integrals that are still being read, into `integrals` or where they are filtered in place: which are there.
   * NULL: all are. */
  ct_loader *loader;
  bool *is_read; /* [views] */
  int read_count;
  bool *doubted; /* [views] the loader's marks of views that are no use */

  /* Of the views that the plan takes, those that are no use and were left out; NULL: none. The line integrals, their
   * geometry and all that is made of them are without these. A view is found to be no use when it is read: where that
   * was to be later, all is read first in a second attempt (found_useless). */
  bool *left_out; /* [asked] */
  int asked;
  bool found_useless;
  uint64_t read_first; /* the digest of line integrals that must not be read later */

  /* Filtered projections, and what they are made from: version of the line integrals, geometry and filter options.
   * Where memory is short there are no line integrals beside them: the views that are not filtered yet are line
   * integrals still. */
  ct_stack *filtered;
  uint64_t filtered_key;
  bool *is_filtered; /* [views] */
  int filtered_count;
  ct_filtering *filtering; /* for the views that are missing; NULL: none is */
  ct_ramp_filter ramp;     /* that they still lack, and the kernel has; empty: they are filtered */
  size_t memory;           /* limit for what is held and made; 0: what the machine has */
  bool frugal;             /* one stack at a time, whatever the memory */
  ct_exchange *exchange; /* of an iterative run whose other views and slices other processes hold; NULL: it is alone */
  const ct_row_range *slab_rows; /* [columns] of it: the rows that the rays of each column's slab hit, of all; NULL: it
                                  * needs no such cut */
  ct_row_range all_rows;         /* which one process would take */
  const ct_share *share;         /* of the views, where other processes make the rest; NULL: all are made here */

  /* The centre in use, in columns of the unbinned detector, and as searched last, for the key that it was searched
   * with. */
  double centre, confidence;
  ct_centre_found found; /* count 0: not searched by comparing rays */
  ct_tilt_found tilt;    /* NaN: not searched, or none */
  bool centre_found;
  uint64_t centre_key;
  ct_searched_centre searched_centre;
  ct_warnings opinion;  /* what opposite views say of a centre that the scan tells, for its key */
  uint64_t opinion_key; /* 0: never asked */

  /* How far the object reaches beyond the detector, of a sample of views, for the key that it was looked at with. */
  ct_truncation truncation;
  uint64_t truncation_key; /* 0: never */
  ct_stack *sample;        /* what was looked at: bands of views, out of the uncropped rows */
  int sample_views[CT_SAMPLE_VIEWS], sample_row0, sample_rows;
  /* The object's outline where it is cut off and projections are extended by it. */
  bool has_outline;
  ct_outline outline;
  double object_radius;  /* mm about the axis, where the grid is to hold all of an object that is cut off; else 0 */
  bool starts_iteration; /* the direct reconstruction in work is the start of an iterative run, on its grid */
  uint64_t outline_key;  /* 0: never */

  ct_geometry geometry; /* cropped, binned, centred; of the line integrals */
  ct_geometry seen;     /* of the filtered projections: wider where the detector is displaced */
  bool has_geometry;
  int start_views; /* of the direct reconstruction that an iterative run is to start from; 0: none */
  char centre_how[160];
  const ct_grid *whole;    /* of slabs in work, the grid of all of them; NULL: that of the facts */
  const char *searched_by; /* and how their centre was found; NULL: as centre_how says */
  int views_taken;         /* of the direct volume made last; 0: the plan tells */
  ct_pipeline_facts facts;

  ct_iterated *iterated;         /* the kept run; NULL: none */
  const ct_projector *projector; /* of the slabs in work, as planned; NULL: as the plan says */
  ct_iteration *slice_curve;     /* of the slice iterated last */
  size_t slice_points;
  ct_stopped slice_stopped;
  const ct_volume *start, *reference;
  uint64_t start_version;
};

/* An iterative run that is kept, and what it was made from. */
struct ct_iterated {
  ct_iterative *run;
  ct_geometry geometry; /* of the rows that the run takes; it borrows it */
  ct_volume *volume;    /* the image as published; NULL when it was given away */
  bool current;
  uint64_t run_digest, integrals_version, geometry_digest, start_version;
  int finish_after, start_views; /* of the direct reconstruction that it starts from: asked for, taken (0: none) */
  ct_grid grid;
};
void ct_iterated_free(ct_iterated *iterated);

/* The warnings of a stage that is made again: empty, to be filled. ct_pipeline_join_warnings brings the facts up to
 * date after a stage that follows prepare. */
ct_warnings *ct_pipeline_warn(ct_pipeline *pipeline, ct_warned stage);
void ct_pipeline_join_warnings(ct_pipeline *pipeline);
/* Of settings that have no effect. */
void ct_pipeline_warn_idle(ct_pipeline *pipeline, const ct_plan *plan);

/* A volume in the making. */
struct ct_partial {
  const ct_bp_kernel *kernel; /* NULL: iterated */
  ct_bp_state *state;
  ct_volume *volume;
  double scale;
  int done;
  const ct_overview *overview; /* of a slab: the slices before it; NULL: the volume is all */
  const ct_iterative *run;
  bool *current;                 /* of a run: whether the volume holds its present image */
  const ct_publisher *publisher; /* may be NULL */
  bool asked_for;
};
/* Hands it to its publisher. */
void ct_partial_publish(const ct_partial *partial);
/* The same for ct_job_set_show, with a ct_partial; where there is something to be seen yet. */
void ct_partial_show(void *partial);

/* ct_pipeline_prepare for some slices of the plan's grid (NULL: all): reads and filters only the rows that they need.
 * The grid of the facts is then the part. */
bool ct_pipeline_prepare_part(ct_pipeline *pipeline, const ct_plan *plan, const ct_grid *part, ct_job *job,
                              ct_error **error);

/* Geometry, centre and grid alone, as far as they hang on the data; part as above. */
bool ct_pipeline_look(ct_pipeline *pipeline, const ct_plan *plan, const ct_grid *part, ct_job *job, ct_error **error);

/* Geometry and grid of the plan (of a part of its grid), the line integrals that they need (to be read later, where the
 * centre does not ask for them now), the centre, and whether the detector's narrow side cuts the object off (ready.c).
 * The geometry is to be cleared. */
bool ct_pipeline_make_ready(ct_pipeline *pipeline, const ct_plan *plan, const ct_grid *part, bool later,
                            ct_geometry *geometry, ct_grid *grid, ct_job *job, ct_error **error);

/* Called before the first iteration of a run, with room for an image: may set it to what another run kept. */
typedef struct ct_run_begun {
  void *user;
  bool (*begun)(void *user, ct_iterative *run, ct_volume *room, ct_error **error);
} ct_run_begun;

/* What is made of a prepared pipeline. */
typedef struct ct_part {
  const ct_plan *plan;
  const ct_grid *grid;           /* some slices of the plan's, or all of it */
  const ct_overview *overview;   /* of a slab: the slices before it; NULL: it is all */
  const ct_publisher *publisher; /* may be NULL */
  const ct_run_begun *begun;     /* may be NULL */
} ct_part;

/* The part from filtered projections. views: so many in bit-reversed order, whatever finish-early says; 0: those of
 * the plan, or those until finish-early. *views_done (may be NULL): those taken. Begins no stage of the job. */
ct_volume *ct_pipeline_backproject(ct_pipeline *pipeline, const ct_part *part, int views, int *views_done, ct_job *job,
                                   ct_error **error);
/* ct_pipeline_volume and ct_pipeline_slice of the direct method. */
ct_volume *ct_pipeline_direct_volume(ct_pipeline *pipeline, const ct_plan *plan, const ct_publisher *publisher,
                                     ct_job *job, ct_error **error);
bool ct_pipeline_direct_slice(ct_pipeline *pipeline, const ct_plan *plan, ct_plane plane, int index, float *out,
                              ct_job *job, ct_error **error);

/* Geometry, centre and line integrals (held), nothing filtered: what an iterative method needs for some slices (NULL:
 * all). */
bool ct_pipeline_prepare_integrals(ct_pipeline *pipeline, const ct_plan *plan, const ct_grid *part, ct_job *job,
                                   ct_error **error);

/* The part by an iterative method, with the line integrals prepared for it (iterated.c). keep: for more iterations.
 * *iterations (may be NULL): so many, whatever finish-early says; -1: the plan's, or those until finish-early; then
 * those done. */
ct_volume *ct_pipeline_iterate(ct_pipeline *pipeline, const ct_part *part, bool keep, int *iterations,
                               const ct_volume *start, ct_job *job, ct_error **error);
/* ct_pipeline_volume and ct_pipeline_slice of an iterative method. */
ct_volume *ct_pipeline_iterated_volume(ct_pipeline *pipeline, const ct_plan *plan, const ct_publisher *publisher,
                                       ct_job *job, ct_error **error);
bool ct_pipeline_iterated_slice(ct_pipeline *pipeline, const ct_plan *plan, int index, float *out, ct_job *job,
                                ct_error **error);
static inline bool ct_plan_is_iterative(const ct_plan *plan) {
  return ct_method_iterates(plan->iterative.method);
}
/* Ends a run that could go on, where its projector is a graphics device's. */
void ct_pipeline_leave_device(ct_pipeline *pipeline);
/* Bytes that the plan's iterative method holds besides line integrals and volume, and the projector that it takes (may
 * be NULL). CT_ERROR_MEMORY, with the size and another way, where that alone passes the limit. */
bool ct_plan_iterative_bytes(const ct_plan *plan, const ct_backend *backend, const ct_geometry *geometry,
                             const ct_grid *grid, double limit, double *bytes, const ct_projector **projector,
                             ct_error **error);

/* Slabs of an iterative method (iterated-slab.c). Whether every slice of the grid is a problem of its own:
 * CT_ERROR_UNSUPPORTED with the reason where it is not. */
bool ct_plan_iterates_slices(const ct_plan *plan, const ct_geometry *geometry, const ct_grid *grid, ct_error **error);
/* Some slices, with the line integrals prepared for them at least; a start from the direct reconstruction makes that
 * first. *iterations as ct_pipeline_iterate, *views as ct_pipeline_backproject for the start. */
ct_volume *ct_pipeline_iterate_slab(ct_pipeline *pipeline, const ct_part *part, bool all_rows, int *iterations,
                                    int *views, ct_job *job, ct_error **error);
/* The plan with so many iterations; with 0 it is that of the direct volume. */
ct_plan ct_plan_iterated(const ct_plan *plan, int iterations);
/* The plan of the direct volume of the whole field, from which an iterative method may start. */
ct_plan ct_plan_direct(const ct_plan *plan);

/* The plan as it was really used, on the volume: the centre that was found stands in it as a number. */
bool ct_pipeline_attach_plan(const ct_pipeline *pipeline, const ct_plan *plan, ct_volume *volume, ct_error **error);

/* The plan that makes the same again: the centre as found, the views really taken. */
void ct_pipeline_used_plan(const ct_pipeline *pipeline, const ct_plan *plan, ct_plan *used);
/* The same with what its automatic values came to. */
bool ct_pipeline_resolved_plan(const ct_pipeline *pipeline, const ct_plan *used, ct_plan *resolved, ct_error **error);

/* How many views, the first in bit-reversed order, a plan takes of `views`. */
int ct_plan_most_views(const ct_plan *plan, int views);
/* What makes the sum over those of a geometry stand for all of it: the weights of all by the weights of those; NaN with
 * an error. */
double ct_plan_views_scale(const ct_plan *plan, const ct_geometry *geometry, ct_error **error);

/* A warning where opposite views are sure of another centre than the one that the scan tells and the plan takes from
 * it: after a slice or volume, as all views are read then. */
void ct_pipeline_doubt_told_centre(ct_pipeline *pipeline, const ct_plan *plan);

/* ct_pipeline_prepare_part, but only ready to read and to filter, with room for the volume and its kernel. */
bool ct_pipeline_prepare_volume(ct_pipeline *pipeline, const ct_plan *plan, const ct_grid *part, ct_job *job,
                                ct_error **error);

/* The projections that a pipeline holds (projections.c). */
void ct_projections_free(ct_pipeline *pipeline);
/* Line integrals of the plan's corrections for at least these rows of `geometry` (not cropped), unless they were made
 * already. later: views may be read when they are filtered, where that costs no more and gives the same. */
bool ct_integrals_make(ct_pipeline *pipeline, const ct_plan *plan, const ct_geometry *geometry, int row0, int rows,
                       bool later, ct_job *job, ct_error **error);
/* Reads them again if they were filtered in place. */
/* Takes the views that were left out out of the plan's geometry. */
void ct_integrals_drop_views(const ct_pipeline *pipeline, ct_geometry *geometry);
/* Leaves out these views [asked], too, of line integrals that are held. */
bool ct_integrals_leave_out(ct_pipeline *pipeline, const bool *views, ct_error **error);
/* Marks of views [views] that are no use, which it takes. */
void ct_integrals_take_left_out(ct_pipeline *pipeline, bool *left_out, int views);
/* The place of a view of the line integrals among all that the plan takes. */
int ct_integrals_place(const ct_pipeline *pipeline, int view);
/* Whether what has just failed because a view is no use is to be tried again, without it; else the fault goes to
 * *error. */
bool ct_pipeline_try_again(ct_pipeline *pipeline, ct_error **fault, ct_error **error);
/* As after one that was found here, where another process found it: all views are read first from now on. */
void ct_pipeline_read_first(ct_pipeline *pipeline);
void ct_pipeline_warn_left_out(const ct_pipeline *pipeline, ct_warnings *warnings);
bool ct_integrals_hold(ct_pipeline *pipeline, const ct_geometry *geometry, ct_job *job, ct_error **error);
/* [count][bands of the rows][nu] (ct_take_bands) of some views, rows of the uncropped geometry: of the line integrals
 * that are held, or read for it (then without ring removal). */
ct_stack *ct_integrals_sample(ct_pipeline *pipeline, const ct_plan *plan, int row0, int rows, const int *views,
                              int count, ct_job *job, ct_error **error);
/* Whether the object reaches the detector's edge: p->truncation, g->narrow_side, and the warning. g: of the line
 * integrals, with the centre found. */
bool ct_pipeline_look_at_edges(ct_pipeline *pipeline, const ct_plan *plan, ct_geometry *g, ct_job *job,
                               ct_error **error);
/* An object that reaches an edge in fewer views than this share is not cut off there: neither told nor extended. */
#define CT_CUT_OFF_SHARE 0.02
/* Whether that was looked at, and the object ends on the detector on both sides. */
bool ct_pipeline_object_ends(const ct_pipeline *pipeline);
/* Whether the plan leaves it to the data how wide the grid of its iterative method is. */
bool ct_plan_widens_grid(const ct_plan *plan);
/* Across the axis of a geometry, by as many voxels on each side as a circle about the axis needs. */
void ct_grid_widen(ct_grid *grid, const ct_geometry *geometry, double radius);
/* The same of p->truncation: g->narrow_side, where the plan leaves it open. */
void ct_pipeline_decide_narrow_side(const ct_pipeline *pipeline, const ct_plan *plan, ct_geometry *g);
/* The weights of the last prepare; its plan with them named, and the whole grid that was made for it. */
bool ct_pipeline_weights(const ct_pipeline *pipeline, const ct_plan *plan, ct_redundancy *used, ct_error **error);
bool ct_pipeline_settled(const ct_pipeline *pipeline, const ct_plan *plan, ct_plan *settled, ct_grid *grid,
                         ct_error **error);
/* The plan's options of the filter, with the outline that was found. */
ct_filter_options ct_pipeline_filter_options(const ct_pipeline *pipeline, const ct_plan *plan);
/* Decides where to filter for the plan and the geometry (of the line integrals), so that `more` bytes can be had
 * besides. */
bool ct_filtered_begin(ct_pipeline *pipeline, const ct_plan *plan, const ct_geometry *geometry, double more,
                       ct_job *job, ct_error **error);
/* Whether all of them are filtered. */
bool ct_filtered_has(const ct_pipeline *pipeline, const int *views, int count);
/* Reads and filters those of the views that are not yet; ..._all with progress as a stage of its own; ..._ahead beside
 * a kernel that runs on others: stops, all the same true, when that is done or anything is asked of the job. */
bool ct_filtered_add(ct_pipeline *pipeline, const int *views, int count, ct_job *job, ct_error **error);
bool ct_filtered_all(ct_pipeline *pipeline, ct_job *job, ct_error **error);
bool ct_filtered_ahead(ct_pipeline *pipeline, const int *views, int count, const atomic_bool *done, ct_job *job,
                       ct_error **error);

/* Whether so many bytes may be allocated besides the projections, those too that are still to be read or filtered. */
bool ct_projections_leave_room(const ct_pipeline *pipeline, double bytes);

/* Share of the free memory that a run may take: the desktop needs the rest. */
#define CT_MEMORY_USABLE 0.85

int ct_plan_threads(const ct_plan *plan);
/* Options of the filter for the scan's projections, with the plan's threads. */
ct_filter_options ct_plan_filter_options(const ct_plan *plan, const ct_scan *scan);

/* How much of a volume a grid is: all, a plane or a few of them, or some of its slices. */
typedef enum { CT_EXTENT_VOLUME, CT_EXTENT_PLANE, CT_EXTENT_SLAB } ct_extent;

/* Fills the request and picks the plan's kernel. Where one chosen by name cannot serve a plane, or so few or such
 * slices as a slab has, the automatic choice does, and `why` begins with the refusal. The batch of planes is not the
 * plan's. */
const ct_bp_kernel *ct_plan_kernel(const ct_plan *plan, const ct_backend *backend, const ct_geometry *geometry,
                                   const ct_grid *grid, ct_extent extent, ct_bp_request *request, char why[CT_BP_WHY],
                                   ct_error **error);

/* Either, for the plan's grid or a part of it. */
const ct_bp_kernel *ct_pipeline_choose_kernel(const ct_pipeline *pipeline, const ct_plan *plan, const ct_geometry *seen,
                                              const ct_grid *grid, bool part, ct_bp_request *request,
                                              char why[CT_BP_WHY], ct_error **error);

/* Says with the kernel's reasons that it filters, where it does; of a volume for whose slabs projections are held, why
 * the processor filters though the plan wants the card to. */
void ct_pipeline_tell_ramp(ct_pipeline *pipeline);
void ct_pipeline_warn_held_ramp(ct_pipeline *pipeline, const ct_plan *plan);

/* Whether the plan or the scan tells the centre of rotation, so that it need not be searched. */
bool ct_centre_is_told(const ct_plan *plan, const ct_scan *scan, ct_beam beam);

/* Detector rows that see the grid, with those that the plan's slice thickness averages them with. False: no view sees
 * it. */
bool ct_plan_rows(const ct_plan *plan, const ct_geometry *geometry, const ct_grid *grid, int *row0, int *rows);

/* Rows of a part of the grid, out of those of the whole grid: with the neighbours that corrections look at, and from an
 * even row on, as the filter takes rows in pairs, and those that the plan's slice thickness averages. A part's
 * projections are then those of the whole. A part that no view sees gets the first rows. */
bool ct_slab_rows(const ct_plan *plan, const ct_geometry *geometry, const ct_grid *grid, const ct_grid *part, int *row0,
                  int *rows, ct_error **error);

/* Slices that the plan's method makes as one, counted from slice 0, and whose rounding the others are part of: slabs
 * that begin with such a set are those of the whole volume. */
int ct_plan_slices_together(const ct_plan *plan);

/* Views that are added next: order[0 .. count - 1]. */
typedef struct ct_portion {
  const int *order;
  int count;
  int next;   /* of those behind them: ready, and the whole next batch; 0: not known to be */
  int ahead;  /* to be made ready beside the kernel */
  bool first; /* none were added before */
  bool last;  /* none follow */
  int *added; /* NULL: all have to be; else how many of the first are in the volume, fewer where the job is to finish
                 early */
} ct_portion;
/* Runs them through a prepared kernel. projections: room for count + next. */
bool ct_run_portion(const ct_bp_kernel *kernel, ct_bp_state *state, const ct_stack *filtered, const ct_portion *portion,
                    const float **projections, ct_volume *volume, ct_job *job, ct_error **error);

/* Back-projects all views of the filtered stack onto `grid` (thin), without the plan's mask. choice (may be NULL) tells
 * by which kernel. */
ct_volume *ct_backproject_thin(const ct_plan *plan, const ct_backend *backend, const ct_geometry *geometry,
                               const ct_stack *filtered, const ct_grid *grid, ct_kernel_choice *choice, ct_job *job,
                               ct_error **error);

/* The volume in the making where it holds what was added so far (NULL: its kernel keeps that elsewhere), and the factor
 * that makes it absolute. */
const ct_volume *ct_partial_volume(const ct_partial *partial, float *scale);

/* Zeroes voxels outside the circle that every view sees. */
void ct_mask_field(ct_volume *volume, const ct_geometry *geometry);

/* False, with where and why, where a voxel has no finite value. placed: the grid is that of the world. */
bool ct_check_finite(const ct_volume *volume, const ct_stack *filtered, bool placed, ct_error **error);

/* A sweep over trial centres; see ct_pipeline_sweep. Columns in and out are those of the line integrals. */
typedef struct ct_sweep_request {
  const ct_plan *plan;
  ct_filter_options options;
  const ct_backend *backend;
  const ct_stack *integrals;
  const ct_geometry
      *geometry; /* of the line integrals; its centre is the middle of the range where the plan tells none */
  const ct_grid *grid;
  int index; /* of the axial plane that is judged */
} ct_sweep_request;
bool ct_sweep_centres(const ct_sweep_request *request, ct_centre_trial **trials, size_t *count, double *best,
                      ct_job *job, ct_error **error);
/* The same at the centres that stand in trials[count]. */
bool ct_sweep_at(const ct_sweep_request *request, ct_centre_trial *trials, size_t count, ct_job *job, ct_error **error);
/* What trial slices make of a centre that comparing rays leaves open (centre-slices.c), columns of the line integrals.
 */
typedef struct ct_slices_say {
  int slices;   /* 0: none could be made */
  bool decided; /* else the slices are best at an end of what was tried, or nowhere */
  double centre, step;
  double better; /* share by which the measure beats the next best place's */
} ct_slices_say;
bool ct_centre_by_slices(const ct_sweep_request *request, const ct_centre_found *found, ct_slices_say *say, ct_job *job,
                         ct_error **error);
/* Of the line integrals that the pipeline holds. */
ct_sweep_request ct_pipeline_sweep_request(const ct_pipeline *pipeline, const ct_plan *plan,
                                           const ct_geometry *geometry, const ct_grid *grid, int index);
/* Decides the centre column (centring.c); *geometry, of the line integrals, has that of the scan or of the plan. */
bool ct_pipeline_centre(ct_pipeline *pipeline, const ct_plan *plan, ct_geometry *geometry, const ct_grid *grid,
                        ct_job *job, ct_error **error);
/* Columns of the unbinned detector and of bins of b. */
double ct_unbinned_column(double column, int b);
double ct_binned_column(double column, int b);

#endif
