//! Descriptions from a document, made short and free of markup.

/// The longest text in which sentences are looked for.
const MAX_READ: usize = 4000;

/// The text on one line, without HTML and without most of Markdown's marks.
pub(super) fn plain(text: &str) -> String {
    let end = text.char_indices().nth(MAX_READ).map(|(at, _)| at);
    let text = end.and_then(|end| text.get(..end)).unwrap_or(text);
    // GitHub writes `> [!NOTE]` before quotes.
    let quotes = |line: &str| match line.trim_start().strip_prefix('>') {
        Some(quoted) if quoted.trim_start().starts_with("[!") => String::new(),
        Some(quoted) => quoted.to_owned(),
        None => line.to_owned(),
    };
    let text = text.lines().map(quotes).collect::<Vec<_>>().join("\n");
    let mut out = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(at) = rest.find(['<', '[', '`', '*', '#']) {
        let (before, mark) = rest.split_at(at);
        out.push_str(before);
        rest = match mark.as_bytes().first() {
            Some(b'<') => after_tag(mark, &mut out),
            Some(b'[') => after_link(mark, &mut out),
            Some(b'#') if out.is_empty() || out.ends_with('\n') => mark.trim_start_matches('#'),
            Some(b'#') => after_first(mark, &mut out),
            _ => mark.get(1..).unwrap_or_default(),
        };
    }
    out.push_str(rest);
    let words: Vec<&str> = out
        .split(|c: char| c.is_whitespace() || c.is_control())
        .filter(|it| !it.is_empty())
        .collect();
    words.join(" ")
}

/// The text after a tag. A `<` that begins no tag stays.
fn after_tag<'t>(mark: &'t str, out: &mut String) -> &'t str {
    let is_tag = mark[1..].starts_with(|c: char| c.is_ascii_alphabetic() || c == '/' || c == '!');
    match mark.find('>').filter(|end| is_tag && *end < 300) {
        Some(end) => {
            out.push(' ');
            mark.get(end + 1..).unwrap_or_default()
        }
        None => after_first(mark, out),
    }
}

/// The text after `[words](link)`, of which the words stay.
fn after_link<'t>(mark: &'t str, out: &mut String) -> &'t str {
    let words = mark.find("](");
    let words = words.filter(|end| !mark[1..*end].contains(['[', '\n']));
    let link = words.and_then(|start| Some((start, start + mark[start..].find(')')?)));
    match link {
        Some((words, end)) => {
            out.push_str(&mark[1..words]);
            mark.get(end + 1..).unwrap_or_default()
        }
        None => after_first(mark, out),
    }
}

/// Keeps the first character, which has one byte.
fn after_first<'t>(mark: &'t str, out: &mut String) -> &'t str {
    out.push_str(mark.get(..1).unwrap_or_default());
    mark.get(1..).unwrap_or_default()
}

/// The first sentences of a text, of at most so many characters; a longer first sentence is
/// cut.
pub(super) fn sentences(text: &str, most: usize) -> String {
    let text = plain(text);
    let mut end = 0;
    let mut count = 0;
    let mut letters = text.char_indices().peekable();
    while let Some((at, letter)) = letters.next() {
        count += 1;
        if count > most {
            break;
        }
        let next = letters.peek().map(|(_, next)| *next);
        let ends = matches!(letter, '.' | '!' | '?') && next.is_none_or(char::is_whitespace);
        if ends && !is_abbreviation(&text[..at]) {
            end = at + letter.len_utf8();
        }
    }
    if count <= most {
        return text;
    }
    if end > 0 {
        return text[..end].to_owned();
    }
    let short: String = text.chars().take(most.saturating_sub(1)).collect();
    let whole = short.rsplit_once(' ').map_or(&*short, |(whole, _)| whole);
    format!("{}…", whole.trim_end_matches([',', ';', ':', ' ']))
}

/// The first sentence alone.
pub(super) fn sentence(text: &str, most: usize) -> String {
    let all = sentences(text, most);
    let ends = all.match_indices(". ");
    let mut ends = ends.filter(|(at, _)| !is_abbreviation(&all[..*at]));
    match ends.next() {
        Some((at, _)) => all[..=at].to_owned(),
        None => all,
    }
}

/// Whether a point after this text ends no sentence: `e.g.`, `i.e.`.
fn is_abbreviation(before: &str) -> bool {
    let word = before.rsplit([' ', '(']).next().unwrap_or_default();
    let word = word.to_ascii_lowercase();
    word.len() == 1 || ["e.g", "i.e", "etc", "vs", "eg", "ie", "approx"].contains(&&*word)
}
