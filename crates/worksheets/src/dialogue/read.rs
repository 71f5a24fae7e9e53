use serde_json::Value as Json;

use super::{Dialogue, Turn};

impl Dialogue {
    /// Reads a conversation of the exchange format. The sentence of an error names the line.
    ///
    /// ```
    /// use worksheets::dialogue::Dialogue;
    ///
    /// let text = "<conversation uid=\"a\" goal=\"g\" world=\"w\">\n<turns>\n\
    ///             <turn>Agent: Hello?</turn>\n<turn>User: Bye.</turn>\n\
    ///             <goal uid=\"1\" status=\"final\">\n<program>\nraise EndDialog()\n</program>\n\
    ///             </goal>\n<turn>Agent: Goodbye.</turn>\n</turns>\n</conversation>\n";
    /// let dialogue = Dialogue::read(text).unwrap();
    /// assert_eq!(dialogue.turns[0].program, "raise EndDialog()");
    /// assert_eq!(dialogue.text(), text);
    /// ```
    pub fn read(text: &str) -> Result<Self, String> {
        let mut cursor = Cursor { text, at: 0 };
        cursor.read().map_err(|why| {
            let before = text.get(..cursor.at).unwrap_or(text);
            format!("line {}: {why}", before.matches('\n').count() + 1)
        })
    }
}

struct Cursor<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Cursor<'t> {
    fn read(&mut self) -> Result<Dialogue, String> {
        let head = self.element("<conversation", ">")?;
        let attribute = |name: &str| {
            let (_, rest) = head.split_once(&format!(" {name}=\""))?;
            rest.split_once('"').map(|(value, _)| value.to_owned())
        };
        let mut out = Dialogue {
            uid: attribute("uid").ok_or("the conversation has no uid")?,
            goal: attribute("goal").unwrap_or_default(),
            world: attribute("world").unwrap_or_default(),
            ..Dialogue::default()
        };
        if self.next_is("<metadata>") {
            self.element("<metadata>", "</metadata>")?;
        }
        self.element("<turns>", "")?;
        out.greeting = self.said("Agent")?;
        while self.next_is("<turn>") {
            let mut turn = Turn {
                user: self.said("User")?,
                ..Turn::default()
            };
            self.element("<goal ", ">")?;
            let program = self.element("<program>", "</program>")?;
            turn.program = unescape(program.trim_matches('\n'));
            if self.next_is("<result>") {
                turn.result = Some(self.json()?);
            }
            if self.next_is("<error/>") {
                self.element("<error/>", "")?;
            }
            if self.next_is("<signature>") {
                let signature = self.element("<signature>", "</signature>")?;
                turn.signature = Some(signature.trim().to_owned());
            }
            self.element("</goal>", "")?;
            turn.agent = self.said("Agent")?;
            out.turns.push(turn);
        }
        self.element("</turns>", "")?;
        self.element("</conversation>", "")?;
        match self.rest().trim() {
            "" => Ok(out),
            _ => Err("there is more behind the conversation".to_owned()),
        }
    }

    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn next_is(&self, open: &str) -> bool {
        self.rest().trim_start().starts_with(open)
    }

    /// What stands between two marks, of which the first comes next.
    fn element(&mut self, open: &str, close: &str) -> Result<&'t str, String> {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
        let wrong = || format!("expected {open}");
        let inner = self.rest().strip_prefix(open).ok_or_else(wrong)?;
        let end = inner
            .find(close)
            .ok_or_else(|| format!("{open} has no {close}"))?;
        self.at += open.len() + end + close.len();
        Ok(inner.get(..end).unwrap_or_default())
    }

    fn said(&mut self, speaker: &str) -> Result<String, String> {
        let said = self.element("<turn>", "</turn>")?;
        let words = said.strip_prefix(speaker);
        let words = words.and_then(|rest| rest.trim_start().strip_prefix(':'));
        let words = words.ok_or_else(|| format!("expected what {speaker} says"))?;
        Ok(unescape(words.trim()))
    }

    fn json(&mut self) -> Result<Json, String> {
        let text = self.element("<result>", "</result>")?;
        serde_json::from_str(text.trim()).map_err(|error| format!("the result is no JSON: {error}"))
    }
}

/// Closing tags stand escaped within texts.
fn unescape(text: &str) -> String {
    text.replace("&lt;/", "</")
}
