/* SPDX-License-Identifier: GPL-3.0-or-later */
/* x = A^T y of one slice. Rays times their lengths are copied between zeros first, those of a pencil that is finer than
 * the pixels in phases. Then threads own pixels. About a centred axis a tile goes with its mirror images at both axes,
 * and with the same tiles of the transposed image, where the views that are sampled along columns are collected; that
 * image is added at the end. Otherwise, and for few views, tiles are columns 16 pixels wide and take each view as it
 * is. */
#include "recon/fp/joseph/joseph-2d-private.h"

#include <omp.h>
#include <string.h>

enum { lanes = CT_J2D_LANES, tile_rows = CT_J2D_TILE, tall = CT_J2D_TALL };

static void fill_pencil(ct_j2d *j, const ct_j2d_pencil *p, const float *y) {
  ct_j2d_fill_pencil(p, y + (size_t)p->view * j->view_rays, j->scratch, 0);
}

/* Lists of sources by what shares their positions: all four images, side by side or not; both of the rows; both of the
 * columns; one of each. Each list twice: for canonical tiles in the upper and in the lower half. */
enum { list_eight, list_all, list_both, list_single = list_both + 2, list_count = list_single + 2 };
typedef struct lists {
  const ct_j2d_source *sources[list_count][2];
  int count[list_count];
} lists;

static int list_of(const ct_j2d *j, const ct_j2d_item *item) {
  const int transposed = j->pencils[item->pencil[0]].transposed;
  if (ct_j2d_is_eight(j, item)) return list_eight;
  return item->members == 4 ? list_all : (item->members == 2 ? list_both : list_single) + transposed;
}

static void item_source(const ct_j2d *j, const ct_j2d_item *item, int number, int phase, bool flip,
                        ct_j2d_source *source) {
  *source = ct_j2d_source_of(j, j->pencils + item->pencil[0], phase, true, flip);
  if (ct_j2d_is_eight(j, item)) {
    source->straight[0] = ct_j2d_eight_rays(j, number, j->pencils + item->pencil[0], phase);
    return;
  }
  for (int m = 0; m < item->members; m++) {
    const ct_j2d_pencil *p = j->pencils + item->pencil[m];
    const int last = p->count - 1 - phase;
    source->straight[m] = j->scratch + ct_j2d_ray_place(p, phase);
    source->mirrored[m] = j->scratch + ct_j2d_ray_place(p, last % p->phases) + last / p->phases;
  }
}

static void make_lists(ct_j2d *j, const ct_j2d_item *items, int count, lists *all) {
  ct_j2d_source *to = j->sources;
  for (int list = 0; list < list_count; list++) {
    all->count[list] = 0;
    for (int flip = 0; flip < 2; flip++) {
      all->sources[list][flip] = to;
      for (int n = 0, number = 0; n < count; n++) {
        if (list_of(j, items + n) != list) continue;
        for (int phase = 0; phase < j->pencils[items[n].pencil[0]].phases; phase++)
          item_source(j, items + n, number, phase, flip, to++);
        number++;
      }
    }
    all->count[list] = (int)(to - all->sources[list][1]);
  }
}

typedef float tile_pixels[tile_rows * lanes];
/* [columns][rows flipped][run backwards] */
typedef tile_pixels tile_images[2][2][2];

static void add_list(const ct_j2d *j, const lists *all, int list, int column, int row, int rows, tile_images tile) {
  static const int members[] = {4, 4, 2, 2, 1, 1};
  const ct_j2d_back_loops *loops = j->loops->back;
  ct_j2d_back *kernel = members[list] == 4 ? loops->pairs4 : members[list] == 2 ? loops->pairs2 : loops->pair;
  const int columns = list <= list_all ? 0 : (list - list_both) % 2;
  if (!all->count[list]) return;
  if (list == list_eight) {
    ct_j2d_back_eights(j, all->sources[list], all->count[list], column, row, rows, tile[0][0][0]);
    return;
  }
  for (int flip = 0; flip < 2; flip++) {
    ct_j2d_target target = {.column = column, .row = row, .stride = lanes, .rows = rows};
    for (int m = 0; m < members[list]; m++) {
      const int image = columns + m / 2, flipped = (m & 1) ^ flip;
      target.straight[m] = tile[image][flipped][0];
      target.mirrored[m] = tile[image][!flipped][1];
    }
    kernel(all->sources[list][flip], all->count[list], &target);
  }
}

