//! A world that takes its time, in which calls meet with different fates.

use super::lab::call_all;
use async_trait::async_trait;
use dialog2api::domain::s3::operations;
use dialog2api::domain::{Answer, Layer, Onward, Refusal, Value, World};
use dialog2api::{Error, Result};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

/// What happens to a call.
#[derive(Clone, Copy, PartialEq)]
pub enum Fate {
    Fine,
    /// The server says that it is busy.
    SlowDown,
    /// It is carried out, and the connection breaks before the answer.
    Lost,
    /// It is refused.
    Denied,
    /// A listing tells other ETags than a look at each object.
    Other,
    /// The object of this call is changed by someone else just before it.
    Changed,
}

/// The fate of a call by its operation, its key, and how often that was tried before.
pub type Fates = fn(&str, &str, usize) -> Fate;

/// A world that takes its time: its calls come to their end in another order than they began.
pub struct Slow {
    world: Arc<dyn World>,
    fates: Fates,
    calls: Mutex<BTreeMap<String, usize>>,
    now: AtomicUsize,
    /// The most calls that write which were under way at once.
    pub most: AtomicUsize,
    /// A `DeleteObjects` with an ETag is not understood.
    pub is_simple: bool,
}

impl Slow {
    pub fn new(world: &Arc<dyn World>, fates: Fates) -> Slow {
        Slow {
            world: world.clone(),
            fates,
            calls: Mutex::default(),
            now: AtomicUsize::new(0),
            most: AtomicUsize::new(0),
            is_simple: false,
        }
    }

    pub fn counts(&self) -> String {
        let mut counts: BTreeMap<String, usize> = BTreeMap::new();
        for (call, count) in &*self.calls.lock().unwrap() {
            let operation = call.split(' ').next().unwrap().to_owned();
            *counts.entry(operation).or_default() += count;
        }
        let lines = counts
            .iter()
            .map(|(name, count)| format!("{name} × {count}\n"));
        lines.collect()
    }

    pub fn all(&self) -> usize {
        self.calls.lock().unwrap().values().sum()
    }

    async fn one(&self, operation: &str, params: &Value, tried: usize) -> Result<Answer> {
        let text = |name: &str| params.get(name).and_then(Value::as_str).unwrap_or_default();
        let (bucket, key) = (text("Bucket").trim_start_matches("bucket-"), text("Key"));
        match (self.fates)(operation, key, tried) {
            Fate::SlowDown => Ok(Err(Refusal::new(503, "SlowDown", "Slow down."))),
            Fate::Denied => Ok(Err(Refusal::new(403, "AccessDenied", "Access Denied"))),
            Fate::Changed => {
                call_all(&*self.world, &format!("put {bucket}/{key} changed")).await;
                self.world.call(operation, params).await
            }
            Fate::Lost => {
                drop(self.world.call(operation, params).await?);
                Err(Error::world("the connection was lost"))
            }
            Fate::Other => {
                let answer = self.world.call(operation, params).await?;
                Ok(answer.map(|answer| with_other_tags(&answer)))
            }
            Fate::Fine => self.world.call(operation, params).await,
        }
    }

    /// Each key by itself, as a server does it.
    async fn many(&self, params: &Value, tried: usize) -> Result<Answer> {
        let bucket = params.get("Bucket").unwrap().clone();
        let objects = params.get("Delete").and_then(|it| it.get("Objects"));
        let (mut deleted, mut errors, mut is_lost) = (Vec::new(), Vec::new(), false);
        for object in objects.and_then(Value::as_list).unwrap() {
            let key = object.get("Key").unwrap().clone();
            let mut one = vec![
                ("Bucket".into(), bucket.clone()),
                ("Key".into(), key.clone()),
            ];
            if let Some(tag) = object.get("ETag") {
                if self.is_simple {
                    return Ok(Err(Refusal::new(400, "MalformedXML", "Not well-formed.")));
                }
                one.push(("IfMatch".into(), tag.clone()));
            }
            match self.one("delete_object", &Value::Map(one), tried).await {
                Ok(Ok(_)) => deleted.push(Value::Map(vec![("Key".into(), key)])),
                Ok(Err(refusal)) => errors.push(Value::Map(vec![
                    ("Key".into(), key),
                    ("Code".into(), refusal.code.into()),
                    ("Message".into(), refusal.message.into()),
                ])),
                Err(_) => is_lost = true,
            }
        }
        match is_lost {
            true => Err(Error::world("the connection was lost")),
            false => Ok(Ok(Value::Map(vec![
                ("Deleted".into(), Value::List(deleted)),
                ("Errors".into(), Value::List(errors)),
            ]))),
        }
    }
}

fn with_other_tags(value: &Value) -> Value {
    match value {
        Value::Map(pairs) => {
            let pairs = pairs.iter().map(|(name, it)| match &**name {
                "ETag" => (name.clone(), "\"other\"".into()),
                _ => (name.clone(), with_other_tags(it)),
            });
            Value::Map(pairs.collect())
        }
        Value::List(items) => Value::List(items.iter().map(with_other_tags).collect()),
        other => other.clone(),
    }
}

#[async_trait]
impl Layer for Slow {
    fn under(&self) -> &dyn World {
        &*self.world
    }

    async fn pass(&self, operation: &str, params: &Value, _onward: &Onward<'_>) -> Result<Answer> {
        let key = params
            .get("Key")
            .and_then(Value::as_str)
            .unwrap_or_default();
        let (number, tried) = {
            let mut calls = self.calls.lock().unwrap();
            let number: usize = calls.values().sum();
            let tried = calls.entry(format!("{operation} {key}")).or_default();
            *tried += 1;
            (number, *tried - 1)
        };
        let writes = usize::from(operations::writes(operation));
        let now = self.now.fetch_add(writes, Ordering::Relaxed) + writes;
        self.most.fetch_max(now, Ordering::Relaxed);
        for _ in 0..number * 5 % 7 {
            tokio::task::yield_now().await;
        }
        let answer = match operation {
            "delete_objects" => self.many(params, tried).await,
            _ => self.one(operation, params, tried).await,
        };
        for _ in 0..number * 3 % 5 {
            tokio::task::yield_now().await;
        }
        self.now.fetch_sub(writes, Ordering::Relaxed);
        answer
    }
}
