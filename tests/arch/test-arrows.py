#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads the sources and fails on what the house forbids: an include that points the wrong way, a library outside its room, a
private header outside its room, a room that prints or exits, a file without its licence line. Speaks TAP."""

import os
import re
import sys

# Who may include whom. A room may always include itself.
BASE, SIMD, GEOM, DATA = "recon/base", "recon/simd", "recon/geom", "recon/data"
FILTER, BP, FP, IO, PHANTOM = "recon/filter", "recon/bp", "recon/fp", "recon/io", "recon/phantom"
METRIC, PREP, EXCHANGE, SOLVE = "recon/metric", "recon/prep", "recon/exchange", "recon/solve"
RECON = {BASE, SIMD, GEOM, DATA, FILTER, BP, FP, IO, PHANTOM, METRIC, PREP, EXCHANGE, SOLVE}
ARROWS = {
    BASE: set(),
    SIMD: {BASE},
    GEOM: {BASE},
    DATA: {BASE, GEOM},
    FILTER: {BASE, GEOM, DATA},
    BP: {BASE, SIMD, GEOM, DATA},
    FP: {BASE, SIMD, GEOM, DATA, BP},
    IO: {BASE, GEOM, DATA},
    PHANTOM: {BASE, GEOM, DATA, FP},
    METRIC: {BASE, GEOM},
    PREP: {BASE, GEOM, DATA, FILTER},
    EXCHANGE: {BASE},
    SOLVE: RECON - {IO},
    "render": RECON | {"render/compute"},
    "render/compute": RECON | {"render"},
    "ui": RECON | {"render", "render/compute"},
    "app": RECON | {"render", "render/compute", "ui", "app/shared"},
    "app/shared": RECON | {"render/compute"},
    "app/bench": RECON | {"render/compute", "render", "app/shared"},
    "app/cli": RECON | {"render/compute", "app/shared", "app/bench"},
}
# Files of app that the command line is built from too, and so bound by its rules: together they are "app/shared".
SHARED_WITH_CLI = {f"app/{name}.{kind}" for name in ("analysis-table", "brief-wait", "cache", "example", "figures", "figures-files", "json", "object", "backend", "scan-facts", "session-file", "session-paths", "slab-file", "speeds", "svg", "svg-bars", "tuning-file", "variants",
                                               "variants-frozen", "variants-picture", "variants-run", "variants-table")
                   for kind in "ch"}

# Which rooms alone may include a library's headers.
WINDOW = {"ui", "app"}
LIBRARIES = [
    (r"fftw3.*\.h", {FILTER}),
    (r"(glib|gio|gobject|gmodule|glib-object|gtk|gdk|gsk|graphene|pango|cairo|adwaita)([-./].*)?\.h|(glib|gio|gtk|gdk|gsk|pango|cairo)/.*",
     WINDOW),
    (r"(epoxy|GL|GLES\d?|EGL|KHR)/.*", {"render", "render/compute"}),
    (r"(hdf5.*|H5.*|tiff.*|png.*|zlib)\.h", {IO}),
    (r"expat.*\.h|ini\.h", {IO}),
    (r"mpi\.h", {EXCHANGE}),
    (r"jansson\.h", {"recon/base", IO, SOLVE, "app/shared", "app/bench", "app/cli"}),
]

# Tests that look into a second room: the slice view is tested on the contexts that render's tests make.
ALSO_TESTED_BY = {"ui": {"tests/render"}}
# Folders of recon/io include nothing of the room but their own, what is shared, and these others: no format knows the table.
IO_ARROWS = {"beside": {"hdf5", "matlab"}, "description": {"raw"}, "matrix": {"png"}}
# Ends a child process of its own, not the program.
MAY_EXIT = {"recon/io/shared/trial.c"}

# Made by the build.
GENERATED = {"app/schema-data.h", "recon/io/shared/rows.h"}

SOURCES = (".c", ".h")
# Desktop file, metainfo and the like state their licence in fields of their own.
LICENSED = (".c", ".h", ".py", ".sh", ".glsl", ".comp", ".frag", ".vert", ".css", ".ui")
SCRIPTS = ("run", "check", ".ci/run", "meson.build")
SPDX = "SPDX-License-Identifier: GPL-3.0-or-later"
ROOMS = ("app", "ui", "render", "recon", "resources", "tests", ".ci")


def room_of(path):
    """The room of a file's path from the root, or None."""
    if path in SHARED_WITH_CLI or path.startswith("app/lesson/"):
        return "app/shared"
    parts = path.split("/")
    if parts[0] == "recon":
        return "/".join(parts[:2])
    if parts[0] in ("app", "render") and len(parts) > 2 and parts[1] in ("cli", "bench", "compute"):
        return "/".join(parts[:2])
    return parts[0] if parts[0] in ("app", "ui", "render", "tests", "resources") else None


