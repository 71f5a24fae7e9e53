//! What answers repeat: the keys of a listing's rows are the same in each, most of the
//! values too, and the objects made of them never change. So the one that came last is
//! kept for each of a few places, and given again.

use crate::times;
use minicbor::Decoder;
use minicbor::decode::Error;
use rustpython_vm::{
    Context, PyObjectRef, PyResult, VirtualMachine,
    builtins::{PyStrInterned, PyStrRef},
};
use std::cell::RefCell;

/// So many are kept of each kind.
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

    /// What was kept at this place, if it is the one.
    fn get(&self, place: usize, is_it: impl Fn(&T) -> bool) -> Option<T> {
        let kept = self.0.borrow();
        kept.get(place % PLACES)?
            .as_ref()
            .filter(|kept| is_it(kept))
            .cloned()
    }

    fn keep(&self, place: usize, made: T) {
        if let Some(kept) = self.0.borrow_mut().get_mut(place % PLACES) {
            // What stood there may have been its last reference; nothing runs at its end.
            *kept = Some(made);
        }
    }
}

/// The next text, as a key of a dict.
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

/// The next text.
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

/// The object of the next text: the one that is kept, or what `make` makes.
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
    // The upper bits of the product hang on all of the number's.
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

/// The bytes of the next value if that is a short text, and where it ends.
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

/// Where a text is kept.
fn place(text: &[u8]) -> usize {
    let at = |index: usize| text.get(index).map_or(0, |byte| usize::from(*byte));
    let (length, middle) = (text.len(), text.len() / 2);
    length ^ at(0) << 1 ^ at(middle) << 2 ^ at(length.wrapping_sub(1))
}
