//! Finds, reads, caches and stacks the layers.
