# SPDX-License-Identifier: GPL-3.0-or-later
"""Scans of phantoms in the real window: the dialog, the truth as B, sliders that simulate the scan anew, and the scan as a file that
a session can name. Arguments: gantry, gantry-cli."""
import os
import re
import subprocess
import sys
import time

import drive
from drive import Failure


def photograph(window, name):
    if "GANTRY_TEST_PICTURE" in os.environ:
        time.sleep(1)
        window.photograph(f"{os.environ['GANTRY_TEST_PICTURE']}-{name}.png")


def type_in(dialog, window, name, text):
    window.see(name, "text", dialog).set_text_contents(text)


def rmse(window):
    """The number behind "RMSE" on the Errors page; None before there is one."""
    table = window.find("Errors in numbers")
    labels = [node.get_name() or "" for node in window.walk(table) if node.get_role_name() == "label"] if table else []
    match = dict(zip(labels, labels[1:])).get("RMSE") if labels else None
    found = re.match(r"([0-9.]+)(?:·10⁻([⁰¹²³⁴⁵⁶⁷⁸⁹]+))?", match or "")
    if not found:
        return None
    power = (found.group(2) or "0").translate(str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789"))
    return float(found.group(1)) * 10.0 ** -int(power)


def refuses_nonsense(window):
    window.start()
    photograph(window, "start")
    window.press("New Scan from a Phantom…")
    dialog = window.dialog("New Scan from a Phantom")
    photograph(window, "dialog")
    make = window.see("Make Scan", "push button", dialog)
    for name, text, before in (("Views", "0", "360"), ("Pixel pitch", "wide", "0.8"), ("Columns", "", "256")):
        type_in(dialog, window, name, text)
        window.wait(lambda: not window.enabled(make), f"{name} of {text!r} to be refused")
        window.see(f"{name}: type a ", "label", dialog)
        type_in(dialog, window, name, before)
        window.wait(lambda: window.enabled(make), f"{name} of {before!r} to be taken")
    window.see("Tube voltage", "spin button", dialog).set_current_value(10)
    window.wait(lambda: not window.enabled(make), "10 kV to be refused")
    window.wait(lambda: window.enabled(window.see("Aluminium filter", "spin button", dialog)), "filters before a tube")
    window.press("Back to the standard value of: Tube voltage", within=dialog)
    window.wait(lambda: not window.enabled(window.see("Aluminium filter", "spin button", dialog)), "no filters without a tube")
    window.wait(lambda: window.enabled(make), "no spectrum to be taken")


def makes_a_scan(window):
    dialog = window.dialog("New Scan from a Phantom")
    for name, text in (("Columns", "128"), ("Rows", "1"), ("Views", "90")):
        type_in(dialog, window, name, text)
    window.press("Make Scan", within=dialog)
    window.read(r"^preview$")
    window.read(r"· 90 views of 128 × 1$")
    window.read(r"^truth of ")
    window.ready("clear-reference")
    photograph(window, "made")


def truth_is_b(window):
    window.action("show-errors")
    window.action("errors-scope", drive.GLib.Variant("s", "slice"))
    window.wait(lambda: rmse(window), "the error of the slice against the truth")


def the_other_side_read_the_same(window):
    """The ray through the crosshair, in the middle: view 0 and, half a turn on, view 45 see one line."""
    window.action("profile-ray")
    label = window.see("Ray through the crosshair: ", "label")
    told = (r"\nMeasured line integral ([0-9.]+)\n(?:.*\n)*The same line from the other side\nview 45 \(180\.\d°\), pixel ([0-9.]+), 0\.0\n"
            r"(?:the nearest view.*\n)?read ([0-9.]+) there, difference (−?[0-9.]+)$")
    match = window.wait(lambda: re.search(told, label.get_description() or ""), "the ray's numbers")
    if not label.get_name().endswith(f" · other side {match.group(3)}"):
        raise Failure(label.get_name())
    measured, column, there, difference = (float(text.replace("−", "-")) for text in match.groups())
    if not measured > 0.1 or abs(column - 63.5) > 2 or abs(there - measured - difference) > 2e-4 or abs(difference) > 0.02 * measured:
        raise Failure(match.group(0))
    window.action("profile-ray")


def sliders_change_the_slices(window):
    clean = rmse(window)
    window.action("show-simulation")
    window.number("Photons", 1000)
    window.action("show-errors")
    window.wait(lambda: (rmse(window) or 0) > 2 * clean, "a larger error with noise")
    window.action("show-simulation")
    photograph(window, "noise")
    window.press("Back to the standard value of: Photons")
    window.action("show-errors")
    window.wait(lambda: rmse(window) == clean, "the error of before without noise")
    window.action("show-simulation")
    window.number("Views", 30)
    window.read(r"· 30 views of 128 × 1$")
    window.action("show-errors")
    window.wait(lambda: (rmse(window) or 0) > 1.5 * clean, "a larger error of fewer views")


def results_of_before_are_not_served(window):
    window.press("Reconstruct")
    window.read(r"^Reconstructed in")
    window.wait(lambda: not window.action_enabled("cancel"), "the run to end")
    window.action("show-errors")
    right = window.wait(lambda: rmse(window), "the error of the right centre")
    window.action("show-simulation")
    window.number("Centre error", 3)
    window.action("show-errors")
    window.wait(lambda: (rmse(window) or 0) > 1.2 * right, "a larger error of a wrong centre")
    window.read(r"^preview$")
    window.action("show-simulation")
    window.press("Back to the standard value of: Centre error")
    window.action("show-errors")
    window.wait(lambda: (rmse(window) or 2 * right) < 1.1 * right, "the error of the right centre again")
    window.read(r"^preview$")


def session_wants_a_file(window):
    window.action("save-session")
    window.wait(lambda: "save it first" in (window.notice() or ""), "the notice that the scan is in memory alone")
    window.action("save-scan")
    window.save_as("Save the Scan", window.path("made.h5"))
    window.read(r"^Saved made\.h5")
    told = subprocess.run([sys.argv[2], "info", window.path("made.h5")], check=True, capture_output=True, text=True).stdout
    if "30" not in told or "128" not in told:
        raise Failure(f"the file holds another scan: {told}")
    window.action("save-session")
    window.save_as("Save the Session", window.path("made.gantry"))
    window.wait(lambda: os.path.exists(window.path("made.gantry")), "the session")
    with open(window.path("made.gantry"), encoding="utf-8") as file:
        if "made.h5" not in file.read():
            raise Failure("the session does not name the scan's file")


drive.run(sys.argv[1], [
    ("the dialog refuses what makes no scan", refuses_nonsense),
    ("a scan is made and opened, the truth is B", makes_a_scan),
    ("errors are told against the truth", truth_is_b),
    ("a line measured twice has two readings", the_other_side_read_the_same),
    ("sliders simulate the scan anew", sliders_change_the_slices),
    ("a session asks for the scan's file, and names it", session_wants_a_file),
    ("results of an earlier simulation are not taken for the present", results_of_before_are_not_served),
    ("it ends without complaints", drive.ends_quietly),
])
