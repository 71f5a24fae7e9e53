//! Each kind of malformed turn gets its code, and the game goes on.
#![allow(clippy::unwrap_used, reason = "a test stops where it cannot go on")]

use decision_games::{Code, Limits, Play, Rules, Table, generate, open};

/// Eight lines of a proposal, the first of which is this one.
fn pairs(first: &str) -> String {
    let rest = "Electra: Daniel\nGloVe: Sofia\nGLUE: Andrei\nLLaMA: Morgan\nRoBERTa: Joseph\n\
        QuAC: Ethan\nSWAG: Noah";
    format!("player-1 [propose] {first}\n{rest}")
}

/// A game of the usual limits after these turns, each a seat and a text.
fn begin(game: &str, turns: &[&str]) -> Table {
    let world = generate(game, 7).unwrap();
    let game = open(game, &world, Rules::default()).unwrap();
    let limits = Limits::usual(game.as_ref());
    let mut table = Table::new(game, Rules::default(), Play::Strict).with_limits(limits);
    for turn in turns {
        make(&mut table, turn).unwrap_or_else(|code| panic!("{turn}: {code:?}"));
    }
    table
}

fn make(table: &mut Table, turn: &str) -> Result<(), Code> {
    let (name, text) = turn.split_once(' ').unwrap();
    let seats = table.game().seats().iter();
    let seat = seats.clone().position(|seat| seat.name == name).unwrap();
    let made = table.turn(seat, text);
    made.map(drop).map_err(|illegal| {
        assert!(illegal.text.ends_with(['.', '?', ']']), "{}", illegal.text);
        illegal.code
    })
}

/// All that the others could notice of a game.
fn noticed(table: &Table) -> String {
    let position = table.position();
    let allowed: Vec<_> = (0..table.game().seats().len())
        .map(|seat| table.allowed(seat))
        .collect();
    let (pending, ended, moves) = (position.pending(), position.ended(), position.moves());
    format!(
        "{:?} {allowed:?} {pending:?} {ended:?} {moves}",
        table.movers()
    )
}

#[test]
fn malformed_turns_of_every_kind_get_their_code_and_the_game_goes_on() {
    let hi = "user [message] Hi";
    let stops = "agent [propose] [Atlas Park, Lincoln Park, The Arboretum]";
    let flights = "agent all: [propose] user 0: id 0, user 1: id 0";
    let spoken = ["user0 [message] Hi", "user1 [message] Hi"];
    let player = "player-1 [message] Hi";
    let (nobody, site) = (pairs("BLEU: Nobody"), "agent [tool] Search(limit=3)");
    let (repeated, odd) = (pairs("BLEU: Noah"), pairs("Ulysses: Ava"));
    let short = "player-1 [propose] BLEU: Ava";
    let rows: [(Code, &str, &[&str], &str, &str); 25] = [
        (Code::BadFormat, "planning", &[], "user Hi", hi),
        (Code::BadFormat, "planning", &[], "user 0: [message] Hi", hi),
        (Code::UnknownMove, "planning", &[], "user [shout] Hi", hi),
        (
            Code::NotYourRole,
            "planning",
            &[],
            "user [propose] [A, B, C]",
            hi,
        ),
        (
            Code::NotYourRole,
            "optimization",
            &[],
            "player-1 [tool] Search()",
            player,
        ),
        (Code::Empty, "planning", &[], "user [message]", hi),
        (
            Code::BadRecipient,
            "mediation",
            &spoken,
            "agent [message] Hi",
            flights,
        ),
        (
            Code::BadRecipient,
            "mediation",
            &spoken,
            "agent 2: [message] Hi",
            flights,
        ),
        (
            Code::TooManyMoves,
            "planning",
            &[],
            "user [message] Hi\n[message] Hi",
            hi,
        ),
        (
            Code::NotYourTurn,
            "planning",
            &[hi],
            "user [message] Hi",
            "agent [message] Hi",
        ),
        (
            Code::MustAnswer,
            "planning",
            &[hi, stops],
            "user [message] Hm",
            "user [accept]",
        ),
        (Code::NothingToAnswer, "planning", &[], "user [accept]", hi),
        (
            Code::BadProposal,
            "planning",
            &[hi],
            "agent [propose] [Atlas Park]",
            stops,
        ),
        (
            Code::BadProposal,
            "mediation",
            &spoken,
            "agent all: [propose] id 0",
            flights,
        ),
        (
            Code::BadProposal,
            "optimization",
            &[],
            "player-1 [propose] BLEU",
            player,
        ),
        (Code::IncompleteProposal, "optimization", &[], short, player),
        (Code::RepeatedName, "optimization", &[], &repeated, player),
        (
            Code::RepeatedSite,
            "planning",
            &[hi],
            "agent [propose] [Atlas Park, Atlas Park, NULL]",
            stops,
        ),
        (Code::UnknownPaper, "optimization", &[], &odd, player),
        (Code::UnknownReviewer, "optimization", &[], &nobody, player),
        (
            Code::UnknownSite,
            "planning",
            &[hi],
            "agent [propose] [Nowhere, NULL, NULL]",
            stops,
        ),
        (
            Code::UnknownFlight,
            "mediation",
            &spoken,
            "agent all: [propose] user 0: id 99, user 1: id 0",
            flights,
        ),
        // As near to The Jazz Spot as to The Arboretum.
        (
            Code::AmbiguousName,
            "planning",
            &[hi],
            "agent [propose] [The Jazz Sprboretum, NULL, NULL]",
            stops,
        ),
        (
            Code::BadQuery,
            "planning",
            &[hi],
            "agent [tool] Find me a park",
            site,
        ),
        (
            Code::UnknownField,
            "planning",
            &[hi],
            "agent [tool] Search(fields=[secret])",
            site,
        ),
    ];
    let mut seen = Vec::new();
    for (code, game, before, wrong, right) in rows {
        let mut table = begin(game, before);
        let stood = noticed(&table);
        // Two in a row: a third one would end the game.
        for _ in 0..2 {
            assert_eq!(make(&mut table, wrong), Err(code), "{wrong}");
            assert_eq!(noticed(&table), stood, "{wrong}");
        }
        assert_eq!(make(&mut table, right), Ok(()), "{wrong}, then {right}");
        seen.push(code);
    }
    // After the end nothing goes on, and the end stays what it is.
    let mut table = begin("planning", &[hi, stops, "user [accept]"]);
    let stood = noticed(&table);
    for _ in 0..4 {
        assert_eq!(make(&mut table, hi), Err(Code::GameOver));
    }
    assert_eq!(noticed(&table), stood);
    seen.push(Code::GameOver);
    let missing: Vec<Code> = Code::ALL
        .into_iter()
        .filter(|code| !seen.contains(code))
        .collect();
    assert_eq!(missing, [], "each code has a turn here");
}

#[test]
fn a_distance_to_nothing_says_what_it_needs() {
    let game = open(
        "planning",
        &generate("planning", 7).unwrap(),
        Rules::default(),
    )
    .unwrap();
    for query in [
        "sort_by=[distance]",
        "fields=[distance]",
        "filters=[distance < 2]",
    ] {
        let refused = game.query(&format!("Search({query})")).unwrap_err();
        assert_eq!(refused.code, Code::UnknownField);
        assert_eq!(
            refused.text,
            "distance stands for the distance_to(SITE) that sort_by has, and it has none: \
             write distance_to(SITE)."
        );
    }
    let query = "Search(fields=[distance], sort_by=[distance_to(The Mall)], limit=1)";
    let found = game.query(query).unwrap();
    assert!(found.contains("The Mall|0.0"), "{found}");
}
