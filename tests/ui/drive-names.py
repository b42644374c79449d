# SPDX-License-Identifier: GPL-3.0-or-later
"""Every control of the real window that takes the keyboard has a name that can be read aloud, once: on the start page, with a scan, with
a volume, on each page of the plots, in the dialog of new scans, in preferences and queue, and on the panel of lessons; and Tab comes to all of them and back,
where keys move sliders and press buttons. Arguments: gantry, gantry-cli."""
import re
import sys
import time

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


def all_named(window, least, within=None, unseen=()):
    """unseen: roles of the toolkit's own controls there that never come up."""
    count, nameless, odd = 0, [], []
    for node in window.walk(within, inner=True):
        try:
            if node.get_role_name() in CONTROLS and node.get_role_name() not in unseen and node.get_state_set().contains(drive.Atspi.StateType.FOCUSABLE):
                count += 1
                name = (node.get_name() or "").strip()
                # The toolkit's own type is no name; inside a combo box there is a button of it.
                if not name or (name.startswith(("Gtk", "Adw")) and node.get_parent().get_role_name() != "combo box"):
                    nameless.append(path_of(node))
                # Read out twice, or with the mark of its mnemonic, wherever that stands.
                if re.search(r"_\w|^(.+) \1$", name):
                    odd.append(name)
        except drive.GLib.Error:
            continue
    if nameless:
        raise Failure(f"{len(nameless)} of {count} controls without a name, the first: {nameless[0]}")
    if odd:
        raise Failure(f"names that say too much: {odd}")
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
        end = time.monotonic() + 10
        while not self.got and time.monotonic() < end:
            context.iteration(False) or time.sleep(0.005)
        if not self.got:
            self.window.alive()
            raise Failure("Tab does not go on")
        time.sleep(0.03)
        while context.iteration(False):
            pass
        return self.got[-1].get_role_name(), self.name()

    def name(self):
        """Of the control that has the keyboard; of a drop-down it is its button that gets it."""
        node = self.got[-1]
        parent = node.get_parent()
        return (parent if parent is not None and parent.get_role_name() == "combo box" else node).get_name() or ""

    def reach(self, name, most=60):
        """Presses Tab until a control of that name has the keyboard, which is returned."""
        seen = []
        while len(seen) < most:
            seen.append(self.tab()[1])
            if name in seen[-1]:
                return self.got[-1]
        raise Failure(f"Tab does not come to {name}, but to {seen}")

    def press(self, name, key, state):
        """A key changes what the control that has the keyboard holds; again, or the opposite key, changes it back."""
        node, opposite = self.got[-1], {"Right": "Left", "Left": "Right", "Up": "Down"}.get(key, key)
        before = state(node)
        for pressed, changed in ((key, True), (opposite, False)):
            self.window.key(pressed)
            self.window.wait(lambda c=changed: (state(node) != before) == c, f"{name} to answer {pressed}", 12)

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
    time.sleep(0.5)
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


def value(node):
    return node.get_current_value()


def pressed(node):
    states = node.get_state_set()
    return [states.contains(state) for state in (drive.Atspi.StateType.CHECKED, drive.Atspi.StateType.PRESSED)]


def new_scan(window):
    """Tab comes from the buttons to the numbers, through all the sliders, and round; keys move a slider; Escape closes."""
    window.press("New Scan from a Phantom…")
    dialog = window.dialog("New Scan from a Phantom")
    window.wait(lambda: window.enabled(window.see("Make Scan", "push button", dialog)), "the dialog to be made")
    all_named(window, 60, dialog)
    keyboard = Keyboard(window)
    for name in ("Phantom", "Radius", "Attenuation", "Beam", "Columns", "Views", "Tilt", "Tube voltage, slider"):
        keyboard.reach(name, 14)
    keyboard.press("Tube voltage", "Right", value)
    for name in ("Tube voltage", "Focal spot, slider", "Raw counts"):
        keyboard.reach(name)
    keyboard.press("Raw counts", "space", pressed)
    keyboard.reach("Standard Values", 4)
    window.key("Escape")
    window.no_dialog()