/* Rows `row` .. `row` + `rows` - 1 from `column` on, of an image of `along` x `down` pixels or of its transpose. */
typedef struct image_rows {
  int along, down, column, row, rows;
  float *pixels;
  size_t pitch;
} image_rows;

static void store_tile(const image_rows *s, const float *from, bool flipped, bool backwards) {
  const int along = s->along, column = s->column;
  /* each pixel by one tile alone */
  const int half = backwards ? along / 2 : (along + 1) / 2, count = half - column < lanes ? half - column : lanes;
  for (int n = 0; n < s->rows; n++, from += lanes) {
    float *to = s->pixels + (size_t)(flipped ? s->down - 1 - s->row - n : s->row + n) * s->pitch;
    if (backwards)
      for (int l = 0; l < count; l++) to[along - 1 - column - l] = from[l];
    else
      for (int l = 0; l < count; l++) to[column + l] = from[l];
  }
}

/* Tiles in the image's upper left quarter with their mirror images; of the image, its transpose, or both. */
static void back_quarter(ct_j2d *j, const lists *all, int along, int rows, bool image, bool transposed, float *x) {
  const int across = ((along + 1) / 2 + lanes - 1) / lanes, down = ((rows + 1) / 2 + tile_rows - 1) / tile_rows;
#pragma omp parallel for schedule(dynamic, 1) num_threads(j->threads)
  for (int unit = 0; unit < across * down; unit++) {
    tile_images tile;
    const int column = unit % across * lanes, row = unit / across * tile_rows, left = (rows + 1) / 2 - row;
    const int count = left < tile_rows ? left : tile_rows;
    memset(tile, 0, sizeof tile);
    for (int list = 0; list < list_count; list++) {
      const int columns = list > list_all && (list - list_both) % 2;
      if (list <= list_all ? image && transposed : columns ? transposed : image)
        add_list(j, all, list, column, row, count, tile);
    }
    for (int n = 0; n < 8; n++) {
      const bool columns = n >> 2, flipped = n >> 1 & 1, backwards = n & 1;
      if (columns ? !transposed : !image) continue;
      const image_rows s = {along,
                            rows,
                            column,
                            row,
                            count,
                            (columns ? j->transposed : x) + CT_J2D_MARGIN,
                            columns ? j->transposed_pitch : j->pitch};
      store_tile(&s, tile[columns][flipped][backwards], flipped, backwards);
    }
  }
}

static void add_transposed(ct_j2d *j, float *x) {
  const int bands = (j->ny + lanes - 1) / lanes;
#pragma omp parallel for schedule(static) num_threads(j->threads)
  for (int band = 0; band < bands; band++) {
    float *strip = j->strip + (size_t)omp_get_thread_num() * j->strip_size;
    const int row = band * lanes, rows = j->ny - row < lanes ? j->ny - row : lanes;
    j->loops->transpose(j->transposed + CT_J2D_MARGIN + row, (ptrdiff_t)j->transposed_pitch, j->nx, rows,
                        strip + CT_J2D_MARGIN, (ptrdiff_t)j->pitch);
    for (int n = 0; n < rows; n++) {
      float *to = x + CT_J2D_MARGIN + (size_t)(row + n) * j->pitch;
      const float *from = strip + CT_J2D_MARGIN + (size_t)n * j->pitch;
      for (int i = 0; i < j->nx; i++) to[i] += from[i];
    }
  }
}

