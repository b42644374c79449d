/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gantry-cli reconstruct: doing it. */
#include "app/cli/reconstruct-iterative.h"
#include "app/cli/reconstruct.h"
#include "app/cli/slice.h"
#include "app/example.h"
#include "app/backend.h"
#include "app/slab-file.h"
#include "recon/base/machine.h"
#include "recon/base/memory.h"
#include "recon/base/shown.h"
#include "recon/base/units.h"
#include "recon/solve/pipeline.h"
#include "recon/solve/record.h"

#include <math.h>
#include <string.h>

/* A slice needs no volume: whether the memory will do for the projections. */
static bool check_slice_memory(const cli_reconstruction *r, const ct_scan *scan, ct_error **error) {
  ct_estimate estimate;
  if (!ct_plan_estimate_planes(&r->plan, scan, r->backend, 0, &estimate, error)) return false;
  if (estimate.fits || estimate.available <= 0 || estimate.total < estimate.available) return true;
  const size_t length = strlen(estimate.advice);
  return ct_error_set(error, CT_ERROR_MEMORY, "%.*s; --force goes on all the same", (int)length - 1, estimate.advice);
}

/* Whether the grid has the slice, before anything is read: the grid does not hang on what is found in the projections.
 */
/* The grid may hang on what the data say; what is found out too late for this is refused when it is. */
static bool check_index(const cli_reconstruction *r, const ct_scan *scan, ct_error **error) {
  ct_geometry geometry;
  ct_grid grid;
  int index = r->index;
  if (!r->one_plane || r->pose.oblique) return true;
  if (!ct_plan_geometry(&r->plan, scan, &geometry, error)) return false;
  const bool good =
      ct_plan_grid(&r->plan, &geometry, &grid, error) &&
      (!ct_plan_grid_is_told(&r->plan, scan, &geometry) || cli_resolve_index(&grid, r->axis, &index, error));
  ct_geometry_clear(&geometry);
  return good;
}

/* Whether the volume has to be made in slabs, and if so whether it can be. */
static bool plan_memory(const cli_reconstruction *r, const ct_scan *scan, bool *in_slabs, ct_slab_plan *slabs,
                        ct_error **error) {
  ct_estimate estimate;
  *in_slabs = false;
  if (r->force) return true;
  if (r->one_plane) return check_slice_memory(r, scan, error);
  if (!ct_plan_estimate(&r->plan, scan, r->backend, &estimate, error)) return false;
  /* Within a given memory, as within what is free, filtering in place comes before slabs. */
  *in_slabs = r->memory > 0 ? estimate.total - estimate.filtered > r->memory : !estimate.fits;
  return !*in_slabs || ct_plan_slabs(&r->plan, scan, r->backend, r->memory, slabs, error);
}

/* The example is simulated only for a plan that fits. */
static bool check_example(const cli_reconstruction *r, ct_error **error) {
  if (r->description || strcmp(r->scan, "example") != 0) return true;
  ct_scan *outline = gantry_example_outline(error);
  bool in_slabs;
  ct_slab_plan slabs;
  const bool good = outline && check_index(r, outline, error) && plan_memory(r, outline, &in_slabs, &slabs, error);
  ct_scan_free(outline);
  return good;
}

static bool write_volume(const cli_reconstruction *r, const ct_volume *volume, ct_job *job, ct_error **error) {
  const ct_write_options options = {.samples = (ct_samples)r->plan.samples,
                                    .low = r->plan.low,
                                    .high = r->plan.high,
                                    .compress = r->plan.compress != 0};
  return ct_volume_write_as(r->format, r->output, volume, &options, job, error);
}

/* What belongs to a volume that must be iterated whole is not made from another method instead. */
static bool refuse_preview(const char *plane, ct_error **error) {
  return ct_error_set(error, CT_ERROR_UNSUPPORTED,
                      "The method gives this %s slice only with the whole volume: write the volume and cut it "
                      "(gantry-cli slice), or "
                      "use --set iterative.method=fbp",
                      plane);
}

