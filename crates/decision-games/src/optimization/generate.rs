//! Worlds of optimization from a seed.

use super::{OptimizationWorld, TITLES};
use crate::chance::Chance;
use crate::rules::Rules;
use crate::solve::assign_by;

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

/// The released generator gives up after so many refused draws, and takes the next.
const RELEASED_TRIES: usize = 10_001;

/// Draws a world in which both players gain by talking: neither, deciding alone, comes within
/// 4/5 of the best decision.
///
/// None after a million refused draws.
pub fn generate(chance: &mut Chance, rules: Rules) -> Option<OptimizationWorld> {
    let gives_up = |tries| rules.filter_gives_up && tries >= RELEASED_TRIES;
    (0..TRIES).find_map(|tries| draw(chance, gives_up(tries)))
}

type Square<T> = [[T; SIZE]; SIZE];

fn draw(chance: &mut Chance, any: bool) -> Option<OptimizationWorld> {
    let mut table: Square<i64> = square(|| chance.below(100) as i64);
    let known: [Square<u8>; 2] =
        [(); 2].map(|()| square(|| u8::from(chance.with_probability(0.4))));
    let scales = [(); 2].map(|()| 1.0 + 9.0 * chance.unit());
    for (row, cells) in table.iter_mut().enumerate() {
        for (column, value) in cells.iter_mut().enumerate() {
            if known[0][row][column] == 0 && known[1][row][column] == 0 {
                *value = UNKNOWN;
            }
        }
    }
    // Four fifths of the best must be out of reach for each of the two. No sum is above that of
    // the greatest values of the rows, nor of the columns, which is quick to know.
    let rows: i64 = table.iter().map(|row| row.iter().max().unwrap_or(&0)).sum();
    let greatest = |column: usize| table.iter().map(|row| row[column]).max().unwrap_or(0);
    let bound = rows.min((0..SIZE).map(greatest).sum());
    let first = alone(&table, &known[0]);
    if !any && 5 * first >= 4 * bound {
        return None;
    }
    let best = assign_by(SIZE, |row, column| table[row][column]).value;
    let near = |alone: i64| 5 * alone >= 4 * best;
    if !any && (near(first) || near(alone(&table, &known[1]))) {
        return None;
    }
    let rows = |square: Square<u8>| square.map(|row| row.to_vec()).to_vec();
    Some(OptimizationWorld {
        reviewers: REVIEWERS.map(str::to_owned).to_vec(),
        papers: TITLES.map(|(short, _)| short.to_owned()).to_vec(),
        table: table.map(|row| row.to_vec()).to_vec(),
        known: known.map(rows),
        scales,
    })
}

/// The true value of what one player would decide alone.
fn alone(table: &Square<i64>, known: &Square<u8>) -> i64 {
    let expected = |row: usize, column: usize| match known[row][column] {
        0 => UNKNOWN,
        _ => table[row][column],
    };
    let columns = assign_by(SIZE, expected).columns;
    table
        .iter()
        .zip(columns)
        .map(|(row, column)| row[column])
        .sum()
}

fn square<T: Copy + Default>(mut cell: impl FnMut() -> T) -> Square<T> {
    let mut square = [[T::default(); SIZE]; SIZE];
    square
        .iter_mut()
        .flatten()
        .for_each(|place| *place = cell());
    square
}
