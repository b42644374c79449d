#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""gantry-cli matrix: test-cli-matrix.py PROGRAM. Speaks TAP. Nothing here depends on any speed."""

import math
import os

from cli_driver import at, fails, main, read_json, read_png, run, small_scan, test

SMALL = ["matrix", "--views", 24, "--rays", 40, "--size", 32, "--width", 64, "--fan", "150,220", "--threads", 2, "-q"]


def read_matrix(path):
    """(comments, rows, columns, {(row, column): value}), indices from 0."""
    with open(path) as file:
        assert file.readline() == "%%MatrixMarket matrix coordinate real general\n"
        comments, line = [], file.readline()
        while line.startswith("%"):
            comments.append(line[1:].strip())
            line = file.readline()
        rows, columns, entries = map(int, line.split())
        found = {}
        for line in file:
            row, column, value = line.split()
            found[int(row) - 1, int(column) - 1] = float(value)
        assert len(found) == entries
    return comments, rows, columns, found


@test("the report agrees with itself: counting, every stored form, the eighth")
def _():
    told = read_json(*SMALL, "--json")
    assert told["model"] == "area" and told["beam"] == "fan" and told["rows"] == 24 * 40 and told["columns"] == 32 * 32
    assert told["csr_bytes"] == 8 * (told["rows"] + 1) + 8 * told["entries"]
    assert told["asymmetry"] is None and 7 < told["entries"] / told["eighth_entries"] <= 8
    forms = {form["id"]: form for form in told["forms"]}
    assert "csr" in forms
    for name, form in forms.items():
        if form["refused"]:
            continue
        assert form["entries"] == told["entries"], (name, form)
        assert 0 < form["stored"] <= form["entries"] and form["seconds"] >= 0, form
        assert form["needed_bytes"] and form["bytes"] < 2 * form["needed_bytes"], form
    assert forms["csr"]["stored"] == told["entries"] and forms["csr"]["bytes"] >= told["csr_bytes"]
    listed = [item["id"] for item in read_json("methods", "--json")["projectors"] if item["stored"] and not item["id"].startswith("gl-")]
    # those that hold the same matrix for other instructions are passed over
    assert set(forms) <= set(listed) and all(any(i == f or i.startswith(f + "-") for f in forms) for i in listed), (listed, list(forms))
    words = run(*SMALL).stdout
    assert f"{told['entries'] / 1e6:.3f} M entries" in words and "\n  csr " in words


@test("counting alone prepares nothing; one form alone is prepared; models differ")
def _():
    told = read_json(*SMALL, "--json", "--count-only")
    assert told["entries"] > 0 and all(form["bytes"] is None and form["needed_bytes"] for form in told["forms"])
    only = read_json(*SMALL, "--json", "--form", "csr")
    assert [form["id"] for form in only["forms"]] == ["csr"] and only["forms"][0]["stored"] == told["entries"]
    counts = [read_json(*SMALL, "--json", "--count-only", "--model", model)["entries"] for model in ("siddon", "joseph", "area")]
    assert counts[0] < counts[1] < counts[2] == told["entries"]


@test("the exported matrix is the counted one, holds lengths in mm, and does not depend on the threads")
def _():
    for model in ("joseph", "siddon", "area"):
        told = read_json(*SMALL, "--model", model, "--export", at("a.mtx"), "--json")
        assert told["forms"] == []
        comments, rows, columns, entries = read_matrix(at("a.mtx"))
        assert (rows, columns, len(entries)) == (told["rows"], told["columns"], told["entries"])
        assert len(comments) == 3 and "view * 40" in comments[0] and "150 mm" in comments[1]
        assert all(0 < value < 2 * 64 for value in entries.values())
        # the ray next to the middle of view 0 crosses the whole slice of 64 mm
        middle = sum(value for (row, _), value in entries.items() if row == 20)
        assert abs(middle - 64) < 0.1, middle
        run(*SMALL[:-3], "--threads", 1, "-q", "--model", model, "-o", at("b.mtx"))
        with open(at("a.mtx"), "rb") as a, open(at("b.mtx"), "rb") as b:
            assert a.read() == b.read()


@test("bars are the rows' lengths, the spy shows every row")
def _():
    run(*SMALL, "--bars", at("bars.png"), "--bars-views", "99", "--bars-views", "0,5", "--spy", at("spy.png"), "-o", at("c.mtx"))
    _, rows, columns, entries = read_matrix(at("c.mtx"))
    counts = [0] * rows
    for row, _ in entries:
        counts[row] += 1
    width, height, _, grey, texts = read_png(at("bars.png"))
    assert (width, height) == (40, 2 * 256 + 8) and any(b"System matrix" in text for text in texts)
    longest = max(counts[:40] + counts[200:240])
    for panel, view in enumerate((0, 5)):
        for u in range(40):
            dark = sum(grey[264 * panel + y][u] < 100 for y in range(256))
            assert dark == math.ceil(counts[40 * view + u] * 256 / longest), (view, u, dark)
    run(*SMALL, "--bars", at("bars.svg"), "--overlap", at("overlap.svg"), "--bars-views", "0,5")
    with open(at("overlap.svg"), encoding="utf-8") as file:
        text = file.read()
    # four sides, two outermost rays, four corners; the source
    assert text.count("<path") == 2 * 10 and text.count("<circle") == 2, text
    with open(at("bars.svg"), encoding="utf-8") as file:
        text = file.read()
    assert ">view 0, 0°</text>" in text and ">view 5, " in text and text.count(">entries</text>") == 2, text
    width, height, _, grey, _ = read_png(at("spy.png"))
    assert (width, height) == (columns, rows)
    for row in range(0, rows, 37):
        assert [x for x in range(width) if grey[row][x] < 255] == sorted(c for r, c in entries if r == row)


