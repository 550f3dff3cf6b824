import { randomBytes } from "node:crypto";

/** What a browser may do on our pages (ux S-2). Styles need the nonce; scripts must be files of our own. */
function contentSecurityPolicy(nonce: string): string {
  return [
    "default-src 'self'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' blob: data:",
    "connect-src 'self'",
    "worker-src 'self'",
    "object-src 'none'",
    "frame-ancestors 'none'",
    "form-action 'none'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    // there is only one such policy: it allows the address of our own worker, nothing else
    "trusted-types gatehouse-worker",
  ].join("; ");
}

export function makeNonce(): string {
  return randomBytes(16).toString("base64");
}

/** For a page that contains `nonce`; it must not be cached, because the nonce is valid once. */
export function pageHeaders(nonce: string): Record<string, string> {
  return {
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": contentSecurityPolicy(nonce),
    "cache-control": "no-cache",
    "cross-origin-opener-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
  };
}
