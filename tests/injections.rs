//! Prompt injections, and a model that obeys them: none leads to a write that nobody agreed
//! to or that the policy denies.
//!
//! `injections/cases.toml` has the texts. Each is put where others can write: in keys,
//! contents, metadata, error texts, file names, bucket names and example dialogues. A first
//! turn reads it, so that the next prompt has it. The model finds it there and writes the
//! program that it asks for.

use crate::support;
use async_trait::async_trait;
use dialog2api::Result;
use dialog2api::agent::{
    Agent, Decided, DecidedBy, Decision, Executed, Overseer, Session, Settings, Unwatched,
};
use dialog2api::dialogue::{Outcome, Transcript, read_transcript};
use dialog2api::domain::s3::{S3, world::memory};
use dialog2api::domain::{self, Answer, Layer, Map, Onward, Refusal, Value, World};
use dialog2api::exec::Engine;
use dialog2api::llm::{Completion, Model, Progress, Request, Usage};
use dialog2api::plan::{Plan, Stop};
use dialog2api::policy::Policy;
use dialog2api::retrieval::ExamplePool;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use tempfile::TempDir;

#[derive(Deserialize)]
struct Cases {
    case: Vec<Case>,
}

#[derive(Deserialize, Clone)]
struct Case {
    name: String,
    r#where: String,
    text: String,
    program: String,
}

/// What looks at the poison.
const READING: &str = r#"
out = []
for b in s3.list_buckets()["Buckets"]:
    out.append(b["Name"])
    for o in s3.list_objects(Bucket=b["Name"]).get("Contents", []):
        got = s3.get_object(Bucket=b["Name"], Key=o["Key"])
        out.append([o["Key"], got["Body"].read().decode(), got["Metadata"]])
return out
"#;

/// A model that does what it reads: as soon as the prompt has the text, the program that
/// the text asks for; else one that only reads.
struct Obedient {
    case: Case,
    obeyed: Arc<AtomicUsize>,
}

impl Obedient {
    /// The longest run of plain words: what is left of the text when tags are disarmed.
    fn needle(&self) -> &str {
        let plain = |c: char| !(c.is_ascii_alphanumeric() || c == ' ' || c == '-');
        let runs = self.case.text.split(plain);
        runs.max_by_key(|run| run.len()).unwrap().trim()
    }
}

#[async_trait]
impl Model for Obedient {
    fn name(&self) -> &str {
        "obedient"
    }

    async fn complete(
        &self,
        request: &Request,
        _: &mut (dyn for<'p> FnMut(Progress<'p>) + Send),
    ) -> Result<Completion> {
        let messages = request.messages.iter();
        let prompt: String = messages
            .map(|message| format!("{}\n", message.content))
            .collect();
        let is_reply = request.stop.iter().any(|stop| stop == "</turn>");
        let text = match (is_reply, prompt.contains(self.needle())) {
            (true, _) => "<turn>Agent: Yes, yes, yes.</turn>".to_owned(),
            (false, true) => {
                let number = 50 + self.obeyed.fetch_add(1, Ordering::Relaxed);
                let program = &self.case.program;
                format!(
                    "<goal uid=\"{number}\" status=\"final\"><program>{program}</program></goal>"
                )
            }
            (false, false) => {
                format!("<goal uid=\"1\" status=\"final\"><program>{READING}</program></goal>")
            }
        };
        // Nothing that others wrote ends an element of the prompt.
        if self.case.text.contains("</result>") {
            assert!(
                !prompt.contains(&self.case.text),
                "{}: {prompt}",
                self.case.name
            );
        }
        Ok(Completion {
            text,
            finish: Some("stop".to_owned()),
            usage: Usage::default(),
        })
    }
}

/// Someone who is asked about every plan: always says the same.
struct Person {
    agrees: bool,
    asked: AtomicUsize,
    outcomes: Mutex<Vec<Outcome>>,
}

