//! One open session, and the program that runs in it.

use super::told::Told;
use crate::dialogue::Program;
use crate::domain::Domain;
use crate::error::{Error, Result};
use crate::journal::plan_id;
use crate::llm::{Completion, Model, Progress, Request};
use crate::service::{
    Conversation, CostView, CutOffApply, Event, Events, PlanAnswer, PlanView, Settle, TurnView,
    Undone,
};
use async_trait::async_trait;
use sha2::{Digest, Sha256};
use std::sync::Arc;
use tokio::sync::Mutex;
use tokio::task::JoinHandle;

/// The model of a session whose programs come from a client. It is never asked.
pub struct OfClient;

#[async_trait]
impl Model for OfClient {
    fn name(&self) -> &str {
        "mcp"
    }

    async fn complete(
        &self,
        _: &Request,
        _: &mut (dyn for<'p> FnMut(Progress<'p>) + Send),
    ) -> Result<Completion> {
        Err(Error::model(
            "the programs of this session come from an MCP client",
        ))
    }
}

/// An open session.
pub struct Open {
    pub name: String,
    pub conversation: Arc<Conversation>,
    domain: Arc<Domain>,
    course: Mutex<Course>,
    /// Held by a call while it begins something or answers, and waits for what follows.
    pub calls: Mutex<()>,
}

/// What happens in a session: at most one program, undo or settlement at a time.
struct Course {
    events: Events,
    work: Option<(Begun, JoinHandle<Result<Ended>>)>,
    waiting: Option<Waiting>,
    told: Told,
}

/// What was begun.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Begun {
    /// This program.
    Program(Program),
    /// An undo of the last program.
    Undo,
    /// What an interruption had cut off.
    Rest,
}

/// What came to its end.
pub enum Ended {
    /// A program, in this turn.
    Turn(Box<TurnView>),
    /// An undo, or the finish of one that was cut off.
    Undone(Undone),
    /// There was nothing left to do.
    Nothing,
}

fn ended(turn: TurnView) -> Ended {
    Ended::Turn(Box::new(turn))
}

/// What waits for the answer of a person.
#[derive(Clone)]
pub struct Waiting {
    /// The name of what waits.
    pub id: String,
    /// What it is.
    pub what: Asked,
}

/// A question.
#[derive(Clone)]
pub enum Asked {
    /// Whether a plan is carried out.
    Plan(Box<PlanView>),
    /// Whether a program goes on because of this cost.
    GoOn(CostView),
    /// Whether a plan is finished whose apply was cut off.
    Finish(Box<PlanView>, CutOffApply),
}

/// How far a session has come.
pub enum Standing {
    /// A person is asked.
    Waiting(Waiting),
    /// It has just ended.
    Ended(Ended),
    /// Nothing is under way.
    Idle,
}

impl Open {
    /// A session whose conversation was opened. What was interrupted goes on.
    pub fn new(conversation: Conversation, domain: &Arc<Domain>) -> Arc<Open> {
        // Also what was told while it was opened.
        let events = conversation.events(0);
        let open = Arc::new(Open {
            name: conversation.open_session().journal().name().to_owned(),
            conversation: Arc::new(conversation),
            domain: domain.clone(),
            calls: Mutex::default(),
            course: Mutex::new(Course {
                events,
                work: None,
                waiting: None,
                told: Told::default(),
            }),
        });
        if let Ok(mut course) = open.course.try_lock() {
            match open.conversation.cut_off() {
                Some(cut_off) => course.waiting = open.cut_off(cut_off),
                None if open.is_interrupted() => {
                    let conversation = open.conversation.clone();
                    course.begin(open.interrupted(), async move {
                        let turn = conversation.carry_on().await?;
                        Ok(turn.map_or(Ended::Nothing, ended))
                    });
                }
                None => {}
            }
        }
        open
    }

    fn is_interrupted(&self) -> bool {
        self.conversation
            .open_session()
            .journal()
            .unfinished()
            .is_some()
    }

    /// The program that goes on after an interruption, so that it is known when it is sent again.
    fn interrupted(&self) -> Begun {
        let unfinished = self.conversation.open_session().journal().unfinished();
        let updates = unfinished.and_then(|turn| turn.updates).unwrap_or_default();
        let program = match &updates[..] {
            [update] => update.program.as_ref(),
            _ => None,
        };
        program.map_or(Begun::Rest, |it| Begun::Program(Program::new(it.code())))
    }

    /// The plan whose apply was cut off.
    fn cut_off(&self, cut_off: CutOffApply) -> Option<Waiting> {
        let journal = self.conversation.open_session().journal();
        journal.with_state(|state| {
            let planned = &state.plan(cut_off.plan)?.planned;
            let plan = planned.shown(journal.contents());
            let view = PlanView::new(planned.id, planned.origin, &plan, &self.domain.words);
            let view = view.with_file(journal.folder());
            Some(Waiting {
                id: plan_id(&self.name, planned),
                what: Asked::Finish(Box::new(view), cut_off),
            })
        })
    }

