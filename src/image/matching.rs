//! Bytes → declarations, settings and matches.
