/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading volumes through a format's reader, whole or in part, and the plans that they carry. */
#include "recon/base/memory.h"
#include "recon/base/units.h"
#include "recon/data/pitch.h"
#include "recon/io/open-private.h"

#include <math.h>
#include <string.h>

/* Rows are read in pieces of about so many values. */
enum { PIECE = 1 << 20 };

struct ct_volume_reader {
  const ct_slice_reader *ops;
  void *state;
  char *path;
  ct_volume_facts facts;
};

static ct_volume_reader *open_reader(const ct_format *format, const char *path, const ct_open_options *options,
                                     ct_error **error) {
  ct_volume_reader *reader = ct_alloc_zero(1, sizeof *reader, "a reader", error);
  if (!reader) return NULL;
  reader->ops = format->reader;
  if ((reader->path = ct_strdup(path, error)) &&
      (reader->state = reader->ops->open(reader->path, options, &reader->facts, error))) {
    if (ct_grid_check(&reader->facts.grid, error)) return reader;
    ct_error_prefix(error, "%s", path);
  }
  ct_volume_reader_free(reader);
  return NULL;
}

ct_volume_reader *ct_volume_reader_open(const char *path, bool anywhere, ct_error **error) {
  char *file, *dataset;
  const ct_format *format = ct_probe_dataset(path, CT_FORMAT_READ_VOLUME, &file, &dataset, error);
  const ct_open_options options = {.dataset = dataset, .anywhere = anywhere};
  ct_volume_reader *reader = format ? open_reader(format, file, &options, error) : NULL;
  ct_free(file);
  ct_free(dataset);
  return reader;
}

void ct_volume_reader_free(ct_volume_reader *reader) {
  if (!reader) return;
  if (reader->state) reader->ops->close(reader->state);
  ct_free(reader->facts.plan);
  ct_free(reader->path);
  ct_free(reader);
}

const ct_volume_facts *ct_volume_reader_facts(const ct_volume_reader *reader) {
  return &reader->facts;
}

ct_units ct_volume_reader_units(const ct_volume_reader *reader) {
  const ct_volume_facts *facts = &reader->facts;
  return facts->plan ? ct_units_of_header(facts->plan) : ct_units_of(facts->pitch_unknown);
}

ct_named_scale ct_volume_reader_scale(const ct_volume_reader *reader) {
  const ct_volume_facts *facts = &reader->facts;
  return facts->plan ? ct_named_scale_of_header(facts->plan) : facts->scale;
}

/* Memory for a part of a file, which is refused before it is cleared: clearing what a damaged header claims would bring
 * a machine down. */
static ct_volume *new_volume(const ct_volume_reader *reader, const ct_grid *grid, ct_error **error) {
  size_t bytes;
  const size_t available = ct_memory_available();
  if (!ct_size_product(grid->nx, grid->ny, grid->nz, sizeof(float), &bytes) || (available && bytes > available)) {
    char needed[32], left[32];
    ct_format_bytes((double)grid->nx * grid->ny * grid->nz * sizeof(float), needed, sizeof needed);
    ct_format_bytes((double)available, left, sizeof left);
    ct_error_set(error, CT_ERROR_MEMORY, "%s needs %s of memory, and %s are free", reader->path, needed, left);
    return NULL;
  }
  ct_volume *volume = ct_volume_new(grid, error);
  if (!volume) return NULL;
  if (reader->facts.pitch_unknown) ct_volume_set_pitch_unknown(volume);
  ct_volume_set_scale(volume, &reader->facts.scale);
  if (ct_volume_set_plan(volume, reader->facts.plan, error)) return volume;
  ct_volume_free(volume);
  return NULL;
}

static int rows_of_piece(int nx, int rows) {
  const int most = PIECE / nx < 1 ? 1 : PIECE / nx;
  return most < rows ? most : rows;
}

