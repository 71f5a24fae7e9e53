//! Numbers as English words.

/// The words from 0 to 20.
pub const NUMBER_WORDS: [&str; 21] = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
];

#[cfg(test)]
mod tests {
    use super::NUMBER_WORDS;

    #[test]
    fn the_language_file_has_the_same() {
        let file = include_str!("../data/languages/en.toml");
        for (number, word) in NUMBER_WORDS.iter().enumerate().skip(1) {
            let line = format!("{word} = {number}");
            assert!(file.lines().any(|it| it == line), "{line}");
        }
    }
}
