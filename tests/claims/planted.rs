//! Errors for true replies: wrong counts, buckets and keys, the same in every run.

use dialog2api::claims::{Claim, ClaimKind, claims};
use dialog2api::dialogue::Transcript;

/// The kinds, in the order of the table; what each group has in common comes first.
pub const KINDS: &[(&str, &str)] = &[
    ("counts", "one more"),
    ("counts", "one less"),
    ("counts", "ten times"),
    ("counts", "digits swapped"),
    ("counts", "another word"),
    ("buckets", "of another world"),
    ("buckets", "misspelt"),
    ("keys", "misspelt"),
    ("keys", "another ending"),
    ("keys", "another folder"),
];

/// The buckets of every world: (world, bucket).
pub type Buckets = [(String, String)];

/// What to say instead of a claim, each with its kind.
pub fn planted(
    claim: &Claim,
    transcript: &Transcript,
    buckets: &Buckets,
) -> Vec<(&'static str, &'static str, String)> {
    match claim.kind {
        ClaimKind::Number => numbers(&claim.text)
            .into_iter()
            .map(|(kind, text)| ("counts", kind, text))
            .collect(),
        ClaimKind::Name if buckets.iter().any(|(_, bucket)| *bucket == claim.text) => {
            let world = transcript.attribute("world").unwrap();
            let others = buckets
                .iter()
                .filter(|(other, bucket)| other != world && *bucket != claim.text);
            let others: Vec<&String> = others.map(|(_, bucket)| bucket).collect();
            let other = others[sum(&claim.text) % others.len()].clone();
            vec![
                ("buckets", "of another world", other),
                ("buckets", "misspelt", misspelt(&claim.text)),
            ]
        }
        ClaimKind::Name if is_key(&claim.text) => keys(&claim.text, transcript)
            .into_iter()
            .map(|(kind, text)| ("keys", kind, text))
            .collect(),
        ClaimKind::Name
        | ClaimKind::List
        | ClaimKind::Slot
        | ClaimKind::Existence
        | ClaimKind::Property
        | ClaimKind::Deed => Vec::new(),
    }
}

const WORDS: &[&str] = &[
    "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
];

fn numbers(text: &str) -> Vec<(&'static str, String)> {
    if let Some(at) = WORDS.iter().position(|word| *word == text.to_lowercase()) {
        let words = [at.checked_sub(1), Some(at + 1)].into_iter().flatten();
        let words = words.filter_map(|at| WORDS.get(at));
        return words
            .map(|word| ("another word", (*word).to_owned()))
            .collect();
    }
    let end = text.find(|c: char| !c.is_ascii_digit());
    let (digits, unit) = text.split_at(end.unwrap_or(text.len()));
    let Ok(value) = digits.parse::<u64>() else {
        return Vec::new();
    };
    let mut found = vec![("one more", (value + 1).to_string())];
    if value > 0 {
        found.push(("one less", (value - 1).to_string()));
        found.push(("ten times", (value * 10).to_string()));
    }
    let mut swapped = digits.as_bytes().to_vec();
    if let Some(at) = (1..swapped.len()).find(|at| swapped[at - 1] != swapped[*at]) {
        swapped.swap(at - 1, at);
        found.push(("digits swapped", String::from_utf8(swapped).unwrap()));
    }
    let with_unit = found.into_iter();
    with_unit.map(|(kind, text)| (kind, text + unit)).collect()
}

/// The name of an object, as far as one can see: not a folder, an ending or a date.
fn is_key(text: &str) -> bool {
    text.contains(['/', '.'])
        && !text.ends_with('/')
        && !text.starts_with(['.', '/'])
        && !text.contains(' ')
        && text.contains(char::is_alphabetic)
}

fn keys(key: &str, transcript: &Transcript) -> Vec<(&'static str, String)> {
    let mut found = vec![("misspelt", misspelt(key))];
    let ending = key.rsplit_once('.');
    if let Some((stem, ending)) = ending.filter(|(_, ending)| !ending.contains('/')) {
        let endings = ["csv", "txt", "log", "json", "bak"];
        let mut endings = endings.iter().cycle().skip(sum(key) % endings.len());
        let other = endings.find(|other| **other != ending).unwrap();
        found.push(("another ending", format!("{stem}.{other}")));
    }
    if let Some((folder, name)) = key.rsplit_once('/') {
        let folders = folders(transcript, folder);
        let other = format!("{}/{name}", folders[sum(key) % folders.len()]);
        // The same object in other words is no error.
        let same = other.ends_with(&format!("/{key}")) || key.ends_with(&format!("/{other}"));
        if !same {
            found.push(("another folder", other));
        }
    }
    found
}

/// The other folders that the agent speaks of in the dialogue, and one that it does not.
fn folders(transcript: &Transcript, except: &str) -> Vec<String> {
    let replies = transcript.turns.iter().flat_map(|turn| &turn.response);
    let names = replies
        .flat_map(|reply| claims(reply))
        .map(|claim| claim.text);
    let mut folders: Vec<String> = names
        .filter_map(|name| Some(name.rsplit_once('/')?.0.to_owned()))
        .filter(|folder| !folder.is_empty() && folder != except)
        .chain(["archive".to_owned()])
        .collect();
    folders.sort();
    folders.dedup();
    folders
}

/// One letter or digit is missing, doubled or another.
fn misspelt(name: &str) -> String {
    let mut letters: Vec<char> = name.chars().collect();
    let places = 0..letters.len();
    let places: Vec<usize> = places.filter(|at| letters[*at].is_alphanumeric()).collect();
    let at = places[sum(name) % places.len()];
    match sum(name) % 3 {
        0 => drop(letters.remove(at)),
        1 => letters.insert(at, letters[at]),
        _ => letters[at] = if letters[at] == 'x' { 'y' } else { 'x' },
    }
    letters.into_iter().collect()
}

fn sum(text: &str) -> usize {
    text.bytes().map(usize::from).sum()
}
