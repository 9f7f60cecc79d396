//! Ledgers: what is copied, cut off, damaged, read-only or on a share.
