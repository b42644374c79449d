# SPDX-License-Identifier: GPL-3.0-or-later
"""Warnings in the real window: what makes numbers doubtful stands in the banner, with what helps, on the Statistics page and in the
saved plan of the result. Arguments: gantry, gantry-cli."""
import json
import math
import os
import re
import struct
import sys

import drive
from drive import Failure


def make(window, name, change):
    """A scan of a disc over 180 degrees whose file does not say what its values are; change(row, column, p) makes them."""
    views, rows, columns = 60, 6, 64
    values = []
    for view in range(views):
        middle = 31.5 + 5 * math.cos(math.pi * view / views)
        line = [0.1 * math.sqrt(max(0, 36 - (i - middle) ** 2)) for i in range(columns)]
        values += [change(row, i, line[i]) for row in range(rows) for i in range(columns)]
    with open(window.path(name + ".bin"), "wb") as file:
        file.write(struct.pack(f"<{len(values)}f", *values))
    with open(window.path(name + ".json"), "w", encoding="utf-8") as file:
        json.dump({"files": {"raw": name + ".bin", "type": "float32", "dims": [columns, rows, views]}, "beam": "parallel", "pixel_mm": 1,
                   "angles_deg": {"first": 0, "step": 3}, "centre_u": 31.5}, file)
    return window.path(name + ".json")


def doubts_values(window):
    window.start(make(window, "unit", lambda row, i, p: 1000 * p))
    window.read(r"^preview$")
    window.wait(lambda: "unit of their own" in (window.notice() or ""), "the warning of the values")
    if window.alert():
        raise Failure(window.alert())


def takes_the_other(window):
    window.press("Take for Counts")
    window.wait(lambda: "unit of their own" not in (window.notice() or ""), "the end of the warning")
    window.action("undo")
    window.wait(lambda: "unit of their own" in (window.notice() or ""), "the warning again")


def takes_decadic_logarithms(window):
    window.open_recent(make(window, "disc_log10", lambda row, i, p: p / math.log(10)))
    window.wait(lambda: "hints at -log10" in (window.notice() or ""), "the warning of the name")
    window.press("Take for Optical Densities")
    window.read(r"^Optical densities times ln 10$")
    # The disc has 0.05 per pixel now, and the grey window went with it.
    window.wait(lambda: grey_window(window)[1] > 0.045, "the grey window of the new values", 20)


def grey_window(window):
    path = window.path("work.gantry")
    if not os.path.exists(path):
        window.action("save-session-as")
        window.save_as("Save the Session", path)
    else:
        os.unlink(path)
        window.action("save-session")
    window.wait(lambda: os.path.exists(path), "the saved session")
    with open(path, encoding="utf-8") as file:
        return json.load(file)["view"]["grey-window"]


def tells_another_scan(window):
    window.open_recent(make(window, "hot", lambda row, i, p: 60000 if row == 3 and i == 36 else 30000 * math.exp(-p)))
    window.wait(lambda: re.search("1 detector pixel stands out .*column 36, row 3", window.notice() or ""), "the warning of the hot pixel")
    window.read(r"1 bad pixel")


def removes_outliers(window):
    window.press("Remove Outliers")
    window.read(r"outliers above 5 σ, 5\d pixels mended")
    window.wait(lambda: not window.label(r"1 bad pixel"), "the end of the bad pixel")


drive.run(sys.argv[1], [
    ("doubtful values stand in the banner", doubts_values),
    ("the other meaning is a button away", takes_the_other),
    ("logarithms of another base are a button away", takes_decadic_logarithms),
    ("another scan has warnings of its own", tells_another_scan),
    ("bad pixels are removed by the button", removes_outliers),
])
