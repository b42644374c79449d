#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The set-up scripts, as far as they can be tried without installing: test-scripts.py ROOT. What `check` makes of test logs, and
what `run` makes of its arguments. Speaks TAP."""

import json
import os
import subprocess
import sys
import tempfile

ROOT = os.path.abspath(sys.argv[1])
COUNT = os.path.join(ROOT, ".ci/count-tap.py")

# title, (result, exit status, output) of each program, closing line
CASES = [
    ("all passed", [("OK", 0, "1..2\nok 1 - a\nok 2 - b\n")], "2 passed, 0 failed, 0 skipped"),
    ("one failed", [("FAIL", 1, "1..2\nok 1 - a\nnot ok 2 - b\n# why\n")], "1 passed, 1 failed, 0 skipped"),
    ("one skipped", [("OK", 0, "1..2\nok 1 - a\nok 2 - b # SKIP no data\n")], "1 passed, 0 failed, 1 skipped"),
    ("a title may tell of skipping", [("OK", 0, "1..1\nok 1 - skip works\n")], "1 passed, 0 failed, 0 skipped"),
    ("all skipped", [("SKIP", 0, "1..0 # SKIP no display\n")], "0 passed, 0 failed, 1 skipped"),
    ("crashed half way", [("ERROR", -11, "1..3\nok 1 - a\n")], "1 passed, 1 failed, 0 skipped"),
    ("crashed after a failure", [("ERROR", -6, "1..3\nok 1 - a\nnot ok 2 - b\n")], "1 passed, 2 failed, 0 skipped"),
    ("crashed at the end", [("ERROR", -11, "1..1\nok 1 - a\n")], "1 passed, 1 failed, 0 skipped"),
    ("ran out of time", [("TIMEOUT", -15, "1..2\nok 1 - a\n")], "1 passed, 1 failed, 0 skipped"),
    ("said nothing and crashed", [("ERROR", -11, "")], "0 passed, 1 failed, 0 skipped"),
    ("stopped early, status 0", [("OK", 0, "1..3\nok 1 - a\n")], "1 passed, 1 failed, 0 skipped"),
    ("no TAP, by exit status", [("OK", 0, "fine\n"), ("FAIL", 1, "bad\n")], "1 passed, 1 failed, 0 skipped"),
    ("several programs", [("OK", 0, "1..1\nok 1 - a\n"), ("OK", 0, "1..1\nok 1 - b\n")], "2 passed, 0 failed, 0 skipped"),
    ("no test at all", [], "0 passed, 1 failed, 0 skipped"),
]


def closing_line(programs, folder, *more):
    log = os.path.join(folder, "testlog.json")
    with open(log, "w", encoding="utf-8") as file:
        for result, status, output in programs:
            file.write(json.dumps({"name": "x", "result": result, "returncode": status, "stdout": output}) + "\n")
    done = subprocess.run([sys.executable, COUNT, *more, log], capture_output=True, text=True)
    return done.returncode, done.stdout.rstrip("\n").split("\n")[-1]


def script(*command):
    """(exit status, whether something was said on stderr)"""
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    return done.returncode, bool(done.stderr.strip())


def main():
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        results = [(title, closing_line(programs, folder), (int(" 0 failed" not in line), line)) for title, programs, line in CASES]
        results.append(("a broken build fails", closing_line(CASES[0][1], folder, "--broken", "1"), (1, "2 passed, 1 failed, 0 skipped")))
        results.append(("a missing log fails", closing_line([], folder, os.path.join(folder, "gone.json")), (1, "0 passed, 1 failed, 0 skipped")))
    for name in ("run", "check", ".ci/run", ".ci/packages.sh", "tests/check-avx512", "tests/check-races"):
        results.append((f"{name} is a shell script without faults of syntax", script("bash", "-n", name), (0, False)))
    for name in ("run", "check", ".ci/run", "tests/check-avx512", "tests/check-races"):
        results.append((f"{name} may be executed", os.access(os.path.join(ROOT, name), os.X_OK), True))
    results.append(("run explains itself", script("./run", "--help"), (0, False)))
    results.append(("run refuses options that it does not know", script("./run", "--biuld"), (2, True)))
    results.append(("run refuses two files", script("./run", "a", "b"), (2, True)))
    results.append(("run --build takes no file", script("./run", "--build", "a"), (2, True)))
    print(f"1..{len(results)}")
    for number, (title, result, expected) in enumerate(results, 1):
        good = result == expected
        failed += not good
        print(f"{'ok' if good else 'not ok'} {number} - {title.replace('#', '')}")
        if not good:
            print(f"# {result}, not {expected}")
    return 1 if failed else 0


sys.exit(main())
