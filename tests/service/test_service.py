"""The service end to end: a check over HTTP is the check of the command line; limits refuse as they must."""

from __future__ import annotations

import asyncio
import base64
import json
import re
import threading
from collections.abc import AsyncIterator
from pathlib import Path
from threading import Event as Flag
from typing import Any

import httpx
import pytest

from factdesk.checker import FactChecker, open_ledger
from factdesk.kernel import InputError
from factdesk.service.check_queue import ENDS, CheckQueue, QueueFull, Track, at_once, open_jobs
from factdesk.service.guard import Rate
from factdesk.service.types import CheckOrder, CheckRequest, Event
from factdesk.service.uploads import safe_name
from factdesk.settings_parts import ServeSettings
from report.certificate.sealing import parse, to_text
from report.render.html.page import content_policy, render_html
from report.verification.integrity import verify_integrity
from store.runs import Runs
from tests.evidence.test_key_frames import film
from tests.service.conftest import ARTICLE, CLAIM, TOKEN, Make, ask, ended, settings_in

JSON = {"content-type": "application/json"}


@pytest.fixture(scope="module")
def checked(address: str) -> dict[str, Any]:
    """A check that was carried out."""
    with httpx.Client(base_url=address, timeout=600) as client:
        answer = client.post("/checks", json={"text": CLAIM})
        assert answer.status_code == 202
        assert answer.headers["location"] == f"/checks/{answer.json()['id']}"
        return ended(client, answer.json()["id"])


def test_a_check_is_that_of_the_facade(queue: CheckQueue, checked: dict[str, Any]) -> None:
    assert (checked["state"], checked["verdict"], checked["failure"]) == ("done", "supported", None)
    certificate = open_ledger(queue.settings).get(checked["id"])
    again = FactChecker(queue.settings).check(CLAIM, record=False)
    assert certificate.body == again.certificate.body
    assert not Runs(queue.settings.paths.checkpoints).list()


def without_links(page: str) -> str:
    """The page without the way back that the service puts on top."""
    [links] = re.findall(r'\n<nav class="links.*?</nav>', page, re.S)
    assert 'href="/"' in links
    return page.replace(links, "")


def test_reports_are_those_of_the_certificate(client: httpx.Client, queue: CheckQueue, checked: dict[str, Any]) -> None:
    name = checked["id"]
    certificate = open_ledger(queue.settings).get(name)
    page = client.get(f"/reports/{name}.html")
    assert without_links(page.text) == render_html(certificate, "strict", {})
    assert page.headers["content-security-policy"] == f"{content_policy()}; frame-ancestors 'none'"
    debug = client.get(f"/reports/{name}.html?mode=debug").text
    assert without_links(debug) == render_html(certificate, "debug", {})
    found = client.get(f"/reports/{name}.json").json()
    assert (found["verdict"], found["certificate_id"]) == ("supported", name)
    assert client.get(f"/reports/{name}", headers={"accept": "text/html"}).text == page.text
    assert client.get(f"/reports/{name}", headers={"accept": "*/*"}).json() == found
    text = client.get(f"/certificates/{name}").text
    assert (parse(text), text) == (certificate, to_text(certificate))
    assert verify_integrity(text, {}, allow_unsigned=True)[1].signature == "unknown_key"


def test_progress_is_streamed_and_can_be_taken_up(client: httpx.Client, checked: dict[str, Any]) -> None:
    url = f"/checks/{checked['id']}/events"
    answer = client.get(url)
    assert answer.headers["content-type"].startswith("text/event-stream")
    blocks = [block.splitlines() for block in answer.text.split("\n\n") if block.startswith("id: ")]
    names = [block[1].removeprefix("event: ") for block in blocks]
    assert [b[0] for b in blocks] == [f"id: {n}" for n in range(1, len(blocks) + 1)]
    assert (names[0], names[1], names[-1]) == ("queued", "running", "done")
    assert json.loads(blocks[-1][2].removeprefix("data: "))["message"] == "supported"
    later = client.get(url, headers={"last-event-id": str(len(blocks) - 1)}).text
    assert later.count("event: ") == 1
    assert "event: done" in later


