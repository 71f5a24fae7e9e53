//! What a model reads decides what is proposed.

use crate::games::lab::{Fake, folder, games, play, score, wanted};
use dialog2api::eval::reward::{self, GameMode, GameOutcome};
use std::sync::Arc;

/// The forced proposals in the first recorded game of planning, by cut.
async fn forced(model: &Arc<Fake>) -> Vec<GameOutcome> {
    let (_home, folder) = folder();
    let (games, planned) = (games("planning", 1), wanted(GameMode::Forced, ""));
    let tally = play(&folder, games, Some(model.clone()), &planned)
        .await
        .unwrap();
    assert_eq!((tally.done, tally.units), (5, 5));
    let run = reward::read(&folder).unwrap();
    run.units.into_values().collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn facts_of_a_model_change_the_proposal_and_silence_asks_nothing() {
    let model = Fake::new(|_, _| "wish(category=\"museum\")\nwish(budget=30)".to_owned());
    let ends = forced(&model).await;
    assert_eq!((ends[0].requests, ends[0].norm), (0, Some(ends[0].silent)));
    for end in &ends[1..] {
        assert_eq!(
            (end.requests, end.repairs, end.facts),
            (1, 0, Some((2, 0))),
            "{end:?}"
        );
        assert_ne!(end.decision, ends[0].decision);
        assert_eq!(end.usage.prompt_tokens, 100);
        assert_eq!(end.people, ends[0].people);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unreadable_answer_is_repaired_once() {
    let model = Fake::new(
        |_, question| match question.starts_with("Not all of this") {
            true => "wish(visit=[\"Mad Seoul\"])".to_owned(),
            false => "The user wants wish(visit=[\"Mad Seoul\"]), I think.".to_owned(),
        },
    );
    for end in &forced(&model).await[1..] {
        assert_eq!((end.requests, end.repairs, end.facts), (2, 1, Some((1, 0))));
        assert!(
            end.decision
                .as_ref()
                .unwrap()
                .to_string()
                .contains("Mad Seoul")
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_that_cannot_be_understood_fails_and_counts_as_silence() {
    let model = Fake::new(|_, _| "I do not know.".to_owned());
    let (_home, folder) = folder();
    let planned = wanted(GameMode::Forced, "");
    play(&folder, games("planning", 1), Some(model), &planned)
        .await
        .unwrap();
    let figures = score(&folder).rows.pop().unwrap().figures;
    assert_eq!((figures.failed, figures.count), (1, 1));
    assert_eq!(
        (figures.norm, figures.failed_as_zero),
        (figures.silent, 0.0)
    );
    assert_eq!((figures.gain, figures.finished), (0.0, None));
}
