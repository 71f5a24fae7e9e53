//! Prices of tokens.
//!
//! `prices.toml` holds the built-in prices, with their date and source. The config file can
//! override them:
//!
//! ```toml
//! [prices]
//! "openai:qwen*" = "free"
//! "openai:my-model" = { input = 0.20, output = 0.60 }
//! ```
//!
//! or `prices = "FILE"`, for a file in the form of `prices.toml`. The cost of a model without
//! a price is unknown, which is not the same as zero.

use super::{Usage, default_config_file};
use crate::error::{Error, Result};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::fmt;
use std::path::Path;

const BUILT_IN: &str = include_str!("prices.toml");

/// Prices of models, by patterns of their names.
#[derive(Debug, Clone, Default)]
pub struct Prices {
    own: Table,
    built_in: Table,
    date: String,
}

type Table = BTreeMap<String, Price>;

/// The price of a model, in US dollars for a million tokens.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Price {
    /// Tokens of the prompt.
    pub input: f64,
    /// Tokens of the prompt that were in the provider's cache.
    pub cached: f64,
    /// Tokens of the prompt that were added to that cache.
    pub cache_write: f64,
    /// Tokens generated.
    pub output: f64,
}

/// An amount of US dollars.
#[derive(Debug, Clone, Copy, Default, PartialEq, PartialOrd)]
pub struct Cost(pub f64);

/// A price in a file, other than `"free"`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    input: f64,
    cached: Option<f64>,
    cache_write: Option<f64>,
    output: f64,
}

/// The form of `prices.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PriceFile {
    #[serde(default)]
    date: String,
    #[serde(default, rename = "source")]
    _source: String,
    models: toml::Table,
}

#[derive(Default, Deserialize)]
struct ConfigFile {
    /// `[prices]`, or `prices = "FILE"`.
    prices: Option<toml::Value>,
}

impl Prices {
    /// The built-in prices.
    ///
    /// # Errors
    /// [`Error::Content`] if they cannot be parsed.
    pub fn built_in() -> Result<Self> {
        let file: PriceFile = read(BUILT_IN, Path::new("prices.toml"))?;
        Ok(Prices {
            own: Table::new(),
            built_in: table(&file.models, Path::new("prices.toml"))?,
            date: file.date,
        })
    }

    /// The built-in prices, overridden by those of `config`, which must exist, or else of the
    /// user's config file, which may be absent.
    ///
    /// # Errors
    /// [`Error::File`] and [`Error::Content`] for a file that cannot be read.
    pub fn of_user(config: Option<&Path>) -> Result<Self> {
        let mut prices = Self::built_in()?;
        let usual = default_config_file();
        let Some(path) = config.or(usual.as_deref()) else {
            return Ok(prices);
        };
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound && config.is_none() => {
                return Ok(prices);
            }
            Err(error) => return Err(Error::file("cannot read", path)(error)),
        };
        match read::<ConfigFile>(&text, path)?.prices {
            None => {}
            Some(toml::Value::Table(own)) => prices.own = table(&own, path)?,
            Some(toml::Value::String(file)) => {
                let file = path.parent().unwrap_or(Path::new("")).join(file);
                let text = std::fs::read_to_string(&file)
                    .map_err(Error::file("cannot read the prices in", &file))?;
                let theirs: PriceFile = read(&text, &file)?;
                prices.own = table(&theirs.models, &file)?;
                if !theirs.date.is_empty() {
                    prices.date = theirs.date;
                }
            }
            Some(_) => {
                return Err(Error::Content {
                    path: path.to_owned(),
                    problem: "`prices` is a table, [prices], or the name of a file".to_owned(),
                });
            }
        }
        Ok(prices)
    }

    /// The price of the model with this [`Model::name`](super::Model::name), if it is known.
    pub fn of(&self, name: &str) -> Option<Price> {
        find(&self.own, name).or_else(|| find(&self.built_in, name))
    }

    /// The cost of these tokens, if the model's price is known and tokens were counted.
    pub fn cost(&self, name: &str, usage: Usage) -> Option<Cost> {
        let counted = usage.prompt_tokens > 0 || usage.completion_tokens > 0;
        let price = self.of(name).filter(|_| counted)?;
        Some(price.of_usage(usage))
    }

    /// The date of the prices: `2026-11-21`.
    pub fn date(&self) -> &str {
        &self.date
    }
}

