"""Word lists of the slot guard: English, lower case, small on purpose."""

from __future__ import annotations

FRACTIONS = {
    "half": 50.0,
    "third": 100 / 3,
    "quarter": 25.0,
    "fifth": 20.0,
    "sixth": 100 / 6,
    "eighth": 12.5,
    "tenth": 10.0,
    "½": 50.0,
    "⅓": 100 / 3,
    "⅔": 200 / 3,
    "¼": 25.0,
    "¾": 75.0,
}
NUMBER_WORDS = frozenset(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
    "seventeen eighteen nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand "
    "million billion trillion".split()
)
ORDINALS = {
    "first": 1,
    "second": 2,
    "third": 3,
    "fourth": 4,
    "fifth": 5,
    "sixth": 6,
    "seventh": 7,
    "eighth": 8,
    "ninth": 9,
    "tenth": 10,
    "eleventh": 11,
    "twelfth": 12,
}
MULTIPLES = {
    "twice": 2,
    "thrice": 3,
    "double": 2,
    "doubled": 2,
    "doubles": 2,
    "doubling": 2,
    "triple": 3,
    "tripled": 3,
    "triples": 3,
    "tripling": 3,
    "quadrupled": 4,
    "quadruple": 4,
    "twofold": 2,
    "two-fold": 2,
    "threefold": 3,
    "three-fold": 3,
    "fourfold": 4,
    "four-fold": 4,
    "fivefold": 5,
    "tenfold": 10,
    "ten-fold": 10,
}
TENS = {
    "twenty": 20,
    "thirty": 30,
    "forty": 40,
    "fifty": 50,
    "sixty": 60,
    "seventy": 70,
    "eighty": 80,
    "ninety": 90,
}
VAGUE = {"dozens": 12.0, "hundreds": 1e2, "thousands": 1e3, "millions": 1e6, "billions": 1e9}
"""Amounts left open: "hundreds of", "tens of thousands of"; at least twice the word's own amount."""

ABOUT = (
    "about",
    "around",
    "roughly",
    "approximately",
    "some",
    "almost",
    "nearly",
    "close to",
    "or so",
    "circa",
    "an estimated",
    "just over",
    "just under",
    "slightly more than",
    "slightly less than",
    "slightly over",
)
OVER = (
    "more than",
    "over",
    "above",
    "exceeding",
    "exceeded",
    "exceeds",
    "upwards of",
    "in excess of",
    "greater than",
)
"""The stated value itself does not count."""
AT_LEAST = ("at least", "no fewer than", "not less than", "no less than", "a minimum of")
UNDER = ("less than", "fewer than", "under", "below", "lower than")
"""The stated value itself does not count."""
AT_MOST = ("at most", "up to", "no more than", "not more than", "as many as", "a maximum of")

NEGATIONS = frozenset(
    "not no never none nobody nothing neither nor without cannot n't nowhere hardly barely scarcely".split()
)
DENIALS = frozenset(
    "deny denies denied denying fail fails failed failing refuse refuses refused refusing reject rejects "
    "rejected "
    "lack lacks lacked lacking absent absence false untrue wrong incorrect unable cancel cancelled canceled "
    "abandon abandoned scrapped halted avoid avoided avoids prevent prevented ruled "
    "debunked unfounded baseless myth hoax stopped banned unlikely ".split()
)
HEDGES = frozenset(
    "may might could would should possibly perhaps probably likely reportedly allegedly alleged rumoured "
    "rumored "
    "rumour rumours apparently supposedly plan plans planned planning propose proposes proposed proposal "
    "proposals "
    "expect expects expected consider considers considering hope hopes hoped aim aims intend intends suggest "
    "suggests potential potentially projected forecast forecasts unconfirmed speculation speculated whether "
    "if "
    "seek seeks wants want insiders hear heard anonymous unnamed unverified claims claimed "
    "allege alleges alleging contend contends contended insist insists insisted believe believes believed "
    "think thinks argue argues argued".split()
)
HARD_HEDGES = HEDGES - frozenset("would should likely suggest suggests".split())

