//! States written as JSON text, without a JSON value in between, which would be a copy of all of
//! the state.

use super::StateValue;
use serde::ser::{Serialize, Serializer};

/// The one mapping of a state to JSON; [`StateValue::to_json`] uses it too. JSON has no infinite
/// numbers: they become `null`.
impl Serialize for StateValue {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            StateValue::Bool(truth) => serializer.serialize_bool(*truth),
            StateValue::Int(int) => serializer.serialize_i64(*int),
            StateValue::Float(float) if float.is_finite() => serializer.serialize_f64(*float),
            StateValue::Null | StateValue::Float(_) => serializer.serialize_unit(),
            StateValue::Text(text) => serializer.serialize_str(text),
            StateValue::List(items) => serializer.collect_seq(items.iter()),
            StateValue::Map(pairs) => {
                let pairs = pairs.iter();
                serializer.collect_map(pairs.map(|(key, value)| (&**key, value)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_state_is_written_as_its_json_is() {
        let given = json!({
            "b": [1, -1, 1.0, -0.0, 1e300, 9_007_199_254_740_993_i64, true, null, [], {}],
            "a": {"é\u{1f600}": "\"\\\n\u{1}/", "": {"z": 1, "y": [[{}]]}},
        });
        let state = StateValue::from_json(&given);
        let json = state.to_json();
        assert_eq!(json.to_string(), given.to_string());
        assert_eq!(StateValue::Float(f64::NAN).to_json(), json!(null));
        assert_eq!(
            serde_json::to_string(&state).expect("text"),
            json.to_string()
        );
        assert_eq!(
            serde_json::to_string_pretty(&state).expect("text"),
            serde_json::to_string_pretty(&json).expect("text")
        );
        assert_eq!(state.canonical(), crate::domain::exact_json(&json));
    }
}
