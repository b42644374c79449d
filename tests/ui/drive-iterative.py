# SPDX-License-Identifier: GPL-3.0-or-later
"""Iterative reconstruction in the real window: the choice of the method, live planes and curve, finishing early, going on,
comparing with filtered back-projection, sparse and noisy scans, words where something does not fit. Arguments: gantry,
gantry-cli."""
import os
import subprocess
import sys
import time

import drive
from drive import Failure


def simulate(scan, *options):
    subprocess.run([sys.argv[2], "simulate", *options, "-o", scan], check=True, capture_output=True)
    return scan


def take_plan(window, summary, **values):
    """Loads a plan with these values (section__name); the section's summary tells that they were taken."""
    window.take_values({key.replace("__", "."): value for key, value in values.items()})
    window.read(summary)


def photograph(window, name):
    if "GANTRY_TEST_PICTURE" in os.environ:
        time.sleep(1)
        window.photograph(f"{os.environ['GANTRY_TEST_PICTURE']}-{name}.png")


def saved_curves(window):
    path = window.path("curves.csv")
    if os.path.exists(path):
        os.remove(path)
    window.action("save-convergence")
    window.save_as("Save the Convergence", path)
    window.wait(lambda: os.path.exists(path) and os.path.getsize(path) > 0, "the table of the curves")
    with open(path, encoding="utf-8") as file:
        lines = file.read().splitlines()
    header = lines[0].split(",")
    rows = [dict(zip(header, line.rsplit(",", len(header) - 1))) for line in lines[1:]]
    return rows


def opens(window):
    window.start(simulate(window.path("head.h5"), "--detector", "48x48", "--pixel", "3.2", "--views", "60",
                          "--truth", window.path("truth.mha")))
    window.read(r"^cone beam · 60 views of 48 × 48$")
    window.read(r"^preview$")
    window.read(r"^Direct: filtered back-projection$")
    if window.action_enabled("continue") or window.action_enabled("compare-direct"):
        raise Failure("there is nothing to go on with yet")


def says_what_previews_are(window):
    """With an iterative method chosen, slices on demand are direct ones and say so."""
    window.see("Method", "combo box")
    take_plan(window, r"^SIRT, 12 iterations$", iterative__method="sirt", iterative__iterations=12)
    window.read(r"^preview: filtered back-projection$")
    window.read(r"^Not used by SIRT$")
    photograph(window, "preview")


def iterates(window):
    window.press("Reconstruct")
    window.read(r"^Reconstructed in .*: volume 48³, SIRT, 12 iterations, residual 0\.\d+$")
    window.read(r"^volume 48³, SIRT, 12 iterations$")
    window.read(r"^SIRT$")
    photograph(window, "volume")
    rows = saved_curves(window)
    residuals = [float(row["residual"]) for row in rows]
    if len(rows) != 12 or any(b >= a for a, b in zip(residuals, residuals[1:])):
        raise Failure(f"residuals of SIRT: {residuals}")
    if any(row["RMSE (1/mm)"] for row in rows):
        raise Failure("there was nothing to compare with")


def repeats_nothing(window):
    """The same values again: there is nothing to be done, and no time of a run that was none."""
    window.press("Reconstruct")
    window.read(r"^Nothing to be done, this is it already: volume 48³, SIRT, 12 iterations$")
    if len(saved_curves(window)) != 12:
        raise Failure("there was a run after all")


def goes_on(window):
    # The toast has a button of that name, too, until another toast takes its place.
    window.press("Continue", within=window.see("Bar between views and plots"))
    window.read(r"^Reconstructed, 12 more iterations in .*: volume 48³, SIRT, 24 iterations, residual 0\.\d+$")
    window.read(r"^volume 48³, SIRT, 24 iterations$")
    window.wait(lambda: window.action_enabled("continue"), "Continue to be ready again")
    window.action("continue-for", drive.GLib.Variant("i", 3))
    window.read(r"^volume 48³, SIRT, 27 iterations$")
    rows = saved_curves(window)
    if [int(row["iteration"]) for row in rows] != list(range(1, 28)):
        raise Failure("the curve does not go on")
    window.read(r"^SIRT, 27 iterations")


def keeps_volume_on_edits(window):
    """Another number of iterations changes no preview: the volume stays on screen."""
    window.number("Iterations", 40)
    window.read(r"^volume 48³, SIRT, 27 iterations \(earlier values\)$")
    window.action("undo")
    window.read(r"^volume 48³, SIRT, 27 iterations$")


