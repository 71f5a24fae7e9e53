//! The use of worlds that cost time and money.

use super::{Place, Value, plural};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};

/// The use of a server so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Spent {
    /// Requests sent, each repeated try included.
    pub requests: u64,
    /// Names that listings brought.
    pub names_listed: u64,
    /// Bytes of contents that were read.
    pub bytes_read: u64,
}

impl Spent {
    /// The use since `earlier`.
    #[must_use]
    pub fn since(self, earlier: Spent) -> Spent {
        Spent {
            requests: self.requests.saturating_sub(earlier.requests),
            names_listed: self.names_listed.saturating_sub(earlier.names_listed),
            bytes_read: self.bytes_read.saturating_sub(earlier.bytes_read),
        }
    }
}

impl fmt::Display for Spent {
    /// A clause that follows "it has".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (requests, names) = (self.requests, self.names_listed);
        let requests = [
            grouped(requests),
            plural(requests, "request", "requests").to_owned(),
        ];
        let listed = [grouped(names), plural(names, "name", "names").to_owned()].join(" ");
        write!(f, "sent {}", requests.join(" "))?;
        match (names, self.bytes_read) {
            (0, 0) => Ok(()),
            (_, 0) => write!(f, " and listed {listed}"),
            (0, bytes) => write!(f, " and read {}", size(bytes)),
            (_, bytes) => write!(f, ", listed {listed} and read {}", size(bytes)),
        }
    }
}

/// Counts what is asked of a server.
#[derive(Debug, Default)]
pub struct Meter {
    requests: AtomicU64,
    names_listed: AtomicU64,
    bytes_read: AtomicU64,
}

impl Meter {
    /// One more request is sent.
    pub fn sent(&self) {
        self.requests.fetch_add(1, Ordering::Relaxed);
    }

    /// An answer had this many bytes.
    pub fn read(&self, bytes: usize) {
        self.bytes_read.fetch_add(bytes as u64, Ordering::Relaxed);
    }

    /// A listing brought this many names.
    pub fn listed(&self, names: usize) {
        self.names_listed.fetch_add(names as u64, Ordering::Relaxed);
    }

    /// A call was answered with this value, of an operation that is not known beforehand. Each
    /// item of a list is a name: of the value, or of its fields.
    pub fn answered(&self, value: &Value) {
        let items = |value: &Value| value.as_list().map_or(0, <[Value]>::len);
        let names = match value {
            Value::Map(fields) => fields.iter().map(|(_, field)| items(field)).sum(),
            value => items(value),
        };
        self.listed(names);
    }

    /// All so far.
    pub fn spent(&self) -> Spent {
        Spent {
            requests: self.requests.load(Ordering::Relaxed),
            names_listed: self.names_listed.load(Ordering::Relaxed),
            bytes_read: self.bytes_read.load(Ordering::Relaxed),
        }
    }
}

/// A program that has cost so much that its user is asked before it goes on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Costly {
    /// Its use of the server so far.
    pub spent: Spent,
    /// The operation of its next call.
    pub operation: String,
    /// The place that this call names, where it names one.
    pub place: Option<Place>,
}

impl fmt::Display for Costly {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Costly {
            spent, operation, ..
        } = self;
        write!(f, "it has {spent}, and would go on with {operation}")?;
        match &self.place {
            Some(place) if !place.segments().is_empty() => write!(f, " on {place}"),
            _ => Ok(()),
        }
    }
}

/// A number with commas: `1,200,000`.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number of bytes in the largest unit that it fills, with one decimal.
fn size(bytes: u64) -> String {
    let units = [("GB", 1_000_000_000), ("MB", 1_000_000), ("kB", 1_000)];
    match units.into_iter().find(|(_, unit)| bytes >= *unit) {
        Some((name, unit)) => format!("{}.{} {name}", bytes / unit, bytes % unit * 10 / unit),
        None => format!("{bytes} B"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_reads_as_a_clause() {
        let spent = |requests, names_listed, bytes_read| {
            let spent = Spent {
                requests,
                names_listed,
                bytes_read,
            };
            spent.to_string()
        };
        assert_eq!(spent(1, 0, 0), "sent 1 request");
        assert_eq!(spent(2, 1, 0), "sent 2 requests and listed 1 name");
        assert_eq!(
            spent(50, 50_000, 0),
            "sent 50 requests and listed 50,000 names"
        );
        assert_eq!(spent(999, 0, 999), "sent 999 requests and read 999 B");
        assert_eq!(
            spent(1_200, 1_200_000, 104_857_600),
            "sent 1,200 requests, listed 1,200,000 names and read 104.8 MB"
        );
    }
}
