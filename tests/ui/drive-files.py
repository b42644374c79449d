# SPDX-License-Identifier: GPL-3.0-or-later
"""What is chosen, dropped or named on the command line, in the real window: plans and scans, good and faulty. A file that cannot be
used is named with its fault, and nothing is lost. Arguments: gantry, gantry-cli."""
import ctypes
import ctypes.util
import json
import math
import os
import re
import shutil
import struct
import subprocess
import sys
import zlib

import drive
from drive import Failure

# As Debian calls it, and as others do.
HDF5 = ctypes.util.find_library("hdf5_serial") or ctypes.util.find_library("hdf5")


def simulate(scan, *options):
    subprocess.run([sys.argv[2], "simulate", "--detector", "64x64", "--pixel", "3.2", "--views", "90", *options, "-o", scan],
                   check=True, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
    return scan


def write(window, name, text):
    with open(window.path(name), "w", encoding="utf-8") as file:
        file.write(text)
    return window.path(name)


def notice(window, pattern):
    window.banner(pattern, window.notice)


def grey_png(width, height, value):
    def chunk(kind, data):
        body = kind + data
        return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))
    rows = b"".join(b"\0" + bytes([value]) * width for _ in range(height))
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)) +
            chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def asks_for_scan(window):
    """A plan whose scan is gone says which it was, and lets another be chosen."""
    plan = {"gantry_plan": 1, "input": {"path": window.path("gone.h5")}, "parameters": {}}
    window.start(write(window, "lone.json", json.dumps(plan)))
    words = r"lone\.json is a plan: .*gone\.h5, is not there any more: choose where it is now, or another scan\.$"
    notice(window, words)
    if window.alert():
        raise Failure(f"a fault is told: {window.alert()}")
    window.press("Choose a Scan…")
    window.press("Cancel", within=window.dialog("Choose the Scan of the Plan"))
    window.no_dialog()
    notice(window, words)
    window.ready("open-plan-scan")


def opens_scan_of_plan(window):
    """The scan lies beside the plan now. A faulty one loses nothing: another can be chosen for the same plan."""
    plan = {"gantry_plan": 1, "input": {"path": "/elsewhere/moved.h5"}, "parameters": {"filter.cutoff": 0.5}}
    write(window, "moved.h5", "not a scan")
    window.open_recent(write(window, "moved.json", json.dumps(plan)))
    notice(window, r"moved\.json is a plan: .* Its scan is .*moved\.h5\.$")
    window.press("Open Its Scan")
    window.banner(r"moved\.h5 is no HDF5 file")
    window.see("Choose a Scan…", "push button")
    os.remove(window.path("moved.h5"))
    simulate(window.path("moved.h5"), "--geometry", "parallel")
    window.open_recent(window.path("moved.json"))
    window.press("Open Its Scan")
    window.read(r"^parallel beam · 90 views of 64 × 64$")
    window.read(r"^Values taken from moved\.json$")
    window.ready("undo")
    window.action("close-scan")
    window.wait(lambda: not window.action_enabled("close-scan"), "the scan to be closed")


def names_fault_first(window):
    window.open_recent(write(window, "early.json", '{"gantry_plan": 1, "parameters": {"nosuch": 1}}'))
    window.banner(r'early\.json: line 1: The plan names the unknown parameter "nosuch"\.$')


def opens(window):
    window.open_recent(simulate(window.path("head.h5")))
    window.read(r"^cone beam · 90 views of 64 × 64$")
    window.read(r"^preview$")


def refuses_bad_plans(window):
    """A faulty plan is told from a scan by its form: its own fault is named."""
    for text, words in (('{"gantry_plan": 1,\n "parameters": {\n  "filter.cutof": 0.5}}', 'line 3: .*unknown parameter "filter.cutof"'),
                        ('{"gantry_plan": 1, "parameters": {"iterative.iterations": -3}}', "line 1: iterative.iterations"),
                        ('{"gantry_plan": 1,\n "parameters": {"filter.cutoff": 0.5,}}', "not valid JSON: line 2"),
                        ('{"parameters": {"filter.cutoff": 0.5}}', 'no "gantry_plan" version')):
        window.open_recent(write(window, "bad-plan.json", text))
        window.banner(r"bad-plan\.json: .*" + words)
    if window.action_enabled("undo"):
        raise Failure("a faulty plan changed the values")
    window.read(r"^cone beam · 90 views of 64 × 64$")


