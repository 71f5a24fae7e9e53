//! A client that waits for the sandbox hears that it does.

use super::Person;
use async_trait::async_trait;
use dialog2api::agent::{Sandbox, Settings};
use dialog2api::domain::s3::S3;
use dialog2api::domain::{NamedWorld, SharedLink, WorldKind};
use dialog2api::journal::SessionStore;
use dialog2api::mcp_server::{Ask, McpEndpoint, McpHost, ServerParts};
use dialog2api::service::{PlanView, StoredSession};
use dialog2api::{Error, Result};
use rmcp::model::CallToolRequestParams;
use std::sync::Arc;
use std::time::Duration;

/// A program whose sandbox is not there in the end, which it finds out once its client was told twice.
struct Slow(Person);

#[async_trait]
impl McpHost for Slow {
    async fn sandbox(&self) -> Result<Arc<dyn Sandbox>> {
        while self.0.asked.lock().unwrap().len() < 2 {
            tokio::task::yield_now().await;
        }
        Err(Error::usage("there is no sandbox"))
    }

    fn is_here(&self, _: &StoredSession) -> bool {
        false
    }

    fn plan(&self, _: &PlanView, _: Option<&str>) -> String {
        String::new()
    }

    fn link(&self, _: &SharedLink) {}
}

#[tokio::test]
async fn a_client_hears_that_the_sandbox_is_prepared() {
    let person = Person::default();
    let folder = tempfile::tempdir().unwrap();
    let server = McpEndpoint::new(ServerParts {
        host: Arc::new(Slow(person.clone())),
        domain: S3.clone(),
        world: NamedWorld::default(),
        kind: WorldKind::Memory,
        store: SessionStore::at(folder.path()),
        settings: Settings::default(),
        ask: Ask::Client,
        told_every: Duration::from_millis(1),
    });
    let (of_client, of_server) = tokio::io::duplex(1 << 16);
    let (read, write) = tokio::io::split(of_server);
    let server = server.unwrap();
    tokio::spawn(async move { server.serve(read, write).await });
    let client = rmcp::serve_client(person.clone(), of_client).await.unwrap();
    let arguments = serde_json::json!({"program": "return 1"});
    let request =
        CallToolRequestParams::new("run").with_arguments(arguments.as_object().unwrap().clone());
    let answer = client.call_tool(request).await.unwrap();
    assert_eq!(answer.is_error, Some(true));
    let told = person.asked();
    let told: Vec<&str> = told.split("----\n").collect();
    assert!(told.len() >= 2, "{told:?}");
    for told in told {
        let said = "The sandbox is being prepared. That is done once, and takes about a minute.";
        assert_eq!(told, said);
    }
}