def compares_with_direct(window):
    window.action("compare-direct")
    window.read(r"^filtered back-projection slices$")
    window.read(r"^A\u00a0[0-9.−]+  B\u00a0[0-9.−]+\nA\u00a0−\u00a0B\u00a0[0-9.−·⁻¹²³⁴⁵⁶⁷⁸⁹⁰]+ 1/mm$")
    window.action("mode", drive.GLib.Variant("s", "swipe"))
    photograph(window, "swipe")
    window.action("mode", drive.GLib.Variant("s", "a"))
    window.action("clear-reference")
    window.wait(lambda: not window.action_enabled("clear-reference"), "no reference")


def compares_with_volume(window):
    """A volume as reference gives the curve its error."""
    window.action("set-reference")
    window.ready("clear-reference")
    take_plan(window, r"^OS-SART 6 subsets, 5 iterations", iterative__method="os-sart", iterative__subsets=6, iterative__iterations=5)
    window.press("Reconstruct")
    window.read(r"^volume 48³, OS-SART, 5 iterations$")
    window.read(r"^OS-SART 6 subsets$")
    rows = [row for row in saved_curves(window) if row["run"].startswith("OS-SART")]
    if len(rows) != 5 or not float(rows[-1]["RMSE (1/mm)"]) > 0 or not float(rows[-1]["SSIM"]) > 0.5:
        raise Failure(rows)
    photograph(window, "two-runs")


def compares_with_file(window):
    """A volume from a file, here the phantom that the scan was made from; what is none leaves B as it was."""
    title = "Open a Volume as the Reference B"
    window.action("open-reference")
    window.choose(title, window.path("truth.mha"))
    window.read(r"^Now the reference B: truth\.mha$")
    window.action("open-reference")
    window.choose(title, window.path("curves.csv"))
    window.banner("no format that a volume can be read from")
    window.read(r"^truth\.mha, volume 48³$")
    take_plan(window, r"^SART, 3 iterations", iterative__method="sart", iterative__iterations=3)
    window.press("Reconstruct")
    window.read(r"^volume 48³, SART, 3 iterations$")
    rows = [row for row in saved_curves(window) if row["run"] == "SART"]
    if len(rows) != 3 or not 0 < float(rows[2]["RMSE (1/mm)"]) < float(rows[0]["RMSE (1/mm)"]):
        raise Failure(rows)


def pauses_and_finishes_early(window):
    take_plan(window, r"^SIRT, 5000 iterations", iterative__method="sirt", iterative__iterations=5000)
    window.press("Reconstruct")
    window.read(r"^iterating \d+ / 5000 · residual 0\.\d+ · \d+.* each · .* left")
    window.action("pause")
    window.read(r"^iterating .* · paused")
    photograph(window, "running")
    window.action("pause")
    window.action("finish")
    window.read(r"^Finished early in .*: volume 48³, SIRT, (\d+) of 5000 iterations")


def cancels(window):
    title = window.read(r"^volume 48³, SIRT, (\d+) of 5000 iterations$").group(1)
    window.action("continue-for", drive.GLib.Variant("i", 4000))
    window.read(r"^iterating \d+ / \d+")
    window.action("cancel")
    window.read(r"^Cancelled\. The volume before is kept\.$")
    window.read(rf"^volume 48³, SIRT, {title} of 5000 iterations$")


def keeps_curve_of_cancelled(window):
    """A new run that is cancelled leaves its curve, and the list says what became of it."""
    take_plan(window, r"^CGLS, 5000 iterations", iterative__method="cgls", iterative__iterations=5000)
    window.press("Reconstruct")
    window.read(r"^iterating ([3-9]|\d\d+) / 5000")
    window.action("cancel")
    window.read(r"^Cancelled\. The volume before and the curve so far are kept\.$")
    photograph(window, "cancelled")
    rows = [row for row in saved_curves(window) if row["run"] == "CGLS (cancelled)"]
    if [int(row["iteration"]) for row in rows] != list(range(1, len(rows) + 1)) or not 3 <= len(rows) < 5000:
        raise Failure(rows)


def clears(window):
    window.action("clear-convergence")
    window.wait(lambda: not window.action_enabled("copy-convergence"), "no curves")


