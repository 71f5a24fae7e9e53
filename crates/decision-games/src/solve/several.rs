//! The best few assignments.

use super::assignment::{Assignment, assign_by};

/// The best of a part of all assignments: the cells that the part bars, and how many rows it keeps.
type Open = (Assignment, Vec<(usize, usize)>, usize);

/// Finds the `count` assignments with the greatest sums, the greatest first (Murty's partition).
///
/// The first is that of [`assign`](super::assign). Values are at most 2^40 in magnitude; greater
/// ones count as that.
///
/// ```
/// use decision_games::solve::assign_several;
///
/// let found = assign_several(&[vec![5, 1], vec![2, 1]], 5);
/// assert_eq!(found.iter().map(|a| a.value).collect::<Vec<_>>(), [6, 3]);
/// ```
pub fn assign_several(matrix: &[Vec<i64>], count: usize) -> Vec<Assignment> {
    let n = matrix.len();
    let limit = 1i64 << 40;
    let value = |row: usize, column: usize| matrix[row][column].clamp(-limit, limit);
    // A cell that is not allowed costs more than all others can gain.
    let forbidden = -(2 * limit * (n as i64 + 1));
    let solve = |barred: &Vec<(usize, usize)>, kept: &[(usize, usize)]| {
        let allowed = |row: usize, column: usize| {
            !barred.contains(&(row, column))
                && kept.iter().all(|(r, c)| (*r == row) == (*c == column))
        };
        let cell = |row, column| match allowed(row, column) {
            true => value(row, column),
            false => forbidden,
        };
        let found = assign_by(n, cell);
        let legal = found
            .columns
            .iter()
            .enumerate()
            .all(|(row, column)| allowed(row, *column));
        legal.then_some(found)
    };
    let mut open: Vec<Open> = Vec::new();
    open.extend(solve(&Vec::new(), &[]).map(|found| (found, Vec::new(), 0)));
    let mut best = Vec::new();
    while best.len() < count {
        // Of equal ones the first in the order of columns.
        let better = |a: &Assignment, b: &Assignment| {
            a.value
                .cmp(&b.value)
                .then_with(|| b.columns.cmp(&a.columns))
        };
        let next = (0..open.len()).max_by(|a, b| better(&open[*a].0, &open[*b].0));
        let Some((found, barred, kept)) = next.map(|place| open.swap_remove(place)) else {
            break;
        };
        let pairs: Vec<(usize, usize)> = found.columns.iter().copied().enumerate().collect();
        for row in kept..n {
            let mut barred = barred.clone();
            barred.push(pairs[row]);
            if let Some(other) = solve(&barred, &pairs[..row]) {
                open.push((other, barred, row));
            }
        }
        best.push(found);
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_assignments_come_in_the_order_of_their_values() {
        let matrix = [vec![7, 4, 3], vec![6, 8, 5], vec![9, 4, 4]];
        let found = assign_several(&matrix, 10);
        let values: Vec<i64> = found.iter().map(|one| one.value).collect();
        assert_eq!(values, [20, 19, 18, 16, 14, 13]);
        let mut columns: Vec<_> = found.into_iter().map(|one| one.columns).collect();
        columns.sort();
        columns.dedup();
        assert_eq!(columns.len(), 6);
    }
}
