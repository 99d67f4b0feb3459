"""Earlier uses of a submitted picture on the web: found by reverse image search, compared by ourselves.

What an engine says is a hint where to look. A page counts as an earlier use only when a picture on it,
fetched under the rules for pages, is the submitted one by our own comparison. Anybody can put a picture and
a caption on a page, so these uses are told and never decide; who vets one adds it to the known images.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import TYPE_CHECKING, Any

from pydantic import JsonValue

from agent.tools.web.retry import retried
from agent.web_ports import PictureMatch, ReverseImageSearch
from evidence.types import EarlierUse, ImageFinding, ImageRecord, Span
from factdesk.images.caption_file import Description
from factdesk.images.known import make_known
from factdesk.images.matching import Submitted, matched, use_sentence
from factdesk.kernel import (
    BackendUnavailable,
    ConfigError,
    Failure,
    InputError,
    TransientError,
    sha256_bytes,
    sha256_text,
)
from factdesk.recording.recorder import Recorder, today
from factdesk.settings import Settings

if TYPE_CHECKING:
    from PIL.Image import Image

    from agent.tools.web.page_images import Figure
    from agent.web_ports import FetchedPage, Fetcher

WHERE = "web.images"


@dataclass(frozen=True)
class WebUses:
    """What was found, and what did not work (never on the deciding path)."""

    uses: tuple[EarlierUse, ...] = ()
    captions: tuple[Span, ...] = ()
    """What stands with the picture on these pages, as evidence that settles nothing."""
    findings: tuple[ImageFinding, ...] = ()
    failures: tuple[Failure, ...] = ()


def make_image_search(settings: Settings) -> ReverseImageSearch:
    """The engine of the settings. Raises ``ConfigError``."""
    options = settings.imagesearch
    if options.provider == "serpapi":
        from agent.tools.web.serpapi import ADDRESS, SerpApiImages

        key = options.api_key.get_secret_value() if options.api_key else ""
        return SerpApiImages(key, options.url or ADDRESS)
    raise ConfigError("no reverse image search is set; set imagesearch.provider, e.g. 'serpapi'")


def search_web(
    settings: Settings,
    record: ImageRecord,
    data: bytes,
    address: str | None,
    recorder: Recorder,
    fetchers: tuple[Fetcher, Fetcher] | None = None,
) -> WebUses:
    """Earlier uses of one picture on the web; nothing where no engine is set.

    ``address``: where the picture stands in public; engines fetch it themselves. ``fetchers``: for pages and
    for pictures; tests give their own.
    """
    if settings.imagesearch.provider is None:
        return WebUses()
    if not address:
        message = f"{record.name!r} was not looked for on the web: give its public address (--image-url)"
        return WebUses(failures=(_failure("address", message),))
    matches = _matches(settings, address, recorder)
    if isinstance(matches, Failure):
        return WebUses(failures=(matches,))
    pages, pictures = fetchers or _fetchers(settings, recorder)
    looker = _Looker(record, data, pictures, today(recorder))
    for match in matches:
        looker.look(pages.fetch(match.page).page)
    return looker.result(len(matches))


def _matches(settings: Settings, address: str, recorder: Recorder) -> tuple[PictureMatch, ...] | Failure:
    def ask() -> JsonValue:
        try:
            engine = make_image_search(settings)
            found = retried(lambda: engine.search(address, settings.imagesearch.results), attempts=2)
        except (TransientError, BackendUnavailable, ConfigError) as error:
            return {"failure": f"the picture was not looked for on the web: {error}"}
        return {"results": [m.model_dump(mode="json") for m in found]}

    answer = recorder.call("imagesearch", address, ask)
    if not isinstance(answer, dict) or "failure" in answer:
        message = str(answer.get("failure")) if isinstance(answer, dict) else "the answer has no form"
        return _failure("unavailable", message)
    rows = answer.get("results")
    return tuple(PictureMatch.model_validate(row) for row in rows) if isinstance(rows, list) else ()


def _fetchers(settings: Settings, recorder: Recorder) -> tuple[Fetcher, Fetcher]:
    from agent.tools.web.fetch import PICTURES, PageFetcher
    from factdesk.bounds import blocked_on_web

    blocked = blocked_on_web(settings)
    return PageFetcher(recorder, blocked), PageFetcher(recorder, blocked, types=PICTURES)


class _Looker:
    """Goes through pages and keeps the pictures that are the submitted one."""

    def __init__(self, record: ImageRecord, data: bytes, pictures: Fetcher, day: date) -> None:
        from evidence.images.files import decode
        from evidence.images.reader import MAX_PIXELS

        self._record = record
        read = tuple((s.text, s.region) for s in record.spans if s.kind in ("ocr", "chart"))
        pixels = decode(data, record.name, MAX_PIXELS).pixels
        self._submitted = Submitted(pixels, record.sha256, read)
        self._pictures = pictures
        self._today = day
        self._uses: list[EarlierUse] = []

    def look(self, page: FetchedPage | None) -> None:
        """The first picture of the page that is the submitted one, if any."""
        from agent.tools.web.page_images import figures_of

        if page is None:
            return
        for figure in figures_of(page):
            use = self._same(figure, page)
            if use is not None:
                self._uses.append(use)
                return

    def _same(self, figure: Figure, page: FetchedPage) -> EarlierUse | None:
        image = self._fetched(figure.address)
        if image is None:
            return None
        found, digest = image
        told = Description(caption=figure.caption, url=page.final_url, **_published(page, self._today))
        known = make_known(found, digest, figure.address[-60:], told, text=True)
        matches = [matched(self._submitted, known, mirrored=turned) for turned in (False, True)]
        uses = [match.use for match in matches if match is not None]
        best = max(uses, key=lambda use: (use.match != "similar", use.similarity), default=None)
        return best.model_copy(update={"origin": "web"}) if best is not None else None

    def _fetched(self, address: str) -> tuple[Image, str] | None:
        from evidence.images.files import decode
        from evidence.images.reader import MAX_PIXELS

        outcome = self._pictures.fetch(address)
        if outcome.page is None:
            return None
        try:
            pixels = decode(outcome.page.body, address[-40:], MAX_PIXELS).pixels
        except InputError:
            return None
        return pixels, sha256_bytes(outcome.page.body)

    def result(self, named: int) -> WebUses:
        """Oldest first; says how many pages were named where none of them has the picture."""
        uses = sorted(self._uses, key=lambda u: (u.published is None, str(u.published), u.url or ""))
        findings = [
            ImageFinding(
                kind="altered" if use.match == "altered" else "earlier_use",
                text=f"On the web: {use_sentence(use)}",
                image=self._record.sha256,
            )
            for use in uses
        ]
        if named and not uses:
            text = f"Of {named} pages that a reverse image search names, none was found to have this picture."
            findings.append(ImageFinding(kind="earlier_use", text=text, image=self._record.sha256))
        captions = [_caption_span(use) for use in uses if use.caption.strip() and use.url]
        return WebUses(tuple(uses), tuple({c.doc_id: c for c in captions}.values()), tuple(findings))


def _caption_span(use: EarlierUse) -> Span:
    """The caption of a page as a span of kind ``caption``: a question may cite it, a claim never rests on it."""
    digest, text = sha256_text(use.caption), use.caption
    doc_id = f"web-caption:{sha256_text(f'{use.url}|{text}')[:16]}"
    return Span(
        span_id=f"{doc_id}#0.0",
        chunk_id=f"{doc_id}#0",
        doc_id=doc_id,
        doc_sha256=digest,
        start=0,
        end=len(text),
        text=text,
        kind="caption",
        title=f"Caption of the picture on {use.source or use.url}",
        url=use.url,
        published=use.published,
    )


def _published(page: FetchedPage, day: date) -> dict[str, Any]:
    """Day and publisher as the page's own reading gives them; neither where it has no text."""
    from agent.tools.web.page import read_page

    try:
        document = read_page(page, day)
    except InputError:
        return {}
    return {"published": document.published, "source": document.publisher}


def _failure(kind: str, message: str) -> Failure:
    return Failure(where=WHERE, kind=kind, message=message, deciding=False)
