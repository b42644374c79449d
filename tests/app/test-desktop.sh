#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# The files that desktops read are valid: desktop entry, metainfo, preferences schema, icons. TAP. Argument: the resources folder.
cd "$1" || exit 1
id=org.gantry.Gantry
echo 1..6
number=0

report() { # status, name, output
  number=$((number + 1))
  if [ "$1" = 0 ]; then echo "ok $number - $2"; else
    echo "not ok $number - $2"
    printf '%s\n' "$3" | sed 's/^/# /'
    failed=1
  fi
}

check() { # name, program, arguments
  name=$1
  shift
  if ! command -v "$1" >/dev/null; then
    number=$((number + 1))
    echo "ok $number - $name # SKIP $1 is not installed"
    return
  fi
  output=$("$@" 2>&1)
  report $? "$name" "$output"
}

failed=0
check "desktop entry" desktop-file-validate $id.desktop
check "metainfo" appstream-util validate-relax --nonet $id.metainfo.xml
check "preferences schema" glib-compile-schemas --strict --dry-run .
check "icon is drawable" gdk-pixbuf-thumbnailer -s 64 $id.svg /dev/null
check "symbolic icon is drawable" gdk-pixbuf-thumbnailer -s 16 $id-symbolic.svg /dev/null
output=$(grep -L "$id" $id.desktop $id.metainfo.xml $id.gschema.xml)
[ -z "$output" ]
report $? "one name everywhere" "without $id: $output"
exit $failed
