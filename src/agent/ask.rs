//! Asking a model, and asking it again when its answer cannot be used.

use super::observe::progress;
use super::question::Question;
use super::{Agent, Exchange, Failure, Observer, TurnEvent, TurnReport};
use crate::error::FailureReason;
use crate::llm::{CutOff, Request};
use crate::prompts::{Again, cut};
use crate::retrieval::Task;

/// The mistake in an answer, as a sentence for the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Finding(pub String);

/// The most of a finding that is reported, in bytes: an answer can break a rule a thousand
/// times.
const FINDING: usize = 4000;

/// The least temperature at which another answer to the same prompt is drawn.
const ANOTHER: f32 = 0.7;

/// How much the temperature rises with each further answer that was rejected.
const WARMER: f32 = 0.2;

/// The answers to one question that may be rejected. A model that is told what is wrong either
/// mends it at once or not at all.
const MOST_REJECTED: u64 = 1;

/// The same for models that draw another answer by chance. Their prompt is not read
/// again, so a draw costs a second.
const MOST_REJECTED_DRAWS: u64 = 3;

impl Agent {
    /// The request for an answer: the one that the settings ask for, or another draw where the
    /// last one was rejected.
    fn request(&self, question: &Question<'_>) -> Request {
        let (settings, task) = (&self.settings, question.task());
        let max_tokens = match task {
            Task::Program => settings.program_tokens,
            Task::Response => settings.response_tokens,
        };
        let rejected = match settings.protocol.again() {
            Again::Drawn => question.rejected(),
            Again::Told => 0,
        };
        let least_temperature = match rejected {
            0 => 0.0,
            _ => ANOTHER + WARMER * (rejected - 1) as f32,
        };
        Request {
            messages: settings.protocol.sent(question.chat()),
            max_tokens,
            temperature: settings.temperature.max(least_temperature),
            stop: match self.domain.conduct {
                Some(_) => Vec::new(),
                None => (settings.protocol.stops(task).iter())
                    .map(|stop| (*stop).to_owned())
                    .collect(),
            },
            seed: Some(settings.sampling + rejected),
            grammar: None,
        }
    }

    /// The answers to one question that may be rejected before the turn does without another.
    pub(super) fn most_rejected(&self) -> u64 {
        match self.settings.protocol.again() {
            Again::Drawn => MOST_REJECTED_DRAWS,
            Again::Told => MOST_REJECTED,
        }
    }

    /// The model's answer. The exchange is kept in the report, whatever comes of it. A prompt
    /// that the model refuses as too long is shortened and sent again.
    ///
    /// An answer that is not whole is a failure: part of a program can be another program. It is
    /// not asked for again, because the next one would end in the same way.
    pub(super) async fn ask(
        &self,
        question: &mut Question<'_>,
        report: &mut TurnReport,
        observer: &mut dyn Observer,
    ) -> Result<String, Failure> {
        let (task, repair) = (question.task(), question.is_repair());
        loop {
            observer.event(TurnEvent::Asking { task, repair });
            let request = self.request(question);
            let max_tokens = request.max_tokens;
            let answer = {
                let mut hear = |heard: crate::llm::Progress<'_>| progress(observer, task, heard);
                self.model.complete(&request, &mut hear).await
            };
            report.exchanges.push(Exchange {
                task,
                request,
                answer: answer.as_ref().map_err(ToString::to_string).cloned(),
                finding: None,
            });
            match answer {
                Err(error)
                    if error.is(FailureReason::PromptTooLong)
                        && self.shorten(question, observer)? => {}
                answer => {
                    let completion = answer.map_err(Failure::Model)?;
                    return match completion.cut_off(max_tokens) {
                        None => Ok(completion.text),
                        Some(cut_off) => Err(not_whole(task, cut_off, report, observer)),
                    };
                }
            }
        }
    }

    /// Sends an answer back on behalf of an aid: the model is asked again and told why. Fails
    /// if that aid is off, or the longer prompt does not fit.
    pub(super) fn send_back(
        &self,
        question: &mut Question<'_>,
        aid: &'static str,
        finding: Finding,
        report: &mut TurnReport,
        observer: &mut dyn Observer,
    ) -> Result<(), Failure> {
        if !self.settings.assist.has(aid) {
            return Err(not_understood(question, finding, report, observer));
        }
        let task = question.task();
        let (answer, finding) = note(finding, task, report, observer);
        report.note_aid(aid, task);
        self.ask_again(question, answer, finding, observer)
    }
}

/// The failure of a turn whose last answer cannot be used.
pub(super) fn not_understood(
    question: &Question<'_>,
    finding: Finding,
    report: &mut TurnReport,
    observer: &mut dyn Observer,
) -> Failure {
    let task = question.task();
    let (_, finding) = note(finding, task, report, observer);
    Failure::NotUnderstood {
        task,
        finding,
        asked_again: question.is_repair(),
    }
}

/// The failure of a request whose answer is not whole.
fn not_whole(
    task: Task,
    cut_off: CutOff,
    report: &mut TurnReport,
    observer: &mut dyn Observer,
) -> Failure {
    let finding = format!("the answer was cut off: {cut_off}");
    note(Finding(finding), task, report, observer);
    Failure::CutOff { task, cut_off }
}

/// Notes in the report what is wrong with the last answer. Gives the answer and the finding.
fn note(
    finding: Finding,
    task: Task,
    report: &mut TurnReport,
    observer: &mut dyn Observer,
) -> (String, String) {
    let finding = cut(&finding.0, FINDING);
    let mut text = String::new();
    if let Some(exchange) = report.exchanges.last_mut() {
        if let Ok(completion) = &exchange.answer {
            text.clone_from(&completion.text);
        }
        exchange.finding = Some(finding.clone());
    }
    observer.event(TurnEvent::Unusable {
        task,
        finding: &finding,
    });
    (text, finding)
}
