#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# on-processor.sh PROCESSOR PROGRAM [ARGUMENT...]: runs a test program on a processor that qemu-user plays (Nehalem: SSE4.2;
# Haswell: AVX2). Speaks TAP, as the program does; skips where the emulator is missing (Debian: qemu-user).
set -uo pipefail
processor="$1"
shift
if ! command -v qemu-x86_64 >/dev/null; then
  echo "1..0 # SKIP qemu-x86_64 is not installed"
  exit 0
fi
unset GANTRY_CPU
exec qemu-x86_64 -cpu "$processor" "$@"