def other_windows(window):
    for command, title, least, unseen in (("preferences", "Preferences", 20, ("entry",)), ("queue", "Queue", 8, ())):  # a search that is off
        window.action(command)
        dialog = window.dialog(title)
        all_named(window, least, dialog, unseen)
        window.press("Close", within=dialog)
        window.no_dialog()


# Command, first control, and those that follow; how keys change them.
PAGES = (
    ("filter", [("h(n)", "space"), ("Cut-off of the filter", "Left"), ("Band-limited ramp", "space"), ("Spectrum", "space"), ("Plot of |H(f)|", None),
                ("Plot of Before", None)]),
    ("interpolation", [("Interpolation kernel", None), ("Frequency response", "space"), ("Block of pixels", "space"), ("Kernels side by side", None),
                       ("Column that is interpolated", "Up"), ("Plot of h(x)", None), ("Plot of Filtered row", None)]),
    ("spectrum", [("View of the line", "Right"), ("Number of the view", "Up"), ("Points of all views", "space"), ("Times |f|", "space"),
                  ("Plot of Real", None), ("Plot of Imaginary", None), ("Plot of Off/largest", None)]),
    ("view-by-view", [("Speed", None), ("Order of views", None), ("Filtered", "space"), ("As the final", "space"), ("One View Back", None),
                      ("Play the Views", None), ("One View Forward", None), ("Number of views", "Left"), ("Plot of RMSE", None)]),
    ("simulation", [("Tube voltage, slider", None), ("Tube voltage", None), ("Focal spot, slider", None), ("Focal spot", None)]),
)


def pages_by_keyboard(window):
    """The command of a page gives its first control the keyboard, also before the page shows something; Tab goes on to the others."""
    keyboard = Keyboard(window)
    context = drive.GLib.MainContext.default()

    def has_keyboard(name):
        while context.iteration(False):
            pass
        return keyboard.got and name in keyboard.name()
    for command, controls in PAGES:
        window.action("show-" + command)
        if command == "simulation":  # behind the views
            keyboard.reach(controls[0][0], 4)
        else:
            window.wait(lambda n=controls[0][0]: has_keyboard(n), f"{controls[0][0]} of {command} to have the keyboard")
        for number, (name, key) in enumerate(controls):
            if number and name not in keyboard.tab()[1]:
                raise Failure(f"{command}: {keyboard.name()} has the keyboard in place of {name}")
            if key:
                keyboard.press(name, key, value if key != "space" else pressed)
    all_named(window, 100)


def lessons_by_keyboard(window):
    keyboard = Keyboard(window)
    window.key("F4")
    panel = window.see("Panel of lessons")
    all_named(window, 2, panel)
    keyboard.reach("2  Back-projection blurs", 6)
    window.key("Return")
    window.see("Step 1 of", within=panel)
    for name in ("Look at", "Show Answer"):  # from Set This Up, which has the keyboard first
        keyboard.reach(name)
    window.key("space")
    window.see("Hide Answer", within=panel)
    keyboard.reach("Next", 3)
    window.key("space")
    window.see("Step 2 of", within=panel)
    all_named(window, 6, panel)
    window.key("F4")
    window.wait(lambda: not window.find("Panel of lessons"), "the panel to go")


drive.run(sys.argv[1], [
    ("the start page", start_page),
    ("the dialog of new scans by keyboard", new_scan),
    ("with a scan", with_scan),
    ("preferences and the queue", other_windows),
    ("Tab and Shift+Tab go round", tab_goes_round),
    ("pages that explain by keyboard", pages_by_keyboard),
    ("the lessons by keyboard", lessons_by_keyboard),
    ("with a volume and a reference", with_volume),
    ("each page of the plots", each_plot),
])
