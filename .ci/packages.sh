# SPDX-License-Identifier: GPL-3.0-or-later
# Debian packages, and installing those that are missing. Sourced by run and check.

build_packages="build-essential meson ninja-build pkg-config python3
  libgtk-4-dev libadwaita-1-dev libepoxy-dev libegl-dev libglib2.0-dev-bin desktop-file-utils gtk-update-icon-cache
  libfftw3-dev libpng-dev libhdf5-dev libtiff-dev libcfitsio-dev libmatio-dev zlib1g-dev libjansson-dev libexpat1-dev"
# Several processes: one MPI is enough.
build_packages="$build_packages libopenmpi-dev openmpi-bin"
window_packages="libgl1-mesa-dri libegl1 librsvg2-common adwaita-icon-theme dconf-gsettings-backend shared-mime-info"
test_packages="xvfb xauth dbus dbus-x11 at-spi2-core python3-gi python3-pyatspi gir1.2-atspi-2.0 xdotool imagemagick
  appstream-util fonts-dejavu-core clang-format qemu-user"

# Installs what is not there of the packages named.
install_missing() {
  local missing="" package
  for package in "$@"; do
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing="$missing $package"
  done
  [ -n "$missing" ] || return 0
  local as_root=""
  if [ "$(id -u)" != 0 ]; then
    if ! command -v sudo >/dev/null; then
      echo "These packages are missing, and there is no sudo to install them with:$missing" >&2
      return 1
    fi
    as_root=sudo
  fi
  echo "Installing:$missing"
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq update
  # shellcheck disable=SC2086
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends $missing
}
