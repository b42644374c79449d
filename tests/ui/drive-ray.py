# SPDX-License-Identifier: GPL-3.0-or-later
"""The ray that is pointed at, on the page "Profile", and a rectangle that becomes the grid: in the built-in example the integral
through the volume is what the pixel measured, within 1 % away from edges. Arguments: gantry, gantry-cli."""
import re
import sys

import drive
from drive import Failure


def opens(window):
    window.start()
    window.action("open-example")
    window.read(r"^preview$")
    window.action("profile-ray")
    window.wait(lambda: any((node.get_description() or "").startswith("Reconstruct the volume (Ctrl+R): its values along the ray")
                            for node in window.walk()), "what stands in place of the plot")
    window.press("Reconstruct")
    window.read(r"^Reconstructed in ")


WORDS = (r"^Ray (pointed at|through the crosshair): view (\d+) \([0-9.]+°\), pixel ([0-9.]+), ([0-9.]+)\n"
         r"Measured ([0-9.]+) · A ([0-9.]+) \((−?[0-9.]+) %\)(?: · |$)")


def agrees(match):
    measured, integral, share = (float(match.group(i).replace("−", "-")) for i in (5, 6, 7))
    if not measured > 0.5 or abs(integral / measured - 1) > 0.01 or abs(share) > 1 or abs(100 * (integral / measured - 1) - share) > 0.03:
        raise Failure(match.group(0))


def tells_the_rest(window):
    """The two lines are what one sees; the rest is said with them."""
    label = window.see("Ray through the crosshair: ", "label")
    window.wait(lambda: re.search(r"\nMeasured line integral [0-9.]+\nIntegral of A [0-9.]+\ndifference −?[0-9.]+ ",
                                  label.get_description() or ""), "the description of the ray's numbers")


def crosshair(window):
    match = window.read(WORDS)
    if match.group(1) != "through the crosshair":
        raise Failure(match.group(0))
    agrees(match)


def points(window, picture, x, y, before):
    box = picture.get_extents(drive.Atspi.CoordType.WINDOW)
    drive.Atspi.generate_mouse_event(int(box.x + x * box.width), int(box.y + y * box.height), "abs")

    def told():
        match = window.label(WORDS)
        return match if match and match.group(1) == "pointed at" and match.group(0) != before else None
    return window.wait(told, "the numbers of the ray that is pointed at")


def is_the_pixel_told(window):
    """The view tells the value of the same pixel, once the views have settled about the page's lines."""
    def same():
        match, told = window.label(WORDS), window.label(r"^(−?[0-9.]+)\s+column (\d+)  row (\d+)$")
        if not match or not told or [float(match.group(i)) for i in (3, 4)] != [int(told.group(i)) for i in (2, 3)]:
            return False
        digits = len(told.group(1).partition(".")[2])
        return abs(float(told.group(1)) - float(match.group(5))) <= 0.5 * 10.0 ** -digits + 1e-4
    window.wait(same, "the view and the page to tell the same value of the same pixel", 20)


def integral_is_what_was_measured(window):
    picture, before = window.see("Projection"), ""
    picture = window.see("Projection", "image") or picture
    for x, y in ((0.5, 0.5), (0.48, 0.45), (0.53, 0.52)):
        match = points(window, picture, x, y, before)
        before = match.group(0)
        agrees(match)
        is_the_pixel_told(window)


def region(window):
    window.action("reconstruct-region")
    window.read(r"^Draw a rectangle on an axial, coronal or sagittal slice")
    window.action("draw-mark", drive.GLib.Variant("s", "rectangle"))
    window.drag(window.see("Axial slice"), (0.45, 0.4), (0.52, 0.5))
    window.wait(lambda: window.action_enabled("remove-mark"), "the rectangle")
    window.action("reconstruct-region")
    dialog = window.dialog("Reconstruct this region?")
    window.see("Times finer", "spin button", dialog).set_current_value(4)
    window.see("Through the stack", "spin button", dialog).set_current_value(3)

    def told():
        for node in window.walk(dialog):
            match = re.match(r"(\d+) × (\d+) × (\d+) voxels of 0\.125 mm", node.get_name() or "")
            if match:
                return match
        return None
    size = [int(n) for n in window.wait(told, "the size of the region").groups()]
    if any(n % 4 for n in size) or not 24 <= size[2] <= 32:
        raise Failure(str(size))
    window.press("Reconstruct", within=dialog)
    window.no_dialog()
    window.read(r"^Reconstructed in .*volume ")
    text = "%d × %d × %d voxels" % tuple(size)
    window.read(text)
    window.read(r", 4 times finer$")
    window.action("undo")
    window.wait(lambda: not window.label(text), "the grid before")
    window.read("^256 × 256 × 256 voxels")


drive.run(sys.argv[1], [
    ("the example is reconstructed", opens),
    ("the crosshair's ray holds what was measured", crosshair),
    ("the rest of its numbers is told, too", tells_the_rest),
    ("integrals are what was measured", integral_is_what_was_measured),
    ("a rectangle becomes the grid, and undo takes it back", region),
    ("no complaint", drive.ends_quietly),
])
