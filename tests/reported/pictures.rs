//! Picture files, and what is printed on them.
