// SPDX-License-Identifier: GPL-3.0-or-later
// Images A and B, and a map of their similarity, through window or scale and colour map. The pixel under a fragment has index
// base + floor(p),
//   p = offset + (gl_FragCoord - half_view) * pitch,
// with the integer part kept apart so that float32 is exact enough at any zoom.
//
// The renderer defines MODE as one of MODE_A, MODE_B, ... (the rows of render/mode.h), BILINEAR, BOUNDED and LOGARITHMIC (0 or
// 1), LINEAR_PART and LINEAR_SHARE: software drivers run both sides of a branch, so what is not wanted is left out.

uniform sampler2D image_a, image_b, image_map, colours;
uniform ivec2 size[3], base[3];
uniform vec2 offset[3];
uniform vec2 pitch[3];      // image pixels per device pixel
uniform vec2 half_view;
uniform float swipe;        // device pixels from the left
uniform float fade;         // part of B
uniform float tile;         // device pixels
uniform vec2 window;        // low, 1 / (high - low)
uniform float range;        // 1 / range
uniform float least;        // |B| to divide by
uniform int map_row, diverging_row;

#if BOUNDED
uniform vec3 corner[3], across[3], up[3];  // as ctgl_bounds
#endif

out vec4 colour;

const int OUTSIDE = 0, FINITE = 1, BROKEN = 2, UNDEFINED = 3;

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

// As ctgl_scale_position.
float position_of(float part) {
#if LOGARITHMIC
  float extent = min(abs(part), 1.0);
  if (extent <= LINEAR_PART) return part / LINEAR_PART * LINEAR_SHARE;
  return sign(part) * (LINEAR_SHARE + (1.0 - LINEAR_SHARE) * log(extent / LINEAR_PART) / log(1.0 / LINEAR_PART));
#else
  return clamp(part, -1.0, 1.0);
#endif
}

vec3 painted(int state, vec3 rgb) {
  if (state == OUTSIDE) return vec3(0.0);
  if (state == BROKEN) return vec3(1.0, 0.0, 1.0);
  if (state == UNDEFINED) return vec3(0.2);
  return rgb;
}

vec3 grey(int state, float value) {
  return painted(state, mapped((value - window.x) * window.y, map_row));
}

vec3 shown() {
  float a = 0.0, b = 0.0;
#if MODE == MODE_A
  int state = look_up(image_a, 0, a);
  return grey(state, a);
#elif MODE == MODE_B
  int state = look_up(image_b, 1, b);
  return grey(state, b);
#elif MODE == MODE_SWIPE || MODE == MODE_CHECKERBOARD
#if MODE == MODE_SWIPE
  bool first = gl_FragCoord.x < swipe;
#else
  // Tiles begin at the upper left corner.
  vec2 square = floor(vec2(gl_FragCoord.x, 2.0 * half_view.y - gl_FragCoord.y) / tile);
  bool first = mod(square.x + square.y, 2.0) < 0.5;
#endif
  int state;
  if (first) state = look_up(image_a, 0, a);
  else state = look_up(image_b, 1, a);
  return grey(state, a);
#elif MODE == MODE_SIMILARITY
  // Near the border the window about a pixel has no room.
  int state = look_up(image_map, 2, a);
  if (state == BROKEN) state = UNDEFINED;
  return painted(state, mapped(1.0 - position_of((1.0 - a) * range), map_row));
#else
  int state_a = look_up(image_a, 0, a), state_b = look_up(image_b, 1, b);
#if MODE == MODE_FADE
  return mix(grey(state_a, a), grey(state_b, b), fade);
#else
  int state = state_a == OUTSIDE || state_b == OUTSIDE ? OUTSIDE : max(state_a, state_b);
#if MODE == MODE_DIFFERENCE
  return painted(state, mapped(0.5 + 0.5 * position_of((a - b) * range), diverging_row));
#elif MODE == MODE_ABSOLUTE
  return painted(state, mapped(position_of(abs(a - b) * range), map_row));
#elif MODE == MODE_RELATIVE
  if (state == FINITE && !(abs(b) > least)) state = UNDEFINED;
  float part = state == FINITE ? (a - b) / b : 0.0;
  return painted(state, mapped(0.5 + 0.5 * position_of(part * range), diverging_row));
#else
#error A mode of the table has no picture
#endif
#endif
#endif
}

void main() {
  colour = vec4(shown(), 1.0);
}
