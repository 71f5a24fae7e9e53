//! The assignment of the greatest value.

use pathfinding::kuhn_munkres::kuhn_munkres;
use pathfinding::matrix::Matrix;

/// Up to this many rows, all sets of columns are looked at.
const SMALL: usize = 12;

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
/// Of several, up to 12 rows, the answer is the one whose columns, read by row, come first.
/// With more rows it is some optimum, always the same one.
///
/// ```
/// use decision_games::solve::assign;
///
/// let found = assign(&[vec![5, 5, 1], vec![5, 5, 1], vec![1, 1, 5]]);
/// assert_eq!((found.columns, found.value), (vec![0, 1, 2], 15));
/// ```
pub fn assign(matrix: &[Vec<i64>]) -> Assignment {
    match matrix.len() {
        0 => Assignment {
            columns: Vec::new(),
            value: 0,
        },
        1..=SMALL => over_sets(matrix),
        _ => hungarian(matrix),
    }
}

/// The assignment with the least sum.
pub fn worst_assignment(matrix: &[Vec<i64>]) -> Assignment {
    let negated: Vec<Vec<i64>> = matrix
        .iter()
        .map(|row| row.iter().map(|value| -value).collect())
        .collect();
    let found = assign(&negated);
    Assignment {
        value: -found.value,
        ..found
    }
}

/// `rest[used]` is the best sum of the rows that remain once the columns in `used` are taken by
/// the rows before them.
fn over_sets(matrix: &[Vec<i64>]) -> Assignment {
    let n = matrix.len();
    let full = (1usize << n) - 1;
    let mut rest = vec![0i64; full + 1];
    for used in (0..full).rev() {
        let row = &matrix[used.count_ones() as usize];
        let mut free = full & !used;
        let mut best = i64::MIN;
        while free != 0 {
            let column = free.trailing_zeros() as usize;
            free &= free - 1;
            best = best.max(row[column] + rest[used | 1 << column]);
        }
        rest[used] = best;
    }
    let mut used = 0;
    let mut columns = Vec::with_capacity(n);
    for row in matrix {
        // The first column that still reaches the optimum makes the whole the first of all.
        let fits = |column: &usize| {
            used & 1 << column == 0 && row[*column] + rest[used | 1 << column] == rest[used]
        };
        let column = (0..n).find(fits).unwrap_or(0);
        columns.push(column);
        used |= 1 << column;
    }
    Assignment {
        columns,
        value: rest[0],
    }
}

fn hungarian(matrix: &[Vec<i64>]) -> Assignment {
    let weights = Matrix::from_fn(matrix.len(), matrix.len(), |(row, column)| {
        matrix[row][column]
    });
    let (value, columns) = kuhn_munkres(&weights);
    Assignment { columns, value }
}

#[cfg(test)]
mod tests {
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::{Rng, SeedableRng};

    use super::*;

    #[test]
    fn ten_thousand_random_matrices_have_the_value_of_another_solver() {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        for round in 0..10_000 {
            let n = 1 + round % 9;
            let mut value = || i64::from(random.next_u32() % 100);
            let matrix: Vec<Vec<i64>> = (0..n).map(|_| (0..n).map(|_| value()).collect()).collect();
            let found = assign(&matrix);
            assert_eq!(found.value, hungarian(&matrix).value);
            let sum: i64 = (0..n).map(|row| matrix[row][found.columns[row]]).sum();
            assert_eq!(sum, found.value);
        }
    }
}