UNIVERSAL = frozenset("all every each entire whole everyone everybody everything always both entirely".split())
EXCLUSIVE = frozenset("only solely exclusively sole".split())
EXCLUSIVE_TOO = frozenset(
    "single one alone just restricted limited reserved confined except exclusive merely unless but other".split()
)
NOT_ONE = frozenset("no nobody none never without any".split())
MOST_TOO = frozenset(
    "majority first mostly mainly largely chiefly predominantly bulk start starts minimum maximum peak peaked".split()
)
TAKING = frozenset(
    "cut lost lose loses off out stopped stops ended ends free scrapped abandoned withdrawn removed dropped "
    "closed "
    "shut empty banned forbidden prohibited missing dead avoided avoids prevented prevents halted blocked "
    "spared "
    "intact ruled against dismissed cleared escaped annulled overturned repealed revoked quashed reversed "
    "stopped aborted suspended postponed expired vanished disappeared deserted exempt immune spoiled "
    "wrong".split()
)
"""Words of the evidence that may stand for a claim's denial where the two share no denied word."""
EXEMPT = frozenset("exempt immune overlooked ignored missed spared barred excluded halfway".split())
"""Words that deny what stands beside them, even where claim and evidence share its object."""
UNDONE = frozenset(
    "harmed hurt injured changed able available affected aware certain clear known likely safe paid used "
    "sold "
    "finished completed damaged touched scathed occupied employed successful popular usual necessary lawful "
    "noticed seen heard told read written opened built filled signed reported recorded checked beaten "
    "defeated "
    "elected guarded locked insured tested verified confirmed published explained contested opposed rivalled "
    "popular true real healthy insulated inhabited accompanied paved treated wounded infected "
    "passable fit fair helpful wanted answered solved proven supported founded resolved".split()
)
"""What takes "un" in front of it."""
PARTIAL = frozenset("some most many few several majority part partly half nearly almost some".split())
NOT_SUPERLATIVE = frozenset(
    "forest forests interest request protest contest harvest arrest suggest manifest honest modest guest "
    "digest "
    "conquest northwest southwest tempest behest invest latest".split()
)

OPPOSITES: tuple[tuple[frozenset[str], frozenset[str]], ...] = tuple(
    (frozenset(a.split()), frozenset(b.split()))
    for a, b in (
        (
            "rise rises rose risen rising increase increases increased increasing grow grows grew grown "
            "growing growth "
            "climb climbs climbed climbing gained surge surged soar soared soaring "
            "expand expanded expands raised",
            "fall falls fell fallen falling decrease decreases decreased decreasing drop drops dropped "
            "dropping decline "
            "declines declined declining shrink shrank shrunk plunge plunged slump slumped lowered "
            "reduce reduces reduced reducing shrinks slipped",
        ),
        ("more greater", "less fewer"),
        ("higher taller", "lower shorter"),
        ("larger bigger", "smaller"),
        ("highest tallest", "lowest shortest"),
        ("largest biggest", "smallest"),
        ("faster quicker", "slower"),
        ("fastest quickest", "slowest"),
        ("older", "younger"),
        ("oldest", "youngest newest"),
        ("warmer hotter", "colder cooler"),
        ("better improve improved improves improving", "worse worsen worsened worsens deteriorate deteriorated"),
        ("best", "worst"),
        ("win wins won winning victory", "lose loses lost losing defeat"),
        (
            "approve approves approved approving approval accept accepted accepts",
            "reject rejects rejected rejecting rejection vetoed veto block blocks blocked blocking",
        ),
        ("support supports supported supporting", "oppose opposes opposed opposing"),
        ("open opens opened opening reopen reopened reopens", "close closes closed closing shut shuts closure"),
        ("hire hires hired hiring recruited", "fire fires fired sacked"),
        ("import imports imported importing", "export exports exported exporting"),
        ("buy buys bought buying purchase purchased", "sell sells sold selling"),
        ("arrive arrives arrived", "depart departs departed"),
        ("north northern", "south southern"),
        ("east eastern", "west western"),
        (
            "male man men boy boys husband father son brother",
            "female woman women girl girls wife mother daughter sister",
        ),
        ("safe safely", "unsafe dangerous hazardous"),
        ("legal lawful", "illegal unlawful"),
        ("success successful succeeded succeeds", "failure unsuccessful failed fails"),
        ("maximum", "minimum"),
        ("urban", "rural"),
        ("surplus profit profits", "deficit loss losses"),
        ("guilty convicted", "innocent acquitted"),
        ("alive survived survive survives survivor survivors", "dead died killed dies perished perish fatal"),
        ("strengthen strengthened strengthens", "weaken weakened weakens"),
        ("extend extended extends", "shorten shortened shortens"),
        ("upstream", "downstream"),
        ("indoor indoors", "outdoor outdoors"),
        (
            "permit permits permitted allow allows allowed",
            "forbid forbids forbidden prohibit prohibits prohibited ban bans banned",
        ),
        ("majority", "minority"),
        ("doubled double", "halved halve halving"),
        ("confirm confirms confirmed", "deny denies denied"),
        ("voluntary optional", "compulsory mandatory obligatory"),
        ("always", "never"),
        ("formed founded established", "disbanded dissolved"),
        ("before", "after"),
        ("start starts started began begins", "stop stops stopped ended ends"),
        ("inside", "outside"),
        ("full", "empty"),
        ("early", "late"),
        ("public", "private"),
    )
)
"""Pairs of opposite word families. A claim with one side and evidence with only the other conflict."""