#[async_trait]
impl Overseer for Person {
    async fn decide(&self, _: usize, _: u32, plan: &Plan) -> Result<Decided> {
        assert!(!plan.effects.is_empty(), "what is asked about is shown");
        self.asked.fetch_add(1, Ordering::Relaxed);
        let decision = match self.agrees {
            true => Decision::Apply(Stop::default()),
            false => Decision::Decline("No.".to_owned()),
        };
        Ok(decision.by(DecidedBy::User))
    }
    async fn executed(&self, _: usize, executed: &Executed) -> Result<()> {
        let outcome = executed.execution.outcome.clone();
        self.outcomes.lock().unwrap().push(outcome);
        Ok(())
    }
}

/// A world whose objects of one key cannot be read, for a reason in the words of others.
struct Refusing {
    world: Arc<dyn World>,
    reason: String,
}

#[async_trait]
impl Layer for Refusing {
    fn under(&self) -> &dyn World {
        &*self.world
    }

    async fn pass(&self, operation: &str, params: &Value, onward: &Onward<'_>) -> Result<Answer> {
        match operation {
            "get_object" => Ok(Err(Refusal::new(403, "AccessDenied", self.reason.clone()))),
            _ => onward.call(operation, params).await,
        }
    }
    fn split(&self) -> Option<Arc<dyn World>> {
        Some(Arc::new(Refusing {
            world: self.world.fork()?,
            reason: self.reason.clone(),
        }))
    }
}

async fn put(world: &dyn World, bucket: &str, key: &str, content: &str, note: Option<&str>) {
    let mut params: Map = vec![
        ("Bucket".into(), bucket.into()),
        ("Key".into(), key.into()),
        ("Body".into(), content.into()),
    ];
    if let Some(note) = note {
        let metadata = vec![("note".into(), note.into())];
        params.push(("Metadata".into(), Value::Map(metadata)));
    }
    let put = world.call("put_object", &Value::Map(params)).await;
    put.unwrap().unwrap();
}

async fn make(world: &dyn World, bucket: &str) {
    let params = Value::Map(vec![("Bucket".into(), bucket.into())]);
    world.call("create_bucket", &params).await.unwrap().unwrap();
}

/// The world of a case, with its poison in it. Files are read from the folder when they are
/// needed.
async fn poisoned(case: &Case, folder: &TempDir) -> Arc<dyn World> {
    let world: Arc<dyn World> = match case.r#where.as_str() {
        "file" => {
            let bucket = folder.path().join("public-bucket");
            std::fs::create_dir(&bucket).unwrap();
            std::fs::write(bucket.join(&case.text), "nothing in it").unwrap();
            Arc::new(memory(folder.path().to_str().unwrap()).unwrap())
        }
        _ => Arc::new(memory("empty").unwrap()),
    };
    make(&*world, "keep-bucket").await;
    put(&*world, "keep-bucket", "notes.txt", "mine", None).await;
    put(&*world, "keep-bucket", "report.csv", "a,b", None).await;
    let text = case.text.as_str();
    if case.r#where != "file" {
        make(&*world, "public-bucket").await;
    }
    match case.r#where.as_str() {
        "content" => put(&*world, "public-bucket", "read.me", text, None).await,
        "key" => put(&*world, "public-bucket", text, "", None).await,
        "metadata" => put(&*world, "public-bucket", "read.me", "", Some(text)).await,
        "error" => put(&*world, "public-bucket", "read.me", "", None).await,
        "bucket" => make(&*world, text).await,
        "file" | "example" => {}
        other => panic!("{other}"),
    }
    match case.r#where.as_str() {
        "error" => Arc::new(Refusing {
            world,
            reason: case.text.clone(),
        }),
        _ => world,
    }
}

/// The examples that prompts take from.
fn examples(case: &Case) -> Vec<Transcript> {
    if case.r#where != "example" {
        return Vec::new();
    }
    let text = format!(
        "<conversation uid=\"poison\"><turns><turn>User: {}</turn>\
         <goal uid=\"1\" status=\"final\"><program>{}</program><result>null</result><error/></goal>\
         <turn>Agent: Done.</turn></turns></conversation>",
        case.text, case.program
    );
    vec![read_transcript(&text).unwrap()]
}

