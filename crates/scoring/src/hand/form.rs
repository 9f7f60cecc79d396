//! The shapes of winning hands, and sets of them.

/// The shape of a winning hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Form {
    /// Four sets and a pair; five in a hand of 17 tiles.
    Sets,
    /// Seven pairs; four alike are two pairs.
    SevenPairs,
    /// One of each terminal and honor, and one more.
    ThirteenOrphans,
    /// 147, 258, 369 in the three suits, one each, four different honors and a second one of these.
    Knitted,
    /// Fourteen different tiles: five to seven honors, the others of one knitted straight.
    HonorsAndKnitted,
    /// A knitted straight (147, 258, 369 in the three suits), a set and a pair.
    KnittedStraight,
    /// Seven pairs and a pung: 17 tiles; four alike are two pairs.
    PairsAndPung,
    /// All eight flowers and seasons, the last of them the winning tile; whatever the other tiles are.
    EightFlowers,
    /// Seven pairs of terminals and honors; four alike are two pairs.
    MajorPairs,
    /// Seven pairs of equal numbers, each from the same two suits.
    KnittedPairs,
    /// Four threes of equal numbers from the three suits, and a pair of equal numbers from two of them.
    KnittedThrees,
    /// 111, 999 and 2 to 8 of one suit, one of 2 to 8 twice.
    Gates,
    /// 1 to 9 of one suit, a second 1, and the four winds.
    Snake,
    /// No complete hand: the sets of a hand that has not won, and one of its pairs. Rule sets do not list it.
    Unwon,
}

impl Form {
    /// Every form.
    pub const ALL: [Self; 13] = [
        Self::Sets,
        Self::SevenPairs,
        Self::ThirteenOrphans,
        Self::Knitted,
        Self::HonorsAndKnitted,
        Self::KnittedStraight,
        Self::PairsAndPung,
        Self::EightFlowers,
        Self::MajorPairs,
        Self::KnittedPairs,
        Self::KnittedThrees,
        Self::Gates,
        Self::Snake,
    ];

    /// Whether hands of this form have as many tiles as some number of sets and a pair.
    pub(crate) const fn fits(self, sets: u8) -> bool {
        match self {
            Self::Sets | Self::EightFlowers => true,
            Self::PairsAndPung => sets == 5,
            _ => sets == 4,
        }
    }
}

/// A set of forms.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Forms(u16);

impl Forms {
    /// No form.
    pub const NONE: Self = Self(0);
    /// Every form of a complete hand.
    pub const ALL: Self = Self((1 << Form::Unwon as u16) - 1);
    /// Every form but eight flowers, for which the tiles do not matter; hands that have not won too.
    pub const OF_TILES: Self =
        Self(Self::ALL.0 & !(1 << Form::EightFlowers as u16)).with(Form::Unwon);
    /// The flag bit: four alike are not two of seven pairs.
    const DIFFERENT_PAIRS: u16 = 1 << 15;

    /// With one more form.
    #[must_use]
    pub const fn with(self, form: Form) -> Self {
        Self(self.0 | 1 << form as u16)
    }

    /// With one form fewer.
    #[must_use]
    pub(crate) const fn without(self, form: Form) -> Self {
        Self(self.0 & !(1 << form as u16))
    }

    /// Without other forms.
    #[must_use]
    pub(crate) const fn without_all(self, forms: Self) -> Self {
        Self(self.0 & !(forms.0 & !Self::DIFFERENT_PAIRS))
    }

    /// With seven pairs, of any faces or of terminals and honors, that all differ: four alike are not
    /// two pairs.
    #[must_use]
    pub const fn with_different_pairs(self, form: Form) -> Self {
        Self(self.with(form).0 | Self::DIFFERENT_PAIRS)
    }

    /// Whether the seven pairs have to differ.
    pub(crate) const fn pairs_differ(self) -> bool {
        self.0 & Self::DIFFERENT_PAIRS != 0
    }

    /// Whether hands of some number of sets' tiles may have all of these forms.
    pub(crate) fn fit(self, sets: u8) -> bool {
        Form::ALL.iter().all(|form| !self.contains(*form) || form.fits(sets))
    }

    /// Whether it holds a form.
    pub const fn contains(self, form: Form) -> bool {
        self.0 >> form as u16 & 1 == 1
    }

    /// Whether it holds any of these forms.
    pub(crate) const fn any_of(self, forms: Self) -> bool {
        self.0 & forms.0 & !Self::DIFFERENT_PAIRS != 0
    }
}
