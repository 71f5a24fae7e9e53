//! Runs a query over the sites.

use std::cmp::Ordering;

use super::query::{Field, Operator, Query, Test, Value};
use crate::planning::PlanningWorld;
use crate::planning::site::{Feature, Site, tenths};

pub(super) fn run(world: &PlanningWorld, query: &Query) -> String {
    let text = |site: &&Site| {
        query
            .text
            .as_ref()
            .is_none_or(|text| searched(site, query.simple).contains(text))
    };
    let holds = |site: &&Site| {
        query
            .filters
            .iter()
            .all(|tests| tests.iter().any(|test| holds(world, site, test)))
    };
    let mut found: Vec<&Site> = world.sites.iter().filter(text).filter(holds).collect();
    found.sort_by(|a, b| {
        let keys = query.sort.iter();
        keys.map(|(key, descends)| compare(world, a, b, key, *descends))
            .find(|order| order.is_ne())
            .unwrap_or(Ordering::Equal)
    });
    found.truncate(query.limit.unwrap_or(usize::MAX));
    if found.is_empty() {
        return "Search Results: No results".to_owned();
    }
    let columns = columns(query);
    let header: Vec<String> = columns.iter().map(|column| title(world, column)).collect();
    let mut lines = vec![
        format!("Search Results ({}):", found.len()),
        header.join("|"),
    ];
    for site in found {
        let cells: Vec<String> = columns
            .iter()
            .map(|column| cell(world, site, column))
            .collect();
        lines.push(cells.join("|"));
    }
    lines.join("\n")
}

/// The name, the fields that were asked for, and the sort keys that are not among them.
fn columns(query: &Query) -> Vec<Field> {
    let mut columns: Vec<Field> = vec![Field::Name];
    let same = |a: &Field, b: &Field| match (a, b) {
        (Field::Distance(a, _), Field::Distance(b, _)) => a == b,
        (a, b) => a == b,
    };
    // As released, the last key came first into the list; columns keep the order as written.
    let keys: Vec<&Field> = match query.simple {
        true => query.sort.iter().rev().map(|(key, _)| key).collect(),
        false => query.sort.iter().map(|(key, _)| key).collect(),
    };
    for field in query.fields.iter().chain(keys) {
        if !columns.iter().any(|known| same(known, field)) {
            columns.push(field.clone());
        }
    }
    columns
}

fn title(world: &PlanningWorld, field: &Field) -> String {
    match field {
        Field::Name => "name".to_owned(),
        Field::Category => "category".to_owned(),
        Field::Price => "price".to_owned(),
        Field::Info => "info".to_owned(),
        Field::Feature(name) => (*name).to_owned(),
        Field::Distance(_, true) => "distance".to_owned(),
        Field::Distance(site, false) => format!("distance_to({})", world.sites[*site].name),
    }
}

fn cell(world: &PlanningWorld, site: &Site, field: &Field) -> String {
    match field {
        Field::Name => site.name.clone(),
        Field::Category => site.kind.clone(),
        Field::Price => site.price.to_string(),
        Field::Info => info(site),
        Field::Feature(name) => site
            .features
            .get(*name)
            .map_or_else(|| "-".to_owned(), Feature::to_string),
        Field::Distance(to, _) => format!("{:.1}", distance(world, site, *to)),
    }
}

fn distance(world: &PlanningWorld, site: &Site, to: usize) -> f64 {
    tenths(site.loc, world.sites[to].loc) as f64 / 10.0
}

/// The features in one cell: true ones by name, false ones left out.
fn info(site: &Site) -> String {
    let said = |(name, value): (&String, &Feature)| match value {
        Feature::Flag(false) => None,
        Feature::Flag(true) => Some(name.clone()),
        Feature::Number(number) => Some(format!("{name}: {number}")),
        Feature::Word(word) => Some(word.clone()),
    };
    let parts: Vec<String> = site.features.iter().filter_map(said).collect();
    if parts.is_empty() {
        "-".to_owned()
    } else {
        parts.join(", ")
    }
}

/// The text in which a text query is looked for.
fn searched(site: &Site, simple: bool) -> String {
    let rest = match simple {
        // The released environment prints the record, false features and all.
        true => site
            .features
            .iter()
            .map(|(name, value)| format!("{name}: {value}, "))
            .collect(),
        false => info(site),
    };
    format!("{}|{}|{rest}", site.name, site.kind).to_lowercase()
}

fn holds(world: &PlanningWorld, site: &Site, test: &Test) -> bool {
    let order = match (&test.value, &test.field) {
        (Value::Text(wanted), field) => match field {
            Field::Feature(name) if !site.features.contains_key(*name) => None,
            field => Some(cell(world, site, field).to_lowercase().cmp(wanted)),
        },
        (Value::Number(wanted), field) => {
            number(world, site, field).and_then(|n| n.partial_cmp(wanted))
        }
        (Value::Truth(wanted), Field::Feature(name)) => match site.features.get(*name) {
            Some(Feature::Flag(_)) => Some(site.features[*name].is_true().cmp(wanted)),
            _ => None,
        },
        (Value::Truth(_), _) => None,
    };
    order.is_some_and(|order| match test.operator {
        Operator::Equal => order.is_eq(),
        Operator::Unequal => order.is_ne(),
        Operator::AtLeast => order.is_ge(),
        Operator::AtMost => order.is_le(),
        Operator::Above => order.is_gt(),
        Operator::Below => order.is_lt(),
    })
}

fn number(world: &PlanningWorld, site: &Site, field: &Field) -> Option<f64> {
    match field {
        Field::Price => Some(site.price as f64),
        Field::Distance(to, _) => Some(distance(world, site, *to)),
        Field::Feature(name) => match site.features.get(*name) {
            Some(Feature::Number(number)) => Some(*number),
            _ => None,
        },
        _ => None,
    }
}

/// The order of two sites by one key; a missing value is last in both directions.
fn compare(world: &PlanningWorld, a: &Site, b: &Site, key: &Field, descends: bool) -> Ordering {
    let missing =
        |site: &Site| matches!(key, Field::Feature(name) if !site.features.contains_key(*name));
    match (missing(a), missing(b)) {
        (true, true) => return Ordering::Equal,
        (true, false) => return Ordering::Greater,
        (false, true) => return Ordering::Less,
        (false, false) => {}
    }
    let order = match (number(world, a, key), number(world, b, key)) {
        (Some(x), Some(y)) => x.total_cmp(&y),
        _ => cell(world, a, key)
            .to_lowercase()
            .cmp(&cell(world, b, key).to_lowercase()),
    };
    if descends { order.reverse() } else { order }
}
