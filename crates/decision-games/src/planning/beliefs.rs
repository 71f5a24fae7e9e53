//! What an agent of planning believes that the user wants, and the best itinerary under that.
//!
//! Values are in milli-points; the sums in tenths of them, so that a tenth of a mile is exact.

use serde::{Deserialize, Serialize};

use super::itinerary::{Group, Terms};
use super::site::{Feature, Site, tenths};

/// What a wish without a weight counts, in points: the mean of the weights.
const WEIGHT: f64 = 5.5;

/// One wish, as it was said. Weights are in points and may be left out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub enum Wish {
    /// Values of a feature that are liked or disliked, for each site.
    Feature {
        /// The name of the feature.
        feature: String,
        /// Liked values.
        #[serde(default)]
        like: Vec<Feature>,
        /// Disliked values.
        #[serde(default)]
        dislike: Vec<Feature>,
        /// Points.
        #[serde(default)]
        weight: Option<f64>,
    },
    /// Prices up to this sum.
    Budget {
        /// The limit in dollars.
        budget: i64,
        /// Points.
        #[serde(default)]
        weight: Option<f64>,
    },
    /// At least one of these sites.
    Visit {
        /// Names of sites.
        visit: Vec<String>,
        /// Whether it is a must; none if that was not said.
        #[serde(default)]
        must: Option<bool>,
        /// Points.
        #[serde(default)]
        weight: Option<f64>,
    },
    /// At least one site of this type.
    Category {
        /// The type.
        category: String,
        /// Whether it is a must; none if that was not said.
        #[serde(default)]
        must: Option<bool>,
        /// Points.
        #[serde(default)]
        weight: Option<f64>,
    },
    /// What a mile costs.
    Travel {
        /// Points for each mile.
        travel: f64,
    },
    /// Sites that must be in.
    Keep {
        /// Names of sites.
        keep: Vec<String>,
    },
    /// Sites that must not be in.
    Exclude {
        /// Names of sites.
        exclude: Vec<String>,
    },
}

/// An itinerary under what is believed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BestItinerary {
    /// The sites, the first of equal ones in the order of the database.
    pub stops: [usize; 3],
    /// Its value in 10,000ths of a point.
    pub value: i64,
    /// How many itineraries have the greatest value.
    pub ties: usize,
}

/// The best itinerary under these wishes, and with `prior` also under what users of such worlds
/// usually want where no wish says it.
///
/// Sites to keep and to exclude are ignored where no itinerary respects them.
pub fn suggest(sites: &[Site], wishes: &[Wish], prior: bool) -> BestItinerary {
    let found = suggest_several(sites, wishes, prior, 1);
    found.into_iter().next().unwrap_or(BestItinerary {
        stops: [0, 1, 2],
        value: 0,
        ties: 0,
    })
}

/// As [`suggest`]: the best few, the best first. An itinerary and its reverse count as one.
pub fn suggest_several(
    sites: &[Site],
    wishes: &[Wish],
    prior: bool,
    count: usize,
) -> Vec<BestItinerary> {
    let terms = terms(sites, wishes, prior);
    let index = |name: &String| sites.iter().position(|site| site.name == *name);
    let (mut keep, mut exclude) = (Vec::new(), Vec::new());
    for wish in wishes {
        match wish {
            Wish::Keep { keep: names } => keep.extend(names.iter().filter_map(index)),
            Wish::Exclude { exclude: names } => exclude.extend(names.iter().filter_map(index)),
            _ => {}
        }
    }
    let fits = |triple: &[usize; 3]| {
        keep.iter().all(|site| triple.contains(site))
            && !triple.iter().any(|site| exclude.contains(site))
    };
    let (mut found, mut ties) = terms.best(count, &fits);
    if found.is_empty() {
        (found, ties) = terms.best(count, &|_| true);
    }
    let suggestion = |(value, stops)| BestItinerary { stops, value, ties };
    found.into_iter().map(suggestion).collect()
}

fn milli(points: f64) -> i64 {
    (points.clamp(-1e6, 1e6) * 1000.0).round() as i64
}

