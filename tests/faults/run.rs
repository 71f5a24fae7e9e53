//! One apply of the 200 writes, in buckets of its own, through a proxy of its own, with a
//! journal; and what must be true of it.

use crate::faults::proxy::{Fault, Proxy};
use crate::faults::server::{Server, connect};
use crate::faults::work::{
    self, Content, beginning, calls, described, is_kept, leaves_contents, make,
};
use async_trait::async_trait;
use dialog2api::Result;
use dialog2api::agent::Decision;
use dialog2api::dialogue::Outcome;
use dialog2api::domain::s3::world::memory;
use dialog2api::domain::s3::{Remote, S3};
use dialog2api::domain::{Place, Value, World, Write};
use dialog2api::journal::{Begin, DecidedBy, Ending, Origin, SessionStore};
use dialog2api::plan::{Applied, Apply, Draft, Keeping, Plan, Record, Step, Stop};
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;

/// A planned apply that was agreed to and has not begun.
pub struct Run {
    pub name: String,
    pub proxy: Proxy,
    /// Through the proxy.
    world: Remote,
    /// Past it.
    direct: Remote,
    store: SessionStore,
    pub plan: Plan,
    id: u64,
    faults: Vec<Fault>,
    _folder: TempDir,
}

/// The plan of the 200 writes.
pub struct Planned(Vec<Write>);

impl Planned {
    /// Makes it on an overlay over the server.
    pub async fn new(server: &Server) -> Planned {
        server.prepare("first").await;
        let world: Arc<dyn World> = Arc::new(server.world.clone());
        let draft = Draft::of(&world, &S3).unwrap();
        for call in calls() {
            make(&*draft, "first", &call).await;
        }
        Planned(draft.writes())
    }

    /// The same on the buckets of another run, which hold the same.
    fn on(&self, run: &str) -> Plan {
        let mut writes = self.0.clone();
        for write in &mut writes {
            write.params = renamed(&write.params, run);
            for touched in Arc::make_mut(&mut write.touched) {
                let mut segments = touched.place.segments().to_vec();
                segments[0] = segments[0].replacen("first-", &format!("{run}-"), 1);
                let place = Place::new(segments);
                touched.place = match touched.place.setting() {
                    Some(setting) => place.with_setting(setting),
                    None => place,
                };
            }
        }
        assert_eq!(writes.len(), 200);
        let outcome = Outcome::Result(serde_json::Value::Null);
        let plan = Plan::new(
            S3.effects.planning.as_deref(),
            writes,
            Vec::new(),
            outcome,
            Keeping::default(),
        );
        assert_eq!(plan.lasting, []);
        plan
    }
}

fn renamed(value: &Value, run: &str) -> Value {
    match value {
        Value::Str(text) => Value::Str(text.replacen("first-", &format!("{run}-"), 1)),
        Value::List(items) => Value::List(items.iter().map(|item| renamed(item, run)).collect()),
        Value::Map(pairs) => {
            let pairs = pairs.iter();
            Value::Map(
                pairs
                    .map(|(name, item)| (name.clone(), renamed(item, run)))
                    .collect(),
            )
        }
        other => other.clone(),
    }
}

impl Run {
    /// Agrees to the plan, on buckets of its own that hold the same.
    pub async fn new(server: &Server, planned: &Planned, name: &str, faults: &[Fault]) -> Run {
        server.prepare(name).await;
        let proxy = Proxy::start(server.endpoint()).await;
        let world = connect(&proxy.endpoint, proxy.waiting.client()).await;
        let direct = server.world.clone();
        let plan = planned.on(name);
        let folder = tempfile::tempdir().unwrap();
        let store = SessionStore::at(folder.path());
        let journal = store.begin(Some("it"), Begin::new("s3", "script")).unwrap();
        journal.said(1, "do it").unwrap();
        let id = journal
            .plan(Origin::Program { turn: 1, uid: 1 }, &plan)
            .unwrap();
        journal
            .decided(id, &Decision::Apply(Stop::default()), DecidedBy::User)
            .unwrap();
        Run {
            name: name.to_owned(),
            proxy,
            world,
            direct,
            store,
            plan,
            id,
            faults: faults.to_vec(),
            _folder: folder,
        }
    }

