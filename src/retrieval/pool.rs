//! The pool of examples, and the search in it.

use super::example::{Example, turns};
use super::state::Stacks;
use super::{Keywords, Query, Selection, Similarity, Task, TextSimilarity, Utterances};
use crate::dialogue::{Transcript, read_transcript};
use crate::domain::Domain;
use crate::error::{Error, Result};
use std::path::Path;

/// Every turn of the training dialogues, ready to be searched.
///
/// ```
/// use dialog2api::domain::s3::S3;
/// use dialog2api::retrieval::{ExamplePool, Query, Selection};
///
/// let pool = ExamplePool::built_in(&S3)?;
/// let query = Query {
///     stack: &Default::default(),
///     said: "How can I help you?",
///     user: "delete notes.txt from my-bucket",
///     excluded: None,
/// };
/// let examples = pool.select(&query, &Selection::default())?;
/// assert_eq!(examples.len(), 5);
/// # Ok::<(), dialog2api::Error>(())
/// ```
pub struct ExamplePool {
    examples: Vec<Example>,
    keywords: Keywords,
    /// The stack before each example.
    stacks: Stacks,
    text: Box<dyn TextSimilarity>,
}

/// The dialogues that come with a domain; none for a domain without them.
///
/// # Errors
/// One of them is not a dialogue.
pub fn built_in_dialogues(domain: &Domain) -> Result<Vec<Transcript>> {
    (domain.teaching.examples.iter())
        .map(|(name, text)| read(Path::new(&**name), text))
        .collect()
}

/// The dialogues of all `*.xml` files of a folder, in the order of their names.
///
/// # Errors
/// The folder has none, or one cannot be read.
pub fn dialogues_in(folder: &Path) -> Result<Vec<Transcript>> {
    let mut paths = std::fs::read_dir(folder)
        .and_then(|entries| {
            entries
                .map(|entry| Ok(entry?.path()))
                .collect::<std::io::Result<Vec<_>>>()
        })
        .map_err(Error::file("cannot read the example dialogues in", folder))?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "xml"));
    paths.sort();
    if paths.is_empty() {
        return Err(Error::Content {
            path: folder.to_owned(),
            problem: "expected a folder with example dialogues (*.xml), and has none".into(),
        });
    }
    (paths.iter())
        .map(|path| {
            let text = std::fs::read_to_string(path).map_err(Error::file("cannot read", path));
            read(path, &text?)
        })
        .collect()
}

fn read(path: &Path, text: &str) -> Result<Transcript> {
    read_transcript(text).map_err(|error| Error::Content {
        path: path.to_owned(),
        problem: error.to_string(),
    })
}

impl ExamplePool {
    /// A pool of these dialogues, compared by their words.
    ///
    /// # Errors
    /// The turns of a dialogue break the status rules.
    pub fn new(dialogues: &[Transcript], domain: &Domain) -> Result<Self> {
        Self::compared_by(&Similarity::default(), dialogues, domain)
    }

    /// A pool of these dialogues, compared by this similarity.
    ///
    /// # Errors
    /// Those of [`ExamplePool::new`], and those of the similarity's model.
    pub fn compared_by(
        similarity: &Similarity,
        dialogues: &[Transcript],
        domain: &Domain,
    ) -> Result<Self> {
        Self::with_similarity(dialogues, domain, |texts| similarity.of(texts))
    }

    /// A pool of these dialogues, compared by the similarity that `build` makes of their
    /// utterances.
    ///
    /// # Errors
    /// Those of [`ExamplePool::new`] and of `build`.
    pub fn with_similarity(
        dialogues: &[Transcript],
        domain: &Domain,
        build: impl FnOnce(&[Utterances<'_>]) -> Result<Box<dyn TextSimilarity>>,
    ) -> Result<Self> {
        let examples: Vec<Example> = dialogues
            .iter()
            .map(turns)
            .collect::<Result<Vec<_>>>()?
            .into_iter()
            .flatten()
            .collect();
        let texts: Vec<Utterances<'_>> = examples.iter().map(Example::utterances).collect();
        let text = build(&texts)?;
        let keywords = Keywords::new(domain);
        let mut stacks = Stacks::default();
        for example in &examples {
            stacks.push(keywords.of_stack(&example.before));
        }
        Ok(ExamplePool {
            examples,
            keywords,
            stacks,
            text,
        })
    }

    /// The pool of a domain's own dialogues, compared by their words.
    ///
    /// # Errors
    /// Those of [`built_in_dialogues`] and [`ExamplePool::new`].
    pub fn built_in(domain: &Domain) -> Result<Self> {
        Self::new(&built_in_dialogues(domain)?, domain)
    }

    /// The pool of all `*.xml` files of a folder, in the order of their names, compared by
    /// their words.
    ///
    /// # Errors
    /// Those of [`dialogues_in`] and [`ExamplePool::new`].
    pub fn from_dir(dir: &Path, domain: &Domain) -> Result<Self> {
        Self::new(&dialogues_in(dir)?, domain)
    }

    /// All examples, dialogue by dialogue.
    pub fn examples(&self) -> &[Example] {
        &self.examples
    }

    /// The name of the similarity: `minilm`, `bm25`, `tfidf`.
    pub fn similarity(&self) -> &str {
        self.text.name()
    }

    /// The words that stacks are compared by.
    pub(super) fn keywords(&self) -> &Keywords {
        &self.keywords
    }

    /// Whether an example may stand in the prompt of this query.
    pub(super) fn is_usable(query: &Query<'_>, example: &Example) -> bool {
        let is_excluded = (query.excluded).is_some_and(|excluded| excluded.covers(example));
        !is_excluded && example.serves(Task::Program)
    }

    /// The examples of a prompt: those with the highest scores, the most similar last. Of two
    /// with the same score, the one that is earlier in the pool counts as more similar.
    ///
    /// # Errors
    /// The model of the similarity failed.
    pub fn select(&self, query: &Query<'_>, selection: &Selection) -> Result<Vec<&Example>> {
        let counts = self.keywords.of_stack(query.stack);
        let states = self.stacks.cosines(&counts);
        let texts = self.text.to_all(Utterances {
            said: query.said,
            user: query.user,
        })?;
        // The nearest so far, in order. Few examples get here, so only these are checked for
        // being usable.
        let most = selection.nearest.min(self.examples.len());
        let mut nearest: Vec<(f64, &Example)> = Vec::with_capacity(most + 1);
        for (example, (state, text)) in self.examples.iter().zip(states.into_iter().zip(texts)) {
            // Adding zero removes the sign of a negative zero, which `total_cmp` would order.
            let score = state + selection.alpha * text + 0.0;
            let before = nearest.partition_point(|(other, _)| other.total_cmp(&score).is_ge());
            if before < most && Self::is_usable(query, example) {
                nearest.insert(before, (score, example));
                nearest.truncate(most);
            }
        }
        Ok(nearest
            .into_iter()
            .rev()
            .map(|(_, example)| example)
            .collect())
    }
}
