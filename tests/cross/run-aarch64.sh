#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# Builds the back-projection kernels for 64-bit ARM and runs their tests under qemu: run-aarch64.sh BUILD-FOLDER. Speaks
# TAP; skips where Debian's cross compiler or qemu is missing (apt install gcc-aarch64-linux-gnu libc6-dev-arm64-cross
# qemu-user-static). Of the kernels only those in portable vectors are run, whose code differs between processors.
set -uo pipefail
source="$(cd "$(dirname "$(readlink -f "$0")")/../.." && pwd)"
folder="$1"

for program in aarch64-linux-gnu-gcc qemu-aarch64-static; do
  if ! command -v "$program" >/dev/null; then
    echo "1..0 # SKIP $program is not installed"
    exit 0
  fi
done

# What a step printed, as TAP comments, when it failed.
report() {
  local number="$1" name="$2" status="$3" log="$4"
  if [ "$status" = 0 ]; then
    echo "ok $number - $name"
  else
    echo "not ok $number - $name"
    tail -n 40 "$log" | sed 's/^/# /'
  fi
}

echo "1..2"
log="$(mktemp)"
trap 'rm -f "$log"' EXIT
if [ -f "$folder/build.ninja" ]; then
  ninja -C "$folder" >"$log" 2>&1
else
  meson setup "$folder" "$source" --cross-file "$source/tests/cross/aarch64.txt" -Dkernels_only=true -Dwerror=true \
    >"$log" 2>&1 && ninja -C "$folder" >"$log" 2>&1
fi
status=$?
report 1 "the kernels build for 64-bit ARM" $status "$log"
[ $status = 0 ] || { echo "not ok 2 - their tests pass"; exit 1; }

CT_TEST_KERNELS=-c8 meson test -C "$folder" --no-rebuild --print-errorlogs --timeout-multiplier 6 >"$log" 2>&1
report 2 "their tests pass under qemu" $? "$log"
