#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""gantry-cli with graphics devices: info --devices, --device, tune. test-cli-devices.py PROGRAM. Speaks TAP; needs nothing beyond Python itself."""

import json
import os
import re
import subprocess
import sys

from cli_driver import at, fails, main, PROGRAM, read_json, run, Skip, test


def first_device():
    """The first graphics device's name; without one the test is passed over."""
    devices = read_json("info", "--devices", "--json")
    if not devices:
        raise Skip("no graphics device with OpenGL 4.3")
    return devices[0]["name"]


@test("info --devices tells each device's driver and limits")
def _():
    name = first_device()
    device = read_json("info", "--devices", "--json")[0]
    assert device["driver"] and device["storage_block"] >= 1 << 27 and device["group_threads"] >= 1024, device
    assert device["software"] in (True, False) and (device["memory"] is None or device["memory"] > 1e8), device
    lines = run("info", "--devices").stdout.split("\n")
    assert lines[0].startswith(name) and any(device["driver"] in line for line in lines), lines


@test("a device that is not here is refused by name, and so are GPU kernels without one")
def _():
    size = [word for axis in "xyz" for word in ("--set", f"reconstruction.n{axis}=16")]
    command = ["reconstruct", "example", *size, "-q", "-o", at("gpu.mha"), "--set", "reconstruction.kernel=gl-tuned"]
    fails(*command, "--set", "reconstruction.device=Rusty 3000", status=1,
          words="Rusty 3000" if read_json("info", "--devices", "--json") else "No graphics device")
    fails(*command, "--set", "reconstruction.device=none", status=1, words="needs a graphics device")
    assert not os.path.exists(at("gpu.mha"))
    fails("tune", "--device", "Rusty 3000", status=1, words="raphics device")
    fails("bench", "gpu", "--device", "none", status=1, words="info --devices")


@test("lists say what a kernel or projector for a card needs, and which device serves")
def _():
    needs = {kernel["id"]: kernel["needs"] for kernel in read_json("kernels", "--json")}
    plain, mapped, atomic = "graphics device with OpenGL 4.3", "GL_ARB_buffer_storage", "GL_NV_shader_atomic_float"
    assert needs["gl-naive"] == [plain] and needs["gl-rabbit-stream"] == [plain, mapped], needs
    assert needs["gl-rabbit-atomic"] == [plain, mapped, atomic] and plain not in needs["voxel-loop"], needs
    for command in ("kernels", "methods"):
        for entry in run(command).stdout.split("\n\n"):
            if entry.strip().startswith("gl-"):
                assert "cannot run" not in entry, entry
    devices = read_json("info", "--devices", "--json")
    if any(not device["software"] for device in devices):
        return
    for command, id_ in (("kernels", "gl-naive"), ("methods", "gl-scsr")):
        entry = " ".join(next(text for text in run(command).stdout.split("\n\n") if text.strip().startswith(id_ + ":")).split())
        assert f"needs a {plain}, named by reconstruction.device; " in entry, entry
        assert (devices[0]["name"] + " serves by its name" if devices else "none is here") in entry, entry


@test("a graphics device makes the processor's volume")
def _():
    name = first_device()
    for beam, kernel in (("cone", "gl-tuned"), ("parallel", "gl-tuned-parallel")):
        run("simulate", "--geometry", beam, "--detector", "24x24", "--views", "30", "-q", "-o", at("scan.h5"))
        run("reconstruct", at("scan.h5"), "-q", "-o", at("cpu.mha"), "--set", "reconstruction.device=none")
        run("reconstruct", at("scan.h5"), "-q", "-o", at("gpu.mha"), "--set", f"reconstruction.device={name}",
            "--set", f"reconstruction.kernel={kernel}")
        told = read_json("compare", "--json", at("gpu.mha"), at("cpu.mha"))
        # Positions between pixels come in steps of 1/256 where the texture unit interpolates.
        assert 0 < told["relative_rmse"] < 2e-3, (kernel, told)


@test("several devices share a volume's slices, and the one that is not here is named")
def _():
    name = first_device()[:25]  # a part of the name will do: a plan holds 63 letters
    run("simulate", "--geometry", "cone", "--detector", "24x24", "--views", "30", "-q", "-o", at("scan.h5"))
    command = ["reconstruct", at("scan.h5"), "-q", "--set", "reconstruction.kernel=gl-naive"]
    run(*command, "-o", at("one.mha"), "--set", f"reconstruction.device={name}")
    joined = f"reconstruction.device={name} + {name}"
    run(*command, "-o", at("two.mha"), "--set", joined)
    told = read_json("compare", "--json", at("two.mha"), at("one.mha"))
    assert told["relative_rmse"] < 1e-6, told
    fails(*command, "-o", at("none.mha"), "--set", f"reconstruction.device={name} + Rusty 3000", status=1, words="Rusty 3000")
    fails("tune", "--device", f"{name} + {name}", status=1, words="one graphics device at a time")
    # Nothing is cut: what is too long is refused in words, from the command line and from a plan.
    long = name + " + " + "x" * 63
    words = "it takes a word of at most 63 letters; of each device a part of its name will do"
    fails(*command, "-o", at("none.mha"), "--set", f"reconstruction.device={long}", status=2, words=words)
    with open(at("long.json"), "w") as file:
        json.dump({"gantry_plan": 1, "parameters": {"reconstruction.device": long}}, file)
    fails(*command, "-o", at("none.mha"), "--plan", at("long.json"), status=1, words=words)


