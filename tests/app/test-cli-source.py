#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What of a file is the scan, told on the command line: layout, datasets, flats, darks, angles. test-cli-source.py PROGRAM. Speaks TAP."""

import array
import math
import os
import shutil
import sys

from cli_driver import at, fails, main, read_json, read_mha, run, small_scan, test

VIEWS, COLUMNS = 40, 32


def sinogram():
    """A disc of radius 6 px at (4, 0), 0.02/px: parallel beam, half a turn, [view][column]."""
    values = array.array("f")
    for view in range(VIEWS):
        place = 4 * math.cos(math.pi * view / VIEWS)
        for column in range(COLUMNS):
            s = column - (COLUMNS - 1) / 2 - place
            values.append(0.02 * 2 * math.sqrt(max(0, 36 - s * s)))
    return values


def write_npy(name, shape):
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': {shape}, }}".encode()
    header += b" " * (-(len(header) + 11) % 64) + b"\n"
    with open(at(name), "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header + sinogram().tobytes())
    return at(name)


@test("one picture is not reconstructed before somebody says what it is")
def _():
    picture, stack = write_npy("s.npy", (VIEWS, COLUMNS)), write_npy("p.npy", (VIEWS, 1, COLUMNS))
    fails("reconstruct", picture, "-o", at("x.mha"), status=1, words=["Are its rows angles", "--layout"])
    assert not os.path.exists(at("x.mha"))
    told = ["-q", "--set", "values=line-integrals", "--set", "centre.method=manual", "--set", "centre.column=15.5"]
    run("reconstruct", picture, "--layout", "sinograms", *told, "-o", at("a.mha"))
    run("reconstruct", stack, *told, "-o", at("b.mha"))
    assert read_mha(at("a.mha")) == read_mha(at("b.mha"))
    facts = read_json("info", "--json", picture, "--layout", "sinograms")
    assert (facts["layout"], facts["views"], facts["rows"], facts["columns"]) == ("sinograms", VIEWS, 1, COLUMNS)
    assert read_json("info", "--json", picture)["layout"] == "unknown"
    assert "--layout sinograms: 40 views" in run("info", picture).stdout
    fails("info", picture, "--layout", "sideways", status=2, words="projections or sinograms")


@test("angles of a text file count views")
def _():
    picture = write_npy("t.npy", (VIEWS, COLUMNS))
    with open(at("turn.txt"), "w", encoding="utf-8") as file:
        file.write("\n".join(str(9 * view) for view in range(VIEWS)))
    facts = read_json("info", "--json", picture, "--layout", "sinograms", "--angles", at("turn.txt"))
    assert "angles" in facts["known"] and math.isclose(facts["angles_deg"]["last"], 351)
    fails("info", picture, "--layout", "projections", "--angles", at("turn.txt"), status=1, words="40 angles for 1 projection")


@test("datasets are listed and chosen, also from other files")
def _():
    scan, other = small_scan(), at("other.h5")
    shutil.copy(scan, other)
    paths = {d["path"]: d for d in read_json("info", "--json", "--datasets", scan)}
    assert len(paths["/exchange/data"]["dims"]) == 3 and not paths["/exchange/data"]["trouble"]
    assert "/exchange/data " in run("info", "--datasets", scan).stdout
    facts = read_json("info", "--json", scan, "--flats", f"{other}::/exchange/data", "--darks", "::/exchange/data")
    views = facts["views"]
    assert facts["flats"] == views and facts["darks"] == views
    fails("reconstruct", scan, "--flats", f"{other}::/exchange/data", "-o", other, status=2, words="other.h5")
    fails("info", scan, "--dataset", "/no", status=1, words="/no")
    assert "links" in str(read_json("info", "--json", scan, "--links", "anywhere")["read"])
    fails("info", scan, "--links", "sideways", status=2, words="folder or anywhere")
    fails("info", "--datasets", write_npy("u.npy", (VIEWS, COLUMNS)), status=1, words="several arrays")


sys.exit(main())
