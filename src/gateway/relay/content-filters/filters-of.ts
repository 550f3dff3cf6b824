import { createHash } from "node:crypto";
import { builtinLabels } from "#contract/guardrails.ts";
import type { Deps } from "../../domain/context.ts";
import type { AppliedGuardrail } from "../../domain/guardrails/effective.ts";
import { type Blocked, type ContentFilters, defaultLabel } from "../../domain/guardrails/filters/compile.ts";
import type { Credential } from "../../domain/keys/credentials.ts";

type Settings = AppliedGuardrail["settings"];

/** Sets of filters whose compiled form may still be in use. */
const mostKnown = 500;

const digests = new WeakMap<Settings, string>();
const known = new Map<string, ContentFilters>();

/** What filters a key's calls. */
export interface CoveringFilters {
  /** those of all guardrails together: the same object each time */
  readonly filters: ContentFilters;
  /** the guardrails that have some */
  readonly guardrails: readonly AppliedGuardrail[];
}

/** The content filters of the guardrails that cover a key's calls; null: there are none. */
export async function filtersOf(
  deps: Deps,
  { hash, workspaceId, creatorUserId }: Credential,
): Promise<CoveringFilters | null> {
  if (workspaceId === null) throw new Error("a management key reached the relay");
  const covering = await deps.guardrails.of(deps, { hash, workspaceId, creatorUserId });
  const guardrails = covering.filter(({ settings }) => hasFilters(settings));
  return guardrails.length === 0 ? null : { filters: united(guardrails.map(({ settings }) => settings)), guardrails };
}

/** The guardrail whose filter blocks; null where several have one of that label, since it may be any of them. */
export function blockingGuardrail(guardrails: readonly AppliedGuardrail[], blocked: Blocked): AppliedGuardrail | null {
  const found = guardrails.filter(({ settings: { content_filters: custom, content_filter_builtins: builtins } }) => {
    const inCustom = custom?.some(({ action, label }) => action === "block" && isLabel(label || defaultLabel, blocked));
    return (
      inCustom || builtins?.some(({ action, slug }) => action === "block" && isLabel(builtinLabels[slug], blocked))
    );
  });
  return found.length === 1 ? (found[0] ?? null) : null;
}

function isLabel(label: string, blocked: Blocked): boolean {
  return label === (blocked.by === "filter" ? blocked.label : builtinLabels["regex-prompt-injection"]);
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