static ct_png_plane picture_of(const cli_reconstruction *r, const float *values, const char *plan) {
  return (ct_png_plane){.values = values, .bits = r->bits, .low = r->low, .high = r->high, .plan = plan};
}

/* A plane of any pose as a PNG. */
static bool make_oblique(const cli_reconstruction *r, ct_pipeline *pipeline, const ct_identity *identity, ct_job *job,
                         ct_grid *grid, ct_error **error) {
  if (!ct_pipeline_prepare_planes(pipeline, &r->plan, job, error)) return false;
  if (r->plan.iterative.method != CT_METHOD_DIRECT) return refuse_preview("oblique", error);
  const ct_oblique oblique = cli_pose_plane(&r->pose, &ct_pipeline_get_facts(pipeline)->grid);
  *grid = ct_grid_centred(oblique.width, oblique.height, 1, oblique.spacing, NULL);
  float *plane = cli_new_oblique(&oblique, error);
  char *plan = NULL;
  const bool good = plane && ct_pipeline_oblique(pipeline, &r->plan, &oblique, plane, job, error) &&
                    (plan = ct_pipeline_record(pipeline, &r->plan, identity, error)) && ct_job_may_go_on(job, error) &&
                    cli_write_oblique(r->output, &oblique, picture_of(r, plane, plan), error);
  ct_free(plan);
  ct_free(plane);
  return good;
}

/* One plane as a PNG, or as a volume one voxel thick. */
static bool make_slice(const cli_reconstruction *r, ct_pipeline *pipeline, const ct_identity *identity, ct_job *job,
                       ct_grid *grid, ct_error **error) {
  int index = r->index;
  bool good = false;
  char *plan = NULL;
  float *plane = NULL;
  ct_volume *thin = NULL;
  if (!ct_pipeline_prepare_planes(pipeline, &r->plan, job, error)) return false;
  if (ct_pipeline_slice_is_preview(pipeline, &r->plan, r->axis)) return refuse_preview(ct_plane_id(r->axis), error);
  const ct_grid whole = ct_pipeline_get_facts(pipeline)->grid;
  if (!cli_resolve_index(&whole, r->axis, &index, error)) return false;
  *grid = ct_grid_plane(&whole, r->axis, index);
  if (r->png)
    plane = cli_new_plane(&whole, r->axis, error);
  else
    thin = ct_volume_new(grid, error);
  float *out = r->png ? plane : thin ? ct_volume_data(thin) : NULL;
  if (out && ct_pipeline_slice(pipeline, &r->plan, r->axis, index, out, job, error) &&
      (plan = ct_pipeline_record(pipeline, &r->plan, identity, error)) && ct_job_may_go_on(job, error)) {
    if (r->png)
      good = cli_write_plane(r->output, &whole, r->axis, picture_of(r, plane, plan), error);
    else
      good = ct_volume_set_plan(thin, plan, error) && write_volume(r, thin, job, error);
  }
  if (good && r->curve) good = cli_write_curve(r, pipeline, error);
  ct_free(plan);
  ct_free(plane);
  ct_volume_free(thin);
  return good;
}

static void announce(const cli_reconstruction *r, const ct_slab_plan *slabs, cli_watch *watch) {
  char total[32], file[32], text[512];
  snprintf(text, sizeof text,
           "%s: %d slabs of %s%d slice%s, each written before the next (%s in all), in %s of memory%s", r->output,
           slabs->count, slabs->height == 1 ? "" : "up to ", slabs->height, slabs->height == 1 ? "" : "s",
           ct_format_bytes(slabs->file, file, sizeof file), ct_format_bytes(slabs->total, total, sizeof total),
           slabs->copies ? "" : ", reading for each only the detector rows that it needs");
  cli_watch_say(watch, text);
}

