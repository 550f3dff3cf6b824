import { isPresetSlug, presetMark } from "#contract/presets.ts";
import type { PresetInUse } from "../../domain/workspaces/preset-cache.ts";
import { invalid, notFound } from "../../domain/refusal.ts";
import { isObject, type JsonObject } from "../../providers/answer.ts";
import { joinInTurns, takeTurns } from "../../turns.ts";
import { writeJsonInTurns } from "../../write-json.ts";
import type { RelayDeps } from "../deps.ts";
import { holdsAny } from "../holds-any.ts";
import type { ModelCall } from "../model-call.ts";
import { readBody } from "../read-body.ts";
import type { RequestForm } from "./forms.ts";
import { completedBy } from "./merge.ts";

/** The most that any form of request may hold. */
const mostValues = 400_000;

/**
 * The call as it is with the preset that it names, for everything that comes after: limits, routing, privacy and the
 * ledger see the completed request alone. A call that names none is returned as it is.
 * @throws Refusal
 */
export async function withPreset(deps: RelayDeps, call: ModelCall, form: RequestForm): Promise<ModelCall> {
  const turn = takeTurns(call.credential.hash);
  // Perhaps in a text.
  if (!(await holdsAny(call.body, traces, turn))) return call;
  const json = await readBody(call.body, turn, mostValues);
  const named = presetNamedIn(json);
  if (named === null) return call;
  const preset = await findPreset(deps, call, named.slug);
  const completed = completedBy(form, preset, named.rest);
  const body = await joinInTurns(await writeJsonInTurns(completed, turn), turn);
  const { id, slug, version, config } = preset;
  const { cache_enabled: enabled, cache_ttl_seconds: ttl } = config;
  const cache = {
    isEnabled: typeof enabled === "boolean" ? enabled : null,
    ttlSeconds: typeof ttl === "number" ? ttl : null,
  };
  return { ...call, body, preset: { id, slug, version, cache } };
}

/** A slash may be written with a backslash before it, so that it is not looked for. */
const traces = [presetMark.slice(0, -1), '"preset"'].map((text) => Buffer.from(text));

interface Named {
  readonly slug: string;
  /** the request without the name */
  readonly rest: JsonObject;
}

/** @throws Refusal invalid_request where it names several, or one where none can be */
export function presetNamedIn({ preset, ...rest }: Readonly<JsonObject>): Named | null {
  refuseInFallbacks(rest);
  const { model, ...others } = rest;
  const at = typeof model === "string" ? model.indexOf(presetMark) : -1;
  const inModel = typeof model === "string" && at !== -1 ? slugIn(model.slice(at + presetMark.length), "model") : null;
  const ofMember = preset === undefined || preset === null ? null : slugIn(preset, "preset");
  const slug = inModel ?? ofMember;
  if (slug === null) return null;
  if (inModel !== null && ofMember !== null && inModel !== ofMember) {
    throw invalid("preset", `must be ${inModel}, which model names: a call has one preset`);
  }
  const own = inModel === null ? model : (model as string).slice(0, at);
  const hasModel = own !== undefined && own !== null && own !== "";
  return { slug, rest: hasModel ? { ...rest, model: own } : others };
}

function slugIn(value: unknown, member: "model" | "preset"): string {
  if (typeof value === "string" && isPresetSlug(value)) return value;
  throw invalid(
    member,
    member === "model"
      ? `must have the slug of a preset after ${presetMark}: lowercase letters, digits, hyphens and underscores`
      : "must be the slug of a preset: lowercase letters, digits, hyphens and underscores",
  );
}

function refuseInFallbacks({ models, fallbacks }: Readonly<JsonObject>): void {
  const named = [
    ...(Array.isArray(models) ? models.slice(0, mostFallbacks) : []).map((id: unknown, at) => [`models.${at}`, id]),
    ...(Array.isArray(fallbacks) ? fallbacks.slice(0, mostFallbacks) : []).map((one: unknown, at) => [
      `fallbacks.${at}.model`,
      isObject(one) ? one["model"] : null,
    ]),
  ] as const;
  const wrong = named.find(([, id]) => typeof id === "string" && id.includes(presetMark));
  if (wrong !== undefined) throw invalid(String(wrong[0]), "must be the id of a model: only `model` can name a preset");
}

/** More are refused by the form itself. */
const mostFallbacks = 20;

/** @throws Refusal not_found where the key's workspace has no such preset, or one that is not active */
async function findPreset({ domain }: RelayDeps, { credential }: ModelCall, slug: string): Promise<PresetInUse> {
  if (credential.workspaceId === null) throw new Error("a management key reached the relay");
  const preset = await domain.presets.of(domain, credential.workspaceId, slug);
  if (preset === null) throw notFound(`This key's workspace has no preset ${slug}`);
  if (preset.status === "active") return preset;
  throw notFound(`The preset ${slug} is ${preset.status}: make it active before you call it`);
}
