use serde_json::{Value as Json, json};

use super::words::Words;
use super::{Label, Protocol, Side, StarDialogue, end, latest, new, ops, set, value};
use crate::act::Act;
use crate::agenda::{Effect, Ended, Next, Place, Turned};
use crate::desk::Refused;
use crate::program::Carried;
use crate::state::{State, Status};

/// The user of the game's dialogues and its backend.
#[derive(Default)]
pub(super) struct Trivia {
    /// The answer to the question that the wizard looked up last.
    answer: String,
    question: String,
    stage: Stage,
    given: Given,
    /// What the actions of this turn said last.
    said: Option<Said>,
    greets: bool,
    leaves: bool,
}

/// How far the wizard is.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Stage {
    #[default]
    Start,
    Asked,
    Judged,
    Over,
}

/// What the user gives.
#[derive(Default)]
enum Given {
    #[default]
    Nothing,
    Number(u64),
    Answer(String),
    More(bool, Option<u64>),
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Said {
    Question,
    Right,
    Wrong,
    NotKnown,
    End,
}

const RIGHT: &str = "trivia_inform_answer_correct_ask_next";
const WRONG: &str = "trivia_inform_answer_incorrect_ask_next";
const NOT_KNOWN: &str = "trivia_inform_answer_2_ask_next";
const ASK: &str = "trivia_ask_question";

const NO_IDEA: &[&str] = &[
    "dont know",
    "do not know",
    "no idea",
    "not sure",
    "no clue",
    "idk",
    "pass",
    "skip",
    "give up",
    "stumped",
    "beats me",
    "dunno",
    "clueless",
    "not a clue",
    "unsure",
    "have no",
];
const STOP: &[&str] = &[
    "no",
    "nope",
    "nah",
    "done",
    "stop",
    "quit",
    "enough",
    "bye",
    "goodbye",
    "finish*",
    "thats all",
    "that is all",
    "end",
    "not now",
    "no more",
];
const NUMBERS: [&str; 11] = [
    "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
];

/// The number of a question, if one is said.
fn number(words: &Words) -> Option<u64> {
    let known = |word: &str| {
        let named = NUMBERS.iter().position(|name| *name == word);
        let named = named.and_then(|at| u64::try_from(at + 1).ok());
        word.parse()
            .ok()
            .or(named)
            .filter(|number| (1..=11).contains(number))
    };
    let first = words.has(&["first", "beginning", "start", "1st"]);
    words.iter().find_map(known).or(first.then_some(1))
}

/// Letters and digits alone; small numbers as digits.
fn folded(text: &str) -> String {
    let words = Words::of(text);
    let words = words
        .iter()
        .filter(|word| !["a", "an", "the"].contains(word));
    let words = words.map(|word| match NUMBERS.iter().position(|name| *name == word) {
        Some(at) => (at + 1).to_string(),
        None => word.to_owned(),
    });
    words.collect()
}

impl Trivia {
    fn judge(&self, answer: &str) -> Said {
        let (given, wanted) = (folded(answer), folded(&self.answer));
        match Words::of(answer).has(NO_IDEA) {
            _ if !wanted.is_empty() && given.contains(&wanted) => Said::Right,
            true => Said::NotKnown,
            false if given.len() > 2 && wanted.contains(&given) => Said::Right,
            false => Said::Wrong,
        }
    }

    fn ask(&self, number: u64) -> [Json; 2] {
        [
            json!({"op": "say", "text": self.question}),
            json!({"op": "new", "sheet": "QuestionAnswer", "fields": {"question_number": number}}),
        ]
    }

    /// Follows what the wizard does up to a user's turn.
    fn follow(&mut self, dialogue: &StarDialogue, turn: usize) {
        let Some(last) = turn.checked_sub(1) else {
            return;
        };
        let prev = dialogue
            .turns
            .get(turn)
            .and_then(|turn| turn.prev_system.as_deref());
        for event in dialogue.after(last) {
            if event.kind == "wizard_custom" {
                let words = Words::of(&event.text);
                if words.say(&self.question) {
                    self.stage = Stage::Asked;
                } else if words.has(&["continue", "keep playing", "next question", "play*"]) {
                    self.stage = Stage::Judged;
                }
            }
        }
        match prev {
            Some(ASK) => self.stage = Stage::Asked,
            Some(RIGHT | WRONG | NOT_KNOWN) => self.stage = Stage::Judged,
            Some("trivia_bye" | "goodbye_1" | "anything_else") => self.stage = Stage::Over,
            Some("hello" | "trivia_ask_question_number") => self.stage = Stage::Start,
            _ => {}
        }
    }

