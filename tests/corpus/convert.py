#!/usr/bin/env python3
"""Turns manifests into JSON as kubectl does, with another YAML library than gpulint's, for parity_test.

Reads file names from standard input, one a line. Writes one JSON object a line for every document with apiVersion and kind:
file, document (counted from 0) and, as texts: json, shuffled (keys of all mappings in another order), flow and block (YAML
without anchors and merge keys), defaulted (what an API server stores: defaults written out; only for built-in workloads).
A document that the library cannot read ends its file: what comes behind it is not compared.
"""
import copy, json, random, re, sys
import yaml

Loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
Dumper = getattr(yaml, "CSafeDumper", yaml.SafeDumper)


# Plain scalars are what kubectl's library makes of them, which is YAML 1.1 without base 60, with the floats of YAML 1.2;
# dates stay texts. https://yaml.org/type/ describes the types, sigs.k8s.io/yaml the reader.
RESOLVERS = [
    ("tag:yaml.org,2002:bool", r"^(?:y|Y|yes|Yes|YES|n|N|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF)$", "yYnNtTfFoO"),
    ("tag:yaml.org,2002:float", r"^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$", "-+0123456789."),
    ("tag:yaml.org,2002:int", r"^[-+]?(?:0b[01_]+|0o?[0-7_]+|0|[1-9][0-9_]*|0x[0-9a-fA-F_]+)$", "-+0123456789"),
    ("tag:yaml.org,2002:null", r"^(?:~|null|Null|NULL|)$", ["~", "n", "N", ""]),
    ("tag:yaml.org,2002:merge", r"^(?:<<)$", ["<"]),
]


class KubeLoader(Loader):
    """The loader with kubectl's idea of plain scalars."""


class KubeDumper(Dumper):
    """Writes so that KubeLoader reads the same values again; repeats nothing by aliases."""

    def ignore_aliases(self, data):
        return True


for kind in (KubeLoader, KubeDumper):
    kind.yaml_implicit_resolvers = {}
    # The first that matches wins: an integer is also the text of a float.
    for tag, pattern, first in sorted(RESOLVERS, key=lambda r: r[0].endswith("float")):
        kind.add_implicit_resolver(tag, re.compile(pattern), list(first))


def construct_bool(loader, node):
    return node.value.lower() in ("y", "yes", "true", "on")


def construct_int(loader, node):
    text = node.value.replace("_", "")
    sign = -1 if text.startswith("-") else 1
    digits = text.lstrip("+-")
    if digits.startswith(("0x", "0b", "0o")):
        return sign * int(digits, 0)
    if digits != "0" and digits.startswith("0"):
        return sign * int(digits, 8)
    return sign * int(digits)


KubeLoader.add_constructor("tag:yaml.org,2002:bool", construct_bool)
KubeLoader.add_constructor("tag:yaml.org,2002:int", construct_int)


def key_text(key):
    if isinstance(key, bool):
        return "true" if key else "false"
    if key is None or isinstance(key, (list, dict, tuple)):
        raise ValueError("a key that JSON does not have")
    return key if isinstance(key, str) else json.dumps(key)


def as_json(value):
    """The value with the keys that JSON has; copies, so that nothing is shared."""
    if isinstance(value, dict):
        return {key_text(k): as_json(v) for k, v in value.items()}
    if isinstance(value, list):
        return [as_json(v) for v in value]
    if value is None or isinstance(value, (str, int, float)):
        return value
    raise ValueError(f"a {type(value).__name__}, which JSON does not have")


def documents(path):
    """(index, value) of the documents of a file, up to the first that cannot be read."""
    with open(path, "rb") as file:
        loader = KubeLoader(file.read())
    try:
        index = 0
        while loader.check_node():
            node = loader.get_node()
            try:
                yield index, as_json(loader.construct_document(node))
            except (yaml.YAMLError, ValueError, TypeError):
                pass
            index += 1
    except yaml.YAMLError:
        return
    finally:
        loader.dispose()


def shuffled(value, chance):
    if isinstance(value, dict):
        items = list(value.items())
        chance.shuffle(items)
        return {k: shuffled(v, chance) for k, v in items}
    if isinstance(value, list):
        return [shuffled(v, chance) for v in value]
    return value


