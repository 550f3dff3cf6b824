/** Sentences that end in a period or a question mark. */
const sentencesOf = (text: string): string[] =>
  text
    .trim()
    .replaceAll(/\s+/g, " ")
    .split(/(?<=[.?!]) /);

/** 300 sentences on eight topics, written for the tests; no topic's name is in all of its sentences. */
export const sentencesByTopic: Readonly<Record<string, readonly string[]>> = {
  cooking: sentencesOf(`
    Simmer the tomato sauce until it coats the back of a spoon. Whisk the egg whites with a pinch of salt to stiff
    peaks. Let the dough rise in a warm kitchen for an hour. Fry the onions slowly in butter so that they turn sweet.
    A good soup starts with bones, carrots and plenty of time. She seasoned the roast chicken with thyme and lemon.
    Boil the pasta in salted water and keep a cup of it. The cake sank because the oven was opened too early. Chop the
    garlic finely and add it at the very end. He marinated the lamb overnight in yogurt and cumin. Grate some parmesan
    over the risotto before serving. Sift the flour twice for a lighter sponge. The curry tastes better on the second
    day. Knead the bread until it springs back under your thumb. Bake the potatoes with rosemary and olive oil. Fold
    the melted chocolate gently into the cream. Taste the stew and add vinegar if it is too heavy. My grandmother
    rolls her dumplings by hand. Grill the peppers until their skin is black. A sharp knife is safer in the kitchen
    than a dull one. Rinse the rice until the water runs clear. The pancake batter should rest for half an hour. Poach
    the pears in red wine with cinnamon. Toast the almonds in a dry pan and stir them often. This recipe for apple pie
    calls for cold butter. Steam the vegetables so that they stay crisp. Mix oil, mustard and honey for a simple salad
    dressing. Brown the meat in batches or it will stew. He burned the caramel and had to start the dessert again.
    Serve the fish with boiled potatoes and dill. The restaurant's chef makes noodles from scratch every morning.
    Leftover bread makes fine crumbs for a crispy crust. Season the mushrooms only after they have lost their water.
    Pickled cucumbers give the sandwich some bite. Beat butter and sugar until pale and fluffy. The sauce split
    because the yolks got too hot. Drizzle the pizza with olive oil and scatter basil on top. Cook the lentils with a
    bay leaf and a carrot.
  `),
  football: sentencesOf(`
    The striker scored twice in the first half. Our goalkeeper saved a penalty in stoppage time. The referee showed
    the defender a red card. They lost the cup final after extra time. The midfielder passed the ball through two
    defenders. The coach changed his formation at halftime. A late equalizer silenced the home crowd. The winger
    crossed the ball and nobody reached it. Fans sang in the stadium long after the whistle. The club signed a young
    forward from Brazil. He missed an open goal from three meters. The team dropped to the bottom of the league table.
    The captain headed the corner over the bar. Offside, said the linesman, and the goal did not count. The match
    ended in a goalless draw. The left back twisted his ankle in training and misses the derby. She became the top
    scorer of the women's league. The champions won their opening game three to one. A free kick from thirty meters
    went in off the post. The manager was sacked after six defeats in a row. The defenders left the attacker unmarked
    at the far post. Ninety thousand spectators watched the World Cup semifinal. They were relegated on the last day
    of the season. The substitute scored with his first touch. The goalkeeper punched the ball away from the crossbar.
    A handball in the penalty area decided the match. The national team qualified for the tournament without a loss.
    The players argued with the referee about the foul. He dribbled past four opponents and shot wide. The visitors
    parked the bus and hoped for a counterattack. The transfer window closes before the next round of fixtures. The
    video assistant overturned the penalty decision. Both teams finished the game with ten men. The fullback cleared
    the ball off the line. A hat trick in the derby made him a legend of the club. The second leg will be played at
    their home ground. The keeper threw the ball straight to an opposing forward. They practiced penalties all week
    before the quarterfinal.
  `),
  medicine: sentencesOf(`
    The doctor prescribed antibiotics for the ear infection. Her blood pressure rose after she stopped taking the
    pills. The surgeon removed the appendix without complications. The nurse took a blood sample from the patient's
    arm. He was admitted to hospital with chest pain. The vaccine protects against measles for many years. An X-ray
    showed a fracture of the left wrist. The child has had a fever and a cough since Monday. Diabetes damages the
    small vessels of the eye. The patient is allergic to penicillin. A stroke must be treated within a few hours. The
    physician listened to his lungs with a stethoscope. Chemotherapy shrank the tumor by half. She takes insulin
    before every meal. The wound was cleaned, stitched and bandaged. Migraine attacks often come with nausea. The
    clinic offers screening for skin cancer. His heart rhythm was irregular, so they implanted a pacemaker. The
    painkiller caused a rash on her arms. An infection with influenza is dangerous for the elderly. Physiotherapy
    helped her knee after the operation. The dentist filled two cavities and cleaned the teeth. Asthma patients should
    carry their inhaler. The laboratory found bacteria in the urine sample. The anesthetist asked when he had last
    eaten. High cholesterol increases the risk of a heart attack. The midwife checked the heartbeat of the unborn
    baby. Symptoms of the disease include fatigue and joint pain. The transplanted kidney was rejected by his immune
    system. The ambulance arrived eleven minutes after the collapse. The dose has to be adjusted for patients with
    liver disease. A biopsy confirmed that the lump was benign. The virus spreads through droplets when people sneeze.
    The therapist treats patients with depression and anxiety. Elderly patients often forget to take their medication.
    The scan revealed bleeding in the brain. Wash your hands to keep germs out of the operating room. The pharmacist
    warned that the two drugs must not be combined.
  `),
  finance: sentencesOf(`
    The central bank raised interest rates by half a point. Shares of the carmaker fell after weak quarterly earnings.
    Inflation eats the savings of small households. She moved her pension into an index fund. The company will pay a
    dividend of two dollars per share. Investors sold bonds and bought gold. The mortgage costs more now that rates
    have gone up. The startup raised ten million from venture capitalists. Unemployment fell while wages kept rising.
    The auditor found errors in the balance sheet. The euro lost ground against the dollar. He borrowed money to pay
    his credit card debt. The stock exchange closed at a record high. The government plans to cut the corporate tax. A
    recession usually follows when the yield curve inverts. The bank refused the loan for lack of collateral. Profits
    doubled, but revenue stayed flat. The hedge fund bet against the housing market. The ministry of finance issued
    new treasury bonds. Accountants close the books at the end of the fiscal year. The insurer increased its premiums
    by eight percent. Analysts downgraded the stock from buy to hold. Exports grew faster than the economy as a whole.
    The merger makes it the second largest lender in the country. A budget deficit has to be financed by borrowing.
    The broker charges a commission on every trade. They went bankrupt and their creditors got nothing. Small
    investors lost money when the bubble burst. The firm's cash flow turned negative in the third quarter. Diversify
    your portfolio to reduce risk. The rating agency lowered the country's credit rating. Oil prices drove the trade
    deficit to a new high. The landlord raised the rent to cover higher interest payments. Private equity bought the
    retailer for three billion. Her tax return was late, so she had to pay a fine. The currency was devalued after a
    run on the banks. Salaries were frozen to save costs. The treasurer hedged the company's exposure to the yen.
  `),
  garden: sentencesOf(`
    Prune the roses in early spring. The tulip bulbs should be planted before the first frost. Slugs ate all the
    lettuce in one night. She waters the tomato plants every evening. The lawn needs mowing once a week in May.
    Compost makes the soil dark and crumbly. Bees love the lavender next to the gate. He raked the fallen leaves into
    a heap. Sow the carrots thinly in rows. The hedge was trimmed after the birds had left their nests. Aphids covered
    the buds of the rose bush. The seedlings need light and a little warmth. Mulch keeps the weeds down and the soil
    moist. The apple tree blossoms two weeks earlier than it used to. She dug up the dahlias and stored the tubers in
    the cellar. The greenhouse protects the cucumbers from cold nights. Weeds grow between the paving stones. Our
    neighbor planted a row of sunflowers along the fence. Clay soil holds water but drains badly. The ivy has climbed
    up to the roof of the shed. Repot the fern when its roots fill the pot. The strawberry plants send out runners in
    summer. Water the shrubs at their roots, not over their leaves. Hedgehogs and ladybirds keep garden pests away.
    The pond is full of water lilies and frogs. A wheelbarrow of manure went onto the vegetable patch. The cherry tree
    was grafted onto a dwarf stock. The daffodils came up through the snow. Harvest the beans while the pods are
    young. He planted herbs in pots on the balcony. The grass turned brown in the August drought. Tie the climbing
    beans to a pole. Moss spreads in the shady corner of the lawn. She collected seeds from last year's poppies. The
    orchard has to be protected from late frosts. Pull out the nettles before they flower. The magnolia drops its
    petals all over the path.
  `),
  space: sentencesOf(`
    The rocket lifted off from the launch pad at dawn. Astronauts repaired a solar panel outside the space station.
    The telescope photographed a galaxy ten billion light years away. Saturn's rings are made of ice and rock. A probe
    landed on the surface of the comet. The rover drills into Martian rocks to look for traces of water. The moon
    always shows the same face to the Earth. A black hole bends the light of the stars behind it. The satellite burned
    up in the atmosphere. Jupiter has more than ninety moons. The crew spent six months in orbit. Astronomers
    discovered a planet around a nearby star. The capsule splashed down in the Pacific with three astronauts on board.
    A supernova outshines its whole galaxy for weeks. The spacecraft used the gravity of Venus to gain speed. The
    solar eclipse lasted four minutes. Meteors streaked across the night sky. Dark matter makes up most of the mass of
    the universe. The booster landed upright on a ship at sea. The lunar lander carried samples of dust back to orbit.
    Mercury is the planet closest to the sun. The asteroid will pass the Earth at a safe distance. Weightlessness
    weakens the bones of astronauts. The observatory stands on a mountain in the desert of Chile. The expansion of the
    universe is accelerating. Voyager left the solar system decades after its launch. The mission to Mars takes about
    seven months one way. A red giant will swallow its inner planets. The space agency postponed the launch because of
    strong winds. Radio telescopes listen to pulsars in the Milky Way. The comet's tail points away from the sun.
    Cosmonauts train for spacewalks in a deep pool. The James Webb telescope observes infrared light from early
    galaxies. Neutron stars spin hundreds of times per second. Craters on the moon are older than those on Earth. The
    orbiter mapped the icy crust of Europa. Cosmic rays hit the spacecraft's shield.
  `),
  trains: sentencesOf(`
    The night train to Vienna leaves at nine. The express was delayed by a signal failure. Passengers waited on
    platform four for two hours. The conductor checked our tickets after the tunnel. The high speed line cut the trip
    from Paris to Lyon in half. A freight train blocked the level crossing. The dining car is at the end of the train.
    We changed trains in Cologne and nearly missed the connection. The locomotive pulled forty wagons of coal. The
    station clock showed five to seven. Railway workers went on strike for higher pay. The commuter train was so full
    that we had to stand. A seat reservation is required on the intercity. The branch line was closed in the sixties
    and its rails were lifted. The train driver braked when he saw a tree on the track. The subway runs every three
    minutes in the rush hour. Her suitcase was left in the luggage rack of the carriage. The timetable changes in
    December. A return ticket costs less than two singles. The steam engine stopped to take on water. The sleeping car
    had six berths in each compartment. The bridge carries two railway tracks across the river. The regional train
    stops at every village. The guard blew his whistle and the doors closed. Snow on the points stopped all rail
    traffic in the north. The tram to the main station runs all night. Overhead wires were torn down by the storm, so
    no trains ran. They traveled across Siberia by rail for a week. The ticket machine in the station hall did not
    take cards. The train derailed on a sharp curve. First class carriages stop at the front of the platform. The new
    signaling system lets trains follow each other more closely. Bicycles are allowed on regional trains after nine.
    The metro was extended to the airport. An announcement said that the train would terminate here. Commuters
    complain about canceled trains and crowded carriages. The railway museum restored a diesel railcar.
  `),
  software: sentencesOf(`
    The unit tests fail since the last commit. The function returns a promise that nobody awaits. A memory leak
    crashed the web server overnight. Rename the variable so that its purpose is clear. The database query is slow
    without an index. The compiler reports a type error in line ten. We deploy the new version behind a feature flag.
    The bug appears only in the production build. She refactored the class into smaller functions. The API returns an
    error when the token has expired. Merge the branch after the code review. The debugger stops at the first
    breakpoint. An infinite loop froze the browser tab. The programmer wrote a script that renames the files. Version
    two of the library breaks the old interface. The container restarts because its health check times out. A race
    condition corrupted the cache. The parser chokes on nested comments. Passwords are hashed before they are stored
    in the database. The developer pushed his changes without running the tests. The stack trace points to a null
    pointer. Unit tests cover the parsing code but not the user interface. The server logs every request as JSON.
    Users reported that the app crashes on startup. The algorithm sorts a million records in a second. The
    documentation of the API is out of date. Garbage collection pauses slow down the program. The frontend is written
    in TypeScript and the backend in Go. Roll back the release if the error rate rises. The operating system killed
    the process when it ran out of memory. The regular expression matches too much of the string. Encrypt the
    connection between client and server. A missing semicolon cost him an hour of debugging. The software update fixes
    a security vulnerability. The thread waits for a lock that is never released. Continuous integration builds every
    pull request. The config file was parsed with the wrong encoding.
  `),
};

