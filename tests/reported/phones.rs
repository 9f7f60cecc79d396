//! Phones, tokens and addresses.
