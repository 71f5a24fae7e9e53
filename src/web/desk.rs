//! What the page asks, carried out.

use super::received::{self, Waiting};
use super::{browse, state, wishes};
use crate::domain::{Domain, World, WorldKind};
use crate::error::{Error, ErrorKind, Result};
use crate::journal::{SessionStore, Standing};
use crate::policy::{Guard, Policy};
use crate::service::{self, Cancelled, Conversation, Event, Events, Settle, StoredSession};
use async_trait::async_trait;
use serde_json::json;
use std::io::{Cursor, Write as _};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::task::JoinHandle;
use web_desk::{
    Answer, Content, Desk, Incoming, Log, Look, Page, Refusal, SessionLine, Undo, Version, Wish,
};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// How many sessions are listed with what was said last in them.
const LISTED: usize = 50;

/// What the page needs of the program that serves it.
#[async_trait]
pub trait PageHost: Send + Sync + 'static {
    /// Opens a session.
    async fn open(&self, stored: StoredSession) -> Result<(Conversation, Events)>;

    /// The sessions.
    fn store(&self) -> &SessionStore;

    /// The domain.
    fn domain(&self) -> &Arc<Domain>;

    /// The folder for files that are uploaded, which is granted to programs by its name.
    fn uploads(&self) -> &Path;

    /// Whether there are evaluations to report on.
    fn has_report(&self) -> bool;

    /// The report on evaluations, as an HTML file that loads nothing.
    async fn report(&self) -> Result<String>;
}

/// The desk of one page server. One session is open at a time.
pub struct PageDesk {
    host: Arc<dyn PageHost>,
    log: Arc<Log>,
    open: Mutex<Open>,
    waiting: Arc<Waiting>,
    /// Held while another session is opened.
    opening: tokio::sync::Mutex<()>,
}

#[derive(Default)]
struct Open {
    conversation: Option<Arc<Conversation>>,
    /// Where the state of its world lives.
    kind: Option<WorldKind>,
    work: Option<JoinHandle<()>>,
    events: Option<JoinHandle<()>>,
}

/// Work of a conversation that is told by its events.
type Work = std::pin::Pin<Box<dyn Future<Output = Result<()>> + Send>>;

impl PageDesk {
    /// A desk without a session; [`PageDesk::begin`] opens one.
    pub fn new(host: Arc<dyn PageHost>, log: Arc<Log>) -> Arc<PageDesk> {
        Arc::new(PageDesk {
            waiting: Arc::new(Waiting::in_folder(host.uploads())),
            host,
            log,
            open: Mutex::default(),
            opening: tokio::sync::Mutex::default(),
        })
    }

    /// Opens the first session, whose interrupted turn goes on.
    ///
    /// # Errors
    /// Those of [`Conversation::open`].
    pub async fn begin(&self, stored: StoredSession) -> Result<()> {
        let _opening = self.opening.lock().await;
        self.change_to(stored).await
    }

    /// Closes the session.
    ///
    /// # Errors
    /// The journal could not be written.
    pub async fn close(&self) -> Result<()> {
        let conversation = self.open().conversation.take();
        match conversation {
            Some(conversation) => conversation.close(),
            None => Ok(()),
        }
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn conversation(&self) -> Answer<Arc<Conversation>> {
        let open = self.open().conversation.clone();
        open.ok_or_else(|| Refusal::Conflict("no session is open".to_owned()))
    }

    async fn change_to(&self, stored: StoredSession) -> Result<()> {
        // A world on disk lets itself be opened once.
        let before = std::mem::take(&mut *self.open());
        if let Some(conversation) = before.conversation {
            conversation.close()?;
        }
        if let Some(events) = before.events {
            events.abort();
        }
        let (conversation, _) = self.host.open(stored).await?;
        let conversation = Arc::new(conversation);
        let log = self.log.clone();
        let mut events = conversation.events(0);
        let mut opening = Vec::new();
        while let Some(event) = events.recv().await {
            if let Event::Opened(_) = event {
                tell(&log, &event);
                break;
            }
            opening.push(event);
        }
        // A page begins with `opened`. The past comes after it, and then what was told of the world.
        for turn in conversation.snapshot()?.turns {
            tell(&log, &Event::TurnEnded(Box::new(turn)));
        }
        for event in &opening {
            tell(&log, event);
        }
        let telling = tokio::spawn(async move {
            while let Some(event) = events.recv().await {
                tell(&log, &event);
            }
        });
        let journal = conversation.open_session().journal();
        let kind = journal.with_state(|state| state.begin.as_ref().and_then(|begin| begin.kind));
        *self.open() = Open {
            conversation: Some(conversation.clone()),
            kind,
            work: None,
            events: Some(telling),
        };
        let goes_on = conversation.open_session().journal().unfinished().is_some();
        if goes_on && conversation.open_session().with_cut_off(|_| ()).is_none() {
            let work = async move { conversation.carry_on().await.map(drop) };
            // Nothing else is under way in a session that was opened just now.
            let _ = self.begin_work(Box::pin(work));
        }
        Ok(())
    }

    /// Lets work run, unless other work is under way.
    fn begin_work(&self, work: Work) -> Answer {
        let mut open = self.open();
        if open.work.as_ref().is_some_and(|work| !work.is_finished()) {
            return Err(Refusal::Conflict("a turn is under way".to_owned()));
        }
        let log = self.log.clone();
        open.work = Some(tokio::spawn(async move {
            if let Err(error) = work.await {
                log.push(json!({"event": "failed", "said": error.to_string()}));
            }
        }));
        Ok(())
    }

    /// The world as the user may read it.
    fn world(&self) -> Answer<Arc<dyn World>> {
        let conversation = self.conversation()?;
        let policy = conversation
            .policy()
            .unwrap_or_else(|| Arc::new(Policy::default()));
        let world = conversation.world().clone();
        Ok(Arc::new(Guard::new(world, self.host.domain(), policy)))
    }

    /// Where the state of the world lives. What is not known takes little.
    fn kind(&self) -> WorldKind {
        self.open().kind.unwrap_or(WorldKind::Memory)
    }

    /// Whether the world is one of buckets and objects.
    fn has_buckets(&self) -> bool {
        self.host.domain().operation("list_objects_v2").is_some()
    }
}

/// Tells the page an event.
fn tell(log: &Log, event: &Event) {
    // The page shows none of these, and they are many.
    let is_many = matches!(
        event,
        Event::Preparing { .. } | Event::Reading(_) | Event::Transfer { .. }
    );
    if !is_many {
        log.push(json!(event));
    }
}

/// Files as a ZIP archive.
fn archive(files: &[(String, String)]) -> zip::result::ZipResult<Vec<u8>> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in files {
        // What ends so is to be run.
        let mode = if name.ends_with(".sh") { 0o755 } else { 0o644 };
        let options = SimpleFileOptions::default().unix_permissions(mode);
        archive.start_file(name, options)?;
        archive.write_all(content.as_bytes())?;
    }
    Ok(archive.finish()?.into_inner())
}

