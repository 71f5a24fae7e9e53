//! A client whose patience ends when the proxy says so: as with a time limit that is over,
//! but however busy the machine is, only where the answer was withheld. (That the limits of
//! time do the same is for `tests/remote/limits.rs`.)

use aws_smithy_http_client::Builder;
use aws_smithy_runtime_api::client::http::{
    HttpConnector, HttpConnectorFuture, SharedHttpClient, SharedHttpConnector, http_client_fn,
};
use aws_smithy_runtime_api::client::orchestrator::HttpRequest;
use aws_smithy_runtime_api::client::result::ConnectorError;
use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex};
use tokio::sync::oneshot;

/// The header that numbers requests. It is not signed, and no server knows it.
pub const NUMBER: &str = "x-request-of-the-test";

/// The requests that wait for an answer.
#[derive(Clone, Default)]
pub struct Waiting(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    last: u64,
    waits: HashMap<u64, oneshot::Sender<()>>,
}

impl Waiting {
    /// The client, over sockets.
    pub fn client(&self) -> SharedHttpClient {
        use aws_smithy_runtime_api::client::http::HttpClient;
        let (waiting, sockets) = (self.clone(), Builder::new().build_http());
        http_client_fn(move |settings, components| {
            SharedHttpConnector::new(Connector {
                waiting: waiting.clone(),
                sockets: sockets.http_connector(settings, components),
            })
        })
    }

    /// The request with this number is given up.
    pub fn give_up(&self, number: u64) {
        let wait = self.0.lock().unwrap().waits.remove(&number);
        let _ = wait.map(|wait| wait.send(()));
    }

    fn begin(&self) -> (u64, oneshot::Receiver<()>) {
        let (sender, receiver) = oneshot::channel();
        let mut state = self.0.lock().unwrap();
        state.last += 1;
        let number = state.last;
        state.waits.insert(number, sender);
        (number, receiver)
    }

    fn end(&self, number: u64) {
        self.0.lock().unwrap().waits.remove(&number);
    }
}

#[derive(Clone)]
struct Connector {
    waiting: Waiting,
    sockets: SharedHttpConnector,
}

impl fmt::Debug for Connector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Connector")
    }
}

impl HttpConnector for Connector {
    fn call(&self, mut request: HttpRequest) -> HttpConnectorFuture {
        let (number, given_up) = self.waiting.begin();
        request.headers_mut().insert(NUMBER, number.to_string());
        let answer = self.sockets.call(request);
        let waiting = self.waiting.clone();
        HttpConnectorFuture::new(async move {
            let answer = tokio::select! {
                biased;
                answer = answer => answer,
                Ok(()) = given_up => Err(ConnectorError::timeout("waited long enough".into())),
            };
            waiting.end(number);
            answer
        })
    }
}
