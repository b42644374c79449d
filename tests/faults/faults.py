#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Faults in the middle of commands. faults.py PROGRAM PRELOAD SAVE-SESSION LINK-SCAN [PLACES]

Lets the n-th allocation or call to a file of each command fail, fail with all behind it, be cut short, or be the last
before the process is killed (preload.c), and looks at what is left: the status is right, one message tells of a
failure, every output is whole, the old or the new one, no temporary file stays, and none that a killed process left
survives the next run. With PLACES so many of each command and fault, evenly spread; without, every place, which takes
hours. FAULTS names the commands, else all are taken; a test that is not told to be whole (CT_TEST_WHOLE) takes a few.
Besides each command is stopped behind every call that brings a file to the disk or changes a name, and what a loss of
power would leave there is looked at: the names as they are, of files what was synced. Speaks TAP, one line for each
command and kind of fault."""

import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

GRID = ["--set", "device=none", "--set", "nx=16", "--set", "ny=16", "--set", "nz=6"]
# What each command writes.
COMMANDS = {
    "mha": (["reconstruct", "s.h5", *GRID, "--save-plan", "o/p.json", "-o", "o/v.mha"], ["p.json", "v.mha"]),
    "mhd": (["reconstruct", "s.h5", *GRID, "--set", "compress=yes", "-o", "o/v.mhd"], ["v.mhd", "v.zraw"]),
    "nrrd": (["reconstruct", "s.h5", *GRID, "--set", "compress=yes", "--save-plan", "o/p.json", "-o", "o/v.nrrd"], ["p.json", "v.nrrd"]),
    "npy": (["reconstruct", "s.h5", *GRID, "-o", "o/v.npy"], ["v.npy"]),
    "raw": (["reconstruct", "s.h5", *GRID, "-o", "o/v.raw"], ["v.raw", "v.raw.json"]),
    "hdf5": (["reconstruct", "s.h5", *GRID, "--set", "compress=yes", "-o", "o/v.h5"], ["v.h5"]),
    "tiff": (["reconstruct", "s.h5", *GRID, "-o", "o/v.tif"], ["v.tif"]),
    "folder": (["reconstruct", "s.h5", *GRID, "-o", "o/slices"], ["slices"]),
    "picture": (["slice", "v.mha", "-o", "o/v.png"], ["v.png"]),
    "slabs": (["reconstruct", "s.h5", *GRID, "--memory", "40K", "--save-plan", "o/p.json", "-o", "o/v.mha"], ["p.json", "v.mha"]),
    "slabs-hdf5": (["reconstruct", "s.h5", *GRID, "--memory", "40K", "-o", "o/v.h5"], ["v.h5"]),
    "links": (["reconstruct", "l/s.h5", "--links", "anywhere", *GRID, "-o", "o/v.mha"], ["v.mha"]),
    "helix": (["reconstruct", "h.h5", *GRID, "-o", "o/v.mha"], ["v.mha"]),
    "iterative": (["reconstruct", "s.h5", *GRID, "--set", "method=sirt", "--set", "iterations=2", "--curve", "o/c.csv", "-o", "o/v.mha"],
                  ["v.mha", "c.csv"]),
    "scan": (["simulate", "--views", "3", "--detector", "8x8", "-o", "o/s.h5"], ["s.h5"]),
    "spiral": (["simulate", "--feed", "20", "--arc", "720", "--views", "3", "--detector", "8x8", "--detector-shape", "curved", "--counts",
                "--noise", "1e4", "--gain", "0.1", "--truth", "o/t.mha", "-o", "o/s.h5"], ["t.mha", "s.h5"]),
    "object": (["simulate", "--object", "v.mha", "--voltage", "100", "--copper", "0.2", "--scatter", "0.1", "--blur", "1", "--lag", "0.1",
                "--views", "3", "--detector", "8x8", "-o", "o/s.h5"], ["s.h5"]),
    "table": (["compare", "v.mha", "w.mha", "--csv", "o/t.csv"], ["t.csv"]),
    "batch": (["batch", "s.h5", *GRID, "--replace", "-o", "o/{name}.mha"], ["s.mha"]),
    "session": (["o/a.gantry"], ["a.gantry"]),
    "info": (["info", "s.h5"], []),
    "facts": (["info", "--json", "v.mha"], []),
    "marks": (["measure", "v.mha", "--json", "--rectangle", "axial:mid:-3,-3,3,3", "--line", "axial:mid:-3,0,3,0"], []),
    "matrix": (["matrix", "--views", "8", "--rays", "8", "--size", "8", "-o", "o/m.mtx", "--bars", "o/b.png", "--overlap", "o/a.svg",
                "--spy", "o/s.png"], ["m.mtx", "b.png", "a.svg", "s.png"]),
    "nodes": (["plan", "--nodes", "4", "--rate", "1", "--filter-rate", "10", "--json"], []),
}
# What an image or a volume that is there already is called where the other output fails.
BESIDE = {"mha": ("v.mha", "but its plan is not"), "nrrd": ("v.nrrd", "but its plan is not"), "slabs": ("v.mha", "but its plan is not"),
          "iterative": ("v.mha", "but its curve is not"), "spiral": ("t.mha", "but the scan is not")}
# Kind, what happens, whether all behind it fail too.
FAULTS = [("memory", "fail", False), ("memory", "fail", True), ("any", "fail", False), ("any", "fail", True),
          ("write", "short", False), ("read", "short", False), ("any", "kill", False), ("limit", "fail", False),
          ("power", "loss", False)]
# Address space, MB, from where the program just starts to where it has enough.
LIMITS = range(60, 700, 4)
OLD = b"an older file\n"
CURVE_TIMES = re.compile(rb"(?m)^([0-9]+,)[^,]*")  # iteration, seconds
TIMES = re.compile(r"[0-9.]+ m?s\b")
SPACE = re.compile(r"[ -]+")  # columns are as wide as their times


def timeless(path, data):
    """A file's bytes without the times that a curve tells."""
    return CURVE_TIMES.sub(rb"\1", data) if data and path.endswith("c.csv") else data


