# SPDX-License-Identifier: GPL-3.0-or-later
# Writes docs/papers.md, the one table of the papers' rows, as a C array that ends in 0: embed-page.py PAGE OUTPUT.c
import sys

with open(sys.argv[1], "rb") as file:
    data = file.read() + b"\0"
with open(sys.argv[2], "w", encoding="ascii") as file:
    file.write('#include "app/bench/papers-private.h"\nconst char bench_papers_page[] = {\n')
    for i in range(0, len(data), 16):
        file.write("  " + " ".join(f"'\\{byte:o}'," for byte in data[i:i + 16]) + "\n")
    file.write("};\n")
