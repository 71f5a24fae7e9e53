//! A desk without an agent: it plays events.
#![allow(dead_code, reason = "each user takes its own part")]

use super::buttons::{Deed, deed_of};
use super::scenes;
use super::things;

use async_trait::async_trait;
use bytes::Bytes;
use futures_util::StreamExt;
use scenes::{Scene, scene};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use things::Things;
use tokio::sync::oneshot;
use web_desk::*;

/// The desk. A clone is the same desk.
#[derive(Clone)]
pub struct Tape(Arc<State>);

struct State {
    log: Arc<Log>,
    /// How long each event takes.
    pace: Duration,
    now: Mutex<Now>,
    world: Mutex<Things>,
    /// The files that came in, by what the tape calls them.
    held: Mutex<HashMap<String, Bytes>>,
    /// What was asked of the desk, in words.
    heard: Mutex<Vec<String>>,
}

#[derive(Default)]
struct Now {
    session: String,
    turn: usize,
    plan: u64,
    busy: bool,
    answer: Option<oneshot::Sender<bool>>,
    user: String,
}

impl Tape {
    pub fn new(log: Arc<Log>, pace: Duration, many: usize) -> Tape {
        let tape = Tape(Arc::new(State {
            log,
            pace,
            now: Mutex::default(),
            world: Mutex::new(Things::new(many)),
            held: Mutex::default(),
            heard: Mutex::default(),
        }));
        tape.begin("monday");
        tape
    }

    /// How many files came in.
    pub fn received(&self) -> usize {
        self.0.held.lock().unwrap().len()
    }

    /// What was asked of the desk so far.
    pub fn heard(&self) -> Vec<String> {
        self.0.heard.lock().unwrap().clone()
    }

    pub fn log(&self) -> &Arc<Log> {
        &self.0.log
    }

    fn begin(&self, session: &str) {
        *self.0.now.lock().unwrap() = Now {
            session: session.to_owned(),
            ..Now::default()
        };
        let opened = json!({"event": "opened", "session": session, "world": "memory: zoo, attic", "model": "tape", "said": "", "turns": 0, "interrupted": null});
        self.0.log.push(opened);
    }

    /// Adds turns that ended before.
    pub fn past(&self, turns: usize) {
        for turn in 1..=turns {
            let user = format!("question {turn}");
            let events = scene(turn, &user).before;
            for event in events {
                self.0.log.push(event);
            }
        }
        self.0.now.lock().unwrap().turn = turns;
    }

    fn heard_that(&self, what: String) {
        self.0.heard.lock().unwrap().push(what);
    }

    /// Begins a turn; `then` is what an apply does to the world.
    fn play(
        &self,
        user: &str,
        make: impl FnOnce(usize) -> Scene,
        then: impl FnOnce(&mut Things) + Send + 'static,
    ) -> Answer {
        let turn = {
            let mut now = self.0.now.lock().unwrap();
            if now.busy {
                return Err(Refusal::Conflict("A turn is under way.".to_owned()));
            }
            now.busy = true;
            now.turn += 1;
            now.user = user.to_owned();
            now.turn
        };
        let tape = self.clone();
        tokio::spawn(tape.turn(make(turn), then));
        Ok(())
    }

    async fn turn(self, scene: Scene, then: impl FnOnce(&mut Things)) {
        self.tell(scene.before).await;
        if let Some(question) = scene.plan {
            let applied = self.asked(question).await;
            if applied {
                then(&mut self.0.world.lock().unwrap());
            }
            self.tell(if applied {
                scene.applied
            } else {
                scene.declined
            })
            .await;
        }
        self.0.now.lock().unwrap().busy = false;
    }

