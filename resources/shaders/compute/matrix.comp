/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Both products of a stored symmetric matrix in dense sub-matrices (Algorithm 2 of Yu et al. 2018; recon/fp/matrix/blocks.h
 * explains lanes, chunks and pieces): a thread for each lane, or of a few rows a thread for each row; every entry serves
 * up to eight zones by the mapping of pixel indices (Eq. 2).
 *   STAGE 0: forward, sums of pieces; 1: pieces added up to rows; 2: back by atomic additions, for chunks that may share
 *   pixels; 3: back step by step, for chunks that share none, an image for each zone; 4: these images added up
 *   BY_ROWS 1: rows first .. end; 0: chunks first .. end, of the list where LISTED
 *   ZONES 8: all at once (STAGE 0); 1: one for each row of work groups
 *   NATIVE 1: atomic additions of floats; 0: by compare and swap */
#if STAGE == 2 && NATIVE
#extension GL_NV_shader_atomic_float : require
#endif
#define LANES 16u
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer Columns { uint columns[]; }; /* j 2^16 + i, of this part's chunks */
layout(std430, binding = 1) readonly buffer Values { float values[]; };
layout(std430, binding = 2) readonly buffer Chunks { uvec2 chunks[]; };  /* steps before it; whether lanes may collide */
layout(std430, binding = 3) readonly buffer Pieces { uint pieces[]; };   /* row, lane, end */
layout(std430, binding = 4) readonly buffer Lanes { uint lane_first[]; };
layout(std430, binding = 5) readonly buffer List { uint list[]; };       /* chunks; by rows: first of each, then pieces */
layout(std430, binding = 6) coherent buffer Rays { float rays[]; };      /* [piece or row][zone] */
#if STAGE == 2 && !NATIVE
layout(std430, binding = 7) coherent buffer Image { uint image[]; };     /* bits of floats */
#else
layout(std430, binding = 7) coherent buffer Image { float image[]; };
#endif
layout(location = 0) uniform uvec2 range;    /* first and end, of chunks, rows, or pixels */
layout(location = 1) uniform uvec2 part;     /* chunks of the part */
layout(location = 2) uniform uint base;      /* steps before the part */
layout(location = 3) uniform uvec2 asked;    /* rows: others are left out */
layout(location = 4) uniform uint index_at;  /* list[] of the pieces by rows */
layout(location = 5) uniform uint plane;     /* pixels of an image */
layout(location = 6) uniform uint images;    /* STAGE 4 */
layout(location = 8) uniform ivec2 zones[8]; /* zone; its image */
layout(location = 16) uniform ivec3 maps[8]; /* offset, across, down */

uint place(uint pixel, int zone) {
  ivec3 m = maps[zone];
  return uint(m.x + int(pixel & 0xffffu) * m.y + int(pixel >> 16u) * m.z);
}

#if STAGE == 2
void add(uint at, float value) {
#if NATIVE
  atomicAdd(image[at], value);
#else
  uint old = image[at];
  for (;;) {
    uint seen = atomicCompSwap(image[at], old, floatBitsToUint(uintBitsToFloat(old) + value));
    if (seen == old) break;
    old = seen;
  }
#endif
}
#endif

#if STAGE == 0 || STAGE == 2
/* Entries `from` .. `end` - 1 of a lane, counted from the beginning of its chunk, all of one piece. */
void walk(uint piece, uint chunk, uint lane, uint from, uint end) {
  uint at = (chunks[chunk].x - base + from) * LANES + lane;
#if STAGE == 0 && ZONES == 8
  float sums[8];
  for (int g = 0; g < 8; g++) sums[g] = 0.0;
  for (uint s = from; s < end; s++, at += LANES) {
    uint pixel = columns[at];
    float value = values[at];
    for (int g = 0; g < 8; g++) sums[g] += value * image[place(pixel, g)];
  }
  for (int g = 0; g < 8; g++) rays[piece * 8u + uint(g)] = sums[g];
#elif STAGE == 0
  int zone = zones[gl_WorkGroupID.y].x;
  float sum = 0.0;
  for (uint s = from; s < end; s++, at += LANES) sum += values[at] * image[place(columns[at], zone)];
  rays[piece * 8u + uint(zone)] = sum;
#else
  int zone = zones[gl_WorkGroupID.y].x;
  float y = rays[pieces[3u * piece] * 8u + uint(zone)];
  if (y == 0.0) return;
  for (uint s = from; s < end; s++, at += LANES)
    if (values[at] != 0.0) add(place(columns[at], zone), values[at] * y);
#endif
}

