//! Dialogues from templates: the same seed gives the same bytes.
//!
//! A dataset's folder `generator/` has the templates: worlds, goals with several phrasings
//! each, and what people say in between. Values and the course of each dialogue are drawn at
//! random. Every program runs as soon as it is final, so that replies, follow-ups and repairs
//! after an error are about what really happened. The page
//! [A dataset of your own](crate::documentation::own_dataset) shows the templates.
//!
//! All of it works for any domain. Templates see a world as data, and the lists that the domain
//! makes of it ([`Worlds::lists`](crate::domain::Worlds::lists)).

mod apart;
mod besides;
mod chance;
mod contents;
mod figures;
mod play;
mod scene;
mod stage;
mod starts;
mod talk;
mod templates;
mod wish;
mod wording;

pub use apart::Nearest;
pub use figures::Figures;
pub use templates::Templates;

use super::check::unasked;
use super::{Dialogue, Replayer};
use crate::dialogue::{Transcript, write_transcript};
use crate::domain::{self, Domain};
use crate::error::{Error, Result};
use apart::TestPart;
use chance::Chance;
use scene::Scene;
use serde_json::json;
use stage::{Names, Stage};
use starts::{Start, Starts};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use tokio::task::JoinSet;

/// How often a dialogue is drawn again before the templates are at fault.
const ATTEMPTS: usize = 40;

/// Makes dialogues.
pub struct Generator {
    templates: Templates,
    test: TestPart,
    replayer: Replayer,
    domain: Arc<Domain>,
}

/// A generated set.
pub struct Generated {
    /// Its files, relative to its folder: dialogues, worlds and the list of goals.
    pub files: Vec<(PathBuf, String)>,
    /// Its figures.
    pub figures: Figures,
    /// For each dialogue, the test utterance that it is most like.
    pub nearest: Vec<(String, Option<Nearest>)>,
}

/// Why a dialogue cannot be told as it was drawn.
enum Stop {
    /// A value, an outcome or a phrasing does not fit: another draw may.
    Unfit(String),
    /// The sandbox or the world failed.
    Failed(Error),
}

impl Stop {
    fn unfit(template: &str, error: &minijinja::Error) -> Self {
        Stop::Unfit(format!("{template:?}: {error:#}"))
    }
}

/// A generated dialogue, and what it consists of.
struct Told {
    uid: String,
    goal: String,
    text: String,
    figures: Figures,
    nearest: Option<Nearest>,
}

impl Generator {
    /// A generator that stays apart from the test part of `dialogues`.
    pub fn new(
        templates: Templates,
        dialogues: &[Dialogue],
        replayer: Replayer,
        domain: &Arc<Domain>,
    ) -> Self {
        Generator {
            templates,
            test: TestPart::of(dialogues),
            replayer,
            domain: domain.clone(),
        }
    }

    /// Makes a set of `count` dialogues. `told` is called after each.
    ///
    /// # Errors
    /// The templates do not fit together, or the sandbox or a world failed.
    pub async fn generate(
        self: &Arc<Self>,
        seed: u64,
        count: usize,
        told: impl Fn(usize),
    ) -> Result<Generated> {
        let starts = Arc::new(Starts::of(&self.templates, &self.domain, seed, count)?);
        let (mut tasks, mut all) = (JoinSet::new(), BTreeMap::new());
        for number in 0..count {
            let (generator, starts) = (self.clone(), starts.clone());
            tasks.spawn(async move {
                let told = generator.tell(seed, number, &starts).await?;
                Ok::<_, Error>((number, told))
            });
        }
        while let Some(ended) = tasks.join_next().await {
            let (number, one) = ended.map_err(Error::lost)??;
            all.insert(number, one);
            told(all.len());
        }
        self.collected(seed, starts.files.clone(), all.into_values())
    }

