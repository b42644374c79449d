# SPDX-License-Identifier: GPL-3.0-or-later
"""Drives the real window as a person with assistive technology would: by accessible names over AT-SPI, on a display and a bus of
its own. A test program calls run(program, tests); each test is a function that takes the Driver. Output is TAP."""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import traceback
import urllib.request

PATIENCE = float(os.environ.get("GANTRY_TEST_PATIENCE", "60"))  # s; only a hanging program waits so long

# Roles of controls that hold no others, and of those whose parts nobody looks for.
LEAVES, MADE_OF_PARTS = ("label", "separator"), ("spin button", "slider", "scroll bar")


def skip_all(reason):
    print(f"1..0 # SKIP {reason}")
    sys.exit(0)


def own_display():
    """Starts again below a private X server and message bus. The server must not reset when a client leaves: the accessibility
    bus is a client that comes and goes."""
    for tool in ("Xvfb", "dbus-run-session"):
        if not shutil.which(tool):
            skip_all(f"{tool} is not installed")
    ours, theirs = os.pipe()
    server = subprocess.Popen(
        ["Xvfb", "-displayfd", str(theirs), "-screen", "0", "1280x800x24", "-noreset", "-nolisten", "tcp"],
        pass_fds=[theirs], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    os.close(theirs)
    number = os.read(ours, 16).decode().strip()
    if not number:
        skip_all("Xvfb does not start here")
    runtime = tempfile.mkdtemp(prefix="gantry-runtime-")
    # The bus and what it starts talk on standard output as well: ours goes round them.
    output = os.dup(sys.stdout.fileno())
    environment = dict(os.environ, DISPLAY=":" + number, GANTRY_DRIVEN=str(output), XDG_RUNTIME_DIR=runtime)
    environment.pop("WAYLAND_DISPLAY", None)
    python = sys.executable
    if subprocess.run([python, "-c", "import gi"], stderr=subprocess.DEVNULL).returncode:
        python = "/usr/bin/python3"
    try:
        status = subprocess.run(["dbus-run-session", "--", python] + sys.argv, env=environment, pass_fds=[output],
                                stdout=subprocess.DEVNULL,
                                stderr=None if "GANTRY_TEST_VERBOSE" in os.environ else subprocess.DEVNULL).returncode
    finally:
        server.terminate()
        server.wait()
        shutil.rmtree(runtime, ignore_errors=True)
    sys.exit(status)


if "GANTRY_DRIVEN" in os.environ:
    sys.stdout = os.fdopen(int(os.environ["GANTRY_DRIVEN"]), "w", encoding="utf-8")
    try:
        import gi
        gi.require_version("Atspi", "2.0")
        from gi.repository import Atspi, Gio, GLib
    except (ImportError, ValueError):
        skip_all("python3-gi and gir1.2-atspi-2.0 are not installed")


class Failure(Exception):
    pass


class Skip(Exception):
    pass


class Driver:
    def __init__(self, program):
        self.program = program
        self.folder = tempfile.mkdtemp(prefix="gantry-drive-")
        self.process = None
        self.root = None
        self.window = None
        self.log = os.path.join(self.folder, "log")
        self.toasts_read = 0
        self.forget()

    def forget(self):
        """What is known of the controls, to spare the message bus: a question costs 0.3 ms, a walk over the window 3,000 of them."""
        self.roles = {}   # {control: role}, which stays as it is
        self.found = {}   # {(name, role, within): (control, where the search began, way)}, looked at first
        self.labels = {}  # {label: way from the window} of those that were read, looked at first

    # The program

    def start(self, *arguments, settings=None):
        """settings: keys of the preferences and their values as GVariant text; others are as at first."""
        environment = dict(os.environ, GDK_BACKEND="x11", LIBGL_ALWAYS_SOFTWARE="1", GTK_A11Y="atspi",
                           GSETTINGS_BACKEND="memory", GANTRY_TEST_LOG=self.log, XDG_CACHE_HOME=self.folder, XDG_STATE_HOME=self.folder,
                           XDG_CONFIG_HOME=self.folder, XDG_DATA_HOME=self.folder,
                           NO_AT_BRIDGE="0", LC_ALL="C.UTF-8", GTK_USE_PORTAL="0", OMP_NUM_THREADS="2",
                           G_MESSAGES_DEBUG="gantry")
        self.forget()
        if settings:
            environment.update(GSETTINGS_BACKEND="keyfile")
            os.makedirs(self.path("glib-2.0/settings"), exist_ok=True)
            with open(self.path("glib-2.0/settings/keyfile"), "w", encoding="utf-8") as file:
                file.write("[org/gantry/Gantry]\n" + "".join(f"{key}={value}\n" for key, value in settings.items()))
        self.process = subprocess.Popen([self.program, *arguments], env=environment,
                                        stdout=open(self.path("debug"), "a", encoding="utf-8"),
                                        stderr=open(os.path.join(self.folder, "stderr"), "a", encoding="utf-8"))
        self.root = self.wait(self._application, "the program to show up")
        self.window = self.root.get_child_at_index(0)

    def _application(self):
        self.alive()
        desktop = Atspi.get_desktop(0)
        for i in range(desktop.get_child_count()):
            child = desktop.get_child_at_index(i)
            if child and child.get_process_id() == self.process.pid and child.get_child_count() > 0:
                return child
        return None

    def alive(self):
        if self.process.poll() is not None:
            raise Failure(f"the program ended with status {self.process.returncode}: {self.errors()}")

    def errors(self):
        with open(os.path.join(self.folder, "stderr"), encoding="utf-8", errors="replace") as file:
            return " | ".join(line.strip() for line in file.readlines() if line.strip())[-1500:]

    def complaints(self):
        """Lines on the program's standard error that tell of a mistake in it."""
        with open(os.path.join(self.folder, "stderr"), encoding="utf-8", errors="replace") as file:
            return [line.strip() for line in file
                    if "CRITICAL" in line or "runtime error" in line or "Sanitizer" in line]

    def check_quiet(self):
        if self.complaints():
            raise Failure(" | ".join(self.complaints()))

    def stop(self):
        if self.process and self.process.poll() is None:
            self.process.terminate()
            self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def path(self, name):
        return os.path.join(self.folder, name)

    # Looking

    def role(self, node):
        if node not in self.roles:
            self.roles[node] = node.get_role_name()
        return self.roles[node]

    def ways(self, node, inner=False, way=()):
        """(control, way) of all controls within one, itself first; way: the children's numbers that lead there. inner: also what
        number fields, sliders and scroll bars are made of."""
        try:
            leaf = self.role(node) in LEAVES or (not inner and self.role(node) in MADE_OF_PARTS)
            count = 0 if leaf else node.get_child_count()
        except GLib.Error:
            return
        yield node, way
        for i in range(count):
            try:
                child = node.get_child_at_index(i)
                if child is None:
                    continue
            except GLib.Error:
                continue
            yield from self.ways(child, inner, way + (i,))

    def walk(self, node=None, inner=False):
        """All controls within one."""
        return (child for child, _ in self.ways(node or self.window, inner))

    @staticmethod
    def still(node, root, way):
        """Whether a control is where it was found: what is hidden or taken away is not."""
        try:
            for i in way:
                root = root.get_child_at_index(i)
                if root is None:
                    return False
        except GLib.Error:
            return False
        return root == node

    @staticmethod
    def enabled(node):
        return node.get_state_set().contains(Atspi.StateType.SENSITIVE)

    def find(self, name, role=None, within=None):
        """The first control whose name contains the words, or the one that was found by them before; None. (GTK 4.8 does not tell
        which controls are on screen.)"""
        key, root = (name, role, within), within or self.window
        try:
            if key in self.found and name in (self.found[key][0].get_name() or "") and self.still(*self.found[key]):
                return self.found[key][0]
        except GLib.Error:
            pass
        for node, way in self.ways(root):
            try:
                if role in (None, self.role(node)) and name in (node.get_name() or ""):
                    self.found[key] = node, root, way
                    return node
            except GLib.Error:
                continue
        return None

    def wait(self, condition, what, patience=PATIENCE, quick=None):
        """What the condition gives once it holds. quick: the same asked of what is known already, between two walks."""
        end = time.monotonic() + patience
        while time.monotonic() < end:
            if self.process:
                self.alive()
            asked = time.monotonic()
            result = condition()
            if result:
                return result
            # As long as the question took, which keeps a core busy: the other one is for what is waited for.
            pause = min(max(time.monotonic() - asked, 0.05), 0.5)
            for _ in range(4 if quick else 2):
                time.sleep(pause / 2)
                result = quick and quick()
                if result:
                    return result
        raise Failure(f"waited {patience:.0f} s in vain for {what}")

    def see(self, name, role=None, within=None):
        return self.wait(lambda: self.find(name, role, within), f"“{name}”")

    def dialog(self, title):
        """The window of that title. GTK 4.8 crashes when the application is asked over AT-SPI for a window that is just coming or
        going: so it is asked only here, after some round trips through the main loop, and only the first window is searched
        otherwise."""
        self.wait(lambda: self.root.get_child_count() > 1, f"the dialog “{title}”")
        for _ in range(10):
            time.sleep(0.1)
            self.action_enabled("save-volume")
        for i in range(self.root.get_child_count()):
            child = self.root.get_child_at_index(i)
            if child and child.get_name() == title:
                return child
        raise Failure(f"another dialog than “{title}” opened")

    def no_dialog(self):
        self.wait(lambda: self.root.get_child_count() == 1, "the dialog to go")

    def known_label(self, pattern):
        """Match of a label that was read before; None."""
        for node, way in list(self.labels.items()):
            try:
                match = re.search(pattern, node.get_name() or "")
            except GLib.Error:
                del self.labels[node]
                continue
            if match and self.still(node, self.window, way):
                return match
        return None

    def label(self, pattern):
        """Match of the first label whose text fits the regular expression, those that were read before first; None."""
        match = self.known_label(pattern)
        if match:
            return match
        for node, way in self.ways(self.window):
            try:
                match = self.role(node) == "label" and re.search(pattern, node.get_name() or "")
            except GLib.Error:
                continue
            if match:
                self.labels[node] = way
                return match
        return None

    def toast(self, pattern):
        """Match of the first toast, behind those already read, that fits the regular expression; None. They are taken from the
        program's debug messages: on a busy machine they are gone from the screen before the walk comes by."""
        with open(self.path("debug"), encoding="utf-8", errors="replace") as file:
            toasts = re.findall("gantry-DEBUG: .*?toast: (.*)", file.read())
        for n in range(self.toasts_read, len(toasts)):
            match = re.search(pattern, toasts[n])
            if match:
                self.toasts_read = n + 1
                return match
        return None

    def read(self, pattern):
        return self.wait(lambda: self.toast(pattern) or self.label(pattern), f"a label that reads /{pattern}/",
                         quick=lambda: self.toast(pattern) or self.known_label(pattern))

    def alert(self, role="alert"):
        """The words of the banner where they tell an error; None before the first."""
        node = self.find("", role)
        words = node.get_name() if node else None
        return None if words in (None, "", "GtkLabel") else words

    def notice(self):
        """The words of the banner where they tell no error."""
        return self.alert("status bar")

    def banner(self, pattern, told=None):
        """Waits until the banner tells an error that fits the regular expression (told: what else it may tell); its words."""
        told = told or self.alert
        return self.wait(lambda: re.search(pattern, told() or "") and told(), f"a banner that reads /{pattern}/")

    # Doing

    def press(self, name, role="push button", within=None):
        def ready():
            node = self.find(name, role, within)
            return node if node and self.enabled(node) else None
        self.click(self.wait(ready, f"the button “{name}” to be ready"), name)

    def switch(self, name, role=None, within=None):
        """Presses a toggle or a switch."""
        self.click(self.see(name, role, within), name)

    @staticmethod
    def click(node, name):
        if not node.do_action(0):
            raise Failure(f"“{name}” cannot be pressed")
        # GTK shows the button pressed for a quarter of a second, only then takes it as clicked, and passes over clicks until then.
        time.sleep(0.3)

    def save_as(self, title, path, replace=False, ends=False):
        """Answers a file dialog that saves, and its question where the file is there already. ends: the program ends behind it."""
        dialog = self.dialog(title)
        self.see("", "text", dialog).set_text_contents(path)
        actions = [dialog.get_action_name(i) for i in range(dialog.get_n_actions())]
        dialog.do_action(actions.index("default.activate"))
        if replace:
            self.wait(lambda: self.root.get_child_count() > 2, "the question whether to replace the file")
            for _ in range(10):
                time.sleep(0.1)
                self.action_enabled("save-volume")
            self.press("Replace", within=self.root.get_child_at_index(self.root.get_child_count() - 1))
        if not ends:
            self.no_dialog()

    def choose(self, title, path):
        """Answers a file dialog that opens: Ctrl+L lets a path be typed."""
        dialog = self.dialog(title)
        self.key("l", "Control")
        self.see("", "text", dialog).set_text_contents(path)
        time.sleep(0.3)
        actions = [dialog.get_action_name(i) for i in range(dialog.get_n_actions())]
        dialog.do_action(actions.index("default.activate"))
        self.no_dialog()

    def unfold(self, section):
        """Clicks on the head of a section of the side panel: what is folded away cannot be pressed."""
        box = self.see(section, "list item").get_extents(Atspi.CoordType.WINDOW)
        Atspi.generate_mouse_event(box.x + 40, box.y + 20, "b1c")
        time.sleep(0.5)

    def number(self, name, value):
        """Sets a spin button."""
        node = self.see(name, "spin button")
        node.set_current_value(value)
        return node

    patience = 5  # s that the program may take to answer a command

    def _activate(self, call, name, parameter, group):
        arguments = GLib.Variant("(sava{sv})", (name, [] if parameter is None else [parameter], {}))
        call("org.gantry.Gantry", "/org/gantry/Gantry" + ("/" + group if group else ""), "org.gtk.Actions", "Activate",
             arguments, None, Gio.DBusCallFlags.NONE, 1000 * self.patience, None)

    def action(self, name, parameter=None, group="window/1"):
        """A command by its name on the bus, as a menu or a shortcut would do."""
        self._activate(Gio.bus_get_sync(Gio.BusType.SESSION, None).call_sync, name, parameter, group)

    def actions(self, *names):
        """Commands of the window, one right behind the other: only the last is waited for. (name, parameter) where it takes one."""
        bus = Gio.bus_get_sync(Gio.BusType.SESSION, None)
        for i, name in enumerate(names):
            call = bus.call_sync if i == len(names) - 1 else bus.call
            self._activate(call, *(name if isinstance(name, tuple) else (name, None)), "window/1")

    def action_enabled(self, name, group="window/1"):
        bus = Gio.bus_get_sync(Gio.BusType.SESSION, None)
        answer = bus.call_sync("org.gantry.Gantry", "/org/gantry/Gantry/" + group, "org.gtk.Actions", "Describe",
                               GLib.Variant("(s)", (name,)), None, Gio.DBusCallFlags.NONE, 5000, None)
        return answer.unpack()[0][0]

    def open_recent(self, path):
        """Opens a scan or takes the values of a plan file, as from the list of recent ones."""
        self.action("open-recent", GLib.Variant("s", "file://" + urllib.request.pathname2url(path)))

    def take_values(self, values, name="values.json"):
        """Loads a plan with these values, {"section.key": value}."""
        path = self.path(name)
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"gantry_plan": 1, "parameters": values}, file)
        self.open_recent(path)

    def ready(self, name):
        self.wait(lambda: self.action_enabled(name), f"the command {name} to be ready")

    def key(self, name, *modifiers):
        """Presses a key, to whatever has the keyboard. Modifiers are pressed as keys: their codes are those of every X server."""
        keysyms = {"Escape": 0xff1b, "Return": 0xff0d, "End": 0xff57, "Page_Up": 0xff55, "Page_Down": 0xff56,
                   "Tab": 0xff09, "F4": 0xffc1, "space": 0x20, "Left": 0xff51, "Up": 0xff52, "Right": 0xff53, "Down": 0xff54}
        codes = [{"Control": 37, "Shift": 50, "Alt": 64}[modifier] for modifier in modifiers]
        for code in codes:
            Atspi.generate_keyboard_event(code, None, Atspi.KeySynthType.PRESS)
        Atspi.generate_keyboard_event(keysyms.get(name) or ord(name), None, Atspi.KeySynthType.SYM)
        for code in codes:
            Atspi.generate_keyboard_event(code, None, Atspi.KeySynthType.RELEASE)

    def drag(self, node, begin, end, before_release=None):
        """Left drag between two points given as shares of the control's width and height."""
        box = node.get_extents(Atspi.CoordType.WINDOW)
        points = [(int(box.x + x * box.width), int(box.y + y * box.height)) for x, y in (begin, end)]
        Atspi.generate_mouse_event(*points[0], "abs")
        time.sleep(0.1)
        Atspi.generate_mouse_event(*points[0], "b1p")
        for step in range(1, 9):
            Atspi.generate_mouse_event(*(round(a + (b - a) * step / 8) for a, b in zip(*points)), "abs")
            time.sleep(0.03)
        if before_release:
            before_release()
        Atspi.generate_mouse_event(*points[1], "b1r")

    def measured(self, name):
        """Values of a line of the program's log, as strings."""
        if not os.path.exists(self.log):
            return []
        with open(self.log, encoding="utf-8") as file:
            return [line.split()[1] for line in file if line.split()[0] == name]

    def photograph(self, path):
        if shutil.which("import"):
            subprocess.run(["import", "-window", "root", path], check=False)


