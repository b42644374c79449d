#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""test-reconstruct.py GANTRY-CLI [--direct] [EMULATOR...]: a reconstruction of each beam by each method, and planes, at each
level that may be used here (GANTRY_CPU), held against the first level's; with an emulator, on the processor that it plays.
--direct: filtered back-projection alone. Speaks TAP."""

import os
import shutil
import struct
import subprocess
import sys
import tempfile

LEVELS = ("baseline", "v3", "v4", "v4-vnni")
# Scans small enough for an emulator, large enough for whole vectors.
SCANS = {
    "parallel": ["--geometry", "parallel", "--detector", "40x20", "--views", "24"],
    "fan": ["--geometry", "fan", "--detector", "40x1", "--views", "30"],
    "cone": ["--geometry", "cone", "--detector", "36x32", "--views", "20"],
    "tilted cone": ["--geometry", "cone", "--detector", "36x32", "--views", "20", "--tilt", "2"],
}
# How far a level may be off the first one. Rounding differs and two iterations carry that on; where one view after the other
# corrects the image, projectors that tie views together, which not every level takes, go another way to the same end.
METHODS = {"fbp": 2e-4, "art": 2e-4, "art-view": 0.5, "sirt": 2e-4, "sart": 0.5, "cgls": 2e-4, "mlem": 2e-4, "fista-tv": 2e-4, "fista-haar": 2e-4,
           "fista-shearlet": 2e-4}
# What the scans are reconstructed by: every method on one of them, and on each what goes through a projector of its own.
TAKEN = {
    "parallel": ("fbp", "art", "sirt", "cgls", "mlem", "fista-tv", "fista-haar", "fista-shearlet"),
    "fan": ("fbp", "art", "art-view", "sart"),
    "cone": ("fbp", "sirt", "fista-tv"),
    "tilted cone": ("fbp", "sirt"),
}
# AVX-512 with VNNI differs from AVX-512 in 16-bit integers alone, which no iterative method takes.
ONLY_DIRECT = ("v4-vnni",)


class Run:
    def __init__(self, program, emulator):
        self.program, self.emulator = program, emulator

    def __call__(self, *arguments, level=None):
        environment = dict(os.environ, OMP_NUM_THREADS="2", OMP_WAIT_POLICY="passive")
        environment.pop("GANTRY_CPU", None)
        if level:
            environment["GANTRY_CPU"] = level
        return subprocess.run([*self.emulator, self.program, *arguments], capture_output=True, text=True, timeout=300,
                              env=environment, check=False)


def usable(run):
    """The levels that may be asked for here."""
    return [level for level in LEVELS if run("info", "--help", level=level).returncode == 0]


def values(path):
    """The floats behind a MetaImage header."""
    with open(path, "rb") as file:
        data = file.read()
    start = data.index(b"\n", data.index(b"ElementDataFile")) + 1
    return struct.unpack(f"<{(len(data) - start) // 4}f", data[start:])


def difference(a, b):
    """Relative root mean square."""
    if len(a) != len(b):
        return float("inf")
    return (sum((x - y) ** 2 for x, y in zip(a, b)) / max(sum(x * x for x in a), 1e-30)) ** 0.5


def cases(run, direct):
    """(name, scan, arguments, bound)"""
    for name, methods in TAKEN.items():
        for method in methods:
            if direct and method != "fbp":
                continue
            bound = METHODS[method]
            extra = [] if method == "fbp" else ["--set", f"iterative.method={method}", "--set", "iterations=2"]
            yield f"{name} by {method}", name, extra, bound
    yield "an axial plane of a cone", "cone", ["--set", "nz=1"], METHODS["fbp"]
    yield "an upright plane of a cone", "cone", ["--set", "ny=1"], METHODS["fbp"]
    yield "one slice of a parallel beam", "parallel", ["--set", "nz=1"], METHODS["fbp"]


def main(program, *rest):
    direct = "--direct" in rest
    run = Run(program, [part for part in rest if part != "--direct"])
    if run.emulator and not shutil.which(run.emulator[0]):
        print(f"1..0 # SKIP {run.emulator[0]} is not installed")
        return 0
    levels = usable(run)
    # An emulator is slow: the highest level that it has is held against the first one without it.
    native = Run(program, [])
    if run.emulator:
        levels = levels[-1:]
    results, failed = [], 0
    with tempfile.TemporaryDirectory() as folder:
        scans = {}
        for n, (name, arguments) in enumerate(SCANS.items()):
            scans[name] = os.path.join(folder, f"{n}.h5")
            made = native("simulate", "--quiet", *arguments, "-o", scans[name])
            results.append((made.returncode == 0, f"a scan by {name} is simulated", made.stderr))
        for name, scan, extra, bound in cases(run, direct):
            first = None
            for runner, level in [(native, LEVELS[0])] + [(run, level) for level in levels if run.emulator or level != LEVELS[0]]:
                if level in ONLY_DIRECT and "method" in " ".join(extra):
                    continue
                output = os.path.join(folder, "out.mha")
                done = runner("reconstruct", scans[scan], *extra, "--quiet", "-o", output, level=level)
                good, note = done.returncode == 0, done.stderr or f"status {done.returncode}"
                if good:
                    volume = values(output)
                    first = first or volume
                    off = difference(first, volume)
                    good, note = any(volume) and off < bound, f"differs from {LEVELS[0]} by {off:.2g}"
                results.append((good, f"{name}, {level}", note))
    print(f"1..{len(results)}")
    for n, (good, name, note) in enumerate(results, 1):
        print(f"{'ok' if good else 'not ok'} {n} - {name}")
        if not good:
            failed += 1
            print("#", note.strip()[:300].replace("\n", " "))
    return 1 if failed or not levels else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
