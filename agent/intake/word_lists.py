"""Word lists of the intake rules. Lower case; lemmas where a name says so."""

from __future__ import annotations

SAYING_LEMMAS = frozenset(
    "say state claim announce argue report tell write declare add insist deny suggest warn confirm "
    "explain note estimate predict believe allege admit promise tweet stress assert maintain "
    "acknowledge complain reply answer forecast recommend testify".split()
)
"""Verbs of saying."""

IMAGE_NOUNS = (
    "photo photograph picture image chart graph screenshot post sign poster scan caption table "
    "infographic graphic map diagram banner tweet headline label receipt notice message chat ticker "
    "flyer leaflet billboard placard plaque invoice meme"
)
IMAGE_VERBS = (
    "show shows showed says said reads states stated depicts depicted displays displayed lists gives "
    "contains features mentions bears dates"
)

HEDGES = frozenset(
    "may might could reportedly allegedly alleged likely unlikely possibly probably perhaps maybe "
    "apparently supposedly purportedly presumably seemingly rumoured rumored suspected potentially "
    "conceivably".split()
)
HEDGE_PASSIVES = frozenset("expected said believed thought rumoured rumored reported alleged supposed due".split())
"""Participles that hedge before "to" ("is expected to")."""

HEDGE_LEMMAS = frozenset({"seem", "appear"})

OPINION_LEMMAS = frozenset("think believe feel hope wish love hate like prefer guess suppose doubt want agree".split())

EVALUATIVE = frozenset(
    "best worst greatest beautiful ugly wonderful terrible amazing awful horrible boring delicious "
    "stupid great good bad excellent fantastic brilliant disgusting evil lovely nice overrated "
    "underrated disgraceful shameful coolest nicest prettiest ugliest funniest awesome pathetic "
    "ridiculous fascinating impressive better worse".split()
)
NORMATIVE = frozenset({"should", "ought"})

SCHEDULED_LEMMAS = frozenset(
    "open close start begin end hold host launch publish vote meet play visit move shut reopen expire "
    "retire step leave take run release introduce stop cease resume".split()
)
"""Events that are announced for a day: with a date they are plans that documents can record."""

FORECAST_LEMMAS = frozenset(
    "win lose rise fall beat defeat collapse crash explode rain snow grow increase decrease drop soar "
    "double shrink conquer destroy die fail succeed survive recover replace become".split()
)
"""Developments that are never announced: always a forecast."""

SEQUENCE_ADVERBS = frozenset(
    "also then later soon immediately first initially eventually finally subsequently afterwards "
    "officially quickly formally publicly".split()
)
"""Adverbs before the first of two verbs that do not extend to the second."""

LATER = frozenset("later then afterwards subsequently since now today currently eventually soon before".split())

COLLECTIVE_LEMMAS = frozenset(
    "marry meet merge sign agree form divorce clash collide compete cooperate collaborate share team "
    "unite combine split fight talk negotiate argue gather match mix differ separate connect link "
    "border part kiss debate bind pair join co-found found sum total amount add outnumber alternate "
    "resemble trade exchange swap bring consist contain compare intersect converge associate relate "
    "interact bond ally quarrel".split()
)
"""Verbs that several subjects or objects may do together; no split."""

COLLECTIVE_WORDS = frozenset(
    "together other another jointly between among combined respectively total altogether equal same "
    "different mutual joint shared similar respective separately either neither nor or alike "
    "collectively versus vs only just solely exclusively merely mainly mostly almost nearly each both "
    "apart average alone not n't no never without partners brothers sisters siblings twins friends "
    "neighbours neighbors rivals allies spouses colleagues couple pair duo team enemies cousins "
    "relatives lovers first last".split()
)
"""Words that make distributing over a coordination unsafe."""

DISTRIBUTIVE_LEMMAS = frozenset(
    "support oppose reject deny leave visit ban attend speak use back condemn welcome criticise "
    "criticize praise accept need want like".split()
)
"""Transitive verbs that each of several subjects does alone."""

JOINT_NAMES = frozenset(
    "johnson|johnson bosnia|herzegovina trinidad|tobago antigua|barbuda marks|spencer procter|gamble "
    "ernst|young simon|garfunkel tom|jerry romeo|juliet saint kitts|nevis sao tome|principe "
    "barnes|noble smith|wesson standard|poor black|decker crosse|blackwell rolls|royce "
    "newfoundland|labrador turks|caicos tyne|wear dolce|gabbana bed|breakfast wallis|futuna "
    "vincent|grenadines hansel|gretel bonnie|clyde war|peace health|safety research|development "
    "salt|pepper r|d black|white law|order supply|demand rock|roll pride|prejudice science|technology "
    "arts|crafts sense|sensibility crime|punishment".split()
)
"""Last words of both halves of names and set phrases with "and"."""

QUANTIFIED = frozenset("no none nobody neither few only hardly nothing exactly most fewer less never".split())
"""Quantifiers in a subject that prevent distribution."""

TANDEM_LEMMAS = frozenset("go come try stop sit stand wait be get".split())
"""First verbs of pairs such as "try and win"."""

STATIC_LEMMAS = frozenset(
    "be have open contain cover stand lie belong cost include employ house produce run serve make begin "
    "start close date hold own live work".split()
)
"""Verbs after a clause-final ", which" that refer to the noun, not to the sentence."""

ROLE_NOUNS = frozenset(
    "mayor minister president man woman boy girl king queen prince princess actor actress singer writer "
    "author teacher doctor nurse officer spokesman spokeswoman spokesperson director manager chief "
    "founder captain player coach scientist researcher professor student driver pilot soldier victim "
    "suspect candidate senator governor lawyer judge artist painter poet journalist reporter chancellor "
    "pope bishop priest head leader owner husband wife father mother son daughter brother sister "
    "resident worker".split()
)
"""Nouns that "he" or "she" may refer to."""

NAMED_THINGS = frozenset(
    "bridge tunnel tower dam canal museum library cathedral palace stadium theatre theater observatory "
    "lighthouse airport station hospital university college school institute council committee ministry "
    "agency authority company bank hotel river valley island mountain harbour harbor road avenue square "
    "garden gardens festival award prize orchestra railway reservoir refinery brewery".split()
)
"""Last words of names of things; surnames such as "park" are left out."""

INTRANSITIVE_LEMMAS = frozenset(
    "die resign rise fall grow go become move win end begin leave retire live work serve play study "
    "remain return lose continue fail happen appear arrive escape flee survive travel settle emigrate "
    "collapse crash sink vanish disappear emerge".split()
)
"""Verbs that are active after a passive ("was born and died")."""

PASSIVE_LEMMAS = frozenset(
    "repeal ban replace rename destroy demolish restore rebuild sell buy publish translate abolish "
    "adopt approve reject sentence convict arrest fine kill injure award elect appoint nominate acquit "
    "sign amend revoke renovate extend enlarge dismantle scrap cancel ratify".split()
)
"""Transitive verbs that are passive after a passive ("was passed and repealed")."""

SAME_PARTICIPLES = frozenset(
    "cut put set hit shut cost let quit split hurt run come become bet burst cast spread broadcast".split()
)
"""Participles that equal the verb's base form."""

LEANING_NOUNS = frozenset("rest other others one latter former some most both none all".split())
"""Subjects that mean nothing without the clause before."""

AN_EXCEPTIONS = ("hour", "honest", "honour", "honor", "heir")
A_EXCEPTIONS = ("uni", "use", "user", "euro", "one", "once", "ufo", "utop", "ubiq")
