/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One plane of a tile of the volume, gathered row by row: result[r][c] = tile[start + c * across + r * up]. */
layout(local_size_x = 16, local_size_y = 16) in;
layout(std430, binding = 0) readonly buffer Tile { float tile[]; };
layout(std430, binding = 1) writeonly buffer Result { float result[]; };
layout(location = 0) uniform ivec3 steps; /* start, across, up */
layout(location = 1) uniform ivec2 size;

void main() {
  ivec2 at = ivec2(gl_GlobalInvocationID.xy);
  if (any(greaterThanEqual(at, size))) return;
  result[at.y * size.x + at.x] = tile[steps.x + at.x * steps.y + at.y * steps.z];
}
