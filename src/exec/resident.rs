//! Keeping the memory of instances in place between programs.
//!
//! After a program wasmtime puts back the pages that it wrote and leaves them mapped;
//! but it looks at no more than 32 stretches of such pages, and gives all that comes
//! after back to the kernel, to be faulted in again by the next program. That was half
//! of a program's time. An interpreter counts references all over its heap, so it writes
//! single pages far apart: a hundred stretches. Here the smallest gaps between them are
//! written, too, with what is there, so that few and longer stretches are left.

use std::fs::File;
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::sync::{Arc, Mutex, PoisonError};

const PAGE: usize = 4096;

/// So many stretches are made of the pages that programs write; what is left of
/// wasmtime's 32 is for what only one program writes.
const STRETCHES: usize = 18;

/// So many programs are looked at, until what the next one writes is mostly known. A look
/// takes a fraction of what it saves.
const PROGRAMS: u32 = 128;

/// What to write before a program runs, learnt from the first programs.
pub struct Resident(Mutex<Learnt>);

#[derive(Default)]
struct Learnt {
    programs: u32,
    /// For each page whether a program wrote it.
    written: Vec<bool>,
    stretches: Arc<[Range<usize>]>,
}

impl Resident {
    /// `kept` says whether wasmtime keeps what was written. Where the kernel cannot tell
    /// it what that is, there is nothing to do here.
    pub fn new(kept: bool) -> Self {
        let programs = if kept { 0 } else { PROGRAMS };
        Resident(Mutex::new(Learnt {
            programs,
            ..Learnt::default()
        }))
    }

    /// Writes into each page of the stretches what is there: in the memory of a fresh
    /// instance, so that no byte of an earlier program is anywhere.
    pub fn bridge(&self, memory: &mut [u8]) {
        let stretches = self.lock().stretches.clone();
        for page in stretches.iter().cloned().flatten() {
            if let Some(byte) = memory.get_mut(page * PAGE) {
                *byte = std::hint::black_box(*byte);
            }
        }
    }

    /// Looks which pages of the snapshot's memory a program wrote, as long as there is
    /// something to learn.
    pub fn learn(&self, memory: &[u8]) {
        let mut learnt = self.lock();
        if learnt.programs == PROGRAMS {
            return;
        }
        learnt.programs += 1;
        // Where the kernel does not say, nothing is learnt, and nothing is lost.
        let Ok(written) = written(memory) else {
            learnt.programs = PROGRAMS;
            return;
        };
        let pages = written.len().max(learnt.written.len());
        learnt.written.resize(pages, false);
        for (known, new) in learnt.written.iter_mut().zip(written) {
            *known |= new;
        }
        learnt.stretches = stretches(&learnt.written).into();
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Learnt> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// For each page of a memory whether it was written since it was mapped: whether it is
/// there and no longer the page of a file (Linux, `Documentation/admin-guide/mm/pagemap.rst`).
fn written(memory: &[u8]) -> std::io::Result<Vec<bool>> {
    const PRESENT: u64 = 1 << 63;
    const OF_A_FILE: u64 = 1 << 61;
    let first = memory.as_ptr().addr() / PAGE;
    let mut entries = vec![0; memory.len() / PAGE * 8];
    File::open("/proc/self/pagemap")?.read_exact_at(&mut entries, first as u64 * 8)?;
    let (entries, _) = entries.as_chunks();
    let entries = entries.iter().map(|entry| u64::from_ne_bytes(*entry));
    Ok(entries
        .map(|entry| entry & (PRESENT | OF_A_FILE) == PRESENT)
        .collect())
}

/// The stretches that are left when the smallest gaps between written pages are filled.
fn stretches(written: &[bool]) -> Vec<Range<usize>> {
    let mut stretches: Vec<Range<usize>> = Vec::new();
    for (page, _) in written.iter().enumerate().filter(|(_, written)| **written) {
        match stretches.last_mut() {
            Some(last) if last.end == page => last.end = page + 1,
            _ => stretches.push(page..page + 1),
        }
    }
    let next = stretches.iter().skip(1);
    let gaps = stretches
        .iter()
        .zip(next)
        .map(|(one, next)| next.start - one.end);
    let mut gaps: Vec<usize> = gaps.collect();
    gaps.sort_unstable_by(|a, b| b.cmp(a));
    // This gap and all that are no larger are filled.
    let Some(&filled) = gaps.get(STRETCHES - 1) else {
        return stretches;
    };
    let mut merged: Vec<Range<usize>> = Vec::new();
    for stretch in stretches {
        match merged.last_mut() {
            Some(last) if stretch.start - last.end <= filled => last.end = stretch.end,
            _ => merged.push(stretch),
        }
    }
    merged
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_written_once_it_is_no_longer_a_files() {
        let mut memory = vec![0_u8; 9 * PAGE];
        memory[4 * PAGE] = 1;
        // The first and the last page may be shared with others.
        let written = written(&memory).expect("Linux says it");
        assert_eq!(written.len(), 9);
        assert!(written[3] || written[4], "{written:?}");
    }

    #[test]
    fn the_smallest_gaps_are_filled() {
        let mut written = vec![false; 1000];
        assert!(stretches(&written).is_empty());
        for page in (0..STRETCHES).map(|i| i * 50) {
            written[page] = true;
        }
        assert_eq!(stretches(&written).len(), STRETCHES, "none too many");
        for page in [2, 4, 12, 53] {
            written[page] = true;
        }
        let merged = stretches(&written);
        assert_eq!(merged.len(), STRETCHES);
        assert_eq!(merged[..2], [0..13, 50..54]);
    }
}
