// SPDX-License-Identifier: GPL-3.0-or-later
// A slice or projection in the scene, through grey window and colour map. with.xy: place in the picture, pixels from its lower
// left corner.

uniform sampler2D picture, colours;
uniform vec2 size;    // pixels
uniform vec2 window;  // low, 1 / (high - low)
uniform int map_row;
uniform float share;  // of the opacity
uniform vec3 corner, across, up;  // as ctgl_bounds

in vec4 with;

out vec4 colour;

// Bits rather than isnan(), which some drivers optimise away.
bool finite(float value) {
  return (floatBitsToUint(value) & 0x7f800000u) != 0x7f800000u;
}

vec3 mapped(float t) {
  float position = clamp(t, 0.0, 1.0) * 255.0;
  int low = int(position), high = min(low + 1, 255);
  return mix(texelFetch(colours, ivec2(low, map_row), 0).rgb, texelFetch(colours, ivec2(high, map_row), 0).rgb,
             position - float(low));
}

void main() {
  vec3 inside = corner + (with.x - 0.5) * across + (with.y - 0.5) * up;
  if (any(lessThan(inside, vec3(0.0))) || any(greaterThan(inside, vec3(1.0)))) discard;
  float value = texture(picture, with.xy / size).r;
  vec3 shown = finite(value) ? mapped((value - window.x) * window.y) : vec3(1.0, 0.0, 1.0);
  colour = vec4(shown * share, share);
}