def makes_scans_poorer(window):
    """Fewer views and less dose, from any scan."""
    take_plan(window, r"^FISTA-TV, 8 iterations", scan__view_step=4, corrections__noise_photons=2000, iterative__method="fista-tv",
              iterative__iterations=8)
    window.read(r"^15 of 60 views of 48 × 48 px, one in 4$")
    window.read(r"^Noise of 2000 photons added$")
    window.press("Reconstruct")
    window.read(r"^volume 48³, FISTA-TV, 8 iterations$")
    window.read(r"^FISTA-TV.*every 4th view, 2000 photons$")
    photograph(window, "poor")
    take_plan(window, r"^FISTA-Haar, 6 iterations, Haar threshold 0\.01", scan__view_step=4, corrections__noise_photons=2000,
              iterative__method="fista-haar", iterative__iterations=6, iterative__haar_weight=0.01)
    window.press("Reconstruct")
    window.read(r"^volume 48³, FISTA-Haar, 6 iterations$")
    window.read(r"^FISTA-Haar.*every 4th view, 2000 photons$")
    photograph(window, "haar")
    take_plan(window, r"^FISTA-shearlet, 5 iterations, shearlet threshold 0\.01", scan__view_step=4, corrections__noise_photons=2000,
              iterative__method="fista-shearlet", iterative__iterations=5, iterative__shearlet_weight=0.01)
    window.press("Reconstruct")
    window.read(r"^volume 48³, FISTA-shearlet, 5 iterations$")
    window.read(r"^FISTA-shearlet.*every 4th view, 2000 photons$")
    photograph(window, "shearlet")


def iterates_slices_alone(window):
    """Parallel beam: an axial slice is a picture of its own, and its preview is iterated."""
    window.open_recent(simulate(window.path("flat.h5"), "--geometry", "parallel", "--detector", "64x9", "--pixel", "2", "--views", "64"))
    window.press("Open Here", within=window.dialog("Open another scan?"))
    window.no_dialog()
    window.read(r"^parallel beam · 64 views of 64 × 9$")
    window.read(r"^preview$")
    take_plan(window, r"^CGLS, 6 iterations", iterative__method="cgls", iterative__iterations=6)
    window.read(r"^preview: axial slice iterated alone$")
    photograph(window, "slice")


def refuses_what_does_not_suit(window):
    """A stored matrix of symmetric slices is none for a cone beam; the way out runs."""
    take_plan(window, r"^SIRT, 5 iterations, stored matrix", iterative__method="sirt", iterative__iterations=5,
              iterative__projector="scsr")
    window.press("Reconstruct")
    window.banner("cone beam")
    photograph(window, "refused")
    window.press("Automatic Projector")
    window.read(r"^volume 48³, SIRT, 5 iterations$")


def tells_what_it_falls_back_to(window):
    """Views that the symmetry of the square does not map onto each other: another matrix, and words."""
    take_plan(window, r"^SIRT, 5 iterations, stored matrix", iterative__method="sirt", iterative__iterations=5,
              iterative__projector="scsr", scan__view_count=63)
    window.press("Reconstruct")
    window.read(r"^volume 64 × 64 × 9, SIRT, 5 iterations$")
    window.read(r"Projector in use: Stored matrix by rows \(CSR\)\.")


drive.run(sys.argv[1], [
    ("a scan opens, and the direct method is chosen", opens),
    ("previews of an iterative method say what they are", says_what_previews_are),
    ("SIRT runs, and its curve falls", iterates),
    ("the same again is nothing to be done", repeats_nothing),
    ("it goes on, for as many iterations and for a number", goes_on),
    ("a volume stays on screen while its iterations are edited", keeps_volume_on_edits),
    ("filtered back-projection is put beside it", compares_with_direct),
    ("a reference gives the curve its error", compares_with_volume),
    ("a volume from a file becomes the reference", compares_with_file),
    ("a run pauses and finishes early", pauses_and_finishes_early),
    ("a run that goes on is cancelled", cancels),
    ("a new run that is cancelled keeps its curve", keeps_curve_of_cancelled),
    ("curves are cleared", clears),
    ("a scan is made poorer", makes_scans_poorer),
    ("what does not suit is refused with a message, with a way out", refuses_what_does_not_suit),
    ("slices that stand alone are iterated alone", iterates_slices_alone),
    ("what a projector falls back to is told", tells_what_it_falls_back_to),
    ("it ends without complaints", drive.ends_quietly),
])
