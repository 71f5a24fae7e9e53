//! Queries as data.

use super::split::{list, split, value};
use crate::illegal::{Code, Illegal};
use crate::planning::{PlanningWorld, proposal};

/// The features that sites can have, and how their values compare.
const FEATURES: [(&str, Kind); 17] = [
    ("rating", Kind::Number),
    ("has parking", Kind::Truth),
    ("touristy", Kind::Truth),
    ("open late", Kind::Truth),
    ("good for groups", Kind::Truth),
    ("has takeout", Kind::Truth),
    ("cuisine", Kind::Text),
    ("good for kids", Kind::Truth),
    ("accepts reservations", Kind::Truth),
    ("ambience", Kind::Text),
    ("outdoor seating", Kind::Truth),
    ("vegetarian options", Kind::Truth),
    ("vegan options", Kind::Truth),
    ("live music", Kind::Truth),
    ("has wifi", Kind::Truth),
    ("alcohol type", Kind::Text),
    ("viewpoint", Kind::Truth),
];

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Truth,
    Number,
    Text,
}

/// A column of the result.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Field {
    Name,
    Category,
    Price,
    Info,
    Feature(&'static str),
    /// The distance to a site. The flag: it was written as `distance`.
    Distance(usize, bool),
}

impl Field {
    fn kind(&self) -> Kind {
        match self {
            Field::Name | Field::Category | Field::Info => Kind::Text,
            Field::Price | Field::Distance(..) => Kind::Number,
            Field::Feature(name) => {
                let known = FEATURES.iter().find(|(feature, _)| feature == name);
                known.map_or(Kind::Text, |(_, kind)| *kind)
            }
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    Equal,
    Unequal,
    AtLeast,
    AtMost,
    Above,
    Below,
}

/// In this order: a longer operator begins with a shorter one.
const OPERATORS: [(&str, Operator); 7] = [
    ("==", Operator::Equal),
    ("!=", Operator::Unequal),
    (">=", Operator::AtLeast),
    ("<=", Operator::AtMost),
    (">", Operator::Above),
    ("<", Operator::Below),
    ("=", Operator::Equal),
];

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    Truth(bool),
    Number(f64),
    Text(String),
}

#[derive(Clone, Debug)]
pub(super) struct Test {
    pub field: Field,
    pub operator: Operator,
    pub value: Value,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Query {
    pub fields: Vec<Field>,
    /// All must hold; each holds if one of its tests does.
    pub filters: Vec<Vec<Test>>,
    pub text: Option<String>,
    /// Keys and whether they descend; the first counts most.
    pub sort: Vec<(Field, bool)>,
    pub limit: Option<usize>,
    /// As released: texts are looked for in all of a record.
    pub simple: bool,
}

fn bad(text: impl Into<String>) -> Illegal {
    Code::BadQuery.because(text)
}

pub(super) fn read(world: &PlanningWorld, text: &str, simple: bool) -> Result<Query, Illegal> {
    let usage =
        || bad("Write Search(fields=[…], filters=[…], text_query=…, sort_by=[…], limit=n).");
    let text = text.trim();
    let (word, rest) = text.split_once('(').ok_or_else(usage)?;
    let inner = rest.trim_end().strip_suffix(')').ok_or_else(usage)?;
    if !word.trim().eq_ignore_ascii_case("search") {
        return Err(usage());
    }
    let mut arguments: Vec<(&str, &str)> = Vec::new();
    if !inner.trim().is_empty() {
        for part in split(inner, ",")? {
            let (name, argument) = part.split_once('=').ok_or_else(usage)?;
            let name = name.trim();
            if arguments.iter().any(|(known, _)| *known == name) {
                return Err(bad(format!("{name} is there twice.")));
            }
            arguments.push((name, argument.trim()));
        }
    }
    let mut query = Query {
        simple,
        ..Query::default()
    };
    // `distance` elsewhere means the one that is sorted by.
    let sorted = arguments.iter().find(|(name, _)| *name == "sort_by");
    if let Some((_, keys)) = sorted {
        for key in list(keys)? {
            let descends = key.starts_with('-');
            let name = key.trim_start_matches('-').trim();
            query.sort.push((field(world, name, None)?, descends));
        }
        if simple {
            query.sort.reverse();
        }
    }
    let distance = query.sort.iter().find_map(|(key, _)| match key {
        Field::Distance(site, _) => Some(*site),
        _ => None,
    });
    for (name, argument) in arguments {
        match name {
            "sort_by" => {}
            "fields" => {
                for name in list(argument)? {
                    query.fields.push(field(world, name, distance)?);
                }
            }
            "filters" => {
                for item in list(argument)? {
                    query.filters.push(filter(world, item, distance, simple)?);
                }
            }
            "text_query" => query.text = Some(value(argument)?.to_lowercase()),
            "limit" if !simple => {
                let limit = argument
                    .parse()
                    .map_err(|_| bad("limit is a number from 0."))?;
                query.limit = Some(limit);
            }
            _ => return Err(bad(format!("Search has no argument {name}."))),
        }
    }
    Ok(query)
}

fn field(world: &PlanningWorld, text: &str, distance: Option<usize>) -> Result<Field, Illegal> {
    let text = value(text)?;
    let name = text.replace('_', " ").to_lowercase();
    let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some(site) = name
        .starts_with("distance to")
        .then(|| text.split_once('('))
        .flatten()
    {
        let site = site
            .1
            .trim()
            .strip_suffix(')')
            .ok_or_else(|| bad("distance_to(SITE) does not close."))?;
        return Ok(Field::Distance(proposal::find(world, value(site)?)?, false));
    }
    let feature = || {
        FEATURES
            .iter()
            .find(|(feature, _)| *feature == name)
            .map(|(name, _)| Field::Feature(name))
    };
    let known = match (name.as_str(), distance) {
        ("name", _) => Some(Field::Name),
        ("category", _) => Some(Field::Category),
        ("price", _) => Some(Field::Price),
        ("info", _) => Some(Field::Info),
        ("distance", Some(site)) => Some(Field::Distance(site, true)),
        ("distance", None) => {
            return Err(Code::UnknownField.because(
                "distance stands for the distance_to(SITE) that sort_by has, and it has none: \
                 write distance_to(SITE).",
            ));
        }
        _ => feature(),
    };
    known.ok_or_else(|| {
        let names: Vec<&str> = FEATURES.iter().map(|(name, _)| *name).collect();
        Code::UnknownField.because(format!(
            "There is no field {text:?}. The fields are name, category, price, info, distance_to(SITE), {}.",
            names.join(", ")
        ))
    })
}

fn filter(
    world: &PlanningWorld,
    text: &str,
    distance: Option<usize>,
    simple: bool,
) -> Result<Vec<Test>, Illegal> {
    let tests = split(text, " OR ")?;
    if simple && tests.len() > 1 {
        return Err(bad("Filters have no OR."));
    }
    tests
        .into_iter()
        .map(|text| test(world, text, distance, simple))
        .collect()
}

fn test(
    world: &PlanningWorld,
    text: &str,
    distance: Option<usize>,
    simple: bool,
) -> Result<Test, Illegal> {
    let place = text.find(['=', '!', '<', '>']);
    let Some(place) = place else {
        let negated = text
            .strip_prefix("not ")
            .or_else(|| text.strip_prefix("NOT "));
        let field = field(world, negated.unwrap_or(text), distance)?;
        if field.kind() != Kind::Truth || simple {
            return Err(bad(format!("{text:?} needs an operator and a value.")));
        }
        return Ok(Test {
            field,
            operator: Operator::Equal,
            value: Value::Truth(negated.is_none()),
        });
    };
    let found = OPERATORS
        .iter()
        .find(|(sign, _)| text[place..].starts_with(sign));
    let (sign, operator) = found.ok_or_else(|| bad(format!("{text:?} has no operator.")))?;
    let field = field(world, text[..place].trim(), distance)?;
    let plain = matches!(field, Field::Name | Field::Category | Field::Price);
    let known = matches!(
        operator,
        Operator::Equal | Operator::AtLeast | Operator::AtMost
    );
    if simple && !(plain && known) {
        return Err(bad(
            "Only name, category and price are filtered, with ==, >= and <=.",
        ));
    }
    let orders = !matches!(operator, Operator::Equal | Operator::Unequal);
    if orders && field.kind() != Kind::Number {
        return Err(bad(format!(
            "{sign} compares price, rating and distance only."
        )));
    }
    let written = value(&text[place + sign.len()..])?;
    if written.is_empty() {
        return Err(bad(format!("{text:?} has no value.")));
    }
    let value = match field.kind() {
        Kind::Number => written
            .parse()
            .ok()
            .filter(|n: &f64| n.is_finite())
            .map(Value::Number),
        Kind::Truth => written.to_lowercase().parse().ok().map(Value::Truth),
        Kind::Text => Some(Value::Text(written.to_lowercase())),
    };
    Ok(Test {
        field,
        operator: *operator,
        value: value.ok_or_else(|| bad(format!("{written:?} is no value of this field.")))?,
    })
}