    fn collected(
        &self,
        seed: u64,
        mut files: Vec<(PathBuf, String)>,
        all: impl Iterator<Item = Told>,
    ) -> Result<Generated> {
        let (mut figures, mut nearest) = (Figures::default(), Vec::new());
        let mut goals: BTreeMap<String, String> = BTreeMap::new();
        for told in all {
            files.push((PathBuf::from(format!("train/{}.xml", told.uid)), told.text));
            figures.add(&told.figures);
            nearest.push((told.uid, told.nearest));
            let said = self
                .templates
                .goal(&told.goal)
                .and_then(|goal| goal.say.first());
            let said = said.cloned().unwrap_or_default();
            goals.entry(told.goal).or_insert(said);
        }
        let goals: Vec<_> = goals
            .iter()
            .map(|(id, say)| json!({ "id": id, "split": "train", "utterance": say }))
            .collect();
        let list = toml::to_string(&json!({ "paraphrases": true, "goal": goals }))
            .map_err(|error| Error::usage(format!("the list of goals: {error}")))?;
        let made = format!("# Made by `dialog2api dataset generate --seed {seed}`.\n\n");
        files.push((super::set::CATALOGUE.into(), made + &list));
        Ok(Generated {
            files,
            figures,
            nearest,
        })
    }

    /// A dialogue. What does not fit is drawn again.
    async fn tell(&self, seed: u64, number: usize, starts: &Starts) -> Result<Told> {
        let nowhere = || Error::usage("there is no world to start from");
        let start = starts.start(number).ok_or_else(nowhere)?;
        let mut reason = String::new();
        for attempt in 0..ATTEMPTS {
            let chance = Chance::of(seed, "dialogue", number, attempt);
            let contents = Some(start.contents.clone());
            let stage = Stage::new(&self.templates.talk, chance, contents);
            match self.attempt(number, stage, start, starts).await {
                Ok(mut told) => {
                    told.figures.redrawn = attempt;
                    return Ok(told);
                }
                Err(Stop::Unfit(why)) => reason = why,
                Err(Stop::Failed(error)) => return Err(error),
            }
        }
        Err(Error::usage(format!(
            "no dialogue fits after {ATTEMPTS} draws with the templates of this dataset: {reason}"
        )))
    }

    async fn attempt(
        &self,
        number: usize,
        stage: Stage<'_>,
        start: &Start,
        starts: &Starts,
    ) -> Result<Told, Stop> {
        let world = starts.open(start).map_err(Stop::Failed)?;
        let initial = domain::signature(&*world, []).await.map_err(Stop::Failed)?;
        let greeting = stage.spoken(&self.templates.talk.greeting, &Names::new())?;
        let mut scene = Scene::new(&self.templates, stage, self.replayer.start(world));
        play::play(&mut scene).await?;
        let goal = scene.first.unwrap_or("talk").to_owned();
        let uid = format!("{goal}-{number:05}");
        let transcript = Transcript {
            uid: uid.clone(),
            attributes: vec![
                ("goal".to_owned(), goal.clone()),
                ("world".to_owned(), start.name.clone()),
            ],
            initial_signature: Some(initial.to_string()),
            greeting: Some(greeting),
            turns: scene.turns,
        };
        let users = transcript.turns.iter().map(|turn| turn.user.as_str());
        let nearest = self.test.nearest(users);
        if let Some(near) = nearest.as_ref().filter(|it| it.is_too_near()) {
            return Err(Stop::Unfit(format!(
                "too near to {:?} of the test part",
                near.text
            )));
        }
        let unasked = unasked(&self.replayer, || starts.open(start), &transcript).await;
        if let Some((_, _, problem)) = unasked.map_err(Stop::Failed)?.into_iter().next() {
            return Err(Stop::Unfit(problem));
        }
        let text = write_transcript(&transcript);
        let longest = self.templates.talk.longest;
        if longest.is_some_and(|longest| text.len() > longest) {
            return Err(Stop::Unfit(format!("{} bytes are too long", text.len())));
        }
        let mut figures = scene.figures;
        figures.finish(&transcript, text.len());
        Ok(Told {
            uid,
            goal,
            text,
            figures,
            nearest,
        })
    }
}
