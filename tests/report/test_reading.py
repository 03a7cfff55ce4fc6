"""What is printed and written for machines follows the published schemas and is read back as it was."""

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from jsonschema import Draft202012Validator, ValidationError
from numpy.typing import NDArray
from tests.decompose.table import classes, several, tables
from tests.describe import cluster_cases, factory
from tests.describe.covariate_cases import PRICE, PROMO, with_columns
from tests.fitted import saving
from tests.schemas import check

from autostatistician.describe.document.document import Band, Figure, Line, Marker, Points
from autostatistician.describe.tell import Described, answer, document, result
from autostatistician.errors import InputError
from autostatistician.forms import QUESTIONS
from autostatistician.report.jsonform import (
    SCHEMAS,
    read_answer,
    read_forecast,
    read_report,
    read_search,
    schema,
    to_json,
)

MODELS: dict[str, Callable[[], Described]] = {
    "series": factory.airline,
    "columns": lambda: with_columns(PROMO, PRICE),
    "table": lambda: tables.decomposition(tables.model(), tables.dataset(60)),
    "classes": lambda: classes.decomposition(40),
    "several classes": lambda: several.found(30),
    "several classes over time": lambda: several.found_over_time(36),
    "clusters": cluster_cases.found,
}


@cache
def _described(name: str) -> Described:
    return MODELS[name]()


@pytest.mark.parametrize("name", SCHEMAS)
def test_schemas_are_schemas_and_name_themselves(name: str) -> None:
    Draft202012Validator.check_schema(schema(name))
    assert schema(name)["$id"].endswith(name)


def test_there_is_no_other_schema() -> None:
    with pytest.raises(InputError, match="a schema among facts-1"):
        schema("../jsonform")


@pytest.mark.slow
@pytest.mark.parametrize("name", MODELS)
def test_reports_follow_their_schema(name: str) -> None:
    check(json.loads(to_json(document(_described(name)))), "report-3")


@pytest.mark.parametrize("name", [name for name in MODELS if name != "clusters"])
def test_records_follow_their_schema_and_are_read(name: str) -> None:
    record = json.loads(json.dumps(result(_described(name))))
    check(record, "search-1")
    read = read_search(json.dumps(record))
    assert (read.expression, read.n, len(read.facts)) == (record["expression"], record["n"], len(record["facts"]))
    expected = record["sentences"] if "each" in record else [part["sentence"] for part in record["components"]]
    assert list(read.sentences) == expected


def test_a_record_of_clusters_follows_its_schema() -> None:
    check(json.loads(json.dumps(result(_described("clusters")))), "clusters-1")


@pytest.mark.parametrize("name", SCHEMAS)
def test_every_schema_is_on_the_page_of_schemas(name: str) -> None:
    assert f"`{name}`" in (Path(__file__).parents[2] / "docs" / "reference" / "json.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", [name for name in MODELS if name != "clusters"])
def test_every_kind_of_model_answers_by_the_schema(name: str) -> None:
    for question in ("what", "columns", "sure"):
        check(answer(_described(name), question).to_json(), "answer-1")  # type: ignore[arg-type]


@pytest.mark.parametrize("question", QUESTIONS)
def test_answers_follow_their_schema_and_are_read(question: str) -> None:
    told = answer(factory.airline(), question)
    check(told.to_json(), "answer-1")
    read = read_answer(json.dumps(told.to_json()))
    assert (read.sentences, read.target) == (told.sentences, told.target)
    assert [vars(number) for number in read.numbers] == [vars(number) for number in told.numbers]


DOCUMENTS = sorted(path for path in saving.FOLDER.glob("*/documents/*.json"))
READERS = {"answer": read_answer, "forecast": read_forecast, "report": read_report, "search": read_search}


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: f"{path.parents[1].name} {path.stem}")
def test_what_every_version_wrote_is_read(path: Path) -> None:
    assert READERS[path.stem](path)


