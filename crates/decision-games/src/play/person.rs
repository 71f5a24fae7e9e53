//! People at a terminal: lines in, lines out.

use std::io::{self, BufRead, Write};
use std::sync::Arc;

use super::ending::Ending;
use super::suggested::{refused, suggested};
use super::{Course, Record};
use crate::game::Game;
use crate::player::Player;
use crate::table::{End, Table};
use crate::text::{Heard, heard};

/// Who plays, seat by seat: a player, or none for a person.
pub struct Person<'a> {
    /// The players of all seats.
    pub players: Vec<Option<Box<dyn Player>>>,
    /// Whether `/suggest` shows what the solver would propose.
    pub suggest: bool,
    /// Whether people share this terminal and look away for each other: what one has seen is wiped
    /// before the next one looks.
    pub hands_over: bool,
    /// Lines of the person.
    pub input: &'a mut dyn BufRead,
    /// What it sees. Text of others has passed [`plain`].
    pub output: &'a mut dyn Write,
    /// Told after each turn, so that a game that is broken off is not lost.
    pub watch: &'a mut dyn FnMut(&Table, &Record),
}

/// How a game with people stopped.
#[derive(Clone, Debug, PartialEq)]
pub enum Ended {
    /// By the rules.
    Game(End),
    /// The person left: `/quit`, or the end of the input.
    Left,
    /// A player could not be asked; the sentence says why.
    Failed(String),
}

/// The commands that a person has in this seat.
fn help(table: &Table, seat: usize, with: &Person<'_>) -> String {
    let game = table.game().as_ref();
    let (may, mediates) = (game.seats()[seat], table.mediates(seat));
    let commands = [
        (mediates, "/to N TEXT   say something in room N"),
        (
            may.may_propose,
            "/propose P   make a proposal; several lines of it are separated by \" / \"",
        ),
        (
            may.may_answer,
            "/accept      accept the proposal that waits",
        ),
        (
            may.may_answer,
            "/reject      reject it; text behind it is said, too",
        ),
        (
            may.may_query,
            "/search Q    ask a query, such as Search(fields=[name, price], limit=3)",
        ),
        (
            refused(game, seat, with.suggest).is_none(),
            "/suggest     show what the solver would propose",
        ),
        (true, "/view        show your view again"),
        (true, "/score       show the last proposal as you read it"),
        (true, "/quit        leave"),
    ];
    let first = match mediates {
        true => "Commands:",
        false => "A line is a message. Commands:",
    };
    let shown = commands.iter().filter(|(has, _)| *has);
    shown.fold(first.to_owned(), |text, (_, command)| {
        text + "\n  " + command
    })
}

/// Plays a game with at least one person until it ends or the person leaves.
///
/// The table should be in strict order: players without a model wait for their turn.
///
/// # Errors
/// The input cannot be read, or the output cannot be written.
pub fn person(table: &mut Table, with: &mut Person<'_>) -> io::Result<(Record, Ended)> {
    let game = Arc::clone(table.game());
    let mut course = Course::new(table);
    let mut read = vec![String::new(); game.seats().len()];
    let mut shown = None;
    let ended = loop {
        if let Some(end) = course.table().position().ended().cloned() {
            finish(&mut course, with)?;
            break Ended::Game(end);
        }
        let Some(seat) = course.mover() else {
            break Ended::Left;
        };
        if let Some(player) = with.players.get_mut(seat).and_then(Option::as_mut) {
            player.sit(course.table());
            let turn = match player.turn(&course.news(seat)) {
                Ok(turn) => turn,
                Err(reason) => break Ended::Failed(reason),
            };
            // The reason of a refusal is news for its mover.
            if course.make(seat, &turn).is_ok() {
                (with.watch)(course.table(), course.record());
            }
            continue;
        }
        if shown != Some(seat) {
            // At one terminal, people take turns: each sees its own view.
            let name = &game.seats()[seat].name;
            let hands_over = with.hands_over && shown.is_some();
            if hands_over && !handed_over(name, with)? {
                break Ended::Left;
            }
            writeln!(with.output, "\n=== {name}\n")?;
            let is_first = read[seat].is_empty();
            if is_first || hands_over {
                writeln!(with.output, "{}\n", plain(&game.picture(seat)))?;
            }
            if is_first {
                writeln!(with.output, "{}", help(course.table(), seat, with))?;
            }
            shown = Some(seat);
        }
        let fresh = course.news(seat);
        for heard in of_others(&fresh) {
            let (from, tag, content) = (heard.from, heard.tag, plain(&heard.content));
            match tag.as_str() {
                "message" => writeln!(with.output, "{from}: {content}")?,
                "note" => writeln!(with.output, "{content}")?,
                "propose" => writeln!(with.output, "{from} proposes:\n{content}")?,
                _ => writeln!(with.output, "{from}: {tag}")?,
            }
        }
        read[seat] += &fresh;
        read[seat].push('\n');
        let Some(turn) = ask(course.table(), with, seat, &read[seat])? else {
            break Ended::Left;
        };
        if let Err(illegal) = course.attempt(seat, &turn) {
            // A person has commands in the place of tags.
            let text = plain(&illegal.text).replace("[accept]", "/accept");
            let text = text
                .replace("[reject]", "/reject")
                .replace("[tool]", "/search");
            writeln!(with.output, "! {text}")?;
            continue;
        }
        if turn.starts_with("[tool]") {
            let told = course.news(seat);
            let answer = told.split_once('\n').map_or("", |(_, answer)| answer);
            writeln!(with.output, "{}", plain(answer))?;
            read[seat] += &told;
            read[seat].push('\n');
        }
        (with.watch)(course.table(), course.record());
    };
    Ok((course.played().record, ended))
}