    /// The question that the wizard has looked up, at last after this turn.
    fn look_up(&mut self, dialogue: &StarDialogue, turn: usize) {
        let mut items = dialogue
            .after(turn)
            .iter()
            .filter_map(|event| event.item.as_ref());
        if let Some(item) = items.next_back() {
            let text = |key: &str| item.get(key).and_then(Json::as_str).unwrap_or_default();
            self.question = text("Question").to_owned();
            self.answer = text("Answer").to_owned();
        }
    }
}

impl Side for Trivia {
    fn hear(&mut self, dialogue: &StarDialogue, turn: usize) {
        let Some(heard) = dialogue.turns.get(turn) else {
            return;
        };
        if let Some(last) = turn.checked_sub(1) {
            self.look_up(dialogue, last);
        }
        self.follow(dialogue, turn);
        self.said = None;
        let words = Words::of(&heard.user);
        self.greets = turn == 0 && words.is_greeting();
        self.leaves = self.stage == Stage::Over && number(&words).is_none();
        self.given = match self.stage {
            Stage::Start | Stage::Over => number(&words).map_or(Given::Nothing, Given::Number),
            Stage::Asked => Given::Answer(heard.user.clone()),
            Stage::Judged => Given::More(!words.has(STOP), number(&words)),
        };
    }

    fn state(&self) -> Json {
        let (main, question) = match self.stage {
            Stage::Start => return State::default().json(),
            Stage::Asked => ("done", json!({"question_number": {"value": 1}})),
            Stage::Judged | Stage::Over => (
                "done",
                json!({
                    "question_number": {"value": 1},
                    "user_answer": {"value": "known", "acted": true},
                }),
            ),
        };
        let mut answer = json!({
            "var": "question_answer", "sheet": "QuestionAnswer", "by": "agent", "fields": question,
        });
        let over = self.stage == Stage::Over;
        if over {
            answer["status"] = json!("done");
        }
        let focus: &[&str] = if over { &[] } else { &["question_answer"] };
        let fields = json!({"starting_question_number": {"value": 1}});
        let main = json!({"var": "main", "sheet": "Main", "status": main, "fields": fields});
        json!({"turn": 1, "records": [main, answer], "focus": focus, "acts": []})
    }

    fn program(&self, on: &mut Carried<'_>) -> Result<(), Refused> {
        let open = latest(on.desk.state(), "QuestionAnswer", Status::Open).map(str::to_owned);
        match (&self.given, open) {
            (Given::Number(number), _) | (Given::More(_, Some(number)), None) => {
                new(on, "Main", &json!({"starting_question_number": number}))?;
            }
            (Given::Answer(answer), Some(record)) => {
                set(on, &record, "user_answer", &json!(answer))?;
            }
            (Given::More(more, _), Some(record)) => {
                set(on, &record, "continue_trivia", &json!(more))?;
            }
            _ => {}
        }
        end(self.leaves)
    }

    fn effect(&mut self, next: &Next, state: &State, _: Protocol) -> Effect {
        let Next::Action { place, .. } = next else {
            return Effect::Ops(Vec::new());
        };
        let read = |record: &str, field: &str| value(state, record, field);
        match place {
            Place::Field(record, field) => {
                let answer = read(record, field).unwrap_or_default();
                let said = self.judge(answer.as_str().unwrap_or_default());
                self.said = Some(said);
                let text = match said {
                    Said::Right => "That is right.",
                    Said::NotKnown => "The answer was another one.",
                    _ => "That is wrong.",
                };
                ops(&[json!({"op": "say", "text": text})])
            }
            Place::Record(record) => match read(record, "continue_trivia") {
                Some(Json::Bool(false)) => {
                    self.said = Some(Said::End);
                    ops(&[json!({"op": "say", "text": "That was the game."})])
                }
                more => {
                    self.said = Some(Said::Question);
                    let field = match more {
                        Some(_) => "question_number",
                        None => "starting_question_number",
                    };
                    let number = read(record, field).and_then(|number| number.as_u64());
                    ops(&self.ask(number.unwrap_or(0) + u64::from(more.is_some())))
                }
            },
            Place::Row(..) => Effect::Ops(Vec::new()),
        }
    }

    fn label(&self, turned: &Turned, ended: &Ended) -> Label {
        let asks = turned
            .acts
            .iter()
            .find_map(|performed| match &performed.act {
                Act::Ask(_, field) => Some(field.as_str()),
                _ => None,
            });
        const NUMBER: &[&str] = &["trivia_ask_question_number", "hello"];
        match (asks, self.said) {
            (Some("starting_question_number"), _) if self.greets => Label::one("hello", NUMBER),
            (Some("starting_question_number"), _) => Label::one(NUMBER[0], NUMBER),
            (Some("user_answer"), _) => Label::one(ASK, &[ASK, "trivia_bye"]),
            (Some(_), Some(Said::Wrong)) => Label::one(WRONG, &[WRONG, RIGHT, NOT_KNOWN, ASK]),
            (Some(_), Some(Said::NotKnown)) => {
                Label::one(NOT_KNOWN, &[NOT_KNOWN, RIGHT, WRONG, ASK])
            }
            (Some(_), _) => Label::one(RIGHT, &[RIGHT, WRONG, NOT_KNOWN, ASK]),
            (None, Some(_)) => Label::one("trivia_bye", &["trivia_bye"]),
            (None, None) if *ended == Ended::EndDialog => Label::none("trivia_bye"),
            (None, None) => Label::none("anything_else"),
        }
    }

    fn act(&self, label: &str) -> Option<&'static str> {
        Some(match label {
            "trivia_ask_question_number" | "hello" => "Ask(main, starting_question_number)",
            ASK => "Ask(question_answer, user_answer)",
            RIGHT | WRONG | NOT_KNOWN => "Ask(question_answer, continue_trivia)",
            _ => return None,
        })
    }
}
