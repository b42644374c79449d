# SPDX-License-Identifier: GPL-3.0-or-later
"""Volumes that do not fit into the memory, in the real window: what is offered, written, watched, cancelled and refused. The
memory is made short by a limit of the program's address space. Arguments: gantry, gantry-cli."""
import json
import os
import re
import resource
import subprocess
import sys

import drive
from drive import Failure


def cli(*arguments):
    subprocess.run([sys.argv[2], *arguments], check=True, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)


def take_plan(window, **values):
    """Loads a plan with these values of the reconstruction."""
    path = window.path("values.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"gantry_plan": 1, "parameters": {"reconstruction." + key: value for key, value in values.items()}}, file)
    window.open_recent(path)
    window.read(r"^Values taken from values.json$")


def limit_memory(window, spare):
    """Leaves so many bytes to be allocated; None: all."""
    process = window.process.pid
    soft, hard = resource.prlimit(process, resource.RLIMIT_AS)
    limit = hard
    if spare is not None:
        with open(f"/proc/{process}/statm", encoding="ascii") as file:
            limit = int(file.read().split()[0]) * resource.getpagesize() + spare
    resource.prlimit(process, resource.RLIMIT_AS, (limit, hard))


def opens(window):
    cli("simulate", "--detector", "64x64", "--pixel", "3.2", "--views", "48", "-o", window.path("head.h5"))
    window.start(window.path("head.h5"))
    window.read(r"^cone beam · 48 views of 64 × 64$")
    window.read(r"^preview$")


def writes_what_fits(window):
    """The command is there without need, too."""
    os.mkdir(window.path("out"))
    window.action("reconstruct-to-file")
    window.save_as("Reconstruct to File", window.path("out/small.mha"))
    window.read(r"^Written to small.mha in .*: 64 × 64 × 64 voxels$")
    window.read(r"^preview$")
    cli("reconstruct", window.path("head.h5"), "-o", window.path("same.mha"))
    told = subprocess.run([sys.argv[2], "compare", "--json", window.path("out/small.mha"), window.path("same.mha")],
                          check=True, capture_output=True, text=True).stdout
    if json.loads(told)["relative_rmse"] > 1e-6:
        raise Failure(told)


def offers_the_file(window):
    """Refused for want of memory; the banner offers the file."""
    window.action("auto-preview")  # planes of this size take long
    take_plan(window, nx=12000, nz=14000)
    window.press("Reconstruct")
    window.banner(r"are free: .* or reconstruct to file in slabs of \d+ slices? \(8\.06 TB on disk\)")
    if "GANTRY_TEST_PICTURE" in os.environ:
        window.photograph(os.environ["GANTRY_TEST_PICTURE"] + "-offer.png")
    window.press("Reconstruct to File…")
    window.save_as("Reconstruct to File", window.path("out/huge.mha"))
    window.banner("the disk has")
    if os.listdir(window.path("out")) != ["small.mha"]:
        raise Failure(os.listdir(window.path("out")))
    window.action("auto-preview")


def goes_slab_by_slab(window):
    """With little memory: the strip counts the slabs, planes are shown, finishing early is over with the first slab."""
    take_plan(window, nx=320, nz=320, kernel="serial-loop")
    window.read(r"^preview$")
    limit_memory(window, 140 << 20)
    window.action("reconstruct-to-file")
    window.save_as("Reconstruct to File", window.path("out/slabs.mha"))
    window.read(r"^slab 1 / (\d+) · back-projecting")
    window.read(r"^volume in the making$")
    if not window.action_enabled("finish"):
        raise Failure("the first slab cannot be finished early")
    window.read(r"^slab 2 / (\d+) · back-projecting")
    window.action("pause")
    window.wait(lambda: not window.action_enabled("finish"), "Finish Now to be over with the first slab")
    if "GANTRY_TEST_PICTURE" in os.environ:
        window.photograph(os.environ["GANTRY_TEST_PICTURE"])
    window.action("cancel")
    window.read(r"^Cancelled. Nothing was written.$")
    limit_memory(window, None)
    if os.listdir(window.path("out")) != ["small.mha"]:
        raise Failure(os.listdir(window.path("out")))


def finishes_early(window):
    limit_memory(window, 140 << 20)
    window.action("reconstruct-to-file")
    window.save_as("Reconstruct to File", window.path("out/early.h5"))
    window.wait(lambda: window.action_enabled("pause"), "the run to begin")
    window.action("pause")  # behind the first slab a finish is too late
    window.read(r"^slab 1 / (\d+) · .*paused")
    window.action("finish")
    window.read(r"^Written to early.h5 in .*: 320 × 320 × 320 voxels, \d+ of 48 views$")
    limit_memory(window, None)
    window.read(r"^preview$")


drive.run(sys.argv[1], [
    ("a scan opens", opens),
    ("a volume is reconstructed to a file", writes_what_fits),
    ("a volume that does not fit is offered to be written", offers_the_file),
    ("slabs are counted and shown, and leave nothing when cancelled", goes_slab_by_slab),
    ("finishing early gives every slab the same views", finishes_early),
    ("the program complains of nothing", drive.Driver.check_quiet),
])
