"""The dialogues of examples/: turns of what the user says, the program, and what the agent says.

A reply is filled in from the outcome of its program: `{count}`, `{name}` and the other slots of the
first row, `{name2}` and so on of the next ones. Their goals are none of those in the recorded
dialogues of the crate typed-claims, with which assistants are compared.
"""

import json

YES, NO = "yes", "no"
CHAT, FAQ, BEYOND, END = (
    f"raise {name}()" for name in ["ChitChat", "FAQ", "OutOfScopeRequestError", "EndDialog"]
)


def values(named):
    return ", ".join(f"{slot}={value}" for slot, value in named.items())


def find(**wishes):
    shown = values({slot: json.dumps(value) for slot, value in wishes.items()} | {"limit": "None"})
    return f'found = restaurants.find({shown})\nreturn {{"count": len(found), "rows": found[:3]}}'


def one(**wishes):
    shown = values({slot: json.dumps(value) for slot, value in wishes.items()} | {"limit": "1"})
    return f"return restaurants.find({shown})"


def count(**wishes):
    return f"return restaurants.count({values({slot: json.dumps(value) for slot, value in wishes.items()})})"


def get(name):
    return f"return restaurants.get({json.dumps(name)})"


def book(name, day="?1", time="?2", people="?3"):
    """A booking; what is not given yet is a placeholder."""
    shown = {"day": day, "time": time, "people": people}
    shown = {slot: value if str(value)[0] == "?" else json.dumps(value) for slot, value in shown.items()}
    return f"return restaurants.book({json.dumps(name)}, {values(shown)})"


CANCEL = 'restaurants.cancel("{reference}")'
BOOKINGS = "return restaurants.bookings()"
BYE = ("Thank you, goodbye.", END, "You are welcome, goodbye!")

