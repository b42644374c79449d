/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What one tile of the volume gives to a plane of any pose, trilinear as ct_volume_sample: of the eight voxels about a position
 * those that lie in the tile count, so that the tiles' parts add up to the plane. Zero outside the volume. Positions are counted in
 * voxels of the whole volume, in double precision, which leaves its rounding to the weights. */
layout(local_size_x = 16, local_size_y = 16) in;
layout(std430, binding = 0) readonly buffer Tile { float tile[]; };
layout(std430, binding = 1) buffer Result { float result[]; };
layout(location = 0) uniform dvec3 start;  /* of the band's first pixel */
layout(location = 1) uniform dvec3 across; /* from pixel to pixel */
layout(location = 2) uniform dvec3 up;
layout(location = 3) uniform ivec3 whole; /* voxels */
layout(location = 4) uniform ivec4 part;  /* the tile: first row, rows, first slice, slices */
layout(location = 5) uniform ivec2 size;  /* pixels of the band */
layout(location = 6) uniform int adds;    /* 0: the first tile, which begins anew */

float voxel(ivec3 at) {
  ivec2 inside = at.yz - part.xz;
  if (any(lessThan(inside, ivec2(0))) || any(greaterThanEqual(inside, part.yw))) return 0.0;
  return tile[(inside.y * part.y + inside.x) * whole.x + at.x];
}

float value(dvec3 at) {
  if (any(lessThan(at, dvec3(-0.5))) || any(greaterThan(at, dvec3(whole) - 0.5))) return 0.0;
  dvec3 within = clamp(at, dvec3(0.0), dvec3(whole - 1));
  ivec3 low = min(ivec3(within), max(whole - 2, ivec3(0))), high = min(low + 1, whole - 1);
  vec3 f = vec3(within - dvec3(low));
  float sums[2];
  for (int n = 0; n < 2; n++) {
    int k = n == 0 ? low.z : high.z;
    sums[n] = mix(mix(voxel(ivec3(low.x, low.y, k)), voxel(ivec3(high.x, low.y, k)), f.x),
                  mix(voxel(ivec3(low.x, high.y, k)), voxel(ivec3(high.x, high.y, k)), f.x), f.y);
  }
  return mix(sums[0], sums[1], f.z);
}

void main() {
  ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  if (any(greaterThanEqual(at, size))) return;
  int pixel = at.y * size.x + at.x;
  float sum = value(start + double(at.x) * across + double(at.y) * up);
  result[pixel] = adds == 1 ? result[pixel] + sum : sum;
}
