/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of volumes: begun or taken up, written by many, finished by one. */
#include "app/cli/part-file.h"

#include "recon/base/memory.h"
#include "recon/base/output.h"
#include "recon/base/text.h"
#include "recon/base/units.h"
#include "recon/solve/digest.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Bytes of a header that are kept free for what is known only at the end: warnings. */
enum { SPARE = 8192, LINE = CLI_PART_LINE };

static size_t slice_bytes(const cli_part *part) {
  return (size_t)part->grid.nx * (size_t)part->grid.ny * sizeof(float);
}

void cli_part_identify(const cli_part_request *r, const char *what, char line[LINE]) {
  const ct_grid *g = r->grid;
  snprintf(line, LINE,
           "Gantry " GANTRY_VERSION ": %s of %s that are there; plan %016" PRIx64 ", scan %016" PRIx64
           ", %d x %d x %d of %.17g x %.17g mm from %.17g %.17g %.17g",
           what, r->format->id, ct_plan_digest(r->plan, CT_PLAN_VOLUME), r->checksum, g->nx, g->ny, g->nz, g->dx, g->dz,
           g->x0, g->y0, g->z0);
  for (size_t n = strlen(line); n < LINE - 1; n++) line[n] = ' ';
  line[LINE - 2] = '\n';
  line[LINE - 1] = 0;
}

/* Takes up what is there; false, without an error, where there is nothing of use. *other: of another plan or scan. */
static bool take_up(cli_part *part, const char *line, bool *other) {
  size_t length;
  struct stat status;
  char *text = ct_read_text(part->journal, (size_t)1 << 28, &length, NULL);
  *other = text && access(part->part, F_OK) == 0;
  unsigned long long offset = 0;
  const size_t head = strlen(line);
  bool good = text && length == head + 24 + (size_t)part->grid.nz && memcmp(text, line, head) == 0;
  char number[24] = "";
  if (good) {
    snprintf(number, sizeof number, "%.23s", text + head);
    good = sscanf(number, "%llu", &offset) == 1 && stat(part->part, &status) == 0 &&
           (uint64_t)status.st_size == offset + slice_bytes(part) * (uint64_t)part->grid.nz;
  }
  for (int k = 0; good && k < part->grid.nz; k++) part->kept += part->done[k] = text[head + 24 + (size_t)k] == '1';
  if (good) part->offset = offset;
  if (good) *other = false;
  ct_free(text);
  return good;
}

static bool make_list(const cli_part *part, const char *line, ct_error **error) {
  const size_t head = strlen(line), length = head + 24 + (size_t)part->grid.nz;
  char *text = ct_alloc(length + 1, 1, "the list of slices", error);
  if (!text) return false;
  snprintf(text, length + 1, "%s%-23llu\n", line, (unsigned long long)part->offset);
  memset(text + head + 24, '0', (size_t)part->grid.nz);
  text[length] = 0;
  const bool good = ct_output_write_whole(part->journal, text, length, error);
  ct_free(text);
  return good;
}

/* Where the file system can promise room, it does. */
bool cli_part_make_file(const char *path, const void *head, size_t head_bytes, uint64_t bytes, ct_error **error) {
  const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) return ct_error_set_errno(error, errno, "Cannot write %s", path);
  bool good = head_bytes == 0 || pwrite(file, head, head_bytes, 0) == (ssize_t)head_bytes;
  good = good && ftruncate(file, (off_t)bytes) == 0 &&
         (fallocate(file, 0, 0, (off_t)bytes) == 0 || errno == EOPNOTSUPP || errno == ENOSYS);
  const int fault = errno ? errno : EIO;
  char size[32];
  close(file);
  if (good) return true;
  unlink(path);
  return ct_error_set_errno(error, fault, "Cannot write %s of %s", path,
                            ct_format_bytes((double)bytes, size, sizeof size));
}

/* Its length is where the samples begin, 0 where the format's library cannot have them behind it: then they are copied
 * at the end. */
static bool make_header(cli_part *part, const cli_part_request *r, char **header, ct_error **error) {
  size_t size = 0;
  ct_error *fault = NULL;
  char *beside = ct_strprintf("%s.header", part->part), *longer = ct_strprintf("%s%*s", r->record, SPARE, "");
  *header =
      beside && longer ? ct_volume_header_bytes_of(r->format, beside, &part->grid, longer, 0, &size, &fault) : NULL;
  ct_free(beside);
  ct_free(longer);
  part->offset = *header ? size : 0;
  if (!*header && fault && fault->code != CT_ERROR_UNSUPPORTED) {
    if (error) *error = fault;
    return false;
  }
  const bool good =
      *header || fault || ct_error_set(error, CT_ERROR_MEMORY, "There is not enough memory for a header.");
  ct_error_clear(&fault);
  return good;
}

