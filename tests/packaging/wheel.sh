#!/usr/bin/env bash
# wheel.sh FOLDER: builds the wheel into FOLDER and checks it: what it holds, what it links, and that pip, pipx and the GitHub action install a
# gpulint that runs. Needs a Python package index, as pip is set up. A compiler cache makes it minutes shorter (tests/ci/test.sh).
set -euo pipefail

[ $# -eq 1 ] || { echo "usage: wheel.sh FOLDER" >&2; exit 2; }
cd "$(dirname "$0")/../.."
folder=$(mkdir -p "$1" && cd "$1" && pwd)
rm -f "$folder"/*.whl
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() { echo "wheel.sh: $1" >&2; exit 1; }

echo "== build"
python3 -m venv "$work/build"
"$work/build/bin/pip" wheel --quiet --no-deps --wheel-dir "$folder" .
wheel=$(echo "$folder"/gpulint-*-py3-none-linux_*.whl)
[ -f "$wheel" ] || fail "no wheel for any Python 3 on Linux: $(ls "$folder")"

echo "== contents"
size=$(stat -c %s "$wheel")
[ "$size" -lt 10000000 ] || fail "$size bytes are too large"
python3 -m zipfile -e "$wheel" "$work/contents"
(cd "$work/contents" && find . -type f | sed -E 's|^./gpulint-[0-9.]+\.||' | sort) >"$work/files"
diff - "$work/files" <<'FILES' || fail 'other files than those expected'
data/data/share/bash-completion/completions/gpulint
data/data/share/fish/vendor_completions.d/gpulint.fish
data/data/share/man/man1/gpulint.1.gz
data/data/share/zsh/vendor-completions/_gpulint
data/scripts/gpulint
dist-info/METADATA
dist-info/RECORD
dist-info/WHEEL
dist-info/licenses/LICENSE
dist-info/licenses/libcli11-dev.txt
dist-info/licenses/libfmt-dev.txt
dist-info/licenses/libre2-dev.txt
dist-info/licenses/libutf8proc-dev.txt
dist-info/licenses/libyaml-dev.txt
dist-info/licenses/nlohmann-json3-dev.txt
FILES

program=$(echo "$work"/contents/gpulint-*.data/scripts/gpulint)
libraries=$(readelf -d "$program" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' | sort | tr '\n' ' ')
case $libraries in
  'ld-linux-x86-64.so.2 libc.so.6 libm.so.6 ' | 'libc.so.6 libm.so.6 ' | 'libc.so.6 ') ;;
  *) fail "links more than the C library: $libraries" ;;
esac
[ -z "$(nm "$program" 2>/dev/null)" ] || fail 'not stripped'

echo "== pip install"
python3 -m venv "$work/install"
"$work/install/bin/pip" install --quiet --no-index "$wheel"
"$work/install/bin/gpulint" version
if commit=$(git rev-parse --short HEAD 2>/dev/null); then
  "$work/install/bin/gpulint" version | grep -q "($commit, " || fail "the version does not name $commit"
fi
status=0
"$work/install/bin/gpulint" lint --quiet testdata/demo >"$work/findings" || status=$?
{ [ "$status" -eq 1 ] && grep -q docker-gpus-flag "$work/findings"; } || fail "judging ended with $status"

if command -v pipx >/dev/null; then
  echo "== pipx run"
  PIPX_HOME=$work/pipx pipx run --spec "$wheel" gpulint version
fi

echo "== the action installs"
python3 -c 'import sys, yaml; print(yaml.safe_load(open("action.yml"))["runs"]["steps"][0]["run"])' >"$work/step"
PACKAGE=$wheel RUNNER_TEMP=$work/runner GITHUB_PATH=$work/path bash -e "$work/step"
PATH=$(cat "$work/path"):$PATH gpulint version
echo "== $wheel: $size bytes"
