"""Twenty uploads at once: none may be lost, none may get the report of another.

A real server with the workers of this machine is started on a free port of this machine alone. Every visitor uploads a
table of its own, starts a short search, waits, and takes the forecast and the report away. The table of the results
holds how many came through, how many were right (the report names the visitor's own column, and the forecast
lies at that column's level, which no other visitor has) and how long it took.

Usage: python benchmarks/load.py [--visitors 20]
"""

from __future__ import annotations

import csv
import json
import re
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from http.cookiejar import CookieJar
from typing import Any
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, OpenerDirector, Request, build_opener

import numpy as np

from common import Ledger, arguments, code_version, read_rows, table, workers

CASE = ("visitors", "workers")
COLUMNS = ("done", "right", "refused", "seconds", "slowest_page", "code")
FORM = "application/x-www-form-urlencoded"
LIMIT = 1800.0  # seconds for a visit


class Visitor:
    """One browser's worth of requests."""

    def __init__(self, address: str, number: int) -> None:
        self.address, self.name = address, f"column-{number:03d}"
        self.opener: OpenerDirector = build_opener(HTTPCookieProcessor(CookieJar()))
        self.number, self.slowest = number, 0.0

    def ask(self, path: str, body: bytes | None = None, kind: str = FORM) -> tuple[str, str]:
        """The address that a request led to, and its text."""
        start = time.perf_counter()
        headers = {} if body is None else {"content-type": kind}
        with self.opener.open(Request(self.address + path, body, headers), timeout=120) as answer:
            text = answer.read().decode()
            self.slowest = max(self.slowest, time.perf_counter() - start)
            return answer.url.removeprefix(self.address), text

    def token(self, path: str) -> str:
        """What the forms of a page carry."""
        found = re.search(r'name="token" value="(\w+)"', self.ask(path)[1])
        assert found is not None
        return found[1]

    def visit(self) -> bool:
        """Upload, start, wait and take away; whether report and forecast are about our own column."""
        rng = np.random.default_rng(self.number)
        y = 10.0 * self.number + np.sin(np.arange(48.0) * np.pi / 6) + 0.2 * rng.normal(size=48)
        rows = "".join(f"{2000 + k // 12}-{k % 12 + 1:02d},{value:.4f}\n" for k, value in enumerate(y))
        run, _ = self.ask("/tables", *_multipart(self.token("/"), f"month,{self.name}\n{rows}"))
        self.ask(f"{run}/start", urlencode({"token": self.token(run), "depth": 2, "steps": 3}).encode())
        until = time.monotonic() + LIMIT
        while time.monotonic() < until:
            state = json.loads(self.ask(f"{run}/progress")[1])["state"]
            if state in ("done", "failed"):
                break
            time.sleep(1.0)
        report, forecast = self.ask(f"{run}/read")[1], self.ask(f"{run}/forecast.csv")[1]
        means = [float(row["mean"]) for row in csv.DictReader(forecast.splitlines())]
        return self.name in report and len(means) == 3 and all(abs(mean - 10.0 * self.number) < 5.0 for mean in means)


def _multipart(token: str, text: str) -> tuple[bytes, str]:
    border, field = "----border----", "content-disposition: form-data; name="
    parts = f'--{border}\r\n{field}"token"\r\n\r\n{token}\r\n'
    parts += f'--{border}\r\n{field}"table"; filename="t.csv"\r\n\r\n{text}\r\n--{border}--\r\n'
    return parts.encode(), f"multipart/form-data; boundary={border}"


def run(visitors: int) -> dict[str, Any]:
    """Let the visitors come at once."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "autostatistician", "serve", "--port", "0", "--folder", folder]
        command += ["--workers", str(workers())]
        with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as server:
            assert server.stderr is not None
            address, start = server.stderr.readline().strip().rstrip("/"), time.perf_counter()
            try:
                every = [Visitor(address, number) for number in range(visitors)]
                with ThreadPoolExecutor(visitors) as pool:
                    tasks = [pool.submit(visitor.visit) for visitor in every]
                    failed = [task.exception() for task in tasks]
            finally:
                server.terminate()
    right = [error is None and task.result() for error, task in zip(failed, tasks, strict=True)]
    return {
        "done": sum(error is None for error in failed),
        "right": sum(right),
        "refused": sum(error is not None for error in failed),
        "seconds": round(time.perf_counter() - start, 1),
        "slowest_page": round(max(visitor.slowest for visitor in every), 2),
    }


def main() -> None:
    """Let them come, and show the table."""
    parser = arguments(__doc__, "load.csv", languages=())
    parser.add_argument("--visitors", type=int, default=20)
    given = parser.parse_args()
    if not given.summary:
        case = {"visitors": given.visitors, "workers": workers(), "code": code_version()}
        Ledger(given.csv, CASE, COLUMNS, fresh=given.fresh).write(case | run(given.visitors))
    print(table(read_rows(given.csv)))


if __name__ == "__main__":
    main()