def content(path):
    """A file's bytes, or those of a folder's files by name."""
    if not os.path.isdir(path):
        with open(path, "rb") as file:
            return timeless(path, file.read())
    # The manifest lists the files in the order of the file system.
    return {name: content(os.path.join(path, name)) for name in sorted(os.listdir(path)) if name != ".gantry-files"}


def plain(text):
    """What a command printed, without times and the room that they take."""
    return SPACE.sub(" ", TIMES.sub("", text))


class Walk:
    def __init__(self, program, preload, session, link):
        self.program, self.preload, self.session, self.link = map(os.path.abspath, (program, preload, session, link))

    def words_of(self, arguments):
        """The program and its arguments: a session is saved by one of its own."""
        quiet = [] if arguments[0] == "plan" else ["-q"]
        return [self.session, *arguments] if arguments[0].endswith(".gantry") else [self.program, *arguments, *quiet]

    def run(self, arguments, **settings):
        environment = dict(os.environ, OMP_NUM_THREADS="1", **{f"FAULT_{key.upper()}": str(value) for key, value in settings.items()})
        limit = settings.get("at", 0) * 1000000 if settings.get("kind") == "limit" else 0
        if settings and not limit:
            environment["LD_PRELOAD"] = self.preload
        return subprocess.run(self.words_of(arguments), env=environment, capture_output=True, text=True, errors="replace",
                              timeout=100, preexec_fn=(lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit))) if limit else None)

    def prepare(self):
        for name, more in ("v.mha", []), ("w.mha", ["--set", "filter.window=hann"]):
            if name == "v.mha":
                self.check(["simulate", "--views", "12", "--detector", "16x12", "-o", "s.h5"])
            self.check(["reconstruct", "s.h5", *GRID, *more, "-o", name])
        self.check(["simulate", "--feed", "8", "--arc", "720", "--views", "12", "--detector", "16x12", "-o", "h.h5"])
        os.mkdir("l")
        shutil.copy("s.h5", "l/s.h5")
        subprocess.run([self.link, "l/s.h5", "../s.h5"], check=True)

    def check(self, arguments):
        done = self.run(arguments)
        assert done.returncode == 0, (arguments, done.stderr)
        return done

    def renew(self, outputs):
        """The outputs' folder, with older files of their names: a volume of several files has none."""
        shutil.rmtree("o", ignore_errors=True)
        os.mkdir("o")
        for name in outputs:
            if len(outputs) == 1 and name != "slices" or name == "p.json":
                with open(os.path.join("o", name), "wb") as file:
                    file.write(OLD)

    def places(self, name):
        """What the command makes when all goes well, and the numbers of its places by kind."""
        arguments, outputs = COMMANDS[name]
        self.renew(outputs)
        reference = self.check(arguments)
        new = {output: content(os.path.join("o", output)) for output in outputs}
        self.renew(outputs)
        counted = self.run(arguments, count="count", sites="sites")
        assert counted.returncode == 0, counted.stderr
        with open("count") as file:
            counts = dict(line.split() for line in file)
        with open("sites") as file:
            memory = [int(line) for line in file]
        found = {kind: list(range(1, int(number) + 1)) for kind, number in counts.items()}
        found["memory"] = memory
        found["limit"] = list(LIMITS)
        found["power"] = [1]
        return reference.stdout, new, found

    def judge(self, name, done, made, fault, told):
        """What is wrong, "" for nothing."""
        (stdout, new, _), outputs = made, COMMANDS[name][1]
        killed = fault[1] == "kill"
        # Where every call fails from a place on, or the one that would remove the file, it stays for the next run.
        stays = killed or fault[0] == "any" and (fault[2] or told == "unlink")
        said = done.stderr.splitlines() or re.findall("failed .*", done.stdout)  # of a batch, in its table
        words = [line for line in said if not line.startswith(("warning:", "note:"))]
        first, but = BESIDE.get(name, (None, ""))
        left = {name: content(os.path.join("o", name)) for name in os.listdir("o")}
        if fault[0] == "limit" and "error while loading shared libraries" in done.stderr:
            return ""
        if done.returncode not in ((0, -signal.SIGKILL) if killed else (0, 1)):
            return f"status {done.returncode}: {done.stderr[-300:]}"
        for output, found in left.items():
            if output.startswith(".gantry") and not stays:
                return f"{output} stays, status {done.returncode}, {done.stderr[-300:]}"
            if not output.startswith(".gantry") and found != new.get(output) and found != OLD:
                return f"{output} is neither the old nor the new one, status {done.returncode}"
        if done.returncode == 1 and (len(words) != 1 or not words[0].startswith(("gantry-cli: ", "save-session: ", "failed"))):
            return f"words: {done.stderr[-300:]}"
        if done.returncode == 0 and any(left.get(output) != new[output] for output in outputs):
            return "status 0 without the output"
        there = first and left.get(first) == new[first]
        # Where memory lacks for the words too, they are others.
        if done.returncode == 1 and there and but not in words[0] and not (fault[0] == "memory" and fault[2]):
            return f"{first} is there, and the words are {words[0]}"
        if done.returncode == 0 and plain(done.stdout) != plain(stdout):
            return "status 0 and other words"
        return ""

    def clean_up(self, arguments):
        """The run after a killed one: what that left is old by now, and goes."""
        then = time.time() - 1000
        for name in os.listdir("o"):
            os.utime(os.path.join("o", name), (then, then))
        self.check(arguments)
        return [name for name in os.listdir("o") if name.startswith(".gantry")]

    def lose_power(self, name, made):
        """What is wrong behind one of the steps of a save, were it the last; their number. Names are kept in the order in
        which they change, as a journal keeps them; of a file all that was not synced is lost."""
        arguments, outputs = COMMANDS[name]
        new = made[1]
        self.renew(outputs)
        durable = {inode: data for inode, data in files_of("o").values()}
        with open("steps", "w"):
            pass
        environment = dict(os.environ, OMP_NUM_THREADS="1", LD_PRELOAD=self.preload, FAULT_STEPS="steps")
        process = subprocess.Popen(self.words_of(arguments), env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        trouble, count = "", 0
        while True:
            _, status = os.waitpid(process.pid, os.WUNTRACED)
            if not os.WIFSTOPPED(status):
                break
            with open("steps") as file:
                step = file.read().splitlines()[-1].split()
            there = files_of("o")
            count += 1
            for inode, data in there.values():
                if step[0] == "syncfs" or step == ["fsync", str(inode)]:
                    durable[inode] = data
            left = {path: durable.get(inode, b"") for path, (inode, _) in there.items()}
            trouble = trouble or judge_left(left, outputs, new, f"behind step {count}, {' '.join(step)}")
            os.kill(process.pid, signal.SIGCONT)
        process.returncode = os.waitstatus_to_exitcode(status)
        if not trouble and process.returncode != 0:
            trouble = f"status {process.returncode}"
        if not trouble and outputs and any(judge_left({path: durable.get(inode, b"") for path, (inode, _) in files_of("o").items()}, [one], new, "", False)
                                           for one in outputs):
            trouble = "an output is not on the disk at the end"
        return trouble, count

    def fault(self, name, fault, number, made):
        arguments, outputs = COMMANDS[name]
        kind, what, on = fault
        self.renew(outputs)
        settings = {"from": 1} if on else {}
        with open("call", "w"):
            pass
        try:
            done = self.run(arguments, kind=kind, at=number, do=what, call="call", **settings)
        except subprocess.TimeoutExpired:
            return "hangs", 0
        with open("call") as file:
            trouble = self.judge(name, done, made, fault, file.read())
        if not trouble and any(entry.startswith(".gantry") for entry in os.listdir("o")):
            stayed = self.clean_up(arguments)
            trouble = f"{stayed} stays after the next run" if stayed else ""
        return trouble, done.returncode


def files_of(folder):
    """{path below the folder: (inode, bytes)} of all files in it."""
    found = {}
    for place, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(place, name)
            with open(path, "rb") as file:
                found[os.path.relpath(path, folder)] = os.fstat(file.fileno()).st_ino, file.read()
    return found


def judge_left(left, outputs, new, where, old_too=True):
    """What is wrong with the outputs among what is left, "" for nothing: each is the old one, or none, or the new one."""
    for name in outputs:
        if isinstance(new[name], dict):
            found = {path[len(name) + 1:]: data for path, data in left.items() if path.startswith(name + "/") and ".gantry-files" not in path}
        else:
            found = timeless(name, left.get(name))
        if found != new[name] and not (old_too and found in (None, OLD, {})):
            return f"{name} is neither the old nor the new one {where}"
    for header, data in ("v.mhd", "v.zraw"), ("v.raw.json", "v.raw"):
        if header in outputs and header in left and data not in left:
            return f"{header} is there without {data} {where}"
    return ""


def spread(places, count, row):
    """So many of the places; where in each part of them differs from row to row."""
    if not count or count >= len(places):
        return places
    return [places[int((part + (row * 0.618) % 1) * len(places) / count)] for part in range(count)]


def main():
    walk = Walk(*sys.argv[1:5])
    count = int(sys.argv[5]) if len(sys.argv) > 5 else None
    few = [] if not count or os.environ.get("CT_TEST_WHOLE") else ["mha", "scan", "session"]
    chosen = os.environ.get("FAULTS", "").split() or few or list(COMMANDS)
    with tempfile.TemporaryDirectory(prefix="gantry-faults-") as folder:
        os.chdir(folder)
        walk.prepare()
        rows = [(name, fault) for name in chosen for fault in FAULTS]
        print(f"1..{len(rows)}")
        made, failed = {}, False
        for index, (name, fault) in enumerate(rows):
            if name not in made:
                made[name] = walk.places(name)
            places, well, bad = spread(made[name][2][fault[0]], count, index), 0, 0
            steps = 0
            for number in places:
                if fault[0] == "power":
                    (trouble, steps), status = walk.lose_power(name, made[name]), 0
                else:
                    trouble, status = walk.fault(name, fault, number, made[name])
                well += status == 0
                bad += bool(trouble)
                if trouble:
                    print(f"# {name} {fault} at {number}: {trouble}")
            title = f"{name}: {fault[0]} {fault[1]}{' from then on' if fault[2] else ''}, {steps or len(places)} places, status 0 at {well}"
            print(f"{'not ok' if bad else 'ok'} {index + 1} - {title}", flush=True)
            failed = failed or bad
        os.chdir("/")
    sys.exit(bool(failed))


main()
