//! The files of the page, which are part of the program.

use axum::extract::Path;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{Html, IntoResponse, Response};

macro_rules! scripts {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("../assets/", $name)))),*]
    };
}

const SCRIPTS: &[(&str, &str)] = scripts![
    "theme.js",
    "links.js",
    "look.js",
    "main.js",
    "dom.js",
    "net.js",
    "state.js",
    "words.js",
    "talk.js",
    "plan.js",
    "changes.js",
    "effects.js",
    "stack.js",
    "sessions.js",
    "world.js",
    "list.js",
    "preview.js",
    "parquet.js",
    "ask.js",
    "deeds.js",
    "uploads.js",
    "policy.js",
    "forms.js",
    "python.js",
    "seat.js",
    "board.js",
    "drawn.js",
];

const STYLE: &str = concat!(
    include_str!("../assets/colours.css"),
    include_str!("../assets/base.css"),
    include_str!("../assets/frame.css"),
    include_str!("../assets/talk.css"),
    include_str!("../assets/plan.css"),
    include_str!("../assets/world.css"),
    include_str!("../assets/forms.css"),
);

/// The style of a page of a game.
const SEAT_STYLE: &str = concat!(
    include_str!("../assets/colours.css"),
    include_str!("../assets/base.css"),
    include_str!("../assets/seat.css"),
    include_str!("../assets/board.css"),
);

pub(crate) async fn seat() -> Html<&'static str> {
    Html(include_str!("../assets/seat.html"))
}

pub(crate) async fn index() -> Html<&'static str> {
    Html(include_str!("../assets/index.html"))
}

pub(crate) async fn asset(Path(name): Path<String>) -> Response {
    let script = SCRIPTS.iter().find(|(own, _)| *own == name);
    match (script, name.as_str()) {
        (Some((_, text)), _) => typed("text/javascript", text),
        (None, "style.css") => typed("text/css", STYLE),
        (None, "seat.css") => typed("text/css", SEAT_STYLE),
        (None, "icon.svg") => typed("image/svg+xml", include_str!("../assets/icon.svg")),
        _ => StatusCode::NOT_FOUND.into_response(),
    }
}

fn typed(media_type: &str, text: &'static str) -> Response {
    let media_type = format!("{media_type}; charset=utf-8");
    ([(CONTENT_TYPE, media_type)], text).into_response()
}
