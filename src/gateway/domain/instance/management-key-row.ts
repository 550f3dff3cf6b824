import { randomUUID } from "node:crypto";
import type { Transaction } from "kysely";
import type { Tables } from "../../storage/tables.ts";
import { recordChange } from "../audit.ts";
import type { Context, Deps } from "../context.ts";
import { insertKey } from "../keys/row.ts";

/** The context for what the program does by itself: at startup, and from the command line. */
export function systemContext(deps: Deps): Context {
  return { ...deps, actor: { kind: "system", name: "gatehouse" }, requestId: randomUUID(), sourceIp: null };
}

/** Inserts a management key that the program creates by itself, with its audit row. */
export async function insertManagementKey(
  trx: Transaction<Tables>,
  ctx: Context,
  plaintext: string,
  name: string,
): Promise<void> {
  const row = await insertKey(trx, { plaintext, workspaceId: null, settings: { name } }, ctx.now());
  await recordChange(trx, ctx, {
    action: "createManagementKey",
    target: { type: "management_key", id: row.hash, name, workspaceId: null },
    before: null,
    after: { name, label: row.label },
  });
}
