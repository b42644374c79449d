#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test-objects.py BUILD: holds the built objects to the rule of recon/simd. One that was compiled for a level or a variant
defines exactly one global symbol, its table, and no weak one, so that nothing of it can be called but through the table; one
that was compiled without flags holds no instruction of AVX or later. Speaks TAP."""

import json
import os
import re
import subprocess
import sys

# Encoded by VEX or EVEX; the few others that begin with v (verr, verw, vm...) are the system's.
VECTOR = re.compile(r"\t(v(?!err|erw|m[cflpx])[a-z0-9]+|k(?:mov|and|or|xor|not|unpck|test|shift|add)[a-z]*)\s")


def objects(build):
    """(path, compiled for a level) of every object of the project's own sources, tests left out."""
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
        commands = json.load(file)
    for entry in commands:
        output = entry.get("output") or re.search(r"-o (\S+)", entry["command"]).group(1)
        path = os.path.join(entry["directory"], output)
        if output.startswith("tests/") or not output.endswith(".o") or not os.path.exists(path):
            continue
        yield path, bool(re.search(r"\s-(march=|mavx|mfma|DCT_SIMD_VARIANT)", entry["command"]))


def symbols(path):
    lines = subprocess.run(["nm", path], capture_output=True, text=True, check=True).stdout.splitlines()
    kinds = [line.split()[-2:] for line in lines if len(line.split()) == 3]
    return [name for kind, name in kinds if kind.isupper() and kind not in "UW"], [name for kind, name in kinds if kind in "WVwv"]


def vector_instructions(path):
    text = subprocess.run(["objdump", "-d", "--no-show-raw-insn", path], capture_output=True, text=True, check=True).stdout
    return [text[text.rfind("\n", 0, match.start()) + 1:match.end()].strip() for match in VECTOR.finditer(text)]


def main(build):
    levels, plain = [], []
    for path, of_level in objects(build):
        (levels if of_level else plain).append(path)
    wrong = {"one global symbol": [], "no weak symbol": [], "no instruction of AVX": []}
    for path in levels:
        defined, weak = symbols(path)
        if len(defined) != 1:
            wrong["one global symbol"].append(f"{path}: {' '.join(defined) or 'none'}")
        if weak:
            wrong["no weak symbol"].append(f"{path}: {' '.join(weak)}")
    for path in plain:
        found = vector_instructions(path)
        if found:
            wrong["no instruction of AVX"].append(f"{path}: {len(found)}, the first: {found[0]}")
    print("1..4")
    good = len(levels) > 20 and len(plain) > 200
    print(f"{'ok' if good else 'not ok'} 1 - {len(levels)} objects of a level and {len(plain)} others are there")
    for n, (name, faults) in enumerate(wrong.items(), 2):
        whose = "without flags" if n == 4 else "of a level"
        print(f"{'not ok' if faults else 'ok'} {n} - objects {whose} have {name}")
        for fault in faults[:20]:
            print("#", os.path.relpath(fault, build))
        good = good and not faults
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
