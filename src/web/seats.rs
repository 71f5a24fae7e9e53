//! A game whose people sit at pages: [`web_desk::Play`] over [`decision_games::play::Pages`]. The game
//! runs on a thread of its own, since players may wait for a model.

use async_trait::async_trait;
use decision_games::Illegal;
use decision_games::play::{Act, Pages};
use serde_json::{Value, json};
use std::sync::Arc;
use std::thread;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::sync::oneshot;
use web_desk::{Log, Play};

/// The seat of a person, behind a page.
pub struct SeatPage {
    seat: usize,
    name: &'static str,
    log: Arc<Log>,
    acts: UnboundedSender<Done>,
}

/// What a person did, and where the answer goes.
struct Done {
    seat: usize,
    act: Act,
    answer: oneshot::Sender<Result<Value, Illegal>>,
}

impl SeatPage {
    /// The name of the seat.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// What its page is told, and nothing that another seat is told.
    pub fn log(&self) -> Arc<Log> {
        self.log.clone()
    }
}

/// Begins the game, and gives the seats of its people. `watch` sees it after each turn.
pub fn seats(
    pages: Pages,
    session: &str,
    watch: impl FnMut(&Pages) + Send + 'static,
) -> Vec<Arc<SeatPage>> {
    let (acts, waiting) = unbounded_channel();
    let seats = pages.table().game().seats().to_vec();
    let people = pages.people().into_iter().map(|seat| {
        let log = Log::new();
        let mut opened = pages.opening(seat);
        opened["event"] = "opened".into();
        opened["session"] = session.into();
        log.push(opened);
        Arc::new(SeatPage {
            seat,
            name: seats[seat].name,
            log,
            acts: acts.clone(),
        })
    });
    let people: Vec<Arc<SeatPage>> = people.collect();
    let logs = people.iter().map(|page| (page.seat, page.log())).collect();
    let game = Running {
        pages,
        logs,
        watch,
        failed: false,
    };
    thread::spawn(move || game.run(waiting));
    people
}

struct Running<W> {
    pages: Pages,
    logs: Vec<(usize, Arc<Log>)>,
    watch: W,
    /// Whether the pages know that it cannot go on.
    failed: bool,
}

impl<W: FnMut(&Pages)> Running<W> {
    /// Lets players move and people do what they do, until no page is left.
    fn run(mut self, mut acts: UnboundedReceiver<Done>) {
        self.tell();
        loop {
            while self.pages.step() {
                self.tell();
            }
            let Some(done) = acts.blocking_recv() else {
                return;
            };
            let answer = self.pages.act(done.seat, &done.act);
            // The page has read what came of it when it reads the answer.
            self.tell();
            // A page that went away wants none.
            let _ = done.answer.send(answer);
        }
    }

    fn tell(&mut self) {
        for (seat, log) in &self.logs {
            if let Some(mut told) = self.pages.told(*seat) {
                told["event"] = "told".into();
                log.push(told);
            }
            if let Some(reason) = self.pages.broken().filter(|_| !self.failed) {
                let said = format!("The game cannot go on: {reason}");
                log.push(json!({"event": "failed", "said": said}));
            }
        }
        self.failed = self.pages.broken().is_some();
        (self.watch)(&self.pages);
    }
}

#[async_trait]
impl Play for SeatPage {
    async fn act(&self, act: Value) -> Result<Value, Value> {
        let act: Act = serde_json::from_value(act)
            .map_err(|error| json!({"error": format!("No page does this: {error}")}))?;
        let (answer, answered) = oneshot::channel();
        let seat = self.seat;
        let sent = self.acts.send(Done { seat, act, answer });
        let lost = || json!({"error": "The game ended by a fault of this program."});
        sent.map_err(|_| lost())?;
        let answer = answered.await.map_err(|_| lost())?;
        answer.map_err(|illegal| json!({"error": illegal.text, "code": illegal.code.name()}))
    }
}
