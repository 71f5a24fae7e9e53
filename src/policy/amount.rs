//! Amounts as users write them: `1000`, `1_000`, `1 GiB`, `unlimited`.

use jiff::SignedDuration;

/// The word for an amount without a limit.
pub const UNLIMITED: &str = "unlimited";

/// The forms of a count, for error messages.
pub const COUNTS: &str = "a count is expected: 1000, \"1_000\" or \"unlimited\"";

/// The forms of a size, for error messages.
pub const SIZES: &str = "a size is expected: \"64KiB\", \"100 MB\", \"1 GiB\" or \"unlimited\"";

/// Units with their sizes in bytes, the largest first.
const UNITS: &[(&str, u64)] = &[
    ("TiB", 1 << 40),
    ("TB", 1_000_000_000_000),
    ("GiB", 1 << 30),
    ("GB", 1_000_000_000),
    ("MiB", 1 << 20),
    ("MB", 1_000_000),
    ("KiB", 1 << 10),
    ("KB", 1000),
];

/// Reads `256MiB`, `64 KiB`, `1_000` or a number of bytes.
pub fn read_size(text: &str) -> Option<u64> {
    let digits = text
        .bytes()
        .take_while(|b| b.is_ascii_digit() || *b == b'_');
    let (number, unit) = text.split_at_checked(digits.count())?;
    let (number, unit) = (read_count(number)?, unit.trim());
    let known = |name: &str| {
        // `k` and `KiB` are the same, as they are everywhere on the command line.
        let short = name.strip_suffix("iB").unwrap_or(name);
        unit.eq_ignore_ascii_case(name) || unit.eq_ignore_ascii_case(short)
    };
    let factor = match unit.to_ascii_lowercase().as_str() {
        "" | "b" => 1,
        _ => UNITS.iter().find(|(name, _)| known(name))?.1,
    };
    number.checked_mul(factor)
}

/// Reads a count; `_` may stand between digits.
pub fn read_count(text: &str) -> Option<u64> {
    let first = text.starts_with(|c: char| c.is_ascii_digit());
    first.then(|| text.replace('_', "").parse().ok())?
}

/// A size in the largest unit that shows it exactly.
pub fn show_size(bytes: u64) -> String {
    let unit = UNITS
        .iter()
        .find(|(_, unit)| bytes > 0 && bytes.is_multiple_of(*unit));
    match unit {
        Some((name, unit)) => format!("{} {name}", bytes / unit),
        None => format!("{bytes} B"),
    }
}

/// Reads an amount, or `unlimited`.
pub fn read(
    text: &str,
    number: fn(&str) -> Option<u64>,
    expected: &'static str,
) -> Result<Option<u64>, String> {
    match text.trim() {
        UNLIMITED => Ok(None),
        text => match number(text) {
            Some(amount) => Ok(Some(amount)),
            None => Err(format!("{text:?} is not a valid amount: {expected}")),
        },
    }
}

/// An amount in TOML: a number or a text.
#[derive(serde::Deserialize)]
#[serde(
    untagged,
    expecting = "a number or a text such as \"1 GiB\" or \"unlimited\""
)]
enum Written {
    Number(u64),
    Text(String),
}

macro_rules! amounts {
    ($name:ident, $about:literal, $read:ident, $expected:ident, $show:expr) => {
        #[doc = $about]
        pub mod $name {
            use super::Written;
            use serde::{Deserialize, Deserializer, Serializer, de::Error};

            pub fn deserialize<'de, D: Deserializer<'de>>(
                from: D,
            ) -> Result<Option<u64>, D::Error> {
                match Written::deserialize(from)? {
                    Written::Number(number) => Ok(Some(number)),
                    Written::Text(text) => {
                        super::read(&text, super::$read, super::$expected).map_err(D::Error::custom)
                    }
                }
            }

            pub fn serialize<S: Serializer>(most: &Option<u64>, to: S) -> Result<S::Ok, S::Error> {
                let show: fn(u64, S) -> Result<S::Ok, S::Error> = $show;
                match most {
                    None => to.serialize_str(super::UNLIMITED),
                    Some(most) => show(*most, to),
                }
            }
        }
    };
}

amounts!(
    count,
    "Counts in a policy.",
    read_count,
    COUNTS,
    |most, to| {
        // TOML's integers have 63 bits.
        match i64::try_from(most) {
            Ok(most) => to.serialize_i64(most),
            Err(_) => to.serialize_str(&most.to_string()),
        }
    }
);
amounts!(size, "Sizes in a policy.", read_size, SIZES, |most, to| {
    to.serialize_str(&super::show_size(most))
});

/// How long a link may be valid unless the policy says it: as long as S3 allows.
pub fn longest_link() -> SignedDuration {
    SignedDuration::from_hours(7 * 24)
}

/// A time as policies spell it: `168h`, `1h 30m`.
pub fn show_time(time: SignedDuration) -> String {
    format!("{time:#}")
}

/// Times in a policy.
pub mod time {
    use jiff::SignedDuration;
    use serde::{Deserialize, Deserializer, Serializer, de::Error};

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<SignedDuration, D::Error> {
        let text = String::deserialize(from)?;
        let time = text
            .parse()
            .ok()
            .filter(|time: &SignedDuration| !time.is_negative());
        time.ok_or_else(|| {
            D::Error::custom(format!(
                "{text:?} is not a time: a number with its unit is expected: \"24h\", \"30m\""
            ))
        })
    }

    pub fn serialize<S: Serializer>(time: &SignedDuration, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&super::show_time(*time))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_counts_are_read_and_shown() {
        let sizes = [
            ("17", 17),
            ("0", 0),
            ("1_024b", 1024),
            ("256MiB", 256 << 20),
            ("1 GiB", 1 << 30),
            ("2 gb", 2_000_000_000),
            ("64k", 64 << 10),
        ];
        for (text, bytes) in sizes {
            assert_eq!(read_size(text), Some(bytes), "{text}");
            assert_eq!(read_size(&show_size(bytes)), Some(bytes), "{text}");
        }
        for wrong in [
            "",
            "_",
            "MiB",
            "-1",
            "1.5MiB",
            "99999999999999TiB",
            "1 zb",
            "1 é",
        ] {
            assert_eq!(read_size(wrong), None, "{wrong}");
        }
        assert_eq!(read("1_000", read_count, COUNTS), Ok(Some(1000)));
        assert_eq!(read("unlimited", read_count, COUNTS), Ok(None));
        assert!(read("1 KiB", read_count, COUNTS).is_err());
    }
}
