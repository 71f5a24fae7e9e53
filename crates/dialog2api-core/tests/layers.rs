//! Worlds around worlds.
#![allow(clippy::unwrap_used, reason = "a test stops where it cannot go on")]

use async_trait::async_trait;
use dialog2api_core::domain::{
    Answer, Layer, Map, Onward, Refusal, Signer, StateValue, Touched, Value, World, signature,
};
use dialog2api_core::error::Result;
use expect_test::expect;
use serde_json::json;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

/// A world that has notes under keys: `get` reads one, `keys` lists them. It says by which of its
/// methods it was called.
#[derive(Default)]
struct Notebook {
    notes: Vec<(&'static str, &'static str)>,
    called: Mutex<Vec<&'static str>>,
}

impl Notebook {
    fn answer(&self, way: &'static str, operation: &str, params: &Value) -> Answer {
        self.called.lock().unwrap().push(way);
        let key = params.get("key").and_then(Value::as_str);
        let found = self.notes.iter().find(|(known, _)| Some(*known) == key);
        let keys = self.notes.iter().map(|(key, _)| (*key).into());
        match (operation, found) {
            ("keys", _) => Ok(Value::List(keys.collect())),
            (_, Some((_, text))) => Ok((*text).into()),
            _ => Err(missing()),
        }
    }
}

fn missing() -> Refusal {
    Refusal::new(404, "NoSuchKey", "there is no such key")
}

#[async_trait]
impl World for Notebook {
    async fn call(&self, operation: &str, params: &Value) -> Result<Answer> {
        Ok(self.answer("call", operation, params))
    }

    async fn call_streamed(&self, operation: &str, params: &Value) -> Result<Answer> {
        Ok(self.answer("call_streamed", operation, params))
    }

    async fn call_once(&self, operation: &str, params: &Value) -> Result<Answer> {
        Ok(self.answer("call_once", operation, params))
    }

    async fn repeat(&self, operation: &str, params: &Value) -> Result<Answer> {
        Ok(self.answer("repeat", operation, params))
    }

    async fn call_observed(
        &self,
        operation: &str,
        params: &Value,
    ) -> Result<(Answer, Option<Vec<Touched>>)> {
        let answer = self.answer("call_observed", operation, params);
        Ok((answer, Some(vec![Touched::default()])))
    }

    fn spool(&self) -> Result<Option<(PathBuf, u64)>> {
        Ok(Some((PathBuf::from("spool"), 8)))
    }

    async fn known(&self, operation: &str, params: &Value) -> Result<Option<Answer>> {
        Ok(Some(self.answer("known", operation, params)))
    }

    fn fork(&self) -> Option<Arc<dyn World>> {
        Some(Arc::new(Notebook {
            notes: self.notes.clone(),
            called: Mutex::default(),
        }))
    }

    async fn state(&self, signer: &mut Signer) -> Result<()> {
        for (key, text) in &self.notes {
            signer.field(b'k', key.as_bytes());
            signer.field(b't', text.as_bytes());
        }
        Ok(())
    }

    fn state_value(&self) -> Option<StateValue> {
        let notes = self.notes.iter().map(|(key, text)| (*key, json!(text)));
        Some(StateValue::from_json(&notes.collect()))
    }

    fn describe(&self) -> String {
        let keys: Vec<&str> = self.notes.iter().map(|(key, _)| *key).collect();
        format!("notes: {}", keys.join(", "))
    }
}

/// A layer that changes nothing.
struct Glass(Notebook);

impl Layer for Glass {
    fn under(&self) -> &dyn World {
        &self.0
    }
}