/* The volume, never whole in memory. */
static bool make_in_slabs(const cli_reconstruction *r, ct_pipeline *pipeline, ct_slab_plan *slabs, cli_watch *watch,
                          ct_error **error) {
  gantry_slab_file file;
  if (!gantry_slab_file_init(&file, r->format, r->output, &r->plan, &slabs->grid, error)) return false;
  if (slabs->count > 1) announce(r, slabs, watch);
  const ct_slab_sink sink = gantry_slab_file_sink(&file);
  const bool good = ct_pipeline_slabs(pipeline, &r->plan, slabs, &sink, NULL, NULL, cli_watch_job(watch), error);
  return gantry_slab_file_end(&file, good, error);
}

static bool make_volume(const cli_reconstruction *r, ct_scan *scan, ct_pipeline *pipeline,
                        const ct_publisher *publisher, cli_watch *watch, ct_grid *grid, ct_error **error) {
  bool in_slabs;
  ct_slab_plan slabs;
  if (!plan_memory(r, scan, &in_slabs, &slabs, error)) return false;
  if (in_slabs && (r->start || r->reference || r->curve))
    return ct_error_set(error, CT_ERROR_ARGUMENT,
                        "The volume does not fit into memory and would be made in slabs, which have no common curve: "
                        "leave --start, --reference "
                        "and --curve away");
  if (in_slabs) {
    const bool made = make_in_slabs(r, pipeline, &slabs, watch, error);
    *grid = slabs.grid;
    return made;
  }
  ct_pipeline_limit_memory(pipeline, (size_t)r->memory);
  ct_job *job = cli_watch_job(watch);
  ct_volume *volume = ct_pipeline_volume(pipeline, &r->plan, publisher, job, error);
  const bool good = volume && write_volume(r, volume, job, error) && (!r->curve || cli_write_curve(r, pipeline, error));
  if (volume) *grid = *ct_volume_grid(volume);
  ct_volume_free(volume);
  return good;
}

/* One distance alone would be passed over: a beam that nobody tells is taken for parallel. */
static bool check_distances(const cli_reconstruction *r, const ct_scan *scan, ct_error **error) {
  const ct_plan *plan = &r->plan;
  const bool sod = !isnan(plan->sod), sdd = !isnan(plan->sdd);
  if (sod == sdd || !ct_plan_beam_is_assumed(plan, ct_scan_get_facts(scan)->known)) return true;
  return ct_error_set(
      error, CT_ERROR_ARGUMENT,
      "%s is set, but not %s, which a fan or cone beam needs besides: set both, or geometry.beam=parallel.",
      sod ? "geometry.sod" : "geometry.sdd", sod ? "geometry.sdd" : "geometry.sod");
}

static bool check_samples(const cli_reconstruction *r, const ct_scan *scan, ct_error **error) {
  if (r->png || r->plan.samples != CT_SAMPLES_HOUNSFIELD || ct_scan_get_facts(scan)->scale.unit[0]) return true;
  return ct_error_set(error, CT_ERROR_ARGUMENT,
                      "output.samples is hu, but the scan does not tell what Hounsfield units are of its values: "
                      "set float32 or uint16.");
}

bool cli_reconstruct_check_scan(const cli_reconstruction *r, const ct_scan *scan, ct_error **error) {
  return check_distances(r, scan, error) && check_samples(r, scan, error);
}

/* That the numbers come from. */
static int views_of(const cli_reconstruction *r, const ct_pipeline_facts *facts) {
  const int views = facts->geometry ? facts->views_all : 0, most = r->plan.finish_after;
  if (facts->views_taken || ct_method_iterates(r->plan.iterative.method) || most == CT_AUTO_INT)
    return facts->views_taken ? facts->views_taken : views;
  return most < views ? most : views;
}

