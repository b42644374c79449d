/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gantry-cli kernels: the back-projection techniques, what each can do, and whether this machine can run it. */
#include "app/cli/cli.h"
#include "app/cli/device-needs.h"
#include "app/json.h"
#include "app/backend.h"
#include "recon/bp/kernel.h"
#include "recon/simd/level.h"
#include "render/compute/device.h"

#include <string.h>

static const char *const level_needs[CT_SIMD_LEVELS] = {
    [CT_SIMD_V3] = "AVX2", [CT_SIMD_V4] = "AVX-512", [CT_SIMD_V4_VNNI] = "AVX-512 VNNI"};

typedef const char *(*id_function)(int value);
static const char *interp_id(int value) {
  return ct_interp_id((ct_interp)value);
}
static const char *precision_id(int value) {
  return ct_precision_id((ct_precision)value);
}

static json_t *ids_of(unsigned bits, int count, id_function id) {
  json_t *list = json_array();
  for (int i = 0; i < count; i++)
    if (bits & CT_BIT(i)) json_array_append_new(list, json_string(id(i)));
  return list;
}

static json_t *needs_of(const ct_bp_kernel *kernel) {
  json_t *list = json_array();
  for (int level = CT_SIMD_V3; level <= (int)ct_bp_needs(kernel); level++)
    json_array_append_new(list, json_string(level_needs[level]));
  if (kernel->gpu) cli_append_device_needs(list, kernel->id);
  return list;
}

static bool runs_here(const ct_backend *backend, const ct_bp_kernel *kernel) {
  return ct_bp_runs_here(kernel) && (!kernel->gpu || backend->device);
}

static json_t *kernel_object(const ct_backend *backend, const ct_bp_kernel *kernel) {
  json_t *object = json_object();
  json_object_set_new(object, "id", json_string(kernel->id));
  json_object_set_new(object, "title", json_string(kernel->title));
  json_object_set_new(object, "explanation", json_string(kernel->explanation));
  json_object_set_new(object, "beams", gantry_json_beams(kernel->geometry));
  json_object_set_new(object, "interpolations", ids_of(kernel->interps, CT_INTERP_OVERSAMPLED + 1, interp_id));
  json_object_set_new(object, "precisions", ids_of(kernel->precisions, CT_PRECISION_FLOAT64 + 1, precision_id));
  json_object_set_new(object, "needs", needs_of(kernel));
  json_object_set_new(object, "available", json_boolean(runs_here(backend, kernel)));
  json_object_set_new(object, "rank", json_integer(ct_bp_highest_rank(kernel)));
  json_object_set_new(object, "tolerance", gantry_json_real(kernel->tolerance));
  return object;
}

static void print_list(const char *name, json_t *list) {
  printf("      %-15s", name);
  for (size_t i = 0; i < json_array_size(list); i++)
    printf("%s%s", i ? ", " : "", json_string_value(json_array_get(list, i)));
  puts(json_array_size(list) ? "" : "nothing special");
  json_decref(list);
}

static void print_kernel(const ct_backend *backend, const ct_bp_kernel *kernel) {
  printf("\n  %s: %s\n", kernel->id, kernel->title);
  cli_print_wrapped(stdout, 6, kernel->explanation);
  print_list("beams", gantry_json_beams(kernel->geometry));
  print_list("interpolation", ids_of(kernel->interps, CT_INTERP_OVERSAMPLED + 1, interp_id));
  print_list("precision", ids_of(kernel->precisions, CT_PRECISION_FLOAT64 + 1, precision_id));
  print_list("needs", needs_of(kernel));
  printf("      %-15s%g relative RMSE against textbook%s\n", "promises", kernel->tolerance,
         kernel->resamples ? ", on projections without frequencies above an eighth of a cycle per pixel;" : "");
  if (kernel->resamples) printf("      %-15ssharp edges and noise lose a tenth and more\n", "");
  if (kernel->gpu && !backend->device)
    cli_print_device_needs(kernel->id);
  else if (!runs_here(backend, kernel))
    puts("      cannot run on this machine");
}

static bool print_kernels(const ct_backend *backend, bool json, ct_error **error) {
  if (json) {
    json_t *list = json_array();
    for (size_t i = 0; i < backend->kernels.count; i++)
      json_array_append_new(list, kernel_object(backend, backend->kernels.kernels[i]));
    return gantry_json_print(list, error);
  }
  char machine[256];
  ct_simd_describe_machine(machine, sizeof machine);
  printf("Back-projection kernels on this machine (%s%s%s):\n", machine, backend->device ? "; " : "",
         backend->device ? ctgl_device_get_facts(backend->device)->name : "");
  for (size_t i = 0; i < backend->kernels.count; i++) print_kernel(backend, backend->kernels.kernels[i]);
  return true;
}

static int run(const cli_command *command, int argc, char **argv) {
  return cli_run_listing(command, argc, argv, print_kernels);
}

const cli_command cli_kernels = {
    "kernels",
    "[--json]",
    "Lists the back-projection kernels: the id for reconstruction.kernel, what each does and can do, and what it "
    "promises.",
    cli_listing_options,
    NULL,
    run,
};
