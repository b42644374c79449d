#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Fails when files of a room form a circle: a file that uses one that uses it. Reads the symbols of the static libraries
that are its arguments. Speaks TAP."""

import os
import subprocess
import sys


def symbols(library):
    """Per object of the library: the symbols that it defines for others, and those that it uses."""
    defined, used = {}, {}
    listing = subprocess.run(["nm", "-A", library], check=True, capture_output=True, text=True).stdout
    for line in listing.splitlines():
        place, _, rest = line.rpartition(":")
        name = os.path.basename(place)
        kind, symbol = rest.split()[-2:]
        if kind == "U":
            used.setdefault(name, set()).add(symbol)
        elif kind.isupper():
            defined.setdefault(name, set()).add(symbol)
    return defined, used


def uses(defined, used):
    """Per object the others that it uses, each with the symbols."""
    owner = {symbol: name for name, own in defined.items() for symbol in own}
    graph = {name: {} for name in set(defined) | set(used)}
    for name, wanted in used.items():
        for symbol in sorted(wanted):
            if owner.get(symbol, name) != name:
                graph[name].setdefault(owner[symbol], []).append(symbol)
    return graph


def reachable(graph, start):
    seen, todo = set(), [start]
    while todo:
        for name in graph[todo.pop()]:
            if name not in seen:
                seen.add(name)
                todo.append(name)
    return seen


def circles(graph):
    """The arrows between objects that reach each other."""
    reach = {name: reachable(graph, name) for name in graph}
    for name in sorted(graph):
        for other, wanted in sorted(graph[name].items()):
            if name in reach[other]:
                yield f"{name} uses {other}: {', '.join(wanted)}"


def main():
    libraries = sys.argv[1:]
    print(f"1..{len(libraries) + 1}")
    house_of_lies = {"a": {"b": ["x"]}, "b": {"c": ["y"]}, "c": {"a": ["z"]}, "d": {"a": ["z"]}}
    failed = len(list(circles(house_of_lies))) != 3
    print(f"{'not ok' if failed else 'ok'} 1 - a circle is noticed")
    for number, library in enumerate(libraries, 2):
        found = list(circles(uses(*symbols(library))))
        failed |= bool(found)
        print(f"{'not ok' if found else 'ok'} {number} - no circle in {os.path.basename(library)}")
        for line in found:
            print("# " + line)
    return 1 if failed else 0


sys.exit(main())
