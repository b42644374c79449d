# SPDX-License-Identifier: GPL-3.0-or-later
"""What operators bring: a disc of 0.02 per pixel whose files are right, odd or wrong. The volume has that number, or words say why it
may not. Arguments: the program."""
import json
import math
import os
import struct
import sys

from cli_driver import at, main, run, test

COLUMNS, VIEWS, RADIUS, PLACE, BEAM = 104, 72, 17.0, (9.0, -6.0), 41000


def row_of(degrees):
    """Line integrals of one detector row."""
    turn = math.radians(degrees)
    middle = (COLUMNS - 1) / 2 + PLACE[0] * math.cos(turn) + PLACE[1] * math.sin(turn)
    return [0.04 * math.sqrt(max(0, RADIUS ** 2 - (i - middle) ** 2)) for i in range(COLUMNS)]


ANGLES = [0.5 + 5 * i for i in range(VIEWS)]


def scan(name, encode, code, type_, angles=None, **more):
    """Raw samples with a description; encode makes one of a line integral."""
    with open(at(name + ".bin"), "wb") as file:
        for degrees in ANGLES:
            row = [encode(p) for p in row_of(degrees)]
            file.write(struct.pack(f"<{COLUMNS}{code}", *row))
    if angles is not None:
        with open(at(name + ".csv"), "w", encoding="utf-8") as file:
            file.write(angles)
    told = {"file": name + ".csv"} if angles is not None else {"first": 0.5, "step": 5}
    with open(at(name + ".json"), "w") as file:
        json.dump({"files": {"raw": name + ".bin", "type": type_, "dims": [COLUMNS, 1, VIEWS]}, "beam": "parallel",
                   "angles_deg": told, **more}, file)
    return at(name + ".json")


