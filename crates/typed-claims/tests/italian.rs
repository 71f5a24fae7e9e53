//! Italian replies, text in, claims out.
#![allow(clippy::unwrap_used, reason = "a test stops where it cannot go on")]

use typed_claims::{Catalogue, Constraints, Kind, Tracker, restaurant};

fn said(constraints: &Constraints) -> String {
    let texts = constraints
        .iter()
        .map(|(slot, values)| format!(" {slot}={}", values.join("|")));
    texts.collect()
}

/// The claims of a reply after what a user said, one a line: kind, what it says, verdict.
fn claims(user: &str, reply: &str) -> String {
    let schema = restaurant::schema().unwrap();
    let lexicon = restaurant::lexicon("it", &schema).unwrap();
    let catalogue = Catalogue::new(restaurant::rows().unwrap(), &schema, &lexicon).unwrap();
    let mut tracker = Tracker::new(&schema, &lexicon, &catalogue, catalogue.full());
    tracker.hear(user);
    let verdict = tracker.check(reply, None);
    let lines = verdict.claims.iter().map(|claim| {
        let about = claim.kind.subject().map(|subject| format!(" {subject}"));
        let what = match &claim.kind {
            Kind::Slot {
                slot,
                value,
                negated,
                ..
            } => {
                format!(
                    " {slot}{}{}",
                    if *negated { "≠" } else { "=" },
                    value.join("|")
                )
            }
            Kind::Count {
                n,
                at_least,
                constraints,
            } => {
                format!(
                    " {}{n}{}",
                    if *at_least { "≥" } else { "" },
                    said(constraints)
                )
            }
            Kind::None(constraints) | Kind::Exists(constraints) => said(constraints),
            Kind::Open { category, .. } => format!(" {category}"),
            Kind::Ref(value) => format!(" {value}"),
            Kind::Booked(is) => format!(" {is}"),
            _ => String::new(),
        };
        let verdict = match claim.truth {
            Some(true) => "true",
            Some(false) => "false",
            None => "unknown",
        };
        let about = about.unwrap_or_default();
        format!("{}{about}{what}: {verdict}", claim.kind.name())
    });
    let mut lines = lines.collect::<Vec<_>>();
    lines.sort();
    lines.join("\n")
}

/// Checks cases of a user's words, a reply, and its claims in order of their text.
fn check(cases: &[(&str, &str, &[&str])]) {
    let wrong = cases.iter().filter_map(|(user, reply, want)| {
        let got = claims(user, reply);
        (got != want.join("\n"))
            .then(|| format!("{reply}\n got\n{got}\n want\n{}", want.join("\n")))
    });
    let wrong = wrong.collect::<Vec<_>>();
    assert!(
        wrong.is_empty(),
        "{} wrong\n{}",
        wrong.len(),
        wrong.join("\n\n")
    );
}

#[test]
fn names_and_slots() {
    check(&[
        (
            "",
            "Curry Garden è un ristorante indiano in centro.",
            &[
                "entity curry garden: true",
                "slot curry garden area=centre: true",
                "slot curry garden food=indian: true",
            ],
        ),
        (
            "",
            "Royal Spice si trova a sud della città.",
            &[
                "entity royal spice: true",
                "slot royal spice area=south: false",
            ],
        ),
        (
            "",
            "Graffiti è un ristorante britannico costoso nella zona ovest.",
            &[
                "entity graffiti: true",
                "slot graffiti area=west: true",
                "slot graffiti food=british: true",
                "slot graffiti pricerange=expensive: true",
            ],
        ),
        (
            "",
            "Graffiti è un ristorante economico.",
            &[
                "entity graffiti: true",
                "slot graffiti pricerange=cheap: false",
            ],
        ),
        (
            "",
            "Il numero di telefono di Golden Wok è 01223 350680.",
            &[
                "entity golden wok: true",
                "slot golden wok phone=01223350680: false",
            ],
        ),
        (
            "",
            "Bella Vista serve cucina indiana.",
            &[
                "entity Bella Vista: unknown",
                "slot Bella Vista food=indian: unknown",
            ],
        ),
        (
            "",
            "Cotto, che si trova a ovest, è economico.",
            &[
                "entity cotto: true",
                "slot cotto area=west: false",
                "slot cotto pricerange=cheap: false",
            ],
        ),
        (
            "Mi parli di Cotto.",
            "È un ristorante britannico in centro.",
            &[
                "slot cotto area=centre: true",
                "slot cotto food=british: true",
            ],
        ),
        (
            "",
            "Hakka si trova a nord del centro.",
            &["entity hakka: true", "slot hakka area=?: unknown"],
        ),
        (
            "",
            "L'indirizzo di Tandoori Palace è 68 Histon Road, Chesterton, il codice postale è CB4 3LE.",
            &[
                "entity tandoori palace: true",
                "slot tandoori palace address=68 histon road chesterton: true",
                "slot tandoori palace postcode=cb43le: true",
            ],
        ),
    ]);
}

