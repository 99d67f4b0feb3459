"""Triples by REBEL, a sequence-to-sequence model, through transformers, on request."""

from __future__ import annotations

import re
from typing import Any

from evidence.graph.coreference import DISCOURSE_VERSION
from evidence.graph.phrases import make_node
from evidence.graph.types import NodeKind, Triple
from evidence.segmentation.spans import spans_of
from evidence.types import Document
from factdesk.kernel import BackendUnavailable, Fingerprint, install_line

MAX_TOKENS = 256
BEAMS = 3
_FRAME = re.compile(r"<s>|</s>|<pad>")


class RebelExtractor:
    """A REBEL model, safetensors only. Raises ``BackendUnavailable`` without transformers or the weights."""

    def __init__(self, place: str) -> None:
        self._place = place
        try:
            from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

            self._tokenizer: Any = AutoTokenizer.from_pretrained(place)
            self._model: Any = AutoModelForSeq2SeqLM.from_pretrained(place, use_safetensors=True).eval()
        except ImportError as error:
            raise BackendUnavailable(f"REBEL needs transformers and torch; {install_line('models')}") from error
        except (OSError, ValueError) as error:
            raise BackendUnavailable(
                f"no REBEL model at {place!r} ({str(error).splitlines()[0][:160]}); give a folder with "
                "its weights, or use the extractor 'rules'"
            ) from error

    @property
    def fingerprint(self) -> Fingerprint:
        """Its location, and the shape of its weights."""
        return Fingerprint(
            name=f"graph:rebel:{self._place}", version=f"{DISCOURSE_VERSION}:{self._model.num_parameters()}"
        )

    def extract(self, document: Document) -> tuple[Triple, ...]:
        """Triples by sentence, with beam search."""
        import torch

        found: list[Triple] = []
        for span in spans_of(document):
            given = self._tokenizer(span.text, return_tensors="pt", truncation=True, max_length=MAX_TOKENS)
            with torch.inference_mode():
                output = self._model.generate(
                    **given, max_length=MAX_TOKENS, num_beams=BEAMS, do_sample=False, length_penalty=0
                )
            text = self._tokenizer.batch_decode(output, skip_special_tokens=False)[0]
            for subject, relation, target in parse_rebel(text):
                ends = make_node(subject, _kind(subject)), make_node(target, _kind(target))
                if ends[0] is not None and ends[1] is not None and ends[0].key != ends[1].key:
                    found.append(Triple.taken_from(span, subject=ends[0], relation=relation, object=ends[1]))
        return tuple(dict.fromkeys(found))


def _kind(text: str) -> NodeKind:
    """``value`` for text that starts with a digit, since REBEL gives no kinds."""
    return "value" if text[:1].isdigit() else "thing"


def parse_rebel(text: str) -> tuple[tuple[str, str, str], ...]:
    """(subject, relation, object) of REBEL's marked output (Huguet Cabot and Navigli, 2021), each once.

    ``<triplet> Oslo <subj> Norway <obj> capital of`` gives (Oslo, capital of, Norway); incomplete ones
    are dropped.
    """
    found = []
    for block in _FRAME.sub(" ", text).split("<triplet>")[1:]:
        subject, *pairs = block.split("<subj>")
        for pair in pairs:
            target, relation = [*pair.split("<obj>"), ""][:2]
            found.append((_plain(subject), _plain(relation), _plain(target)))
    return tuple(dict.fromkeys(triple for triple in found if all(triple)))


def _plain(words: str) -> str:
    return " ".join(words.split())
