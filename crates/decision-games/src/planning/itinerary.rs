//! The best and the worst itinerary, found by looking at all.

use super::World;
use super::preference::Preference;
use super::site::tenths;

/// The least and the greatest score of a world.
pub(super) struct Extremes {
    /// The first best itinerary in the order of the database, and its score.
    pub best: ([usize; 3], i64),
    /// The least score.
    pub worst: i64,
}

/// Points of sites and legs, and wishes about the whole, ready for many sums.
pub(super) struct Terms {
    /// For each site.
    pub site: Vec<i64>,
    /// For each pair of sites.
    pub leg: Vec<Vec<i64>>,
    /// What a set of sites gains beside that.
    pub group: Vec<Group>,
    /// The price of each site.
    pub price: Vec<i64>,
}

/// A wish about the whole.
pub(super) enum Group {
    /// Costs the points above this price.
    Budget(i64, i64),
    /// Gains the first if any marked site is in, else the second.
    Any(Vec<bool>, i64, i64),
}

impl Terms {
    /// The value of three different sites in this order.
    pub fn value(&self, [i, j, k]: [usize; 3]) -> i64 {
        let mut value =
            self.site[i] + self.site[j] + self.site[k] + self.leg[i][j] + self.leg[j][k];
        for group in &self.group {
            value += match group {
                Group::Budget(limit, points) => {
                    let price = self.price[i] + self.price[j] + self.price[k];
                    if price > *limit { -points } else { 0 }
                }
                Group::Any(marked, met, unmet) => {
                    if marked[i] || marked[j] || marked[k] {
                        *met
                    } else {
                        *unmet
                    }
                }
            };
        }
        value
    }

    /// All ordered triples of different sites for which `allowed` holds.
    pub fn triples(&self) -> impl Iterator<Item = [usize; 3]> + use<> {
        let n = self.site.len();
        (0..n).flat_map(move |i| {
            (0..n).filter(move |j| *j != i).flat_map(move |j| {
                (0..n)
                    .filter(move |k| *k != i && *k != j)
                    .map(move |k| [i, j, k])
            })
        })
    }
}

pub(super) fn extremes(world: &World) -> Extremes {
    let terms = terms(world);
    let mut best = ([0, 1, 2], i64::MIN);
    let mut worst = i64::MAX;
    for triple in terms.triples() {
        let value = terms.value(triple);
        if value > best.1 {
            best = (triple, value);
        }
        worst = worst.min(value);
    }
    Extremes { best, worst }
}

/// The mean score of all itineraries.
pub fn mean(world: &World) -> f64 {
    let terms = terms(world);
    let (sum, count) = terms.triples().fold((0i64, 0i64), |(sum, count), triple| {
        (sum + terms.value(triple), count + 1)
    });
    sum as f64 / count as f64
}

fn terms(world: &World) -> Terms {
    let sites = &world.sites;
    let site = |site| {
        world
            .preferences
            .iter()
            .map(|wish| wish.of_site(site))
            .sum()
    };
    let leg = |length| {
        world
            .preferences
            .iter()
            .map(|wish| wish.of_leg(length))
            .sum()
    };
    Terms {
        site: sites.iter().map(site).collect(),
        leg: sites
            .iter()
            .map(|a| sites.iter().map(|b| leg(tenths(a.loc, b.loc))).collect())
            .collect(),
        group: world
            .preferences
            .iter()
            .filter_map(|wish| group(world, wish))
            .collect(),
        price: sites.iter().map(|site| site.price).collect(),
    }
}

fn group(world: &World, wish: &Preference) -> Option<Group> {
    let any = |marked: Vec<bool>, weight: i64, penalize: bool| {
        Group::Any(marked, weight, if penalize { -weight } else { 0 })
    };
    match wish {
        Preference::Budget { weight, budget, .. } => Some(Group::Budget(*budget, weight.abs())),
        Preference::Visit {
            weight,
            event_set,
            penalize,
            ..
        } => {
            let marked = world
                .sites
                .iter()
                .map(|site| event_set.contains(&site.name));
            Some(any(marked.collect(), *weight, *penalize))
        }
        Preference::Category {
            weight,
            etype,
            penalize,
            ..
        } => {
            let marked = world.sites.iter().map(|site| site.kind == *etype);
            Some(any(marked.collect(), *weight, *penalize))
        }
        Preference::Feature { .. } | Preference::Travel { .. } => None,
    }
}
