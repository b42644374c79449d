#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Each front end speaks of itself alone: messages that the window shows name no option and no command of gantry-cli, and messages
that gantry-cli prints name nothing that can be pressed. What the engine says is shown by both: what else helps on the command line
stands in app/cli/advice.c. Nor does a verb stand behind a noun that is inserted and may be a plural ("the ASTRA vectors").
Read are strings of sources and .ui files. Speaks TAP."""

import glob
import os
import re
import sys

ROOT = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else ".")
OF_COMMANDS = ("app/cli/", "app/bench/")
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]+")
PRESSED = re.compile(r"\b(?:buttons?|menus?|click(?:s|ed)?|toolbars?|dialogs?|press (?:the|Ctrl))\b|\bwin\.[a-z]", re.I)
INSERTED = re.compile(r"\b[Tt]he %[-.*\d]*s (?:is|was|has|does|belongs|holds|lies|goes|takes|needs|fits|comes|tells|are|were|have|do)\b")
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


def faults_of_window(texts, names):
    command = re.compile(r"gantry-cli (?:" + "|".join(sorted(names)) + r")\b")
    for path, text in texts:
        if path.startswith(OF_COMMANDS):
            continue
        for line, string in strings(path, text):
            # One word is an argument that is handed on.
            found = OPTION.search(string) if " " in string else None
            found = found or command.search(string)
            if found:
                yield f"{path}:{line}: “{found.group(0)}” in a message that the window shows"


def faults_of_commands(texts):
    for path, text in texts:
        for line, string in strings(path, text):
            found = PRESSED.search(string)
            if found:
                yield f"{path}:{line}: “{found.group(0)}” in a message that gantry-cli prints"


def faults_of_agreement(texts):
    for path, text in texts:
        for line, string in strings(path, text):
            found = INSERTED.search(string)
            if found:
                yield f"{path}:{line}: “{found.group(0)}”: what is inserted may be a plural"


def self_test():
    names = {"info", "reconstruct"}
    of_window = (("recon/a.c", 'error("Take --method sirt.");\n', 1), ("recon/a.c", '/* "Take --method sirt." */\n', 0),
                 ("recon/a.c", 'start("--version");\n', 0), ("ui/a.c", '\nsay("Print it: gantry-"\n    "cli info FILE");\n', 2),
                 ("ui/a.c", 'say("gantry-cli informs");\n', 0), ("ui/a.ui", "\n\n<p>Take --method sirt.</p>\n", 3),
                 ("app/cli/a.c", 'error("Take --method sirt.");\n', 0))
    of_commands = (("recon/a.c", 'error("Press the " NAME);\n', 1), ("app/cli/a.c", '\nerror("The bu"\n "tton.");\n', 2),
                   ("recon/a.c", 'error("Start win.open.");\n', 1), ("recon/a.c", 'error("The detector is pressed.");\n', 0))
    of_agreement = (("recon/a.c", 'error("file: the %s belongs to others", title);\n', 1), ("ui/a.c", 'say("The %s were kept");\n', 1),
                    ("ui/a.c", 'say("The file %s is kept");\n', 0), ("recon/a.c", 'error("the %s cannot be read");\n', 0))
    for find, cases in ((lambda texts: faults_of_window(texts, names), of_window), (faults_of_commands, of_commands),
                        (faults_of_agreement, of_agreement)):
        for path, text, line in cases:
            found = [fault.split(": ")[0] for fault in find([(path, text)])]
            if found != ([f"{path}:{line}"] if line else []):
                yield f"{found or 'nothing'} found in {path}: {text!r}"
    if len(commands()) <= 10:
        yield "the commands of gantry-cli are not found"


def main():
    of_window = faults_of_window(sources("recon", "render", "ui", "app", "resources"), commands())
    tests = [("these checks notice what they are for", self_test()),
             ("the window names no option and no command", of_window),
             ("gantry-cli names nothing that is pressed", faults_of_commands(sources("recon", *OF_COMMANDS))),
             ("no verb depends on a noun that is inserted", faults_of_agreement(sources("recon", "render", "ui", "app")))]
    print(f"1..{len(tests)}")
    bad = 0
    for number, (title, found) in enumerate(tests, 1):
        faults = list(found)
        bad += bool(faults)
        print("not ok" if faults else "ok", number, "-", title)
        for fault in faults:
            print("#", fault)
    return bad > 0


sys.exit(main())
