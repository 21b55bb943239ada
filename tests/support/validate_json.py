#!/usr/bin/python3
"""Validates the JSON on standard input against a JSON Schema: validate_json.py SCHEMA [--closed]

Prints each fault with its place; the status is 1 when there is one. --closed also refuses keys that an object's schema does not name: a report may
only have keys that are documented, while the schema leaves readers free to meet new ones."""
import json
import sys

import jsonschema


def close(schema):
    if isinstance(schema, dict):
        if "properties" in schema:
            schema.setdefault("additionalProperties", False)
        for value in schema.values():
            close(value)
    elif isinstance(schema, list):
        for value in schema:
            close(value)


with open(sys.argv[1], encoding="utf-8") as file:
    schema = json.load(file)
if "--closed" in sys.argv[2:]:
    close(schema)
kind = jsonschema.validators.validator_for(schema)
kind.check_schema(schema)
faults = sorted(kind(schema).iter_errors(json.load(sys.stdin.buffer)), key=lambda fault: [str(step) for step in fault.absolute_path])
for fault in faults:
    print("/" + "/".join(str(step) for step in fault.absolute_path), fault.message[:300], sep=": ")
sys.exit(1 if faults else 0)
