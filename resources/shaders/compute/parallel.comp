/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parallel beam, SLICES slices at a time from compound sinograms (sinogram.comp); Chilingaryan et al. (2019). A group of
 * THREADS threads makes AREA x AREA pixels.
 *   TEXTURE_SHARE of every 8 groups fetch through the texture unit (section 5); the others copy the bins that their
 *                 pixels need, BINS of CACHED views at a time, into shared memory and interpolate there (section 6)
 *   CURVE         1: 16 threads make a square of 4 x 4 pixels along a Z-order curve (5.5); 0: row by row
 *   QUARTERS      1: four views at a time, a quarter of the threads each, summed at the end (5.6); AREA is 16
 *   DIFFERENCES   1: a bin and its difference to the next are cached side by side, for one wide read (6.4)
 *   ARRAYS        the components of an entry lie in so many arrays, 1 .. SLICES: reads of 64 bits instead of 128 keep
 *                 clear of one another's banks (6.3, table 14; 7.2)
 *   COLUMNS       1: the position of each column of pixels is cached for every view, h_x (6.8); 0: that of the area, h_m
 *   FLOAT_ROUND   1: rounding by adding 2^23 (6.6); 0: by conversion
 *   HALF_CACHE    1: bins are cached in half precision (6.7)
 *   FLOAT_INDEX   1: the place in the cache is found by adding numbers with a point, too (table 17)
 *   MINIMA        h_m, the first bin that is cached of a view: 0: kept for the views of the cache (6.1), 1: for all, found
 *                 in a stage of its own (6.8), 2: not kept, found anew by every thread
 *   SHARED_CONSTANTS 1: the views' constants are copied into shared memory first (algorithm 5; 6.8)
 *   ROW_THREADS   threads that copy a view's bins together (fig. 12); 0: all walk along the bins of all views
 *   WRITE_PAIRS       1: two bins are written at once (algorithm 7); of one slice in single precision
 *   SQUARES       with QUARTERS, the squares of a step (fig. 9): 0: a row of four, 1: two by two, 2: every other one
 *   BY_MULTIPROCESSOR 1: TEXTURE_SHARE is that of the groups which each multiprocessor begins, counted in the order in
 *                 which it begins them (7.1); 0: that of all, by their numbers
 *   SHUFFLES      1: with QUARTERS, the four sums of a pixel meet by shuffles between four threads in step (algorithm 4)
 *   OMIT          what is left out to be timed (ctgl_omission), as in cone.comp
 *   UNROLL        views of the loop over views that are written out one after another: 1, 2 or 4
 *   NEAREST       1: the nearest sample, what lies midway going up (TIE: recon/bp/nearest.h); 0: linear */
layout(local_size_x = THREADS) in;
layout(std430, binding = 0) buffer Tile { float tile[]; };
/* u = x c.x + y c.y + c.z, from `middle` on, (x, y) of the patch; c.w: of the area's corners the least u is so far from
 * that of its first pixel, -c_m. */
layout(std140, binding = 0) uniform Constants { vec4 constants[64]; };
layout(binding = 1) uniform sampler2DArray sinograms;
layout(location = 0) uniform ivec3 size;   /* pixels along x, y; slices */
layout(location = 1) uniform ivec4 first;  /* pack of the first group, views, its place across and down */
layout(location = 2) uniform float middle; /* in samples of the sinogram */
layout(location = 3) uniform ivec2 corner_of_patch; /* pixels; those of a patch are counted from here */
layout(location = 4) uniform float unit;   /* of the sinograms' samples: 2^n in half precision, else 1 */
#if SHARED_CONSTANTS
shared vec4 copied[64];
#define STORED(n) copied[n]
#else
#define STORED(n) constants[n]
#endif
#if OMIT
layout(location = 5) uniform float tiny;   /* of a pixel */
#define CONSTANT(n) (STORED(n) * vec4(tiny, tiny, 1.0, tiny))
#else
#define tiny 1.0
#define CONSTANT(n) STORED(n)
#endif