    /// Begins the apply, or goes on with it as a new process would. The end is written
    /// down where all writes are made; what stopped looks as if the process had died.
    pub async fn apply(&self, attempts: u32) -> Applied {
        let journal = self.store.resume("it").unwrap();
        let (plan, earlier) = journal.plan_and_steps(self.id).unwrap();
        assert_eq!(plan.writes, self.plan.writes);
        let mut apply = Apply::new(
            S3.effects.planning.as_deref().unwrap(),
            &self.world,
            &plan.writes,
        );
        apply.patience.attempts = attempts;
        apply.patience.first_wait = Duration::ZERO;
        apply.earlier = earlier;
        // The proxy tells requests apart by the write that was begun last.
        apply.window = 1;
        let mut record = Told {
            inner: journal.record(self.id),
            proxy: &self.proxy,
        };
        let applied = apply.run(&mut record, &mut |_| ()).await;
        drop(record);
        if applied.is_whole() {
            journal.applied(self.id, &applied).unwrap();
        }
        applied
    }

    /// What the journal says: how many writes are made, and whether the next was begun.
    pub fn journal(&self) -> (usize, bool, Option<Ending>) {
        let state = self.store.read("it").unwrap().state;
        let known = state.plan(self.id).unwrap();
        let end = known.end.as_ref().map(|(end, _)| *end);
        (known.made.len(), !known.begun.is_empty(), end)
    }

    pub async fn content(&self) -> Content {
        work::content(&self.direct, &self.name).await
    }

    /// Whether a write may be made twice, because the result is the same and no trace shows it.
    fn may_repeat(&self, write: &Write) -> bool {
        let tells = is_kept(write) && !self.faults.contains(&Fault::Late);
        leaves_contents(write) && !tells
    }

    /// Nothing is lost, nothing was done twice, and the journal says that all is done. The
    /// answer is how many writes were made again without a difference.
    pub async fn check_whole(&self, server: &Server) -> usize {
        let name = &self.name;
        self.proxy.settles().await;
        assert_eq!(self.journal(), (200, false, Some(Ending::Whole)), "{name}");
        let expected = described(&*expected(name).await, name).await;
        assert_eq!(described(&self.direct, name).await, expected, "{name}");
        let (mut again, mut lost) = (0, 0);
        for (number, write) in self.plan.writes.iter().enumerate() {
            let effects = self.proxy.effects(number);
            match self.may_repeat(write) {
                true if effects == 0 => lost += usize::from(is_kept(write)),
                true => again += effects - 1,
                false => assert_eq!(effects, 1, "{name}: write {number}, {write:?}"),
            }
        }
        assert_eq!(lost, 0, "{name}");
        // The server itself counts as well, where it keeps versions.
        let kept = (self.plan.writes.iter().enumerate()).filter(|(_, write)| is_kept(write));
        let made: usize = kept
            .map(|(number, write)| self.proxy.effects(number) * write.touched_here())
            .sum();
        let versions = server.versions(&format!("{name}-kept")).await;
        assert_eq!(versions.len(), 30 + made, "{name}");
        again
    }
}

trait Touches {
    /// How many places it changes.
    fn touched_here(&self) -> usize;
}

impl Touches for Write {
    fn touched_here(&self) -> usize {
        self.touched
            .iter()
            .filter(|touched| touched.changed)
            .count()
    }
}

/// What the writes make of the world, made plainly in memory.
pub async fn expected(run: &str) -> Arc<dyn World> {
    prefixes(run).await.pop().unwrap()
}

/// The world after each of the writes, and before the first.
pub async fn prefixes(run: &str) -> Vec<Arc<dyn World>> {
    let world: Arc<dyn World> = Arc::new(memory("empty").unwrap());
    for bucket in work::BUCKETS {
        make(&*world, run, &format!("make {bucket}")).await;
    }
    for call in beginning() {
        make(&*world, run, &call).await;
    }
    let mut all = vec![world.fork().unwrap()];
    for call in calls() {
        make(&*world, run, &call).await;
        all.push(world.fork().unwrap());
    }
    all
}

/// Tells the proxy which write is about to be made.
struct Told<'a> {
    inner: Box<dyn Record + 'a>,
    proxy: &'a Proxy,
}

#[async_trait]
impl Record for Told<'_> {
    async fn intent(&mut self, number: usize, step: &Step) -> Result<()> {
        self.inner.intent(number, step).await?;
        self.proxy.begins(number);
        Ok(())
    }

    async fn done(&mut self, number: usize, step: &Step) -> Result<()> {
        self.inner.done(number, step).await
    }
}
