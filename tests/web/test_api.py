"""The API: a table becomes a report that answers questions, within the limits of the page."""

import asyncio
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from jsonschema import Draft202012Validator
from starlette.datastructures import UploadFile
from starlette.routing import Route
from starlette.testclient import TestClient
from tests.promoted import fitted
from tests.schemas import REGISTRY, check
from tests.there import there

from autostatistician.forms import COMPUTED, QUESTIONS
from autostatistician.web import queue
from autostatistician.web.api import Api, openapi
from autostatistician.web.app import make_app
from autostatistician.web.pool import Job, WorkerPool
from autostatistician.web.queue import RunQueue, Uploads
from autostatistician.web.store import RunState, Store
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


TABLE = "month,sales,cost\n" + "".join(f"2020-{month:02d},{month * 1.5},{month % 3}\n" for month in range(1, 13))
CSV = {"content-type": "text/csv"}
BOUNDS = Bounds(megabytes=1, rows=50, columns=6, waiting=2, seconds=60, depth=3)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "runs"


@pytest.fixture
def client(folder: Path) -> Iterator[TestClient]:
    """A program that asks a server which accepts runs and starts none."""
    with TestClient(make_app(folder, 0, BOUNDS), "http://localhost", raise_server_exceptions=False) as client:
        yield client


def sent(client: TestClient, content: str | bytes = TABLE, headers: dict[str, str] = CSV, **asked: str) -> Any:
    return client.post("/api/reports", content=content, headers=headers, params={"name": "sales.csv", **asked})


def report_schema(name: str) -> Draft202012Validator:
    return Draft202012Validator(openapi(BOUNDS)["components"]["schemas"][name], registry=REGISTRY)


def test_a_table_waits_for_its_turn_with_the_columns_that_were_named(client: TestClient, folder: Path) -> None:
    answer = sent(client, target="sales", time="month", budget="30", steps="4")
    assert answer.status_code == 202
    said = answer.json()
    report_schema("Report").validate(said)
    assert (said["state"], said["name"], answer.headers["location"]) == (
        "waiting", "sales.csv", f"/api/reports/{said['id']}",
    )  # fmt: skip
    run = there(Store(folder).get(said["id"]))
    wanted = {"time": "month", "target": "sales", "budget": 30, "steps": 4, "task": "auto", "depth": 3}
    assert wanted.items() <= run.settings.items()
    again = client.get(answer.headers["location"]).json()
    assert "key" not in again
    assert again == {name: value for name, value in said.items() if name != "key"}
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize(
    ("asked", "status", "expected"),
    [
        ({"target": "nothing"}, 400, "a column for the target among 'month', 'sales', 'cost'"),
        ({"budget": "4000"}, 400, "from 5 to 60 for 'budget'"),
        ({"task": "poem"}, 400, "a task among"),
        ({"where": "store=A"}, 400, "a column of keys"),
    ],
)
def test_what_cannot_be_asked_for_leaves_nothing(
    client: TestClient, folder: Path, asked: dict[str, str], status: int, expected: str
) -> None:
    answer = sent(client, **asked)
    assert (answer.status_code, expected in answer.json()["error"]) == (status, True)
    report_schema("Error").validate(answer.json())
    assert not any((folder / "runs").iterdir())


def test_several_series_are_chosen_by_their_keys(client: TestClient, folder: Path) -> None:
    rows = [f"{store},2020-{month:02d},{month}\n" for store in "AB" for month in range(1, 13)]
    answer = sent(client, "store,month,sales\n" + "".join(rows), where="store=B")
    run = there(Store(folder).get(answer.json()["id"]))
    assert run.settings["where"] == {"store": "B"}


def test_bodies_that_any_page_may_send_and_pages_of_others_are_refused(client: TestClient) -> None:
    for kind in ("text/plain", "multipart/form-data; boundary=x", "application/x-www-form-urlencoded"):
        assert sent(client, headers={"content-type": kind}).status_code == 415
    assert sent(client, headers=CSV | {"origin": "https://evil.example"}).status_code == 403
    assert sent(client, headers=CSV | {"sec-fetch-site": "cross-site"}).status_code == 403
    assert sent(client, headers=CSV | {"origin": "http://localhost"}).status_code == 202


def test_limits_are_those_of_the_page(client: TestClient) -> None:
    assert sent(client, b"1" * 1_500_000).status_code == 413
    assert "50" in sent(client, "a,b\n" + "1,2\n" * 60).json()["error"]
    key = sent(client).json()["key"]
    assert sent(client, headers=CSV | {"x-visitor": key}).json()["key"] == key
    full = sent(client)
    assert (full.status_code, full.headers["retry-after"]) == (503, "120")
    assert "wait already" in full.json()["error"]


def test_only_who_has_the_key_may_stop_and_delete(client: TestClient, folder: Path) -> None:
    said = sent(client).json()
    own, place = {"x-visitor": said["key"]}, f"/api/reports/{said['id']}"
    for method, address in (("POST", f"{place}/stop"), ("DELETE", place)):
        assert client.request(method, address).status_code == 403
        assert client.request(method, address, headers={"x-visitor": "A" * 22}).status_code == 403
    assert client.delete(place, headers=own).status_code == 409
    assert client.post(f"{place}/stop", headers=own).json()["id"] == said["id"]
    Store(folder).set(said["id"], RunState.FAILED, "It failed.")
    assert client.get(place).json()["message"] == "It failed."
    assert client.delete(place, headers=own).status_code == 204
    assert client.get(place).status_code == 404


