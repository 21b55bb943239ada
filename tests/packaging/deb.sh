#!/usr/bin/env bash
# deb.sh BUILD CACHE: makes the Debian packages of a build, checks them with lintian, installs them in a clean Debian root and runs what they hold.
# Needs root, debootstrap and a Debian mirror; the root is kept in CACHE.
set -euo pipefail

[ $# -eq 2 ] || { echo "usage: deb.sh BUILD CACHE" >&2; exit 2; }
cd "$(dirname "$0")/../.."
build=$(realpath "$1") cache=$(mkdir -p "$2" && realpath "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() { echo "deb.sh: $1" >&2; exit 1; }

echo "== packages"
(cd "$work" && umask 022 && cpack --config "$build/CPackConfig.cmake" -B "$work" >"$work/cpack.log" 2>&1) || { cat "$work/cpack.log" >&2; exit 1; }
tool=$(echo "$work"/gpulint_*.deb) webhook=$(echo "$work"/gpulint-webhook_*.deb)
for part in 'Depends: .*libc6 (>= ' 'Depends: .*libyaml-0-2' 'Depends: .*libre2-9'; do
  dpkg-deb --field "$tool" | grep -q "^$part" || fail "gpulint: no $part in $(dpkg-deb --field "$tool")"
done
dpkg-deb --field "$webhook" Depends | grep -q libssl3 || fail 'gpulint-webhook does not depend on OpenSSL'
dpkg-deb --field "$tool" Depends | grep -q libssl && fail 'gpulint depends on OpenSSL'
dpkg-deb --contents "$tool" | awk '{print $6}' | grep -v '/$' | sort >"$work/files"
diff - "$work/files" <<'FILES' || fail 'gpulint: other files than those expected'
./usr/bin/gpulint
./usr/share/bash-completion/completions/gpulint
./usr/share/doc/gpulint/README.md
./usr/share/doc/gpulint/changelog.gz
./usr/share/doc/gpulint/copyright
./usr/share/doc/gpulint/rules.md
./usr/share/fish/vendor_completions.d/gpulint.fish
./usr/share/man/man1/gpulint.1.gz
./usr/share/zsh/vendor-completions/_gpulint
FILES
# gpulint-webhook is a server that an image starts: it has no manual page.
if command -v lintian >/dev/null; then lintian --allow-root --fail-on error,warning --suppress-tags no-manual-page "$tool" "$webhook"; else echo 'NOT checked by lintian'; fi

echo "== a clean root"
root=$work/root
bash tests/packaging/debian_root.sh "$root" bookworm "$cache"
cp "$tool" "$webhook" "$root/tmp/"
in_root() { PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 chroot "$root" "$@"; }
in_root sh -c 'apt-get update -qq && apt-get install -y -qq --no-install-recommends /tmp/*.deb' >"$work/apt.log" 2>&1 || { tail -30 "$work/apt.log" >&2; exit 1; }
in_root gpulint version
in_root gpulint-webhook --version
status=0
in_root gpulint lint --quiet - <testdata/rules/docker-gpus-flag/bad.yaml >"$work/findings" || status=$?
{ [ "$status" -eq 1 ] && grep -q docker-gpus-flag "$work/findings"; } || fail "judging ended with $status"
in_root sh -c 'dpkg --verify gpulint gpulint-webhook && apt-get purge -y -qq gpulint gpulint-webhook >/dev/null 2>&1 && test ! -e /usr/bin/gpulint && test ! -e /usr/share/doc/gpulint'
echo "== $(stat -c '%s bytes' "$tool"), with dependencies: $(dpkg-deb --field "$tool" Depends)"
