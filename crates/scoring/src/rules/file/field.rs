//! The fields of a request that rule files name.

use serde::Deserialize;

use crate::rules::{Fact, each_fact};

macro_rules! fields {
    ($($group:ident { $($(#[$meaning:meta])* $name:ident: $fact:ident, $checked:ident, $label:tt;)* })*) => {
        /// Fields of a request that a rule set may use; those it does not name are ignored.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
        #[serde(rename_all = "snake_case")]
        #[non_exhaustive]
        pub enum Field {
            $($($(#[$meaning])* $fact,)*)*
            /// The least that a hand must be worth at this table
            Minimum,
            /// The player who fed a liability's last set
            Pao,
            /// The face-up indicators of the dead wall
            DoraIndicators,
            /// The indicators below them
            UraIndicators,
            /// Counters of repeated deals
            Honba,
            /// Riichi sticks on the table
            Sticks,
            /// The player who is charged for the winning tile
            Responsible,
            /// How many Norths are set aside
            North,
            /// The players who won before in this deal
            Won,
            /// The suit that the winner may not hold
            Missing,
            /// The hands of the others
            Others,
        }

        impl Field {
            /// Each field with its name in a request.
            pub const ALL: &'static [(Self, &'static str)] = &[
                $($((Self::$fact, stringify!($name)),)*)*
                (Self::Minimum, "minimum"),
                (Self::Pao, "pao"),
                (Self::DoraIndicators, "dora_indicators"),
                (Self::UraIndicators, "ura_indicators"),
                (Self::Honba, "honba"),
                (Self::Sticks, "sticks"),
                (Self::Responsible, "responsible"),
                (Self::North, "north"),
                (Self::Won, "won"),
                (Self::Missing, "missing"),
                (Self::Others, "others"),
            ];
        }

        impl From<Fact> for Field {
            fn from(fact: Fact) -> Self {
                match fact { $($(Fact::$fact => Self::$fact,)*)* }
            }
        }
    };
}
each_fact!(fields);
