# SPDX-License-Identifier: GPL-3.0-or-later
"""monkey.py GANTRY GANTRY-CLI [SECONDS [SEED]]: drives the window at random: opens scans, volumes, plans and damaged files, changes
values, runs, pauses and cancels, compares, measures, undoes, changes layouts, presses keys, turns and drags over the views. It must
not end, complain or stand still. A seed repeats the choices, though not what they meet: that hangs on the machine's pace.
Without SECONDS: a short round for the tests. Standard error gets each step with GANTRY_TEST_VERBOSE. GANTRY_TEST_TURNS: turns.c as
a library, which tells how long the main loop was held up; where it was then stays in the file GANTRY_TURNS, if one is named."""
import collections
import os
import random
import re
import subprocess
import sys
import time
import xml.etree.ElementTree

import drive
from drive import Failure

STEPS, STILL = 70, 30  # of the short round; s without an answer that count as a standstill, but for those without a processor
# Commands that end the program or open what others draw: another window, a browser.
NOT_PRESSED = {"quit", "manual", "about", "new-window", "close", "close-scan-now"}
NUMBERS = {"centre.column": (-20, 300), "geometry.tilt": (-5.0, 5.0), "reconstruction.voxel": (0.0, 3.0), "reconstruction.nx": (0, 200),
           "reconstruction.nz": (0, 60), "scan.view_step": (1, 9), "scan.first_view": (0, 400), "filter.cutoff": (0.0, 1.0),
           "reconstruction.threads": (0, 9), "iterative.iterations": (1, 20)}
WORDS = {"iterative.method": ["fbp", "sirt", "cgls", "art"], "reconstruction.precision": ["single", "half", "int16"],
         "reconstruction.interpolation": ["nearest", "linear", "oversampled"], "filter.window": ["ram-lak", "hann", "cosine"]}


def menu_targets(root):
    """{action: targets} of all menus and buttons of the window's descriptions."""
    found = {}
    for name in os.listdir(root):
        for node in xml.etree.ElementTree.parse(os.path.join(root, name)).iter():
            words = {child.get("name"): child.text for child in node}
            action, target = words.get("action") or words.get("action-name"), words.get("target") or words.get("action-target")
            if action and target:
                found.setdefault(action.split(".")[-1], set()).add(target.strip("'"))
    return {action: sorted(targets) for action, targets in found.items()}


