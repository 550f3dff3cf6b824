import type { Candidate } from "../../domain/routing/routing.ts";
import { cannotCarry } from "../../providers/call.ts";
import type { PassedDialect, SentRequest } from "../../providers/provider.ts";
import { adapters, toUpstream } from "../../providers/registry.ts";
import { joinInTurns, type Turn } from "../../turns.ts";
import type { PassedRequest } from "./passed-request.ts";
import type { ChatRequest } from "./request.ts";

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
  const upstream = toUpstream(provider);
  if (passed.keeping !== null && dialect.keeps(upstream) === null) return null;
  const to = dialect.address(upstream, stream);
  return to === null ? null : { dialect, request: passed, to };
}

/** Providers of such dialects require a maximum; this is it where neither the caller nor the model has one. */
const plainMaximum = 4_096;

/** @throws CallFailed for what this provider may not be asked */
export async function passedOn(
  { dialect, request, to }: Passage,
  { model, provider }: Candidate,
  told: number | null,
  turn: Turn,
): Promise<SentRequest> {
  const upstream = toUpstream(provider);
  const keeps = dialect.keeps(upstream);
  // It may be another key's, and would be read to this one.
  if (keeps === "items" && request.reference !== null) {
    const instead = 'leave it out, or ask for its content with include: ["reasoning.encrypted_content"]';
    throw cannotCarry(`${request.reference} is reasoning by its id alone: ${instead}`);
  }
  if (request.container !== null) {
    const instead = "leave the item out, or continue its answer by previous_response_id";
    throw cannotCarry(`${request.container} is a container by its id: ${instead}`);
  }
  const pieces = request.write({
    model: model.upstreamId,
    maxTokens: told,
    plainMaximum: model.maxCompletionTokens ?? plainMaximum,
    keeps,
    encrypts:
      model.supportedParameters?.includes("reasoning") ??
      (dialect.encrypts?.(upstream)?.test(model.upstreamId) || null),
    checksSignatures: dialect.checksSignatures === true,
  });
  const headers = { ...to.headers, ...request.headers };
  return { method: "POST", url: to.url, headers, body: await joinInTurns(pieces, turn) };
}

/** @throws CallFailed for a request that has to be translated and cannot be */
export function refuseUntranslatable({ passed }: ChatRequest): void {
  if (passed === null) return;
  if (passed.keeping !== null) {
    throw cannotCarry(`it keeps no answers, which ${passed.keeping.what} needs: ${passed.keeping.instead}`);
  }
  if (passed.untranslatable !== null) {
    throw cannotCarry(`it does not speak the dialect of ${passed.dialect}, which alone has ${passed.untranslatable}`);
  }
}
