# SPDX-License-Identifier: GPL-3.0-or-later
"""Every control of the real window that takes the keyboard has a name that can be read aloud: on the start page, with a scan, with
a volume, on each page of the plots; and Tab comes to all of them and back. Arguments: gantry, gantry-cli."""
import sys

import drive
from drive import Failure

CONTROLS = {"push button", "toggle button", "check box", "radio button", "spin button", "slider", "combo box", "text", "entry",
            "password text", "menu", "menu item", "page tab", "link", "switch"}


def path_of(node):
    """Role, and the ancestors' roles and names."""
    way, parent = [node.get_role_name()], node.get_parent()
    while parent is not None and len(way) < 7:
        way.append(f"{parent.get_role_name()} “{parent.get_name() or ''}”")
        parent = parent.get_parent()
    return " < ".join(way)


def all_named(window, least):
    count, nameless = 0, []
    for node in window.walk(inner=True):
        try:
            if node.get_role_name() in CONTROLS and node.get_state_set().contains(drive.Atspi.StateType.FOCUSABLE):
                count += 1
                name = (node.get_name() or "").strip()
                # The toolkit's own type is no name; inside a combo box there is a button of it.
                if not name or (name.startswith(("Gtk", "Adw")) and node.get_parent().get_role_name() != "combo box"):
                    nameless.append(path_of(node))
        except drive.GLib.Error:
            continue
    if nameless:
        raise Failure(f"{len(nameless)} of {count} controls without a name, the first: {nameless[0]}")
    if count < least:
        raise Failure(f"only {count} controls were found")


def start_page(window):
    window.start()
    window.see("Open the Built-in Example")
    all_named(window, 4)


def with_scan(window):
    window.action("open-example")
    window.read(r"^preview$")
    all_named(window, 100)


def with_volume(window):
    window.press("Reconstruct")
    window.read(r"^Reconstructed in ")
    window.press("Keep A as B")
    window.ready("clear-reference")
    all_named(window, 100)


def each_plot(window):
    for page in ("Histogram", "Statistics", "Errors", "Convergence", "Regions", "Profile"):
        window.see(page).do_action(0)
        all_named(window, 100)


class Keyboard:
    """Which control gets the keyboard, told by the program itself: searching for it takes too long."""

    def __init__(self, window):
        self.window, self.got = window, []
        self.listener = drive.Atspi.EventListener.new(self.told)
        self.listener.register("object:state-changed:focused")

    def told(self, event):
        if event.detail1:
            self.got.append(event.source)

    def tab(self, *modifiers):
        """Role and name of the control that it comes to."""
        context = drive.GLib.MainContext.default()
        self.got.clear()
        self.window.key("Tab", *modifiers)
        self.window.wait(lambda: context.iteration(False) and False or self.got, "the keyboard to go on", 10)
        drive.time.sleep(0.03)
        while context.iteration(False):
            pass
        return self.got[-1].get_role_name(), self.got[-1].get_name()

    def round(self, *modifiers):
        """All controls until the first comes again."""
        seen = [self.tab(*modifiers)]
        while len(seen) < 120:
            seen.append(self.tab(*modifiers))
            if seen[-1] == seen[0]:
                return seen[:-1]
        raise Failure(f"it does not come back to {seen[0]}: {seen[-4:]}")


def tab_goes_round(window):
    """Through header, side panel, views, and plots, and back the same way."""
    keyboard = Keyboard(window)
    window.drag(window.see("Axial slice"), (0.5, 0.5), (0.5, 0.5))
    drive.time.sleep(0.5)
    forth = keyboard.round()
    names = [name for _, name in forth]
    for wanted in ("Open", "Main menu", "Scan", "Output", "Axial slice", "Coronal slice", "Sagittal slice", "Projection", "Bar between views and plots",
                   "Profile", "Show the results"):
        if wanted not in names:
            raise Failure(f"{wanted} is not among {names}")
    back = keyboard.round("Shift")
    at = back.index(forth[0])
    if [forth[0], *reversed(forth[1:])] != back[at:] + back[:at]:
        raise Failure(f"forth {forth}, back {back}")


drive.run(sys.argv[1], [
    ("the start page", start_page),
    ("with a scan", with_scan),
    ("Tab and Shift+Tab go round", tab_goes_round),
    ("with a volume and a reference", with_volume),
    ("each page of the plots", each_plot),
])
