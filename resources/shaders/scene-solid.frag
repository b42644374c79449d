// SPDX-License-Identifier: GPL-3.0-or-later
// The volume in the scene by ray marching, from the box's back faces towards the eye. with.xyz: place in the box, 0 to 1. The
// renderer defines SOLID as one of SOLID_MAXIMUM, SOLID_MEAN (twice the mean along the ray, which air makes dark) and
// SOLID_SURFACE (where the value reaches the threshold first, lit from the eye).

uniform sampler3D volume;
uniform sampler2D colours;
uniform vec3 eye, sight;   // in the box: of perspective the eye; else the direction of sight
uniform bool perspective;
uniform vec3 extent;       // of the box, mm
uniform vec4 row_z, row_w; // clip coordinates of a place in the box
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

void main() {
  vec3 last = with.xyz, along = perspective ? last - eye : sight;
  // Along a face of the box a line never comes to the faces at right angles to it.
  for (int i = 0; i < 3; i++)
    if (abs(along[i]) < 1e-6) along[i] = 1e-6;
  vec3 back = (last - step(along, vec3(0.0))) / along;
  float length_back = min(min(back.x, back.y), back.z);
  if (perspective) length_back = min(length_back, 0.999);
  vec3 first = last - length_back * along, pace = (last - first) / float(steps);
  vec3 place = first + 0.5 * pace;
#if SOLID == SOLID_SURFACE
  int n = 0;
  for (; n < steps && value_at(place) < threshold; n++) place += pace;
  if (n == steps) discard;
  vec3 before = place - pace;
  for (int k = 0; k < 5; k++) {
    vec3 middle = 0.5 * (before + place);
    if (value_at(middle) < threshold) before = middle; else place = middle;
  }
  vec3 outwards = -gradient(place), to_eye = normalize(-along * extent);
  float size = length(outwards), facing = size > 0.0 ? abs(dot(outwards / size, to_eye)) : 1.0;
  float light = 0.22 + 0.68 * facing + 0.18 * pow(facing, 24.0);
  colour = vec4(min(vec3(0.95, 0.91, 0.84) * light, vec3(1.0)), 1.0);
  gl_FragDepth = 0.5 + 0.5 * dot(row_z, vec4(place, 1.0)) / dot(row_w, vec4(place, 1.0));
#else
  float seen = value_at(place);
  for (int n = 1; n < steps; n++) {
    place += pace;
#if SOLID == SOLID_MAXIMUM
    seen = max(seen, value_at(place));
#else
    seen += value_at(place);
#endif
  }
#if SOLID == SOLID_MEAN
  seen *= 2.0 / float(steps);
#endif
  // Air is not seen, whose noise has a largest value, too.
  float t = (seen - window.x) * window.y, share = smoothstep(0.1, 0.6, t);
  colour = vec4(mapped(t) * share, share);
#endif
}
