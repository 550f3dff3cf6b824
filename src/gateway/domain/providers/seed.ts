import { presets } from "#contract/provider-presets.ts";
import type { ProviderPreset } from "#contract/providers.ts";
import type { Context, Deps } from "../context.ts";
import { create } from "./providers.ts";
import { Refusal } from "../refusal.ts";
import { seedModels } from "./seed-models.ts";

/**
 * Adds a provider for every vendor whose key is set in the environment. Only on first start: later, providers are
 * managed in the console, and a variable that is still set must not bring back a deleted one.
 * @returns the slugs added
 */
export async function seedProviders(
  deps: Deps,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string[]> {
  const ctx: Context = {
    ...deps,
    actor: { kind: "system", name: "gatehouse" },
    requestId: "first-start",
    sourceIp: null,
  };
  const added: string[] = [];
  for (const [preset, { keyVariable, kind, name }] of Object.entries(presets)) {
    const key = keyVariable === null ? undefined : environment[keyVariable];
    if (!key) continue;
    const models = (seedModels[preset as ProviderPreset] ?? []).map((model) => ({
      upstream_id: model.id.slice(model.id.indexOf("/") + 1),
      ...model,
    }));
    try {
      await create(ctx, { slug: preset, name, kind, preset: preset as ProviderPreset, api_key: key, models });
      added.push(preset);
    } catch (error) {
      // Another process that started at the same time was first.
      if (!(error instanceof Refusal && error.type === "conflict")) throw error;
    }
  }
  return added;
}
