#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Fails on words that docs/glossary.md replaces by others: the words in backticks in the tables' last column ("Not") and after
"not" or "or" in the section on how texts are written. Read are comments and strings of sources, whole scripts and papers, texts
of .ui files. Speaks TAP."""

import os
import re
import sys

ROOT = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else ".")
GLOSSARY = "docs/glossary.md"
FOLDERS = ("app", "ui", "render", "recon", "resources", "tests", "docs")
PAPERS = ("README.md", "CONTRIBUTING.md", "run", "check")
SOURCES = (".c", ".h", ".glsl", ".comp", ".frag", ".vert")
WHOLE = (".py", ".md", ".sh", ".ui", ".xml", ".css", ".in", ".build")
EXCEPT = (GLOSSARY, "tests/arch/test-words.py")
WAYS = "## How texts are written"


def banned_words(glossary):
    """(word, what to write instead), from the glossary's text."""
    tables, _, ways = glossary.partition(WAYS)
    for line in tables.split("\n"):
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if line.startswith("|") and len(cells) == 4:
            for word in re.findall(r"`([^`]+)`", cells[3]):
                yield word, cells[0]
    for word in re.findall(r"\b(?:not|or) `([^`]+)`", ways):
        yield word, "see " + GLOSSARY


def pattern_of(words):
    """Whole words in any case; a space in a word stands for any white space."""
    return re.compile(r"\b(" + "|".join(re.escape(word).replace(r"\ ", r"\s+") for word in words) + r")\b", re.I)


def texts(path, text):
    """(place, text) of what people read in a file."""
    if path.endswith(WHOLE) or path in PAPERS:
        yield 0, text
        return
    for match in re.finditer(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', text, re.S):
        # A comment's further lines begin with a star.
        yield match.start(), re.sub(r"\n\s*\*(?!/)", lambda star: "\n" + " " * (len(star.group(0)) - 1), match.group(0))


def faults(path, text, words):
    pattern = pattern_of(words)
    for place, read in texts(path, text):
        for match in pattern.finditer(read):
            number = text.count("\n", 0, place + match.start()) + 1
            word = re.sub(r"\s+", " ", match.group(1)).lower()
            instead = next(use for known, use in words.items() if known.lower() == word)
            yield f"{path}:{number}: “{word}”: {instead}"


def paths():
    for folder in FOLDERS:
        for place, _, names in os.walk(os.path.join(ROOT, folder)):
            for name in sorted(names):
                if name.endswith(SOURCES + WHOLE):
                    yield os.path.relpath(os.path.join(place, name), ROOT)
    for name in PAPERS:
        if os.path.exists(os.path.join(ROOT, name)):
            yield name


def self_test():
    glossary = "| slice | One z | `slice` | level, `z level` |\n" + WAYS + "\n*slow*, not `dear` or `costly`; a `dear` friend\n"
    words = dict(banned_words(glossary))
    if words != {"z level": "slice", "dear": "see " + GLOSSARY, "costly": "see " + GLOSSARY}:
        yield f"the glossary is not understood: {words}"
        return
    for text, count in (("/* of a z\n * Level */ int z_level;\n", 1), ("int dear = 1; // level\n", 0), ('f("dear");\n', 1)):
        if len(list(faults("recon/a.c", text, words))) != count:
            yield f"not {count} words found in {text!r}"


def report(number, title, found):
    found = list(found)
    print(f"{'not ok' if found else 'ok'} {number} - {title}")
    for fault in found:
        print("# " + fault)
    return bool(found)


def main():
    with open(os.path.join(ROOT, GLOSSARY), encoding="utf-8") as file:
        words = dict(banned_words(file.read()))
    found = []
    for path in paths():
        if path not in EXCEPT:
            with open(os.path.join(ROOT, path), encoding="utf-8") as file:
                found += faults(path, file.read(), words)
    print("1..3")
    failed = report(1, "the check finds what it is for", self_test())
    failed |= report(2, "the glossary names words to avoid", [] if words else ["none found"])
    failed |= report(3, "no text uses a word that the glossary replaces", found)
    return 1 if failed else 0


sys.exit(main())
