# SPDX-License-Identifier: GPL-3.0-or-later
"""Lessons in the real window: the list, a lesson walked from end to end, steps of the others, a lesson of one's own, and a wrong one.
Argument: gantry."""
import json
import os
import sys

import drive

LESSONS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "resources", "lessons")


def lessons():
    files = sorted(name for name in os.listdir(LESSONS) if name.endswith(".json"))
    return [json.load(open(os.path.join(LESSONS, name), encoding="utf-8")) for name in files]


def choose(window, number):
    window.action("choose-lesson", drive.GLib.Variant("i", number))


def panel(window):
    """Looked for once: the walk through the whole window takes its time."""
    if getattr(window, "lessons", None) is None:
        window.lessons = window.see("Panel of lessons")
    return window.lessons


def words(window):
    """All that the panel says."""
    return [node.get_name() or "" for node in window.walk(panel(window))]


def reads(window, text):
    window.wait(lambda: any(text in word for word in words(window)), f"“{text}” on the panel")


def measured(window, step):
    """All claims of the step hold, as measured in the window."""
    window.wait(lambda: len([word for word in words(window) if word.startswith("✓ Measured here: ")]) == len(step["claims"]),
                f"{len(step['claims'])} claims of “{step['title']}” that hold")


def set_up(window, step):
    """What the step has one look at is found by its name then."""
    window.press("Set This Up", within=panel(window))
    window.read(r"^preview$")
    for number in range(len(step["look"])):
        window.action("lesson-look", drive.GLib.Variant("i", number))
    if window.toast("is not on screen: set the step up first"):
        raise drive.Failure(f"something of {step['look']} is not there")


def opens_from_the_start_page(window):
    window.start()
    window.press("Lessons")
    for number, lesson in enumerate(lessons()):
        reads(window, f"{number + 1}  {lesson['title']}")


def walks_a_lesson(window):
    lesson = lessons()[0]
    choose(window, 0)
    for number, step in enumerate(lesson["steps"]):
        reads(window, f"Step {number + 1} of {len(lesson['steps'])}")
        measured(window, step)
        set_up(window, step)
        window.press("Show Answer", within=panel(window))
        reads(window, step["answer"])
        if number + 1 < len(lesson["steps"]):
            window.press("Next", within=panel(window))
    if window.action_enabled("lesson-next"):
        raise drive.Failure("there is a step behind the last")
    window.press("Back", within=panel(window))
    reads(window, f"Step {len(lesson['steps']) - 1} of")


def keeps_one_truth_of_each(window):
    """Its five steps show three phantoms, two of them twice."""
    shelf = window.see("Results", "list")

    def truths():
        cards = [shelf.get_child_at_index(i) for i in range(shelf.get_child_count())]
        return [card.get_name() for card in cards if card and (card.get_name() or "").startswith("truth of ")]
    window.wait(lambda: len(truths()) == 3 and any(", B" in name for name in truths()), "three truths, one of them B")


def sets_the_plan_alone(window):
    """Of two steps with one scan the second sets the plan, which can be undone."""
    lesson = lessons()[1]
    choose(window, 1)
    window.action("lesson-next")
    set_up(window, lesson["steps"][1])
    window.wait(lambda: not window.enabled(window.see("Filtered", "check box")), "views that no filter can change")
    window.action("lesson-next")
    set_up(window, lesson["steps"][2])
    window.read("^No filter$")
    window.action("lesson-next")
    window.action("lesson-next")
    set_up(window, lesson["steps"][4])
    window.read("^Ram-Lak$")
    window.action("undo")
    window.read("^No filter$")


def sets_up_the_others(window):
    for number, lesson in list(enumerate(lessons()))[2:]:
        choose(window, number)
        step = lesson["steps"][0]
        measured(window, step)
        set_up(window, step)


def shows_arc_and_weights(window):
    """A step that names them has them, the next one that does not has none."""
    def told():
        return [node for node in window.walk() if "Short scan (Parker): weight 0 to 1" in (node.get_name() or "")]
    lesson = lessons()[6]
    choose(window, 6)
    for _ in range(2):
        window.action("lesson-next")
    set_up(window, lesson["steps"][2])
    window.wait(told, "arc and weights beside the sinogram")
    window.action("lesson-back")
    window.action("lesson-back")
    set_up(window, lesson["steps"][0])
    window.wait(lambda: not told(), "arc and weights gone")


def is_set_up_behind_a_close(window):
    """The end of closing the scan before is not taken for the coming of the lesson's scan, whose plan is then set."""
    choose(window, 5)
    window.actions("close-scan", "lesson-set-up", "undo")
    window.read(r"^preview$")
    window.ready("undo")
    measured(window, lessons()[5]["steps"][0])


def asks_before_a_volume_is_lost(window):
    window.ready("reconstruct")
    window.action("reconstruct")
    window.read(r"^Reconstructed in")
    choose(window, 0)
    window.press("Set This Up", within=panel(window))
    window.press("Keep Working", within=window.dialog("Make the lesson's scan?"))
    window.no_dialog()
    window.action("set-reference")


def opens_ones_own(window):
    path = window.path("own.json")
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"gantry_lesson": 1, "title": "My own", "steps": [{"title": "Only step", "text": "A *short* one.", "claims": [
            {"says": "It is wrong.", "check": "truth(0, 0, 3) > 1"}]}]}, file)
    window.action("open-lesson")
    window.choose("Open a Lesson", path)
    reads(window, "✗ It does not hold. Measured here: true mean 0.00")
    with open(path, "w", encoding="utf-8") as file:
        file.write('{"gantry_lesson": 1, "title": "My own", "steps": [{"title": "Only step", "txt": "A"}]}')
    window.action("open-lesson")
    window.choose("Open a Lesson", path)
    window.wait(lambda: 'own.json: step 1: "txt" is no key here; there are title, text' in (window.alert() or ""), "the banner")
    reads(window, "Only step")


def is_put_away(window):
    window.action("show-lessons")
    window.wait(lambda: not window.find("Panel of lessons"), "the panel gone")


def comes_from_the_command_line(window):
    window.process.terminate()
    window.process.wait()
    window.lessons = None
    window.start("--lesson", os.path.join(LESSONS, sorted(os.listdir(LESSONS))[1]))
    reads(window, lessons()[1]["steps"][0]["title"])


drive.run(sys.argv[1], [
    ("the start page offers the lessons", opens_from_the_start_page),
    ("a lesson is walked from end to end", walks_a_lesson),
    ("there is one truth of each phantom on the shelf", keeps_one_truth_of_each),
    ("where the scan is there the plan alone is set, and undone", sets_the_plan_alone),
    ("the first steps of the others are set up", sets_up_the_others),
    ("a step shows arc and weights", shows_arc_and_weights),
    ("a step is set up behind a scan that is being closed", is_set_up_behind_a_close),
    ("work is not lost without a question", asks_before_a_volume_is_lost),
    ("a lesson of one's own is opened, a wrong one told", opens_ones_own),
    ("the panel is put away", is_put_away),
    ("a lesson is opened from the command line", comes_from_the_command_line),
    ("it ends without complaints", drive.ends_quietly),
])
