//! The requests of the page, but for those of the world.

use crate::desk::{Answer, Refusal, SessionLine, Undo, Wish};
use crate::log::Question;
use crate::server::Shared;
use crate::stream;
use axum::Json;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::response::{Html, IntoResponse, Response};
use serde::Deserialize;
use serde_json::{Value, json};

/// A command and the session that the page shows. A page that missed that another session was
/// opened does nothing to that one.
#[derive(Deserialize)]
pub(crate) struct Command<T> {
    session: String,
    #[serde(flatten)]
    what: T,
}

impl<T> Command<T> {
    /// The command, if it is for the open session.
    pub(crate) fn checked(self, shared: &Shared) -> Result<T, Refused> {
        shared.in_session(&self.session)?;
        Ok(self.what)
    }
}

impl Shared {
    pub(crate) fn in_session(&self, session: &str) -> Result<(), Refused> {
        if self.feed.log.session() == session {
            return Ok(());
        }
        let why = "Another session was opened meanwhile. Nothing is done.";
        Err(self.refused(Refusal::Conflict(why.to_owned())))
    }

    /// A refusal with the state that the page should have known.
    pub(crate) fn refused(&self, refusal: Refusal) -> Refused {
        let (status, why) = match refusal {
            Refusal::Bad(why) => (StatusCode::BAD_REQUEST, why),
            Refusal::Missing(why) => (StatusCode::NOT_FOUND, why),
            Refusal::Conflict(why) => (StatusCode::CONFLICT, why),
            Refusal::Failed(why) => (StatusCode::INTERNAL_SERVER_ERROR, why),
        };
        let waits = self.feed.log.waiting_plan();
        let state =
            json!({"error": why, "session": self.feed.log.session(), "waiting_plan": waits});
        Refused(status, state)
    }

    pub(crate) fn done<T>(&self, answer: Answer<T>) -> Result<T, Refused> {
        answer.map_err(|refusal| self.refused(refusal))
    }
}

/// Why a request was not carried out, and the state as it is.
pub(crate) struct Refused(StatusCode, Value);

impl IntoResponse for Refused {
    fn into_response(self) -> Response {
        (self.0, Json(self.1)).into_response()
    }
}

/// A command that began has nothing to say: events tell the rest.
pub(crate) type Begun = Result<StatusCode, Refused>;

pub(crate) async fn hello(State(shared): State<Shared>) -> Json<Value> {
    let Json(mut said) = stream::hello(State(shared.feed)).await;
    if let Some(said) = said.as_object_mut() {
        said.insert("report".to_owned(), shared.desk.has_report().into());
        said.insert("export".to_owned(), shared.desk.has_export().into());
    }
    Json(said)
}

pub(crate) async fn sessions(
    State(shared): State<Shared>,
) -> Result<Json<Vec<SessionLine>>, Refused> {
    let sessions = shared.desk.sessions().await;
    shared.done(sessions).map(Json)
}

pub(crate) async fn policy(State(shared): State<Shared>) -> Result<Json<Value>, Refused> {
    let policy = shared.desk.policy().await;
    Ok(Json(json!({"policy": shared.done(policy)?})))
}

pub(crate) async fn forms(State(shared): State<Shared>) -> Result<Json<Value>, Refused> {
    let forms = shared.desk.forms().await;
    Ok(Json(json!({"forms": shared.done(forms)?})))
}

/// What a report may do. Its texts are those of models and users, so it has no origin: were one
/// of them a script in spite of the report's own policy, it could not use the cookie.
const OF_REPORTS: &str = "sandbox allow-scripts; default-src 'none'; style-src 'unsafe-inline'; \
     script-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

pub(crate) async fn report(State(shared): State<Shared>) -> Result<Response, Refused> {
    let report = shared.desk.report().await;
    let report = shared.done(report)?;
    Ok(([(CONTENT_SECURITY_POLICY, OF_REPORTS)], Html(report)).into_response())
}

#[derive(Deserialize)]
pub(crate) struct Say {
    text: String,
}

pub(crate) async fn say(State(shared): State<Shared>, Json(it): Json<Command<Say>>) -> Begun {
    let Say { text } = it.checked(&shared)?;
    shared.begun(shared.desk.say(text).await)
}

