/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The file: a head in lines of fixed length (what it is of; counts; the convergence curve; the head's digest), a line
 * with the digest of every slice of every image, and from `samples` on the images, [nz][ny][nx] float32 each. */
#include "app/cli/part-iterations.h"

#include "recon/base/machine.h"
#include "recon/base/memory.h"
#include "recon/base/text.h"
#include "recon/solve/digest.h"
#include "recon/solve/iterative/solver.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Bytes of lines; where samples begin is a multiple of PAGE. */
enum { COUNTS = 64, POINT = 128, DIGEST = 17, PAGE = 4096, MOST_ITERATIONS = 1 << 24 };
/* Time between two writings, in times of one; and until one was made, bytes a second of each machine. */
static const double seldom = 20, guessed_rate = 1e9;

static size_t slice_values(const cli_iterations *k) {
  return (size_t)k->grid.nx * (size_t)k->grid.ny;
}

static uint64_t image_bytes(const cli_iterations *k) {
  return (uint64_t)slice_values(k) * sizeof(float) * (uint64_t)k->grid.nz;
}

/* With its 0. */
static size_t head_bytes(int done) {
  return CLI_PART_LINE - 1 + COUNTS + (size_t)done * POINT + DIGEST + 1;
}

static void place(cli_iterations *k) {
  k->digests = head_bytes(k->done) - 1;
  const uint64_t end = k->digests + (uint64_t)k->images * (uint64_t)k->grid.nz * DIGEST;
  k->samples = (end + PAGE - 1) / PAGE * PAGE;
}

static uint64_t file_bytes(const cli_iterations *k) {
  return k->samples + (uint64_t)k->images * image_bytes(k);
}

static uint64_t slice_digest(const cli_iterations *k, const float *slice, int image, int index) {
  return ct_digest((uint64_t)image * (uint64_t)k->grid.nz + (uint64_t)index + 1, slice,
                   slice_values(k) * sizeof *slice);
}

/* Looking */

static bool read_point(const char *text, ct_iteration *point) {
  *point = (ct_iteration){.rmse = NAN, .relative_rmse = NAN, .ssim = NAN};
  return sscanf(text, "%d %lf %lf %lf %lf", &point->index, &point->seconds, &point->residual, &point->residual_after,
                &point->change) == 5;
}

/* The counts and the curve of a head that says itself that it is whole. */
static bool read_head(cli_iterations *k, int file) {
  char counts[COUNTS + 1] = "", line[CLI_PART_LINE] = "";
  const size_t at = CLI_PART_LINE - 1;
  if (!ct_read_exactly(file, k->path, line, at, 0, NULL) || strcmp(line, k->line) != 0 ||
      !ct_read_exactly(file, k->path, counts, COUNTS, (off_t)at, NULL) ||
      sscanf(counts, "%d %d %lf", &k->done, &k->images, &k->number) != 3 || k->done < 1 || k->done > MOST_ITERATIONS ||
      k->images < 1 || k->images > CT_KEPT_IMAGES + 1)
    return false;
  place(k);
  uint64_t told = 0;
  const size_t bytes = head_bytes(k->done), digested = bytes - 1 - DIGEST;
  char *head = ct_alloc_zero(bytes, 1, "the iterations", NULL);
  k->curve = ct_alloc((size_t)k->done, sizeof *k->curve, "the convergence curve", NULL);
  bool good = head && k->curve && ct_read_exactly(file, k->path, head, bytes - 1, 0, NULL) &&
              sscanf(head + digested, "%" SCNx64, &told) == 1 && told == ct_digest(0, head, digested);
  for (int n = 0; good && n < k->done; n++) good = read_point(head + at + COUNTS + (size_t)n * POINT, &k->curve[n]);
  ct_free(head);
  return good;
}

/* A part of the slices of each rank against their digests. */
static bool verify(const cli_iterations *k, const ct_exchange *x) {
  const int first = (int)((int64_t)k->grid.nz * x->rank / x->ranks),
            end = (int)((int64_t)k->grid.nz * (x->rank + 1) / x->ranks);
  const size_t bytes = slice_values(k) * sizeof(float);
  const int file = open(k->path, O_RDONLY | O_CLOEXEC);
  float *slice = ct_alloc(bytes, 1, "a slice", NULL);
  bool good = file >= 0 && slice;
  for (int n = 0; good && n < k->images * (end - first); n++) {
    const int image = n / (end - first), index = first + n % (end - first);
    const uint64_t number = (uint64_t)image * (uint64_t)k->grid.nz + (uint64_t)index;
    char text[DIGEST + 1] = "";
    uint64_t told = 0;
    good = ct_read_exactly(file, k->path, text, DIGEST, (off_t)(k->digests + number * DIGEST), NULL) &&
           sscanf(text, "%" SCNx64, &told) == 1 &&
           ct_read_exactly(file, k->path, slice, bytes, (off_t)(k->samples + number * bytes), NULL) &&
           told == slice_digest(k, slice, image, index);
  }
  ct_free(slice);
  if (file >= 0) close(file);
  return good;
}

static void look(cli_iterations *k) {
  uint64_t bytes = 0;
  const int file = open(k->path, O_RDONLY | O_CLOEXEC);
  const bool good = file >= 0 && read_head(k, file) && ct_file_size(k->path, &bytes, NULL) && bytes == file_bytes(k);
  if (file >= 0) close(file);
  if (!good) k->done = 0;
}

bool cli_iterations_begin(cli_iterations *k, const cli_part_request *r, ct_exchange *x, char *note, size_t size,
                          ct_error **error) {
  *note = 0;
  *k = (cli_iterations){.grid = *r->grid, .took = -1};
  cli_part_identify(r, "iterations", k->line);
  k->path = ct_strprintf("%s.part.iterate", r->path);
  k->fresh = ct_strprintf("%s.part.iterate.new", r->path);
  if (!x->way->agree(x, k->path && k->fresh, error)) return false;
  bool there = x->rank == 0 && access(k->path, F_OK) == 0;
  if (there) look(k);
  x->way->tell(x, &there, sizeof there);
  x->way->tell(x, &k->done, sizeof k->done);
  x->way->tell(x, &k->images, sizeof k->images);
  x->way->tell(x, &k->number, sizeof k->number);
  if (x->rank > 0 && k->done) k->curve = ct_alloc((size_t)k->done, sizeof *k->curve, "the convergence curve", error);
  if (!x->way->agree(x, !k->done || k->curve, error)) return false;
  if (k->done) x->way->tell(x, k->curve, (size_t)k->done * sizeof *k->curve);
  place(k);
  if (k->done && x->way->least(x, verify(k, x)) == 0) k->done = 0;
  if (k->done)
    snprintf(note, size, "%s: %d iterations are there from a job that did not end; going on from them", r->path,
             k->done);
  else if (there)
    snprintf(note, size, "%s is of another plan or scan, or not whole: begun anew", k->path);
  k->saved_at = ct_now();
  return true;
}

/* Taking up */

static bool read_image(const cli_iterations *k, int image, const ct_slices *slices, float *room, ct_error **error) {
  const size_t slice = slice_values(k) * sizeof(float);
  const uint64_t at = k->samples + (uint64_t)image * image_bytes(k) + (uint64_t)slices->first * slice;
  const int file = open(k->path, O_RDONLY | O_CLOEXEC);
  const bool good = ct_read_exactly(file, k->path, room, (size_t)slices->count * slice, (off_t)at, error);
  if (file >= 0) close(file);
  return good;
}

bool cli_iterations_take_up(cli_iterations *k, ct_exchange *x, const ct_shared_run *stand, ct_iterative *run,
                            ct_error **error) {
  bool good = true;
  k->saved_at = ct_now();
  if (k->done == 0) return true;
  if (k->images != ct_iterative_kept_images(run))
    good = ct_error_set(error, CT_ERROR_FORMAT, "%s has %d images, where this method goes on from %d: remove it.",
                        k->path, k->images, ct_iterative_kept_images(run));
  for (int image = 0; good && image < k->images; image++) {
    good = read_image(k, image, &stand->slices, stand->room, error);
    if (good) ct_iterative_write_kept(run, image, stand->room);
  }
  if (!x->way->agree(x, good, error)) return false;
  return ct_iterative_take_up(run, k->number, k->curve, (size_t)k->done, error);
}

/* Writing */

/* Rank 0: the file in its full length, with its head. */
static bool make_file(const cli_iterations *k, const ct_iterative *run, ct_error **error) {
  size_t count;
  const ct_iteration *curve = ct_iterative_get_curve(run, &count);
  const size_t bytes = head_bytes(k->done);
  char *head = ct_alloc_zero(bytes, 1, "the iterations", error);
  if (!head) return false;
  char *at = head + snprintf(head, CLI_PART_LINE, "%s", k->line);
  at += snprintf(at, COUNTS + 1, "%11d %11d %*.17g\n", k->done, k->images, COUNTS - 25, k->number);
  for (int n = 0; n < k->done; n++)
    at += snprintf(at, POINT + 1, "%-11d %-24.17g %-24.17g %-24.17g %-*.17g\n", curve[n].index, curve[n].seconds,
                   curve[n].residual, curve[n].residual_after, POINT - 88, curve[n].change);
  snprintf(at, DIGEST + 1, "%016" PRIx64 "\n", ct_digest(0, head, (size_t)(at - head)));
  const bool good = cli_part_make_file(k->fresh, head, bytes - 1, file_bytes(k), error);
  ct_free(head);
  return good;
}

/* Slices [first, first + count) of the whole of an image, which begin at `values`, and their digests. */
static bool write_slices(const cli_iterations *k, ct_exchange *x, int image, const ct_slices *own, const float *values,
                         ct_error **error) {
  const size_t slice = slice_values(k), bytes = slice * sizeof(float);
  const uint64_t number = (uint64_t)image * (uint64_t)k->grid.nz + (uint64_t)own->first;
  char *lines = ct_alloc((size_t)own->count * DIGEST + 1, 1, "the digests of slices", error);
  if (!lines) return false;
#pragma omp parallel for schedule(static)
  for (int n = 0; n < own->count; n++) {
    char line[DIGEST + 1];
    snprintf(line, sizeof line, "%016" PRIx64 "\n", slice_digest(k, values + (size_t)n * slice, image, own->first + n));
    memcpy(lines + (size_t)n * DIGEST, line, DIGEST);
  }
  const bool good = x->way->write(x, k->samples + number * bytes, values, (size_t)own->count * bytes, error) &&
                    x->way->write(x, k->digests + number * DIGEST, lines, (size_t)own->count * DIGEST, error);
  ct_free(lines);
  return good;
}

/* This rank's share of what its column holds. */
static bool write_images(const cli_iterations *k, ct_exchange *x, const ct_shared_run *stand, ct_error **error) {
  ct_slices own;
  own.count = ct_exchange_slices(x, x->group, stand->slices.count, &own.first);
  const float *values = stand->room + (size_t)own.first * slice_values(k);
  own.first += stand->slices.first;
  if (!x->way->open(x, k->fresh, error)) return false;
  bool good = true;
  for (int image = 0; good && image < k->images; image++) {
    ct_iterative_read_kept(stand->run, image, stand->room);
    good = own.count == 0 || write_slices(k, x, image, &own, values, error);
  }
  good = good && x->way->sync(x, error);
  const bool closed = x->way->close(x, good ? error : NULL);
  return good && closed;
}

static bool save(cli_iterations *k, ct_exchange *x, const ct_shared_run *stand, ct_error **error) {
  k->done = stand->done;
  k->number = ct_iterative_get_kept_number(stand->run);
  place(k);
  if (!x->way->agree(x, x->rank > 0 || make_file(k, stand->run, error), error)) return false;
  bool good = x->way->agree(x, write_images(k, x, stand, error), error);
  if (good && x->rank == 0)
    good = rename(k->fresh, k->path) == 0 || ct_error_set_errno(error, errno, "Cannot write %s", k->path);
  return x->way->agree(x, good, error);
}

/* Rank 0 decides. */
static bool is_due(cli_iterations *k, ct_exchange *x, const ct_shared_run *stand) {
  if (stand->ends || k->given_up || (k->images = ct_iterative_kept_images(stand->run)) == 0) return false;
  place(k);
  const double guess = (double)file_bytes(k) / (guessed_rate * x->ranks / x->locals);
  bool due = stand->cancelled || ct_now() - k->saved_at > seldom * (k->took >= 0 ? k->took : guess);
  x->way->tell(x, &due, sizeof due);
  return due;
}

void cli_iterations_keep(cli_iterations *k, ct_exchange *x, const ct_shared_run *stand, char *note, size_t size) {
  *note = 0;
  const int there = k->done, refused = x->refused;
  if (!is_due(k, x, stand)) return;
  ct_error *error = NULL;
  const double begun = ct_now();
  if (!save(k, x, stand, &error)) {
    x->refused = refused; /* the run goes on */
    k->given_up = true;
    k->done = there;
    if (x->rank == 0) unlink(k->fresh);
    snprintf(note, size, "%s (the work goes on, but if it does not end, another job begins at iteration %d)",
             error ? error->message : "The iterations cannot be kept.", there);
    ct_error_clear(&error);
  }
  k->saved_at = ct_now();
  k->took = k->saved_at - begun;
}

void cli_iterations_remove(const cli_iterations *k) {
  unlink(k->path);
  unlink(k->fresh);
}

void cli_iterations_clear(cli_iterations *k) {
  ct_free(k->path);
  ct_free(k->fresh);
  ct_free(k->curve);
  *k = (cli_iterations){0};
}
