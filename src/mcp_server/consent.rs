//! The consent of a person to what waits.
//!
//! It comes from a person at a terminal (`dialog2api plan approve`), or from the form that the
//! client shows. The arguments of a tool, which a model writes, never count. Clients of the
//! protocol since 2026-07-28 are answered that input is required, and call again with it and with
//! a state that this process has sealed: for one plan and one caller, and for a time.

use super::{Ask, Inner};
use crate::error::{Error, Result};
use rmcp::RoleServer;
use rmcp::model::{
    CallToolRequestParams, ElicitRequest, ElicitRequestParams, ElicitResult, ElicitationAction,
    ElicitationSchema, InputRequest, InputRequests, InputRequiredResult, ProtocolVersion,
    RequestStateCodec, SealOptions,
};
use rmcp::service::RequestContext;
use std::time::Duration;

/// How long an answer may take where the client calls again with it.
const VALID: Duration = Duration::from_secs(60 * 60);
/// The name of the question in an answer that requires input.
const QUESTION: &str = "consent";

/// What a person answered.
pub enum Consent {
    /// Yes.
    Given,
    /// No.
    Refused,
    /// Nobody has answered, for this reason: a clause.
    Pending(&'static str),
    /// The client has to ask, and to call again.
    Required(Box<InputRequiredResult>),
}

/// Seals the state of a question that a client carries.
pub struct Seal(RequestStateCodec);

impl Seal {
    /// A seal that only this process knows.
    ///
    /// # Errors
    /// The system gives no randomness.
    pub fn new() -> Result<Seal> {
        let mut key = [0; 32];
        let none = |error: String| Error::world(format!("no key can be made: {error}"));
        getrandom::fill(&mut key).map_err(|error| none(error.to_string()))?;
        let codec = RequestStateCodec::try_new(key).map_err(|error| none(error.to_string()))?;
        Ok(Seal(codec))
    }

    fn seal(&self, id: &str, bound: &[u8]) -> String {
        let options = SealOptions::new().associated_data(bound).ttl(VALID);
        self.0.seal_with(id.as_bytes(), &options)
    }

    fn is_of(&self, sealed: &str, id: &str, bound: &[u8]) -> bool {
        let opened = self.0.open_with(sealed, bound);
        opened.is_ok_and(|payload| payload == id.as_bytes())
    }
}

impl Inner {
    /// Asks a person whether what has this name is done; `question` shows it.
    pub async fn consent(
        &self,
        id: &str,
        question: String,
        request: &CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Consent {
        if self.parts.ask == Ask::Terminal {
            return Consent::Pending("this server asks in a terminal");
        }
        if !has_forms(context) {
            return Consent::Pending("this client cannot ask");
        }
        let form = form(question);
        let is_stateless = context
            .protocol_version()
            .is_some_and(|version| version.as_str() >= ProtocolVersion::V_2026_07_28.as_str());
        if !is_stateless {
            return tokio::select! {
                biased;
                () = context.ct.cancelled() => Consent::Pending("the call was cancelled"),
                answer = context.peer.create_elicitation(form) => match answer {
                    Ok(answer) => meant(&answer),
                    Err(_) => Consent::Pending("the client did not show the question"),
                },
            };
        }
        let bound = bound(id, context);
        let sealed = request.request_state.as_deref();
        if sealed.is_some_and(|sealed| self.seal.is_of(sealed, id, &bound)) {
            let answer = request.input_responses.as_ref();
            let answer = answer.and_then(|answers| answers.get(QUESTION)).cloned();
            let answer = answer.and_then(|answer| serde_json::from_value(answer).ok());
            return answer.map_or(Consent::Pending("there was no answer"), |it| meant(&it));
        }
        let ask = InputRequest::Elicitation(ElicitRequest::new(form));
        let asks = InputRequests::from([(QUESTION.to_owned(), ask)]);
        let state = self.seal.seal(id, &bound);
        Consent::Required(Box::new(InputRequiredResult::new(Some(asks), Some(state))))
    }
}

/// Whether the client shows forms. One that names no modes shows them.
fn has_forms(context: &RequestContext<RoleServer>) -> bool {
    let elicitation = context.client_capabilities().and_then(|it| it.elicitation);
    elicitation.is_some_and(|modes| modes.form.is_some() || modes.url.is_none())
}

/// What a sealed state is bound to, beside the name of the plan in it.
fn bound(id: &str, context: &RequestContext<RoleServer>) -> Vec<u8> {
    let caller = context.client_info();
    let caller = caller.map(|it| format!("{} {}", it.name, it.version));
    format!("apply\n{id}\n{}", caller.unwrap_or_default()).into_bytes()
}

/// A form without fields: to accept it is to agree.
fn form(message: String) -> ElicitRequestParams {
    ElicitRequestParams::FormElicitationParams {
        meta: None,
        message,
        requested_schema: ElicitationSchema::new(Default::default()),
    }
}

fn meant(answer: &ElicitResult) -> Consent {
    match answer.action {
        ElicitationAction::Accept => Consent::Given,
        ElicitationAction::Decline => Consent::Refused,
        // Cancelled, or an answer that this protocol does not have yet.
        _ => Consent::Pending("the question was closed without an answer"),
    }
}
