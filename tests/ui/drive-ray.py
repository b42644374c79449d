# SPDX-License-Identifier: GPL-3.0-or-later
"""The ray that is pointed at, on the page "Profile". In the built-in example the integral
through the volume is what the pixel measured, within 1 % away from edges. Arguments: gantry, gantry-cli."""
import sys
import time

import drive
from drive import Failure


def opens(window):
    window.start()
    window.action("open-example")
    window.read(r"^preview$")
    window.action("profile-ray")
    window.press("Reconstruct")
    window.read(r"^Reconstructed in ")


WORDS = (r"^Ray (pointed at|through the crosshair)\nview (\d+) \([0-9.]+°\), pixel ([0-9.]+), ([0-9.]+)\n"
         r"Measured line integral ([0-9.]+)\nIntegral of A ([0-9.]+)\ndifference (−?[0-9.]+) \((−?[0-9.]+) %\)$")


def agrees(match):
    measured, integral, difference, share = (float(match.group(i).replace("−", "-")) for i in (5, 6, 7, 8))
    if not measured > 0.5 or abs(integral / measured - 1) > 0.01 or abs(share) > 1 or abs(integral - measured - difference) > 2e-4:
        raise Failure(match.group(0))


def crosshair(window):
    match = window.read(WORDS)
    if match.group(1) != "through the crosshair":
        raise Failure(match.group(0))
    agrees(match)


def points(window, picture, x, y, before):
    box = picture.get_extents(drive.Atspi.CoordType.WINDOW)
    drive.Atspi.generate_mouse_event(int(box.x + x * box.width), int(box.y + y * box.height), "abs")
    return window.wait(lambda: (window.label(WORDS) or None) and window.label(WORDS).group(0) != before and window.label(WORDS), "the ray's numbers")


def integral_is_what_was_measured(window):
    picture, before = window.see("Projection"), ""
    picture = window.see("Projection", "image") or picture
    for x, y in ((0.5, 0.5), (0.48, 0.45), (0.53, 0.52)):
        match = points(window, picture, x, y, before)
        before = match.group(0)
        if match.group(1) != "pointed at":
            raise Failure(before)
        agrees(match)


drive.run(sys.argv[1], [
    ("the example is reconstructed", opens),
    ("the crosshair's ray holds what was measured", crosshair),
    ("integrals are what was measured", integral_is_what_was_measured),
    ("no complaint", drive.ends_quietly),
])
