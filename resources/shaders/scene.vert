// SPDX-License-Identifier: GPL-3.0-or-later
// Vertices of the scene, which come in clip coordinates: lines are as wide at every depth.

layout(location = 0) in vec4 place;
layout(location = 1) in vec4 extra;

out vec4 with;

void main() {
  with = extra;
  gl_Position = place;
}
