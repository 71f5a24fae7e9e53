//! Runs of games as one HTML file that loads nothing.

use super::score::{GameScore, RecordedGames, way};
use super::table::all;
use crate::dialogue::clean;
use crate::domain::counted;
use std::fmt::Write;

const STYLE: &str = include_str!("page.css");

/// Text of models and people, without markup and without what steers a display.
fn escape(text: &str) -> String {
    let text = clean(text).replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;").replace('"', "&quot;")
}

/// A page with the figures of all runs, and below them every game turn by turn.
pub fn page(runs: &[RecordedGames], scores: &[GameScore]) -> String {
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">\n\
         <title>Decision games</title>\n<style>{STYLE}</style></head><body>\n<h1>Decision games</h1>\n\
         <p>Scores are scaled to the best decision of each world. The difference is to people in the \
         same games, with its 95 % interval; the gain is the part of what silence leaves open.</p>\n"
    );
    let (header, rows) = all(scores);
    page += "<div class=\"wide\"><table><thead><tr>";
    header
        .iter()
        .for_each(|cell| _ = write!(page, "<th scope=\"col\">{cell}</th>"));
    page += "</tr></thead><tbody>\n";
    for row in rows {
        let cells: String = row
            .iter()
            .map(|cell| format!("<td>{}</td>", escape(cell)))
            .collect();
        _ = writeln!(page, "<tr>{cells}</tr>");
    }
    page += "</tbody></table></div>\n";
    for (run, score) in runs.iter().zip(scores) {
        let (model, mode) = (escape(&run.run.who()), run.run.mode);
        _ = writeln!(
            page,
            "<h2>{model}, {mode}</h2>\n<p>{} of {}</p>",
            score.done,
            counted(score.units, "unit")
        );
        for (place, end) in &run.units {
            let norm = match (end.norm, &end.ours) {
                (_, Some(_)) => "no sample".to_owned(),
                (Some(norm), _) => format!("{norm:.4}"),
                (None, _) => format!("none, silent {:.4}", end.silent),
            };
            let (game, seat) = (escape(&place.game), escape(&place.seat));
            _ = writeln!(
                page,
                "<details><summary>{game} {}, {seat}, {}: {norm}, {}</summary><ol>",
                place.index,
                escape(&way(&run.run, place)),
                escape(&end.ended)
            );
            let why = [&end.failed, &end.ours].into_iter().flatten();
            why.for_each(|why| _ = writeln!(page, "<li class=\"why\">{}</li>", escape(why)));
            let turns = run.turns.iter().filter(|line| line.unit == *place);
            for turn in turns.filter_map(|line| line.turn.as_ref()) {
                let refused = turn.refused.as_ref();
                let refused =
                    refused.map_or_else(String::new, |code| format!(" ({})", escape(code)));
                _ = writeln!(
                    page,
                    "<li><b>{}</b>{refused} <span>{}</span>",
                    escape(&turn.seat),
                    escape(&turn.text)
                );
                for asked in &turn.asked {
                    let answer = asked.answer.as_deref().or(asked.error.as_deref());
                    _ = writeln!(page, "<pre>{}</pre>", escape(answer.unwrap_or_default()));
                }
                page += "</li>\n";
            }
            page += "</ol></details>\n";
        }
    }
    page + "</body></html>\n"
}
