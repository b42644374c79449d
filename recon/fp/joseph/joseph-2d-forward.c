/* SPDX-License-Identifier: GPL-3.0-or-later */
/* y = A x of one slice. Many views: threads own items, taken together with those of neighbouring angles; a band of the
 * image's rows serves all of these while it lies in the first-level cache. Few views (SART goes one by one): threads
 * own chunks of rows, as they do where the solver corrects the image element by element, and the chunks' sums are added
 * in one order whatever the number of threads. */
#include "recon/fp/joseph/joseph-2d-private.h"

#include <omp.h>
#include <string.h>

/* Rows of all images of an item that are read at a time. */
#define BAND 96

/* Floats from row to row of a transposed part of the image. */
static const ptrdiff_t strip_pitch = CT_J2D_CHUNK + 2 * CT_J2D_MARGIN;

static const float *pixels_of(const ct_j2d *j, const float *x, bool transposed) {
  return (transposed ? j->transposed : x) + CT_J2D_MARGIN;
}

static ptrdiff_t pitch_of(const ct_j2d *j, bool transposed) {
  return (ptrdiff_t)(transposed ? j->transposed_pitch : j->pitch);
}

/* Fills j->transposed. */
static void transpose_image(ct_j2d *j, const float *x) {
  const int bands = (j->ny + CT_J2D_LANES - 1) / CT_J2D_LANES;
#pragma omp parallel for schedule(static) num_threads(j->threads)
  for (int band = 0; band < bands; band++) {
    const int row = band * CT_J2D_LANES, rows = j->ny - row < CT_J2D_LANES ? j->ny - row : CT_J2D_LANES;
    j->loops->transpose(x + CT_J2D_MARGIN + (size_t)row * j->pitch, (ptrdiff_t)j->pitch, rows, j->nx,
                        j->transposed + CT_J2D_MARGIN + row, (ptrdiff_t)j->transposed_pitch);
  }
}

static ct_j2d_forward *kernel_of(const ct_j2d_forward_loops *loops, const ct_j2d_item *item) {
  if (!item->paired) return loops->one;
  return item->members == 4 ? loops->pairs4 : item->members == 2 ? loops->pairs2 : loops->pair;
}

static size_t item_rays(const ct_j2d *j, const ct_j2d_item *item) {
  return ct_projector_padded((size_t)ct_j2d_half(j->pencils + item->pencil[0], item->paired));
}

/* The item's images; sums lie [member][straight, mirrored][rays]. */
static void make_sheet(const ct_j2d *j, const ct_j2d_item *item, const float *x, float *sums, ct_j2d_sheet *sheet) {
  const ct_j2d_pencil *first = j->pencils + item->pencil[0];
  const size_t rays = item_rays(j, item);
  *sheet = (ct_j2d_sheet){.members = item->members, .paired = item->paired, .along = first->along};
  for (int n = 0; n < item->members; n++) {
    const bool transposed = j->pencils[item->pencil[n]].transposed;
    const ptrdiff_t pitch = pitch_of(j, transposed);
    const bool flipped = n & 1;
    sheet->from[n] = pixels_of(j, x, transposed) + (flipped ? (first->rows - 1) * pitch : 0);
    sheet->stride[n] = flipped ? -pitch : pitch;
    sheet->straight[n] = sums;
    sheet->mirrored[item->members > 1 ? n ^ 1 : n] = sums + (item->paired ? rays : 0);
    sums += (item->paired ? 2 : 1) * rays;
  }
  sheet->behind = sheet->from[0] + (first->rows - 1) * sheet->stride[0];
}

/* Sums lie `apart` floats from ray to ray. */
static void store_rays(const ct_j2d *j, const ct_j2d_pencil *p, bool paired, int apart, const float *straight,
                       const float *mirrored, float *rays) {
  const float *lengths = p->divergent ? j->lengths + (size_t)p->view * (size_t)j->nu : NULL;
  const int half = ct_j2d_half(p, paired), first = p->first, step = p->step;
  const float length = (float)p->length;
  if (lengths)
    for (int t = 0; t < half; t++) rays[first + step * t] = lengths[first + step * t] * straight[apart * t];
  else
    for (int t = 0; t < half; t++) rays[first + step * t] = length * straight[apart * t];
  const int last = first + step * (p->count - 1);
  if (paired)
    for (int t = 0; t < p->count - half; t++) rays[last - step * t] = length * mirrored[apart * t];
  if (first == j->nu - 1 || last == j->nu - 1)
    for (size_t u = (size_t)j->nu; u < j->slice_rays; u++) rays[u] = 0;
}

