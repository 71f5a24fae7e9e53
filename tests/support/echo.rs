//! A world that answers every call with its own parameters.

use async_trait::async_trait;
use dialog2api::Result;
use dialog2api::domain::{Answer, Refusal, Signer, Value, World};
use std::sync::Arc;

/// `echo` answers with the parameters, `big` with as many bytes as asked for,
/// `refuse` with a refusal, `hang` never.
pub struct Echo;

impl Echo {
    pub fn world() -> Arc<dyn World> {
        Arc::new(Echo)
    }
}

#[async_trait]
impl World for Echo {
    async fn call(&self, operation: &str, params: &Value) -> Result<Answer> {
        Ok(match operation {
            "echo" => Ok(params.clone()),
            "big" => {
                let size = params
                    .get("size")
                    .and_then(Value::as_int)
                    .unwrap_or_default();
                Ok(Value::Bytes(
                    vec![b'x'; usize::try_from(size).unwrap_or_default()].into(),
                ))
            }
            "hang" => std::future::pending().await,
            "fail" => {
                return Err(dialog2api::Error::world("the connection is lost"));
            }
            _ => Err(Refusal {
                code: "NoSuchThing".to_owned(),
                message: format!("there is no {operation}"),
                status: 404,
                details: vec![("Name".into(), operation.into())],
            }),
        })
    }

    fn fork(&self) -> Option<Arc<dyn World>> {
        Some(Echo::world())
    }

    async fn state(&self, _: &mut Signer) -> Result<()> {
        Ok(())
    }

    fn describe(&self) -> String {
        "an echo".to_owned()
    }
}
