//! Our own notation.

use super::{ConvertError, Converted};
use crate::hand::Reading;

pub(super) fn parse(text: &str) -> Result<Converted<Reading>, ConvertError> {
    Ok(text.parse::<Reading>()?.into())
}

#[allow(clippy::unnecessary_wraps, reason = "the other formats cannot say everything")]
pub(super) fn print(hand: &Reading) -> Result<Converted<String>, ConvertError> {
    Ok(hand.to_string().into())
}
