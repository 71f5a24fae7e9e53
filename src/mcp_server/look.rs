//! The tools that look something up.

use super::Inner;
use super::arguments::{self, Nothing, OfPolicy, OfSession, SearchApi};
use super::results::looked_up;
use crate::dialogue::{Outcome, Program};
use crate::domain::{CallSite, Value, call_sites, counted};
use crate::error::{Error, Result};
use crate::journal::{PlanState, PlanVerdict, ReadSession, Standing, plan_id};
use crate::policy::{Count, Mode, Policy};
use crate::service::StoredSession;
use indexmap::IndexMap;
use rmcp::model::{CallToolResult, JsonObject};
use serde_json::{Value as Json, json};
use std::fmt::Write;

/// The most sessions that are listed.
const LISTED: usize = 50;

impl Inner {
    /// Calls a tool that changes nothing.
    pub async fn look(
        &self,
        tool: &str,
        arguments: Option<JsonObject>,
        connection: &str,
    ) -> Result<CallToolResult> {
        let wrong = Error::usage;
        match tool {
            "search_api" => {
                let SearchApi { query } = arguments::read(tool, arguments).map_err(wrong)?;
                let api = self.parts.domain.document(&query, &[]).into_owned();
                Ok(looked_up(api.clone(), json!({"api": api})))
            }
            "policy" => {
                let OfPolicy { program } = arguments::read(tool, arguments).map_err(wrong)?;
                self.policy(program.as_deref())
            }
            "sessions" => {
                let Nothing {} = arguments::read(tool, arguments).map_err(wrong)?;
                self.list()
            }
            _ => {
                let OfSession { session } = arguments::read(tool, arguments).map_err(wrong)?;
                let open = match session {
                    Some(name) => name,
                    None => self.session(None, connection).await?.name.clone(),
                };
                let (text, json) = self.course(&open)?;
                Ok(looked_up(text, json))
            }
        }
    }

    /// The policy, or what it says of the calls of a program.
    fn policy(&self, program: Option<&str>) -> Result<CallToolResult> {
        let domain = &self.parts.domain;
        let Some(policy) = &self.parts.settings.policy else {
            return Err(Error::usage("there is no policy"));
        };
        let text = policy.spelled(&domain.words).to_string();
        let Some(program) = program else {
            return Ok(looked_up(text.clone(), json!({"policy": text})));
        };
        let sites = call_sites(&Program::new(program), domain);
        let judged: Vec<(CallSite, String)> = sites
            .into_iter()
            .map(|site| {
                let said = self.judged(policy, &site);
                (site, said)
            })
            .collect();
        let mut text = String::new();
        for (site, said) in &judged {
            let _ = writeln!(text, "line {}: {}: {said}", site.line, site.operation);
        }
        if judged.is_empty() {
            text.push_str("No calls can be read from this program.\n");
        }
        text.push_str("Every call is judged again when it is made.\n");
        let calls: Vec<Json> = judged
            .iter()
            .map(|(site, said)| json!({"line": site.line, "operation": site.operation, "said": said}))
            .collect();
        Ok(looked_up(text, json!({"calls": calls})))
    }

    /// What the policy says of a call, as far as its arguments are written in the program.
    fn judged(&self, policy: &Policy, site: &CallSite) -> String {
        let domain = &self.parts.domain;
        let known = site.keywords.iter().filter_map(|it| match &it.texts[..] {
            [one] => Some((it.name.clone().into(), Value::Str(one.clone()))),
            _ => None,
        });
        let params = Value::Map(known.collect());
        let places = domain.touches(&site.operation, &params);
        if places.is_empty() && !site.keywords.is_empty() {
            return "it depends on arguments that are computed".to_owned();
        }
        match policy.judge(domain, &site.operation, &params, &mut Count::default()) {
            Err(denied) => denied.to_string(),
            Ok(()) if domain.writes(&site.operation) => match policy.mode {
                Mode::Confirm => "allowed, after a person has agreed".to_owned(),
                _ => "allowed".to_owned(),
            },
            Ok(()) => "allowed".to_owned(),
        }
    }

