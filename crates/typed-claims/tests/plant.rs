//! What is planted is found, and what is not is not flagged.
#![allow(clippy::unwrap_used, reason = "a test stops where it cannot go on")]

use typed_claims::plant::{self, Measured};
use typed_claims::{Catalogue, Tracker, dialogues, restaurant};

const DIALOGUES: &str = include_str!("../data/restaurant/dialogues.jsonl");

fn measured() -> Measured {
    let schema = restaurant::schema().unwrap();
    let lexicon = restaurant::lexicon("en", &schema).unwrap();
    let catalogue = Catalogue::new(restaurant::rows().unwrap(), &schema, &lexicon).unwrap();
    let dialogues = dialogues::read(DIALOGUES).unwrap();
    plant::measure(&dialogues, &schema, &lexicon, &catalogue, 0).unwrap()
}

/// The errors planted into a reply with acts, as `operator: reply`.
fn planted(name: &str, text: &str, acts: &str) -> Vec<String> {
    let turns = format!(
        r#"{{"id": "{name}", "goal": {{}}, "turns": [
            {{"speaker": "system", "text": "{text}", "acts": {acts}}}]}}"#
    );
    let dialogues = dialogues::read(&turns.replace('\n', "")).unwrap();
    let rows = restaurant::rows().unwrap();
    let planted = dialogues.iter().flat_map(|d| plant::plant(d, 0, &rows, 0));
    planted
        .map(|planted| format!("{}: {}", planted.operator, planted.reply))
        .collect()
}

#[test]
fn every_operator_is_found_and_human_replies_are_left_alone() {
    let measured = measured();
    let operators = measured.operators.keys().copied().collect::<Vec<_>>();
    assert_eq!(
        operators,
        [
            "address_number",
            "address_swap",
            "area_swap",
            "booked_false",
            "count_wrong",
            "cross_turn",
            "drop-row",
            "exists_false",
            "food_out",
            "food_swap",
            "name_new",
            "name_swap",
            "none_false",
            "open_add",
            "phone_digit",
            "phone_swap",
            "postcode_swap",
            "pricerange_swap",
            "ref_invented",
        ]
    );
    for (name, operator) in &measured.operators {
        assert!(operator.recall() >= Some(0.95), "{name}: {operator:?}");
        assert!(operator.precision() >= Some(0.95), "{name}: {operator:?}");
        assert!(
            operator.alarms * 50 <= operator.planted,
            "{name}: {operator:?}"
        );
    }
    let turns = measured.dialogues.iter().flatten();
    let refer = turns.filter(|flags| flags.refers).count();
    assert!(refer > 200, "{refer}");
    assert!(
        measured.flagged.len() * 50 <= refer,
        "{:#?}",
        measured.flagged
    );
    assert!(
        measured.aligned.kappa() >= Some(0.95),
        "{:?}",
        measured.aligned
    );
    assert!(
        measured.grounded.kappa() >= Some(0.95),
        "{:?}",
        measured.grounded
    );
}

#[test]
fn a_row_left_out_of_a_whole_list_is_missed() {
    let schema = restaurant::schema().unwrap();
    let lexicon = restaurant::lexicon("en", &schema).unwrap();
    let catalogue = Catalogue::new(restaurant::rows().unwrap(), &schema, &lexicon).unwrap();
    let complete = |reply: &str| {
        let mut tracker = Tracker::new(&schema, &lexicon, &catalogue, catalogue.full());
        tracker.check(reply, None).flags.complete
    };
    let lists = plant::lists(catalogue.rows(), "food", "area");
    assert!(lists.len() > 5, "{}", lists.len());
    for (list, planted) in lists {
        assert!(complete(&list), "{list}");
        assert!(!complete(&planted.reply), "{}", planted.reply);
    }
}

#[test]
fn an_error_is_planted_where_the_value_stands_once() {
    let acts = r#"{"Restaurant-Inform": [["Name", "graffiti"], ["Area", "west"]]}"#;
    let area = |text: &str| {
        let all = planted("one", text, acts);
        all.into_iter()
            .filter(|one| one.starts_with("area_swap"))
            .collect::<Vec<_>>()
    };
    assert_eq!(area("Graffiti is in the west.").len(), 1);
    assert!(area("Graffiti, west of the west.").is_empty());
}

#[test]
fn a_turn_whose_acts_are_wrong_is_left_alone() {
    let acts = r#"{"Restaurant-Inform": [["Name", "graffiti"], ["Area", "south"]]}"#;
    assert_eq!(
        planted("two", "Graffiti is in the south.", acts),
        Vec::<String>::new()
    );
}

#[test]
fn an_error_is_the_same_each_time_and_another_in_another_dialogue() {
    let acts = r#"{"Restaurant-Inform": [["Name", "graffiti"], ["Area", "west"]]}"#;
    let text = "Graffiti is in the west.";
    assert_eq!(planted("one", text, acts), planted("one", text, acts));
    let names = ["a", "b", "c", "d", "e", "f"].map(|name| planted(name, text, acts));
    assert!(names.iter().any(|other| *other != names[0]), "{names:?}");
}
