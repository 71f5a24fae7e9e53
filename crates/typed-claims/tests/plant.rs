//! What is planted is found.
#![allow(clippy::unwrap_used, reason = "a test stops where it cannot go on")]

use typed_claims::{Catalogue, Tracker, plant, restaurant};

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
    let rows = restaurant::rows().unwrap();
    let row = rows.iter().find(|row| row["name"] == "graffiti").unwrap();
    let planted = plant::plant("Graffiti is in the west.", row, &rows, 0);
    let area = planted.iter().find(|one| one.operator == "area_swap");
    assert_eq!(area.unwrap().reply, "Graffiti is in the centre.");
    assert!(plant::plant("West of the west.", row, &rows, 0).is_empty());
}
