//! Names as parties write them.

/// Why no single name was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Miss {
    /// No name is similar enough.
    Unknown,
    /// Several names are equally similar.
    Ambiguous,
}

/// Finds the name that a party meant; the answer is its index.
///
/// Blanks around the text and quotes that enclose it do not count, nor does case. A name that
/// is equal wins. Otherwise the most similar name does, if its similarity is above 0.8 and no
/// other name has the same.
pub fn find<S: AsRef<str>>(names: &[S], text: &str) -> Result<usize, Miss> {
    let wanted = written(text);
    let folded: Vec<String> = names.iter().map(|name| fold(name.as_ref())).collect();
    if let Some(index) = folded.iter().position(|name| *name == wanted) {
        return Ok(index);
    }
    // Similarities are compared as fractions: equal ones must be equal.
    let mut best: Option<(usize, (usize, usize))> = None;
    let mut tied = false;
    for (index, name) in folded.iter().enumerate() {
        let (common, length) = similarity(name, &wanted);
        if length == 0 || common * 10 <= length * 8 {
            continue;
        }
        match best {
            Some((_, (c, l))) if common * l < c * length => {}
            Some((_, (c, l))) if common * l == c * length => tied = true,
            _ => {
                best = Some((index, (common, length)));
                tied = false;
            }
        }
    }
    match best {
        None => Err(Miss::Unknown),
        Some(_) if tied => Err(Miss::Ambiguous),
        Some((index, _)) => Ok(index),
    }
}

/// Whether two short texts in lower case are similar enough for one name.
pub(crate) fn alike(a: &str, b: &str) -> bool {
    let (common, length) = similarity(a, b);
    a == b || common * 10 > length * 8
}

/// The name that is most similar to the text, to show a party that erred.
pub fn nearest<'a, S: AsRef<str>>(names: &'a [S], text: &str) -> Option<&'a str> {
    let wanted = written(text);
    let rank = |name: &S| {
        let (common, length) = similarity(&fold(name.as_ref()), &wanted);
        (common * 1_000).checked_div(length).unwrap_or(0)
    };
    let found = names.iter().max_by_key(|name| rank(name))?;
    (rank(found) > 400).then(|| found.as_ref())
}

/// Twice the length of the longest common subsequence, and the length of both texts.
fn similarity(a: &str, b: &str) -> (usize, usize) {
    // The work is the product of the lengths, and no name is as long as that.
    let a: Vec<char> = a.chars().take(200).collect();
    let b: Vec<char> = b.chars().take(200).collect();
    let mut row = vec![0; b.len() + 1];
    for x in &a {
        let mut diagonal = 0;
        for (j, y) in b.iter().enumerate() {
            let above = row[j + 1];
            row[j + 1] = match x == y {
                true => diagonal + 1,
                false => above.max(row[j]),
            };
            diagonal = above;
        }
    }
    (2 * row[b.len()], a.len() + b.len())
}

/// What counts of a name as it was written.
pub(crate) fn written(text: &str) -> String {
    fold(unquote(text))
}

fn fold(text: &str) -> String {
    text.trim().to_lowercase()
}

fn unquote(text: &str) -> &str {
    let text = text.trim();
    for quote in ['"', '\''] {
        if text.len() > 1
            && let Some(inner) = text.strip_prefix(quote).and_then(|t| t.strip_suffix(quote))
        {
            return inner.trim();
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_found_in_spite_of_case_quotes_and_slips() {
        let names = ["Mad Seoul", "Lincoln Park", "Saul's", "Park A", "Park B"];
        assert_eq!(find(&names, " \"mad seoul\" "), Ok(0));
        assert_eq!(find(&names, "Linclon Park"), Ok(1));
        assert_eq!(find(&names, "Saul's"), Ok(2));
        assert_eq!(find(&names, "Park C"), Err(Miss::Ambiguous));
        assert_eq!(find(&names, "Nowhere"), Err(Miss::Unknown));
        assert_eq!(find(&names, ""), Err(Miss::Unknown));
    }
}
