"""Families about politics, work, health, law and society (format: see ``families.py``)."""

TEXT = """
@ mayor ^t=town *p=person
= {p} is the mayor of {t}.
= {t}'s mayor is {p}.
= The mayor of {t} is called {p}.
= {p} holds the office of mayor in {t}.
= {p} serves as mayor of {t}.
= The city of {t} has {p} as its mayor.
! {p} is not the mayor of {t}.
! {p} is no longer mayor of {t}.
! {p} has never been mayor of {t}.
? {p} is the police chief of {t}.
? {p} grew up in {t}.
? {p} is a member of the council of {t}.
~ {p} is running for mayor of {t}.
~ {p} is the favourite to become mayor of {t}.
+ The council has {#int:15:90} members.

@ head ^c=company *p=person *d=month:2000:2025
= {p} became chief executive of {c} {d}.
= {c} appointed {p} as its chief executive {d}.
= {p} was named CEO of {c} {d}.
= {d}, {p} took over as head of {c}.
= The appointment of {p} as chief executive of {c} came {d}.
= {c} put {p} in charge as chief executive {d}.
< {p} has been appointed head of {c}.
! {p} was passed over for the post of chief executive of {c} {d}.
! {p} turned down the post of chief executive of {c} {d}.
? {p} left {c} {d}.
? {p} became a board member of {c} {d}.
~ {p} was tipped to become chief executive of {c} {d}.
~ {c} was in talks with {p} about the post of chief executive {d}.
+ The company reported sales of {#money:30:900}.

@ resign p=person ^a=agency *d=date:2005:2025 cause
= {p} resigned as director of {a} {d}.
= {p} stepped down as head of {a} {d}.
= The resignation of {p} as head of {a} came {d}.
= {d}, {p} quit the post of director of {a}.
= {p} gave up the job of running {a} {d}.
= {a} lost its director {d}, when {p} resigned.
< {p} has resigned as head of {a}.
! {p} refused to resign as director of {a}.
! {p} remains director of {a} and has never stepped down.
! {p} took up the post of director of {a} {d}.
? {p} was dismissed from the board of a bank {d}.
~ {p} was under pressure to resign as director of {a} {d}.
~ {p} offered to resign as director of {a} {d}, but no decision has been made.
+ The office has {#int:60:900} staff.

@ founder ^c=company *p=person *y=year:1900:2020
= {p} founded {c} in {y}.
= {c} was founded by {p} in {y}.
= In {y}, {p} set up {c}.
= {c}, which dates back to {y}, was started by {p}.
= The founder of {c}, {p}, created the company in {y}.
= {c} was established in {y}; its founder was {p}.
< {p} founded {c}.
! {p} had no part in the founding of {c}.
? {p} sold {c} in {y}.
? {p} joined the board of {c} in {y}.
+ It now has offices in {#int:3:40} countries.

@ designer ^b=building *p=person
= {p} designed {b}.
= {b} was designed by {p}.
= The architect of {b} was {p}.
= {b} is the work of the architect {p}.
= {p} drew up the design for {b}.
= The design of {b} came from {p}.
! {p} did not design {b}.
! {b} was designed by someone other than {p}.
? {p} renovated {b}.
? {p} paid for {b}.
~ {p} entered the competition to design {b}.
+ It cost {#money:10:300}.

@ author ^w=work *p=person *y=year:1950:2024
= {p} wrote the novel {w}, which came out in {y}.
= The novel {w} by {p} was published in {y}.
= {p}'s novel {w} appeared in {y}.
= Published in {y}, the novel {w} was written by {p}.
= The author of {w}, a novel published in {y}, is {p}.
= In {y}, {p} published the novel {w}.
< {p} is the author of {w}.
! {w} was not written by {p}.
! {p} never published a novel called {w}.
? {p} translated the novel {w} in {y}.
? A film of {w} came out in {y}.
+ It has been translated into {#int:12:50} languages.

@ buys *a=company ^b=company *m=money:20:4000 %a/b
= {a} bought {b} for {m}.
= {b} was sold to {a} for {m}.
= {a} acquired {b} for {m}.
= {a} paid {m} for {b} and now owns it.
= The purchase of {b} by {a} cost {m}.
= {b} became the property of {a} in a deal worth {m}.
= {a} took over {b} for {m}.
< {a} has bought {b}.
< {b} now belongs to {a}.
! {a} failed to buy {b}.
! {a} dropped its plan to buy {b}.
! The sale of {b} to {a} fell through.
? {a} lent {b} {m}.
? {a} sued {b} for {m}.
~ {a} offered {m} for {b}.
~ {a} is in talks to buy {b} for {m}.
+ The deal was advised by {#int:3:9} banks.

@ owner ^b=building *c=company
= {b} belongs to {c}.
= {c} owns {b}.
= The owner of {b} is {c}.
= {b} is the property of {c}.
= {b} is owned by {c}.
= Ownership of {b} lies with {c}.
! {c} does not own {b}.
! {b} no longer belongs to {c}.
! {c} sold {b} and no longer owns any of it.
? {c} rents office space in {b}.
? {c} built {b}.
~ {c} would like to buy {b}.
+ It was last renovated in {#year:1990:2024}.

@ vote ^b=pick:a_new_tram_line|a_smoking_ban|a_rent_cap|a_city_toll|a_pension_reform|a_dog_tax *a=int:26:95 \
*n=int:13:25 t=town cause
= The {t} council approved {b} by {a:x} votes to {n:x}.
= By {a:x} votes to {n:x}, the council in {t} approved {b}.
= {b} was passed by the council of {t}, with {a:x} votes in favour and {n:x} against.
= With {a:x} members for and {n:x} against, the {t} council backed {b}.
= In {t}, {b} won the council's approval by {a:x} to {n:x}.
= {a:x} members of the {t} council voted for {b} and {n:x} voted against, so it passed.
< The council in {t} approved {b}.
! The {t} council rejected {b}.
! {b} failed to win a majority in the {t} council.
! The council in {t} voted {b} down.
? The {t} council will spend {a:x} million on {b}.
~ The {t} council will vote next week on {b}.
~ A committee recommended that the {t} council approve {b}.
+ {#int:2:12} members abstained.

@ majority ^p=party *n=int:5:240 y=year:1990:2025 k=country
= {p} won {n} seats in {k}'s {y} election.
= In the {y} election in {k}, {p} took {n} seats.
= {n} seats went to {p} in {k}'s {y} election.
= {p} gained {n} seats at the {y} election in {k}.
= {k}'s {y} election gave {p} {n} seats.
= The {y} election in {k} left {p} with {n} seats.
! {p} won no seats in {k}'s {y} election.
! {p} did not get a single seat in the {y} election in {k}.
? {p} put up {n} candidates in {k}'s {y} election.
~ A poll gave {p} {n} seats before {k}'s {y} election.
+ Turnout was {#pct:40:85}.

@ voteshare ^p=person *s=pct:3:85 t=town y=year:1990:2025
= {p} won {s} of the vote in {t} in {y}.
= In {y}, {s} of voters in {t} chose {p}.
= {p} received {s} of the votes cast in {t} in {y}.
= {s} of the votes in {t} went to {p} in {y}.
= {p}'s share of the vote in {t} in {y} was {s}.
< {s} of voters in {t} chose {p}.
? {s} of voters in {t} had no opinion of {p} in {y}.
? Turnout in {t} was {s} in {y}, when {p} stood for election.
~ A poll put {p} at {s} in {t} ahead of the vote in {y}.
+ There were {#int:4:12} candidates.

@ ban_imposed ^t=town ^x=pick:fireworks|diesel_cars|plastic_bags|street_music|e-scooters|wood_stoves \
*d=month:2005:2025 cause
= {t} banned {x} {d}.
= {x} were banned in {t} {d}.
= A ban on {x} was introduced in {t} {d}.
= {d}, {t} outlawed {x}.
= {d}, the city of {t} made {x} illegal.
= {t} imposed a ban on {x} {d}.
< {t} has banned {x}.
! {t} lifted its ban on {x} {d}.
! {t} never banned {x}.
! {x} have always been allowed in {t}.
! {t} rejected a ban on {x} {d}.
? {t} taxed {x} for the first time {d}.
~ {t} debated a ban on {x} {d}.
~ {t} planned to ban {x} {d}.
+ Offenders pay {#cash:40:400}.

@ ban_lifted ^k=country \
^x=pick:beef_imports|night_flights|wolf_hunting|deep-sea_mining|online_gambling|foreign_adoptions \
*y=year:2000:2025 cause
= {k} lifted its ban on {x} in {y}.
= {k}'s ban on {x} was lifted in {y}.
= In {y}, {k} allowed {x} again.
= {x} became legal again in {k} in {y}, when a ban ended.
= The ban on {x} in {k} ended in {y}.
= In {y}, {k} did away with its ban on {x}.
! {k} kept its ban on {x} throughout {y}.
! {k} extended its ban on {x} in {y}.
! {x} are still forbidden in {k}, as they have been without a break.
? {k} taxed {x} in {y}.
~ {k} considered lifting its ban on {x} in {y}.
+ The ban had been in force for {#int:3:30} years.

@ percent_change \
^a=pick:rents|house_prices|exports|unemployment|burglaries|bread_prices|beer_sales|tax_revenues *s=pct:2:60 \
t=country y=year:2000:2025 mirror
= In {t}, {a} rose by {s} in {y}.
= {a} in {t} went up by {s} in {y}.
= {t} saw a {s} rise in {a} in {y}.
= In {y}, {a} in {t} increased by {s}.
= There was an increase of {s} in {a} in {t} in {y}.
= {a} in {t} climbed {s} in {y}.
! In {t}, {a} fell by {s} in {y}.
! {a} in {t} went down by {s} in {y}.
! {t} saw a {s} drop in {a} in {y}.
! In {y}, {a} in {t} decreased by {s}.
! There was a decline of {s} in {a} in {t} in {y}.
! {a} in {t} dropped {s} in {y}.
? The government of {t} had a target of {s} for {a} in {y}.
? Wages in {t} changed by {s} in {y}.

@ profit ^c=company *m=money:3:900 y=year:2005:2025 mirror
= {c} made a profit of {m} in {y}.
= In {y}, {c} earned a profit of {m}.
= {c} reported profits of {m} for {y}.
= For {y}, {c} posted a profit of {m}.
= {c} ended {y} with a profit of {m}.
! {c} made a loss of {m} in {y}.
! In {y}, {c} lost {m}.
! {c} reported losses of {m} for {y}.
! For {y}, {c} posted a loss of {m}.
! {c} ended {y} {m} in the red.
? {c} had sales of {m} in {y}.
? {c} invested {m} in {y}.
? {c} paid {m} in taxes in {y}.

@ shares ^t=town *s=share:4:92 \
w=pick:commute_by_bicycle|own_a_car|rent_their_home|speak_two_languages|heat_with_gas
= {s} of households surveyed in {t} {w}.
= In {t}, {s} of the households surveyed {w}.
= A survey in {t} found that {s} of households {w}.
= According to a survey, {s} of households in {t} {w}.
= In a survey, {s} of {t} households said that they {w}.
! None of the households surveyed in {t} {w}.
! All of the households surveyed in {t} {w}.
! A survey found no household in {t} that said they {w}.
? {s} of companies surveyed in {t} have trouble finding staff.
? {s} of households surveyed in {t} would like a new park.
~ The city of {t} wants to reach a point where {s} of households {w}.
+ {#int:400:2500} households took part.

@ cases ^d=pick:measles|cholera|dengue|whooping_cough|malaria|rabies *n=int:12:9000 k=country \
y=year:2005:2025
= {k} recorded {n} cases of {d} in {y}.
= In {y}, {n} people in {k} fell ill with {d}.
= {n} {d} cases were recorded in {k} in {y}.
= {n} people caught {d} in {k} in {y}.
= The number of {d} cases in {k} was {n} in {y}.
! There were no cases of {d} in {k} in {y}.
! {k} did not record a single case of {d} in {y}.
? {n} people in {k} died of {d} in {y}.
? {n} people in {k} were vaccinated against {d} in {y}.
? {k} ordered {n} doses of {d} medicine in {y}.
~ Experts warned that {k} could see {n} cases of {d} in {y}.
+ The year before there were {n'}.

@ vaccination ^k=country *s=pct:20:96 d=pick:measles|flu|polio|tetanus|rubella
= {s} of children in {k} are vaccinated against {d}.
= In {k}, {s} of children have been vaccinated against {d}.
= The {d} vaccination rate among children in {k} is {s}.
= {k} has vaccinated {s} of its children against {d}.
= {s} of {k}'s children have received the {d} vaccine.
! No children in {k} have been vaccinated against {d}.
! Every child in {k} has been vaccinated against {d}.
? {s} of adults in {k} are vaccinated against {d}.
? {s} of parents in {k} know about the {d} vaccine.
~ {k} aims to have {s} of children vaccinated against {d}.
+ The vaccine costs {#cash:5:60} a dose.

@ verdict ^p=person *n=int:2:25 *o=pick:fraud|tax_evasion|arson|bribery|smuggling|forgery t=town cause
= A court in {t} sentenced {p} to {n} years in prison for {o}.
= {p} was sentenced to {n} years in prison for {o} by a court in {t}.
= {p} must go to prison for {n} years for {o}, a court in {t} ruled.
= A {t} court jailed {p} for {n} years for {o}.
= For {o}, {p} received a prison term of {n} years from a court in {t}.
= A prison sentence of {n} years was handed to {p} for {o} by a court in {t}.
< {p} was found guilty of {o}.
! A court in {t} acquitted {p} of {o}.
! {p} was found not guilty of {o} by a court in {t}.
? {p} had spent {n} years working for a court in {t}.
~ Prosecutors in {t} asked for {n} years in prison for {p}, accused of {o}.
~ {p} could face {n} years in prison if found guilty of {o} by a court in {t}.
+ {#int:13:80} witnesses were heard.

@ fine ^c=company a=agency *m=money:2:700 cause
= {a} fined {c} {m}.
= {c} was fined {m} by {a}.
= {c} has to pay a fine of {m} imposed by {a}.
= A fine of {m} was imposed on {c} by {a}.
= {a} imposed a penalty of {m} on {c}.
< {c} was fined by {a}.
! {a} decided not to fine {c}.
! {c} got away without a fine from {a}.
? {a} gave {c} a grant of {m}.
? {c} sued {a} for {m}.
~ {a} is threatening {c} with a fine of {m}.
~ {c} may be fined {m} by {a}.
+ The inquiry lasted {#int:3:40} months.

@ donation ^p=person h=hospital *m=money:2:90
= {p} donated {m} to {h}.
= {h} received a donation of {m} from {p}.
= {p} gave {m} to {h}.
= A gift of {m} from {p} went to {h}.
= {p} made {h} a gift of {m}.
= {m} was donated to {h} by {p}.
< {p} has donated money to {h}.
! {p} never gave any money to {h}.
! {h} turned down {p}'s donation of {m}.
? {p} lent {h} {m}.
? {p} earned {m} from the sale of {h}.
~ {p} has promised to donate {m} to {h}.
+ The building has {#int:91:900} beds.

@ prize ^y=year:1980:2025 *p=person f=pick:physics|poetry|journalism|peace|architecture|chemistry ^k=country
= {p} won {k}'s national {f} prize in {y}.
= The {y} national {f} prize of {k} went to {p}.
= {k}'s national {f} prize was awarded to {p} in {y}.
= In {y}, {p} was honoured with {k}'s national {f} prize.
= {p} is the {y} winner of {k}'s national {f} prize.
= The {y} laureate of {k}'s national {f} prize is {p}.
! {p} missed out on {k}'s national {f} prize in {y}.
! {p} did not receive {k}'s national {f} prize in {y}.
! {k}'s national {f} prize was not awarded in {y}.
? {p} sat on the jury of {k}'s national {f} prize in {y}.
~ {p} was nominated for {k}'s national {f} prize in {y}.
+ It comes with {#cash:5000:90000}.

@ wage ^k=country *c=cash:6:30 *d=month:2010:2026
= {k}'s minimum wage rose to {c} an hour {d}.
= {d}, the minimum wage in {k} went up to {c} an hour.
= The minimum hourly wage in {k} was raised to {c} {d}.
= {k} raised its minimum wage to {c} an hour {d}.
= Since an increase {d}, the minimum wage in {k} has been {c} an hour.
! {k}'s minimum wage was cut to {c} an hour {d}.
! {k} has no minimum wage.
? The average wage in {k} rose to {c} an hour {d}.
? The minimum wage in {k} rose by {c} an hour {d}.
~ Unions in {k} demanded a minimum wage of {c} an hour {d}.
~ {k}'s minimum wage was to rise to {c} an hour {d}, but the vote was postponed.

@ pension ^k=country *n=int:55:72
= The retirement age in {k} is {n:x}.
= People in {k} can retire at {n:x}, the legal retirement age.
= {k} has a retirement age of {n:x}.
= In {k}, the legal age of retirement is {n:x}.
= {k} has set its retirement age at {n:x}.
! {k} has no legal retirement age.
? The average age of teachers in {k} is {n:x}.
? Life expectancy in {k} was {n:x} in 1950.
~ The government of {k} wants a retirement age of {n:x}.
+ {#pct:12:30} of the people are pensioners.
"""
