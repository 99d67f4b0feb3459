"""Put a bounded load of mixed checks and reads on a running service, and say what came back.

    factdesk serve --corpus examples/corpus --queue 8 --port 8765
    python -m evaluation.programs.load_service http://127.0.0.1:8765 --seconds 60

Checks are posted as fast as the queue takes them (a full queue answers 429, and the poster waits); meanwhile
readers ask for the history, reports, states and verification. Then one request is made for every refusal.
With ``--parallel 20 --checks 300 --pid PID`` there are no readers: so many posters each put a claim and wait for its
report until all are done, and the memory of the service and its processes is told after each quarter of the checks.

A token, if the service has one, stands in the variable FACTDESK_SERVE__TOKEN. On a quiet machine the readers
soon meet the limit of requests (429, and they wait); raise FACTDESK_SERVE__REQUESTS_PER_MINUTE of the service
to see what it can do.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from statistics import quantiles

import httpx

from factdesk.import_guard import examples_dir

CLAIMS = examples_dir() / "claims.jsonl"


class Load:
    """What all threads share."""

    def __init__(self, url: str, token: str | None, seconds: float) -> None:
        self.url, self.until = url, time.monotonic() + seconds
        self.headers = {"Authorization": f"Bearer {token}"} if token else {}
        self.times: dict[str, list[float]] = defaultdict(list)
        self.codes: Counter[str] = Counter()
        self.ids: list[str] = []
        self._put = 0
        self._lock = threading.Lock()

    def client(self) -> httpx.Client:
        return httpx.Client(base_url=self.url, headers=self.headers, timeout=120)

    def ask(self, client: httpx.Client, kind: str, method: str, path: str, **options: object) -> httpx.Response:
        begun = time.perf_counter()
        answer = client.request(method, path, **options)  # type: ignore[arg-type]
        with self._lock:
            self.times[kind].append(time.perf_counter() - begun)
            self.codes[f"{kind} {answer.status_code}"] += 1
        return answer

    def post(self, claims: list[str], most: int) -> None:
        """Post claims until the time is up or so many were taken."""
        with self.client() as client:
            while time.monotonic() < self.until and len(self.ids) < most:
                claim = claims[len(self.ids) % len(claims)]
                answer = self.ask(client, "post", "POST", "/checks", json={"text": claim})
                if answer.status_code == 202:
                    self.ids.append(answer.json()["id"])
                else:
                    time.sleep(min(2.0, float(answer.headers.get("retry-after", 1))))

    def check(self, claims: list[str], total: int, done: list[str], ended: Callable[[int], None]) -> None:
        """Put one claim after the other and wait for its report, until ``total`` were put by all."""
        with self.client() as client:
            while (claim := self._next(claims, total)) is not None:
                answer = self.ask(client, "post", "POST", "/checks", json={"text": claim})
                while answer.status_code == 429:
                    time.sleep(0.5)
                    answer = self.ask(client, "post", "POST", "/checks", json={"text": claim})
                state = f"refused {answer.status_code}"
                while answer.status_code in (200, 202) and (state := answer.json()["state"]) in ("queued", "running"):
                    time.sleep(0.5)
                    answer = self.ask(client, "state", "GET", f"/checks/{answer.json()['id']}")
                with self._lock:
                    done.append(state)
                    ended(len(done))

    def _next(self, claims: list[str], total: int) -> str | None:
        with self._lock:
            self._put += 1
            return claims[(self._put - 1) % len(claims)] if self._put <= total else None

    def get(self, client: httpx.Client, kind: str, path: str, **params: object) -> httpx.Response | None:
        """An answer that is one; ``None`` where it was refused, after the wait that the service asks for."""
        answer = self.ask(client, kind, "GET", path, params=params)
        if answer.status_code == 429:
            time.sleep(min(5.0, float(answer.headers.get("retry-after", 1))))
        return answer if answer.status_code == 200 else None

    def read(self, seed: int) -> None:
        """Read this and that until the time is up."""
        dice = random.Random(seed)
        with self.client() as client:
            while time.monotonic() < self.until:
                listed = self.get(client, "history", "/history", limit=20)
                entries = listed.json()["entries"] if listed else []
                if self.ids:
                    self.get(client, "state", f"/checks/{dice.choice(self.ids)}")
                if entries:
                    name = dice.choice(entries)["certificate_id"]
                    self.get(client, "report.html", f"/reports/{name}.html")
                    self.get(client, "report.json", f"/reports/{name}.json")
                self.get(client, "search", "/history", q=dice.choice(["library", "ferry", "2024"]))
                if entries and dice.random() < 0.2:
                    self.get(client, "verify", f"/verify/{name}")
                time.sleep(0.05)

    def ended(self, seconds: float) -> Counter[str]:
        """States of all that was taken, once they have ended."""
        until = time.monotonic() + seconds
        with self.client() as client:
            while True:
                found = [self.get(client, "state", f"/checks/{i}") for i in self.ids]
                states = Counter(one.json()["state"] if one else "queued" for one in found)
                if not states["queued"] + states["running"] or time.monotonic() > until:
                    return states
                time.sleep(1.0)

    def refusals(self) -> dict[str, int]:
        """One request for every refusal; 401 where the service has a token."""
        with self.client() as client:
            found = {
                "422 empty claim": client.post("/checks", json={"text": " "}).status_code,
                "422 no such day": client.get("/history", params={"since": "2024-02-30"}).status_code,
                "422 no picture": client.post(
                    "/checks", data={"text": "x"}, files={"image": ("a.png", b"no")}
                ).status_code,
                "404 unknown": client.get("/reports/00000000.html").status_code,
                "413 large": client.post("/checks", content=b"x" * 60_000_000).status_code,
                "403 foreign page": client.post(
                    "/checks", json={"text": "x"}, headers={"Origin": "http://evil.example"}
                ).status_code,
            }
            if self.headers:
                found["401 no token"] = httpx.get(f"{self.url}/history").status_code
            burst = Counter(client.post("/checks", content=b"{").status_code for _ in range(120))
            found["429 in a burst of 120"] = burst[429]
        return found


def summary(load: Load, seconds: float) -> dict[str, object]:
    """Times in milliseconds."""
    kinds = {}
    for kind, times in sorted(load.times.items()):
        cuts = quantiles(times, n=100, method="inclusive") if len(times) > 1 else times * 99
        kinds[kind] = {"n": len(times), "p50_ms": round(cuts[49] * 1000), "p95_ms": round(cuts[94] * 1000)}
    reads = sum(len(t) for k, t in load.times.items() if k != "post")
    errors = sum(n for key, n in load.codes.items() if key.rpartition(" ")[2].startswith("5"))
    return {
        "seconds": round(seconds, 1),
        "reads_per_second": round(reads / seconds, 1),
        "answers": dict(sorted(load.codes.items())),
        "errors_5xx": errors,
        "times": kinds,
    }


def memory_mb(pid: int) -> int:
    """Resident memory of a process and all that it started."""
    kilobytes = 0
    for status in Path("/proc").glob("[0-9]*/status"):
        with suppress(OSError):
            told = dict(line.split(":", 1) for line in status.read_text().splitlines() if ":" in line)
            if pid in (int(told["Pid"]), int(told["PPid"])):
                kilobytes += int(told.get("VmRSS", "0").split()[0])
    return kilobytes // 1000


def in_parallel(load: Load, claims: list[str], given: argparse.Namespace) -> dict[str, object]:
    """States of all checks, and the memory of the service before them and after each quarter."""
    done: list[str] = []
    memory = {"0": memory_mb(given.pid)}

    def ended(number: int) -> None:
        if number % max(1, given.checks // 4) == 0:
            memory[str(number)] = memory_mb(given.pid)

    posters = [
        threading.Thread(target=load.check, args=(claims, given.checks, done, ended)) for _ in range(given.parallel)
    ]
    for thread in posters:
        thread.start()
    for thread in posters:
        thread.join()
    return {"checks": dict(Counter(done)), "memory_mb": memory}


def main() -> None:
    """Run it and print one JSON document."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("url")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--readers", type=int, default=4)
    parser.add_argument("--checks", type=int, default=40, help="at most so many are posted")
    parser.add_argument("--parallel", type=int, default=0, help="posters that each wait for a report; no readers")
    parser.add_argument("--distinct", type=int, help="only so many of the claims of the examples")
    parser.add_argument("--pid", type=int, default=0, help="the process of the service, whose memory is told")
    given = parser.parse_args()
    claims = [json.loads(line)["claim"] for line in CLAIMS.read_text(encoding="utf-8").splitlines()][: given.distinct]
    load = Load(given.url.rstrip("/"), os.environ.get("FACTDESK_SERVE__TOKEN"), given.seconds)
    begun = time.monotonic()
    if given.parallel:
        found = in_parallel(load, claims, given)
        found = {**summary(load, time.monotonic() - begun), **found}
        json.dump(found, sys.stdout, indent=2)
        sys.stdout.write("\n")
        return
    threads = [threading.Thread(target=load.post, args=(claims, given.checks))]
    threads += [threading.Thread(target=load.read, args=(seed,)) for seed in range(given.readers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    found = summary(load, time.monotonic() - begun)
    states = load.ended(600.0)
    whole = time.monotonic() - begun
    found["checks"] = dict(states)
    found["checks_per_minute"] = round(sum(states.values()) * 60 / whole, 1)
    found["refusals"] = load.refusals()
    json.dump(found, sys.stdout, indent=2)
    sys.stdout.write("\n")


if __name__ == "__main__":
    main()