#if SLICES == 1
#define VALUE float
#define TAKE(texel) (texel).r
#elif SLICES == 2
#define VALUE vec2
#define TAKE(texel) (texel).rg
#else
#define VALUE vec4
#define TAKE(texel) (texel)
#endif
#define PIXELS (AREA * AREA / THREADS)

/* STEP(n) is the body of a loop over views 0 .. count - 1. */
#if UNROLL == 4
#define STEPS(n) STEP(n) STEP((n) + 1) STEP((n) + 2) STEP((n) + 3)
#elif UNROLL == 2
#define STEPS(n) STEP(n) STEP((n) + 1)
#else
#define STEPS(n) STEP(n)
#endif
#define FOR_VIEWS(count) {                                                                        \
    int next = 0;                                                                                 \
    for (; next + UNROLL <= (count); next += UNROLL) { STEPS(next) }                              \
    for (; UNROLL > 1 && next < (count); next++) { STEP(next) }                                   \
  }

/* Pixel of this thread's step q within the area. */
ivec2 place(int thread, int q) {
#if CURVE
  int square = thread / 16 + q * (THREADS / 16), bits = thread & 15;
#if QUARTERS && SQUARES
  ivec2 slot = ivec2(square & 1, (square >> 1) & 1), at_step = ivec2((square >> 2) & 1, square >> 3);
  ivec2 at = SQUARES == 1 ? slot + 2 * at_step : 2 * slot + at_step;
#else
  ivec2 at = ivec2(square % (AREA / 4), square / (AREA / 4));
#endif
  return 4 * at + ivec2((bits & 1) | ((bits >> 1) & 2), ((bits >> 1) & 1) | ((bits >> 2) & 2));
#else
  int n = thread + q * THREADS;
  return ivec2(n % AREA, n / AREA);
#endif
}

void store(ivec2 in_patch, int pack, VALUE sum) {
#if OMIT >= 3
  if (dot(sum, sum) * tiny < 1e30) return;
#endif
  ivec2 at = corner_of_patch + in_patch;
  if (any(greaterThanEqual(at, size.xy))) return;
  int pixel = at.y * size.x + at.x, plane = size.x * size.y, slice = pack * SLICES;
#if SLICES == 1
  tile[slice * plane + pixel] += sum * unit;
#else
  for (int n = 0; n < SLICES; n++)
    if (slice + n < size.z) tile[(slice + n) * plane + pixel] += sum[n] * unit;
#endif
}

#if TEXTURE_SHARE > 0
VALUE fetch(vec4 c, vec2 at, int view, int pack) {
  float u = c.x * at.x + c.y * at.y + c.z;
#if NEAREST
  u += TIE;
#endif
#if OMIT >= 2
  if (tiny < 1.0) return VALUE(u);
#endif
  vec2 extent = vec2(textureSize(sinograms, 0).xy);
  return TAKE(texture(sinograms, vec3((u + (middle + 0.5)) / extent.x, (float(view) + 0.5) / extent.y, pack)));
}

#if QUARTERS
shared VALUE parts[4 * 256];

void by_texture(ivec2 corner, int pack) {
  int thread = int(gl_LocalInvocationIndex), quarter = thread / 64;
  VALUE sums[4];
  for (int q = 0; q < 4; q++) sums[q] = VALUE(0.0);
#define STEP(n) {                                                                                 \
    int view = quarter + 4 * (n);                                                                 \
    vec4 c = CONSTANT(view);                                                                     \
    for (int q = 0; q < 4; q++) sums[q] += fetch(c, vec2(corner + place((thread & 63) + 64 * q, 0)), view, pack); \
  }
  FOR_VIEWS((first.y - quarter + 3) / 4)
#undef STEP
  for (int q = 0; q < 4; q++) parts[quarter * 256 + (thread & 63) + 64 * q] = sums[q];
  barrier();
#if SHUFFLES
  int lane = thread & 3, pixel = thread >> 2;
  VALUE whole = VALUE(0.0);
  for (int q = 0; q < 4; q++) {
    VALUE sum = parts[lane * 256 + pixel + 64 * q];
    sum += subgroupShuffleXor(sum, 1u);
    sum += subgroupShuffleXor(sum, 2u);
    if (lane == q) whole = sum;
  }
  store(corner + place(pixel + 64 * lane, 0), pack, whole);
