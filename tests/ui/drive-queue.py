# SPDX-License-Identifier: GPL-3.0-or-later
"""Figures of the views, and the queue, in the real window: pictures and drawings are written; the open scan goes through the queue into
a volume, a second time it fails in words, or is passed over. Arguments: gantry, gantry-cli."""
import os
import subprocess
import sys
import time

import drive
from drive import Failure


def photograph(window, name):
    if "GANTRY_TEST_PICTURE" in os.environ:
        time.sleep(1)
        window.photograph(f"{os.environ['GANTRY_TEST_PICTURE']}-{name}.png")


def figures_are_written(window):
    subprocess.run([sys.argv[2], "simulate", "--detector", "32x32", "--pixel", "6.4", "--views", "32", "-o", window.path("scan.h5")], check=True)
    window.start(window.path("scan.h5"))
    window.read(r"^preview$")
    window.ready("set-reference")
    for action, title, name, begin in (("save-figures", "Save a Figure of All Views", "all.png", b"\x89PNG"),
                                       ("save-figure", "Save a Figure of the View", "one.svg", b"<?xml")):
        window.action(action)
        window.save_as(title, window.path(name))
        window.read(rf"^The figure was saved as {name}\.$")
        with open(window.path(name), "rb") as file:
            if not file.read().startswith(begin):
                raise Failure(f"{name} is something else")
    window.action("save-figure")
    window.save_as("Save a Figure of the View", window.path("one.xyz"))
    window.wait(lambda: ".png, .svg or .pdf" in (window.alert() or ""), "the formats to be told")


def choose_folder(window, queue, path):
    window.press("Choose…", within=queue)
    window.wait(lambda: window.root.get_child_count() > 2, "the dialog for the folder")
    dialog = window.dialog("Choose the Folder for the Volumes")
    window.key("l", "Control")
    window.see("", "text", dialog).set_text_contents(path)
    time.sleep(0.5)
    actions = [dialog.get_action_name(i) for i in range(dialog.get_n_actions())]
    dialog.do_action(actions.index("default.activate"))
    window.wait(lambda: window.root.get_child_count() == 2, "the dialog to go")


def summary(window, queue, words):
    window.wait(lambda: window.find(words, "label", queue), f"“{words}”")


def a_scan_goes_through_the_queue(window):
    os.mkdir(window.path("volumes"))
    window.action("queue")
    queue = window.dialog("Queue")
    window.press("Add the Open Scan", within=queue)
    choose_folder(window, queue, window.path("volumes"))
    window.press("Reconstruct All", within=queue)
    summary(window, queue, "1 in all: 1 done.")
    photograph(window, "queue")
    if not os.path.exists(window.path("volumes/scan-1.mha")):
        raise Failure(f"there is no volume: {os.listdir(window.path('volumes'))}")
    window.press("Reconstruct All", within=queue)
    summary(window, queue, "1 in all: 0 done, 1 failed.")
    window.see("Pass over volumes that are there", "check box", queue).do_action(0)
    window.press("Reconstruct All", within=queue)
    summary(window, queue, "1 in all: 1 done.")
    window.press("Close", within=queue)
    window.no_dialog()


drive.run(sys.argv[1], [
    ("figures are written", figures_are_written),
    ("a scan goes through the queue", a_scan_goes_through_the_queue),
    ("it ends without complaints", drive.ends_quietly),
])
