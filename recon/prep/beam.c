/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which parts of the border columns are free beam. Air is bright, and its brightness relative to other air stays the
 * same from view to view, also where the beam flickers; what an object shades is darker, and changes as it turns. */
#include "recon/prep/beam-private.h"

#include <math.h>

/* Free blocks are at least so bright, relative to the brightest: a detector or a beam without flats may shade so much.
 */
static const double least_ratio = 0.95;
/* Largest standard deviation of that ratio over the views, besides what noise makes. */
static const double steady = 0.004;
/* Where only the outermost columns are free, and their mean changes by so much, they may not be free at all. */
static const double unsteady = 0.01;
/* A block darker than its usual ratio by so much is shaded in this frame: where blocks are free throughout, and where
 * each is free in some of the views. */
static const double shaded = 0.02, partly_shaded = 0.004;
/* Air is alike across a block. One whose inner half is darker than its outer one by this share of its mean lies behind
 * the rim of something. */
static const double falling = 0.004;
/* Standard errors that noise may make. */
static const double errors = 4;

void ct_beam_lay_out(ct_beam_border *b, int nu, int rows, int columns) {
  const int half = nu > 1 ? nu / 2 : 1, wide = columns < half ? columns : half;
  const int across = wide < 4 ? 1 : wide < 20 ? (wide + 4) / 5 : 4, down = rows < 16 ? rows : 16;
  *b = (ct_beam_border){.nu = nu, .shaded = shaded, .share = {1, 1}};
  for (int side = 0; side < 2; side++)
    for (int i = 0; i < across; i++)
      for (int j = 0; j < down; j++) {
        const int x0 = (int)((long)i * wide / across), x1 = (int)((i + 1L) * wide / across);
        const int y0 = (int)((long)j * rows / down), y1 = (int)((j + 1L) * rows / down);
        b->blocks[b->count++] = (ct_beam_block){
            .x = side ? nu - wide + x0 : x0, .y = y0, .width = x1 - x0, .height = y1 - y0, .free = true, .ratio = 1};
      }
}

/* Neighbours in a row differ by sqrt(2) standard deviations of the noise. */
static ct_beam_mean look(const ct_beam_block *block, const float *frame, int nu) {
  double sum = 0, squares = 0, sums[2] = {0, 0}; /* of the half that is nearer to column 0, and of the other */
  int count = 0, steps = 0, counts[2] = {0, 0};
  for (int j = block->y; j < block->y + block->height; j++)
    for (int i = block->x; i < block->x + block->width; i++) {
      const float *value = frame + (long)j * nu + i;
      if (!isfinite(*value)) continue;
      sum += *value;
      count++;
      const int from_middle = 2 * (i - block->x) - (block->width - 1);
      if (from_middle != 0) {
        sums[from_middle > 0] += *value;
        counts[from_middle > 0]++;
      }
      if (i == block->x || !isfinite(value[-1])) continue;
      squares += ((double)value[0] - value[-1]) * ((double)value[0] - value[-1]);
      steps++;
    }
  if (!count) return (ct_beam_mean){NAN, NAN, 0};
  const double fall = counts[0] && counts[1] ? sums[0] / counts[0] - sums[1] / counts[1] : 0;
  return (ct_beam_mean){sum / count, steps ? sqrt(squares / (2.0 * steps * count)) : 0,
                        2 * block->x < nu ? fall : -fall};
}

void ct_beam_look(const ct_beam_border *b, const float *frame, ct_beam_mean *means) {
  for (int i = 0; i < b->count; i++) means[i] = look(&b->blocks[i], frame, b->nu);
}

/* Mean and standard deviation, less that of the noise, of a block's ratio to another over the views. */
static void find_ratio(const ct_beam_border *b, const ct_beam_mean *means, int views, int block, int to, double *ratio,
                       double *deviation) {
  double sum = 0, squares = 0, noise = 0;
  int n = 0;
  for (int v = 0; v < views; v++) {
    const ct_beam_mean *own = &means[v * b->count + block], *other = &means[v * b->count + to];
    if (!isfinite(own->mean) || !(other->mean > 0)) continue;
    const double r = own->mean / other->mean;
    sum += r;
    squares += r * r;
    noise += (own->error * own->error + r * r * other->error * other->error) / (other->mean * other->mean);
    n++;
  }
  *ratio = n ? sum / n : 0;
  const double variance = n ? squares / n - *ratio * *ratio : 0;
  *deviation = sqrt(fmax(variance - 2 * noise / (n ? n : 1), 0));
}

