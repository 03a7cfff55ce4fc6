"""The description of the API: names of what is there, with the bounds of the server."""

from __future__ import annotations

from jsonschema import Draft202012Validator

from autostatistician.forms import COMPUTED, QUESTIONS
from autostatistician.web.openapi import openapi
from autostatistician.web.tables import Bounds


def test_bounds_are_those_of_the_server() -> None:
    new = openapi(Bounds(seconds=77, megabytes=3))["paths"]["/api/reports"]["post"]
    (budget,) = [parameter for parameter in new["parameters"] if parameter["name"] == "budget"]
    assert budget["schema"]["maximum"] == 77
    assert "at most 3 MB" in new["requestBody"]["description"]


def test_every_operation_has_words_and_says_how_it_fails() -> None:
    for path, methods in openapi(Bounds())["paths"].items():
        for operation in methods.values():
            assert operation["summary"].endswith("."), path
            assert "default" in operation["responses"]
            named = {parameter["name"] for parameter in operation["parameters"] if parameter["in"] == "path"}
            assert named == {part[1:-1] for part in path.split("/") if part.startswith("{")}


def test_questions_are_all_of_them_and_schemas_are_schemas() -> None:
    described = openapi(Bounds())
    parameters = described["paths"]["/api/reports/{id}/answers/{question}"]["get"]["parameters"]
    (question,) = [parameter for parameter in parameters if parameter["name"] == "question"]
    assert question["schema"]["enum"] == [*QUESTIONS, *COMPUTED]
    for schema in described["components"]["schemas"].values():
        Draft202012Validator.check_schema(schema)