bool in_part(uint chunk) {
  return chunk >= part.x && chunk < part.y;
}

#if BY_ROWS
void main() {
  uint row = range.x + gl_GlobalInvocationID.x;
  if (row >= range.y) return;
  for (uint k = list[row]; k < list[row + 1u]; k++) {
    uint piece = list[index_at + k], lane = pieces[3u * piece + 1u], chunk = lane / LANES;
    if (in_part(chunk))
      walk(piece, chunk, lane % LANES, piece > lane_first[lane] ? pieces[3u * piece - 1u] : 0u, pieces[3u * piece + 2u]);
  }
}
#else
void main() {
  uint unit = range.x + gl_GlobalInvocationID.x / LANES, lane = gl_GlobalInvocationID.x % LANES;
  if (unit >= range.y) return;
#if LISTED
  uint chunk = list[unit];
#else
  uint chunk = unit;
#endif
  if (!in_part(chunk)) return;
  uint from = 0u;
  for (uint piece = lane_first[chunk * LANES + lane]; piece < lane_first[chunk * LANES + lane + 1u]; piece++) {
    uint row = pieces[3u * piece], end = pieces[3u * piece + 2u];
    if (row >= asked.x && row < asked.y) walk(piece, chunk, lane, from, end);
    from = end;
  }
}
#endif
#endif

#if STAGE == 1
/* rays are the pieces', image the rows'. */
void main() {
  uint at = gl_GlobalInvocationID.x, row = range.x + at / 8u, zone = at % 8u;
  if (row >= range.y) return;
  float sum = 0.0;
  for (uint k = list[row]; k < list[row + 1u]; k++) sum += rays[list[index_at + k] * 8u + zone];
  image[row * 8u + zone] = sum;
}
#endif

#if STAGE == 3
/* No two lanes of a chunk have the same column at any step (section 3.2), and the chunks of a dispatch no pixel: with all
 * threads of a group at the same step, sums meet without atomic additions. Where lanes collide they take turns. */
void main() {
  uint group = gl_LocalInvocationIndex / LANES, lane = gl_LocalInvocationIndex % LANES;
  uint unit = range.x + gl_WorkGroupID.x * (64u / LANES), steps = 0u, own_steps = 0u, chunk = 0u, collide = 0u;
  for (uint n = 0u; n < 64u / LANES && unit + n < range.y; n++) {
    uint there = list[unit + n];
    if (there < part.x || there >= part.y) continue;
    uint length = chunks[there + 1u].x - chunks[there].x;
    steps = max(steps, length);
    collide |= chunks[there].y;
    if (n == group) chunk = there, own_steps = length;
  }
  ivec2 zone = zones[gl_WorkGroupID.y];
  uint piece = lane_first[chunk * LANES + lane], last = lane_first[chunk * LANES + lane + 1u], end = 0u;
  uint at = (chunks[chunk].x - base) * LANES + lane, turns = collide != 0u ? LANES : 1u;
  bool begun = false;
  float y = 0.0;
  for (uint s = 0u; s < steps; s++, at += LANES) {
    while (s >= end && (begun ? piece + 1u < last : piece < last)) {
      if (begun) piece++;
      begun = true;
      uint row = pieces[3u * piece];
      end = pieces[3u * piece + 2u];
      y = row >= asked.x && row < asked.y ? rays[row * 8u + uint(zone.x)] : 0.0;
    }
    bool has = s < own_steps && s < end && y != 0.0;
    for (uint turn = 0u; turn < turns; turn++) {
      if (has && (turns == 1u || turn == lane)) {
        uint pixel = uint(zone.y) * plane + place(columns[at], zone.x);
        image[pixel] += values[at] * y;
      }
      memoryBarrierBuffer();
      barrier();
    }
  }
}
#endif

#if STAGE == 4
void main() {
  uint pixel = range.x + gl_GlobalInvocationID.x;
  if (pixel >= range.y) return;
  float sum = image[pixel];
  for (uint n = 1u; n < images; n++) sum += image[n * plane + pixel];
  image[pixel] = sum;
}
#endif
