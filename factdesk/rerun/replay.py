"""A check with its recording, and a recording checked again."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from pydantic import ConfigDict, ValidationError

from agent.types import Progress
from factdesk.check.context import CheckRequest
from factdesk.checker import FactChecker, Report
from factdesk.kernel import CertificateError, ConfigError, InputError, Record
from factdesk.recording.recorder import Replayer, writing
from factdesk.settings import Settings
from factdesk.stored_order import UNRECORDED, storable, stored_settings
from report.certificate import sealing as codec
from report.render.diff import Difference, compare_bodies
from report.types import Certificate
from store.jobs import NamedFile
from store.runs import Order


class Inputs(Record):
    """What the recorded check was asked for."""

    model_config: ClassVar[ConfigDict] = ConfigDict(ser_json_bytes="base64", val_json_bytes="base64")

    order: Order
    images: tuple[NamedFile, ...] = ()


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
    order, pictures, files = checker.prepare(request)
    told = order.model_copy(update={"settings": storable(checker.settings, UNRECORDED), "corpus": ()})
    with writing(path, Inputs(order=told, images=tuple(files)).model_dump(mode="json")) as recorder:
        report = checker.begin(order, pictures, files, progress, recorder)
        recorder.write({"kind": "certificate", "key": "", "value": report.certificate.model_dump(mode="json")})
    return report


def replay(path: Path, home: Path, progress: Callable[[Progress], None] = lambda _event: None) -> Replay:
    """Run a recorded check again from its recording alone; neither network, corpora nor history are used. The models
    are this machine's. Raises ``InputError`` for a recording that is damaged, incomplete, or lacks an answer.
    """
    from evidence.images.reader import read_picture

    replayer = Replayer(path)
    recorded = _certificate(replayer, path)
    try:
        inputs = Inputs.model_validate_json(json.dumps(replayer.inputs))
        order = inputs.order.model_copy(update={"run_id": codec.new_certificate_id(), "record": False})
        machine = Settings(home=home, corpus=("default",), score_cache=False)
        checker = FactChecker(stored_settings(order, machine, UNRECORDED))
    except (ValidationError, ConfigError) as error:
        raise InputError(f"the inputs in the recording {str(path)!r} are not usable: {error}") from error
    pictures = tuple(read_picture(data, name) for name, data in inputs.images)
    report = checker.begin(order, pictures, inputs.images, progress, replayer)
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
