import type { IncomingMessage } from "node:http";
import { isIP, isIPv6 } from "node:net";
import { Refusal } from "../domain/refusal.ts";

type Head = Pick<IncomingMessage, "httpVersion" | "rawHeaders" | "headers" | "url">;

/**
 * Refuses what the parser lets pass and a proxy before the gateway could read otherwise: a request that does not name one
 * host (RFC 9112 §3.2), and a body whose length is not what chunks say (§6.1). Its connection is closed.
 * @throws Refusal invalid_request
 */
export function refuseAmbiguousHead({ httpVersion, rawHeaders, headers, url = "" }: Head): void {
  if (httpVersion !== "1.1" && httpVersion !== "1.0") throw ambiguous("The request is not of HTTP/1.1");
  const { host } = headers;
  if (host === undefined) {
    if (httpVersion === "1.1") throw ambiguous("The request has no Host header, which HTTP/1.1 requires");
  } else if (!isHost(host))
    throw ambiguous("The request's Host header must be a host's name or address, and a port if any");
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.toLowerCase() === "host") hosts += 1;
  if (hosts > 1) throw ambiguous("The request has several Host headers");
  const coding = headers["transfer-encoding"];
  if (coding !== undefined && (coding.trim().toLowerCase() !== "chunked" || httpVersion === "1.0"))
    throw ambiguous("The request's Transfer-Encoding must be chunked, in HTTP/1.1");
  const [, scheme = "", named] = /^(https?):[\\/]*([^\\/?#]*)/i.exec(url) ?? [];
  if (named !== undefined && withoutPort(named, scheme) !== withoutPort(host ?? "", scheme))
    throw ambiguous("The request's target must name the host of its Host header");
}

/** Proxies write the port that a scheme has anyway in one of both alone. */
const withoutPort = (host: string, scheme: string) =>
  host.toLowerCase().replace(scheme.toLowerCase() === "https" ? /:(443)?$/ : /:(80)?$/, "");

const ambiguous = (message: string) => new Refusal("invalid_request", message, { headers: { connection: "close" } });

/** RFC 3986 §3.2.2, with a port of §3.2.3. */
function isHost(text: string): boolean {
  const [, address, name, port = ""] =
    /^(?:\[([\da-f:.]*)\]|((?:[\w\-.~!$&'()*+,;=]|%[\da-f]{2})*))(?::(\d*))?$/i.exec(text) ?? [];
  return (name !== undefined || isIPv6(address ?? "")) && Number(port) <= 65_535;
}

/**
 * Refuses a request for a foreign host name where the gateway listens on this machine only. A web page elsewhere can
 * point a name of its own at 127.0.0.1 (DNS rebinding), and the visitor's browser would send its requests here.
 *
 * @param host the Host header
 * @throws Refusal permission_denied, with what makes the name known
 */
export function refuseForeignHost(host: string | undefined): void {
  if (host === undefined) return;
  const name = URL.parse(`http://${host}`)?.hostname.replace(/\.$/, "") ?? "";
  if (name === "localhost" || name.endsWith(".localhost") || isIP(name.replace(/^\[|\]$/g, "")) !== 0) return;
  throw new Refusal(
    "permission_denied",
    "This gateway listens on this machine only and does not know the host name of this request. To use it by that name, set GATEHOUSE_PUBLIC_URL to the address",
  );
}

/** Whether an address to listen on is this machine's own, which nothing outside can reach. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);
}
