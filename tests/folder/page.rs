//! The page about domains of one's own: every command in it is run.
