//! This machine's addresses in the networks that it is in, the one that a phone most likely reaches first.

use std::net::{IpAddr, Ipv4Addr};

/// Prefixes of interface names of tunnels, bridges and virtual networks, which phones cannot reach. `br0` is not among
/// them: it has the address of a machine that shares its network card with virtual machines.
const VIRTUAL: &str = "awdl br- bridge cali cilium cloudflarewarp cni docker dummy flannel gif ham ifb incus ipsec kube \
                       llw lxc lxd mullvad nebula nordlynx nordtun openvpn podman ppp proton sit stf tailscale tap \
                       tun utun vboxnet veth vethernet virbr vmnet vnet wg wireguard wpan zt";

/// An address of this machine, and the interface that has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OwnAddress {
    /// The address.
    pub ip: Ipv4Addr,
    /// The name of the interface, such as `eth0`.
    pub interface: String,
    /// The interface is that of a tunnel (a VPN) or of virtual machines: a phone does not reach it.
    pub is_virtual: bool,
}

impl OwnAddress {
    fn new(interface: &str, ip: Ipv4Addr) -> Self {
        let name = interface.to_ascii_lowercase();
        let is_virtual = VIRTUAL.split_whitespace().any(|start| name.starts_with(start));
        Self { ip, interface: interface.to_owned(), is_virtual }
    }

    /// A sort key, lowest for the address that a phone most likely reaches; `usual` is the address from which this
    /// machine reaches other networks.
    fn unlikeliness(&self, usual: Option<Ipv4Addr>) -> (bool, u8, bool) {
        let network = match self.ip {
            ip if ip.is_private() => 0,
            // Without a router each machine assigns itself an address.
            ip if ip.is_link_local() => 2,
            _ => 1,
        };
        (self.is_virtual, network, Some(self.ip) != usual)
    }
}

/// All addresses of this machine except loopback, the likeliest for phones first.
#[must_use]
pub fn own_addresses() -> Vec<OwnAddress> {
    // Where the interfaces cannot be listed, the address to other networks is still known.
    let usual = match local_ip_address::local_ip() {
        Ok(IpAddr::V4(ip)) => Some(ip),
        _ => None,
    };
    let listed = local_ip_address::list_afinet_netifas().unwrap_or_default();
    let listed = listed.into_iter().filter_map(|(interface, ip)| match ip {
        IpAddr::V4(ip) => Some(OwnAddress::new(&interface, ip)),
        IpAddr::V6(_) => None,
    });
    ranked(listed.collect(), usual)
}

fn ranked(mut addresses: Vec<OwnAddress>, usual: Option<Ipv4Addr>) -> Vec<OwnAddress> {
    addresses.retain(|address| !address.ip.is_loopback() && !address.ip.is_unspecified());
    if let Some(ip) = usual
        && !ip.is_loopback()
        && addresses.iter().all(|address| address.ip != ip)
    {
        addresses.push(OwnAddress::new("", ip));
    }
    addresses.sort_by_key(|address| address.unlikeliness(usual));
    addresses
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(usual: [u8; 4], interfaces: &[(&str, [u8; 4])]) -> Vec<String> {
        let addresses = interfaces.iter().map(|(name, ip)| OwnAddress::new(name, (*ip).into()));
        let ranked = ranked(addresses.collect(), Some(usual.into()));
        ranked.into_iter().map(|address| address.interface).collect()
    }

    #[test]
    fn a_network_that_phones_are_in_goes_before_tunnels_and_virtual_ones() {
        let interfaces = [
            ("lo", [127, 0, 0, 1]),
            ("docker0", [172, 17, 0, 1]),
            ("br-1f2e", [172, 18, 0, 1]),
            ("tun0", [10, 8, 0, 2]),
            ("wlan0", [192, 168, 1, 20]),
            ("virbr0", [192, 168, 122, 1]),
        ];
        // All goes through the tunnel.
        assert_eq!(order([10, 8, 0, 2], &interfaces)[0], "wlan0");
        assert_eq!(order([10, 8, 0, 2], &interfaces).len(), 5, "but loopback");
        for tunnel in ["wg0", "utun3", "tailscale0", "zt5u4y", "tap0", "ppp0", "vEthernet (WSL)"] {
            let interfaces = [(tunnel, [10, 0, 0, 1]), ("Wi-Fi", [192, 168, 1, 20])];
            assert_eq!(order([10, 0, 0, 1], &interfaces), ["Wi-Fi", tunnel]);
        }
    }

    #[test]
    fn of_several_networks_the_one_to_the_outside_comes_first() {
        let interfaces = [("eth0", [192, 168, 7, 2]), ("wlan0", [192, 168, 1, 20])];
        assert_eq!(order([192, 168, 1, 20], &interfaces), ["wlan0", "eth0"]);
        let bridged = [("eth1", [169, 254, 3, 3]), ("br0", [10, 0, 0, 5]), ("eth0", [8, 8, 8, 8])];
        assert_eq!(order([8, 8, 8, 8], &bridged), ["br0", "eth0", "eth1"]);
        assert_eq!(order([10, 8, 0, 2], &[("tun0", [10, 8, 0, 2])]), ["tun0"], "better than none");
    }
}
