# SPDX-License-Identifier: GPL-3.0-or-later
# Writes shader files as an array of C strings: embed-shaders.py OUTPUT.c HEADER ARRAY SHADER...
import json
import os
import sys

lines = ['#include %s' % json.dumps(sys.argv[2]), 'const ctgl_shader_text %s[] = {' % sys.argv[3]]
for path in sys.argv[4:]:
    with open(path, encoding='ascii') as file:
        # JSON's escapes of ASCII text are C's.
        text = '\n'.join('    ' + json.dumps(line) for line in file)
    lines.append('  {%s,\n%s},' % (json.dumps(os.path.basename(path)), text))
lines += ['  {NULL, NULL},', '};', '']
with open(sys.argv[1], 'w', encoding='ascii') as file:
    file.write('\n'.join(lines))
