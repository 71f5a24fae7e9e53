//! The best and the worst itinerary, found by branch and bound.

use super::PlanningWorld;
use super::preference::Preference;
use super::site::tenths;

/// The least and the greatest score of a world.
pub(super) struct Extremes {
    /// The first best itinerary in the order of the database, and its score.
    pub best: ([usize; 3], i64),
    /// The least score.
    pub worst: i64,
}

/// The value of an itinerary, and its stops.
pub(super) type Ranked = (i64, [usize; 3]);

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

    /// The most that wishes about the whole can add.
    fn ceiling(&self) -> i64 {
        let most = |group: &Group| match group {
            Group::Budget(_, points) => 0.max(-points),
            Group::Any(_, met, unmet) => *met.max(unmet),
        };
        self.group.iter().map(most).sum()
    }

    /// The `count` best itineraries for which `fits` holds, and how many have the greatest value.
    ///
    /// An itinerary and its reverse have one value: the list has the one that comes first in the
    /// order of the database, and the count of ties both. Of equal ones the first comes first.
    pub fn best(&self, count: usize, fits: &dyn Fn(&[usize; 3]) -> bool) -> (Vec<Ranked>, usize) {
        let n = self.site.len();
        let ceiling = self.ceiling();
        let mut found: Vec<Ranked> = Vec::new();
        let mut ties = 0;
        let mut middles: Vec<usize> = (0..n).collect();
        // Good itineraries that are found early cut off more.
        middles.sort_by_key(|j| -self.site[*j]);
        let mut ends: Vec<(i64, usize)> = Vec::with_capacity(n);
        for j in middles {
            ends.clear();
            ends.extend(
                (0..n)
                    .filter(|i| *i != j)
                    .map(|i| (self.site[i] + self.leg[i][j], i)),
            );
            ends.sort_by_key(|(value, _)| -value);
            let above = self.site[j] + ceiling;
            for (place, (a, i)) in ends.iter().enumerate() {
                let floor = |found: &Vec<Ranked>| match found.len() < count.max(1) {
                    true => i64::MIN,
                    false => found.last().map_or(i64::MIN, |(value, _)| *value),
                };
                let Some((second, _)) = ends.get(place + 1) else {
                    break;
                };
                if above + a + second < floor(&found) {
                    break;
                }
                for (b, k) in &ends[place + 1..] {
                    if above + a + b < floor(&found) {
                        break;
                    }
                    let stops = [*i.min(k), j, *i.max(k)];
                    let value = self.value(stops);
                    if value < floor(&found) || !fits(&stops) {
                        continue;
                    }
                    match found.first().map_or(i64::MIN, |(best, _)| *best) {
                        best if value > best => ties = 2,
                        best if value == best => ties += 2,
                        _ => {}
                    }
                    let at = found.partition_point(|(v, s)| (-v, *s) < (-value, stops));
                    found.insert(at, (value, stops));
                    found.truncate(count.max(1));
                }
            }
        }
        (found, ties)
    }

    /// The same with all values negated: its best is the worst.
    fn negated(&self) -> Terms {
        let group = |group: &Group| match group {
            Group::Budget(limit, points) => Group::Budget(*limit, -points),
            Group::Any(marked, met, unmet) => Group::Any(marked.clone(), -met, -unmet),
        };
        Terms {
            site: self.site.iter().map(|value| -value).collect(),
            leg: self
                .leg
                .iter()
                .map(|row| row.iter().map(|value| -value).collect())
                .collect(),
            group: self.group.iter().map(group).collect(),
            price: self.price.clone(),
        }
    }

    /// All ordered triples of different sites.
    fn triples(&self) -> impl Iterator<Item = [usize; 3]> + use<> {
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

pub(super) fn extremes(world: &PlanningWorld) -> Extremes {
    let terms = terms(world);
    let first = |terms: &Terms| {
        let (found, _) = terms.best(1, &|_| true);
        found
            .first()
            .map_or(([0, 1, 2], 0), |(value, stops)| (*stops, *value))
    };
    Extremes {
        best: first(&terms),
        worst: -first(&terms.negated()).1,
    }
}

/// The mean score of all itineraries.
pub fn mean(world: &PlanningWorld) -> f64 {
    let terms = terms(world);
    let (sum, count) = terms.triples().fold((0i64, 0i64), |(sum, count), triple| {
        (sum + terms.value(triple), count + 1)
    });
    sum as f64 / count as f64
}

fn terms(world: &PlanningWorld) -> Terms {
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

fn group(world: &PlanningWorld, wish: &Preference) -> Option<Group> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chance::Chance;

    /// The best by looking at all.
    fn slow(terms: &Terms) -> (i64, [usize; 3], usize) {
        let mut best = (i64::MIN, [0; 3], 0);
        for stops in terms.triples() {
            match terms.value(stops) {
                value if value > best.0 => best = (value, stops, 1),
                value if value == best.0 => best.2 += 1,
                _ => {}
            }
        }
        best
    }

    #[test]
    fn nothing_that_is_cut_off_was_better() {
        for seed in 0..60 {
            let mut world = crate::planning::generate(&mut Chance::new(seed), Default::default());
            // Few sites have other ties than many.
            world.sites.truncate(3 + seed as usize % 37);
            let terms = terms(&world);
            for terms in [terms.negated(), terms] {
                let (value, stops, ties) = slow(&terms);
                let (found, counted) = terms.best(4, &|_| true);
                assert_eq!((found[0], counted), ((value, stops), ties), "{seed}");
                assert!(found.is_sorted_by_key(|(value, stops)| (-value, *stops)));
            }
        }
    }
}
