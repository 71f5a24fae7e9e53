//! Converts seconds since 1970 to Python's datetime.

use crate::interpreter::handle;
use rustpython_vm::{PyObjectRef, PyResult, VirtualMachine};

/// An aware datetime in UTC: `datetime.datetime(year, …, tzinfo=utc)`.
pub fn datetime(seconds: f64, vm: &VirtualMachine) -> PyResult {
    let micros = (seconds * 1e6).round_ties_even() as i64;
    let (seconds, micros) = (micros.div_euclid(1_000_000), micros.rem_euclid(1_000_000));
    let (day, second) = (seconds.div_euclid(86_400), seconds.rem_euclid(86_400));
    let (year, month, day) = date(day);
    let (hour, minute, second) = (second / 3600, second / 60 % 60, second % 60);
    let parts = [year, month, day, hour, minute, second, micros];
    let mut arguments: Vec<PyObjectRef> = Vec::with_capacity(8);
    arguments.extend(parts.map(|part| vm.ctx.new_int(part).into()));
    arguments.push(handle(|handles| &handles.utc));
    handle(|handles| &handles.datetime).call(arguments, vm)
}

/// Year, month and day of a day since 1970, in the proleptic Gregorian calendar (Howard
/// Hinnant, "chrono-Compatible Low-Level Date Algorithms", `civil_from_days`).
fn date(day: i64) -> (i64, i64, i64) {
    // Days since 1 March of the year 0: leap days then come last in a year.
    let day = day + 719_468;
    let (era, day) = (day.div_euclid(146_097), day.rem_euclid(146_097));
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, later) = match month {
        0..=9 => (month + 3, 0),
        _ => (month - 9, 1),
    };
    (era * 400 + year + later, month, day)
}
