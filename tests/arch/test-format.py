#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every C source is laid out as clang-format does it with the .clang-format of the tree. Skipped without clang-format, and with
another major version than Debian 12's, which lays out some things differently. Speaks TAP."""

import os
import re
import shutil
import subprocess
import sys

ROOT = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else ".")
MEASURE = 14
FOLDERS = ("app", "ui", "render", "recon", "tests")
AT_ONCE = 40


def program():
    """(program, None), or (None, why there is none)."""
    for name in (f"clang-format-{MEASURE}", "clang-format"):
        found = shutil.which(name)
        if not found:
            continue
        said = subprocess.run([found, "--version"], capture_output=True, text=True).stdout
        version = re.search(r"version (\d+)", said)
        if version and int(version.group(1)) == MEASURE:
            return found, None
    return None, f"clang-format {MEASURE} is not installed"


def sources():
    for folder in FOLDERS:
        for place, _, names in os.walk(os.path.join(ROOT, folder)):
            for name in sorted(names):
                if name.endswith((".c", ".h")):
                    yield os.path.join(place, name)


def start(tool, paths):
    return subprocess.Popen([tool, "--style=file", "--dry-run", *paths],
                            stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)


def main():
    tool, lacking = program()
    if not tool:
        print(f"1..0 # SKIP {lacking}")
        return 0
    paths, found, running = list(sources()), {}, []
    chunks = [paths[at:at + AT_ONCE] for at in range(0, len(paths), AT_ONCE)]
    while chunks or running:
        while chunks and len(running) < 2:
            running.append(start(tool, chunks.pop()))
        for line in running.pop(0).communicate()[1].split("\n"):
            place = re.match(r"(.*?:\d+):\d+: (?:warning|error): ", line)
            if place:
                path, _, number = os.path.relpath(place.group(1), ROOT).rpartition(":")
                found[path] = min(found.get(path, sys.maxsize), int(number))
    print("1..1")
    print(f"{'not ok' if found else 'ok'} 1 - {len(paths)} sources are laid out by clang-format {MEASURE}")
    for path, number in sorted(found.items()):
        print(f"# {path}:{number}: run clang-format -i on it")
    return 1 if found else 0


sys.exit(main())
