import { randomUUID } from "node:crypto";
import { isIP } from "node:net";
import type { Transaction } from "kysely";
import type { EndpointName } from "#contract/api.ts";
import type { Output, Parsed } from "#contract/endpoint.ts";
import {
  type CreateFederationPolicyBody,
  type FederationPolicyRecord,
  type listFederationPolicies,
  mostFederationPolicies,
  type UpdateFederationPolicyBody,
} from "#contract/federation.ts";
import type { FederationSettings } from "../../storage/federation-tables.ts";
import type { Tables } from "../../storage/tables.ts";
import { recordChange } from "../audit.ts";
import type { Context } from "../context.ts";
import { countOf } from "../count-of.ts";
import type { Succession } from "../keys/rotation.ts";
import { lockNamed } from "../named-lock.ts";
import { given, patched, pick } from "../patch.ts";
import { refuseUnlessManagement } from "../permission.ts";
import { invalid, Refusal } from "../refusal.ts";
import { refuseStale, type Versioned } from "../version.ts";
import { refuseUnusableKeys } from "./algorithms.ts";
import {
  columnsOf,
  findPolicy,
  lockPolicy,
  noSuchPolicy,
  policyDefaults,
  policyRecords,
  type PolicyRow,
  settingsVersion,
  shownSettings,
} from "./row.ts";

type Trx = Transaction<Tables>;
type One = Promise<Versioned<FederationPolicyRecord>>;
type List = typeof listFederationPolicies;

/** The oldest first. */
export async function list(ctx: Context, page: Parsed<List>["query"]): Promise<Output<List>> {
  refuseUnlessManagement(ctx);
  const { db } = ctx.store;
  const total = await countOf(db.selectFrom("federation_policies"));
  const rows = await db
    .selectFrom("federation_policies")
    .selectAll()
    .orderBy("created_at")
    .orderBy("id")
    .limit(page.limit ?? 50)
    .offset(page.offset ?? 0)
    .execute();
  return { data: await policyRecords(db, rows), total_count: total };
}

/** @throws Refusal 404 */
export async function get(ctx: Context, id: string): One {
  refuseUnlessManagement(ctx);
  return await one(ctx, await findPolicy(ctx.store.db, id));
}

/** @throws Refusal 400 where the settings do not belong together; 409: there are enough */
export async function create(ctx: Context, body: CreateFederationPolicyBody): One {
  refuseUnlessManagement(ctx);
  const row: PolicyRow = {
    ...policyDefaults,
    ...given(body),
    id: randomUUID(),
    generation: 1,
    created_at: ctx.now(),
    created_by: ctx.actor.name,
    updated_at: null,
  };
  await refuseUnlessWhole(ctx, row);
  await ctx.store.db.transaction().execute(async (trx) => {
    await lockNamed(trx, "federation");
    if ((await countOf(trx.selectFrom("federation_policies"))) >= mostFederationPolicies) {
      throw new Refusal(
        "conflict",
        `There are ${mostFederationPolicies} federation policies already: delete one first`,
      );
    }
    await requireKey(trx, row.api_key_hash);
    await trx
      .insertInto("federation_policies")
      .values({ ...pick(row, fixedColumns), ...columnsOf(row) })
      .execute();
    await record(trx, ctx, "createFederationPolicy", { row, before: null, after: shownSettings(row) });
  });
  return await one(ctx, row);
}

const fixedColumns = { id: "", generation: 1, created_at: null, created_by: null, updated_at: null };

/**
 * Changes what is given; members that are absent keep their value, `null` clears. Unless only the name changes, the
 * access tokens that the policy gave end.
 *
 * @param ifVersions the versions that the caller accepts; null for any
 */
