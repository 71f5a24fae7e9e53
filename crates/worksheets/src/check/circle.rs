/// The circles of a graph, which has for each of its nodes those that it leads to: for all nodes
/// that lead to each other one circle, the shortest through the first of them.
pub(super) fn circles(next: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let part = parts(next);
    let mut told = vec![false; next.len()];
    let mut out = Vec::new();
    for start in 0..next.len() {
        if std::mem::replace(&mut told[part[start]], true) {
            continue;
        }
        out.extend(circle(start, next, &part));
    }
    out
}

/// Nodes that lead to each other have the same number: that of one of them (Kosaraju).
fn parts(next: &[Vec<usize>]) -> Vec<usize> {
    let mut before = vec![Vec::new(); next.len()];
    for (at, next) in next.iter().enumerate() {
        next.iter().for_each(|&to| before[to].push(at));
    }
    let (mut seen, mut left) = (vec![false; next.len()], Vec::new());
    for start in 0..next.len() {
        let mut open = vec![(start, 0)];
        while let Some((at, way)) = open.pop() {
            if way == 0 && std::mem::replace(&mut seen[at], true) {
                continue;
            }
            match next[at].get(way) {
                Some(&to) => open.extend([(at, way + 1), (to, 0)]),
                None => left.push(at),
            }
        }
    }
    let mut part = vec![usize::MAX; next.len()];
    for start in left.into_iter().rev() {
        let mut open = vec![start];
        while let Some(at) = open.pop() {
            if part[at] == usize::MAX {
                part[at] = start;
                open.extend(&before[at]);
            }
        }
    }
    part
}

/// The shortest way from a node back to itself.
fn circle(start: usize, next: &[Vec<usize>], part: &[usize]) -> Option<Vec<usize>> {
    let mut from = std::collections::HashMap::new();
    let mut open = std::collections::VecDeque::from([start]);
    while let Some(at) = open.pop_front() {
        for &to in next[at].iter().filter(|&&to| part[to] == part[start]) {
            if to == start {
                let (mut path, mut last) = (vec![start, at], at);
                while last != start {
                    last = *from.get(&last)?;
                    path.push(last);
                }
                path.reverse();
                return Some(path);
            }
            from.entry(to).or_insert_with(|| {
                open.push_back(to);
                at
            });
        }
    }
    None
}
