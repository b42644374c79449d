/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Back-projection by sub-lines (Chen et al. 2021, Listing 3 and section 3.1.5), where detector columns are parallel to z:
 * a group makes VOXELS voxels of one column, whose rays share u and w. For each of VIEWS views its threads together blend
 * two columns of the projection, over the rows that the voxels need, into shared memory (the listing's local memory),
 * wait for each other, and take each voxel's value from two neighbours of that line. The projections are transposed, so
 * that threads in step read neighbours. The sums of a thread's voxels stay in registers (the listing's batch of views).
 *   LINE          entries of the line: all rows of a projection and its border
 *   THREADS       of a group
 *   OMIT          what is left out to be timed (ctgl_omission), as in cone.comp */
layout(local_size_x = THREADS) in;
layout(std430, binding = 0) buffer Tile { float tile[]; };
layout(std140, binding = 0) uniform Matrices { vec4 rows[4 * 64]; }; /* a, b, w, and the voxel they count from */
layout(std430, binding = 1) readonly buffer Views { float views[]; }; /* [slot][u][v] with a border of zeros */
layout(location = 0) uniform ivec3 size;   /* voxels of the tile along x, y, z */
layout(location = 1) uniform ivec4 first;  /* slice of the first group, first matrix, its slot, 0 */
layout(location = 2) uniform ivec2 pixels; /* of a projection */
layout(location = 3) uniform vec2 middle;  /* positions are relative to this pixel */
layout(location = 4) uniform ivec2 corner; /* first column of the dispatch */
layout(location = 7) uniform float unit;   /* 1: a buffer holds single precision */
#if OMIT
layout(location = 8) uniform float tiny;
#else
#define tiny 1.0
#endif
#define PART ((VOXELS + THREADS - 1) / THREADS)

shared float line[LINE];

float pixel(int u, int v, int slot) {
  return views[(slot * (pixels.x + 2) + u + 1) * (pixels.y + 2) + v + 1];
}

void main() {
  ivec2 at = corner + ivec2(gl_WorkGroupID.xy);
  int thread = int(gl_LocalInvocationIndex), slice = first.x + int(gl_WorkGroupID.z) * VOXELS;
  int count = min(VOXELS, size.z - slice);
  float sums[PART];
  for (int p = 0; p < PART; p++) sums[p] = 0.0;
  for (int n = 0; n < VIEWS; n++) {
    int m = 4 * (first.y + n), slot = first.z + n;
    vec4 voxel = vec4((vec3(at, slice) - rows[m + 3].xyz) * tiny, 1);
    float w = dot(rows[m + 2], voxel), f = 1.0 / w, u = dot(rows[m], voxel) * f;
    /* v of voxel k is (rest + step (height + k)) f: near the source's plane, where f is large, small numbers stay exact. */
    float rest = dot(rows[m + 1].xyw, voxel.xyw), step = rows[m + 1].z * tiny, height = float(slice) - rows[m + 3].z;
    float v = (rest + step * height) * f, last = (rest + step * (height + float(count - 1))) * f;
    int column = int(floor(u)) + int(middle.x), row = int(middle.y);
    float part = u - floor(u);
    /* Rows -1 .. pixels.y, the border's included, as far as the voxels reach. */
    int lowest = clamp(int(floor(min(v, last))) + row, -1, pixels.y), highest = clamp(int(floor(max(v, last))) + 1 + row, -1, pixels.y);
    bool meets = w > 0.0 && column >= -1 && column < pixels.x;
#if OMIT >= 2
    if (tiny < 1.0) highest = lowest - 1;
#endif
    barrier();
    if (meets)
      for (int r = lowest + thread; r <= highest; r += THREADS)
        line[r - lowest] = mix(pixel(column, r, slot), pixel(column + 1, r, slot), part);
    barrier();
    if (!meets) continue;
    for (int p = 0; p < PART; p++) {
      float y = (rest + step * (height + float(thread + p * THREADS))) * f, low = floor(y);
      int r = int(low) + row;
#if OMIT >= 2
      if (tiny < 1.0) {
        sums[p] += y;
        continue;
      }
#endif
      if (r >= -1 && r < pixels.y && thread + p * THREADS < count)
        sums[p] += mix(line[r - lowest], line[r - lowest + 1], y - low) * (f * f);
    }
  }
  for (int p = 0; p < PART; p++) {
    int k = thread + p * THREADS;
#if OMIT >= 3
    if (sums[p] * tiny < 1e30) continue;
#endif
    if (k < count) tile[((slice + k) * size.y + at.y) * size.x + at.x] += sums[p] * unit;
  }
}
