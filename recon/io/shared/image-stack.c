/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Stacks of image files as frames: one table (file, page) per kind of frame, one file open at a time. */
#include "recon/io/shared/series-private.h"

#include "recon/base/memory.h"
#include "recon/io/shared/meanings.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

typedef struct frame {
  size_t file;
  uint64_t page;
  double angle; /* degrees; NaN: the page does not tell */
} frame;

typedef struct frame_table {
  frame *frames;
  size_t count, capacity;
} frame_table;

struct ct_image_stack {
  const ct_image_codec *codec;
  ct_series series;
  ct_source *sources[3]; /* of the series' files */
  frame_table tables[3]; /* by ct_frame_kind */
  ct_image_facts facts;
  bool slices; /* of a volume that Gantry wrote */
  uint64_t bytes;
  /* The one open file; image == NULL: none. */
  void *image;
  ct_frame_kind open_kind;
  frame open_frame;
};

static bool append_frame(frame_table *table, frame f, ct_error **error) {
  if (table->count == table->capacity) {
    const size_t larger = table->capacity ? 2 * table->capacity : 64;
    frame *frames = ct_alloc(larger, sizeof *frames, "a table of frames", error);
    if (!frames) return false;
    if (table->count) memcpy(frames, table->frames, table->count * sizeof *frames);
    ct_free(table->frames);
    table->frames = frames;
    table->capacity = larger;
  }
  if (table->count >= INT_MAX) return ct_error_set(error, CT_ERROR_UNSUPPORTED, "There are too many frames");
  table->frames[table->count++] = f;
  return true;
}

/* Page `page` (from 1) of `path` must be like the first of the stack. */
static bool check_like(const ct_image_stack *stack, const char *path, int page, const ct_image_facts *facts,
                       ct_error **error) {
  const ct_image_facts *first = &stack->facts;
  if (facts->width == first->width && facts->height == first->height && facts->type == first->type &&
      facts->flip_rows == first->flip_rows && facts->flip_columns == first->flip_columns)
    return true;
  char which[32] = "";
  if (page > 1) snprintf(which, sizeof which, "page %d of ", page);
  return ct_error_set(
      error, CT_ERROR_FORMAT,
      "%s%s differs from the first image, %s: it is %d x %d pixels of %s, the first is %d x %d pixels of %s%s", which,
      path, ct_path_name(stack->series.files[CT_FRAME_PROJECTION].paths[0]), facts->width, facts->height,
      ct_sample_id(facts->type), first->width, first->height, ct_sample_id(first->type),
      facts->flip_rows != first->flip_rows || facts->flip_columns != first->flip_columns
          ? ", stored in another orientation"
          : "");
}

/* Adds all pages of one file. The first file of a stack is given already open. */
static bool add_file(ct_image_stack *stack, ct_frame_kind kind, size_t index, ct_error **error) {
  const ct_image_codec *codec = stack->codec;
  const char *path = stack->series.files[kind].paths[index];
  const bool first = kind == CT_FRAME_PROJECTION && index == 0;
  ct_image_facts facts;
  ct_source *source = &stack->sources[kind][index];
  if (!ct_source_take(source, path, error)) return false;
  void *image = codec->open(path, &facts, error);
  if (!image) return false;
  stack->bytes += source->bytes;
  if (first) {
    stack->facts = facts;
    stack->slices = codec->is_slice && codec->is_slice(image);
  }
  bool good = true, more = true;
  for (int page = 1; good && more; page++) {
    good =
        check_like(stack, path, page, &facts, error) &&
        append_frame(&stack->tables[kind],
                     (frame){index, codec->tell ? codec->tell(image) : 0, facts.has_angle ? facts.angle : NAN}, error);
    more = false;
    if (good && codec->next) good = codec->next(image, &more, &facts, error);
  }
  codec->close(image);
  return good;
}

/* A file of several pages is a stack by itself, whatever lies beside it under a like name. */
static bool keep_multipage_alone(const ct_image_codec *codec, const char *path, ct_series *series, ct_error **error) {
  struct stat status;
  if (!codec->next || series->files[CT_FRAME_PROJECTION].count < 2 || stat(path, &status) != 0 ||
      !S_ISREG(status.st_mode))
    return true;
  ct_image_facts facts;
  bool more = false;
  void *image = codec->open(path, &facts, error);
  if (!image) return false;
  const bool good = codec->next(image, &more, &facts, error);
  codec->close(image);
  if (!good || !more) return good;
  char *copy = ct_strdup(path, error);
  char **paths = copy ? ct_alloc(1, sizeof *paths, "a list of files", error) : NULL;
  if (!paths) {
    ct_free(copy);
    return false;
  }
  ct_series_clear(series);
  paths[0] = copy;
  series->files[CT_FRAME_PROJECTION] = (ct_file_list){paths, 1};
  return true;
}