def test_one_document_of_each_kind_is_kept() -> None:
    assert {path.stem for path in DOCUMENTS} == set(READERS)


def test_a_number_without_a_sentence_is_no_number() -> None:
    told = answer(factory.airline(), "what").to_json()
    told["numbers"] = [{"fact": "rise", "number": 1.0}]
    with pytest.raises(ValidationError, match="required"):
        check(told, "answer-1")


def test_the_figures_of_a_report_are_those_of_its_document(tmp_path: Path) -> None:
    made = document(factory.airline())
    (tmp_path / "report.json").write_text(to_json(made), encoding="utf-8")
    read = read_report(tmp_path / "report.json")
    assert (read.title, read.record["n"]) == (made.title, 144)
    figures = [block for part in made.sections for block in part.blocks if isinstance(block, Figure)]
    assert figures
    for figure in figures:
        for panel, kept in zip(figure.panels, read.figures[figure.id]["panels"], strict=True):
            scale = np.log if panel.logarithmic else np.asarray
            most = 5e-4 * np.ptp(np.concatenate([scale(y) for layer in panel.layers for y in _heights(layer).values()]))
            for layer, other in zip(panel.layers, kept["layers"], strict=True):
                for name, heights in _heights(layer).items():
                    np.testing.assert_allclose(scale(other[name]), scale(heights), atol=most, rtol=0.0)
                    assert (len(other["x"]), other["x"].dtype.kind) == (len(layer.x), layer.x.dtype.kind)


def _heights(layer: Points | Line | Band | Marker) -> dict[str, NDArray[np.float64]]:
    names = {"y"} if isinstance(layer, Points | Line) else {"lower", "upper"} if isinstance(layer, Band) else set()
    return {name: getattr(layer, name) for name in names}


def test_a_report_of_the_format_before_is_read() -> None:
    value = json.loads(to_json(document(factory.airline())))
    axes = value.pop("axes")

    def in_place(sections: list[dict[str, object]]) -> None:
        for part in sections:
            for block in part["blocks"]:  # type: ignore[attr-defined]
                for panel in block.get("panels", ()):
                    for layer in panel["layers"]:
                        layer["x"] = axes.get(layer["x"], layer["x"])
            in_place(part["sections"])  # type: ignore[arg-type]

    value["sections"] += value.pop("found")
    value["sections"][0]["blocks"].insert(0, value.pop("picture"))
    in_place(value["sections"])
    value["format"] = "autostatistician report 1"
    old, new = read_report(json.dumps(value)), read_report(to_json(document(factory.airline())))
    np.testing.assert_array_equal(_first_x(old.figures), _first_x(new.figures))


def _first_x(figures: object) -> object:
    return next(iter(figures.values()))["panels"][0]["layers"][0]["x"]  # type: ignore[attr-defined]


def test_forecasts_of_numbers_and_of_classes_are_read() -> None:
    rows = [{"time": "2020-01-01", "mean": 1.5, "std": 0.5, "lower": 0.5, "upper": 2.5}]
    value = {"format": "autostatistician forecast 1", "forecast": rows, "output": None}
    check(value, "forecast-1")
    (row,) = read_forecast(json.dumps(value))
    assert (row.time, row.mean, row.label) == ("2020-01-01", 1.5, None)
    value["forecast"] = [{"time": 3, "probability": 0.9, "lower": 0.5, "upper": 0.95, "class": "yes"}]
    check(value, "forecast-1")
    assert read_forecast(json.dumps(value))[0].label == "yes"


def test_readers_say_what_they_were_given(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="of the format 'autostatistician answer 1'"):
        read_answer('{"format": "autostatistician forecast 1"}')
    with pytest.raises(InputError, match="expected JSON"):
        read_report("{broken")
    with pytest.raises(InputError, match="a readable file"):
        read_search(tmp_path / "none.json")
    assert read_search(json.dumps({k: v for k, v in result(factory.airline()).items() if k != "format"})).n == 144
