// SPDX-License-Identifier: GPL-3.0-or-later
// The volume in the scene by ray marching, between the box's faces towards the eye and its back faces. with.xyz: place in the
// volume, 0 to 1. The renderer defines SOLID as one of SOLID_MAXIMUM, SOLID_MEAN (twice the mean along the ray, which air makes
// dark), SOLID_SURFACE (where the value reaches the threshold first, lit from the eye) and SOLID_TRANSLUCENT (colours of the grey
// window, the denser the brighter). What lies beyond the cut on all three sides is left out; there the surface shows values.

uniform sampler3D volume;
uniform sampler2D colours;
uniform vec3 eye, sight;   // in the volume: of perspective the eye; else the direction of sight
uniform bool perspective;
uniform vec3 extent;       // of the volume, mm
uniform vec3 low, high;    // the part that is shown, 0 to 1
uniform vec3 cut, beyond;  // a corner; +1 or -1: the side of it that is left out, 0: nothing is
uniform vec4 row_z, row_w; // clip coordinates of a place in the volume
uniform vec2 window;       // low, 1 / (high - low)
uniform int map_row;
uniform int steps;
uniform float threshold;

in vec4 with;

out vec4 colour;

vec3 mapped(float t) {
  float position = clamp(t, 0.0, 1.0) * 255.0;
  int low = int(position), high = min(low + 1, 255);
  return mix(texelFetch(colours, ivec2(low, map_row), 0).rgb, texelFetch(colours, ivec2(high, map_row), 0).rgb,
             position - float(low));
}

float value_at(vec3 place) {
  return textureLod(volume, place, 0.0).r;
}

#if SOLID == SOLID_SURFACE
vec3 gradient(vec3 place) {
  vec3 h = 1.0 / vec3(textureSize(volume, 0));
  return vec3(value_at(place + vec3(h.x, 0, 0)) - value_at(place - vec3(h.x, 0, 0)),
              value_at(place + vec3(0, h.y, 0)) - value_at(place - vec3(0, h.y, 0)),
              value_at(place + vec3(0, 0, h.z)) - value_at(place - vec3(0, 0, h.z))) / (h * extent);
}
#endif

// Whether the corner that is left out holds the place.
bool left_out(vec3 place) {
  return all(greaterThan((place - cut) * beyond, vec3(0.0)));
}

void main() {
  vec3 last = with.xyz, along = perspective ? last - eye : sight;
  // Along a face of the box a line never comes to the faces at right angles to it.
  for (int i = 0; i < 3; i++)
    if (abs(along[i]) < 1e-6) along[i] = 1e-6;
  vec3 back = (last - mix(high, low, step(vec3(0.0), along))) / along;
  float length_back = min(min(back.x, back.y), back.z);
  if (perspective) length_back = min(length_back, 0.999);
  vec3 first = last - length_back * along, pace = (last - first) / float(steps);
  vec3 place = first + 0.5 * pace;
#if SOLID == SOLID_SURFACE
  int n = 0;
  bool was_left_out = false;
  for (; n < steps; n++) {
    bool is_left_out = left_out(place);
    if (!is_left_out && value_at(place) >= threshold) break;
    was_left_out = is_left_out;
    place += pace;
  }
  if (n == steps) discard;
  vec3 before = place - pace;
  for (int k = 0; k < 5; k++) {
    vec3 middle = 0.5 * (before + place);
    if (left_out(middle) || value_at(middle) < threshold) before = middle; else place = middle;
  }
  // On a face of the box or of the cut the values inside are seen.
  if (was_left_out || (n == 0 && value_at(place) >= threshold && length(place - first) < length(pace))) {
    colour = vec4(mapped((value_at(place) - window.x) * window.y), 1.0);
  } else {
    vec3 outwards = -gradient(place), to_eye = normalize(-along * extent);
    float size = length(outwards), facing = size > 0.0 ? abs(dot(outwards / size, to_eye)) : 1.0;
    float light = 0.22 + 0.68 * facing + 0.18 * pow(facing, 24.0);
    colour = vec4(min(vec3(0.95, 0.91, 0.84) * light, vec3(1.0)), 1.0);
  }
  gl_FragDepth = 0.5 + 0.5 * dot(row_z, vec4(place, 1.0)) / dot(row_w, vec4(place, 1.0));
#elif SOLID == SOLID_TRANSLUCENT
  // Absorption along the way, so that the picture does not depend on the number of samples: at the window's upper end light of
  // a tenth of the volume's longest side is held back.
  float longest = max(max(extent.x, extent.y), extent.z), way = 23.0 * length(pace * extent) / longest;
  vec3 seen = vec3(0.0);
  float passed = 1.0;
  for (int n = 0; n < steps && passed > 0.02; n++) {
    if (!left_out(place)) {
      float t = clamp((value_at(place) - window.x) * window.y, 0.0, 1.0), dense = smoothstep(0.15, 1.0, t);
      float share = 1.0 - exp(-way * dense * dense);
      seen += passed * share * mapped(t);
      passed *= 1.0 - share;
    }
    place += pace;
  }
  colour = vec4(seen, 1.0 - passed);
#else
  float seen = 0.0;
  bool any_seen = false;
  for (int n = 0; n < steps; n++) {
    if (!left_out(place)) {
      float value = value_at(place);
#if SOLID == SOLID_MAXIMUM
      seen = any_seen ? max(seen, value) : value;
#else
      seen += value;
#endif
      any_seen = true;
    }
    place += pace;
  }
  if (!any_seen) discard;
#if SOLID == SOLID_MEAN
  seen *= 2.0 / float(steps);
#endif
  // Air is not seen, whose noise has a largest value, too.
  float t = (seen - window.x) * window.y, share = smoothstep(0.1, 0.6, t);
  colour = vec4(mapped(t) * share, share);
#endif
}
