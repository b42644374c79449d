# SPDX-License-Identifier: GPL-3.0-or-later
# Writes lesson files as an array of C strings: embed-lessons.py OUTPUT.c LESSON...
import json
import os
import sys

lines = ['#include "app/lesson/lesson.h"', 'const gantry_lesson_file gantry_lesson_files[] = {']
for path in sys.argv[2:]:
    with open(path, encoding='utf-8') as file:
        # Octal escapes end after three digits, whatever follows.
        text = '\n'.join('    "' + ''.join(chr(b) if 32 <= b < 127 and chr(b) not in '"\\?' else '\\%03o' % b
                                            for b in line.encode()) + '"' for line in file)
    lines.append('  {%s,\n%s},' % (json.dumps(os.path.basename(path)), text))
lines += ['  {NULL, NULL},', '};', '']
with open(sys.argv[1], 'w', encoding='ascii') as file:
    file.write('\n'.join(lines))