def middle_of(path, *more):
    """Mean over the disc's inner part, and all that was said."""
    done = run("reconstruct", path, *more, "-q", "-o", at("out.raw"))
    with open(at("out.raw"), "rb") as file:
        values = struct.unpack(f"<{COLUMNS * COLUMNS}f", file.read())
    inside = [v for i, v in enumerate(values)
              if math.hypot(i % COLUMNS - (COLUMNS - 1) / 2 - PLACE[0], i // COLUMNS - (COLUMNS - 1) / 2 - PLACE[1]) < 11]
    return sum(inside) / len(inside), done.stderr


def counts(p):
    return round(BEAM * math.exp(-p))


def comma(value):
    return f"{value:.2f}".replace(".", ",")


@test("angles in every spelling give the disc its number")
def _():
    for number, text in enumerate((
            "\n".join(comma(a) for a in ANGLES), "".join(f"{i};{comma(a)}\r\n" for i, a in enumerate(ANGLES)),
            "nr,angle\n" + "".join(f"{i},{a}\n" for i, a in enumerate(ANGLES)), "".join(f"{a}°\n" for a in ANGLES),
            "# gon\n" + "".join(f"{a / 0.9:.4f}\n" for a in ANGLES), "angle [rad]\n" + "".join(f"{math.radians(a):.6f}\n" for a in ANGLES),
            "".join(f"img{i:03d}.tif {a}\n" for i, a in enumerate(ANGLES)))):
        value, words = middle_of(scan("spelt", counts, "H", "uint16", text))
        assert abs(value - 0.02) < 1e-4 and "warning" not in words, (number, value, words)


@test("angles that are hardly meant are taken rightly or warned of")
def _():
    value, words = middle_of(scan("bare", counts, "H", "uint16", "".join(f"{math.radians(a):.6f}\n" for a in ANGLES)))
    assert abs(value - 0.02) < 1e-4 and "taken for radians" in words, (value, words)
    for factor, expected in ((1 / 0.9, "as gons"), (1000, "more than a turn")):
        _, words = middle_of(scan("unit", counts, "H", "uint16", "".join(f"{a * factor:.4f}\n" for a in ANGLES)))
        assert expected in words, words


@test("matrices tell no angles, of which none are doubted")
def _():
    path = scan("free", lambda p: p, "f", "float32")
    rows = [[math.cos(a), math.sin(a), 0, (COLUMNS - 1) / 2, 0, 0, 1, 0, 0, 0, 0, 1] for a in map(math.radians, ANGLES)]
    with open(path, "w") as file:
        json.dump({"files": {"raw": "free.bin", "type": "float32", "dims": [COLUMNS, 1, VIEWS]}, "beam": "free", "pixel_mm": 1,
                   "values": "line integrals", "matrices": rows}, file)
    value, words = middle_of(path)
    assert abs(value - 0.02) < 1e-4 and words == "", (value, words)


@test("samples of every kind give the disc its number")
def _():
    for number, (encode, code, type_) in enumerate((
            (counts, "H", "uint16"), (lambda p: counts(p) // 10, "h", "int16"), (lambda p: 16 * round(4000 * math.exp(-p)), "H", "uint16"),
            (lambda p: BEAM * math.exp(-p), "f", "float32"), (lambda p: math.exp(-p), "f", "float32"),
            (lambda p: p - 0.003, "f", "float32"), (lambda p: 10 * counts(p), "q", "int64"), (lambda p: p, "e", "float16"))):
        value, words = middle_of(scan("kind", encode, code, type_))
        assert abs(value - 0.02) < 3e-4 and "wrong" not in words, (number, value, words)


@test("samples that are read as something else are told, also beside the error that they lead to")
def _():
    done = run("reconstruct", scan("wrapped", counts, "H", "int16"), "-q", "-o", at("out.raw"), status=1)
    assert "beam intensity" in done.stderr and "without a sign" in done.stderr, done.stderr
    for name, encode, code, type_, expected in (("lifted", lambda p: counts(p) - 32768, "h", "int16", "without a sign"),
                                                ("bits", lambda p: BEAM * math.exp(-p), "f", "uint32", "32-bit reals"),
                                                ("inverted", lambda p: BEAM - counts(p), "H", "uint16", "line integrals")):
        done = run_any(scan(name, encode, code, type_))
        assert expected in done.stderr, (name, done.stderr)


def density(p):
    return p / math.log(10)


@test("decadic logarithms give the disc its number where they are stated, and are doubted by their names")
def _():
    # In a description, in the plan, which goes before it, and in the unit of an NRRD file.
    value, words = middle_of(scan("od", density, "f", "float32", values="optical density"))
    assert abs(value - 0.02) < 1e-4 and words == "", (value, words)
    value, words = middle_of(scan("od", density, "f", "float32", values="counts"), "--set", "scan.values=optical-density")
    assert abs(value - 0.02) < 1e-4 and words == "", (value, words)
    for unit, factor in (("optical density", 1), ("line integrals", 1 / math.log(10))):
        value, words = middle_of(nrrd("units", unit))
        assert abs(value - 0.02 * factor) < 1e-4 and words == "", (unit, value, words)
    # Nothing but a name, of the file: taken for line integrals, which is doubted; not once it is told.
    for told in ((), ("--set", "scan.values=optical-density"), ("--set", "scan.values=line-integrals")):
        value, words = middle_of(scan("absorption_log10", density, "f", "float32"), *told)
        expected = 0.02 if told and "optical" in told[1] else 0.02 / math.log(10)
        assert abs(value - expected) < 1e-4 and ("scan.values=optical-density" in words) == (not told), (told, value, words)


def nrrd(name, unit):
    """The scan's decadic logarithms, whose header has a unit."""
    with open(at(name + ".nrrd"), "wb") as file:
        file.write((f"NRRD0004\ntype: float\ndimension: 3\nsizes: {COLUMNS} 1 {VIEWS}\nendian: little\nencoding: raw\n"
                    f"sample units: \"{unit}\"\n\n").encode())
        for degrees in ANGLES:
            file.write(struct.pack(f"<{COLUMNS}f", *map(density, row_of(degrees))))
    with open(at(name + ".scan.json"), "w") as file:
        json.dump({"beam": "parallel", "angles_deg": {"first": 0.5, "step": 5}}, file)
    return at(name + ".nrrd")


@test("counts that are stated are doubted where they were read as another kind")
def _():
    for name, encode, code, type_, expected in (("lifted", lambda p: counts(p) - 32768, "h", "int16", "without a sign"),
                                                ("bits", lambda p: BEAM * math.exp(-p), "f", "uint32", "32-bit reals")):
        for told, more in (("counts", ()), ("line integrals", ("--set", "scan.values=counts"))):
            path = scan(name, encode, code, type_, values=told)
            done = run_any(path, *more)
            assert expected in done.stderr, (name, told, done.stderr)


def run_any(path, *more):
    """Status 0 or 1."""
    try:
        return run("reconstruct", path, *more, "-q", "-o", at("out.raw"))
    except AssertionError:
        return run("reconstruct", path, *more, "-q", "-o", at("out.raw"), status=1)


sys.exit(main())