/* Whether no other file of the series is like the one that was named. */
static bool is_only_one(const ct_image_stack *stack, const char *path) {
  const ct_file_list *files = &stack->series.files[CT_FRAME_PROJECTION];
  ct_image_facts own, other;
  void *image = stack->codec->open(path, &own, NULL);
  if (!image) return false;
  stack->codec->close(image);
  int alike = 0;
  for (size_t i = 0; i < files->count && alike < 2; i++) {
    if (!(image = stack->codec->open(files->paths[i], &other, NULL))) continue;
    stack->codec->close(image);
    alike += own.width == other.width && own.height == other.height && own.type == other.type;
  }
  return alike < 2;
}

/* A named file of a folder of images of many sizes is opened alone. */
static ct_image_stack *open_alone(ct_image_stack *stack, const char *path, ct_error **error) {
  const ct_image_codec *codec = stack->codec;
  char *copy = ct_strdup(path, error), **paths = copy ? ct_alloc(1, sizeof *paths, "a list of files", error) : NULL;
  ct_image_stack *alone = paths ? ct_alloc_zero(1, sizeof *alone, "a stack of images", error) : NULL;
  if (!alone) {
    ct_free(copy);
    ct_free(paths);
    return NULL;
  }
  paths[0] = copy;
  alone->codec = codec;
  alone->series.alone = true;
  alone->series.files[CT_FRAME_PROJECTION] = (ct_file_list){paths, 1};
  alone->sources[CT_FRAME_PROJECTION] = ct_alloc_zero(1, sizeof(ct_source), "a list of files", error);
  if (alone->sources[CT_FRAME_PROJECTION] && add_file(alone, CT_FRAME_PROJECTION, 0, error)) return alone;
  ct_image_stack_free(alone);
  return NULL;
}

/* Flats or darks of a folder beside the projections that do not go with them. */
static bool drop_fields(ct_image_stack *stack, ct_frame_kind kind, ct_error **fault) {
  snprintf(stack->series.dropped[kind - 1], sizeof stack->series.dropped[0], "%s", (*fault)->message);
  ct_error_clear(fault);
  ct_file_list_clear(&stack->series.files[kind]);
  stack->tables[kind].count = 0;
  stack->series.beside[kind] = false;
  stack->series.after[kind] = 0;
  return true;
}

ct_image_stack *ct_image_stack_open(const ct_image_codec *codec, const char *path, ct_error **error) {
  ct_image_stack *stack = ct_alloc_zero(1, sizeof *stack, "a stack of images", error);
  if (!stack) return NULL;
  stack->codec = codec;
  bool good = ct_series_find(&stack->series, path, codec->extensions, error) &&
              keep_multipage_alone(codec, path, &stack->series, error);
  for (ct_frame_kind kind = CT_FRAME_PROJECTION; good && kind <= CT_FRAME_DARK; kind++) {
    const size_t files = stack->series.files[kind].count;
    if (files)
      good = (stack->sources[kind] = ct_alloc_zero(files, sizeof(ct_source), "a list of files", error)) != NULL;
    const bool beside = stack->series.beside[kind];
    ct_error *fault = NULL;
    for (size_t i = 0; good && i < files; i++) good = add_file(stack, kind, i, beside ? &fault : error);
    if (!good && beside && fault) good = drop_fields(stack, kind, &fault);
  }
  if (good) return stack;
  ct_image_stack *alone = NULL;
  struct stat status;
  if (stack->series.files[CT_FRAME_PROJECTION].count > 1 && stat(path, &status) == 0 && S_ISREG(status.st_mode) &&
      is_only_one(stack, path) && (alone = open_alone(stack, path, NULL)))
    ct_error_clear(error);
  ct_image_stack_free(stack);
  return alone;
}

void ct_image_stack_free(ct_image_stack *stack) {
  if (!stack) return;
  if (stack->image) stack->codec->close(stack->image);
  for (int kind = 0; kind < 3; kind++) {
    ct_free(stack->tables[kind].frames);
    ct_free(stack->sources[kind]);
  }
  ct_series_clear(&stack->series);
  ct_free(stack);
}

const ct_image_facts *ct_image_stack_get_facts(const ct_image_stack *stack) {
  return &stack->facts;
}

uint64_t ct_image_stack_bytes(const ct_image_stack *stack) {
  return stack->bytes;
}

int ct_image_stack_count(const ct_image_stack *stack, ct_frame_kind kind) {
  return (int)stack->tables[kind].count;
}

const char *ct_image_stack_get_path(const ct_image_stack *stack, int index) {
  return stack->series.files[CT_FRAME_PROJECTION].paths[stack->tables[CT_FRAME_PROJECTION].frames[index].file];
}