def takes_good_plan(window):
    window.open_recent(write(window, "good.json", '{"gantry_plan": 1, "parameters": {"filter.cutoff": 0.5}}'))
    window.read(r"^Values taken from good\.json$")
    window.ready("undo")


def tells_another_scan(window):
    """A plan of another scan is taken, and both are named; a plan of this one is taken without a word."""
    other = simulate(window.path("fine.h5"), "--geometry", "parallel")
    for scan, name in ((other, "fine"), (window.path("head.h5"), "own")):
        subprocess.run([sys.argv[2], "reconstruct", scan, "--slice", "axial:mid", "--set", "filter.cutoff=0.7", "-q", "-o", window.path("x.png"),
                        "--save-plan", window.path(name + ".json")], check=True)
    window.open_recent(window.path("own.json"))
    window.read(r"^Values taken from own\.json$")
    if window.notice():
        raise Failure(f"a plan of this scan is told as: {window.notice()}")
    window.open_recent(window.path("fine.json"))
    window.read(r"^Values taken from fine\.json$")
    notice(window, r"^fine\.json was made with the scan fine\.h5, and this is head\.h5\. ")
    window.read(r"^cone beam · 90 views of 64 × 64$")


def looks_before_it_asks(window):
    """A file that cannot be opened is no reason to give up a volume that is not saved."""
    window.press("Reconstruct")
    window.read(r"^volume 64³, 90 views$")
    damaged = simulate(window.path("damaged.h5"), "--geometry", "parallel")
    with open(damaged, "r+b") as file:
        file.truncate(2000)
    for name in ("damaged.h5", "gone.h5", "nothing.json"):
        window.open_recent(window.path(name))
        window.banner(re.escape(name))
        window.no_dialog()
    window.read(r"^cone beam · 90 views of 64 × 64$")
    window.read(r"^volume 64³, 90 views$")


def keeps_what_is_offered(window):
    """What helps with a file stays at hand while another is opened, and that is thought better of."""
    window.open_recent(write(window, "odd.fov", "odd" * 400))
    window.banner(r"odd\.fov is of no format")
    window.action("open-example")
    window.press("Keep Working", within=window.dialog("Open another scan?"))
    window.no_dialog()
    window.press("Describe as Raw…")
    window.press("Cancel", within=window.dialog("What Is the Scan in odd.fov?"))
    window.no_dialog()


def tells_what_is_in_a_folder(window):
    folder = window.path("papers")
    os.mkdir(folder)
    window.open_recent(folder)
    window.banner(r"papers holds no projections: neither TIFF nor PNG.* images.*It is empty\.$")
    for name in ("a.jpg", "notes.txt"):
        write(window, os.path.join("papers", name), "x")
    window.open_recent(folder)
    window.banner(r"It holds a\.jpg, notes\.txt\.$")


def asks_what_can_be_opened(window):
    other = simulate(window.path("other.h5"), "--geometry", "parallel")
    window.open_recent(other)
    window.press("Keep Working", within=window.dialog("Open another scan?"))
    window.no_dialog()
    window.read(r"^cone beam · 90 views of 64 × 64$")
    window.open_recent(other)
    window.press("Open Here", within=window.dialog("Open another scan?"))
    window.no_dialog()
    window.read(r"^parallel beam · 90 views of 64 × 64$")
    window.read(r"^preview$")


def notices_assumed_beam(window):
    """Slices of a wrong beam look like something: what is assumed is said, and where it is set."""
    folder = window.path("frames")
    os.mkdir(folder)
    for view in range(8):
        with open(os.path.join(folder, f"frame{view}.png"), "wb") as file:
            file.write(grey_png(16, 16, 200))
    window.open_recent(folder)
    window.read(r"^parallel beam \(assumed\) · 8 views of 16 × 16$")
    window.read(r"^The file tells neither its beam nor its angles: parallel beam over 180° is assumed\.")
    window.press("This Is Right")
    window.read(r"^parallel beam · 8 views of 16 × 16$")