export async function update(
  ctx: Context,
  id: string,
  body: UpdateFederationPolicyBody,
  ifVersions: readonly string[] | null = null,
): One {
  refuseUnlessManagement(ctx);
  const { row, changed } = await ctx.store.db.transaction().execute(async (trx) => {
    // As the replacement of a key does: the key first, then its policies.
    if (body.api_key_hash !== undefined) await lockKey(trx, body.api_key_hash);
    const before = await lockPolicy(trx, id);
    refuseChanged(before, ifVersions);
    const next = patched(before, given(body));
    if (next === before) return { row: before, changed: false };
    await refuseUnlessWhole(ctx, next);
    if (next.api_key_hash !== before.api_key_hash) await requireKey(trx, next.api_key_hash);
    const row = await trx
      .updateTable("federation_policies")
      .set({
        ...columnsOf(next),
        generation: before.generation + (isOnlyName(before, next) ? 0 : 1),
        updated_at: ctx.now(),
      })
      .where("id", "=", id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await record(trx, ctx, "updateFederationPolicy", {
      row,
      before: shownSettings(before),
      after: shownSettings(row),
    });
    return { row, changed: true };
  });
  if (changed) await ctx.federation.policies.changed(ctx);
  return await one(ctx, row);
}

function isOnlyName(before: PolicyRow, next: PolicyRow): boolean {
  return settingsVersion({ ...before, name: next.name }) === settingsVersion(next);
}

/** Deletes it; the access tokens that it gave end. @param ifVersions as for a change */
export async function remove(
  ctx: Context,
  id: string,
  ifVersions: readonly string[] | null = null,
): Promise<{ deleted: true }> {
  refuseUnlessManagement(ctx);
  await ctx.store.db.transaction().execute(async (trx) => {
    const row = await lockPolicy(trx, id);
    refuseChanged(row, ifVersions);
    await trx.deleteFrom("federation_policies").where("id", "=", id).execute();
    await record(trx, ctx, "deleteFederationPolicy", { row, before: shownSettings(row), after: null });
  });
  await ctx.federation.policies.changed(ctx);
  return { deleted: true };
}

/** Policies of a key that is replaced act as its successor; the tokens that they gave go on as that. */
export async function followSuccessor(
  trx: Trx,
  ctx: Context,
  { hash, successor, isAddition }: Succession,
): Promise<(() => Promise<unknown>) | null> {
  if (isAddition === true) return null;
  const rows = await trx
    .selectFrom("federation_policies")
    .selectAll()
    .where("api_key_hash", "=", hash)
    .forUpdate()
    .execute();
  if (rows.length === 0) return null;
  await trx
    .updateTable("federation_policies")
    .set({ api_key_hash: successor })
    .where("api_key_hash", "=", hash)
    .execute();
  for (const row of rows) {
    const before = shownSettings(row);
    await record(trx, ctx, "rotateKey", { row, before, after: { ...before, api_key_hash: successor } });
  }
  return () => ctx.federation.policies.changed(ctx);
}

/** Claims that say nothing of which workload it is. */
const sameForAll = ["iss", "aud"];

/** Settings that belong together. @throws Refusal 400 */
async function refuseUnlessWhole(ctx: Context, row: FederationSettings): Promise<void> {
  const { jwks, jwks_url: url, subject, claims } = row;
  if (url === null && jwks === null) throw invalid("jwks_url", "is required, or jwks: the issuer's public keys");
  if (url !== null && jwks !== null) {
    throw invalid("jwks", "cannot be given together with jwks_url: one of them has to be null");
  }
  if (subject === "*" && !Object.keys(claims).some((name) => !sameForAll.includes(name))) {
    throw invalid(
      "subject",
      "must not be `*` alone without claims, other than iss and aud: every workload of the issuer would be let in",
    );
  }
  if (jwks !== null) await refuseUnusableKeys(jwks);
  const host = url === null ? "" : new URL(url).hostname.replace(/^\[|\]$/g, "");
  // A name is checked each time that it is resolved.
  const problem = isIP(host) === 0 ? null : ctx.adminAddress(host);
  if (problem !== null) throw invalid("jwks_url", `leads to an address that is not allowed: ${problem}`);
}

/** @throws Refusal 400: no such API key, or one of the gateway's own */
async function lockKey(trx: Trx, hash: string): Promise<void> {
  await trx.selectFrom("api_keys").select("hash").where("hash", "=", hash).forKeyShare().execute();
}

async function requireKey(trx: Trx, hash: string): Promise<void> {
  const found = await trx
    .selectFrom("api_keys")
    .select("hash")
    .where("hash", "=", hash)
    .where("kind", "=", "ordinary")
    .where("purpose", "is", null)
    .where("deleted_at", "is", null)
    .forKeyShare()
    .executeTakeFirst();
  if (found === undefined) throw invalid("api_key_hash", "must be the hash of an API key that calls models");
}

function refuseChanged(row: PolicyRow, ifVersions: readonly string[] | null): void {
  refuseStale("federation policy", ifVersions, { version: settingsVersion(row), updatedAt: row.updated_at });
}

async function one(ctx: Context, row: PolicyRow): One {
  const [data] = await policyRecords(ctx.store.db, [row]);
  if (data === undefined) throw noSuchPolicy();
  return { data, version: settingsVersion(row) };
}

interface Recorded {
  readonly row: PolicyRow;
  readonly before: FederationSettings | null;
  readonly after: FederationSettings | null;
}

async function record(trx: Trx, ctx: Context, action: EndpointName, { row, before, after }: Recorded): Promise<void> {
  const key = await trx
    .selectFrom("api_keys")
    .select("workspace_id")
    .where("hash", "=", (after ?? row).api_key_hash)
    .executeTakeFirst();
  await recordChange(trx, ctx, {
    action,
    target: { type: "federation_policy", id: row.id, name: row.name, workspaceId: key?.workspace_id ?? null },
    before: before === null ? null : { ...before },
    after: after === null ? null : { ...after },
  });
}
