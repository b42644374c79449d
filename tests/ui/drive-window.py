# SPDX-License-Identifier: GPL-3.0-or-later
"""A whole session in the real window, on a small simulated scan: open, change the centre, reconstruct, profile, reference, finish
early, cancel, save, a bad file, close. Arguments: gantry, gantry-cli."""
import json
import os
import re
import subprocess
import sys
import time

import drive
from drive import Failure

OUTDATED = r"^before the change$"  # in a view whose picture is of other values
VALUE = r"^([−-]?[0-9.]+) 1/mm at"


def value(window):
    """The number under the crosshair."""
    return float(window.read(VALUE).group(1).replace("−", "-"))


def simulate(scan, *options):
    subprocess.run([sys.argv[2], "simulate", "--detector", "64x64", "--pixel", "3.2", "--views", "90", *options, "-o", scan],
                   check=True, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    return scan


def starts(window):
    window.start(simulate(window.path("flat.h5"), "--geometry", "parallel"))
    window.read(r"^parallel beam · 90 views of 64 × 64$")
    window.read(r"^preview$")


def hints_at_distances(window):
    plan = window.path("cone.json")
    subprocess.run([sys.argv[2], "reconstruct", window.path("flat.h5"), "-q", "--save-plan", plan, "-o", window.path("flat.mha")],
                   check=True)
    with open(plan, encoding="utf-8") as file:
        words = file.read()
    cone = re.sub(r'("geometry.beam": *)(null|"[a-z]+")', r'\1"cone"', words)
    if cone == words:
        raise Failure("the plan names no beam")
    with open(plan, "w", encoding="utf-8") as file:
        file.write(cone)
    window.open_recent(plan)
    window.read(r"^no preview without the distances$")
    window.read(OUTDATED)
    window.read(r"^Type the distances from the source to the axis and to the detector under Geometry\.$")
    window.action("reconstruct")
    window.wait(lambda: "Type the distances" in (window.notice() or ""), "the notice what is to be typed")
    if window.alert():
        raise Failure(window.alert())


def opens(window):
    window.open_recent(simulate(window.path("head.h5")))
    window.read(r"^cone beam · 90 views of 64 × 64$")
    window.read(r"^preview$")
    window.read(VALUE)
    inside = value(window)  # brain: density 0.2 of 0.02 /mm
    if abs(inside - 0.004) > 0.001:
        raise Failure(f"{inside} 1/mm in the middle of the phantom")


def changes_centre(window):
    before = value(window)
    if window.action_enabled("undo"):
        raise Failure("undo before any edit")
    window.number("Centre, px", 27.5)
    window.wait(lambda: value(window) != before, "other slices after a change of the centre")
    window.ready("undo")
    while window.action_enabled("undo"):
        window.action("undo")
    window.wait(lambda: value(window) == before, "the slices as they were after undo")


def marks_old_slices(window):
    """While previews are off the slices of before an edit stay, and say so."""
    if window.label(OUTDATED):
        raise Failure("the slices of the present values are said to be of before")
    before = value(window)
    window.action("auto-preview")
    window.number("Cut-off", 0.3)
    window.read(OUTDATED)
    undo_all(window)
    window.wait(lambda: not window.label(OUTDATED), "the mark to go with the edit")
    window.number("Cut-off", 0.3)
    window.read(OUTDATED)
    if value(window) != before:
        raise Failure("slices were made though previews are off")
    window.action("auto-preview")
    window.wait(lambda: value(window) != before and not window.label(OUTDATED), "the mark to go with the new slices")
    undo_all(window)
    window.wait(lambda: value(window) == before, "the slices as they were")


def finds_centre(window):
    window.action("find-centre")
    found = float(window.read(r"^Centre of rotation at ([0-9.]+) px").group(1))
    if abs(found - 31.5) > 0.5:
        raise Failure(f"centre found at {found}, not 31.5")
    while window.action_enabled("undo"):
        window.action("undo")


def sweeps_centre(window):
    """The best of the trials is taken with no more digits than a sweep knows."""
    window.action("sweep-centre")
    window.read(r"^Best centre of \d+ trials: ")
    centre = window.see("Centre, px", "spin button").get_current_value()
    if abs(centre - 31.5) > 0.5 or abs(1000 * centre - round(1000 * centre)) > 1e-6:
        raise Failure(f"centre swept to {centre}")
    undo_all(window)


def reconstructs(window):
    window.press("Reconstruct")
    window.read(r"^Reconstructed in .*: volume 64³, 90 views$")
    window.read(r"^(?:.+: )?volume 64³, 90 views$")
    if abs(value(window) - 0.004) > 0.001:
        raise Failure(f"{value(window)} 1/mm in the middle of the volume")


def measures_profile(window):
    window.press("Measure a profile")
    window.drag(window.see("Axial view"), (0.3, 0.5), (0.7, 0.5))
    window.wait(lambda: window.label(r"^[0-9.]+ mm$"), "the length of the profile")


def sets_reference(window):
    window.press("Keep A as B")
    window.read(r"^Now the reference B: the whole volume$")
    window.ready("clear-reference")
    window.number("Centre, px", 30.5)
    window.read(r"^preview$")  # A is slices again; B stays
    window.action("undo")
    while window.action_enabled("undo"):
        window.action("undo")
    window.wait(lambda: not window.label(r"^preview$"), "the volume again after undo")
    window.action("clear-reference")
    window.wait(lambda: not window.action_enabled("clear-reference"), "no reference")


def begin_and_pause(window):
    """The pause is on its way before the run begins: a quick machine ends it within a frame. Should it have ended all the
    same: another."""
    for _ in range(10):
        window.ready("reconstruct")
        window.actions("reconstruct", "pause")
        idle_since = None

        def outcome():
            nonlocal idle_since
            if window.label(r"paused"):
                return "paused"
            now = time.monotonic()
            idle_since = (idle_since or now) if window.action_enabled("reconstruct") else None
            return idle_since and now - idle_since > 4 and "ended"
        if window.wait(outcome, "the run to pause") == "paused":
            return
    raise Failure("ten runs ended before they were paused")


def undo_all(window):
    window.ready("undo")
    while window.action_enabled("undo"):
        window.action("undo")


def keeps_finished_volume(window):
    begin_and_pause(window)
    window.number("Centre, px", 30.5)
    window.read(r"^volume in the making \(earlier values\)$")
    window.read(OUTDATED)
    window.action("pause")
    window.read(r"^(?:.+: )?volume 64³, 90 views \(earlier values\)$")
    window.read(OUTDATED)
    undo_all(window)
    window.read(r"^(?:.+: )?volume 64³, 90 views$")
    window.wait(lambda: not window.label(OUTDATED), "the mark to go")


def scales_difference(window):
    """The scale of A - B is that of the finished volume, also where the first views of the run were seen beside B. 99.9 % of the
    three slices differ by at most 0.0103 1/mm; the scale reaches that, and not beyond it by more than its rule allows."""
    window.action("auto-preview")
    window.action("set-reference")
    window.ready("clear-reference")
    window.number("Cut-off", 0.5)
    begin_and_pause(window)
    window.read(r"^volume in the making$")
    window.action("pause")
    window.read(r"^(?:.+: )?volume 64³, 90 views$")
    window.action("mode", drive.GLib.Variant("s", "difference"))

    def limit():
        node = window.find("Colours of A − B: ")
        match = node and re.search(r"±([0-9.]+) 1/mm$", node.get_name())
        return match and 0.0103 < float(match.group(1)) < 0.0103 / 0.3
    window.wait(limit, "a scale of the size of the difference")
    window.action("mode", drive.GLib.Variant("s", "a"))
    window.action("clear-reference")
    window.action("auto-preview")
    undo_all(window)
    # The shelf has a volume of these values.
    window.read(r"^(?:.+: )?volume 64³, 90 views$")


def names_scope(window):
    window.see("Statistics").do_action(0)
    window.read(r"^A, whole volume$")
    window.number("Centre, px", 30.5)
    window.read(r"^A, this axial slice$")
    undo_all(window)
    window.read(r"^A, whole volume$")


def refuses_large(window):
    for axis in "xyz":
        window.number(f"Voxels in {axis}", 60000)
    window.read(r"^60\u202f000 × 60\u202f000 × 60\u202f000 voxels of .*, too large for a preview")
    window.wait(lambda: "at most 16384 voxels" in (window.alert() or ""), "the refusal of the slices")
    window.press("Reconstruct")
    window.wait(lambda: "are free: " in (window.alert() or ""), "the refusal of the volume")
    window.read(r"^60\u202f000 × 60\u202f000 × 60\u202f000 voxels of .*, does not fit into memory$")
    undo_all(window)
    window.read(r"^(?:.+: )?volume 64³, 90 views$")
    toasts = [node for node in window.walk() if (node.get_name() or "").startswith("Undone: ")]
    if len(toasts) > 2:  # a toast and its label
        raise Failure(f"{len(toasts)} toasts about undo")


def steady_value(window):
    """The number under the crosshair once the batch that was under way is done, too."""
    seen = []

    def steady():
        seen.append(value(window))
        time.sleep(1)
        return seen[-1] == value(window)
    window.wait(steady, "the paused run to come to rest")
    return seen[-1]


def shows_planes_while_paused(window):
    """At a new position a paused run shows its volume so far; back at the old one the same as before."""
    plan = window.path("slow.json")
    values = {f"reconstruction.n{axis}": 256 for axis in "xyz"}
    values.update({"reconstruction.kernel": "serial-loop", "reconstruction.batch": 2})
    with open(plan, "w", encoding="utf-8") as file:
        json.dump({"gantry_plan": 1, "parameters": values}, file)
    window.open_recent(plan)
    window.read(r"^Values taken from slow\.json$")
    window.press("Reconstruct")
    window.read(r"^back-projecting [1-9]\d* / 90")
    window.action("pause")
    window.read(r"^back-projecting \d+ / 90 .*paused")
    before = steady_value(window)
    window.number("Axial slice number", 100)
    window.wait(lambda: value(window) != before, "the volume so far at another slice")
    there = value(window)
    if "GANTRY_TEST_PICTURE" in os.environ:
        window.photograph(os.environ["GANTRY_TEST_PICTURE"] + "-paused.png")
    window.number("Axial slice number", 140)
    window.wait(lambda: value(window) != there, "the volume so far at a third slice")
    window.number("Axial slice number", 100)
    window.wait(lambda: value(window) == there, "the same as before at the slice of before")
    window.press("Cancel")
    window.read(r"^Cancelled\. The volume before is kept\. The slices are a preview of the present values\.$")
    undo_all(window)
    window.read(r"^(?:.+: )?volume 64³, 90 views$")


def finishes_early(window):
    for axis in "xyz":
        window.number(f"Voxels in {axis}", 256)
    begin_and_pause(window)
    window.press("Finish Now")
    words = window.read(r"^Finished early in .*: volume 256³, ([0-9]+) of 90 views$")
    if not 0 < int(words.group(1)) < 90:
        raise Failure(words.group(0))
    if abs(value(window) - 0.004) > 0.002:
        raise Failure(f"{value(window)} 1/mm in the middle of the partial volume")


def cancels(window):
    begin_and_pause(window)
    window.press("Cancel")
    window.read(r"^Cancelled\. The volume before is kept\.$")
    window.read(r"^volume 256³, [0-9]+ of 90 views$")


def saves(window):
    target = window.path("saved.mha")
    window.action("save-volume")
    window.save_as("Save the Volume", target)
    window.read(r"^Saved saved\.mha$")
    size = os.path.getsize(target)
    if size < 4 * 256**3:
        raise Failure(f"saved.mha has {size} bytes")


def spares_the_scan(window):
    """Saving over the open scan is refused, whatever the file dialog was told."""
    scan = window.path("head.h5")
    before = os.stat(scan)
    for action, title in (("save-volume", "Save the Volume"), ("save-slice", "Save the Slice"), ("save-plan", "Save the Plan")):
        window.action(action)
        window.save_as(title, scan, replace=True)
        window.wait(lambda: "belongs to the open scan" in (window.alert() or ""), "the refusal")
    after = os.stat(scan)
    if (before.st_ino, before.st_size, before.st_mtime_ns) != (after.st_ino, after.st_size, after.st_mtime_ns):
        raise Failure("the scan was written")


def saves_slice_and_plan(window):
    window.action("save-slice")
    window.save_as("Save the Slice", window.path("slice.png"))
    window.read(r"^Saved slice\.png$")
    with open(window.path("slice.png"), "rb") as file:
        if file.read(8) != b"\x89PNG\r\n\x1a\n":
            raise Failure("slice.png is no PNG")
    window.action("save-plan")
    window.save_as("Save the Plan", window.path("plan.json"))
    window.read(r"^Saved plan\.json$")
    with open(window.path("plan.json"), encoding="utf-8") as file:
        plan = json.load(file)
    if "head.h5" not in json.dumps(plan):
        raise Failure("the plan does not name its scan")


def refuses_bad_file(window):
    bad = window.path("bad.h5")
    with open(bad, "wb") as file:
        file.write(b"\x89HDF\r\n\x1a\n" + bytes(100))
    window.open_recent(bad)
    window.banner(r"bad\.h5")
    window.read(r"^cone beam · 90 views of 64 × 64$")
    window.read(r"^volume 256³, [0-9]+ of 90 views$")
    if abs(value(window) - 0.004) > 0.002:
        raise Failure("the old scan is gone")


def asks_once(window):
    begin_and_pause(window)
    window.press("Close")
    window.press("Keep Working", within=window.dialog("Close the window?"))
    window.no_dialog()
    window.read(r"paused")
    window.press("Close")
    window.press("Close", within=window.dialog("Close the window?"))
    window.process.wait(drive.PATIENCE)
    if window.process.returncode != 0:
        raise Failure(f"status {window.process.returncode}: {window.errors()}")


drive.run(sys.argv[1], [
    ("a scan opens from the command line", starts),
    ("distances that are not typed yet are a hint, not an error", hints_at_distances),
    ("another scan opens into three slices", opens),
    ("a change of the centre re-makes the slices, and undo takes it back", changes_centre),
    ("slices of before a change are marked", marks_old_slices),
    ("the centre is found", finds_centre),
    ("a sweep finds the centre, too", sweeps_centre),
    ("reconstruct makes the volume", reconstructs),
    ("a profile is measured along a line", measures_profile),
    ("the volume becomes the reference", sets_reference),
    ("a value changed during a run leaves the volume on screen under its own name", keeps_finished_volume),
    ("differences are shown on the scale of the finished volume", scales_difference),
    ("the statistics name what they are about", names_scope),
    ("what does not fit is refused at once", refuses_large),
    ("a paused run shows its planes wherever one looks", shows_planes_while_paused),
    ("a paused run can be finished early", finishes_early),
    ("cancel keeps the volume before", cancels),
    ("the volume is saved", saves),
    ("the open scan is not overwritten", spares_the_scan),
    ("a slice and the plan are saved", saves_slice_and_plan),
    ("a bad file shows the banner and keeps the scan", refuses_bad_file),
    ("closing during a run asks, and then ends at once", asks_once),
    ("nothing was complained about on the way", drive.Driver.check_quiet),
])
