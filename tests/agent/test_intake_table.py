"""Hand-written sentences and the atomic claims they should become; what is unsure stays whole."""

from __future__ import annotations

import pytest

from agent.intake import compile_claims

SPLIT = {
    # verb phrases
    "The company closed its plant in Dunmarrow and cut 340 jobs.": [
        "The company closed its plant in Dunmarrow.",
        "The company cut 340 jobs.",
    ],
    "Marie Curie was born in Warsaw in 1867 and died in France in 1934.": [
        "Marie Curie was born in Warsaw in 1867.",
        "Marie Curie died in France in 1934.",
    ],
    "The bill was passed in 2010 and repealed in 2014.": [
        "The bill was passed in 2010.",
        "The bill was repealed in 2014.",
    ],
    "In 2015, the company hired 200 people and fired 50 managers.": [
        "In 2015, the company hired 200 people.",
        "In 2015, the company fired 50 managers.",
    ],
    "The mayor did not resign and did not apologise.": [
        "The mayor did not resign.",
        "The mayor did not apologise.",
    ],
    "Walpole married a woman and had five children.": [
        "Walpole married a woman.",
        "Walpole had five children.",
    ],
    "The United States is made up of 50 states and is a member of United Nations.": [
        "The United States is made up of 50 states.",
        "The United States is a member of United Nations.",
    ],
    "Tupac Shakur debuted on a single and later released one album.": [
        "Tupac Shakur debuted on a single.",
        "Tupac Shakur later released one album.",
    ],
    "The plane may have landed in Rome and reportedly left on Monday.": [
        "The plane may have landed in Rome.",
        "The plane reportedly left on Monday.",
    ],
    # clauses
    "The library opened in 2019, but it closed in 2021.": [
        "The library opened in 2019.",
        "The library closed in 2021.",
    ],
    "Sales rose and profits fell.": ["Sales rose.", "Profits fell."],
    "Because of the storm, the bridge closed and three trains stopped.": [
        "Because of the storm, the bridge closed.",
        "Because of the storm, three trains stopped.",
    ],
    # subjects
    "Vienna and Graz are in Austria.": ["Vienna is in Austria.", "Graz is in Austria."],
    "Both Vienna and Graz are in Austria.": ["Vienna is in Austria.", "Graz is in Austria."],
    "Vienna and Graz are cities in Austria.": ["Vienna is a city in Austria.", "Graz is a city in Austria."],
    "Germany and France support the plan.": ["Germany supports the plan.", "France supports the plan."],
    # objects, complements, places, years
    "Anna Berg visited Paris, London and Rome in May.": [
        "Anna Berg visited Paris in May.",
        "Anna Berg visited London in May.",
        "Anna Berg visited Rome in May.",
    ],
    "The company employs 40 nurses and 20 doctors.": [
        "The company employs 40 nurses.",
        "The company employs 20 doctors.",
    ],
    "The city banned cars and bicycles.": ["The city banned cars.", "The city banned bicycles."],
    "Peter Hall is a lawyer and a politician.": ["Peter Hall is a lawyer.", "Peter Hall is a politician."],
    "The vaccine is safe and effective.": ["The vaccine is safe.", "The vaccine is effective."],
    "The firm has offices in Vienna and Graz.": [
        "The firm has offices in Vienna.",
        "The firm has offices in Graz.",
    ],
    "The festival was held in 2019 and 2021.": [
        "The festival was held in 2019.",
        "The festival was held in 2021.",
    ],
    # asides
    "Anna Berg, who is the mayor of Graz, resigned on 3 May 2021.": [
        "Anna Berg is the mayor of Graz.",
        "Anna Berg resigned on 3 May 2021.",
    ],
    "Peter Hall, who was born in Paris and died in Rome, wrote 12 books.": [
        "Peter Hall was born in Paris.",
        "Peter Hall died in Rome.",
        "Peter Hall wrote 12 books.",
    ],
    "The museum, which opened in 1990, has 400 paintings.": [
        "The museum opened in 1990.",
        "The museum has 400 paintings.",
    ],
    "Maria Lopez, the head of the agency, may leave in June.": [
        "Maria Lopez is the head of the agency.",
        "Maria Lopez may leave in June.",
    ],
    "The mayor of Graz, Anna Berg, resigned.": ["Anna Berg was the mayor of Graz.", "Anna Berg resigned."],
    "The mayor of the town, a former teacher, opened the school and the library.": [
        "The mayor of the town was a former teacher.",
        "The mayor of the town opened the school.",
        "The mayor of the town opened the library.",
    ],
    # pronouns over sentences
    "Anna Berg was born in Graz. She became mayor in 2019.": [
        "Anna Berg was born in Graz.",
        "Anna Berg became mayor in 2019.",
    ],
    "The bridge was built in 1900. Its length is 300 metres.": [
        "The bridge was built in 1900.",
        "The bridge's length is 300 metres.",
    ],
    # asides stay whole inside a shared subject
    "One of the workers, Jorun Teal, recognised the picture and called the police.": [
        "One of the workers, Jorun Teal, recognised the picture.",
        "One of the workers, Jorun Teal, called the police.",
    ],
    # lists
    "- The bridge opened in 1932.\n- The tunnel closed in 1990.": [
        "The bridge opened in 1932.",
        "The tunnel closed in 1990.",
    ],
}

