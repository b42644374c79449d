# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes the pictures of docs/lessons.md with the real window: python3 tests/ui/lessons.py build/app/gantry docs/lessons. Not a test.
A further argument, `all`, sets up every step of every lesson and says what of it cannot be looked at. Needs imagemagick's `convert`."""
import json
import os
import subprocess
import sys
import time

import drive

FILES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "resources", "lessons")
OUT = sys.argv[2]
# The step of each lesson that its picture shows, counted from 0.
STEPS = {"01": 2, "02": 2, "03": 4, "04": 3, "05": 4, "06": 2, "07": 4, "08": 5, "09": 2, "10": 3, "11": 0}


def picture(window, path):
    window.photograph(path)
    subprocess.run(["convert", path, "-resize", "70%", "+dither", "-colors", "64", "-depth", "8", "-define", "png:compression-level=9", path], check=True)


def set_up(window, step):
    window.action("lesson-set-up")
    time.sleep(5)
    for number in range(len(step["look"])):
        if isinstance(step["look"][number], str):
            window.action("lesson-look", drive.GLib.Variant("i", number))
            if window.toast("is not on screen: set the step up first"):
                print(f"# {step['title']}: {step['look'][number]} is not there", flush=True)
    time.sleep(0.5)


def all_lessons(window):
    window.start()
    window.press("Lessons")
    for number, name in enumerate(sorted(os.listdir(FILES))):
        lesson = json.load(open(os.path.join(FILES, name), encoding="utf-8"))
        window.action("choose-lesson", drive.GLib.Variant("i", number))
        for index, step in enumerate(lesson["steps"]):
            if index:
                window.action("lesson-next")
            if "all" in sys.argv[3:] or index == STEPS[name[:2]]:
                set_up(window, step)
                path = os.path.join(OUT, f"{name[:2]}-{index + 1}.png" if "all" in sys.argv[3:] else name.replace(".json", ".png"))
                picture(window, path)


drive.run(sys.argv[1], [("pictures", all_lessons)])
