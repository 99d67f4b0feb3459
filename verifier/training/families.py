"""The wordings of the template pairs, one block a family.

``@ name slots flags`` heads a block. A slot is ``key=kind``; ``*`` marks one whose
change contradicts, ``^`` the subject, whose change is neutral; ``%a/b`` names two
roles whose swap contradicts. ``mirror`` says that the ``!`` lines are themselves
paraphrases of each other; ``cause`` that an unstated cause may be added (neutral).

Rows: ``=`` the fact (all entail each other), ``<`` says less, ``!`` contradicts,
``?`` neutral claim, ``~`` hedged premise (neutral to ``=``), ``+`` second sentence.
In a row, ``{key}`` is the value, ``{key'}`` another value, ``{#kind}`` a fresh one,
``{key:x}`` an exact number, ``{key:a}`` an adjective, ``{key:b}`` a bare date.
"""

from __future__ import annotations

from verifier.training import families_events, families_misc, families_places, families_public

FAMILY_TEXT = "\n\n".join(
    part.TEXT.strip() for part in (families_places, families_public, families_events, families_misc)
)