/// Wipes the terminal with what can be scrolled back to, and waits for the next person; false at the
/// end of the input.
fn handed_over(name: &str, with: &mut Person<'_>) -> io::Result<bool> {
    const WIPE: &str = "\x1b[H\x1b[2J\x1b[3J";
    write!(
        with.output,
        "{WIPE}It is {name}'s turn. Press Enter when nobody else looks. "
    )?;
    with.output.flush()?;
    let is_there = with.input.read_line(&mut String::new())? > 0;
    write!(with.output, "{WIPE}")?;
    Ok(is_there)
}

/// What others have done, and the table has noted.
fn of_others(news: &str) -> impl Iterator<Item = Heard> {
    let heard = heard(news).into_iter();
    heard.filter(|heard| !heard.from.starts_with("You"))
}

/// Asks a person for a turn; none if it leaves.
fn ask(
    table: &Table,
    with: &mut Person<'_>,
    seat: usize,
    read: &str,
) -> io::Result<Option<String>> {
    let (game, mediates) = (table.game().as_ref(), table.mediates(seat));
    loop {
        write!(with.output, "{}> ", game.seats()[seat].name)?;
        with.output.flush()?;
        let mut line = String::new();
        if with.input.read_line(&mut line)? == 0 {
            return Ok(None);
        }
        let line = line.trim();
        let (command, rest) = line.split_once(' ').unwrap_or((line, ""));
        let to = if mediates { "all: " } else { "" };
        match command {
            "" => {}
            "/quit" => return Ok(None),
            "/propose" => return Ok(Some(format!("{to}[propose] {}", rest.replace(" / ", "\n")))),
            "/accept" => return Ok(Some(format!("[accept] {rest}"))),
            "/reject" => return Ok(Some(format!("[reject] {rest}"))),
            "/search" => return Ok(Some(format!("[tool] {rest}"))),
            "/to" if mediates => {
                let (room, text) = rest.split_once(' ').unwrap_or((rest, ""));
                return Ok(Some(format!("{room}: [message] {text}")));
            }
            "/view" => writeln!(with.output, "{}", plain(&game.picture(seat)))?,
            "/score" => {
                let last = heard(read)
                    .into_iter()
                    .rfind(|heard| heard.tag == "propose");
                let text =
                    last.map_or_else(|| "Nothing was proposed.".to_owned(), |heard| heard.content);
                writeln!(with.output, "{}", plain(&text))?;
            }
            "/suggest" => suggest(game, with, seat, read)?,
            _ if command.starts_with('/') => {
                let help = help(table, seat, with);
                writeln!(with.output, "{help}")?;
            }
            _ if mediates => {
                writeln!(with.output, "! Say who should read it: /to 0 … or /to 1 …")?;
            }
            // A bracket would begin a move of its own.
            _ => return Ok(Some(format!("[message] {line}"))),
        }
    }
}

fn suggest(game: &dyn Game, with: &mut Person<'_>, seat: usize, read: &str) -> io::Result<()> {
    if let Some(reason) = refused(game, seat, with.suggest) {
        return writeln!(with.output, "! {reason}");
    }
    let Some(best) = suggested(game, seat, read) else {
        return writeln!(with.output, "! The solver finds nothing.");
    };
    let shown = game.show(&best.decision, seat, seat);
    writeln!(
        with.output,
        "{}\nworth about {:.1}:",
        plain(&shown),
        best.value
    )?;
    for reason in best.reasons {
        writeln!(
            with.output,
            "  {:+.1}  {}",
            reason.points,
            plain(&reason.what)
        )?;
    }
    Ok(())
}

/// Shows what the last turn told, the score, the best decision, and what silence would have given.
fn finish(course: &mut Course<&mut Table>, with: &mut Person<'_>) -> io::Result<()> {
    let seats = (0..).zip(&with.players);
    let people = seats.filter_map(|(seat, player)| player.is_none().then_some(seat));
    let people: Vec<usize> = people.collect();
    for seat in &people {
        for Heard { from, tag, content } in of_others(&course.news(*seat)) {
            writeln!(with.output, "{from}: {tag} {}", plain(&content))?;
        }
    }
    let table = course.table();
    match table.points() {
        Some(points) => writeln!(
            with.output,
            "\nAgreed: {} of {} points (worst {}), {:.3}.",
            points.score,
            points.best,
            points.worst,
            points.norm()
        )?,
        None => writeln!(with.output, "\nThe game ended without a decision.")?,
    }
    let ending = Ending::of(table.game().as_ref(), people.first().copied());
    let best = plain(&ending.best);
    writeln!(with.output, "A best decision:\n{best}\n{}", ending.silence)
}

/// Text of others without what steers a terminal.
pub fn plain(text: &str) -> String {
    text.chars()
        .filter(|c| *c == '\n' || !c.is_control())
        .collect()
}
