import { describe, expect, it } from "vitest";
import { isLoopback, refuseAmbiguousHead, refuseForeignHost } from "./host-check.ts";

describe("the head of a request", () => {
  const head = (host: string | null, more: object = {}, [url, httpVersion]: readonly string[] = ["/", "1.1"]) => {
    const headers = { ...(host !== null && { host }), ...more } as Record<string, string>;
    return { httpVersion, url, headers, rawHeaders: Object.entries(headers).flat() } as const;
  };
  const chunked = (coding: string) => ({ "transfer-encoding": coding });

  it.each([
    head("gateway.example"),
    head("127.0.0.1:8787"),
    head("[::1]:8787"),
    head("my_host.local:"),
    head("xn--bcher-kva.example"),
    head(""),
    head(null, {}, ["/", "1.0"]),
    head("a", chunked("Chunked")),
    head("a:80", {}, ["http://A:80/x", "1.1"]),
    head("a", {}, ["http://a:80/x", "1.1"]),
    head("a:443", {}, ["HTTPS://a/x", "1.1"]),
  ])("%j is taken", (given) => expect(() => refuseAmbiguousHead(given as never)).not.toThrow());

  it.each([
    [head(null), /no Host header/],
    [{ ...head("a"), rawHeaders: ["Host", "a", "hOST", "a"] }, /several Host headers/],
    ...[
      "a/b",
      "/",
      "user@a",
      "u:p@a",
      "a b",
      "a, b",
      "a?x",
      "a#x",
      "a:x",
      "a:65536",
      "a:1:2",
      "[::1",
      "[a]",
      "é",
      "a\\b",
      "%zz",
    ].map((host) => [head(host), /Host header must be/] as const),
    [head("a/b", {}, ["/", "1.0"]), /Host header must be/],
    ...["identity, chunked", "gzip, chunked", "identity", "chunked, chunked", "chunked;q=1", ""].map(
      (coding) => [head("a", chunked(coding)), /Transfer-Encoding must be chunked/] as const,
    ),
    [head("a", chunked("chunked"), ["/", "1.0"]), /Transfer-Encoding must be chunked/],
    [head("a", {}, ["http://b/x", "1.1"]), /target must name the host/],
    [head("a:443", {}, ["http://a/x", "1.1"]), /target must name the host/],
    [head("a", {}, ["http://u@a/x", "1.1"]), /target must name the host/],
    [head("a", {}, ["/", "2.0"]), /not of HTTP/],
    [head(null, {}, ["/", "0.9"]), /not of HTTP/],
  ] as const)("%j is refused", (given, words) => expect(() => refuseAmbiguousHead(given as never)).toThrow(words));
});

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
