import type { Transaction } from "kysely";
import type {
  CreateProviderBody,
  ProviderRecord,
  ProviderTest,
  PublicProvider,
  UpdateProviderBody,
} from "#contract/providers.ts";
import type { Tables } from "../storage/tables.ts";
import { recordChange } from "./audit.ts";
import { providerPlace, readProvider } from "./catalog-read.ts";
import type { Context } from "./context.ts";
import { maskSecret } from "./destination-config.ts";
import { refuseUnlessManagement } from "./permission.ts";
import { baseUrlFor, presetFor } from "./provider-address.ts";
import { modelRows, refuseEmptyBuiltin, replaceModels } from "./provider-models.ts";
import { auditedProvider, type ProviderModelRow, providerRecord, type ProviderRow } from "./provider-record.ts";
import { invalid, notFound, Refusal } from "./refusal.ts";

interface Found {
  row: ProviderRow;
  models: ProviderModelRow[];
}

/** Adds a provider with its models. The key is sealed before it is stored. */
export async function create(ctx: Context, body: CreateProviderBody): Promise<ProviderRecord> {
  refuseUnlessManagement(ctx);
  const now = ctx.now();
  const preset = presetFor(body.kind, body.preset);
  const row: ProviderRow = {
    slug: body.slug,
    name: body.name,
    kind: body.kind,
    preset,
    base_url: baseUrlFor(preset, body.base_url, ctx.adminAddress),
    ...sealed(ctx, body.slug, body.api_key ?? null),
    data_collection: body.data_collection ?? "allow",
    zdr: body.zdr ?? false,
    enabled: body.enabled ?? true,
    options: optionsOf(body.options),
    position: body.position ?? 100,
    privacy_policy_url: body.privacy_policy_url ?? null,
    terms_of_service_url: body.terms_of_service_url ?? null,
    status_page_url: body.status_page_url ?? null,
    created_at: now,
    updated_at: null,
  };
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
    await record(trx, ctx, "createProvider", null, { row, models });
  });
  await ctx.catalog.changed(ctx);
  return toRecord(ctx, { row, models });
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
  return { data: rows.map((row) => toRecord(ctx, { row, models: modelsOf.get(row.slug) ?? [] })) };
}

export async function get(ctx: Context, slug: string): Promise<ProviderRecord> {
  refuseUnlessManagement(ctx);
  return toRecord(ctx, await ctx.store.db.transaction().execute((trx) => lock(trx, slug)));
}

/** Changes what is given. An absent `api_key` stays, and so does one that comes back as its mask; null removes it. */
export async function update(ctx: Context, slug: string, body: UpdateProviderBody): Promise<ProviderRecord> {
  refuseUnlessManagement(ctx);
  const now = ctx.now();
  const changed = await ctx.store.db.transaction().execute(async (trx) => {
    const before = await lock(trx, slug);
    refuseOfBuiltin(before.row, body);
    const row = changedRow(ctx, before.row, body, now);
    const models = body.models
      ? modelRows({ slug, kind: row.kind as CreateProviderBody["kind"] }, body.models, before.models, now)
      : before.models;
    refuseEmptyBuiltin(row.kind, models);
    const { slug: _, created_at: __, ...set } = row;
    await trx
      .updateTable("providers")
      .set({ ...set, options: JSON.stringify(row.options) })
      .where("slug", "=", slug)
      .execute();
    if (body.models) await replaceModels(trx, slug, models);
    await record(trx, ctx, "updateProvider", before, { row, models });
    return { row, models };
  });
  await ctx.catalog.changed(ctx);
  return toRecord(ctx, changed);
}

export async function remove(ctx: Context, slug: string): Promise<{ deleted: true }> {
  refuseUnlessManagement(ctx);
  await ctx.store.db.transaction().execute(async (trx) => {
    const before = await lock(trx, slug);
    if (before.row.kind === "builtin") {
      throw new Refusal(
        "invalid_request",
        "The built-in provider cannot be deleted; set enabled to false to switch it off",
      );
    }
    await trx.deleteFrom("providers").where("slug", "=", slug).execute();
    await record(trx, ctx, "deleteProvider", before, null);
  });
  await ctx.catalog.changed(ctx);
  return { deleted: true };
}