WHOLE = [
    "Tom and Mary married in 2010.",
    "France and Germany signed a deal in 1963.",
    "The agreement between France and Germany was signed in 2019.",
    "Tom and Mary met each other in Rome.",
    "Germany and France won 10 medals together.",
    "Germany and France won 10 medals.",
    "The two companies merged and formed Acme.",
    "Bosnia and Herzegovina is in Europe.",
    "Johnson and Johnson bought the firm, and its shares rose 5 percent.",
    "Between 10 and 20 people were hurt.",
    "The mayor did not resign and apologise.",
    "No company closed its plants and cut jobs.",
    "It is not true that Anna resigned and Tom left.",
    "If taxes rise, the firm leaves and the plant closes.",
    "The company closed the plant, which angered residents.",
    "The museum reopened and attracted 5,000 visitors in March.",
    "The company bought and sold shares.",
    "Anna Berg played chess with Tom and beat him.",
    "The tower or the bridge was closed in 1990.",
    "Neither Vienna nor Graz is in Germany.",
    "Only Vienna and Graz are in Austria.",
    "The flag is black and white.",
    "Two people were killed and five injured.",
    "The man who robbed the bank fled.",
    "Anna Berg did not visit Paris and London.",
    "The firm sells a mix of shoes and bags.",
    "The minister said that the dam was safe and that the repairs cost $3 million.",
    "According to the agency, cases rose by 5 percent and deaths fell by 2 percent.",
    "Sales rose from 10 to 20 million and not to 30 million.",
    "The trains connect Vienna and Graz.",
    "The firm has no offices in Vienna and Graz.",
    "Students who perform poorly are less likely to succeed.",
    "Tiles are to be made in the factory in Belcastra, which was modernised in 2022.",
    "The picture will hang behind glass and be watched by two guards.",
    "The state is paying the bills, which is why the price of power has doubled.",
    "On board were tanks, freezers and crates with well over a thousand animals.",
    "The voyage cost 3.9 million, and a sea cucumber costs four at the market.",
    "Building tram line 4 cost 418 million euros, the Selwick Transit Authority said.",
    "Morrane was born in Lorvain in 1851 and died there in 1923.",
    "Admission to the exhibition costs 14 euros, and it is free for everyone under 18.",
    "Vienna, the capital of Austria, and Graz are on a river.",
    "About half of the machines went to Graz, and the rest was scrapped.",
]


def test_the_tables_are_long_enough() -> None:
    assert len(SPLIT) + len(WHOLE) >= 60


@pytest.mark.parametrize("sentence", SPLIT, ids=str)
def test_splits(sentence: str) -> None:
    ir = compile_claims(sentence)
    assert [c.text for c in ir.claims] == SPLIT[sentence]