#[tokio::test]
async fn a_call_goes_through_a_layer_in_the_way_in_which_it_was_made() {
    let glass = Glass(Notebook::default());
    let none = Value::Null;
    drop(glass.call("keys", &none).await);
    drop(glass.call_streamed("keys", &none).await);
    drop(glass.call_once("keys", &none).await);
    drop(glass.repeat("keys", &none).await);
    let (_, touched) = glass.call_observed("keys", &none).await.unwrap();
    drop(glass.known("keys", &none).await);
    let said = format!(
        "{}; {:?}; {:?} touched",
        glass.0.called.lock().unwrap().join(", "),
        glass.spool().unwrap(),
        touched.map(|it| it.len())
    );
    expect![[r#"call, call_streamed, call_once, repeat, call_observed, known; Some(("spool", 8)); Some(1) touched"#]]
    .assert_eq(&said);
}

/// A layer that hides the notes of a key.
struct Hiding {
    notes: Arc<dyn World>,
    key: &'static str,
}

impl Hiding {
    /// What there is to see without the key.
    fn seen(&self) -> serde_json::Map<String, serde_json::Value> {
        let state = self.notes.state_value().unwrap().to_json();
        let mut state = state.as_object().unwrap().clone();
        state.remove(self.key);
        state
    }

    fn without(&self, answer: Answer) -> Answer {
        let is_shown = |it: &Value| it.as_str() != Some(self.key);
        answer.map(|answer| match answer {
            Value::List(keys) => Value::List(keys.into_iter().filter(is_shown).collect()),
            other => other,
        })
    }

    fn hides(&self, params: &Value) -> bool {
        params.get("key").and_then(Value::as_str) == Some(self.key)
    }
}

#[async_trait]
impl Layer for Hiding {
    fn under(&self) -> &dyn World {
        &*self.notes
    }

    async fn pass(&self, operation: &str, params: &Value, onward: &Onward<'_>) -> Result<Answer> {
        match self.hides(params) {
            true => Ok(Err(missing())),
            false => Ok(self.without(onward.call(operation, params).await?)),
        }
    }

    async fn told(&self, operation: &str, params: &Value) -> Result<Option<Answer>> {
        match self.hides(params) {
            true => Ok(Some(Err(missing()))),
            false => {
                let known = self.notes.known(operation, params).await?;
                Ok(known.map(|answer| self.without(answer)))
            }
        }
    }

    fn split(&self) -> Option<Arc<dyn World>> {
        Some(Arc::new(Hiding {
            notes: self.notes.fork()?,
            key: self.key,
        }))
    }

    async fn signed(&self, signer: &mut Signer) -> Result<()> {
        for (key, text) in self.seen() {
            signer.field(b'k', key.as_bytes());
            signer.field(b't', text.as_str().unwrap().as_bytes());
        }
        Ok(())
    }

    fn shown(&self) -> Option<StateValue> {
        Some(StateValue::from_json(&self.seen().into()))
    }

    fn title(&self) -> String {
        let keys: Vec<String> = self.seen().into_iter().map(|(key, _)| key).collect();
        format!("notes: {}", keys.join(", "))
    }
}

/// Everything that a world tells.
async fn told(world: &dyn World) -> String {
    let mut lines = vec![
        world.describe(),
        world.state_value().unwrap().to_json().to_string(),
        signature(world, []).await.unwrap().to_string(),
    ];
    for (operation, key) in [("keys", ""), ("get", "plan"), ("get", "secret")] {
        let params: Map = vec![("key".into(), key.into())];
        let params = Value::Map(params);
        let answers = [
            world.call(operation, &params).await.unwrap(),
            world.call_streamed(operation, &params).await.unwrap(),
            world.call_once(operation, &params).await.unwrap(),
            world.repeat(operation, &params).await.unwrap(),
            world.call_observed(operation, &params).await.unwrap().0,
            world.known(operation, &params).await.unwrap().unwrap(),
        ];
        lines.push(format!("{operation} {key}: {:?}", answers[0]));
        assert!(answers.iter().all(|it| *it == answers[0]), "{answers:?}");
    }
    lines.join("\n")
}

/// Whatever asks, and in a fork too, it is as if the key had never been there.
#[tokio::test]
async fn a_layer_can_hide_a_key_from_all_that_a_world_tells() {
    let plan = ("plan", "meet at noon");
    let of = |notes| -> Arc<dyn World> {
        Arc::new(Notebook {
            notes,
            called: Mutex::default(),
        })
    };
    let hiding = Hiding {
        notes: of(vec![("secret", "the vault"), plan]),
        key: "secret",
    };
    let without = told(&*of(vec![plan])).await;
    assert_eq!(told(&hiding).await, without);
    assert_eq!(told(&*hiding.fork().unwrap()).await, without);
    assert_ne!(told(hiding.under()).await, without);
}
