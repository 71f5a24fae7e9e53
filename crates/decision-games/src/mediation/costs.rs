//! The believed cost of each pair of flights, and the cheapest pair.

use super::score::{conflict_times, hours_between};
use super::{Flight, Time};

/// A meeting as it counts: twice its importance, in whole numbers.
#[derive(Clone, Copy)]
pub(super) struct Meeting {
    pub start: Time,
    pub end: Time,
    pub halves: i64,
}

/// The costs of pairs as whole numbers: points, multiplied by 24 and by the sums of all prices.
pub(super) struct Costs {
    /// For each flight: meetings, price.
    pub flights: [Vec<(i128, i128)>; 2],
    /// For each flight: what its time gains.
    pub gains: [Vec<i128>; 2],
    pub hour: i128,
    pub unit: i128,
    pub excluded: Vec<(usize, usize)>,
    pub rejected: Vec<[usize; 2]>,
}

impl Costs {
    /// Costs of flights with these meetings, weights of prices (10.5 is usual) and weight of
    /// arrivals (5.5 is usual).
    ///
    /// A price counts 13/12 of the weight times its ratio to the mean of the list: the mean price
    /// is on average 13/12 of the number from which prices are drawn.
    pub fn of(
        flights: [&[Flight]; 2],
        meetings: [&[Meeting]; 2],
        price: [f64; 2],
        arrival: f64,
    ) -> Costs {
        let sums = flights.map(|list| -> i128 {
            list.iter()
                .map(|flight| i128::from(flight.price))
                .sum::<i128>()
                .max(1)
        });
        let unit = sums[0] * sums[1];
        let cost = |user: usize, flight: &Flight| {
            let missed = meetings[user]
                .iter()
                .filter(|meeting| conflict_times(meeting.start, meeting.end, flight));
            let halves: i64 = missed.map(|meeting| meeting.halves).sum();
            let weight = (26.0 * price[user]).round() as i128;
            let count = flights[user].len() as i128;
            let price = weight * i128::from(flight.price) * count * sums[1 - user];
            (12 * i128::from(halves) * unit, price)
        };
        Costs {
            flights: [0, 1].map(|user| flights[user].iter().map(|f| cost(user, f)).collect()),
            gains: flights.map(|list| vec![0; list.len()]),
            hour: (16.0 * arrival).round() as i128 * unit,
            unit: 24 * unit,
            excluded: Vec::new(),
            rejected: Vec::new(),
        }
    }

    /// Flights gain by times that suit their travellers, each by the best that it touches. The last
    /// number of a time is twice what it gains.
    pub fn welcome(&mut self, flights: [&[Flight]; 2], times: [Vec<(Time, Time, i64)>; 2]) {
        let half = self.unit / 2;
        self.gains = [0, 1].map(|user| {
            let gain = |flight: &Flight| {
                let touched = times[user]
                    .iter()
                    .filter(|(start, end, _)| flight.start < *end && *start < flight.end);
                half * i128::from(touched.map(|(.., halves)| *halves).max().unwrap_or(0))
            };
            flights[user].iter().map(gain).collect()
        });
    }

    fn fits(&self, pair: [usize; 2]) -> bool {
        let out = |user: usize| self.excluded.contains(&(user, pair[user]));
        !out(0) && !out(1) && !self.rejected.contains(&pair)
    }

    /// The `count` cheapest pairs, of equal ones the first, and how many cost the least.
    pub fn cheapest(&self, flights: [&[Flight]; 2], count: usize) -> (Vec<[usize; 2]>, usize) {
        let mut all = Vec::new();
        for (i, a) in flights[0].iter().enumerate() {
            for (j, b) in flights[1].iter().enumerate() {
                let [(x, y), (z, w)] = [self.flights[0][i], self.flights[1][j]];
                let hours = i128::from(hours_between(a.end, b.end));
                let gain = self.gains[0][i] + self.gains[1][j];
                all.push((x + y + z + w + self.hour * hours - gain, [i, j]));
            }
        }
        let left: Vec<_> = all
            .iter()
            .copied()
            .filter(|(_, pair)| self.fits(*pair))
            .collect();
        if !left.is_empty() {
            all = left;
        }
        all.sort_unstable();
        let least = all.first().map(|(cost, _)| *cost);
        let ties = all
            .iter()
            .take_while(|(cost, _)| Some(*cost) == least)
            .count();
        (
            all.into_iter().take(count).map(|(_, pair)| pair).collect(),
            ties,
        )
    }
}
