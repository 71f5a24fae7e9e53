//! One page for a recorded game: what each party knew, what was said, what each proposal was worth
//! as it stood, and the best decision. The page needs no server and no script.

use std::fmt::Write;

use crate::compare::Match;
use crate::game::{Decision, Game};
use crate::play::Ending;
use crate::points::Points;
use crate::recorded::{Recorded, Turn};
use crate::rules::Rules;
use crate::text::counted;

const STYLE: &str = include_str!("../data/page.css");

/// Writes the page of a game.
///
/// # Errors
/// The world or a turn cannot be read.
pub fn page(recorded: &Recorded) -> Result<String, String> {
    let game = recorded.open(Rules::default())?;
    let (replay, compared) = recorded.compare(Rules::default())?;
    let title = format!("{} {}", recorded.game, recorded.index);
    let mut html = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{0}</title>\n<style>{STYLE}</style></head>\n<body><header><h1>{0}</h1>\n",
        escape(&title)
    );
    let words = recorded.words(recorded.turns.len());
    let outcome = match replay.decision {
        Some(points) => format!(
            "agreed on {} of {} (worst {}): <b>{:.3}</b>{}",
            points.score,
            points.best,
            points.worst,
            points.norm(),
            beside(recorded, points, &compared)
        ),
        None => "no decision".to_owned(),
    };
    let _ = write!(
        html,
        "<p>{outcome} · {} · {}, {} replaced, {} partial, {} answered late</p></header>\n<main>\n",
        counted(words, "word"),
        counted(replay.proposals.len(), "full proposal"),
        replay.replaced,
        replay.partial,
        replay.late_answers
    );
    views(&mut html, game.as_ref());
    talk(&mut html, recorded, game.as_ref());
    last(&mut html, game.as_ref());
    html += "</main></body></html>\n";
    Ok(html)
}

/// The recorded figure, where it is not the one that the rules give.
fn beside(recorded: &Recorded, points: Points, compared: &Match) -> String {
    let figures = recorded.recorded.as_ref();
    let other = figures.filter(|figures| figures.score != points.score);
    let by = match compared {
        Match::Older => " by the rule of an older server",
        _ => "",
    };
    other.map_or_else(String::new, |figures| {
        format!(", recorded {:.3}{by}", figures.norm)
    })
}

fn views(html: &mut String, game: &dyn Game) {
    html.push_str("<section><h2>What each party knew</h2>\n");
    for (place, seat) in game.seats().iter().enumerate() {
        let _ = writeln!(
            html,
            "<details><summary>{}</summary><pre tabindex=\"0\">{}</pre></details>",
            escape(seat.name),
            escape(&game.view(place))
        );
    }
    html.push_str("</section>\n");
}

fn talk(html: &mut String, recorded: &Recorded, game: &dyn Game) {
    html.push_str("<section><h2>What was said</h2>\n<ol>\n");
    for turn in &recorded.turns {
        let player = turn.player();
        let name = game.seats().get(player).map_or("?", |seat| seat.name);
        let _ = write!(html, "<li class=\"seat{player}\"><b>{}</b>", escape(name));
        match turn {
            Turn::Message { text, room, .. } => {
                let to = room.filter(|room| *room != player && game.seats().len() > 2);
                if let Some(to) = to.and_then(|room| game.seats().get(room)) {
                    let _ = write!(html, " to {}", escape(to.name));
                }
                let _ = write!(html, "<p>{}</p>", escape(text));
            }
            Turn::Proposal { .. } => {
                let decision = turn.decision(game).cloned().unwrap_or_default();
                proposal(html, game, &decision, player);
            }
            Turn::Response { accept, .. } => {
                html.push_str(if *accept { " accepts" } else { " rejects" });
            }
        }
        html.push_str("</li>\n");
    }
    html.push_str("</ol></section>\n");
}

/// A proposal, its worth, and what each party read about it.
fn proposal(html: &mut String, game: &dyn Game, decision: &Decision, by: usize) {
    let worth = match game.complete(decision) {
        true => format!("{:.3}", game.points(decision).norm()),
        false => "not complete".to_owned(),
    };
    let _ = write!(html, " proposes <span class=\"worth\">{worth}</span>");
    let mut shown: Vec<(String, Vec<&str>)> = Vec::new();
    for (place, seat) in game.seats().iter().enumerate() {
        let text = game.show(decision, place, by);
        match shown.iter_mut().find(|(known, _)| *known == text) {
            Some((_, seats)) => seats.push(seat.name),
            None => shown.push((text, vec![seat.name])),
        }
    }
    for (text, seats) in shown {
        let _ = write!(
            html,
            "<details><summary>as {} read it</summary><pre tabindex=\"0\">{}</pre></details>",
            escape(&seats.join(" and ")),
            escape(&text)
        );
    }
}

fn last(html: &mut String, game: &dyn Game) {
    let Ending { best, silence } = Ending::of(game, None);
    let _ = write!(
        html,
        "<section><h2>The best decision</h2><pre tabindex=\"0\">{}</pre>\n<p>{}</p></section>\n",
        escape(&best),
        escape(&silence)
    );
}

fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kinds::Kinds;

    /// A game of this kind in which nothing has happened yet.
    fn begun(kind: &str) -> Recorded {
        let world = Kinds::default().generate(kind, 1, Rules::default());
        Recorded {
            game: kind.to_owned(),
            index: 1,
            world: world.expect("a world"),
            turns: Vec::new(),
            proposals: Vec::new(),
            recorded: None,
        }
    }

    /// The page tells of the silence of each seat that may propose, as the free rows do.
    #[test]
    fn silence_is_that_of_each_seat_that_proposes() {
        for kind in Kinds::default().names() {
            let recorded = begun(kind);
            let html = page(&recorded).expect("a page");
            let rows = crate::rows::rows(&recorded).expect("rows");
            let silent = rows.iter().filter(|row| row.name == "silent");
            let reached: Vec<String> = silent.map(|row| format!("{:.3}", row.norm)).collect();
            let game = recorded.open(Rules::default()).expect("a game");
            let proposing = game.seats().iter().filter(|seat| seat.may_propose);
            let told = proposing
                .zip(&reached)
                .map(|(seat, norm)| (seat.name, norm));
            let told: Vec<_> = told.collect();
            assert_eq!(told.len(), reached.len());
            let told = match told.as_slice() {
                [(first, norm), (second, other)] => {
                    format!("{first} would have reached {norm}, {second} {other}.")
                }
                [(only, norm)] => format!("{only} would have reached {norm}."),
                other => panic!("{other:?}"),
            };
            assert!(
                html.contains(&format!("<p>Without a word, {told}</p>")),
                "{html}"
            );
        }
    }

    #[test]
    fn what_people_wrote_is_text_and_never_markup() {
        let kinds = Kinds::default();
        let mut recorded = begun(kinds.names().next().expect("a kind"));
        recorded.turns.push(Turn::Message {
            player: 0,
            text: "<script>alert(1)</script> & \"more\"".to_owned(),
            room: None,
        });
        let html = page(&recorded).expect("a page");
        assert!(!html.contains("<script"));
        assert!(html.contains("&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;more&quot;"));
    }
}