#else
  store(corner + place(thread, 0), pack, parts[thread] + parts[256 + thread] + parts[512 + thread] + parts[768 + thread]);
#endif
}
#else
void by_texture(ivec2 corner, int pack) {
  int thread = int(gl_LocalInvocationIndex);
  VALUE sums[PIXELS];
  for (int q = 0; q < PIXELS; q++) sums[q] = VALUE(0.0);
#define STEP(n) {                                                                                 \
    vec4 c = CONSTANT(n);                                                                        \
    for (int q = 0; q < PIXELS; q++) sums[q] += fetch(c, vec2(corner + place(thread, q)), n, pack); \
  }
  FOR_VIEWS(first.y)
#undef STEP
  for (int q = 0; q < PIXELS; q++) store(corner + place(thread, q), pack, sums[q]);
}
#endif
#endif

#if TEXTURE_SHARE < 8
/* What an array holds of a bin: PART slices, and beside them their differences to the next bin. */
#define PART (SLICES / ARRAYS)
#if PART == 1
#define PIECE float
#elif PART == 2
#define PIECE vec2
#else
#define PIECE vec4
#endif
#if DIFFERENCES && HALF_CACHE
#if PART == 1
#define ENTRY uint
#define PACK(v, d) packHalf2x16(vec2(v, d))
#define VALUE_OF(e) unpackHalf2x16(e).x
#define CHANGE_OF(e) unpackHalf2x16(e).y
#elif PART == 2
#define ENTRY uvec2
#define PACK(v, d) uvec2(packHalf2x16(v), packHalf2x16(d))
#define VALUE_OF(e) unpackHalf2x16((e).x)
#define CHANGE_OF(e) unpackHalf2x16((e).y)
#else
#define ENTRY uvec4
#define PACK(v, d) uvec4(packHalf2x16((v).xy), packHalf2x16((v).zw), packHalf2x16((d).xy), packHalf2x16((d).zw))
#define VALUE_OF(e) vec4(unpackHalf2x16((e).x), unpackHalf2x16((e).y))
#define CHANGE_OF(e) vec4(unpackHalf2x16((e).z), unpackHalf2x16((e).w))
#endif
#elif DIFFERENCES
#if PART == 1
#define ENTRY vec2
#define PACK(v, d) vec2(v, d)
#define VALUE_OF(e) (e).x
#define CHANGE_OF(e) (e).y
#elif PART == 2
#define ENTRY vec4
#define PACK(v, d) vec4(v, d)
#define VALUE_OF(e) (e).xy
#define CHANGE_OF(e) (e).zw
#else
struct Pair {
  vec4 value, change;
};
#define ENTRY Pair
#define PACK(v, d) Pair(v, d)
#define VALUE_OF(e) (e).value
#define CHANGE_OF(e) (e).change
#endif
#elif HALF_CACHE
#if PART == 1
#define ENTRY uint
#define PACK(v, d) packHalf2x16(vec2(v, 0.0))
#define VALUE_OF(e) unpackHalf2x16(e).x
#elif PART == 2
#define ENTRY uint
#define PACK(v, d) packHalf2x16(v)
#define VALUE_OF(e) unpackHalf2x16(e)
#else
#define ENTRY uvec2
#define PACK(v, d) uvec2(packHalf2x16((v).xy), packHalf2x16((v).zw))
#define VALUE_OF(e) vec4(unpackHalf2x16((e).x), unpackHalf2x16((e).y))
#endif
#else
#define ENTRY PIECE
#define PACK(v, d) (v)
#define VALUE_OF(e) (e)
#endif

/* The arrays lie one behind the other, in each the views' rows of entries. */
#if WRITE_PAIRS
#define ROW (BINS / 2)
shared vec2 bins[CACHED * ROW];
#define VALUE_AT(at) bins[(at) >> 1][(at) & 1]
#else
#define ROW BINS
shared ENTRY bins[ARRAYS * CACHED * ROW];
#define VALUE_AT(at) VALUE_OF(bins[at])
#endif

