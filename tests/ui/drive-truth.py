# SPDX-License-Identifier: GPL-3.0-or-later
"""Results in the real window tell the truth: px where the pixel size is not known, what A and B differ in that nobody asked for,
a sweep's centre that is not by hand, outputs that would replace what they are made from. Arguments: gantry, gantry-cli."""
import json
import math
import os
import struct
import sys
import time

import drive
from drive import Failure

VIEWS, COLUMNS, ROWS = 121, 96, 3


def make_scan(window):
    """Two discs beside the axis, parallel beam over 0 to 360 degrees, the first view again at the end, a stripe that becomes a
    ring; no pixel size and no centre."""
    values = []
    for view in range(VIEWS):
        angle = view * 3 * math.pi / 180
        row = []
        for i in range(COLUMNS):
            u = i - 48.3
            value = 0
            for x, y, radius, mu in ((14, 3, 12, 0.03), (-16, -9, 7, 0.05)):
                d = u - (x * math.cos(angle) + y * math.sin(angle))
                value += 2 * mu * math.sqrt(max(0, radius * radius - d * d))
            row.append(value + (0.03 if i == 60 else 0))
        values += row * ROWS
    with open(window.path("discs.bin"), "wb") as file:
        file.write(struct.pack(f"<{len(values)}f", *values))
    with open(window.path("angles.csv"), "w", encoding="utf-8") as file:
        file.writelines(f"{3 * view}\n" for view in range(VIEWS))
    with open(window.path("discs.json"), "w", encoding="utf-8") as file:
        json.dump({"files": {"raw": "discs.bin", "type": "float32", "dims": [COLUMNS, ROWS, VIEWS]}, "beam": "parallel",
                   "values": "line integrals", "angles_deg": {"file": "angles.csv"}}, file)
    return window.path("discs.json")


def photograph(window, name):
    if "GANTRY_TEST_PICTURE" in os.environ:
        time.sleep(1)
        window.photograph(f"{os.environ['GANTRY_TEST_PICTURE']}-{name}.png")


def opens_in_pixels(window):
    window.start(make_scan(window))
    window.read(r"^preview$")
    window.read(r"^[−-]?[0-9.]+ 1/px at\nx.[−0-9.]+, y.[−0-9.]+, z.[−0-9.]+.px$")
    window.read(r"^z = [−0-9.]+ px$")
    window.read(r"^360° in steps of 3°, from 0°, the first view repeated at the end$")
    for node in window.walk():
        name = node.get_name() or ""
        # What no page shows is filled when it is shown.
        if " 1/mm" in name and node.get_state_set().contains(drive.Atspi.StateType.SHOWING):
            raise Failure(f"a label tells mm: {name!r}")
    photograph(window, "pixels")


def lists_what_moved(window):
    window.action("set-reference")
    window.ready("clear-reference")
    window.take_values({"corrections.rings": "sorting", "corrections.ring_size": 31})
    window.read(r"^preview$")
    window.see("Statistics").do_action(0)
    window.read(r"^Found anew for A and for B, and not the same:\nCentre \(centre\.column\): [0-9.]+.px, [0-9.]+.px$")
    photograph(window, "moved")


def refuses_to_replace_the_source(window):
    window.action("save-plan")
    window.save_as("Save the Plan", window.path("discs.json"), replace=True)
    window.wait(lambda: "belongs to the open scan" in (window.alert() or ""), "the refusal")
    with open(window.path("discs.json"), encoding="utf-8") as file:
        if "files" not in json.load(file):
            raise Failure("the description was overwritten")


def refuses_plots_too(window):
    """The angles of a scan are a table, as the curve of a run is."""
    window.take_values({"iterative.method": "sirt", "iterative.iterations": 2})
    window.press("Reconstruct")
    window.read(r"^Reconstructed in .*")
    window.action("save-convergence")
    window.save_as("Save the Convergence", window.path("angles.csv"), replace=True)
    window.wait(lambda: "angles.csv" in (window.alert() or "") and "belongs to the open scan" in window.alert(), "the refusal")
    with open(window.path("angles.csv"), encoding="utf-8") as file:
        if not file.read().startswith("0\n3\n"):
            raise Failure("the angles were overwritten")


def sweep_is_not_by_hand(window):
    window.action("sweep-centre")
    window.toast(r"^Best centre of \d+ trials: ")
    window.read(r"^In use: column [0-9.]+, as found before\.$")
    photograph(window, "swept")


drive.run(sys.argv[1], [
    ("lengths are px where the pixel size is not known", opens_in_pixels),
    ("what moved by itself is listed", lists_what_moved),
    ("a plan does not replace the scan's description", refuses_to_replace_the_source),
    ("a sweep's centre is not by hand", sweep_is_not_by_hand),
    ("a curve does not replace the scan's angles", refuses_plots_too),
    ("it ends without complaints", drive.ends_quietly),
])
