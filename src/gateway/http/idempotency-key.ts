import type { FastifyRequest } from "fastify";
import { Refusal } from "../domain/refusal.ts";

/** The header's value; null: there is none. @throws Refusal invalid_request */
export function idempotencyKey({ headers }: Pick<FastifyRequest, "headers">): string | null {
  const header = headers["idempotency-key"];
  const value = Array.isArray(header) ? header[0] : header;
  if (value === undefined) return null;
  if (/^[\x21-\x7e]{1,255}$/.test(value)) return value;
  throw new Refusal("invalid_request", "The Idempotency-Key header must be 1 to 255 visible ASCII characters");
}