void cli_print_summary(const cli_reconstruction *r, const ct_scan *scan, const ct_pipeline *pipeline,
                       const ct_grid *grid, double seconds, double gups) {
  const ct_pipeline_facts *facts = ct_pipeline_get_facts(pipeline);
  const ct_bp_kernel *kernel = r->one_plane ? facts->plane.kernel : facts->kernel;
  char voxel[48], time[48], centre[48], shown[CT_SHOWN];
  fprintf(stderr, "%s: %d x %d x %d voxels of %s from %d views in %s", ct_shown(r->output, shown, sizeof shown),
          grid->nx, grid->ny, grid->nz, ct_format_quantity(grid->dx, 5, facts->units.length, voxel, sizeof voxel),
          views_of(r, facts), ct_format_duration(seconds, time, sizeof time));
  /* an iterative run has at most its start back-projected */
  if (gups > 0 && !ct_method_iterates(r->plan.iterative.method))
    fprintf(stderr, ", %.1f GUPS, %s a projection", gups,
            ct_format_quantity(1e-6 * (double)ct_grid_voxels(grid) / gups, 3, "ms", time, sizeof time));
  if (ct_method_iterates(r->plan.iterative.method))
    cli_print_iterations(stderr, r, pipeline);
  else if (kernel)
    fprintf(stderr, ", kernel %s", kernel->id);
  if (isfinite(facts->centre_u))
    fprintf(stderr, ", centre at column %s", ct_format_number(facts->centre_u, 7, centre, sizeof centre));
  if (facts->centre_how) fprintf(stderr, " (%s)", facts->centre_how);
  if (ct_plan_beam_is_assumed(&r->plan, ct_scan_get_facts(scan)->known)) fputs(", parallel beam assumed", stderr);
  fputc('\n', stderr);
  /* what the automatic choice weighed, or why it took the place of the plan's kernel */
  if (!ct_method_iterates(r->plan.iterative.method) && kernel && strcmp(r->plan.kernel, kernel->id))
    cli_print_wrapped(stderr, 2, r->one_plane ? facts->plane.why : facts->kernel_why);
}

bool cli_save_plan(const cli_reconstruction *r, const ct_identity *identity, ct_error **error) {
  if (ct_plan_save(&r->plan, identity, r->save_plan, error)) return true;
  ct_error_prefix(error, "%s is written, but its plan is not", r->output);
  return false;
}

static bool reconstruct(const cli_reconstruction *r, ct_scan *scan, ct_pipeline *pipeline, cli_watch *watch,
                        cli_reconstructed *made, ct_error **error) {
  ct_job *job = cli_watch_job(watch);
  ct_identity identity = {0};
  ct_grid grid = {0};
  cli_iterative iterative;
  if (!cli_iterative_begin(&iterative, r, scan, pipeline, watch, error)) return false;
  const double begun = ct_now();
  bool good = cli_tell_other_scan(&r->plan_input, r->plan_file, scan, watch, error) &&
              ((!r->one_plane && !r->save_plan) || ct_identity_of(scan, &identity, error));
  if (good && r->pose.oblique)
    good = make_oblique(r, pipeline, &identity, job, &grid, error);
  else if (good && r->one_plane)
    good = make_slice(r, pipeline, &identity, job, &grid, error);
  else if (good)
    good = make_volume(r, scan, pipeline, ct_method_iterates(r->plan.iterative.method) ? &iterative.publisher : NULL,
                       watch, &grid, error);
  good = good && (!r->save_plan || cli_save_plan(r, &identity, error));
  ct_identity_clear(&identity);
  *made = (cli_reconstructed){.grid = grid, .seconds = ct_now() - begun};
  if (good && !r->quiet) {
    ct_progress progress;
    ct_job_get_progress(job, &progress);
    cli_watch_hide(watch);
    cli_print_summary(r, scan, pipeline, &grid, made->seconds, progress.gups);
  }
  cli_iterative_end(&iterative, pipeline);
  return good;
}

bool cli_reconstruct_check_outputs(const cli_reconstruction *r, ct_error **error) {
  return (r->png ? cli_check_output(r->output, error) : cli_check_volume(r->format, r->output, error)) &&
         (!r->save_plan || cli_check_output(r->save_plan, error)) && (!r->curve || cli_check_output(r->curve, error));
}