@pytest.mark.parametrize("sentence", WHOLE, ids=str)
def test_stays_whole(sentence: str) -> None:
    ir = compile_claims(sentence)
    assert [c.text for c in ir.claims] == [sentence]


@pytest.mark.parametrize(
    ("sentence", "reason"),
    [
        ("Is the bridge closed?", "question"),
        ("Who closed the bridge?", "question"),
        ("Do not trust the mayor.", "order"),
        ("Share this now.", "order"),
        ("I think that the plan is bad.", "opinion"),
        ("In my opinion, the bridge is red.", "opinion"),
        ("Will Smith is the best actor.", "judgement"),
        ("Venice is the most beautiful city in Italy.", "judgement"),
        ("The government should lower taxes.", "judgement"),
        ("It will rain tomorrow.", "prediction"),
        ("Germany will win the World Cup in 2030.", "prediction"),
        ("Robots are going to replace all teachers.", "prediction"),
        ("He was born in 1990.", "'He'"),
    ],
)
def test_unsupported_by_design(sentence: str, reason: str) -> None:
    (claim,) = compile_claims(sentence).claims
    assert claim.unsupported_by_design is not None
    assert reason in claim.unsupported_by_design


@pytest.mark.parametrize(
    "sentence",
    [
        "Ostrel closed its plant in 2025.",
        "The plant will close on 30 September 2025.",
        "Ostrel Ceramics will keep firing tiles in Dunmarrow until the end of 2026.",
        "Ostrel's Belcastra factory will hire 150 people because production moves there.",
        "The book is the best-selling novel of 2012.",
        "The minister said that it will rain tomorrow.",
        "Graz is the second-largest city in Austria.",
        "May Hill is in England.",
    ],
)
def test_supported_by_design(sentence: str) -> None:
    (claim,) = compile_claims(sentence).claims
    assert claim.unsupported_by_design is None


@pytest.mark.parametrize(
    ("sentence", "hedged"),
    [
        ("The bridge may be closed.", True),
        ("The mayor reportedly resigned.", True),
        ("The firm is expected to close the plant.", True),
        ("The tower seems to be leaning.", True),
        ("The bridge was closed in May 2021.", False),
        ("Theresa May resigned in 2019.", False),
        ("The firm is closed.", False),
    ],
)
def test_hedges(sentence: str, hedged: bool) -> None:
    assert compile_claims(sentence).claims[0].hedged is hedged


@pytest.mark.parametrize(
    ("sentence", "attribution"),
    [
        ("The minister said that the dam was safe.", "The minister"),
        ("Maria Lopez claims the vote was rigged.", "Maria Lopez"),
        ("According to the city office, the bridge is safe.", "the city office"),
        ("Building the dam cost 3 million euros, the Transit Authority said.", "the Transit Authority"),
        ("The dam was safe.", None),
    ],
)
def test_attribution(sentence: str, attribution: str | None) -> None:
    (claim,) = compile_claims(sentence).claims
    assert claim.attribution == attribution
    assert (claim.type == "quote") is (attribution is not None)


@pytest.mark.parametrize(
    ("sentence", "about"),
    [
        ("The photo shows a flooded street in Valencia.", True),
        ("The chart says that sales were 40 in 2020.", True),
        ("In the picture, a man holds a flag.", True),
        ("The post on the screenshot reads 'closed'.", True),
        ("The image was taken in 2024.", True),
        ("Jorun Teal got 50,000 euros for recognising the picture.", False),
        ("According to the graphic, 1,204 shops were surveyed.", True),
        ("The bridge is closed.", False),
        ("She signed the map treaty in 1990.", False),
    ],
)
def test_about_image_needs_an_image(sentence: str, about: bool) -> None:
    with_image = compile_claims(sentence, has_image=True).claims[0]
    without = compile_claims(sentence).claims[0]
    assert with_image.about_image is about
    assert (with_image.type == "image") is about
    assert not without.about_image


