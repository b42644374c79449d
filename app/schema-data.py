# SPDX-License-Identifier: GPL-3.0-or-later
# Writes a file's bytes as a C array: the compiled preferences schema, built into the program.
import sys

with open(sys.argv[1], "rb") as file:
    data = file.read()
with open(sys.argv[2], "w", encoding="ascii") as file:
    file.write("/* Made by schema-data.py. */\nstatic const unsigned char gantry_schema_data[] = {\n")
    for i in range(0, len(data), 16):
        file.write("  " + " ".join(f"{byte}," for byte in data[i : i + 16]) + "\n")
    file.write("};\n")
