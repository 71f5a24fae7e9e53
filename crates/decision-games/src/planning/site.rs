//! Sites of a city.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

/// The value of a feature. A truth and a number are never equal.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Feature {
    /// True or false.
    Flag(bool),
    /// A number, such as a rating.
    Number(f64),
    /// A word, such as a cuisine.
    Word(String),
}

impl fmt::Display for Feature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Feature::Flag(true) => f.write_str("True"),
            Feature::Flag(false) => f.write_str("False"),
            Feature::Number(number) => write!(f, "{number}"),
            Feature::Word(word) => f.write_str(word),
        }
    }
}

/// A place to go.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Site {
    /// Its number in the city, where it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<u32>,
    /// Its name.
    pub name: String,
    /// Its type, such as `restaurant`.
    #[serde(rename = "type")]
    pub kind: String,
    /// Its price in dollars.
    pub price: i64,
    /// Longitude and latitude in degrees.
    pub loc: [f64; 2],
    /// Its features by name.
    pub features: BTreeMap<String, Feature>,
}

/// The least and the greatest of the sites' coordinates: 0 from west to east, 1 from south to north.
pub(super) fn bounds(sites: &[Site], axis: usize) -> (f64, f64) {
    let all = sites.iter().map(|site| site.loc[axis]);
    all.fold((f64::MAX, f64::MIN), |(low, high), value| {
        (low.min(value), high.max(value))
    })
}

/// The distance of two places in tenths of a mile: plain Euclidean degrees, 69 miles each,
/// rounded half to even.
pub fn tenths(a: [f64; 2], b: [f64; 2]) -> i64 {
    let (x, y) = (a[0] - b[0], a[1] - b[1]);
    ((x * x + y * y).sqrt() * 69.0 * 10.0).round_ties_even() as i64
}

/// The distance of two places in miles, with one decimal.
pub fn miles(a: [f64; 2], b: [f64; 2]) -> f64 {
    tenths(a, b) as f64 / 10.0
}
