# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes the pictures of the manual with the real window: python3 tests/ui/manual.py build/app/gantry docs/manual/pictures. Not a test;
tests/arch/test-manual.py sees that the pages and their pictures belong together. Needs imagemagick."""
import os
import subprocess
import sys
import time

import drive

OUT = sys.argv[2] if len(sys.argv) > 2 else "docs/manual/pictures"


def picture(window, name, crop=None, seconds=1.5):
    """Of the window, or a part of it (width x height + left + top); with few colours, as it lies in the repository."""
    time.sleep(seconds)
    path = os.path.join(OUT, name + ".png")
    window.photograph(path)
    subprocess.run(["convert", path, *(["-crop", crop, "+repage"] if crop else []), "-strip", "-colors", "128", "PNG8:" + path], check=True)


def word(text):
    return drive.GLib.Variant("s", text)


def start(window):
    window.start()
    window.see("Open the Built-in Example", "push button")
    picture(window, "start")


def plan(window):
    window.press("Open the Built-in Example")
    window.read(r"^preview$")
    time.sleep(2)
    window.unfold("Centre")
    picture(window, "plan", "840x520+0+0")
    window.unfold("Centre")


def whole(window):
    window.number("Axial slice number", 96)
    window.press("Reconstruct")
    window.read(r"^Reconstructed in")
    window.press("Measure a profile")
    time.sleep(0.7)
    window.drag(window.see("Axial view"), (0.36, 0.42), (0.64, 0.42))
    picture(window, "window", seconds=7)


def histogram(window):
    window.see("Histogram").do_action(0)
    picture(window, "histogram", "882x250+398+545")


def layouts(window):
    window.action("layout", word("large"))
    picture(window, "layouts", "882x512+398+50", 2)
    window.action("layout", word("grid"))


def scene(window):
    window.action("fourth", word("scene"))
    window.action("scene-volume", word("surface"))
    window.action("scene-corner")
    window.see("Threshold of the surface", "slider").set_current_value(0.002)  # below that of the brain
    window.action("scene-fit", word("volume"))
    window.action("layout", word("pair"))
    picture(window, "scene", "440x512+838+50", 5)
    window.action("layout", word("grid"))
    window.action("scene-volume", word("none"))
    window.action("fourth", word("projection"))


def comparing(window):
    window.action("set-reference")
    window.ready("clear-reference")
    window.number("Cut-off", 0.3)
    window.action("mode", word("swipe"))
    picture(window, "comparing", seconds=6)


def simulation(window):
    window.action("clear-reference")
    window.action("new-scan")
    dialog = window.dialog("New Scan from a Phantom")
    for name, text in (("Columns", "256"), ("Rows", "1"), ("Views", "180")):
        window.see(name, "text", dialog).set_text_contents(text)
    window.press("Make Scan", within=dialog)
    time.sleep(1)
    if window.root.get_child_count() > 1:  # whether the results of before may go
        window.press("Make Scan", within=window.root.get_child_at_index(window.root.get_child_count() - 1))
    window.read(r"· 180 views of 256 × 1$")
    window.action("show-simulation")
    window.number("Photons", 3000)
    picture(window, "simulation", seconds=6)


def filter_page(window):
    window.action("show-filter")
    window.see("Cut-off of the filter", "slider").set_current_value(0.6)
    picture(window, "filter", "882x233+398+562", 4)


def view_by_view(window):
    window.action("show-view-by-view")
    window.see("Number of views", "slider").set_current_value(40)
    window.read("^40 of 180 views")
    picture(window, "view-by-view", "882x233+398+562", 4)


def spectrum(window):
    window.action("show-spectrum")
    window.see("View of the line", "slider").set_current_value(30)
    window.see("Points of all views", "check box").do_action(0)
    window.read("^View 30 at")
    picture(window, "spectrum", "882x233+398+562", 4)


def interpolation(window):
    window.action("show-interpolation")
    window.take_values({"reconstruction.interpolation": "cubic"})
    window.read(r"cubic interpolation$")
    picture(window, "interpolation", "882x233+398+562", 6)


if __name__ == "__main__":
    os.makedirs(OUT, exist_ok=True)
    drive.run(os.path.abspath(sys.argv[1]), [("start page", start), ("plan", plan), ("whole window", whole), ("histogram", histogram),
                                             ("layouts", layouts), ("scene", scene), ("comparing", comparing), ("simulation", simulation), ("filter", filter_page), ("view by view", view_by_view), ("spectrum", spectrum), ("interpolation", interpolation)])
