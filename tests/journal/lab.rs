//! A scripted agent whose programs are calls, and its sessions.

use crate::plan::lab::{block_on, world};
use crate::support::calls::Calls;
use async_trait::async_trait;
use dialog2api::Result;
use dialog2api::agent::{Agent, Decided, Decision, Overseer, Session, Settings, Unwatched};
use dialog2api::dialogue::write_transcript;
use dialog2api::domain::{World, s3::S3};
use dialog2api::journal::{
    AskedOnce, Begin, DecidedBy, Journal, JournalClock, Journaled, Origin, SessionStore,
};
use dialog2api::llm::Script;
use dialog2api::plan::{Keeping, Plan, Stop, undo};
use dialog2api::prompts::PromptSetting;
use dialog2api::retrieval::ExamplePool;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering::Relaxed};
use tempfile::TempDir;

/// A store with a clock that goes on by a second at each look.
pub fn store() -> (TempDir, SessionStore) {
    let folder = tempfile::tempdir().unwrap();
    let store = SessionStore::at(folder.path().join("sessions")).with_clock(clock());
    (folder, store)
}

pub fn clock() -> JournalClock {
    let seconds = AtomicI64::new(1_700_000_000);
    Arc::new(move || jiff::Timestamp::from_second(seconds.fetch_add(1, Relaxed)).unwrap())
}

pub fn begin() -> Begin {
    Begin::new("letters", "script")
}

/// What is said, what the model answers to it, and what the user says to a plan.
pub struct Said {
    pub user: &'static str,
    pub answers: &'static [&'static str],
}

/// Every kind of turn: writes agreed to, a draft, an answer that has to be repaired, a
/// failure, a plan that is declined, and a turn without an answer that can be used.
pub const SCRIPT: &[Said] = &[
    Said {
        user: "make new things",
        answers: &[
            "<goal uid=\"1\" status=\"final\"><program>put a/new fresh\ncopy a/x b/copy\ndelete a/y\n\
             return 3</program></goal>\n\
             <goal uid=\"8\" status=\"final\"><program>put b/eight 8\ncopy b/eight a/eight</program></goal>",
            "<turn>Agent: Five things are done.</turn>",
        ],
    },
    Said {
        user: "  prepare another  ",
        answers: &[
            "nonsense",
            "<goal uid=\"2\" status=\"drafting\"><program>put a/late ?1</program></goal>",
            "<turn>Agent: What is to be in it?</turn>",
        ],
    },
    Said {
        user: "\"decline\" it, and look",
        answers: &[
            "<goal uid=\"2\" status=\"final\"><program>put a/late declined</program></goal>\n\
             <goal uid=\"3\" status=\"final\"><program>list a\nreturn [1, 2.5, \"<b>\"]</program></goal>",
            "<turn>Agent: I did not.</turn>",
        ],
    },
    Said {
        user: "fail",
        answers: &[
            "<goal uid=\"4\" status=\"final\"><program>put a/lost x\nraise KeyError</program></goal>",
            "<turn>Agent: That failed.</turn>",
        ],
    },
    Said {
        user: "nobody understands",
        answers: &["nonsense", "nonsense"],
    },
    Said {
        user: "and one more",
        answers: &[
            "<goal uid=\"6\" status=\"final\"><program>put a/x over\ndelete b/x</program></goal>",
            "<turn>Agent: Done &amp; done.</turn>",
        ],
    },
];

/// Agrees, but to what the script says otherwise of.
pub struct User;

#[async_trait]
impl Overseer for User {
    async fn decide(&self, _: usize, uid: u32, _: &Plan) -> Result<Decided> {
        Ok(match uid {
            2 => Decision::Decline("The user said no.".to_owned()).by(DecidedBy::User),
            _ => Decision::Apply(Stop::default()).by(DecidedBy::Policy),
        })
    }
}

/// An agent in this world whose model has answered so often already.
pub fn agent(world: &Arc<dyn World>, journal: &Arc<Journal>, answered: usize) -> Agent {
    let answers = SCRIPT.iter().flat_map(|said| said.answers);
    let model = Arc::new(Script::new(answers.skip(answered).copied()));
    let model = AskedOnce::new(model, journal.clone(), false);
    let pool = Arc::new(ExamplePool::new(&[], &S3).unwrap());
    let settings = Settings {
        prompt: PromptSetting::Api,
        ..Settings::default()
    };
    let agent = Agent::new(
        Arc::new(model),
        Arc::new(Calls),
        world.clone(),
        &S3,
        pool,
        settings,
    );
    let overseer = Journaled::new(journal.clone(), S3.clone(), User);
    agent.unwrap().overseen_by(Arc::new(overseer))
}

/// Goes on with the script to its end: what was not said, and the turn that did not end.
/// Before the last turn the first one is undone.
pub fn play(world: &Arc<dyn World>, journal: &Arc<Journal>) -> Session {
    let (state, asked) = journal.with_state(|state| {
        let turns = state.turns.iter().chain(&state.unfinished);
        let asked = turns.map(|turn| turn.asked.len()).sum();
        (state.clone(), asked)
    });
    let agent = agent(world, journal, asked);
    let mut session = state.session().unwrap();
    for (turn, said) in SCRIPT.iter().enumerate().skip(state.turns.len()) {
        if turn + 1 == SCRIPT.len() {
            undo_first(world, journal);
        }
        block_on(agent.turn(&mut session, said.user, &mut Unwatched));
    }
    if !journal.with_state(|state| state.ended) {
        journal.ended().unwrap();
    }
    session
}

/// Takes back what the first plan did, or goes on with that.
fn undo_first(world: &Arc<dyn World>, journal: &Journal) {
    let state = journal.state();
    // A plan that was not decided on before the session was cut off was made once more.
    let first = state.plan_of(1, 1).unwrap();
    let of = first.planned.id;
    if first.undone {
        return;
    }
    let begun = state
        .plans
        .iter()
        .find(|known| known.planned.origin == Origin::Undo { of });
    let id = match begun {
        Some(known) => known.planned.id,
        None => {
            let (plan, earlier) = journal.plan_and_steps(of).unwrap();
            let undo = undo(
                crate::plan::lab::planning(),
                &plan.writes,
                &earlier.made,
                Keeping::default(),
            );
            assert_eq!(undo.lost, []);
            journal.plan(Origin::Undo { of }, &undo.plan).unwrap()
        }
    };
    if begun.is_none_or(|known| known.decided.is_none()) {
        let decision = Decision::Apply(Stop::default());
        journal.decided(id, &decision, DecidedBy::User).unwrap();
    }
    let (plan, earlier) = journal.plan_and_steps(id).unwrap();
    let mut apply = crate::plan::lab::apply(&**world, &plan.writes);
    apply.earlier = earlier;
    let applied = block_on(apply.run(&mut *journal.record(id), &mut |_| ()));
    assert!(applied.is_whole(), "{:?}", applied.end);
    journal.applied(id, &applied).unwrap();
    journal.undone(of).unwrap();
}

/// All that can be seen of a session: the dialogue, the stack, and the agent's words.
pub fn seen(session: &Session) -> String {
    format!(
        "{}{:?}\n{}\n",
        write_transcript(&session.transcript("it")),
        session.stack(),
        session.said()
    )
}

/// The whole script in a session of this name.
pub fn whole(store: &SessionStore, name: &str) -> (Arc<dyn World>, Session) {
    let world = world();
    let journal = Arc::new(store.begin(Some(name), begin()).unwrap());
    let session = play(&world, &journal);
    (world, session)
}
