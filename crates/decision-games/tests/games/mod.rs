//! The recorded games.
#![allow(dead_code, reason = "each test binary uses its own part")]

use std::collections::HashMap;
use std::sync::OnceLock;

use decision_games::Recorded;

/// All recorded games.
pub fn all() -> &'static [Recorded] {
    static GAMES: OnceLock<Vec<Recorded>> = OnceLock::new();
    GAMES.get_or_init(|| {
        let files = ["optimization", "planning", "mediation"];
        let read = |game: &str| {
            // Cargo runs a test in the folder of its package.
            let path = format!("../../datasets/{game}/games.jsonl");
            let text =
                std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
            Recorded::read(&text).unwrap()
        };
        files.iter().flat_map(|game| read(game)).collect()
    })
}

/// The game of this kind with this number.
pub fn find(game: &str, index: u64) -> &'static Recorded {
    static PLACES: OnceLock<HashMap<(String, u64), usize>> = OnceLock::new();
    let places = PLACES.get_or_init(|| {
        let key = |game: &Recorded| (game.game.clone(), u64::from(game.index));
        all()
            .iter()
            .enumerate()
            .map(|(place, game)| (key(game), place))
            .collect()
    });
    &all()[places[&(game.to_owned(), index)]]
}
