#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Adds up the TAP lines of meson's test logs: count-tap.py [--broken N] TESTLOG.json...

Prints what failed, then "N passed, N failed, N skipped" as the last line; exits with 1 unless nothing failed. A program that
crashed, ran out of time or ended before its plan counts as one more failure, and so does a log that is missing."""

import json
import re
import sys


def count_program(name, output, result, returncode):
    """(passed, failed, skipped, words) of one test program."""
    passed = failed = skipped = 0
    planned, words, explaining = None, [], False
    for line in output.splitlines():
        if explaining and line.startswith("#"):
            words.append("    " + line[1:].strip())
            continue
        explaining = False
        plan = re.match(r"1\.\.(\d+)(\s*#\s*skip.*)?$", line, re.I)
        if plan:
            planned = int(plan.group(1))
            skipped += planned == 0
        test = re.match(r"(not )?ok\b([^#]*)(#\s*(skip|todo)\b.*)?", line, re.I)
        if not test:
            continue
        if test.group(4) and test.group(4).lower() == "skip":
            skipped += 1
        elif test.group(1):
            failed += 1
            words.append(f"{name}: {line}")
            explaining = True
        else:
            passed += 1
    if planned is None and result in ("OK", "SKIP"):  # a program that says all by its exit status
        return int(result == "OK"), 0, int(result == "SKIP"), words
    if result in ("OK", "SKIP", "EXPECTEDFAIL") and planned == passed + failed + skipped:
        return passed, failed, skipped, words
    if planned == 0 and result in ("OK", "SKIP"):
        return passed, failed, skipped, words
    if failed == 0 or planned != passed + failed + skipped:
        failed += 1
        words.append(f"{name}: {result.lower()}, exit status {returncode}, {passed + skipped} of {planned} tests done")
    return passed, failed, skipped, words


def count_log(path):
    totals, words = [0, 0, 0], []
    try:
        with open(path, encoding="utf-8", errors="replace") as log:
            for line in log:
                entry = json.loads(line)
                *counts, more = count_program(entry["name"], entry.get("stdout") or "", entry["result"], entry.get("returncode"))
                totals = [a + b for a, b in zip(totals, counts)]
                words += more
    except (OSError, ValueError, KeyError) as fault:
        totals[1] += 1
        words.append(f"{path}: cannot be read ({fault})")
    return totals, words


def main(arguments):
    totals = [0, 0, 0]
    if arguments[:1] == ["--broken"]:
        totals[1] = int(arguments[1])
        arguments = arguments[2:]
    for path in arguments:
        counts, words = count_log(path)
        totals = [a + b for a, b in zip(totals, counts)]
        for line in words:
            print(line)
    if not any(totals):
        totals[1] = 1
    print("{} passed, {} failed, {} skipped".format(*totals), flush=True)
    return 1 if totals[1] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
