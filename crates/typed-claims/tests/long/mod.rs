//! Long replies of many kinds. In a piece `#` is a number that grows, `@` a word that is new each
//! time.

/// A name and what is repeated.
pub const PIECES: &[(&str, &str)] = &[
    (
        "sentences",
        "Graffiti is a cheap British restaurant in the west. There are 3 others. ",
    ),
    ("one sentence", "Graffiti is cheap and in the west and "),
    ("names", "Graffiti, Kohinoor, "),
    ("new names", "The @ Lantern, "),
    ("new names apart", "I like The @ Lantern today. "),
    ("values", "cheap, west, "),
    ("choices", "cheap or expensive or "),
    ("choice question", "cheap or west, moderate or "),
    ("counts", "there are # cheap places and "),
    ("phones", "Graffiti 012233#, phone 01223 35#, "),
    (
        "all of them",
        "Graffiti. All are cheap. Both are in the west. ",
    ),
    (
        "denials",
        "there are no cheap restaurants and I have no information on Graffiti and ",
    ),
    ("unknown", "I have no information on "),
    ("no other", "no other restaurant, no table, "),
    (
        "lists",
        "There are 2 places:\n- Graffiti\n- Kohinoor, cheap\n",
    ),
    ("one list", "\n- Graffiti: cheap"),
    (
        "identify",
        "There are cheap places in the west, one of them is Graffiti, another is ",
    ),
    ("colons", "Here are: Graffiti: "),
    ("properties", "it has free parking and live music and "),
    (
        "bookings",
        "Your table is booked, reference number is AB#CDEF, ",
    ),
    ("digits", "1 2 "),
    ("marks", "* \" ' - ( "),
    ("stars", "**"),
    ("breaks", "\n"),
    ("capitals", "Of And The "),
    ("streets", "12 Mill @ @ "),
    ("articles", "the the a "),
    ("hyphens", "st.-st.-"),
    ("letters", "a"),
    ("accents", "e\u{301}"),
    ("apostrophes", "n't 's "),
];

/// A reply of about so many bytes.
pub fn reply(piece: &str, length: usize) -> String {
    let mut text = String::with_capacity(length + piece.len());
    let mut round = 0_u32;
    while text.len() < length {
        let mut word = String::from("Q");
        let mut rest = round;
        while rest > 0 {
            word.push(char::from(b'a' + u8::try_from(rest % 26).unwrap_or(0)));
            rest /= 26;
        }
        let number = (1000 + round % 9000).to_string();
        text.push_str(&piece.replace('@', &word).replace('#', &number));
        round += 1;
    }
    text
}
