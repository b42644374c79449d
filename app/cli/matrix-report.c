/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gantry-cli matrix: the stored forms of the matrix prepared one after another, and the report as text or JSON. */
#include "app/json.h"
#include "app/cli/matrix.h"

#include "recon/base/units.h"

#include <math.h>
#include <string.h>

static bool is_wanted(const cli_matrix *asked, const ct_projector *projector) {
  if (!projector->stored) return false;
  for (int n = 0; n < asked->form_count; n++)
    if (!strcmp(asked->forms[n], projector->id)) return true;
  return asked->form_count == 0;
}

/* Its size is told also where it does not fit. */
static double needed_by(const ct_projector *projector, const ct_projector_request *request) {
  ct_projector_request unbound = *request;
  unbound.memory = SIZE_MAX;
  return ct_projector_accepts(projector, &unbound, NULL) ? ct_projector_memory(projector, request) : 0;
}

static bool try_form(const cli_matrix *asked, const ct_projector_request *request, ct_job *job, cli_matrix_form *form,
                     ct_error **error) {
  const ct_projector *projector = form->projector;
  ct_error *fault = NULL;
  if (ct_projector_accepts(projector, request, &fault) && !asked->count_only) {
    ct_projector_state *state = ct_projector_prepare(projector, request, job, &fault);
    if (state) {
      projector->shape(state, &form->shape);
      projector->free(state);
    }
  }
  if (fault && fault->code == CT_ERROR_CANCELLED) {
    ct_error_clear(&fault);
    return ct_error_set(error, CT_ERROR_CANCELLED, "The work was cancelled.");
  }
  if (fault) snprintf(form->reason, sizeof form->reason, "%s", fault->message);
  ct_error_clear(&fault);
  return true;
}

/* The same matrix, or the same reason against it, for another set of instructions: "orbit-matrix-avx2" beside
 * "orbit-matrix". What would be taken with more memory has a size. */
static bool is_repeated(const cli_matrix_form *form, const cli_matrix_form *forms, int count) {
  for (int n = 0; n < count; n++) {
    const cli_matrix_form *other = &forms[n];
    const size_t length = strlen(other->projector->id);
    const bool sized = other->needed > 0 && other->needed == form->needed;
    const bool same = *form->reason ? other->projector->memory == form->projector->memory &&
                                          (!strcmp(other->reason, form->reason) || sized)
                                    : !*other->reason && sized;
    if (same && !strncmp(form->projector->id, other->projector->id, length) && form->projector->id[length] == '-')
      return true;
  }
  return false;
}

bool cli_matrix_forms(const cli_matrix *asked, const cli_matrix_case *slice, ct_job *job, cli_matrix_form *forms,
                      int *count, ct_error **error) {
  size_t projectors;
  const ct_projector *const *list = ct_projectors(&projectors);
  const ct_projector_request request = {.geometry = &slice->geometry,
                                        .grid = slice->grid,
                                        .model = slice->model,
                                        .threads = asked->threads,
                                        .memory = (size_t)asked->memory};
  *count = 0;
  for (size_t n = 0; n < projectors && *count < CLI_MOST_FORMS; n++) {
    if (!is_wanted(asked, list[n])) continue;
    cli_matrix_form *form = &forms[*count];
    *form = (cli_matrix_form){.projector = list[n], .needed = needed_by(list[n], &request)};
    if (asked->form_count == 0 && is_repeated(form, forms, *count)) continue;
    ct_job_begin_stage(job, CT_STAGE_BUILDING, 0); /* not all forms tell more */
    if (!try_form(asked, &request, job, form, error)) return false;
    *count += asked->form_count > 0 || !*form->reason || !is_repeated(form, forms, *count);
  }
  return true;
}

/* Least and most entries of rows that have any. */
static void find_range(const cli_matrix_case *slice, uint64_t *least, uint64_t *most, uint64_t *empty) {
  *least = UINT64_MAX;
  *most = *empty = 0;
  for (uint64_t r = 0; r < slice->rows; r++) {
    const uint64_t count = slice->starts[r + 1] - slice->starts[r];
    if (count == 0)
      ++*empty;
    else if (count < *least)
      *least = count;
    if (count > *most) *most = count;
  }
  if (*least == UINT64_MAX) *least = 0;
}

static json_t *form_object(const cli_matrix *asked, const cli_matrix_case *slice, const cli_matrix_form *form) {
  json_t *object = json_object();
  const bool made = !*form->reason && !asked->count_only;
  const double csr = ct_sparse_bytes_for((double)slice->rows, (double)slice->entries);
  json_object_set_new(object, "id", json_string(form->projector->id));
  json_object_set_new(object, "title", json_string(form->projector->title));
  json_object_set_new(object, "needed_bytes", form->needed > 0 ? json_real(form->needed) : json_null());
  json_object_set_new(object, "refused", *form->reason ? gantry_json_text(form->reason) : json_null());
  json_object_set_new(object, "entries", made ? json_real(form->shape.entries) : json_null());
  json_object_set_new(object, "stored", made ? json_real(form->shape.stored) : json_null());
  json_object_set_new(object, "bytes", made ? json_real(form->shape.bytes) : json_null());
  json_object_set_new(object, "seconds", made ? json_real(form->shape.seconds) : json_null());
  json_object_set_new(object, "csr_bytes_ratio", made ? json_real(csr / form->shape.bytes) : json_null());
  return object;
}