@test("a scan's slice: parallel stacks share one matrix, a cone gives its fan")
def _():
    told = read_json("matrix", small_scan(), "--json", "--count-only", "-q", "--set", "reconstruction.nx=20", "--set", "reconstruction.ny=24")
    assert told["beam"] == "fan" and told["views"] == 60 and told["rays"] == 48 and told["slice"]["size"] == [20, 24, 1]
    assert told["model"] == "joseph" and "source's plane" in told["note"] and told["asymmetry"]
    told = read_json("matrix", small_scan("flat.h5", "--geometry", "parallel"), "--json", "--count-only", "-q", "--model", "area")
    assert told["beam"] == "parallel" and told["model"] == "area" and "share" in told["note"]


@test("a plan that was made with another scan is taken, with a word")
def _():
    run("reconstruct", small_scan(), "--slice", "axial:mid", "-q", "-o", at("own.png"), "--save-plan", at("own.json"))
    few = ["--json", "--count-only", "-q", "--plan", at("own.json")]
    assert run("matrix", small_scan(), *few).stderr == ""
    words = run("matrix", small_scan("flat.h5", "--geometry", "parallel"), *few).stderr
    assert words.startswith(f"gantry-cli: {at('own.json')} was made with the scan small.h5, and this is flat.h5. ") and words.count("\n") == 1, words


@test("a form that does not fit is refused with its size, and so is one without its symmetry")
def _():
    told = read_json(*SMALL, "--json", "--memory", "50k", "--form", "csr")
    assert "matrix-free" in told["forms"][0]["refused"] and told["forms"][0]["bytes"] is None
    told = read_json(*SMALL, "--json", "--memory", "50k")  # each once, as where they fit
    assert {form["id"] for form in told["forms"]} == {form["id"] for form in read_json(*SMALL, "--json")["forms"]}, told
    assert all("matrix-free" in form["refused"] for form in told["forms"]), told
    told = read_json("matrix", "--views", 23, "--rays", 40, "--size", 32, "--json", "-q")
    assert told["asymmetry"] and told["eighth_entries"] == 0
    refused = {form["id"]: form["refused"] for form in told["forms"]}
    assert refused["csr"] is None and any(refused.values()), refused
    assert {"scsr", "scsr-global", "scsr-view"} <= set(refused), refused
    for name, reason in refused.items():  # the same for other instructions is passed over
        assert not name.endswith(("-c8", "-avx2", "-avx512")) or reason != refused[name.rsplit("-", 1)[0]], refused
    # why stands there once, not for every form
    words = run("matrix", "--views", 23, "--rays", 40, "--size", 32, "-q").stdout
    assert words.count("no counterpart") == 1 and "\n  scsr                   not made: it needs that symmetry\n" in words, words


@test("misuse and faults are told in words, and leave no file")
def _():
    fails("matrix", "--fan", "10,5", status=2, words="--fan must be SOD,SDD")
    fails("matrix", "--fan", "10;5", status=2, words="--fan must be SOD,SDD")
    fails("matrix", "--fan", "100,200", "--parallel", status=2, words="contradict")
    fails("matrix", "--model", "pencil", status=2, words="joseph, siddon or area")
    fails("matrix", "--views", "0", status=2, words="--views")
    fails("matrix", "--form", "textbook", status=2, words="no projector with a stored matrix")
    fails("matrix", "--form", "csr", "--count-only", status=2, words="contradict")
    fails("matrix", "--set", "reconstruction.nx=20", status=2, words="go with a scan")
    fails("matrix", small_scan(), "--views", "20", status=2, words="the scan has its own geometry")
    fails("matrix", small_scan(), "more", status=2, words="one word too many")
    fails("matrix", small_scan(), "--set", "size_q=20", "-q", status=2, words="size_q")
    fails("matrix", "--bars-views", "1,2", status=2, words="goes with --bars")
    fails("matrix", "--bars", at("x.png"), "--bars-views", "1,,2", status=2, words="--bars-views")
    fails(*SMALL, "--bars", at("x.png"), "--bars-views", "24", status=1, words="no view 24")
    fails("matrix", "--fan", "50,500", "-q", status=1, words="between source and detector")
    fails(*SMALL, "-o", at("nowhere/a.mtx"), status=1, words="nowhere")
    fails("matrix", at("missing.h5"), "-q", status=1, words="missing.h5")
    fails("matrix", small_scan("tilted.h5", "--tilt", "1"), "-q", status=1, words="untilted")
    assert not [name for name in os.listdir(os.path.dirname(at("x"))) if name.startswith("x.") or name.startswith(".")]


raise SystemExit(main())
