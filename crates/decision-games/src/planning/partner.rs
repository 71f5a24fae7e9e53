//! Fixed users of planning.

use super::weights::Complaint;
use super::words::topics;
use super::{Planning, words};
use crate::chance::Chance;
use crate::player::{Manner, Memory, Player};
use crate::text::{heard, sentences};

const GREETINGS: [&str; 3] = ["Hi!", "Hello!", "Hi, I plan a day in the city."];

/// A proposal that is accepted in any case.
const LAST: usize = 3;

pub(super) fn of(
    game: &Planning,
    seat: usize,
    manner: Manner,
    seed: u64,
) -> Option<Box<dyn Player>> {
    if seat != 0 {
        return None;
    }
    let wish = |text: String| {
        // The user knows no sites; names in its texts are what is left.
        let mut about = words::topics_of_text(&[], &text);
        if about.is_empty() || text.contains("heard") || text.starts_with("definitely") {
            about = vec!["visit".to_owned()];
        }
        (text, about)
    };
    let view = crate::game::Game::view(game, 0);
    Some(Box::new(Partner {
        wishes: view.lines().skip(1).map(str::to_owned).map(wish).collect(),
        manner,
        greeting: GREETINGS[Chance::new(seed).below(GREETINGS.len())],
        memory: Memory::default(),
        told: false,
        proposals: 0,
    }))
}

struct Partner {
    /// Texts with their topics.
    wishes: Vec<(String, Vec<String>)>,
    manner: Manner,
    greeting: &'static str,
    memory: Memory,
    told: bool,
    proposals: usize,
}

impl Partner {
    fn answers(&self, news: &str) -> String {
        let mut answers: Vec<String> = Vec::new();
        for heard in heard(news)
            .into_iter()
            .filter(|heard| heard.from == "Agent" && heard.tag == "message")
        {
            for question in sentences(&heard.content)
                .iter()
                .filter(|text| text.trim_end().ends_with('?'))
            {
                let asked = topics(question);
                let wanted = self.wishes.iter().filter(|(text, about)| {
                    about.iter().any(|it| asked.contains(it)) || names_a_place(question, text)
                });
                for (text, _) in wanted {
                    if !answers.contains(text) {
                        answers.push(text.clone());
                    }
                }
            }
        }
        answers.join(". ")
    }

    /// The unmet items of a scorecard, and its worst slot with the score.
    fn complaints(card: &str) -> (Vec<String>, Option<(i64, String)>) {
        let (mut unmet, mut worst): (Vec<String>, Option<(i64, String)>) = (Vec::new(), None);
        for line in card.lines() {
            let Some((before, rest)) = line.split_once("(score: ") else {
                continue;
            };
            let Some((score, what)) = rest.split_once(") ") else {
                continue;
            };
            let score: i64 = score.parse().unwrap_or(0);
            if before == "NO " {
                unmet.push(what.to_owned());
            } else if before.ends_with(") ")
                && worst.as_ref().is_none_or(|(least, _)| score < *least)
            {
                worst = Some((score, what.to_owned()));
            }
        }
        (unmet, worst)
    }

    fn answer(&mut self) -> String {
        self.proposals += 1;
        let card = self.memory.proposal().unwrap_or_default();
        let (unmet, worst) = Self::complaints(&card);
        let good = unmet.is_empty() && worst.as_ref().is_none_or(|(least, _)| *least >= 0);
        if good || self.proposals >= LAST {
            return "[accept]".to_owned();
        }
        if self.manner == Manner::Shy {
            return "[reject]\n[message] That is not what I hoped for.".to_owned();
        }
        let weakest = worst.map(|(_, what)| what);
        let text = Complaint::write(&unmet, weakest.as_deref());
        format!("[reject]\n[message] {text}")
    }
}

/// Whether a question has a word of a place's name that the wish has.
fn names_a_place(question: &str, wish: &str) -> bool {
    let asked = words_of(question);
    let is_name = |word: &&str| word.len() > 3 && word.starts_with(char::is_uppercase);
    words_of(wish)
        .into_iter()
        .skip(1)
        .filter(is_name)
        .any(|word| asked.contains(&word))
}

fn words_of(text: &str) -> Vec<&str> {
    let ends = |c: char| !c.is_alphanumeric();
    let words = text.split_whitespace().map(|word| word.trim_matches(ends));
    words.filter(|word| !word.is_empty()).collect()
}

impl Player for Partner {
    fn turn(&mut self, news: &str) -> Result<String, String> {
        Ok(self.respond(news))
    }
}

impl Partner {
    fn respond(&mut self, news: &str) -> String {
        if self.memory.take(news) {
            return self.answer();
        }
        let first = !std::mem::replace(&mut self.told, true);
        let answers = self.answers(news);
        match (first, self.manner) {
            (true, Manner::Shy) => format!("[message] {}", self.greeting),
            (true, Manner::Top) => {
                // A user has no weights; it begins with what it read first.
                let some: Vec<&str> = self
                    .wishes
                    .iter()
                    .take(4)
                    .map(|(text, _)| text.as_str())
                    .collect();
                format!("[message] {}", some.join(". "))
            }
            (true, _) => {
                let all: Vec<&str> = self.wishes.iter().map(|(text, _)| text.as_str()).collect();
                format!("[message] {}", all.join(". "))
            }
            (false, _) if answers.is_empty() => "[message] I do not mind.".to_owned(),
            (false, _) => format!("[message] {answers}"),
        }
    }
}