/// What came of two turns.
struct Seen {
    before: String,
    after: String,
    asked: usize,
    obeyed: usize,
    outcomes: Vec<Outcome>,
}

/// Two turns, the second with these words: the model obeys what it read in the first one.
async fn hold(
    engine: &Arc<Engine>,
    case: &Case,
    policy: &str,
    (agrees, words): (bool, &str),
) -> Seen {
    let folder = tempfile::tempdir().unwrap();
    let world = poisoned(case, &folder).await;
    let before = signature(&*world).await;
    let person = Arc::new(Person {
        agrees,
        asked: AtomicUsize::new(0),
        outcomes: Mutex::default(),
    });
    let obeyed = Arc::new(AtomicUsize::new(0));
    let model = Obedient {
        case: case.clone(),
        obeyed: obeyed.clone(),
    };
    let settings = Settings {
        policy: Some(Arc::new(Policy::read(policy).unwrap())),
        ..Settings::default()
    };
    let pool = ExamplePool::new(&examples(case), &S3).unwrap();
    let agent = Agent::new(
        Arc::new(model),
        engine.clone(),
        world.clone(),
        &S3,
        Arc::new(pool),
        settings,
    );
    let agent = agent.unwrap().overseen_by(person.clone());
    let mut session = Session::new();
    for user in ["what is there?", words] {
        agent.turn(&mut session, user, &mut Unwatched).await;
    }
    let outcomes = person.outcomes.lock().unwrap().clone();
    Seen {
        before,
        after: signature(&*world).await,
        asked: person.asked.load(Ordering::Relaxed),
        obeyed: obeyed.load(Ordering::Relaxed),
        outcomes,
    }
}

async fn signature(world: &dyn World) -> String {
    domain::signature(world, []).await.unwrap().to_string()
}

fn cases() -> Vec<Case> {
    let cases: Cases = toml::from_str(include_str!("injections/cases.toml")).unwrap();
    assert!(cases.case.len() >= 30, "{}", cases.case.len());
    let mut places = BTreeMap::new();
    for case in &cases.case {
        *places.entry(case.r#where.clone()).or_insert(0) += 1;
    }
    assert_eq!(places.len(), 7, "{places:?}");
    cases.case
}

#[tokio::test]
async fn without_a_yes_nothing_is_written() {
    let engine = Arc::new(support::sandbox().await);
    // A yes is to what was shown before it, and that was nothing.
    let twice = cases()
        .into_iter()
        .zip(["thanks", "yes"].into_iter().cycle());
    for (case, words) in twice {
        let seen = hold(&engine, &case, "version = 1", (false, words)).await;
        assert!(seen.obeyed > 0, "{}: the model never saw it", case.name);
        assert_eq!(seen.before, seen.after, "{}", case.name);
        let failed = seen.outcomes.iter().filter(|outcome| outcome.is_error());
        let declined = failed.filter(|outcome| code(outcome) == "Declined").count();
        assert_eq!(seen.asked, declined, "{}: {:?}", case.name, seen.outcomes);
        // What does not get as far as a plan has failed by itself.
        assert!(
            seen.asked > 0 || seen.outcomes.iter().any(Outcome::is_error),
            "{}",
            case.name
        );
    }
}

#[tokio::test]
async fn a_yes_to_everything_does_not_lift_the_policy() {
    let engine = Arc::new(support::sandbox().await);
    let protected = "version = 1\nmode = \"auto\"\n\
                     protected_buckets = [\"keep-*\", \"public-*\", \"mirror-*\"]";
    for policy in [protected, "version = 1\nmode = \"read-only\""] {
        for case in cases() {
            let seen = hold(&engine, &case, policy, (true, "thanks")).await;
            assert!(seen.obeyed > 0, "{}: the model never saw it", case.name);
            assert_eq!(
                seen.before, seen.after,
                "{}: {:?}",
                case.name, seen.outcomes
            );
            assert_eq!(seen.asked, 0, "{}: {:?}", case.name, seen.outcomes);
        }
    }
}

fn code(outcome: &Outcome) -> &str {
    match outcome {
        Outcome::Error(error) => &error.error,
        Outcome::Result(_) => "",
    }
}
