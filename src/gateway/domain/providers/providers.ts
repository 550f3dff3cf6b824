import type { Transaction } from "kysely";
import type { EndpointName } from "#contract/api.ts";
import type {
  CreateProviderBody,
  ProviderHealth,
  ProviderKind,
  ProviderRecord,
  PublicProvider,
  UpdateProviderBody,
} from "#contract/providers.ts";
import type { Tables } from "../../storage/tables.ts";
import { recordChange } from "../audit.ts";
import { providerAad } from "../secrets/aad.ts";
import type { Context } from "../context.ts";
import { isMask, maskSecret } from "../secrets/mask.ts";
import { given, patched, pick } from "../patch.ts";
import { refuseUnlessManagement } from "../permission.ts";
import { disableStrayed } from "./byok.ts";
import { openSecret } from "../routing/catalog-read.ts";
import type { SeenHealth } from "../routing/health.ts";
import { baseUrlFor, originOf, presetFor } from "../routing/provider-address.ts";
import { modelRows, refuseEmptyBuiltin, replaceModels } from "./provider-models.ts";
import {
  areSameModels,
  auditedProvider,
  providerDefaults,
  type ProviderModelRow,
  providerRecord,
  type ProviderRow,
} from "./record.ts";
import { providersOnLedger } from "./hours.ts";
import { type Counted, recentHours, stateOf } from "./state.ts";
import { mapInTurns, takeTurns } from "../../turns.ts";
import { invalid, notFound, Refusal } from "../refusal.ts";
import { refuseStale, type Versioned, versionOf } from "../version.ts";

type One = Promise<Versioned<ProviderRecord>>;

interface Found {
  row: ProviderRow;
  models: ProviderModelRow[];
}

/** Adds a provider with its models. The key is sealed before it is stored. */
export async function create(ctx: Context, body: CreateProviderBody): Promise<ProviderRecord> {
  refuseUnlessManagement(ctx);
  const now = ctx.now();
  const row = newRow(ctx, body, now);
  const models = modelRows(body, body.models ?? [], [], now);
  await ctx.store.db.transaction().execute(async (trx) => {
    const made = await trx
      .insertInto("providers")
      .values({ ...row, options: JSON.stringify(row.options) })
      .onConflict((conflict) => conflict.doNothing())
      .returning("slug")
      .executeTakeFirst();
    if (!made) throw taken(body.slug);
    await replaceModels(trx, body.slug, models);
    await record(trx, ctx, "createProvider", { before: null, after: { row, models } });
  });
  await ctx.catalog.changed(ctx);
  return (await one(ctx, { row, models })).data;
}

export async function list(ctx: Context): Promise<{ data: ProviderRecord[] }> {
  refuseUnlessManagement(ctx);
  const rows = await ctx.store.db.selectFrom("providers").selectAll().orderBy("position").orderBy("slug").execute();
  const models = await ctx.store.db
    .selectFrom("provider_models")
    .selectAll()
    .orderBy("position")
    .orderBy("id")
    .execute();
  const modelsOf = Map.groupBy(models, ({ provider_slug }) => provider_slug);
  return {
    data: await toRecords(
      ctx,
      rows.map((row) => ({ row, models: modelsOf.get(row.slug) ?? [] })),
    ),
  };
}

export async function get(ctx: Context, slug: string): One {
  refuseUnlessManagement(ctx);
  return await one(ctx, await ctx.store.db.transaction().execute((trx) => lockProvider(trx, slug)));
}

/**
 * Changes what is given. An absent `api_key` stays, and so does one that comes back as its mask; null removes it.
 *
 * @param ifVersions the versions that the caller accepts; null for any
 * @throws Refusal conflict where the record has none of these versions; nothing is changed then
 */
