use super::Dialogue;

impl Dialogue {
    /// The dialogue in the exchange format.
    pub fn text(&self) -> String {
        let Self {
            uid,
            goal,
            world,
            greeting,
            turns,
        } = self;
        let mut out = format!(
            "<conversation uid=\"{uid}\" goal=\"{goal}\" world=\"{world}\">\n<turns>\n\
             <turn>Agent: {}</turn>\n",
            escape(greeting)
        );
        for (number, turn) in (1..).zip(turns) {
            out.push_str(&format!(
                "<turn>User: {}</turn>\n<goal uid=\"{number}\" status=\"final\">\n\
                 <program>\n{}\n</program>\n",
                escape(&turn.user),
                escape(&turn.program)
            ));
            if let Some(result) = &turn.result {
                // `<\/` is JSON's own escape.
                let result = result.to_string().replace("</", "<\\/");
                out.push_str(&format!("<result>{result}</result>\n<error/>\n"));
            }
            if let Some(signature) = &turn.signature {
                out.push_str(&format!("<signature>{signature}</signature>\n"));
            }
            let agent = escape(&turn.agent);
            out.push_str(&format!("</goal>\n<turn>Agent: {agent}</turn>\n"));
        }
        out.push_str("</turns>\n</conversation>\n");
        out
    }
}

fn escape(text: &str) -> String {
    text.replace("</", "&lt;/")
}
