# SPDX-License-Identifier: GPL-3.0-or-later
"""A against B in the real window: the scale of the difference, the SSIM map, the worst places, side by side; variants in one table.
Arguments: gantry, gantry-cli."""
import csv
import json
import os
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
    # Until the other filter's slices come both are the same, and nothing has a scale of 1.
    first = float(window.read(r"^A − B  ±(0[0-9.]+) 1/mm$").group(1))
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


AXES = ("reconstruction.kernel=auto,serial-loop", "reconstruction.interpolation=linear,cubic")


def read_table(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def variants_are_listed(window):
    window.ready("compare-variants")
    window.action("compare-variants")
    window.ready("run-variants")
    for axis in AXES:
        window.action("vary", drive.GLib.Variant("s", axis))
    window.read(r"^4 variants, of which 1 refuses$")
    window.read(r"Cubic")  # below the name of the one that refuses, before anything has run
    if window.action_enabled("save-variants") or window.action_enabled("variant-show"):
        raise Failure("nothing has run yet")


def press_menu(window, name):
    next(node for node in window.walk() if node.get_name() == name and node.get_action_iface() and node.get_n_actions()).do_action(0)


def values_are_ticked(window):
    """By assistive technology, and by the keyboard alone: the menu opens with the keyboard in it."""
    press_menu(window, "Values of Precision")
    half = window.see("Precision: Half, 16 bit", "check box")
    half.do_action(0)
    window.read(r"^8 variants, of which")
    window.wait(lambda: half.get_state_set().contains(drive.Atspi.StateType.CHECKED), "the tick")
    for _ in range(3):
        window.key("Tab")
    window.key("space")
    window.read(r"^4 variants, of which")
    window.key("space")
    window.read(r"^8 variants, of which")
    half.do_action(0)
    window.read(r"^4 variants, of which 1 refuses$")
    window.key("Escape")


def save_table(window, name):
    window.action("save-variants")
    window.save_as("Save the Table", window.path(name))
    window.read(rf"^Saved {name}$")
    return window.path(name)


def variants_are_run(window):
    window.action("run-variants")
    window.read(r"^Errors against kernel textbook, float64, linear interpolation\. The same for all: .*64 x 64 x 1 voxels")
    told = read_table(save_table(window, "table.csv"))
    with open(save_table(window, "table.json"), encoding="utf-8") as file:
        plan = json.load(file)["rows"][0]["plan"]
    # The slice on screen, as the same one by the command.
    grid = [word for key in plan if key.startswith("reconstruction.") and "=" + key not in AXES and not key.endswith("interpolation")
            for word in ("--set", f"{key}={plan[key]}")]
    axes = [word for axis in AXES for word in ("--vary", axis)]
    subprocess.run([sys.argv[2], "variants", window.path("head.h5"), "-q", "--set", "filter.cutoff=0.9", "-o", window.path("same.csv"),
                    *grid, *axes], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    same = {row["name"]: row for row in read_table(window.path("same.csv"))}
    if [row["state"] for row in told] != ["done"] * 3 + ["failed"] or len(same) != 4:
        raise Failure(f"{told}")
    for row in told:
        for key in ("kernel", "state", "rmse", "relative_rmse", "ssim", "psnr", "reason"):
            if row[key] != same[row["name"]][key]:
                raise Failure(f"{row['name']}, {key}: {row[key]} here, {same[row['name']][key]} by the command")


def speeds_are_told(window):
    """In the list of kernels, once they were measured."""
    press_menu(window, "Values of Kernel")
    window.read(r"^[0-9.]+ GUPS, relative RMSE [0-9.·⁻¹²³⁴⁵⁶⁷⁸⁹⁰]+ against textbook: with this scan, [0-9]+ [A-Z][a-z]+ [0-9]+$")
    window.read(r"^Ladders of the papers$")
    window.key("Escape")


def variants_are_shown(window):
    window.see("Speed against error")
    picture = window.path("picture.svg")
    window.action("save-variants-picture")
    window.save_as("Save the Picture", picture)
    window.read(r"^Saved picture\.svg$")
    kernel = read_table(window.path("table.csv"))[0]["kernel"]
    box = window.see(kernel, "label").get_extents(drive.Atspi.CoordType.WINDOW)
    drive.Atspi.generate_mouse_event(box.x + 5, box.y + box.height // 2, "b1c")
    window.ready("variant-shelf")
    window.action("variant-shelf")
    window.read(r"^On the shelf: ")
    window.action("variant-reference")
    window.read(r"^Reference B: ")
    window.action("variant-show")
    window.read(r"^slice 64², 90 views$")


def figures_are_made(window):
    window.action("compare-variants")
    button = next(node for node in window.walk()
                  if node.get_name() == "The Papers' Figures" and node.get_action_iface() and node.get_n_actions())
    button.do_action(0)
    window.number("Voxels along the phantom", 64)
    window.action("make-figures")
    folder = window.path("figures")
    os.mkdir(folder)
    window.choose("Folder for the Figures", folder)
    window.read(r"^4 figures were written to the folder figures$")
    numbers = ("7", "8", "18", "19")
    if sorted(os.listdir(folder)) != sorted(f"figure-{number}.{suffix}" for number in numbers for suffix in ("csv", "svg")):
        raise Failure(f"{os.listdir(folder)}")
    # One of the phantom and one of the scan, as the command makes them.
    subprocess.run([sys.argv[2], "figures", "chilingaryan-2019", window.path("head.h5"), "-q", "--size", "64", "--views", "101",
                    "-o", window.path("same")], check=True, stdout=subprocess.DEVNULL)
    for number in numbers:
        ours, its = (open(os.path.join(at, f"figure-{number}.csv"), encoding="utf-8").read() for at in (folder, window.path("same")))
        if ours != its:
            raise Failure(f"figure {number} is another one than the command's")


def variants_are_cancelled(window):
    window.take_values({"reconstruction.nx": 512, "reconstruction.ny": 512})  # textbook takes a while for them
    window.action("compare-variants")
    for axis in ("reconstruction.kernel=auto,textbook", "reconstruction.interpolation=linear", "reconstruction.precision=float32,float16"):
        window.action("vary", drive.GLib.Variant("s", axis))
    window.read(r"^4 variants\. The table is of the last run\. Another run replaces it: 2 volumes \(.*\) of its rows are not on the shelf\.$")
    window.action("run-variants")
    window.read(r"^Variant [34] of 4: textbook")
    window.action("cancel")
    window.read(r"^Cancelled: [23] of 4 variants have run, and stay\.")
    window.ready("save-variants")


def scan_closes_in_the_middle(window):
    window.action("run-variants")
    window.read(r"^(The reference of 4 variants|Variant [1-4] of 4: )")
    window.action("close-scan")
    window.press("Close Scan", within=window.dialog("Close this scan?"))
    window.no_dialog()
    window.wait(lambda: not window.action_enabled("compare-variants"), "the scan to be closed")


drive.run(sys.argv[1], [
    ("without B there is nothing to compare", opens),
    ("the scale of the difference stands with the picture", scale_is_told),
    ("similarity is mapped", similarity_is_mapped),
    ("the worst places of the slices", worst_in_slices),
    ("the worst places of the volumes", worst_in_volumes),
    ("side by side", side_by_side),
    ("variants are listed, with what refuses", variants_are_listed),
    ("values are ticked without a pointer", values_are_ticked),
    ("variants are run, and their numbers are the command's", variants_are_run),
    ("measured speeds are told of kernels", speeds_are_told),
    ("a variant becomes B and A", variants_are_shown),
    ("the papers' figures are the command's", figures_are_made),
    ("a cancel keeps the rows", variants_are_cancelled),
    ("a scan that is closed in the middle is gone", scan_closes_in_the_middle),
    ("it ends without complaints", drive.ends_quietly),
])