/* Blocks whose ratio to one of them is steady, and near 1; marks them as free. */
static int agreeing(ct_beam_border *b, const ct_beam_mean *means, int views, int with) {
  int agree = 0;
  for (int i = 0; i < b->count; i++) {
    ct_beam_block *block = &b->blocks[i];
    double deviation;
    find_ratio(b, means, views, i, with, &block->ratio, &deviation);
    if (i == with) block->ratio = 1;
    block->free = i == with || (block->ratio >= least_ratio && block->ratio <= 1 / least_ratio && deviation <= steady);
    agree += block->free && i != with;
  }
  return agree;
}

/* Mean over the views; 0 where one has no finite pixel. */
static double brightness(const ct_beam_border *b, const ct_beam_mean *means, int views, int block) {
  double sum = 0;
  for (int v = 0; v < views; v++) {
    const double mean = means[v * b->count + block].mean;
    if (!isfinite(mean)) return 0;
    sum += mean;
  }
  return sum / views;
}

/* Of means whose sum and sum of squares are given, one for each view. */
static bool is_steady(double sum, double squares, int views) {
  const double mean = sum / views;
  return squares / views - mean * mean <= unsteady * unsteady * mean * mean;
}

/* Whether the mean of the free blocks changes from view to view, as that of a shaded border does (and of a beam that
 * flickers). */
static bool varies(const ct_beam_border *b, const ct_beam_mean *means, int views) {
  double sum = 0, squares = 0;
  for (int v = 0; v < views; v++) {
    double all = 0;
    for (int i = 0; i < b->count; i++)
      if (b->blocks[i].free && isfinite(means[v * b->count + i].mean)) all += means[v * b->count + i].mean;
    sum += all;
    squares += all * all;
  }
  return !is_steady(sum, squares, views);
}

/* Whether three quarters of the free blocks and more fall towards the middle, in half of the views and more: noise lets
 * half of flat ones fall. */
static bool falls(const ct_beam_border *b, const ct_beam_mean *means, int views) {
  int shaded_views = 0;
  for (int v = 0; v < views; v++) {
    const ct_beam_mean *own = means + v * b->count;
    double beam = 0;
    int seen = 0, fall = 0;
    for (int i = 0; i < b->count; i++)
      if (b->blocks[i].free && isfinite(own[i].mean)) beam = fmax(beam, own[i].mean / b->blocks[i].ratio);
    for (int i = 0; i < b->count; i++) {
      if (!b->blocks[i].free || !(own[i].mean >= (1 - shaded) * beam * b->blocks[i].ratio)) continue;
      seen++;
      fall += own[i].fall > falling * own[i].mean;
    }
    shaded_views += 4 * fall >= 3 * seen;
  }
  return 2 * shaded_views >= views;
}

static bool only_outermost(const ct_beam_border *b) {
  bool inner = false;
  for (int i = 0; i < b->count; i++) {
    const ct_beam_block *block = &b->blocks[i];
    const bool outermost = block->x == 0 || block->x + block->width == b->nu;
    if (!outermost && block->free) return false;
    inner = inner || !outermost;
  }
  return inner;
}

/* Of the blocks that are nearly as bright as the brightest, that which agrees with most others; how many do. */
static int choose_steady(ct_beam_border *b, const ct_beam_mean *means, int views) {
  int best = -1, most = -1;
  double brightest = 0;
  for (int i = 0; i < b->count; i++) brightest = fmax(brightest, brightness(b, means, views, i));
  for (int i = 0; i < b->count && most < b->count - 1; i++) {
    if (!(brightness(b, means, views, i) >= least_ratio * brightest)) continue;
    const int agree = agreeing(b, means, views, i);
    if (agree <= most) continue;
    most = agree;
    best = i;
  }
  if (best >= 0) agreeing(b, means, views, best);
  return most;
}

/* The beam in a view: the mean of its brightest block. */
static double beam_in(const ct_beam_border *b, const ct_beam_mean *means) {
  double most = 0;
  for (int i = 0; i < b->count; i++)
    if (isfinite(means[i].mean)) most = fmax(most, means[i].mean);
  return most;
}

static bool is_free_in(const ct_beam_block *block, const ct_beam_mean *mean, double beam) {
  return block->free && mean->mean + errors * mean->error >= (1 - partly_shaded) * block->ratio * beam;
}

/* Whether two blocks of other columns are as bright as the beam in a view: neighbours along a column would be shaded
 * alike. Counts those of each side. */
