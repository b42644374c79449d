#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Fails on functions with more than eight parameters and on source files far beyond 400 lines. Inlined parts of inner loops may
take more: splitting them would hide the loop. Besides on texts that would lack what there was no memory for. Speaks TAP."""

import os
import re
import sys

ROOT = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else ".")
FOLDERS = ("app", "ui", "render", "recon")
MOST_PARAMETERS = 8
MOST_LINES = 450
# They leave out what they get no memory for, without a word, or end the program, and what stands in place of each.
LOSSY = {"open_memstream": "ct_text_stream", "json_dumps": "ct_json_text", "json_dumpf": "ct_json_text or gantry_json_print",
         "json_dump_file": "ct_json_text", "json_dumpb": "ct_json_text", "json_loads": "ct_json_read", "json_loadb": "ct_json_read",
         "json_load_file": "ct_json_read", "json_loadf": "ct_json_read", "json_load_callback": "ct_json_read"}
LOSSLESS = ("recon/base/json-text.c",)
# Signatures that others set: the projector's contract, a callback of HDF5.
OTHERS = {"recon/fp/joseph/joseph-2d.c": {"sweep_layer"}, "recon/io/hdf5/text.c": {"keep_reference"}}
FUNCTION = re.compile(r"^([A-Za-z_][\w \t*]*?)\b(\w+)\(((?:[^;{}()]|\([^()]*\))*)\)\s*[{;]", re.M)


def strip_comments(text):
    """Comments and strings blanked, line numbers kept."""
    return re.sub(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', lambda match: re.sub(r"[^\n]", " ", match.group(0)), text, flags=re.S)


def parameters(text):
    """Commas outside of brackets, and one."""
    depth = count = 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        count += letter == "," and depth == 0
    return count + 1


def check_parameters(path, text):
    for match in FUNCTION.finditer(strip_comments(text)):
        before, name, arguments = match.groups()
        inlined = "CT_INLINE" in before or os.path.basename(path).endswith(("-loops.c", "-loops.h"))
        if inlined or name in OTHERS.get(path, ()) or before.strip() in ("return", "else"):
            continue
        if parameters(arguments) > MOST_PARAMETERS:
            number = text.count("\n", 0, match.start()) + 1
            yield f"{path}:{number}: {name} has {parameters(arguments)} parameters: make them a struct"


def check_lines(path, text):
    if text.count("\n") > MOST_LINES:
        yield f"{path} has {text.count(chr(10))} lines: make two files of it"


def check_lossy(path, text):
    for match in re.finditer(r"\b(%s)\s*\(" % "|".join(LOSSY), strip_comments(text)):
        if path not in LOSSLESS:
            number = text.count("\n", 0, match.start()) + 1
            yield f"{path}:{number}: {match.group(1)} does without the memory that it lacks, or ends the program: take {LOSSY[match.group(1)]}"


def sources():
    for folder in FOLDERS:
        for place, _, names in os.walk(os.path.join(ROOT, folder)):
            for name in sorted(names):
                if name.endswith((".c", ".h")):
                    path = os.path.join(place, name)
                    with open(path, encoding="utf-8") as file:
                        yield os.path.relpath(path, ROOT), file.read()


def self_test():
    nine = "int a, int b, int c, int d, void (*e)(int, int), int f, int g, int h"
    for text, count in ((f"bool f({nine});\n", 0), (f"static bool f({nine},\n int i) {{\n", 1), (f"CT_INLINE bool f({nine}, int i) {{\n", 0)):
        if len(list(check_parameters("recon/a.c", text))) != count:
            yield f"not {count} found in {text}"
    if not list(check_lines("recon/a.c", "\n" * 451)):
        yield "a long file is not noticed"
    text = "/* json_dumps() */\nFILE *to = open_memstream(&text, &size);\n"
    if len(list(check_lossy("recon/a.c", text))) != 1 or list(check_lossy(LOSSLESS[0], text)):
        yield f"not one call found in {text}"


def report(number, title, found):
    print(f"{'not ok' if found else 'ok'} {number} - {title}")
    for fault in found:
        print("# " + fault)
    return bool(found)


def main():
    texts = list(sources())
    print("1..4")
    failed = report(1, "these checks notice what they are for", list(self_test()))
    failed |= report(2, f"no function has more than {MOST_PARAMETERS} parameters",
                     [fault for path, text in texts for fault in check_parameters(path, text)])
    failed |= report(3, f"no source has more than {MOST_LINES} lines", [fault for path, text in texts for fault in check_lines(path, text)])
    failed |= report(4, "no text lacks what there was no memory for", [fault for path, text in texts for fault in check_lossy(path, text)])
    return 1 if failed else 0


sys.exit(main())