/* The first bin that is cached of a view, from `middle` on. One bin of room, for positions that rounding puts just below. */
float lowest(vec4 c, ivec2 corner) {
  return floor(c.x * float(corner.x) + c.y * float(corner.y) + c.z + c.w) - 1.0;
}

/* That of the n-th view of those cached from the view `from` on. */
#if MINIMA == 0
shared float minima[CACHED];
#define LEAST(n) minima[n]
#elif MINIMA == 1
shared float minima[64];
#define LEAST(n) minima[from + (n)]
#else
#define LEAST(n) lowest(CONSTANT(from + (n)), corner)
#endif
#if COLUMNS
shared float columns[CACHED * AREA]; /* h_x: positions of the columns of pixels in the cache */
#endif

PIECE piece_of(VALUE value, int n) {
#if ARRAYS == 1
  return value;
#elif PART == 1
  return value[n];
#else
  return n == 0 ? value.xy : value.zw;
#endif
}

#if DIFFERENCES && HALF_CACHE
/* packHalf2x16 may cut. */
PIECE rounded(PIECE change) {
#if PART == 1
  uint bits = floatBitsToUint(change);
#elif PART == 2
  uvec2 bits = floatBitsToUint(change);
#else
  uvec4 bits = floatBitsToUint(change);
#endif
  return uintBitsToFloat((bits + 0xFFFu + ((bits >> 13u) & 1u)) & ~0x1FFFu);
}
#else
#define rounded(change) (change)
#endif

VALUE sample_at(int bin, int view, int pack) {
  int width = textureSize(sinograms, 0).x;
  return bin >= 0 && bin < width ? TAKE(texelFetch(sinograms, ivec3(bin, view, pack), 0)) : VALUE(0.0);
}

/* An entry of a view's row, of one bin or, at once, of two. */
void keep(int pack, int from, int view, int entry, int begin) {
#if WRITE_PAIRS
  int bin = begin + 2 * entry;
  bins[view * ROW + entry] = vec2(sample_at(bin, from + view, pack), sample_at(bin + 1, from + view, pack));
#else
  VALUE value = sample_at(begin + entry, from + view, pack);
#if DIFFERENCES
  VALUE change = sample_at(begin + entry + 1, from + view, pack) - value;
#endif
  for (int a = 0; a < ARRAYS; a++)
    bins[a * CACHED * ROW + view * ROW + entry] = PACK(piece_of(value, a), rounded(piece_of(change, a)));
#endif
}

/* The bins of views from .. from + CACHED - 1. */
void cache(ivec2 corner, int pack, int from, int count) {
  int thread = int(gl_LocalInvocationIndex);
#if MINIMA == 0
  if (thread < count) minima[thread] = lowest(CONSTANT(from + thread), corner);
  barrier();
#endif
#if OMIT >= 2
  int rows = tiny < 1.0 ? 0 : count;
#else
  int rows = count;
#endif
#if ROW_THREADS
  for (int view = thread / ROW_THREADS; view < rows; view += THREADS / ROW_THREADS) {
    int begin = int(LEAST(view)) + int(middle);
    for (int entry = thread % ROW_THREADS; entry < ROW; entry += ROW_THREADS) keep(pack, from, view, entry, begin);
  }
#else
  for (int n = thread; n < rows * ROW; n += THREADS) keep(pack, from, n / ROW, n % ROW, int(LEAST(n / ROW)) + int(middle));
#endif
#if COLUMNS
  for (int n = thread; n < count * AREA; n += THREADS) {
    vec4 c = CONSTANT(from + n / AREA);
    columns[n] = c.x * float(corner.x + n % AREA) + c.y * float(corner.y) + c.z - LEAST(n / AREA);
  }
#endif
  barrier();
}

PIECE interpolate(int at, float part) {
#if NEAREST
  return VALUE_AT(at);
#elif DIFFERENCES
  ENTRY entry = bins[at];
  return VALUE_OF(entry) + part * CHANGE_OF(entry);
#else
  PIECE low = VALUE_AT(at);
  return low + part * (VALUE_AT(at + 1) - low);
#endif
}

