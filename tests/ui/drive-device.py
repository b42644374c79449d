# SPDX-License-Identifier: GPL-3.0-or-later
"""Back-projection on a graphics device, in the real window: the choice of the device, a run with live planes, finishing early,
cancelling, and the way back to the processor. Any device with OpenGL 4.3 will do; Mesa's software renderer is one.
Arguments: gantry, gantry-cli."""
import json
import os
import re
import subprocess
import sys
import time

import drive
from drive import Failure, Skip

VOLUME = r"^Reconstructed in .*: volume 48³, \d+ views$"
device = None


def cli(*arguments):
    return subprocess.run([sys.argv[2], *arguments], check=True, capture_output=True, text=True).stdout


def need_device():
    global device
    if device is None:
        found = json.loads(cli("info", "--devices", "--json"))
        device = found[0]["name"] if found else ""
    if not device:
        raise Skip("no graphics device with OpenGL 4.3")


def take_plan(window, **values):
    """Loads a plan with these values of the reconstruction."""
    window.take_values({"reconstruction." + key: value for key, value in values.items()})
    window.read(r"^Values taken from values.json$")


def photograph(window, name):
    if "GANTRY_TEST_PICTURE" in os.environ:
        window.photograph(f"{os.environ['GANTRY_TEST_PICTURE']}-{name}.png")


def opens(window):
    need_device()
    cli("simulate", "--detector", "48x48", "--pixel", "3.2", "--views", "96", "-o", window.path("head.h5"))
    window.start(window.path("head.h5"))
    window.read(r"^cone beam · 96 views of 48 × 48$")
    window.read(r"^preview$")


def lists_devices(window):
    """In the drop-down, by name."""
    need_device()
    window.see("Graphics device", "combo box")
    take_plan(window, kernel="gl-tuned", device=device)
    window.read(r"^preview$")
    window.read("^" + re.escape(device) + "$")
    window.read(r"^In use: GPU, tuned to the card[:,]")


def reconstructs(window):
    """The same volume as the processor's, within what the texture unit's positions allow."""
    need_device()
    window.press("Reconstruct")
    window.read(VOLUME)
    photograph(window, "volume")
    window.action("save-volume")
    window.save_as("Save the Volume", window.path("gpu.mha"))
    window.wait(lambda: os.path.exists(window.path("gpu.mha")), "the file")
    cli("reconstruct", window.path("head.h5"), "-o", window.path("cpu.mha"))
    told = json.loads(cli("compare", "--json", window.path("gpu.mha"), window.path("cpu.mha")))
    if not told["relative_rmse"] < 2e-3:
        raise Failure(told)


def shows_planes(window):
    """The planes of the volume in the making are read from the device."""
    need_device()
    take_plan(window, kernel="gl-naive", device=device, nx=160, ny=160, nz=160, batch=8)
    before = len(window.measured("reconstruct-to-first-plane"))
    window.press("Reconstruct")
    window.read(r"back-projecting \d+ / 96")
    window.wait(lambda: len(window.measured("reconstruct-to-first-plane")) > before, "the first plane")
    photograph(window, "running")


def finishes_early(window):
    need_device()
    window.action("finish")
    window.read(r"^Finished early in .*: volume 160³, \d+ of 96 views$")


def cancels(window):
    need_device()
    window.press("Reconstruct")
    window.read(r"back-projecting \d+ / 96")
    window.action("cancel")
    window.read(r"^Cancelled\. The volume before is kept\.$")


def goes_on_with_processor(window):
    """A device that is not here: words, the volume kept, and a button that does the work."""
    need_device()
    take_plan(window, kernel="gl-tuned", device="Rusty 3000", nx=48, ny=48, nz=48)
    words = window.wait(lambda: window.alert() if "Rusty 3000" in (window.alert() or "") else None, "the banner")
    if f"“{device}” is one" not in words:
        raise Failure(words)
    window.press("Reconstruct")
    window.wait(lambda: window.action_enabled("reconstruct"), "the refusal")
    time.sleep(0.3)
    photograph(window, "refused")
    if not window.action_enabled("save-volume"):
        raise Failure("the volume before is gone")
    window.press("Continue on the Processor")
    window.read(VOLUME)
    window.read(r"^None$")
    photograph(window, "processor")


def refuses_without_device(window):
    """A GPU kernel with no device chosen says what it needs."""
    need_device()
    take_plan(window, kernel="gl-tuned", device="none")
    window.press("Reconstruct")
    window.wait(lambda: "needs a graphics device" in (window.alert() or ""), "the banner")
    window.press("Continue on the Processor")
    window.read(VOLUME)


def tunes(window):
    """From the panel, with the trials and the best rate in the bar; a cancel keeps what was there, here nothing."""
    need_device()
    kept = os.path.join(window.folder, "gantry")
    tune = "Tune for This Device"
    window.wait(lambda: not window.enabled(window.see(tune, "push button")), "no tuning without a device")
    window.read(r"^The processor does the work, by your choice above: there is no device to tune\.$")
    take_plan(window, kernel="auto", device=device)
    window.read(r"^preview$")
    window.read(r"^Not tuned yet: ")
    window.unfold("Reconstruction")
    window.press(tune)
    window.read(r"^tuning [1-9]\d* / \d+ · .*(cone|parallel) beam.*: best so far [0-9.]+ GUPS$")
    for command in ("tune-device", "reconstruct", "pause", "finish"):
        if window.action_enabled(command):
            raise Failure(f"{command} is possible while the device is tuned")
    photograph(window, "tuning")
    window.press("Cancel")
    window.read(r"^Tuning was cancelled\. The settings before are kept\.$")
    window.read(r"^Not tuned yet: ")
    if os.path.exists(kept) and any(name.startswith("tuning") for name in os.listdir(kept)):
        raise Failure(os.listdir(kept))


