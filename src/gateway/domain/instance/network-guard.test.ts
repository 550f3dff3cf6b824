import { describe, expect, it } from "vitest";
import { addressRule, parsePrivateNetworks, type PrivateNetworks } from "./network-guard.ts";

const open = ["8.8.8.8", "2606:4700:4700::1111", "172.15.0.1", "::ffff:8.8.8.8"];
const mapped = ["::ffff:10.1.2.3", "::ffff:127.0.0.1", "64:ff9b::a01:203", "2002:a01:203::1"];
const local = ["127.0.0.1", "0.0.0.0", "::1", "::", "fd12:3456::1"];
const inside = ["10.1.2.3", "172.16.0.1", "192.168.0.1", "100.64.0.1", ...local, ...mapped];
const linkLocal = ["169.254.169.254", "169.254.170.2", "fe80::1", "fe80::1%eth0"];
const metadata = ["::ffff:169.254.169.254", "64:ff9b::a9fe:a9fe", "2002:a9fe:a9fe::1", "fd00:ec2::254"];
const never = [
  ...linkLocal,
  ...metadata,
  "100.100.100.200",
  "168.63.129.16",
  "224.0.0.1",
  "ff02::1",
  "255.255.255.255",
];

const may = (networks: PrivateNetworks, setBy: "admin" | "caller", address: string) =>
  addressRule(networks, setBy)(address) === null;

describe("addressRule", () => {
  const allowed = (networks: PrivateNetworks, setBy: "admin" | "caller", addresses: readonly string[]) =>
    addresses.filter((address) => may(networks, setBy, address));

  it.each(["allow", "deny", ["10.0.0.0/8"]] as const)("%j: public addresses are open to everybody", (networks) => {
    for (const setBy of ["admin", "caller"] as const) expect(allowed(networks, setBy, open)).toEqual(open);
  });

  it.each(["allow", "deny", ["169.254.0.0/16", "fe80::/10", "0.0.0.0/0", "::/0"]] as const)(
    "%j: link-local, metadata and multicast addresses are never connected to",
    (networks) => {
      for (const setBy of ["admin", "caller"] as const) expect(allowed(networks, setBy, never)).toEqual([]);
    },
  );

  it("lets an admin's address be private unless that is denied, a caller's never", () => {
    expect(allowed("allow", "admin", inside)).toEqual(inside);
    expect(allowed("deny", "admin", inside)).toEqual([]);
    for (const networks of ["allow", "deny"] as const) expect(allowed(networks, "caller", inside)).toEqual([]);
  });

  it("lets both into a private network that is listed, and the admin into no other", () => {
    const listed = ["10.0.0.0/8", "fd12:3456::/32"];
    for (const setBy of ["admin", "caller"] as const) {
      const within = ["10.1.2.3", "::ffff:10.1.2.3", "fd12:3456::1"];
      expect(allowed(listed, setBy, [...within, "192.168.0.1"])).toEqual(within);
    }
  });

  it("takes nothing for an address that is none", () => {
    expect(may("allow", "admin", "localhost")).toBe(false);
    expect(may("allow", "admin", "")).toBe(false);
  });
});

describe("parsePrivateNetworks", () => {
  it("reads allow, deny and lists", () => {
    expect(parsePrivateNetworks("allow")).toBe("allow");
    expect(parsePrivateNetworks(" deny ")).toBe("deny");
    expect(parsePrivateNetworks("10.0.0.0/8, fd00::/8")).toEqual(["10.0.0.0/8", "fd00::/8"]);
  });

  it.each(["", "private", "10.0.0.0", "10.0.0.0/33", "fd00::/129", "10.0.0/8", "10.0.0.0/8,x"])("refuses %j", (text) =>
    expect(() => parsePrivateNetworks(text)).toThrow(RangeError),
  );
});
