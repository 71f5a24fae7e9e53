//! Values and contents come back as they were.

use bytes::Bytes;
use dialog2api::domain::Value;
use dialog2api::journal::{ContentStore, from_json, to_json};
use expect_test::expect;
use proptest::prelude::*;

fn value() -> impl Strategy<Value = Value> {
    let time = (-377_705_023_201_i64..253_402_207_200, 0..1_000_000_000_i32);
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::Bool),
        any::<i64>().prop_map(Value::Int),
        any::<u64>().prop_map(|bits| Value::Float(f64::from_bits(bits))),
        "[$a-z\u{0}\n\"é]{0,6}".prop_map(Value::Str),
        (0..9000_usize).prop_map(|n| Value::Str("ä".repeat(n))),
        prop::collection::vec(any::<u8>(), 0..600).prop_map(|b| Value::Bytes(Bytes::from(b))),
        time.prop_map(|(s, n)| Value::Time(
            jiff::Timestamp::new(s, if s < 0 { -n } else { n }).unwrap_or(jiff::Timestamp::MIN)
        )),
    ];
    leaf.prop_recursive(5, 40, 6, |inner| {
        let name = prop_oneof!["[$]{0,3}(bytes|content|time|pairs|json)?", "[a-c]"];
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::List),
            prop::collection::vec((name, inner), 0..6).prop_map(|pairs| Value::Map(
                pairs
                    .into_iter()
                    .map(|(name, value)| (name.into(), value))
                    .collect()
            )),
        ]
    })
}

/// Equal, also where a float is not a number.
fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Float(one), Value::Float(other)) => one.to_bits() == other.to_bits(),
        (Value::List(one), Value::List(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(a, b)| same(a, b))
        }
        (Value::Map(one), Value::Map(other)) => {
            let mut pairs = one.iter().zip(other);
            one.len() == other.len() && pairs.all(|((n, a), (m, b))| n == m && same(a, b))
        }
        _ => one == other,
    }
}

#[track_caller]
fn comes_back(value: &Value) {
    let folder = tempfile::tempdir().unwrap();
    let contents = ContentStore::at(folder.path().join("contents"));
    let text = to_json(value, &contents).unwrap().to_string();
    let json = serde_json::from_str(&text).unwrap();
    let back = from_json(&json, &contents).unwrap();
    assert!(same(value, &back), "{value:?}\n{text}\n{back:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn any_value_comes_back(value in value()) {
        comes_back(&value);
    }
}

#[test]
fn values_that_nest_deeply_come_back() {
    let mut value = Value::from("bottom");
    for depth in 0..200 {
        let name = |text: &'static str| text.into();
        value = match depth % 3 {
            0 => Value::List(vec![value]),
            1 => Value::Map(vec![(name("$a"), value)]),
            _ => Value::Map(vec![(name("a"), Value::Null), (name("a"), value)]),
        };
    }
    comes_back(&value);
}

#[test]
fn a_content_is_kept_once_and_looked_at_when_it_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let contents = ContentStore::at(folder.path().join("contents"));
    let id = contents.put(b"a content").unwrap();
    assert_eq!(contents.put(b"a content").unwrap(), id);
    assert_eq!(&contents.get(&id, 9).unwrap()[..], b"a content");
    let path = folder.path().join("contents").join(&id[..2]).join(&id);
    let files = std::fs::read_dir(path.parent().unwrap()).unwrap();
    assert_eq!(files.count(), 1);
    let problem = |size| {
        let error = contents.get(&id, size).unwrap_err().to_string();
        error.split_once(": ").unwrap().1.to_owned()
    };
    expect!["has 9 bytes, and the journal kept 10 there"].assert_eq(&problem(10));
    std::fs::write(&path, "another 1").unwrap();
    expect!["was changed after the journal kept it: its SHA-256 is not its name"]
        .assert_eq(&problem(9));
    // What is damaged is written once more where it is at hand.
    contents.put(b"a content").unwrap();
    assert!(contents.get(&id, 9).is_ok());
    for id in ["", "../../etc/passwd", &id[1..], &id.to_uppercase()] {
        let error = contents.get(id, 9).unwrap_err().to_string();
        assert!(
            error.ends_with("names a content by something that is not a SHA-256"),
            "{error}"
        );
    }
}
