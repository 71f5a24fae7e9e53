//! Selects the parts of the API document that a prompt shows.
//!
//! The thirteen operations of buckets, listings and objects are always shown. The others are in
//! `api-docs/s3-more.pyi`, in parts by topic. Each part has a list of words. It is shown if the
//! user or the agent has just said one of them, or if one of its operations is called by a
//! program of the stack or by one of the most similar examples. If any part is shown, the
//! operations of the other parts are named.
//!
//! `tests/retrieval/documents.rs` counts the prompts that name every operation that the right
//! programs call: 127 of 128 turns in the training dialogues of `datasets/s3-manage`, and 60 of
//! 63 in its test dialogues. The words were chosen on the training part, but the test figures
//! and the missing operations were seen during that work, so they are not a held-out result.
//! Half of these prompts show less than 7.9 kB of the document's 21 kB.

use super::{api, links};
use crate::domain::{DocumentSelection, Domain};
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// The operations that are always shown.
pub(super) const CORE: &str = include_str!("../api-docs/s3.pyi");

/// The others.
const MORE: &str = include_str!("../api-docs/s3-more.pyi");

/// Where in the class the chosen parts go.
const BEFORE: &str = "\n    class exceptions:";

/// A part of the document: what people want of these operations.
struct Part {
    /// Its topic: `Tags`.
    title: &'static str,
    /// The words that ask for it, each with a space at both ends.
    words: Vec<String>,
    /// The stubs of its operations.
    stubs: &'static str,
    /// The operations that the stubs describe or mention, without those of the core.
    operations: BTreeSet<&'static str>,
}

static PARTS: LazyLock<Vec<Part>> = LazyLock::new(|| {
    let sections = MORE.split("# ").collect::<Vec<_>>();
    let mut parts = Vec::new();
    let mut title = "";
    for section in sections {
        match section.strip_prefix("words: ") {
            None => title = section.trim(),
            Some(rest) => {
                let (words, stubs) = rest.split_once('\n').unwrap_or((rest, ""));
                let is_extra = |name: &&str| {
                    api::operation(name).is_some() || links::describing(name).is_some()
                };
                let is_core = |name: &&str| CORE.contains(&format!("def {name}("));
                let names = names(stubs).filter(is_extra);
                parts.push(Part {
                    title,
                    words: words
                        .split(',')
                        .map(|word| format!(" {} ", word.trim()))
                        .collect(),
                    stubs: stubs.trim_matches('\n'),
                    operations: names.filter(|name| !is_core(name)).collect(),
                });
            }
        }
    }
    parts
});

/// The names in a text of Python.
fn names(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
}

impl Part {
    fn is_asked_for(&self, said: &str, needed: &[&str]) -> bool {
        let describes = |name: &&str| self.operations.contains(*name);
        self.words.iter().any(|word| said.contains(word)) || needed.iter().any(describes)
    }
}

/// The choice for the domain `s3`.
#[derive(Default)]
pub struct ChosenParts {
    /// A text that is always shown beside the core: the one about files, if folders are granted.
    pub always: String,
}

impl DocumentSelection for ChosenParts {
    fn document(&self, _: &Domain, words: &str, needed: &[&str]) -> String {
        let said = spoken(words);
        let (shown, others): (Vec<&Part>, Vec<&Part>) = PARTS
            .iter()
            .partition(|part| part.is_asked_for(&said, needed));
        let is_core = shown.is_empty() && self.always.is_empty();
        let Some((head, tail)) = CORE.split_once(BEFORE).filter(|_| !is_core) else {
            return CORE.to_owned();
        };
        let mut document = head.trim_end().to_owned();
        let has_more = !shown.is_empty();
        if !self.always.is_empty() {
            document.push_str(&format!("\n\n{}", self.always.trim_end()));
        }
        for part in shown {
            document.push_str(&format!("\n\n    # {}\n\n{}", part.title, part.stubs));
        }
        if has_more && !others.is_empty() {
            let titles: Vec<&str> = others.iter().map(|part| part.title).collect();
            document.push_str(&format!(
                "\n\n    # Operations that are not shown here: {}.\n",
                titles.join("; ").to_lowercase()
            ));
        }
        document.push_str(BEFORE);
        document.push_str(tail);
        document
    }
}

/// A text as words in lower case with single spaces, also at both ends, and `0` for each
/// number. Names such as `public-reports` and `site/index.html` stay one word.
fn spoken(text: &str) -> String {
    let words = text.split_whitespace().map(|word| {
        let is_edge = |c: char| !c.is_alphanumeric();
        let word = word.trim_matches(is_edge).to_lowercase();
        match word.bytes().all(|byte| byte.is_ascii_digit()) {
            true => "0".to_owned(),
            false => word,
        }
    });
    format!(" {} ", words.collect::<Vec<_>>().join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::S3;

    #[test]
    fn a_request_gets_the_operations_that_it_needs() {
        let titles = |words: &str| {
            let said = spoken(words);
            let asked = PARTS.iter().filter(|part| part.is_asked_for(&said, &[]));
            asked.map(|part| part.title).collect::<Vec<_>>().join("; ")
        };
        for (words, expected) in [
            ("how many objects are in public-reports?", ""),
            ("Turn versioning on for my reports bucket.", "Versions"),
            ("tag what belongs to finance", "Tags"),
            ("expire logs after 30 days", "Expiry and archiving"),
            ("Why is this bucket public?", "Who can see it"),
            ("clean up broken uploads, please", "Unfinished uploads"),
            ("upload this to uploads/website/index.html", ""),
        ] {
            assert_eq!(titles(words), expected, "{words}");
        }
    }

    #[test]
    fn every_operation_is_described_somewhere() {
        let described: BTreeSet<&str> = [CORE, MORE].into_iter().flat_map(names).collect();
        let missing = S3
            .operation_names()
            .filter(|name| !described.contains(name));
        assert_eq!(missing.collect::<Vec<_>>(), Vec::<&str>::new());
    }

    #[test]
    fn what_a_program_calls_is_shown() {
        let chosen = ChosenParts::default();
        let document = chosen.document(&S3, "yes", &["put_bucket_cors"]);
        assert!(document.contains("def put_bucket_cors("));
        assert!(document.contains("class exceptions:"));
        assert_eq!(chosen.document(&S3, "yes", &["put_object"]), CORE);
    }

    #[test]
    fn every_stub_is_of_an_operation_with_these_parameters() {
        for stub in MORE.split("    def ").skip(1) {
            let (name, rest) = stub.split_once('(').expect("a signature");
            let (signature, _) = rest.split_once(") ->").expect("a signature");
            for parameter in signature.split(',').map(str::trim) {
                let (parameter, _) = parameter.split_once(':').unwrap_or((parameter, ""));
                let is_named = parameter.starts_with(char::is_uppercase);
                assert!(
                    !is_named || S3.accepts(name, parameter),
                    "{name} {parameter}"
                );
            }
            assert!(S3.operation(name).is_some(), "{name}");
        }
    }
}
