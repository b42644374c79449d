# SPDX-License-Identifier: GPL-3.0-or-later
"""The question before work is lost, in the real window: it saves the results, and then goes on. Arguments: gantry, gantry-cli."""
import os
import subprocess
import sys

import drive
from drive import Failure


def opens(window):
    scan = window.path("head.h5")
    subprocess.run([sys.argv[2], "simulate", "--detector", "32x32", "--pixel", "4.8", "--views", "40", "-o", scan], check=True, capture_output=True)
    window.start(scan)
    window.read(r"^cone beam · 40 views of 32 × 32$")
    window.read(r"^preview$")
    window.press("Reconstruct")
    window.read(r"^Reconstructed in ")


def question_saves(window):
    path = window.path("saved.mha")
    window.press("Close")
    window.press("Save…", within=window.dialog("Close the window?"))
    window.save_as("Save the Result", path, ends=True)
    window.process.wait(drive.PATIENCE)
    if window.process.returncode != 0 or os.path.getsize(path) < 4 * 32 ** 3:
        raise Failure(f"status {window.process.returncode}, {os.path.getsize(path)} bytes")


drive.run(sys.argv[1], [
    ("a scan opens and is reconstructed", opens),
    ("the question about unsaved results saves, and then goes on", question_saves),
    ("nothing was complained about on the way", drive.Driver.check_quiet),
])
