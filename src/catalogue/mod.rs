//! The embedded layer.
