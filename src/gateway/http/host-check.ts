import { isIP } from "node:net";
import { Refusal } from "../domain/refusal.ts";

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
