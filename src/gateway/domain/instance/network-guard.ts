import { BlockList, isIP } from "node:net";
import type { AddressRule } from "../context.ts";

/** Who chose an address: the admin (a provider, a destination) or a caller (an image's URL). */
export type SetBy = "admin" | "caller";

/** What `GATEHOUSE_PRIVATE_NETWORKS` says: every private network, none, or those listed. */
export type PrivateNetworks = "allow" | "deny" | readonly string[];

/** Link-local, multicast, and the addresses at which clouds hand out credentials. Never connected to. */
const never = blockList([
  "169.254.0.0/16", // link-local; metadata of AWS, Azure, Google, DigitalOcean …
  "fe80::/10",
  "fd00:ec2::254/128", // AWS metadata over IPv6
  "fd20:ce::254/128", // Google metadata over IPv6
  "100.100.100.200/32", // Alibaba metadata
  "168.63.129.16/32", // Azure's host
  "192.0.0.192/32", // Oracle metadata
  "224.0.0.0/4",
  "ff00::/8",
  "255.255.255.255/32",
  "64:ff9b::a9fe:0/112", // NAT64 and 6to4 forms of 169.254/16
  "2002:a9fe::/32",
]);

/** Not on the public internet: IANA's special-purpose registries for IPv4 and IPv6. */
const privateRanges = blockList([
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "240.0.0.0/4",
  "::/128",
  "::1/128",
  "64:ff9b::/96",
  "100::/64",
  "2001:db8::/32",
  "2002::/16",
  "fc00::/7",
  "fec0::/10",
]);

/**
 * The rule for one kind of address. An admin's may be private as the setting allows; a caller's only in a network that
 * the setting lists explicitly.
 */
export function addressRule(networks: PrivateNetworks, setBy: SetBy): AddressRule {
  const listed = blockList(typeof networks === "string" ? [] : networks);
  return (address) => {
    const family = familyOf(address);
    if (family === null) return `${address} is not an IP address`;
    if (never.check(address, family))
      return `${address} is a link-local, metadata or multicast address, which is never connected to`;
    if (!privateRanges.check(address, family)) return null;
    if (setBy === "admin" && networks === "allow") return null;
    if (listed.check(address, family)) return null;
    return `${address} is in a private network that GATEHOUSE_PRIVATE_NETWORKS does not list`;
  };
}

/** Parses the setting. @throws RangeError naming the part that is not a CIDR */
export function parsePrivateNetworks(text: string): PrivateNetworks {
  const trimmed = text.trim();
  if (trimmed === "allow" || trimmed === "deny") return trimmed;
  const parts = trimmed.split(/[\s,]+/).filter((part) => part !== "");
  if (parts.length === 0) throw new RangeError("must be allow, deny, or a list of CIDRs such as 10.0.0.0/8,fd00::/8");
  blockList(parts);
  return parts;
}

function blockList(cidrs: readonly string[]): BlockList {
  const list = new BlockList();
  for (const cidr of cidrs) {
    const [address = "", length = ""] = cidr.split("/");
    const family = familyOf(address);
    const bits = /^\d{1,3}$/.test(length) ? Number(length) : Number.NaN;
    if (family === null || !(bits <= (family === "ipv4" ? 32 : 128))) {
      throw new RangeError(`${cidr} is not a CIDR such as 10.0.0.0/8 or fd00::/8`);
    }
    list.addSubnet(address, bits, family);
  }
  return list;
}

function familyOf(address: string): "ipv4" | "ipv6" | null {
  const version = isIP(address.split("%")[0] ?? "");
  return version === 4 ? "ipv4" : version === 6 ? "ipv6" : null;
}
