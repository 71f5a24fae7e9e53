//! Whether to retry, and how long to wait before.

use super::wait::duration;
use crate::http::retry_after;
use jiff::Timestamp;
use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

/// How many times a request is sent again, and the waits in between.
#[derive(Debug, Clone, PartialEq)]
pub struct Backoff {
    /// Tries after the first; 0 gives up at once.
    pub max_retries: u32,
    /// The wait before the second try; it doubles from try to try.
    pub first: Duration,
    /// The longest wait. If a server asks for a longer one, the request fails at once and
    /// says so.
    pub longest: Duration,
    /// The random share of each wait, from 0 to 1, so that clients that failed together do
    /// not return together. With 1 ("full jitter") a wait is between nothing and its whole
    /// length. A wait that the server asked for is not shortened.
    pub jitter: f64,
}

impl Default for Backoff {
    fn default() -> Self {
        Backoff {
            max_retries: 4,
            first: Duration::from_secs(1),
            longest: Duration::from_secs(60),
            jitter: 1.0,
        }
    }
}

impl Backoff {
    /// The wait after failed try number `attempt` (1 for the first). `None` if no try is
    /// left, or if the server asked for a longer wait than is allowed.
    pub(in crate::llm) fn delay(&self, attempt: u32, asked: Option<Duration>) -> Option<Duration> {
        if attempt > self.max_retries {
            return None;
        }
        // A wait of zero is ignored: it asks for nothing.
        if let Some(asked) = asked.filter(|asked| !asked.is_zero()) {
            return (asked <= self.longest).then_some(asked);
        }
        let doubled = self
            .first
            .saturating_mul(2u32.saturating_pow(attempt.saturating_sub(1)))
            .min(self.longest);
        let share = 1.0 - self.jitter.clamp(0.0, 1.0) * chance();
        Some(doubled.mul_f64(share))
    }
}

/// A random number from 0 to 1. The standard library seeds its hash maps randomly, which is
/// random enough to spread retries.
fn chance() -> f64 {
    f64::from(RandomState::new().hash_one(0u8) as u32) / f64::from(u32::MAX)
}

/// Whether a request that got this HTTP status may succeed when sent again.
pub(in crate::llm) fn is_passing(status: u16) -> bool {
    match status {
        408 | 409 | 425 | 429 => true,
        501 | 505 => false,
        _ => (500..600).contains(&status),
    }
}

/// The wait that the headers of an answer ask for; `header` reads one of them.
pub(in crate::llm) fn asked_wait<'a>(header: impl Fn(&str) -> Option<&'a str>) -> Option<Duration> {
    if let Some(wait) = header("retry-after-ms").and_then(|value| value.trim().parse().ok()) {
        return Some(Duration::from_millis(wait));
    }
    if let Some(value) = header("retry-after") {
        return retry_after(value, Timestamp::now());
    }
    // OpenAI's own headers: the wait of that limit of which nothing is left.
    let resets = ["tokens", "requests"].into_iter().filter_map(|limit| {
        let left = header(&format!("x-ratelimit-remaining-{limit}"));
        let wait = duration(header(&format!("x-ratelimit-reset-{limit}"))?)?;
        left.is_none_or(|left| left.trim() == "0").then_some(wait)
    });
    resets.max()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn waits_double_up_to_the_longest_and_end_with_the_tries() {
        let backoff = Backoff {
            max_retries: 4,
            first: Duration::from_secs(1),
            longest: Duration::from_secs(3),
            jitter: 0.0,
        };
        let waits: Vec<_> = (1..=5)
            .map(|attempt| backoff.delay(attempt, None).map(|wait| wait.as_secs()))
            .collect();
        assert_eq!(waits, [Some(1), Some(2), Some(3), Some(3), None]);
    }

    #[test]
    fn jitter_only_shortens_a_wait_and_no_further_than_its_share() {
        let backoff = Backoff {
            first: Duration::from_secs(8),
            jitter: 0.5,
            ..Backoff::default()
        };
        for _ in 0..100 {
            let wait = backoff.delay(1, None).expect("a try is left");
            assert!((4.0..=8.0).contains(&wait.as_secs_f64()), "{wait:?}");
        }
    }

    #[test]
    fn a_server_is_taken_at_its_word_about_the_wait() {
        let backoff = Backoff::default();
        let second = Duration::from_secs(1);
        assert_eq!(backoff.delay(3, Some(second)), Some(second));
        assert_eq!(backoff.delay(1, Some(second * 3600)), None);
        assert!(backoff.delay(1, Some(Duration::ZERO)) > Some(Duration::ZERO));
    }

    #[test]
    fn busy_and_broken_servers_are_asked_again_and_refusals_are_not() {
        let again: Vec<u16> = (300..600).filter(|status| is_passing(*status)).collect();
        assert_eq!(again[..6], [408, 409, 425, 429, 500, 502]);
        assert!(!again.contains(&501) && again.contains(&529));
    }
}
