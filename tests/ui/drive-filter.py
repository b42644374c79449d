# SPDX-License-Identifier: GPL-3.0-or-later
"""The Filter and Interpolation pages of the real window: their values are those of the plan, and the slices follow. Argument: gantry."""
import os
import re
import sys
import time

import drive


def photograph(window, name):
    if "GANTRY_TEST_PICTURE" in os.environ:
        time.sleep(1)
        window.photograph(f"{os.environ['GANTRY_TEST_PICTURE']}-{name}.png")


def opens_on_the_page(window):
    window.start()
    window.press("New Scan from a Phantom…")
    dialog = window.dialog("New Scan from a Phantom")
    for name, text in (("Columns", "128"), ("Rows", "1"), ("Views", "90")):
        window.see(name, "text", dialog).set_text_contents(text)
    window.press("Make Scan", within=dialog)
    window.read(r"^preview$")
    window.action("show-filter")
    window.wait(lambda: window.enabled(window.see("Cut-off of the filter", "slider")), "the filter of the scan")
    photograph(window, "gain")


def cutoff_is_the_plan_s(window):
    window.see("Cut-off of the filter", "slider").set_current_value(0.5)
    window.read(r"^Ram-Lak, up to 0\.5 × Nyquist")
    window.take_values({"filter.window": "hann", "filter.cutoff": 0.8})
    window.read(r"^Hann, up to 0\.8 × Nyquist")
    slider = window.see("Cut-off of the filter", "slider")
    window.wait(lambda: abs(slider.get_current_value() - 0.8) < 1e-6, "the plan's cut-off on the page")
    window.switch("h(n)")
    window.switch("Spectrum", "push button")
    photograph(window, "taps")


def cutoff_is_dragged_on_the_curve(window):
    window.switch("h(n)")
    plot, slider = window.see("Plot of |H(f)|"), window.see("Cut-off of the filter", "slider")
    window.drag(plot, (0.45, 0.5), (0.45, 0.5))  # a click puts the mark there
    window.wait(lambda: slider.get_current_value() < 0.7, "the cut-off of the click")
    clicked = slider.get_current_value()
    time.sleep(1)
    window.drag(plot, (0.45, 0.5), (0.65, 0.5))
    window.wait(lambda: slider.get_current_value() > clicked + 0.15, "the cut-off to follow the mark")
    dragged = slider.get_current_value()
    for n in range(1, 9):
        window.key("Left")
        window.wait(lambda n=n: slider.get_current_value() == round(dragged - 0.01 * n, 2), "the cut-off to follow the keyboard on the curve")
    window.read(r"^Hann, up to 0\.[4-9]")
    photograph(window, "dragged")


def sampled_ramp_is_a_switch(window):
    before = window.read("^A\u00a0(−?[0-9][0-9.·⁻]*)").group(1)
    window.switch("Band-limited ramp")
    window.read(r"sampled ramp")
    window.read(r"^H\(0\) = 0 1/px of the sampled ramp; of the band-limited one 0\.0")
    window.wait(lambda: window.label("^A\u00a0(−?[0-9][0-9.·⁻]*)").group(1) != before, "another value under the crosshair")


def no_filter_has_no_cutoff(window):
    window.take_values({"filter.window": "none"})
    window.read(r"^No filter")
    window.wait(lambda: not window.enabled(window.see("Cut-off of the filter", "slider")), "the cut-off to be idle")


def terms(window):
    """Weights and samples of the sum beside the row, and its result, in one power of ten."""
    text = window.read(r"^Weight × value\n(.*\n)+= ").string.replace("−", "-")
    lines = text.splitlines()
    pairs = [re.match(r"([-+]) ([0-9.]+) × +(-?[0-9.]+)$", line).groups() for line in lines if line[0] in "-+"]
    return [(float(weight) * (-1 if sign == "-" else 1), float(value)) for sign, weight, value in pairs], \
        float(re.match(r"= (-?[0-9.]+)", lines[-1]).group(1))


def adds_up(window, count):
    def right():
        pairs, result = terms(window)
        return len(pairs) == count and (pairs, result)
    pairs, result = window.wait(right, f"a sum of {count}")
    largest = max(abs(value) for _, value in pairs)
    if abs(sum(weight for weight, _ in pairs) - 1) > 0.0021 or abs(sum(w * v for w, v in pairs) - result) > 0.01 * largest:
        raise drive.Failure(f"{pairs} is not {result}")
    return [weight for weight, _ in pairs]


def interpolation_is_a_sum(window):
    """Of the samples about a place with the kernel's weights; another kernel is the plan's."""
    window.take_values({"filter.window": "ram-lak"})
    window.action("show-interpolation")
    place = window.see("Column that is interpolated", "spin button")
    window.wait(lambda: window.enabled(place), "the filtered row")
    place.set_current_value(20.25)
    window.wait(lambda: adds_up(window, 2) == [0.75, 0.25], "the weights of linear interpolation")
    window.take_values({"filter.window": "ram-lak", "reconstruction.interpolation": "cubic"})
    weights = adds_up(window, 4)  # Keys, a = -1/2, at 0.25
    if any(abs(weight - right) > 0.0006 for weight, right in zip(weights, (-0.0703125, 0.8671875, 0.2265625, -0.0234375))):
        raise drive.Failure(f"weights {weights}")
    photograph(window, "cubic")
    window.drag(window.see("Interpolation kernel", "combo box"), (0.5, 0.5), (0.5, 0.5))
    time.sleep(1)  # the list comes up
    for key in ("Up", "Up", "Return"):  # from cubic over linear to nearest
        window.key(key)
    window.wait(lambda: adds_up(window, 1) == [1], "the nearest neighbour alone")
    window.read(r"nearest interpolation")
    window.switch("Frequency response")
    window.see("Plot of |H(f)|")
    photograph(window, "response")


def block_of_pixels(window):
    """Of one row there is nothing to add up across it."""
    window.switch("Block of pixels")
    window.read(r"^−?\S+ from 1 pixel of view \d+\nWeight × value\n(\(.*\)\n)?\+ 1\.000 × +−?[0-9.]+\n= \S+\nThe detector has one row")
    if window.enabled(window.see("Row that is interpolated", "spin button")):
        raise drive.Failure("a row can be chosen where there is one alone")
    photograph(window, "block")


def kernels_stand_side_by_side(window):
    """The same place by every kernel, with names; away again."""
    window.switch("Kernels side by side")
    for name in ("Nearest", "Linear", "Cubic", "Gaussian", "Oversampled"):
        window.read(f"^{name}(\n[0-9.]+.*)?$")
    window.read(r"^[0-9.]+ × [0-9.]+ mm, 20 × 20 pixels in place of a voxel, one contrast(; RMSE from the truth in .*)?$")
    photograph(window, "kernels")
    window.switch("Kernels side by side")
    window.wait(lambda: adds_up(window, 1) == [1], "the sum again")


drive.run(sys.argv[1], [
    ("the page shows the filter of a scan", opens_on_the_page),
    ("the cut-off is the plan's", cutoff_is_the_plan_s),
    ("its mark on the curve is dragged", cutoff_is_dragged_on_the_curve),
    ("the sampled ramp is a switch, and the slices follow", sampled_ramp_is_a_switch),
    ("without a filter there is no cut-off", no_filter_has_no_cutoff),
    ("the page of interpolation shows the sum at a place", interpolation_is_a_sum),
    ("a block of pixels has weights", block_of_pixels),
    ("kernels stand side by side", kernels_stand_side_by_side),
    ("it ends without complaints", drive.ends_quietly),
])
