# SPDX-License-Identifier: GPL-3.0-or-later
"""A day's work by the keyboard alone: open, centre, reconstruct, scene, two regions, a distance, compare, a figure, a session, quit,
and all of it again as it was. Arguments: gantry, gantry-cli."""
import json
import os
import subprocess
import sys
import time

import drive
from drive import Failure


def write(window, text):
    for letter in text:
        window.key(letter)
        time.sleep(0.01)


def answer(window, title, path, key=None):
    """Types a path into a file dialog. key: what brings up the place for it."""
    window.dialog(title)
    if key:
        window.key(*key)
        time.sleep(0.5)
    window.key("a", "Control")
    write(window, path)
    time.sleep(0.5)
    window.key("Return")


def opens(window):
    subprocess.run([sys.argv[2], "simulate", "--detector", "48x48", "--pixel", "4.2", "--views", "60", "-o", window.path("scan.h5")],
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    window.start()
    window.see("Open the Built-in Example")
    window.key("o", "Control")
    answer(window, "Open a Scan or a Volume", window.path("scan.h5"), ("l", "Control"))
    window.read(r"^preview$")


def centres(window):
    window.key("f", "Control")
    window.read(r"(?i)centre")
    window.ready("reconstruct")


def reconstructs(window):
    window.key("r", "Control")
    window.read(r"^Reconstructed in ")


def looks_at_the_scene(window):
    window.key("e", "Alt")
    window.read(r"ray through")


def draw(window, key, moves, name):
    window.key(key, "Alt", "Shift")
    window.read(r"^Drag from one end to the other")
    window.key("Return")
    window.read(r"at the other end")
    for move in moves * 6:
        window.key(move)
    window.key("Return")
    window.read(f"^{name}$")


def measures(window):
    draw(window, "r", ("Right", "Up"), "Rectangle 1")
    draw(window, "e", ("Left", "Down"), "Ellipse 1")
    draw(window, "l", ("Right",), "Distance 1")


def compares(window):
    window.key("b", "Control")
    window.ready("clear-reference")
    window.key("3", "Alt")
    window.read(r"^A − B  ±")


def makes_a_figure(window):
    window.key("g", "Control")
    answer(window, "Save a Figure of the View", window.path("figure.svg"))
    window.read(r"^The figure was saved as figure\.svg")


def keeps_its_session(window):
    window.key("j", "Control", "Alt")
    answer(window, "Save the Session", window.path("day"))
    window.dialog("Save the result with the session?")
    window.key("Return")
    window.read(r"^Saved the session day\.gantry$")
    window.key("q", "Control")
    window.process.wait(drive.PATIENCE)
    window.check_quiet()


def comes_back(window):
    window.toasts_read = 0
    os.unlink(window.path("debug"))
    window.start()
    window.see("Open the Built-in Example")
    window.key("j", "Control")
    answer(window, "Open a Session", window.path("day.gantry"), ("l", "Control"))
    window.read(r"^Opened the session day\.gantry$")
    for name in ("Rectangle 1", "Ellipse 1", "Distance 1"):
        window.see(name)
    window.read(r"^A − B  ±")
    window.key("j", "Control", "Shift")
    window.read(r"^Saved the session day\.gantry$")
    with open(window.path("day.gantry"), encoding="utf-8") as file:
        session = json.load(file)
    if len(session["regions"]) != 3 or session["view"]["fourth"] != "scene" or len(session["results"]) != 1:
        raise Failure(str(session["view"]))


drive.run(sys.argv[1], [
    ("a scan is opened", opens),
    ("its centre is found", centres),
    ("it is reconstructed", reconstructs),
    ("the scene is looked at", looks_at_the_scene),
    ("two regions and a distance are drawn", measures),
    ("the result is compared", compares),
    ("a figure is made", makes_a_figure),
    ("the session is saved, and the program quits", keeps_its_session),
    ("the session is opened as it was", comes_back),
    ("it ends without complaints", drive.ends_quietly),
])