export async function update(
  ctx: Context,
  slug: string,
  body: UpdateProviderBody,
  ifVersions: readonly string[] | null = null,
): One {
  refuseUnlessManagement(ctx);
  const now = ctx.now();
  const { found, changed } = await ctx.store.db.transaction().execute(async (trx) => {
    const before = await lockProvider(trx, slug);
    refuseStale("provider", ifVersions, { version: settingsVersion(before), updatedAt: before.row.updated_at });
    refuseOfBuiltin(before.row, body);
    const next = changedRow(ctx, before.row, body);
    const models = body.models
      ? modelRows({ slug, kind: next.kind as ProviderKind }, body.models, before.models, now)
      : before.models;
    refuseEmptyBuiltin(next.kind, models);
    if (next === before.row && areSameModels(models, before.models)) return { found: before, changed: false };
    const after = { row: { ...next, updated_at: now }, models };
    const { slug: _, created_at: __, ...set } = after.row;
    await trx
      .updateTable("providers")
      .set({ ...set, options: JSON.stringify(set.options) })
      .where("slug", "=", slug)
      .execute();
    if (body.models) await replaceModels(trx, slug, models);
    await record(trx, ctx, "updateProvider", { before, after });
    await disableStrayed(trx, ctx, slug, originOf(next.base_url));
    return { found: after, changed: true };
  });
  if (changed) await ctx.catalog.changed(ctx);
  return await one(ctx, found);
}

/** @param ifVersions as for a change */
export async function remove(
  ctx: Context,
  slug: string,
  ifVersions: readonly string[] | null = null,
): Promise<{ deleted: true }> {
  refuseUnlessManagement(ctx);
  await ctx.store.db.transaction().execute(async (trx) => {
    const before = await lockProvider(trx, slug);
    refuseStale("provider", ifVersions, { version: settingsVersion(before), updatedAt: before.row.updated_at });
    if (before.row.kind === "builtin") {
      throw new Refusal(
        "invalid_request",
        "The built-in provider cannot be deleted; set enabled to false to switch it off",
      );
    }
    await trx.deleteFrom("providers").where("slug", "=", slug).execute();
    await disableStrayed(trx, ctx, slug, null);
    await record(trx, ctx, "deleteProvider", { before, after: null });
  });
  await ctx.catalog.changed(ctx);
  return { deleted: true };
}

/** Model servers on this machine that answer and are not providers yet. */
export async function detected(ctx: Context) {
  refuseUnlessManagement(ctx);
  const rows = await ctx.store.db.selectFrom("providers").select("base_url").execute();
  const known = new Set(rows.map(({ base_url }) => base_url && withoutAlias(base_url)));
  return { data: (await ctx.detectProviders()).filter(({ base_url }) => !known.has(withoutAlias(base_url))) };
}

/** Who enters a server on this machine writes its address in one of three ways. */
function withoutAlias(address: string): string {
  return address.replace(/^http:\/\/(localhost|\[::1\])(?=[:/]|$)/, "http://127.0.0.1").replace(/\/$/, "");
}

/** The public listing: the providers that serve models here, by name. */
export function listPublic(ctx: Context): { data: PublicProvider[] } {
  const data = ctx.catalog.current(ctx).providers.map(({ row }): PublicProvider => ({
    slug: row.slug,
    name: row.name,
    privacy_policy_url: row.privacy_policy_url,
    terms_of_service_url: row.terms_of_service_url,
    status_page_url: row.status_page_url,
    headquarters: null,
    datacenters: null,
  }));
  return { data };
}

async function one(ctx: Context, found: Found): One {
  const [data] = await toRecords(ctx, [found]);
  if (data === undefined) throw new Error("one provider has one record");
  return { data, version: settingsVersion(found) };
}

/** Of everything that a form shows. Another key makes another version, even where its mask is the same. */
function settingsVersion({ row, models }: Found): string {
  return versionOf({ ...auditedProvider(row, models), secret: row.secret });
}

async function toRecords(ctx: Context, found: readonly Found[]): Promise<ProviderRecord[]> {
  const ledger = await providersOnLedger(
    ctx,
    found.map(({ row }) => row.slug),
  );
  const now = ctx.now();
  return await mapInTurns(found, takeTurns("providers", { patient: true }), ({ row, models }) =>
    providerRecord(row, models, healthOf(ctx.health.provider(row.slug, now), ledger(row.slug), row)),
  );
}

function healthOf(seen: SeenHealth, ledger: ProviderHealth["ledger"], { updated_at }: ProviderRow): ProviderHealth {
  const recent = ledger.hours.slice(-recentHours);
  const sum = (member: keyof Counted) => recent.reduce((all, hour) => all + hour[member], 0);
  const counted = { calls: sum("calls"), failures: sum("failures") };
  return { ...seen, ...stateOf(seen, counted, updated_at), ledger };
}

