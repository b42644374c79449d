# SPDX-License-Identifier: GPL-3.0-or-later
"""A against B in the real window: the scale of the difference, the SSIM map, the worst places, side by side.
Arguments: gantry, gantry-cli."""
import subprocess
import sys

import drive
from drive import Failure


def show(window, mode):
    window.action("mode", drive.GLib.Variant("s", mode))


def opens(window):
    scan = window.path("head.h5")
    subprocess.run([sys.argv[2], "simulate", "--detector", "64x64", "--pixel", "3.2", "--views", "90", "--geometry", "cone", "-o", scan],
                   check=True, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    window.start(scan)
    window.read(r"^preview$")
    window.ready("set-reference")
    if window.action_enabled("worst-first") or window.action_enabled("mode"):
        raise Failure("A can be compared with nothing")


def scale_is_told(window):
    window.action("set-reference")
    window.ready("worst-first")
    window.take_values({"filter.cutoff": 0.5})
    show(window, "difference")
    first = float(window.read(r"^A − B  ±([0-9.]+) 1/mm$").group(1))
    if not 1e-5 < first < 0.1:
        raise Failure(f"the scale is {first}")
    window.action("scale-logarithmic")
    window.read(r"^A − B  ±[0-9.]+ 1/mm, log from ±[0-9.·⁻¹²³⁴⁵⁶⁷⁸⁹⁰]+$")
    window.action("scale-logarithmic")


def similarity_is_mapped(window):
    show(window, "similarity")
    window.read(r"^✛ SSIM = 0?[0-9.]+")
    window.read(r"^SSIM  −?[0-9.]+ to 1$")


def worst_in_slices(window):
    show(window, "difference")
    window.action("worst-first")
    window.read(r"1 of 10: A − B = −?[0-9.]+ 1/mm\nat .*\nin the slices shown$")
    window.action("worst-next")
    window.read(r"2 of 10: A − B = ")


def worst_in_volumes(window):
    window.press("Reconstruct")
    window.read(r"^Reconstructed in .*")
    window.action("set-reference")
    window.take_values({"filter.cutoff": 0.9})
    window.press("Reconstruct")
    window.read(r"^(.*: )?volume .*")
    window.ready("worst-first")
    window.wait(lambda: window.action("worst-first") or window.label(r"1 of 10: A − B = −?[0-9.]+ 1/mm\nat .*\nin the whole volume$"),
                "the worst place of the volume")


def side_by_side(window):
    window.action("side-by-side")
    for name in ("Axial slice", "Axial slice, B", "Axial slice, A − B"):
        window.see(name)
    window.action("side-by-side")
    window.see("Coronal slice")


drive.run(sys.argv[1], [
    ("without B there is nothing to compare", opens),
    ("the scale of the difference stands with the picture", scale_is_told),
    ("similarity is mapped", similarity_is_mapped),
    ("the worst places of the slices", worst_in_slices),
    ("the worst places of the volumes", worst_in_volumes),
    ("side by side", side_by_side),
    ("it ends without complaints", drive.ends_quietly),
])