/* Makes the wanted page the open file's present one. */
static bool select_frame(ct_image_stack *stack, ct_frame_kind kind, frame wanted, ct_error **error) {
  const char *path = stack->series.files[kind].paths[wanted.file];
  if (!ct_source_check(&stack->sources[kind][wanted.file], path, error)) return false;
  if (stack->image && (stack->open_kind != kind || stack->open_frame.file != wanted.file)) {
    stack->codec->close(stack->image);
    stack->image = NULL;
  }
  ct_image_facts facts;
  if (!stack->image) {
    stack->image = stack->codec->open(path, &facts, error);
    if (!stack->image) return false;
  } else if (stack->open_frame.page == wanted.page) {
    return true;
  }
  if ((stack->codec->seek && !stack->codec->seek(stack->image, wanted.page, &facts, error)) ||
      !check_like(stack, path, 1, &facts, error)) {
    stack->codec->close(stack->image);
    stack->image = NULL;
    return false;
  }
  stack->open_kind = kind;
  stack->open_frame = wanted;
  return true;
}

bool ct_image_stack_read(ct_image_stack *stack, ct_frame_kind kind, int index, int row0, int rows, float *out,
                         ct_error **error) {
  if (index < 0 || (size_t)index >= stack->tables[kind].count || row0 < 0 || rows < 0 ||
      row0 > stack->facts.height - rows)
    return ct_error_set(error, CT_ERROR_ARGUMENT, "There are no rows %d to %d of frame %d in the stack", row0,
                        row0 + rows - 1, index);
  const frame wanted = stack->tables[kind].frames[index];
  return select_frame(stack, kind, wanted, error) && stack->codec->read(stack->image, row0, rows, out, error) &&
         ct_source_check(&stack->sources[kind][wanted.file], stack->series.files[kind].paths[wanted.file], error);
}

bool ct_image_stack_check(const ct_image_stack *stack, ct_error **error) {
  for (int kind = 0; kind < 3; kind++)
    for (size_t i = 0; i < stack->series.files[kind].count; i++)
      if (!ct_source_check(&stack->sources[kind][i], stack->series.files[kind].paths[i], error)) return false;
  return true;
}

static bool check_files(void *state, ct_error **error) {
  return ct_image_stack_check(state, error);
}

static bool read_frame(void *state, ct_frame_kind kind, int index, int row0, int rows, float *out, ct_error **error) {
  if (ct_image_stack_read(state, kind, index, row0, rows, out, error)) return true;
  const char *const kinds[] = {"Projection", "Flat", "Dark"};
  ct_error_prefix(error, "%s %d", kinds[kind], index + 1);
  return false;
}

static void free_frames(void *state) {
  ct_image_stack_free(state);
}

/* Where in the run flats or darks were taken, in frames; NULL with *good for those that all came first. */
static double *place_fields(const ct_image_stack *stack, ct_frame_kind kind, bool *good, ct_error **error) {
  const frame_table *table = &stack->tables[kind];
  bool any = false;
  *good = true;
  for (size_t i = 0; i < table->count; i++)
    any = any || ct_series_is_after(&stack->series, kind, table->frames[i].file);
  double *positions = any ? ct_alloc(table->count, sizeof *positions, "the flat field positions", error) : NULL;
  *good = !any || positions;
  for (size_t i = 0; positions && i < table->count; i++)
    positions[i] = ct_series_is_after(&stack->series, kind, table->frames[i].file)
                       ? ct_image_stack_count(stack, CT_FRAME_PROJECTION)
                       : 0;
  return positions;
}

/* Degrees in the pages' own headers, where all have one and they are not all the same; else NULL. */
static double *header_angles(const ct_image_stack *stack) {
  const frame_table *table = &stack->tables[CT_FRAME_PROJECTION];
  bool differ = false;
  for (size_t i = 0; i < table->count; i++) {
    if (isnan(table->frames[i].angle)) return NULL;
    differ |= table->frames[i].angle != table->frames[0].angle;
  }
  double *degrees = differ ? ct_alloc(table->count, sizeof *degrees, "the angles", NULL) : NULL;
  for (size_t i = 0; degrees && i < table->count; i++) degrees[i] = table->frames[i].angle;
  return degrees;
}

/* What the facts point to while they are filled. */
typedef struct {
  char *note;
  int *numbers;
  double *positions[2], *degrees; /* of flats, darks; of the headers */
  ct_remarks remarks;
} owned;

static void clear_owned(owned *own) {
  ct_free(own->note);
  ct_free(own->numbers);
  ct_free(own->positions[0]);
  ct_free(own->positions[1]);
  ct_free(own->degrees);
  ct_remarks_clear(&own->remarks);
}

