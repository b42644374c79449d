# SPDX-License-Identifier: GPL-3.0-or-later
"""The Errors page of the real window: its numbers are those of gantry-cli compare and of numpy on the saved volumes, to the digits
shown; whole volume, slice and region; the way to the worst voxel; what stands there instead of numbers. Arguments: gantry, gantry-cli."""
import csv
import json
import math
import os
import re
import struct
import subprocess
import sys
import time

import drive
from drive import Failure

VIEWS, COLUMNS, ROWS = 60, 64, 5


def make_scan(window):
    """Two discs, parallel beam over 180 degrees, pixels of 1 mm; each row a little brighter than the one before."""
    values = []
    for view in range(VIEWS):
        angle = view * 3 * math.pi / 180
        for row in range(ROWS):
            for i in range(COLUMNS):
                u = i - (COLUMNS - 1) / 2
                value = 0
                for x, y, radius, mu in ((8, 3, 10, 0.03), (-11, -6, 6, 0.05)):
                    d = u - (x * math.cos(angle) + y * math.sin(angle))
                    value += 2 * mu * math.sqrt(max(0, radius * radius - d * d))
                values.append(value * (1 + 0.1 * row))
    with open(window.path("discs.bin"), "wb") as file:
        file.write(struct.pack(f"<{len(values)}f", *values))
    with open(window.path("discs.json"), "w", encoding="utf-8") as file:
        json.dump({"files": {"raw": "discs.bin", "type": "float32", "dims": [COLUMNS, ROWS, VIEWS]}, "beam": "parallel",
                   "pixel_mm": 1, "centre_u": (COLUMNS - 1) / 2, "values": "line integrals",
                   "angles_deg": {"first": 0, "step": 3}}, file)
    return window.path("discs.json")


def photograph(window, name):
    if "GANTRY_TEST_PICTURE" in os.environ:
        time.sleep(1)
        window.photograph(f"{os.environ['GANTRY_TEST_PICTURE']}-{name}.png")


def figures(window):
    """The numbers of the page by their titles: each label is followed by that of its value."""
    table = window.see("Errors in numbers")
    labels = [node.get_name() or "" for node in window.walk(table) if node.get_role_name() == "label"]
    return {title: value for title, value in zip(labels, labels[1:])}


def scope(window, pattern):
    window.read(pattern)
    return figures(window)


