# SPDX-License-Identifier: GPL-3.0-or-later
"""The oblique plane in the real window: shown, steered by numbers, by its trace and by its slider, live, from the volume, saved.
Arguments: gantry, gantry-cli."""
import math
import os
import subprocess
import sys
import zlib

import drive
from drive import Failure

TILT, ROTATION = "Tilt of the oblique plane", "Rotation of the oblique plane"
# The value under the crosshair as the views word it: value, then the letters of their coordinates.
READOUT = r"^✛ (?:A = )?([−0-9.]+) 1/mm +%s ([−0-9.]+) +%s ([−0-9.]+) mm$"


def readout(window, across, up):
    match = window.label(READOUT % (across, up))
    return match and tuple(float(text.replace("−", "-")) for text in match.groups())


def angle(window, name):
    return window.see(name, "spin button").get_current_value()


def turn(window, tilt, rotation):
    window.number(TILT, tilt)
    window.number(ROTATION, rotation)
    window.wait(lambda: abs(angle(window, TILT) - tilt) < 0.01 and abs(angle(window, ROTATION) - rotation) < 0.01, "the angles")


def agrees(window, across, up):
    """The oblique picture shows what the orthogonal one of these coordinates shows."""
    def same():
        a, b = readout(window, across, up), readout(window, "s", "t")
        return a and b and all(abs(p - q) <= 2e-3 * max(abs(p), 1e-3) for p, q in zip(a, b))
    window.wait(same, f"the oblique plane to agree with the {across}-{up} slice")


