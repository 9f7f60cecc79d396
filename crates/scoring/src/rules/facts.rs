//! The facts of a win that are true or false, in one table. The fields of requests and rule files, circumstances, the
//! winners of a table, command arguments and the boxes of pages follow from it: a new fact is a line here, the pattern that
//! it makes, and the rule files that count it.

/// Hands the table to a macro. The facts are in three groups: those of a deal, which several winners on one tile share;
/// those of each winner; and those of a hand alone, since no rule set that counts them is kept at tables. Each has its
/// meaning, its name, whether it is checked in every rule set or only where it counts, and the label of its box in each
/// language.
#[doc(hidden)]
#[macro_export]
macro_rules! each_fact {
    ($make:ident) => {
        $make! {
            deal {
                /// On the last tile of the wall, or on the last discard
                last_tile: LastTile, Everywhere,
                ["last tile", "sidste brik", "letzter Stein", "最後の牌", "最后一张牌"];
                /// On a supplement tile
                supplement: Supplement, Everywhere,
                ["supplement tile", "erstatningsbrik", "Ersatzstein", "嶺上牌", "补牌"];
                /// On the supplement of the second kong of one turn
                kong_on_kong: KongOnKong, Everywhere,
                ["kong on kong", "kong på kong", "Kong auf Kong", "連続槓", "杠上杠"];
                /// Heavenly or Earthly hand
                first_turn: FirstTurn, Everywhere,
                ["first turn", "første tur", "erste Runde", "第一巡", "第一巡"];
                /// The other three copies of the winning tile were visible to all (chumchu)
                last_visible: LastVisible, Everywhere,
                ["other three visible", "de tre andre er synlige", "die drei anderen sichtbar", "残り3枚が見えている", "其余三张已现"];
                /// Self-drawn on the winner's first draw, with no claim and no kong before
                first_draw: FirstDraw, WhereCounted,
                ["first draw", "første træk", "erster Zug", "第一ツモ", "第一次摸牌"];
                /// The winner had declared a ready hand before his first discard, and kept it (classical)
                original_call: OriginalCall, WhereCounted,
                ["original call", "oprindelig melding", "ursprünglicher Ruf", "天聴", "天听"];
                /// East's ninth win in a row (classical)
                ninth_east_win: NinthEastWin, WhereCounted,
                ["ninth East win", "niende sejr i træk som Øst", "neunter Sieg in Folge als Ost", "東家九連勝", "庄家九连胜"];
                /// On the discard that followed the giver's kong (sichuan)
                kong_discard: KongDiscard, WhereCounted,
                ["kong discard", "afkast efter en kong", "Abwurf nach einem Kong", "槓上砲", "杠上炮"];
            }
            winner {
                /// Riichi was declared (riichi, riichi-ema)
                riichi: Riichi, WhereCounted,
                ["riichi", "riichi", "Riichi", "立直", "立直"];
                /// Riichi was declared in the first go-around, or a ready hand with the first discard (taiwan)
                double_riichi: DoubleRiichi, WhereCounted,
                ["double riichi", "dobbelt riichi", "Doppel-Riichi", "ダブル立直", "两立直"];
                /// Within the first go-around after riichi, with no claim and no kong since
                ippatsu: Ippatsu, WhereCounted,
                ["ippatsu", "ippatsu", "Ippatsu", "一発", "一发"];
            }
            hand {
                /// The winning discard was a safe tile (chumchu)
                safe: Safe, Everywhere,
                ["safe tile", "sikker brik", "sicherer Stein", "安全牌", "安全牌"];
            }
        }
    };
}
pub use each_fact;

macro_rules! fact_enum {
    ($($group:ident { $($(#[$meaning:meta])* $name:ident: $fact:ident, $checked:ident, $label:tt;)* })*) => {
        /// A fact of a win that is true or false.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Fact {
            $($($(#[$meaning])* $fact,)*)*
        }

        impl Fact {
            /// All of them.
            pub const ALL: &'static [Self] = &[$($(Self::$fact,)*)*];

            /// Its name in requests and rule files.
            pub const fn name(self) -> &'static str {
                match self { $($(Self::$fact => stringify!($name),)*)* }
            }

            /// Its label on pages, in the order of [`LANGUAGES`](crate::words::LANGUAGES).
            pub const fn label(self) -> [&'static str; 5] {
                match self { $($(Self::$fact => $label,)*)* }
            }

            /// Whether contradictions of it are reported in every rule set, not only where it counts.
            const fn is_checked_everywhere(self) -> bool {
                match self { $($(Self::$fact => matches!(Checked::$checked, Checked::Everywhere),)*)* }
            }
        }
    };
}
each_fact!(fact_enum);

/// Where a fact is checked for contradictions.
enum Checked {
    Everywhere,
    WhereCounted,
}

/// Facts that are true.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Facts(u32);

impl Facts {
    /// No fact.
    pub const NONE: Self = Self(0);

    /// The facts for which a question is answered by yes.
    pub fn of(is: impl Fn(Fact) -> bool) -> Self {
        Fact::ALL.iter().fold(Self::NONE, |facts, fact| facts.with(*fact, is(*fact)))
    }

    /// These, and the facts that are checked in every rule set.
    pub(super) fn or_checked_everywhere(self) -> Self {
        Self::of(|fact| self.has(fact) || fact.is_checked_everywhere())
    }

    /// These with one more, if it is true.
    #[must_use]
    pub const fn with(self, fact: Fact, is: bool) -> Self {
        Self(self.0 | (is as u32) << fact as u32)
    }

    /// Whether a fact is among them.
    pub const fn has(self, fact: Fact) -> bool {
        self.0 >> fact as u32 & 1 == 1
    }

    /// Those of them that are among others.
    #[must_use]
    pub const fn among(self, others: Self) -> Self {
        Self(self.0 & others.0)
    }
}

/// Implements reading and setting the facts that a struct has as fields.
#[doc(hidden)]
#[macro_export]
macro_rules! has_facts {
    ($of:ident: $($name:ident $fact:ident)*) => {
        impl $of {
            /// The facts that are true.
            pub const fn facts(&self) -> $crate::rules::Facts {
                $crate::rules::Facts::NONE$(.with($crate::rules::Fact::$fact, self.$name))*
            }

            /// The same with these facts.
            #[must_use]
            pub fn with_facts(self, facts: $crate::rules::Facts) -> Self {
                Self { $($name: facts.has($crate::rules::Fact::$fact),)* ..self }
            }
        }
    };
}
pub use has_facts;