#[derive(Deserialize)]
pub(crate) struct Decide {
    plan: u64,
    apply: bool,
}

pub(crate) async fn decide(State(shared): State<Shared>, Json(it): Json<Command<Decide>>) -> Begun {
    let Decide { plan, apply } = it.what;
    shared.take(&it.session, Question::Plan(plan))?;
    let decided = shared.desk.decide(plan, apply).await;
    shared.answered(Question::Plan(plan), decided)
}

#[derive(Deserialize)]
pub(crate) struct Exported {
    session: String,
    plan: u64,
}

pub(crate) async fn export(
    State(shared): State<Shared>,
    Query(it): Query<Exported>,
) -> Result<Response, Refused> {
    shared.in_session(&it.session)?;
    let archive = shared.desk.export(it.plan).await;
    let archive = shared.done(archive)?;
    Ok(([(CONTENT_TYPE, "application/zip")], archive).into_response())
}

#[derive(Deserialize)]
pub(crate) struct Cost {
    go_on: bool,
}

pub(crate) async fn cost(State(shared): State<Shared>, Json(it): Json<Command<Cost>>) -> Begun {
    shared.take(&it.session, Question::Cost)?;
    let answered = shared.desk.answer_cost(it.what.go_on).await;
    shared.answered(Question::Cost, answered)
}

impl Shared {
    /// Takes the question from all other pages.
    fn take(&self, session: &str, question: Question) -> Result<(), Refused> {
        if self.feed.log.take(session, question) {
            return Ok(());
        }
        self.in_session(session)?;
        let why = match (question, self.feed.log.waiting_plan()) {
            (Question::Plan(plan), Some(other)) => {
                format!("Plan {plan} does not wait any more. Plan {other} does.")
            }
            (Question::Plan(plan), None) => {
                format!("Plan {plan} was decided already. Nothing more is done.")
            }
            (Question::Cost, _) => "No program waits any more. Nothing more is done.".to_owned(),
        };
        Err(self.refused(Refusal::Conflict(why)))
    }

    fn answered(&self, question: Question, answer: Answer) -> Begun {
        // One that has gone is not asked again; after any other failure the user may try again.
        if matches!(answer, Err(Refusal::Bad(_) | Refusal::Failed(_))) {
            self.feed.log.put_back(question);
        }
        self.begun(answer)
    }

    pub(crate) fn begun(&self, answer: Answer) -> Begun {
        self.done(answer).map(|()| StatusCode::ACCEPTED)
    }
}

#[derive(Deserialize)]
pub(crate) struct Settle {
    finish: bool,
}

pub(crate) async fn settle(State(shared): State<Shared>, Json(it): Json<Command<Settle>>) -> Begun {
    let Settle { finish } = it.checked(&shared)?;
    shared.begun(shared.desk.settle(finish).await)
}

#[derive(Deserialize)]
pub(crate) struct Nothing {}

pub(crate) async fn cancel(
    State(shared): State<Shared>,
    Json(it): Json<Command<Nothing>>,
) -> Begun {
    let Nothing {} = it.checked(&shared)?;
    shared.begun(shared.desk.cancel().await)
}

#[derive(Deserialize)]
pub(crate) struct TakeBack {
    undo: Undo,
}

pub(crate) async fn undo(State(shared): State<Shared>, Json(it): Json<Command<TakeBack>>) -> Begun {
    let TakeBack { undo } = it.checked(&shared)?;
    shared.begun(shared.desk.undo(undo).await)
}

#[derive(Deserialize)]
pub(crate) struct Open {
    open: Option<String>,
}

pub(crate) async fn open(State(shared): State<Shared>, Json(it): Json<Command<Open>>) -> Begun {
    let Open { open } = it.checked(&shared)?;
    shared.begun(shared.desk.open(open).await)
}

#[derive(Deserialize)]
pub(crate) struct Propose {
    text: String,
    program: String,
}

pub(crate) async fn propose(
    State(shared): State<Shared>,
    Json(it): Json<Command<Propose>>,
) -> Begun {
    let Propose { text, program } = it.checked(&shared)?;
    let wish = Wish::Program { text, program };
    shared.begun(shared.desk.propose(wish).await)
}
