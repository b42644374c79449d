/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The ramp of filtered back-projection on the card (Chilingaryan et al. 2019, section 4): two rows of a view are the real
 * and the imaginary part of one complex line in shared memory, transformed by Stockham's algorithm, multiplied by the
 * filter's real spectrum and transformed back; LENGTH is the length of the processor's transform, of the factors that
 * STAGES lists as STAGE(radix, its butterfly, product of the radices before). What comes out goes where the kernels
 * look for filtered projections: into a layer of a texture, or into a buffer with a border of zeros. */
layout(local_size_x = THREADS) in;
layout(std430, binding = 2) readonly buffer Rows { float rows[]; };   /* [view][v][u], weighted, not filtered */
layout(std430, binding = 3) readonly buffer Table { vec2 table[]; };  /* exp(-2 pi i n / LENGTH); then (gain, 0) */
#if TEXTURE
layout(FORMAT, binding = 0) uniform writeonly image2DArray views;
#else
layout(std430, binding = 1) writeonly buffer Views { float views[]; };
#endif
layout(location = 0) uniform ivec2 pixels; /* of a projection */
layout(location = 1) uniform ivec3 first;  /* pair of rows and view of the dispatch; slot of view 0 */
layout(location = 2) uniform float scale;  /* that samples are stored times: 2^n in half precision, else 1 */
layout(location = 3) uniform int ways;     /* 2, there and back: a number that compilers do not write out */

shared vec2 line[LENGTH];

/* Times -i. */
vec2 turned(vec2 a) {
  return vec2(a.y, -a.x);
}

vec2 product(vec2 a, vec2 b) {
  return vec2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

void three(inout vec2 v[3]) {
  vec2 sum = v[1] + v[2], side = turned(0.866025404 * (v[1] - v[2])), middle = v[0] - 0.5 * sum;
  v[0] += sum;
  v[1] = middle + side;
  v[2] = middle - side;
}

void four(inout vec2 v[4]) {
  vec2 a = v[0] + v[2], b = v[0] - v[2], c = v[1] + v[3], d = turned(v[1] - v[3]);
  v[0] = a + c;
  v[1] = b + d;
  v[2] = a - c;
  v[3] = b - d;
}

void five(inout vec2 v[5]) {
  vec2 a = v[1] + v[4], b = v[2] + v[3], c = v[1] - v[4], d = v[2] - v[3];
  vec2 near = v[0] + 0.309016994 * a - 0.809016994 * b, far = v[0] - 0.809016994 * a + 0.309016994 * b;
  vec2 up = turned(0.951056516 * c + 0.587785252 * d), down = turned(0.587785252 * c - 0.951056516 * d);
  v[0] += a + b;
  v[1] = near + up;
  v[4] = near - up;
  v[2] = far + down;
  v[3] = far - down;
}

void eight(inout vec2 v[8]) {
  vec2 even[4] = vec2[4](v[0], v[2], v[4], v[6]), odd[4] = vec2[4](v[1], v[3], v[5], v[7]);
  four(even);
  four(odd);
  odd[1] = 0.707106781 * (odd[1] + turned(odd[1]));
  odd[2] = turned(odd[2]);
  odd[3] = 0.707106781 * (turned(odd[3]) - odd[3]);
  for (int r = 0; r < 4; r++) {
    v[r] = even[r] + odd[r];
    v[r + 4] = even[r] - odd[r];
  }
}

/* Butterflies of a stage that one thread makes, at most. */
#define EACH(R) ((LENGTH / R + THREADS - 1) / THREADS)

#define STAGE(R, BUTTERFLY, DONE)                                             \
  {                                                                           \
    vec2 v[EACH(R)][R];                                                       \
    for (int b = 0; b < EACH(R); b++) {                                       \
      int j = me + b * THREADS, k = j % (DONE);                               \
      if (j < LENGTH / R) {                                                   \
        v[b][0] = line[j];                                                    \
        for (int r = 1; r < R; r++)                                           \
          v[b][r] = product(line[j + r * (LENGTH / R)], table[r * k * (LENGTH / (R * (DONE)))]); \
        BUTTERFLY(v[b]);                                                      \
      }                                                                       \
    }                                                                         \
    barrier();                                                                \
    for (int b = 0; b < EACH(R); b++) {                                       \
      int j = me + b * THREADS, k = j % (DONE), at = (j - k) * R + k;         \
      if (j < LENGTH / R)                                                     \
        for (int r = 0; r < R; r++) line[at + r * (DONE)] = v[b][r];          \
    }                                                                         \
    memoryBarrierShared();                                                    \
    barrier();                                                                \
  }

/* Sample n of the line: behind the row, the first half of what is left continues the right edge, the second leads up to
 * the left one, as on the processor. */
float sample_of(int start, int n) {
  if (n < pixels.x) return rows[start + n];
#if EXTENSION == 0
  return 0.0;
#else
  int pad = LENGTH - pixels.x, far = pad / 2, behind = n - pixels.x;
  int away = behind < far ? behind + 1 : pad - behind;
  float edge = rows[start + (behind < far ? pixels.x - 1 : 0)];
#if EXTENSION == 2
  edge *= 0.5 + 0.5 * cos(3.14159265 * float(away) / float(far + 1));
#endif
  return edge;
#endif
}

void put(int u, int v, int slot, float value) {
#if TEXTURE
  value *= scale;
#if HALF
  /* To the nearest number of eleven bits: what stores 16-bit floats may cut. */
  uint bits = floatBitsToUint(value);
  value = uintBitsToFloat((bits + 0xFFFu + ((bits >> 13u) & 1u)) & ~0x1FFFu);
#endif
  imageStore(views, ivec3(u, v, slot), vec4(value));
#elif COLUMNS
  views[(slot * (pixels.x + 2) + u + 1) * (pixels.y + 2) + v + 1] = value;
#else
  views[(slot * (pixels.y + 2) + v + 1) * (pixels.x + 2) + u + 1] = value;
#endif
}

void main() {
  int me = int(gl_LocalInvocationIndex);
  int v = 2 * (int(gl_WorkGroupID.x) + first.x), view = int(gl_WorkGroupID.y) + first.y;
  bool both = v + 1 < pixels.y;
  int start = (view * pixels.y + v) * pixels.x;
  for (int n = me; n < LENGTH; n += THREADS)
    line[n] = vec2(sample_of(start, n), both ? sample_of(start + pixels.x, n) : 0.0);
  memoryBarrierShared();
  barrier();
  /* Back is there with real and imaginary parts exchanged, before and behind. */
  for (int way = 0; way < ways; way++) {
    STAGES
    if (way == 0) {
      for (int n = me; n < LENGTH; n += THREADS) line[n] = line[n].yx * table[LENGTH + n].x;
      memoryBarrierShared();
      barrier();
    }
  }
  for (int u = me; u < pixels.x; u += THREADS) {
    put(u, v, view + first.z, line[u].y);
    if (both) put(u, v + 1, view + first.z, line[u].x);
  }
}
