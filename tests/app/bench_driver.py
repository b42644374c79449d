# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tests of gantry-cli bench share: tiny problems, the rows of a suite, bounds of their errors."""

import json

from cli_driver import at, run, Skip

TINY = ["--size", "16", "--repeat", "1", "--limit", "0.05", "--threads", "2"]
KEYS = ["suite", "kernel", "problem", "precision", "threads", "seconds", "gups", "speedup", "rel_rmse", "bytes"]


def bench(suite, *more):
    """The rows of a tiny suite; the JSON object and what went to stderr with them."""
    path = at(f"{suite}.json")
    done = run("bench", suite, *TINY, *more, "--json", path)
    with open(path) as file:
        result = json.load(file)
    assert result["machine"]["processor"] and result["rows"], result["machine"]
    assert result["machine"]["threads"] == 2 and result["machine"]["cores"] >= 1, result["machine"]
    for row in result["rows"]:
        assert row["suite"] == suite and all(key in row for key in KEYS), row
    return result["rows"], result, done


def fails(*arguments, status, words):
    done = run(*arguments, status=status)
    assert done.stdout == "" and words in done.stderr and done.stderr.startswith("gantry-cli: "), done.stderr


def kernels():
    return {k["id"]: k for k in json.loads(run("kernels", "--json").stdout)}


def check_errors(rows):
    """Every row's error is within what its kernel promises (float32), or what its precision allows."""
    table = kernels()
    for row in rows:
        if row["rel_rmse"] is None:
            continue
        bound = {"float32": 1e-5, "int16": 5e-5, "float16": 1e-3}[row["precision"]]
        bound = max(bound, table[row["kernel"]]["tolerance"])
        assert row["rel_rmse"] <= bound, row


def device():
    devices = json.loads(run("info", "--devices", "--json").stdout)
    if not devices:
        raise Skip("no graphics device with OpenGL 4.3")
    return devices[0]["name"]