    /// The sessions of this world.
    fn list(&self) -> Result<CallToolResult> {
        let Self { parts, .. } = self;
        let (mut text, mut list) = (String::new(), Vec::new());
        for summary in parts.store.list()? {
            let is_readable = summary.state != Standing::Damaged;
            let stored = StoredSession::find(parts.store.clone(), Some(&summary.name));
            let is_here = stored.is_ok_and(|stored| parts.host.is_here(&stored));
            if !is_readable || !is_here {
                continue;
            }
            if list.len() == LISTED {
                text.push_str("There are older ones.\n");
                break;
            }
            let turns = counted(summary.turns, "turn");
            let _ = writeln!(text, "{} ({turns})", summary.name);
            list.push(json!({
                "session": summary.name,
                "turns": summary.turns,
                "last": summary.last,
                "state": summary.state,
            }));
        }
        if list.is_empty() {
            text.push_str("There is no session with this world yet.\n");
        }
        Ok(looked_up(text, json!({"sessions": list})))
    }

    /// A session of this world, as its journal has it.
    pub fn readable(&self, name: &str) -> Result<ReadSession> {
        let Self { parts, .. } = self;
        let stored = StoredSession::find(parts.store.clone(), Some(name))?;
        if stored.begin().is_none() || !parts.host.is_here(&stored) {
            return Err(Error::usage(format!(
                "there is no session {name} with this world; sessions lists them"
            )));
        }
        parts.store.read(name)
    }

    /// The course of a session of this world, as text and as JSON.
    pub fn course(&self, name: &str) -> Result<(String, Json)> {
        let state = self.readable(name)?.state;
        let (mut text, mut turns) = (String::new(), Vec::new());
        let all = state.turns.iter().chain(&state.unfinished);
        for (number, turn) in all.enumerate() {
            let number = number + 1;
            let _ = writeln!(text, "turn {number}: {}", turn.user);
            let updates = turn.updates.iter().flatten();
            let programs = updates.filter_map(|it| it.program.as_ref());
            let programs: Vec<&str> = programs.map(Program::code).collect();
            for line in programs.iter().flat_map(|code| code.lines()) {
                let _ = writeln!(text, "    {line}");
            }
            let outcomes: Vec<Json> = (turn.executed.iter())
                .map(|ran| match Outcome::from(&ran.outcome) {
                    Outcome::Result(value) => json!({"result": value}),
                    Outcome::Error(error) => {
                        json!({"error": error.error, "message": error.message, "line": error.line()})
                    }
                })
                .collect();
            for outcome in &outcomes {
                let _ = writeln!(text, "  {outcome}");
            }
            turns.push(json!({
                "turn": number,
                "purpose": turn.user,
                "programs": programs,
                "outcomes": outcomes,
            }));
        }
        // A plan that was made again after an interruption has the same name.
        let mut plans: IndexMap<String, &PlanState> = IndexMap::new();
        for known in &state.plans {
            plans.insert(plan_id(name, &known.planned), known);
        }
        let plans: Vec<Json> = (plans.into_iter())
            .map(|(id, known)| {
                let is = standing(known);
                let _ = writeln!(text, "plan {id}: {is}");
                json!({"plan_id": id, "state": is, "totals": known.planned.outline().totals()})
            })
            .collect();
        let json = json!({"session": name, "turns": turns, "plans": plans});
        Ok((text, json))
    }
}

/// What has become of a plan.
pub fn standing(known: &PlanState) -> &'static str {
    match (&known.decided, known.made.len()) {
        _ if known.undone => "undone",
        _ if known.given_up => "replaced",
        (None, _) => "waiting",
        (Some((PlanVerdict::Decline { .. }, _)), _) => "declined",
        (Some((PlanVerdict::Apply {}, _)), made) if made == known.planned.writes.len() => "applied",
        (Some((PlanVerdict::Apply {}, _)), 0) => "not applied",
        (Some((PlanVerdict::Apply {}, _)), _) => "applied in part",
    }
}