impl Price {
    /// The cost of these tokens.
    #[allow(clippy::cast_precision_loss, reason = "counts are far below 2^52")]
    pub fn of_usage(&self, usage: Usage) -> Cost {
        let cached = usage.cached_tokens.min(usage.prompt_tokens);
        let rest = usage.prompt_tokens - cached;
        let written = usage.cache_write_tokens.min(rest);
        let parts = [
            (rest - written, self.input),
            (cached, self.cached),
            (written, self.cache_write),
            (usage.completion_tokens, self.output),
        ];
        Cost(
            parts
                .iter()
                .fold(0.0, |sum, (tokens, price)| sum + *tokens as f64 * price)
                / 1e6,
        )
    }
}

impl fmt::Display for Cost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            cost if cost <= 0.0 => f.write_str("nothing"),
            cost if cost < 0.000_05 => f.write_str("less than $0.0001"),
            cost if cost < 0.1 => write!(f, "${cost:.4}"),
            cost => write!(f, "${cost:.2}"),
        }
    }
}

/// The price with the longest pattern that matches.
fn find(table: &Table, name: &str) -> Option<Price> {
    let fitting = table.iter().filter(|(pattern, _)| fits(pattern, name));
    let letters = |pattern: &str| pattern.chars().filter(|c| *c != '*').count();
    fitting
        .max_by_key(|(pattern, _)| letters(pattern))
        .map(|(_, price)| *price)
}

/// Whether a name matches a pattern, in which `*` stands for any characters.
fn fits(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split('*');
    let first = parts.next().unwrap_or_default();
    let Some(mut rest) = name.strip_prefix(first) else {
        return false;
    };
    let mut parts: Vec<&str> = parts.collect();
    let Some(last) = parts.pop() else {
        return rest.is_empty();
    };
    for part in parts {
        match rest.split_once(part) {
            Some((_, after)) => rest = after,
            None => return false,
        }
    }
    rest.ends_with(last)
}

fn table(written: &toml::Table, path: &Path) -> Result<Table> {
    let priced = written.iter().map(|(name, value)| match price(value) {
        Some(price) => Ok((name.clone(), price)),
        None => Err(Error::Content {
            path: path.to_owned(),
            problem: format!(
                "the price of `{}` is \"free\", or {{ input = 0.20, output = 0.60 }} and perhaps `cached` and `cache_write`, each 0 or more",
                name.escape_debug()
            ),
        }),
    });
    priced.collect()
}

fn price(value: &toml::Value) -> Option<Price> {
    let price = match value {
        toml::Value::String(word) if word == "free" => Price {
            input: 0.0,
            cached: 0.0,
            cache_write: 0.0,
            output: 0.0,
        },
        value => {
            let written: Written = value.clone().try_into().ok()?;
            Price {
                input: written.input,
                cached: written.cached.unwrap_or(written.input),
                cache_write: written.cache_write.unwrap_or(written.input),
                output: written.output,
            }
        }
    };
    let all = [price.input, price.cached, price.cache_write, price.output];
    let sane = all.iter().all(|price| price.is_finite() && *price >= 0.0);
    sane.then_some(price)
}

fn read<T: for<'d> Deserialize<'d>>(text: &str, path: &Path) -> Result<T> {
    toml::from_str(text).map_err(|error| {
        // The error's own display quotes the line, which may hold a key.
        let start = error.span().map_or(0, |span| span.start);
        let before = text.as_bytes().get(..start).unwrap_or_default();
        let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
        Error::Content {
            path: path.to_owned(),
            problem: format!("line {line}: {}", error.message()),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_stand_for_anything() {
        for (pattern, name, expected) in [
            ("a", "a", true),
            ("a", "ab", false),
            ("a*", "a", true),
            ("a*", "abc", true),
            ("*c", "abc", true),
            ("a*b*c", "a-b-b-c", true),
            ("a*b*c", "a-c", false),
            ("ab*ba", "aba", false),
            ("*", "", true),
            ("", "a", false),
        ] {
            assert_eq!(fits(pattern, name), expected, "{pattern} {name}");
        }
    }
}
