//! The id of a scored item in a log.

use std::{borrow::Cow, collections::HashSet, ops::Deref, sync::LazyLock};

use schemars::JsonSchema;
use serde::{Deserialize, Deserializer, Serialize};

use crate::rules::RuleSet;

/// An item's id. Those of presets take no memory: a long log names a few of them over and over.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(transparent)]
pub struct ItemId(Cow<'static, str>);

impl ItemId {
    /// The ids of all presets' items.
    fn of_presets() -> &'static HashSet<&'static str> {
        static KNOWN: LazyLock<HashSet<&'static str>> =
            LazyLock::new(|| RuleSet::presets().flat_map(RuleSet::item_ids).collect());
        &KNOWN
    }
}

impl From<&str> for ItemId {
    fn from(id: &str) -> Self {
        let known = Self::of_presets().get(id);
        Self(known.map_or_else(|| Cow::Owned(id.to_owned()), |id| Cow::Borrowed(*id)))
    }
}

impl Deref for ItemId {
    type Target = str;

    fn deref(&self) -> &str {
        &self.0
    }
}

impl<'de> Deserialize<'de> for ItemId {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Id;
        impl serde::de::Visitor<'_> for Id {
            type Value = ItemId;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an item's id")
            }
            fn visit_str<E: serde::de::Error>(self, id: &str) -> Result<ItemId, E> {
                Ok(id.into())
            }
        }
        deserializer.deserialize_str(Id)
    }
}
