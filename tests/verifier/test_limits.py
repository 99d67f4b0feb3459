"""What the evidence limits, and what belongs to what in it: each trap beside what must stay Verified."""

from __future__ import annotations

import pytest

from verifier.guard import check

TRAPS = """
All pupils passed the exam. | Nearly all pupils passed the exam.
All pupils passed the exam. | All but two pupils passed the exam.
The species is extinct. | The species is nearly extinct.
The museum is open every day. | The museum is open every day except Monday.
The council approved the plan. | A committee of the council approved the plan.
The firm owns Tarn Dairy. | The firm owns a third of Tarn Dairy.
The painting is by Rembrandt. | The painting is a copy of a work by Rembrandt.
The painting is by Rembrandt. | The painting was long attributed to Rembrandt.
The factory employs 400 people. | The factory once employed 400 people.
The factory employs 400 people. | At its peak, the factory employed 400 people.
Per Berg is married to Ida Holm. | Per Berg was formerly married to Ida Holm.
Lund is the capital of Skane. | Lund was the capital of Skane until 1720.
Ida Holm is a minister. | Ida Holm is a former minister.
The drug reduced deaths. | The drug reduced deaths in mice.
Ida Holm moved 3 million florins. | Prosecutors allege that Ida Holm moved 3 million florins.
The dam is safe. | Engineers of the firm insist that the dam is safe.
The film won an Oscar. | The film was nominated for an Oscar.
The court fined Tarn Dairy. | The prosecutor asked the court to fine Tarn Dairy.
The man was convicted of murder. | The man was charged with murder.
The bridge cost 5 million euros. | The city contributed 5 million euros to the bridge.
The bridge cost 5 million euros. | Repairing the bridge cost 5 million euros.
The bridge is 500 metres long. | The bridge is 500 metres above the harbour.
Lund has the deepest lake in Europe. | Lund has the deepest lake in northern Europe.
The tunnel is the longest in the world. | The tunnel is the longest road tunnel in the world.
The minister resigned. | The minister's deputy resigned.
Tarn Dairy was founded in 1950. | Tarn Dairy's plant in Lund was founded in 1950.
Per Berg was born in Oslo. | Per Berg was born in Bergen and grew up in Oslo.
The ship sank off Norway. | The ship, built in Norway, sank off Iceland.
The law takes effect in July. | The law was passed in July and takes effect in January.
The earthquake struck at night. | The earthquake struck at noon; aftershocks followed at night.
Police arrested a man from Malmo. | Police in Malmo arrested a man from Lund.
The painting was sold to Ida Holm. | The painting was sold by Ida Holm.
The book was translated into German. | The book was translated from German.
Sales rose to 5 million euros. | Sales rose by 5 million euros.
The tower has 312 steps. | The tower has 312 windows and 280 steps.
Three children died in the fire. | Three people died in the fire, among them a child.
The school has 300 girls. | The school has 300 pupils, half of them girls.
The firm bought Tarn Dairy. | Tarn Dairy bought the firm.
Police shot the man. | The man shot at police.
The thieves took the painting. | The thieves left the painting and took the frame.
In 2020, 40 percent of women smoked. | In 2020, 40 percent of smokers were women.
Two thirds of voters backed it. | Two thirds of voters under 30 backed it.
"""
RIGHT = """
Nearly all pupils passed the exam. | Nearly all pupils passed the exam.
Nearly 300 pupils passed the exam. | Nearly 300 pupils passed the exam.
A committee approved the plan. | A committee of the council approved the plan.
A third of Tarn Dairy belongs to the firm. | The firm owns a third of Tarn Dairy.
The factory employed 400 people. | The factory once employed 400 people.
The trams run once an hour. | The trams run once an hour.
Lund was the capital of Skane. | Lund was the capital of Skane until 1720.
The drug reduced deaths of mice. | The drug reduced deaths in mice.
The film was nominated for an Oscar. | The film was nominated for an Oscar.
The bridge cost 5 million euros. | The bridge cost 5 million euros, to which the city contributed one million.
The bridge has a length of 500 metres. | The bridge is 500 metres long.
Lund has the deepest lake in northern Europe. | Lund has the deepest lake in northern Europe.
The tunnel is the longest of the world. | The tunnel is the longest in the world and lies in Norway.
Tarn Dairy's plant was founded in 1950. | Tarn Dairy's plant in Lund was founded in 1950.
Per Berg was born in Bergen. | Per Berg was born in Bergen and grew up in Oslo.
The record was released by Jive in 2009. | The record was released on 7 December 2009 by Jive.
"Shut Up" is a song by Stormzy. | "Shut Up" is a song by English Grime artist and MC Stormzy.
The ship sank off Iceland. | The ship, built in Norway, sank off Iceland.
The law takes effect in January. | The law was passed in July and takes effect in January.
The tower has 280 steps. | The tower has 312 windows and 280 steps.
Tarn Dairy was bought by the firm. | The firm bought Tarn Dairy.
The firm was bought by Tarn Dairy. | Tarn Dairy bought the firm.
Prosecutors allege that Ida Holm moved florins. | Prosecutors allege that Ida Holm moved florins in 2019.
The gel was used for three days. | After three days of using the gel, his mouth was well again.
The thieves took the frame. | The thieves left the painting and took the frame.
In 2020, 40 percent of smokers were women. | In 2020, 40 percent of smokers were women.
"""


def pairs(text: str) -> list[tuple[str, str]]:
    rows = [line.split(" | ") for line in text.strip().splitlines()]
    return [(claim.strip(), premise.strip()) for claim, premise in rows]


@pytest.mark.parametrize(("claim", "premise"), pairs(TRAPS))
def test_words_of_the_evidence_that_do_not_bear_the_claim_out(claim: str, premise: str) -> None:
    assert not check(claim, premise).agrees


@pytest.mark.parametrize(("claim", "premise"), pairs(RIGHT))
def test_what_the_evidence_says_stays(claim: str, premise: str) -> None:
    assert check(claim, premise).findings == ()


@pytest.mark.parametrize(("claim", "premise"), [*pairs(TRAPS), *pairs(RIGHT)])
def test_every_sentence_agrees_with_itself(claim: str, premise: str) -> None:
    assert check(premise, premise).findings == ()
    assert check(claim, claim).findings == ()
