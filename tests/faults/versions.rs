//! Buckets that keep versions.