def test_a_picture_and_a_video_come_along(
    client: httpx.Client, queue: CheckQueue, repository: Path, tmp_path: Path
) -> None:
    data = (repository / "examples" / "images" / "sign.png").read_bytes()
    clip = film(tmp_path / "clip.mp4", 2).read_bytes()
    answer = client.post(
        "/checks",
        data={"text": "The sign says that the road is closed.", "corpus": "default"},
        files=[
            ("image", ("../../etc/sign one.png", data, "image/png")),
            ("image", ("the clip.mp4", clip, "video/mp4")),
        ],
    )
    assert answer.status_code == 202, answer.text
    state = ended(client, answer.json()["id"])
    assert state["state"] == "done", state
    names = [image["name"] for image in open_ledger(queue.settings).get(state["id"]).body.images]
    assert [name[:14] for name in names] == ["sign_one.png", "the_clip at 0m", "the_clip at 0m"]
    assert client.get(f"/reports/{state['id']}.html").text.count("data:image/jpeg;base64,") >= len(names)


def test_history_with_words_and_filters(client: httpx.Client, checked: dict[str, Any]) -> None:
    def ids(**query: str) -> list[str]:
        answer = client.get("/history", params=query)
        assert answer.status_code == 200, answer.text
        return [e["certificate_id"] for e in answer.json()["entries"]]

    name = checked["id"]
    assert name in ids()
    assert name in ids(q="refurbishment pounds")
    assert ids(q="refurbishment unheard") == []
    assert name in ids(q="refurbishment", verdict="supported", state="verified", status="current")
    assert name not in ids(q="refurbishment", verdict="refuted")
    assert name not in ids(verdict="refuted")
    assert name not in ids(until="2020-01-01")
    assert name in ids(since="2020-01-01", until="9999-12-31")
    page = client.get("/history", params={"limit": "1"}).json()
    assert len(page["entries"]) == 1
    assert page["next_offset"] == (1 if page["total"] > 1 else None)
    assert client.get("/history", params={"q": "!!!"}).status_code == 422


def test_verification(client: httpx.Client, checked: dict[str, Any]) -> None:
    found = client.get(f"/verify/{checked['id']}").json()
    assert (found["integrity"]["ok"], found["completeness"]["ok"]) == (True, True)
    assert found["reverified"]["asked"] is False
    assert found["files"][0]["file"] == f"{checked['id']}.json"
    again = client.get(f"/verify/{checked['id']}", params={"rerun": "true"}).json()
    assert again["reverified"]["ok"] is True
    assert again["max_score_diff"] == 0


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("/checks/abcd1234", 404),
        ("/checks/abcd1234/events", 404),
        ("/reports/abcd1234.html", 404),
        ("/reports/abcd1234", 404),
        ("/certificates/abcd1234", 404),
        ("/verify/abcd1234", 404),
        ("/watch/abcd1234", 404),
        ("/static/app.py", 404),
        ("/static/..%2Fapp.py", 404),
        ("/nothing", 404),
        ("/checks/a%00b/events", 422),
        ("/history?limit=0", 422),
        ("/history?limit=201", 422),
        ("/history?since=2024-02-30", 422),
        ("/history?verdict=true", 422),
        ("/docs", 404),
    ],
)
def test_what_is_not_there(client: httpx.Client, path: str, code: int) -> None:
    answer = client.get(path)
    assert answer.status_code == code
    assert set(answer.json()) == {"error", "detail"}


@pytest.mark.parametrize(
    ("code", "options"),
    [
        (422, {"json": {"text": " \n"}}),
        (422, {"json": {"text": "x" * 20_001}}),
        (422, {"json": {"text": "A claim.", "corpus": ["../../etc"]}}),
        (422, {"json": {"text": "A claim.", "reasoner": "llm:openai:x"}}),
        (422, {"json": {"text": "A claim.", "date": "yesterday"}}),
        (422, {"json": ["A claim."]}),
        (422, {"content": b"{", "headers": JSON}),
        (422, {"content": b'{"text": "\\ud800"}', "headers": JSON}),
        (422, {"content": b"\xff", "headers": JSON}),
        (415, {"content": b"text", "headers": {"content-type": "text/plain"}}),
        (415, {"content": b"text"}),
        (422, {"data": {"text": "A claim.", "asked": "true"}}),
        (422, {"data": {"text": "A claim."}, "files": {"image": ("a.png", b"no picture")}}),
        (422, {"data": {"text": "A claim."}, "files": {"image": ("a.mp4", b"\0\0\0\x18ftypisom no video")}}),
        (422, {"data": {"text": "A claim."}, "files": [("image", ("a.png", b"x"))] * 9}),
        (400, {"content": b"x", "headers": {"content-type": "multipart/form-data; boundary=y"}}),
        (400, {"content": b"x", "headers": {"content-type": "multipart/form-data"}}),
        (403, {"json": {"text": "A claim."}, "headers": {"origin": "https://evil.example"}}),
        (403, {"data": {"text": "A claim."}, "headers": {"sec-fetch-site": "cross-site"}}),
        (403, {"data": {"text": "A claim."}, "headers": {"sec-fetch-site": "same-site"}}),
        (403, {"data": {"text": "A claim."}, "headers": {"origin": "null"}}),
        (400, {"json": {"text": "A claim."}, "headers": {"host": "rebound.example"}}),
    ],
)
def test_checks_that_are_refused(client: httpx.Client, code: int, options: dict[str, Any]) -> None:
    before = client.get("/health").json()
    answer = client.post("/checks", **options)
    assert answer.status_code == code, answer.text
    assert set(answer.json()) == {"error", "detail"}
    assert client.get("/health").json() == before, "nothing was taken"


