/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Back-projection through 3x4 matrices, any beam: tile(x) += sum over VIEWS views of q(u, v) / w^2. Each thread makes
 * VOXELS voxels along z.
 *   TEXTURE       1: the texture unit interpolates; 0: four reads from a buffer and the formula
 *   STRIPS        1: projections are larger than a texture and lie in strips, a layer each (views-private.h)
 *   NEAREST       1: the nearest pixel, what lies midway going up (TIE: recon/bp/nearest.h); 0: bilinear
 *   VIEWS_OUTSIDE 1: views are the outer loop and the sums stay in registers (Thumper's kernel B); 0: voxels are (A)
 *   BLOCK_Z       threads of a group that take the voxels of a column by turns (RapidRabbit 2011); 1 but for kernel A
 *   SYNC          1: the threads of a group go from voxel to voxel (A) or from view to view (B) together
 *   FAST_DIVIDE   1: 1 / w as the inverse square root of w^2 (RapidRabbit 2013); 0: a division
 *   QUOTIENTS     1: u, v and 1 / w by a division each, corrected by what it leaves over (RapidRabbit 2013, its baseline)
 *   TURNED        1: where x and y change places, the tile is [slices][nx][rows] (turn.comp)
 *   ATOMIC        1: sums are added by the memory's atomic units, and threads do not wait for them (RapidRabbit 2013)
 *   OMIT          what is left out to be timed (ctgl_omission)
 *   UNROLL        views of the loop over views that are written out one after another: 1, 2 or 4; VIEWS is a multiple */
layout(local_size_x = BLOCK_X, local_size_y = BLOCK_Y, local_size_z = BLOCK_Z) in;
layout(std430, binding = 0) buffer Tile { float tile[]; };
layout(std140, binding = 0) uniform Matrices { vec4 rows[4 * 64]; /* a, b, w, and the voxel they count from */ };
#if TEXTURE
layout(binding = 1) uniform sampler2DArray views;
#else
layout(std430, binding = 1) readonly buffer Views { float views[]; };
#endif
layout(location = 0) uniform ivec3 size;    /* voxels of the tile along x, y, z */
layout(location = 1) uniform ivec4 first;   /* slice of the first group, first matrix, its slot, 1: x and y change places */
layout(location = 2) uniform ivec2 pixels;  /* of a projection */
layout(location = 3) uniform vec2 middle;   /* positions are relative to this pixel */
layout(location = 4) uniform ivec2 corner;  /* first thread of the dispatch */
layout(location = 7) uniform float unit;    /* of the stored projections: 2^n in half precision, else 1 */
#if OMIT
/* Of a voxel. What is left out stays in the program, behind conditions that the compiler cannot see through, so that
 * registers and shared memory are those of the whole kernel. */
layout(location = 8) uniform float tiny;
#else
#define tiny 1.0
#endif

#if TEXTURE && NEAREST
#define MIDDLE_OF_PIXEL (0.5 + TIE)
#else
#define MIDDLE_OF_PIXEL 0.5
#endif

#if TEXTURE && STRIPS
layout(location = 5) uniform ivec2 strips; /* across, down */
layout(location = 6) uniform ivec2 steps;  /* from one to the next, pixels */

float read(vec2 at, int slot) {
  ivec2 extent = textureSize(views, 0).xy, strip = clamp(ivec2(floor((at + middle) / vec2(steps))), ivec2(0), strips - 1);
  vec2 begin = vec2(min(strip * steps, pixels - extent));
  return texture(views, vec3((at + (middle - begin + MIDDLE_OF_PIXEL)) / vec2(extent), (slot * strips.y + strip.y) * strips.x + strip.x)).r;
}
#elif TEXTURE
float read(vec2 at, int slot) {
  return texture(views, vec3((at + (middle + MIDDLE_OF_PIXEL)) / vec2(pixels), slot)).r;
}
#else
/* Around the pixels lies a border of zeros. */
float pixel(ivec2 p, int slot) {
  return views[(slot * (pixels.y + 2) + p.y + 1) * (pixels.x + 2) + p.x + 1];
}

float read(vec2 at, int slot) {
#if NEAREST
  ivec2 p = ivec2(floor(at + (0.5 + TIE))) + ivec2(middle);
  if (any(lessThan(p, ivec2(0))) || any(greaterThanEqual(p, pixels))) return 0.0;
  return pixel(p, slot);
#else
  vec2 corner = floor(at), part = at - corner;
  ivec2 p = ivec2(corner) + ivec2(middle);
  if (any(lessThan(p, ivec2(-1))) || any(greaterThanEqual(p, pixels))) return 0.0;
  return mix(mix(pixel(p, slot), pixel(p + ivec2(1, 0), slot), part.x),
             mix(pixel(p + ivec2(0, 1), slot), pixel(p + ivec2(1, 1), slot), part.x), part.y);
#endif
}
#endif

#if OMIT >= 2
#define READ(at, slot) (tiny < 1.0 ? (at).x + (at).y : read(at, slot))
#else
#define READ(at, slot) read(at, slot)
#endif

#if QUOTIENTS
/* A card divides by an approximate reciprocal; what it is off by is put right. */
float quotient(float a, float b) {
  precise float reciprocal = 1.0 / b, first = a * reciprocal;
  precise float rest = fma(-first, b, a);
  return fma(rest, reciprocal, first);
}
#endif

/* A voxel of this view, from its homogeneous detector position. */
float value(vec3 q, int slot) {
  if (!(q.z > 0.0)) return 0.0;
#if QUOTIENTS
  float weight = quotient(1.0, q.z);
  return READ(vec2(quotient(q.x, q.z), quotient(q.y, q.z)), slot) * (weight * weight);
#else
#if FAST_DIVIDE
  float inverse = inversesqrt(q.z * q.z);
#else
  float inverse = 1.0 / q.z;
#endif
  return READ(q.xy * inverse, slot) * (inverse * inverse);
#endif
}

vec3 start(int n, vec3 at) {
  int m = 4 * (first.y + n);
  vec4 voxel = vec4((at - rows[m + 3].xyz) * tiny, 1);
  return vec3(dot(rows[m], voxel), dot(rows[m + 1], voxel), dot(rows[m + 2], voxel));
}

vec3 step_up(int n) {
  int m = 4 * (first.y + n);
  return vec3(rows[m].z, rows[m + 1].z, rows[m + 2].z) * tiny;
}

void add(int voxel, float sum) {
#if OMIT >= 3
  if (sum * tiny < 1e30) return;
#endif
#if ATOMIC
  atomicAdd(tile[voxel], sum * unit);
#else
  tile[voxel] += sum * unit;
#endif
}

#if SYNC
#define KEEP_STEP barrier();
#else
#define KEEP_STEP
#endif
/* STEP(n) is the body of the loop over views. */
#if UNROLL == 4
#define STEPS(n) STEP(n) STEP((n) + 1) STEP((n) + 2) STEP((n) + 3)
#elif UNROLL == 2
#define STEPS(n) STEP(n) STEP((n) + 1)
#else
#define STEPS(n) STEP(n)
#endif

void main() {
  ivec2 thread = corner + ivec2(gl_GlobalInvocationID.xy), at = first.w == 1 ? thread.yx : thread;
  int slice = first.x + int(gl_WorkGroupID.z) * VOXELS;
  bool inside = all(lessThan(at, size.xy));
#if !SYNC
  if (!inside) return;
#endif
  int count = min(VOXELS, size.z - slice), voxel = (slice * size.y + at.y) * size.x + at.x;
#if TURNED
  if (first.w == 1) voxel = (slice * size.x + at.x) * size.y + at.y;
#endif
  vec3 lowest = vec3(at, slice);
#if VIEWS_OUTSIDE
  float sums[VOXELS];
  for (int k = 0; k < VOXELS; k++) sums[k] = 0.0;
#define STEP(n) {                                                                                 \
    vec3 q = start(n, lowest), up = step_up(n);                                                   \
    for (int k = 0; k < VOXELS; k++) sums[k] += value(q + float(k) * up, first.z + (n));          \
    KEEP_STEP                                                                                     \
  }
  for (int n = 0; n < VIEWS; n += UNROLL) {
    STEPS(n)
  }
  for (int k = 0; k < VOXELS; k++)
    if (inside && k < count) add(voxel + k * size.x * size.y, sums[k]);
#else
  vec3 q[VIEWS];
  for (int n = 0; n < VIEWS; n++) q[n] = start(n, lowest);
  for (int k = int(gl_LocalInvocationID.z); k < count; k += BLOCK_Z) {
    float sum = 0.0;
#define STEP(n) sum += value(q[n] + float(k) * step_up(n), first.z + (n));
    for (int n = 0; n < VIEWS; n += UNROLL) {
      STEPS(n)
    }
    if (inside) add(voxel + k * size.x * size.y, sum);
    KEEP_STEP
  }
#endif
}