    /// Begins a program, unless something else is under way: the error says what. The same
    /// program, while its plan waits, is not begun again.
    pub async fn begin(&self, begun: Begun, purpose: &str) -> Result<()> {
        let mut course = self.course.lock().await;
        if let Some((known, _)) = &course.work
            && *known == begun
        {
            return Ok(());
        }
        if let Some(Waiting { id, .. }) = &course.waiting {
            return Err(Error::usage(format!(
                "{id} waits for an answer in the session {}: call apply or discard with it first",
                self.name
            )));
        }
        if course.work.is_some() {
            return Err(Error::usage(format!(
                "something else still runs in the session {}",
                self.name
            )));
        }
        while let Some(event) = course.events.try_recv() {
            course.told.hear(&event);
        }
        let conversation = self.conversation.clone();
        let purpose = purpose.to_owned();
        let known = begun.clone();
        course.begin(known, async move {
            match begun {
                Begun::Program(program) => {
                    let turn = conversation.run(&purpose, program.code()).await;
                    turn.map(ended)
                }
                Begun::Undo => conversation.undo(None).await.map(Ended::Undone),
                Begun::Rest => Ok(Ended::Nothing),
            }
        });
        Ok(())
    }

    /// Waits until a person has to be asked, or until what is under way has ended.
    pub async fn standing(&self) -> Result<Standing> {
        let mut course = self.course.lock().await;
        let Course {
            events,
            work,
            waiting,
            told,
        } = &mut *course;
        if let Some(waiting) = waiting {
            return Ok(Standing::Waiting(waiting.clone()));
        }
        let Some((_, task)) = work else {
            return Ok(Standing::Idle);
        };
        let ended = loop {
            tokio::select! {
                biased;
                Some(event) = events.recv() => {
                    told.hear(&event);
                    if let Some(asked) = self.asked(event) {
                        *waiting = Some(asked.clone());
                        return Ok(Standing::Waiting(asked));
                    }
                }
                ended = &mut *task => break ended,
            }
        };
        while let Some(event) = events.try_recv() {
            told.hear(&event);
        }
        *work = None;
        let ended = ended.map_err(Error::lost)?;
        ended.map(Standing::Ended)
    }

    /// What was told of the world since this was asked last.
    pub async fn told(&self) -> Told {
        std::mem::take(&mut self.course.lock().await.told)
    }

    /// The question that an event is.
    fn asked(&self, event: Event) -> Option<Waiting> {
        match event {
            Event::Plan(plan) => {
                let journal = self.conversation.open_session().journal();
                let id = journal.with_state(|state| {
                    let known = state.plan(plan.plan)?;
                    Some(plan_id(&self.name, &known.planned))
                });
                Some(Waiting {
                    id: id?,
                    what: Asked::Plan(plan),
                })
            }
            Event::Costly(cost) => {
                let CostView { uid, costly, .. } = &*cost;
                let digest = Sha256::digest(format!("{} {uid} {costly}", self.name));
                let digits: String = const_hex::encode(digest);
                Some(Waiting {
                    id: format!("{}:{}", self.name, digits.get(..16)?),
                    what: Asked::GoOn(*cost),
                })
            }
            _ => None,
        }
    }

    /// Answers what waits. Nothing happens if that is not what the answer is to.
    ///
    /// # Errors
    /// An apply that was cut off cannot be left as it is.
    pub async fn answer(&self, id: &str, answer: PlanAnswer) -> Result<()> {
        let mut course = self.course.lock().await;
        let Some(waiting) = course.waiting.take_if(|waiting| waiting.id == id) else {
            return Ok(());
        };
        let applies = answer == PlanAnswer::Apply;
        match &waiting.what {
            Asked::Plan(plan) => self.conversation.decide(plan.plan, answer),
            Asked::GoOn(cost) => self.conversation.let_go_on(cost.id, applies),
            Asked::Finish(..) if applies => {
                let conversation = self.conversation.clone();
                course.begin(Begun::Rest, async move {
                    if let Some(undone) = conversation.settle(Settle::Finish).await? {
                        return Ok(Ended::Undone(undone));
                    }
                    let turn = conversation.carry_on().await?;
                    Ok(turn.map_or(Ended::Nothing, ended))
                });
                Ok(())
            }
            Asked::Finish(..) => {
                course.waiting = Some(waiting);
                Err(Error::usage(format!(
                    "an apply was cut off after some of its writes. apply finishes it; \
                     `dialog2api session undo {}` in a terminal takes it back",
                    self.name
                )))
            }
        }
    }

    /// What keeps the session open, in a clause with the way to its end.
    pub fn holding(&self) -> String {
        let waiting = match self.course.try_lock() {
            Ok(course) => course.waiting.as_ref().map(|it| it.id.clone()),
            Err(_) => None,
        };
        match waiting {
            Some(id) => format!("{id} waits for an answer: call apply or discard with it first"),
            None => "something still runs: wait until it ends".to_owned(),
        }
    }

    /// Whether nothing is under way, so that the session can be closed.
    pub fn is_idle(&self) -> bool {
        let course = self.course.try_lock();
        course.is_ok_and(|course| course.work.is_none() && course.waiting.is_none())
    }
}

impl Course {
    fn begin(&mut self, begun: Begun, work: impl Future<Output = Result<Ended>> + Send + 'static) {
        self.work = Some((begun, tokio::spawn(work)));
    }
}
