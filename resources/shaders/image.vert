// SPDX-License-Identifier: GPL-3.0-or-later
// One triangle that covers the viewport.
void main() {
  vec2 corner = vec2((gl_VertexID & 1) << 2, (gl_VertexID & 2) << 1) - 1.0;
  gl_Position = vec4(corner, 0.0, 1.0);
}
