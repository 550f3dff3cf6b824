import { type CreateKeyBody, type KeyRecord, createKey, deleteKey, rotateKey } from "#contract/keys.ts";
import type { deleteManagementKey } from "#contract/management-keys.ts";
import { call } from "../../api/call.ts";
import { ApiError, isNotFound, NetworkError } from "../../api/errors.ts";
import { Vault } from "../../shell/vault.ts";

/** A key that was just made: its record, and its text in a vault. */
export interface Made<Record extends ShownOnce = KeyRecord> {
  record: Record;
  vault: Vault;
}

/** What the once-only view needs of a record, whichever kind of key it is of. */
export type ShownOnce = Pick<KeyRecord, "hash" | "name" | "label" | "created_at" | "expires_at">;

/**
 * The creation is a plain call: what a mutation answers stays in react-query's cache for minutes. The text goes into the
 * vault here and is dropped from the answer, so that nothing after this line has it by another way.
 */
export async function makeKey(body: CreateKeyBody, idempotencyKey: string): Promise<Made> {
  return taken(await call(createKey, { body }, { headers: { "Idempotency-Key": idempotencyKey } }));
}

/** A successor with the same settings; the old key ends after the grace. */
export async function makeSuccessor(hash: string, graceSeconds: number): Promise<{ made: Made; replaced: KeyRecord }> {
  const answer = await call(rotateKey, { params: { hash }, body: { grace_seconds: graceSeconds } });
  return { made: taken(answer), replaced: answer.replaced };
}

/** Deletes a key that was never saved; one that no longer exists counts as deleted. */
export async function deleteMadeKey(
  hash: string,
  endpoint: typeof deleteKey | typeof deleteManagementKey = deleteKey,
): Promise<void> {
  try {
    await call(endpoint, { params: { hash } });
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}

/** Moves the text from the answer into a vault. */
export function taken<Record extends ShownOnce>(answer: { data: Record; key: string }): Made<Record> {
  const vault = new Vault(answer.key);
  answer.key = "";
  return { record: answer.data, vault };
}

/** Whether a failed creation may have made a key all the same: no answer, or one that is not the gateway's own. */
export function outcomeUnknown(error: unknown): boolean {
  if (error instanceof NetworkError) return true;
  return error instanceof ApiError && error.status >= 500 && (error.type === undefined || error.status >= 502);
}

/** The key that the gateway says this Idempotency-Key made before, if that is what a 409 is about. */
export function madeBefore(error: unknown): ShownOnce | null {
  if (!(error instanceof ApiError) || error.status !== 409) return null;
  const { data } = error.metadata;
  return typeof data === "object" && data !== null && "hash" in data ? (data as ShownOnce) : null;
}