/* The box's rows of slice k, straight to their place where they are whole ones. rows: of a piece. */
static bool read_slice(ct_volume_reader *reader, const ct_box *box, int k, float *out, float *piece, int rows,
                       ct_error **error) {
  const size_t nx = (size_t)reader->facts.grid.nx, width = (size_t)(box->end[0] - box->begin[0]);
  for (int row = box->begin[1]; row < box->end[1]; row += rows) {
    const int count = box->end[1] - row < rows ? box->end[1] - row : rows;
    if (!reader->ops->read(reader->state, k, row, count, piece ? piece : out, error)) return false;
    for (int j = 0; piece && j < count; j++)
      memcpy(out + (size_t)j * width, piece + (size_t)j * nx + (size_t)box->begin[0], width * sizeof *out);
    out += (size_t)count * width;
  }
  return true;
}

static bool read_box(ct_volume_reader *reader, const ct_box *box, ct_volume *volume, ct_job *job, ct_error **error) {
  const ct_grid *part = ct_volume_grid(volume);
  const size_t slice = (size_t)part->nx * (size_t)part->ny, nx = (size_t)reader->facts.grid.nx;
  const bool whole_rows = part->nx == reader->facts.grid.nx;
  const int rows = whole_rows ? part->ny : rows_of_piece(reader->facts.grid.nx, part->ny);
  float *piece = whole_rows ? NULL : ct_alloc((size_t)rows * nx, sizeof *piece, "rows of a volume", error);
  bool good = whole_rows || piece;
  ct_job_begin_stage(job, CT_STAGE_READING, (uint64_t)part->nz);
  for (int k = 0; good && k < part->nz; k++) {
    good = ct_job_may_go_on(job, error) &&
           read_slice(reader, box, box->begin[2] + k, ct_volume_data(volume) + (size_t)k * slice, piece, rows, error);
    if (good) ct_job_advance(job, 1);
  }
  ct_free(piece);
  return good && reader->ops->check(reader->state, error);
}

ct_volume *ct_volume_reader_box(ct_volume_reader *reader, const ct_box *box, ct_job *job, ct_error **error) {
  const ct_grid *grid = &reader->facts.grid;
  if (!ct_box_check(box, grid->nx, grid->ny, grid->nz, error)) return NULL;
  const ct_grid part = ct_box_grid(box, grid);
  ct_volume *volume = new_volume(reader, &part, error);
  if (volume && read_box(reader, box, volume, job, error)) return volume;
  ct_volume_free(volume);
  return NULL;
}

/* The lower of the two slices between which row j of the picture lies, or the outermost two. */
static int lower_slice(const ct_grid *grid, const ct_oblique *oblique, int j) {
  double point[3];
  ct_oblique_point(oblique, 0, j, point);
  const double k = floor((point[2] - grid->z0) / grid->dz);
  return (int)fmax(0, fmin(k, grid->nz - 2));
}

/* Pixels of row j that lie in the volume, where its lower slice is k. */
static bool row_begins_at(const ct_grid *grid, const ct_oblique *oblique, int j, int k, int *first, int *end) {
  if (lower_slice(grid, oblique, j) != k) return false;
  ct_oblique_row_within(oblique, grid, j, first, end);
  return *end > *first;
}

static bool is_slice_needed(const ct_grid *grid, const ct_oblique *oblique, int k) {
  int first, end;
  for (int j = 0; j < oblique->height; j++)
    if (row_begins_at(grid, oblique, j, k, &first, &end)) return true;
  return false;
}

/* `pair`: slices k and the next, of which the first may be there from before (`kept`). */
static bool read_pair(ct_volume_reader *reader, ct_volume *pair, int k, bool kept, ct_error **error) {
  const ct_grid *part = ct_volume_grid(pair);
  const size_t slice = (size_t)part->nx * (size_t)part->ny;
  float *data = ct_volume_data(pair);
  if (kept) memcpy(data, data + slice, slice * sizeof *data);
  for (int i = kept; i < part->nz; i++)
    if (!reader->ops->read(reader->state, k + i, 0, part->ny, data + (size_t)i * slice, error)) return false;
  return true;
}