/* All that the files and their surroundings tell. */
static bool fill_facts(const ct_image_stack *stack, bool ignore_angles, ct_scan_facts *facts, owned *own,
                       ct_error **error) {
  const ct_image_facts *image = &stack->facts;
  const ct_file_list *files = &stack->series.files[CT_FRAME_PROJECTION];
  size_t missing = 0, before = 0;
  if (!ct_geometry_init(&facts->geometry, CT_BEAM_PARALLEL, image->width, image->height,
                        ct_image_stack_count(stack, CT_FRAME_PROJECTION), error))
    return false;
  if (image->pitch_x > 0 && image->pitch_y > 0) {
    facts->geometry.du = image->pitch_x;
    facts->geometry.dv = image->pitch_y;
    facts->known |= CT_KNOWN_PITCH;
  }
  facts->integers = ct_sample_is_integer(image->type);
  facts->flats = ct_image_stack_count(stack, CT_FRAME_FLAT);
  facts->darks = ct_image_stack_count(stack, CT_FRAME_DARK);
  facts->flip_rows = image->flip_rows;
  facts->flip_columns = image->flip_columns;
  facts->format = stack->codec->title;
  facts->first_image = ct_image_stack_get_path(stack, 0);
  facts->bytes = stack->bytes;
  if (files->count == (size_t)facts->geometry.views)
    facts->numbers = own->numbers = ct_series_numbers(files, &missing, &before);
  for (int i = 0; i < 2; i++) {
    bool good;
    own->positions[i] = place_fields(stack, i == 0 ? CT_FRAME_FLAT : CT_FRAME_DARK, &good, error);
    if (!good) return false;
  }
  facts->flat_positions = own->positions[0];
  facts->dark_positions = own->positions[1];
  ct_series_tell(&stack->series, facts, missing, before);
  facts->values =
      ct_values_told(image->unit, "the unit of its samples", ct_path_name(facts->first_image), facts->remarks);
  if (image->rounded)
    ct_remarks_add(facts->remarks, CT_REMARK_DOUBT, ct_path_name(facts->first_image),
                   "its grey levels are rounded by JPEG: small differences are lost, and edges have faint waves");
  own->degrees = header_angles(stack);
  if (!ct_series_take_angles(&stack->series, own->degrees, ignore_angles, facts, error)) return false;
  if (stack->series.left_out.count) {
    own->note = ct_strprintf("%s%sFiles of other names in the folder were left out: %zu",
                             facts->note ? facts->note : "", facts->note ? ". " : "", stack->series.left_out.count);
    if (!own->note) return ct_error_set(error, CT_ERROR_MEMORY, "Not enough memory to open %s", facts->path);
    facts->note = own->note;
  }
  return true;
}

bool ct_image_stack_is_volume(const ct_image_codec *codec, const char *path) {
  char *trimmed = ct_path_trimmed(path, NULL);
  ct_series series;
  bool is = false;
  if (codec->is_slice && trimmed && ct_series_find_images(&series, trimmed, codec->extensions, NULL)) {
    ct_image_facts facts;
    void *image = codec->open(series.files[CT_FRAME_PROJECTION].paths[0], &facts, NULL);
    is = image && codec->is_slice(image);
    if (image) codec->close(image);
    ct_series_clear(&series);
  }
  ct_free(trimmed);
  return is;
}

static bool series_holds(const ct_image_codec *codec, const char *path, const char *file) {
  ct_series series;
  if (!ct_series_find(&series, path, codec->extensions, NULL)) return false;
  bool found = false;
  for (int kind = 0; kind < 3 && !found; kind++) found = ct_file_list_holds(&series.files[kind], file);
  ct_series_clear(&series);
  return found;
}

bool ct_image_scan_reads(const ct_image_codec *codec, const char *path, const char *file) {
  return series_holds(codec, path, file) || ct_series_angles_are_in(path, true, file);
}

ct_scan *ct_image_scan_open(const ct_image_codec *codec, const char *path, const ct_open_options *options,
                            ct_error **error) {
  char *trimmed = ct_path_trimmed(path, error);
  owned own = {0};
  if (!trimmed) return NULL;
  ct_image_stack *stack = ct_image_stack_open(codec, trimmed, error);
  ct_scan_facts facts = {.path = trimmed, .remarks = &own.remarks};
  ct_scan *scan = NULL;
  if (stack && stack->slices) {
    ct_refuse_volume(trimmed, error);
  } else if (stack && fill_facts(stack, options && options->ignore_angles, &facts, &own, error)) {
    scan = ct_scan_new(&facts, (ct_scan_source){stack, read_frame, free_frames, check_files}, error);
    stack = NULL;
  }
  ct_image_stack_free(stack);
  ct_geometry_clear(&facts.geometry);
  clear_owned(&own);
  ct_free(trimmed);
  return scan;
}
