# SPDX-License-Identifier: GPL-3.0-or-later
"""The choice of the back-projection kernel in the real window: what is in use and why, one that refuses the values, and the banner's
way out. Arguments: gantry, gantry-cli."""
import os
import subprocess
import sys
import time

import drive
from drive import Failure

VOLUME = r"^Reconstructed in .*: volume 32³, 48 views$"
TAKEN = r"^Values taken from values\.json$"


def photograph(window, name):
    if "GANTRY_TEST_PICTURE" in os.environ:
        window.photograph(f"{os.environ['GANTRY_TEST_PICTURE']}-{name}.png")


def take(window, **values):
    window.take_values({"reconstruction." + key: value for key, value in values.items()})
    window.read(TAKEN)


def opens(window):
    scan = window.path("head.h5")
    subprocess.run([sys.argv[2], "simulate", "--detector", "32x32", "--pixel", "4.8", "--views", "48", "-o", scan], check=True,
                   capture_output=True)
    window.start(scan)
    window.read(r"^preview$")
    window.unfold("Reconstruction")
    window.read(r"^In use: .*: the (only one|fastest on this machine)")


def cannot_choose_a_refusing_one(window):
    """The row below the automatic choice is not for cone beam: Down does not stop there, or Return does nothing."""
    device = "none"
    take(window, device=device)
    drop_down = window.see("Kernel", "combo box")
    window.drag(drop_down, (0.5, 0.5), (0.5, 0.5))
    window.wait(lambda: window.label(r"^Needs a graphics device: choose one below\."), "the list with its reasons")
    window.key("Down")
    time.sleep(0.5)
    photograph(window, "list")
    window.key("Return")
    time.sleep(1)
    if window.label(r"^Cannot be used now: "):
        raise Failure("a kernel that refuses was chosen in the list")
    window.key("Escape")
    window.read(r"^In use: .*: the (only one|fastest on this machine)")


def tells_a_choice(window):
    take(window, kernel="chen-symmetry")
    window.read(r"^In use: Symmetry \(Chen 3\), as chosen\.$")
    window.press("Reconstruct")
    window.read(VOLUME)


def refuses(window):
    """A grid that is not centred, which a kernel that mirrors cannot serve: words and a way out, and the volume before is kept."""
    take(window, kernel="chen-symmetry", nx=32, ny=32, nz=32, z=7)
    window.press("Reconstruct")
    window.wait(lambda: "with symmetry mirror the upper half" in (window.alert() or ""), "the banner")
    window.ready("reconstruct")
    if window.label(r"^In use: Symmetry"):
        raise Failure("a kernel that refuses is told to be in use")
    if not window.action_enabled("save-volume"):
        raise Failure("the volume before is gone")
    photograph(window, "refused")


def gives_way(window):
    window.press("Automatic Kernel")
    window.read(VOLUME)
    window.read(r"^In use: .*: the (only one|fastest on this machine)")
    photograph(window, "automatic")
    window.check_quiet()


drive.run(sys.argv[1], [
    ("a scan opens, and the panel tells the kernel in use and why", opens),
    ("one that refuses cannot be chosen", cannot_choose_a_refusing_one),
    ("one that is chosen is told as chosen", tells_a_choice),
    ("one that cannot serve the values refuses in words", refuses),
    ("the banner's button takes the automatic kernel and goes on", gives_way),
])