ALIASES: tuple[frozenset[str], ...] = tuple(
    frozenset(group.split("|"))
    for group in (
        "us|u.s.|usa|u.s.a.|united states|united states of america|america|american|americans",
        "uk|u.k.|united kingdom|britain|great britain|british",
        "eu|e.u.|european union",
        "un|u.n.|united nations",
        "who|world health organization|world health organisation",
        "nyc|new york city",
        "la|los angeles",
        "uae|united arab emirates",
        "ussr|soviet union|soviet",
        "netherlands|dutch|holland",
        "france|french",
        "spain|spanish",
        "germany|german|germans",
        "england|english",
        "wales|welsh",
        "scotland|scottish|scots",
        "ireland|irish",
        "greece|greek",
        "denmark|danish",
        "poland|polish",
        "sweden|swedish",
        "switzerland|swiss",
        "china|chinese",
        "japan|japanese",
        "turkey|turkish",
        "norway|norwegian",
        "italy|italian",
        "russia|russian|russians",
        "india|indian",
        "canada|canadian",
        "australia|australian",
        "mexico|mexican",
        "brazil|brazilian",
        "egypt|egyptian",
        "israel|israeli",
        "iran|iranian",
        "iraq|iraqi",
        "ukraine|ukrainian",
        "hungary|hungarian",
        "austria|austrian",
        "belgium|belgian",
        "finland|finnish",
        "korea|korean",
        "vietnam|vietnamese",
        "pakistan|pakistani",
        "argentina|argentine|argentinian",
        "covid-19|covid|coronavirus|sars-cov-2|2019-ncov|coronavirus disease 2019|novel coronavirus",
        "tv|television",
        "ceo|chief executive|chief executive officer",
        "ai|artificial intelligence",
        "fda|food and drug administration",
        "cdc|centers for disease control",
        "portugal|portuguese",
        "philippines|filipino",
        "thailand|thai",
        "peru|peruvian",
        "iceland|icelandic",
    )
)
ALSO_COMMON = frozenset(
    "house wind army party lake river university museum union league king queen sea sun moon hall council "
    "ministry "
    "committee justice iron salt rice bee fire minister star bank".split()
)
"""Common words that also stand in many names, so that counting misses them."""
STOPWORDS = frozenset(
    "a an the and or but of in on at by for to from with as is was are were be been being has have had do "
    "does did "
    "it its he she they them his her their this that these those there which who whom whose what when where "
    "how why "
    "than then so such also very just into over about after before between during through up down out off "
    "again "
    "i we you my our your me us him if while because until although though not no nor can could may might "
    "will "
    "would shall should must some any each every all both few more most other own same too s t d ll re ve m "
    "one two said says say according new".split()
)
