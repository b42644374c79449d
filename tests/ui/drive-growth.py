# SPDX-License-Identifier: GPL-3.0-or-later
"""The pages "View by View" and "Spectrum" of the real window: the player and its error; the line of a view, and how well it holds.
Argument: gantry."""
import os
import re
import sys
import time

import drive


def photograph(window, name):
    if "GANTRY_TEST_PICTURE" in os.environ:
        time.sleep(1)
        window.photograph(f"{os.environ['GANTRY_TEST_PICTURE']}-{name}.png")


def reading(window, count, all_views=180):
    """RMSE from the slice of all views, and from the truth, as the page tells them."""
    number = "(−?[0-9][0-9.]*(?:·10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)?)"
    match = window.read(f"^{count} of {all_views} views: RMSE {number} from all(?:, {number})?")
    return [float(re.sub("·10.*", "", text)) * 10 ** power(text) for text in match.groups() if text]


def power(text):
    digits = re.search("·10(.*)", text)
    return int(digits.group(1).translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789"))) if digits else 0


def views(window, count):
    window.see("Number of views", "slider").set_current_value(count)


def opens_on_the_page(window):
    window.start()
    window.press("New Scan from a Phantom…")
    dialog = window.dialog("New Scan from a Phantom")
    for name, text in (("Columns", "256"), ("Rows", "1"), ("Views", "180")):
        window.see(name, "text", dialog).set_text_contents(text)
    window.press("Make Scan", within=dialog)
    window.read(r"^preview$")
    window.action("show-view-by-view")
    final, truth = reading(window, 180)
    if not final < 1e-6 * truth:
        raise drive.Failure(f"the sum of all views is {final} from the slice of all, beside {truth} from the truth")


def steps_and_goes_back(window):
    views(window, 40)
    first = reading(window, 40)
    window.press("One View Forward")
    after = reading(window, 41)
    window.press("One View Back")
    if reading(window, 40) != first or after == first:
        raise drive.Failure("back is not where it was")
    window.read(r"Added last:\nview 39 at")
    photograph(window, "angle")


def as_the_final_is_the_plain_sum(window):
    views(window, 20)
    scaled = reading(window, 20)
    window.switch("As the final", "check box")
    window.wait(lambda: reading(window, 20) != scaled, "the plain sum's error")
    photograph(window, "final")
    window.switch("As the final", "check box")
    window.switch("Filtered", "check box")
    window.wait(lambda: reading(window, 20) != scaled, "the error without the filter")
    photograph(window, "unfiltered")
    window.switch("Filtered", "check box")
    window.wait(lambda: reading(window, 20) == scaled, "the filter again")


def plays_to_the_end(window):
    views(window, 172)
    reading(window, 172)
    window.action("play-views")
    reading(window, 180)
    times = sorted(float(text) for text in window.measured("view-by-view"))
    print(f"# a step, from wish to page: median {times[len(times) // 2] * 1e3:.0f} ms, longest {times[-1] * 1e3:.0f} ms of {len(times)}", flush=True)


def scene_turns_along(window):
    window.action("fourth", drive.GLib.Variant("s", "projection"))
    views(window, 100)
    window.read(r"Added last:\nview 99 at 198\.0°")
    window.read(r"198°|198\.0+°")
    photograph(window, "projection")


def spectrum_follows_the_view(window):
    window.action("show-spectrum")
    told = r"^View {} at {}°: ([0-9.]+)(?:·10⁻([⁰¹²³⁴⁵⁶⁷⁸⁹]))? off, rebinned"
    window.read(told.format(99, r"198\.0"))
    window.see("Number of the view", "spin button").set_current_value(30)
    match = window.read(told.format(30, r"60\.0"))
    difference = float(match.group(1)) * 10 ** -("⁰¹²³⁴⁵⁶⁷⁸⁹".index(match.group(2)) if match.group(2) else 0)
    if not 0 < difference < 5e-3:
        raise drive.Failure(f"the theorem holds to {difference} only")
    window.switch("Points of all views", "check box")
    photograph(window, "spectrum")


def weights_of_a_short_scan(window):
    window.action("fourth", drive.GLib.Variant("s", "sinogram"))
    window.action("projection-values", drive.GLib.Variant("s", "weights"))
    window.read("^Weights: Sinogram, row$")
    window.take_values({"scan.view_count": 110})
    window.read(r"^110 of 180 views of 256")
    window.action("show-arc")
    window.wait(lambda: any(re.search(r"; Arc 0° to 218° \(220°\); 180° and the fan are 194\.6°\. Short scan \(Parker\): weight 0 to 1, \d+ % measured twice$",
                                      node.get_name() or "") for node in window.walk()), "arc and weights")
    photograph(window, "weights")
    window.action("show-arc")


def iterations_are_kept(window):
    """Each iteration of a volume comes nearer to the last one; one can step back, and see views instead."""
    window.take_values({"scan.view_count": "auto", "iterative.method": "sirt", "iterative.iterations": 6, "reconstruction.nx": 64, "reconstruction.ny": 64,
                        "reconstruction.voxel": 2})
    window.read("^SIRT, 6 iterations$")
    window.action("show-view-by-view")
    window.action("reconstruct")
    told = r"^Iteration {} of 6: RMSE (\S+) from the last, (\S+) from the truth$"
    at_end = window.read(told.format(6))
    window.press("One View Back")
    before = window.read(told.format(5))
    window.read("^Changed by\niteration 5$")
    photograph(window, "iterations")
    if not (at_end.group(1) == "0" and before.group(1) != "0" and at_end.group(2) != before.group(2)):
        raise drive.Failure(f"{before.group(0)}, then {at_end.group(0)}")
    window.switch("Iterations", "check box")
    window.read(r"^180 of 180 views: RMSE")
    window.switch("Iterations", "check box")
    window.read(told.format(6))


drive.run(sys.argv[1], [
    ("the page shows the slice of all views", opens_on_the_page),
    ("the player steps and goes back", steps_and_goes_back),
    ("the plain sum, and views without the filter, have other errors", as_the_final_is_the_plain_sum),
    ("it plays to the last view", plays_to_the_end),
    ("the fourth view turns along", scene_turns_along),
    ("the spectrum's line follows the view, and the slice obeys the theorem", spectrum_follows_the_view),
    ("redundancy weights stand in place of the sinogram", weights_of_a_short_scan),
    ("iterations of a volume are kept and stepped through", iterations_are_kept),
    ("it ends without complaints", drive.ends_quietly),
])
