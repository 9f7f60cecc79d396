//! Passwords in addresses.
