//! The tools that run programs, and answer what waits.

use super::arguments::{self, OfPlan, OfSession, Run};
use super::consent::Consent;
use super::open::{Asked, Begun, Ended, Open, Standing, Waiting};
use super::results::{self, Report, Status};
use super::{Inner, app, http, tools};
use crate::dialogue::Program;
use crate::error::{Error, Result};
use crate::service::PlanAnswer;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, InputRequiredResult, JsonObject,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer};
use serde::de::DeserializeOwned;
use std::fmt::Write;

/// The longest program, in bytes; the sandbox has its own limit below it.
const LONGEST: usize = 1 << 20;

/// What a call comes to.
enum Called {
    Reported(Box<Report>),
    Answered(CallToolResult),
    Required(Box<InputRequiredResult>),
}

impl From<Report> for Called {
    fn from(report: Report) -> Called {
        Called::Reported(Box::new(report))
    }
}

impl Inner {
    /// Calls a tool. What a program or a model did wrong is an answer; only a tool that there is
    /// not is an error of the protocol.
    pub async fn call(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let name = request.name.clone();
        if !tools::NAMES.contains(&&*name) {
            let names = tools::NAMES.join(", ");
            let problem = format!("there is no tool {name}; there are {names}");
            return Err(ErrorData::invalid_params(problem, None));
        }
        Ok(match self.called(&name, &request, &context).await {
            Ok(Called::Reported(report)) => report.answer(app::has_view(&context)).into(),
            Ok(Called::Answered(result)) => result.into(),
            Ok(Called::Required(required)) => (*required).into(),
            Err(error) => results::refused(&error).into(),
        })
    }

