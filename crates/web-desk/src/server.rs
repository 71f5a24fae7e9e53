//! The server of the page.

use crate::access::{Access, Reach};
use crate::desk::Desk;
use crate::log::Log;
use crate::stream::{self, Feed};
use crate::{assets, commands, guard, world};
use axum::Router;
use axum::extract::FromRef;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::routing::{get, post};
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::net::TcpListener;
use tokio::sync::watch;

/// A server that listens and has not answered yet.
pub struct Server {
    listener: TcpListener,
    links: Links,
}

/// Makes links to the page.
#[derive(Clone)]
pub struct Links {
    access: Arc<Access>,
    bound: SocketAddr,
}

/// What the handlers know.
#[derive(Clone)]
pub(crate) struct Shared {
    pub desk: Arc<dyn Desk>,
    pub feed: Feed,
}

impl FromRef<Shared> for Feed {
    fn from_ref(shared: &Shared) -> Feed {
        shared.feed.clone()
    }
}

impl Server {
    /// Listens at this address; port 0 is any that is free.
    ///
    /// # Errors
    /// The reach does not allow the address ([`io::ErrorKind::InvalidInput`], with the way out),
    /// or it is taken.
    pub async fn bind(listen: SocketAddr, reach: Reach) -> io::Result<Server> {
        Access::check(&reach, listen)
            .map_err(|why| io::Error::new(io::ErrorKind::InvalidInput, why))?;
        let listener = TcpListener::bind(listen).await?;
        let bound = listener.local_addr()?;
        let access = Arc::new(Access::new(reach, bound)?);
        let links = Links { access, bound };
        Ok(Server { listener, links })
    }

    /// Makes links to the page, also while it is served.
    pub fn links(&self) -> Links {
        self.links.clone()
    }

    /// Serves the page until the future ends.
    ///
    /// # Errors
    /// The listener failed.
    pub async fn serve(
        self,
        desk: Arc<dyn Desk>,
        log: Arc<Log>,
        until: impl Future<Output = ()> + Send + 'static,
    ) -> io::Result<()> {
        self.serve_with(log, until, |feed| router(Shared { desk, feed }))
            .await
    }

    /// Serves what `routes` makes of the events until the future ends.
    pub(crate) async fn serve_with(
        self,
        log: Arc<Log>,
        until: impl Future<Output = ()> + Send + 'static,
        routes: impl FnOnce(Feed) -> Router,
    ) -> io::Result<()> {
        let (ending, ends) = watch::channel(false);
        let access = self.links.access;
        let router = routes(Feed { log, access, ends });
        axum::serve(self.listener, router)
            .with_graceful_shutdown(async move {
                until.await;
                // Streams of events have no end of their own.
                ending.send_replace(true);
            })
            .await
    }
}

impl Links {
    /// A link that opens the page in one browser. The browser keeps a cookie, and the link is
    /// worth nothing afterwards.
    ///
    /// # Errors
    /// The system gives no random bytes.
    pub fn fresh(&self) -> io::Result<String> {
        Ok(format!(
            "http://{}/?token={}",
            self.bound,
            self.access.link()?
        ))
    }
}

fn router(shared: Shared) -> Router {
    let access = shared.feed.access.clone();
    let router = Router::new()
        .route("/", get(assets::index))
        .route("/assets/{name}", get(assets::asset))
        .route("/report", get(commands::report))
        .route("/api/hello", get(commands::hello))
        .route("/api/events", get(stream::events))
        .route("/api/sessions", get(commands::sessions))
        .route("/api/policy", get(commands::policy))
        .route("/api/forms", get(commands::forms))
        .route("/api/export", get(commands::export))
        .route("/api/browse", get(world::browse))
        .route("/api/read", get(world::read))
        .route("/api/versions", get(world::versions))
        .route("/api/say", post(commands::say))
        .route("/api/decide", post(commands::decide))
        .route("/api/cost", post(commands::cost))
        .route("/api/settle", post(commands::settle))
        .route("/api/cancel", post(commands::cancel))
        .route("/api/undo", post(commands::undo))
        .route("/api/open", post(commands::open))
        .route("/api/propose", post(commands::propose))
        .route("/api/delete", post(world::delete))
        .route("/api/restore", post(world::restore))
        .route("/api/make", post(world::make))
        .route("/api/move", post(world::rename))
        .route("/api/share", post(world::share))
        .route("/api/receive", post(world::receive))
        .route("/api/upload", post(world::upload));
    router
        .with_state(shared)
        .layer(from_fn_with_state(access, guard::admit))
        .layer(from_fn(guard::headers))
}