@pytest.mark.slow
def test_a_finished_report_answers_questions_and_gives_its_files(client: TestClient, folder: Path) -> None:
    said = sent(client).json()
    place, store = f"/api/reports/{said['id']}", Store(folder)
    assert client.get(f"{place}/answers/what").status_code == 409
    assert client.get(f"{place}/files/model.json").status_code == 409
    fitted().save(store.place(said["id"]) / "model.json")
    store.set(said["id"], RunState.DONE)
    assert client.get(place).json()["files"] == ["model.json"]
    trend = client.get(f"{place}/answers/trend", params={"from": "2024", "to": "2025"}).json()
    check(trend, "answer-1")
    assert trend == fitted().ask("trend", start="2024", stop="2025").to_json()
    other = client.get(f"{place}/answers/what-if", params={"set": "promo=1", "to": "2025-03-03"}).json()
    assert other["numbers"][0]["fact"] == "Average"
    assert client.get(f"{place}/files/model.json").json()["format"]
    assert client.get(f"{place}/files/report.pdf").status_code == 404
    assert client.get(f"{place}/answers/weather").status_code == 404
    for asked in ({"set": "/etc/passwd"}, {"at": "soon"}):
        wrong = client.get(f"{place}/answers/what-if", params=asked)
        assert wrong.status_code == 400
        assert wrong.json()["error"].startswith("expected")


def test_a_slow_answer_holds_up_nobody_but_who_asked_for_it(
    client: TestClient, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(queue, "SLOT_SECONDS", 0.05)
    said = sent(client).json()
    Store(folder).set(said["id"], RunState.DONE)
    slow, let_go = threading.Event(), threading.Event()

    async def run(pool: WorkerPool, job: Job) -> str:
        if job.arguments["question"] == "sure":
            slow.set()
            await asyncio.to_thread(let_go.wait, 20.0)
        return "answered"

    monkeypatch.setattr(WorkerPool, "run", run)
    monkeypatch.setattr("autostatistician.web.api.address_of", lambda request: request.headers["from"])

    def ask(question: str, address: str) -> int:
        return client.get(f"/api/reports/{said['id']}/answers/{question}", headers={"from": address}).status_code

    with ThreadPoolExecutor(1) as thread:
        first = thread.submit(ask, "sure", "10.0.0.1")
        assert slow.wait(20.0)
        codes = [ask("what", "10.0.0.1"), ask("what", "10.0.0.2"), ask("what", "10.0.0.3")]
        let_go.set()
        assert (codes, first.result()) == ([503, 200, 200], 200)


def test_a_body_is_not_held_in_memory_while_it_comes(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("autostatistician.web.api.SPOOLED_BYTES", 100_000)
    held = []

    async def write(body: UploadFile, data: bytes) -> None:
        await plainly(body, data)
        held.append(body._in_memory)

    plainly = UploadFile.write
    monkeypatch.setattr(UploadFile, "write", write)
    assert sent(client, "a,b\n" + "1,2\n" * 60_000).status_code == 400  # too many rows, but taken whole
    assert held
    assert not held[-1]
    assert sent(client, b"1" * 1_000_001).status_code == 413


def test_the_description_names_every_route_and_no_other(client: TestClient, folder: Path) -> None:
    described = client.get("/api").json()
    assert described["openapi"] == "3.1.0"
    assert described == openapi(BOUNDS)
    store, pool = Store(folder), WorkerPool(0, "a_worker")
    api = Api(store, RunQueue(store, BOUNDS, pool, 0), pool, Uploads(store, BOUNDS, pool), BOUNDS, dict)
    routes = api.app().routes
    served = {
        (f"/api{route.path}", method.lower())
        for route in routes
        if isinstance(route, Route) and route.path != "/"
        for method in (route.methods or set()) - {"HEAD"}
    }
    assert served == {(path, method) for path, methods in described["paths"].items() for method in methods}


def test_what_is_not_there_is_told_as_json(client: TestClient) -> None:
    for address in ("/api/nothing", "/api/reports/unknown", "/api/reports/unknown/answers/what"):
        answer = client.get(address)
        assert (answer.status_code, list(answer.json())) == (404, ["error"])
        assert answer.headers["x-content-type-options"] == "nosniff"
    assert client.put("/api/reports").status_code == 405


@pytest.mark.slow
def test_a_table_becomes_a_report_that_answers(folder: Path) -> None:
    rng = np.random.default_rng(2)
    days = np.arange("2024-01-01", "2024-02-19", dtype="M8[D]")
    rows = [f"{day},{3 * place + rng.normal():.3f}\n" for place, day in enumerate(days)]
    with TestClient(make_app(folder, 1, BOUNDS), "http://localhost") as client:
        said = sent(client, "day,sales\n" + "".join(rows), language="linear", depth="1").json()
        place, until = f"/api/reports/{said['id']}", time.monotonic() + 120.0
        while client.get(place).json()["state"] in ("waiting", "running") and time.monotonic() < until:
            time.sleep(0.5)
        done = client.get(place).json()
        assert (done["state"], done["message"]) == ("done", "")
        assert {"report.html", "report.json", "model.json", "forecast.csv"} <= set(done["files"])
        change = client.get(f"{place}/answers/trend", params={"from": "2024-01-05", "to": "2024-02-04"}).json()[
            "numbers"
        ][0]
        assert change["number"] == pytest.approx(90.0, abs=2.0)
        check(client.get(f"{place}/files/report.json").json(), "report-3")
