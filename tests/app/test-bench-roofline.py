#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The rates of the machine, what is counted of kernels and by the processor, and its pictures. test-bench-roofline.py PROGRAM. Speaks TAP."""

import math
import re
import sys
import xml.etree.ElementTree as ET

from bench_driver import bench, fails, kernels
from cli_driver import at, main, test


@test("limits has the machine's rates, and rows state their share of the bound")
def _():
    rows, result, _ = bench("limits", "--kernels", "voxel-loop")
    rates = result["machine"]["rates"]
    for name in ("FMA", "L1 read", "L2 read", "memory read", "memory update"):
        assert rates[name] > 0, rates
        assert "size" not in next(row for row in rows if row["problem"] == name), "--size has no bearing on the machine's rates"
    shares = [row for row in rows if "share" in row]
    assert {row["problem"] for row in shares} == {"cone-512", "parallel-64", "free-512"}
    for row in shares:
        assert math.isclose(row["share"], row["gups"] / row["bound_gups"], rel_tol=1e-9), row
        assert row["bound_by"] in ("FMA", "L1", "memory")


@test("roofline puts counted flops and bytes to the measured rates, and draws them below the roofs")
def _():
    picture = at("roof.svg")
    rows, result, _ = bench("roofline", "--kernels", "voxel-loop,chen-share,chen-subline,z-window-c8,slabs", "--picture", picture)
    assert all(result["machine"]["rates"][name] > 0 for name in ("FMA", "L1 read", "L2 read", "L3 read", "memory read")), result["machine"]["rates"]
    counted = {row["kernel"]: row for row in rows if "flops" in row}
    assert set(counted) == {"voxel-loop", "chen-share", "chen-subline", "z-window-c8", "slabs"}, counted
    for row in counted.values():
        assert abs(row["gflops"] - row["flops"] * row["gups"]) <= 1e-9 * row["gflops"], row
        assert abs(row["intensity"] - row["flops"] / row["l1_bytes"]) <= 1e-9 * row["intensity"], row
        roof = min(result["machine"]["rates"]["FMA"], result["machine"]["rates"]["L1 read"] * row["intensity"])
        assert abs(row["roof_gflops"] - roof) <= 1e-6 * roof, (row, roof)
    # Two pixels for one: a sub-line of 19 rows for columns of 16 voxels.
    assert abs(counted["chen-subline"]["flops"] - (8.5 + 3 * 19 / 16)) < 1e-9, counted["chen-subline"]
    with open(picture) as file:
        text = file.read()
    assert all(f">{name}</text>" in text for name in counted), text[-800:]
    assert all(re.search(rf">{name} [0-9.e+]+ G[BF]/s</text>", text) for name in ("FMA", "L1", "L2", "L3", "memory")), text[:4000]
    fails("bench", "ladder", "--picture", picture, status=2, words="suites roofline")


@test("the roofline's counts are those of the loops, counted by hand")
def _():
    # By problem, of kernel, interpolation and precision: flops and bytes.
    cone = {("z-window-c8", "linear", "float32"): (0.5 + 4 + 3, 2 * 4 + 2), ("z-window-avx2", "linear", "float16"): (7.5, 2 * 2 + 2),
            ("z-window-int16", "linear", "int16"): (3 + 0.5 + 4 + 0.5, 4 + 2),
            ("free-avx2", "linear", "int16"): (5 + 6 + 4 + 2 + 9 + 7 + 2, 12 + 8),
            ("taps-c8", "cubic", "float32"): (3 + 2 * (7 + 24) + 4 * 9 + 4, 64 + 8),
            ("taps-c8", "gaussian", "int16"): (3 + 2 * (7 + 88) + 4 * 9 + 4, 64 + 8)}
    parallel = {("z-window-c16", "linear", "float32"): (1 + 4 + 6, 16 + 2), ("lines-c8", "linear", "int16"): (2 + 1 + 3 + 1 + 1, None),
                ("half-4", "linear", "float16"): (5, 4 + 4 + 0.5), ("half-64-c8", "linear", "float16"): (4, 4 + 1),
                ("slices-int16-avx2", "linear", "int16"): (4.25, 4 + 1), ("slices-1", "linear", "float32"): (7, 8 + 4 + 0.5),
                ("oversampled-1", "oversampled", "float32"): (3, 4 + 4 + 0.5), ("oversampled-16", "oversampled", "float32"): (1, 4 + 1),
                # On a row of pixels: one line of taps, of the Gaussian three.
                ("taps-c8", "cubic", "float32"): (3 + 31 + 9 + 4, 16 + 8), ("taps-c8", "gaussian", "float32"): (3 + 95 + 27 + 4, 48 + 8)}
    for problem, expected in (("cone-512", cone), ("parallel-64", parallel)):
        known = kernels()
        names = sorted(name for name in {key[0] for key in expected} if known.get(name, {}).get("available"))
        rows, _, done = bench("roofline", "--problems", problem, "--kernels", ",".join(names), "--picture", at("counts.svg"))
        found = {(row["kernel"], row["interpolation"], row["precision"]): (row["flops"], row["l1_bytes"]) for row in rows if "flops" in row}
        assert "does not interpolate" not in done.stderr, done.stderr
        with open(at("counts.svg")) as file:
            picture = file.read()
        for key, (flops, size) in expected.items():
            if key[0] not in names or f"{key[0]} is skipped" in done.stderr:
                continue
            assert abs(found[key][0] - flops) < 1e-9 and (size is None or abs(found[key][1] - size) < 1e-9), (key, found[key], flops, size)
            words = [key[0]] + [key[1]] * (key[1] != "linear" and len(known[key[0]]["interpolations"]) > 1)
            assert f"<title>{', '.join([*words, key[2]])}: " in picture and f">{', '.join(words)}</text>" in picture, key
    # What is resampled comes on top of the windows' count.
    rows, _, _ = bench("roofline", "--problems", "free-128", "--kernels", "rectified-c8")
    row, = (row for row in rows if "flops" in row and row["kernel"] == "rectified-c8")
    assert row["flops"] > 5 + 3 and row["l1_bytes"] > 8 + 2, row


