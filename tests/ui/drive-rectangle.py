# SPDX-License-Identifier: GPL-3.0-or-later
"""The rectangle of unattenuated rays, drawn on the projection of a scan of counts in the real window: by its button, moved, changed
by an edge, given up, zoomed, corrected with as if it had been typed. Arguments: gantry, gantry-cli."""
import array
import json
import math
import sys

import drive
from drive import Failure

NU, NV, VIEWS = 64, 48, 36
FIT = 0.94  # of the view, that a whole picture takes
FIELDS = ("Rectangle: column", "Rectangle: row", "Rectangle: width", "Rectangle: height")
NUMBERS = r"^Free beam: (\d+) × (\d+) px at column (\d+), row (\d+)$"
VALUE = r"^([−-]?[0-9.]+) 1/mm at"


def make_scan(window):
    """A cylinder in parallel light that grows from corner to corner: what the free rectangle holds, the slices show."""
    data = array.array("H")
    for _ in range(VIEWS):
        for v in range(NV):
            for u in range(NU):
                chord = 2 * math.sqrt(max(15 ** 2 - (u - (NU - 1) / 2) ** 2, 0)) if 8 <= v < NV - 8 else 0
                data.append(round((2000 + 20 * u + 10 * v) * math.exp(-0.02 * chord)))
    if sys.byteorder != "little":
        data.byteswap()
    with open(window.path("counts.raw"), "wb") as file:
        data.tofile(file)
    with open(window.path("counts.scan.json"), "w", encoding="utf-8") as file:
        json.dump({"files": {"type": "uint16", "dims": [NU, NV, VIEWS]}, "beam": "parallel", "pixel_mm": 1, "values": "counts",
                   "angles_deg": {"first": 0, "step": 180 / VIEWS}}, file)
    return window.path("counts.raw")


def typed(window):
    """Column, row, width, height as the plan's fields have them."""
    return tuple(int(window.see(name, "spin button").get_current_value()) for name in FIELDS)


def shown(window):
    """The same as the projection has them; None while it has none."""
    match = window.label(NUMBERS)
    return match and tuple(int(match.group(i)) for i in (3, 4, 1, 2))


def agree(window, rectangle, what):
    window.wait(lambda: typed(window) == rectangle and shown(window) == rectangle, what)


class Picture:
    """The projection on screen: its pixels' places, at a zoom about its middle."""

    def __init__(self, window, zoom=1.0):
        self.window = window
        self.area = next(node for node in window.walk()
                         if node.get_name() == "Projection" and node.get_role_name() in ("image", "icon"))
        self.zoom = zoom

    def share(self, u, v):
        box = self.area.get_extents(drive.Atspi.CoordType.WINDOW)
        scale = FIT * self.zoom * min(box.width / NU, box.height / NV)
        # Positions told for the window leave out 5 pixels of its border.
        return 0.5 + ((u - (NU - 1) / 2) * scale + 5) / box.width, 0.5 - ((v - (NV - 1) / 2) * scale - 5) / box.height

    def drag(self, begin, end):
        self.window.drag(self.area, self.share(*begin), self.share(*end))


def opens(window):
    window.start(make_scan(window))
    window.read(VALUE)
    if shown(window):
        raise Failure("a rectangle is shown that the plan does not use")


DOUBT = r"^The rectangle seems to hold some of the object"


def has_its_button_in_sight(window):
    """Before the rectangle is chosen as the source of the intensity."""
    window.unfold("Corrections")
    button = window.see("Draw Free Beam on the Projection", "push button")
    window.wait(lambda: button.get_extents(drive.Atspi.CoordType.WINDOW).height > 0, "the section to unfold")
    window.unfold("Corrections")


def is_drawn(window):
    window.ready("draw-rectangle")
    window.action("draw-rectangle")
    window.read(r"^Drag a rectangle where the beam passes no object")
    Picture(window).drag((3, 30), (10, 44))
    agree(window, (3, 30, 8, 15), "the rectangle that was drawn")


