#!/usr/bin/env bash
# Builds and runs the benchmarks: throughput on one core, a GitOps tree against ripgrep, memory, start-up.
# Every figure stands beside a reference measured in the same run: compare ratios, not seconds.
#     bash tests/bench/run_bench.sh [BUILD FOLDER]
set -euo pipefail
cd "$(dirname "$0")/../.."

build=${1:-build-bench}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DGPULINT_BENCH=ON -DGPULINT_TESTS=OFF >/dev/null
cmake --build "$build" --target gpulint throughput_bench >/dev/null
gpulint=$PWD/$build/gpulint

"$build/throughput_bench" --benchmark_min_time=0.5 2>/dev/null

python3 tests/bench/gitops_tree.py "$scratch/tree" --files 15000
python3 tests/bench/gitops_tree.py "$scratch/small" --files 1500

# The words that gpulint's own filter looks for, as far as this tree is concerned.
words='nvidia|amd\.com/|gpu|cuda|habana\.ai|neuron|google\.com/tpu|visible_devices'
search="rg --no-ignore --no-config -l -i '$words' $scratch/tree"
lint="$gpulint lint --no-config $scratch/tree"

python3 tests/bench/compare.py \
  --pair 'gpulint lint / ripgrep, 15,000 files' "$lint" "$search" \
  --memory 'gpulint lint, 1,500 files' "$gpulint lint --no-config $scratch/small" \
  --memory 'gpulint lint, 15,000 files' "$lint" \
  --memory 'ripgrep, 15,000 files' "$search" \
  --pair 'start: gpulint lint of one small Pod / true' "$gpulint lint --no-config testdata/cases/B04.yaml" true
