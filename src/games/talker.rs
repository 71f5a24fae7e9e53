//! A model that talks for a seat.

use super::Asker;
use crate::llm::{Message, Role};
use decision_games::{Game, Player};

const ROLE: &str = include_str!("talker.txt");

const ANSWERS: &str = "\
[accept]
    accept the proposal that waits for you
[reject] TEXT
    reject it, and say why
";

/// The most of the talk that is shown, in bytes. Older talk is left out.
const TALK: usize = 16_000;

/// Plays a seat that speaks and answers, by a model that sees what the seat sees.
pub struct Talker {
    asker: Asker,
    role: String,
    view: String,
    read: String,
}

impl Talker {
    /// For a seat that does not propose: proposals are a solver's.
    pub fn of(game: &dyn Game, seat: usize, asker: Asker) -> Option<Talker> {
        let who = game.seats().get(seat).filter(|who| !who.may_propose)?;
        let view = game.view(seat);
        let answers = if who.may_answer { ANSWERS } else { "" };
        let role = ROLE.replace("NAME", who.name).replace("ANSWERS", answers);
        Some(Talker {
            role: role.replace("VIEW", &view),
            asker,
            view,
            read: String::new(),
        })
    }
}

impl Player for Talker {
    fn turn(&mut self, news: &str) -> Result<String, String> {
        // The first news begin with the view, which is in the role.
        let news = match self.read.is_empty() {
            true => news.strip_prefix(&self.view).unwrap_or(news),
            false => news,
        };
        self.read += news.trim_start_matches('\n');
        self.read.push('\n');
        let from = self
            .read
            .ceil_char_boundary(self.read.len().saturating_sub(TALK));
        let talk = match self.read[from..].trim() {
            "" => "(Nobody has said anything yet.)",
            talk => talk,
        };
        let messages = vec![
            Message::new(Role::System, self.role.clone()),
            Message::new(Role::User, format!("{talk}\n\nYour turn:")),
        ];
        let answer = self.asker.ask(messages, None)?;
        Ok(turn(&answer))
    }
}

/// The turn in an answer: what stands before it and behind its first move is left out, and an
/// answer without a tag is a message.
fn turn(answer: &str) -> String {
    const TAGS: [&str; 4] = ["[message]", "[accept]", "[reject]", "[think]"];
    let begins = |line: &&str| TAGS.iter().any(|tag| line.trim_start().starts_with(tag));
    let lines: Vec<&str> = answer.trim().lines().collect();
    let acts = |line: &&str| begins(line) && !line.trim_start().starts_with("[think]");
    let Some(first) = lines.iter().position(acts) else {
        return format!("[message] {}", answer.trim());
    };
    let rest = &lines[first + 1..];
    let next = rest.iter().position(begins).unwrap_or(rest.len());
    [&lines[first..=first], &rest[..next]].concat().join("\n")
}

#[cfg(test)]
mod tests {
    use super::turn;

    #[test]
    fn a_turn_is_the_first_move_of_an_answer() {
        for (answer, expected) in [
            ("Hi there", "[message] Hi there"),
            ("[message] Hi\nall", "[message] Hi\nall"),
            ("Sure:\n[accept]\n[message] Fine", "[accept]"),
            ("[think] hm\n[reject] too far\n[accept]", "[reject] too far"),
            ("  ", "[message] "),
        ] {
            assert_eq!(turn(answer), expected);
        }
    }
}