HIDDEN = {
    # the parse of the whole sentence takes the second subject for a conjunct, or the verb for a participle
    "Exports fell by 6.2 percent and tariffs rose by 2 percent.": [
        ("Exports fell by 6.2 percent.", "Exports fell by 6.2 percent"),
        ("Tariffs rose by 2 percent.", "tariffs rose by 2 percent."),
    ],
    "The storm broke the mast and Vell lost power on Sunday.": [
        ("The storm broke the mast.", "The storm broke the mast"),
        ("Vell lost power on Sunday.", "Vell lost power on Sunday."),
    ],
    "Harrow Dairy, founded in 1908, supplies Vell Hospital.": [
        ("Harrow Dairy was founded in 1908.", "founded in 1908"),
        ("Harrow Dairy supplies Vell Hospital.", "Harrow Dairy, founded in 1908, supplies Vell Hospital."),
    ],
    "The brewery, based in Vell, sells beer.": [
        ("The brewery is based in Vell.", "based in Vell"),
        ("The brewery sells beer.", "The brewery, based in Vell, sells beer."),
    ],
    "Vell, famous for its pears, has 900 inhabitants.": [
        ("Vell is famous for its pears.", "famous for its pears"),
        ("Vell has 900 inhabitants.", "Vell, famous for its pears, has 900 inhabitants."),
    ],
    "The town is famous for its pears and has 900 inhabitants.": [
        ("The town is famous for its pears.", "The town is famous for its pears and has 900 inhabitants."),
        ("The town has 900 inhabitants.", "has 900 inhabitants"),
    ],
    "Built in 1704, the chapel is 30 metres long.": [
        ("The chapel was built in 1704.", "Built in 1704"),
        ("The chapel is 30 metres long.", "the chapel is 30 metres long."),
    ],
    "The mayor did not resign, nor did he apologise.": [
        ("The mayor did not resign.", "The mayor did not resign"),
        ("The mayor did not apologise.", "nor did he apologise."),
    ],
    "Ada Wynn, the pilot, left in June.": [
        ("Ada Wynn was the pilot.", "the pilot"),
        ("Ada Wynn left in June.", "Ada Wynn, the pilot, left in June."),
    ],
    "The finance director, Ada Wynn, left in June.": [
        ("The finance director was Ada Wynn.", "The finance director, Ada Wynn"),
        ("Ada Wynn left in June.", "Ada Wynn, left in June."),
    ],
}
"""Claims of a sentence, each with its source, word for word in the sentence."""
STILL_WHOLE = [
    "The pilot, Ada Wynn, left at noon.",
    "Ada Wynn, 44, and her brother, 41, were hurt.",
    "Ada Wynn bought a mill in Vell and a barn in Harrow.",
    "Exports fell in May because prices rose and demand sank.",
    "The plant, expected to open in June, cost 3 million euros.",
    "Some dairies, founded in 1908, closed in May.",
    "Ada Wynn, asked about the vote, left the hall.",
    "Harrow Dairy, once owned by Vell, closed in May.",
    "The firm sells rope and tar sticks.",
]
"""Sentences of which no part stands for certain."""


@pytest.mark.parametrize("sentence", HIDDEN, ids=str)
def test_parts_that_the_parse_hides_have_their_exact_source(sentence: str) -> None:
    ir = compile_claims(sentence)
    assert [(c.text, c.source) for c in ir.claims] == HIDDEN[sentence]
    assert all(sentence[c.start : c.end] == c.source for c in ir.claims)


@pytest.mark.parametrize("sentence", STILL_WHOLE, ids=str)
def test_in_doubt_a_sentence_stays_whole(sentence: str) -> None:
    assert [c.text for c in compile_claims(sentence).claims] == [sentence]


@pytest.mark.parametrize("sentence", [*SPLIT, *HIDDEN, *STILL_WHOLE], ids=str)
def test_no_part_is_a_fragment(sentence: str) -> None:
    claims = compile_claims(sentence).claims
    assert len(claims) == 1 or all(any(f.role == "predicate" for f in c.fields) for c in claims)
