//! What a player can decide without a model: the rows beside which figures are read.
//!
//! All of them fill the cells that a player lacks, and assign. Fractions are multiplied out, so
//! that ties are ties.

use crate::solve::assign;

type Seen = Vec<Vec<Option<i64>>>;

/// Assigns by the own view alone: a cell that it lacks counts as the mean of the others.
pub fn silent(seen: &Seen) -> Vec<usize> {
    let known: Vec<i64> = seen.iter().flatten().flatten().copied().collect();
    let (sum, count) = (known.iter().sum(), known.len().max(1) as i64);
    let value = |cell: Option<i64>| cell.map_or(sum, |value| value * count);
    solve(seen, |cell, _, _| i128::from(value(cell)))
}

/// Assigns by both views. The ratio of the scales is that of the cells that both players see.
pub fn pooled(own: &Seen, partner: &Seen) -> Vec<usize> {
    let both = || own.iter().flatten().zip(partner.iter().flatten());
    let shared: Vec<(i64, i64)> = both().filter_map(|(a, b)| Some(((*a)?, (*b)?))).collect();
    let (mut mine, mut theirs) = shared.iter().fold((0, 0), |(a, b), (x, y)| (a + x, b + y));
    if mine == 0 || theirs == 0 {
        // Without a common cell the means of the views give the ratio.
        let total = |seen: &Seen| -> (i64, i64) {
            let known = seen.iter().flatten().flatten();
            known.fold((0, 0), |(sum, count), value| (sum + value, count + 1))
        };
        let ((a, n), (b, m)) = (total(own), total(partner));
        (mine, theirs) = ((a * m).max(1), (b * n).max(1));
    }
    let times = |a: i64, b: i64| i128::from(a) * i128::from(b);
    let value =
        |a: Option<i64>, b: Option<i64>| a.map(|a| times(a, theirs)).or(b.map(|b| times(b, mine)));
    let known: Vec<i128> = both().filter_map(|(a, b)| value(*a, *b)).collect();
    let (sum, count) = (known.iter().sum(), known.len().max(1) as i128);
    solve(own, |cell, row, column| {
        value(cell, partner[row][column]).map_or(sum, |value| value * count)
    })
}

/// The mean score of all assignments that are sent as text and misread as released: each line is
/// a cell of the first row, at the place of its reviewer among those that are left.
pub(super) fn mean_scrambled(table: &[Vec<i64>]) -> f64 {
    let first = table.first().map_or(&[][..], Vec::as_slice);
    let left = (1..=first.len()).map(|left| &first[..left]);
    left.map(|cells| cells.iter().sum::<i64>() as f64 / cells.len() as f64)
        .sum()
}

/// The greatest value that a player sees, and 1 if it sees none.
pub(super) fn greatest(seen: &Seen) -> i64 {
    let values = seen.iter().flatten().flatten().copied();
    values.max().unwrap_or(1).max(1)
}

/// Assigns by the own view and the partner's cells in words: `levels` equal steps up to its
/// greatest value, each taken as its middle. A cell that nobody has counts as the middle of all.
pub fn five_words(own: &Seen, partner: &Seen, levels: i64) -> Vec<usize> {
    let (mine, theirs) = (greatest(own), greatest(partner));
    solve(own, |cell, row, column| {
        i128::from(match (cell, partner[row][column]) {
            (Some(value), _) => value * 2 * levels,
            (None, Some(value)) => {
                let level = (value * levels / theirs).min(levels - 1);
                (2 * level + 1) * mine
            }
            (None, None) => levels * mine,
        })
    })
}

fn solve(seen: &Seen, value: impl Fn(Option<i64>, usize, usize) -> i128) -> Vec<usize> {
    let row = |(row, cells): (usize, &Vec<Option<i64>>)| {
        let cell = |(column, cell): (usize, &Option<i64>)| value(*cell, row, column);
        cells.iter().enumerate().map(cell).collect()
    };
    let whole: Vec<Vec<i128>> = seen.iter().enumerate().map(row).collect();
    let most = whole.iter().flatten().max().copied().unwrap_or(0);
    // Only values far beyond those of the paper lose digits.
    let divisor = (most >> 50) + 1;
    let small = |row: &Vec<i128>| row.iter().map(|value| (value / divisor) as i64).collect();
    assign(&whole.iter().map(small).collect::<Vec<_>>()).columns
}
