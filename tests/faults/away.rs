//! A server that stays away stops an apply, which is gone on with from its journal.
