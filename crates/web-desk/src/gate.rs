//! A server for other programs on this machine: the page's rules, with a token in a header where the
//! page has a cookie.

use crate::access::{Access, Reach, same};
use crate::guard;
use axum::Router;
use axum::extract::{Request, State};
use axum::http::StatusCode;
use axum::http::header::{AUTHORIZATION, HeaderMap, ORIGIN, WWW_AUTHENTICATE};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::watch;

/// How long clients that hold a connection keep the server from ending.
const GRACE: Duration = Duration::from_secs(2);

/// A server that listens on loopback and answers whoever has its token. Browsers that come from a
/// site of their own are refused, even with the token.
pub struct Gate {
    listener: TcpListener,
    bound: SocketAddr,
    access: Access,
    token: String,
}

struct Known {
    access: Access,
    token: String,
}

impl Gate {
    /// Listens at this address, which is one of loopback; port 0 is any that is free.
    ///
    /// # Errors
    /// Others can reach the address, or the token is too short ([`io::ErrorKind::InvalidInput`],
    /// with the way out), or the address is taken.
    pub async fn bind(listen: SocketAddr, token: String) -> io::Result<Gate> {
        let invalid = |why| io::Error::new(io::ErrorKind::InvalidInput, why);
        Access::check(&Reach::Loopback, listen).map_err(invalid)?;
        Access::check_token(&token).map_err(invalid)?;
        let listener = TcpListener::bind(listen).await?;
        let bound = listener.local_addr()?;
        let access = Access::new(Reach::Loopback, bound)?;
        Ok(Gate {
            listener,
            bound,
            access,
            token,
        })
    }

    /// The address of a path here.
    pub fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.bound)
    }

    /// Answers requests for a path, whose bodies are read as they come, until the future ends.
    ///
    /// # Errors
    /// The listener failed.
    pub async fn serve<H, F, R>(
        self,
        path: &str,
        handler: H,
        until: impl Future<Output = ()> + Send + 'static,
    ) -> io::Result<()>
    where
        H: Fn(Request) -> F + Clone + Send + Sync + 'static,
        F: Future<Output = R> + Send + 'static,
        R: IntoResponse + 'static,
    {
        let known = Arc::new(Known {
            access: self.access,
            token: self.token,
        });
        let router = Router::new()
            .route(path, any(move |request: Request| handler(request)))
            .layer(from_fn_with_state(known, admit))
            .layer(from_fn(guard::headers));
        let (ending, mut ends) = watch::channel(false);
        let serving = axum::serve(self.listener, router).with_graceful_shutdown(async move {
            until.await;
            ending.send_replace(true);
        });
        tokio::select! {
            served = serving => served,
            () = async {
                // An error says that the server has ended by itself.
                let _ = ends.wait_for(|ends| *ends).await;
                tokio::time::sleep(GRACE).await;
            } => Ok(()),
        }
    }
}

async fn admit(State(known): State<Arc<Known>>, request: Request, next: Next) -> Response {
    match check(&known, &request) {
        Ok(()) => next.run(request).await,
        Err(refused) => *refused,
    }
}

fn check(known: &Known, request: &Request) -> Result<(), Box<Response>> {
    let headers = request.headers();
    let host = guard::of_host(&known.access, request)?;
    if headers.contains_key(ORIGIN) && !guard::is_from(host, headers) {
        return guard::refuse(StatusCode::FORBIDDEN, "Another site sent this.");
    }
    if !same(&known.token, bearer(headers).unwrap_or_default()) {
        let why = "Send the token of this server as `Authorization: Bearer TOKEN`.";
        let refused = (
            StatusCode::UNAUTHORIZED,
            [(WWW_AUTHENTICATE, "Bearer")],
            why,
        );
        return Err(Box::new(refused.into_response()));
    }
    Ok(())
}

/// The token that a request brings. The name of the scheme is read in any case (RFC 9110).
fn bearer(headers: &HeaderMap) -> Option<&str> {
    let (scheme, token) = headers.get(AUTHORIZATION)?.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| token.trim())
}
