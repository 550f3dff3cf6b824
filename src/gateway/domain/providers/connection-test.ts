import type { ProviderTest, TestProviderSettingsBody } from "#contract/providers.ts";
import { lockByokKey, refuseStrayed } from "./byok.ts";
import { openSecret, readProvider } from "../routing/catalog-read.ts";
import { byokAad } from "../secrets/aad.ts";
import type { CatalogProvider } from "../routing/catalog.ts";
import type { Context } from "../context.ts";
import { refuseUnlessManagement } from "../permission.ts";
import { changedRow, lockProvider, newRow, refuseOfBuiltin } from "./providers.ts";
import { invalid } from "../refusal.ts";

/** Requests the vendor's list of models with the stored settings. */
export async function testStored(ctx: Context, slug: string): Promise<ProviderTest> {
  refuseUnlessManagement(ctx);
  const { row } = await ctx.store.db.transaction().execute((trx) => lockProvider(trx, slug));
  return await ask(ctx, readProvider(ctx, row));
}

/** Requests the vendor's list of models with unsaved settings: a new provider's, or changes to a stored one. */
export async function testUnsaved(ctx: Context, body: TestProviderSettingsBody): Promise<ProviderTest> {
  refuseUnlessManagement(ctx);
  const { slug, kind, ...settings } = body;
  if (slug === undefined) {
    if (kind === undefined)
      throw invalid("kind", "is missing: say which dialect it speaks, or name a provider by slug");
    return await ask(ctx, readProvider(ctx, newRow(ctx, { ...settings, kind, slug: "unsaved", name: "" }, ctx.now())));
  }
  const { row } = await ctx.store.db.transaction().execute((trx) => lockProvider(trx, slug));
  if (kind !== undefined && kind !== row.kind) throw invalid("kind", `cannot be changed: ${slug} is ${row.kind}`);
  refuseOfBuiltin(row, settings);
  return await ask(ctx, readProvider(ctx, changedRow(ctx, row, settings)));
}

/** Requests the vendor's list of models with a workspace's own key. */
export async function testByokKey(ctx: Context, id: string): Promise<ProviderTest> {
  refuseUnlessManagement(ctx);
  const { key, provider } = await ctx.store.db.transaction().execute(async (trx) => {
    const key = await lockByokKey(trx, id);
    await refuseStrayed(trx, key);
    return { key, provider: (await lockProvider(trx, key.provider)).row };
  });
  const { text, unreadable } = openSecret(ctx, key.secret, byokAad(id));
  return await ask(ctx, { ...readProvider(ctx, provider), apiKey: text, unreadable });
}

async function ask(ctx: Context, provider: CatalogProvider): Promise<ProviderTest> {
  if (!provider.unreadable) return await ctx.testProvider(provider);
  const message = "The stored key cannot be decrypted: enter it again";
  return { ok: false, latency_ms: 0, status: null, message, models: [] };
}
