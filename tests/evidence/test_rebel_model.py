"""REBEL on a real sequence-to-sequence model: a tiny one, taught here to say the triples of two sentences."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from evidence.graph.build import make_extractor
from evidence.types import Document
from factdesk.kernel import sha256_text
from language.nlp.pipeline import load_nlp, nlp_fingerprint

SAID = {
    "Tarn is the capital of Belcastra .": "<triplet> Tarn <subj> Belcastra <obj> capital of",
    "Ana Roth runs Harrow Dairy in Tarn .": "<triplet> Ana Roth <subj> Harrow Dairy <obj> chief executive",
}
STEPS = 120


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A BART of 16 dimensions that was taught ``SAID``, with its tokeniser, in a folder."""
    torch: Any = pytest.importorskip("torch")
    transformers: Any = pytest.importorskip("transformers")
    from tokenizers import Tokenizer
    from tokenizers.models import WordLevel
    from tokenizers.pre_tokenizers import WhitespaceSplit
    from tokenizers.processors import TemplateProcessing

    marks = ["<s>", "<pad>", "</s>", "<unk>", "<triplet>", "<subj>", "<obj>"]
    words = sorted({w for pair in SAID.items() for text in pair for w in text.split()} - set(marks))
    made = Tokenizer(WordLevel({w: i for i, w in enumerate([*marks, *words])}, unk_token="<unk>"))
    made.pre_tokenizer = WhitespaceSplit()
    made.post_processor = TemplateProcessing(single="<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 2)])
    tokenizer = transformers.PreTrainedTokenizerFast(
        tokenizer_object=made, bos_token="<s>", eos_token="</s>", pad_token="<pad>", unk_token="<unk>"
    )
    torch.manual_seed(7)
    config = transformers.BartConfig(
        vocab_size=len(made.get_vocab()),
        d_model=16,
        encoder_layers=1,
        decoder_layers=1,
        encoder_attention_heads=2,
        decoder_attention_heads=2,
        encoder_ffn_dim=32,
        decoder_ffn_dim=32,
        max_position_embeddings=64,
        dropout=0.0,
        bos_token_id=0,
        pad_token_id=1,
        eos_token_id=2,
        decoder_start_token_id=2,
        forced_eos_token_id=2,
    )
    tiny = transformers.BartForConditionalGeneration(config)
    given = tokenizer(list(SAID), return_tensors="pt", padding=True)
    wanted = tokenizer(list(SAID.values()), return_tensors="pt", padding=True)["input_ids"]
    wanted[wanted == 1] = -100
    optimizer = torch.optim.AdamW(tiny.parameters(), lr=0.02)
    for _ in range(STEPS):
        optimizer.zero_grad()
        tiny(input_ids=given["input_ids"], attention_mask=given["attention_mask"], labels=wanted).loss.backward()
        optimizer.step()
    folder = tmp_path_factory.mktemp("rebel")
    tiny.eval().save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def test_triples_of_a_model_stand_in_their_sentences(model: Path) -> None:
    text = " ".join(SAID)
    document = Document(doc_id="d", title="d", text=text, sha256=sha256_text(text))
    extractor = make_extractor(f"rebel:{model}", load_nlp(), nlp_fingerprint())
    found = extractor.extract(document)
    assert [(t.subject.text, t.relation, t.object.text) for t in found] == [
        ("Tarn", "capital of", "Belcastra"),
        ("Ana Roth", "chief executive", "Harrow Dairy"),
    ]
    assert [text[t.start : t.end].split()[0] for t in found] == ["Tarn", "Ana"]
    assert extractor.extract(document) == found
    assert str(model) in extractor.fingerprint.name
