import { sql, type Transaction } from "kysely";
import { mostKeysOfKey } from "#contract/oauth.ts";
import type { Tables } from "../../storage/tables.ts";
import type { Actor } from "../context.ts";
import { Refusal } from "../refusal.ts";
import { enforcedLimits, type KeyRow } from "./record.ts";
import { countOf } from "../count-of.ts";

type Trx = Transaction<Tables>;

/**
 * The key behind a code, of either kind, locked until the transaction ends: what ends it, and what else it has made,
 * waits or was before.
 */
export async function lockMaker(trx: Trx, hash: string): Promise<KeyRow | null> {
  const row = await trx
    .selectFrom("api_keys")
    .selectAll()
    .where("hash", "=", hash)
    .where("deleted_at", "is", null)
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

/** Why a key cannot have keys made; null: it can. Its keys must not add up to more than it may do itself. */
export async function refuseMaker(trx: Trx, maker: KeyRow): Promise<Refusal | null> {
  if (maker.made_by !== null) {
    const message = "This key was made with another API key, so it cannot have keys made itself";
    return new Refusal("permission_denied", message);
  }
  if (enforcedLimits(maker).length > 0 || (await hasGuardrailLimit(trx, maker))) {
    const message =
      "This key has a spending limit, and a key made with it would spend beyond that: let an admin consent in the console instead";
    return new Refusal("permission_denied", message);
  }
  const count = await countOf(
    trx.selectFrom("api_keys").where("made_by", "=", maker.hash).where("deleted_at", "is", null),
  );
  if (count < mostKeysOfKey) return null;
  const message = `This key has had ${mostKeysOfKey} keys made already: delete one of them first`;
  return new Refusal("conflict", message);
}

/** A guardrail's limit is for each key that it covers. */
async function hasGuardrailLimit(trx: Trx, { hash, workspace_id, creator_user_id }: KeyRow): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`
    select exists (
      select from guardrails g where g.limit_nano is not null and (
        (g.is_default and g.workspace_id = ${workspace_id})
        or exists (select from guardrail_keys where guardrail_id = g.id and key_hash = ${hash})
        or exists (select from guardrail_members where guardrail_id = g.id and user_id = ${creator_user_id})
      )
    ) as found`.execute(trx);
  return rows[0]?.found === true;
}

export function actorOf({ hash, name, workspace_id }: KeyRow): Actor {
  return workspace_id === null
    ? { kind: "management", keyHash: hash, name }
    : { kind: "ordinary", keyHash: hash, name, workspaceId: workspace_id };
}
