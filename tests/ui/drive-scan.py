# SPDX-License-Identifier: GPL-3.0-or-later
"""A real cone-beam scan (TIFF stack) in the real window: its geometry from a description, the attenuation of the flesh, and how
quickly the window answers, which is reported and not judged. Arguments: gantry, gantry-cli."""
import json
import os
import re
import sys

import drive
from drive import Failure, Skip

VALUE = r"^([−-]?[0-9.]+) 1/mm at"


def make_scan(window):
    """The frames by name, with the geometry that the TIFF files lack."""
    source = os.path.join(os.environ.get("GANTRY_DATA", "../shared/data"), "bell-pepper")
    if not os.path.isdir(source):
        raise Skip("the scan bell-pepper is not here (GANTRY_DATA)")
    scan = window.path("pepper")
    os.mkdir(scan)
    for name in os.listdir(source):
        if name.endswith(".tif"):
            os.symlink(os.path.abspath(os.path.join(source, name)), os.path.join(scan, name))
    with open(os.path.join(scan, "scan.json"), "w", encoding="utf-8") as file:
        json.dump({"beam": "cone", "sod_mm": 210.66, "sdd_mm": 553.74, "pixel_mm": 0.8, "centre_u": 69.5, "centre_v": 73.5,
                   "angles_deg": {"first": 0, "step": 1}, "values": "counts"}, file)
    return scan


def started(window):
    if not window.process:
        raise Skip("the scan bell-pepper is not here (GANTRY_DATA)")


def opens(window):
    window.start(make_scan(window))
    window.read(r"^cone beam · 361 views of 140 × 148$")
    window.read(r"^preview$")
    window.read(VALUE)


def follows_slider(window):
    started(window)
    window.number("Axial slice number", 60)
    before = window.read(VALUE).group(0)
    window.number("Axial slice number", 90)
    window.wait(lambda: window.read(VALUE).group(0) != before, "another slice under the crosshair")


def reconstructs(window):
    started(window)
    window.press("Reconstruct")
    window.read(r"^Reconstructed in .*: volume 140 × 140 × 148, 361 views$")


def shows_sinogram(window):
    started(window)
    window.press("Sinogram")
    window.wait(lambda: window.label(r"[Ss]inogram"), "the sinogram's title")
    window.read(r"^volume 140 × 140 × 148, 361 views$")


def reports_speed(window):
    started(window)
    if not os.path.exists(window.log):
        raise Failure("no timings were written")
    with open(window.log, encoding="utf-8") as file:
        for line in file:
            if not re.match(r"^[a-z0-9-]+ [0-9.]+$", line):
                raise Failure(f"“{line.strip()}” among the timings")
            print("# " + line.strip())
    if not window.measured("reconstruct-to-first-plane") or not window.measured("open-to-first-plane"):
        raise Failure("no time to the first plane")


def closes(window):
    """With the question about the unsaved volume answered; the program's end is clean."""
    started(window)
    window.press("Close")
    window.press("Close", within=window.dialog("Close the window?"))
    window.process.wait(drive.PATIENCE)
    if window.process.returncode != 0 or window.complaints():
        raise Failure(f"status {window.process.returncode}: {window.errors()}")


drive.run(sys.argv[1], [
    ("a TIFF stack opens with the geometry of its description", opens),
    ("the slider moves through the slices", follows_slider),
    ("reconstruct makes the volume", reconstructs),
    ("the sinogram is shown", shows_sinogram),
    ("timings are reported", reports_speed),
    ("the window closes cleanly", closes),
])
