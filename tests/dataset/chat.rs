//! Lessons for fine-tuning are what an agent really asks.

use crate::support::sandbox;
use async_trait::async_trait;
use dialog2api::Result;
use dialog2api::agent::{Agent, Session, Settings, Unwatched};
use dialog2api::dataset::chat::{Lesson, lessons};
use dialog2api::dataset::{self, Dialogue, Split};
use dialog2api::dialogue::Transcript;
use dialog2api::domain::s3::S3;
use dialog2api::llm::{Completion, Message, Model, Progress, Request, Role, Usage};
use dialog2api::prompts::PromptSetting;
use dialog2api::retrieval::{ExamplePool, Selection};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::{Arc, Mutex};

/// A model that learnt these lessons by heart, and knows nothing else.
struct Pupil {
    lessons: Vec<Lesson>,
    /// Which answer of which lesson was given.
    used: Mutex<BTreeSet<(usize, usize)>>,
}

#[async_trait]
impl Model for Pupil {
    fn name(&self) -> &str {
        "pupil"
    }

    async fn complete(
        &self,
        request: &Request,
        _: &mut (dyn for<'p> FnMut(Progress<'p>) + Send),
    ) -> Result<Completion> {
        let messages: Vec<Message> = request.messages.iter().map(undated).collect();
        let asked = |lesson: &Lesson| lesson.messages.starts_with(&messages);
        let place = self.lessons.iter().position(asked);
        let place = place.unwrap_or_else(|| panic!("no lesson has {:#?}", request.messages));
        let answer = request.messages.len();
        self.used.lock().unwrap().insert((place, answer));
        Ok(Completion {
            text: self.lessons[place].messages[answer].content.clone(),
            finish: None,
            usage: Usage::default(),
        })
    }
}

/// A message without the date that an agent tells a model: dialogues, and so lessons, have none.
fn undated(message: &Message) -> Message {
    let mut message = message.clone();
    let dated = message.content.split_once(" (UTC).\n\n");
    if let Some((_, said)) = dated.filter(|(date, _)| date.starts_with("Today is ")) {
        message.content = said.to_owned();
    }
    message
}

fn train() -> Vec<Dialogue> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("datasets/s3/train");
    dataset::read(&root).expect("the training dialogues")
}

#[tokio::test]
async fn an_agent_asks_what_the_lessons_teach_and_does_what_they_say() {
    let sandbox = Arc::new(sandbox().await);
    let shown = Settings::default().shown_bytes;
    for setting in [PromptSetting::Both, PromptSetting::Examples] {
        for dialogue in train() {
            let lessons = lessons(std::slice::from_ref(&dialogue), &S3, setting, shown).unwrap();
            let pupil = Arc::new(Pupil {
                used: Mutex::default(),
                lessons,
            });
            let agent = Agent::new(
                pupil.clone(),
                sandbox.clone(),
                S3.initial_world(dialogue.world().expect("a world"))
                    .unwrap(),
                &S3,
                Arc::new(ExamplePool::new(&[], &S3).unwrap()),
                Settings {
                    prompt: setting,
                    examples: Selection {
                        nearest: 0,
                        alpha: 1.0,
                    },
                    sign: false,
                    ..Settings::unguarded()
                },
            );
            let agent = agent.unwrap();
            let greeted = Transcript {
                greeting: dialogue.transcript.greeting.clone(),
                ..Transcript::default()
            };
            let mut session = Session::resume(&greeted).expect("no turn breaks a rule");
            for turn in &dialogue.transcript.turns {
                let report = agent.turn(&mut session, &turn.user, &mut Unwatched).await;
                assert!(report.failure.is_none(), "{:?}", report.failure);
                assert_eq!(Some(report.reply), turn.response);
            }
            let used = pupil.used.lock().unwrap().len();
            assert_eq!(used, 2 * pupil.lessons.len(), "each is asked");
        }
    }
}

#[test]
fn a_lesson_is_a_system_message_and_two_questions_with_their_answers() {
    let dialogues = train();
    assert!(
        dialogues
            .iter()
            .all(|dialogue| dialogue.split == Some(Split::Train))
    );
    let shown = Settings::default().shown_bytes;
    let all = |setting| lessons(&dialogues, &S3, setting, shown).unwrap();
    let (with, without) = (all(PromptSetting::Both), all(PromptSetting::Examples));
    let turns: usize = dialogues.iter().map(|d| d.transcript.turns.len()).sum();
    assert_eq!((with.len(), without.len()), (turns, turns));
    for (with, without) in with.iter().zip(&without) {
        let roles = |lesson: &Lesson| -> Vec<Role> {
            lesson.messages.iter().map(|message| message.role).collect()
        };
        use Role::{Assistant, System, User};
        assert_eq!(roles(with), [System, User, Assistant, User, Assistant]);
        assert!(with.messages[2].content.starts_with("<goal "));
        assert!(with.messages[3].content.starts_with("Goal "));
        assert!(with.messages[4].content.starts_with("<turn>Agent: "));
        assert!(with.messages[0].content.contains("<def>"));
        assert!(!without.messages[0].content.contains("<def>"));
        assert_eq!(with.messages[1..], without.messages[1..]);
    }
}

#[test]
fn a_lesson_is_a_line_as_fine_tuning_takes_it() {
    let lesson = Lesson {
        messages: vec![Message {
            role: Role::Assistant,
            content: "x".to_owned(),
        }],
    };
    assert_eq!(
        serde_json::to_string(&lesson).unwrap(),
        r#"{"messages":[{"role":"assistant","content":"x"}]}"#
    );
}