@test("RapidRabbit's table of 2011 stands beside what was measured")
def _():
    told = run("bench", "gpu", "--device", first_device(), "--problems", "rabbit-512", "--size", "16", "--views", "4", "--repeat", "1",
               "--kernels", "gl-rapid-naive,gl-rapid-asic,gl-rapid-four").stdout.partition("RapidRabbit's table of 2011")[2]
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in told.split("\n") if line.startswith("| gl-rapid")]
    assert [row[0] for row in rows] == ["gl-rapid-naive", "gl-rapid-asic", "gl-rapid-four"], told
    assert rows[2][4:] == ["2.86, 5.47 ms", "10.2, 12.25 ms"] and all(float(row[3]) > 0 for row in rows), rows


@test("an iterative method runs on a graphics device, by name alone")
def _():
    name = first_device()
    run("simulate", "--geometry", "cone", "--detector", "24x24", "--views", "30", "-q", "-o", at("scan.h5"))
    method = ["--set", "iterative.method=sirt", "--set", "iterations=5"]
    run("reconstruct", at("scan.h5"), "-q", "-o", at("cpu.mha"), *method, "--set", "reconstruction.device=none")
    run("reconstruct", at("scan.h5"), "-q", "-o", at("gpu.mha"), *method, "--set", f"reconstruction.device={name}",
        "--set", "iterative.projector=gl-joseph")
    told = read_json("compare", "--json", at("gpu.mha"), at("cpu.mha"))
    assert 0 < told["relative_rmse"] < 1e-4, told
    fails("reconstruct", at("scan.h5"), "-q", "-o", at("no.mha"), *method, "--set", "reconstruction.device=none",
          "--set", "iterative.projector=gl-joseph", status=1, words="needs a graphics device")
    assert not os.path.exists(at("no.mha"))
    listed = {item["id"]: item for item in read_json("methods", "--json")["projectors"]}
    assert listed["gl-joseph"]["matched"] and not listed["gl-joseph"]["stored"], listed["gl-joseph"]


@test("tune tells its trials, keeps the fastest settings, and damaged ones are passed over with a word")
def _():
    name = first_device()
    cache = at("cache")
    environment = dict(os.environ, XDG_CACHE_HOME=os.path.join(cache, "below"))
    os.mkdir(cache)
    with open(at("plain"), "w", encoding="utf-8"):
        pass
    done = subprocess.run([PROGRAM, "tune", "--device", name, "--size", "8"], env=dict(environment, XDG_CACHE_HOME=at("plain")),
                          capture_output=True, text=True, timeout=100)
    assert done.returncode == 1 and at("plain") + "/gantry cannot be made" in done.stderr, done.stderr

    def tuned(*arguments):
        done = subprocess.run([PROGRAM, *arguments], env=environment, capture_output=True, text=True, timeout=100)
        assert done.returncode == 0, done.stderr
        return done

    assert f"{name} has not been tuned" in tuned("tune", "--suggested", "--device", name).stdout
    done = tuned("tune", "--device", name, "--size", "8")
    trials = done.stderr.strip().split("\n")
    beams = ["gl-tuned: cone beam"] + [f"gl-tuned-parallel: parallel beam, {n} slice{s} at a time" for n, s in ((1, ""), (2, "s"), (4, "s"))]
    problems = tuple(f"{beam}, {mode}: " for beam in beams for mode in ("linear", "half precision", "nearest", *(["oversampled"] if "parallel" in beam else [])))
    assert len(trials) > 60 and all(line.startswith(problems) for line in trials), trials[:3]
    assert all(any(line.startswith(problem) for line in trials) for problem in problems), trials
    assert name in done.stdout and "Kept in " + cache in done.stdout, done.stdout
    kept = done.stdout.split("Kept in ")[1].strip()
    assert os.listdir(os.path.dirname(kept)) == [os.path.basename(kept)]
    # The table of ways reads what was kept: the rate and the texture unit's share of each number of slices.
    found = tuned("tune", "--suggested", "--device", name).stdout
    assert "| Kepler | multi | 2 | TEX |" in found and "Found by gantry-cli tune on " + name in found, found
    cells = {int(line.split("|")[1]): line.split("|")[2:6] for line in found.split("\n") if re.match(r"\| \d \|", line)}
    for slices, mode, gups, share in re.findall(r"^parallel (\d) (\w+): (\S+): .*?texture_share (\d)", done.stdout, re.M):
        cell = cells[int(slices)][["linear", "half", "nearest", "oversampled"].index(mode)]
        way = {"0": "ALU,", "8": "TEX,"}.get(share, f"hybrid, {share} of 8")
        assert cell.strip().startswith(way) and abs(float(cell.split()[-2]) - float(gups)) < 0.01 * float(gups), (cell, gups, share)
    command = ["reconstruct", "example", "-q", "-o", at("gpu.mha"), "--set", f"reconstruction.device={name}"]
    command += [word for axis in "xyz" for word in ("--set", f"reconstruction.n{axis}=16")]
    assert tuned(*command).stderr == ""
    with open(kept, "r+") as file:
        text = file.read()
        file.truncate(len(text) - 20)
    words = tuned(*command).stderr
    assert kept in words and "damaged" in words and len(words.strip().split("\n")) == 1, words
    with open(kept, "w") as file:
        file.write("\n".join(text.split("\n")[:2]) + "\n0.5: views 32, voxels 4\n")  # as they were kept before there were modes
    words = tuned(*command).stderr
    assert kept in words and "older version" in words and len(words.strip().split("\n")) == 1, words


sys.exit(main())
