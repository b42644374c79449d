// SPDX-License-Identifier: GPL-3.0-or-later
// Lines and dots of the scene. `share`: of their opacity.

uniform float share;

in vec4 with;

out vec4 colour;

void main() {
  float alpha = with.a * share;
  colour = vec4(with.rgb * alpha, alpha);
}
