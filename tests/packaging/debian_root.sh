#!/usr/bin/env bash
# debian_root.sh DIRECTORY RELEASE CACHE: a minimal Debian root in DIRECTORY, with this machine's way to packages. Made once and kept in CACHE.
# Needs root, debootstrap and a Debian mirror.
set -euo pipefail

[ $# -eq 3 ] || { echo "usage: debian_root.sh DIRECTORY RELEASE CACHE" >&2; exit 2; }
directory=$1 release=$2 cache=$3
mirror=$(apt-get indextargets --format '$(SITE)' | grep -m 1 '^http') || mirror=

mkdir -p "$directory" "$cache"
if [ ! -f "$cache/base-$release.tar" ]; then
  rm -rf "$cache/base"
  debootstrap --variant=minbase "$release" "$cache/base" ${mirror:+"$mirror"} >"$cache/debootstrap.log"
  tar -C "$cache/base" -cf "$cache/base-$release.tar.new" . && rm -rf "$cache/base"
  mv "$cache/base-$release.tar.new" "$cache/base-$release.tar"
fi
tar -C "$directory" -xf "$cache/base-$release.tar"
for file in /etc/resolv.conf /etc/apt/apt.conf.d/*proxy*; do [ ! -f "$file" ] || cp "$file" "$directory$file"; done