/** Asks the vendor for its models with what is stored. */
export async function test(ctx: Context, slug: string): Promise<ProviderTest> {
  refuseUnlessManagement(ctx);
  const { row } = await ctx.store.db.transaction().execute((trx) => lock(trx, slug));
  const provider = readProvider(ctx, row);
  if (provider.unreadable) {
    return {
      ok: false,
      latency_ms: 0,
      status: null,
      message: "The stored key cannot be decrypted: enter it again",
      models: [],
    };
  }
  return await ctx.testProvider(provider);
}

/** Model servers on this machine that answer and are not providers yet. */
export async function detected(ctx: Context) {
  refuseUnlessManagement(ctx);
  const rows = await ctx.store.db.selectFrom("providers").select("base_url").execute();
  const known = new Set(rows.map(({ base_url }) => base_url));
  return { data: (await ctx.detectProviders()).filter(({ base_url }) => !known.has(base_url)) };
}

/** The public listing: those that serve models here, by name. */
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

function toRecord(ctx: Context, { row, models }: Found): ProviderRecord {
  return providerRecord(row, models, ctx.health.provider(row.slug, ctx.now()));
}

async function lock(trx: Transaction<Tables>, slug: string): Promise<Found> {
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

function changedRow(ctx: Context, row: ProviderRow, body: UpdateProviderBody, now: Date): ProviderRow {
  const preset = body.preset
    ? presetFor(row.kind as CreateProviderBody["kind"], body.preset)
    : (row.preset as CreateProviderBody["preset"] & string);
  const keepsKey = body.api_key === undefined || (body.api_key !== null && body.api_key === row.secret_label);
  const baseUrl = body.base_url === undefined ? row.base_url : baseUrlFor(preset, body.base_url, ctx.adminAddress);
  // A kept key is never carried to another host: whoever moves the provider has to know it.
  if (keepsKey && row.secret !== null && originOf(baseUrl) !== originOf(row.base_url)) {
    throw invalid("api_key", "has to be sent again, because base_url now names another host");
  }
  return {
    ...row,
    name: body.name ?? row.name,
    preset,
    base_url: baseUrl,
    ...(keepsKey ? {} : sealed(ctx, row.slug, body.api_key ?? null)),
    data_collection: body.data_collection ?? row.data_collection,
    zdr: body.zdr ?? row.zdr,
    enabled: body.enabled ?? row.enabled,
    options: body.options === undefined ? row.options : optionsOf(body.options),
    position: body.position ?? row.position,
    privacy_policy_url: body.privacy_policy_url === undefined ? row.privacy_policy_url : body.privacy_policy_url,
    terms_of_service_url:
      body.terms_of_service_url === undefined ? row.terms_of_service_url : body.terms_of_service_url,
    status_page_url: body.status_page_url === undefined ? row.status_page_url : body.status_page_url,
    updated_at: now,
  };
}

function originOf(baseUrl: string | null): string | null {
  return baseUrl !== null && URL.canParse(baseUrl) ? new URL(baseUrl).origin : baseUrl;
}

function refuseOfBuiltin(row: ProviderRow, body: UpdateProviderBody): void {
  if (row.kind !== "builtin") return;
  for (const member of ["base_url", "api_key", "preset", "options"] as const) {
    if (body[member] !== undefined && body[member] !== null)
      throw invalid(member, "cannot be set for the built-in provider, which makes no calls");
  }
}

function sealed(ctx: Context, slug: string, apiKey: string | null): Pick<ProviderRow, "secret" | "secret_label"> {
  if (apiKey === null) return { secret: null, secret_label: null };
  return { secret: ctx.secrets.seal(apiKey, providerPlace(slug)), secret_label: maskSecret(apiKey) };
}

function optionsOf(options: CreateProviderBody["options"]): Record<string, string> {
  return options?.api_version === undefined ? {} : { api_version: options.api_version };
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
  action: string,
  before: Found | null,
  after: Found | null,
): Promise<void> {
  const { row } = after ?? before ?? {};
  if (!row) return;
  const members = (found: Found | null) =>
    found === null ? null : { ...auditedProvider(found.row, found.models), secret_changed: undefined };
  const shown = { before: members(before), after: members(after) };
  // A new key may have the mask of the old one; that it changed is said all the same.
  if (before && after && before.row.secret !== after.row.secret)
    Object.assign(shown.after ?? {}, { secret_changed: true });
  await recordChange(trx, ctx, {
    action,
    target: { type: "provider", id: row.slug, name: row.name, workspaceId: null },
    ...shown,
  });
}
