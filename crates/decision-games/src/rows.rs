//! Rows that cost nothing: what the parties reach without a language model.
//!
//! A figure of a model means something only beside them.

use serde_json::Value;

use crate::game::Game;
use crate::mediation::{self, Mediation};
use crate::optimization::{self, Optimization};
use crate::planning::{self, Planning, Preference, Wish};
use crate::points::Points;
use crate::recorded::Recorded;
use crate::rules::Rules;

/// One value of a row, of a game or of one seat of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The name of the row, such as `silent`.
    pub name: &'static str,
    /// The scaled score.
    pub norm: f64,
}

/// All rows of one recorded game.
///
/// # Errors
/// The world or the turns cannot be read.
pub fn rows(recorded: &Recorded) -> Result<Vec<Row>, String> {
    let mut rows = match recorded.game.as_str() {
        "optimization" => of_optimization(&recorded.world)?,
        "planning" => of_planning(&recorded.world)?,
        "mediation" => of_mediation(&recorded.world)?,
        game => return Err(format!("there is no game {game:?}")),
    };
    let replayed = |rules| -> Result<_, String> {
        let replay = recorded.replay(recorded.open(rules)?);
        replay.map_err(|illegal| illegal.to_string())
    };
    let by_rule = replayed(Rules::default())?;
    // What people agreed on is scored as it was when they played.
    let as_recorded = replayed(Rules {
        legacy_categories: true,
        ..Rules::default()
    })?;
    let humans = [
        ("human first", by_rule.proposals.first()),
        ("human final", as_recorded.decision.as_ref()),
    ];
    rows.extend(humans.into_iter().filter_map(|(name, points)| {
        Some(Row {
            name,
            norm: points?.norm(),
        })
    }));
    Ok(rows)
}

fn read<W: serde::de::DeserializeOwned>(world: &Value) -> Result<W, String> {
    serde_json::from_value(world.clone()).map_err(|error| format!("the world: {error}"))
}

fn scaled(mean: f64, points: Points) -> f64 {
    (mean - points.worst as f64) / (points.best - points.worst).max(1) as f64
}

fn of_optimization(world: &Value) -> Result<Vec<Row>, String> {
    let game = Optimization::new(read(world)?, Rules::default())?;
    let table = &game.world().table;
    let seen = [game.world().seen(0), game.world().seen(1)];
    let norm = |columns: &[usize]| game.points(&Optimization::decision(columns)).norm();
    let best = game.points(&game.best());
    let sum: i64 = table.iter().flatten().sum();
    let worst = crate::solve::worst_assignment(table).value;
    let mut rows = vec![
        Row {
            name: "random",
            norm: scaled(sum as f64 / table.len() as f64, best),
        },
        Row {
            name: "worst",
            norm: worst as f64 / best.best as f64,
        },
        Row {
            name: "optimum",
            norm: best.norm(),
        },
    ];
    for (own, partner) in [(&seen[0], &seen[1]), (&seen[1], &seen[0])] {
        rows.push(Row {
            name: "silent",
            norm: norm(&optimization::silent(own)),
        });
        rows.push(Row {
            name: "pooled",
            norm: norm(&optimization::pooled(own, partner)),
        });
        rows.push(Row {
            name: "five words",
            norm: norm(&optimization::five_words(own, partner, 5)),
        });
    }
    Ok(rows)
}

fn of_planning(world: &Value) -> Result<Vec<Row>, String> {
    let game = Planning::new(read(world)?, Rules::default())?;
    let best = game.points(&game.best());
    let wishes: Vec<Wish> = game.world().preferences.iter().map(wish).collect();
    let known = planning::suggest(&game.world().sites, &wishes, false);
    let known = game.decision(&known.stops.map(Some));
    Ok([
        ("random", scaled(planning::mean(game.world()), best)),
        ("worst", 0.0),
        ("optimum", best.norm()),
        ("silent", game.points(&game.silent(1)).norm()),
        ("all wishes", game.points(&known).norm()),
    ]
    .map(|(name, norm)| Row { name, norm })
    .to_vec())
}

/// What the text of a preference says: everything but its weight.
pub fn wish(preference: &Preference) -> Wish {
    match preference {
        Preference::Feature {
            name,
            value_sets: [dislike, like],
            ..
        } => Wish::Feature {
            feature: name.clone(),
            like: like.clone(),
            dislike: dislike.clone(),
            weight: None,
        },
        Preference::Budget { budget, .. } => Wish::Budget {
            budget: *budget,
            weight: None,
        },
        Preference::Visit {
            event_set,
            penalize,
            ..
        } => Wish::Visit {
            visit: event_set.clone(),
            must: Some(*penalize),
            weight: None,
        },
        // Whether a category is a must is not in the text.
        Preference::Category { etype, .. } => Wish::Category {
            category: etype.clone(),
            must: None,
            weight: None,
        },
        Preference::Travel { .. } => Wish::Travel { travel: 5.5 },
    }
}

fn of_mediation(world: &Value) -> Result<Vec<Row>, String> {
    let game = Mediation::new(read(world)?, Rules::default())?;
    let best = game.points(&game.best());
    let norm = |flights| game.points(&Mediation::decision(flights)).norm();
    Ok([
        ("random", scaled(mediation::mean(game.world()), best)),
        ("worst", 0.0),
        ("optimum", best.norm()),
        ("silent", norm(mediation::silent(game.world()).0)),
        ("calendars", norm(mediation::calendars(game.world()).0)),
    ]
    .map(|(name, norm)| Row { name, norm })
    .to_vec())
}