bool ct_volume_reader_oblique(ct_volume_reader *reader, const ct_oblique *oblique, float *out, ct_job *job,
                              ct_error **error) {
  const ct_grid *grid = &reader->facts.grid;
  if (fabs(oblique->across[2]) > 1e-12)
    return ct_error_set(error, CT_ERROR_ARGUMENT, "A plane can be cut from a file only with its rows along z = const.");
  ct_grid part = *grid;
  part.nz = grid->nz < 2 ? 1 : 2;
  memset(out, 0, ct_oblique_pixels(oblique) * sizeof *out);
  ct_volume *pair = new_volume(reader, &part, error);
  bool good = pair;
  int last = -2; /* lower slice of what was read last */
  ct_job_begin_stage(job, CT_STAGE_READING, (uint64_t)grid->nz);
  for (int k = 0; good && k <= grid->nz - part.nz; k++) {
    ct_job_advance(job, 1);
    if (!is_slice_needed(grid, oblique, k)) continue;
    good = ct_job_may_go_on(job, error) && read_pair(reader, pair, k, last == k - 1, error);
    last = k;
    /* Between these slices the plane is that of the pair, moved down to where the pair lies. */
    ct_oblique moved = *oblique;
    moved.centre[2] -= k * grid->dz;
    for (int j = 0, first, end; good && j < oblique->height; j++)
      if (row_begins_at(grid, oblique, j, k, &first, &end)) ct_volume_sample_row(pair, &moved, j, first, end, out);
  }
  ct_volume_free(pair);
  return good && reader->ops->check(reader->state, error);
}

bool ct_volume_reader_each(ct_volume_reader *reader, void (*take)(void *data, const float *values, size_t count),
                           void *data, ct_job *job, ct_error **error) {
  const ct_grid *grid = &reader->facts.grid;
  const int rows = rows_of_piece(grid->nx, grid->ny);
  float *piece = ct_alloc((size_t)rows * (size_t)grid->nx, sizeof *piece, "rows of a volume", error);
  bool good = piece;
  ct_job_begin_stage(job, CT_STAGE_READING, (uint64_t)grid->nz);
  for (int k = 0; good && k < grid->nz; k++) {
    for (int row = 0; good && row < grid->ny; row += rows) {
      const int count = grid->ny - row < rows ? grid->ny - row : rows;
      good = ct_job_may_go_on(job, error) && reader->ops->read(reader->state, k, row, count, piece, error);
      if (good) take(data, piece, (size_t)count * (size_t)grid->nx);
    }
    if (good) ct_job_advance(job, 1);
  }
  ct_free(piece);
  return good && reader->ops->check(reader->state, error);
}

/* Takes the reader. */
static ct_volume *read_whole(ct_volume_reader *reader, ct_job *job, ct_error **error) {
  if (!reader) return NULL;
  const ct_box box = ct_box_of_grid(&reader->facts.grid);
  ct_volume *volume = ct_volume_reader_box(reader, &box, job, error);
  ct_volume_reader_free(reader);
  return volume;
}

ct_volume *ct_volume_read_allowed(const char *path, bool anywhere, ct_job *job, ct_error **error) {
  return read_whole(ct_volume_reader_open(path, anywhere, error), job, error);
}

ct_volume *ct_volume_read(const char *path, ct_job *job, ct_error **error) {
  return ct_volume_read_allowed(path, false, job, error);
}

ct_volume *ct_volume_read_as(const ct_format *format, const char *path, ct_job *job, ct_error **error) {
  return read_whole(open_reader(format, path, &(ct_open_options){0}, error), job, error);
}

bool ct_volume_read_plan(const char *path, char **plan, ct_error **error) {
  char *file, *dataset;
  const ct_format *format = ct_probe_dataset(path, CT_FORMAT_READ_VOLUME, &file, &dataset, error);
  *plan = NULL;
  const bool good = format && format->read_plan(file, dataset, plan, error);
  ct_free(file);
  ct_free(dataset);
  return good;
}
