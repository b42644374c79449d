# SPDX-License-Identifier: GPL-3.0-or-later
"""What the fourth view shows of a scan of counts: line integrals, values as stored, filtered projections, at one pixel. Arguments:
gantry, gantry-cli."""
import re
import subprocess
import sys

import drive
from drive import Failure


def opens(window):
    scan = window.path("counts.h5")
    subprocess.run([sys.argv[2], "simulate", "--counts", "--noise", "0", "--detector", "64x64", "--pixel", "3.2", "--views", "60", "-o",
                    scan], check=True, stdout=subprocess.DEVNULL)
    window.start(scan)
    window.read(r"^preview$")


def value_at(window, title, before=None):
    """Text and pixel of the value under the pointer, once the view has that title and the value is another than before."""
    window.wait(lambda: window.label("^" + title + "$"), title)
    picture = window.see("Projection", "image") or window.see("Projection")
    box = picture.get_extents(drive.Atspi.CoordType.WINDOW)

    def read():
        drive.Atspi.generate_mouse_event(int(box.x + 0.5 * box.width), int(box.y + 0.45 * box.height), "abs")
        match = window.label(r"^(\S.*?) +column ([0-9]+)  row ([0-9]+)$")
        return match.groups() if match and match.group(1) != before else None
    return window.wait(read, "another value at the pointer")


def shows(window):
    def show(values, title, before):
        window.action("projection-values", drive.GLib.Variant("s", values))
        return value_at(window, title, before)
    integral, *pixel = value_at(window, "Projection")
    stored, *stored_pixel = show("stored", "Stored Projection", integral)
    if pixel != stored_pixel or not 0.2 < float(integral) < 5 or int(re.sub(r"\D", "", stored)) < 1000:
        raise Failure(f"{integral} {pixel}, {stored} {stored_pixel}")
    filtered, *filtered_pixel = show("filtered", "Filtered Projection", stored)
    if filtered == integral or filtered_pixel != pixel:
        raise Failure(f"{filtered} {filtered_pixel}")
    weighted, *weighted_pixel = show("weighted", "Weighted Projection", filtered)
    if weighted_pixel != pixel or not 0.4 < float(weighted) / float(integral) <= 0.5:  # a full turn sees each line twice
        raise Failure(f"{weighted} {weighted_pixel} beside {integral}")
    if show("integrals", "Projection", weighted)[0] != integral:
        raise Failure(integral)


def sinogram(window):
    window.action("fourth", drive.GLib.Variant("s", "sinogram"))
    window.action("projection-values", drive.GLib.Variant("s", "filtered"))
    window.read("^Filtered Sinogram, row$")
    window.read(r" to .* 1/mm, filtered$")
    window.see("Axes: angle upwards, 0° to 354°; detector columns across, 0 to 63 px")
    window.action("projection-values", drive.GLib.Variant("s", "stored"))
    window.read("^Stored Sinogram, row$")
    window.read(r" to .*, counts$")
    window.action("projection-values", drive.GLib.Variant("s", "integrals"))
    window.read(r" to .*, line integral$")
    # Both axes fill the view: its corners are those of the picture.
    box = (window.see("Sinogram, row", "image") or window.see("Sinogram, row view")).get_extents(drive.Atspi.CoordType.WINDOW)
    for x, y, place in ((58, 40, r"column [0-3]  view 5[6-9], 3[3-5][0-9]°$"), (box.width - 22, 40, r"column 6[0-3]  view 5[6-9], 3[3-5][0-9]°$")):
        def read():
            drive.Atspi.generate_mouse_event(box.x + x, box.y + y, "abs")
            return window.label(place)
        window.wait(read, place)


drive.run(sys.argv[1], [
    ("a scan of counts opens", opens),
    ("line integrals, stored values and filtered projections", shows),
    ("the same of a sinogram", sinogram),
    ("no complaint", drive.ends_quietly),
])