def keeps_tuning(window):
    """The result is kept as that of the command line: a later window tells of it, and says so where the file is damaged."""
    need_device()
    window.press("Tune for This Device")
    words = r"^Tuned in .*: ([0-9.]+ GUPS for cone beam, [0-9.]+ GUPS for parallel beam)$"
    # Some hundred shaders are compiled.
    rates = window.wait(lambda: window.toast(words) or window.label(words), "the end of tuning", 4 * drive.PATIENCE).group(1)
    line = window.read(rf"^Tuned on \d+ \w+ \d+: {re.escape(rates)}\.$").group(0)
    photograph(window, "tuned")
    kept = os.path.join(window.folder, "gantry")
    name, = (name for name in os.listdir(kept) if name.startswith("tuning"))
    with open(os.path.join(kept, name), encoding="utf-8") as file:
        text = file.read()
    if not text.startswith(device + "\n"):
        raise Failure(text)
    window.press("Reconstruct")
    window.read(VOLUME)
    restart(window)
    if window.read(r"^Tuned on .*$").group(0) != line:
        raise Failure("a later window tells another tuning")
    with open(os.path.join(kept, name), "w", encoding="utf-8") as file:
        file.write(text[:-20])
    restart(window)
    window.read(r"damaged\. Tune the device again\.$")


def restart(window):
    window.process.terminate()
    window.process.wait(drive.PATIENCE)
    window.start(window.path("head.h5"))
    window.read(r"^preview$")
    take_plan(window, device=device)


def not_beside_a_run(window):
    need_device()
    take_plan(window, kernel="serial-loop", device=device, nx=256, ny=256, nz=256)
    window.ready("tune-device")
    window.press("Reconstruct")
    window.read(r"back-projecting \d+ / 96")
    window.action("pause")
    tune = window.see("Tune for This Device", "push button")
    if window.enabled(tune) or "A reconstruction is running" not in (tune.get_description() or ""):
        raise Failure(tune.get_description())
    window.read(r"^A reconstruction is running, and would slow the trials down: tune when it has ended\.$")
    window.action("cancel")
    window.ready("tune-device")


def live(window, wanted):
    """A run that shows planes, and the gaps between the ticks of the main loop meanwhile, which are told and not judged."""
    told = {name: len(window.measured(name)) for name in ("reconstruct-to-first-plane", "reconstruct-ticks")}
    window.press("Reconstruct")
    window.wait(lambda: len(window.measured("reconstruct-to-first-plane")) > told["reconstruct-to-first-plane"], "the first plane")
    window.read(wanted)
    window.wait(lambda: len(window.measured("reconstruct-ticks")) > told["reconstruct-ticks"], "the ticks")
    for name in ("to-first-plane", "ticks", "longest-gap", "gaps-over-50ms"):
        print(f"# {name} {window.measured('reconstruct-' + name)[-1]}")


def makes_example(window):
    need_device()
    window.action("open-example")
    window.read(r"^cone beam · 360 views of 256 × 256$")
    window.read(r"^preview$")
    take_plan(window, kernel="gl-tuned", device=device, nx=64, ny=64, nz=64)
    window.read(r"^preview$")
    live(window, r"^Reconstructed in .*: volume 64³, \d+ views$")
    photograph(window, "example")


def makes_pepper(window):
    need_device()
    scan = drive.make_pepper(window)
    window.process.terminate()
    window.process.wait(drive.PATIENCE)
    window.start(scan)
    window.read(r"^cone beam · 361 views of 140 × 148$")
    window.read(r"^preview$")
    take_plan(window, kernel="gl-tuned", device=device, nx=70, ny=70, nz=74)
    window.read(r"^preview$")
    live(window, r"^Reconstructed in .*: volume 70 × 70 × 74, 361 views$")
    photograph(window, "pepper")


def ends_pepper(window):
    """Early, with the views so far, and cancelled, with the volume before."""
    need_device()
    if not os.path.isdir(window.path("pepper")):
        raise Skip("the scan bell-pepper is not here (GANTRY_DATA)")
    take_plan(window, kernel="gl-naive", device=device, nx=140, ny=140, nz=148)
    window.read(r"^preview$")
    window.press("Reconstruct")
    window.read(r"back-projecting [1-9]\d* / 361")
    window.action("finish")
    views = int(window.read(r"^Finished early in .*: volume 140 × 140 × 148, (\d+) of 361 views$").group(1))
    if not 8 <= views < 361:
        raise Failure(views)
    window.press("Reconstruct")
    window.read(r"back-projecting [1-9]\d* / 361")
    window.action("cancel")
    window.read(r"^Cancelled\. The volume before is kept\.$")
    for name in ("cancel", "finish-early"):
        for seconds in window.measured(name)[-1:]:
            print(f"# {name} {seconds}")


def closes(window):
    need_device()
    drive.ends_quietly(window)


drive.run(sys.argv[1], [
    ("a scan opens", opens),
    ("the device is in the list, and its kernel in use", lists_devices),
    ("the volume is the processor's", reconstructs),
    ("planes of the volume in the making are shown", shows_planes),
    ("it finishes early", finishes_early),
    ("it cancels, and keeps the volume before", cancels),
    ("without the device it goes on with the processor", goes_on_with_processor),
    ("a kernel that needs a device says so", refuses_without_device),
    ("the device is tuned from the panel, and a cancel keeps the settings before", tunes),
    ("the tuning is kept, told, and found again", keeps_tuning),
    ("a run and a tuning exclude each other", not_beside_a_run),
    ("the built-in example is made live on the device", makes_example),
    ("so is a real scan", makes_pepper),
    ("it finishes early, and is cancelled", ends_pepper),
    ("it ends without complaints", closes),
])
