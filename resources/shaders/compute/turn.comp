/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A tile takes what its turned copy holds, [slices][nx][rows], which is zero then: squares of 32 x 32 pass through
 * shared memory, so that both are read and written along their rows. */
layout(local_size_x = 32, local_size_y = 8) in;
layout(std430, binding = 0) buffer Tile { float tile[]; };
layout(std430, binding = 2) buffer Turned { float turned[]; };
layout(location = 0) uniform ivec3 size;  /* voxels of the tile along x, y, z */
layout(location = 1) uniform ivec3 first; /* square and slice of the first group */
shared float square[32][33];

void main() {
  ivec2 corner = 32 * (first.xy + ivec2(gl_WorkGroupID.xy)), lane = ivec2(gl_LocalInvocationID.xy);
  int slice = first.z + int(gl_WorkGroupID.z);
  for (int n = lane.y; n < 32; n += 8) {
    ivec2 at = corner + ivec2(n, lane.x);
    if (any(greaterThanEqual(at, size.xy))) continue;
    int from = (slice * size.x + at.x) * size.y + at.y;
    square[n][lane.x] = turned[from];
    turned[from] = 0.0;
  }
  memoryBarrierShared();
  barrier();
  for (int n = lane.y; n < 32; n += 8) {
    ivec2 at = corner + ivec2(lane.x, n);
    if (all(lessThan(at, size.xy))) tile[(slice * size.y + at.y) * size.x + at.x] += square[lane.x][n];
  }
}
