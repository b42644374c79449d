// SPDX-License-Identifier: GPL-3.0-or-later
// Coverage of a pixel by a rounded box, from the signed distance to its edge. Boxes on whole device pixels come out
// with coverage 0 or 1 only, slanted ones with smooth edges.

in vec2 at;
flat in vec2 half_size;
flat in vec2 shape;
flat in vec4 paint;

out vec4 colour;

void main() {
  vec2 beyond = abs(at) - half_size + shape.x;
  float edge = length(max(beyond, 0.0)) + min(max(beyond.x, beyond.y), 0.0) - shape.x;
  if (shape.y > 0.0) edge = max(edge, -shape.y - edge);
  float covered = clamp(0.5 - edge, 0.0, 1.0) * paint.a;
  colour = vec4(paint.rgb * covered, covered);
}