def has_its_button(window):
    corrections = window.see("Corrections", "label")
    window.drag(corrections, (0.5, 0.5), (0.5, 0.5))
    button = window.see("Draw Free Beam on the Projection", "push button")
    window.wait(lambda: button.get_extents(drive.Atspi.CoordType.WINDOW).height > 0, "the section to unfold")
    window.press("Draw Free Beam on the Projection")
    window.read(r"^Drag a rectangle where the beam passes no object")
    picture = Picture(window)
    picture.drag((52, 4), (40, 2))
    agree(window, (40, 2, 13, 3), "the rectangle that the button began, drawn from its upper right")


def is_moved(window):
    Picture(window).drag((46, 3), (18, 39))
    agree(window, (12, 38, 13, 3), "the rectangle that was moved")
    Picture(window).drag((18, 39), (2, 60))
    agree(window, (0, 45, 13, 3), "it to stay on the detector")


def is_changed_by_an_edge(window):
    Picture(window).drag((12.5, 46), (5.5, 30))
    agree(window, (0, 45, 6, 3), "its right edge to follow, alone")
    Picture(window).drag((5.5, 44.5), (20.5, 40.5))
    agree(window, (0, 41, 21, 7), "its lower right corner to follow")


def is_given_up(window):
    picture = Picture(window)
    window.action("draw-rectangle")
    window.key("Escape")
    picture.drag((30, 20), (40, 30))
    window.drag(picture.area, picture.share(10, 44), picture.share(30, 20), before_release=lambda: window.key("Escape"))
    # The rectangle is where it was. (A second press at one place would be a double click.)
    picture.drag((8, 42), (13, 38))
    agree(window, (5, 37, 21, 7), "the rectangle of before to be moved")


def follows_the_zoom(window):
    picture = Picture(window)
    picture.drag((15, 40), (30, 24))
    agree(window, (20, 21, 21, 7), "the rectangle in the middle")
    window.read(DOUBT)
    window.key("+")
    window.key("+")
    Picture(window, 1.25 ** 2).drag((30, 24), (34, 22))
    agree(window, (24, 19, 21, 7), "the rectangle to be moved at another zoom")
    window.key("0")


def value(window):
    return window.read(VALUE).group(1)


def corrects(window):
    """Drawn and typed rectangles give one value, another rectangle gives another."""
    window.action("draw-rectangle")
    Picture(window).drag((1, 1), (6, 5))
    agree(window, (1, 1, 6, 5), "the rectangle in the corner")
    window.wait(lambda: not window.label(DOUBT), "no doubt about free beam")
    window.press("Reconstruct")
    window.read(r"^volume 64 × 64 × 48, 36 views$")
    first = value(window)
    window.action("undo")
    window.wait(lambda: typed(window) == (24, 19, 21, 7), "the plan of before")
    window.wait(lambda: value(window) != first, "another value")
    for name, number in zip(FIELDS, (1, 1, 6, 5)):
        window.number(name, number)
    agree(window, (1, 1, 6, 5), "the typed numbers on the projection")
    window.wait(lambda: value(window) == first, "the value of before")


def goes(window):
    window.action("fourth", drive.GLib.Variant("s", "sinogram"))
    window.read(r"^Sinogram, row$")
    window.check_quiet()


if __name__ == "__main__":
    drive.run(sys.argv[1], [
        ("a scan of counts opens", opens),
        ("the way to the rectangle is in sight", has_its_button_in_sight),
        ("the rectangle is drawn by its command, and the plan follows", is_drawn),
        ("its button begins it, from any corner", has_its_button),
        ("its inside moves it, on the detector", is_moved),
        ("its edges change it", is_changed_by_an_edge),
        ("Escape gives up the tool and a drag", is_given_up),
        ("it is at home at every zoom", follows_the_zoom),
        ("it corrects as typed numbers do", corrects),
        ("nothing complained", goes),
    ])
