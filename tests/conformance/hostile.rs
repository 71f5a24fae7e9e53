//! Programs that pass nonsense.