def opens_volumes(window):
    """Without a scan the first volume is A, the next one B; all can be looked at and measured, and nothing reconstructed."""
    scan = window.path("other.h5")
    for name, filter_window in (("first.mha", "hann"), ("second.nrrd", "ram-lak")):
        subprocess.run([sys.argv[2], "reconstruct", scan, "-q", "--set", f"window={filter_window}", "--set", "device=none", "-o",
                        window.path(name)], check=True)
    window.action("close-scan")
    window.wait(lambda: not window.action_enabled("close-scan"), "the scan to be closed")
    window.open_recent(window.path("first.mha"))
    window.read(r"^64 × 64 × 64 voxels of 3\.2 mm · no scan$")
    window.read(r"^first\.mha, volume 64³$")
    window.see("No scan is open", "label")
    window.read(r"✛ 0\.00[0-9]+ 1/mm")
    window.wait(lambda: window.action_enabled("save-volume"), "the volume to be there")
    for action, title, name in (("save-volume", "Save the Volume", "again.mha"), ("save-slice", "Save the Slice", "slice.png")):
        window.action(action)
        window.save_as(title, window.path(name))
        window.wait(lambda path=window.path(name): os.path.exists(path), f"{name} to be written")
    for name in ("reconstruct", "find-centre", "save-plan"):
        if window.action_enabled(name):
            raise Failure(f"{name} is possible without a scan")
    window.open_recent(window.path("second.nrrd"))
    window.read(r"^Now the reference B: second\.nrrd$")
    window.read(r"A\xa0−\xa0B")
    write(window, "third.mha", "no volume")
    window.open_recent(window.path("third.mha"))
    window.banner(r"third\.mha")
    window.read(r"^first\.mha, volume 64³$")
    window.open_recent(scan)  # the volumes stay on the shelf
    window.read(r"^parallel beam · 90 views of 64 × 64$")
    window.read(r"^preview$")
    window.ready("reconstruct")
    window.see("second.nrrd")
    window.open_recent(window.path("first.mha"))
    window.read(r"^Now the reference B: first\.mha$")
    # Where the last one goes nothing is left to be shown.
    window.action("close-scan")
    window.wait(lambda: not window.action_enabled("close-scan"), "the scan to be closed")
    window.open_recent(window.path("second.nrrd"))
    window.read(r"^64 × 64 × 64 voxels of 3\.2 mm · no scan$")
    for _ in range(4):
        window.wait(lambda: window.action_enabled("shelf-remove"), "a result to be chosen")
        window.action("shelf-remove")
    window.wait(lambda: not window.action_enabled("close-scan"), "the start page")
    # One that the program did not write may be in any unit.
    header = bytearray(352)  # NIfTI: float, 6 x 5 x 4 voxels of 1 mm
    for offset, layout, values in ((0, "<i", (348,)), (40, "<8h", (3, 6, 5, 4, 1, 1, 1, 1)), (70, "<2h", (16, 32)), (76, "<8f", (1,) * 8),
                                   (108, "<f", (352,)), (123, "<b", (2,)), (344, "<4s", (b"n+1\0",))):
        struct.pack_into(layout, header, offset, *values)
    with open(window.path("foreign.nii"), "wb") as file:
        file.write(header + struct.pack("<120f", *range(120)))
    window.open_recent(window.path("foreign.nii"))
    window.read(r"^The file does not tell the unit of its values: they are taken for 1/mm$")
    window.action("close-scan")
    window.wait(lambda: not window.action_enabled("close-scan"), "the start page")


def opened_while_closing(window):
    """What is asked for while the scan is still being closed comes after that: it is not closed with the scan."""
    window.open_recent(window.path("other.h5"))
    window.read(r"^preview$")
    write(window, "late.json", '{"gantry_plan": 1, "parameters": {"filter.window": "cosine"}}')
    late = drive.GLib.Variant("s", "file://" + window.path("late.json"))
    window.actions("close-scan", ("open-recent", late), "undo")
    window.banner(r"^late\.json is a plan", window.notice)
    window.open_recent(window.path("other.h5"))
    window.read(r"^preview$")
    foreign = drive.GLib.Variant("s", "file://" + window.path("foreign.nii"))
    window.actions("close-scan", ("open-recent", foreign), "undo")
    window.read(r"^The file does not tell the unit of its values: they are taken for 1/mm$")
    window.read(r"^6 × 5 × 4 voxels of 1 mm · no scan$")
    window.read(r"foreign\.nii, volume 6 × 5 × 4$")
    # So does the last volume's removal from the shelf, where one of its kind lay from before.
    window.action("shelf-remove")
    window.wait(lambda: window.action_enabled("shelf-remove"), "the other one to be chosen")
    window.actions("shelf-remove", ("open-recent", drive.GLib.Variant("s", "file://" + window.path("first.mha"))), "undo")
    window.read(r"^64 × 64 × 64 voxels of 3\.2 mm · no scan$")
    window.read(r"^first\.mha, volume 64³$")
    window.action("close-scan")
    window.wait(lambda: not window.action_enabled("close-scan"), "the start page")


