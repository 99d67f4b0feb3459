"""Irregular verbs: their past tense, and one stem for their forms."""

from __future__ import annotations

from language.names import stem

PAST = dict(
    pair.split(":")
    for pair in (
        "become:became begin:began bear:bore break:broke bring:brought build:built burn:burnt buy:bought "
        "catch:caught choose:chose come:came cost:cost cut:cut deal:dealt do:did draw:drew drink:drank "
        "drive:drove eat:ate fall:fell feed:fed feel:felt fight:fought find:found flee:fled fly:flew get:got "
        "give:gave go:went grow:grew have:had hear:heard hide:hid hit:hit hold:held hurt:hurt keep:kept "
        "know:knew lay:laid lead:led leave:left lend:lent let:let lie:lay lose:lost make:made mean:meant "
        "meet:met pay:paid put:put read:read ride:rode ring:rang rise:rose run:ran say:said see:saw sell:sold "
        "send:sent set:set shake:shook shoot:shot show:showed shut:shut sing:sang sink:sank sit:sat "
        "sleep:slept speak:spoke spend:spent split:split spread:spread stand:stood steal:stole strike:struck "
        "swim:swam take:took teach:taught tell:told think:thought throw:threw wear:wore win:won write:wrote"
    ).split()
)
"""Past tense by base form."""
_OTHER = (
    "found:find built:build led:lead stolen:steal begun:begin held:hold written:write got:get given:give "
    "taken:take driven:drive broken:break broke:break dead:die death:die fallen:fall risen:rise "
    "grown:grow closure:close shut:close born:bear bred:breed painted:paint longer:long chosen:choose "
    "drawn:draw eaten:eat flown:fly gone:go hidden:hide known:know ridden:ride seen:see shown:show "
    "spoken:speak thrown:throw worn:wear woken:wake done:do"
).split()
_STEMS = {
    **{stem(past): stem(base) for base, past in PAST.items()},
    **{stem(form): stem(base) for form, _, base in (pair.partition(":") for pair in _OTHER)},
}


def normal(word: str) -> str:
    """One stem for the forms of an irregular verb and its noun ("won", "closure"); other stems as they are."""
    return _STEMS.get(word, word)
