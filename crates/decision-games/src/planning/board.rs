//! The view for a page: wishes, or sites on a map.

use serde_json::Value;

use super::site::{Feature, Site, bounds, miles};
use super::{Planning, PlanningWorld, STOPS};
use crate::board::{Board, Part, Picks, Thing};

pub(super) fn of(world: &PlanningWorld, seat: usize) -> Board {
    if seat == 0 {
        let texts = world.preferences.iter().map(|wish| wish.text().to_owned());
        let title = "What you would like".to_owned();
        let items = texts.collect();
        return Board {
            parts: vec![Part::List { title, items }],
            ..Board::default()
        };
    }
    let place = places(&world.sites);
    let things = world.sites.iter().map(|site| Thing {
        name: site.name.clone(),
        cells: vec![
            site.kind.clone(),
            format!("${}", site.price),
            features(site),
        ],
        group: Some(site.kind.clone()),
        at: Some(place(site)),
        span: None,
    });
    Board {
        parts: vec![Part::Things {
            title: "Sites".to_owned(),
            slots: (0..STOPS).collect(),
            columns: ["type", "price", "features"].map(str::to_owned).into(),
            things: things.collect(),
        }],
        slots: (1..=STOPS).map(|stop| format!("Stop {stop}")).collect(),
        distinct: true,
    }
}

fn features(site: &Site) -> String {
    let one = |(name, value): (&String, &Feature)| match value {
        Feature::Flag(true) => format!("{name}: yes"),
        Feature::Flag(false) => format!("{name}: no"),
        value => format!("{name}: {value}"),
    };
    site.features.iter().map(one).collect::<Vec<_>>().join(", ")
}

/// Where sites lie in the square around all of them. Degrees count alike in both directions, as they
/// do for distances.
fn places(sites: &[Site]) -> impl Fn(&Site) -> [f64; 2] {
    let (west, east) = bounds(sites, 0);
    let (south, north) = bounds(sites, 1);
    let wide = (east - west).max(north - south).max(1e-9);
    let rounded = |value: f64| (value * 10_000.0).round() / 10_000.0;
    move |site| {
        [
            rounded((site.loc[0] - west) / wide),
            rounded((north - site.loc[1]) / wide),
        ]
    }
}

/// The sites of picks, those that there are.
fn sites<'a>(world: &'a PlanningWorld, picks: &'a Picks) -> impl Iterator<Item = Option<&'a Site>> {
    let site = |pick: &Option<usize>| pick.and_then(|site| world.sites.get(site));
    picks.iter().map(site)
}

pub(super) fn picked(world: &PlanningWorld, picks: &Picks) -> Value {
    // A number that no site has is a name that no site has.
    let unknown = |pick: &Option<usize>| pick.map(|pick| pick.to_string());
    let named = sites(world, picks).zip(picks);
    let named = named.map(|(site, pick)| match site {
        Some(site) => Value::from(site.name.as_str()),
        None => unknown(pick).into(),
    });
    named.collect()
}

pub(super) fn picks(game: &Planning, decision: &Value) -> Picks {
    game.stops(decision).into()
}

/// The ways between neighbours, and the price of all.
pub(super) fn about(world: &PlanningWorld, picks: &Picks) -> String {
    let sites: Vec<Option<&Site>> = sites(world, picks).collect();
    let mut lines: Vec<String> = sites
        .windows(2)
        .filter_map(|leg| {
            let (from, to) = (leg[0]?, leg[1]?);
            let far = miles(from.loc, to.loc);
            Some(format!("{} to {}: {far:.1} mi", from.name, to.name))
        })
        .collect();
    let prices: Vec<i64> = sites.iter().flatten().map(|site| site.price).collect();
    if !prices.is_empty() {
        lines.push(format!("price of all: ${}", prices.iter().sum::<i64>()));
    }
    lines.join("\n")
}
