import { timingSafeEqual } from "node:crypto";
import type { FastifyRequest } from "fastify";
import { Refusal } from "../domain/refusal.ts";

/**
 * Refuses a change that another site's page makes a browser send: the Origin must be our own, and with a session the
 * header `X-CSRF-Token` must be the session's. Programs other than browsers send no Origin and carry no cookie.
 */
export function refuseForgery(
  request: FastifyRequest,
  publicOrigin: string | null,
  session?: { csrfToken: string },
): void {
  const { origin } = request.headers;
  if (origin !== undefined && origin !== publicOrigin && !isOurs(origin, request.headers.host, publicOrigin)) {
    throw new Refusal(
      "permission_denied",
      `This request comes from a page of another origin, ${originForPeople(origin)}`,
    );
  }
  if (session === undefined) return;
  const token = request.headers["x-csrf-token"];
  if (typeof token !== "string" || !sameText(token, session.csrfToken)) {
    throw new Refusal("permission_denied", "The X-CSRF-Token header is missing or not this session's: reload the page");
  }
}

/** Where the gateway's public URL is known, the other scheme on that host belongs to somebody else. */
function isOurs(origin: string, host: string | undefined, publicOrigin: string | null): boolean {
  const name = URL.parse(origin)?.host;
  if (name === undefined || name !== host?.toLowerCase()) return false;
  return publicOrigin === null || name !== URL.parse(publicOrigin)?.host;
}

function originForPeople(origin: string): string {
  return URL.parse(origin)?.origin ?? "which it does not name";
}

function sameText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
