"""Values checked against the published schemas."""

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
