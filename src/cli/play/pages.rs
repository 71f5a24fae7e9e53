//! Games at pages in the browser.

use super::append::{Kept, append};
use super::{PlayArgs, Setup};
use crate::cli::stop::Signals;
use crate::cli::web::open_browser;
use crate::cli::{Exit, terminal};
use crate::domain::counted;
use crate::error::{Error, Result};
use crate::web::{SeatPage, seats};
use decision_games::play::{Pages, end_name};
use serde_json::{Map, json};
use std::net::SocketAddr;
use std::sync::Arc;
use tokio::sync::watch;
use tokio::task::JoinSet;
use web_desk::{Reach, Server};

/// Serves each person a page of its own until Ctrl-C. A game that ends is written at once.
pub async fn serve(
    args: &PlayArgs,
    setup: Setup,
    kept: &Kept,
    mut signals: Signals,
) -> Result<Exit> {
    let Setup {
        table,
        world,
        players,
        index,
    } = setup;
    let session = format!("{} {index}", table.game().name());
    let (over, mut ended) = watch::channel(None);
    let record = kept.clone();
    let watch = move |pages: &Pages| {
        if over.borrow().is_some() {
            return;
        }
        let (table, turns) = (pages.table(), pages.record());
        if !turns.turns.is_empty() {
            record.set(turns.line(table, &world, index));
        }
        let how = match (table.position().ended(), pages.broken()) {
            (Some(end), _) => Ok((end_name(end), turns.words())),
            (None, Some(reason)) => Err(reason.to_owned()),
            (None, None) => return,
        };
        over.send_replace(Some(how));
    };
    let people = seats(Pages::new(table, players, args.suggest), &session, watch);
    let (stop, _) = watch::channel(false);
    let mut serving = JoinSet::new();
    let mut links = Map::new();
    for page in people {
        let server = server().await?;
        let url = server.links().fresh().map_err(failed)?;
        links.insert(page.name().to_owned(), url.into());
        let mut stopped = stop.subscribe();
        let until = async move { drop(stopped.wait_for(|it| *it).await) };
        let log = page.log();
        let page: Arc<SeatPage> = page;
        serving.spawn(server.serve_seat(page, log, until));
    }
    say(args, &links)?;
    let outcome = tokio::select! {
        () = signals.wait() => Ok(()),
        how = over_at(&mut ended) => {
            let outcome = finished(args, kept, how);
            if let Err(error) = &outcome {
                terminal::complain("error", &error.to_string());
            }
            // What the page shows at the end is read there.
            signals.wait().await;
            outcome
        }
    };
    stop.send_replace(true);
    while let Some(served) = serving.join_next().await {
        served
            .map_err(|error| failed(error.into()))?
            .map_err(failed)?;
    }
    // Why it ended was said then.
    Ok(outcome.map_or_else(|error| Exit::of(&error), |()| Exit::Done))
}

/// Writes a game that is over, and says how it ended.
fn finished(args: &PlayArgs, kept: &Kept, how: How) -> Result<()> {
    if let (Some(path), Some(game)) = (&args.record, kept.take()) {
        append(path, game)?;
    }
    match how {
        Ok((how, words)) if !args.json => {
            terminal::print(format_args!("{how}, {}\n", counted(words, "word")))
        }
        Ok(_) => Ok(()),
        Err(reason) => Err(Error::model(reason)),
    }
}

type How = std::result::Result<(&'static str, usize), String>;

async fn over_at(ended: &mut watch::Receiver<Option<How>>) -> How {
    match ended.wait_for(Option::is_some).await {
        Ok(how) => how.clone().unwrap_or_else(|| Err(String::new())),
        // The thread of the game is gone.
        Err(_) => Err("the game ended by a fault of this program".to_owned()),
    }
}

async fn server() -> Result<Server> {
    let any = SocketAddr::from(([127, 0, 0, 1], 0));
    let server = Server::bind(any, Reach::Loopback).await;
    server.map_err(failed)
}

/// Prints the links. One browser is opened; others are for other people.
fn say(args: &PlayArgs, links: &Map<String, serde_json::Value>) -> Result<()> {
    if args.json {
        // On one line, for whoever reads lines.
        return terminal::print(format_args!("{}\n", json!({ "links": links })));
    }
    for (seat, link) in links {
        let link = link.as_str().unwrap_or_default();
        terminal::print(format_args!("{seat}: open {link}\n"))?;
        if !args.no_open && links.len() == 1 {
            open_browser(link);
        }
    }
    terminal::print("Ctrl-C ends it.\n")
}

fn failed(error: std::io::Error) -> Error {
    Error::system("the page cannot be served")(error)
}