VALUE look_up(float position, int view) {
#if OMIT >= 2
  if (tiny < 1.0) return VALUE(position);
#endif
#if NEAREST
  position += 0.5 + TIE;
#endif
#if FLOAT_ROUND
  precise float shifted = (position - 0.5) + 8388608.0; /* kept from being simplified */
  int bin = floatBitsToInt(shifted) - 0x4B000000;
  precise float below = shifted - 8388608.0;
#else
  int bin = int(position);
  float below = float(bin);
#endif
#if FLOAT_INDEX
  precise float index = below + (8388608.0 + float(view * BINS));
  int at = floatBitsToInt(index) - 0x4B000000;
#else
  int at = view * BINS + bin;
#endif
  float part = position - below;
#if ARRAYS == 1
  return interpolate(at, part);
#elif ARRAYS == 2
  return VALUE(interpolate(at, part), interpolate(CACHED * BINS + at, part));
#else
  return VALUE(interpolate(at, part), interpolate(CACHED * BINS + at, part), interpolate(2 * CACHED * BINS + at, part),
               interpolate(3 * CACHED * BINS + at, part));
#endif
}

void by_cache(ivec2 corner, int pack) {
  int thread = int(gl_LocalInvocationIndex);
  VALUE sums[PIXELS];
  for (int q = 0; q < PIXELS; q++) sums[q] = VALUE(0.0);
#if MINIMA == 1
  for (int n = thread; n < first.y; n += THREADS) minima[n] = lowest(CONSTANT(n), corner);
  barrier();
#endif
  for (int from = 0; from < first.y; from += CACHED) {
    int count = min(CACHED, first.y - from);
    cache(corner, pack, from, count);
#if COLUMNS
#define STEP(n) {                                                                                 \
    vec4 c = CONSTANT(from + (n));                                                               \
    for (int q = 0; q < PIXELS; q++) {                                                            \
      ivec2 at = place(thread, q);                                                                \
      sums[q] += look_up(columns[(n) * AREA + at.x] + float(at.y) * c.y, n);                      \
    }                                                                                             \
  }
#else
#define STEP(n) {                                                                                 \
    vec4 c = CONSTANT(from + (n));                                                               \
    float start = c.x * float(corner.x) + c.y * float(corner.y) + c.z - LEAST(n);                 \
    for (int q = 0; q < PIXELS; q++) {                                                            \
      ivec2 at = place(thread, q);                                                                \
      sums[q] += look_up(start + float(at.x) * c.x + float(at.y) * c.y, n);                       \
    }                                                                                             \
  }
#endif
    FOR_VIEWS(count)
    barrier();
  }
  for (int q = 0; q < PIXELS; q++) store(corner + place(thread, q), pack, sums[q]);
}
#endif

#if BY_MULTIPROCESSOR
layout(std430, binding = 2) buffer Begun { uint begun[MULTIPROCESSORS]; };
shared uint turn;

uint turn_of(ivec2 group) {
  if (gl_LocalInvocationIndex == 0u) turn = atomicAdd(begun[MULTIPROCESSOR], 1u);
  barrier();
  return turn;
}
#elif TEXTURE_SHARE > 0 && TEXTURE_SHARE < 8
uint turn_of(ivec2 group) {
  return uint(group.x + group.y * ((size.x + AREA - 1) / AREA));
}
#endif

void main() {
  ivec2 group = first.zw + ivec2(gl_WorkGroupID.xy), corner = AREA * group;
  int pack = first.x + int(gl_WorkGroupID.z);
#if SHARED_CONSTANTS
  for (int n = int(gl_LocalInvocationIndex); n < first.y; n += THREADS) copied[n] = constants[n];
  barrier();
#endif
#if TEXTURE_SHARE == 8
  by_texture(corner, pack);
#elif TEXTURE_SHARE == 0
  by_cache(corner, pack);
#else
  if (turn_of(group) % 8u < uint(TEXTURE_SHARE)) by_texture(corner, pack);
  else by_cache(corner, pack);
#endif
}
