# SPDX-License-Identifier: GPL-3.0-or-later
"""The search of the centre in the real window, on a scan that it takes a while for: cancel, and the values before.
Arguments: gantry, gantry-cli."""
import os
import subprocess
import sys
import time

import drive
from drive import Failure


def opens(window):
    subprocess.run([sys.argv[2], "simulate", "--geometry", "parallel", "--detector", "1536x24", "--views", "720", "--arc", "360",
                    "-o", window.path("large.h5")], check=True, capture_output=True)
    window.start(window.path("large.h5"))
    window.read(r"^parallel beam · 720 views of 1536 × 24$")
    window.read(r"^preview$")


def turn(window, degrees):
    """Another first angle: what was found for the one before is not remembered for this one. Slices so small that only the search
    takes its time."""
    few = {f"reconstruction.n{axis}": 16 for axis in "xyz"}
    window.take_values({"geometry.angle_first": degrees, **few}, "turned.json")
    window.read(r"^Values taken from turned\.json$")
    window.read(r"^preview$")


def cancels_search(window):
    """In the middle of it. A quick machine may have found the centre before the cancel comes: then again, and sooner."""
    for degrees in range(1, 11):
        turn(window, degrees)
        used = window.read(r"^In use: column .*$").group(0)
        window.action("find-centre")
        if window.action_enabled("pause") or window.action_enabled("finish"):
            raise Failure("a search cannot be paused or finished early")
        time.sleep(0.5 / degrees)
        if "GANTRY_TEST_PICTURE" in os.environ and degrees == 1:
            window.photograph(os.environ["GANTRY_TEST_PICTURE"] + "-search.png")
        window.action("cancel")
        if window.read(r"^(The search was cancelled\. The centre before is kept\.|Centre of rotation at .*)$").group(0)[0] == "T":
            break
        window.action("undo")
    else:
        raise Failure("ten searches ended before they were cancelled")
    window.wait(lambda: not window.action_enabled("cancel"), "nothing more to cancel")
    if not window.action_enabled("redo"):
        raise Failure("the edit that asked for the search was not taken back")
    if window.read(r"^In use: column .*$").group(0) != used:
        raise Failure("another centre is in use")
    window.read(r"^preview$")


def cancels_before_it_begins(window):
    window.action("find-centre")
    window.action("cancel")
    window.wait(lambda: not window.action_enabled("cancel") and window.action_enabled("redo"), "the values before")


def finds(window):
    window.action("find-centre")
    found = float(window.read(r"^Centre of rotation at ([0-9.]+) px").group(1))
    if abs(found - 767.5) > 0.5:
        raise Failure(f"centre found at {found}, not 767.5")
    window.read(r"^preview$")
    if window.action_enabled("cancel"):
        raise Failure("there is still something to cancel")


drive.run(sys.argv[1], [
    ("a large scan opens", opens),
    ("the search is cancelled, and the values before are back", cancels_search),
    ("it is cancelled before it begins", cancels_before_it_begins),
    ("left alone it finds the centre", finds),
    ("it ends without complaints", drive.ends_quietly),
])
