import { isIP } from "node:net";
import { presets } from "#contract/provider-presets.ts";
import type { ProviderKind, ProviderPreset } from "#contract/providers.ts";
import type { AddressRule } from "../context.ts";
import { invalid } from "../refusal.ts";

/**
 * The preset that a provider of this kind has.
 * @throws Refusal when a given one is of another kind
 */
export function presetFor(kind: ProviderKind, given: ProviderPreset | undefined): ProviderPreset {
  if (kind === "builtin") throw invalid("kind", "must not be builtin: the built-in provider is there already");
  const preset = given ?? (kind === "openai-compatible" ? "custom" : kind);
  if (presets[preset].kind !== kind)
    throw invalid("preset", `must be one of kind ${kind}; ${preset} is ${presets[preset].kind}`);
  return preset;
}

/** What a key is bound to: scheme, host and port of an address. */
export function originOf(baseUrl: string | null): string | null {
  return baseUrl === null ? null : (URL.parse(baseUrl)?.origin ?? null);
}

/**
 * The address as it is stored: without a slash at its end.
 * @param rule judges an address that is given as an IP; names are judged at every connection
 */
export function baseUrlFor(preset: ProviderPreset, given: string | undefined, rule: AddressRule): string {
  const text = given ?? presets[preset].baseUrl;
  if (text === null) throw invalid("base_url", `is missing: ${presets[preset].name} has no address of its own`);
  const url = parse(text);
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const reason = isIP(host) ? rule(host) : null;
  if (reason !== null) throw invalid("base_url", `must be an address that may be connected to: ${reason}`);
  return text.replace(/\/+$/, "");
}

function parse(text: string): URL {
  try {
    return new URL(text);
  } catch {
    throw invalid("base_url", "must be an absolute http or https address, such as https://api.example.com/v1");
  }
}
