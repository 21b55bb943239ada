#!/usr/bin/env bash
# pre_commit.sh GPULINT: runs both hooks with the real pre-commit in a scratch repository: the one that builds gpulint from this repository, and
# the one that takes the GPULINT given. Needs a Python package index, as pip is set up.
set -euo pipefail

[ $# -eq 1 ] || { echo "usage: pre_commit.sh GPULINT" >&2; exit 2; }
gpulint=$(realpath "$1")
cd "$(dirname "$0")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export PRE_COMMIT_HOME=$work/cache
# Where the clone lies changes with each run; the cache of compiled objects is to know it again all the same.
export CCACHE_BASEDIR=$PRE_COMMIT_HOME

fail() { echo "pre_commit.sh: $1" >&2; cat "$work/out" >&2; exit 1; }
git_in() { git -C "$1" -c user.name=test -c user.email=test@example.com -c init.defaultBranch=main "${@:2}"; }

# This work tree as a repository with one commit, whatever is committed of it.
mkdir "$work/source" "$work/scratch" "$work/bin"
git ls-files -z --cached --others --exclude-standard | while IFS= read -r -d '' file; do [ ! -e "$file" ] || printf '%s\0' "$file"; done |
  tar --null --files-from=- -cf - | tar -C "$work/source" -xf -
git_in "$work/source" init --quiet
git_in "$work/source" add --all
git_in "$work/source" commit --quiet --message source
ln -s "$gpulint" "$work/bin/gpulint"

cd "$work/scratch"
git_in . init --quiet
cp "$work/source/testdata/rules/docker-gpus-flag/bad.yaml" bad.yaml
cp "$work/source/testdata/rules/docker-gpus-flag/good.yaml" good.yaml
printf 'apiVersion: v1\nkind: Pod\nspec: {gpu: [}\n' >broken.yaml
printf 'nvidia.com/gpu\n' >notes.txt

judge() { # STATUS FILE PART: pre-commit's own status, and a part of what it prints
  local status=0
  PATH=$work/bin:$PATH pre-commit run --files "$2" >"$work/out" 2>&1 || status=$?
  [ "$status" -eq "$1" ] || fail "$2: status $status"
  grep -qF "$3" "$work/out" || fail "$2: no \"$3\""
}

for hook in gpulint-system gpulint; do
  echo "== $hook"
  cat >.pre-commit-config.yaml <<CONFIG
repos:
  - repo: $work/source
    rev: $(git -C "$work/source" rev-parse HEAD)
    hooks:
      - id: $hook
CONFIG
  git_in . add --all
  pre-commit validate-config .pre-commit-config.yaml
  judge 1 bad.yaml '[docker-gpus-flag]'
  judge 0 good.yaml Passed
  judge 1 broken.yaml 'broken.yaml:3'
  judge 0 notes.txt Skipped
done
pre-commit validate-manifest "$work/source/.pre-commit-hooks.yaml"

echo "== what gpulint init writes"
rm .pre-commit-config.yaml
"$gpulint" init >"$work/out"
pre-commit validate-config .pre-commit-config.yaml
git_in . add --all
judge 1 bad.yaml '[docker-gpus-flag]'
judge 0 good.yaml Passed