    /// Asks a question, and waits for the answer.
    async fn asked(&self, mut question: Value) -> bool {
        let (sender, answer) = oneshot::channel();
        let is_plan = question["event"] == "plan";
        let plan = {
            let mut now = self.0.now.lock().unwrap();
            now.plan += u64::from(is_plan);
            now.answer = Some(sender);
            now.plan
        };
        if is_plan {
            question["plan"] = json!(plan);
        }
        if !question.is_null() {
            self.0.log.push(question);
        }
        let applied = answer.await.unwrap_or(false);
        if is_plan {
            self.0
                .log
                .push(json!({"event": "decided", "plan": plan, "apply": applied, "by": "user"}));
        }
        applied
    }

    async fn tell(&self, events: Vec<Value>) {
        for event in events {
            if !self.0.pace.is_zero() {
                tokio::time::sleep(self.0.pace).await;
            }
            self.0.log.push(event);
        }
    }

    fn answered(&self, yes: bool) -> Answer {
        let waits = self.0.now.lock().unwrap().answer.take();
        let none = || Refusal::Conflict("Nothing waits.".to_owned());
        waits.ok_or_else(none)?.send(yes).map_err(|_| none())
    }
}

#[async_trait]
impl Desk for Tape {
    async fn say(&self, text: String) -> Answer {
        self.heard_that(format!("say {text}"));
        self.play(&text.clone(), |turn| scene(turn, &text), |_| ())
    }

    async fn decide(&self, plan: u64, apply: bool) -> Answer {
        self.heard_that(format!("decide {plan} {apply}"));
        self.answered(apply)
    }

    async fn answer_cost(&self, go_on: bool) -> Answer {
        self.heard_that(format!("cost {go_on}"));
        self.answered(go_on)
    }

    async fn settle(&self, finish: bool) -> Answer {
        self.heard_that(format!("settle {finish}"));
        self.0.log.push(json!({"event": "undone", "how": "whole", "said": "It is settled.", "made": 1, "of": 1}));
        Ok(())
    }

    async fn cancel(&self) -> Answer {
        self.heard_that("cancel".to_owned());
        let (turn, user) = {
            let now = self.0.now.lock().unwrap();
            (now.turn, now.user.clone())
        };
        self.answered(false)?;
        self.0.log.push(scenes::stopped(turn, &user));
        Ok(())
    }

    async fn undo(&self, undo: Undo) -> Answer {
        self.heard_that(format!("undo {undo:?}"));
        let Undo::Plan(of) = undo else {
            return Err(Refusal::Bad("The tape undoes plans alone.".to_owned()));
        };
        let tape = self.clone();
        tokio::spawn(async move {
            let place = json!({"container": "zoo", "name": "logs/a.log"});
            tape.0.log.push(json!({"event": "cannot_bring_back", "places": [[{"container": "zoo", "name": "logs/dump.tmp"}, "its content was not kept"]]}));
            let effects =
                json!([{"effect": "create", "place": place, "after": {"tag": "a", "size": 2048}}]);
            let zero = json!({"containers_created": 0, "containers_deleted": 0, "created": 1, "overwritten": 0, "copied": 0, "deleted": 0, "settings": 0, "shared": 0, "bytes_written": 2048, "bytes_destroyed": 0});
            let card = json!({"asks": "Undoing the program of goal 1 (turn 1) would change this", "sum": "1 created; 2.00 KiB written", "undoing": ""});
            let question = json!({"event": "plan", "plan": 0, "origin": {"undo": {"of": of}}, "undoes": {"program": {"turn": 1, "uid": 1}}, "effects": effects, "totals": zero, "outcome": {"result": null}, "calls": [], "lasting": [], "card": card});
            let applied = tape.asked(question).await;
            let end = match applied {
                true => {
                    json!({"event": "undone", "how": "partly", "said": "All but 1 place is as it was.", "made": 1, "of": 1, "changes": [{"kind": "created", "line": "+ zoo/logs/a.log (2 KiB)", "keeps_state": false}]})
                }
                false => {
                    json!({"event": "undone", "how": "declined", "said": "Nothing is changed.", "made": 0, "of": 1})
                }
            };
            tape.0.log.push(end);
        });
        Ok(())
    }

