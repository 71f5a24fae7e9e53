//! The resources of this machine, and a server's share of them.

use std::num::NonZero;

/// Tokens of context for the prompts of a long dialogue. Two requests share them: prompts
/// for programs and prompts for replies begin differently, and the server keeps both.
const CONTEXT: u32 = 24_576;

/// Tokens of context for one request.
const SMALL_CONTEXT: u32 = 12_288;

/// The tokens of context for one of the requests that share the context.
pub(super) const WINDOW: u32 = CONTEXT / 2;

/// The resources that a server may use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Machine {
    /// Cores, not hardware threads: two threads on one core slow each other down.
    pub cores: u32,
    /// Free memory in bytes, if it is known.
    pub memory: Option<u64>,
}

impl Machine {
    /// This machine. `DIALOG2API_THREADS` limits the cores on a machine with other work: a
    /// server's threads wait for each other, so one delayed thread delays all.
    pub fn this() -> Self {
        let said = std::env::var("DIALOG2API_THREADS").ok();
        let said = said
            .and_then(|text| text.trim().parse().ok())
            .filter(|cores| *cores > 0);
        let allowed = std::thread::available_parallelism().map_or(1, NonZero::get);
        let cores = num_cpus::get_physical().clamp(1, allowed);
        let memory = std::fs::read_to_string("/proc/meminfo").ok();
        Machine {
            cores: said.unwrap_or_else(|| u32::try_from(cores).unwrap_or(u32::MAX)),
            memory: memory.and_then(|text| available(&text)),
        }
    }

    /// The tokens of context that fit beside a model file of this size in bytes, and the
    /// number of requests that share them.
    pub fn context(&self, model: u64) -> (u32, u32) {
        // A token takes about 28 KiB with a model of 1.5 billion parameters, and less with a
        // smaller one.
        let needed = model + u64::from(CONTEXT) * (28 << 10) + (512 << 20);
        match self.memory {
            Some(memory) if memory < needed => (SMALL_CONTEXT, 1),
            _ => (CONTEXT, 2),
        }
    }
}

/// `MemAvailable` of `/proc/meminfo`, in bytes.
fn available(meminfo: &str) -> Option<u64> {
    let line = meminfo
        .lines()
        .find_map(|line| line.strip_prefix("MemAvailable:"))?;
    let kib: u64 = line.split_whitespace().next()?.parse().ok()?;
    kib.checked_mul(1 << 10)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_small_machine_has_a_small_context() {
        let meminfo = "MemTotal: 9 kB\nMemAvailable:    2097152 kB\n";
        let memory = available(meminfo);
        assert_eq!(memory, Some(2 << 30));
        let machine = Machine { cores: 2, memory };
        assert_eq!(machine.context(1 << 30), (SMALL_CONTEXT, 1));
        assert_eq!(machine.context(400 << 20), (CONTEXT, 2));
        let unknown = Machine {
            memory: None,
            ..machine
        };
        assert_eq!(unknown.context(1 << 40), (CONTEXT, 2));
        assert!(Machine::this().cores >= 1);
        assert_eq!(available("MemAvailable: much"), None);
    }
}