def asks_about_one_picture(window):
    """One picture is a sinogram or a projection, which only its owner knows; what is open stays until it is answered."""
    with open(window.path("one.png"), "wb") as file:
        file.write(grey_png(30, 18, 90))
    window.open_recent(window.path("one.png"))
    dialog = window.dialog("What Is the Scan in one.png?")
    window.press("Open", within=dialog)
    window.no_dialog()
    window.read(r"18 views of 30 × 1$")
    window.action("choose-source")
    window.press("Cancel", within=window.dialog("What Is the Scan in one.png?"))
    window.no_dialog()
    window.action("close-scan")
    window.wait(lambda: not window.action_enabled("close-scan"), "the scan to be closed")


def fill(window, dialog, **texts):
    for name, text in texts.items():
        window.see(name.replace("_", " "), "text", dialog).set_text_contents(text)


def see_frame(window, dialog, size, low, high):
    """The numbers beside the picture of a frame in the dialog that asks about a scan."""
    pattern = rf"^{size} samples, {low} to {high}$"
    window.wait(lambda: any(re.search(pattern, re.sub(r"(?<=\d)\s(?=\d)", "", node.get_name() or "")) for node in window.walk(dialog)),
                f"a frame of /{pattern}/")


def asks_about_raw_samples(window):
    """A file of raw samples opens by what is told of it, which its folder remembers and a preset keeps. A frame shows whether it is
    right: where the headers are not told their zeros are samples."""
    with open(window.path("block.bin"), "wb") as file:
        for view in range(40):
            file.write(bytes(16))
            file.write(struct.pack("<90H", *(60000 - 9000 * (10 < i % 30 < 20) - view for i in range(90))))
    window.open_recent(window.path("block.bin"))
    dialog = window.dialog("What Is the Scan in block.bin?")
    if window.enabled(window.see("Open", "push button", dialog)):
        raise Failure("samples of an unknown layout can be opened")
    fill(window, dialog, Columns="30", Rows="4")
    window.see("It holds 32 frames, and 160 bytes are left over", within=dialog)
    see_frame(window, dialog, "30 × 4", 0, 60000)
    names = [node.get_name() for node in window.walk(dialog)]
    if "Warning" not in names or names.index("Warning") > names.index("Format"):
        raise Failure("the warning of bytes that are left over does not come first")
    fill(window, dialog, Rows="3", Header_of_Each_Frame="16", Step_of_the_Angles="4,5")
    window.see("It holds 40 frames of that size.", within=dialog)
    see_frame(window, dialog, "30 × 3", 51000, 60000)
    window.see("0° to 175.5°, an arc of 180°", within=dialog)
    window.see("Frame Shown", "spin button", dialog).set_current_value(39)
    see_frame(window, dialog, "30 × 3", 50961, 59961)
    fill(window, dialog, Name_of_the_Preset="Our Scanner")
    window.press("Save Preset", within=dialog)
    window.see("Saved as Our Scanner", within=dialog)
    window.press("Open", within=dialog)
    window.no_dialog()
    window.read(r"40 views of 30 × 3$")
    window.action("choose-source")
    dialog = window.dialog("What Is the Scan in block.bin?")
    window.see("It holds 40 frames of that size.", within=dialog)
    window.see("Preset", "combo box", dialog)
    with open(window.path("gantry/imports.ini"), encoding="utf-8") as file:
        text = file.read()
    if "[preset Our Scanner]" not in text or "angles_deg.step=4.5" not in text:
        raise Failure(f"the preset was not kept: {text}")
    window.press("Cancel", within=dialog)
    window.no_dialog()
    window.action("close-scan")
    window.wait(lambda: not window.action_enabled("close-scan"), "the scan to be closed")


