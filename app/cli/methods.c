/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gantry-cli methods: the iterative methods and the projectors that they run on. */
#include "app/cli/cli.h"
#include "app/cli/device-needs.h"
#include "app/json.h"
#include "app/backend.h"
#include "recon/base/machine.h"
#include "recon/fp/projector.h"
#include "recon/solve/iterative/solver.h"
#include "recon/solve/plan.h"

#include <string.h>

static json_t *needs_of(unsigned bits) {
  size_t count;
  const ct_solver_need *needs = ct_solver_needs_table(&count);
  json_t *list = json_array();
  for (size_t i = 0; i < count; i++)
    if (bits & needs[i].bit) json_array_append_new(list, json_string(needs[i].title));
  return list;
}

/* The parameters that matter to methods of such uses, as the plan table has them. */
static json_t *uses_of(unsigned bits) {
  size_t count;
  const ct_param *params = ct_params(&count);
  json_t *list = json_array();
  for (size_t i = 0; i < count; i++)
    if (params[i].uses & bits) {
      const char *name = strrchr(params[i].key, '.');
      json_array_append_new(list, json_string(name ? name + 1 : params[i].key));
    }
  return list;
}

static json_t *models_of(unsigned bits) {
  json_t *list = json_array();
  for (int i = CT_MODEL_JOSEPH; i <= CT_MODEL_AREA; i++)
    if (bits & 1u << i) json_array_append_new(list, json_string(ct_model_id((ct_ray_model)i)));
  return list;
}

static bool runs_here(const ct_backend *backend, const ct_projector *projector) {
  return ct_projector_usable(projector) && (!projector->gpu || backend->device);
}

/* As it comes: with momentum where that is automatic. */
static double automatic_relaxation(const ct_solver *solver) {
  ct_iterative_options own;
  ct_iterative_options_init(&own);
  return ct_solver_relaxation(solver, &own);
}

static json_t *solver_object(const ct_solver *solver) {
  json_t *object = json_object();
  json_object_set_new(object, "id", json_string(solver->names->id));
  json_object_set_new(object, "title", json_string(solver->names->title));
  json_object_set_new(object, "explanation", json_string(solver->explanation));
  json_object_set_new(object, "residual", json_string(solver->residual));
  json_object_set_new(object, "uses", uses_of(solver->uses));
  json_object_set_new(object, "needs", needs_of(solver->needs));
  json_object_set_new(object, "iterations", json_integer(solver->iterations));
  if (solver->uses & CT_USES_RELAXATION)
    json_object_set_new(object, "relaxation",
                        json_pack("{s:f, s:f, s:f}", "low", solver->relaxation.low, "high", solver->relaxation.high,
                                  "default", automatic_relaxation(solver)));
  if (solver->uses & CT_USES_MOMENTUM) json_object_set_new(object, "momentum", json_boolean(solver->momentum));
  return object;
}

static json_t *projector_object(const ct_backend *backend, const ct_projector *projector) {
  json_t *object = json_object();
  json_object_set_new(object, "id", json_string(projector->id));
  json_object_set_new(object, "title", json_string(projector->title));
  json_object_set_new(object, "explanation", json_string(projector->explanation));
  json_object_set_new(object, "beams", gantry_json_beams(projector->geometry));
  json_object_set_new(object, "models", models_of(projector->models));
  json_object_set_new(object, "stored", json_boolean(projector->stored));
  json_object_set_new(object, "matched", json_boolean(projector->matched));
  json_object_set_new(object, "rows", json_boolean(projector->row != NULL));
  json_object_set_new(object, "row_squares", json_boolean(projector->row_squares != NULL));
  json_object_set_new(object, "available", json_boolean(runs_here(backend, projector)));
  const int rank = ct_projector_rank(projector, NULL);
  json_object_set_new(object, "rank", rank == CT_PROJECTOR_UNRANKED ? json_null() : json_integer(rank));
  json_object_set_new(object, "tolerance", gantry_json_real(projector->tolerance));
  return object;
}

