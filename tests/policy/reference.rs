//! The meaning of globs as a simple and slow function. `fuzz/` uses it too.

/// Whether a valid glob matches a name. Takes a time that is the product of their lengths.
pub fn matches(glob: &str, name: &str) -> bool {
    let (glob, name): (Vec<char>, Vec<char>) = (glob.chars().collect(), name.chars().collect());
    // Whether the glob from one position matches the name from another.
    let mut rest = vec![vec![false; name.len() + 1]; glob.len() + 2];
    for g in (0..=glob.len()).rev() {
        let behind = g + glob[g..].iter().take_while(|c| **c == '*').count();
        let deep = behind - g > 1;
        // A `/` behind a backslash is one as well.
        let fresh = g == 0 || glob[g - 1] == '/';
        let folders = deep && fresh && glob.get(behind) == Some(&'/');
        let mut behind_a_slash = false;
        for n in (0..=name.len()).rev() {
            let next = name.get(n).copied();
            rest[g][n] = match glob.get(g) {
                None => next.is_none(),
                // Nothing, or up to any of the slashes.
                Some('*') if folders => {
                    behind_a_slash |= next == Some('/') && rest[behind + 1][n + 1];
                    rest[behind + 1][n] || behind_a_slash
                }
                Some('*') => {
                    let goes_on = next.is_some_and(|c| deep || c != '/');
                    rest[behind][n] || goes_on && rest[g][n + 1]
                }
                Some('?') => next.is_some_and(|c| c != '/') && rest[g + 1][n + 1],
                Some('\\') => next == glob.get(g + 1).copied() && rest[g + 2][n + 1],
                Some(c) => next == Some(*c) && rest[g + 1][n + 1],
            };
        }
    }
    rest[0][0]
}
