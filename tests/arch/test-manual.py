#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Fails where docs/manual is not true of the program: a link or picture that leads nowhere, a page that the contents lack, a picture
that no page shows, a command (<b>...</b> with capital letters as in menus) that no menu or button has; or where a menu,
button or key leads to no command, or one key to two. Speaks TAP."""

import os
import re
import sys

ROOT = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else ".")
MANUAL = os.path.join(ROOT, "docs", "manual")
# What is called so without being a command of a menu: names on cards and in questions.
NAMES = {"A", "B", "like this", "Save…", "Continue", "Reconstruct"}


def read(*parts):
    with open(os.path.join(*parts), encoding="utf-8") as file:
        return file.read()


def pages():
    return {name: read(MANUAL, name) for name in sorted(os.listdir(MANUAL)) if name.endswith(".html")}


def dead_links():
    for name, text in pages().items():
        for target in re.findall(r'(?:href|src)="([^"]+)"', text):
            if not os.path.exists(os.path.join(MANUAL, target)):
                yield f"{name}: {target} is not there"


def missing_pages():
    contents = read(MANUAL, "index.html")
    for name in pages():
        if name != "index.html" and f'href="{name}"' not in contents:
            yield f"index.html does not lead to {name}"
    shown = "".join(pages().values())
    for picture in sorted(os.listdir(os.path.join(MANUAL, "pictures"))):
        if f"pictures/{picture}" not in shown:
            yield f"no page shows {picture}"


def unknown_commands():
    labels = set()
    for path in ("resources/ui/menus.ui", "resources/ui/window.ui", "ui/fourth-button.c"):
        text = read(ROOT, path).replace("&amp;", "&")
        labels |= {label.replace("_", "") for label in re.findall(r'name="label">([^<]+)<|"(_?[A-Z][^"]*)"', text) for label in label}
    for name, text in pages().items():
        for command in re.findall(r"<b>([^<]+)</b>", text):
            command = re.sub(r"\s+", " ", command)
            if command not in NAMES and command not in labels:
                yield f"{name}: no menu has “{command}”"


def keys_given_twice():
    given = {}
    for action, keys in re.findall(r'\{"(\w+\.[^"]+)", \{([^}]*)\}\}', read(ROOT, "ui", "window", "accels.c")):
        for key in re.findall(r'"([^"]+)"', keys):
            if key in given:
                yield f"{key} is of {given[key]} and of {action}"
            given[key] = action
    if len(given) < 50:
        yield f"{len(given)} keys are found in accels.c"


def commands_of_nobody():
    """Menus and keys name actions by text: each is a row of actions, a property or a setting in the sources."""
    def sources(*folders):
        return [read(folder, file) for top in folders for folder, _, files in os.walk(os.path.join(ROOT, top))
                for file in sorted(files) if file.endswith((".c", ".ui"))]

    code = "".join(sources("app", "ui"))
    defined = set(re.findall(r'\.name = "([\w-]+)"', code)) | {"show-help-overlay"}  # of GtkApplicationWindow
    defined |= set(re.findall(r'(?:property_action|property_action_new|create_action)\((?:[\w>-]+, )?"([\w-]+)"', code))
    named = {name for text in sources("resources/ui") for name in re.findall(r">win\.([\w-]+)", text)}
    named |= set(re.findall(r'"win\.([\w-]+)', code))
    if len(named) < 100:
        yield f"{len(named)} commands are found"
    for name in sorted(named - defined):
        yield f"win.{name} is nowhere an action"


def main():
    tests = [("links and pictures are there", dead_links), ("the contents lead to every page", missing_pages),
             ("commands are called as in the menus", unknown_commands), ("a key is given to one command", keys_given_twice),
             ("menus and keys lead to commands", commands_of_nobody)]
    failed = False
    print(f"1..{len(tests)}")
    for i, (name, test) in enumerate(tests, 1):
        faults = list(test())
        failed |= bool(faults)
        print(f"{'not ok' if faults else 'ok'} {i} - {name}")
        for fault in faults:
            print(f"# {fault}")
    sys.exit(failed)


main()
