#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test-flags.py level.c FLAGS-V3 FLAGS-V4 FLAGS-VNNI COMPILER...: holds the features that level.c asks of the processor against
those that the compiler may use by the flags of each level, which it tells by its macros. Speaks TAP."""

import re
import subprocess
import sys

# Macros that tell of numbers or speed, not of instructions.
NO_FEATURE = re.compile(r"__(BIGGEST_ALIGNMENT|FP_FAST_\w+|EVEX\w*|[\w]*tune[\w]*|k8|core2?\w*|SIZEOF\w*)_*$")


def macros(compiler, flags):
    text = subprocess.run([*compiler, *flags, "-dM", "-E", "-x", "c", "-"], input="", capture_output=True, text=True, check=True)
    return {line.split()[1] for line in text.stdout.splitlines()}


def main(source, *arguments):
    flags, compiler = [text.split(",") for text in arguments[:3]], arguments[3:]
    table = dict(re.findall(r'\{"(__\w+)",[^}]*(CT_SIMD_\w+)\}', open(source, encoding="utf-8").read()))
    print("1..3")
    failed, before, allowed = 0, macros(compiler, []), set()
    for n, (level, options) in enumerate(zip(("CT_SIMD_V3", "CT_SIMD_V4", "CT_SIMD_V4_VNNI"), flags), 1):
        allowed.add(level)
        used = {name for name in macros(compiler, options) - before if not NO_FEATURE.match(name)}
        asked = {name for name, of in table.items() if of in allowed}
        unasked, idle = sorted(used - asked), sorted(asked - used)
        # A compiler may have no macro of its own for what the level says.
        good = bool(used) and not unasked
        failed += not good
        print(f"{'ok' if good else 'not ok'} {n} - {' '.join(options)}: {len(used)} features are asked of the processor")
        if unasked:
            print("# used but not asked for:", " ".join(unasked))
        if idle:
            print("# asked for, without a macro:", " ".join(idle))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
