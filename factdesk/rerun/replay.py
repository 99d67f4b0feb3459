"""A check with its recording, and a recording checked again."""

from __future__ import annotations

import base64
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from agent.types import Progress
from factdesk.check.context import CheckRequest
from factdesk.checker import FactChecker, Report
from factdesk.kernel import CertificateError, ConfigError, InputError
from factdesk.recording.recorder import Replayer, writing
from factdesk.settings import Settings
from report.certificate import sealing as codec
from report.render.diff import Difference, compare_bodies
from report.types import Certificate

NOT_RECORDED = {
    "home": True,
    "corpus": True,
    "score_cache": True,
    "llm": {"api_key"},
    "websearch": {"url", "api_key"},
    "imagesearch": {"url", "api_key"},
    "database": True,
    "serve": True,
}
"""Settings that belong to the machine, or are secret."""


@dataclass(frozen=True)
class Replay:
    """A replayed check beside the one that was recorded."""

    report: Report
    recorded: Certificate
    differences: tuple[Difference, ...]

    @property
    def identical(self) -> bool:
        """The certificate bodies are the same, byte for byte."""
        return self.report.certificate.envelope.body_sha256 == self.recorded.envelope.body_sha256


def record_check(
    checker: FactChecker, path: Path, request: CheckRequest, progress: Callable[[Progress], None]
) -> Report:
    """``checker.run`` with all that comes from outside recorded into the new file ``path``."""
    inputs = {
        "text": request.text,
        "images": [_packed(image) for image in request.images],
        "image_urls": list(request.image_urls),
        "date": request.date.isoformat() if request.date else None,
        "as_of": request.as_of.isoformat() if request.as_of else None,
        "settings": checker.settings.model_dump(mode="json", exclude=NOT_RECORDED),  # type: ignore[arg-type]
    }
    made = False
    try:
        with writing(path, inputs) as recorder:
            made = True
            report = checker.run(request, progress, recorder)
            value = report.certificate.model_dump(mode="json")
            recorder.write({"kind": "certificate", "key": "", "value": value})
    except (InputError, ConfigError):
        if made:  # nothing came of it, and the next attempt wants the name
            path.unlink(missing_ok=True)
        raise
    return report


def replay(path: Path, home: Path, progress: Callable[[Progress], None] | None = None) -> Replay:
    """Run a recorded check again from its recording alone; neither network, corpora nor history are used.

    The models are this machine's. Raises ``InputError`` for a recording that is damaged, incomplete, or
    lacks an answer.
    """
    replayer = Replayer(path)
    recorded = _certificate(replayer, path)
    inputs = replayer.inputs
    checker = FactChecker(_settings(inputs, home, path))
    with tempfile.TemporaryDirectory(prefix="factdesk-replay-") as folder:
        try:
            request = CheckRequest(
                text=str(inputs["text"]),
                images=tuple(_unpacked(inputs.get("images"), Path(folder))),
                image_urls=tuple(str(url) for url in inputs.get("image_urls", ())),
                date=_day(inputs.get("date")),
                as_of=_day(inputs.get("as_of")),
                record=False,
            )
        except (KeyError, TypeError, ValueError) as error:
            raise InputError(f"the inputs in the recording {str(path)!r} are not usable") from error
        report = checker.run(request, progress or (lambda _event: None), replayer)
    return Replay(report, recorded, compare_bodies(recorded.body, report.certificate.body))


def recorded_certificate(path: Path) -> Certificate:
    """The certificate of a recorded run. Raises ``InputError``."""
    return _certificate(Replayer(path), path)


def _certificate(replayer: Replayer, path: Path) -> Certificate:
    if replayer.certificate is None:
        raise InputError(f"the recording {str(path)!r} has no certificate: the run did not come to its end")
    try:
        return codec.load(codec.to_text(Certificate.model_validate(replayer.certificate)))
    except (ValidationError, CertificateError) as error:
        raise InputError(f"the certificate in the recording {str(path)!r} does not hold: {error}") from error


def _settings(inputs: dict[str, Any], home: Path, path: Path) -> Settings:
    """The recorded settings, all of them, so that neither file nor environment of this machine has a say."""
    given = inputs.get("settings")
    if not isinstance(given, dict):
        raise InputError(f"the recording {str(path)!r} has no settings")
    unset = {name for name, field in Settings.model_fields.items() if field.exclude_if is not None}
    missing = set(Settings.model_fields) - set(given) - {"home", "corpus", "score_cache", "database", "serve"} - unset
    if missing:
        raise InputError(f"the recording {str(path)!r} lacks the setting {sorted(missing)[0]!r}")
    try:
        return Settings(**given, home=home, corpus=("default",), score_cache=False)
    except (ValidationError, TypeError) as error:
        raise InputError(f"the settings in the recording {str(path)!r} are of another version") from error


def _packed(path: Path) -> dict[str, str]:
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"the image {str(path)!r} cannot be read ({error.strerror})") from error
    return {"name": path.name, "data": base64.b64encode(data).decode("ascii")}


def _unpacked(images: Any, folder: Path) -> list[Path]:
    found = []
    for number, image in enumerate(images):
        place = folder / str(number) / Path(image["name"]).name
        place.parent.mkdir()
        place.write_bytes(base64.b64decode(image["data"]))
        found.append(place)
    return found


def _day(value: Any) -> date | None:
    return date.fromisoformat(value) if value is not None else None