/* A fault that names another file is about that; everything else is about the scan. */
const char *cli_reconstruct_at_fault(const cli_reconstruction *r, const ct_error *error) {
  const char *const others[] = {r->output, r->save_plan, r->curve, r->start, r->reference, r->description};
  for (size_t n = 0; n < sizeof others / sizeof *others; n++)
    if (others[n] && ct_error_names(error, others[n])) return NULL;
  return r->scan;
}

bool cli_reconstruct_watched(const cli_reconstruction *r, cli_watch *watch, cli_reconstructed *made, ct_error **error) {
  ct_scan *scan = cli_reconstruct_check_outputs(r, error) && check_example(r, error)
                      ? gantry_open_scan(r->scan, r->description, cli_watch_job(watch), error)
                      : NULL;
  ct_pipeline *pipeline = NULL;
  const bool good = scan && cli_reconstruct_check_scan(r, scan, error) && check_index(r, scan, error) &&
                    (r->force || !r->one_plane || check_slice_memory(r, scan, error)) &&
                    (pipeline = ct_pipeline_new(scan, r->backend, error)) &&
                    reconstruct(r, scan, pipeline, watch, made, error);
  const ct_warnings *told = good ? ct_pipeline_get_facts(pipeline)->warnings : NULL;
  if (told) made->warnings = *told;
  ct_pipeline_free(pipeline);
  ct_scan_free(scan);
  return good;
}

/* The grid only where no data have to be asked. */
static bool foresee_grid(const cli_reconstruction *r, const ct_scan *scan, ct_grid *grid, ct_error **error) {
  ct_geometry geometry;
  if (!ct_plan_geometry(&r->plan, scan, &geometry, error)) return false;
  const bool good = ct_plan_grid(&r->plan, &geometry, grid, error);
  if (good && !ct_plan_grid_is_told(&r->plan, scan, &geometry)) grid->nx = 0;
  ct_geometry_clear(&geometry);
  return good;
}

bool cli_reconstruct_foresee(const cli_reconstruction *r, cli_watch *watch, ct_grid *grid, double *bytes,
                             ct_error **error) {
  bool in_slabs;
  ct_slab_plan slabs;
  ct_estimate estimate;
  const bool example = !r->description && !strcmp(r->scan, "example");
  ct_scan *scan =
      example ? gantry_example_outline(error) : gantry_open_scan(r->scan, r->description, cli_watch_job(watch), error);
  const bool good = scan && check_distances(r, scan, error) && foresee_grid(r, scan, grid, error) &&
                    ct_plan_estimate(&r->plan, scan, r->backend, &estimate, error) &&
                    plan_memory(r, scan, &in_slabs, &slabs, error);
  if (good) *bytes = in_slabs ? slabs.total : estimate.total;
  ct_scan_free(scan);
  return good;
}

static int reconstruct_with_backend(const cli_reconstruction *r) {
  ct_error *error = NULL;
  cli_reconstructed made = {0};
  cli_watch *watch = cli_watch_begin(r->quiet, &error);
  if (watch && r->progress > 0) cli_watch_every(watch, r->progress);
  if (!watch) return cli_failure(NULL, &error);
  const bool good = cli_reconstruct_watched(r, watch, &made, &error);
  cli_watch_end(watch);
  return good ? cli_tell_warnings(&made.warnings, r->strict) : cli_failure(cli_reconstruct_at_fault(r, error), &error);
}

int cli_reconstruct_now(const cli_reconstruction *asked) {
  ct_error *error = NULL;
  gantry_backend *backend = gantry_backend_new(asked->plan.device, &error);
  if (!backend) return cli_failure(NULL, &error);
  cli_tell_note(backend);
  cli_reconstruction r = *asked;
  r.backend = gantry_backend_get(backend);
  const int status = reconstruct_with_backend(&r);
  gantry_backend_free(backend);
  return status;
}
