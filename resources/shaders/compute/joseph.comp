/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Joseph's projector (recon/fp/ray-model.h, recon/fp/joseph-3d-general.c) and its transpose: each sample of a ray in a plane x = n, or y = n
 * where the ray is nearer to the y axis, is bilinear in four voxels, times the distance between planes. Forward a thread follows
 * a ray; back a thread gathers, for VOXELS voxels one above the other, the rays that pass nearer than one voxel, with the very
 * same weights. The texture unit has no part in it: its positions are too coarse for a transpose.
 *   BACK 1: back-projection; 0: projection
 *   FLAT 1: a stack of slices, each seen by its own row of the detector; 0: rays climb
 * All positions count from the grid's middle voxel and the detector's middle pixel. */
layout(local_size_x = BLOCK_X, local_size_y = BLOCK_Y) in;
struct View {
  vec4 direction[3], moment[3]; /* of pixel (u, v): direction d[0] + u d[1] + v d[2], and moment about the middle voxel alike */
  vec4 matrix[3];               /* 3x4 from voxel indices to pixel indices */
};
layout(std430, binding = 0) buffer Image { float image[]; }; /* slices of a slab, a border of one voxel all round */
layout(std430, binding = 1) buffer Rays { float rays[]; };   /* [slot][v][u] */
layout(std430, binding = 2) readonly buffer Views { View views[]; };
layout(location = 0) uniform ivec3 size;    /* voxels */
layout(location = 1) uniform ivec2 slab;    /* lowest slice in the buffer, slices; those of the border count */
layout(location = 2) uniform ivec2 pixels;
layout(location = 3) uniform ivec3 centre;  /* the middle voxel */
layout(location = 4) uniform ivec2 middle;  /* the middle pixel */
layout(location = 5) uniform vec3 voxel;    /* mm */
layout(location = 6) uniform ivec3 first;   /* slot; then of BACK: views, slice */

struct Ray {
  bool along_x;                               /* planes x = n; false: y = n */
  float minor, minor_step, slice, slice_step; /* in the middle plane, and from plane to plane */
  float mm;                                   /* between planes */
};

Ray ray_of(int slot, ivec2 pixel) {
  vec3 p = vec3(1.0, vec2(pixel - middle));
#if FLAT
  p.z = 0.0;
#endif
  precise vec3 d = views[slot].direction[0].xyz + p.y * views[slot].direction[1].xyz + p.z * views[slot].direction[2].xyz;
  precise vec3 m = views[slot].moment[0].xyz + p.y * views[slot].moment[1].xyz + p.z * views[slot].moment[2].xyz;
  Ray ray;
  ray.along_x = abs(d.x) > abs(d.y);
  precise float inverse = 1.0 / (ray.along_x ? d.x : d.y);
  precise vec4 line = inverse * (ray.along_x ? vec4(-m.z, d.y, m.y, d.z) : vec4(m.z, d.x, -m.x, d.z));
  ray.minor = line.x, ray.minor_step = line.y, ray.slice = line.z, ray.slice_step = line.w;
#if FLAT
  ray.slice = 0.0, ray.slice_step = 0.0;
#endif
  vec3 way = ray.along_x ? vec3(1.0, ray.minor_step, ray.slice_step) : vec3(ray.minor_step, 1.0, ray.slice_step);
  ray.mm = length(way * voxel);
  return ray;
}

int index(int x, int y, int slice) {
  return ((slice - slab.x) * (size.y + 2) + y + 1) * (size.x + 2) + x + 1;
}

#if !BACK
/* Narrows low .. high to where from + n by lies within least .. most. */
void clip(float from, float by, float least, float most, inout float low, inout float high) {
  if (abs(by) < 1e-9) {
    if (from < least || from > most) high = low - 1.0;
    return;
  }
  float a = (least - from) / by, b = (most - from) / by;
  low = max(low, min(a, b)), high = min(high, max(a, b));
}

