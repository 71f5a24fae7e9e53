//! A cache of recently decoded values. The rows of a listing have the same keys and often
//! the same values. Those Python objects are immutable, so they can be shared.

use crate::times;
use minicbor::Decoder;
use minicbor::decode::Error;
use rustpython_vm::{
    Context, PyObjectRef, PyResult, VirtualMachine,
    builtins::{PyStrInterned, PyStrRef},
};
use std::cell::RefCell;

/// The number of slots for each kind of value.
const PLACES: usize = 64;

struct Recent<T>(RefCell<[Option<T>; PLACES]>);

thread_local! {
    static KEYS: Recent<&'static PyStrInterned> = const { Recent::new() };
    static TEXTS: Recent<PyStrRef> = const { Recent::new() };
    static TIMES: Recent<(u64, PyObjectRef)> = const { Recent::new() };
}

impl<T: Clone> Recent<T> {
    const fn new() -> Self {
        Recent(RefCell::new([const { None }; PLACES]))
    }

    /// Returns the value in this slot, if it is the right one.
    fn get(&self, place: usize, is_it: impl Fn(&T) -> bool) -> Option<T> {
        let kept = self.0.borrow();
        kept.get(place % PLACES)?
            .as_ref()
            .filter(|kept| is_it(kept))
            .cloned()
    }

    fn keep(&self, place: usize, made: T) {
        if let Some(kept) = self.0.borrow_mut().get_mut(place % PLACES) {
            // This may drop the last reference to the old value. That runs no other code.
            *kept = Some(made);
        }
    }
}

/// Decodes the next text as a key of a dict.
pub fn key(from: &mut Decoder<'_>, ctx: &Context) -> Result<&'static PyStrInterned, Error> {
    KEYS.with(|keys| {
        next(
            from,
            keys,
            |key| key.as_bytes(),
            |text| ctx.intern_str(text),
        )
    })
}

/// Decodes the next text.
pub fn text(from: &mut Decoder<'_>, ctx: &Context) -> Result<PyStrRef, Error> {
    TEXTS.with(|texts| {
        next(
            from,
            texts,
            |text| text.as_bytes(),
            |text| ctx.new_str(text),
        )
    })
}

/// Decodes the next text: returns the cached object, or caches what `make` returns.
fn next<T: Clone>(
    from: &mut Decoder<'_>,
    recent: &Recent<T>,
    bytes_of: impl Fn(&T) -> &[u8],
    make: impl FnOnce(&str) -> T,
) -> Result<T, Error> {
    let Some((bytes, end)) = short_text(from) else {
        return from.str().map(make);
    };
    let place = place(bytes);
    if let Some(known) = recent.get(place, |kept| bytes_of(kept) == bytes) {
        from.set_position(end);
        return Ok(known);
    }
    let made = make(from.str()?);
    recent.keep(place, made.clone());
    Ok(made)
}

/// An aware datetime in UTC.
pub fn datetime(seconds: f64, vm: &VirtualMachine) -> PyResult {
    let bits = seconds.to_bits();
    // The upper bits of the product depend on all bits of the number.
    let place = (bits.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 58) as usize;
    TIMES.with(|recent| {
        if let Some((_, time)) = recent.get(place, |(known, _)| *known == bits) {
            return Ok(time);
        }
        let made = times::datetime(seconds, vm)?;
        recent.keep(place, (bits, made.clone()));
        Ok(made)
    })
}

/// The bytes of the next value if it is a short text, and where it ends.
fn short_text<'b>(from: &Decoder<'b>) -> Option<(&'b [u8], usize)> {
    let (input, at) = (from.input(), from.position());
    let (start, length) = match *input.get(at)? {
        head @ 0x60..=0x77 => (at + 1, usize::from(head - 0x60)),
        0x78 => (at + 2, usize::from(*input.get(at + 1)?)),
        _ => return None,
    };
    let end = start + length;
    Some((input.get(start..end)?, end))
}

/// The slot of a text.
fn place(text: &[u8]) -> usize {
    let at = |index: usize| text.get(index).map_or(0, |byte| usize::from(*byte));
    let (length, middle) = (text.len(), text.len() / 2);
    length ^ at(0) << 1 ^ at(middle) << 2 ^ at(length.wrapping_sub(1))
}
