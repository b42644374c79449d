#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What of a file is the scan, told on the command line: layout, datasets, flats, darks, angles. test-cli-source.py PROGRAM. Speaks TAP."""

import array
import ctypes
import ctypes.util
import math
import os
import shutil
import sys

from cli_driver import Skip, at, fails, main, read_json, read_mha, run, small_scan, test

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
    question = run("info", picture).stdout
    assert "of 40 views" in question and "--layout sinograms" in question
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


def link_out(path, name, other):
    """An array of a file is that of another file from now on."""
    found = ctypes.util.find_library("hdf5_serial") or ctypes.util.find_library("hdf5")
    if not found:
        raise Skip("the HDF5 library that makes the link is not found")
    library = ctypes.CDLL(found)
    library.H5Fopen.restype = ctypes.c_int64
    none, name = ctypes.c_int64(0), os.fsencode(name)
    file = ctypes.c_int64(library.H5Fopen(os.fsencode(path), 1, none))
    assert library.H5Ldelete(file, name, none) >= 0
    assert library.H5Lcreate_external(os.fsencode(other), name, file, name, none, none) >= 0 and library.H5Fclose(file) >= 0


@test("volumes and vectors outside the folder are read when it is allowed")
def _():
    scan, whole, moved = small_scan(), at("whole.h5"), at("sent/moved.h5")
    os.makedirs(at("sent"), exist_ok=True)
    run("reconstruct", scan, "-q", "-o", whole)
    shutil.copy(whole, moved)
    link_out(moved, "/entry/volume/data", "../whole.h5")
    words = ["outside its folder", "--links anywhere"]
    allowed = ["--links", "anywhere"]
    line = ["--line", "axial:mid:-1,0,1,0"]
    for command in (["info", moved], ["compare", moved, whole], ["compare", whole, moved], ["measure", moved, *line],
                    ["slice", moved, "-o", at("s.png")], ["simulate", "--object", moved, "-o", at("o.h5")]):
        fails(*command, status=1, words=words)
        run(*command, *allowed)
    facts, linked = read_json("info", "--json", whole), read_json("info", "--json", moved, *allowed)
    assert facts["plan"] and {**facts, "path": ""} == {**linked, "path": ""}
    assert read_json("compare", "--json", moved, whole, *allowed)["rmse"] == 0
    os.symlink(whole, at("s2.png"))
    fails("slice", moved, *allowed, "-o", at("s2.png"), status=2, words="would overwrite")
    fails("compare", whole, moved, "--csv", whole, status=2, words="would overwrite")
    # The plan is the file's own.
    run("reconstruct", scan, "--plan", moved, "-q", "-o", at("again.h5"))
    listed = {d["path"]: d for d in read_json("info", "--json", "--datasets", moved)}
    assert listed["/entry/volume/data"]["elsewhere"] and listed["/entry/volume/data"]["dims"] == []
    listed = {d["path"]: d for d in read_json("info", "--json", "--datasets", moved, *allowed)}
    assert not listed["/entry/volume/data"]["elsewhere"] and len(listed["/entry/volume/data"]["dims"]) == 3


@test("each link that cannot be followed is told by itself, and a batch says what allows one")
def _():
    scan = at("sent/scan.h5")
    os.makedirs(at("sent"), exist_ok=True)
    shutil.copy(small_scan(), at("there.h5"))
    shutil.copy(at("there.h5"), scan)
    link_out(scan, "/exchange/data", "../there.h5")
    link_out(scan, "/exchange/theta", "gone.h5")
    listed = {d["path"]: d for d in read_json("info", "--json", "--datasets", scan)}
    assert listed["/exchange/data"]["elsewhere"] and not listed["/exchange/data"]["trouble"]
    assert not listed["/exchange/theta"]["elsewhere"] and "gone.h5, which is not there" in listed["/exchange/theta"]["trouble"]
    shutil.copy(at("there.h5"), scan)
    link_out(scan, "/exchange/data", "../there.h5")
    line = ["batch", "--dry-run", "-o", at("{name}.mha")]
    failed = run(*line, scan, status=1)
    assert "outside its folder" in failed.stdout and "description=FILE" in failed.stdout and "--links" not in failed.stdout
    with open(at("allow.json"), "w") as file:
        file.write('{"links": "anywhere"}')
    with open(at("list.txt"), "w") as file:
        file.write(f'"{scan}" description={at("allow.json")}\n')
    run(*line, at("list.txt"))


sys.exit(main())
