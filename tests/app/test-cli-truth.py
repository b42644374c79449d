# SPDX-License-Identifier: GPL-3.0-or-later
"""What gantry-cli says of its results is so: units where the pixel size is not known, arcs, what was decided automatically, plans
of results, files that change or point elsewhere. Arguments: the program."""
import json
import math
import os
import struct
import sys

from cli_driver import at, fails, main, read_json, read_mha, run, test


def disc(name, views=60, columns=48, first=0, step=3, **more):
    """A disc of 0.02 per unit, parallel beam, as raw samples with a description."""
    row = [0.04 * math.sqrt(max(0, 15.0 ** 2 - (i - (columns - 1) / 2 - 1.5) ** 2)) for i in range(columns)]
    with open(at(name + ".bin"), "wb") as file:
        file.write(struct.pack(f"<{views * columns}f", *row * views))
    with open(at(name + ".json"), "w") as file:
        json.dump({"files": {"raw": name + ".bin", "type": "float32", "dims": [columns, 1, views]}, "beam": "parallel",
                   "values": "line integrals", "angles_deg": {"first": first, "step": step}, **more}, file)
    return at(name + ".json")


@test("lengths are px where nobody tells the pixel size")
def _():
    scan = disc("unscaled")
    assert "not known: lengths are in px" in run("info", scan).stdout and " mm" not in run("info", scan).stdout.replace("in mm", "")
    assert read_json("info", "--json", scan)["pixel_mm"] is None
    for extension, words in (("mha", None), ("nrrd", b'space units: "px" "px" "px"'), ("raw", b'"unit": "1/px"'), ("tif", b"1/px"),
                             ("h5", b"1/px")):
        path = at("unscaled." + extension)
        done = run("reconstruct", scan, "-o", path)
        assert "voxels of 1 px" in done.stderr and " mm" not in done.stderr, done.stderr
        text = run("info", path).stdout
        assert "1 px x 1 px x 1 px" in text and "1/px" in text and "/mm" not in text and " mm" not in text.replace("_mm", ""), text
        facts = read_json("info", "--json", path)
        assert facts["length_unit"] == "px" and facts["value_unit"] == "1/px"
        if words:
            with open(path + (".json" if extension == "raw" else ""), "rb") as file:
                content = file.read()
            assert words in content and b"1/mm" not in content.split(b"gantry_plan")[0], extension
    compared = run("compare", at("unscaled.mha"), at("unscaled.h5")).stdout
    assert "1/px" in compared and "/mm" not in compared
    # Who tells it, in the plan or in the description, has mm.
    for scaled, more in ((scan, ["--set", "geometry.pixel_u=0.5"]), (disc("scaled", pixel_mm=0.5), [])):
        done = run("reconstruct", scaled, *more, "-o", at("scaled.mha"))
        assert "voxels of 0.5 mm" in done.stderr
        assert read_json("info", "--json", at("scaled.mha"))["length_unit"] == "mm"


@test("a pitch that is assumed beside distances is warned of")
def _():
    scan = disc("guessed", views=60, step=6, beam="fan", sod_mm=200, sdd_mm=300)
    done = run("reconstruct", scan, "-q", "-o", at("guessed.mha"))
    assert "The pixel size is not known: pixels of 1 mm are assumed" in done.stderr, done.stderr
    assert "assumed" in [w["kind"] for w in read_json("info", "--json", at("guessed.mha"))["warnings"]]
    assert "pixel size" not in run("reconstruct", scan, "-q", "--set", "geometry.pixel_u=0.4", "-o", at("guessed.mha")).stderr