    async fn propose(&self, wish: Wish) -> Answer {
        let Deed {
            user,
            program,
            effects,
            change,
        } = deed_of(wish, &self.0.held.lock().unwrap());
        self.heard_that(user.clone());
        self.play(
            &user.clone(),
            |turn| scenes::asked(turn, &user, &program, effects, json!([]), "Done."),
            change,
        )
    }

    async fn receive(&self, mut file: Incoming) -> Answer<String> {
        let mut bytes = Vec::new();
        while let Some(piece) = file.bytes.next().await {
            let cut = |error: std::io::Error| Refusal::Bad(format!("It was cut off: {error}"));
            bytes.extend(piece.map_err(cut)?);
        }
        let mut held = self.0.held.lock().unwrap();
        let name = format!("file-{}", held.len() + 1);
        held.insert(name.clone(), bytes.into());
        Ok(name)
    }

    async fn sessions(&self) -> Answer<Vec<SessionLine>> {
        let now = self.0.now.lock().unwrap();
        let line = |session: &str, said: &str, turns| SessionLine {
            session: session.to_owned(),
            world: "memory".to_owned(),
            turns,
            said: said.to_owned(),
            at: "2026-11-28T09:30:00Z".to_owned(),
            closed: None,
        };
        let mut lines = vec![
            line("monday", "tidy the logs of the zoo", 3),
            line("friday", "how large is everything?", 12),
        ];
        lines.push(SessionLine {
            closed: Some("open in another window".to_owned()),
            ..line("report", "", 0)
        });
        if !lines.iter().any(|it| it.session == now.session) {
            lines.insert(0, line(&now.session, &now.user, now.turn));
        }
        Ok(lines)
    }

    async fn open(&self, session: Option<String>) -> Answer {
        if self.0.now.lock().unwrap().busy {
            return Err(Refusal::Conflict("A turn is under way.".to_owned()));
        }
        self.begin(&session.unwrap_or_else(|| "another".to_owned()));
        Ok(())
    }

    async fn browse(&self, look: Look) -> Answer<Page> {
        self.0.world.lock().unwrap().browse(&look)
    }

    async fn read(&self, path: String, _: Option<String>, last: Option<u64>) -> Answer<Content> {
        self.0.world.lock().unwrap().read(&path, last)
    }

    async fn versions(&self, path: String) -> Answer<Vec<Version>> {
        self.0.world.lock().unwrap().versions(&path)
    }

    async fn forms(&self) -> Answer<Option<String>> {
        let now = self.0.now.lock().unwrap();
        let has_forms = now.session == "another";
        Ok(has_forms.then(|| format!("booking (open): Booking, after {} turns\n   day: Friday\n   time: 25:00 was refused: it is no time\n > guests: missing\n   note: missing, optional\nAsk(booking, guests) [stale]: a change of an earlier field took the value away\nnote: the kitchen closes at 10\n", now.turn)))
    }

    fn has_export(&self) -> bool {
        true
    }

    async fn export(&self, plan: u64) -> Answer<Vec<u8>> {
        self.heard_that(format!("export {plan}"));
        Ok(b"an archive".to_vec())
    }

    fn has_report(&self) -> bool {
        true
    }

    async fn report(&self) -> Answer<String> {
        Ok("<!doctype html><title>Report</title><h1>Report</h1><p id=\"told\">still</p><script>try { localStorage.x = 1; told.textContent = 'it reads the page' } catch { told.textContent = 'it reads nothing' }; fetch('/api/policy').then(() => { told.textContent = 'it asks' }, () => { told.textContent += ', asks nothing' })</script>".to_owned())
    }

    async fn policy(&self) -> Answer<String> {
        Ok("mode = \"ask\"\n# Writes are planned and asked for; reads are free.\n[limits]\nbytes_written = \"1 GiB\"\n".to_owned())
    }
}
