//! The work of the bench as a chat does it: a program runs on a draft, and its plan is applied and
//! undone. `tests/remote/wire.rs` counts its requests.

use dialog2api::agent::Layers;
use dialog2api::dialogue::Outcome;
use dialog2api::domain::s3::files::{self, Folders, WithFiles};
use dialog2api::domain::s3::{Remote, S3};
use dialog2api::domain::{Domain, World};
use dialog2api::exec::{Engine, Limits, Seed};
use dialog2api::plan::{Applied, Apply, Draft, Keeping, Plan, Unrecorded, undo};
use dialog2api::policy::{AskAbove, Ceilings, Policy};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A bucket that all of it is in.
pub const BUCKET: &str = "wire";

pub const LIST: &str = "
n = size = 0
for page in s3.get_paginator('list_objects_v2').paginate(Bucket='many'):
    for o in page.get('Contents', []):
        n += 1; size += o['Size']
return n
";

pub const READ: &str = "
found = 0
for page in s3.get_paginator('list_objects_v2').paginate(Bucket='wire', Prefix='in/'):
    for o in page.get('Contents', []):
        if b'ERROR' in s3.get_object(Bucket='wire', Key=o['Key'])['Body'].read():
            found += 1
return found
";

pub const POOL: &str = "
from concurrent.futures import ThreadPoolExecutor
def has(key):
    return b'ERROR' in s3.get_object(Bucket='wire', Key=key)['Body'].read()
keys = [o['Key'] for p in s3.get_paginator('list_objects_v2').paginate(Bucket='wire', Prefix='in/')
        for o in p.get('Contents', [])]
with ThreadPoolExecutor(32) as pool:
    return sum(pool.map(has, keys))
";

pub const MOVE: &str = "
n = 0
for page in s3.get_paginator('list_objects_v2').paginate(Bucket='wire', Prefix='in/'):
    for o in page.get('Contents', []):
        s3.copy_object(Bucket='wire', Key='out/' + o['Key'][3:], CopySource={'Bucket': 'wire', 'Key': o['Key']})
        s3.delete_object(Bucket='wire', Key=o['Key'])
        n += 1
return n
";

pub const DELETE: &str = "
keys = [{'Key': o['Key']} for p in s3.get_paginator('list_objects_v2').paginate(Bucket='wire', Prefix='in/')
        for o in p.get('Contents', [])]
for i in range(0, len(keys), 1000):
    s3.delete_objects(Bucket='wire', Delete={'Objects': keys[i:i+1000]})
return len(keys)
";

pub const UPLOAD: &str = "
import os
n = 0
for name in sorted(os.listdir('up')):
    s3.upload_file('up/' + name, 'wire', 'up/' + name); n += 1
return n
";

/// Time and requests.
#[derive(Debug, Clone, Copy, Default)]
pub struct Cost {
    pub took: Duration,
    pub requests: u64,
}

/// A server as a chat has it.
pub struct Ours {
    world: Arc<dyn World>,
    domain: Arc<Domain>,
    engine: Arc<Engine>,
    /// Whether the window of an apply stays as wide as it begins, so that its requests do not depend
    /// on how quickly they are answered.
    is_steady: bool,
}

impl Ours {
    /// A connection whose requests count from now on.
    pub fn new(remote: Remote, engine: Arc<Engine>) -> Ours {
        Ours {
            world: Arc::new(remote),
            domain: S3.clone(),
            engine,
            is_steady: false,
        }
    }

    /// The same, with the files of a folder. `engine` has the domain that [`granted`] gives.
    pub fn with_files(remote: Remote, engine: Arc<Engine>, folders: Arc<Folders>) -> Ours {
        let domain = Arc::new(files::granted(&S3, &folders));
        let most = 5 << 40;
        let world = WithFiles::new(Arc::new(remote), folders, most, None);
        Ours {
            world: Arc::new(world),
            domain,
            engine,
            is_steady: false,
        }
    }

    fn spent(&self) -> u64 {
        self.world.spent().map_or(0, |spent| spent.requests)
    }

    async fn measured<T>(&self, work: impl Future<Output = T>) -> (T, Cost) {
        let (begun, before) = (Instant::now(), self.spent());
        let done = work.await;
        let cost = Cost {
            took: begun.elapsed(),
            requests: self.spent() - before,
        };
        (done, cost)
    }

    /// Runs a program on a draft. The plan is what a chat shows before the yes.
    pub async fn plan(&self, program: &str) -> (Plan, Cost) {
        self.measured(async {
            let draft = Draft::of(&self.world, &self.domain).expect("a draft");
            let world: Arc<dyn World> = draft.clone();
            let layered = Layers::of_turn(&world, &self.domain, Arc::new(policy()))
                .within(AskAbove::NEVER, true)
                .build();
            let limits = Limits {
                calls: 1_000_000,
                total_bytes: 8 << 30,
                deadline: Duration::from_secs(3_600),
                ..Limits::default()
            };
            let seed = Seed::default();
            let ran = (self.engine).run(program, &layered.world, &limits, &seed);
            let ran = ran.await.expect("the sandbox works");
            let reads = draft.reads();
            let plan = Plan::new(
                None,
                draft.writes(),
                ran.calls,
                ran.outcome,
                Keeping::default(),
            );
            Plan { reads, ..plan }
        })
        .await
    }

    /// Keeps the window of each apply as wide as it begins.
    #[allow(dead_code, reason = "the bench lets it widen")]
    pub fn steady(self) -> Ours {
        Ours {
            is_steady: true,
            ..self
        }
    }

    fn paced<'a>(&self, apply: Apply<'a>) -> Apply<'a> {
        match self.is_steady {
            true => Apply {
                widest: apply.window,
                ..apply
            },
            false => apply,
        }
    }

    /// Makes the writes of a plan.
    pub async fn apply(&self, plan: &Plan) -> (Applied, Cost) {
        let planning = self.domain.effects.planning.as_ref().expect("it plans");
        let (applied, cost) = self
            .measured(async {
                let apply = Apply::new(&**planning, &*self.world, &plan.writes);
                let apply = self.paced(Apply {
                    reads: plan.reads.clone(),
                    ..apply
                });
                apply.run(&mut Unrecorded, &mut |_| ()).await
            })
            .await;
        assert!(applied.is_whole(), "{:?}", applied.end);
        (applied, cost)
    }

    /// Takes it back.
    pub async fn undo(&self, plan: &Plan, applied: &Applied) -> Cost {
        let planning = self.domain.effects.planning.as_ref().expect("it plans");
        let (_, cost) = self
            .measured(async {
                let undo = undo(
                    &**planning,
                    &plan.writes,
                    &applied.steps,
                    Keeping::default(),
                );
                assert_eq!(undo.lost, [], "all can be taken back");
                let apply = Apply::new(&**planning, &*self.world, &undo.plan.writes);
                let applied = self.paced(apply).run(&mut Unrecorded, &mut |_| ()).await;
                assert!(applied.is_whole(), "{:?}", applied.end);
            })
            .await;
        cost
    }
}

/// That of a chat whose user lets it do as much as this work takes.
fn policy() -> Policy {
    let most = Some(1_000_000);
    Policy {
        ceilings: Ceilings {
            records_written: most,
            records_deleted: most,
            ..Ceilings::default()
        },
        ..Policy::default()
    }
}

/// The number that a program gave.
pub fn number(plan: &Plan) -> usize {
    match &plan.outcome {
        Outcome::Result(value) => value.as_u64().unwrap_or_default() as usize,
        other => panic!("{other:?}"),
    }
}
