//! The allocator. It has two heaps: one for the snapshot, one for the program.
//!
//! A fresh instance shares the snapshot's memory until it writes to it. The first write
//! to a page copies the page. A program that allocated in the gaps of the snapshot would
//! write to pages all over it. So the program has a heap of its own, where its blocks lie
//! close together. Blocks of the snapshot that a program frees are not reused.
//!
//! The program's heap lies at lower addresses than the snapshot's. After each program,
//! wasmtime restores the first runs of written pages by copying, and returns the rest to
//! the kernel. The kernel brings those pages back one page fault at a time. So the pages
//! that every program writes to should be among the first.

use dlmalloc::Dlmalloc;
use std::alloc::{GlobalAlloc, Layout};
use std::cell::{Cell, UnsafeCell};

/// The size in bytes of the program's heap inside the snapshot's memory. Few programs
/// need more. Pages in here, once they were used, are copied back after every later
/// program. What grows beyond this size is returned to the system after the program.
const ROOM: usize = 1 << 20;

/// The size of a page of WebAssembly memory, in bytes.
const WASM_PAGE: usize = 64 << 10;

struct Heap {
    snapshot: UnsafeCell<Dlmalloc>,
    program: UnsafeCell<Dlmalloc>,
    /// Where the program's heap begins.
    room: Cell<usize>,
    /// The end of the snapshot, or 0 before the snapshot is taken.
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

/// Reserves the program's heap. Called before anything is allocated for the snapshot.
pub fn reserve() {
    // SAFETY: one thread, and no reference into either heap is alive.
    unsafe {
        let program = &mut *HEAP.program.get();
        let room = program.malloc(ROOM, 16);
        assert!(!room.is_null(), "there is no room for programs");
        program.free(room, ROOM, 16);
        HEAP.room.set(room as usize);
    }
}

/// Ends the snapshot: from here on, allocations belong to the program.
pub fn end_of_snapshot() {
    let pages = core::arch::wasm32::memory_size::<0>();
    HEAP.end.set(pages.saturating_mul(WASM_PAGE));
}

/// Whether an address belongs to the snapshot, and not to the program.
pub fn is_of_snapshot(address: *const u8) -> bool {
    let (address, room) = (address as usize, HEAP.room.get());
    address < HEAP.end.get() && !(room..room + ROOM).contains(&address)
}

impl Heap {
    fn is_closed(&self) -> bool {
        self.end.get() != 0
    }

    /// The heap that allocations come from now.
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
        // SAFETY: one thread, and no reference into the heap is alive.
        unsafe { &mut *part.get() }
    }
}

// SAFETY: both heaps are dlmalloc, which is an allocator. A block is freed to the heap
// that it came from, or it stays allocated.
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
        // SAFETY: as for the caller; the block belongs to the current heap.
        unsafe { self.current().free(address, layout.size(), layout.align()) }
    }

    unsafe fn realloc(&self, address: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as for the caller. A block of the snapshot is copied and never freed.
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
