//! A recording that is being written.

use super::Texts;
use crate::files::AppendLog;
use crate::llm::{Completion, Request};
use crate::lock::Locked;
use std::io;

/// A recording that is being written. A write that fails leaves the file as it was.
#[derive(Debug)]
pub(in crate::llm) struct Writer {
    file: AppendLog,
    /// The texts that are in the file.
    texts: Texts,
}

impl Writer {
    /// Writes behind the lines of this length of a file, which define these texts. The file is open
    /// to append.
    pub(in crate::llm) fn new(file: Locked, whole: usize, texts: Texts) -> io::Result<Self> {
        Ok(Writer {
            file: AppendLog::after(Box::new(file), whole as u64)?,
            texts,
        })
    }

    /// Adds an exchange, and the texts that are new in it.
    pub(in crate::llm) fn add(
        &mut self,
        model: (&str, Option<&str>),
        request: &Request,
        completion: &Completion,
    ) -> io::Result<()> {
        let encoded = self.texts.encode(model, request, completion)?;
        self.append(&encoded.lines)?;
        // Later lines must not refer to texts that were not written.
        self.texts.keep(encoded.texts);
        Ok(())
    }

    /// Adds all of `lines`, or nothing.
    pub(in crate::llm) fn append(&mut self, lines: &str) -> io::Result<()> {
        self.file.append(lines.as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Recording, header};
    use super::*;
    use crate::files::Disk;
    use crate::llm::{Message, Role, Usage};
    use std::ops::Range;
    use std::path::Path;
    use std::sync::{Arc, Mutex, MutexGuard};

    /// A disk in memory. Some of its operations fail, counted from 0.
    #[derive(Debug)]
    struct Failing {
        bytes: Arc<Mutex<Vec<u8>>>,
        operations: usize,
        faults: Range<usize>,
    }

    impl Failing {
        fn operate(&mut self) -> io::Result<()> {
            let number = self.operations;
            self.operations += 1;
            match self.faults.contains(&number) {
                true => Err(io::Error::other("a bad disk")),
                false => Ok(()),
            }
        }

        fn bytes(&self) -> MutexGuard<'_, Vec<u8>> {
            self.bytes.lock().expect("no panic before")
        }
    }

    impl Disk for Failing {
        fn length(&self) -> io::Result<u64> {
            Ok(self.bytes().len() as u64)
        }

        /// Half of the bytes are written before it fails.
        fn add(&mut self, bytes: &[u8]) -> io::Result<()> {
            let done = self.operate();
            let length = match done {
                Ok(()) => bytes.len(),
                Err(_) => bytes.len() / 2,
            };
            self.bytes().extend_from_slice(&bytes[..length]);
            done
        }

        fn sync(&mut self) -> io::Result<()> {
            self.operate()
        }

        fn cut(&mut self, length: u64) -> io::Result<()> {
            self.operate()?;
            self.bytes().truncate(length as usize);
            Ok(())
        }
    }

    /// An empty recording, some of whose operations fail, and its bytes.
    fn writer(faults: Range<usize>) -> (Writer, Arc<Mutex<Vec<u8>>>) {
        let bytes = Arc::new(Mutex::new(header().into_bytes()));
        let disk = Failing {
            bytes: bytes.clone(),
            operations: 0,
            faults,
        };
        let begun = header().len() as u64;
        let writer = Writer {
            file: AppendLog::after(Box::new(disk), begun).expect("nothing is written"),
            texts: Texts::default(),
        };
        (writer, bytes)
    }

    /// Adds an exchange whose prompt has the same long paragraph as all others.
    fn add(writer: &mut Writer, number: usize) -> io::Result<()> {
        let shared = "The instructions are in every prompt and are written once. ".repeat(2);
        let request = Request {
            messages: vec![Message {
                role: Role::User,
                content: format!("{shared}\n\nRequest {number}"),
            }],
            max_tokens: 64,
            temperature: 0.0,
            stop: Vec::new(),
            seed: None,
            grammar: None,
        };
        let completion = Completion {
            text: number.to_string(),
            finish: None,
            usage: Usage::default(),
        };
        writer.add(("test", None), &request, &completion)
    }

    fn read(bytes: &Mutex<Vec<u8>>) -> Recording {
        let bytes = bytes.lock().expect("no panic before");
        Recording::parse(&bytes, Path::new("FILE")).expect("a recording")
    }

    fn answers(recording: &Recording) -> Vec<String> {
        let exchanges = recording.exchanges.iter();
        exchanges
            .map(|exchange| exchange.completion.text.clone())
            .collect()
    }

    #[test]
    fn a_recording_on_a_disk_that_fails_for_a_while_has_what_was_kept() {
        // Enough for the last one to be kept whatever failed before.
        const EXCHANGES: usize = 10;
        for first in 0..8 {
            for count in 0..4 {
                let (mut writer, bytes) = writer(first..first + count);
                let mut kept = Vec::new();
                for number in 0..EXCHANGES {
                    if add(&mut writer, number).is_ok() {
                        kept.push(number.to_string());
                    }
                }
                let recording = read(&bytes);
                let case = format!("{count} faults from operation {first} on");
                assert_eq!(answers(&recording), kept, "{case}");
                assert_eq!(recording.cut_off, None, "{case}");
                let last = (EXCHANGES - 1).to_string();
                assert_eq!(kept.last(), Some(&last), "{case}");
                assert_eq!(kept.len() == EXCHANGES, count == 0, "{case}");
            }
        }
    }

    #[test]
    fn a_partial_line_does_not_swallow_the_next() {
        // Neither the line can be written nor its first half removed.
        let (mut writer, bytes) = writer(0..2);
        assert!(add(&mut writer, 0).is_err());
        let torn = bytes.lock().expect("no panic before").clone();
        assert!(!torn.ends_with(b"\n"), "half of a line is there");
        add(&mut writer, 1).expect("a sound disk");
        let recording = read(&bytes);
        assert_eq!(answers(&recording), ["1"]);
        assert_eq!(recording.cut_off, None);
    }
}
