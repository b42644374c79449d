# SPDX-License-Identifier: GPL-3.0-or-later
"""Several results of the built-in example compared in the real window: the shelf keeps them within its memory, ticked ones lie over
one another in the profile with their differences, any is A or B, and nothing is lost. Arguments: gantry, gantry-cli."""
import os
import re
import sys
import time

import drive
from drive import Failure

RUNS = {"linear, single": {}, "half": {"precision": "float16"}, "nearest": {"precision": "float32", "interpolation": "nearest"}}


def photograph(window, name):
    if "GANTRY_TEST_PICTURE" in os.environ:
        time.sleep(1)
        window.photograph(f"{os.environ['GANTRY_TEST_PICTURE']}-{name}.png")


PARTS = {}


def part(window, name, role=None):
    """Found once: a walk through the whole window takes long."""
    if name not in PARTS:
        PARTS[name] = window.see(name, role)
    return PARTS[name]


def results(window):
    return part(window, "Results", "list")


def card(window, name, words=""):
    """The card of a result as it is read out, once the words are in it."""
    def look():
        shelf = results(window)
        for node in (shelf.get_child_at_index(i) for i in range(shelf.get_child_count())):
            text = (node.get_name() if node else None) or ""
            if re.match(re.escape(name) + r", (A|B|[a-z]+-)", text) and words in text:
                return text
        return None
    return window.wait(look, f"the card of “{name}” to say {words!r}")


def choose(window, name):
    window.press(f"Show {name} as A", within=results(window))
    card(window, name, ", A")


def curves(window):
    """Rows of the table beside the profile: name, RMSE, largest difference."""
    labels = [node.get_name() or "" for node in window.walk(part(window, "Curves in numbers")) if node.get_role_name() == "label"]
    return {name: (rmse, largest) for name, rmse, largest in zip(labels, labels[1:], labels[2:])}


def row(window, name):
    return window.wait(lambda: curves(window).get(name), f"the curve “{name}”")


def number(text):
    match = re.fullmatch(r"([0-9.]+)(?:·10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+))?", text)
    if not match:
        raise Failure(f"{text!r} is no number")
    power = (match.group(2) or "0").translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789"))
    return float(match.group(1)) * 10.0 ** int(power)


def oldest_leave_the_memory(window):
    """Two megabytes hold one volume of 64 voxels a side beside the one that is A, and no more."""
    window.start(settings={"shelf-memory": "2"})
    window.press("Open the Built-in Example")
    window.read(r"^preview$")
    for values in RUNS.values():
        window.take_values({"reconstruction." + key: value for key, value in {"nx": 64, **values}.items()})
        window.ready("reconstruct")
        window.press("Reconstruct")
        window.read(r"^Reconstructed in ")
    card(window, "linear, single", "on the disk")
    card(window, "nearest", ", A")
    window.read(r"^nearest: volume 64³, 360 views$")  # not the name of one whose memory it may have been given
    window.read(r"^[0-9.]+ MB of 2.00 MB$")


def ticked_ones_come_back(window):
    for name in RUNS:
        choose(window, name)
        if name == "half":
            window.see("Overlay half in the plots", "check box", results(window)).do_action(0)
        else:
            window.action("shelf-tick")
    window.press("Measure a profile")
    time.sleep(0.5)
    window.drag(window.see("Axial view"), (0.4, 0.42), (0.6, 0.42))
    for name in ("linear, single", "half", "A: nearest"):
        row(window, name)
    if row(window, "A: nearest")[0] != "reference":
        raise Failure("without B the others are compared with A")


def differences_are_told(window):
    window.press("Make linear, single the reference B", within=results(window))
    card(window, "linear, single", ", B")
    row(window, "B: linear, single")
    half, nearest = row(window, "half"), row(window, "A: nearest")
    if not 0 < number(half[0]) < number(nearest[0]) < number(nearest[1]):
        raise Failure(f"half differs by {half}, nearest by {nearest}")
    card(window, "nearest", "RMSE ")
    photograph(window, "profile")
    window.number("Thickness of the measuring line, pixels", 5)
    window.wait(lambda: row(window, "A: nearest") != nearest, "the mean across the line")


def pinned_ones_are_marked(window):
    choose(window, "half")
    window.action("shelf-pin")
    card(window, "half", "pinned")


def nothing_is_lost(window):
    window.action("close-scan")
    window.press("Keep Working", within=window.dialog("Close this scan?"))
    window.no_dialog()
    for name in RUNS:
        card(window, name, "not saved")


drive.run(sys.argv[1], [
    ("the oldest results leave the memory", oldest_leave_the_memory),
    ("ticked ones come back and lie over one another", ticked_ones_come_back),
    ("their differences from B are told", differences_are_told),
    ("pinned ones are marked", pinned_ones_are_marked),
    ("nothing is lost when the scan is closed", nothing_is_lost),
    ("it ends without complaints", drive.ends_quietly),
])