/** 60 pairs with how alike they are in meaning, judged by hand: 0 unrelated, 1 same subject, 2 alike, 3 the same. */
export const judgedPairs: readonly (readonly [judged: 0 | 1 | 2 | 3, one: string, other: string])[] = [
  [3, "The train is late.", "The train has been delayed."],
  [3, "How do I reset my password?", "I forgot my password and need a new one."],
  [3, "The film was boring.", "The movie was dull."],
  [3, "She bought a new car.", "She purchased a new automobile."],
  [3, "Prices went up last month.", "Last month, prices rose."],
  [3, "The child is ill.", "The kid is sick."],
  [3, "He speaks three languages.", "He can talk in three languages."],
  [3, "The meeting was canceled.", "They called off the meeting."],
  [3, "Where is the nearest hospital?", "How do I get to the closest hospital?"],
  [3, "The company hired twenty people.", "The firm took on twenty employees."],
  [3, "It will rain tomorrow.", "Rain is expected tomorrow."],
  [3, "The dog chased the cat.", "The cat was chased by the dog."],
  [3, "My order has not arrived.", "I have not received my order yet."],
  [3, "The soup is too salty.", "There is too much salt in the soup."],
  [3, "The doctor examined the patient.", "The physician looked at the patient."],
  [2, "The dog chased the cat.", "A dog ran after a ball."],
  [2, "She bought a new car.", "He sold his old car."],
  [2, "How do I reset my password?", "How do I change my user name?"],
  [2, "The soup is too salty.", "The stew needs more salt."],
  [2, "The train is late.", "The bus was on time."],
  [2, "He plays the guitar.", "She plays the violin."],
  [2, "The company hired twenty people.", "The factory dismissed fifty workers."],
  [2, "It will rain tomorrow.", "It snowed all night."],
  [2, "The film was boring.", "The novel was exciting."],
  [2, "A man is riding a horse.", "A woman is riding a bicycle."],
  [2, "The doctor examined the patient.", "The nurse bandaged the wound."],
  [2, "My order has not arrived.", "I want to return my order."],
  [2, "The team won the match.", "The team lost the final."],
  [2, "The plane landed safely.", "The flight took off an hour late."],
  [2, "They planted an oak.", "They cut down the old tree."],
  [1, "The dog chased the cat.", "The vet opens at nine."],
  [1, "She bought a new car.", "Petrol stations are closed on Sunday."],
  [1, "The soup is too salty.", "The waiter brought the bill."],
  [1, "How do I reset my password?", "The website looks better in dark mode."],
  [1, "The train is late.", "The old station has a glass roof."],
  [1, "He plays the guitar.", "The concert hall was rebuilt."],
  [1, "It will rain tomorrow.", "The climate of the coast is mild."],
  [1, "The film was boring.", "Cinemas sell a lot of popcorn."],
  [1, "The doctor examined the patient.", "Medical school takes six years."],
  [1, "My order has not arrived.", "The shop opens a second warehouse."],
  [1, "The team won the match.", "Tickets for the stadium are expensive."],
  [1, "The plane landed safely.", "The airport will get a third runway."],
  [1, "They planted an oak.", "The soil in this valley is rich."],
  [1, "Prices went up last month.", "The minister of finance resigned."],
  [1, "The company hired twenty people.", "The office has a view of the park."],
  [0, "The dog chased the cat.", "Interest rates were left unchanged."],
  [0, "She bought a new car.", "The bees swarmed in May."],
  [0, "The soup is too salty.", "The satellite reached its orbit."],
  [0, "How do I reset my password?", "The lambs were born in the snow."],
  [0, "The train is late.", "Add two eggs and stir."],
  [0, "He plays the guitar.", "The court rejected the appeal."],
  [0, "It will rain tomorrow.", "The function has too many parameters."],
  [0, "The film was boring.", "Copper conducts electricity well."],
  [0, "The doctor examined the patient.", "The goalkeeper kicked the ball into the stands."],
  [0, "My order has not arrived.", "Glaciers carved this valley."],
  [0, "The team won the match.", "Knit two, purl two, repeat."],
  [0, "The plane landed safely.", "He mixed blue and yellow paint."],
  [0, "They planted an oak.", "The password must have eight characters."],
  [0, "Prices went up last month.", "The choir rehearses on Tuesdays."],
  [0, "The company hired twenty people.", "Whales sing under water."],
];
