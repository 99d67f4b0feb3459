"""Families about sport, science, culture, transport and technology (format: see ``families.py``)."""

TEXT = """
@ match a=team b=team d=date:2005:2025 %a/b
= {a} beat {b} {d}.
= {b} lost to {a} {d}.
= {a} defeated {b} {d}.
= {b} were beaten by {a} {d}.
= {a} came out on top against {b} {d}.
= {d}, {b} suffered a defeat at the hands of {a}.
= {a} won their match against {b} {d}.
< {a} beat {b}.
! The match between {a} and {b} {d} ended in a draw.
! {a} failed to beat {b} {d}.
! The match between {a} and {b} {d} was called off.
? {a} signed a player from {b} {d}.
~ {a} were favourites to beat {b} {d}.
+ {#int:900:60000} spectators saw the game.

@ race *p=person ^f=pick:cross-country_race|downhill|1,500_metres|marathon|time_trial|triathlon *q=person \
t=town y=year:1990:2025 %p/q
= {p} won the {f} in {t} in {y}, ahead of {q}.
= In {y}, the {f} in {t} was won by {p}, with {q} second.
= {q} came second to {p} in the {f} in {t} in {y}.
= {p} took first place and {q} second in the {y} {f} in {t}.
= Victory in the {y} {f} in {t} went to {p}; {q} was runner-up.
= {q} finished the {y} {f} in {t} in second place behind the winner, {p}.
< {p} won the {f} in {t}.
! {p} did not win the {f} in {t} in {y}.
! {p} dropped out of the {f} in {t} in {y}.
? {p} won the {f} in {t} in {y} in record time.
~ {p} was expected to win the {f} in {t} in {y}, ahead of {q}.
+ {#int:30:900} athletes started.

@ rank *p=person *n=int:2:30 t=town f=pick:golf_open|swimming_final|ski_race|chess_tournament
= {p} finished in place {n:x} at the {f} in {t}.
= {p} took place {n:x} in the {t} {f}.
= At the {f} in {t}, {p} ended up in place {n:x}.
= Place {n:x} at the {f} in {t} went to {p}.
= {p} came in at number {n:x} at the {t} {f}.
! {p} won the {f} in {t}.
! {p} did not take part in the {f} in {t}.
! {p} dropped out of the {f} in {t} before the finish.
? {p} has taken part in the {f} in {t} {n:x} times.
~ {p} hoped for place {n:x} at the {f} in {t}.

@ final_margin *a=team *m=int:13:40 *n=int:2:12 *b=team %a/b
= {a} beat {b} {m:x}-{n:x} in the final.
= The final ended in a {m:x}-{n:x} victory for {a} over {b}.
= {a} won the final against {b} by {m:x} to {n:x}.
= {b} lost the final to {a}, {n:x}-{m:x}.
= With a score of {m:x} to {n:x}, {a} defeated {b} in the final.
< {a} won the final.
! {b} won the final.
! {a} lost the final to {b}.
? {a} beat {b} {m:x}-{n:x} in the group stage.
~ A bookmaker predicted a {m:x}-{n:x} win for {a} over {b} in the final.

@ titles ^a=team *n=int:2:24
= {a} have won the league {n} times.
= {a} are {n:x}-time league champions.
= The league title has gone to {a} {n} times.
= {n} league titles have been won by {a}.
= {a} have been league champions {n} times.
! {a} have never won the league.
! {a} are still waiting for their first league title.
? {a} have won the cup {n} times.
? {a} have finished second in the league {n} times.
+ The club was founded in {#year:1880:1970}.

@ transfer ^p=person *a=team *b=team %a/b
= {p} moved from {a} to {b}.
= {p} left {a} to join {b}.
= {b} signed {p} from {a}.
= {p} joined {b}, having previously played for {a}.
= {a} sold {p} to {b}.
= After a transfer from {a}, {p} plays for {b}.
! {p} stayed with {a} and did not join {b}.
! {p}'s move to {b} from {a} fell through.
? {p} scored against {a} for {b}.
~ {p} is being linked with a move from {a} to {b}.
~ {a} are negotiating with {b} over a transfer of {p}.
+ The player is {#int:19:34} years old.

@ species r=pick:rainforest|cave_system|mountain_range|reef|wetland *n=int:2:60 ^k=country
= Scientists discovered {n} new species in a {r} in {k}.
= {n} new species were found in a {r} in {k}.
= Researchers have described {n} previously unknown species from a {r} in {k}.
= A {r} in {k} has yielded {n} species that are new to science.
= {n} species unknown to science until now have been discovered in a {r} in {k}.
= The discovery of {n} new species in a {r} in {k} has been reported by researchers.
< New species have been discovered in {k}.
! Scientists found no new species in the {r} in {k}.
! The search for new species in a {r} in {k} was in vain.
? {n} species have died out in a {r} in {k}.
? {n} species in a {r} in {k} are under threat.
~ Scientists suspect that a {r} in {k} holds {n} undiscovered species.
+ The expedition lasted {#int:3:40} weeks.

@ fossil ^t=town *n=int:2:240 e=pick:dinosaur|whale|crocodile|turtle|mammoth
= A {e} fossil found near {t} is {n} million years old.
= The age of a {e} fossil discovered near {t} is {n} million years.
= The {e} whose fossil was found near {t} lived {n} million years ago.
= {n} million years ago, there lived the {e} whose fossil was found near {t}.
= Near {t}, a {n:x}-million-year-old {e} fossil was discovered.
< A {e} fossil was found near {t}.
! No {e} fossil has ever been found near {t}.
? The rock beneath {t} is {n} million years old.
~ The {e} fossil found near {t} might be {n} million years old.
+ It is {#unit:cm:20:900} long.

@ extinct ^s=species *n=int:12:2400 k=country
= Only {n:x} specimens of {s} are left in {k}.
= Just {n:x} specimens of {s} remain in {k}.
= In {k}, {s} is down to its last {n:x} specimens.
= No more than {n:x} specimens of {s} survive in {k}.
= {k} has only {n:x} specimens of {s} left.
< {s} still exists in {k}.
! {s} has died out in {k}.
! There are no specimens of {s} left in {k}.
? {n} specimens of {s} are kept in zoos outside {k}.
~ Researchers fear that only {n} specimens of {s} are left in {k}.

@ ship_delay ^s=ship *n=int:2:40 t=town *e=pick:fog|engine_trouble|a_strike|high_winds|a_computer_failure
= {s} reached {t} {n} hours late because of {e}.
= Because of {e}, {s} arrived in {t} {n} hours late.
= {e} delayed the arrival of {s} in {t} by {n} hours.
= {s} docked in {t} with a delay of {n} hours caused by {e}.
= Owing to {e}, {s} got to {t} {n} hours behind schedule.
< {s} arrived late in {t}.
! {s} reached {t} on time.
! {s} arrived in {t} without any delay.
! {s} arrived in {t} {n} hours early.
? {s} stayed in {t} for {n} hours because of {e}.
~ {s} could be {n} hours late in {t} because of {e}.
+ There were {#int:50:900} passengers on board.

@ flights ^t=town *n=int:12:900 *e=pick:snow|a_strike|volcanic_ash|a_drone_sighting|a_power_cut \
d=date:2005:2025
= {n} flights were cancelled at {t} airport {d} because of {e}.
= {e} led to the cancellation of {n} flights at {t} airport {d}.
= {t} airport cancelled {n} flights {d} because of {e}.
= Because of {e}, {n} flights from {t} airport were called off {d}.
= {d}, {e} forced {t} airport to cancel {n} flights.
< Flights were cancelled at {t} airport.
! No flights were cancelled at {t} airport {d}.
! All flights at {t} airport went ahead as planned {d}.
? {n} flights landed at {t} airport {d} despite {e}.
? {n} flights were delayed at {t} airport {d} because of {e}.
~ {n} flights could be cancelled at {t} airport {d} because of {e}.

@ recall ^c=company *n=int:400:900000 \
p=pick:strollers|toasters|cars|car_seats|bicycle_helmets|phone_chargers \
*e=pick:faulty_brakes|a_fire_risk|sharp_edges|loose_screws|a_software_error
= {c} recalled {n} {p} because of {e}.
= {n} {p} made by {c} were recalled because of {e}.
= Because of {e}, {c} called back {n} {p}.
= {e} prompted {c} to recall {n} {p}.
= {c} issued a recall of {n} {p} over {e}.
= The reason {c} recalled {n} {p} was {e}.
< {c} recalled {p}.
! {c} decided against a recall of its {p}.
! {c} did not recall any {p}.
? {c} sold {n} {p} last year.
? {n} customers of {c} were hurt by {p}.
~ {c} may have to recall {n} {p} because of {e}.
+ The shares fell by {#pct:2:12}.

@ outage ^c=company *n=int:2:48 \
*e=pick:an_expired_certificate|a_cable_fault|a_faulty_update|an_overheated_server|a_cyberattack
= {c}'s online service was down for {n} hours because of {e}.
= {e} caused a {n:x}-hour outage of {c}'s online service.
= {e} put {c}'s online service out of action for {n} hours.
= For {n} hours, {c}'s online service could not be reached, owing to {e}.
= The cause of the {n:x}-hour outage of {c}'s online service was {e}.
= {c}'s online service failed for {n} hours as a result of {e}.
< {c}'s online service suffered an outage.
! {c}'s online service ran without interruption.
! {e} had nothing to do with the {n:x}-hour outage of {c}'s online service.
? {c} repaired its phone lines within {n} hours of {e}.
~ Experts think {e} may have caused the {n:x}-hour outage of {c}'s online service.
~ {c}'s online service was down for {n} hours; the cause is still unknown.
+ {#int:2000:90000} customers complained.

@ users ^c=company *n=int:20000:90000000
= {c}'s app has {n} users.
= {n} people use {c}'s app.
= The app made by {c} is used by {n} people.
= The number of users of {c}'s app is {n}.
= {c} counts {n} users of its app.
? {n} people pay for {c}'s app.
? {c}'s app lost {n} users last year.
? {c}'s website has {n} users.
~ {c} is aiming for {n} users of its app.
+ It is available in {#int:13:90} languages.

@ breach ^c=company *n=int:900:9000000 y=year:2012:2025
= Hackers stole the data of {n} customers from {c} in {y}.
= In {y}, the data of {n} {c} customers was stolen by hackers.
= {n} customers of {c} had their data stolen by hackers in {y}.
= A hacking attack on {c} in {y} led to the theft of the data of {n} customers.
= The theft of data by hackers at {c} in {y} hit {n} customers.
! No customer data was stolen from {c} in {y}.
! Hackers failed to get at any customer data of {c} in {y}.
? {c} won {n} new customers in {y}.
? Hackers demanded {n} dollars from {c} in {y}.
~ Hackers may have stolen the data of {n} customers from {c} in {y}.

@ loan *m=museum *n=museum ^w=work *k=int:2:18 %m/n
= {m} lent the painting {w} to {n} for {k} months.
= {n} borrowed the painting {w} from {m} for {k} months.
= The painting {w} was on loan from {m} to {n} for {k} months.
= For {k} months, {n} had the painting {w} on loan from {m}.
= {m} gave {n} the painting {w} on loan for {k} months.
! {m} refused to lend the painting {w} to {n}.
! {m} sold the painting {w} to {n}.
? {m} restored the painting {w} for {n} for {k} months.
~ {n} has asked {m} to lend it the painting {w} for {k} months.

@ returned ^m=museum *n=int:2:400 ^k=country y=year:1995:2025 cause
= {m} returned {n} artefacts to {k} in {y}.
= In {y}, {n} artefacts were handed back to {k} by {m}.
= {k} got {n} artefacts back from {m} in {y}.
= {m} gave {n} artefacts back to {k} in {y}.
= The return of {n} artefacts from {m} to {k} took place in {y}.
= {n} artefacts from {m} went back to {k} in {y}.
< {m} has returned artefacts to {k}.
! {m} refused to return any artefacts to {k}.
! {m} did not give back a single artefact to {k} in {y}.
? {m} bought {n} artefacts from {k} in {y}.
~ {k} demanded the return of {n} artefacts from {m} in {y}.
~ {m} agreed in principle to discuss the return of {n} artefacts to {k} in {y}.

@ auction ^w=work *m=money:2:120 *y=year:1990:2025 t=town
= The painting {w} was sold at auction in {t} for {m} in {y}.
= In {y}, an auction in {t} brought {m} for the painting {w}.
= A buyer paid {m} for the painting {w} at an auction in {t} in {y}.
= The painting {w} fetched {m} at an auction in {t} in {y}.
= {m} was the price paid for the painting {w} at auction in {t} in {y}.
< The painting {w} was sold at auction.
! The painting {w} failed to sell at the auction in {t} in {y}.
! No buyer was found for the painting {w} at the auction in {t} in {y}.
? The painting {w} was insured for {m} in {t} in {y}.
~ The painting {w} was estimated at {m} before the auction in {t} in {y}.

@ film ^w=work *p=person *n=int:85:210
= The film {w}, directed by {p}, runs for {n:x} minutes.
= {p} directed the film {w}, which is {n:x} minutes long.
= The film {w} by the director {p} has a running time of {n:x} minutes.
= {p}'s film {w} lasts {n:x} minutes.
= Directed by {p}, the film {w} has a length of {n:x} minutes.
< {p} directed the film {w}.
! {p} had nothing to do with the film {w}.
? {p} wrote the music for the film {w}, which is {n:x} minutes long.
? The film {w} by {p} was shot in {n:x} days.
+ It won {#int:2:9} awards.

@ harvest ^k=country *n=unit:t:900:900000 x=pick:apples|rice|olives|coffee|hops|cherries y=year:2005:2025
= Farmers in {k} harvested {n} of {x} in {y}.
= In {y}, {k}'s harvest of {x} amounted to {n}.
= {n} of {x} were harvested in {k} in {y}.
= {k} brought in {n} of {x} in {y}.
= The {y} harvest in {k} yielded {n} of {x}.
! The {y} harvest of {x} in {k} was a complete failure, with nothing brought in.
? {k} exported {n} of {x} in {y}.
? People in {k} ate {n} of {x} in {y}.
~ Farmers in {k} expected to harvest {n} of {x} in {y}.
+ The year before, it was {n'}.

@ frequency ^t=town *f=pick:every_day|every_week|every_second_week|every_month|twice_a_week|once_a_year \
x=pick:flea_market|council_meeting|farmers’_market|car-free_day
= {t} holds a {x} {f}.
= A {x} takes place in {t} {f}.
= In {t}, there is a {x} {f}.
= The {x} in {t} is held {f}.
= {f}, {t} holds a {x}.
= {f}, a {x} is held in {t}.
! {t} does not hold a {x}.
! There has never been a {x} in {t}.
? The {x} in {t} is cancelled {f}.
? A {x} takes place in {t} {f} and costs nothing.
~ Residents of {t} want a {x} {f}.

@ twice a=town b=town x=pick:libraries|bakeries|cinemas|playgrounds|bicycles y=year:2010:2025 %a/b
= {a} had twice as many {x} as {b} in {y}.
= In {y}, there were twice as many {x} in {a} as in {b}.
= {b} had half as many {x} as {a} in {y}.
= In {y}, the number of {x} in {a} was double that in {b}.
= In {y}, {b} had only half the number of {x} that {a} had.
< {a} had more {x} than {b} in {y}.
< {b} had fewer {x} than {a} in {y}.
! {a} and {b} had the same number of {x} in {y}.
! {a} had fewer {x} than {b} in {y}.
? {a} spent twice as much on {x} as {b} in {y}.
~ {a} wanted to have twice as many {x} as {b} in {y}.

@ taller ^a=building b=building %a/b
= {a} is taller than {b}.
= {b} is lower than {a}.
= {b} is not as tall as {a}.
= In height, {a} surpasses {b}.
= {a} rises higher than {b}.
! {a} and {b} are exactly the same height.
! {a} is lower than {b}.
? {a} is older than {b}.
? {a} is far more expensive to run than {b}.
~ Once its tower is added, {a} would be taller than {b}.

@ cause_fire ^b=building \
*e=pick:a_short_circuit|a_cigarette|a_lightning_strike|a_gas_leak|an_overheated_battery d=date:2005:2025
= {e} caused the fire at {b} {d}.
= The fire at {b} {d} was caused by {e}.
= The fire at {b} {d} was started by {e}.
= The cause of the fire at {b} {d} was {e}.
= {e} set off the fire at {b} {d}.
= The fire that broke out at {b} {d} was the result of {e}.
< There was a fire at {b}.
! {e} was not the cause of the fire at {b} {d}.
! Investigators ruled out {e} as the cause of the fire at {b} {d}.
? The fire at {b} {d} caused a power cut in the whole district.
~ The fire at {b} {d} was possibly caused by {e}.
~ There was a fire at {b} {d}; its cause has not been found.
~ Police suspect that {e} was behind the fire at {b} {d}.
+ {#int:20:200} firefighters put it out.

@ delay_cause ^b=bridge *e=pick:a_shortage_of_steel|a_lawsuit|soft_ground|protected_bats|a_design_error \
*n=int:2:9
= The opening of {b} was delayed by {n} years because of {e}.
= {e} delayed the opening of {b} by {n} years.
= Because of {e}, {b} opened {n} years late.
= {e} meant that {b} opened {n} years behind schedule.
= {b} opened {n} years later than planned because of {e}.
< The opening of {b} was delayed.
! {b} opened on schedule.
! {b} opened {n} years ahead of schedule.
? The repair of {b} was delayed by {n} years because of {e}.
~ The opening of {b} may be delayed by {n} years because of {e}.

@ atleast ^t=town *n=int:20:900 x=pick:windows|trees|roofs|cars mirror
= At least {n:x} {x} were damaged by hail in {t}.
= Hail damaged {n:x} or more {x} in {t}.
= No fewer than {n:x} {x} were damaged by hail in {t}.
= In {t}, hail damaged a minimum of {n:x} {x}.
! Fewer than {n:x} {x} were damaged by hail in {t}.
! Hail damaged less than {n:x} {x} in {t}.
! In {t}, the number of {x} damaged by hail was below {n:x}.
! In {t}, hail did not damage as many as {n:x} {x}.
? {n:x} {x} were stolen in {t}.
? Hail damaged {n:x} greenhouses in {t}.
"""