def files(root):
    for room in ROOMS:
        for folder, _, names in os.walk(os.path.join(root, room)):
            for name in sorted(names):
                yield os.path.relpath(os.path.join(folder, name), root)


def strip_comments(text):
    """Comments and strings blanked, line numbers kept."""
    def blank(match):
        return re.sub(r"[^\n]", " ", match.group(0))
    return re.sub(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', blank, text, flags=re.S)


def includes(text):
    for number, line in enumerate(text.split("\n"), 1):
        match = re.match(r'\s*#\s*include\s+(["<])([^">]+)[">]', line)
        if match:
            yield number, match.group(1), match.group(2)


def check_arrows(root, sources):
    for path, text in sources:
        room = room_of(path)
        if room not in ARROWS:
            continue
        for number, kind, name in includes(text):
            if kind != '"' or "/" not in name:
                continue
            target = room_of(name)
            if target is not None and target != room and target not in ARROWS[room]:
                yield f"{path}:{number}: {room} may not include {name}"


def check_paths(root, sources):
    for path, text in sources:
        for number, kind, name in includes(text):
            if kind != '"' or name in GENERATED:
                continue
            if name.startswith(".") or ("/" in name and not os.path.exists(os.path.join(root, name))):
                yield f"{path}:{number}: {name} is no file from the source's root"
            if "/" not in name and os.path.exists(os.path.join(root, os.path.dirname(path), name)):
                yield f"{path}:{number}: {name} must be included by its path from the source's root"


def check_libraries(root, sources):
    for path, text in sources:
        room = room_of(path)
        if room == "tests" or room is None:
            continue
        for number, _, name in includes(text):
            for pattern, rooms in LIBRARIES:
                if re.fullmatch(pattern, name) and room not in rooms:
                    yield f"{path}:{number}: {name} belongs to {', '.join(sorted(rooms))} alone"


def check_private(root, sources):
    for path, text in sources:
        room = room_of(path)
        for number, _, name in includes(text):
            if not name.endswith("-private.h"):
                continue
            home = room_of(name)
            folder = os.path.dirname(path)
            homes = {"tests/" + (home or "").removeprefix("recon/"), "tests/bench"} | ALSO_TESTED_BY.get(home, set())
            if home and home != room and not any((folder + "/").startswith(each + "/") for each in homes):
                yield f"{path}:{number}: {name} is private to {home}"


def check_formats(root, sources):
    for path, text in sources:
        folder = re.match(r"recon/io/([^/]+)/", path)
        if not folder:
            continue
        allowed = {folder[1], "shared"} | IO_ARROWS.get(folder[1], set())
        for number, _, name in includes(text):
            if name.startswith("recon/io/") and name.split("/")[2] not in allowed:
                yield f"{path}:{number}: the format {folder[1]} may not include {name}"


def check_silence(root, sources):
    speaks = re.compile(r"(?<![\w.>])(printf|vprintf|puts|putchar|perror|exit|_exit|abort|assert)\s*\(|\bstderr\b|\bstdout\b")
    for path, text in sources:
        if not path.startswith(("recon/", "render/")) or path in MAY_EXIT:
            continue
        for number, line in enumerate(strip_comments(text).split("\n"), 1):
            if not line.lstrip().startswith("#") and speaks.search(line):
                yield f"{path}:{number}: prints, exits or aborts: {line.strip()}"


def check_beams(root, sources):
    for path, text in sources:
        if path.startswith(("recon/geom/", "recon/io/", "tests/")):
            continue
        for number, line in enumerate(strip_comments(text).split("\n"), 1):
            if re.search(r"\bCT_BEAM_", line):
                yield f"{path}:{number}: names a beam instead of asking recon/geom/questions.h: {line.strip()}"


def check_licences(root, sources):
    for path in list(files(root)) + list(SCRIPTS):
        if not (path.endswith(LICENSED) or path in SCRIPTS):
            continue
        full = os.path.join(root, path)
        if not os.path.exists(full):
            yield f"{path}: is missing"
            continue
        with open(full, encoding="utf-8") as file:
            head = "".join(file.readline() for _ in range(4))
        if SPDX not in head:
            yield f"{path}: has no line {SPDX} at its head"
    if not os.path.exists(os.path.join(root, "COPYING")):
        yield "COPYING: is missing"


def check_rooms_known(root, sources):
    for path, _ in sources:
        room = room_of(path)
        if room is None or (room not in ARROWS and room not in ("tests", "resources")):
            yield f"{path}: lies in no room of the table at the top of this test"


CHECKS = [
    ("every source lies in a room of the house", check_rooms_known),
    ("includes point along the arrows", check_arrows),
    ("includes are paths from the source's root", check_paths),
    ("libraries stay in their rooms", check_libraries),
    ("private headers stay in their rooms", check_private),
    ("formats of recon/io know what is shared, not each other", check_formats),
    ("recon and render neither print nor exit", check_silence),
    ("only recon/geom and recon/io name beams", check_beams),
    ("every file begins with its licence", check_licences),
]


def self_test():
    """The checks find what they are for: a house of lies."""
    lies = [
        ("recon/base/a.c", '#include "recon/io/io.h"\n', check_arrows),
        ("recon/bp/a.c", '#include "recon/filter/filter.h"\n', check_arrows),
        ("render/a.c", '#include "ui/image.h"\n', check_arrows),
        ("recon/geom/a.c", '#include "app/example.h"\n', check_arrows),
        ("app/example.c", '#include "app/worker.h"\n', check_arrows),
        ("app/bench/a.c", '#include "app/cli/cli.h"\n', check_arrows),
        ("recon/solve/a.c", "#include <fftw3.h>\n", check_libraries),
        ("recon/data/a.c", "#include <glib.h>\n", check_libraries),
        ("app/cli/a.c", "#include <gtk/gtk.h>\n", check_libraries),
        ("ui/a.c", "#include <epoxy/gl.h>\n", check_libraries),
        ("recon/solve/a.c", '#include "recon/io/shared/io-private.h"\n', check_private),
        ("tests/bp/a.c", '#include "recon/io/shared/io-private.h"\n', check_private),
        ("recon/io/nrrd/a.c", '#include "recon/io/io.h"\n', check_formats),
        ("recon/io/shared/a.c", '#include "recon/io/png/plane.h"\n', check_formats),
        ("recon/data/a.c", 'void f(void) { printf("x"); }\n', check_silence),
        ("recon/bp/a.c", '#include "kernel.h"\n', check_paths),
        ("recon/bp/a.c", "bool f(ct_beam b) { return b == CT_BEAM_FAN; }\n", check_beams),
    ]
    for path, text, check in lies:
        if not list(check(ROOT, [(path, text)])):
            yield f"{check.__name__} did not notice {path}: {text.strip()}"


def report(number, title, faults):
    print(f"{'not ok' if faults else 'ok'} {number} - {title}")
    for fault in faults:
        print("# " + fault)
    return bool(faults)


ROOT = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else ".")


def main():
    sources = []
    for path in files(ROOT):
        if path.endswith(SOURCES):
            with open(os.path.join(ROOT, path), encoding="utf-8") as file:
                sources.append((path, file.read()))
    print(f"1..{len(CHECKS) + 1}")
    failed = report(1, "these checks notice what they are for", list(self_test()))
    for number, (title, check) in enumerate(CHECKS, 2):
        failed |= report(number, title, list(check(ROOT, sources)))
    return 1 if failed else 0


sys.exit(main())
