# SPDX-License-Identifier: GPL-3.0-or-later
"""The Filter page of the real window: its cut-off and its ramp are those of the plan, and the slices follow. Argument: gantry."""
import os
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
    window.see("h(n)").do_action(0)
    window.see("Spectrum", "push button").do_action(0)
    photograph(window, "taps")


def cutoff_is_dragged_on_the_curve(window):
    window.see("h(n)").do_action(0)
    plot, slider = window.see("Plot of |H(f)|"), window.see("Cut-off of the filter", "slider")
    window.drag(plot, (0.45, 0.5), (0.45, 0.5))  # a click puts the mark there
    window.wait(lambda: slider.get_current_value() < 0.7, "the cut-off of the click")
    clicked = slider.get_current_value()
    time.sleep(1)
    window.drag(plot, (0.45, 0.5), (0.65, 0.5))
    window.wait(lambda: slider.get_current_value() > clicked + 0.15, "the cut-off to follow the mark")
    window.read(r"^Hann, up to 0\.[4-9]")
    photograph(window, "dragged")


def sampled_ramp_is_a_switch(window):
    before = window.read("^A\u00a0(−?[0-9][0-9.·⁻]*)").group(1)
    window.see("Band-limited ramp").do_action(0)
    window.read(r"sampled ramp")
    window.wait(lambda: window.label("^A\u00a0(−?[0-9][0-9.·⁻]*)").group(1) != before, "another value under the crosshair")


def no_filter_has_no_cutoff(window):
    window.take_values({"filter.window": "none"})
    window.read(r"^No filter")
    window.wait(lambda: not window.enabled(window.see("Cut-off of the filter", "slider")), "the cut-off to be idle")


drive.run(sys.argv[1], [
    ("the page shows the filter of a scan", opens_on_the_page),
    ("the cut-off is the plan's", cutoff_is_the_plan_s),
    ("its mark on the curve is dragged", cutoff_is_dragged_on_the_curve),
    ("the sampled ramp is a switch, and the slices follow", sampled_ramp_is_a_switch),
    ("without a filter there is no cut-off", no_filter_has_no_cutoff),
    ("it ends without complaints", drive.ends_quietly),
])
