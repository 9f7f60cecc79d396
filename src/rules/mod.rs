//! What a hand is worth and who pays: rule sets as data, patterns as predicates.