@test("angles that nobody tells are warned of, with the arc that is assumed")
def _():
    disc("told")
    with open(at("told.bin"), "rb") as file:
        samples = file.read()

    def untold(views, **more):
        with open(at("untold.bin"), "wb") as file:
            file.write((samples * 3)[:views * 48 * 4])
        with open(at("untold.json"), "w") as file:
            json.dump({"files": {"raw": "untold.bin", "type": "float32", "dims": [48, 1, views]}, "values": "line integrals", **more},
                      file)
        return run("reconstruct", at("untold.json"), "-q", "-o", at("untold.mha"), *settings).stderr

    settings = []
    assert "its 60 views are taken to cover 180° in equal steps of 3°" in untold(60, beam="parallel")
    assert "assumed" in [w["kind"] for w in read_json("info", "--json", at("untold.mha"))["warnings"]]
    fan = {"beam": "fan", "sod_mm": 200, "sdd_mm": 300, "pixel_mm": 0.5}
    assert "its 73 views are taken to cover 360° in equal steps of 5°, the last view repeating the first" in untold(73, **fan)
    settings = ["--set", "geometry.angle_step=6"]
    assert "tells no angles" not in untold(60, **fan)
    settings = []
    assert "tells no angles" not in run("reconstruct", disc("told"), "-q", "-o", at("told.mha")).stderr


@test("a last view that repeats the first makes no longer arc")
def _():
    for views, step, words in ((121, 3, "360° with the first view repeated at the end"), (120, 3, "an arc of 360°"),
                               (721, 1, "720° with the first view repeated"), (61, 3, "an arc of 183°")):
        text = run("info", disc("arc", views=views, step=step)).stdout
        assert words in text and ("repeated" in words) == ("repeated" in text), text


@test("what was decided is told, and what moved is listed")
def _():
    scan = disc("moved", pixel_mm=1)
    run("reconstruct", scan, "-q", "-o", at("first.mha"))
    run("reconstruct", scan, "-q", "--set", "filter.window=hann", "--set", "centre.method=manual", "--set", "centre.column=24.5",
        "-o", at("second.mha"))
    text = run("info", at("first.mha")).stdout
    assert "centre.method=found" in text and "automatic    reconstruction.kernel=" in text and "automatic    geometry.beam=parallel" in text
    plan = read_json("info", "--json", at("first.mha"))["plan"]
    assert plan["resolved"]["reconstruction.nx"] == 48 and plan["centre"]["how"]
    differences = read_json("compare", "--json", at("first.mha"), at("second.mha"))
    assert any("filter.window" in line for line in differences["asked"]), differences
    assert any("centre.column" in line for line in differences["automatic"]), differences
    # The header's plan makes the same again, also of a part of the views.
    for name, more in (("first", []), ("early", ["--set", "finish_after=24"])):
        done = run("reconstruct", scan, *more, "-o", at(name + ".mha"))
        assert f"from {24 if more else 60} views in" in done.stderr, done.stderr
        assert f"from {24 if more else 60} views in" in run("reconstruct", scan, *more, "--slice", "axial:mid", "-o", at("cut1.png")).stderr
        run("reconstruct", scan, "-q", "--plan", at(name + ".mha"), "-o", at("again.mha"))
        assert read_mha(at(name + ".mha")) == read_mha(at("again.mha"))


@test("an output never replaces what it is made from, by whatever name")
def _():
    scan = disc("source", pixel_mm=1)
    os.link(at("source.bin"), at("twin.mha"))
    os.symlink(at("source.bin"), at("link.nrrd"))
    for target in ("twin.mha", "link.nrrd"):
        fails("reconstruct", scan, "-q", "-o", at(target), status=2, words="would overwrite what is read")
    fails("reconstruct", scan, "-q", "-o", at("ok.mha"), "--save-plan", at("source.json"), status=2, words="would overwrite")
    assert os.path.getsize(at("source.bin")) == 60 * 48 * 4
    # Volumes that are cut, started from or compared with are sources, too.
    run("reconstruct", scan, "-q", "-o", at("volume.mhd"))
    os.symlink(at("volume.raw"), at("cut.png"))
    fails("slice", at("volume.mhd"), "-q", "-o", at("cut.png"), status=2, words="would overwrite")
    for option in ("--start", "--reference"):
        fails("reconstruct", scan, "-q", "--set", "iterative.method=sirt", option, at("volume.mhd"), "-o", at("volume.raw"), status=2,
              words="would overwrite")


sys.exit(main())
