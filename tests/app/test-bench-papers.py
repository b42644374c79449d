#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Holds gantry-cli bench papers and docs/papers.md to each other and to the program: test-bench-papers.py PROGRAM, from the
root of the sources. Speaks TAP."""

import glob
import os
import re
import subprocess
import sys

from cli_driver import PROGRAM, at, fails, main, read_json, run, test

NOT_THERE = "**not there**"


def page():
    """Per paper's heading its rows, each of four cells; and the cells of the table of numbers."""
    papers, numbers, rows = {}, {}, None
    with open("docs/papers.md", encoding="utf-8") as file:
        for line in file.read().split("\n"):
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            if line.startswith("## "):
                rows = papers.setdefault(line[3:], [])
            elif rows is None and re.match(r"\| (\[|all )", line):
                numbers[re.sub(r"\[(.*)\].*", r"\1", cells[0])] = [int(cell) for cell in cells[1:]]
            elif rows is not None and line.startswith("| ") and not line.startswith("| in the "):
                assert len(cells) == 4, line
                rows.append(cells)
    return papers, numbers


def commands(cell):
    return [text for text in re.findall(r"`([^`]*)`", cell) if not text.startswith("-")]


def short(title):
    return re.match(r"[A-Za-z]+", title)[0].lower()


@test("the page counts its rows right")
def _():
    papers, numbers = page()
    assert len(papers) == 5 and set(numbers) == {*papers, "all"}, numbers
    for title, rows in papers.items():
        absent = sum(row[1].startswith(NOT_THERE) for row in rows)
        assert numbers[title] == [len(rows), len(rows) - absent, absent], (title, len(rows), absent)
    assert numbers["all"] == [sum(numbers[title][i] for title in papers) for i in range(3)], numbers


@test("the program lists the page's rows with their commands and reasons")
def _():
    expected = []
    for title, rows in page()[0].items():
        absent = sum(row[1].startswith(NOT_THERE) for row in rows)
        expected.append(f"{short(title)}: {title}: {len(rows)} rows, {absent} not there")
        for number, (name, here, command, _) in enumerate(rows, 1):
            expected.append(f"  {number:2}  {name}")
            if here.startswith(NOT_THERE):
                expected.append("      not there: " + here[len(NOT_THERE):].lstrip(": "))
            expected += ["      gantry-cli " + text for text in commands(command)]
    listed = [line for line in run("bench", "papers").stdout.split("\n") if line]
    assert listed == [line[:-2] if line.endswith(": ") else line for line in expected], next(
        pair for pair in zip(listed, expected) if pair[0] != pair[1])


def check_words(words, options, texts, names):
    """What is wrong with a command's words, if anything."""
    if words[0] not in options:
        return "no such command"
    for at_, word in enumerate(words[1:], 1):
        if re.match(r"--?[a-z]", word) and word not in options[words[0]]:
            return f"no option {word}"
        if word in ("--kernels", "--problems", "--part") and words[0] == "bench":
            known = names if word == "--kernels" else set(re.split(r"[\s,]+", texts["bench"])) | {f"P{i}" for i in range(1, 11)}
            for name in words[at_ + 1].split(","):
                if name not in known:
                    return f"nothing is called {name}"
    if words[0] == "bench" and not re.search(rf"^  {words[1]} ", texts["bench"], re.M):
        return f"no suite {words[1]}"
    return None


@test("every row that is there has a command")
def _():
    bare = [row[0] for rows in page()[0].values() for row in rows if not row[1].startswith(NOT_THERE) and not commands(row[2])]
    assert not bare, bare


@test("every command of the page is one that the program takes")
def _():
    every = {text for rows in page()[0].values() for row in rows for text in commands(row[2])}
    used = {text.split()[0] for text in every}
    texts = {name: subprocess.run([PROGRAM, name, "--help"], capture_output=True, text=True).stdout for name in used}
    options = {name: set(re.findall(r"(?<![\w-])--?[a-z][a-z-]*", text)) for name, text in texts.items() if text}
    names = set(re.findall(r"[\w-]+", run("kernels").stdout + run("methods").stdout))
    for path in glob.glob("render/compute/*.c"):  # kernels of a card, which may not be there
        with open(path, encoding="utf-8") as file:
            names |= set(re.findall(r"\"(gl-[\w-]+)\"", file.read()))
    wrong = {text: check_words(text.split(), options, texts, names) for text in every}
    wrong = {text: fault for text, fault in wrong.items() if fault}
    assert len(every) > 80 and not wrong, wrong
    lies = ["bench nothing", "bench chen --kernels no-kernel", "bench ladder --problems cone-7", "matrix --colour red", "polish"]
    assert all(check_words(lie.split(), options, texts, names) for lie in lies)