def level_texts(picture):
    """Of the texts of an SVG that are not turned: the text and its box, from left, right, top and bottom; letters are estimated."""
    space = "{http://www.w3.org/2000/svg}"
    root = ET.parse(picture).getroot()
    turned = {text for group in root.iter() if group.get("transform") for text in group.iter(space + "text")}
    for text in root.iter(space + "text"):
        if text not in turned:
            width, x, y = 6.2 * len(text.text), float(text.get("x")), float(text.get("y"))
            left = x - {"start": 0, "middle": width / 2, "end": width}[text.get("text-anchor")]
            yield text.text, left, left + width, y - 9, y + 2


@test("of a crowded roofline every point is in a list beside it, of which no words lie over others")
def _():
    picture = at("crowded.svg")
    rows, _, _ = bench("roofline", "--problems", "cone-512,parallel-64", "--size", 24, "--limit", 0.005, "--picture", picture)
    points = [row for row in rows if "flops" in row]
    texts = list(level_texts(picture))
    assert len(points) > 40 and len(texts) > 40, (len(points), len(texts))
    for n, (word, left, right, top, bottom) in enumerate(texts):
        assert left >= 0 and right <= 960 and top >= 0, word
        for other, x0, x1, y0, y1 in texts[:n]:
            assert right <= x0 or x1 <= left or bottom <= y0 or y1 <= top, f"{word} lies over {other}"
    with open(picture) as file:
        text = file.read()
    assert text.count("<title>") == len(points), (text.count("<title>"), len(points))
    # Lines to the list neither cross nor lead to the same words: both ends go down.
    ends = [(float(place), float(wanted)) for place, wanted in re.findall(r'class="leader" [^>]*d="M\d+ ([\d.]+)H\d+L\d+ ([\d.]+)H', text)]
    falls = sum(b[0] >= a[0] + 13.9 and b[1] >= a[1] for a, b in zip(ends, ends[1:]))
    assert len(ends) > 40 and falls == len(ends) - 1, (len(ends), falls)


@test("the suite limits draws rates over the length of a vector")
def _():
    rows, _, _ = bench("limits", "--curve", "--problems", "cone-256", "--kernels", "voxel-loop,chen-transpose", "--picture", at("curve.svg"))
    points = [row for row in rows if row["problem"] == "curve"]
    assert {row["kernel"] for row in points} == {"read", "write", "update"} and all(row["rate"] > 0 for row in points), points
    assert len(points) == 3 * 31 and points[0]["bytes"] == 4096 and points[-1]["bytes"] == 128 << 20, points[-1]
    marks = {row["kernel"]: row for row in rows if row["problem"] == "cone-256"}
    assert marks["a line of voxels"]["bytes"] == 4 * 8 and marks["chen-transpose"]["rate"] > 0, marks
    with open(at("curve.svg"), encoding="utf-8") as file:
        assert "a projection" in file.read()
    fails("bench", "gpu", "--curve", status=2, words="--curve goes with the suite limits")
    fails("bench", "limits", "--picture", at("no.svg"), status=2, words="--picture goes with --curve")


@test("what the processor counts is told an update, and what it does not with the reason")
def _():
    events = {"instructions_per_update": "instructions", "cycles_per_update": "cycles", "cache_miss_bytes": "cache misses",
              "l1_miss_bytes": "L1 read misses", "last_miss_bytes": "last cache's read misses"}
    rows, result, done = bench("ladder", "--counters", "--problems", "cone-256", "--kernels",
                               "voxel-loop,serial-loop,slabs,slabs-two-views")
    refused = result["machine"]["not_counted"]
    for row in rows:
        for key, event in events.items():
            assert (row[key] is None) == (event in refused) and (row[key] is None or row[key] >= 0), (row, refused)
        assert row["processor_seconds"] >= 0 and row["page_faults"] >= 0 and row["context_switches"] >= 0, row
    by = {row["kernel"]: row for row in rows}
    assert by["slabs"]["source_bytes"] == 24 and by["slabs-two-views"]["source_bytes"] == 20, by
    assert math.isclose(by["slabs"]["serial_speedup"], by["slabs"]["gups"] / by["serial-loop"]["gups"], rel_tol=1e-9), by
    assert "x serial-loop" in by["slabs"]["remarks"] and "x serial-loop" not in by["voxel-loop"]["remarks"], by
    table = done.stdout.split("Counted in the timed runs", 1)[1].split("\n")
    assert sum(line.startswith("| cone-256 | ") for line in table) == len(rows), table
    assert all(event in done.stdout and reason in done.stdout for event, reason in refused.items()), refused
    fails("bench", "limits", "--counters", status=2, words="--counters goes with the suites ladder")


sys.exit(main())
