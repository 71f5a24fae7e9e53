//! Links that are signed ahead, in texts that are compared.

/// A text in which words stand for the times in links and in what is said of them.
pub fn without_times(text: &str) -> String {
    let mut text = text.to_owned();
    for (before, word) in [
        ("X-Amz-Date=", "TIME"),
        ("withheld%2F", "DAY"),
        ("Expires=17", "TIME"),
        (" until 20", "TIME"),
        ("<LastModified>", "TIME"),
    ] {
        let is_time = |c: char| c.is_ascii_digit() || "-: TZ.UC".contains(c);
        let mut parts = text.split(before);
        let mut done = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let rest = part.trim_start_matches(is_time);
            done += &format!("{before}{word}{rest}");
        }
        text = done;
    }
    text
}