def nowhere(command, device):
    """The command with inputs and outputs in a folder that is not there: it reads its words and then fails. None: it has no
    such words, or needs a device that is not here."""
    words = command.split()
    outputs = ("-o", "--output", "--json", "--csv", "--csv-profile", "--picture", "--write", "--bars", "--overlap", "--pictures")
    inputs = [at_ for at_, word in enumerate(words) if re.fullmatch(r"SCAN|FILE|VOLUME|[\w.-]+\.(h5|mha|rctd)", word)]
    places = {at_ + 1 for at_, word in enumerate(words) if word in outputs}.union(inputs)
    words = [f"/nowhere/{word}" if at_ in places else word for at_, word in enumerate(words)]
    if words[0] == "bench":
        words += ["--json", "/nowhere/x.json"]
        if "gl-" in command or words[1] == "gpu":
            words += ["--device", "NAME"] if "NAME" not in command else []
    elif words[0] in ("figures", "reconstruct") and "-o" not in words:
        words += ["-o", "/nowhere/x"]
    if "help=yes" in words or not any("nowhere" in word for word in words) or (device is None and any("NAME" in word for word in words)):
        return None
    several = {"all": "NAME + NAME", "device=all": "device=NAME"} if device else {}
    return [several.get(word, word).replace("NAME", device or "") for word in words]


def try_words(command, device):
    """What the program says against a command's words, if anything."""
    words = nowhere(command, device)
    if words is None:
        return None
    done = subprocess.run([PROGRAM, *words], capture_output=True, text=True, timeout=60)
    gone = re.search(r"nowhere.*(No such file|there is no folder)|No such file", done.stderr)
    return None if done.returncode == 1 and gone else f"{done.returncode}: {done.stderr[-300:]}"


def try_knobs(command, device):
    """Knobs may be words that go well each for itself, and not together: a small run tells."""
    small = ["--device", device, "--size", 16, "--views", 4, "--repeat", 1, "--limit", 0.001, "-q"]
    done = subprocess.run([PROGRAM, *command.split(), *map(str, small)], capture_output=True, text=True, timeout=60)
    if done.returncode == 0 or re.search("This graphics driver (has no|does not tell)", done.stderr):
        return None
    return f"{done.returncode}: {done.stderr[-300:]}"


def find_device():
    """One in software, with which a small run takes no time."""
    return next((one["name"] for one in read_json("info", "--devices", "--json") if one["software"]), None)


@test("the program takes every command's words: options, parameters, kernels, knobs")
def _():
    device = find_device()
    every = {text for rows in page()[0].values() for row in rows for text in commands(row[2])}
    tried = [text for text in every if nowhere(text, device)]
    wrong = {text: try_words(text, device) for text in tried}
    knobs = [text for text in every if "--knobs" in text and "help=yes" not in text] if device else []
    wrong.update({text: wrong.get(text) or try_knobs(text, device) for text in knobs})
    wrong = {text: fault for text, fault in wrong.items() if fault}
    assert "bench gpu --knobs help=yes" in every and len(tried) > (140 if device else 60) and not wrong, (len(tried), wrong)
    lies = ["reconstruct SCAN --set metod=art", "variants SCAN --vary interpolaton=linear", "bench chen --kernels chen-shar",
            "simulate -g triangle -o x.h5", "matrix --model round -o x.mha", "bench gpu --picture x.svg"]
    assert all(try_words(lie, device) for lie in lies if nowhere(lie, device)), lies
    bench = "bench gpu --problems parallel-64 --kernels gl-tuned-parallel --knobs slices=1,quarters=yes,curve=yes"
    assert not device or (try_words(bench + ",speed=9", device) and try_knobs(bench, device))