def make_pepper(window):
    """A folder with the frames of the scan bell-pepper by name and the geometry that the TIFF files lack."""
    source = os.path.join(os.environ.get("GANTRY_DATA", "../shared/data"), "bell-pepper")
    if not os.path.isdir(source):
        raise Skip("the scan bell-pepper is not here (GANTRY_DATA)")
    scan = window.path("pepper")
    os.mkdir(scan)
    for name in os.listdir(source):
        if name.endswith(".tif"):
            os.symlink(os.path.abspath(os.path.join(source, name)), os.path.join(scan, name))
    with open(os.path.join(scan, "scan.json"), "w", encoding="utf-8") as file:
        json.dump({"beam": "cone", "sod_mm": 210.66, "sdd_mm": 553.74, "pixel_mm": 0.8, "centre_u": 69.5, "centre_v": 73.5,
                   "angles_deg": {"first": 0, "step": 1}, "values": "counts"}, file)
    return scan


def ends_quietly(window):
    """A last test: the program is told to end, and has complained about nothing on its way."""
    window.process.terminate()
    window.process.wait(PATIENCE)
    window.check_quiet()


def run(program, tests):
    if "GANTRY_DRIVEN" not in os.environ:
        own_display()
    print(f"1..{len(tests)}", flush=True)
    driver = Driver(program)
    failures = 0
    broken = None
    try:
        for i, (name, test) in enumerate(tests, 1):
            try:
                if broken:
                    raise Skip(f"the window did not get past: {broken}")
                test(driver)
                print(f"ok {i} - {name}", flush=True)
            except Skip as reason:
                print(f"ok {i} - {name} # SKIP {reason}", flush=True)
            except Exception as problem:  # pylint: disable=broad-except
                failures += 1
                broken = broken or name
                print(f"not ok {i} - {name}", flush=True)
                for line in traceback.format_exc().splitlines()[-14:]:
                    print("# " + line)
                print(f"# {type(problem).__name__}; the program's words: {driver.errors()}"
                      if driver.process else "# the program did not start", flush=True)
                if "GANTRY_TEST_PHOTOGRAPH" in os.environ:
                    driver.photograph(os.environ["GANTRY_TEST_PHOTOGRAPH"])
    finally:
        driver.stop()
    sys.exit(1 if failures else 0)
