# SPDX-License-Identifier: GPL-3.0-or-later
"""Sessions in the real window: a workspace is saved and opened as it was, also on the command line and moved to another folder; one is
kept while the program works and offered when it was killed; preferences;
damaged, foreign and incomplete ones are told in words and lose nothing.
Arguments: gantry, gantry-cli."""
import glob
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import time

import drive
from drive import Failure


def photograph(window, name):
    if "GANTRY_TEST_PICTURE" in os.environ:
        time.sleep(1)
        window.photograph(f"{os.environ['GANTRY_TEST_PICTURE']}-{name}.png")


def kept(window):
    """What is kept of the open session, once it is; None."""
    files = glob.glob(window.path("gantry/sessions/*.gantry"))
    if not files:
        return None
    with open(files[0], encoding="utf-8") as file:
        return json.load(file)


def read(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def write(path, session):
    with open(path, "w", encoding="utf-8") as file:
        file.write(session if isinstance(session, str) else json.dumps(session))


def end(window, how=signal.SIGKILL):
    window.process.send_signal(how)
    window.process.wait()


def reopen(window, *arguments):
    window.toasts_read = 0
    os.unlink(window.path("debug"))
    window.start(*arguments)


def result_cards(window):
    shelf = window.see("Results", "list")
    nodes = [shelf.get_child_at_index(i) for i in range(shelf.get_child_count())]
    return [node.get_name() for node in nodes if node and node.get_name() and not node.get_name().startswith("Every")]


def make_scan(window):
    subprocess.run([sys.argv[2], "simulate", "--detector", "48x48", "--pixel", "4.2", "--views", "48", "-o", window.path("scan.h5")], check=True)


def reconstruct(window):
    window.ready("reconstruct")
    window.press("Reconstruct")
    window.read(r"^Reconstructed in ")


def is_saved_with_its_results(window):
    make_scan(window)
    window.start(window.path("scan.h5"))
    window.read(r"^preview$")
    reconstruct(window)
    window.take_values({"filter.window": "hann"})
    reconstruct(window)
    window.ready("set-reference")
    window.action("set-reference")
    window.read(r"^Now the reference B")
    window.action("colour-map", drive.GLib.Variant("s", "viridis"))
    for kind, keys in (("rectangle", ("Right", "Up")), ("line", ("Left",))):
        window.action("draw-mark", drive.GLib.Variant("s", kind))
        window.read("^Drag from one end to the other")
        window.key("Return")
        window.read("^Click or press Return at the other end")
        for key in keys * 5:
            window.key(key)
        window.key("Return")
        window.read("^%s 1$" % {"rectangle": "Rectangle", "line": "Distance"}[kind])
    window.action("fourth", drive.GLib.Variant("s", "sinogram"))
    window.key("Page_Up")
    window.action("save-session-as")
    chooser = window.dialog("Save the Session")
    window.see("", "text", chooser).set_text_contents(window.path("work"))
    actions = [chooser.get_action_name(i) for i in range(chooser.get_n_actions())]
    chooser.do_action(actions.index("default.activate"))
    time.sleep(1)
    dialog = window.dialog("Save 2 results with the session?")
    photograph(window, "question")
    window.press("Save", within=dialog)
    window.read(r"^Saved the session work\.gantry$")
    session = read(window.path("work.gantry"))
    if session["scan"]["path"] != "scan.h5" or [result["path"].split("/")[0] for result in session["results"]] != ["work-results"] * 2:
        raise Failure(f"paths are not relative: {session['scan']}, {session['results']}")
    if not session["results"][1]["b"] or session["view"]["colour-map"] != "viridis":
        raise Failure("B or the colour map is not in it")
    if not session["plan"]["parameters"]["filter.window"] == "hann" or not session["plan"]["input"]["checksum"]:
        raise Failure("the plan is not in it")


def opens_in_another_folder(window):
    end(window)
    other = window.path("moved")
    os.mkdir(other)
    for name in ("scan.h5", "work.gantry", "work-results"):
        shutil.move(window.path(name), other)
    for left in glob.glob(window.path("gantry/sessions/*")):
        os.unlink(left)
    reopen(window, os.path.join(other, "work.gantry"))
    window.read(r"^Opened the session work\.gantry$")
    window.wait(lambda: len(result_cards(window)) == 2, "both results")
    window.wait(lambda: any(", B" in card or ", A and B" in card for card in result_cards(window)), "B")
    window.ready("save-session")
    photograph(window, "opened")
    before = read(os.path.join(other, "work.gantry"))
    window.action("save-session")
    window.read(r"^Saved the session work\.gantry$")
    after = read(os.path.join(other, "work.gantry"))
    for key in ("crosshair", "grey-window", "fourth", "colour-map", "mode"):
        if before["view"][key] != after["view"][key]:
            raise Failure(f"{key} was {before['view'][key]}, and is {after['view'][key]}")
    if len(before["regions"]) != 2 or before["regions"] != after["regions"]:
        raise Failure(f"regions were {before['regions']}, and are {after['regions']}")
    if before["plan"]["parameters"] != after["plan"]["parameters"]:
        raise Failure("the plan is another one")
    if [result["record"] for result in before["results"]] != [result["record"] for result in after["results"]]:
        raise Failure("results do not know how they were made")


def asks_before_it_replaces_a_changed_file(window):
    """The file that another window or program has written is not replaced without a question."""
    work, other = window.path("moved/work.gantry"), window.path("moved/other.gantry")
    theirs = dict(read(work), title="theirs")
    for answer, kept_title in ("Cancel", True), ("Replace", False), ("Save As…", True):
        write(work, theirs)
        window.action("save-session")
        dialog = window.dialog("Replace work.gantry?")
        photograph(window, "changed")
        window.press(answer, within=dialog)
        if answer == "Cancel":
            window.no_dialog()
        elif answer == "Replace":
            window.read(r"^Saved the session work\.gantry$")
        else:
            window.save_as("Save the Session", other)
            window.read(r"^Saved the session other\.gantry$")
        if (read(work)["title"] == "theirs") != kept_title:
            raise Failure(f"“{answer}” left {read(work)['title']}")
    window.action("save-session")
    window.read(r"^Saved the session other\.gantry$")
    os.unlink(other)


def opens_behind_a_close(window):
    """Asked for while the scan is still being closed: the end of that is not taken for the session's scan."""
    session = drive.GLib.Variant("s", "file://" + window.path("moved/work.gantry"))
    window.actions("close-scan", ("open-recent", session), "undo")
    window.read(r"^Opened the session work\.gantry$")
    window.ready("reconstruct")
    window.wait(lambda: len(result_cards(window)) == 2, "both results")
    window.wait(lambda: any(", B" in card or ", A and B" in card for card in result_cards(window)), "B")


def survives_a_kill(window):
    """Killed with a change that is kept, at whatever moment of its writing: what is offered is whole."""
    window.take_values({"filter.window": "cosine"})
    window.wait(lambda: kept(window) and kept(window)["plan"]["parameters"]["filter.window"] == "cosine", "the session to be kept")
    for n in range(3):
        window.take_values({"filter.window": "hann" if n % 2 else "hamming"})
        time.sleep(2.4 + 0.05 * n)
    end(window)
    reopen(window)
    window.see("The last session ended unexpectedly. Restore it?")
    photograph(window, "offered")
    window.press("Restore scan.h5")
    window.read(r"^The session is as it was\.$")
    window.wait(lambda: len(result_cards(window)) == 2, "both results")
    window.ready("save-session")


def two_programs_share_nothing(window):
    """A second program is not offered what the first one works on."""
    environment = dict(os.environ, GANTRY_NON_UNIQUE="1", XDG_STATE_HOME=window.folder, XDG_CACHE_HOME=window.folder, GDK_BACKEND="x11",
                       LIBGL_ALWAYS_SOFTWARE="1", GSETTINGS_BACKEND="memory", NO_AT_BRIDGE="1")
    window.wait(lambda: kept(window), "the session to be kept")
    other = subprocess.Popen([sys.argv[1]], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(3)
    before = glob.glob(window.path("gantry/sessions/*.gantry"))
    other.terminate()
    other.wait()
    if len(before) != 1 or glob.glob(window.path("gantry/sessions/*.gantry")) != before:
        raise Failure(f"the kept session was touched: {before}")


def keeps_on_behind_a_failure(window):
    """A folder that was removed is made anew; what stands in the way is told, each kind once, and again after it had worked."""
    folder, windows = window.path("gantry/sessions"), iter(("cosine", "hann", "hamming") * 9)

    def change():
        wanted = next(windows)
        window.take_values({"filter.window": wanted})
        return wanted

    def is_kept():
        wanted = change()
        window.wait(lambda: kept(window) and kept(window)["plan"]["parameters"]["filter.window"] == wanted, "the session to be kept")
    shutil.rmtree(folder)
    is_kept()
    for _ in range(2):
        file = glob.glob(folder + "/*.gantry")[0]
        os.unlink(file)
        os.mkdir(file)
        change()
        window.read("cannot be kept .*it is a folder")
        shutil.rmtree(folder)
        write(folder, "in the way")
        change()
        window.read("cannot be kept .*sessions: ")
        change()
        time.sleep(4)
        if window.toast("cannot be kept"):
            raise Failure("it is told at each try")
        os.unlink(folder)
        is_kept()


def outlives_a_size_limit(window):
    before = resource.prlimit(window.process.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(window.process.pid, resource.RLIMIT_FSIZE, (300000, before[1]))
    window.action("save-volume")
    window.save_as("Save the Volume", window.path("limited.mha"))
    window.banner("File too large")
    resource.prlimit(window.process.pid, resource.RLIMIT_FSIZE, before)
    if glob.glob(window.path("limited.mha")) or glob.glob(window.path(".gantry-*")):
        raise Failure("something is left of it")


def gone_when_closed(window):
    window.action("quit", group="")
    window.process.wait(20)
    window.check_quiet()
    if glob.glob(window.path("gantry/sessions/*.gantry")):
        raise Failure("a session is kept of a window that was closed")


def missing_files_are_told(window):
    work = window.path("moved/work.gantry")
    session = read(work)
    os.rename(window.path("moved/scan.h5"), window.path("moved/elsewhere.h5"))
    os.unlink(os.path.join(window.path("moved"), session["results"][0]["path"]))
    reopen(window, work)
    window.banner(r"(?s)scan\.h5 is not there any more.*mha is not there any more", window.notice)
    window.wait(lambda: len(result_cards(window)) == 1, "the result that is there")
    photograph(window, "missing")
    window.action("save-session")
    window.read(r"^Saved the session work\.gantry$")
    again = read(work)
    if len(again["results"]) != 2 or not all(result["made"] for result in again["results"]) or again["scan"]["absolute"] != session["scan"]["absolute"] or again["plan"] != session["plan"]:
        raise Failure(f"saving it again lost something: {again['scan']}, {len(again['results'])} results")
    window.press("Choose the Scan…")
    window.choose("Choose the Scan of the Session", window.path("moved/elsewhere.h5"))
    window.wait(lambda: window.action_enabled("reconstruct"), "the scan to be open")


def bad_ones_are_told(window):
    for name, text, words in (
            ("cut.gantry", json.dumps(read(window.path("moved/work.gantry")))[:400], "damaged or was cut off"),
            ("foreign.gantry", '{"a": 1}', "no session"),
            ("newer.gantry", '{"gantry_session": 2}', "version 2"),
            ("empty.gantry", "", "damaged or was cut off"),
            ("list.gantry", "[1, 2]", "no session"),
            ("binary.gantry", "\x01\x02{", "damaged or was cut off")):
        write(window.path(name), text)
        window.open_recent(window.path(name))
        window.wait(lambda: words in (window.alert() or ""), f"“{words}” of {name}, not {window.alert()}")
        if not window.action_enabled("reconstruct"):
            raise Failure(f"{name} closed the scan")


def odd_ones_open_as_far_as_they_can(window):
    session = read(window.path("moved/work.gantry"))
    session["scan"] = {"path": "elsewhere.h5"}
    session["plan"]["parameters"]["filter.window"] = "no such window"
    session["results"] = ["x", {"path": 7}, {"a": True, "made": True, "title": "old one"}]
    session["view"] = {"grey-window": [1], "crosshair": ["a"], "mode": 3, "unheard-of": True, "maximised": "nothing"}
    write(window.path("moved/odd.gantry"), session)
    window.open_recent(window.path("moved/odd.gantry"))
    window.banner("cannot be used", window.notice)


def state(window, name):
    bus = drive.Gio.bus_get_sync(drive.Gio.BusType.SESSION, None)
    answer = bus.call_sync("org.gantry.Gantry", "/org/gantry/Gantry/window/1", "org.gtk.Actions", "Describe",
                           drive.GLib.Variant("(s)", (name,)), None, drive.Gio.DBusCallFlags.NONE, 60000, None)
    return answer.unpack()[0][2][0]


def preferences_take_effect(window):
    """At once, in the window behind them."""
    window.action("preferences")
    dialog = window.dialog("Preferences")
    for name, action in (("Smooth pixels", "smooth"), ("Plots", "show-plots")):
        before = state(window, action)
        window.see(name, "check box", dialog).do_action(0)
        window.wait(lambda: state(window, action) != before, f"{name} to take effect")
    window.see("Processor threads", "spin button", dialog).set_current_value(1)
    photograph(window, "preferences")
    window.press("Close", within=dialog)
    window.no_dialog()


drive.run(sys.argv[1], [
    ("a session is saved with its results", is_saved_with_its_results),
    ("it opens in another folder as it was", opens_in_another_folder),
    ("it asks before it replaces a file that others changed", asks_before_it_replaces_a_changed_file),
    ("it opens behind a scan that is being closed", opens_behind_a_close),
    ("it survives a kill", survives_a_kill),
    ("two programs share nothing", two_programs_share_nothing),
    ("it is kept on behind a folder that was removed and other failures", keeps_on_behind_a_failure),
    ("the window outlives a limit of the files' size", outlives_a_size_limit),
    ("it is gone when the window is closed", gone_when_closed),
    ("missing files are told and kept", missing_files_are_told),
    ("damaged and foreign ones are told", bad_ones_are_told),
    ("odd ones open as far as they can", odd_ones_open_as_far_as_they_can),
    ("preferences take effect", preferences_take_effect),
    ("it ends without complaints", drive.ends_quietly),
])
