#!/usr/bin/env bash
# Makes the skeleton of a rule: rules/checks/<id>.cc with every member of its metadata, and testdata/rules/<id>/{bad,good}.yaml.
# Nothing else has to be touched: CMake takes the list of rules from the folder, the catalogue and the tests from the list.
#
#   rules/new_rule.sh ID        for example: rules/new_rule.sh missing-node-selector
set -euo pipefail

fail() {
  echo "new_rule.sh: $*" >&2
  exit 2
}

[ $# -eq 1 ] || fail "give one id, for example missing-node-selector"
id=$1
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
source=$root/rules/checks/$id.cc
samples=$root/testdata/rules/$id

[[ $id =~ ^[a-z][a-z0-9]*(-[a-z0-9]+)+$ ]] || fail "'$id' is no rule id: two or more lower-case words joined by '-', named after the pattern it finds"
# It becomes the second part of an annotation key (ignore.gpulint.dev/<id>), which the API limits to 63 characters.
[ ${#id} -le 63 ] || fail "'$id' is longer than 63 characters"
[ ! -e "$source" ] || fail "rule $id exists: $source"
[ ! -e "$samples" ] || fail "samples of $id exist: $samples"
for family in "$root"/rules/checks/*_family.rules; do
  [ -e "$family" ] || continue
  ! grep -qxF "$id" "$family" || fail "rule $id exists: it is in $family"
done

symbol=${id//-/_}
mkdir -p "$samples"
cat > "$source" <<EOF
#include "rules/engine/context.h"
#include "rules/kube/pod_template.h"

namespace gpulint::checks {
namespace {

void check(const Container& container, const PodTemplate& pod, Context& context) {
  const Ask* ask = container.first_ask();
  if (!ask || pod.infrastructure) return;
  context.warning(ask->node, "{}: asks for {} and ...", container.label(), ask->resource);
}

constexpr std::string_view kSources[] = {
    "An API field, a vendor's document, or owner/repository#number",
};

}  // namespace

extern constinit const Rule $symbol{
    .id = "$id",
    .group = Group::resources,
    .severity = Severity::warning,
    .fixability = Fixability::no,
    .summary = "One sentence: when it fires.",
    .rationale = "One paragraph: why it matters.",
    .remediation = "One or two sentences: what to do.",
    .details = "Severities case by case, and what is no finding.",
    .parameters = {},
    .sources = kSources,
    .words = {},
    .check = on_container<check>,
};

}  // namespace gpulint::checks
EOF
pod() {
  cat <<EOF
apiVersion: v1
kind: Pod
metadata:
  name: sample
spec:
  containers:
  - name: main
    image: example/sample:1.0
EOF
}
{ pod; printf '    resources:\n      limits:\n        nvidia.com/gpu: 1\n'; } > "$samples/bad.yaml"
pod > "$samples/good.yaml"

echo "$source"
echo "$samples/bad.yaml   the smallest manifest with this finding and no other warning or error"
echo "$samples/good.yaml  a near miss: no finding of this rule"
echo "Fill them in, build, and write the goldens by GPULINT_UPDATE=1 of the fixtures test."
