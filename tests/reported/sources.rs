//! Cameras, streams and folders.
