//! Checked rulebooks → bytes.
