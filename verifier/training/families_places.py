"""Families about buildings, money, people counts, dates and measures (format: see ``families.py``)."""

TEXT = """
@ build_cost ^b=bridge *m=money:3:900
= {b} cost {m} to build.
= Building {b} cost {m}.
= The construction bill for {b} came to {m}.
= {m} was spent on the construction of {b}.
= Construction of {b} was completed at a cost of {m}.
= The price tag for building {b} was {m}.
= It took {m} to build {b}.
? Repairs to {b} cost {m}.
? {b} brings in {m} a year in tolls.
? The first design for {b} was priced at {m}.
~ {b} was originally expected to cost {m}.
~ Before work began, planners estimated the cost of {b} at {m}.
+ Its yearly upkeep costs {#money:3:9}.

@ budget ^t=town *m=money:20:900 y=year:2008:2025
= {t}'s city budget for {y} was {m}.
= For {y}, {t} had a city budget of {m}.
= The city of {t} budgeted {m} for {y}.
= In {y}, the municipal budget of {t} stood at {m}.
= The {y} budget of the city of {t} totalled {m}.
= {t}'s municipal spending plan for {y} came to {m}.
? {t} ended {y} with debts of {m}.
? {t} set aside {m} for schools in {y}.
? The police budget in {t} was {m} in {y}.
~ The mayor of {t} had proposed a city budget of {m} for {y}.
+ In the previous year the budget had been {m'}.

@ ticket ^b=museum *c=cash:4:60
= Admission to {b} costs {c}.
= A ticket to {b} costs {c}.
= Visitors pay {c} to enter {b}.
= {b} charges {c} for admission.
= The entrance fee at {b} is {c}.
= It costs {c} to get into {b}.
< Visitors have to pay to enter {b}.
! Admission to {b} is free.
! {b} does not charge for entry.
! Nobody has to pay to visit {b}.
? A guided tour of {b} costs {c}.
? An annual pass for {b} costs {c}.
~ {b} is considering an admission fee of {c}.
+ The catalogue sells for {#cash:70:95}.

@ population ^t=town *n=int:2100:900000
= {t} has {n} inhabitants.
= The population of {t} is {n}.
= {n} people live in {t}.
= {t} is home to {n} people.
= {t} has a population of {n}.
= The number of residents in {t} is {n}.
? {t} has {n} registered voters.
? {n} tourists visit {t} every year.
? {n} people in {t} have a job.
~ Planners expect {t} to have {n} inhabitants by 2050.
+ The town was founded in {#year:1190:1890}.

@ opening ^b=building *d=date:1990:2025 cause
= {b} opened {d}.
= {b} opened its doors {d}.
= The opening of {b} took place {d}.
= {b} was inaugurated {d}.
= {b} welcomed its first visitors {d}, its opening day.
= The doors of {b} were first opened to the public {d}.
< {b} has opened.
! {b} never opened.
! {b} has still not been opened.
? A piano concert was given in {b} {d}.
? The architect of {b} gave a speech {d}.
? Entry to {b} was free {d}.
~ {b} was due to open {d}.
~ The opening of {b} had been planned for {d:b}.
+ The building has {#int:40:2400} seats.

@ closing ^c=company t=town *y=year:1990:2025 cause
= {c} closed its factory in {t} in {y}.
= In {y}, {c} shut its {t} factory.
= {c}'s factory in {t} was shut down in {y}.
= The {t} factory of {c} ceased operations in {y}.
= {y} saw the closure of {c}'s factory in {t}.
= Production at {c}'s factory in {t} came to an end in {y}, when the plant closed.
< {c} has closed its factory in {t}.
! {c} never closed its factory in {t}.
! {c}'s factory in {t} has remained open without a break.
? {c} was fined for pollution at its factory in {t} in {y}.
? {c} closed a warehouse in {t} in {y}.
~ {c} threatened to close its factory in {t} in {y}.
~ {c} was considering the closure of its {t} factory in {y}.
+ The factory had {#int:90:2500} workers at its peak.

@ completion ^b=bridge *y=year:1890:2024 cause
= {b} was completed in {y}.
= Work on {b} was finished in {y}.
= The construction of {b} ended in {y}.
= Builders finished {b} in {y}.
= In {y}, {b} was finished.
= {y} was the year in which {b} was completed.
! {b} was never completed.
! {b} was left unfinished.
? Construction of {b} started in {y}.
? {b} was renovated in {y}.
~ {b} was meant to be completed in {y}.
+ The first plans were drawn up by {#person}.

@ project_span ^b=building *n=int:2:14 cause
= It took {n} years to build {b}.
= {b} was built in {n} years.
= The construction of {b} lasted {n} years.
= Building {b} took {n} years.
= Builders spent {n} years on the construction of {b}.
= Construction work on {b} went on for {n} years.
? {b} was closed for {n} years.
? The restoration of {b} took {n} years.
~ The construction of {b} was expected to take {n} years.
+ The roof alone weighs {#unit:t:40:900}.

@ length ^b=bridge *l=unit:m:90:4800
= {b} is {l} long.
= {b} has a length of {l}.
= {b} measures {l} in length.
= From end to end, {b} measures {l}.
= {b} stretches for {l}.
= The length of {b} is {l}.
? {b} stands {l} above sea level.
? The approach road to {b} is {l} long.
~ Under the draft plan, {b} would be {l} long.
+ It is {#unit:m:7:34} wide.

@ height ^t=town *l=unit:m:30:320
= The tallest building in {t} is {l} high.
= {t}'s tallest building has a height of {l}.
= At {l}, the tallest building in {t} towers over the city.
= The highest building in {t} measures {l}.
= The tallest building in {t} rises to {l}.
= The height of {t}'s tallest building is {l}.
? The second-tallest building in {t} is {l} high.
? The longest street in {t} measures {l}.
~ A developer wants to make the tallest building in {t} {l} high.
+ It was finished in {#year:1960:2024}.

@ area ^t=town *a=unit:ha:20:9000 cause
= A wildfire near {t} burned {a} of forest.
= {a} of forest burned in a wildfire near {t}.
= A forest fire near {t} destroyed {a} of woodland.
= Flames consumed {a} of woodland in a fire near {t}.
= A fire close to {t} laid waste to {a} of forest.
= {a} of woodland was lost to a wildfire near {t}.
? Volunteers replanted {a} of forest near {t}.
? {a} of forest near {t} is privately owned.
~ A wildfire near {t} is threatening {a} of forest.
+ {#int:40:900} firefighters were on duty.

@ weight ^t=town *w=unit:kg:200:1400
= A pumpkin weighing {w} won the annual contest in {t}.
= The annual contest in {t} was won by a pumpkin that weighed {w}.
= The winning pumpkin at the annual {t} contest weighed {w}.
= The pumpkin that took first place at {t}'s annual contest had a weight of {w}.
= With a weight of {w}, one pumpkin took first prize at the annual contest in {t}.
= The scales showed {w} for the winning pumpkin at {t}'s annual contest.
? A pumpkin weighing {w} came second in the annual contest in {t}.
? A pumpkin weighing {w} was stolen in {t}.
+ {#int:20:90} growers took part.

@ temperature ^t=town *c=unit:C:31:49 d=date:2010:2025
= The temperature in {t} reached {c} {d}.
= A high of {c} was measured in {t} {d}.
= Thermometers in {t} climbed to {c} {d}.
= {t} recorded a maximum temperature of {c} {d}.
= In {t}, the mercury rose to {c} {d}.
= {t} saw a peak of {c} {d}.
< The temperature in {t} reached {c}.
? The sea off {t} reached {c} {d}.
~ Forecasters predicted {c} for {t} {d}.
~ Temperatures in {t} could have reached {c} {d}, according to a model.
+ The night before was much cooler, at {#unit:C:12:22}.

@ rainfall ^t=town *r=unit:mm:20:340 d=date:2010:2025
= {r} of rain fell in {t} {d}.
= {t} received {r} of rain {d}.
= Rainfall in {t} amounted to {r} {d}.
= {d}, {t} recorded {r} of rain.
= The rain gauge in {t} showed {r} {d}.
< {r} of rain fell in {t}.
! It did not rain in {t} {d}.
! {t} stayed completely dry {d}.
? {r} of snow fell in {t} {d}.
~ Up to {r} of rain was forecast for {t} {d}.
+ Winds reached {#unit:kmh:60:150}.

@ top_speed ^c=company *s=unit:kmh:160:480
= {c}'s new train has a top speed of {s}.
= The new train from {c} can reach {s}.
= The new train made by {c} travels at up to {s}.
= {c}'s new train is capable of speeds of up to {s}.
= The maximum speed of {c}'s new train is {s}.
= At its fastest, {c}'s new train runs at {s}.
? {c}'s previous train had a top speed of {s}.
? {c}'s new train usually runs at {s}.
~ {c} hopes that its new train will reach {s}.
+ It carries {#int:200:900} passengers.

@ power ^p=plant *w=unit:MW:5:900
= {p} has a capacity of {w}.
= {p} can generate {w} of electricity.
= The capacity of {p} is {w}.
= {p} is able to produce {w} at full output.
= The maximum output of {p} is {w}.
= With a capacity of {w}, {p} feeds the grid.
? The extension of {p} added {w}.
? {p} had an average output of {w} last year.
~ {p} is to be enlarged to a capacity of {w}.
+ The site covers {#unit:ha:12:800}.

@ output ^p=plant *g=unit:GWh:20:4000 y=year:2005:2025
= {p} produced {g} of electricity in {y}.
= In {y}, {p} generated {g} of power.
= {g} of electricity was generated at {p} in {y}.
= The output of {p} in {y} was {g}.
= {p}'s electricity production came to {g} in {y}.
? {p} lost {g} of production to shutdowns in {y}.
~ {p} was expected to produce {g} of electricity in {y}.
+ It has {#int:40:300} employees.

@ headquarters ^c=company *t=town
= {c} is headquartered in {t}.
= {c} has its headquarters in {t}.
= The headquarters of {c} are in {t}.
= {t} is home to the headquarters of {c}.
= {c} is based in {t}.
= The head office of {c} is in {t}.
! {c} is not based in {t}.
! The head office of {c} is not in {t} but in {t'}.
? {c} was founded in {t}.
? {c} has a factory in {t}.
? {c}'s chief executive was born in {t}.
~ {c} may move its headquarters to {t}.
+ It employs {#int:90:9000} people.

@ event_place ^f=pick:chess|rowing|judo|cycling|fencing|badminton|archery|sailing|curling *t=town \
y=year:1990:2025
= The {y} world {f} championships were held in {t}.
= {t} hosted the world {f} championships in {y}.
= In {y}, {t} was the host of the world {f} championships.
= The {y} {f} world championships took place in {t}.
= The world's best in {f} met in {t} for the {y} world championships.
! {t} did not host the world {f} championships in {y}.
! The {y} world {f} championships were cancelled.
! The {y} {f} world championships took place in {t'}, not in {t}.
? The {y} national {f} championships were held in {t}.
~ {t} had applied to host the {y} world {f} championships.
~ {t} was one of the candidates for the {y} world {f} championships.
+ Athletes from {#int:20:120} countries took part.

@ origin ^p=person *k=country
= {p} was born in {k}.
= {p}'s country of birth is {k}.
= {k} is the country where {p} was born.
= {p}'s birthplace lies in {k}.
= {p} came into the world in {k}.
! {p} was not born in {k}.
! {p} was born outside {k}.
? {p} studied in {k}.
? {p} lives in {k}.
? {p}'s father was born in {k}.
~ Some biographers suspect that {p} was born in {k}.
+ {p} has published {#int:3:30} books.

@ age ^p=person *n=int:19:97
= {p} died at the age of {n:x}.
= {p} was {n:x} years old at the time of death.
= At the age of {n:x}, {p} died.
= {p} lived to be {n:x}.
= {p} has died, aged {n:x}.
= Death came to {p} at the age of {n:x}.
< {p} has died.
! {p} is still alive.
! {p} did not die at {n:x}.
? {p} retired at the age of {n:x}.
? {p}'s mother died at the age of {n:x}.
? {p} died of a heart attack at the age of {n:x}.
+ The funeral was attended by {#int:100:900} guests.

@ crowd ^f=festival *n=int:800:90000 y=year:2005:2025
= {n} people attended {f} in {y}.
= {f} drew {n} people in {y}.
= In {y}, {f} attracted a crowd of {n}.
= Attendance at {f} in {y} was {n}.
= {f} had {n} participants and spectators in {y}.
= {n} people came to {f} in {y}.
! Nobody attended {f} in {y}, because it was called off.
! {f} did not take place in {y}.
? {n} people watched {f} online in {y}.
? {n} tickets for {f} were returned in {y}.
~ The organisers of {f} were hoping for {n} people in {y}.
+ The year before, {n'} people had come.

@ visitors_museum ^m=museum *n=int:9000:2000000 y=year:2005:2025
= {m} had {n} visitors in {y}.
= In {y}, {n} people visited {m}.
= {m} was visited by {n} people in {y}.
= Visitor numbers at {m} came to {n} in {y}.
= {m} counted {n} visitors in {y}.
= {n} visitors came to {m} in {y}.
? {m} had {n} objects in its collection in {y}.
? {m} sold {n} catalogues in {y}.
? {n} children visited {m} in {y}.
~ {m} had aimed for {n} visitors in {y}.
+ In the year before that, the number was {n'}.

@ staff ^c=company *n=int:60:90000
= {c} employs {n} people.
= {c} has {n} employees.
= {n} people work for {c}.
= {c}'s workforce numbers {n}.
= {c} has a staff of {n}.
= The number of people employed by {c} is {n}.
? {c} has {n} customers.
? {c} cut {n} jobs.
? {c} employs {n} people abroad.
~ {c} plans to employ {n} people.
+ The company was founded in {#year:1890:2015}.

@ members ^u=union *n=int:900:400000
= {u} has {n} members.
= {n} workers belong to {u}.
= The membership of {u} stands at {n}.
= {u} counts {n} members.
= {u} represents {n} members.
= {n} people are members of {u}.
? {u} lost {n} members last year.
? {u} has collected {n} signatures.
~ {u} would like to grow to {n} members.
+ It was set up in {#year:1890:2015}.

@ layoffs ^c=company *n=int:40:9000 cause
= {c} is cutting {n} jobs.
= {n} jobs are being cut at {c}.
= {c} is making {n} employees redundant.
= {n} employees are losing their jobs at {c}.
= {c} is laying off {n} workers.
= Job cuts at {c} are hitting {n} employees.
! {c} is not cutting any jobs.
! No jobs are being lost at {c}.
! {c} is creating {n} new jobs.
? {c} has {n} employees.
? {n} workers at {c} are on strike.
~ {c} may cut {n} jobs.
~ {c} is weighing whether to cut {n} jobs.
+ The company made a loss of {#money:20:900}.

@ casualties ^t=town *n=int:2:90 e=pick:bus_crash|factory_fire|landslide|building_collapse|gas_explosion \
d=date:2000:2025
= {n} people died in the {e} in {t} {d}.
= The {e} in {t} {d} killed {n} people.
= {n} people lost their lives in the {e} in {t} {d}.
= {n} people were killed when a {e} struck {t} {d}.
= The {e} in {t} {d} claimed {n} lives.
= The death toll of the {e} in {t} {d} was {n}.
< People died in the {e} in {t}.
! Nobody died in the {e} in {t} {d}.
! Everyone survived the {e} in {t} {d}.
! The {e} in {t} {d} caused no deaths.
? {n} people were injured in the {e} in {t} {d}.
? {n} people were rescued after the {e} in {t} {d}.
~ It is feared that {n} people died in the {e} in {t} {d}.
~ {n} people are missing after the {e} in {t} {d}.
+ {#int:91:300} others were hurt.

@ heritage ^b=building *y=year:1950:2024
= {b} has been a protected monument since {y}.
= {b} was placed under protection as a monument in {y}.
= Since {y}, {b} has enjoyed protection as a monument.
= In {y}, {b} was declared a protected monument.
= {b} became a listed monument in {y}.
= {b} gained protected monument status in {y}.
! {b} has never been a protected monument.
! {b} has no protected status.
? {b} was built in {y}.
? {b} has belonged to the city since {y}.
~ A request to protect {b} as a monument was filed in {y}.
+ It has {#int:12:90} rooms.
"""