# What the API server writes out for built-in workloads (k8s.io/kubernetes pkg/apis/{core,apps,batch}/v1/defaults.go).
PROBE = {"timeoutSeconds": 1, "periodSeconds": 10, "successThreshold": 1, "failureThreshold": 3}
POD = {"dnsPolicy": "ClusterFirst", "schedulerName": "default-scheduler", "securityContext": {}, "terminationGracePeriodSeconds": 30}
WORKLOADS = {
    "Deployment": {"replicas": 1, "revisionHistoryLimit": 10, "progressDeadlineSeconds": 600, "strategy": {"type": "RollingUpdate"}},
    "StatefulSet": {"replicas": 1, "revisionHistoryLimit": 10, "podManagementPolicy": "OrderedReady",
                    "updateStrategy": {"type": "RollingUpdate", "rollingUpdate": {"partition": 0}}},
    "DaemonSet": {"revisionHistoryLimit": 10,
                  "updateStrategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": 0, "maxUnavailable": 1}}},
    "ReplicaSet": {"replicas": 1},
    "Job": {"completions": 1, "parallelism": 1, "backoffLimit": 6, "completionMode": "NonIndexed", "suspend": False},
}
BUILT_IN = ("v1", "apps/v1", "batch/v1")
CONTAINER_FIELDS = set("""name image command args workingDir ports envFrom env resources resizePolicy restartPolicy volumeMounts volumeDevices
    livenessProbe readinessProbe startupProbe lifecycle terminationMessagePath terminationMessagePolicy imagePullPolicy securityContext
    stdin stdinOnce tty""".split())


def fill(target, defaults):
    for key, value in defaults.items():
        if target.get(key) is None:
            target[key] = copy.deepcopy(value)


def default_container(container, copies_limits):
    if set(container) - CONTAINER_FIELDS:
        raise KeyError("a field that the server would drop")
    image = container.get("image")
    if isinstance(image, str):
        name = image.rsplit("/", 1)[-1]
        pulls = "@" not in name and (":" not in name or name.endswith(":latest"))
        fill(container, {"imagePullPolicy": "Always" if pulls else "IfNotPresent"})
    fill(container, {"terminationMessagePath": "/dev/termination-log", "terminationMessagePolicy": "File", "resources": {}})
    for probe in ("livenessProbe", "readinessProbe", "startupProbe"):
        if isinstance(container.get(probe), dict):
            fill(container[probe], PROBE)
    for port in container.get("ports") or []:
        fill(port, {"protocol": "TCP"})
    limits = container["resources"].get("limits")
    if copies_limits and limits:
        # A request without a value is one of 0, and stays.
        container["resources"]["requests"] = {**limits, **(container["resources"].get("requests") or {})}


def default_pod(spec, restart, copies_limits):
    fill(spec, POD)
    fill(spec, {"restartPolicy": restart} if restart else {})
    for key in ("initContainers", "containers"):
        for container in spec.get(key) or []:
            default_container(container, copies_limits)
    for volume in spec.get("volumes") or []:
        if isinstance(volume.get("hostPath"), dict):
            fill(volume["hostPath"], {"type": ""})


def default_object(value):
    kind, spec = value["kind"], value["spec"]
    if kind == "Pod":
        default_pod(spec, "Always", copies_limits=True)
    elif kind == "CronJob":
        fill(spec, {"concurrencyPolicy": "Allow", "suspend": False})
        default_pod(spec["jobTemplate"]["spec"]["template"]["spec"], None, copies_limits=False)
    else:
        fill(spec, WORKLOADS[kind])
        if kind == "Deployment":
            fill(spec["strategy"], {"type": "RollingUpdate"})
            if spec["strategy"]["type"] == "RollingUpdate":
                fill(spec["strategy"], {"rollingUpdate": {}})
                fill(spec["strategy"]["rollingUpdate"], {"maxSurge": "25%", "maxUnavailable": "25%"})
        default_pod(spec["template"]["spec"], None if kind == "Job" else "Always", copies_limits=False)


def defaulted(value):
    """The object as the API server would store it; None where it is no built-in workload, or would not be stored as it is."""
    if value.get("apiVersion") not in BUILT_IN or value.get("kind") not in ("Pod", "CronJob", *WORKLOADS):
        return None
    result = copy.deepcopy(value)
    try:
        default_object(result)
    except (AttributeError, KeyError, TypeError):
        return None
    return result


def text(value):
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def main():
    for path in sys.stdin.read().splitlines():
        for index, value in documents(path):
            if not (isinstance(value, dict) and isinstance(value.get("apiVersion"), str) and isinstance(value.get("kind"), str)):
                continue
            try:
                row = {"file": path, "document": index, "json": text(value), "shuffled": text(shuffled(value, random.Random(path)))}
            except ValueError:  # not a number, infinity: no JSON
                continue
            row["flow"] = "---\n" + yaml.dump(value, Dumper=KubeDumper, default_flow_style=True, sort_keys=False, allow_unicode=True, width=1000)
            row["block"] = yaml.dump(value, Dumper=KubeDumper, default_flow_style=False, sort_keys=False, allow_unicode=True)
            stored = defaulted(value)
            if stored is not None:
                row["defaulted"] = text(stored)
            print(json.dumps(row))


if __name__ == "__main__":
    main()
