#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Each front end speaks of itself alone: messages that the window shows name no option and no command of gantry-cli, and messages
that gantry-cli prints name nothing that can be pressed. What the engine says is shown by both: what else helps on the command line
stands in app/cli/advice.c. Read are strings of sources and .ui files. Speaks TAP."""

import glob
import os
import re
import sys

ROOT = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else ".")
OF_COMMANDS = ("app/cli/", "app/bench/")
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]+")
PRESSED = re.compile(r"\b(?:buttons?|menus?|click(?:s|ed)?|toolbars?|dialogs?|press (?:the|Ctrl))\b|\bwin\.[a-z]", re.I)
STRING = re.compile(r'(?:"(?:\\.|[^"\\\n])*"(?:\s|\\\n)*(?:PRI\w+\s*)?)+')


def sources(*folders):
    for folder in folders:
        for place, _, names in os.walk(os.path.join(ROOT, folder)):
            for name in sorted(names):
                if name.endswith((".c", ".h", ".ui")):
                    path = os.path.join(place, name)
                    with open(path, encoding="utf-8") as file:
                        yield os.path.relpath(path, ROOT), file.read()


def strings(path, text):
    """(line, string) with the parts of one put together."""
    if path.endswith(".ui"):
        for match in re.finditer(r">([^<>]+)<", text):
            yield text.count("\n", 0, match.start()) + 1, match.group(1)
        return
    bare = re.sub(r"/\*.*?\*/|#include[^\n]*", lambda match: re.sub(r"[^\n]", " ", match.group(0)), text, flags=re.S)
    for match in STRING.finditer(bare):
        parts = re.findall(r'"((?:\\.|[^"\\\n])*)"', match.group(0))
        yield bare.count("\n", 0, match.start()) + 1, "".join(parts)


def commands():
    names = set()
    for path in glob.glob(os.path.join(ROOT, "app/cli/*.c")):
        with open(path, encoding="utf-8") as file:
            names.update(re.findall(r'^const cli_command \w+ = \{\s*(?:\.name = )?"([a-z]+)"', file.read(), re.M))
    return names


def faults_of_window():
    names = commands()
    assert len(names) > 10, "the commands of gantry-cli are not found"
    command = re.compile(r"gantry-cli (?:" + "|".join(sorted(names)) + r")\b")
    for path, text in sources("recon", "render", "ui", "app", "resources"):
        if path.startswith(OF_COMMANDS):
            continue
        for line, string in strings(path, text):
            # One word is an argument that is handed on.
            found = OPTION.search(string) if " " in string else None
            found = found or command.search(string)
            if found:
                yield f"{path}:{line}: “{found.group(0)}” in a message that the window shows"


def faults_of_commands():
    for path, text in sources("recon", *OF_COMMANDS):
        for line, string in strings(path, text):
            found = PRESSED.search(string)
            if found:
                yield f"{path}:{line}: “{found.group(0)}” in a message that gantry-cli prints"


def main():
    tests = [("the window names no option and no command", faults_of_window),
             ("gantry-cli names nothing that is pressed", faults_of_commands)]
    print(f"1..{len(tests)}")
    bad = 0
    for number, (title, find) in enumerate(tests, 1):
        faults = list(find())
        bad += bool(faults)
        print("not ok" if faults else "ok", number, "-", title)
        for fault in faults:
            print("#", fault)
    return bad > 0


sys.exit(main())
