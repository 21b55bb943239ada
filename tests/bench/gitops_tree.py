#!/usr/bin/env python3
"""Writes a tree like a GitOps repository: many small applications, one file in twenty with a GPU in it.

    gitops_tree.py FOLDER [--files 15000] [--one-in 20]

The same arguments give the same bytes. The applications are plain ones (Deployment, Service, ConfigMap, Ingress), about 2 kB a file.
"""
import argparse, pathlib, random

NAMES = "billing catalog search profile gateway mailer ledger pricing basket stock audit report session upload render".split()
TEAMS = "payments storefront platform data identity".split()

DEPLOYMENT = """apiVersion: apps/v1
kind: Deployment
metadata:
  name: {name}
  namespace: {team}
  labels: {{app.kubernetes.io/name: {name}, app.kubernetes.io/part-of: {team}}}
spec:
  replicas: {replicas}
  selector:
    matchLabels:
      app.kubernetes.io/name: {name}
  template:
    metadata:
      labels:
        app.kubernetes.io/name: {name}
      annotations:
        checksum/config: "{digest:064x}"
    spec:
      serviceAccountName: {name}
      securityContext:
        runAsNonRoot: true
        seccompProfile: {{type: RuntimeDefault}}
      containers:
        - name: {name}
          image: example.com/{team}/{name}:1.{minor}.{patch}
          args: ["--listen=:8080", "--log-level=info"]
          ports:
            - {{name: http, containerPort: 8080}}
          envFrom:
            - configMapRef: {{name: {name}}}
          readinessProbe:
            httpGet: {{path: /ready, port: http}}
            periodSeconds: 5
          resources:
            requests: {{cpu: 100m, memory: 128Mi}}
            limits:
              memory: 512Mi
{gpu}"""

REST = """---
apiVersion: v1
kind: Service
metadata:
  name: {name}
  namespace: {team}
spec:
  selector:
    app.kubernetes.io/name: {name}
  ports:
    - {{name: http, port: 80, targetPort: http}}
---
apiVersion: v1
kind: ConfigMap
metadata:
  name: {name}
  namespace: {team}
data:
  DATABASE_HOST: {team}-primary.database.svc
  CACHE_HOST: {team}-cache.cache.svc
  FEATURES: "{features}"
  # Changed by the release pipeline.
  RELEASE: "1.{minor}.{patch}"
"""


def manifest(chance, with_gpu):
    values = {
        "name": f"{chance.choice(NAMES)}-{chance.randrange(10_000)}",
        "team": chance.choice(TEAMS),
        "replicas": chance.randrange(1, 6),
        "digest": chance.getrandbits(256),
        "minor": chance.randrange(40),
        "patch": chance.randrange(20),
        "features": ",".join(chance.choices(NAMES, k=chance.randrange(1, 12))),
        "gpu": "              nvidia.com/gpu: 1\n" if with_gpu else "",
    }
    return (DEPLOYMENT + REST).format(**values)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--files", type=int, default=15_000)
    parser.add_argument("--one-in", type=int, default=20)
    arguments = parser.parse_args()
    chance = random.Random(arguments.files)
    for number in range(arguments.files):
        folder = arguments.folder / f"cluster-{number % 7}" / f"apps-{number // 7 % 100}"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"app-{number}.yaml").write_text(manifest(chance, number % arguments.one_in == 0), encoding="utf8")


if __name__ == "__main__":
    main()
