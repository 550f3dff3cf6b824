import type { ProviderKind, ProviderOptions, ProviderPreset } from "#contract/providers.ts";
import { anthropic } from "./anthropic/adapter.ts";
import { cohere } from "./cohere/adapter.ts";
import { compatible } from "./compatible/adapter.ts";
import { thinkingRows } from "./compatible/thinking.ts";
import { presetOptions } from "./presets.ts";
import { gemini } from "./gemini/adapter.ts";
import type { HttpAdapter, Upstream } from "./provider.ts";

/** The dialects that travel over HTTP. The built-in provider is not among them: it makes no calls. */
export const adapters: Readonly<Partial<Record<ProviderKind, HttpAdapter>>> = {
  "openai-compatible": compatible,
  cohere,
  gemini,
  anthropic,
};

/** What a provider's row says about how to reach it, its key in plain text. */
export interface UpstreamSettings {
  readonly slug: string;
  readonly kind: ProviderKind;
  readonly preset: ProviderPreset;
  readonly baseUrl: string | null;
  readonly apiKey: string | null;
  readonly options: ProviderOptions;
}

const known = new WeakMap<UpstreamSettings, Upstream>();

/** The upstream for a provider's settings; created once per settings object. */
export function toUpstream(settings: UpstreamSettings): Upstream {
  const baseUrl = (settings.baseUrl ?? "").replace(/\/+$/, "");
  const made = known.get(settings) ?? {
    slug: settings.slug,
    kind: settings.kind,
    baseUrl,
    apiKey: settings.apiKey,
    options: presetOptions(settings.preset, settings.options),
    thinking: thinkingRows(settings.preset, baseUrl),
  };
  known.set(settings, made);
  return made;
}
