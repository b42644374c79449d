// SPDX-License-Identifier: GPL-3.0-or-later
// Images A and B through window and colour map. The pixel under a fragment has index base + floor(p),
//   p = offset + (gl_FragCoord - half_view) * pitch,
// with the integer part kept apart so that float32 is exact enough at any zoom.
//
// The renderer defines MODE (as ctgl_mode: 0 A, 1 B, 2 A - B, 3 swipe), BILINEAR and BOUNDED (0 or 1): software drivers run
// both sides of a branch, so what is not wanted is left out.

uniform sampler2D image_a, image_b, colours;
uniform ivec2 size[2], base[2];
uniform vec2 offset[2];
uniform vec2 pitch[2];      // image pixels per device pixel
uniform vec2 half_view;
uniform float swipe;        // device pixels from the left
uniform vec2 window;        // low, 1 / (high - low)
uniform float difference;   // 1 / (2 half range)
uniform int map_row, difference_row;

#if BOUNDED
uniform vec3 corner[2], across[2], up[2];  // as ctgl_bounds
#endif

out vec4 colour;

const int OUTSIDE = 0, FINITE = 1, BROKEN = 2;

// Bits rather than isnan(), which some drivers optimise away.
bool finite(float value) {
  return (floatBitsToUint(value) & 0x7f800000u) != 0x7f800000u;
}

// Whether a pixel of the picture is one of those that hold a value.
bool held(int slot, ivec2 index) {
#if BOUNDED
  // A plane along the border of its volume belongs to it, whatever the rounding.
  const float slack = 4e-6;
  vec3 place = corner[slot] + float(index.x) * across[slot] + float(index.y) * up[slot];
  return all(greaterThanEqual(place, vec3(-slack))) && all(lessThanEqual(place, vec3(1.0 + slack)));
#else
  return true;
#endif
}

#if BILINEAR
float texel(sampler2D image, int slot, ivec2 index, float otherwise) {
  ivec2 nearest = clamp(index, ivec2(0), size[slot] - 1);
  float value = texelFetch(image, nearest, 0).r;
  return finite(value) && held(slot, nearest) ? value : otherwise;
}

float between(sampler2D image, int slot, vec2 p, float otherwise) {
  vec2 lower = floor(p - 0.5), part = p - 0.5 - lower;
  ivec2 i = base[slot] + ivec2(lower);
  float below = mix(texel(image, slot, i, otherwise), texel(image, slot, i + ivec2(1, 0), otherwise), part.x);
  i.y++;
  float above = mix(texel(image, slot, i, otherwise), texel(image, slot, i + ivec2(1, 0), otherwise), part.x);
  return mix(below, above, part.y);
}
#endif

int look_up(sampler2D image, int slot, out float value) {
  value = 0.0;
  vec2 p = offset[slot] + (gl_FragCoord.xy - half_view) * pitch[slot];
  ivec2 index = base[slot] + ivec2(floor(p));
  if (any(lessThan(index, ivec2(0))) || any(greaterThanEqual(index, size[slot]))) return OUTSIDE;
  if (!held(slot, index)) return OUTSIDE;
  value = texelFetch(image, index, 0).r;
  if (!finite(value)) return BROKEN;
#if BILINEAR
  // Where a device pixel covers several image pixels, their mean.
  ivec2 taps = clamp(ivec2(ceil(abs(pitch[slot]) - 0.01)), ivec2(1), ivec2(4));
  float here = value, sum = 0.0;
  for (int y = 0; y < taps.y; y++)
    for (int x = 0; x < taps.x; x++)
      sum += between(image, slot, p + ((vec2(x, y) + 0.5) / vec2(taps) - 0.5) * pitch[slot], here);
  value = sum / float(taps.x * taps.y);
#endif
  return FINITE;
}

vec3 mapped(float t, int row) {
  float position = clamp(t, 0.0, 1.0) * 255.0;
  int low = int(position);
  return mix(texelFetch(colours, ivec2(low, row), 0).rgb, texelFetch(colours, ivec2(min(low + 1, 255), row), 0).rgb,
             position - float(low));
}

void main() {
  float value = 0.0;
  int state;
#if MODE == 0
  state = look_up(image_a, 0, value);
#elif MODE == 1
  state = look_up(image_b, 1, value);
#elif MODE == 2
  float other;
  int state_a = look_up(image_a, 0, value), state_b = look_up(image_b, 1, other);
  state = state_a == OUTSIDE || state_b == OUTSIDE ? OUTSIDE : max(state_a, state_b);
#else
  if (gl_FragCoord.x < swipe) state = look_up(image_a, 0, value);
  else state = look_up(image_b, 1, value);
#endif
#if MODE == 2
  vec3 rgb = mapped(0.5 + (value - other) * difference, difference_row);
#else
  vec3 rgb = mapped((value - window.x) * window.y, map_row);
#endif
  if (state == OUTSIDE) rgb = vec3(0.0);
  else if (state == BROKEN) rgb = vec3(1.0, 0.0, 1.0);
  colour = vec4(rgb, 1.0);
}