static bool begin_anew(cli_part *part, const cli_part_request *r, const char *line, ct_error **error) {
  char *header = NULL;
  unlink(part->journal);
  if (part->in_place && !part->apart && !make_header(part, r, &header, error)) return false;
  const uint64_t bytes = part->offset + slice_bytes(part) * (uint64_t)part->grid.nz;
  const bool good =
      cli_part_make_file(part->part, header, (size_t)part->offset, bytes, error) && make_list(part, line, error);
  ct_free(header);
  return good;
}

static bool begin(cli_part *part, const cli_part_request *r, char *note, size_t size, ct_error **error) {
  char line[LINE];
  bool other;
  cli_part_identify(r, "slices", line);
  if (take_up(part, line, &other)) {
    if (part->kept)
      snprintf(note, size, "%s: %d of %d slices are there from a job that did not end; going on from them", r->path,
               part->kept, part->grid.nz);
    return true;
  }
  if (other) snprintf(note, size, "%s is of another plan or scan, or not whole: begun anew", part->part);
  return begin_anew(part, r, line, error);
}

bool cli_part_begin(cli_part *part, const cli_part_request *r, ct_exchange *x, char *note, size_t size,
                    ct_error **error) {
  char *samples = NULL;
  *note = 0;
  *part = (cli_part){.format = r->format, .path = r->path, .grid = *r->grid, .descriptor = -1};
  part->in_place = r->plan->samples == CT_SAMPLES_FLOAT32 && !r->plan->compress &&
                   ct_volume_is_plain(r->format, r->path, &part->apart, &samples, error);
  ct_free(samples);
  char *real = realpath(r->path, NULL);
  part->target = ct_strdup(real ? real : r->path, error);
  free(real);
  if (part->target) {
    part->part = ct_strprintf("%s.part", part->target);
    part->journal = ct_strprintf("%s.part.slices", part->target);
  }
  part->done = ct_alloc_zero((size_t)part->grid.nz, 1, "the list of slices", error);
  bool good = part->part && part->journal && part->done;
  if (good && x->rank == 0) good = begin(part, r, note, size, error);
  if (!x->way->agree(x, good, error)) return false;
  x->way->tell(x, &part->offset, sizeof part->offset);
  x->way->tell(x, &part->kept, sizeof part->kept);
  x->way->tell(x, part->done, (size_t)part->grid.nz);
  part->journal_offset = LINE - 1 + 24;
  part->descriptor = open(part->journal, O_WRONLY | O_CLOEXEC);
  good = part->descriptor >= 0 || ct_error_set_errno(error, errno, "Cannot write %s", part->journal);
  good = good && x->way->open(x, part->part, error);
  return x->way->agree(x, good, error);
}

bool cli_part_write(cli_part *part, ct_exchange *x, const float *slices, int first, int count, ct_error **error) {
  const uint64_t bytes = slice_bytes(part);
  if (!x->way->write(x, part->offset + bytes * (uint64_t)first, slices, (size_t)bytes * (size_t)count, error) ||
      !x->way->sync(x, error))
    return false;
  char *there = ct_alloc((size_t)count, 1, "a list of slices", error);
  if (!there) return false;
  memset(there, '1', (size_t)count);
  const bool good = pwrite(part->descriptor, there, (size_t)count, part->journal_offset + first) == count ||
                    ct_error_set_errno(error, errno, "Cannot write %s", part->journal);
  ct_free(there);
  return good;
}

int cli_part_count(const cli_part *part) {
  size_t length = 0;
  int count = 0;
  char *text = ct_read_text(part->journal, (size_t)1 << 28, &length, NULL);
  for (int k = 0; text && k < part->grid.nz && (size_t)part->journal_offset + (size_t)k < length; k++)
    count += text[part->journal_offset + k] == '1';
  ct_free(text);
  return count;
}

/* The final header over the one that was there, of the same length. */
static bool rewrite_header(const cli_part *part, const char *record, bool *fits, ct_error **error) {
  size_t size;
  char *beside = ct_strprintf("%s.header", part->part);
  ct_error *fault = NULL;
  char *header =
      beside ? ct_volume_header_bytes_of(part->format, beside, &part->grid, record, (size_t)part->offset, &size, &fault)
             : NULL;
  ct_free(beside);
  *fits = header != NULL;
  if (!header && fault && fault->code != CT_ERROR_UNSUPPORTED) {
    if (error) *error = fault;
    return false;
  }
  ct_error_clear(&fault);
  if (!header) return true;
  const int file = open(part->part, O_WRONLY | O_CLOEXEC);
  bool good = file >= 0 && pwrite(file, header, size, 0) == (ssize_t)size && fsync(file) == 0;
  if (!good) ct_error_set_errno(error, errno, "Cannot write %s", part->part);
  if (file >= 0) close(file);
  ct_free(header);
  return good;
}

