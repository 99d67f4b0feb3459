"""MiniCheck's sequence-to-sequence form, on a tiny T5 that is taught here what two sentences support."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import WhitespaceSplit
from tokenizers.processors import TemplateProcessing
from transformers import PreTrainedTokenizerFast, T5Config, T5ForConditionalGeneration

from factdesk.kernel import ConfigError
from verifier.backends.factory import SMALL, make_verifier
from verifier.backends.torch_models import MiniCheckVerifier

OPEN, SHUT = "the bridge is open", "the bridge is shut"
TAUGHT = {(OPEN, OPEN): "1", (SHUT, SHUT): "1", (OPEN, SHUT): "0", (SHUT, OPEN): "0"}


def taught(folder: Path) -> Path:
    """A T5 of 16 dimensions with its tokeniser."""
    marks = ["<pad>", "</s>", "<unk>", "0", "1", "predict:"]
    made = Tokenizer(WordLevel({w: i for i, w in enumerate([*marks, *OPEN.split(), "shut"])}, unk_token="<unk>"))
    made.pre_tokenizer = WhitespaceSplit()
    made.post_processor = TemplateProcessing(single="$A </s>", special_tokens=[("</s>", 1)])
    tokenizer = PreTrainedTokenizerFast(tokenizer_object=made, eos_token="</s>", pad_token="<pad>", unk_token="<unk>")
    torch.manual_seed(7)
    config = T5Config(
        vocab_size=len(made.get_vocab()),
        d_model=16,
        d_kv=8,
        d_ff=32,
        num_layers=1,
        num_heads=2,
        dropout_rate=0.0,
        decoder_start_token_id=0,
        pad_token_id=0,
        eos_token_id=1,
    )
    model = T5ForConditionalGeneration(config)
    given = tokenizer([f"predict: {premise}</s>{claim}" for premise, claim in TAUGHT], return_tensors="pt")
    wanted = tokenizer(list(TAUGHT.values()), return_tensors="pt")["input_ids"]
    optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
    for _ in range(250):
        optimizer.zero_grad()
        model(input_ids=given["input_ids"], attention_mask=given["attention_mask"], labels=wanted).loss.backward()
        optimizer.step()
    model.eval().save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return taught(tmp_path_factory.mktemp("minicheck"))


def test_it_says_what_it_was_taught_and_never_contradicts(folder: Path) -> None:
    verifier = make_verifier(f"minicheck:{folder}", strict=False)
    assert isinstance(verifier, MiniCheckVerifier)
    scores = verifier.raw(list(TAUGHT))
    assert [str(round(s.entailment)) for s in scores] == list(TAUGHT.values())
    assert {s.contradiction for s in scores} == {0.0}
    assert all(s.entailment + s.neutral == pytest.approx(1.0) for s in scores)
    assert verifier.raw(list(TAUGHT)[::-1]) == scores[::-1], "a score depends on its pair alone"
    assert verifier.fingerprint.sha256


def test_in_strict_mode_it_needs_a_partner(folder: Path) -> None:
    with pytest.raises(ConfigError, match="ensemble:minicheck"):
        make_verifier(f"minicheck:{folder}")
    assert make_verifier(f"ensemble:minicheck:{folder}+{SMALL}", strict=False).can_contradict


def test_a_folder_that_is_none_and_weights_that_are_not_whole(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="no folder"):
        make_verifier(f"minicheck:{tmp_path / 'none'}", strict=False)
    (tmp_path / "config.json").write_text((folder / "config.json").read_text())
    with pytest.raises(ConfigError, match="safetensors"):
        make_verifier(f"minicheck:{tmp_path}", strict=False)
