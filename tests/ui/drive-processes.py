# SPDX-License-Identifier: GPL-3.0-or-later
"""A scan reconstructed by two processes from the real window: the volume is that of one and is opened; a command that cannot be run is
told; a cancel ends all of them. Skipped where gantry-cli has no MPI or mpirun is not there. Arguments: gantry, gantry-cli."""
import json
import os
import shutil
import subprocess
import sys
import time

import drive
from drive import Failure, Skip

COMMAND = "Command that starts the processes"
os.environ.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_rmaps_base_oversubscribe="1",
                  OMPI_MCA_btl_vader_single_copy_mechanism="none", OMPI_MCA_mpi_yield_when_idle="1")


def cli(*words):
    return subprocess.run([sys.argv[2], *words], check=True, capture_output=True, text=True).stdout


def photograph(window, name):
    if "GANTRY_TEST_PICTURE" in os.environ:
        time.sleep(1)
        window.photograph(f"{os.environ['GANTRY_TEST_PICTURE']}-{name}.png")


def several(window):
    window.action("reconstruct-by-processes")
    return window.dialog("Several Processes")


def told(window, dialog, words):
    return window.wait(lambda: window.find(words, "label", dialog), f"“{words}”").get_name()


def take_its_mpirun(folder, version):
    """Of two that are installed, mpirun has to be that of the program's MPI."""
    own = shutil.which("mpirun.mpich" if "MPICH" in version else "mpirun.openmpi")
    if own:
        launcher = os.path.join(folder, "mpirun")  # no link: MPICH's looks for its helper beside itself
        with open(launcher, "w", encoding="utf-8") as file:
            file.write(f'#!/bin/sh\nexec "{own}" "$@"\n')
        os.chmod(launcher, 0o755)
        os.environ["PATH"] = folder + ":" + os.environ["PATH"]


def two_make_the_volume_of_one(window):
    version = cli("--version")
    if "\nwith MPI" not in version or not shutil.which("mpirun"):
        raise Skip("gantry-cli has no MPI, or mpirun is not there")
    os.mkdir(window.path("bin"))
    take_its_mpirun(window.path("bin"), version)
    cli("simulate", "-q", "--detector", "64x64", "--views", "60", "-o", window.path("it's.h5"))
    cli("reconstruct", "-q", window.path("it's.h5"), "--set", "filter.window=hann", "-o", window.path("one.mha"))
    window.start(window.path("it's.h5"))
    window.read(r"^preview$")
    window.take_values({"filter.window": "hann"})
    window.read("^Values taken from values.json")
    dialog = several(window)
    photograph(window, "begin")
    window.press("Reconstruct", within=dialog)
    told(window, dialog, "64 x 64 x 64 voxels")
    photograph(window, "made")
    far = json.loads(cli("compare", window.path("it's.mha"), window.path("one.mha"), "--json"))["relative_rmse"]
    if not far < 1e-5:
        raise Failure(f"the volume of two processes differs by {far}")
    if os.listdir(window.path("gantry/processes")):
        raise Failure(f"a plan is left: {os.listdir(window.path('gantry/processes'))}")
    window.press("Open the Volume", within=dialog)
    window.no_dialog()
    window.see("it's.mha")


def a_template_for_slurm_is_filled_in(window):
    srun = window.path("bin/srun")
    with open(srun, "w", encoding="utf-8") as file:
        file.write('#!/bin/sh\n[ "$1$3" = -n-c ] && [ "$4" -ge 1 ] || { echo "gantry-cli: srun takes no $*" >&2; exit 1; }\n'
                   'count=$2; shift 4; exec mpirun -n "$count" "$@"\n')
    os.chmod(srun, 0o755)
    os.unlink(window.path("it's.mha"))
    dialog = several(window)
    window.see(COMMAND, "text", dialog).set_text_contents("srun -n {processes} -c {threads} {program} reconstruct {arguments}")
    window.press("Reconstruct", within=dialog)
    told(window, dialog, "64 x 64 x 64 voxels")
    photograph(window, "slurm")
    if not os.path.exists(window.path("it's.mha")):
        raise Failure("no volume was made")
    window.press("Close", within=dialog)
    window.no_dialog()


def what_cannot_be_run_is_told(window):
    dialog = several(window)
    told(window, dialog, "will be replaced")
    entry = window.see(COMMAND, "text", dialog)
    entry.set_text_contents("no-such-launcher {program} {arguments}")
    told(window, dialog, "no-such-launcher, with which the command begins, is not found")
    photograph(window, "problem")
    if window.enabled(window.see("Reconstruct", "push button", dialog)):
        raise Failure("it can be begun all the same")
    entry.set_text_contents("mpirun -n {number} {program} {arguments}")
    told(window, dialog, "The command has {number}")
    entry.set_text_contents("sh -c 'echo gantry-cli: no node is free >&2; exit 3' {arguments}")
    window.press("Reconstruct", within=dialog)
    told(window, dialog, "no node is free.")
    photograph(window, "failed")
    window.press("Reset the command", within=dialog)
    told(window, dialog, "mpirun -n 2 ")
    window.press("Close", within=dialog)
    window.no_dialog()


def running(words):
    """Processes whose command line has the words."""
    found = []
    for number in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{number}/cmdline", encoding="utf-8", errors="replace") as file:
                line = file.read()
        except OSError:
            continue
        if words in line and "--plan" in line:
            found.append(number)
    return found


def a_cancel_ends_all(window):
    window.take_values({"reconstruction.kernel": "textbook", **{f"reconstruction.n{axis}": 200 for axis in "xyz"}}, "slow.json")
    window.read("^Values taken from slow.json")
    dialog = several(window)
    window.press("Reconstruct", within=dialog)
    window.wait(lambda: len(running(window.path("it's"))) >= 3, "launcher and two processes")
    photograph(window, "running")
    window.press("Cancel", within=dialog)
    told(window, dialog, "It was cancelled")
    photograph(window, "cancelled")
    window.wait(lambda: not running(window.path("it's")), "all processes to be gone")
    window.press("Close", within=dialog)
    window.no_dialog()


drive.run(sys.argv[1], [
    ("two processes make the volume of one", two_make_the_volume_of_one),
    ("a template for Slurm is filled in", a_template_for_slurm_is_filled_in),
    ("what cannot be run is told", what_cannot_be_run_is_told),
    ("a cancel ends all processes", a_cancel_ends_all),
    ("it ends without complaints", drive.ends_quietly),
])
