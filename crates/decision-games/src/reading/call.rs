//! Calls with literal arguments, as models write them: `game.wish(budget=60)`.

use serde_json::{Map, Number, Value};

/// A call as it was written.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Call {
    pub name: String,
    /// Arguments without a name, in order.
    pub places: Vec<Value>,
    pub named: Map<String, Value>,
}

/// Reads a line that is a call and nothing else, but for a comment behind it.
///
/// None if the line does not look like a call; a sentence if it does, and cannot be read.
pub(super) fn read(line: &str) -> Option<Result<Call, String>> {
    let line = line.trim().trim_start_matches(['-', '*', '•']).trim();
    let line = line.trim_matches('`');
    let (name, rest) = line.split_once('(')?;
    let name = name.trim().strip_prefix("game.").unwrap_or(name.trim());
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    is_name.then(|| {
        let mut scanner = Scanner { rest };
        scanner
            .arguments(name)
            .map_err(|problem| format!("{problem} in {line:?}"))
    })
}

struct Scanner<'a> {
    rest: &'a str,
}

impl Scanner<'_> {
    fn arguments(&mut self, name: &str) -> Result<Call, String> {
        let (mut places, mut named) = (Vec::new(), Map::new());
        while !self.takes(")") {
            match self.name() {
                Some(name) => _ = named.insert(name, self.value(0)?),
                None => places.push(self.value(0)?),
            }
            if !self.takes(",") && !self.rest.trim_start().starts_with(')') {
                return Err("a comma or ) is missing".to_owned());
            }
        }
        let behind = self.rest.trim();
        if !behind.is_empty() && !behind.starts_with(['#', ';', '`']) {
            return Err("there is more behind the call".to_owned());
        }
        let name = name.to_owned();
        Ok(Call {
            name,
            places,
            named,
        })
    }

    fn takes(&mut self, what: &str) -> bool {
        let rest = self.rest.trim_start().strip_prefix(what);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    /// `feature=`, if that is next.
    fn name(&mut self) -> Option<String> {
        let (before, behind) = self.rest.split_once('=')?;
        let name = before.trim();
        let is_name = !name.is_empty() && name.chars().all(|c| c.is_ascii_lowercase() || c == '_');
        is_name.then(|| {
            self.rest = behind;
            name.to_owned()
        })
    }

    fn value(&mut self, depth: usize) -> Result<Value, String> {
        self.rest = self.rest.trim_start();
        match self.rest.chars().next() {
            Some(quote @ ('"' | '\'')) => self.text(quote),
            Some('[' | '(') if depth < 3 => self.list(depth),
            _ => self.word(),
        }
    }

    fn text(&mut self, quote: char) -> Result<Value, String> {
        let (mut text, mut chars) = (String::new(), self.rest.char_indices().skip(1));
        while let Some((place, c)) = chars.next() {
            match c {
                '\\' => text.extend(chars.next().map(|(_, c)| c)),
                c if c == quote => {
                    self.rest = &self.rest[place + c.len_utf8()..];
                    return Ok(text.into());
                }
                c => text.push(c),
            }
        }
        Err("a text has no end".to_owned())
    }

    fn list(&mut self, depth: usize) -> Result<Value, String> {
        let end = if self.rest.starts_with('[') { "]" } else { ")" };
        self.rest = &self.rest[1..];
        let mut list = Vec::new();
        while !self.takes(end) {
            list.push(self.value(depth + 1)?);
            if !self.takes(",") && !self.rest.trim_start().starts_with(end) {
                return Err("a list has no end".to_owned());
            }
        }
        Ok(list.into())
    }

    fn word(&mut self) -> Result<Value, String> {
        let end = self.rest.find([',', ')', ']']).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        let word = word.trim();
        match word {
            "True" | "true" => return Ok(true.into()),
            "False" | "false" => return Ok(false.into()),
            "None" | "null" => return Ok(Value::Null),
            _ => {}
        }
        let number = word.trim_start_matches('$');
        let whole = number.parse::<i64>().ok().map(Number::from);
        let real = || number.parse::<f64>().ok().and_then(Number::from_f64);
        match whole.or_else(real) {
            Some(number) => Ok(number.into()),
            None => Err(format!("{word:?} is no number, text, list, True or False")),
        }
    }
}

/// A value as a model writes it.
pub(super) fn literal(value: &Value) -> String {
    match value {
        Value::Null => "None".to_owned(),
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        Value::Array(list) => {
            let list: Vec<String> = list.iter().map(literal).collect();
            format!("[{}]", list.join(", "))
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn calls_are_read_as_models_write_them() {
        for (line, name, places, named) in [
            ("wish(budget=60)", "wish", json!([]), json!({"budget": 60})),
            (
                "- `game.wish(budget = $60)`",
                "wish",
                json!([]),
                json!({"budget": 60}),
            ),
            (
                "claim('Ava Li', \"BLEU\", 4)  # good",
                "claim",
                json!(["Ava Li", "BLEU", 4]),
                json!({}),
            ),
            (
                r#"wish(feature="rating", like=[4, 4.5,], dislike=[], must=None)"#,
                "wish",
                json!([]),
                json!({"feature": "rating", "like": [4, 4.5], "dislike": [], "must": null}),
            ),
            (r#"f("a\"b=c, d)")"#, "f", json!(["a\"b=c, d)"]), json!({})),
        ] {
            let call = read(line).expect(line).expect(line);
            assert_eq!(call.name, name);
            assert_eq!(json!(call.places), places, "{line}");
            assert_eq!(json!(call.named), named, "{line}");
        }
    }

    #[test]
    fn what_is_no_call_is_left_and_what_is_broken_says_why() {
        for line in [
            "",
            "The user likes parks.",
            "I think (maybe) so",
            "```python",
        ] {
            assert_eq!(read(line), None, "{line}");
        }
        for line in [
            "wish(",
            "wish(a",
            "wish(\"a)",
            "wish([1, [2)",
            "wish(a=b)",
            "f(1) g(2)",
            "f(1 2)",
        ] {
            assert!(matches!(read(line), Some(Err(_))), "{line}");
        }
    }
}