/// What went wrong, as the page has it.
fn refusal(error: &Error) -> Refusal {
    match error.kind() {
        ErrorKind::User => Refusal::Bad(error.to_string()),
        _ => Refusal::Failed(error.to_string()),
    }
}

/// Nothing of this is there to be answered.
fn conflict(error: Error) -> Refusal {
    match error.kind() {
        ErrorKind::User => Refusal::Conflict(error.to_string()),
        _ => Refusal::Failed(error.to_string()),
    }
}

#[async_trait]
impl Desk for PageDesk {
    async fn say(&self, text: String) -> Answer {
        let conversation = self.conversation()?;
        let work = async move { conversation.say(&text).await.map(drop) };
        self.begin_work(Box::pin(work))
    }

    async fn decide(&self, plan: u64, apply: bool) -> Answer {
        let answer = match apply {
            true => service::PlanAnswer::Apply,
            false => service::PlanAnswer::Decline,
        };
        self.conversation()?.decide(plan, answer).map_err(conflict)
    }

    async fn answer_cost(&self, go_on: bool) -> Answer {
        let conversation = self.conversation()?;
        // The server has checked that it is the question of the page.
        let id = conversation.pending_cost().map_or(0, |cost| cost.id);
        conversation.let_go_on(id, go_on).map_err(conflict)
    }

    async fn settle(&self, finish: bool) -> Answer {
        let conversation = self.conversation()?;
        if conversation.open_session().with_cut_off(|_| ()).is_none() {
            return Err(Refusal::Conflict("no apply was cut off".to_owned()));
        }
        let settle = match finish {
            true => Settle::Finish,
            false => Settle::TakeBack,
        };
        let work = async move {
            conversation.settle(settle).await?;
            conversation.carry_on().await.map(drop)
        };
        self.begin_work(Box::pin(work))
    }

    async fn cancel(&self) -> Answer {
        match self.conversation()?.cancel() {
            Cancelled::Nothing => Err(Refusal::Conflict("nothing is under way".to_owned())),
            Cancelled::Stopping | Cancelled::Leaving => Ok(()),
        }
    }

    async fn undo(&self, undo: Undo) -> Answer {
        let conversation = self.conversation()?;
        let work: Work = match undo {
            Undo::Draft => Box::pin(async move { conversation.undo_draft().await.map(drop) }),
            Undo::Last => Box::pin(async move { conversation.undo(None).await.map(drop) }),
            Undo::Plan(plan) => {
                Box::pin(async move { conversation.undo(Some(plan)).await.map(drop) })
            }
        };
        self.begin_work(work)
    }