#[test]
fn counts() {
    check(&[
        (
            "",
            "Ci sono sette ristoranti indiani costosi nell'ovest della città.",
            &["count 7 area=west food=indian pricerange=expensive: false"],
        ),
        (
            "",
            "A nord ci sono due ristoranti indiani.",
            &["count 2 area=north food=indian: true"],
        ),
        (
            "",
            "Ci sono diversi ristoranti coreani.",
            &["count ≥2 food=korean: false"],
        ),
        (
            "",
            "C'è un ristorante greco a nord.",
            &["exists area=north food=greek: false"],
        ),
        (
            "",
            "Ho trovato un ristorante cinese in centro.",
            &["exists area=centre food=chinese: true"],
        ),
    ]);
}

#[test]
fn denials() {
    check(&[
        (
            "",
            "Purtroppo non ci sono ristoranti veneziani in centro.",
            &["none area=centre food=venetian: true"],
        ),
        (
            "",
            "Non c'è nessun ristorante indiano a nord.",
            &["none area=north food=indian: false"],
        ),
        (
            "",
            "Curry Garden non è economico, ma costoso.",
            &[
                "entity curry garden: true",
                "slot curry garden pricerange=expensive: true",
                "slot curry garden pricerange≠cheap: true",
            ],
        ),
        (
            "",
            "Golden Wok purtroppo non è nel mio database.",
            &["absent golden wok: false"],
        ),
        (
            "Cerco un ristorante britannico a ovest.",
            "Purtroppo non ho trovato nessun ristorante adatto.",
            &["none: false"],
        ),
    ]);
}

#[test]
fn recommendations_and_questions() {
    check(&[
        (
            "",
            "Le consiglio Cotto, un ristorante britannico costoso.",
            &[
                "entity cotto: true",
                "slot cotto food=british: true",
                "slot cotto pricerange=expensive: false",
            ],
        ),
        (
            "",
            "Che ne dice di Prezzo, un ristorante italiano a ovest?",
            &[
                "entity prezzo: true",
                "slot prezzo area=west: true",
                "slot prezzo food=italian: true",
            ],
        ),
        (
            "",
            "Preferisce la cucina italiana o cinese?",
            &["exists food=chinese: true", "exists food=italian: true"],
        ),
        (
            "",
            "Cerca quindi un ristorante economico a nord, giusto?",
            &[],
        ),
        ("", "Nessun problema, grazie mille e buon appetito!", &[]),
        (
            "Mi consiglia Cotto?",
            "Il ristorante è aperto tutti i giorni fino alle 23.",
            &["open cotto hours: unknown"],
        ),
    ]);
}

#[test]
fn bookings_and_lists() {
    check(&[
        (
            "",
            "Il numero di prenotazione è AB12CD34.",
            &["ref AB12CD34: unknown"],
        ),
        (
            "",
            "Purtroppo a quell'ora non ci sono tavoli disponibili.",
            &["booked false: unknown"],
        ),
        (
            "",
            "I ristoranti britannici a ovest sono Graffiti e Travellers Rest.",
            &[
                "all: false",
                "entity graffiti: true",
                "entity travellers rest: true",
                "slot graffiti area=west: true",
                "slot graffiti food=british: true",
                "slot travellers rest area=west: true",
                "slot travellers rest food=british: true",
            ],
        ),
        (
            "",
            "I ristoranti britannici a ovest sono, per esempio, Graffiti e Travellers Rest.",
            &[
                "entity graffiti: true",
                "entity travellers rest: true",
                "slot graffiti area=west: true",
                "slot graffiti food=british: true",
                "slot travellers rest area=west: true",
                "slot travellers rest food=british: true",
            ],
        ),
    ]);
}
