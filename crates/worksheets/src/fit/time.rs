use jiff::civil::Date;
use serde_json::Value as Json;

/// `YYYY-MM-DD`, of a day that there is.
pub(super) fn date(json: &Json) -> Option<String> {
    let text = json.as_str()?.trim();
    let shape = text.len() == 10
        && text.bytes().enumerate().all(|(at, byte)| match at {
            4 | 7 => byte == b'-',
            _ => byte.is_ascii_digit(),
        });
    if !shape {
        return None;
    }
    let date: Date = text.parse().ok()?;
    Some(date.to_string())
}

/// `H:MM`, `HH:MM:SS`, `7pm`, `7:30 pm`, as `HH:MM`.
pub(super) fn time(json: &Json) -> Option<String> {
    let text = json.as_str()?.trim().to_lowercase();
    let (clock, half) = if let Some(clock) = text.strip_suffix("am") {
        (clock.trim_end(), Some(0))
    } else if let Some(clock) = text.strip_suffix("pm") {
        (clock.trim_end(), Some(12))
    } else {
        (text.as_str(), None)
    };
    let parts: Vec<&str> = clock.split(':').collect();
    let number = |part: &str, digits: std::ops::RangeInclusive<usize>, most: u32| {
        let right = digits.contains(&part.len()) && part.bytes().all(|b| b.is_ascii_digit());
        right
            .then(|| part.parse::<u32>().ok())
            .flatten()
            .filter(|number| *number <= most)
    };
    let (hour, minute) = match parts.as_slice() {
        [hour] if half.is_some() => (number(hour, 1..=2, 12)?, 0),
        [hour, minute] => (number(hour, 1..=2, 23)?, number(minute, 2..=2, 59)?),
        [hour, minute, second] => {
            number(second, 2..=2, 59)?;
            (number(hour, 1..=2, 23)?, number(minute, 2..=2, 59)?)
        }
        _ => return None,
    };
    let hour = match half {
        None => hour,
        Some(half) if (1..=12).contains(&hour) => hour % 12 + half,
        Some(_) => return None,
    };
    Some(format!("{hour:02}:{minute:02}"))
}