    async fn propose(&self, wish: Wish) -> Answer {
        let conversation = self.conversation()?;
        let files = match &wish {
            Wish::Upload { files, .. } => files.iter().map(|file| file.held.clone()).collect(),
            _ => Vec::new(),
        };
        let (text, program) = match wish {
            Wish::Program { text, program } => (text, program),
            wish if self.has_buckets() => {
                wishes::program(&wish, |id| self.waiting.source(id)).map_err(Refusal::Bad)?
            }
            _ => {
                let why = "this world is changed by words or by a program".to_owned();
                return Err(Refusal::Bad(why));
            }
        };
        let waiting = self.waiting.clone();
        let work = async move {
            let ran = conversation.run(&text, &program).await.map(drop);
            // A plan that waits for another start of this program needs them still.
            if conversation.open_session().journal().unfinished().is_none() {
                waiting.forget(&files).await;
            }
            ran
        };
        self.begin_work(Box::pin(work))
    }

    async fn receive(&self, file: Incoming) -> Answer<String> {
        self.waiting.receive(self.kind(), file).await
    }

    async fn sessions(&self) -> Answer<Vec<SessionLine>> {
        let store = self.host.store();
        let listed = store.list().map_err(|error| refusal(&error))?;
        let own = self.conversation().ok();
        let own = own.map(|it| it.open_session().journal().name().to_owned());
        let line = |(index, it): (usize, crate::journal::SessionSummary)| {
            let said = match index < LISTED {
                true => store.read(&it.name).ok(),
                false => None,
            };
            let said = said.and_then(|read| read.state.turns.last().map(|turn| turn.user.clone()));
            let closed = match it.state {
                Standing::Damaged => Some("it is damaged"),
                Standing::Open if own.as_ref() != Some(&it.name) => {
                    Some("it is open in another program")
                }
                _ => None,
            };
            SessionLine {
                session: it.name,
                world: it.world,
                turns: it.turns,
                said: said.unwrap_or_default(),
                at: it.last.unwrap_or_default(),
                closed: closed.map(str::to_owned),
            }
        };
        Ok(listed.into_iter().enumerate().map(line).collect())
    }

    async fn open(&self, session: Option<String>) -> Answer {
        let _opening = self.opening.lock().await;
        let is_busy = self
            .open()
            .work
            .as_ref()
            .is_some_and(|work| !work.is_finished());
        if is_busy {
            return Err(Refusal::Conflict("a turn is under way".to_owned()));
        }
        // What cannot be opened is found out before the open one is closed.
        let own = self.conversation().ok();
        let own = own.map(|it| it.open_session().journal().name().to_owned());
        let find = |name: Option<&str>| {
            let found = StoredSession::find(self.host.store().clone(), name);
            found.map_err(|error| refusal(&error))
        };
        let stored = find(session.as_deref())?;
        let Err(error) = self.change_to(stored).await else {
            return Ok(());
        };
        // The page goes on with the session that it had.
        if let Some(own) = own {
            let changed = self.change_to(find(Some(&own))?).await;
            changed.map_err(|error| refusal(&error))?;
        }
        Err(refusal(&error))
    }

    async fn browse(&self, look: Look) -> Answer<Page> {
        match self.has_buckets() {
            true => {
                let mut page = browse::page(&*self.world()?, &look).await?;
                let kind = self.kind();
                page.room = (!page.way.is_empty() && !look.deleted).then(|| received::room(kind));
                // Elsewhere no server answers a link.
                let is_served = kind == WorldKind::Remote;
                page.entries
                    .iter_mut()
                    .for_each(|it| it.can_share &= is_served);
                Ok(page)
            }
            false => state::page(&**self.conversation()?.world(), &look),
        }
    }

    async fn read(
        &self,
        path: String,
        version: Option<String>,
        last: Option<u64>,
    ) -> Answer<Content> {
        match self.has_buckets() {
            true => browse::read(self.world()?, &path, version, last).await,
            false => state::read(&**self.conversation()?.world(), &path, last),
        }
    }

    async fn versions(&self, path: String) -> Answer<Vec<Version>> {
        match self.has_buckets() {
            true => browse::versions(&*self.world()?, &path).await,
            false => Err(Refusal::Missing("this world keeps no versions".to_owned())),
        }
    }

    async fn forms(&self) -> Answer<Option<String>> {
        let situation = self.conversation()?.situation();
        let situation = situation.map_err(|error| refusal(&error))?;
        Ok(situation.map(|situation| situation.shown))
    }

    fn has_export(&self) -> bool {
        self.has_buckets()
    }

    async fn export(&self, plan: u64) -> Answer<Vec<u8>> {
        let conversation = self.conversation()?;
        let files = conversation.export(Some(plan));
        let files = files.map_err(|error| refusal(&error))?;
        archive(&files).map_err(|error| Refusal::Failed(error.to_string()))
    }

    fn has_report(&self) -> bool {
        self.host.has_report()
    }

    async fn report(&self) -> Answer<String> {
        if !self.has_report() {
            let why = "no evaluations are shown: `dialog2api web --report LOG_DIR` names some";
            return Err(Refusal::Missing(why.to_owned()));
        }
        self.host.report().await.map_err(|error| refusal(&error))
    }

    async fn policy(&self) -> Answer<String> {
        let policy = self.conversation()?.policy();
        let words = &self.host.domain().words;
        Ok(match policy {
            Some(policy) => policy.spelled(words).to_string(),
            None => "There is no policy.".to_owned(),
        })
    }
}
