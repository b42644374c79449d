# SPDX-License-Identifier: GPL-3.0-or-later
"""A real cone-beam scan (TIFF stack) in the real window: its geometry from a description, the attenuation of the flesh, and how
quickly the window answers, which is reported and not judged. Arguments: gantry, gantry-cli."""
import os
import re
import sys

import drive
from drive import Failure, Skip

VALUE = r"^([−-]?[0-9.]+) 1/mm at"


def started(window):
    if not window.process:
        raise Skip("the scan bell-pepper is not here (GANTRY_DATA)")


def opens(window):
    window.start(drive.make_pepper(window))
    window.read(r"^cone beam · 361 views of 140 × 148$")
    window.read(r"^preview$")
    window.read(VALUE)


def axial_words(window, pattern):
    """Match of a label over the axial picture: its place and its value are that picture's own, and not the slider's."""
    for node in window.walk(window.see("Axial view")):
        match = re.search(pattern, node.get_name() or "")
        if match:
            return match
    return None


def number_in(match):
    return float(match.group(1).replace("−", "-"))


def follows_slider(window):
    started(window)
    pitch = 0.8 * 210.66 / 553.74  # of a voxel
    values = []
    for index in (60, 90):
        window.number("Axial slice number", index)
        window.wait(lambda: abs(number_in(axial_words(window, r"^z = ([−0-9.]+) mm$")) - (index - 73.5) * pitch) < 0.06,
                    f"the picture of slice {index}")
        values.append(number_in(axial_words(window, r"^(?:✛ )?([−0-9.]+) 1/mm")))
    if values[0] == values[1]:
        raise Failure(f"both slices are {values[0]} 1/mm under the crosshair")


def reconstructs(window):
    started(window)
    window.press("Reconstruct")
    window.read(r"^Reconstructed in .*: volume 140 × 140 × 148, 361 views$")


def shows_sinogram(window):
    started(window)
    window.action("fourth", drive.GLib.Variant("s", "sinogram"))
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