static void fill_item(ct_j2d *j, const ct_j2d_item *items, int n, const float *y) {
  if (!ct_j2d_is_eight(j, items + n)) {
    for (int m = 0; m < items[n].members; m++) fill_pencil(j, j->pencils + items[n].pencil[m], y);
    return;
  }
  int number = 0;
  for (int m = 0; m < n; m++) number += ct_j2d_is_eight(j, items + m);
  ct_j2d_fill_eights(j, items + n, number, y);
}

static void back_paired(ct_j2d *j, bool everything, const float *y, float *x) {
  int count;
  lists all;
  const ct_j2d_item *items = ct_j2d_items_of(j, everything, &count);
#pragma omp parallel for schedule(dynamic, 1) num_threads(j->threads)
  for (int n = 0; n < count; n++) fill_item(j, items, n, y);
  make_lists(j, items, count, &all);
  const bool transposed =
      all.count[list_eight] || all.count[list_all] || all.count[list_both + 1] || all.count[list_single + 1];
  if (j->nx == j->ny) {
    back_quarter(j, &all, j->nx, j->ny, true, transposed, x);
  } else {
    back_quarter(j, &all, j->nx, j->ny, true, false, x);
    if (transposed) back_quarter(j, &all, j->ny, j->nx, false, true, x);
  }
  if (transposed) add_transposed(j, x);
}

/* Of rows [row, end); solvers may hand over any memory. */
static void clear_margins(const ct_j2d *j, int row, int end, float *x) {
  if (row == 0) memset(x, 0, CT_J2D_MARGIN * sizeof *x);
  for (; row < end; row++) {
    const size_t from = CT_J2D_MARGIN + (size_t)row * j->pitch + (size_t)j->nx;
    const size_t to = row + 1 < j->ny ? from + j->pitch - (size_t)j->nx : j->slice_image;
    memset(x + from, 0, (to - from) * sizeof *x);
  }
}

/* Into rows of j->pitch from `place` on. The last column of tiles overlaps the one before it rather than the image's
 * end. */
static void back_column(const ct_j2d *j, const ct_j2d_source *sources, int count, int column, int row, int rows,
                        float *place) {
  ct_j2d_back *kernel = j->loops->back->one;
  float narrow[tall * lanes];
  ct_j2d_target target = {.row = row, .rows = rows, .begin = true};
  if (j->nx >= lanes) {
    target.column = column + lanes > j->nx ? j->nx - lanes : column;
    target.stride = (ptrdiff_t)j->pitch;
    target.straight[0] = place + target.column;
    kernel(sources, count, &target);
    return;
  }
  target.stride = lanes;
  target.straight[0] = narrow;
  kernel(sources, count, &target);
  for (int n = 0; n < rows; n++)
    memcpy(place + (size_t)n * j->pitch, narrow + n * lanes, (size_t)j->nx * sizeof *place);
}

static float *pixels_of(const ct_j2d *j, int row, float *x) {
  return x + CT_J2D_MARGIN + (size_t)row * j->pitch;
}

static int make_sources(ct_j2d *j) {
  int count = 0;
  for (int n = 0; n < j->count; n++) {
    const ct_j2d_pencil *p = j->pencils + n;
    if (!j->wanted[p->view]) continue;
    for (int phase = 0; phase < p->phases; phase++) j->sources[count++] = ct_j2d_source_of(j, p, phase, false, false);
  }
  return count;
}

static void back_many(ct_j2d *j, const float *y, float *x) {
#pragma omp parallel for schedule(static) num_threads(j->threads)
  for (int n = 0; n < j->count; n++)
    if (j->wanted[j->pencils[n].view]) fill_pencil(j, j->pencils + n, y);
  const int count = make_sources(j), across = (j->nx + lanes - 1) / lanes, down = (j->ny + tall - 1) / tall;
  /* tiles of a row of tiles overlap in its last two columns, which one thread has to do */
  const int together = across > 1 ? across - 1 : 1;
#pragma omp parallel for schedule(dynamic, 1) num_threads(j->threads)
  for (int unit = 0; unit < together * down; unit++) {
    const int row = unit / together * tall, rows = j->ny - row < tall ? j->ny - row : tall,
              column = unit % together * lanes;
    back_column(j, j->sources, count, column, row, rows, pixels_of(j, row, x));
    if (across > 1 && unit % together == together - 1)
      back_column(j, j->sources, count, column + lanes, row, rows, pixels_of(j, row, x));
  }
}

