//! The canonical form of JSON, with every digit of its integers.

use serde_json::Value as Json;
use std::collections::BTreeMap;

/// The largest integer up to which a double holds every integer.
const EXACT: u64 = 1 << 53;

/// The canonical JSON (RFC 8785), but for integers that a double does not hold: they are written
/// with all their digits, where the RFC rounds them. So 9007199254740993 and 9007199254740992 have
/// different forms, while 1 and 1.0 have the same.
pub fn exact_json(json: &Json) -> Vec<u8> {
    let mut out = Vec::new();
    write(&mut out, json);
    out
}

fn write(out: &mut Vec<u8>, json: &Json) {
    match json {
        Json::Array(items) => {
            out.push(b'[');
            for (index, item) in items.iter().enumerate() {
                out.extend((index > 0).then_some(b','));
                write(out, item);
            }
            out.push(b']');
        }
        Json::Object(pairs) => {
            // The RFC compares UTF-16 units.
            let pairs = pairs.iter();
            let sorted: BTreeMap<Vec<u16>, (&String, &Json)> = pairs
                .map(|pair| (pair.0.encode_utf16().collect(), pair))
                .collect();
            out.push(b'{');
            for (index, (key, value)) in sorted.into_values().enumerate() {
                out.extend((index > 0).then_some(b','));
                write(out, &Json::String(key.clone()));
                out.push(b':');
                write(out, value);
            }
            out.push(b'}');
        }
        Json::Number(number) if !number.is_f64() && size(number) > EXACT => {
            out.extend(number.to_string().into_bytes());
        }
        scalar => out.extend(serde_json_canonicalizer::to_vec(scalar).unwrap_or_default()),
    }
}

/// The size of an integer, without its sign.
fn size(number: &serde_json::Number) -> u64 {
    let small = number.as_i64().map(i64::unsigned_abs);
    small.or_else(|| number.as_u64()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn only_integers_beyond_doubles_differ_from_the_rfc() {
        let form = |json: &Json| String::from_utf8(exact_json(json)).expect("UTF-8");
        let usual = json!({
            "\u{1f600}": [1.0, -0.0, 1e21, 1e-7, true, null, 9_007_199_254_740_992_u64],
            "\u{fb33}": {"b": "\u{e9}\n\u{1}\"", "a": [], "": {}},
        });
        let rfc = serde_json_canonicalizer::to_string(&usual).expect("canonical");
        assert_eq!(form(&usual), rfc);
        let large = json!([
            9_007_199_254_740_993_u64,
            -9_007_199_254_740_993_i64,
            u64::MAX
        ]);
        let digits = "[9007199254740993,-9007199254740993,18446744073709551615]";
        assert_eq!(form(&large), digits);
    }
}