@pytest.mark.parametrize(
    ("header", "code"),
    [
        (None, 401),
        ("", 401),
        (TOKEN, 401),
        (f"Bearer {TOKEN}x", 401),
        (f"Bearer {TOKEN[:-1]}", 401),
        ("Bearer ", 401),
        ("Basic !!!", 401),
        (f"Basic {base64.b64encode(TOKEN.encode()).decode()}", 401),
        (f"Bearer {TOKEN}", 200),
        (f"bearer {TOKEN}", 200),
        (f"Basic {base64.b64encode(f'anyone:{TOKEN}'.encode()).decode()}", 200),
    ],
)
def test_401_without_the_token(make: Make, header: str | None, code: int) -> None:
    _, app = make(TOKEN)
    headers = {} if header is None else {"authorization": header}
    for path in ("/health", "/", "/history", "/openapi.json", "/static/desk.css"):
        answer = ask(app, "GET", path, headers=headers)
        assert answer.status_code == code
        assert (code == 200) == ("www-authenticate" not in answer.headers)


def test_413_for_bodies_that_are_too_large(make: Make) -> None:
    _, app = make(max_body=5_000)
    large = {"content": b'{"text": "' + b"x" * 6_000 + b'"}', "headers": JSON}
    assert ask(app, "POST", "/checks", **large).status_code == 413

    async def pieces() -> AsyncIterator[bytes]:
        yield b'--y\r\nContent-Disposition: form-data; name="text"\r\n\r\n'
        for _ in range(7):
            yield b"x" * 1_000

    for kind in ("application/json", "multipart/form-data; boundary=y"):
        chunked = ask(app, "POST", "/checks", content=pieces(), headers={"content-type": kind})
        assert chunked.status_code == 413, "no length was given"
        assert chunked.json()["error"] == "too_large"


def test_429_by_rate_before_the_token(make: Make) -> None:
    _, app = make(TOKEN, requests_per_minute=3)
    codes = [ask(app, "GET", "/health").status_code for _ in range(5)]
    assert codes == [401, 401, 401, 429, 429]
    assert 1 <= int(ask(app, "GET", "/health").headers["retry-after"]) <= 20


def test_429_for_too_many_checks_leaves_reading_alone(make: Make) -> None:
    _, app = make(checks_per_minute=2)
    bad = {"content": b"{", "headers": JSON}
    assert [ask(app, "POST", "/checks", **bad).status_code for _ in range(3)] == [422, 422, 429]
    assert ask(app, "GET", "/verify/abcd1234?rerun=true").status_code == 429
    assert ask(app, "GET", "/history").status_code == 200


def test_a_bucket_fills_again() -> None:
    now = [0.0]
    rate = Rate(60, lambda: now[0])
    assert [rate.take("a") for _ in range(61)] == [0] * 60 + [1]
    assert rate.take("b") == 0
    now[0] = 1.5
    assert [rate.take("a"), rate.take("a")] == [0, 1]


class Held:
    """The real checker, held at the door until it is let go."""

    def __init__(self, queue: CheckQueue) -> None:
        self.queue, self.go, self.inside, self.run = queue, Flag(), Flag(), queue.checker.run
        queue.checker.run = self  # type: ignore[method-assign, assignment]

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        self.inside.set()
        assert self.go.wait(60)
        return self.run(*arguments, **options)


