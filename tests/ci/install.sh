#!/bin/sh
# Installs what building and testing gpulint needs on Debian 12. Does nothing, quickly, where all of it is there.
#     sh tests/ci/install.sh [MORE PACKAGES]...
set -eu

packages="g++ cmake ninja-build pkg-config git ccache python3 python3-yaml python3-jsonschema
  libyaml-dev libyaml-cpp-dev nlohmann-json3-dev libre2-dev libfmt-dev libcli11-dev libcpp-httplib-dev libssl-dev
  libutf8proc-dev doctest-dev libbenchmark-dev libxml2-utils $*"

missing=""
for package in $packages; do
  dpkg-query --show --showformat '${Status}' "$package" 2>/dev/null | grep -q 'install ok installed' || missing="$missing $package"
done
[ -n "$missing" ] || exit 0

as_root=""
[ "$(id -u)" -eq 0 ] || as_root=sudo
export DEBIAN_FRONTEND=noninteractive
echo "installing:$missing"
$as_root apt-get update -qq
# shellcheck disable=SC2086 # a list of words
$as_root apt-get install -y -qq --no-install-recommends $missing >/dev/null