    async fn called(
        &self,
        name: &str,
        request: &CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Result<Called> {
        let arguments = request.arguments.clone();
        if tools::RUN.contains(&name) {
            self.prepared(context).await?;
        }
        let connection = &http::connection(context);
        match name {
            "run" => {
                let caller = context.client_info().map(|it| it.name);
                let caller = caller.unwrap_or_else(|| "an MCP client".to_owned());
                self.run(read(name, arguments)?, &caller, connection).await
            }
            "apply" => {
                let OfPlan { plan_id } = read(name, arguments)?;
                self.apply(&plan_id, request, context).await
            }
            "discard" => {
                let OfPlan { plan_id } = read(name, arguments)?;
                self.discard(&plan_id).await
            }
            "undo" => {
                let OfSession { session } = read(name, arguments)?;
                self.undo(session.as_deref(), connection).await
            }
            "replay" => {
                let replayed = self.replay(read(name, arguments)?).await;
                replayed.map(Called::Answered)
            }
            _ => {
                let looked = self.look(name, arguments, connection).await;
                looked.map(Called::Answered)
            }
        }
    }

    async fn run(&self, run: Run, caller: &str, connection: &str) -> Result<Called> {
        if run.program.len() > LONGEST {
            return Err(Error::usage("the program is too long"));
        }
        let open = self.session(run.session.as_deref(), connection).await?;
        let _call = open.calls.lock().await;
        let sandbox = self.parts.host.sandbox().await?;
        if let Some(error) = sandbox.check(&run.program).await? {
            return Ok(Report::unread(error).into());
        }
        let purpose = run.purpose.filter(|purpose| !purpose.trim().is_empty());
        let purpose = purpose.unwrap_or_else(|| format!("(a program from {caller})"));
        self.begin(
            &open,
            Begun::Program(Program::new(run.program.trim_end())),
            &purpose,
        )
        .await
    }

    async fn undo(&self, session: Option<&str>, connection: &str) -> Result<Called> {
        let open = match session {
            Some(name) => self.known(name).await?,
            None => self.session(None, connection).await?,
        };
        let _call = open.calls.lock().await;
        self.begin(&open, Begun::Undo, "").await
    }

    /// Begins something in a session, and waits for its question or its end.
    async fn begin(&self, open: &Open, begun: Begun, purpose: &str) -> Result<Called> {
        // What went on after an interruption comes to its end first.
        while let Standing::Ended(_) = open.standing().await? {}
        open.begin(begun, purpose).await?;
        let report = match open.standing().await? {
            Standing::Waiting(waiting) => self.waiting(open, &waiting, None),
            Standing::Ended(Ended::Turn(turn)) => Report::ended(open, &turn)?,
            Standing::Ended(Ended::Undone(undone)) => Report::undone(open, undone),
            Standing::Ended(Ended::Nothing) | Standing::Idle => Report {
                status: Status::Nothing,
                ..Report::default()
            },
        };
        Ok(report.showing(open).telling(open.told().await).into())
    }

    async fn apply(
        &self,
        id: &str,
        request: &CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Result<Called> {
        let open = self.session_of(id).await?;
        let Some(waiting) = waiting_now(&open, id).await? else {
            return Report::plan(&open, id).map(Called::from);
        };
        let journal = open.conversation.open_session().journal();
        let answer = if journal.take_approval(id)? {
            PlanAnswer::Apply
        } else {
            let program = journal.with_state(|state| match &waiting.what {
                Asked::Plan(plan) | Asked::Finish(plan, _) => {
                    let program = state.program_of(plan.origin)?;
                    Some(program.code().to_owned())
                }
                Asked::GoOn(_) => None,
            });
            let question = results::question(&waiting, program.as_deref(), &*self.parts.host);
            match self.consent(id, question, request, context).await {
                Consent::Given => PlanAnswer::Apply,
                Consent::Refused => PlanAnswer::Decline,
                Consent::Required(required) => return Ok(Called::Required(required)),
                Consent::Pending(why) => {
                    return Ok(self.waiting(&open, &waiting, Some(why)).into());
                }
            }
        };
        self.answer(&open, id, answer).await
    }

    async fn discard(&self, id: &str) -> Result<Called> {
        let open = self.session_of(id).await?;
        match waiting_now(&open, id).await? {
            Some(_) => self.answer(&open, id, PlanAnswer::Dropped).await,
            None => Report::plan(&open, id).map(Called::from),
        }
    }

    /// Answers what waits, and waits for the next question or the end.
    async fn answer(&self, open: &Open, id: &str, answer: PlanAnswer) -> Result<Called> {
        let _call = open.calls.lock().await;
        open.answer(id, answer).await?;
        let report = match open.standing().await? {
            Standing::Waiting(waiting) => self.waiting(open, &waiting, None),
            // A question about costs has no plan in the journal.
            Standing::Ended(Ended::Turn(turn)) => Report {
                plan_id: Some(id.to_owned()),
                ..Report::ended(open, &turn)?
            },
            Standing::Ended(Ended::Undone(_) | Ended::Nothing) | Standing::Idle => {
                Report::plan(open, id)?
            }
        };
        Ok(report.showing(open).telling(open.told().await).into())
    }

    /// What waits, with the ways to an answer. `why` nobody was asked yet, where that was tried.
    fn waiting(&self, open: &Open, waiting: &Waiting, why: Option<&str>) -> Report {
        let mut report = Report::waiting(open, waiting, &*self.parts.host);
        let id = &waiting.id;
        let message = &mut report.message;
        let _ = match (why, &waiting.what) {
            (None, _) => writeln!(
                message,
                "\nNothing of this is done yet. Call apply with this plan_id: the user is asked, \
                 and nothing that you write counts as the answer. discard drops it."
            ),
            (Some(why), Asked::GoOn(_)) => writeln!(
                message,
                "\nIt waits: {why}. `ask_above` in a policy says from when on this is asked."
            ),
            (Some(why), _) => writeln!(
                message,
                "\nNothing of this is done: {why}. It waits for a person, who runs this in a \
                 terminal, reads the plan and types yes:\n  dialog2api plan approve {id}\nThen \
                 call apply again. Once this server has ended, the page asks, too:\n  \
                 dialog2api web --session {}",
                open.name
            ),
        };
        report
    }
}

/// What waits in a session, if it has this name.
async fn waiting_now(open: &Open, id: &str) -> Result<Option<Waiting>> {
    let _call = open.calls.lock().await;
    loop {
        match open.standing().await? {
            Standing::Waiting(waiting) => return Ok(Some(waiting).filter(|it| it.id == id)),
            Standing::Ended(_) => {}
            Standing::Idle => return Ok(None),
        }
    }
}

/// Reads the arguments of a tool.
fn read<T: DeserializeOwned>(tool: &str, arguments: Option<JsonObject>) -> Result<T> {
    arguments::read(tool, arguments).map_err(Error::usage)
}
