#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""gantry-cli reconstruct as ranks of an MPI job: test-mpi.py PROGRAM MPIRUN ("": there is none, all is skipped). Speaks TAP.
Times are never looked at but to wait."""

import json
import os
import signal
import struct
import subprocess
import sys
import threading
import time
import zlib

from cli_driver import PROGRAM, Skip, at, main, read_json, read_mha, run, test

MPIRUN = sys.argv[2]
# Sums in single precision in another order, of values up to the largest.
CLOSE = 1e-6


def launch(ranks, *arguments):
    if not MPIRUN:
        raise Skip("built without MPI, or mpirun is not there")
    environment = dict(os.environ, OMPI_MCA_rmaps_base_oversubscribe="1", OMPI_ALLOW_RUN_AS_ROOT="1",
                       OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_btl_vader_single_copy_mechanism="none",
                       OMPI_MCA_orte_execute_quiet="1", OMPI_MCA_mpi_yield_when_idle="1", OMPI_MCA_hwloc_base_binding_policy="none")
    return subprocess.Popen([MPIRUN, "-n", str(ranks), PROGRAM, "reconstruct", *map(str, arguments)], stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True, env=environment)


def ranks(count, *arguments, status=0):
    job = launch(count, *arguments)
    out, err = job.communicate(timeout=100)
    assert job.returncode == status, f"{count} ranks, {arguments}: exit status {job.returncode}, stderr: {err.strip()}"
    return out, [line for line in err.split("\n") if line.startswith("gantry-cli:")]


def scan(name, *more):
    path = at(name + ".h5")
    if not os.path.exists(path):
        run("simulate", "-q", *more, "-o", path)
    return path


def cone():
    return scan("cone", "--detector", "70x66", "--views", "61")


def same(path, other, bound=CLOSE):
    (size, a), (there, b) = read_mha(path), read_mha(other)
    assert size == there, (size, there)
    apart = max(abs(x - y) for x, y in zip(a, b)) / max(map(abs, a))
    assert apart < bound, apart


def same_hdf5(path, other):
    told = read_json("compare", other, path, "--json")
    assert told["relative_rmse"] < CLOSE, told
    many, one = (read_json("info", name, "--json") for name in (other, path))
    assert many["plan"]["parameters"] == one["plan"]["parameters"], (many, one)
    assert all(many[key] == one[key] for key in ("size", "voxel_mm", "origin_mm", "length_unit", "value_unit")), (many, one)


@test("volumes of cone, displaced detector and short scan are those of one process, whatever the grid")
def _():
    cases = [(cone(), 3, [], "3x1"),
             (scan("displaced", "--detector", "80x40", "--views", "90", "--offset-u", "27.5"), 2, [], None),
             (scan("short", "--geometry", "parallel", "--detector", "64x34", "--views", "50", "--offset-u", "2.25", "--counts"), 3,
              ["--set", "centre.method=auto"], "1x3"),
             # slices in pairs, to the bit; thin slabs of few views
             (at("short.h5"), 3, ["--set", "method=fourier"], "1x3"),
             (scan("three", "--detector", "70x66", "--views", "3"), 4, [], "2x2")]
    for path, count, more, grid in cases:
        run("reconstruct", path, *more, "-q", "-o", at("one.mha"))
        ranks(count, path, *more, "-q", *(["--grid", grid] if grid else []), "-o", at("many.mha"))
        same(at("one.mha"), at("many.mha"), 1e-12 if "method=fourier" in more else CLOSE)
        left = [name for name in os.listdir(at(".")) if ".part" in name]
        assert not left, left


@test("what ranks sent is what the model says, and the volume carries plan and centre as one process's does")
def _():
    out, _words = ranks(2, cone(), "-q", "--grid", "2x1", "--json", "-o", at("json.mha"))
    told = json.loads(out)
    assert (told["processes"], told["view_groups"], told["slab_columns"]) == (2, 2, 1), told
    for rank in told["ranks"]:
        assert rank["summed_bytes"] == rank["model_summed_bytes"] > 0, rank
        # Of the slabs' sums that of the last at least has nothing beside it.
        assert rank["sum_alone_seconds"] > rank["model_sum_waited_seconds"] >= rank["sum_alone_seconds"] / told["slab_slices"] > 0, rank
        assert rank["waited_seconds"] >= rank["sum_waited_seconds"] > 0 and rank["sum_called_seconds"] > 0 and rank["sum_beside_seconds"] > 0, rank
        assert 0 <= rank["sum_hidden"] < 1 and abs(rank["model_sum_hidden"] - 1 + rank["model_sum_waited_seconds"] / rank["sum_alone_seconds"]) < 1e-9
    size, values = read_mha(at("json.mha"))
    assert sum(rank["written_bytes"] for rank in told["ranks"]) == 4 * len(values), (size, told)
    run("reconstruct", cone(), "-q", "-o", at("alone.mha"))
    many, one = (read_json("info", at(name), "--json")["plan"] for name in ("json.mha", "alone.mha"))
    assert many["parameters"] == one["parameters"]


@test("iterative methods with slabs and views in several processes are those of one, and others are refused")
def _():
    path = scan("short", "--geometry", "parallel", "--detector", "64x34", "--views", "50", "--offset-u", "2.25", "--counts")
    # covers by all its views what those of a group do not
    climbs = scan("spiral", "--detector", "48x20", "--views", "60", "--feed", "9")
    for name, count, grid, method, iterations in ((climbs, 2, "2x1", "sirt", 1), (cone(), 3, "1x3", "os-sart", 2), (cone(), 4, "2x2", "cgls", 3), (path, 3, "1x3", "sart", 1)):
        chosen = ["--set", f"method={method}", "--set", f"iterations={iterations}", "-q"]
        run("reconstruct", name, *chosen, "-o", at("one.mha"))
        out, _words = ranks(count, name, *chosen, "--grid", grid, "--json", "-o", at("many.mha"))
        # In groups of views each voxel's sum is begun twice: of a spiral that is more than one rounding.
        same(at("one.mha"), at("many.mha"), 2 * CLOSE if name == climbs else CLOSE)
        # Line integrals of a cone pass several slabs; those of parallel beam are of one.
        told = json.loads(out)["ranks"]
        assert all((rank["traded_bytes"] > 0) == (name == cone()) for rank in told), told
        assert all((rank["shared_bytes"] > 1e5) == grid.startswith("2") for rank in told), told
    many, one = (read_json("info", at(name), "--json")["plan"]["parameters"] for name in ("many.mha", "one.mha"))
    assert many == one, (many, one)
    _out, words = ranks(2, path, "--set", "method=mlem", "-q", "-o", at("none.mha"), status=1)
    assert len(words) == 1 and "SIRT, SART" in words[0], words
    assert not [name for name in os.listdir(at(".")) if name.startswith("none")]


@test("processes take the graphics devices of their machine in turn, and make the processor's volume with them")
def _():
    devices = read_json("info", "--devices", "--json")
    if not devices:
        raise Skip("no graphics device with OpenGL 4.3")
    path, name = scan("few", "--detector", "40x36", "--views", "31"), devices[0]["name"]
    run("reconstruct", path, "-q", "-o", at("one.mha"))
    out, err = launch(2, path, "--set", f"device={name}", "--set", "kernel=gl-naive", "--grid", "2x1", "--json", "-o",
                      at("many.mha")).communicate(timeout=100)
    told = [rank["device"] for rank in json.loads(out)["ranks"]]
    assert told[0] == name and told[1] in (name, name + " #2"), told
    assert all(f"  {told.count(device)} of 2 processes on {device}\n" in err for device in set(told)), err
    same(at("one.mha"), at("many.mha"), 1e-5)
    _out, words = ranks(2, path, "-q", "--set", "device=nothing", "-o", at("none.mha"), status=1)
    assert len(words) == 1 and "There is no graphics device" in words[0], words


@test("plan predicts the bytes that ranks send, and the best grid, from rates that are told")
def _():
    told = read_json("plan", "--nodes", 6, "--cores", 4, "--memory", "1G", "--rate", 2, "--filter-rate", 50, "--network", "1G", "--disk",
                     "1T", "--volume", 96, "--views", 120, "--detector", 64, "--json")["best"]
    assert told["view_groups"] * told["slab_columns"] == 6
    assert told["seconds"] >= told["backproject_seconds"] == 96 ** 3 * 120 / 6 / 8e9
    groups = told["view_groups"]
    assert told["sent_bytes"] == (groups - 1) / groups * 96 * 96 * -(-96 // told["slab_columns"]) * 4
    slow = read_json("plan", "--nodes", 6, "--grid", "6x1", "--cores", 4, "--memory", "1G", "--rate", 2, "--filter-rate", 50, "--network", "1M",
                     "--volume", 96, "--views", 120, "--detector", 64, "--json")["best"]
    assert abs(slow["sum_seconds"] - slow["sent_bytes"] / 1e6) < 1e-9
    assert abs(slow["sum_waited_seconds"] - slow["sum_seconds"] * (1 + 1 / slow["slabs_of_a_column"]) + slow["backproject_seconds"]) < 1e-9
    assert run("plan", "--nodes", 4, "--rate", 1, "--filter-rate", 10, "--table").stdout.count("\n") == 4
    run("plan", "--gpus", 2, "--rate", 1, "--filter-rate", 1, status=2)
    run("plan", "--memory", "1M", "--rate", 1, "--filter-rate", 1, status=1)


@test("plan predicts an iteration from rates that are told: its time, and the bytes that a job sends, within a tenth")
def _():
    size = ["--volume", 96, "--views", 120, "--detector", 96, "--iterate-rate", 2, "--network", "1G", "--disk", "1T", "--json"]
    for method, nodes, grid in (("sart", 3, "1x3"), ("cgls", 4, "2x2")):
        told = read_json("plan", "--nodes", nodes, "--cores", 4, "--method", method, "--grid", grid, *size)["best"]
        groups, columns = map(int, grid.split("x"))
        exchanged = (told["traded_bytes"] + 2 * (groups - 1) / groups * told["sent_bytes"]) / 1e9
        same_time = 96 ** 3 * 120 / nodes / 8e9 + exchanged
        assert abs(told["iteration_seconds"] / same_time - 1) < 1e-9 and abs(told["exchange_seconds"] - exchanged) < 1e-12, told
        assert told["sent_bytes"] == (96 * 96 * 96 / columns * 4 if groups > 1 else 0), told
    best = read_json("plan", "--nodes", 8, "--cores", 4, "--method", "sirt", "--iterations", 9, *size)["best"]
    parts = best["read_seconds"] + 10 * best["iteration_seconds"] + best["write_seconds"]
    assert abs(best["seconds"] / parts - 1) < 1e-9 and best["view_groups"] * best["slab_columns"] == 8, best
    # Rows that slabs share, in a job and in the plan; the scan has the aperture that simulate chooses.
    path = scan("square", "--detector", "64x64", "--views", "24")
    out, _words = ranks(4, path, "-q", "--set", "method=sirt", "--set", "iterations=2", "--grid", "2x2", "--json", "-o", at("sent.mha"))
    job = json.loads(out)
    plan = read_json("plan", "--nodes", 4, "--cores", 1, "--method", "sirt", "--grid", "2x2", "--volume", 64, "--views", 24, "--detector", 64,
                     "--iterate-rate", 1, "--aperture", 16 * 2 ** 0.5 / 500, "--json")["best"]
    traded, shared = (max(rank[name] for rank in job["ranks"]) / 3 for name in ("traded_bytes", "shared_bytes"))
    assert abs(traded / plan["traded_bytes"] - 1) < 0.1 and abs(shared / plan["sent_bytes"] - 1) < 0.1, (traded, shared, plan)
    run("plan", "--method", "mlem", status=2)
    run("plan", "--nodes", 4, "--grid", "3x1", "--rate", 1, "--filter-rate", 1, status=2)
    run("plan", "--method", "sart", "--nodes", 4, "--grid", "2x2", "--iterate-rate", 1, status=1)


@test("a format that is no plain array, with 16 bits whose values nobody told")
def _():
    run("reconstruct", cone(), "-q", "-o", at("one.mha"))
    ranks(2, cone(), "-q", "--set", "output.samples=uint16", "-o", at("many.tif"))
    told = read_json("compare", at("many.tif"), at("one.mha"), "--json")
    assert told["relative_rmse"] < 1e-4, told


@test("HDF5: its samples are written where they stay, behind all else")
def _():
    run("reconstruct", cone(), "-q", "-o", at("one.h5"))
    ranks(3, cone(), "-q", "-o", at("many.h5"))
    same_hdf5(at("one.h5"), at("many.h5"))
    # Room that was kept for warnings is only in a file that was not copied.
    more = os.path.getsize(at("many.h5")) - os.path.getsize(at("one.h5"))
    assert 4096 < more < 16384, more


def damaged_frames():
    """A folder of 12 views, the last of which is cut off."""
    folder = at("frames")
    if not os.path.exists(folder):
        os.mkdir(folder)
        for view in range(12):
            rows = b"".join(b"\0" + struct.pack(">16H", *[40000 + 9 * view + u for u in range(16)]) for _ in range(8))
            data = zlib.compress(rows)
            if view == 11: data = data[:-9]
            chunks = [(b"IHDR", struct.pack(">IIBBBBB", 16, 8, 16, 0, 0, 0, 0)), (b"IDAT", data), (b"IEND", b"")]
            body = b"".join(struct.pack(">I", len(c)) + kind + c + struct.pack(">I", zlib.crc32(kind + c)) for kind, c in chunks)
            with open(os.path.join(folder, f"p{view:02}.png"), "wb") as file:
                file.write(b"\x89PNG\r\n\x1a\n" + body)
    return folder


@test("a fault on any rank ends all of them with one message, and leaves nothing")
def _():
    _out, words = ranks(2, damaged_frames(), "-q", "--set", "values=transmission", "--grid", "2x1", "-o", at("bad.mha"), status=1)
    assert len(words) == 1 and "p11.png" in words[0], words
    # One that serves no cone: slabs alone would take another one instead.
    _out, words = ranks(2, cone(), "--set", "kernel=slices-c8", "-q", "-o", at("bad.mha"), status=1)
    assert len(words) == 1 and "does not serve this geometry" in words[0], words
    _out, words = ranks(2, cone(), "--set", "nonsense=1", "-o", at("bad.mha"), status=2)
    assert len(words) == 1 and "nonsense" in words[0], words
    assert not [name for name in os.listdir(at(".")) if name.startswith("bad")]


@test("processes of a launcher of another MPI, each alone for its own, refuse to make one volume each")
def _():
    if not MPIRUN:
        raise Skip("built without MPI, or mpirun is not there")
    own = subprocess.run([MPIRUN, "--version"], capture_output=True, text=True).stdout
    other = "PMI_SIZE" if "Open MPI" in own or "OpenRTE" in own else "OMPI_COMM_WORLD_SIZE"
    done = subprocess.run([PROGRAM, "reconstruct", cone(), "-q", "-o", at("apart.mha")], env=dict(os.environ, **{other: "3"}),
                          capture_output=True, text=True, timeout=60)
    assert done.returncode == 1 and "3 processes" in done.stderr and "launcher of that MPI" in done.stderr, done.stderr
    assert not os.path.exists(at("apart.mha"))


def last_rank(job):
    """The last process below the launcher: Open MPI's ranks are its children, MPICH's of a process between. None: it was over."""
    mine = [str(job.pid)]
    while True:
        below = subprocess.run(["pgrep", "-P", mine[-1]], stdout=subprocess.PIPE, text=True).stdout.split()
        if not below:
            break
        mine = below
    return int(mine[-1]) if len(mine) > 1 and job.poll() is None else None


def kill_rank(job):
    """False: it was over."""
    rank = last_rank(job)
    if rank is None:
        job.communicate()
        return False
    os.kill(rank, signal.SIGKILL)
    job.communicate(timeout=60)
    assert job.returncode != 0
    return True


def wait_for(condition, job):
    until = time.monotonic() + 60
    while time.monotonic() < until and job.poll() is None and not condition():
        time.sleep(0.01)


def slices_there(parts):
    """How many a job has made, told by FILE.part.slices."""
    if not os.path.exists(parts):
        return 0
    with open(parts, encoding="utf-8") as file:
        return file.read().split("\n")[2].count("1")


def iterations_kept(path):
    with open(path + ".part.iterate", "rb") as file:
        return int(file.read(600)[511:].split()[0])


@test("iterations survive a killed rank: the same command goes on with another number of ranks, from what is whole and its own")
def _():
    path = scan("few", "--detector", "40x36", "--views", "31")
    for method, count, more, grid, chosen in (("sirt", 2, 3, "1x3", ["--set", "method=sirt", "--set", "iterations=80"]),
                                              # With few iterations, as it is through with its data soon; the projector is slow.
                                              ("cgls", 3, 2, "2x1", ["--set", "method=cgls", "--set", "iterations=12", "--set", "projector=textbook"])):
        output = at(f"{method}.mha")
        job = launch(count, path, "-q", *chosen, "-o", output)
        wait_for(lambda: os.path.exists(output + ".part.iterate"), job)
        if not kill_rank(job):
            raise Skip("it was over before it could be killed")
        there = iterations_kept(output)
        assert 0 < there and not os.path.exists(output)
        run("reconstruct", path, "-q", *chosen, "-o", at("one.mha"))
        # As it was kept; and with a damaged sample, or its end cut off.
        with open(output + ".part.iterate", "rb") as file:
            kept = file.read()
        damaged = kept[:-9] + bytes([kept[-9] ^ 1]) + kept[-8:] if method == "sirt" else kept[:-4096]
        for begin, words in ((kept, f"{there} iterations are there"), (damaged, "begun anew")):
            with open(output + ".part.iterate", "wb") as file:
                file.write(begin)
            done = launch(more, path, *chosen, "--grid", grid, "-o", output)
            _out, err = done.communicate(timeout=100)
            assert done.returncode == 0 and words in err, err
            same(at("one.mha"), output, 1e-6)
            left = [name for name in os.listdir(at(".")) if ".part" in name]
            assert not left, left


@test("iterations end with one message: cancelled, or with a view that one rank cannot read; where they cannot be kept that is told")
def _():
    path, chosen = scan("few", "--detector", "40x36", "--views", "31"), ["-q", "--set", "method=sirt"]
    job = launch(2, path, *chosen, "--set", "iterations=5000", "-o", at("ended.mha"))
    wait_for(lambda: os.path.exists(at("ended.mha.part.iterate")), job)
    job.terminate()
    _out, err = job.communicate(timeout=60)
    words = [line for line in err.split("\n") if line.startswith("gantry-cli:")]
    assert job.returncode != 0 and len(words) <= 2 and all("interrupted" in line or "are kept in" in line for line in words), err
    assert iterations_kept(at("ended.mha")) > 0 and not os.path.exists(at("ended.mha"))

    chosen += ["--set", "iterations=4"]
    run("reconstruct", path, *chosen, "-o", at("one.mha"))
    os.mkdir(at("full.mha.part.iterate.new"))  # where nothing can be written
    _out, words = ranks(2, path, *chosen, "-o", at("full.mha"))
    assert len(words) == 1 and "full.mha.part.iterate.new" in words[0], words
    same(at("one.mha"), at("full.mha"))
    os.rmdir(at("full.mha.part.iterate.new"))
    _out, words = ranks(2, damaged_frames(), *chosen, "--set", "values=transmission", "--grid", "2x1", "-o", at("full.mha"), status=1)
    assert len(words) == 1 and "p11.png" in words[0], words
    assert not [name for name in os.listdir(at(".")) if name.startswith("full.mha.")]


@test("a process that is silent is told of while others wait for it, and when it goes on all is well")
def _():
    path, slow = scan("longer", "--detector", "64x64", "--views", "80"), ["--set", "kernel=textbook", "--progress", "0.2"]
    job = launch(2, path, *slow, "--grid", "2x1", "-o", at("silent.mha"))
    wait_for(lambda: slices_there(at("silent.mha.part.slices")), job)
    rank = last_rank(job)
    if rank is None:
        raise Skip("it was over before it could be stopped")
    try:
        os.kill(rank, signal.SIGSTOP)
    except ProcessLookupError:
        raise Skip("it was over before it could be stopped") from None
    lines, late = [], threading.Timer(30, os.kill, (rank, signal.SIGCONT))
    late.start()
    words = "all 2 processes, nothing of one of the others for "
    while not lines or (lines[-1] and words not in lines[-1]):
        lines.append(job.stderr.readline())
    late.cancel()
    os.kill(rank, signal.SIGCONT)
    assert words in lines[-1] and float(lines[-1].split(words)[1].split()[0]) >= 5, lines
    _out, err = job.communicate(timeout=100)
    assert job.returncode == 0, err
    run("reconstruct", path, "-q", *slow[:2], "-o", at("one.mha"))
    same(at("one.mha"), at("silent.mha"))


@test("slices that are there survive a killed rank, and the same command goes on from them")
def _():
    path = scan("longer", "--detector", "64x64", "--views", "80")
    slow = ["--set", "kernel=textbook"]
    # HDF5, and in the place of a volume that a link leads to
    output, parts = at("killed.h5"), at("goal.h5.part.slices")
    run("reconstruct", path, "-q", "-o", at("goal.h5"))
    with open(at("goal.h5"), "rb") as file:
        before = file.read()
    os.symlink(at("goal.h5"), output)
    job = launch(2, path, "-q", *slow, "--grid", "2x1", "-o", output)
    wait_for(lambda: slices_there(parts), job)
    if not kill_rank(job):
        raise Skip("it was over before it could be killed")
    there = slices_there(parts)
    with open(output, "rb") as file:
        assert 0 < there <= 64 and file.read() == before
    if there == 64:
        raise Skip("it had made all slices when it was killed")
    out, _words = ranks(3, path, "-q", *slow, "--json", "-o", output)
    written = sum(rank["written_bytes"] for rank in json.loads(out)["ranks"])
    assert written == (64 - there) * 64 * 64 * 4, (there, written)
    assert os.path.islink(output) and not [name for name in os.listdir(at(".")) if name.startswith("goal.h5.")]
    run("reconstruct", path, "-q", *slow, "-o", at("one.h5"))
    same_hdf5(at("one.h5"), output)


main()
