import type { Candidate } from "../../domain/routing/routing.ts";
import { cannotCarry } from "../../providers/call.ts";
import type { PassedDialect, PassedDialectName, SentRequest } from "../../providers/provider.ts";
import { adapters, toUpstream } from "../../providers/registry.ts";
import { joinInTurns, type Turn } from "../../turns.ts";
import type { Headers } from "../caller-form.ts";
import type { NamedAddress } from "../image-addresses.ts";
import type { PromptSize } from "./bounds.ts";
import type { ChatRequest } from "./request.ts";

/** A request in its caller's own dialect, for providers that speak it: they are sent what the caller sent. */
export interface PassedRequest {
  readonly dialect: PassedDialectName;
  /** the caller's headers that belong to the dialect */
  readonly headers: Headers;
  /**
   * The caller's bytes without the gateway's own members.
   * @param model the provider's name of the model @param maxTokens for a request that has none
   */
  write(model: string, maxTokens: number): readonly Buffer[];
  /** what bounds the prompt that is sent, in addition to the public form's size */
  readonly size: PromptSize;
  /** addresses that it names, and that a provider fetches */
  readonly addresses: readonly NamedAddress[];
  /** its parts that a provider bills at prices other than the model's */
  readonly unpriced: readonly string[];
  /** why the request cannot be put into another dialect; null: it can */
  readonly untranslatable: string | null;
}

/** A candidate that speaks the caller's dialect, and where. */
export interface Passage {
  readonly dialect: PassedDialect;
  readonly request: PassedRequest;
  readonly to: Pick<SentRequest, "url" | "headers">;
}

/** Null: the candidate speaks another dialect than the caller, so that the call has to be translated. */
export function passageTo({ provider }: Candidate, { passed, stream }: ChatRequest): Passage | null {
  const dialect = passed === null ? undefined : adapters[provider.kind]?.passed?.[passed.dialect];
  if (passed === null || dialect === undefined) return null;
  const to = dialect.address(toUpstream(provider), stream);
  return to === null ? null : { dialect, request: passed, to };
}

/** Providers of such dialects require a maximum; this is it where neither the caller nor the model has one. */
const plainMaximum = 4_096;

export async function passedOn(
  { request, to }: Passage,
  { model }: Candidate,
  told: number | null,
  turn: Turn,
): Promise<SentRequest> {
  const pieces = request.write(model.upstreamId, told ?? model.maxCompletionTokens ?? plainMaximum);
  const headers = { ...to.headers, ...request.headers };
  return { method: "POST", url: to.url, headers, body: await joinInTurns(pieces, turn) };
}

/** @throws CallFailed for a request that has to be translated and cannot be */
export function refuseUntranslatable({ passed }: ChatRequest): void {
  if (passed !== null && passed.untranslatable !== null) {
    throw cannotCarry(`it does not speak the dialect of ${passed.dialect}, which alone has ${passed.untranslatable}`);
  }
}
