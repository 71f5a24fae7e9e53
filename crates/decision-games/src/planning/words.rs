//! Wishes from the user's words.

use serde_json::{Value, json};

use super::places::{category, visit};
use super::site::Site;
use super::solver::city;
use super::weights::Complaint;
use super::{Planning, TYPES};
use crate::mind::{Extractor, Unread};
use crate::text::{any, denied, find, heard, sentences, words};

pub(super) fn of(game: &Planning, seat: usize) -> Option<Box<dyn Extractor>> {
    (seat == 1).then(|| Box::new(Words(city(game).sites)) as Box<dyn Extractor>)
}

/// Features that a site has or lacks, and the phrases that name them.
const FLAGS: [(&str, &[&str]); 11] = [
    (
        "has parking",
        &[
            "parking",
            "renting a car",
            "rent a car",
            "rental car",
            "park the car",
            "park our car",
            "have a car",
            "parkin",
        ],
    ),
    (
        "has takeout",
        &["takeout", "take-out", "take out", "takeaway", "to go food"],
    ),
    (
        "good for kids",
        &[
            "kids",
            "kid",
            "kid-friendly",
            "children",
            "child",
            "family",
            "family-friendly",
            "families",
        ],
    ),
    (
        "accepts reservations",
        &["reserv*", "book in advance", "in advance"],
    ),
    (
        "good for groups",
        &[
            "group*",
            "party of",
            "large party",
            "of us",
            "7 people",
            "seven people",
        ],
    ),
    (
        "outdoor seating",
        &["outdoor*", "covid*", "sit outside", "eat outside", "patio"],
    ),
    ("vegetarian options", &["vegetarian*", "veggie"]),
    ("vegan options", &["vegan*"]),
    (
        "has wifi",
        &["wifi", "wi-fi", "internet", "do some work", "work remotely"],
    ),
    (
        "viewpoint",
        &["view", "views", "viewpoint*", "panoram*", "scenic"],
    ),
    ("live music", &["live music", "music", "loud"]),
];

const WORDS: [(&str, &[&str]); 3] = [
    (
        "cuisine",
        &[
            "american",
            "chinese",
            "japanese",
            "korean",
            "french",
            "ethiopian",
            "spanish",
            "kosher",
            "thai",
            "seafood",
        ],
    ),
    ("alcohol type", &["beer", "wine", "cocktails"]),
    (
        "ambience",
        &[
            "divey", "hipster", "casual", "trendy", "intimate", "romantic", "classy", "serious",
        ],
    ),
];

const TOURISTY: [&str; 8] = [
    "touris*",
    "touristy",
    "non-touris*",
    "hidden",
    "off the beaten",
    "mainstream",
    "non-mainstream",
    "low-key",
];
const TRAVEL: [&str; 10] = [
    "distance",
    "far",
    "closer",
    "close",
    "near",
    "nearby",
    "walking",
    "travel time",
    "travelling",
    "traveling far",
];
const TOO_FAR: [&str; 9] = [
    "too far",
    "too much travel",
    "still too much",
    "far apart",
    "closer together",
    "closer",
    "biggest",
    "far away",
    "too long",
];
const BUDGET: [&str; 9] = [
    "budget",
    "spend",
    "below",
    "under",
    "price",
    "cost",
    "dollars",
    "less than",
    "cheap*",
];
const YES: [&str; 7] = ["yes", "yeah", "yep", "sure", "definitely", "yea", "correct"];

struct Words(Vec<Site>);

impl Extractor for Words {
    fn facts(&mut self, _view: &str, read: &str) -> Result<Vec<Value>, Unread> {
        Ok(wishes(&self.0, read))
    }
}

/// The wishes that a user has uttered, the last of each topic.
pub(super) fn wishes(sites: &[Site], read: &str) -> Vec<Value> {
    let mut found: Vec<(String, Value)> = Vec::new();
    let mut asked = String::new();
    let mut offered = String::new();
    for heard in heard(read) {
        if heard.from.starts_with("You") && heard.tag != "tool" {
            offered += &heard.content;
        }
        if heard.tag != "message" {
            continue;
        }
        if heard.from.starts_with("You") {
            asked = heard.content;
            continue;
        }
        if Complaint::is(&heard.content) {
            continue;
        }
        let first = words(&heard.content);
        if first
            .first()
            .is_some_and(|word| YES.contains(&word.as_str()))
        {
            for sentence in sentences(&asked)
                .iter()
                .filter(|text| text.trim_end().ends_with('?'))
            {
                for (topic, wish) in of_sentence(sites, sentence, "") {
                    // A name in a question is not yet a wish.
                    if topic.starts_with("feature") {
                        put(&mut found, topic, wish);
                    }
                }
            }
        }
        for sentence in sentences(&heard.content) {
            for (topic, wish) in of_sentence(sites, &sentence, &offered) {
                put(&mut found, topic, wish);
            }
        }
    }
    found.into_iter().map(|(_, wish)| wish).collect()
}