def opens(window):
    scan = window.path("head.h5")
    subprocess.run([sys.argv[2], "simulate", "--detector", "64x64", "--pixel", "3.2", "--views", "90", "--geometry", "cone", "-o", scan],
                   check=True, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    window.start(scan)
    window.read(r"^preview$")
    window.wait(lambda: readout(window, "x", "y"), "the axial slice")


def shows(window):
    window.action("fourth", drive.GLib.Variant("s", "oblique"))
    window.read(r"^d = [−0-9.]+ mm$")
    window.wait(lambda: readout(window, "s", "t"), "the oblique plane")
    if abs(angle(window, TILT) - 45) > 0.01 or abs(angle(window, ROTATION)) > 0.01:
        raise Failure(f"it begins at {angle(window, TILT)}, {angle(window, ROTATION)}")


def takes_numbers(window):
    for tilt, rotation, across, up in ((0, 0, "x", "y"), (90, 0, "x", "z"), (90, 90, "y", "z")):
        turn(window, tilt, rotation)
        agrees(window, across, up)


def resets(window):
    window.press("Reset the oblique plane")
    window.wait(lambda: abs(angle(window, TILT) - 45) < 0.01 and abs(angle(window, ROTATION)) < 0.01, "the angles it began with")


def drag_sagittal(window, begin, end):
    """A drag given in shares of the picture's smaller side, from its middle, up positive."""
    picture = window.see("Sagittal slice")
    box = picture.get_extents(drive.Atspi.CoordType.WINDOW)
    side = min(box.width, box.height)
    # Positions told for the window leave out 5 pixels of its border.
    window.drag(picture, *((0.5 + (x * side + 5) / box.width, 0.5 - (y * side - 5) / box.height) for x, y in (begin, end)))


def turns_by_a_handle(window):
    # The handles lie at 0.36 of the smaller side from the crosshair, here in the middle, along the line of 45 degrees.
    there = 0.36 * math.sqrt(0.5)
    drag_sagittal(window, (there, there), (0.36 * math.cos(math.radians(70)), 0.36 * math.sin(math.radians(70))))
    window.wait(lambda: abs(angle(window, TILT) - 70) < 2, "the tilt to follow the handle")


def shifts_by_its_line(window):
    turn(window, 60, 0)
    tilt = angle(window, TILT)
    window.wait(lambda: readout(window, "s", "t"), "the oblique plane")
    before = window.read(r"^d = ([−0-9.]+) mm$").group(1)
    x, y = 0.14 * math.cos(math.radians(tilt)), 0.14 * math.sin(math.radians(tilt))
    drag_sagittal(window, (x, y), (x + 0.15, y))
    window.wait(lambda: window.label(r"^d = ([−0-9.]+) mm$") and window.label(r"^d = ([−0-9.]+) mm$").group(1) != before,
                "the plane to follow its line")
    if abs(angle(window, TILT) - tilt) > 1e-6:
        raise Failure("a shift turned the plane")


def slides(window):
    node = window.see("Oblique slice number", "spin button")
    node.set_current_value(node.get_current_value() + 5)
    window.wait(lambda: readout(window, "s", "t"), "the oblique plane")


TOLD = r"^Tilt ([−0-9.]+)°, rotation ([−0-9.]+)°, d = ([−0-9.]+) mm$"


def is_steered_by_keys(window):
    turn(window, 60, 10)
    window.drag(window.see("Oblique slice"), (0.5, 0.5), (0.5, 0.5))  # a click gives it the keyboard
    for key, times in (("Up", 3), ("Left", 12)):
        for _ in range(times):
            window.key(key, "Control", "Shift")
    window.wait(lambda: abs(angle(window, TILT) - 63) < 0.01 and abs(angle(window, ROTATION) + 2) < 0.01, "the keys to turn it")
    told = window.read(TOLD)
    if told.groups()[:2] != ("63.0", "−2.0"):
        raise Failure(f"the label tells {told.group(0)}")
    before = window.see("Oblique slice number", "spin button").get_current_value()
    window.key("Page_Down")
    window.key("Page_Down")
    window.wait(lambda: window.see("Oblique slice number", "spin button").get_current_value() == before - 2, "the keys to shift it")
    window.wait(lambda: window.read(TOLD).group(3) != told.group(3), "the label to tell the shift")
    if abs(angle(window, TILT) - 63) > 0.01:
        raise Failure("the shift turned it")
    drive.Atspi.generate_mouse_event(640, 20, "abs")  # in the view the pointer's value is told, not the crosshair's
    window.wait(lambda: readout(window, "s", "t"), "the oblique plane")


def follows_a_run(window):
    window.press("Reconstruct")
    window.read(r"^volume 64³, 90 views$")
    # Slices lie at whole voxels, the oblique plane wherever the crosshair is.
    for view in ("Axial", "Coronal", "Sagittal"):
        window.number(view + " slice number", 28)
    turn(window, 90, 0)
    agrees(window, "x", "z")


def compares(window):
    window.press("Keep A as B")
    window.ready("clear-reference")
    window.action("mode", drive.GLib.Variant("s", "difference"))
    window.wait(lambda: window.label(r"^✛ A − B = 0 1/mm +s "), "no difference to itself")
    window.action("mode", drive.GLib.Variant("s", "a"))
    window.action("clear-reference")


def chunks(path):
    with open(path, "rb") as file:
        data = file.read()
    at = 8
    while at < len(data):
        length = int.from_bytes(data[at:at + 4], "big")
        yield data[at + 4:at + 8], data[at + 8:at + 8 + length]
        at += 12 + length


def is_saved(window):
    turn(window, 50, 35)
    picture = window.see("Oblique slice")
    window.drag(picture, (0.5, 0.5), (0.5, 0.5))  # a click gives it the keyboard
    window.action("save-slice")
    window.save_as("Save the Slice", window.path("oblique.png"))
    window.read(r"^Saved oblique\.png$")
    # A corner that is none of the volume is black, where the value 0 is not. No filter changes a picture's first pixel.
    path = window.path("oblique.png")
    black = next(float(text[13:]) for kind, text in chunks(path) if kind == b"tEXt" and text.startswith(b"Gantry black\0"))
    first = zlib.decompress(b"".join(data for kind, data in chunks(path) if kind == b"IDAT"))[1:3]
    if black >= 0 or first != b"\0\0":
        raise Failure(f"black is {black}, and the corner {first}")


def stands_in_the_scene(window):
    """The gantry of view 45 stands half a turn on; the ray through the middle meets the detector's middle."""
    window.action("fourth", drive.GLib.Variant("s", "scene"))
    for view in ("Axial", "Coronal", "Sagittal"):
        window.number(view + " slice number", 32)
    window.number("View of the gantry", 45)
    window.read(r"^θ = 180\.0°$")
    ray = window.read(r"ray through ✛: u ([0-9.]+)  v ([0-9.]+)$")
    if any(abs(float(text) - 31.5) > 2 for text in ray.groups()):
        raise Failure(ray.group(0))
    window.press("Play the gantry")
    window.wait(lambda: not window.label(r"^θ = 180\.0°$"), "the gantry to go round")
    window.press("Play the gantry")


def frames_in(window, folder, title):
    """Frames of the view with the keyboard, with a film where GStreamer makes one: as the toast tells."""
    window.action("save-frames")
    dialog = window.dialog(title)
    box = window.see("Also as a WebM film", within=dialog).get_extents(drive.Atspi.CoordType.WINDOW)
    drive.Atspi.generate_mouse_event(box.x + 9, box.y + box.height // 2, "b1c")
    window.choose(title, folder)
    told = window.read(r"^([0-9]+) frames( and a film)? were written to the folder ([a-z ]+)(; there is no film: .*)?$")
    count, film, name, why = told.groups()
    there = sorted(file for file in os.listdir(os.path.join(folder, name)) if not file.startswith("."))
    wanted = [f"frame-{n:04d}.png" for n in range(int(count))]
    if there != (["film.webm"] if film else []) + wanted or bool(film) == bool(why):
        raise Failure(f"{told.group(0)}: {there}")
    return [os.path.join(folder, name, frame) for frame in wanted]


def saves_frames(window):
    """All slices, each another picture; then the scene, cancelled, which leaves nothing."""
    os.mkdir(window.path("frames"))
    window.drag(window.see("Coronal slice"), (0.5, 0.5), (0.5, 0.5))
    frames = frames_in(window, window.path("frames"), "Folder for Frames of the Slices")
    pictures = {open(frame, "rb").read() for frame in frames}
    if len(frames) != 64 or len(pictures) < 60:
        raise Failure(f"{len(frames)} frames, of them {len(pictures)} different")
    window.action("fourth", drive.GLib.Variant("s", "scene"))
    window.drag(window.see("Scene", "image"), (0.5, 0.5), (0.5, 0.5))
    window.action("save-frames")
    window.choose("Folder for Frames of the Scene", window.path("frames"))
    window.read(r"frame [0-9]+ / 180")
    window.action("cancel")
    window.read(r"^Cancelled; no frame was kept")
    if os.listdir(window.path("frames")) != ["coronal frames"]:
        raise Failure(str(os.listdir(window.path("frames"))))


def links_places(window):
    """The sinogram is the one of the crosshair's slice: its row follows the axial slice."""
    window.action("fourth", drive.GLib.Variant("s", "sinogram"))
    row = window.see("Sinogram, row number", "spin button")
    window.number("Axial slice number", 32)
    window.wait(lambda: abs(row.get_current_value() - 32) <= 1, "the row of the middle slice")
    window.number("Axial slice number", 48)
    window.wait(lambda: row.get_current_value() >= 46, "the row of a higher slice")


def goes(window):
    window.action("fourth", drive.GLib.Variant("s", "projection"))
    window.read(r"^θ = ")
    window.check_quiet()


drive.run(sys.argv[1], [
    ("a scan opens", opens),
    ("the oblique plane is shown in the fourth view", shows),
    ("at right angles it is the axial, the coronal and the sagittal slice", takes_numbers),
    ("its angles are reset", resets),
    ("a handle of its line turns it", turns_by_a_handle),
    ("its line shifts it", shifts_by_its_line),
    ("its slider moves it", slides),
    ("keys tilt, turn and shift it, and say so", is_steered_by_keys),
    ("it is cut out of a finished volume", follows_a_run),
    ("it is compared with the reference", compares),
    ("it is saved", is_saved),
    ("the scene shows the gantry, and plays it", stands_in_the_scene),
    ("frames of slices are saved, those of the scene cancelled", saves_frames),
    ("the sinogram follows the crosshair's slice", links_places),
    ("the projection comes back, and nothing complained", goes),
])
