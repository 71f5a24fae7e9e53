//! Whether a name stands in a text.

/// Whether the name stands in the text on its own, or as a part of a path by which people
/// refer to it: its first folders, its last segments or its file extension.
pub(super) fn stands_in(name: &str, text: &str) -> bool {
    let name = name.trim();
    let plain = !name.contains(is_spelling) && !name.chars().any(|c| c.is_ascii_digit());
    if !plain {
        return found(name, text);
    }
    // Case and spaces do not matter in plain words: `Access` and `access`, `outer  bay`.
    found(&folded(name), &folded(text))
}

fn folded(text: &str) -> String {
    let words: Vec<String> = text.split_whitespace().map(str::to_lowercase).collect();
    words.join(" ")
}

fn found(name: &str, text: &str) -> bool {
    // `photos/` and `photos` name the same folder.
    let name = match name.strip_suffix('/') {
        Some(folder) if !folder.is_empty() => folder,
        _ => name,
    };
    let mut places = text.match_indices(name).map(|(at, _)| at);
    places.any(|at| {
        let before = text.get(..at).unwrap_or_default();
        let after = text.get(at + name.len()..).unwrap_or_default();
        begins(name, before) && ends(name, after)
    })
}

/// Whether a name can start after this text.
fn begins(name: &str, before: &str) -> bool {
    // `.txt`, `-logs`: the last part of a name.
    if name.starts_with(is_spelling) {
        return true;
    }
    let mut before = before.chars().rev();
    match before.next() {
        None | Some('/') => true,
        Some(c) if c.is_alphanumeric() || matches!(c, '_' | '=') => false,
        // A hyphen or dot between words is part of a name; before one it is not.
        Some('-' | '.') => !before.next().is_some_and(char::is_alphanumeric),
        Some(_) => true,
    }
}

/// Whether a name can end before this text.
fn ends(name: &str, after: &str) -> bool {
    if name.ends_with(['-', '_', '=', '.']) {
        return true;
    }
    let mut after = after.chars();
    match after.next() {
        Some(c) if c.is_alphanumeric() || matches!(c, '_' | '=') => false,
        Some('-' | '.') => !after.next().is_some_and(char::is_alphanumeric),
        _ => true,
    }
}

fn is_spelling(c: char) -> bool {
    matches!(c, '/' | '.' | '_' | '-' | '=' | ':' | '@')
}

/// Whether the name stands in the text as a whole, and not as a part of a path. One that ends with
/// `/` begins a path.
pub(super) fn stands_whole(name: &str, text: &str) -> bool {
    let mut places = text.match_indices(name).map(|(at, _)| at);
    places.any(|at| {
        let before = text.get(..at).unwrap_or_default();
        let after = text.get(at + name.len()..).unwrap_or_default();
        let is_end = name.ends_with('/') || ends(name, after) && !after.starts_with('/');
        begins(name, before) && !before.ends_with('/') && is_end
    })
}

/// The first name of an address and the rest: the bucket and the key of `s3://bucket/key`. The rest
/// may be empty. An address of the web is none of a world.
pub(super) fn address(name: &str) -> Option<(&str, &str)> {
    let (scheme, path) = name.split_once("://")?;
    let (root, rest) = path.split_once('/').unwrap_or((path, ""));
    let is_scheme = !scheme.is_empty() && scheme.chars().all(|c| c.is_ascii_alphanumeric());
    let is_web = scheme.starts_with("http");
    (is_scheme && !is_web && !root.is_empty()).then_some((root, rest))
}

/// Whether the name is composed of whole pieces, the literals of one program.
pub(super) fn is_made_of(name: &str, pieces: &[String]) -> bool {
    // `open[at]`: whether the name from `at` on is composed of pieces.
    let mut open = vec![false; name.len() + 1];
    for at in (0..=name.len()).rev() {
        let rest = name.get(at..).unwrap_or_default();
        let fits = |piece: &str| {
            let after = at + piece.len();
            !piece.is_empty() && rest.starts_with(piece) && open.get(after) == Some(&true)
        };
        // `"2024/"` and `"/a.log"` share one slash.
        let either = |piece: &String| fits(piece) || fits(piece.trim_start_matches('/'));
        let made = at == name.len() || pieces.iter().any(either);
        if let Some(place) = open.get_mut(at) {
            *place = made;
        }
    }
    open.first() == Some(&true)
}

/// Whether the name belongs to a series of which the text has another member: they differ
/// only in numbers, and the numbers of the name are all `known`.
pub(super) fn is_of_series(name: &str, text: &str, known: impl Fn(f64) -> bool) -> bool {
    let is_digit = |c: char| c.is_ascii_digit();
    if !name.contains(is_digit) || !name.contains(char::is_alphabetic) {
        return false;
    }
    let words = text.split(|c: char| c.is_whitespace() || "\"'`,;()".contains(c));
    words.filter(|word| word.contains(is_digit)).any(|word| {
        let word = word.trim_end_matches(['.', ':', '?', '!']);
        let (ours, theirs) = (runs(name), runs(word));
        ours.len() == theirs.len()
            && ours.iter().zip(&theirs).all(|(ours, theirs)| {
                let number = ours.parse::<f64>().is_ok_and(&known);
                let alike = theirs.starts_with(is_digit) && ours.len() == theirs.len();
                ours == theirs || (alike && number)
            })
    })
}

/// The runs of digits and of other characters that a text consists of.
fn runs(text: &str) -> Vec<&str> {
    text.as_bytes()
        .chunk_by(|a, b| a.is_ascii_digit() == b.is_ascii_digit())
        .filter_map(|run| std::str::from_utf8(run).ok())
        .collect()
}

/// The other ways to write a date: `2024-03-01` is `2024/03/01` and `20240301`.
pub(super) fn dates(name: &str) -> impl Iterator<Item = String> {
    let digits = |part: &&str| part.len() >= 2 && part.bytes().all(|byte| byte.is_ascii_digit());
    let parts: Vec<&str> = match (name.get(..4), name.get(4..6), name.get(6..)) {
        (Some(year), Some(month), Some(day)) if name.len() == 8 && digits(&name) => {
            vec![year, month, day]
        }
        _ => name.split(['-', '/', '.']).collect(),
    };
    let is_date = (2..=3).contains(&parts.len())
        && parts.iter().all(digits)
        && parts.iter().any(|part| part.len() == 4);
    let separators = ["-", "/", ".", ""].into_iter().filter(move |_| is_date);
    separators.map(move |separator| parts.join(separator))
}