/** A provider with its models, locked until the transaction ends. @throws Refusal when there is none */
export async function lockProvider(trx: Transaction<Tables>, slug: string): Promise<Found> {
  const row = await trx.selectFrom("providers").selectAll().where("slug", "=", slug).forUpdate().executeTakeFirst();
  if (!row) throw notFound(`No provider has the slug ${slug}`);
  const models = await trx
    .selectFrom("provider_models")
    .selectAll()
    .where("provider_slug", "=", slug)
    .orderBy("position")
    .orderBy("id")
    .execute();
  return { row, models };
}

/** A new provider as it would be stored. */
export function newRow(ctx: Context, body: Omit<CreateProviderBody, "models">, now: Date): ProviderRow {
  const preset = presetFor(body.kind, body.preset);
  return {
    ...providerDefaults,
    ...given(pick(body, providerDefaults)),
    slug: body.slug,
    name: body.name,
    kind: body.kind,
    preset,
    base_url: baseUrlFor(preset, body.base_url, ctx.adminAddress),
    ...sealed(ctx, { slug: body.slug, secret: null }, body.api_key ?? null),
    created_at: now,
    updated_at: null,
  };
}

/**
 * A stored provider with the changes applied; the row itself where that changes nothing.
 * @throws Refusal when a stored key would be sent to another host
 */
export function changedRow(ctx: Context, row: ProviderRow, body: UpdateProviderBody): ProviderRow {
  const preset = body.preset ? presetFor(row.kind as ProviderKind, body.preset) : row.preset;
  const keepsKey = body.api_key === undefined || (body.api_key !== null && row.secret !== null && isMask(body.api_key));
  const baseUrl = body.base_url === undefined ? row.base_url : baseUrlFor(preset, body.base_url, ctx.adminAddress);
  // A stored key is never sent to another host: moving the provider requires entering it again.
  if (keepsKey && row.secret !== null && originOf(baseUrl) !== originOf(row.base_url)) {
    throw invalid("api_key", "has to be sent again, because base_url now names another host");
  }
  return patched(row, {
    ...pick(body, providerDefaults),
    name: body.name,
    preset,
    base_url: baseUrl,
    ...(!keepsKey && sealed(ctx, row, body.api_key ?? null)),
  });
}

/** The built-in provider sends no requests. */
export function refuseOfBuiltin(row: ProviderRow, body: UpdateProviderBody): void {
  if (row.kind !== "builtin") return;
  for (const member of ["base_url", "api_key", "preset", "options"] as const) {
    if (body[member] !== undefined && body[member] !== null)
      throw invalid(member, "cannot be set for the built-in provider, which makes no calls");
  }
}

/** The stored form of a key: the same sealed text where it is the same key. */
function sealed(
  ctx: Context,
  { slug, secret }: Pick<ProviderRow, "slug" | "secret">,
  apiKey: string | null,
): Pick<ProviderRow, "secret" | "secret_label"> {
  if (apiKey === null) return { secret: null, secret_label: null };
  if (isMask(apiKey)) throw invalid("api_key", "is a masked value, not the key: send the key itself");
  const isSame = openSecret(ctx, secret, providerAad(slug)).text === apiKey;
  return {
    secret: isSame ? secret : ctx.secrets.seal(apiKey, providerAad(slug)),
    secret_label: maskSecret(apiKey),
  };
}

function taken(slug: string): Refusal {
  return new Refusal(
    "conflict",
    `A provider has the slug ${slug} already: choose another, or change that one with PATCH`,
    {
      issues: [{ path: "slug", message: "is taken" }],
    },
  );
}

async function record(
  trx: Transaction<Tables>,
  ctx: Context,
  action: EndpointName,
  { before, after }: { before: Found | null; after: Found | null },
): Promise<void> {
  const { row } = after ?? before ?? {};
  if (!row) return;
  const members = (found: Found | null) =>
    found === null ? null : { ...auditedProvider(found.row, found.models), secret_changed: undefined };
  const shown = { before: members(before), after: members(after) };
  // A new key may have the same mask as the old one; the change is recorded all the same.
  if (before && after && before.row.secret !== after.row.secret)
    Object.assign(shown.after ?? {}, { secret_changed: true });
  await recordChange(trx, ctx, {
    action,
    target: { type: "provider", id: row.slug, name: row.name, workspaceId: null },
    ...shown,
  });
}
