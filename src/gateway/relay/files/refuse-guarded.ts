import type { Context } from "../../domain/context.ts";
import { fileExcludedBy } from "../../domain/guardrails/effective.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { CatalogProvider } from "../../domain/routing/catalog.ts";
import { isNamed } from "../../domain/routing/exclusion.ts";

/**
 * A file at a vendor is out of reach for whatever reads or routes calls, so the guardrails of the key that sends it decide
 * before.
 * @throws Refusal permission_denied
 */
export async function refuseGuarded(
  ctx: Context,
  vendor: "anthropic" | "openai",
  provider: CatalogProvider,
): Promise<void> {
  if (ctx.actor.kind !== "ordinary") return;
  const { keyHash: hash, workspaceId } = ctx.actor;
  const creatorUserId = (await ctx.credentials.read(ctx, hash))?.creatorUserId ?? null;
  const guardrails = await ctx.guardrails.of(ctx, { hash, workspaceId, creatorUserId });
  const found = fileExcludedBy(guardrails, { vendor, isProvider: (name) => isNamed(provider, name) });
  if (found === null) return;
  throw new Refusal(
    "permission_denied",
    `The file cannot be sent to ${provider.name}: the guardrail ${found.guardrail.name} ${found.reason}. Leave provider out, and the gateway keeps the file`,
    { guardrail_id: found.guardrail.id },
  );
}