DIALOGUES = {
    # One wish, and what the chosen one has.
    "one-wish-1": [
        (
            "I'm looking for a Vietnamese restaurant.",
            find(food="vietnamese"),
            "There is one: {name}, a cheap Vietnamese restaurant in the west.",
        ),
        (
            "Give me a number to call and where I have to go.",
            get("thanh binh"),
            "The phone number of {name} is {phone} and the address is {address}.",
        ),
        ("That is all, thanks.", END, "You are welcome, enjoy your meal!"),
    ],
    "one-wish-2": [
        (
            "hi, my daughter wants sushi or something japanese tonight",
            find(food="japanese"),
            "{name} is an expensive Japanese restaurant in the centre. Would you like to know more about it?",
        ),
        ("yeah where is it exactly", get("wagamama"), "The address of {name} is {address}."),
        ("and the post code for my satnav?", get("wagamama"), "The postcode of {name} is {postcode}."),
        ("cheers, bye", END, "Goodbye!"),
    ],
    "one-wish-3": [
        (
            "Please find a Thai restaurant.",
            find(food="thai"),
            "There are {count} Thai restaurants: {name} and {name2}. Both are expensive. "
            "I recommend {name}, which is in the centre.",
        ),
        (
            "I'd rather have the other one. In what part of town is it?",
            get("sala thong"),
            "{name} is in the west.",
        ),
        (
            "OK. Please tell me the phone number.",
            get("sala thong"),
            "The phone number of {name} is {phone}.",
        ),
        ("Great, bye.", END, "Goodbye, and enjoy your meal!"),
    ],
    "one-wish-4": [
        (
            "I would like a gastropub, please.",
            find(food="gastropub"),
            "There are {count} gastropubs. Which price range would you like?",
        ),
        (
            "I'd like an expensive one.",
            find(food="gastropub", pricerange="expensive"),
            "There are {count} expensive gastropubs: {name}, {name2} and {name3}. {name2} is a good choice.",
        ),
        (
            "Can I have the postcode and the area?",
            get("royal standard"),
            "The postcode of {name} is {postcode}. It is in the east.",
        ),
        BYE,
    ],
    # Two wishes, at once or one after the other.
    "two-wishes-1": [
        (
            "I'm looking for a cheap restaurant in the west.",
            find(area="west", pricerange="cheap"),
            "There are {count} cheap restaurants in the west: {name} and {name2}. "
            "I recommend {name}, which serves Italian food.",
        ),
        (
            "Italian sounds good. Is there a phone number?",
            get("la margherita"),
            "Yes, the phone number of {name} is {phone}.",
        ),
        (
            "Then make it Sunday at 12:15, we are three.",
            book("la margherita", "sunday", "12:15", 3),
            "I have booked {name} for {people} people at {time} on {day}. The reference number is {reference}.",
        ),
        BYE,
    ],
    "two-wishes-2": [
        (
            "We're after an Italian place, somewhere over in the west",
            find(food="italian", area="west"),
            "There are {count} Italian restaurants in the west: {name}, which is cheap, "
            "and {name2}, which is moderately priced. Which one would you like?",
        ),
        ("the second", get("prezzo"), "{name} is at {address}. Would you like to book a table?"),
        (
            "Yes, Wednesday 20:30, there'll be six of us",
            book("prezzo", "wednesday", "20:30", 6),
            "Your table at {name} is booked for {day} at {time}, for {people} people. "
            "Your reference number is {reference}.",
        ),
        ("Perfect, thank you very much. Goodbye", END, "Goodbye, and enjoy your meal!"),
    ],
    "two-wishes-3": [
        (
            "Can you find me a European restaurant?",
            find(food="european"),
            "There are {count} European restaurants. Which area would you like?",
        ),
        (
            "I want a restaurant in the west.",
            find(food="european", area="west"),
            "There is {name}, which is an expensive European restaurant in the west.",
        ),
        (
            "Please tell me the address and the postcode.",
            get("cambridge lodge restaurant"),
            "The address of {name} is {address}, and the postcode is {postcode}.",
        ),
        (
            "I need a table on Tuesday at 13:45 for 2 people.",
            book("cambridge lodge restaurant", "tuesday", "13:45", 2),
            "I have booked {name} for {people} people at {time} on {day}. The reference number is {reference}.",
        ),
        BYE,
    ],
    "two-wishes-4": [
        (
            "I'm looking for a Mediterranean restaurant.",
            find(food="mediterranean"),
            "There are {count} Mediterranean restaurants: {name}, {name2} and {name3}. "
            "Do you prefer a certain price range?",
        ),
        (
            "I'd like a cheap restaurant.",
            find(food="mediterranean", pricerange="cheap"),
            "{name} is a cheap Mediterranean restaurant in the centre.",
        ),
        ("Do they have a phone?", get("the gardenia"), "Yes, the phone number of {name} is {phone}."),
        ("Great, bye.", END, "Goodbye!"),
    ],
    "two-wishes-5": [
        (
            "Anything moderately priced out east?",
            find(area="east", pricerange="moderate"),
            "There are {count} moderately priced restaurants in the east: {name} and {name3}, "
            "which serve Indian food, and {name2}, which serves Italian food. Which one would you like?",
        ),
        (
            "Rajmahal then. Can I have the phone number and the postcode?",
            get("rajmahal"),
            "The phone number of {name} is {phone}, and the postcode is {postcode}.",
        ),
        ("no that's it. bye bye", END, "Goodbye!"),
    ],
    # Three wishes.
    "three-wishes-1": [
        (
            "Can you find me a cheap Chinese restaurant in the south?",
            find(food="chinese", area="south", pricerange="cheap"),
            "I suggest {name}. It is a cheap Chinese restaurant in the south.",
        ),
        (
            "Can you book it for 5 people on Thursday at 19:15?",
            book("the lucky star", "thursday", "19:15", 5),
            "Your table at {name} is booked for {day} at {time}. Your reference number is {reference}.",
        ),
        ("Thank you, goodbye.", END, "Goodbye, and enjoy your meal!"),
    ],
    "three-wishes-2": [
        (
            "I would like an Indian restaurant, please.",
            find(food="indian"),
            "I have found {count} Indian restaurants. Which area would you like?",
        ),
        (
            "I want a restaurant in the east.",
            find(food="indian", area="east"),
            "There are {count} Indian restaurants in the east. Which price range would you like?",
        ),
        (
            "not too dear, something in the middle",
            find(food="indian", area="east", pricerange="moderate"),
            "There are {count} moderate Indian restaurants in the east: {name} and {name2}. I recommend {name}.",
        ),
        (
            "How do I reach that one, by phone and by bike?",
            get("curry prince"),
            "The address of {name} is {address}. The phone number is {phone}.",
        ),
        BYE,
    ],
    "three-wishes-3": [
        (
            "I'm looking for a moderate restaurant.",
            find(pricerange="moderate"),
            "There are {count} moderate restaurants. Which type of food would you like?",
        ),
        (
            "I want a British restaurant.",
            find(food="british", pricerange="moderate"),
            "There are {count} moderate British restaurants. Do you prefer a certain area?",
        ),
        (
            "Please find a restaurant in the west.",
            find(food="british", area="west", pricerange="moderate"),
            "There is {name}, which is a moderate British restaurant in the west.",
        ),
        (
            "Please book a table for 8 people at 11:30 on Monday.",
            book("saint johns chop house", "monday", "11:30", 8),
            "I have booked {name} for {people} people at {time} on {day}. The reference number is {reference}.",
        ),
        BYE,
    ],
    "three-wishes-4": [
        (
            "Taking my boss out, so it should be pricey. Chinese food, and it has to be on the north side",
            find(food="chinese", area="north", pricerange="expensive"),
            "There are {count} expensive Chinese restaurants in the north: {name} and {name2}. "
            "{name2} is a good choice.",
        ),
        (
            "hakka is fine. phone number please, I'll ring them myself",
            get("hakka"),
            "The phone number of {name} is {phone}.",
        ),
        ("ok thx", CHAT, "You are welcome! Can I do anything else for you?"),
        ("no, bye", END, "Goodbye!"),
    ],
    # Nothing fits; then another wish does.
    "nothing-1": [
        (
            "I'm looking for a cheap Thai restaurant.",
            find(food="thai", pricerange="cheap"),
            "I am sorry, there is no cheap Thai restaurant. Would you like another price range?",
        ),
        (
            "Then how about an expensive restaurant?",
            find(food="thai", pricerange="expensive"),
            "There are {count} expensive Thai restaurants: {name} and {name2}. I recommend {name}.",
        ),
        ("Can I have the address?", get("bangkok city"), "The address of {name} is {address}."),
        BYE,
    ],
    "nothing-2": [
        (
            "I'd like a Greek restaurant in the centre.",
            find(food="greek", area="centre"),
            "Unfortunately there are no Greek restaurants in the centre. Would you like another type of food?",
        ),
        (
            "In that case I'd like a Seafood restaurant.",
            find(food="seafood", area="centre"),
            "{name} is an expensive seafood restaurant in the centre.",
        ),
        (
            "What is the price range and the postcode?",
            get("loch fyne"),
            "{name} is in the expensive price range. Its postcode is {postcode}.",
        ),
        ("That is all, thanks.", END, "Goodbye, and enjoy your meal!"),
    ],
    "nothing-3": [
        (
            "I would like a Korean restaurant in the east, please.",
            find(food="korean", area="east"),
            "I could not find any Korean restaurants in the east. Would you like another area?",
        ),
        (
            "I don't care about the area.",
            find(food="korean"),
            "There is {name}, which is an expensive Korean restaurant in the centre.",
        ),
        (
            "I need a table on Saturday at 17:00 for 4 people.",
            book("little seoul", "saturday", "17:00", 4),
            "Your table at {name} is booked for {day} at {time}. Your reference number is {reference}.",
        ),
        BYE,
    ],
    "nothing-4": [
        (
            "any cheap vegetarian restaurants?",
            find(food="vegetarian", pricerange="cheap"),
            "I am sorry, there are no cheap vegetarian restaurants. Which other type of food would you like?",
        ),
        (
            "hmm, what about spanish",
            find(food="spanish", pricerange="cheap"),
            "{name} is a cheap Spanish restaurant in the centre.",
        ),
        (
            "is it far from rose crescent?",
            get("la raza"),
            "The address of {name} is {address}.",
        ),
        ("great, bye", END, "Goodbye, enjoy your meal!"),
    ],
    "nothing-5": [
        (
            "Can you find me an African restaurant in the south?",
            find(food="african", area="south"),
            "Unfortunately there are no African restaurants in the south. Would you like another area or another food?",
        ),
        ("Never mind, thank you.", END, "I am sorry that I could not help you. Goodbye!"),
    ],
    # Many fit: one more wish, or a suggestion.
    "many-1": [
        (
            "I want to eat in the city centre",
            find(area="centre"),
            "There are {count} restaurants in the centre. Which type of food would you like?",
        ),
        (
            "Please suggest one.",
            one(area="centre"),
            "I recommend {name}, which is a moderate Turkish restaurant in the centre.",
        ),
        (
            "Hmm, no kebabs. Modern European?",
            find(area="centre", food="modern european"),
            "There are {count} modern European restaurants in the centre. Which price range would you like?",
        ),
        (
            "The cheapest you have",
            find(area="centre", food="modern european", pricerange="cheap"),
            "{name} is a cheap modern European restaurant in the centre.",
        ),
        BYE,
    ],
    "many-2": [
        (
            "I'm looking for an Italian restaurant.",
            find(food="italian"),
            "There are {count} Italian restaurants. Which area would you like?",
        ),
        (
            "I don't care about the area.",
            find(food="italian"),
            "There are {count} Italian restaurants. Do you prefer a certain price range?",
        ),
        (
            "The price range doesn't matter.",
            one(food="italian"),
            "How about {name}? It is a cheap Italian restaurant in the centre.",
        ),
        (
            "What is the postcode and the phone number?",
            get("ask restaurant"),
            "The postcode of {name} is {postcode}. The phone number is {phone}.",
        ),
        BYE,
    ],
    "many-3": [
        (
            "Somewhere nice to eat, please!",
            find(),
            "I know {count} restaurants. Which type of food would you like?",
        ),
        (
            "I have no preference for the type of food.",
            find(),
            "Which area would you like?",
        ),
        (
            "I want a restaurant in the north.",
            find(area="north"),
            "There are {count} restaurants in the north. Which price range would you like?",
        ),
        (
            "I'd like a cheap restaurant.",
            find(area="north", pricerange="cheap"),
            "There are {count} cheap restaurants in the north: {name} and {name2}. I recommend {name2}.",
        ),
        (
            "What is the type of food and the address?",
            get("royal spice"),
            "{name} serves Indian food. The address is {address}.",
        ),
        BYE,
    ],
    "many-4": [
        (
            "How many Chinese restaurants do you have?",
            count(food="chinese"),
            "There are {count} Chinese restaurants. Which area or price range would you like?",
        ),
        (
            "Just pick one for me.",
            one(food="chinese"),
            "I suggest {name}. It is a cheap Chinese restaurant in the centre.",
        ),
        (
            "Another one please, I know that one",
            'return restaurants.find(food="chinese", limit=2)[1:]',
            "How about {name}? It is a cheap Chinese restaurant in the centre, too.",
        ),
        (
            "Can you book it for 1 people on Monday at 18:45?",
            book("golden house", "monday", "18:45", 1),
            "I have booked {name} for one person at {time} on {day}. The reference number is {reference}.",
        ),
        BYE,
    ],
    "many-5": [
        (
            "An expensive restaurant in the west, please.",
            find(area="west", pricerange="expensive"),
            "There are {count} expensive restaurants in the west. Which type of food would you like?",
        ),
        (
            "Which would you recommend?",
            one(area="west", pricerange="expensive"),
            "I recommend {name}. It is an expensive European restaurant in the west.",
        ),
        (
            "And is there British food?",
            find(area="west", pricerange="expensive", food="british"),
            "Yes, there are {count} expensive British restaurants in the west: {name} and {name2}.",
        ),
        (
            "Tell me more about the first",
            get("graffiti"),
            "{name} is an expensive British restaurant in the west. The address is {address}, "
            "the postcode is {postcode} and the phone number is {phone}.",
        ),
        BYE,
    ],
    # A table, with what is missing asked for.
    "table-1": [
        (
            "Do you know the restaurant La Tasca?",
            get("la tasca"),
            "{name} is a moderate Spanish restaurant in the centre.",
        ),
        ("I'd like to book a table there.", book("la tasca"), "On which day would you like to come?"),
        (
            "On Sunday",
            book("la tasca", "sunday"),
            "At what time would you like to eat?",
        ),
        ("quarter past eight in the evening", book("la tasca", "sunday", "20:15"), "For how many people?"),
        (
            "me and my wife",
            book("la tasca", "sunday", "20:15", 2),
            "I have booked {name} for {people} people at {time} on {day}. The reference number is {reference}.",
        ),
        ("lovely, bye", END, "Goodbye, and enjoy your meal!"),
    ],
    "table-2": [
        (
            "I'm looking for a restaurant called Bedouin.",
            get("bedouin"),
            "{name} is an expensive African restaurant in the centre.",
        ),
        (
            "Can I get a table for seven on Thursday?",
            book("bedouin", "thursday", people=7, time="?1"),
            "At what time would you like the table?",
        ),
        (
            "At 19:30.",
            book("bedouin", "thursday", "19:30", 7),
            "Your table at {name} is booked for {day} at {time}. Your reference number is {reference}.",
        ),
        BYE,
    ],
    "table-3": [
        (
            "I want to book a table at Clowns Cafe for tomorrow, half past twelve, 3 people",
            book("clowns cafe", "tuesday", "12:30", 3),
            "I have booked {name} for {people} people at {time} on {day}. The reference number is {reference}.",
        ),
        ("What was the reference number again?", BOOKINGS, "Your reference number is {reference}."),
        ("And where is the place?", get("clowns cafe"), "The address of {name} is {address}."),
        BYE,
    ],
    # No table is free.
    "refused-1": [
        (
            "I would like a cheap Asian oriental restaurant in the centre.",
            find(food="asian oriental", area="centre", pricerange="cheap"),
            "There are {count} cheap Asian oriental restaurants in the centre: {name} and {name2}. "
            "I recommend {name}.",
        ),
        (
            "Please book a table for 6 people at 18:00 on Friday.",
            book("dojo noodle bar", "friday", "18:00", 6),
            "I am sorry, there is no table available at 18:00 on Friday. Would you like another time?",
        ),
        (
            "Please book a table for 6 people at 17:00 on Friday.",
            book("dojo noodle bar", "friday", "17:00", 6),
            "I have booked {name} for {people} people at {time} on {day}. The reference number is {reference}.",
        ),
        BYE,
    ],
    "refused-2": [
        (
            "Can you tell me about Meghna?",
            get("meghna"),
            "{name} is a moderate Indian restaurant in the west.",
        ),
        (
            "I need a table on Friday at 18:00 for 2 people.",
            book("meghna", "friday", "18:00", 2),
            "The booking was unsuccessful: 18:00 on Friday is not available. Would another day or time do?",
        ),
        (
            "same time on saturday?",
            book("meghna", "saturday", "18:00", 2),
            "Your table at {name} is booked for {day} at {time}. Your reference number is {reference}.",
        ),
        ("Can I have the reference number?", BOOKINGS, "The reference number is {reference}."),
        BYE,
    ],
    "refused-3": [
        (
            "table for 4 at Zizzi Cambridge, friday 6 pm",
            book("zizzi cambridge", "friday", "18:00", 4),
            "I am sorry, there is no table available at 18:00 on Friday. Shall I try another time?",
        ),
        (
            "try an hour later",
            book("zizzi cambridge", "friday", "19:00", 4),
            "I have booked {name} for {people} people at {time} on {day}. The reference number is {reference}.",
        ),
        ("phew. and their phone number?", get("zizzi cambridge"), "The phone number of {name} is {phone}."),
        ("That is all, thanks.", END, "You are welcome, goodbye!"),
    ],
    "refused-4": [
        (
            "Book The Nirala on Friday at 18:00 please, 2 people.",
            book("the nirala", "friday", "18:00", 2),
            "The booking was unsuccessful: 18:00 on Friday is not available. Would you like another time?",
        ),
        ("Then not. Goodbye.", END, "I am sorry that it did not work out. Goodbye!"),
    ],
    # A restaurant by its name.
    "named-1": [
        (
            "Can you tell me about The Missing Sock?",
            get("the missing sock"),
            "{name} is a cheap international restaurant in the east.",
        ),
        (
            "Please tell me the phone number and the postcode.",
            get("the missing sock"),
            "The phone number of {name} is {phone} and the postcode is {postcode}.",
        ),
        BYE,
    ],
    "named-2": [
        (
            "Do you know the restaurant The Blue Lantern?",
            get("the blue lantern"),
            "I am sorry, The Blue Lantern is not in our database. Would you like something else?",
        ),
        (
            "Oh. Then how about Ugly Duckling?",
            get("ugly duckling"),
            "{name} is an expensive Chinese restaurant in the centre.",
        ),
        (
            "What is the phone number and the address?",
            get("ugly duckling"),
            "No phone number is listed for {name}. The address is {address}.",
        ),
        BYE,
    ],
    "named-3": [
        (
            "i need the address of pizza hut",
            get("pizza hut"),
            "There are several: Pizza Hut Cherry Hinton, Pizza Hut City Centre and Pizza Hut Fen Ditton. "
            "Which one do you mean?",
        ),
        (
            "the one in fen ditton",
            get("pizza hut fen ditton"),
            "The address of {name} is {address}.",
        ),
        ("Is it expensive?", get("pizza hut fen ditton"), "No, {name} is in the moderate price range."),
        ("ta, bye", END, "Goodbye!"),
    ],
    "named-4": [
        (
            "A friend told me about a place with Golden in its name...",
            'return restaurants.find(name="golden")',
            "There are three: {name}, {name2} and {name3}. Which one would you like to know more about?",
        ),
        (
            "Golden Wok! What kind of food is that, and what does it cost?",
            get("golden wok"),
            "{name} serves Chinese food. It is in the moderate price range.",
        ),
        ("And the area?", get("golden wok"), "{name} is in the north."),
        BYE,
    ],
    # A food that is not known, what the desk cannot do, and a booking that is cancelled.
    "unknown-1": [
        (
            "I want Bavarian food",
            find(food="bavarian"),
            "I do not know the food \"Bavarian\". Which other type of food would you like?",
        ),
        (
            "then portugese maybe",
            find(food="portuguese"),
            "There are {count} Portuguese restaurants: {name} and {name2}. Both are cheap. "
            "{name} is in the south and {name2} is in the centre.",
        ),
        (
            "Can I have the address and the phone number of the one in the south?",
            get("nandos"),
            "The address of {name} is {address}, and the phone number is {phone}.",
        ),
        BYE,
    ],
    "beyond-1": [
        (
            "Hello, what can you do for me?",
            FAQ,
            "I can find restaurants in Cambridge by food, area and price range, tell you about them, "
            "and book a table. What are you looking for?",
        ),
        (
            "Book me a taxi to Cote, please.",
            BEYOND,
            "I am sorry, I cannot book taxis. Shall I book a table instead?",
        ),
        (
            "Yes, on Wednesday at 19:45 for two.",
            book("cote", "wednesday", "19:45", 2),
            "I have booked {name} for {people} people at {time} on {day}. The reference number is {reference}.",
        ),
        BYE,
    ],
    "cancelled-1": [
        (
            "Please book a table for 2 people at 14:30 on Thursday at Galleria.",
            book("galleria", "thursday", "14:30", 2),
            "Your table at {name} is booked for {day} at {time}. Your reference number is {reference}.",
        ),
        (
            "Oh dear, I have to work on Thursday. Cancel it please.",
            CANCEL,
            "Shall I cancel the booking {reference} at Galleria on Thursday at 14:30?",
        ),
        ("Yes, please.", YES, "The booking {reference} is cancelled."),
        (
            "How about Saturday at the same time?",
            book("galleria", "saturday", "14:30", 2),
            "I have booked {name} for {people} people at {time} on {day}. The reference number is {reference}.",
        ),
        BYE,
    ],
    "cancelled-2": [
        (
            "I need a table at Rice Boat on Sunday at 19:00, we are 9",
            book("rice boat", "sunday", "19:00", 9),
            "I have booked {name} for {people} people at {time} on {day}. The reference number is {reference}.",
        ),
        (
            "my mother-in-law isn't sure now. cancel?",
            CANCEL,
            "Do you want to cancel the booking {reference} at Rice Boat on Sunday at 19:00?",
        ),
        ("no, keep it", NO, "All right, the booking {reference} stays as it is."),
        ("bye then", END, "Goodbye!"),
    ],
}
