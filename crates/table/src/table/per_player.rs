//! A value for each of the three or four players of a table, in their order, stored inline: a long
//! log holds a hundred thousand of them.

use std::{borrow::Cow, fmt, ops::Deref};

use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

/// The most players at a table.
const MOST: usize = 4;

/// A value for each of up to four players; reads as a slice.
///
/// ```
/// use tilelens_table::table::PerPlayer;
/// let three: PerPlayer<i32> = [20, -10, -10].into_iter().collect();
/// assert_eq!((three.len(), three.iter().sum::<i32>()), (3, 0));
/// ```
#[derive(Clone, Copy)]
pub struct PerPlayer<T> {
    each: [T; MOST],
    seated: u8,
}

impl<T: Default> Default for PerPlayer<T> {
    fn default() -> Self {
        Self { each: Default::default(), seated: 0 }
    }
}

impl<T> Deref for PerPlayer<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        &self.each[..usize::from(self.seated)]
    }
}

impl<T: Default> FromIterator<T> for PerPlayer<T> {
    /// Takes the first four of more.
    fn from_iter<I: IntoIterator<Item = T>>(all: I) -> Self {
        let mut players = Self::default();
        for (place, one) in players.each.iter_mut().zip(all) {
            *place = one;
            players.seated += 1;
        }
        players
    }
}

impl<'a, T> IntoIterator for &'a PerPlayer<T> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<T: PartialEq> PartialEq for PerPlayer<T> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: Eq> Eq for PerPlayer<T> {}

impl<T: fmt::Debug> fmt::Debug for PerPlayer<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self).finish()
    }
}

impl<T: JsonSchema> JsonSchema for PerPlayer<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        Vec::<T>::schema_name()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let mut each = Vec::<T>::json_schema(generator);
        each.insert("maxItems".to_owned(), MOST.into());
        each
    }
}

impl<T: Serialize> Serialize for PerPlayer<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (**self).serialize(serializer)
    }
}

impl<'de, T: Default + Deserialize<'de>> Deserialize<'de> for PerPlayer<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Each<T>(std::marker::PhantomData<T>);
        impl<'de, T: Default + Deserialize<'de>> serde::de::Visitor<'de> for Each<T> {
            type Value = PerPlayer<T>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("one of each for up to four players")
            }
            fn visit_seq<A: serde::de::SeqAccess<'de>>(
                self,
                mut all: A,
            ) -> Result<PerPlayer<T>, A::Error> {
                let mut players = PerPlayer::default();
                while let Some(one) = all.next_element()? {
                    let place = players.each.get_mut(usize::from(players.seated));
                    *place.ok_or_else(|| A::Error::invalid_length(MOST + 1, &self))? = one;
                    players.seated += 1;
                }
                Ok(players)
            }
        }
        deserializer.deserialize_seq(Each(std::marker::PhantomData))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_or_four_are_read_and_no_more() {
        for text in ["[]", "[1,-1,0]", "[1,2,3,-6]"] {
            let read: PerPlayer<i32> = serde_json::from_str(text).unwrap();
            assert_eq!(serde_json::to_string(&read).unwrap(), text);
        }
        assert!(serde_json::from_str::<PerPlayer<i32>>("[1,2,3,4,5]").is_err());
    }
}