static void print_list(const char *name, json_t *list) {
  printf("      %-12s", name);
  for (size_t i = 0; i < json_array_size(list); i++)
    printf("%s%s", i ? ", " : "", json_string_value(json_array_get(list, i)));
  puts(json_array_size(list) ? "" : "nothing special");
  json_decref(list);
}

static void print_solver(const ct_solver *solver) {
  printf("\n  %s: %s\n", solver->names->id, solver->names->title);
  cli_print_wrapped(stdout, 6, solver->explanation);
  print_list("uses", uses_of(solver->uses));
  print_list("needs", needs_of(solver->needs));
  if (solver->uses & CT_USES_RELAXATION)
    printf("      %-12s%g..%g, automatic is %g\n", "relaxation", solver->relaxation.low, solver->relaxation.high,
           automatic_relaxation(solver));
  if (solver->uses & CT_USES_MOMENTUM)
    printf("      %-12sautomatic is %s; with it relaxations up to 1\n", "momentum", solver->momentum ? "yes" : "no");
  printf("      %-12sabout %d\n", "iterations", solver->iterations);
}

static void print_projector(const ct_backend *backend, const ct_projector *projector) {
  printf("\n  %s: %s\n", projector->id, projector->title);
  cli_print_wrapped(stdout, 6, projector->explanation);
  print_list("beams", gantry_json_beams(projector->geometry));
  print_list("models", models_of(projector->models));
  printf("      %-12s%s, %s\n", "pair", projector->stored ? "stored" : "matrix-free",
         projector->matched ? "matched" : "unmatched");
  if (projector->row || projector->row_squares)
    printf("      %-12s%s%s%s\n", "knows", projector->row ? "rows of the matrix" : "",
           projector->row && projector->row_squares ? ", " : "",
           projector->row_squares ? "sums of squares of its rows" : "");
  printf("      %-12s%g relative RMSE against textbook\n", "promises", projector->tolerance);
  if (projector->gpu && !backend->device)
    cli_print_device_needs(projector->id);
  else if (!runs_here(backend, projector))
    puts("      cannot run on this machine");
}

static bool print_methods(const ct_backend *backend, bool json, ct_error **error) {
  size_t solver_count, projector_count;
  const ct_solver *const *solvers = ct_solvers(&solver_count);
  const ct_projector *const *projectors = ct_projectors(&projector_count);
  if (json) {
    json_t *methods = json_array(), *pairs = json_array();
    for (size_t i = 0; i < solver_count; i++) json_array_append_new(methods, solver_object(solvers[i]));
    for (size_t i = 0; i < projector_count; i++) json_array_append_new(pairs, projector_object(backend, projectors[i]));
    for (size_t i = 0; i < backend->projectors.count; i++)
      json_array_append_new(pairs, projector_object(backend, backend->projectors.projectors[i]));
    return gantry_json_print(json_pack("{s:o, s:o}", "methods", methods, "projectors", pairs), error);
  }
  puts("Iterative methods (iterative.method; fbp and fourier are direct):");
  for (size_t i = 0; i < solver_count; i++) print_solver(solvers[i]);
  char machine[256];
  ct_simd_describe_machine(machine, sizeof machine);
  printf("\nProjectors on this machine (iterative.projector; %s):\n", machine);
  for (size_t i = 0; i < projector_count; i++) print_projector(backend, projectors[i]);
  for (size_t i = 0; i < backend->projectors.count; i++) print_projector(backend, backend->projectors.projectors[i]);
  return true;
}

static int run(const cli_command *command, int argc, char **argv) {
  return cli_run_listing(command, argc, argv, print_methods);
}

const cli_command cli_methods = {
    "methods",
    "[--json]",
    "Lists the iterative methods and the projectors: the ids for iterative.method and iterative.projector, what each "
    "does, uses and needs.",
    cli_listing_options,
    NULL,
    run,
};
