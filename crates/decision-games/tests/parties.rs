//! The table seats any number of parties.
#![allow(clippy::unwrap_used, reason = "a test stops where it cannot go on")]

use std::sync::Arc;

use decision_games::{Decision, Game, Illegal, Limits, Order, Play, Points, Rules, Seat, Table};
use serde_json::json;

const SEATS: [Seat; 4] = [
    Seat::new("a", "A").answers(),
    Seat::new("b", "B").answers(),
    Seat::new("c", "C").answers(),
    Seat::new("d", "D").proposes(),
];

/// Four parties say yes or no; any text is a proposal.
struct Four(Order);

impl Game for Four {
    fn name(&self) -> &str {
        "four"
    }
    fn seats(&self) -> &[Seat] {
        &SEATS
    }
    fn order(&self) -> Order {
        self.0
    }
    fn view(&self, _: usize) -> String {
        String::new()
    }
    fn read(&self, text: &str) -> Result<Decision, Illegal> {
        Ok(json!(text))
    }
    fn write(&self, decision: &Decision) -> String {
        decision.as_str().unwrap().to_owned()
    }
    fn check(&self, decision: &Decision) -> Result<Decision, Illegal> {
        Ok(decision.clone())
    }
    fn complete(&self, _: &Decision) -> bool {
        true
    }
    fn show(&self, decision: &Decision, _: usize, _: usize) -> String {
        self.write(decision)
    }
    fn points(&self, _: &Decision) -> Points {
        Points {
            score: 1,
            best: 1,
            worst: 0,
        }
    }
    fn best(&self) -> Decision {
        json!("yes")
    }
    fn silent(&self, _: usize) -> Decision {
        json!("no")
    }
}

/// Plays turns `seat text`; gives who reads what, or why not, and who moves then.
fn play(order: Order, turns: &[(usize, &str)]) -> String {
    let game: Arc<dyn Game> = Arc::new(Four(order));
    let mut table = Table::new(game, Rules::default(), Play::Strict).with_limits(Limits::default());
    let mut lines = Vec::new();
    for (seat, text) in turns {
        let name = |seat: &usize| SEATS[*seat].name;
        let told = match table.turn(*seat, text) {
            Ok(seen) => {
                let reads = seen
                    .iter()
                    .enumerate()
                    .filter(|(other, text)| other != seat && !text.is_empty());
                reads
                    .map(|(other, text)| format!("{}< {}", name(&other), text.replace('\n', " / ")))
                    .collect::<Vec<_>>()
                    .join(" ")
            }
            Err(illegal) => illegal.to_string(),
        };
        let movers: Vec<&str> = table.movers().iter().map(name).collect();
        lines.push(format!(
            "{} {text} -> {told} [{}]",
            name(seat),
            movers.join("")
        ));
    }
    lines.join("\n")
}

#[test]
fn a_mediator_has_a_room_with_each_of_three() {
    let played = play(
        Order::Rooms,
        &[
            (2, "[message] hi"),
            (3, "2: [message] hello"),
            (3, "3: [message] you there"),
            (3, "all: [propose] yes"),
            (0, "[accept]"),
            (2, "[reject]"),
            (3, "0: [message] sorry"),
        ],
    );
    let expected = "\
c [message] hi -> d< C: [message] hi [abd]
d 2: [message] hello -> c< D: [message] hello [abc]
d 3: [message] you there -> bad-recipient: Begin a message with its recipient: 0:, 1:, 2:. [abc]
d all: [propose] yes -> a< D: [propose] yes / You must answer: [accept] or [reject] b< D: [propose] yes / You must answer: [accept] or [reject] c< D: [propose] yes / You must answer: [accept] or [reject] [abc]
a [accept] -> d< A: [accept] [bc]
c [reject] -> a< The proposal was withdrawn. b< The proposal was withdrawn. d< C: [reject] [cd]
d 0: [message] sorry -> a< D: [message] sorry [acd]";
    assert_eq!(played, expected);
}

#[test]
fn four_take_turns_and_all_must_agree() {
    let played = play(
        Order::Turns,
        &[
            (0, "[message] hi"),
            (1, "[message] hm"),
            (2, "[message] so"),
            (3, "[propose] yes"),
            (0, "[accept]"),
            (1, "[accept]"),
            (2, "[accept]"),
        ],
    );
    let expected = "\
a [message] hi -> b< A: [message] hi c< A: [message] hi d< A: [message] hi [b]
b [message] hm -> a< B: [message] hm c< B: [message] hm d< B: [message] hm [c]
c [message] so -> a< C: [message] so b< C: [message] so d< C: [message] so [d]
d [propose] yes -> a< D: [propose] yes / You must answer: [accept] or [reject] b< D: [propose] yes / You must answer: [accept] or [reject] c< D: [propose] yes / You must answer: [accept] or [reject] [a]
a [accept] -> b< A: [accept] c< A: [accept] d< A: [accept] [b]
b [accept] -> a< B: [accept] c< B: [accept] d< B: [accept] [c]
c [accept] -> a< C: [accept] b< C: [accept] d< C: [accept] []";
    assert_eq!(played, expected);
}
