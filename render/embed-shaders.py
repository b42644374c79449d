# SPDX-License-Identifier: GPL-3.0-or-later
# Writes shader files as C strings: embed-shaders.py OUTPUT.c SHADER...
import json
import os
import sys

lines = ['#include "render/gl-private.h"', 'const ctgl_shader_text ctgl_shader_texts[] = {']
for path in sys.argv[2:]:
    with open(path, encoding='ascii') as file:
        # JSON's escapes of ASCII text are C's.
        text = '\n'.join('    ' + json.dumps(line) for line in file)
    lines.append('  {%s,\n%s},' % (json.dumps(os.path.basename(path)), text))
lines += ['  {NULL, NULL},', '};', '']
with open(sys.argv[1], 'w', encoding='ascii') as file:
    file.write('\n'.join(lines))
