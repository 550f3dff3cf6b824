import { createHash } from "node:crypto";
import type { Deps } from "../../domain/context.ts";
import type { AppliedGuardrail } from "../../domain/guardrails/effective.ts";
import type { ContentFilters } from "../../domain/guardrails/filters/compile.ts";
import type { Credential } from "../../domain/keys/credentials.ts";

type Settings = AppliedGuardrail["settings"];

/** Sets of filters whose compiled form may still be in use. */
const mostKnown = 500;

const digests = new WeakMap<Settings, string>();
const known = new Map<string, ContentFilters>();

/** The content filters of all guardrails that cover a key's calls, as the same object each time; null: there are none. */
export async function filtersOf(deps: Deps, { hash, workspaceId, creatorUserId }: Credential) {
  if (workspaceId === null) throw new Error("a management key reached the relay");
  const covering = await deps.guardrails.of(deps, { hash, workspaceId, creatorUserId });
  const filtering = covering.map(({ settings }) => settings).filter(hasFilters);
  return filtering.length === 0 ? null : united(filtering);
}

function hasFilters({ content_filters: custom, content_filter_builtins: builtins }: Settings): boolean {
  return (custom?.length ?? 0) > 0 || (builtins?.length ?? 0) > 0;
}

function united(settings: readonly Settings[]): ContentFilters {
  const name = settings.map(digestOf).join(" ");
  const found = known.get(name) ?? {
    patterns: settings.flatMap(({ content_filters: custom }) => custom ?? []),
    builtins: settings.flatMap(({ content_filter_builtins: builtins }) => builtins ?? []),
  };
  known.delete(name);
  if (known.size >= mostKnown) known.delete(known.keys().next().value ?? "");
  known.set(name, found);
  return found;
}

/** Of its filters: the settings are read again now and then, and mostly are what they were. */
function digestOf(settings: Settings): string {
  const digest = digests.get(settings) ?? digestOfFilters(settings);
  digests.set(settings, digest);
  return digest;
}

function digestOfFilters({ content_filters: custom, content_filter_builtins: builtins }: Settings): string {
  return createHash("sha256")
    .update(JSON.stringify([custom, builtins]))
    .digest("base64");
}
