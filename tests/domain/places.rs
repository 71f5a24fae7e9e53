//! Places as journals and plans have them in JSON.

use dialog2api::domain::Place;
use proptest::prelude::*;

#[test]
fn containers_and_things_keep_the_form_of_version_1() {
    for (place, json) in [
        (Place::container("zoo"), r#"{"container":"zoo"}"#),
        (
            Place::thing("zoo", "a/b"),
            r#"{"container":"zoo","name":"a/b"}"#,
        ),
        (
            Place::new(["home", "garden", "seeds"]),
            r#"{"segments":["home","garden","seeds"]}"#,
        ),
        (Place::default(), r#"{"segments":[]}"#),
    ] {
        assert_eq!(serde_json::to_string(&place).unwrap(), json);
        assert_eq!(serde_json::from_str::<Place>(json).unwrap(), place);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_place_reads_back(segments in prop::collection::vec("[a/.é]{0,3}", 0..5)) {
        let place = Place::new(segments);
        let json = serde_json::to_string(&place).unwrap();
        prop_assert_eq!(serde_json::from_str::<Place>(&json).unwrap(), place);
    }
}
