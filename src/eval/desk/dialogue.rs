//! One dialogue of a user and an assistant.

use super::assistant::{Assistant, Reply};
use super::log::{AssistantKind, DeskEnd, DeskTurn, ProgramOutcome, RowRecipe};
use super::rows::RowsInPrompt;
use super::runner::DeskRunner;
use super::template::Template;
use super::user::Speaker;
use crate::error::{Error, Result};
use crate::eval::runner::RunStop;
use crate::games::{Asker, Sampling};
use crate::llm::{Model, Usage};
use serde_json::{Value as Json, json};
use std::collections::BTreeMap;
use std::sync::Arc;
use typed_claims::dialogues::Dialogue;
use typed_claims::simulate::{CheckedDialogue, Desk, Outcome, drawn};
use typed_claims::{Claim, Kind, Row, Verdict};

impl DeskRunner {
    /// One dialogue, as the lines of the log. None if it was stopped before its end.
    pub(super) async fn dialogue(
        &self,
        dialogue: &Dialogue,
        model: Option<Arc<dyn Model>>,
        stop: &RunStop,
    ) -> Result<Option<Vec<DeskTurn>>> {
        let asker = model.map(|model| Asker::new(model, Sampling::default()));
        let model = asker.clone().map(|asker| Arc::new(asker) as Arc<dyn Model>);
        let all = self.catalogue.rows();
        let rows = match self.run.rows {
            RowRecipe::Full => all.to_vec(),
            RowRecipe::Random(count) => drawn(all, count, self.run.seed, &dialogue.id),
        };
        let mut assistant = self.assistant(dialogue, &rows, model.clone())?;
        let mut user = Speaker::new(
            self.run.user,
            dialogue,
            &self.words,
            &self.run.language,
            model.as_ref(),
            (self.run.temperature, self.run.seed),
        )?;
        let mut checked = CheckedDialogue::new(&self.schema, &self.lexicon, &self.catalogue, &rows);
        if self.run.assistant == AssistantKind::Rows {
            checked.without_evidence();
        }
        let (mut turns, mut verdicts, mut strayed) = (Vec::new(), Vec::new(), false);
        if stop.is_stopped() {
            return Ok(None);
        }
        let mut said = user.open().await?;
        loop {
            checked.hear(&said.text, user.wishes());
            strayed |= strays(dialogue, checked.wishes(), &verdicts);
            if stop.is_stopped() {
                return Ok(None);
            }
            let Reply {
                mut answer,
                plain,
                cut_prompt,
            } = assistant.answer(&said).await?;
            let reply = answer.text.clone();
            if plain {
                // The model did not say this, so it has no claims.
                answer.text.clear();
            }
            let (verdict, asked) = checked.check(&answer);
            let claims = verdict.claims.iter().map(logged).collect::<Result<_>>()?;
            let programs = answer.programs.into_iter();
            let programs = programs.map(|(literals, result)| ProgramOutcome { literals, result });
            let number = turns.len() + 1;
            let mut turn = DeskTurn {
                dialogue: dialogue.id.clone(),
                turn: u32::try_from(number).unwrap_or(u32::MAX),
                user: std::mem::take(&mut said.text),
                wishes: checked.wishes().clone(),
                reply,
                plain,
                cut_prompt,
                programs: programs.collect(),
                claims,
                flags: verdict.flags,
                end: None,
            };
            let Some(outcome) = user.outcome(number) else {
                said = user.hear(&turn.reply, &verdict, &asked).await?;
                turns.push(turn);
                verdicts.push(verdict);
                continue;
            };
            verdicts.push(verdict);
            let asked = asker.as_ref().map(Asker::take).unwrap_or_default();
            let mut usage = Usage::default();
            asked.iter().for_each(|asked| usage += asked.usage);
            turn.end = Some(DeskEnd {
                outcome: name(outcome).to_owned(),
                reached: user.reached(&rows, &verdicts),
                strayed,
                requests: u32::try_from(asked.len()).unwrap_or(u32::MAX),
                usage,
            });
            turns.push(turn);
            return Ok(Some(turns));
        }
    }

    fn assistant<'a>(
        &'a self,
        dialogue: &Dialogue,
        rows: &'a [Row],
        model: Option<Arc<dyn Model>>,
    ) -> Result<Box<dyn Assistant + 'a>> {
        let (seed, refused) = (self.run.seed, dialogue.goal.refused());
        let missing = || Error::usage("a model has to answer: name it with --model");
        Ok(match (self.run.assistant, &self.programs) {
            (AssistantKind::Template, _) => {
                let desk = Desk::new(rows, &self.words, refused, seed, &dialogue.id);
                Box::new(Template(desk))
            }
            (AssistantKind::Programs, Some(programs)) => {
                let model = model.ok_or_else(missing)?;
                Box::new(programs.about(rows, refused, model, seed)?)
            }
            (AssistantKind::Rows | AssistantKind::Programs, _) => {
                let model = model.ok_or_else(missing)?;
                let sampling = (self.run.temperature, seed);
                Box::new(RowsInPrompt::new(model, &self.run.language, rows, sampling))
            }
        })
    }
}

/// A claim for the log.
fn logged(claim: &Claim) -> Result<Json> {
    let wrong = |error| Error::world(format!("a claim cannot be written: {error}"));
    let mut json = serde_json::to_value(claim).map_err(wrong)?;
    json["known"] = json!(claim.in_kb);
    json["supported"] = json!(claim.evidenced);
    Ok(json)
}

/// Whether the user wishes for a value that neither the goal nor a reply has.
fn strays(
    dialogue: &Dialogue,
    wishes: &BTreeMap<String, Vec<String>>,
    verdicts: &[Verdict],
) -> bool {
    let goal = &dialogue.goal;
    let wanted = |value: &String| {
        let mut values = goal.info.values().chain(goal.fail_info.values());
        values.any(|wanted| wanted == value)
    };
    let claims = || verdicts.iter().flat_map(|verdict| &verdict.claims);
    let told = |value: &String| claims().any(|claim| has_value(&claim.kind, value));
    let mut values = wishes.values().flatten();
    values.any(|value| !wanted(value) && !told(value))
}

/// Whether a claim speaks of a value.
fn has_value(kind: &Kind, value: &String) -> bool {
    match kind {
        Kind::Slot { value: values, .. } => values.contains(value),
        Kind::Count { constraints, .. }
        | Kind::None(constraints)
        | Kind::Exists(constraints)
        | Kind::All { constraints, .. } => constraints.values().flatten().any(|it| it == value),
        _ => false,
    }
}

fn name(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Done => "done",
        Outcome::Failed => "failed",
        Outcome::Stuck => "stuck",
        Outcome::Cut => "cut",
    }
}