def describes_what_is_called_otherwise(window):
    """What is refused because of its name alone can be described as raw samples; what is something else cannot."""
    os.rename(window.path("block.bin"), window.path("block.fov"))
    window.open_recent(write(window, "paper.fov", "%PDF-1.7 and more"))
    window.banner(r"paper\.fov is a PDF document")
    if window.find("Describe as Raw…", "push button"):
        raise Failure("a PDF document is offered to be described as raw samples")
    window.open_recent(window.path("block.fov"))
    window.banner(r"block\.fov is of no format")
    window.press("Describe as Raw…")
    dialog = window.dialog("What Is the Scan in block.fov?")
    see_frame(window, dialog, "30 × 3", 51000, 60000)
    window.press("Open", within=dialog)
    window.no_dialog()
    window.read(r"40 views of 30 × 3$")
    window.action("close-scan")
    window.wait(lambda: not window.action_enabled("close-scan"), "the scan to be closed")


def describes_by_the_header(window):
    """A flat panel's file: what its header tells stands in the fields, whatever was told of others in the folder."""
    wide, high, frames = 24, 5, 9
    header = struct.pack("<7H", 0x7000, 68, 100, 0, 0, 32, 1) + struct.pack("<4H", 1, wide, high, frames)
    samples = [100 * frame + column for frame in range(frames) for _ in range(high) for column in range(wide)]
    with open(window.path("panel.his"), "wb") as file:
        file.write(header.ljust(100, b"\0") + struct.pack(f"<{len(samples)}H", *samples))
    window.open_recent(window.path("panel.his"))
    window.banner(r"panel\.his is a flat panel's HIS file")
    window.press("Describe as Raw…")
    dialog = window.dialog("What Is the Scan in panel.his?")
    window.see("panel.his is read as raw samples, stored as its header tells: look whether the frame is right.", within=dialog)
    window.see("It holds 9 frames of that size.", within=dialog)
    see_frame(window, dialog, "24 × 5", 0, 23)
    window.press("Open", within=dialog)
    window.no_dialog()
    window.read(r"9 views of 24 × 5$")
    window.action("close-scan")
    window.wait(lambda: not window.action_enabled("close-scan"), "the scan to be closed")


def link_data(path, other, name=b"/exchange/data"):
    """An array of a file, the projections of a scan, is that of another file from now on."""
    library = ctypes.CDLL(HDF5)
    library.H5Fopen.restype = ctypes.c_int64
    none = ctypes.c_int64(0)
    file = ctypes.c_int64(library.H5Fopen(os.fsencode(path), 1, none))
    if (library.H5Ldelete(file, name, none) < 0 or
            library.H5Lcreate_external(os.fsencode(other), name, file, name, none, none) < 0 or library.H5Fclose(file) < 0):
        raise Failure("the link was not made")


def asks_about_links(window):
    """A scan or volume whose samples are in a file of another folder is opened after a question, and not before."""
    if not HDF5:
        raise drive.Skip("the HDF5 library that makes the link is not found")
    os.mkdir(window.path("sent"))
    simulate(window.path("kept.h5"), "--views", "21", "--truth", window.path("truth.h5"))
    shutil.copy(window.path("truth.h5"), window.path("sent/volume.h5"))
    link_data(window.path("sent/volume.h5"), "../truth.h5", b"/entry/volume/data")
    shutil.copy(window.path("sent/volume.h5"), window.path("sent/another.h5"))
    shutil.copy(window.path("kept.h5"), window.path("sent/linked.h5"))
    link_data(window.path("sent/linked.h5"), "../kept.h5")
    shutil.copy(window.path("sent/linked.h5"), window.path("sent/again.h5"))
    window.open_recent(window.path("sent/linked.h5"))
    window.banner(r"linked\.h5: the values of /exchange/data are in .*kept\.h5, outside its folder")
    window.press("Read Those Files")
    window.read(r"21 views of 64 × 64$")
    for name in ("again.h5", "linked.h5"):  # what is answered is not asked on; what is not stays while another scan is opened
        window.open_recent(window.path("sent/" + name))
        window.banner(r"again\.h5: the values of /exchange/data are in")
    window.banner(r"again\.h5: .* One more file asks after it\.$")
    window.action("open-example")
    window.read(r"^cone beam · .* views of")
    for name in ("again", "linked"):
        window.banner(name + r"\.h5: the values of /exchange/data are in")
        window.press("Read Those Files")
        window.read(r"21 views of 64 × 64$")
    window.open_recent(window.path("sent/volume.h5"))
    window.banner(r"volume\.h5: the values of /entry/volume/data are in .*truth\.h5, outside its folder")
    window.open_recent(window.path("sent/another.h5"))  # the first question stays meanwhile
    window.banner(r"volume\.h5: the values .* One more file asks after it\.$")
    window.press("Read Those Files")
    window.read(r"Now the reference B: volume\.h5")
    window.banner(r"another\.h5: the values of /entry/volume/data are in [^ ]*truth\.h5, outside its folder[^.]*\.$")
    window.press("Read Those Files")
    window.see("another.h5")
    window.action("close-scan")
    window.wait(lambda: not window.action_enabled("close-scan"), "the scan to be closed")