static void project_groups(const ct_j2d *j, const ct_j2d_item *items, const ct_j2d_group *groups, int group_count,
                           int count, int rows, const ct_j2d_sheet *sheets) {
  ct_j2d_forward *const kernel = kernel_of(j->loops->forward, items);
  const int band = BAND / items[0].members;
  for (int row = 0; row < rows; row += band)
    for (int g = 0; g < group_count; g++)
      for (int n = 0; n < count; n++) {
        const ct_j2d_group *group = groups + (size_t)n * (size_t)j->groups_of + g;
        if (group->end <= row || group->first >= row + band) continue;
        kernel(group, row, row + band, sheets + n);
      }
}

/* One kind of items. */
static void project_items(const ct_j2d *j, const ct_j2d_item *items, int count, const float *x, float *y, float *sums,
                          ct_j2d_group *groups) {
  const bool eights = ct_j2d_is_eight(j, items);
  ct_j2d_sheet sheets[CT_J2D_TOGETHER];
  float *sums_of[CT_J2D_TOGETHER];
  int rows = 0, most = 0;
  size_t used = 0;
  for (int n = 0; n < count; n++) {
    const ct_j2d_pencil *p = j->pencils + items[n].pencil[0];
    const int group_count = (int)(item_rays(j, items + n) / CT_J2D_LANES);
    sums_of[n] = sums + used;
    if (!eights) make_sheet(j, items + n, x, sums_of[n], sheets + n);
    used += (size_t)items[n].members * (items[n].paired ? 2 : 1) * item_rays(j, items + n);
    for (int g = 0; g < j->groups_of; g++) {
      ct_j2d_group *group = groups + (size_t)n * (size_t)j->groups_of + g;
      if (g < group_count)
        ct_j2d_make_group(p, g * CT_J2D_LANES, 0, p->along, group);
      else
        group->first = group->end = 0;
    }
    rows = p->rows > rows ? p->rows : rows;
    most = group_count > most ? group_count : most;
  }
  memset(sums, 0, used * sizeof *sums);
  if (eights)
    ct_j2d_project_eights(j, groups, most, count, sums_of);
  else
    project_groups(j, items, groups, most, count, rows, sheets);
  for (int n = 0; n < count; n++)
    for (int m = 0; m < items[n].members; m++) {
      const ct_j2d_pencil *p = j->pencils + items[n].pencil[m];
      float *rays = y + (size_t)p->view * j->view_rays;
      if (eights)
        store_rays(j, p, true, CT_J2D_EIGHT, sums_of[n] + 2 * m, sums_of[n] + 2 * (m ^ 1) + 1, rays);
      else
        store_rays(j, p, items[n].paired, 1, sheets[n].straight[m],
                   sheets[n].mirrored[items[n].members > 1 ? m ^ 1 : m], rays);
    }
}

/* Items of one kind, at most CT_J2D_TOGETHER pencils of them; or as many items, which share more of the image, but work
 * for every thread. */
static int make_chunks(const ct_j2d *j, const ct_j2d_item *items, int count, int *chunks) {
  const int share = (count + 3 * j->threads - 1) / (3 * j->threads);
  int made = 0;
  for (int n = 0; n < count; made++) {
    chunks[made] = n;
    const int members = items[n].members;
    const bool eights = ct_j2d_is_eight(j, items + n);
    const int most = !eights ? CT_J2D_TOGETHER / members : share < CT_J2D_TOGETHER ? share : CT_J2D_TOGETHER;
    for (int m = 0; m < most && n < count && items[n].members == members && ct_j2d_is_eight(j, items + n) == eights;
         m++)
      n++;
  }
  chunks[made] = count;
  return made;
}

static void project_many(ct_j2d *j, bool all, const float *x, float *y) {
  int count;
  const ct_j2d_item *items = ct_j2d_items_of(j, all, &count);
  const int chunks = make_chunks(j, items, count, j->chunks);
  bool transposed = false, eights = false;
  for (int n = 0; n < count; n++) {
    for (int m = 0; m < items[n].members; m++) transposed = transposed || j->pencils[items[n].pencil[m]].transposed;
    eights = eights || ct_j2d_is_eight(j, items + n);
  }
  if (transposed) transpose_image(j, x);
  if (eights) ct_j2d_spread(j, x);
#pragma omp parallel for schedule(dynamic, 1) num_threads(j->threads)
  for (int chunk = 0; chunk < chunks; chunk++) {
    const size_t thread = (size_t)omp_get_thread_num();
    project_items(j, items + j->chunks[chunk], j->chunks[chunk + 1] - j->chunks[chunk], x, y,
                  j->sums + thread * j->sums_size, j->groups + thread * CT_J2D_TOGETHER * (size_t)j->groups_of);
  }
}

/* Columns [column, end) of rows [row, row + rows) as rows of a narrow image. */
static void transpose_part(const ct_j2d *j, const float *x, int row, int rows, int column, int end, float *strip) {
  strip += CT_J2D_MARGIN;
  j->loops->transpose(x + CT_J2D_MARGIN + (size_t)row * j->pitch + column, (ptrdiff_t)j->pitch, rows, end - column,
                      strip, strip_pitch);
  if (rows < CT_J2D_CHUNK)
    for (int i = 0; i < end - column; i++) memset(strip + i * strip_pitch + rows, 0, CT_J2D_MARGIN * sizeof *strip);
}