def test_a_full_queue_refuses_and_a_stopped_service_keeps_it(make: Make, tmp_path: Path) -> None:
    queue, app = make(queue=2, parallel=1)
    queue.checker.corpora.add_documents("default", [])
    held = Held(queue)
    running = queue.accept(CheckRequest(text=CLAIM), ())
    assert held.inside.wait(30)
    for _ in range(2):
        assert ask(app, "POST", "/checks", json={"text": CLAIM}).status_code == 202
    full = ask(app, "POST", "/checks", json={"text": CLAIM})
    assert (full.status_code, full.headers["retry-after"]) == (429, "10")
    form = ask(app, "POST", "/", data={"text": CLAIM}, headers={"origin": "http://127.0.0.1"})
    assert (form.status_code, form.headers["retry-after"]) == (429, "10")
    assert "2 checks are waiting" in form.text
    assert "Waiting, 1 before it" in form.text
    with pytest.raises(QueueFull):
        queue.accept(CheckRequest(text=CLAIM), ())
    assert [s.waiting for s in queue.open_checks()] == [None, 1, 2]
    queue.closing = True
    closing = ask(app, "POST", "/checks", json={"text": CLAIM})
    assert (closing.status_code, closing.json()["error"]) == (503, "unavailable")
    held.go.set()
    assert queue.close(60.0) == 2, "the running one ended, the others wait for the next start"
    state = queue.state(running.id)
    assert state is not None
    assert state.state == "done"
    other = CheckQueue(queue.settings)
    assert other.start() == 2
    with pytest.raises(InputError, match="another factdesk serve works in"):
        CheckQueue(queue.settings).start()
    assert other._idle.wait(60)
    while other.waiting or other.running:
        assert other._idle.wait(60)
    assert other.close(0.0) == 0
    assert open_ledger(queue.settings).count() == 3


def test_several_checks_run_at_once_and_decide_as_alone(make: Make, tmp_path: Path) -> None:
    (tmp_path / "library.md").write_text(ARTICLE, encoding="utf-8")
    queue, app = make(parallel=2)
    queue.checker.corpora.add("default", [tmp_path / "library.md"])
    other = "The Tollgate Library holds 52,000 books, said the librarian Samir Oakes."
    alone = [queue.checker.check(text, record=False).certificate.body for text in (CLAIM, other)]
    both, run = threading.Barrier(3), queue.checker.run

    def begun_together(*arguments: Any, **options: Any) -> Any:
        both.wait(60)  # no check goes on before the other was begun and both were seen
        both.wait(60)
        return run(*arguments, **options)

    queue.checker.run = begun_together  # type: ignore[method-assign]
    states = [queue.accept(CheckRequest(text=text), ()) for text in (CLAIM, other)]
    both.wait(60)
    assert [s.state for s in queue.open_checks()] == ["running", "running"]
    assert ask(app, "GET", "/").text.count("Being checked") == 2
    both.wait(60)
    ends = [asyncio.run(events(queue, s.id))[-1].event for s in states]
    assert ends == ["done", "done"]
    ledger = open_ledger(queue.settings)
    assert [ledger.get(s.id).body for s in states] == alone
    assert [e.sequence for e in ledger.list()] == [2, 1]


def test_how_many_checks_run_at_once(tmp_path: Path) -> None:
    def count(**changed: Any) -> int:
        return at_once(settings_in(tmp_path).model_copy(update=changed))

    assert 1 <= count() <= 4
    assert count(reasoner="gguf:model.gguf") == 1
    assert count(serve=ServeSettings(parallel=7), reasoner="gguf:model.gguf") == 7


