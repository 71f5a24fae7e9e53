//! What a reader of text takes for long texts: their time grows with their length.

use std::time::Duration;

/// The ending of an input that is not read as it is but made long.
const LONG: u8 = 0xff;
/// A text that is read by chance takes less than this, whatever else the machine does.
const UNNOTICED: Duration = Duration::from_millis(40);
/// The lengths that are compared, bytes, and how much longer reading may take: eight
/// times as much text, thirty times the time; with the square it would be sixty-four.
const SHORT_TEXT: usize = 100 << 10 >> 3;
const LONG_TEXT: usize = 100 << 10;
const FACTOR: u32 = 30;

/// Passes an input to `read` as text. An input that ends in `FF` stands for a long text, whose
/// reading is timed: the two bytes before the `FF` divide the rest into an end, a middle that
/// is repeated, and a start. Timing takes a hundred times as long, so most inputs
/// are read as they are.
pub fn run(input: &[u8], read: impl Fn(&str)) {
    let [parts @ .., first, second, LONG] = input else {
        return read(&String::from_utf8_lossy(input));
    };
    if input.iter().fold(0_u8, |sum, byte| sum.wrapping_add(*byte)) % 64 != 0 {
        return read(&String::from_utf8_lossy(input));
    }
    let divide = |at: u8| parts.len() * usize::from(at) / 256;
    let (start, end) = (divide(*first.min(second)), divide(*first.max(second)));
    let texts = [&parts[..start], &parts[start..end], &parts[end..]];
    let [start, middle, end] = texts.map(String::from_utf8_lossy);
    if middle.is_empty() {
        return;
    }
    let made = |length: usize| {
        let times = length.saturating_sub(start.len() + end.len()) / middle.len();
        format!("{start}{}{end}", middle.repeat(times))
    };
    check(&made(SHORT_TEXT), &made(LONG_TEXT), read);
}

/// Fails when reading the longer text takes much longer, each time that it is tried.
fn check(short: &str, long: &str, read: impl Fn(&str)) {
    let timed = |text| {
        let start = worked();
        read(text);
        worked().saturating_sub(start)
    };
    let mut taken = timed(long);
    let mut least = Duration::MAX;
    for _ in 0..10 {
        least = least.min(timed(short));
        if taken < UNNOTICED || taken < least * FACTOR {
            return;
        }
        taken = taken.min(timed(long));
    }
    panic!(
        "{} bytes take {least:?}, {} bytes {taken:?}",
        short.len(),
        long.len()
    );
}

/// How long this thread has worked. What waits on a busy machine does not work, and what
/// takes long waits more often: a clock would say that its time is not linear.
fn worked() -> Duration {
    let statistics = std::fs::read_to_string("/proc/thread-self/schedstat");
    let statistics = statistics.expect("Linux says how long a thread has run");
    let nanos = statistics.split(' ').next().map(str::parse);
    Duration::from_nanos(nanos.and_then(Result::ok).expect("nanoseconds"))
}
