// SPDX-License-Identifier: GPL-3.0-or-later
// Shapes of the overlay, placed in device pixels from the upper left corner.

uniform vec2 view;

layout(location = 0) in vec2 place;
layout(location = 1) in vec2 local;    // the same point from the shape's centre, along its axes
layout(location = 2) in vec2 extent;   // half length, half width
layout(location = 3) in vec2 style;    // corner radius, stroke width (0: filled)
layout(location = 4) in vec4 tint;

out vec2 at;
flat out vec2 half_size;
flat out vec2 shape;
flat out vec4 paint;

void main() {
  at = local;
  half_size = extent;
  shape = style;
  paint = tint;
  gl_Position = vec4(place.x / view.x * 2.0 - 1.0, 1.0 - place.y / view.y * 2.0, 0.0, 1.0);
}