def test_a_check_put_aside_goes_on_from_its_checkpoint(make: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    queue, _ = make()
    queue.checker.corpora.add_documents("default", [])
    seen, begun = list[str](), Flag()
    real = CheckQueue._progress

    def slow(self: CheckQueue, check_id: str, event: Any) -> None:
        seen.append(event.stage)
        begun.set()
        if self is queue and event.stage == "question":
            self._stop = True  # as close() does once the grace is over
        real(self, check_id, event)

    monkeypatch.setattr(CheckQueue, "_progress", slow)
    state = queue.accept(CheckRequest(text=CLAIM), ())
    assert begun.wait(60)
    assert queue.close(60.0) == 1
    (run,) = Runs(queue.settings.paths.checkpoints).list()
    assert (run.run_id, run.running) == (state.id, False)
    assert seen[0] == "intake"
    seen.clear()
    other = CheckQueue(queue.settings)
    other.start()
    found = [e.event for e in asyncio.run(events(other, state.id))]
    assert found[-1] == "done"
    assert "intake" not in seen, "what was done is not done again"
    assert other.close(0.0) == 0
    assert open_ledger(queue.settings).get(state.id).body.claim_text == CLAIM
    assert open_ledger(queue.settings).count() == 1


async def events(queue: CheckQueue, check_id: str) -> list[Event]:
    return [event async for event in queue.follow(check_id) if event is not None]


def test_a_certificate_made_before_the_kill_counts(make: Make) -> None:
    queue, _ = make()
    queue.checker.corpora.add_documents("default", [])
    certificate = queue.checker.check(CLAIM).certificate
    name = certificate.envelope.certificate_id
    open_jobs(queue.settings.home).put(name, CheckOrder(text=CLAIM))
    assert queue.start() == 1
    assert asyncio.run(events(queue, name))[-1].event == "done"
    assert open_ledger(queue.settings).count() == 1


def test_errors_become_failures_never_verdicts(make: Make, caplog: pytest.LogCaptureFixture) -> None:
    queue, app = make()  # has no corpus at all
    state = queue.accept(CheckRequest(text=CLAIM), ())
    assert asyncio.run(events(queue, state.id))[-1].event == "failed"
    found = ask(app, "GET", f"/checks/{state.id}").json()
    assert (found["state"], found["verdict"], found["failure"]["kind"]) == ("failed", None, "bad_input")
    assert "no corpus" in found["failure"]["message"]
    assert "Could not be checked" in ask(app, "GET", f"/watch/{state.id}").text

    def broken(*arguments: Any, **options: Any) -> Any:
        raise ZeroDivisionError("secret detail")

    queue.checker.run = broken  # type: ignore[method-assign]
    state = queue.accept(CheckRequest(text=CLAIM), ())
    assert asyncio.run(events(queue, state.id))[-1].event == "failed"
    found = ask(app, "GET", f"/checks/{state.id}").json()
    assert (found["verdict"], found["failure"]["kind"]) == (None, "internal")
    assert "secret" not in found["failure"]["message"]
    assert "secret detail" in caplog.text
    assert open_ledger(queue.settings).count() == 0


def test_a_track_ends_when_the_service_stops() -> None:
    track = Track()
    track.add("queued")

    async def follow() -> list[Event | None]:
        return [event async for event in track.follow(0, lambda: True)]

    assert [e.event for e in asyncio.run(follow()) if e] == ["queued"]
    for _ in range(3_000):
        track.add("progress")
    track.add("done")
    found = [e for e in asyncio.run(follow()) if e]
    assert len(found) == 1_001
    assert found[-1].event in ENDS


@pytest.mark.parametrize(
    ("given", "safe"),
    [
        ("a.png", "a.png"),
        ("../../etc/passwd", "passwd"),
        ("C:\\x\\y z.jpg", "y_z.jpg"),
        ("", "image-1"),
        ("...", "image-1"),
        (".htaccess", "htaccess"),
        ("\0\n", "image-1"),
        ("x" * 200 + ".png", "x" * 76 + ".png"),
        ("Ünï.png", "n_.png"),
        ("..", "image-1"),
        ("/", "image-1"),
    ],
)
def test_names_of_uploads(given: str, safe: str) -> None:
    assert safe_name(given, 1) == safe


def test_a_text_is_annotated_as_by_the_facade(client: httpx.Client, queue: CheckQueue) -> None:
    found = client.post("/annotations", json={"text": CLAIM}, timeout=600)
    assert found.status_code == 200
    shown = found.json()
    assert client.get(f"/certificates/{shown.pop('certificate_id')}").status_code == 200
    assert shown == FactChecker(queue.settings).annotate(CLAIM, record=False).annotation.model_dump(mode="json")
    assert shown["spans"][0]["label"] == "attributable"
    page = client.post("/annotations?form=html", json={"text": CLAIM}, timeout=600)
    assert page.text.startswith("<!doctype html>")
    [style] = re.findall(r"<style>(.*?)</style>", page.text, re.S)
    made = f"{content_policy(style)}; frame-ancestors 'none'"
    assert page.headers["content-security-policy"] == made, "its colours are let through"
    name = FactChecker(queue.settings).annotate(CLAIM).certificate.envelope.certificate_id
    assert client.get(f"/reports/{name}.html").headers["content-security-policy"] == made
    refused = client.post("/annotations", json={"text": CLAIM, "corpus": "/etc"})
    assert refused.status_code == 422
    assert "no stored corpus" in refused.text