fn terms(sites: &[Site], wishes: &[Wish], prior: bool) -> Terms {
    let counted = |wish: &&Wish| {
        matches!(
            wish,
            Wish::Feature { .. } | Wish::Budget { .. } | Wish::Visit { .. } | Wish::Category { .. }
        )
    };
    // Users have about ten wishes: the more are known, the less is left to guess.
    let known = wishes.iter().filter(counted).count() as i64;
    let rest = if prior { (10 - known).max(0) } else { 0 };
    let scaled = |value: i64| value * rest / 10;
    let named = |name: &str| {
        wishes
            .iter()
            .any(|wish| matches!(wish, Wish::Feature { feature, .. } if plain(feature) == name))
    };
    let wanted = |name: &String| {
        wishes
            .iter()
            .any(|wish| matches!(wish, Wish::Visit { visit, .. } if visit.contains(name)))
    };
    let site = |site: &Site| -> i64 {
        let said: i64 = wishes.iter().map(|wish| of_site(wish, site)).sum();
        let features = site.features.iter().filter(|(name, _)| !named(name));
        let guessed: i64 = features
            .map(|(name, value)| scaled(usual(name, value)))
            .sum();
        let visit = if wanted(&site.name) {
            0
        } else {
            scaled(usual_visit(&site.kind))
        };
        10 * (said + guessed + visit)
    };
    let travel = wishes.iter().rev().find_map(|wish| match wish {
        Wish::Travel { travel } => Some(milli(*travel)),
        _ => None,
    });
    let travel = travel.unwrap_or(if prior { milli(WEIGHT) } else { 0 });
    Terms {
        site: sites.iter().map(site).collect(),
        leg: sites
            .iter()
            .map(|a| {
                sites
                    .iter()
                    .map(|b| -travel * tenths(a.loc, b.loc))
                    .collect()
            })
            .collect(),
        group: groups(sites, wishes, scaled),
        price: sites.iter().map(|site| site.price).collect(),
    }
}

fn groups(sites: &[Site], wishes: &[Wish], scaled: impl Fn(i64) -> i64) -> Vec<Group> {
    let any = |marked: &dyn Fn(&Site) -> bool, points: i64| {
        Group::Any(sites.iter().map(marked).collect(), 10 * points, 0)
    };
    let bonus = |weight: &Option<f64>, must: &Option<bool>| {
        let factor = match must {
            Some(true) => 2.0,
            Some(false) => 1.0,
            None => 1.5,
        };
        milli(weight.unwrap_or(WEIGHT) * factor)
    };
    let (mut groups, mut budget, mut named) = (Vec::new(), false, Vec::new());
    for wish in wishes {
        match wish {
            Wish::Budget {
                budget: limit,
                weight,
            } => {
                budget = true;
                groups.push(Group::Budget(*limit, 10 * milli(weight.unwrap_or(WEIGHT))));
            }
            Wish::Visit {
                visit,
                must,
                weight,
            } => {
                groups.push(any(&|site| visit.contains(&site.name), bonus(weight, must)));
            }
            Wish::Category {
                category: kind,
                must,
                weight,
            } => {
                named.push(kind.as_str());
                groups.push(any(&|site| site.kind == *kind, bonus(weight, must)));
            }
            _ => {}
        }
    }
    if !budget && scaled(701) > 0 {
        groups.extend(
            (30..=90)
                .step_by(10)
                .map(|limit| Group::Budget(limit, 10 * scaled(701))),
        );
    }
    if scaled(1052) > 0 {
        let open = super::TYPES.iter().filter(|kind| !named.contains(kind));
        groups.extend(open.map(|kind| any(&|site| site.kind == *kind, scaled(1052))));
    }
    groups
}

/// What a site gains by a wish about a feature.
fn of_site(wish: &Wish, site: &Site) -> i64 {
    let Wish::Feature {
        feature,
        like,
        dislike,
        weight,
    } = wish
    else {
        return 0;
    };
    let weight = milli(weight.unwrap_or(WEIGHT));
    match site.features.get(&plain(feature)) {
        Some(value) if like.contains(value) => weight,
        Some(value) if dislike.contains(value) => -weight,
        _ => 0,
    }
}

/// The name of a feature as sites have it.
pub(super) fn plain(name: &str) -> String {
    name.replace('_', " ").trim().to_lowercase()
}

/// What users of generated worlds gain on average by a value of a feature.
fn usual(name: &str, value: &Feature) -> i64 {
    match (name, value) {
        ("rating", Feature::Number(rating)) => match rating {
            r if *r < 3.0 => -2385,
            r if *r < 4.0 => 795,
            r if *r < 4.5 => 1590,
            _ => 2385,
        },
        ("has parking", Feature::Flag(has)) => {
            if *has {
                2385
            } else {
                -1193
            }
        }
        ("touristy", Feature::Flag(touristy)) => {
            if *touristy {
                0
            } else {
                1590
            }
        }
        ("cuisine", _) => 239,
        ("alcohol type", _) => 795,
        ("live music" | "ambience" | "open late", _) => 0,
        (_, Feature::Flag(true)) => 2385,
        (_, Feature::Flag(false)) => -2385,
        _ => 0,
    }
}

/// The chance that a site of this type is one that the user wants to see, in points.
fn usual_visit(kind: &str) -> i64 {
    match kind {
        "restaurant" => 166,
        "cafe" | "shop" => 284,
        "museum" => 442,
        "bar" | "park" => 244,
        "landmark" => 343,
        _ => 0,
    }
}

/// The value of an itinerary under wishes, in 10,000ths of a point.
pub(super) fn value(sites: &[Site], wishes: &[Wish], prior: bool, stops: [usize; 3]) -> i64 {
    terms(sites, wishes, prior).value(stops)
}