@test("rows are made at a small size: files by row, and a page of them")
def _():
    rows = {name: number for number, (name, *_) in enumerate(page()[0]["Yu et al. 2018"], 1)}
    wanted = [number for name, number in rows.items()
              if re.match(r"Fig\. (1,|6|7|14)|Eq\. 1|Section 4\.2\.2|Mouse|Algorithm 2 on|Table 1", name)]
    folder = at("yu")
    done = run("bench", "papers", "yu", "--size", 16, "--rows", ",".join(map(str, wanted)), "-o", folder)
    assert len(wanted) == 9 and len(re.findall(r"^yu \d+, ", done.stdout, re.M)) == 9, done.stdout
    with open(os.path.join(folder, "papers.md"), encoding="utf-8") as file:
        text = file.read()
    made = re.findall(r"^\| (\d+) \| [^|]* \| `gantry-cli ([^|]*)` \| ([^|]*) \| ([^|]*) \|$", text, re.M)
    assert {int(number) for number, *_ in made} >= set(wanted) - {rows[name] for name in rows if name.startswith(("Algorithm", "Mouse"))}
    for number, command, files, result in made:
        assert files and result and "failed" not in result, (number, command, result)
        for name in files.split(", "):
            assert name.startswith(f"yu-{int(number):02}-") and os.path.getsize(os.path.join(folder, name)), name
    for figure in ("yu-12-fig-6.svg", "yu-13-fig-7.svg"):
        with open(os.path.join(folder, figure), encoding="utf-8") as file:
            assert "<svg" in file.read(200)
    assert "Mouse data sets 437 and 459: not there: " in text, text
    if not any(not device["software"] for device in read_json("info", "--devices", "--json")):
        assert re.search(r"Algorithm 2 on a card: .* was not run: it needs a graphics card", text), text


@test("what needs a card is left out without one, and lists are printed")
def _():
    names = [row[0] for row in page()[0]["Chilingaryan et al. 2019"]]
    numbers = [next(n for n, name in enumerate(names, 1) if name.startswith(start)) for start in ("Fig. 3,", "Sections 3.9 and 4, several", "Tables 5")]
    folder = at("card")
    done = run("bench", "papers", "chilingaryan", "--rows", ",".join(map(str, numbers)), "--size", 16, "-o", folder)
    assert "Those of gl-tuned" in "".join(open(path, encoding="utf-8").read() for path in glob.glob(os.path.join(folder, "*.txt")))
    if not any(not device["software"] for device in read_json("info", "--devices", "--json")):
        assert done.stdout.count("not run: it needs a graphics card") == 3 and "FAILED" not in done.stdout, done.stdout


@test("a row that fails is told with its reason, and does not stop the next")
def _():
    rows = [row[0] for row in page()[0]["Yu et al. 2018"]]
    numbers = [rows.index("Mouse data sets 437 and 459") + 1, rows.index("Fig. 1, fan beam") + 1]
    folder = at("failing")
    done = run("bench", "papers", "yu", "--rows", ",".join(map(str, numbers)), "--size", 16, "-q", "-o", folder, "--scan",
               at("missing.h5"), status=1)
    assert done.stdout == "" and "1 command failed" in done.stderr, done
    with open(os.path.join(folder, "papers.md"), encoding="utf-8") as file:
        text = file.read()
    assert re.search(r"Mouse.* failed: .*missing\.h5", text) and "| Fig. 1, fan beam |" in text, text
    assert os.path.exists(os.path.join(folder, "yu-01-fig-1.h5"))


@test("wrong words are told")
def _():
    fails("bench", "papers", "nobody", status=2, words=["nobody", "chen, chandrachary, mueller, yu, chilingaryan, and all"])
    fails("bench", "papers", "yu", "--rows", "1,99", status=2, words=["--rows", "99"])
    fails("bench", "papers", "yu", "--size", "4", status=2, words="--size")
    fails("bench", "papers", "--rows", "1", status=2, words="a paper is needed")
    fails("bench", "--size", "16", "papers", status=2, words="right behind bench")


sys.exit(main())
