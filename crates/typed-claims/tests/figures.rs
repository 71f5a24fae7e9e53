//! Agreement and the figures of runs, against values computed by hand.
#![allow(clippy::unwrap_used, reason = "a test stops where it cannot go on")]

use typed_claims::{Agreement, Catalogue, Evidence, Figures, Flags, Tracker, restaurant};

fn agreement(both: usize, first: usize, second: usize, neither: usize) -> Agreement {
    let times = |pair, times| std::iter::repeat_n(pair, times);
    let pairs = times((true, true), both)
        .chain(times((true, false), first))
        .chain(times((false, true), second))
        .chain(times((false, false), neither));
    Agreement::of(pairs)
}

#[test]
fn kappa_is_agreement_beyond_chance() {
    // 20 both, 5 the first alone, 10 the second alone, 15 neither: p_o = 35/50 = 0.7,
    // p_e = 25/50 · 30/50 + 25/50 · 20/50 = 0.5, κ = 0.2 / 0.5 = 0.4.
    let found = agreement(20, 5, 10, 15);
    assert_eq!(found.table, [[15, 10], [5, 20]]);
    assert!((found.raw().unwrap() - 0.7).abs() < 1e-12);
    assert!((found.kappa().unwrap() - 0.4).abs() < 1e-12);
    // No one agrees: p_o = 0, p_e = 0.5.
    assert!((agreement(0, 3, 3, 0).kappa().unwrap() + 1.0).abs() < 1e-12);
    assert!((agreement(3, 0, 0, 4).kappa().unwrap() - 1.0).abs() < 1e-12);
}

#[test]
fn kappa_is_unknown_where_chance_is_all() {
    assert_eq!(agreement(9, 0, 0, 0).kappa(), None);
    assert_eq!(agreement(0, 0, 0, 9).kappa(), None);
    assert_eq!(agreement(0, 0, 0, 0).kappa(), None);
    assert_eq!(agreement(0, 0, 0, 0).raw(), None);
    // One says yes throughout: agreement is what chance gives.
    assert_eq!(agreement(9, 1, 0, 0).kappa(), Some(0.0));
}

/// The flags of replies of one dialogue, and whether evidence is asked.
fn flags(turns: &[&str], evidence: Option<&Evidence>) -> Vec<Flags> {
    let schema = restaurant::schema().unwrap();
    let lexicon = restaurant::lexicon("en", &schema).unwrap();
    let catalogue = Catalogue::new(restaurant::rows().unwrap(), &schema, &lexicon).unwrap();
    let mut tracker = Tracker::new(&schema, &lexicon, &catalogue, catalogue.full());
    let turns = turns.iter().map(|turn| tracker.check(turn, evidence).flags);
    turns.collect()
}

#[test]
fn turns_and_dialogues_are_counted_where_they_refer() {
    let dialogues = [
        flags(&["Graffiti is in the west.", "You are welcome!"], None),
        flags(
            &["Graffiti is in the east.", "Graffiti serves British food."],
            None,
        ),
        flags(&["The Jade Lantern is a nice place."], None),
        flags(&["Goodbye!"], None),
    ];
    let figures = Figures::of(dialogues.iter().map(Vec::as_slice));
    assert_eq!(
        (figures.turns, figures.referring, figures.silent),
        (6, 4, 1)
    );
    assert_eq!(figures.alignment(), Some(0.75));
    assert_eq!(figures.grounding(), Some(0.75));
    assert_eq!(figures.correct_turns(), Some(0.5));
    assert_eq!(figures.correct_dialogues(), Some(1.0 / 3.0));
    assert_eq!(Figures::default().alignment(), None);
}

#[test]
fn bookings_are_those_of_programs() {
    let evidence = |result: &str| {
        let mut evidence = Evidence::default();
        evidence.push(Vec::new(), serde_json::from_str(result).unwrap());
        evidence
    };
    let made = r#"{"reference": "AB12CD34", "name": "graffiti", "time": "14:00"}"#;
    for (reply, result, right) in [
        (
            "Your table is booked. Your reference number is AB12CD34.",
            made,
            true,
        ),
        (
            "Your table is booked. Your reference number is AB12CD35.",
            made,
            false,
        ),
        ("I have booked Graffiti for 14:00.", made, true),
        ("I have booked Graffiti for 15:00.", made, false),
        ("I have booked Kohinoor for 14:00.", made, false),
        ("I have booked Graffiti for 14:00.", "[]", false),
        ("I am sorry, the booking was unsuccessful.", "[]", true),
        (
            "I am sorry, the booking was unsuccessful.",
            r#"{"error": "NotAvailable: full"}"#,
            true,
        ),
        ("I am sorry, the booking was unsuccessful.", made, false),
        ("Would you like a table?", made, true),
    ] {
        let found = flags(&[reply], Some(&evidence(result)));
        assert_eq!(found[0].booking, Some(right), "{reply} {result}");
    }
    assert_eq!(flags(&["Your table is booked."], None)[0].booking, None);
}