void ct_j2d_back_rows(const ct_j2d *j, const ct_j2d_source *sources, int count, int row, int rows, float *place) {
  for (int column = 0; column < j->nx; column += lanes) back_column(j, sources, count, column, row, rows, place);
}

/* Views that are taken one by one. */
static int fill_few(ct_j2d *j, const int *blocks, int count, const float *y) {
  ct_j2d_want(j, blocks, count);
  for (int view = 0; view < count; view++)
    for (int n = j->first_pencil[blocks[view]]; n < j->first_pencil[blocks[view] + 1]; n++)
      fill_pencil(j, j->pencils + n, y);
  return make_sources(j);
}

static void back_few(ct_j2d *j, const int *blocks, int view_count, const float *y, float *x) {
  const int count = fill_few(j, blocks, view_count, y), chunks = (j->ny + CT_J2D_CHUNK - 1) / CT_J2D_CHUNK;
#pragma omp parallel for schedule(static) num_threads(j->threads)
  for (int chunk = 0; chunk < chunks; chunk++) {
    const int end = (chunk + 1) * CT_J2D_CHUNK < j->ny ? (chunk + 1) * CT_J2D_CHUNK : j->ny;
    clear_margins(j, chunk * CT_J2D_CHUNK, end, x);
    for (int row = chunk * CT_J2D_CHUNK; row < end; row += tall)
      ct_j2d_back_rows(j, j->sources, count, row, end - row < tall ? end - row : tall, pixels_of(j, row, x));
  }
}

void ct_j2d_hand_slice(ct_j2d *j, const int *blocks, int view_count, const float *y, size_t first,
                       ct_projector_take *take, void *user) {
  if (ct_j2d_is_fan(j->request.geometry)) {
    ct_j2d_want(j, blocks, view_count);
    ct_j2d_hand_fan(j, y, first, take, user);
    return;
  }
  const int count = fill_few(j, blocks, view_count, y), chunks = (j->ny + CT_J2D_CHUNK - 1) / CT_J2D_CHUNK;
#pragma omp parallel for schedule(static) num_threads(j->threads)
  for (int chunk = 0; chunk < chunks; chunk++) {
    float *own = j->tall + (size_t)omp_get_thread_num() * CT_J2D_TALL * j->pitch;
    const int end = (chunk + 1) * CT_J2D_CHUNK < j->ny ? (chunk + 1) * CT_J2D_CHUNK : j->ny;
    for (int row = chunk * CT_J2D_CHUNK; row < end; row += tall) {
      const int rows = end - row < tall ? end - row : tall;
      ct_j2d_back_rows(j, j->sources, count, row, rows, own);
      for (int n = 0; n < rows; n++)
        take(user, first + CT_J2D_MARGIN + (size_t)(row + n) * j->pitch, (size_t)j->nx, own + (size_t)n * j->pitch);
    }
  }
}

void ct_j2d_back_project(ct_j2d *j, const int *blocks, int count, const float *y, float *x) {
  const bool few = blocks && count <= CT_J2D_ALONE, fan = ct_j2d_is_fan(j->request.geometry);
  if (few && !fan) {
    back_few(j, blocks, count, y, x);
    return;
  }
  if (blocks)
    ct_j2d_want(j, blocks, count);
  else
    for (int view = 0; view < j->views; view++) j->wanted[view] = true;
  clear_margins(j, 0, j->ny, x);
  if (fan)
    ct_j2d_back_fan(j, few, y, x);
  else if (j->centred)
    back_paired(j, !blocks, y, x);
  else
    back_many(j, y, x);
}
