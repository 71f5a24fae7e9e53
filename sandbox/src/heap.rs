//! The heap, in two parts: what is allocated until the snapshot is taken, and what
//! a program allocates.
//!
//! A fresh instance shares the snapshot's memory until it writes to it, and every
//! page that it writes is copied first. A program that allocated in the gaps of the
//! snapshot would write to pages all over it; so it allocates in a part of its own,
//! where everything lies together, and leaves what it frees of the snapshot alone.
//!
//! That part lies before the snapshot's: after a program, wasmtime copies the first
//! stretches of written pages back and gives the rest to the kernel, which brings them in
//! again one fault at a time. What every program writes is to be among the first.

use dlmalloc::Dlmalloc;
use std::alloc::{GlobalAlloc, Layout};
use std::cell::{Cell, UnsafeCell};

/// A program's part has this much room inside of the snapshot's memory, bytes: few programs
/// need more. What grows beyond it is given back to the system after the program, while
/// the pages in here, once used, are copied back after each that follows.
const ROOM: usize = 1 << 20;

/// A page of a WebAssembly memory, bytes.
const WASM_PAGE: usize = 64 << 10;

struct Heap {
    snapshot: UnsafeCell<Dlmalloc>,
    program: UnsafeCell<Dlmalloc>,
    /// Where the program's part begins.
    room: Cell<usize>,
    /// Where the snapshot ends; as long as there is none, nowhere.
    end: Cell<usize>,
}

// SAFETY: the guest has one thread.
unsafe impl Sync for Heap {}

#[global_allocator]
static HEAP: Heap = Heap {
    snapshot: UnsafeCell::new(Dlmalloc::new()),
    program: UnsafeCell::new(Dlmalloc::new()),
    room: Cell::new(0),
    end: Cell::new(0),
};

/// Sets the programs' part apart. Called before anything is allocated for the snapshot.
pub fn reserve() {
    // SAFETY: one thread, and no reference into either part is alive.
    unsafe {
        let program = &mut *HEAP.program.get();
        let room = program.malloc(ROOM, 16);
        assert!(!room.is_null(), "there is no room for programs");
        program.free(room, ROOM, 16);
        HEAP.room.set(room as usize);
    }
}

/// From here on, programs allocate.
pub fn end_of_snapshot() {
    let pages = core::arch::wasm32::memory_size::<0>();
    HEAP.end.set(pages.saturating_mul(WASM_PAGE));
}

/// Whether this is the snapshot's, and not a program's.
pub fn is_of_snapshot(address: *const u8) -> bool {
    let (address, room) = (address as usize, HEAP.room.get());
    address < HEAP.end.get() && !(room..room + ROOM).contains(&address)
}

impl Heap {
    fn is_closed(&self) -> bool {
        self.end.get() != 0
    }

    /// The part that allocates now.
    #[allow(
        clippy::mut_from_ref,
        reason = "the guest has one thread, and no borrow outlives a call"
    )]
    unsafe fn current(&self) -> &mut Dlmalloc {
        let part = if self.is_closed() {
            &self.program
        } else {
            &self.snapshot
        };
        // SAFETY: one thread, and no reference into the part is alive.
        unsafe { &mut *part.get() }
    }
}

// SAFETY: both parts are dlmalloc's, which is an allocator; a block goes back to the
// part that it came from, or stays allocated.
unsafe impl GlobalAlloc for Heap {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as for the caller.
        unsafe { self.current().malloc(layout.size(), layout.align()) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as for the caller.
        unsafe { self.current().calloc(layout.size(), layout.align()) }
    }

    unsafe fn dealloc(&self, address: *mut u8, layout: Layout) {
        if is_of_snapshot(address) {
            return;
        }
        // SAFETY: as for the caller; the block is of the current part.
        unsafe { self.current().free(address, layout.size(), layout.align()) }
    }

    unsafe fn realloc(&self, address: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as for the caller. A block of the snapshot is copied and left.
        unsafe {
            if !is_of_snapshot(address) {
                return self
                    .current()
                    .realloc(address, layout.size(), layout.align(), size);
            }
            let moved = self.current().malloc(size, layout.align());
            if !moved.is_null() {
                std::ptr::copy_nonoverlapping(address, moved, layout.size().min(size));
            }
            moved
        }
    }
}