static bool two_agree(const ct_beam_border *b, const ct_beam_mean *means, double beam, int free_of[2]) {
  int column = -1;
  bool two = false;
  for (int i = 0; i < b->count; i++) {
    if (!is_free_in(&b->blocks[i], &means[i], beam)) continue;
    free_of[i >= b->count / 2]++;
    two = two || (column >= 0 && column != b->blocks[i].x);
    column = b->blocks[i].x;
  }
  return two;
}

/* Blocks that are free in some views: an object only darkens, so that the largest quotient of a block's mean and the
 * view's beam is the block's own ratio. Two sides that are never free together have the same ratio then: how uneven the
 * beam is cannot be told from how it changes. False where a view keeps too few, or where the beam so found changes from
 * view to view, as behind an object that fills them. */
static bool choose_by_view(ct_beam_border *b, const ct_beam_mean *means, int views) {
  ct_beam_border by_view = *b;
  double sum = 0, squares = 0;
  int free_of[2] = {0, 0};
  by_view.shaded = partly_shaded;
  for (int i = 0; i < b->count; i++) {
    double ratio = 0;
    for (int v = 0; v < views; v++) {
      const ct_beam_mean *own = means + v * b->count;
      if (isfinite(own[i].mean)) ratio = fmax(ratio, own[i].mean / beam_in(b, own));
    }
    by_view.blocks[i].free = ratio >= least_ratio;
    by_view.blocks[i].ratio = ratio;
  }
  for (int v = 0; v < views; v++) {
    const double beam = beam_in(b, means + v * b->count);
    if (!two_agree(&by_view, means + v * b->count, beam, free_of)) return false;
    sum += beam;
    squares += beam * beam;
  }
  if (!is_steady(sum, squares, views)) return false;
  for (int side = 0; side < 2; side++) by_view.share[side] = 2.0f * (float)free_of[side] / (float)(views * b->count);
  by_view.doubtful = false;
  *b = by_view;
  return true;
}

void ct_beam_choose(ct_beam_border *b, const ct_beam_mean *means, int views) {
  const int agree = choose_steady(b, means, views);
  if (agree < 0) return;
  b->doubtful = b->count > 1 && (agree == 0 || (only_outermost(b) && varies(b, means, views)));
  if (b->doubtful && choose_by_view(b, means, views)) {
    b->doubtful = falls(b, means, views);
    return;
  }
  b->doubtful = b->doubtful || falls(b, means, views);
  int free_of[2] = {0, 0};
  for (int i = 0; i < b->count; i++) free_of[i >= b->count / 2] += b->blocks[i].free;
  for (int side = 0; side < 2; side++) b->share[side] = 2.0f * (float)free_of[side] / (float)b->count;
}

/* Sums over finite pixels: their values, and what these would be in a beam of 1. */
typedef struct beam_sum {
  double values, ratios;
  long count;
} beam_sum;

static void add(const ct_beam_block *block, const float *frame, int nu, beam_sum *sum) {
  for (int j = block->y; j < block->y + block->height; j++)
    for (int i = block->x; i < block->x + block->width; i++) {
      const float value = frame[(long)j * nu + i];
      if (!isfinite(value)) continue;
      sum->values += value;
      sum->ratios += block->ratio;
      sum->count++;
    }
}

/* What all free blocks would have as their mean, from those that are not shaded in this frame, so that an uneven beam
 * gives no other intensity where only its brighter side is seen. Noise makes the same error of every block, which is
 * known from the brightest: across the edge of an object neighbours differ by more. */
double ct_beam_of_frame(const ct_beam_border *b, const float *frame) {
  ct_beam_mean means[CT_BORDER_BLOCKS];
  double most = -INFINITY, error = 0;
  beam_sum used = {0}, all = {0};
  for (int i = 0; i < b->count; i++) {
    if (!b->blocks[i].free) continue;
    means[i] = look(&b->blocks[i], frame, b->nu);
    const double level = (means[i].mean - errors * means[i].error) / b->blocks[i].ratio;
    if (!(level > most)) continue;
    most = level;
    error = means[i].error / means[i].mean;
  }
  for (int i = 0; i < b->count; i++) {
    if (!b->blocks[i].free) continue;
    const double level = means[i].mean / b->blocks[i].ratio * (1 + errors * error);
    add(&b->blocks[i], frame, b->nu, &all);
    if (!(level < (1 - b->shaded) * most)) add(&b->blocks[i], frame, b->nu, &used);
  }
  return used.count ? used.values / used.ratios * all.ratios / (double)all.count : NAN;
}