/// Wishes about words and sites add up; of others the last counts.
fn put(found: &mut Vec<(String, Value)>, topic: String, wish: Value) {
    let Some((_, known)) = found.iter_mut().find(|(known, _)| *known == topic) else {
        found.push((topic, wish));
        return;
    };
    *known = put_together(known, wish);
}

/// A wish in the place of an older one of its topic: values and sites add up, and of what was liked
/// and is disliked now the last word counts.
pub(super) fn put_together(known: &Value, wish: Value) -> Value {
    let fields: &[&str] = match (wish["visit"].is_array(), wish["feature"].is_string()) {
        (true, _) => &["visit"],
        (_, true) => &["like", "dislike"],
        _ => return wish,
    };
    let mut joined = wish.clone();
    for field in fields {
        let other = if *field == "like" { "dislike" } else { "like" };
        let old = known[field].as_array().cloned().unwrap_or_default();
        for value in old {
            let has = |list: &Value| list.as_array().is_some_and(|list| list.contains(&value));
            if !has(&joined[field])
                && !has(&wish[other])
                && let Some(list) = joined[field].as_array_mut()
            {
                list.push(value);
            }
        }
    }
    joined
}

/// The topics and wishes of one sentence. `offered` is what the agent has said before.
fn of_sentence(sites: &[Site], sentence: &str, offered: &str) -> Vec<(String, Value)> {
    let mut all = words(sentence);
    let mut found = Vec::new();
    visit(sites, offered, &mut all, &mut found);
    features(&all, sentence, &mut found);
    rating(&all, &mut found);
    lists(&all, &mut found);
    budget(&all, &mut found);
    if !found.iter().any(|(topic, _)| topic == "visit") {
        category(&all, &mut found);
    }
    if any(&all, &TRAVEL) || any(&all, &TOO_FAR) {
        let travel = if any(&all, &TOO_FAR) { 9.0 } else { 5.5 };
        found.push(("travel".to_owned(), json!({ "travel": travel })));
    }
    found
}

fn feature(name: &str, like: Value, dislike: Value) -> (String, Value) {
    let wish = json!({ "feature": name, "like": like, "dislike": dislike });
    (format!("feature:{name}"), wish)
}

fn features(all: &[String], sentence: &str, found: &mut Vec<(String, Value)>) {
    for (name, phrases) in FLAGS {
        let Some(place) = phrases.iter().find_map(|phrase| find(all, phrase)) else {
            continue;
        };
        let music = name == "live music";
        let reach = if music { 5 } else { 3 };
        let no = denied(all, place, reach) || (music && any(all, &["loud", "quiet"]));
        found.push(match no {
            // A denial is a dislike of music; of other things it is no need.
            true if music => feature(name, json!([false]), json!([true])),
            true => continue,
            false if name == "has parking" && any(all, &["street parking"]) => {
                feature(name, json!([true]), json!([]))
            }
            false => feature(name, json!([true]), json!([false])),
        });
    }
    if let Some(place) = TOURISTY.iter().find_map(|phrase| find(all, phrase)) {
        let hidden = any(
            all,
            &[
                "hidden",
                "non-touris*",
                "off the beaten",
                "non-mainstream",
                "low-key",
                "trap*",
            ],
        );
        let no = hidden || denied(all, place, 4) || sentence.contains("less tourist");
        found.push(match (no, any(all, &["trap*"])) {
            (true, true) => feature("touristy", json!([false]), json!([true])),
            (true, false) => feature("touristy", json!([false]), json!([])),
            (false, _) => feature("touristy", json!([true]), json!([])),
        });
    }
}

fn rating(all: &[String], found: &mut Vec<(String, Value)>) {
    if !any(all, &["rat*", "stars", "star", "reviews", "reviewed"]) {
        return;
    }
    let mut number = all.iter().filter_map(|word| word.parse::<f64>().ok());
    let least = number.rfind(|n| (2.0..=5.0).contains(n)).unwrap_or(4.0);
    found.push(feature(
        "rating",
        json!(between(least, 5.5)),
        json!(between(1.0, 2.75)),
    ));
}

