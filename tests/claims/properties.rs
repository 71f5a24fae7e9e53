//! Random replies: what holds for every text.

use super::marked;
use dialog2api::claims::{Evidence, claims, unsupported};
use dialog2api::dialogue::{GoalRecord, Outcome, Status, Turn};
use proptest::prelude::*;

/// Texts made of what is special here.
fn text() -> impl Strategy<Value = String> {
    let parts = [
        "a",
        "Zoo",
        "logs",
        "no",
        "there are",
        "two",
        "twenty-one",
        "12",
        "1,204",
        "1.5",
        "MB",
        "%",
        "th",
        "-",
        "_",
        "/",
        ".",
        "=",
        ":",
        ",",
        ";",
        "'",
        "\"",
        "`",
        "“",
        "”",
        "(",
        "*",
        " ",
        " ",
        " ",
        "\n",
        "\n- ",
        "\n1. ",
        "é",
        "🐘",
        "\u{202e}",
        "\0",
        "total",
        "the",
        "March",
    ];
    prop::collection::vec(prop::sample::select(parts.to_vec()), 0..40)
        .prop_map(|parts| parts.concat())
}

fn user(text: &str) -> Turn {
    Turn {
        user: text.to_owned(),
        ..Turn::default()
    }
}

proptest! {
    #[test]
    fn claims_stand_in_the_reply_in_order(reply in prop_oneof![text(), any::<String>()]) {
        let claims = claims(&reply);
        marked(&reply, &claims);
        prop_assert!(claims.is_sorted_by(|one, next| one.range.end <= next.range.start));
        let nothing = unsupported(&reply, &Evidence::default());
        prop_assert!(nothing.iter().all(|claim| claims.contains(claim)));
    }

    #[test]
    fn what_the_user_says_is_supported(said in text()) {
        let marks = unsupported(&said, &Evidence::of(&[user(&said)]));
        prop_assert!(marks.is_empty(), "{}", marked(&said, &marks));
    }

    #[test]
    fn more_evidence_about_names_is_never_less(reply in text(), said in text(), more in text()) {
        let names = |turns: &[Turn]| {
            let mut marks = unsupported(&reply, &Evidence::of(turns));
            marks.retain(|claim| claim.kind == dialog2api::claims::ClaimKind::Name);
            marks
        };
        let known = [user(&said), user("")];
        let mut told = user(&more);
        told.goals.push(GoalRecord {
            uid: 1,
            status: Status::Final,
            program: None,
            outcome: Some(Outcome::Result(more.clone().into())),
            signature: None,
        });
        let before = names(&known);
        prop_assert!(names(&[user(&said), told]).iter().all(|claim| before.contains(claim)));
    }
}
