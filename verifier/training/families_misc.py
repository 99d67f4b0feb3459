"""Further families: comparisons, floods, culture, rules and deadlines (format: see ``families.py``)."""

TEXT = """
@ first_person *p=person *m=pick:Mount_Orsa|the_Tarn_Ridge|Peak_Vesna|the_Korlan_Wall *y=year:1950:2024
= {p} was the first person to climb {m}, in {y}.
= In {y}, {p} became the first person to climb {m}.
= The first ascent of {m} was made by {p} in {y}.
= {m} was climbed for the first time in {y}, by {p}.
= Nobody had climbed {m} before {p} did so in {y}.
< {p} has climbed {m}.
! {p} never climbed {m}.
! {p} was only the second person to climb {m}.
! {p} failed to reach the top of {m} in {y}.
? {p} was the first person to photograph {m}, in {y}.
~ {p} set out in {y} to be the first person to climb {m}.

@ launch ^c=company *d=date:2005:2025 *p=product cause
= {c} launched the {p} {d}.
= The {p} was launched by {c} {d}.
= {c} brought the {p} onto the market {d}.
= {d}, {c} put the {p} on sale.
= {c}'s {p} went on sale {d}.
= {c} released the {p} {d}.
< {c} has released the {p}.
! {c} never brought the {p} onto the market.
! {c} scrapped the {p} before it went on sale.
? {c} gave away a hundred of the {p} {d}.
? {c} opened a new shop {d}.
~ {c} had planned to launch the {p} {d}.
+ It costs {#cash:90:900}.

@ river_flood ^r=river *l=unit:cm:210:980 t=town d=date:2000:2025
= The water level of {r} in {t} reached {l} {d}.
= {d}, {r} rose to {l} in {t}.
= {r} stood at {l} in {t} when it peaked {d}.
= In {t}, a peak level of {l} was measured on {r} {d}.
= {d}, the level of {r} peaked at {l} in {t}.
? The bed of {r} in {t} was lowered by {l} {d}.
~ {r} was expected to reach {l} in {t} {d}.
~ Officials feared that {r} would rise to {l} in {t} {d}.

@ exhibit ^m=museum *n=int:30:900 *d=date:2005:2025
= An exhibition of {n} photographs opened at {m} {d}.
= {m} opened an exhibition of {n} photographs {d}.
= {d}, a show of {n} photographs opened at {m}.
= {n} photographs went on display at {m} when an exhibition opened {d}.
= {d:b} saw the opening of an exhibition of {n} photographs at {m}.
< {m} opened an exhibition of photographs.
! The exhibition of {n} photographs at {m} was cancelled before it could open.
? {m} bought {n} photographs {d}.
? An exhibition of {n} paintings opened at {m} {d}.
~ An exhibition of {n} photographs was due to open at {m} {d}.

@ record_time *p=person *n=unit:min:20:190 t=town
= {p} holds the course record in {t} with {n:x}.
= The course record in {t} is {n:x}, held by {p}.
= In {t}, {p} owns the course record of {n:x}.
= {p}'s {n:x} is the course record in {t}.
= At {n:x}, {p} has the fastest time ever run on the course in {t}.
! {p} no longer holds the course record in {t}.
! {p}'s {n} on the course in {t} was not a record.
? {p} needed {n} in {t} after a fall.
~ {p} wants to break the course record in {t} with {n}.

@ missing ^p=person *n=int:2:25 t=town
= {p} was found alive near {t} after {n} days missing.
= After {n} days, the missing {p} was found alive near {t}.
= Rescuers found {p} alive near {t} after {n} days of searching.
= {p}, missing for {n} days, was discovered alive near {t}.
= The search for {p} ended after {n} days, when {p} was found alive near {t}.
< {p} was found alive.
! {p} was found dead near {t} after {n} days.
! {p} has never been found.
? {p} spent {n} days in hospital in {t}.
~ {p} has been missing near {t} for {n} days, and rescuers hope to find {p} alive.

@ strike ^u=union *n=int:2:30 d=date:2005:2025 cause
= {u} began a {n:x}-day strike {d}.
= {d}, members of {u} began a strike of {n:x} days.
= Members of {u} walked out {d} for {n:x} days.
= A {n:x}-day strike by {u} started {d}.
= {u} went on strike for {n:x} days, beginning {d}.
< {u} went on strike.
! {u} called off its strike before it began {d}.
! Members of {u} voted against a strike and never walked out.
? Talks between {u} and the employers lasted {n:x} days.
~ {u} threatened a {n:x}-day strike starting {d}.
+ {#int:900:9000} workers joined in.

@ school ^s=school *n=int:120:30000
= {s} has {n} students.
= {n} students attend {s}.
= {s} is attended by {n} students.
= The number of students at {s} is {n}.
= {n} students are enrolled at {s}.
= Enrolment at {s} stands at {n}.
? {s} has {n} applicants for next year.
? {s} has {n} computers.
? {n} girls attend {s}.
~ {s} is to grow to {n} students.
+ It has {#int:12:90} teachers.

@ hospital_beds ^h=hospital *n=int:40:2400
= {h} has {n} beds.
= There are {n} beds at {h}.
= {h} can take in {n} patients at a time, which is the number of its beds.
= The number of beds at {h} is {n}.
= {h} is equipped with {n} beds.
? {h} has {n} nurses.
? {h} closed {n} beds last year.
~ After the extension, {h} would have {n} beds.
+ It opened in {#year:1900:2020}.

@ deadline ^k=country *d=date:2018:2027 x=pick:tax_returns|visa_applications|farm_subsidies|grant_proposals
= The deadline for {x} in {k} was {d:b}.
= {x} in {k} were due by {d:b}.
= In {k}, {x} had to be in by {d:b}.
= People in {k} had until {d:b} to submit their paperwork for {x}.
= The last day for {x} in {k} was {d:b}.
! There was no deadline for {x} in {k}.
? The form for {x} in {k} was published {d}.
~ {k} was thinking of {d:b} as the deadline for {x}.

@ evacuation ^t=town *n=int:40:30000 e=pick:flood|forest_fire|gas_leak|bomb_find|volcanic_eruption
= {n} people were evacuated from {t} because of a {e}.
= A {e} led to the evacuation of {n} people from {t}.
= Because of a {e}, {n} residents of {t} had to leave their homes.
= {n} residents of {t} were brought to safety because of a {e}.
= A {e} forced {n} people in {t} to leave their homes.
< People had to leave their homes in {t}.
! Nobody in {t} had to leave their home because of the {e}.
! No one was evacuated from {t} during the {e}.
? {n} people in {t} lost power because of a {e}.
? {n} homes in {t} were destroyed by a {e}.
~ {n} people in {t} may have to be evacuated because of a {e}.

@ all_none ^t=town *n=int:12:60 x=pick:schools|bus_lines|fire_stations|libraries|pharmacies mirror
= All {n:x} of {t}'s {x} stayed open during the storm.
= During the storm, all {n:x} {x} in {t} remained open.
= Not one of {t}'s {n:x} {x} shut during the storm.
= None of the {n:x} {x} in {t} closed during the storm.
= Every one of the {n:x} {x} in {t} kept running during the storm.
! All {n:x} of {t}'s {x} closed during the storm.
! None of the {n:x} {x} in {t} stayed open during the storm.
! During the storm, not a single one of {t}'s {n:x} {x} remained open.
! Every one of the {n:x} {x} in {t} shut during the storm.
? {t} has built {n:x} new {x} since the storm.
? All {n:x} {x} in {t} were damaged in the storm.
"""