static bool read_slice(const cli_part *part, int file, int k, float *slice, ct_error **error) {
  const size_t bytes = slice_bytes(part);
  for (size_t at = 0; at < bytes;) {
    const ssize_t count = pread(file, (char *)slice + at, bytes - at, (off_t)(part->offset + bytes * (uint64_t)k + at));
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return ct_error_set_errno(error, count < 0 ? errno : EIO, "Cannot read %s", part->part);
    at += (size_t)count;
  }
  return true;
}

/* What 16 bits stand for where the plan does not tell: all values. */
static bool find_range(const cli_part *part, int file, float *slice, ct_write_options *options, ct_error **error) {
  double low = INFINITY, high = -INFINITY;
  const size_t count = slice_bytes(part) / sizeof *slice;
  for (int k = 0; k < part->grid.nz; k++) {
    if (!read_slice(part, file, k, slice, error)) return false;
    for (size_t i = 0; i < count; i++) {
      low = slice[i] < low ? slice[i] : low;
      high = slice[i] > high ? slice[i] : high;
    }
  }
  if (isnan(options->low)) options->low = low;
  if (isnan(options->high)) options->high = high > low ? high : low + 1;
  return true;
}

/* Slice by slice into a file of the format. */
static bool convert(const cli_part *part, const ct_plan *plan, const char *record, ct_job *job, ct_error **error) {
  ct_write_options options = {
      .samples = (ct_samples)plan->samples, .low = plan->low, .high = plan->high, .compress = plan->compress != 0};
  const int file = open(part->part, O_RDONLY | O_CLOEXEC);
  if (file < 0) return ct_error_set_errno(error, errno, "Cannot read %s", part->part);
  float *slice = ct_alloc(slice_bytes(part), 1, "a slice", error);
  bool good = slice != NULL;
  if (good && options.samples == CT_SAMPLES_UINT16 && (isnan(options.low) || isnan(options.high)))
    good = find_range(part, file, slice, &options, error);
  ct_volume_writer *writer =
      good ? ct_volume_writer_open(part->format, part->path, &part->grid, record, &options, error) : NULL;
  good = writer != NULL;
  ct_job_begin_stage(job, CT_STAGE_WRITING, (uint64_t)part->grid.nz);
  for (int k = 0; good && k < part->grid.nz; k++) {
    good = read_slice(part, file, k, slice, error) && ct_volume_writer_append(writer, slice, 1, job, error);
    ct_job_advance(job, 1);
  }
  if (good)
    good = ct_volume_writer_finish(writer, error);
  else
    ct_volume_writer_abandon(writer);
  ct_free(slice);
  close(file);
  return good;
}

/* The permissions of a file that is replaced stay. */
static bool rename_part(const cli_part *part, ct_error **error) {
  struct stat old;
  if (stat(part->target, &old) == 0 && chmod(part->part, old.st_mode & 07777) != 0)
    return ct_error_set_errno(error, errno, "Cannot replace %s", part->target);
  return rename(part->part, part->target) == 0 || ct_error_set_errno(error, errno, "Cannot write %s", part->target);
}

bool cli_part_finish(cli_part *part, const ct_plan *plan, const char *record, ct_job *job, ct_error **error) {
  bool fits = part->in_place && part->apart, good = true;
  const int there = cli_part_count(part);
  if (there != part->grid.nz)
    return ct_error_set(error, CT_ERROR_IO, "%s has %d of %d slices after all were written.", part->part, there,
                        part->grid.nz);
  if (part->in_place && part->offset > 0) good = rewrite_header(part, record, &fits, error);
  if (!good) return false;
  if (!fits)
    good = convert(part, plan, record, job, error);
  else if (part->apart)
    good = ct_volume_finish_apart(part->format, part->path, &part->grid, record, part->part, error);
  else
    good = rename_part(part, error);
  if (!good) return false;
  unlink(part->part);
  unlink(part->journal);
  return true;
}

void cli_part_clear(cli_part *part) {
  if (part->descriptor >= 0) close(part->descriptor);
  ct_free(part->target);
  ct_free(part->part);
  ct_free(part->journal);
  ct_free(part->done);
  *part = (cli_part){.descriptor = -1};
}
