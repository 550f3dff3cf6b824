import { createHash } from "node:crypto";
import type { Transaction } from "kysely";
import { api, type EndpointName } from "#contract/api.ts";
import type { Tables } from "../storage/tables.ts";
import type { Context } from "./context.ts";
import { Refusal } from "./refusal.ts";

/** How long a repeat is recognized. */
export const idempotencyMs = 24 * 3_600_000;

/** An operation that must not happen twice. */
export interface Once {
  /** the header's value; null: the caller sent none */
  key: string | null;
  endpoint: EndpointName;
  request: unknown;
  /** what the first one creates */
  targetId: string;
}

/**
 * Claims an Idempotency-Key for one caller, inside the transaction of the change that it protects; a parallel repeat
 * waits here until the first one is committed.
 *
 * @returns null: proceed, this is the first; otherwise what the first one created
 * @throws Refusal 409 when the key was used for another request
 */
export async function claim(trx: Transaction<Tables>, ctx: Context, once: Once): Promise<string | null> {
  if (once.key === null) return null;
  const now = ctx.now();
  const caller = ctx.actor.kind === "system" ? ctx.actor.name : ctx.actor.keyHash;
  const requestHash = ctx.secrets.fingerprint(hashRequest(api[once.endpoint].operationId, once.request));
  await trx
    .deleteFrom("idempotency")
    .where("created_at", "<=", new Date(now.getTime() - idempotencyMs))
    .execute();
  const claimed = await trx
    .insertInto("idempotency")
    .values({ caller, key: once.key, request_hash: requestHash, target_id: once.targetId, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning("key")
    .executeTakeFirst();
  if (claimed !== undefined) return null;
  const first = await trx
    .selectFrom("idempotency")
    .select(["request_hash", "target_id"])
    .where("caller", "=", caller)
    .where("key", "=", once.key)
    .executeTakeFirstOrThrow();
  if (first.request_hash === requestHash) return first.target_id;
  throw new Refusal(
    "conflict",
    "This Idempotency-Key was used for a different request: send a new one with each new request",
  );
}

/**
 * The answer to a repeat: what the first request created, as it is now.
 *
 * @throws Refusal 409 when it was deleted since
 */
export async function repeated<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof Refusal && error.status === 404)) throw error;
    throw new Refusal(
      "conflict",
      "This Idempotency-Key was used before for the same request, and what it created was deleted since: send a new one to create it again",
    );
  }
}

/** Equal for two requests that say the same, regardless of the order of their members. */
export function hashRequest(operation: string, request: unknown): string {
  return createHash("sha256")
    .update(JSON.stringify([operation, inOrder(request)]))
    .digest("hex");
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (value === null || typeof value !== "object") return value;
  return Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => [name, inOrder(member)]);
}
