#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""gantry-cli and files that are not what their names say. test-cli-foreign.py PROGRAM. Speaks TAP."""

import os
import sys

from cli_driver import at, fails, main, test

ENDINGS = "h5 gantry json mha mhd nrrd nhdr nii nii.gz npy npz png tif bmp edf fits mrc mat txm raw rctd csv"


@test("nothing waits for who would write into a FIFO, and devices are not read")
def _():
    for ending in ENDINGS.split():
        os.mkfifo(at("pipe." + ending))
        fails("info", at("pipe." + ending), status=1, words="is not a regular file")
    os.symlink("/dev/zero", at("zero.png"))
    fails("info", at("zero.png"), status=1, words="is not a regular file")


sys.exit(main())
