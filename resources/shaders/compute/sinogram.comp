/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Projections [view][v][u] turned into compound sinograms: layer p holds, at (bin, view), the SLICES values of slices
 * p * SLICES and on, interpolated between two rows of the detector (Chilingaryan et al. 2019, section 5.2, figure 5).
 * OVERSAMPLE samples a bin, from one bin before the first to one behind the last, are the broken line through the
 * values, so that the nearest sample will do later; 1: the bins as they are. Of each view a window of samples, from one of
 * its own on; all of them where the texture is as wide. */
layout(local_size_x = 64) in;
layout(std430, binding = 1) readonly buffer Views { float views[]; }; /* with a border of zeros */
layout(std430, binding = 2) readonly buffer Rows { vec2 rows[]; };    /* of each slice: lower row, weight of the upper */
layout(FORMAT, binding = 0) uniform writeonly image2DArray sinograms;
layout(location = 0) uniform ivec2 pixels; /* of a projection */
layout(location = 1) uniform int count;    /* slices */
layout(location = 2) uniform ivec3 first;  /* group of the dispatch */
layout(location = 3) uniform int whole;    /* samples of a view */
layout(location = 4) uniform float scale;  /* that samples are stored times: 2^n in half precision, else 1 */
layout(location = 5) uniform int starts[VIEWS]; /* of them the first in the window */

/* To the nearest number of eleven bits: what stores 16-bit floats may cut. Where these have fewer bits, below 2^-14, the
 * cut is of no account beside samples of 2^13. */
vec4 stored(vec4 values) {
  values *= scale;
#if HALF
  uvec4 bits = floatBitsToUint(values);
  values = uintBitsToFloat((bits + 0xFFFu + ((bits >> 13u) & 1u)) & ~0x1FFFu);
#endif
  return values;
}

float pixel(int u, int v, int slot) {
  return views[(slot * (pixels.y + 2) + v + 1) * (pixels.x + 2) + u + 1];
}

float between(int u, float part, int v, int slot) {
  float low = pixel(u, v, slot);
  return part > 0.0 ? mix(low, pixel(u + 1, v, slot), part) : low;
}

float value(int u, float part, int slice, int slot) {
  if (slice >= count) return 0.0;
  vec2 row = rows[slice];
  int v = int(row.x);
  if (v < -1 || v >= pixels.y) return 0.0;
  float low = between(u, part, v, slot);
  return row.y > 0.0 ? mix(low, between(u, part, v + 1, slot), row.y) : low;
}

void main() {
  ivec3 at = ivec3(gl_GlobalInvocationID) + ivec3(64, 1, 1) * first;
  if (at.x >= imageSize(sinograms).x) return;
  int slice = at.z * SLICES, place = at.x + starts[at.y];
#if OVERSAMPLE > 1
  int u = place / OVERSAMPLE - 1;
  float part = float(place % OVERSAMPLE) / float(OVERSAMPLE);
#else
  int u = place;
  float part = 0.0;
#endif
  vec4 values = vec4(0.0);
  for (int n = 0; n < SLICES && place >= 0 && place < whole; n++) values[n] = value(u, part, slice + n, at.y);
  imageStore(sinograms, at, stored(values));
}
