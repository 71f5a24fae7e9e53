use std::collections::BTreeMap;

use super::{Prediction, StarDialogue};

/// Always the label that is commonest in these dialogues.
pub fn commonest(dialogues: &[StarDialogue]) -> Vec<Prediction> {
    predict(dialogues, |_| "")
}

/// The label that most often follows the wizard's last one in these dialogues.
pub fn after_label(dialogues: &[StarDialogue]) -> Vec<Prediction> {
    predict(dialogues, |prev| prev)
}

/// The commonest label of turns alike; of two, the first in the alphabet.
fn predict(dialogues: &[StarDialogue], alike: fn(&str) -> &str) -> Vec<Prediction> {
    let turns = || {
        let all = dialogues.iter().enumerate();
        let all = all.flat_map(|(at, dialogue)| dialogue.turns.iter().map(move |turn| (at, turn)));
        all.filter_map(move |(at, turn)| {
            let prev = alike(turn.prev_system.as_deref().unwrap_or_default());
            Some((at, prev, turn.gold.as_deref()?))
        })
    };
    let mut counts: BTreeMap<&str, BTreeMap<&str, usize>> = BTreeMap::new();
    for (_, prev, gold) in turns() {
        *counts.entry(prev).or_default().entry(gold).or_default() += 1;
    }
    let best = |prev: &str| {
        let of = counts.get(prev).into_iter().flatten().rev();
        of.max_by_key(|(_, count)| **count)
            .map_or("", |(label, _)| *label)
    };
    turns()
        .map(|(dialogue, prev, gold)| Prediction {
            dialogue,
            gold: gold.to_owned(),
            strict: best(prev).to_owned(),
            lenient: vec![best(prev).to_owned()],
        })
        .collect()
}
