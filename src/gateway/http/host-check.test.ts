import { describe, expect, it } from "vitest";
import { isLoopback, refuseForeignHost } from "./host-check.ts";

describe("the host name of a request to a gateway that listens on this machine only", () => {
  it.each(["127.0.0.1:8787", "localhost:8787", "localhost.", "console.localhost", "[::1]:8787", "10.1.2.3", undefined])(
    "%s is answered",
    (host) => expect(() => refuseForeignHost(host)).not.toThrow(),
  );

  it.each(["evil.example", "127.0.0.1.evil.example:8787", "localhost.evil.example", "xn--80ak6aa92e.com", "a b"])(
    "%s is refused, with the setting that makes it known",
    (host) => expect(() => refuseForeignHost(host)).toThrow(/GATEHOUSE_PUBLIC_URL/),
  );

  it("is only checked where nothing else can reach the gateway", () => {
    expect(["127.0.0.1", "127.8.9.10", "localhost", "::1"].every(isLoopback)).toBe(true);
    expect(["0.0.0.0", "::", "10.0.0.1", "gateway.internal", "128.0.0.1"].some(isLoopback)).toBe(false);
  });
});