void main() {
  ivec2 pixel = ivec2(gl_GlobalInvocationID.xy);
  int slot = first.x + int(gl_GlobalInvocationID.z);
  if (any(greaterThanEqual(pixel, pixels))) return;
  Ray ray = ray_of(slot, pixel);
  ivec2 major = ray.along_x ? ivec2(size.x, centre.x) : ivec2(size.y, centre.y);
  ivec2 minor = ray.along_x ? ivec2(size.y, centre.y) : ivec2(size.x, centre.x);
  int ahead = ray.along_x ? 1 : size.x + 2, across = ray.along_x ? size.x + 2 : 1, up = (size.x + 2) * (size.y + 2);
  float low = float(-major.y), high = float(major.x - 1 - major.y);
  clip(ray.minor, ray.minor_step, float(-minor.y) - 1.01, float(minor.x - minor.y) + 0.01, low, high);
#if !FLAT
  clip(ray.slice, ray.slice_step, float(slab.x - centre.z) - 0.01, float(slab.x + slab.y - 1 - centre.z) + 0.01, low, high);
#endif
#if FLAT
  if (pixel.y < slab.x || pixel.y >= slab.x + slab.y) high = low - 1.0; /* another slab's */
#endif
  float sum = 0.0;
  for (int n = int(ceil(low)); n <= int(floor(high)); n++) {
    precise float place = ray.minor + float(n) * ray.minor_step;
    float corner = floor(place), part = place - corner;
    int j = int(corner) + minor.y;
    if (j < -1 || j >= minor.x) continue;
#if FLAT
    int at = index(0, 0, pixel.y) + (n + major.y) * ahead + j * across;
    sum += mix(image[at], image[at + across], part);
#else
    precise float slice = ray.slice + float(n) * ray.slice_step;
    float below = floor(slice), rest = slice - below;
    int k = int(below) + centre.z;
    if (k < slab.x || k >= slab.x + slab.y - 1) continue;
    int at = index(0, 0, k) + (n + major.y) * ahead + j * across;
    sum += mix(mix(image[at], image[at + across], part), mix(image[at + up], image[at + up + across], part), rest);
#endif
  }
  rays[(slot * pixels.y + pixel.y) * pixels.x + pixel.x] = sum * ray.mm;
}
#else

/* Where the lines of sight through the neighbourhood of a voxel, one voxel to all sides, meet the detector. */
void shadow(int slot, vec3 at, out ivec2 low, out ivec2 high) {
  vec4 p = vec4(at, 1.0);
  vec3 a = views[slot].matrix[0].xyz, b = views[slot].matrix[1].xyz, c = views[slot].matrix[2].xyz;
  float w = dot(views[slot].matrix[2], p);
  vec2 seen = vec2(dot(views[slot].matrix[0], p), dot(views[slot].matrix[1], p)) / w;
  vec3 along = abs(a - seen.x * c), upwards = abs(b - seen.y * c), deep = abs(c);
  /* To one side in the plane x or y = n, and up or down. */
  vec2 room = vec2(max(along.x, along.y) + along.z, max(upwards.x, upwards.y) + upwards.z) / (w - max(deep.x, deep.y) - deep.z) + 0.01;
  low = max(ivec2(ceil(clamp(seen - room, -1e6, 1e6))) + middle, ivec2(0));
  high = min(ivec2(floor(clamp(seen + room, -1e6, 1e6))) + middle, pixels - 1);
}

/* A voxel's weight in the ray's sample beside it, but for the slice. */
float weight(Ray ray, vec3 at) {
  precise float place = ray.minor + (ray.along_x ? at.x : at.y) * ray.minor_step;
  return max(0.0, 1.0 - abs(place - (ray.along_x ? at.y : at.x))) * ray.mm;
}

void main() {
  ivec2 column = ivec2(gl_GlobalInvocationID.xy);
  if (any(greaterThanEqual(column, size.xy))) return;
  int slice = first.z + int(gl_WorkGroupID.z) * VOXELS, count = min(VOXELS, min(size.z, slab.x + slab.y) - slice);
  vec3 at = vec3(column - centre.xy, float(slice - centre.z));
  float sums[VOXELS];
  for (int k = 0; k < VOXELS; k++) sums[k] = 0.0;
  for (int slot = first.x; slot < first.x + first.y; slot++) {
    ivec2 low, high;
#if FLAT
    shadow(slot, vec3(at.xy, 0.0), low, high);
    for (int u = low.x; u <= high.x; u++) {
      float part = weight(ray_of(slot, ivec2(u, 0)), at);
      if (part > 0.0)
        for (int k = 0; k < count; k++) sums[k] += part * rays[(slot * pixels.y + slice + k) * pixels.x + u];
    }
#else
    for (int k = 0; k < count; k++) {
      vec3 here = vec3(at.xy, at.z + float(k));
      shadow(slot, here, low, high);
      for (int v = low.y; v <= high.y; v++)
        for (int u = low.x; u <= high.x; u++) {
          Ray ray = ray_of(slot, ivec2(u, v));
          precise float place = ray.slice + (ray.along_x ? here.x : here.y) * ray.slice_step;
          sums[k] += weight(ray, here) * max(0.0, 1.0 - abs(place - here.z)) * rays[(slot * pixels.y + v) * pixels.x + u];
        }
    }
#endif
  }
  for (int k = 0; k < count; k++) image[index(column.x, column.y, slice + k)] += sums[k];
}
#endif