class Monkey:
    def __init__(self, window, cli, seed):
        self.window, self.cli, self.random = window, cli, random.Random(seed)
        window.patience = STILL
        self.targets = menu_targets("resources/ui")
        self.bus = drive.Gio.bus_get_sync(drive.Gio.BusType.SESSION, None)
        self.answers, self.done, self.files, self.last = [], {}, [], ""
        self.turns, self.turns_file, self.turns_read = [], os.environ.get("GANTRY_TURNS", window.path("turns")), 0

    def prepare(self):
        at = self.window.path
        subprocess.run([self.cli, "simulate", "-q", "--views", "48", "--detector", "48x24", "-o", at("cone.h5")], check=True)
        subprocess.run([self.cli, "simulate", "-q", "--geometry", "parallel", "--views", "60", "--detector", "64x2", "-o", at("flat.h5")],
                       check=True)
        subprocess.run([self.cli, "reconstruct", "-q", at("cone.h5"), "-o", at("volume.mha")], check=True)
        with open(at("cone.h5"), "rb") as file:
            whole = file.read()
        with open(at("cut.h5"), "wb") as file:
            file.write(whole[:len(whole) // 2])
        with open(at("odd.json"), "w", encoding="utf-8") as file:
            file.write('{"gantry_plan": 1, "parameters": {"grid.nx": -4}}')
        self.files = [at(name) for name in ("cone.h5", "flat.h5", "volume.mha", "cut.h5", "odd.json", "nowhere.h5")]

    def start(self):
        """The window, with its turns watched where that is asked for."""
        if "GANTRY_TEST_TURNS" in os.environ:
            with open(self.turns_file, "w", encoding="utf-8"):
                os.environ.update(GANTRY_TURNS=self.turns_file, LD_PRELOAD=os.environ["GANTRY_TEST_TURNS"])
        self.window.start()
        os.environ.pop("LD_PRELOAD", None)
        self.last = "start"
        if "GANTRY_TEST_TURNS" in os.environ and not os.path.getsize(self.turns_file):
            raise Failure("the turns of the main loop are not watched")

    def read_turns(self):
        """Keeps the turns over the limit that ended since the last time: (s, what was done before)."""
        if "GANTRY_TEST_TURNS" not in os.environ:
            return
        with open(self.turns_file, encoding="utf-8") as file:
            file.seek(self.turns_read)
            whole = file.read().rpartition("\n")[0]
        self.turns_read += len(whole) + 1 if whole else 0
        for line in whole.splitlines():
            if not line.startswith(" "):
                self.turns.append((float(line.split()[1]) / 1e3, self.last))
                if "GANTRY_TEST_VERBOSE" in os.environ:
                    print(f"turn of {line} ms", file=sys.stderr, flush=True)

    def told_turns(self):
        if "GANTRY_TEST_TURNS" not in os.environ:
            return ""
        longest = ", ".join(f"{1e3 * took:.0f} ms after “{last}”" for took, last in sorted(self.turns, reverse=True)[:3])
        return f"; {len(self.turns)} turns of the main loop over the limit" + (f", the longest {longest}" if longest else "")

    def commands(self):
        """{name: (enabled, type of the parameter)} of the window; the time that it takes to answer is kept."""
        begin, (ran, waited) = time.monotonic(), self.processor()
        while True:
            try:
                answer = self.bus.call_sync("org.gantry.Gantry", "/org/gantry/Gantry/window/1", "org.gtk.Actions", "DescribeAll", None, None,
                                            drive.Gio.DBusCallFlags.NONE, STILL * 1000, None)
                break
            except drive.GLib.Error as error:
                self.window.alive()
                took, (now_ran, now_waited) = time.monotonic() - begin, self.processor()
                if took - (now_waited - waited) >= STILL or took > 20 * STILL:
                    raise Failure(f"after “{self.last}” the window has not answered for {took:.0f} s, in which its main thread computed for "
                                  f"{now_ran - ran:.1f} s and waited {now_waited - waited:.1f} s for a processor: {error.message}") from error
        self.answers.append((time.monotonic() - begin, self.last))
        return {name: (enabled, kind) for name, (enabled, kind, _) in answer.unpack()[0].items()}

    def processor(self):
        """s that the window's main thread has computed, and waited for a processor that others had."""
        try:
            with open(f"/proc/{self.window.process.pid}/schedstat", encoding="utf-8") as file:
                return [int(word) / 1e9 for word in file.read().split()[:2]]
        except FileNotFoundError:  # the kernel keeps no such account, or the window is gone
            return [0, 0]

    def command(self):
        usable = [(name, kind) for name, (enabled, kind) in sorted(self.commands().items())
                  if enabled and name not in NOT_PRESSED and (not kind or name in self.targets)]
        name, kind = self.random.choice(usable)
        target = self.random.choice(self.targets[name]) if kind else None
        parameter = None
        if kind == "s":
            parameter = drive.GLib.Variant("s", target)
        elif kind:
            parameter = drive.GLib.Variant.parse(drive.GLib.VariantType.new(kind), target, None, None)
        self.last = f"{name} {target or ''}"
        self.activate(lambda: self.window.action(name, parameter))
        return self.last

    def activate(self, act):
        """A command, whose answer may be late: whether the window stands still is asked then."""
        try:
            act()
        except drive.GLib.Error as error:
            time.sleep(1)
            self.window.alive()
            if not error.matches(drive.Gio.io_error_quark(), drive.Gio.IOErrorEnum.TIMED_OUT):
                raise Failure(f"the command {self.last} was not answered: {error.message}") from error
            self.commands()

    def open(self):
        path = self.random.choice(self.files)
        self.last = "open " + os.path.basename(path)
        self.activate(lambda: self.window.open_recent(path))
        return self.last

    def values(self):
        key = self.random.choice(sorted(NUMBERS) + sorted(WORDS))
        if key in WORDS:
            value = self.random.choice(WORDS[key])
        else:
            low, high = NUMBERS[key]
            value = self.random.choice([low, high, self.random.uniform(low, high)])
            value = value if isinstance(low, float) else round(value)
        self.last = f"{key} = {value}"
        self.activate(lambda: self.window.take_values({key: value}, "monkey.json"))
        return self.last

    def keys(self):
        key = self.random.choice(["Tab", "Tab", "Escape", "Escape", "Left", "Right", "Up", "Down", "Page_Up", "Page_Down", "space"])
        self.window.key(key, *self.random.choice([(), (), ("Shift",), ("Control",)]))
        return key

    def mouse(self):
        x, y = self.random.randrange(320, 1270), self.random.randrange(60, 790)
        way = self.random.choice(["click 4", "click 5", "click 1", f"mousedown 1 mousemove_relative -- {self.random.randrange(-200, 200)} "
                                  f"{self.random.randrange(-200, 200)} mouseup 1"])
        subprocess.run(["xdotool", "mousemove", str(x), str(y), *way.split()], check=False, stderr=subprocess.DEVNULL)
        return f"mouse {x} {y} {way}"

    def size(self):
        width, height = self.random.choice([(1024, 700), (1280, 800), (800, 600), (1270, 500)])
        subprocess.run(["xdotool", "search", "--name", "Gantry", "windowsize", str(width), str(height)], check=False,
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return f"size {width} {height}"

    def step(self):
        kinds = [self.command] * 10 + [self.open] * 2 + [self.values] * 2 + [self.keys] * 3 + [self.mouse] * 3 + [self.size]
        kind = self.random.choice(kinds)
        self.last = words = kind()
        self.done[kind.__name__] = self.done.get(kind.__name__, 0) + 1
        if "GANTRY_TEST_VERBOSE" in os.environ:
            print(f"{sum(self.done.values())}: {words}; {self.memory():.0f} MB", file=sys.stderr, flush=True)
        time.sleep(self.random.choice([0, 0.02, 0.1, 0.4]))
        if kind == self.command:  # a dialog of the toolkit takes the keyboard
            self.window.key("Escape")
        self.commands()
        self.read_turns()
        self.window.alive()
        self.window.check_quiet()

    def warnings(self):
        """What the toolkit warned of, each once, with its number; where addresses stand X."""
        with open(self.window.path("stderr"), encoding="utf-8", errors="replace") as file:
            lines = re.findall(r"(?:Gtk|Gdk|Adwaita)-WARNING \*\*: [\d:.]+: (.*)", file.read())
        return dict(collections.Counter(re.sub("0x[0-9a-f]+", "X", line) for line in lines))

    def memory(self):
        with open(f"/proc/{self.window.process.pid}/status", encoding="utf-8") as file:
            return int(re.search(r"VmRSS:\s+(\d+)", file.read()).group(1)) / 1024


def leaks(window):
    """What the address sanitizer says was left at the end: (bytes, objects), but for GLib's table of quarks, and what the toolkit's
    file dialogs take once; tests/ui/leaks.supp leaves libraries out. With fast_unwind_on_malloc=0 in ASAN_OPTIONS it tells who
    took it, at a tenth of the pace."""
    with open(window.path("stderr"), encoding="utf-8", errors="replace") as file:
        found = re.findall(r"irect leak of (\d+) byte\(s\) in (\d+) object", file.read())
    return [leak for leak in found if leak not in (("16384", "1"), ("256", "2"))]


def is_left(window):
    """By its own command, so that what it says on its way out counts, and what the sanitizers say of leaks."""
    window.check_quiet()
    window.action("quit", group="")
    end = time.monotonic() + drive.PATIENCE
    while window.process.poll() is None and time.monotonic() < end:
        time.sleep(1)
        try:
            if window.process.poll() is None:
                window.press("Close", within=window.dialog("Close the window?"))
        except (Failure, drive.GLib.Error):  # it has ended, or another dialog goes first
            pass
    complaints = [line for line in window.complaints() if "LeakSanitizer" not in line and "byte(s) leaked" not in line]
    if complaints or leaks(window) or window.process.poll() != 0:
        raise Failure(f"the program ended with status {window.process.poll()}: {' | '.join(complaints)}; leaks {leaks(window)}")


def main(seconds, seed):
    def play(window):
        monkey = Monkey(window, sys.argv[2], seed)
        monkey.prepare()
        monkey.start()
        end, first = time.monotonic() + (seconds or 1e9), monkey.memory()
        while time.monotonic() < end and (seconds or sum(monkey.done.values()) < STEPS):
            monkey.step()
        answers = sorted(monkey.answers)
        middle, rare, longest = (1000 * answers[(len(answers) - 1) * share // 100][0] for share in (50, 99, 100))
        print(f"# seed {seed}: {sum(monkey.done.values())} steps {monkey.done}; the window's answer took {middle:.0f} ms, one of a hundred "
              f"over {rare:.0f} ms, the longest {longest:.0f} ms after “{answers[-1][1]}”{monkey.told_turns()}; {first:.0f} MB of memory at first, "
              f"{monkey.memory():.0f} MB at the end; warnings of the toolkit: {monkey.warnings() or 'none'}", flush=True)

    os.environ.setdefault("LSAN_OPTIONS", "suppressions=tests/ui/leaks.supp:exitcode=0")
    drive.run(sys.argv[1], [("a walk at random", play), ("it is left without complaints", is_left)])


main(float(sys.argv[3]) if len(sys.argv) > 3 else 0, int(sys.argv[4]) if len(sys.argv) > 4 else 1)
