"""What one check works with, from its order to its certificate."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from factdesk.bounds import bounds_of
from factdesk.recording.recorder import LIVE, Recorder

if TYPE_CHECKING:
    from agent.bounds import Bounds
    from evidence.types import ImageRecord
    from factdesk.check.intake import Intake
    from factdesk.corpora.stored import Corpora
    from factdesk.settings import Settings
    from store.runs import Order
    from verifier.types import Verifier


@dataclass(frozen=True)
class CheckContext:
    """An order with the settings, corpora, models and pictures that it is carried out with."""

    order: Order
    settings: Settings
    corpora: Corpora
    load_verifier: Callable[[], Verifier]
    """Loads it on the first call."""
    intake: Intake
    pictures: tuple[ImageRecord, ...] = ()
    files: tuple[tuple[str, bytes], ...] = ()
    """Names and bytes of the pictures, in their order."""
    recorder: Recorder = LIVE
    """Stands between the check and all that comes from outside."""

    @property
    def verifier(self) -> Verifier:
        """The verifier of the settings."""
        return self.load_verifier()

    @property
    def corpus_names(self) -> tuple[str, ...]:
        """Those of the order, otherwise those of the settings."""
        return self.order.corpus or self.settings.corpus

    @property
    def bounds(self) -> Bounds:
        """What evidence the check may look at."""
        return bounds_of(self.settings, self.order.as_of, self.order.claim_date)

    @property
    def question(self) -> str | None:
        """The question that is to be answered; ``None`` where a claim is checked."""
        return self.order.text if self.order.asked else None
