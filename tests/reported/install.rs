//! What the program needs beside itself.