static bool print_json(const cli_matrix *asked, const cli_matrix_case *slice, const cli_matrix_form *forms, int count,
                       ct_error **error) {
  uint64_t least, most, empty;
  find_range(slice, &least, &most, &empty);
  json_t *root = json_object(), *grid = json_object(), *row = json_object(), *list = json_array();
  json_object_set_new(root, "model", json_string(ct_model_id(slice->model)));
  json_object_set_new(root, "beam", json_string(ct_beam_id(slice->geometry.beam)));
  json_object_set_new(root, "views", json_integer(slice->geometry.views));
  json_object_set_new(root, "rays", json_integer(slice->geometry.nu));
  gantry_json_add_grid(grid, &slice->grid);
  json_object_set_new(root, "slice", grid);
  json_object_set_new(root, "note", *slice->note ? gantry_json_text(slice->note) : json_null());
  json_object_set_new(root, "rows", json_integer((json_int_t)slice->rows));
  json_object_set_new(root, "columns", json_integer((json_int_t)slice->grid.nx * slice->grid.ny));
  json_object_set_new(root, "entries", json_integer((json_int_t)slice->entries));
  json_object_set_new(root, "csr_bytes", json_real(ct_sparse_bytes_for((double)slice->rows, (double)slice->entries)));
  json_object_set_new(root, "count_seconds", json_real(slice->seconds));
  json_object_set_new(row, "least", json_integer((json_int_t)least));
  json_object_set_new(row, "most", json_integer((json_int_t)most));
  json_object_set_new(row, "mean", json_real((double)slice->entries / (double)slice->rows));
  json_object_set_new(row, "empty", json_integer((json_int_t)empty));
  json_object_set_new(root, "row_entries", row);
  json_object_set_new(root, "eighth_rows", json_integer((json_int_t)slice->stored_rows));
  json_object_set_new(root, "eighth_entries", json_integer((json_int_t)slice->stored_entries));
  json_object_set_new(root, "asymmetry", *slice->reason ? gantry_json_text(slice->reason) : json_null());
  for (int n = 0; n < count; n++) json_array_append_new(list, form_object(asked, slice, &forms[n]));
  json_object_set_new(root, "forms", list);
  return gantry_json_print(root, error);
}

static void print_form(const cli_matrix *asked, const cli_matrix_case *slice, const cli_matrix_form *form) {
  char bytes[32], seconds[32];
  const double csr = ct_sparse_bytes_for((double)slice->rows, (double)slice->entries);
  printf("  %-22s", form->projector->id);
  if (*slice->reason && !strncmp(form->reason, slice->reason, strlen(slice->reason))) {
    puts(" not made: it needs that symmetry");
  } else if (*form->reason) {
    printf(" not made: %s\n", form->reason);
  } else if (asked->count_only) {
    printf(" %11s needed\n", form->needed > 0 ? ct_format_bytes(form->needed, bytes, sizeof bytes) : "?");
  } else {
    printf(" %11s  1/%-6.2f of CSR  %12.2f M stored  made in %s\n",
           ct_format_bytes(form->shape.bytes, bytes, sizeof bytes), csr / form->shape.bytes, form->shape.stored / 1e6,
           ct_format_duration(form->shape.seconds, seconds, sizeof seconds));
  }
}

static void print_words(const cli_matrix *asked, const cli_matrix_case *slice, const cli_matrix_form *forms,
                        int count) {
  char a[64], b[64];
  uint64_t least, most, empty;
  find_range(slice, &least, &most, &empty);
  const ct_geometry *g = &slice->geometry;
  printf("%s, %d views of %d rays, %d x %d pixels of %s, model %s\n", ct_beam_title(g->beam), g->views, g->nu,
         slice->grid.nx, slice->grid.ny, ct_format_quantity(slice->grid.dx, 5, "mm", a, sizeof a),
         ct_model_title(slice->model));
  if (*slice->note) printf("  %s\n", slice->note);
  printf("  %.3f M entries in %.0f rows, counted in %s; %.0f to %.0f a row, %.0f rows empty\n",
         (double)slice->entries / 1e6, (double)slice->rows, ct_format_duration(slice->seconds, a, sizeof a),
         (double)least, (double)most, (double)empty);
  const double csr = ct_sparse_bytes_for((double)slice->rows, (double)slice->entries);
  printf("  CSR of them: %s", ct_format_bytes(csr, a, sizeof a));
  if (slice->stored_entries)
    printf("; of the eighth that symmetry leaves: %s, 1/%.2f\n",
           ct_format_bytes(ct_sparse_bytes_for((double)slice->stored_rows, (double)slice->stored_entries), b, sizeof b),
           csr / ct_sparse_bytes_for((double)slice->stored_rows, (double)slice->stored_entries));
  else
    printf("; no part can be left away: %s\n", slice->reason);
  for (int n = 0; n < count; n++) print_form(asked, slice, &forms[n]);
}

bool cli_matrix_report(const cli_matrix *asked, const cli_matrix_case *slice, const cli_matrix_form *forms, int count,
                       ct_error **error) {
  if (asked->json) return print_json(asked, slice, forms, count, error);
  print_words(asked, slice, forms, count);
  return true;
}
