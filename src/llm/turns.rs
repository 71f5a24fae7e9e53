//! Splits conversations for services that take the instructions in a separate field.

use super::{Message, Role};

/// Consecutive messages of one role.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Turn<'a> {
    pub role: Role,
    pub texts: Vec<&'a str>,
}

/// Separates the instructions from the conversation. Consecutive messages of one role
/// become one turn. Empty texts are left out, and a last message of the model loses its
/// trailing blanks, because the services refuse both.
pub(super) fn turns(messages: &[Message]) -> (Vec<&str>, Vec<Turn<'_>>) {
    let mut system = Vec::new();
    let mut turns: Vec<Turn<'_>> = Vec::new();
    for message in messages {
        let text = message.content.as_str();
        if text.trim().is_empty() {
            continue;
        }
        match turns.last_mut() {
            _ if message.role == Role::System => system.push(text),
            Some(turn) if turn.role == message.role => turn.texts.push(text),
            _ => turns.push(Turn {
                role: message.role,
                texts: vec![text],
            }),
        }
    }
    if let Some(turn) = turns.last_mut().filter(|turn| turn.role == Role::Assistant)
        && let Some(text) = turn.texts.last_mut()
    {
        *text = text.trim_end();
    }
    (system, turns)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_alternate_and_nothing_is_empty() {
        let message = |role, content: &str| Message {
            role,
            content: content.to_owned(),
        };
        let messages = [
            message(Role::System, "be brief"),
            message(Role::User, "a"),
            message(Role::User, " "),
            message(Role::User, "b"),
            message(Role::System, "be kind"),
            message(Role::Assistant, "c \n"),
        ];
        let (system, turns) = turns(&messages);
        assert_eq!(system, ["be brief", "be kind"]);
        let shown: Vec<_> = turns
            .into_iter()
            .map(|turn| (turn.role, turn.texts))
            .collect();
        assert_eq!(
            shown,
            [(Role::User, vec!["a", "b"]), (Role::Assistant, vec!["c"])]
        );
    }
}
