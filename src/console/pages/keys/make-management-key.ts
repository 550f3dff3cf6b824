import {
  type CreateManagementKeyBody,
  type ManagementKeyRecord,
  createManagementKey,
  rotateManagementKey,
} from "#contract/management-keys.ts";
import { call } from "../../api/call.ts";
import { taken, type Made } from "./make-key.ts";

/** A management key that was just made. */
export type MadeManagementKey = Made<ManagementKeyRecord>;

/** Plain calls, like those of make-key.ts: what a mutation answers would stay in a cache. */
export async function makeManagementKey(
  body: CreateManagementKeyBody,
  idempotencyKey: string,
): Promise<MadeManagementKey> {
  return taken(await call(createManagementKey, { body }, { headers: { "Idempotency-Key": idempotencyKey } }));
}

/** A successor with the same name and expiry; the old key ends after the grace. */
export async function makeManagementSuccessor(
  hash: string,
  graceSeconds: number,
): Promise<{ made: MadeManagementKey; replaced: ManagementKeyRecord }> {
  const answer = await call(rotateManagementKey, { params: { hash }, body: { grace_seconds: graceSeconds } });
  return { made: taken(answer), replaced: answer.replaced };
}
