//! The meaning of globs as a simple and slow function. `fuzz/` uses it too.

/// Whether a valid glob matches a name.
pub fn matches(glob: &str, name: &str) -> bool {
    let (glob, name): (Vec<char>, Vec<char>) = (glob.chars().collect(), name.chars().collect());
    let mut known = vec![None; (glob.len() + 1) * (name.len() + 1)];
    goes_on(&glob, 0, &name, 0, &mut known)
}

/// The same of what is left from these positions; what was found out once is kept.
fn goes_on(
    glob: &[char],
    g: usize,
    name: &[char],
    n: usize,
    known: &mut Vec<Option<bool>>,
) -> bool {
    let at = g * (name.len() + 1) + n;
    if let Some(known) = known[at] {
        return known;
    }
    let mut then = |g: usize, n: usize| goes_on(glob, g, name, n, known);
    let next = name.get(n).copied();
    let is = match glob.get(g) {
        None => next.is_none(),
        Some('*') => {
            let behind = glob[g..].iter().take_while(|c| **c == '*').count() + g;
            let deep = behind - g > 1;
            // A `/` behind a backslash is one as well.
            let fresh = g == 0 || glob[g - 1] == '/';
            if deep && fresh && glob.get(behind) == Some(&'/') {
                // Nothing, or up to any of the slashes.
                then(behind + 1, n)
                    || (n..name.len()).any(|i| name[i] == '/' && then(behind + 1, i + 1))
            } else {
                let mut end = n;
                loop {
                    if then(behind, end) {
                        break true;
                    }
                    match name.get(end) {
                        Some(c) if deep || *c != '/' => end += 1,
                        _ => break false,
                    }
                }
            }
        }
        Some('?') => next.is_some_and(|c| c != '/') && then(g + 1, n + 1),
        Some('\\') => next == glob.get(g + 1).copied() && then(g + 2, n + 1),
        Some(c) => next == Some(*c) && then(g + 1, n + 1),
    };
    known[at] = Some(is);
    is
}
