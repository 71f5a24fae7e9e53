//! Worlds of optimization from a seed.

use super::{TITLES, World};
use crate::chance::Chance;
use crate::solve::assign;

const REVIEWERS: [&str; 8] = [
    "Ava Li",
    "Daniel Nguyen",
    "Sofia Patel",
    "Andrei Petrov",
    "Morgan Reed",
    "Joseph Santos",
    "Ethan Smith",
    "Noah Wilson",
];

const SIZE: usize = 8;

/// The value of a cell that no player sees. A player who decides alone takes this value for each
/// cell that it lacks.
const UNKNOWN: i64 = 50;

/// How many draws may be refused. About one in 3,000 is taken.
const TRIES: usize = 1_000_000;

/// Draws a world in which both players gain by talking: neither, deciding alone, comes within
/// 4/5 of the best decision.
///
/// None after a million refused draws.
pub fn generate(chance: &mut Chance) -> Option<World> {
    (0..TRIES).find_map(|_| draw(chance))
}

fn draw(chance: &mut Chance) -> Option<World> {
    let mut table: Vec<Vec<i64>> = square(|| chance.below(100) as i64);
    let known: [Vec<Vec<u8>>; 2] =
        [(); 2].map(|()| square(|| u8::from(chance.with_probability(0.4))));
    let scales = [(); 2].map(|()| 1.0 + 9.0 * chance.unit());
    for (row, cells) in table.iter_mut().enumerate() {
        for (column, value) in cells.iter_mut().enumerate() {
            if known[0][row][column] == 0 && known[1][row][column] == 0 {
                *value = UNKNOWN;
            }
        }
    }
    let best = assign(&table).value;
    let alone = |known: &Vec<Vec<u8>>| alone(&table, known);
    // Four fifths of the best must be out of reach for each of the two.
    if !known.iter().all(|known| 5 * alone(known) < 4 * best) {
        return None;
    }
    Some(World {
        reviewers: REVIEWERS.map(str::to_owned).to_vec(),
        papers: TITLES.map(|(short, _)| short.to_owned()).to_vec(),
        table,
        known,
        scales,
    })
}

/// The true value of what one player would decide alone.
fn alone(table: &[Vec<i64>], known: &[Vec<u8>]) -> i64 {
    let cell = |(value, known): (&i64, &u8)| if *known == 0 { UNKNOWN } else { *value };
    let row = |(row, known): (&Vec<i64>, &Vec<u8>)| row.iter().zip(known).map(cell).collect();
    let expected: Vec<Vec<i64>> = table.iter().zip(known).map(row).collect();
    let columns = assign(&expected).columns;
    table
        .iter()
        .zip(columns)
        .map(|(row, column)| row[column])
        .sum()
}

fn square<T>(mut cell: impl FnMut() -> T) -> Vec<Vec<T>> {
    (0..SIZE)
        .map(|_| (0..SIZE).map(|_| cell()).collect())
        .collect()
}
