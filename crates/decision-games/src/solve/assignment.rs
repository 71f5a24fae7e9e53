//! The assignment of the greatest value.

/// Which column each row has, and the sum of the values there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignment {
    /// The column of each row.
    pub columns: Vec<usize>,
    /// The sum.
    pub value: i64,
}

/// Finds the assignment of rows to columns with the greatest sum, in a square matrix.
///
/// Of several the answer is the one whose columns, read by row, come first.
///
/// ```
/// use decision_games::solve::assign;
///
/// let found = assign(&[vec![5, 5, 1], vec![5, 5, 1], vec![1, 1, 5]]);
/// assert_eq!((found.columns, found.value), (vec![0, 1, 2], 15));
/// ```
pub fn assign(matrix: &[Vec<i64>]) -> Assignment {
    assign_by(matrix.len(), |row, column| matrix[row][column])
}

/// The assignment with the least sum.
pub fn worst_assignment(matrix: &[Vec<i64>]) -> Assignment {
    let found = assign_by(matrix.len(), |row, column| -matrix[row][column]);
    Assignment {
        value: -found.value,
        ..found
    }
}

/// As [`assign`], with the values of an `n` × `n` matrix as a function of row and column.
pub(crate) fn assign_by(n: usize, value: impl Fn(usize, usize) -> i64) -> Assignment {
    let duals = Duals::of(n, &value);
    let columns = duals.first(n, &value);
    let value = columns
        .iter()
        .enumerate()
        .map(|(row, column)| value(row, *column))
        .sum();
    Assignment { columns, value }
}

/// An optimal assignment and its dual prices, found by successive shortest paths
/// (Kuhn and Munkres). Rows and columns count from 1; 0 stands for none.
struct Duals {
    row: Vec<i64>,
    column: Vec<i64>,
    /// The row of each column.
    taken: Vec<usize>,
}

impl Duals {
    fn of(n: usize, value: &impl Fn(usize, usize) -> i64) -> Duals {
        let (mut row, mut column) = (vec![0; n + 1], vec![0; n + 1]);
        let (mut taken, mut way) = (vec![0; n + 1], vec![0; n + 1]);
        let mut least = vec![0; n + 1];
        let mut used = vec![false; n + 1];
        for start in 1..=n {
            taken[0] = start;
            let mut at = 0;
            least.fill(i64::MAX);
            used.fill(false);
            loop {
                used[at] = true;
                let (here, mut delta, mut next) = (taken[at], i64::MAX, 0);
                for j in 1..=n {
                    if used[j] {
                        continue;
                    }
                    let slack = -value(here - 1, j - 1) - row[here] - column[j];
                    if slack < least[j] {
                        (least[j], way[j]) = (slack, at);
                    }
                    if least[j] < delta {
                        (delta, next) = (least[j], j);
                    }
                }
                for j in 0..=n {
                    if used[j] {
                        row[taken[j]] += delta;
                        column[j] -= delta;
                    } else if least[j] != i64::MAX {
                        least[j] -= delta;
                    }
                }
                at = next;
                if taken[at] == 0 {
                    break;
                }
            }
            while at != 0 {
                taken[at] = taken[way[at]];
                at = way[at];
            }
        }
        Duals { row, column, taken }
    }

    /// The first of all optimal assignments: they are the ones that use only cells whose value
    /// is equal to its prices.
    fn first(&self, n: usize, value: &impl Fn(usize, usize) -> i64) -> Vec<usize> {
        let tight = |row: usize, column: usize| {
            -value(row, column) == self.row[row + 1] + self.column[column + 1]
        };
        let mut rows: Vec<usize> = (1..=n).map(|column| self.taken[column] - 1).collect();
        let mut columns = vec![0; n];
        for (column, row) in rows.iter().enumerate() {
            columns[*row] = column;
        }
        for row in 0..n {
            for wanted in 0..columns[row] {
                // A column of an earlier row stays there.
                if rows[wanted] > row && tight(row, wanted) {
                    let moves = reroute(row, wanted, &rows, columns[row], &tight);
                    for (mover, column) in &moves {
                        (columns[*mover], rows[*column]) = (*column, *mover);
                    }
                    if !moves.is_empty() {
                        break;
                    }
                }
            }
        }
        columns
    }
}

/// The moves that give `row` the column `wanted`, so that each row behind it still has a column:
/// its present holder goes elsewhere, and so on until one takes the column `freed`.
fn reroute(
    row: usize,
    wanted: usize,
    rows: &[usize],
    freed: usize,
    tight: &impl Fn(usize, usize) -> bool,
) -> Vec<(usize, usize)> {
    // For each column, the row that would move there.
    let mut mover = vec![None; rows.len()];
    mover[wanted] = Some(row);
    let mut open = vec![wanted];
    while let Some(column) = open.pop() {
        let displaced = rows[column];
        for next in 0..rows.len() {
            let movable = next == freed || rows[next] > row;
            if mover[next].is_some() || !movable || !tight(displaced, next) {
                continue;
            }
            mover[next] = Some(displaced);
            if next != freed {
                open.push(next);
                continue;
            }
            let (mut moves, mut at) = (Vec::new(), freed);
            while let Some(who) = mover[at] {
                moves.push((who, at));
                if who == row {
                    return moves;
                }
                // The column that this row leaves.
                at = rows.iter().position(|holder| *holder == who).unwrap_or(at);
            }
        }
    }
    Vec::new()
}

#[cfg(test)]
mod tests {
    use pathfinding::kuhn_munkres::kuhn_munkres;
    use pathfinding::matrix::Matrix;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::{Rng, SeedableRng};

    use super::*;

    fn random(seed: u64, n: usize, values: u32) -> Vec<Vec<i64>> {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut value = || i64::from(random.next_u32() % values);
        (0..n).map(|_| (0..n).map(|_| value()).collect()).collect()
    }

    #[test]
    fn ten_thousand_random_matrices_have_the_value_of_another_solver() {
        for round in 0..10_000 {
            let matrix = random(round, 1 + round as usize % 9, 100);
            let n = matrix.len();
            let weights = Matrix::from_fn(n, n, |(row, column)| matrix[row][column]);
            assert_eq!(assign(&matrix).value, kuhn_munkres(&weights).0);
        }
    }

    /// All assignments in the order of their columns.
    fn all(n: usize) -> Vec<Vec<usize>> {
        let mut found = vec![Vec::new()];
        for _ in 0..n {
            let longer = |columns: Vec<usize>| {
                let free = (0..n).filter(|column| !columns.contains(column));
                free.map(|column| [columns.clone(), vec![column]].concat())
                    .collect::<Vec<_>>()
            };
            found = found.into_iter().flat_map(longer).collect();
        }
        found
    }

    #[test]
    fn of_equal_assignments_the_first_is_found() {
        for round in 0..2_000 {
            // Few values make many ties.
            let matrix = random(round, 1 + round as usize % 6, 2 + round as u32 % 3);
            let sum = |columns: &Vec<usize>| -> i64 {
                columns
                    .iter()
                    .enumerate()
                    .map(|(row, column)| matrix[row][*column])
                    .sum()
            };
            let candidates = all(matrix.len());
            let best = candidates.iter().map(sum).max().expect("there is one");
            let first = candidates.iter().find(|columns| sum(columns) == best);
            assert_eq!(Some(&assign(&matrix).columns), first, "{matrix:?}");
        }
    }
}
