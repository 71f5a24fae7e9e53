//! Waits that servers ask for in words.

use std::time::Duration;

/// The wait that a message asks for: "Please try again in 19.3s", "retry after 20 seconds".
pub(in crate::llm) fn in_words(message: &str) -> Option<Duration> {
    const BEFORE: [&str; 5] = [
        "again in ",
        "again after ",
        "retry in ",
        "retry after ",
        "wait ",
    ];
    let message = message.to_ascii_lowercase();
    BEFORE.iter().find_map(|before| {
        let (_, after) = message.split_once(before)?;
        let after = after
            .trim_start_matches("for ")
            .trim_start_matches("about ");
        duration(after)
    })
}

/// The duration at the beginning of a text: `19.3s`, `1m30s`, `120ms`, `2 minutes`. A number
/// without a unit is in seconds.
pub(in crate::llm) fn duration(text: &str) -> Option<Duration> {
    let mut rest = text.trim_start();
    let mut total: Option<f64> = None;
    loop {
        let end = rest.find(|c: char| !c.is_ascii_digit() && c != '.');
        let (number, after) = rest.split_at(end.unwrap_or(rest.len()));
        let Ok(number) = number.trim_end_matches('.').parse::<f64>() else {
            break;
        };
        let after = after.trim_start();
        let end = after.find(|c: char| !c.is_ascii_alphabetic());
        let (unit, after) = after.split_at(end.unwrap_or(after.len()));
        let seconds = match unit {
            "ms" | "millisecond" | "milliseconds" => 0.001,
            "m" | "min" | "mins" | "minute" | "minutes" => 60.0,
            "h" | "hr" | "hour" | "hours" => 3600.0,
            "s" | "sec" | "secs" | "second" | "seconds" => 1.0,
            "d" | "day" | "days" => 86_400.0,
            _ if total.is_some() => break,
            _ => 1.0,
        };
        total = Some(total.unwrap_or(0.0) + number * seconds);
        rest = after.trim_start();
    }
    Duration::try_from_secs_f64(total?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_are_read_as_servers_write_them() {
        for (message, wait) in [
            (
                "Limit 30000, Used 29000. Please try again in 19.3s.",
                Some(19_300),
            ),
            ("Please try again in 1m30.5s", Some(90_500)),
            ("try again in 120ms", Some(120)),
            ("Please retry after 20 seconds.", Some(20_000)),
            ("Try again after 2 minutes, or upgrade", Some(120_000)),
            ("You have to wait for 5 seconds", Some(5_000)),
            ("retry after 3", Some(3_000)),
            ("Please wait and try again later", None),
            ("Try again in a moment", None),
        ] {
            let read = in_words(message).map(|wait| wait.as_millis());
            assert_eq!(read, wait, "{message}");
        }
    }
}