def reads_beside_the_truth(window):
    """The truth is asked for while a volume is read: that one comes, and so does the next."""
    with open(window.path("large.mha"), "wb") as file:
        file.write(b"ObjectType = Image\nNDims = 3\nDimSize = 256 256 256\nElementType = MET_FLOAT\nElementDataFile = LOCAL\n")
        file.truncate(file.tell() + 4 * 256 ** 3)
    window.action("open-example")
    window.ready("add-truth")
    window.actions(("read-volume", drive.GLib.Variant("s", window.path("large.mha"))), "add-truth")
    window.read(r"Now the reference B: large\.mha")
    window.action("read-volume", drive.GLib.Variant("s", window.path("truth.h5")))
    window.see("truth.h5")
    window.action("close-scan")
    window.wait(lambda: not window.action_enabled("close-scan"), "the scan to be closed")


def takes_stored_reference(window):
    """The reference volume that lies behind a RabbitCT scan's projections becomes B."""
    wide, high, views, edge = 32, 24, 8, 128
    with open(window.path("small.rctd"), "wb") as file:
        file.write(struct.pack("<4I2f", 2, wide, high, views, 1000, 24))
        for view in range(views):
            sine, cosine = math.sin(view * math.pi / 5), math.cos(view * math.pi / 5)
            focal = 1200 / 16
            rows = [[focal * cosine + 15.5 * -sine, focal * sine + 15.5 * cosine, 0, 15.5 * 750],
                    [11.5 * -sine, 11.5 * cosine, focal, 11.5 * 750], [-sine, cosine, 0, 750]]
            file.write(struct.pack("<12d", *(rows[row][column] for column in range(4) for row in range(3))))
            file.write(struct.pack(f"<{wide * high}f", *([0.5] * (wide * high))))
        file.write(struct.pack("<H", 700) * edge ** 3)
    window.open_recent(window.path("small.rctd"))
    window.read(r"8 views of 32 × 24$")
    window.ready("open-stored-reference")
    window.action("open-stored-reference")
    window.read(r"Now the reference B: [^:]*::/reference/128")
    window.action("close-scan")
    window.wait(lambda: not window.action_enabled("close-scan"), "the scan to be closed")
    if window.action_enabled("open-stored-reference"):
        raise Failure("a stored reference is offered where no scan is open")


drive.run(sys.argv[1], [
    ("a plan opened alone asks for its scan", asks_for_scan),
    ("a plan opened alone opens its scan", opens_scan_of_plan),
    ("a faulty plan opened alone is named with its fault", names_fault_first),
    ("a scan opens", opens),
    ("faulty plans are named with their faults", refuses_bad_plans),
    ("a good plan is taken", takes_good_plan),
    ("a plan that was made with another scan is told", tells_another_scan),
    ("what cannot be opened is named before anybody is asked to give up a volume", looks_before_it_asks),
    ("what is offered for a file stays while another is not opened", keeps_what_is_offered),
    ("a folder without images is told with what is there", tells_what_is_in_a_folder),
    ("what can be opened is opened after the question", asks_what_can_be_opened),
    ("a beam that the file does not tell is noticed", notices_assumed_beam),
    ("volumes open without a scan, to look at, measure and compare", opens_volumes),
    ("what is asked for while a scan is closed comes after it", opened_while_closing),
    ("one picture alone is asked about", asks_about_one_picture),
    ("raw samples are asked about", asks_about_raw_samples),
    ("a file of another name is described as raw samples", describes_what_is_called_otherwise),
    ("a header's numbers stand in the fields for raw samples", describes_by_the_header),
    ("links out of a scan's folder are asked about", asks_about_links),
    ("volumes are read while the truth is made", reads_beside_the_truth),
    ("the reference that a RabbitCT scan stores becomes B", takes_stored_reference),
    ("it ends without complaints", drive.ends_quietly),
])
