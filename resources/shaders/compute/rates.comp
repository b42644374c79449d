/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One unit of a card at work, or two at a time (FIRST, SECOND: operations 1 to 8 below, 0: none), each operation on 16
 * numbers of a thread, or reads of a kind (READS); to be timed (Chilingaryan et al. 2019, sections 3.4 and 3.7, after
 * Konstantinidis and Cotronis). Numbers come from uniforms, so that no compiler knows results beforehand. */
layout(local_size_x = 256) in;
layout(location = 0) uniform int rounds;
layout(location = 1) uniform vec4 numbers; /* factor, addend; step and shift of a fetch in texture coordinates */
layout(location = 2) uniform int bits;     /* of a shift */
layout(location = 3) uniform float never;  /* what no sum is */
layout(location = 4) uniform int mask;     /* vectors of the buffer that are read, less 1; a power of two */
layout(location = 5) uniform float side;   /* texels of the texture's */
#if READS == 3
layout(std430, binding = 0) buffer Data { vec4 data[]; };
#else
layout(std430, binding = 0) buffer Data { float data[]; };
#endif

#define WRITTEN_OUT 8

void apply(int operation, inout vec4 f, inout ivec4 i) {
  if (operation == 1) f = fma(f, vec4(numbers.x), vec4(numbers.y));
  if (operation == 2) i = i * bits + bits;
  if (operation == 3) i = (i << bits) ^ bits;
  if (operation == 4) i = floatBitsToInt(vec4(i));
  if (operation == 5) f = intBitsToFloat(ivec4(f));
  if (operation == 6) f = floor(f + numbers.y);
  if (operation == 7) f = sin(f);
  if (operation == 8) f = inversesqrt(f);
}

#if READS == 1
/* Shared memory: entries of one number, two or four. */
#if WORDS == 1
#define ENTRY float
#define ENTRIES 2048
#elif WORDS == 2
#define ENTRY vec2
#define ENTRIES 2048
#else
#define ENTRY vec4
#define ENTRIES 1024
#endif
shared ENTRY entries[ENTRIES];

float read_all(int thread) {
  ENTRY sum = ENTRY(0.0);
  for (int n = thread; n < ENTRIES; n += 256) entries[n] = ENTRY(numbers.x * float(n));
  barrier();
  for (int r = 0; r < rounds; r++) {
    int from = (thread + r) & 255;
    for (int n = 0; n < ENTRIES / 256; n++) sum += entries[from + 256 * n];
  }
  return dot(sum, sum);
}
#elif READS == 2
/* The texture unit, 16 threads to a square of 4 x 4 texels: row by row, or along a Z-order curve (fig. 3). */
layout(binding = 0) uniform sampler2D texels;
#if WORDS == 1
#define TAKE(t) vec4((t).r)
#elif WORDS == 2
#define TAKE(t) (t).rgrg
#else
#define TAKE(t) (t)
#endif

float read_all(int thread) {
  int within = thread & 15, square = thread >> 4;
#if CURVE
  ivec2 at = ivec2((within & 1) | ((within >> 1) & 2), ((within >> 1) & 1) | ((within >> 2) & 2));
#else
  ivec2 at = ivec2(within & 3, within >> 2);
#endif
  vec2 place = vec2(4 * ivec2(square & 3, square >> 2) + at) / side + numbers.w;
  vec4 sum = vec4(0.0);
  for (int r = 0; r < rounds; r++)
    for (int n = 0; n < WRITTEN_OUT; n++) {
      sum += TAKE(textureLod(texels, place, 0.0));
      place.x += numbers.z;
    }
  return dot(sum, sum);
}
#elif READS == 3
/* Memory, or a cache where `mask` is small: neighbours in step read neighbours, four reads on their way at a time. `step`
 * is an odd number of groups, so that a thread comes by all there is before it sees the same again. */
float read_all(int thread) {
  int at = int(gl_GlobalInvocationID.x), step = (int(gl_NumWorkGroups.x) + 1) * 256;
  vec4 sum = vec4(0.0);
  for (int r = 0; r < rounds; r++, at += 4 * step) {
#if UPDATES
    for (int n = 0; n < 4; n++) data[(at + n * step) & mask] += numbers.x;
#else
    vec4 read[4];
    for (int n = 0; n < 4; n++) read[n] = data[(at + n * step) & mask];
    sum += (read[0] + read[1]) + (read[2] + read[3]);
#endif
  }
  return dot(sum, sum);
}
#elif READS == 4
/* Constants, one for all threads at a time. */
layout(std140, binding = 0) uniform Constants { vec4 constants[256]; };

float read_all(int thread) {
  vec4 sum = vec4(0.0);
  for (int r = 0; r < rounds; r++)
    for (int n = 0; n < WRITTEN_OUT; n++) sum += constants[(r + n) & mask];
  return dot(sum, sum);
}
#else
float read_all(int thread) {
  vec4 f[4], g[4];
  ivec4 i[4], h[4];
  for (int n = 0; n < 4; n++) {
    f[n] = g[n] = vec4(thread + n) * numbers.x;
    i[n] = h[n] = ivec4(thread + n);
  }
  for (int r = 0; r < rounds; r++)
    for (int w = 0; w < WRITTEN_OUT; w++)
      for (int n = 0; n < 4; n++) {
        apply(FIRST, f[n], i[n]);
        apply(SECOND, g[n], h[n]);
      }
  vec4 sum = vec4(0.0);
  for (int n = 0; n < 4; n++) sum += f[n] + g[n] + vec4(i[n] ^ h[n]);
  return dot(sum, sum);
}
#endif

void main() {
  float sum = read_all(int(gl_LocalInvocationIndex));
#if READS == 3
  if (sum == never) data[0] = vec4(sum);
#else
  if (sum == never) data[0] = sum;
#endif
}