/// The ratings from one up to, but not with, another.
pub(super) fn between(low: f64, high: f64) -> Vec<Value> {
    let steps = (2..=10).map(|half| f64::from(half) / 2.0);
    let number = |n: f64| match n.fract() == 0.0 {
        true => json!(n as i64),
        false => json!(n),
    };
    steps
        .filter(|n| (low..high).contains(n))
        .map(number)
        .collect()
}

/// Liked and disliked words: a denial counts until the next word of liking.
fn lists(all: &[String], found: &mut Vec<(String, Value)>) {
    for (name, known) in WORDS {
        let (mut like, mut dislike) = (Vec::new(), Vec::new());
        let mut no = false;
        for (place, word) in all.iter().enumerate() {
            let before = place.checked_sub(1).and_then(|before| all.get(before));
            let denies = |word: &String| {
                matches!(
                    word.as_str(),
                    "not"
                        | "don't"
                        | "dont"
                        | "no"
                        | "avoid"
                        | "dislike"
                        | "dislikes"
                        | "hate"
                        | "doesn't"
                        | "aren't"
                        | "isn't"
                        | "without"
                        | "except"
                )
            };
            let likes = matches!(
                word.as_str(),
                "like" | "love" | "loves" | "prefer" | "likes" | "enjoy" | "but" | "into"
            );
            let near = all[place.saturating_sub(3)..place].iter().any(denies);
            if denies(word) {
                no = true;
            } else if likes && (word == "but" || !near) {
                no = false;
            }
            let same = |known: &&&str| {
                **known == word.as_str()
                    || (known.ends_with('s') && known.trim_end_matches('s') == word)
                    || word.strip_suffix('s') == Some(**known)
            };
            if let Some(known) = known.iter().find(same) {
                if before.is_some_and(|before| before == "or") && like.is_empty() && no {
                    dislike.push(*known);
                } else {
                    if no {
                        dislike.push(*known)
                    } else {
                        like.push(*known)
                    }
                }
            }
        }
        if !like.is_empty() || !dislike.is_empty() {
            found.push(feature(name, json!(like), json!(dislike)));
        }
    }
}

fn budget(all: &[String], found: &mut Vec<(String, Value)>) {
    let dollars = |word: &String| word.strip_prefix('$').and_then(|n| n.parse::<i64>().ok());
    let number = all.iter().find_map(dollars).or_else(|| {
        let mut plain = all.iter().filter_map(|word| word.parse::<i64>().ok());
        any(all, &BUDGET)
            .then(|| plain.rfind(|n| (20..=200).contains(n)))
            .flatten()
    });
    if let Some(limit) = number.filter(|limit| (10..=500).contains(limit)) {
        found.push(("budget".to_owned(), json!({ "budget": limit })));
    }
}

/// The topics that a question names: `feature:…`, `travel`, `budget`, `visit`, `category`, or
/// `category:…` of one type.
pub(super) fn topics(question: &str) -> Vec<String> {
    let all = words(question);
    let mut topics = Vec::new();
    let mut add = |topic: &str, phrases: &[&str]| {
        if any(&all, phrases) {
            topics.push(topic.to_owned());
        }
    };
    for (name, phrases) in FLAGS {
        add(&format!("feature:{name}"), phrases);
    }
    add("feature:touristy", &TOURISTY);
    add("feature:rating", &["rat*", "stars"]);
    add("feature:cuisine", &["cuisine*", "food", "eat"]);
    add(
        "feature:alcohol type",
        &["alcohol", "drink*", "beer", "wine"],
    );
    add("feature:ambience", &["ambience", "atmosphere", "mood"]);
    add(
        "travel",
        &[
            "distance*",
            "far",
            "ways",
            "travel*",
            "near*",
            "close*",
            "walk*",
        ],
    );
    add(
        "budget",
        &[
            "budget",
            "spend",
            "cost*",
            "money",
            "price*",
            "expensive",
            "cheap*",
        ],
    );
    add("visit", &["recommend*", "certain place*", "heard"]);
    add("category", &["type*", "kind of place*", "kinds of place*"]);
    for kind in TYPES {
        let plural = format!("{kind}s");
        add(&format!("category:{kind}"), &[kind, plural.as_str()]);
    }
    topics
}

/// The topics of the text of a preference.
pub(super) fn topics_of_text(sites: &[Site], text: &str) -> Vec<String> {
    let found = of_sentence(sites, text, "").into_iter();
    let both = |topic: String| match topic.split_once(':') {
        Some(("category", _)) => vec!["category".to_owned(), topic],
        _ => vec![topic],
    };
    found.flat_map(|(topic, _)| both(topic)).collect()
}
