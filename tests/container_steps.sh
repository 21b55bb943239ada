#!/usr/bin/env bash
# container_steps.sh FOLDER: executes webhook/Containerfile without a container engine: each stage in a Debian root made by debootstrap,
# RUN by chroot, COPY by cp; then runs the programs of the last stage as its user. Needs root, debootstrap and a Debian mirror.
set -euo pipefail

[ $# -eq 1 ] || { echo "usage: container_steps.sh FOLDER" >&2; exit 2; }
repository=$(cd "$(dirname "$0")/.." && pwd)
folder=$(mkdir -p "$1" && cd "$1" && pwd)
user=

copy() { # arguments of COPY
  local from=$repository
  case $1 in --from=*) from=$folder/stage-${1#--from=}; shift ;; esac
  local target=$root${!#}
  mkdir -p "$target"
  while [ $# -gt 1 ]; do
    if [ "$1" = . ]; then tar -C "$from" --exclude=./.git --exclude='./build*' -cf - . | tar -C "$target" -xf -; else cp -a "$from$1" "$target"; fi
    shift
  done
}

step() { # one instruction, its continuation lines joined
  local word=${1%% *} rest=${1#* }
  echo "== $1"
  case $word in
    FROM)
      local name=last image
      image=${rest%% *}
      case $rest in *" AS "*) name=${rest##* AS } ;; esac
      root=$folder/stage-$name
      rm -rf "$root"
      image=${image#debian:}
      bash "$repository/tests/packaging/debian_root.sh" "$root" "${image%-slim}" "$folder"
      ;;
    RUN) DEBIAN_FRONTEND=noninteractive PATH=/usr/sbin:/usr/bin:/sbin:/bin chroot "$root" /bin/sh -c "$rest" >"$folder/run.log" 2>&1 || { tail -40 "$folder/run.log" >&2; exit 1; } ;;
    COPY) eval "copy $rest" ;;
    USER) user=$rest ;;
    EXPOSE | ENTRYPOINT) ;;
    *) echo "container_steps.sh: $word is not known here" >&2; exit 1 ;;
  esac
}

line=
while IFS= read -r next; do
  case $next in '#'* | '') continue ;; esac
  line+=${next%\\}
  case $next in *\\) continue ;; esac
  step "$(printf '%s' "$line" | tr -s ' ')"
  line=
done <"$repository/webhook/Containerfile"

[ -n "$user" ] || { echo "the image runs as root" >&2; exit 1; }
for program in gpulint gpulint-webhook; do chroot --userspec="$user" "$root" /usr/bin/$program --version; done
chroot --userspec="$user" "$root" /usr/bin/sleep 0
status=0
chroot --userspec="$user" "$root" /usr/bin/gpulint-webhook >/dev/null 2>&1 || status=$?
[ "$status" -eq 2 ] || { echo "without options it ends with $status, not 2" >&2; exit 1; }
echo "== size of the last stage: $(du -sm "$root" | cut -f1) MiB, programs: $(du -shc "$root"/usr/bin/gpulint* | tail -1 | cut -f1)"
