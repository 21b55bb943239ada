#!/usr/bin/env python3
"""Where YAML files go against a JSON Schema, as an editor would show it.

    tests/config_schema/validate.py SCHEMA FILE...

Prints a line for each file: its name, then the JSON pointers of what is wrong, an unknown key by its own; nothing more where it is valid.
"""
import sys

import jsonschema
import yaml


class Loader(yaml.SafeLoader):
    """Scalars as YAML 1.2 has them, which is what editors do: `off` and `2027-03-01` are strings."""


Loader.yaml_implicit_resolvers = {
    first: [(tag, pattern) for tag, pattern in resolvers if tag in ("tag:yaml.org,2002:int", "tag:yaml.org,2002:float", "tag:yaml.org,2002:null")]
    for first, resolvers in yaml.SafeLoader.yaml_implicit_resolvers.items()
}
for word in ("true", "false"):
    Loader.yaml_implicit_resolvers.setdefault(word[0], []).append(("tag:yaml.org,2002:bool", yaml.resolver.Resolver.yaml_implicit_resolvers["t"][0][1]))


def pointer(path):
    return "".join(f"/{token}" for token in path)


def places(error, before=()):
    """The places of an error: of alternatives, those of the one whose form fits."""
    path = (*before, *error.relative_path)
    if error.validator == "additionalProperties":
        return [pointer((*path, key)) for key in error.instance if key not in error.schema["properties"]]
    alternatives = {}
    for inner in error.context or []:
        alternatives.setdefault(inner.relative_schema_path[0], []).append(inner)
    for inner in alternatives.values():
        found = [place for one in inner for place in places(one, path)]
        if all(place != pointer(path) for place in found):
            return found
    return [pointer(path)]


def main():
    with open(sys.argv[1], encoding="utf-8") as text:
        schema = yaml.safe_load(text)
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)
    for name in sys.argv[2:]:
        with open(name, encoding="utf-8") as text:
            found = {place for error in validator.iter_errors(yaml.load(text, Loader)) for place in places(error)}
        print(" ".join([name, *sorted(place or "/" for place in found)]))


if __name__ == "__main__":
    main()
