"""Values checked against the published schemas."""

import json
from typing import Any

from jsonschema import Draft202012Validator
from referencing import Registry, Resource

from autostatistician.report.jsonform import SCHEMAS, schema

REGISTRY: Any = Registry().with_resources(
    (schema(name)["$id"], Resource.from_contents(schema(name))) for name in SCHEMAS
)


def check(value: object, name: str) -> None:
    """Raise the first error where a value is not as a schema has it."""
    Draft202012Validator(schema(name), registry=REGISTRY).validate(value)


def check_printed(text: str) -> None:
    """Raise the first error where what a command prints with --json is not as the schema has it that it names."""
    value = json.loads(text)
    if "$schema" not in value:
        check(value, value["format"].removeprefix("autostatistician ").replace(" ", "-"))