def number(text):
    """(value, half a unit of the last digit shown) of "1.25·10⁻⁵ 1/mm"."""
    match = re.match(r"([−-]?)([0-9\u202f]+)(?:\.([0-9]+))?(?:·10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+))?", text)
    if not match:
        raise Failure(f"{text!r} is no number")
    sign, whole, decimals, power = match.groups()
    exponent = int((power or "0").translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")))
    whole = whole.replace("\u202f", "")
    value = float(f"{whole}.{decimals or 0}") * 10.0 ** exponent * (-1 if sign else 1)
    return value, 0.5000001 * 10.0 ** (exponent - len(decimals or ""))


def equal(shown, title, expected):
    value, grain = number(shown[title])
    if not abs(value - expected) <= grain + 1e-12 * abs(expected):
        raise Failure(f"{title} reads {shown[title]}, which is not {expected:.12g}")


def save(window, name):
    window.action("save-volume")
    window.save_as("Save the Volume", window.path(name))
    window.wait(lambda: os.path.exists(window.path(name)), "the volume to be saved")
    window.toast(r"saved")


def says_what_is_missing(window):
    window.start(make_scan(window))
    window.read(r"^preview$")
    window.action("show-errors")
    window.read(r"^Keep a result as reference B")
    window.press("Reconstruct")
    window.read(r"^Reconstructed in ")
    save(window, "b.mha")
    window.action("set-reference")
    window.ready("clear-reference")
    shown = scope(window, r"^Whole volume$")
    if shown["RMSE"] != "0 1/mm" or shown["SSIM"] != "1" or shown["PSNR"] != "infinite":
        raise Failure(f"a volume differs from itself: {shown}")


def shows_the_whole_volume(window):
    window.take_values({"filter.cutoff": 0.6})
    window.read(r"^A is no volume yet")
    window.press("Reconstruct")
    window.read(r"^Reconstructed in ")
    # The note may be that of the run before.
    window.wait(lambda: not window.action_enabled("cancel"), "the run to end")
    save(window, "a.mha")
    shown = scope(window, r"^Whole volume$")
    window.wait(lambda: figures(window)["RMSE"] not in ("—", "0 1/mm"), "the errors of the new volume")
    shown = figures(window)
    told = json.loads(subprocess.run([sys.argv[2], "compare", "--json", "--quiet", window.path("a.mha"), window.path("b.mha")],
                                     check=True, capture_output=True, text=True).stdout)
    for title, key in (("RMSE", "rmse"), ("Largest error", "max_abs"), ("PSNR", "psnr"), ("SSIM", "ssim"), ("Slope", "slope"),
                       ("Offset", "intercept"), ("Voxels compared", "count"), ("Left out", "not_finite")):
        equal(shown, title, told[key])
    equal(shown, "RMSE, relative", 100 * told["relative_rmse"])
    equal(shown, "1 − r", 1 - told["pearson_r"])
    if shown["Found at voxel"] != ", ".join(str(i) for i in told["max_at"]):
        raise Failure(f"the worst voxel reads {shown['Found at voxel']}, not {told['max_at']}")
    if shown["SSIM"].rstrip("0").rstrip(".") == "1":
        raise Failure("the digits of SSIM end before it differs from 1")
    photograph(window, "volume")


def read_volume(window, name):
    import numpy  # pylint: disable=import-outside-toplevel
    with open(window.path(name), "rb") as file:
        data = file.read()
    size = [int(n) for n in re.search(rb"DimSize = (\d+) (\d+) (\d+)", data).groups()]
    return numpy.frombuffer(data[-4 * size[0] * size[1] * size[2]:], "<f4").reshape(size[::-1]).astype(float)


def agrees_with_numpy(window):
    try:
        import numpy  # pylint: disable=import-outside-toplevel
    except ImportError as error:
        raise drive.Skip("numpy is not installed") from error
    a, b = read_volume(window, "a.mha"), read_volume(window, "b.mha")
    shown, d = figures(window), a - b
    equal(shown, "RMSE", math.sqrt((d * d).mean()))
    equal(shown, "MAE", abs(d).mean())
    equal(shown, "Bias", d.mean())
    equal(shown, "Largest error", abs(d).max())
    equal(shown, "PSNR", 20 * math.log10((b.max() - b.min()) / math.sqrt((d * d).mean())))
    equal(shown, "1 − r", 1 - numpy.corrcoef(a.ravel(), b.ravel())[0, 1])
    slope, offset = numpy.polyfit(b.ravel(), a.ravel(), 1)
    equal(shown, "Slope", slope)
    equal(shown, "Offset", offset)
    equal(shown, "Equal voxels", (d == 0).sum())
    equal(shown, "Median |error|", numpy.percentile(abs(d), 50))
    equal(shown, "99 % below", numpy.percentile(abs(d), 99))
    z, y, x = numpy.unravel_index(abs(d).argmax(), d.shape)
    if shown["Found at voxel"] != f"{x}, {y}, {z}":
        raise Failure(f"the worst voxel reads {shown['Found at voxel']}, not {x}, {y}, {z}")


def goes_to_the_worst(window):
    z = int(figures(window)["Found at voxel"].split(", ")[2])
    window.press("Go to the worst voxel")
    window.wait(lambda: window.see("Axial slice number", "spin button").get_current_value() == z, "the slice of the worst voxel")


def shows_a_slice(window):
    import numpy  # pylint: disable=import-outside-toplevel
    window.number("Axial slice number", 1)
    window.press("Errors of the axial slice")
    window.read(r"^Axial slice 1$")
    a, b = read_volume(window, "a.mha")[1], read_volume(window, "b.mha")[1]
    shown, d = figures(window), a - b
    equal(shown, "RMSE", math.sqrt((d * d).mean()))
    equal(shown, "Largest error", abs(d).max())
    equal(shown, "Voxels compared", d.size)
    if not shown["Found at voxel"].endswith(", 1"):
        raise Failure(f"the worst voxel of slice 1 reads {shown['Found at voxel']}")
    window.number("Axial slice number", 3)
    window.read(r"^Axial slice 3$")
    photograph(window, "slice")
    window.press("Errors of the whole volume")
    window.read(r"^Whole volume$")


def region_numbers(shown, a, b, name):
    d = a - b
    equal(shown, "RMSE", math.sqrt((d * d).mean()))
    equal(shown, "MAE", abs(d).mean())
    equal(shown, "Largest error", abs(d).max())
    equal(shown, "PSNR", 20 * math.log10((b.max() - b.min()) / math.sqrt((d * d).mean())))
    equal(shown, "Voxels compared", d.size)
    if shown["Left out"] != "0":
        raise Failure(f"{name}: voxels outside the region count as left out: {shown['Left out']}")


def shows_a_region(window):
    """A rectangle is what compare gives of the same voxels, SSIM too; an ellipse on another plane what numpy gives."""
    import numpy  # pylint: disable=import-outside-toplevel
    window.press("Errors in the region")
    window.read(r"^There is no region\. Draw")
    window.action("draw-mark", drive.GLib.Variant("s", "rectangle"))
    window.drag(window.see("Axial slice"), (0.3, 0.25), (0.62, 0.71))
    window.action("show-errors")
    window.read(r"^Rectangle 1, axial slice 3$")
    window.action("save-marks")
    window.save_as("Save the Regions", window.path("region.csv"))
    window.wait(lambda: os.path.exists(window.path("region.csv")), "the region to be saved")
    with open(window.path("region.csv"), encoding="utf-8") as file:
        file.readline()
        points = [[float(v) for v in p.split()] for p in next(csv.DictReader(file))["points"].split(";")]
    half = (COLUMNS - 1) / 2
    (x0, x1), (y0, y1) = ([math.ceil(v + half) for v in sorted(p[axis] for p in points)] for axis in (0, 1))
    told = json.loads(subprocess.run(
        [sys.argv[2], "compare", "--json", "--quiet", "--errors", "--region", f"{x0}:{x1},{y0}:{y1},3:4", window.path("a.mha"), window.path("b.mha")],
        check=True, capture_output=True, text=True).stdout)
    shown = figures(window)
    for title, key in (("RMSE", "rmse"), ("Largest error", "max_abs"), ("PSNR", "psnr"), ("SSIM", "ssim"), ("Slope", "slope"),
                       ("Offset", "intercept"), ("Voxels compared", "count")):
        equal(shown, title, told[key])
    equal(shown, "1 − r", 1 - told["pearson_r"])
    if shown["Found at voxel"] != ", ".join(str(i) for i in told["max_at"]):
        raise Failure(f"the worst voxel reads {shown['Found at voxel']}, not {told['max_at']}")
    a, b = read_volume(window, "a.mha"), read_volume(window, "b.mha")
    region_numbers(shown, a[3, y0:y1, x0:x1], b[3, y0:y1, x0:x1], "the rectangle")
    photograph(window, "region")
    window.action("draw-mark", drive.GLib.Variant("s", "ellipse"))
    window.drag(window.see("Coronal slice"), (0.35, 0.45), (0.7, 0.54))
    window.action("show-errors")
    y = int(window.read(r"^Ellipse 1, coronal slice ([0-9]+)$").group(1))
    window.action("save-marks")
    window.save_as("Save the Regions", window.path("ellipse.csv"))
    window.wait(lambda: os.path.exists(window.path("ellipse.csv")), "the ellipse to be saved")
    with open(window.path("ellipse.csv"), encoding="utf-8") as file:
        file.readline()
        row = next(row for row in csv.DictReader(file) if row["kind"] == "ellipse")
    (u0, w0), (u1, w1) = [[float(v) for v in p.split()] for p in row["points"].split(";")]
    x, z = numpy.meshgrid(numpy.arange(COLUMNS) - half, numpy.arange(ROWS) - (ROWS - 1) / 2)
    inside = ((2 * x - u0 - u1) / (u1 - u0)) ** 2 + ((2 * z - w0 - w1) / (w1 - w0)) ** 2 <= 1
    region_numbers(figures(window), a[:, y][inside], b[:, y][inside], "the ellipse")
    at = [int(i) for i in figures(window)["Found at voxel"].split(", ")]
    if at[1] != y or not inside[at[2], at[0]]:
        raise Failure(f"the worst voxel {at} is not in the ellipse")
    window.press("Errors of the whole volume")
    window.read(r"^Whole volume$")


def reads_another_grid(window):
    """B of other voxels is read at A's by millimetres, which stands beside the numbers; they are those of compare."""
    window.take_values({"reconstruction.voxel": 1.7, "reconstruction.nx": 44, "reconstruction.ny": 41})
    window.press("Reconstruct")
    window.read(r"^Whole volume; B resampled onto A's voxels by mm, [0-9\u202f]+ of which lie outside B and are left out$")
    save(window, "other.mha")
    told = json.loads(subprocess.run([sys.argv[2], "compare", "--json", "--quiet", window.path("other.mha"), window.path("b.mha")],
                                     check=True, capture_output=True, text=True).stdout)
    shown = figures(window)
    for title, key in (("RMSE", "rmse"), ("Largest error", "max_abs"), ("SSIM", "ssim"), ("Voxels compared", "count"),
                       ("Left out", "not_finite")):
        equal(shown, title, told[key])
    window.press("Errors of the axial slice")
    window.read(r"^Axial slice [0-9]+; B resampled onto A's voxels by mm$")
    photograph(window, "resampled")
    window.press("Errors in the region")
    window.read(r"^Ellipse 1, coronal slice [0-9]+; B resampled onto A's voxels by mm$")


def every_curve_is_saved(window):
    rows = {}
    for curve, columns in (("histogram", 2), ("sizes", 2), ("against-value", 5), ("cumulative", 2), ("slice-rmse", 2), ("slice-ssim", 2)):
        window.action("errors-curve", drive.GLib.Variant("s", curve))
        photograph(window, curve)
        path = window.path(f"{curve}.csv")
        window.action("save-errors")
        window.save_as("Save the Errors", path)
        window.wait(lambda p=path: os.path.exists(p), "the curve to be saved")
        with open(path, encoding="utf-8") as file:
            rows[curve] = list(csv.reader(file))
        if len(rows[curve][0]) != columns:
            raise Failure(f"curve {curve} has the columns {rows[curve][0]}")
    voxels = COLUMNS * COLUMNS * ROWS
    if sum(float(row[1]) for row in rows["histogram"][1:]) != voxels:
        raise Failure("the error histogram does not hold every voxel")
    if [row[0] for row in rows["slice-rmse"][1:]] != [str(i) for i in range(ROWS)]:
        raise Failure(f"the slices are {rows['slice-rmse']}")


drive.run(sys.argv[1], [
    ("it says what is missing, and equal volumes are equal", says_what_is_missing),
    ("numbers of the whole volume are those of compare", shows_the_whole_volume),
    ("and those of numpy", agrees_with_numpy),
    ("it goes to the worst voxel", goes_to_the_worst),
    ("numbers of a slice", shows_a_slice),
    ("numbers of a region are those of compare and of numpy", shows_a_region),
    ("every curve is saved", every_curve_is_saved),
    ("B of another grid is read at A's voxels", reads_another_grid),
    ("it ends without complaints", drive.ends_quietly),
])
