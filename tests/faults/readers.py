#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Faults while files are read. readers.py PROGRAM PRELOAD TEST-FUZZ [PLACES]

The seeds of the fuzz targets (test-fuzz --seeds), which are files of every format and every kind of geometry file, are
each read by `gantry-cli info --values`, and scans reconstructed, while the n-th allocation or call to a file fails, fails
with all behind it, or is cut short (preload.c). What must come out is what comes without a fault, or status 1, one message
that tells of it, and no output; never a crash, another answer, or an output that is another. With PLACES so many of each seed and fault,
evenly spread; without, every place. TARGETS names targets, else all are taken. Speaks TAP, one line for each target."""

import itertools
import os
import subprocess
import sys
import tempfile

FAULTS = [("memory", "fail", False), ("memory", "fail", True), ("any", "fail", False), ("any", "fail", True), ("read", "short", False)]
# Texts of the program itself, whose readers tests/faults/faults.py meets.
NOT_READ = {"plan", "session", "lesson", "command", "angles"}
GRID = ["--set", "device=none", "--set", "nx=4", "--set", "ny=4", "--set", "nz=2"]
OUTPUT = "o.mha"


def first_difference(wanted, found):
    pairs = itertools.zip_longest(wanted.splitlines(), found.splitlines(), fillvalue="nothing")
    return next((f"{is_not} instead of {line}" for line, is_not in pairs if line != is_not), "the output")


class Reader:
    def __init__(self, program, preload):
        self.program, self.preload = program, preload

    def run(self, words, **settings):
        environment = dict(os.environ, OMP_NUM_THREADS="1", **{f"FAULT_{key.upper()}": str(value) for key, value in settings.items()})
        if settings:
            environment["LD_PRELOAD"] = self.preload
        if os.path.exists(OUTPUT):
            os.remove(OUTPUT)
        done = subprocess.run([self.program, *words], env=environment, capture_output=True, text=True, errors="replace", timeout=60)
        made = None
        if os.path.exists(OUTPUT):
            with open(OUTPUT, "rb") as file:
                made = file.read()
        return done, made

    def places(self, words):
        done, _ = self.run(words, count="count", sites="sites")
        assert done.returncode in (0, 1), (words, done.stderr)
        with open("count", encoding="ascii") as file:
            counts = {kind: range(1, int(number) + 1) for kind, number in (line.split() for line in file)}
        with open("sites", encoding="ascii") as file:
            counts["memory"] = [int(line) for line in file]
        return counts

    def judge(self, done, made, good, whole):
        """What is wrong, "" for nothing; whole: all calls behind the place fail too, the words for the message as well."""
        messages = [line for line in done.stderr.splitlines() if not line.startswith(("warning:", "note:"))]
        if done.returncode not in (0, 1):
            return f"status {done.returncode}: {done.stderr[-300:]}"
        if made is not None and made != good[1]:
            return "another output"
        if done.returncode == 1 and (len(messages) != 1 or not messages[0].startswith("gantry-cli: ")) and not whole:
            return f"words: {done.stderr[-300:]}"
        if done.returncode == 0 and good[0].returncode == 0 and (done.stdout != good[0].stdout or made != good[1]):
            return f"status 0 and other words: {first_difference(good[0].stdout, done.stdout)}"
        if done.returncode == 0 and good[0].returncode == 1:
            return f"it could be read: {done.stdout.splitlines()[:1]}"
        return ""

    def commands(self, target, path):
        """Of a seed."""
        if target.startswith("beside-"):
            with open("d.json", "w", encoding="utf-8") as file:
                file.write(f'{{"geometry": "{path}"}}')
            info = ["info", "-q", "--description", "d.json", os.path.dirname(path)]
        else:
            info = ["info", "-q", "--values", path]
        yield info
        done, _ = self.run(info)
        if done.returncode == 0 and ": a scan" in done.stdout.split("\n")[0]:
            yield ["reconstruct", *info[1:], *GRID, "-o", OUTPUT] if "--values" not in info else ["reconstruct", "-q", path, *GRID, "-o", OUTPUT]

    def target(self, name, folder, count, row):
        """(places, places of status 0, what is wrong)"""
        tried, well, troubles = 0, 0, []
        for number in sorted(os.listdir(folder)):
            files = os.listdir(os.path.join(folder, number))
            path = os.path.join(folder, number, next(file for file in files if file.startswith("in.") and file != "in.raw.json") if name != "raw" else "in.raw")
            for words in self.commands(name, path):
                good = self.run(words)
                places = self.places(words)
                for fault in FAULTS:
                    row += 1
                    for at in spread(list(places[fault[0]]), count, row):
                        settings = {"from": 1} if fault[2] else {}
                        done, made = self.run(words, kind=fault[0], at=at, do=fault[1], **settings)
                        trouble = self.judge(done, made, good, fault[2])
                        tried += 1
                        well += done.returncode == 0
                        if trouble:
                            troubles.append(f"{words[0]} {number} {fault} at {at}: {trouble}")
        return tried, well, troubles


def spread(places, count, row):
    """So many of the places; where in each part of them differs from row to row."""
    if not count or count >= len(places):
        return places
    return [places[int((part + (row * 0.618) % 1) * len(places) / count)] for part in range(count)]


def main():
    program, preload, seeds = map(os.path.abspath, sys.argv[1:4])
    count = int(sys.argv[4]) if len(sys.argv) > 4 else None
    failed = False
    with tempfile.TemporaryDirectory(prefix="gantry-readers-") as folder:
        os.chdir(folder)
        os.mkdir("seeds")
        subprocess.run([seeds, "--seeds", os.path.join(folder, "seeds")], check=True)
        names = os.environ.get("TARGETS", "").split() or sorted(set(os.listdir("seeds")) - NOT_READ)
        print(f"1..{len(names)}")
        reader = Reader(program, preload)
        for index, name in enumerate(names):
            tried, well, troubles = reader.target(name, os.path.join("seeds", name), count, 100 * index)
            for trouble in troubles:
                print("# " + trouble.replace("\n", " | "))
            print(f"{'not ok' if troubles else 'ok'} {index + 1} - {name}: {tried} places, status 0 at {well}", flush=True)
            failed = failed or bool(troubles)
        os.chdir("/")
    sys.exit(failed)


main()
