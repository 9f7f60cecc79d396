//! How many photos an address may send: a bucket of tokens that fills again.

use std::{
    collections::HashMap,
    net::{IpAddr, Ipv6Addr},
    time::{Duration, Instant},
};

/// The most photos in a burst.
const AT_ONCE: f64 = 20.0;
/// The time in which one more photo is allowed.
const EACH: Duration = Duration::from_secs(1);
/// The most addresses that are remembered; those with a full bucket are forgotten first.
const MOST: usize = 4096;

/// The buckets of all clients.
#[derive(Default)]
pub(super) struct RateLimiter(HashMap<IpAddr, (f64, Instant)>);

/// The client of an address: an IPv6 client owns all addresses with its first 64 bits (RFC 6177, 7934).
pub(super) fn client(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() >> 64 << 64)),
        address => address,
    }
}

impl RateLimiter {
    /// Takes a token, or returns the time until the next one.
    pub fn take(&mut self, from: IpAddr, now: Instant) -> Result<(), Duration> {
        let from = client(from);
        let filled = |(tokens, at): (f64, Instant)| {
            let since = now.saturating_duration_since(at).as_secs_f64();
            (tokens + since / EACH.as_secs_f64()).min(AT_ONCE)
        };
        if self.0.len() >= MOST && !self.0.contains_key(&from) {
            self.0.retain(|_, bucket| filled(*bucket) < AT_ONCE);
            if self.0.len() >= MOST {
                return Err(EACH);
            }
        }
        let tokens = self.0.get(&from).map_or(AT_ONCE, |bucket| filled(*bucket));
        if tokens < 1.0 {
            self.0.insert(from, (tokens, now));
            return Err(EACH.mul_f64(1.0 - tokens));
        }
        self.0.insert(from, (tokens - 1.0, now));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use super::*;

    fn address(last: u16) -> IpAddr {
        let [high, low] = last.to_be_bytes();
        IpAddr::V4(Ipv4Addr::new(10, 0, high, low))
    }

    #[test]
    fn a_burst_is_taken_and_then_one_a_second() {
        let (mut rate, start) = (RateLimiter::default(), Instant::now());
        for _ in 0..20 {
            assert_eq!(rate.take(address(1), start), Ok(()));
        }
        assert_eq!(rate.take(address(1), start), Err(EACH));
        assert_eq!(rate.take(address(2), start), Ok(()), "others are not held up");
        let half = start + EACH / 2;
        assert_eq!(rate.take(address(1), half), Err(EACH / 2));
        assert_eq!(rate.take(address(1), start + EACH), Ok(()));
        assert!(rate.take(address(1), start + EACH).is_err());
        assert_eq!(rate.take(address(1), start + 60 * EACH), Ok(()));
    }

    #[test]
    fn a_network_of_version_6_is_one_client_and_a_mapped_address_is_that_of_version_4() {
        let (mut rate, start) = (RateLimiter::default(), Instant::now());
        let mut take = |from: &str| rate.take(from.parse().unwrap(), start);
        for last in 0..20 {
            assert_eq!(take(&format!("2001:db8:1:2:{last:x}::{last:x}")), Ok(()));
        }
        assert!(take("2001:db8:1:2:ffff::1").is_err());
        assert_eq!(take("2001:db8:1:3::1"), Ok(()), "another network");
        for _ in 0..20 {
            assert_eq!(take("::ffff:10.0.0.7"), Ok(()));
        }
        assert!(take("10.0.0.7").is_err());
        assert_eq!(take("::ffff:10.0.0.8"), Ok(()));
    }

    #[test]
    fn what_is_remembered_is_bounded() {
        let (mut rate, start) = (RateLimiter::default(), Instant::now());
        for last in 0..MOST as u16 {
            assert_eq!(rate.take(address(last), start), Ok(()));
        }
        assert_eq!(rate.take(address(60_000), start), Err(EACH), "all of them are waiting");
        assert_eq!(rate.take(address(60_000), start + 2 * EACH), Ok(()));
        assert_eq!(rate.0.len(), 1, "those that had waited long enough are forgotten");
    }
}