/* The columns are transposed part by part, which then lies in the first-level cache. */
static void project_transposed(const ct_j2d *j, const ct_j2d_pencil *p, const float *x, int row, int rows,
                               const ct_j2d_group *groups, int count, float *sums) {
  float *strip = j->transposed_part + (size_t)omp_get_thread_num() * CT_J2D_TRANSPOSED * strip_pitch;
  ct_j2d_sheet sheet = {.members = 1, .along = rows, .stride = {strip_pitch}, .straight = {sums}};
  for (int column = 0, end; column < p->rows; column = end) {
    end = column + CT_J2D_TRANSPOSED < p->rows ? column + CT_J2D_TRANSPOSED : p->rows;
    transpose_part(j, x, row, rows, column, end, strip);
    sheet.from[0] = strip + CT_J2D_MARGIN - column * strip_pitch;
    for (int g = 0; g < count; g++)
      if (groups[g].first < end && groups[g].end > column) j->loops->forward->one(groups + g, column, end, &sheet);
  }
}

void ct_j2d_project_chunk(const ct_j2d *j, int view, int chunk, const float *x, float *sums) {
  const size_t thread = (size_t)omp_get_thread_num();
  const int row = chunk * CT_J2D_CHUNK, rows = j->ny - row < CT_J2D_CHUNK ? j->ny - row : CT_J2D_CHUNK;
  ct_j2d_group *groups = j->groups + thread * CT_J2D_TOGETHER * (size_t)j->groups_of;
  for (int n = j->first_pencil[view]; n < j->first_pencil[view + 1]; n++) {
    const ct_j2d_pencil *p = j->pencils + n;
    const size_t rays = ct_projector_padded((size_t)p->count);
    int count = 0;
    for (int t = 0; t < p->count; t += CT_J2D_LANES)
      ct_j2d_make_group(p, t, p->transposed ? row : 0, p->transposed ? row + rows : j->nx, groups + count++);
    memset(sums, 0, rays * sizeof *sums);
    if (p->transposed) {
      project_transposed(j, p, x, row, rows, groups, count, sums);
    } else {
      ct_j2d_sheet sheet = {.members = 1,
                            .along = j->nx,
                            .from = {x + CT_J2D_MARGIN},
                            .stride = {(ptrdiff_t)j->pitch},
                            .straight = {sums}};
      for (int g = 0; g < count; g++) j->loops->forward->one(groups + g, row, row + rows, &sheet);
    }
    sums += rays;
  }
}

size_t ct_j2d_chunk_sums(const ct_j2d *j, int view) {
  size_t rays = 0;
  for (int n = j->first_pencil[view]; n < j->first_pencil[view + 1]; n++)
    rays += ct_projector_padded((size_t)j->pencils[n].count);
  return rays;
}

void ct_j2d_gather_chunks(const ct_j2d *j, int view, const float *sums, float *room, float *rays) {
  const int chunks = ct_j2d_chunks(j);
  const size_t count = ct_j2d_chunk_sums(j, view);
  memmove(room, sums, count * sizeof *room);
  for (int chunk = 1; chunk < chunks; chunk++)
    for (size_t n = 0; n < count; n++) room[n] += sums[(size_t)chunk * count + n];
  for (int n = j->first_pencil[view]; n < j->first_pencil[view + 1]; n++) {
    store_rays(j, j->pencils + n, false, 1, room, NULL, rays);
    room += ct_projector_padded((size_t)j->pencils[n].count);
  }
}

static void project_view(ct_j2d *j, int view, const float *x, float *y) {
  const int chunks = ct_j2d_chunks(j);
  const size_t rays = ct_j2d_chunk_sums(j, view);
#pragma omp parallel for schedule(static) num_threads(j->threads)
  for (int chunk = 0; chunk < chunks; chunk++) ct_j2d_project_chunk(j, view, chunk, x, j->sums + (size_t)chunk * rays);
  ct_j2d_gather_chunks(j, view, j->sums, j->sums, y + (size_t)view * j->view_rays);
}

void ct_j2d_want(ct_j2d *j, const int *blocks, int count) {
  memset(j->wanted, 0, (size_t)j->views * sizeof *j->wanted);
  for (int n = 0; n < count; n++) j->wanted[blocks[n]] = true;
}

void ct_j2d_project(ct_j2d *j, const int *blocks, int count, const float *x, float *y) {
  if (!blocks) {
    project_many(j, true, x, y);
  } else if (count <= CT_J2D_ALONE) {
    for (int n = 0; n < count; n++) project_view(j, blocks[n], x, y);
  } else {
    ct_j2d_want(j, blocks, count);
    project_many(j, false, x, y);
  }
}
