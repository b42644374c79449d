# SPDX-License-Identifier: GPL-3.0-or-later
"""Regions in the real window: drawn by the pointer and by the keyboard, moved, named, removed and taken back, with the numbers that
gantry-cli measure has of the saved volume; a scale of two regions. Arguments: gantry, gantry-cli."""
import csv
import json
import math
import subprocess
import sys

import drive
from drive import Failure

SIZE = 40


def opens(window):
    scan = window.path("head.h5")
    subprocess.run([sys.argv[2], "simulate", "--detector", f"{SIZE}x{SIZE}", "--pixel", "5.12", "--views", "60", "--geometry", "cone", "-o", scan],
                   check=True, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    window.start(scan)
    window.read(r"^preview$")


def variant(text):
    return drive.GLib.Variant("s", text)


def draws(window):
    """Before there is a volume: measured on the slices on screen, and told so."""
    window.action("show-marks")
    window.action("draw-mark", variant("rectangle"))
    window.drag(window.see("Axial slice"), (0.42, 0.42), (0.56, 0.6))
    window.read(r"^Rectangle 1$")
    window.read(r"^rectangle, z = ")
    window.read(r"Of the preview on screen")


def save(window, name):
    window.action("save-volume")
    window.save_as("Save the Volume", window.path(name))
    window.wait(lambda: drive.os.path.exists(window.path(name)), "the volume to be saved")
    window.toast(r"saved")


def reconstructs(window):
    window.press("Reconstruct")
    window.read(r"^Reconstructed in ")
    window.wait(lambda: not window.label(r"Of the preview on screen"), "the volume to be measured")
    save(window, "volume.mha")


def draws_by_keys(window):
    window.drag(window.see("Coronal slice"), (0.5, 0.5), (0.5, 0.5))  # a click gives it the keyboard
    window.key("e", "Shift")
    window.read(r"^Drag from one end to the other")
    window.key("Return")
    window.read(r"at the other end")
    for key in ("Right", "Up"):
        for _ in range(6):
            window.key(key)
    window.key("Return")
    window.read(r"^ellipse, y = ")
    window.key("l", "Shift")
    window.key("Return")
    for _ in range(14):
        window.key("Left")
    window.key("Return")
    window.read(r"^distance, y = ")
    window.number("Thickness of the line", 4)


def free_regions(window):
    window.action("draw-mark", variant("polygon"))
    picture = window.see("Sagittal slice")
    for x, y in ((0.45, 0.4), (0.6, 0.45), (0.55, 0.62), (0.45, 0.4)):
        window.drag(picture, (x, y), (x, y))
        drive.time.sleep(0.3)
    window.read(r"^free region, x = ")
    window.action("draw-mark", variant("angle"))
    for x, y in ((0.6, 0.5), (0.5, 0.5), (0.5, 0.4)):
        window.drag(picture, (x, y), (x, y))
        drive.time.sleep(0.3)
    window.read(r"^angle, x = ")
    window.action("draw-mark", variant("point"))
    window.drag(picture, (0.5, 0.55), (0.5, 0.55))
    window.read(r"^point, x = ")


def table(window):
    window.action("save-marks")
    window.save_as("Save the Regions", window.path("regions.csv"), replace=drive.os.path.exists(window.path("regions.csv")))
    window.read(r"^The regions were saved as regions.csv")
    with open(window.path("regions.csv"), encoding="utf-8") as file:
        head = file.readline()
        return head, list(csv.DictReader(file))


def measured(rows, volume, *arguments):
    """The same marks by gantry-cli measure; points it does not know."""
    marks = []
    for row in rows:
        numbers = row["points"].replace(" ", ",").replace(";", ",")
        if row["kind"] == "line":
            numbers += "," + row["thickness"]
        if row["kind"] != "point":
            marks += ["--" + row["kind"], f"{row['name']}={row['plane']}:{row['position']}:{numbers}"]
    told = subprocess.run([sys.argv[2], "measure", volume, *marks, *arguments, "--json"], check=True, capture_output=True, text=True).stdout
    return {mark["name"]: mark for mark in json.loads(told)["marks"]}


FIGURES = ("mean", "deviation", "min", "max", "area", "voxels", "length", "before", "after", "peak_fwhm", "edge_at", "edge_fwhm", "edge_10_90", "angle_deg")


def agree(rows, known):
    count = 0
    for row in rows:
        if row["kind"] == "point":
            continue
        for figure in FIGURES:
            mine, other = row[figure], known[row["name"]].get(figure)
            if (mine == "") != (other is None):
                raise Failure(f"{figure} of {row['name']}: {mine!r} against {other!r}")
            if mine and abs(float(mine) - other) > 1e-9 * max(abs(other), 1e-12):
                raise Failure(f"{figure} of {row['name']}: {mine} against {other}")
            count += bool(mine)
    if count < 20:
        raise Failure(f"only {count} numbers to compare")


def agrees_with_the_command(window):
    head, rows = table(window)
    if [row["kind"] for row in rows] != ["rectangle", "ellipse", "line", "polygon", "angle", "point"] or "1/mm" not in head:
        raise Failure(f"{head}: {[row['kind'] for row in rows]}")
    agree(rows, measured(rows, window.path("volume.mha")))
    if not math.isfinite(float(rows[5]["mean"])):
        raise Failure("the point has no value")
    # What the list shows is the same number with fewer digits.
    mean = float(rows[0]["mean"])
    shown = [node.get_name() for node in window.walk() if node.get_role_name() == "label"]
    if not any(text and abs(float(text.replace("−", "-")) - mean) <= 1e-4 * abs(mean) for text in shown
               if text and text.replace("−", "").replace(".", "").isdigit()):
        raise Failure(f"no label shows the mean {mean}")


def moves_by_keys(window):
    _, before = table(window)
    window.drag(window.see("Axial slice"), (0.5, 0.5), (0.5, 0.5))  # beside all outlines: none is chosen
    window.wait(lambda: not window.action_enabled("remove-mark"), "none to be chosen")
    window.key("]")
    window.ready("remove-mark")
    place = window.read(r"^rectangle, (z = [−0-9.]+ mm)$").group(1)
    window.read(f"^{place}$")  # the slice that it lies in
    drive.time.sleep(0.5)
    window.key("Right", "Alt", "Shift")
    window.key("Up", "Control", "Shift")
    drive.time.sleep(0.5)
    _, after = table(window)
    old, new = ([[float(n) for n in p.split()] for p in rows[0]["points"].split(";")] for rows in (before, after))
    step = new[0][0] - old[0][0]
    if not step > 0 or abs(new[1][0] - old[1][0] - step) > 1e-9 or abs(new[0][1] - old[0][1]) > 1e-9:
        raise Failure(f"{old} became {new}")
    if not new[1][1] != old[1][1]:
        raise Failure("the handle did not move")
    agree(after, measured(after, window.path("volume.mha")))


def takes_back(window):
    window.action("remove-mark")
    window.wait(lambda: not window.label(r"^Rectangle 1$"), "the rectangle to go")
    window.action("undo-mark")
    window.read(r"^Rectangle 1$")


def reaches_beyond(window):
    window.action("draw-mark", variant("rectangle"))
    window.drag(window.see("Axial slice"), (0.5, 0.5), (0.99, 0.98))
    window.read(r"^Reaches beyond the slice: only its part within is measured")


def on_the_oblique_plane(window):
    """By the keyboard on the oblique plane, and there again when it was turned meanwhile."""
    window.action("fourth", variant("oblique"))
    picture = window.see("Oblique slice")
    drive.time.sleep(1)
    window.drag(picture, (0.5, 0.5), (0.5, 0.5))
    window.key("e", "Shift")
    window.key("Return")
    for key in ("Right", "Up"):
        for _ in range(5):
            window.key(key)
    window.key("Return")
    window.read(r"^ellipse, d = .* mm, tilt 45\.0°, rotation 0\.0°$")
    _, rows = table(window)
    if rows[-1]["plane"] != "oblique" or not float(rows[-1]["mean"]) > 0 or rows[-1]["slice"]:
        raise Failure(str(rows[-1]))
    window.number("Tilt of the oblique plane", 20)
    window.action("mark-there")
    window.wait(lambda: window.see("Tilt of the oblique plane", "spin button").get_current_value() == 45, "the plane to turn back")
    window.action("remove-mark")
    window.action("fourth", variant("projection"))


def in_b(window):
    window.press("Keep A as B")
    window.ready("clear-reference")
    window.take_values({"filter.window": "hann"})
    window.press("Reconstruct")
    window.read(r"^Reconstructed in ")
    save(window, "second.mha")
    window.wait(lambda: window.label(r"^A [0-9.]+\nB [0-9.]+$"), "numbers of A and of B")
    _, rows = table(window)
    agree([row for row in rows if row["result"] == "B"], measured([row for row in rows if row["result"] == "B"], window.path("volume.mha")))
    agree([row for row in rows if row["result"] == "A"], measured([row for row in rows if row["result"] == "A"], window.path("second.mha")))


def on_a_scale(window):
    """Ellipse 1 reads 1000, the rectangle that was drawn first 0; both as the volume has them."""
    window.press("Values in 1/mm")
    window.press("Use This Scale")
    window.see("Values in HU")
    head, rows = table(window)
    if "HU" not in head:
        raise Failure(head)
    ours = {row["name"]: float(row["mean"]) for row in rows if row["result"] == "A" and row["mean"]}
    if abs(ours["Rectangle 1"]) > 1e-6 or abs(ours["Ellipse 1"] - 1000) > 1e-6:
        raise Failure(f"{ours}")
    known = measured([row for row in rows if row["result"] == "A"], window.path("second.mha"), "--scale", "Rectangle 1=0,Ellipse 1=1000,HU")
    for name, value in ours.items():
        if name in known and abs(known[name]["mean"] - value) > 1e-6 * max(1000, abs(value)):
            raise Failure(f"{name}: {value} against {known[name]['mean']}")
    window.read(r"(?s)HU")


drive.run(sys.argv[1], [
    ("a scan opens", opens),
    ("a rectangle is drawn and measured on the preview", draws),
    ("a volume is made and measured", reconstructs),
    ("the keyboard draws an ellipse and a distance", draws_by_keys),
    ("a free region, an angle and a point are drawn by clicks", free_regions),
    ("all numbers are those of gantry-cli measure", agrees_with_the_command),
    ("keys move a region and a handle", moves_by_keys),
    ("a removed region is taken back", takes_back),
    ("a region beyond the slice says so", reaches_beyond),
    ("an ellipse on the oblique plane", on_the_oblique_plane),
    ("B is measured, too", in_b),
    ("values on a scale of two regions", on_a_scale),
    ("no complaint", drive.ends_quietly),
])
