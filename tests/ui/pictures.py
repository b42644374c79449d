# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes the pictures of the README with the real window: python3 tests/ui/pictures.py build/app/gantry docs. Not a test. The tooth
(a public synchrotron scan) is shown only where GANTRY_DATA has it. Needs imagemagick's `import`."""
import json
import os
import sys
import time

import drive

OUT = sys.argv[2] if len(sys.argv) > 2 else "docs"


def settle(window, seconds=1.5):
    time.sleep(seconds)


def style(window, name):
    window.action("style", drive.GLib.Variant("s", name))
    settle(window)


def start_page(window):
    window.start()
    window.see("Open the Built-in Example", "push button")
    settle(window)
    window.photograph(os.path.join(OUT, "start.png"))


def example(window):
    window.press("Open the Built-in Example")
    window.read(r"^preview$")
    settle(window, 3)
    window.number("Axial slice number", 96)
    window.press("Measure a profile")
    settle(window, 0.7)
    window.drag(window.see("Axial view"), (0.36, 0.42), (0.64, 0.42))
    window.action("set-reference")
    settle(window, 6)
    window.number("Cut-off", 0.4)
    settle(window)
    window.action("reconstruct")
    settle(window, 0.4)
    window.photograph(os.path.join(OUT, "window-running.png"))
    window.read(r"^Reconstructed in")
    settle(window, 7)
    window.photograph(os.path.join(OUT, "window-light.png"))


def dark(window):
    style(window, "dark")
    window.action("mode", drive.GLib.Variant("s", "swipe"))
    settle(window)
    window.photograph(os.path.join(OUT, "window-dark.png"))
    window.action("mode", drive.GLib.Variant("s", "a"))
    style(window, "light")


def iterative(window):
    """Few views: total variation on the left, filtered back-projection on the right, and how two methods came there."""
    window.action("clear-reference")
    path = window.path("values.json")
    for method, iterations in (("sirt", 30), ("fista-tv", 30)):
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"gantry_plan": 1, "parameters": {"scan.view_step": 6, "iterative.method": method,
                                                        "iterative.iterations": iterations}}, file)
        window.open_recent(path)
        settle(window, 4)
        window.press("Reconstruct")
        window.wait(lambda: window.label(rf"^volume 256³, {method.upper()}, {iterations} iterations$"), "the volume", 600)
    window.action("remove-profile")
    window.action("show-convergence")
    window.action("compare-direct")
    window.action("mode", drive.GLib.Variant("s", "swipe"))
    settle(window, 12)
    window.photograph(os.path.join(OUT, "window-iterative.png"))
    window.action("mode", drive.GLib.Variant("s", "a"))


def compared(window):
    """Four results on the shelf, their profiles over one another and what each differs from the first by."""
    window.process.terminate()
    window.process.wait()
    window.start()
    window.press("Open the Built-in Example")
    window.read(r"^preview$")
    for values in ({}, {"precision": "float16"}, {"precision": "float32", "interpolation": "nearest"}, {"interpolation": "oversampled"}):
        window.take_values({"reconstruction." + key: value for key, value in {"nx": 128, **values}.items()})
        settle(window, 1)
        window.press("Reconstruct")
        window.read(r"^Reconstructed in")
        settle(window, 2)  # what has just been made is chosen
        window.action("shelf-tick")
    window.action("show-panel")
    window.press("Measure a profile")
    settle(window, 0.7)
    window.drag(window.see("Axial view"), (0.36, 0.42), (0.64, 0.42))
    window.press("Make linear the reference B")
    settle(window, 8)
    window.photograph(os.path.join(OUT, "window-compared.png"))
    style(window, "dark")
    window.photograph(window.path("dark.png"))
    style(window, "light")


def tooth(window):
    path = os.path.join(os.environ.get("GANTRY_DATA", "../shared/data"), "tooth.h5")
    if not os.path.exists(path):
        raise drive.Skip("the scan tooth.h5 is not here (GANTRY_DATA)")
    window.process.terminate()
    window.process.wait()
    window.start(path)
    window.read(r"181 views of 640")
    settle(window, 6)
    window.action("maximise")
    settle(window)
    window.press("Measure a profile")
    settle(window, 0.7)
    window.drag(window.see("Axial view"), (0.42, 0.42), (0.62, 0.42))
    settle(window, 2)
    window.photograph(os.path.join(OUT, "tooth.png"))


if __name__ == "__main__":
    drive.run(os.path.abspath(sys.argv[1]), [("start page", start_page), ("example", example), ("dark", dark), ("iterative", iterative), ("compared", compared),
                                             ("tooth", tooth)])
