#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Holds the papers (README.md, CONTRIBUTING.md, docs/*.md, tests/bench/RESULTS.md) to the tree: files, folders and links that
they name exist, as do the functions and types that they name. Speaks TAP."""

import fnmatch
import glob
import os
import re
import sys

ROOT = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else ".")
FOLDERS = ("app", "ui", "render", "recon", "resources", "tests", "docs", ".ci")
PATH = re.compile(r"(?<![\w./-])((?:\.ci|app|ui|render|recon|resources|tests|docs)/[\w./*-]*[\w*/])")
# A file's name alone, as `plan-table.c`: somewhere in the tree.
NAME = re.compile(r"`(?!NAME)([\w-]+\.(?:c|h|comp|py))`")
LINK = re.compile(r"\]\(([^)#]+)(#[^)]*)?\)")
IDENTIFIER = re.compile(r"`\*?((?:ct|ctgl|gantry|Gantry)_?\w+(?<!_))(?:\(\))?`")
LONGEST = {"tests/bench/RESULTS.md": 250}


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def papers():
    names = ["README.md", "CONTRIBUTING.md", "tests/bench/RESULTS.md"]
    names += sorted(os.path.relpath(path, ROOT) for path in glob.glob(os.path.join(ROOT, "docs", "*.md")))
    return [(name, read(name)) for name in names if os.path.exists(os.path.join(ROOT, name))]


def tree():
    """Paths of all files below the folders, from the root."""
    for folder in FOLDERS:
        for place, _, names in os.walk(os.path.join(ROOT, folder)):
            for name in names:
                yield os.path.relpath(os.path.join(place, name), ROOT)


def numbered(text):
    return enumerate(text.split("\n"), 1)


def check_paths(texts, files):
    folders = {os.path.dirname(path) for path in files}
    folders |= {parent for folder in folders for parent in (folder, os.path.dirname(folder))}
    for paper, text in texts:
        for number, line in numbered(text):
            for path in PATH.findall(line):
                path = path.rstrip("/")
                known = path in files or path in folders or (
                    "*" in path and any(fnmatch.fnmatch(file, path) for file in files))
                if not known:
                    yield f"{paper}:{number}: there is no {path}"


def check_names(texts, files):
    names = {os.path.basename(path) for path in files}
    for paper, text in texts:
        for number, line in numbered(text):
            for name in NAME.findall(line):
                if name not in names:
                    yield f"{paper}:{number}: no folder holds a {name}"


def check_links(texts, files):
    for paper, text in texts:
        for number, line in numbered(text):
            for target, _ in LINK.findall(line):
                if "://" not in target and not os.path.exists(os.path.join(ROOT, os.path.dirname(paper), target)):
                    yield f"{paper}:{number}: the link to {target} leads nowhere"


def check_identifiers(texts, files):
    words = set()
    for path in files:
        if path.endswith((".c", ".h")):
            words.update(re.findall(r"\w+", read(path)))
    for paper, text in texts:
        for number, line in numbered(text):
            for name in IDENTIFIER.findall(line):
                if name not in words:
                    yield f"{paper}:{number}: no source has {name}"


def check_lengths(texts, files):
    for paper, text in texts:
        if text.count("\n") > LONGEST.get(paper, sys.maxsize):
            yield f"{paper} has {text.count(chr(10))} lines, at most {LONGEST[paper]} are wanted"


CHECKS = [
    ("paths in the papers exist", check_paths),
    ("files named in the papers exist", check_names),
    ("links in the papers lead somewhere", check_links),
    ("functions and types named in the papers exist", check_identifiers),
    ("papers are no longer than they may be", check_lengths),
]


def self_test(files):
    lies = [
        ("see recon/nowhere/a.c", check_paths),
        ("see `recon/nowhere`", check_paths),
        ("see recon/bp/*.nothing", check_paths),
        ("see `no-such-file.c`", check_names),
        ("[here](no-such.md)", check_links),
        ("call `ct_no_such_function`", check_identifiers),
    ]
    for text, check in lies:
        if not list(check([("docs/lie.md", text)], files)):
            yield f"{check.__name__} did not notice: {text}"
    truth = "see `recon/base/job.h`, recon/bp/, recon/bp/*.c, `kernel.h`, `ct_job`; build/app/gantry is made"
    for _, check in CHECKS:
        for fault in check([("docs/truth.md", truth)], files):
            yield f"{check.__name__} is wrong about: {fault}"


def report(number, title, found):
    found = list(found)
    print(f"{'not ok' if found else 'ok'} {number} - {title}")
    for fault in found:
        print("# " + fault)
    return bool(found)


def main():
    files = set(tree())
    texts = papers()
    print(f"1..{len(CHECKS) + 1}")
    failed = report(1, "these checks notice what they are for", self_test(files))
    for number, (title, check) in enumerate(CHECKS, 2):
        failed |= report(number, title, check(texts, files))
    return 1 if failed else 0


sys.exit(main())
