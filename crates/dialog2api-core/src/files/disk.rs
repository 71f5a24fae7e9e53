//! The disk under a file that only grows, line by line.

use crate::lock::Locked;
use std::fs::File;
use std::io::{self, Write as _};

/// A file to append to. Tests put a failing one in its place.
pub trait Disk: std::fmt::Debug + Send {
    /// The length of the file.
    fn length(&self) -> io::Result<u64>;
    /// Adds bytes at the end.
    fn add(&mut self, bytes: &[u8]) -> io::Result<()>;
    /// Returns once the bytes are on the disk.
    fn sync(&mut self) -> io::Result<()>;
    /// Cuts the file to this length.
    fn cut(&mut self, length: u64) -> io::Result<()>;
}

impl Disk for File {
    fn length(&self) -> io::Result<u64> {
        self.metadata().map(|metadata| metadata.len())
    }

    fn add(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.write_all(bytes)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.sync_data()
    }

    fn cut(&mut self, length: u64) -> io::Result<()> {
        self.set_len(length)
    }
}

impl Disk for Locked {
    fn length(&self) -> io::Result<u64> {
        (**self).length()
    }

    fn add(&mut self, bytes: &[u8]) -> io::Result<()> {
        (**self).add(bytes)
    }

    fn sync(&mut self) -> io::Result<()> {
        (**self).sync()
    }

    fn cut(&mut self, length: u64) -> io::Result<()> {
        (**self).cut(length)
    }
}
